"""What is told of readings that play itself does not come to ask for, and of numbers."""
from __future__ import annotations

from dataclasses import replace

from rulewright.checks.readings.branching import Effect
from rulewright.checks.runs.session import CheckOptions, check_all_readings

from .answers import ALTERNATIVES, as_yaml
from .books import Book, Rule
from .questions import as_a_users
from .test_judge import book, parts

STATE = "class Game(State):\n    c: Annotated[int, Range(0, 9)]\n    f: bool\n"
GROWS = "while await may(FIRST):\n    if g.c < 3:\n        g.c += 1\n"


def effects(b: Book) -> dict[str, Effect]:
    """What is told of each reading; the number is about the clause of another one."""
    with as_a_users(b) as place:
        said = "".join(map(as_yaml, ALTERNATIVES)).replace('clauses: ["1.3"]', 'clauses: ["1.1"]')
        (place / "readings.yaml").write_text("book: oracle\nreadings:\n" + said, encoding="utf-8")
        (place / "scenarios").mkdir()
        path = place / "scenarios" / "world.yaml"
        path.write_text("book: oracle\nid: world\ntitle: {ja: 例, en: world}\n", encoding="utf-8")
        return {x.reading: x.effect for x in check_all_readings(path, CheckOptions(engine="interpreter")).readings}


def test_a_reading_that_only_a_condition_asks_for_is_tried() -> None:
    b = book(GROWS, head=STATE, caps={})
    small = Rule("small", "", "", parts('return reading("way") == "a" or g.c < 2'), "invariant", "bool")
    assert effects(replace(b, rules=(small, *b.rules))) == {"way": Effect.FINDINGS}


def test_a_number_is_not_told_never_to_be_asked_for_since_nobody_sees_it_asked() -> None:
    more = 'if g.c > reading_number("most"):\n    finish(SECOND)\nif g.c > 7:\n    if reading("way") == "a":\n        g.f = True\nif g.f:\n    finish(FIRST)'
    assert effects(book(GROWS + more, head=STATE, caps={})) == {"most": Effect.UNTRIED, "way": Effect.UNASKED}
