"""Reading settings: flags before the environment, the environment before a file, then defaults.

Everything wrong is said at once, each with where it stands and what is allowed there.
"""

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ronda_referee.errors import SettingsError
from ronda_referee.options import BY_KEY, OPTIONS, PREFIX, FileName, NotAllowed, Option, Value
from ronda_referee.settings import Limits, Settings, Tls

CONFIG_VARIABLE = PREFIX + "CONFIG"
DEFAULT = "default"

# Variables of the same prefix that other commands read.
OTHERS_VARIABLES = frozenset(
    PREFIX + name
    for name in (
        "SEAT_TOKEN",
        "ORGANISER_TOKEN",
        "TLS_CA",
        "TLS_CLIENT_CERTIFICATE",
        "TLS_CLIENT_KEY",
    )
)
# Kubernetes puts such variables into every container beside a service of the name `ronda`.
_OF_AN_ORCHESTRATOR = re.compile(r"RONDA_(SERVICE_(HOST|PORT)|PORT)(_[A-Z0-9_]+)?")


@dataclass(frozen=True, slots=True)
class Set:
    """A setting's value and where it comes from, as `ronda.toml`, a variable, a flag."""

    value: Value
    source: str


@dataclass(frozen=True, slots=True)
class Configuration:
    """Every setting by its key, in the order of `OPTIONS`."""

    settings: Mapping[str, Set]

    def text(self, key: str) -> str | None:
        """Give a setting that is a text, or None where it is unset."""
        value = self.settings[key].value
        return None if value is None else str(value)

    def path(self, key: str) -> Path | None:
        """Give a setting that names a file, or None where it is unset."""
        text = self.text(key)
        return None if text is None else Path(text)

    def number(self, key: str) -> float:
        """Give a setting that is a number."""
        value = self.settings[key].value
        if not isinstance(value, int | float):
            raise TypeError(f"{key} is no number")
        return value

    def on(self, key: str) -> bool:
        """Tell whether a setting that is true or false is true."""
        return self.settings[key].value is True


def read_configuration(
    flags: Mapping[str, Value], environment: Mapping[str, str], file: Path | None
) -> Configuration:
    """Put the settings together from all that was said.

    Args:
        flags: what the command line says, by key: texts, or True and False of switches.
        environment: the process's environment.
        file: the file of `--config`, or None: that of RONDA_CONFIG if there is one.

    Raises:
        SettingsError: something is wrong; the text has a line for each thing.
    """
    if file is None and environment.get(CONFIG_VARIABLE):
        file = Path(environment[CONFIG_VARIABLE])
    problems: list[str] = []
    found: dict[str, Set] = {}
    if file is not None:
        found.update(_from_file(file, problems))
    found.update(_from_environment(environment, problems))
    found.update(_from_flags(flags, problems))
    if problems:
        raise SettingsError("\n".join(problems))
    settings: dict[str, Set] = {}
    for option in OPTIONS:
        before = {key: known.value for key, known in settings.items()}
        settings[option.key] = found.get(option.key) or Set(option.default(before), DEFAULT)
    return Configuration(settings)


def settings_of(configuration: Configuration) -> Settings:
    """Give the referee's settings.

    Raises:
        SettingsError: what is said of TLS does not go together.
    """

    def whole(key: str) -> int:
        return int(configuration.number(key))

    return Settings(
        data=Path(configuration.text("data") or ""),
        listen=configuration.text("listen") or "",
        allow_fixed_draws=configuration.on("allow_fixed_draws"),
        allow_shared_shuffles=configuration.on("allow_shared_shuffles"),
        heartbeat_seconds=configuration.number("heartbeat_seconds"),
        slow_watcher_seconds=configuration.number("slow_watcher_seconds"),
        sleep_after_seconds=configuration.number("sleep_after_seconds"),
        drain_seconds=configuration.number("drain_seconds"),
        tls=_tls(configuration),
        organiser_tokens=configuration.path("organiser_tokens"),
        create_needs_token=configuration.on("create_needs_token"),
        metrics_listen=configuration.text("metrics_listen"),
        limits=Limits(
            calls_per_second=whole("limits.calls_per_second"),
            streams_per_peer=whole("limits.streams_per_peer"),
            watchers_per_match=whole("limits.watchers_per_match"),
            open_matches=whole("limits.open_matches"),
            moves_in_flight=whole("limits.moves_in_flight"),
        ),
        most_refusals=whole("terms.most_refusals"),
        join_timeout_seconds=whole("terms.join_timeout_seconds"),
    )


