"""Sixty texts that close what is not theirs, wherever somebody may write: does anything run, leave its folder or steer a terminal?
`python -m tests.fuzz.texts_of_strangers --seed 1 --seconds 60`

Each is a card's number and name, a title, a clause and a term of a draft, a file's name, a person, a reason and an answer, through every command that
reads such a thing and every format that shows it. What is exported as C and Promela has to be the same for each, and as it is for a plain name; the
commands that `export` recommends compile it and count as many positions as are known.
"""
from __future__ import annotations

import argparse
import csv
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import cast
from urllib.parse import quote

from lsprotocol import converters
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.workspace import PositionCodec

from rulewright.checks.cli import main
from rulewright.checks.combos.pool import pool_of
from rulewright.checks.lint.editor import Opened
from rulewright.checks.lint.linting import Options
from rulewright.model.engine.library import forget_books, load_book
from rulewright.spec.diagnostics import INVISIBLE, BadInput

from ..agreement.test_promela import spin
from ..checks.register.helpers import DRAFT, READINGS, RULES
from ..checks.test_combos import FETCH, HEAD
from .writes import SCENARIO

TEXTS = (
    "X*/#error", "X*/int main(){}/*", "X??/", "X\\", "X//", "*/ system(\"touch RAN\"); /*", "'; touch RAN; '", "$(touch RAN)", "`touch RAN`", "|touch RAN",
    "%s%n%n", "{0}", "{title}", "{__class__}", "%(x)s", "${HOME}", "\"", "'", "'''", "\"\"\"",
    "]]>", "<!--", "--><script>x</script>", "<img src=x onerror=x>", "&lt;&#0;", "</title>", "```", "~~~", "# X", "[x](javascript:x)",
    "| a | b |", "---", "...", "- x", "? x", "!!python/object:os.system", "&a [*a]", "{a: b}", "a: b", "#: 1.1",
    "::error::x", "%0A::error::x", "##[error]x", "::set-output name=x::y", "=cmd|'/c calc'!A0", "+1", "-1+1", "@SUM(1)", "../../RAN", "/etc/passwd",
    "C:\\RAN", "CON", "..", ".", "~", "a" * 300, "\u202eabc", "\x1b]0;x\x07", "a\u2028b", "e" + "\u0301" * 60,
)
"""Closers of comments, strings, tags and blocks; commands of shells, workflows and spreadsheets; paths; control and direction."""
FORMS = ("terminal", "json", "sarif", "markdown", "github")
EXPORTS = ("promela", "itf", "dot", "graphml", "smt2")
COUNTED = 2, 3
"""States and transitions of that game, as the explorer counts them, whatever its cards are called."""
TOGETHER = 6
"""Texts whose cards are in one pool."""
COMMAND = re.compile(r"(?m)^\s*::|##\[")


def said_by(*arguments: str, typed: str = "") -> tuple[int, str]:
    """What a command ends with and prints."""
    out = io.StringIO()
    sys.stdin = io.StringIO(typed)
    with redirect_stdout(out), redirect_stderr(out):
        code = main([*arguments, "--lang", "en"])
    forget_books()
    return code, out.getvalue()


TURN = RULES[: RULES.index("@entry")] + '''\
@entry("setup")
@procedure(scope=Scope.TURN)
async def turn(g: Game) -> None:
    """One turn: a card is drawn, and one goes back."""
    while len(g.deck[g.turn_player]) > 0:  #: 3.1
        card = await choose(g.turn_player, g.deck[g.turn_player])  #: 2.2
        put(card, g.hand[owner(card)])  #: 2.1
        back = await choose(OPEN("2.3"), g.hand[g.turn_player])  #: 2.3
        put(back, g.deck[owner(back)])  #: 2.1
'''
"""A game that does not end, so that there is something to tell."""
TURNING = "spec/lamps/scenarios/turning.yaml"


def scenario(card: str = "L-1", name: str = "x", title: str = "t") -> str:
    """A position of that game."""
    return f"""\
book: lamps
id: turning
title: {json.dumps(title)}
begin: setup
deck_order: given
cards:
  - {{id: {json.dumps(card)}, name: {json.dumps(name)}}}
  - {{id: L-2, name: other}}
position:
  turn_player: first
  first: {{deck: [{json.dumps(card)}, L-2]}}
bounds: {{states: 1000, depth: 100}}
"""


