"""Books, scenarios, cases, tables and drafts changed by lot, from a seed: what a person, a merge or a bad disk makes of a text."""
from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
TOKENS: Sequence[str] = (
    ":", ": ", "- ", "-", "[", "]", "{", "}", ",", "、", "\n", "\n\n", " ", "\u3000", "\t", '"', "'", "|", ">", "&a", "*a", "!x", "%", "#", "---", "...", "<<: ", "? ",
    "0", "-1", "1", "１", "01", "9" * 30, "1e9", "yes", "null", "~", "x3", "×3", " x0", "x999", "first", "先攻", "hand", "手札", "readings", "position",
    "\u200b", "\u00ad", "\u202e", "\x1b[31m", "\0", "\ufeff", "\r", "\u2028", "が", "か\u3099", "Ｔ", "①", "𠮷", "\ud7ff", "=1+1", "::error::", "../..", "/etc/passwd",
    "text", "if", "when", "g.hand[you]", "(", ")", "choose(", "await ", "not ", "1 +", "x" * 3000, "[" * 200, "{a: " * 70, "(" * 300, "- " * 100, "not " * 300)
BYTES = (b"\xff", b"\x80", b"\xe3\x81", b"\xc0\xaf", b"\xed\xa0\x80", b"\x00", b"\x82\xa0")


DECISIONS = "# ours\ndecisions:\n  HANA-7.5.3-JVXC:\n    - {status: open, reason: まだ, date: 2026-01-02}\n    - status: ruled\n      person: 甲\n"
BASELINE = '{"schema": 1, "kind": "baseline", "findings": [{"id": "HANA-7.5.3-JVXC", "title": {"ja": "甲", "en": "a"}}]}'
ANSWERS = "# asked in May\nanswers:\n  rounding@1.1-0K3T: {by: '1.2'}\n  both-lose@3.1-RCK7:\n    - {because: まだ}\n    - by: 3.2  # since then\n"
PLAY = (
    '{"schema": 1, "kind": "log", "book": "harem_master", "scenario": "both-castles-fall", "readings": {}, "start": 0, '
    '"taken": [[], [0], [], [], [1]], "steps": [{"ja": "甲", "en": "a"}]}')
CHECKED = '{"schema": 1, "kind": "baseline", "checked": {"hanayome/swap": "ab12"}, "findings": [{"id": "HANA-7.5.3-JVXC", "title": {"ja": "甲", "en": "a"}, "about": ["gap|7.5.3||swap"], "in": ["hanayome/swap (x=1)"]}]}'
CARDS = (
    "カード番号,カード名,英語名,種類,人物名,花嫁力,テキスト\nT-1,読む三玖,Miku reading,キャラ,三玖、五月,2,\"【自動】登場した時、\n「はい」と言う。\"\nT-2,聞く四葉,,キャラ,四葉,3,\n",
    "id,name,kind,power\nA-1,x,character,1\nA-2,\"y, z\",event,\n",
)
KINDS: Mapping[str, Sequence[str]] = {
    "scenario": ("spec/*/scenarios/*.yaml",), "clauses": ("spec/*/clauses.yaml",), "readings": ("spec/*/readings.yaml",), "terms": ("spec/*/terms.yaml",),
    "words": ("spec/*/words.yaml",), "cards": ("spec/*/cards.yaml",), "phrases": ("spec/*/phrases.yaml",), "hashes": ("spec/*/clauses.hashes",),
    "case": ("counterexamples/**/*.yaml",), "draft": ("tests/checks/lint/drafts/*",), "table": CARDS, "pool": CARDS, "edited": ("tests/checks/lint/drafts/*",), "answers": (ANSWERS,), "decisions": (DECISIONS,), "baseline": (BASELINE, CHECKED),
    "lint baseline": (BASELINE,), "record": (PLAY, PLAY.replace('"readings"', '"file": "own.yaml", "readings"')), "new": ("tests/checks/lint/drafts/*",),
    "rules": ("model/games/*/*.py",)}
"""What is changed: the files of a pattern, or texts."""


@cache
def bases(kind: str) -> Sequence[str]:
    """Texts of a kind as people wrote them."""
    return tuple(
        text for one in KINDS[kind]
        for text in ([p.read_bytes().decode("utf-8", "surrogateescape") for p in sorted(ROOT.glob(one))] if "*" in one else [one]))


def changed(seed: int) -> tuple[str, bytes]:
    """A kind of text, and one of that kind with one to a few dozen changes."""
    lot = random.Random(f"text{seed}")
    kind = lot.choice([*KINDS, "scenario", "scenario", "table", "table", "draft"])
    text = lot.choice(bases(kind))
    if len(text) > 6000:  # a part of a long one, from the beginning of a line
        lines = text.splitlines(keepends=True)
        at = lot.randrange(len(lines))
        text = "".join([*lines[:4], *lines[at : at + 120]])
    for _ in range(lot.choice([1, 1, 1, 2, 3, 8, 40])):
        text = change(text, lot)
    data = text.encode("utf-8", "surrogatepass")
    if lot.random() < 0.05:
        at = lot.randrange(len(data) + 1)
        data = data[:at] + lot.choice(BYTES) + data[at + lot.randrange(3):]
    return kind, data


def change(text: str, lot: random.Random) -> str:
    at = lot.randrange(len(text) + 1)
    to = min(len(text), at + int(200 ** lot.random()))
    lines = text.splitlines(keepends=True) or [""]
    k = lot.randrange(len(lines))
    match lot.randrange(9):
        case 0:
            return text[:at] + text[to:]
        case 1:
            return text[:at] + text[at:to] * lot.choice([2, 2, 3, 50]) + text[to:]
        case 2 | 3:
            return text[:at] + lot.choice(TOKENS) + text[at:]
        case 4:
            return text[:at] + lot.choice(TOKENS) + text[to:]
        case 5:
            return "".join([*lines[:k], *lines[k + 1 :]])
        case 6:
            return "".join([*lines[:k], lines[k], *lines[k:]])
        case 7:
            return "".join([*lines[:k], lot.choice(["  ", "    ", "\t", "- "]) + lines[k], *lines[k + 1 :]])
        case _:
            return "".join([*lines[:k], lines[k].lstrip(), *lines[k + 1 :]])
