"""Caida: taking the card that the seat before has just laid (CHAIN-1 to CHAIN-4)."""

import pytest

from ronda_rules.events import (
    BatchStarted,
    CardLaid,
    CardPlayed,
    CardsCaptured,
    Event,
    PlayAwarded,
)
from ronda_rules.rule_set import Opening
from tests.rules.playing import Game, card, cards
from tests.rules.rule_sets import EMPTY_TABLE, changed

TWO = "seats 2; batch 2; turn 0; hands {hands}; table {table}; piles {piles}; capturer 0"


def two_seats(hands: str, table: str) -> Game:
    """Set up two seats at the start of the second batch, two cards on the table."""
    return Game.at(TWO.format(hands=hands, table=table, piles="6 2"))


def awards(events: list[Event]) -> list[PlayAwarded]:
    """Pick the awards of play out of events."""
    return [event for event in events if isinstance(event, PlayAwarded)]


def test_taking_the_card_just_laid_is_a_caida() -> None:
    """CHAIN-1: one point, scored at once, for the side whose card takes it."""
    game = two_seats("5o 1o 2o / 5c 1c 2c", "12o 10o")
    assert game.play("5o 5c") == [
        CardPlayed(0, card("5o")),
        CardLaid(0, card("5o")),
        CardPlayed(1, card("5c")),
        CardsCaptured(1, cards("5o")),
        PlayAwarded(1, 1, 0, ((1, 1),)),
    ]
    assert game.state.scores == (0, 1)


def test_caida_may_take_a_run_along() -> None:
    """CHAIN-1: the laid card is the equal rank; the run above it changes nothing."""
    game = two_seats("5o 1o 2o / 5c 1c 2c", "12o 6o")
    assert game.play("5o 5c")[3:] == [
        CardsCaptured(1, cards("5o 6o")),
        PlayAwarded(1, 1, 0, ((1, 1),)),
    ]


def test_dealt_table_card_is_nobodys() -> None:
    """CHAIN-2: taking a card of the first table is no caida, whoever plays."""
    game = Game.begin(2)
    game.deal("5o 1o 2o / 6c 1c 2c / 5e 6e 10e 12e")
    assert awards(game.play("5o")) == []
    game = Game.begin(2)
    game.deal("5o 1o 2o / 6c 1c 2c / 5e 6e 10e 12e")
    assert awards(game.play("1o 6c")) == []


def test_caida_does_not_reach_across_batches() -> None:
    """CHAIN-2: the first card of a batch takes the dealer's last card without a point."""
    game = Game.at("seats 2; batch 2; turn 1; hands - / 5o; table 12o 10o; piles 11 2; capturer 0")
    assert game.play("5o")[-1] == BatchStarted(3, 3, last=False)
    game.deal("5c 1c 2c / 5e 1e 2e")
    assert game.play("5c") == [CardPlayed(0, card("5c")), CardsCaptured(0, cards("5o"))]
    # With the batch's first card laid, the count begins anew within the batch.
    assert awards(game.play("1e 1c")) == [PlayAwarded(0, 1, 0, ((0, 1),))]


def test_older_card_of_the_table_is_no_caida() -> None:
    """CHAIN-1: only the seat just before counts, not one's own card of a turn ago."""
    game = two_seats("5o 5c 2o / 1c 3c 7c", "12o 10o")
    assert awards(game.play("5o 1c 5c")) == []
    game = Game.at(
        "seats 3; batch 2; turn 0; hands 5o 1o 2o / 3o 6o 7o / 5c 1c 2c; table 12o 10o; "
        "piles 8 2 1; capturer 0"
    )
    assert awards(game.play("5o 3o 5c")) == []


def test_matching_the_card_of_the_seat_before_but_one_is_no_caida() -> None:
    """CHAIN-1: a capture by the seat before leaves nothing of its own to take."""
    game = two_seats("5o 5c 2o / 10c 3c 7c", "12o 10o")
    # Seat 1 captures an old ten; the five that seat 0 takes then is seat 0's own.
    assert awards(game.play("5o 10c 5c")) == []


def test_card_taken_inside_a_run_is_no_caida() -> None:
    """CHAIN-3: a five takes the five that lay there and the six just laid: no point."""
    game = two_seats("6o 1o 2o / 5c 1c 2c", "5o 12o")
    assert game.play("6o 5c") == [
        CardPlayed(0, card("6o")),
        CardLaid(0, card("6o")),
        CardPlayed(1, card("5c")),
        CardsCaptured(1, cards("5o 6o")),
    ]


