"""What counts as handing a method on, in the forms that Rust programs write it."""

from __future__ import annotations

import pytest

from gap_program import gaps, program_of
from inroads.analyses.gap.bodies import Bodies
from inroads.analyses.gap.forwards import Verdict, judge_method


def verdict(
    body: str, signature: str = "fn put(&mut self, key: u32, value: &str) -> bool", macros: str = ""
) -> Verdict:
    """What a method `put` of a wrapper does."""
    program = program_of(f"{macros}\nstruct Wrapper;\nimpl Wrapper {{ {signature} {{ {body} }} }}")
    function = next(one for one in program.tables.functions if one.name == "put")
    read = Bodies(program).body(function.id)
    assert read is not None
    return judge_method(read, function.item, frozenset({"Self", "Wrapper"}), pointer=False)


FORWARDS = [
    "self.inner.put(key, value)",
    "return self.inner.put(key, value);",
    "self.0.put(key, value)",
    "self.core.inner.put(key, value)",
    "Store::put(&mut self.inner, key, value)",
    "<S as Store>::put(&mut self.inner, key, value)",
    "crate::store::Store::put(&mut *self.inner, key, value)",
    "(*self.inner).put(key, value)",
    "(&mut *self.inner).put(key, value)",
    "self.inner.as_mut().put(key, value)",
    "self.inner.deref_mut().put(key, value)",
    "self.inner.borrow_mut().put(key, value)",
    "self.inner.lock().unwrap().put(key, value)",
    'self.inner.write().expect("poisoned").put(key, value)',
    "self.inner.lock().put(key, value)",
    "let mut guard = self.inner.lock().unwrap(); guard.put(key, value)",
    "let inner = &mut self.inner; inner.put(key, value)",
    "let Self { inner, .. } = self; inner.put(key, value)",
    "let this = &mut *self; this.inner.put(key, value)",
    "self.inner.put_impl(key, value)",
    "self.inner_mut().put(key, value)",
    "unsafe { self.inner.put(key, value) }",
    "(**self).put(key, value)",
    "self.deref_mut().put(key, value)",
]


@pytest.mark.parametrize("body", FORWARDS)
def test_a_call_on_the_inner_value_with_own_parameters_is_a_plain_forward(body: str) -> None:
    found = verdict(body)
    assert (found.kind, found.plain) == ("forward", True)


BESIDE = [
    "self.calls += 1; self.inner.put(key, value)",
    "self.count(); self.inner.put(key, value)",
    'tracing::debug!("put {key}"); self.inner.put(key, value)',
    "let done = self.inner.put(key, value); self.seen.push(key); done",
    "let start = Instant::now(); let done = self.inner.put(key, value); self.time.observe(start.elapsed()); done",
    "let span = self.span.enter(); self.inner.put(key, value)",
    "self.span.in_scope(|| self.inner.put(key, value))",
    "if !self.open { return false; } self.inner.put(key, value)",
    "if self.open { self.inner.put(key, value) } else { false }",
    "match &mut self.inner { Some(inner) => inner.put(key, value), None => false }",
    "if let Some(inner) = &mut self.inner { inner.put(key, value) } else { false }",
    "let Some(inner) = self.inner.as_mut() else { return false }; inner.put(key, value)",
    "self.inner.as_mut().map_or(false, |inner| inner.put(key, value))",
    "self.inner.as_mut().is_some_and(|inner| inner.put(key, value))",
    "self.with(|inner| inner.put(key, value))",
    "match self.inner.put(key, value) { true => true, false => { self.misses += 1; false } }",
]


@pytest.mark.parametrize("body", BESIDE)
def test_counting_logging_and_refusing_beside_it_leave_a_forward(body: str) -> None:
    found = verdict(body)
    assert (found.kind, found.plain) == ("forward", False)


RESULTS = [
    "Ok(self.inner.put(key, value)?)",
    "self.inner.put(key, value).map_err(Into::into)",
    "self.inner.put(key, value).map_err(|e| Error::Inner(e))",
    "let done = self.inner.put(key, value)?; Ok(done)",
    "let inner = self.inner.put(key, value)?; Some(Self { inner, span: self.span })",
    "let inner = self.inner.put(key, value)?; Some(Arc::new(Wrapper { inner, span: self.span }))",
    "Wrapper::new(self.inner.put(key, value))",
    "Box::pin(async move { self.inner.put(key, value).await })",
    "Box::pin(self.inner.put(key, value))",
    "self.inner.put(key, value).await",
    "self.inner.put(key, value).instrument(span).await",
    "tokio::time::timeout(self.limit, self.inner.put(key, value)).await?",
    "self.limiter.run(self.inner.put(key, value)).await",
    "self.first.put(key, value) + self.second.put(key, value)",
    "self.first.put(key, value).max(self.second.put(key, value))",
    "match self.first.put(key, value) { Some(done) => Some(done), None => self.second.put(key, value) }",
    "let mut all = self.first.put(key, value); all.extend(self.second.put(key, value)); all",
    "match self.inner.put(key, value) { Ok(done) => Ok(done), Err(e) => Err(Wrapped(e)) }",
    "self.inner.put(key, value).map(|done| { self.count += 1; done })",
    "match self.inner.put(key, value) { Ok(done) => Ok(done), Err(e) => { self.errors += 1; Err(e) } }",
    'self.inner.put(key, value).inspect_err(|e| warn!("{e}"))',
]


