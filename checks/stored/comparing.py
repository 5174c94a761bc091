"""What is stored of a finding and is not so: every difference with its field, its step and its clause, in words."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from itertools import zip_longest
from typing import Any, cast

from ...spec.text import Text
from ..findings.record import Finding, PlayStep

EXCUSED: Mapping[str, Text] = {
    "decision": Text(ja="人が決めたことで、decisions.yaml から来る", en="what people decided; it comes from decisions.yaml"),
    "known": Text(ja="ベースラインのファイルから来る", en="it comes from the file of a baseline"),
    "same_as": Text(ja="ほかに見つかったもの、決められたものによる", en="it depends on what else was found and decided"),
}
"""What is stored of a finding and no check can give, and where it comes from. All else is compared."""
WORDS: Mapping[str, Text] = {
    "id": Text("指摘の番号", "id"),
    "cls": Text("種類", "class"),
    "book": Text("ルール", "book"),
    "scenario": Text("状況", "scenario"),
    "title": Text("題", "title"),
    "summary": Text("要約", "summary"),
    "clauses": Text("条文", "clauses"),
    "certainty": Text("確かさ", "certainty"),
    "play": Text("手順", "play"),
    "stem": Text("そこまでの手順", "the way there"),
    "cycle": Text("繰り返し部分", "what repeats"),
    "end": Text("結末", "end"),
    "rounds": Text("繰り返しの回数", "rounds"),
    "option": Text("選択肢の番号", "number of the option"),
    "decider": Text("決める人", "who decides"),
    "chosen": Text("選んだもの", "what was chosen"),
    "alternatives": Text("ほかの選択肢", "what else there was"),
    "changes": Text("変わったこと", "what changed"),
    "turn": Text("ターン", "turn"),
    "working": Text("変化のもとになった条文", "clauses by which something changed"),
    "shuffled": Text("シャッフルしたか", "whether something was shuffled"),
    "bounds": Text("調べた範囲", "how far was looked"),
    "complete": Text("すべて調べたか", "whether nothing was cut off"),
    "states": Text("局面の数", "positions"),
    "transitions": Text("手順の数", "transitions"),
    "depth": Text("手順の長さ", "depth"),
    "notes": Text("注記", "notes"),
    "omission": Text("見落としの確率", "probability of an omission"),
    "not_asked": Text("問われなかったこと", "what was not asked"),
    "kind": Text("種類", "kind"),
    "values": Text("値", "values"),
    "what": Text("何についてか", "what it is about"),
    "questions": Text("問い", "questions"),
    "rule": Text("規則", "rule"),
    "name": Text("名前", "name"),
    "where": Text("場所", "where it stands"),
    "reason": Text("理由", "reason"),
    "goes_on": Text("続けられる人", "who can go on"),
    "clause": Text("条文", "clause"),
    "related": Text("関連する条文", "related clauses"),
    "readings": Text("前提の解釈", "readings"),
    "policies": Text("決めてある選び方", "scripted choices"),
    "invented_cards": Text("架空のカード", "invented cards"),
    "keepers": Text("止められる人", "who can stop it"),
    "stopper": Text("止められる人の名", "the players who can stop it"),
    "scope": Text("続く範囲", "scope"),
    "level": Text("範囲の段階", "level"),
    "growing": Text("増え続けるか", "whether something grows"),
    "copies": Text("同じものの数", "copies"),
    "hint": Text("参考にとどまるか", "whether it is a hint"),
    "clause_verdicts": Text("条文の判定", "what clauses make of it"),
    "says": Text("内容", "what it says"),
    "answer": Text("答え", "answer"),
    "why": Text("理由", "why"),
    "effect": Text("結果", "effect"),
    "assumptions": Text("前提", "assumptions"),
    "question": Text("問い", "question"),
    "unknown_because": Text("わからない理由", "why it is unknown"),
    "position": Text("始まりの局面", "position at the beginning"),
    "moment": Text("起こる局面", "position in which it happens"),
    "cards": Text("カードのテキスト", "texts of cards"),
    "figures": Text("カードの数値", "figures of cards"),
    "outcomes": Text("選び方による違い", "what the ways on lead to"),
    "first": Text("先にするもの", "what comes first"),
    "then": Text("その後", "what then follows"),
    "origin": Text("起こるのに要るもの", "origin"),
    "stake": Text("左右されるもの", "stake"),
    "severity": Text("重さ", "severity"),
    "settlements": Text("解釈による決着", "settlements"),
    "reading": Text("解釈", "reading"),
    "gist": Text("要旨", "gist"),
    "new": Text("新しく生まれる指摘", "new findings"),
    "under": Text("ほかの答え", "other answers"),
    "same": Text("同じままか", "whether nothing is different"),
    "conditions": Text("終わるための条件", "conditions for its end"),
    "met": Text("満たされるか", "whether it is met"),
    "because": Text("妨げる数値", "numbers that stand in the way"),
    "failing": Text("満たされないときの文", "what is said where it fails"),
    "control": Text("対照", "control"),
    "about": Text("説明", "about"),
    "pinned": Text("確かめてあるか", "whether it is pinned"),
    "more": Text("ほかの手順", "other plays"),
    "unwritten": Text("どの条文にもないこと", "what no clause states"),
}
"""What fields are called; one that is not here is called as in the data."""
YES, NO = Text("はい", "yes"), Text("いいえ", "no")
NOTHING = Text("なし", "nothing")
LANGUAGES: Mapping[str, Text] = {"ja": Text("日本語", "Japanese"), "en": Text("英語", "English")}
SHOWN = 60
"""Letters of a value that are shown at most."""
BEFORE = 15
"""Letters that are shown before the first one that differs."""
FEW = 3
"""More differences, and more clauses of a step, than this are only counted."""

Place = tuple[str | int, ...]
"""The place of a value in a record: fields by name, members of lists by number, of mappings by key."""


@dataclass(frozen=True)
class Difference:
    """Something that is stored and is not so. `field`: its place, as in the data (`play.stem[2].changes[0]`); `said`: the same in
    words, with what is stored and what is so now; `step`: the step of the play that it is about, counted from 1, what repeats after the
    way there; `clauses`: by which that step, or the finding, comes about."""

    field: str
    said: Text
    step: int | None = None
    clauses: tuple[str, ...] = ()


# ---------------------------------------------------------------- comparing
def differences(stored: Finding, now: Finding) -> list[Difference]:
    """Everything that is stored of a finding and is not so by another record of it."""
    return [differing(stored, now, path, a, b) for path, a, b in parts(stored, now) if path[0] not in EXCUSED]


def parts(stored: object, now: object, path: Place = ()) -> Iterator[tuple[Place, object, object]]:
    """The smallest parts in which two records differ, each with its place. Lists that are not of the same length are one part, and
    of plays the first step that differs besides."""
    if stored == now:
        return
    if isinstance(stored, tuple) and isinstance(now, tuple):
        mine, theirs = cast(tuple[Any, ...], stored), cast(tuple[Any, ...], now)
        if len(mine) == len(theirs):
            for k, (a, b) in enumerate(zip(mine, theirs, strict=True)):
                yield from parts(a, b, (*path, k))
            return
        yield path, mine, theirs
        for k, (a, b) in enumerate(zip(mine, theirs, strict=False)):
            if isinstance(a, PlayStep) and a != b:
                yield from parts(a, b, (*path, k))
                return
    elif isinstance(stored, Mapping) and isinstance(now, Mapping):
        mine, theirs = cast(Mapping[str, object], stored), cast(Mapping[str, object], now)
        for key in {**mine, **theirs}:
            yield from parts(mine.get(key), theirs.get(key), (*path, key))
    elif type(stored) is type(now) and is_dataclass(stored) and not isinstance(stored, Text | type):
        for one in fields(stored):
            if one.metadata.get("told", True):
                yield from parts(getattr(stored, one.name), getattr(now, one.name), (*path, one.name))
    else:
        yield path, stored, now


def count(stored: Finding, now: Finding, aside: Iterable[str] = ()) -> int:
    """In how many parts two records differ, those fields aside."""
    left = {*EXCUSED, *aside}
    return sum(path[0] not in left for path, _, _ in parts(stored, now))


def differing(stored: Finding, now: Finding, path: Place, a: object, b: object) -> Difference:
    """A part in which the records differ, in words."""
    step, about = None, now.clauses[:1]
    if len(path) > 2 and path[:2] in (("play", "stem"), ("play", "cycle")):
        assert isinstance(path[2], int)
        before = len(stored.play.stem) if path[1] == "cycle" else 0
        of = getattr(now.play, cast(str, path[1]))
        return of_step(before + path[2] + 1, of[path[2]], path, a, b)
    if len(path) > 1 and path[0] in ("clause_verdicts", "conditions"):
        one = getattr(now, path[0])[path[1]]
        about = (one.clause,) if path[0] == "clause_verdicts" else one.clauses
    return Difference(written(path), told(named(path), a, b), step, about)


def of_step(number: int, now: PlayStep, path: Place, a: object, b: object) -> Difference:
    """A part in which a step of the play differs from what happens now."""
    clauses = (now.working or now.clauses[-1:])[:FEW]
    names = Text(ja=f"（{'、'.join(clauses)}）", en=f" ({', '.join(clauses)})") if clauses else Text("", "")
    rest = named(path[3:])
    where = Text(ja=f"{number}手順目{names.ja}の{rest.ja}", en=f"step {number}{names.en}: {rest.en}")
    return Difference(written(path), told(where, a, b), number, clauses)


# ---------------------------------------------------------------- words
def written(path: Place) -> str:
    """A place as it is written: `play.stem[2].changes[0]`."""
    return "".join(f"[{x}]" if isinstance(x, int) else f".{x}" for x in path).removeprefix(".")


def named(path: Place) -> Text:
    """A place in words."""
    ja, en = list[str](), list[str]()
    for x in path:
        word = Text(f"{x + 1}番目", f"no. {x + 1}") if isinstance(x, int) else WORDS.get(x, Text.same(x))
        ja.append(word.ja)
        en.append(word.en)
    return Text(ja="・".join(ja), en=", ".join(en))


def told(where: Text, stored: object, now: object) -> Text:
    """What is stored in a place, and what is there now."""
    if isinstance(stored, tuple) and isinstance(now, tuple):
        return told_lists(where, cast(tuple[object, ...], stored), cast(tuple[object, ...], now))
    if isinstance(stored, Text) and isinstance(now, Text) and (stored.ja == now.ja or stored.en == now.en):
        lang = "ja" if stored.en == now.en else "en"
        where = Text(ja=f"{where.ja}（{LANGUAGES[lang].ja}）", en=f"{where.en} ({LANGUAGES[lang].en})")
        stored, now = Text.same(stored.in_(lang)), Text.same(now.in_(lang))
    a, b = in_words(stored), in_words(now)
    (a_ja, b_ja), (a_en, b_en) = shortened(a.ja, b.ja), shortened(a.en, b.en)
    return Text(ja=f"{where.ja}: 保存では「{a_ja}」、いまは「{b_ja}」", en=f"{where.en}: “{a_en}” is stored, now “{b_en}”")


def told_lists(where: Text, stored: Sequence[object], now: Sequence[object]) -> Text:
    """The members that only one of two lists has, or how many there are."""
    gone, come = [x for x in stored if x not in now], [x for x in now if x not in stored]
    if len(stored) == len(now) and not (gone or come):
        a, b = in_words(tuple(stored)), in_words(tuple(now))
        return Text(ja=f"{where.ja}: 順番が違い、保存では「{cut(a.ja)}」、いまは「{cut(b.ja)}」",
                    en=f"{where.en}: in another order, “{cut(a.en)}” is stored, now “{cut(b.en)}”")
    if not (gone or come) or any(isinstance(x, PlayStep) for x in (*stored, *now)):
        return Text(ja=f"{where.ja}: 保存では{len(stored)}個、いまは{len(now)}個", en=f"{where.en}: {len(stored)} are stored, now {len(now)}")
    ja, en = list[str](), list[str]()
    for found, said in ((gone, Text("保存にだけあるもの", "only stored")), (come, Text("いまだけあるもの", "only now"))):
        if found:
            words = [in_words(x) for x in found]
            ja.append(f"{said.ja}「{cut('」「'.join(w.ja for w in words))}」")
            en.append(f"{said.en}: “{cut('”, “'.join(w.en for w in words))}”")
    return Text(ja=f"{where.ja}: {'、'.join(ja)}", en=f"{where.en}: {'; '.join(en)}")


def in_words(value: object) -> Text:
    """A value as it is shown; of a record the first thing that it says."""
    match value:
        case None:
            return NOTHING
        case Text():
            return value
        case bool():
            return YES if value else NO
        case Enum():
            return Text.same(str(value.value))
        case tuple():
            said = [in_words(x) for x in cast(tuple[object, ...], value)]
            return Text(ja="、".join(x.ja for x in said), en=", ".join(x.en for x in said)) if said else NOTHING
        case _ if is_dataclass(value):
            return in_words(getattr(value, fields(value)[0].name))
        case _:
            return Text.same(str(value))


def shortened(a: str, b: str) -> tuple[str, str]:
    """Two texts from shortly before the first letter in which they differ, if they are long."""
    if max(len(a), len(b)) <= SHOWN:
        return a, b
    same = next((k for k, (x, y) in enumerate(zip_longest(a, b)) if x != y), 0)
    begin = max(0, same - BEFORE)
    lead = "…" if begin else ""
    return lead + cut(a[begin:]), lead + cut(b[begin:])


def cut(text: str) -> str:
    """The beginning of a text, in one line."""
    line = " / ".join(text.splitlines())
    return line if len(line) <= SHOWN else line[:SHOWN] + "…"


def together(found: Sequence[Difference]) -> Text:
    """The first few differences in a sentence, and how many more there are."""
    ja, en = ("; ".join(d.said.in_(lang) for d in found[:FEW]) for lang in ("ja", "en"))
    more = len(found) - FEW
    return Text(ja=f"{ja}（ほかに{more}か所）", en=f"{en} (and {more} more)") if more > 0 else Text(ja=ja, en=en)
