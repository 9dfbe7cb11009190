"""Position notation: a position in mid-deal as one line of text."""

import pytest

from ronda_rules import engine
from ronda_rules.cards import card_text, cards_of, index_of_rank
from ronda_rules.engine import Asked
from ronda_rules.errors import PositionError, Reason, RuleSetError
from ronda_rules.events import CardsCaptured, HandDealt
from ronda_rules.position import format_position, parse_position
from ronda_rules.rule_set import KindAmounts
from ronda_rules.state import NOBODY, Announcement, MatchState
from tests.rules.playing import RONDA, TRINGA, Game, card, cards
from tests.rules.rule_sets import EMPTY_TABLE, MAGHRIBI, changed

EXAMPLE = (
    "seats 2; deal 1; dealer 1; batch 6; turn 0; hands 6 11 / 12 3; table 6 7 10 12; "
    "piles 16 16; capturer 1"
)
SHORT = {
    "seats": "2",
    "batch": "6",
    "turn": "1",
    "hands": "1o 2o / 3o 4o 5o",
    "table": "1c 7o",
    "piles": "16 17",
    "capturer": "0",
}


def line(**fields: str | None) -> str:
    """Write SHORT with some fields changed, added or (None) left out."""
    merged = {**SHORT, **fields}
    return "; ".join(f"{name} {value}" for name, value in merged.items() if value is not None)


def texts(state: MatchState, where: str) -> str:
    """Write the cards of a part of a state."""
    match where:
        case "table":
            return " ".join(map(card_text, cards_of(state.table)))
        case "pack":
            return " ".join(map(card_text, cards_of(state.pack)))
        case _:
            return " / ".join(" ".join(map(card_text, hand)) for hand in state.hands)


def test_example_of_the_notation_is_read() -> None:
    """Each bare rank takes the first suit of o c e b not used: hands first, then the table."""
    state = parse_position(EXAMPLE, MAGHRIBI)
    assert texts(state, "hands") == "6o 11o / 12o 3o"
    assert texts(state, "table") == "7o 10o 6c 12c"
    assert (state.seats, state.deal, state.dealer, state.batch) == (2, 1, 1, 6)
    assert (state.hand_size, state.last_batch, state.cards_played) == (3, True, 2)
    assert (state.piles, state.scores, state.pack) == ((16, 16), (0, 0), 0)
    assert (state.laid, state.last_capturer, state.announcements) == (None, 1, ())
    assert engine.decide(state) == engine.SeatsToAct((0,), Asked.CARD)
    game = Game(state)
    assert game.play("6o")[1] == CardsCaptured(0, cards("6c 7o 10o"))


def test_fields_left_out_take_their_defaults() -> None:
    """Deal 1, the last seat as dealer, no scores, nothing laid, said or punished."""
    state = parse_position(line(), MAGHRIBI)
    assert (state.deal, state.dealer, state.scores, state.punished) == (1, 1, (0, 0), (0, 0))
    assert (state.laid, state.announcements) == (None, ())


def test_every_field_is_read() -> None:
    """All fields, in another order, with other spacing."""
    state = parse_position(
        "turn 0;seats 3 ;  dealer 1; deal 7; batch 3; hands 1o 12b / 2o 11b / 3o ; table 7o 4c; "
        "piles 10 9 5; scores 3 40 12; laid 4c; capturer 1; punished 0 2 1; "
        "pack 5o 5c 5e 5b 6o 6c 6e 6b 12e; said 1:0:ronda:12, 3:2:tringa:false,2:1:tringa:1",
        changed(false_penalty_cap=0),
    )
    assert (state.deal, state.dealer, state.batch, state.last_batch) == (7, 1, 3, False)
    assert texts(state, "hands") == "1o 12b / 2o 11b / 3o"
    assert texts(state, "pack") == "5o 6o 5c 6c 5e 6e 12e 5b 6b"
    assert (state.piles, state.scores, state.punished) == ((10, 9, 5), (3, 40, 12), (0, 2, 1))
    assert (state.laid, state.last_capturer) == (card("4c"), 1)
    assert state.announcements == (
        Announcement(1, 0, RONDA, index_of_rank(12)),
        Announcement(3, 2, TRINGA, None),
        Announcement(2, 1, TRINGA, index_of_rank(1)),
    )


