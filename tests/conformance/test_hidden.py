"""A program that shows more than it may is found, also where a scenario states nothing of it."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from ronda.conformance.v1 import scenario_pb2
from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda.v1 import rule_set_pb2, view_pb2
from ronda_conformance.judging import judge
from ronda_conformance.results import Result, Status
from ronda_conformance.scenarios import Case
from tests.conformance.engine_answers import answer_of
from tests.conformance.fake_testee import card, cards
from tests.conformance.faults import publics
from tests.conformance.whole_suite import whole_suite

Change = Callable[[view_pb2.PublicView], object]


def bare(name: str) -> Case:
    """Return a scenario of the suite that states nothing any more."""
    case = next(case for case in whole_suite().cases if case.id == name)
    scenario = scenario_pb2.Scenario()
    scenario.CopyFrom(case.scenario)
    scenario.ClearField("start")
    for step in scenario.steps:
        step.ClearField("expect")
    return replace(case, scenario=scenario)


def result_at(answer: pb.RunResponse, step: int) -> pb.StepResult:
    """Return the result of a step; 0 is the start."""
    return answer.steps[step - 1] if step else answer.start


def judged(name: str, step: int, change: Change | None) -> Result:
    """Judge the engine's answer with every public view of a step changed alike."""
    case = bare(name)
    answer = answer_of(case)
    if change is not None:
        for public in publics(result_at(answer, step)):
            change(public)
    return judge(case, answer)


def found(result: Result, step: int) -> list[str]:
    """Return what had to be so at a step and was not."""
    return [m.expected for m in result.mismatches if m.step == step]


def show_on_table(text: str, before: int, taken_from: str, side: int = 0) -> Change:
    """Return a change that shows a card and counts one less where it is hidden."""

    def change(public: view_pb2.PublicView) -> None:
        public.table.insert(before, card(text))
        if taken_from == "pile":
            public.pile_sizes[side] -= 1
        elif taken_from == "held":
            public.held.cards -= 1
        else:
            public.pack_size -= 1

    return change


def announce(seat: int) -> Change:
    """Return a change that shows a ronda of a seat."""
    kind = rule_set_pb2.ANNOUNCEMENT_KIND_RONDA
    return lambda public: public.announcements.add(batch=1, seat=seat, kind=kind)


SHOWN: dict[str, tuple[str, int, Change, str]] = {
    "a card of the pack": (
        "ann-10-the-pack-is-hidden",
        0,
        show_on_table("10o", 2, "pack"),
        "a table of 7o 11o 12o 1c, as the events tell",
    ),
    "a card of a pile": (
        "cap-5-captured-cards-are-face-down",
        1,
        show_on_table("5o", 1, "pile"),
        "a table of 1o 12c, as the events tell",
    ),
    "a card that went back": (
        "deal-8-returned-cards-are-seen-no-more",
        0,
        show_on_table("7o", 1, "pack"),
        "a table of 1c 10c 11c 12c, as the events tell",
    ),
    "a card of a held pile": (
        "chain-5-held-cards-are-in-no-view",
        2,
        show_on_table("6c", 0, "held"),
        "a table of 12o, as the events tell",
    ),
    "a sealed answer before all have answered": (
        "ann-10-sealed-answers-of-four-seats",
        1,
        announce(2),
        "announced none, as the events tell",
    ),
    "an announcement of a seat that passed": (
        "ann-10-sealed-answers-of-four-seats",
        4,
        announce(3),
        "announced batch 1 seat 0 ronda | batch 1 seat 2 ronda, as the events tell",
    ),
    "a card of a hand, as the one just laid": (
        "ann-10-a-card-played-is-seen-by-all",
        1,
        lambda public: public.caida_card.CopyFrom(card("1o")),
        "the card just laid lies on the table",
    ),
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_public_view_that_shows_more_is_found(name: str) -> None:
    """Each is found at its step, and the right answer passes."""
    scenario, step, change, expected = SHOWN[name]
    assert judged(scenario, step, None).status is Status.PASSED
    result = judged(scenario, step, change)
    assert result.status is Status.FAILED
    assert expected in found(result, step)


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_a_view_with_a_partners_or_an_opponents_card_is_found(seat: int) -> None:
    """Whoever's view it is, a card of another hand in it is one too many."""
    case = bare("ann-10-hands-of-four-seats")
    answer = answer_of(case)
    other = (seat + 2) % 4
    answer.start.sight.seats[seat].hand.append(answer.start.sight.seats[other].hand[0])
    result = judge(case, answer)
    own = ("1o 3o 5o", "2o 4o 6o", "1c 3c 5c", "2c 4c 6c")[seat]
    assert f"seat {seat} sees its own hand: {own}" in found(result, 0)


def test_a_hand_that_stays_in_a_view_is_found() -> None:
    """After a challenge the event has shown the hand; a view that shows it on is wrong."""
    case = bare("chall-2-views-stay-as-they-were")
    answer = answer_of(case)
    answer.steps[0].sight.seats[1].hand.extend(cards("7o 11o"))
    assert "seat 1 sees its own hand: 2o 3o 10o" in found(judge(case, answer), 1)


def test_what_a_scenario_hides_is_looked_for_in_every_view() -> None:
    """A card named under `hidden` is found on the table and in the hand of its view."""
    case = next(c for c in whole_suite().cases if c.id == "cap-5-captured-cards-are-face-down")
    answer = answer_of(case)
    for public in publics(answer.steps[0]):
        public.table.insert(1, card("5c"))
    what = [m.what for m in judge(case, answer).mismatches]
    assert [name for name in what if name.startswith("hidden")] == [
        "hidden from 0",
        "hidden from 1",
        "hidden from public",
    ]
