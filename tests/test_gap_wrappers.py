"""Which impls are wrappers, what they forget, and what must stay quiet."""

from __future__ import annotations

import pytest

from gap_program import gaps, program_of
from inroads.analyses.gap.bodies import Bodies
from inroads.analyses.gap.inner import Types
from inroads.analyses.gap.traits import shipped
from inroads.analyses.gap.wrappers import Search

TRAIT = """
pub trait Model {
    fn forward(&self, x: u32) -> u32;
    fn layers(&self) -> usize;
    fn can_pad(&self) -> bool { true }
}
pub struct Dense;
impl Model for Dense {
    fn forward(&self, x: u32) -> u32 { x }
    fn layers(&self) -> usize { 1 }
}
pub struct Hybrid;
impl Model for Hybrid {
    fn forward(&self, x: u32) -> u32 { x + 1 }
    fn layers(&self) -> usize { 4 }
    fn can_pad(&self) -> bool { self.layers() == 0 }
}
"""


def forgotten(text: str, **keys: bool) -> list[str]:
    """The methods that findings name, sorted."""
    return sorted(callee.rpartition("::")[2] for one in gaps(TRAIT + text, **keys) for callee in one.callees)


def body(place: str) -> str:
    """Two forwards to a place."""
    return f"""{{
        fn forward(&self, x: u32) -> u32 {{ {place}.forward(x) }}
        fn layers(&self) -> usize {{ {place}.layers() }}
    }}"""


FIELDS = [
    ("struct W { inner: Hybrid }", "impl Model for W", "self.inner"),
    ("struct W(Hybrid);", "impl Model for W", "self.0"),
    ("struct W { inner: Box<Hybrid> }", "impl Model for W", "self.inner"),
    ("struct W { inner: std::sync::Arc<Hybrid> }", "impl Model for W", "self.inner"),
    ("struct W<'a> { inner: &'a Hybrid }", "impl Model for W<'_>", "self.inner"),
    ("struct W { inner: std::sync::Mutex<Hybrid> }", "impl Model for W", "self.inner.lock().unwrap()"),
    ("struct W { inner: std::cell::RefCell<Box<Hybrid>> }", "impl Model for W", "self.inner.borrow()"),
    ("struct W { inner: Option<Hybrid> }", "impl Model for W", "self.inner.as_ref().unwrap()"),
    ("struct W { inner: Box<dyn Model> }", "impl Model for W", "self.inner"),
    ("struct W { inner: std::rc::Rc<dyn Model + Send> }", "impl Model for W", "self.inner"),
    ("struct W<M> { inner: M }", "impl<M: Model> Model for W<M>", "self.inner"),
    ("struct W<M> { inner: M }", "impl<M> Model for W<M> where M: Model + Send", "self.inner"),
    ("struct W<M: ?Sized> { inner: Box<M> }", "impl<M: Model + ?Sized> Model for W<M>", "self.inner"),
    ("trait Sub: Model {} struct W<M> { inner: M }", "impl<M: Sub> Model for W<M>", "self.inner"),
    ("type Inner = Box<Hybrid>; struct W { inner: Inner }", "impl Model for W", "self.inner"),
    ("struct Core { model: Hybrid } struct W { core: Core }", "impl Model for W", "self.core.model"),
    ("struct W<M = Hybrid> { inner: M }", "impl Model for W", "self.inner"),
    ("struct W { i: Hybrid } impl W { fn inner(&self) -> &Hybrid { &self.i } }", "impl Model for W", "self.inner()"),
    ("struct W { i: Hybrid } impl W { fn get(&self) -> Option<&Hybrid> { Some(&self.i) } }", "impl Model for W",
     "self.get().unwrap()"),
    ("struct W(Hybrid); impl std::ops::Deref for W { type Target = Hybrid; fn deref(&self) -> &Hybrid { &self.0 } }",
     "impl Model for W", "(**self)"),
    ("struct W(Hybrid); impl std::ops::Deref for W { type Target = Hybrid; fn deref(&self) -> &Hybrid { &self.0 } }",
     "impl Model for W", "self.deref()"),
    ("static INNER: Hybrid = Hybrid; struct W;", "impl Model for W", "INNER"),
    ("struct W;", "impl Model for W", "Hybrid"),
]  # fmt: skip