def test_default_pack_is_the_first_unplaced_cards() -> None:
    """As many as the later batches need, in canonical order."""
    state = parse_position(
        "seats 2; batch 5; turn 0; hands 1o 3o 5o / 1c 3c 5c; table 2o; piles 27 0; capturer 0",
        MAGHRIBI,
    )
    assert texts(state, "pack") == "4o 6o 7o 10o 11o 12o"
    assert parse_position(EXAMPLE, MAGHRIBI).pack == 0


def test_pack_may_be_given_by_rank() -> None:
    """Bare ranks of the pack take suits not used by hands and table."""
    state = parse_position(
        "seats 2; batch 5; turn 0; hands 1o 3o 5o / 1c 3c 5c; table 2o; piles 27 0; "
        "capturer 0; pack 1 1 2 2 2 12b",
        MAGHRIBI,
    )
    assert texts(state, "pack") == "2c 1e 2e 1b 2b 12b"
    game = Game(state)
    game.play("1o 1c 3o 3c 5o 5c")
    assert game.draw("1e 1b 12b") == [HandDealt(0, 3, cards("1e 1b 12b"))]


def test_bare_rank_of_the_card_laid_is_the_one_on_the_table() -> None:
    """The table has one card of each rank, so the rank says which it is."""
    state = parse_position(line(laid="7"), MAGHRIBI)
    assert state.laid == card("7o")


def test_first_turn_of_a_deal_can_be_written() -> None:
    """A valid table of four, nothing in the piles, thirty cards in the pack."""
    state = parse_position(
        "seats 2; batch 1; turn 0; hands 1 2 3 / 1 2 3; table 4 6 11 12; piles 0 0", MAGHRIBI
    )
    assert engine.decide(state) == engine.SeatsToAct((0,), Asked.CARD)
    assert state.pack.bit_count() == 30
    assert state.last_capturer == NOBODY
    game = Game(state)
    game.play("1o")
    assert game.turn() == 1


def test_empty_opening_begins_with_an_empty_table() -> None:
    """Where no table is turned the first batch begins without one."""
    state = parse_position(
        "seats 2; batch 1; turn 0; hands 1 2 3 4 / 1 2 3 4; table -; piles 0 0",
        changed(**EMPTY_TABLE),
    )
    assert (state.table, state.hand_size, state.pack.bit_count()) == (0, 4, 32)


def test_position_is_written_with_every_suit() -> None:
    """A state is written in full; fields at their defaults and the pack's default are left out."""
    game = Game.begin(2)
    game.deal("7o 7c 1o / 2o 3c 12b / 4o 6o 10o 12o")
    assert format_position(game.state) == (
        "seats 2; deal 1; dealer 1; batch 1; turn 0; hands 7o 7c 1o / 2o 3c 12b; "
        "table 4o 6o 10o 12o; piles 0 0; scores 0 0"
    )
    game.announce(TRINGA)
    game.play("1o")
    assert format_position(game.state) == (
        "seats 2; deal 1; dealer 1; batch 1; turn 1; hands 7o 7c / 2o 3c 12b; "
        "table 1o 4o 6o 10o 12o; piles 0 0; scores 0 0; laid 1o; said 1:0:tringa:false"
    )
    game.announce(RONDA)
    game.play("12b")
    assert format_position(game.state) == (
        "seats 2; deal 1; dealer 1; batch 1; turn 0; hands 7o 7c / 2o 3c; "
        "table 1o 4o 6o 10o; piles 0 2; scores 0 0; capturer 1; "
        "said 1:0:tringa:false, 1:1:ronda:false; "
        "pack 3o 5o 11o 1c 2c 4c 5c 6c 10c 11c 12c "
        "1e 2e 3e 4e 5e 6e 7e 10e 11e 12e 1b 2b 3b 4b 5b 6b 7b 10b 11b"
    )


def test_position_of_an_empty_hand_and_table_is_written() -> None:
    """A hyphen stands for no card."""
    text = (
        "seats 2; deal 2; dealer 1; batch 6; turn 1; hands - / 5o; table -; piles 19 20; "
        "scores 4 5; capturer 0; punished 1 0"
    )
    assert format_position(parse_position(text, MAGHRIBI)) == text


