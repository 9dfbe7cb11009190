"""Reports of a run: text for people, JSON for programs."""

import json
from collections.abc import Iterator, Mapping

from ronda_conformance.clauses import Clause
from ronda_conformance.drawings import drawing
from ronda_conformance.results import Result, Run, Status

LOUD = (Status.FAILED, Status.NOW_PASSING, Status.NO_ANSWER)
"""What is told in full; the rest are sums."""

# A program may answer megabytes; nobody reads them.
_LONGEST = 1000
_LONGEST_REASON = 6000


def text_report(run: Run, clauses: Mapping[str, Clause] | None = None) -> str:
    """Return a report: what went wrong, each with the position before and after, and the sums.

    Args:
        run: the run.
        clauses: the clauses of the specification, by id, which are quoted; None: none are.
    """
    lines: list[str] = []
    for result in run.results:
        if result.status in LOUD:
            lines += heading_lines(result)
            lines += [f"  {line}" for line in result_lines(result, clauses or {})]
            lines.append("")
    if not run.interrupted:
        not_run = [result for result in run.results if result.status is Status.NOT_RUN]
        lines += [f"NOT RUN {result.case.id}: {result.reason}" for result in not_run]
    lines.append(summary(run))
    return "\n".join(lines)


def summary(run: Run) -> str:
    """Return the sums of a run, and what it is no pass for."""
    sums = [f"{run.count(status)} {status.value}" for status in Status if run.count(status)]
    count = len(run.results)
    several = run.judged if count == 1 else f"{run.judged}s"
    played = f"{count} {several}"
    if run.is_selection:
        played = f"A selection of {count} of {run.suite_size} {run.judged}s"
    text = f"{played} against {run.target}: {', '.join(sums)}."
    if run.left_out:
        text += f"\nLeft out, as was asked: {run.left_out}."
    if run.interrupted:
        text += f"\nThe run is partial: {run.interrupted}."
    elif not run.complete:
        text += f"\nThe run is partial: not every {run.judged} was answered. It is no pass."
    return text


def heading_lines(result: Result) -> Iterator[str]:
    """Give what a result is of."""
    case = result.case
    yield f"{result.status.value.upper()} {case.id} ({', '.join(case.clauses)})"
    yield f"  {case.title}"
    if case.file is not None:
        yield f"  {case.file}:{case.line}"


def result_lines(result: Result, clauses: Mapping[str, Clause]) -> Iterator[str]:
    """Give what went wrong: each step's mismatches with the position drawn, and the clauses."""
    yield from _short(result.reason, _LONGEST_REASON).splitlines()
    step = None
    for mismatch in result.mismatches:
        if result.case.steps and mismatch.step != step:
            step = mismatch.step
            yield from step_lines(result, step)
        yield f"    {mismatch.what}"
        yield f"      expected: {_short(mismatch.expected)}"
        yield f"      got:      {_short(mismatch.got)}"
    if result.mismatches:
        for clause in result.case.clauses:
            if clause in clauses:
                yield f"  {clause} {clauses[clause].title}: {clauses[clause].quote}"
        yield f"  why: {' '.join(result.case.why.split())}"


def step_lines(result: Result, step: int) -> Iterator[str]:
    """Give a step's move and the positions before and after it, drawn; 0 is the start."""
    if step == 0:
        yield "  at the start"
    else:
        made = result.case.steps[step - 1]
        yield f"  step {step}, seat {made.seat}: {made.move}"
        if step - 1 < len(result.sights):
            yield "    before:"
            yield from (f"      {line}" for line in drawing(result.sights[step - 1]))
    if step < len(result.sights):
        yield "    after:" if step else "    there:"
        yield from (f"      {line}" for line in drawing(result.sights[step]))


def _short(text: str, longest: int = _LONGEST) -> str:
    left_out = len(text) - longest
    shown = printable(text[:longest])
    return shown if left_out <= 0 else f"{shown} [{left_out} more characters]"


def printable(text: str) -> str:
    """Return what a program said without moving a cursor: control characters as their numbers."""
    return "".join(
        char if char.isprintable() or char in "\n\t" else f"\\u{ord(char):04x}" for char in text
    )


def json_report(run: Run) -> str:
    """Return a report as one JSON object.

    Keys: `target`, `complete`, `interrupted`, `left_out`, `exit_code`, `selected` and `suite_size`
    (how many are judged, and of how many), `summary` (a number by status) and `results`: of each
    scenario `id`, `file`, `line`, `clauses`, `rule_set`, `status`, `reason` and `mismatches` with
    `step`, `what`, `expected` and `got`.
    """
    count = len(run.results)
    report = {
        "target": run.target,
        "complete": run.complete,
        "interrupted": run.interrupted,
        "left_out": run.left_out,
        "exit_code": int(run.exit_code),
        "selected": count,
        "suite_size": count if run.suite_size is None else run.suite_size,
        "summary": {word(status): run.count(status) for status in Status},
        "results": [
            {
                "id": result.case.id,
                "file": None if result.case.file is None else str(result.case.file),
                "line": result.case.line,
                "clauses": result.case.clauses,
                "rule_set": result.case.rule_set,
                "status": word(result.status),
                "reason": result.reason,
                "mismatches": [
                    {
                        "step": mismatch.step,
                        "what": mismatch.what,
                        "expected": mismatch.expected,
                        "got": mismatch.got,
                    }
                    for mismatch in result.mismatches
                ],
            }
            for result in run.results
        ],
    }
    return json.dumps(report, indent=2, ensure_ascii=False)


def word(status: Status) -> str:
    """Return a status as programs read it, as `now_passing`."""
    return status.name.lower()
