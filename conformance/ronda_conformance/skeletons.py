"""The beginning of a new scenario file."""

from ronda.v1 import rule_set_pb2
from ronda_conformance.linting import TO_DO
from ronda_conformance.position_faults import PACK, batch_sizes

SCHEMA_LINE = "# yaml-language-server: $schema=../scenario.schema.json\n"
# No hand holds two of a rank, and seat 0 can take a run.
_HANDS = ("6o 11o 2o 4o", "12o 3o 5o 1o", "2c 4c 5c 1c", "1e 3c 11c 2e")
_TABLE = "6c 7o 10o 12c"


def skeleton(id_: str, clause: str, rule_set: rule_set_pb2.RuleSet, seats: int) -> str:
    """Return the text of a new scenario: one that can be played, with what is to be written.

    Args:
        id_: its id.
        clause: its clause.
        rule_set: the rule set that it is played with.
        seats: how many seats; the rule set allows so many.
    """
    sizes = batch_sizes(rule_set, seats)
    hands = [" ".join(hand.split()[: sizes[-1]]) for hand in _HANDS[:seats]]
    sides = 3 if seats == 3 else 2  # noqa: PLR2004  # three seats are three sides, clause DEAL-2
    each = (PACK - seats * sizes[-1] - len(_TABLE.split())) // sides
    position = (
        f"seats {seats}; batch {len(sizes)}; turn 0; hands {' / '.join(hands)}; table {_TABLE}; "
        f"piles {' '.join([str(each)] * sides)}; capturer 1"
    )
    return (
        f"{SCHEMA_LINE}id: {id_}\nclauses: [{clause}]\n"
        f"title: {TO_DO} what it shows, in a sentence\n"
        f"why: >-\n  {TO_DO} how the expectations follow from {clause}, worked out by hand\n"
        f"rule_set: {rule_set.id}\nseats: {seats}\nposition: {position}\n"
        "steps:\n  - {seat: 0, move: play 6o, expect: {captured: 6 7 10}}\n"
    )
