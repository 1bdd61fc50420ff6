"""
The items of one text, put into the tables and into the names of their module.

`Registrar.walk` goes once over the flat items of a source, in the order in
which they are written; what needs more than the text itself (`mod x;`, macro
calls) is handed to the two callbacks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
from msgspec.structs import replace

from inroads.facts import (
    Attribute,
    ConstItem,
    EnumItem,
    ExternBlockItem,
    ExternCrateItem,
    FunctionItem,
    ImplItem,
    Item,
    ItemHead,
    MacroCallItem,
    MacroItem,
    ModuleItem,
    StructItem,
    TraitItem,
    TypeAliasItem,
    UseItem,
)
from inroads.resolve.blocks import add_imports, new_module
from inroads.resolve.configuration import activity, effective, is_test
from inroads.resolve.model import (
    Constant,
    Definition,
    Function,
    Impl,
    Import,
    Macro,
    Module,
    Trait,
    TypeDefinition,
)
from inroads.resolve.scopes import Scope, blocks_by_owner, joined, sorted_blocks, unquoted
from inroads.resolve.tables import Tables


class Registrar(msgspec.Struct):
    """
    Puts items into the tables.

    What an item leads to (the file of a `mod`, the expansion of a macro) is
    walked right after it, before the next item, on a stack of its own: files
    and macros may be nested more deeply than Python's calls.

    Args:
        mount: Called with a `mod x;`, its new module's scope, its source and the scope around.
        call: Called with a macro call in item position: its scope, source, item index and item.
        pushed: The walks that the callbacks asked for, in order.
    """

    tables: Tables
    mount: Callable[[ModuleItem, Scope, int, Scope], None]
    call: Callable[[Scope, int, int, MacroCallItem], None]
    count: int = 0
    macro_use: set[int] = msgspec.field(default_factory=set)
    pushed: list[Iterator[bool]] = msgspec.field(default_factory=list)
    is_walking: bool = False

    def order(self, scope: Scope, head: ItemHead) -> tuple[int, ...]:
        """Where an item stands in the textual order of the workspace; each is after all before it."""
        if scope.order is not None:
            # Counted from the function around: an edit before it changes nothing.
            return (*scope.order, head.start - scope.origin)
        self.count += 1
        return (self.count,)

    def walk(self, source: int, scope: Scope) -> None:
        """
        Register all items of a source and what they lead to; the file-level ones stand in `scope`.

        In a callback it only asks for that: the walk goes there before the next item.
        """
        if self.is_walking:
            self.pushed.append(self._items(source, scope))
            return
        stack = [self._items(source, scope)]
        self.is_walking = True
        while stack:
            if next(stack[-1], True):
                stack.pop()
            else:
                stack.extend(reversed(self.pushed))
                self.pushed.clear()
        self.is_walking = False

    def _items(self, source: int, scope: Scope) -> Iterator[bool]:
        """Register the items of a source one by one; False when something was pushed that comes first."""
        items = self.tables.sources[source].facts.items
        scopes: dict[int, Scope] = {}
        blocks = blocks_by_owner(items)
        inside: dict[tuple[int, tuple[int, int]], int] = {}
        for index, item in enumerate(items):
            head = item.head
            around = scope
            if head.parent is not None:
                held = scopes.get(head.parent)
                if held is None:
                    continue
                around = held
                if head.block is not None:
                    module = inside.get((head.parent, head.block))
                    if module is not None:
                        around = replace(held, module=module)
            made = self._item(source, index, item, around, index in blocks)
            if made is not None:
                scopes[index] = made
                if index in blocks:
                    self._make_blocks(source, index, item, made, blocks[index], inside)
            if self.pushed:
                yield False

    def flags(self, attributes: tuple[Attribute, ...], scope: Scope) -> tuple[bool, bool]:
        """Whether an item under these attributes is compiled for tests only, and whether at all."""
        if not attributes:
            return scope.test, scope.active
        when = activity(attributes, self.tables.switches[self.tables.modules[scope.module].crate])
        if scope.test:
            return True, scope.active and when.test
        return when.test and not when.normal, scope.active and (when.normal or when.test)

    def _item(self, source: int, index: int, item: Item, scope: Scope, has_inner: bool) -> Scope | None:
        """Register one item; the scope of what it holds, None where it holds nothing."""
        match item:
            case FunctionItem():
                return self._function(source, index, item, scope, has_inner)
            case StructItem():
                self._type(source, index, item, scope, "union" if item.form == "union" else "struct")
            case EnumItem():
                self._type(source, index, item, scope, "enum")
            case TypeAliasItem():
                if scope.impl is not None:
                    self._associated(self.tables.impls[scope.impl].aliases, source, index, item, scope)
                elif scope.trait is not None:
                    self._associated(self.tables.traits[scope.trait].aliases, source, index, item, scope)
                else:
                    self._type(source, index, item, scope, "alias")
            case TraitItem():
                return self._trait(source, index, item, scope)
            case ImplItem():
                return self._impl(source, index, item, scope)
            case ConstItem():
                return self._constant(source, index, item, scope)
            case UseItem():
                self._use(source, item, scope)
            case ModuleItem():
                return self._module(source, item, scope)
            case MacroItem():
                self._macro(source, index, item, scope)
            case MacroCallItem():
                test, active = self.flags(item.head.attributes, scope)
                if active:
                    self.call(
                        scope if (test, active) == (scope.test, scope.active) else replace(scope, test=test),
                        source,
                        index,
                        item,
                    )
            case ExternCrateItem():
                self._extern_crate(source, item, scope)
            case ExternBlockItem():
                test, active = self.flags(item.head.attributes, scope)
                return replace(scope, test=test, active=active, bridged=item.abi == "C++")
        return None

    def _function(
        self, source: int, index: int, item: FunctionItem, scope: Scope, has_inner: bool
    ) -> Scope | None:
        tables = self.tables
        head = item.head
        test, active = self.flags(head.attributes, scope)
        if head.attributes and not test and any(is_test(attribute) for attribute in head.attributes):
            test = True
        module = tables.modules[scope.module]
        id = len(tables.functions)
        prefix = module.path
        if scope.trait is not None:
            prefix = tables.traits[scope.trait].path
        function = Function(
            id=id,
            name=head.name,
            path=f"{prefix}::{head.name}",
            source=source,
            item_index=index,
            receiver=item.receiver,
            body=item.body,
            crate=module.crate,
            module=scope.module,
            impl=scope.impl,
            trait=scope.trait,
            parent=scope.function,
            test=test,
            active=active,
            places=tables.places,
        )
        tables.functions.append(function)
        order = self.order(scope, head)
        tables.orders.append(order)
        if scope.impl is not None:
            self._member(tables.impls[scope.impl].methods, head.name, id)
        elif scope.trait is not None:
            self._member(tables.traits[scope.trait].methods, head.name, id)
        else:
            definition = Definition("function", id, function.path, head.name)
            self._declare(module, module.values, definition, head, public=scope.bridged)
        return scope.body(id, test, active, order, head.start) if has_inner else None

    def _member(self, methods: dict[str, int], name: str, id: int) -> None:
        """Enter a method; of several under different cfg the one that is compiled."""
        old = methods.get(name)
        if old is not None:
            before, after = self.tables.functions[old], self.tables.functions[id]
            if (before.active, not before.test) >= (after.active, not after.test):
                return
        methods[name] = id

    def _type(
        self, source: int, index: int, item: StructItem | EnumItem | TypeAliasItem, scope: Scope, kind: str
    ) -> None:
        tables = self.tables
        head = item.head
        test, active = self.flags(head.attributes, scope)
        module = tables.modules[scope.module]
        id = len(tables.types)
        path = f"{module.path}::{head.name}"
        tables.types.append(
            TypeDefinition(
                id=id,
                name=head.name,
                path=path,
                kind=kind,
                source=source,
                item_index=index,
                crate=module.crate,
                module=scope.module,
                test=test,
                active=active,
                places=tables.places,
            )
        )
        definition = Definition("type", id, path, head.name)
        self._declare(module, module.types, definition, head, public=scope.bridged)
        if isinstance(item, StructItem) and item.form in ("tuple", "unit"):
            self._declare(module, module.values, definition, head)

    def _associated(
        self,
        aliases: dict[str, tuple[int, int]],
        source: int,
        index: int,
        item: TypeAliasItem,
        scope: Scope,
    ) -> None:
        """Enter an associated type; of several under different cfg the first that is compiled."""
        _, active = self.flags(item.head.attributes, scope)
        if active:
            aliases.setdefault(item.head.name, (source, index))

    def _trait(self, source: int, index: int, item: TraitItem, scope: Scope) -> Scope:
        tables = self.tables
        head = item.head
        test, active = self.flags(head.attributes, scope)
        module = tables.modules[scope.module]
        id = len(tables.traits)
        path = f"{module.path}::{head.name}"
        tables.traits.append(
            Trait(
                id=id,
                name=head.name,
                path=path,
                source=source,
                item_index=index,
                crate=module.crate,
                module=scope.module,
                test=test,
                active=active,
                places=tables.places,
            )
        )
        self._declare(module, module.types, Definition("trait", id, path, head.name), head)
        return scope.holding(test=test, active=active, trait=id)

    def _impl(self, source: int, index: int, item: ImplItem, scope: Scope) -> Scope:
        tables = self.tables
        test, active = self.flags(item.head.attributes, scope)
        module = tables.modules[scope.module]
        id = len(tables.impls)
        tables.impls.append(
            Impl(
                id=id,
                source=source,
                item_index=index,
                crate=module.crate,
                module=scope.module,
                trait=None,
                trait_path="",
                inherent=item.trait is None,
                negative=item.negative,
                test=test,
                active=active,
                places=tables.places,
            )
        )
        return scope.holding(test=test, active=active, impl=id)

    def _constant(self, source: int, index: int, item: ConstItem, scope: Scope) -> Scope:
        tables = self.tables
        head = item.head
        test, active = self.flags(head.attributes, scope)
        module = tables.modules[scope.module]
        id = len(tables.constants)
        prefix = module.path if scope.trait is None else tables.traits[scope.trait].path
        constant = Constant(
            id=id,
            name=head.name,
            path=f"{prefix}::{head.name}",
            source=source,
            item_index=index,
            crate=module.crate,
            module=scope.module,
            impl=scope.impl,
            trait=scope.trait,
            test=test,
            active=active,
            places=tables.places,
        )
        tables.constants.append(constant)
        tables.constant_orders.append(self.order(scope, head))
        if scope.impl is None and scope.trait is None and head.name not in ("", "_"):
            kind = "static" if item.is_static else "const"
            self._declare(module, module.values, Definition(kind, id, constant.path, head.name), head)
        return scope.holding(test=test, active=active)

    def _module(self, source: int, item: ModuleItem, scope: Scope) -> Scope | None:
        tables = self.tables
        head = item.head
        test, active = self.flags(head.attributes, scope)
        around = tables.modules[scope.module]
        kind = "inline" if item.inline else "file"
        module = new_module(tables, head.name, around, kind, source, test, active)
        self._declare(around, around.types, tables.module_definition(module.id), head)
        if effective(head.attributes, "macro_use") is not None:
            self.macro_use.add(module.id)
        path = effective(head.attributes, "path")
        if item.inline:
            if path is not None:
                directory = base = joined(scope.base, unquoted(path.text))
            else:
                directory = base = joined(scope.directory, head.name.removeprefix("r#"))
        else:
            directory, base = scope.directory, scope.base
        inner = Scope(
            module.id,
            directory,
            base,
            test,
            active,
            order=scope.order,
            origin=scope.origin,
            depth=scope.depth,
            files=scope.files,
        )
        if item.inline:
            return inner
        self.mount(item, inner, source, scope)
        return None

    def _use(self, source: int, item: UseItem, scope: Scope) -> None:
        head = item.head
        test, active = self.flags(head.attributes, scope)
        module = self.tables.modules[scope.module]
        add_imports(module, item, source, test, active, self.order(scope, head))

    def _extern_crate(self, source: int, item: ExternCrateItem, scope: Scope) -> None:
        tables = self.tables
        head = item.head
        test, active = self.flags(head.attributes, scope)
        module = tables.modules[scope.module]
        name = item.alias or head.name
        path = ("crate",) if head.name == "self" else ("", head.name)
        private = head.visibility in ("", "self")
        if effective(head.attributes, "macro_use") is not None:
            tables.macro_use_crates.setdefault(module.crate, []).append(head.name)
        if name == "_":
            return
        if module.kind in ("root", "orphan") and item.alias and head.name != "self":
            # At the root it also enters the extern prelude under its new name.
            crate = tables.extern_names[module.crate].get(head.name)
            if crate is None:
                tables.foreign_names[module.crate].setdefault(name, head.name)
            else:
                tables.extern_names[module.crate].setdefault(name, crate)
        one = Import(scope.module, path, name, private, test, active, self.order(scope, head), source)
        module.imports.setdefault(name, []).append(one)

    def _macro(self, source: int, index: int, item: MacroItem, scope: Scope) -> None:
        tables = self.tables
        head = item.head
        _, active = self.flags(head.attributes, scope)
        if not active:
            return
        module = tables.modules[scope.module]
        exported = effective(head.attributes, "macro_export") is not None
        id = len(tables.macros)
        crate = tables.crates[module.crate]
        prefix = crate.name if exported else module.path
        macro = Macro(
            id=id,
            name=head.name,
            path=f"{prefix}::{head.name}",
            source=source,
            item_index=index,
            crate=module.crate,
            module=scope.module,
            mark=tables.mark_of(module.crate),
            exported=exported,
            places=tables.places,
        )
        tables.macros.append(macro)
        order = self.order(scope, head)
        at = scope.module
        while True:
            entries = tables.textual.setdefault((at, head.name), [])
            entries.append((order, id))
            if 1 < len(entries) and order < entries[-2][0]:
                entries.sort()
            parent = tables.modules[at].parent
            if at not in self.macro_use or parent is None:
                break
            at = parent
        if exported:
            root = tables.modules[crate.module]
            self._declare(
                root, root.macros, Definition("macro", id, macro.path, head.name), head, public=True
            )

    def _declare(
        self,
        module: Module,
        table: dict[str, Definition],
        definition: Definition,
        head: ItemHead,
        public: bool = False,
    ) -> None:
        """Enter a name; of several under different cfg the one that is compiled, the first of equals."""
        name = definition.name
        old = table.get(name)
        if old is None or self.tables.is_off(definition) < self.tables.is_off(old):
            table[name] = definition
            if head.visibility in ("", "self") and not public:
                module.private.add(name)
            else:
                module.private.discard(name)

    def _make_blocks(
        self,
        source: int,
        index: int,
        item: Item,
        scope: Scope,
        blocks: list[tuple[int, int]],
        inside: dict[tuple[int, tuple[int, int]], int],
    ) -> None:
        """Make an anonymous module for each block of a body that declares items; nested as the blocks are."""
        tables = self.tables
        around = tables.modules[scope.module]
        open_blocks: list[tuple[int, int]] = []
        made: list[tuple[int, int, int]] = []
        for block in sorted_blocks(blocks):
            while open_blocks and open_blocks[-1][1] <= block[0]:
                open_blocks.pop()
            parent = tables.modules[inside[index, open_blocks[-1]]] if open_blocks else around
            module = new_module(tables, "", parent, "block", source, scope.test, scope.active)
            if scope.function is not None and isinstance(item, FunctionItem):
                module.path = f"{around.path}::{item.head.name}"
            else:
                module.path = f"{around.path}::{item.head.name}" if item.head.name else around.path
            inside[index, block] = module.id
            made.append((block[0], block[1], module.id))
            open_blocks.append(block)
        if isinstance(item, FunctionItem) and scope.function is not None:
            tables.body_modules[scope.function] = tuple(made)
        elif isinstance(item, ConstItem):
            tables.constant_modules[len(tables.constants) - 1] = tuple(made)
