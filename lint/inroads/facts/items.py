"""The items of a file, as written: flat, each with the index of the item that holds it."""

from __future__ import annotations

from typing import Any, TypeAlias

from inroads.facts.written import Attribute, Generics, Parameter, Plain, Tagged, TypeRef


class ItemHead(Plain, frozen=True):
    """
    What all items share.

    Args:
        parent:
            Index of the module, trait, impl, extern block or function that
            holds this item; None at the top of the file. An item inside a
            body has the function (or const, static) as parent.
        start, end:
            The item without outer attributes and doc comments; `start` is
            where `pub`, `fn`, ... begins.
        name_at:
            Where the name begins; equals `start` where there is no name.
        full_start:
            Where its first attribute or doc comment begins.
        block:
            For an item inside a body, the (start, end) of the block that
            holds it, in the file's bytes; None elsewhere.
        visibility:
            "" private, "pub", or what stands inside `pub(..)`: "crate",
            "super", "self", "in a::b".
    """

    name: str
    parent: int | None
    start: int
    end: int
    name_at: int
    full_start: int
    visibility: str = ""
    attributes: tuple[Attribute, ...] = ()
    block: tuple[int, int] | None = None
    doc: bool = False


class Signature(Plain, frozen=True):
    """What a function takes and gives; `receiver_type` where one is written, `returns` None for unit."""

    generics: Generics = Generics()
    receiver_type: TypeRef | None = None
    parameters: tuple[Parameter, ...] = ()
    returns: TypeRef | None = None


class Late:
    """
    Stands for a value until something of it is asked for.

    Whoever makes one says how `now` finds the value. It has the value's attributes, and is equal to it.
    """

    __slots__ = ()

    def now(self) -> object:
        """The value."""
        # Each way of being late has its own; nobody makes one of this class itself.
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        return getattr(self.now(), name)

    def __eq__(self, other: object) -> bool:
        return self.now() == (other.now() if isinstance(other, Late) else other)

    def __hash__(self) -> int:
        return hash(self.now())

    def __repr__(self) -> str:
        return repr(self.now())


class FunctionItem(Tagged, frozen=True, tag=100):
    """
    A function, with its signature as written.

    `receiver` is None, "value" (`self`), "ref" (`&self`), "mut" (`&mut self`)
    or "typed" (`self: T`, with `receiver_type`). `parameters` leaves the
    receiver out. `body` is the index in `FileFacts.bodies`, None where there
    is none. `returns` None means unit.
    """

    head: ItemHead
    written: Signature
    receiver: str | None
    body: int | None
    is_async: bool = False
    is_unsafe: bool = False
    is_const: bool = False
    abi: str | None = None

    @property
    def generics(self) -> Generics:
        """Its type and const parameters."""
        return self.written.generics

    @property
    def receiver_type(self) -> TypeRef | None:
        """The type of the receiver, where one is written."""
        return self.written.receiver_type

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Without the receiver."""
        return self.written.parameters

    @property
    def returns(self) -> TypeRef | None:
        """None for unit."""
        return self.written.returns


class FieldDefinition(Plain, frozen=True):
    """A field; a tuple struct's fields are named "0", "1", ...; `pinned` if it stands under `#[pin]`."""

    name: str
    type: TypeRef
    visibility: str = ""
    start: int = 0
    pinned: bool = False


class Fields(Plain, frozen=True):
    """What a struct is made of."""

    generics: Generics = Generics()
    fields: tuple[FieldDefinition, ...] = ()


class StructItem(Tagged, frozen=True, tag=101):
    """A struct or union; form is named, tuple, unit or union."""

    head: ItemHead
    form: str
    written: Fields

    @property
    def generics(self) -> Generics:
        """Its type and const parameters."""
        return self.written.generics

    @property
    def fields(self) -> tuple[FieldDefinition, ...]:
        """In the order in which they are written."""
        return self.written.fields


class Variant(Plain, frozen=True):
    """A variant of an enum; form is named, tuple or unit."""

    name: str
    start: int
    fields: tuple[FieldDefinition, ...] = ()
    form: str = "unit"
    attributes: tuple[Attribute, ...] = ()


class Variants(Plain, frozen=True):
    """What an enum is made of."""

    generics: Generics = Generics()
    variants: tuple[Variant, ...] = ()


class EnumItem(Tagged, frozen=True, tag=102):
    """An enum."""

    head: ItemHead
    written: Variants

    @property
    def generics(self) -> Generics:
        """Its type and const parameters."""
        return self.written.generics

    @property
    def variants(self) -> tuple[Variant, ...]:
        """In the order in which they are written."""
        return self.written.variants


class TraitItem(Tagged, frozen=True, tag=103):
    """A trait; its methods, types and consts are items whose parent it is. `supertraits` are bounds."""

    head: ItemHead
    generics: Generics
    supertraits: tuple[TypeRef, ...] = ()


class ImplItem(Tagged, frozen=True, tag=104):
    """`impl<..> Trait for Type`; `trait` None for an inherent impl."""

    head: ItemHead
    generics: Generics
    trait: TypeRef | None
    self_type: TypeRef
    negative: bool = False


class TypeAliasItem(Tagged, frozen=True, tag=105):
    """`type A<T> = B;`, also an associated type (with `bounds`, or `type` None where only declared)."""

    head: ItemHead
    generics: Generics
    type: TypeRef | None
    bounds: tuple[TypeRef, ...] = ()


class ConstItem(Tagged, frozen=True, tag=106):
    """`const A: T = body;` or `static A: T = body;`."""

    head: ItemHead
    type: TypeRef
    body: int | None
    is_static: bool = False


class UseEntry(Plain, frozen=True):
    """One leaf of a use tree: the whole path, the alias ("" for none, "_" allowed), whether it ends in `*`."""

    path: tuple[str, ...]
    alias: str = ""
    glob: bool = False
    start: int = 0


class UseItem(Tagged, frozen=True, tag=107):
    """`use` with its tree flattened; a leading `::` is a first segment with the empty name."""

    head: ItemHead
    entries: tuple[UseEntry, ...]


class ModuleItem(Tagged, frozen=True, tag=108):
    """`mod a;` (inline false) or `mod a { .. }`."""

    head: ItemHead
    inline: bool


class MacroItem(Tagged, frozen=True, tag=109):
    """`macro_rules! name { rules }`: the text of the rules with delimiters, and where it begins."""

    head: ItemHead
    text: str
    text_at: int


class MacroCallItem(Tagged, frozen=True, tag=110):
    """A macro call in item position: a hole. `text` is the token tree with delimiters, at `text_at`."""

    head: ItemHead
    path: tuple[str, ...]
    text: str
    text_at: int


class ExternCrateItem(Tagged, frozen=True, tag=111):
    """`extern crate name as alias;`."""

    head: ItemHead
    alias: str = ""


class ExternBlockItem(Tagged, frozen=True, tag=112):
    """`extern "C" { .. }`; its functions and statics are items whose parent it is."""

    head: ItemHead
    abi: str = "C"


Item: TypeAlias = (
    FunctionItem
    | StructItem
    | EnumItem
    | TraitItem
    | ImplItem
    | TypeAliasItem
    | ConstItem
    | UseItem
    | ModuleItem
    | MacroItem
    | MacroCallItem
    | ExternCrateItem
    | ExternBlockItem
)
