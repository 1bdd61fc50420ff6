"""
Whether a method hands its call on to an inner value.

    forward   the same method on an inner value, own parameters in order, result unchanged
    adapted   the same, with parameters or result wrapped (`Wrap::new(visitor, path)`)
    altered   it calls the inner method, and changes arguments, repeats, or mixes own state into the result
    own       it does not call the inner method at all

Counting, logging, an early refusal beside it leave a forward a forward; only
`plain` says that there is nothing beside.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from inroads.analyses.gap.reading import ArmReading, Reading, Signature
from inroads.analyses.gap.values import Built, Constant, Made, Own, Place, Sent, Several, Value, leaves
from inroads.analyses.gap.walk import read
from inroads.facts import BindingPattern, Body, FunctionItem, Parameter

Kind: TypeAlias = Literal["forward", "adapted", "altered", "own"]


class Verdict(msgspec.Struct, frozen=True):
    """
    What one method of a wrapper does.

    Args:
        places: Where its forwards go, each once, in order.
        whole: Whether each call is handed on and each result comes out as it is: no guard, nothing wrapped.
        plain: Whether it is whole and does nothing beside.
        arms: The arms of its matches on places inside self.
    """

    kind: Kind
    places: tuple[tuple[str, ...], ...] = ()
    whole: bool = False
    plain: bool = False
    arms: tuple[ArmReading, ...] = ()

    @property
    def is_forward(self) -> bool:
        """Whether it counts as handing the call on."""
        return self.kind in ("forward", "adapted")


def judge_method(body: Body, item: FunctionItem, own_types: frozenset[str], *, pointer: bool) -> Verdict:
    """
    Judge one method of an impl.

    Args:
        own_types: Names under which the wrapper builds itself.
        pointer: Whether Self is itself a pointer to the inner value.
    """
    signature = Signature(
        item.head.name,
        tuple(name_of(parameter) for parameter in item.parameters),
        own_types,
        pointer,
        item.receiver in ("ref", "mut", "typed"),
    )
    return verdict_of(read(body, signature), returns=item.returns is not None)


def verdict_of(reading: Reading, *, returns: bool) -> Verdict:
    """What a reading amounts to; `returns` is false for methods that give nothing back."""
    arms = tuple(reading.arms)
    exits = [leaf for value in reading.exits for leaf in leaves(value)]
    if not reading.forwards:
        return Verdict("own", arms=arms)
    good = [one for one in reading.forwards if one.fit != "altered" and not one.looped]
    places = tuple(dict.fromkeys(one.steps for one in good or reading.forwards))
    if len(good) == len(reading.forwards) and is_dispatch(arms):
        return Verdict("adapted", places, arms=arms)
    if len(good) < len(reading.forwards) or (not is_unchanged(exits) if returns else reading.shown):
        return Verdict("altered", places, arms=arms)
    adapted = any(one.fit == "adapted" for one in good)
    mapped = any(isinstance(leaf, Sent) and leaf.mapped for leaf in exits)
    refused = returns and any(not isinstance(leaf, Sent) for leaf in exits)
    whole = not (adapted or mapped or refused or reading.guarded)
    return Verdict("adapted" if adapted else "forward", places, whole, whole and not reading.beside, arms)


def is_dispatch(arms: tuple[ArmReading, ...]) -> bool:
    """Whether a match hands on in most of its arms, and calls another method of the payload in the others."""
    handed = sum(bool(arm.forwards) for arm in arms)
    astray = [arm for arm in arms if not arm.forwards]
    return len(astray) < handed and bool(astray) and all(len(arm.strays) == 1 for arm in astray)


def is_unchanged(exits: list[Value]) -> bool:
    """
    Whether what comes out is what a forward gave back, on every way out that is no refusal.

    A constant, or an answer made of the parameters alone, is a refusal
    (`return Err(format!("{name} is out of scope"))`); own state is not.
    """
    return any(isinstance(leaf, Sent) for leaf in exits) and all(is_innocent(leaf) for leaf in exits)


def is_innocent(value: Value) -> bool:
    """Whether a value has neither own state in it nor the result of a forward, changed."""
    match value:
        case Sent() | Constant() | Own():
            return True
        case Made(own=own, sent=sent):
            return not own and not sent
        case Built(parts=parts) | Several(values=parts):
            return all(is_innocent(part) for part in parts)
        case Place():
            return False
        case _:
            return True


def name_of(parameter: Parameter) -> str | None:
    """The name of a parameter; None where a pattern stands."""
    return parameter.pattern.name if isinstance(parameter.pattern, BindingPattern) else None
