"""What a hand holds (ANN-1, ANN-3, ANN-5)."""

import pytest

from ronda_rules import engine
from ronda_rules.cards import index_of_rank, rank_index, rank_of
from ronda_rules.holdings import best_rank, possible
from ronda_rules.rule_set import AnnouncementKind, RankOrder
from tests.rules.playing import Game, cards
from tests.rules.rule_sets import EMPTY_TABLE, MAGHRIBI, REFUSED, changed

RONDA = AnnouncementKind.RONDA
TRINGA = AnnouncementKind.TRINGA
DOUBLE = AnnouncementKind.DOUBLE_RONDA


def held(
    kind: AnnouncementKind,
    hand: str,
    order: RankOrder = RankOrder.KING_HIGH,
    *,
    two_pairs_make_double: bool = True,
) -> int | None:
    """Give the rank, as people say it, with which a hand makes an announcement true."""
    ranks = [rank_index(one) for one in cards(hand)]
    rank = best_rank(kind, ranks, order, two_pairs_make_double=two_pairs_make_double)
    return None if rank is None else rank_of(rank)


@pytest.mark.parametrize(
    ("hand", "ronda", "tringa", "double"),
    [
        ("1o 2o 3o", None, None, None),
        ("7o 7c 3o", 7, None, None),
        ("3o 7c 7o", 7, None, None),
        ("7o 3c 7e", 7, None, None),
        ("12o 12c 12e", 12, 12, None),
        ("1o 1c 1e", 1, 1, None),
        ("10o 11o 12o", None, None, None),
        ("6o 7o 10o 11o", None, None, None),
        ("4o 4c 1o 2o", 4, None, None),
        ("4o 4c 6o 4e", 4, 4, None),
        ("4o 4c 4e 4b", 4, None, 4),
        ("4o 4c 6o 6c", 6, None, 6),
        ("12o 12c 1o 1c", 12, None, 12),
        ("10o 7c 10c 7o", 10, None, 10),
    ],
)
def test_what_a_hand_makes_true(
    hand: str, ronda: int | None, tringa: int | None, double: int | None
) -> None:
    """ANN-1, ANN-3: a pair at least, exactly three, two pairs or four of a kind.

    Four of a kind is a ronda and a double but no tringa; of two pairs the higher counts.
    """
    assert [held(kind, hand) for kind in (RONDA, TRINGA, DOUBLE)] == [ronda, tringa, double]


@pytest.mark.parametrize(
    ("hand", "ronda", "double"),
    [("4o 4c 6o 6c", 6, None), ("4o 4c 4e 4b", 4, 4), ("4o 4c 4e 6b", 4, None)],
)
def test_double_ronda_of_later_batches(hand: str, ronda: int | None, double: int | None) -> None:
    """ANN-1: where two pairs make none, four of a kind does, and two pairs are one ronda."""
    assert held(RONDA, hand) == ronda
    assert held(DOUBLE, hand, two_pairs_make_double=False) == double


@pytest.mark.parametrize(
    ("hand", "king_high", "ace_high"),
    [("1o 1c 12o 12c", 12, 1), ("1o 1c 2o 2c", 2, 1), ("2o 2c 12o 12c", 12, 12)],
)
def test_higher_of_two_pairs_is_by_rank_order(hand: str, king_high: int, ace_high: int) -> None:
    """ANN-5: with ACE_HIGH the ace is above the king."""
    for kind in (RONDA, DOUBLE):
        assert held(kind, hand, RankOrder.KING_HIGH) == king_high
        assert held(kind, hand, RankOrder.ACE_HIGH) == ace_high


@pytest.mark.parametrize(("kind", "sizes"), [(RONDA, [3, 4]), (TRINGA, [3, 4]), (DOUBLE, [4])])
def test_kinds_that_a_hand_size_can_hold(kind: AnnouncementKind, sizes: list[int]) -> None:
    """ANN-1: no hand of three holds a double ronda."""
    assert [size for size in (3, 4) if possible(kind, size)] == sizes


def test_rank_of_an_announcement_is_that_of_the_hand_it_was_made_with() -> None:
    """ANN-1: the rank is kept from the moment of announcing; false ones have none."""
    game = Game.begin(2)
    game.deal("7o 7c 3o / 1c 2c 5c / 4o 6o 11o 12o")
    game.announce(RONDA)
    game.play("7o")
    game.announce(TRINGA)
    game.play("1c")
    assert [(one.batch, one.seat, one.kind, one.rank) for one in game.state.announcements] == [
        (1, 0, RONDA, index_of_rank(7)),
        (1, 1, TRINGA, None),
    ]


@pytest.mark.parametrize(
    ("hand", "kinds"),
    [("1o 2o 3o", ()), ("7o 7c 3o", (RONDA,)), ("7o 7c 7e", (RONDA, TRINGA))],
)
def test_supported_announcements(hand: str, kinds: tuple[AnnouncementKind, ...]) -> None:
    """ANN-1, ANN-10: only the seat to act is told which announcements its hand makes true."""
    for rules in (MAGHRIBI, changed(**REFUSED)):
        game = Game.begin(2, rules)
        game.deal(f"{hand} / 5c 5e 5b / 4o 6o 11o 12o")
        assert engine.supported_announcements(game.state, 0) == kinds
        assert engine.supported_announcements(game.state, 1) == ()
        game.play(hand.split(maxsplit=1)[0])
        assert engine.supported_announcements(game.state, 0) == ()
        assert engine.supported_announcements(game.state, 1) == (RONDA, TRINGA)


def test_supported_announcements_of_a_hand_of_four() -> None:
    """ANN-1: four of a kind support a ronda and no tringa."""
    game = Game.begin(2, changed(**EMPTY_TABLE))
    game.deal("7o 7c 7e 7b / 1c 2c 3c 4c")
    assert engine.supported_announcements(game.state, 0) == (RONDA,)


def test_nothing_is_supported_while_cards_are_dealt_or_after_announcing() -> None:
    """ANN-2, ANN-10: what could not be announced any more is not offered."""
    game = Game.begin(2)
    game.draw("7o 7c 7e")
    assert engine.supported_announcements(game.state, 0) == ()
    game.deal("1c 2c 3c / 4o 6o 11o 12o")
    game.announce(RONDA)
    assert engine.supported_announcements(game.state, 0) == ()
