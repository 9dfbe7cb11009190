"""Who gets in: TLS beyond loopback, and organisers' tokens."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import grpc
import pytest

from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.referee_service_pb2_grpc import RefereeServiceStub
from ronda_conformance.rule_set_files import load_listed_rule_sets
from ronda_referee.errors import SettingsError
from ronda_referee.organisers import Organisers, TokenFileError, read_token_hashes
from ronda_referee.server import Serving, Settings, serving
from ronda_referee.settings import Tls
from tests.referee.certificates import Authority, Pair
from tests.referee.referee_process import RefereeProcess
from tests.referee.running import refused, running

TOKEN = "an-organiser.of+tests/with~43_characters=="
OTHER = "another-organiser-with-a-token-of-its-own-0"

CREATE = pb.CreateMatchRequest(rule_set_id="sarii", seats=2)


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """Give the metadata that carries a token."""
    return (("authorization", f"Bearer {token}"),)


def token_file(path: Path, *tokens: str) -> Path:
    """Write tokens, one a line, for their owner alone."""
    path.write_text("".join(f"{token}\n" for token in tokens))
    path.chmod(0o600)
    return path


@asynccontextmanager
async def beyond_loopback(
    folder: Path, tls: Tls, *, tokens: Path | None = None
) -> AsyncIterator[Serving]:
    """Run a referee that listens on every address of this machine."""
    settings = Settings(
        folder / "data", "0.0.0.0:0", tls=tls, organiser_tokens=tokens, drain_seconds=0.5
    )
    async with serving(settings, load_listed_rule_sets()) as served:
        yield served


def near(served: Serving) -> str:
    """Give the loopback address of a referee that listens on all."""
    return f"127.0.0.1:{served.address.rpartition(':')[2]}"


def channel(served: Serving, root: Path, client: Pair | None = None) -> grpc.aio.Channel:
    """Open a TLS connection that trusts one root."""
    return grpc.aio.secure_channel(
        near(served),
        grpc.ssl_channel_credentials(
            root.read_bytes(),
            None if client is None else client.key.read_bytes(),
            None if client is None else client.certificate.read_bytes(),
        ),
    )


async def unreachable(connection: grpc.aio.Channel) -> str:
    """Make a call that gets no connection; give what gRPC says."""
    stub = RefereeServiceStub(connection)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await stub.GetServerInfo(pb.GetServerInfoRequest(), timeout=20)
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
    return caught.value.details() or ""


async def test_beyond_loopback_without_tls_it_does_not_start(tmp_path: Path) -> None:
    """The refusal says what to do, by the names of settings and flags."""
    with pytest.raises(SettingsError) as caught:
        async with serving(Settings(tmp_path, "0.0.0.0:7632"), {}):
            pytest.fail("it serves")
    said = str(caught.value)
    for word in ("0.0.0.0:7632", "tls.certificate", "--tls-key", "127.0.0.1", "[::1]"):
        assert word in said


async def test_beyond_loopback_it_speaks_tls_alone(tmp_path: Path) -> None:
    """A client with the root gets an answer; one in the clear and one with another root do not."""
    authority = Authority(tmp_path)
    pair = authority.pair("server")
    async with beyond_loopback(tmp_path, Tls(pair.certificate, pair.key)) as served:
        async with channel(served, authority.root) as trusted:
            info = await RefereeServiceStub(trusted).GetServerInfo(pb.GetServerInfoRequest())
            assert info.public_key == served.public_key
        async with grpc.aio.insecure_channel(near(served)) as clear:
            await unreachable(clear)
        stranger = Authority(tmp_path, "stranger")
        async with channel(served, stranger.root) as mistrusting:
            assert "CERTIFICATE_VERIFY_FAILED" in await unreachable(mistrusting)


async def test_with_a_client_ca_clients_need_a_certificate(tmp_path: Path) -> None:
    """One of that authority opens the door; none, and one of another authority, do not."""
    authority = Authority(tmp_path)
    clients = Authority(tmp_path, "clients")
    pair = authority.pair("server")
    tls = Tls(pair.certificate, pair.key, clients.root)
    async with beyond_loopback(tmp_path, tls) as served:
        async with channel(served, authority.root, clients.pair("bot")) as known:
            await RefereeServiceStub(known).GetServerInfo(pb.GetServerInfoRequest())
        async with channel(served, authority.root) as nameless:
            await unreachable(nameless)
        async with channel(served, authority.root, authority.pair("impostor")) as impostor:
            await unreachable(impostor)


def _damage_nothing(_: Pair) -> None:
    pass


@pytest.mark.parametrize(
    ("damage", "days", "says"),
    [
        (lambda pair: pair.certificate.unlink(), 30, "server.pem cannot be read: No such file"),
        (lambda pair: pair.certificate.write_text("x"), 30, "holds no certificate in PEM"),
        (lambda pair: pair.key.unlink(), 30, "server.key cannot be read: No such file"),
        (lambda pair: pair.key.write_text("x"), 30, "is no private key in PEM"),
        (lambda pair: pair.key.chmod(0o644), 30, r"others can read .*\(mode 0644\); chmod 600"),
        (_damage_nothing, -1, "valid from .* to .*, not today"),
    ],
)
async def test_files_that_cannot_be_used_are_a_clear_message(
    tmp_path: Path, damage: Callable[[Pair], object], days: int, says: str
) -> None:
    """It is said before anything listens, with the setting and the file."""
    pair = Authority(tmp_path).pair("server", days=days)
    damage(pair)
    with pytest.raises(SettingsError, match=says):
        async with beyond_loopback(tmp_path, Tls(pair.certificate, pair.key)):
            pytest.fail("it serves")


async def test_a_key_of_another_certificate_is_refused(tmp_path: Path) -> None:
    """The server would start, and every handshake would fail."""
    authority = Authority(tmp_path)
    tls = Tls(authority.pair("one").certificate, authority.pair("two").key)
    with pytest.raises(SettingsError, match=r"two\.key is not the key of .*one\.pem"):
        async with beyond_loopback(tmp_path, tls):
            pytest.fail("it serves")


async def test_beyond_loopback_only_organisers_create_matches(tmp_path: Path) -> None:
    """Without a token or with a wrong one it is ORGANISER_ONLY; all else stays open to everyone."""
    authority = Authority(tmp_path)
    pair = authority.pair("server")
    tokens = token_file(tmp_path / "tokens", "# of the summer cup", "", TOKEN, OTHER)
    async with (
        beyond_loopback(tmp_path, Tls(pair.certificate, pair.key), tokens=tokens) as served,
        channel(served, authority.root) as connection,
    ):
        stub = RefereeServiceStub(connection)
        own = (tmp_path / "data" / "organiser-token").read_text().strip()
        for metadata in (
            (),
            bearer(""),
            bearer(TOKEN[:-1]),
            bearer(f"{TOKEN}x"),
            bearer("# of the summer cup"),
            (("authorization", TOKEN),),
            (("authorization", f"Basic {TOKEN}"),),
        ):
            answer = await refused(partial(stub.CreateMatch, CREATE, metadata=metadata))
            assert (answer.status, answer.reason) == ("PERMISSION_DENIED", "ORGANISER_ONLY")
            assert TOKEN not in answer.detail
        for token in (OTHER, own):
            await stub.CreateMatch(CREATE, metadata=bearer(token))
        created = await stub.CreateMatch(CREATE, metadata=bearer(TOKEN))
        await stub.CreateMatch(CREATE, metadata=(("authorization", f"bearer {TOKEN}"),))
        await stub.JoinMatch(
            pb.JoinMatchRequest(match_id=created.match_id, seat_token=created.seat_tokens[0])
        )
        assert (await stub.ListRuleSets(pb.ListRuleSetsRequest())).rule_sets


async def test_on_loopback_everyone_creates_matches_unless_told_otherwise(tmp_path: Path) -> None:
    """Behind a proxy on the same machine every peer is on loopback; a setting is for that."""
    async with running(tmp_path / "open") as run:
        await run.stub.CreateMatch(CREATE)
    async with running(tmp_path / "shut", create_needs_token=True) as run:
        answer = await refused(lambda: run.stub.CreateMatch(CREATE))
        assert answer.reason == "ORGANISER_ONLY"
        token = (tmp_path / "shut" / "organiser-token").read_text().strip()
        await run.stub.CreateMatch(CREATE, metadata=bearer(token))


async def test_cancelling_and_copying_are_for_organisers_everywhere(tmp_path: Path) -> None:
    """On loopback too: with a token the call gets past the door, without one it does not."""
    async with running(tmp_path) as run:
        token = (tmp_path / "organiser-token").read_text().strip()
        nobody = pb.CancelMatchRequest(match_id="0" * 20)
        cancel = partial(run.stub.CancelMatch, nobody)
        copy = partial(run.stub.BackupStore, pb.BackupStoreRequest())
        for sent in (None, bearer(OTHER)):
            for answer in (
                await refused(partial(cancel, metadata=sent)),
                await refused(partial(copy, metadata=sent)),
            ):
                assert (answer.status, answer.reason) == ("PERMISSION_DENIED", "ORGANISER_ONLY")
        for call in (cancel(metadata=bearer(token)), copy(metadata=bearer(token))):
            assert await call.code() is not grpc.StatusCode.PERMISSION_DENIED


async def test_the_owner_always_has_a_token(tmp_path: Path) -> None:
    """It is made at the first start, its owner's alone, and is the same at the next one."""
    tmp_path.chmod(0o755)
    async with running(tmp_path) as run:
        file = run.serving.organiser_token_file
        assert file == tmp_path / "organiser-token"
        first = file.read_text()
        assert re.fullmatch(r"[A-Za-z0-9_-]{43}\n", first)
        assert file.stat().st_mode & 0o777 == 0o600
    async with running(tmp_path):
        assert file.read_text() == first


