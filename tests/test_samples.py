"""Every rule is explained with a bad and a good example, and what is said of them."""

from __future__ import annotations

import pytest

from inroads.builtin import BUILT_IN
from inroads.cli.run import run
from inroads.rulebook import load_rulebook
from inroads.samples import SAMPLES, run_sample

RULES = sorted((*BUILT_IN, *(rule.head.id for rule in load_rulebook().rules)))


@pytest.mark.parametrize("id", sorted(BUILT_IN))
def test_the_bad_one_fires_and_the_good_one_is_quiet(id: str) -> None:
    bad, good = SAMPLES[id]
    rulebook = load_rulebook()
    assert [one.rule for one in run_sample(rulebook, id, bad).findings] == [id]
    assert run_sample(rulebook, id, good).findings == ()


@pytest.mark.parametrize("id", RULES)
def test_every_rule_is_explained_with_the_output_on_its_examples(
    id: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", id]) == 0
    text = capfd.readouterr().out
    bad, good = text.index("\nBad: "), text.index("\nGood: ")
    assert bad < text.index(f"[{id}]", bad) < good
    assert "    0 findings, " in text[good:]
