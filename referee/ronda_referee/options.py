"""The settings of `ronda serve` by name: what each may be, and where it may be set.

A setting `limits.open_matches` is the key `open_matches` of the table `[limits]` in the file, the
environment variable `RONDA_LIMITS_OPEN_MATCHES` and the flag `--limits-open-matches`.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from ronda_referee import settings
from ronda_referee.addresses import parse_address

PREFIX = "RONDA_"

Value: TypeAlias = bool | int | float | str | None


class NotAllowed(Exception):
    """A value that a setting cannot have; the text says what it is and what is needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option(ABC):
    """One setting.

    Attributes:
        key: its name, with its table before a dot where it has one.
        what: what it says, for people; without a full stop.
        default: what it is where nobody says, given the settings before it; None: unset.
        metavar: what stands for its value in the help; empty for one that is true or false.
    """

    key: str
    what: str
    default: Callable[[Mapping[str, Value]], Value]
    metavar: str = ""

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return PREFIX + self.key.replace(".", "_").upper()

    @property
    def flag(self) -> str:
        """The flag that sets it."""
        return "--" + self.key.replace(".", "-").replace("_", "-")

    @property
    @abstractmethod
    def needed(self) -> str:
        """What is allowed, as it follows `it must be`."""

    def from_text(self, text: str) -> Value:
        """Read a value of a flag or a variable.

        Raises:
            NotAllowed: the setting cannot have it.
        """
        return self.checked(text)

    @abstractmethod
    def checked(self, value: object) -> Value:
        """Check a value that has a type already, as one in a file.

        Raises:
            NotAllowed: the setting cannot have it.
        """

    def refuse(self, value: object) -> NotAllowed:
        """Give the error for a value that the setting cannot have."""
        if isinstance(value, str):
            shown = repr(value)
        elif isinstance(value, bool | int | float):
            shown = str(value).lower()
        else:
            shown = "a list, a table, a date or a time"
        return NotAllowed(f"is {shown}; it must be {self.needed}")


