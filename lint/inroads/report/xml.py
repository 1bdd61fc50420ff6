"""What the XML formats share."""

from __future__ import annotations

from xml.etree import ElementTree

from inroads.report.common import visible


def xml_text(text: str) -> str:
    """XML has no way to write most control characters; they are shown by their number."""
    return visible(text, "\n\t")


def xml_document(root: ElementTree.Element) -> str:
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"
