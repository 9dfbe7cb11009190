"""Which rule set is meant: one that is shipped, one of a further folder, or a file."""

import argparse
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from ronda.v1.listed_rule_set_pb2 import ListedRuleSet
from ronda_cli.failures import CommandError
from ronda_conformance import data_folders
from ronda_conformance.rule_set_files import (
    RuleSetFileError,
    check_file,
    load_beside_shipped,
)

ID_OR_FILE = "ID|FILE"


def add_folders(parser: argparse.ArgumentParser) -> None:
    """Add the folders of further rule sets."""
    parser.add_argument(
        "--rule-sets",
        type=Path,
        action="append",
        default=[],
        metavar="FOLDER",
        help="a folder of house rule sets, one .toml file each, beside those that are shipped; "
        "can be given several times",
    )


def known_rule_sets(folders: Sequence[Path]) -> dict[str, ListedRuleSet]:
    """Return the rule sets that are shipped and those of further folders, by id.

    Raises:
        CommandError: A file cannot be used or its id is taken, or its rules cannot be played.
    """
    try:
        found = load_beside_shipped(folders)
    except RuleSetFileError as error:
        raise CommandError(str(error), code=2) from error
    # It brings the engine along, and most commands name a rule set that a referee knows.
    from ronda_referee.convert import problems_of  # noqa: PLC0415  # see above

    for read in found.values():
        for problem in problems_of(read.listed.rule_set):
            raise CommandError(f"{read.file}: {problem.detail}", code=2)
    return {name: read.listed for name, read in found.items()}


def is_file(text: str) -> bool:
    """Say whether a text names a rule-set file rather than an id: it has a folder or `.toml`."""
    return text.endswith(".toml") or os.sep in text


def of_file(text: str) -> ListedRuleSet:
    """Return the rule set of a file.

    Raises:
        CommandError: It cannot be used; every fault is a line.
    """
    try:
        read = check_file(Path(text))
    except RuleSetFileError as error:
        raise CommandError(str(error), code=2) from error
    if read.faults:
        raise CommandError("\n".join(map(str, read.faults)), code=2)
    return read.listed


def find(text: str, known: Mapping[str, ListedRuleSet]) -> ListedRuleSet:
    """Return the rule set of an id or a file; house rule sets that are shipped count too.

    Raises:
        CommandError: There is none, or its file cannot be used.
    """
    if is_file(text):
        return of_file(text)
    if text in known:
        return known[text]
    examples = data_folders.house_rules()
    if (examples / f"{text}.toml").is_file():
        return of_file(str(examples / f"{text}.toml"))
    ids = ", ".join(sorted(known))
    raise CommandError(f"there is no rule set {text!r}; there are: {ids}", code=2)
