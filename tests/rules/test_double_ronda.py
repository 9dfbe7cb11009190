"""The double ronda, and single rondas of four seats (ANN-1, ANN-5, ANN-6)."""

from typing import Any

import pytest

from ronda_rules import engine
from ronda_rules.errors import Reason
from ronda_rules.events import AnnouncementsAwarded, Event
from ronda_rules.moves import Announce, Pass, SeatMove
from ronda_rules.rule_set import (
    AllRondas,
    AnnouncementKind,
    DoubleRonda,
    KindAmounts,
    Payout,
    RankOrder,
    Settle,
    Timing,
)
from tests.rules.playing import RONDA, TRINGA, Game, refusal
from tests.rules.rule_sets import EMPTY_TABLE, REFUSED, changed

DOUBLE = AnnouncementKind.DOUBLE_RONDA
FOURS: dict[str, Any] = {
    **EMPTY_TABLE,
    **REFUSED,
    "kinds": KindAmounts(1, 5, 2),
    "double_ronda": DoubleRonda.FIRST_BATCH_ONLY,
    "timing": Timing.IN_ORDER,
    "settle": Settle.AT_ONCE,
}


def answer(game: Game, *kinds: AnnouncementKind | None) -> list[Event]:
    """Have all seats answer in order of play; give the events of the last answer."""
    events: list[Event] = []
    for kind in kinds:
        events = game.make(SeatMove(game.turn(), Pass() if kind is None else Announce(kind)))
    return events


def two(hands: str, **values: Any) -> Game:  # noqa: ANN401 - parameters of any type
    """Deal a first batch of fours to two seats."""
    game = Game.begin(2, changed(**{**FOURS, **values}))
    game.deal(hands)
    return game


def award(game: Game, *kinds: AnnouncementKind | None) -> tuple[tuple[int, int], ...]:
    """Give what is paid when all have answered."""
    paid = [e.shares for e in answer(game, *kinds) if isinstance(e, AnnouncementsAwarded)]
    return paid[0] if paid else ()


def test_two_pairs_support_a_ronda_and_a_double() -> None:
    """ANN-1, ANN-3: both may be said of two pairs; of four of a kind too; a tringa of neither."""
    game = two("7o 7c 2o 2c / 4o 4c 4e 4b")
    assert engine.supported_announcements(game.state, 0) == (RONDA, DOUBLE)
    assert refusal(game, 0, Announce(TRINGA)) == (Reason.FALSE_ANNOUNCEMENT, "ANN-4")
    answer(game, DOUBLE)
    assert engine.supported_announcements(game.state, 1) == (RONDA, DOUBLE)


def test_double_does_not_beat_a_single_by_being_double() -> None:
    """ANN-5: a ronda of 10 beats a double of 7 and 6; it is paid its own value, 1."""
    assert award(two("7o 7c 6o 6c / 10o 10c 1o 2o"), DOUBLE, RONDA) == ((1, 1),)


def test_second_pair_breaks_no_tie_and_the_larger_value_is_shared() -> None:
    """ANN-5 to ANN-7: double of 7 and 6 and ronda of 7 are equal; 2 by two is 1 for each."""
    assert award(two("7o 7c 6o 6c / 7e 7b 1o 2o"), DOUBLE, RONDA) == ((0, 1), (1, 1))
    assert award(two("7o 7c 6o 6c / 7e 7b 5e 5b"), DOUBLE, DOUBLE) == ((0, 1), (1, 1))


def test_tringa_beats_a_double() -> None:
    """ANN-5: three aces over two pairs of kings and knights."""
    assert award(two("1o 1c 1e 2o / 12o 12c 11o 11c"), TRINGA, DOUBLE) == ((0, 5),)


def test_rank_order_chooses_the_higher_pair() -> None:
    """ANN-5: with ACE_HIGH the pair of aces is the higher of the two."""
    hands = "1o 1c 2o 2c / 12o 12c 3o 4o"
    assert award(two(hands), DOUBLE, RONDA) == ((1, 1),)
    assert award(two(hands, rank_order=RankOrder.ACE_HIGH), DOUBLE, RONDA) == ((0, 2),)


