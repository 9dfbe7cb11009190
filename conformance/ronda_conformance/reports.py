"""Reports of a run: text for people, JSON for programs."""

import json
from collections.abc import Iterator

from ronda_conformance.results import Result, Run, Status

_LOUD = (Status.FAILED, Status.NOW_PASSING, Status.NO_ANSWER)


def text_report(run: Run) -> str:
    """Return a report: what went wrong, each with the position before and after, and the sums."""
    lines: list[str] = []
    for result in run.results:
        if result.status in _LOUD:
            lines += _result_lines(result)
            lines.append("")
    if not run.interrupted:
        not_run = [result for result in run.results if result.status is Status.NOT_RUN]
        lines += [f"NOT RUN {result.case.id}: {result.reason}" for result in not_run]
    lines.append(_summary(run))
    return "\n".join(lines)


def _summary(run: Run) -> str:
    sums = [f"{run.count(status)} {status.value}" for status in Status if run.count(status)]
    played = f"1 {run.judged}" if len(run.results) == 1 else f"{len(run.results)} {run.judged}s"
    text = f"{played} against {run.target}: {', '.join(sums)}."
    if run.left_out:
        text += f"\nLeft out, as was asked: {run.left_out}."
    if run.interrupted:
        text += f"\nThe run is partial: {run.interrupted}."
    elif not run.complete:
        text += f"\nThe run is partial: not every {run.judged} was answered. It is no pass."
    return text


def _result_lines(result: Result) -> Iterator[str]:
    case = result.case
    yield f"{result.status.value.upper()} {case.id} ({', '.join(case.clauses)})"
    yield f"  {case.title}"
    if case.file is not None:
        yield f"  {case.file}:{case.line}"
    if result.reason:
        yield f"  {result.reason}"
    step = None
    for mismatch in result.mismatches:
        if case.steps and mismatch.step != step:
            step = mismatch.step
            yield from _step_lines(result, step)
        yield f"      {mismatch.what}"
        yield f"        expected: {mismatch.expected}"
        yield f"        got:      {mismatch.got}"
    if result.mismatches:
        yield f"    why: {' '.join(case.why.split())}"


def _step_lines(result: Result, step: int) -> Iterator[str]:
    if step == 0:
        yield "    at the start"
    else:
        made = result.case.steps[step - 1]
        yield f"    step {step}, seat {made.seat}: {made.move}"
        if step - 1 < len(result.positions):
            yield f"      before: {result.positions[step - 1]}"
    if step < len(result.positions):
        yield f"      {'after' if step else 'there'}:  {result.positions[step]}"


def json_report(run: Run) -> str:
    """Return a report as one JSON object.

    Keys: `target`, `complete`, `interrupted`, `left_out`, `exit_code`, `summary` (a number by status) and
    `results`: of each scenario `id`, `file`, `line`, `clauses`, `rule_set`, `status`, `reason` and
    `mismatches` with `step`, `what`, `expected` and `got`.
    """
    report = {
        "target": run.target,
        "complete": run.complete,
        "interrupted": run.interrupted,
        "left_out": run.left_out,
        "exit_code": int(run.exit_code),
        "summary": {_word(status): run.count(status) for status in Status},
        "results": [
            {
                "id": result.case.id,
                "file": None if result.case.file is None else str(result.case.file),
                "line": result.case.line,
                "clauses": result.case.clauses,
                "rule_set": result.case.rule_set,
                "status": _word(result.status),
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


def _word(status: Status) -> str:
    return status.name.lower()
