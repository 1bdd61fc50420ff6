"""Callees before callers: the order in which functions are solved, and the fixpoint in a cycle."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from heapq import heappop, heappush
from typing import TypeVar

Value = TypeVar("Value")
Name = TypeVar("Name", bound=Hashable)

MOST_ROUNDS = 64
"""A member that still changes then keeps what it has; keys are bounded, so this is no more than a guard."""


def components(
    starts: Iterable[Name], callees: Callable[[Name], Iterable[Name]], done: Callable[[Name], bool]
) -> Iterator[tuple[Name, ...]]:
    """
    The strongly connected components that the starts reach, callees before callers.

    Args:
        done: What need not be looked into again.

    Tarjan 1972, without recursion.
    """
    index: dict[Name, int] = {}
    low: dict[Name, int] = {}
    stack: list[Name] = []
    on_stack: set[Name] = set()
    for start in starts:
        if start in index or done(start):
            continue
        work: list[tuple[Name, Iterator[Name]]] = []
        _open(start, callees, index, low, stack, on_stack, work)
        while work:
            current, following = work[-1]
            for callee in following:
                if callee in index:
                    if callee in on_stack:
                        low[current] = min(low[current], index[callee])
                elif not done(callee):
                    _open(callee, callees, index, low, stack, on_stack, work)
                    break
            else:
                work.pop()
                if work:
                    caller = work[-1][0]
                    low[caller] = min(low[caller], low[current])
                if low[current] == index[current]:
                    component: list[Name] = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        component.append(member)
                        if member == current:
                            break
                    yield tuple(reversed(component))


def _open(
    name: Name,
    callees: Callable[[Name], Iterable[Name]],
    index: dict[Name, int],
    low: dict[Name, int],
    stack: list[Name],
    on_stack: set[Name],
    work: list[tuple[Name, Iterator[Name]]],
) -> None:
    index[name] = low[name] = len(index)
    stack.append(name)
    on_stack.add(name)
    work.append((name, iter(callees(name))))


def solve_component(
    component: tuple[Name, ...],
    known: dict[Name, Value],
    bottom: Value,
    compute: Callable[[Name], Value],
    callees: Callable[[Name], Iterable[Name]],
    *,
    cyclic: bool,
) -> None:
    """
    Fill `known` for the members of one component.

    A member that was not computed yet counts as `bottom`. In a cycle a member
    is computed again when one that it calls has changed: `compute` may only
    give more from time to time, and there is finitely much to give.
    """
    if not cyclic:
        known[component[0]] = compute(component[0])
        return
    users: dict[Name, list[Name]] = {member: [] for member in component}
    for member in component:
        known.setdefault(member, bottom)
        for callee in dict.fromkeys(callees(member)):
            if callee in users:
                users[callee].append(member)
    # Found last, first: callees before callers as far as a cycle has such an order.
    order = component[::-1]
    rank = {member: number for number, member in enumerate(order)}
    waiting = list(range(len(order)))
    queued = set(waiting)
    rounds = [0] * len(order)
    while waiting:
        number = heappop(waiting)
        queued.discard(number)
        member = order[number]
        rounds[number] += 1
        value = compute(member)
        if value == known[member]:
            continue
        known[member] = value
        for user in users[member]:
            if rank[user] not in queued and rounds[rank[user]] < MOST_ROUNDS:
                queued.add(rank[user])
                heappush(waiting, rank[user])


def closure(starts: Iterable[Name], following: Callable[[Name], Iterable[Name]]) -> dict[Name, Name | None]:
    """Everything that the starts reach, breadth first: each with the one it was reached from, None for starts."""
    found: dict[Name, Name | None] = dict.fromkeys(starts)
    waiting = list(found)
    for current in waiting:
        for name in following(current):
            if name not in found:
                found[name] = current
                waiting.append(name)
    return found


def is_cyclic(
    component: tuple[Name, ...], callees: Mapping[Name, Iterable[Name]] | Callable[[Name], Iterable[Name]]
) -> bool:
    """Whether the members of a component reach themselves."""
    if len(component) > 1:
        return True
    follow = callees if callable(callees) else callees.__getitem__
    return component[0] in set(follow(component[0]))