@pytest.mark.parametrize(("types", "head", "place"), FIELDS)
def test_an_inner_value_is_found_in_whatever_holds_it(types: str, head: str, place: str) -> None:
    assert forgotten(f"{types}\n{head} {body(place)}") == ["can_pad"]


POINTERS = [
    "impl<M: Model> Model for Box<M>",
    "impl<M: Model + ?Sized> Model for std::sync::Arc<M>",
    "impl<'a, M: Model> Model for &'a M",
    "impl<M> Model for &mut M where M: Model",
    "impl Model for Box<dyn Model>",
    "impl Model for std::rc::Rc<Hybrid>",
]


@pytest.mark.parametrize("head", POINTERS)
def test_a_pointer_is_a_wrapper_of_what_it_points_at(head: str) -> None:
    assert forgotten(f"{head} {body('(**self)')}") == ["can_pad"]


def test_a_pointer_may_forward_nothing_at_all() -> None:
    text = """
    pub trait Hook { fn on(&self) {} fn off(&self) {} }
    struct Count(u32);
    impl Hook for Count { fn on(&self) { self.0; } }
    impl<H: Hook> Hook for Box<H> {}
    """
    (found,) = gaps(text)
    assert found.message == "`Box<H>` forwards nothing of `Hook` to its `H`, and forgets `on` and `off`"


def test_an_empty_impl_of_a_struct_is_no_wrapper() -> None:
    text = """
    pub trait Hook { fn on(&self) {} }
    struct Count(u32);
    impl Hook for Count { fn on(&self) { self.0; } }
    struct W { count: Count }
    impl Hook for W {}
    """
    assert gaps(text) == []


def test_a_concrete_inner_value_without_override_is_quiet() -> None:
    assert forgotten(f"struct W {{ inner: Dense }} impl Model for W {body('self.inner')}", forced=True) == []


def test_a_concrete_inner_value_is_sure_and_a_generic_one_maybe() -> None:
    (sure,) = gaps(f"{TRAIT} struct W {{ inner: Hybrid }} impl Model for W {body('self.inner')}")
    (maybe,) = gaps(f"{TRAIT} struct W<M> {{ inner: M }} impl<M: Model> Model for W<M> {body('self.inner')}")
    assert (sure.certainty, maybe.certainty) == ("sure", "maybe")


def test_an_override_that_says_what_the_default_says_is_none() -> None:
    text = """
    pub trait Hook { fn run(&self) -> u32; fn ready(&self) -> bool { true } }
    struct Count(u32);
    impl Hook for Count { fn run(&self) -> u32 { self.0 } fn ready(&self) -> bool { true } }
    struct W { count: Count }
    impl Hook for W { fn run(&self) -> u32 { self.count.run() } }
    """
    assert gaps(text, forced=True) == []


def test_an_override_that_only_forwards_is_no_override_of_a_generic_inner_value() -> None:
    text = f"""
    {TRAIT.replace("fn can_pad(&self) -> bool { self.layers() == 0 }", "")}
    impl<M: Model> Model for Box<M> {{
        fn forward(&self, x: u32) -> u32 {{ (**self).forward(x) }}
        fn layers(&self) -> usize {{ (**self).layers() }}
        fn can_pad(&self) -> bool {{ (**self).can_pad() }}
    }}
    struct W<M> {{ inner: M }}
    impl<M: Model> Model for W<M> {body("self.inner")}
    """
    assert gaps(text, forced=True) == []


def test_an_override_in_test_code_does_not_count() -> None:
    text = f"""
    {TRAIT.replace("fn can_pad(&self) -> bool { self.layers() == 0 }", "")}
    #[cfg(test)]
    mod tests {{
        struct Fussy;
        impl super::Model for Fussy {{
            fn forward(&self, x: u32) -> u32 {{ x }}
            fn layers(&self) -> usize {{ 9 }}
            fn can_pad(&self) -> bool {{ false }}
        }}
    }}
    struct W<M> {{ inner: M }}
    impl<M: Model> Model for W<M> {body("self.inner")}
    """
    assert gaps(text, forced=True) == []


