"""Dealing: pack, seats, dealer, draws, batches and the table of four (DEAL-1 to DEAL-9)."""

import random

import pytest

from ronda_rules import engine
from ronda_rules.cards import FULL_PACK, card_text, cards_of
from ronda_rules.deal import batch_sizes
from ronda_rules.engine import Asked, DrawCards, DrawDealer, SeatsToAct
from ronda_rules.errors import DrawError, NotationError, Reason
from ronda_rules.events import (
    BatchStarted,
    DealStarted,
    FirstDealerDrawn,
    HandDealt,
    MatchStarted,
    TableReturned,
    TableTurned,
)
from ronda_rules.moves import DealerDrawn, Drawn
from ronda_rules.rule_set import FirstDealer, Opening, TableForbid, TableRemedy
from tests.rules.playing import Game, card, cards
from tests.rules.rule_sets import EMPTY_TABLE, changed

RETURN_LAST = changed(table_remedy=TableRemedy.RETURN_LAST)

PACK = (
    "1o 2o 3o 4o 5o 6o 7o 10o 11o 12o "
    "1c 2c 3c 4c 5c 6c 7c 10c 11c 12c "
    "1e 2e 3e 4e 5e 6e 7e 10e 11e 12e "
    "1b 2b 3b 4b 5b 6b 7b 10b 11b 12b"
)


def test_pack_is_forty_cards_in_canonical_order() -> None:
    """DEAL-1: four suits of ten ranks, without eight and nine, numbered suit by suit."""
    assert " ".join(card_text(one) for one in range(40)) == PACK
    assert list(cards_of(FULL_PACK)) == list(range(40))
    assert [card("1o"), card("7o"), card("10o"), card("1c"), card("12b")] == [0, 6, 7, 10, 39]


@pytest.mark.parametrize("text", ["8o", "9c", "13o", "0b", "7x", "7", "o7", "", "07o", "7O"])
def test_text_that_is_no_card_is_refused(text: str) -> None:
    """DEAL-1: there is no other card, and the error says how a card is written."""
    with pytest.raises(NotationError, match="as 7o") as caught:
        card(text)
    assert caught.value.reason is Reason.MALFORMED_REQUEST


@pytest.mark.parametrize(("seats", "sides"), [(2, [0, 1]), (3, [0, 1, 2]), (4, [0, 1, 0, 1])])
def test_four_seats_make_two_sides(seats: int, sides: list[int]) -> None:
    """DEAL-2: each of two or three seats is a side; of four, those opposite each other are."""
    state = Game.begin(seats).state
    assert [state.side(seat) for seat in range(seats)] == sides
    assert len(state.scores) == len(state.piles) == len(set(sides))


@pytest.mark.parametrize(("seats", "dealer"), [(2, 1), (3, 2), (4, 3)])
def test_last_seat_deals_first(seats: int, dealer: int) -> None:
    """DEAL-3: by default the last seat deals, so that seat 0 receives and plays first."""
    assert Game.begin(seats).events == [
        MatchStarted(seats),
        DealStarted(1, dealer),
        BatchStarted(1, 3, last=False),
    ]


def test_rule_set_can_name_the_first_dealer() -> None:
    """DEAL-3: a seat named by the rule set deals first; the one after it receives first."""
    game = Game.begin(3, changed(first_dealer=0))
    assert game.events[1] == DealStarted(1, 0)
    assert game.draw("1o 2o 3o") == [HandDealt(1, 3, cards("1o 2o 3o"))]
    assert game.draw("1c 2c 3c") == [HandDealt(2, 3, cards("1c 2c 3c"))]
    assert game.draw("1e 2e 3e") == [HandDealt(0, 3, cards("1e 2e 3e"))]


