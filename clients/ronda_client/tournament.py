"""Entering a bot in a tournament: it is told which seats to play, one JSON object a line.

A bot's program needs one call, and its class, or one bot for all seats::

    serve(LastMoveBot)

The runner of the tournament starts the program and speaks with it over standard input and output;
with `listen` the program waits for the runner to connect instead. docs/tournaments.md says what
the lines are, for programs that do not use this package.
"""

import asyncio
import contextlib
import json
import os
import re
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from typing import TypeAlias, cast

from ronda_client.bot import Bot
from ronda_client.channels import checked_target, is_loopback
from ronda_client.client import RefereeClient
from ronda_client.errors import BotError, ClientError, RefereeError
from ronda_client.logger import log
from ronda_client.seat_stream import SeatStream

VERSION = 1
"""The version of the lines."""

_STANDARD_INPUT = 0
_STANDARD_OUTPUT = 1
_STANDARD_ERROR = 2
_CHUNK = 65536

_Line: TypeAlias = dict[str, object]
_Write: TypeAlias = Callable[[_Line], None]


class AssignmentError(ValueError):
    """A line that the bot was sent is none that it knows; the message says what it was."""


def serve(
    bot: Bot | Callable[[], Bot],
    *,
    name: str | None = None,
    listen: str | None = None,
    verify: bool = True,
) -> None:
    """Play every seat that a tournament's runner hands out, until it has no more.

    What the bot prints goes to standard error, since standard output speaks with the runner. An
    exception in `choose` fails the match that it was asked for; the others go on.

    Args:
        bot: The bot of all seats; or its class, or whatever else makes one, for a bot of its own
            for each seat.
        name: The name to go by; None: the name of the bot's class.
        listen: `HOST:PORT` on loopback to wait at for runners, for ever; port 0 is a free one, and
            which it is gets printed. None: the program was started by the runner.
        verify: Whether the logs are followed and checked as they grow, also for a bot that is told
            of no events.

    Raises:
        ValueError: `listen` is no `HOST:PORT`, or not on loopback.
        AssignmentError: The runner said what no runner says.
    """
    make = _maker(bot)
    called = name if name is not None else _name_of(bot)
    if listen is not None:
        # Port 0 is a free one.
        if not is_loopback(checked_target(re.sub(":0$", ":1", listen))):
            raise ValueError(f"{listen!r}: seat tokens come in the clear, so listen on loopback")
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(_listen(make, called, listen, verify=verify))
        return
    # The lines keep the true standard output; what is printed meanwhile must not get between.
    lines = os.dup(_STANDARD_OUTPUT)
    sys.stdout.flush()
    os.dup2(_STANDARD_ERROR, _STANDARD_OUTPUT)
    with os.fdopen(lines, "wb", buffering=0) as output:

        def write(line: _Line) -> None:
            output.write(_encoded(line))

        asyncio.run(_serve_standard_input(make, called, write, verify=verify))


def _maker(bot: Bot | Callable[[], Bot]) -> Callable[[], Bot]:
    if not isinstance(bot, type) and callable(getattr(bot, "choose", None)):
        one = cast("Bot", bot)
        return lambda: one
    return cast("Callable[[], Bot]", bot)


def _name_of(bot: object) -> str:
    kind = bot if isinstance(bot, type) else type(bot)
    return kind.__name__


def _encoded(line: _Line) -> bytes:
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


async def _serve_standard_input(
    make: Callable[[], Bot], name: str, write: _Write, *, verify: bool
) -> None:
    reader = asyncio.StreamReader(limit=_CHUNK)
    loop = asyncio.get_running_loop()

    def read() -> None:
        # Not by sys.stdin: its buffer's lock, held by a thread that waits, would abort the exit.
        with contextlib.suppress(OSError, RuntimeError):
            while data := os.read(_STANDARD_INPUT, _CHUNK):
                loop.call_soon_threadsafe(reader.feed_data, data)
            loop.call_soon_threadsafe(reader.feed_eof)

    threading.Thread(target=read, name="assignments", daemon=True).start()
    await _Session(make, name, write, verify=verify).run(reader)


