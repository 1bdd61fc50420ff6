"""What a gap says: the wrapper, the inner value, what is forgotten, what runs instead, what to type."""

from __future__ import annotations

from collections.abc import Iterable

from inroads.analyses.base import RuleHead
from inroads.analyses.gap.bodies import Bodies
from inroads.analyses.gap.forgotten import Forgotten
from inroads.analyses.gap.inner import Concrete, Object, Parameter
from inroads.analyses.gap.signatures import shown_generics, shown_type, signature
from inroads.analyses.gap.wrappers import Inner, Wrapper
from inroads.facts import Certainty, Finding, Fingerprint, Level, Position, Step
from inroads.resolve.model import Impl

LEVELS: tuple[Level, ...] = ("allow", "warn", "deny")
_SHOWN = 12


def finding_of(
    head: RuleHead,
    bodies: Bodies,
    wrapper: Wrapper,
    forgotten: tuple[Forgotten, ...],
    met: tuple[str, ...],
    beside: tuple[str, ...],
) -> Finding:
    """
    One finding for a wrapper, at its `impl`.

    Args:
        met: What the findings of other rules have to do with it, in words.
        beside: Further lines.
    """
    impl = wrapper.impl
    level = max((one.level for one in forgotten), key=LEVELS.index)
    certainty: Certainty = (
        "sure" if any(one.certainty == "sure" and one.level != "allow" for one in forgotten) else "maybe"
    )
    if met and level == "warn":
        level = "deny"
    names = tuple(dict.fromkeys(one.method for one in forgotten))
    end = end_of_head(bodies, impl)
    return Finding(
        rule=head.id,
        kind="gap",
        level=head.grade(level),
        certainty=certainty,
        message=message(wrapper, forgotten),
        help=help_text(bodies, wrapper, forgotten),
        path=impl.position.path,
        line=impl.position.line,
        column=impl.position.column,
        end_line=end.line,
        end_column=end.column,
        function=impl_path(wrapper),
        callees=tuple(f"{wrapper.path}::{name}" for name in names),
        how="trait" if certainty == "maybe" else "exact",
        via=(),
        fingerprint=Fingerprint(
            rule=head.id,
            function=impl_path(wrapper),
            callee=f"{wrapper.path}::{{{', '.join(sorted(names))}}}",
            call="",
            context="",
        ),
        label=label(wrapper, forgotten),
        related=tuple(related(bodies, wrapper, forgotten)),
        details=(*table(bodies, wrapper, forgotten), *met, *beside, *doubt(wrapper, certainty)),
        rank=rank(level, certainty, forgotten, met),
    )


def message(wrapper: Wrapper, forgotten: tuple[Forgotten, ...]) -> str:
    """
    `VisionModel` forwards 6 of 8 methods of `LanguageModel` to `text`, and forgets `sync` and `hint`.
    """
    who = shown_type(wrapper.impl.item.self_type)
    trait = wrapper.path.rpartition("::")[2]
    missing = [one.method for one in forgotten if one.why == "missing"]
    astray = [one for one in forgotten if one.why != "missing"]
    if missing:
        done = wrapper.forwards
        verb = f"forwards {done} methods of `{trait}`"
        if done < 2:
            verb = f"forwards one method of `{trait}`" if done else f"forwards nothing of `{trait}`"
        elif wrapper.trait is not None:
            verb = f"forwards {done} of {done + len(missing)} methods of `{trait}`"
        return f"`{who}` {verb} to {target(wrapper)}, and forgets {listed(missing)}"
    first = astray[0]
    arms = f"`{first.method}` to {first.arms[0]} of {first.arms[1]} payloads"
    if first.why == "stray-arm":
        rest = f"the arm of `{first.variant}` calls `{first.instead}`"
    else:
        rest = f"`{first.variant}`, whose payload has its own, falls into `_`"
    return f"`{who}` forwards {arms}; {rest}"


def target(wrapper: Wrapper) -> str:
    """The inner value, in words: its field, its payloads, or what the pointer points at."""
    if wrapper.pointer:
        inside = wrapper.inners[0].inside
        return f"its `{shown_inside(inside)}`" if inside is not None else "what it points at"
    variants = [inner for inner in wrapper.inners if inner.variant]
    if variants:
        return f"the payloads of its {len(variants)} variants" if 1 < len(variants) else "its payload"
    return " and ".join(f"`{place(inner)}`" for inner in wrapper.inners[:3])


def place(inner: Inner) -> str:
    """A place as Rust writes it."""
    return ".".join(step.removeprefix("::") for step in inner.steps if step != "*") or "*self"


def label(wrapper: Wrapper, forgotten: tuple[Forgotten, ...]) -> str:
    """Half a sentence under the impl."""
    missing = [one for one in forgotten if one.why == "missing"]
    if missing:
        return f"{listed([one.method for one in missing], 3)} run{'s' if len(missing) == 1 else ''} the trait's default"
    return "one arm leaves the inner value out"


def doubt(wrapper: Wrapper, certainty: Certainty) -> tuple[str, ...]:
    """Why a finding is only `maybe`."""
    if certainty == "sure":
        return ()
    inside = wrapper.inners[0].inside
    if inside is None:
        return ("maybe: the type of the inner value is not known",)
    if isinstance(inside, Concrete):
        return (f"maybe: `{shown_inside(inside)}` is not in this workspace",)
    return (f"maybe: which type stands behind `{shown_inside(inside)}` is not known here",)