class Watch:
    """Everything that one text is tried with, in a folder of its own."""

    def __init__(self, place: Path, text: str) -> None:
        self.place, self.text = place, text
        self.problems: list[str] = []

    def told(self, what: str, *arguments: str, typed: str = "", commands: bool = False) -> str:
        """Run it: it ends as a command ends, and what it prints steers nothing. `commands`: lines for a workflow are what it was asked for."""
        code, said = said_by(*arguments, typed=typed)
        if code not in (0, 1, 2):
            self.problems.append(f"{what}: exit code {code}: {said[-300:]}")
        if INVISIBLE.search(said.replace("\r\n", "\n")) is not None:
            self.problems.append(f"{what}: something is shown raw")
        if not commands and COMMAND.search(said) is not None:
            self.problems.append(f"{what}: a line is a command of a workflow")
        return said

    def scenarios(self, codes: set[tuple[str, str]]) -> None:
        """As the number and name of a card, and a title: all of them in one scenario, or each in its own if one cannot be there."""
        book = Path("spec/lamps")
        if not (book / "clauses.yaml").exists() or said_by("coverage", "lamps")[0] == 2:
            Path("plain.md").write_text(DRAFT, encoding="utf-8")
            said_by("register", "plain.md", "-o", "spec/lamps", "--force")
        for folder in ("rules", "scenarios"):
            (book / folder).mkdir(exist_ok=True)
        (book / "rules/turn.py").write_text(TURN, encoding="utf-8")
        Path(TURNING).write_text(scenario(), encoding="utf-8")
        for readings in (READINGS.replace("何枚捨てるか。", self.text), READINGS):
            (book / "readings.yaml").write_text(readings, encoding="utf-8", errors="surrogatepass")
            self.told("a question of a book", "check", "lamps", "--readings", "default")
            if said_by("info", "lamps")[0] != 2:
                break
        places = {"card": self.text, "name": self.text, "title": self.text}
        Path(TURNING).write_text(scenario(**places), encoding="utf-8")
        if said_by("check", TURNING, "--readings", "default")[0] != 2:
            self.scenario(places, codes)
        else:
            for where in places:
                Path(TURNING).write_text(scenario(**{where: self.text}), encoding="utf-8")
                self.scenario({where: self.text}, codes)
        self.told("the name of a pool", "combos", "lamps", "--cards", self.text)
        self.told("the book of a pool", "combos", self.text)

    def scenario(self, places: Mapping[str, str], codes: set[tuple[str, str]]) -> None:
        """A scenario with the text in these places, through everything that can be done with one."""
        where = ", ".join(places)
        for folder in ("out", "kept"):
            shutil.rmtree(folder, ignore_errors=True)
        for form in FORMS:
            said = self.told(f"{where}, check --format {form}", "check", TURNING, "--format", form, "--readings", "default", commands=form == "github")
            if form in ("json", "sarif") and said.startswith("{"):
                json.loads(said)
            if form == "github":
                self.problems += [f"{where}: {line[:80]}" for line in said.splitlines() if line.startswith("::") and not re.match(
                    r"::(error|warning|notice) file=[^:,]*,line=\d+,title=[^:,]*::", line)]
        self.told(f"{where}, check of a book", "check", "lamps", "--format", "markdown", "--full")
        self.told(f"{where}, --store", "check", TURNING, "--readings", "default", "--store", "kept")
        for case in sorted(Path("kept").rglob("*.yaml")):
            self.told(f"{where}, replay", "replay", str(case))
            self.told(f"{where}, verify", "verify", str(case))
            self.told(f"{where}, export of a case", "export", str(case), "--to", "itf", "-o", "out")
        for form in EXPORTS:
            self.told(f"{where}, export {form}", "export", TURNING, "--to", form, "-o", "out")
        codes |= {(p.read_text("ascii"), p.with_suffix(".pml").read_text("ascii")) for p in Path("out").glob("*.c")}
        self.told(f"{where}, hunt", "hunt", TURNING, "--readings", "default", "--max-time", "1")
        self.told(f"{where}, minimise", "minimise", TURNING, "-o", "small.yaml")
        self.told(f"{where}, play", "play", TURNING, "--seed", "1", "--save", "game.json", typed="1\n1\nq\n")
        for command in ("replay", "check", "minimise", "export --to itf -o out"):
            self.told(f"{where}, {command} of a saved play", *command.replace(" ", " game.json ", 1).split(), *([] if " " in command else ["game.json"]))
        for command in ("validate lamps", "audit lamps --max-time 2", "check lamps --changed", "check lamps --only norms --max-time 2", "phrases lamps"):
            self.told(f"{where}, {command}", *command.split())
        self.told(f"{where}, why-not", "why-not", TURNING, self.text)

    def decisions(self) -> None:
        """As a person and a reason."""
        for option in ("--reason", "--person", "--edition"):
            self.told(f"decide {option}", "decide", "HANA-7.5.3-JVXC", "open", option, self.text)
        self.told("explain", "explain", "HANA-7.5.3-JVXC")
        for option in ("--reading", "--draft", "--only", "--baseline", "--try"):
            self.told(f"check {option}", "check", SCENARIO, option, self.text)
        self.told("explain what there is not", "explain", self.text)
        self.told("where", "where", self.text)

    def drafts(self) -> None:
        """As a clause, a term, a heading of a draft, and the name of one."""
        draft = DRAFT.replace("公平な方法で", self.text).replace("「捨て札」", f"「{self.text}」").replace("3. 終了", f"3. {self.text}")
        Path("draft.md").write_text(draft, encoding="utf-8", errors="surrogatepass")
        for form in ("terminal", "json", "sarif", "github"):
            self.told(f"lint --format {form}", "lint", "draft.md", "--hints", "--full", "--format", form, commands=form == "github")
        for form in ((), ("--json",), ("--only", self.text), ("--answer", self.text, "--because", "x"), ("--explain", self.text)):
            self.told(f"questions {' '.join(form[:1])}", "questions", "draft.md", *form)
        asked = json.loads(said_by("questions", "draft.md", "--json")[1] or "{}").get("questions", [])
        for answer in ({one["places"][0]["id"] for one in asked[:3]}):
            for how in ("--because", "--by"):
                self.told(f"questions {how}", "questions", "draft.md", "--answer", answer, how, self.text)
        self.told("questions that are answered", "questions", "draft.md", "--answered")
        self.editor(draft)
        self.told("register", "register", "draft.md", "-o", "spec/lamps", "--with-text", "--force")
        self.told("coverage", "coverage", "lamps")
        shutil.rmtree("mygame", ignore_errors=True)
        self.told("new", "new", "mygame", "--from", "draft.md", "--yes")
        self.told("check of a new book", "check", "mygame", "--books", ".")
        self.told("where", "where", "lamps", "1.2")
        self.told("register --update", "register", "draft.md", "--update", "--book", "lamps", "--accept")
        name = self.text.replace("/", "_")
        if 0 < len(name.encode()) < 200 and name not in (".", ".."):
            Path(f"{name}.md").write_text(draft, encoding="utf-8")
            Path(f"{name}.yaml").write_text("x: [", encoding="utf-8")
            self.told("the name of a draft", "lint", f"./{name}.md")
            self.told("the name of a scenario", "check", f"./{name}.yaml")
            self.told("the name of answers", "questions", f"./{name}.md", "--answers", f"{name}.answers.yaml", "--answer", "x@1.1", "--because", "x")
        self.told("a book of that name", "check", self.text)

    def editor(self, draft: str) -> None:
        """What the server for editors says of a draft, and of one of that name."""
        for name in ("draft.md", f"{self.text}.md"):
            there = Opened(f"file:///{quote(name, errors='surrogatepass')}", draft, PositionCodec(), Options(hints=True))
            begins = [lsp.Position(line, 0) for line in range(len(there.lines))]
            said: list[object] = [*there.diagnostics("en"), *there.outline(), *(there.hover(at, "en") for at in begins), *(there.uses(at, True) for at in begins)]
            for at in begins:
                try:
                    said.append(there.renamed(at, self.text, "en"))
                except JsonRpcInvalidParams as error:
                    said.append(str(error))
            shown = [one for one in strings(lsp_as_json(said)) if not one.startswith("file:")]
            self.problems += [f"the editor is told something raw: {one[:80]!r}" for one in shown if INVISIBLE.search(one.replace("\n", "")) is not None]


