"""Scenario files: reading, and checking whatever can be checked without playing."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from google.protobuf.json_format import MessageToDict, ParseDict

from ronda.conformance.v1 import scenario_pb2, testee_service_pb2
from ronda.v1 import move_pb2, rule_set_pb2
from ronda_conformance.cards import CardTextError, card_text, parse_card
from ronda_conformance.expectations import expectation_faults
from ronda_conformance.moves import MoveTextError, bare_rank, parse_move
from ronda_conformance.position_fields import position_hands
from ronda_conformance.rule_set_values import overlay_with_faults, path_text, suggestion
from ronda_conformance.yaml_documents import Document, DocumentError, Path_, read_document

ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
CLAUSE = re.compile(r"[A-Z]+-[1-9][0-9]*")
_SEAT_COUNTS = (2, 3, 4)


@dataclass(frozen=True)
class Case:
    """A scenario that is ready to be played.

    Attributes:
        file: where it stands.
        scenario: its text as a message.
        request: what the program under test is asked.
        hands: the hands of its position by seat, as card texts; None without a position.
        line: the line of the file where it begins, from 1.
    """

    file: Path
    scenario: scenario_pb2.Scenario
    request: testee_service_pb2.RunRequest
    hands: list[list[str]] | None
    line: int = 1

    @property
    def id(self) -> str:
        """The scenario's permanent id."""
        return self.scenario.id

    @property
    def clauses(self) -> list[str]:
        """The clauses that it checks."""
        return list(self.scenario.clauses)

    @property
    def title(self) -> str:
        """What it shows, in a line."""
        return self.scenario.title

    @property
    def why(self) -> str:
        """How its expectation was worked out."""
        return self.scenario.why

    @property
    def rule_set(self) -> str:
        """The rule set that is played."""
        return self.scenario.rule_set

    @property
    def steps(self) -> Sequence[scenario_pb2.Step]:
        """Its moves."""
        return self.scenario.steps


@dataclass
class Suite:
    """What a folder of scenarios holds.

    Attributes:
        cases: the scenarios that could be read, by id.
        errors: what could not, in the order of the files.
    """

    cases: list[Case] = field(default_factory=list)
    errors: list[DocumentError] = field(default_factory=list)


def load_suite(folder: Path, rule_sets: Mapping[str, rule_set_pb2.RuleSet]) -> Suite:
    """Read every `.yaml` file under a folder, and go on after errors.

    Args:
        folder: where the scenarios are.
        rule_sets: the rule sets that they may name, by id.
    """
    suite = Suite()
    files: dict[str, Path] = {}
    for file in sorted(path for path in folder.rglob("*") if path.suffix in (".yaml", ".yml")):
        try:
            case = read_case(file, rule_sets)
            if case.id in files:
                raise DocumentError(file, 1, 1, f"the id {case.id!r} is taken by {files[case.id]}")
        except DocumentError as error:
            suite.errors.append(error)
            continue
        files[case.id] = file
        suite.cases.append(case)
    suite.cases.sort(key=lambda case: case.id)
    return suite


def read_text(file: Path) -> str:
    """Return a file's text.

    Raises:
        DocumentError: it cannot be read, or is no UTF-8.
    """
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DocumentError(file, 1, 1, f"it cannot be read: {error}") from error


def read_case(file: Path, rule_sets: Mapping[str, rule_set_pb2.RuleSet]) -> Case:
    """Read one scenario.

    Raises:
        DocumentError: it is no scenario; the error says where and what would be right.
    """
    document = read_document(file, read_text(file), scenario_pb2.Scenario.DESCRIPTOR)
    case = case_of(document, rule_sets)
    for fault in file_name_faults(document, case):
        raise fault
    return case


def file_name_faults(document: Document, case: Case) -> Iterator[DocumentError]:
    """Find whether a scenario's id differs from its file's name."""
    if case.id != document.file.stem:
        yield document.error(
            ("id",), f"{case.id!r} differs from the file's name; it must be as the file's name"
        )


def case_of(
    document: Document, rule_sets: Mapping[str, rule_set_pb2.RuleSet], line: int = 1
) -> Case:
    """Return the scenario that a document holds.

    Args:
        document: the document, read as a scenario.
        rule_sets: the rule sets that it may name, by id.
        line: the line of its file where it begins.

    Raises:
        DocumentError: it is no scenario; the error says where and what would be right.
    """
    case, faults = case_with_faults(document, rule_sets, line)
    if faults:
        raise faults[0]
    return case


def case_with_faults(
    document: Document, rule_sets: Mapping[str, rule_set_pb2.RuleSet], line: int = 1
) -> tuple[Case, list[DocumentError]]:
    """Do as `case_of`, and return everything that is wrong instead of raising the first.

    With faults the scenario is not to be played: what is wrong is left out of it. Of values that
    the document itself could not read nothing more is said.
    """
    scenario = ParseDict(document.values, scenario_pb2.Scenario())
    hands = position_hands(scenario.position) if scenario.HasField("position") else None
    request = testee_service_pb2.RunRequest(
        seats=scenario.seats, position=scenario.position, drawn_dealer=scenario.drawn_dealer
    )
    found = [
        *_name_faults(document, scenario),
        *_rule_set_faults(document, scenario, rule_sets, request),
        *_start_faults(document, scenario),
        *_draw_faults(document, scenario, request),
        *_step_faults(document, scenario, hands, request),
    ]
    if not _expects_anything(scenario) and not document.faults:
        problem = "nothing is expected: a scenario that cannot fail checks nothing"
        found.append(document.error((), problem))
    faults = [fault for fault in found if not document.is_at_fault(fault.path)]
    return Case(document.file, scenario, request, hands, line), faults


