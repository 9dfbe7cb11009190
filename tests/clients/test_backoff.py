"""Waiting for a referee that does not answer."""

import pytest

from ronda_client import Backoff, RefereeUnavailableError
from ronda_client.backoff import Trouble


class Clock:
    """Time that passes only while somebody waits."""

    def __init__(self) -> None:
        self.now = 100.0
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        """Let that much time pass."""
        self.waits.append(seconds)
        self.now += seconds


def trouble(backoff: Backoff, clock: Clock) -> Trouble:
    """Return a series that always draws the longest wait."""
    return Trouble(
        backoff,
        "127.0.0.1:1",
        clock=lambda: clock.now,
        sleep=clock.sleep,
        jitter=lambda _least, most: most,
    )


async def test_waits_grow_to_the_cap() -> None:
    """Each wait is twice the one before, and none is longer than the cap."""
    clock = Clock()
    series = trouble(Backoff(first=1, factor=2, cap=5, patience=1000), clock)
    for _ in range(5):
        await series.wait("away")
    assert clock.waits == [1, 2, 4, 5, 5]


async def test_success_begins_anew() -> None:
    """After a success neither the waits nor the patience remember what was before."""
    clock = Clock()
    series = trouble(Backoff(first=1, factor=2, cap=60, patience=7), clock)
    for _ in range(3):
        await series.wait("away")
    series.over()
    for _ in range(3):
        await series.wait("away")
    assert clock.waits == [1, 2, 4, 1, 2, 4]


async def test_patience_ends_with_a_last_attempt() -> None:
    """The wait before the last attempt is cut short, and the failure after it is raised."""
    clock = Clock()
    series = trouble(Backoff(first=4, factor=2, cap=60, patience=10), clock)
    await series.wait("away")
    await series.wait("away")
    assert clock.waits == [4, 6]
    with pytest.raises(RefereeUnavailableError) as caught:
        await series.wait("still away")
    assert str(caught.value) == "no answer from 127.0.0.1:1 in 10.0 s: still away"


async def test_no_patience_at_all_fails_at_once() -> None:
    """With a patience of 0 the first failure is the last."""
    clock = Clock()
    with pytest.raises(RefereeUnavailableError):
        await trouble(Backoff(patience=0), clock).wait("away")
    assert clock.waits == []


async def test_waits_are_drawn_from_the_upper_half() -> None:
    """Clients that fail together are spread, each over half of the present wait."""
    drawn: list[tuple[float, float]] = []

    def jitter(least: float, most: float) -> float:
        drawn.append((least, most))
        return least

    clock = Clock()
    series = Trouble(
        Backoff(first=1, factor=3, cap=9, patience=100),
        "x",
        clock=lambda: clock.now,
        sleep=clock.sleep,
        jitter=jitter,
    )
    for _ in range(3):
        await series.wait("away")
    assert drawn == [(0.5, 1), (1.5, 3), (4.5, 9)]
    assert clock.waits == [0.5, 1.5, 4.5]


@pytest.mark.parametrize(
    ("first", "factor", "cap", "patience"),
    [(0, 2, 1, 1), (-1, 2, 1, 1), (1, 0.5, 2, 1), (3, 2, 1, 1), (1, 2, 2, -1)],
)
def test_waits_that_make_no_sense_are_refused(
    first: float, factor: float, cap: float, patience: float
) -> None:
    """A first wait of nothing would be a busy loop, and so on."""
    with pytest.raises(ValueError, match=r"backoff|patience"):
        Backoff(first=first, factor=factor, cap=cap, patience=patience)


async def test_a_wait_that_was_asked_for_comes_before_ones_own() -> None:
    """Half a second asked for and then two of one's own waits; patience ends it all the same."""
    clock = Clock()
    series = trouble(Backoff(first=1, factor=2, cap=60, patience=10), clock)
    await series.wait("busy", at_least=0.5)
    await series.wait("away")
    await series.wait("busy", at_least=100)
    assert clock.waits == [1.5, 2, 6.5]
    with pytest.raises(RefereeUnavailableError):
        await series.wait("busy", at_least=100)


async def test_who_wants_to_know_is_told_of_each_failure_and_of_the_first_success() -> None:
    """What an attempt met with before each wait; a success that follows none says nothing."""
    told: list[str | None] = []
    clock = Clock()
    series = trouble(Backoff(first=1, factor=2, cap=60, patience=100, notice=told.append), clock)
    series.over()
    await series.wait("away")
    await series.wait("still away")
    series.over()
    series.over()
    assert told == ["away", "still away", None]
