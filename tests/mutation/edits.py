"""Would `verify` notice if something else were stored? Stored cases are edited by lot, one value at a time.

    python -m tests.mutation.edits [--each N] [--seed N] [--jobs N] [--kinds WORD ...] [--neutral N] [--silent]

A *kind of field* is a place in a case, whichever member of a list and language it is: `play.stem[].changes[].text`. Of each kind so many edits are
drawn: a stored case that has such a place, the place, and what is done to it: a text, number, word or yes and no becomes another; what
is there goes, what is not there comes (as another case has it); a list loses a member, gets one twice or one of another case, or two of
its members change places. Each edit gives a file that can be read as a case (or it is told of for that), and another record than before.
What `verify` says of each is counted. What no check can give (`comparing.EXCUSED`), comments and another layout of the same data must
never be told (`--neutral`: so many of each).

What checking a scenario anew gives is kept in this process, since an edit does not change it; all else is done anew for each edit.
"""
from __future__ import annotations

import argparse
import copy
import io
import json
import os
import random
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from rulewright.checks.findings.record import CheckResult
from rulewright.checks.runs import session, verifying
from rulewright.checks.stored import finding_store
from rulewright.checks.stored.cases import read_case
from rulewright.checks.stored.comparing import EXCUSED
from rulewright.spec.findings import FindingClass, WhoCanStop

EACH = 100
LONG = 8_000
"""Letters of a case that is no longer written with the tool that stores them: that takes long."""
TRIES = 200
"""Draws until one gives another record."""
WORDS: Mapping[str, Sequence[str]] = {
    "cls": [c.value for c in FindingClass], "keepers": [k.value for k in WhoCanStop],
    "certainty": ["reachable from setup", "reachable from the given position", "constructible", "textual"],
    "origin": ["ordinary play", "cards of the book", "invented cards"], "stake": ["winner", "result", "wording"],
    "severity": ["S", "A", "B", "C"], "level": ["step", "phase", "turn", "game"],
    "effect": ["resolved", "remains", "elsewhere", "cut off", "not checked"], "answer": ["applies", "does not apply", "unclear"],
}
"""Fields that hold one of a few words."""
SAID = {"ja": "山札が尽きる", "en": "the deck runs out"}
MADE: Mapping[str, object] = {
    "finding.bounds.omission": 0.25, "finding.unknown_because": SAID, "finding.unknown_because.text": "x", "finding.settlements[].under": {"hand-limit": "none"},
    "finding.more": [{"stem": [], "cycle": [], "end": None, "rounds": 1}], "finding.assumptions": [SAID], "finding.play.end": SAID, "finding.goes_on": SAID,
    "finding.bounds.assumptions": [{"kind": "nesting", "values": ["9"], "what": [SAID], "questions": []}],
    "finding.bounds.not_asked": [
        {"rule": "f", "name": SAID, "where": "a.py:1", "clauses": ["1.1"], "reason": "held", "question": "", "what": [], "values": []}],
}
"""What may come where it is in no case, or everywhere the same."""
Data = Any
Steps = tuple[str | int, ...]


@dataclass(frozen=True)
class Edit:
    """One edit of a case: where, and what was done."""

    case: Path
    kind: str
    done: str
    data: Data
    text: str = ""
    """The file as it then is; where it is not given, the data as they are stored, or in JSON where that takes long."""


@dataclass(frozen=True)
class Told:
    """What `verify` said of an edit; `field`: whether the field that was edited is named."""

    edit: Edit
    said: tuple[str, ...]
    field: bool


# ---------------------------------------------------------------- the places of a case
@cache
def stored() -> Mapping[Path, Data]:
    """Every stored case as plain data."""
    return {f: YAML(typ="safe").load(f.read_text(encoding="utf-8")) for f in finding_store.case_files(finding_store.stored_cases())}


def places(data: Data, at: Steps = ()) -> Iterator[Steps]:
    """Every place in the data but the whole."""
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inside:
        yield (*at, key)
        yield from places(value, (*at, key))


def kind_of(at: Steps) -> str:
    """Which kind of field a place is; both languages are one, and the readings of a mapping."""
    names = ["[]" if isinstance(x, int) else ".text" if x in ("ja", "en") else f".{x}" for x in at]
    for k, x in enumerate(at[:-1]):
        if x in ("readings", "under"):
            names[k + 1] = ".*"
    return "".join(names).removeprefix(".")


