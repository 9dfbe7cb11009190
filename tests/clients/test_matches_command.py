"""`ronda matches` against a referee that runs."""

from pathlib import Path

import apsw
import pytest
from grpc.aio import ServicerContext

from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.log_pb2 import SharedShuffle
from ronda_client import RefereeClient, RefereeError, RefereeUnavailableError
from ronda_client.whole_file import write_new
from ronda_referee.audit import audit_file
from tests.clients.command import ronda
from tests.clients.fake_referee import FakeReferee
from tests.clients.fake_referee import serving as serving_fake
from tests.referee.organising import organiser_token
from tests.referee.running import Running, Table, running, steady_surroundings


class OrganisersReferee(FakeReferee):
    """Takes organisers' calls of those who have the token `t`."""

    def __init__(self) -> None:
        """Note what is cancelled."""
        super().__init__()
        self.cancelled: list[str] = []

    async def CancelMatch(
        self,
        request: pb.CancelMatchRequest,
        context: ServicerContext[pb.CancelMatchRequest, pb.CancelMatchResponse],
    ) -> pb.CancelMatchResponse:
        """Cancel a match."""
        assert ("authorization", "Bearer t") in tuple(context.invocation_metadata() or ())
        self.cancelled.append(request.match_id)
        return pb.CancelMatchResponse()


async def test_matches_are_listed_a_line_each_the_newest_first(tmp_path: Path) -> None:
    """Id, time, state, seats, rule set and names; with --json the same as objects."""
    async with running(tmp_path, surroundings=steady_surroundings()) as run:
        first = await run.table(2, joined=False)
        await first.join(1, "Amina")
        second = await run.table(3, "sarii")
        ran = await ronda("matches", "list", "--target", run.serving.address)
        assert (ran.code, ran.err) == (0, "")
        assert ran.out == (
            f"{second.match_id}  2023-11-14T22:13:20Z  PLAYING    3 seats  sarii             "
            "-, -, -\n"
            f"{first.match_id}  2023-11-14T22:13:20Z  JOINING    2 seats  maghribi          "
            "-, Amina\n"
        )
        ran = await ronda("matches", "list", "--json", "--target", run.serving.address)
        assert ran.json_lines == [
            {
                "match_id": second.match_id,
                "rule_set_id": "sarii",
                "seats": 3,
                "state": "PLAYING",
                "created_ms": 1_700_000_000_000,
                "names": ["", "", ""],
            },
            {
                "match_id": first.match_id,
                "rule_set_id": "maghribi",
                "seats": 2,
                "state": "JOINING",
                "created_ms": 1_700_000_000_000,
                "names": ["", "Amina"],
            },
        ]


async def test_lists_are_filtered_and_cut_short(tmp_path: Path) -> None:
    """By state and by rule set; a limit takes the newest; a frozen match is FROZEN."""
    async with running(tmp_path) as run:
        frozen = await run.table(2)
        ids = [(await run.table(2, "sarii")).match_id for _ in range(3)]
    db = apsw.Connection(str(tmp_path / "matches.sqlite"))
    db.execute("UPDATE match SET fault = 'fault' WHERE match_id = ?", (frozen.match_id,))
    db.close()
    async with running(tmp_path) as run:
        listing = ("matches", "list", "--json", "--target", run.serving.address)
        playing = (await ronda(*listing, "--state", "playing")).json_lines
        assert [match["match_id"] for match in playing] == ids[::-1]
        some = (await ronda(*listing, "--rule-set", "sarii", "--limit", "2")).json_lines
        assert [match["match_id"] for match in some] == [ids[2], ids[1]]
        stopped = (await ronda(*listing, "--state", "frozen")).json_lines
        assert [(match["match_id"], match["state"]) for match in stopped] == [
            (frozen.match_id, "FROZEN")
        ]
        ran = await ronda("matches", "show", frozen.match_id, "--target", run.serving.address)
        assert "state     FROZEN" in ran.out


async def test_paging_goes_on_by_itself(tmp_path: Path) -> None:
    """The client asks for page after page and gives each match once."""
    async with running(tmp_path) as run:
        ids = [(await run.table(2, joined=False)).match_id for _ in range(5)]
        async with RefereeClient.connect(run.serving.address) as client:
            listed = [match.match_id async for match in client.list_matches(page_size=2)]
    assert listed == ids[::-1]


