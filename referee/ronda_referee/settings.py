"""How a referee is run: its settings, with what stands where nothing else is said.

`ronda_referee.configuration` reads them from flags, the environment and a file.
"""

from dataclasses import dataclass, field
from pathlib import Path

from ronda.v1 import match_terms_pb2

DEFAULT_LISTEN = "127.0.0.1:7632"

REQUEST_BYTES = 64 * 1024
METADATA_BYTES = 8 * 1024

HEARTBEAT_SECONDS = 15.0
SLOW_WATCHER_SECONDS = 30.0
DRAIN_SECONDS = 5.0
SLEEP_AFTER_SECONDS = 300.0

# Beyond loopback a peer is one bot or one team's machine; on loopback all programs are one peer.
CALLS_PER_SECOND_BEYOND_LOOPBACK = 500
STREAMS_PER_PEER = 4096
WATCHERS_PER_MATCH = 1000
OPEN_MATCHES = 10_000
MOVES_IN_FLIGHT = 1024

MOST_REFUSALS = 10
JOIN_TIMEOUT_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Limits:
    """What a referee allows.

    Attributes:
        calls_per_second: calls of one peer in a second, as many of them at once; 0: no limit.
        streams_per_peer: streams of one peer, of all kinds.
        watchers_per_match: streams that watch one match without a seat, and as many again for
            each seat.
        open_matches: matches that have not ended.
        moves_in_flight: moves of one Play stream that are not answered yet.
    """

    calls_per_second: int = 0
    streams_per_peer: int = STREAMS_PER_PEER
    watchers_per_match: int = WATCHERS_PER_MATCH
    open_matches: int = OPEN_MATCHES
    moves_in_flight: int = MOVES_IN_FLIGHT


@dataclass(frozen=True, slots=True)
class Tls:
    """The files for TLS, all PEM.

    Attributes:
        certificate: the server's certificate, followed by those between it and the root.
        key: its private key, which others cannot read.
        client_ca: the roots of clients' certificates; None: clients need no certificate.
    """

    certificate: Path
    key: Path
    client_ca: Path | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """How a referee is run.

    Attributes:
        data: the folder that holds its store and its key; made where it is missing.
        listen: where it listens, HOST:PORT; port 0 takes a free one.
        allow_fixed_draws: whether organisers may bring draws of their own, for tests.
        allow_shared_shuffles: whether organisers may bring a seed that several matches share.
        heartbeat_seconds: after how long without news watchers get a sign of life.
        slow_watcher_seconds: after how long without reading a client's stream is ended.
        drain_seconds: how long streams may take to end when it shuts down.
        sleep_after_seconds: after how long without a call a match leaves memory, to come back
            from the store with the next one.
        tls: the files for TLS, without which it listens on loopback alone; None: in the clear.
        organiser_tokens: a file of organisers' tokens beside the one in the data folder, or None.
        create_needs_token: whether creating a match needs an organiser's token on loopback too.
        metrics_listen: where metrics are served, HOST:PORT; None: nowhere.
        limits: what it allows.
        most_refusals: refusals before a seat forfeits, where a match's terms do not say.
        join_timeout_seconds: time to join, where a match's terms do not say.
    """

    data: Path
    listen: str = DEFAULT_LISTEN
    allow_fixed_draws: bool = False
    allow_shared_shuffles: bool = False
    heartbeat_seconds: float = HEARTBEAT_SECONDS
    slow_watcher_seconds: float = SLOW_WATCHER_SECONDS
    drain_seconds: float = DRAIN_SECONDS
    sleep_after_seconds: float = SLEEP_AFTER_SECONDS
    tls: Tls | None = None
    organiser_tokens: Path | None = None
    create_needs_token: bool = False
    metrics_listen: str | None = None
    limits: Limits = field(default_factory=Limits)
    most_refusals: int = MOST_REFUSALS
    join_timeout_seconds: int = JOIN_TIMEOUT_SECONDS

    @property
    def default_terms(self) -> match_terms_pb2.MatchTerms:
        """The terms of a match whose organiser names none."""
        return match_terms_pb2.MatchTerms(
            most_refusals=self.most_refusals, join_timeout_ms=1000 * self.join_timeout_seconds
        )
