"""The suite and the specification fit each other, and every file is as it should be."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from ronda_conformance import data_folders
from ronda_conformance.rule_set_files import load_rule_sets
from ronda_conformance.scenarios import Suite, read_case
from tests.conformance.clauses import PARTS, parts_of, spec_clauses, unknown_clauses
from tests.conformance.whole_suite import whole_suite
from tools import generate_scenario_schema

# How many clauses each chapter has; ids are never given anew.
CHAPTERS = {
    "DEAL": 9,
    "CAP": 6,
    "CHAIN": 8,
    "MESA": 4,
    "ANN": 10,
    "SHOW": 5,
    "CHALL": 4,
    "CLAIM": 3,
    "WIN": 1,
    "DUTY": 1,
    "COUNT": 2,
    "PAY": 4,
    "MATCH": 4,
}
CLAUSES = {f"{name}-{number}" for name, last in CHAPTERS.items() for number in range(1, last + 1)}
SCHEMA = generate_scenario_schema.SCHEMA


@pytest.fixture(scope="module")
def suite() -> Suite:
    """The project's own scenarios."""
    whole = whole_suite()
    cases = [case for case in whole.cases if case.file.suffix == ".yaml"]
    return Suite(cases, whole.errors)


def scenario_files() -> list[Path]:
    """Return every scenario file."""
    return sorted(data_folders.suites().rglob("*.yaml"))


def test_every_scenario_can_be_read(suite: Suite) -> None:
    """No file is at fault, and none is left out."""
    assert [str(error) for error in suite.errors] == []
    assert len(suite.cases) == len(scenario_files()) > 200


def test_every_id_is_its_files_name(suite: Suite) -> None:
    """The id is permanent, and it is where one looks for it."""
    assert [case.id for case in suite.cases] == sorted(path.stem for path in scenario_files())


def test_the_specification_has_the_clauses() -> None:
    """Exactly those that the engine and the errors name."""
    assert spec_clauses(data_folders.spec()).keys() == CLAUSES


def test_every_clause_has_all_its_parts() -> None:
    """Rule, parameter, source, reason, other reading and example, each once and in order."""
    spec = spec_clauses(data_folders.spec())
    wrong = {clause for clause, text in spec.items() if tuple(parts_of(text)) != PARTS}
    assert wrong == set()


@pytest.mark.parametrize("name", PARTS)
def test_a_clause_that_lacks_a_part_would_be_found(name: str) -> None:
    """The check above can fail: a part that is left out, and one that says nothing."""
    whole = "".join(f"**{part}.** Text.\n\n" for part in PARTS)
    assert tuple(parts_of(whole)) == PARTS
    for less in (f"**{name}.** Text.\n\n", "Text.\n\n"):
        start = whole.index(f"**{name}.**")
        assert tuple(parts_of(whole[:start] + whole[start:].replace(less, "\n\n", 1))) != PARTS


def test_every_clause_has_a_scenario_and_every_scenario_its_clauses(suite: Suite) -> None:
    """Neither side names what the other lacks."""
    named = {clause for case in suite.cases for clause in case.clauses}
    spec = spec_clauses(data_folders.spec())
    assert unknown_clauses(named, spec) == []
    assert unknown_clauses(spec, named) == []


def test_every_clause_is_refused_or_shown_more_than_once(suite: Suite) -> None:
    """A single scenario for a clause would leave its other side unchecked."""
    counts = dict.fromkeys(CLAUSES, 0)
    for case in suite.cases:
        for clause in case.clauses:
            counts[clause] += 1
    assert {clause for clause, count in counts.items() if count < 2} == set()


def test_an_id_begins_with_its_first_clause(suite: Suite) -> None:
    """So that the list of ids reads like the specification."""
    wrong = [
        case.id for case in suite.cases if not case.id.startswith(f"{case.clauses[0].lower()}-")
    ]
    assert wrong == []


def test_every_seat_count_is_played(suite: Suite) -> None:
    """Two, three and four seats, each in dozens of scenarios."""
    seats = [case.scenario.seats for case in suite.cases]
    assert all(seats.count(number) >= 20 for number in (2, 3, 4))


@pytest.mark.parametrize("page", ["README.md", "position.md"])
def test_the_specification_has_its_other_pages(page: str) -> None:
    """The index and the notation of positions."""
    assert (data_folders.spec() / page).is_file()


