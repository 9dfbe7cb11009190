"""Intervals, the sequential test and ratings, held against numbers that were worked out by hand."""

import random

import pytest

from ronda_tournament.config import Sprt
from ronda_tournament.ratings import entrants_by_side, places_by_side, ranks_of, rate
from ronda_tournament.results import (
    Game,
    Results,
    difference,
    first_share,
    team_points,
    team_share,
)
from ronda_tournament.schedule import Meeting
from ronda_tournament.sprt import SprtTest, bounds, expected_share, log_likelihood_ratio
from ronda_tournament.statistics import mean_of, shares_of, student_quantile
from tests.tournament.made import config, ended, play

A_AND_B = Meeting(1, 1, ((0,), (1,)))


def game(scores: tuple[int, ...], number: int = 0) -> Game:
    """Give a match of a and b, or a, b and c, with these points by seat."""
    best = max(scores)
    winners = tuple(side for side, score in enumerate(scores) if score == best)
    meeting = Meeting(1, 1, tuple((entrant,) for entrant in range(len(scores))))
    return Game("r1-m1-p1", number, "m", meeting.games()[number], scores, winners, 36, "")


def test_a_mean_has_the_interval_of_students_t() -> None:
    """2, 4, 6: mean 4, deviation 2, error 2/sqrt(3) = 1.1547, times 4.30265 = 4.96828."""
    mean = mean_of([2.0, 4.0, 6.0])
    assert mean is not None
    assert (mean.mean, mean.count) == (4.0, 3)
    assert mean.low == pytest.approx(-0.96828, abs=1e-4)
    assert mean.high == pytest.approx(8.96828, abs=1e-4)


def test_one_value_has_no_interval_and_none_no_mean() -> None:
    """There is no spread to be seen."""
    assert mean_of([]) is None
    one = mean_of([3.0])
    assert one is not None
    assert (one.mean, one.low, one.high) == (3.0, None, None)


@pytest.mark.parametrize(
    ("degrees", "table"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (120, 1.980)],
)
def test_quantiles_are_those_of_the_tables(degrees: int, table: float) -> None:
    """They have three decimals."""
    assert student_quantile(degrees) == pytest.approx(table, abs=0.001)


def test_those_who_share_a_draw_divide_the_point() -> None:
    """Between two a half each, of three sides a half for each of two."""
    assert shares_of([1], 2) == (0.0, 1.0)
    assert shares_of([0, 1], 2) == (0.5, 0.5)
    assert shares_of([0, 2], 3) == (0.5, 0.0, 0.5)


def test_a_pair_counts_for_the_team_wherever_it_sits() -> None:
    """A has 5 points at seat 0 and 4 at seat 1, b has 3 and 6: the matches are one each."""
    pair = (game((5, 3)), game((6, 4), 1))
    assert (team_points(pair, 0), team_points(pair, 1)) == (9, 9)
    assert difference(pair) == 0
    assert first_share(pair) == 0.5
    assert first_share((game((5, 3)), game((4, 4), 1))) == 0.75


def test_three_get_what_they_made_at_every_seat() -> None:
    """A sits at 0, 2 and 1: 7 + 1 + 2 points; it has won the first of three matches."""
    three = (game((7, 1, 0)), game((5, 3, 1), 1), game((3, 2, 9), 2))
    assert [team_points(three, team) for team in range(3)] == [10, 15, 6]
    assert [team_share(three, team) for team in range(3)] == [
        pytest.approx(1 / 3),
        pytest.approx(2 / 3),
        0.0,
    ]


def test_the_bounds_of_the_test() -> None:
    """With 5 % on either side they are the logarithms of 1/19 and 19."""
    lower, upper = bounds(Sprt(0, 10))
    assert (round(lower, 5), round(upper, 5)) == (-2.94444, 2.94444)
    lower, upper = bounds(Sprt(0, 10, alpha=0.1, beta=0.2))
    assert (round(lower, 5), round(upper, 5)) == (-1.50408, 2.07944)


def test_expected_shares_are_those_of_elo() -> None:
    """400 points are ten to one."""
    assert expected_share(0) == 0.5
    assert expected_share(400) == pytest.approx(10 / 11)
    assert expected_share(-400) == pytest.approx(1 / 11)


def test_the_ratio_of_a_small_sample() -> None:
    """Two pairs at a half and two won, elo 0 against 400.

    m = 3/4 and v = (4/16 + 10/8) / 14 = 3/28, so that the ratio is
    4 (9/22) (33/22 - 31/22) / (6/28) = (18/121) (28/6) = 84/121.
    """
    assert log_likelihood_ratio([0, 0, 2, 0, 2], Sprt(0, 400)) == pytest.approx(84 / 121)
    assert log_likelihood_ratio([0, 0, 0, 0, 0], Sprt(0, 400)) == 0.0


