"""
The nouns: frozen, plain values that the layers hand to one another.

Three groups, each read by a different layer:

* what one file says, by its bytes alone (`FileFacts`, items, types as written,
  patterns, the rows of a body);
* where a thing stands (`Position`, `Span`, `Step`);
* what a run reports (`Finding`, `Note`, `Problem`, `Report`).

Offsets are UTF-8 bytes. Offsets in items are from the start of the file (a
byte-order mark counts), offsets in rows and patterns of a body from the start
of that body (`BodyFacts.start`). Lines and columns are from 1, columns in bytes.

The structs are msgspec structs, so that the store can encode them without a
second description of their shape.
"""

from __future__ import annotations

from inroads.facts.file import (
    FACTS_VERSION as FACTS_VERSION,
)
from inroads.facts.file import (
    BodyFacts as BodyFacts,
)
from inroads.facts.file import (
    Comment as Comment,
)
from inroads.facts.file import (
    FileFacts as FileFacts,
)
from inroads.facts.file import (
    FileProblem as FileProblem,
)
from inroads.facts.items import (
    ConstItem as ConstItem,
)
from inroads.facts.items import (
    EnumItem as EnumItem,
)
from inroads.facts.items import (
    ExternBlockItem as ExternBlockItem,
)
from inroads.facts.items import (
    ExternCrateItem as ExternCrateItem,
)
from inroads.facts.items import (
    FieldDefinition as FieldDefinition,
)
from inroads.facts.items import (
    FunctionItem as FunctionItem,
)
from inroads.facts.items import (
    ImplItem as ImplItem,
)
from inroads.facts.items import (
    Item as Item,
)
from inroads.facts.items import (
    ItemHead as ItemHead,
)
from inroads.facts.items import (
    MacroCallItem as MacroCallItem,
)
from inroads.facts.items import (
    MacroItem as MacroItem,
)
from inroads.facts.items import (
    ModuleItem as ModuleItem,
)
from inroads.facts.items import (
    StructItem as StructItem,
)
from inroads.facts.items import (
    TraitItem as TraitItem,
)
from inroads.facts.items import (
    TypeAliasItem as TypeAliasItem,
)
from inroads.facts.items import (
    UseEntry as UseEntry,
)
from inroads.facts.items import (
    UseItem as UseItem,
)
from inroads.facts.items import (
    Variant as Variant,
)
from inroads.facts.report import (
    HOW_ORDER as HOW_ORDER,
)
from inroads.facts.report import (
    Certainty as Certainty,
)
from inroads.facts.report import (
    Fate as Fate,
)
from inroads.facts.report import (
    Finding as Finding,
)
from inroads.facts.report import (
    Fingerprint as Fingerprint,
)
from inroads.facts.report import (
    How as How,
)
from inroads.facts.report import (
    Kind as Kind,
)
from inroads.facts.report import (
    Level as Level,
)
from inroads.facts.report import (
    Note as Note,
)
from inroads.facts.report import (
    Position as Position,
)
from inroads.facts.report import (
    Problem as Problem,
)
from inroads.facts.report import (
    Report as Report,
    RuleInfo as RuleInfo,
)
from inroads.facts.report import (
    Reported as Reported,
)
from inroads.facts.report import (
    Road as Road,
)
from inroads.facts.report import (
    Step as Step,
)
from inroads.facts.rows import (
    Arm as Arm,
)
from inroads.facts.rows import (
    ArrayRow as ArrayRow,
)
from inroads.facts.rows import (
    AssignRow as AssignRow,
)
from inroads.facts.rows import (
    AttributedRow as AttributedRow,
)
from inroads.facts.rows import (
    AwaitRow as AwaitRow,
)
from inroads.facts.rows import (
    BinaryRow as BinaryRow,
)
from inroads.facts.rows import (
    BlockRow as BlockRow,
)
from inroads.facts.rows import (
    Body as Body,
)
from inroads.facts.rows import (
    BorrowRow as BorrowRow,
)
from inroads.facts.rows import (
    BreakRow as BreakRow,
)
from inroads.facts.rows import (
    CallRow as CallRow,
)
from inroads.facts.rows import (
    CastRow as CastRow,
)
from inroads.facts.rows import (
    ClosureRow as ClosureRow,
)
from inroads.facts.rows import (
    ContinueRow as ContinueRow,
)
from inroads.facts.rows import (
    DiscardRow as DiscardRow,
)
from inroads.facts.rows import (
    FieldRow as FieldRow,
)
from inroads.facts.rows import (
    ForRow as ForRow,
)
from inroads.facts.rows import (
    IfRow as IfRow,
)
from inroads.facts.rows import (
    IndexRow as IndexRow,
)
from inroads.facts.rows import (
    ItemRow as ItemRow,
)
from inroads.facts.rows import (
    LetConditionRow as LetConditionRow,
)
from inroads.facts.rows import (
    LetRow as LetRow,
)
from inroads.facts.rows import (
    LiteralRow as LiteralRow,
)
from inroads.facts.rows import (
    LoopRow as LoopRow,
)
from inroads.facts.rows import (
    MacroRow as MacroRow,
)
from inroads.facts.rows import (
    MatchRow as MatchRow,
)
from inroads.facts.rows import (
    MethodCallRow as MethodCallRow,
)
from inroads.facts.rows import (
    PathRow as PathRow,
)
from inroads.facts.rows import (
    RangeRow as RangeRow,
)
from inroads.facts.rows import (
    Region as Region,
)
from inroads.facts.rows import (
    RepeatRow as RepeatRow,
)
from inroads.facts.rows import (
    ReturnRow as ReturnRow,
)
from inroads.facts.rows import (
    Row as Row,
)
from inroads.facts.rows import (
    ShortCircuitRow as ShortCircuitRow,
)
from inroads.facts.rows import (
    StructRow as StructRow,
)
from inroads.facts.rows import (
    TryRow as TryRow,
)
from inroads.facts.rows import (
    TupleRow as TupleRow,
)
from inroads.facts.rows import (
    UnaryRow as UnaryRow,
)
from inroads.facts.rows import (
    UnknownRow as UnknownRow,
)
from inroads.facts.rows import (
    WhileRow as WhileRow,
)
from inroads.facts.rows import (
    WildcardRow as WildcardRow,
)
from inroads.facts.rows import (
    YieldRow as YieldRow,
)
from inroads.facts.written import (
    ArrayType as ArrayType,
)
from inroads.facts.written import (
    Attribute as Attribute,
)
from inroads.facts.written import (
    BindingPattern as BindingPattern,
)
from inroads.facts.written import (
    ConstArgument as ConstArgument,
)
from inroads.facts.written import (
    DynType as DynType,
)
from inroads.facts.written import (
    FunctionType as FunctionType,
)
from inroads.facts.written import (
    GenericParameter as GenericParameter,
)
from inroads.facts.written import (
    Generics as Generics,
)
from inroads.facts.written import (
    ImplType as ImplType,
)
from inroads.facts.written import (
    InferredType as InferredType,
)
from inroads.facts.written import (
    LiteralPattern as LiteralPattern,
)
from inroads.facts.written import (
    MacroPattern as MacroPattern,
)
from inroads.facts.written import (
    MacroType as MacroType,
)
from inroads.facts.written import (
    NeverType as NeverType,
)
from inroads.facts.written import (
    OrPattern as OrPattern,
)
from inroads.facts.written import (
    Parameter as Parameter,
)
from inroads.facts.written import (
    PathPattern as PathPattern,
)
from inroads.facts.written import (
    PathType as PathType,
)
from inroads.facts.written import (
    Pattern as Pattern,
)
from inroads.facts.written import (
    Plain as Plain,
)
from inroads.facts.written import (
    PointerType as PointerType,
)
from inroads.facts.written import (
    ReferencePattern as ReferencePattern,
)
from inroads.facts.written import (
    RefType as RefType,
)
from inroads.facts.written import (
    RestPattern as RestPattern,
)
from inroads.facts.written import (
    Segment as Segment,
)
from inroads.facts.written import (
    SlicePattern as SlicePattern,
)
from inroads.facts.written import (
    SliceType as SliceType,
)
from inroads.facts.written import (
    StructPattern as StructPattern,
)
from inroads.facts.written import (
    Tagged as Tagged,
)
from inroads.facts.written import (
    TuplePattern as TuplePattern,
)
from inroads.facts.written import (
    TupleStructPattern as TupleStructPattern,
)
from inroads.facts.written import (
    TupleType as TupleType,
)
from inroads.facts.written import (
    TypeRef as TypeRef,
)
from inroads.facts.written import (
    WildcardPattern as WildcardPattern,
)
