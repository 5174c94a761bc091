"""Would the checker of certificates notice one that is wrong? Certificates of shipped scenarios, each with one thing changed.

`python -m tests.mutation.certificates --count 1000 --seed 1` draws so many; each changes what is claimed, or breaks what shows it. None may be
accepted, but those that leave the claim true and shown, which are told one by one (`still_true`).
"""
from __future__ import annotations

import argparse
import copy
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from rulewright.checks.certify.checker import check
from rulewright.checks.certify.further import Further
from rulewright.checks.certify.world import Refused, World
from rulewright.checks.evidence.made import world_of
from rulewright.checks.evidence.told import evidence
from rulewright.checks.explore.explorer import Exploration, Limits
from rulewright.checks.explore.explorer import explore as explore_plainly
from rulewright.checks.explore.subject import Subject
from rulewright.checks.native.choice import explore
from rulewright.checks.scenarios.checking import check_explored
from rulewright.checks.scenarios.subjects import (
    limits_of,
    open_table,
    read_scenario,
    reading_sets,
    scenario_paths,
    subject_of,
)
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.state import State

from ..toys.harness import toy

BOOKS = ("hanayome", "harem_master", "sakura", "shinso", "ts_fight")
LARGE = 700
"""Positions above which a certificate is checked too slowly to be mutated often."""
GROWING = ("no exit", "late stop", "two together, alike", "choice", "set back for ever")
"""Toys in which counters leave their ranges, besides."""
TOYS = Limits(states=2_000)
COUNTERS_EVERY = 12
"""One in so many mutants changes what is said of counters."""
MOST_TRIES = 20
"""Tries for each mutant: not every certificate has what a mutation changes."""
Data = Any
Mutation = Callable[[Data, Data, random.Random], str | None]
"""Changes a certificate, at one of its claims; says how, or gives None where there is nothing of the kind."""


@dataclass(frozen=True)
class Certified:
    """A certificate that is accepted, and the program it is about."""

    name: str
    certificate: Data
    world: World


def certificates(rng: random.Random, count: int, books: Sequence[str] = BOOKS) -> list[Certified]:
    """Certificates of so many shipped scenarios, drawn by lot."""
    paths = [(book, p) for book in books for p in scenario_paths(book)]
    rng.shuffle(paths)
    found: list[Certified] = []
    for book, path in paths:
        if len(found) == count:
            break
        scenario = read_scenario(path)
        readings = rng.choice(reading_sets(scenario, {}))
        subject, limits = subject_of(open_table(scenario, readings), True), limits_of(scenario, None, None, None)
        out = explore(subject, limits)
        if len(out.states) > LARGE:
            continue
        made, world = certificate_of(subject, limits, out)
        some = len(made["claims"]) > 1 or 2 * sum(len(one.certificate["claims"]) == 1 for one in found) < count
        if some and len(made["table"]["list"]) <= LARGE:  # half of them have findings
            found.append(Certified(f"{book}/{path.stem}", made, world))
    for entry in GROWING[:count]:
        subject = toy("growth", entry=entry)
        found.append(Certified(f"toys/{entry}", *certificate_of(subject, TOYS, explore(subject, TOYS))))
    return found


def certificate_of(subject: Subject, limits: Limits, out: Exploration) -> tuple[Data, World]:
    """The certificate of all that is told of what was explored, as another process would read it."""
    judged: list[tuple[Subject, Exploration]] = []
    result = check_explored(subject, limits, out, seen=lambda *of: judged.append(of))
    return json.loads(json.dumps(evidence(*judged[0], limits, result.findings).certificate)), world_of(subject)


# ---------------------------------------------------------------- mutations
def other(rng: random.Random, value: int, low: int = 0) -> int:
    """Another number nearby."""
    return rng.choice([v for v in (value - 2, value - 1, value + 1, value + 2, value + 7) if v >= min(low, value)])


def drop_position(c: Data, claim: Data, rng: random.Random) -> str | None:
    listed = c["table"]["list"]
    k = rng.randrange(len(listed))
    del listed[k]
    return f"position {k} dropped"


def change_position(c: Data, claim: Data, rng: random.Random) -> str | None:
    listed, base = c["table"]["list"], c["table"]["base"]
    k, slot = rng.randrange(len(listed)), rng.randrange(len(base))
    now = dict(zip(listed[k][0][::2], listed[k][0][1::2], strict=True))
    now[slot] = other(rng, now.get(slot, base[slot]), -1)
    listed[k][0] = [x for pair in sorted(now.items()) for x in pair]
    return f"slot {slot} of position {k} changed"


