"""The compiled parser is asked first: what it says of a text is what the other one says, or else it is not listened to."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML, events

from rulewright.spec.events import CParser, events_of, quickly

pytestmark = pytest.mark.skipif(CParser is None, reason="ruamel.yaml.clib is not installed: files are read by one parser only")
ROOT = Path(__file__).parents[2]
PIECES = st.sampled_from([
    "a", "b: ", "- ", "? ", ": ", ":", "-", "\n", "\n  ", "\n    ", " ", "  ", "\t", "[", "]", "{", "}", ",", ", ", "'", '"', "|", "|-", ">",
    ">+", "#", " #", "\\", "\\n", "&x", "*x", "!", "%", "@", "`", "---", "--- ", "...", "…", "花", "：", "　", "1", "~", "''", '""', "\n- ", "\n\n",
    "a: b\n", "- a\n", "x:y", '"a":1', "{a:1}", "[a:b]", "a:\n  b: c\n", "text: |\n  x\n  y\n", "text: >\n  x\n\n  y\n", "é", "\xa0", "\u2028",
    "-a", "?a", ":a", "a#b", "a: 'x''y'\n", 'a: "x\\\n  y"\n', "\U0001f600",
])


def slowly(text: str) -> list[Any]:
    return list(YAML(typ="safe", pure=True).parse(text))


def told(event: Any) -> tuple[object, ...]:
    """What a file's nodes are made of."""
    match event:
        case events.ScalarEvent():
            return "scalar", at(event.start_mark), at(event.end_mark), event.value, event.style or None, event.anchor, event.ctag
        case events.SequenceStartEvent() | events.MappingStartEvent():
            return type(event), at(event.start_mark), bool(event.flow_style), event.anchor, event.ctag
        case _:
            return (type(event),)


def at(mark: Any) -> tuple[int, int]:
    return mark.line, mark.column


@settings(max_examples=400)
@given(st.lists(PIECES, max_size=14).map("".join))
def test_whatever_is_left_to_the_compiled_parser_the_other_says_too(text: str) -> None:
    found = quickly(text)
    if found is not None:
        assert list(map(told, found)) == list(map(told, slowly(text)))


def test_both_say_the_same_of_shipped_files() -> None:
    texts = [p.read_text(encoding="utf-8") for p in sorted((ROOT / "spec").rglob("*.yaml"))[::5]]
    found = [(text, quickly(text)) for text in texts]
    assert all(list(map(told, events)) == list(map(told, slowly(text))) for text, events in found if events is not None)
    assert sum(events is not None for _, events in found) > len(found) / 2


@pytest.mark.parametrize("text", [
    "a: |#\n  b\n", "a: |\n  \n    b\n", "a: |\n#\n", "a:\nb: 1\n", "a: &x 1\n", "a: *x\n", "a: !!int 1\n", "%YAML 1.2\n---\na: 1\n", "a: 1\n---\nb: 2\n",
    "a: \u2028b\n", "a:\tb\n", "a: [1\n", "",
])
def test_what_the_two_may_take_differently_is_left_to_the_one_that_explains(text: str) -> None:
    assert quickly(text) is None


def test_the_nearest_that_both_take_alike_is_read_quickly() -> None:
    for text in ("a: |\n  b\n", "a: 'b'\n", "a: ''\nb: 1\n", "a: [1]\n", "a: {b: c}\n# x\n", "%: 1\n".replace("%", "'%'")):
        assert quickly(text) is not None
        assert list(map(told, events_of(text))) == list(map(told, slowly(text)))
