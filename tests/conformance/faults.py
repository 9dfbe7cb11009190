"""Faults to plant in the right answer to the small scenario."""

from collections.abc import Callable
from pathlib import Path

from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda.v1 import event_pb2, rule_set_pb2, view_pb2
from ronda_conformance.judging import judge
from ronda_conformance.results import Result
from tests.conformance.fake_testee import cards
from tests.conformance.small_case import SCENARIO, read, right_answer

Fault = Callable[[pb.RunResponse], object]


def nothing(answer: pb.RunResponse) -> None:
    """Leave the answer right."""


def judged(folder: Path, fault: Fault, scenario: str = SCENARIO) -> Result:
    """Judge the right answer with a fault planted in it."""
    answer = right_answer()
    fault(answer)
    return judge(read(scenario, folder), answer)


def publics(result: pb.StepResult) -> list[view_pb2.PublicView]:
    """Return every copy of the public view in a step's sight."""
    return [result.sight.public, *(view.public for view in result.sight.seats)]


def everywhere(step: int, change: Callable[[view_pb2.PublicView], object]) -> Fault:
    """Return a fault that changes the public view of a step in every view alike; 0 is the start."""

    def fault(answer: pb.RunResponse) -> None:
        result = answer.steps[step - 1] if step else answer.start
        for public in publics(result):
            change(public)

    return fault


def replace_cards(field: str, text: str) -> Callable[[view_pb2.PublicView], object]:
    """Return a change of a card list of the public view."""

    def change(public: view_pb2.PublicView) -> None:
        del getattr(public, field)[:]
        getattr(public, field).extend(cards(text))

    return change


def replace_numbers(field: str, *numbers: int) -> Callable[[view_pb2.PublicView], object]:
    """Return a change of a number list of the public view."""

    def change(public: view_pb2.PublicView) -> None:
        getattr(public, field)[:] = numbers

    return change


def set_number(field: str, value: int | bool) -> Callable[[view_pb2.PublicView], object]:
    """Return a change of a number of the public view."""
    return lambda public: setattr(public, field, value)


def announce_in(public: view_pb2.PublicView) -> None:
    """Put an announcement into the public view."""
    kind = rule_set_pb2.ANNOUNCEMENT_KIND_RONDA
    public.announcements.add(batch=6, seat=0, kind=kind)


def end_the_match(public: view_pb2.PublicView) -> None:
    """Let side 0 win."""
    public.over = True
    public.winners[:] = [0]


def exchange_hands(answer: pb.RunResponse) -> None:
    """Show seat 0 the hand of seat 1 at the start."""
    del answer.start.sight.seats[0].hand[:]
    answer.start.sight.seats[0].hand.extend(cards("12o 3o"))


def events_of(step: int, *events: event_pb2.Event) -> Fault:
    """Return a fault that replaces the events of a step."""

    def fault(answer: pb.RunResponse) -> None:
        del answer.steps[step - 1].events[:]
        answer.steps[step - 1].events.extend(events)

    return fault


# A scenario that states next to nothing: what is found now is found without being asked for.
BARE = """\
id: small-case
clauses: [CAP-3]
title: The same moves, with as little stated as can be
why: The refusal alone is stated.
rule_set: maghribi
seats: 2
position: >-
  seats 2; batch 6; turn 0; hands 6o 11o / 12o 3o; table 6c 7o 10o 12c; piles 16 16; capturer 1
steps:
  - {seat: 0, move: play 6}
  - {seat: 0, move: play 11, expect: {refused: NOT_YOUR_TURN}}
  - {seat: 1, move: play 12}
"""
