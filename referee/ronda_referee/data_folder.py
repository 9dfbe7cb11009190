"""The data folder: what lies in it, and holding it for one process alone."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ronda_referee.errors import SettingsError

STORE_FILE = "matches.sqlite"
KEY_FILE = "signing-key.pem"
LISTENING_FILE = "listening"
LOCK_FILE = "lock"
BACKUPS_FOLDER = "backups"


class FolderInUse(SettingsError):
    """Another process holds the data folder."""


@contextmanager
def held(folder: Path, *, make: bool = True) -> Iterator[None]:
    """Hold the folder for this process alone, for as long as the context lasts.

    Args:
        folder: the folder.
        make: whether to make it where it is missing.

    Raises:
        FolderInUse: another process holds it.
        SettingsError: it cannot be used.
    """
    try:
        if make:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = (folder / LOCK_FILE).open("w")
    except OSError as error:
        raise SettingsError(f"{folder} cannot be used as a data folder: {error}") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise FolderInUse(
                f"{folder} is in use by another referee; stop that one or choose another folder"
            ) from error
        # It may be left over from a referee that was killed.
        with suppress(OSError):
            (folder / LISTENING_FILE).unlink()
        yield