def test_the_index_links_every_page() -> None:
    """No page is lost."""
    index = (data_folders.spec() / "README.md").read_text(encoding="utf-8")
    pages = {
        path.relative_to(data_folders.spec()).as_posix()
        for path in data_folders.spec().rglob("*.md")
    } - {"README.md"}
    assert {page for page in pages if f"({page})" not in index} == set()


def test_a_clause_without_scenario_would_be_found(tmp_path: Path) -> None:
    """The check above can fail: a heading too many and one too few are both seen."""
    (tmp_path / "page.md").write_text("# A\n\n## CAP-7 More\n\n**Rule.** x\n", encoding="utf-8")
    spec = spec_clauses(tmp_path)
    assert list(spec) == ["CAP-7"]
    assert parts_of(spec["CAP-7"]) == ["Rule"]
    assert unknown_clauses(spec, CLAUSES) == ["CAP-7"]
    (tmp_path / "twice.md").write_text("## CAP-7 Again\n", encoding="utf-8")
    with pytest.raises(ValueError, match="CAP-7 has a heading already"):
        spec_clauses(tmp_path)


def test_the_example_of_the_authoring_guide_can_be_read(tmp_path: Path) -> None:
    """What authors copy is a scenario that the runner takes, and it fits the schema."""
    guide = (data_folders.suites() / "README.md").read_text(encoding="utf-8")
    example = guide.partition("```yaml\n")[2].partition("```")[0]
    file = tmp_path / "cap-3-worked-example.yaml"
    file.write_text(example, encoding="utf-8")
    assert read_case(file, load_rule_sets()).scenario.steps[0].expect.captured == "6 7 10"
    assert list(schema_errors(example)) == []


def schema_errors(text: str) -> Iterator[str]:
    """Return what the schema says against a document."""
    # Through JSON, whose keys are texts, as an editor sees it.
    document = json.loads(json.dumps(YAML(typ="safe", pure=True).load(text)))
    yield from (error.message for error in validator().iter_errors(document))


@cache
def validator() -> Draft202012Validator:
    """Return the schema, ready to be held against documents."""
    return Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


@pytest.mark.parametrize("file", scenario_files(), ids=lambda path: path.stem)
def test_every_scenario_fits_the_schema(file: Path) -> None:
    """What an editor shows is no error in any file, and each file names the schema."""
    text = file.read_text(encoding="utf-8")
    assert list(schema_errors(text)) == []
    assert text.startswith("# yaml-language-server: $schema=../scenario.schema.json\n")


SMALL = """\
id: a
clauses: [CAP-3]
title: t
why: w
rule_set: maghribi
changes: {timing: IN_ORDER, count: null}
seats: 2
steps:
  - {seat: 0, move: play 6o, expect: {captured: 6, hands: {0: 7o}, refused: NOT_YOUR_TURN}}
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("title: t\n", ""),
        ("title: t", "titel: t"),
        ("clauses: [CAP-3]", "clauses: [cap3]"),
        ("clauses: [CAP-3]", "clauses: []"),
        ("id: a", "id: A"),
        ("seats: 2", "seats: 5"),
        ("IN_ORDER", "LATER"),
        ("timing", "timings"),
        ("seat: 0", "seat: -1"),
        ("play 6o", "passes"),
        ("captured: 6", "captured: [6]"),
        ("{0: 7o}", "{x: 7o}"),
        ("NOT_YOUR_TURN", "NOT_MINE"),
        ("move: play 6o, ", ""),
    ],
)
def test_the_schema_refuses_what_the_runner_refuses(old: str, new: str) -> None:
    """An editor shows a mistake while it is made."""
    assert list(schema_errors(SMALL)) == []
    assert SMALL.count(old) == 1
    assert list(schema_errors(SMALL.replace(old, new)))


def test_the_schema_is_as_generated() -> None:
    """`python tools/generate_scenario_schema.py` writes it anew."""
    assert SCHEMA.read_text(encoding="utf-8") == generate_scenario_schema.schema_text()


def test_every_key_is_explained_in_the_schema() -> None:
    """The comments of the `.proto` files reach the editor."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    expectation = schema["properties"]["start"]["properties"]
    assert expectation["captured"]["description"] == (
        "Cards that the move took from the table, ascending, without the card played; held ones "
        "too."
    )
    for properties in (schema["properties"], expectation):
        assert all(value["description"] for value in properties.values())
