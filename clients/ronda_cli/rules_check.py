"""`ronda rules check`: everything that is wrong with files of house rules."""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ronda.v1.rule_set_pb2 import RuleSet
from ronda_conformance.parameters import value_of, value_text
from ronda_conformance.rule_set_files import (
    RuleSetFileError,
    RuleSetIdError,
    RuleSetSourceError,
    RuleSetUnreadableError,
    check_file,
)
from ronda_conformance.rule_set_sources import OWN_FIELDS
from ronda_referee.convert import problems_of

EXIT_PLAYABLE = 0
EXIT_FAULTS = 1
EXIT_UNREADABLE = 2


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong.

    Attributes:
        file: The file at fault: the one checked, or one that it is based on.
        field: The field at fault as `seats[0].opening`; empty where it is the file as a whole.
        problem: What is wrong, with the value and what would be right.
    """

    file: Path
    field: str
    problem: str

    def __str__(self) -> str:
        return f"{self.file}: {self.field}: {self.problem}".replace(": : ", ": ")


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """What the check of one file found.

    Attributes:
        file: The file.
        rule_set: Its rule set; None where it cannot be read.
        faults: What is wrong; empty where it can be played.
        together: Whether it was looked at how the values go together; not before each can be taken.
    """

    file: Path
    rule_set: RuleSet | None
    faults: tuple[Fault, ...]
    together: bool


def check(file: Path) -> CheckedFile:
    """Look for everything that is wrong with a rule-set file."""
    try:
        read = check_file(file)
    except RuleSetUnreadableError as error:
        return CheckedFile(file, None, (_fault(error),), together=False)
    rule_set = read.listed.rule_set
    faults = [_fault(fault) for fault in read.faults]
    # Beside a value that cannot be taken the base's value would be judged, which nobody chose.
    together = all(
        isinstance(fault, RuleSetSourceError | RuleSetIdError) or fault.field in OWN_FIELDS
        for fault in read.faults
    )
    if together:
        said = {fault.field for fault in faults}
        faults += [
            Fault(file, problem.field, _with_value(problem.detail, problem.field, rule_set))
            for problem in problems_of(rule_set)
            if problem.field not in said
        ]
    return CheckedFile(file, rule_set, tuple(dict.fromkeys(faults)), together)


def run(files: Sequence[Path], *, as_json: bool) -> int:
    """Check files and say what was found; return the exit code."""
    checked = [check(file) for file in files]
    if as_json:
        print(json.dumps([_as_json(one) for one in checked]))
    for one in () if as_json else checked:
        _say(one)
    if any(one.rule_set is None for one in checked):
        return EXIT_UNREADABLE
    return EXIT_FAULTS if any(one.faults for one in checked) else EXIT_PLAYABLE


def _say(checked: CheckedFile) -> None:
    if checked.rule_set is None:
        for fault in checked.faults:
            print(f"ronda: {fault}", file=sys.stderr)
        return
    for fault in checked.faults:
        print(fault)
    if not checked.faults:
        seats = [str(seats.count) for seats in checked.rule_set.seats]
        print(f"{checked.file}: {checked.rule_set.id} can be played with {', '.join(seats)} seats")
    elif not checked.together:
        print(f"{checked.file}: whether its values go together is looked at once all can be taken")


def _as_json(checked: CheckedFile) -> dict[str, object]:
    return {
        "file": str(checked.file),
        "id": None if checked.rule_set is None else checked.rule_set.id,
        "playable": not checked.faults,
        "checked_together": checked.together,
        "faults": [
            {"file": str(fault.file), "field": fault.field, "problem": fault.problem}
            for fault in checked.faults
        ],
    }


def _fault(error: RuleSetFileError) -> Fault:
    return Fault(error.file, error.field, error.problem)


def _with_value(detail: str, field: str, rule_set: RuleSet) -> str:
    """Return what the engine says of a field, without its name and with the value it has."""
    problem = detail.removeprefix(f"{field}: ")
    value = value_of(rule_set, field)
    if isinstance(value, dict | list | None):
        return problem
    text = value_text(value)
    return problem if text in problem.split() else f"{problem}; here it is {text}"
