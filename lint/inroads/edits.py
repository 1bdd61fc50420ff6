"""
What was edited since an earlier run, as far as an answer of that run can have seen it.

A function may have changed, come or gone: that is seen by itself, by the bodies that mention its name, and by
those that looked the name up. So are a type, a constant or a private `use` that came or went, as long as
no signature or field speaks of it (see `lone`). Any other edit reaches further than names tell (a field's
type, an impl of a trait, a macro), and so does a function that is called without being named; then
nothing is taken over.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence

from inroads.aligned import Sides, aligned
from inroads.facts import (
    BodyFacts,
    ConstItem,
    FileFacts,
    FunctionItem,
    FunctionType,
    ImplItem,
    ImplType,
    Item,
    PathType,
    RefType,
    Segment,
    TypeRef,
)
from inroads.lone import Edits, note_lone
from inroads.reaching import UNNAMED, Reaching, named_in
from inroads.reads import Recorder, declared, giving, valued, written
from inroads.resolve.tables import Tables
from inroads.store import is_waiting, names_of

_SELF = PathType((Segment("Self"),))


def owners_of(tables: Tables) -> bytes:
    """The source and the item of each function, 4 bytes each in the order of this machine."""
    return array(
        "I", [number for one in tables.functions for number in (one.source, one.item_index)]
    ).tobytes()


def edits_between(owners: bytes, before: Mapping[str, FileFacts], tables: Tables) -> Edits | None:
    """
    What was edited; None where that reaches further than can be told.

    Args:
        owners: `owners_of` the earlier program, which had the same files.
        before: Path -> the earlier facts of each file that is not as it was.
        tables: The program of now.
    """
    files: dict[int, Sides] = {}
    for path, old in before.items():
        file = aligned(tables.file_sources[path], old, tables.sources[tables.file_sources[path]].facts)
        if file is None:
            return None
        files[file.source] = file
    here: dict[tuple[int, int], list[int]] = {}
    for one in tables.functions:
        if one.source in files:
            here.setdefault((one.source, one.item_index), []).append(one.id)
    edits = Edits()
    for file in files.values():
        if not _compare_bodies(file, here, edits):
            return None
        if file.has_other_items and not _compare_functions(file, here, edits, tables):
            return None
    if not note_lone(tuple(files.values()), edits, tables):
        return None
    if owners != owners_of(tables):
        edits.ids = _renumbered(owners, files, tables)
        if edits.ids is None:
            return None
    _mention(edits, tables)
    return edits


def _compare_bodies(file: Sides, here: Mapping[tuple[int, int], list[int]], edits: Edits) -> bool:
    """Note the bodies that differ; False where one did that is no function's and may become one."""
    before = {one.owner: one for one in file.before.bodies}
    now = {one.owner: one for one in file.now.bodies}
    if len(before) != len(file.before.bodies) or len(now) != len(file.now.bodies):
        return False
    has_other_comments = [one.text for one in file.before.comments] != [one.text for one in file.now.comments]
    for owner in range(len(file.now.items)):
        then = file.before_at[owner]
        old, new = None if then is None else before.get(then), now.get(owner)
        if _is_same(old, new) and not (
            # The comments in a body that is kept as rows stand beside it.
            has_other_comments and new is not None and not is_waiting(new)
        ):
            continue
        functions = here.get((file.source, owner), ())
        edits.rewritten.update(functions)
        mentioned = _names(old) ^ _names(new)
        if old is not None and new is not None and is_waiting(old) and is_waiting(new):
            edits.texts.update(dict.fromkeys(functions, mentioned))
        else:
            edits.bodies.update(functions)
        if isinstance(file.now.items[owner], ConstItem):
            edits.names.add(valued(file.now.items[owner].head.name))
        if mentioned and then is not None and not isinstance(file.now.items[owner], FunctionItem):
            # What an initialiser mentions decides whether it is a function at all.
            return False
        edits.names |= mentioned
    for owner, old in before.items():
        if file.now_at[owner] is None:
            edits.names |= names_of(old)
            edits.names.add(valued(file.before.items[owner].head.name))
    return True


def _is_same(old: BodyFacts | None, new: BodyFacts | None) -> bool:
    return (None if old is None else old.data) == (None if new is None else new.data)


def _names(body: BodyFacts | None) -> frozenset[str]:
    return frozenset() if body is None else names_of(body)


