"""What must always hold is checked at every step of every scenario."""

from pathlib import Path

import pytest

from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda.v1 import event_pb2, view_pb2
from ronda_conformance.results import Status
from tests.conformance.fake_testee import captured, card, cards, played
from tests.conformance.faults import (
    BARE,
    Fault,
    events_of,
    everywhere,
    exchange_hands,
    judged,
    nothing,
    publics,
    replace_cards,
    replace_numbers,
    set_number,
)


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
        "hands, table, piles, held pile and pack are 40 cards",
        everywhere(1, replace_numbers("pile_sizes", 19, 16)),
    ),
    "a card too many": (
        1,
        "hands, table, piles, held pile and pack are 40 cards",
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
