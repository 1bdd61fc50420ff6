"""Checkstyle's XML."""

from __future__ import annotations

from itertools import groupby
from xml.etree import ElementTree

from inroads.facts import Report
from inroads.report import Look
from inroads.report.common import LEVEL_WORD
from inroads.report.xml import xml_document, xml_text


def render(report: Report, look: Look) -> str:
    """One `file` for each file with findings or problems."""
    rows = [
        (one.path, one.line, one.column, LEVEL_WORD[one.level].replace("note", "info"), one.message, one.rule)
        for one in report.findings
    ]
    rows.extend((one.path, one.line, one.column, "warning", one.message, one.kind) for one in report.problems)
    root = ElementTree.Element("checkstyle", version="4.3")
    for path, group in groupby(sorted(rows), key=lambda row: row[0]):
        file = ElementTree.SubElement(root, "file", name=xml_text(path))
        for _, line, column, severity, message, source in group:
            ElementTree.SubElement(
                file,
                "error",
                line=str(line),
                column=str(column),
                severity=severity,
                message=xml_text(message),
                source=f"inroads.{source}",
            )
    return xml_document(root)
