"""Would the agreement tests notice a mistake in code generation? Mistakes are put into it, one at a time.

    python tests/mutation/codegen.py [--count N] [--seed N] [--keep FILE] [--minutes N]

A defect is a small change of a module of `checks/native` that writes code: another operator, a number off by one, two
arguments or branches exchanged, a condition turned round, a statement left out, in the generator or in the LLVM code that
it writes. Defects are drawn by seed, in equal shares of all sorts. What is no defect is replaced by the next one:

- *equivalent*: every program of a corpus, and every one that a test compiles, is translated to what it was: text, tables,
  where things lie, ends in words (or, if no test notices it, to text of which LLVM makes the same machine code, and all
  else the same); or it is argued in `equivalent.yaml` why what comes out differently means the same;
- *stillborn*: LLVM refuses, or the generator cannot write, every program that would come out different.

Each defect lives in a process of its own, which runs the fast agreement tests, the cheapest first, until one fails. A
test that crashes or takes too much time of the processor fails, too. All processes begin as copies of one that has
everything ready but code generation, and share a cache of compiled rules and of machine code (both by the hash of what
they are made from, so that no defect can show in another's). `--keep`: results are kept in the file, and what it has is
not done again.
"""
from __future__ import annotations

import argparse
import ast
import gc
import hashlib
import importlib.abc
import importlib.util
import itertools
import json
import os
import pickle
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulewright.checks.explore.symmetry import Symmetry
    from rulewright.model.engine.policies import Policies
    from rulewright.model.ir.program import Program

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "checks" / "native"
PACKAGE = "rulewright.checks.native"
UNDER_CODE, LEFT_OUT = {"text", "memory", "ends"}, {"canonical", "conditions", "sites"}
"""What the modules that write code stand on (those are told by their use of `text`); and those of equal cards, which change no
transition and have a test of their own (`test_symmetry`)."""
TESTS = ("test_found.py", "test_sizes.py", "test_random.py", "test_playouts.py", "test_limits.py", "test_bounds.py",
         "test_numbers.py", "test_edges.py", "test_subsets.py", "test_policies.py", "test_objects.py", "test_batches.py",
         "test_scenarios.py")
"""The tests of code generation. (`test_explorer` is of the search; no defect is put into that.)"""
MOST_COMPILED = 40
"""Programs, the shortest of those that come out different, of which machine code is compared."""
LIKELY = {
    "memory": ("test_sizes", "test_edges"), "packing": ("test_sizes",), "numbers": ("test_bounds_of_operators", "test_operators_do"),
    "playing": ("test_loops_of", "test_plays_of_scenarios"), "expressions": ("test_edges", "test_bounds"),
    "options": ("test_subsets", "test_policies"), "effects": ("test_objects", "side_by_side", "no_column"), "common": ("test_objects",),
    "closing": ("test_batches", "test_objects"), "procedures": ("signals", "abandoned"), "control": ("test_subsets", "signals"),
}
"""Of some modules the tests that look at what they do: they come first, then the cheapest."""
PATIENCE = 6
"""Seconds of the processor after which it is found out which programs come out different: a test that compiles none of them
cannot fail."""
LONGEST_TEST, MOST_MEMORY = 30, 8 << 30
"""Seconds of the processor for a test, bytes for a process."""


# ---------------------------------------------------------------- the defects
@dataclass(frozen=True)
class Defect:
    """Characters `first` to `last` of a module become `instead`."""

    module: str
    sort: str
    line: int
    first: int
    last: int
    instead: str
    was: str

    def __str__(self) -> str:
        return f"{self.module}.py:{self.line} [{self.sort}] {self.was!r} -> {self.instead!r}"

    def changed(self, text: str) -> str:
        """The lines of the module that change, as they become: what the defect is called wherever it stands."""
        first, last = text.rfind("\n", 0, self.first) + 1, text.find("\n", self.last)
        return f"{self.module}.py: " + " ".join((text[first:self.first] + self.instead + text[self.last:last]).split())


