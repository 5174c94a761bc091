"""Every condition of a book, one after the other, in one way after the other: the quickest first."""
from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from ...model.ir.program import Program
from .by_demand import OnDemand
from .closer import FAILING
from .modular import Kept, Modular
from .numbers import Beyond
from .solving import SECONDS
from .sorts import marked

BARE, LEVELS = 0, 3
"""Without any statements; with them; with the book's other conditions beside."""
BY_DEMAND, OF_ENTRIES = -1, -2
"""With the statements that are needed and no others, where few pieces fail without any; also with what each entry of a multiset is."""
TOGETHER = -3
"""By demand, too, with the book's other conditions that read nothing else, all shown at once, and what cards refer to."""
SEVERAL = 3
"""Pieces that fail at most, for a proof by demand to be tried."""
LONG = 120.0
"""Seconds that it may take (twice as many for several together), from what is left for all conditions."""


def prove_each(
    program: Program, owners: Sequence[int], first: Sequence[int], limit: float, seconds: float = SECONDS,
    stop: Callable[[], bool] | None = None, note: Callable[[str], None] | None = None,
) -> dict[str, Kept]:
    """Every condition of a program, each with its share of `limit` seconds of the processor. What is found of one that is not proved is
    what the last try that came to its end failed on."""
    plain = marked(program)
    out: dict[str, Kept] = {}
    begun = time.process_time()
    for k, name in enumerate(plain.invariants):
        until = time.process_time() + (limit - (time.process_time() - begun)) / (len(plain.invariants) - k)

        def late(until: float = until) -> bool:
            return (stop is not None and stop()) or time.process_time() > until
        for level in (BARE, BY_DEMAND, OF_ENTRIES, BARE + 1, TOGETHER, *range(BARE + 2, LEVELS)):
            if note is not None:
                note(name)
            if any(name in x.proved for x in out.values()) or late():
                break
            try:
                if level in (BY_DEMAND, OF_ENTRIES):
                    if name not in out or out[name].reason or not 0 < len(failed := out[name].failed.get(name, [])) <= SEVERAL:
                        continue
                    until = min(begun + limit, time.process_time() + LONG)
                    prover = OnDemand(
                        plain, name, owners, first, seconds, lambda until=until: late(until), failed, level == OF_ENTRIES)
                    if level == OF_ENTRIES and not prover.part.besides:
                        continue
                elif level == TOGETHER:
                    if name not in out or not 0 < len(out[name].failed.get(name, ())) <= FAILING:
                        continue
                    until = min(begun + limit, time.process_time() + 2 * LONG)
                    prover = OnDemand(plain, name, owners, first, seconds, lambda until=until: late(until), together=True)
                    if len(prover.part.conditions) == 1 or not prover.referring:
                        continue
                else:
                    prover = Modular(plain, name, owners, first, seconds, late, level)
                if level == LEVELS - 1 and len(prover.part.conditions) == 1:
                    break
                prover.machine.until = time.monotonic() + max(1.0, until - time.process_time())
                found = prover.prove()
            except Beyond as e:
                found = Kept(name, reason=str(e))
            except (AssertionError, IndexError) as e:  # a defect of ours: nothing is proved, and what else was found is still told
                found = Kept(name, reason=f"a defect of the check itself: {e}")
            before = out.get(name)
            if before is None or not found.reason or before.reason:
                out[name] = found
            out[name].seconds = found.seconds + (before.seconds if before is not None else 0.0)
        if name not in out:
            shared = next((x for x in out.values() if name in x.proved), None)
            out[name] = Kept(name, reason="no time was left") if shared is None else shared
    return out
