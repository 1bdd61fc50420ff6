"""
The pipeline: a tree of files goes in, a report comes out.

    loaded = load(tree, ...)                  # 1 facts of each file, 2 linked
    report = check(loaded, rulebook, ...)     # 3 judged, 4 the rules, 5 allow comments

Two revisions go through the same line: `load` each, `check` both under one
rulebook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from pathspec import GitIgnoreSpec

from inroads.allow import Allows, Malformed, Mark, Standing, apply_allows, gather, stale_allows, standing
from inroads.analyses.base import LOG_MACROS, REASON_WORDS, Context, Rule
from inroads.analyses.swallow import hears_reasons, is_documented
from inroads.builtin import BUILT_IN, LEDGER_RULES
from inroads.errors import NothingToAnalyse, SettingsError
from inroads.facts import FileFacts, Finding, Level, Note, Problem, Report, RuleInfo
from inroads.intake import read_files
from inroads.judging import judge_by
from inroads.ledger import Ledger
from inroads.lines import LineIndex
from inroads.program import Program
from inroads.remembered import Memory, digest_of
from inroads.resolve.foreign import Extern
from inroads.resolve.item_macros import other_places
from inroads.resolve.kept import linked
from inroads.rulebook import Choice, Rulebook, select_rules
from inroads.settings import Settings
from inroads.stale import judged_at
from inroads.store import Store
from inroads.texts import Texts, statements, with_fingerprints, with_sources
from inroads.workspace import Tree, Workspace, discover

if TYPE_CHECKING:
    from concurrent.futures import Executor

_LEVEL_ORDER: dict[Level, int] = {"deny": 0, "warn": 1, "allow": 2}
Progress = Callable[[str, int, int], None]


def no_progress(stage: str, done: int, total: int) -> None:
    """Tell nobody."""


class Loaded(msgspec.Struct, frozen=True):
    """
    A program that can be checked, and what of it could not be read.

    Args:
        keys: Path -> content key of each file.
        speaking: Those of the files that have problems, or comments for this tool.
        store: What earlier runs have kept; None where nothing is kept.
    """

    tree: Tree
    workspace: Workspace
    files: Mapping[str, FileFacts]
    program: Program
    problems: tuple[Problem, ...]
    keys: Mapping[str, str]
    speaking: Mapping[str, FileFacts]
    store: Store | None = None

    @property
    def functions(self) -> frozenset[str]:
        """The paths of all functions: what was renamed between two revisions is told by them."""
        return frozenset(function.path for function in self.program.tables.functions)


class Options(msgspec.Struct, frozen=True):
    """
    What a check asks for beside the rules.

    Args:
        only: Findings are told under these paths; empty for all.
        certain: Whether findings that are `maybe` are left out.
        today: The day that `until` is held against.
        demand_targets: Whether an own rule without target is an error (not so on the base side of a comparison).
        ledger: The reviewed call sites; None where nobody keeps them.
        jobs: How many processes may judge.
        role: What the program is in this run; answers are kept for each role by itself.
    """

    root: str = "."
    only: tuple[str, ...] = ()
    certain: bool = False
    tests: bool = False
    today: date = msgspec.field(default_factory=date.today)
    demand_targets: bool = True
    progress: Progress = no_progress
    ledger: Ledger | None = None
    jobs: int = 1
    role: str = "head"


def load(
    tree: Tree,
    *,
    jobs: int = 1,
    exclude: tuple[str, ...] = (),
    externs: tuple[Extern, ...] = (),
    progress: Progress = no_progress,
    memo: MutableMapping[str, FileFacts] | None = None,
    executor: Executor | None = None,
    store: Store | None = None,
    outlines: bool = False,
    role: str = "head",
) -> Loaded:
    """
    Read and link a program.

    Args:
        memo: Facts by content key that are known already; what is read is added.
        executor: Where files are read instead of in own processes.
        store: What earlier runs kept of files.
        outlines: See `read_files`.
        role: Whose tables are kept under which name; see `Options`.

    Raises:
        NothingToAnalyse: No Rust file is there.
    """
    workspace = discover(tree)
    ignored = GitIgnoreSpec.from_lines(exclude)
    paths = tuple(path for path in workspace.files if not ignored.match_file(path))
    if not paths:
        raise NothingToAnalyse("no Rust file is here; give the path of a crate, a workspace or a file")
    taken = read_files(
        tree,
        paths,
        jobs=jobs,
        memo=memo,
        executor=executor,
        store=store,
        progress=partial(progress, "files"),
        outlines=outlines,
    )
    known = linked(workspace, taken.files, taken.keys, None if outlines else store, role)
    known.tables.externs = externs
    known.tables.store = store
    known.tables.outlines = outlines
    speaking = {path: taken.files[path] for path in known.speaking}
    problems = (*workspace.problems, *taken.problems, *_file_problems(speaking))
    program = Program(known.tables)
    return Loaded(tree, workspace, taken.files, program, problems, taken.keys, speaking, store)


def check(loaded: Loaded, rulebook: Rulebook, settings: Settings, options: Options) -> Report:
    """
    Judge a program by all active rules.

    Raises:
        SettingsError: A rule of an own pack has a target that is not in this program.
    """
    return _judge(loaded, rulebook, settings, options)[0]


def check_allows(
    loaded: Loaded, rulebook: Rulebook, settings: Settings, options: Options
) -> tuple[tuple[Standing, ...], tuple[Malformed, ...]]:
    """Every allow comment of a program with what it does, and those that can't be read; by place."""
    _, allows, ran = _judge(loaded, rulebook, settings, options)
    told = standing(allows, _known(rulebook), ran, options.today)
    only = options.only
    return (
        tuple(one for one in told if not only or is_under(one.mark.path, only)),
        tuple(one for one in allows.malformed if not only or is_under(one.path, only)),
    )


