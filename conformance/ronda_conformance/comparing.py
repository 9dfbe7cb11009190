"""Comparing one step's result with what the scenario expects of it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ronda.conformance.v1 import scenario_pb2, testee_service_pb2
from ronda.v1 import view_pb2
from ronda_conformance.cards import NONE, card_text, cards_text, words_match
from ronda_conformance.event_texts import AWARDS, event_text
from ronda_conformance.sights import announced, asked, cards_shown, held, numbers, owed


@dataclass(frozen=True)
class Mismatch:
    """One thing that is not as it must be.

    Attributes:
        step: the step's number, from 1; 0 is the start.
        what: the field of the expectation, or `always` for what must hold at every step.
        expected: what must be so.
        got: what the program under test said.
    """

    step: int
    what: str
    expected: str
    got: str


def _caida_card(public: view_pb2.PublicView) -> str:
    return card_text(public.caida_card) if public.HasField("caida_card") else NONE


def _capturer(public: view_pb2.PublicView) -> str:
    return str(public.last_capturer) if public.HasField("last_capturer") else NONE


def _winners(public: view_pb2.PublicView) -> str:
    return numbers(public.winners) if public.over else NONE


# What is read from the public view, by field of the expectation.
_PUBLIC: dict[str, Callable[[view_pb2.PublicView], str]] = {
    "table": lambda public: cards_text(public.table),
    "hand_sizes": lambda public: numbers(public.hand_sizes),
    "piles": lambda public: numbers(public.pile_sizes),
    "pack": lambda public: str(public.pack_size),
    "scores": lambda public: numbers(public.scores),
    "to_act": lambda public: numbers(public.to_act),
    "deal": lambda public: str(public.deal),
    "dealer": lambda public: str(public.dealer),
    "batch": lambda public: str(public.batch),
    "last_batch": lambda public: str(public.last_batch).lower(),
    "caida_card": _caida_card,
    "capturer": _capturer,
    "winners": _winners,
    "asked": asked,
    "answered": lambda public: numbers(public.answered),
    "held": held,
    "owed": owed,
}


def compare(
    step: int, expect: scenario_pb2.Expectation, result: testee_service_pb2.StepResult
) -> list[Mismatch]:
    """Compare a step's result with the stated parts of its expectation.

    Args:
        step: the step's number, from 1; 0 is the start.
        expect: what must come of it.
        result: what the program under test says came of it.

    Raises:
        MalformedCardError, MalformedEventError: the result holds what does not exist.
    """
    found = _refusal(expect, result)
    if found is not None:
        return [Mismatch(step, *found)]
    mismatches = [Mismatch(step, *item) for item in _happened(expect, result)]
    mismatches += [Mismatch(step, *item) for item in _seen(expect, result.sight)]
    return mismatches


def _refusal(
    expect: scenario_pb2.Expectation,
    answer: testee_service_pb2.StepResult | testee_service_pb2.RunResponse,
) -> tuple[str, str, str] | None:
    expected = f"refused {expect.refused}" if expect.HasField("refused") else "accepted"
    got = f"refused {answer.refusal.reason}" if answer.HasField("refusal") else "accepted"
    if expected == got:
        return None
    return "refused", expected, f"{got}: {answer.refusal.detail}" if answer.refusal.detail else got


def compare_start_refusal(
    expect: scenario_pb2.Expectation, response: testee_service_pb2.RunResponse
) -> list[Mismatch]:
    """Compare whether the start is refused, and why, with what is expected."""
    found = _refusal(expect, response)
    return [] if found is None else [Mismatch(0, *found)]


def _happened(
    expect: scenario_pb2.Expectation, result: testee_service_pb2.StepResult
) -> Iterator[tuple[str, str, str]]:
    events = result.events
    if expect.HasField("captured"):
        taken = [card for e in events for card in (*e.cards_captured.cards, *e.cards_held.cards)]
        yield from _text("captured", expect.captured, cards_text(taken))
    if expect.HasField("laid"):
        laid = [e.card_laid.card for e in events if e.HasField("card_laid")]
        yield from _text("laid", expect.laid, cards_text(laid))
    if expect.awards:
        scored = [event_text(e) for e in events if e.WhichOneof("event") in AWARDS]
        # A count that gave nobody a point scored nothing.
        scored = [line for line in scored if "->" in line]
        yield from _lines("awards", expect.awards, scored)
    if expect.events:
        yield from _lines("events", expect.events, [event_text(e) for e in events])


def _seen(
    expect: scenario_pb2.Expectation, sight: testee_service_pb2.Sight
) -> Iterator[tuple[str, str, str]]:
    for name, read in _PUBLIC.items():
        if expect.HasField(name):  # type: ignore[arg-type]  # the stub lists names as literals
            expected = str(getattr(expect, name))
            yield from _text(name, expected.lower(), read(sight.public))
    if expect.announced:
        yield from _lines("announced", expect.announced, announced(sight.public))
    hands = {view.seat: cards_text(view.hand) for view in sight.seats}
    for seat, expected in sorted(expect.hands.items()):
        yield from _text(f"hands of seat {seat}", expected, hands.get(seat, "no view"))
    for who, cards in sorted(expect.hidden.items()):
        yield from _hidden(who, cards.split(), sight)


def _hidden(
    who: str, cards: Sequence[str], sight: testee_service_pb2.Sight
) -> Iterator[tuple[str, str, str]]:
    if who == "public":
        shown = cards_shown(sight.public)
    else:
        views = [view for view in sight.seats if str(view.seat) == who]
        shown = [
            card
            for view in views
            for card in (*cards_shown(view.public), *(card_text(held) for held in view.hand))
        ]
    for card in cards:
        if card in shown:
            yield f"hidden from {who}", f"{card} not shown", f"{card} shown"


def _text(name: str, expected: str, got: str) -> Iterator[tuple[str, str, str]]:
    if not words_match(expected.split(), got.split()):
        yield name, expected, got


def _lines(
    name: str, expected: Sequence[str], got: Sequence[str]
) -> Iterator[tuple[str, str, str]]:
    wanted = [] if list(expected) == [NONE] else list(expected)
    same = len(wanted) == len(got) and all(
        words_match(line.split(), other.split()) for line, other in zip(wanted, got, strict=True)
    )
    if not same:
        yield name, " | ".join(wanted) or NONE, " | ".join(got) or NONE
