"""Where several reasons forbid a move, the first in the specification's order is named."""

import pytest

from ronda_rules import engine
from ronda_rules.engine import Asked, SeatsToAct
from ronda_rules.errors import Reason
from ronda_rules.moves import Announce, Challenge, Claim, Move, Pass, Play, SeatMove
from ronda_rules.rule_set import AnnouncementKind, DoubleRonda, KindAmounts, RuleSet, Timing
from tests.rules.playing import RONDA, TRINGA, Game, card, refusal
from tests.rules.rule_sets import EMPTY_TABLE, MAGHRIBI, REFUSED, changed

DOUBLE = AnnouncementKind.DOUBLE_RONDA
DOUBLES = changed(
    **EMPTY_TABLE,
    kinds=KindAmounts(1, 5, 2),
    false_penalty=KindAmounts(1, 5, 2),
    double_ronda=DoubleRonda.ANY_FOUR_CARD_HAND,
)
SECOND_CARD = (
    "seats 2; batch 6; turn 0; hands 7o 7c / 1c 2c; table 1o 3c 12o; piles 15 18; capturer 1"
)
THREES = (
    "seats 4; batch 2; turn 0; hands 7o 7c 7e / 1o 2o 3o / 1c 2c 3c / 1e 2e 3e; table -; "
    "piles 16 0; capturer 0; said 2:0:ronda:7"
)


@pytest.mark.parametrize(
    ("rules", "position", "kind", "reason"),
    [
        # No value; hands of three; and a card of the batch played.
        (MAGHRIBI, SECOND_CARD, DOUBLE, Reason.KIND_WITHOUT_VALUE),
        # Hands of three; announced already.
        (DOUBLES, THREES, DOUBLE, Reason.KIND_IMPOSSIBLE),
        # Announced already, as its hand supports; and a card of the batch played.
        (MAGHRIBI, f"{SECOND_CARD}; said 6:0:ronda:7", RONDA, Reason.ALREADY_ANNOUNCED),
        # A card of the batch played; and the hand is no tringa.
        (changed(**REFUSED), SECOND_CARD, TRINGA, Reason.ANNOUNCEMENT_TOO_LATE),
    ],
)
def test_the_first_reason_against_an_announcement_is_named(
    rules: RuleSet, position: str, kind: AnnouncementKind, reason: Reason
) -> None:
    """README, refusals: value, hand size, a second announcement, the time, the truth."""
    assert refusal(Game.at(position, rules), 0, Announce(kind))[0] is reason


def test_a_seat_that_need_not_act_is_told_so_before_anything_else() -> None:
    """README, refusals: also a seat that the match lacks; after the end that the match is over."""
    game = Game.at(
        "seats 2; batch 6; turn 1; hands - / 3o; table 1o 12o; piles 23 14; capturer 0; scores 40 0"
    )
    moves: list[Move] = [Announce(DOUBLE), Pass(), Play(card("12b")), Challenge(1), Claim(1)]
    for seat in (0, 2, 7):
        assert {refusal(game, seat, move)[0] for move in moves} == {Reason.NOT_YOUR_TURN}
    game.play("3o")
    for seat in (0, 1, 7):
        assert {refusal(game, seat, move)[0] for move in moves} == {Reason.MATCH_OVER}


def test_a_sealed_answer_cannot_be_given_twice() -> None:
    """ANN-2: it is not the turn of a seat that has answered, and the others are asked on."""
    game = Game.begin(3, changed(**REFUSED, timing=Timing.SIMULTANEOUS))
    game.deal("7o 7c 1o / 2o 3c 11b / 3o 5c 12b / 4o 6o 10o 11o")
    game.make(SeatMove(0, Announce(RONDA)))
    assert refusal(game, 0, Announce(RONDA)) == (Reason.NOT_YOUR_TURN, "CAP-1")
    assert refusal(game, 0, Pass()) == (Reason.NOT_YOUR_TURN, "CAP-1")
    assert engine.decide(game.state) == SeatsToAct((1, 2), Asked.ANNOUNCEMENT)


def test_what_is_not_asked_for_must_wait_whatever_is_wrong_with_it() -> None:
    """README, refusals: neither the card nor the seats of these moves are looked at."""
    game = Game.begin(2, changed(timing=Timing.IN_ORDER))
    game.deal("7o 7c 1o / 2o 3c 11b / 4o 6o 10o 12o")
    for move in (Play(card("12b")), Challenge(0), Challenge(9), Claim(9)):
        assert refusal(game, 0, move) == (Reason.ANSWER_DUE, "ANN-2")
    game.make(SeatMove(0, Pass()))
    game.make(SeatMove(1, Pass()))
    assert refusal(game, 0, Play(card("12b"))) == (Reason.CARD_NOT_IN_HAND, "CAP-1")
    assert refusal(game, 0, Challenge(9)) == (Reason.CHALLENGE_NOT_ALLOWED, "CHALL-1")
    assert refusal(game, 0, Claim(9)) == (Reason.CLAIM_NOT_ALLOWED, "CLAIM-3")
