"""What a scenario scripts: for each player, wishes in order, of which the first that some option meets is followed.

`pass`: doing nothing. `yes`: yes to a question. `first`: whatever comes first. `Record CARD`: an option of that name that speaks of the card,
and `Record` any option of that name; of several, the first.
"""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...spec.diagnostics import Collector, Diagnostic, did_you_mean, nearest
from ...spec.document import TextNode
from ...spec.readers import Scenario
from ...spec.text import Text
from ..ir.types import Bool, RecordType, Role, Type, UnionType
from ..lang.source import Source
from ..lang.world import CardDef
from .placement import SIDES
from .state import Option
from .values import declines
from .vocabulary import Vocabulary, join

PASS, YES, FIRST = ("pass", "何もしない"), ("yes", "はい"), ("first", "先頭")
PLAIN = {name: names[0] for names in (PASS, YES, FIRST) for name in names}


@dataclass(frozen=True)
class Wish:
    """An option that a player takes by policy: `act` is `pass`, `yes`, `first`, or a record's name, of `card` if
    that is said."""

    act: str
    card: str | None = None

    @property
    def by_number(self) -> bool:
        """Can it depend on the numbers of cards which option is taken? Of options that differ in equal cards, the first
        is the one of the lowest number."""
        return self.act not in ("pass", "yes")

    def meets(self, t: Type, options: Sequence[Option], ids: Sequence[str]) -> tuple[Option, ...]:
        """The options to be taken, none if no option meets the wish; `ids` says what each card is."""
        if self.act == "pass":
            return tuple(o for o in options if declines(t, o))
        if self.act == "yes":
            return ((1,),) if isinstance(t, Bool) and (1,) in options else ()
        if self.act == "first":
            return tuple(options[:1])
        return tuple(o for o in options if self.speaks_of(t, o, ids))[:1]

    def speaks_of(self, t: Type, option: Option, ids: Sequence[str]) -> bool:
        """Is it the record's option, of the card?"""
        at = 0
        if isinstance(t, UnionType):
            _, at, t = t.offset(t.variants[option[0]].name)
        if not isinstance(t, RecordType) or t.name != self.act:
            return False
        flat = zip(t.flat(), option[at : at + t.width], strict=True)
        named = {ids[x] for of, x in flat if of.role in (Role.CARD, Role.OBJECT) and x >= 0}
        return self.card is None or self.card in named


Policies = Mapping[int, tuple[Wish, ...]]
"""Player → wishes; players without any are not scripted."""


def scripted(
    wishes: Sequence[Wish], t: Type, options: tuple[Option, ...], ids: Sequence[str]
) -> tuple[Option, ...]:
    """What is left of the options under a policy: all of them where no wish is met."""
    return next((found for w in wishes if (found := w.meets(t, options, ids))), options)


# ---------------------------------------------------------------- as people write them
def read_policies(
    scenario: Scenario, sources: Sequence[Source], cards: Mapping[str, CardDef], report: Collector
) -> Policies:
    """The policies of a scenario."""
    out: dict[int, tuple[Wish, ...]] = {}
    acts = sorted({name for s in sources for name in s.records})
    for who, said in scenario.policy.items():
        if who not in SIDES:
            report.add(
                Diagnostic(
                    said.position,
                    "policy-player",
                    Text(ja=f"`{who}` というプレイヤーはいません", en=f"there is no player `{who}`"),
                    Text(ja="`first`（先攻）か `second`（後攻）と書いてください", en="write `first` or `second`"),
                    who,
                )
            )
            continue
        if SIDES[who] in out:
            report.add(Diagnostic(said.key or said.position, "named-twice", Text(
                ja=f"「{who}」の方針は二度目です", en=f"`{who}` is a player whose policy is written above already",
            ), Text(ja="どちらかを消してください", en="delete one of them"), who))
        listed = (said.value,) if isinstance(said.value, TextNode) else said.value
        wishes = [read_wish(w, acts, cards, report) for w in listed]
        out[SIDES[who]] = tuple(w for w in wishes if w is not None)
    return out


def read_wish(node: TextNode, acts: Sequence[str], cards: Mapping[str, CardDef], report: Collector) -> Wish | None:
    """One wish."""
    act, _, card = node.text.strip().partition(" ")
    card = card.strip()
    if act in PLAIN and not card:
        return Wish(PLAIN[act])
    if act not in acts:
        report.add(Diagnostic(node.position, "policy", Text(
            ja=f"`{node.text}` という方針はありません", en=f"there is no policy `{node.text}`",
        ), Text(
            ja=f"`{near}` ではありませんか" if (near := nearest(act, [*acts, *PLAIN])) else
            "`pass`（何もしない）、`yes`（はい）、`first`（先頭のもの）か、行動の名前とカード番号を書いてください",
            en=f"did you mean `{near}`?" if near else "write `pass`, `yes`, `first`, or the name of an action and a card",
        ), node.text))
        return None
    if card and card not in cards:
        report.add(Diagnostic(node.position, "policy-card", Text(
            ja=f"カード {card} はありません", en=f"there is no card {card}",
        ), did_you_mean(card, list(cards)), card))
        return None
    return Wish(act, card or None)


# ---------------------------------------------------------------- in words
def in_words(policies: Policies, words: Vocabulary, cards: Mapping[str, CardDef]) -> tuple[Text, ...]:
    """The policies, as results state them."""
    if len(policies) == 2 and policies[0] == policies[1]:
        return (followed(Text(ja="両プレイヤーとも", en="both players"), True, policies[0], words, cards),)
    seats = [(words.seats[p], wishes) for p, wishes in sorted(policies.items())]
    return tuple(followed(Text(ja=f"{who.ja}は", en=who.en), False, wishes, words, cards) for who, wishes in seats)


def followed(who: Text, both: bool, wishes: Sequence[Wish], words: Vocabulary, cards: Mapping[str, CardDef]) -> Text:
    """What one player does by policy, or `both` do."""
    if wishes == (Wish("pass"),):
        return Text(ja=f"{who.ja}、何もしないことを選べるときは必ずそれを選ぶ",
                    en=f"{who.en} {'do' if both else 'does'} nothing wherever that is offered")
    said = join((wish_in_words(w, words, cards) for w in wishes), "、", "; ")
    first = "take the first of these that they can" if both else "takes the first of these that is possible"
    return Text(ja=f"{who.ja}、次の順で、できるものを選ぶ: {said.ja}", en=f"{who.en} {first}: {said.en}")


PLAINLY = {
    "pass": Text(ja="何もしない", en="do nothing"),
    "yes": Text(ja="はい", en="yes"),
    "first": Text(ja="（ほかの選択では）示された最初のもの", en="whatever comes first (in other choices)"),
}


def wish_in_words(wish: Wish, words: Vocabulary, cards: Mapping[str, CardDef]) -> Text:
    if wish.act in PLAINLY:
        return PLAINLY[wish.act]
    word = words.of(wish.act)
    if wish.card is None:
        card = Text(ja="どれか" if word.ja.startswith("{") else "（どれでも）", en="(any)")
    else:
        name = cards[wish.card].name
        card = Text(ja=f"「{name.ja}」", en=f"“{name.en}”")
    return Text(ja=filled(word.ja, card.ja, "（どれでも）"), en=filled(word.en, card.en, "(any)"))


def filled(text: str, card: str, whatever: str) -> str:
    """The text with the card in the place of cards, or the first one; in the others anything does."""
    place = "{card}" if "{card}" in text else next(iter(re.findall(r"\{\w+\}", text)), "{card}")
    return re.sub(r"\{\w+\}", whatever, text.replace(place, card, 1))
