"""What every command shares: help in two languages, complaints in plain words, exit codes, never a traceback."""
from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Iterable, Sequence
from typing import Any

import click

from ...spec.diagnostics import BadInput, Diagnostic, did_you_mean
from ...spec.diagnostics import width as cells
from ...spec.text import Text
from ..findings.layout import pad, wrap
from ..limits.interrupt import CODE as INTERRUPTED
from ..limits.interrupt import was_interrupted
from . import help_words, words
from .terminal import Terminal

CLEAN, FOUND, BAD, BROKEN = 0, 1, 2, 3
UNREAD = 141
"""Exit codes; the last is that of a program that is stopped by a closed pipe (and `INTERRUPTED` by ctrl-C)."""
HELP_WIDTH = 100
SHELL_NAME = "rulewright"


# ---------------------------------------------------------------- help
class Formatter(click.HelpFormatter):
    """Help laid out with wide characters counted right, under headings in the reader's language."""

    def __init__(self, terminal: Terminal) -> None:
        super().__init__(width=min(terminal.width, HELP_WIDTH))
        self.terminal = terminal

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        self.write(f"{self.terminal.phrase(help_words.USAGE)}{prog} {args}\n")

    def write_heading(self, heading: str) -> None:
        self.write(f"{self.terminal.phrase(help_words.SECTION.get(heading, heading))}:\n")

    def write_text(self, text: str) -> None:
        self.write("".join(f"{line}\n" for line in wrap(text, self.width)))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        rows = list(rows)
        first = min(max(cells(name) for name, _ in rows), col_max)
        indent = 2 + first + col_spacing
        for name, text in rows:
            lead, *others = wrap(text, max(self.width - indent, 20))
            if cells(name) > first:
                self.write(f"  {name}\n{' ' * indent}{lead}\n")
            else:
                self.write(f"  {pad(name, first + col_spacing)}{lead}\n")
            self.write("".join(f"{' ' * indent}{line}\n" for line in others))


class Context(click.Context):
    """A context whose help is laid out for the terminal it speaks to."""

    def make_formatter(self) -> click.HelpFormatter:
        return Formatter(terminal_of(self))


def _option_rows(command: click.Command, ctx: click.Context) -> list[tuple[str, str]]:
    terminal = terminal_of(ctx)
    rows: list[tuple[str, str]] = []
    for param in command.get_params(ctx):
        record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
        if record is not None:
            name = "help" if "--help" in param.opts else param.name or ""
            rows.append((record[0], terminal.phrase(help_words.OPTIONS[name])))
    return rows


def terminal_of(ctx: click.Context) -> Terminal:
    """Where the command speaks."""
    terminal = ctx.find_object(Terminal)
    assert terminal is not None
    return terminal


class Command(click.Command):
    """A command whose help is in `help_words`."""

    context_class = Context

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # so that the help of this command is named
            raise

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        formatter.write_text(terminal_of(ctx).phrase(help_words.COMMANDS[self.name or ""]))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Options"):
            formatter.write_dl(_option_rows(self, ctx))


class Group(click.Group):
    """The group of all commands."""

    context_class = Context
    command_class = Command

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        formatter.write_text(terminal_of(ctx).phrase(help_words.PURPOSE))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        say = terminal_of(ctx).phrase
        with formatter.section("Commands"):
            formatter.write_dl([(name, say(help_words.COMMANDS[name])) for name in self.list_commands(ctx)])
        with formatter.section("Options"):
            formatter.write_dl(_option_rows(self, ctx))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        formatter.write_text(terminal_of(ctx).phrase(help_words.EXIT_CODES))

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            raise complaint("command", words.NO_SUCH_COMMAND, args[0], self.commands)
        return super().resolve_command(ctx, args)


# ---------------------------------------------------------------- complaints
def complaint(code: str, message: Text, name: str, known: Iterable[str] = (), **values: object) -> BadInput:
    """A mistake on the command line, with what was probably meant."""
    filled = {"name": name, **values}
    said = Text(ja=message.ja.format(**filled), en=message.en.format(**filled))
    return BadInput([Diagnostic(None, code, said, did_you_mean(name, known), name)])


