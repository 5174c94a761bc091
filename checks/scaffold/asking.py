"""The questionnaire: what was found in a draft is shown one by one, and taken, changed or left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ...spec.diagnostics import BadInput, Diagnostic
from ...spec.text import Text
from ..console.terminal import Terminal
from . import words
from .guesses import HIGHEST, Guesses, Number, Part, Zone, called
from .naming import Names, name_of

NAME = re.compile(r"[a-z][a-z0-9_]*")


def asked(terminal: Terminal, guesses: Guesses, names: Names) -> Guesses:
    """The guesses as the user has them. Raises BadInput where the input ends before the questions do."""
    terminal.say(words.ASK_ABOUT)
    return Questionnaire(terminal, names).ask(guesses)


class Questionnaire:
    """One round of questions."""

    def __init__(self, terminal: Terminal, names: Names) -> None:
        self.terminal = terminal
        self.names = names

    def ask(self, guesses: Guesses) -> Guesses:
        """All of it."""
        zones = self._zones(guesses)
        return replace(guesses, zones=zones, numbers=self._numbers(guesses.numbers), parts=self._parts(guesses.parts))

    def _line(self, text: Text, **values: object) -> str:
        """An answer. Raises BadInput where there is no more input: what was not confirmed is not written."""
        said = self.terminal.ask(Text.same(self.terminal.phrase(text, **values)))
        if said is None:
            raise BadInput([Diagnostic(None, "no-answer", words.NO_ANSWER, words.NO_ANSWER_HINT)])
        return said

    def _zones(self, guesses: Guesses) -> tuple[Zone, ...]:
        kept: list[Zone] = []
        self.terminal.say(words.ZONE_HOW)
        for number, zone in enumerate(guesses.zones, 1):
            changed: Zone | None = zone
            while changed is not None and (
                answer := self._line(
                    words.ZONE,
                    number=number,
                    all=len(guesses.zones),
                    said=changed.said.ja,
                    name=changed.name,
                    sort=words.OF_BOTH if changed.shared else words.OF_EACH,
                    order=words.IN_ORDER if changed.ordered else words.NO_ORDER,
                    clause=changed.clause,
                )
            ):
                changed = self._zone(changed, answer)
            kept += [changed] if changed is not None else []
        while answer := self._line(words.MORE_ZONES):
            said, ordered = answer.removesuffix("*").strip(), answer.endswith("*")
            name = self.names.give(name_of(said), "zone", "zone")
            kept.append(Zone(name, called(said, "", guesses.lang), guesses.roots[0].piece.id, ordered))
        return tuple(kept)

    def _zone(self, zone: Zone, answer: str) -> Zone | None:
        if answer == "n":
            return None
        if answer == "o":
            return replace(zone, ordered=not zone.ordered)
        if answer == "s":
            return replace(zone, shared=not zone.shared)
        return replace(zone, name=self._name(zone.name, answer, words.ZONE_HOW))

    def _numbers(self, numbers: Sequence[Number]) -> tuple[Number, ...]:
        kept: list[Number] = []
        if numbers:
            self.terminal.say(words.NUMBER_HOW)
        for count, one in enumerate(numbers, 1):
            changed: Number | None = one
            while changed is not None and (
                answer := self._line(
                    words.NUMBER,
                    number=count,
                    all=len(numbers),
                    said=changed.said.ja,
                    name=changed.name,
                    sort=words.ON_CARDS if changed.printed else words.OF_EACH,
                    start=self.terminal.phrase(words.STARTS, start=changed.start),
                    most=changed.most,
                    clause=changed.clause,
                )
            ):
                changed = self._number(changed, answer)
            kept += [changed] if changed is not None else []
        return tuple(kept)

    def _number(self, one: Number, answer: str) -> Number | None:
        if answer == "n":
            return None
        if answer == "c":
            return replace(one, printed=not one.printed)
        if (found := re.fullmatch(r"0\.\.(\d{1,5})", answer)) and one.start <= int(found[1]) <= HIGHEST:
            return replace(one, most=int(found[1]))
        if re.fullmatch(r"\d{1,5}", answer) and int(answer) <= HIGHEST:
            return replace(one, start=int(answer), most=max(one.most, int(answer)))
        return replace(one, name=self._name(one.name, answer, words.NUMBER_HOW))

    def _parts(self, parts: Sequence[Part]) -> tuple[Part, ...]:
        kept: list[Part] = []
        if parts:
            self.terminal.say(words.PART_HOW)
        for number, part in enumerate(parts, 1):
            while answer := self._line(words.PART, number=number, all=len(parts), said=part.said.ja, name=part.name,
                                       clause=part.node.piece.id):
                if answer == "n":
                    break
                part = replace(part, name=self._name(part.name, answer, words.PART_HOW))
            kept += [] if answer == "n" else [part]
        return tuple(kept)

    def _name(self, before: str, answer: str, how: Text) -> str:
        """The name that was answered, if it can be one."""
        if not NAME.fullmatch(answer):
            self.terminal.say(words.NOT_UNDERSTOOD, said=answer, how=how)
            return before
        if not self.names.free(answer):
            self.terminal.say(words.NAME_TAKEN, name=answer)
            return before
        return self.names.give(answer, answer)
