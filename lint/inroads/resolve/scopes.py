"""Where items stand while they are registered, and the paths of files that `mod` leads to."""

from __future__ import annotations

import re

import msgspec

from inroads.facts import Item


class Scope(msgspec.Struct):
    """
    Where items stand.

    Args:
        module: The module that their names go into.
        directory, base:
            Where `mod x;` is looked for, and what a `#[path]` is relative to; relative to the root, "" for it.
        impl, trait, function: What holds them, if that is such an item.
        bridged: Whether they stand in `extern "C++"`, whose bridge makes them public.
        order: The textual order of the body or the macro call around, None at the level of a module.
        origin: Where the function begins from which offsets are counted in that order.
        depth: How many macro calls stand around.
        files: The files around, for `mod` cycles.
    """

    module: int
    directory: str
    base: str
    test: bool
    active: bool
    impl: int | None = None
    trait: int | None = None
    function: int | None = None
    bridged: bool = False
    order: tuple[int, ...] | None = None
    origin: int = 0
    depth: int = 0
    files: tuple[str, ...] = ()

    def holding(
        self, *, test: bool, active: bool, impl: int | None = None, trait: int | None = None
    ) -> Scope:
        """The scope inside an impl, a trait or a module that stands here."""
        # Written out: a workspace has thousands, and `dataclasses.replace` is slow.
        return Scope(
            self.module,
            self.directory,
            self.base,
            test,
            active,
            impl,
            trait,
            self.function,
            self.bridged,
            self.order,
            self.origin,
            self.depth,
            self.files,
        )

    def body(self, function: int, test: bool, active: bool, order: tuple[int, ...], origin: int) -> Scope:
        """The scope inside the body of a function that stands here, from `origin` on."""
        return Scope(
            self.module,
            self.directory,
            self.base,
            test,
            active,
            function=function,
            order=order,
            origin=origin,
            depth=self.depth,
            files=self.files,
        )


def joined(directory: str, name: str) -> str:
    """A path below a directory, `.` and `..` taken out; both with `/`, relative to the root."""
    parts = [part for part in directory.split("/") if part]
    if name.startswith("/"):
        parts = []
    for part in name.replace("\\", "/").split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def unquoted(text: str) -> str:
    """The content of a string literal, its escapes read; a text that is no literal as it is."""
    text = text.strip()
    if text.startswith("r"):
        text = text.lstrip("r").strip("#")
        return text[1:-1] if len(text) >= 2 and text[0] == '"' == text[-1] else text
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        return text
    return _ESCAPE.sub(_meant, text[1:-1])


_ESCAPE = re.compile(r"\\(?:\r?\n\s*|x[0-9a-fA-F]{2}|u\{[0-9a-fA-F_]{1,8}\}|.)")
_PLAIN = {"n": "\n", "r": "\r", "t": "\t", "0": "\0"}


def _meant(escape: re.Match[str]) -> str:
    """What an escape stands for; a line that goes on stands for nothing."""
    sign = escape[0][1:]
    if sign[0] in "\r\n":
        return ""
    if sign[0] in "xu" and len(sign) > 1:
        number = int(sign.strip("xu{}").replace("_", "") or "0", 16)
        return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"
    return _PLAIN.get(sign, sign)


def leads_out(directory: str, name: str) -> bool:
    """Whether a path as it is written leads out of the root."""
    return name.replace("\\", "/").startswith("/") or joined(directory, name).split("/")[0] == ".."


def blocks_by_owner(items: tuple[Item, ...]) -> dict[int, list[tuple[int, int]]]:
    """The blocks that declare items, by the item whose body they stand in; each as (start, end) in the file."""
    found: dict[int, list[tuple[int, int]]] = {}
    for item in items:
        head = item.head
        if head.block is not None and head.parent is not None:
            found.setdefault(head.parent, []).append(head.block)
    return found


def sorted_blocks(blocks: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Blocks as they begin, each once, outer ones first."""
    return sorted(set(blocks), key=lambda block: (block[0], -block[1]))
