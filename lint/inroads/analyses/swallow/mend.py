"""The smallest honest repair for a place that loses an error, in words to type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inroads.analyses.swallow.uses import frame_of
from inroads.facts import ClosureRow

if TYPE_CHECKING:
    from inroads.analyses.swallow.place import Place


def repair(p: Place) -> str:
    """What to do at the place: `?`, a Result up the chain, an act on the error, or an allow with its reason."""
    tables = p.world.program.tables
    function = tables.functions[p.f.judged.function]
    frame = frame_of(p.f.uses, p.at, p.f.judged.body)
    name = p.nature.name
    otherwise = ', or say why it may be lost: `// inroads: allow(RULE) reason = ".."`'
    if p.end.form == "never awaited":
        return f"a future does nothing until it is polled: `{name}(..).await?`{otherwise}"
    if p.end.fate == "cause-lost":
        return f"keep the cause: `.map_err(|source| .. source ..)` or `.context(..)` on `{name}(..)`"
    if frame is not None and isinstance(p.f.rows[frame], ClosureRow) and p.end.fate != "logged":
        return f"let the closure return the Result of `{name}(..)`, and act on it where it is run{otherwise}"
    if p.world.returns_result(p.f.judged.function) and frame is None:
        return f"`{name}(..)?`: `{function.name}` returns a Result{otherwise}"
    if p.world.is_foreign_method(p.f.judged.function):
        return (
            f"`{function.name}` is fixed by its trait: keep the error in a field or a channel where somebody "
            f"reads it, or count it{otherwise}"
        )
    chain = p.world.signatures_to_change(p.f.judged.function)
    if chain:
        names = ", ".join(f"`{tables.functions[one].path.split('::', 1)[-1]}`" for one in chain[:3])
        more = f" and {len(chain) - 3} more" if 3 < len(chain) else ""
        return f"`{name}(..)?`, with a Result returned by {names}{more}{otherwise}"
    return f"act on the error of `{name}(..)`: reply, retry, count or keep it{otherwise}"
