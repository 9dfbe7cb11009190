"""The house rule sets can be played, and the parameter that each is there for does what it says."""

import random
from pathlib import Path

import pytest

from ronda_conformance import data_folders
from ronda_conformance.rule_set_files import check_file
from ronda_referee.convert import rule_set_from_proto
from ronda_rules import engine
from ronda_rules.cards import cards_of, index_of_rank
from ronda_rules.engine import DrawCards, MatchOver
from ronda_rules.events import (
    AnnouncementMade,
    AnnouncementsAwarded,
    AnnouncementsRevealed,
    CardLaid,
    CardPlayed,
    CardsCaptured,
    CardsHeld,
    ChainClosed,
    DealEnded,
    DutyAwarded,
    Event,
    LeftoversTaken,
    MatchEnded,
    PilesCounted,
    PlayAwarded,
    RevealedAnnouncement,
)
from ronda_rules.moves import Play
from ronda_rules.rule_set import RuleSet
from tests.rules.playing import RONDA, Game, card, cards
from tests.rules.playouts import playout

FILES = sorted(data_folders.house_rules().glob("*.toml"))


def rules_of(name: str) -> RuleSet:
    """Read one of them."""
    return read(data_folders.house_rules() / f"{name}.toml")


def read(file: Path) -> RuleSet:
    """Read a file, which has no fault."""
    checked = check_file(file)
    assert checked.faults == ()
    return rule_set_from_proto(checked.listed.rule_set)


def of_kind(events: list[Event], kind: type[Event]) -> list[Event]:
    """Pick the events of one kind."""
    return [event for event in events if isinstance(event, kind)]


TABLES = [(file, seats) for file in FILES for seats, _ in read(file).seats]


@pytest.mark.parametrize(
    ("file", "seats"), TABLES, ids=[f"{file.stem}-{seats}" for file, seats in TABLES]
)
def test_every_house_rule_set_is_played_to_the_end(file: Path, seats: int) -> None:
    """With each of its seat counts, by random cards and moves."""
    rules = read(file)
    assert rules.source == "house"
    for seed in range(3):
        last = list(playout(rules, seats, random.Random(seed)))[-1]
        assert isinstance(engine.decide(last.after), MatchOver)
        (end,) = of_kind(list(last.events), MatchEnded)
        assert isinstance(end, MatchEnded)
        assert end.winners


# phone-table


def batch_of_phones(hands: str) -> list[Event]:
    """Deal the first batch of a phone table and play each hand in its order; give all events."""
    dealt = [hand.split() for hand in hands.split("/")]
    game = Game.begin(len(dealt), rules_of("phone-table"))
    game.deal(hands)
    game.play(" ".join(hand[turn] for turn in range(4) for hand in dealt))
    return game.events


def test_phones_announce_and_pay_the_lowest_of_four_rondas() -> None:
    """ANN-2, ANN-5: nobody is asked; of rondas of 4, 12, 1 and 7 the aces take the pot of four.

    The kings of the other side would be best by any other rule.
    """
    events = batch_of_phones("4o 4c 2o 6o / 12o 12c 5o 3o / 1o 1c 10o 11o / 7o 7c 6c 2c")
    assert of_kind(events, AnnouncementMade) == [AnnouncementMade(seat, RONDA) for seat in range(4)]
    assert of_kind(events, AnnouncementsAwarded) == [AnnouncementsAwarded(1, ((0, 4),))]


def test_phones_pay_the_highest_of_three_rondas() -> None:
    """ANN-5: the lowest is best only where all four seats have one; three make a pot of 3."""
    events = batch_of_phones("4o 4c 2o 6o / 12o 12c 5o 3o / 1o 1c 10o 11o / 7o 3c 6c 2c")
    assert of_kind(events, AnnouncementsAwarded) == [AnnouncementsAwarded(1, ((1, 3),))]


def test_phones_pay_nobody_where_the_best_are_equal() -> None:
    """ANN-7: two rondas of kings are shown and pay nothing; a split would give 1 to each side."""
    events = batch_of_phones("12o 12c 2o 6o / 12e 12b 5o 3o")
    assert of_kind(events, AnnouncementsAwarded) == []
    king = index_of_rank(12)
    assert of_kind(events, AnnouncementsRevealed) == [
        AnnouncementsRevealed(
            1, (RevealedAnnouncement(0, RONDA, king), RevealedAnnouncement(1, RONDA, king))
        )
    ]


def test_phones_play_the_whole_ladder_with_two_seats() -> None:
    """CHAIN-1, CHAIN-6: the third equal card is worth 5 for two seats as well."""
    game = Game.begin(2, rules_of("phone-table"))
    game.deal("7o 7c 1o 2o / 7e 3c 4c 5c")
    # The one ronda of the batch is its side's alone and paid at once.
    assert game.state.scores == (1, 0)
    game.play("1o 3c 7o 7e 7c")
    assert game.state.scores == (1, 0)
    assert game.play("4c")[1:3] == [ChainClosed(0, 2, 3), PlayAwarded(0, 5, 0, ((0, 5),))]
    assert game.state.scores == (6, 0)


