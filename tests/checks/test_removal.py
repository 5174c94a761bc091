"""Which statements a mutant of the rules can be made of, so that some play may show it."""
from __future__ import annotations

import pytest

from rulewright.model.engine.library import load_book

from ..mutation.removal import only_stated


@pytest.mark.parametrize(("book", "stated", "played"), [
    ("harem_master", {"own_cards_only", "nobody_is_in_play", "six_are_left", "changes_the_fight"}, {"in_the_others_turn", "keep_to_limits"}),
    ("sakura", {"may_be_chosen"}, {"would_be_improper", "cannot_lose"}),
    ("shinso", set(), {"is_set"}),
    ("ts_fight", set(), {"becomes_fresh"}),
])
def test_only_what_play_never_looks_at_is_counted_apart(book: str, stated: set[str], played: set[str]) -> None:
    apart = only_stated(load_book(book))
    assert apart >= stated
    assert not apart & played
