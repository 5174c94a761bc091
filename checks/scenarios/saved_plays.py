"""The record of a play, as a file: `play --save` and `Play.save` write it; `replay`, `export`, `check`, `minimise` and `Scenario.load` read it.

What counts in it is the log, every option taken, those of chance and of nobody included. Its `steps` are for people, and for telling what
goes differently by now."""
from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from ...model.engine.log import LogDoesNotFit, PlayLog
from ...model.engine.state import CHANCE, NOBODY, Option, State
from ...spec.diagnostics import BadInput, Diagnostic, Position
from ...spec.reading import file_json
from ...spec.text import Text
from ...spec.writing import write_whole
from ..explore.subject import Subject
from .subjects import is_shipped, scenario_beside

SCHEMA = 1
KIND = "log"
Way = list[tuple[State, Option]]
"""The positions of a play, each with what is taken in it."""


@dataclass(frozen=True)
class SavedPlay:
    """A saved play: the file it stands in, that of its scenario, and what was taken."""

    path: Path
    scenario: Path
    log: PlayLog
    steps: tuple[Text, ...] = ()


def save_play(path: Path, subject: Subject, log: PlayLog) -> None:
    """Write a play of a subject. Raises BadInput."""
    scenario = Path(subject.file)
    own = (
        {} if is_shipped(scenario, subject.book) else {"file": Path(os.path.relpath(scenario, path.parent)).as_posix()}
    )
    steps = [{"ja": said.ja, "en": said.en} for said in choices(subject, log)]
    write_whole(
        path,
        json.dumps(
            {"schema": SCHEMA, "kind": KIND, **log.as_data(), **own, "steps": steps}, ensure_ascii=False, indent=2
        )
        + "\n",
    )


def saved_play(target: str | Path) -> SavedPlay | None:
    """The record in this file; None if there is none. Raises BadInput for one that cannot be read."""
    path, kind = Path(target), None
    with suppress(BadInput, KeyError, TypeError):
        kind = file_json(path)["kind"] if path.is_file() else None
    return read_play(path) if kind == KIND else None


def read_play(path: Path) -> SavedPlay:
    """The record in a file. Raises BadInput."""
    data = file_json(path)
    try:
        log = PlayLog.from_data(data)
        steps = tuple(Text(str(said["ja"]), str(said["en"])) for said in data.get("steps", ()))
        scenario = str(data.get("file", f"{log.book}/{log.scenario}"))
    except (KeyError, TypeError, ValueError, OverflowError):
        raise refused(path, Text(ja="対戦の記録ではありません", en="this is not the record of a play")) from None
    if data.get("schema") != SCHEMA:
        raise refused(path, Text(ja=f"読める形式は{SCHEMA}だけです", en=f"only form {SCHEMA} can be read"))
    try:
        return SavedPlay(path, scenario_beside(path.parent, scenario), log, steps)
    except BadInput as error:
        raise BadInput(replace(d, position=Position(str(path), 1, 1)) for d in error.diagnostics) from None


def along(subject: Subject, log: PlayLog, path: Path | None = None) -> tuple[Way, State, Text | None]:
    """A play as far as it goes, the position that it comes to, and why not further. Raises BadInput (about the record at `path`) where it
    cannot even begin."""
    if not 0 <= log.start < len(subject.starts):
        raise refused(path, Text(ja="始まりの局面が、今はありません", en="it begins with a position that there is not now"))
    first, why = subject.starts[log.start].state, None
    try:
        states = log.states(subject.engine, first)
    except LogDoesNotFit as error:
        states = replace(log, taken=log.taken[:error.step - 1]).states(subject.engine, first)
        why = Text(ja=f"{error.step}手目が、今の規則では選べません", en=f"step {error.step} cannot be chosen by the rules as they are")
    return list(zip(states[:-1], log.taken, strict=False)), states[-1], why


def way_of(record: SavedPlay, subject: Subject) -> tuple[Way, State]:
    """A saved play, and the position that it comes to. Raises BadInput where the rules as they are do not offer it."""
    way, last, why = along(subject, record.log, record.path)
    if why is not None:
        raise refused(record.path, why)
    return way, last


def after(subject: Subject, record: SavedPlay) -> Subject:
    """The subject, looked at from the position that a saved play of it comes to. Raises BadInput."""
    way, last = way_of(record, subject)
    title = Text(ja=f"{subject.title.ja}（保存した対戦の{len(way)}手の後）", en=f"{subject.title.en} (after the {len(way)} steps of a saved play)")
    return replace(subject.seen_from([way], [last], record.log.start), title=title)


def choices(subject: Subject, log: PlayLog) -> list[Text]:
    """What somebody chose in a play, as far as it goes, in words."""
    told = [subject.tell(state, option)[0] for state, option in along(subject, log)[0]
            if (at := subject.engine.point(state)) is not None and at.owner not in (CHANCE, NOBODY)]
    return [Text(ja=f"{s.decider.ja}: {s.chosen.ja}", en=f"{s.decider.en}: {s.chosen.en}")
            for s in told if s.decider is not None and s.chosen is not None]


def refused(path: Path | None, why: Text) -> BadInput:
    """A record that cannot be used."""
    return BadInput([Diagnostic(None if path is None else Position(str(path), 1, 1), "not-a-play", why)])
