"""Capturing: equal rank, run, piles and leftovers (CAP-1 to CAP-6)."""

import itertools

import pytest

from ronda_rules import engine
from ronda_rules.capture import captured_by
from ronda_rules.cards import cards_of, set_of
from ronda_rules.engine import Asked, SeatsToAct
from ronda_rules.events import (
    CardLaid,
    CardPlayed,
    CardsCaptured,
    Event,
    LeftoversTaken,
    PlayAwarded,
)
from ronda_rules.moves import Play
from ronda_rules.rule_set import Opening
from tests.rules.playing import Game, card, cards
from tests.rules.rule_sets import changed


def first_card(played: str, table: str) -> list[Event]:
    """Play a card in the second batch on a table that nobody has just laid on."""
    hand = f"{played} 4c 5c" if played not in {"4c", "5c"} else f"{played} 2c 3c"
    size = 0 if table == "-" else len(table.split())
    pile = 40 - 6 - 24 - size
    game = Game.at(
        f"seats 2; batch 2; turn 0; hands {hand} / 4e 4b 5b; table {table}; piles {pile} 0"
        + ("; capturer 0" if pile else "")
    )
    return game.play(played)


@pytest.mark.parametrize(
    ("played", "table", "taken"),
    [
        ("6c", "6o 7o 10o 12o", "6o 7o 10o"),
        ("6c", "6o", "6o"),
        ("6c", "6o 10o 11o", "6o"),
        ("6c", "5o 6o 10o", "6o"),
        ("6c", "5o 6o 7o 11o", "6o 7o"),
        ("7c", "7o 10o 11o 12o", "7o 10o 11o 12o"),
        ("12c", "12o 1o 2o", "12o"),
        ("11c", "11o 12o 1o 2o", "11o 12o"),
        ("1c", "1o 2o 3o 12o", "1o 2o 3o"),
        ("10c", "7o 10o 11o", "10o 11o"),
        ("1c", "1o 2o 3o 4o 5o 6o 7o 10o 11o 12o", "1o 2o 3o 4o 5o 6o 7o 10o 11o 12o"),
        ("3c", "3e 1b 4o", "3e 4o"),
    ],
)
def test_equal_rank_is_captured_with_the_run_above_it(played: str, table: str, taken: str) -> None:
    """CAP-2, CAP-3: up to the first rank that lacks; 10 follows 7, nothing follows 12."""
    mesa = taken == table or set(cards(taken)) == set(cards(table))
    expected: list[Event] = [
        CardPlayed(0, card(played)),
        CardsCaptured(0, cards(taken)),
    ]
    if mesa:
        expected.append(PlayAwarded(0, 0, 1, ((0, 1),)))
    assert first_card(played, table) == expected


@pytest.mark.parametrize(
    ("played", "table"),
    [("5c", "6o 7o"), ("12c", "1o 11o"), ("1c", "2o 12o"), ("7c", "6o 10o"), ("3c", "-")],
)
def test_card_without_an_equal_rank_lies(played: str, table: str) -> None:
    """CAP-4: a run needs an equal rank to begin with, and an empty table has none."""
    assert first_card(played, table) == [CardPlayed(0, card(played)), CardLaid(0, card(played))]


def test_laid_card_joins_the_table_and_captured_cards_leave_it() -> None:
    """CAP-4, CAP-5: text 000's own example: the king stays; four cards go to the pile."""
    game = Game.at(
        "seats 2; batch 6; turn 0; hands 6c 11c / 12c 3c; table 6o 7o 10o 12o; piles 16 16; "
        "capturer 1"
    )
    game.play("6c")
    assert list(cards_of(game.state.table)) == [card("12o")]
    assert game.state.piles == (20, 16)
    assert game.state.hands == (cards("11c"), cards("12c 3c"))
    game.play("3c")
    assert set(cards_of(game.state.table)) == set(cards("12o 3c"))
    assert game.state.piles == (20, 16)


