"""Playing by hand: numbered options, one line of input for each choice, on a terminal or through a pipe."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ...spec.diagnostics import BadInput
from ..console import words
from ..console.terminal import Terminal
from ..runs.names import names
from .output import show_reasons

if TYPE_CHECKING:
    from ..scenarios.playing import TableGame


def play(terminal: Terminal, game: TableGame, seed: int, save: Path | None) -> None:
    """Play until the game ends, the player quits, or the input does."""
    terminal.say(words.SEED, seed=seed)
    terminal.say(words.PLAY_HELP)
    terminal.say()
    terminal.say(game.position())
    _announce(terminal, game)
    while _turn(terminal, game, save):
        pass
    if save is not None:
        game.save(save)
        terminal.say(words.SAVED, path=save)


def _turn(terminal: Terminal, game: TableGame, save: Path | None) -> bool:
    """One choice, or the end; says whether to go on."""
    outcome = game.outcome()
    options = [] if outcome is not None else game.options()
    terminal.say()
    if outcome is not None:
        terminal.say(words.PLAY_ENDED if game.decided else words.PLAY_STOPS, outcome=outcome)
        if not sys.stdin.isatty():
            return False
    else:
        terminal.say(words.TO_MOVE, who=game.who() or words.CHANCE)
        asked = game.asked()
        if asked is not None:
            terminal.say(words.ASKED, clause=asked)
        width = len(str(len(options)))
        clauses = game.clauses_of()
        for number, option in enumerate(options, 1):
            by = " ".join(clauses[number - 1]) if clauses else ""
            terminal.say(
                f"  {number:>{width}}. {terminal.phrase(option)}"
                + (terminal.phrase(words.ASKED, clause=by) if by else "")
            )
    while True:
        answer = terminal.ask(words.PROMPT)
        if answer is None or answer.lower() in ("q", "ｑ"):
            terminal.say(words.PLAY_LEFT)
            return False
        if answer.isdecimal() and 1 <= int(answer) <= len(options):
            game.apply(int(answer) - 1)
            _announce(terminal, game)
            return True
        if answer.lower() == "u":
            if game.undo():
                return True
            terminal.say(words.NOTHING_TO_UNDO)
        else:
            _look(terminal, game, answer, len(options), save)


def _look(terminal: Terminal, game: TableGame, answer: str, count: int, save: Path | None) -> None:
    """What changes nothing in the game."""
    word, _, card = " ".join(answer.split()).partition(" ")
    answer = answer.lower()
    if answer == "p":
        terminal.say(game.position())
    elif answer == "l":
        show_log(terminal, game)
    elif answer == "s":
        name = save or terminal.ask(words.SAVE_AS)
        if name:
            _save(terminal, game, Path(name))
    elif word.lower() == "w":
        card = card or terminal.ask(words.WHICH_CARD) or ""
        reasons = game.why_not(card) if card else None
        if reasons is None:
            terminal.say(words.NO_SUCH_CARD)
        else:
            show_reasons(terminal, card, reasons, names(), game.book)
    elif answer == "?":
        terminal.say(words.PLAY_HELP)
    else:
        terminal.say(words.NO_SUCH_OPTION, count=count)


def show_log(terminal: Terminal, game: TableGame) -> None:
    """Every choice so far, numbered."""
    steps = game.log()
    for number, step in enumerate(steps, 1):
        terminal.say(f"  {number:>3}. {terminal.phrase(step)}")
    if not steps:
        terminal.say(words.LOG_EMPTY)


def _save(terminal: Terminal, game: TableGame, path: Path) -> None:
    try:
        game.save(path)
    except BadInput as error:
        terminal.say(error.render(terminal.lang))  # and the game goes on
    else:
        terminal.say(words.SAVED, path=path)


def _announce(terminal: Terminal, game: TableGame) -> None:
    for happened in game.announced():
        terminal.say(f"  * {terminal.phrase(happened)}")
