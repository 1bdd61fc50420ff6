"""
A Rust workspace that is edited at random: every slot of it has several texts, and any line may be touched.

A slot is a place where an edit means something: a body, a signature, a type,
a trait's default, an impl, a `use`, a `mod` with its file, a macro, a feature,
a rule, a setting, an allow comment. Besides these, lines are swapped, doubled
and dropped, and names exchanged, whatever comes of it.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

# The first text of each slot is the one to begin with.
SLOTS: dict[str, tuple[str, ...]] = {
    # Manifests.
    "members": ('"core", "server"', '"core"', '"server"', '"core", "server", "extra"'),
    "core name": ("pool-core", "pool_core", "other-core"),
    "core edition": ("2021", "2018", "2024"),
    "features": ('default = ["metrics"]\nmetrics = []', "metrics = []", "default = []", "unstable = []"),
    "dependency": (
        'pool-core = { path = "../core" }',
        'pool_core = { package = "pool-core", path = "../core" }',
        'pool-core = "1"',
        "",
    ),
    "tracing": ('tracing = "0.1"', "", 'tracing = { package = "log", version = "0.4" }'),
    "bin": ("", '[[bin]]\nname = "tool"\npath = "src/worker.rs"', "[lib]\ndoctest = false"),
    # Settings and rules.
    "settings": ("", 'log-macros = ["note"]', "tests = true", "certain = true", 'fail-level = "deny"'),
    "levels": ("", '[levels]\nerror-only-logged = "deny"', '[levels]\nswallow = "allow"'),
    "exclude": ("", 'exclude = ["server/src/worker*"]', 'exclude = ["/extra"]'),
    "paths": ("", '[[paths]]\npaths = ["server/**"]\nlevels = { error-dropped = "allow" }'),
    "extern": (
        "",
        '[[extern]]\ncrate = "disk"\ndeclarations = """\npub fn sync() -> Result<(), u32>;\n"""',
        '[[extern]]\ncrate = "disk"\ndeclarations = """\npub fn sync() -> u32;\n"""',
    ),
    "target": ('"Pool::take"', '"Pool::take", "Model::step"', '"Pool::lend"'),
    "needs": ('"Pool::fill"', '"Pool::fill", "Pool::warm"', '"Pool::warm"'),
    "undone": ("", 'undone_by = ["Pool::drain"]', "needs_success = false"),
    "ignored": ("", "server/src/worker.rs\n", "core/src/*.rs\n!core/src/lib.rs\n"),
    # Modules and their files.
    "pool mod": (
        "pub mod pool;",
        '#[path = "basin.rs"]\npub mod pool;',
        '#[cfg(feature = "metrics")]\npub mod pool;',
        "#[cfg(test)]\npub mod pool;",
        "grouped! { pub mod pool; }",
        "",
    ),
    "pool file": ("core/src/pool.rs", "core/src/basin.rs", "core/src/pool/mod.rs", "extra/src/lib.rs"),
    "worker mod": (
        "mod worker;",
        '#[path = "inner/worker.rs"]\nmod worker;',
        'mod inner { #[path = "worker.rs"] pub mod worker; }\nuse inner::worker;',
        "",
    ),
    "worker file": ("server/src/worker.rs", "server/src/inner/worker.rs", "server/src/worker/mod.rs"),
    "reexport": ("pub use pool::Pool;", "pub use pool::*;", "pub use pool::Pool as Basin;", ""),
    # Macros.
    "grouped": (
        "($($i:item)*) => { $($i)* };",
        '($($i:item)*) => { $(#[cfg(feature = "metrics")] $i)* };',
        "($($i:item)*) => { $(#[cfg(test)] $i)* };",
        "($($i:item)*) => {};",
    ),
    "attempt": (
        "($e:expr) => { if let Err(error) = $e { tracing::warn!(\"{error}\"); } };",
        "($e:expr) => { let _ = $e; };",
        "($e:expr) => { match $e { Ok(x) => x, Err(error) => return Err(error.into()) } };",
        "($e:expr) => { $e.unwrap() };",
        "($e:literal) => { $e };",
    ),
    "note": (
        '($($t:tt)*) => { tracing::warn!($($t)*) };',
        "($($t:tt)*) => { COUNT.fetch_add(1) };",
        "($($t:tt)*) => { panic!($($t)*) };",
    ),
    # Types, traits, impls.
    "pool field": ("items: Vec<u32>", "items: Option<u32>", "items: Box<dyn Model>", "items: Spare"),
    "pool generics": ("", "<T: Model>", "<'a>"),
    "fill type": ("-> Result<(), Fault>", "", "-> Option<()>", "-> bool", "-> impl Future<Output = Result<(), Fault>>"),
    "fill self": ("&self", "&mut self", "self", ""),
    "fill name": ("fill", "warm", "load"),
    "fill async": ("pub fn", "pub async fn", "fn", "pub(crate) fn"),
    "fill body": (
        "self.open()?; Ok(())",
        "let _ = self.open(); Ok(())",
        "if self.open().is_err() { return Ok(()); } Ok(())",
        "attempt!(self.open()); Ok(())",
        "Self::lend(self); Err(Fault)",
        "Ok(",
    ),
    "take type": ("-> Result<u32, Fault>", "-> u32", "-> Result<Spare, Fault>", "-> Outcome"),
    "alias": (
        "pub type Outcome = Result<u32, Fault>;",
        "pub type Outcome = Option<u32>;",
        "pub type Outcome<T = u32> = std::result::Result<T, Fault>;",
        "",
    ),
    "drop": ("", "impl Drop for Pool { fn drop(&mut self) { let _ = self.take(); } }"),
    "deref": ("", "impl std::ops::Deref for Spare { type Target = Pool; fn deref(&self) -> &Pool { &self.0 } }"),
    "fault": (
        "impl From<Fault> for String { fn from(_: Fault) -> String { String::new() } }",
        "impl std::fmt::Display for Fault { fn fmt(&self, f: &mut Formatter) -> Result { self.trace() } }",
        "",
    ),
    "pads": ("fn pads(&self) -> bool { true }", "fn pads(&self) -> bool;", "", "fn pads(&self) -> bool { self.step(0).is_ok() }"),
    "step": (
        "fn step(&self, x: u32) -> Result<u32, Fault>;",
        "fn step(&self, x: u32) -> u32;",
        "fn step(&self, x: u32, y: u32) -> Result<u32, Fault>;",
        "fn step(&self, x: u32) -> Result<u32, Fault> { Err(Fault) }",
    ),
    "super": ("", ": Send", ": Named"),
    "inner pads": ("fn pads(&self) -> bool { false }", "", "fn pads(&self) -> bool { self.ready }"),
    "wrapper pads": ("", "fn pads(&self) -> bool { self.inner.pads() }", "fn pads(&self) -> bool { false }"),
    "wrapper field": ("inner: Plain", "inner: Box<dyn Model>", "inner: Arc<Plain>", "inner: u32"),
    "wrapper step": ("self.inner.step(x)", "self.inner.step(x + 1)", "Model::step(&self.inner, x)", "Ok(x)"),
    "blanket": ("", "impl<M: Model> Model for Box<M> { fn step(&self, x: u32) -> Result<u32, Fault> { (**self).step(x) } }"),
    "more impl": ("", "impl Model for Pool { fn step(&self, x: u32) -> Result<u32, Fault> { self.take() } }"),
    # Uses and bodies of the server.
    "use": (
        "use pool_core::{attempt, model::{Model, Plain, Wrapper}, Fault, Pool};",
        "use pool_core::*;",
        "use pool_core::{pool::*, model::*};",
        "use pool_core::{Basin as Pool, Fault};",
        "use crate::worker::*;",
        "extern crate pool_core as core;",
    ),
    "worker use": ("use pool_core::Pool;", "use super::*;", "use crate::Pool;", "use pool_core::pool::Pool as Tank;"),
    "main body": (
        "pool.fill()?; worker::serve(&pool); Ok(())",
        "worker::serve(&pool); pool.fill()?; Ok(())",
        "if ready { pool.fill()?; } worker::serve(&pool); Ok(())",
        "pool.fill()?; pool.drain(); worker::serve(&pool); Ok(())",
        "attempt!(pool.fill()); worker::serve(&pool); Ok(())",
        "pool.warm(); std::thread::spawn(move || worker::serve(&pool)); Ok(())",
        "let run = || worker::serve(&pool); pool.fill()?; run(); Ok(())",
    ),
    "main type": ("-> Result<(), Fault>", "", "-> Result<(), String>", "-> Result<(), Box<dyn Error>>"),
    "serve body": (
        "pool.take().unwrap_or_default()",
        "let one = pool.take(); match one { Ok(x) => x, Err(_) => 0 }",
        'match pool.take() { Ok(x) => x, Err(error) => { note!("{error:?}"); 0 } }',
        "pool.take().ok(); disk::sync(); 1",
        "let _ = disk::sync(); each(pool, |p| p.take())",
        "fn inner(p: &Pool) -> u32 { let _ = p.take(); 1 } inner(pool)",
        "0",
    ),
    "serve cfg": ("", '#[cfg(feature = "metrics")]', "#[cfg(test)]", "#[test]"),
    "each body": ("run(pool)", "let _ = run(pool); 0", "std::thread::spawn(move || run(pool)); 0"),
    "each bound": ("impl Fn(&Pool) -> u32", "impl FnOnce(&Pool) -> Result<u32, Fault>", "Box<dyn Fn(&Pool) -> u32>"),
    "rounds": (
        "for m in models { let _ = m.step(1); }",
        "for m in models { m.step(1)?; }",
        "models.iter().for_each(|m| { m.step(1).ok(); })",
        'while let Some(m) = models.pop() { if let Err(e) = m.step(1) { log::error!("{e}") } }',
        "select! { x = models[0].step(1) => drop(x), else => {} }",
    ),
    "models type": ("Vec<Box<dyn Model>>", "Vec<Wrapper>", "Vec<Plain>", "&[Wrapper]", "Vec<T>"),
    "rounds generics": ("", "<T: Model>", "<T>"),
    # Allow comments.
    "allow": (
        "",
        '// inroads: allow(error-dropped) reason = "it will come again"',
        "// inroads: allow(error-dropped)",
        '// inroads: allow(error-only-logged) reason = "told"',
        '// inroads: allow(take-before-fill) reason = "an empty one is fine"',
    ),
    "item allow": ("", '// inroads: allow(swallow) reason = "all of it"', "#[allow(dead_code)]", "/// Told."),
    "extra": ("", "pub fn extra() { let _ = pool_core::Pool::new().fill(); }", "not rust at all {{{ (("),
}  # fmt: skip

# The slots inside bodies: an edit there changes nothing that another body can see.
BODIES = tuple(
    slot for slot in SLOTS if slot.endswith(" body") or slot in ("allow", "rounds", "wrapper step")
)

# `<name>` is a slot, in paths too.
FILES: tuple[tuple[str, str], ...] = (
    ("Cargo.toml", "[workspace]\nmembers = [<members>]\n"),
    (".gitignore", "/.inroads_cache\n<ignored>"),
    ("inroads.toml", 'packs = ["pack.toml"]\n<settings>\n<exclude>\n<levels>\n<paths>\n<extern>\n'),
    (
        "pack.toml",
        """pack = "pool"
