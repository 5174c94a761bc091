"""Terms: names that are used and introduced nowhere, one thing under two names, limits without a value, names that occur
only once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial

from ....spec.text import Text
from ..findings import AGAINST, Found, Rule, Severity, times
from ..model import Draft
from ..terms import Terms, Use, defined_value, places_in, spelled, unique, vocabulary
from .texts import alike

PLACES = ("ゾーン", "エリア", "置き場", "領域", "スタック", "レーン", "フィールド", "スペース", "トレイ")
HEADS = (*PLACES, "フェイズ", "フェーズ", "ステップ", "デッキ")
"""Nouns that end the names of things which a rule book has to introduce."""
NAMED = ("ゾーン", "エリア", "置き場")
"""Of these, what ends names only: one to which something is moved is told though it is used once and no other of its like is introduced."""
_MOVED = re.compile(r"(?:に|へ)(?:、)?[^、。に]{0,6}(?:置|移|送|戻)")
_LIMIT = re.compile(
    r"(?P<owner>[一-龠々ァ-ヴー]{2,10}の)?(?P<name>[一-龠々ァ-ヴー]{1,8}(?:上限|下限))(?P<tail>数|値)?(?=を|に|が|まで|より|以)"
)
_JUST = frozenset({"上下限", "上限", "下限", "最大上限"})
_GENERAL = re.compile(
    r"^(?:各|全|他|同|別|元|新|前|次|当該|該当|指定|特定|対象|移動先|移動元|公開|非公開|現在|最初|最後|追加|複数|両|自分"
    r"|相手|自身|一部|共有|任意|必要|使用|表向き|裏向き|通常|単独|関連|以上|以下|先攻|後攻|先手|後手|初期)"
)


# ---------------------------------------------------------------- introduced nowhere
def undefined(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A name whose like are introduced, and it is not: a zone, phase, deck … that is named once or twice; a place to which something is moved
    and that is named nowhere else, though no place of its like is introduced; anything that
    ends like the headings of a section (`店員カード`, `料理カード`) and is none of them."""
    terms = vocabulary.of(draft)
    told: set[str] = set()
    ending = cache(partial(_ending, terms))
    made = cache(lambda head: {word for word in terms.uses if word.endswith(head)})
    for head, like in _families(draft):
        free = len(made(head) - {head, *like}) > 2 * len(set(like))  # such names are made as they are needed
        for word, uses in ending(head).items():
            # A name that is neither short nor made like the others of its family is a description.
            if word in told or not any(_made_alike(word[: -len(head)], name[: -len(head)]) for name in like):
                continue
            # Two of a kind are a family only for a name that is used like theirs.
            if len(set(like)) >= 3 or (len(uses) >= 2 and not free):
                told.add(word)
                yield _unknown(rule, terms, word, uses, head, like, like)
    stated = {spelled(name) for name in terms.defined | set(terms.bracketed)}
    for head in HEADS:
        words = {w: u for w, u in _heads(terms, head).items() if w != head}
        own = [w for w in words if spelled(w) in stated]
        own += [w for w in words if len(words[w]) > 4 and w not in own]
        known = sum(spelled(w) in stated for w in words)
        for word, uses in words.items():
            once = (
                head in NAMED
                and "・" not in word
                and any(_MOVED.match(use.clause.text, use.offset + len(word)) for use in uses)
            )
            if word in own or word in told or len(uses) > max(min(known, 2), once) or terms.known.settled(word):
                continue
            if any(spelled(d).endswith(spelled(word)) or spelled(word).endswith(spelled(d)) for d in own):
                continue
            if _general(word, head) or _titles(uses) or _says_itself(word, uses):
                continue
            told.add(word)
            yield _unknown(rule, terms, word, uses, head, own, [w for w in own if _explained(draft, terms, w)])


def _explained(draft: Draft, terms: Terms, word: str) -> bool:
    """Is a name itself introduced, and not only used often?"""
    name = re.escape(word)
    return (
        word in terms.defined
        or word in terms.bracketed
        or word.endswith(("中", "内", "時"))
        or re.search(rf"[をは]、?{name}(?:とする|とします|となる|になる|と呼)", draft.text) is not None
        or any(re.match(rf"{name}(?:は|とは)", clause.text) for clause in draft.clauses)
    )


