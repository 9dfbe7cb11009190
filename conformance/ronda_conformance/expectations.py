"""Expectations of scenarios: whatever can be checked of their texts without playing."""

import re

from ronda.conformance.v1 import scenario_pb2
from ronda.v1 import error_pb2
from ronda_conformance.cards import NONE, RANKS, CardTextError, check_pattern
from ronda_conformance.event_texts import is_award_line, is_event_line
from ronda_conformance.rule_set_values import suggestion
from ronda_conformance.yaml_documents import Document, Path_

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


def check_expectation(
    document: Document, path: Path_, expect: scenario_pb2.Expectation, seats: int
) -> None:
    """Check the texts of an expectation.

    Args:
        document: the file, for the places of errors.
        path: where the expectation stands in it.
        expect: the expectation.
        seats: how many seats the scenario has.

    Raises:
        DocumentError: a text is none of those that its field can hold.
    """
    _check_refused(document, path, expect)
    _check_numbers(document, path, expect, seats)
    for name in _CARD_TEXTS:
        if expect.HasField(name):  # type: ignore[arg-type]  # the stub lists names as literals
            _check_cards(document, (*path, name), name, getattr(expect, name))
    _check_by_seat(document, path, expect, seats)
    _check_lines(document, path, expect)
    _check_forms(document, path, expect)


def _check_numbers(
    document: Document, path: Path_, expect: scenario_pb2.Expectation, seats: int
) -> None:
    sides = 3 if seats == 3 else 2  # noqa: PLR2004  # three seats are three sides, clause DEAL-2
    for name in _NUMBER_TEXTS:
        text = getattr(expect, name)
        count = seats if name == "hand_sizes" else sides
        if text and (not _NUMBERS.fullmatch(text) or len(text.split()) != count):
            raise document.error((*path, name), f"{name}: {text!r} is not {count} numbers")
    for name in _SEAT_TEXTS:
        text = getattr(expect, name)
        if text and text != NONE and not _NUMBERS.fullmatch(text):
            raise document.error((*path, name), f"{name}: {text!r} is neither numbers nor {NONE!r}")


def _check_forms(document: Document, path: Path_, expect: scenario_pb2.Expectation) -> None:
    for name, form in _FORMS.items():
        text = getattr(expect, name)
        if text and not form.fullmatch(text):
            raise document.error((*path, name), f"{name}: {text!r} is not like {form.pattern}")


def _check_by_seat(
    document: Document, path: Path_, expect: scenario_pb2.Expectation, seats: int
) -> None:
    for seat, text in expect.hands.items():
        if seat >= seats:
            raise document.error((*path, "hands", str(seat)), f"hands: there is no seat {seat}")
        _check_cards(document, (*path, "hands", str(seat)), "hands", text)
    for who, text in expect.hidden.items():
        if who != "public" and who not in map(str, range(seats)):
            raise document.error(
                (*path, "hidden", who), f"hidden: {who!r} is neither a seat nor 'public'"
            )
        for word in text.split():
            if word in RANKS or word == NONE:
                raise document.error((*path, "hidden", who), f"hidden: {word!r} lacks its suit")
        _check_cards(document, (*path, "hidden", who), "hidden", text)


def _check_refused(document: Document, path: Path_, expect: scenario_pb2.Expectation) -> None:
    if not expect.HasField("refused"):
        return
    prefix = "ERROR_REASON_"
    reasons = [name.removeprefix(prefix) for name in error_pb2.ErrorReason.keys()[1:]]
    if expect.refused not in reasons:
        hint = suggestion(expect.refused, reasons)
        raise document.error((*path, "refused"), f"no reason {expect.refused!r}; {hint}")
    stated = [f.name for f, _ in expect.ListFields() if f.name != "refused"]
    for name in stated:
        if path == ("start",) or name in _HAPPENED:
            raise document.error(
                (*path, name), f"{name}: a refusal changes nothing; leave it out beside `refused`"
            )


def _check_cards(document: Document, path: Path_, name: str, text: str) -> None:
    try:
        check_pattern(text)
    except CardTextError as error:
        raise document.error(path, f"{name}: {error}") from error


def _check_lines(document: Document, path: Path_, expect: scenario_pb2.Expectation) -> None:
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
                raise document.error((*path, name, index), f"{name}: {line!r} is {problem}")
