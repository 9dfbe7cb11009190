"""What rounds say of a target, and in which order they are measured: numbers worked out by hand."""

import json

import pytest

from benchmarks.measure import (
    Aim,
    Pair,
    Row,
    Verdict,
    alternately,
    by_rounds,
    median_interval,
    percentile,
)


def row(*pairs: tuple[float, float], target: float | None = 0.6, aim: Aim = Aim.AT_LEAST) -> Row:
    """Return a row with these rounds."""
    rounds = tuple(Pair(*pair) for pair in pairs)
    return Row("calls", "moves", "echo", "per second", aim, target, rounds)


def test_a_ratio_is_the_median_of_the_rounds_ratios() -> None:
    """Not the ratio of the medians: 0.5, 2 and 0.8, whatever the hour did to both."""
    measured = row((50, 100), (200, 100), (8, 10))
    assert measured.ratios == (0.5, 2.0, 0.8)
    assert measured.ratio == 0.8
    assert measured.interval == (0.5, 2.0)
    assert (measured.ours, measured.theirs) == (50, 100)


@pytest.mark.parametrize(
    ("count", "low", "high"),
    [
        # Below five rounds nothing is nine in ten sure: a coin falls alike three times in a quarter
        # of all cases.
        (1, 0, 0),
        (3, 0, 2),
        # All of five alike: 2/32, so that the whole range is right in 93.75 %.
        (5, 0, 4),
        # Of seven the second from each end is wrong in 2 * 8/128 = 12.5 %: too often.
        (7, 0, 6),
        # Of eight in 2 * 9/256 = 7 %.
        (8, 1, 6),
        # Of nine the second in 2 * 10/512 = 3.9 %, the third in 2 * 46/512 = 18 %.
        (9, 1, 7),
        # Of fifteen the fourth in 2 * 576/32768 = 3.5 %, the fifth in 2 * 1941/32768 = 11.8 %.
        (15, 3, 11),
    ],
)
def test_the_interval_of_a_median(count: int, low: int, high: int) -> None:
    """By the binomial distribution of how many values lie below the median."""
    values = [float(value) for value in range(count)]
    assert median_interval(values[::-1]) == (low, high)


def test_nothing_has_no_median() -> None:
    """Nor a percentile."""
    with pytest.raises(ValueError, match="no median of nothing"):
        median_interval([])
    with pytest.raises(ValueError, match="no percentile of nothing"):
        percentile([], 50)


@pytest.mark.parametrize(
    ("aim", "ratios", "verdict"),
    [
        (Aim.AT_LEAST, (0.6, 0.7, 0.9), "met"),
        (Aim.AT_LEAST, (0.5, 0.7, 0.9), "unclear"),
        (Aim.AT_LEAST, (0.4, 0.5, 0.6), "unclear"),
        (Aim.AT_LEAST, (0.4, 0.5, 0.59), "not met"),
        (Aim.AT_MOST, (0.4, 0.5, 0.6), "met"),
        (Aim.AT_MOST, (0.4, 0.5, 0.61), "unclear"),
        (Aim.AT_MOST, (0.6, 0.8, 0.9), "unclear"),
        (Aim.AT_MOST, (0.61, 0.8, 0.9), "not met"),
    ],
)
def test_a_verdict_is_clear_where_the_whole_interval_is(
    aim: Aim, ratios: tuple[float, ...], verdict: str
) -> None:
    """On one side of the target, which is itself good enough; else it lies within the noise."""
    measured = row(*((ratio, 1.0) for ratio in ratios), aim=aim)
    assert measured.verdict.value == verdict
    assert row((1, 1), target=None, aim=aim).verdict is Verdict.NONE


def test_both_are_measured_by_turns_and_go_first_by_turns() -> None:
    """After a warm-up that counts for nothing; the number of rounds is told."""
    order: list[str] = []
    ours = iter([999.0, 10.0, 20.0, 30.0])
    theirs = iter([999.0, 5.0, 5.0, 10.0])
    told: list[float] = []

    def of(who: str, figures: "list[float]") -> float:
        order.append(who)
        return figures.pop(0)

    own, peer = list(ours), list(theirs)
    pairs = alternately(lambda: of("o", own), lambda: of("t", peer), 3, told.append)
    assert "".join(order) == "to" + "ot" + "to" + "ot"
    assert pairs == (Pair(10, 5), Pair(20, 5), Pair(30, 10))
    assert told == [1, 2, 3]


def test_the_slices_of_a_round_are_equal_pieces_of_work() -> None:
    """Half of it at 30 and half at 60 a second are 40 a second, not 45."""
    own, peer = [30.0, 60.0], [10.0, 10.0]
    order: list[str] = []

    def of(who: str, figures: list[float]) -> float:
        order.append(who)
        return figures.pop(0)

    (pair,) = alternately(
        lambda: of("o", own), lambda: of("t", peer), 1, lambda _: None, slices=2, warm_up=False
    )
    assert pair.ours == pytest.approx(40)
    assert pair.theirs == pytest.approx(10)
    assert order == ["o", "t", "t", "o"]


def test_what_was_noted_is_of_the_rounds_alone() -> None:
    """Two rounds of two slices; what the warm-up noted before is left out."""
    assert by_rounds([9, 1, 2, 3, 4], 2, 2) == [[1, 2], [3, 4]]
    assert by_rounds([1, 2, 3], 3, 1) == [[1], [2], [3]]


def test_a_round_in_which_nothing_was_done_is_an_error() -> None:
    """Rather than a ratio of nothing."""
    with pytest.raises(ValueError, match="nothing was measured"):
        alternately(lambda: 0.0, lambda: 1.0, 1, lambda _: None)
    with pytest.raises(ValueError, match="at least 1 round is needed, not 0"):
        alternately(lambda: 1.0, lambda: 1.0, 0, lambda _: None)


def test_a_percentile_is_one_of_the_values() -> None:
    """The least that so many percent do not exceed: of 200 values the 198th is p99."""
    values = [float(value) for value in range(200, 0, -1)]
    assert (percentile(values, 50), percentile(values, 99), percentile(values, 100)) == (
        *(100, 198, 200),
    )
    assert percentile([3.0], 1) == 3


def test_a_row_comes_back_from_json() -> None:
    """With four significant digits of each figure, and what follows from them."""
    measured = row((123.456, 100), (3, 2), (1, 1))
    said = measured.as_json()
    assert (said["ratio"], said["low"], said["high"], said["verdict"]) == (1.235, 1.0, 1.5, "met")
    assert said["rounds"] == [[123.5, 100.0], [3.0, 2.0], [1.0, 1.0]]
    back = Row.from_json(json.loads(json.dumps(said)))
    assert (back.ratio, back.target, back.aim) == (1.235, 0.6, Aim.AT_LEAST)
    with pytest.raises(ValueError, match="calls: there are no rounds"):
        Row.from_json({**said, "rounds": []})
