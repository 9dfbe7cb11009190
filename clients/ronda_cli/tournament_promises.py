"""What a tournament's journal says of its matches, held against their logs.

Who sat where, by which rules, and which match it is. The results are made of the journal alone, so
what it says must be what was played.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from ronda.v1.rule_set_pb2 import RuleSet
from ronda_referee.audit import AuditReport
from ronda_replay.names import printable

_GROUP = re.compile(r"r[0-9]+-m[0-9]+-p([1-9][0-9]{0,8})")
_LONGEST = 100
# What two lines say of one match.
_TWICE_SAID = ("group", "game", "seats")


@dataclass(frozen=True, slots=True)
class Promises:
    """What the first line of a journal says of every match.

    Attributes:
        entrants: The entrants' names.
        rules: The id and the SHA-256 of each rule set, by which the groups are played in turn.
    """

    entrants: tuple[str, ...]
    rules: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> Self | None:
        """Read the tournament as the first line has it; None: no runner writes it so."""
        entrants = config.get("entrants")
        if not isinstance(entrants, list) or not all(isinstance(one, dict) for one in entrants):
            return None
        names = _texts([one.get("name") for one in entrants])
        ids, digests = _texts(config.get("rule_sets")), _texts(config.get("rules_sha256"))
        if not names or not ids or len(ids) != len(digests):
            return None
        return cls(names, tuple(zip(ids, digests, strict=True)))

    def are_seats(self, seats: Sequence[object]) -> bool:
        """Tell whether these are entrants by seat."""
        return all(isinstance(one, int) and 0 <= one < len(self.entrants) for one in seats)

    def broken_by(
        self, created: Mapping[str, Any], report: AuditReport, rules: RuleSet
    ) -> Iterator[str]:
        """Yield in what a log is not the match that the journal has of it.

        Args:
            created: The journal's line of the match.
            report: What the audit says of the log, which is right in itself.
            rules: The rule set in the log's header.
        """
        seats = created["seats"]
        if len(seats) != report.seats:
            yield f"it has {len(seats)} seats in the journal and {report.seats} in its log"
        for seat, name in sorted((report.names or {}).items()):
            # Of a seat beyond the journal's the line above tells.
            if seat < len(seats) and name != (entrant := self.entrants[seats[seat]]):
                yield f"seat {seat} is {_shown(entrant)} in the journal, {_shown(name)} in its log"
        group = _GROUP.fullmatch(created["group"])
        if group is None:
            yield f"the journal has it in group {_shown(created['group'])}, which none is called"
            return
        wanted, digest = self.rules[(int(group[1]) - 1) % len(self.rules)]
        found = hashlib.sha256(rules.SerializeToString(deterministic=True)).hexdigest()
        if wanted != rules.id:
            yield f"its rule set is {_shown(wanted)} in the journal, {_shown(rules.id)} in its log"
        elif digest != found:
            yield (
                f"its rule set {_shown(wanted)} has the SHA-256 {_shown(digest)} in the journal, "
                f"{found} in its log"
            )


def contradictions(lines: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the matches of which the journal's own lines do not say the same."""
    for kind in ("created", "ended"):
        times = Counter(line["match_id"] for line in lines if line["type"] == kind)
        for match_id, number in times.items():
            if number > 1:
                yield f"match {match_id}: the journal says {number} times that it was {kind}"
    created = {line["match_id"]: line for line in lines if line["type"] == "created"}
    for line in lines:
        before = created.get(line["match_id"]) if line["type"] == "ended" else None
        for key in _TWICE_SAID if before is not None else ():
            if before is not None and before[key] != line[key]:
                was, became = (printable(str(one), _LONGEST) for one in (before[key], line[key]))
                yield (
                    f"match {line['match_id']}: {key} {was} where the journal creates it, {became} "
                    "where it ends it"
                )


def _texts(value: object) -> tuple[str, ...]:
    """Give a list of texts; nothing where it is none."""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(value)
    return ()


def _shown(text: str) -> str:
    return f"'{printable(text, _LONGEST)}'"
