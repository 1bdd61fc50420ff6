"""
Types with holes: substitution, and unification with an undo log.

A `Unifier` belongs to one body. Its variables are bound once; what was bound
in a trial (does this impl fit?) is taken back by `rollback`. `Unknown` fits
everything and binds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from inroads.resolve.types import (
    UNKNOWN,
    Adt,
    Array,
    Bound,
    Closure,
    Dyn,
    FunctionPointer,
    FunctionValue,
    Generic,
    Never,
    Opaque,
    Pointer,
    Primitive,
    Projection,
    Reference,
    Slice,
    Tuple,
    Type,
    Unknown,
    Variable,
)

INTEGERS = frozenset(["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"])
FLOATS = frozenset(["f16", "f32", "f64", "f128"])
# Types nest no deeper than this; a type that would is cut off as Unknown.
DEEPEST_TYPE = 40
# And has no more parts: `let a = (a, a);` doubles it with every line.
LARGEST_TYPE = 1_000


def rebuild(type_: Type, step: Callable[[Type], Type]) -> Type:
    """The same type with `step` applied to each type directly inside it; the same object if none changed."""
    match type_:
        case Adt():
            if not type_.arguments:
                return type_
            arguments = _all(type_.arguments, step)
            return type_ if arguments is type_.arguments else Adt(type_.path, type_.definition, arguments)
        case Reference():
            inner = step(type_.inner)
            return type_ if inner is type_.inner else Reference(inner, type_.mutable)
        case Tuple():
            elements = _all(type_.elements, step)
            return type_ if elements is type_.elements else Tuple(elements)
        case Slice():
            inner = step(type_.inner)
            return type_ if inner is type_.inner else Slice(inner)
        case Array():
            inner = step(type_.inner)
            return type_ if inner is type_.inner else Array(inner)
        case Pointer():
            inner = step(type_.inner)
            return type_ if inner is type_.inner else Pointer(inner, type_.mutable)
        case FunctionPointer():
            parameters = _all(type_.parameters, step)
            returns = step(type_.returns)
            if parameters is type_.parameters and returns is type_.returns:
                return type_
            return FunctionPointer(parameters, returns)
        case FunctionValue():
            arguments = _all(type_.arguments, step)
            if arguments is type_.arguments:
                return type_
            return FunctionValue(type_.path, type_.function, arguments)
        case Closure():
            returns = step(type_.returns)
            return type_ if returns is type_.returns else Closure(type_.function, type_.row, returns)
        case Dyn():
            bounds = _bounds(type_.bounds, step)
            return type_ if bounds is type_.bounds else Dyn(bounds)
        case Opaque():
            bounds = _bounds(type_.bounds, step)
            arguments = _all(type_.arguments, step)
            if bounds is type_.bounds and arguments is type_.arguments:
                return type_
            return Opaque(bounds, type_.function, arguments)
        case Projection():
            base = step(type_.base)
            trait = rebuild_bound(type_.trait, step)
            if base is type_.base and trait is type_.trait:
                return type_
            return Projection(base, trait, type_.name)
    return type_


def rebuild_bound(bound: Bound, step: Callable[[Type], Type]) -> Bound:
    """The same bound with `step` applied to its arguments and bindings."""
    if not bound.arguments and not bound.bindings:
        return bound
    arguments = _all(bound.arguments, step)
    bindings = bound.bindings
    if bindings:
        made = tuple((name, step(one)) for name, one in bindings)
        if any(new[1] is not old[1] for new, old in zip(made, bindings, strict=True)):
            bindings = made
    if arguments is bound.arguments and bindings is bound.bindings:
        return bound
    return Bound(bound.path, bound.trait, arguments, bindings)


def _all(types: tuple[Type, ...], step: Callable[[Type], Type]) -> tuple[Type, ...]:
    changed = None
    for at, one in enumerate(types):
        new = step(one)
        if new is not one:
            if changed is None:
                changed = list(types)
            changed[at] = new
    return types if changed is None else tuple(changed)


def _bounds(bounds: tuple[Bound, ...], step: Callable[[Type], Type]) -> tuple[Bound, ...]:
    made = tuple(rebuild_bound(one, step) for one in bounds)
    return bounds if all(new is old for new, old in zip(made, bounds, strict=True)) else made


def substitute(type_: Type, mapping: Mapping[Generic, Type]) -> Type:
    """The type with type parameters replaced; a parameter that the mapping lacks stays."""
    if not mapping:
        return type_

    def step(one: Type) -> Type:
        kind = type(one)
        if kind is Generic:
            return mapping.get(one, one)  # type: ignore[arg-type]  # kind says it is a Generic
        if kind in _ATOMS or is_ground(one):
            return one
        if kind is Adt and not one.arguments:  # type: ignore[union-attr]  # kind says so
            return one
        return rebuild(one, step)

    return step(type_)


def substitute_bound(bound: Bound, mapping: Mapping[Generic, Type]) -> Bound:
    """The bound with type parameters replaced."""
    return rebuild_bound(bound, lambda one: substitute(one, mapping))


# The owner of the parameters that tell functions named as values apart.
VALUE = "value"
_ATOMS = frozenset({Primitive, Variable, Never, Unknown, Generic})
_GROUND: dict[Type, bool] = {}
_MOST_REMEMBERED = 200_000


def is_ground(type_: Type) -> bool:
    """Whether nothing in a type can be replaced or reduced: no parameter, variable or projection. Remembered."""
    found = _GROUND.get(type_)
    if found is None:
        if isinstance(type_, Variable | Generic | Projection):
            found = False
        elif isinstance(type_, Closure | FunctionValue):
            # These mean something in their own body only.
            found = False
        else:
            found = all(is_ground(one) for one in parts(type_))
        if _MOST_REMEMBERED < len(_GROUND):
            _GROUND.clear()
        _GROUND[type_] = found
    return found


_CLOSED: dict[Type, bool] = {}


def is_closed(type_: Type) -> bool:
    """Whether no variable stands in a type, but for those of literals, which change no answer. Remembered."""
    found = _CLOSED.get(type_)
    if found is None:
        if isinstance(type_, Variable):
            found = type_.kind != ""
        else:
            found = all(is_closed(one) for one in parts(type_))
        if _MOST_REMEMBERED < len(_CLOSED):
            _CLOSED.clear()
        _CLOSED[type_] = found
    return found


_FITTING: set[Type] = set()


def trimmed(type_: Type) -> Type:
    """The type, or Unknown for one that is too deep or too large to be followed. That it is not is remembered."""
    if _is_flat(type_) or type_ in _FITTING:
        return type_
    level: tuple[Type, ...] | list[Type] = parts(type_)
    count = 0
    for _ in range(DEEPEST_TYPE):
        if not level:
            if _MOST_REMEMBERED < len(_FITTING):
                _FITTING.clear()
            _FITTING.add(type_)
            return type_
        count += len(level)
        if LARGEST_TYPE < count:
            break
        level = [inner for one in level if type(one) not in _ATOMS for inner in parts(one)]
    return UNKNOWN


def _is_flat(type_: Type) -> bool:
    kind = type(type_)
    return kind in _ATOMS or (kind is Adt and not type_.arguments)  # type: ignore[union-attr]  # kind says so


class Unifier:
    """The variables of one body and what they are bound to."""

    __slots__ = ("bindings", "closures", "left", "trail")

    def __init__(self) -> None:
        # What closures give, by the row of their header; their types don't say it before they are closed.
        self.closures: dict[int, Type] = {}
        self.bindings: list[Type | None] = []
        self.trail: list[int] = []
        # How many parts a walk may still visit: through variables a small type may stand for a huge one.
        self.left = 0

    def fresh(self, kind: str = "") -> Variable:
        """A new variable; `kind` "int" or "float" for a literal's type."""
        self.bindings.append(None)
        return Variable(len(self.bindings) - 1, kind)

    def shallow(self, type_: Type) -> Type:
        """What a variable is bound to, or the type itself; what is inside is left as it is."""
        bindings = self.bindings
        while type(type_) is Variable:
            bound = bindings[type_.id]
            if bound is None:
                return type_
            type_ = bound
        return type_

    def zonk(self, type_: Type) -> Type:
        """The type with all bound variables replaced, also inside."""
        self.left = LARGEST_TYPE
        return self._zonk(type_, 0)

    def _zonk(self, type_: Type, depth: int) -> Type:
        if type(type_) is Variable:
            type_ = self.shallow(type_)
            if type(type_) is Variable:
                return type_
        kind = type(type_)
        if kind in _ATOMS or (kind is Adt and not type_.arguments):  # type: ignore[union-attr]  # kind says so
            return type_
        self.left -= 1
        if DEEPEST_TYPE < depth or self.left < 0:
            return UNKNOWN
        return rebuild(type_, lambda one: self._zonk(one, depth + 1))

    def close(self, type_: Type) -> Type:
        """The final type: open literals become `i32` and `f64`, other open variables Unknown."""
        self.left = LARGEST_TYPE
        return self._close(type_, 0)

    def _close(self, type_: Type, depth: int) -> Type:
        if type(type_) is Variable:
            type_ = self.shallow(type_)
            if type(type_) is Variable:
                if type_.kind == "int":
                    return Primitive("i32")
                return Primitive("f64") if type_.kind == "float" else UNKNOWN
        if type(type_) in _ATOMS or (type(type_) is Adt and not type_.arguments):
            return type_
        if is_ground(type_):
            return type_
        self.left -= 1
        if DEEPEST_TYPE < depth or self.left < 0:
            return UNKNOWN
        if type(type_) is Closure:
            returns = self.closures.get(type_.row, UNKNOWN)
            return Closure(type_.function, type_.row, self._close(returns, depth + 8))
        if type(type_) is FunctionValue:
            return FunctionValue(type_.path, type_.function)
        return rebuild(type_, lambda one: self._close(one, depth + 1))

    def rollback(self, mark: int) -> None:
        """Take back every binding made since the trail was `mark` long."""
        trail = self.trail
        while mark < len(trail):
            self.bindings[trail.pop()] = None

    def bind(self, variable: Variable, type_: Type) -> bool:
        """Bind an open variable; False if a literal's kind forbids it, the type holds the variable or is too large."""
        if variable.kind:
            match type_:
                case Primitive(name=name):
                    if name not in (INTEGERS if variable.kind == "int" else FLOATS):
                        return False
                case Variable(kind=""):
                    variable, type_ = type_, variable
                case Variable(kind=kind):
                    if kind != variable.kind:
                        return False
                case _:
                    return False
        elif not _is_flat(type_):
            self.left = LARGEST_TYPE
            if self._holds(type_, variable.id, 0):
                return False
        self.bindings[variable.id] = type_
        self.trail.append(variable.id)
        return True

    def _holds(self, type_: Type, id: int, depth: int) -> bool:
        if type(type_) is Variable:
            type_ = self.shallow(type_)
            if type(type_) is Variable:
                return type_.id == id
        if type(type_) is Primitive or type(type_) is Generic:
            return False
        self.left -= 1
        if DEEPEST_TYPE < depth or self.left < 0:
            return True
        return any(self._holds(one, id, depth + 1) for one in parts(type_))

    def unify(self, left: Type, right: Type) -> bool:
        """
        Make two types equal; False if they can't be.

        What was bound before the difference was found stays bound: whoever
        only tries takes a mark of the trail first.
        """
        if left is right or left == right:
            return True
        left = self.shallow(left)
        right = self.shallow(right)
        if left is right:
            return True
        if type(left) is Variable:
            if type(right) is Variable and right.id == left.id:
                return True
            return type(right) is Unknown or self.bind(left, right)
        if type(right) is Variable:
            return type(left) is Unknown or self.bind(right, left)
        if type(left) is Unknown or type(right) is Unknown:
            return True
        if type(left) is not type(right):
            return False
        return self._unify_same(left, right)

    def _unify_same(self, left: Type, right: Type) -> bool:
        match left, right:
            case Adt(), Adt():
                if left.definition != right.definition or left.path != right.path:
                    return False
                return self.unify_all(left.arguments, right.arguments)
            case Reference(), Reference():
                return left.mutable == right.mutable and self.unify(left.inner, right.inner)
            case Pointer(), Pointer():
                return left.mutable == right.mutable and self.unify(left.inner, right.inner)
            case Slice(), Slice():
                return self.unify(left.inner, right.inner)
            case Array(), Array():
                return self.unify(left.inner, right.inner)
            case Tuple(), Tuple():
                if len(left.elements) != len(right.elements):
                    return False
                return self.unify_all(left.elements, right.elements)
            case FunctionPointer(), FunctionPointer():
                if len(left.parameters) != len(right.parameters):
                    return False
                return self.unify_all(left.parameters, right.parameters) and self.unify(
                    left.returns, right.returns
                )
            case FunctionValue(), FunctionValue():
                if left.path != right.path or left.function != right.function:
                    return False
                return self.unify_all(left.arguments, right.arguments)
            case Closure(), Closure():
                return left.row == right.row and left.function == right.function
            case Dyn(), Dyn():
                if not left.bounds or not right.bounds:
                    return True
                return self.unify_bounds(left.bounds[0], right.bounds[0])
            case Opaque(), Opaque():
                if left.function != right.function or len(left.bounds) != len(right.bounds):
                    return False
                return all(self.unify_bounds(a, b) for a, b in zip(left.bounds, right.bounds, strict=True))
            case Projection(), Projection():
                return left.name == right.name and self.unify(left.base, right.base)
        return left == right

    def unify_bounds(self, left: Bound, right: Bound) -> bool:
        """Make the arguments and common bindings of two bounds of one trait equal."""
        if left.trait != right.trait or left.path != right.path:
            return False
        if not self.unify_all(left.arguments, right.arguments):
            return False
        other = dict(right.bindings)
        return all(self.unify(one, other[name]) for name, one in left.bindings if name in other)

    def unify_all(self, left: tuple[Type, ...], right: tuple[Type, ...]) -> bool:
        """Make two rows of types equal, as far as both go: arguments that were left out fit all."""
        for one, other in zip(left, right, strict=False):  # noqa: SIM110
            if not self.unify(one, other):
                return False
        return True


