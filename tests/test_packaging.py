"""The shape of the project: which folders there are, who may import whom, what an installation contains."""
from __future__ import annotations

import ast
import importlib.metadata
import json
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

import networkx as nx
import pytest

from rulewright.model.engine.library import book_names, load_book

from .mutation.planted import PLANTED
from .tables import sections

ROOT = Path(__file__).parent.parent
PACKAGES = ("spec", "model", "checks")
FOLDERS = {*PACKAGES, "counterexamples", "tests", "docs", "benchmarks", ".ci"}
MADE_BY_TOOLS = {"build", "dist", "__pycache__"}

MAY_IMPORT = {
    "spec": set[str](),
    "model.ir": {"spec"},
    "model.lang": {"model.ir", "spec"},
    "model.kernel": {"model.lang"},
    "model.games": {"model.kernel", "model.lang"},
    "model.engine": {"model.lang", "model.ir", "spec"},
    "checks": {"model.engine", "model.lang", "model.ir", "model.games", "model.kernel", "spec"},
}
"""Imports point one way: checks → model → spec, and within the model games → kernel → lang → ir."""
ROOMS = {
    "limits": "",
    "findings": "",
    "console": "limits findings",
    "explore": "limits findings",
    "native": "explore limits",
    "certify": "",
    "evidence": "certify explore findings",
    "scenarios": "native explore findings limits",
    "hunt": "scenarios native explore findings",
    "lint": "console findings",
    "questions": "lint console findings",
    "phrases": "console findings",
    "register": "questions scenarios explore lint console findings",
    "scaffold": "register lint console findings",
    "validate": "register questions scenarios console findings",
    "smt": "register scenarios native explore findings limits",
    "ends": "smt findings limits",
    "readings": "scenarios explore findings",
    "stored": "scenarios explore findings",
    "export": "stored scenarios explore findings",
    "runs": "ends smt export stored readings register hunt evidence scenarios native explore findings limits",
    "audit": "runs questions register scenarios native explore console findings limits",
    "commands": "audit runs stored readings validate questions register scenarios native console findings limits",
    "api": "runs scenarios explore findings",
    "combos": "commands runs hunt stored scenarios native explore console findings limits",
}
"""Which rooms of `checks` each may import from (`docs/architecture.md`); a room stands below those that may import from it."""
AT_THE_TOP = {"__init__.py", "__main__.py", "cli.py"}


def modules() -> list[Path]:
    """Every module of the project."""
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def part(path: Path) -> str:
    """The part of the project that a path belongs to: `spec`, `model.lang`, `checks`, …"""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:2]) if parts[0] == "model" and len(parts) > 1 else parts[0]


@cache
def imports(path: Path) -> Sequence[tuple[int, Path]]:
    """Line and target of every import of our own modules; absolute ones point nowhere."""
    return [*imported(path)]


