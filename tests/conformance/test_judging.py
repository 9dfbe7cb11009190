"""An answer is judged by what the scenario states and by what must always hold."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda.v1 import event_pb2, rule_set_pb2, view_pb2
from ronda_conformance.judging import judge
from ronda_conformance.results import Result, Status
from tests.conformance.fake_testee import captured, card, cards, mesa, played
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


def test_a_right_answer_passes(tmp_path: Path) -> None:
    """Everything that is stated and everything that must always hold is so."""
    result = judged(tmp_path, nothing)
    assert result.status is Status.PASSED
    assert result.mismatches == []
    assert result.reason == ""


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


# Each fault, with the parts of the expectation that it must break.
STATED: dict[str, tuple[int, str, Fault]] = {
    "a start that is refused": (
        0,
        "refused",
        lambda a: a.refusal.CopyFrom(pb.Refusal(reason="POSITION_INVALID")),
    ),
    "another table at the start": (0, "table", everywhere(0, replace_cards("table", "6c 7o 10o"))),
    "another seat to act at the start": (0, "to_act", everywhere(0, replace_numbers("to_act", 1))),
    "an announcement that nobody made": (0, "announced", everywhere(0, announce_in)),
    "another hand": (
        0,
        "hands of seat 1",
        lambda a: a.start.sight.seats[1].hand[0].CopyFrom(card("2o")),
    ),
    "a move that should be accepted": (
        1,
        "refused",
        lambda a: a.steps[0].refusal.CopyFrom(pb.Refusal(reason="CARD_NOT_IN_HAND")),
    ),
    "a run cut short": (1, "captured", events_of(1, played(0, "6o"), captured(0, "6c 7o"))),
    "captured cards out of order": (
        1,
        "captured",
        events_of(1, played(0, "6o"), captured(0, "7o 6c 10o")),
    ),
    "a card laid": (
        1,
        "laid",
        events_of(
            1,
            played(0, "6o"),
            event_pb2.Event(card_laid=event_pb2.CardLaid(seat=0, card=card("6o"))),
        ),
    ),
    "an event too many": (
        1,
        "events",
        events_of(1, played(0, "6o"), captured(0, "6c 7o 10o"), captured(0, "6c")),
    ),
    "an event missing": (1, "events", events_of(1, captured(0, "6c 7o 10o"))),
    "events out of order": (
        1,
        "events",
        events_of(1, captured(0, "6c 7o 10o"), played(0, "6o")),
    ),
    "an award that was not earned": (
        1,
        "awards",
        events_of(1, played(0, "6o"), captured(0, "6c 7o 10o"), mesa(0)),
    ),
    "another table": (1, "table", everywhere(1, replace_cards("table", "10o"))),
    "other piles": (1, "piles", everywhere(1, replace_numbers("pile_sizes", 16, 20))),
    "other hand sizes": (1, "hand_sizes", everywhere(1, replace_numbers("hand_sizes", 2, 1))),
    "another pack": (1, "pack", everywhere(1, set_number("pack_size", 1))),
    "other scores": (1, "scores", everywhere(1, replace_numbers("scores", 1, 0))),
    "another seat to act": (1, "to_act", everywhere(1, replace_numbers("to_act", 0))),
    "nobody to act": (1, "to_act", everywhere(1, replace_numbers("to_act"))),
    "another deal": (1, "deal", everywhere(1, set_number("deal", 2))),
    "another dealer": (1, "dealer", everywhere(1, set_number("dealer", 0))),
    "another batch": (1, "batch", everywhere(1, set_number("batch", 5))),
    "no last batch": (1, "last_batch", everywhere(1, set_number("last_batch", False))),
    "a card for a caida": (
        1,
        "caida_card",
        everywhere(1, lambda public: public.caida_card.CopyFrom(card("12c"))),
    ),
    "another capturer": (1, "capturer", everywhere(1, set_number("last_capturer", 1))),
    "no capturer": (
        1,
        "capturer",
        everywhere(1, lambda public: public.ClearField("last_capturer")),
    ),
    "an end of the match": (1, "winners", everywhere(1, end_the_match)),
    "a hidden card in the public view": (
        1,
        "hidden from public",
        everywhere(1, lambda public: public.table.append(card("7o"))),
    ),
    "a hidden card in a seat's view": (
        1,
        "hidden from 1",
        lambda a: a.steps[0].sight.seats[1].hand.append(card("11o")),
    ),
    "a refused move accepted": (2, "refused", lambda a: a.steps[1].ClearField("refusal")),
    "another reason": (
        2,
        "refused",
        lambda a: a.steps[1].refusal.CopyFrom(pb.Refusal(reason="MATCH_OVER")),
    ),
    "an award missing": (3, "awards", events_of(3, played(1, "12o"), captured(1, "12c"))),
}


@pytest.mark.parametrize("name", STATED)
def test_what_is_stated_is_compared(tmp_path: Path, name: str) -> None:
    """Each planted fault is found at its step, by the part of the expectation that it breaks."""
    step, what, fault = STATED[name]
    result = judged(tmp_path, fault)
    assert result.status is Status.FAILED
    assert (step, what) in [(mismatch.step, mismatch.what) for mismatch in result.mismatches]


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


def add_unknown_field(message: view_pb2.SeatView | event_pb2.Event) -> None:
    """Add a field that the schema does not have: number 1000, a varint."""
    message.MergeFromString(b"\xc0\x3e\x01")


def zero_award(answer: pb.RunResponse) -> None:
    """Add an award without shares."""
    award = event_pb2.AnnouncementsAwarded(batch=6)
    answer.steps[0].events.append(event_pb2.Event(announcements_awarded=award))


def change_after_refusal(answer: pb.RunResponse) -> None:
    """Let a refused move change who is to act."""
    for public in publics(answer.steps[1]):
        public.to_act[:] = [0]


ALWAYS: dict[str, tuple[int, str, Fault]] = {
    "no sight": (1, "a sight after every step", lambda a: a.steps[0].ClearField("sight")),
    "a step missing": (0, "3 step results", lambda a: a.steps.pop()),
    "a step too many": (0, "3 step results", lambda a: a.steps.append(a.steps[2])),
    "events where a position starts": (
        0,
        "no events where a position starts",
        lambda a: a.start.events.append(
            event_pb2.Event(match_started=event_pb2.MatchStarted(seats=2))
        ),
    ),
    "another seat's hand": (
        0,
        "seat 1 sees its own hand: 12o 3o",
        lambda a: a.start.sight.seats[1].hand.extend(cards("6o")),
    ),
    "hands exchanged": (
        0,
        "seat 0 sees its own hand: 6o 11o",
        exchange_hands,
    ),
    "a hand in another order": (
        0,
        "seat 0 sees its own hand: 6o 11o",
        lambda a: a.start.sight.seats[0].hand.reverse(),
    ),
    "a card kept after it was played": (
        1,
        "seat 0 sees its own hand: 11o",
        lambda a: a.steps[0].sight.seats[0].hand.append(card("6o")),
    ),
    "a view missing": (
        1,
        "a view for each of 2 seats, in order",
        lambda a: a.steps[0].sight.seats.pop(),
    ),
    "views exchanged": (
        1,
        "a view for each of 2 seats, in order",
        lambda a: a.steps[0].sight.seats.reverse(),
    ),
    "a seat that sees another public view": (
        1,
        "seat 1 sees in public what everyone sees",
        lambda a: a.steps[0].sight.seats[1].public.scores.__setitem__(0, 3),
    ),
    "a card lost": (
        1,
        "hands, table, piles and pack are 40 cards",
        everywhere(1, replace_numbers("pile_sizes", 19, 16)),
    ),
    "a card too many": (
        1,
        "hands, table, piles and pack are 40 cards",
        everywhere(1, set_number("pack_size", 1)),
    ),
    "two equal ranks on the table": (
        1,
        "a table of different ranks, ascending",
        everywhere(1, replace_cards("table", "12c 12e")),
    ),
    "a table out of order": (
        0,
        "a table of different ranks, ascending",
        everywhere(0, replace_cards("table", "7o 6c 10o 12c")),
    ),
    "a card in two places": (
        1,
        "each card is in one place",
        everywhere(1, replace_cards("table", "12o")),
    ),
    "another rule set": (
        1,
        "rule set maghribi",
        everywhere(1, lambda public: setattr(public, "rule_set_id", "sarii")),
    ),
    "points from nowhere": (
        1,
        "scores 0 0, as the awards add up",
        everywhere(1, replace_numbers("scores", 1, 0)),
    ),
    "points that were awarded and not added": (
        3,
        "scores 0 1, as the awards add up",
        everywhere(3, replace_numbers("scores", 0, 0)),
    ),
    "an award of nothing": (1, "an award of nothing is no event", zero_award),
    "an award of another sum": (
        3,
        "a play's award is its caida and its mesa",
        lambda a: setattr(a.steps[2].events[2].play_awarded, "caida", 1),
    ),
    "an award to no side": (
        3,
        "shares name a side and at least a point",
        lambda a: setattr(a.steps[2].events[2].play_awarded.shares[0], "side", 2),
    ),
    "a card played from nowhere": (
        1,
        "a card played was in the hand",
        events_of(1, played(0, "2o"), captured(0, "6c 7o 10o")),
    ),
    "a card for a caida that does not lie": (
        1,
        "the card just laid lies on the table",
        everywhere(1, lambda public: public.caida_card.CopyFrom(card("5o"))),
    ),
    "a hand size of another seat": (
        1,
        "hand size 1 of seat 0",
        everywhere(1, replace_numbers("hand_sizes", 2, 1)),
    ),
    "three hand sizes": (1, "2 hand sizes", everywhere(1, replace_numbers("hand_sizes", 1, 2, 0))),
    "three piles": (1, "2 pile sizes", everywhere(1, replace_numbers("pile_sizes", 20, 16, 0))),
    "three scores": (1, "2 scores", everywhere(1, replace_numbers("scores", 0, 0, 0))),
    "three seats": (1, "2 seats", everywhere(1, set_number("seats", 3))),
    "a seat that does not exist": (
        1,
        "seats below 2",
        everywhere(1, replace_numbers("to_act", 2)),
    ),
    "an end without winners": (
        1,
        "a match that is over has winners and nobody to act",
        everywhere(1, set_number("over", True)),
    ),
    "winners without an end": (
        1,
        "a match that goes on has no winners",
        everywhere(1, replace_numbers("winners", 0)),
    ),
    "events of a refused move": (
        2,
        "nothing happens where a move is refused",
        lambda a: a.steps[1].events.append(played(1, "3o")),
    ),
    "a change by a refused move": (
        2,
        "nothing to be seen changes where a move is refused",
        change_after_refusal,
    ),
    "a field of a view that the schema lacks": (
        1,
        "a view holds the fields of the schema alone",
        lambda a: add_unknown_field(a.steps[0].sight.seats[1]),
    ),
    "a field of an event that the schema lacks": (
        1,
        "an event holds the fields of the schema alone",
        lambda a: add_unknown_field(a.steps[0].events[0]),
    ),
}


@pytest.mark.parametrize("name", ALWAYS)
def test_what_must_always_hold_is_checked_without_being_asked(tmp_path: Path, name: str) -> None:
    """Each planted fault is found at its step though the scenario states nothing about it."""
    step, expected, fault = ALWAYS[name]
    result = judged(tmp_path, fault, BARE)
    assert result.status is Status.FAILED
    found = [(m.step, m.expected) for m in result.mismatches if m.what == "always"]
    assert (step, expected) in found


def test_the_bare_scenario_passes_with_the_right_answer(tmp_path: Path) -> None:
    """So that the faults above are what fails it."""
    assert judged(tmp_path, nothing, BARE).status is Status.PASSED


MALFORMED: dict[str, tuple[str, Fault]] = {
    "a card without a suit": (
        "a card with rank 12 and suit 0 does not exist",
        everywhere(1, lambda public: public.table[0].ClearField("suit")),
    ),
    "a card of rank 8": (
        "a card with rank 8 and suit 2 does not exist",
        everywhere(1, lambda public: public.table[0].MergeFromString(b"\x08\x08")),
    ),
    "an event that is unset": (
        "an event is unset",
        lambda a: a.steps[0].events.append(event_pb2.Event()),
    ),
    "an announcement of no kind": (
        "0 is no kind of announcement",
        lambda a: a.steps[0].events.append(
            event_pb2.Event(announcement_made=event_pb2.AnnouncementMade(seat=0))
        ),
    ),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_answer_fails_with_its_reason(tmp_path: Path, name: str) -> None:
    """What does not exist cannot be compared; it fails the scenario and says what it is."""
    reason, fault = MALFORMED[name]
    result = judged(tmp_path, fault, BARE)
    assert result.status is Status.FAILED
    assert reason in result.reason


def test_a_refused_start_must_have_no_steps(tmp_path: Path) -> None:
    """An answer that refuses the start and plays on is inconsistent."""
    scenario = BARE.partition("steps:")[0] + "start: {refused: POSITION_INVALID}\n"

    def refuse(answer: pb.RunResponse) -> None:
        answer.refusal.reason = "POSITION_INVALID"

    result = judged(tmp_path, refuse, scenario)
    assert [mismatch.expected for mismatch in result.mismatches] == [
        "no steps where the start is refused"
    ]
    alone = pb.RunResponse(refusal=pb.Refusal(reason="POSITION_INVALID"))
    assert judge(read(scenario, tmp_path), alone).status is Status.PASSED


def test_a_refused_start_is_compared_with_its_reason(tmp_path: Path) -> None:
    """A start that should be refused and is not, or for another reason, fails."""
    scenario = BARE.partition("steps:")[0] + "start: {refused: POSITION_INVALID}\n"
    case = read(scenario, tmp_path)
    other = judge(case, pb.RunResponse(refusal=pb.Refusal(reason="DRAW_INVALID", detail="why")))
    assert [(m.expected, m.got) for m in other.mismatches] == [
        ("refused POSITION_INVALID", "refused DRAW_INVALID: why")
    ]
    accepted = judge(case, pb.RunResponse(start=right_answer().start))
    assert [(m.expected, m.got) for m in accepted.mismatches] == [
        ("refused POSITION_INVALID", "accepted")
    ]
