"""The specifications in `tests/spec/*.md` hold: prose with blocks of rules and Rust."""

from __future__ import annotations

from pathlib import Path

import pytest

from inroads.testkit import Example, examples, run_example

SPEC = Path(__file__).parent / "spec"
EXAMPLES = [
    (path.name, example)
    for path in sorted(SPEC.glob("*.md"))
    for example in examples(path.read_text(encoding="utf-8"), path.name)
]


@pytest.mark.parametrize(
    ("file", "example"), EXAMPLES, ids=[f"{file}:{example.line} {example.name}" for file, example in EXAMPLES]
)
def test_the_specification_holds(file: str, example: Example) -> None:
    verdict = run_example(example)
    assert verdict.passed, "\n".join([f"{file}:{example.line} {example.name}", *verdict.lines()])
