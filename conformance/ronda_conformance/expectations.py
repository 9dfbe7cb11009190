"""Expectations of scenarios: whatever can be checked of their texts without playing."""

import re
from collections.abc import Iterator

from ronda.conformance.v1 import scenario_pb2
from ronda.v1 import error_pb2
from ronda_conformance.cards import NONE, RANKS, CardTextError, check_pattern
from ronda_conformance.event_texts import is_award_line, is_event_line
from ronda_conformance.rule_set_values import suggestion
from ronda_conformance.yaml_documents import Document, DocumentError, Path_

_ANNOUNCED = re.compile(r"batch \d seat \d (?:ronda|tringa|double_ronda)")
_NUMBERS = re.compile(r"\d+(?: \d+)*")
_CARD_TEXTS = ("captured", "laid", "table", "caida_card")
_NUMBER_TEXTS = ("hand_sizes", "piles", "scores")
_SEAT_TEXTS = ("to_act", "capturer", "winners", "answered")
_FORMS = {
    "asked": re.compile("announcement|challenge|claim|card|none"),
    "held": re.compile(r"\d:\d:\d+:\d+:\d+|none"),
    "owed": re.compile(r"\d:\d:\d+(?: \d:\d:\d+)*|none"),
}
# Of a refused move only what may be seen can be asked: that nothing happened goes without saying.
_HAPPENED = ("captured", "laid", "awards", "events")


def expectation_faults(
    document: Document, path: Path_, expect: scenario_pb2.Expectation, seats: int
) -> Iterator[DocumentError]:
    """Check the texts of an expectation.

    Args:
        document: the file, for the places of errors.
        path: where the expectation stands in it.
        expect: the expectation.
        seats: how many seats the scenario has.

    Yields:
        Each text that is none of those that its field can hold.
    """
    yield from _refused_faults(document, path, expect)
    yield from _number_faults(document, path, expect, seats)
    for name in _CARD_TEXTS:
        if expect.HasField(name):  # type: ignore[arg-type]  # the stub lists names as literals
            yield from _card_faults(document, (*path, name), name, getattr(expect, name))
    yield from _by_seat_faults(document, path, expect, seats)
    yield from _line_faults(document, path, expect)
    yield from _form_faults(document, path, expect)


def _number_faults(
    document: Document, path: Path_, expect: scenario_pb2.Expectation, seats: int
) -> Iterator[DocumentError]:
    sides = 3 if seats == 3 else 2  # noqa: PLR2004  # three seats are three sides, clause DEAL-2
    for name in _NUMBER_TEXTS:
        text = getattr(expect, name)
        count = seats if name == "hand_sizes" else sides
        if text and (not _NUMBERS.fullmatch(text) or len(text.split()) != count):
            yield document.error((*path, name), f"{name}: {text!r} is not {count} numbers")
    for name in _SEAT_TEXTS:
        text = getattr(expect, name)
        if text and text != NONE and not _NUMBERS.fullmatch(text):
            yield document.error((*path, name), f"{name}: {text!r} is neither numbers nor {NONE!r}")


def _form_faults(
    document: Document, path: Path_, expect: scenario_pb2.Expectation
) -> Iterator[DocumentError]:
    for name, form in _FORMS.items():
        text = getattr(expect, name)
        if text and not form.fullmatch(text):
            yield document.error((*path, name), f"{name}: {text!r} is not like {form.pattern}")


def _by_seat_faults(
    document: Document, path: Path_, expect: scenario_pb2.Expectation, seats: int
) -> Iterator[DocumentError]:
    for seat, text in expect.hands.items():
        if seat >= seats:
            yield document.error((*path, "hands", str(seat)), f"hands: there is no seat {seat}")
        yield from _card_faults(document, (*path, "hands", str(seat)), "hands", text)
    for who, text in expect.hidden.items():
        if who != "public" and who not in map(str, range(seats)):
            yield document.error(
                (*path, "hidden", who), f"hidden: {who!r} is neither a seat nor 'public'"
            )
        for word in text.split():
            if word in RANKS or word == NONE:
                yield document.error((*path, "hidden", who), f"hidden: {word!r} lacks its suit")
        yield from _card_faults(document, (*path, "hidden", who), "hidden", text)


def _refused_faults(
    document: Document, path: Path_, expect: scenario_pb2.Expectation
) -> Iterator[DocumentError]:
    if not expect.HasField("refused"):
        return
    prefix = "ERROR_REASON_"
    reasons = [name.removeprefix(prefix) for name in error_pb2.ErrorReason.keys()[1:]]
    if expect.refused not in reasons:
        hint = suggestion(expect.refused, reasons)
        yield document.error((*path, "refused"), f"no reason {expect.refused!r}; {hint}")
    stated = [f.name for f, _ in expect.ListFields() if f.name != "refused"]
    for name in stated:
        if path == ("start",) or name in _HAPPENED:
            yield document.error(
                (*path, name), f"{name}: a refusal changes nothing; leave it out beside `refused`"
            )


def _card_faults(document: Document, path: Path_, name: str, text: str) -> Iterator[DocumentError]:
    try:
        check_pattern(text)
    except CardTextError as error:
        yield document.error(path, f"{name}: {error}")


def _line_faults(
    document: Document, path: Path_, expect: scenario_pb2.Expectation
) -> Iterator[DocumentError]:
    forms = (
        ("awards", expect.awards, is_award_line, "no line of an event that scores"),
        ("events", expect.events, is_event_line, "no line of an event"),
        (
            "announced",
            expect.announced,
            lambda line: _ANNOUNCED.fullmatch(line) is not None,
            "no announcement, as `batch 1 seat 0 ronda`",
        ),
    )
    for name, lines, is_form, problem in forms:
        if list(lines) == [NONE]:
            continue
        for index, line in enumerate(lines):
            if not is_form(line):
                yield document.error((*path, name, index), f"{name}: {line!r} is {problem}")
