"""The chain: a caida that is held until nobody answers it (CHAIN-5 to CHAIN-8, MESA-4)."""

from typing import Any

import pytest

from ronda_rules.events import (
    CardLaid,
    CardPlayed,
    CardsCaptured,
    CardsHeld,
    ChainClosed,
    Event,
    MatchEnded,
    PlayAwarded,
)
from ronda_rules.rule_set import ChainPayment, MesaExcluded, WinCheck
from ronda_rules.view import HeldView, public_view
from tests.rules.playing import Game, card, cards
from tests.rules.rule_sets import CHAIN, EMPTY_TABLE, changed

THREE = "seats 3; batch 2; turn 0; hands {hands}; table {table}; piles {piles}; capturer 0"
FOUR = "seats 4; batch 2; turn 0; hands {hands}; table {table}; piles {piles}; capturer 0"


def three(hands: str, table: str, **values: Any) -> Game:  # noqa: ANN401 - parameters of any type
    """Set up three seats in the second batch; 13 cards are in piles and on the table."""
    piles = f"{13 - len(table.split())} 0 0"
    rules = changed(**{**CHAIN, **values})
    return Game.at(THREE.format(hands=hands, table=table, piles=piles), rules)


def four(hands: str, table: str, **values: Any) -> Game:  # noqa: ANN401 - parameters of any type
    """Set up four seats in the second batch; 16 cards are in piles and on the table."""
    piles = f"{16 - len(table.split())} 0"
    rules = changed(**{**CHAIN, **values})
    return Game.at(FOUR.format(hands=hands, table=table, piles=piles), rules)


def awards(events: list[Event]) -> list[tuple[int, int, int]]:
    """Pick seat, caida and mesa of the awards of play."""
    return [(e.seat, e.caida, e.mesa) for e in events if isinstance(e, PlayAwarded)]


def test_caida_is_held_and_scores_when_it_closes() -> None:
    """CHAIN-5, CHAIN-7: both cards and the run lie aside until the next seat plays another rank."""
    game = three("5o 1o 2o / 5c 1c 2c / 4e 10e 11e", "6o 12o")
    assert game.play("5o 5c") == [
        CardPlayed(0, card("5o")),
        CardLaid(0, card("5o")),
        CardPlayed(1, card("5c")),
        CardsHeld(1, 1, cards("5o 6o"), 0),
    ]
    assert public_view(game.state).held == HeldView(1, 4, 1, 3, 0)
    assert game.state.scores == (0, 0, 0)
    assert game.state.piles == (11, 0, 0)
    assert game.play("4e") == [
        CardPlayed(2, card("4e")),
        ChainClosed(1, 1, 3),
        PlayAwarded(1, 1, 0, ((1, 1),)),
        CardLaid(2, card("4e")),
    ]
    assert game.state.piles == (11, 3, 0)
    assert (game.state.scores, game.state.held) == ((0, 1, 0), None)


def test_third_and_fourth_card_make_the_chain_the_last_seats() -> None:
    """CHAIN-6: the last seat takes the pile and scores its own step alone, 10 and not 16.

    With three seats the fourth card comes from the seat that played the first.
    """
    game = three("5o 5b 2o / 5c 1c 2c / 5e 10e 11e", "1o 12o")
    assert game.play("5o 5c 5e")[-2:] == [
        CardPlayed(2, card("5e")),
        CardsHeld(2, 2, (), 0),
    ]
    assert game.play("5b") == [
        CardPlayed(0, card("5b")),
        CardsHeld(0, 3, (), 0),
        ChainClosed(0, 3, 4),
        PlayAwarded(0, 10, 0, ((0, 10),)),
    ]
    assert game.state.piles == (15, 0, 0)


def test_third_card_alone_is_worth_five() -> None:
    """CHAIN-6, CHAIN-7: the chain closes at its second step, for the third seat."""
    game = three("5o 1o 2o / 5c 1c 2c / 5e 10e 11e", "3o 12o")
    game.play("5o 5c 5e")
    assert game.play("1o")[1:3] == [ChainClosed(2, 2, 3), PlayAwarded(2, 5, 0, ((2, 5),))]


def test_ladder_of_two_steps_closes_with_the_third_card() -> None:
    """CHAIN-7: the ladder's last step closes the chain; the fourth card finds nothing and lies."""
    game = three("5o 5b 2o / 5c 1c 2c / 5e 10e 11e", "1o 12o", ladder=(1, 5))
    assert game.play("5o 5c 5e")[-2:] == [ChainClosed(2, 2, 3), PlayAwarded(2, 5, 0, ((2, 5),))]
    assert game.play("5b")[-1] == CardLaid(0, card("5b"))