def test_every_table_and_every_card() -> None:
    """CAP-2, CAP-3, CAP-4: all 10,240 pairs of a rank and a set of ranks on the table.

    The expectation walks the ranks written in their order.
    """
    order = ["1", "2", "3", "4", "5", "6", "7", "10", "11", "12"]
    for size in range(11):
        for table in itertools.combinations(order, size):
            on_table = set_of(card(rank + "e") for rank in table)
            for start, rank in enumerate(order):
                run = list(itertools.takewhile(table.__contains__, order[start:]))
                expected = {card(one + "e") for one in run}
                assert set(cards_of(captured_by(card(rank + "b"), on_table))) == expected


def test_partners_share_a_pile() -> None:
    """CAP-5: with four seats a capture goes to the pile of the seat's side."""
    game = Game.at(
        "seats 4; batch 3; turn 0; hands 6c 1c 2c / 7c 1e 2e / 10c 1b 2b / 11c 3c 4c; "
        "table 6o 7o 10o 11o; piles 10 14; capturer 3"
    )
    # 6c takes all four with a mesa, seat 1 lays, seat 2 lays, seat 3 lays.
    game.play("6c")
    assert game.state.piles == (15, 14)
    game.play("1e 1b")
    assert game.state.piles == (17, 14)
    game.play("11c 1c 7c 10c 4c 2c 2e")
    assert game.state.piles == (17, 16)


def test_any_card_of_the_hand_may_be_played() -> None:
    """CAP-1: a seat that could capture need not; it plays whichever card it likes."""
    position = (
        "seats 3; batch 4; turn 1; hands 2c 3c / 6c 11c 5c / 12c 3e 4e; "
        "table 6o 7o 10o 12o 4o; piles 9 9 9; capturer 1; laid 4o"
    )
    for one in ("6c", "11c", "5c"):
        game = Game.at(position)
        assert Play(card(one)) in engine.legal_moves(game.state, 1)
        assert game.play(one)[0] == CardPlayed(1, card(one))


@pytest.mark.parametrize(
    ("seats", "dealer", "order"),
    [(2, 1, [0, 1] * 3), (2, 0, [1, 0] * 3), (3, 0, [1, 2, 0] * 3), (4, 3, [0, 1, 2, 3] * 3)],
)
def test_seats_play_in_order_from_the_one_after_the_dealer(
    seats: int, dealer: int, order: list[int]
) -> None:
    """CAP-1: one card a turn, the dealer last, round after round until the hands are empty."""
    game = Game.begin(seats, changed(first_dealer=dealer, seats=((seats, Opening.TABLE_OF_FOUR),)))
    hands = ["1o 2o 3o ", " 1c 2c 3c ", " 1e 2e 3e ", " 1b 2b 3b"][:seats]
    game.deal("/".join([*hands, "4o 6o 10o 12o"]))
    events = game.play(" ".join(f"{rank}{suit}" for rank in (1, 2, 3) for suit in "oceb"[:seats]))
    played = [event.seat for event in events if isinstance(event, CardPlayed)]
    assert played == order
    assert isinstance(engine.decide(game.state), engine.DrawCards)


def test_turn_passes_to_the_next_seat_after_a_capture_too() -> None:
    """CAP-1: capturing gives no further turn."""
    game = Game.at(
        "seats 3; batch 4; turn 0; hands 6 1 2 / 7 3 4 / 12 3 4; table 6 10; "
        "piles 29 0 0; capturer 0"
    )
    game.play("6o")
    assert engine.decide(game.state) == SeatsToAct((1,), Asked.CARD)


@pytest.mark.parametrize(
    ("capturer", "last", "events"),
    [
        # The dealer lays last: what is left, its card too, goes to whoever captured before.
        (0, "5c", [CardLaid(1, card("5c")), LeftoversTaken(0, cards("1o 2o 5c"))]),
        (1, "5c", [CardLaid(1, card("5c")), LeftoversTaken(1, cards("1o 2o 5c"))]),
        # The dealer captures with the last card and so gets the rest too.
        (0, "2c", [CardsCaptured(1, cards("2o")), LeftoversTaken(1, cards("1o"))]),
    ],
)
def test_leftovers_go_to_the_seat_that_captured_last(
    capturer: int, last: str, events: list[Event]
) -> None:
    """CAP-6: not to whoever played last; and it is no mesa."""
    game = Game.at(
        f"seats 2; batch 6; turn 1; hands - / {last}; table 1o 2o; piles 18 19; capturer {capturer}"
    )
    assert game.play(last)[1:3] == events
