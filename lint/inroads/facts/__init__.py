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
    DIRECTIVE as DIRECTIVE,
    FACTS_VERSION as FACTS_VERSION,
    BodyFacts as BodyFacts,
    Comment as Comment,
    FileFacts as FileFacts,
    FileProblem as FileProblem,
)
from inroads.facts.items import (
    ConstItem as ConstItem,
    EnumItem as EnumItem,
    ExternBlockItem as ExternBlockItem,
    ExternCrateItem as ExternCrateItem,
    FieldDefinition as FieldDefinition,
    FunctionItem as FunctionItem,
    ImplItem as ImplItem,
    Item as Item,
    ItemHead as ItemHead,
    MacroCallItem as MacroCallItem,
    MacroItem as MacroItem,
    ModuleItem as ModuleItem,
    Signature as Signature,
    StructItem as StructItem,
    TraitItem as TraitItem,
    TypeAliasItem as TypeAliasItem,
    UseEntry as UseEntry,
    UseItem as UseItem,
    Variant as Variant,
)
from inroads.facts.report import (
    HOW_ORDER as HOW_ORDER,
    MOST_FROM_TESTS as MOST_FROM_TESTS,
    Certainty as Certainty,
    Fate as Fate,
    Finding as Finding,
    Fingerprint as Fingerprint,
    How as How,
    Kind as Kind,
    Level as Level,
    Note as Note,
    Position as Position,
    Problem as Problem,
    Report as Report,
    Reported as Reported,
    Road as Road,
    RuleInfo as RuleInfo,
    Step as Step,
)
from inroads.facts.rows import (
    Arm as Arm,
    ArrayRow as ArrayRow,
    AssignRow as AssignRow,
    AttributedRow as AttributedRow,
    AwaitRow as AwaitRow,
    BinaryRow as BinaryRow,
    BlockRow as BlockRow,
    Body as Body,
    BorrowRow as BorrowRow,
    BreakRow as BreakRow,
    CallRow as CallRow,
    CastRow as CastRow,
    ClosureRow as ClosureRow,
    ContinueRow as ContinueRow,
    DiscardRow as DiscardRow,
    FieldRow as FieldRow,
    ForRow as ForRow,
    IfRow as IfRow,
    IndexRow as IndexRow,
    ItemRow as ItemRow,
    LetConditionRow as LetConditionRow,
    LetRow as LetRow,
    LiteralRow as LiteralRow,
    LoopRow as LoopRow,
    MacroRow as MacroRow,
    MatchRow as MatchRow,
    MethodCallRow as MethodCallRow,
    PathRow as PathRow,
    RangeRow as RangeRow,
    Region as Region,
    RepeatRow as RepeatRow,
    ReturnRow as ReturnRow,
    Row as Row,
    ShortCircuitRow as ShortCircuitRow,
    StructRow as StructRow,
    TryRow as TryRow,
    TupleRow as TupleRow,
    UnaryRow as UnaryRow,
    UnknownRow as UnknownRow,
    WhileRow as WhileRow,
    WildcardRow as WildcardRow,
    YieldRow as YieldRow,
)
from inroads.facts.written import (
    ArrayType as ArrayType,
    Attribute as Attribute,
    BindingPattern as BindingPattern,
    ConstArgument as ConstArgument,
    DynType as DynType,
    FunctionType as FunctionType,
    GenericParameter as GenericParameter,
    Generics as Generics,
    ImplType as ImplType,
    InferredType as InferredType,
    LiteralPattern as LiteralPattern,
    MacroPattern as MacroPattern,
    MacroType as MacroType,
    NeverType as NeverType,
    OrPattern as OrPattern,
    Parameter as Parameter,
    PathPattern as PathPattern,
    PathType as PathType,
    Pattern as Pattern,
    Plain as Plain,
    PointerType as PointerType,
    ReferencePattern as ReferencePattern,
    RefType as RefType,
    RestPattern as RestPattern,
    Segment as Segment,
    SlicePattern as SlicePattern,
    SliceType as SliceType,
    StructPattern as StructPattern,
    Tagged as Tagged,
    TuplePattern as TuplePattern,
    TupleStructPattern as TupleStructPattern,
    TupleType as TupleType,
    TypeRef as TypeRef,
    WildcardPattern as WildcardPattern,
)
