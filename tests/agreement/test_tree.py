"""Long keys as trees: what is packed comes out again, equal keys have equal roots, and searches stay the same."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.checks.explore.explorer import Limits
from rulewright.checks.explore.explorer import explore as interpret
from rulewright.checks.native import layout, search, tree
from rulewright.checks.native.checkpoint import Plan
from rulewright.checks.native.explorer import explore
from rulewright.checks.native.search import Search

from .test_explorer import LIMITS, native_of, own_cache, same, subject  # noqa: F401  (the fixture is used)

WORDS = st.integers(0, 2**64 - 1) | st.sampled_from([0, 1, 2**32, 2**64 - 1])


class Store:
    """Nodes, and the roots of some keys."""

    def __init__(self) -> None:
        self.nodes, self.table, self.count = np.zeros(1 << 16, np.uint64), np.zeros(1 << 16, np.uint32), 0
        self.plain, self.indices = np.empty(tree.MOST_WORDS + 2, np.uint64), np.empty(2 * tree.MOST_WORDS + 8, np.uint32)

    def root(self, key: list[int]) -> tuple[int, int]:
        words = np.array([*key, 0, 0], np.uint64)
        self.count = tree.pack(self.count, self.nodes, self.table, words, 0, len(key), self.indices)
        return int(words[0]), int(words[1])

    def key(self, root: tuple[int, int]) -> list[int]:
        n = tree.unpack(self.nodes, np.array(root, np.uint64), 0, self.plain, self.indices)
        return [int(x) for x in self.plain[:n]]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(WORDS, min_size=1, max_size=80), min_size=1, max_size=8))
def test_keys_come_out_as_they_went_in_and_roots_are_equal_when_keys_are(keys: list[list[int]]) -> None:
    store = Store()
    roots = [store.root(key) for key in keys]
    assert [store.key(root) for root in roots] == keys
    for a, x in zip(keys, roots, strict=True):
        for b, y in zip(keys, roots, strict=True):
            assert (a == b) == (x == y)
    before = store.count
    assert [store.root(key) for key in keys] == roots and store.count == before


@pytest.mark.parametrize("n", [1, 2, 6, 7, 8, 24, 25, 96, 97, 384, 385, 1537, 4000])
def test_every_length_has_its_levels(n: int) -> None:
    store = Store()
    key = [k * 0x9E3779B97F4A7C15 % 2**64 for k in range(n)]
    assert store.key(store.root(key)) == key
    assert store.count <= n + 1  # the room that is asked for is enough


@pytest.mark.parametrize("target", ["hanayome/full-game", "sakura/crystals-conserved", "ts_fight/endless-interrupts",
                                    "hanayome/episode-left-behind"])
@pytest.mark.parametrize("threads", [1, 2])
def test_searches_are_the_same(target: str, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "LONG", 1)
    monkeypatch.setattr(search, "WORTH", 8)
    s = subject(target)
    native = native_of(s)
    for limits in LIMITS:
        same(interpret(s.engine, s.starts, limits), explore(native, s.engine, s.starts, limits, threads=threads))


def test_chance_picks_one_of_several_beginnings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "LONG", 1)
    s = subject("hanayome/episode-left-behind")
    after = interpret(s.engine, s.starts, Limits(40))
    starts = [s.starts[0]._replace(state=after.states[k], crossing=0) for k in (0, 5, 9, 5)]
    same(interpret(s.engine, starts, Limits(300)), explore(native_of(s), s.engine, starts, Limits(300)))


def test_it_is_used_where_keys_are_long_and_takes_a_tenth_of_the_room() -> None:
    s = subject("hanayome/full-game")
    native = native_of(s)
    sizes: list[float] = []
    for packed in (None, False):
        run = Search(native, Limits(3_000), packed=packed)
        run.begin(s.starts)
        while run.go() == layout.MORE_TIME:
            pass
        sizes.append(run.key_bytes / run.count)
        assert run.packed is (packed is None)
    assert sizes[1] > 2_000 and sizes[0] < sizes[1] / 10
    short = Search(native_of(subject("sakura/crystals-conserved")), Limits(10))
    short.begin(subject("sakura/crystals-conserved").starts)
    assert short.packed is False


def test_keys_that_may_be_shorter_than_a_root_are_not_packed() -> None:
    native = native_of(subject("hanayome/episode-left-behind"))
    assert native.shape.least_words >= tree.ROOT_WORDS and Search(native, Limits(10), packed=True).packed
    native.shape.least_words = 1  # its root would overwrite how long the next key is
    assert not Search(native, Limits(10), packed=True).packed


def test_with_checkpoints_too(tmp_path: Path) -> None:
    s = subject("hanayome/episode-left-behind")
    native = native_of(s)
    explore(native, s.engine, s.starts, Limits(200), plan=Plan(tmp_path))
    assert (tmp_path / "nodes.bin").stat().st_size
    same(interpret(s.engine, s.starts, Limits(400)), explore(native, s.engine, s.starts, Limits(400), plan=Plan(tmp_path, resume=True)))
