"""Claims of what was held and not announced (CLAIM-1, CLAIM-3, WIN-1)."""

from typing import Any

from ronda_rules import engine
from ronda_rules.engine import Asked, SeatsToAct
from ronda_rules.errors import Reason
from ronda_rules.events import BatchStarted, MatchEnded, UndeclaredPenalised, WindowPassed
from ronda_rules.moves import Announce, Challenge, Claim, Pass, Play, SeatMove
from ronda_rules.rule_set import KindAmounts
from tests.rules.playing import RONDA, TRINGA, Game, card, refusal
from tests.rules.rule_sets import SHOWN, changed

TABLE = "4o 6o 10o 12o"


def begin(seats: int, hands: str, **values: Any) -> Game:  # noqa: ANN401 - parameters of any type
    """Deal a first batch in which nobody announces."""
    game = Game.begin(seats, changed(**{**SHOWN, **values}))
    game.deal(f"{hands} / {TABLE}")
    for seat in range(seats):
        game.make(SeatMove(seat, Pass()))
    return game


def test_claim_on_ones_own_turn() -> None:
    """CLAIM-3: two 7s shown and nothing said: the claimant's side gets 1, and then plays."""
    game = begin(2, "7o 7c 1o / 2o 3c 11b")
    game.play("7o")
    assert refusal(game, 1, Claim(0)) == (Reason.CLAIM_NOT_ALLOWED, "CLAIM-3")
    game.play("2o 7c")
    assert engine.legal_moves(game.state, 1)[0] == Claim(0)
    assert game.make(SeatMove(1, Claim(0))) == [UndeclaredPenalised(1, 0, RONDA, ((1, 1),), 1)]
    assert engine.decide(game.state) == SeatsToAct((1,), Asked.CARD)
    assert refusal(game, 1, Claim(0)) == (Reason.CLAIM_NOT_ALLOWED, "CLAIM-3")
    assert game.state.scores[1] == 1


def test_claim_is_worth_what_the_cards_prove_at_that_moment() -> None:
    """CLAIM-3: two 7s prove a ronda; the third, at batch end, a tringa."""
    game = begin(2, "7o 7c 7e / 2o 3c 11b")
    game.play("7o 2o 7c")
    assert game.make(SeatMove(1, Claim(0)))[0] == UndeclaredPenalised(1, 0, RONDA, ((1, 1),), 1)
    game = begin(2, "7o 7c 7e / 2o 3c 11b")
    game.play("7o 2o 7c 3c 7e 11b")
    assert engine.decide(game.state) == SeatsToAct((1,), Asked.CLAIM)
    assert game.make(SeatMove(1, Claim(0)))[0] == UndeclaredPenalised(1, 0, TRINGA, ((1, 5),), 1)


def test_window_at_batch_end() -> None:
    """WIN-1: who has something to claim is asked, in order of play, and passes when done."""
    game = begin(3, "7o 7c 1o / 2o 2c 11b / 3o 5c 12b")
    game.play("7o 2o 3o 7c 2c 5c 1o 11b 12b")
    assert engine.decide(game.state) == SeatsToAct((0,), Asked.CLAIM)
    assert engine.legal_moves(game.state, 0) == (Claim(1), Pass())
    assert refusal(game, 0, Play(card("7o"))) == (Reason.ANSWER_DUE, "WIN-1")
    assert refusal(game, 0, Announce(RONDA)) == (Reason.ANSWER_DUE, "WIN-1")
    assert refusal(game, 0, Challenge(1)) == (Reason.ANSWER_DUE, "WIN-1")
    assert game.make(SeatMove(0, Pass())) == [WindowPassed(0)]
    assert engine.decide(game.state) == SeatsToAct((1,), Asked.CLAIM)
    assert game.make(SeatMove(1, Claim(0))) == [UndeclaredPenalised(1, 0, RONDA, ((1, 1),), 1)]
    assert engine.legal_moves(game.state, 1) == (Pass(),)
    game.make(SeatMove(1, Pass()))
    # Seat 0 has been charged; seat 1 has not.
    assert engine.legal_moves(game.state, 2) == (Claim(1), Pass())
    game.make(SeatMove(2, Claim(1)))
    assert game.make(SeatMove(2, Pass())) == [WindowPassed(2), BatchStarted(2, 3, last=False)]


