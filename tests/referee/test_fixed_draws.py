"""Draws from outside: every rule set takes them, and a match whose draws run out waits."""

import io
from pathlib import Path

import pytest

from ronda.v1 import log_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_referee.audit import AuditReport, audit_stream
from ronda_referee.convert import card_to_proto
from ronda_rules.cards import parse_card
from tests.referee.organising import as_organiser
from tests.referee.running import Running, Table, running

# Two hands of three and a table on which nothing is forbidden.
FIRST_BATCH = "2o 4o 6o 7o 11o 12o 1o 3o 5o 10o"
DRAWS = log_pb2.FixedDraws(cards=[card_to_proto(parse_card(text)) for text in FIRST_BATCH.split()])


async def created(run: Running, rule_set: str) -> Table:
    """Create a match of two seats with these draws alone, and take both seats."""
    request = pb.CreateMatchRequest(rule_set_id=rule_set, seats=2, fixed_draws=DRAWS)
    answer = await run.stub.CreateMatch(request)
    table = Table(run.stub, answer.match_id, list(answer.seat_tokens))
    for seat in range(2):
        await table.join(seat)
    return table


async def report_of(table: Table) -> AuditReport:
    """Audit the log of a match."""
    request = pb.GetMatchLogRequest(match_id=table.match_id)
    parts = [part.data async for part in table.stub.GetMatchLog(request)]
    return audit_stream(io.BytesIO(b"".join(parts)))


@pytest.mark.parametrize(
    ("rule_set", "first_hand"),
    [("maghribi", "2o 4o 6o"), ("classic", "2o 4o 6o"), ("khlaso", "2o 4o 6o 7o")],
)
async def test_a_rule_set_that_asks_before_cards_are_played_takes_them_too(
    tmp_path: Path, rule_set: str, first_hand: str
) -> None:
    """Whether seats are asked for announcements in order, all at once, or not at all."""
    async with running(tmp_path, allow_fixed_draws=True) as run:
        table = await created(run, rule_set)
        view = (await table.view(0)).seat_view
        cards = [card_to_proto(parse_card(text)) for text in first_hand.split()]
        assert list(view.hand) == cards


@pytest.mark.parametrize("way", ["cancelled", "resigned"])
async def test_a_match_whose_draws_have_run_out_ends_and_audits(tmp_path: Path, way: str) -> None:
    """It waits with nobody to act until it is cancelled or a seat gives it up."""
    async with running(tmp_path, allow_fixed_draws=True) as run:
        table = await created(run, "maghribi")
        for _ in range(6):
            await table.play_lowest()
        assert not (await table.view(None)).public_view.to_act
        if way == "cancelled":
            cancel = pb.CancelMatchRequest(match_id=table.match_id)
            await run.stub.CancelMatch(cancel, metadata=as_organiser(tmp_path))
        else:
            resign = pb.ResignRequest(match_id=table.match_id, seat_token=table.tokens[1])
            await run.stub.Resign(resign)
        report = await report_of(table)
        assert report.finding is None
        assert (report.moves, dict(report.forfeits)) == (
            6,
            {} if way == "cancelled" else {1: "RESIGNED"},
        )
