"""Matches that share a shuffle, on a real referee: the same cards, whoever sits where."""

import asyncio
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from ronda.v1 import event_pb2, log_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_bots import by_name
from ronda_client import RefereeClient, play_seat
from ronda_conformance.rule_set_files import load_rule_set
from ronda_referee.audit import AuditReport, Draws, audit_stream
from ronda_referee.convert import card_from_proto
from ronda_referee.log_file import read_records
from ronda_rules.cards import card_text
from tests.referee.running import Running, Table, refused, running
from tests.referee.second_verifier import verify

SEED = bytes(range(32))
GROUP = "round 1, table 2"
# Of the vectors in test_shuffle.py: whom this seed and id draw of three seats as dealer.
DEALER = 2
COMMITMENT = "6f0dffc4e847daf60065ef772bf0d9c4910a73ec57ff973149b376b1583d25ff"


def wanted(
    seats: int = 2, *, seed: bytes = SEED, shuffle_id: str = GROUP, fixed: bool = False
) -> pb.CreateMatchRequest:
    """Give the request for a match that shares a shuffle."""
    request = pb.CreateMatchRequest(
        rule_set_id="single-deal",
        seats=seats,
        shared_shuffle=log_pb2.SharedShuffle(seed=seed, shuffle_id=shuffle_id),
    )
    if fixed:
        request.fixed_draws.SetInParent()
    return request


def drawn_dealer() -> pb.CreateMatchRequest:
    """Give the request for one under house rules with three seats, where the dealer is drawn."""
    request = wanted(3)
    request.rule_set.CopyFrom(load_rule_set("maghribi"))
    request.rule_set.id, request.rule_set.target = "drawn", 5
    request.rule_set.first_dealer.drawn = True
    return request


@asynccontextmanager
async def sharing(folder: Path) -> AsyncIterator[Running]:
    """Run a referee that allows shared shuffles."""
    async with running(folder, allow_shared_shuffles=True) as run:
        yield run


async def created(run: Running, request: pb.CreateMatchRequest) -> Table:
    """Create a match and take no seat."""
    answer = await run.stub.CreateMatch(request)
    return Table(run.stub, answer.match_id, list(answer.seat_tokens))


async def log_of(run: Running, match_id: str) -> bytes:
    """Give the log of a match."""
    request = pb.GetMatchLogRequest(match_id=match_id)
    return b"".join([part.data async for part in run.stub.GetMatchLog(request)])


def records_of(log: bytes) -> list[log_pb2.LogRecord]:
    """Give the records of a log."""
    return [one.record for one in read_records(io.BytesIO(log))]


def audited(log: bytes) -> AuditReport:
    """Audit a log with which nothing may be wrong."""
    report = audit_stream(io.BytesIO(log))
    assert report.finding is None
    return report


def dealt(log: bytes) -> list[str]:
    """Give every hand and table of a finished log in order, with its seat."""
    records = records_of(log)
    openings = {one.opening.sequence: one.opening for one in records if one.HasField("opening")}
    told = []
    for record in records:
        event = record.event_logged.event
        if record.sequence in openings and event.HasField("hand_dealt"):
            event = event_pb2.Event.FromString(openings[record.sequence].payload)
        if event.HasField("deal_started"):
            told.append(f"deal {event.deal_started.deal} dealer {event.deal_started.dealer}")
        for kind in ("hand_dealt", "table_turned", "table_returned"):
            if event.HasField(kind):
                cards = [card_text(card_from_proto(one)) for one in getattr(event, kind).cards]
                seat = event.hand_dealt.seat if kind == "hand_dealt" else "-"
                told.append(f"{kind} {seat} {' '.join(cards)}")
    return told


async def played(run: Running, request: pb.CreateMatchRequest, rotation: int) -> bytes:
    """Play a match with three bots that have moved on by some seats; give its log."""
    table = await created(run, request)
    bots = [by_name("greedy", 1), by_name("random", 2), by_name("random", 3)]
    async with RefereeClient.connect(run.serving.address) as client, asyncio.TaskGroup() as group:
        for seat, token in enumerate(table.tokens):
            bot = bots[(seat + rotation) % 3]
            group.create_task(play_seat(client, table.match_id, token, bot))
    return await log_of(run, table.match_id)


