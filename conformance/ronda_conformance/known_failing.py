"""Lists of known failures: ids of scenarios that a program is known to fail, one a line."""

from collections.abc import Collection
from pathlib import Path

from ronda_conformance.rule_set_values import suggestion
from ronda_conformance.yaml_documents import DocumentError


def read_known_failing(file: Path, ids: Collection[str]) -> frozenset[str]:
    """Return the ids that a file lists; `#` begins a comment.

    Args:
        file: the list.
        ids: the ids of the whole suite.

    Raises:
        DocumentError: the file cannot be read, or a line names no scenario or one twice.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DocumentError(file, 1, 1, f"it cannot be read: {error}") from error
    known: set[str] = set()
    for number, line in enumerate(lines, start=1):
        word = line.partition("#")[0].strip()
        if not word:
            continue
        if word not in ids:
            hint = suggestion(word, ids) if len(ids) else "the suite is empty"
            raise DocumentError(file, number, 1, f"no scenario {word!r}; {hint}")
        if word in known:
            raise DocumentError(file, number, 1, f"{word!r} stands twice; keep one")
        known.add(word)
    return frozenset(known)
