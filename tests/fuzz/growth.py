"""Does the time grow with the text, and no faster? `python -m tests.fuzz.growth [SHAPE …] [--size 20000]`

Each shape is one thing that a draft or a table of cards can repeat, at two sizes: so many characters, and four times as many. The processor's time
of reading and linting a draft, cutting it into clauses, or reading a table may grow to eight times as much at most (what grows with
the square would need sixteen times as much; a machine that does other things as well makes six of four);
`--megabyte`: a megabyte of each may take ten seconds.
"""
from __future__ import annotations

import argparse
import gc
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from rulewright.checks.cli import RARELY
from rulewright.checks.lint.explained import EXPLAINED
from rulewright.checks.lint.linting import Options, lint
from rulewright.checks.questions.asking import ask_file
from rulewright.checks.questions.catalogue import FAMILIES
from rulewright.checks.register.compare import compare
from rulewright.checks.register.hashes import hashes_of
from rulewright.checks.register.pieces import cut, usual_cut
from rulewright.checks.register.quotes import read_draft
from rulewright.checks.register.skeleton import terms_of
from rulewright.checks.scaffold.files import book_files
from rulewright.checks.scaffold.guesses import guesses_of
from rulewright.checks.scaffold.naming import Names
from rulewright.spec.diagnostics import BadInput
from rulewright.spec.tables import read_card_table

FACTOR, TIMES = 8.0, 4
LEAST = 0.05
"""Seconds below which times are not compared."""
MEGABYTE, LONGEST = 1_000_000, 10.0
"""Bytes that are read in so many seconds of the processor at most."""
Shape = Callable[[int], str]


