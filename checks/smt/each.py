"""Every condition of a book, and what is stated of procedures, one after the other: first in the smallest slice, then in wider ones."""
from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from ...model.ir.program import Program
from ...spec.text import Text
from ..limits.ending import NO_TIME
from .numbers import Beyond
from .prover import ALONE, ENTRIES, FAILING, TOGETHER, Prover
from .results import Kept
from .solving import BY_THE_CLOCK, SECONDS
from .sorts import marked

LONG = 120.0
"""Seconds that a slice may take (twice as many for several conditions together), from what is left for all conditions."""


def prove_each(
    program: Program, owners: Sequence[int], first: Sequence[int], limit: float, seconds: float = SECONDS,
    stop: Callable[[], bool] | None = None, note: Callable[[str], None] | None = None,
) -> dict[str, Kept]:
    """Every condition of a program, and what is stated of its procedures, within so many seconds of the processor. What is found of one that is not proved is what the last
    try that came to its end failed on."""
    plain = marked(program)
    out: dict[str, Kept] = {}
    begun = time.process_time()
    for name in (*plain.invariants, *(c.function for c in plain.contracts)):
        for extent in (ALONE, ENTRIES, TOGETHER):
            if note is not None:
                note(name)
            before = out.get(name)
            if any(name in x.proved for x in out.values()) or (
                    before is not None and not 0 < len(before.failed.get(name, ())) <= FAILING):
                break
            until = min(begun + limit, time.process_time() + LONG * (1 + (extent == TOGETHER)))

            def late(until: float = until) -> bool:
                return (stop is not None and stop()) or time.process_time() > until
            try:
                if late():
                    raise Beyond(NO_TIME.ja, NO_TIME.en)
                prover = Prover(plain, name, owners, first, seconds, late, extent)
                if (extent == ENTRIES and not prover.slice.besides) or (
                    extent == TOGETHER and set(prover.slice.conditions) <= {name}
                ):
                    continue
                prover.machine.until = time.monotonic() + BY_THE_CLOCK * max(1.0, until - time.process_time())
                found = prover.prove()
            except Beyond as e:
                found = Kept(name, reason=e.why)
            except (AssertionError, IndexError) as e:  # a defect of ours: nothing is proved, and what else was found is still told
                found = Kept(name, reason=Text(ja=f"この検査自体の欠陥: {e}", en=f"a defect of the check itself: {e}"))
            if before is None or found.reason is None:
                out[name] = found
        out.setdefault(name, next((x for x in out.values() if name in x.proved), Kept(name, reason=NO_TIME)))
    return out
