"""A report in the XML of JUnit, which build servers read."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping

from ronda_conformance.clauses import Clause
from ronda_conformance.reports import result_lines, summary
from ronda_conformance.results import Result, Run, Status

# What XML 1.0 has no place for, not even escaped.
_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SKIPPED = (Status.KNOWN_FAILING, Status.UNSUPPORTED, Status.NOT_RUN)
_FAILURES = (Status.FAILED, Status.NOW_PASSING)


def junit_report(run: Run, clauses: Mapping[str, Clause]) -> bytes:
    """Return a report: a test suite for each chapter, a test case for each scenario.

    A partial run has one more test case, with an error, for skipped ones alone would look like a
    pass. No answer is an error; known to fail, unsupported and not run are skipped.

    Args:
        run: the run.
        clauses: the clauses of the specification, by id.
    """
    root = ET.Element("testsuites", name=_clean(f"ronda conform against {run.target}"))
    properties = [("summary", summary(run)), ("selection", str(run.is_selection).lower())]
    chapters: dict[str, list[Result]] = {}
    for result in run.results:
        chapters.setdefault(_chapter(result, clauses), []).append(result)
    for chapter in sorted(chapters):
        suite = ET.SubElement(root, "testsuite", name=chapter)
        for result in chapters[chapter]:
            suite.append(_case(chapter, result, clauses))
    if not run.complete:
        suite = ET.SubElement(root, "testsuite", name="run")
        case = ET.SubElement(suite, "testcase", classname="ronda.run", name="complete", time="0")
        problem = ET.SubElement(case, "error", message="the run is partial, which is no pass")
        problem.text = _clean(summary(run))
    for suite in root:
        _add_sums(suite)
        listed = ET.Element("properties")
        for name, value in properties:
            ET.SubElement(listed, "property", name=name, value=_clean(value))
        suite.insert(0, listed)
    for name in ("tests", "failures", "errors", "skipped"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    ET.indent(root)
    written: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _chapter(result: Result, clauses: Mapping[str, Clause]) -> str:
    first = result.case.clauses[0]
    return clauses[first].chapter if first in clauses else first.partition("-")[0].lower()


def _case(chapter: str, result: Result, clauses: Mapping[str, Clause]) -> ET.Element:
    case = result.case
    element = ET.Element(
        "testcase",
        classname=f"ronda.{chapter}",
        name=_clean(case.id),
        time=f"{result.seconds:.3f}",
    )
    if case.file is not None:
        element.set("file", _clean(str(case.file)))
        element.set("line", str(case.line))
    if result.status is Status.PASSED:
        return element
    head, *_ = [*result.reason.splitlines(), *_first_mismatch(result), result.status.value]
    if result.status in _SKIPPED:
        ET.SubElement(element, "skipped", message=_clean(f"{result.status.value}: {head}"))
        return element
    kind = "failure" if result.status in _FAILURES else "error"
    problem = ET.SubElement(element, kind, type=result.status.value, message=_clean(head))
    problem.text = _clean("\n".join([case.title, *result_lines(result, clauses)]))
    return element


def _first_mismatch(result: Result) -> list[str]:
    return [
        f"{f'step {one.step}, ' if result.case.steps else ''}{one.what}: "
        f"expected {one.expected}, got {one.got}"[:200]
        for one in result.mismatches[:1]
    ]


def _add_sums(suite: ET.Element) -> None:
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    for plural, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(plural, str(sum(case.find(kind) is not None for case in cases)))
    suite.set("time", f"{sum(float(case.get('time', '0')) for case in cases):.3f}")


def _clean(text: str) -> str:
    """Return a text with every character that XML has no place for as its number."""
    return _NO_XML.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
