"""Compiled code can be loaded wherever memory is free, and arenas give their places back."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from rulewright.checks.native import arena
from rulewright.checks.native.arena import Arena

PROGRAM = """
import mmap, sys
from pathlib import Path
from rulewright.checks.native.engine import Native
from rulewright.model.engine.interpreter import Interpreter
from tests.agreement.programs import random_program

kept, FLAGS = [], mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000  # not reserved
for seed in range(10_000, 10_008):
    program = random_program(seed)
    first = Interpreter(program).start()
    for _ in range(3):
        # addresses only; what is loaded next has free space on either side of them, too little for all of it in one place
        kept += [mmap.mmap(-1, size, FLAGS) for size in (8 << 30, 1 << 16)]
        hole = mmap.mmap(-1, 1 << 14)
        kept += [mmap.mmap(-1, 8 << 30, FLAGS)]
        hole.close()
        native = Native(program, cache=Path(sys.argv[1]), level=0)
        kept.append(native)
        assert native.start() == first
print("all loaded")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="maps memory as Linux does")
def test_code_is_loaded_in_one_piece_however_memory_is_cut_up(tmp_path: Path) -> None:
    """Parts more than two gigabytes from each other cannot be linked: LLVM ends the process."""
    ran = subprocess.run([sys.executable, "-c", PROGRAM, str(tmp_path)], capture_output=True, text=True, check=False,
                         cwd=Path(__file__).parents[2])
    assert (ran.returncode, ran.stdout) == (0, "all loaded\n"), ran.stderr[-2000:]


@pytest.mark.skipif(arena.reservable() == 0, reason="no addresses are reserved on this system")
def test_places_of_arenas_are_used_again_and_never_shared() -> None:
    before = set(arena.in_use)
    kept = [Arena(np.uint64, 4) for _ in range(5)]
    mine = arena.in_use - before
    assert len(mine) == 5
    for _ in range(2 * arena.PLACES):
        Arena(np.uint64, 4).array[0] = 1
    assert arena.in_use - before == mine, "an arena that is gone still has its place"
    assert all(a.reserved is not None and arena.FAR <= a.reserved.at < arena.FAR + arena.PLACES * arena.RESERVE_AT_MOST for a in kept)
    assert not any(a.array.any() for a in kept)


@pytest.mark.skipif(arena.reservable() == 0, reason="no addresses are reserved on this system")
def test_an_array_outlives_its_arena() -> None:
    array = Arena(np.uint64, 4).grow(5000)
    array[-1] = 7
    others = [Arena(np.uint64, 5000) for _ in range(3)]
    assert array[-1] == 7 and not any(o.array.any() for o in others)


def test_without_a_place_arrays_are_numpys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "PLACES", 0)
    one = Arena(np.uint32, 3)
    one.array[:] = 1, 2, 3
    assert one.reserved is None and one.grow(100)[:4].tolist() == [1, 2, 3, 0]
