"""A finding, for tests of what is done with one."""

from __future__ import annotations

import msgspec

from inroads.facts import Finding, Fingerprint

_PLAIN = Finding(
    rule="r",
    kind="order",
    level="deny",
    certainty="sure",
    message="m",
    help="",
    path="src/lib.rs",
    line=3,
    column=5,
    end_line=3,
    end_column=6,
    function="a::f",
    callees=(),
    how="exact",
    via=(),
    fingerprint=Fingerprint(rule="r", function="a::f", callee="", call="", context=""),
)


def made_finding(**changes: object) -> Finding:
    """A finding that has these, and of all else something plain."""
    return msgspec.structs.replace(_PLAIN, **changes)