def _compare_functions(
    file: Sides,
    here: Mapping[tuple[int, int], list[int]],
    edits: Edits,
    tables: Tables,
) -> bool:
    """Note the functions that changed, came or went; False where that reaches further than their names."""
    for old, new, at in file.functions():
        for items, one in ((file.before.items, old), (file.now.items, new)):
            if one is not None and one.head.name in UNNAMED and _is_in_trait_impl(items, one):
                return False
        own = () if at is None else here.get((file.source, at), ())
        if new is not None and not own:
            return False
        if any(_is_of_foreign_trait(id, tables) for id in own):
            return False
        if new is None and old is not None and _is_in_trait_impl(file.before.items, old):
            return False
        edits.bodies.update(own)
        if at is not None and old is not None and new is not None and _marks(old) != _marks(new):
            # Who asks of code that is no test, and is built, had not asked of it before, or will not any more.
            edits.names.update(*(names_of(one) for one in file.now.bodies if one.owner == at))
        edits.names.update(map(written, _types(old) ^ _types(new)))
        edits.names.update(map(giving, _given(old) ^ _given(new)))
        for one in (old, new):
            if one is not None:
                edits.names.add(declared(one.head.name))
                edits.spread.setdefault(one.head.name, set())
        # Whether a body may lose an error is told by the names of what can fail; and who may call
        # the function now is not who might before.
        if old is None or new is None or _outward(old) != _outward(new):
            edits.spread.update((one.head.name, None) for one in (old, new) if one is not None)
        elif (functions := edits.spread[new.head.name]) is not None:
            functions.update(own)
    return True


def _outward(item: FunctionItem) -> tuple[object, ...]:
    """What of a function decides who may call it, whether a call of it may fail, and what it hands out."""
    closures = [
        one.type for one in item.parameters if isinstance(one.type, RefType | ImplType | FunctionType)
    ]
    head = item.head
    # How a call is written only matters of what may fail and of methods: a `new` with one more argument is no news
    # to those who mention another `new`.
    arguments = 0 if item.receiver is None and _is_plain(item.returns) else len(item.parameters)
    return (
        *(item.returns, item.generics, item.receiver, arguments, closures),
        *(head.visibility, _marks(item)),
    )


def _marks(item: FunctionItem) -> list[tuple[str, str]]:
    """The attributes of a function, which say whether it is test code, and whether it is built."""
    return [(one.path, one.text) for one in item.head.attributes]


def _is_plain(written: TypeRef | None) -> bool:
    """Whether a return type is unit or `Self`, which holds no error."""
    return written is None or (isinstance(written, PathType) and written == _SELF)


def _given(item: FunctionItem | None) -> set[str]:
    """The names in the type that a function returns."""
    return set() if item is None else named_in(item.returns)


def _types(item: FunctionItem | None) -> set[str]:
    """The names in the types of a signature."""
    if item is None:
        return set()
    return named_in(item.returns).union(*(named_in(one.type) for one in item.parameters))


def _is_of_foreign_trait(function: int, tables: Tables) -> bool:
    """Whether code from outside may call the function through a trait."""
    impl = tables.functions[function].impl
    return impl is not None and tables.impls[impl].trait is None and bool(tables.impls[impl].trait_path)


def _is_in_trait_impl(items: Sequence[Item], item: FunctionItem) -> bool:
    holder = None if item.head.parent is None else items[item.head.parent]
    return isinstance(holder, ImplItem) and holder.trait is not None


def _renumbered(owners: bytes, files: Mapping[int, Sides], tables: Tables) -> list[int | None] | None:
    """FunctionId then -> now; None where a function of a file that nobody touched is not found again."""
    numbers = array("I")
    numbers.frombytes(owners)
    here: dict[tuple[int, int], list[int]] = {}
    for one in tables.functions:
        here.setdefault((one.source, one.item_index), []).append(one.id)
    ids: list[int | None] = []
    turns: dict[tuple[int, int], int] = {}
    for source, item in zip(numbers[::2], numbers[1::2], strict=True):
        file = files.get(source)
        at = item if file is None else file.now_at[item]
        if at is None:
            ids.append(None)
            continue
        # A file that two crates mount stands here twice.
        turn = turns[source, at] = turns.get((source, at), -1) + 1
        found = here.get((source, at), ())
        if len(found) <= turn:
            return None
        ids.append(found[turn])
    return ids


def _mention(edits: Edits, tables: Tables) -> None:
    """Note the bodies that may speak of what changed, came or went."""
    reaching = Reaching(tables, Recorder())
    for name, functions in sorted(edits.spread.items(), key=lambda one: one[0]):
        if functions is None:
            for alias in reaching.names_for(name):
                edits.bodies.update(reaching.mentions(alias))
        else:
            for function in functions:
                edits.bodies.update(reaching.candidates(function))
