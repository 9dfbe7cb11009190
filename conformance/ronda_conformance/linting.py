"""Looking for everything that is wrong with scenario files, without playing them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ronda.conformance.v1 import scenario_pb2
from ronda.v1 import rule_set_pb2
from ronda_conformance.cards import card_text
from ronda_conformance.position_faults import batch_sizes, pack_of, position_faults
from ronda_conformance.rule_set_values import suggestion
from ronda_conformance.scenarios import CLAUSE, Case, case_with_faults, file_name_faults, read_text
from ronda_conformance.yaml_documents import Document, DocumentError, read_with_faults

TO_DO = "TODO"
_TABLE = 4

# What an engine says of a rule set whose values contradict each other: each field, as
# `seats[0].opening`, and what is wrong with it.
Contradictions = Callable[[rule_set_pb2.RuleSet], Iterable[tuple[str, str]]]


@dataclass(frozen=True)
class Knowledge:
    """What scenarios may name.

    Attributes:
        rule_sets: the rule sets, by id.
        clauses: the clauses of the specification.
        contradictions: finds why a rule set cannot be played; None: nobody looks.
    """

    rule_sets: Mapping[str, rule_set_pb2.RuleSet]
    clauses: Sequence[str]
    contradictions: Contradictions | None = None


@dataclass
class Linted:
    """What came of a run.

    Attributes:
        files: the files that were looked at.
        faults: what is wrong with them, file by file.
    """

    files: list[Path] = field(default_factory=list)
    faults: list[DocumentError] = field(default_factory=list)


def lint(files: Iterable[Path], known: Knowledge) -> Linted:
    """Look at scenario files, and go on after each fault."""
    linted = Linted()
    ids: dict[str, Path] = {}
    for file in files:
        linted.files.append(file)
        linted.faults += sorted(
            _file_faults(file, known, ids), key=lambda fault: (fault.line, fault.column)
        )
    return linted


def _file_faults(file: Path, known: Knowledge, ids: dict[str, Path]) -> list[DocumentError]:
    try:
        document = read_with_faults(file, read_text(file), scenario_pb2.Scenario.DESCRIPTOR)
    except DocumentError as fault:
        return [fault]
    case, faults = case_with_faults(document, known.rule_sets)
    faults += [
        fault
        for fault in (
            *file_name_faults(document, case),
            *_clause_faults(document, case, known.clauses),
            *_open_faults(document, case),
        )
        if not document.is_at_fault(fault.path)
    ]
    # Of an id one thing is said: mended, it is another one.
    first = next((fault for fault in faults if fault.path == ("id",)), None)
    faults = [fault for fault in faults if fault.path != ("id",) or fault is first]
    taken = file if first or document.is_at_fault(("id",)) else ids.setdefault(case.id, file)
    if taken != file:
        faults.append(document.error(("id",), f"the id {case.id!r} is taken by {taken}"))
    faults = document.faults + faults
    if not any(fault.path[:1] in _OF_THE_START for fault in faults):
        faults += _start_faults(document, case, known)
    return faults


_OF_THE_START = (("rule_set",), ("changes",), ("seats",), ("position",), ("draws",), ("start",))


def _clause_faults(
    document: Document, case: Case, clauses: Sequence[str]
) -> Iterator[DocumentError]:
    for index, clause in enumerate(case.clauses):
        if CLAUSE.fullmatch(clause) and clause not in clauses:
            hint = suggestion(clause, clauses)
            yield document.error(("clauses", index), f"there is no clause {clause!r}; {hint}")
    first = case.clauses[0].lower() if case.clauses else ""
    if first and not case.id.startswith(f"{first}-"):
        yield document.error(
            ("id",), f"{case.id!r} does not begin with its first clause, as '{first}-'"
        )


def _open_faults(document: Document, case: Case) -> Iterator[DocumentError]:
    for name in ("title", "why"):
        if TO_DO in str(getattr(case.scenario, name)):
            yield document.error((name,), f"{name}: it is still to be written")


def _start_faults(document: Document, case: Case, known: Knowledge) -> list[DocumentError]:
    """Find why what is asked for cannot be played, or not refused for one reason alone."""
    scenario, rule_set = case.scenario, case.request.rule_set
    refused = scenario.start.refused
    unplayable: list[tuple[tuple[str, ...], str]] = [
        (("changes", re.split(r"[.\[]", field_)[0]), problem)
        for field_, problem in (known.contradictions or _nothing)(rule_set)
    ]
    if not batch_sizes(rule_set, scenario.seats) and not unplayable:
        counts = ", ".join(str(one.count) for one in rule_set.seats)
        unplayable.append((("seats",), f"{scenario.seats} seats; this rule set allows {counts}"))
    position: list[tuple[tuple[str, ...], str]] = []
    if scenario.HasField("position") and not unplayable:
        found = position_faults(scenario.position, rule_set, scenario.seats)
        position += [(("position",), f"position: {problem}") for problem in found]
    faults: list[DocumentError] = []
    for reason, problems in (("RULE_SET_INVALID", unplayable), ("POSITION_INVALID", position)):
        if refused != reason:
            faults += [
                document.error(_place(document, path), problem) for path, problem in problems
            ]
        elif len({problem if at == ("position",) else at[-1] for at, problem in problems}) > 1:
            every = "; ".join(problem for _, problem in problems)
            faults.append(
                document.error(("start", "refused"), f"a refusal shows one fault; here: {every}")
            )
    if refused == "RULE_SET_INVALID" and known.contradictions is not None and not unplayable:
        problem = "refused: this rule set can be played with so many seats"
        faults.append(document.error(("start", "refused"), problem))
    if not unplayable and not position and not refused:
        faults += [*_draw_faults(document, case), *_pack_faults(document, case)]
    return faults


def _nothing(_: rule_set_pb2.RuleSet) -> Iterable[tuple[str, str]]:
    return ()


def _place(document: Document, path: tuple[str, ...]) -> tuple[str, ...]:
    """Return the nearest place that the document has for a field of the rule set."""
    if path[0] != "changes":
        return path
    for place in (path, path[:1]):
        if place in document.places:
            return place
    return ("rule_set",)


def _draw_faults(document: Document, case: Case) -> Iterator[DocumentError]:
    """Find whether the draws deal all the cards that are played."""
    scenario, rule_set = case.scenario, case.request.rule_set
    plays = sum(
        move.move.HasField("play") and not step.expect.HasField("refused")
        for move, step in zip(case.request.moves, scenario.steps, strict=False)
    )
    if case.hands is None and scenario.HasField("position"):
        return
    sizes = batch_sizes(rule_set, scenario.seats)
    opening = next(one.opening for one in rule_set.seats if one.count == scenario.seats)
    table = _TABLE if opening == rule_set_pb2.OPENING_TABLE_OF_FOUR else 0
    held, batch = sum(map(len, case.hands or [])), 0
    if scenario.HasField("position"):
        words = scenario.position.replace(";", " ").split()
        batch = int(words[words.index("batch") + 1])
    draws = len(case.request.draws)
    needs = 0
    while held < plays or (batch == 0 and scenario.steps):
        batch = batch % len(sizes) + 1
        needs += sizes[batch - 1] * scenario.seats + (table if batch == 1 else 0)
        held += sizes[batch - 1] * scenario.seats
    if draws < needs:
        problem = f"{draws} cards are drawn, and the moves need at least {needs}"
        yield document.error(("draws",), f"draws: {problem}")


def _pack_faults(document: Document, case: Case) -> Iterator[DocumentError]:
    """Find whether the draws of the deal that a position is in are in its pack."""
    if not case.scenario.HasField("position"):
        return
    pack = pack_of(case.scenario.position, case.request.rule_set)
    if pack is None:
        return
    for card in [card_text(card) for card in case.request.draws[: len(pack)]]:
        if card not in pack:
            yield document.error(("draws",), f"draws: {card} is not in the pack: {' '.join(pack)}")
        else:
            pack.remove(card)
