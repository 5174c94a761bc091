"""Spelling of names: one name written in two ways, a letter that is another's double, a wrong conversion."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any

from ....spec.text import Text
from ..findings import AGAINST, Found, Rule, Severity, times
from ..model import Draft
from ..terms import Standing, Terms, Use, other_lines, spelled, sudachi, unique, vocabulary

_KATAKANA = re.compile(r"[ァ-ヴー]{2,}")


# ---------------------------------------------------------------- one name in two spellings
def variants(draft: Draft, rule: Rule) -> Iterable[Found]:
    """One name written in two ways: with and without `・`, a long mark at the end, in another width, with a small or
    old kana (`ョ`, `ヱ`), with and without okurigana, with two Latin letters swapped, in brackets that only look alike."""
    terms = vocabulary.of(draft)
    for main, other in _pairs(terms):
        if terms.known.settled(main, other):
            continue
        uses, usual = _pieces(terms)[other], _pieces(terms)[main]
        signs = AGAINST if any(_names_several(name, _pieces(terms)) for name in (main, other)) else 0
        yield _spelt(terms, rule, other, uses, main, usual, replace=main if "・" in main + other else None, signs=signs)
    yield from _swapped_letters(draft, terms, rule)
    yield from _partly_abbreviated(terms, rule)
    yield from _without_no(draft, terms, rule)
    yield from _okurigana(draft, terms, rule)
    yield from _ordinals(draft, rule)
    yield from _brackets(draft, rule)


def _spelt(
    terms: Terms,
    rule: Rule,
    other: str,
    uses: Sequence[Use],
    main: str,
    usual: Sequence[Use] = (),
    replace: str | None = None,
    signs: int = 0,
) -> Found:
    """One name in two spellings, with the number of each and the lines of the rarer one."""
    rare, often = terms.standing(other, uses).listed, terms.standing(main, usual).said
    return rule.at(
        uses[0].clause,
        uses[0].offset,
        Text(
            ja=f"「{other}」（{rare.ja}）は「{main}」（{often.ja}）と表記が違います",
            en=f"{other} ({rare.en}) is written {main} elsewhere ({often.en})",
        ),
        other,
        suggestion=Text(ja=f"「{main}」にそろえる", en=f"write {main}"),
        replace=replace,
        signs=signs,
    )


def _names_several(name: str, words: Container[str]) -> bool:
    """Are the parts between `・` words of their own, so that it may stand for an *and*?"""
    parts = name.split("・")
    return len(parts) > 1 and all(part in words for part in parts)


def _pairs(terms: Terms) -> Iterator[tuple[str, str]]:
    """Names that are one name, the usual form first."""
    pieces = _pieces(terms)
    spellings: dict[str, list[str]] = defaultdict(list)
    for word in pieces:
        if len(word) >= 3 and _KATAKANA.search(word):
            spellings[spelled(word)].append(word)
    for group in spellings.values():
        main, *others = sorted(group, key=lambda n: (-(n in terms.defined), -len(pieces[n]), "・" not in n, n))
        for other in others:
            longer = main.endswith("ー") != other.endswith("ー")
            counted = re.match(r"[枚個体人回点本組]・", main) or re.match(r"[枚個体人回点本組]・", other)
            if main.casefold() != other.casefold() and not counted and (not longer or len(pieces[main]) >= 3):
                yield main, other


def _swapped_letters(draft: Draft, terms: Terms, rule: Rule) -> Iterable[Found]:
    """`TransFrom` where it is `TransForm` three times as often."""
    words: dict[str, list[Use]] = defaultdict(list)
    for clause in draft.clauses:
        for match in re.finditer(r"(?<![A-Za-z])[A-Za-z]{6,}(?![A-Za-z])", clause.text):
            words[match[0]].append(Use(clause, match.start()))
    letters: dict[str, list[str]] = defaultdict(list)
    for word in words:
        letters["".join(sorted(word))].append(word)
    for group in letters.values():
        main, *others = sorted(group, key=lambda n: (-len(words[n]), n))
        for other in others:
            uses = words[other]
            if len(words[main]) >= 3 * len(uses) and _two_swapped(main, other, len(words[main])):
                rare, often = terms.standing(other).listed, terms.standing(main).said
                yield rule.at(
                    uses[0].clause,
                    uses[0].offset,
                    Text(
                        ja=f"「{other}」（{rare.ja}）は「{main}」（{often.ja}）と綴りが違います",
                        en=f"{other} ({rare.en}) is spelt {main} elsewhere ({often.en})",
                    ),
                    other,
                    suggestion=Text(ja=f"「{main}」のことですか", en=f"did you mean {main}?"),
                )


def _two_swapped(main: str, other: str, count: int) -> bool:
    """Are two neighbouring letters swapped? Two words of the language may differ so (`casual`, `causal`): of words
    without a capital inside, the usual one has to be frequent."""
    different = [k for k, (a, b) in enumerate(zip(main, other, strict=True)) if a != b]
    swapped = len(different) == 2 and different[1] == different[0] + 1 and different[0] > 0
    return swapped and (any(c.isupper() for c in main[1:]) or (count >= 10 and len(main) >= 7))


def _pieces(terms: Terms) -> dict[str, list[Use]]:
    """The words, and the katakana words in longer ones (`コフィンエリア` in `コフィンエリア利用`)."""
    if not terms.pieces:
        for word, uses in terms.uses.items():
            terms.pieces[word] += uses
        for word, uses in terms.uses.items():
            for match in re.finditer(r"(?=([ァ-ヴー]{2,}(?:・[ァ-ヴー]{2,})*))(?<![ァ-ヴー])", word):
                if match[1] != word:
                    terms.pieces[match[1]] += [Use(u.clause, u.offset + match.start()) for u in uses]
        for uses in terms.pieces.values():
            uses.sort(key=lambda use: (use.clause.line, use.offset))
    return terms.pieces


_CLIPPED = {
    "キャラクター": "キャラ",
    "イラストレーション": "イラスト",
    "モンスター": "モンス",
    "エピソード": "エピ",
    "プロモーション": "プロモ",
}
"""Words that are used in full and cut short. `デッキケース` and `デッキ` are two things."""


def _partly_abbreviated(terms: Terms, rule: Rule) -> Iterable[Found]:
    """`PLキャラクター` where `PLキャラ` is the name: the same compound with a word short and in full."""
    for full, short in _CLIPPED.items():
        for one in terms.uses:
            if not one.endswith(full) or one == full:
                continue
            names = (one, one.removesuffix(full) + short)
            main, other = sorted(names, key=terms.count, reverse=True)
            if not terms.count(other) or terms.count(main) < 3 * terms.count(other) or terms.known.settled(*names):
                continue
            yield _spelt(terms, rule, other, terms.uses[other], main)


_MEASURES = "上限|下限|最大値|最小値|初期値|枚数|合計"


def _without_no(draft: Draft, terms: Terms, rule: Rule) -> Iterable[Found]:
    """`手札上限` where the section is called `手札の上限`."""
    for name in terms.defined:
        match = re.fullmatch(rf"(?P<owner>[一-龠ァ-ヴー]+)の(?P<measure>{_MEASURES})", name)
        short = match["owner"] + match["measure"] if match else ""
        uses = terms.uses.get(short, [])
        if uses and len(uses) <= 2 and short not in terms.defined and not terms.known.settled(name, short):
            yield _spelt(terms, rule, short, uses, name)


_JOINED = re.compile(r"[一-龠](?<![生書食作見])[きぎしちみびりけげせてめべれ](?<![出得経来似着寝]て)[場札手火物先元方口所箱]")
"""A verb and a noun. No kana that are particles or end adjectives, no forms in て (`出て場`), no words that are others without the kana
(`生き物`, `生物`)."""


def _okurigana(draft: Draft, terms: Terms, rule: Rule) -> Iterable[Found]:
    """`置場` where it is `置き場` elsewhere: a verb and a noun that are one name, with the kana between them and without."""
    full: dict[str, list[Use]] = defaultdict(list)
    for clause in draft.clauses:
        for match in _JOINED.finditer(clause.text):
            full[match[0]].append(Use(clause, match.start()))
    for long, there in full.items():
        short = long[0] + long[-1]
        beside = {_kanji_beside(use.clause.text, use.offset, len(long)) for use in there} | {("", "")}
        places = [Use(c, m.start()) for c in draft.clauses for m in re.finditer(short, c.text)]
        here = [use for use in places if _kanji_beside(use.clause.text, use.offset, 2) in beside]
        if not here or terms.known.settled(long, short):
            continue
        main, other = (long, short) if len(there) >= len(here) else (short, long)
        rare, usual = (here, there) if other == short else (there, here)
        yield _spelt(terms, rule, other, rare, main, usual)


def _kanji_beside(text: str, begin: int, length: int) -> tuple[str, str]:
    """The kanji right in front of a word and behind it: what is no part of a longer word has none (`配置場所` is no `置場`)."""
    around = (text[max(0, begin - 1) : begin], text[begin + length : begin + length + 1])
    before, after = (letter if re.match(r"[一-龠]", letter) else "" for letter in around)
    return before, after


def _ordinals(draft: Draft, rule: Rule) -> Iterable[Found]:
    """`1番上` where it is `一番上` elsewhere."""
    usual = Counter(re.findall(r"一番[上下左右]", draft.text))
    found = [(c, m) for c in draft.clauses for m in re.finditer(r"[1１]番(?P<side>[上下左右])", c.text)]
    if found and usual.total() >= 3 * len(found):
        clause, match = found[0]
        rare = Counter(m[0] for _, m in found)
        right = f"一番{match['side']}"
        places = [c.passage.at(m.start())[0] for c, m in found]
        where = Standing(rare[match[0]], False, other_lines(places), draft.located).listed
        yield rule.at(
            clause,
            match.start(),
            Text(
                ja=f"「{match[0]}」（{where.ja}）の「{match[0][0]}」は、ほかでは漢字です: "
                + "、".join(f"「{name}」（{count} 回）" for name, count in usual.items()),
                en=f"{match[0]} ({where.en}): elsewhere the number is in kanji: "
                + ", ".join(f"{name} ({times(count)})" for name, count in usual.items()),
            ),
            match[0],
            suggestion=Text(ja=f"「{right}」にそろえる", en=f"write {right}"),
        )


_ALIKE = (("<", ">"), ("〈", "〉"), ("＜", "＞"))


def _brackets(draft: Draft, rule: Rule) -> Iterable[Found]:
    """Names that stand in `<…>` everywhere, and here and there in `〈…〉`."""
    uses: dict[str, list[Use]] = {}
    for begin, end in _ALIKE:
        pattern = re.compile(rf"{begin}\s?(?P<name>[^\s<>〈〉＜＞。、/]{{1,20}})\s?{end}")
        uses[begin] = [Use(c, m.start()) for c in draft.clauses if begin in c.text for m in pattern.finditer(c.text)]
    main = max(uses, key=lambda begin: len(uses[begin]))
    for begin, end in _ALIKE:
        rare = uses[begin]
        if begin == main or not rare or len(uses[main]) < 5 * len(rare):
            continue
        first = rare[0]
        name = re.split(rf"[{begin}{end}]", first.clause.text[first.offset :], maxsplit=2)[1].strip()
        if f"{main}{name}" not in draft.text:
            continue
        pair = dict(_ALIKE)[main]
        lines = unique(str(use.clause.passage.at(use.offset)[0]) for use in rare)
        yield rule.at(
            first.clause,
            first.offset,
            Text(
                ja=f"「{begin}{name}{end}」など {len(rare)} か所（{'、'.join(lines)} 行目）の括弧が、ほかの {len(uses[main])} か所の"
                f"「{main}{pair}」と違います",
                en=f"{begin}{name}{end} and its like ({times(len(rare))}, lines {', '.join(lines)}) stand in {main}{pair} elsewhere "
                f"({len(uses[main])} places)",
            ),
            f"{begin}{name}{end}",
            suggestion=Text(ja=f"「{main}{pair}」にそろえる", en=f"write {main}{pair}"),
        )


# ---------------------------------------------------------------- names that are one letter off
def names(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A name in brackets that is used once, and differs from one that is used often in one letter that looks like the other's."""
    terms = vocabulary.of(draft)
    often = {name: k for k, (name, uses) in enumerate(terms.bracketed.items()) if len(uses) >= 4 and len(name) >= 2}
    for name, uses in terms.bracketed.items():
        if len(uses) > 2 or terms.known.settled(name) or name in terms.defined:
            continue
        alike = (f"{name[:k]}{other}{name[k + 1:]}" for k, letter in enumerate(name) for other in _LIKE.get(letter, ""))
        for main in sorted((one for one in alike if one in often), key=often.__getitem__):
            if any(_around(uses[0], name) == _around(use, main) for use in terms.bracketed[main]):
                begin, end = _around(uses[0], name)
                usual = draft.text.count(f"{begin}{main}{end}")
                yield rule.at(
                    uses[0].clause,
                    uses[0].offset,
                    Text(
                        ja=f"「{begin}{name}{end}」は「{begin}{main}{end}」（{usual} 回）の誤りと思われます",
                        en=f"{begin}{name}{end} probably is {begin}{main}{end} ({times(usual)})",
                    ),
                    name,
                    suggestion=Text(ja=f"「{main}」のことですか", en=f"did you mean {main}?"),
                )
                break


