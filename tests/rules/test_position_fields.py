"""Fields of positions that only some rule sets need: held, played, award, owed, claimed."""

from dataclasses import replace
from typing import Any

import pytest

from ronda_rules.cards import index_of_rank
from ronda_rules.engine import Asked, SeatsToAct, decide
from ronda_rules.errors import PositionError
from ronda_rules.position import format_position, parse_position
from ronda_rules.position_reading import played_cards_decide
from ronda_rules.rule_set import Scoring, Settle, TargetTie, UndeclaredDetection, WinCheck
from ronda_rules.state import Announcement, Debt, Held
from tests.rules.playing import RONDA, TRINGA, Game, cards
from tests.rules.rule_sets import CHAIN, MAGHRIBI, SHOWN, changed

CHAINED = changed(**CHAIN)
SHOWING = changed(**SHOWN)
PAYING = changed(
    **{
        **SHOWN,
        "scoring": Scoring.CARD_TRANSFER,
        "win_check": WinCheck.DEAL_END,
        "target_tie": TargetTie.DRAW,
    }
)
HELD = (
    "seats 3; batch 2; turn 2; hands 1o 2o / 1c 2c / 4e 10e 11e; table 12o; piles 11 0 0; "
    "capturer 0; held 1:1:5:3:1"
)
PLAYED = (
    "seats 2; batch 5; turn 1; hands 1o / 2c 11b; table 12o 7c; piles 29 0; capturer 0; "
    "played 7o 7c / 2o"
)


def test_held_pile() -> None:
    """Seat, step, rank, cards and mesa; its cards count towards forty."""
    state = parse_position(HELD, CHAINED)
    assert state.held == Held(seat=1, rank=index_of_rank(5), step=1, cards=3, mesa=1)
    assert "held 1:1:5:3:1" in format_position(state)


@pytest.mark.parametrize(
    "held",
    [
        "1:1:5:3",
        "1:1:5:3:x",
        "3:1:5:3:0",
        "1:1:8:3:0",
        "0:1:5:3:0",
        "1:0:5:3:0",
        "1:3:5:3:0",
        "1:2:5:2:0",
        "1:1:12:3:0",
        "1:1:5:3:2",
        "1:1:5:12:0",
    ],
)
def test_held_pile_that_cannot_be(held: str) -> None:
    """No such seat, rank or step; not the seat before; too few or many cards; another mesa."""
    with pytest.raises(PositionError) as caught:
        parse_position(HELD.replace("1:1:5:3:1", held), CHAINED)
    assert caught.value.field in {"held", "piles"}


@pytest.mark.parametrize(
    ("held", "piles"),
    [
        ("1:2:5:2:1", "12 0 0"),
        ("1:1:5:1:1", "13 0 0"),
        ("1:1:5:12:1", "2 0 0"),
        ("1:2:5:13:1", "1 0 0"),
    ],
)
def test_held_pile_of_a_size_that_cannot_be(held: str, piles: str) -> None:
    """Two equal cards after the first step, three after the second, and a run of ten at most."""
    text = HELD.replace("1:1:5:3:1", held).replace("piles 11 0 0", f"piles {piles}")
    with pytest.raises(PositionError) as caught:
        parse_position(text, CHAINED)
    assert caught.value.field == "held"


def test_smallest_and_largest_held_pile() -> None:
    """A pair alone; and an ace that took the ace and the run up to the king."""
    pair = HELD.replace("1:1:5:3:1", "1:1:5:2:1").replace("piles 11 0 0", "piles 12 0 0")
    assert parse_position(pair, CHAINED).held == Held(1, index_of_rank(5), 1, 2, 1)
    run = (
        "seats 3; batch 2; turn 2; hands 1o 2o / 1c 2c / 4e 10e 11e; table -; piles 4 0 0; "
        "capturer 0; held 1:1:1:11:1"
    )
    assert parse_position(run, CHAINED).held == Held(1, index_of_rank(1), 1, 11, 1)


def test_held_pile_needs_two_cards_of_the_batch() -> None:
    """The batch's first card cannot have been a caida already."""
    text = (
        "seats 3; batch 2; turn 1; hands 1o 2o / 1c 2c 3c / 4e 10e 11e; table 12o; piles 10 0 0; "
        "capturer 0; held 0:1:5:3:0"
    )
    with pytest.raises(PositionError) as caught:
        parse_position(text, CHAINED)
    assert caught.value.field == "held"


def test_held_pile_of_a_seat_that_lacks() -> None:
    """Three seats are 0, 1 and 2; seat 3 is not the one before seat 1."""
    text = (
        "seats 3; batch 2; turn 1; hands 1o / 1c 2c / 4e 10e; table 12o; piles 13 0 0; "
        "capturer 0; held 3:1:5:3:0"
    )
    with pytest.raises(PositionError, match="no such seat") as caught:
        parse_position(text, CHAINED)
    assert caught.value.field == "held"


