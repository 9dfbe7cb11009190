"""What `ronda audit` says of many logs together."""

from collections import Counter

from ronda_referee.audit import FindingKind, SeenHeads
from ronda_referee.audit_many import Audited

CLEAN = 0
FOUND = 1
UNUSABLE = 2
UNFINISHED = 3


class Summary:
    """Counts what came of the logs.

    Attributes:
        logs: How many there were.
    """

    def __init__(self, seen: SeenHeads) -> None:
        """Begin before the first; `seen` are the heads that logs are held against."""
        self.logs = 0
        self._unread = 0
        self._clean = 0
        self._deals = 0
        self._moves = 0
        self._views = 0
        self._findings: Counter[FindingKind] = Counter()
        self._without_log = set(seen)

    @property
    def code(self) -> int:
        """The exit code."""
        if self._unread:
            return UNUSABLE
        if self._found:
            return FOUND
        return UNFINISHED if self._unfinished else CLEAN

    def add(self, audited: Audited) -> None:
        """Count one log."""
        self.logs += 1
        report = audited.report
        if report is None:
            self._unread += 1
            return
        self._without_log.discard(report.match_id)
        self._deals += report.deals
        self._moves += report.moves
        self._views += report.views
        if report.finding is None:
            self._clean += 1
        else:
            self._findings[report.finding.kind] += 1

    def as_json(self) -> dict[str, object]:
        """Return the counts as values for JSON."""
        return {
            "logs": self.logs,
            "clean": self._clean,
            "unfinished": self._unfinished,
            "found": self._found,
            "unreadable": self._unread,
            "findings": {str(kind): count for kind, count in sorted(self._findings.items())},
            "deals": self._deals,
            "moves": self._moves,
            "views": self._views,
            "watched_without_log": sorted(self._without_log),
        }

    def as_text(self) -> str:
        """Return the counts in a line."""
        parts = [f"{self._clean} all right"]
        if self._unfinished:
            parts.append(f"{self._unfinished} unfinished")
        if self._found:
            kinds = ", ".join(
                f"{kind} {count}"
                for kind, count in sorted(self._findings.items())
                if kind is not FindingKind.LOG_UNFINISHED
            )
            parts.append(f"{self._found} with a finding ({kinds})")
        if self._unread:
            parts.append(f"{self._unread} that cannot be read")
        return (
            f"{self.logs:,} logs: {', '.join(parts)}; {self._deals:,} deals, "
            f"{self._moves:,} moves, {self._views:,} views"
        )

    def notes(self) -> list[str]:
        """Return what else is to be told: matches that were watched, and no log is theirs."""
        return [
            f"match {match_id} was watched, and none of these logs is of it"
            for match_id in sorted(self._without_log)
        ]

    @property
    def _unfinished(self) -> int:
        return self._findings[FindingKind.LOG_UNFINISHED]

    @property
    def _found(self) -> int:
        return self._findings.total() - self._unfinished
