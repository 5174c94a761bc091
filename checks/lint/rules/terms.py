"""Terms: one thing written in two ways, names that are used and never defined, things that are named only once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from ....spec.text import Text
from ..findings import Found, Rule, Severity
from ..model import Draft
from ..terms import Terms, Use, collect, defined_value, spelled

HEADS = (
    "ゾーン",
    "エリア",
    "置き場",
    "領域",
    "スタック",
    "フェイズ",
    "ステップ",
    "デッキ",
    "レーン",
    "フィールド",
    "フェーズ",
    "スペース",
    "トレイ",
)
"""Nouns that end the names of things which a rule book has to introduce."""
_LIMIT = re.compile(
    r"(?P<owner>[一-龠々ァ-ヴー]{2,10}の)?(?P<name>[一-龠々ァ-ヴー]{1,8}(?:上限|下限))(?P<tail>数|値)?(?=を|に|が|まで|より|以)"
)
_JUST = frozenset({"上下限", "上限", "下限", "最大上限"})


class Vocabulary:
    """The words of the draft that is being looked at; found once for all rules of this family."""

    def __init__(self) -> None:
        self._draft: Draft | None = None
        self._terms: Terms | None = None

    def of(self, draft: Draft) -> Terms:
        """The words of a draft."""
        if self._draft is not draft or self._terms is None:
            self._draft, self._terms = draft, collect(draft, draft.known, draft.dictionary)
        return self._terms


vocabulary = Vocabulary()


# ---------------------------------------------------------------- spelling
def variants(draft: Draft, rule: Rule) -> Iterable[Found]:
    """One name written in two ways: with and without `・`, a long mark at the end, in another width."""
    terms = vocabulary.of(draft)
    spellings: dict[str, dict[str, list[Use]]] = defaultdict(dict)
    for word, uses in _pieces(terms).items():
        if len(word) >= 3 and re.search(r"[ァ-ヴー]{2}", word):
            spellings[spelled(word)][word] = uses
    for group in spellings.values():
        if len(group) < 2:
            continue
        names = sorted(group, key=lambda n: (-(n in terms.defined), -len(group[n]), n))
        main = names[0]
        for other in names[1:]:
            if terms.known.settled(main, other) or main.casefold() == other.casefold():
                continue
            first = group[other][0]
            count = len(group[other])
            yield rule.at(
                first.clause,
                first.offset,
                Text(
                    ja=f"「{other}」（{count} 回）は「{main}」（{len(group[main])} 回）と表記が違います",
                    en=f"{other} ({count} times) is written {main} elsewhere ({len(group[main])} times)",
                ),
                other,
                suggestion=Text(ja=f"「{main}」にそろえる", en=f"write {main}"),
                replace=main if "・" in main + other else None,
            )


def _pieces(terms: Terms) -> dict[str, list[Use]]:
    """The words, and the first words of longer ones (`コフィンエリア` in `コフィンエリア内`)."""
    found: dict[str, list[Use]] = defaultdict(list)
    for word, uses in terms.uses.items():
        found[word] += uses
    for word, uses in terms.uses.items():
        for match in re.finditer(r"[ァ-ヴー]{2,}(?:・[ァ-ヴー]{2,})*", word):
            if match[0] != word:
                found[match[0]] += [Use(u.clause, u.offset + match.start()) for u in uses]
    return found


# ---------------------------------------------------------------- definitions
def undefined(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A zone, a phase, a deck … that is named once or twice and introduced nowhere, while its like are introduced."""
    terms = vocabulary.of(draft)
    introduced = terms.defined | set(terms.bracketed)
    stated = {spelled(name) for name in introduced}
    for head in HEADS:
        words = {w: u for w, u in _heads(terms, head).items() if w != head}
        own = [w for w in words if spelled(w) in stated or len(words[w]) > 4]
        defined_ones = [w for w in words if spelled(w) in stated]
        if len(defined_ones) < 2:
            continue
        for word, uses in words.items():
            if word in own or len(uses) > 2 or spelled(word) in stated or terms.known.settled(word):
                continue
            if any(spelled(d).endswith(spelled(word)) or spelled(word).endswith(spelled(d)) for d in own):
                continue
            if _general(word, head) or any(use.offset < len(use.clause.title) and use.clause.headlike for use in uses):
                continue
            kin = word[: -len(head)]
            same = sorted(name for name in terms.defined if name in {kin + other for other in HEADS})
            near = same[0] if same else _nearest(word, own)
            first = uses[0]
            often = Text(
                "一度だけ" if len(uses) == 1 else f"{len(uses)} 回だけ",
                "once" if len(uses) == 1 else f"{len(uses)} times",
            )
            yield rule.at(
                first.clause,
                first.offset,
                Text(
                    ja=f"「{word}」は{often.ja}使われ、どこにも説明がありません"
                    f"（ほかの「{head}」: {'、'.join(own[:4])}）",
                    en=f"{word} is used {often.en} and introduced nowhere (others: {', '.join(own[:4])})",
                ),
                word,
                suggestion=Text(ja=f"「{near}」のことですか", en=f"did you mean {near}?") if near else None,
            )


