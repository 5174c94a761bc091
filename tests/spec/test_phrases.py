"""Card texts in sanctioned phrases: what they come to, what is refused and what to write instead, and where."""
from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import spec
from rulewright.spec.cards import Ability, Card
from rulewright.spec.diagnostics import BadInput, Collector, Position
from rulewright.spec.document import TextNode, compose_text
from rulewright.spec.filling import as_known
from rulewright.spec.normal import normal
from rulewright.spec.phrases import Anything, Number, Phrases, phrases, read_phrases
from rulewright.spec.schema import Located, read_text
from rulewright.spec.text import Text
from rulewright.spec.wording import Chart, example

SHIPPED = [Path(f) / "hanayome" / "phrases.yaml" for f in spec.__path__]

BOOK = """\
notes: "（）"
line: 行
columns:
  種類: {key: kind, values: {キャラ: character}}
kinds:
  数: {number: {from: 1, to: 9}}
  名: {anything: yes}
  行:
    - {phrase: "{印}{費用?}{条件*}{文+}", en: "{印}: {費用} {条件} {文}"}
    - phrase: "【{札印}】{人:人物+}"
      en: "{札印} {人}"
      card: {exclusive: $人.said}
  札印: [専用]
  印:
    - {phrase: 【自動】, en: Auto, kind: auto}
    - {phrase: 【起動】, en: Activated, kind: activated}
  人物:
    - {phrase: 一花, en: Ichika, gives: Person.一花}
    - {phrase: 二乃, en: Nino, gives: Person.二乃}
  費用:
    - {phrase: "[{費}]", en: "[{費}]", facts: {optional_cost: "yes"}}
  費:
    - phrase: 手札を{数}枚控え室に置く
      en: put {数} card(s) away
      payable: len(g.hand[you]) >= $数
      cost: pay(g, $数)
  条件:
    - {phrase: 登場した時、, en: when it enters, when: Entered, if: event.card == this}
    - {phrase: "{人物}がいるなら、", en: "if {人物} is there,", if: "there(g, $人物)"}
  文:
    - {phrase: "{効果}。", en: "{効果}."}
    - phrase: "{数}枚引いてよい。そうしたら、{次:効果}。"
      en: you may draw {数} card(s). If you do, {次}.
      text: |
        drawn = await draw_if_wanted(g, you, $数)
        if drawn:
            $次.text
  効果:
    - {phrase: "{数}枚引く", en: "draw {数} card(s)", text: "await draw_cards(g, you, $数)"}
    - phrase: 《{題:名}》を探す
      en: look for the card {題}
      facts: {speaks_of: $題}
      text: find(g, Name.$題)
    - phrase: "ターンの終わりに{後:効果}"
      en: at the end of the turn {後}
      text: at_turn_end(g, this)
      also:
        - kind: delayed
          text: $後.text
"""


def book(text: str = BOOK) -> Phrases:
    return read_text(text, "phrases.yaml", phrases)


def card_with(*texts: str) -> Card:
    lines = "\n".join(texts)
    node = compose_text("text: |\n" + "\n".join(f"  {t}" for t in lines.split("\n")), "cards.yaml", Collector())
    assert node is not None
    text = node.get("text")  # pyright: ignore
    assert isinstance(text, TextNode)
    return Card(Position("cards.yaml", 1, 1), Located("X-1", Position("cards.yaml", 1, 1)), Text.same("x"), (), {}, texts=(text,))


def said(*texts: str, of: Phrases | None = None) -> Card:
    report = Collector()
    card = as_known(card_with(*texts), of or book(), report)
    report.raise_if_any()
    return card


def only(text: str) -> Ability:
    (ability,) = said(text).abilities
    return ability


def refused(*texts: str, of: Phrases | None = None) -> list[str]:
    """What is said in Japanese, without the source lines."""
    with pytest.raises(BadInput) as e:
        said(*texts, of=of)
    return [line for d in e.value.diagnostics for line in (f"{d.position}: {d.message.ja}", *([d.hint.ja] if d.hint else []))]


def plain(script: TextNode | None) -> str:
    return "" if script is None else script.text


