"""Which bodies are judged for the errors that they lose: in each pair `out` is left out, and `kept` is not."""

from __future__ import annotations

from inroads.analyses.swallow.marked import Marked
from inroads.check import load
from inroads.workspace import MemoryTree
from swallow_program import CARGO, told

HEAD = """
pub struct E;
pub fn load(n: u32) -> Result<u32, E> { if n == 0 { Err(E) } else { Ok(n) } }
pub struct Table { rows: u32 }
impl Table {
    pub fn insert(&mut self, key: u32, row: u32) -> Result<(), E> { self.rows = key + row; Ok(()) }
    pub fn get(&self, key: u32) -> Result<u32, E> { if key == self.rows { Err(E) } else { Ok(key) } }
}
pub struct Store { table: Table, names: std::collections::HashMap<u32, u32> }
pub struct Late { done: Option<Result<u32, E>>, count: Option<u32> }
"""


def marked(source: str) -> set[str]:
    """The names of the functions of a program, but those of HEAD, that may lose an error."""
    program = load(MemoryTree({"Cargo.toml": CARGO, "src/lib.rs": f"{HEAD}{source}".encode()})).program
    found = Marked(program)
    functions = [one for one in program.tables.functions if one.position.line > HEAD.count("\n")]
    return {one.name for one in functions if found.is_marked(one.id)}


def test_an_error_that_leaves_by_a_question_mark_is_not_lost() -> None:
    assert marked(
        """
        fn out(x: Option<u32>) -> Result<u32, E> { let a = load(1)?; Ok(x.unwrap_or(a)) }
        fn kept(x: Option<u32>) -> Result<u32, E> { let a = load(1); Ok(x.unwrap_or(a.unwrap_or(2))) }
        """
    ) == {"kept"}


def test_a_question_mark_in_a_closure_leaves_only_the_closure() -> None:
    assert marked(
        """
        fn out(xs: Vec<u32>) -> Result<usize, E> { let a = load(1)?; Ok(xs.iter().filter(|x| **x == a).count()) }
        fn kept(xs: Vec<u32>) -> usize { xs.iter().map(|x| { load(*x)?; Ok::<u32, E>(1) }).count() }
        """
    ) == {"kept"}


def test_the_value_of_the_body_is_not_lost() -> None:
    assert marked(
        """
        fn out(x: Option<u32>) -> Result<u32, E> { load(x.unwrap_or(1)) }
        fn kept(x: Option<u32>) -> Result<u32, E> { load(x.unwrap_or(1)); load(2) }
        """
    ) == {"kept"}


def test_a_map_err_that_makes_the_new_error_of_the_old_loses_nothing() -> None:
    assert marked(
        """
        fn out() -> Result<u32, String> { let a = std::fs::read("a").map_err(|e| e.to_string())?; Ok(a.len() as u32) }
        fn kept() -> Result<u32, String> { let a = std::fs::read("a").map_err(|_| "a".to_string())?; Ok(1) }
        fn kept_of_what_nobody_knows() -> Result<u32, E> { let a = elsewhere::read().map_err(|_| E)?; Ok(a) }
        """
    ) == {"kept", "kept_of_what_nobody_knows"}


def test_another_number_of_arguments_is_another_function() -> None:
    assert marked(
        """
        fn out(list: &mut Vec<Table>, one: Table) { list.insert(one); }
        fn kept(list: &mut Vec<Table>) { list[0].insert(1, 2); }
        """
    ) == {"kept"}


def test_a_free_function_is_not_called_as_a_method() -> None:
    assert marked(
        """
        fn out(x: &str) -> usize { x.load(1); x.len() }
        fn kept(x: &str) -> usize { load(1); x.len() }
        """
    ) == {"kept"}


def test_a_method_is_called_only_where_its_type_may_be_had() -> None:
    assert marked(
        """
        fn out(names: &mut std::collections::HashMap<u32, u32>) { names.insert(1, 2); }
        fn kept(table: &mut Table) { table.insert(1, 2); }
        fn kept_by_a_field(store: &mut Store) { let t = &mut store.table; t.insert(1, 2); }
        """
    ) == {"kept", "kept_by_a_field"}


