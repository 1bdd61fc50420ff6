"""Own macros expanded in bodies."""

from __future__ import annotations

from inroads.facts import (
    AttributedRow,
    BlockRow,
    CallRow,
    LiteralRow,
    MacroRow,
    MatchRow,
    MethodCallRow,
    PathRow,
    Row,
)
from inroads.resolve.bodies import Expanded, expand_function
from inroads.resolve.splice import moved, regions_of
from inroads.resolve.tables import Tables
from linking import function, link_files, link_text


def expanded(tables: Tables, path: str = "app::f") -> Expanded:
    """The expanded body of a function, checked for its shape."""
    result = expand_function(tables, function(tables, path).id)
    assert result is not None
    check(result)
    return result


def check(result: Expanded) -> None:
    """Regions follow their header one after the other, operands stand before, all in range."""
    rows = result.body.rows
    assert len(result.origin) == len(rows)
    assert (result.body.root.start, result.body.root.end) == (0, len(rows))
    for index, row in enumerate(rows):
        at = index + 1
        for region in regions_of(row):
            assert region.start == at and region.end <= len(rows)
            assert region.value is None or region.start <= region.value < region.end
            at = region.end

        def known(place: int) -> int:
            assert 0 <= place <= len(rows)
            return place

        moved(row, known)


def calls(result: Expanded) -> list[str]:
    """The names called, in the order of the rows."""
    rows = result.body.rows
    found = []
    for row in rows:
        match row:
            case CallRow(callee=callee):
                target = rows[callee]
                found.append(target.path.segments[-1].name if isinstance(target, PathRow) else "?")
            case MethodCallRow(name=name):
                found.append(f".{name}")
            case MacroRow(path=path):
                found.append(f"{path[-1]}!")
    return found


def kinds(result: Expanded, kind: type[Row]) -> list[Row]:
    """The rows of a kind."""
    return [row for row in result.body.rows if type(row) is kind]


def test_the_rows_of_an_expansion_stand_in_the_place_of_the_call() -> None:
    tables = link_text(
        "macro_rules! both { ($a:expr, $b:expr) => { { one($a); two($b) } } }"
        " fn f() { let x = before(both!(arg(), 2)); after(x) }"
    )
    result = expanded(tables)
    assert calls(result) == ["arg", "one", "two", "before", "after"]
    blocks = [row for row in kinds(result, BlockRow) if isinstance(row, BlockRow) and row.kind == "expansion"]
    assert len(blocks) == 1 and blocks[0].body.value is not None


def test_a_match_over_variants_is_written_out() -> None:
    tables = link_text(
        "macro_rules! delegate { ($self:expr, $m:ident($($a:expr),*)) => {"
        " match $self { E::A(inner) => T::$m(inner $(, $a)*), E::B(inner) => T::$m(inner $(, $a)*) } } }"
        " impl E { fn f(&self, x: u8) -> u8 { delegate!(self, go(x, 1)) } }"
    )
    result = expanded(tables, "app::E::f")
    (match,) = kinds(result, MatchRow)
    assert isinstance(match, MatchRow) and len(match.arms) == 2
    assert calls(result) == ["go", "go"]


def test_a_row_is_placed_where_its_tokens_were_written() -> None:
    tables = link_text("macro_rules! m { ($a:expr) => { wrap($a) } }\nfn f() {\n    m!(given())\n}\n")
    result = expanded(tables)
    places = {}
    for index, row in enumerate(result.body.rows):
        if isinstance(row, PathRow):
            place = result.position(tables, result.origin[index], row.name_at)
            places[row.path.segments[-1].name] = (place.line, place.column)
    assert places == {"wrap": (1, 33), "given": (3, 8)}


def test_macros_in_macros_are_expanded_to_the_file() -> None:
    tables = link_text(
        "macro_rules! outer { ($a:expr) => { inner!($a, 1) } }\n"
        "macro_rules! inner { ($a:expr, $b:expr) => { { go($a); let y = deeper!($b); y } } }\n"
        "macro_rules! deeper { ($a:expr) => { last($a) } }\n"
        "fn f() { outer!(x.y()) }"
    )
    result = expanded(tables)
    assert calls(result) == [".y", "go", "last"]
    index = next(index for index, row in enumerate(result.body.rows) if isinstance(row, MethodCallRow))
    assert result.position(tables, result.origin[index], result.body.rows[index].start).line == 4


def test_macros_from_outside_keep_their_arguments() -> None:
    tables = link_text('fn f() { println!("{}", g()); tokio::join!(a(), b()); }')
    assert calls(expanded(tables)) == ["println!", "g", "join!", "a", "b"]


