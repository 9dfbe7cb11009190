"""The shuffle: from a secret seed and the seats' own bytes to every draw of a match (DEAL-4).

Any language can repeat it; the clauses SHUFFLE-1 to SHUFFLE-9 say it in full. All integers are
unsigned and big-endian, ``u32`` and ``u64`` take four and eight bytes, ``lp(x)`` is ``u32(length of
x in bytes)`` followed by ``x``, texts are UTF-8::

    commitment    = SHA-256( lp("ronda.v1 seed") seed )
    match key     = HMAC-SHA-256( seed, lp("ronda.v1 match") lp(match id)
                                        u32(seats) lp(bytes of seat 0) … lp(bytes of the last) )
      of a match that shares its shuffle with others:
                  = HMAC-SHA-256( seed, lp("ronda.v1 shared match") lp(shuffle id) )
    deal key      = HMAC-SHA-256( match key, lp("ronda.v1 deal") u32(deal number, from 1) )
    stream of i   = HMAC-SHA-256( deal key, lp("ronda.v1 stream") u64(i) )

The bytes of a deal are the streams of 0, 1, 2 … one after the other, read from the front and
each used once. A uniform number below n takes the next byte b, and another one as long as
``b >= 256 - 256 % n``; it is ``b % n``. A draw takes a uniform number below the number of cards
in the pack, and that many cards of the pack are passed over in canonical order: oros 1 to 12,
copas, espadas, bastos. Where the first dealer is drawn, that number (below the number of seats)
is the first one taken in deal 1; everything else in a deal is draws, in the order in which the
cards leave the pack.

The seed is 32 bytes from the operating system. Its commitment is public before anybody joins and
the seed once the match is over. So a referee cannot choose the deal alone: a seat that sees the
header with the commitment before it brings bytes of its own, and keeps to that header, makes the
deal one that the referee could not foresee. Where no seat brings any, the referee alone decides.
A referee that also plays the seat which joins last can try bytes for that seat until it likes the
deal; no shuffle in which the seats speak one after the other can keep it from that.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Final

from ronda_rules.cards import Card, CardSet, size_of
from ronda_rules.engine import DrawCards, DrawDealer, decide
from ronda_rules.moves import DealerDrawn, Drawn
from ronda_rules.state import MatchState

SEED_SIZE = 32

_BYTE_VALUES: Final = 256

_SEED_DOMAIN: Final = b"ronda.v1 seed"
_MATCH_DOMAIN: Final = b"ronda.v1 match"
_SHARED_MATCH_DOMAIN: Final = b"ronda.v1 shared match"
_DEAL_DOMAIN: Final = b"ronda.v1 deal"
_STREAM_DOMAIN: Final = b"ronda.v1 stream"


class FixedDrawsExhausted(Exception):
    """More cards were to be drawn than the organiser had fixed.

    Attributes:
        reason: the stable reason code.
        fixed: how many cards were fixed.
        needed: how many cards the match needed at least.
    """

    reason = "FIXED_DRAWS_EXHAUSTED"

    def __init__(self, fixed: int, needed: int) -> None:
        """Keep both numbers."""
        super().__init__(f"the match needs {needed} cards or more, and {fixed} draws are fixed")
        self.fixed = fixed
        self.needed = needed


def commit(seed: bytes) -> bytes:
    """Give the commitment, 32 bytes, to a seed (SHUFFLE-1).

    Raises:
        ValueError: the seed is not 32 bytes.
    """
    return hashlib.sha256(_prefixed(_SEED_DOMAIN) + _checked(seed)).digest()


def match_key(seed: bytes, match_id: str, entropies: Sequence[bytes]) -> bytes:
    """Give the key, 32 bytes, from which every draw of a match follows (SHUFFLE-2).

    `entropies` are the bytes that the seats brought, in seat order, empty for a seat that
    brought none.

    Raises:
        ValueError: the seed is not 32 bytes.
    """
    message = _prefixed(_MATCH_DOMAIN) + _prefixed(match_id.encode()) + _u32(len(entropies))
    message += b"".join(_prefixed(entropy) for entropy in entropies)
    return _hmac(_checked(seed), message)


def shared_match_key(seed: bytes, shuffle_id: str) -> bytes:
    """Give the key, 32 bytes, of every match that shares this shuffle (SHUFFLE-9).

    Neither the match nor what its seats brought is in it, so that all of them draw the same.

    Raises:
        ValueError: the seed is not 32 bytes.
    """
    return _hmac(_checked(seed), _prefixed(_SHARED_MATCH_DOMAIN) + _prefixed(shuffle_id.encode()))


def key_of(seed: bytes, match_id: str, shuffle_id: str, entropies: Sequence[bytes]) -> bytes:
    """Give the key, 32 bytes, of a match: its own, or that of the shuffle that it shares.

    `shuffle_id` is empty where it shares none; `entropies` are as in `match_key`.

    Raises:
        ValueError: the seed is not 32 bytes.
    """
    if shuffle_id:
        return shared_match_key(seed, shuffle_id)
    return match_key(seed, match_id, entropies)


class DealDraws:
    """The numbers and cards that chance gives in one deal, one after the other (SHUFFLE-3)."""

    def __init__(self, match_key: bytes, deal: int) -> None:
        """Begin the deal's stream; `deal` counts from 1."""
        self._key = _hmac(match_key, _prefixed(_DEAL_DOMAIN) + _u32(deal))
        self._block = b""
        self._blocks = 0
        self._used = 0

    def number(self, n: int) -> int:
        """Give a uniform number from 0 to n - 1, for n from 1 to 256 (SHUFFLE-4).

        Raises:
            ValueError: n is out of range.
        """
        if not 1 <= n <= _BYTE_VALUES:
            raise ValueError(f"a uniform number below {n} was asked for; 1 to 256 can be")
        limit = _BYTE_VALUES - _BYTE_VALUES % n
        while (byte := self._byte()) >= limit:
            pass
        return byte % n

    def card(self, pack: CardSet) -> Card:
        """Draw one card from a pack, which is left as it is (SHUFFLE-5).

        Raises:
            ValueError: the pack is empty.
        """
        for _ in range(self.number(size_of(pack))):
            pack &= pack - 1
        return (pack & -pack).bit_length() - 1

    def cards(self, pack: CardSet, count: int) -> tuple[Card, ...]:
        """Draw some cards, one at a time, each from what the ones before left of the pack.

        Raises:
            ValueError: the pack has fewer cards.
        """
        drawn = []
        for _ in range(count):
            card = self.card(pack)
            pack &= ~(1 << card)
            drawn.append(card)
        return tuple(drawn)

    def _byte(self) -> int:
        if self._used == len(self._block):
            counter = self._blocks.to_bytes(8)
            self._block = _hmac(self._key, _prefixed(_STREAM_DOMAIN) + counter)
            self._blocks += 1
            self._used = 0
        byte = self._block[self._used]
        self._used += 1
        return byte


