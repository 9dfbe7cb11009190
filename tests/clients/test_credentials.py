"""An organiser's token goes where it is needed and nowhere else; files for TLS are looked at."""

from pathlib import Path

import grpc
import pytest

from ronda_cli import options
from ronda_cli.failures import CommandError
from ronda_cli.main import main
from ronda_client import Backoff, CredentialsError, RefereeClient, RefereeError, tls_credentials
from tests.clients.fake_referee import Fail, FakeReferee, serving
from tests.clients.scripted_log import Book, card, play
from tests.referee.certificates import Authority

QUICK = Backoff(first=0.001, cap=0.01, patience=20)
BUSY = Fail(grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_CALLS", metadata={"retry_after_ms": "1"})


async def test_the_token_goes_with_organisers_calls_alone() -> None:
    """It opens every match; whoever joins a seat or lists rule sets has no need of it."""
    fake = FakeReferee()
    async with (
        serving(fake) as target,
        RefereeClient.connect(target, organiser_token="of-the-cup") as client,
    ):
        await client.create_match("maghribi", 2)
        await client.cancel_match("m1")
        assert await client.backup_store() == "copy.sqlite"
        await client.list_rule_sets()
        await client.join("m1", "token 0")
    assert fake.cancelled == ["m1"]
    assert fake.authorizations == [
        ("CreateMatch", ["Bearer of-the-cup"]),
        ("CancelMatch", ["Bearer of-the-cup"]),
        ("BackupStore", ["Bearer of-the-cup"]),
        ("ListRuleSets", []),
        ("JoinMatch", []),
    ]


async def test_without_a_token_none_is_sent() -> None:
    """Not even an empty one."""
    fake = FakeReferee()
    async with serving(fake) as target, RefereeClient.connect(target) as client:
        await client.create_match("maghribi", 2)
    assert fake.authorizations == [("CreateMatch", [])]


def test_the_token_does_not_leave_this_machine_in_the_clear() -> None:
    """Beyond loopback it takes credentials; on loopback and with them it is fine."""
    with pytest.raises(ValueError, match="over TLS only"):
        RefereeClient("referee.example:7632", organiser_token="of-the-cup")
    RefereeClient("[::1]:7632", organiser_token="of-the-cup")
    RefereeClient(
        "referee.example:7632", organiser_token="of-the-cup", credentials=tls_credentials()
    )


async def test_calls_that_came_too_soon_are_made_again() -> None:
    """They have done nothing, and the referee says when to come again: no error, one move."""
    fake = FakeReferee()
    fake.joins.extend([BUSY, BUSY, 1])
    fake.submits.extend([BUSY, 7])
    async with serving(fake) as target, RefereeClient.connect(target, backoff=QUICK) as client:
        assert await client.join("m1", "token 1") == 1
        assert await client.submit_move("m1", "token 1", 3, play(7)) == 7
    assert len(fake.joined) == 3
    assert fake.submitted[0] == fake.submitted[1]


async def test_a_watcher_that_came_too_soon_comes_again() -> None:
    """The stream is opened anew where it was refused."""
    fake = FakeReferee()
    book = Book()
    fake.watches.append([BUSY])
    fake.watches.append([book.header(), book.hand(0, [card(7)]), book.ended()])
    async with serving(fake) as target, RefereeClient.connect(target, backoff=QUICK) as client:
        seen = [record async for record in client.watch("m1")]
    assert len(seen) == 2
    assert len(fake.watched) == 2


async def test_too_many_streams_is_an_error_at_once() -> None:
    """Nobody says when there will be room; whoever has the other streams must know."""
    fake = FakeReferee()
    fake.watches.append([Fail(grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_STREAMS")])
    async with serving(fake) as target, RefereeClient.connect(target, backoff=QUICK) as client:
        with pytest.raises(RefereeError, match="TOO_MANY_STREAMS"):
            await anext(client.watch("m1"))


def test_files_for_tls_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    """A missing one, one that holds something else, and a certificate without its key."""
    pair = Authority(tmp_path).pair("bot")
    with pytest.raises(CredentialsError, match=r"none\.pem cannot be read: No such file"):
        tls_credentials(tmp_path / "none.pem")
    with pytest.raises(CredentialsError, match=r"bot\.key holds no certificate in PEM"):
        tls_credentials(pair.key)
    with pytest.raises(CredentialsError, match=r"bot\.pem holds no private key in PEM"):
        tls_credentials(certificate=pair.certificate, key=pair.certificate)
    with pytest.raises(CredentialsError, match="a client's certificate needs its key too"):
        tls_credentials(certificate=pair.certificate)
    with pytest.raises(CredentialsError, match="a client's key needs its certificate too"):
        tls_credentials(key=pair.key)


def test_a_commands_files_are_named_by_their_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 2 and one line, also where the environment names the file."""
    target = ("--target", "127.0.0.1:1", "--patience", "0")
    missing = str(tmp_path / "none")
    assert main(["server", "info", *target, "--tls-ca", missing]) == 2
    assert capsys.readouterr().err == (
        f"ronda: TLS: {missing} cannot be read: No such file or directory\n"
    )
    assert main(["match", *target, "--organiser-token-file", missing]) == 2
    assert capsys.readouterr().err == (
        f"ronda: --organiser-token-file {missing}: No such file or directory\n"
    )
    monkeypatch.setenv("RONDA_TLS_CA", missing)
    assert main(["match", *target]) == 2
    assert "TLS: " in capsys.readouterr().err
    assert main(["bot", *target, "--match", "m", "--token-file", __file__]) == 2
    assert "TLS: " in capsys.readouterr().err


def test_a_token_is_the_first_line_that_says_something(tmp_path: Path) -> None:
    """So that the file of tokens that a referee reads is one that a command reads too."""
    file = tmp_path / "tokens"
    file.write_text("# of the cup\n\n  the-first \nthe-second\n")
    assert options.first_token(file, "--organiser-token-file") == "the-first"
    file.write_text("# nothing else\n")
    with pytest.raises(CommandError, match="it is empty"):
        options.first_token(file, "--organiser-token-file")
