"""The state of a match as a value: what a copy holds, and what moves leave as it was."""

import dataclasses

from ronda_rules import engine
from ronda_rules.events import Answer
from ronda_rules.moves import Drawn, Play, SeatMove
from ronda_rules.rule_set import AnnouncementKind
from ronda_rules.state import Announcement, Debt, Held, MatchState
from tests.rules.playing import Game, cards
from tests.rules.rule_sets import MAGHRIBI


def test_a_copy_holds_every_field_and_what_was_decided() -> None:
    """No field has the value here that it has when nothing is said of it."""
    state = MatchState(
        rules=MAGHRIBI,
        seats=2,
        hands=((1,), (2,)),
        piles=(3, 4),
        punished=(5, 6),
        scores=(7, 8),
        deal=9,
        dealer=1,
        batch=10,
        hand_size=11,
        last_batch=True,
        hands_dealt=12,
        cards_played=13,
        pack=14,
        returned=15,
        turned=(16,),
        table=17,
        laid=18,
        last_capturer=0,
        announcements=(Announcement(1, 0, AnnouncementKind.RONDA, 2),),
        winners=(0,),
        dealt=((19,), (20,)),
        last_card=21,
        held=Held(0, 1, 2, 3, 4),
        answered=(1,),
        sealed=((0, Answer.PASSED),),
        passed=22,
        acted=1,
        claimed=(0,),
        award=((0, 23),),
        award_dues=(Debt(0, 1, 24, award=True),),
        debts=(Debt(1, 0, 25, award=False),),
        forfeited=(1,),
    )
    state.decision = engine.MatchOver((0,))
    for field in dataclasses.fields(MatchState):
        assert getattr(state, field.name) != field.default, field.name
    copy = state.copied()
    assert copy is not state
    assert copy == state
    assert copy.decision is state.decision


def test_a_move_leaves_the_state_before_as_it_was() -> None:
    """Its events are folded into a copy: the card is still held before, and not after."""
    game = Game.at("seats 2; batch 2; turn 0; hands 1o 2o / 3o 4o; table 5o; piles 6 5; capturer 0")
    before = game.state
    held, decision = before.hands, engine.decide(before)
    after, _ = engine.advance(before, SeatMove(0, Play(cards("1o")[0])))
    assert before.hands is held
    assert before.hands == (cards("1o 2o"), cards("3o 4o"))
    assert before.table == 1 << 4
    assert engine.decide(before) is decision
    assert decision == engine.SeatsToAct((0,), engine.Asked.CARD)
    assert after.hands == (cards("2o"), cards("3o 4o"))
    assert after.table == 1 << 4 | 1
    assert engine.decide(after) == engine.SeatsToAct((1,), engine.Asked.CARD)


def test_events_are_folded_into_a_copy() -> None:
    """The state that they are folded from has not received its hand."""
    game = Game.begin(2)
    before = game.state
    events = engine.apply(before, Drawn(cards("1o 2o 3o")))
    after = engine.fold(before, events)
    assert before.hands == ((), ())
    assert after.hands == (cards("1o 2o 3o"), ())
