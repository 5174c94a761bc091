"""A scenario as a Promela model: SPIN explores the same transition relation, with C code for what a transition does.

The files are `NAME.pml` (labels, options, ends of play), `NAME.c` (rules as C) and `NAME.names.json` (what the numbers of functions
and ends mean; nothing of it is run). SPIN's states are ours and one
more (the one before play); its transitions are ours, one more, and as many again as exceed a bound.
"""
from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...model.engine.interpreter import Interpreter
from ...spec.writing import in_folder, write_whole
from .c_code import c_model

FRAME_BYTES = 192
"""Room for frames in a packed state, unless told."""
WAYS = 64
"""Options that a state may have, unless told; SPIN says so where there are more."""


@dataclass(frozen=True)
class PromelaModel:
    """The text of the files, and how many bytes a state has."""

    promela: str
    c: str
    names: str
    state_bytes: int


def promela_model(
    engine: Interpreter,
    positions: Sequence[Sequence[int]],
    name: str,
    ways: int = WAYS,
    frame_bytes: int = FRAME_BYTES,
) -> PromelaModel:
    """The model of a program. Raises CannotExport."""
    made = c_model(engine, positions, frame_bytes)
    branches = "\n".join(
        f"  :: d_step {{ c_expr {{ WAY_{k} }} -> c_code {{ take(now.st, {k}); }} }}" for k in range(ways)
    )
    # SPIN takes every call in a c_expr for a side effect, so the guards are macros
    guards = "\n".join(f"\\#define WAY_{k} (options(now.st) > {k})" for k in range(ways + 1))
    promela = f"""/* {name}, made by Rulewright.
   spin -a {name}.pml && cc -O3 -DSAFETY -DNOREDUCE -DVECTORSZ={made.state_bytes + 256} -o pan pan.c {name}.c && ./pan -m1000000 */
c_decl {{
  extern int options(const unsigned char *state);
  extern void take(unsigned char *state, int way);
  extern void begin(unsigned char *state);
{guards}
}}
c_code {{
  void model_error(const char *why) {{ printf("error in the model: %s\\n", why); exit(1); }}
}}
c_state "unsigned char st[{made.state_bytes}]" "Global"

active proctype play() {{
  d_step {{ c_code {{ begin(now.st); }} }}
end_of_play:
  do
{branches}
  :: d_step {{ c_expr {{ WAY_{ways} }} -> c_code {{ model_error("a state has more options: export with more"); }} }}
  od
}}
"""
    names = json.dumps({"functions": made.functions, "ends": made.details}, ensure_ascii=False, indent=1)
    return PromelaModel(promela, made.code, names + "\n", made.state_bytes)


def write_promela(model: PromelaModel, name: str, folder: Path) -> list[Path]:
    """Write the files, and say where."""
    out: list[Path] = []
    for suffix, text in ((".pml", model.promela), (".c", model.c), (".names.json", model.names)):
        path = in_folder(folder, f"{name}{suffix}")
        write_whole(path, text)
        out.append(path)
    return out
