"""Counting the piles at the end of a deal (COUNT-1, COUNT-2), and text 000's two figures."""

import pytest

from ronda_rules.events import (
    AnnouncementMade,
    AnnouncementsAwarded,
    AnnouncementsRevealed,
    DealEnded,
    Event,
    LeftoversTaken,
    PilesCounted,
    PlayAwarded,
    RevealedAnnouncement,
)
from ronda_rules.rule_set import CountThresholds, RuleSet
from tests.rules.playing import RONDA, TRINGA, Game, cards
from tests.rules.rule_sets import MAGHRIBI, changed


def counted(seats: int, piles: str, rules: RuleSet = MAGHRIBI) -> list[PilesCounted]:
    """End a deal where the last seat's capture of one five adds two cards to its pile."""
    batch = {2: 6, 3: 4, 4: 3}[seats]
    hands = " / ".join(["-"] * (seats - 1) + ["5o"])
    game = Game.at(
        f"seats {seats}; batch {batch}; turn {seats - 1}; hands {hands}; table 5c; "
        f"piles {piles}; capturer {seats - 1}",
        rules,
    )
    return [event for event in game.play("5o") if isinstance(event, PilesCounted)]


@pytest.mark.parametrize(
    ("seats", "before", "piles", "shares"),
    [
        # Text 000: 26 cards between two seats are 6 points.
        (2, "14 24", (14, 26), ((1, 6),)),
        (2, "24 14", (24, 16), ((0, 4),)),
        (2, "20 18", (20, 20), ()),
        (2, "19 19", (19, 21), ((1, 1),)),
        (2, "0 38", (0, 40), ((1, 20),)),
        (3, "13 13 12", (13, 13, 14), ((2, 1),)),
        (3, "14 13 11", (14, 13, 13), ((0, 1),)),
        (3, "14 16 8", (14, 16, 10), ((0, 1), (1, 3))),
        (3, "0 20 18", (0, 20, 20), ((1, 7), (2, 7))),
        (4, "14 24", (14, 26), ((1, 6),)),
        (4, "23 15", (23, 17), ((0, 3),)),
    ],
)
def test_cards_above_the_threshold_are_points(
    seats: int, before: str, piles: tuple[int, ...], shares: tuple[tuple[int, int], ...]
) -> None:
    """COUNT-1, COUNT-2: above 20 for two sides, partners sharing one pile; above 13 for three."""
    assert counted(seats, before) == [PilesCounted(piles, shares)]


@pytest.mark.parametrize(
    ("seats", "before", "shares"),
    [(2, "14 24", ((0, 4), (1, 16))), (3, "14 16 8", ((0, 9), (1, 11), (2, 5)))],
)
def test_thresholds_are_the_rule_sets(
    seats: int, before: str, shares: tuple[tuple[int, int], ...]
) -> None:
    """COUNT-1: with 10 and 5, say, every side may score."""
    (event,) = counted(seats, before, changed(count=CountThresholds(two_sides=10, three_sides=5)))
    assert event.shares == shares


def test_rule_set_may_not_count() -> None:
    """COUNT-1: without a count nothing is counted, and the deal ends all the same."""
    assert counted(2, "14 24", changed(count=None)) == []


def test_threshold_that_cannot_be_passed_counts_nothing() -> None:
    """COUNT-1: a count above 40 is a count, of no points."""
    rules = changed(count=CountThresholds(two_sides=40, three_sides=40))
    assert counted(2, "0 38", rules) == [PilesCounted((0, 40), ())]


def test_leftovers_are_counted() -> None:
    """CAP-6, COUNT-1: what is left on the table is in a pile when the piles are counted."""
    game = Game.at(
        "seats 2; batch 6; turn 1; hands - / 5o; table 1o 3o 7o; piles 17 19; capturer 0"
    )
    assert game.play("5o")[2:4] == [
        LeftoversTaken(0, cards("1o 3o 5o 7o")),
        PilesCounted((21, 19), ((0, 1),)),
    ]


def test_twenty_four_cards_two_caidas_a_mesa_and_a_tringa_are_twelve_points() -> None:
    """MATCH-1, COUNT-1, ANN-6, CHAIN-1, MESA-1: text 000's example, 2 + 1 + 5 + 4 = 12.

    The tringa of the first batch wins over the other seat's ronda of kings.
    """
    game = Game.at(
        "seats 2; batch 6; turn 0; hands 1c 3c 6c / 3o 6o 12o; table 1o 7o; piles 16 16; "
        "capturer 1; said 1:0:tringa:11, 1:1:ronda:12"
    )
    events = game.play("1c 3o 3c 6o 6c 12o")
    scoring: list[Event] = [
        event
        for event in events
        if isinstance(
            event,
            PlayAwarded | AnnouncementsAwarded | LeftoversTaken | PilesCounted | DealEnded,
        )
    ]
    assert scoring == [
        PlayAwarded(0, 1, 0, ((0, 1),)),
        PlayAwarded(0, 1, 1, ((0, 2),)),
        LeftoversTaken(0, cards("12o")),
        AnnouncementsAwarded(1, ((0, 5),)),
        PilesCounted((24, 16), ((0, 4),)),
        DealEnded(1, (12, 0)),
    ]


def test_the_same_deal_announced_in_play() -> None:
    """ANN-2, COUNT-1: with the announcements made in the last batch the sum is the same."""
    game = Game.at(
        "seats 2; batch 6; turn 0; hands 6c 6e 6b / 12o 12e 6o; table 5o 7o; piles 16 16; "
        "capturer 1"
    )
    assert game.announce(TRINGA) == [AnnouncementMade(0, TRINGA)]
    game.play("6c")
    assert game.announce(RONDA) == [AnnouncementMade(1, RONDA)]
    events = game.play("6o 6e 12o 6b 12e")
    # 6c lies; 6o takes it and 7o (caida); 6e lies, 12o lies, 6b takes 6e: no caida, a turn lies
    # between; 12e takes 12o: no caida either, 6b was a capture. 5o is left for seat 1.
    assert events[-7:-2] == [
        LeftoversTaken(1, cards("5o")),
        AnnouncementsRevealed(
            6, (RevealedAnnouncement(0, TRINGA, 5), RevealedAnnouncement(1, RONDA, 9))
        ),
        AnnouncementsAwarded(6, ((0, 5),)),
        PilesCounted((18, 22), ((1, 2),)),
        DealEnded(1, (5, 3)),
    ]
