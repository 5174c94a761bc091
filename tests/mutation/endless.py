"""Is an endless part of play ever proved to end? Endless loops are put into copies of the books, and each has to be named.

    python -m tests.mutation.endless [NAME …]

Each changes one place of a book's rules so that a loop goes on for ever in some position. In the copy the loop must not be proved
to end; of the book as it is, it is said what is found (so that one sees which of them says something: a loop that is proved without
the change and not with it).
"""
from __future__ import annotations

import argparse
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from rulewright.checks.ends.proving import Found, places, proved_of
from rulewright.checks.smt.queries.keeping import largest_game
from rulewright.model.engine.library import BOOKS, forget_books, load_book
from tests.mutation.planted import Planted, copied


@dataclass(frozen=True)
class Endless:
    """In a module of a book's rules `old` becomes `new`, so that the loop of `rule` need not end."""

    name: str
    book: str
    module: str
    old: str
    new: str
    rule: str


PLANTED = (
    Endless("due-stays", "ts_fight", "turn.py", "    g.due.remove(d)\n", "", "end_phase"),
    Endless("due-comes-back", "ts_fight", "turn.py", "    g.due.remove(d)\n", "    g.due.remove(d)\n    g.due.add(d)\n", "initial_phase"),
    Endless("discarded-comes-back", "ts_fight", "turn.py", "                discard(g, card)  #: 第3章3\n",
            "                discard(g, card)  #: 第3章3\n                put(card, g.hand[g.turn_player])\n", "draw_phase"),
    Endless("pass-is-forgotten", "ts_fight", "turn.py", "                more = False\n", "                more = True\n", "draw_phase"),
    Endless("discards-nothing", "ts_fight", "turn.py", "                discard(g, card)  #: 第3章3\n", "                g.attacked = not g.attacked\n", "draw_phase"),
    Endless("drawn-anew-for-ever", "ts_fight", "preparation.py", "        left -= 1\n", "", "draw_anew"),
    Endless("drawn-anew-with-gain", "ts_fight", "preparation.py", "        left -= 1\n", "        left += 1\n", "draw_anew"),
    Endless("drawn-anew-turned", "ts_fight", "preparation.py", "        left -= 1\n", "        left = 4 - left\n", "draw_anew"),
    Endless("tries-not-counted", "harem_master", "preparation.py", "        tries += 1\n", "", "find_first_player"),
    Endless("tries-begin-anew", "harem_master", "preparation.py", "        tries += 1\n", "        tries = 1\n", "find_first_player"),
    Endless("number-not-noted", "harem_master", "moving.py", "        for_number |= {c}\n", "", "keep_to_limits"),
    Endless("names-not-noted", "harem_master", "moving.py", "        for_names |= {c}\n", "        for_names = {c}\n", "keep_to_limits"),
    Endless("laid-back-not-counted", "hanayome", "specific_actions.py", "        put(c, deck)\n        left -= {c}\n", "        put(c, deck)\n", "lay_back"),
    Endless("mulligan-again", "hanayome", "preparation.py", "        if reading(\"mulligan-repeat\") == \"once\":\n            return\n", "", "mulligan"),
    Endless("covered-not", "sakura", "turn.py", "        cover(g, c)  #: 8-3-2\n", "        g.uses_no_more[g.turn_player] = not g.uses_no_more[g.turn_player]\n", "end_phase"),
)


def found_of(book: str, rule: str) -> list[Found]:
    """What is found of the loops of a rule."""
    program = largest_game(load_book(book), {}).program
    return [proved_of(program, p) for p in places(program) if p.loop and p.rules[0].partition("[")[0] == rule]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args(arguments)
    wrong = 0
    for d in PLANTED:
        if given.names and d.name not in given.names:
            continue
        before = found_of(d.book, d.rule)
        with tempfile.TemporaryDirectory() as folder:
            copied(d.book, Path(folder), Planted(d.name, d.book, d.module, d.old, d.new, "ends", ()))
            os.environ[BOOKS] = folder
            forget_books()
            try:
                after = found_of(d.book, d.rule)
            finally:
                del os.environ[BOOKS]
                forget_books()
        named = any(not f.proved for f in after) and bool(after)
        wrong += not named
        print(f"{'named' if named else 'PROVED TO END'}: {d.book} {d.name} ({d.rule}); as it is: "
              f"{', '.join('proved' if f.proved else 'not proved' for f in before)}", flush=True)
    print(f"{wrong} proved to end wrongly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