class MatchDraws:
    """Everything that chance decides in one match, in the order in which it is asked (SHUFFLE-6).

    Cards come from the shuffle, or from the organiser where draws are fixed (SHUFFLE-7). The first
    dealer, where the rule set has it drawn, always comes from the shuffle.
    """

    def __init__(self, match_key: bytes, fixed: Sequence[Card] | None = None) -> None:
        """Begin before the first draw; `fixed` are the cards in the order of leaving the pack."""
        self._match_key = match_key
        self._fixed = fixed
        self._taken = 0
        self._deal = 1
        self._draws = DealDraws(match_key, 1)

    def answer(self, state: MatchState) -> DealerDrawn | Drawn | None:
        """Give what chance answers where it must decide; None where a seat or nobody must.

        Raises:
            FixedDrawsExhausted: fewer cards are fixed than are needed.
        """
        match decide(state):
            case DrawDealer(seats):
                return DealerDrawn(self.first_dealer(seats))
            case DrawCards(count, pack):
                return Drawn(self.cards(state.deal, pack, count))
            case _:
                return None

    def first_dealer(self, seats: int) -> int:
        """Draw the seat that deals first (clause DEAL-3); only before the first card."""
        return self._draws.number(seats)

    def cards(self, deal: int, pack: CardSet, count: int) -> tuple[Card, ...]:
        """Draw some cards of a deal, numbered from 1, from a pack.

        Fixed cards are given as they are: the engine refuses one that is not in the pack.

        Raises:
            FixedDrawsExhausted: fewer cards are fixed than are needed.
            ValueError: the pack has fewer cards.
        """
        if self._fixed is not None:
            end = self._taken + count
            if end > len(self._fixed):
                raise FixedDrawsExhausted(len(self._fixed), end)
            drawn = tuple(self._fixed[self._taken : end])
            self._taken = end
            return drawn
        if deal != self._deal:
            self._deal = deal
            self._draws = DealDraws(self._match_key, deal)
        return self._draws.cards(pack, count)


def _checked(seed: bytes) -> bytes:
    if len(seed) != SEED_SIZE:
        raise ValueError(f"the seed has {len(seed)} bytes; {SEED_SIZE} are needed")
    return seed


def _prefixed(part: bytes) -> bytes:
    return _u32(len(part)) + part


def _u32(number: int) -> bytes:
    return number.to_bytes(4)


def _hmac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")
