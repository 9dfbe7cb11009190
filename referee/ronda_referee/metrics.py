"""Metrics for Prometheus, served over HTTP by a thread of their own.

No label holds a match id, a token, a seed or a card: labels are the reasons of `ErrorReason`
alone. It needs the extra `metrics`, and is imported only where metrics are asked for.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

from ronda_referee.addresses import Address
from ronda_referee.errors import SettingsError
from ronda_referee.observing import Observer

_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_MATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


class Metrics(Observer):
    """Counts what a referee does, in a registry of its own."""

    def __init__(self) -> None:
        """Start at nothing."""
        self.registry = CollectorRegistry()
        self._moves = Counter(
            "ronda_moves_accepted", "Moves accepted and on disk.", registry=self.registry
        )
        self._move_seconds = Histogram(
            "ronda_move_seconds",
            "Seconds from when a move came in until it was on disk.",
            buckets=_SECONDS,
            registry=self.registry,
        )
        self._refusals = Counter(
            "ronda_refusals", "Requests refused, by reason.", ["reason"], registry=self.registry
        )
        self._commit_matches = Histogram(
            "ronda_commit_matches",
            "Matches whose rows one commit wrote.",
            buckets=_MATCHES,
            registry=self.registry,
        )
        self._commit_seconds = Histogram(
            "ronda_commit_seconds",
            "Seconds that one commit took.",
            buckets=_SECONDS,
            registry=self.registry,
        )
        self._commits_failed = Counter(
            "ronda_commits_failed", "Commits that were not made.", registry=self.registry
        )
        self._restored = Gauge(
            "ronda_matches_restored",
            "Open matches brought back at the start.",
            registry=self.registry,
        )
        self._frozen = Counter(
            "ronda_matches_frozen",
            "Matches that a fault has stopped since the start.",
            registry=self.registry,
        )

    def gauge(self, name: str, what: str, value: Callable[[], float]) -> None:
        """Add a gauge whose value is asked for whenever the metrics are read."""
        Gauge(name, what, registry=self.registry).set_function(value)

    def now(self) -> float:
        """Give the time of a clock that never goes back, in seconds."""
        return time.perf_counter()

    def move_accepted(self, came_in: float) -> None:
        """Count a move."""
        self._moves.inc()
        self._move_seconds.observe(self.now() - came_in)

    def refused(self, reason: str) -> None:
        """Count a refusal."""
        self._refusals.labels(reason).inc()

    def committed(self, matches: int, began: float) -> None:
        """Count a commit."""
        self._commit_matches.observe(matches)
        self._commit_seconds.observe(self.now() - began)

    def commit_failed(self) -> None:
        """Count a commit that failed."""
        self._commits_failed.inc()

    def matches_restored(self, matches: int) -> None:
        """Keep how many matches came back."""
        self._restored.set(matches)

    def match_frozen(self) -> None:
        """Count a frozen match."""
        self._frozen.inc()


@contextmanager
def served(metrics: Metrics, address: Address) -> Iterator[Address]:
    """Serve metrics over HTTP, in the clear, for as long as the context is held; gives where.

    Raises:
        SettingsError: the address is not of this machine alone, or it cannot listen there.
    """
    if not address.loopback:
        raise SettingsError(
            f"metrics_listen: {address} is beyond loopback, and metrics are served in the clear; "
            "listen on 127.0.0.1, [::1] or localhost, and let an agent or a tunnel carry them on"
        )
    host = address.host.removeprefix("[").removesuffix("]")
    try:
        server, thread = start_http_server(address.port, host, metrics.registry)
    except OSError as error:
        raise SettingsError(
            f"metrics_listen: {address} cannot be listened on: {error.strerror}; choose another "
            "port, or 0 for a free one"
        ) from error
    try:
        yield Address(address.host, server.server_port)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