def each(form: str, before: str = "") -> Shape:
    """The same again and again, numbered: about so many characters."""
    return lambda size: before + "".join(form.format(k=k, n=k // 50 + 1, m=k % 50 + 1, w=word(k)) for k in range(1, size // len(form) + 2))


def word(k: int) -> str:
    """A word of its own for each number."""
    return "".join(chr(0x4E00 + (k * 7919 + i * 104729) % 5000) for i in range(3))


def varied(example: str) -> Shape:
    """An example again and again, with chapters and names in brackets of its own each time."""
    number, name = re.compile(r"(?<![\d.])\d{1,3}(?=\.)"), re.compile(r"(?<=[「“\"])(?=[^」”\"]+[」”\"])")
    chapters = 1 + max((int(one) for one in number.findall(example)), default=0)

    def turn(k: int) -> str:
        return name.sub(word(k), number.sub(lambda m: str(int(m[0]) + k * chapters), example))
    return lambda size: "".join(turn(k) for k in range(size // len(example) + 1))


DRAFTS: dict[str, Shape] = {
    "clauses": each("{n}.{m}. カードを引く。\n"),
    "clauses in English": each("{n}.{m}. A player draws a card.\n"),
    "one number": each("1.", "1"),
    "lines of the same number": each("1.1 x\n"),
    "nested numbers": each("1." * 12 + "{k} x\n"),
    "brackets opened": each("(", "1.1 "),
    "brackets": each("(x)", "1.1 "),
    "brackets closed": each("」", "1.1 "),
    "brackets closed by others": lambda size: "1.1 " + "(" * (size // 2) + "」" * (size // 2) + "。",
    "quotes": each("「a」", "1.1 "),
    "American quotes": each("\"a\" ", "1.1 "),
    "items": each("- カードを引く。\n", "1.1 次のいずれか。\n"),
    "numbered items": each("{k}) x\n", "1.1 次のいずれか。\n"),
    "terms": each("{n}.{m}. 「{w}」とは、カードである。{w}を引く。\n"),
    "terms in English": each("{n}.{m}. A \"t{w}\" is a card. Draw a t{w}.\n"),
    "references": each("{n}.{m}. {m}.{n}を参照。\n"),
    "references in a line": each("{n}.{m}、", "1.1 "),
    "references in words": each("(see {n}.{m}) ", "1.1 "),
    "references in bullets": each("- 第{m}条に従う。\n", "# 見出し\n"),
    "references in bullets of a clause": each("- 1.{m}に従う。\n", "1.1 x\n1.2 x\n"),
    "references to chapters that there are not": each("{n}.{m}. 第{m}章 {n}.1に従う。\n"),
    "references to items": each("({k}) 1.1.{m}に従う。\n", "1.1 x\n1.2 x\n"),
    "articles": each("ARTICLE {k}\n\nSection 1. A card. See Article {m}, Section {n}.\n\n"),
    "sections": each("Section {k}. A card, as Section {m} of this Article and Sections {m}, {n} and 3 of Article I say.\n", "ARTICLE I\n\nARTICLE II\n"),
    "paragraphs of an article": each("{k} 第1条第{m}項と第1条第{n}号に従う。\n", "第1条 x。\n"),
    "titles with a page": each("{k} Title{k} {m}\n"),
    "headings": each("# {k} 見出し\n\n"),
    "rows of a table": each("| {k} | x |\n", "| a | b |\n|---|---|\n"),
    "footnotes": each("1.1 x[^{k}]\n\n[^{k}]: y\n"),
    "one long line": each("あ", "1.1 "),
    "one long word": each("a", "1.1 "),
    "one long sentence": each("カードを引き、", "1.1 "),
    "sentences": each("カードを引く。", "1.1 "),
    "empty lines": each("\n", "1.1 x\n"),
    "blanks": each(" ", "1.1 x"),
    "a blank more each time": lambda size: "1.1 x\n" + "".join(f"1.{k + 2} カード{' ' * (k % 60)}を引く。\n" for k in range(size // 45)),
    "dashes": each("1-", "1.1 "),
    "full-width digits": each("１．", "1.1 "),
    "letters in brackets": each("(a) x ", "1.1 "),
    "asterisks": each("*a", "1.1 "),
    "list of lists": lambda size: "1.1 x\n" + "".join(f"{' ' * (k % 40)}- x\n" for k in range(size // 24)),
    "the same sentence": each("1.{k} プレイヤーはカードを1枚引き、手札に加える。\n"),
    "quoted terms that open": each("「{w}", "1.1 "),
}
RULES = {name: varied(one.example(one.wrong)) for name, one in EXPLAINED.items()}
QUESTIONS = {one.id: varied(one.examples[0].of(one.examples[0].raises)) for one in FAMILIES}
TABLES: dict[str, Shape] = {
    "cards": each("C-{k},名{k},character,テキスト\n", "id,name,kind,text\n"),
    "cards of one name": each("C-{k},同じ,character,\n", "id,name,kind,text\n"),
    "cards of one number": each("C-1,同じ,character,\n", "id,name,kind,text\n"),
    "a card of many sentences": each("カードを1枚引く。", "id,name,kind,text\nC-1,名,character,"),
    "a card of one sentence": each("カードを引き、", "id,name,kind,text\nC-1,名,character,"),
    "columns": each("a{k},"),
    "quotation marks": each("\"\"", "id,name,kind,text\nC-1,名,character,\""),
}


def linted(path: Path) -> None:
    lint(path, Options())


def registered(path: Path) -> None:
    """A new book of it, and compared with a draft that has every other clause of it."""
    draft = read_draft(path, None)
    pieces = cut(draft, usual_cut(draft))
    hashes = hashes_of(draft, pieces)
    terms_of(draft, pieces)
    compare(hashes[::2], hashes)


def asked(path: Path) -> None:
    ask_file(path, FAMILIES)


def begun(path: Path) -> None:
    """What `new` makes of it."""
    draft = read_draft(path, None)
    pieces = cut(draft, usual_cut(draft))
    names = Names()
    book_files(draft, str(path), path.parent / "mygame", guesses_of(draft, pieces, names), names, lambda said: said.en)


READERS: dict[str, tuple[dict[str, Shape], Callable[[Path], object], str]] = {
    "lint": (DRAFTS, linted, ".txt"), "lint, Markdown": (DRAFTS, linted, ".md"), "lint, what a rule finds": (RULES, linted, ".md"),
    "register": (DRAFTS, registered, ".md"), "new": (DRAFTS, begun, ".md"), "questions": (DRAFTS, asked, ".txt"),
    "questions, what a family asks": (QUESTIONS, asked, ".md"),
    "table": (TABLES, read_card_table, ".csv"),
}


def seconds(reader: Callable[[Path], object], path: Path, text: str) -> float:
    """Of the processor."""
    path.write_text(text, encoding="utf-8")
    begin = time.process_time()
    with suppress(BadInput):
        reader(path)
    return time.process_time() - begin


def measured(name: str, shape: Shape, reader: Callable[[Path], object], ending: str, size: int, folder: Path) -> tuple[float, float]:
    """Seconds for a size and for four times as much."""
    return tuple(seconds(reader, folder / f"{many}{ending}", shape(size * many)) for many in (1, TIMES))  # pyright: ignore[reportReturnType]


def megabyte(shape: Shape) -> str:
    """As much of it as is a megabyte in UTF-8."""
    return shape(MEGABYTE).encode()[:MEGABYTE].decode(errors="ignore")


def too_fast(small: float, large: float) -> bool:
    """Does the time grow faster than it may?"""
    return large > FACTOR * max(small, LEAST)


def least(tries: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The least time of each size: what else a machine does only ever adds to it."""
    return min(small for small, _ in tries), min(large for _, large in tries)


def run(seed: int, seconds: float) -> list[str]:
    """Which shapes, in an order by lot, grow too fast: measured again where one does, since machines are noisy."""
    todo = [(kind, name) for kind, (shapes, _, _) in READERS.items() for name in shapes]
    random.Random(seed).shuffle(todo)
    end = time.monotonic() + seconds
    problems: list[str] = []
    usual = gc.get_threshold()
    gc.set_threshold(*RARELY)  # as commands have it
    try:
        with tempfile.TemporaryDirectory() as place:
            for kind, name in todo:
                shapes, reader, ending = READERS[kind]
                tries: list[tuple[float, float]] = []
                while time.monotonic() < end and len(tries) < 5 and (not tries or too_fast(*least(tries))):
                    tries.append(measured(name, shapes[name], reader, ending, 10_000, Path(place)))
                if len(tries) == 5 and too_fast(*least(tries)):
                    problems.append(f"{kind}, {name}: {least(tries)[0]:.2f} s, and {least(tries)[1]:.2f} s for {TIMES} times as much")
    finally:
        gc.set_threshold(*usual)
    return problems


def main(arguments: Sequence[str]) -> int:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shapes", nargs="*")
    parser.add_argument("--size", type=int, default=20_000)
    parser.add_argument("--kind", choices=[*READERS], action="append")
    parser.add_argument("--megabyte", action="store_true", help="a megabyte of each instead")
    parser.add_argument("--part", default="0/1", help="every so manieth shape, from this one on: 2/5")
    given = parser.parse_args(arguments)
    first, step = map(int, given.part.split("/"))
    gc.set_threshold(*RARELY)  # as commands have it
    wrong = 0
    with tempfile.TemporaryDirectory() as place:
        for kind, (shapes, reader, ending) in READERS.items():
            for name, shape in [*shapes.items()][first::step]:
                if (given.shapes and name not in given.shapes) or (given.kind and kind not in given.kind):
                    continue
                if given.megabyte:
                    took = seconds(reader, Path(place) / f"megabyte{ending}", megabyte(shape))
                    wrong += took > LONGEST
                    print(f"{'*' if took > LONGEST else ' '} {took:7.2f}  {kind}, {name}", flush=True)
                    continue
                small, large = measured(name, shape, reader, ending, given.size, Path(place))
                wrong += too_fast(small, large)
                print(f"{'*' if too_fast(small, large) else ' '} {small:7.2f} {large:7.2f}  {kind}, {name}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