optional = true

[[rule]]
id = "take-before-fill"
kind = "order"
title = "taken from the pool before it was filled"
level = "deny"
why = "An empty pool has nothing to give."
target = [<target>]
needs = [<needs>]
<undone>

[[rule.test]]
name = "taken first"
code = '''
pub struct Pool;
impl Pool { pub fn fill(&self) {} pub fn take(&self) -> u32 { 1 } }
fn main() { let p = Pool; p.take(); } //~ take-before-fill
'''

[[rule.test]]
name = "filled first"
code = '''
pub struct Pool;
impl Pool { pub fn fill(&self) {} pub fn take(&self) -> u32 { 1 } }
fn main() { let p = Pool; p.fill(); p.take(); }
'''
""",
    ),
    (
        "core/Cargo.toml",
        '[package]\nname = "<core name>"\nversion = "1.0.0"\nedition = "<core edition>"\n\n[features]\n<features>\n',
    ),
    (
        "core/src/lib.rs",
        """#[macro_use]
mod macros;
<pool mod>
pub mod model;
<reexport>
pub struct Fault;
<alias>
<fault>
""",
    ),
    (
        "core/src/macros.rs",
        """#[macro_export]
macro_rules! grouped { <grouped> }
#[macro_export]
macro_rules! attempt { <attempt> }
macro_rules! note {
    <note>
}
""",
    ),
    (
        "<pool file>",
        """use crate::{model::Model, Fault, Outcome};

