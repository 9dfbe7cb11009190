"""Metrics where they are asked for: the only place that knows of the extra `metrics`."""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager

from ronda_referee.addresses import parse_address
from ronda_referee.errors import SettingsError
from ronda_referee.observing import Observer
from ronda_referee.peer_limits import PeerLimits
from ronda_referee.referee import Referee


@contextmanager
def serving_metrics(
    listen: str | None, referee: Referee, peers: PeerLimits
) -> Iterator[tuple[Observer, str | None]]:
    """Give who counts what the referee does, and where that can be read, HOST:PORT.

    Where nothing is to be served nobody counts, and there is no address.

    Raises:
        SettingsError: the extra `metrics` is not installed, or it cannot listen there.
    """
    if listen is None:
        yield Observer(), None
        return
    if importlib.util.find_spec("prometheus_client") is None:
        raise SettingsError(
            "metrics_listen needs the extra \"metrics\": pip install 'ronda-referee[metrics]'"
        )
    from ronda_referee import metrics  # noqa: PLC0415 - the extra may not be installed

    try:
        address = parse_address(listen)
    except ValueError as error:
        raise SettingsError(f"metrics_listen: {error}") from error
    counted = metrics.Metrics()
    counted.gauge(
        "ronda_matches_open", "Matches that have not ended.", lambda: referee.open_matches
    )
    counted.gauge(
        "ronda_watchers", "Streams that watch a match.", lambda: peers.streams["WatchMatch"]
    )
    counted.gauge("ronda_play_streams", "Play streams.", lambda: peers.streams["Play"])
    with metrics.served(counted, address) as bound:
        yield counted, str(bound)
