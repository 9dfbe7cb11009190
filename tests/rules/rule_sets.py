"""The rule sets that the engine's tests play by, and changes of maghribi."""

import dataclasses
from functools import cache
from typing import Any

from ronda_conformance.rule_set_files import load_rule_set, load_rule_sets
from ronda_referee.convert import rule_set_from_proto
from ronda_rules.rule_set import (
    Bluff,
    KindAmounts,
    Opening,
    Payout,
    PenaltyTo,
    RuleSet,
    Settle,
    TableForbid,
    TargetTie,
    Timing,
    UndeclaredDetection,
    WinCheck,
)


@cache
def preset(rule_set_id: str) -> RuleSet:
    """Give a rule set that is played by name, from its file."""
    return rule_set_from_proto(load_rule_set(rule_set_id))


def presets() -> list[RuleSet]:
    """Give all rule sets that are played by name."""
    return [preset(name) for name in sorted(load_rule_sets())]


# Its values are held against the rules by hand in tests/conformance/test_rule_set_files.py.
MAGHRIBI = preset("maghribi")

EMPTY_TABLE = {
    "seats": ((2, Opening.EMPTY_TABLE), (4, Opening.EMPTY_TABLE)),
    "table_forbids": frozenset[TableForbid](),
    "table_remedy": None,
}
"""What makes a rule set begin its deals with an empty table."""

REFUSED = {"bluff": Bluff.REFUSED, "false_penalty": KindAmounts()}
"""What makes a rule set refuse false announcements."""


CHAIN = {"ladder": (1, 5, 10), "chain_min_seats": 3}
"""What makes a rule set hold a caida until it is known who ends the chain."""

SHOWN = {
    **CHAIN,
    "timing": Timing.IN_ORDER,
    "payout": Payout.POT,
    "settle": Settle.WHEN_SHOWN,
    "false_penalty_cap": 0,
    "penalty_to": PenaltyTo.EACH_OPPONENT,
    "undeclared_penalty": KindAmounts(ronda=1, tringa=5),
    "undeclared_detection": UndeclaredDetection.CLAIM,
    "challenge": True,
    "win_check": WinCheck.IMMEDIATE,
    "target_tie": TargetTie.PLAY_ON,
}
"""What makes a rule set judge announcements by the cards played, with challenges and claims."""


def changed(**values: Any) -> RuleSet:  # noqa: ANN401 - a value of whatever type its field has
    """Give maghribi with other values for some parameters."""
    return dataclasses.replace(MAGHRIBI, **values)