def change_frame(c: Data, claim: Data, rng: random.Random) -> str | None:
    framed = [k for k, s in enumerate(c["table"]["list"]) if s[1]]
    if not framed:
        return None
    k = rng.choice(framed)
    frame = rng.choice(c["table"]["list"][k][1])
    x = rng.randrange(len(frame))
    frame[x] = other(rng, frame[x], -1)
    return f"a frame of position {k} changed"


def end_position(c: Data, claim: Data, rng: random.Random) -> str | None:
    k = rng.randrange(len(c["table"]["list"]))
    state = c["table"]["list"][k]
    state[2] = ["draw", -1, "", -1] if state[2] is None else None
    return f"position {k} ended otherwise"


def twice(c: Data, claim: Data, rng: random.Random) -> str | None:
    listed = c["table"]["list"]
    listed.append(copy.deepcopy(rng.choice(listed)))
    return "a position stands there twice"


def count(c: Data, claim: Data, rng: random.Random) -> str | None:
    if claim["kind"] != "positions":
        return None
    names = ["states", "transitions", "bounds", *(["depth"] if claim["complete"] else [])]  # of a search that was cut off no depth is claimed
    name = rng.choice(names)
    claim[name] = other(rng, claim[name])
    return f"{name} changed"


def completeness(c: Data, claim: Data, rng: random.Random) -> str | None:
    if claim["kind"] != "positions":
        return None
    claim["complete"] = not claim["complete"]
    return "complete turned round"


def ends(c: Data, claim: Data, rng: random.Random) -> str | None:
    if claim["kind"] != "positions":
        return None
    if not claim["ends"] or rng.random() < 0.2:
        claim["ends"].append(["win", 0, "nowhere", 1])
        return "an end more"
    k = rng.randrange(len(claim["ends"]))
    how = rng.randrange(4)
    if how == 0:
        del claim["ends"][k]
    else:
        claim["ends"][k] = [*claim["ends"][k]]
        claim["ends"][k][(0, 1, 3)[how - 1]] = "draw?" if how == 1 else other(rng, claim["ends"][k][(0, 1, 3)[how - 1]], -1)
    return "an end changed"


def told(c: Data, claim: Data, rng: random.Random) -> str | None:
    if claim["kind"] != "positions":
        return None
    name = rng.choice(["silent", "open", "broken", "loops"])
    if claim[name] and rng.random() < 0.7:
        claim[name].pop(rng.randrange(len(claim[name])))
        return f"one of {name} dropped"
    claim[name].append({"silent": ["gap", "nowhere"], "open": "9.9", "broken": "nothing", "loops": len(c["table"]["list"]) + rng.randrange(9)}[name])
    return f"one of {name} more"


def drop_step(c: Data, claim: Data, rng: random.Random) -> str | None:
    name = rng.choice([k for k in ("steps", "stem", "cycle", "way", "theirs") if claim.get(k)] or [""])
    if not name:
        return None
    k = rng.randrange(len(claim[name]))
    del claim[name][k]
    return f"step {k} of {name} dropped"


def empty_cycle(c: Data, claim: Data, rng: random.Random) -> str | None:
    if not claim.get("cycle"):
        return None
    claim["cycle"] = []
    return "the cycle emptied"


def option(c: Data, claim: Data, rng: random.Random) -> str | None:
    name = rng.choice([k for k in ("steps", "stem", "cycle", "way") if any(step[1] for step in claim.get(k, ()))] or [""])
    if not name:
        return None
    step = rng.choice([s for s in claim[name] if s[1]])
    x = rng.randrange(len(step[1]))
    step[1][x] += rng.choice([-97, 97])
    return f"an option in {name} that is not offered"


def swapped(claim: Data, rng: random.Random, world: World) -> str | None:
    """Another option that is offered, in a play or a lasso, if it leads elsewhere than the one that is told: where it leads to the same (the
    order of two choices may not matter), or the cycle comes back to where it then begins, the play shows the same as before."""
    if claim["kind"] not in ("play", "loop"):
        return None
    parts = [claim["steps"]] if claim["kind"] == "play" else [claim["stem"], claim["cycle"]]
    steps = [step for part in parts for step in part]
    state, told = world.start(claim["start"]), [step[1] for step in steps]
    choices: list[tuple[int, tuple[int, ...]]] = []
    for k, (_, taken) in enumerate(steps):
        choices += [(k, o) for o in world.engine.options(state) if o != tuple(taken)]
        state = world.engine.apply(state, tuple(taken)).state
    if not choices:
        return None
    k, instead = rng.choice(choices)
    steps[k][1] = list(instead)
    after = head = world.start(claim["start"])
    for n, step in enumerate(steps):
        if n == len(parts[0]):
            head = after
        at = world.engine.point(after)
        if at is None or tuple(step[1]) not in at.options:
            return f"another option in step {k} of {len(told)}"
        after = world.engine.apply(after, tuple(step[1])).state
    if claim["kind"] == "loop":
        same = after in (state, head)
    elif claim["end"] is None:
        same = after == state
    else:
        same = after.end is not None and after.end[:3] == tuple(claim["end"])
    return None if same else f"another option in step {k} of {len(told)}"