def test_held_pile_needs_a_ladder_and_cards_played() -> None:
    """With one step nothing is held; a chain has two cards of this batch at least."""
    with pytest.raises(PositionError, match="held"):
        parse_position(HELD, changed())
    start = (
        "seats 3; batch 2; turn 0; hands 1o 2o 3o / 1c 2c 3c / 4e 10e 11e; table 12o; "
        "piles 9 0 0; capturer 0; held 2:1:5:3:0"
    )
    with pytest.raises(PositionError, match="held"):
        parse_position(start, CHAINED)
    over_batches = changed(**CHAIN, chain_across_batches=True)
    assert parse_position(start, over_batches).held == Held(2, index_of_rank(5), 1, 3, 0)


def test_laid_and_held_exclude_each_other() -> None:
    """The card played just before lies, or is held."""
    with pytest.raises(PositionError) as caught:
        parse_position(f"{HELD}; laid 12o", CHAINED)
    assert caught.value.field == "laid"


def test_played_cards() -> None:
    """With their suits: those on the table are the table's, the others left it."""
    state = parse_position(PLAYED, SHOWING)
    assert state.played == (cards("7o 7c"), cards("2o"))
    assert state.dealt == (cards("7o 7c 1o"), cards("2o 2c 11b"))
    assert "played 7o 7c / 2o" in format_position(state)


def test_bare_rank_played_is_the_tables_card_of_that_rank() -> None:
    """Where there is none it takes the first suit that is free."""
    state = parse_position(PLAYED.replace("played 7o 7c / 2o", "played 7 7 / 2"), SHOWING)
    assert state.played == (cards("7c 7o"), cards("2o"))


def test_played_cards_are_not_in_the_default_pack() -> None:
    """They have left the pack."""
    state = parse_position(PLAYED, SHOWING)
    assert not any(state.pack >> card & 1 for card in cards("7o 7c 2o"))


@pytest.mark.parametrize(
    "played",
    ["7o / 2o", "7o 7c / 2o 3o", "7o 7c", "7o 7c / 2o / 3o", "7o 1o / 2o", "7o 7o / 2o"],
)
def test_played_cards_that_cannot_be(played: str) -> None:
    """As many as hands lack, by seat, each once and none of them still in a hand."""
    with pytest.raises(PositionError) as caught:
        parse_position(PLAYED.replace("7o 7c / 2o", played), SHOWING)
    assert caught.value.field == "played"


def test_played_card_of_the_pack_is_refused() -> None:
    """A card is in one place."""
    text = f"{PLAYED}; pack 7o 1e 2e 3e 4e 5e"
    with pytest.raises(PositionError, match="two places"):
        parse_position(text, SHOWING)


def test_played_cards_are_required_where_they_decide() -> None:
    """WHEN_SHOWN, challenges and claims judge by them; maghribi does not."""
    text = PLAYED.split("; played", maxsplit=1)[0]
    with pytest.raises(PositionError, match="played: is missing"):
        parse_position(text, SHOWING)
    assert parse_position(text, changed()).dealt == (cards("1o"), cards("2c 11b"))


def test_announcements_must_agree_with_hands_played_from() -> None:
    """The whole hand is known where the played cards are."""
    good = parse_position(f"{PLAYED}; said 5:0:ronda:7, 5:1:tringa:struck", SHOWING)
    assert good.announcements == (
        Announcement(5, 0, RONDA, index_of_rank(7)),
        Announcement(5, 1, TRINGA, None, struck=True),
    )
    assert "said 5:0:ronda:7, 5:1:tringa:struck" in format_position(good)
    with pytest.raises(PositionError, match="says otherwise"):
        parse_position(f"{PLAYED}; said 5:0:ronda:6", SHOWING)


@pytest.mark.parametrize(
    ("more", "values", "field"),
    [
        ("award 1 0", {"settle": changed().settle}, "award"),
        ("owed 0:1:2", {}, "owed"),
        (
            "claimed 0",
            {
                "undeclared_detection": changed().undeclared_detection,
                "undeclared_penalty": changed().undeclared_penalty,
            },
            "claimed",
        ),
        ("said 5:0:tringa:struck", {"challenge": False}, "said"),
    ],
)
def test_field_that_the_rule_set_has_no_use_for(
    more: str, values: dict[str, Any], field: str
) -> None:
    """It is refused by its name, never ignored."""
    with pytest.raises(PositionError) as caught:
        parse_position(f"{PLAYED}; {more}", changed(**{**SHOWN, **values}))
    assert caught.value.field == field