def test_no_window_where_nothing_can_be_claimed() -> None:
    """WIN-1: the next batch follows at once."""
    game = begin(2, "7o 5c 1o / 2o 3c 11b")
    assert game.play("7o 2o 5c 3c 1o 11b")[-1] == BatchStarted(2, 3, last=False)


def test_who_announced_anything_is_never_charged() -> None:
    """CLAIM-1: a ronda said with a tringa in hand, and even a false one, protect."""
    for hands in ("7o 7c 7e / 2o 3c 11b", "7o 7c 1e / 2o 3c 11b"):
        game = Game.begin(2, changed(**{**SHOWN, "challenge": False}))
        game.deal(f"{hands} / {TABLE}")
        game.announce(RONDA if "7e" in hands else TRINGA)
        game.make(SeatMove(1, Pass()))
        first, second, third = hands.split(" / ")[0].split()
        game.play(f"{first} 2o {second}")
        assert refusal(game, 1, Claim(0)) == (Reason.CLAIM_NOT_ALLOWED, "CLAIM-3")
        assert game.play(f"3c {third} 11b")[-1] == BatchStarted(2, 3, last=False)


def test_partners_make_no_claims() -> None:
    """CLAIM-3: an opponent claims; seat 2 is the partner of seat 0."""
    game = begin(4, "7o 7c 1o / 2o 3c 11b / 3o 5c 12b / 1c 4c 10b")
    game.play("7o 2o 3o 1c 7c")
    assert Claim(0) in engine.legal_moves(game.state, 1)
    game.play("3c")
    assert refusal(game, 2, Claim(0)) == (Reason.CLAIM_NOT_ALLOWED, "CLAIM-3")


def test_claimants_side_alone_receives() -> None:
    """CLAIM-3: with three seats the third gets nothing."""
    game = begin(3, "7o 7c 1o / 2o 3c 11b / 3o 5c 12b")
    game.play("7o 2o 3o 7c 3c")
    assert game.make(SeatMove(2, Claim(0))) == [UndeclaredPenalised(1, 0, RONDA, ((2, 1),), 2)]


def test_tringa_without_a_value_is_claimed_as_a_ronda() -> None:
    """CLAIM-3: the best kind is the first of tringa, double, ronda that has a value."""
    values: dict[str, Any] = {
        "kinds": KindAmounts(ronda=1),
        "false_penalty": KindAmounts(ronda=1),
        "undeclared_penalty": KindAmounts(ronda=3),
    }
    game = begin(2, "7o 7c 7e / 2o 3c 11b", **values)
    game.play("7o 2o 7c 3c 7e 11b")
    assert game.make(SeatMove(1, Claim(0)))[0] == UndeclaredPenalised(1, 0, RONDA, ((1, 3),), 1)


def test_claim_can_end_the_match() -> None:
    """MATCH-2: each claim is a moment; nothing is asked after the end."""
    game = Game.at(
        "seats 2; batch 2; turn 1; hands 1o / 3c 11b; table 7c; piles 12 0; capturer 0; "
        "played 7o 7c / 2o; scores 3 40",
        changed(**SHOWN),
    )
    assert game.make(SeatMove(1, Claim(0))) == [
        UndeclaredPenalised(2, 0, RONDA, ((1, 1),), 1),
        MatchEnded((1,), (3, 41)),
    ]


def test_claimed_seats_are_remembered_by_positions() -> None:
    """CLAIM-3: one successful claim per offender and batch."""
    game = Game.at(
        "seats 2; batch 2; turn 1; hands 1o / 3c 11b; table 7c; piles 12 0; capturer 0; "
        "played 7o 7c / 2o; claimed 0",
        changed(**SHOWN),
    )
    assert refusal(game, 1, Claim(0)) == (Reason.CLAIM_NOT_ALLOWED, "CLAIM-3")
