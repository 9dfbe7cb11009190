"""Audit reports as a line of text and as JSON."""

from ronda_referee.audit import AuditReport, Draws, Finding
from ronda_referee.event_text import Names, by_side_text, outcome_text, printable


def report_text(report: AuditReport) -> str:
    """Describe a report in a line: the match, or the first thing that is wrong."""
    if report.finding is not None:
        return finding_text(report.finding)
    names = Names(report.seats, report.names)
    key = report.public_key.hex()
    parts = [
        f"ok: match {printable(report.match_id)}",
        f"rule set {report.rule_set_id}",
        f"{report.seats} seats",
        f"{report.deals} {'deal' if report.deals == 1 else 'deals'}",
        f"{report.moves} moves",
        _outcome(report, names),
        _draws_text(report),
        *([f"{report.heads_compared} heads as they were seen"] if report.heads_compared else []),
        f"signed under {'the expected key' if report.key_expected else 'the unchecked key'} {key}",
    ]
    return "; ".join(parts)


def _outcome(report: AuditReport, names: Names) -> str:
    ended = {"NOT_JOINED": "not every seat joined in time", "CANCELLED": "cancelled"}
    if report.ended in ended:
        return ended[report.ended]
    parts = [outcome_text(report.winners, names), f"points {by_side_text(report.scores, names)}"]
    reasons = {"TIME_OUT": "out of time", "RESIGNED": "resigned", "REFUSALS": "refused moves"}
    parts += [
        f"{names.seat(seat)} forfeited ({reasons[reason]})"
        for seat, reason in sorted(report.forfeits.items())
    ]
    return "; ".join(parts)


def _draws_text(report: AuditReport) -> str:
    if report.draws is Draws.FIXED:
        return "draws fixed by the organiser, not shuffled"
    if report.shared_shuffle is not None:
        shuffle_id = printable(report.shared_shuffle.shuffle_id)
        return f"shared shuffle {shuffle_id}, decided by whoever created the group"
    if not report.seats_with_entropy:
        return "cards from the shuffle, decided by the referee alone"
    brought = f"{report.seats_with_entropy} of {report.seats}"
    return f"cards from the shuffle with bytes of {brought} seats"


def finding_text(finding: Finding) -> str:
    """Describe a finding in a line: what, where, the clause, and what should be there."""
    clause = f" ({finding.clause})" if finding.clause else ""
    text = f"{finding.kind}{clause} in record {finding.record} at byte {finding.offset}"
    text += f": {finding.detail}"
    if finding.recorded:
        text += f"; recorded: {finding.recorded}"
    if finding.expected:
        text += f"; should be: {finding.expected}"
    return text


def report_json(report: AuditReport) -> dict[str, object]:
    """Give a report as values for JSON; keys and hashes in hexadecimal."""
    return {
        "ok": report.ok,
        "finding": None if report.finding is None else _finding_json(report.finding),
        "records": report.records,
        "match_id": report.match_id,
        "engine_version": report.engine_version,
        "rule_set_id": report.rule_set_id,
        "seats": report.seats,
        "names": [name for _, name in sorted((report.names or {}).items())],
        "deals": report.deals,
        "moves": report.moves,
        "draws": report.draws,
        **_shared_json(report),
        "seats_with_entropy": report.seats_with_entropy,
        "ended": report.ended,
        "forfeits": {str(seat): reason for seat, reason in sorted(report.forfeits.items())},
        "winners": report.winners,
        "scores": report.scores,
        "public_key": report.public_key.hex(),
        "key_expected": report.key_expected,
        "heads_compared": report.heads_compared,
        "views": report.views,
    }


def _shared_json(report: AuditReport) -> dict[str, object]:
    """Give what only a match has that shares its shuffle."""
    shared = report.shared_shuffle
    if shared is None:
        return {}
    return {
        "shared_shuffle": {
            "shuffle_id": shared.shuffle_id,
            "seed_commitment": shared.seed_commitment.hex(),
        }
    }


def _finding_json(finding: Finding) -> dict[str, object]:
    return {
        "kind": finding.kind,
        "record": finding.record,
        "byte_offset": finding.offset,
        "clause": finding.clause,
        "detail": finding.detail,
        "recorded": finding.recorded,
        "expected": finding.expected,
    }