@pytest.mark.parametrize(
    "owed", ["0:1", "0:1:0", "0:0:2", "0:2:1", "2:0:1", "0:1:x", "0:1:2:prize"]
)
def test_debts_that_cannot_be(owed: str) -> None:
    """A side owes another side at least one card."""
    with pytest.raises(PositionError) as caught:
        parse_position(f"{PLAYED}; owed {owed}", PAYING)
    assert caught.value.field == "owed"


def test_debts_award_and_claims_are_read_and_written() -> None:
    """Debts in their order; what was due for the award follows from the award."""
    more = "award 5 0; owed 1:0:4:award, 1:0:2; claimed 1"
    text = PLAYED.replace("piles 29 0", "piles 29 0")
    state = parse_position(f"{text}; {more}; said 5:0:ronda:7", PAYING)
    assert state.award == ((0, 5),)
    assert state.award_dues == (Debt(1, 0, 5, award=True),)
    assert state.debts == (Debt(1, 0, 4, award=True), Debt(1, 0, 2, award=False))
    assert state.claimed == (1,)
    written = format_position(state)
    assert "award 5 0; owed 1:0:4:award, 1:0:2; claimed 1" in written
    assert parse_position(written, PAYING) == state


def test_positions_are_written_only_where_a_card_is_to_be_played() -> None:
    """Not while seats are asked for announcements or challenges."""
    game = Game.begin(2, SHOWING)
    game.deal("7o 7c 1o / 2o 3c 11b / 4o 6o 10o 12o")
    with pytest.raises(PositionError, match="a card is played"):
        format_position(game.state)


@pytest.mark.parametrize("claimed", ["x", "2", "0 x", "-1"])
def test_claims_that_cannot_be(claimed: str) -> None:
    """Two seats are 0 and 1, and seats are numbers."""
    with pytest.raises(PositionError) as caught:
        parse_position(f"{PLAYED}; claimed {claimed}", SHOWING)
    assert caught.value.field == "claimed"


def test_pack_that_holds_no_card() -> None:
    """There is no rank 8."""
    with pytest.raises(PositionError) as caught:
        parse_position(f"{PLAYED}; pack 8 1e 2e 3e 4e 5e", SHOWING)
    assert caught.value.field == "pack"


def test_slashes_need_no_spaces() -> None:
    """Bare ranks take what the others leave, in hands and among the cards played."""
    text = "seats 2; batch 6; turn 0; hands 7 7o/7e 12; table 6; piles 18 17; capturer 1"
    assert parse_position(text, changed()).hands == (cards("7c 7o"), cards("7e 12o"))
    played = PLAYED.replace("played 7o 7c / 2o", "played 7 7/2")
    assert parse_position(played, SHOWING).played == (cards("7c 7o"), cards("2o"))
    played = PLAYED.replace("played 7o 7c / 2o", "played 3 4/7")
    assert parse_position(played, SHOWING).played == (cards("3o 4o"), cards("7c"))
    played = PLAYED.replace("played 7o 7c / 2o", "played 7 7c/2o")
    assert parse_position(played, SHOWING).played == (cards("7o 7c"), cards("2o"))


def test_the_cards_played_decide_where_they_are_judged() -> None:
    """Each of WHEN_SHOWN, challenges and a detection by itself."""
    for values in (
        {"settle": Settle.WHEN_SHOWN},
        {"challenge": True},
        {"undeclared_detection": UndeclaredDetection.AUTOMATIC},
        {"undeclared_detection": UndeclaredDetection.CLAIM},
    ):
        assert played_cards_decide(replace(MAGHRIBI, **values))
    assert not played_cards_decide(MAGHRIBI)


def test_the_pack_is_written_where_it_is_not_the_default() -> None:
    """With the cards played, which have left the pack; without them they would be in it."""
    assert "pack" not in format_position(parse_position(PLAYED, SHOWING))
    state = parse_position(PLAYED, changed())
    written = format_position(state)
    assert "pack 3o 4o 5o 6o 10o 11o" in written
    assert parse_position(written, changed()).pack == state.pack


def test_all_have_answered_and_nobody_is_asked_for_a_challenge() -> None:
    """ANN-2, WIN-1: a position is one in which a card is played; who announced has answered."""
    text = (
        "seats 2; batch 6; turn 0; hands 5o 5c 1o / 2o 3o 4o; table 12o; piles 16 17; capturer 0; "
        "said 6:0:ronda:5"
    )
    state = parse_position(text, SHOWING)
    assert state.answered == (0, 1)
    assert decide(state) == SeatsToAct((0,), Asked.CARD)
    assert parse_position(text, changed()).answered == (0,)
