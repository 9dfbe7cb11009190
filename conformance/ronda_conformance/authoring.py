"""The commands for authors of scenarios: `ronda conform new` and `ronda conform lint`."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ronda_conformance import data_folders
from ronda_conformance.clauses import chapters_of_clauses
from ronda_conformance.examples import load_examples
from ronda_conformance.linting import Contradictions, Knowledge, Linted, lint
from ronda_conformance.progress import progress
from ronda_conformance.rule_set_files import RuleSetFileError, load_rule_sets
from ronda_conformance.rule_set_values import suggestion
from ronda_conformance.scenarios import ID
from ronda_conformance.skeletons import skeleton

if TYPE_CHECKING:
    # The class of argparse's subparsers is generic for the type checker alone.
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001  # no other name

CLEAN, FAULTS, USAGE = range(3)
_SUFFIXES = (".yaml", ".yml")


class AuthoringError(Exception):
    """A command cannot do what is asked; the message says why and what would be right."""


def add_authoring(
    parser: argparse.ArgumentParser, contradictions: Contradictions | None = None
) -> None:
    """Add the authors' commands to the parser of the runner.

    Args:
        parser: the runner's parser; what it runs without a command stays as it is.
        contradictions: finds why a rule set cannot be played; None: nobody looks.
    """
    commands: Subparsers = parser.add_subparsers(
        title="for authors of scenarios", metavar="COMMAND", required=False
    )
    new = commands.add_parser(
        "new",
        help="begin a new scenario file",
        description="Begin a new scenario file in the folder of its clause's chapter.",
    )
    new.add_argument("id", metavar="ID", help="its permanent id, as cap-3-a-run-of-two")
    new.add_argument("--clause", required=True, metavar="CLAUSE", help="what it shows, as CAP-3")
    new.add_argument("--rule-set", default="maghribi", metavar="ID", help="default maghribi")
    new.add_argument("--seats", type=int, metavar="N", help="default: the fewest of the rule set")
    new.add_argument("--suites", type=Path, metavar="DIR", help="the folder of the chapters")
    new.set_defaults(authoring=_new)
    check = commands.add_parser(
        "lint",
        help="say everything that is wrong with scenario files",
        description="Say everything that is wrong with scenario files, without playing them.",
        epilog="Exit codes: 0 nothing is wrong; 1 something is; 2 there is no such file.",
    )
    check.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="FILE|DIR",
        help="files, and folders with everything below; default: the suites",
    )
    check.add_argument("--json", action="store_true", help="print what was found as JSON")
    check.set_defaults(authoring=_lint, contradictions=contradictions)


def run(args: argparse.Namespace) -> int:
    """Run the command that the arguments name, and return its exit code."""
    try:
        code: int = args.authoring(args)
    except (AuthoringError, data_folders.DataFolderMissingError, RuleSetFileError) as error:
        print(f"conform: {error}", file=sys.stderr)
        return USAGE
    return code


def _new(args: argparse.Namespace) -> int:
    rule_sets = load_rule_sets()
    chapters = chapters_of_clauses(data_folders.spec())
    if args.clause not in chapters:
        hint = suggestion(args.clause, chapters)
        raise AuthoringError(f"there is no clause {args.clause!r}; {hint}")
    _check_id(args.id, args.clause)
    if args.rule_set not in rule_sets:
        hint = suggestion(args.rule_set, rule_sets)
        raise AuthoringError(f"no rule set {args.rule_set!r}; {hint}")
    rule_set = rule_sets[args.rule_set]
    allowed = [one.count for one in rule_set.seats]
    seats = min(allowed) if args.seats is None else args.seats
    if seats not in allowed:
        counts = ", ".join(map(str, allowed))
        raise AuthoringError(f"{seats} seats cannot play {args.rule_set}; it allows {counts}")
    suites = _suites_to_write() if args.suites is None else args.suites
    if not suites.is_dir():
        raise AuthoringError(f"{suites} is no folder; --suites names the folder of the chapters")
    _check_free(args.id, suites)
    file = suites / chapters[args.clause] / f"{args.id}.yaml"
    try:
        file.parent.mkdir(exist_ok=True)
        with file.open("x", encoding="utf-8") as output:
            output.write(skeleton(args.id, args.clause, rule_set, seats))
    except OSError as error:
        raise AuthoringError(f"{file} cannot be written: {error.strerror}") from error
    print(file)
    return CLEAN


def _check_id(id_: str, clause: str) -> None:
    if not ID.fullmatch(id_):
        raise AuthoringError(f"{id_!r} is no id: lower case words and digits joined by hyphens")
    start = f"{clause.lower()}-"
    if not id_.startswith(start):
        raise AuthoringError(f"{id_!r} does not begin with its clause, as {start + id_!r}")


def _check_free(id_: str, suites: Path) -> None:
    taken = [path for path in _below(suites) if path.stem == id_]
    examples = load_examples(data_folders.spec(), load_rule_sets())
    taken += [case.file for case in examples.cases if case.id == id_]
    if taken:
        raise AuthoringError(f"the id {id_!r} is taken by {taken[0]}")


def _suites_to_write() -> Path:
    suites = data_folders.suites()
    if suites.parent == Path(__file__).resolve().parent:
        raise AuthoringError("--suites DIR is missing: the installed suites are not written to")
    return suites


def _below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in _SUFFIXES)


def _lint(args: argparse.Namespace) -> int:
    files: list[Path] = []
    for path in args.paths or [data_folders.suites()]:
        if not path.exists():
            raise AuthoringError(f"{path} is no file and no folder")
        files += _below(path) if path.is_dir() else [path]
    files = list(dict.fromkeys(files))
    if not files:
        raise AuthoringError("there is no scenario: files end with .yaml")
    clauses = list(chapters_of_clauses(data_folders.spec()))
    linted = lint(_shown(files), Knowledge(load_rule_sets(), clauses, args.contradictions))
    print(_json_report(linted) if args.json else _text_report(linted))
    return FAULTS if linted.faults else CLEAN


def _shown(files: list[Path]) -> Iterator[Path]:
    with progress(len(files)) as on_file:
        for file in files:
            yield file
            on_file(None)


def _text_report(linted: Linted) -> str:
    at_fault = len({fault.file for fault in linted.faults})
    files = "1 file" if len(linted.files) == 1 else f"{len(linted.files)} files"
    if not linted.faults:
        return f"{files}, nothing is wrong"
    count = "1 fault" if len(linted.faults) == 1 else f"{len(linted.faults)} faults"
    return "\n".join([*map(str, linted.faults), f"{files}, {at_fault} at fault, {count}"])


def _json_report(linted: Linted) -> str:
    faults = [
        {
            "file": str(fault.file),
            "line": fault.line,
            "column": fault.column,
            "problem": fault.problem,
        }
        for fault in linted.faults
    ]
    return json.dumps({"files": len(linted.files), "faults": faults}, indent=2)
