"""Reading a tournament's configuration: everything that is wrong is said at once."""

import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path

import ronda_bots
from ronda.v1.rule_set_pb2 import RuleSet
from ronda_client.channels import checked_target, is_loopback
from ronda_tournament import config
from ronda_tournament.config import Config, Entrant, Limits, Sprt
from ronda_tournament.config_lines import lines_of
from ronda_tournament.config_values import ConfigError, Problem, Problems, Table, shown
from ronda_tournament.seeds import SEED_SIZE

_KEYS = (
    *("name", "format", "seats", "rule_sets", "entrants", "pairs", "partners", "rounds"),
    *("champion", "concurrency", "move_seconds", "seed", "sprt", "limits"),
)
_WAYS = ("builtin", "command", "address")
_MOST_ENTRANTS = 256
_DEFAULT_PAIRS = 20
_DEFAULT_CONCURRENCY = 32

Resolve = Callable[[str, Path], RuleSet]
"""Finds a rule set by its id or file, given the configuration's folder, or raises ValueError."""


def read_config(file: Path, resolve: Resolve) -> Config:
    """Read a configuration.

    Args:
        file: The TOML file.
        resolve: Finds the rule sets.

    Raises:
        ConfigError: It cannot be used; every problem has its line, key, value and what is allowed.
        OSError: It cannot be read.
    """
    try:
        text = file.read_text(encoding="utf-8")
        values = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise ConfigError([Problem(file, 1, "", f"it is not UTF-8: {error.reason}")]) from error
    except tomllib.TOMLDecodeError as error:
        line = getattr(error, "lineno", None) or _line_in(str(error))
        raise ConfigError([Problem(file, line, "", f"it is no TOML: {error}")]) from error
    problems = Problems(file, lines_of(text))
    read = _Reading(Table(values, (), problems), file.resolve().parent, resolve).config()
    problems.check()
    return read


def _line_in(message: str) -> int:
    _, _, after = message.partition("(at line ")
    number = after.partition(",")[0]
    return int(number) if number.isdecimal() else 1


