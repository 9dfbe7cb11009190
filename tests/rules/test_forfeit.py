"""A seat that forfeits cannot win: the other side has won, or of three the others play on."""

import dataclasses
import itertools
import random

import pytest

from ronda_rules import engine
from ronda_rules.errors import IllegalMove, PositionError, Reason
from ronda_rules.events import MatchEnded, SeatForfeited
from ronda_rules.moves import AnyMove, Challenge, Forfeit, Pass, SeatMove
from ronda_rules.position import format_position
from ronda_rules.rule_set import TargetTie, WinCheck
from ronda_rules.view import public_view
from tests.rules.bookkeeper import Bookkeeper
from tests.rules.invariants import Watchers
from tests.rules.playing import RONDA, Game
from tests.rules.playouts import some_move, some_rule_set
from tests.rules.rule_sets import MAGHRIBI, SHOWN, changed

TWO = (
    "seats 2; batch 6; turn 0; hands 1o 2o / 3o 4o; table 5o; piles 20 15; capturer 0; scores 40 7"
)
THREE = (
    "seats 3; batch 4; turn 0; hands 1o / 3o / 6o; table 5o 7o; piles 12 12 11; capturer 0; "
    "scores 40 7 9"
)
FOUR = (
    "seats 4; batch 3; turn 0; hands 1o / 3o / 6o / 7c; table 5o; piles 20 15; capturer 0; "
    "scores 40 7"
)


def test_with_two_seats_the_other_has_won() -> None:
    """Whatever the scores; nothing is counted any more."""
    events = engine.apply(Game.at(TWO).state, Forfeit(0))
    assert events == (SeatForfeited(0), MatchEnded((1,), (40, 7)))


def test_with_four_seats_the_other_side_has_won() -> None:
    """A partner's forfeit loses the match for both."""
    events = engine.apply(Game.at(FOUR).state, Forfeit(3))
    assert events == (SeatForfeited(3), MatchEnded((0,), (40, 7)))


def test_with_three_seats_the_others_play_to_the_end() -> None:
    """Seat 0 counts to 42 and has not won; seat 2, at 9 + 0, is behind seat 1 and nobody has 41."""
    game = Game.at(THREE)
    assert game.make(Forfeit(0)) == [SeatForfeited(0)]
    assert public_view(game.state).forfeited == (0,)
    events = game.play("1o 3o 6o")
    assert game.state.scores[0] >= 41
    assert not any(isinstance(event, MatchEnded) for event in events)
    assert game.state.deal == 2


def test_the_last_of_three_has_won() -> None:
    """With the second forfeit one side is left."""
    game = Game.at(THREE)
    game.make(Forfeit(1))
    assert game.make(Forfeit(0)) == [SeatForfeited(0), MatchEnded((2,), (40, 7, 9))]


def test_a_total_that_was_shared_with_a_seat_that_forfeits_wins() -> None:
    """41 : 41 : 9 was played on; without seat 0 seat 1 alone is highest."""
    rules = dataclasses.replace(
        MAGHRIBI, win_check=WinCheck.IMMEDIATE, target_tie=TargetTie.PLAY_ON
    )
    game = Game.at(THREE.replace("scores 40 7 9", "scores 41 41 9"), rules)
    assert game.make(Forfeit(0)) == [SeatForfeited(0), MatchEnded((1,), (41, 41, 9))]


def test_a_forfeit_ends_no_match_before_the_count_where_the_deal_end_is_looked_at() -> None:
    """MATCH-2: side 1 has 45 of 41 in mid-deal, and the match is looked at after the deal alone."""
    game = Game.at(THREE.replace("scores 40 7 9", "scores 7 45 9"))
    assert game.make(Forfeit(0)) == [SeatForfeited(0)]


def test_a_seat_forfeits_once_and_not_after_the_end() -> None:
    """Both are refused, and nothing changes."""
    game = Game.at(THREE)
    game.make(Forfeit(2))
    with pytest.raises(IllegalMove) as again:
        engine.apply(game.state, Forfeit(2))
    assert again.value.reason is Reason.SEAT_FORFEITED
    game.make(Forfeit(0))
    with pytest.raises(IllegalMove) as over:
        engine.apply(game.state, Forfeit(1))
    assert over.value.reason is Reason.MATCH_OVER


def test_an_announcement_of_a_seat_that_forfeited_is_not_challenged() -> None:
    """A true one would win the match for it."""
    game = Game.begin(3, changed(**SHOWN))
    game.deal("1o 1c 2o / 3o 4o 5o / 6o 7o 10o / 2c 4c 7c 12c")
    game.announce(RONDA)
    for seat in (1, 2):
        assert game.turn() == seat
        game.make(SeatMove(seat, Pass()))
    assert Challenge(0) in engine.legal_moves(game.state, 1)
    game.make(Forfeit(0))
    assert Challenge(0) not in engine.legal_moves(game.state, game.turn())


def test_a_position_after_a_forfeit_is_not_written() -> None:
    """The notation has no word for it, and would come back as another match."""
    game = Game.at(THREE)
    game.make(Forfeit(0))
    with pytest.raises(PositionError, match="after a forfeit") as caught:
        format_position(game.state)
    assert caught.value.field == "turn"


@pytest.mark.parametrize("seed", range(60))
def test_matches_with_forfeits_hold_together(seed: int) -> None:
    """Whenever seats forfeit: no card is lost, no view is behind, and none of them has won."""
    rng = random.Random(seed)
    rules, seats = some_rule_set(rng.choice)
    state, events = engine.begin(rules, seats)
    books, watchers = Bookkeeper(rules, seats), Watchers(rules, seats)
    forfeits = sorted(rng.randrange(60) for _ in range(rng.randrange(seats)))
    for step in itertools.count():
        for event in events:
            books.see(event)
            watchers.see(event)
        for seat in (*range(seats), None):
            watchers.agree_with(state, seat)
        decision = engine.decide(state)
        if isinstance(decision, engine.MatchOver):
            break
        if forfeits and step >= forfeits[0] and isinstance(decision, engine.SeatsToAct):
            forfeits.pop(0)
            left = [seat for seat in range(seats) if seat not in state.forfeited]
            move: AnyMove = Forfeit(rng.choice(left))
        else:
            move = some_move(rng, state)
        events = engine.apply(state, move)
        state = engine.fold(state, events)
    out = {state.side(seat) for seat in state.forfeited}
    assert set(state.winners).isdisjoint(out)
    assert state.winners