def _judge(
    loaded: Loaded, rulebook: Rulebook, settings: Settings, options: Options
) -> tuple[Report, Allows, Callable[[Mark], bool]]:
    """The report, the allow comments behind it, and whether the rule of one has looked at its place."""
    program = loaded.program
    memory = _memory(loaded, rulebook, settings, options)
    judged = judge_by(
        rulebook.active,
        program,
        _context(rulebook.active, settings, options),
        jobs=options.jobs,
        memory=memory,
        progress=partial(options.progress, "judging"),
    )
    rules, inactive = _present(rulebook, judged.absent, options, loaded.problems)
    found = tuple(one for one in judged.told if isinstance(one, Finding))
    notes = tuple(one for one in judged.told if isinstance(one, Note))
    problems = tuple(one for one in judged.told if isinstance(one, Problem))
    texts = Texts(loaded.tree.read, loaded.files, loaded.keys, loaded.store)
    reviewed, stale_entries, by_ledger = _beside_ledger(program, texts, rulebook, settings, options)
    told = _unexplained(_wanted((*found, *reviewed), rulebook, options), rulebook, texts)
    findings = with_fingerprints(told, texts)
    allows = gather(loaded.speaking)
    applied = apply_allows(findings, statements(findings, texts), allows, options.today)
    names = frozenset((*(rule.head.id for rule in rules), *by_ledger))
    ran = judged_at(program, names, rulebook, tests=options.tests, certain=options.certain)
    stale = _stale(allows, rulebook, ran, options)
    report = Report(
        root=options.root,
        findings=_sorted((*applied.kept, *stale), options.only),
        allowed=_sorted(applied.allowed, options.only),
        notes=tuple(sorted({*inactive, *notes, *stale_entries, *program.notes()}, key=_place)),
        problems=tuple(
            sorted(
                {*loaded.problems, *problems, *folded({*judged.problems, *program.problems()})}, key=_place
            )
        ),
        statistics={
            "files": len(loaded.files),
            "functions": len(program.tables.functions) - program.tables.initialisers,
            **judged.statistics,
        },
        sources={},
        rules=_infos(rules, (*applied.kept, *applied.allowed, *stale), rulebook),
    )
    texts.keep()
    return with_sources(report, texts), allows, ran


