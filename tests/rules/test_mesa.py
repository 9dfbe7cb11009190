"""Mesa: a capture that leaves the table empty (MESA-1 to MESA-3)."""

import pytest

from ronda_rules.events import (
    BatchStarted,
    CardLaid,
    CardPlayed,
    CardsCaptured,
    Event,
    LeftoversTaken,
    PilesCounted,
    PlayAwarded,
)
from ronda_rules.rule_set import MesaExcluded, TableForbid
from tests.rules.playing import Game, card, cards
from tests.rules.rule_sets import EMPTY_TABLE, changed

LAST_BATCH = "seats 2; batch 6; turn 0; hands {hands}; table {table}; piles {piles}; capturer 0"


def awards(events: list[Event]) -> list[PlayAwarded]:
    """Pick the awards of play out of events."""
    return [event for event in events if isinstance(event, PlayAwarded)]


def test_capture_that_empties_the_table_is_a_mesa() -> None:
    """MESA-1: one point, scored at once."""
    game = Game.at(
        "seats 2; batch 2; turn 0; hands 5o 1o 2o / 3c 1c 2c; table 5e 6e; piles 6 2; capturer 0"
    )
    assert game.play("5o") == [
        CardPlayed(0, card("5o")),
        CardsCaptured(0, cards("5e 6e")),
        PlayAwarded(0, 0, 1, ((0, 1),)),
    ]
    assert game.state.scores == (1, 0)


def test_capture_that_leaves_a_card_is_none() -> None:
    """MESA-1: one card that stays is enough."""
    game = Game.at(
        "seats 2; batch 2; turn 0; hands 5o 1o 2o / 3c 1c 2c; table 5e 7e; piles 6 2; capturer 0"
    )
    assert awards(game.play("5o")) == []


def test_after_a_mesa_the_next_card_lies_and_may_be_a_caida() -> None:
    """MESA-1, MESA-2: a caida that empties the table is one award of both, two points."""
    game = Game.at(
        "seats 2; batch 2; turn 0; hands 5o 1o 2o / 3c 1c 2c; table 5e; piles 7 2; capturer 1"
    )
    assert game.play("5o 1c 1o") == [
        CardPlayed(0, card("5o")),
        CardsCaptured(0, cards("5e")),
        PlayAwarded(0, 0, 1, ((0, 1),)),
        CardPlayed(1, card("1c")),
        CardLaid(1, card("1c")),
        CardPlayed(0, card("1o")),
        CardsCaptured(0, cards("1c")),
        PlayAwarded(0, 1, 1, ((0, 2),)),
    ]
    assert game.state.scores == (3, 0)


def test_first_table_may_be_emptied() -> None:
    """MESA-1: four dealt cards taken with the first card are a mesa, no caida."""
    game = Game.at(
        "seats 2; batch 1; turn 0; hands 5o 1o 2o / 3c 1c 2c; table 5e 6e 7e 10e; piles 0 0",
        changed(table_forbids=frozenset({TableForbid.PAIRS})),
    )
    assert awards(game.play("5o")) == [PlayAwarded(0, 0, 1, ((0, 1),))]


def test_mesa_of_a_side_of_partners() -> None:
    """MESA-1: with four seats the point is the side's."""
    game = Game.at(
        "seats 4; batch 2; turn 3; hands 1o 2o / 3o 6o / 3c 6c / 5c 1c 2c; "
        "table 5o; piles 8 10; capturer 0"
    )
    assert awards(game.play("5c")) == [PlayAwarded(3, 0, 1, ((1, 1),))]


@pytest.mark.parametrize(
    ("mesa", "caida", "award"),
    [(0, 1, (1, 0, 1)), (3, 1, (1, 3, 4)), (3, 0, (0, 3, 3)), (0, 0, None)],
)
def test_rule_set_gives_the_value_of_a_mesa(
    mesa: int, caida: int, award: tuple[int, int, int] | None
) -> None:
    """MESA-1, MESA-2: a mesa of 0 is none; a caida keeps its own value beside it."""
    game = Game.at(
        "seats 2; batch 2; turn 1; hands 1o 2o / 5c 1c 2c; table 5o; piles 8 2; "
        "capturer 0; laid 5o",
        changed(mesa=mesa, ladder=(caida,)),
    )
    expected = [PlayAwarded(1, award[0], award[1], ((1, award[2]),))] if award else []
    assert awards(game.play("5c")) == expected