class _Reading:
    """One file's reading."""

    def __init__(self, top: Table, folder: Path, resolve: Resolve) -> None:
        self._top = top
        self._folder = folder
        self._resolve = resolve

    def config(self) -> Config:
        top = self._top
        top.only(_KEYS)
        form = top.word("format", config.ROUND_ROBIN, config.FORMATS)
        seats = top.whole("seats", 2, 2, 4)
        names = top.texts("rule_sets")
        entrants = self._entrants()
        read = Config(
            name=top.text("name", None),
            format=form,
            seats=seats,
            rule_sets=names,
            rules=self._rules(names, seats),
            entrants=tuple(entrants),
            pairs=top.whole("pairs", _DEFAULT_PAIRS, 1, 1_000_000),
            partners=top.word("partners", config.SAME, config.PARTNERS),
            rounds=top.whole("rounds", 0, 0, 1_000),
            champion=self._champion(entrants),
            concurrency=top.whole("concurrency", _DEFAULT_CONCURRENCY, 1, 2_000),
            move_seconds=top.number("move_seconds", 10.0, 0.01, 86_400),
            seed=self._seed(),
            sprt=self._sprt(),
            limits=self._limits(),
            folder=self._folder,
        )
        self._check_together(read)
        return read

    def _rules(self, names: tuple[str, ...], seats: int) -> tuple[RuleSet, ...]:
        found = []
        for name in names:
            try:
                rules = self._resolve(name, self._folder)
            except ValueError as error:
                self._top.problem("rule_sets", str(error))
                continue
            counts = [allowed.count for allowed in rules.seats]
            if seats not in counts:
                allowed = " or ".join(map(str, counts))
                self._top.problem(
                    "rule_sets", f"{name} is played with {allowed} seats, not with {seats}"
                )
            found.append(rules)
        return tuple(found)

    def _entrants(self) -> list[Entrant]:
        found: list[Entrant] = []
        for table in self._top.tables("entrants"):
            table.only(("name", *_WAYS))
            name = table.text("name", None, longest=32)
            if name and name in [other.name for other in found]:
                table.problem("name", f'another entrant is called "{name}" already')
            ways = [way for way in _WAYS if way in table]
            if len(ways) != 1:
                said = "none of them" if not ways else " and ".join(ways)
                table.problem("", f"it needs one of {', '.join(_WAYS)}; it has {said}")
            found.append(
                Entrant(
                    name,
                    table.word("builtin", "", ronda_bots.NAMES) if "builtin" in ways else "",
                    self._command(table) if "command" in ways else (),
                    self._address(table) if "address" in ways else "",
                )
            )
        if len(found) > _MOST_ENTRANTS:
            self._top.problem("entrants", f"there may be {_MOST_ENTRANTS}, not {len(found)}")
        return found

    @staticmethod
    def _command(table: Table) -> tuple[str, ...]:
        value = table.value("command")
        try:
            parts = shlex.split(value) if isinstance(value, str) else value
        except ValueError as error:
            table.problem("command", f"its quotes do not match ({error}): {shown(value)}")
            return ()
        if isinstance(parts, list) and parts and all(isinstance(one, str) for one in parts):
            return tuple(parts)
        table.problem("command", f'it must be a program, as "python my_bot.py", not {shown(value)}')
        return ()

    @staticmethod
    def _address(table: Table) -> str:
        value = table.value("address")
        try:
            if isinstance(value, str) and is_loopback(checked_target(value)):
                return value
        except ValueError:
            pass
        table.problem(
            "address",
            f'it must be HOST:PORT on this machine, as "127.0.0.1:9000", not {shown(value)}',
        )
        return ""

    def _champion(self, entrants: list[Entrant]) -> int:
        top = self._top
        names = [entrant.name for entrant in entrants]
        if "champion" not in top:
            return 0
        if top.value("format") != config.GAUNTLET:
            top.problem("champion", 'it goes with format = "gauntlet" alone')
        word = top.word("champion", None, names)
        return names.index(word) if word in names else 0

    def _seed(self) -> bytes | None:
        value = self._top.value("seed")
        if value is None:
            return None
        try:
            seed = bytes.fromhex(value) if isinstance(value, str) else b""
        except ValueError:
            seed = b""
        if len(seed) != SEED_SIZE:
            digits = 2 * SEED_SIZE
            detail = f"it must be {digits} hexadecimal digits that nobody can guess"
            self._top.problem("seed", f"{detail}; without it one is drawn")
        return seed

    def _sprt(self) -> Sprt | None:
        table = self._top.table("sprt")
        if table is None:
            return None
        table.only(("elo0", "elo1", "alpha", "beta"))
        sprt = Sprt(
            table.number("elo0", 0.0, -1_000, 1_000),
            table.number("elo1", None, -1_000, 1_000),
            table.number("alpha", 0.05, 0.0001, 0.4999),
            table.number("beta", 0.05, 0.0001, 0.4999),
        )
        if "elo1" in table and sprt.elo1 <= sprt.elo0:
            table.problem("elo1", f"it must be more than elo0, {sprt.elo0:g}, not {sprt.elo1:g}")
        return sprt

    def _limits(self) -> Limits:
        table = self._top.table("limits")
        if table is None:
            return Limits()
        table.only(("start_seconds", "output_bytes", "restarts", "failures"))
        usual = Limits()
        return Limits(
            table.number("start_seconds", usual.start_seconds, 0.1, 3_600),
            table.whole("output_bytes", usual.output_bytes, 0, 1_000_000_000),
            table.whole("restarts", usual.restarts, 0, 1_000),
            table.whole("failures", usual.failures, 1, 1_000_000),
        )

    def _check_together(self, read: Config) -> None:
        top = self._top
        needed = 2 if read.two_teams else read.seats
        if "entrants" in top and len(read.entrants) < needed:
            top.problem(
                "entrants", f"a match needs {needed} of them; there are {len(read.entrants)}"
            )
        if "partners" in top and read.seats != config.FOUR_SEATS:
            top.problem("partners", f"only four seats have partners; here there are {read.seats}")
        if read.format in {config.SWISS, config.KNOCKOUT} and not read.two_teams:
            top.problem(
                "format",
                f'"{read.format}" needs two who meet: 2 seats, or 4 with partners = "same"; '
                f'otherwise "{config.ROUND_ROBIN}" or "{config.GAUNTLET}"',
            )
        if read.format == config.SWISS and not read.rounds:
            top.problem("rounds", "a Swiss tournament needs the number of its rounds")
        if read.format != config.SWISS and "rounds" in top:
            top.problem("rounds", 'it goes with format = "swiss" alone')
        if read.sprt is not None and (
            not read.two_teams or read.format in {config.SWISS, config.KNOCKOUT}
        ):
            top.problem(
                "sprt",
                f'it goes with "{config.ROUND_ROBIN}" or "{config.GAUNTLET}" where two meet',
            )