async def test_tokens_rotate_without_a_restart(tmp_path: Path) -> None:
    """A new token opens at once and an old one no more, however the file is changed."""
    tokens = token_file(tmp_path / "tokens", TOKEN)
    async with running(tmp_path / "data", create_needs_token=True, organiser_tokens=tokens) as run:

        async def opens(token: str) -> bool:
            code = await run.stub.CreateMatch(CREATE, metadata=bearer(token)).code()
            return code is grpc.StatusCode.OK

        assert [await opens(TOKEN), await opens(OTHER)] == [True, False]
        token_file(tokens, TOKEN, OTHER)
        assert [await opens(TOKEN), await opens(OTHER)] == [True, True]
        token_file(tmp_path / "next", OTHER).replace(tokens)
        assert [await opens(TOKEN), await opens(OTHER)] == [False, True]
        tokens.chmod(0o644)
        assert [await opens(TOKEN), await opens(OTHER)] == [False, False]
        tokens.chmod(0o600)
        assert [await opens(TOKEN), await opens(OTHER)] == [False, True]
        tokens.unlink()
        assert [await opens(TOKEN), await opens(OTHER)] == [False, False]
        own = (tmp_path / "data" / "organiser-token").read_text().strip()
        assert await opens(own)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "holds no token"),
        ("# only a comment\n\n", "holds no token"),
        (f"{TOKEN}\nshort\n", "line 2 is no token: 32 to 256 letters"),
        (f"# two on a line\n{TOKEN} {OTHER}\n", "line 2 is no token"),
        ("ü" * 40, "line 1 is no token"),
        ("x" * 257, "line 1 is no token"),
        (f"{TOKEN}\n" * 30_000, "larger than 1048576 bytes"),
    ],
)
def test_a_file_of_tokens_that_is_none_is_refused(tmp_path: Path, text: str, says: str) -> None:
    """The message has the line's number, and nothing of what stands there."""
    path = tmp_path / "tokens"
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)
    with pytest.raises(TokenFileError, match=says) as caught:
        read_token_hashes(path)
    assert "short" not in str(caught.value)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644])
