"""JUnit's XML, which most CI systems read."""

from __future__ import annotations

from xml.etree import ElementTree

from inroads.facts import Finding, Report
from inroads.report import Look
from inroads.report.common import worst_first
from inroads.report.xml import xml_document, xml_text


def render(report: Report, look: Look) -> str:
    """
    A test suite for each rule that ran, with a failed case for each finding.

    A rule without findings is one passed case, so that a clean run has tests
    and CI systems don't call it empty. Problems are errors in a suite of their own.
    """
    by_rule: dict[str, list[Finding]] = {rule.id: [] for rule in report.rules}
    for finding in worst_first(report.findings):
        by_rule.setdefault(finding.rule, []).append(finding)
    root = ElementTree.Element("testsuites", name="inroads")
    for rule, findings in sorted(by_rule.items()):
        suite = _suite(root, rule, max(1, len(findings)), failures=len(findings), errors=0)
        if not findings:
            ElementTree.SubElement(suite, "testcase", name=rule, classname="inroads", time="0")
        for finding in findings:
            place = f"{finding.path}:{finding.line}:{finding.column}"
            case = ElementTree.SubElement(
                suite,
                "testcase",
                name=xml_text(place),
                classname=xml_text(finding.function or rule),
                time="0",
            )
            failure = ElementTree.SubElement(case, "failure", message=xml_text(finding.message), type=rule)
            steps = [f"{step.path}:{step.line}:{step.column}: {step.note}" for step in finding.trace]
            failure.text = xml_text("\n".join((place, finding.message, *steps, finding.help)).strip())
    if report.problems:
        suite = _suite(root, "problems", len(report.problems), failures=0, errors=len(report.problems))
        for problem in report.problems:
            place = f"{problem.path}:{problem.line}:{problem.column}"
            case = ElementTree.SubElement(
                suite, "testcase", name=xml_text(place), classname="problems", time="0"
            )
            ElementTree.SubElement(case, "error", message=xml_text(problem.message), type=problem.kind)
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    return xml_document(root)


def _suite(
    root: ElementTree.Element, name: str, tests: int, failures: int, errors: int
) -> ElementTree.Element:
    return ElementTree.SubElement(
        root,
        "testsuite",
        name=name,
        tests=str(tests),
        failures=str(failures),
        errors=str(errors),
        skipped="0",
        time="0",
    )