def test_position_without_a_seat_to_act_cannot_be_written() -> None:
    """While cards are dealt, and after the end, there is no position."""
    game = Game.begin(2)
    with pytest.raises(PositionError) as caught:
        format_position(game.state)
    assert (caught.value.reason, caught.value.field) == (Reason.POSITION_INVALID, "turn")
    game = Game.at(
        "seats 2; batch 6; turn 1; hands - / 5o; table 5c; piles 20 18; capturer 0; scores 41 3"
    )
    game.play("5o")
    with pytest.raises(PositionError):
        format_position(game.state)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        # The line itself.
        ("", "line"),
        (line() + ";", "line"),
        (line() + "; colour red", "colour"),
        (line() + "; deal 1; deal 2", "deal"),
        (line(seats=None), "seats"),
        (line(batch=None), "batch"),
        (line(turn=None), "turn"),
        (line(hands=None), "hands"),
        (line(table=None), "table"),
        (line(piles=None), "piles"),
        (line(table=""), "table"),
        # Numbers.
        (line(deal="0"), "deal"),
        (line(deal="-1"), "deal"),
        (line(deal="one"), "deal"),
        (line(deal="9" * 5_000), "deal"),
        (line(dealer="2"), "dealer"),
        (line(batch="0"), "batch"),
        (line(batch="7"), "batch"),
        (line(turn="2"), "turn"),
        (line(capturer="2"), "capturer"),
        (line(piles="16"), "piles"),
        (line(piles="16 17 0"), "piles"),
        (line(piles="16 x"), "piles"),
        (line(piles="16 -17"), "piles"),
        (line(scores="1"), "scores"),
        (line(punished="1"), "punished"),
        (line(scores="1 " + "9" * 5_000), "scores"),
        # Cards.
        (line(hands="1o 2o / 3o 4o 8o"), "hands"),
        (line(hands="1o 2o / 3o 4o 8"), "hands"),
        (line(hands="1o 2o / 3o 4o x"), "hands"),
        (line(table="1c 9o"), "table"),
        (line(table="1c 9"), "table"),
        (line(table="1c 07"), "table"),
        (line(table="1c 1o"), "table"),
        (line(table="1c 1e"), "table"),
        (line(hands="1o 2o / 3o 4o 1o"), "hands"),
        (line(hands="1 1 / 1 3 4", table="1c 1"), "table"),
        (line(table="2 2 2 2 2", piles="16 14"), "table"),
        (line(hands="1o 2o / 3o 4o 5o / -"), "hands"),
        (line(hands="1o 2o"), "hands"),
        # Numbers of cards.
        (line(hands="1o / 3o 4o 5o", piles="17 17"), "hands"),
        (line(hands="1o 2o 6o / 3o 4o 5o", piles="16 16"), "turn"),
        (line(hands="1o 2o / 3o 4o", piles="17 17"), "turn"),
        (line(hands="- / -", piles="19 19"), "hands"),
        (line(turn="0"), "turn"),
        (line(piles="16 16"), "piles"),
        (line(piles="17 17"), "piles"),
        (line(batch="5"), "piles"),
        (line(batch="5", piles="10 17", pack="6o 6c 6e"), "pack"),
        (line(batch="5", piles="10 17", pack="1o 6o 6c 6e 6b 7c"), "pack"),
        (line(capturer=None), "capturer"),
        (line(piles="0 33"), "capturer"),
        (line(piles="33 0", capturer="1"), "capturer"),
        # The first card of a deal.
        (
            "seats 2; batch 1; turn 0; hands 1 2 3 / 1 2 3; table 4 6 11; piles 1 0; capturer 0",
            "table",
        ),
        ("seats 2; batch 1; turn 0; hands 1 2 3 / 1 2 3; table 4 5 6 7; piles 0 0", "table"),
        (
            "seats 2; batch 1; turn 0; hands 1 2 3 / 1 2 3; table 4 6 11 12; piles 0 0; capturer 0",
            "capturer",
        ),
        # The card just laid.
        (line(laid="1o"), "laid"),
        (line(laid="6"), "laid"),
        (line(hands="1o 2o 6o / 3o 4o 5o", piles="15 17", turn="0", laid="7o"), "laid"),
        # Announcements.
        (line(said="1:0:ronda"), "said"),
        (line(said="1:0:ronda:12:1"), "said"),
        (line(said="1:0:pair:12"), "said"),
        (line(said="1:0:ronda:8"), "said"),
        (line(said="1:0:ronda:no"), "said"),
        (line(said="x:0:ronda:12"), "said"),
        (line(said="0:0:ronda:12"), "said"),
        (line(said="7:0:ronda:12"), "said"),
        (line(said="1:2:ronda:12"), "said"),
        (line(said="1:-1:ronda:12"), "said"),
        (line(said="1:0:double_ronda:12"), "said"),
        (line(said="1:0:ronda:12, 1:0:tringa:3"), "said"),
        # Seat 1 still has its whole hand, without a pair.
        (line(said="6:1:ronda:3"), "said"),
        # Seat 1 has not been asked yet when seat 0 is to play the batch's first card.
        (
            line(hands="1o 2o 6o / 3o 4o 5o", piles="15 17", turn="0", said="6:1:ronda:false"),
            "said",
        ),
    ],
)
def test_position_at_fault_is_refused(text: str, field: str) -> None:
    """What cannot be read, or cannot arise, is refused with the field at fault."""
    with pytest.raises(PositionError) as caught:
        parse_position(text, MAGHRIBI)
    assert (caught.value.reason, caught.value.field) == (Reason.POSITION_INVALID, field)
    assert caught.value.values == {"field": field}
    assert str(caught.value).startswith(f"POSITION_INVALID: {field}: ")