@cache
def by_kind() -> Mapping[str, list[tuple[Path, Steps]]]:
    """All places of all cases, by kind."""
    found: dict[str, list[tuple[Path, Steps]]] = defaultdict(list)
    for case, data in stored().items():
        for at in places(data):
            if at[0] != "asked" and len(at) > 1 - (at[0] != "finding"):  # what was asked is no claim, and another whole finding may be true
                found[kind_of(at)].append((case, at))
    return found


def kinds() -> list[str]:
    """The kinds of fields that verify compares."""
    excused = tuple(f"finding.{name}" for name in EXCUSED)
    return sorted(k for k in by_kind() if not k.startswith(excused))


def inside(data: Data, at: Steps) -> Data:
    """What is in a place."""
    for x in at:
        data = data[x]
    return data


# ---------------------------------------------------------------- edits
def edits(kind: str, count: int, seed: int, cases: Collection[Path] | None = None) -> list[Edit]:
    """So many edits of a kind, of these cases or of all. The cases are drawn first, so that long plays do not outweigh others."""
    lot = random.Random(f"{kind} {seed}")
    where: dict[Path, list[Steps]] = defaultdict(list)
    for case, at in by_kind()[kind]:
        if cases is None or case in cases:
            where[case].append(at)
    return [drawn(kind, where, lot) for _ in range(count)] if where else []


def drawn(kind: str, where: Mapping[Path, Sequence[Steps]], lot: random.Random) -> Edit:
    """An edit that leaves something else than what was there."""
    for _ in range(TRIES):
        case = lot.choice(sorted(where))
        at = lot.choice(where[case])
        data = copy.deepcopy(stored()[case])
        done = edited(data, at, kind, lot)
        if done is not None and differs(stored()[case], data):
            return Edit(case, kind, f"{written(at)}: {done}", data)
    raise LookupError(f"no edit of {kind}")


def differs(one: Data, other: Data) -> bool:
    """Are these different records? The types count: 1 is not True."""
    return json.dumps(one, sort_keys=True) != json.dumps(other, sort_keys=True)


def edited(data: Data, at: Steps, kind: str, lot: random.Random) -> str | None:
    """Edit a place; what was done, or None where it cannot be done."""
    where, key = inside(data, at[:-1]), at[-1]
    value = where[key]
    ways: list[Callable[[], Data]] = [lambda: another(kind, value, lot)]
    name = next((x for x in reversed(at) if isinstance(x, str)), "")
    match value:
        case bool():
            ways = [lambda: not value]
        case int():
            ways = [lambda: value + lot.choice((-1, 1)), lambda: value + lot.randint(2, 99), *ways]
        case str() if name in WORDS:
            ways = [lambda: lot.choice(WORDS[name])]
        case str():
            ways = [lambda: changed(value, lot), lambda: changed(value, lot), *ways]
        case list():
            ways = [lambda: without(value, lot), lambda: twice(value, lot), lambda: swapped(value, lot), lambda: list[Data](), *ways]
        case None:
            pass
        case _:
            ways.append(lambda: None)
    if isinstance(where, dict) and ".*" in kind and lot.random() < 0.3:
        del where[key]
        return "gone"
    new = lot.choice(ways)()
    if new is None and value is None:
        return None
    where[key] = new
    return f"{short(value)} -> {short(new)}"


def another(kind: str, value: Data, lot: random.Random) -> Data:
    """What another place of the kind holds, where there is one that holds something else; or what is made up for it."""
    if kind in MADE and lot.random() < 0.3:
        return copy.deepcopy(MADE[kind])
    others = by_kind()[kind]
    for _ in range(20):
        case, at = lot.choice(others)
        other = inside(stored()[case], at)
        if differs(other, value):
            return copy.deepcopy(other)
    return value


def changed(text: str, lot: random.Random) -> str:
    """A text with a letter more, less or other."""
    k = lot.randrange(len(text) + 1)
    letter = lot.choice("aZ0九、")
    return lot.choice((text[:k] + letter + text[k:], text[:k] + text[k + 1:], text[:k] + letter + text[k + 1:]))


