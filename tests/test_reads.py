"""Questions that ask themselves: what is kept, what is cut, and how often anything is found out."""

from __future__ import annotations

from inroads.reads import Nested, Recorder


class Asked:
    """A graph of questions; the answer to one is its own name and those of all below that can be told."""

    def __init__(self, below: dict[str, str], deepest: int = 5) -> None:
        self.below = below
        self.found: list[str] = []
        self.memo: Nested[str, frozenset[str]] = Nested(Recorder(), deepest, frozenset("?"))

    def ask(self, key: str) -> str:
        return "".join(sorted(self._ask(key)))

    def _ask(self, key: str) -> frozenset[str]:
        return self.memo.ask(key, lambda: self._find(key))

    def _find(self, key: str) -> frozenset[str]:
        self.found.append(key)
        self.memo.recorder.now.names.add(key)
        return frozenset(key).union(*(self._ask(one) for one in self.below[key]))


def test_a_question_beside_one_that_was_cut_off_is_kept() -> None:
    asked = Asked({"a": "bc", "b": "a", "c": ""})
    assert asked.ask("a") == "?abc"
    asked.ask("c")
    assert asked.found == ["a", "b", "c"]


def test_an_answer_is_the_same_whoever_asks_first() -> None:
    below = {"a": "bc", "b": "ac", "c": "ab"}
    first, second = Asked(below), Asked(below)
    first.ask("a")
    assert first.ask("b") == second.ask("b")


def test_a_circle_that_all_can_reach_is_not_walked_by_each_way() -> None:
    letters = "abcdefghij"
    asked = Asked(dict.fromkeys(letters, letters), deepest=20)
    asked.ask("a")
    assert len(asked.found) < 100


def test_what_was_asked_with_few_turns_left_is_asked_again_where_more_are() -> None:
    asked = Asked({"a": "be", "b": "c", "c": "e", "e": "f", "f": ""}, deepest=4)
    assert asked.ask("a") == "?abcef"
    assert asked.found.count("e") == 2
    assert asked.found.count("f") == 1


def test_an_answer_that_is_held_has_read_what_it_was_found_from() -> None:
    asked = Asked({"a": "bc", "b": "ca", "c": "a"})
    _, reads = asked.memo.recorder.apart(lambda: asked.ask("a"))
    assert reads.names == set("abc")
