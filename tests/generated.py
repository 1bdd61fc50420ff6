"""A Rust workspace of any size, the same each time: crates that use one another, with findings here and there."""

from __future__ import annotations

_MODULE = """use {before}::part{other}::{{Store{other}, Kept}};
use std::fs;

pub struct Store{number} {{
    pub inner: Store{other},
    pub held: Vec<u32>,
}}

impl Kept for Store{number} {{
    fn keep(&mut self, item: u32) -> Result<(), String> {{
        if item == {number} {{
            return Err(format!("refused {{item}}"));
        }}
        self.held.push(item);
        self.inner.keep(item)
    }}
    fn count(&self) -> usize {{
        self.held.len() + self.inner.count()
    }}
}}

impl Store{number} {{
    pub fn save(&self, path: &str) -> Result<(), std::io::Error> {{
        for item in &self.held {{
            fs::write(path, format!("{{item}}"))?;
        }}
        Ok(())
    }}
    pub fn tidy(&mut self, path: &str) -> usize {{
        let before = self.count();
        {lost}
        before - self.count()
    }}
}}

pub fn all{number}(stores: &mut [Store{number}]) -> usize {{
    let mut sum = 0;
    for store in stores.iter_mut() {{
        match store.keep(1) {{
            Ok(()) => sum += 1,
            Err(error) => {{
                tracing::warn!("not kept: {{error}}");
                sum += store.tidy("spare");
            }}
        }}
    }}
    sum + stores.iter().map(|store| store.count()).sum::<usize>()
}}

pub fn only{number}(value: Option<u32>) -> u32 {{
    value.map(|one| one + {number}).unwrap_or(0)
}}

pub fn uses{number}() -> u32 {{
    only{number}(Some(1)) + only{number}(None)
}}
"""

_BASE = """pub trait Kept {
    fn keep(&mut self, item: u32) -> Result<(), String>;
    fn count(&self) -> usize {
        0
    }
}

pub struct Store0 {
    pub held: Vec<u32>,
}

impl Kept for Store0 {
    fn keep(&mut self, item: u32) -> Result<(), String> {
        self.held.push(item);
        Ok(())
    }
    fn count(&self) -> usize {
        self.held.len()
    }
}
"""

_PACK = """pack = "kept"

[[rule]]
id = "tidied-before-kept"
kind = "order"
title = "tidied before anything was kept"
why = "There is nothing to tidy."
target = ["Store1::tidy($store, ..)"]
needs = ["Kept::keep($store, ..)"]
needs_success = false

[[rule.test]]
name = "nothing kept"
code = '''
pub struct Store1;
impl Store1 { pub fn keep(&self) {} pub fn tidy(&self) {} }
pub fn f(store: Store1) { store.tidy(); } //~ tidied-before-kept
'''

[[rule.test]]
name = "kept"
code = '''
pub trait Kept { fn keep(&self); }
pub struct Store1;
impl Kept for Store1 { fn keep(&self) {} }
impl Store1 { pub fn tidy(&self) {} }
pub fn f(store: Store1) { store.keep(); store.tidy(); }
'''
"""

LOST = (
    "let _ = self.save(path);",
    "self.save(path).ok();",
    "if let Err(error) = self.save(path) { tracing::error!(\"{error}\"); }",
    "self.save(path).unwrap();",
    "if self.save(path).is_err() { self.held.clear(); }",
)  # fmt: skip


def workspace(crates: int, modules: int) -> dict[str, str]:
    """Path -> text."""
    files = {"Cargo.toml": '[workspace]\nmembers = ["base", "unit*"]\n'}
    files["inroads.toml"] = 'packs = ["kept.toml"]\n'
    files["kept.toml"] = _PACK
    files["base/Cargo.toml"] = '[package]\nname = "base"\nversion = "1.0.0"\n'
    files["base/src/lib.rs"] = "pub mod part0;\n"
    files["base/src/part0.rs"] = _BASE
    number = 0
    for crate in range(crates):
        name = f"unit{crate}"
        before = "base" if crate == 0 else f"unit{crate - 1}"
        files[f"{name}/Cargo.toml"] = (
            f'[package]\nname = "{name}"\nversion = "1.0.0"\n\n[dependencies]\nbase = {{ path = "../base" }}\n'
            + (f'{before} = {{ path = "../{before}" }}\n' if crate else "")
        )
        other = number
        parts = []
        for _ in range(modules):
            number += 1
            parts.append(f"pub mod part{number};\n")
            text = _MODULE.format(number=number, other=other, before=before, lost=LOST[number % len(LOST)])
            if other:
                text = text.replace(", Kept}", "}", 1).replace(
                    "use std", "use base::part0::Kept;\nuse std", 1
                )
            files[f"{name}/src/part{number}.rs"] = text
        files[f"{name}/src/lib.rs"] = "".join(parts)
    return files