def without(some: list[Data], lot: random.Random) -> list[Data]:
    """The list without one member."""
    k = lot.randrange(len(some)) if some else 0
    return [*some[:k], *some[k + 1:]]


def twice(some: list[Data], lot: random.Random) -> list[Data]:
    """The list with one member twice."""
    k = lot.randrange(len(some)) if some else 0
    return [*some[:k], *some[k:k + 1], *some[k:]]


def swapped(some: list[Data], lot: random.Random) -> list[Data]:
    """The list with two members changed about."""
    a, b = (lot.randrange(len(some)) for _ in range(2)) if some else (0, 0)
    new = list(some)
    if some:
        new[a], new[b] = new[b], new[a]
    return new


def written(at: Steps) -> str:
    return "".join(f"[{x}]" if isinstance(x, int) else f".{x}" for x in at).removeprefix(".")


def short(value: Data) -> str:
    said = json.dumps(value, ensure_ascii=False)
    return said if len(said) < 80 else said[:80] + "…"


def dumped(data: Data) -> str:
    """The case as it is stored; a long one in JSON, which is YAML too."""
    text = json.dumps(data, ensure_ascii=False)
    if len(text) > LONG:
        return text
    yaml, out = YAML(), io.StringIO()
    yaml.width = 110
    yaml.dump(data, out)
    return out.getvalue()


# ---------------------------------------------------------------- what is no edit
def neutral(case: Path, lot: random.Random) -> Edit:
    """The same case otherwise laid out, or with other words where people write what no check can give."""
    data = copy.deepcopy(stored()[case])
    way = lot.choice(("width", "flow", "order", "comments", "JSON", "line ends", "quotes", *EXCUSED))
    yaml, out = YAML(), io.StringIO()
    yaml.width = lot.choice((20, 60, 400))
    if way == "JSON":
        return Edit(case, "neutral", way, data, json.dumps(data, ensure_ascii=lot.random() < 0.5, indent=lot.choice((None, 1, 4))))
    if way == "decision":
        data["finding"]["decision"] = {"status": lot.choice(("intended", "rejected", "open")), "reason": "it is meant so", "person": "Sato",
                                       "date": "2026-11-20", "edition": None}
    if way == "known":
        data["finding"]["known"] = True
    if way == "flow":
        yaml.default_flow_style = True
    if way == "order":
        data = shuffled(data, lot)
    if way == "quotes":
        yaml.default_style = '"'
        yaml.representer.add_representer(type(None), lambda r, _: r.represent_scalar("tag:yaml.org,2002:null", "null", style=""))
        yaml.representer.add_representer(bool, lambda r, b: r.represent_scalar("tag:yaml.org,2002:bool", str(b).lower(), style=""))
        yaml.representer.add_representer(int, lambda r, n: r.represent_scalar("tag:yaml.org,2002:int", str(n), style=""))
    yaml.dump(data, out)
    text = out.getvalue()
    if way == "comments":
        lines = text.splitlines()
        plain = [k for k, line in enumerate(lines) if re.fullmatch(r" *(- )?[a-z_]+:", line)]  # nothing goes on in the next line there
        for k in sorted(lot.sample(plain, min(len(plain), 5)), reverse=True):
            lines[k] += "  # looked at: right"
            lines.insert(k, "# somebody's note: \"quoted\"")
        text = "\n".join(["# the whole case", *lines, "# the end", ""])
    if way == "line ends":
        text = text.replace("\n", "\r\n")
    return Edit(case, "neutral", way, data, text)


def shuffled(data: Data, lot: random.Random) -> Data:
    """The same with the keys of every mapping in another order."""
    if isinstance(data, dict):
        keys = list(data)
        lot.shuffle(keys)
        return {k: shuffled(data[k], lot) for k in keys}
    return [shuffled(x, lot) for x in data] if isinstance(data, list) else data


# ---------------------------------------------------------------- asking verify
@cache
def ids_in() -> Mapping[Path, set[str]]:
    """The findings that are stored, by their scenario."""
    found: dict[Path, set[str]] = defaultdict(set)
    for case in map(read_case, stored()):
        found[case.scenario_file].add(case.finding.id)
    return found


