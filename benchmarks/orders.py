"""Every pair of a pool of forty cards that all can wait: does their order matter? How many pairs, what came of them, how long.

    python benchmarks/orders.py
"""
from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

from rulewright.checks.smt.queries.orders.all_pairs import Orders, orders_of
from rulewright.model.engine.library import card_def, load_book
from rulewright.spec.cards import read_cards

INVENTED = Path(__file__).parents[1] / "tests" / "checks" / "smt" / "pools" / "ts_fight.yaml"
SHIPPED = "RUNNER", "PARTY", "EARLY-BED"


def main() -> None:
    book = load_book("ts_fight")
    cards = [*(book.cards[c] for c in SHIPPED), *map(card_def, read_cards(INVENTED))]
    processor, clock = time.process_time(), time.monotonic()
    out = Orders("ts_fight", {})
    orders_of(out, cards)
    print(f"{len(cards)} cards, {len(out.answers)} pairs: {dict(Counter(a.said for a in out.answers))}")
    for name, why in out.unknown:
        print(f"  {name.en}: {why.en}")
    print(f"{time.process_time() - processor:.0f} s of one processor, {time.monotonic() - clock:.0f} s by the clock")


if __name__ == "__main__":
    main()