def modules() -> list[str]:
    """The modules that write code."""
    return sorted(p.stem for p in FOLDER.glob("*.py") if p.stem not in LEFT_OUT and (
        p.stem in UNDER_CODE or "from .text import" in p.read_text(encoding="utf-8")))


OPPOSITE = {
    "icmp sgt": "icmp sge", "icmp sge": "icmp sgt", "icmp slt": "icmp sle", "icmp sle": "icmp slt", "icmp eq": "icmp ne",
    "icmp ne": "icmp eq", "icmp uge": "icmp ugt", "add": "sub", "sub": "add", "mul": "add", "and": "or", "or": "and",
    "xor": "or", "shl": "lshr", "lshr": "shl", "ashr": "lshr", "sext": "zext", "zext": "sext", "srem": "sdiv", "sdiv": "srem",
}
PREDICATES = {"sgt": "sge", "sge": "sgt", "slt": "sle", "sle": "slt", "eq": "ne", "ne": "eq"}
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "is": "is not", "is not": "is", "in": "not in",
               "not in": "in"}
ARITHMETIC = {"+": "-", "-": "+", "*": "+", "//": "*", "<<": ">>", ">>": "<<", "|": "&", "&": "|"}
EITHER_ORDER = {"min", "max", "add", "mul", "union", "meet", "differ", "hull", "both"}
"""Whose first two operands may be exchanged: that is no defect."""
NAMES = {"min": "max", "max": "min", "True": "False", "False": "True"}


def defects() -> dict[str, list[Defect]]:
    """All defects by sort."""
    out: dict[str, list[Defect]] = {}
    for module in modules():
        text = (FOLDER / f"{module}.py").read_text(encoding="utf-8")
        for d in [*in_code_written(module, text), *in_generator(module, text)]:
            out.setdefault(d.sort, []).append(d)
    return out


def in_code_written(module: str, text: str) -> Iterator[Defect]:
    """Other operators and numbers in the LLVM code in strings."""
    def made(sort: str, m: re.Match[str], group: int, instead: str) -> Defect:
        return Defect(module, sort, text.count("\n", 0, m.start()) + 1, m.start(group), m.end(group), instead, m[group])
    words = "|".join(sorted(OPPOSITE, key=len, reverse=True))
    for m in re.finditer(rf"(?<=[\"'])({words}) (?=i\d|\{{)", text):
        yield made("another instruction", m, 1, OPPOSITE[m[1]])
    for m in re.finditer(rf"(?<=[\"'])({'|'.join(PREDICATES)})(?=[\"'])", text):
        yield made("another instruction", m, 1, PREDICATES[m[1]])
    for m in re.finditer(r"i64 [^\"'\n]*?, (-?\d+)(?=[\"'])", text):
        yield made("a number in written code", m, 1, str(int(m[1]) + 1))
        yield made("a number in written code", m, 1, str(int(m[1]) - 1))
    part = r"(\{[^{}\n]*\}|%\w+|-?\d+)"
    for pattern in (rf"(?<=[\"'])(?:sub|shl|[la]shr|icmp s\w\w) (?:i\d+|\{{[^{{}}\n]*\}}) {part}(, ){part}(?=[\"'])",
                    rf"(?<=[\"'])select i1 [^\"'\n]*, (?:i\d+|\{{\w*\}}) {part}(, (?:i\d+|\{{\w*\}}) ){part}(?=[\"'])"):
        for m in re.finditer(pattern, text):
            line = text.count("\n", 0, m.start()) + 1
            yield Defect(module, "operands exchanged", line, m.start(1), m.end(3), m[3] + m[2] + m[1], text[m.start(1):m.end(3)])