async def test_a_pair_of_matches_has_the_same_cards_whoever_sits_where(tmp_path: Path) -> None:
    """Three bots move on by a seat: other moves and bytes, and the draws of the vectors in both.

    The table that is turned first has two horses and goes back, in both.
    """
    async with sharing(tmp_path) as run:
        logs = {
            f"match {rotation}": await played(run, drawn_dealer(), rotation) for rotation in (0, 1)
        }
        first, second = logs.values()
    headers = [records_of(log)[0].header for log in (first, second)]
    assert [one.shared_shuffle_id for one in headers] == [GROUP, GROUP]
    assert [one.seed_commitment.hex() for one in headers] == [COMMITMENT, COMMITMENT]
    assert headers[0].match_id != headers[1].match_id
    hands = dealt(first)
    assert hands[:7] == [
        f"deal 1 dealer {DEALER}",
        "hand_dealt 0 3o 4o 10c",
        "hand_dealt 1 3b 4c 12o",
        "hand_dealt 2 7e 1o 11b",
        "table_turned - 3c 11c 11o 4e",
        "table_returned - 3c 11c 11o 4e",
        "table_turned - 1e 7b 6c 12c",
    ]
    shared = min(len(hands), len(dealt(second)))
    assert shared > 12
    assert hands[:shared] == dealt(second)[:shared]
    # The play was another one, and so were the bytes that the seats brought.
    moves = [
        [one.move_accepted.move for one in records_of(log) if one.HasField("move_accepted")]
        for log in (first, second)
    ]
    assert moves[0] != moves[1]
    brought = [
        {one.seat_joined.entropy for one in records_of(log) if one.HasField("seat_joined")}
        for log in (first, second)
    ]
    assert len(brought[0] | brought[1]) == 6
    reports = [audited(log) for log in (first, second)]
    assert [one.draws for one in reports] == [Draws.SHARED, Draws.SHARED]
    assert [one.seats_with_entropy for one in reports] == [3, 3]
    assert reports[0].shared_shuffle == reports[1].shared_shuffle
    said = verify(tmp_path, logs, headers[0].public_key)
    assert [one["finding"] for one in said.values()] == [None, None]


async def test_a_commitment_of_one_match_tells_nothing_of_the_others_hands(tmp_path: Path) -> None:
    """The same hand is committed to with another nonce in each match."""
    async with sharing(tmp_path) as run:
        logs = []
        for _ in range(2):
            table = await created(run, wanted())
            for seat in range(2):
                await table.join(seat)
            await table.play_to_the_end()
            logs.append(await log_of(run, table.match_id))
    assert dealt(logs[0]) == dealt(logs[1])
    sealed = [{one.event_logged.commitment for one in records_of(log)} - {b""} for log in logs]
    assert len(sealed[0]) > 10
    assert sealed[0] & sealed[1] == set()


async def test_another_seed_or_another_id_is_another_shuffle(tmp_path: Path) -> None:
    """And a match without one has the cards of its own seed."""
    async with sharing(tmp_path) as run:
        first_hands = set()
        for request in (
            wanted(),
            wanted(seed=b"s" * 32),
            wanted(shuffle_id="round 2"),
            pb.CreateMatchRequest(rule_set_id="single-deal", seats=2),
        ):
            table = await created(run, request)
            for seat in range(2):
                await table.join(seat)
            views = [(await table.view(seat)).seat_view for seat in range(2)]
            hands = [card_text(card_from_proto(one)) for view in views for one in view.hand]
            first_hands.add(" ".join(hands))
        assert len(first_hands) == 4


async def test_a_match_of_a_group_comes_back_after_a_restart(tmp_path: Path) -> None:
    """Its records are the same to the byte, its turn too, and the cards that follow."""
    async with sharing(tmp_path) as run:
        twin = await created(run, wanted())
        table = await created(run, wanted())
        for seat in range(2):
            await twin.join(seat, entropy=b"one")
            await table.join(seat, entropy=b"other")
        await twin.play_to_the_end()
        for _ in range(9):
            await table.play_lowest()
        before = await table.records(), await table.records(1), await table.view(0)
        log = await log_of(run, table.match_id)
        cards = dealt(await log_of(run, twin.match_id))
    # It needs no leave to play on what was created.
    async with running(tmp_path) as run:
        again = Table(run.stub, table.match_id, table.tokens, table.requests)
        assert (await again.records(), await again.records(1), await again.view(0)) == before
        assert await log_of(run, table.match_id) == log
        await again.play_to_the_end()
        whole = await log_of(run, table.match_id)
    assert whole.startswith(log)
    assert dealt(whole) == cards
    assert audited(whole).shared_shuffle is not None


