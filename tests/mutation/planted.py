"""Do the questions about every position find defects that somebody puts into a rule book?

    python -m tests.mutation.planted [NAME …] [--keep FILE] [--at-least N]

Twenty defects, chosen before it was tried which are found, by somebody who did not write the questions: each a slip that an
author or an engineer could make (a cap that is lost, a branch that is missing, a rank taken away, nobody named). Each is
put into a copy of its book, and the copy is asked what `rulewright check BOOK --only …` asks. A defect is *found* if
something is told of the copy that is not told of the book as it is, and cites a clause that the defect touches or a name in it.
What is kept in FILE is of these very sources: with others everything is asked again, so that a list is of one state of the project.
What is told of the books as they are is pinned in `told_of_the_books.txt`: whatever else is told of them is a false alarm, or new.
"""
from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PINNED = Path(__file__).with_name("told_of_the_books.txt")
SECONDS = 2_400
"""For one question about one copy, by the clock: on a busy machine a question may take several times as long as on a quiet one."""
QUICKLY = "240"
"""For random plays and a proof by induction together, by the clock."""


@dataclass(frozen=True)
class Planted:
    """In a module of a book's rules, `old` becomes `new`. `asks`: the questions that should notice; `cites`: clauses or
    names, of which what is told has to mention one."""

    name: str
    book: str
    module: str
    old: str
    new: str
    asks: str
    cites: tuple[str, ...]
    readings: tuple[str, ...] = ()
    lacked: tuple[str, ...] = ()
    """Clauses that the changed statement is marked with and that `cites` lacked when it was written down. What is found by these
    only is counted apart."""