def test_with_fewer_seats_nothing_is_held() -> None:
    """CHAIN-1: below `chain_min_seats` the ladder is its first step, and captures at once."""
    position = (
        "seats 2; batch 2; turn 0; hands 5o 5e 2o / 5c 5b 2c; table 1o; piles 9 0; capturer 0"
    )
    game = Game.at(position, changed(**CHAIN))
    assert game.play("5o 5c 5e 5b")[3:] == [
        CardsCaptured(1, cards("5o")),
        PlayAwarded(1, 1, 0, ((1, 1),)),
        CardPlayed(0, card("5e")),
        CardLaid(0, card("5e")),
        CardPlayed(1, card("5b")),
        CardsCaptured(1, cards("5e")),
        PlayAwarded(1, 1, 0, ((1, 1),)),
    ]


def test_ranks_of_the_run_inside_the_pile_capture_nothing() -> None:
    """CHAIN-5: a 6 does not take the 6 that is held; it closes the chain and lies."""
    game = three("5o 1o 2o / 5c 1c 2c / 6e 10e 11e", "6o 12o")
    game.play("5o 5c")
    assert game.play("6e")[1:] == [
        ChainClosed(1, 1, 3),
        PlayAwarded(1, 1, 0, ((1, 1),)),
        CardLaid(2, card("6e")),
    ]


def test_last_card_of_the_batch_closes_its_own_chain() -> None:
    """CHAIN-7: a caida with the batch's last card is held and closed at once, as one award."""
    game = Game.at(
        "seats 3; batch 2; turn 1; hands - / 5o / 5c; table -; piles 20 0 0; capturer 0",
        changed(**CHAIN),
    )
    assert game.play("5o 5c")[2:6] == [
        CardPlayed(2, card("5c")),
        CardsHeld(2, 1, cards("5o"), 1),
        ChainClosed(2, 1, 2),
        PlayAwarded(2, 1, 1, ((2, 2),)),
    ]


@pytest.mark.parametrize(
    ("played", "award"),
    [
        ("5o 5c 4e", (1, 1, 1)),
        ("5o 5c 5e 2o", (2, 5, 1)),
        ("5o 5c 5e 5b", (0, 10, 1)),
    ],
)
def test_mesa_travels_with_the_chain_once(played: str, award: tuple[int, int, int]) -> None:
    """MESA-4: 2, 6 or 11; a later link makes no mesa of its own though the table stays empty."""
    game = three("5o 5b 2o / 5c 1c 2c / 5e 4e 11e", "6o")
    events = game.play(played)
    assert next(e.mesa for e in events if isinstance(e, CardsHeld)) == 1
    assert awards(events) == [award]


def test_held_pile_is_not_on_the_table() -> None:
    """MESA-4: the card that closes a chain can make a mesa of its own."""
    game = three("5o 1o 2o / 5c 1c 2c / 12e 10e 11e", "12o")
    assert awards(game.play("5o 5c 12e")) == [(1, 1, 0), (2, 0, 1)]


def test_mesa_is_lost_where_the_last_card_continues_the_chain() -> None:
    """MESA-3, MESA-4: the very last card earns no mesa, not even one that travels."""
    position = (
        "seats 3; batch 4; turn 1; hands - / 5o / 5c; "
        "table -; piles 35 0 0; capturer 0; held 0:1:5:3:1"
    )
    game = Game.at(position, changed(**CHAIN))
    # Seat 1 continues and is not the last; seat 2 is.
    assert game.play("5o") == [CardPlayed(1, card("5o")), CardsHeld(1, 2, (), 1)]
    assert game.play("5c")[:4] == [
        CardPlayed(2, card("5c")),
        CardsHeld(2, 3, (), 0),
        ChainClosed(2, 3, 5),
        PlayAwarded(2, 10, 0, ((2, 10),)),
    ]


def test_mesa_is_kept_where_the_last_card_closes_the_chain() -> None:
    """MESA-3: the mesa was made by an earlier card."""
    position = (
        "seats 3; batch 4; turn 2; hands - / - / 7c; "
        "table -; piles 36 0 0; capturer 0; held 1:1:5:3:1"
    )
    game = Game.at(position, changed(**CHAIN))
    assert game.play("7c")[1:3] == [ChainClosed(1, 1, 3), PlayAwarded(1, 1, 1, ((1, 2),))]


