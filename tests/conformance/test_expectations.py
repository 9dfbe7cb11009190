"""An answer is compared with what the scenario states."""

from pathlib import Path

import pytest

from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda.v1 import event_pb2
from ronda_conformance.judging import judge
from ronda_conformance.results import Status
from tests.conformance.fake_testee import captured, card, mesa, played
from tests.conformance.faults import (
    BARE,
    Fault,
    announce_in,
    end_the_match,
    events_of,
    everywhere,
    judged,
    nothing,
    replace_cards,
    replace_numbers,
    set_number,
)
from tests.conformance.small_case import read, right_answer


def test_a_right_answer_passes(tmp_path: Path) -> None:
    """Everything that is stated and everything that must always hold is so."""
    result = judged(tmp_path, nothing)
    assert result.status is Status.PASSED
    assert result.mismatches == []
    assert result.reason == ""


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
