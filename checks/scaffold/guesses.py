"""What a draft names: the zones in which cards lie, the numbers that change or are printed, the parts of a turn, the preparation.

All of it is a guess from words, and is told as one, with the clause that it was found in."""

from __future__ import annotations

import re
from collections import Counter as Count
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...spec.text import Lang, Text
from ..lint.model import Draft
from ..register.card_tables import CardTable, card_table
from ..register.pieces import Piece
from .cards import Sort, sorts_of
from .naming import Names, name_of, singular
from .tree import Node, by_depth, is_title, tree
from .vocabulary import (
    COUNTERS,
    LISTED,
    NUMBERED_EN,
    ORDERED,
    PHASE_EN,
    PHASE_JA,
    PLACES,
    PREPARATION,
    TURN,
    ZONES,
    Counter,
)

MOST_ZONES, MOST_NUMBERS, MOST_PARTS = 16, 10, 20
HIGHEST = 30_000
PART, ABOUT = 20, 120
"""Characters of the name of a phase in a sentence at most; of what a chapter says of a zone, those that say whose it is."""


@dataclass(frozen=True)
class Zone:
    """A zone: its name in rules, what it is called, the clause it was found in; whether it has an order, and belongs to both."""

    name: str
    said: Text
    clause: str
    ordered: bool = False
    shared: bool = False


@dataclass(frozen=True)
class Number:
    """A number: its name, what it is called, the clause; printed on cards, one for both players, or each player's; its first and its highest value."""

    name: str
    said: Text
    clause: str
    printed: bool = False
    start: int = 0
    most: int = 20
    shared: bool = False


@dataclass(frozen=True)
class Part:
    """A part of a turn: its name in rules, what it is called, its clause, and its own parts."""

    name: str
    said: Text
    node: Node
    step: bool = False
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Guesses:
    """All that was found. `lang`: the language of the draft; `turn`: the chapter about turns, where no parts of one were found; `pieces`: the clauses
    in which it was looked for."""

    lang: Lang
    zones: tuple[Zone, ...]
    numbers: tuple[Number, ...]
    parts: tuple[Part, ...]
    turn: Node | None
    preparation: Node | None
    roots: tuple[Node, ...]
    pieces: tuple[Piece, ...]
    cards: CardTable | None = None
    sorts: tuple[Sort, ...] = ()


def guesses_of(draft: Draft, pieces: Sequence[Piece], names: Names) -> Guesses:
    """What the draft names; `names` are given to it."""
    roots = tree(pieces)
    lang = language_of(draft)
    parts, turn = parts_of(roots, names, lang)
    own = {id(n.piece) for node in (*(part.node for part in parts), *([turn] if turn else ())) for n in node.all}
    preparation = next(
        (n for n in by_depth(roots) if is_title(n) and PREPARATION.search(n.title) and id(n.piece) not in own
         and not any(id(x.piece) in own for x in n.all)),
        None,
    )
    cards = next((table for clause in draft.clauses if (table := card_table(clause.text)) is not None), None)
    stated = [[*_said_to_be_numbers(piece.text)] for piece in pieces]
    counted = {said for some in stated for said in some} - {
        m["said"] for p in pieces for m in _BRACKETED.finditer(p.text)
    }
    zones = zones_of(roots, [p for p in pieces if card_table(p.text) is None], names, lang, counted)
    prepared = {id(n.piece) for n in preparation.all} if preparation is not None else set[int]()
    numbers = numbers_of(pieces, stated, names, lang, zones, cards, prepared)
    return Guesses(lang, zones, numbers, parts, turn, preparation, tuple(roots), tuple(pieces), cards,
                   sorts_of(cards, names) if cards is not None else ())


def language_of(draft: Draft) -> Lang:
    """The language of the draft, by its letters."""
    return "ja" if any(re.search(r"[ぁ-んァ-ヶ]", clause.text) for clause in draft.clauses) else "en"


def called(said: str, english: str, lang: Lang) -> Text:
    """What something is called: in the draft's language as the draft says it, in English if it is known."""
    return Text(said, english or said) if lang == "ja" else Text.same(said)


