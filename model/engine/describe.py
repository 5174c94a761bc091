"""States, options and changes in the words of the book, in Japanese and English."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import product

from ...spec.text import Text
from ..ir import nodes as ir
from ..ir import types as t
from ..ir.flow import calls_of, members, spread
from ..ir.program import (
    Container,
    Fields,
    Function,
    Keyed,
    Leaf,
    PlaceNode,
    Program,
    Zones,
    entries,
    place_number,
    size,
    unkeyed,
)
from ..lang.world import AbilityDef, CardDef, Word, World
from .state import CHANCE, OPEN, READING, End, Option, Point, State
from .vocabulary import Vocabulary, figure, filled, join, of_bound

LUCK = Text(ja="偶然", en="chance")
NONE = Text(ja="なし", en="none")
TURN = 3
"""The scope of procedures that are turns."""
MOST_KINDS = 4
"""Kinds of cards of a zone that are named where a position is told briefly."""
ENDINGS: Mapping[str, Text] = {
    "draw": Text(ja="引き分け", en="a draw"),
    "gap": Text(ja="規定漏れ", en="the rules are silent"),
    "conflict": Text(ja="条文の衝突", en="clauses conflict"),
    "not modelled": Text(ja="まだ取り込んでいない条", en="a clause that is not encoded yet"),
    "bound": Text(ja="調べる範囲の外", en="beyond the bounds"),
    "fault": Text(ja="ルールの取り込みの不備", en="a defect of the encoding"),
    "over": Text(ja="調べる範囲の終わりまで進む", en="play reaches the end of what was examined"),
}
"""What is said of ends; of all but the first and the last with a detail."""
YES, NO = Text(ja="はい", en="yes"), Text(ja="いいえ", en="no")


class Describer:
    """Says in words what states of one program hold."""

    def __init__(self, program: Program, world: World, words: Vocabulary) -> None:
        self.program = program
        self.world = world
        self.words = words
        self.layout = program.layout
        self.functions = list(program.functions.values())
        self.turn_slot, self.turn_number_slot = (
            node.base if isinstance(node := self.layout.fields.get(name), Leaf) and not node.keys else None
            for name in (words.turn_player, "turn_number")
        )

    @cached_property
    def coming_to_turns(self) -> frozenset[int]:
        """The procedures that come to a turn, by number."""
        functions = self.program.functions.items()
        found = spread(
            {name: int(fn.scope == TURN) for name, fn in functions}, {name: calls_of(fn) for name, fn in functions})
        return frozenset(n for n, (name, _) in enumerate(functions) if found[name])

    def in_turn(self, state: State) -> bool:
        """Is a turn under way?"""
        return any(self.functions[frame[0]].scope == TURN for frame in state.frames)

    def before_turns(self, state: State) -> bool:
        """Is it nobody's turn, because what is under way (the preparation) comes before a turn and in none?"""
        reaching = [frame[0] in self.coming_to_turns for frame in state.frames]
        return any(reaching) and not all(reaching) and not self.in_turn(state)

    @cached_property
    def zone_names(self) -> Mapping[int, Text]:
        return {z: Z for f, n in self.layout.fields.items() for z, Z in self._zones(f, n)}

    def _zones(self, name: str, node: PlaceNode) -> Iterable[tuple[int, Text]]:
        if not isinstance(node := unkeyed(node), Zones):
            return
        for combo in product(*(range(size(k)) for k in node.keys)):
            said = [
                (isinstance(k, t.PlayerType), self.value(k, c + k.lo)) for k, c in zip(node.keys, combo, strict=True)
            ]
            who, rest = ([w for of_player, w in said if of_player is wanted] for wanted in (True, False))
            word = self.words.of(name)
            yield node.base + place_number(node.keys, combo), Text(
                ja="".join(f"{w.ja}の" for w in who) + word.ja + "".join(r.ja for r in rest),
                en="".join(f"{w.en}'s " for w in who) + word.en + "".join(f" {r.en}" for r in rest))

    # ------------------------------------------------------------ values
    def player(self, p: int, state: State | None = None) -> Text:
        """A player: by seat, and by role where the state tells whose turn it is."""
        seat = self.words.seats[p]
        if state is None or self.turn_slot is None or not state.slots or self.before_turns(state):
            return seat
        role = self.words.roles[0 if state.slots[self.turn_slot] == p else 1]
        return Text(ja=f"{role.ja}（{seat.ja}）", en=f"{role.en} ({seat.en})")

    def card(self, c: int) -> Text:
        """A card by its name."""
        name = self.world.cards[c].definition.name
        return Text(ja=f"「{name.ja}」", en=f"“{name.en}”")

    def cards(self, cards: Iterable[int]) -> Text:
        """Cards by their names, those of one name together."""
        return join(
            Text(ja=f"{name.ja}×{n}", en=f"{name.en} ×{n}") if n > 1 else name
            for name, n in Counter(map(self.card, cards)).items()
        )

    def card_text(self, card: CardDef) -> Text:
        """What is printed on a card: its figures, as far as the book has words for them, and its texts."""
        figures = join(said for key, value in card.attributes.items() if (said := self.printed(key, value)) is not None)
        texts = join((a.name for a in card.abilities if a.name is not None), "／", " / ")
        return Text(
            ja=f"「{card.name.ja}」" + (f"（{figures.ja}）" if figures.ja else "") + (f" {texts.ja}" if texts.ja else ""),
            en=f"“{card.name.en}”" + (f" ({figures.en})" if figures.en else "") + (f": {texts.en}" if texts.en else ""))

    def printed(self, key: str, value: Word | tuple[Word, ...]) -> Text | None:
        """Something printed on a card: a figure, or a word that the book tells (`Printed.subtype full-power`)."""
        if not isinstance(value, tuple) and (said := self.words.words.get(f"Printed.{key} {value.text}")) is not None:
            return said
        word = self.words.words.get(f"Printed.{key}")
        return None if word is None else figure(value, word)

    def zone(self, z: int) -> Text:
        """A zone by its name."""
        return self.zone_names.get(z, NONE)

    def value(self, of: t.Type, v: int) -> Text:
        """A scalar."""
        match of:
            case t.OptionType(inner=inner, none=none):
                return NONE if v == none else self.value(inner, v)
            case t.Bool():
                return YES if v else NO
            case t.CardType() | t.ObjType():
                return self.card(v) if 0 <= v < len(self.world.cards) else NONE
            case t.PlayerType():
                return self.words.seats[v]
            case t.ZoneType():
                return self.zone(v)
            case t.AbilityType():
                return self.ability(v)
            case t.RefType():
                return Text(ja=f"{v + 1}番", en=f"no. {v + 1}")
            case t.EnumType(members=names, name=name):
                key = f"{name}.{names[v]}"
                return self.words.words.get(key) or self.words.of(names[v])
            case t.SetType(inner=inner):
                inside = [self.value(inner, k + inner.lo) for k in members(v)]
                return join(inside) if inside else NONE
            case _:
                return Text(ja=str(v), en=str(v))

    def ability(self, a: int) -> Text:
        """An ability, by the card that has it; where that has several of a kind, with its text."""
        ability, card = self.world.abilities[a], self.bearer(a)
        kind = self.kind(ability)
        if kind is not None and sum(self.kind(other) == kind for other in card.abilities) == 1:
            return Text(ja=f"「{card.name.ja}」の{kind.ja}能力", en=f"the {kind.en} ability of “{card.name.en}”")
        if len(card.abilities) > 1 and ability.name is not None:
            return Text(ja=f"「{card.name.ja}」の〈{ability.name.ja}〉", en=f"“{card.name.en}” <{ability.name.en}>")
        return Text(ja=f"「{card.name.ja}」の能力", en=f"the ability of “{card.name.en}”")

    def kind(self, ability: AbilityDef) -> Text | None:
        """What kind of ability it is, if the book has a word for that (`Ability.kind auto`)."""
        facts = (
            self.words.words.get(f"Ability.{fact} {x.text}") for fact, x in ability.facts.items() if isinstance(x, Word)
        )
        return next((word for word in facts if word is not None), None)

    def bearer(self, a: int) -> CardDef:
        """The card that has an ability."""
        return next(d for d in self.world.definitions if self.world.abilities[a] in d.abilities)

    def bundle(self, of: t.Type, parts: Option) -> Text:
        """A value of any type, flattened."""
        match of:
            case t.UnionType(variants=variants):
                _, at, record = of.offset(variants[parts[0]].name)
                return self.bundle(record, parts[at : at + record.width])
            case t.RecordType(name=name):
                word = self.words.of(name)
                said = {f: self.named(f, self.bundle(ft, tuple(part))) for f, ft, part in of.parts(parts)}
                shown = filled(word, said)
                told = join(x for x in said.values() if x.ja or x.en)  # of a cause that nothing is read of there is nothing to tell
                if told.en and name not in self.words.words:
                    return Text(ja=f"{shown.ja}（{told.ja}）", en=f"{shown.en} ({told.en})")
                return shown
            case t.CauseType():
                return Text(ja="", en="")
            case _:
                return join(self.value(s, v) for s, v in zip(of.flat(), parts, strict=False))

    def named(self, field: str, value: Text) -> Text:
        """The value of a field; for none, what the book calls that (`effect none`), if it says so."""
        return self.words.words.get(f"{field} none", value) if value == NONE else value

    def call(self, name: str, args: Sequence[int]) -> Text | None:
        """What it means that a procedure is carried out, where the book has a word for that (`call resolve`). In it, a
        parameter that is a record stands for its first field."""
        word = self.words.words.get(f"call {name}")
        if word is None:
            return None
        said = {x.name: self.named(x.name, self.value(x.type, v))
                for x, v in reversed([*zip(self.program.functions[name].locals, args, strict=False)])}
        return filled(word, dict(reversed(said.items())))  # in order: a record's word has its fields in it

    def carried_out(self, calls: Iterable[tuple[str, Sequence[int]]], told: Sequence[Text]) -> tuple[Text, ...]:
        """The abilities whose texts were carried out, where nothing that is told of the step names the card."""
        abilities = dict.fromkeys(args[0] for name, args in calls if name == "run text")
        silent = (a for a in abilities if not any(f"“{self.bearer(a).name.en}”" in x.en for x in told))
        return tuple(Text(ja=f"{x.ja}を処理", en=f"{x.en} is carried out") for x in map(self.ability, silent))

    def prevented(self, action: Function, args: Sequence[int], clauses: Sequence[str]) -> Text:
        """That an action is forbidden and not done: by the book's word for it, and what it was to be done to."""
        name = self.words.of(action.rule)
        to = [
            self.value(x.type, v)
            for x, v in zip(action.locals, args, strict=False)
            if isinstance(x.type, t.CardType | t.ObjType | t.PlayerType)
        ]
        of = " ".join(clauses)
        return Text(
            ja=f"{of}で禁止されているため、行われない: {name.ja}（{'、'.join(x.ja for x in to)}）",
            en=f"forbidden by {of}, so not done: {name.en} ({', '.join(x.en for x in to)})")

    def entry(self, key: str, of: t.Type, entry: Sequence[int]) -> Text | None:
        """An entry of a multiset by the book's word for it; None where it has none."""
        word = self.words.words.get(key)
        if word is None or not isinstance(of, t.RecordType):
            return None
        return filled(word, {f: self.bundle(ft, tuple(part)) for f, ft, part in of.parts(entry)})

    def option(self, at: Point, option: Option) -> Text:
        """What taking the option means."""
        if at.reading:
            alternative = self.program.readings[at.reading][option[0]]
            return self.words.words.get(f"{at.reading}={alternative}") or Text(
                ja=f"解釈 {at.reading} = {alternative}", en=f"reading {at.reading} = {alternative}"
            )
        if at.type is None:
            return Text(ja="", en="")
        said = self.bundle(at.type, option)
        if isinstance(at.type, t.RecordType | t.UnionType | t.Bool) or len(option) != 1:
            return said
        if said == NONE:
            return Text(ja="選ばない", en="chooses nothing")
        return Text(ja=f"{said.ja}を選ぶ", en=f"chooses {said.en}")

    def taken(self, state: State, at: Point, option: Option) -> Text:
        """What taking the option means, with what is asked for: by the book's word for the choice (`choose place_it`, the rule
        in which it stands, or `choose lane`, what the rule calls the answer; `choose pays yes` of yes or no), and by the card
        on whose behalf it is."""
        said = self.option(at, option)
        if at.type is None or at.reading or not state.frames:
            return said
        number, pc, *_ = state.frames[-1]
        fn = self.functions[number]
        instr = fn.code[pc]
        local = fn.locals[instr.locals[0]].name if isinstance(instr, ir.Choose) and len(instr.locals) == 1 else ""
        answer = (" yes" if option[0] else " no") if isinstance(at.type, t.Bool) else ""
        word = self.words.words.get(f"choose {fn.rule}{answer}") or self.words.words.get(f"choose {local}{answer}")
        bare = len(option) == 1 and not isinstance(at.type, t.RecordType | t.UnionType)
        value = self.value(at.type, option[0]) if bare else NONE
        if word is not None and value != NONE:
            said = filled(word, {"value": value})
        elif at.owner == CHANCE and value != NONE:
            said = Text(ja=f"{value.ja}に決まる", en=f"{value.en} comes up")
        ability = self.on_behalf(state)
        if ability is None or not bare:
            return said
        card = self.bearer(ability).name
        return Text(ja=f"「{card.ja}」により、{said.ja}", en=f"{said.en} (by “{card.en}”)")

    def taken_apart(self, state: State, at: Point) -> list[Text]:
        """What taking each option means; where two would read the same, with where their cards lie, or whose they are."""
        said = [self.taken(state, at, o) for o in at.options]
        alike = Counter(said)
        placed = [self.with_places(state, at, option, text) for text, option in zip(said, at.options, strict=True)]
        apart = {text for text in alike if len({p for t, p in zip(said, placed, strict=True) if t == text}) > 1}
        return [p if text in apart else text for text, p in zip(said, placed, strict=True)]

    def with_places(self, state: State, at: Point, option: Option, said: Text) -> Text:
        """The text, with where the cards of the option lie."""
        if isinstance(at.type, t.UnionType):
            _, first, variant = at.type.offset(at.type.variants[option[0]].name)
            flat, option = variant.flat(), option[first : first + variant.width]
        else:
            flat = at.type.flat() if at.type is not None else ()
        where: list[Text] = []
        for of, value in zip(flat, option, strict=False):
            inner = of.inner if isinstance(of, t.OptionType) else of
            if isinstance(inner, t.CardType | t.ObjType) and 0 <= value < self.layout.card_count:
                where.append(self.zone(state.slots[self.layout.location + value]))
            elif isinstance(inner, t.PlayerType) and value in (0, 1):
                where.append(self.value(inner, value))
        told = join(dict.fromkeys(where))
        return Text(ja=f"{said.ja}（{told.ja}）", en=f"{said.en} ({told.en})") if where else said

    def asked_by(self, state: State) -> tuple[tuple[str, ...], Text | None]:
        """By what something is decided here: the clauses, and the ability on whose behalf, if it is a card's."""
        if state.end is not None or not state.frames:
            return (), None
        number, pc, *_ = state.frames[-1]
        ability = self.on_behalf(state)
        return self.functions[number].code[pc].at.clauses, None if ability is None else self.ability(ability)

    def on_behalf(self, state: State) -> int | None:
        """The ability of a card that is being carried out, the innermost one."""
        names = (self.functions[frame[0]].name for frame in reversed(state.frames))
        scripts = [name.partition(" ")[2] for name in names if " " in name]
        return next((a for a, ability in enumerate(self.world.abilities) if scripts and ability.id == scripts[0]), None)

    def decider(self, at: Point, state: State) -> Text | None:
        """Who decides; None where nobody does."""
        if at.owner >= 0:
            return self.player(at.owner, state)
        if at.owner == OPEN and at.clause:
            return Text(ja=f"未規定（{at.clause}）", en=f"nobody named ({at.clause})")
        return {
            CHANCE: LUCK,
            OPEN: Text(ja="未規定", en="nobody named"),
            READING: Text(ja="解釈", en="the reading"),
        }.get(at.owner)

    def ending(self, end: End) -> Text:
        """How play ended."""
        if end.kind == "win":
            w = self.words.seats[end.who]
            return Text(ja=f"{w.ja}の勝利", en=f"{w.en} wins")
        if end.kind in ("draw", "over"):
            return ENDINGS[end.kind]
        nothing = Text(ja="条なし", en="no clause") if end.kind == "gap" else Text.same("")
        said, of = ENDINGS[end.kind], of_bound(end.detail, self.words.of)
        return Text(ja=f"{said.ja}（{of.ja or nothing.ja}）", en=f"{said.en} ({of.en or nothing.en})")

    # ------------------------------------------------------------ changes
    def changes(self, before: State, after: State, plainly: bool = False) -> tuple[Text, ...]:
        """What is different, in the book's terms: cards that moved, then fields. Told `plainly`: without what clauses work
        out, of what there was none before only what there is now, and cards of one name together."""
        if not after.slots or not before.slots:
            return ()
        out: list[Text] = []
        first, n, zones = self.layout.location, self.layout.card_count, self.layout.zones
        lay, lie = (s.slots[first : first + n] for s in (before, after))
        count_only = [zone.field in self.words.counted for zone in zones]
        had, has = Counter(lay), Counter(lie)
        for z, counted in enumerate(count_only):
            if counted and had[z] != has[z]:
                name = self.zone(z)
                out.append(Text(ja=f"{name.ja} {had[z]}→{has[z]}", en=f"{name.en} {had[z]} → {has[z]}"))
        routes = Counter((a, b) for a, b in zip(lay, lie, strict=True) if a != b)
        for (a, b), many in routes.items():
            if a >= 0 and b >= 0 and count_only[a] and count_only[b]:
                continue
            x, y = self.zone(a), self.zone(b)
            family = zones[b].field, zones[b].player
            alike = [r for r in routes if r[0] == a and (zones[r[1]].field, zones[r[1]].player) == family]
            if len(alike) > 2:
                if (a, b) == alike[0]:
                    many, y = sum(routes[r] for r in alike), self.words.of(zones[b].field)
                    out.append(Text(ja=f"{many}枚が{x.ja}から{y.ja}へ", en=f"{many} cards from {x.en} to {y.en}s"))
                continue
            cards = [c for c in range(n) if (lay[c], lie[c]) == (a, b)]
            who = (
                (self.cards(cards) if plainly else join(map(self.card, cards)))
                if many <= 2
                else Text(ja=f"{many}枚", en=f"{many} cards")
            )
            out.append(Text(ja=f"{who.ja}が{x.ja}から{y.ja}へ", en=f"{who.en} from {x.en} to {y.en}"))
        for f, shown in self.shown.items():
            if f == self.words.turn_player or (plainly and f in self.words.results):
                continue
            for name, slot, of in shown:
                a, b = before.slots[slot], after.slots[slot]
                if a != b:
                    x, y = self.value(of, a), self.value(of, b)
                    now = Text(ja=f"{name.ja}: {y.ja}", en=f"{name.en}: {y.en}")
                    out.append(now if plainly and x == NONE else Text(
                        ja=f"{name.ja} {x.ja}→{y.ja}", en=f"{name.en} {x.en} → {y.en}"))
        return tuple(out)

    @cached_property
    def told_slots(self) -> frozenset[int]:
        """The slots of which `changes` tells: where cards lie, shown fields, how much waits."""
        layout = self.layout
        scalars = (
            slot
            for f, of in self.shown.items()
            if f != self.words.turn_player and f not in self.words.results
            for _, slot, _ in of
        )
        return frozenset((*range(layout.location, layout.location + layout.card_count), *scalars))

    @cached_property
    def shown(self) -> Mapping[str, Sequence[tuple[Text, int, t.Type]]]:
        """The scalars of each field that is shown, of multisets how much they hold; putting their labels together takes long."""
        fields = {f: n for f, n in self.layout.fields.items() if not self.words.hides(f)}
        sizes = {f: ((self.words.of(f), n.info.head, t.ANY_INT),) for f, n in fields.items()
                 if isinstance(n, Container) and not n.info.is_pool and self.words.of(f).ja}
        return {f: sizes.get(f) or tuple(self.scalars(f, n)) for f, n in fields.items()}

    def scalars(self, name: str, node: PlaceNode, label: Text | None = None) -> Iterable[tuple[Text, int, t.Type]]:
        """All scalars of a field (containers and zones aside): label, slot, type."""
        label = label or self.words.of(name)
        match node:
            case Keyed(of=inner):
                yield from self.scalars(name, inner, label)
            case Fields(nodes=nodes):
                for f, inner in nodes:
                    w = self.words.of(f)
                    if f not in self.words.hidden:
                        yield from self.scalars(f, inner, w)
            case Leaf(base=base, type=of, keys=keys):
                for combo in product(*(range(size(k)) for k in keys)):
                    said = [self.value(k, c + k.lo) for k, c in zip(keys, combo, strict=True)]
                    yield self.labelled(name, label, said), base + place_number(keys, combo), of

    def labelled(self, name: str, label: Text, keys: Sequence[Text]) -> Text:
        """A field with what it is for: `… at` says where in its name that is put."""
        if not keys:
            return label
        if (at := self.words.words.get(f"{name} at")) is not None:
            return Text(ja=at.ja.format(*(k.ja for k in keys)), en=at.en.format(*(k.en for k in keys)))
        return Text(ja="".join(f"{k.ja}の" for k in keys) + label.ja, en="".join(f"{k.en}: " for k in keys) + label.en)

    # ------------------------------------------------------------ the position
    def position(
        self, state: State, brief: bool = False, begun: Sequence[int] = (), also: Collection[int] = (),
    ) -> Text:
        """The position, drawn as lines of text: each zone that has cards, each field that is not as at first, or not as it was when
        play `begun`, or whose slot is asked for (`also`). `brief`: of piles of which only the number of cards is told, only that; of all
        such zones also that there is none; of others a few kinds."""
        lines: list[Text] = []
        first, n = self.layout.location, self.layout.card_count
        for z, info in enumerate(self.layout.zones):
            cards = [c for c in range(n) if state.slots[first + c] == z]
            name = self.zone(z)
            if brief and info.field in self.words.counted and (info.ordered or not cards):
                lines.append(Text(ja=f"{name.ja} {len(cards)}枚", en=f"{name.en} ({len(cards)})"))
                continue
            if not cards:
                continue
            if info.ordered:
                cards.sort(key=lambda c: -state.slots[self.layout.rank + c])
            kinds = {
                c.id: [d for d in cards if self.world.cards[d].definition.id == c.id]
                for c in (self.world.cards[d].definition for d in cards)
            }
            more = len(kinds) - MOST_KINDS if brief and len(kinds) > MOST_KINDS + 1 else 0
            shown = join(map(self.cards, list(kinds.values())[: len(kinds) - more]))
            lines.append(Text(
                ja=f"{name.ja} {len(cards)}枚: {shown.ja}" + (f"、ほか{more}種" if more else ""),
                en=f"{name.en} ({len(cards)}): {shown.en}" + (f", {more} more kinds" if more else "")))
        for f, node in self.layout.fields.items():
            if isinstance(node, Container) and not self.words.hides(f) and not node.info.is_pool:
                there = [self.entry(f"{f} listed", node.info.type, x) for x in entries(node.info, state.slots)]
                if told := [x for x in there if x is not None]:
                    w = self.words.of(f)
                    lines.append(Text(ja=f"{w.ja}: {join(told).ja}", en=f"{w.en}: {join(told).en}"))
            if self.words.hides(f) or f in self.words.results or isinstance(node, Zones | Container):
                continue
            for name, slot, of in self.shown[f]:
                if (slot in also or state.slots[slot] != self.layout.slots[slot].initial
                        or (begun and state.slots[slot] != begun[slot])):
                    v = self.value(of, state.slots[slot])
                    lines.append(Text(ja=f"{name.ja}: {v.ja}", en=f"{name.en}: {v.en}"))
        return join(lines, "\n", "\n")