def test_last_card_of_the_deal_earns_no_mesa() -> None:
    """MESA-3: the dealer's last card of the last batch takes all, without a point."""
    game = Game.at("seats 2; batch 6; turn 1; hands - / 5c; table 5e 6e; piles 19 18; capturer 0")
    assert game.play("5c")[:3] == [
        CardPlayed(1, card("5c")),
        CardsCaptured(1, cards("5e 6e")),
        PilesCounted((19, 21), ((1, 1),)),
    ]


def test_last_card_of_the_deal_keeps_its_caida() -> None:
    """MESA-3: of a caida and mesa of the last card the caida stays."""
    game = Game.at(LAST_BATCH.format(hands="5o / 5c", table="-", piles="19 19"))
    assert awards(game.play("5o 5c")) == [PlayAwarded(1, 1, 0, ((1, 1),))]


def test_last_card_but_one_may_be_a_mesa() -> None:
    """MESA-3: only the very last card is excluded, not the last batch or the last round."""
    game = Game.at(LAST_BATCH.format(hands="5o / 1c", table="5e", piles="19 18"))
    assert awards(game.play("5o 1c")) == [PlayAwarded(0, 0, 1, ((0, 1),))]


def test_last_card_of_an_earlier_batch_may_be_a_mesa() -> None:
    """MESA-3: a deal goes on after it."""
    game = Game.at("seats 2; batch 5; turn 1; hands - / 5c; table 5e; piles 20 12; capturer 0")
    assert game.play("5c")[2:] == [
        PlayAwarded(1, 0, 1, ((1, 1),)),
        BatchStarted(6, 3, last=True),
    ]


@pytest.mark.parametrize(
    ("excluded", "middle", "last"),
    [
        (MesaExcluded.NONE, [1], [1]),
        (MesaExcluded.LAST_CARD, [1], []),
        (MesaExcluded.LAST_BATCH, [], []),
    ],
)
def test_mesa_excluded(excluded: MesaExcluded, middle: list[int], last: list[int]) -> None:
    """MESA-3: no card, the last card, or every card of the last batch earns no mesa."""
    rules = changed(mesa_excluded=excluded)
    game = Game.at(LAST_BATCH.format(hands="5o / 1c", table="5e", piles="19 18"), rules)
    assert [event.mesa for event in awards(game.play("5o"))] == middle
    game = Game.at(
        "seats 2; batch 6; turn 1; hands - / 5c; table 5e; piles 20 18; capturer 0", rules
    )
    assert [event.mesa for event in awards(game.play("5c"))] == last


def test_excluded_last_batch_keeps_its_caidas() -> None:
    """MESA-3: in the excluded batch a caida that empties the table scores the caida alone."""
    rules = changed(mesa_excluded=MesaExcluded.LAST_BATCH)
    game = Game.at(LAST_BATCH.format(hands="5o 1o / 5c 2c", table="-", piles="18 18"), rules)
    assert awards(game.play("5o 5c")) == [PlayAwarded(1, 1, 0, ((1, 1),))]


def test_excluded_last_batch_leaves_the_batch_before_alone() -> None:
    """MESA-3: the last batch but one still has its mesas."""
    game = Game.at(
        "seats 2; batch 5; turn 0; hands 5o / 5c; table 5e; piles 20 11; capturer 0",
        changed(mesa_excluded=MesaExcluded.LAST_BATCH),
    )
    assert awards(game.play("5o")) == [PlayAwarded(0, 0, 1, ((0, 1),))]


def test_leftovers_are_no_mesa() -> None:
    """MESA-1, CAP-6: taking what is left empties the table without a point."""
    game = Game.at(
        "seats 2; batch 6; turn 1; hands - / 3c; table 5e 6e; piles 19 18; capturer 0",
        changed(mesa_excluded=MesaExcluded.NONE),
    )
    assert game.play("3c")[1:4] == [
        CardLaid(1, card("3c")),
        LeftoversTaken(0, cards("3c 5e 6e")),
        PilesCounted((22, 18), ((0, 2),)),
    ]


def test_laying_on_an_empty_table_is_no_mesa() -> None:
    """MESA-1: only a capture can be one."""
    game = Game.begin(2, changed(**EMPTY_TABLE))
    game.deal("5o 1o 2o 3o / 5c 1c 2c 3c")
    assert game.play("5o") == [CardPlayed(0, card("5o")), CardLaid(0, card("5o"))]
