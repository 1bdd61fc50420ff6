"""What is read of items."""

from __future__ import annotations

import pytest

from inroads.facts import (
    ArrayType,
    BindingPattern,
    ConstArgument,
    ConstItem,
    DynType,
    EnumItem,
    ExternBlockItem,
    ExternCrateItem,
    FunctionItem,
    FunctionType,
    ImplItem,
    ImplType,
    InferredType,
    MacroCallItem,
    MacroItem,
    MacroType,
    ModuleItem,
    NeverType,
    PathType,
    PointerType,
    RefType,
    Segment,
    SliceType,
    StructItem,
    TraitItem,
    TupleType,
    TypeAliasItem,
    TypeRef,
    UseItem,
)
from inroads.rust.extract import extract
from reading import facts_of, item_of


def path(*names: str) -> PathType:
    return PathType(tuple(Segment(name) for name in names))


def type_of(text: str) -> TypeRef | None:
    item = item_of(f"fn f() -> {text} {{}}")
    assert isinstance(item, FunctionItem)
    return item.returns


T, U, A, B = path("T"), path("U"), path("A"), path("B")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("T", T),
        ("a::b::T", path("a", "b", "T")),
        ("::a::T", path("", "a", "T")),
        ("Vec<T>", PathType((Segment("Vec", (T,)),))),
        (
            "a::Map<T, Vec<U>>",
            PathType((Segment("a"), Segment("Map", (T, PathType((Segment("Vec", (U,)),)))))),
        ),
        ("Cow<'a, T>", PathType((Segment("Cow", (T,)),))),
        ("I<Item = T>", PathType((Segment("I", (), (("Item", T),)),))),
        ("A<3, { N }>", PathType((Segment("A", (ConstArgument("3"), ConstArgument("{ N }"))),))),
        ("<T as a::B>::C", PathType((Segment("a"), Segment("B"), Segment("C")), T, 2)),
        ("<T>::C", PathType((Segment("C"),), T, 0)),
        ("&T", RefType(T)),
        ("&'a mut T", RefType(T, True)),
        ("*const T", PointerType(T)),
        ("*mut T", PointerType(T, True)),
        ("()", TupleType()),
        ("(T,)", TupleType((T,))),
        ("(T, U)", TupleType((T, U))),
        ("(T)", T),
        ("[T]", SliceType(T)),
        ("[T; N + 1]", ArrayType(T, "N + 1")),
        ("fn(T, x: U) -> A", FunctionType((T, U), A)),
        ('unsafe extern "C" fn()', FunctionType()),
        ("!", NeverType()),
        ("_", InferredType()),
        ("dyn A + Send", DynType((A, path("Send")))),
        ("&(dyn A + 'a)", RefType(DynType((A,)))),
        ("impl A + ?Sized + B", ImplType((A, B))),
        ("impl Fn(T) -> U", ImplType((PathType((Segment("Fn", (TupleType((T,)),), (("Output", U),)),)),))),
        (
            "Box<dyn for<'a> Fn(&'a T)>",
            PathType(
                (
                    Segment(
                        "Box",
                        (
                            DynType(
                                (
                                    PathType(
                                        (
                                            Segment(
                                                "Fn", (TupleType((RefType(T),)),), (("Output", TupleType()),)
                                            ),
                                        )
                                    ),
                                )
                            ),
                        ),
                    ),
                )
            ),
        ),
        ("r#type::r#T", path("type", "T")),
    ],
)
def test_a_type_is_kept_as_written(text: str, expected: TypeRef) -> None:
    assert type_of(text) == expected