def test_a_wrapper_in_test_code_is_quiet() -> None:
    text = f"#[cfg(test)] mod tests {{ use super::*; struct W(Hybrid); impl Model for W {body('self.0')} }}"
    assert forgotten(text, forced=True) == []


def test_few_forwards_make_no_wrapper() -> None:
    text = """
    struct Node { child: Box<dyn Model> }
    impl Model for Node {
        fn forward(&self, x: u32) -> u32 { self.child.forward(x) + 1 }
        fn layers(&self) -> usize { self.child.layers() }
    }
    """
    assert forgotten(text, forced=True) == []


def test_a_node_with_several_children_is_no_wrapper_of_one() -> None:
    text = """
    pub trait Expr { fn kind(&self) -> u8; fn constant(&self) -> Option<u8> { None } }
    pub struct Literal(u8);
    impl Expr for Literal { fn kind(&self) -> u8 { 0 } fn constant(&self) -> Option<u8> { Some(self.0) } }
    pub struct Call { list: Box<dyn Expr>, callee: Box<dyn Expr> }
    impl Expr for Call { fn kind(&self) -> u8 { self.callee.kind() } }
    """
    assert gaps(text, forced=True) == []


def test_two_inner_values_that_both_get_the_call_are_a_wrapper() -> None:
    text = """
    pub trait Hook { fn on(&mut self, x: u32); fn off(&mut self, _x: u32) {} }
    pub struct Log(Vec<u32>);
    impl Hook for Log { fn on(&mut self, x: u32) { self.0.push(x) } fn off(&mut self, x: u32) { self.0.push(x) } }
    pub struct Both<A, B> { first: A, second: B }
    impl<A: Hook, B: Hook> Hook for Both<A, B> {
        fn on(&mut self, x: u32) { self.first.on(x); self.second.on(x) }
    }
    """
    (found,) = gaps(text)
    assert (
        found.message
        == "`Both<A, B>` forwards one method of `Hook` to `first` and `second`, and forgets `off`"
    )


NEVER = [
    "fn extra() -> u32 { 0 }",
    "fn extra(self) -> u32 where Self: Sized { 0 }",
    "fn extra(&self) -> u32 where Self: Sized { 0 }",
    "fn extra(self: Box<Self>) -> u32 { 0 }",
    "fn extra(&self) -> std::any::TypeId where Self: 'static { std::any::TypeId::of::<Self>() }",
    "fn extra(&self) -> &'static str { std::any::type_name::<Self>() }",
    "fn extra(&self) -> *const () { self as *const Self as *const () }",
    "#[deprecated] fn extra(&self) -> u32 { 0 }",
    "#[doc(hidden)] fn extra(&self) -> u32 { 0 }",
    '#[unstable(feature = "x")] fn extra(&self) -> u32 { 0 }',
]


@pytest.mark.parametrize("default", NEVER)
def test_what_can_not_or_must_not_be_forwarded_is_never_told(default: str) -> None:
    own = default.split("fn", 1)[1].split("{", 1)[0]
    text = f"""
    pub trait Part {{ fn weight(&self) -> u32; {default} }}
    pub struct Leaf(u32);
    impl Part for Leaf {{ fn weight(&self) -> u32 {{ self.0 }} fn{own} {{ unimplemented!("{{}}", 1) }} }}
    pub struct W<P> {{ inner: P }}
    impl<P: Part> Part for W<P> {{ fn weight(&self) -> u32 {{ self.inner.weight() }} }}
    """
    assert gaps(text, forced=True) == []


STORE = """
    pub trait Store {
        fn get(&self, k: u32) -> u32;
        fn many(&self, k: &[u32]) -> Vec<u32> { k.iter().map(|k| self.get(*k)).collect() }
    }
    pub struct Map(u32);
    impl Store for Map {
        fn get(&self, k: u32) -> u32 { self.0 + k }
        fn many(&self, k: &[u32]) -> Vec<u32> { vec![self.0; k.len()] }
    }
"""