async def test_a_match_is_shown_with_what_everyone_may_see(tmp_path: Path) -> None:
    """Before it has started that is where it stands alone."""
    async with running(tmp_path, surroundings=steady_surroundings()) as run:
        table = await run.table(2, joined=False)
        await table.join(0, "Amina")
        show = ("matches", "show", table.match_id, "--target", run.serving.address)
        ran = await ronda(*show)
        assert ran.out.splitlines() == [
            f"match     {table.match_id}",
            "state     JOINING",
            "rule set  maghribi",
            "created   2023-11-14T22:13:20Z",
            "seats     Amina, -",
        ]
        assert (await ronda(*show, "--json")).json["view"] is None
        await table.join(1, "Brahim")
        lines = (await ronda(*show)).out.splitlines()
        assert lines[1] == "state     PLAYING"
        assert lines[4:7] == [
            "seats     Amina, Brahim",
            "deal      1, batch 1, dealer 1",
            "scores    0 / 0",
        ]
        assert lines[8:] == ["hands     3 / 3 cards", "piles     0 / 0 cards", "to act    0"]
        shown = (await ronda(*show, "--json")).json
        assert (shown["state"], shown["view"]["hand_sizes"]) == ("PLAYING", [3, 3])


async def test_a_match_that_shares_its_shuffle_is_shown_with_it(tmp_path: Path) -> None:
    """Before it has started, in play and when it is over; another match has no such line."""
    async with running(tmp_path, allow_shared_shuffles=True) as run:
        shared = SharedShuffle(seed=b"s" * 32, shuffle_id="round 1, table 2")
        request = pb.CreateMatchRequest(rule_set_id="sarii", seats=2, shared_shuffle=shared)
        created = await run.stub.CreateMatch(request)
        table = Table(run.stub, created.match_id, list(created.seat_tokens))
        show = ("matches", "show", table.match_id, "--target", run.serving.address)
        assert (await ronda(*show)).out.splitlines()[
            -1
        ] == "cards     shared shuffle round 1, table 2"
        for seat in range(2):
            await table.join(seat)
        assert (await ronda(*show, "--json")).json["shared_shuffle_id"] == "round 1, table 2"
        await table.play_to_the_end()
        assert "\ncards     shared shuffle round 1, table 2\n" in (await ronda(*show)).out
        other = await run.table(2)
        show = ("matches", "show", other.match_id, "--target", run.serving.address)
        assert "shared shuffle" not in (await ronda(*show)).out
        assert (await ronda(*show, "--json")).json["shared_shuffle_id"] is None


async def test_a_match_that_there_is_not_is_said_so(tmp_path: Path) -> None:
    """No traceback, and the exit code of a failure."""
    async with running(tmp_path) as run:
        ran = await ronda("matches", "show", "abc", "--target", run.serving.address)
        assert (ran.code, ran.out) == (1, "")
        assert ran.err == f"ronda: {run.serving.address} has no match 'abc'\n"


@pytest.mark.parametrize("by_file", [True, False])
async def test_a_match_is_cancelled_with_an_organisers_token(tmp_path: Path, by_file: bool) -> None:
    """It comes from a file, as the referee's own, or from the environment."""
    fake = OrganisersReferee()
    file = tmp_path / "organiser-token"
    file.write_text("# the organisers' own\nt\n")
    async with serving_fake(fake) as address:
        cancel = ("matches", "cancel", "m1", "--target", address)
        if by_file:
            ran = await ronda(*cancel, "--organiser-token-file", file, "--json")
        else:
            ran = await ronda(*cancel, "--json", RONDA_ORGANISER_TOKEN="t")
        assert (ran.code, ran.json) == (0, {"match_id": "m1", "cancelled": True})
    assert fake.cancelled == ["m1"]


