"""
Which impls are wrappers: they hand most of a trait on to an inner value that has the trait too.

    impl<R: Runner> Runner for Scoped<R>       a field of a generic type
    impl Tool for Alias                        a field `Arc<dyn Tool>`
    impl Feed for Branch<A, B>                 the payload of each variant
    impl<T: Lookup> Lookup for Arc<T> {}       a pointer, even if nothing is forwarded

Only impls that leave a provided method out are looked at, and of those only
the bodies whose index has the method's own name are decoded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

import msgspec
from msgspec.structs import replace

from inroads.analyses.gap.bodies import Bodies
from inroads.analyses.gap.defaults import is_forwardable, is_named
from inroads.analyses.gap.forwards import Verdict, judge_method
from inroads.analyses.gap.inner import Concrete, Inside, Object, Parameter, Types, Written, held, pointed_at
from inroads.analyses.gap.reading import UNSEEN
from inroads.analyses.gap.repeats import likeness_of
from inroads.analyses.gap.sharing import changes_self, is_shared
from inroads.analyses.gap.traits import Foreign
from inroads.facts import ImplItem, MacroCallItem, PathType, RefType
from inroads.resolve.model import Impl
from inroads.store import names_of

# Attributes of macros that write the forwards themselves.
_DELEGATING = """
    delegate delegated delegation fill ambassador enum_dispatch auto_impl autoimpl delegate_to_methods
    inherit_methods delegatable_trait delegate_remote enum_delegate