def test_first_dealer_can_be_drawn() -> None:
    """DEAL-3: chance names the dealer before the first deal's draws, and everyone sees it."""
    game = Game.begin(3, changed(first_dealer=FirstDealer.DRAWN))
    assert game.events == [MatchStarted(3)]
    assert engine.decide(game.state) == DrawDealer(3)
    assert game.make(DealerDrawn(1)) == [
        FirstDealerDrawn(1),
        DealStarted(1, 1),
        BatchStarted(1, 3, last=False),
    ]
    assert game.draw("1o 2o 3o") == [HandDealt(2, 3, cards("1o 2o 3o"))]


@pytest.mark.parametrize("seat", [-1, 3, 4])
def test_drawn_dealer_must_be_a_seat(seat: int) -> None:
    """DEAL-3: chance cannot name a seat that nobody has."""
    game = Game.begin(3, changed(first_dealer=FirstDealer.DRAWN))
    with pytest.raises(DrawError) as caught:
        game.make(DealerDrawn(seat))
    assert caught.value.reason is Reason.DRAW_INVALID
    assert engine.decide(game.state) == DrawDealer(3)


def test_dealer_is_drawn_once_and_only_where_the_rule_set_says_so() -> None:
    """DEAL-3: a second dealer, or one where the rule set names a seat, is refused."""
    drawn = Game.begin(3, changed(first_dealer=FirstDealer.DRAWN))
    drawn.make(DealerDrawn(1))
    for game in (drawn, Game.begin(3)):
        with pytest.raises(DrawError):
            game.make(DealerDrawn(0))


def test_cards_cannot_be_drawn_before_the_dealer() -> None:
    """DEAL-3: the dealer comes before the first deal's draws."""
    game = Game.begin(3, changed(first_dealer=FirstDealer.DRAWN))
    with pytest.raises(DrawError):
        game.draw("1o 2o 3o")


@pytest.mark.parametrize(
    ("seats", "first", "dealers"),
    [
        (2, FirstDealer.LAST_SEAT, [1, 0, 1, 0]),
        (3, FirstDealer.LAST_SEAT, [2, 0, 1, 2]),
        (4, FirstDealer.LAST_SEAT, [3, 0, 1, 2]),
        (4, 1, [1, 2, 3, 0]),
    ],
)
def test_dealer_passes_on_each_deal(
    seats: int, first: int | FirstDealer, dealers: list[int]
) -> None:
    """DEAL-3: each deal is dealt by the seat after the last dealer, whatever has happened."""
    game = Game.begin(seats, changed(first_dealer=first, target=1_000))
    game.play_out(random.Random(5), deals=4)
    started = [event for event in game.events if isinstance(event, DealStarted)]
    assert started[:4] == [DealStarted(1 + i, dealer) for i, dealer in enumerate(dealers)]


def test_drawn_dealer_is_drawn_for_the_first_deal_only() -> None:
    """DEAL-3: later deals follow from the first dealer and draw none."""
    game = Game.begin(3, changed(first_dealer=FirstDealer.DRAWN, target=1_000))
    game.make(DealerDrawn(0))
    game.play_out(random.Random(5), deals=2)
    started = [event for event in game.events if isinstance(event, DealStarted)]
    assert [event.dealer for event in started] == [0, 1, 2]
    assert game.events.count(FirstDealerDrawn(0)) == 1


def test_draws_are_asked_for_hand_by_hand_and_then_for_the_table() -> None:
    """DEAL-4, DEAL-5, DEAL-6: each seat's hand together, the dealer's last, then four cards."""
    game = Game.begin(2)
    pack = FULL_PACK
    assert engine.decide(game.state) == DrawCards(3, pack)
    assert game.draw("1o 12b 4e") == [HandDealt(0, 3, cards("1o 12b 4e"))]
    pack &= ~(1 << 0 | 1 << 39 | 1 << 23)
    assert engine.decide(game.state) == DrawCards(3, pack)
    assert game.draw("2o 2c 2e") == [HandDealt(1, 3, cards("2o 2c 2e"))]
    pack &= ~(1 << 1 | 1 << 11 | 1 << 21)
    assert engine.decide(game.state) == DrawCards(4, pack)
    assert game.draw("5o 3o 7o 1c") == [TableTurned(cards("5o 3o 7o 1c"))]
    assert engine.decide(game.state) == SeatsToAct((0,), Asked.CARD)
    assert game.state.hands == (cards("1o 12b 4e"), cards("2o 2c 2e"))
    assert game.state.pack.bit_count() == 30


