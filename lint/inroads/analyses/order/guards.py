"""Where the guards go that a need gave: returned, kept in a value, held by another thread, ended."""

from __future__ import annotations

from collections.abc import Iterable

from inroads.analyses.order.effects import Effect, HandOutEffect, ReleaseEffect
from inroads.facts import AwaitRow, DiscardRow, MethodCallRow, TryRow
from inroads.lower.model import Assume, Move, Return
from inroads.resolve.model import Judged


class Guards:
    """The guards of one body, followed through its moves in order."""

    def __init__(self, judged: Judged) -> None:
        self.judged = judged
        self.spawned: dict[int, tuple[int, ...]] = {}
        self.built: dict[int, tuple[int, ...]] = {}
        self._thrown: frozenset[int] | None = None

    def moved(self, event: Move) -> Iterable[Effect]:
        """What a move does to the guards that are in the value."""
        holds = event.holds
        if event.into == "return":
            yield HandOutEffect(holds)
        elif event.into == "build":
            self.built[event.row] = (*self.built.get(event.row, ()), *holds)
        elif self._is_spawned(event):
            # The other thread holds it from here on.
            self.spawned[event.row] = holds
        elif event.into == "unknown" or (event.into == "call" and not self._forgets(event)):
            yield ReleaseEffect(holds)

    def returned(self, event: Return) -> Iterable[Effect]:
        """A value that keeps guards is handed out, and the guards with it."""
        built = self.built.get(event.value.root.index) if event.value is not None else None
        if built:
            yield HandOutEffect(built)

    def parted(self, event: Assume) -> Iterable[Effect]:
        """Where a thread was started, the guards that went to it are gone."""
        if event.cause == "spawn" and not event.side and event.row in self.spawned:
            yield ReleaseEffect(self.spawned[event.row])

    def is_thrown(self, row: int) -> bool:
        """Whether a call's value ends with its own statement."""
        if self._thrown is None:
            self._thrown = self._thrown_away()
        return row in self._thrown

    def _thrown_away(self) -> frozenset[int]:
        """Calls whose value ends with their own statement: `lock()?;`, `acquire().await?;`."""
        rows = self.judged.body.rows
        found: set[int] = set()
        for row in rows:
            at = row.value if isinstance(row, DiscardRow) else None
            while at is not None:
                found.add(at)
                one = rows[at]
                match one:
                    case TryRow(operand=operand) | AwaitRow(operand=operand):
                        at = operand
                    case MethodCallRow(receiver=receiver, name="unwrap" | "expect"):
                        at = receiver
                    case _:
                        at = None
        return frozenset(found)

    def _is_spawned(self, event: Move) -> bool:
        """Whether a value goes to a call that runs it beside."""
        call = self.judged.calls.get(event.row)
        return (
            event.into == "call" and call is not None and any(word == "spawned" for _, word in call.closures)
        )

    def _forgets(self, event: Move) -> bool:
        """Whether a value given to a call is never dropped: `mem::forget`, `Box::leak`."""
        call = self.judged.calls.get(event.row)
        paths = {target.path for target in call.targets} if call is not None else set()
        return bool(paths & {"std::mem::forget", "std::boxed::Box::leak", "std::mem::ManuallyDrop::new"})
