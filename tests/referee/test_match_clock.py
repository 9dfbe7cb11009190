"""The timer of a match: it comes when a deadline has passed, however often that was put off."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from ronda_referee.match_clock import MatchClock
from ronda_referee.surroundings import Surroundings


@dataclass
class Timers:
    """An event loop's timers, which come when a test says so."""

    now_ms: int = 1_000
    waits: list[float] = field(default_factory=list)
    waiting: list[Callable[[], None]] = field(default_factory=list)
    due: list[int] = field(default_factory=list)

    def call_later(self, seconds: float, callback: Callable[[], None]) -> "Timers":
        """Note a timer."""
        self.waits.append(seconds)
        self.waiting = [callback]
        return self

    def cancel(self) -> None:
        """Let the timer not come any more."""
        self.waiting = []

    def come(self, now_ms: int) -> None:
        """Have the timer come at a time."""
        self.now_ms = now_ms
        (callback,) = self.waiting
        self.waiting = []
        callback()


@pytest.fixture
def timers(monkeypatch: pytest.MonkeyPatch) -> Timers:
    """Give timers in the place of the event loop's."""
    timers = Timers()
    monkeypatch.setattr(asyncio, "get_running_loop", lambda: timers)
    return timers


@pytest.fixture
def clock(timers: Timers) -> MatchClock:
    """Give the clock of a match that begins now, at 1,000 ms; what is due is noted by its time."""
    surroundings = Surroundings(monotonic_ms=lambda: timers.now_ms)
    return MatchClock(surroundings, lambda: timers.due.append(timers.now_ms))


def test_a_deadline_that_is_put_off_keeps_its_timer(timers: Timers, clock: MatchClock) -> None:
    """Moves at 0 and at 5 s, each with 30 s for the next: one timer, set again for what is left."""
    clock.written(0, 30_000)
    timers.now_ms = 6_000
    clock.written(5_000, 35_000)
    assert timers.waits == [30.0]
    timers.come(31_000)
    assert (timers.waits, timers.due) == ([30.0, 5.0], [])
    timers.come(36_000)
    assert (timers.waits, timers.due) == ([30.0, 5.0], [36_000])


def test_a_deadline_that_comes_sooner_is_not_missed(timers: Timers, clock: MatchClock) -> None:
    """A seat with 2 s left is asked after one that had 30."""
    clock.written(0, 30_000)
    timers.now_ms = 2_000
    clock.written(1_000, 3_000)
    assert timers.waits == [30.0, 2.0]
    timers.come(4_000)
    assert timers.due == [4_000]


def test_a_timer_that_comes_a_little_early_is_set_again(timers: Timers, clock: MatchClock) -> None:
    """One millisecond before the deadline nothing is due."""
    clock.written(0, 500)
    timers.come(1_499)
    assert (timers.waits, timers.due) == ([0.5, 0.001], [])


def test_without_a_deadline_no_timer_is_left(timers: Timers, clock: MatchClock) -> None:
    """A match that has ended is not kept by its timer."""
    clock.written(0, 500)
    clock.written(100, None)
    assert timers.waiting == []


def test_after_a_failed_write_it_comes_back_within_a_second(
    timers: Timers, clock: MatchClock
) -> None:
    """The deadline has passed, and the disk did not take what followed from that."""
    clock.written(0, 500)
    timers.come(1_500)
    clock.set_timer(retry=True)
    assert (timers.waits, timers.due) == ([0.5, 1.0], [1_500])
    timers.come(2_500)
    assert timers.due == [1_500, 2_500]


def test_a_frozen_match_has_no_timer(timers: Timers, clock: MatchClock) -> None:
    """Nothing runs out in it any more, whatever is written."""
    clock.written(0, 500)
    clock.freeze()
    clock.written(100, 600)
    assert (timers.waits, timers.waiting) == ([0.5], [])