def test_last_batch_excluded_loses_what_its_cards_continue() -> None:
    """MESA-3: with LAST_BATCH the mesa of a chain from the batch before is lost by a link."""
    rules = changed(**CHAIN, mesa_excluded=MesaExcluded.LAST_BATCH, chain_across_batches=True)
    position = (
        "seats 3; batch 4; turn 0; hands 5o 1o 2o / 6c 7c 1c / 2e 3e 4e; "
        "table -; piles 28 0 0; capturer 0; held 2:1:5:3:1"
    )
    assert Game.at(position, rules).play("5o")[1:] == [CardsHeld(0, 2, (), 0)]
    assert Game.at(position, rules).play("1o")[1:3] == [
        ChainClosed(2, 1, 3),
        PlayAwarded(2, 1, 1, ((2, 2),)),
    ]


def test_owner_of_a_closed_chain_is_the_last_capturer() -> None:
    """CHAIN-6, CAP-6: the pile counts as a capture when it closes, for its owner."""
    game = three("5o 1o 2o / 5c 1c 2c / 4e 10e 11e", "6o 12o")
    game.play("5o 5c")
    assert game.state.last_capturer == 0
    game.play("4e")
    assert game.state.last_capturer == 1


def test_card_that_closes_a_chain_can_begin_the_next() -> None:
    """CHAIN-7: it lies, and the next seat takes it with a caida."""
    game = three("5o 4o 2o / 5c 1c 2c / 4e 10e 11e", "12o 11o")
    game.play("5o 5c 4e")
    assert game.play("4o")[1] == CardsHeld(0, 1, cards("4e"), 0)


def test_ordinary_capture_of_an_older_card_begins_no_chain() -> None:
    """CHAIN-1: the 5 lay before; a third 5 finds nothing and lies."""
    game = three("1o 2o 3o / 5c 1c 2c / 5e 10e 11e", "5o 12o")
    assert game.play("1o 5c")[-1] == CardsCaptured(1, cards("5o"))
    assert game.play("5e")[-1] == CardLaid(2, card("5e"))


def test_chain_of_another_side_is_continued_by_the_partner_too() -> None:
    """CHAIN-6: four seats; the fourth card is seat 3's, and its side scores."""
    game = four("5o 1o 2o / 5c 1c 2c / 5e 10e 11e / 5b 3b 4b", "12o 11o")
    assert game.play("5o 5c 5e 5b")[-3:] == [
        CardsHeld(3, 3, (), 0),
        ChainClosed(3, 3, 4),
        PlayAwarded(3, 10, 0, ((1, 10),)),
    ]


def test_each_link_scores_when_it_is_played() -> None:
    """CHAIN-8: 1, then 5, then 10 with the mesa that travelled; all are kept."""
    game = three("5o 5b 2o / 5c 1c 2c / 5e 4e 11e", "6o", chain_payment=ChainPayment.EACH_LINK)
    assert game.play("5o 5c")[-2:] == [
        CardsHeld(1, 1, cards("5o 6o"), 1),
        PlayAwarded(1, 1, 0, ((1, 1),)),
    ]
    assert game.play("5e")[1:] == [CardsHeld(2, 2, (), 1), PlayAwarded(2, 5, 0, ((2, 5),))]
    assert game.play("5b")[1:] == [
        CardsHeld(0, 3, (), 1),
        ChainClosed(0, 3, 5),
        PlayAwarded(0, 10, 1, ((0, 11),)),
    ]
    assert game.state.scores == (11, 1, 5)


def test_each_link_closing_scores_the_mesa_alone() -> None:
    """CHAIN-8: at closing the steps have been scored; a chain without a mesa closes for nothing."""
    link = ChainPayment.EACH_LINK
    game = three("5o 5b 2o / 5c 1c 2c / 5e 4e 11e", "6o", chain_payment=link)
    game.play("5o 5c")
    assert game.play("4e")[1:3] == [ChainClosed(1, 1, 3), PlayAwarded(1, 0, 1, ((1, 1),))]
    game = three("5o 5b 2o / 5c 1c 2c / 5e 4e 11e", "6o 12o", chain_payment=link)
    game.play("5o 5c")
    assert game.play("4e")[1:] == [ChainClosed(1, 1, 3), CardLaid(2, card("4e"))]


