"""What one pass over the rows of a body tells before it is walked."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from inroads.facts import AssignRow, BorrowRow, CallRow, FieldRow, IndexRow, MethodCallRow, PathRow, UnaryRow
from inroads.lower.words import REORDER, changes
from inroads.resolve.model import Judged

if TYPE_CHECKING:
    from inroads.lower.context import Context


class Scan:
    """
    Attributes:
        touched: Locals that change after their binding: assigned to, borrowed mutably, or changed by a method.
        bases: Rows that only lead to a field of theirs, or are assigned to: no use of the place itself.
        callees: Rows that are called.
    """

    def __init__(self, judged: Judged, context: Context) -> None:
        self.judged = judged
        self.context = context
        self.touched: set[int] = set()
        self.bases: set[int] = set()
        self.callees: set[int] = set()
        self._assigned: list[int] = []
        self._changed: list[tuple[int, int]] = []
        for at, row in enumerate(judged.body.rows):
            match row:
                case FieldRow(base=base):
                    self.bases.add(base)
                case CallRow(callee=callee):
                    self.callees.add(callee)
                case AssignRow(target=target, op=op):
                    self._assigned.append(target)
                    if op == "=":
                        self.bases.add(target)
                    self._touch(target)
                case BorrowRow(operand=operand, mutable=True):
                    self._touch(operand)
                case MethodCallRow(receiver=receiver, name=name):
                    if self._changes(at, name):
                        local = self._touch(receiver)
                        if local is not None:
                            self._changed.append((at, local))
                case _:
                    pass
        self._assigned.sort()

    def assigned(self, start: int, end: int) -> list[int]:
        """The rows in [start, end) that are assigned to."""
        return self._assigned[bisect_left(self._assigned, start) : bisect_left(self._assigned, end)]

    def changed(self, start: int, end: int) -> list[int]:
        """The locals that methods change in the rows [start, end)."""
        low, high = bisect_left(self._changed, (start, 0)), bisect_left(self._changed, (end, 0))
        return [local for _, local in self._changed[low:high]]

    def root_local(self, row: int) -> int | None:
        """The local at the root of a path of fields, indices and dereferences."""
        rows = self.judged.body.rows
        while True:
            match rows[row]:
                case PathRow():
                    return self.judged.uses.get(row)
                case FieldRow(base=base) | IndexRow(base=base):
                    row = base
                case UnaryRow(op="*", operand=operand):
                    row = operand
                case _:
                    return None

    def _touch(self, row: int) -> int | None:
        local = self.root_local(row)
        if local is not None:
            self.touched.add(local)
        return local

    def _changes(self, at: int, name: str) -> bool:
        """Whether a method call changes its receiver."""
        if name in REORDER:
            return False
        call = self.judged.calls.get(at)
        if call is not None:
            for target in call.targets:
                if target.function is not None:
                    return self.context.receiver_of(target.function) == "mut"
        return changes(name, (target.path for target in call.targets) if call is not None else ())
