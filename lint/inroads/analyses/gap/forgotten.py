"""
What a wrapper forgets: the methods it leaves out though its inner value has its own, and the arms that go astray.

What decides is, in this order: a real override in a possible inner type; what
the default does instead; and whether the wrapper does anything of its own in
the methods that the default calls, which forwarding would then pass by.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from inroads.analyses.gap.bodies import Bodies
from inroads.analyses.gap.defaults import Default, Shape, called_on_self, says_the_same, text_of
from inroads.analyses.gap.forwards import Verdict, judge_method
from inroads.analyses.gap.inner import Concrete, Inside, Object, Parameter, Types, pointed_at
from inroads.analyses.gap.reading import ArmReading
from inroads.analyses.gap.traits import Foreign, Provided
from inroads.analyses.gap.values import Constant
from inroads.analyses.gap.words import DIVERGING
from inroads.analyses.gap.wrappers import Inner, Wrapper, type_names
from inroads.facts import Certainty, Level, MacroRow
from inroads.resolve.model import Impl
from inroads.store import names_of

# Bytes of an encoded body that may still be one short expression.
_SHORT = 400
# Wrappers in wrappers that are followed to an override.
_CHAIN = 4

Why: TypeAlias = Literal["missing", "stray-arm", "wildcard-arm"]


class Forgotten(msgspec.Struct, frozen=True):
    """
    A method that does not reach the inner value.

    Args:
        why: missing from the impl; or the arm of `variant` calls another method (`instead`), or falls into `_`.
        level: What it is worth by itself.
        overrides: FunctionIds of overrides in possible inner types, the one to show first.
        default: What runs instead, None for a trait from outside and for arms.
        provided: What the data says of a method of a trait from outside.
    """

    method: str
    why: Why
    level: Level
    certainty: Certainty
    inner: Inner | None
    overrides: tuple[int, ...] = ()
    default: Default | None = None
    shape: Shape = "constant"
    provided: Provided | None = None
    variant: str = ""
    instead: str = ""
    arms: tuple[int, int] = (0, 0)


class Inquiry(msgspec.Struct):
    """Asks of wrappers what they forget; remembers which overrides are real."""

    bodies: Bodies
    types: Types
    foreign: Foreign
    real: dict[tuple[int, int | None], bool] = msgspec.field(default_factory=dict)

    def forgotten(self, wrapper: Wrapper) -> tuple[Forgotten, ...]:
        """All that a wrapper forgets, by the order of its trait."""
        found = [one for name in wrapper.missing for one in self.missing(wrapper, name)]
        found.extend(self.astray(wrapper))
        if wrapper.trait is None:
            return tuple(self.weighed(wrapper, found))
        if wrapper.pointer and any(one.level == "warn" for one in found):
            return tuple(self.with_unused(wrapper, found))
        return tuple(found)

    def with_unused(self, wrapper: Wrapper, found: list[Forgotten]) -> Iterator[Forgotten]:
        """
        What a pointer forgets, with the methods that nobody overrides yet.

        A pointer stands for whatever it points at, a type of another crate
        too; who mends its impl mends it whole.
        """
        told = {one.method: one for one in found}
        assert wrapper.trait is not None
        for name in wrapper.missing:
            if name in told:
                yield told.pop(name)
                continue
            default_id = self.bodies.tables.traits[wrapper.trait].methods[name]
            default = self.bodies.default(default_id)
            inner = wrapper.inners[0]
            if (
                default is not None
                and default.shape != "calls-self"
                and not isinstance(inner.inside, Concrete)
            ):
                yield Forgotten(name, "missing", "warn", "maybe", inner, (), default, default.shape)
        yield from told.values()

    def missing(self, wrapper: Wrapper, method: str) -> Iterator[Forgotten]:
        """A method that the impl leaves out, if it is a loss."""
        told = self.foreign.get(wrapper.path, {}).get(method)
        if told is not None and self.goes_astray(wrapper, told):
            return
        if wrapper.trait is None:
            if told is not None:
                yield from self.missing_foreign(wrapper, self.as_asserted(wrapper, told))
            return
        default_id = self.bodies.tables.traits[wrapper.trait].methods[method]
        overrides: list[int] = []
        inner: Inner | None = None
        for one in wrapper.inners:
            for function_id in self.overrides(wrapper, one.inside, method, default_id):
                inner = inner or one
                if function_id not in overrides:
                    overrides.append(function_id)
        if inner is None and told is not None and told.duty == "must":
            # The data knows of overrides that this workspace does not hold.
            inner = next((one for one in wrapper.inners if not isinstance(one.inside, Concrete)), None)
        if inner is None:
            yield from self.same(wrapper, method, default_id)
            return
        default = self.bodies.default(default_id)
        if default is None:
            if told is None or told.duty not in ("must", "should"):
                return
            default = Default("other", (), "")
        if default.text.startswith("Err(") and self.refuses(wrapper):
            return
        must = told is not None and told.duty == "must"
        level = "warn" if must else self.level(wrapper, default, overrides)
        if level is None:
            return
        certainty: Certainty = "sure" if isinstance(inner.inside, Concrete) else "maybe"
        yield Forgotten(
            method, "missing", level, certainty, inner, tuple(overrides), default, default.shape, told
        )

    def same(self, wrapper: Wrapper, method: str, default_id: int) -> Iterator[Forgotten]:
        """
        A method whose only overrides say what the default says: no loss today.

        It makes no finding, whatever the level; it is named beside what does.
        """
        default = self.bodies.default(default_id)
        for inner in wrapper.inners if default is not None else ():
            if not isinstance(inner.inside, Concrete):
                continue
            for impl in self.types.impls_for(wrapper.path, inner.inside.head):
                function_id = impl.methods.get(method)
                if (
                    function_id is None
                    or impl.id == wrapper.impl.id
                    or not self.is_same(function_id, default_id)
                ):
                    continue
                yield Forgotten(method, "missing", "allow", "sure", inner, (function_id,), default, "same")
                return

    def refuses(self, wrapper: Wrapper) -> bool:
        """Whether a wrapper refuses another method by hand: one that only reads may leave the writes to the default."""
        for name, verdict in wrapper.verdicts:
            body = self.bodies.body(wrapper.impl.methods[name]) if verdict.kind == "own" else None
            if body is not None and text_of(body).startswith("Err("):
                return True
        return False

    def goes_astray(self, wrapper: Wrapper, told: Provided) -> bool:
        """Whether the wrapper does more than forward in a method that the default goes through, or has none of them."""
        ways = [verdict for name in told.through if (verdict := wrapper.verdict(name)) is not None]
        if wrapper.delegated or not wrapper.implemented:
            return False
        return (bool(told.through) and not ways) or any(not verdict.is_forward for verdict in ways)

    def level(self, wrapper: Wrapper, default: Default, overrides: list[int]) -> Level | None:
        """
        What a forgotten default is worth.

        A default that only calls methods of self gives the right answer, the
        long way; unless the inner override keeps out of one of those calls.
        Where the wrapper does more than forward in one of them, the default
        must go through it: then nothing is forgotten.
        """
        if default.hands_self:
            return "allow"
        if default.shape != "calls-self":
            return "warn"
        ways = [wrapper.verdict(name) for name in self.reached(wrapper, default)]
        if any(verdict is not None and not (verdict.is_forward and verdict.plain) for verdict in ways):
            return None
        if any(self.adds_above(wrapper, name) for name in self.reached(wrapper, default)):
            return None
        for function_id in overrides[:4]:
            body = self.bodies.body(function_id)
            if body is not None and not set(default.calls) <= called_on_self(body):
                return "warn"
        return "allow"

    def adds_above(self, wrapper: Wrapper, name: str) -> bool:
        """Whether the wrapper does something beside handing on in a method of one of the trait's supertraits."""
        if wrapper.verdict(name) is not None or wrapper.trait is None:
            return False
        impl = wrapper.impl
        own = self.bodies.tables.traits[wrapper.trait].methods
        for impl_id in self.bodies.tables.impls_of_head.get(impl.head, ()) if name not in own else ():
            other = self.bodies.tables.impls[impl_id]
            if name in other.methods and self.types.implies((wrapper.path,), other.trait_path):
                verdict = self.read(other, other.methods[name])
                return verdict is not None and verdict.kind != "own" and not verdict.plain
        return False

    def reached(self, wrapper: Wrapper, default: Default) -> frozenset[str]:
        """The methods of self that a default comes to call, also through defaults that the wrapper leaves out."""
        if wrapper.trait is None:
            return frozenset(default.calls)
        methods = self.bodies.tables.traits[wrapper.trait].methods
        found: set[str] = set()
        pending = list(default.calls)
        while pending:
            name = pending.pop()
            if name in found:
                continue
            found.add(name)
            if name in methods and wrapper.verdict(name) is None:
                further = self.bodies.default(methods[name])
                pending.extend(further.calls if further is not None else ())
        return frozenset(found)

    def as_asserted(self, wrapper: Wrapper, told: Provided) -> Provided:
        """What is known of a method: it must be forwarded where another trait of the wrapper fails without it."""
        for path in told.asserted_by:
            trait, _, method = path.rpartition("::")
            impls = self.types.impls_for(trait, wrapper.impl.head)
            if any(method not in impl.methods and not self.types.is_off(impl) for impl in impls):
                why = f"`{trait.rpartition('::')[2]}::{method}` asserts that it is exact, and panics"
                return replace(told, duty="must", why=why)
        return told

    def missing_foreign(self, wrapper: Wrapper, told: Provided) -> Iterator[Forgotten]:
        """A provided method of a trait from outside that the data says should be handed on."""
        for inner in wrapper.inners:
            overrides: list[int] = []
            inside = inner.inside
            if isinstance(inside, Concrete) and inside.definition is not None:
                overrides = self.overrides(wrapper, inside, told.name, None)
                if not overrides:
                    continue
            elif not isinstance(inside, Concrete):
                overrides = self.overrides(wrapper, inside, told.name, None)
            level: Level = "warn" if told.duty == "must" else "allow"
            if told.duty == "should" and (overrides or isinstance(inside, Parameter | Object)):
                level = "warn"
            certainty: Certainty = "sure" if isinstance(inside, Concrete) and overrides else "maybe"
            if told.duty == "must" and told.asserted_by:
                certainty = "sure"
            shape: Shape = "constant" if told.constant or told.duty == "must" else "calls-self"
            yield Forgotten(
                told.name, "missing", level, certainty, inner, tuple(overrides), None, shape, told
            )
            return

    def weighed(self, wrapper: Wrapper, found: list[Forgotten]) -> Iterator[Forgotten]:
        """
        What counts of a trait from outside.

        What should be forwarded counts by itself where the wrapper hands each
        call on whole and the inner value may be anything; and it is told beside
        what must be. What may be forwarded is never told.
        """
        duties = {one.method: one.provided.duty if one.provided is not None else "must" for one in found}
        must = any(duties[one.method] == "must" for one in found)
        for one in found:
            if duties[one.method] == "must":
                yield one
            elif duties[one.method] == "should" and (must or self.is_one_to_one(wrapper, one)):
                yield replace(one, level="warn" if must else one.level)

    def is_one_to_one(self, wrapper: Wrapper, one: Forgotten) -> bool:
        """
        Whether a default that is only slower, or less exact, can be put down to forgetting.

        A constant is wrong as soon as calls are handed on whole. One that goes
        another way to the same end is right where the wrapper counts or logs on
        that way, so that it must do nothing but forward.
        """
        if not wrapper.verdicts:
            return False
        if one.provided is None or not one.provided.constant:
            return wrapper.is_transparent
        ways = [wrapper.verdict(name) for name in one.provided.through]
        return all(verdict.whole for verdict in ways if verdict is not None)

    # -- overrides --------------------------------------------------------------------

    def overrides(
        self, wrapper: Wrapper, inside: Inside | None, method: str, default_id: int | None
    ) -> list[int]:
        """The overrides of a method in the types that an inner value may have; real ones only, in order."""
        tables = self.bodies.tables
        if inside is None:
            return []
        if isinstance(inside, Concrete):
            return self.of_concrete(wrapper.path, inside, method, default_id, wrapper.impl.id, _CHAIN)
        real: list[int] = []
        for impl_id in tables.impls_of_trait.get(wrapper.path, ()):
            impl = tables.impls[impl_id]
            if impl.id == wrapper.impl.id or self.types.is_off(impl) or method not in impl.methods:
                continue
            if self.is_real(impl, impl.methods[method], default_id):
                real.append(impl.methods[method])
        return real

    def of_concrete(
        self, path: str, inside: Concrete, method: str, default_id: int | None, besides: int, depth: int
    ) -> list[int]:
        """The overrides of a method for one type; one that only hands on counts if it leads to another."""
        impls = self.types.impls_for(path, inside.head) or self.types.impls_for(path, "*any")
        found = []
        for impl in impls:
            if method not in impl.methods or self.types.is_off(impl) or impl.id == besides:
                continue
            function_id = impl.methods[method]
            if self.is_same(function_id, default_id) or self.is_refusal(function_id):
                continue
            # A macro of the workspace most often stands for an arm each; it is not expanded to see where all lead.
            macro = any(self.bodies.is_own_macro(name) for name in self.bodies.names(function_id))
            places = () if macro else self.handed_to(impl, function_id)
            if places and not self.leads_on(path, impl, places, method, default_id, depth):
                continue
            found.append(function_id)
        return found

    def leads_on(
        self,
        path: str,
        impl: Impl,
        places: tuple[tuple[str, ...], ...],
        method: str,
        default_id: int | None,
        depth: int,
    ) -> bool:
        """Whether a chain of forwards may end in an override: not if each type on it is known and has none."""
        if depth == 0:
            return True
        for steps in places:
            layers = self.types.at(self.types.self_of(impl), steps)
            last = next(
                (one for one in layers if isinstance(one, Concrete) and one.definition is not None), None
            )
            if (
                last is None
                or len(layers) != layers.index(last) + 1
                or last.head not in self.types.heads_with(path)
            ):
                return True
            if self.of_concrete(path, last, method, default_id, impl.id, depth - 1):
                return True
        return False

    def is_refusal(self, function_id: int) -> bool:
        """Whether an override does nothing but `unimplemented!()` and the like."""
        if not self.is_short(function_id):
            return False
        body = self.bodies.body(function_id)
        macros = [row for row in body.rows if isinstance(row, MacroRow)] if body is not None else []
        return (
            len(macros) == 1 and macros[0].path[-1] in DIVERGING and body is not None and len(body.rows) <= 3
        )

    def is_same(self, function_id: int, default_id: int | None) -> bool:
        """Whether an override says what the default says."""
        if default_id is None or not self.is_short(function_id):
            return False
        override, default = self.bodies.body(function_id), self.bodies.body(default_id)
        return override is not None and default is not None and says_the_same(override, default)

    def is_short(self, function_id: int) -> bool:
        """Whether a body may be one short expression, by its index and the size of its code."""
        facts = self.bodies.facts(self.bodies.tables.functions[function_id])
        if facts is None or _SHORT <= facts.end - facts.start:
            return False
        return not any(self.bodies.is_own_macro(name) for name in names_of(facts))

    def is_real(self, impl: Impl, function_id: int, default_id: int | None) -> bool:
        """Whether an override does something of its own: no forward, and not what the default does."""
        key = (function_id, default_id)
        known = self.real.get(key)
        if known is None:
            known = not self.is_same(function_id, default_id) and not self.is_pointer(impl)
            known = known and not self.handed_to(impl, function_id) and not self.is_refusal(function_id)
            self.real[key] = known
        return known

    def is_pointer(self, impl: Impl) -> bool:
        """Whether an impl is for a pointer to anything with the trait; under whatever name, it hands on."""
        target = pointed_at(self.types.self_of(impl))
        layers = self.types.layers(target) if target is not None else []
        return bool(layers) and not isinstance(layers[0], Concrete)

    def handed_to(self, impl: Impl, function_id: int) -> tuple[tuple[str, ...], ...]:
        """The places that an override hands on to; none where it does something of its own."""
        verdict = self.read(impl, function_id)
        return verdict.places if verdict is not None and verdict.is_forward else ()

    def read(self, impl: Impl, function_id: int) -> Verdict | None:
        """What a method of an impl does; None where it can't be a forward, or can't be read."""
        body = self.bodies.body(function_id) if self.bodies.may_forward(function_id) else None
        if body is None:
            return None
        item = self.bodies.tables.functions[function_id].item
        pointer = pointed_at(self.types.self_of(impl)) is not None
        own_types = frozenset({"Self", *type_names(impl.item)})
        return judge_method(body, item, own_types, pointer=pointer)

    # -- arms -------------------------------------------------------------------------

    def astray(self, wrapper: Wrapper) -> Iterator[Forgotten]:
        """The arms of an enum that go elsewhere though their payload has the method."""
        payloads = {inner.variant: inner for inner in wrapper.inners if inner.variant}
        if not payloads:
            return
        for method, verdict in wrapper.verdicts:
            if verdict.is_forward or verdict.kind == "altered":
                yield from self.astray_in(wrapper, method, verdict, payloads)

    def astray_in(
        self, wrapper: Wrapper, method: str, verdict: Verdict, payloads: dict[str, Inner]
    ) -> Iterator[Forgotten]:
        arms = [arm for arm in verdict.arms if all(step == "*" for step in arm.on)]
        handed = [arm for arm in arms if arm.forwards]
        named = {name for arm in arms for name in arm.variants}
        covered = len({name for arm in handed for name in arm.variants if name in payloads})
        for arm in arms:
            if arm.forwards or arm.guarded:
                continue
            inner = payloads.get(arm.variants[0]) if len(arm.variants) == 1 else None
            if inner is not None and 2 <= covered:
                instead = stray_of(arm)
                if instead:
                    yield Forgotten(
                        method, "stray-arm", "warn", "maybe", inner,
                        variant=inner.variant, instead=instead, arms=(covered, len(payloads)),
                    )  # fmt: skip
            elif not arm.variants and is_most(covered, payloads) and is_empty_arm(arm):
                yield from self.fallen(wrapper, method, payloads, named, covered)

    def fallen(
        self, wrapper: Wrapper, method: str, payloads: dict[str, Inner], named: set[str], covered: int
    ) -> Iterator[Forgotten]:
        """The variants that fall into `_`, though their payload overrides the method."""
        default_id = None
        if wrapper.trait is not None:
            default_id = self.bodies.tables.traits[wrapper.trait].methods.get(method)
            if default_id is not None and not self.bodies.tables.functions[default_id].has_body:
                default_id = None
        for variant, inner in payloads.items():
            if variant in named or not isinstance(inner.inside, Concrete):
                continue
            overrides = self.overrides(wrapper, inner.inside, method, default_id)
            overrides = [one for one in overrides if not self.is_constant(one)]
            if overrides:
                yield Forgotten(
                    method, "wildcard-arm", "warn", "sure", inner, tuple(overrides),
                    variant=variant, arms=(covered, len(payloads)),
                )  # fmt: skip

    def is_constant(self, function_id: int) -> bool:
        """Whether an override does nothing either."""
        body = self.bodies.body(function_id)
        return body is not None and len(body.rows) <= 2 and not called_on_self(body)


def is_most(covered: int, payloads: dict[str, Inner]) -> bool:
    """Whether at least half of the payloads are forwarded to; else `_` is the rule, and they are the exceptions."""
    return 0 < covered and len(payloads) <= 2 * covered


def is_empty_arm(arm: ArmReading) -> bool:
    """Whether an arm only gives a constant."""
    return isinstance(arm.value, Constant) and not arm.strays


def stray_of(arm: ArmReading) -> str:
    """The method that an arm calls on its payload instead, with the method's own parameters."""
    if len(arm.strays) != 1:
        return ""
    return arm.strays[0].other