def test_a_default_that_only_calls_self_is_quiet_where_the_override_makes_the_same_calls() -> None:
    text = """
    pub trait Store { fn get(&self, k: u32) -> u32; fn twice(&self, k: u32) -> u32 { self.get(k) + self.get(k) } }
    pub struct Map(u32);
    impl Store for Map {
        fn get(&self, k: u32) -> u32 { self.0 + k }
        fn twice(&self, k: u32) -> u32 { 2 * self.get(k) }
    }
    pub struct W { inner: Map }
    impl Store for W { fn get(&self, k: u32) -> u32 { self.inner.get(k) } }
    """
    assert gaps(text) == []
    assert [one.level for one in gaps(text, forced=True)] == ["warn"]


def test_a_default_that_only_calls_self_counts_where_the_override_avoids_the_call() -> None:
    text = (
        STORE
        + """
    pub struct W { inner: Map }
    impl Store for W { fn get(&self, k: u32) -> u32 { self.inner.get(k) } }
    """
    )
    (found,) = gaps(text)
    assert found.callees == ("case::Store::many",)


def test_a_default_goes_through_a_method_in_which_the_wrapper_does_more() -> None:
    text = (
        STORE
        + """
    pub struct W { inner: Map, seen: std::cell::Cell<u32> }
    impl Store for W { fn get(&self, k: u32) -> u32 { self.seen.set(k); self.inner.get(k) } }
    """
    )
    assert gaps(text, forced=True) == []


ENUM = """
pub enum Any { A(Hybrid), B(Dense), C(Box<Hybrid>) }
"""
ARMS = """
        fn forward(&self, x: u32) -> u32 {
            match self { Any::A(m) => m.forward(x), Any::B(m) => m.forward(x), Any::C(m) => m.forward(x) }
        }
        fn layers(&self) -> usize {
            match self { Self::A(m) => m.layers(), Self::B(m) => m.layers(), Self::C(m) => m.layers() }
        }
"""


def test_an_enum_that_forwards_to_its_payloads_forgets_what_one_of_them_overrides() -> None:
    text = (
        ENUM
        + "impl Model for Any {"
        + ARMS
        + """
    }
    """
    )
    (found,) = gaps(TRAIT + text)
    assert "to the payloads of its 3 variants, and forgets `can_pad`" in found.message


def test_an_arm_that_calls_another_method_goes_astray() -> None:
    text = """
    pub trait Shape { fn rows(&self) -> u32; fn columns(&self) -> u32; }
    pub struct P; impl Shape for P { fn rows(&self) -> u32 { 1 } fn columns(&self) -> u32 { 2 } }
    pub struct Q; impl Shape for Q { fn rows(&self) -> u32 { 3 } fn columns(&self) -> u32 { 4 } }
    pub struct R; impl Shape for R { fn rows(&self) -> u32 { 5 } fn columns(&self) -> u32 { 6 } }
    pub enum S { P(P), Q(Q), R(R) }
    impl Shape for S {
        fn rows(&self) -> u32 { match self { S::P(x) => x.rows(), S::Q(x) => x.rows(), S::R(x) => x.rows() } }
        fn columns(&self) -> u32 { match self { S::P(x) => x.columns(), S::Q(x) => x.columns(), S::R(x) => x.rows() } }
    }
    """
    (found,) = gaps(text)
    assert found.message == "`S` forwards `columns` to 2 of 3 payloads; the arm of `R` calls `rows`"


def test_a_variant_that_falls_into_the_wildcard_is_forgotten() -> None:
    text = (
        ENUM
        + "impl Model for Any {"
        + ARMS
        + """
        fn can_pad(&self) -> bool { match self { Self::A(m) => m.can_pad(), Self::B(m) => m.can_pad(), _ => true } }
    }
    """
    )
    (found,) = gaps(TRAIT + text)
    assert found.message == (
        "`Any` forwards `can_pad` to 2 of 3 payloads; `C`, whose payload has its own, falls into `_`"
    )


def test_an_arm_with_a_constant_of_its_own_is_deliberate() -> None:
    text = (
        ENUM
        + "impl Model for Any {"
        + ARMS
        + """
        fn can_pad(&self) -> bool {
            match self { Self::A(m) => m.can_pad(), Self::B(m) => m.can_pad(), Self::C(_) => true }
        }
    }
    """
    )
    assert forgotten(text, forced=True) == []


