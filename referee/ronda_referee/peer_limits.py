"""Limits that each peer has for itself: calls in a second, and streams at once.

A peer is an address; with IP version 6 the 64 bits that one network is given, because whoever has
one of its addresses has all of them. What one peer uses up is missing to nobody else.
"""

import ipaddress
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote

import structlog

from ronda_referee.checked_calls import Call, Context, when_gone
from ronda_referee.errors import ServiceError, ServiceReason

_BITS_OF_A_NETWORK = 64
_SECONDS_BETWEEN_LOG_LINES = 10.0
# One connection makes many calls.
_REMEMBERED_PEERS = 1024

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Bucket:
    """What a peer may still use: as many calls as there are tokens in it."""

    tokens: float
    filled: float


class CallRate:
    """A bucket of tokens for each peer, that holds one second's calls and fills at that rate.

    A bucket that would be full is as one that is not there, so that only the peers of the last
    second are remembered.
    """

    def __init__(self, calls_per_second: int, clock: Callable[[], float]) -> None:
        """Allow so many calls in a second; 0: any number. The clock gives seconds."""
        self._rate = calls_per_second
        self._clock = clock
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def wait_ms(self, peer: str) -> int:
        """Take a token; give 0, or where there is none the milliseconds until there is one."""
        if not self._rate:
            return 0
        now = self._clock()
        self._forget_full(now)
        bucket = self._buckets.get(peer)
        if bucket is None:
            bucket = self._buckets[peer] = _Bucket(self._rate, now)
        bucket.tokens = min(self._rate, bucket.tokens + (now - bucket.filled) * self._rate)
        bucket.filled = now
        self._buckets.move_to_end(peer)
        if bucket.tokens >= 1:
            bucket.tokens -= 1
            return 0
        return math.ceil(1000 * (1 - bucket.tokens) / self._rate)

    def _forget_full(self, now: float) -> None:
        # A second after the last call any bucket is full again.
        while self._buckets:
            peer, bucket = next(iter(self._buckets.items()))
            if now - bucket.filled < 1:
                return
            del self._buckets[peer]


class PeerLimits:
    """Refuses what is more than a peer may have.

    Attributes:
        streams: how many streams are open now, by the method's name.
    """

    def __init__(
        self,
        calls_per_second: int,
        streams_per_peer: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take the limits; the clock gives seconds."""
        self.streams: Counter[str] = Counter()
        self._rate = CallRate(calls_per_second, clock)
        self._calls_per_second = calls_per_second
        self._streams_per_peer = streams_per_peer
        self._streams_of: Counter[str] = Counter()
        self._clock = clock
        self._logged: OrderedDict[str, float] = OrderedDict()

    def check(self, call: Call, context: Context) -> None:
        """Count a call, and refuse it where it is one too many.

        Raises:
            ServiceError: the peer makes too many calls, or has too many streams.
        """
        if not self._calls_per_second and not call.streaming:
            return
        peer = peer_name(context.peer())
        wait_ms = self._rate.wait_ms(peer)
        if wait_ms:
            self._log_once_in_a_while(peer)
            raise ServiceError(
                ServiceReason.TOO_MANY_CALLS,
                f"one peer may make {self._calls_per_second} calls in a second; try again in "
                f"{wait_ms} ms",
                retry_after_ms=wait_ms,
            )
        if call.streaming:
            self._count_stream(call.method.rpartition("/")[2], peer, context)

    def _count_stream(self, method: str, peer: str, context: Context) -> None:
        if self._streams_of[peer] >= self._streams_per_peer:
            self._log_once_in_a_while(peer)
            raise ServiceError(
                ServiceReason.TOO_MANY_STREAMS,
                f"one peer may have {self._streams_per_peer} streams; end one first",
                streams_per_peer=self._streams_per_peer,
            )
        self._streams_of[peer] += 1
        self.streams[method] += 1

        def ended() -> None:
            self.streams[method] -= 1
            self._streams_of[peer] -= 1
            if not self._streams_of[peer]:
                del self._streams_of[peer]

        # A client that does not read keeps its stream, on its own account.
        when_gone(context, ended)

    def _log_once_in_a_while(self, peer: str) -> None:
        now = self._clock()
        while self._logged:
            known, at = next(iter(self._logged.items()))
            if now - at < _SECONDS_BETWEEN_LOG_LINES:
                break
            del self._logged[known]
        if peer not in self._logged:
            self._logged[peer] = now
            _log.warning("peer at its limit", peer=peer)


@lru_cache(_REMEMBERED_PEERS)
def peer_name(peer: str) -> str:
    """Give whose calls are counted together, from what gRPC calls a peer.

    `ipv4:192.0.2.7:50123` is 192.0.2.7, `ipv6:%5B2001:db8::1%5D:50123` is 2001:db8::/64.
    """
    kind, _, rest = unquote(peer).partition(":")
    if kind not in {"ipv4", "ipv6"}:
        return peer
    host = rest.rpartition(":")[0].removeprefix("[").removesuffix("]").partition("%")[0]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return peer
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        if not address.is_loopback:
            return str(ipaddress.ip_network((address, _BITS_OF_A_NETWORK), strict=False))
    return str(address)