def test_a_macro_in_type_position_tells_where_its_tokens_begin() -> None:
    text = "fn f() -> m::n![a b] {}"
    assert type_of("m::n![a b]") == MacroType(("m", "n"), "[a b]", text.index("["))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("self", "value"),
        ("mut self", "value"),
        ("&self", "ref"),
        ("&'a self", "ref"),
        ("&mut self", "mut"),
        ("&'a mut self", "mut"),
        ("self: Box<Self>", "typed"),
        ("", None),
    ],
)
def test_the_receiver_is_told_from_parameters(text: str, expected: str | None) -> None:
    item = item_of(f"impl X {{ fn f({text}) {{}} }}", 1)
    assert isinstance(item, FunctionItem)
    assert item.receiver == expected
    assert item.parameters == ()


def test_a_function_has_its_modifiers() -> None:
    item = item_of('pub(crate) async unsafe extern "system" fn f<T: A, const N: u8>(mut x: T) where T: B {}')
    assert isinstance(item, FunctionItem)
    assert (item.is_async, item.is_unsafe, item.is_const, item.abi) == (True, True, False, "system")
    assert item.head.visibility == "crate"
    assert [one.name for one in item.generics.parameters] == ["T", "N"]
    assert item.generics.parameters[0].bounds == (A,)
    assert item.generics.where == ((T, (B,)),)
    assert isinstance(item.parameters[0].pattern, BindingPattern)
    assert item.parameters[0].pattern.mutable
    assert item.returns is None


def test_a_head_tells_the_places() -> None:
    text = '/// doc\n#[a(b)]\n#[c = "d"]\npub fn name() {}\n'
    head = item_of(text).head
    assert text[head.start : head.end] == "pub fn name() {}"
    assert text[head.name_at :].startswith("name()")
    assert head.full_start == 0
    assert head.doc
    assert [(one.path, one.text) for one in head.attributes] == [("a", "b"), ("c", '"d"')]


def test_items_know_what_holds_them() -> None:
    facts = facts_of("mod a { trait T { fn f() { fn g() {} } } } fn h() {}")
    assert [(item.head.name, item.head.parent) for item in facts.items] == [
        ("a", None),
        ("T", 0),
        ("f", 1),
        ("g", 2),
        ("h", None),
    ]


def test_an_item_in_a_body_knows_its_block() -> None:
    text = "fn f() { if x { struct S; } }"
    head = facts_of(text).items[1].head
    assert head.block is not None
    assert text[slice(*head.block)] == "{ struct S; }"


def test_structs_have_their_form_and_fields() -> None:
    forms = {}
    for item in facts_of(
        "struct A; struct B(pub T, U); struct C { x: T, pub(super) y: U } union D { x: T }"
    ).items:
        assert isinstance(item, StructItem)
        forms[item.head.name] = (item.form, [(one.name, one.visibility) for one in item.fields])
    assert forms == {
        "A": ("unit", []),
        "B": ("tuple", [("0", "pub"), ("1", "")]),
        "C": ("named", [("x", ""), ("y", "super")]),
        "D": ("union", [("x", "")]),
    }


def test_an_enum_has_its_variants() -> None:
    item = item_of("enum E { A, #[x] B(T), C { y: U }, D = 5 }")
    assert isinstance(item, EnumItem)
    assert [(one.name, one.form, len(one.attributes)) for one in item.variants] == [
        ("A", "unit", 0),
        ("B", "tuple", 1),
        ("C", "named", 0),
        ("D", "unit", 0),
    ]


def test_traits_and_impls() -> None:
    trait, alias, impl, negative = facts_of(
        "trait T: A + B { type X: A; } impl<U> T for Vec<U> {} impl !T for u8 {}"
    ).items
    assert isinstance(trait, TraitItem)
    assert trait.supertraits == (A, B)
    assert isinstance(alias, TypeAliasItem)
    assert (alias.type, alias.bounds) == (None, (A,))
    assert isinstance(impl, ImplItem)
    assert (impl.trait, impl.self_type, impl.negative) == (T, PathType((Segment("Vec", (U,)),)), False)
    assert isinstance(negative, ImplItem)
    assert negative.negative


