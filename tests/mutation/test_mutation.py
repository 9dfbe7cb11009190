"""The mutants are what they are said to be, and a survivor that is not listed is found."""

import ast
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from tests.mutation.forks import in_forks
from tests.mutation.listed import Beyond, Listed, ListError, read_list
from tests.mutation.mutants import MutatedModule, Place, mutated
from tests.mutation.reporting import json_report, page_text, text_report, verdict
from tests.mutation.running import Outcome

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "referee" / "ronda_rules"

SOURCE = '''\
"""A module."""

from functools import cache

from ronda_rules.errors import DrawError


class Pile:
    """Some cards."""

    def __init__(self, cards: int) -> None:
        self.cards = cards

    @property
    def empty(self) -> bool:
        """Whether there are none."""
        return self.cards == 0


@cache
def above(cards: int) -> bool:
    """Whether they count."""
    if cards < 0:
        raise DrawError(f"{cards} are too few", cards=cards + 1)
    return cards > 20
'''


# Switches on the mutants that it is given and says what the module then does.
SWITCHING = """
import os, sys
from ronda_rules.small import Pile, above
for name in sys.argv[1:]:
    os.environ["MUTANT_UNDER_TEST"] = name
    above.cache_clear()
    print(name.rpartition(".")[2] or "nothing", end=": ")
    print(above(20), Pile(0).empty, Pile(1).empty)
"""


def module(folder: Path, source: str) -> MutatedModule:
    """Return a module with its mutants."""
    file = folder / "small.py"
    file.write_text(source, encoding="utf-8")
    return mutated(file)


def changes(found: MutatedModule) -> set[tuple[str, str, str]]:
    """Return function, old line and new line of each mutant."""
    return {(one.place.function, one.place.old, one.place.new) for one in found.mutants}


def test_mutants_are_told_by_their_function_and_lines(tmp_path: Path) -> None:
    """Operators and numbers are changed; a property and a cached function too, a text not."""
    assert changes(module(tmp_path, SOURCE)) == {
        ("Pile.__init__", "self.cards = cards", "self.cards = None"),
        ("Pile.empty", "return self.cards == 0", "return self.cards != 0"),
        ("Pile.empty", "return self.cards == 0", "return self.cards == 1"),
        ("above", "if cards < 0:", "if cards <= 0:"),
        ("above", "if cards < 0:", "if cards < 1:"),
        ("above", "return cards > 20", "return cards >= 20"),
        ("above", "return cards > 20", "return cards > 21"),
    }


def test_mutants_are_the_same_when_lines_move(tmp_path: Path) -> None:
    """What the list names is found again below other lines, and in a deeper block."""
    moved = SOURCE.replace("class Pile", "# A comment.\n\n\nclass Pile")
    assert changes(module(tmp_path, moved)) == changes(module(tmp_path, SOURCE))
    deeper = SOURCE.replace("    return cards > 20", "    if cards:\n        return cards > 20")
    assert ("above", "return cards > 20", "return cards >= 20") in changes(module(tmp_path, deeper))


def test_equal_lines_of_a_function_are_numbered(tmp_path: Path) -> None:
    """The second of two equal lines has mutants of its own."""
    source = "def f(x):\n    if x:\n        return 1\n    x = x.y\n    return 1\n"
    places = [one.place for one in module(tmp_path, source).mutants]
    assert Place("small", "f", "return 1", "return 2", 1) in places
    assert Place("small", "f", "return 1", "return 2", 2) in places
    assert len(set(places)) == len(places) == 3


