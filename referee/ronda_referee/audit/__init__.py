"""The audit: everything in a log file is derived again from the file alone."""

from ronda_referee.audit.auditor import audit_file, audit_stream
from ronda_referee.audit.dealt import Deal
from ronda_referee.audit.records import SeenHeads
from ronda_referee.audit.report import AuditReport, Draws, Finding, FindingKind, SharedShuffle

__all__ = [
    "AuditReport",
    "Deal",
    "Draws",
    "Finding",
    "FindingKind",
    "SeenHeads",
    "SharedShuffle",
    "audit_file",
    "audit_stream",
]