def in_generator(module: str, text: str) -> Iterator[Defect]:
    """Changes of the Python code; not in annotations, docstrings, assertions, signatures, constants of a module."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def at(line: int, column: int) -> int:
        return starts[line - 1] + column

    def span(n: ast.AST) -> tuple[int, int]:
        return at(n.lineno, n.col_offset), at(n.end_lineno, n.end_col_offset)  # type: ignore[attr-defined]

    def source(n: ast.AST) -> str:
        first, last = span(n)
        return text[first:last]

    def made(sort: str, n: ast.AST, instead: str) -> Defect:
        return Defect(module, sort, n.lineno, *span(n), instead, source(n))  # type: ignore[attr-defined]

    def between(a: ast.AST, b: ast.AST, table: dict[str, str], sort: str) -> Iterator[Defect]:
        first, last = span(a)[1], span(b)[0]
        m = re.fullmatch(r"[\s)]*(\S+(?: not| in)?)[\s(]*", text[first:last])
        if m and m[1] in table:
            yield Defect(module, sort, a.lineno, first + m.start(1), first + m.end(1), table[m[1]], m[1])  # type: ignore[attr-defined]

    for n in code_of(ast.parse(text)):
        match n:
            case ast.Compare(left=left, comparators=[right, *_]):
                yield from between(left, right, COMPARISONS, "another comparison")
            case ast.BinOp(left=left, right=right):
                yield from between(left, right, ARITHMETIC, "another operator")
            case ast.BoolOp(values=[one, two, *_]):
                yield from between(one, two, {"and": "or", "or": "and"}, "another operator")
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield made("a condition turned round", n, f"({source(operand)})")
            case ast.If(test=test) | ast.IfExp(test=test):
                yield made("a condition turned round", test, f"(not ({source(test)}))")
            case ast.Constant(value=bool() | None):
                if n.value is not None:
                    yield made("another word", n, str(not n.value))
            case ast.Constant(value=int() as k):
                yield made("off by one", n, str(k + 1))
                yield made("off by one", n, str(k - 1) if k else "(-1)")
            case ast.Name(id="min" | "max" as word):
                yield made("another word", n, NAMES[word])
            case ast.Call(args=[*args]) if len(args) > 1 and not any(isinstance(a, ast.Starred | ast.GeneratorExp) for a in args):
                name = source(n.func).rsplit(".", 1)[-1]
                either = 0 if name in EITHER_ORDER else 1 if name in ("binary", "arithmetic") and source(args[0]).strip('"') in EITHER_ORDER else -1
                for k, (a, b) in enumerate(itertools.pairwise(args)):
                    if source(a) != source(b) and k != either:
                        (first, x), (y, last) = span(a), span(b)
                        instead = text[y:last] + text[x:y] + text[first:x]
                        yield Defect(module, "arguments exchanged", a.lineno, first, last, instead, text[first:last])
            case ast.Expr(value=ast.Call()) | ast.AugAssign():
                yield made("a statement left out", n, "pass")
            case _:
                pass


def code_of(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes inside functions that are neither annotation nor text nor assertion."""
    def inside(n: ast.AST) -> Iterator[ast.AST]:
        if isinstance(n, ast.JoinedStr | ast.Assert | ast.arguments | ast.AnnAssign):
            if isinstance(n, ast.AnnAssign) and n.value is not None:
                yield from inside(n.value)
            return
        yield n
        for name, value in ast.iter_fields(n):
            if name in ("returns", "annotation", "decorator_list", "type_comment"):
                continue
            for child in value if isinstance(value, list) else [value]:  # pyright: ignore[reportUnknownVariableType]
                if isinstance(child, ast.AST):
                    yield from inside(child)
    for top in ast.walk(tree):
        if isinstance(top, ast.FunctionDef):
            for statement in top.body:
                if not isinstance(statement, ast.FunctionDef):
                    yield from inside(statement)


def drawn(seed: int) -> Iterator[Defect]:
    """All defects, each once, in equal shares of all sorts."""
    luck = random.Random(seed)
    piles = [sorted(set(pile), key=lambda d: (d.module, d.first, d.instead)) for _, pile in sorted(defects().items())]
    for pile in piles:
        luck.shuffle(pile)
    seen = set[tuple[str, int, int, str]]()
    while any(piles):
        for pile in piles:
            while pile:
                d = pile.pop()
                key = (d.module, d.first, d.last, d.instead)
                if key not in seen:
                    seen.add(key)
                    yield d
                    break


