"""The gRPC server: from a data folder and an address to a referee that answers.

It is shut down in order: health says NOT_SERVING, nothing new is taken, moves under way come to
their end, watchers are told where to go on, then the streams and the store are closed.
"""

import asyncio
import contextvars
from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import grpc
import structlog
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2_grpc

from ronda.conformance.v1 import testee_service_pb2, testee_service_pb2_grpc
from ronda.v1 import listed_rule_set_pb2, referee_service_pb2, referee_service_pb2_grpc
from ronda_referee import observing
from ronda_referee.addresses import Address, parse_address
from ronda_referee.backups import Backups
from ronda_referee.data_folder import (
    BACKUPS_FOLDER,
    KEY_FILE,
    LISTENING_FILE,
    STORE_FILE,
    held,
)
from ronda_referee.durable_file import write_durably
from ronda_referee.errors import SettingsError
from ronda_referee.guarded_server import GuardedServer
from ronda_referee.optional_metrics import serving_metrics
from ronda_referee.organiser_calls import OrganiserCalls
from ronda_referee.organisers import Organisers, make_own_token
from ronda_referee.peer_limits import PeerLimits
from ronda_referee.referee import Referee
from ronda_referee.rule_sets import RuleSets
from ronda_referee.server_info import server_info
from ronda_referee.service import RefereeService
from ronda_referee.settings import DEFAULT_LISTEN, METADATA_BYTES, REQUEST_BYTES, Settings
from ronda_referee.signing_key import load_or_create
from ronda_referee.slow_watchers import SlowWatchers
from ronda_referee.store import SqliteStore
from ronda_referee.surroundings import Surroundings
from ronda_referee.testee import TesteeService
from ronda_referee.undecodable import UndecodableRequests
from ronda_referee.watcher_limits import WatcherLimits

__all__ = ["DEFAULT_LISTEN", "Serving", "Settings", "serving"]


_SERVICE = referee_service_pb2.DESCRIPTOR.services_by_name["RefereeService"].full_name
_TESTEE = testee_service_pb2.DESCRIPTOR.services_by_name["TesteeService"].full_name

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Serving:
    """A referee that answers.

    Attributes:
        address: where it listens, HOST:PORT.
        referee: the referee itself.
        public_key: the Ed25519 key, 32 bytes, under which it signs its logs.
        restored: how many open matches it brought back.
        organiser_token_file: the file with the token of its own user as an organiser.
        metrics_address: where it serves metrics, HOST:PORT; None: nowhere.
    """

    address: str
    referee: Referee
    public_key: bytes
    restored: int
    organiser_token_file: Path
    metrics_address: str | None = None


@asynccontextmanager
async def serving(
    settings: Settings,
    rule_sets: Mapping[str, listed_rule_set_pb2.ListedRuleSet],
    surroundings: Surroundings | None = None,
) -> AsyncIterator[Serving]:
    """Run a referee for as long as the context is held, then shut it down in order.

    Raises:
        SettingsError: it cannot listen there, or the folder is in use or cannot be used.
        StoreError: the store cannot be opened.
        SigningKeyError: the key cannot be used.
        RuleSetError: one of the rule sets cannot be played.
    """
    address, credentials = _listener(settings)
    with ExitStack() as held_open:
        held_open.enter_context(held(settings.data))
        store = held_open.enter_context(SqliteStore(settings.data / STORE_FILE))
        surroundings = surroundings or Surroundings()
        key = load_or_create(settings.data / KEY_FILE)
        own_token = make_own_token(settings.data, surroundings.entropy)
        organisers = Organisers(
            [own_token, *([settings.organiser_tokens] if settings.organiser_tokens else [])]
        )
        referee = Referee(
            store,
            key,
            surroundings,
            allow_fixed_draws=settings.allow_fixed_draws,
            allow_shared_shuffles=settings.allow_shared_shuffles,
            default_terms=settings.default_terms,
            sleep_after_seconds=settings.sleep_after_seconds,
            most_open=settings.limits.open_matches,
        )
        peers = PeerLimits(settings.limits.calls_per_second, settings.limits.streams_per_peer)
        observer, metrics_address = held_open.enter_context(
            serving_metrics(settings.metrics_listen, referee, peers)
        )
        # Whatever is begun in this context, every call and every commit of it, has this observer.
        context = contextvars.copy_context()
        context.run(observing.current.set, observer)
        restored = context.run(referee.restore)
        server = grpc.aio.server(
            options=(*_OPTIONS, *_signs_of_life(settings.slow_watcher_seconds))
        )
        organiser_calls = OrganiserCalls(
            organisers, create_needs_token=settings.create_needs_token or not address.loopback
        )
        guarded = GuardedServer(server, (peers, organiser_calls), UndecodableRequests())
        service = RefereeService(
            referee,
            RuleSets(rule_sets),
            server_info(settings, key.public_key),
            WatcherLimits(settings.limits.watchers_per_match),
            settings.heartbeat_seconds,
            Backups(store, settings.data / BACKUPS_FOLDER, surroundings.now_ms),
            settings.limits.moves_in_flight,
            SlowWatchers(settings.slow_watcher_seconds),
        )
        health_servicer = _add_services(guarded, service)
        address = _listen(server, address, credentials)
        listening = settings.data / LISTENING_FILE
        try:
            write_durably(listening, [f"{address}\n".encode()])
        except OSError as error:
            raise SettingsError(f"{listening} cannot be written: {error.strerror}") from error
        referee.go_on()
        await asyncio.create_task(server.start(), context=context)
        for name in ("", _SERVICE, _TESTEE):
            await health_servicer.set(name, health_pb2.HealthCheckResponse.SERVING)
        _log.info("serving", address=str(address), restored=restored)
        try:
            yield Serving(
                str(address), referee, key.public_key, restored, own_token, metrics_address
            )
        finally:
            _log.info("draining")
            await health_servicer.enter_graceful_shutdown()
            await referee.drain()
            await server.stop(settings.drain_seconds)
            listening.unlink(missing_ok=True)
            _log.info("stopped")