@pytest.mark.parametrize(
    ("drawn", "wrong"),
    [
        ("1o 2o", "2 cards"),
        ("1o 2o 3o 4o", "4 cards"),
        ("", "0 cards"),
        ("1o 4o 1o", "twice"),
        ("1o 4o 2c", "2c"),
    ],
)
def test_impossible_draw_is_refused(drawn: str, wrong: str) -> None:
    """DEAL-4: a draw has the due number of different cards of the pack, or changes nothing."""
    game = Game.begin(2)
    game.draw("2o 2c 2e")
    before = game.state
    with pytest.raises(DrawError, match=wrong) as caught:
        game.draw(drawn)
    assert (caught.value.reason, caught.value.clause) == (Reason.DRAW_INVALID, "DEAL-4")
    assert game.state == before
    game.draw("1o 4o 3o")


def test_cards_are_not_drawn_while_a_seat_must_act() -> None:
    """DEAL-4: nothing is dealt in the middle of a batch."""
    game = Game.begin(2)
    game.deal("1o 2o 3o / 1c 2c 3c / 4o 6o 11o 12o")
    with pytest.raises(DrawError):
        game.make(Drawn(cards("5o 5c 5e")))


@pytest.mark.parametrize(
    ("opening", "seats", "sizes"),
    [
        (Opening.TABLE_OF_FOUR, 2, (3, 3, 3, 3, 3, 3)),
        (Opening.TABLE_OF_FOUR, 3, (3, 3, 3, 3)),
        (Opening.TABLE_OF_FOUR, 4, (3, 3, 3)),
        (Opening.EMPTY_TABLE, 2, (4, 4, 4, 4, 4)),
        (Opening.EMPTY_TABLE, 4, (4, 3, 3)),
    ],
)
def test_batches_of_a_deal(opening: Opening, seats: int, sizes: tuple[int, ...]) -> None:
    """DEAL-5, DEAL-9: hand sizes by opening and seats; the last batch alone is announced so."""
    assert batch_sizes(opening, seats) == sizes
    rules = changed() if opening is Opening.TABLE_OF_FOUR else changed(**EMPTY_TABLE)
    game = Game.begin(seats, rules)
    game.play_out(random.Random(1), deals=1)
    started = [event for event in game.events if isinstance(event, BatchStarted)]
    count = len(sizes)
    assert started[:count] == [
        BatchStarted(1 + i, size, last=i == count - 1) for i, size in enumerate(sizes)
    ]
    dealt = [event.card_count for event in game.events if isinstance(event, HandDealt)]
    assert dealt == [size for size in sizes for _ in range(seats)]


def test_three_seats_cannot_divide_the_pack_from_an_empty_table() -> None:
    """DEAL-5: forty cards do not make equal hands for three."""
    assert batch_sizes(Opening.EMPTY_TABLE, 3) is None


def test_empty_table_turns_no_cards() -> None:
    """DEAL-5, DEAL-6: without a table of four the first card is played on nothing."""
    game = Game.begin(2, changed(**EMPTY_TABLE))
    game.deal("1o 2o 3o 4o / 1c 2c 3c 4c")
    assert engine.decide(game.state) == SeatsToAct((0,), Asked.CARD)
    assert game.state.table == 0


def turned(rules_table: str, **values: object) -> list[object]:
    """Deal to two seats and turn a table; give the events of the turning."""
    game = Game.begin(2, changed(**values))
    game.deal("1b 3b 5b / 2b 4b 6b")
    return list(game.draw(rules_table))


