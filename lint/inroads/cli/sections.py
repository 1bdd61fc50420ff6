"""A command whose options stand in sections, so that a long `--help` can be read at a glance."""

from __future__ import annotations

from typing import Any

import click


class Sectioned(click.Command):
    """
    Options under headings.

    Args:
        sections: Heading -> the names of the options under it; the others come last.
    """

    def __init__(self, *arguments: Any, sections: dict[str, tuple[str, ...]], **keys: Any) -> None:
        super().__init__(*arguments, **keys)
        self.sections = sections

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        records = {
            str(one.name): record
            for one in self.get_params(ctx)
            if isinstance(one, click.Option) and (record := one.get_help_record(ctx)) is not None
        }
        placed = {name for names in self.sections.values() for name in names}
        rest = tuple(name for name in records if name not in placed)
        for heading, names in (*self.sections.items(), ("The run", rest)):
            rows = [records[name] for name in names if name in records]
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows, col_max=34)
