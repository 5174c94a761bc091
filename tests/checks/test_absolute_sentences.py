"""Never, always, every and nobody are said only where something stands behind it."""
from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from ruamel.yaml import YAML

from .absolute import Sentence, sentences

REVIEWED = Path(__file__).with_name("absolute.yaml")


def reviewed() -> tuple[dict[str, str], list[str]]:
    """The sentences that claim something, with what stands behind each; and those that claim nothing of rules."""
    read = cast(dict[str, Any], YAML(typ="safe").load(REVIEWED.read_text(encoding="utf-8")))
    return {one["says"]: one["behind"] for one in read["claims"]}, list(read["the tool"])


def test_every_absolute_sentence_was_reviewed() -> None:
    """A new one is named, and so is one of the list that nobody says any more."""
    claims, tool = reviewed()
    said = {s.en: s for s in sentences() if s.absolute}
    new = [f"{s.at}: {s.ja} / {s.en}" for en, s in said.items() if en not in claims and en not in tool]
    assert not new, f"say what stands behind it in {REVIEWED.name}, or what it rests on in the sentence itself: {new}"
    assert not [en for en in (*claims, *tool) if en not in said], "said no more"
    assert all(behind.strip() for behind in claims.values()) and not claims.keys() & set(tool)


def test_what_counts_as_absolute() -> None:
    def absolute(ja: str, en: str) -> bool:
        return Sentence(ja, en, "").absolute
    assert absolute("", "2.1 never applies") and absolute("", "Everything was looked at") and absolute("", "nobody can stop it")
    assert absolute("どの局面でも起こらない", "") and absolute("誰にも止められない", "") and absolute("決して起こらない", "")
    assert not absolute("12枚までの世界では見つからない", "not found in worlds of up to 12 cards")
    assert not absolute("この局面から起こる", "happens from this position")


def test_texts_are_read_in_whatever_form_they_are_written() -> None:
    """By position and by name, in parts, with values, and either of two."""
    ens = {s.en for s in sentences()}
    assert {"Nobody, once it has begun.", "{}{} never applies", "of these, shown to have no such position"} <= ens
    assert sum(s.absolute for s in sentences()) > 100