def usage_complaint(error: click.ClickException) -> BadInput:
    """What click objects to, in our words where we have them."""
    if isinstance(error, click.NoSuchOption):
        return complaint("option", words.NO_SUCH_FLAG, error.option_name, error.possibilities or ())
    if isinstance(error, click.BadOptionUsage):
        return complaint("option", words.NEEDS_VALUE, error.option_name)
    if isinstance(error, click.MissingParameter):
        return complaint("argument", words.MISSING, _parameter_name(error))
    if isinstance(error, click.BadParameter):
        return _bad_value(error)
    extra = error.format_message().partition("(")[2].rstrip(")") or error.format_message()
    return complaint("argument", words.TOO_MANY, extra)


def _bad_value(error: click.BadParameter) -> BadInput:
    match error.param.type if error.param else None:
        case click.Choice() as choice:
            return complaint("value", words.NEEDS_ONE_OF, _parameter_name(error), options=" | ".join(choice.choices))
        case click.IntRange():
            return complaint("value", words.NEEDS_INTEGER, _parameter_name(error))
        case click.FloatRange():
            return complaint("value", words.NEEDS_NUMBER, _parameter_name(error))
        case click.Path(dir_okay=False) if error.message.endswith("is a directory."):
            return complaint("value", words.IS_FOLDER, _parameter_name(error))
        case click.Path(file_okay=False) if error.message.endswith("is a file."):
            return complaint("value", words.IS_FILE, _parameter_name(error))
        case _:
            return complaint("value", words.BAD_VALUE, _parameter_name(error), why=error.message)


def _parameter_name(error: click.BadParameter) -> str:
    if error.param is None:
        return str(error.param_hint or "?")
    return " / ".join(o for o in error.param.opts if o.startswith("--")) or error.param.human_readable_name


def show_bad_input(terminal: Terminal, error: BadInput) -> None:
    """Everything that is wrong, each with its place and what to do."""
    for diagnostic in error.diagnostics:
        terminal.tell(diagnostic.render(terminal.lang))
    if len(error.diagnostics) > 1:
        terminal.tell(words.BAD_INPUT, count=len(error.diagnostics))


# ---------------------------------------------------------------- running
def run(group: click.Group, arguments: Sequence[str], terminal: Terminal) -> int:
    """Run a command and give its exit code. Whatever goes wrong is said in a sentence."""
    try:
        # `group.main` has its own ideas of how to end a program; a context does as it is told.
        with group.make_context(SHELL_NAME, list(arguments), obj=terminal) as context:
            code: Any = group.invoke(context)
        sys.stdout.flush()
        return code if isinstance(code, int) else CLEAN
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except BadInput as error:
        show_bad_input(terminal, error)
        return BAD
    except click.ClickException as error:
        show_bad_input(terminal, usage_complaint(error))
        command = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else SHELL_NAME
        terminal.tell(words.SEE_HELP, command=command)
        return BAD
    except (click.Abort, KeyboardInterrupt):
        terminal.tell(words.INTERRUPTED)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough. Nothing can be written any more, not even on the way out.
        _write_no_more()
        return UNREAD
    except Exception as error:
        if was_interrupted(error):
            terminal.tell(words.INTERRUPTED)
            return INTERRUPTED
        return _trouble(terminal, error)


def _write_no_more() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _trouble(terminal: Terminal, error: Exception) -> int:
    if os.environ.get("RULEWRIGHT_DEBUG") == "1":
        terminal.tell("".join(traceback.format_exception(error)))
    if isinstance(error, OSError) and error.filename is not None:
        terminal.tell(words.FILE_TROUBLE, path=error.filename, why=error.strerror)
        return BAD
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        terminal.tell(words.OUTPUT_FULL)
        _write_no_more()
        return BAD
    if isinstance(error, MemoryError):
        terminal.tell(words.NO_MEMORY)
        return BAD
    what = f"{type(error).__name__}: {error}".rstrip(": ").split("\n")[0]
    terminal.tell(words.INTERNAL, what=what)
    return BROKEN
