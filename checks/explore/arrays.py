"""Numbers in flat arrays, and functions over them that are compiled where there is much to do.

A *kernel* is one plain function over arrays, written once. Where its arrays are small it runs as Python; where they
are large it is compiled (numba), and the object code kept where that can be. Where numba does not exist for the machine it always runs as Python: the same
function, so the same result, only slower.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, overload

import numpy as np

Function = Callable[..., Any]

FEW = 60_000
"""Numbers in all arrays of a call up to which a kernel is not worth loading numba for."""


class Kernel:
    """A function over arrays. It may change arrays that it is given, and calls no other function of ours."""

    def __init__(self, plain: Function) -> None:
        self.plain = plain
        self.__doc__ = plain.__doc__
        self.fast: Function | None = None

    def __call__(self, *args: Any) -> Any:
        if self.fast is not None or sum(a.size for a in args if isinstance(a, np.ndarray)) > FEW:
            return self.compiled()(*args)
        return self.in_python(*args)

    def in_python(self, *args: Any) -> Any:
        """Run without compiling. (A memory view is read twice as fast as an array, and gives plain numbers.)"""
        views = [a.data if isinstance(a, np.ndarray) else a for a in args]
        return self.plain(*views)

    def compiled(self) -> Function:
        """The function as machine code; as Python where that cannot be had."""
        if self.fast is None:
            try:
                self.fast = translated(self.plain)
            except ImportError:  # there is no numba for this machine
                self.fast = self.in_python
        return self.fast


def translated(plain: Function) -> Function:
    """Compiled by numba; what it makes is kept. Others may run meanwhile."""
    from .machine_code import njit

    return njit(nogil=True, cache=True)(plain)


kernel = Kernel


class Numbers(Sequence[int]):
    """Numbers in an array; equal to the tuple or list of the same numbers."""

    __slots__ = ("array",)

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    @overload
    def __getitem__(self, k: int, /) -> int: ...
    @overload
    def __getitem__(self, k: slice, /) -> Sequence[int]: ...
    def __getitem__(self, k: int | slice, /) -> int | Sequence[int]:
        return Numbers(self.array[k]) if isinstance(k, slice) else int(self.array[k])

    def __iter__(self) -> Iterator[int]:
        return iter(self.array.tolist())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.array, dtype) if copy else np.asarray(self.array, dtype)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Numbers):
            return np.array_equal(self.array, other.array)
        return isinstance(other, tuple | list) and [*self] == [*other]

    def __lt__(self, other: Numbers) -> bool:
        n = min(len(self), len(other))
        differ = np.flatnonzero(self.array[:n] != other.array[:n])
        if not differ.size:
            return len(self) < len(other)
        return bool(self.array[differ[0]] < other.array[differ[0]])

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self)) if len(self) <= 20 else f"<{len(self)} numbers from {self[0]} to {self[-1]}>"


def room_for(array: np.ndarray, least: int) -> np.ndarray:
    """The array, or a copy with room for at least so many."""
    if array.size >= least:
        return array
    larger = np.empty(max(least, array.size * 2, 64), array.dtype)
    larger[:array.size] = array
    return larger