pub struct Spare(pub Pool);

pub struct Pool<pool generics> {
    <pool field>,
    ready: bool,
}

impl Pool<pool generics> {
    pub fn new() -> Self {
        Pool { items: Default::default(), ready: false }
    }
    fn open(&self) -> Result<(), Fault> {
        std::fs::write("items", "")?;
        Ok(())
    }
    <fill async> <fill name>(<fill self>) <fill type> {
        <fill body>
    }
    pub fn take(&self) <take type> {
        self.items.first().copied().ok_or(Fault)
    }
    pub fn lend(&self) {
        <allow>
        let _ = self.take();
    }
    pub fn drain(&self) {}
}
<drop>
<deref>
<more impl>
""",
    ),
    (
        "core/src/model.rs",
        """use crate::Fault;

pub trait Named { fn name(&self) -> String; }

pub trait Model<super> {
    <step>
    <pads>
    fn twice(&self, x: u32) -> Result<u32, Fault> {
        self.step(x).and_then(|x| self.step(x))
    }
}

pub struct Plain { ready: bool }

impl Model for Plain {
    fn step(&self, x: u32) -> Result<u32, Fault> {
        if self.ready { Ok(x) } else { Err(Fault) }
    }
    <inner pads>
}

pub struct Wrapper { <wrapper field> }