def table(bodies: Bodies, wrapper: Wrapper, forgotten: tuple[Forgotten, ...]) -> tuple[str, ...]:
    """A line for each forgotten method, in columns: its name, the inner override, what runs instead."""
    rows = [
        ("forgotten", "inner override", "runs instead"),
        *(
            (one.method, inner_words(bodies, one), instead_words(bodies, wrapper, one))
            for one in forgotten[:_SHOWN]
        ),
    ]
    first = max(len(row[0]) for row in rows)
    second = max(len(row[1]) for row in rows)
    lines = [f"{row[0]:<{first}}   {row[1]:<{second}}   {row[2]}".rstrip() for row in rows]
    if _SHOWN < len(forgotten):
        lines.append(f"and {len(forgotten) - _SHOWN} more")
    return tuple(lines)


def inner_words(bodies: Bodies, one: Forgotten) -> str:
    """Which inner type has its own, and where."""
    if not one.overrides:
        inside = one.inner.inside if one.inner is not None else None
        if one.why == "stray-arm":
            return shown_inside(inside) if inside is not None else ""
        return f"any {shown_inside(inside)}" if inside is not None else "not known"
    function = bodies.tables.functions[one.overrides[0]]
    impl = bodies.tables.impls[function.impl] if function.impl is not None else None
    who = shown_type(impl.item.self_type) if impl is not None else function.path
    more = f" and {len(one.overrides) - 1} more" if 1 < len(one.overrides) else ""
    return f"{who}  {function.position.path}:{function.position.line}{more}"


def instead_words(bodies: Bodies, wrapper: Wrapper, one: Forgotten) -> str:
    """What runs instead: the place of the default, and what it does."""
    match one.why:
        case "stray-arm":
            return f"the arm of `{one.variant}` calls `{one.instead}`"
        case "wildcard-arm":
            return f"`{one.variant}` falls into `_`"
    if one.default is None or wrapper.trait is None:
        told = one.provided
        if told is None:
            return "the trait's default"
        why = f": {told.why}" if told.why else ""
        return f"the default {told.runs}{why}"
    function = bodies.tables.functions[bodies.tables.traits[wrapper.trait].methods[one.method]]
    where = f"{function.position.path}:{function.position.line}"
    if one.default.text:
        return f"{where}  `{one.default.text}`"
    if one.default.calls:
        return f"{where}  calls {listed(list(one.default.calls))}"
    return where


def help_text(bodies: Bodies, wrapper: Wrapper, forgotten: tuple[Forgotten, ...]) -> str:
    """The forwards to type."""
    lines = []
    for one in forgotten[:_SHOWN]:
        if one.why == "missing":
            lines.append(signature(bodies, wrapper, one))
        elif one.why == "stray-arm":
            lines.append(f"in `{one.method}`, call `{one.method}` in the arm of `{one.variant}`")
        else:
            lines.append(f"in `{one.method}`, give `{one.variant}` an arm of its own")
    return "\n".join(lines)


def related(bodies: Bodies, wrapper: Wrapper, forgotten: tuple[Forgotten, ...]) -> Iterable[Step]:
    """The overrides and defaults, as places; and for an impl made by a macro, the call that made it."""
    tables = bodies.tables
    seen: set[tuple[str, int]] = set()
    for one in forgotten:
        for function_id in one.overrides[:1]:
            yield from step(seen, tables.functions[function_id].position, f"the inner `{one.method}`")
        if one.default is not None and wrapper.trait is not None:
            declared = tables.functions[tables.traits[wrapper.trait].methods[one.method]]
            yield from step(seen, declared.position, f"the default of `{one.method}`, which runs instead")
    source = tables.sources[wrapper.impl.source]
    if source.parent is not None:
        yield from step(seen, tables.position(source.parent, source.call[0]), "made by this macro call")


def step(seen: set[tuple[str, int]], position: Position, note: str) -> Iterable[Step]:
    """A step, unless its line was told before."""
    key = (position.path, position.line)
    if key not in seen:
        seen.add(key)
        yield Step(path=position.path, line=position.line, column=position.column, note=note)


def rank(level: Level, certainty: Certainty, forgotten: tuple[Forgotten, ...], met: tuple[str, ...]) -> int:
    """Higher is told first: what other rules meet, what is sure, how much is forgotten."""
    weight = 0
    if met:
        weight += 60
    if certainty == "sure":
        weight += 20
    weight += min(10, 2 * sum(one.shape not in ("calls-self", "same") for one in forgotten))
    return weight


def impl_path(wrapper: Wrapper) -> str:
    """`<crate::Alias as crate::Tool>`: stays the same when the impl moves within its module."""
    return f"<{shown_type(wrapper.impl.item.self_type)} as {wrapper.path}>"


def end_of_head(bodies: Bodies, impl: Impl) -> Position:
    """Where the head of an impl ends, as far as it stands on the first line; lifetimes may make it a little longer."""
    tables = bodies.tables
    item = impl.item
    trait = shown_type(item.trait) if item.trait is not None else ""
    head = f"impl{shown_generics(item.generics)} {trait} for {shown_type(item.self_type)}"
    most = item.head.end - item.head.start
    last = tables.position(impl.source, item.head.start + min(len(head.encode()), most) - 1)
    at = impl.position
    if (last.path, last.line) == (at.path, at.line):
        return Position(last.path, last.line, last.column + 1)
    return Position(at.path, at.line, at.column + len("impl"))


def shown_inside(inside: Concrete | Parameter | Object) -> str:
    """An inner type, in words."""
    match inside:
        case Concrete(written=written):
            return shown_type(written.type)
        case Parameter(name=name):
            return name
        case Object(traits=traits):
            return "dyn " + " + ".join(path.rpartition("::")[2] for path in traits)


def listed(names: list[str], most: int = _SHOWN) -> str:
    """`a`, `b` and `c`."""
    quoted = [f"`{name}`" for name in names]
    if most < len(quoted):
        quoted = [*quoted[: most - 1], f"{len(quoted) - most + 1} more"]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} and {quoted[-1]}"