def _heads(terms: Terms, head: str) -> dict[str, list[Use]]:
    found: dict[str, list[Use]] = defaultdict(list)
    pattern = re.compile(rf"[一-龠々ァ-ヴーA-Za-z☆・]*?{head}")
    for word, uses in terms.uses.items():
        if head in word:
            match = pattern.match(word)
            if match and (match.end() == len(word) or re.fullmatch(r"[一-龠]{1,2}", word[match.end() :])):
                found[match[0]] += uses
    if head == "置き場":
        # Runs of one script end before き.
        for use_word, uses in list(terms.uses.items()):
            for use in uses:
                end = use.offset + len(use_word)
                if use_word.endswith("置") and use.clause.text[end : end + 2] == "き場":
                    found[use_word + "き場"].append(use)
                elif use.clause.text[end : end + 3] == "置き場":
                    found[use_word + "置き場"].append(use)
    return found


_GENERAL = re.compile(
    r"^(?:各|全|他|同|別|元|新|前|次|当該|該当|指定|特定|対象|移動先|移動元|公開|非公開|現在|最初|最後|追加|複数|両|自分|相手|自身|一部|共有|任意|必要)"
)


def _general(word: str, head: str) -> bool:
    return _GENERAL.match(word) is not None or len(word) - len(head) < 1 or len(word) > 16


def _nearest(word: str, names: list[str]) -> str | None:
    from .texts import alike

    best = max(names, key=lambda n: alike(word, n), default=None)
    return best if best is not None and alike(word, best) >= 0.5 else None