@pytest.mark.parametrize(
    ("rule", "batch", "hand", "true"),
    [
        (DoubleRonda.FIRST_BATCH_ONLY, 1, "7o 7c 2o 2c", True),
        (DoubleRonda.FIRST_BATCH_ONLY, 2, "7o 7c 2o 2c", False),
        (DoubleRonda.FIRST_BATCH_ONLY, 2, "7o 7c 7e 7b", True),
        (DoubleRonda.ANY_FOUR_CARD_HAND, 2, "7o 7c 2o 2c", True),
        (DoubleRonda.ANY_FOUR_CARD_HAND, 2, "7o 7c 2o 3c", False),
    ],
)
def test_double_in_later_batches(rule: DoubleRonda, batch: int, hand: str, *, true: bool) -> None:
    """ANN-1: after the first batch two pairs are a double only in ANY_FOUR_CARD_HAND."""
    piles = "0 0" if batch == 1 else "8 0; capturer 0"
    values = {"double_ronda": rule, "timing": Timing.FIRST_TURN, "settle": Settle.BATCH_END}
    rules = changed(**{**FOURS, **values})
    position = f"seats 2; batch {batch}; turn 0; hands {hand} / 3o 4o 5o 6o; table -; piles {piles}"
    game = Game.at(position, rules)
    assert (DOUBLE in engine.supported_announcements(game.state, 0)) is true


def test_double_cannot_be_said_of_three_cards() -> None:
    """ANN-1: in a batch of three it is illegal, not false, even where bluffs are penalised."""
    rules = changed(
        **EMPTY_TABLE,
        kinds=KindAmounts(1, 5, 2),
        false_penalty=KindAmounts(1, 5, 2),
        double_ronda=DoubleRonda.ANY_FOUR_CARD_HAND,
    )
    game = Game.at(
        "seats 4; batch 2; turn 0; hands 7o 7c 7e / 1o 2o 3o / 1c 2c 3c / 1e 2e 3e; table -; "
        "piles 16 0; capturer 0",
        rules,
    )
    assert refusal(game, 0, Announce(DOUBLE)) == (Reason.KIND_IMPOSSIBLE, "ANN-1")


def test_highest_of_four_rondas_is_best_unless_ruled_otherwise() -> None:
    """ANN-5: rondas of 4, 5, 10 and 12: the 12 of seat 3 takes the pot of 4."""
    rules = changed(**REFUSED, timing=Timing.IN_ORDER, settle=Settle.AT_ONCE, payout=Payout.POT)
    game = Game.begin(4, rules)
    game.deal("4o 4c 1o / 5o 5c 1c / 10o 10c 1e / 12o 12c 2o / 3o 6o 7o 11o")
    assert award(game, RONDA, RONDA, RONDA, RONDA) == ((1, 4),)


def test_lowest_counts_only_where_every_seat_has_a_ronda() -> None:
    """ANN-5: with one pass, or with a tringa among them, the best is as ever."""
    rules = changed(
        **REFUSED,
        timing=Timing.IN_ORDER,
        settle=Settle.AT_ONCE,
        payout=Payout.POT,
        all_rondas=AllRondas.LOWEST,
    )
    # The 4 of seat 0 is lowest; the 12 of seat 3 is highest.
    hands = "4o 4c 1o / 5o 5c 1c / 10o 10c 1e / 12o 12c 12e / 3o 6o 7o 11o"
    for said, winners in (
        ((RONDA, RONDA, RONDA, RONDA), ((0, 4),)),
        ((RONDA, RONDA, None, RONDA), ((1, 3),)),
        ((RONDA, RONDA, RONDA, TRINGA), ((1, 8),)),
    ):
        game = Game.begin(4, rules)
        game.deal(hands)
        assert award(game, *said) == winners


def test_lowest_goes_by_the_rank_order() -> None:
    """ANN-5: with ACE_HIGH the lowest of 1, 3, 4 and 5 is the 3."""
    hands = "1o 1c 2o / 3o 3c 2c / 4o 4c 2e / 5o 5c 12o / 6o 7o 11o 12c"
    for order, winners in ((RankOrder.KING_HIGH, ((0, 4),)), (RankOrder.ACE_HIGH, ((1, 4),))):
        rules = changed(
            **REFUSED,
            timing=Timing.IN_ORDER,
            settle=Settle.AT_ONCE,
            payout=Payout.POT,
            all_rondas=AllRondas.LOWEST,
            rank_order=order,
        )
        game = Game.begin(4, rules)
        game.deal(hands)
        assert award(game, RONDA, RONDA, RONDA, RONDA) == winners
