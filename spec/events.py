"""What a YAML parser reports of a text, piece by piece.

There are two parsers. ruamel.yaml's own says best what is wrong with a text, and its word counts. The compiled one (libyaml) is ten times as
quick; it is asked first, and only a text of which both say the same is left to it: one without mistakes and without anything out of
the ordinary."""
from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ruamel.yaml import YAML, events
from ruamel.yaml.error import YAMLError

try:
    from ruamel.yaml.cyaml import CParser  # pyright: ignore[reportUnknownVariableType, reportMissingTypeStubs]
except ImportError:  # there is none for this edition of Python: files are read more slowly
    CParser = None

OUT_OF_THE_ORDINARY = re.compile(r"[\t\x85\u2028\u2029\ufeff]|[|>][-+\d]*#")
"""What one of the two takes for the end of a line, a blank or a comment, and the other does not."""


QUOTED = ("'", '"')


def events_of(text: str) -> Iterator[Any]:
    """The events of a text. Raises what the parser raises, where it comes to it."""
    found = quickly(text)
    return YAML(typ="safe", pure=True).parse(text) if found is None else iter(found)


def quickly(text: str) -> Sequence[Any] | None:
    """The events as the compiled parser tells them; None where the other one is to be asked."""
    if CParser is None or OUT_OF_THE_ORDINARY.search(text):
        return None
    parser: Any = CParser(text)
    found: list[Any] = []
    try:
        while parser.check_event():
            event = parser.get_event()
            if not is_ordinary(event):
                return None
            found.append(event)
    except (YAMLError, ValueError):
        return None
    finally:
        parser.dispose()
    return found if sum(isinstance(e, events.DocumentStartEvent) for e in found) == 1 else None


def is_ordinary(event: Any) -> bool:
    match event:
        case events.ScalarEvent(value=value, style=style):
            return event.anchor is None and event.ctag is None and (style in QUOTED or value[:1].strip(" \n#") != "")
        case events.SequenceStartEvent() | events.MappingStartEvent():
            return event.anchor is None and event.ctag is None
        case events.DocumentStartEvent():
            return not event.version and not event.tags
        case _:
            return not isinstance(event, events.AliasEvent)
