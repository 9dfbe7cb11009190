"""The worked examples of the specification: scenarios that stand in its pages.

The part `**Example.**` of a clause tells a case in prose and then writes it as a scenario between
"```yaml" and "```". The scenario leaves out `clauses`, `title` and `why`: they are the clause, the
title of its heading and the prose before the block. A clause may have several, each after prose of
its own. Ids are `example-` and the clause, as `example-cap-3`, with more words where there are
several.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ronda.conformance.v1 import scenario_pb2
from ronda.v1 import rule_set_pb2
from ronda_conformance import data_folders
from ronda_conformance.scenarios import Case, Suite, case_of, load_suite, read_text
from ronda_conformance.yaml_documents import DocumentError, read_document

PREFIX = "example-"
_HEADING = re.compile(r"## ([A-Z]+-[1-9][0-9]*) (\S.*)")
_PART = re.compile(r"\*\*([A-Z][a-z ]+)\.\*\* ?")
_EXAMPLE = "Example"
_OPEN = "```yaml"
_FENCE = "```"


@dataclass
class _Block:
    """A scenario as it stands in a page.

    Attributes:
        line: the line of the page where its text begins, from 1.
        prose: what the page says before it, since the block before.
        text: its text.
    """

    line: int
    prose: str
    text: str


@dataclass
class _Clause:
    """A clause of a page.

    Attributes:
        id: the clause, as `CAP-3`.
        title: the title of its heading.
        line: the line of its heading, from 1.
        blocks: the scenarios of its example.
    """

    id: str
    title: str
    line: int
    blocks: list[_Block] = field(default_factory=list)


def load_examples(folder: Path, rule_sets: Mapping[str, rule_set_pb2.RuleSet]) -> Suite:
    """Read the examples of every page of a folder, and go on after errors.

    Errors carry the page and the line in it. A clause without an example is an error too.

    Args:
        folder: where the pages are.
        rule_sets: the rule sets that the examples may name, by id.
    """
    suite = Suite()
    seen: dict[str, Case] = {}
    for page in sorted(folder.glob("*.md")):
        for found in _cases(page, rule_sets):
            if isinstance(found, DocumentError):
                suite.errors.append(found)
            elif found.id in seen:
                other = seen[found.id]
                problem = f"the id {found.id!r} is taken by {other.file}:{other.line}"
                suite.errors.append(DocumentError(page, found.line, 1, problem))
            else:
                seen[found.id] = found
    suite.cases = sorted(seen.values(), key=lambda case: case.id)
    return suite


def load_whole_suite(rule_sets: Mapping[str, rule_set_pb2.RuleSet]) -> Suite:
    """Read the project's own scenarios: those of the suites and the examples of the specification.

    Args:
        rule_sets: the rule sets that they may name, by id.

    Raises:
        DataFolderMissingError: the installation lacks the suites or the specification.
    """
    suite = load_suite(data_folders.suites(), rule_sets)
    examples = load_examples(data_folders.spec(), rule_sets)
    files = {case.id: case.file for case in examples.cases}
    twice = [
        DocumentError(case.file, 1, 1, f"the id {case.id!r} is taken by {files[case.id]}")
        for case in suite.cases
        if case.id in files
    ]
    cases = sorted([*suite.cases, *examples.cases], key=lambda case: case.id)
    return Suite(cases, [*suite.errors, *examples.errors, *twice])


def _cases(
    page: Path, rule_sets: Mapping[str, rule_set_pb2.RuleSet]
) -> Iterator[Case | DocumentError]:
    try:
        clauses = _clauses(page, read_text(page))
    except DocumentError as error:
        yield error
        return
    for clause in clauses:
        if not clause.blocks:
            problem = f"{clause.id} has no example: a {_OPEN} block in the part {_EXAMPLE!r}"
            yield DocumentError(page, clause.line, 1, problem)
        for block in clause.blocks:
            try:
                yield _case(page, clause, block, rule_sets)
            except DocumentError as error:
                yield error


def _clauses(page: Path, text: str) -> list[_Clause]:
    clauses: list[_Clause] = []
    part = ""
    prose: list[str] = []
    fence: tuple[int, str] | None = None
    inside: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if fence is not None:
            if line.rstrip() != _FENCE:
                inside.append(line)
                continue
            if part == _EXAMPLE and fence[1] == _OPEN:
                block = _Block(fence[0] + 1, " ".join(" ".join(prose).split()), "\n".join(inside))
                clauses[-1].blocks.append(block)
                prose = []
            fence, inside = None, []
        elif line.startswith(_FENCE):
            fence = (number, line.rstrip())
        elif line.startswith("#"):
            part, prose = "", []
            if heading := _HEADING.fullmatch(line):
                clauses.append(_Clause(heading[1], heading[2], number))
        elif clauses and (named := _PART.match(line)):
            part, prose = named[1], [line[named.end() :]]
        else:
            prose.append(line)
    if fence is not None:
        raise DocumentError(page, fence[0], 1, f"this block has no end; close it with {_FENCE}")
    return clauses


def _case(
    page: Path, clause: _Clause, block: _Block, rule_sets: Mapping[str, rule_set_pb2.RuleSet]
) -> Case:
    if not block.prose:
        problem = f"the example of {clause.id} lacks its prose: tell the case before the block"
        raise DocumentError(page, block.line - 1, 1, problem)
    if not block.text.strip():
        problem = f"the example of {clause.id} is empty; it is a scenario"
        raise DocumentError(page, block.line - 1, 1, problem)
    given = {"clauses": [clause.id], "title": clause.title, "why": block.prose}
    # The page's lines before the block stay as empty ones, so that errors name the page's lines.
    text = "\n" * (block.line - 1) + block.text
    document = read_document(page, text, scenario_pb2.Scenario.DESCRIPTOR, given)
    case = case_of(document, rule_sets, block.line)
    own = f"{PREFIX}{clause.id.lower()}"
    if case.id != own and not case.id.startswith(f"{own}-"):
        raise document.error(("id",), f"{case.id!r} is no id of an example of {clause.id}: {own!r}")
    if case.scenario.steps and not case.scenario.steps[-1].expect.ListFields():
        last = len(case.scenario.steps) - 1
        raise document.error(
            ("steps", last), "the last step expects nothing; an example ends with what comes of it"
        )
    return case
