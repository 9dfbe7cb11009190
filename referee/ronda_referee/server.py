"""The gRPC server: from a data folder and an address to a referee that answers.

It is shut down in order: health says NOT_SERVING, nothing new is taken, moves under way come to
their end, watchers are told where to go on, then the streams and the store are closed.
"""

import ipaddress
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
import structlog
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from ronda.conformance.v1 import testee_service_pb2, testee_service_pb2_grpc
from ronda.v1 import listed_rule_set_pb2, referee_service_pb2, referee_service_pb2_grpc
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
from ronda_referee.referee import Referee
from ronda_referee.rule_sets import RuleSets
from ronda_referee.service import HEARTBEAT_SECONDS, RefereeService
from ronda_referee.signing_key import load_or_create
from ronda_referee.store import SqliteStore
from ronda_referee.surroundings import Surroundings
from ronda_referee.testee import TesteeService
from ronda_referee.undecodable import UndecodableRequests

DEFAULT_LISTEN = "127.0.0.1:7632"
_LARGEST_REQUEST = 64 * 1024
_HIGHEST_PORT = 65_535

_SERVICE = referee_service_pb2.DESCRIPTOR.services_by_name["RefereeService"].full_name
_TESTEE = testee_service_pb2.DESCRIPTOR.services_by_name["TesteeService"].full_name

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Settings:
    """How a referee is run.

    Attributes:
        data: the folder that holds its store and its key; made where it is missing.
        listen: where it listens, HOST:PORT; port 0 takes a free one.
        allow_fixed_draws: whether organisers may bring draws of their own, for tests.
        heartbeat_seconds: after how long without news watchers get a sign of life.
        drain_seconds: how long streams may take to end when it shuts down.
    """

    data: Path
    listen: str = DEFAULT_LISTEN
    allow_fixed_draws: bool = False
    heartbeat_seconds: float = HEARTBEAT_SECONDS
    drain_seconds: float = 5.0


@dataclass(frozen=True, slots=True)
class Serving:
    """A referee that answers.

    Attributes:
        address: where it listens, HOST:PORT.
        referee: the referee itself.
        public_key: the Ed25519 key, 32 bytes, under which it signs its logs.
        restored: how many open matches it brought back.
    """

    address: str
    referee: Referee
    public_key: bytes
    restored: int


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
    host, port = _loopback_address(settings.listen)
    with held(settings.data), SqliteStore(settings.data / STORE_FILE) as store:
        key = load_or_create(settings.data / KEY_FILE)
        surroundings = surroundings or Surroundings()
        referee = Referee(
            store,
            key,
            surroundings,
            allow_fixed_draws=settings.allow_fixed_draws,
        )
        restored = referee.restore()
        server = grpc.aio.server(interceptors=[UndecodableRequests()], options=_OPTIONS)
        referee_service_pb2_grpc.add_RefereeServiceServicer_to_server(
            RefereeService(
                referee,
                RuleSets(rule_sets),
                settings.heartbeat_seconds,
                Backups(store, settings.data / BACKUPS_FOLDER, surroundings.now_ms),
            ),
            server,
        )
        testee_service_pb2_grpc.add_TesteeServiceServicer_to_server(TesteeService(), server)
        health_servicer = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(health_servicer, server)
        names = (_SERVICE, _TESTEE, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, server)
        address = _listen(server, host, port)
        listening = settings.data / LISTENING_FILE
        try:
            write_durably(listening, [f"{address}\n".encode()])
        except OSError as error:
            raise SettingsError(f"{listening} cannot be written: {error.strerror}") from error
        await server.start()
        for name in ("", _SERVICE, _TESTEE):
            await health_servicer.set(name, health_pb2.HealthCheckResponse.SERVING)
        _log.info("serving", address=address, restored=restored)
        try:
            yield Serving(address, referee, key.public_key, restored)
        finally:
            _log.info("draining")
            await health_servicer.enter_graceful_shutdown()
            await referee.drain()
            await server.stop(settings.drain_seconds)
            listening.unlink(missing_ok=True)
            _log.info("stopped")


_OPTIONS = (
    # Two referees on one port would share its calls silently.
    ("grpc.so_reuseport", 0),
    ("grpc.max_receive_message_length", _LARGEST_REQUEST),
    ("grpc.max_metadata_size", 8 * 1024),
    ("grpc.max_concurrent_streams", 1024),
    # Clients may ask for a sign of life every ten seconds, with or without calls under way.
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
)


def _loopback_address(listen: str) -> tuple[str, int]:
    host, colon, port = listen.rpartition(":")
    bare = host.removeprefix("[").removesuffix("]")
    if not colon or not port.isdecimal() or int(port) > _HIGHEST_PORT:
        raise SettingsError(f"{listen!r} is not HOST:PORT, as {DEFAULT_LISTEN}")
    try:
        loopback = bare == "localhost" or ipaddress.ip_address(bare).is_loopback
    except ValueError:
        loopback = False
    if not loopback:
        raise SettingsError(
            f"{listen!r} is not a loopback address; this referee does not listen beyond its own "
            "machine in the clear: use 127.0.0.1, [::1] or localhost"
        )
    return host, int(port)


def _listen(server: grpc.aio.Server, host: str, port: int) -> str:
    try:
        bound = server.add_insecure_port(f"{host}:{port}")
    except RuntimeError as error:
        raise SettingsError(
            f"{host}:{port} cannot be listened on, probably because another program does; "
            "choose another port, or 0 for a free one"
        ) from error
    return f"{host}:{bound}"