def _tls(configuration: Configuration) -> Tls | None:
    certificate = configuration.path("tls.certificate")
    key = configuration.path("tls.key")
    client_ca = configuration.path("tls.client_ca")
    if certificate is not None and key is not None:
        return Tls(certificate, key, client_ca)
    if certificate is None and key is None and client_ca is None:
        return None
    missing = [
        name for name, file in (("tls.certificate", certificate), ("tls.key", key)) if file is None
    ]
    raise SettingsError(f"TLS needs a certificate and its key: {' and '.join(missing)} is not set")


def _from_file(file: Path, problems: list[str]) -> dict[str, Set]:
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        problems.append(f"{file}: cannot be read: {error.strerror}")
        return {}
    except UnicodeDecodeError:
        problems.append(f"{file}: is not UTF-8, as TOML must be")
        return {}
    except tomllib.TOMLDecodeError as error:
        problems.append(f"{file}: is not TOML: {error}")
        return {}
    found = {}
    for key, value in _flat(document):
        option = BY_KEY.get(key)
        if option is None:
            problems.append(f"{file}: {key} is no setting{_hint(key, BY_KEY)}")
            continue
        try:
            checked = option.checked(value)
        except NotAllowed as error:
            problems.append(f"{file}: {key} {error}")
            continue
        if isinstance(option, FileName):
            # What a file names stands beside it, wherever the referee is started.
            checked = str(file.absolute().parent / str(checked))
        found[key] = Set(checked, str(file))
    return found


def _flat(document: Mapping[str, object]) -> Iterable[tuple[str, object]]:
    """Give the keys of a document with their tables before a dot, two parts at most."""
    tables = {key.partition(".")[0] for key in BY_KEY if "." in key}
    for name, value in document.items():
        if name in tables and isinstance(value, dict):
            yield from ((f"{name}.{key}", inner) for key, inner in value.items())
        else:
            yield name, value


def _from_environment(environment: Mapping[str, str], problems: list[str]) -> dict[str, Set]:
    by_variable = {option.variable: option for option in OPTIONS}
    found: dict[str, Set] = {}
    for name in sorted(environment):
        if not name.startswith(PREFIX) or name == CONFIG_VARIABLE or name in OTHERS_VARIABLES:
            continue
        option = by_variable.get(name)
        if option is None:
            if not _OF_AN_ORCHESTRATOR.fullmatch(name):
                hint = _hint(name, by_variable)
                problems.append(f"environment: {name} is no setting{hint}")
            continue
        # Shells and containers can hardly unset a variable; an empty one says nothing.
        if environment[name]:
            _take(option, environment[name], f"environment: {name}", name, found, problems)
    return found


def _from_flags(flags: Mapping[str, Value], problems: list[str]) -> dict[str, Set]:
    found: dict[str, Set] = {}
    for key, value in flags.items():
        option = BY_KEY[key]
        if isinstance(value, bool):
            found[key] = Set(value, option.flag)
        else:
            _take(option, str(value), f"command line: {option.flag}", option.flag, found, problems)
    return found


def _take(
    option: Option,
    text: str,
    where: str,
    source: str,
    found: dict[str, Set],
    problems: list[str],
) -> None:
    try:
        found[option.key] = Set(option.from_text(text), source)
    except NotAllowed as error:
        problems.append(f"{where} {error}")


def _hint(name: str, known: Iterable[str]) -> str:
    # What all have in common would make any two look alike.
    names = {text.removeprefix(PREFIX): text for text in known}
    near = difflib.get_close_matches(name.removeprefix(PREFIX), list(names), n=1)
    if near:
        return f"; did you mean {names[near[0]]}?"
    return f"; there are {', '.join(names.values())}"