def test_a_file_of_tokens_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    """What others have read is no secret any more."""
    path = token_file(tmp_path / "tokens", TOKEN)
    path.chmod(mode)
    with pytest.raises(SettingsError, match=rf"\(mode {mode:04o}\); chmod 600 it"):
        Organisers([path])


async def test_no_token_is_ever_logged(tmp_path: Path) -> None:
    """Neither one that opens, nor a wrong one, nor one of a file that is read again."""
    tokens = token_file(tmp_path / "tokens", TOKEN)
    options = ("--create-needs-token", "--organiser-tokens", str(tokens))
    async with (
        RefereeProcess(tmp_path / "data", *options) as referee,
        grpc.aio.insecure_channel(referee.address) as connection,
    ):
        stub = RefereeServiceStub(connection)
        await stub.CreateMatch(CREATE, metadata=bearer(TOKEN))
        await refused(lambda: stub.CreateMatch(CREATE, metadata=bearer(OTHER)))
        token_file(tokens, OTHER)
        await stub.CreateMatch(CREATE, metadata=bearer(OTHER))
        token_file(tokens, OTHER, "short-one")
        await refused(lambda: stub.CreateMatch(CREATE, metadata=bearer(OTHER)))
        assert await referee.stop() == 0
    text = referee.log.read_text()
    assert "organisers' tokens read again" in text
    assert "organisers' tokens unusable" in text
    own = (tmp_path / "data" / "organiser-token").read_text().strip()
    for token in (TOKEN, OTHER, own, "short-one"):
        assert token not in text


