"""Where control comes in from outside."""

from __future__ import annotations

from inroads.analyses.order.cone import Cone


def is_root(cone: Cone, function: int) -> bool:
    """Whether control comes in here from outside; kept, for all rules that ask alike."""
    rule = cone.rule
    kept = cone.shared.roots.setdefault((rule.origins, rule.public, cone.tests or rule.tests), {})
    return cone.program.recorder.remembered(kept, function, lambda: _is_root(cone, function))


def _is_root(cone: Cone, function: int) -> bool:
    record = cone.program.tables.functions[function]
    if cone.rule.origins:
        return any(cone.matcher.is_function(pattern, function) for pattern in cone.rule.origins)
    if cone.rule.public and record.item.head.visibility == "pub":
        return True
    if record.name == "main" and record.path.count("::") == 1:
        return True
    if record.item.abi is not None:
        return True
    if record.impl is not None:
        impl = cone.program.tables.impls[record.impl]
        if impl.trait is None and impl.trait_path:
            return True
    callers = cone.callers(function)
    if any(edge.kind == "value" for edge in callers):
        return True
    others = [edge for edge in callers if edge.caller != function]
    if others:
        return False
    # A private function that only tests call is no root; what it does wrong is seen by tests alone.
    return not (is_private_root(cone, function) and cone.program.callers(function))


def is_private_root(cone: Cone, function: int) -> bool:
    """Whether a root that nobody calls is private, so that something may call it that we can't see."""
    record = cone.program.tables.functions[function]
    if record.impl is not None:
        impl = cone.program.tables.impls[record.impl]
        if impl.trait is not None or impl.trait_path:
            return False
    if record.trait is not None or record.name == "main" or record.item.abi is not None:
        return False
    if cone.rule.origins:
        return False
    if any(edge.kind == "value" for edge in cone.callers(function)):
        return False
    return record.item.head.visibility != "pub"
