"""When announcements are made, and settlement before the first card (ANN-2, ANN-8)."""

import pytest

from ronda_rules import engine
from ronda_rules.cards import index_of_rank
from ronda_rules.engine import Asked, SeatsToAct
from ronda_rules.errors import IllegalMove, Reason
from ronda_rules.events import (
    AnnouncementMade,
    AnnouncementPassed,
    AnnouncementsAwarded,
    AnnouncementSealed,
    AnnouncementsRevealed,
    Answer,
    Event,
    RevealedAnnouncement,
    TableTurned,
)
from ronda_rules.moves import Announce, Pass, Play, SeatMove
from ronda_rules.rule_set import (
    AnnouncementKind,
    AnnouncementTie,
    DoubleRonda,
    KindAmounts,
    Payout,
    RuleSet,
    Settle,
    Timing,
)
from ronda_rules.view import observed, owner, public_view
from tests.rules.playing import RONDA, TRINGA, Game, card, cards, refusal
from tests.rules.rule_sets import EMPTY_TABLE, REFUSED, changed

DOUBLE = AnnouncementKind.DOUBLE_RONDA
IN_ORDER = changed(timing=Timing.IN_ORDER)
SIMULTANEOUS = changed(timing=Timing.SIMULTANEOUS)
HANDS = "7o 7c 1o / 2o 3c 12b / 5o 5c 5e / 4o 6o 10o 12o"


def three(rules: RuleSet, hands: str = HANDS) -> tuple[Game, list[Event]]:
    """Deal the first batch to three seats; give the game and the events of the last draw."""
    game = Game.begin(3, rules)
    return game, game.deal(hands)


def test_seats_announce_or_pass_in_order_of_play() -> None:
    """ANN-2: IN_ORDER asks each seat once before the first card; a pass is an event too."""
    game, _ = three(IN_ORDER)
    assert engine.decide(game.state) == SeatsToAct((0,), Asked.ANNOUNCEMENT)
    assert engine.legal_moves(game.state, 0) == (Announce(RONDA), Announce(TRINGA), Pass())
    assert game.announce(RONDA) == [AnnouncementMade(0, RONDA)]
    assert public_view(game.state).answered == (0,)
    assert game.make(SeatMove(1, Pass())) == [AnnouncementPassed(1)]
    assert game.announce(TRINGA) == [AnnouncementMade(2, TRINGA)]
    assert engine.decide(game.state) == SeatsToAct((0,), Asked.CARD)
    assert [one.rank for one in game.state.announcements] == [index_of_rank(7), index_of_rank(5)]


def test_what_is_not_asked_is_refused() -> None:
    """ANN-2: no card before the answers, no announcement after them, no other seat."""
    game, _ = three(IN_ORDER)
    assert refusal(game, 0, Play(card("7o"))) == (Reason.ANSWER_DUE, "ANN-2")
    assert refusal(game, 1, Announce(RONDA)) == (Reason.NOT_YOUR_TURN, "CAP-1")
    for seat in range(3):
        game.make(SeatMove(seat, Pass()))
    assert refusal(game, 0, Announce(RONDA)) == (Reason.ANNOUNCEMENT_TOO_LATE, "ANN-2")
    assert refusal(game, 0, Pass()) == (Reason.NOTHING_TO_PASS, "ANN-2")


def test_every_seat_is_asked_unless_no_kind_has_a_value() -> None:
    """ANN-2: a seat with nothing to say is asked too; where nothing has a value nobody is."""
    rules = changed(**REFUSED, timing=Timing.IN_ORDER)
    game, _ = three(rules, "2o 3c 12b / 7o 7c 1o / 5o 5c 5e / 4o 6o 10o 12o")
    assert engine.legal_moves(game.state, 0) == (Pass(),)
    assert refusal(game, 0, Announce(RONDA)) == (Reason.FALSE_ANNOUNCEMENT, "ANN-4")
    game, _ = three(changed(timing=Timing.IN_ORDER, kinds=KindAmounts()))
    assert engine.decide(game.state) == SeatsToAct((0,), Asked.CARD)


def test_simultaneous_answers_are_sealed_until_all_have_answered() -> None:
    """ANN-2, ANN-10: they come in any order and are shown in order of play, passes too."""
    game, _ = three(SIMULTANEOUS)
    assert engine.decide(game.state) == SeatsToAct((0, 1, 2), Asked.ANNOUNCEMENT)
    sealed = game.make(SeatMove(2, Announce(TRINGA)))
    assert sealed == [AnnouncementSealed(2, TRINGA)]
    assert owner(sealed[0]) == 2
    assert [observed(sealed[0], seat) for seat in (0, 1, 2, None)] == [
        AnnouncementSealed(2, Answer.HIDDEN),
        AnnouncementSealed(2, Answer.HIDDEN),
        AnnouncementSealed(2, TRINGA),
        AnnouncementSealed(2, Answer.HIDDEN),
    ]
    assert engine.decide(game.state) == SeatsToAct((0, 1), Asked.ANNOUNCEMENT)
    assert (public_view(game.state).answered, public_view(game.state).announcements) == ((2,), ())
    assert refusal(game, 2, Announce(RONDA)) == (Reason.NOT_YOUR_TURN, "CAP-1")
    assert game.make(SeatMove(0, Pass())) == [AnnouncementSealed(0, Answer.PASSED)]
    assert game.make(SeatMove(1, Announce(RONDA))) == [
        AnnouncementSealed(1, RONDA),
        AnnouncementPassed(0),
        AnnouncementMade(1, RONDA),
        AnnouncementMade(2, TRINGA),
    ]
    assert public_view(game.state).answered == (0, 1, 2)
    assert engine.decide(game.state) == SeatsToAct((0,), Asked.CARD)


