"""The dealer's duty (DUTY-1)."""

from typing import Any

import pytest

from ronda_rules.events import (
    CardLaid,
    CardPlayed,
    CardsCaptured,
    CardsHeld,
    ChainClosed,
    DutyAwarded,
    Event,
    LeftoversTaken,
    MatchEnded,
    PlayAwarded,
)
from ronda_rules.rule_set import DealerDuty, WinCheck
from tests.rules.playing import Game, card, cards
from tests.rules.rule_sets import CHAIN, changed

DUTY = {"dealer_duty": DealerDuty(king=5, ace=4, miss=3)}


def last(seats: int, played: str, table: str, more: str = "", **values: Any) -> list[Event]:  # noqa: ANN401 - parameters of any type
    """Play the dealer's last card of the deal; give its events up to the leftovers."""
    sides = 3 if seats == 3 else 2
    lying = 0 if table == "-" else len(table.split())
    held = 3 if "held" in more else 0
    piles = " ".join([str(39 - lying - held), *["0"] * (sides - 1)])
    batch = {2: 6, 3: 4, 4: 3}[seats]
    hands = " / ".join([*["-"] * (seats - 1), played])
    game = Game.at(
        f"seats {seats}; batch {batch}; turn {seats - 1}; hands {hands}; table {table}; "
        f"piles {piles}; capturer 0{more}",
        changed(**{**DUTY, **values}),
    )
    return game.play(played)


@pytest.mark.parametrize(("seats", "shares"), [(2, ((1, 5),)), (3, ((2, 5),)), (4, ((1, 5),))])
def test_capture_with_a_king(seats: int, shares: tuple[tuple[int, int], ...]) -> None:
    """DUTY-1: the dealer's side gets `king`."""
    events = last(seats, "12c", "1o 12o")
    assert events[:4] == [
        CardPlayed(seats - 1, card("12c")),
        CardsCaptured(seats - 1, cards("12o")),
        DutyAwarded(seats - 1, shares),
        LeftoversTaken(seats - 1, cards("1o")),
    ]


@pytest.mark.parametrize(
    ("seats", "shares"), [(2, ((0, 4),)), (3, ((0, 4), (1, 4))), (4, ((0, 4),))]
)
def test_capture_with_an_ace(seats: int, shares: tuple[tuple[int, int], ...]) -> None:
    """DUTY-1: each opposing side gets `ace`."""
    assert last(seats, "1c", "1o 12o")[2] == DutyAwarded(seats - 1, shares)


def test_capture_with_another_card() -> None:
    """DUTY-1: nothing, the duty is done."""
    assert last(2, "7c", "7o 12o")[2] == LeftoversTaken(1, cards("12o"))


@pytest.mark.parametrize("played", ["12c", "1c", "7c"])
def test_no_capture(played: str) -> None:
    """DUTY-1: each opposing side gets `miss`, whatever the card."""
    assert last(3, played, "5o 11o")[1:3] == [
        CardLaid(2, card(played)),
        DutyAwarded(2, ((0, 3), (1, 3))),
    ]


def test_caida_and_continued_chain_are_captures() -> None:
    """DUTY-1: their award comes before the duty's."""
    assert last(2, "12c", "12o 1o", "; laid 12o")[1:4] == [
        CardsCaptured(1, cards("12o")),
        PlayAwarded(1, 1, 0, ((1, 1),)),
        DutyAwarded(1, ((1, 5),)),
    ]
    assert last(3, "12c", "1o", "; held 1:1:12:3:0", **CHAIN)[1:4] == [
        CardsHeld(2, 2, (), 0),
        ChainClosed(2, 2, 4),
        PlayAwarded(2, 5, 0, ((2, 5),)),
    ]


def test_the_chain_that_the_last_card_closes_is_no_capture_of_it() -> None:
    """DUTY-1: the dealer lays another card: a miss."""
    events = last(3, "7c", "1o", "; held 1:1:12:3:0", **CHAIN)
    assert [event for event in events if isinstance(event, DutyAwarded)] == [
        DutyAwarded(2, ((0, 3), (1, 3)))
    ]


def test_only_the_last_card_of_the_deal() -> None:
    """DUTY-1: not the dealer's last card of an earlier batch."""
    game = Game.at(
        "seats 2; batch 5; turn 1; hands - / 12c; table 12o 1o; piles 31 0; capturer 0",
        changed(**DUTY),
    )
    assert not any(isinstance(event, DutyAwarded) for event in game.play("12c"))


def test_amounts_of_nothing_are_no_duty() -> None:
    """DUTY-1: with all amounts 0 there is none."""
    events = last(2, "7c", "5o 11o", dealer_duty=DealerDuty())
    assert not any(isinstance(event, DutyAwarded) for event in events)


def test_duty_can_end_the_match() -> None:
    """MATCH-2: it is a moment of its own, before the leftovers and the count."""
    events = last(2, "12c", "1o 12o", "; scores 3 36", win_check=WinCheck.IMMEDIATE)
    assert events[2:] == [DutyAwarded(1, ((1, 5),)), MatchEnded((1,), (3, 41))]