"""
DELEGATING = frozenset(_DELEGATING.split())


# Fewer forwards than these, all with parameters wrapped, make an adaptor rather than a wrapper.
_FEW = 3


class Inner(msgspec.Struct, frozen=True):
    """An inner value: its place, and what is known of its type. `variant` is "" outside an enum."""

    steps: tuple[str, ...]
    inside: Inside | None
    variant: str = ""


class Wrapper(msgspec.Struct, frozen=True):
    """
    An impl that forwards.

    Args:
        trait: The TraitId, None for a trait from outside; `path` is its path.
        verdicts: What each method with a receiver does, by name, in order of the file.
        delegated: Methods that a delegating macro writes.
        inners: The inner values, those that are forwarded to first.
        missing: The provided methods that it leaves out.
    """

    impl: Impl
    trait: int | None
    path: str
    pointer: bool
    verdicts: tuple[tuple[str, Verdict], ...]
    delegated: tuple[str, ...]
    inners: tuple[Inner, ...]
    missing: tuple[str, ...]

    @property
    def forwards(self) -> int:
        """How many methods are handed on."""
        return sum(verdict.is_forward for _, verdict in self.verdicts) + len(self.delegated)

    @property
    def implemented(self) -> int:
        """How many methods with a receiver the impl has."""
        return len(self.verdicts) + len(self.delegated)

    @property
    def is_transparent(self) -> bool:
        """Whether it does nothing but forward."""
        return all(verdict.is_forward and verdict.plain for _, verdict in self.verdicts)

    def verdict(self, method: str) -> Verdict | None:
        """What one method does; None where the impl does not have it."""
        return next((verdict for name, verdict in self.verdicts if name == method), None)


class Search(msgspec.Struct, frozen=True):
    """What a search for wrappers needs."""

    bodies: Bodies
    types: Types
    foreign: Foreign
    traits: tuple[str, ...]

    def wrappers(self) -> Iterator[Wrapper]:
        """All wrappers that leave something out or dispatch over an enum, in order of their impls."""
        tables = self.bodies.tables
        provided: dict[int, tuple[str, ...]] = {}
        enums = frozenset(one.path for one in tables.types if one.kind == "enum")
        for impl in tables.impls:
            path = impl.trait_path
            if not path or impl.item.negative or impl.test or not impl.active:
                continue
            if impl.trait is not None:
                if impl.trait not in provided:
                    provided[impl.trait] = self.provided(impl.trait) if self.is_wanted(path) else ()
                names = provided[impl.trait]
                if not names and not (impl.head in enums and self.is_wanted(path)):
                    continue
            elif path in self.foreign and self.is_wanted(path):
                names = tuple(one.name for one in self.foreign[path].values() if one.duty != "no")
            else:
                continue
            if self.types.is_off(impl):
                continue
            found = self.consider(impl, names)
            if found is not None:
                yield found

    def is_wanted(self, path: str) -> bool:
        """Whether the rule speaks of a trait."""
        return any(matches(pattern, path) for pattern in self.traits)

    def provided(self, trait: int) -> tuple[str, ...]:
        """The provided methods of a workspace's trait that a wrapper could forward."""
        tables = self.bodies.tables
        one = tables.traits[trait]
        told = self.foreign.get(one.path, {})
        found = []
        for name, function_id in one.methods.items():
            item = tables.functions[function_id].item
            if item.body is None:
                continue
            duty = told[name].duty if name in told else None
            if duty in ("must", "should") or (duty is None and is_forwardable(item)):
                found.append(name)
        return tuple(found)

    def existing(self, impl: Impl, missing: tuple[str, ...]) -> tuple[str, ...]:
        """
        Those that the trait has, in the release that the impl is of; none where a lint of the compiler's sees to it
        that all are written.
        """
        for attribute in impl.item.head.attributes:
            if attribute.path in ("deny", "forbid", "warn") and "missing_trait_methods" in attribute.text:
                return ()
        told = self.foreign.get(impl.trait_path, {})
        return tuple(
            name for name in missing if name not in told or impl.methods.keys().isdisjoint(told[name].unless)
        )

    def consider(self, impl: Impl, provided: tuple[str, ...]) -> Wrapper | None:
        """The wrapper that an impl is, or None."""
        if any(set(attribute.path.split("::")) & DELEGATING for attribute in impl.item.head.attributes):
            return None
        delegated, mentioned, targets = self.macro_methods(impl)
        missing = tuple(
            name
            for name in provided
            if name not in impl.methods and name not in delegated and name not in mentioned
        )
        if missing:
            missing = self.existing(impl, missing)
        start = self.types.self_of(impl)
        target = pointed_at(start) or (held(start) if impl.methods else None)
        pointer = target is not None and self.inside_of(impl, target) is not None
        if not missing and (pointer or not self.is_enum(start)):
            return None
        functions = self.bodies.tables.functions
        methods = [
            (name, function_id)
            for name, function_id in impl.methods.items()
            if functions[function_id].item.receiver is not None
        ]
        candidates = [function_id for _, function_id in methods if self.bodies.may_forward(function_id)]
        half = impl.trait is None and 2 * (len(candidates) + len(delegated)) == len(methods) + len(delegated)
        if not half and not self.may_wrap(len(methods), len(candidates), len(delegated), pointer=pointer):
            return None
        verdicts = self.judge(impl, methods, frozenset(candidates), pointer=pointer)
        targets = (
            tuple(steps for _, verdict in verdicts if verdict.is_forward for steps in verdict.places)
            + targets
        )
        inners = self.inners(impl, start, target if pointer else None, targets)
        if not inners:
            return None
        kept = tuple((name, self.kept(impl, start, verdict, pointer=pointer)) for name, verdict in verdicts)
        if not pointer and self.is_node(impl, start, inners, sum(verdict.is_forward for _, verdict in kept)):
            return None
        missing = tuple(name for name in missing if self.may_reach(impl, start, inners, kept, name, pointer))
        if not missing and (pointer or not self.is_enum(start)):
            return None
        found = Wrapper(impl, impl.trait, impl.trait_path, pointer, kept, delegated, inners, missing)
        if found.implemented and 2 * found.forwards <= found.implemented and not self.is_half(found):
            return None
        if 0 < found.forwards < _FEW and all(one.kind != "forward" for _, one in kept) and not delegated:
            # An adaptor: `base.drive(FilterConsumer::new(consumer, &self.filter))`.
            return None
        return found if found.implemented or pointer else None

    def kept(self, impl: Impl, start: Written, verdict: Verdict, *, pointer: bool) -> Verdict:
        """A verdict, if its forwards go to a value that has the trait; else the method is the wrapper's own."""
        if not verdict.is_forward or pointer:
            return verdict
        return verdict if any(self.place(impl, start, steps) for steps in verdict.places) else Verdict("own")

    def may_wrap(self, methods: int, candidates: int, delegated: int, *, pointer: bool) -> bool:
        """Whether enough bodies of an impl name their own method; told by indices alone."""
        if not methods and not delegated:
            return pointer
        return methods + delegated < 2 * (candidates + delegated)

    def is_half(self, found: Wrapper) -> bool:
        """
        Whether a wrapper answers half of a trait from outside by itself, and hands on all that the defaults go through.

        A hasher that finishes in its own way and forwards `write`: the inner one still expects `write_u32`.
        """
        told = self.foreign.get(found.path, {})
        musts = [told[name].through for name in found.missing if name in told and told[name].duty == "must"]
        verdicts = [found.verdict(name) for through in musts for name in through]
        return (
            found.trait is None
            and 2 * found.forwards == found.implemented
            and all(musts)
            and bool(verdicts)
            and all(one is not None and one.is_forward and one.plain for one in verdicts)
        )

    def may_reach(
        self,
        impl: Impl,
        start: Written,
        inners: tuple[Inner, ...],
        verdicts: tuple[tuple[str, Verdict], ...],
        method: str,
        pointer: bool,
    ) -> bool:
        """
        Whether a method that is left out could be handed on at all.

        What changes the inner value can't pass a shared reference, unless
        another method does; and a pointer's own `dupe(&self) -> Self` makes a pointer.
        """
        if impl.trait is None:
            return True
        tables = self.bodies.tables
        item = tables.functions[tables.traits[impl.trait].methods[method]].item
        if pointer and item.returns is not None and is_named(item.returns, "Self"):
            return False
        if not changes_self(item) or not all(is_shared(self.types, start, inner.steps) for inner in inners):
            return True
        return any(
            verdict.kind != "own" and changes_self(tables.functions[impl.methods[name]].item)
            for name, verdict in verdicts
        )

    def judge(
        self, impl: Impl, methods: list[tuple[str, int]], candidates: frozenset[int], *, pointer: bool
    ) -> tuple[tuple[str, Verdict], ...]:
        """What each method of an impl does."""
        own_types = frozenset({"Self", *type_names(impl.item)})
        found: list[tuple[str, Verdict]] = []
        alike: dict[tuple[str, ...], Verdict] = {}
        for name, function_id in methods:
            if function_id not in candidates:
                found.append((name, Verdict("own")))
                continue
            function = self.bodies.tables.functions[function_id]
            facts = self.bodies.facts(function)
            likeness = None
            if facts is not None and any(self.bodies.is_own_macro(one) for one in names_of(facts)):
                likeness = likeness_of(facts, function.item)
            if likeness is not None and likeness in alike:
                found.append((name, alike[likeness]))
                continue
            body = self.bodies.body(function_id)
            verdict = Verdict("own")
            if body is not None:
                verdict = judge_method(body, function.item, own_types, pointer=pointer)
            if likeness is not None and verdict.is_forward:
                alike[likeness] = replace(verdict, arms=())
            found.append((name, verdict))
        return tuple(found)

    # -- inner values ---------------------------------------------------------------

    def inners(
        self, impl: Impl, start: Written, target: Written | None, places: tuple[tuple[str, ...], ...]
    ) -> tuple[Inner, ...]:
        """The inner values that forwards go to, and the payloads beside them."""
        if target is not None:
            return (Inner(("*",), self.inside_of(impl, target)),)
        found: dict[tuple[str, ...], Inner] = {}
        dispatched = False
        for steps in dict.fromkeys(places):
            dispatched = dispatched or bool(variant_of(steps)) or steps == UNSEEN
            for one in self.place(impl, start, steps):
                found.setdefault(one.steps, one)
        if dispatched:
            named = {one.variant for one in found.values()}
            for one in self.payloads(impl, start):
                if one.variant not in named:
                    found.setdefault(one.steps, one)
        return tuple(found.values())

    def place(self, impl: Impl, start: Written, steps: tuple[str, ...]) -> list[Inner]:
        """The inner values at a place; where its type can't be told, the only field that has the trait."""
        layers = [] if steps == UNSEEN else self.types.at(start, steps)
        variant = variant_of(steps)
        for layer in layers:
            if self.has_trait(impl, layer):
                return [Inner(steps, layer, variant)]
        if layers:
            last = layers[-1]
            if isinstance(last, Concrete) and last.definition is None and impl.trait is None:
                return [Inner(steps, last, variant)]
            return []
        for outer in self.types.layers(start)[:1]:
            if not isinstance(outer, Concrete):
                continue
            if outer.definition is None:
                insides = [self.inside_of(impl, one) for one in self.types.arguments(outer)]
                return [Inner((*steps, str(index)), one, variant) for index, one in enumerate(insides) if one]
            having = [(name, self.inside_of(impl, one)) for name, one in self.types.fields(outer)]
            known = [Inner((name,), one) for name, one in having if one is not None]
            if len(known) == 1:
                return known
        return [Inner(steps, None, variant)] if impl.trait is None and steps != UNSEEN else []

    def payloads(self, impl: Impl, start: Written) -> list[Inner]:
        """The payloads of an enum's variants that have the trait."""
        found = []
        for layer in self.types.layers(start)[:1]:
            if isinstance(layer, Concrete):
                for name, payload in self.types.payloads(layer):
                    inside = self.inside_of(impl, payload)
                    if inside is not None:
                        found.append(Inner((f"{name}.0",), inside, name))
        return found

    def is_node(self, impl: Impl, start: Written, inners: tuple[Inner, ...], forwards: int) -> bool:
        """
        Whether an impl is a node with children rather than a wrapper.

        A node has another field with the trait that no forward goes to, and
        answers hardly anything by one child: `return_type` of an expression
        over two others.
        """
        if 2 < forwards:
            return False
        used = {inner.steps[0] for inner in inners if inner.steps}
        if any(step.endswith(("()", "*")) for step in used):
            return False
        return any(
            name not in used and (self.inside_of(impl, written) is not None or self.holds_many(impl, written))
            for layer in self.types.layers(start)[:1]
            if isinstance(layer, Concrete)
            for name, written in self.types.fields(layer)
        )

    def holds_many(self, impl: Impl, written: Written) -> bool:
        """Whether a field is a list of values with the trait."""
        return any(
            self.inside_of(impl, argument) is not None
            for layer in self.types.layers(written)[-1:]
            if isinstance(layer, Concrete)
            for argument in self.types.arguments(layer)
        )

    def inside_of(self, impl: Impl, written: Written) -> Inside | None:
        """The first layer of a type that has the impl's trait."""
        return next((layer for layer in self.types.layers(written) if self.has_trait(impl, layer)), None)

    def has_trait(self, impl: Impl, layer: Inside) -> bool:
        """Whether a layer is known to implement the trait of an impl."""
        match layer:
            case Parameter(name=name):
                return self.types.implies(self.types.bounds_of(impl, name), impl.trait_path)
            case Object(traits=traits):
                return self.types.implies(traits, impl.trait_path)
            case Concrete(head=head):
                return head in self.types.heads_with(impl.trait_path)

    def is_enum(self, start: Written) -> bool:
        """Whether a self type is an enum of the workspace with payloads."""
        return any(
            isinstance(layer, Concrete) and bool(self.types.payloads(layer))
            for layer in self.types.layers(start)[:1]
        )

    # -- macros inside an impl --------------------------------------------------------

    def macro_methods(
        self, impl: Impl
    ) -> tuple[tuple[str, ...], frozenset[str], tuple[tuple[str, ...], ...]]:
        """
        What macros from outside write into an impl.

        The methods of `delegate! { to self.inner { fn m(&self); } }`, all names
        that such macros hold, and the places that they delegate to.
        """
        items = self.bodies.tables.sources[impl.source].facts.items
        delegated: list[str] = []
        mentioned: set[str] = set()
        places: list[tuple[str, ...]] = []
        for item in items[impl.item_index + 1 :]:
            if impl.item.head.end <= item.head.start:
                break
            if not isinstance(item, MacroCallItem) or item.head.parent != impl.item_index or not item.path:
                continue
            if self.bodies.is_own_macro(f"{item.path[-1]}!"):
                continue
            if "delegate" in item.path[-1]:
                delegated.extend(re.findall(r"\bfn\s+([A-Za-z_][A-Za-z0-9_]*)", item.text))
                found = re.findall(r"\bself((?:\s*\.\s*[A-Za-z_0-9]+\b(?!\s*\())+)", item.text)
                places.extend(tuple(re.findall(r"[A-Za-z_0-9]+", one)) for one in found)
            mentioned.update(re.findall(r"[A-Za-z_][A-Za-z0-9_]*", item.text))
        return tuple(dict.fromkeys(delegated)), frozenset(mentioned), tuple(places)


def matches(pattern: str, path: str) -> bool:
    """Whether a trait's path matches a pattern by its last whole segments; `*` stays within a segment."""
    wanted, having = pattern.split("::"), path.split("::")
    if len(having) < len(wanted):
        return False
    return all(fnmatchcase(other, one) for one, other in zip(wanted, having[-len(wanted) :], strict=True))


def variant_of(steps: tuple[str, ...]) -> str:
    """The variant whose payload a place is; "" for other places."""
    last = next((step for step in steps if "." in step), "")
    return last.partition(".")[0]


def type_names(item: ImplItem) -> tuple[str, ...]:
    """The name of an impl's self type."""
    type_ = item.self_type
    while isinstance(type_, RefType):
        type_ = type_.inner
    return (type_.segments[-1].name,) if isinstance(type_, PathType) else ()