def parts(type_: Type) -> tuple[Type, ...]:
    """The types directly inside a type."""
    match type_:
        case Adt():
            return type_.arguments
        case Reference() | Pointer() | Slice() | Array():
            return (type_.inner,)
        case Tuple():
            return type_.elements
        case FunctionPointer():
            return (*type_.parameters, type_.returns)
        case FunctionValue():
            return type_.arguments
        case Closure():
            return (type_.returns,)
        case Dyn():
            return tuple(one for bound in type_.bounds for one in bound_parts(bound))
        case Opaque():
            return (*(one for bound in type_.bounds for one in bound_parts(bound)), *type_.arguments)
        case Projection():
            return (type_.base, *bound_parts(type_.trait))
    return ()


def bound_parts(bound: Bound) -> tuple[Type, ...]:
    """The types directly inside a bound."""
    return (*bound.arguments, *(one for _, one in bound.bindings))


def is_open(type_: Type) -> bool:
    """Whether a variable stands in a type that was zonked."""
    if type(type_) is Variable:
        return True
    return any(is_open(one) for one in parts(type_))


def head_of_type(type_: Type) -> str:
    """The key of a type's outermost constructor, as `impls.head_of` writes it; "" where any impl may fit."""
    match type_:
        case Adt():
            return type_.path
        case Primitive():
            return type_.name
        case Reference():
            return "&"
        case Pointer():
            return "*"
        case Tuple():
            return f"({len(type_.elements)})" if type_.elements else "()"
        case Slice() | Array():
            return "[]"
        case FunctionPointer():
            return "fn"
        case Never():
            return "!"
        case Dyn():
            return f"dyn {type_.bounds[0].path}" if type_.bounds else ""
    return ""
