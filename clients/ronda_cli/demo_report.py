"""What came out of the demo, as a table for people and as JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ronda_cli.demo_matches import FinishedMatch, UnfinishedMatch

# More than these are one fault that shows in many places; nobody reads them all at a terminal.
FAILURES_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Scenarios:
    """How the conformance suite went.

    Attributes:
        total: Scenarios of the suite.
        passed: Those that passed.
        failures: What is wrong with each of the others.
    """

    total: int
    passed: int
    failures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeatCountResult:
    """The matches of one seat count together.

    Attributes:
        seats: The seat count.
        matches: Matches that were to be played.
        ended: Those that came to their end.
        deals: Deals of those.
        moves: Moves of those.
        points: Points scored in those, by all sides.
        audits_passed: Logs of those that are as they should be.
    """

    seats: int
    matches: int
    ended: int
    deals: int
    moves: int
    points: int
    audits_passed: int


@dataclass(frozen=True, slots=True)
class DemoResult:
    """Everything that the demo found.

    Attributes:
        rule_set: The id of the rule set that was played.
        folder: Where everything lies; the logs in `logs` below it.
        matches: Every match.
        faults: What each audited log's audit found, by the log; None: all is as it should be.
        scenarios: How the conformance suite went.
        seconds: Seconds from the first match's creation to the last one's end.
    """

    rule_set: str
    folder: Path
    matches: Sequence[FinishedMatch | UnfinishedMatch]
    faults: Mapping[Path, str | None]
    scenarios: Scenarios
    seconds: float

    @property
    def logs(self) -> Path:
        """The folder of the logs."""
        return self.folder / "logs"

    @property
    def moves_per_second(self) -> float:
        """Moves of all ended matches in each second of play."""
        moves = sum(match.moves for match in self.matches if isinstance(match, FinishedMatch))
        return moves / self.seconds if self.seconds > 0 else 0.0

    @property
    def failures(self) -> list[str]:
        """Everything that is not as it should be, each as a line; empty: all is well."""
        lines = [
            f"match {match.number} with {match.seats} seats did not end: {match.error}"
            for match in self.matches
            if isinstance(match, UnfinishedMatch)
        ]
        lines += [f"audit of {log}: {fault}" for log, fault in self.faults.items() if fault]
        lines += [
            f"no audit of {match.log}"
            for match in self.matches
            if isinstance(match, FinishedMatch) and match.log not in self.faults
        ]
        lines += [f"scenario {failure}" for failure in self.scenarios.failures]
        if not self.matches:
            lines.append("no match was played")
        if self.scenarios.total == 0:
            lines.append("the conformance suite holds no scenario")
        return lines

    def by_seat_count(self) -> list[SeatCountResult]:
        """Return the matches' results for each seat count, ascending."""
        results = []
        for seats in sorted({match.seats for match in self.matches}):
            matches = [match for match in self.matches if match.seats == seats]
            ended = [match for match in matches if isinstance(match, FinishedMatch)]
            results.append(
                SeatCountResult(
                    seats,
                    len(matches),
                    len(ended),
                    sum(match.deals for match in ended),
                    sum(match.moves for match in ended),
                    sum(match.points for match in ended),
                    sum(match.log in self.faults and not self.faults[match.log] for match in ended),
                )
            )
        return results


def as_json(result: DemoResult) -> dict[str, object]:
    """Return the result as it is printed in JSON."""
    return {
        "ok": not result.failures,
        "rule_set": result.rule_set,
        "seat_counts": [
            {
                "seats": row.seats,
                "matches": row.matches,
                "ended": row.ended,
                "deals": row.deals,
                "moves": row.moves,
                "points": row.points,
                "audits_passed": row.audits_passed,
            }
            for row in result.by_seat_count()
        ],
        "scenarios": {"total": result.scenarios.total, "passed": result.scenarios.passed},
        "seconds": round(result.seconds, 3),
        "moves_per_second": round(result.moves_per_second, 1),
        "failures": result.failures,
        "folder": str(result.folder),
        "logs": str(result.logs),
    }


def as_text(result: DemoResult) -> str:
    """Return the result as a short table."""
    rows = [("seats", "matches", "ended", "deals", "moves", "points", "audits passed")]
    rows += [
        (
            str(row.seats),
            str(row.matches),
            str(row.ended),
            f"{row.deals:,}",
            f"{row.moves:,}",
            f"{row.points:,}",
            f"{row.audits_passed} of {row.ended}",
        )
        for row in result.by_seat_count()
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]
    lines += [
        "",
        f"scenarios  {result.scenarios.passed} of {result.scenarios.total} passed",
        f"speed      {result.moves_per_second:,.0f} moves a second ({result.seconds:.1f} s)",
        f"logs       {result.logs}",
    ]
    if result.failures:
        lines += ["", f"{len(result.failures)} failures:"]
        lines += [f"  {failure}" for failure in result.failures[:FAILURES_SHOWN]]
        if len(result.failures) > FAILURES_SHOWN:
            lines.append(
                f"  and {len(result.failures) - FAILURES_SHOWN} more; --json lists them all"
            )
    return "\n".join(lines)