def limits(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A limit that is applied, and stated nowhere."""
    known = vocabulary.of(draft)
    seen: set[str] = set()
    for clause in draft.clauses:
        for match in _LIMIT.finditer(clause.text):
            name = match["name"]
            whole_name = f"{match['owner'] or ''}{name}"
            if name in seen or name in _JUST or known.known.settled(name, whole_name):
                continue
            seen.add(name)
            text = draft.text
            parted = re.sub(r"(上限|下限)$", r"の\1", name)
            stated = (
                parted in text
                or any(name in c.title for c in draft.clauses if c.headlike)
                or re.search(re.escape(name) + r"(?:数|値)?(?:は|とは|[:：]|[’」』]?と(?:呼|い))", text)
                or defined_value(draft, name)
                or text.count(name) > 2
            )
            if not stated:
                yield rule.at(
                    clause,
                    match.start(),
                    Text(
                        ja=f"「{whole_name}」が使われていますが、いくつなのかどこにも書かれていません",
                        en=f"{whole_name} is used, but nothing says what it is",
                    ),
                    match[0],
                )


def names(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A name in brackets that is used once, and differs in one letter from one that is used often."""
    terms = vocabulary.of(draft)
    counts = {name: len(uses) for name, uses in terms.bracketed.items()}
    often = [n for n, c in counts.items() if c >= 4 and len(n) >= 2]
    for name, uses in terms.bracketed.items():
        if (
            len(uses) > 2
            or len(name) < 2
            or any(c.isdigit() for c in name)
            or terms.known.settled(name)
            or name in terms.defined
        ):
            continue
        for main in often:
            if (
                main != name
                and len(main) == len(name)
                and _one_letter(name, main)
                and _bracket(uses[0]) == _bracket(terms.bracketed[main][0])
            ):
                yield rule.at(
                    uses[0].clause,
                    uses[0].offset,
                    Text(
                        ja=f"「{name}」は「{main}」（{counts[main]} 回）の誤りと思われます",
                        en=f"{name} probably is {main} ({counts[main]} times)",
                    ),
                    name,
                    suggestion=Text(ja=f"「{main}」のことですか", en=f"did you mean {main}?"),
                )
                break


def _bracket(use: Use) -> str:
    return use.clause.text[use.offset - 1 : use.offset]


_LOOK = (
    "間問",
    "ヨョ",
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
    "ベべ",
    "ペぺ",
)


def _one_letter(one: str, other: str) -> bool:
    different = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    if len(different) != 1:
        return False
    pair = set(different[0])
    return any(pair == set(look) for look in _LOOK) or len(one) >= 5


# ---------------------------------------------------------------- sound
def homophones(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A word that is used once or twice and sounds exactly like one that is used often, sharing some of its letters:
    probably a wrong conversion. Needs the dictionary."""
    from ..terms import sudachi

    terms = vocabulary.of(draft)
    tokenizer = sudachi() if terms.analyser == "sudachi" else None
    if tokenizer is None:
        return
    sounds: dict[str, list[str]] = defaultdict(list)
    for word in terms.uses:
        if 3 <= len(word) <= 14 and re.search(r"[一-龠]", word):
            sounds["".join(m.reading_form() for m in tokenizer.tokenize(word))].append(word)
    for group in sounds.values():
        if len(group) < 2:
            continue
        main = max(group, key=terms.count)
        for word in group:
            if (
                word is main
                or terms.count(word) > 2
                or terms.count(main) < 3 * terms.count(word)
                or terms.known.settled(word, main)
            ):
                continue
            if not set(word) & set(main) or re.sub(r"[^一-龠]", "", word) == re.sub(r"[^一-龠]", "", main):
                continue
            use = terms.uses[word][0]
            yield rule.at(
                use.clause,
                use.offset,
                Text(
                    ja=f"「{word}」は「{main}」（{terms.count(main)} 回）と同じ読みです。変換の誤りと思われます",
                    en=f"{word} sounds like {main} ({terms.count(main)} times): probably a slip",
                ),
                word,
                suggestion=Text(ja=f"「{main}」のことですか", en=f"did you mean {main}?"),
            )


def once(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A name in brackets that occurs once: never used after it was introduced, or never introduced."""
    terms = vocabulary.of(draft)
    text = draft.text
    for name, uses in terms.bracketed.items():
        if len(uses) == 1 and len(name) >= 3 and text.count(name) == 1 and not terms.known.settled(name):
            yield rule.at(
                uses[0].clause,
                uses[0].offset,
                Text(ja=f"「{name}」は一度しか出てきません", en=f"{name} occurs only once"),
                name,
            )


def unused(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A term that is defined (`Xとは`) and used nowhere else."""
    terms = vocabulary.of(draft)
    text = draft.text
    for clause in draft.clauses:
        for match in re.finditer(r"(?:^|[。\n])[‘「『]?(?P<t>[一-龠々ァ-ヴーA-Za-z・]{2,20})[’」』]?とは", clause.text):
            if text.count(match["t"]) <= (2 if clause.headlike else 1) and not terms.known.settled(match["t"]):
                yield rule.at(
                    clause,
                    match.start("t"),
                    Text(
                        ja=f"「{match['t']}」は定義されるだけで使われていません",
                        en=f"{match['t']} is defined and never used",
                    ),
                    match["t"],
                )


RULES = (
    Rule("term-spelling", Severity.WARNING, Text("表記のゆれ", "one name written in two ways"), variants),
    Rule("term-undefined", Severity.WARNING, Text("説明のない用語", "used and introduced nowhere"), undefined),
    Rule("limit-undefined", Severity.WARNING, Text("値の決まっていない上限", "limit that is stated nowhere"), limits),
    Rule("term-misspelt", Severity.WARNING, Text("用語の誤記", "name that is probably another"), names),
    Rule("term-homophone", Severity.WARNING, Text("同音の誤変換", "sounds like another term"), homophones),
    Rule("term-once", Severity.HINT, Text("一度だけの名前", "name that occurs once"), once),
    Rule("term-unused", Severity.HINT, Text("使われない定義", "defined and never used"), unused),
)
