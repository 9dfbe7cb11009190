"""`ronda serve`: runs a referee until it is told to stop."""

import argparse
import asyncio
import contextlib
import gc
import logging
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TextIO, cast

import structlog

from ronda.v1.listed_rule_set_pb2 import ListedRuleSet
from ronda_referee.configuration import (
    CONFIG_VARIABLE,
    Configuration,
    read_configuration,
    settings_of,
)
from ronda_referee.errors import SettingsError, StoreError
from ronda_referee.options import OPTIONS, Choice, HostAndPort, Number, Option, Switch
from ronda_referee.server import serving
from ronda_referee.settings import DEFAULT_LISTEN, Settings
from ronda_referee.show_config import as_json, as_toml
from ronda_referee.signing_key import SigningKeyError

EXIT_OK = 0
EXIT_CANNOT_START = 2

_SWITCH_SECONDS = 0.001

# Those of Python 3.11 are 700, 10 and 10: with hundreds of matches a tenth of the time would go
# into collecting.
_COLLECTING = (5_000, 10, 10)


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command `serve` and its options."""
    parser = subparsers.add_parser(
        "serve",
        help="run a referee",
        description=__doc__,
        epilog="Every setting can stand in a TOML file as well, and in the environment: "
        "--tls-key is `key` in the table [tls], and RONDA_TLS_KEY. Flags go before the "
        "environment, the environment before the file. Exit codes: 0 it was told to stop; 2 it "
        "cannot start.",
    )
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help=f"a TOML file with settings (default: {CONFIG_VARIABLE} in the environment)",
    )
    parser.add_argument(
        "--show-config",
        action="store_true",
        help="print every setting and where it comes from, and start nothing",
    )
    parser.add_argument(
        "--json", action="store_true", help="with --show-config: print one JSON object"
    )
    for option in OPTIONS:
        if isinstance(option, Switch):
            parser.add_argument(
                option.flag,
                dest=option.key,
                action=argparse.BooleanOptionalAction,
                default=None,
                help=option.what,
            )
        else:
            parser.add_argument(
                option.flag,
                dest=option.key,
                metavar=option.metavar,
                help=f"{option.what}{_default_of(option)}",
            )


def _default_of(option: Option) -> str:
    if not isinstance(option, Number | Choice | HostAndPort):
        return ""
    value = option.default({"listen": DEFAULT_LISTEN})
    if isinstance(value, float):
        value = f"{value:g}"
    return "" if value is None else f" (default: {value})"


def run(args: argparse.Namespace, rule_sets: Mapping[str, ListedRuleSet]) -> int:
    """Run a referee until SIGINT or SIGTERM; give the exit code.

    It prints `listening on HOST:PORT` and where it keeps its data once it answers. With
    `--show-config` it prints its settings instead.
    """
    flags = {
        option.key: value for option in OPTIONS if (value := getattr(args, option.key)) is not None
    }
    try:
        if args.json and not args.show_config:
            raise SettingsError("command line: --json goes with --show-config alone")
        configuration = read_configuration(flags, os.environ, args.config)
        settings = settings_of(configuration)
        if args.show_config:
            if args.json:
                sys.stdout.write(as_json(configuration) + "\n")
            else:
                sys.stdout.write(as_toml(configuration))
            return EXIT_OK
        configure_logging(_log_format(configuration))
        # The event loop gets the interpreter back sooner from a match that is played again beside
        # it: it lets go of it at every row that it reads.
        sys.setswitchinterval(_SWITCH_SECONDS)
        collect_rarely()
        asyncio.run(_serve(settings, rule_sets))
    except (SettingsError, SigningKeyError, StoreError) as error:
        for line in str(error).splitlines():
            sys.stderr.write(f"ronda serve: {line}\n")
        return EXIT_CANNOT_START
    return EXIT_OK


def collect_rarely() -> None:
    """Have Python look for garbage seldom, and never in what is there already.

    Hardly anything of a referee's refers to itself in a circle, and what does is small.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECTING)


def _log_format(configuration: Configuration) -> str:
    wanted = configuration.text("log_format") or "auto"
    if wanted != "auto":
        return wanted
    return "console" if sys.stderr.isatty() else "json"


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
        # A line goes out at once with its end, so that a kill leaves no line open for the next run.
        logger_factory=structlog.WriteLoggerFactory(stream),
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
        sys.stdout.write(f"organiser's token in {running.organiser_token_file}\n")
        if running.metrics_address is not None:
            sys.stdout.write(f"metrics at http://{running.metrics_address}/metrics\n")
        sys.stdout.flush()
        await stop.wait()
