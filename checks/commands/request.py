"""What was typed after `check`: one record, what follows from it, and what of it does not go together, told all at once."""
from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ...spec.diagnostics import BadInput
from ...spec.text import Text
from ...spec.writing import try_out
from ..console import words as console_words
from ..console.late import late
from ..console.shell import complaint
from ..findings import words
from .shared import reading_word

if TYPE_CHECKING:
    from ..findings import baseline
    from ..native.choice import Engine
    from ..register import command as register_command
    from ..register.quotes import Quotes
    from ..runs import session
    from ..runs.session import CheckOptions
    from ..scenarios import saved_plays
    from ..scenarios.saved_plays import SavedPlay
    from ..stored import cases
    from ..stored import decisions as decided
else:
    cases = late("stored.cases")
    decided = late("stored.decisions")
    register_command = late("register.command")
    saved_plays = late("scenarios.saved_plays")
    session = late("runs.session")

ALL = "all"


@dataclass(frozen=True)
class Request:
    """The words, under the names of the options."""

    targets: tuple[str, ...]
    reading: tuple[str, ...]
    tried: tuple[str, ...]
    second: bool
    only: str | None
    symmetry: bool
    max_states: int | None
    max_seconds: float | None
    max_memory: int | None
    engine: Engine
    threads: int | None
    cluster: str | None
    fingerprints: bool
    parts: int | None
    disk: Path | None
    checkpoint: Path | None
    checkpoint_seconds: float | None
    resume: bool
    store: Path | None
    show: int
    hunt: bool
    certify: bool
    scenarios: bool
    full: bool
    changed: bool
    unused: bool
    decisions: Path | None
    baseline: Path | None
    update_baseline: bool
    draft: Path | None
    form: str
    as_json: bool

    @cached_property
    def word_and_answers(self) -> tuple[str | None, dict[str, str]]:
        """Which reading sets, in a word, or the answers. Raises BadInput."""
        return reading_word(self.reading, "default", ALL)

    @property
    def word(self) -> str | None:
        """`default` or `all`, if one of them was given."""
        return self.word_and_answers[0]

    @property
    def every_reading(self) -> bool:
        """Under every answer to every reading?"""
        return self.word == ALL

    @cached_property
    def files(self) -> list[Path]:
        """The files to be tried in place of the book's own."""
        return [Path(one) for one in self.tried if "=" not in one and Path(one).suffix]

    @cached_property
    def all_or_answers(self) -> tuple[str | None, dict[str, str]]:
        """`all`, or the answers to be tried. Raises BadInput."""
        return reading_word([] if self.files else self.tried, ALL)

    @property
    def answers(self) -> dict[str, str]:
        """The answers to be tried."""
        return self.all_or_answers[1]

    @cached_property
    def questions(self) -> tuple[str, ...]:
        """What `--only` asks about whole books; nothing where it is not given. Raises BadInput."""
        if self.only is None:
            return ()
        asked = tuple(dict.fromkeys(word.strip() for word in self.only.split(",") if word.strip()))
        for word in asked or ("",):
            if word not in words.QUESTIONS:
                raise complaint(
                    "only", console_words.ONLY_WHAT, word, words.QUESTIONS, all=", ".join(words.QUESTIONS)
                )
        for target in self.targets:
            if target not in session.books() and not set(asked) <= {*words.LOOP_QUESTIONS, words.ORDER}:
                of = [book for book in session.books() if target.startswith(f"{book}/")]
                raise complaint("only", console_words.ONLY_BOOKS, target, of or session.books(), only=self.only)
        return asked

    @cached_property
    def play(self) -> SavedPlay | None:
        """The saved play from whose end it goes on. Raises BadInput."""
        return next((play for one in self.targets if (play := saved_plays.saved_play(one)) is not None), None)

    @cached_property
    def options(self) -> CheckOptions:
        """How each scenario is to be checked."""
        one_scenario = len(self.targets) == 1 and self.targets[0] not in session.books()
        options = session.CheckOptions(
            self.word_and_answers[1], self.symmetry, self.max_states, self.max_seconds, self.max_memory, self.store,
            self.engine, self.checkpoint, self.resume, self.checkpoint_seconds, threads=self.threads,
            fingerprints=self.fingerprints, disk=self.disk, kept=True, defaults_only=self.word == "default",
            show=self.show, certify=self.certify,
            hunt=self.hunt and self.max_states is None and self.engine == "native"
            and not (self.store or self.certify or self.checkpoint),
            exercised=one_scenario,
            settle=None if self.all_or_answers[0] == ALL else cases.USUAL.settle if one_scenario else 0,
            cluster=self.cluster,
        )  # fmt: skip
        return options if self.play is None else session.of_play(options, self.play)

    @property
    def again(self) -> str:
        """What to type for the same."""
        only = ("--only", self.only) if self.only is not None else ()
        return shlex.join([*self.targets, *(word for one in self.reading for word in ("-r", one)), *only])

    def baseline_rows(self) -> list[baseline.Row]:
        """What the baseline says. Raises BadInput."""
        if self.baseline is None or (self.update_baseline and not self.baseline.exists()):
            return []
        return decided.baseline_rows(self.baseline)

    def quotes(self, paths: Sequence[Path]) -> Quotes | None:
        """The words of the draft, if one was given. Raises BadInput."""
        if self.draft is None:
            return None
        return register_command.quotes(self.draft, session.book_of(paths[0]) if paths else self.targets[0])


