"""The group of commands, and what several of them share: options, answers to readings, decisions, folders of books."""
from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...spec import BOOKS
from ..console import words as console_words
from ..console.late import late
from ..console.shell import CLEAN, SHELL_NAME, Group, complaint, terminal_of
from ..console.terminal import Terminal
from ..findings import words
from ..findings.record import Decision

if TYPE_CHECKING:
    from ..runs import session
    from ..stored import decisions as decided
else:
    decided = late("stored.decisions")
    session = late("runs.session")

lang_option = click.option("--lang", type=click.Choice(["ja", "en"]), expose_value=False)
books_option = click.option(
    "--books", type=click.Path(file_okay=False), multiple=True, expose_value=False, metavar="FOLDER",
    callback=lambda ctx, param, value: use_books(ctx.meta.setdefault(BOOKS, value)),
)
json_option = click.option("--json", "as_json", is_flag=True)
reading_option = click.option("--reading", "-r", multiple=True, metavar="NAME=CHOICE")
decisions_option = click.option("--decisions", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
cluster_option = click.option("--cluster", metavar="auto|ADDRESS")
draft_option = click.option("--draft", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")


def use_books(folders: Sequence[str]) -> None:
    """Look for books in these folders first. The environment hands it on to the processes that are started."""
    if not folders:
        return
    for folder in folders:
        if not Path(folder).is_dir():
            raise complaint("books", console_words.NO_BOOKS_FOLDER, folder)
    set_books(os.pathsep.join(str(Path(folder).resolve()) for folder in folders))


def typed_books() -> str:
    """The folders of books as they were typed, for commands that are proposed."""
    return shlex.join(word for folder in click.get_current_context().meta[BOOKS] for word in ("--books", folder))


def set_books(folders: str | None) -> None:
    """Set the folders; books that were read from others are forgotten."""
    if folders == os.environ.get(BOOKS):
        return
    if folders is None:
        del os.environ[BOOKS]
    else:
        os.environ[BOOKS] = folders
    library = sys.modules.get("rulewright.model.engine.library")
    if library is not None:
        library.forget_books()


@contextmanager
def books_before(folder: Path) -> Iterator[None]:
    """Look for books in this folder first, for a while."""
    said = os.environ.get(BOOKS)
    set_books(os.pathsep.join([str(folder), *([said] if said else [])]))
    try:
        yield
    finally:
        set_books(said)


@click.group(
    SHELL_NAME, cls=Group, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@lang_option
@click.option("--version", is_flag=True)
@click.pass_context
def commands(ctx: click.Context, version: bool) -> None:
    if version:
        terminal_of(ctx).say(f"{SHELL_NAME} {installed_version()}")
        ctx.exit(CLEAN)
    if ctx.invoked_subcommand is None:
        terminal_of(ctx).say(commands.get_help(ctx))


def installed_version() -> str:
    """The version of the distribution."""
    return version("rulewright")


def command(name: str) -> Callable[[Callable[..., int]], click.Command]:
    """A command of the group; every one has `--lang` and `--books`, and is told the terminal first."""

    def declare(function: Callable[..., int]) -> click.Command:
        return commands.command(name)(lang_option(books_option(click.make_pass_decorator(Terminal)(function))))

    return declare


# ---------------------------------------------------------------- what is given
def reading_word(given: Sequence[str], *allowed: str) -> tuple[str | None, dict[str, str]]:
    """One of the words that are allowed, alone; or chosen readings."""
    found = [one for one in given if one in allowed]
    if found and len(given) > 1:
        raise complaint("reading", words.READINGS_MIXED, found[0], word=found[0])
    return (found[0], {}) if found else (None, chosen_readings(given))


def only_of_scenarios(options: Mapping[str, object]) -> None:
    """Refuses options that are given and do not go with a saved play. Raises BadInput."""
    if given := [name for name, said in options.items() if said]:
        raise complaint("saved-play", console_words.PLAY_ALONE, ", ".join(given))


def chosen_readings(given: Sequence[str]) -> dict[str, str]:
    """`["hand-limit=7"]` as a mapping; anything else is refused."""
    chosen: dict[str, str] = {}
    for one in given:
        name, equals, alternative = one.partition("=")
        if not (name and equals and alternative):
            raise complaint("reading", console_words.READING_FORM, one, value=one, example="--reading hand-limit=none")
        chosen[name.strip()] = alternative.strip()
    return chosen


def decisions_in(path: Path | None) -> Mapping[str, Decision]:
    """The decisions of the file that is named, or of the one that lies here."""
    if path is not None and not path.exists():
        raise complaint("decisions", words.NO_DECISIONS, str(path))
    path = path or Path(decided.FILE)
    return decided.read_decisions(path) if path.exists() else {}


def one_scenario(target: str) -> Path:
    """The scenario that is meant; more than one is refused."""
    paths = session.resolve(target)
    if len(paths) != 1:
        scenarios = ", ".join(f"{target}/{path.stem}" for path in paths)
        raise complaint("one-scenario", console_words.ONE_SCENARIO, target, target=target, scenarios=scenarios)
    return paths[0]