def lsp_as_json(said: object) -> object:
    """What is sent to the editor."""
    return converters.get_converter().unstructure(said)


def strings(data: object) -> Iterator[str]:
    """All texts in data."""
    match data:
        case str():
            yield data
        case dict() | list():
            for one in cast("Iterable[object]", data.values() if isinstance(data, dict) else data):
                yield from strings(one)
        case _:
            return


def tried(text: str, codes: set[tuple[str, str]]) -> list[str]:
    """What is wrong with one text."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "a" / "b"
        folder.mkdir(parents=True)
        os.chdir(folder)
        try:
            watch = Watch(folder, text)
            watch.drafts()
            watch.scenarios(codes)
            watch.decisions()
        finally:
            os.chdir(here)
        outside = [p for p in Path(place).rglob("*") if p.is_file() and not p.is_relative_to(folder)]
        ran = list(Path(place).rglob("RAN*"))
        watch.problems += [f"{p} was written" for p in (*outside, *ran)]
    return [f"{text[:40]!r}: {one}" for one in watch.problems]


def pooled(texts: Sequence[str]) -> list[str]:
    """What is wrong with these as numbers and names of cards in a table of hanayome's: of each two that loop together are told by them. Where
    that is refused, each by itself, and as what a card says."""
    def rows(text: str, k: int) -> list[tuple[str, ...]]:
        return [(text, text, text, "event", f"尋ねる{k}", "", "", "", FETCH.format(f"答える{k}")),
                (f"V-{k}", text, text, "event", f"答える{k}", "", "", "", FETCH.format(f"尋ねる{k}"))]

    def told(many: Sequence[tuple[str, ...]], text: str) -> Watch:
        with Path("pool.csv").open("w", encoding="utf-8", newline="") as out:
            csv.writer(out).writerows([HEAD.strip().split(","), *many])
        watch = Watch(Path.cwd(), text)
        watch.told("combos", "combos", "hanayome", "--cards", "pool.csv", "--size", "2", "--threads", "1", "--max-time", "60")
        return watch
    here = Path.cwd()
    problems: list[str] = []
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        try:
            good = [text for text in texts if pool_is_read(rows(text, 0))]
            for begin in range(0, len(good), TOGETHER):
                some = good[begin : begin + TOGETHER]
                problems += told([row for k, text in enumerate(some) for row in rows(text, k)], " ".join(some)).problems
            for text in texts:
                if text not in good:
                    problems += told(rows(text, 0), text).problems
                problems += told([("V-X", "x", "x", "event", "x", "", "", "", text)], text).problems
        finally:
            os.chdir(here)
    return problems


def pool_is_read(rows: Sequence[tuple[str, ...]]) -> bool:
    """Is there nothing wrong with these cards?"""
    with Path("pool.csv").open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([HEAD.strip().split(","), *rows])
    try:
        return bool(pool_of(load_book("hanayome"), Path("pool.csv")))
    except BadInput:
        return False


def counted(code: str, promela: str) -> list[str]:
    """What is wrong with exported code: it has to compile, and SPIN (where it is installed) to count what there is: the beginning and two choices."""
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "turning.c").write_text(code, encoding="ascii")
        (Path(place) / "turning.pml").write_text(promela, encoding="ascii")
        done = subprocess.run(["gcc", "-w", "-trigraphs", "-c", "turning.c"], cwd=place, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return [done.stderr[-500:]]
        there = spin(Path(place), "turning") if shutil.which("spin") is not None else COUNTED
    return [] if there == COUNTED else [f"SPIN counts {there} and not {COUNTED} states and transitions"]


def all_tried(seed: int, seconds: float) -> tuple[int, list[str]]:
    """How many of the texts were tried, in an order by lot, and what was wrong."""
    texts = list(TEXTS)
    random.Random(seed).shuffle(texts)
    end = time.monotonic() + seconds
    done, problems, codes = 0, list[str](), set[tuple[str, str]]()
    with tempfile.TemporaryDirectory() as cache:
        os.environ |= {"XDG_CACHE_HOME": cache, "LANG": "en_US.UTF-8"}
        for text in texts:
            if time.monotonic() > end:
                break
            done += 1
            problems += tried(text, codes)
    problems += pooled(texts[:done])
    problems += ["what is exported as C depends on a text"] if len(codes) > 1 else []
    problems += [p for code in codes for p in counted(*code)]
    return done, problems


def run(seed: int, seconds: float) -> list[str]:
    """What was wrong."""
    return all_tried(seed, seconds)[1]


def main_(arguments: Sequence[str]) -> int:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args(arguments)
    done, problems = all_tried(given.seed, given.seconds)
    print("\n".join(problems))
    print(f"{done} of {len(TEXTS)} texts, {len(problems)} wrong")
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main_(sys.argv[1:]))
