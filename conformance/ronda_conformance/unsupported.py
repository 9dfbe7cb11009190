"""Lists of what a program does not support: each scenario that needs it is expected to fail.

An entry a line. It is one term or several joined by `&`, which must all fit. A term is

- a clause, as `CHALL-2`, or a pattern of clauses, as `CHALL-*`: scenarios that check it;
- `NAME=VALUE` or `NAME!=VALUE`, as `seats=4` or `timing!=FIRST_TURN`: scenarios that have that
  feature or do not, with the names and values of ronda_conformance.features; the value may be a
  pattern, as `ladder=* *`.

`except ID`, with an id or a pattern of ids, takes scenarios out again that pass all the same.
"""

import re
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from ronda_conformance.features import NAMES, has, values_of
from ronda_conformance.list_files import Entry, nearest, read_list
from ronda_conformance.results import Listed, Status
from ronda_conformance.rule_set_values import suggestion
from ronda_conformance.scenarios import Case

_TERM = re.compile(r"([a-z_.]+) ?(!?=) ?(.+)")
_CLAUSE = re.compile(r"[A-Z*?\[\]]+-[0-9*?\[\]!-]+")
_NUMBERS = re.compile(r"[0-9*?\[\]! -]+|none|\*")
_PATTERN = re.compile(r"[*?\[]")
_EXCEPT = "except "

_Term = Callable[[Case], bool]


def read_unsupported(
    file: Path, cases: Sequence[Case], clauses: Sequence[str], rule_sets: Sequence[str]
) -> dict[str, Listed]:
    """Return the scenarios that need what a file lists, by id, each with the first entry that fits.

    Args:
        file: the list.
        cases: the whole suite.
        clauses: every clause that there is.
        rule_sets: the ids of the rule sets that there are.

    Raises:
        DocumentError: the file cannot be read; an entry stands twice, names what there is not, or
            takes a scenario out that no entry fits.
    """
    listed: dict[str, Listed] = {}
    exceptions: list[Entry] = []
    for entry in read_list(file):
        if entry.text.startswith(_EXCEPT):
            exceptions.append(entry)
            continue
        terms = [_term(entry, text.strip(), clauses, rule_sets) for text in entry.text.split("&")]
        for case in cases:
            if all(term(case) for term in terms):
                listed.setdefault(case.id, Listed(Status.UNSUPPORTED, str(entry)))
    for entry in exceptions:
        _take_out(entry, listed, [case.id for case in cases])
    return listed


def _take_out(entry: Entry, listed: dict[str, Listed], ids: Sequence[str]) -> None:
    pattern = entry.text.removeprefix(_EXCEPT)
    fitting = [one for one in ids if fnmatchcase(one, pattern)]
    if not fitting:
        raise entry.error(f"no scenario {pattern!r}; {nearest(pattern, ids)}")
    taken = [one for one in fitting if listed.pop(one, None) is not None]
    if not taken:
        raise entry.error(f"no entry fits {pattern!r}, so there is nothing to except")


def _term(entry: Entry, text: str, clauses: Sequence[str], rule_sets: Sequence[str]) -> _Term:
    if _CLAUSE.fullmatch(text):
        if not any(fnmatchcase(clause, text) for clause in clauses):
            raise entry.error(f"no clause {text!r}; {nearest(text, clauses)}")
        return lambda case: any(fnmatchcase(clause, text) for clause in case.clauses)
    parts = _TERM.fullmatch(text)
    if parts is None:
        raise entry.error(
            f"{text!r} is neither a clause, as CHALL-2 or CHALL-*, nor NAME=VALUE, as seats=4, "
            "nor `except ID`"
        )
    name, sign, value = parts[1], parts[2], parts[3]
    if name not in NAMES:
        raise entry.error(f"no feature {name!r}; {suggestion(name, NAMES)}")
    _check_value(entry, name, value, rule_sets)
    wanted = sign == "="
    return lambda case: has(case.request, name, value) is wanted


def _check_value(entry: Entry, name: str, value: str, rule_sets: Sequence[str]) -> None:
    values = values_of(name, rule_sets)
    if values is not None:
        if not any(fnmatchcase(one, value) for one in values):
            raise entry.error(f"{name} is never {value!r}; {suggestion(value, values)}")
    elif name == "table_forbids":
        _check_words(entry, name, value)
    elif not _NUMBERS.fullmatch(value):
        raise entry.error(f"{name} is never {value!r}; it is numbers or none, as 0 or 1 5 10")


def _check_words(entry: Entry, name: str, value: str) -> None:
    words = ("PAIRS", "RUNS", "none")
    for word in value.split():
        if not _PATTERN.search(word) and word not in words:
            raise entry.error(f"{name} is never {value!r}; {suggestion(word, words)}")