def _around(use: Use, name: str) -> tuple[str, str]:
    """The brackets in which a name stands."""
    end = use.offset + len(name)
    return use.clause.text[use.offset - 1 : use.offset], use.clause.text[end : end + 1]


_LOOK = (
    "間問",
    "カヵ",
    "一ー",
    "ニ二",
    "ロ口",
    "夕タ",
    "カ力",
    "エ工",
    "卜ト",
    "ハ八",
    "未末",
    "土士",
    "ソン",
    "シツ",
    "へヘ",
    "べベ",
    "ぺペ",
)


_LIKE = {a: "".join(pair.replace(a, "") for pair in _LOOK if a in pair) for a in "".join(_LOOK)}
"""Of a letter, those that look like it."""


# ---------------------------------------------------------------- sound
def homophones(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A rare word that sounds exactly like another of the draft, and is it: most of its letters are the same and the
    other is far more frequent, or defined; or it stands in the same words. Needs the dictionary."""
    terms = vocabulary.of(draft)
    tokenizer = sudachi() if terms.analyser == "sudachi" else None
    if tokenizer is None:
        return
    sounds: dict[str, list[str]] = defaultdict(list)
    for word in terms.uses:
        if 2 <= len(word) <= 14 and re.search(r"[一-龠]", word):
            sounds["".join(m.reading_form() for m in tokenizer.tokenize(word))].append(word)
    for group in sounds.values():
        if len(group) < 2:
            continue
        for word in group:
            main = next((other for other in group if _misconverted(terms, word, other, tokenizer)), None)
            if main is None:
                continue
            use, often = terms.uses[word][0], terms.standing(main).said
            yield rule.at(
                use.clause,
                use.offset,
                Text(
                    ja=f"「{word}」は「{main}」（{often.ja}）と同じ読みです。変換の誤りと思われます",
                    en=f"{word} sounds like {main} ({often.en}): probably a slip",
                ),
                word,
                suggestion=Text(ja=f"「{main}」のことですか", en=f"did you mean {main}?"),
                signs=AGAINST if _made_of(draft, word, main) else len(word) >= 3,
            )


def _made_of(draft: Draft, word: str, main: str) -> bool:
    """Is a word made of one that the draft has elsewhere: `使用期間`, where things are `使用`?"""
    differing = [k for k, (a, b) in enumerate(zip(word, main, strict=False)) if a != b]
    part = word[:2] if differing and differing[0] < 2 else word[-2:]
    return draft.text.count(part) > draft.text.count(word)


def _misconverted(terms: Terms, word: str, main: str, tokenizer: Any) -> bool:
    """Is a rare word another one, wrongly converted?"""
    if word == main or terms.count(word) > 2 or word in terms.defined or terms.known.settled(word, main):
        return False
    kanji, usual = re.sub(r"[^一-龠]", "", word), re.sub(r"[^一-龠]", "", main)
    if kanji == usual or len(kanji) != len(usual):
        return False
    different = sum(a != b for a, b in zip(kanji, usual, strict=True))
    if len(word) >= 3 and 0 < different * 2 <= len(kanji):
        return main in terms.defined or terms.count(main) >= 3 * terms.count(word)
    here, there = terms.uses[word][0], terms.uses[main][0]
    if len(word) != 2 or (terms.count(main), -there.clause.line) < (terms.count(word), -here.clause.line):
        return False
    # Two words that only sound alike may both be meant: the words in front must be the same, and both be done.
    done = all(tokenizer.tokenize(one)[0].part_of_speech()[2] == "サ変可能" for one in (word, main))
    fronts = {use.clause.text[max(0, use.offset - 3) : use.offset] for use in terms.uses[main]}
    front = here.clause.text[max(0, here.offset - 3) : here.offset]
    return done and len(front.strip()) == 3 and front in fronts and front[-1] not in "、。「『（("


RULES = (
    Rule("term-spelling", Severity.WARNING, Text("表記のゆれ", "one name written in two ways"), variants, signs=1),
    Rule("term-misspelt", Severity.WARNING, Text("用語の誤記", "name that is probably another"), names, signs=1),
    Rule("term-homophone", Severity.WARNING, Text("同音の誤変換", "sounds like another term"), homophones),
)