def test_announcements_of_this_batch_agree_with_a_whole_hand() -> None:
    """A seat that has announced and not yet played holds what makes it true, or not."""
    start = "seats 2; batch 6; turn 0; hands 7o 7c 6o / 3o 4o 5o; table 1c; piles 16 17; capturer 0"
    assert parse_position(f"{start}; said 6:0:ronda:7", MAGHRIBI).announcements == (
        Announcement(6, 0, RONDA, index_of_rank(7)),
    )
    bluff = parse_position(f"{start}; said 6:0:tringa:false", MAGHRIBI)
    assert bluff.announcements == (Announcement(6, 0, TRINGA, None),)
    for wrong in ("6:0:ronda:6", "6:0:ronda:false", "6:0:tringa:7"):
        with pytest.raises(PositionError):
            parse_position(f"{start}; said {wrong}", MAGHRIBI)


def test_announcement_of_a_kind_without_value_is_refused() -> None:
    """A kind that cannot be announced cannot have been."""
    rules = changed(kinds=KindAmounts(ronda=1))
    with pytest.raises(PositionError, match="no value"):
        parse_position(line(said="1:0:tringa:4"), rules)


def test_rule_set_decides_what_a_position_may_be() -> None:
    """Seat counts and batches are the rule set's."""
    with pytest.raises(RuleSetError) as caught:
        parse_position(line(seats="5"), MAGHRIBI)
    assert (caught.value.reason, caught.value.field) == (Reason.RULE_SET_INVALID, "seats")
    with pytest.raises(RuleSetError):
        parse_position(line(), changed(ladder=(1, 5, 10, 20)))
    with pytest.raises(PositionError):
        parse_position(line(), changed(**EMPTY_TABLE))


def test_a_new_deal_has_no_capturer() -> None:
    """CAP-6: who captured last in the deal before is written no more."""
    game = Game.at("seats 2; batch 6; turn 1; hands - / 3o; table 1o 7o; piles 18 19; capturer 0")
    game.play("3o")
    game.deal("1o 2o 3o / 4o 5o 6o")
    game.draw("7c 10c 12c 1c")
    assert format_position(game.state) == (
        "seats 2; deal 2; dealer 0; batch 1; turn 1; hands 4o 5o 6o / 1o 2o 3o; "
        "table 1c 7c 10c 12c; piles 0 0; scores 1 0"
    )


def test_numbers_have_up_to_nine_digits() -> None:
    """A longer one is refused."""
    text = "seats 2; batch 6; turn 1; hands - / 3o; table 1o 7o; piles 18 19; capturer 0; scores "
    assert parse_position(f"{text}999999999 0", MAGHRIBI).scores == (999_999_999, 0)
    with pytest.raises(PositionError) as caught:
        parse_position(f"{text}1000000000 0", MAGHRIBI)
    assert caught.value.field == "scores"
