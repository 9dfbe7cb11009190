"""Answers that are sealed until all have given theirs: log, audit, restart and service (ANN-2)."""

from functools import cache
from pathlib import Path

import pytest

from ronda.v1 import event_pb2, log_pb2, move_pb2, rule_set_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_conformance.rule_set_files import load_rule_sets
from ronda_referee.audit import Finding, FindingKind
from ronda_referee.chain import NonceSealer, commitment
from ronda_referee.restoring import restore
from tests.referee.played_logs import KEY, SEED, PlayedMatch, audit, rewrite
from tests.referee.running import Table, refused, running

PASS = move_pb2.Move()
getattr(PASS, "pass").SetInParent()


def simultaneous(*, bluffs: bool = False) -> rule_set_pb2.RuleSet:
    """Give khlaso to 5, or with bluffs."""
    rules = rule_set_pb2.RuleSet()
    rules.CopyFrom(load_rule_sets()["khlaso"])
    rules.target = 5
    if bluffs:
        rules.bluff = rule_set_pb2.BLUFF_PENALISED
        rules.settle = rule_set_pb2.SETTLE_WHEN_SHOWN
        rules.false_penalty.CopyFrom(rules.kinds)
    return rules


@cache
def match() -> PlayedMatch:
    """Play a match of four seats with sealed answers."""
    return PlayedMatch(simultaneous(bluffs=True), 4)


def moves_hidden(records: list[log_pb2.LogRecord]) -> list[int]:
    """Give the records of hidden moves."""
    return [one.sequence for one in records if one.move_accepted.commitment]


def found(records: list[log_pb2.LogRecord]) -> Finding:
    """Give what an audit finds in records, signed anew."""
    report = audit(rewrite(records))
    assert report.finding is not None
    return report.finding


@pytest.mark.parametrize("seats", [2, 4])
def test_an_honest_log_is_all_right(seats: int) -> None:
    """Every answer is hidden, opened at the end, and audited."""
    played = PlayedMatch(simultaneous(), seats)
    report = audit(played.data, KEY.public_key)
    assert report.finding is None
    assert len(moves_hidden(played.records)) >= seats


def test_decisions_are_named_for_each_seat() -> None:
    """Four seats are asked by one event, and another's answer does not change the name."""
    records = match().records
    first = [records[number].move_accepted for number in moves_hidden(records)[:4]]
    assert [accepted.seat for accepted in first] == [3, 2, 1, 0]
    assert len({accepted.decision_id for accepted in first}) == 1


def test_nothing_tells_an_answer_before_all_have_answered() -> None:
    """The records of the move and of the event have no answer, and the event's one size a seat."""
    records = match().records
    sizes: dict[int, set[int]] = {}
    for number in moves_hidden(records):
        assert not records[number].move_accepted.HasField("move")
        sealed = records[number + 1].event_logged
        assert sealed.event.announcement_sealed.WhichOneof("answer") is None
        assert len(sealed.commitment) == 32
        size = len(sealed.SerializeToString())
        sizes.setdefault(records[number].move_accepted.seat, set()).add(size)
    assert [len(of_seat) for of_seat in sizes.values()] == [1, 1, 1, 1]


def test_a_move_shown_where_it_must_be_hidden_is_found() -> None:
    """A referee that shows an answer early is caught."""
    records = match().records
    number = moves_hidden(records)[0]
    records[number].move_accepted.ClearField("commitment")
    records[number].move_accepted.move.CopyFrom(PASS)
    finding = found(records)
    assert (finding.record, finding.kind) == (number, FindingKind.COMMITMENT_WRONG)


def test_a_commitment_where_nothing_is_hidden_is_found() -> None:
    """A card is played for all to see."""
    records = match().records
    number = next(one.sequence for one in records if one.move_accepted.move.HasField("play"))
    records[number].move_accepted.commitment = bytes(32)
    finding = found(records)
    assert (finding.record, finding.kind) == (number, FindingKind.COMMITMENT_WRONG)


