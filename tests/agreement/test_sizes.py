"""States in compiled code are as small as they were: the memory of a run, and the keys that a search stores.

What is too large is never wrong, so no comparison with the interpreter notices it. `--update-frozen` writes the sizes anew.
"""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.native.build import Written, write

from ..lang.programs import check_frozen
from .programs import random_program


def test_memory_and_keys_are_as_small_as_they_were(pytestconfig: pytest.Config) -> None:
    """Of some random programs: bytes of the slots, of a frame, of tables, of everything; bits of slots, of a depth, of a place in
    the code, words of a key at most, and of every key where they are filled up."""
    lines = [line(str(seed), write(random_program(seed))) for seed in range(40)]
    check_frozen(Path(__file__).parent / "sizes.json", "{\n" + ",\n".join(lines) + "\n}\n", bool(pytestconfig.getoption("--update-frozen")))


def line(name: str, w: Written) -> str:
    m, s = w.memory, w.shape
    sizes = [m.slot_bytes, m.frame_bytes, m.table_bytes, m.context_bytes, s.slot_bits, s.depth_bits, s.site_bits, s.most_words, s.fixed]
    return f' "{name}": {sizes}'
