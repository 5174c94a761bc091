"""What a ban on repeating the actions of a loop puts out of reach, by the book's own rule about it.

Once round the loop the position is what it was, and by some books the actions that were done then may not be done again. A
rule of the book, a `@verdict("action after an endless loop")` on a record of what the action would be (`again`), says of each
action whether it is barred. Play is then followed from where the loop closed to the end of the turn, once as it is and once
without what is barred: an action that can be taken only in the former is out of reach.

The history that this takes (which actions came since) is kept here, beside the states, never in them. An action is known by
what it is called: to play another copy of a card is the same action. Only a player's own actions count (choices with
doing nothing among them); where a reading bans duties too, they are not followed.
"""
from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ...model.engine.state import LEFT_OPEN, Arrival, End, Option, Point, State
from ...model.engine.values import declines
from ...model.ir import types as t
from ...model.ir.program import VerdictInfo
from ...spec.text import Text
from .owned_graph import Scope
from .subject import Subject

BARRED_QUESTION = "action after an endless loop"
"""The question that a book's rule pronounces on if actions of a loop can be barred."""
MOST = 600
"""Positions that are followed to the end of the turn; where there are more, nothing is said to be out of reach."""

Since = tuple[tuple[Text, bool], ...]
"""The last actions since the loop closed, as many as it has at most; with each, whether it was taken where that was."""


@dataclass
class Followed:
    """Play from where the loop closed to the end of the turn: the actions that can be taken (in order of their coming), whether
    one of the loop's own can be taken in another position, and whether all of it was seen."""

    actions: dict[Text, None] = field(default_factory=dict[Text, None])
    elsewhere: bool = False
    whole: bool = True


@dataclass(frozen=True)
class Round:
    """One round of a loop in which a player acts, from an action of that player's on."""

    subject: Subject
    who: int
    cycle: Sequence[tuple[State, Option]]
    """Begins with an action of the player's."""

    @cached_property
    def known(self) -> dict[State, tuple[tuple[Text | None, Arrival], ...]]:
        """What can happen in the states that were looked at (`moves`)."""
        return {}

    @property
    def head(self) -> State:
        """The position that comes back."""
        return self.cycle[0][0]

    @cached_property
    def sequence(self) -> tuple[Text, ...]:
        """What the player does in it, in order."""
        taken = ((state, self.asked(state), option) for state, option in self.cycle)
        return tuple(self.name(state, at, option) for state, at, option in taken if at is not None and acts(at, option))

    @cached_property
    def rule(self) -> VerdictInfo | None:
        """The book's rule about actions that may not be taken again."""
        return next((v for v in self.subject.program.verdicts if v.question == BARRED_QUESTION), None)

    @cached_property
    def free(self) -> Followed:
        """Play as it goes on if nothing is barred."""
        return self.follow(lambda state, name, since: False)

    @cached_property
    def again_elsewhere(self) -> bool | None:
        """Can one of its actions still be taken in another position of the turn, if none is where the loop closed? None where not all could
        be looked at."""
        out = self.follow(
            lambda state, name, since: name in self.sequence and state == self.head, lambda out: out.elsewhere
        )
        return out.elsewhere or (False if out.whole else None)

    @cached_property
    def lost(self) -> tuple[Text, ...] | None:
        """The player's actions that are out of reach for the rest of the turn; None where not all could be looked at."""
        left = self.follow(self.is_barred)
        return tuple(a for a in self.free.actions if a not in left.actions) if self.free.whole and left.whole else None

    def asked(self, state: State) -> Point | None:
        """What the player chooses in the state, if doing nothing is among it."""
        at = self.subject.engine.point(state)
        return at if at is not None and at.owner == self.who and len(at.options) > 1 and can_decline(at) else None

    def name(self, state: State, at: Point, option: Option) -> Text:
        return self.subject.describer.taken(state, at, option)

    def is_barred(self, state: State, name: Text, since: Since) -> bool:
        """What the book's rule says of an action."""
        rule = self.rule
        if rule is None or not isinstance(rule.subject, t.RecordType) or not isinstance(rule.answer, t.OptionType):
            return False
        here = state == self.head
        again = (*since, (name, here))[-len(self.sequence):]
        facts: Mapping[str, int] = {
            "was_done": int(name in self.sequence),
            "was_last": int(name == self.sequence[-1]),
            "completes": int(tuple(n for n, _ in again) == self.sequence),
            "here": int(here),
            "begun_here": int(again[0][1]),
        }
        said = self.subject.engine.evaluate(rule.function, state, [facts.get(f, 0) for f, _ in rule.subject.fields])
        return not isinstance(said, End) and said != rule.answer.none

    def follow(
        self, barred: Callable[[State, Text, Since], bool], enough: Callable[[Followed], bool] = lambda out: False
    ) -> Followed:
        """Play from the position that came back, without what is barred; until that is `enough`."""
        out = Followed()
        todo = deque[tuple[State, Since]]([(self.head, ())])
        seen = {todo[0]}
        while todo and not enough(out):
            state, since = todo.popleft()
            for name, arrival in self.moves(state):
                if name is not None:
                    out.elsewhere |= name in self.sequence and state != self.head
                    if barred(state, name, since):
                        continue
                    out.actions.setdefault(name)
                if arrival.state.end is not None:
                    out.whole &= arrival.state.end.kind not in LEFT_OPEN
                    continue
                if arrival.crossing >= Scope.TURN:
                    continue
                after = since if name is None else (*since, (name, state == self.head))[-len(self.sequence):]
                if (node := (arrival.state, after)) in seen:
                    continue
                if len(seen) == MOST:
                    out.whole = False
                    return out
                seen.add(node)
                todo.append(node)
        return out

    def moves(self, state: State) -> tuple[tuple[Text | None, Arrival], ...]:
        """What can happen in the state: what each option is called if it is an action of the player's, and where it leads. A position is come to
        again and again, after other actions and with others barred."""
        if state not in self.known:
            at, asked = self.subject.engine.point(state), self.asked(state)
            self.known[state] = tuple(
                (
                    self.name(state, asked, option) if asked is not None and acts(asked, option) else None,
                    self.subject.after(state, option),
                )
                for option in (at.options if at is not None else ())
            )
        return self.known[state]


def can_decline(at: Point) -> bool:
    """Is doing nothing among the options?"""
    return at.type is not None and any(declines(at.type, o) for o in at.options)


def acts(at: Point, option: Option) -> bool:
    """Is the option something other than doing nothing?"""
    return at.type is not None and not declines(at.type, option)


def round_of(subject: Subject, cycle: Sequence[tuple[State, Option]], who: int) -> Round | None:
    """The round of a loop, from the first action of the player's on; None if there is none, or the book bars no actions."""
    made = Round(subject, who, cycle)
    if made.rule is None:
        return None
    first = next((k for k, (state, option) in enumerate(cycle)
                  if (at := made.asked(state)) is not None and acts(at, option)), None)
    return None if first is None else Round(subject, who, (*cycle[first:], *cycle[:first]))