async def test_a_referee_that_does_not_allow_it_refuses(tmp_path: Path) -> None:
    """Unless it is told otherwise; nothing is created."""
    async with running(tmp_path) as run:
        answer = await refused(lambda: run.stub.CreateMatch(wanted()))
        assert (answer.status, answer.reason) == ("PERMISSION_DENIED", "SHARED_SHUFFLE_REFUSED")
        assert answer.detail == (
            "matches share no shuffle here; start a referee that allows shared shuffles"
        )
        listed = await run.stub.ListMatches(pb.ListMatchesRequest())
        assert list(listed.matches) == []


@pytest.mark.parametrize(
    ("request_", "field", "detail"),
    [
        (
            wanted(seed=b"k" * 31),
            "shared_shuffle.seed",
            "shared_shuffle.seed: has 31 bytes; 32 are needed, which nobody can guess",
        ),
        (
            wanted(seed=b"k" * 33),
            "shared_shuffle.seed",
            "shared_shuffle.seed: has 33 bytes; 32 are needed, which nobody can guess",
        ),
        (
            wanted(seed=b""),
            "shared_shuffle.seed",
            "shared_shuffle.seed: has 0 bytes; 32 are needed, which nobody can guess",
        ),
        (
            wanted(shuffle_id=""),
            "shared_shuffle.shuffle_id",
            "shared_shuffle.shuffle_id: has 0 characters; from 1 to 64 are allowed",
        ),
        (
            wanted(shuffle_id="é" * 65),
            "shared_shuffle.shuffle_id",
            "shared_shuffle.shuffle_id: has 65 characters; from 1 to 64 are allowed",
        ),
        (
            wanted(shuffle_id="one\ntwo"),
            "shared_shuffle.shuffle_id",
            "shared_shuffle.shuffle_id: holds a character that cannot be printed on one line",
        ),
        (
            wanted(fixed=True),
            "shared_shuffle",
            "shared_shuffle: stands beside fixed_draws; a match has one of the two or neither",
        ),
    ],
    ids=["31 bytes", "33 bytes", "no seed", "no id", "long id", "two lines", "fixed draws too"],
)
async def test_what_is_wrong_with_a_shared_shuffle_is_named(
    tmp_path: Path, request_: pb.CreateMatchRequest, field: str, detail: str
) -> None:
    """Field and remedy, and never the seed."""
    async with running(tmp_path, allow_shared_shuffles=True, allow_fixed_draws=True) as run:
        answer = await refused(lambda: run.stub.CreateMatch(request_))
    assert (answer.status, answer.reason) == ("INVALID_ARGUMENT", "MALFORMED_REQUEST")
    assert (answer.fields, answer.detail) == ((field,), detail)
    assert "kkk" not in f"{answer.detail} {answer.metadata}"
    assert "6b6b" not in f"{answer.detail} {answer.metadata}"


async def test_an_id_of_64_characters_is_taken_whatever_bytes_they_take(tmp_path: Path) -> None:
    """Characters are counted."""
    async with sharing(tmp_path) as run:
        table = await created(run, wanted(shuffle_id="é" * 64))
        log = await log_of(run, table.match_id)
    assert records_of(log)[0].header.shared_shuffle_id == "é" * 64


async def test_the_seed_of_a_group_stands_in_no_log_that_goes_on(tmp_path: Path) -> None:
    """It is shown with the result alone, as that of any match."""
    async with sharing(tmp_path) as run:
        table = await created(run, wanted())
        for seat in range(2):
            await table.join(seat)
        assert SEED not in await log_of(run, table.match_id)
        await table.play_to_the_end()
        assert SEED in await log_of(run, table.match_id)
