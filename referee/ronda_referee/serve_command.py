"""`ronda serve`: runs a referee until it is told to stop."""

import argparse
import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TextIO, cast

import structlog

from ronda.v1.listed_rule_set_pb2 import ListedRuleSet
from ronda_referee.errors import SettingsError, StoreError
from ronda_referee.server import DEFAULT_LISTEN, Settings, serving
from ronda_referee.signing_key import SigningKeyError

EXIT_OK = 0
EXIT_CANNOT_START = 2


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command `serve` and its options."""
    parser = subparsers.add_parser("serve", help="run a referee", description=__doc__)
    parser.add_argument(
        "--data",
        type=Path,
        default=default_data_folder(),
        metavar="DIR",
        help="folder of the store and the signing key; made if missing (default: %(default)s)",
    )
    parser.add_argument(
        "--listen",
        default=DEFAULT_LISTEN,
        metavar="HOST:PORT",
        help="loopback address to listen on; port 0 takes a free one (default: %(default)s)",
    )
    parser.add_argument(
        "--allow-fixed-draws",
        action="store_true",
        help="let organisers bring draws of their own, for tests",
    )
    parser.add_argument(
        "--log-format",
        choices=("console", "json"),
        default="console" if sys.stderr.isatty() else "json",
        help="how log lines look on standard error (default: %(default)s)",
    )


def run(args: argparse.Namespace, rule_sets: Mapping[str, ListedRuleSet]) -> int:
    """Run a referee until SIGINT or SIGTERM; give the exit code.

    It prints `listening on HOST:PORT` and where it keeps its data once it answers.
    """
    configure_logging(args.log_format)
    settings = Settings(
        data=args.data, listen=args.listen, allow_fixed_draws=args.allow_fixed_draws
    )
    try:
        asyncio.run(_serve(settings, rule_sets))
    except (SettingsError, SigningKeyError, StoreError) as error:
        sys.stderr.write(f"ronda serve: {error}\n")
        return EXIT_CANNOT_START
    return EXIT_OK


def default_data_folder() -> Path:
    """Give the folder for data where none is named: the user's own, as XDG has it."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "ronda"


def configure_logging(log_format: str) -> None:
    """Send log lines to standard error, as JSON or for people.

    Libraries that log through the standard library, gRPC's own among them, come out in the same
    form: their line is the event `library`, with the logger's name and what it says.
    """
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if log_format == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    before: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    last: list[structlog.typing.Processor] = [structlog.processors.format_exc_info, renderer]
    stream = cast("TextIO", TolerantStream(sys.stderr))
    structlog.configure(
        processors=[*before, *last],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(stream),
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*before, structlog.stdlib.add_logger_name, _of_a_library],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)


def _of_a_library(
    _: structlog.typing.WrappedLogger, __: str, line: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    return {**line, "event": "library", "message": line["event"]}


class TolerantStream:
    """A stream for log lines that loses them rather than fail whoever logs.

    The reader of a pipe may be gone and a disk may be full; no match must wait for that.
    """

    def __init__(self, stream: TextIO) -> None:
        """Write to this stream as long as it takes what is written."""
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text, or lose it."""
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush what was written, or lose it."""
        with contextlib.suppress(OSError, ValueError):
            self._stream.flush()


async def _serve(settings: Settings, rule_sets: Mapping[str, ListedRuleSet]) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with serving(settings, rule_sets) as running:
        sys.stdout.write(f"listening on {running.address}\nkeeping data in {settings.data}\n")
        sys.stdout.write(f"signing with the key {running.public_key.hex()}\n")
        sys.stdout.flush()
        await stop.wait()
