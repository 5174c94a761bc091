"""How fast compiled code is: exploration of shipped scenarios, and random plays; one thread, time of the processor.

`python benchmarks/native.py` prints a table; `--states N` explores so many states at most (200,000 unless told).
"""
from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from pathlib import Path

from rulewright.checks.explore.explorer import Limits
from rulewright.checks.native.engine import Native
from rulewright.checks.native.explorer import CUT_STATES, DONE, Search
from rulewright.checks.native.playouts import Player
from rulewright.checks.scenarios.subjects import open_table, read_scenario, reading_sets, scenario_paths
from rulewright.model.engine.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.by_lot import plays_of

SCENARIOS = ("hanayome/full-game", "ts_fight/full-game", "sakura/full-game", "sakura/crystals-conserved")
PLAYED = ("hanayome/full-game", "ts_fight/full-game", "sakura/full-game")
PLAYS = 1_000


def opened(target: str) -> Table:
    scenario = read_scenario(scenario_paths(target)[0])
    return open_table(scenario, reading_sets(scenario, {})[0])


def compiled(table: Table) -> Native:
    return Native(table.program, table.engine.policies, card_ids=table.engine.card_ids)


def main() -> None:
    parser = argparse.ArgumentParser(description="How fast compiled code is.")
    parser.add_argument("--states", type=int, default=200_000)
    most = parser.parse_args().states
    print(f"{time.strftime('%Y-%m-%d')}, CPython {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores\n")
    print("| scenario | compiled in | states | states/s | transitions/s | bytes of a key |")
    print("|---|---:|---:|---:|---:|---:|")
    for target in SCENARIOS:
        table = opened(target)
        begun = time.process_time()
        native = compiled(table)
        how = "(cached)" if native.compiled.cached else f"{time.process_time() - begun:.1f} s"
        search = Search(native, Limits(most), graph=False)
        for start in table.starts:
            search.add(start)
        search.go(1)
        begun = time.process_time()
        while search.go() not in (DONE, CUT_STATES):
            pass
        seconds = time.process_time() - begun
        print(f"| {target} | {how} | {search.count:,} | {search.count / seconds:,.0f} | {search.transitions / seconds:,.0f} | "
              f"{search.key_bytes / search.count:.0f} |", flush=True)
    print(f"\n{PLAYS:,} random plays:\n")
    print("| scenario | decisions | decisions/s | transitions/s | how they end |")
    print("|---|---:|---:|---:|---|")
    for target in PLAYED:
        table = opened(target)
        player = Player(compiled(table), table.starts[0])
        player.play(0)
        begun = time.process_time()
        done = plays_of(player, range(PLAYS))
        seconds = time.process_time() - begun
        ends = ", ".join(f"{kind}{' ' + str(who) if who >= 0 else ''}: {n}" for (kind, who), n in done.ends.most_common())
        print(f"| {target} | {done.decisions:,} | {done.decisions / seconds:,.0f} | {done.steps / seconds:,.0f} | {ends} |", flush=True)


if __name__ == "__main__":
    main()
