"""What each golden log is to show: under which rules and terms it is played, and how it ends."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from ronda.v1.card_pb2 import Card
from ronda.v1.log_pb2 import SharedShuffle
from ronda.v1.match_terms_pb2 import (
    TIME_OUT_AUTOMATIC,
    TIME_OUT_FORFEIT,
    TIME_OUT_UNSPECIFIED,
    MatchTerms,
    TimeControl,
    TimeOut,
)
from ronda.v1.rule_set_pb2 import RuleSet
from ronda_conformance.rule_set_files import check_file, load_rule_set, load_rule_sets
from ronda_referee.audit import AuditReport
from ronda_referee.convert import card_to_proto
from ronda_rules.cards import parse_card
from ronda_tournament.seeds import group_seed

HOUSE_RULES = Path(__file__).resolve().parent.parent / "conformance" / "house_rules"

# Of the pair of golden logs that share a shuffle; no secret.
TOURNAMENT_SEED = bytes(range(32))

Wanted = Callable[[AuditReport], bool]


class Deed(StrEnum):
    """What a seat does beside playing."""

    LATE = "LATE"
    RESIGN = "RESIGN"
    ILLEGAL = "ILLEGAL"
    CANCEL = "CANCEL"
    RESTART = "RESTART"


@dataclass(frozen=True, slots=True)
class Doing:
    """What a seat does, before which of its decisions, and after how many again (0: once)."""

    deed: Deed
    first: int
    every: int = 0


def draw(report: AuditReport) -> bool:
    """Take a draw."""
    return len(report.winners) > 1


@dataclass(frozen=True, slots=True)
class Plan:
    """How a golden log is made.

    Attributes:
        about: what it shows, for people.
        rule_set: the id of a preset, or rules given in full.
        seats: how many seats.
        joining: how many of them are taken; None: all.
        terms: the terms of the match.
        doings: what seats do beside playing, by seat.
        fixed: draws from outside, as text; empty: none.
        shared: the id of the shuffle that the match shares with others, of a seed that is known to
            all; empty: it has its own.
        rotated: by how many seats the players have moved on.
        silent: the seats that bring nothing to the shuffle.
        even: whether all seats capture what they can, instead of leaving it to one side.
        challenges: how likely a seat is to challenge where it may.
        wanted: which logs will do; None: any.
        best_of: of how many such logs the shortest is kept.
    """

    about: str
    rule_set: str | RuleSet
    seats: int
    joining: int | None = None
    terms: MatchTerms | None = None
    doings: dict[int, Doing] = field(default_factory=dict)
    fixed: str = ""
    shared: str = ""
    rotated: int = 0
    silent: frozenset[int] = frozenset()
    even: bool = False
    challenges: float = 0.01
    wanted: Wanted | None = None
    best_of: int = 1

    @property
    def fixed_draws(self) -> Sequence[Card] | None:
        """The draws from outside."""
        return [card_to_proto(parse_card(card)) for card in self.fixed.split()] or None

    @property
    def shared_shuffle(self) -> SharedShuffle | None:
        """The shuffle that the match shares."""
        if not self.shared:
            return None
        seed = group_seed(TOURNAMENT_SEED, self.shared)
        return SharedShuffle(seed=seed, shuffle_id=self.shared)


def _preset_plans() -> dict[str, Plan]:
    """Every preset and variant at every seat count that it allows."""
    return {
        f"{name}-{count.count}": Plan(
            f"{name} with {count.count} seats", name, count.count, best_of=2
        )
        for name, rules in load_rule_sets().items()
        for count in rules.seats
    }


def _house(name: str) -> RuleSet:
    return check_file(HOUSE_RULES / f"{name}.toml").listed.rule_set


def _maghribi(rule_set_id: str, target: int, *, drawn: bool = False) -> RuleSet:
    """Give maghribi with another target, and the first dealer drawn where that is wanted."""
    rules = load_rule_set("maghribi")
    rules.id, rules.title = rule_set_id, "Maghribi, short"
    rules.target = target
    if drawn:
        rules.first_dealer.drawn = True
    return rules


def _house_plans() -> dict[str, Plan]:
    """House rules, which are given in full."""
    seats = {
        "cards-only": 3,
        "kept-links": 3,
        "mixed-openings": 4,
        "open-hands": 3,
        "phone-table": 4,
        "quiet-last-batch": 2,
    }
    plans = {
        f"house-{name}-{count}": Plan(
            f"the house rules {name}, given in full, with {count} seats",
            _house(name),
            count,
            best_of=2,
        )
        for name, count in seats.items()
    }
    plans["house-drawn-dealer-3"] = Plan(
        "house rules under which the first dealer is drawn",
        _maghribi("house-drawn-dealer", 5, drawn=True),
        3,
    )
    return plans


def _clocked(
    per_move: int,
    bank: int = 0,
    increment: int = 0,
    time_out: TimeOut.ValueType = TIME_OUT_UNSPECIFIED,
) -> MatchTerms:
    control = TimeControl(per_move_ms=per_move, bank_ms=bank, increment_ms=increment)
    return MatchTerms(time_control=control, time_out=time_out)


_SHORT = _maghribi("house-short", 5)
_LATE = _clocked(150, 50, 10, TIME_OUT_FORFEIT)
_LATE_AUTOMATIC = _clocked(150, 50, 10, TIME_OUT_AUTOMATIC)
_THREE_REFUSALS = MatchTerms(most_refusals=3)
_EVERY_CARD = " ".join(
    f"{rank}{suit}" for suit in "oceb" for rank in (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)
)


def _forfeits() -> dict[str, Plan]:
    """Forfeits for every reason, that end a match and that do not."""
    reasons = {
        "resigned": ("resigns", Doing(Deed.RESIGN, 4), None),
        "refusals": ("has three moves refused", Doing(Deed.ILLEGAL, 4), _THREE_REFUSALS),
        "time-out": ("lets its time run out", Doing(Deed.LATE, 4), _LATE),
    }
    plans: dict[str, Plan] = {}
    for reason, (does, doing, terms) in reasons.items():
        for rules, seats in (("maghribi", 2), ("classic", 4)):
            plans[f"forfeited-{reason}-{seats}"] = Plan(
                f"a seat of {seats} {does}, and its side loses at once",
                rules,
                seats,
                terms=terms,
                doings={1: doing},
            )
        plans[f"forfeited-{reason}-3"] = Plan(
            f"a seat of three {does}, and the referee plays on for it",
            _SHORT,
            3,
            terms=terms,
            doings={1: doing},
        )
    plans["forfeited-both-3"] = Plan(
        "two seats of three forfeit, one after the other, and the third wins",
        "qahwa",
        3,
        terms=_THREE_REFUSALS,
        doings={0: Doing(Deed.RESIGN, 2), 2: Doing(Deed.ILLEGAL, 6)},
    )
    return plans


def _clocks() -> dict[str, Plan]:
    """Matches with clocks that are played to their end."""
    return {
        "clock-and-bank-2": Plan(
            "a clock and a bank, and both seats in time",
            "single-deal",
            2,
            terms=_clocked(1000, 60_000, 500, TIME_OUT_FORFEIT),
        ),
        "clock-time-out-unspecified-2": Plan(
            "a clock whose terms do not say what becomes of a late seat",
            "single-deal",
            2,
            terms=_clocked(5000),
        ),
        "clock-automatic-2": Plan(
            "a seat that is late now and then, for which the referee moves",
            "single-deal",
            2,
            terms=_LATE_AUTOMATIC,
            doings={0: Doing(Deed.LATE, 3, 5)},
        ),
        "clock-automatic-sealed-4": Plan(
            "a seat that is late with sealed answers, for which the referee passes and plays, "
            "until the organiser cancels the match",
            "khlaso",
            4,
            terms=_LATE_AUTOMATIC,
            doings={2: Doing(Deed.LATE, 0, 5), 1: Doing(Deed.CANCEL, 16)},
        ),
        "clock-automatic-3": Plan(
            "three seats, of which one is late in windows and at its turn; then another resigns, "
            "and the organiser cancels the match",
            "classic",
            3,
            terms=_LATE_AUTOMATIC,
            doings={
                1: Doing(Deed.LATE, 1, 4),
                0: Doing(Deed.RESIGN, 40),
                2: Doing(Deed.CANCEL, 60),
            },
        ),
    }


def _ends() -> dict[str, Plan]:
    """Every other ending."""
    return {
        "draw-single-deal-2": Plan(
            "a single deal with equal totals", "single-deal", 2, even=True, wanted=draw
        ),
        "draw-at-target-2": Plan(
            "both sides over the target with equal totals at a deal's end",
            _maghribi("house-draw", 3),
            2,
            even=True,
            wanted=draw,
        ),
        "draw-between-two-of-three-3": Plan(
            "two of three sides share the highest total",
            _house("cards-only"),
            3,
            even=True,
            wanted=lambda report: 1 < len(report.winners) < report.seats,
        ),
        **{
            f"won-by-a-challenge-{seats}": Plan(
                f"a true announcement is challenged, and its side wins at once, with {seats} seats",
                "classic",
                seats,
                challenges=1.0,
                wanted=lambda report: report.deals == 1,
            )
            for seats in (2, 3, 4)
        },
        "cancelled-before-anyone-joined-2": Plan(
            "cancelled before a seat was taken", "maghribi", 2, joining=0
        ),
        "cancelled-before-the-start-4": Plan(
            "cancelled when three of four seats were taken", "khlaso", 4, joining=3
        ),
        "cancelled-under-way-2": Plan(
            "cancelled by the organiser in the second deal",
            "classic-transfer",
            2,
            doings={0: Doing(Deed.CANCEL, 40)},
            wanted=lambda report: report.ended == "CANCELLED" and report.deals > 1,
        ),
        "cancelled-with-sealed-answers-4": Plan(
            "cancelled while some answers are sealed and others are awaited",
            "khlaso",
            4,
            doings={3: Doing(Deed.CANCEL, 0)},
        ),
        "not-joined-3": Plan(
            "not every seat joined in time",
            "qahwa",
            3,
            joining=2,
            terms=MatchTerms(join_timeout_ms=200),
        ),
        "not-joined-by-anyone-2": Plan(
            "nobody joined in time",
            "classic",
            2,
            joining=0,
            terms=MatchTerms(join_timeout_ms=100),
        ),
    }


def _others() -> dict[str, Plan]:
    """What else a log can hold."""
    return {
        "fixed-draws-2": Plan(
            "the organiser brings the draws", "single-deal", 2, fixed=_EVERY_CARD
        ),
        "no-entropy-2": Plan(
            "no seat brings anything to the shuffle",
            "single-deal",
            2,
            silent=frozenset({0, 1}),
        ),
        "some-entropy-3": Plan(
            "one seat of three brings nothing to the shuffle", _SHORT, 3, silent=frozenset({1})
        ),
        "spectator-delay-2": Plan(
            "those who watch are three turns behind",
            "single-deal",
            2,
            terms=MatchTerms(spectator_delay=3, most_refusals=5, join_timeout_ms=60_000),
        ),
        "restarted-2": Plan(
            "the referee was shut down in the middle and came back",
            "single-deal",
            2,
            terms=_clocked(5000, 60_000, 0, TIME_OUT_FORFEIT),
            doings={0: Doing(Deed.RESTART, 5)},
        ),
        **{
            f"shared-shuffle-{place}-3": Plan(
                f"the {place} match of a group: the same cards, the players at other seats",
                _maghribi("house-shared-shuffle", 12, drawn=True),
                3,
                shared="round 1, table 2",
                rotated=rotated,
                wanted=lambda report: report.deals > 1,
            )
            for rotated, place in enumerate(("first", "second"))
        },
    }


def plans() -> dict[str, Plan]:
    """Give every plan by the name of its log."""
    return {
        **_preset_plans(),
        **_house_plans(),
        **_forfeits(),
        **_clocks(),
        **_ends(),
        **_others(),
    }
