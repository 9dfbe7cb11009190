"""Who meets whom, held against pairings that were worked out by hand."""

import pytest

from ronda_tournament.pairing import (
    Standing,
    bracket,
    gauntlet,
    partnerships,
    round_robin,
    swiss_round,
    tables_of_three,
)


def test_four_meet_in_three_rounds() -> None:
    """Entrant 0 stays and the others go round: every two meet once."""
    assert round_robin(4) == [
        [(0, 3), (1, 2)],
        [(0, 2), (3, 1)],
        [(0, 1), (2, 3)],
    ]


def test_of_five_one_sits_out_in_every_round() -> None:
    """They are 0, 3, 1, 4 and 2, in this order."""
    assert round_robin(5) == [
        [(1, 4), (2, 3)],
        [(0, 4), (1, 2)],
        [(0, 3), (4, 2)],
        [(0, 2), (3, 1)],
        [(0, 1), (3, 4)],
    ]


def test_two_meet_once() -> None:
    """There is one round of one meeting."""
    assert round_robin(2) == [[(0, 1)]]


def test_a_champion_meets_each_of_the_others() -> None:
    """The others do not meet each other."""
    assert gauntlet(4, 2) == [(2, 0), (2, 1), (2, 3)]


def test_three_sit_together_in_every_way() -> None:
    """Of four entrants there are four tables of three, and three of them have entrant 0."""
    assert tables_of_three(4) == [
        ((0,), (1,), (2,)),
        ((0,), (1,), (3,)),
        ((0,), (2,), (3,)),
        ((1,), (2,), (3,)),
    ]
    assert len(tables_of_three(4, champion=0)) == 3


def test_four_are_partners_in_three_ways() -> None:
    """Everyone has every other as a partner once."""
    assert partnerships(4) == [
        ((0, 1), (2, 3)),
        ((0, 2), (1, 3)),
        ((0, 3), (1, 2)),
    ]


def test_a_first_swiss_round_pairs_neighbours() -> None:
    """Nobody has points, so the order of entry decides."""
    standings = [Standing(entrant, 0) for entrant in range(4)]
    assert swiss_round(standings, set()) == ([(0, 1), (2, 3)], None)


def test_winners_meet_winners_that_they_have_not_met() -> None:
    """Entrants 0 and 2 have won; in the third round 0 has met 1 and 2, and so meets 3."""
    met = {frozenset((0, 1)), frozenset((2, 3))}
    second = [Standing(0, 1), Standing(1, 0), Standing(2, 1), Standing(3, 0)]
    assert swiss_round(second, met) == ([(0, 2), (1, 3)], None)
    met |= {frozenset((0, 2)), frozenset((1, 3))}
    third = [Standing(0, 2), Standing(1, 0), Standing(2, 1), Standing(3, 1)]
    assert swiss_round(third, met) == ([(0, 3), (2, 1)], None)


def test_points_ahead_order_those_with_equal_points() -> None:
    """Entrants 1, 2 and 3 have one point each; 3 is ahead of them, then 1."""
    standings = [Standing(0, 3), Standing(1, 1, 2), Standing(2, 1, -4), Standing(3, 1, 6)]
    assert swiss_round(standings, set()) == ([(0, 3), (1, 2)], None)


def test_a_choice_is_taken_back_where_it_leaves_two_that_have_met() -> None:
    """0 with 1 would leave 2 and 3, who have met."""
    standings = [Standing(entrant, 0) for entrant in range(4)]
    assert swiss_round(standings, {frozenset((2, 3))}) == ([(0, 2), (1, 3)], None)


def test_the_lowest_that_has_not_sat_out_does() -> None:
    """Entrant 4 is lowest and has sat out, so 3 does."""
    standings = [Standing(0, 2), Standing(1, 1), Standing(2, 1), Standing(3, 0), Standing(4, 0)]
    assert swiss_round(standings, set(), byes={4}) == ([(0, 1), (2, 4)], 3)


def test_where_all_have_met_all_they_meet_again() -> None:
    """Two entrants in a second round."""
    standings = [Standing(0, 1), Standing(1, 0)]
    assert swiss_round(standings, {frozenset((0, 1))}) == ([(0, 1)], None)


@pytest.mark.parametrize(
    ("entrants", "slots"),
    [
        (2, [0, 1]),
        (3, [0, None, 1, 2]),
        (4, [0, 3, 1, 2]),
        (5, [0, None, 3, 4, 1, None, 2, None]),
        (8, [0, 7, 3, 4, 1, 6, 2, 5]),
    ],
)
def test_the_first_seeds_get_the_free_places(entrants: int, slots: list[int | None]) -> None:
    """The two first seeds are in different halves."""
    assert bracket(entrants) == slots
