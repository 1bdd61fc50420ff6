"""What must be true of every control-flow graph."""

from __future__ import annotations

from collections.abc import Iterator

from inroads.lower.model import Assume, Graph, Raise, Return


def violations(graph: Graph) -> Iterator[str]:
    """
    The ways in which a graph is not sound, in words; none for a good one.

    Targets are in range; every block can be reached from the entry; a block
    that ends the function has no successor, and any other has one; an
    assumption opens its block; loops name blocks that are there.
    """
    count = len(graph.blocks)
    if count == 0:
        yield "there is no entry"
        return
    for at, block in enumerate(graph.blocks):
        if block.id != at:
            yield f"block {at} calls itself {block.id}"
        for target in block.successors:
            if not 0 <= target < count:
                yield f"block {at} leads to {target}, which is not there"
        ends = [event for event in block.events if isinstance(event, Return | Raise)]
        if ends and (len(ends) > 1 or block.events[-1] is not ends[0]):
            yield f"block {at} goes on after a way out"
        if ends and block.successors:
            yield f"block {at} is a way out and has successors"
        if not ends and not block.successors:
            yield f"block {at} leads nowhere and is no way out"
        if len(set(block.successors)) != len(block.successors):
            yield f"block {at} leads to the same block twice"
        for event in block.events[1:]:
            if isinstance(event, Assume):
                yield f"block {at} assumes something in its middle"
    for at in sorted(set(range(count)) - _reached(graph)):
        yield f"block {at} is not reached"
    for loop in graph.loops:
        for part in (loop.header, loop.body, loop.latch, loop.done, loop.after):
            if part is not None and not 0 <= part < count:
                yield f"the loop of row {loop.row} names block {part}, which is not there"
        if loop.latch is not None and loop.header not in graph.blocks[loop.latch].successors:
            yield f"the loop of row {loop.row} has a latch that does not go back"


def _reached(graph: Graph) -> set[int]:
    seen = {0}
    stack = [0]
    while stack:
        for target in graph.blocks[stack.pop()].successors:
            if target not in seen and 0 <= target < len(graph.blocks):
                seen.add(target)
                stack.append(target)
    return seen
