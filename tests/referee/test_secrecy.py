"""No seat's bytes depend on a card that it cannot know.

Two matches are played on real referees that the watcher cannot know apart (`twin_plans`). All that
it ever gets must be the same to the byte: streams, views, decisions, refusals, lists, log files,
metrics, log lines, and after which move each message comes (`twin_matches`). Chance is the same in
both, and a commitment is taken as it is meant: it says nothing of what is committed to.

RONDA_TWINS=50 plays so many of each kind of rule set instead of two.
"""

import asyncio
import os
from collections import Counter
from pathlib import Path

import pytest

from ronda.v1 import log_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_referee.convert import card_to_proto
from ronda_referee.watching import watch
from ronda_rules.moves import Announce, Challenge, Claim, Pass, Play
from ronda_rules.rule_set import Bluff, Settle, Timing
from tests.referee.running import Table, play, running
from tests.referee.test_sealed_moves import PASS, answer
from tests.referee.twin_families import FAMILIES
from tests.referee.twin_matches import told_apart
from tests.referee.twin_plans import Interlude, Plan, engine_rules, plan

TWINS = int(os.environ.get("RONDA_TWINS", "2"))
_AT_ONCE = 10


@pytest.mark.parametrize("family", FAMILIES)
def test_no_byte_depends_on_what_the_watcher_cannot_know(family: str) -> None:
    """For seats, spectators and spectators who are kept behind."""
    for start in range(0, TWINS, _AT_ONCE):
        plans = [plan(family, seed) for seed in range(start, min(TWINS, start + _AT_ONCE))]
        apart = dict(zip((each.seed for each in plans), told_apart(plans), strict=True))
        assert apart == {each.seed: set() for each in plans}


def planned() -> list[Plan]:
    """Give the plans of the test command."""
    return [plan(family, seed) for family in FAMILIES for seed in range(2)]


def test_the_plans_are_about_something() -> None:
    """The plans have all kinds of watchers, rule sets, moves and hidden endings."""
    plans = planned()
    rules = [engine_rules(each) for each in plans]
    assert {each.seats for each in plans} == {2, 3, 4}
    assert {one.timing for one in rules} == set(Timing)
    assert {one.settle for one in rules} == set(Settle)
    assert {one.bluff for one in rules} == set(Bluff)
    assert {each.shipped for each in plans} == {True, False}
    assert {each.timed for each in plans} == {True, False}
    moves = Counter(type(act.move) for each in plans for one in each.stages for act in one.acts[0])
    assert min(moves[kind] for kind in (Announce, Pass, Play)) > 20
    assert min(moves[kind] for kind in (Challenge, Claim)) > 0
    watchers = Counter(
        "seat" if each.watcher is not None else "behind" if each.delay else "public"
        for each in plans
    )
    assert min(watchers[kind] for kind in ("seat", "behind", "public")) > 2
    hidden = Counter(
        "seat" if each.watcher is not None else "behind" if each.delay else "public"
        for each in plans
        if any(one.hidden for one in each.stages)
    )
    assert min(hidden[kind] for kind in ("seat", "behind")) > 2
    then = Counter(one.then for each in plans for one in each.stages)
    assert min(then[kind] for kind in (Interlude.RESTART, Interlude.SLEEP)) > 5
    assert sum(each.resigns for each in plans) > 2
    assert sum(each.draws[0] != each.draws[1] for each in plans) > 30


async def test_an_answer_under_seal_does_not_tell_its_seat_how_many_came_before(
    tmp_path: Path,
) -> None:
    """Four seats answer, and all are told the number that the first answer's record has."""
    async with running(tmp_path) as run:
        table = await run.table(4, "khlaso")
        first = (await table.view(None)).next_sequence
        told = [(await answer(table, seat, PASS, "once")).sequence for seat in (2, 0, 3, 1)]
        assert told == [first] * 4
        record = log_pb2.LogRecord.FromString((await table.records(2))[first].record)
        assert record.move_accepted.seat == 2