# ---------------------------------------------------------------- the parts of a turn
def parts_of(roots: Sequence[Node], names: Names, lang: Lang) -> tuple[tuple[Part, ...], Node | None]:
    """The phases: of all clauses that lie side by side and are called so, those with most in them; else those of which a sentence says that a turn
    consists of them; else what the chapter about turns is divided into; else that chapter."""
    groups = [[*_phases(above.inside)] for root in roots for above in root.all] + [[*_phases(roots)]]
    groups = [g for g in groups if len(g) > 1]
    if groups:
        best = max(
            groups,
            key=lambda g: (sum(sort == "phase" for _, _, sort in g) > 1, sum(len([*n.all]) for n, _, _ in g), len(g)),
        )
        return tuple(_part(node, said, sort, names, lang) for node, said, sort in best[:MOST_PARTS]), None
    for root in roots:
        for beside, node in ([], root), *((above.inside, n) for above in root.all for n in above.inside):
            if len(said := _enumerated(node.piece.text)) > 1:
                of = {_bare(n.title): n for n in (*beside, *node.inside)}
                return tuple(
                    _part(of.get(name) or Node(node.piece), name + ("フェイズ" if lang == "ja" else " phase"), "phase",
                          names, lang)
                    for name in said[:MOST_PARTS]
                ), None
            titles = {_bare(n.title): n for n in (*beside, *node.inside) if is_title(n)}
            if len(said := _split(ORDERED.search(node.piece.text))) > 1 and {*said} <= {*titles}:
                parts = [titles[name] for name in said[:MOST_PARTS]]
                return tuple(_part(one, one.title, "phase", names, lang) for one in parts), None
    turn = next((n for n in by_depth(roots) if is_title(n) and TURN.search(n.title) and len(n.inside) > 1), None)
    steps = [n for n in turn.inside if n.doing] if turn is not None else []
    if len(steps) > 1 and all(is_title(n) for n in steps):
        return tuple(
            _part(node, re.sub(r"^[\W_]+", "", node.title), "step", names, lang) for node in steps[:MOST_PARTS]
        ), None
    return (), turn


def _enumerated(text: str) -> list[str]:
    """The parts of a turn that a sentence enumerates, without the word phase; none where they are no short names."""
    return _split(LISTED.search(text))


def _split(match: re.Match[str] | None) -> list[str]:
    """The names in a list."""
    if match is None:
        return []
    listed = next(part for part in match.groups() if part)
    parts = map(_bare, re.split(r"[、・,;→>]|と(?=[^と]+$)|\band\b", listed))
    said = list(dict.fromkeys(part for part in parts if part))
    return said if all(len(one) <= PART and len(one.split()) <= 3 for one in said) else []


def _bare(title: str) -> str:
    """The name of a phase without that word."""
    title = re.sub(r"^(?:the|an?|\d+つの|次の)\s*|^\W+|\W+$", "", title.strip(), flags=re.IGNORECASE)
    return re.sub(r"(?:の?\d*つ?の)?(?:フェイズ|フェーズ|ステップ)$|\s+(?:phase|step)s?$", "", title, flags=re.IGNORECASE).strip().lower()


def _part(node: Node, said: str, sort: str, names: Names, lang: Lang) -> Part:
    wanted = name_of(said)
    name = names.give(wanted, f"turn_{sort}", sort)
    inside = [*_phases(node.inside)]
    parts = tuple(_part(n, s, t, names, lang) for n, s, t in inside) if len(inside) > 1 else ()
    return Part(name, called(said, name.replace("_", " ") if wanted else "", lang), node, sort == "step", parts)


def _phases(nodes: Iterable[Node]) -> Iterator[tuple[Node, str, str]]:
    """Those that are called a phase or a step: clause, name, and which of both."""
    for node in nodes:
        title = re.sub(r"^[\W_]+|[\W_]+$", "", node.title)
        found = (PHASE_JA.fullmatch(re.sub(r"[（(].*", "", title).strip()) or PHASE_EN.fullmatch(title)
                 or NUMBERED_EN.match(title))
        if found is not None:
            yield node, found["name"].strip(), "step" if found["sort"].lower() in ("step", "ステップ") else "phase"


# ---------------------------------------------------------------- zones
_ZONE_JA = re.compile(r"(?P<said>(?P<what>(?:捨て|伏せ)?[一-龠々ァ-ヴーA-Za-z・]{0,12}?)(?:エリア|ゾーン|置き場|置場|レーン|枠|スロット|領域|デッキ|札))(?![一-龠々ァ-ヴー])")
_BRACKETED = re.compile(r"[<＜〈]\s*(?P<said>[一-龠々ァ-ヴー・]{2,10})\s*[>＞〉](?=[にへからのをで])")
_ZONE_EN = re.compile(r"(?<![A-Za-z'-])(?P<said>(?:[A-Za-z][A-Za-z'-]* ){0,3}(?:zone|area|pile|deck|graveyard|hand|lane|tableau|battlefield|library))s?\b", re.IGNORECASE)
_NOT_ZONES = re.compile(r"^(?:非公開|公開|各|任意|同|同じ|他|別|自|相手|元|全|指定|プレイヤー|カード|使用|この|その|通常|新|構築|サイド)?"
                        r"(?:エリア|ゾーン|置き場|置場|枠|スロット|領域|札)$|^(?:各|全|両|自|相手|元|同|新|非公開|公開)[一-龠ァ-ヴ]*領域$|縦|横|文章|能力欄|欄$")
