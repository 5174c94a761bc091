"""Are loops found in full games in which their cards are among others? `python benchmarks/hunt_planted.py [BOOK|CASE …] [--seconds 60] [--seeds 3] [--controls]`

Every stored case of a loop has a scenario that begins in a position made for it. Its cards are put into the decks of the book's full game, as many
copies as the pile has of others, in the place of other cards; the full game is hunted from its preparation, once for each seed, by two processes at a time. Told are, of each case,
the seconds of every seed until a loop was found that repeats from the same clause, with one of these cards in what repeats (where the stored loop is
made with cards that have texts; or with the same conditions of an end not met: the very same finding, or where there are no such cards); `-`: none was. And whether it is the very same finding.

`--controls`: the same with other cards in place of those that loop, in each scenario and in the full game: hunt_controls.yaml has them, and why no round
with one of them can repeat for ever. Told is when a loop from the same clause was found with one of these in what repeats (or, where the stored loop names none of its
cards in what repeats, with the same conditions of an end not met), so `-` is what should be. Loops of other cards, and from other clauses, are found
meanwhile and do not count: whether they are real is not looked at here; "the same finding" is such a one. Cases whose loop is made without cards have
no control of this kind: it goes round in every game.
"""
from __future__ import annotations

import argparse
import multiprocessing
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from rulewright.checks.findings.record import Finding, FindingClass, Play
from rulewright.checks.hunt.hunting import Hunt
from rulewright.checks.native.memory import Unsupported
from rulewright.checks.scenarios.subjects import subject_of
from rulewright.checks.stored.cases import Case, read_case
from rulewright.model.engine.library import load_book
from rulewright.model.engine.table import open_table
from rulewright.spec.readers import read_scenario

ROOT = Path(__file__).parents[1]
CONTROLS = Path(__file__).with_name("hunt_controls.yaml")
CORES = 2
ENTRY = re.compile(r"(?P<card>[^\s#]+)(?:#\d+)?(?: x(?P<many>\d+))?$")


def entries(value: object) -> Iterator[tuple[str, int]]:
    """The cards that a part of a position names, and how many of each."""
    if isinstance(value, dict):
        for one in value.values():
            yield from entries(one)
    elif isinstance(value, list):
        for one in value:
            if match := ENTRY.match(str(one)):
                yield match["card"], int(match["many"] or 1)


def scenario_of(book: str, name: str, instead: dict[str, str]) -> Any:
    """A scenario, with other cards in place of some."""
    text = (ROOT / "spec" / book / "scenarios" / f"{name}.yaml").read_text(encoding="utf-8")
    return YAML().load(re.sub(r"[\w-]+", lambda word: instead.get(word[0], word[0]), text))


def planted(book: str, name: str, folder: Path, control: Any) -> tuple[Path, dict[str, str]] | None:
    """The full game of the book with the cards of a scenario in it, and their names; None where it has none of its own. `control`: what
    hunt_controls.yaml says of the scenario, or nothing."""
    small, full = (scenario_of(book, it, control.get("instead", {})) for it in (name, "full-game"))
    defined = scenario_of(book, control["scenario"], {}) if "scenario" in control else control
    cards = load_book(book).cards
    own = {c["id"]: c for c in [*small.get("cards", []), *defined.get("cards", [])]}
    kind: dict[str, str] = {k: str(c.attributes.get("kind", c.attributes.get("type", ""))) for k, c in cards.items()}
    kind = {k: re.sub(r"Word\(text='([^']*)'.*", r"\1", v) for k, v in kind.items()} | {k: str(c.get("kind", c.get("type", ""))) for k, c in own.items()}
    pile_of: dict[str, Counter[str]] = {}
    for who in ("first", "second"):
        for pile, there in full["position"][who].items():
            for card, many in entries(there):
                pile_of.setdefault(kind[card], Counter())[pile] += many
    names: dict[str, str] = {}
    for who in ("first", "second"):
        for card in dict.fromkeys(card for card, _ in entries(small["position"].get(who, {}))):
            if card not in kind or card.startswith("BLANK") or kind[card] not in pile_of:
                continue
            mine = full["position"][who]
            if all(card not in dict(entries(deck)) for deck in mine.values()):
                here = next((pile for pile in mine if card in dict(entries(small["position"][who].get(pile, [])))), None)
                deck = mine[here or pile_of[kind[card]].most_common(1)[0][0]]
                there = {k: next(entries([one])) for k, one in reversed([*enumerate(deck)]) if not str(one).startswith("+")}
                many = Counter(many for _, many in there.values()).most_common(1)[0][0]  # of some cards a deck may have more than of others
                gone = min(there, key=lambda k: (kind[there[k][0]] != kind[card], there[k][1] != many))  # one of its kind, if there is one
                _, many = there[gone]
                deck[gone] = f"+{card} x{many}" if many > 1 else f"+{card}"
            names[card] = own[card]["name"]["en"] if card in own else cards[card].name.en
    if not names:
        return None
    for who in ("first", "second"):
        for deck in full["position"][who].values():
            deck[:] = [str(one).removeprefix("+") for one in deck]
    full |= {"id": f"full-game-{name}", "expect": [], "readings": {**full.get("readings", {}), **small.get("readings", {})}}
    if own:
        full["cards"] = list(own.values())
    path = folder / f"full-game-{name}.yaml"
    with path.open("w", encoding="utf-8") as f:
        YAML().dump(full, f)
    return path, names


