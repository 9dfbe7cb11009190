"""The entrants while they play: started, handed seats, watched, and stopped where they fail."""

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ronda_client.tournament import VERSION
from ronda_tournament.config import Entrant, Limits
from ronda_tournament.connections import LONGEST_LINE, Connection, connect
from ronda_tournament.results import FailureKind

# How much of a program's error output is looked at for its last words.
_TAIL = 4000

# A Python traceback's places, and its last line.
_PLACE = re.compile(r'File "(.+?)", line (\d+)')
_EXCEPTION = re.compile(r"[A-Za-z_][\w.]*(: |$)")

# What a bot says about a seat that it has played.
_BYTES_FOR_A_SEAT = 1024


class PlayerFailed(Exception):
    """A bot has failed, beyond the one match.

    Attributes:
        entrant: The index of the entrant.
        kind: How.
        detail: What happened, for people.
        incident: The event's name; all matches that it has ended share it.
    """

    def __init__(self, entrant: int, kind: FailureKind, detail: str, incident: str) -> None:
        self.entrant = entrant
        self.kind = kind
        self.detail = detail
        self.incident = incident
        super().__init__(detail)


class PlayerStopped(Exception):
    """A bot was stopped for the rest of the tournament.

    Attributes:
        entrant: The index of the entrant.
    """

    def __init__(self, entrant: int) -> None:
        self.entrant = entrant
        super().__init__(f"entrant {entrant} is stopped")


@dataclass(frozen=True, slots=True)
class Report:
    """What a bot says about a seat.

    Attributes:
        played: Whether it says that the match is over.
        kind: Where it has failed, whether the `bot` did, its move was `refused`, or the `referee`
            was lost.
        detail: The words for it.
    """

    played: bool
    kind: str = ""
    detail: str = ""