def test_a_sealed_answer_looks_the_same_whatever_it_is() -> None:
    """ANN-10: what others see after a pass, a ronda and a tringa is the same."""
    seen = []
    for move in (Pass(), Announce(RONDA), Announce(TRINGA)):
        game, _ = three(SIMULTANEOUS)
        events = game.make(SeatMove(0, move))
        seen.append(([observed(event, 1) for event in events], public_view(game.state)))
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize("others", [(), (0,), (2,)])
def test_who_has_answered_is_not_told_to_one_who_tries_again(others: tuple[int, ...]) -> None:
    """ANN-2: seat 1 has answered; what it is told then is the same whoever else has."""
    game, _ = three(SIMULTANEOUS)
    for seat in (*others, 1):
        game.make(SeatMove(seat, Pass()))
    with pytest.raises(IllegalMove) as refused:
        game.make(SeatMove(1, Pass()))
    assert refused.value.reason == Reason.NOT_YOUR_TURN
    assert refused.value.detail == (
        "it is not the turn of seat 1: it has answered and the others may not have"
    )


def test_the_referee_announces_for_everyone() -> None:
    """ANN-2: AUTOMATIC says the first true kind of tringa, double, ronda, in order of play."""
    game, events = three(changed(**REFUSED, timing=Timing.AUTOMATIC))
    assert events[-3:] == [
        TableTurned(cards("4o 6o 10o 12o")),
        AnnouncementMade(0, RONDA),
        AnnouncementMade(2, TRINGA),
    ]
    assert engine.decide(game.state) == SeatsToAct((0,), Asked.CARD)
    assert refusal(game, 0, Announce(RONDA)) == (Reason.ALREADY_ANNOUNCED, "ANN-2")
    game.play("7o")
    assert refusal(game, 1, Announce(RONDA)) == (Reason.ANNOUNCEMENT_TOO_LATE, "ANN-2")


def test_the_referee_says_only_what_has_a_value() -> None:
    """ANN-2: without a value for the tringa its hand holds a ronda."""
    rules = changed(**REFUSED, timing=Timing.AUTOMATIC, kinds=KindAmounts(ronda=1))
    assert three(rules)[1][-2:] == [AnnouncementMade(0, RONDA), AnnouncementMade(2, RONDA)]


@pytest.mark.parametrize(
    ("hand", "kind"),
    [("4o 4c 4e 4b", DOUBLE), ("4o 4c 4e 6b", TRINGA), ("4o 4c 6e 6b", DOUBLE)],
)
def test_the_referee_prefers_tringa_then_double(hand: str, kind: AnnouncementKind) -> None:
    """ANN-1, ANN-2: four of a kind is a double and no tringa."""
    rules = changed(
        **EMPTY_TABLE,
        **REFUSED,
        timing=Timing.AUTOMATIC,
        kinds=KindAmounts(1, 5, 2),
        double_ronda=DoubleRonda.FIRST_BATCH_ONLY,
    )
    game = Game.begin(2, rules)
    assert game.deal(f"{hand} / 1o 2o 3o 5o")[-1] == AnnouncementMade(0, kind)


def test_at_once_shows_and_pays_before_the_first_card() -> None:
    """ANN-8: kinds and ranks are shown, and the best is paid, when the last seat has answered."""
    game, _ = three(changed(**REFUSED, timing=Timing.IN_ORDER, settle=Settle.AT_ONCE))
    game.announce(RONDA)
    game.make(SeatMove(1, Pass()))
    assert game.announce(RONDA) == [
        AnnouncementMade(2, RONDA),
        AnnouncementsRevealed(
            1,
            (
                RevealedAnnouncement(0, RONDA, index_of_rank(7)),
                RevealedAnnouncement(2, RONDA, index_of_rank(5)),
            ),
        ),
        AnnouncementsAwarded(1, ((0, 1),)),
    ]
    assert game.state.scores == (1, 0, 0)


def test_at_once_without_announcements_is_no_event() -> None:
    """ANN-8: a settlement of nothing is none."""
    game, _ = three(changed(**REFUSED, timing=Timing.IN_ORDER, settle=Settle.AT_ONCE))
    game.make(SeatMove(0, Pass()))
    game.make(SeatMove(1, Pass()))
    assert game.make(SeatMove(2, Pass())) == [AnnouncementPassed(2)]


def test_pot_with_a_tie_splits_at_once() -> None:
    """ANN-6, ANN-7: three rondas of 7, 5 and 7 make a pot of 3: one each for the tied sides."""
    rules = changed(**REFUSED, timing=Timing.IN_ORDER, settle=Settle.AT_ONCE, payout=Payout.POT)
    game, _ = three(rules, "7o 7c 1o / 5o 5c 12b / 7e 7b 1c / 4o 6o 10o 12o")
    events = [game.announce(RONDA) for _ in range(3)][-1]
    assert events[-1] == AnnouncementsAwarded(1, ((0, 1), (2, 1)))
    rules = changed(
        **REFUSED,
        timing=Timing.IN_ORDER,
        settle=Settle.AT_ONCE,
        payout=Payout.POT,
        announcement_tie=AnnouncementTie.NONE,
    )
    game, _ = three(rules, "7o 7c 1o / 5o 5c 12b / 7e 7b 1c / 4o 6o 10o 12o")
    events = [game.announce(RONDA) for _ in range(3)][-1]
    assert isinstance(events[-1], AnnouncementsRevealed)
