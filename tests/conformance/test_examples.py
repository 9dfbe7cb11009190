"""Every clause has a worked example in its page that the engine plays, and that could fail."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ronda.conformance.v1 import scenario_pb2
from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda_conformance import data_folders
from ronda_conformance.__main__ import main
from ronda_conformance.cards import card_text
from ronda_conformance.examples import load_examples, load_whole_suite
from ronda_conformance.judging import judge
from ronda_conformance.results import Status
from ronda_conformance.rule_set_files import load_rule_sets
from ronda_conformance.scenarios import Case, load_suite
from tests.conformance.clauses import spec_clauses
from tests.conformance.engine_answers import answer_of, played

EXAMPLES = load_examples(data_folders.spec(), load_rule_sets())
each_example = pytest.mark.parametrize("case", EXAMPLES.cases, ids=lambda case: case.id)


def test_every_clause_has_an_example_that_can_be_read() -> None:
    """No block of a page is at fault, and no clause is left with prose alone."""
    assert [str(error) for error in EXAMPLES.errors] == []
    shown = {clause for case in EXAMPLES.cases for clause in case.clauses}
    assert shown == set(spec_clauses(data_folders.spec()))
    assert len(shown) == 61


@each_example
def test_the_engine_plays_the_example(case: Case) -> None:
    """What a clause works out by hand is what comes of it."""
    result = played(case)
    assert (result.status, result.reason, result.mismatches) == (Status.PASSED, "", [])


def expectations(scenario: scenario_pb2.Scenario) -> list[scenario_pb2.Expectation]:
    """Return the expectations of a scenario, the start's before those of its steps."""
    return [scenario.start, *(step.expect for step in scenario.steps)]


def with_wrong_expectations(
    case: Case, answer: pb.RunResponse
) -> Iterator[tuple[str, scenario_pb2.Scenario]]:
    """Give the scenario with one stated value made wrong, for each value that it states."""
    results = [answer.start, *answer.steps]
    for index, expect in enumerate(expectations(case.scenario)):
        for field, value in expect.ListFields():
            wrong = scenario_pb2.Scenario()
            wrong.CopyFrom(case.scenario)
            changed = expectations(wrong)[index]
            if field.name == "refused":
                changed.ClearField("refused")
            elif field.name == "hidden":
                for who in value:
                    changed.hidden[who] = card_text(results[index].sight.public.table[0])
            elif field.name == "hands":
                for seat in value:
                    changed.hands[seat] = "2b"
            elif field.is_repeated:
                del getattr(changed, field.name)[:]
                getattr(changed, field.name).append("another line")
            elif isinstance(value, str):
                setattr(changed, field.name, "another text")
            else:
                setattr(changed, field.name, not value if isinstance(value, bool) else value + 1)
            yield f"{index}: {field.name}", wrong


@each_example
def test_every_expectation_of_the_example_could_fail(case: Case) -> None:
    """With any one of its values made wrong the same play fails it."""
    answer = answer_of(case)
    tried = dict(with_wrong_expectations(case, answer))
    assert tried
    passing = [
        name
        for name, wrong in tried.items()
        if judge(replace(case, scenario=wrong), answer).status is not Status.FAILED
    ]
    assert passing == []


@each_example
def test_the_example_is_short(case: Case) -> None:
    """It is there to be read: at most twenty lines."""
    lines = case.file.read_text(encoding="utf-8").splitlines()
    assert lines.index("```", case.line - 1) - (case.line - 1) <= 20


PAGE = """\
# A page

## CAP-2 An equal rank

**Rule.** It is captured.

**Example.** A 5 takes
the 5.

```yaml
id: example-cap-2
rule_set: maghribi
seats: 2
position: seats 2; batch 6; turn 0; hands 5o 2o / 3o 4o; table 1o 5c 12o; piles 16 17; capturer 1
steps:
  - {seat: 0, move: play 5o, expect: {captured: 5c, piles: 18 17}}
```
"""


def write(folder: Path, text: str) -> Path:
    """Write a page of a specification."""
    page = folder / "page.md"
    page.write_text(text, encoding="utf-8")
    return page


def test_an_example_takes_what_the_page_says_already(tmp_path: Path) -> None:
    """Its clause, its title and its reason are those of the page, and it knows its line."""
    page = write(tmp_path, PAGE)
    suite = load_examples(tmp_path, load_rule_sets())
    assert suite.errors == []
    (case,) = suite.cases
    assert (case.file, case.line) == (page, 11)
    assert case.clauses == ["CAP-2"]
    assert case.scenario.title == "An equal rank"
    assert case.scenario.why == "A 5 takes the 5."
    assert played(case).status is Status.PASSED


@pytest.mark.parametrize(
    ("old", "new", "what", "got"),
    [
        ("captured: 5c", "captured: 1o 5c", "captured", "5c"),
        ("piles: 18 17", "piles: 17 17", "piles", "18 17"),
        ("captured: 5c", "refused: CARD_NOT_IN_HAND", "refused", "accepted"),
    ],
)
def test_a_wrong_expectation_in_a_page_fails(
    tmp_path: Path, old: str, new: str, what: str, got: str
) -> None:
    """An example that a page works out wrongly is found, with what really comes of it."""
    write(tmp_path, PAGE.replace(old, new))
    (case,) = load_examples(tmp_path, load_rule_sets()).cases
    result = played(case)
    assert result.status is Status.FAILED
    assert [(one.step, one.what, one.got) for one in result.mismatches] == [(1, what, got)]