def test_impls_that_one_macro_makes_are_one_finding_at_the_macro() -> None:
    text = (
        TRAIT
        + """
    pub struct W1(Hybrid);
    pub struct W2(Hybrid);
    macro_rules! wrap { ($($name:ident),*) => { $(
        impl Model for $name {
            fn forward(&self, x: u32) -> u32 { self.0.forward(x) }
            fn layers(&self) -> usize { self.0.layers() }
        }
    )* } }
    wrap!(W1, W2);
    """
    )
    (found,) = gaps(text)
    line = next(number for number, one in enumerate(text.splitlines(), 1) if "impl Model for $name" in one)
    assert found.line == line
    assert any("the same macro makes" in one for one in found.details)


def test_a_delegating_macro_with_a_list_of_methods_is_read() -> None:
    text = (
        TRAIT
        + """
    macro_rules! forward_to_inner { ($($name:ident ( $($arg:ident : $t:ty),* ) -> $ret:ty;)*) => {
        $(fn $name(&self, $($arg: $t),*) -> $ret { self.inner.$name($($arg),*) })*
    } }
    pub struct W { inner: Hybrid }
    impl Model for W { forward_to_inner! { forward(x: u32) -> u32; layers() -> usize; } }
    """
    )
    assert [one.callees for one in gaps(text)] == [("case::Model::can_pad",)]


def test_the_delegate_macro_is_read() -> None:
    text = (
        TRAIT
        + """
    pub struct W { inner: Hybrid }
    impl Model for W {
        delegate::delegate! { to self.inner { fn forward(&self, x: u32) -> u32; fn layers(&self) -> usize; } }
    }
    """
    )
    assert [one.callees for one in gaps(text)] == [("case::Model::can_pad",)]


def test_the_delegate_macro_with_all_methods_is_quiet() -> None:
    text = (
        TRAIT
        + """
    pub struct W { inner: Hybrid }
    impl Model for W {
        delegate! { to self.inner {
            fn forward(&self, x: u32) -> u32; fn layers(&self) -> usize; fn can_pad(&self) -> bool;
        } }
    }
    """
    )
    assert gaps(text, forced=True) == []


def test_attributes_that_forward_everything_are_quiet() -> None:
    text = f"#[portrait::fill(portrait::delegate(Hybrid; self.inner))] impl Model for W {body('self.inner')}"
    assert forgotten("struct W { inner: Hybrid }" + text, forced=True) == []


def test_the_trait_and_the_inner_type_may_stand_in_other_crates() -> None:
    files = {
        "Cargo.toml": '[workspace]\nmembers = ["core", "app"]\n',
        "core/Cargo.toml": '[package]\nname = "core-model"\nedition = "2021"\n',
        "core/src/lib.rs": "pub mod model;\npub use model::Model;\n",
        "core/src/model.rs": "pub trait Model { fn run(&self) -> u32; fn can_pad(&self) -> bool { true } }\n",
        "app/Cargo.toml": (
            '[package]\nname = "app"\nedition = "2021"\n[dependencies]\ncore-model = { path = "../core" }\n'
        ),
        "app/src/lib.rs": "mod hybrid;\nmod vision;\n",
        "app/src/hybrid.rs": (
            "use core_model::Model;\npub struct Hybrid(u32);\n"
            "impl Model for Hybrid { fn run(&self) -> u32 { self.0 } fn can_pad(&self) -> bool { self.0 == 0 } }\n"
        ),
        "app/src/vision.rs": (
            "use crate::hybrid::Hybrid;\npub struct Vision { text: Hybrid }\n"
            "impl core_model::Model for Vision { fn run(&self) -> u32 { self.text.run() } }\n"
        ),
    }
    (found,) = gaps(files)
    assert (found.path, found.line, found.callees) == (
        "app/src/vision.rs", 3, ("core_model::model::Model::can_pad",),
    )  # fmt: skip


def test_the_help_is_the_forward_to_type() -> None:
    (found,) = gaps(f"{TRAIT} struct W {{ inner: Hybrid }} impl Model for W {body('self.inner')}")
    assert found.help == "fn can_pad(&self) -> bool { self.inner.can_pad() }"


