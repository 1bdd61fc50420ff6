"""Many errors lost in one body cost as much each as few do."""

from __future__ import annotations

import time

import pytest

from swallow_program import told

HEAD = """
#[derive(Debug)] pub enum E { Missing, Broken(String) }
pub struct S { n: u32 }
impl S {
    fn save(&mut self) -> Result<(), E> {
        self.n += 1;
        std::fs::write("a", "b").map_err(|e| E::Broken(e.to_string()))
    }
}
"""
STATEMENTS = {
    "a dropped result": "let _ = s.save();",
    "a log and a return": 'if let Err(e) = s.save() { eprintln!("{e:?}"); return; }',
    "an empty arm": "match s.save() { Ok(()) => {} Err(_) => {} }",
    "one variable for all": "r = s.save();",
    "an undoing in the arm": "if let Err(_e) = s.save() { let _ = s.save(); }",
}


def seconds(statement: str, times: int) -> float:
    body = "\n".join(["let mut r = s.save();", *([statement] * times), "let _ = r;"])
    began = time.process_time()
    found = told(f"{HEAD}pub fn x(s: &mut S) {{ {body} }}")
    assert times - 1 <= len(found)
    return time.process_time() - began


@pytest.mark.parametrize("name", sorted(STATEMENTS))
def test_the_cost_grows_with_the_number_of(name: str) -> None:
    seconds(STATEMENTS[name], 10)
    few, many = seconds(STATEMENTS[name], 250), seconds(STATEMENTS[name], 2000)
    # Eight times as many; were it quadratic, it would take more than fifty times as long.
    assert many < 24 * few
