"""The connections to a referee."""

import ipaddress
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import grpc

from ronda.v1.referee_service_pb2_grpc import RefereeServiceStub

# A server bounds the streams of one connection and lets the calls beyond that wait without a
# word. Watchers therefore have connections of their own, so many on each.
WATCHERS_PER_CHANNEL = 32

_TARGET = re.compile(r"(?:\[[^\s/\[\]]+\]|[^\s:/\[\]]+):([0-9]{1,5})")
_PORTS = range(1, 65536)


def checked_target(text: str) -> str:
    """Return where a referee listens, unchanged: a name or an address, `:`, and a port.

    Raises:
        ValueError: It is none; the message shows what one looks like.
    """
    match = _TARGET.fullmatch(text)
    if match is None or int(match[1]) not in _PORTS:
        raise ValueError(f"{text!r} is no HOST:PORT, as 127.0.0.1:7632 or [::1]:7632")
    return text


def is_loopback(target: str) -> bool:
    """Tell whether `host:port` is on this machine, whose connections nobody else can read."""
    host = target.rpartition(":")[0].strip("[]")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _options(target: str) -> list[tuple[str, int]]:
    options = [
        # A referee that comes back is found within the client's own waits; gRPC's start at 1 s.
        ("grpc.initial_reconnect_backoff_ms", 50),
        ("grpc.min_reconnect_backoff_ms", 1_000),
        ("grpc.max_reconnect_backoff_ms", 1_000),
        # Without this, channels to one target share one connection, whatever their number.
        ("grpc.use_local_subchannel_pool", 1),
    ]
    if is_loopback(target):
        options.append(("grpc.enable_http_proxy", 0))
    return options


@dataclass(slots=True)
class _WatchChannel:
    channel: grpc.aio.Channel
    stub: RefereeServiceStub
    watchers: int = 0


class Channels:
    """One connection for calls and, for every so many watchers, one for streams."""

    def __init__(self, target: str, credentials: grpc.ChannelCredentials | None) -> None:
        """Take where the referee listens, as `host:port`, and TLS credentials; None: no TLS."""
        self.target = target
        self._credentials = credentials
        self._calls = self._open()
        self.stub = RefereeServiceStub(self._calls)
        self._watching: list[_WatchChannel] = []

    def _open(self) -> grpc.aio.Channel:
        options = _options(self.target)
        if self._credentials is None:
            return grpc.aio.insecure_channel(self.target, options=options)
        return grpc.aio.secure_channel(self.target, self._credentials, options=options)

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[RefereeServiceStub]:
        """Give a stub with room for one more watcher, for as long as the context lasts."""
        for held in self._watching:
            if held.watchers < WATCHERS_PER_CHANNEL:
                break
        else:
            channel = self._open()
            held = _WatchChannel(channel, RefereeServiceStub(channel))
            self._watching.append(held)
        held.watchers += 1
        try:
            yield held.stub
        finally:
            held.watchers -= 1

    async def close(self) -> None:
        """Close every connection; calls under way are cancelled."""
        for channel in [self._calls, *(held.channel for held in self._watching)]:
            await channel.close()
