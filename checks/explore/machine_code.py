"""What numba compiles, kept with everything else that Rulewright keeps (`spec/kept.py`): under all that it was made of.

numba itself would look only at the file that a function stands in, not at those of the functions that are made part of it; and it
would read whatever lies in its place.
"""
from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import sigutils
from numba.core.ccallback import CFunc
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from ...spec.kept import keep, read_kept
from ...spec.own_folder import cache_folder
from ...spec.reading import plain_bytes
from ..limits.ending import in_one_piece
from .machine_sources import sources

KIND = "numba"


def njit(cache: bool = False, **how: Any) -> Callable[[Callable[..., Any]], Any]:
    """`numba.njit`. `cache`: what it makes is kept."""
    def made(plain: Callable[..., Any]) -> Any:
        fast: Any = numba.njit(**how)(plain)
        fast.compile = in_one_piece()(fast.compile)
        if cache:
            fast._cache = KeptCode(plain)
        return fast
    return made


def cfunc(signature: Any, plain: Callable[..., Any]) -> Any:
    """`numba.cfunc`; what it makes is kept."""
    made: Any = CFunc(plain, sigutils.normalize_signature(signature), locals={}, options={})
    made._cache = KeptCode(plain)
    with in_one_piece():
        made.compile()
    return made


class KeptCode:
    """Where numba keeps what it makes of a function: it asks for no more than this of a cache."""

    cache_path = ""

    def __init__(self, plain: Callable[..., Any]) -> None:
        code = plain.__code__
        file = Path(code.co_filename)
        own = hashlib.sha256(plain_bytes(file)).hexdigest() if file.is_file() else code.co_code.hex()
        self.of = f"{sources()}\n{plain.__module__}.{plain.__qualname__} {code.co_firstlineno} {own}"

    def key(self, signature: object, codegen: Any) -> str:
        return hashlib.sha256(f"{self.of}\n{signature}\n{codegen.magic_tuple()}".encode()).hexdigest()

    def load_overload(self, sig: object, target_context: Any) -> Any:
        """What was made for these types, if it is kept."""
        target_context.refresh()
        content = read_kept(cache_folder(KIND), self.key(sig, target_context.codegen()))
        if content is None:
            return None
        result: Any = CompileResult
        return result._rebuild(target_context, *pickle.loads(content))

    def save_overload(self, sig: object, data: Any) -> None:
        """Keep what was made for these types."""
        if not data.library.has_dynamic_globals:
            keep(cache_folder(KIND), self.key(sig, data.codegen), dumps(data._reduce()))

    def enable(self) -> None: ...
    def disable(self) -> None: ...
    def flush(self) -> None: ...
