"""The rule sets that matches are planned twice for: every timing, settlement and way to bluff."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from ronda.v1 import rule_set_pb2 as rs
from ronda_conformance.rule_set_files import load_rule_sets


@dataclass(frozen=True)
class Family:
    """Rule sets that plans are made for.

    Attributes:
        base: the id of the shipped rule set.
        changes: fields that have other values, None for unset ones; none: it is named by id.
        seats: the seat counts.
    """

    base: str
    seats: tuple[int, ...]
    changes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def rule_set(self) -> rs.RuleSet:
        """The rule set in full."""
        rule_set = rs.RuleSet()
        rule_set.CopyFrom(_shipped()[self.base])
        if self.changes:
            rule_set.id = "house"
            for name in self.changes:
                rule_set.ClearField(name)  # type: ignore[arg-type]  # any field's name
            kept = {name: value for name, value in self.changes.items() if value is not None}
            rule_set.MergeFrom(rs.RuleSet(**kept))
        return rule_set


@cache
def _shipped() -> Mapping[str, rs.RuleSet]:
    return load_rule_sets()


_HONEST: dict[str, Any] = {
    "bluff": rs.BLUFF_REFUSED,
    "false_penalty": None,
    "penalty_to": None,
    "challenge": False,
    "undeclared_detection": rs.UNDECLARED_DETECTION_NONE,
    "undeclared_penalty": None,
}

FAMILIES = {
    "first turn": Family("maghribi", (2, 3, 4)),
    "sealed": Family("khlaso", (2, 4)),
    "in order": Family("classic", (2, 3, 4)),
    "automatic": Family("single-deal", (2,)),
    "first turn, honest": Family("qahwa", (2, 3, 4)),
    "hands of four": Family("classic-four-cards", (2, 4)),
    "undeclared, automatic": Family("qahwa-penalty", (2, 3, 4)),
    "card transfer": Family("classic-transfer", (2, 3, 4)),
    "card transfer, each link": Family("classic-transfer-chain", (2, 3, 4)),
    "ace high": Family("classic-ace-high", (2, 3, 4)),
    "sealed bluffs": Family("classic", (2, 3, 4), {"timing": rs.TIMING_SIMULTANEOUS}),
    "sealed bluffs, deal end": Family(
        "classic", (2, 3, 4), {"timing": rs.TIMING_SIMULTANEOUS, "settle": rs.SETTLE_DEAL_END}
    ),
    "sealed, at once": Family(
        "classic",
        (2, 3, 4),
        {**_HONEST, "timing": rs.TIMING_SIMULTANEOUS, "settle": rs.SETTLE_AT_ONCE},
    ),
    "in order, at once": Family("classic", (2, 3, 4), {**_HONEST, "settle": rs.SETTLE_AT_ONCE}),
    "automatic, at once": Family(
        "classic",
        (2, 3, 4),
        {**_HONEST, "timing": rs.TIMING_AUTOMATIC, "settle": rs.SETTLE_AT_ONCE},
    ),
    "automatic, batch end": Family(
        "classic",
        (2, 3, 4),
        {**_HONEST, "timing": rs.TIMING_AUTOMATIC, "settle": rs.SETTLE_BATCH_END},
    ),
    "first turn, shown": Family("classic", (2, 3, 4), {"timing": rs.TIMING_FIRST_TURN}),
    "challenges, deal end": Family("classic", (2, 3, 4), {"settle": rs.SETTLE_DEAL_END}),
    "challenges, batch end": Family("classic", (2, 3, 4), {"settle": rs.SETTLE_BATCH_END}),
    "clear kind": Family(
        "classic", (2, 3, 4), {**_HONEST, "settle": rs.SETTLE_BATCH_END_OR_CLEAR_KIND}
    ),
}
