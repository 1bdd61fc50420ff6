"""The command group; each command is imported when it is called, and each error has its exit code."""

from __future__ import annotations

import gc
import os
import signal
import sys
from importlib import import_module

import click

from inroads import __version__
from inroads.errors import InroadsError, did_you_mean

# Name -> module; each module has a `command`. The texts stand here so that
# `--help` needs to import none of them.
COMMANDS = {
    "check": ("inroads.cli.check_command", "Find what the rules object to."),
    "audit": ("inroads.cli.audit_command", "Show every road into one function."),
    "calls": ("inroads.cli.calls_command", "Print the call edges."),
    "fates": ("inroads.cli.fates_command", "Show what becomes of each function's error."),
    "fleet": ("inroads.cli.fleet_command", "Check many repositories in one run."),
    "allows": ("inroads.cli.allows_command", "List every allow comment, and whether it is used."),
    "rules": ("inroads.cli.rules_command", "List the rules, and which apply here."),
    "explain": ("inroads.cli.explain_command", "Tell why a rule exists, with examples."),
    "test": ("inroads.cli.test_command", "Run the tests inside the rule packs."),
    "init": ("inroads.cli.init_command", "Write an inroads.toml that fits this workspace."),
    "settings": ("inroads.cli.settings_command", "Tell which settings are in force, and from where."),
    "cache": ("inroads.cli.cache_command", "Tell of the cache, shrink it, or empty it."),
    "completion": ("inroads.cli.completion_command", "Print the completion script of a shell."),
}

EXIT_INTERRUPTED = 130


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        # What is imported stays: the collector need not look at it again and again.
        gc.disable()
        command = import_module(COMMANDS[cmd_name][0]).command
        gc.enable()
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            hint = did_you_mean(name, COMMANDS)
            if not hint and os.path.exists(name):
                hint = f"; did you mean `inroads check {name}`?"
            ctx.fail(f'no command is called "{name}"{hint}')
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 clean, 1 findings, 2 usage, settings or rule error.",
)
@click.version_option(__version__, "-V", "--version", message="inroads %(version)s")
def group() -> None:
    """
    A linter for Rust that sees the whole program.

    It traces every road into a function, and judges each one: was the state
    that the function relies on established before, and can anyone hear its error?

    \b
    inroads check                       the workspace around this folder
    inroads check -D error-only-logged  one rule as an error
    inroads audit CachePool::allocate   every road into one function
    """


def run(arguments: list[str]) -> int:
    """
    Run a command line.

    Returns:
        The exit code; 130 after Ctrl-C.
    """
    try:
        # Broken pipes surface where we write (below), not as a signal that would lose the exit code.
        result = group.main(args=arguments, prog_name="inroads", standalone_mode=False, obj=list(arguments))
        sys.stdout.flush()
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.NoSuchOption as error:
        hint = did_you_mean(error.option_name, error.possibilities or ())
        click.UsageError(f'no option is called "{error.option_name}"{hint}', error.ctx).show()
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except InroadsError as error:
        for line in str(error).splitlines():
            click.echo(f"{click.style('error', fg='red', bold=True)}: {line}", err=True)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough. The interpreter would complain when it
        # flushes at exit, so it gets a place to flush into.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    return result if isinstance(result, int) else 0
