"""What is checked: one scenario under one set of readings, ready to run; and plays of it told step by step."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ...model.engine.describe import Describer
from ...model.engine.extrapolation import Counters, Saturated
from ...model.engine.interpreter import Interpreter, Traced
from ...model.engine.state import Arrival, Option, State
from ...model.ir.program import Program
from ...model.ir.types import Int, PlayerType, RecordType, UnionType
from ...model.lang.world import CardCopy
from ...spec.text import Text
from ..findings.identity import finding_id
from ..findings.record import Assumption, Bounds, Certainty, Finding, FindingClass, Origin, Play, PlayStep, WhoCanStop
from .printed import Figures
from .symmetry import Symmetry, interchangeable
from .watching import Watched


def equal_cards(engine: Interpreter, cards: Sequence[CardCopy]) -> list[list[int]]:
    """The classes of equal cards. Under a policy that goes by the numbers of cards no cards are equal: what it takes
    where they have changed places is not what it takes here."""
    by_number = any(w.by_number for wishes in engine.policies.values() for w in wishes)
    return [] if by_number else interchangeable(cards)


@dataclass
class Subject:
    """A scenario under one reading set.

    `positions` are the slots play begins with (several when the order of a deck is enumerated), `starts` the first
    labels reached from them.
    `defaults` has, for each reading that some rule asks for, the clause it is about and its default. `symmetry` is None where equal cards are kept apart.
    `show`: how many different plays are told of each finding. `saturated`: the engine whose states were explored, where counters saturate; `engine`
    then plays on from real states, with counters that have no end.
    `given`: what a claim about all that can arise rests on. `file`: that of the scenario. `before`: where it is looked at from positions that plays came to, the play to each,
    from the position in `positions` of the same number; play is told from there. `rising`: counters that plays saw rise for ever, as it seemed.
    `compiled`: what does the same as the engine, in compiled code.
    """

    book: str
    scenario: str
    title: Text
    program: Program
    engine: Interpreter
    describer: Describer
    positions: Sequence[Sequence[int]]
    starts: Sequence[Arrival]
    readings: Mapping[str, str]
    certainty: Certainty
    invented_cards: bool = False
    origin: Origin = Origin.ORDINARY
    policies: tuple[Text, ...] = ()
    symmetry: Symmetry | None = None
    assumptions: tuple[Text, ...] = ()
    defaults: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    show: int = 1
    saturated: Saturated | None = None
    given: tuple[Assumption, ...] = ()
    file: str = ""
    before: Sequence[Sequence[tuple[State, Option]]] = ()
    rising: tuple[Counters, ...] = ()
    compiled: Callable[[State, Option], Arrival] | None = None
    steps_told: dict[tuple[State, Option], tuple[PlayStep, Arrival]] = field(
        default_factory=dict[tuple[State, Option], tuple[PlayStep, Arrival]]
    )
    """Steps that were told before: plays of many findings begin alike."""

    def after(self, state: State, option: Option) -> Arrival:
        """The next label after taking the option, as the engine has it."""
        return (self.compiled or self.engine.apply)(state, option)

    def readings_behind(self, clauses: Sequence[str], decisive: int = 1) -> dict[str, str]:
        """The readings given, and the defaults of those about the decisive clauses: the first ones."""
        about = {r: d for r, (clause, d) in self.defaults.items() if clause in clauses[:decisive]}
        return {**about, **self.readings}

    def finding(
        self, cls: FindingClass, title: Text, summary: Text, clauses: tuple[str, ...], play: Play, bounds: Bounds,
        start: int = 0, keepers: WhoCanStop | None = None,
    ) -> Finding:
        """A finding about this subject, with all that is the same for every one; `start` is the position that its play
        begins with."""
        return Finding(
            id=finding_id(self.book, cls, clauses, keepers, title), cls=cls, book=self.book, scenario=self.scenario,
            title=title, summary=summary, clauses=clauses, certainty=self.certainty, play=play, bounds=bounds,
            readings=dict(self.readings), policies=self.policies, invented_cards=self.invented_cards, keepers=keepers,
            position=self.position_text(start), cards=self.card_texts())

    # ------------------------------------------------------------ telling a play
    @cached_property
    def watched(self) -> Watched:
        """The engine, noting what it writes and tests."""
        return Watched(self.engine)

    @cached_property
    def figures(self) -> Figures:
        """What is printed in numbers on cards, and when play looks at it."""
        return Figures(self.describer, self.engine)

    def tell(self, state: State, option: Option) -> tuple[PlayStep, Arrival]:
        """One step of a play: what was chosen by whom, which clauses were carried out, what changed."""
        if (state, option) not in self.steps_told:
            self.steps_told[state, option] = self.watched_step(state, option)
        return self.steps_told[state, option]

    def watched_step(self, state: State, option: Option) -> tuple[PlayStep, Arrival]:
        """The same, by taking it."""
        at = self.engine.point(state)
        assert at is not None
        marks: list[Traced] = []
        calls: list[tuple[str, tuple[int, ...]]] = []
        self.watched.forget()
        arrival = self.watched.apply(state, option, marks, calls=calls)
        d = self.describer
        decider = d.decider(at, state)
        clauses = tuple(dict.fromkeys(c for m in marks for c in m.at.clauses))
        chosen = d.taken(state, at, option) if decider is not None else None
        done = (*self.by_policy(), *(said for call in calls if (said := d.call(*call)) is not None), *self.prevented())
        then = (*d.changes(state, arrival.state, plainly=True), *self.arisen(), *self.shuffled())
        told = (*done, *then) if chosen is None else (chosen, *done, *then)
        step = PlayStep(
            at.options.index(option), decider, chosen,
            () if chosen is None else tuple(self.instead(state, o, chosen, arrival) for o in at.options if o != option),
            clauses, (*done, *d.carried_out(calls, told), *then),
            working=self.working(state, arrival.state, clauses), shuffled=bool(self.watched.shuffled))
        return step, arrival

    @cached_property
    def equal(self) -> Symmetry:
        """Which cards are equal, be they kept apart or not while positions are looked at."""
        return self.symmetry or Symmetry(self.program, equal_cards(self.engine, self.describer.world.cards))

    def instead(self, state: State, option: Option, chosen: Text, arrival: Arrival) -> Text:
        """Another option in words. Where these are those of what was chosen, and it leads elsewhere than to equal cards in other places: that it
        is another one."""
        at = self.engine.point(state)
        assert at is not None
        said = self.describer.taken(state, at, option)
        if said != chosen:
            return said
        there, here = (self.equal.canonical(s)[0] for s in (self.engine.apply(state, option).state, arrival.state))
        return said if there == here else Text(ja=f"{said.ja}（別のもの）", en=f"{said.en} (another one)")

    def by_policy(self) -> tuple[Text, ...]:
        """What players chose by policy in a step that was just watched."""
        d, out = self.describer, list[Text]()
        for who, of, option in self.watched.scripted:
            seat, what = d.words.seats[who], d.bundle(of, option)
            record = of.variants[option[0]] if isinstance(of, UnionType) else of
            if isinstance(record, RecordType) and record.name in d.words.words:
                out.append(Text(ja=f"{seat.ja}が{what.ja}", en=f"{seat.en}: {what.en}"))
        return tuple(out)

    def prevented(self) -> tuple[Text, ...]:
        """Which actions were forbidden, and so not done, in a step that was just watched."""
        return tuple(
            dict.fromkeys(self.describer.prevented(x.action, x.arguments, x.clauses) for x in self.watched.prevented)
        )

    def arisen(self) -> tuple[Text, ...]:
        """What came into multisets in a step that was just watched, even where something equal left them."""
        return tuple(said for m, entry in self.watched.inserted if (said := self.describer.entry(
            f"{m} added", self.program.layout.containers[m].type, entry)) is not None)

    def shuffled(self) -> tuple[Text, ...]:
        """Which zones were shuffled in a step that was just watched: the order in them is made anew, though it may look the same."""
        zones = [self.describer.zone(z) for z in dict.fromkeys(z for z, _ in self.watched.shuffled)]
        return tuple(Text(ja=f"途中で{z.ja}をシャッフル", en=f"{z.en} shuffled meanwhile") for z in zones)

    def turned_back(self, state: State, option: Option) -> dict[int, Text]:
        """The shown numbers that a step changes and changes back: what is different after it does not tell of them."""
        _, arrival = self.watched_step(state, option)
        wrote = frozenset[int]().union(*(one.slots for one in self.watched.wrote))
        told = wrote & self.describer.told_slots
        return {slot: said for of in self.describer.shown.values() for said, slot, _ in of
                if slot in told and state.slots[slot] == arrival.state.slots[slot]}

    def working(self, before: State, after: State, clauses: tuple[str, ...]) -> tuple[str, ...]:
        """The clauses, of those of a step that was just watched, by which what is told of came to be different; where it ended
        play and something is different, also the last."""
        told = self.describer.told_slots
        changed = [k for k, (a, b) in enumerate(zip(before.slots, after.slots, strict=False)) if a != b and k in told]
        working = (*self.watched.working(changed), *(c for _, clauses in self.watched.shuffled for c in clauses))
        return tuple(dict.fromkeys((*working, *(clauses[-1:] if working and after.end is not None else ()))))

    def tell_all(
        self, way: Sequence[tuple[State, Option]], turn: int | None = None, opening: int | None = None,
    ) -> tuple[list[PlayStep], int]:
        """The steps of a play, with the turn each ends in; `opening` puts what happens before the first choice in
        front (of that first position), and the play to where it was looked at. Also the number of the last turn, to go on from with `turn`."""
        if opening is not None and self.before:
            way = [*self.before[opening], *way]
        steps: list[PlayStep] = []
        number = turn if turn is not None else self.turn_at(way[0][0]) if way else 0
        words = self.turn_words(number, way[0][0]) if way else None
        if opening is not None and (first := self.opening(opening)) is not None:
            begun = way[0][0] if way else self.starts[opening].state
            steps.append(replace(first, turn=self.turn_words(self.turn_at(begun), begun)))
        for state, option in way:
            step, arrival = self.tell(state, option)
            if self.in_turn(arrival.state):
                number = number + (arrival.crossing >= 3) if number else self.turn_at(arrival.state)
                words = self.turn_words(number, arrival.state)
            steps.append(replace(step, turn=words))
        return steps, number

    def position_text(self, start: int = 0) -> Text | None:
        """The position play begins from, drawn; None for the beginning of a game."""
        if self.certainty is Certainty.FROM_SETUP:
            return None
        return self.describer.position(State(tuple(self.positions[start]), ()))

    def card_texts(self) -> tuple[Text, ...]:
        """The cards in play that have texts, with what they say."""
        d = self.describer
        return tuple(d.card_text(c) for c in d.world.definitions if any(a.name is not None for a in c.abilities))

    def in_turn(self, state: State) -> bool:
        """Is a turn under way?"""
        return self.describer.in_turn(state)

    @cached_property
    def turns_are_counted(self) -> bool:
        """Is it known which turn of the game it is? Not of a given position that says only that it is some later turn."""
        slot = self.describer.turn_number_slot
        if slot is None or self.certainty is Certainty.FROM_SETUP:
            return self.certainty is Certainty.FROM_SETUP
        of = self.program.layout.slots[slot].type
        return not (isinstance(of, Int) and self.positions[0][slot] == of.hi)

    def turn_at(self, state: State) -> int:
        """The number of the turn that is under way when play begins to be told; 0 before the first."""
        if not self.in_turn(state):
            return 0
        slot = self.describer.turn_number_slot
        return max(1, state.slots[slot]) if slot is not None and state.slots and self.turns_are_counted else 1

    def turn_words(self, number: int, state: State) -> Text | None:
        """The turn in words; None before the first, or where turns have no player. Where it is not known which turn it is, it is
        counted from this one."""
        slot = self.describer.turn_slot
        if not number or slot is None or not state.slots:
            return None
        who = self.describer.words.seats[state.slots[slot]]
        if self.turns_are_counted:
            return Text(ja=f"{number}ターン目（{who.ja}）", en=f"turn {number} ({who.en})")
        if number == 1:
            return Text(ja=f"このターン（{who.ja}）", en=f"this turn ({who.en})")
        return Text(ja=f"ここから{number}ターン目（{who.ja}）", en=f"turn {number} from here ({who.en})")

    def seen_from(self, ways: Sequence[Sequence[tuple[State, Option]]], states: Sequence[State], start: int) -> Subject:
        """The same, looked at from positions that plays from one of the first positions came to."""
        return replace(
            self,
            starts=[Arrival(state, 0) for state in states],
            positions=[self.positions[start]] * len(states),
            before=ways,
        )

    def begun(self, engine: Interpreter) -> list[Arrival]:
        """Where play begins in an engine that goes on where this one ends at a bound."""
        return list(self.starts) if self.before else [engine.start(x) for x in self.positions]

    def opening(self, start: int = 0) -> PlayStep | None:
        """What happens before the first label, if anything does."""
        marks: list[Traced] = []
        self.watched.forget()
        arrival = self.watched.start(self.positions[start], marks)
        clauses = tuple(dict.fromkeys(c for m in marks for c in m.at.clauses))
        before = State(tuple(self.positions[start]), ())
        changes = (
            *self.by_policy(),
            *self.prevented(),
            *self.describer.changes(before, arrival.state, plainly=True),
            *self.arisen(),
            *self.shuffled(),
        )
        working = self.working(before, arrival.state, clauses)
        return (
            PlayStep(0, None, None, (), clauses, changes, working=working, shuffled=bool(self.watched.shuffled))
            if clauses or changes
            else None
        )

    def decisive_clauses(self, cycle: Sequence[tuple[State, Option]]) -> tuple[str, ...]:
        """The clauses carried out in the cycle: first the one that leads back to its beginning, that is, the last one
        of the procedure that goes round."""
        marks: list[Traced] = []
        for state, option in cycle:
            self.watched.apply(state, option, marks)
        marked = [m for m in marks if m.at.clauses]
        if not marked:
            return ()
        level = min(m.depth for m in marked)
        back = [m.at.clauses[-1] for m in marked if m.depth == level][-1]
        return (back, *dict.fromkeys(c for m in marked for c in m.at.clauses if c != back))

    def players_of_waiting(self, state: State, option: Option) -> set[int]:
        """Who plays waiting abilities in the step, by the procedure of the book that does."""
        fn = self.program.functions.get(self.program.known_as.get("plays waiting", ""))
        if fn is None:
            return set()
        who = next(k for k, x in enumerate(fn.locals[: fn.arity]) if isinstance(x.type, PlayerType))
        called: list[tuple[str, tuple[int, ...]]] = []
        self.engine.apply(state, option, calls=called)
        return {args[who] for name, args in called if name == fn.name}

    # ------------------------------------------------------------ plays under symmetry
    def follow(self, real: State, options: Sequence[Option]) -> list[tuple[State, Option]]:
        """The real play along options given for representatives: (state, option) for each step, then the last state
        with an empty option. It stops where play ends."""
        return Walk(self, real).along(options)

    def unroll(
        self, stem: Sequence[Option], cycle: Sequence[Option], start: int = 0, into: Sequence[State] = ()
    ) -> tuple[list[tuple[State, Option]], list[tuple[State, Option]]] | None:
        """A lasso of representatives as a lasso of real states: the cycle is gone round until the very same state comes back. Each round
        moves equal cards by the same permutation, so all lie as before after as many rounds as its order; a counter may come to a
        value that is given on the way, so it is gone round as often again. `into`: as `Walk.along` has it. None if no state comes back: something grows."""
        walk = Walk(self, self.starts[start].state)
        way = walk.along(stem, into)
        before, sigma, depth = walk.representative, walk.sigma, len(walk.real.frames)
        around: list[tuple[State, Option]] = []
        seen, as_before = {walk.real: 0}, 0
        while as_before < 2:
            way_round = walk.along(cycle, into[len(stem):])[:-1]
            around += way_round
            if len(way_round) < len(cycle) or walk.real.end is not None or len(walk.real.frames) != depth:
                return None
            if (first := seen.setdefault(walk.real, len(around))) < len(around):
                return [*way[:-1], *around[:first]], around[first:]
            if self.symmetry is not None and walk.representative != before:
                return None
            as_before += walk.sigma == sigma
        return None


class Walk:
    """A real play beside the play of its representatives. `sigma` leads from the real state to its representative (where counters saturate or
    calls nest: to one that is told apart from it by nothing else): card c of the one is card sigma[c] of the other."""

    def __init__(self, subject: Subject, real: State) -> None:
        self.subject = subject
        self.real = self.representative = real
        self.sigma: Sequence[int] = ()
        if subject.symmetry is not None:
            self.representative, self.sigma = subject.symmetry.canonical(
                real if subject.saturated is None else subject.saturated.representative(real))

    def along(self, options: Sequence[Option], into: Sequence[State] = ()) -> list[tuple[State, Option]]:
        """Take options of the representatives one by one: (state, option) for each, then the last state. `into`: the representative that each
        leads to, where it may be one that stands for deeper calls. It stops where play ends, or an option is not there."""
        out: list[tuple[State, Option]] = []
        for k, option in enumerate(options):
            mine, at = self.mine(option), self.subject.engine.point(self.real)
            if at is None or mine not in at.options or self.representative.end is not None:
                break
            out.append((self.real, mine))
            self.real = self.subject.after(self.real, mine).state
            if self.subject.symmetry is None:
                self.representative = self.real
                continue
            after = (self.subject.after if self.subject.saturated is None else self.subject.saturated.apply)(
                self.representative, option
            ).state
            there, tau = self.subject.symmetry.canonical(after)
            if into and there != into[k]:
                there, tau = into[k], self.as_above(self.subject.symmetry, option, into[k])
            self.representative, self.sigma = there, tuple([tau[c] for c in self.sigma])
        out.append((self.real, ()))
        return out

    def as_above(self, symmetry: Symmetry, option: Option, there: State) -> Sequence[int]:
        """A permutation that leads from where a call that did not fit leads to what stands for it: alike from the caller's frame on."""
        subject = self.subject
        after = subject.engine.apply(self.representative, option).state
        if subject.saturated is not None:
            after = subject.saturated.representative(after)
        above = len(self.representative.frames) - 1 - len(after.frames)
        (_, one), (_, other) = (symmetry.canonical(State(s.slots, s.frames[above:])) for s in (after, there))
        return [other.index(c) for c in one]

    def mine(self, option: Option) -> Option:
        """The option of the real state that corresponds to one of the representative."""
        symmetry = self.subject.symmetry
        if symmetry is None:
            return option
        at = self.subject.engine.point(self.representative)
        if at is None or at.type is None:
            return option
        back = [0] * len(self.sigma)
        for real, there in enumerate(self.sigma):
            back[there] = real
        return symmetry.permute_option(at.type, option, back)