def test_ordinary_capture_is_not_answered() -> None:
    """CHAIN-1: after an ordinary capture a third equal card finds nothing, and lies."""
    game = two_seats("5o 1o 2o / 5c 1c 2c", "5e 12o")
    assert game.play("5o 5c") == [
        CardPlayed(0, card("5o")),
        CardsCaptured(0, cards("5e")),
        CardPlayed(1, card("5c")),
        CardLaid(1, card("5c")),
    ]


def test_third_equal_card_lies_and_the_fourth_is_a_new_caida() -> None:
    """CHAIN-4: a ladder of one step captures at once; each pair is a caida of its own."""
    game = two_seats("5o 5e 2o / 5c 5b 2c", "12o 10o")
    assert game.play("5o 5c 5e 5b") == [
        CardPlayed(0, card("5o")),
        CardLaid(0, card("5o")),
        CardPlayed(1, card("5c")),
        CardsCaptured(1, cards("5o")),
        PlayAwarded(1, 1, 0, ((1, 1),)),
        CardPlayed(0, card("5e")),
        CardLaid(0, card("5e")),
        CardPlayed(1, card("5b")),
        CardsCaptured(1, cards("5e")),
        PlayAwarded(1, 1, 0, ((1, 1),)),
    ]
    assert game.state.scores == (0, 2)


def test_caida_of_a_side_of_partners() -> None:
    """CHAIN-1: with four seats the point is the side's."""
    game = Game.at(
        "seats 4; batch 2; turn 0; hands 5o 1o 2o / 3o 6o 7o / 3c 6c 7c / 5c 1c 2c; "
        "table 12o 10o; piles 8 6; capturer 0"
    )
    assert awards(game.play("5o 3o 3c")) == [PlayAwarded(2, 1, 0, ((0, 1),))]
    # Seat 3 takes the five that seat 0 laid: three turns ago, so no caida.
    assert awards(game.play("5c")) == []


def test_last_card_of_a_batch_may_be_a_caida() -> None:
    """CHAIN-2: the dealer's last card still belongs to the batch."""
    game = Game.at("seats 2; batch 2; turn 0; hands 5o / 5c; table 12o 10o; piles 10 2; capturer 0")
    assert awards(game.play("5o 5c")) == [PlayAwarded(1, 1, 0, ((1, 1),))]


@pytest.mark.parametrize(
    ("ladder", "min_seats", "points"),
    [((2,), 0, 2), ((7,), 4, 7), ((), 0, 0), ((0,), 0, 0), ((3, 5, 10), 3, 3), ((3, 5), 4, 3)],
)
def test_ladder_gives_the_points_of_a_caida(
    ladder: tuple[int, ...], min_seats: int, points: int
) -> None:
    """CHAIN-1, CHAIN-4: the first step; below `chain_min_seats` seats there is no other.

    A step of 0, or no step, scores nothing and is no award; the capture stands.
    """
    rules = changed(ladder=ladder, chain_min_seats=min_seats, seats=((2, Opening.TABLE_OF_FOUR),))
    game = Game.at(TWO.format(hands="5o 1o 2o / 5c 1c 2c", table="12o", piles="7 2"), rules)
    expected: list[Event] = [
        CardPlayed(0, card("5o")),
        CardLaid(0, card("5o")),
        CardPlayed(1, card("5c")),
        CardsCaptured(1, cards("5o")),
    ]
    if points:
        expected.append(PlayAwarded(1, points, 0, ((1, points),)))
    assert game.play("5o 5c") == expected


@pytest.mark.parametrize("ladder", [(), (0,)])
def test_third_equal_card_lies_without_points_too(ladder: tuple[int, ...]) -> None:
    """CHAIN-4: without a ladder, or with a step of 0, nothing is held back."""
    game = Game.at(
        TWO.format(hands="5o 5e 2o / 5c 1c 2c", table="12o", piles="7 2"),
        changed(ladder=ladder),
    )
    assert game.play("5o 5c 5e")[-1] == CardLaid(0, card("5e"))
    assert game.state.piles == (7, 4)


def test_caida_from_the_first_card_of_an_empty_table() -> None:
    """CHAIN-1: with an empty opening the first card lies and can be taken, with a mesa."""
    game = Game.begin(2, changed(**EMPTY_TABLE))
    game.deal("5o 1o 2o 3o / 5c 1c 2c 3c")
    assert game.play("5o 5c")[-1] == PlayAwarded(1, 1, 1, ((1, 2),))


def test_position_may_say_which_card_was_just_laid() -> None:
    """CHAIN-1: the same position with and without a card just laid differs by the point."""
    line = "seats 2; batch 2; turn 1; hands 1o 2o / 5c 1c 2c; table 5o 12o; piles 7 2; capturer 0"
    assert awards(Game.at(line + "; laid 5o").play("5c")) == [PlayAwarded(1, 1, 0, ((1, 1),))]
    assert awards(Game.at(line).play("5c")) == []