def test_a_field_tells_what_a_method_is_called_on() -> None:
    assert marked(
        """
        impl Store {
            fn out(&mut self) { self.names.insert(1, 2); self.table.rows = 1; }
            fn kept(&mut self) { self.table.insert(1, 2); self.names.clear(); }
        }
        """
    ) == {"kept"}


def test_a_type_may_be_had_through_what_derefs_to_it() -> None:
    assert marked(
        """
        pub struct Held(u32);
        impl std::ops::Deref for Held { type Target = Table; fn deref(&self) -> &Table { table_of(self.0) } }
        fn table_of(n: u32) -> &'static Table { panic!("{n}") }
        fn kept(held: Held) -> u32 { held.get(1).unwrap_or(2) }
        """
    ) == {"kept"}


def test_a_type_may_be_had_out_of_a_tuple_struct() -> None:
    assert marked(
        """
        pub struct Inner(Table);
        pub struct Outer { inner: Inner }
        pub struct Plain(Vec<u32>);
        impl Outer { fn kept(&self) { self.inner.0.get(1); } }
        fn out(plain: &Plain) { plain.0.get(1); }
        """
    ) == {"kept"}


def test_a_type_may_be_had_by_what_a_closure_is_given() -> None:
    assert marked(
        """
        pub fn each(f: impl Fn(&Table)) { let _f = f; }
        fn kept() { each(|x| { x.get(1); }); }
        """
    ) == {"kept"}


def test_what_hands_on_a_result_needs_one_to_be_given() -> None:
    assert marked(
        """
        fn out(late: &mut Late, xs: &[u32]) -> u32 { late.count.replace(1); xs.iter().copied().max().unwrap_or(2) }
        fn kept(late: &mut Late) { late.done.replace(Ok(1)); }
        """
    ) == {"kept"}


def test_what_is_thrown_away_on_purpose_may_be_no_result() -> None:
    assert marked(
        """
        fn pair() -> (u32, u32) { (1, 2) }
        fn out(x: u32) -> Result<u32, E> { let _ = x; let (a, _) = pair(); let _ = pair(); Ok(a + load(1)?) }
        fn kept(x: u32) { let _ = load(x); }
        fn kept_of_a_part(x: u32) -> u32 { let (a, _) = (1, load(x)); a }
        fn kept_of_what_nobody_knows() { let _ = elsewhere::open(); }
        """
    ) == {"kept", "kept_of_a_part", "kept_of_what_nobody_knows"}


def test_a_field_with_a_name_holds_no_error_of_a_call() -> None:
    assert marked(
        """
        fn out(late: &Late) -> Result<u32, E> { let a = late.count.unwrap_or(1); let b = load(a); b }
        fn kept(late: &Late) -> Result<u32, E> { let b = load(1); let a = b.unwrap_or(1); load(a) }
        """
    ) == {"kept"}


def test_a_join_of_texts_is_none_of_threads() -> None:
    assert marked(
        """
        fn out(xs: &[String], dir: &std::path::Path) -> String { dir.join("a"); xs.join(",") }
        fn kept(t: std::thread::JoinHandle<u32>) { t.join(); }
        """
    ) == {"kept"}


def test_a_result_behind_a_question_mark_may_be_lost_again() -> None:
    assert marked(
        """
        fn many() -> Result<Vec<Result<u32, E>>, E> { Ok(vec![load(1)]) }
        fn few() -> Result<Vec<u32>, E> { Ok(vec![load(1)?]) }
        fn out() -> Result<usize, E> { Ok(few()?.into_iter().map(|x| x + 1).count()) }
        fn kept() -> Result<usize, E> { Ok(many()?.into_iter().flatten().count()) }
        """
    ) == {"kept"}


def test_lines_read_from_a_file_are_results() -> None:
    assert marked(
        """
        fn out(texts: &[String]) -> usize { texts.iter().flat_map(|x| x.chars()).count() }
        fn kept(file: std::io::BufReader<std::fs::File>) -> usize {
            use std::io::BufRead;
            file.lines().flatten().count()
        }
        """
    ) == {"kept"}


def test_a_macro_of_the_workspace_may_hide_anything() -> None:
    assert marked(
        """
        macro_rules! quietly { ($e:expr) => { if $e.is_err() {} } }
        fn out() -> u32 { 1 }
        fn kept() { quietly!(load(1)) }
        """
    ) == {"kept"}