async def test_beyond_loopback_from_the_command_line(tmp_path: Path) -> None:
    """`ronda serve` refuses in the clear, and with a certificate `ronda match` plays a match."""
    authority = Authority(tmp_path)
    pair = authority.pair("server")
    process = await asyncio.create_subprocess_exec(
        *(
            sys.executable,
            "-m",
            "ronda_cli",
            "serve",
            "--data",
            str(tmp_path / "data"),
            "--listen",
            "0.0.0.0:0",
        ),
        stderr=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate()
    assert (process.returncode, output) == (2, b"")
    assert errors.decode().startswith("ronda serve: listen: '0.0.0.0:0' is not a loopback address")
    options = ("--tls-certificate", str(pair.certificate), "--tls-key", str(pair.key))
    async with RefereeProcess(tmp_path / "data", *options, address="0.0.0.0:0") as referee:
        command = (
            *(
                sys.executable,
                "-m",
                "ronda_cli",
                "match",
                "--target",
                f"localhost:{referee.address.rpartition(':')[2]}",
            ),
            *("--rule-set", "sarii", "--patience", "20"),
        )
        process = await asyncio.create_subprocess_exec(
            *command,
            env={**os.environ, "RONDA_TLS_CA": str(authority.root)},
            stderr=asyncio.subprocess.PIPE,
        )
        _, errors = await process.communicate()
        assert process.returncode == 1
        assert b"ORGANISER_ONLY" in errors
        process = await asyncio.create_subprocess_exec(
            *(*command, "--tls-ca", str(authority.root)),
            *("--organiser-token-file", str(tmp_path / "data" / "organiser-token")),
            stdout=asyncio.subprocess.PIPE,
        )
        output, _ = await process.communicate()
        assert process.returncode == 0
        assert output.startswith(b"match ")


async def test_what_a_peer_may_not_read_is_closed_by_the_first_start(tmp_path: Path) -> None:
    """Everything in a new data folder is its owner's alone, whatever the process's mask."""
    before = os.umask(0)
    try:
        async with running(tmp_path / "data"):
            modes = {
                file.name: file.stat().st_mode & 0o077
                for file in (tmp_path / "data").iterdir()
                if file.name not in {"listening", "lock"}
            }
    finally:
        os.umask(before)
    assert modes.keys() >= {"matches.sqlite", "signing-key.pem", "organiser-token"}
    assert set(modes.values()) == {0}
