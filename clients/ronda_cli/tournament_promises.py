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

GROUP = re.compile(r"r[1-9][0-9]{0,8}-m[1-9][0-9]{0,8}-p[1-9][0-9]{0,8}")
"""What groups are called: by their meeting, and their number in it, from 1."""

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
        return all(type(one) is int and 0 <= one < len(self.entrants) for one in seats)

    def broken_by(
        self, created: Mapping[str, Any], report: AuditReport, rules: RuleSet, *, counts: bool
    ) -> Iterator[str]:
        """Yield in what a log is not the match that the journal has of it.

        Args:
            created: The journal's line of the match, whose group is called as groups are.
            report: What the audit says of the log, which is right in itself.
            rules: The rule set in the log's header.
            counts: Whether the match counts. Of one that does not, a bot may have spoiled it by
                the name under which it took its seat.
        """
        seats = created["seats"]
        if len(seats) != report.seats:
            yield f"it has {len(seats)} seats in the journal and {report.seats} in its log"
        for seat, name in sorted((report.names or {}).items()):
            # Of a seat beyond the journal's the line above tells.
            if counts and seat < len(seats) and name != (entrant := self.entrants[seats[seat]]):
                yield f"seat {seat} is {_shown(entrant)} in the journal, {_shown(name)} in its log"
        wanted, digest = self.rules[(_number(created["group"]) - 1) % len(self.rules)]
        found = hashlib.sha256(rules.SerializeToString(deterministic=True)).hexdigest()
        if wanted != rules.id:
            yield f"its rule set is {_shown(wanted)} in the journal, {_shown(rules.id)} in its log"
        elif digest != found:
            yield (
                f"its rule set {_shown(wanted)} has the SHA-256 {_shown(digest)} in the journal, "
                f"{found} in its log"
            )


def contradictions(lines: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield in what the journal's own lines do not say the same, or not what they can say.

    Args:
        lines: The lines; what they call matches and groups is right in itself.
    """
    begun = sum(line["type"] == "begun" for line in lines)
    if begun > 1:
        yield f"the journal says {begun} times what the tournament is"
    created, ended, abandoned = (
        [line for line in lines if line["type"] == kind]
        for kind in ("created", "ended", "abandoned")
    )
    yield from _repeated(created, "created")
    yield from _repeated(ended, "ended")
    given_up = {line["match_id"] for line in abandoned}
    for line in ended:
        if line["match_id"] in given_up:
            yield f"match {line['match_id']}: the journal says that it was ended, and abandoned"
    yield from _ended_otherwise(created, ended)
    yield from _played_again(ended)
    yield from _out_of_place(created)


def _repeated(lines: Sequence[Mapping[str, Any]], kind: str) -> Iterator[str]:
    for match_id, number in Counter(line["match_id"] for line in lines).items():
        if number > 1:
            yield f"match {match_id}: the journal says {number} times that it was {kind}"


def _ended_otherwise(
    created: Sequence[Mapping[str, Any]], ended: Sequence[Mapping[str, Any]]
) -> Iterator[str]:
    """Yield the matches that end in another place than the one that they were created in."""
    places = {line["match_id"]: line for line in created}
    for line in ended:
        before = places.get(line["match_id"], line)
        for key in _TWICE_SAID:
            if before[key] != line[key]:
                was, became = (printable(str(one), _LONGEST) for one in (before[key], line[key]))
                yield (
                    f"match {line['match_id']}: {key} {was} where the journal creates it, {became} "
                    "where it ends it"
                )


def _played_again(ended: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the matches that count where another has counted: of two the better may be chosen."""
    counting: dict[tuple[str, int], str] = {}
    for line in ended:
        other = counting.setdefault((line["group"], line["game"]), line["match_id"])
        if other != line["match_id"]:
            yield (
                f"match {line['match_id']}: it ends game {line['game']} of group {line['group']}, "
                f"which match {other} has ended"
            )


def _out_of_place(created: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the matches whose seats are not those of their meeting's teams in that game.

    In each game of a group every team sits one place further down than in the one before.
    """
    meetings: dict[str, tuple[tuple[tuple[int, ...], ...], str]] = {}
    for line in created:
        seats, game, match_id = line["seats"], line["game"], line["match_id"]
        turns = 3 if len(seats) == 3 else 2  # noqa: PLR2004 - four seats are two sides
        if not 0 <= game < turns:
            yield f"match {match_id}: game {game}, and a group has {turns}, from 0"
            continue
        teams = tuple(tuple(seats[(team - game) % turns :: turns]) for team in range(turns))
        meeting = line["group"].rpartition("-")[0]
        known, other = meetings.setdefault(meeting, (teams, match_id))
        if teams != known:
            yield (
                f"match {match_id}: seats {printable(str(seats), _LONGEST)} in game {game} of "
                f"meeting {meeting} are of other teams than those of match {other}"
            )


def _number(group: str) -> int:
    """Give a group's number in its meeting, from 1."""
    return int(group.rpartition("-p")[2])


def _texts(value: object) -> tuple[str, ...]:
    """Give a list of texts; nothing where it is none."""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(value)
    return ()


def _shown(text: str) -> str:
    return f"'{printable(text, _LONGEST)}'"