def owner(c: Data, claim: Data, rng: random.Random) -> str | None:
    name = rng.choice([k for k in ("steps", "stem", "cycle", "way") if claim.get(k)] or [""])
    if not name:
        return None
    step = rng.choice(claim[name])
    step[0] = rng.choice([v for v in (-3, -2, -1, 0, 1) if v != step[0]])
    return f"somebody else decides in {name}"


def start(c: Data, claim: Data, rng: random.Random) -> str | None:
    if "start" not in claim:
        return None
    claim["start"] += rng.choice([-1, 7_000])
    return "another start"


def claimed(c: Data, claim: Data, rng: random.Random) -> str | None:
    if claim["kind"] == "play":
        if claim["end"] is not None:
            claim["end"][rng.choice([0, 2])] = rng.choice(["win", "draw", "over", "9.9"])
            return "it ends otherwise"
        if claim["rule"] is not None:
            claim["value"] = rng.choice([1, 2])
            return "the condition has another value"
        claim["options"] = [claim["options"][0]] * 2 if rng.random() < 0.5 else [claim["options"][0]]
        return "one option twice"
    if claim["kind"] == "order":
        how = rng.randrange(3)
        if how == 0:
            claim["other"] = claim["first"]
        elif how == 1:
            claim["by"] = -3 if claim["by"] != -3 else 0
        else:
            claim["way"] = claim["way"] + [[-1, []]]
        return "another order"
    return None


def growth(c: Data, claim: Data, rng: random.Random) -> str | None:
    if claim["kind"] != "loop":
        return None
    if claim["growth"] is None:
        claim["growth"] = [[], 0]
        return "it is said to grow"
    if rng.random() < 0.3:
        claim["growth"] = None
        return "it is said to close"
    if not claim["growth"][0] or rng.random() < 0.3:
        claim["growth"][1] += 1
        return "the calls are more"
    one = rng.choice(claim["growth"][0])
    x = rng.randrange(2)
    one[x] = other(rng, one[x], -9)
    return "something else grows"


def counters(c: Data, rng: random.Random, world: World) -> str | None:
    """Another thing said of counters, if what can be come to is then told apart otherwise: else it shows the same as before."""
    before = Further(world.engine, c["further"])
    k, x = rng.randrange(len(c["further"]["counters"])), rng.randrange(6)
    one = c["further"]["counters"][k]
    if x == 0:
        one[0] = ["no counter"]
    elif x == 5:
        del c["further"]["counters"][k]
    else:
        one[x] = (not one[4]) if x == 4 else other(rng, one[x], -3)
    what = ("another field", "another limit", "another period", "another sign", "joined or not", "one less")[x]
    try:
        after = Further(world.engine, c["further"])
    except Refused:
        return what
    return None if reached(before, world) == reached(after, world) else what


def reached(further: Further, world: World) -> frozenset[State]:
    """What can be come to, by the explorer."""
    starts = [further.start(x) for x in world.positions]
    return frozenset(explore_plainly(cast(Interpreter, further), starts, TOYS).states)


def keepers(c: Data, claim: Data, rng: random.Random) -> str | None:
    if claim["kind"] != "loop" or claim["keepers"] is None:
        return None
    ways = [[[]], [[0]], [[1]], [[0], [1]], [[0, 1]], [], [[0], [0]], [[2]]]
    claim["keepers"] = rng.choice([w for w in ways if w != claim["keepers"]])
    if rng.random() < 0.7:  # with closed sets that look like theirs
        said = claim["closed"][0]
        claim["closed"] = [{**said, "keepers": who} for who in claim["keepers"]]
    return f"other keepers: {claim['keepers']}"


def scope(c: Data, claim: Data, rng: random.Random) -> str | None:
    if claim["kind"] != "loop":
        return None
    claim["scope"] = rng.choice([s for s in (0, 1, 2, 3, 4, 5) if s != claim["scope"]])
    return "another scope"