def test_a_macro_that_only_chooses_what_is_called_hides_nothing() -> None:
    assert marked(
        """
        macro_rules! both { ($self:expr, $f:ident($($a:expr),*)) => { match $self { 1 => $f(1, $($a),*), _ => $f($($a),*) } }; }
        macro_rules! each { ($f:ident($($a:expr),*)) => { { $f($($a),*); } }; }
        fn out() -> Result<u32, E> { both!(1, load(2)) }
        fn kept() { both!(1, load(2)); }
        fn kept_in_the_macro() { each!(load(2)) }
        """
    ) == {"kept", "kept_in_the_macro"}


def test_what_only_a_body_that_was_left_out_proves_is_known() -> None:
    findings = told(
        """
        pub struct E;
        pub fn proves() -> Result<u32, String> { let a = elsewhere::open(1).map_err(|e| format!("{e}"))?; Ok(a) }
        pub fn loses() { let _ = elsewhere::open(2); }
        """
    )
    assert [(one.line, one.callees) for one in findings] == [(4, ("elsewhere::open",))]


def test_words_in_texts_and_comments_give_no_values() -> None:
    assert marked(
        """
        fn out(names: &mut std::collections::HashMap<u32, u32>) { names.insert(1, 2); f("Table"); /// Table
        }
        fn kept(n: &str) { of(n).insert(1, 2); f("{Table}"); }
        fn f(_: &str) {}
        """
    ) == {"kept"}


def test_what_is_called_by_the_name_of_a_field_is_not_the_field() -> None:
    assert marked(
        """
        fn out(names: &mut std::collections::HashMap<u32, u32>) { names.insert(table(), table::one()); }
        fn kept(store: &mut Store) { let Store { table, .. } = store; table.insert(1, 2); }
        fn table() -> u32 { 1 }
        mod table { pub fn one() -> u32 { 1 } }
        """
    ) == {"kept"}


def test_a_field_of_self_is_that_of_the_type_of_self() -> None:
    assert marked(
        """
        pub struct Plain { table: std::collections::HashMap<u32, u32> }
        impl Plain {
            fn out(&mut self) { let t = &mut self.table; t.insert(1, 2); self.table.insert(1, 2); }
            fn kept(&mut self, store: &mut Store) { let t = &mut store.table; t.insert(1, 2); self.table.clear(); }
        }
        pub struct Any<T> { table: T }
        impl<T: std::ops::DerefMut<Target = Table>> Any<T> {
            fn kept_of_any_type(&mut self) { let t = &mut self.table; t.insert(1, 2); }
        }
        """
    ) == {"kept", "kept_of_any_type"}


def test_what_a_function_is_given_is_not_what_it_gives() -> None:
    assert marked(
        """
        fn read(t: &Table) -> u32 { t.rows }
        fn name<T: AsRef<Table>>(t: T) -> u32 { t.as_ref().rows }
        fn out(names: &mut std::collections::HashMap<u32, u32>, n: u32) { names.insert(read(n), name(n)); }
        fn each(f: &dyn Fn(&mut Table)) { let _f = f; }
        fn every(f: Box<dyn Fn(&mut Table)>) { let _f = f; }
        fn kept() { each(&|t| { t.insert(1, 2); }); }
        fn kept_in_a_box() { every(Box::new(|t| { t.insert(1, 2); })); }
        """
    ) == {"kept", "kept_in_a_box"}


def test_an_associated_type_leads_to_a_value_by_the_name_of_its_owner() -> None:
    assert marked(
        """
        pub struct Rows(u32);
        pub trait Gives { type Out; fn give(&self) -> Self::Out; }
        impl Gives for Rows { type Out = &'static mut Table; fn give(&self) -> Self::Out { panic!() } }
        fn out(names: &mut std::collections::HashMap<u32, u32>, g: u32) { names.insert(1, g.give()); }
        fn kept(rows: Rows) { rows.give().insert(1, 2); }
        """
    ) == {"kept"}