def written_in(folder: Path) -> bool:
    """Is there a checkpoint in the folder?"""
    return any(folder.glob("*/manifest.json"))


def given(options: Mapping[str, object]) -> str:
    """The options that are."""
    return ", ".join(name for name, said in options.items() if said)


def refuse_together(a: Request) -> None:
    """Refuse what does not go together. Raises BadInput, with all of it."""
    nothing_kept = a.checkpoint is not None and not (written_in(a.checkpoint) or any(a.checkpoint.glob("*/lock")))
    of_a_run = {"--try": a.tried, f"--readings {ALL}": a.every_reading, "--store": a.store}
    of_results = {"--store": a.store, "--certify": a.certify, "--baseline": a.baseline}
    here = given({"--checkpoint": a.checkpoint if a.parts is None else None, "--disk": a.disk})
    beside_play = given({" ".join(a.targets): len(a.targets) > 1, "--readings": a.reading, "--try": a.tried,
                         "--only": a.only, "--checkpoint": a.checkpoint, **of_results})
    beside_parts = given({" ".join(a.targets): a.play is not None, "--only": a.only, "--engine": a.engine != "native",
                          "--threads": a.threads, "--fingerprints": a.fingerprints, "--show": a.show > 1,
                          "--changed": a.changed, **of_a_run, **of_results})
    beside_only = given({**of_a_run, "--cluster": a.cluster})
    is_apart = a.disk is None or a.checkpoint is None or a.disk.resolve() != a.checkpoint.resolve()
    together: Iterable[tuple[object, str, Text, str]] = (
        (a.checkpoint is None and (a.resume or a.checkpoint_seconds is not None), "checkpoint",
         console_words.CHECKPOINT_WHERE, "--resume" if a.resume else "--checkpoint-every"),
        (a.resume and nothing_kept, "no-checkpoint", console_words.NO_CHECKPOINT, str(a.checkpoint)),
        (a.disk is not None and sys.platform != "linux", "disk", console_words.DISK_LINUX, "--disk"),
        (not is_apart, "disk", console_words.DISK_APART, str(a.disk)),
        (a.files and (len(a.files) < len(a.tried) or a.only), "try", words.TRY_FILES, "".join(a.tried[:1])),
        (a.every_reading and a.tried, "readings", words.TRY_WITH, ALL),
        (a.update_baseline and a.baseline is None, "baseline", console_words.BASELINE_WHERE, "--update-baseline"),
        (a.cluster is not None and here, "cluster", console_words.FOLDER_HERE, here),
        (a.play is not None and beside_play, "saved-play", console_words.PLAY_ALONE, beside_play),
        (a.second and a.only is None, "only", console_words.SECOND_WITH, "--second-opinion"),
        (a.second and not session.has_second_opinion(), "cvc5", console_words.NO_CVC5, "cvc5"),
        (a.questions and beside_only, "only", console_words.ONLY_ALONE, beside_only),
        (a.parts is not None and a.cluster is None, "cluster", console_words.PARTS_AND_CLUSTER, "--parts"),
        (a.parts is not None and beside_parts, "parts", console_words.PARTS_ALONE, beside_parts),
    )  # fmt: skip
    if wrong := [complaint(code, said, name) for is_wrong, code, said, name in together if is_wrong]:
        raise BadInput(d for one in wrong for d in one.diagnostics)
    for file in (a.baseline if a.update_baseline else None, a.store and a.store / "case.yaml",
                 a.checkpoint and a.checkpoint / "manifest.json", a.disk and a.disk / "positions"):
        if file is not None:
            try_out(file)