def _families(draft: Draft) -> Iterator[tuple[str, list[str]]]:
    """Nouns that end the names of two sections or more of one parent, with these names."""
    words = vocabulary.of(draft).uses
    groups: dict[int, list[str]] = defaultdict(list)
    for clause in draft.clauses:
        title = clause.title.strip("「」『』<>〈〉【】 ")
        if clause.headlike and not clause.is_item and (clause.label or clause.heading):
            title = re.sub(r"[（(].*?[)）]$", "", title)
            if re.fullmatch(r"[一-龠々ァ-ヴーA-Za-z☆・]{3,16}", title):
                groups[id(clause.parent)].append(title)
    for titles in groups.values():
        heads: dict[str, list[str]] = defaultdict(list)
        for title in titles:
            for size in range(2, len(title) - 1):
                if title[-size:] in words:
                    heads[title[-size:]].append(title)
        for head, like in heads.items():
            if len(set(like)) >= 2:
                yield head, like


def _ending(terms: Terms, head: str) -> dict[str, list[Use]]:
    """Words that end like this, and are introduced nowhere, in the order of their first uses."""
    stated = {spelled(name) for name in terms.defined | set(terms.bracketed)}
    found: dict[str, list[Use]] = {}
    for word, uses in terms.uses.items():
        if not word.endswith(head) or word == head or spelled(word) in stated or terms.known.settled(word):
            continue
        if _general(word, head) or _titles(uses) or len(word) - len(head) < 2 or _says_itself(word, uses):
            continue
        if any(
            name.endswith(spelled(word)) or spelled(word).endswith(name) for name in stated if len(name) > len(head)
        ):
            continue
        found[word] = uses
    return dict(sorted(found.items(), key=lambda one: one[1][0].clause.line))


def _says_itself(word: str, uses: Sequence[Use]) -> bool:
    """Does a clause begin with it as what it is about (`Xは、`), or say with it what something is (`…：準備のX。`)?"""
    for use in uses:
        text, end = use.clause.text, use.offset + len(word)
        line = text[: use.offset].rpartition("\n")[2]
        if not line.strip() and re.match(r"(?:とは|は|が)", text[end:]):
            return True
        if re.search(r"(?:とは|は、?|[:：])[^。]*$", line) and re.match(r"(?:である|です|とする|のこと)?。", text[end:]):
            return True
    return False


def _made_alike(one: str, other: str) -> bool:
    """Are both in katakana, or both in kanji?"""
    return any(re.fullmatch(kind, one) and re.fullmatch(kind, other) for kind in (r"[ァ-ヴー・]+", r"[一-龠々]+"))


def _titles(uses: Sequence[Use]) -> bool:
    return any(use.offset < len(use.clause.title) and use.clause.headlike for use in uses)


