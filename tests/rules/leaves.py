"""The positions whose leaves are counted, with their tallies, from ``leaves/<rule set>.toml``.

A file has one table ``position`` for each position: what it `meets`, the position, a `target` where
it is played to another than the rule set's, and the tally that the brute-force counter printed.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("leaves")
COUNTED = (
    *("leaves", "captures", "links", "caidas", "mesas", "announcements", "withdrawn"),
    *("challenges", "penalties", "undeclared", "duty", "due", "paid", "counted", "over", "draws"),
)


@dataclass(frozen=True)
class Leaves:
    """A position with its counted leaves."""

    rule_set: str
    meets: str
    position: str
    target: int | None
    tally: dict[str, int]

    def __str__(self) -> str:
        """Give what a test is called by."""
        return f"{self.rule_set}: {self.meets}"


def load_leaves() -> list[Leaves]:
    """Read all positions."""
    return [
        Leaves(path.stem, one["meets"], one["position"], one.get("target"), _flat(one["tally"]))
        for path in sorted(FOLDER.glob("*.toml"))
        for one in tomllib.loads(path.read_text(encoding="utf-8"))["position"]
    ]


def as_toml(tally: dict[str, int], sides: int) -> str:
    """Write a tally as the files have it."""
    words = [f"{name} = {tally[name]}" for name in COUNTED if name in tally]
    for name in ("won by", "points", "cards"):
        counts = [str(tally.get(f"{name} {side}", 0)) for side in range(sides)]
        if any(f"{name} {side}" in tally for side in range(sides)):
            words.append(f"{name.replace(' ', '_')} = [{', '.join(counts)}]")
    return f"tally = {{ {', '.join(words)} }}"


def _flat(tally: dict[str, Any]) -> dict[str, int]:
    flat: dict[str, int] = {}
    for name, found in tally.items():
        word = name.replace("_", " ")
        by_side = enumerate(found) if isinstance(found, list) else ()
        flat |= {f"{word} {side}": count for side, count in by_side if count}
        if not isinstance(found, list):
            flat[word] = found
    return flat
