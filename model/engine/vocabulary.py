"""What a book calls the names of its rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ...spec.text import Text
from ..lang.world import YES, Word

MADE: Mapping[str, Text] = {
    "settle situations": Text(ja="条件が成り立つと行われること（situation）", en="what is done when it applies (situations)"),
    "run text": Text(ja="カードの文", en="texts of cards"), "run cost": Text(ja="カードのコスト", en="costs of cards"),
}
"""What the procedures are called that no rule of the book is (`lang/functions.py`)."""
BRACES = re.compile(r"\{\w*\}")
PLAYERS = (Text(ja="先攻", en="the first player"), Text(ja="後攻", en="the second player"))


def join(parts: Iterable[Text], ja: str = "、", en: str = ", ") -> Text:
    """The parts in a row."""
    parts = list(parts)
    return Text(ja=ja.join(p.ja for p in parts), en=en.join(p.en for p in parts))


@dataclass(frozen=True)
class Vocabulary:
    """What a book is called (`title`), and what it calls the names of its rules: fields, records, members (`Kind.EVENT`
    or `EVENT`), readings.

    A record's text may name its fields in braces: `{card}をプレイする`. `hidden` lists fields that are not shown (`State.crystals`: one of
    the state itself, not those of records that are called so), `counted` zones of which only the number of cards is told, `results` fields that clauses work out (scores): they are told
    with what the clauses say, not as a part of the position.
    `turn_player` is the field that holds whose turn it is; with it players are named by role. `seats` is what the
    book calls who goes first and who goes second, `roles` what it calls whose turn it is and whose it is not. `assumptions` is what
    findings about endless loops leave out, in words.
    """

    words: Mapping[str, Text] = field(default_factory=dict[str, Text])
    hidden: frozenset[str] = frozenset()
    counted: frozenset[str] = frozenset()
    results: frozenset[str] = frozenset()
    turn_player: str = "turn_player"
    seats: tuple[Text, Text] = PLAYERS
    roles: tuple[Text, Text] = (
        Text(ja="ターンプレイヤー", en="the turn player"),
        Text(ja="非ターンプレイヤー", en="the non-turn player"),
    )
    title: Text = field(default=Text.same(""))
    assumptions: tuple[Text, ...] = ()

    @cached_property
    def aliases(self) -> Mapping[str, str]:
        """Names of state fields by their Japanese words, for positions; members by theirs behind what they belong to (`Kind.イベント`)."""
        return {v.ja if k.islower() else f"{k.partition('.')[0]}.{v.ja}": k if k.islower() else k.partition(".")[2]
                for k, v in self.words.items() if "{" not in v.ja and (k.islower() or k.partition(".")[2].isupper())}

    def hides(self, field: str) -> bool:
        """Is a field of the state itself not shown?"""
        return not self.hidden.isdisjoint((field, f"State.{field}"))

    def of(self, name: str) -> Text:
        """The word for a name; the name itself where the book has none."""
        return self.words.get(name) or MADE.get(name) or Text(ja=name, en=name.replace("_", " "))

    def rule(self, name: str) -> Text:
        """The word for a rule by itself, whatever it is given: `…` stands for what its text names in braces."""
        word = self.of(name)
        return Text(ja=BRACES.sub("…", word.ja), en=BRACES.sub("…", word.en))


def figure(value: Word | tuple[Word, ...], word: Text) -> Text | None:
    """A number, or numbers, or something that is so, as printed on a card; None for what is no figure."""
    if isinstance(value, tuple):
        many = "・".join(x.text for x in value) if all(x.text.isdigit() for x in value) else ""
        return Text(ja=f"{word.ja}{many}", en=f"{word.en} {many}") if many else None
    if value.text.lstrip("+-").isdigit():
        return Text(ja=f"{word.ja}{value.text}", en=f"{word.en} {value.text}")
    return word if value.text in YES else None


def filled(word: Text, said: Mapping[str, Text]) -> Text:
    """The text with `{name}` replaced in both languages; unknown names stay."""
    ja, en = word.ja, word.en
    for name, v in said.items():
        ja, en = ja.replace(f"{{{name}}}", v.ja), en.replace(f"{{{name}}}", v.en)
    return Text(ja=ja, en=en)


FULL = re.compile(r"more than (\d+) in (\w+)")
"""What an end says of a container that can hold no more (`End.detail`)."""


def of_bound(detail: str, called: Callable[[str], Text]) -> Text:
    """What a bound is of, in words; of a container, also which limit of the scenario would have to be larger."""
    full = FULL.fullmatch(detail)
    if full is None:
        return Text.same(detail)
    most, name = full.groups()
    return Text(ja=f"{called(name).ja}が{most}件より多い。状況の「capacities: {{{name}: …}}」で増やせる",
                en=f"more than {most} in {called(name).en}; `capacities: {{{name}: …}}` of the scenario allows more")