it_is_found: Event = multiprocessing.Event()  # by one of the processes: the others need not go on


def share(event: Event) -> None:
    global it_is_found
    it_is_found = event


def named(play: Play | None, names: frozenset[str]) -> bool:
    """Is one of the cards in what repeats?"""
    told = [text.en for step in (play.cycle or () if play else ()) for text in (*step.changes, *([step.chosen] if step.chosen else ()))]
    return any(name in text for name in names for text in told)


def unmet(loop: Finding) -> list[str]:
    """What has to hold for the phase to end, and does not: a hand above its limit keeps it going by the same clauses as a trigger does."""
    return [one.says.en for one in loop.conditions if not one.met]


def hunted(case: Case, path: Path, wanted: frozenset[str], alike: bool, until: float, seed: int) -> tuple[float | None, bool]:
    """Seconds until a loop with one of these names (if there are any) was found with these lots; and whether it was the very same finding (only if `alike` that
    is looked for)."""
    scenario = read_scenario(path)
    begun = time.monotonic()
    hunt = Hunt(subject_of(open_table(scenario, {**case.finding.readings}), True), seed)

    def found() -> bool:
        return it_is_found.is_set() or mine()

    def mine() -> bool:
        return any(
            f.cls is FindingClass.LOOP and f.clauses[:1] == case.finding.clauses[:1] and (
                named(f.play, wanted) or (((alike and f.id == case.finding.id) or not wanted) and unmet(f) == unmet(case.finding)))
            for f in (t.finding for t in hunt.out.found.values()))
    hunt.stop = found
    hunt.go_on(begun + until)
    took = time.monotonic() - begun if mine() else None
    if took is not None:
        it_is_found.set()
    return took, case.finding.id in hunt.out.found


def hunts(case: Case, path: Path, wanted: frozenset[str], alike: bool, seconds: float, seeds: int) -> tuple[list[float | None], bool]:
    """Seconds until it was found, for each seed, by so many processes as there are cores, with lots of their own; and whether it was ever the very
    same finding."""
    times: list[float | None] = []
    same = False
    with ProcessPoolExecutor(CORES, initializer=share, initargs=(it_is_found,)) as pool:
        for seed in range(seeds):
            it_is_found.clear()
            of = [pool.submit(hunted, case, path, wanted, alike, seconds, CORES * seed + k) for k in range(CORES)]
            told = [one.result() for one in of]
            times.append(min((t for t, _ in told if t is not None), default=None))
            same |= any(it for _, it in told)
    return times, same


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("books", nargs="*")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--controls", action="store_true")
    given = parser.parse_args()
    tried = found = 0
    with tempfile.TemporaryDirectory() as folder:
        controls = YAML().load(CONTROLS)
        for path in sorted((ROOT / "counterexamples").glob("*/*.yaml")):
            case = read_case(path)
            if case.finding.cls is not FindingClass.LOOP or (given.books and not {case.finding.book, path.stem} & {*given.books}):
                continue
            if given.controls and not case.finding.cards:
                continue
            control = controls[case.scenario] if given.controls else {}
            book, name = case.scenario.split("/")
            place = planted(book, name, Path(folder), control)
            if place is None:
                print(f"{path.stem}: no cards of its own", flush=True)
                continue
            full, names = place
            looping = frozenset(re.findall("“(.*?)”", " ".join(text.en for text in case.finding.cards)))
            mine = [*control["instead"].values()] if control else [card for card, name in names.items() if name in looping]
            wanted = frozenset(names[card] for card in mine if not control or named(case.finding.play, looping))
            try:
                times, same = hunts(case, full, wanted, not given.controls, given.seconds, given.seeds)
            except Unsupported as e:
                print(f"{path.stem}: not compiled: {e.why}", flush=True)
                continue
            tried += len(times)
            found += sum(t is not None for t in times)
            print(f"{path.stem}: {' '.join('-' if t is None else f'{t:.0f}' for t in times)}{' (the same finding)' if same else ''}", flush=True)
    print(f"{found} of {tried} found within {given.seconds:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