@cache
def found_once(path: Path, options: str, every_reading: bool) -> Sequence[CheckResult]:
    """What checking a scenario gives, settlements of all findings that are stored of it included."""
    return session.check_again(path, asked[options], every_reading, lambda _: ids_in().get(path, set()))


asked: dict[str, session.CheckOptions] = {}
"""The options of each run, by how they are written."""


def check_again(
    path: Path, options: session.CheckOptions, every_reading: bool, _: Callable[[Sequence[CheckResult]], Collection[str]],
) -> Sequence[CheckResult]:
    asked[repr(options)] = options
    return found_once(path, repr(options), every_reading)


def judged(edit: Edit) -> Told:
    """What `verify` says of an edited case, which lies where the case lay as far as its scenario goes."""
    real, verifying.check_again = verifying.check_again, check_again  # pyright: ignore[reportAttributeAccessIssue]
    try:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / edit.case.name
            file.write_text(edit.text or dumped(edit.data), encoding="utf-8", newline="")
            (report,) = verifying.verify(file)
    finally:
        verifying.check_again = real  # pyright: ignore[reportAttributeAccessIssue]
    field = edit.done.partition(":")[0].removeprefix("finding.")
    named = any(d.field and (field.startswith(d.field) or d.field.startswith(field)) for d in report.differences)
    return Told(edit, tuple(d.said.en for d in report.differences), named or any(not d.field for d in report.differences))


def group(edits_of_one: Sequence[Edit]) -> list[Told]:
    """Edits of the cases of one scenario, so that it is checked once."""
    return [judged(edit) for edit in edits_of_one]


def all_judged(chosen: Sequence[Edit], jobs: int) -> list[Told]:
    """What is said of each."""
    by_scenario: dict[str, list[Edit]] = defaultdict(list)
    for edit in chosen:
        by_scenario[str(stored()[edit.case]["scenario"])].append(edit)
    parts = sorted(by_scenario.values(), key=len, reverse=True)
    if jobs == 1:
        return [told for part in parts for told in group(part)]
    with ProcessPoolExecutor(jobs) as pool:
        return [told for some in pool.map(group, parts) for told in some]


# ---------------------------------------------------------------- the report
def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 1 if an edit was not told, or something was told of what is none."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--each", type=int, default=EACH)
    parser.add_argument("--neutral", type=int, default=EACH)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--kinds", nargs="*", default=[""], help="only kinds that begin so")
    parser.add_argument("--silent", action="store_true", help="say only how many")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as cache_of_its_own:  # else what others keep is thrown away
        os.environ["XDG_CACHE_HOME"] = cache_of_its_own
        return report(given)


def report(given: argparse.Namespace) -> int:
    """Draw, judge and tell."""
    wanted = [k for k in kinds() if k.startswith(tuple(given.kinds))]
    lot = random.Random(given.seed)
    nothing = [neutral(lot.choice(sorted(stored())), lot) for _ in range(given.neutral)]
    drawn_edits = [edit for kind in wanted for edit in edits(kind, given.each, given.seed)]
    done = all_judged([*drawn_edits, *nothing], given.jobs)
    counts, told, named = Counter[str](), Counter[str](), Counter[str]()
    wrong = 0
    for one in done:
        kind = one.edit.kind if one.edit.kind != "neutral" else f"neutral {one.edit.done}"
        counts[kind] += 1
        told[kind] += bool(one.said)
        named[kind] += one.field
        if bool(one.said) is (one.edit.kind == "neutral"):
            wrong += 1
            print(f"{'told' if one.said else 'NOT TOLD'}: {one.edit.case.stem} {one.edit.done}", *one.said[:3], sep="\n    ")
    if not given.silent:
        for kind in sorted(counts):
            print(f"{kind}: {told[kind]} of {counts[kind]} told, {named[kind]} with the field")
    real = [one for one in done if one.edit.kind != "neutral"]
    print(f"{sum(bool(one.said) for one in real)} of {len(real)} edits of {len(wanted)} kinds told ({sum(one.field for one in real)} with the "
          f"field); of {len(nothing)} that change nothing, {sum(bool(one.said) for one in done if one.edit.kind == 'neutral')}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