async def test_a_match_that_was_cancelled_is_listed_shown_and_exported_as_such(
    tmp_path: Path,
) -> None:
    """Its log is complete, and nobody has won."""
    data = tmp_path / "data"
    async with running(data) as run:
        table = await run.table(2, joined=False)
        await table.join(1, "Amina")
        target = ("--target", run.serving.address)
        token = organiser_token(data) or "none is needed"
        cancel = ("matches", "cancel", table.match_id, *target)
        ran = await ronda(*cancel, RONDA_ORGANISER_TOKEN=token)
        assert (ran.code, ran.out) == (0, f"match {table.match_id} is cancelled\n")
        listed = (await ronda("matches", "list", "--state", "cancelled", "--json", *target)).json
        assert (listed["match_id"], listed["names"]) == (table.match_id, ["", "Amina"])
        shown = await ronda("matches", "show", table.match_id, *target)
        assert "state     CANCELLED" in shown.out
        logs = tmp_path / "logs"
        ran = await ronda("matches", "export", "--all", "--out", logs, "--json", *target)
        assert (ran.code, ran.json["written"]) == (0, 1)
        assert audit_file(logs / f"{table.match_id}.rlog").ok


async def test_a_token_file_without_a_token_is_refused(tmp_path: Path) -> None:
    """Before anything is sent."""
    empty = tmp_path / "empty"
    empty.write_text("# nothing\n")
    for file, said in ((empty, "it is empty"), (tmp_path / "none", "No such file")):
        ran = await ronda(
            *("matches", "cancel", "m1", "--target", "127.0.0.1:1"),
            *("--organiser-token-file", file),
        )
        assert ran.code == 2
        assert said in ran.err


async def test_the_log_of_a_match_is_exported_and_nothing_is_overwritten(tmp_path: Path) -> None:
    """It audits; a second export to the same file leaves it as it is."""
    async with running(tmp_path / "data") as run:
        table = await run.table(2, "sarii")
        out = tmp_path / "match.rlog"
        export = ("matches", "export", "--target", run.serving.address, "--out", out)
        early = await ronda(*export, table.match_id)
        assert (early.code, "has not ended" in early.err, out.exists()) == (1, True, False)
        await table.play_to_the_end()
        ran = await ronda(*export, table.match_id, "--json")
        assert (ran.code, ran.json["bytes"]) == (0, out.stat().st_size)
        assert audit_file(out).ok
        out.write_text("mine")
        again = await ronda(*export, table.match_id)
        assert (again.code, out.read_text()) == (2, "mine")
        assert "the file exists, and stays as it is" in again.err


async def test_the_logs_of_all_matches_that_have_ended_are_exported(tmp_path: Path) -> None:
    """A folder is made for them; those that are there already stay; open matches are left out."""
    async with running(tmp_path / "data") as run:
        ended = [await run.table(2, "sarii") for _ in range(2)]
        for table in ended:
            await table.play_to_the_end()
        await run.table(2)
        logs = tmp_path / "logs"
        export = ("matches", "export", "--all", "--target", run.serving.address, "--out", logs)
        other = await ronda(*export, "--rule-set", "maghribi", "--json")
        assert other.json == {
            "folder": str(logs),
            "written": 0,
            "already_there": 0,
            "failed": [],
        }
        first = logs / f"{ended[0].match_id}.rlog"
        first.write_text("mine")
        ran = await ronda(*export)
        assert ran.code == 0
        assert ran.out == f"{logs}: 1 logs written, 1 were there already\n"
        assert first.read_text() == "mine"
        assert audit_file(logs / f"{ended[1].match_id}.rlog").ok
        assert len(list(logs.iterdir())) == 2


class HostileReferee(FakeReferee):
    """Has two matches, one with a name for its file that leads elsewhere."""

    async def ListMatches(
        self,
        request: pb.ListMatchesRequest,
        context: ServicerContext[pb.ListMatchesRequest, pb.ListMatchesResponse],
    ) -> pb.ListMatchesResponse:
        """List both as ended, and none as cancelled."""
        matches = [
            pb.MatchSummary(
                match_id=match_id, seats=2, state=pb.MATCH_STATE_ENDED, names=["A\x1b[2J\n", "B"]
            )
            for match_id in ("../m\x1b", "m2")
        ]
        cancelled = request.state == pb.MATCH_STATE_CANCELLED
        return pb.ListMatchesResponse(matches=[] if cancelled else matches)