def test_a_mutant_is_switched_on_by_its_name(tmp_path: Path) -> None:
    """What is imported does as before, and otherwise where the environment names a mutant."""
    found = module(tmp_path, SOURCE)
    (tmp_path / "ronda_rules").mkdir()
    (tmp_path / "ronda_rules" / "__init__.py").touch()
    (tmp_path / "ronda_rules" / "errors.py").write_text("class DrawError(Exception): ...\n")
    (tmp_path / "ronda_rules" / "small.py").write_text(found.source, encoding="utf-8")
    names = ["", *(one.name for one in found.mutants if one.place.new.startswith("return"))]
    done = subprocess.run(
        [sys.executable, "-c", SWITCHING, *names],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [
        "nothing: False True False",
        "xǁPileǁempty__mutmut_1: False False True",
        "xǁPileǁempty__mutmut_2: False False True",
        "x_above__mutmut_3: True True False",
        "x_above__mutmut_4: False True False",
    ]


def answer(task: str) -> str:
    """Do as the task says."""
    match task:
        case "loop":
            while True:
                pass
        case "raise":
            raise ValueError
        case "exit":
            sys.exit(0)
        case "die":
            os.kill(os.getpid(), signal.SIGKILL)
    return task.upper()


def test_what_comes_to_no_end_has_no_answer() -> None:
    """An endless loop, an exception and the end of the process are told from an answer."""
    tasks = ["a", "loop", "raise", "b", "exit", "die", "c"]
    answers = dict(in_forks(tasks, answer, processes=2, seconds=1))
    assert answers == {
        "a": "A",
        "b": "B",
        "c": "C",
        **dict.fromkeys(["loop", "raise", "exit", "die"]),
    }


ENTRY = {
    "module": '"small"',
    "function": '"above"',
    "old": '"return cards > 20"',
    "new": '"return cards >= 20"',
    "reason": '"why"',
}


def toml(*entries: Mapping[str, str]) -> str:
    """Return a list with these entries."""
    return "".join(
        "[[equivalent]]\n" + "".join(f"{key} = {value}\n" for key, value in entry.items())
        for entry in entries
    )


def test_the_list_is_read(tmp_path: Path) -> None:
    """Mutants with their reasons, the first of those alike where no number is given."""
    beyond = '[[beyond_the_suite]]\nfunctions = "forfeit.*"\nlines = "*seat*"\nreason = "service"\n'
    (tmp_path / "list.toml").write_text(toml(ENTRY, {**ENTRY, "nth": "2"}) + beyond)
    listed = read_list(tmp_path / "list.toml")
    place = ("small", "above", "return cards > 20", "return cards >= 20")
    assert listed.equivalent == {Place(*place, 1): "why", Place(*place, 2): "why"}
    assert listed.beyond_the_suite == {Beyond("forfeit.*", "*seat*"): "service"}
    seat = Place("forfeit", "forfeit", "a seat", "b")
    assert listed.judged_by_unit_tests(seat, first=False)
    assert not listed.judged_by_unit_tests(seat, first=True)
    for other in (replace(seat, old="a"), replace(seat, module="capture")):
        assert not listed.judged_by_unit_tests(other, first=False)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (toml(ENTRY, ENTRY), "is listed twice"),
        (toml({**ENTRY, "reason": '" "'}), "empty 'reason'"),
        (toml({key: ENTRY[key] for key in ENTRY if key != "old"}), "lacks the text 'old'"),
        (toml({**ENTRY, "nth": "0"}), "nth is no number from 1 on"),
        ("[[equivalents]]\n", "unknown tables: equivalents"),
        ("equivalent = 1\n", "equivalent is no array of tables"),
        ("[", "list.toml: "),
    ],
)
def test_a_faulty_list_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """No entry is passed over, and none stands without a reason."""
    (tmp_path / "list.toml").write_text(text)
    with pytest.raises(ListError, match=message):
        read_list(tmp_path / "list.toml")


def test_survivors_and_the_list_must_be_the_same(tmp_path: Path) -> None:
    """A survivor that is not listed, and one listed that is killed or gone: each is a fault."""
    first, second, third, *_ = module(tmp_path, SOURCE).mutants
    gone = Place("small", "above", "return cards > 13", "return cards >= 13")
    elsewhere = Place("other", "above", "a", "b")
    outcomes = [Outcome(first, ""), Outcome(second, "cap-1"), Outcome(third, "unit tests", True)]
    good = Listed({first.place: "why", elsewhere: "why"}, {Beyond("small.*"): "why"})
    found = verdict(outcomes, good, ["small"])
    assert found.right
    assert text_report(found).splitlines() == [
        "small: 3 mutants, 1 killed by the suite, 1 by unit tests, 1 listed, 0 missed",
        "all: 3 mutants, 1 killed by the suite, 1 by unit tests, 1 listed, 0 missed",
    ]
    assert "| small | 3 | 1 | 1 | 1 | 0 |" in page_text(found, good)
    assert "| `small.*` | all | the suite | why |" in page_text(found, good)
    bad = verdict(
        outcomes, Listed({second.place: "why", gone: "why"}, {Beyond("small.x"): "y"}), ["small"]
    )
    assert not bad.right
    assert [one.mutant for one in bad.missed] == [first]
    assert [one.mutant for one in bad.killed] == [second]
    assert list(bad.lost) == [gone]
    assert list(bad.unused) == [Beyond("small.x")]
    assert "survives and is not listed: small." in text_report(bad)
    assert '"right": false' in json_report(bad)


def functions() -> Mapping[str, str]:
    """Return the source of every function of the engine, by module and name."""
    found = {}
    for file in RULES.glob("*.py"):
        source = file.read_text(encoding="utf-8")
        for node in ast.parse(source).body:
            members = node.body if isinstance(node, ast.ClassDef) else [node]
            owner = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
            for member in members:
                if isinstance(member, ast.FunctionDef):
                    text = ast.get_source_segment(source, member) or ""
                    found[f"{file.stem}.{owner}{member.name}"] = text
    return found


def test_what_is_listed_stands_in_the_engine() -> None:
    """Whoever changes such a line is told at once; `make mutation` says whether it survives."""
    sources = functions()
    listed = read_list()
    for place in listed.equivalent:
        lines = [line.strip() for line in sources[f"{place.module}.{place.function}"].splitlines()]
        assert set(map(str.strip, place.old.splitlines())) <= set(lines), place
    for beyond in listed.beyond_the_suite:
        assert any(fnmatchcase(name, beyond.functions) for name in sources), beyond


def test_a_module_is_played_whole() -> None:
    """The command plays the suite against the mutants of a module and finds the list right."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.mutation", "--module", "mesa"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines()[-1] == (
        "all: 9 mutants, 8 killed by the suite, 0 by unit tests, 1 listed, 0 missed"
    )
    assert done.returncode == 0, done.stdout + done.stderr