def closed_set(c: Data, claim: Data, rng: random.Random) -> str | None:
    if claim["kind"] != "loop" or not claim["closed"]:
        return None
    said = rng.choice(claim["closed"])
    if said["strategy"] and rng.random() < 0.5:
        k = rng.randrange(len(said["strategy"]))
        if rng.random() < 0.5:
            del said["strategy"][k]
            return "a choice of the strategy dropped"
        said["strategy"][k] = [said["strategy"][k][0], [v + 1 for v in said["strategy"][k][1]] or [0]]
        return "a choice of the strategy changed"
    if rng.random() < 0.5:
        said["states"].pop(rng.randrange(len(said["states"])))
        return "the closed set without a position"
    more = [k for k in range(len(c["table"]["list"]) + 1) if k not in said["states"]]
    said["states"].append(rng.choice(more))
    return "the closed set with a position more"


def kind(c: Data, claim: Data, rng: random.Random) -> str | None:
    claim["kind"] = rng.choice([k for k in ("play", "loop", "order", "parting", "positions", "query", "proof") if k != claim["kind"]])
    return f"another kind: {claim['kind']}"


def keys(c: Data, claim: Data, rng: random.Random) -> str | None:
    names = [k for k in claim if k not in ("kind", "about")]
    if rng.random() < 0.5:
        del claim[rng.choice(names)]
        return "something is not said"
    claim["surely"] = True
    return "something more is said"


def whole(c: Data, claim: Data, rng: random.Random) -> str | None:
    how = rng.randrange(4)
    if how == 0:
        c["form"] = 2
    elif how == 1:
        c["book"] = "another"
    elif how == 2:
        c["further"] = {"counters": [[["no counter"], 3, 1, 1, False]], "depth": 0}
    else:
        c["table"]["base"].append(0)
    return "another form, book or table"


MUTATIONS: Sequence[Mutation] = (
    drop_position, change_position, change_frame, end_position, twice, count, completeness, ends, told, drop_step, empty_cycle, option, owner, start,
    claimed, growth, keepers, scope, closed_set, kind, keys, whole)
OF_ALL = {drop_position, change_position, change_frame, end_position, twice, count, completeness, ends, told}
"""What is to be noticed where all positions are claimed."""
OF_FINDINGS = {drop_step, empty_cycle, option, owner, start, claimed, growth, keepers, scope, closed_set}
"""What changes a claim about a finding."""


@dataclass(frozen=True)
class Mutant:
    """What was changed, and whether it was accepted all the same."""

    name: str
    what: str
    claim: Data
    accepted: bool


def mutants(of: Sequence[Certified], count: int, rng: random.Random) -> list[Mutant]:
    """So many mutated certificates, each judged in the claim that was changed."""
    out: list[Mutant] = []
    findings = [(one, k) for one in of for k in range(1, len(one.certificate["claims"]))]
    growing = [one for one in of if one.certificate["further"] is not None and one.certificate["further"]["counters"]]
    for turn in range(MOST_TRIES * count):
        if len(out) == count:
            break
        mutation = MUTATIONS[turn % len(MUTATIONS)]
        about_all = mutation in OF_ALL or not findings or (mutation not in OF_FINDINGS and rng.random() < 0.5)
        one, number = (rng.choice(of), 0) if about_all else rng.choice(findings)
        changed = copy.deepcopy(one.certificate)
        claim = changed["claims"][number]
        name = mutation.__name__
        if turn % COUNTERS_EVERY == 0 and growing:
            one, name = rng.choice(growing), "counters"
            changed = copy.deepcopy(one.certificate)
            claim = changed["claims"][0]
            what = counters(changed, rng, one.world)
        else:
            what = swapped(claim, rng, one.world) if mutation is option and rng.random() < 0.5 else mutation(changed, claim, rng)
        if what is None or changed == one.certificate:
            continue
        changed["claims"] = [claim]
        (said,) = check(changed, [one.world])
        out.append(Mutant(one.name, f"{name}: {what}", claim, not said.refused))
    return out


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw mutants, and tell which are accepted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scenarios", type=int, default=60)
    given = parser.parse_args(arguments)
    rng, begun = random.Random(given.seed), time.monotonic()
    of = certificates(rng, given.scenarios)
    for one in of:
        assert not any(said.refused for said in check(one.certificate, [one.world])), one.name
    done = mutants(of, given.count, rng)
    print(f"seed {given.seed}: {len(done)} mutants of {len(of)} certificates, {time.monotonic() - begun:.0f} s")
    print(Counter(m.what.partition(":")[0] for m in done))
    for m in done:
        if m.accepted:
            print(f"ACCEPTED {m.name}: {m.what} {json.dumps(m.claim)[:300]}")
    return any(m.accepted for m in done)


if __name__ == "__main__":
    sys.exit(main())