async def test_a_match_id_leads_to_no_file_elsewhere(tmp_path: Path) -> None:
    """The match is named as failed, and the other is exported; nothing steers the terminal."""
    fake = HostileReferee()
    fake.logs.append([b"a log"])
    logs = tmp_path / "logs"
    async with serving_fake(fake) as target:
        ran = await ronda("matches", "export", "--all", "--out", logs, "--target", target)
        listed = await ronda("matches", "list", "--target", target)
    assert ran.code == 1
    assert ran.out == f"{logs}: 1 logs written, 0 were there already\n"
    assert ran.err.splitlines()[-1] == (
        r"match ../m\x1b: the match id '../m\x1b' is no file name; 1 to 100 letters, digits and "
        "-_. of ASCII are, not beginning with a dot"
    )
    assert [file.name for file in tmp_path.rglob("*.rlog")] == ["m2.rlog"]
    assert listed.out.splitlines() == [
        rf"{match_id}  1970-01-01T00:00:00Z  ENDED      2 seats                    A\x1b[2J\n, B"
        for match_id in (r"../m\x1b", "m2")
    ]


async def test_a_log_that_cannot_be_had_is_named_and_the_others_are_exported(
    tmp_path: Path,
) -> None:
    """The exit code says that something is missing."""
    async with running(tmp_path / "data") as run:
        broken, sound = [await run.table(2, "sarii") for _ in range(2)]
        for table in (broken, sound):
            await table.play_to_the_end()
    db = apsw.Connection(str(tmp_path / "data" / "matches.sqlite"))
    db.execute("DELETE FROM log_row WHERE match_id = ? AND sequence = 5", (broken.match_id,))
    db.close()
    async with running(tmp_path / "data") as run:
        logs = tmp_path / "logs"
        ran = await ronda(
            *("matches", "export", "--all", "--json"),
            *("--target", run.serving.address, "--out", logs),
        )
        assert ran.code == 1
        assert [failure["match_id"] for failure in ran.json["failed"]] == [broken.match_id]
        assert [file.name for file in logs.iterdir()] == [f"{sound.match_id}.rlog"]
        goes_on = await run.table(2)
        await Table(run.stub, goes_on.match_id, goes_on.tokens).play_lowest()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("list", "--state", "lost"), "invalid choice: 'lost'"),
        (("list", "--limit", "0"), "'0' is no number from 1 on"),
        (("export", "--out", "x"), "one of the arguments ID --all is required"),
        (("export", "m1", "--out", "/nowhere/x"), "there is no folder /nowhere"),
        (("export", "m1", "--rule-set", "sarii", "--out", "x"), "--rule-set goes with --all"),
        (("list", "--tls-ca", "/nowhere/ca.pem"), "/nowhere/ca.pem cannot be read: No such file"),
        ((), "the following arguments are required: ACTION"),
    ],
)
async def test_wrong_use_is_explained(arguments: tuple[str, ...], said: str) -> None:
    """The exit code is 2, and nobody is asked."""
    target = ("--target", "127.0.0.1:1") if arguments else ()
    ran = await ronda("matches", *arguments, *target)
    assert ran.code == 2
    assert said in ran.err
    assert "Traceback" not in ran.err


async def test_a_referee_that_cannot_be_reached_is_said_so() -> None:
    """After as much patience as is wanted."""
    ran = await ronda("matches", "list", "--target", "127.0.0.1:1", "--patience", "0")
    assert (ran.code, ran.out) == (1, "")
    assert "no answer from 127.0.0.1:1" in ran.err


def test_a_new_file_is_whole_or_not_there(tmp_path: Path) -> None:
    """One that exists stays, and nothing is left beside it."""
    file = tmp_path / "file"
    write_new(file, b"whole")
    with pytest.raises(FileExistsError):
        write_new(file, b"other")
    assert file.read_bytes() == b"whole"
    assert list(tmp_path.iterdir()) == [file]


def _as_owner(run: Running) -> RefereeClient:
    token = run.serving.organiser_token_file.read_text(encoding="ascii").split()[0]
    return RefereeClient.connect(run.serving.address, organiser_token=token)


async def test_a_copy_is_asked_for_once(tmp_path: Path) -> None:
    """A refusal and a lost connection are told apart, and neither is repeated."""
    async with running(tmp_path) as run, _as_owner(run) as client:
        name = await client.backup_store()
        assert (tmp_path / "backups" / name).is_file()
        (tmp_path / "backups" / name).rename(tmp_path / "moved")
        (tmp_path / "backups").rmdir()
        (tmp_path / "backups").write_text("no folder")
        with pytest.raises(RefereeError, match="STORE_UNAVAILABLE"):
            await client.backup_store()
    async with RefereeClient.connect("127.0.0.1:1") as client:
        with pytest.raises(RefereeUnavailableError):
            await client.backup_store()