_STOPS = frozenset(
    ["the", "a", "an", "your", "their", "his", "her", "its", "each", "every", "any", "all", "this", "that", "these",
     "those", "no", "one", "two", "three", "both", "same", "other", "another", "own", "new", "old", "top", "bottom",
     "opening", "starting", "initial", "empty", "whole", "entire", "full", "current", "single", "player's",
     "opponent's", "rival's", "players'", "players", "opponents", "opponent", "player", "card", "cards", "from", "to",
     "in", "into", "on", "onto", "of", "at", "with", "and", "or", "for", "as", "if", "is", "are", "was", "be", "has",
     "have", "take", "takes", "draw", "draws", "put", "puts", "shuffle", "shuffles", "discard", "play", "move", "place",
     "choose", "reveal", "look", "through", "your,", "left", "right", "first", "second", "next", "random", "additional",
     "more", "maximum", "within", "between", "by", "different", "friendly", "rival", "enemy", "which", "also", "only",
     "where", "when"]
)
_SHARED = re.compile(r"共有|共通|中央の|shared|common|communal|central", re.IGNORECASE)
_ALONE_JA = ("場", "除外", "墓地", "控え室", "リザーブ", "トラッシュ", "フィールド", "捨て札", "伏せ札")
_IS_ALONE_JA = re.compile(rf"(?<![一-龠々ァ-ヴーきて])(?:({')|('.join(_ALONE_JA)}))(?=[にへのをで、。]|から|され)")
_ALONE_EN = ("discards", "exile", "board", "field", "reserve")
_IS_ALONE_EN = re.compile(rf"\b(?:the|your|their|its) (?:({')|('.join(_ALONE_EN)}))\b", re.IGNORECASE)


def zones_of(
    roots: Sequence[Node], pieces: Sequence[Piece], names: Names, lang: Lang, counted: Collection[str]
) -> tuple[Zone, ...]:
    """The zones: words that are known for one, words that end like one, all of a list that has two known ones in it, what a sentence says is one, and
    the titles below a chapter about zones. `counted`: words of which the draft says that they are numbers."""
    counts: Count[str] = Count()
    places: dict[str, Piece] = {}
    for piece in pieces:
        for said in (*_zones_ja(piece.text), *_zones_en(piece.text)):
            counts[said] += 1
            places.setdefault(said, piece)
        for said in (*_listed(piece.text), *_defined(piece.text)):
            counts[said] += 2
            places.setdefault(said, piece)
    both: set[str] = set()
    for said, node in _headed(roots):
        counts[said] += 2 + sum(said in p.text for p in pieces)
        places[said] = node.piece
        both |= {said} if _SHARED.search(" ".join(n.piece.text for n in node.all)[:ABOUT]) else set()
    chosen: dict[str, str] = {}
    for said, count in counts.most_common():
        if len(chosen) == MOST_ZONES or (count < 2 and said not in ZONES) or singular(said) in counted:
            continue
        wanted = ZONES[said].name if said in ZONES else name_of(said)
        if not wanted or wanted not in chosen.values():  # else another word for the same
            chosen[said] = wanted
    order = {piece.id: n for n, piece in enumerate(pieces)}
    return tuple(_zone(said, chosen[said], places[said], said in both, names, lang)
                 for said in sorted(
                     chosen, key=lambda said: (order[places[said].id], places[said].text.lower().find(said.lower()))
                 ))


def _zone(said: str, wanted: str, piece: Piece, shared: bool, names: Names, lang: Lang) -> Zone:
    known = ZONES.get(said)
    ordered = known.ordered if known else bool(re.search(r"デッキ|山|\b(?:deck|pile)$", said))
    near = " ".join(piece.text.split())
    shared = shared or any(
        _SHARED.search(near[max(0, m.start() - 12) : m.end() + 12]) for m in re.finditer(re.escape(said), near)
    )
    return Zone(names.give(wanted, "zone", "zone"),
                called(said, known.english if known else wanted.replace("_", " "), lang), piece.id, ordered, shared)