# ---------------------------------------------------------------- what a text comes to
def test_an_ability_of_all_parts() -> None:
    a = only("【自動】[手札を2枚控え室に置く]登場した時、一花がいるなら、3枚引く。1枚引く。")
    assert a.kind is not None and a.kind.text == "auto"
    assert plain(a.when) == "Entered"
    assert plain(a.if_) == "(event.card == this)\nand (there(g, Person.一花))"
    assert plain(a.payable) == "len(g.hand[you]) >= 2"
    assert plain(a.cost) == "pay(g, 2)"
    assert plain(a.text) == "await draw_cards(g, you, 3)\nawait draw_cards(g, you, 1)"
    assert a.facts["optional_cost"].value.text == "yes"  # pyright: ignore
    assert a.name is not None
    assert a.name.en == "Auto: [put 2 card(s) away] when it enters if Ichika is there, draw 3 card(s). Draw 1 card(s)."


def test_what_follows_only_if_something_was_done_stands_under_an_if() -> None:
    a = only("【起動】1枚引いてよい。そうしたら、2枚引く。")
    assert plain(a.text) == "drawn = await draw_if_wanted(g, you, 1)\nif drawn:\n    await draw_cards(g, you, 2)"


def test_a_phrase_may_bring_a_second_ability_along() -> None:
    first, second = said("【起動】ターンの終わりに2枚引く。").abilities
    assert plain(first.text) == "at_turn_end(g, this)"
    assert second.kind is not None and second.kind.text == "delayed"
    assert plain(second.text) == "await draw_cards(g, you, 2)"


def test_a_line_may_say_something_of_the_card_alone() -> None:
    card = said("【専用】一花二乃")
    assert card.abilities == ()
    assert [n.text for n in card.attributes["exclusive"].value] == ["一花", "二乃"]  # pyright: ignore


def test_a_name_in_brackets_is_known_to_the_ability() -> None:
    a = only("【起動】《秘密の手紙》を探す。")
    assert plain(a.text) == "find(g, Name.秘密の手紙)"
    assert a.facts["speaks_of"].value.text == "秘密の手紙"  # pyright: ignore


def test_places_in_scripts_are_where_they_were_written_but_in_the_text_where_it_says_a_part() -> None:
    a = only("【自動】登場した時、（注釈）　3枚引く。1枚引く。")
    assert a.text is not None and a.when is not None
    assert str(a.position) == "cards.yaml:2:3"
    assert str(a.when.position_in(1, 1)) == "phrases.yaml:28:50"
    assert [str(a.text.position_in(n, 5)) for n in (1, 2)] == ["cards.yaml:2:18", "cards.yaml:2:23"]


@pytest.mark.parametrize("written", [
    "【自動】登場した時、３枚引く。", "【自動】登場した時､3枚引く｡", "【 自動 】 登場した時、 3枚引く。", "【自動】登場した時,3枚引く．",
    "【自動】登場した時、3枚引く（おわり）。", "【自動】登場した時、＋3枚引く。",
])
def test_variants_of_signs_count_as_equal(written: str) -> None:
    assert plain(only(written).text) == "await draw_cards(g, you, 3)"


IN_ENGLISH = """\
line: line
kinds:
  number: {number: {from: 1, to: 9}}
  name: {anything: yes}
  line: [{phrase: "{when?}{do+}"}]
  when: [{phrase: "When you play {which} card,", when: Played, if: "$which"}]
  which: [{phrase: a, gives: "True"}, {phrase: the last, gives: last(g)}]
  do:
    - {phrase: "Deal {n:number} damage to all.", text: "deal(g, $n)"}
    - {phrase: "Look for {x:name} in your deck.", text: "find(g, Name.$x)"}
"""


@pytest.mark.parametrize("text", [
    "When you play the last card, Deal 2 damage to all. Look for Old Fern in your deck. Deal 3 damage to all.",
    "When you play  the last  card,Deal2damage to all.Look for Old Fern  in your deck. Deal 3 damage to all."])
def test_words_in_latin_letters_stand_apart_beside_slots(text: str) -> None:
    (a,) = said(text, of=book(IN_ENGLISH)).abilities
    assert (plain(a.when), plain(a.if_)) == ("Played", "last(g)")
    assert plain(a.text) == "deal(g, 2)\nfind(g, Name.Old Fern)\ndeal(g, 3)"


def test_an_english_text_goes_on_with_an_english_comma() -> None:
    with pytest.raises(BadInput) as told:
        said("When you play the last card", of=book(IN_ENGLISH))
    assert [d.hint.en for d in told.value.diagnostics if d.hint is not None] == ["go on with `,`"]


def test_an_example_is_written_as_its_phrase_is() -> None:
    of = book(IN_ENGLISH)
    assert [example(p, of) for p in of.all()] == [
        "Deal 2 damage to all.", "When you play a card,", "a", "the last", "Deal 2 damage to all.", "Look for in your deck."]