def test_step_of_nothing_is_a_step() -> None:
    """CHAIN-1: a first step of 0 scores nothing and is held; the second scores."""
    game = three("5o 1o 2o / 5c 1c 2c / 5e 10e 11e", "3o 12o", ladder=(0, 5))
    assert game.play("5o 5c 5e")[3:] == [
        CardsHeld(1, 1, cards("5o"), 0),
        CardPlayed(2, card("5e")),
        CardsHeld(2, 2, (), 0),
        ChainClosed(2, 2, 3),
        PlayAwarded(2, 5, 0, ((2, 5),)),
    ]
    game = three("5o 1o 2o / 5c 1c 2c / 4e 10e 11e", "3o 12o", ladder=(0, 5))
    game.play("5o 5c")
    # The 4 begins no run here: 3 and 12 lie, so that it lies too, and the chain closed for nothing.
    assert game.play("4e")[1:] == [ChainClosed(1, 1, 2), CardLaid(2, card("4e"))]


def test_chain_goes_on_over_batches_where_it_may() -> None:
    """CHAIN-2, CHAIN-7: with `chain_across_batches` the dealer's caida waits for the next batch."""
    rules = changed(**CHAIN, chain_across_batches=True)
    game = Game.at(
        "seats 3; batch 2; turn 1; hands - / 5o / 5c; table 1o; piles 19 0 0; capturer 0; "
        "pack 5e 1c 2c 3c 4c 6c 7c 10c 11c 1e 2e 3e 4e 6e 7e 10e 11e 12e",
        rules,
    )
    assert game.play("5o 5c")[3] == CardsHeld(2, 1, cards("5o"), 0)
    game.deal("5e 1c 2c / 3c 4c 6c / 7c 10c 11c")
    assert game.play("5e") == [CardPlayed(0, card("5e")), CardsHeld(0, 2, (), 0)]
    # Within a batch alone it would have been closed with the batch.
    game = Game.at(
        "seats 3; batch 2; turn 1; hands - / 5o / 5c; table 1o; piles 19 0 0; capturer 0",
        changed(**CHAIN),
    )
    assert game.play("5o 5c")[4] == ChainClosed(2, 1, 2)


def test_caida_over_batches_where_it_may() -> None:
    """CHAIN-2: with `chain_across_batches` the dealer's last card can be met in the next batch."""
    rules = changed(chain_across_batches=True)
    game = Game.at(
        "seats 2; batch 5; turn 1; hands - / 5o; table 1o; piles 32 0; capturer 0; "
        "pack 5c 1c 2c 3c 4c 6c",
        rules,
    )
    game.play("5o")
    game.deal("5c 1c 2c / 3c 4c 6c")
    assert awards(game.play("5c")) == [(0, 1, 0)]


def test_very_last_card_closes_even_over_batches() -> None:
    """CHAIN-7: nothing can follow the last card of the deal."""
    rules = changed(**CHAIN, chain_across_batches=True)
    game = Game.at(
        "seats 3; batch 4; turn 1; hands - / 5o / 5c; table 1o; piles 37 0 0; capturer 0", rules
    )
    assert game.play("5o 5c")[3:6] == [
        CardsHeld(2, 1, cards("5o"), 0),
        ChainClosed(2, 1, 2),
        PlayAwarded(2, 1, 0, ((2, 1),)),
    ]


def test_pending_point_has_not_won() -> None:
    """CHAIN-7, MATCH-2: on 40 with a pending one the match goes on; its closing ends it.

    The card that closes it is played, and neither captured nor laid.
    """
    rules = changed(**CHAIN, win_check=WinCheck.IMMEDIATE)
    game = Game.at(
        "seats 3; batch 2; turn 0; hands 5o 1o 2o / 5c 1c 2c / 4e 10e 11e; table 6o 12o; "
        "piles 11 0 0; capturer 0; scores 0 40 0",
        rules,
    )
    assert game.play("5o 5c")[-1] == CardsHeld(1, 1, cards("5o 6o"), 0)
    assert game.play("4e")[1:] == [
        ChainClosed(1, 1, 3),
        PlayAwarded(1, 1, 0, ((1, 1),)),
        MatchEnded((1,), (0, 41, 0)),
    ]


def test_chain_with_an_empty_opening_of_two_seats() -> None:
    """CHAIN-1: with `chain_min_seats` 2 two seats make a chain too."""
    rules = changed(**EMPTY_TABLE, ladder=(1, 5, 10), chain_min_seats=2)
    game = Game.at(
        "seats 2; batch 1; turn 0; hands 5o 5e 1o 2o / 5c 5b 1c 2c; table -; piles 0 0", rules
    )
    assert game.play("5o 5c 5e 5b")[-3:] == [
        CardsHeld(1, 3, (), 1),
        ChainClosed(1, 3, 4),
        PlayAwarded(1, 10, 1, ((1, 11),)),
    ]
