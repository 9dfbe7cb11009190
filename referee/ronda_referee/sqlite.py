"""Reading and writing SQLite through apsw."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import apsw


def query(
    db: apsw.Connection, sql: str, bindings: Sequence[str | int | bytes | None] = ()
) -> Iterator[tuple[Any, ...]]:
    """Give the rows of a query as they are asked for.

    The tables are STRICT, so a column holds what it is declared to hold, and nothing is checked.
    """
    return iter(db.execute(sql, bindings))


@contextmanager
def transaction(db: apsw.Connection) -> Iterator[None]:
    """Hold a transaction that is committed at the end, or rolled back where anything is raised."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if not db.get_autocommit():
            db.execute("ROLLBACK")
        raise