def folded(problems: Iterable[Problem]) -> Iterable[Problem]:
    """One problem for all macro calls of which the same is wrong: at the first, with the number of the others."""
    same: dict[str, list[Problem]] = {}
    for problem in problems:
        if problem.kind == "macro":
            same.setdefault(problem.message, []).append(problem)
        else:
            yield problem
    for message, group in same.items():
        first = min(group, key=_place)
        more = f" ({other_places(len(group))})" if 1 < len(group) else ""
        yield msgspec.structs.replace(first, message=f"{message}{more}")


def _file_problems(files: Mapping[str, FileFacts]) -> Iterable[Problem]:
    """The problems that the facts tell, with lines."""
    for path, facts in files.items():
        lines = LineIndex(facts.line_starts, facts.size)
        for problem in facts.problems:
            line, column = lines.position(problem.start)
            yield Problem(kind=problem.kind, path=path, line=line, column=column, message=problem.message)


def _present(
    rulebook: Rulebook, absent: Mapping[str, str], options: Options, problems: tuple[Problem, ...]
) -> tuple[tuple[Rule, ...], list[Note]]:
    """The active rules whose target is in the program, and a note for each other."""
    notes: list[Note] = []
    mistakes: list[str] = []
    for rule in rulebook.active:
        id = rule.head.id
        if id not in absent:
            continue
        if rule.head.optional or not options.demand_targets:
            notes.append(Note(kind="inactive-rule", path="", line=1, message=f"{id}: {absent[id]}"))
        else:
            mistakes.append(f'{rule.head.path}: rule "{id}": {absent[id]}')
    if mistakes:
        # What a rule speaks of may stand in what could not be read.
        unread = (
            f"{one.path}:{one.line}:{one.column}: {one.message}" for one in sorted(problems, key=_place)
        )
        raise SettingsError((*mistakes, *unread))
    return tuple(rule for rule in rulebook.active if rule.head.id not in absent), notes


def _context(rules: tuple[Rule, ...], settings: Settings, options: Options) -> Context:
    return Context(
        certain=options.certain,
        tests=options.tests,
        log_macros=frozenset((*LOG_MACROS, *settings.log_macros)),
        reason_words=(*REASON_WORDS, *settings.reason_words),
        rules=rules,
    )


def _memory(loaded: Loaded, rulebook: Rulebook, settings: Settings, options: Options) -> Memory | None:
    """What earlier runs answered to the same; None where nothing is kept."""
    if loaded.store is None:
        return None
    context = _context(rulebook.active, settings, options)
    asked = (context.certain, context.tests, sorted(context.log_macros), context.reason_words, context.rules)
    key = f"judged:{digest_of(options.root, asked)}"
    memory = Memory(
        loaded.store,
        f"{key}:{options.role}",
        loaded.workspace,
        loaded.program.tables,
        loaded.program.reaching.mentioned,
        loaded.keys,
        # The head of one run is what the next, after a commit, is compared with.
        past=f"{key}:past" if options.role == "head" else None,
        near=() if options.role == "head" else (f"{key}:past", f"{key}:head"),
    )
    memory.read()
    return memory


def _wanted(found: Iterable[Finding], rulebook: Rulebook, options: Options) -> Iterable[Finding]:
    """The findings at the levels of their paths, without those that nobody asked for."""
    specs = [(GitIgnoreSpec.from_lines(globs), levels) for globs, levels in rulebook.paths]
    off = frozenset(rule.head.id for rule in rulebook.active if rule.head.level == "allow")
    for finding in found:
        level: Level = "allow" if finding.rule in off else finding.level
        for spec, levels in specs:
            if finding.rule in levels and spec.match_file(finding.path):
                level = levels[finding.rule]
                # As for -D: what the kind itself would hide is not raised.
                if level == "deny" and finding.level == "allow" and finding.rule not in off:
                    level = "allow"
        if level != "allow" and not (options.certain and finding.certainty == "maybe"):
            yield finding if level == finding.level else msgspec.structs.replace(finding, level=level)


