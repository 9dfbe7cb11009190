"""How many streams may watch one match.

Those without a seat share one number, and each seat has the same number for itself: spectators
never keep a player from its match. Beyond loopback one peer gets no more than a quarter of either,
so that it does not keep the others out.
"""

import ipaddress
from collections import Counter

from ronda_referee.checked_calls import Context, when_done
from ronda_referee.errors import ServiceError, ServiceReason
from ronda_referee.peer_limits import peer_name

_PART_OF_ONE_PEER = 4


class WatcherLimits:
    """Counts the streams that watch each match."""

    def __init__(self, watchers_per_match: int) -> None:
        """Allow so many streams."""
        self._most = watchers_per_match
        self._most_of_a_peer = max(1, watchers_per_match // _PART_OF_ONE_PEER)
        self._watching: Counter[tuple[str, int | None]] = Counter()
        self._of_peers: Counter[tuple[str, int | None, str]] = Counter()

    def take(self, match_id: str, seat: int | None, context: Context) -> None:
        """Count a stream until it ends.

        Raises:
            ServiceError: there are as many as there may be.
        """
        peer = peer_name(context.peer())
        place = (match_id, seat)
        mine = (match_id, seat, peer)
        if self._watching[place] >= self._most:
            raise _too_many(match_id, f"the match has {self._most} watchers", self._most)
        if not _loopback(peer) and self._of_peers[mine] >= self._most_of_a_peer:
            what = f"one peer may watch a match {self._most_of_a_peer} times"
            raise _too_many(match_id, what, self._most_of_a_peer)
        self._watching[place] += 1
        self._of_peers[mine] += 1

        def ended() -> None:
            self._watching[place] -= 1
            self._of_peers[mine] -= 1
            if not self._watching[place]:
                del self._watching[place]
            if not self._of_peers[mine]:
                del self._of_peers[mine]

        when_done(context, ended)


def _too_many(match_id: str, detail: str, most: int) -> ServiceError:
    return ServiceError(
        ServiceReason.TOO_MANY_STREAMS,
        f"{detail}, as many as there may be; try again when one has left",
        match_id=match_id,
        watchers_per_match=most,
    )


def _loopback(peer: str) -> bool:
    try:
        return ipaddress.ip_address(peer).is_loopback
    except ValueError:
        return False
