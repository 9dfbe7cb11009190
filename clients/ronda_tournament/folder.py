"""A tournament's folder: its journal, seed, commitment and logs, for one runner at a time."""

import fcntl
import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ronda_client.whole_file import write_whole
from ronda_tournament.config import Config
from ronda_tournament.journal import VERSION, Journal, JournalError, read
from ronda_tournament.results import Results
from ronda_tournament.seeds import SEED_SIZE, commitment

JOURNAL = "journal.jsonl"
COMMITMENT = "commitment.txt"
_SEED = "seed.secret"
_LOCK = "lock"


class FolderError(Exception):
    """A folder cannot be used for a tournament; the message says why and what would be right."""


class TournamentFolder:
    """A folder that is being used, as a context.

    Attributes:
        path: The folder.
        logs: The folder in it for logs.
        replays: The one for replays.
        bots: The one for what bots write to standard error.
        referee: The data folder of the runner's own referee.
        results: All that was played.
        seed: The tournament's seed.
    """

    results: Results
    seed: bytes

    def __init__(self, path: Path, config: Config) -> None:
        """Take the folder, which is made where it is not there, and the tournament."""
        self.path = path
        self.logs = path / "logs"
        self.replays = path / "replays"
        self.bots = path / "bots"
        self.referee = path / "referee"
        self._config = config
        self._lock: int | None = None
        self._journal: Journal | None = None

    def __enter__(self) -> Self:
        for folder in (self.path, self.logs, self.bots):
            folder.mkdir(parents=True, exist_ok=True)
        self._take_lock()
        try:
            self._open()
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._close()

    @property
    def journal(self) -> Journal:
        """The journal, while the folder is being used."""
        if self._journal is None:
            raise RuntimeError("the folder is not open: use it within `with`")
        return self._journal

    @property
    def commitment(self) -> str:
        """The commitment to the seed, as hexadecimal digits."""
        return commitment(self.seed).hex()

    def bot_log(self, entrant: str) -> Path:
        """Return the file for what an entrant's program writes to standard error."""
        return self.bots / f"{file_name(entrant)}.log"

    def _take_lock(self) -> None:
        lock = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise FolderError(f"{self.path}: another runner is at work in this folder") from None
        self._lock = lock

    def _close(self) -> None:
        if self._journal is not None:
            self._journal.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _open(self) -> None:
        path = self.path / JOURNAL
        self.results = Results(self._config)
        if not path.exists() or not path.stat().st_size:
            self._check_unused()
        self.seed = self._seed()
        write_whole(self.path / COMMITMENT, f"{self.commitment}\n".encode())
        try:
            self._journal = Journal(path, self.results.apply)
        except (KeyError, TypeError, ValueError, JournalError) as error:
            raise FolderError(f"{path}: it cannot be gone on with: {error}") from error
        begun = self.results.begun
        if begun is None:
            said = {"version": VERSION, "commitment": self.commitment}
            self.journal.note("begun", **said, config=self._config.as_json())
        else:
            self._check_same(begun)
            self.journal.note("resumed")
        self.journal.sync_now()

    def _check_unused(self) -> None:
        if any(self.logs.iterdir()):
            raise FolderError(
                f"{self.path}: it has logs and no journal; take another folder with --data"
            )

    def _check_same(self, begun: Mapping[str, Any]) -> None:
        if begun["version"] != VERSION:
            raise FolderError(
                f"{self.path}: its journal has version {begun['version']}, not {VERSION}"
            )
        # As it comes out of JSON, where tuples are lists.
        wanted = json.loads(json.dumps(self._config.as_json()))
        for key, value in wanted.items():
            before = begun["config"].get(key)
            if before != value:
                raise FolderError(
                    f"{self.path} holds a tournament with another {key}: {json.dumps(before)}, "
                    f"not {json.dumps(value)}; take another folder with --data"
                )
        if begun["commitment"] != self.commitment:
            raise FolderError(f"{self.path / _SEED}: it is not the seed that was committed to")

    def _seed(self) -> bytes:
        path = self.path / _SEED
        if path.exists():
            try:
                seed = bytes.fromhex(path.read_text(encoding="ascii").strip())
            except ValueError:
                seed = b""
            if len(seed) != SEED_SIZE:
                raise FolderError(f"{path}: it holds no seed of {SEED_SIZE} bytes")
            if self._config.seed not in {None, seed}:
                raise FolderError(
                    f"{self.path} holds a tournament with another seed; take another folder with "
                    "--data"
                )
            return seed
        seed = self._config.seed or secrets.token_bytes(SEED_SIZE)
        # Under its name there is a whole seed or none, wherever a run breaks off.
        beside = path.with_name(f".{_SEED}")
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(f"{seed.hex()}\n")
            file.flush()
            os.fsync(handle)
        beside.replace(path)
        return seed


def file_name(name: str) -> str:
    """Return an entrant's name as a file can have it, no two the same."""
    return "".join(c if c.isalnum() or c in "-_" else f"%{ord(c):x}" for c in name)


def journal_of(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a tournament's journal, to look at it.

    Raises:
        FolderError: There is none, or it cannot be read.
    """
    file = path / JOURNAL
    try:
        lines = list(read(file))
    except (FileNotFoundError, NotADirectoryError):
        raise FolderError(f"{path}: it is no tournament's folder: there is no {JOURNAL}") from None
    except (OSError, JournalError) as error:
        raise FolderError(str(error)) from error
    if not lines or lines[0]["type"] != "begun":
        raise FolderError(f"{file}: it does not say what tournament it is of")
    return lines
