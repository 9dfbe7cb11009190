"""ListMatches on a real server: order, pages, filters, tokens."""

import base64
import itertools
from pathlib import Path

import apsw
import pytest

from ronda.v1 import referee_service_pb2 as pb
from ronda_referee.chain import NonceSealer
from ronda_referee.store import SqliteStore
from ronda_referee.surroundings import Surroundings
from tests.referee.running import CountedEntropy, Running, refused, running


async def _ids(run: Running, **request: str | int) -> list[str]:
    """Give the ids of all matches, page by page."""
    found: list[str] = []
    token = ""
    while True:
        answer = await run.stub.ListMatches(
            pb.ListMatchesRequest(page_token=token, **request)  # type: ignore[arg-type]  # as given
        )
        found += [match.match_id for match in answer.matches]
        token = answer.next_page_token
        if not token:
            return found


async def test_a_match_is_listed_with_all_that_is_public_of_it(tmp_path: Path) -> None:
    """Id, rule set, seats, state, time of creation, and the names of who has joined."""
    entropy = CountedEntropy()
    clock = itertools.count(1_700_000_000_000)
    surroundings = Surroundings(
        now_ms=lambda: next(clock),
        monotonic_ms=lambda: 7,
        entropy=entropy,
        sealer=NonceSealer(entropy),
    )
    async with running(tmp_path, surroundings=surroundings) as run:
        table = await run.table(3, "sarii", joined=False)
        await table.join(1, "Brahim")
        answer = await run.stub.ListMatches(pb.ListMatchesRequest())
        assert list(answer.matches) == [
            pb.MatchSummary(
                match_id=table.match_id,
                rule_set_id="sarii",
                seats=3,
                state=pb.MATCH_STATE_JOINING,
                created_ms=1_700_000_000_000,
                names=["", "Brahim", ""],
            )
        ]
        assert answer.next_page_token == ""


async def test_pages_come_newest_first_and_hold_each_match_once(tmp_path: Path) -> None:
    """Seven matches in pages of three; those created between two pages are not in later ones."""
    async with running(tmp_path) as run:
        ids = [(await run.table(2, joined=False)).match_id for _ in range(7)]
        first = await run.stub.ListMatches(pb.ListMatchesRequest(page_size=3))
        assert [match.match_id for match in first.matches] == [ids[6], ids[5], ids[4]]
        await run.table(2, joined=False)
        second = await run.stub.ListMatches(
            pb.ListMatchesRequest(page_size=3, page_token=first.next_page_token)
        )
        assert [match.match_id for match in second.matches] == [ids[3], ids[2], ids[1]]
        # Another page size may be asked for on the way.
        third = await run.stub.ListMatches(
            pb.ListMatchesRequest(page_size=1, page_token=second.next_page_token)
        )
        assert [match.match_id for match in third.matches] == [ids[0]]
        assert third.next_page_token == ""


async def test_pages_that_end_with_the_last_match_name_no_further_one(tmp_path: Path) -> None:
    """No page is ever empty, but that of a list without a match."""
    async with running(tmp_path) as run:
        assert await run.stub.ListMatches(pb.ListMatchesRequest()) == pb.ListMatchesResponse()
        for _ in range(4):
            await run.table(2, joined=False)
        first = await run.stub.ListMatches(pb.ListMatchesRequest(page_size=2))
        token = first.next_page_token
        second = await run.stub.ListMatches(pb.ListMatchesRequest(page_size=2, page_token=token))
        assert (len(second.matches), second.next_page_token) == (2, "")


async def test_pages_have_fifty_matches_unless_another_size_is_wanted_up_to_500(
    tmp_path: Path,
) -> None:
    """A size beyond the largest gets the largest."""
    store = SqliteStore(tmp_path / "matches.sqlite")
    store.close()
    db = apsw.Connection(str(tmp_path / "matches.sqlite"))
    async with running(tmp_path / "other") as run:
        table = await run.table(2)
        await table.play_to_the_end()
    db.execute("ATTACH ? AS other", (str(tmp_path / "other" / "matches.sqlite"),))
    (seed,) = db.execute("SELECT seed FROM other.match").fetchone() or (b"",)
    rows = db.execute("SELECT sequence, record FROM other.log_row").fetchall()
    with db:
        for number in range(1, 502):
            match_id = f"{number:020x}"
            db.execute(
                "INSERT INTO match VALUES (?, ?, ?, 3, 'maghribi', ?, NULL)",
                (number, match_id, seed, number),
            )
            db.executemany(
                "INSERT INTO log_row VALUES (?, ?, ?, NULL, NULL)",
                [(match_id, sequence, record) for sequence, record in rows],
            )
            db.executemany(
                "INSERT INTO seat (match_id, seat, token_hash) VALUES (?, ?, ?)",
                [(match_id, seat, bytes(32)) for seat in range(2)],
            )
    db.close()
    async with running(tmp_path) as run:
        for asked, given in ((0, 50), (1, 1), (500, 500), (501, 500), (4_000_000_000, 500)):
            answer = await run.stub.ListMatches(pb.ListMatchesRequest(page_size=asked))
            assert len(answer.matches) == given
            assert answer.next_page_token
            assert answer.matches[0].match_id == "000000000000000001f5"