def _unknown(
    rule: Rule, terms: Terms, word: str, uses: Sequence[Use], head: str, own: Sequence[str], explained: Sequence[str]
) -> Found:
    kin = word[: -len(head)]
    same = sorted(name for name in terms.defined if name in {kin + other for other in HEADS} and head in HEADS)
    near = same[0] if same else _nearest(word, own, 0.5 if head in HEADS else 0.6)
    often = terms.standing(word, uses)
    too = Text("（複合語も含む）", " (in compounds too)") if often.compound else Text.same("")
    count = Text("一度だけ" if often.count == 1 else f" {often.count} 回{too.ja}", times(often.count) + too.en)
    like = unique(explained)[:4]
    others = (
        Text(f"（同じ「{head}」で終わる、説明のある用語: {'、'.join(like)}）", f" (introduced are: {', '.join(like)})")
        if like
        else Text.same("")
    )
    return rule.at(
        uses[0].clause,
        uses[0].offset,
        Text(
            ja=f"「{word}」は{count.ja}使われ、どこにも説明がありません{others.ja}",
            en=f"{word} is used {count.en} and introduced nowhere{others.en}",
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


def _general(word: str, head: str) -> bool:
    return _GENERAL.match(word) is not None or len(word) - len(head) < 1 or len(word) > 16


def _nearest(word: str, names: Sequence[str], likeness: float) -> str | None:
    best = max(names, key=lambda n: alike(word, n), default=None)
    return best if best is not None and alike(word, best) >= likeness else None


# ---------------------------------------------------------------- one thing under two names
SAME = (("先攻", "先手"), ("後攻", "後手"))
"""Words of the field that mean the same; a book uses one of them."""


def two_names(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A name cut short, so that it can be several things or seems to be another; two names for one place; two words of
    the field that mean the same."""
    terms = vocabulary.of(draft)
    yield from _cut_short(draft, terms, rule)
    yield from _two_places(terms, rule)
    found: list[tuple[str, str, list[Use], list[Use]]] = []
    for pair in SAME:
        uses = {name: [u for w, us in terms.uses.items() if _is_made_with(terms, w, name) for u in us] for name in pair}
        rare, main = sorted(pair, key=lambda name: len(uses[name]))
        if uses[rare] and not terms.known.settled(rare, main) and not _equated(draft, rare, main):
            found.append((rare, main, uses[rare], uses[main]))
    if found:
        first = min((use for *_, uses, _ in found for use in uses), key=lambda use: (use.clause.line, use.offset))
        yield _both(terms, rule, first, [(one[0], one[2]) for one in found], [(one[1], one[3]) for one in found])


def _is_made_with(terms: Terms, word: str, name: str) -> bool:
    """Is a word this name, or made of it and of another word of the draft: not a saying (`先手必勝`)?"""
    rest = word.removeprefix(name)
    return word.startswith(name) and (len(rest) < 2 or any(other.startswith(rest) for other in terms.uses))


def _equated(draft: Draft, one: str, other: str) -> bool:
    """Does the draft say that they are the same: `先攻（先手）`, `先手とも呼ぶ`?"""
    return any(
        re.search(rf"{a}[」』]?[（(/／][「『]?{b}|{a}[^。\n]{{0,12}}{b}[」』]?とも", draft.text)
        for a, b in ((one, other), (other, one))
    )


_Counted = Sequence[tuple[str, Sequence[Use]]]


def _both(terms: Terms, rule: Rule, use: Use, rare: _Counted, main: _Counted) -> Found:
    """Names that are used beside other names, each with how often it stands."""
    one, other = ([(name, terms.standing(name, uses).said) for name, uses in names] for names in (rare, main))
    return rule.at(
        use.clause,
        use.offset,
        Text(
            ja="と".join("・".join(f"「{name}」（{said.ja}）" for name, said in names) for names in (one, other))
            + "があります。同じものなら、どちらかにそろえてください",
            en=" and ".join(", ".join(f"{name} ({said.en})" for name, said in names) for names in (one, other))
            + ": if they are the same, use one of them",
        ),
        use.clause.text[use.offset : use.offset + len(rare[0][0])],
    )


def _cut_short(draft: Draft, terms: Terms, rule: Rule) -> Iterable[Found]:
    """`デッキ置き場` where there are `主デッキ置き場` and `副デッキ置き場`; `断片置き場` where it is `古代の断片置き場`."""
    introduced = terms.defined | set(terms.bracketed)
    for head in HEADS:
        for word, uses in _heads(terms, head).items():
            if word == head or _general(word, head) or terms.known.settled(word):
                continue
            if any(
                re.search(rf"(?:^|[、。\n]){re.escape(word)}(?:とは|は、?[^。]{{0,20}}(?:場所|領域|ところ))", c.text)
                for c in draft.clauses
            ):
                continue
            longer = sorted(name for name in introduced if name.endswith(word) and name != word and len(name) <= 20)
            linked = [name for name in longer if name[: -len(word)].endswith("の")]
            if linked:
                bare = [u for u in uses if not u.clause.text[: u.offset].endswith(linked[0][: -len(word)])]
                if 0 < len(bare) <= 2 and len(bare) < len(uses) and not _titles(bare):
                    yield _short(rule, bare, word, linked)
            elif len(longer) >= 2 and word not in introduced and not _titles(uses):
                yield _short(rule, uses, word, longer)


def _short(rule: Rule, uses: Sequence[Use], word: str, longer: Sequence[str]) -> Found:
    first = min(uses, key=lambda use: (use.clause.line, use.offset))
    names = "".join(f"「{name}」" for name in longer[:3])
    which = Text(
        f"{names}の{'どちら' if len(longer) == 2 else 'どれ'}を指すのか書かれていません"
        if len(longer) > 1
        else f"{names}と書かれているものと同じですか",
        f"it may be {' or '.join(longer[:3])}" if len(longer) > 1 else f"is it {longer[0]}?",
    )
    return rule.at(
        first.clause,
        first.offset,
        Text(
            ja=f"「{word}」（{len(uses)} 回）には説明がありません。{which.ja}",
            en=f"{word} ({times(len(uses))}) is introduced nowhere: {which.en}",
        ),
        word,
    )


def _two_places(terms: Terms, rule: Rule) -> Iterable[Found]:
    """`除外カード置き場` and `除外エリア`: two places, one of them not introduced, named after the same thing."""
    places: dict[str, tuple[str, list[Use]]] = {}
    for head in PLACES:
        for word, uses in _heads(terms, head).items():
            kin = word[: -len(head)]
            if len(kin) >= 2 and not _general(word, head):
                places[word] = (kin, uses)
    told: set[str] = set()
    for rare, (kin, uses) in places.items():
        for main, (other, others) in places.items():
            heads = rare[len(kin) :], main[len(other) :]
            if heads[0] == heads[1] or rare in terms.defined or main in told or terms.known.settled(rare, main):
                continue
            if other == f"{kin}カード" or (kin == other and main not in terms.defined and len(uses) <= len(others)):
                told.add(rare)
                yield _both(terms, rule, uses[0], [(rare, uses)], [(main, others)])


# ---------------------------------------------------------------- limits
def limits(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A limit that is applied, and stated nowhere."""
    terms = vocabulary.of(draft)
    seen: set[str] = set()
    for clause in draft.clauses:
        for match in _LIMIT.finditer(clause.text):
            name = match["name"]
            whole_name = f"{match['owner'] or ''}{name}"
            if name in seen or name in _JUST or terms.known.settled(name, whole_name):
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


# ---------------------------------------------------------------- guesses
def unused(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A name that is given (`これを「X」と呼ぶ`) or explained (`Xとは`), and occurs nowhere else. Cards may use it, so this
    is a guess, unless the name is given for this document (`以下「X」と呼ぶ`, `本書では`)."""
    terms = vocabulary.of(draft)
    places = places_in(
        [draft.text],
        (m["t"] for clause in draft.clauses for form in (_NAMED, _EXPLAINED) for m in form.finditer(clause.text)),
    )
    for clause in draft.clauses:
        for match in _NAMED.finditer(clause.text):
            name = match["t"]
            if len(places[name]) == 1 and not terms.known.settled(name):
                here = _FOR_THIS.search(clause.text[: match.start()]) is not None
                yield rule.at(
                    clause,
                    match.start("t"),
                    _idle(name, here),
                    name,
                    signs=1 if here else AGAINST,
                )
        for match in _EXPLAINED.finditer(clause.text):
            name = match["t"]
            if len(places[name]) <= 1 + (name in clause.title) and not terms.known.settled(name):
                yield rule.at(
                    clause,
                    match.start("t"),
                    _idle(name),
                    name,
                    signs=AGAINST,
                )


def _idle(name: str, here: bool = False) -> Text:
    spared = Text("。カードなどがこの名を使うなら、そのままで構いません", "; it may stay if cards use the name")
    spared = Text.same("") if here else spared
    return Text(
        ja=f"「{name}」は、名や説明が与えられたあと、この文書では一度も使われていません{spared.ja}",
        en=f"{name} is introduced and never used in this document{spared.en}",
    )


_FOR_THIS = re.compile(r"(?:以[下後降]|本書|本文書|この文書|本ルール|このルールブック)[^。\n]{0,24}$")
"""A name given for the document itself, so that cards cannot be what it is for."""
_NAMED = re.compile(
    r"[‘「『](?P<t>[一-龠々ァ-ヴーA-Za-z・]{2,20})[’」』]と(?:呼[ぶび]|言[うい]|いい|いう|称)(?![^。]{0,12}(?:もの|こと|よう))"
)
_EXPLAINED = re.compile(r"(?:^|[。\n])[‘「『]?(?P<t>[一-龠々ァ-ヴーA-Za-z・]{2,20})[’」』]?とは")


def _names(draft: Draft) -> int:
    """How many names end like the places, times and cards that have to be introduced."""
    heads = {*HEADS, *(head for head, _ in _families(draft))}
    return sum(word.endswith(tuple(heads)) for word in vocabulary.of(draft).uses)


RULES = (
    Rule("term-undefined", Severity.WARNING, Text("説明のない用語", "used and introduced nowhere"), undefined, _names),
    Rule("term-two-names", Severity.WARNING, Text("一つのものに二つの名前", "one thing under two names"), two_names),
    Rule("term-unused", Severity.WARNING, Text("使われない用語", "defined and never used"), unused),
    Rule("limit-undefined", Severity.WARNING, Text("値の決まっていない上限", "limit that is stated nowhere"), limits),
)