# ---------------------------------------------------------------- what is refused
@pytest.mark.parametrize(("text", "told"), [
    ("【自動】登場した時、3枚ひく。", ["cards.yaml:2:15: 「3枚ひく」は、登録された定型文ではありません（「ひく」から先が違います）", "もしかして「{数}枚引く」ですか"]),
    ("【自動】登場した時、三枚引く。", ["cards.yaml:2:13: 「三」は数字で書きます", "3 と書いてください"]),
    ("【自動】登場した時、12枚引く。", ["cards.yaml:2:13: ここに書ける数は 1 から 9 までです"]),
    ("【自動】登場した時、3枚引く", ["cards.yaml:2:17: 「3枚引く」は、途中で終わっています", "続けて「。」と書いてください"]),
    ("【自動】五月がいるなら、3枚引く。", ["cards.yaml:2:7: 「五月がいるなら、3枚引く」は、登録された定型文ではありません", "もしかして「{人物}がいるなら、」ですか"]),
    ("【専用】五月", ["cards.yaml:2:7: 「【専用】五月」は、登録された定型文ではありません（「五月」から先が違います）", "「人物」として書けるもの: 一花、二乃"]),
    ("【永続】花嫁力+1。", ["cards.yaml:2:4: 「【永続】花嫁力+1」は、登録された定型文ではありません（「永続】花嫁力+1」から先が違います）", "「札印」として書けるもの: 専用"]),
])
def test_another_wording_is_refused_with_what_to_write(text: str, told: list[str]) -> None:
    assert refused(text) == told


NESTED = """\
line: 行
kinds:
  数: {number: {from: 1, to: 9}}
  行: ["【誘発】{時}、{文+}", "【波】{文+}"]
  時: [この船が出た時, この船が沈んだ時]
  文: ["カードを{数}枚引く。", "自分の灯を{数}つ消す。"]
"""


@pytest.mark.parametrize(("text", "meant"), [
    ("【誘発】この船が出る時、カードを1枚引く。", "この船が出た時"),
    ("【波】相手の灯を1つ消す。", "自分の灯を{数}つ消す。"),
    ("【波】カードを2枚とる。", "カードを{数}枚引く。"),
    ("【誘爆】この船が出た時、カードを1枚引く。", "【誘発】{時}、{文+}"),
])
def test_what_was_meant_in_a_slot_is_told_rather_than_the_phrase_around_it(text: str, meant: str) -> None:
    with pytest.raises(BadInput) as told:
        said(text, of=book(NESTED))
    assert [d.hint.ja for d in told.value.diagnostics if d.hint is not None] == [f"もしかして「{meant}」ですか"]


def test_every_wrong_sentence_is_told_at_once() -> None:
    found = refused("【自動】登場した時、三枚引く。1枚引く。2枚ひく。", "【起動】5枚捨てる。")
    assert [line.split(": ")[0] for line in found if line.startswith("cards")] == ["cards.yaml:2:13", "cards.yaml:2:25", "cards.yaml:3:9"]


def test_an_ambiguous_text_is_a_mistake_of_the_phrases() -> None:
    of = book(BOOK + '    - {phrase: "{何枚}引く", text: "await draw_cards(g, you, $何枚)"}\n  何枚:\n    - {phrase: "{数}枚", gives: $数}\n')
    (told, hint) = refused("【起動】2枚引く。", of=of)
    assert told == "phrases.yaml:50:17: 「2枚引く」（cards.yaml:2:7）は、この定型文とも 39 行目の定型文とも読めます"
    assert hint == "どちらか一方にしか当てはまらないように、定型文を変えてください"


def test_a_text_in_a_book_without_phrases_is_refused() -> None:
    report = Collector()
    as_known(card_with("【自動】1枚引く。"), None, report)
    assert [d.code for d in report.diagnostics] == ["no-phrases"]


@pytest.mark.parametrize(("text", "code"), [
    ("【自動】登場した時、登場した時、1枚引く。", "two-triggers"),
])
def test_parts_that_exclude_each_other(text: str, code: str) -> None:
    with pytest.raises(BadInput) as e:
        said(text)
    assert [d.code for d in e.value.diagnostics] == [code]