def test_an_associated_type_of_what_needs_no_name_leads_to_a_value_anywhere() -> None:
    assert "kept" in marked(
        """
        pub trait Gives { type Out; fn give(&self) -> Self::Out; }
        impl Gives for str { type Out = &'static mut Table; fn give(&self) -> Self::Out { panic!() } }
        fn kept() { "a".give().insert(1, 2); }
        """
    )


def test_an_iterator_gives_its_elements_where_it_is_at_hand() -> None:
    assert marked(
        """
        pub struct Reader { n: u32 }
        impl Iterator for Reader {
            type Item = Result<u32, E>;
            fn next(&mut self) -> Option<Result<u32, E>> { Some(load(self.n)) }
        }
        fn out(xs: Vec<u32>) -> u32 { xs.into_iter().next().unwrap_or(1) }
        fn kept(mut r: Reader) { r.next(); }
        fn kept_by_the_trait(r: &mut Reader) { Iterator::next(r); }
        """
    ) == {"kept", "kept_by_the_trait"}


def test_what_is_awaited_is_no_result() -> None:
    assert marked(
        """
        pub struct Lock { l: Mutex<u32>, t: Table }
        impl Lock {
            async fn out(&self, n: Option<u32>) -> u32 { let l = self.t.get(1).await; n.unwrap_or(l) }
            async fn kept(&self, n: Option<u32>) -> u32 { let l = self.t.get(1); n.unwrap_or(l) }
        }
        """
    ) == {"kept"}


def test_a_macro_hides_something_only_where_its_name_is_its() -> None:
    assert marked(
        """
        mod inner {
            macro_rules! bail { ($e:expr) => { let _ = $e; }; }
            pub fn kept() { bail!(1); }
        }
        fn out() -> Result<u32, String> { bail!("a"); }
        #[macro_export]
        macro_rules! lose { ($e:expr) => { let _ = $e; }; }
        fn kept_by_a_path() { crate::lose!(1); }
        """
    ) == {"kept", "kept_by_a_path"}


def test_a_macro_that_calls_nothing_that_can_fail_gives_no_result() -> None:
    assert marked(
        """
        macro_rules! tell { ($e:expr) => { say($e) }; }
        macro_rules! read { ($e:expr) => { load($e) }; }
        fn say(_: u32) {}
        fn out() { tell!(1); }
        fn kept() { read!(1); }
        """
    ) == {"kept"}


def test_a_result_that_is_handed_to_a_function_may_be_lost_there() -> None:
    assert marked(
        """
        fn note(r: Result<u32, E>) { if let Ok(n) = r { show(n); } }
        fn show(_: u32) {}
        impl From<Result<u32, E>> for Table { fn from(r: Result<u32, E>) -> Table { Table { rows: r.unwrap_or(1) } } }
        fn out() -> Result<String, E> { show(load(1)?); Ok(String::from("a")) }
        fn kept() { note(load(1)); }
        fn kept_in_a_variable() { let r = load(1); note(r); }
        fn kept_by_a_trait() -> Table { Table::from(load(1)) }
        async fn kept_in_an_arm() { tokio::select! { n = later() => show(n), } }
        async fn later() -> Result<u32, E> { load(1) }
        """
    ) == {"note", "kept", "kept_in_a_variable", "kept_by_a_trait", "kept_in_an_arm"}


def test_a_method_of_a_type_that_nobody_described_may_give_what_is_thrown_away() -> None:
    assert marked(
        """
        pub struct Lamp;
        impl Lamp { fn light(&self) -> u32 { 1 } }
        fn out(n: u32) { let _ = light(n); }
        fn light(n: u32) -> u32 { n }
        fn kept(x: elsewhere::Fire) { let _ = x.light(); }
        """
    ) == {"kept"}


def test_a_method_of_a_trait_from_outside_is_called_where_the_trait_is_in_sight() -> None:
    assert marked(
        """
        fn out(text: &str, n: Option<usize>) -> usize { n.unwrap_or(text.split(',').count()) }
        mod reads {
            use std::io::BufRead;
            pub fn kept(text: &[u8], n: Option<usize>) -> usize { n.unwrap_or(text.split(b',').count()) }
        }
        fn kept_by_a_bound<B: std::io::BufRead>(b: B, n: Option<usize>) -> usize { n.unwrap_or(b.split(b',').count()) }
        """
    ) == {"kept", "kept_by_a_bound"}