PLANTED = (
    # ------------------------------------------------ sakura
    Planted(
        "distance-has-no-cap", "sakura", "crystals.py", "return 10 - g.distance", "return 36",
        "invariants", ("7-1-1", "distance"),
    ),
    Planted(
        "crystals-vanish", "sakura", "crystals.py", "            change_crystals(g, to, n)  #: 6-3\n", "",
        "invariants", ("6-3", "crystals_are_conserved"),
    ),
    Planted(
        "any-action-without-one", "sakura", "basic_actions.py", "    if possible:\n", "    if True:\n",
        "gaps", ("9-6.i", "9-6.i-B"),
    ),
    Planted(
        "unpaid-card", "sakura", "turn.py", "    return can_pay(g, me, cost) and may_choose", "    return may_choose",
        "gaps", ("9-6.ii", "9-6.ii-B"),
    ),
    Planted(
        "actions-for-nothing", "sakura", "turn.py", "            await pay_for_action(g, me, cost)  #: 9-6.ii\n", "",
        "lassos", ("8-2-2.A", "9-6.iii", "9-6-1", "9-6-2", "9-6.i-B"),
    ),
    # ------------------------------------------------ harem_master
    Planted(
        "seven-characters", "harem_master", "moving.py",
        "    while len(g.field[p] - for_number) > MOST_CHARACTERS:  #: 214.2e\n", "    while len(g.field[p] - for_number) > 9:\n",
        "invariants", ("214.2e",),
    ),
    Planted(
        "hand-into-the-wrong-pile", "harem_master", "turn.py",
        "put(c, g.discard[owner(c)])  #: 309", "put(c, g.discard[other(owner(c))])  #: 309",
        "invariants", ("215.1b", "own_cards_only"),
    ),
    Planted(
        "both-castles-forgotten", "harem_master", "endings.py",
        "    return len(fallen(g)) > 0  #: 102.3 #: 103.2", "    return len(fallen(g)) == 1  #: 102.3 #: 103.2",
        "gaps", ("102",),
    ),
    Planted(
        "no-turn-but-the-first", "harem_master", "turn.py", "    if g.turn_number == 1:\n", "    if g.turn_number >= 1:\n",
        "dead", ("101.8", "303"),
    ),
    # ------------------------------------------------ shinso
    Planted(
        "both-burn", "shinso", "endings.py",
        "    g.end_phases[g.turn_player] += 1  #: 【魂魄燃焼】第3段落 #: 勝利条件・3\n    if g.end_phases[g.turn_player] == 2:\n",
        "    for p in PLAYERS:\n        if g.burned[p] and g.end_phases[p] < 2:\n            g.end_phases[p] += 1  #: 【魂魄燃焼】第3段落 #: 勝利条件・3\n"
        "    if g.end_phases[g.turn_player] == 2:\n",
        "conflicts", ("勝利条件・3", "【魂魄燃焼】第3段落"),
    ),
    Planted(
        "treasure-left-behind", "shinso", "moving.py", "    destroy(g, lost)\n", "",
        "invariants", ("カードの種類・4", "treasures_have_bearers_on_the_field"),
    ),
    Planted(
        "shard-into-the-coffin", "shinso", "moving.py",
        "go(g, shard, g.shard_place[owner(shard)])", "go(g, shard, g.coffin[owner(shard)])",
        "invariants", ("デッキ第3段落", "no_shard_in_a_deck"),
    ),
    Planted(
        "never-regenerated", "shinso", "turn.py", "    if life_cards(g, me) < 4:", "    if life_cards(g, me) < 0:",
        "dead", ("リジェネレイトフェイズ第1段落", "リジェネレイトフェイズ第2段落", "リジェネレイトフェイズ・1", "リジェネレイトフェイズ・2"),
    ),
    # ------------------------------------------------ ts_fight
    Planted(
        "nothing-is-no-choice", "ts_fight", "main_phase.py", "    return {Pass()} | {Enter(c)", "    return {Enter(c)",
        "gaps", ("第3章4", "第2章3(4)"),
    ),
    Planted(
        "old-character-stays", "ts_fight", "ts.py", "    g.card[old].on = card\n", "",
        "invariants", ("第10章4.1", "one_pl_character"),
    ),
    Planted(
        "what-lies-on-it-stays", "ts_fight", "ts.py",
        "    going, coming = attached(g, a) | {a}, attached(g, b) | {b}\n", "    going, coming = {a}, {b}\n",
        "invariants", ("第10章5", "every_card_lies_with_its_character"),
    ),
    # ------------------------------------------------ hanayome
    Planted(
        "loss-without-rank", "hanayome", "rule_processing.py",
        '    if not has_won(g, p) or (has_run_out(g, p) and reading("rule-processing-verdict") == "loss"):\n', "    if not has_won(g, p):\n",
        "conflicts", ("11.2.1", "11.3.1"), ("rule-processing-verdict=loss",),
    ),
    Planted(
        "must-approach", "hanayome", "approach.py",
        "    act = await choose(\n"
        "        g.turn_player,\n"
        "        {Approach(character, h) for h in heroes(g) if h != first and may_approach(g, character, h)} | {Pass()}\n"
        "    )  #: 9.2.2.1 #: 9.2.2.2 #: 9.2.2.4\n"
        "    match act:\n"
        "        case Approach(_, hero):\n"
        "            return hero\n"
        "        case Pass():\n"
        "            return None\n",
        "    act = await choose(\n"
        "        g.turn_player,\n"
        "        {Approach(character, h) for h in heroes(g) if h != first and may_approach(g, character, h)}\n"
        "    )  #: 9.2.2.1 #: 9.2.2.2 #: 9.2.2.4\n"
        "    match act:\n"
        "        case Approach(_, hero):\n"
        "            return hero\n",
        "gaps", ("9.2.2", "9.2.2.1", "9.2.2.2", "9.2.2.4"),
    ),
    Planted(
        "in-front-and-diagonal", "hanayome", "approach.py",
        "(in_front(hero, character) or diagonal(hero, character))\n        and power",
        "(in_front(hero, character) and diagonal(hero, character))\n        and power",
        "dead", ("9.2.2.2.3", "9.2.2.3", "9.2.2"), lacked=("9.2.2.2.1", "9.2.2.2.2"),
    ),
    Planted(
        "nobody-orders-the-waiting", "hanayome", "triggers.py",
        "    w = await choose(who, {w for w in g.waiting", '    w = await choose(OPEN("10.7.3"), {w for w in g.waiting',
        "order", ("10.7.3", "10.7.3.1"),
    ),
)


# ---------------------------------------------------------------- asking
def copied(book: str, into: Path, defect: Planted | None) -> None:
    """The book with its rules, as a book of the user's own; with the defect, if one is given."""
    folder = into / book
    shutil.copytree(ROOT / "spec" / book, folder)
    shutil.copytree(ROOT / "model" / "games" / book, folder / "rules", ignore=shutil.ignore_patterns("__pycache__"))
    if defect is not None:
        module = folder / "rules" / defect.module
        text = module.read_text(encoding="utf-8")
        if text.count(defect.old) != 1:
            raise SystemExit(f"{defect.name}: {defect.module} has the text to be changed {text.count(defect.old)} times, not once")
        module.write_text(text.replace(defect.old, defect.new), encoding="utf-8")


def told(book: str, asks: str, readings: Sequence[str], books: Path) -> dict[str, str]:
    """What is told: id of the finding (what is a hint only and what is none are different) → its class, clauses and title."""
    command = [sys.executable, "-m", "rulewright.checks", "check", book, "--only", asks, "--json", "--lang", "en", "--books", str(books)]
    if asks == "invariants":
        command += ["--max-seconds", QUICKLY]  # what plays break comes first; proofs of these sizes would take their time
    for r in readings:
        command += ["--reading", r]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise SystemExit(f"{book} --only {asks}: no answer in {SECONDS} s") from None
    if done.returncode not in (0, 1):
        raise SystemExit(f"{book} --only {asks}: {done.stderr or done.stdout}")
    findings = [f for r in json.loads(done.stdout)["results"] for f in r["findings"]]
    return {f["id"] + (" hint" if f["hint"] else ""): f"{f['cls']} {' '.join(f['clauses'])}: {f['title']['en']}" for f in findings}