# ---------------------------------------------------------------- phrases.yaml itself
@pytest.mark.parametrize(("old", "new", "code", "at"), [
    ("line: 行", "line: 文章", "unknown-kind", "2:7"),
    ("{費用?}", "{費用!}", "bad-slot", "9:20"),
    ("{費用?}", "{費用", "bad-slot", "9:16"),
    ("{条件*}", "{条けん*}", "unknown-kind", "9:25"),
    ("pay(g, $数)", "pay(g, $枚数)", "unknown-slot", "26:20"),
    ("手札を{数}枚", "手札を{数}枚{数}", "slot-twice", "23:22"),
    ("{phrase: 【起動】,", "{phrase: 【自動】,", "phrase-twice", "16:16"),
    ('"{数}枚引く"', '"{数}枚引く{効果}"', None, ""),
    ("ターンの終わりに{後:効果}", "{後:効果}ターンの終わりに", "begins-with-itself", "44:16"),
    ('"【{札印}】{人:人物+}"', '"{札印?}{人:人物*}"', "empty-phrase", "10:16"),
    ("number: {from: 1, to: 9}", "nomber: {from: 1, to: 9}", "unknown-key", "6:7"),
    ('notes: "（）"', "notes: 括弧", None, ""),
    ('notes: "（）"', "notes: （）（", "two-brackets", "1:8"),
])
def test_mistakes_in_phrases_are_told_where_they_stand(old: str, new: str, code: str | None, at: str) -> None:
    assert BOOK.count(old) == 1
    text = BOOK.replace(old, new)
    if code is None:
        book(text)
        return
    with pytest.raises(BadInput) as e:
        book(text)
    found = [(d.code, str(d.position).removeprefix("phrases.yaml:")) for d in e.value.diagnostics]
    assert (code, at) in found


# ---------------------------------------------------------------- properties
def derive(of: Phrases, kind: str, luck: random.Random, depth: int = 0) -> str:
    """A text that is of the kind, by lot."""
    match of.kinds[kind]:
        case Number(low, high):
            return str(luck.randint(low, high))
        case Anything():
            return "".join(luck.choice("手紙の秘密ABab一二") for _ in range(luck.randint(1, 6)))
        case options:
            p = luck.choice([p for p in options if depth < 8 or not any(s.kind == kind for s in p.slots)] or list(options))
    out: list[str] = []
    for part in p.parts:
        if isinstance(part, str):
            out.append(part)
            continue
        low, high = {"": (1, 1), "?": (0, 1), "*": (0, 2), "+": (1, 3)}[part.repeat]
        out += [derive(of, part.kind, luck, depth + 1) for _ in range(luck.randint(low, high if depth < 8 else max(low, 0)))]
    return "".join(out)


def wide(text: str, luck: random.Random) -> str:
    """Some characters in their full-width form."""
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" and luck.random() < 0.5 else c for c in text)


OF_ALL = [book(), *(read_phrases(p) for p in SHIPPED)]


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**9))
def test_every_text_made_of_phrases_is_read_in_one_way_and_in_any_width(seed: int) -> None:
    luck = random.Random(seed)
    of = luck.choice(OF_ALL)
    text = derive(of, of.line, luck)
    found = Chart(normal(text, of.notes).text, of).whole()
    assert found, text
    assert len(found) == 1, text
    assert [m.end for m in Chart(normal(wide(text, luck), of.notes).text, of).whole()] == [m.end for m in found]


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**9))
def test_a_slip_is_read_or_refused_within_the_text(seed: int) -> None:
    luck = random.Random(seed)
    of = luck.choice(OF_ALL)
    text = derive(of, of.line, luck)
    for _ in range(luck.randint(1, 3)):
        at = luck.randrange(len(text) + 1)
        text = text[:at] + luck.choice(["", "、", "。", "の", "【", "7", "[", "（", "ー", "x"]) + text[at + luck.randint(0, 2) :]
    report = Collector()
    if not text.strip():
        return
    as_known(card_with(text), of, report)
    for d in report.diagnostics:
        assert d.message.ja and d.message.en
        assert d.position is not None
        if d.position.file == "cards.yaml":
            assert d.position.line == 2 and 3 <= d.position.column <= len(text) + 3, d


@given(st.text(max_size=60))
def test_every_character_of_the_normal_form_has_its_place(text: str) -> None:
    form = normal(text)
    assert len(form.places) == len(form.text) + 1
    assert list(form.places) == sorted(form.places)
    assert all(0 <= p <= len(text) for p in form.places)
    assert not any(c.isspace() and c != " " for c in form.text)