<item allow>
impl Model for Wrapper {
    fn step(&self, x: u32) -> Result<u32, Fault> {
        <wrapper step>
    }
    <wrapper pads>
    fn twice(&self, x: u32) -> Result<u32, Fault> {
        self.inner.twice(x)
    }
}
<blanket>
""",
    ),
    (
        "server/Cargo.toml",
        '[package]\nname = "server"\nversion = "1.0.0"\nedition = "2021"\n\n<bin>\n\n[dependencies]\n<dependency>\n<tracing>\n\n[features]\nmetrics = []\n',
    ),
    (
        "server/src/main.rs",
        """<worker mod>
<use>

fn start(ready: bool) <main type> {
    let pool = Pool::new();
    <main body>
}

fn rounds<rounds generics>(mut models: <models type>) -> Result<(), Fault> {
    <rounds>
    Ok(())
}

fn main() {
    if let Err(error) = start(true) {
        eprintln!("it did not start");
    }
    rounds(Vec::new()).ok();
    let wrapper = Wrapper { inner: todo!() };
    attempt!(wrapper.twice(2));
}
""",
    ),
    (
        "<worker file>",
        """<worker use>

<serve cfg>
pub fn serve(pool: &Pool) -> u32 {
    <allow>
    <serve body>
}

fn each(pool: &Pool, run: <each bound>) -> u32 {
    <each body>
}
""",
    ),
    ("extra/Cargo.toml", '[package]\nname = "extra"\nversion = "1.0.0"\n\n[dependencies]\n<dependency>\n'),
    ("extra/src/main.rs", "fn main() {}\n<extra>\n"),
)

_SLOT = re.compile(r"<([a-z ]+)>")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(slots=True)
class Touch:
    """An edit of the text of one file, whatever stands in it: what is done, and where is left to `at` and `to`."""

    path: str
    how: str
    at: int
    to: int

    def apply(self, text: str) -> str:
        """The text after it."""
        if self.how in ("exchange", "misname"):
            names = list(_NAME.finditer(text))
            if not names:
                return text
            one, other = names[self.at % len(names)], names[self.to % len(names)]
            if self.how == "exchange":
                return re.sub(rf"\b{one[0]}\b", other[0], text)
            return text[: one.start()] + other[0] + text[one.end() :]
        lines = text.splitlines(keepends=True)
        if not lines:
            return text
        at, to = self.at % len(lines), self.to % len(lines)
        if self.how == "swap":
            lines[at], lines[to] = lines[to], lines[at]
        elif self.how == "double":
            lines.insert(to, lines[at])
        elif self.how == "drop":
            del lines[at]
        elif self.how == "blank":
            lines.insert(at, "\n")
        else:
            return "".join(lines[:at])
        return "".join(lines)


@dataclass(slots=True)
class Program:
    """The workspace as it is now: which text each slot has, and what was touched besides."""

    chosen: dict[str, int] = field(default_factory=dict)
    touched: list[Touch] = field(default_factory=list)

    def copy(self) -> Program:
        """The same state, to come back to."""
        return Program(dict(self.chosen), list(self.touched))

    def files(self) -> dict[str, str]:
        """Path -> text."""
        found: dict[str, str] = {}
        for path, text in FILES:
            found[_SLOT.sub(self._text, path)] = _SLOT.sub(self._text, text)
        for one in self.touched:
            if one.path in found:
                found[one.path] = one.apply(found[one.path])
        return found

    def _text(self, slot: re.Match[str]) -> str:
        return SLOTS[slot[1]][self.chosen.get(slot[1], 0)]

    def edit(self, source: random.Random) -> str:
        """Change one thing; what it was, for a person."""
        what = source.random()
        if what < 0.7:
            slot = source.choice(BODIES if what < 0.3 else sorted(SLOTS))
            self.chosen[slot] = source.randrange(len(SLOTS[slot]))
            return f"{slot} = {SLOTS[slot][self.chosen[slot]]!r}"
        if what < 0.75 and self.touched:
            return f"undo {self.touched.pop(source.randrange(len(self.touched)))}"
        path = source.choice(sorted(path for path in self.files() if path.endswith(".rs")))
        how = source.choice(("exchange", "misname", "swap", "swap", "double", "drop", "blank", "cut"))
        self.touched.append(Touch(path, how, source.randrange(1000), source.randrange(1000)))
        return str(self.touched[-1])