@pytest.mark.parametrize("table", ["5o 5c 1o 3o", "1o 5o 3o 5c", "12o 1o 12c 3e", "2o 2c 2e 2b"])
def test_table_with_a_pair_is_forbidden(table: str) -> None:
    """DEAL-7: two cards of one rank may not lie among the four, wherever they came."""
    game = Game.begin(2)
    game.deal("1b 3b 5b / 4b 6b 7b")
    assert game.draw(table) == [
        TableTurned(cards(table)),
        TableReturned(TableForbid.PAIRS, cards(table)),
    ]


@pytest.mark.parametrize(
    "table", ["1o 2c 3e 4o", "6o 7o 10o 11o", "11o 6o 10c 7e", "7o 10o 11o 12c", "12o 10o 7o 11o"]
)
def test_table_with_a_run_of_four_is_forbidden(table: str) -> None:
    """DEAL-7: four ranks in a row may not lie, in whatever order; 10 follows 7."""
    assert turned(table) == [
        TableTurned(cards(table)),
        TableReturned(TableForbid.RUNS, cards(table)),
    ]


@pytest.mark.parametrize(
    "table", ["12o 1o 2o 3o", "11o 12o 1o 2o", "1o 2o 3o 5o", "5o 6o 7o 11o", "1o 3o 5o 7o"]
)
def test_table_without_pair_or_run_of_four_stands(table: str) -> None:
    """DEAL-7: nothing follows 12, and a run of three is allowed."""
    assert turned(table) == [TableTurned(cards(table))]


def test_only_what_the_rule_set_forbids_is_forbidden() -> None:
    """DEAL-7: where runs are not named they may lie."""
    table = "6o 7o 10o 11o"
    pairs_only = frozenset({TableForbid.PAIRS})
    assert turned(table, table_forbids=pairs_only) == [TableTurned(cards(table))]


def test_return_all_turns_four_others() -> None:
    """DEAL-8: all four go back, take no part in the replacing draw, and rejoin right after it."""
    game = Game.begin(2)
    game.deal("1b 3b 5b / 2b 4b 6b")
    full = set(range(40)) - set(cards("1b 3b 5b 2b 4b 6b"))
    assert game.pack() == full
    game.draw("5o 5c 1o 3o")
    assert game.pack() == full - set(cards("5o 5c 1o 3o"))
    with pytest.raises(DrawError, match="5c"):
        game.draw("5c 2o 7o 11o")
    # The replaced table is forbidden again: what came back before may now be turned.
    assert game.draw("6o 7o 10o 11o") == [
        TableTurned(cards("6o 7o 10o 11o")),
        TableReturned(TableForbid.RUNS, cards("6o 7o 10o 11o")),
    ]
    assert game.pack() == full - set(cards("6o 7o 10o 11o"))
    with pytest.raises(DrawError, match="10o"):
        game.draw("5o 1o 3o 10o")
    assert game.draw("5o 1o 3o 12o") == [TableTurned(cards("5o 1o 3o 12o"))]
    assert engine.decide(game.state) == SeatsToAct((0,), Asked.CARD)
    assert set(cards_of(game.state.table)) == set(cards("5o 1o 3o 12o"))
    assert set(cards_of(game.state.pack)) == full - set(cards("5o 1o 3o 12o"))
    assert game.state.hands == (cards("1b 3b 5b"), cards("2b 4b 6b"))