def test_a_rule_may_name_its_traits() -> None:
    text = f"{TRAIT} struct W {{ inner: Hybrid }} impl Model for W {body('self.inner')}"
    assert len(gaps(text, traits=("Model",))) == 1
    assert len(gaps(text, traits=("case::Model",))) == 1
    assert len(gaps(text, traits=("Mod*",))) == 1
    assert gaps(text, traits=("Other",)) == []


def test_an_override_that_only_panics_is_nothing_to_reach() -> None:
    text = """
    pub trait Hook { fn run(&self) -> u32; fn list(&self) -> Vec<u32> { Vec::new() } }
    struct Count(u32);
    impl Hook for Count { fn run(&self) -> u32 { self.0 } fn list(&self) -> Vec<u32> { unimplemented!() } }
    struct W { count: Count }
    impl Hook for W { fn run(&self) -> u32 { self.count.run() } }
    """
    assert gaps(text, forced=True) == []


CHAIN = """
    pub trait Hook {{ fn run(&self) -> u32; fn ready(&self) -> bool {{ true }} }}
    struct Leaf(u32);
    impl Hook for Leaf {{ fn run(&self) -> u32 {{ self.0 }} {own} }}
    struct Middle {{ leaf: Leaf }}
    impl Hook for Middle {{
        fn run(&self) -> u32 {{ self.leaf.run() }}
        fn ready(&self) -> bool {{ self.leaf.ready() }}
    }}
    struct Outer {{ middle: Middle }}
    impl Hook for Outer {{ fn run(&self) -> u32 {{ self.middle.run() }} }}
"""


def test_an_inner_wrapper_counts_where_it_leads_to_an_override() -> None:
    (found,) = gaps(CHAIN.format(own="fn ready(&self) -> bool { self.0 == 0 }"))
    assert found.message == "`Outer` forwards one method of `Hook` to `middle`, and forgets `ready`"


def test_an_inner_wrapper_that_leads_to_the_default_is_quiet() -> None:
    assert gaps(CHAIN.format(own=""), forced=True) == []


def test_a_stand_in_for_tests_is_quiet_though_it_is_compiled() -> None:
    assert (
        forgotten(f"struct MockModel(Hybrid); impl Model for MockModel {body('self.0')}", forced=True) == []
    )
    text = f"pub mod test_support {{ use super::*; struct W(Hybrid); impl Model for W {body('self.0')} }}"
    assert forgotten(text, forced=True) == []


def test_an_enum_from_outside_is_a_wrapper_of_its_arguments() -> None:
    text = """
    use either::Either;
    impl<A: Model, B: Model> Model for Either<A, B> {
        fn forward(&self, x: u32) -> u32 { match self { Either::Left(m) => m.forward(x), Either::Right(m) => m.forward(x) } }
        fn layers(&self) -> usize { either::for_both!(self, m => m.layers()) }
    }
    """
    assert forgotten(text) == ["can_pad"]


def test_an_inner_value_behind_an_unknown_accessor_is_the_only_field_with_the_trait() -> None:
    text = f"struct W {{ inner: Hybrid, n: u32 }} impl Model for W {body('self.guard(0)')}"
    assert forgotten(text) == []
    text = """
    struct W { inner: Lock<Hybrid>, n: u32 }
    impl Model for W {
        fn forward(&self, x: u32) -> u32 { self.inner.with(|m| m.forward(x)) }
        fn layers(&self) -> usize { self.inner.with(|m| m.layers()) }
    }
    """
    assert forgotten(text) == []


HOLDERS = [
    ("impl<M: Model> Model for Option<M>", "self.as_ref().unwrap()"),
    ("impl<M: Model> Model for std::sync::Mutex<M>", "self.lock().unwrap()"),
    ("impl<M: Model> Model for std::cell::RefCell<M>", "self.borrow()"),
    ("impl<P> Model for std::pin::Pin<P> where P: std::ops::Deref, P::Target: Model", "(**self)"),
]


