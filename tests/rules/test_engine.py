"""Who must act, what is refused and why, and that a match is its events."""

import random

import pytest

from ronda_rules import engine
from ronda_rules.engine import Asked, DrawCards, DrawDealer, MatchOver, SeatsToAct
from ronda_rules.errors import DrawError, IllegalMove, Reason
from ronda_rules.events import CardLaid, CardPlayed, MatchEnded, MatchStarted
from ronda_rules.evolve import evolve
from ronda_rules.moves import (
    Announce,
    Challenge,
    Claim,
    DealerDrawn,
    Drawn,
    Move,
    Pass,
    Play,
    SeatMove,
)
from ronda_rules.rule_set import AnnouncementKind, FirstDealer, KindAmounts
from ronda_rules.state import initial
from tests.rules.playing import RONDA, TRINGA, Game, card, cards, refusal
from tests.rules.rule_sets import MAGHRIBI, REFUSED, changed

FIRST_TURN = "seats 3; batch 1; turn 0; hands 1 2 3 / 1 2 3 / 1 2 3; table 4 6 11 12; piles 0 0 0"
SECOND_TURN = (
    "seats 3; batch 1; turn 0; hands 2 3 / 2 3 / 2 3; table 1 4 6 11 12; piles 0 2 0; capturer 1"
)


def test_phases_of_a_deal() -> None:
    """DEAL-3 to DEAL-6, CAP-1: dealer, hands, table, turns, hands again."""
    game = Game.begin(2, changed(first_dealer=FirstDealer.DRAWN))
    full = (1 << 40) - 1
    assert engine.decide(game.state) == DrawDealer(2)
    game.make(DealerDrawn(0))
    assert engine.decide(game.state) == DrawCards(3, full)
    game.deal("1o 2o 3o / 1c 2c 3c")
    assert engine.decide(game.state) == DrawCards(4, full & ~0x1C07)
    game.draw("4o 6o 11o 12o")
    turns = []
    for one in ["1o", "1c", "2o", "2c", "3o", "3c"]:
        decision = engine.decide(game.state)
        assert isinstance(decision, SeatsToAct)
        turns.append(decision.seats)
        game.play(one)
    assert turns == [(1,), (0,)] * 3
    assert isinstance(engine.decide(game.state), DrawCards)


@pytest.mark.parametrize(
    ("position", "seat", "move", "reason", "clause"),
    [
        (FIRST_TURN, 1, Play(10), Reason.NOT_YOUR_TURN, "CAP-1"),
        (FIRST_TURN, 2, Play(0), Reason.NOT_YOUR_TURN, "CAP-1"),
        (FIRST_TURN, 1, Announce(RONDA), Reason.NOT_YOUR_TURN, "CAP-1"),
        (FIRST_TURN, 1, Pass(), Reason.NOT_YOUR_TURN, "CAP-1"),
        (FIRST_TURN, 1, Challenge(0), Reason.NOT_YOUR_TURN, "CAP-1"),
        (FIRST_TURN, 2, Claim(0), Reason.NOT_YOUR_TURN, "CAP-1"),
        # Another seat's card, a card of the table, a card of the pack.
        (FIRST_TURN, 0, Play(10), Reason.CARD_NOT_IN_HAND, "CAP-1"),
        (FIRST_TURN, 0, Play(3), Reason.CARD_NOT_IN_HAND, "CAP-1"),
        (FIRST_TURN, 0, Play(39), Reason.CARD_NOT_IN_HAND, "CAP-1"),
        (FIRST_TURN, 0, Pass(), Reason.NOTHING_TO_PASS, "ANN-2"),
        (
            FIRST_TURN,
            0,
            Announce(AnnouncementKind.DOUBLE_RONDA),
            Reason.KIND_WITHOUT_VALUE,
            "ANN-1",
        ),
        (FIRST_TURN, 0, Challenge(1), Reason.CHALLENGE_NOT_ALLOWED, "CHALL-1"),
        (FIRST_TURN, 0, Claim(1), Reason.CLAIM_NOT_ALLOWED, "CLAIM-3"),
        (SECOND_TURN, 0, Announce(RONDA), Reason.ANNOUNCEMENT_TOO_LATE, "ANN-2"),
        (SECOND_TURN, 0, Announce(TRINGA), Reason.ANNOUNCEMENT_TOO_LATE, "ANN-2"),
    ],
)
def test_illegal_moves(position: str, seat: int, move: Move, reason: Reason, clause: str) -> None:
    """CAP-1, ANN-1, ANN-2: each refusal has its reason and clause, and changes nothing."""
    assert refusal(Game.at(position), seat, move) == (reason, clause)


