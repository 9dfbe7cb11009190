"""A report as one page that needs nothing else: clauses by cases, and each case opens.

Its Content-Security-Policy lets nothing run or load but the script and style it was written with.
"""

import base64
import hashlib
import html
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources

from ronda_conformance.clauses import Clause
from ronda_conformance.reports import printable, result_lines, summary, word
from ronda_conformance.results import Result, Run, Status

_SIGNS = {
    Status.PASSED: "✓",
    Status.FAILED: "✗",
    Status.NO_ANSWER: "!",
    Status.KNOWN_FAILING: "k",
    Status.UNSUPPORTED: "u",
    Status.NOW_PASSING: "p",
    Status.NOT_RUN: "-",
}


def html_report(run: Run, clauses: Mapping[str, Clause]) -> bytes:
    """Return a report: a row for each clause, a cell for each scenario that checks it.

    Args:
        run: the run.
        clauses: the clauses of the specification, by id, in their order.
    """
    files = resources.files("ronda_conformance")
    style = (files / "html_report.css").read_text(encoding="utf-8")
    script = (files / "html_report.js").read_text(encoding="utf-8")
    template = (files / "html_report.html").read_text(encoding="utf-8")
    by_clause = _by_clause(run, clauses)
    values = {
        "policy": html.escape(
            f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
            "base-uri 'none'; form-action 'none'"
        ),
        "heading": _text(f"ronda conform against {run.target}"),
        "summary": _text(summary(run)),
        "complete": "complete" if run.complete else "partial",
        "style": style,
        "script": script,
        "statuses": "\n".join(_status(run, status) for status in Status if run.count(status)),
        "clauses": "\n".join(f'<option value="{_text(name)}"></option>' for name in by_clause),
        "rows": "\n".join(_row(name, results, clauses) for name, results in by_clause.items()),
        "cases": "\n".join(_case(result, clauses) for result in run.results),
    }
    # Filled in one pass, so that nothing a program said is taken for a place to fill.
    parts = template.split("%%")
    filled = [values[part] if index % 2 else part for index, part in enumerate(parts)]
    return "".join(filled).encode("utf-8", errors="replace")


def _by_clause(run: Run, clauses: Mapping[str, Clause]) -> dict[str, list[Result]]:
    found: dict[str, list[Result]] = {name: [] for name in clauses}
    for result in run.results:
        for name in result.case.clauses:
            found.setdefault(name, []).append(result)
    return {name: results for name, results in found.items() if results}


def _status(run: Run, status: Status) -> str:
    name = word(status)
    return (
        f'<label class="{name}"><input type="checkbox" value="{name}" checked> '
        f"<b>{_SIGNS[status]}</b> {run.count(status)} {status.value}</label>"
    )


def _row(name: str, results: Iterable[Result], clauses: Mapping[str, Clause]) -> str:
    title = _text(clauses[name].title) if name in clauses else ""
    cells = " ".join(_cell(result) for result in results)
    return f'<tr><th scope="row">{_text(name)}</th><td>{title}</td><td>{cells}</td></tr>'


def _cell(result: Result) -> str:
    case, status = _text(result.case.id), result.status
    return (
        f'<a class="{word(status)}" href="#{case}" title="{case}: {status.value}">'
        f"{_SIGNS[status]}</a>"
    )


def _case(result: Result, clauses: Mapping[str, Clause]) -> str:
    case = result.case
    return (
        f'<details id="{_text(case.id)}" data-status="{word(result.status)}" '
        f'data-clauses="{_text(" ".join(case.clauses))}">'
        f'<summary><b class="{word(result.status)}">{_SIGNS[result.status]}</b> '
        f"<code>{_text(case.id)}</code> {_text(case.title)} "
        f"<small>{_text(', '.join(case.clauses))}, {result.status.value}</small></summary>"
        f"<pre>{_text(chr(10).join(_told(result, clauses)))}</pre></details>"
    )


def _told(result: Result, clauses: Mapping[str, Clause]) -> Iterator[str]:
    case = result.case
    if case.file is not None:
        yield f"{case.file}:{case.line}"
    if case.rule_set:
        yield f"rule set {case.rule_set}, {result.seconds * 1000:.0f} ms"
    lines = list(result_lines(result, clauses))
    yield from lines
    if not result.mismatches:
        yield f"why: {' '.join(case.why.split())}"


def _text(text: str) -> str:
    """Return a text as it can stand in the page, without characters that HTML has no place for."""
    return html.escape(printable(text))


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
