"""What the referee is: the answer of GetServerInfo, which does not change while it runs."""

from ronda.v1 import referee_service_pb2 as pb
from ronda_referee.referee import ENGINE_VERSION
from ronda_referee.settings import REQUEST_BYTES, Settings

SCHEMA_VERSION = "ronda.v1"


def server_info(settings: Settings, public_key: bytes) -> pb.GetServerInfoResponse:
    """Give what a referee with these settings and this key says of itself."""
    limits = settings.limits
    return pb.GetServerInfoResponse(
        version=ENGINE_VERSION,
        schema_version=SCHEMA_VERSION,
        public_key=public_key,
        limits=pb.Limits(
            request_bytes=REQUEST_BYTES,
            open_matches=limits.open_matches,
            watchers_per_match=limits.watchers_per_match,
            streams_per_peer=limits.streams_per_peer,
            calls_per_second=limits.calls_per_second,
            moves_in_flight=limits.moves_in_flight,
            slow_watcher_ms=round(1000 * settings.slow_watcher_seconds),
        ),
        default_terms=settings.default_terms,
        fixed_draws_allowed=settings.allow_fixed_draws,
        shared_shuffles_allowed=settings.allow_shared_shuffles,
    )