def _name_faults(document: Document, scenario: scenario_pb2.Scenario) -> Iterator[DocumentError]:
    if not ID.fullmatch(scenario.id):
        yield document.error(
            ("id",), f"{scenario.id!r} is no id: lower case words and digits joined by hyphens"
        )
    if not scenario.clauses:
        yield document.error(("clauses",), "a scenario lacks the key 'clauses': at least one")
    for index, clause in enumerate(scenario.clauses):
        if not CLAUSE.fullmatch(clause):
            yield document.error(("clauses", index), f"{clause!r} is no clause; one is CAP-3")
        if clause in scenario.clauses[:index]:
            yield document.error(("clauses", index), f"{clause!r} stands twice; keep one")
    if scenario.seats not in _SEAT_COUNTS:
        yield document.error(("seats",), f"{scenario.seats} seats; 2, 3 or 4 can play")
    if scenario.HasField("drawn_dealer") and scenario.drawn_dealer >= scenario.seats:
        yield document.error(("drawn_dealer",), f"there is no seat {scenario.drawn_dealer}")


def _rule_set_faults(
    document: Document,
    scenario: scenario_pb2.Scenario,
    rule_sets: Mapping[str, rule_set_pb2.RuleSet],
    request: testee_service_pb2.RunRequest,
) -> Iterator[DocumentError]:
    base = rule_sets.get(scenario.rule_set)
    if base is None:
        hint = suggestion(scenario.rule_set, rule_sets)
        yield document.error(("rule_set",), f"no rule set {scenario.rule_set!r}; {hint}")
    rule_set, faults = overlay_with_faults(
        base or rule_set_pb2.RuleSet(), MessageToDict(scenario.changes)
    )
    for fault in faults:
        place = ("changes", *fault.path)
        yield document.error(place, f"{path_text(place)}: {fault.problem}")
    request.rule_set.CopyFrom(rule_set)


def _start_faults(document: Document, scenario: scenario_pb2.Scenario) -> Iterator[DocumentError]:
    if scenario.seats in _SEAT_COUNTS:
        yield from expectation_faults(document, ("start",), scenario.start, scenario.seats)
    if scenario.start.HasField("refused") and scenario.steps:
        yield document.error(("steps",), "after a refused start there are no steps; leave them out")


def _draw_faults(
    document: Document,
    scenario: scenario_pb2.Scenario,
    request: testee_service_pb2.RunRequest,
) -> Iterator[DocumentError]:
    for word in scenario.draws.split():
        if word == "/":
            continue
        try:
            request.draws.append(parse_card(word))
        except CardTextError as error:
            yield document.error(("draws",), f"draws: {error}")


def _step_faults(
    document: Document,
    scenario: scenario_pb2.Scenario,
    hands: list[list[str]] | None,
    request: testee_service_pb2.RunRequest,
) -> Iterator[DocumentError]:
    if scenario.seats not in _SEAT_COUNTS:
        return
    left = [list(hand) for hand in hands or []]
    for index, step in enumerate(scenario.steps):
        path: Path_ = ("steps", index)
        if step.seat >= scenario.seats:
            yield document.error((*path, "seat"), f"there is no seat {step.seat}")
        yield from expectation_faults(document, (*path, "expect"), step.expect, scenario.seats)
        try:
            move = _move(document, (*path, "move"), step, left)
        except DocumentError as fault:
            yield fault
            continue
        if move.HasField("play") and step.seat < len(left) and not step.expect.HasField("refused"):
            card = card_text(move.play.card)
            if card in left[step.seat]:
                left[step.seat].remove(card)
        request.moves.append(testee_service_pb2.SeatMove(seat=step.seat, move=move))


def _move(
    document: Document, path: Path_, step: scenario_pb2.Step, left: Sequence[Sequence[str]]
) -> move_pb2.Move:
    rank = bare_rank(step.move)
    try:
        if rank is None:
            return parse_move(step.move)
        hand = left[step.seat] if step.seat < len(left) else []
        card = next((card for card in hand if card[:-1] == rank), None)
        if card is None:
            raise document.error(
                path,
                f"{step.move!r}: the position gives seat {step.seat} no {rank} that it could "
                "still play; write the card with its suit",
            )
        return parse_move(f"play {card}")
    except MoveTextError as error:
        raise document.error(path, str(error)) from error


def _expects_anything(scenario: scenario_pb2.Scenario) -> bool:
    expectations = [scenario.start, *(step.expect for step in scenario.steps)]
    return any(expectation.ListFields() for expectation in expectations)