class Switch(Option):
    """A setting that is true or false."""

    @property
    def needed(self) -> str:
        """What is allowed."""
        return "true or false"

    def from_text(self, text: str) -> Value:
        """Read `true` or `false`."""
        words = {"true": True, "false": False}
        if text not in words:
            raise self.refuse(text)
        return words[text]

    def checked(self, value: object) -> Value:
        """Check that it is one of the two."""
        if not isinstance(value, bool):
            raise self.refuse(value)
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Number(Option):
    """A setting that is a number within bounds.

    Attributes:
        low: the least that it may be.
        high: the most that it may be.
        whole: whether it must be a whole number.
    """

    low: int
    high: int
    whole: bool = True

    @property
    def needed(self) -> str:
        """What is allowed."""
        kind = "a whole number" if self.whole else "a number"
        return f"{kind} from {self.low} to {self.high}"

    def from_text(self, text: str) -> Value:
        """Read decimal digits, with a point where it need not be whole."""
        plain = text.replace(".", "", 0 if self.whole else 1)
        if not (plain.isascii() and plain.isdecimal()):
            raise self.refuse(text)
        return self.checked(int(text) if self.whole else float(text))

    def checked(self, value: object) -> Value:
        """Check kind and bounds."""
        kinds = int if self.whole else int | float
        if isinstance(value, bool) or not isinstance(value, kinds):
            raise self.refuse(value)
        if not self.low <= value <= self.high:
            raise self.refuse(value)
        return value if self.whole else float(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(Option):
    """A setting that is one of some words.

    Attributes:
        words: those that it may be.
    """

    words: tuple[str, ...]

    @property
    def needed(self) -> str:
        """What is allowed."""
        return " or ".join(self.words)

    def checked(self, value: object) -> Value:
        """Check that it is one of them."""
        if not isinstance(value, str) or value not in self.words:
            raise self.refuse(value)
        return value


class HostAndPort(Option):
    """A setting that is where something listens."""

    @property
    def needed(self) -> str:
        """What is allowed."""
        return "HOST:PORT, as 127.0.0.1:7632 or [::1]:7632"

    def checked(self, value: object) -> Value:
        """Check its form."""
        if not isinstance(value, str):
            raise self.refuse(value)
        try:
            parse_address(value)
        except ValueError as error:
            raise NotAllowed(str(error)) from error
        return value


class FileName(Option):
    """A setting that names a file or a folder."""

    @property
    def needed(self) -> str:
        """What is allowed."""
        return "the name of a file or folder, in quotes"

    def checked(self, value: object) -> Value:
        """Check that it is a text, and read `~` as the home folder."""
        if not isinstance(value, str) or not value or "\0" in value:
            raise self.refuse(value)
        return str(Path(value).expanduser())


def default_data_folder() -> Path:
    """Give the folder for data where none is named: the user's own, as XDG has it."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "ronda"


def _always(value: Value) -> Callable[[Mapping[str, Value]], Value]:
    return lambda _: value


def _calls_per_second(before: Mapping[str, Value]) -> Value:
    loopback = parse_address(str(before["listen"])).loopback
    return 0 if loopback else settings.CALLS_PER_SECOND_BEYOND_LOOPBACK


# A default may look at the settings before it. Those without a table come first, as TOML has it.
OPTIONS: tuple[Option, ...] = (
    FileName(
        key="data",
        metavar="DIR",
        default=lambda _: str(default_data_folder()),
        what="folder of the store, the signing key and the organiser's token; made if missing",
    ),
    HostAndPort(
        key="listen",
        metavar="HOST:PORT",
        default=_always(settings.DEFAULT_LISTEN),
        what="where to listen; beyond loopback only with TLS; port 0 takes a free one",
    ),
    HostAndPort(
        key="metrics_listen",
        metavar="HOST:PORT",
        default=_always(None),
        what="where to serve metrics to Prometheus, on loopback; unset: nowhere",
    ),
    FileName(
        key="organiser_tokens",
        metavar="FILE",
        default=_always(None),
        what="organisers' tokens, one a line, beside the one in the data folder; mode 0600",
    ),
    Switch(
        key="create_needs_token",
        default=_always(value=False),
        what="creating a match needs an organiser's token on loopback too",
    ),
    Switch(
        key="allow_fixed_draws",
        default=_always(value=False),
        what="let organisers bring draws of their own, for tests",
    ),
    Switch(
        key="allow_shared_shuffles",
        default=_always(value=False),
        what="let organisers bring a seed that several matches share, for tournaments",
    ),
    Number(
        key="heartbeat_seconds",
        metavar="SECONDS",
        low=1,
        high=3600,
        whole=False,
        default=_always(settings.HEARTBEAT_SECONDS),
        what="after how long without news watchers get a sign of life",
    ),
    Number(
        key="slow_watcher_seconds",
        metavar="SECONDS",
        low=1,
        high=3600,
        whole=False,
        default=_always(settings.SLOW_WATCHER_SECONDS),
        what="after how long without reading a client's stream is ended, with where to go on",
    ),
    Number(
        key="sleep_after_seconds",
        metavar="SECONDS",
        low=1,
        high=86_400,
        whole=False,
        default=_always(settings.SLEEP_AFTER_SECONDS),
        what="after how long without a call a match leaves memory until the next one",
    ),
    Number(
        key="drain_seconds",
        metavar="SECONDS",
        low=0,
        high=3600,
        whole=False,
        default=_always(settings.DRAIN_SECONDS),
        what="how long streams may take to end when it shuts down",
    ),
    Choice(
        key="log_format",
        metavar="FORMAT",
        words=("auto", "console", "json"),
        default=_always("auto"),
        what="how log lines look on standard error; auto: console at a terminal, otherwise json",
    ),
    FileName(
        key="tls.certificate",
        metavar="FILE",
        default=_always(None),
        what="the server's certificate and those between it and the root, PEM",
    ),
    FileName(
        key="tls.key",
        metavar="FILE",
        default=_always(None),
        what="the certificate's private key, PEM; others must not be able to read it",
    ),
    FileName(
        key="tls.client_ca",
        metavar="FILE",
        default=_always(None),
        what="roots of clients' certificates, PEM; set: clients need a certificate",
    ),
    Number(
        key="limits.calls_per_second",
        metavar="N",
        low=0,
        high=1_000_000,
        default=_calls_per_second,
        what="calls of one peer in a second; 0: no limit, the default on loopback",
    ),
    Number(
        key="limits.streams_per_peer",
        metavar="N",
        low=1,
        high=1_000_000,
        default=_always(settings.STREAMS_PER_PEER),
        what="streams of one peer, of all kinds",
    ),
    Number(
        key="limits.watchers_per_match",
        metavar="N",
        low=1,
        high=1_000_000,
        default=_always(settings.WATCHERS_PER_MATCH),
        what="streams that watch one match without a seat, and as many again for each seat",
    ),
    Number(
        key="limits.open_matches",
        metavar="N",
        low=1,
        high=1_000_000,
        default=_always(settings.OPEN_MATCHES),
        what="matches that have not ended",
    ),
    Number(
        key="limits.moves_in_flight",
        metavar="N",
        low=1,
        high=100_000,
        default=_always(settings.MOVES_IN_FLIGHT),
        what="moves of one Play stream that are not answered yet",
    ),
    Number(
        key="terms.most_refusals",
        metavar="N",
        low=1,
        high=1_000_000,
        default=_always(settings.MOST_REFUSALS),
        what="refused moves before a seat forfeits, where a match's terms do not say",
    ),
    Number(
        key="terms.join_timeout_seconds",
        metavar="SECONDS",
        low=1,
        high=604_800,
        default=_always(settings.JOIN_TIMEOUT_SECONDS),
        what="time to join before a match is cancelled, where its terms do not say",
    ),
)

BY_KEY = {option.key: option for option in OPTIONS}
