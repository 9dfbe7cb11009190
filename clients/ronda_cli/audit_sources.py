"""Where `ronda audit` has its logs from: files, folders, a store, or a referee that runs."""

import argparse
import asyncio
import os
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from ronda.v1.referee_service_pb2 import MATCH_STATE_CANCELLED, MATCH_STATE_ENDED
from ronda_cli import options
from ronda_cli.failures import CommandError
from ronda_client import ClientError, RefereeClient, RefereeError
from ronda_client.channels import checked_target
from ronda_referee.audit_many import Log
from ronda_referee.data_folder import LISTENING_FILE, FolderInUse
from ronda_referee.errors import SettingsError, StoreError
from ronda_referee.store_logs import is_store, logs_in

SUFFIX = ".rlog"

_LARGEST_PAGE = 500


class Sources:
    """The logs that the arguments name, as a context; each is had when it is asked for."""

    def __init__(self, args: argparse.Namespace) -> None:
        """Take the arguments of the command."""
        self._args = args
        self._loop = asyncio.Runner()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._loop.close()

    def logs(self) -> Iterator[Log]:
        """Yield the logs: paths in the order given, a folder's by name, then the referee's.

        Raises:
            CommandError: A store or the referee cannot be used.
        """
        for path in self._args.paths:
            yield from self._of_path(path)
        if self._args.target is not None:
            yield from self._of_referee(self._args)

    def count(self) -> int | None:
        """Return how many logs there are, where that can be known before they are looked at."""
        if self._args.target is not None or any(_is_store(path) for path in self._args.paths):
            return None
        return sum(
            sum(1 for _ in _logs_below(path)) if path.is_dir() else 1 for path in self._args.paths
        )

    def _of_path(self, path: Path) -> Iterator[Log]:
        if _is_store(path):
            try:
                with logs_in(path) as (_, logs):
                    for match_id, data in logs:
                        yield Log(f"{path}: match {match_id}", data)
            except FolderInUse:
                yield from self._of_referee_on(path)
            except (SettingsError, StoreError, OSError) as error:
                yield Log(str(path), OSError(str(error)))
        elif path.is_dir():
            found = False
            for file in _logs_below(path):
                found = True
                yield Log(str(file), file)
            if not found:
                yield Log(str(path), OSError(f"there is neither a *{SUFFIX} in it nor a store"))
        else:
            yield Log(str(path), path)

    def _of_referee_on(self, folder: Path) -> Iterator[Log]:
        """Yield the logs of a store in use, as its referee gives them out."""
        try:
            target = checked_target((folder / LISTENING_FILE).read_text(encoding="utf-8").strip())
        except (OSError, ValueError):
            detail = "it is in use, and nothing says where its referee listens"
            yield Log(str(folder), OSError(detail))
            return
        yield from self._of_referee(argparse.Namespace(**{**vars(self._args), "target": target}))

    def _of_referee(self, args: argparse.Namespace) -> Iterator[Log]:
        logs = _ended(args)
        try:
            while True:
                log = self._loop.run(_next(logs))
                if log is None:
                    return
                yield log
        except ClientError as error:
            raise CommandError(str(error), code=2) from error
        finally:
            self._loop.run(logs.aclose())


async def _next(logs: AsyncGenerator[Log, None]) -> Log | None:
    return await anext(logs, None)


async def _ended(args: argparse.Namespace) -> AsyncGenerator[Log, None]:
    """Yield the log of every match of a referee that has ended, the newest first."""
    async with options.client_of(args) as client:
        for state in (MATCH_STATE_ENDED, MATCH_STATE_CANCELLED):
            async for match in client.list_matches(state=state, page_size=_LARGEST_PAGE):
                yield await _log(client, match.match_id)


async def _log(client: RefereeClient, match_id: str) -> Log:
    name = f"{client.target}: match {match_id}"
    try:
        return Log(name, await client.get_match_log(match_id))
    except RefereeError as error:
        return Log(name, OSError(str(error)))


def _is_store(path: Path) -> bool:
    try:
        return is_store(path)
    except OSError:
        # What is wrong with it comes out when it is read as a log.
        return False


def _logs_below(folder: Path) -> Iterator[Path]:
    """Yield the logs in a folder and below it, by name, a folder's own before those below."""
    for where, folders, files in os.walk(folder):
        folders.sort()
        yield from (Path(where, name) for name in sorted(files) if name.endswith(SUFFIX))
