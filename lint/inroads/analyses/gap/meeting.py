"""Where other rules meet a method that a wrapper forgets, and which variants of an enum lead there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from inroads.analyses.gap.forgotten import Forgotten
from inroads.analyses.gap.inner import Concrete
from inroads.analyses.gap.wrappers import Wrapper
from inroads.facts import Finding


@dataclass(frozen=True, slots=True)
class Meetings:
    """
    What a run knows beside one wrapper.

    Args:
        found: The findings of the kinds that ran before.
        dispatchers: The enums that forward to the payload of each variant.
        forgets: (path of a trait, head of a type) -> the methods that this type's impl forgets.
    """

    found: tuple[Finding, ...]
    dispatchers: tuple[Wrapper, ...]
    forgets: dict[tuple[str, str], frozenset[str]]

    def roads(self, wrapper: Wrapper, forgotten: tuple[Forgotten, ...]) -> tuple[str, ...]:
        """A line for each rule of another kind that speaks of a forgotten method."""
        wanted = {f"{wrapper.path.rpartition('::')[2]}::{one.method}": one.method for one in forgotten}
        by_rule: dict[tuple[str, str], list[Finding]] = {}
        for finding in self.found:
            if finding.kind not in ("order", "swallow"):
                continue
            for method in dict.fromkeys(wanted.get(last_two(callee), "") for callee in finding.callees):
                if method:
                    by_rule.setdefault((method, finding.rule), []).append(finding)
        return tuple(
            f"met by {rule}: {counted(findings)} of `{method}`, first at {findings[0].path}:{findings[0].line}"
            for (method, rule), findings in sorted(by_rule.items())
        )

    def variants(self, wrapper: Wrapper, forgotten: tuple[Forgotten, ...]) -> Iterable[str]:
        """Through how many variants of an enum the wrapper is reached, and how many forget the same."""
        for enum in self.dispatchers:
            if enum.path != wrapper.path or enum.impl.id == wrapper.impl.id:
                continue
            heads = {
                inner.variant: inner.inside.head
                for inner in enum.inners
                if isinstance(inner.inside, Concrete)
            }
            own = [variant for variant, head in heads.items() if head == wrapper.impl.head]
            if not own:
                continue
            name = enum.impl.head.rpartition("::")[2]
            line = f"reached through {listed_short(own)} of `{name}`"
            for one in forgotten:
                if one.why != "missing":
                    continue
                alike = [
                    variant
                    for variant, head in heads.items()
                    if one.method in self.forgets.get((wrapper.path, head), frozenset())
                ]
                if len(own) < len(alike):
                    line += f"; {len(alike)} of its {len(heads)} variants run the default of `{one.method}`"
                    break
            else:
                line += f", {len(own)} of its {len(heads)} variants"
            yield line


def last_two(path: str) -> str:
    """The last two segments of a path: `CachePool::sync`."""
    return "::".join(path.split("::")[-2:])


def counted(findings: list[Finding]) -> str:
    """`3 calls`, or with the roads into them."""
    roads = sum(finding.roads_total for finding in findings)
    calls = f"{len(findings)} call{'s' if len(findings) != 1 else ''}"
    return f"{calls} on {roads} road{'s' if roads != 1 else ''}" if roads else calls


def listed_short(names: list[str]) -> str:
    """`` `A`, `B` and 3 more ``."""
    shown = [f"`{name}`" for name in names[:3]]
    if 3 < len(names):
        return f"{', '.join(shown)} and {len(names) - 3} more"
    return " and ".join(shown) if len(shown) < 3 else f"{', '.join(shown[:-1])} and {shown[-1]}"
