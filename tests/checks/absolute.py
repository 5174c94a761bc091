"""Sentences of the checks that hold without exception: all texts of `checks/` in which a word says never, always, every or nobody."""
from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CHECKS = Path(__file__).parents[2] / "checks"
ASKING = CHECKS / "questions" / "families"
"""Questions about a draft and advice to its writer: they say nothing of what the draft does (`questions/test_families.py`)."""
ENGLISH = re.compile(
    r"\b(never|always|every\w*|nobody|no one|nothing|none|no clause|complete\w*|proved|proofs?|shown to|whatever|whoever|whichever|for ever|forever|"
    r"endless\w*|impossible|at all times|any number|all there|cannot come)\b", re.IGNORECASE)
JAPANESE = re.compile(
    r"決して|常に|いつも|必ず|すべて|全て|誰も|誰に\w*も|誰が.{0,6}ても|誰であっても|どの\S{0,12}?(でも|にも|も)|どう\S{0,6}ても|何度でも|いくらでも|一度も|一切|"
    r"まったく|永久|いつまでも|終わらな|終わりなく|働く局面がない|ことはありません|示され|示しました|証明")


@dataclass(frozen=True)
class Sentence:
    """A text in both languages, `{}` for what is put into it, and where it stands."""

    ja: str
    en: str
    at: str

    @property
    def absolute(self) -> bool:
        """Does it say something without exception?"""
        return ENGLISH.search(self.en) is not None or JAPANESE.search(self.ja) is not None


def sentences() -> Iterator[Sentence]:
    """All texts that are written down in `checks/`."""
    for path in sorted(one for one in CHECKS.rglob("*.py") if one.parent != ASKING):
        for e in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(e, ast.Call) and isinstance(e.func, ast.Name) and e.func.id == "Text":
                said = dict(zip(("ja", "en"), map(plain, e.args), strict=False)) | {k.arg: plain(k.value) for k in e.keywords}
                yield Sentence(said.get("ja", ""), said.get("en", ""), f"{path.relative_to(CHECKS.parent)}:{e.lineno}")


def plain(e: ast.expr) -> str:
    """What is written, with `{}` for what is not."""
    match e:
        case ast.Constant(value=str(text)):
            return " ".join(text.split())
        case ast.JoinedStr(values=values):
            return " ".join("".join(x.value if isinstance(x, ast.Constant) else "{}" for x in values).split())
        case ast.BinOp(left=left, right=right):
            return plain(left) + plain(right)
        case ast.IfExp(body=body, orelse=other):
            return f"{plain(body)}|{plain(other)}"
        case _:
            return "{}"