def _unexplained(found: Iterable[Finding], rulebook: Rulebook, texts: Texts) -> Iterable[Finding]:
    """
    The findings without lost errors of which the documentation of the function around says that they are meant.

    Documentation is no part of the facts: it is read where something was found, and only there.
    """
    hearing = frozenset(rule.head.id for rule in rulebook.active if hears_reasons(rule))
    for finding in found:
        if finding.rule not in hearing or not texts.says(finding, is_documented):
            yield finding


def _stale(
    allows: Allows, rulebook: Rulebook, ran: Callable[[Mark], bool], options: Options
) -> list[Finding]:
    """Findings about allow comments, at the levels that the user set."""
    levels = dict(rulebook.built_in_levels)
    found = stale_allows(allows, _known(rulebook), ran, options.today)
    leveled = (msgspec.structs.replace(one, level=levels.get(one.rule, one.level)) for one in found)
    return list(_wanted((one for one in leveled if one.rule not in rulebook.disabled), rulebook, options))


def _known(rulebook: Rulebook) -> list[str]:
    """The names of all rules that an allow comment may name."""
    return [*(rule.head.id for rule in rulebook.rules), *LEDGER_RULES]


def _beside_ledger(
    program: Program, texts: Texts, rulebook: Rulebook, settings: Settings, options: Options
) -> tuple[tuple[Finding, ...], tuple[Note, ...], tuple[str, ...]]:
    """Findings and notes about the ledger, and the rules of it that ran."""
    running = tuple(id for id in LEDGER_RULES if id not in rulebook.disabled)
    if options.ledger is None or not running:
        return (), (), ()
    # Runs without a ledger don't pay for the audit.
    from inroads.review import beside_ledger

    # Flags choose what is told of this run; they don't change what a reviewer has seen.
    verdicts_by = select_rules(rulebook.packs, settings, Choice()).active
    reviewed = beside_ledger(
        program,
        texts,
        options.ledger,
        verdicts_by,
        tests=settings.tests,
        log_macros=frozenset((*LOG_MACROS, *settings.log_macros)),
        demand_targets=options.demand_targets,
    )
    levels = dict(rulebook.built_in_levels)
    found = (
        msgspec.structs.replace(one, level=levels.get(one.rule, one.level))
        for one in reviewed.findings
        if one.rule in running
    )
    return tuple(found), reviewed.notes, running


def _sorted(findings: Iterable[Finding], only: tuple[str, ...]) -> tuple[Finding, ...]:
    """The findings under the paths that are asked about, worst first."""
    kept = [finding for finding in findings if not only or is_under(finding.path, only)]
    kept.sort(
        key=lambda one: (
            _LEVEL_ORDER[one.level],
            -one.rank,
            one.path,
            one.line,
            one.column,
            one.rule,
            one.message,
        )
    )
    return tuple(kept)


def is_under(path: str, folders: tuple[str, ...]) -> bool:
    """Whether a path is one of these, or inside one of them."""
    return any(path == folder or path.startswith(folder + "/") for folder in folders)


def _place(one: Note | Problem) -> tuple[str, int, int, str, str]:
    column = one.column if isinstance(one, Problem) else 1
    return (one.path, one.line, column, one.kind, one.message)


def _problem(kind: str, path: str, message: str) -> Problem:
    return Problem(kind=kind, path=path, line=1, column=1, message=message)


def _infos(rules: Iterable[Rule], findings: Iterable[Finding], rulebook: Rulebook) -> tuple[RuleInfo, ...]:
    """The rules that ran, and those without a pack that found something, sorted by id."""
    levels = dict(rulebook.built_in_levels)
    made = {rule.head.id: _info(rule) for rule in rules}
    for id in {finding.rule for finding in findings} - made.keys():
        one = BUILT_IN[id]
        made[id] = RuleInfo(
            id=id, kind=one.kind, level=levels.get(id, one.level), title=one.title, why=one.why, pack=""
        )
    return tuple(made[id] for id in sorted(made))


def _info(rule: Rule) -> RuleInfo:
    head = rule.head
    return RuleInfo(
        id=head.id, kind=head.kind, level=head.level, title=head.title, why=head.why, pack=head.pack
    )