@pytest.mark.parametrize("body", RESULTS)
def test_a_result_that_is_wrapped_again_or_awaited_is_unchanged(body: str) -> None:
    assert verdict(body).kind == "forward"


ADAPTED = [
    "self.inner.put(key, Wrap::new(value, &self.path))",
    "self.inner.put(key, Wrap { value, depth: self.depth })",
]


@pytest.mark.parametrize("body", ADAPTED)
def test_parameters_that_are_wrapped_are_adapted(body: str) -> None:
    assert verdict(body).kind == "adapted"


ALTERED = [
    "self.inner.put(key + 1, value)",
    "self.inner.put(0, value)",
    "self.inner.put(key, &value[1..])",
    "self.inner.put(self.next, value)",
    "!self.inner.put(key, value)",
    "self.inner.put(key, value) && self.open",
    "while !self.inner.put(key, value) {} true",
    "for _ in 0..3 { if self.inner.put(key, value) { return true; } } false",
    "let done = self.inner.put(key, value); self.last || done",
    "match self.inner.put(key, value) { true => true, false => self.trailer.take() }",
]


@pytest.mark.parametrize("body", ALTERED)
def test_changed_arguments_loops_and_own_state_in_the_result_are_no_forward(body: str) -> None:
    assert verdict(body).kind == "altered"


OWN = [
    "self.label.clone()",
    "true",
    "self.other.get(key)",
    "self.put(key, value)",
    "Self::put(self, key, value)",
]


@pytest.mark.parametrize("body", OWN)
def test_a_body_that_does_not_ask_the_inner_value_is_its_own(body: str) -> None:
    assert verdict(body).kind == "own"


def test_a_pinned_receiver_is_projected() -> None:
    signature = "fn put(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u8>"
    for body in (
        "self.project().inner.put(cx)",
        "let this = self.project(); this.inner.put(cx)",
        "Pin::new(&mut self.get_mut().inner).put(cx)",
        "let me = self.get_mut(); Pin::new(&mut me.inner).put(cx)",
        "unsafe { self.map_unchecked_mut(|me| &mut me.inner) }.put(cx)",
        "Poll::Ready(ready!(self.project().inner.put(cx)))",
    ):
        assert verdict(body, signature).is_forward, body


def test_an_optional_inner_value_without_a_result_is_forwarded_to() -> None:
    body = "if let Some(inner) = self.inner.as_deref_mut() { inner.put(key); }"
    assert verdict(body, "fn put(&mut self, key: u32)").is_forward


def test_two_inner_values_are_both_forwarded_to() -> None:
    found = verdict("self.first.put(key); self.second.put(key);", "fn put(&mut self, key: u32)")
    assert (found.kind, found.places) == ("forward", (("first",), ("second",)))


def test_answers_of_two_inner_values_joined_are_a_forward() -> None:
    found = verdict("self.first.put(key) && self.second.put(key)", "fn put(&self, key: u32) -> bool")
    assert found.is_forward


def test_each_arm_of_an_enum_is_a_place() -> None:
    found = verdict(
        "match self { Wrapper::Left(a) => a.put(key), Self::Right { inner, .. } => inner.put(key) }",
        "fn put(&self, key: u32) -> bool",
    )
    assert (found.kind, found.places) == ("forward", (("Left.0",), ("Right.inner",)))


def test_an_own_macro_is_expanded() -> None:
    macros = """
    macro_rules! each { ($self:ident, $x:ident => $call:expr) => {
        match $self { Self::Left($x) => $call, Self::Right($x) => $call }
    } }
    """
    found = verdict("each!(self, x => x.put(key))", "fn put(&self, key: u32) -> bool", macros)
    assert (found.kind, found.places) == ("forward", (("Left.0",), ("Right.0",)))


def test_a_macro_from_outside_that_names_the_call_is_adapted() -> None:
    found = verdict("for_both!(self, x => x.put(key))", "fn put(&self, key: u32) -> bool")
    assert found.kind == "adapted"


SAME = """
pub trait Model {
    fn step(&self) -> u32;
    fn stop(&self);
    fn can_pad(&self) -> bool { true }
    fn can_batch(&self) -> bool { true }
}
pub struct Inner;
impl Model for Inner {
    fn step(&self) -> u32 { 7 }
    fn stop(&self) {}
    fn can_pad(&self) -> bool { false }
    fn can_batch(&self) -> bool { true }
}
pub struct Outer { inner: Inner }
impl Model for Outer {
    fn step(&self) -> u32 { self.inner.step() }
    fn stop(&self) { self.inner.stop() }
    // more
}
"""


def test_an_override_that_says_what_the_default_says_is_named_beside_a_loss() -> None:
    [found] = gaps(SAME)
    assert "`can_pad` and `can_batch`" in found.message


def test_an_override_that_says_what_the_default_says_is_no_loss_by_itself() -> None:
    forwarded = SAME.replace("// more", "fn can_pad(&self) -> bool { self.inner.can_pad() }")
    assert gaps(forwarded) == gaps(forwarded, forced=True) == []
