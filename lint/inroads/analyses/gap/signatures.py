"""Types and signatures as text, for the forwarding code that a finding proposes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inroads.facts import (
    ArrayType,
    BindingPattern,
    ConstArgument,
    DynType,
    FunctionItem,
    FunctionType,
    Generics,
    ImplType,
    MacroType,
    NeverType,
    PathType,
    PointerType,
    RefType,
    Segment,
    SliceType,
    TupleType,
    TypeRef,
)

if TYPE_CHECKING:
    from inroads.analyses.gap.bodies import Bodies
    from inroads.analyses.gap.forgotten import Forgotten
    from inroads.analyses.gap.wrappers import Wrapper


def signature(bodies: Bodies, wrapper: Wrapper, one: Forgotten) -> str:
    """The forward of one method, as it could be typed into the impl."""
    steps = one.inner.steps if one.inner is not None else ()
    if wrapper.trait is None:
        code = one.provided.code if one.provided is not None else ""
        if not code:
            return f"forward `{one.method}` to {receiver_of(wrapper, steps)} with its own parameters"
        names = parameter_names(code)
        await_ = ".await" if code.startswith("async ") else ""
        return f"{code} {{ {called(wrapper, steps, one.method, names, pinned='Pin<' in code)}{await_} }}"
    function = bodies.tables.functions[bodies.tables.traits[wrapper.trait].methods[one.method]]
    item = function.item
    names = argument_names(item)
    call = called(wrapper, steps, one.method, names, pinned=item.receiver == "typed")
    if item.is_async:
        call += ".await"
    return f"{shown_signature(item)} {{ {call} }}"


def called(wrapper: Wrapper, steps: tuple[str, ...], method: str, names: list[str], *, pinned: bool) -> str:
    """The call of a method on the inner value: on a field, in each arm, through a Pin."""
    variants = [inner for inner in wrapper.inners if inner.variant]
    if variants and "." in (steps[0] if steps else ""):
        arms = ", ".join(
            f"Self::{inner.variant}(inner) => inner.{method}({', '.join(names)})" for inner in variants[:2]
        )
        return f"match self {{ {arms}{', ..' if 2 < len(variants) else ''} }}"
    receiver = receiver_of(wrapper, steps)
    if pinned and not wrapper.pointer:
        receiver = f"std::pin::Pin::new(&mut self.get_mut(){receiver.removeprefix('self')})"
    return f"{receiver}.{method}({', '.join(names)})"


def receiver_of(wrapper: Wrapper, steps: tuple[str, ...]) -> str:
    """The inner value as an expression."""
    if wrapper.pointer:
        return "(**self)"
    if steps and steps[0].startswith("::"):
        return steps[0].removeprefix("::")
    path = ".".join(step for step in steps if step != "*")
    return f"self.{path}" if path else "(**self)"


def argument_names(item: FunctionItem) -> list[str]:
    """The names under which a forward hands its parameters on."""
    return [
        parameter.pattern.name.lstrip("_")
        if isinstance(parameter.pattern, BindingPattern)
        else f"argument{index}"
        for index, parameter in enumerate(item.parameters)
    ]


def shown_signature(item: FunctionItem) -> str:
    """`fn name<T>(&self, x: T) -> U`; lifetimes are not kept, so that one that must be written is missing."""
    receiver = {"ref": "&self", "mut": "&mut self", "value": "self", None: ""}.get(item.receiver)
    if receiver is None:
        receiver = f"self: {shown_type(item.receiver_type)}" if item.receiver_type is not None else "self"
    parameters = [
        f"{name}: {shown_type(parameter.type) if parameter.type is not None else '_'}"
        for name, parameter in zip(argument_names(item), item.parameters, strict=True)
    ]
    words = ("async " if item.is_async else "") + ("unsafe " if item.is_unsafe else "")
    returns = f" -> {shown_type(item.returns)}" if item.returns is not None else ""
    inside = ", ".join(one for one in (receiver, *parameters) if one)
    return f"{words}fn {item.head.name}{shown_generics(item.generics)}({inside}){returns}"


def shown_generics(generics: Generics) -> str:
    """`<T: Bound>`, "" where there are none."""
    if not generics.parameters:
        return ""
    found = []
    for parameter in generics.parameters:
        bounds = " + ".join(shown_type(bound) for bound in parameter.bounds)
        if parameter.const_type is not None:
            found.append(f"const {parameter.name}: {shown_type(parameter.const_type)}")
        else:
            found.append(f"{parameter.name}: {bounds}" if bounds else parameter.name)
    return f"<{', '.join(found)}>"


def shown_type(type_: TypeRef, depth: int = 8) -> str:
    """A type as Rust writes it."""
    if depth == 0:
        return "_"
    deeper = depth - 1
    match type_:
        case PathType(segments=segments, qself=None):
            return "::".join(shown_segment(segment, deeper) for segment in segments)
        case PathType(segments=segments, qself=qself, trait_length=length):
            of = shown_type(qself, deeper) if qself is not None else "_"
            trait = "::".join(shown_segment(segment, deeper) for segment in segments[:length])
            rest = "::".join(shown_segment(segment, deeper) for segment in segments[length:])
            return f"<{of} as {trait}>::{rest}" if trait else f"<{of}>::{rest}"
        case RefType(inner=inner, mutable=mutable):
            return ("&mut " if mutable else "&") + bracketed(inner, deeper)
        case PointerType(inner=inner, mutable=mutable):
            return ("*mut " if mutable else "*const ") + bracketed(inner, deeper)
        case TupleType(elements=elements):
            inside = ", ".join(shown_type(one, deeper) for one in elements)
            return f"({inside},)" if len(elements) == 1 else f"({inside})"
        case SliceType(inner=inner):
            return f"[{shown_type(inner, deeper)}]"
        case ArrayType(inner=inner, length=length_text):
            return f"[{shown_type(inner, deeper)}; {length_text}]"
        case DynType(bounds=bounds):
            return "dyn " + " + ".join(shown_type(bound, deeper) for bound in bounds)
        case ImplType(bounds=bounds):
            return "impl " + " + ".join(shown_type(bound, deeper) for bound in bounds)
        case FunctionType(parameters=parameters, returns=returns):
            inside = ", ".join(shown_type(one, deeper) for one in parameters)
            return f"fn({inside})" + (f" -> {shown_type(returns, deeper)}" if returns is not None else "")
        case NeverType():
            return "!"
        case MacroType(path=path):
            return f"{'::'.join(path)}!(..)"
        case ConstArgument(text=text):
            return text
    return "_"


def bracketed(type_: TypeRef, depth: int) -> str:
    """A type behind `&`: bounds that are joined by `+` need brackets."""
    text = shown_type(type_, depth)
    return f"({text})" if isinstance(type_, DynType | ImplType) and 1 < len(type_.bounds) else text


def shown_segment(segment: Segment, depth: int) -> str:
    """`Vec<T>`, `Fn(A) -> B`, `Iterator<Item = T>`."""
    if segment.name in ("Fn", "FnMut", "FnOnce") and len(segment.arguments) == 1:
        output = dict(segment.bindings).get("Output")
        inside = shown_type(segment.arguments[0], depth)
        returns = f" -> {shown_type(output, depth)}" if output is not None else ""
        return f"{segment.name}{inside if inside.startswith('(') else f'({inside})'}{returns}"
    parts = [shown_type(one, depth) for one in segment.arguments]
    parts.extend(f"{name} = {shown_type(value, depth)}" for name, value in segment.bindings)
    return f"{segment.name}<{', '.join(parts)}>" if parts else segment.name


def parameter_names(code: str) -> list[str]:
    """The parameter names of a signature given as text, the receiver left out."""
    start = code.find("(")
    names, depth, word, name_open = [], 0, "", True
    for character in code[start + 1 :]:
        if character in "([<{":
            depth += 1
        elif character in ")]>}":
            if depth == 0:
                break
            depth -= 1
        elif character == "," and depth == 0:
            word, name_open = "", True
            continue
        elif character == ":" and depth == 0 and name_open:
            names.append(word.strip())
            name_open = False
        if name_open:
            word += character
    return [name for name in names if name not in ("self", "mut self")]
