"""Modules that are loaded when they are first used: a command that needs no model starts without one."""
from __future__ import annotations

import importlib.util
import sys
from types import ModuleType


def late(name: str) -> ModuleType:
    """A module of a room beside this one (`room.module`), executed when something of it is first asked for."""
    above = (__package__ or "").rpartition(".")[0]
    full = f"{above}.{name}"
    if full in sys.modules:
        return sys.modules[full]
    spec = importlib.util.find_spec(full)
    assert spec is not None and spec.loader is not None
    spec.loader = importlib.util.LazyLoader(spec.loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules[full] = module
    spec.loader.exec_module(module)
    room, _, leaf = full.rpartition(".")
    setattr(sys.modules[room], leaf, module)
    return module
