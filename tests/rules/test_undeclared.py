"""Undeclared combinations found by the referee (CLAIM-1, CLAIM-2)."""

from typing import Any

import pytest

from ronda_rules.events import (
    AnnouncementsAwarded,
    BatchStarted,
    Event,
    FalseAnnouncementPenalised,
    MatchEnded,
    UndeclaredPenalised,
)
from ronda_rules.rule_set import (
    AnnouncementKind,
    DoubleRonda,
    KindAmounts,
    PenaltyTo,
    Settle,
    UndeclaredDetection,
    WinCheck,
)
from tests.rules.playing import RONDA, TRINGA, Game
from tests.rules.rule_sets import EMPTY_TABLE, REFUSED, changed

AUTOMATIC: dict[str, Any] = {
    "settle": Settle.BATCH_END,
    "undeclared_detection": UndeclaredDetection.AUTOMATIC,
    "undeclared_penalty": KindAmounts(ronda=1, tringa=5),
}
TABLE = "4o 6o 10o 12o"


def begin(seats: int, hands: str, **values: Any) -> Game:  # noqa: ANN401 - parameters of any type
    """Deal a first batch."""
    game = Game.begin(seats, changed(**{**AUTOMATIC, **values}))
    game.deal(f"{hands} / {TABLE}")
    return game


def charges(events: list[Event]) -> list[UndeclaredPenalised]:
    """Pick the penalties for what was not said."""
    return [event for event in events if isinstance(event, UndeclaredPenalised)]


def test_referee_charges_at_batch_end() -> None:
    """CLAIM-2: the best kind that the hand held, to the other side."""
    game = begin(2, "7o 7c 7e / 2o 2c 11b")
    events = game.play("7o 2o 7c 2c 7e 11b")
    assert events[-3:] == [
        UndeclaredPenalised(1, 0, TRINGA, ((1, 5),), None),
        UndeclaredPenalised(1, 1, RONDA, ((0, 1),), None),
        BatchStarted(2, 3, last=False),
    ]


@pytest.mark.parametrize(
    ("penalty_to", "shares"),
    [(PenaltyTo.NEXT_SEAT, ((0, 1),)), (PenaltyTo.EACH_OPPONENT, ((0, 1), (1, 1)))],
)
def test_with_three_seats_it_goes_where_false_penalties_go(
    penalty_to: PenaltyTo, shares: tuple[tuple[int, int], ...]
) -> None:
    """CLAIM-2, ANN-9: to the next seat, or to each opponent in full."""
    game = begin(3, "7o 5c 1o / 2o 3c 11b / 3o 3e 12b", penalty_to=penalty_to)
    events = game.play("7o 2o 3o 5c 3c 3e 1o 11b 12b")
    assert charges(events) == [UndeclaredPenalised(1, 2, RONDA, shares, None)]


def test_who_announced_anything_is_not_charged() -> None:
    """CLAIM-1: neither for a smaller announcement nor beside a false one."""
    game = begin(2, "7o 7c 7e / 2o 2c 11b")
    game.announce(RONDA)
    game.play("7o")
    game.announce(TRINGA)
    events = game.play("2o 7c 2c 7e 11b")
    assert charges(events) == []
    assert events[-2:] == [
        FalseAnnouncementPenalised(1, 1, TRINGA, ((0, 5),)),
        BatchStarted(2, 3, last=False),
    ]


def test_settlement_and_false_penalties_come_first() -> None:
    """CLAIM-2: settle, then what was false, then what was not said."""
    game = begin(3, "7o 7c 1o / 2o 3c 11b / 3o 3e 12b")
    game.announce(RONDA)
    game.play("7o")
    game.announce(TRINGA)
    events = game.play("2o 3o 7c 3c 3e 1o 11b 12b")
    assert events[-4:] == [
        AnnouncementsAwarded(1, ((0, 1),)),
        FalseAnnouncementPenalised(1, 1, TRINGA, ((2, 5),)),
        UndeclaredPenalised(1, 2, RONDA, ((0, 1),), None),
        BatchStarted(2, 3, last=False),
    ]


def test_charged_at_batch_end_even_where_announcements_wait_for_the_deal() -> None:
    """CLAIM-2: with settle DEAL_END the charge does not wait."""
    game = begin(2, "7o 7c 1e / 2o 3c 11b", settle=Settle.DEAL_END)
    assert charges(game.play("7o 2o 7c 3c 1e 11b")) == [
        UndeclaredPenalised(1, 0, RONDA, ((1, 1),), None)
    ]


def test_four_card_hands() -> None:
    """CLAIM-2, ANN-1: two pairs are a double in the first batch; four of a kind are no tringa."""
    double = AnnouncementKind.DOUBLE_RONDA
    rules = changed(
        **{**AUTOMATIC, "undeclared_penalty": KindAmounts(1, 5, 2)},
        **EMPTY_TABLE,
        **REFUSED,
        kinds=KindAmounts(1, 5, 2),
        double_ronda=DoubleRonda.FIRST_BATCH_ONLY,
    )
    game = Game.begin(2, rules)
    game.deal("7o 7c 2o 2c / 4o 4c 4e 4b")
    assert charges(game.play("7o 4o 7c 4c 2o 4e 2c 4b")) == [
        UndeclaredPenalised(1, 0, double, ((1, 2),), None),
        UndeclaredPenalised(1, 1, double, ((0, 2),), None),
    ]


def test_each_charge_is_a_moment() -> None:
    """MATCH-2: the first charge ends the match, the second does not come."""
    game = begin(2, "7o 7c 7e / 2o 2c 11b", win_check=WinCheck.IMMEDIATE, target=5)
    assert game.play("7o 2o 7c 2c 7e 11b")[-2:] == [
        UndeclaredPenalised(1, 0, TRINGA, ((1, 5),), None),
        MatchEnded((1,), (0, 5)),
    ]
