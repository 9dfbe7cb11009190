"""Lists of known failures: ids of scenarios that a program is known to fail, one a line.

An id may be a pattern with `*`, `?` and `[...]`, as `chain-*`: all that it fits must fail.
"""

from collections.abc import Collection
from fnmatch import fnmatchcase
from pathlib import Path

from ronda_conformance.list_files import nearest, read_list
from ronda_conformance.results import Listed, Status


def read_known_failing(file: Path, ids: Collection[str]) -> dict[str, Listed]:
    """Return the ids that a file lists, each with the entry that says so.

    Args:
        file: the list.
        ids: the ids of the whole suite.

    Raises:
        DocumentError: the file cannot be read, or an entry fits no scenario or stands twice.
    """
    known: dict[str, Listed] = {}
    for entry in read_list(file):
        fitting = [one for one in ids if fnmatchcase(one, entry.text)]
        if not fitting:
            raise entry.error(f"no scenario {entry.text!r}; {nearest(entry.text, ids)}")
        for one in fitting:
            known.setdefault(one, Listed(Status.KNOWN_FAILING, str(entry)))
    return known
