"""A branch of a quiet specification that is turned round is noticed, or listed with the reason."""

from __future__ import annotations

import pytest

from inroads.testkit import Example
from quiet_branches import LIST, all_examples, quiet_branches

EXAMPLES = all_examples()
LISTED = LIST.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("page", "example"), EXAMPLES, ids=[f"{page}: {example.name}" for page, example in EXAMPLES]
)
def test_a_branch_that_is_turned_round_is_noticed_or_listed(page: str, example: Example) -> None:
    start = f"- {page}, {example.name}, "
    known = [line for line in LISTED if line.startswith(start) and not line[len(start) :][:1].isdigit()]
    assert quiet_branches(page, example) == known


def test_the_list_names_no_example_that_is_not_there() -> None:
    starts = tuple(f"- {page}, {example.name}, " for page, example in EXAMPLES)
    assert [line for line in LISTED if line.startswith("- ") and not line.startswith(starts)] == []
