"""
What an expression of a method's body stands for, as far as forwarding cares.

A body is read once, without types. Each row gets a value that answers: is it a
place inside `self`, one of the method's own parameters, what a forward gave
back, a constant, or something that was worked out from these?
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import msgspec


class Place(msgspec.Struct, frozen=True):
    """
    A place inside `self`; no steps is `self` itself.

    A step is a field's name, `Variant.field` for the payload of a variant
    (alternatives joined by `|`), `name()` for what an accessor without
    arguments gives, `*` for an explicit dereference of `self`.
    """

    steps: tuple[str, ...] = ()


class Own(msgspec.Struct, frozen=True):
    """The method's own parameter, by its index among those after the receiver."""

    index: int


class Sent(msgspec.Struct, frozen=True):
    """What the inner value's method gave back; `mapped` where it was wrapped again or its error changed."""

    mapped: bool = False


class Constant(msgspec.Struct, frozen=True):
    """Nothing that depends on `self` or on a parameter."""


class Built(msgspec.Struct, frozen=True):
    """A value constructed around others: `Wrap::new(x, f)`, `Pair { a, b }`, `(a, b)`; a closure that mentions them."""

    parts: tuple[Value, ...]


class Made(msgspec.Struct, frozen=True):
    """Anything else, worked out from own state, from what a forward gave back, from parameters."""

    own: bool = False
    sent: bool = False
    parameters: bool = False


class Several(msgspec.Struct, frozen=True):
    """What branches that meet may give: one of these."""

    values: tuple[Value, ...]


class Deferred(msgspec.Struct, frozen=True):
    """A closure that has not run yet: its header row."""

    row: int


class Nowhere(msgspec.Struct, frozen=True):
    """The value of what does not return."""


Value: TypeAlias = Place | Own | Sent | Constant | Built | Made | Several | Deferred | Nowhere

CONSTANT = Constant()
NOWHERE = Nowhere()
SELF = Place()


def leaves(value: Value) -> tuple[Value, ...]:
    """The alternatives of a value, flat."""
    if isinstance(value, Several):
        return value.values
    return (value,)


def join(values: Iterable[Value]) -> Value:
    """One of several values; what never arrives is left out."""
    flat = tuple(
        dict.fromkeys(leaf for value in values for leaf in leaves(value) if not isinstance(leaf, Nowhere))
    )
    if not flat:
        return NOWHERE
    return flat[0] if len(flat) == 1 else Several(flat)


def mixed(values: Iterable[Value]) -> Value:
    """What is worked out from several values at once."""
    own = sent = parameters = False
    for value in values:
        for leaf in leaves(value):
            match leaf:
                case Place():
                    own = True
                case Own():
                    parameters = True
                case Sent():
                    sent = True
                case Built(parts=parts):
                    inner = mixed(parts)
                    if isinstance(inner, Made):
                        own, sent = own or inner.own, sent or inner.sent
                        parameters = parameters or inner.parameters
                case Made():
                    own, sent, parameters = own or leaf.own, sent or leaf.sent, parameters or leaf.parameters
                case _:
                    pass
    return Made(own, sent, parameters) if own or sent or parameters else CONSTANT


def holds_sent(value: Value) -> bool:
    """Whether what a forward gave back went into the value."""
    match value:
        case Sent():
            return True
        case Made(sent=sent):
            return sent
        case Built(parts=parts) | Several(values=parts):
            return any(holds_sent(part) for part in parts)
        case _:
            return False