def test_return_last_gives_back_the_first_card_that_equals_an_earlier_one() -> None:
    """DEAL-8: of 7 5 5 7 the second five goes; then, its replacement last, the second seven."""
    game = Game.begin(2, RETURN_LAST)
    game.deal("1b 3b 5b / 2b 4b 6b")
    full = set(range(40)) - set(cards("1b 3b 5b 2b 4b 6b"))
    assert game.draw("7o 5o 5c 7c") == [
        TableTurned(cards("7o 5o 5c 7c")),
        TableReturned(TableForbid.PAIRS, cards("5c")),
    ]
    assert engine.decide(game.state) == DrawCards(
        1, sum(1 << one for one in full - set(cards("7o 5o 5c 7c")))
    )
    with pytest.raises(DrawError, match="5c"):
        game.draw("5c")
    # On the table now: 7o 5o 7c and, turned last, another five.
    assert game.draw("5e") == [
        TableTurned(cards("5e")),
        TableReturned(TableForbid.PAIRS, cards("7c")),
    ]
    assert game.pack() == full - set(cards("7o 5o 5e 7c"))
    assert card("5c") in game.pack()
    # On the table now: 7o 5o 5e, and the five that went back first comes again.
    assert game.draw("5c") == [
        TableTurned(cards("5c")),
        TableReturned(TableForbid.PAIRS, cards("5e")),
    ]
    assert game.draw("12o") == [
        TableTurned(cards("12o")),
        TableReturned(TableForbid.PAIRS, cards("5c")),
    ]
    assert game.draw("1o") == [TableTurned(cards("1o"))]
    assert engine.decide(game.state) == SeatsToAct((0,), Asked.CARD)
    assert set(cards_of(game.state.table)) == set(cards("7o 5o 12o 1o"))
    assert set(cards_of(game.state.pack)) == full - set(cards("7o 5o 12o 1o"))


def test_return_last_gives_back_the_card_turned_last_where_there_is_no_pair() -> None:
    """DEAL-8: of a run the last one turned goes, and a replacement counts as turned last."""
    game = Game.begin(2, RETURN_LAST)
    game.deal("1b 3b 5b / 2b 4b 6b")
    assert game.draw("3o 2o 5o 4o") == [
        TableTurned(cards("3o 2o 5o 4o")),
        TableReturned(TableForbid.RUNS, cards("4o")),
    ]
    # Another four makes the same run: it is the one turned last.
    assert game.draw("4c") == [
        TableTurned(cards("4c")),
        TableReturned(TableForbid.RUNS, cards("4c")),
    ]
    # A pair with the replacement: the replacement is the later of the two.
    assert game.draw("2c") == [
        TableTurned(cards("2c")),
        TableReturned(TableForbid.PAIRS, cards("2c")),
    ]
    assert game.draw("6o") == [TableTurned(cards("6o"))]
    assert set(cards_of(game.state.table)) == set(cards("2o 3o 5o 6o"))


def test_later_batches_add_nothing_to_the_table() -> None:
    """DEAL-9: new hands come and the table stays as it was left."""
    game = Game.begin(2)
    game.deal("1o 2o 3o / 1c 2c 3c / 4o 6o 11o 12o")
    events = game.play("1o 2c 3o 1c 2o 3c")
    assert events[-1] == BatchStarted(2, 3, last=False)
    # 1 lies, 2 lies, 3 lies; 1 takes 1 2 3 4; 2 lies, 3 lies: 2o 3c 6o 11o 12o are left.
    left = set(cards("2o 3c 6o 11o 12o"))
    assert set(cards_of(game.state.table)) == left
    assert game.draw("5o 5c 5e") == [HandDealt(0, 3, cards("5o 5c 5e"))]
    assert game.draw("7o 7c 7e") == [HandDealt(1, 3, cards("7o 7c 7e"))]
    assert engine.decide(game.state) == SeatsToAct((0,), Asked.CARD)
    assert set(cards_of(game.state.table)) == left


def test_returned_cards_are_dealt_in_later_batches() -> None:
    """DEAL-8: a card that went back is in the pack again when the next hands are drawn."""
    game = Game.begin(2)
    game.deal("1o 2o 3o / 1c 2c 3c / 5o 5c 1e 3e / 4o 6o 11o 12o")
    game.play("1o 1c 2o 2c 3o 3c")
    assert game.draw("5o 5c 1e") == [HandDealt(0, 3, cards("5o 5c 1e"))]
