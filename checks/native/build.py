"""From a program to machine code: text of LLVM, optimised, compiled, kept in the user's cache folder, loaded.

The key of a cached object is everything its making depends on: the text, LLVM, the machine, what is done here. The file says which key it
is for, and the sum of its content; whatever does not agree is made anew and replaced. Tables are not in the text.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ...model.engine.policies import Policies
from ...model.ir.program import Program
from ...spec.kept import keep, read_kept
from ...spec.own_folder import cache_folder
from ...spec.reading import plain_bytes
from ..explore.symmetry import Symmetry
from .batches import batch_contexts, renewing
from .canonical import emit_canonical
from .closing import emit_close
from .common import emit_cards, emit_renew
from .conditions import emit_conditions
from .control import emit_control
from .effects import Batches
from .ends import Ends
from .functions import emit_function
from .memory import Memory, Unsupported
from .numbers import Shared
from .packing import Shape, emit_packing
from .playing import emit_playout, emit_playouts
from .workspace import SYMBOL

MOST_CACHED = 512
"""Objects kept; the oldest beyond that are thrown away."""
UNOPTIMISED, QUICKLY, OPTIMISED = 0, 1, 2
"""How much code is optimised: not at all, by few passes, or as LLVM does it (`-O1`: `-O2` takes longer and gains nothing here). Plays of hanayome's full
game are as fast as 1 : 2.7 : 3.1 then; compiling takes 1 : 4.5 : 12."""
sent: dict[str, bytes] = {}
"""Object code that came with the work from another machine of a cluster, by its key; nothing else than the work itself is trusted like this."""
ENTRIES = ("begin", "resume", "options", "pack", "unpack", "successors", "playout", "playouts", "broken")


@dataclass
class Compiled:
    """Machine code of a program: addresses of its entries, and what is needed to talk to it. `cached`: was it found
    in the cache? `source`: checksum of the text it was made from. `code`: its object code, by the key that it is kept under.
    Keep it as long as the addresses are used."""

    memory: Memory
    shape: Shape
    ends: Ends
    address: dict[str, int]
    cached: bool
    keep: object
    source: str
    code: Mapping[str, bytes]
    level: int


@dataclass(frozen=True)
class Written:
    """A program as text of LLVM. `canonical`: its successors are representatives; `binds`: what orders cards that are
    bound to each other is called."""

    memory: Memory
    shape: Shape
    ends: Ends
    text: str
    canonical: bool = False
    binds: bool = False


def write(
    program: Program, policies: Policies | None = None,
    card_ids: Sequence[str] = (), symmetry: Symmetry | None = None,
) -> Written:
    """The text of a program; the other arguments are those of the interpreter and of the explorer. Raises Unsupported."""
    memory = Memory(program)
    shared = Shared(memory, policies or {}, card_ids)
    (inside, outside), renews = batch_contexts(program.functions), renewing(program.functions)
    batches = Batches({**inside, " common": False}, {**outside, " common": True})
    shape = Shape(memory)
    shared.emit_halts()
    emit_cards(shared, batches)
    emit_renew(shared, batches)
    for fn in memory.functions:
        if fn.kind != "procedure":
            emit_function(shared, batches, renews, fn)
    emit_control(shared, batches)
    emit_close(shared, batches)
    merges = symmetry is not None and bool(symmetry.classes)
    if symmetry is not None and merges:
        emit_canonical(shared, batches, symmetry)
    emit_packing(shared, batches, shape, merges)
    emit_playout(shared, batches, shape)
    emit_playouts(shared, shape.most_words + 2)
    emit_conditions(shared, batches)
    binds = symmetry is not None and merges and symmetry.places.binds
    return Written(memory, shape, shared.ends, shared.module.text(), merges, binds)


def build(
    program: Program,
    policies: Policies | None = None,
    card_ids: Sequence[str] = (),
    cache: Path | None = None,
    level: int | None = OPTIMISED,
    symmetry: Symmetry | None = None,
) -> Compiled:
    """Compile a program, or take it from the cache (`cache`: its folder; None: the user's). `level`: how much the code
    is optimised; None: as LLVM does it if such code is at hand, else quickly. Raises Unsupported."""
    return load(write(program, policies, card_ids, symmetry), cache, level)


def load(written: Written, cache: Path | None = None, level: int | None = OPTIMISED) -> Compiled:
    """Machine code of what was written. Raises Unsupported."""
    try:
        return made(written, cache_folder("native") if cache is None else cache, level)
    except (ImportError, OSError, RuntimeError) as e:  # no LLVM for this machine, or one that does not do it
        raise Unsupported(f"LLVM: {e}") from e


def made(written: Written, folder: Path, level: int | None) -> Compiled:
    """From the cache, or what was sent, or compiled."""
    import llvmlite.binding as llvm

    if level is None:
        found = made_before(llvm, written, folder, OPTIMISED)
        level = QUICKLY if found.kept is None and found.key not in sent else OPTIMISED
    machine, key, kept = made_before(llvm, written, folder, level)
    code = kept or sent.get(key) or compile_text(llvm, machine, written.text, level)
    if kept is None:
        keep(folder, key, code, ".o", MOST_CACHED)
    if written.binds:
        from .bonds import order_function

        llvm.add_symbol(SYMBOL, order_function().address)
    # on Linux in one piece of memory: parts further than two gigabytes from each other cannot be linked; it ends the process
    engine = llvm.create_mcjit_compiler(
        llvm.parse_assembly(""), machine, use_lmm=True if sys.platform == "linux" else None
    )
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    entries = (*ENTRIES, "canonical") if written.canonical else ENTRIES
    address = {name: engine.get_function_address(name) for name in entries}
    source = hashlib.sha256(written.text.encode()).hexdigest()
    return Compiled(
        written.memory, written.shape, written.ends, address, kept is not None, engine, source, {key: code}, level
    )


class Before(NamedTuple):
    """What is known before anything is compiled: the machine, the key of the object code, and that if it is kept."""

    machine: Any
    key: str
    kept: bytes | None


def made_before(llvm, written: Written, folder: Path, level: int) -> Before:  # pyright: ignore[reportMissingParameterType]
    """The machine for this level, and what is kept."""
    machine = target_machine(llvm, level)
    host = " ".join(
        (
            machine.triple,
            llvm.get_host_cpu_name(),
            str(llvm.llvm_version_info),
            llvm.get_host_cpu_features().flatten(),
            str(level),
        )
    )
    key = hashlib.sha256(plain_bytes(Path(__file__)) + f"{host}\n{written.text}".encode()).hexdigest()
    return Before(machine, key, read_kept(folder, key, ".o"))


def target_machine(llvm, level: int):  # pyright: ignore[reportMissingParameterType]
    """The machine that we are on."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=min(level, QUICKLY),
        reloc="pic",
        codemodel="small",
    )


def compile_text(llvm, machine, text: str, level: int) -> bytes:  # pyright: ignore[reportMissingParameterType]
    """Optimise and compile."""
    module = llvm.parse_assembly(text)
    module.verify()
    if level:
        builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=1))
        if level == OPTIMISED:
            passes = builder.getModulePassManager()
        else:
            passes = llvm.create_new_module_pass_manager()
            for add in (
                passes.add_always_inliner_pass,
                passes.add_sroa_pass,
                passes.add_simplify_cfg_pass,
                passes.add_instruction_combine_pass,
            ):
                add()
        passes.run(module, builder)
    return machine.emit_object(module)