def test_an_own_log_macro_is_told_by_its_source() -> None:
    tables = link_text(
        'macro_rules! warn { ($($t:tt)*) => { eprintln!($($t)*) } } fn f() { warn!("{}", g()); }'
    )
    result = expanded(tables)
    assert calls(result) == ["eprintln!", "g"]
    (source,) = result.sources.values()
    assert source.macro is not None and tables.macros[source.macro].path == "app::warn"


def test_statements_of_an_expansion_stay_statements() -> None:
    tables = link_text("macro_rules! both { () => { one(); two(); } } fn f() { both!(); three() }")
    assert calls(expanded(tables)) == ["one", "two", "three"]


def test_a_macro_defined_in_the_body_counts_where_it_stands() -> None:
    tables = link_text("fn f() { macro_rules! m { () => { inner() } } m!(); } fn g() { m!() }")
    assert calls(expanded(tables)) == ["inner"]
    assert calls(expanded(tables, "app::g")) == ["m!"]


def test_a_call_that_does_not_match_is_kept_and_told() -> None:
    tables = link_text("macro_rules! m { (a) => { x() } }\nfn f() {\n  m!(b(c())) }")
    result = expanded(tables)
    assert calls(result) == ["m!", "b", "c"] or calls(result) == ["m!", "c", "b"]
    assert [(one.line, one.column, one.message) for one in result.problems] == [
        (3, 3, "m! was not expanded: no rule matches")
    ]


def test_recursion_ends() -> None:
    tables = link_text("macro_rules! m { ($x:expr) => { g(m!($x)) } } fn f() { m!(1) }")
    result = expanded(tables)
    assert len(result.problems) == 1 and "too deep" in result.problems[0].message


def test_attributes_in_an_expansion_are_kept() -> None:
    tables = link_text("macro_rules! m { ($e:expr) => { #[cfg(windows)] { $e } } } fn f() { m!(g()); }")
    assert len(kinds(expanded(tables), AttributedRow)) == 1


def test_names_of_a_body_hold_what_its_macros_may_bring() -> None:
    tables = link_files(
        {
            "src/lib.rs": (
                "macro_rules! outer { ($x:expr) => { inner!($x) } }"
                " macro_rules! inner { ($x:expr) => { $x.sync_all(Hidden { a: 1 }) } }"
                " fn f() { outer!(g()) } fn h() { plain() }"
            )
        }
    )
    names = tables.names_of(function(tables, "app::f").id)
    assert {"sync_all", "Hidden{", "g", "outer!", "inner!"} <= set(names)
    assert "sync_all" not in tables.names_of(function(tables, "app::h").id)


def test_literals_survive_splicing() -> None:
    tables = link_text(
        "macro_rules! m { ($a:expr) => { $a } } fn f() -> u8 { if m!(true) { m!(1) } else { 2 } }"
    )
    texts = [row.text for row in expanded(tables).body.rows if isinstance(row, LiteralRow)]
    assert texts == ["true", "1", "2"]


def test_items_that_macros_declare_in_a_body_are_known_in_it() -> None:
    tables = link_text(
        "macro_rules! helper { ($n:ident) => { fn $n() { deep() } struct Local; impl Local { fn go(&self) {} } } }\n"
        "fn f() { helper!(made); made(); Local.go() }\nfn deep() {}"
    )
    body = tables.body_module(function(tables, "app::f").id)
    found = tables.resolve(body, ("made",), "value")
    assert found is not None and found.path == "app::f::made"
    assert function(tables, "app::f::Local::go").impl is not None
    assert function(tables, "app::f::made").position.line == 2
    assert calls(expanded(tables)) == ["made", ".go"]


def test_a_macro_that_declares_functions_that_call_it_ends() -> None:
    tables = link_text("macro_rules! m { () => { fn g() { m!() } } } fn f() { m!() }")
    assert 2 <= len(tables.functions) < 20


def test_a_use_in_an_expansion_holds_in_the_body() -> None:
    tables = link_text(
        "mod a { pub fn inner() {} pub enum E { V } }"
        " macro_rules! m { () => { { use $crate::a::inner as run; use $crate::a::E::*; run(V) } } }"
        " fn f() { m!() }"
    )
    f = function(tables, "app::f").id
    assert calls(expanded(tables)) == ["run"]
    found = tables.resolve(tables.body_module(f), ("run",), "value")
    assert found is not None and found.path == "app::a::inner"
    assert tables.resolve(tables.body_module(f), ("V",), "value") is not None
