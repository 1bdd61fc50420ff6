"""
Where inside a value its error is.

A shape is a tuple of letters, from the outside to the error:

    R   a Result: its Err is the error (the last letter)
    E   the error itself, or something made of it (last)
    Z   an Option whose None hides the error, as after `.ok()` (last)
    B+  a bool that is true where there was an error (last); B- one that is false
    K   a Result whose Ok holds the rest
    O   an Option whose Some holds the rest
    P   a Poll whose Ready holds the rest
    I   an iterator or a collection, each element being the rest
    F   a future whose output is the rest
    H   a handle of a task or thread whose value is the rest
    T0  a tuple, the rest being its element 0

References, boxes, locks and the like are looked through.
"""

from __future__ import annotations

from typing import TypeAlias

from inroads.resolve.types import (
    Adt,
    Array,
    Dyn,
    Opaque,
    Reference,
    Slice,
    Tuple,
    Type,
)

Shape: TypeAlias = tuple[str, ...]

RESULT: Shape = ("R",)
ERROR: Shape = ("E",)
TRUE_ON_ERROR: Shape = ("B+",)
FALSE_ON_ERROR: Shape = ("B-",)

RESULT_PATH = "std::result::Result"
OPTION_PATH = "std::option::Option"

# What hides nothing and is looked through by method calls.
TRANSPARENT = frozenset(
    {
        "std::boxed::Box",
        "std::rc::Rc",
        "std::sync::Arc",
        "std::pin::Pin",
        "std::borrow::Cow",
    }
)
HANDLES = frozenset({"JoinHandle", "ScopedJoinHandle"})
COLLECTIONS = frozenset(
    {
        *("Vec", "VecDeque", "LinkedList", "BTreeSet", "HashSet", "BinaryHeap", "IntoIter", "Iter", "Drain"),
        *(
            "SmallVec",
            "ArrayVec",
            "FuturesUnordered",
            "FuturesOrdered",
            "JoinSet",
            "Lines",
            "ReadDir",
            "Peekable",
        ),
    }
)
# Iterators whose every element is a Result, though their own arguments do not say so.
OF_RESULTS = frozenset(
    {
        *("std::io::Lines", "std::io::Split", "std::io::Bytes", "std::fs::ReadDir", "std::net::Incoming"),
        *("std::os::unix::net::Incoming", "walkdir::IntoIter", "glob::Paths", "ignore::Walk"),
    }
)
MAPS = frozenset({"HashMap", "BTreeMap", "IndexMap", "DashMap"})
POLL = "std::task::Poll"
DEPTH = 6


def is_result(type_: Type) -> bool:
    """Whether a type is `Result<..>` itself, behind no reference."""
    return isinstance(type_, Adt) and (type_.path == RESULT_PATH or type_.path.endswith("::Result"))


def shapes_of(type_: Type, depth: int = 0) -> tuple[Shape, ...]:
    """
    The shapes of all errors that a value of this type owns, outer ones first.

    A `&Result` owns none: whoever has the Result still has its error.
    """
    if depth >= DEPTH:
        return ()
    inner: Type | None = None
    letter = ""
    match type_:
        case Adt(path=path, arguments=arguments) if is_result(type_):
            del path
            rest = shapes_of(arguments[0], depth + 1) if arguments else ()
            return (RESULT, *(("K", *shape) for shape in rest))
        case Adt(path=path) if path in OF_RESULTS:
            return (("I", *RESULT),)
        case Adt(path=path, arguments=arguments) if arguments:
            name = path.rpartition("::")[2]
            if path in TRANSPARENT:
                return shapes_of(arguments[0], depth + 1)
            if path == OPTION_PATH:
                letter, inner = "O", arguments[0]
            elif path == POLL:
                letter, inner = "P", arguments[0]
            elif name in HANDLES:
                letter, inner = "H", arguments[-1]
            elif name in COLLECTIONS:
                letter, inner = "I", arguments[-1 if name.startswith("Scoped") else 0]
            elif name in MAPS and len(arguments) >= 2:
                return tuple(("I", "T1", *shape) for shape in shapes_of(arguments[1], depth + 1))
        case Tuple(elements=elements):
            return tuple(
                (f"T{index}", *shape)
                for index, element in enumerate(elements)
                for shape in shapes_of(element, depth + 1)
            )
        case Slice(inner=element) | Array(inner=element):
            letter, inner = "I", element
        case Opaque(bounds=bounds) | Dyn(bounds=bounds):
            for bound in bounds:
                for name, value in bound.bindings:
                    if name == "Output" and bound.path.rpartition("::")[2] in ("Future", "IntoFuture"):
                        letter, inner = "F", value
                    elif name == "Item":
                        letter, inner = "I", value
        case _:
            return ()
    if inner is None:
        return ()
    return tuple((letter, *shape) for shape in shapes_of(inner, depth + 1))


def error_type(type_: Type, shape: Shape) -> Type | None:
    """The type of the error at a shape, None where it is not written or not known."""
    at: Type = type_
    for letter in shape:
        while isinstance(at, Adt) and at.path in TRANSPARENT and at.arguments:
            at = at.arguments[0]
        match letter, at:
            case "R", Adt(arguments=arguments) if is_result(at):
                return arguments[1] if len(arguments) > 1 else None
            case "K", Adt(arguments=arguments) if arguments:
                at = arguments[0]
            case (("O" | "I"), Adt(arguments=arguments)) if arguments:
                at = arguments[0]
            case "H", Adt(arguments=arguments) if arguments:
                at = arguments[-1]
            case "I", (Slice(inner=inner) | Array(inner=inner)):
                at = inner
            case (("F" | "I"), (Opaque(bounds=bounds) | Dyn(bounds=bounds))):
                outputs = [
                    value for bound in bounds for name, value in bound.bindings if name in ("Output", "Item")
                ]
                if not outputs:
                    return None
                at = outputs[0]
            case _, Tuple(elements=elements) if letter[0] == "T" and int(letter[1:]) < len(elements):
                at = elements[int(letter[1:])]
            case _:
                return None
    return None


def awaited(shape: Shape) -> Shape | None:
    """The shape of what comes out of waiting for a value of this shape; None where it is no future."""
    match shape[0]:
        case "F":
            return shape[1:]
        case "H":
            return ("K", *shape[1:])
        case "O" | "I":
            # `futures.next().await` and `stream.collect().await` give what came out, no futures.
            return output_of_each(shape)
        case "R" | "E" | "K" | "Z":
            return shape
    return None


def output_of_each(shape: Shape) -> Shape:
    """The shape of what holds the outputs of the futures or tasks that a value of this shape holds."""
    match shape[1]:
        case "F":
            return (shape[0], *shape[2:])
        case "H":
            return (shape[0], "K", *shape[2:])
    return shape


def flipped(shape: Shape) -> Shape:
    """The same bool the other way round."""
    return FALSE_ON_ERROR if shape[0] == "B+" else TRUE_ON_ERROR


def referent(type_: Type) -> Type:
    """The type behind references and transparent boxes."""
    for _ in range(DEPTH):
        match type_:
            case Reference(inner=inner):
                type_ = inner
            case Adt(path=path, arguments=arguments) if path in TRANSPARENT and arguments:
                type_ = arguments[0]
            case _:
                break
    return type_