def _zones_ja(text: str) -> Iterator[str]:
    for match in _ZONE_JA.finditer(text):
        said = match["said"].strip("・")
        if said in ZONES or (
            len(said) > 2 and match["what"] and not _NOT_ZONES.search(said) and not said.endswith("札")
        ):
            yield said
    yield from (_ALONE_JA[k] for k in sorted(m.lastindex - 1 for m in _IS_ALONE_JA.finditer(text) if m.lastindex))
    yield from (m["said"] for m in _BRACKETED.finditer(text))


def _zones_en(text: str) -> Iterator[str]:
    for match in _ZONE_EN.finditer(text):
        words = match["said"].lower().split()
        if known := next((" ".join(words[k:]) for k in range(len(words)) if " ".join(words[k:]) in ZONES), None):
            yield known
            continue
        while len(words) > 1 and (
            any(w in _STOPS or w.endswith(("ing", "ed", "'s", "s'")) for w in words[:-1][:1]) or len(words) > 3
        ):
            words = words[1:]
        if any(w in _STOPS for w in words[:-1]):
            words = words[1 + max(k for k, w in enumerate(words[:-1]) if w in _STOPS) :]
        said = " ".join(words)
        if len(words) > 1 or said in ZONES:
            yield said
    yield from (_ALONE_EN[k] for k in sorted(m.lastindex - 1 for m in _IS_ALONE_EN.finditer(text) if m.lastindex))


_LIST_JA = re.compile(r"(?:[^\s、。・（）()はがをで]{1,10}[・、]){2,}[^\s、。・（）()はがをでの]{1,10}")
_LIST_EN = re.compile(r"(?<![a-z'-])(?:(?:[a-z'-]+ ){0,3}[a-z'-]+, ){1,}(?:[a-z'-]+ ){0,3}[a-z'-]+,? and (?:[a-z'-]+ ){0,3}[a-z'-]+(?=[.,;:]|$)", re.IGNORECASE)


def _listed(text: str) -> Iterator[str]:
    """What is listed in one sentence with two known zones."""
    for match in _LIST_JA.finditer(text):
        yield from _all_zones(re.split("[・、]", match[0]))
    for match in _LIST_EN.finditer(re.sub(r" *\([^()]*\)", "", text)):
        yield from _all_zones([re.sub(r"^.*\b(?:an?|the|your|their|its|has|have|are|is) ", "", one.strip().lower())
                               for one in re.split(r",? and |, ", match[0])])


def _all_zones(some: Sequence[str]) -> Iterator[str]:
    known = sum(one in ZONES for one in some)
    if len(some) > 2 and known > 1:
        yield from (one for one in some if one in ZONES or not re.search(r"カード|枚|\d|cards?$", one))


_DEFINED = (
    re.compile(r"(?<![一-龠々ァ-ヴーの])(?P<said>[一-龠々ァ-ヴー]{1,10})[」』】]?と?は、?[^。]{0,50}?(?:領域|ゾーン|エリア|場所|置き場)(?:です|である|であり|とする|とします|をいう|を指す|のこと)"),
    re.compile(r"\b(?:the|an?|your|each player's) (?P<said>[a-z]+(?: [a-z]+)?) is (?:an?|the) (?:\w+ ){0,3}(?:zone|area|place|pile|region)\b", re.IGNORECASE),
)


def _defined(text: str) -> Iterator[str]:
    """What a sentence says is a place of cards."""
    found = (match["said"].lower() for how in _DEFINED for match in how.finditer(text))
    return (
        said for said in found if said not in _STOPS and not (_NOT_ZONES.search(said) or _LIKE_A_CARD.search(said))
    )


def _headed(roots: Sequence[Node]) -> Iterator[tuple[str, Node]]:
    """Names that stand as titles below a chapter about zones."""
    above = next((n for n in by_depth(roots) if is_title(n) and PLACES.search(n.title) and len(n.inside) > 2), None)
    for node in above.inside if above is not None else ():
        said = re.sub(r"^[\W_]+|[\W_]+$|（.*", "", node.title).strip()
        for one in re.finditer(r"\bthere (?:are|is) (?:an?|one|two|three|four|\d+) (?P<said>[a-z]+)[,.]", "\n".join(n.piece.text for n in node.all), re.IGNORECASE):
            yield one["said"].lower(), node
        if 1 < len(said) <= 16 and not re.search(r"[のはがをに、。]|から|され|領域$|とは|般|^(?:areas?|zones?)$|\b(?:rules?|general|is|are)\b", said, re.IGNORECASE):
            yield (said if not said.isascii() else said.lower()), node


