"""The seeds of a tournament: one secret from which every group of matches has its own (SHUFFLE-10).

The matches of a group share a shuffle, so that each side gets the same cards in turn. Whoever runs
the tournament publishes the commitment before the first match and the tournament's seed after the
last one; then everyone can derive every group's seed and hold it against the logs. In the notation
of LOG-1::

    tournament commitment = SHA-256( lp("ronda.v1 tournament seed") tournament seed )
    seed of a group       = HMAC-SHA-256( key: tournament seed,
                                          message: lp("ronda.v1 tournament group") lp(group) )
"""

import hashlib
import hmac

SEED_SIZE = 32

_SEED_DOMAIN = b"ronda.v1 tournament seed"
_GROUP_DOMAIN = b"ronda.v1 tournament group"


def commitment(tournament_seed: bytes) -> bytes:
    """Return the commitment, 32 bytes, to a tournament's seed: what is published before it begins.

    Args:
        tournament_seed: 32 bytes that nobody can guess, as `secrets.token_bytes(32)` gives them.

    Raises:
        ValueError: The seed is not 32 bytes.
    """
    return hashlib.sha256(_prefixed(_SEED_DOMAIN) + _checked(tournament_seed)).digest()


def group_seed(tournament_seed: bytes, group: str) -> bytes:
    """Return the seed, 32 bytes, of the shuffle that the matches of a group share.

    Args:
        tournament_seed: The tournament's seed, 32 bytes.
        group: The group's name, which is also the id of its shared shuffle.

    Raises:
        ValueError: The seed is not 32 bytes.
    """
    message = _prefixed(_GROUP_DOMAIN) + _prefixed(group.encode())
    return hmac.digest(_checked(tournament_seed), message, "sha256")


def _checked(seed: bytes) -> bytes:
    if len(seed) != SEED_SIZE:
        raise ValueError(f"a tournament's seed has {SEED_SIZE} bytes; this one has {len(seed)}")
    return seed


def _prefixed(part: bytes) -> bytes:
    return len(part).to_bytes(4) + part