class Player:
    """One entrant."""

    def __init__(
        self,
        index: int,
        entrant: Entrant,
        limits: Limits,
        target: str,
        folder: Path,
        log: Path,
        *,
        builtin_arguments: Sequence[str],
        run: str,
    ) -> None:
        """Take the entrant; nothing is started before it is needed.

        Args:
            index: Its number among the entrants.
            entrant: Who it is.
            limits: What it may do.
            target: Where the referee listens.
            folder: Where its command is run.
            log: The file for what it writes to standard error.
            builtin_arguments: What a built-in bot is started with, after its name.
            run: Names this run of the tournament among its runs.
        """
        self.entrant = entrant
        self._index = index
        self._limits = limits
        self._target = target
        self._folder = folder
        self._log = log
        self._builtin_arguments = builtin_arguments
        self._run = f"{run} bot {index}"
        self._connection: Connection | None = None
        self._reading: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._starts = 0
        self._seats: dict[tuple[str, int], asyncio.Future[Report]] = {}
        self._known: set[tuple[str, int]] = set()
        self._written = 0
        self._handed_out = 0
        self._stopped = False
        self._last_failure: PlayerFailed | None = None
        self._flooded: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @property
    def starts_left(self) -> int:
        """How often it may still be started."""
        return self._limits.restarts + 1 - self._starts

    @property
    def life(self) -> str:
        """The name of its present start: what makes a program slow makes it so in every match."""
        return f"{self._run} start {self._starts}"

    @property
    def is_running(self) -> bool:
        """Whether it has been started and has not failed since."""
        return self._connection is not None

    async def ready(self) -> None:
        """Make sure that it runs and is ready for seats.

        Raises:
            PlayerFailed: It does not start.
            PlayerStopped: It was stopped.
        """
        async with self._starting:
            if self._stopped:
                raise PlayerStopped(self._index)
            if self._connection is None:
                if self.starts_left <= 0:
                    raise PlayerStopped(self._index)
                self._starts += 1
                await self._start()

    def play(self, match_id: str, seat: int, seat_token: str) -> asyncio.Future[Report]:
        """Hand out a seat; the future gets what the bot says of it in the end.

        It raises as `ready`, where the bot fails meanwhile.
        """
        future: asyncio.Future[Report] = asyncio.get_running_loop().create_future()
        if self._connection is None:
            # It has failed since it was ready.
            last = self._last_failure
            future.set_exception(
                PlayerStopped(self._index) if self._stopped or last is None else self._again(last)
            )
            return future
        self._seats[match_id, seat] = future
        self._known.add((match_id, seat))
        self._handed_out += 1
        self._send(
            type="play",
            match_id=match_id,
            seat=seat,
            seat_token=seat_token,
            name=self.entrant.name,
        )
        return future

    def forget(self, match_id: str) -> None:
        """Wait no more for what it says about a match."""
        for key in [key for key in self._seats if key[0] == match_id]:
            del self._seats[key]

    async def end(self, failed: PlayerFailed) -> None:
        """End its program because of what it did in one match; it may be started again.

        Where it has been started again since, nothing is done.
        """
        if failed.incident != self.life or not self.is_running:
            return
        seats, self._seats = self._seats, {}
        self._last_failure = failed
        await self._close()
        _fail(seats, lambda: self._again(failed))

    async def stop(self) -> None:
        """End it for the rest of the tournament; who waits for it gets PlayerStopped."""
        self._stopped = True
        seats, self._seats = self._seats, {}
        await self._close()
        _fail(seats, lambda: PlayerStopped(self._index))

    async def _start(self) -> None:
        seconds = self._limits.start_seconds
        self._written = self._handed_out = 0
        self._flooded = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(seconds):
                self._connection = await connect(
                    self.entrant,
                    self._folder,
                    self._builtin_arguments,
                    self._error_output,
                )
                self._send(type="referee", target=self._target, version=VERSION)
                said = await self._next_line(self._connection)
                if said.get("type") != "ready":
                    raise self._failed(FailureKind.RUBBISH, f"it is not ready; it said {said}")
                if said.get("version") != VERSION:
                    detail = f"it speaks another version of the lines than {VERSION}: {said}"
                    raise self._failed(FailureKind.RUBBISH, detail)
        except TimeoutError:
            await self._close()
            detail = f"it was not ready within {seconds:g} s"
            raise self._failed(FailureKind.NOT_STARTED, detail) from None
        except OSError as error:
            await self._close()
            detail = f"{self.entrant.address}: {error.strerror or error}"
            raise self._failed(FailureKind.NOT_STARTED, detail) from None
        except PlayerFailed as failed:
            ended = await self._close()
            if failed.kind is FailureKind.EXITED:
                detail = f"it ended before it was ready{self._how(ended)}"
                if ended == "exit code 0":
                    detail += "; a bot's program has to call ronda_client.tournament.serve"
                raise self._failed(FailureKind.NOT_STARTED, detail) from None
            raise
        self._reading = asyncio.create_task(self._read(self._connection))

    async def _read(self, connection: Connection) -> None:
        failed = await self._follow(connection)
        # Seats that are handed out from now on are those of its next start.
        seats, self._seats = self._seats, {}
        self._reading = None
        self._last_failure = failed
        ended = await self._close()
        if failed.kind is FailureKind.EXITED:
            failed.detail += self._how(ended)
        _fail(seats, lambda: self._again(failed))

    async def _follow(self, connection: Connection) -> PlayerFailed:
        """Take in what it says until it fails; return how."""
        try:
            while True:
                self._take_in(await self._next_line(connection))
        except PlayerFailed as failed:
            return failed

    def _again(self, failed: PlayerFailed) -> PlayerFailed:
        return PlayerFailed(self._index, failed.kind, failed.detail, failed.incident)

    def _how(self, ended: str) -> str:
        said = _last_words(self._log)
        how = f" with {ended}" if ended else ""
        return f"{how}; its last words: {said}" if said else how

    def _take_in(self, said: dict[str, object]) -> None:
        kind, match_id, seat = said.get("type"), said.get("match_id"), said.get("seat")
        key = (match_id, seat) if isinstance(match_id, str) and isinstance(seat, int) else None
        # What a bot says may be anything, also what no set can hold.
        if key not in self._known or kind not in ("played", "failed"):
            raise self._failed(FailureKind.RUBBISH, f"it said what nobody asked: {_short(said)}")
        future = self._seats.pop(key, None)
        if future is not None and not future.done():
            detail = str(said.get("detail", ""))
            future.set_result(Report(kind == "played", str(said.get("kind", "")), detail))

    async def _next_line(self, connection: Connection) -> dict[str, object]:
        line = await self._read_line(connection)
        self._written += len(line)
        if self._flooded.done() or self._written > self._allowed():
            size = self._limits.output_bytes
            detail = f"it wrote more than {size} bytes beside what it says of seats"
            raise self._failed(FailureKind.OUTPUT_LIMIT, detail)
        if not line:
            raise self._failed(FailureKind.EXITED, "its program ended")
        try:
            said: object = json.loads(line)
        except (ValueError, RecursionError):
            said = None
        if not isinstance(said, dict):
            shown = _short(line.decode(errors="replace"))
            raise self._failed(FailureKind.RUBBISH, f"it wrote what is no JSON object: {shown}")
        return said

    async def _read_line(self, connection: Connection) -> bytes:
        """Return the next line of its output; nothing where that has ended or there is too much."""
        reading = asyncio.ensure_future(connection.lines.readline())
        try:
            waiting: set[asyncio.Future[Any]] = {reading, self._flooded}
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            return reading.result() if reading.done() else b""
        except ValueError:
            detail = f"a line of its output is longer than {LONGEST_LINE} bytes"
            raise self._failed(FailureKind.OUTPUT_LIMIT, detail) from None
        except OSError as error:
            detail = f"the connection to it broke: {error.strerror or error}"
            raise self._failed(FailureKind.EXITED, detail) from None
        finally:
            if not reading.done():
                reading.cancel()

    async def _error_output(self, data: bytes) -> None:
        allowed = max(0, self._allowed() - self._written)
        if allowed:
            with self._log.open("ab") as log:
                log.write(data[:allowed])
        self._written += len(data)
        if self._written > self._allowed() and not self._flooded.done():
            self._flooded.set_result(None)

    def _allowed(self) -> int:
        return self._limits.output_bytes + _BYTES_FOR_A_SEAT * (self._handed_out + 1)

    def _failed(self, kind: FailureKind, detail: str) -> PlayerFailed:
        # A life ends once.
        return PlayerFailed(self._index, kind, detail, self.life)

    def _send(self, **line: object) -> None:
        if self._connection is not None:
            self._connection.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")

    async def _close(self) -> str:
        reading, self._reading = self._reading, None
        if reading is not None:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
        connection, self._connection = self._connection, None
        return "" if connection is None else await connection.close()


def _fail(
    seats: dict[tuple[str, int], asyncio.Future[Report]], failure: Callable[[], Exception]
) -> None:
    for future in seats.values():
        if not future.done():
            future.set_exception(failure())
            # Whoever has given the match up does not look.
            future.exception()


def _short(value: object) -> str:
    text = str(value).strip()
    return text if len(text) <= 200 else f"{text[:200]}…"  # noqa: PLR2004 - for one line


def _last_words(log: Path) -> str:
    """Return the last line that a program wrote, with the place that a Python traceback names."""
    try:
        data = log.read_bytes()[-_TAIL:]
    except OSError:
        return ""
    lines = [line.strip() for line in data.decode(errors="replace").splitlines() if line.strip()]
    if not lines:
        return ""
    places = [match for line in lines if (match := _PLACE.match(line))]
    if not places or not _EXCEPTION.match(lines[-1]):
        return _short(lines[-1])
    return f"{_short(lines[-1])} ({places[-1][1]}:{places[-1][2]})"