async def test_matches_are_filtered_by_state_and_rule_set(tmp_path: Path) -> None:
    """Both filters hold together; a frozen match is FROZEN and in no other state."""
    async with running(tmp_path) as run:
        waiting = await run.table(2, joined=False)
        played = await run.table(2)
        ended = await run.table(2, "sarii")
        await ended.play_to_the_end()
        other = await run.table(2, "sarii", joined=False)
        frozen = await run.table(2)
    db = apsw.Connection(str(tmp_path / "matches.sqlite"))
    db.execute("UPDATE match SET fault = 'fault' WHERE match_id = ?", (frozen.match_id,))
    db.close()
    async with running(tmp_path) as run:
        assert await _ids(run, state=pb.MATCH_STATE_JOINING) == [other.match_id, waiting.match_id]
        assert await _ids(run, state=pb.MATCH_STATE_PLAYING) == [played.match_id]
        assert await _ids(run, state=pb.MATCH_STATE_ENDED) == [ended.match_id]
        assert await _ids(run, state=pb.MATCH_STATE_CANCELLED) == []
        assert await _ids(run, state=pb.MATCH_STATE_FROZEN) == [frozen.match_id]
        assert await _ids(run, rule_set_id="sarii") == [other.match_id, ended.match_id]
        joining = pb.MATCH_STATE_JOINING
        assert await _ids(run, state=joining, rule_set_id="sarii") == [other.match_id]
        assert await _ids(run, rule_set_id="poker") == []
        assert await _ids(run, page_size=1, rule_set_id="maghribi") == [
            frozen.match_id,
            played.match_id,
            waiting.match_id,
        ]
        listed = await run.stub.ListMatches(pb.ListMatchesRequest(page_size=1))
        assert listed.matches[0].state == pb.MATCH_STATE_FROZEN


@pytest.mark.parametrize(
    "token",
    [
        "x",
        "é",
        "AAAA",
        "not a token",
        "A" * 22,
        "_" * 22,
        "AAAAAAAAAAE" * 2 + "=",
        base64.urlsafe_b64encode(b"\xff" * 16).decode(),
    ],
)
async def test_a_page_token_that_was_never_given_out_is_malformed(
    tmp_path: Path, token: str
) -> None:
    """The field is named, and what to do is said."""
    async with running(tmp_path) as run:
        request = pb.ListMatchesRequest(page_token=token)
        answer = await refused(lambda: run.stub.ListMatches(request))
        assert (answer.status, answer.reason) == ("INVALID_ARGUMENT", "MALFORMED_REQUEST")
        assert answer.fields == ("page_token",)


async def test_a_page_token_belongs_to_its_filters(tmp_path: Path) -> None:
    """With other filters it would leave matches out without a word."""
    async with running(tmp_path) as run:
        for _ in range(2):
            await run.table(2, joined=False)
        first = await run.stub.ListMatches(
            pb.ListMatchesRequest(page_size=1, state=pb.MATCH_STATE_JOINING)
        )
        token = first.next_page_token
        for request in (
            pb.ListMatchesRequest(page_token=token),
            pb.ListMatchesRequest(page_token=token, state=pb.MATCH_STATE_PLAYING),
            pb.ListMatchesRequest(
                page_token=token, state=pb.MATCH_STATE_JOINING, rule_set_id="maghribi"
            ),
        ):
            answer = await refused(lambda request=request: run.stub.ListMatches(request))  # type: ignore[misc]
            assert (answer.reason, answer.fields) == ("MALFORMED_REQUEST", ("page_token",))
            assert "other filters" in answer.detail


async def test_a_state_that_there_is_not_is_malformed(tmp_path: Path) -> None:
    """The message lists those that there are."""
    async with running(tmp_path) as run:
        request = pb.ListMatchesRequest.FromString(b"\x18\x09")
        answer = await refused(lambda: run.stub.ListMatches(request))
        assert (answer.reason, answer.fields) == ("MALFORMED_REQUEST", ("state",))
        assert "MATCH_STATE_FROZEN" in answer.detail


async def test_nothing_in_a_list_hangs_on_hidden_cards(tmp_path: Path) -> None:
    """Two referees that shuffle otherwise list the same, byte for byte, but for their ids."""
    pages = []
    for salt in (b"one", b"two"):
        entropy = CountedEntropy()
        surroundings = Surroundings(
            now_ms=lambda: 1_700_000_000_000,
            monotonic_ms=lambda: 7,
            entropy=entropy,
            sealer=NonceSealer(entropy),
        )
        async with running(tmp_path / salt.decode(), surroundings=surroundings) as run:
            tables = [await run.table(2, joined=False) for _ in range(3)]
            for table in tables:
                for seat in range(2):
                    await table.join(seat, "name", salt)
            views = await tables[2].view(0)
            answer = await run.stub.ListMatches(pb.ListMatchesRequest(page_size=2))
            pages.append((views, answer.SerializeToString(deterministic=True)))
    (one_view, one_page), (other_view, other_page) = pages
    assert one_view != other_view
    assert one_page == other_page
