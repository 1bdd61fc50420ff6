"""The smallest honest repair for a place that loses an error, in words to type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inroads.analyses.swallow.shapes import is_result
from inroads.analyses.swallow.sorts import type_name
from inroads.analyses.swallow.uses import frame_of
from inroads.facts import ClosureRow, PathType
from inroads.resolve.types import Adt, Type, Unknown

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
    returns = p.world.returns_result(p.f.judged.function) and frame is None
    if "H" in p.shape and p.end.form in ("statement", "let _", "_ ="):
        return f"keep the handle of `{name}(..)`, and look at what it gives when it is joined{otherwise}"
    if p.end.form in PASSED_OVER:
        way = "?`" if returns else "`, and hand that on"
        return f"collect into one Result instead: `.collect::<Result<Vec<_>, _>>(){way}{otherwise}"
    if p.end.fate == "cause-lost":
        return f"keep the cause: `.map_err(|source| .. source ..)` or `.context(..)` on `{name}(..)`"
    if frame is not None and isinstance(p.f.rows[frame], ClosureRow) and p.end.fate != "logged":
        return f"let the closure return the Result of `{name}(..)`, and act on it where it is run{otherwise}"
    if returns:
        error, wanted = p.nature.error, returned_error(p)
        if error is None or wanted is None or becomes(p, error, wanted):
            return f"`{name}(..)?`: `{function.name}` returns a Result{otherwise}"
        return (
            f"`{name}(..).map_err(..)?`: `{function.name}` returns a Result of `{type_name(wanted)}`, which "
            f"`{type_name(error)}` does not become by itself{otherwise}"
        )
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


# Forms that pass over the elements that failed.
PASSED_OVER = frozenset({".flatten()", ".filter_map(Result::ok)", ".flat_map()", ".filter_map()"})
# Errors that any other error becomes by `?`.
ANY_ERROR = frozenset(
    {"anyhow::Error", "eyre::Report", "eyre::eyre::Report", "color_eyre::Report", "miette::Report"}
)


def returned_error(p: Place) -> Type | None:
    """The type of the error that the function around returns; None where that is not known."""
    value = p.f.judged.body.root.value
    type_ = p.f.judged.types[value] if value is not None else Unknown()
    if not isinstance(type_, Adt) or not is_result(type_) or len(type_.arguments) < 2:
        return None
    error = type_.arguments[1]
    return None if isinstance(error, Unknown) else error


def becomes(p: Place, error: Type, wanted: Type) -> bool:
    """Whether `?` makes one error of another: it is the same, takes any, or has a `From` for it."""
    if error == wanted or not type_name(error) or not type_name(wanted):
        return True
    if isinstance(wanted, Adt) and (wanted.path in ANY_ERROR or wanted.path == "std::boxed::Box"):
        return True
    for impl in p.world.program.tables.impls:
        own = impl.item.self_type
        if impl.trait is not None or not impl.trait_path.endswith("::From") or not isinstance(own, PathType):
            continue
        if not own.segments or own.segments[-1].name != type_name(wanted):
            continue
        trait = impl.item.trait
        given = trait.segments[-1].arguments if isinstance(trait, PathType) and trait.segments else ()
        if any(isinstance(one, PathType) and one.segments[-1].name == type_name(error) for one in given):
            return True
        if any(not isinstance(one, PathType) for one in given):
            return True
    # A foreign type's conversions are not all described.
    return not (isinstance(wanted, Adt) and wanted.definition is not None)