def imported(path: Path) -> Iterator[tuple[int, Path]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            if base == ROOT or (base / "__init__.py").exists():
                yield from ((node.lineno, base / alias.name) for alias in node.names)
            else:
                yield node.lineno, base
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
        for name in names:
            if name.split(".")[0] in {"rulewright", *PACKAGES}:
                yield node.lineno, ROOT / "absolute"


def test_imports_point_one_way() -> None:
    wrong = [f"{path.relative_to(ROOT)} line {line}: {here} may not import {part(target)}"
             for path in modules() if (here := part(path)) for line, target in imports(path)
             if part(target) not in MAY_IMPORT.get(here, set()) | {here}]
    assert wrong == []


def room(path: Path) -> str:
    """The room of `checks` that a path lies in; "" for what lies in none."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[1] if parts[0] == "checks" and parts[1:2] and parts[1] in ROOMS else ""


def test_at_the_top_of_the_checks_there_is_only_the_command_line() -> None:
    assert {path.name for path in (ROOT / "checks").glob("*.py")} == AT_THE_TOP
    assert {path.parent.name for path in (ROOT / "checks").glob("*/__init__.py")} == set(ROOMS)


def test_rooms_import_only_from_those_below_them() -> None:
    may = {name: set(below.split()) | {name} for name, below in ROOMS.items()}
    for name, below in may.items():
        assert not any(name in may[other] for other in below - {name}), name
    wrong = [f"{path.relative_to(ROOT)} line {line}: {here} may not import {room(target) or target.name}"
             for path in modules() if (here := room(path)) for line, target in imports(path)
             if part(target) == "checks" and room(target) not in may[here]]
    assert wrong == []


def test_there_is_no_import_circle_not_for_types_either() -> None:
    own = set(modules())
    graph = nx.DiGraph((path, file) for path in own for _, target in imports(path) if (file := target.with_suffix(".py")) in own)
    assert graph.number_of_edges() > 1000
    assert [sorted(p.name for p in circle) for circle in nx.strongly_connected_components(graph) if len(circle) > 1] == []


def test_no_module_is_long_and_no_line_of_code_is_wide() -> None:
    """A line may be wide for a text or a comment that it ends in. Rules are read beside a rule book: their modules are shorter."""
    rules = {path for path in modules() if part(path) == "model.games"}
    long = {path: lines for path in modules() if (lines := len(read(path).splitlines())) > (400 if path in rules else 500)}
    assert long == {}
    wide = [f"{path.relative_to(ROOT)} line {line}" for path in modules() if path not in rules for line in wide_code(read(path))]
    assert wide == []


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def wide_code(source: str) -> set[int]:
    """The lines over 120 columns in which no text or comment of fifty and more stands."""
    wide = {k for k, line in enumerate(source.splitlines(), 1) if len(line) > 120 and "  # " not in line}
    for node in ast.walk(ast.parse(source)) if wide else ():
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) >= 50):
            wide.difference_update(range(node.lineno, (node.end_lineno or 0) + 1))
    return wide


def test_books_never_import_each_other() -> None:
    games = ROOT / "model" / "games"
    wrong = [f"{path.relative_to(games)} line {line}: {target.relative_to(games)}"
             for path in modules() if part(path) == "model.games" for line, target in imports(path)
             if target.is_relative_to(games) and target.relative_to(games).parts[0] != path.relative_to(games).parts[0]]
    assert wrong == []


def test_the_top_level_folders_are_those_agreed() -> None:
    there = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.endswith(".egg-info")}
    visible = {name for name in there if not name.startswith(".") or name == ".ci"}
    assert visible - MADE_BY_TOOLS <= FOLDERS
    assert {*PACKAGES, "tests", "counterexamples"} <= there


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_is_one_and_says_that_it_is_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").exists()
    folders = {path.parent for path in (ROOT / package).rglob("*.py")}
    assert [str(folder.relative_to(ROOT)) for folder in folders if not (folder / "__init__.py").exists()] == []


def test_every_mapped_folder_is_installed_and_no_other() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    mapped = {f"rulewright.{name}": name for name in (*PACKAGES, "counterexamples")}
    assert settings["package-dir"] == mapped
    assert sorted(settings["packages"]) == sorted(mapped)


def test_data_is_found_where_the_packages_are() -> None:
    assert files("rulewright.spec").joinpath("hanayome", "clauses.yaml").is_file()
    assert files("rulewright.counterexamples").is_dir()


def test_the_command_is_installed() -> None:
    (command,) = importlib.metadata.entry_points(group="console_scripts", name="rulewright")
    assert command.value == "rulewright.checks.__main__:main"


def test_the_lock_is_exact_and_covers_what_the_tests_need() -> None:
    lock = (ROOT / "tests" / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pinned = {line.split("==")[0].lower() for line in lock if line and not line.startswith("#")}
    assert all("==" in line for line in lock if line and not line.startswith("#"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *(one for extra in project["optional-dependencies"].values() for one in extra)]
    names = {one.split(";")[0].split("[")[0].split(">")[0].split("=")[0].strip().lower() for one in wanted}
    assert names - pinned == set()


def test_what_is_noted_as_slow_is_a_test() -> None:
    for name in (ROOT / "tests/slow.txt").read_text(encoding="utf-8").splitlines():
        file, _, of = name.partition("::")
        assert f"def {of.partition('[')[0]}(" in (ROOT / file).read_text(encoding="utf-8"), name


@pytest.mark.parametrize("book", book_names())
def test_what_each_small_situation_comes_to_is_pinned(book: str) -> None:
    frozen = Path(__file__).parent / book / "frozen"
    outcomes, apart, ends = (sections(frozen / name) for name in ("outcomes.txt", "apart.txt", "ends.txt"))
    small = {p.stem for p in load_book(book).scenarios if not p.stem.startswith("full-game")}
    for known in (outcomes, apart, ends):
        assert (known.keys() - small, small - known.keys()) == (set(), set()), f"pytest -m slow tests/{book} --update-frozen"
    for name, rows in outcomes.items():  # whether equal cards are one, or are told apart
        both = [[(row["readings"], row["ends"], row["findings"]) for row in map(json.loads, one.splitlines())] for one in (rows, apart[name])]
        assert both[0] == both[1], name


def test_each_planted_defect_has_its_place_in_the_rules() -> None:
    """`make planted` takes long, and stops where a rule was written anew: here it is noticed at once."""
    lost = [d.name for d in PLANTED if (ROOT / "model" / "games" / d.book / d.module).read_text("utf-8").count(d.old) != 1]
    assert lost == []
