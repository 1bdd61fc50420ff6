"""
The nouns of a linked program: what `modules.link_names` builds from skeletons,
and what judging a function adds.

Inference asks `Tables` for:

* `resolve(module, path, namespace) -> Definition | None` (namespace "type",
  "value" or "macro"; the whole path or nothing, so that for `Kind::new` one
  asks for `Kind` and keeps `new`; prelude names are found too, as foreign);
* `body_module(function) -> module`: where the names of a body are looked up,
  an anonymous module if the body declares items or has `use` in it;
* `traits_in_scope(module) -> frozenset[int | str]`: TraitIds, and the paths of
  foreign traits, that a method call there may use (blocks, `as _`, globs);
* `functions_named(name) -> tuple[int, ...]`, `impls`, `types`, `traits`,
  `functions`, `sources`, `crates`;
* `constants`: a list with `item` (ConstItem), `path`, `module` for each const
  and static, which `Definition.id` indexes.

Ids are indices into the lists of `Tables`. Everything here is built once,
in an order that does not depend on the order of the files, and then only read.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

from inroads.facts import (
    Body,
    ConstItem,
    FunctionItem,
    How,
    ImplItem,
    MacroItem,
    Position,
    Problem,
    Signature,
    TraitItem,
    TypeAliasItem,
)
from inroads.resolve.sources import Places, Source
from inroads.resolve.types import Type


class Crate(msgspec.Struct, array_like=True):
    """
    A target: `name` with underscores; `kind` is lib, bin, test, example, bench, build.

    `test` for tests and benches; `helper` for those of a package that others have for their tests only.
    """

    id: int
    name: str
    kind: str
    root: str
    edition: str
    dependencies: dict[str, int]
    module: int
    test: bool
    helper: bool = False


Made = TypeVar("Made")


class Noun(msgspec.Struct, array_like=True):
    """
    What an item of a source declares.

    Args:
        source, item_index: Where the item stands.
        module: ModuleId where its names are looked up.
        places: Who knows the items, and lines and columns.
    """

    id: int
    source: int
    item_index: int
    crate: int
    module: int
    places: Places

    @property
    def position(self) -> Position:
        """Where its name stands."""
        return self.places.position(self.source, self.places.item(self.source, self.item_index).head.name_at)

    def made_from(self, kind: type[Made]) -> Made:
        """The item, which is of this kind."""
        found = self.places.item(self.source, self.item_index)
        assert isinstance(found, kind)
        return found


class Function(Noun):
    """
    A function, method, or associated function, as seen by all others.

    Args:
        path:
            For people and patterns: `crate::module::Type::name`; a method of a
            trait `crate::module::Trait::name`; of an impl the self type's path.
        receiver: As in `FunctionItem`.
        body: Its body among those of the source, None where it has none.
        impl: ImplId if it stands in an impl, else None.
        trait: TraitId if it is declared in a trait (a default body or a declaration), else None.
        parent: The function whose body declares it, else None.
        test: Compiled only for tests or benches.
        active: False where cfg switches it off under the one configuration.
    """

    name: str
    path: str
    receiver: str | None
    body: int | None
    impl: int | None
    trait: int | None
    parent: int | None
    test: bool
    active: bool

    @property
    def item(self) -> FunctionItem:
        """What it was made from; of an initialiser, a function without parameters."""
        found = self.places.item(self.source, self.item_index)
        if isinstance(found, FunctionItem):
            return found
        assert isinstance(found, ConstItem)
        return FunctionItem(found.head, Signature(returns=found.type), None, found.body)

    @property
    def has_body(self) -> bool:
        """Whether a body was written."""
        return self.body is not None


class TypeDefinition(Noun):
    """A struct, enum, union or alias: its item is `sources[source].facts.items[item_index]`."""

    name: str
    path: str
    kind: str
    test: bool
    active: bool


class Trait(Noun):
    """
    A trait; `methods` maps a name to the FunctionId of its declaration, `aliases` one to where an associated
    type stands: its source, which is another one where a macro makes it, and its index there.

    `impls` are the ImplIds that name it.
    """

    name: str
    path: str
    test: bool
    active: bool
    methods: dict[str, int] = msgspec.field(default_factory=dict)
    aliases: dict[str, tuple[int, int]] = msgspec.field(default_factory=dict)
    impls: list[int] = msgspec.field(default_factory=list)

    @property
    def item(self) -> TraitItem:
        """What it was made from."""
        return self.made_from(TraitItem)

    @property
    def types(self) -> dict[str, TypeAliasItem]:
        """Its associated types by name."""
        return _aliases(self)


class Impl(Noun):
    """
    An impl block; `trait` is a TraitId, None for inherent ones and traits from
    outside, whose path stands in `trait_path` ("" for inherent). `head` is the
    key of its self type's outermost constructor, see `impls.head_of`.
    """

    trait: int | None
    trait_path: str
    inherent: bool
    negative: bool
    test: bool
    active: bool
    methods: dict[str, int] = msgspec.field(default_factory=dict)
    aliases: dict[str, tuple[int, int]] = msgspec.field(default_factory=dict)
    head: str = ""

    @property
    def item(self) -> ImplItem:
        """What it was made from."""
        return self.made_from(ImplItem)

    @property
    def position(self) -> Position:
        """Where it begins."""
        return self.places.position(self.source, self.item.head.start)

    @property
    def types(self) -> dict[str, TypeAliasItem]:
        """Its associated types by name."""
        return _aliases(self)


def _aliases(holder: Trait | Impl) -> dict[str, TypeAliasItem]:
    found: dict[str, TypeAliasItem] = {}
    for name, (source, index) in holder.aliases.items():
        item = holder.places.item(source, index)
        assert isinstance(item, TypeAliasItem)
        found[name] = item
    return found


class Definition(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """
    What a path names.

    Args:
        kind:
            module, type (struct, enum, union, alias), trait, variant, function,
            const, static, macro, primitive, foreign (outside the workspace).
        id:
            Index into the list of `Tables` for that kind; for a variant its
            enum's TypeId; None for primitive and foreign.
        path: Whole, with the crate's name first: `std::fs::rename`, `my_crate::kind::Kind::Empty`.
        name: The last segment: a variant's name.
    """

    kind: str
    id: int | None
    path: str
    name: str = ""


class Constant(Noun):
    """A const or static, associated ones too; fields as in `Function`."""

    name: str
    path: str
    impl: int | None
    trait: int | None
    test: bool
    active: bool

    @property
    def item(self) -> ConstItem:
        """What it was made from."""
        return self.made_from(ConstItem)


class Macro(Noun):
    """
    A `macro_rules!` definition.

    Args:
        mark: What `$crate` becomes in its expansions: an identifier that names the defining crate.
        exported: Whether `#[macro_export]` puts it at the crate's root.
    """

    name: str
    path: str
    mark: str
    exported: bool

    @property
    def item(self) -> MacroItem:
        """What it was made from."""
        return self.made_from(MacroItem)

    @property
    def text(self) -> str:
        """The rules with their delimiters."""
        return self.item.text

    @property
    def text_at(self) -> int:
        """Where the rules begin in the source."""
        return self.item.text_at


class Import(msgspec.Struct, array_like=True):
    """
    One leaf of a `use`, or an `extern crate`.

    Args:
        module: Where it stands.
        path: As written; an `extern crate` is `("", name)`.
        name: What it is called here; "*" for a glob, "_" for a trait without a name.
        private: Without `pub`.
        order: Where it stands among the textual scopes of macros.
        found: Namespace -> what it names, once asked for.
    """

    module: int
    path: tuple[str, ...]
    name: str
    private: bool
    test: bool
    active: bool
    order: tuple[int, ...]
    source: int
    found: dict[str, Definition | None] = msgspec.field(default_factory=dict)


class Module(msgspec.Struct, array_like=True):
    """
    A module, or the anonymous module of a block that declares items.

    Args:
        kind: root, file, inline, block, or orphan (a file that no `mod` reaches).
        parent: The module around; None for a root and an orphan.
        types, values, macros: The names declared here, a name's best definition where cfg gives several.
        private: Names declared here without `pub`.
        imports: Name -> the `use` entries that bring it in; several under different cfg.
        globs: Glob imports; `glob_targets` is as long, None where the target is not (yet) known.
        traits: `use .. as _` entries.
    """

    id: int
    name: str
    path: str
    crate: int
    parent: int | None
    kind: str
    source: int
    edition: str
    test: bool
    active: bool
    types: dict[str, Definition] = msgspec.field(default_factory=dict)
    values: dict[str, Definition] = msgspec.field(default_factory=dict)
    macros: dict[str, Definition] = msgspec.field(default_factory=dict)
    private: set[str] = msgspec.field(default_factory=set)
    imports: dict[str, list[Import]] = msgspec.field(default_factory=dict)
    globs: list[Import] = msgspec.field(default_factory=list)
    glob_targets: list[Definition | None] = msgspec.field(default_factory=list)
    traits: list[Import] = msgspec.field(default_factory=list)


class Local(msgspec.Struct):
    """
    A binding of a judged body: parameter, `self`, or a pattern's name.

    `row` is the row that introduces it, None for parameters.
    """

    id: int
    name: str
    type: Type
    mutable: bool
    row: int | None
    parameter: int | None = None


class Target(msgspec.Struct, frozen=True):
    """What a call may run: a function of the workspace, or (function None) one outside, known by its path."""

    path: str
    function: int | None = None


class Call(msgspec.Struct, frozen=True):
    """
    A call of a judged body.

    Args:
        row: The CallRow, MethodCallRow, MacroRow or other row that makes the call.
        kind:
            path, method, macro (a log or format macro from outside, by its
            path), operator, desugar (for, ?, await), value (a function named
            as a value), drop, closure (a local closure called).
        targets: All that may run; empty where nothing is known.
        declared:
            What the call names: the trait's own method for trait calls
            (pattern `Trait::method` matches it), else the one target.
        how, via: See facts.How.
        arguments: Rows, the receiver first for method calls.
        closures: Closure header rows, and paths, among the arguments that the callee may run, with when they run
            (always ok err some none each later spawned).
        returns: The type of the call's value.
    """

    row: int
    kind: str
    targets: tuple[Target, ...]
    declared: Target | None
    how: How
    via: tuple[How, ...]
    arguments: tuple[int, ...]
    closures: tuple[tuple[int, str], ...]
    returns: Type


class Judged(msgspec.Struct):
    """
    A function with its macros expanded, its names bound, its receivers typed and its calls resolved.

    Args:
        body: The expanded body; an expansion is a BlockRow of kind "expansion".
        origin: For each row, the source id that its span points into.
        base:
            For each source id in `origin`, the offset that is added to a row's
            span to get an offset of that source's text.
        types: For each row its type.
        locals: All bindings; parameters first, `self` at 0 where there is a receiver.
        uses: Row of a variable -> id of the local that it names.
        bound:
            (row, start of the BindingPattern) -> id of the local that the pattern
            introduces. The row of the function's own parameters is -1, and the
            starts of their patterns are those of `FunctionItem.parameters`.
        calls: Row -> its call.
        paths:
            PathRow, StructRow -> the resolved path (of constants, statics,
            variants, functions, types), for patterns.
        pattern_paths: (row, start of the pattern) -> the resolved path of a path, struct or unit pattern.
        sources: The expansions made for this body, by the ids in `origin` that are not in `Tables.sources`.
        problems: Macros that did not expand.
        implied:
            Calls that nobody wrote, beside those of the rows: dereferencing a
            receiver, the next turn of a `for`, the conversion in a `?`.
        captured: (MacroRow, local) for each local that a format string names, as `"{e:?}"` does.
    """

    function: int
    body: Body
    origin: list[int]
    base: dict[int, int]
    types: list[Type]
    locals: list[Local]
    uses: dict[int, int]
    bound: dict[tuple[int, int], int]
    calls: dict[int, Call]
    paths: dict[int, str]
    pattern_paths: dict[tuple[int, int], str]
    sources: dict[int, Source] = msgspec.field(default_factory=dict)
    problems: list[Problem] = msgspec.field(default_factory=list)
    implied: list[Call] = msgspec.field(default_factory=list)
    captured: tuple[tuple[int, int], ...] = ()