# ---------------------------------------------------------------- numbers
_COUNTER_WORD = "|".join(
    sorted(map(re.escape, (w for w in COUNTERS if not w.isascii() or w == "HP")), key=len, reverse=True)
)
_KNOWN_JA = re.compile(rf"(?<![一-龠々ァ-ヴー])(?P<said>{_COUNTER_WORD})(?![一-龠々ァ-ヴー]|・)")
_INTEGER = re.compile(r"(?:プレイヤーは(?P<a>[一-龠々ァ-ヴー]{2,8})という整数|(?P<b>[一-龠々ァ-ヴー]{2,8})[（(はの]*初期値[:：は]?\s*\d+)")
_CHANGED = re.compile(r"(?P<said>[一-龠々ァ-ヴー]{2,8})を\s*\d+\s*(?:点|つ)?\s*(?:得|失|支払|消費|獲得|増や|減ら)|(?P<b>[一-龠々ァ-ヴー]{2,8})[+＋]\s*\d")
_KNOWN_EN = re.compile(
    "|".join(rf"\b{re.escape(w)}\b" for w in sorted((w for w in COUNTERS if w.isascii()), key=len, reverse=True)),
    re.IGNORECASE,
)
_FIRST = re.compile(r"初期|から始|最初|開始|準備|はじめ|初め|\bstart|\bbegin|\binitial|\beach player (?:has|gets)|\bset\b", re.IGNORECASE)
_DECIDES = re.compile(r"勝利|敗北|勝ち|負け|勝者|敗者|\bwins?\b|\bloses?\b|\bwinner\b|\bloser\b", re.IGNORECASE)
"""A sentence about who wins names the value that decides it, not the first one."""
_LIKE_A_CARD = re.compile(r"カード(?:の|に|右|左)|記され|書かれ|\bcards? (?:has|have|shows?)|printed", re.IGNORECASE)


_IS_JA = re.compile(
    r"(?<![一-龠々ァ-ヴー])(?P<a>[一-龠々ァ-ヴー]{1,8}[きみりちれえけせ]?)(?:[（(][^（()）]*[)）])?(?:を\s*\d+(?:とし|とする|増|減|上げ|下げ|失|得|持って)|[はが]\s*\d+"
    r"(?:以上|以下|から始|を超え|より|になっ|になる|増|減|大き|小さ|上が|下が|、|。|の[プと])|に上限|は[^。、]{0,12}1つの数|は[^。]{0,20}\d+から始)")
_DIGIT = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)"
_IS_EN = re.compile(
    rf"(?<![a-z])(?P<a>[a-z]+(?: [a-z]+)?) (?:of \d+\b|(?:is|becomes|are) \d+\b|(?:begins|starts) (?:at|with) {_DIGIT}\b|(?:in|de)creases by \b|(?:has|have) no upper limit)"
    rf"|\b(?:lose|gain|pay|give|get|remove|starts? with)(?:s|ing|es)? (?:[a-z]+ )?{_DIGIT} (?P<b>[a-z]+)|\bnumber of (?P<c>[a-z]+ (?:tokens|counters))|\b(?P<d>[a-z]+) (?:tokens?|counters?)\b",
    re.IGNORECASE)
_NO_NUMBER = re.compile(
    r"カード|手札|山札|枚|体|回|人|ターン|捨|引|^連続|ダメージ|攻撃$|フェイズ|プレイヤー|[上下]限|^(?:数|札|条|章|点|値)$|^(?:card|player|turn|time|deck|hand|phase|step|token|copy|copies|it|they|"
    r"more|less|additional|other|at|each|rule|clause|section|total|maximum|minimum|number|of|is|this|that|these|those|which|what|there|in|on|to|up|for|the|a|an|with|and)$")


def _said_to_be_numbers(text: str) -> Iterator[str]:
    """Words of which a sentence says how much they are, or by how much they change."""
    for match in (*_IS_JA.finditer(text), *_IS_EN.finditer(text)):
        said = next(group for group in match.groups() if group)
        words = [w for w in singular(said).split() if w not in _STOPS and w != "whose"]
        if words and not any(_NO_NUMBER.search(w) for w in words) and said not in ZONES:
            yield " ".join(words)


