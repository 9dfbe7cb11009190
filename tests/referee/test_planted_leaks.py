"""Leaks planted in the referee, one by each way to a watcher: each is caught.

`twin_matches` must tell the two matches of a plan apart, by the way that was planted.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.referee import planted_leaks
from tests.referee.twin_matches import SECRET, told_apart
from tests.referee.twin_plans import Plan, plan


@dataclass(frozen=True)
class Leak:
    """What is planted, by which way it must be found, and in which plans."""

    plant: Callable[[pytest.MonkeyPatch], None]
    way: str
    wanted: Callable[[Plan], bool]
    family: str = "first turn"


def by_a_seat(each: Plan) -> bool:
    """A seat watches, and others' hands differ."""
    return each.watcher is not None and not any(one.hidden for one in each.stages)


def with_sealed_answers(each: Plan) -> bool:
    """A seat has answered, in one of the two others before it."""
    return each.watcher is not None and sum(one.hidden for one in each.stages) == 2


def timed_with_sealed_answers(each: Plan) -> bool:
    """There are answers under seal while clocks run."""
    return each.timed and any(one.hidden for one in each.stages)


def from_behind(each: Plan) -> bool:
    """A spectator is behind by some turns, which differ."""
    return each.watcher is None and any(one.hidden for one in each.stages)


SEALED = "sealed bluffs"

LEAKS = {
    "view": Leak(planted_leaks.in_a_view, "view", by_a_seat),
    "turn": Leak(planted_leaks.in_a_turn, "watch", by_a_seat),
    "legal moves": Leak(planted_leaks.in_legal_moves, "watch", by_a_seat),
    "event": Leak(planted_leaks.in_an_event, "watch", by_a_seat),
    "refusal's text": Leak(planted_leaks.in_a_refusals_text, "play answer", by_a_seat),
    "refusal's reason": Leak(planted_leaks.in_a_refusals_reason, "refusal refused", by_a_seat),
    "decision id": Leak(planted_leaks.in_decision_ids, "play update", by_a_seat),
    "list": Leak(planted_leaks.in_a_list, "list", by_a_seat),
    "page token": Leak(planted_leaks.in_a_page_token, "list", by_a_seat),
    "log file": Leak(planted_leaks.in_a_log_file, "log file", by_a_seat),
    "metrics label": Leak(planted_leaks.in_a_metrics_label, "metrics", by_a_seat),
    "metrics card": Leak(planted_leaks.in_a_metrics_card, SECRET, by_a_seat),
    "log line": Leak(planted_leaks.in_a_log_line, "log lines", by_a_seat),
    "log line, token": Leak(planted_leaks.in_a_log_line_with_a_token, SECRET, by_a_seat),
    "log line, seed": Leak(planted_leaks.in_a_log_line_with_a_seed, SECRET, by_a_seat),
    "order of answers": Leak(
        planted_leaks.by_the_order_of_sealed_answers, "watch", with_sealed_answers, SEALED
    ),
    "number of an answer": Leak(
        planted_leaks.by_the_number_of_a_sealed_answer, "answer", with_sealed_answers, SEALED
    ),
    "who has answered": Leak(
        planted_leaks.by_who_must_answer_still, "play answer", with_sealed_answers, SEALED
    ),
    "clock of an answer": Leak(
        planted_leaks.by_the_clock_of_a_sealed_answer, "view", timed_with_sealed_answers, SEALED
    ),
    "delay": Leak(planted_leaks.by_a_delay_that_is_one_short, "watch", from_behind),
    "delayed view": Leak(planted_leaks.in_a_delayed_view, "view", from_behind),
    "opening": Leak(planted_leaks.in_an_opening, "watch", by_a_seat),
    "update of Play": Leak(planted_leaks.in_an_update_of_play, "play update", by_a_seat),
    "answer over Play": Leak(planted_leaks.in_an_answer_over_play, "play answer", by_a_seat),
    "moment of a message": Leak(planted_leaks.by_the_moment_of_a_message, "watch", by_a_seat),
}


@pytest.mark.parametrize("name", LEAKS)
def test_a_planted_leak_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is caught by the way that it was planted in, in one of the first plans for it."""
    leak = LEAKS[name]
    leak.plant(monkeypatch)
    plans = (each for each in (plan(leak.family, seed) for seed in range(100)) if leak.wanted(each))
    ways: set[str] = set()
    for _, each in zip(range(5), plans, strict=False):
        ways |= told_apart([each])[0]
        if leak.way in ways:
            break
    assert leak.way in ways
