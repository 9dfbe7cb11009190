"""The logs of the matches that have ended, from a store's file while no referee runs on it."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import apsw

from ronda_referee.audit.records import LONGEST_LOG
from ronda_referee.data_folder import STORE_FILE, held
from ronda_referee.errors import StoreError
from ronda_referee.log_file import MAGIC, frame
from ronda_referee.sqlite import query
from ronda_referee.store_file import connect
from ronda_referee.store_records import MatchState
from ronda_referee.store_schema import SCHEMA_VERSION


def is_store(path: Path) -> bool:
    """Tell whether a path is a data folder with a store in it, or a store's file.

    Raises:
        OSError: the path cannot be read.
    """
    if path.is_dir():
        return (path / STORE_FILE).is_file()
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"


@contextmanager
def logs_in(path: Path) -> Iterator[tuple[int, Iterator[tuple[str, bytes]]]]:
    """Open a store, which nothing changes; give how many matches have ended, and their logs.

    Each log comes with its match's id, as the bytes of its file; one that is longer than any that
    is audited comes without its end.

    Raises:
        FolderInUse: a referee runs on the data folder.
        SettingsError: the data folder cannot be used.
        StoreError: the file is not a store of this version, or open to others, or damaged.
        OSError: the file cannot be found.
    """
    store = path / STORE_FILE if path.is_dir() else path
    with ExitStack() as stack:
        if store != path:
            stack.enter_context(held(path, make=False))
        try:
            db = connect(store)
            stack.callback(db.close)
            db.pragma("query_only", value=True)
            version = db.pragma("user_version")
            if version != SCHEMA_VERSION:
                raise StoreError(
                    f"the store is of version {version}, and version {SCHEMA_VERSION} can be "
                    "audited: a referee that starts on it brings it forward"
                )
            ended = (MatchState.ENDED, MatchState.CANCELLED)
            where = "FROM match WHERE state IN (?, ?)"
            count = next(query(db, f"SELECT count(*) {where}", ended))[0]
            ids = query(db, f"SELECT match_id {where} ORDER BY number", ended)
            yield count, ((match_id, _log(db, match_id)) for (match_id,) in ids)
        except apsw.Error as error:
            raise StoreError(f"{store} cannot be read: {error}") from error


def _log(db: apsw.Connection, match_id: str) -> bytes:
    data = bytearray(MAGIC)
    rows = query(db, "SELECT record FROM log_row WHERE match_id = ? ORDER BY sequence", (match_id,))
    for (record,) in rows:
        try:
            data += frame(record)
        except ValueError as error:
            raise StoreError(f"match {match_id} is damaged: {error}") from error
        if len(data) > LONGEST_LOG:
            break
    return bytes(data)
