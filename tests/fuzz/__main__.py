"""Everything here for some seconds: `python -m tests.fuzz --seed 1 --seconds 120`. Without a seed one is drawn, and printed."""
from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

Run = Callable[[int, float], list[str]]
"""Tries things drawn with a seed for some seconds; what was wrong."""


def runs() -> dict[str, Run]:
    """What each module of this folder that tries something is called, and how it is begun."""
    names = sorted(p.stem for p in Path(__file__).parent.glob("*.py") if not p.stem.startswith(("_", "test_")))
    modules = {name: import_module(f"{__package__}.{name}") for name in names}
    found = {name: getattr(module, "run", None) for name, module in modules.items()}
    return {name: run for name, run in found.items() if run is not None and run.__module__ == modules[name].__name__}


def main(arguments: Sequence[str]) -> int:
    """Each for its share of the time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--seconds", type=float, default=120)
    given = parser.parse_args(arguments)
    print(f"seed {given.seed}", flush=True)
    end = time.monotonic() + given.seconds
    wrong = 0
    known = list(runs().items())
    for k, (name, run) in enumerate(known):
        now = time.monotonic()
        found = run(given.seed, max(1.0, (end - now) / (len(known) - k)))
        wrong += len(found)
        print(f"{name}: {len(found)} wrong in {time.monotonic() - now:.0f} s", *found, sep="\n  ", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
