"""`inroads completion`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from inroads.cli.terminal import write_output


@click.command("completion")
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def command(shell: str) -> int:
    """
    Print the completion script of a shell.

    \b
    inroads completion bash >> ~/.bashrc
    inroads completion zsh >> ~/.zshrc
    inroads completion fish > ~/.config/fish/completions/inroads.fish
    """
    sort = get_completion_class(shell)
    assert sort is not None, "click knows the three shells"
    group = click.get_current_context().find_root().command
    write_output(sort(group, {}, "inroads", "_INROADS_COMPLETE").source(), None)
    return 0