@pytest.mark.parametrize(("head", "place"), HOLDERS)
def test_what_only_holds_a_value_is_a_wrapper_if_it_forwards(head: str, place: str) -> None:
    assert forgotten(f"{head} {body(place)}") == ["can_pad"]


def test_an_option_that_answers_for_none_is_a_wrapper() -> None:
    text = """
    impl<M: Model> Model for Option<M> {
        fn forward(&self, x: u32) -> u32 { match self { Some(inner) => inner.forward(x), None => x } }
        fn layers(&self) -> usize { if let Some(inner) = self { inner.layers() } else { 0 } }
    }
    """
    assert forgotten(text) == ["can_pad"]


ASSOCIATED = [
    ("pub trait Family { type Model: Model; }", "F: Family"),
    ("pub trait Family { type Model; }", "F: Family, F::Model: Model"),
]


@pytest.mark.parametrize(("family", "bounds"), ASSOCIATED)
def test_an_associated_type_is_bound_by_its_trait_or_by_a_where_clause(family: str, bounds: str) -> None:
    text = f"{family} struct W<F: Family> {{ inner: F::Model }}"
    assert forgotten(f"{text} impl<F> Model for W<F> where {bounds} {body('self.inner')}") == ["can_pad"]


def test_a_tuple_is_a_wrapper_of_its_elements() -> None:
    text = """
    pub trait Hook { fn on(&mut self, x: u32) {} fn off(&mut self, x: u32) {} }
    pub struct Log(Vec<u32>);
    impl Hook for Log { fn on(&mut self, x: u32) { self.0.push(x) } fn off(&mut self, x: u32) { self.0.push(x) } }
    impl<A: Hook, B: Hook> Hook for (A, B) { fn on(&mut self, x: u32) { self.0.on(x); self.1.on(x) } }
    """
    assert [one.callees for one in gaps(text)] == [("case::Hook::off",)]


def test_a_wrapper_that_refuses_by_hand_may_leave_refusals_to_the_default() -> None:
    text = """
    pub trait Store {
        fn get(&self, k: u32) -> u32;
        fn keys(&self) -> Vec<u32>;
        fn put(&self, k: u32) -> Result<(), String>;
        fn put_all(&self, _k: &[u32]) -> Result<(), String> { Err("not supported".into()) }
    }
    pub struct Map(u32);
    impl Store for Map {
        fn get(&self, k: u32) -> u32 { self.0 + k }
        fn keys(&self) -> Vec<u32> { vec![self.0] }
        fn put(&self, k: u32) -> Result<(), String> { drop(k); Ok(()) }
        fn put_all(&self, k: &[u32]) -> Result<(), String> { drop(k); Ok(()) }
    }
    pub struct ReadOnly<S> { inner: S }
    impl<S: Store> Store for ReadOnly<S> {
        fn get(&self, k: u32) -> u32 { self.inner.get(k) }
        fn keys(&self) -> Vec<u32> { self.inner.keys() }
        fn put(&self, _k: u32) -> Result<(), String> { PUT }
    }
    """
    assert gaps(text.replace("PUT", 'Err("read only".into())'), forced=True) == []
    assert len(gaps(text.replace("PUT", "self.inner.put(_k)"))) == 1


def test_bodies_that_can_not_forward_are_not_decoded() -> None:
    many = "\n".join(
        f"struct M{n}; impl Model for M{n} {{ fn forward(&self, x: u32) -> u32 {{ x + {n} }} "
        f"fn layers(&self) -> usize {{ {n} }} }}"
        for n in range(50)
    )
    bodies = Bodies(
        program_of(f"{TRAIT} {many} struct W {{ inner: Hybrid }} impl Model for W {body('self.inner')}")
    )
    (found,) = Search(bodies, Types(bodies.tables), shipped(), ("*",)).wrappers()
    assert found.missing == ("can_pad",)
    assert len(bodies.read) == 2