def hash_of(defect: Planted) -> str:
    return hashlib.sha256(repr(defect).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Verdict:
    """What was told of the copy only, and whether that is of the defect: by what was to be cited, or by what that lacked."""

    found: str
    new: tuple[str, ...]
    seconds: float
    defect: str
    """The hash of the defect as it was planted."""


FOUND, BY_LACKED, NOT = "found", "found by a clause that the list lacked", "NOT FOUND"


@dataclass
class Kept:
    """What came of it so far, for the sources as they are."""

    file: Path | None
    sources: str
    known: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    """What is told of the books as they are, by what was asked."""
    verdicts: dict[str, Verdict] = field(default_factory=dict[str, Verdict])

    def read(self) -> None:
        if self.file is not None and self.file.exists():
            found = json.loads(self.file.read_text(encoding="utf-8"))
            if found["sources"] == self.sources:
                self.known = found["known"]
                self.verdicts = {name: Verdict(said, tuple(new), *rest) for name, (said, new, *rest) in found["verdicts"].items()}

    def write(self) -> None:
        if self.file is not None:
            said = {name: (v.found, v.new, v.seconds, v.defect) for name, v in self.verdicts.items()}
            content = {"sources": self.sources, "known": self.known, "verdicts": said}
            self.file.write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")


def hash_of_sources() -> str:
    """Of the books, the model and the checks."""
    found = hashlib.sha256()
    for folder in ("spec", "model", "checks"):
        for file in sorted(f for f in (ROOT / folder).rglob("*") if f.suffix in (".py", ".yaml")):
            found.update(f"{file.relative_to(ROOT)}\n".encode() + file.read_bytes())
    return found.hexdigest()[:16]


def judge(defect: Planted, kept: Kept) -> Verdict:
    """Ask about the copy, and about the book as it is where that was not asked yet."""
    question = defect.book, defect.asks, defect.readings
    key = " ".join((defect.book, defect.asks, *defect.readings))
    with tempfile.TemporaryDirectory() as folder:
        if key not in kept.known:
            whole = Path(folder) / "whole"
            copied(defect.book, whole, None)
            kept.known[key] = told(*question, whole)
            kept.write()
        begun = time.monotonic()
        copied(defect.book, Path(folder), defect)
        here = told(*question, Path(folder))
    new = tuple(said for id, said in here.items() if id not in kept.known[key])

    def cited(clauses: Sequence[str]) -> bool:
        return any(mentions(said, c) for said in new for c in clauses)
    found = FOUND if cited(defect.cites) else BY_LACKED if cited(defect.lacked) else NOT
    return Verdict(found, new, round(time.monotonic() - begun, 1), hash_of(defect))


def mentions(said: str, name: str) -> bool:
    """Is it cited as a whole word (102 is not 102.3)?"""
    return name in said.replace(":", " ").replace(",", " ").split() or ("_" in name and name in said)


def told_of_the_books(kept: Kept) -> list[str]:
    """What was told of the books without a defect, a line each: what was asked; the finding, its class and clauses."""
    return [f"{asked} | {id} {said.partition(':')[0]}" for asked, known in sorted(kept.known.items()) for id, said in sorted(known.items())]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="results are kept here, and what it has is not asked again")
    parser.add_argument("--at-least", type=int, default=17)
    given = parser.parse_args(arguments)
    kept = Kept(given.keep, hash_of_sources())
    kept.read()
    chosen = [d for d in PLANTED if not given.names or d.name in given.names]
    for d in chosen:
        if d.name not in kept.verdicts or kept.verdicts[d.name].defect != hash_of(d):
            kept.verdicts[d.name] = judge(d, kept)
            kept.write()
        v = kept.verdicts[d.name]
        print(f"{v.found}: {d.book} {d.name} (--only {d.asks}, {v.seconds} s)", *v.new, sep="\n    ", flush=True)
    count = {said: sum(kept.verdicts[d.name].found == said for d in chosen) for said in (FOUND, BY_LACKED)}
    print(f"{count[FOUND]} of {len(chosen)} found, {count[BY_LACKED]} more by clauses that the list lacked (sources {kept.sources})")
    told_of, pinned = told_of_the_books(kept), PINNED.read_text(encoding="utf-8").splitlines()
    new = [line for line in told_of if line not in pinned]
    print(f"{len(told_of)} findings are told of the books as they are, {len(new)} of them not pinned", *new, sep="\n    ")
    return 0 if sum(count.values()) >= min(given.at_least, len(chosen)) and not new else 1


if __name__ == "__main__":
    sys.exit(main())