# ---------------------------------------------------------------- a process with a defect
class Loader(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads one module with the defect in it."""

    def __init__(self, d: Defect) -> None:
        self.name, self.path = f"{PACKAGE}.{d.module}", FOLDER / f"{d.module}.py"
        text = self.path.read_text(encoding="utf-8")
        self.text = text[:d.first] + d.instead + text[d.last:]

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        return importlib.util.spec_from_file_location(fullname, self.path, loader=self) if fullname == self.name else None  # pyright: ignore[reportArgumentType]

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self.text, str(self.path), "exec"), module.__dict__)


def apart(work: Callable[[], object], folder: Path) -> object:
    """What the work gives, in a process of its own; a text if it came to a bad end."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        try:
            said = json.dumps(work())
        except BaseException as e:
            said = json.dumps(f"{type(e).__name__}: {str(e)[:200]}")
        with os.fdopen(write, "wb") as f:
            f.write(said.encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as f:
        said = f.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return "never ends" if number in (signal.SIGPROF, signal.SIGXCPU) else f"crash: {signal.Signals(number).name}"
    return json.loads(said) if said else "crash: nothing said"


Given = tuple["Program", "Policies", frozenset[int], tuple[str, ...]]
"""What code generation is given."""


class Corpus:
    """Programs whose text is looked at, made once, without code generation."""

    def __init__(self) -> None:
        from rulewright.checks.scenarios.subjects import open_table, read_scenario, reading_sets, scenario_paths
        from rulewright.model.engine.library import book_names, load_book
        from rulewright.model.engine.policies import Wish
        from tests.agreement.programs import random_program
        from tests.lang.programs import GOOD, good_program

        self.programs: list[Given] = [(random_program(seed), {}, frozenset(), ()) for seed in range(40)]
        for seed in range(40, 50):
            program = random_program(seed)
            some = frozenset(k for k in range(5, 500) if k < len(program.layout.slots))
            self.programs.append((program, {0: (Wish("yes"),), 1: (Wish("pass"),)}, some, ()))
        for path in sorted(GOOD.glob("*.py")):
            entry = "turns" if path.stem == "scopes" else "main"
            self.programs.append((good_program(path.stem, keep_unread=True, entry=entry), {}, frozenset(), ()))
        for book in book_names():
            load_book(book)
            scenario = read_scenario(scenario_paths(book)[0])
            self.programs.append((open_table(scenario, reading_sets(scenario, {})[0]).program, {}, frozenset(), ()))

    def written(self) -> Iterator[tuple[str, str] | None]:
        """Of each program its text, and all else that code generation makes of it, in words; none where it cannot be written."""
        from rulewright.checks.native.build import write

        for given in self.programs:
            try:
                w = write(*given)
                yield w.text, in_words(w)
            except Exception:
                yield None

    def some(self, chosen: Sequence[int]) -> list[tuple[str, str]]:
        """That of some."""
        return [w or ("", "") for k, w in enumerate(self.written()) if k in chosen]


def in_words(w: object) -> str:
    """What is made of a program besides the text: where everything lies, its tables, and how it ends."""
    from rulewright.checks.native.build import Written

    assert isinstance(w, Written)

    def said(say: Callable[[int, int], object]) -> list[str]:
        out: list[str] = []
        for who, value in ((-1, 0), (1, 3), (2 << 16 | 1, 4)):
            try:
                out.append(str(say(who, value)))
            except Exception as e:
                out.append(type(e).__name__)
        return out
    places = {k: v for k, v in vars(w.memory).items() if k != "program"}
    shape = {k: v for k, v in vars(w.shape).items() if k != "m"}
    words = repr((places, shape, w.ends.bounds, [said(s) for s in w.ends.said])).encode() + w.memory.table_data()
    return hashlib.sha256(words).hexdigest()


def same_code(one: Sequence[str], two: Sequence[str]) -> bool:
    """Does LLVM make the same machine code of these texts and of those?"""
    import llvmlite.binding as llvm

    from rulewright.checks.native.build import compile_text, target_machine

    machine = target_machine(llvm, 2)
    pairs = sorted(zip(one, two, strict=True), key=lambda p: len(p[0]))
    return all(compile_text(llvm, machine, a, 2) == compile_text(llvm, machine, b, 2) for a, b in pairs)


def alive(corpus: Corpus, right: Sequence[tuple[str, str]], all_of_them: bool = False) -> list[int] | str:
    """Which programs come out different (the first that LLVM takes, or all), in code that LLVM takes; else what becomes
    of the defect."""
    import llvmlite.binding as llvm

    differ: list[int] = []
    taken = False
    for k, found in enumerate(corpus.written()):
        if found is None:
            differ.append(k)
        elif found != tuple(right[k]):
            differ.append(k)
            if not taken:
                try:
                    llvm.parse_assembly(found[0]).verify()
                    taken = True
                except RuntimeError:
                    pass
            if taken and not all_of_them:
                break
    return "equivalent" if not differ else differ if taken else "stillborn"


@dataclass
class Rehearsed:
    """How the tests went without a defect: what each took of the processor, what code generation was given, and which of that
    each test compiled."""

    took: dict[str, float] = field(default_factory=dict[str, float])
    given: list[Given] = field(default_factory=list["Given"])
    used: dict[str, set[int]] = field(default_factory=dict[str, set[int]])


class Watch:
    """Notes the first test that fails; a test has so much time and no more. `differing`: which of what was given comes out
    different."""

    def __init__(self, before: Rehearsed, module: str = "", differing: Callable[[], set[int]] | None = None, most: float = 1e9) -> None:
        self.before, self.likely, self.differing = before, LIKELY.get(module, ()), differing
        self.now, self.most = Rehearsed(), most
        self.failed = self.running = ""
        self.begun = self.first = time.process_time()
        self.changed: set[int] | None = None

    def pytest_collection_modifyitems(self, items: list[object]) -> None:
        def order(item: object) -> tuple[bool, float]:
            name = str(getattr(item, "nodeid", ""))
            return not any(part in name for part in self.likely), self.before.took.get(name, 0.0)
        items.sort(key=order)

    def pytest_runtest_setup(self, item: object) -> None:
        import pytest

        self.running = str(getattr(item, "nodeid", ""))
        if self.differing is not None and self.changed is None and time.process_time() > self.first + PATIENCE:
            signal.setitimer(signal.ITIMER_PROF, 4 * LONGEST_TEST)
            self.changed = self.differing()
        usual = self.before.took.get(self.running)
        signal.setitimer(signal.ITIMER_PROF, LONGEST_TEST if usual is None else min(LONGEST_TEST, 5 + 5 * usual))
        self.begun = time.process_time()
        if time.process_time() > self.first + self.most:
            pytest.skip("it is looked at briefly")
        compiles = self.before.used.get(self.running)
        if self.changed is not None and compiles and not compiles & self.changed:
            pytest.skip("it compiles what it did")

    def pytest_runtest_logreport(self, report: object) -> None:
        self.now.took[str(getattr(report, "nodeid", ""))] = time.process_time() - self.begun
        if getattr(report, "failed", False) and not self.failed:
            self.failed = str(getattr(report, "nodeid", "")).rsplit("/", 1)[-1]

    def pytest_collectreport(self, report: object) -> None:
        if getattr(report, "failed", False):
            self.failed = self.failed or str(getattr(report, "nodeid", ""))

    def record(self) -> None:
        """From now on, note what code generation is given."""
        from rulewright.checks.native import build

        numbers, write = dict[bytes, int](), build.write

        def recording(
            program: Program, policies: Policies | None = None, card_ids: Sequence[str] = (),
            symmetry: Symmetry | None = None,
        ) -> build.Written:
            assert symmetry is None, "the corpus knows nothing of symmetry"
            written = write(program, policies, card_ids)
            given = pickle.dumps((program, policies or {}, tuple(card_ids)))
            number = numbers.setdefault(given, len(numbers))
            if number == len(self.now.given):
                self.now.given.append(pickle.loads(given))
            self.now.used.setdefault(self.running, set()).add(number)
            return written
        build.write = recording


def suite(folder: Path, quick: bool, watch: Watch) -> str:
    """The first test that fails; empty if all pass."""
    import pytest

    paths = [str(ROOT / "tests" / "agreement" / name) for name in TESTS]
    code = pytest.main(["-x", "-q", "--tb=no", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:unraisableexception", "-m", "not slow",
                        f"--basetemp={folder / 'tests'}", f"--rootdir={ROOT}",
                        *(["-k", "not test_scenarios_do_the_same"] if quick else []), *paths], plugins=[watch])
    return watch.failed or ("" if code == 0 else f"pytest: {code}")


def rehearsal(folder: Path, cache: Path, quick: bool) -> Rehearsed:
    """The tests without a defect: they must pass. Kept under the hash of all that there is."""
    everything = hashlib.sha256(str(quick).encode())
    for part in ("spec", "model", "checks", "tests"):
        for path in sorted((ROOT / part).rglob("*")):
            if path.is_file() and path.suffix != ".pyc" and path.parent != Path(__file__).parent:
                everything.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    kept = cache / f"rehearsed-{everything.hexdigest()}"
    if not kept.exists():
        def work() -> str:
            watch = Watch(Rehearsed())
            watch.record()
            failed = suite(folder, quick, watch)
            if not failed:
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_bytes(pickle.dumps(watch.now))
            return failed
        failed = apart(work, folder)
        assert failed == "", f"without a defect: {failed}"
    return pickle.loads(kept.read_bytes())


@dataclass
class Judged:
    """What became of a defect: caught, survived, equivalent, stillborn; by which test, and in how many seconds."""

    defect: str
    outcome: str
    by: str
    seconds: float


def judge(d: Defect, corpus: Corpus, right: Sequence[tuple[str, str]], before: Rehearsed, argued: Collection[str],
          quick: bool = False, most: float = 1e9) -> Judged:
    folder = Path(tempfile.mkdtemp(prefix="codegen-"))
    begun = time.monotonic()

    def work() -> object:
        signal.setitimer(signal.ITIMER_PROF, 4 * LONGEST_TEST)
        sys.meta_path.insert(0, Loader(d))
        found = alive(corpus, right)
        return found if isinstance(found, str) else suite(folder, quick, Watch(before, d.module, differing, most))

    def differing() -> set[int]:
        first = len(corpus.programs) - len(before.given)
        return {k - first for k in alive(corpus, right, True) if isinstance(k, int)}

    def wrong() -> object:
        sys.meta_path.insert(0, Loader(d))
        found = alive(corpus, right, True)
        return found if isinstance(found, str) else [found, corpus.some(found)]

    def compared(now: Sequence[tuple[str, str]], before: Sequence[tuple[str, str]]) -> bool:
        if any(not a[0] or a[1] != b[1] for a, b in zip(now, before, strict=True)):
            return False
        short = sorted(range(len(before)), key=lambda k: len(before[k][0]))[:MOST_COMPILED]
        return apart(lambda: same_code([before[k][0] for k in short], [now[k][0] for k in short]), folder) is True
    try:
        said = apart(work, folder)
        match said:
            case "equivalent" | "stillborn":
                outcome, by = said, ""
            case "" if most < 1e9:
                outcome, by = "survived", "so far"
            case "":
                now = apart(wrong, folder)
                same = isinstance(now, list) and compared(now[1], [right[k] for k in now[0]])
                outcome, by = ("equivalent", "the same machine code") if same else ("survived", "")
                if outcome == "survived" and d.changed((FOLDER / f"{d.module}.py").read_text(encoding="utf-8")) in argued:
                    outcome, by = "equivalent", "argued"
            case str():
                import_failed = any(said.startswith(x) for x in ("SyntaxError", "NameError", "AttributeError", "TypeError", "ImportError"))
                outcome, by = ("stillborn", "") if import_failed else ("caught", said)
            case _:
                raise AssertionError(said)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return Judged(str(d), outcome, by, round(time.monotonic() - begun, 1))


def argued_ones() -> set[str]:
    """The defects of which it is written down why they are none."""
    from ruamel.yaml import YAML

    entries = YAML(typ="safe").load((Path(__file__).parent / "equivalent.yaml").read_text(encoding="utf-8")) or []  # pyright: ignore[reportUnknownMemberType]
    assert all(set(e) == {"change", "why"} and e["why"] for e in entries), "equivalent.yaml: each has a change and a reason"
    return {e["change"] for e in entries}


# ---------------------------------------------------------------- the report
def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 1 if fewer than 19 of 20 defects are caught."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200, help="how many defects")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="results are kept here")
    parser.add_argument("--minutes", type=float, help="stop after so long; go on later with --keep")
    parser.add_argument("--quick", action="store_true", help="without the shipped scenarios, which take most of the time")
    parser.add_argument("--brief", type=float, default=1e9, help="look at each for so many seconds of the processor (then --again)")
    parser.add_argument("--again", action="store_true", help="look again at those that survived, or seemed equivalent")
    given = parser.parse_args(arguments)
    sys.path.insert(0, str(ROOT))
    kept: dict[str, Judged] = {}
    if given.keep is not None and given.keep.exists():
        for line in given.keep.read_text(encoding="utf-8").splitlines():
            one = Judged(**json.loads(line))
            kept[one.defect] = one
    if given.again:
        kept = {d: one for d, one in kept.items() if one.outcome not in ("survived", "equivalent")}
    begun = time.monotonic()
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    for heavy in ("llvmlite.binding", "numba", "pytest"):  # once, for all processes
        importlib.import_module(heavy)
    cache = given.keep.with_suffix(".cache") if given.keep is not None else Path(tempfile.mkdtemp(prefix="codegen-cache-"))
    os.environ["XDG_CACHE_HOME"] = str(cache.resolve())
    corpus = Corpus()
    folder = Path(tempfile.mkdtemp(prefix="codegen-"))
    before = rehearsal(folder, cache, given.quick)
    corpus.programs += before.given
    right = apart(lambda: corpus.some(range(len(corpus.programs))), folder)
    assert isinstance(right, list) and all(text for text, _ in right), "the programs of the corpus cannot be written as it is"
    assert apart(lambda: alive(corpus, right), folder) == "equivalent", "the same program is not always written the same"
    assert not any(name.startswith(PACKAGE) for name in sys.modules), "code generation is loaded already"
    argued = argued_ones()
    shutil.rmtree(folder, ignore_errors=True)
    gc.freeze()  # or each process would copy all of it, looking for what is not used any more
    counts, done = Counter[str](), 0
    survivors: list[str] = []
    for d in drawn(given.seed):
        if done == given.count:
            break
        one = kept.get(str(d))
        if one is None:
            if given.minutes is not None and time.monotonic() - begun > 60 * given.minutes:
                print("time is up; go on with --keep")
                break
            one = judge(d, corpus, right, before, argued, given.quick, given.brief)
            print(f"{one.outcome:10} {one.seconds:5.1f} s  {one.defect}  {one.by}", flush=True)
            if given.keep is not None:
                with given.keep.open("a", encoding="utf-8") as f:
                    f.write(json.dumps(asdict(one)) + "\n")
        counts[one.outcome] += 1
        done += one.outcome in ("caught", "survived")
        if one.outcome == "survived":
            survivors.append(one.defect)
    print(f"{done} defects in {', '.join(modules())}: {counts['caught']} caught, {counts['survived']} not; replaced: "
          f"{counts['equivalent']} that change nothing, {counts['stillborn']} that LLVM or the generator refuses")
    for s in survivors:
        print(f"  not caught: {s}")
    return 0 if counts["caught"] * 20 >= 19 * done else 1


if __name__ == "__main__":
    sys.exit(main())