def numbers_of(pieces: Sequence[Piece], stated: Sequence[Sequence[str]], names: Names, lang: Lang,
               zones: Sequence[Zone], cards: CardTable | None, prepared: Collection[int]) -> tuple[Number, ...]:
    """The numbers: the columns of a table of cards that have only numbers in them, words that are known for one, and words of which the
    draft says that they are a whole number, or go up and down. `stated`: of each clause the words of which it says how much they are; `prepared`:
    clauses about the preparation, by identity."""
    counts: Count[str] = Count()
    first: dict[str, str] = {}
    for piece, own in zip(pieces, stated, strict=True):
        for said, weight in (*_numbers_ja(piece.text, own), *_numbers_en(piece.text, own, lang)):
            said = singular(said)
            counts[said] += weight
            first.setdefault(said, piece.id)
    columns = ({singular(cards.headings[k]): [int(n) for n in cards.cells(k)] for k in cards.numeric}
               if cards is not None else {})
    for said in columns:
        counts[said] += len(pieces)
        first.setdefault(said, next((p.id for p in pieces if said in p.text.lower()), pieces[-1].id))
    named = {zone.said.ja for zone in zones}
    sentences = [(piece, said) for piece in pieces for said in re.split(r"[。\n]|\. ", piece.text)]
    found: list[Number] = []
    for said, count in counts.most_common():
        if count < 2 or len(found) == MOST_NUMBERS:
            break
        known: Counter | None = COUNTERS.get(said) or COUNTERS.get(said.lower()) or COUNTERS.get(f"{said}s")
        if said in named or (known is not None and known.name in names.given):
            continue
        wanted = known.name if known else name_of(said)
        name = names.give(wanted, "number", "points")
        start, most = _values(said, sentences, prepared)
        printed = (said in columns or (known is not None and known.printed and not columns)
                   or (known is None
                       and any(said in p.text and _LIKE_A_CARD.search(p.text) for p in pieces if p.id == first[said])))
        most = max([most, *columns.get(said, ())])
        shared = any(said in s.lower() and _SHARED.search(s) for _, s in sentences)
        english = known.english if known else wanted.replace("_", " ")
        found.append(
            Number(name, called(english if known and lang == "en" else said, english, lang), first[said], printed,
                   0 if printed else start, most, shared and not printed)
        )
    order = {piece.id: n for n, piece in enumerate(pieces)}
    return tuple(sorted(found, key=lambda number: order[number.clause]))


def _numbers_ja(text: str, stated: Sequence[str]) -> Iterator[tuple[str, int]]:
    yield from ((m["said"], 1) for m in _KNOWN_JA.finditer(text))
    yield from ((m["a"] or m["b"], 2) for m in _INTEGER.finditer(text))
    yield from ((m["said"] or m["b"], 1) for m in _CHANGED.finditer(text) if not _NO_NUMBER.search(m["said"] or m["b"]))
    yield from ((said, 2) for said in stated if not said.isascii())


def _numbers_en(text: str, stated: Sequence[str], lang: Lang) -> Iterator[tuple[str, int]]:
    if lang == "ja":
        return
    yield from ((m[0].lower(), 1) for m in _KNOWN_EN.finditer(text)
                if m[0].lower() not in ("tokens", "chips") or not re.search(r"[a-z] $", text[: m.start()]))
    yield from ((said, 1) for said in stated)


def _values(said: str, sentences: Sequence[tuple[Piece, str]], prepared: Collection[int]) -> tuple[int, int]:
    """The first value that the draft names, else 0; and the highest that is to be reckoned with."""
    start: int | None = None
    most = 10
    word = re.escape(said)
    forms = [re.compile(rf"{word}[^\d。.\n]{{0,8}}?(?P<n>\d{{1,5}})(?![\d-])", re.IGNORECASE), re.compile(rf"{word}は[^\d。\n]{{0,24}}(?P<n>\d{{1,5}})から始"),
             re.compile(rf"{word}[^\d.\n]{{0,16}}\b(?:begins?|starts?) (?:at|with) (?P<n>\d{{1,5}})", re.IGNORECASE), re.compile(rf"(?P<n>\d{{1,5}}) {word}s?\b", re.IGNORECASE)]
    for piece, sentence in sentences:
        for match in (m for form in forms for m in form.finditer(sentence)):
            value = int(match["n"])
            most = max(most, value)
            if start is None and (id(piece) in prepared or _FIRST.search(sentence)) and not _DECIDES.search(sentence):
                start = value
    start = min(start or 0, HIGHEST)
    return start, min(max(2 * start, most), HIGHEST)