BLOCK = PAGE.partition("```yaml\n")[2].partition("```")[0]

# What is put in place of which text of the page, the place of the error, and what it says.
FAULTS: dict[str, tuple[str, str, tuple[int, int], str]] = {
    "no block": (f"```yaml\n{BLOCK}```\n", "", (3, 1), "CAP-2 has no example"),
    "a block before the part": (
        "**Example.** A 5 takes\nthe 5.\n",
        "",
        (3, 1),
        "CAP-2 has no example",
    ),
    "a block of another kind": ("```yaml", "```text", (3, 1), "CAP-2 has no example"),
    "no prose": ("A 5 takes\nthe 5.", "", (9, 1), "lacks its prose"),
    "an empty block": (BLOCK, "\n", (10, 1), "the example of CAP-2 is empty"),
    "no end": ("}\n```\n", "}\n", (10, 1), "this block has no end"),
    "another clause's id": ("id: example-cap-2", "id: example-cap-20", (11, 5), "'example-cap-2'"),
    "an id without the prefix": ("example-cap-2", "cap-2", (11, 5), "'example-cap-2'"),
    "a clause of its own": (
        "seats: 2\n",
        "seats: 2\nclauses: [CAP-2]\n",
        (14, 1),
        "the key 'clauses' stands elsewhere",
    ),
    "a title of its own": ("id:", "title: x\nid:", (11, 1), "the key 'title' stands elsewhere"),
    "an unknown rule set": ("maghribi", "maghreb", (12, 11), "no rule set 'maghreb'"),
    "a missing key": ("seats: 2\n", "", (11, 1), "a scenario lacks the key 'seats'"),
    "an unknown key": ("captured:", "taken:", (16, 39), "an expectation has no key 'taken'"),
    "no YAML": ("seats: 2\n", "\tseats: 2\n", (13, 1), "it is no YAML"),
    "nothing expected": (
        ", expect: {captured: 5c, piles: 18 17}",
        "",
        (11, 1),
        "nothing is expected",
    ),
    "nothing expected at last": (
        "18 17}}\n",
        "18 17}}\n  - {seat: 1, move: play 3o}\n",
        (17, 5),
        "the last step expects nothing",
    ),
    "an id twice": (
        "```\n",
        f"```\n\nOnce more.\n\n```yaml\n{BLOCK}```\n",
        (22, 1),
        "the id 'example-cap-2' is taken by",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_faulty_example_is_refused_with_its_place(tmp_path: Path, name: str) -> None:
    """The error names the page, the line in it and what would be right."""
    old, new, place, problem = FAULTS[name]
    assert PAGE.count(old) == 1
    page = write(tmp_path, PAGE.replace(old, new))
    (error,) = load_examples(tmp_path, load_rule_sets()).errors
    assert (error.file, error.line, error.column) == (page, *place)
    assert problem in error.problem


def test_a_heading_within_a_block_is_none(tmp_path: Path) -> None:
    """Only the page's own headings are clauses."""
    write(tmp_path, PAGE.replace("```yaml\n", "```yaml\n## CAP-9 A remark\n"))
    suite = load_examples(tmp_path, load_rule_sets())
    assert [case.id for case in suite.cases] == ["example-cap-2"]
    assert suite.errors == []


def test_several_examples_of_a_clause_have_prose_of_their_own(tmp_path: Path) -> None:
    """Each says its own case, under the clause's title."""
    more = BLOCK.replace("example-cap-2", "example-cap-2-again")
    write(tmp_path, f"{PAGE}\nThe same\nonce more.\n\n```yaml\n{more}```\n")
    suite = load_examples(tmp_path, load_rule_sets())
    assert [(case.id, case.scenario.why, case.line) for case in suite.cases] == [
        ("example-cap-2", "A 5 takes the 5.", 11),
        ("example-cap-2-again", "The same once more.", 23),
    ]


def test_the_suite_that_is_played_has_the_examples(capsys: pytest.CaptureFixture[str]) -> None:
    """They are among the scenarios of the command, under their clause and by their ids."""
    whole = load_whole_suite(load_rule_sets())
    scenarios = load_suite(data_folders.suites(), load_rule_sets())
    assert whole.errors == []
    assert len(whole.cases) == len(scenarios.cases) + len(EXAMPLES.cases)
    assert main(["--list", "--id", "example-*"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert listed == [case.id for case in EXAMPLES.cases]
    assert main(["--list", "--clause", "CAP-2"]) == 0
    assert "example-cap-2  CAP-2  An equal rank is captured\n" in capsys.readouterr().out


def test_scenarios_of_ones_own_are_played_without_the_examples(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder that is named is all that is played."""
    text = "clauses: [CAP-2]\ntitle: t\nwhy: w\n" + BLOCK.replace("example-cap-2", "own")
    (tmp_path / "own.yaml").write_text(text, encoding="utf-8")
    assert main(["--list", "--suites", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "own  CAP-2  t\n"