async def _listen(make: Callable[[], Bot], name: str, listen: str, *, verify: bool) -> None:
    host, _, port = listen.rpartition(":")

    async def session(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        def write(line: _Line) -> None:
            writer.write(_encoded(line))

        try:
            await _Session(make, name, write, verify=verify).run(reader)
        except (AssignmentError, ClientError) as error:
            log().warning("runner_failed", listen=listen, detail=str(error))
        finally:
            writer.close()

    server = await asyncio.start_server(session, host.strip("[]"), int(port), limit=_CHUNK)
    async with server:
        where = server.sockets[0].getsockname()
        # For whoever started it, as `ronda serve` does.
        sys.stdout.write(f"listening on {where[0]}:{where[1]}\n")
        sys.stdout.flush()
        await server.serve_forever()


class _Session:
    """What is played for one runner."""

    def __init__(self, make: Callable[[], Bot], name: str, write: _Write, *, verify: bool) -> None:
        self._verify = verify
        self._make = make
        self._name = name
        self._write = write
        self._streams: list[tuple[SeatStream, set[str]]] = []

    async def run(self, lines: asyncio.StreamReader) -> None:
        """Play until the lines end; what is under way then is given up."""
        greeting = await _next_line(lines)
        if greeting is None:
            return
        try:
            target = checked_target(_text(greeting, "target"))
        except ValueError as error:
            raise AssignmentError(f"the runner names no referee: {error}") from error
        if greeting.get("version") != VERSION:
            raise AssignmentError(
                f"this bot speaks version {VERSION} of the lines, the runner "
                f"{greeting.get('version')!r}"
            )
        async with (
            RefereeClient.connect(target) as client,
            contextlib.AsyncExitStack() as open_streams,
        ):
            self._write({"type": "ready", "version": VERSION, "name": self._name})
            playing: set[asyncio.Task[None]] = set()
            try:
                while (line := await _next_line(lines)) is not None:
                    # Before anything is begun: nobody would hear of it from a task.
                    match_id, token = _text(line, "match_id"), _text(line, "seat_token")
                    stream, matches = await self._stream_for(match_id, client, open_streams)
                    task = asyncio.create_task(self._play(stream, matches, match_id, token, line))
                    playing.add(task)
                    task.add_done_callback(playing.discard)
            finally:
                for task in playing:
                    task.cancel()
                await asyncio.gather(*playing, return_exceptions=True)

    async def _stream_for(
        self, match_id: str, client: RefereeClient, streams: contextlib.AsyncExitStack
    ) -> tuple[SeatStream, set[str]]:
        """Return a stream that plays no seat of a match; partners need two."""
        for stream, matches in self._streams:
            if match_id not in matches:
                matches.add(match_id)
                return stream, matches
        opened = await streams.enter_async_context(SeatStream(client))
        self._streams.append((opened, {match_id}))
        return self._streams[-1]

    async def _play(
        self,
        stream: SeatStream,
        matches: set[str],
        match_id: str,
        token: str,
        line: Mapping[str, object],
    ) -> None:
        said: _Line = {"match_id": match_id, "seat": line.get("seat")}
        name = line.get("name")
        called = name if isinstance(name, str) else self._name
        try:
            bot = self._make()
            result = await stream.play(match_id, token, bot, name=called, verify=self._verify)
        except ClientError as error:
            if isinstance(error, BotError) and error.__cause__ is not None:
                traceback.print_exception(error.__cause__)
            kind = _kind(error)
            self._write({"type": "failed", **said, "kind": kind, "detail": str(error)})
        except Exception as error:  # noqa: BLE001 - whatever the bot's class raises when it is made
            traceback.print_exception(error)
            self._write({"type": "failed", **said, "kind": "bot", "detail": repr(error)})
        else:
            outcome = result.outcome.value
            self._write({"type": "played", **said, "outcome": outcome, "moves": result.moves})
        finally:
            matches.discard(match_id)


def _kind(error: ClientError) -> str:
    """Return whose failure it is: the bot's, or its move was refused, or the referee was lost."""
    if isinstance(error, BotError):
        return "bot"
    return "refused" if isinstance(error, RefereeError) else "referee"


async def _next_line(lines: asyncio.StreamReader) -> dict[str, object] | None:
    """Return the next line's object; None: there are no more.

    Raises:
        AssignmentError: It is none.
    """
    try:
        line = await lines.readline()
    except ValueError as error:
        message = f"a line from the runner is longer than {_CHUNK} bytes"
        raise AssignmentError(message) from error
    if not line:
        return None
    # Whatever is wrong with a line, it may hold a token, so it is not repeated.
    try:
        value: object = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise AssignmentError(f"a line from the runner is no JSON: {_fault(error)}") from None
    if not isinstance(value, dict):
        raise AssignmentError(f"a line from the runner is no object, but {type(value).__name__}")
    return value


def _fault(error: Exception) -> str:
    """Return what is wrong with a line and where, without the line."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at character {error.pos}"
    return "it is too deep" if isinstance(error, RecursionError) else "it is no text"


def _text(line: Mapping[str, object], key: str) -> str:
    value = line.get(key)
    if not isinstance(value, str):
        raise AssignmentError(f"a line from the runner has no text {key!r}: {sorted(line)}")
    return value
