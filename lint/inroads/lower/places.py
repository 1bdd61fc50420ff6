"""Places are extended in canonical form, compared, and told in words."""

from __future__ import annotations

from typing import Literal, TypeAlias

from inroads.lower.model import (
    Each,
    Element,
    Failure,
    Field,
    Gather,
    Length,
    Part,
    Place,
    Root,
    Step,
    Turn,
)

Comparison: TypeAlias = Literal["same", "other", "unclear"]

# Longer paths come from generated code; what stands deeper is taken for one place.
MOST_STEPS = 24


def extend(place: Place, step: Step) -> Place:
    """The place one step further in; Each undoes Gather and the reverse."""
    steps = place.steps
    if steps:
        last = steps[-1]
        match step:
            case Each() if isinstance(last, Gather):
                return Place(place.root, steps[:-1])
            case Gather() if isinstance(last, Each):
                return Place(place.root, steps[:-1])
            case Turn() | Element() if isinstance(last, Gather):
                return _choose(place, step)
            case Length() if isinstance(last, Gather):
                return _length(place)
            case _:
                pass
    if len(steps) >= MOST_STEPS:
        return place
    return Place(place.root, (*steps, step))


def _choose(place: Place, step: Turn | Element) -> Place:
    """Take one element of a gathered collection: the step takes the place of the Each that was gathered."""
    steps = place.steps[:-1]
    depth = 0
    for at in range(len(steps) - 1, -1, -1):
        match steps[at]:
            case Gather():
                depth += 1
            case Each() if depth:
                depth -= 1
            case Each():
                return Place(place.root, (*steps[:at], step, *steps[at + 1 :]))
            case _:
                pass
    # `[x]` has one element, and that is x.
    return Place(place.root, steps)


def _length(place: Place) -> Place:
    """The length of a gathered collection is that of the one whose elements were taken, one for one."""
    steps = place.steps[:-1]
    depth = 0
    for at in range(len(steps) - 1, -1, -1):
        match steps[at]:
            case Gather():
                depth += 1
            case Each() if depth:
                depth -= 1
            case Each():
                if any(isinstance(step, Each) for step in steps[at + 1 :]):
                    break
                return extend(Place(place.root, steps[:at]), Length())
            case _:
                pass
    return Place(place.root, (*place.steps, Length()))


def compare(established: Place, wanted: Place) -> Comparison:
    """
    Whether a fact of `established` is a fact of `wanted`.

    A whole covers its parts and elements, never the reverse: `each(xs)` speaks for
    the element of a turn, for `xs[0]` and for every element of a filtered part.
    "unclear" where the two could be the same at run time and nothing here can tell:
    elements at computed indices, a part against a whole, values of arithmetic.
    """
    if established == wanted:
        return "same"
    if established.root != wanted.root:
        return "other"
    return _compare_steps(established.steps, wanted.steps)


def _compare_steps(have: tuple[Step, ...], want: tuple[Step, ...]) -> Comparison:
    """Compare step by step; a Part that only one side has is skipped."""
    left = right = 0
    clear = True
    while left < len(have) or right < len(want):
        a = have[left] if left < len(have) else None
        b = want[right] if right < len(want) else None
        if a == b:
            left += 1
            right += 1
        elif isinstance(b, Part):
            # The whole was established, a part of it is wanted.
            right += 1
        elif isinstance(a, Part):
            left += 1
            clear = False
        elif isinstance(a, Each) and isinstance(b, Turn | Element):
            left += 1
            right += 1
        elif isinstance(a, Each | Turn | Element) and isinstance(b, Each | Turn | Element):
            if isinstance(a, Element) and isinstance(b, Element) and _apart(a, b):
                return "other"
            left += 1
            right += 1
            clear = False
        else:
            return "other"
    return "same" if clear else "unclear"


def _apart(a: Element, b: Element) -> bool:
    """Whether two indices are surely different: two literals."""
    return isinstance(a.key, str) and isinstance(b.key, str) and a.key.isdigit() and b.key.isdigit()


def is_within(inner: Place, outer: Place) -> bool:
    """Whether `inner` is `outer` or something inside it, or is found by an index that it holds."""
    if inner.root == outer.root and inner.steps[: len(outer.steps)] == outer.steps:
        return True
    return any(
        isinstance(step, Element) and isinstance(step.key, Place) and is_within(step.key, outer)
        for step in inner.steps
    )


def strip_field(place: Place, name: str) -> Place | None:
    """The place without a last `.name`; None where it does not end in it."""
    match place.steps[-1:]:
        case (Field(name=last),) if last == name:
            return Place(place.root, place.steps[:-1])
        case _:
            return None


def rebase(place: Place, root: Place) -> Place:
    """
    The same steps, begun at `root` instead of the place's own root: how a callee's parameter becomes an
    argument.
    """
    result = root
    for step in place.steps:
        result = extend(result, step)
    return result


def handed(row: int) -> Place:
    """What a function that is named at a row, and handed on, is run on by whoever runs it."""
    return Place(Root("result", row, "", "handed"))


def describe(place: Place) -> str:
    """What a person would write for it: `self.live`, `each(seqs).id`, `ids[0]`, `the result of load`."""
    text = _describe_root(place.root)
    for step in place.steps:
        match step:
            case Field(name=name):
                text = f"{text}.{name}"
            case Each():
                text = f"each({text})"
            case Turn():
                text = f"each({text})"
            case Element(key=str() as key):
                text = f"{text}[{key}]"
            case Element(key=Place() as key):
                text = f"{text}[{describe(key)}]"
            case Part():
                text = f"a part of {text}"
            case Gather():
                text = f"all of {text}"
            case Length():
                text = f"{text}.len()"
            case Failure():
                text = f"the error of {text}"
    return text


def _describe_root(root: Root) -> str:
    """The name of a root; a result is told by its callee."""
    match root.kind:
        case "result" if not root.name:
            return "a new value"
        case "result" if root.name.endswith("()"):
            return f"the result of `{root.name[:-2]}`"
        case "static" | "constant":
            return (root.name or root.path).rpartition("::")[2] or root.path
        case _:
            return root.name
