"""Where control comes in from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inroads.analyses.order.cone import Cone
from inroads.lower.model import Call
from inroads.lower.places import handed

if TYPE_CHECKING:
    from inroads.program import Edge


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
    if any(edge.kind == "value" and not _is_run_where_it_is_handed(cone, edge) for edge in callers):
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
    if any(
        edge.kind == "value" and not _is_run_where_it_is_handed(cone, edge) for edge in cone.callers(function)
    ):
        return False
    return record.item.head.visibility != "pub"


def _is_run_where_it_is_handed(cone: Cone, edge: Edge) -> bool:
    """Whether a function that is handed on as a value is run by what it is given to, so that its roads go on there."""
    program = cone.program
    judged = program.judge(edge.caller)
    for call in judged.calls.values():
        if edge.row not in call.arguments:
            continue
        if dict(call.closures).get(edge.row, "may") not in ("may", "later"):
            return True
        number = call.arguments.index(edge.row)
        targets = [target.function for target in call.targets]
        if targets and all(one is not None and _runs(cone, one, number) for one in targets):
            return True
    function = edge.target.function
    takes = 0 if function is None else len(program.tables.functions[function].item.parameters)
    # An adaptor of an iterator runs it at its consumer, on each element.
    return any(
        isinstance(event, Call)
        and event.row == edge.row
        and 0 < takes <= len(event.arguments)
        and not any(one == handed(edge.row) for one in event.arguments)
        for block in program.graph(edge.caller).blocks
        for event in block.events
    )


def _runs(cone: Cone, function: int, argument: int) -> bool:
    """Whether a function itself calls what it is given as an argument."""
    if not cone.program.tables.functions[function].has_body:
        return False
    graph = cone.program.graph(function)
    return argument < len(graph.parameters) and any(
        isinstance(event, Call) and event.callee == graph.parameters[argument]
        for block in graph.blocks
        for event in block.events
    )