def _add_services(guarded: GuardedServer, service: RefereeService) -> health.aio.HealthServicer:
    """Add everything that the server answers; give what says whether it is well."""
    # The generated code asks a server for nothing but to take handlers.
    server = cast("grpc.aio.Server", guarded)
    referee_service_pb2_grpc.add_RefereeServiceServicer_to_server(service, server)
    testee_service_pb2_grpc.add_TesteeServiceServicer_to_server(TesteeService(), server)
    health_servicer = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(health_servicer, server)
    names = (_SERVICE, _TESTEE, health.SERVICE_NAME, reflection.SERVICE_NAME)
    # The package's own function takes whatever is no server of gRPC's for one with threads.
    reflection_pb2_grpc.add_ServerReflectionServicer_to_server(  # type: ignore[no-untyped-call]  # generated
        reflection.aio.ReflectionServicer(names), server
    )
    return health_servicer


_OPTIONS = (
    # Two referees on one port would share its calls silently.
    ("grpc.so_reuseport", 0),
    ("grpc.max_receive_message_length", REQUEST_BYTES),
    # Without the second, gRPC refuses what is over the first by chance, the more the larger it is.
    ("grpc.max_metadata_size", METADATA_BYTES),
    ("grpc.absolute_max_metadata_size", METADATA_BYTES),
    ("grpc.max_concurrent_streams", 1024),
    # Clients may ask for a sign of life every ten seconds, with or without calls under way.
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
)


def _signs_of_life(seconds: float) -> tuple[tuple[str, int], ...]:
    """Have a connection closed whose peer does not even answer pings: it is gone or stands still.

    Otherwise its streams would be there for hours.
    """
    milliseconds = int(seconds * 1000)
    return (
        ("grpc.keepalive_time_ms", milliseconds),
        ("grpc.keepalive_timeout_ms", milliseconds),
        ("grpc.http2.ping_timeout_ms", milliseconds),
        ("grpc.http2.max_pings_without_data", 0),
    )


def _listener(settings: Settings) -> tuple[Address, grpc.ServerCredentials | None]:
    """Give where to listen, and what for TLS; None: in the clear, on loopback alone."""
    try:
        address = parse_address(settings.listen)
    except ValueError as error:
        raise SettingsError(f"listen: {error}") from error
    if settings.tls is not None:
        # What reads certificates takes a while to import, and most referees need none.
        from ronda_referee.tls import server_credentials  # noqa: PLC0415

        return address, server_credentials(settings.tls)
    if not address.loopback:
        raise SettingsError(
            f"listen: {settings.listen!r} is not a loopback address, and beyond its own machine a "
            "referee speaks TLS alone: name a certificate and its key with tls.certificate and "
            "tls.key (--tls-certificate, --tls-key), or listen on 127.0.0.1, [::1] or localhost"
        )
    return address, None


def _listen(
    server: grpc.aio.Server, address: Address, credentials: grpc.ServerCredentials | None
) -> Address:
    try:
        if credentials is None:
            port = server.add_insecure_port(str(address))
        else:
            port = server.add_secure_port(str(address), credentials)
    except RuntimeError as error:
        raise SettingsError(
            f"{address} cannot be listened on, probably because another program does; "
            "choose another port, or 0 for a free one"
        ) from error
    return Address(address.host, port)
