"""The demo's audits: every log from its file alone."""

from collections.abc import Sequence
from pathlib import Path

from ronda_cli.progress import progress
from ronda_referee.audit import audit_file


def audit_logs(logs: Sequence[Path]) -> dict[Path, str | None]:
    """Return what the audit of each log found first; None: all is as it should be."""
    faults: dict[Path, str | None] = {}
    with progress("audits", len(logs)) as bar:
        for done, log in enumerate(logs, start=1):
            faults[log] = _fault(log)
            bar.update(done, f"{done} of {len(logs)} logs audited")
    return faults


def _fault(log: Path) -> str | None:
    try:
        finding = audit_file(log).finding
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    if finding is None:
        return None
    return f"{finding.kind} in record {finding.record}: {finding.detail}"