def test_false_announcement_is_refused_where_bluffs_are() -> None:
    """ANN-4: the reason says that the hand does not support it."""
    game = Game.at(FIRST_TURN, changed(**REFUSED))
    assert refusal(game, 0, Announce(RONDA)) == (Reason.FALSE_ANNOUNCEMENT, "ANN-4")


def test_card_is_played_once() -> None:
    """CAP-1: a card that has been played is in no hand."""
    game = Game.at(FIRST_TURN)
    game.play("1o 1c 1e")
    assert refusal(game, 0, Play(card("1o"))) == (Reason.CARD_NOT_IN_HAND, "CAP-1")


def test_no_seat_acts_while_cards_are_dealt() -> None:
    """CAP-1, DEAL-5: the turn comes when every hand and the table lie."""
    game = Game.begin(2)
    for hand in ("1o 2o 3o", "1c 2c 3c"):
        assert engine.legal_moves(game.state, 0) == ()
        assert refusal(game, 0, Play(card("1o"))) == (Reason.NOT_YOUR_TURN, "CAP-1")
        game.draw(hand)
    assert refusal(game, 0, Play(card("1o"))) == (Reason.NOT_YOUR_TURN, "CAP-1")
    assert refusal(game, 0, Announce(RONDA)) == (Reason.NOT_YOUR_TURN, "CAP-1")


def test_no_seat_acts_before_the_dealer_is_drawn() -> None:
    """DEAL-3: nobody has a turn before the first deal."""
    game = Game.begin(2, changed(first_dealer=FirstDealer.DRAWN))
    assert refusal(game, 0, Play(0)) == (Reason.NOT_YOUR_TURN, "CAP-1")


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_seat_that_does_not_play_has_no_turn(seat: int) -> None:
    """DEAL-2: three seats play."""
    state = Game.at(FIRST_TURN).state
    assert engine.legal_moves(state, seat) == ()
    with pytest.raises(IllegalMove) as caught:
        engine.apply(state, SeatMove(seat, Play(0)))
    assert caught.value.reason is Reason.NOT_YOUR_TURN


def test_errors_say_what_is_wrong_and_with_which_values() -> None:
    """The text has reason, sentence and clause; the values stand by name."""
    with pytest.raises(IllegalMove) as caught:
        engine.apply(Game.at(FIRST_TURN).state, SeatMove(0, Play(card("12b"))))
    assert caught.value.values == {"card": "12b", "seat": "0"}
    assert str(caught.value) == ("CARD_NOT_IN_HAND: 12b is not in the hand of seat 0 (CAP-1)")
    with pytest.raises(IllegalMove, match="seat 0 must act"):
        engine.apply(Game.at(FIRST_TURN).state, SeatMove(1, Play(card("1c"))))
    with pytest.raises(DrawError) as drawn:
        engine.apply(Game.begin(2).state, Drawn(cards("1o 2o 2o")))
    assert drawn.value.values == {"cards": "1o 2o 2o"}


def test_announcing_does_not_end_the_turn() -> None:
    """ANN-2: the seat that announced plays next."""
    game = Game.at(FIRST_TURN)
    game.announce(RONDA)
    assert engine.decide(game.state) == SeatsToAct((0,), Asked.CARD)
    game.play("1o")
    assert engine.decide(game.state) == SeatsToAct((1,), Asked.CARD)


def test_rule_set_without_announcements_asks_for_cards_alone() -> None:
    """ANN-1: where no kind has a value a first turn is a card."""
    game = Game.at(FIRST_TURN, changed(kinds=KindAmounts()))
    assert engine.legal_moves(game.state, 0) == tuple(map(Play, cards("1o 2o 3o")))


def test_moves_give_events_and_events_give_the_state() -> None:
    """`apply` changes nothing itself; folding its events gives the state after the move."""
    state = Game.at(FIRST_TURN).state
    move = SeatMove(0, Play(card("2o")))
    events = engine.apply(state, move)
    assert events == (CardPlayed(0, card("2o")), CardLaid(0, card("2o")))
    assert engine.apply(state, move) == events
    after = engine.fold(state, events)
    assert after == evolve(evolve(state, events[0]), events[1])
    assert (after.hands[0], after.laid) == (cards("1o 3o"), card("2o"))


def test_state_before_the_first_event() -> None:
    """A match's events begin with its start, and fold from the initial state."""
    state, events = engine.begin(MAGHRIBI, 4)
    assert events[0] == MatchStarted(4)
    assert engine.fold(initial(MAGHRIBI, 4), events) == state


def test_match_is_played_to_its_end() -> None:
    """MATCH-2: a whole match of maghribi ends with its end and nothing after it."""
    game = Game.begin(4)
    game.play_out(random.Random(3), deals=1_000)
    end = game.events[-1]
    assert isinstance(end, MatchEnded)
    assert max(end.scores) >= 41
    assert engine.decide(game.state) == MatchOver(end.winners)
    assert game.events.count(end) == 1
