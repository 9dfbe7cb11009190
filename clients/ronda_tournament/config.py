"""What a tournament is: the contents of its configuration file, checked."""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from ronda.v1.rule_set_pb2 import RuleSet

ROUND_ROBIN = "round-robin"
GAUNTLET = "gauntlet"
SWISS = "swiss"
KNOCKOUT = "knockout"
FORMATS = (ROUND_ROBIN, GAUNTLET, SWISS, KNOCKOUT)

SAME = "same"
DIFFERENT = "different"
PARTNERS = (SAME, DIFFERENT)

FOUR_SEATS = 4


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot that takes part; one of the last three is set.

    Attributes:
        name: What it is called.
        builtin: The bot of `ronda_bots` that it is; empty: none.
        command: The program that it is, with its arguments; empty: none.
        address: `HOST:PORT` on loopback where it waits for the runner; empty: nowhere.
    """

    name: str
    builtin: str = ""
    command: tuple[str, ...] = ()
    address: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a bot may do before it is stopped.

    Attributes:
        start_seconds: How long it may take to be ready.
        output_bytes: How much it may write, beside a kibibyte for each seat that it plays.
        restarts: How often each of its processes is started again.
        failures: With how many failures it is stopped for the rest of the tournament.
    """

    start_seconds: float = 30.0
    output_bytes: int = 1_000_000
    restarts: int = 2
    failures: int = 3


@dataclass(frozen=True, slots=True)
class Sprt:
    """When a meeting is decided before all its pairs are played.

    Attributes:
        elo0: The difference in Elo of the hypothesis that the first entrant is no better.
        elo1: That of the hypothesis that it is better.
        alpha: How likely the second may be taken where the first is true.
        beta: How likely the first may be taken where the second is true.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05


@dataclass(frozen=True, slots=True)
class Config:
    """A tournament.

    Attributes:
        name: What it is called.
        format: Who meets whom, one of `FORMATS`.
        seats: How many seats a match has.
        rule_sets: The rules, by which the pairs are played in turn, as the file names them.
        rules: The same in full.
        entrants: The bots, in the order of the file.
        pairs: How many groups of matches with the same cards are played in a meeting.
        partners: With four seats, whether an entrant is its own partner, or two play together.
        rounds: How many rounds a Swiss tournament has; 0: it is none.
        champion: The index of the entrant that meets all others in a gauntlet.
        concurrency: How many matches are played at once.
        move_seconds: How long a bot may think about one move.
        seed: The tournament's seed, 32 bytes; None: one is drawn.
        sprt: What ends a meeting early; None: nothing does.
        limits: What a bot may do.
        folder: The folder of the file, in which commands are run.
    """

    name: str
    format: str
    seats: int
    rule_sets: tuple[str, ...]
    rules: tuple[RuleSet, ...] = field(repr=False)
    entrants: tuple[Entrant, ...]
    pairs: int
    partners: str
    rounds: int
    champion: int
    concurrency: int
    move_seconds: float
    seed: bytes | None = field(repr=False)
    sprt: Sprt | None
    limits: Limits
    folder: Path

    @property
    def two_teams(self) -> bool:
        """Whether two entrants meet, each alone: at two seats, or with themselves at four."""
        return self.seats == 2 or (self.seats == FOUR_SEATS and self.partners == SAME)  # noqa: PLR2004

    @property
    def turns(self) -> int:
        """How many matches a group has: one for each place that a team can have."""
        return 3 if self.seats == 3 else 2  # noqa: PLR2004 - four seats are two sides

    def as_json(self) -> dict[str, object]:
        """Return what makes the tournament the one that it is, as values for JSON."""
        return {
            "name": self.name,
            "format": self.format,
            "seats": self.seats,
            "rule_sets": [rules.id for rules in self.rules],
            "rules_sha256": [_digest(rules) for rules in self.rules],
            "pairs": self.pairs,
            "partners": self.partners,
            "rounds": self.rounds,
            "champion": self.entrants[self.champion].name if self.format == GAUNTLET else "",
            "move_seconds": self.move_seconds,
            "sprt": None
            if self.sprt is None
            else {name: getattr(self.sprt, name) for name in ("elo0", "elo1", "alpha", "beta")},
            "limits": {
                name: getattr(self.limits, name)
                for name in ("start_seconds", "output_bytes", "restarts", "failures")
            },
            "entrants": [
                {"name": one.name}
                | ({"builtin": one.builtin} if one.builtin else {})
                | ({"command": list(one.command)} if one.command else {})
                | ({"address": one.address} if one.address else {})
                for one in self.entrants
            ],
        }


def _digest(rules: RuleSet) -> str:
    """Return the SHA-256 of a rule set: a file of house rules may change and keep its id."""
    return hashlib.sha256(rules.SerializeToString(deterministic=True)).hexdigest()
