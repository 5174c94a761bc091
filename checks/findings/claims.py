"""What a claim rests on, in words: sentences are made here, at the end, of what `record.Bounds` holds as data."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ...spec.text import Text
from .record import Assumption, Bounds, CheckResult, Given, NotAsked, Unasked

NAMED = 6
"""Cards, containers or conditions that are named in a sentence; of more, how many there are. All are in the data."""

QUESTION = {
    "conflicts": Text("条文の衝突", "conflicts"),
    "gaps": Text("規定漏れ", "gaps"),
    "norms": Text("規範の食い違い", "norms"),
    "dead": Text("使われる局面のない定め", "clauses without a use"),
    "lassos": Text("元へ戻る繰り返し", "loops that come back"),
    "growing": Text("増え続ける繰り返し", "loops that grow"),
    "order": Text("処理の順番", "orders"),
    "ends": Text("終わることの証明", "proofs that play ends"),
    "invariants": Text("守られるべき条件", "conditions that must hold"),
    "loops": Text("終わらない繰り返し", "endless loops"),
    "open": Text("決める人のいない選択", "choices that nobody owns"),
    "results": Text("勝敗などの判定", "results that are pronounced"),
    "plays": Text("くじで進めた対戦", "games played by lot"),
    "stops": Text("条文の衝突や規定漏れで止まりうる所", "places that can stop at a conflict or a gap"),
}
"""What was asked, by the word of `--only`; and what else is looked for (`Examined.question`)."""


def joined(texts: Sequence[Text]) -> Text:
    """Some of them in a row, and how many more there are."""
    some, more = texts[:NAMED], len(texts) - NAMED
    return Text(
        ja="、".join(x.ja for x in some) + (f" ほか{more}" if more > 0 else ""),
        en=", ".join(x.en for x in some) + (f" and {more} more" if more > 0 else ""))


# ---------------------------------------------------------------- what is taken as given
def worlds(assumptions: Sequence[Assumption]) -> Text | None:
    """The worlds that a claim is about, for a title; None where it is about no worlds, or about different ones."""
    sizes = dict.fromkeys(a.values[0] for a in assumptions if a.kind is Given.CARDS)
    if len(sizes) != 1:
        return None
    (most,) = sizes
    return Text(ja=f"カード{most}枚までの世界", en=f"worlds of up to {cards(most)}")


def cards(count: str) -> str:
    return f"{count} {'card' if count == '1' else 'cards'}"


def ranges(assumptions: Sequence[Assumption]) -> Text | None:
    """The ranges of numbers that a claim rests on, for a title."""
    found = [(x, *a.values) for a in assumptions if a.kind is Given.NUMBERS for x in a.what]
    if not found:
        return None
    return Text(
        ja="、".join(f"{x.ja}が{lo}から{hi}" for x, lo, hi in found),
        en=", ".join(f"{x.en} from {lo} to {hi}" for x, lo, hi in found),
    )


def given(a: Assumption) -> Text:
    """An assumption as a phrase."""
    said = phrase(a)
    if not a.questions:
        return said
    asked = [QUESTION.get(q, Text.same(q)) for q in a.questions]
    return Text(ja=f"{'・'.join(q.ja for q in asked)}: {said.ja}", en=f"{', '.join(q.en for q in asked)}: {said.en}")


def phrase(a: Assumption) -> Text:
    """What is taken as given, as a phrase."""
    v, what = a.values, joined(a.what)
    match a.kind:
        case Given.CARDS:
            those = Text(ja=f"（{what.ja}）" if a.what else "", en=f" ({what.en})" if a.what else "")
            most, *count = v
            if count:
                return Text(ja=f"カード{most}枚までの世界{count[0]}個{those.ja}", en=f"{count[0]} {'world' if count[0] == '1' else 'worlds'} of up to {cards(most)}{those.en}")
            return Text(ja=f"カードは{most}枚まで{those.ja}", en=f"there are up to {cards(most)}{those.en}")
        case Given.ENTRIES:
            return Text(ja=f"待機中や進行中の物はそれぞれ{v[0]}件まで（{what.ja}）", en=f"up to {v[0]} at a time of what waits or is in progress ({what.en})")
        case Given.NUMBERS:
            return Text(ja=f"{what.ja}は{v[0]}から{v[1]}", en=f"{what.en} {'is' if len(a.what) == 1 else 'are'} from {v[0]} to {v[1]}")
        case Given.CAPS:
            return Text(ja="数は規則に書かれた範囲にある（状況の `caps` で広げていない）", en="numbers lie in the ranges that the rules state (not widened by `caps` of a scenario)")
        case Given.FIELDS:
            return Text(ja=f"初めの値のままのもの: {what.ja}", en=f"as at first: {what.en}")
        case Given.CONDITIONS:
            return Text(ja=f"守られるべき条件が成り立っている（{what.ja}）", en=f"the conditions that must hold do hold ({what.en})")
        case Given.READINGS:
            return READINGS[v[0]] if not a.what else Text(ja=f"{what.ja} → {v[1]}", en=f"{what.en} → {v[1]}")
        case Given.DECKS:
            return DECKS[v[0]]
        case Given.GAME:
            return Text(ja=f"状況 {v[0]} のカード{v[1]}枚で、準備から始まる対戦", en=f"plays from the preparation with the {v[1]} cards of {v[0]}")
        case Given.NESTING:
            return Text(ja=f"手続きの重なりは{v[0]}段まで", en=f"procedures nest up to {v[0]} deep")
        case Given.STEPS:
            return Text(ja=f"一巡は{v[0]}手順まで、ターンの中で", en=f"a round has up to {v[0]} steps, within a turn")
        case Given.ALONE:
            return Text(ja=f"始めに待機しているのは{v[0]}件まで、ほかに進行中の物はない",
                        en=f"at the beginning up to {v[0]} wait, and nothing else is under way")


READINGS = {
    "any": Text("与えられていない解釈は、どの答えでもよい", "readings that are not given have any answer"),
    "default": Text("与えられていない解釈は、既定の答え", "readings that are not given have their default answers"),
}
DECKS = {
    "given": Text("山札は、この状況に書かれた順", "the decks lie in the order that the situation gives"),
    "all": Text("山札は、あらゆる順", "the decks lie in each order"),
    "lazy": Text("山札の順は誰も知らず、引くたびに偶然が決める", "nobody knows the order of the decks; chance decides what is drawn"),
}


# ---------------------------------------------------------------- what was not asked
def place(one: NotAsked) -> Text:
    """A place of which nothing is said: its clauses, and what the rule is called."""
    clauses = " ".join(one.clauses)
    return Text(
        ja=f"{clauses}（{one.name.ja}）" if clauses else one.name.ja,
        en=f"{clauses} ({one.name.en})" if clauses else one.name.en,
    )


def because(one: NotAsked) -> Text:
    """Why a place was not asked about."""
    what, v = joined(one.what), one.values
    aside = Text(ja=f"（{what.ja}）" if one.what else "", en=f" ({what.en})" if one.what else "")
    match one.reason:
        case Unasked.HELD:
            return Text(ja=f"そのとき持っている値{aside.ja}による。起こらないことは示せていない",
                        en=f"it depends on what is held at that moment{aside.en}; that it cannot come about was not shown")
        case Unasked.WAITING:
            return Text(ja="待機中の物による。起こらないことは示せていない",
                        en="it depends on what waits; that it cannot come about was not shown")
        case Unasked.CHANCE:
            return Text(ja="偶然が決める所。選ぶものがない場合が起こらないことは示せていない",
                        en="luck decides here; that it never has nothing to decide between was not shown")
        case Unasked.SHARED:
            return Text(ja="条番号がほかの所と同じか、ない。それらと区別して調べられない",
                        en="it has the clauses of other places, or none, so that it cannot be asked about apart from them")
        case Unasked.TOLD:
            return Text(ja="手続きの途中で起こるかどうかは、持っている値による。起こらないことは示せていない",
                        en="a procedure comes to it with values of its own; that it cannot come about was not shown")
        case Unasked.MORE_CARDS:
            return Text(ja=f"カードが{v[0]}枚より多いか、待機中の物が{v[1]}件より多ければ起こるかもしれない",
                        en=f"with more than {v[0]} cards, or more than {v[1]} of what waits, it might come about")
        case Unasked.WIDE:
            return Text(ja=f"範囲の書かれていない数が{v[0]}から{v[1]}の外なら起こるかもしれない",
                        en=f"with a number of no stated range outside {v[0]} to {v[1]} it might come about")
        case Unasked.CARRIED_OUT:
            return Text(ja=f"状況 {'、'.join(v)} では実際に行われるので、調べた世界が小さすぎる",
                        en=f"{', '.join(v)} carries it out, so the worlds that were asked about are too small")
        case Unasked.UNUSED:
            return Text(ja="調べた世界では使われない。ほかの世界のことは分からない",
                        en="nothing uses it in the worlds that were asked about; of others nothing is known")
        case Unasked.KIND:
            return Text(ja="この種の問いはまだない", en="questions of this kind are not asked yet")


def asked_only(bounds: Bounds) -> bool:
    """Was nothing explored, but questions asked about positions?"""
    return not bounds.states and any(a.kind is not Given.DECKS for a in bounds.assumptions)


def together(bounds: Sequence[Bounds]) -> tuple[tuple[Assumption, ...], tuple[NotAsked, ...]]:
    """What several results take as given, and what none of them says anything of, each once."""
    return (
        tuple(dict.fromkeys(a for b in bounds for a in b.assumptions)),
        tuple(dict.fromkeys(x for b in bounds for x in b.not_asked)),
    )


def looked_at(results: Iterable[CheckResult]) -> dict[str, int]:
    """How often the results had a chance to find each thing that was looked for; what had none in any of them was not examined."""
    chances = Counter[str]()
    for one in results:
        for examined in one.examined:
            if examined.question:
                chances[examined.question] += examined.count
    return dict(chances)


UNTOLD = Text(ja="見つけたが手順を示す時間がなかったもの", en="found, but there was no time to tell the plays")
"""What a row of what was examined counts, if it is not zero."""


def untold(results: Iterable[CheckResult]) -> int:
    """How much was found of which no play is told: it is no finding, and not nothing."""
    return sum(row.count for one in results for row in one.examined if row.what == UNTOLD)