def test_a_macro_that_forwards_many_methods_is_expanded_once() -> None:
    methods = "".join(f"fn m{n}(&self, x: u32) -> u32;" for n in range(9))
    own = "".join(f"fn m{n}(&self, x: u32) -> u32 {{ x }}" for n in range(9))
    calls = "".join(
        f"fn m{n}(&self, x: u32) -> u32 {{ each!(self, i => Many::m{n}(i, x)) }}" for n in range(9)
    )
    program = program_of(f"""
    pub trait Many {{ {methods} fn late(&self) -> u32 {{ 0 }} }}
    pub struct A(u32); impl Many for A {{ {own} fn late(&self) -> u32 {{ self.0 }} }}
    macro_rules! each {{ ($s:ident, $i:ident => $e:expr) => {{ match $s {{ E::A($i) => $e, E::B($i) => $e }} }} }}
    pub enum E {{ A(A), B(A) }}
    impl Many for E {{ {calls} }}
    """)
    bodies = Bodies(program)
    (found,) = Search(bodies, Types(bodies.tables), shipped(), ("*",)).wrappers()
    assert (found.forwards, found.missing) == (9, ("late",))
    assert len(bodies.read) == 1


def test_an_adaptor_that_wraps_its_only_parameter_is_no_wrapper() -> None:
    text = """
    pub trait Source { fn drive(&self, c: Consumer) -> u32; fn len(&self) -> Option<u32> { None } }
    pub struct Range(u32);
    impl Source for Range { fn drive(&self, c: Consumer) -> u32 { c.end(self.0) } fn len(&self) -> Option<u32> { Some(self.0) } }
    pub struct Filter<S> { base: S, keep: fn(u32) -> bool }
    impl<S: Source> Source for Filter<S> {
        fn drive(&self, c: Consumer) -> u32 { self.base.drive(Filtered::new(c, &self.keep)) }
    }
    """
    assert gaps(text, forced=True) == []


def test_a_default_that_answers_by_the_type_alone_is_quiet() -> None:
    text = """
    pub trait Kind { fn directed() -> bool; }
    pub trait Graph { type Edge: Kind; fn nodes(&self) -> u32; fn is_directed(&self) -> bool { <Self::Edge>::directed() } }
    pub struct Plain<E>(u32, E);
    impl<E: Kind> Graph for Plain<E> {
        type Edge = E;
        fn nodes(&self) -> u32 { self.0 }
        fn is_directed(&self) -> bool { self.ask() }
    }
    impl<G: Graph> Graph for &G { type Edge = G::Edge; fn nodes(&self) -> u32 { (**self).nodes() } }
    """
    assert gaps(text) == []


def test_a_default_goes_through_other_defaults_to_a_method_in_which_the_wrapper_does_more() -> None:
    text = """
    pub trait Sink {
        fn put(&mut self, b: u8);
        fn put_two(&mut self, b: u8) { self.put(b); self.put(b) }
        fn put_four(&mut self, b: u8) { self.put_two(b); self.put_two(b) }
        fn flush(&mut self);
    }
    pub struct Mem(Vec<u8>);
    impl Sink for Mem {
        fn put(&mut self, b: u8) { self.0.push(b) }
        fn put_four(&mut self, b: u8) { self.0.extend([b; 4]) }
        fn flush(&mut self) {}
    }
    pub struct Counted { inner: Mem, n: usize }
    impl Sink for Counted {
        fn put(&mut self, b: u8) { self.n += 1; self.inner.put(b) }
        fn flush(&mut self) { self.inner.flush() }
    }
    """
    assert gaps(text, forced=True) == []
    assert len(gaps(text.replace("self.n += 1; ", ""))) == 1


def test_a_method_that_is_given_values_for_this_implementor_cannot_be_forwarded() -> None:
    trait = """
    pub struct Fields<T: ?Sized>(std::marker::PhantomData<T>);
    pub trait Format { fn one(&self); fn two(&self); fn add(&self, to: &mut Fields<PARAMETER>) -> bool { false } }
    pub struct Json;
    impl Format for Json { fn one(&self) {} fn two(&self) {} fn add(&self, to: &mut Fields<PARAMETER>) -> bool { true } }
    pub struct W { inner: Json }
    impl Format for W { fn one(&self) { self.inner.one() } fn two(&self) { self.inner.two() } }
    """
    assert forgotten(trait.replace("PARAMETER", "Self")) == []
    assert forgotten(trait.replace("PARAMETER", "u8")) == ["add"]