async def test_a_seat_that_resigns_does_not_learn_how_many_have_answered(tmp_path: Path) -> None:
    """Of three seats one resigns while another has answered: it is told the first number."""
    rules = FAMILIES["sealed bluffs"].rule_set
    async with running(tmp_path) as run:
        created = await run.stub.CreateMatch(pb.CreateMatchRequest(rule_set=rules, seats=3))
        table = Table(run.stub, created.match_id, list(created.seat_tokens))
        for seat in range(3):
            await table.join(seat)
        first = (await table.view(None)).next_sequence
        await answer(table, 2, PASS, "once")
        request = pb.ResignRequest(match_id=table.match_id, seat_token=table.tokens[0])
        assert (await run.stub.Resign(request)).sequence == first
        assert (await run.stub.Resign(request)).sequence == first


async def test_signs_of_life_do_not_wait_where_something_hidden_goes_on(tmp_path: Path) -> None:
    """A watcher that is woken again and again with nothing to see gets its signs of life."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        referee = run.serving.referee
        match = referee.match(table.match_id)
        messages = aiter(watch(referee, match, "", 0, 0.05))
        assert (await anext(messages)).entries
        sign = asyncio.ensure_future(anext(messages))

        async def wakes() -> None:
            while not sign.done():
                match.wake_watchers()
                await asyncio.sleep(0)

        await asyncio.wait_for(wakes(), 20)
        assert not sign.result().entries


async def test_where_a_message_ends_does_not_hang_on_what_is_hidden(tmp_path: Path) -> None:
    """The header of a match with very many fixed draws comes together with the record after it.

    272 deals of 40 cards in 6 bytes each, with the header, are more than the 64 KiB of a message.
    """
    order = [rank + suit for rank in range(10) for suit in (0, 10, 20, 30)]
    deal = [order[(7 * place) % 40] for place in range(40)]
    cards = [card_to_proto(card) for card in deal] * 272
    async with running(tmp_path, allow_fixed_draws=True) as run:
        created = await run.stub.CreateMatch(
            pb.CreateMatchRequest(
                rule_set_id="khlaso", seats=2, fixed_draws=log_pb2.FixedDraws(cards=cards)
            )
        )
        table = Table(run.stub, created.match_id, list(created.seat_tokens))
        await table.join(0, "a seat")
        watching = run.stub.WatchMatch(pb.WatchMatchRequest(match_id=table.match_id))
        message = await watching.read()
        assert isinstance(message, pb.WatchMatchResponse)
        assert [entry.sequence for entry in message.entries] == [0, 1]
        watching.cancel()


async def test_fixed_draws_serve_where_every_seat_is_asked_to_announce(tmp_path: Path) -> None:
    """The draws of two batches of classic: each seat passes and plays, and the second is dealt."""
    first = [0, 11, 22, 3, 14, 25, 6, 18, 29, 31]
    second = [1, 12, 23, 4, 15, 26]
    cards = [card_to_proto(card) for card in first + second]
    async with running(tmp_path, allow_fixed_draws=True) as run:
        created = await run.stub.CreateMatch(
            pb.CreateMatchRequest(
                rule_set_id="classic", seats=2, fixed_draws=log_pb2.FixedDraws(cards=cards)
            )
        )
        table = Table(run.stub, created.match_id, list(created.seat_tokens))
        await table.join(0)
        await table.join(1)
        for seat in (0, 1):
            await answer(table, seat, PASS, "pass")
        for card in (0, 3, 11, 14, 22, 25):
            seat, view, decision = await table.turn()
            assert card_to_proto(card) in view.hand
            move = play(card_to_proto(card))
            await run.stub.SubmitMove(table.request(seat, decision.decision_id, move))
        assert list((await table.view(0)).seat_view.hand) == [
            card_to_proto(card) for card in second[:3]
        ]