@pytest.mark.parametrize("elo1", [60.0, 200.0])
def test_the_test_errs_as_rarely_as_it_is_told_to(elo1: float) -> None:
    """Of 400 tests of bots that are equal, and of such that are better by elo1, 5 % go wrong.

    More than 8 % would come up once in 200 times.
    """
    chance = random.Random(3)

    def wrong(elo: float, decision: str) -> int:
        found = 0
        share = expected_share(elo)
        for _ in range(400):
            test = SprtTest(Sprt(0, elo1))
            while not test.state.decision:
                test.add(sum(chance.random() < share for _ in range(2)) / 2)
            found += test.state.decision == decision
        return found

    assert wrong(0.0, "elo1") <= 32
    assert wrong(elo1, "elo0") <= 32


def test_a_test_stays_with_its_first_decision() -> None:
    """Five won pairs are 3.61 and decide it, four are 2.70; what comes later is not counted."""
    test = SprtTest(Sprt(0, 100))
    for _ in range(10):
        test.add(1.0)
    decided = test.state
    assert decided.decision == "elo1"
    assert decided.pairs == 5
    for _ in range(50):
        test.add(0.0)
    assert test.state == decided


def test_pairs_count_in_their_order_whichever_ends_first() -> None:
    """The second pair is over, the first is not; a void one is left out."""
    results = Results(config(entrants=2, pairs=3, sprt=Sprt(0, 100)))
    for number in (0, 1):
        results.apply(ended(A_AND_B, 2, number, ((1, 9), (9, 1))[1 - number]))
    state = results.sprt(A_AND_B)
    assert state is not None
    assert state.pairs == 0
    results.apply({"type": "void", "group": "r1-m1-p1", "why": "b crashed", "failures": []})
    state = results.sprt(A_AND_B)
    assert state is not None
    assert state.pairs == 1


def test_a_meeting_stands_by_pairs_then_points() -> None:
    """A wins the first pair by 8 + 6 and loses the second by 1."""
    results = Results(config(entrants=2))
    play(results, A_AND_B, [((9, 1), (2, 8)), ((4, 4), (5, 4))])
    assert results.standing(A_AND_B) == (0.0, 13.0)


def test_one_match_gives_the_models_own_numbers() -> None:
    """The winner of a first match has 27.635 and the loser 22.365, as openskill documents."""
    ratings = rate({"r1-m1": [(game((9, 1)),)]}, entrants_by_side, 7)
    assert {one: round(rating.mu, 3) for one, rating in ratings.items()} == {0: 27.635, 1: 22.365}
    assert ratings[0].low is None
    assert ratings[0].matches == 1


def test_ratings_from_single_groups_have_no_interval() -> None:
    """Drawn again they are always the same, which says nothing of how sure they are."""
    meetings = {"r1-m1": [(game((9, 1)),)], "r1-m2": [(game((2, 8)),)]}
    ratings = rate(meetings, entrants_by_side, 7)
    assert [(one.low, one.high) for one in ratings.values()] == [(None, None)] * 2


def test_intervals_are_the_same_for_the_same_seed() -> None:
    """They hold the rating, and another seed gives others."""
    groups = [(game((9, 1)), game((2, 8), 1)), (game((1, 9)), game((2, 8), 1))] * 4
    one, same, other = (rate({"r1-m1": groups}, entrants_by_side, seed)[0] for seed in (1, 1, 2))
    assert one == same
    assert one.low != other.low
    assert one.low is not None
    assert one.high is not None
    assert one.low < one.mu < one.high


def test_a_seat_is_rated_as_a_player() -> None:
    """Seat 1 wins whoever sits there."""
    groups = [(game((1, 9)), game((2, 8), 1))] * 5
    ratings = rate({"r1-m1": groups}, places_by_side, 1)
    assert ratings[1].mu > 30
    assert ratings[0].mu < 20


def test_three_are_ranked_by_the_point_and_then_by_points() -> None:
    """Second and third place are told apart; those who share a draw share a rank."""
    assert ranks_of(game((9, 1, 4))) == [1.0, 3.0, 2.0]
    assert ranks_of(game((9, 4, 9))) == [1.0, 3.0, 1.0]
    assert ranks_of(game((3, 3))) == [1.0, 1.0]


def test_partners_are_rated_together() -> None:
    """Seats 0 and 2 are one team."""
    four = Game("g", 0, "m", (0, 1, 2, 3), (5, 2), (0,), 36, "")
    assert entrants_by_side(four) == [[0, 2], [1, 3]]
    ratings = rate({"r1-m1": [(four,)]}, entrants_by_side, 1)
    assert ratings[0].mu == ratings[2].mu > 25 > ratings[1].mu == ratings[3].mu