def test_another_answer_than_the_one_committed_to_is_found() -> None:
    """The opening must fit the commitment."""
    records = match().records
    number = moves_hidden(records)[0]
    opening = next(one.opening for one in records if one.opening.sequence == number)
    opening.payload = b""
    finding = found(records)
    assert (finding.record, finding.kind) == (number, FindingKind.OPENING_WRONG)


def test_bytes_beside_the_answer_that_is_committed_to_are_found() -> None:
    """What is hidden has one serialization, and no field that the format does not know."""
    records = match().records
    number = moves_hidden(records)[0]
    place = next(one for one in records if one.opening.sequence == number)
    place.opening.payload += b"\xf8\x01\x01"
    sealed = commitment(place.opening.nonce, place.opening.payload)
    records[number].move_accepted.commitment = sealed
    finding = found(records)
    assert (finding.record, finding.kind) == (place.sequence, FindingKind.OPENING_WRONG)


@pytest.mark.parametrize("answered", [0, 1, 2, 3])
def test_a_restart_knows_the_answers_given(answered: int) -> None:
    """A match comes back from its rows, in the middle of the answers too, and asks who is left."""
    played = match()
    first = moves_hidden(played.records)[0]
    # Each answer has two records.
    rows = played.rows[: first + 2 * answered]
    play = restore("m-7", SEED, rows, NonceSealer(), KEY.sign)
    assert play.decisions == dict.fromkeys(range(4 - answered), first - 1)
    assert restore("m-7", SEED, played.rows, NonceSealer(), KEY.sign).over


async def answer(
    table: Table, seat: int, move: move_pb2.Move, request_id: str
) -> pb.SubmitMoveResponse:
    """Answer a seat's decision."""
    decision = (await table.view(seat)).decision
    return await table.stub.SubmitMove(
        table.request(seat, decision.decision_id, move, request_id=request_id)
    )


async def test_seats_answer_in_any_order_and_nobody_learns_the_order(tmp_path: Path) -> None:
    """Until all have answered nothing is shown of an answer: not that there is one, nor to whom."""
    async with running(tmp_path) as run:
        created = await run.stub.CreateMatch(pb.CreateMatchRequest(rule_set_id="khlaso", seats=2))
        table = Table(run.stub, created.match_id, list(created.seat_tokens))
        await table.join(0)
        await table.join(1)
        asked = [(await table.view(seat)).decision for seat in (0, 1)]
        assert [decision.seat for decision in asked] == [0, 1]
        before = {seat: await table.records(seat) for seat in (0, 1, None)}
        views = {seat: await table.view(seat) for seat in (0, 1, None)}
        first = await answer(table, 1, PASS, "one")
        # The same request again gets the same answer, and another content an error.
        again = table.request(1, asked[1].decision_id, PASS, request_id="one")
        assert (await table.stub.SubmitMove(again)).sequence == first.sequence
        again.move.CopyFrom(asked[0].legal_moves[0])
        if asked[0].legal_moves[0] != PASS:
            assert (await refused(lambda: table.stub.SubmitMove(again))).reason == (
                "REQUEST_ID_REUSED"
            )
        # Only that it is asked no longer tells the seat that its own answer is in.
        assert {seat: await table.records(seat) for seat in (0, 1, None)} == before
        for seat in (0, None):
            assert await table.view(seat) == views[seat]
        views[1].ClearField("decision")
        assert await table.view(1) == views[1]
        await answer(table, 0, PASS, "two")
        for seat, knows in ((1, True), (0, False), (None, False)):
            entries = await table.records(seat)
            record = log_pb2.LogRecord.FromString(entries[first.sequence].record)
            assert not record.move_accepted.HasField("move")
            assert entries[first.sequence].HasField("opening") is knows
            assert entries[first.sequence + 1].HasField("opening") is knows
        opening = (await table.records(1))[first.sequence + 1].opening
        assert event_pb2.Event.FromString(opening.payload).announcement_sealed.passed
        events = [
            log_pb2.LogRecord.FromString(entry.record).event_logged.event
            for entry in (await table.records())[-2:]
        ]
        assert [event.announcement_passed.seat for event in events] == [0, 1]
        assert (await table.view(None)).public_view.to_act == [0]