@pytest.mark.parametrize(
    ("played", "table", "shares"),
    [("12c", "12o 2o", ((1, 5),)), ("1c", "1o 12o", ((0, 5),)), ("3c", "12o 2o", None)],
)
def test_phones_reward_a_king_and_fine_an_ace_at_the_end(
    played: str, table: str, shares: tuple[tuple[int, int], ...] | None
) -> None:
    """DUTY-1: 5 for a king, 5 to the other side for an ace, nothing for a card that misses."""
    game = Game.at(
        f"seats 2; batch 5; turn 1; hands - / {played}; table {table}; piles 20 17; capturer 0",
        rules_of("phone-table"),
    )
    expected = [] if shares is None else [DutyAwarded(1, shares)]
    assert of_kind(game.play(played), DutyAwarded) == expected


# kept-links


def test_every_link_is_kept() -> None:
    """CHAIN-8: the caida's 1 stays with its seat although the third card takes the pile and 5."""
    game = Game.at(
        "seats 3; batch 2; turn 0; hands 5o 1o 2o / 5c 1c 2c / 5e 10e 11e; table 3o 12o; "
        "piles 11 0 0; capturer 0",
        rules_of("kept-links"),
    )
    assert game.play("5o 5c")[2:] == [
        CardPlayed(1, card("5c")),
        CardsHeld(1, 1, cards("5o"), 0),
        PlayAwarded(1, 1, 0, ((1, 1),)),
    ]
    assert game.play("5e")[1:] == [CardsHeld(2, 2, (), 0), PlayAwarded(2, 5, 0, ((2, 5),))]
    assert game.play("1o")[1:] == [ChainClosed(2, 2, 3), CardLaid(0, card("1o"))]
    assert game.state.scores == (0, 1, 5)
    assert game.state.piles == (11, 0, 3)


# quiet-last-batch


@pytest.mark.parametrize(
    ("batch", "piles", "awards"),
    [(5, "20 11", [PlayAwarded(0, 0, 1, ((0, 1),))]), (6, "19 18", [])],
)
def test_the_last_batch_has_no_mesa(batch: int, piles: str, awards: list[Event]) -> None:
    """MESA-3: the capture that empties the table scores in the batch before it alone."""
    game = Game.at(
        f"seats 2; batch {batch}; turn 0; hands 5o / 1c; table 5e; piles {piles}; capturer 0",
        rules_of("quiet-last-batch"),
    )
    assert of_kind(game.play("5o"), PlayAwarded) == awards


# mixed-openings


@pytest.mark.parametrize(
    ("seats", "hands", "hand", "table"),
    [
        (2, "1o 2o 3o / 1c 2c 3c / 4o 6o 10o 12o", 3, "4o 6o 10o 12o"),
        (3, "1o 2o 3o / 1c 2c 3c / 1e 2e 3e / 4o 6o 10o 12o", 3, "4o 6o 10o 12o"),
        (4, "1o 2o 3o 4o / 1c 2c 3c 4c / 1e 2e 3e 4e / 1b 2b 3b 4b", 4, ""),
    ],
)
def test_the_opening_goes_by_the_seats(seats: int, hands: str, hand: int, table: str) -> None:
    """DEAL-5: four seats get hands of four and no table, the others a table; then threes."""
    game = Game.begin(seats, rules_of("mixed-openings"))
    game.deal(hands)
    assert [len(one) for one in game.state.hands] == [hand] * seats
    assert sorted(cards_of(game.state.table)) == sorted(cards(table))
    dealt = [one.split() for one in hands.split("/")][:seats]
    game.play(" ".join(one[turn] for turn in range(hand) for one in dealt))
    decision = engine.decide(game.state)
    assert isinstance(decision, DrawCards)
    assert decision.count == 3


# open-hands


def test_the_best_is_paid_before_the_first_card_with_the_ranks_shown() -> None:
    """ANN-8: with the last answer all announcements are shown, and the kings get their 1."""
    game = Game.begin(2, rules_of("open-hands"))
    game.deal("12o 12c 1o / 5e 5b 11b / 2o 4o 6o 10o")
    assert game.announce(RONDA) == [AnnouncementMade(0, RONDA)]
    assert game.announce(RONDA) == [
        AnnouncementMade(1, RONDA),
        AnnouncementsRevealed(
            1,
            (
                RevealedAnnouncement(0, RONDA, index_of_rank(12)),
                RevealedAnnouncement(1, RONDA, index_of_rank(5)),
            ),
        ),
        AnnouncementsAwarded(1, ((0, 1),)),
    ]
    assert set(engine.legal_moves(game.state, 0)) == set(map(Play, cards("1o 12o 12c")))


# cards-only


def test_cards_alone_decide() -> None:
    """COUNT-1, MATCH-4: a caida scores nothing; 23 cards make 3 points and win the only deal."""
    game = Game.at(
        "seats 2; batch 6; turn 1; hands - / 5o; table 5c 1o; piles 17 20; capturer 0; laid 5c",
        rules_of("cards-only"),
    )
    assert engine.legal_moves(game.state, 1) == (Play(card("5o")),)
    assert game.play("5o") == [
        CardPlayed(1, card("5o")),
        CardsCaptured(1, cards("5c")),
        LeftoversTaken(1, cards("1o")),
        PilesCounted((17, 23), ((1, 3),)),
        DealEnded(1, (0, 3)),
        MatchEnded((1,), (0, 3)),
    ]


def test_equal_piles_draw() -> None:
    """MATCH-3: 20 cards each; the table that is emptied is no mesa."""
    game = Game.at(
        "seats 2; batch 6; turn 1; hands - / 5o; table 5c; piles 20 18; capturer 0",
        rules_of("cards-only"),
    )
    assert game.play("5o")[-1] == MatchEnded((0, 1), (0, 0))