def test_constants_have_bodies() -> None:
    facts = facts_of("const A: T = f(); static mut B: T = g(); trait X { const C: T; }")
    constants = [item for item in facts.items if isinstance(item, ConstItem)]
    assert [(one.head.name, one.is_static, one.body) for one in constants] == [
        ("A", False, 0),
        ("B", True, 1),
        ("C", False, None),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("use a::b;", [("a", "b")]),
        ("use a::{b, c::{d, e}};", [("a", "b"), ("a", "c", "d"), ("a", "c", "e")]),
        ("use a::{self, b};", [("a",), ("a", "b")]),
        ("use ::a;", [("", "a")]),
        ("use crate::a;", [("crate", "a")]),
        ("use {a, b::c};", [("a",), ("b", "c")]),
        ("use super::super::a;", [("super", "super", "a")]),
    ],
)
def test_a_use_tree_is_flattened(text: str, expected: list[tuple[str, ...]]) -> None:
    item = item_of(text)
    assert isinstance(item, UseItem)
    assert [entry.path for entry in item.entries] == expected


def test_use_has_aliases_and_globs() -> None:
    item = item_of("use a::{b as c, d as _, e::*, self as f};")
    assert isinstance(item, UseItem)
    assert [(entry.path, entry.alias, entry.glob) for entry in item.entries] == [
        (("a", "b"), "c", False),
        (("a", "d"), "_", False),
        (("a", "e"), "", True),
        (("a",), "f", False),
    ]


def test_modules_externs_and_macros() -> None:
    text = (
        'mod a; mod b {} extern crate c as d; extern "C" { fn e(); } macro_rules! m { () => {} } n::o! { x }'
    )
    a, b, c, block, e, m, call = facts_of(text).items
    assert isinstance(a, ModuleItem) and not a.inline
    assert isinstance(b, ModuleItem) and b.inline
    assert isinstance(c, ExternCrateItem) and c.alias == "d"
    assert isinstance(block, ExternBlockItem) and block.abi == "C"
    assert e.head.parent == 3
    assert isinstance(m, MacroItem) and text[m.text_at :].startswith(m.text) and m.text == "{ () => {} }"
    assert isinstance(call, MacroCallItem)
    assert (call.path, call.text) == (("n", "o"), "{ x }")
    assert text[call.text_at :].startswith("{ x }")


def test_inner_attributes_are_those_of_the_file() -> None:
    assert [one.path for one in facts_of("#![a]\nmod b { #![c] }").inner] == ["a"]


def test_comments_are_kept_and_documentation_is_not() -> None:
    text = '/// doc\n//! inner\n// one\nfn f() { g("// no"); /* two */ h(\'"\', r#"// no"#) } //three\n'
    text += "//// four\n/** d */"
    found = [(one.text, one.alone) for one in facts_of(text).comments]
    assert found == [("one", True), ("two", False), ("three", False), ("four", True)]


def test_comments_in_macro_calls_are_kept() -> None:
    assert [one.text for one in facts_of("fn f() { m!(a, // here\n b); }").comments] == ["here"]


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("fn f() { a() }", "fn f() { b() }", True),
        ("fn f() -> impl A { a() }", "fn f() -> impl A { b() }", False),
        ("fn f() { a() }", "fn f(x: T) { a() }", False),
        ("fn f() { use a::b; }", "fn f() { use a::c; }", False),
        ("fn f() { m! { a } }", "fn f() { m! { b } }", False),
        ("fn f() { vec![a] }", "fn f() { vec![b] }", True),
        ("const A: T = a();", "const A: T = b();", True),
    ],
)
def test_the_skeleton_digest_looks_into_no_plain_body(before: str, after: str, same: bool) -> None:
    first, second = extract(before.encode()), extract(after.encode())
    assert (first.skeleton_digest == second.skeleton_digest) is same


def test_equal_bodies_have_equal_data_wherever_they_stand() -> None:
    first, second = facts_of("fn a() { x(1) }\n\nfn b() { x(1) }").bodies
    assert first.data == second.data
