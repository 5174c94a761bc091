"""Is every file old or new, wherever a command that writes is killed or cannot write? `python -m tests.fuzz.writes --seed 1 --seconds 60`

Each command that writes is run in a folder with what it finds there. It is run again, each time in a process of its own, and at one call to
the system that has to do with files it is killed, or gets an error (a full disk, an input/output error), once or from then on; or half of what is
written comes to the disk before it is killed. Afterwards each file has to be as it was before or as the whole command leaves it, those that belong together
alike, nothing else may be there but files beside that nobody looks at, and the command run again has to succeed.
"""
from __future__ import annotations

import argparse
import errno
import io
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulewright.checks.cli import main
from rulewright.checks.stored.cases import read_case
from rulewright.checks.stored.finding_store import case_files, stored_cases
from rulewright.model.engine.library import forget_books
from rulewright.spec.writing import BESIDE

from ..checks.register.helpers import DRAFT, READINGS, RULES

CALLS = (*((os, name) for name in ("open", "fsync", "chmod", "replace", "unlink", "mkdir", "rename")), (io, "open"))
TO_WRITE = os.O_WRONLY | os.O_RDWR | os.O_CREAT
KILLED = -signal.SIGKILL
SCENARIO = "hanayome/empty-hand-bonus"
UNDER_WAY = "under-way"
"""The folder of a checkpoint, which is another one each time."""
QUESTION = "both-lose@3.1"
"""What the draft raises."""
ANSWERS = "answers:  # so far\r\n  rounding@1.1-0000: {by: \"1.2\"}  # asked in May\r\n"
DECISIONS = "decisions:  # of the spring\r\n  HANA-7.5.3-JVXC: {status: open, reason: later}  # not yet\r\n"


@dataclass(frozen=True)
class Command:
    """A command that writes: what lies in its folder before, its arguments, and the files that belong together."""

    name: str
    arguments: tuple[str, ...]
    before: tuple[tuple[str, str], ...] = ()
    made_by: tuple[tuple[str, ...], ...] = ()
    """The arguments of commands that make more of what lies there before."""
    together: bool = False
    typed: str = ""
    code: tuple[int, ...] = (0, 1)
    keeps: bool = False
    """It writes into the user's cache alone: what it is to do again shows whether that is whole."""
    resumes: bool = False
    """Run again, it goes on from what is in `UNDER_WAY`, if a search got so far; what comes out then shows whether that is whole."""


LAMPS = (("draft.md", DRAFT), ("new.md", DRAFT.replace("1.2", "1.3", 1)))
BOOK = (*LAMPS, ("spec/lamps/rules/turn.py", RULES), ("spec/lamps/readings.yaml", READINGS))
REGISTER = ("register", "draft.md", "-o", "spec/lamps", "--force")
COMMANDS = (
    Command("decide, a new file", ("decide", "HANA-7.5.3-JVXC", "fixed", "--reason", "it is", "--date", "2026-11-20")),
    Command("decide, a file with comments", ("decide", "HANA-7.5.3-JVXC", "fixed", "--reason", "it is", "--date", "2026-11-20"),
            (("decisions.yaml", DECISIONS),)),
    Command("check --store", ("check", SCENARIO, "--readings", "default", "--store", "cases")),
    Command("check --update-baseline", ("check", SCENARIO, "--readings", "default", "--baseline", "known.json", "--update-baseline"),
            (("known.json", '{"schema": 1, "kind": "baseline", "findings": []}\n'),)),
    Command("register", ("register", "draft.md", "-o", "spec/lamps"), LAMPS, together=True),
    Command("register --update --accept", ("register", "new.md", "--update", "--book", "lamps", "--accept"), BOOK, (REGISTER,), together=True),
    Command("register --checked", ("register", "--checked", "2.1", "--book", "lamps"), (*BOOK, ("other.md", DRAFT.replace("1枚を引き", "2枚を引き", 1))),
            (REGISTER, ("register", "other.md", "--update", "--book", "lamps", "--accept"))),
    Command("questions --answer, a new file", ("questions", "draft.md", "--answer", QUESTION, "--because", "it is said"), LAMPS),
    Command("questions --answer, a file with comments", ("questions", "draft.md", "--answer", QUESTION, "--because", "it is said"),
            (*LAMPS, ("questions.yaml", ANSWERS))),
    Command("hunt", ("hunt", SCENARIO, "--readings", "default", "--max-time", "1"), keeps=True),
    Command("lint --update-baseline", ("lint", "draft.md", "--baseline", "known.json", "--update-baseline"), LAMPS),
    Command("lint --fix", ("lint", "draft.md", "--fix"), (("draft.md", "1 戦い\n1.1 カードをを引く。\n"),)),
    Command("minimise", ("minimise", SCENARIO, "-o", "small.yaml")),
    Command("new", ("new", "mygame", "--from", "draft.md", "--yes"), LAMPS, together=True),
    Command("play --save", ("play", SCENARIO, "--seed", "1", "--save", "game.json"), typed="q\n"),
    *(Command(f"export --to {form}", ("export", "hanayome/pass-only", "--to", form, "-o", "out"))
      for form in ("promela", "itf", "dot", "graphml")),
    Command("export --to smt2", ("export", "harem_master/answer-to-the-end", "--to", "smt2", "-o", "out")),
    Command("check --checkpoint", ("check", SCENARIO, "--readings", "default", "--store", "cases", "--checkpoint", UNDER_WAY, "--checkpoint-every", "0"),
            resumes=True),
)


def files(folder: Path) -> dict[str, bytes]:
    """The files that somebody may look at."""
    there = {str(p.relative_to(folder)): p for p in sorted(folder.rglob("*")) if p.is_file() and not p.name.endswith(BESIDE)}
    return {name: path.read_bytes() for name, path in there.items() if not name.startswith(UNDER_WAY)}


def in_child(folder: Path, act: Callable[[], int]) -> int:
    """What a process in the folder ends with; minus the signal that ended it."""
    sys.stdout.flush()
    child = os.fork()
    if not child:
        code = 3
        try:
            os.chdir(folder)
            code = act()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def carried_out(command: Command, log: Path, number: int = 0, how: str = "kill", ever_after: bool = False) -> int:
    """The command, with something happening at one of its calls; how many calls there were is written to the log."""
    real = {(module, name): getattr(module, name) for module, name in CALLS}
    made = 0

    def watched(module: Any, name: str) -> Callable[..., Any]:
        act = real[module, name]

        def call(*given: Any, **named: Any) -> Any:
            nonlocal made
            if (module is os and name == "open" and not given[1] & TO_WRITE) or (module is io and not set("wax+").intersection(*given[1:2])):
                return act(*given, **named)
            made += 1
            if made == number or (ever_after and made > number):
                if how == "kill":
                    os.kill(os.getpid(), signal.SIGKILL)
                if how != "short":
                    raise OSError(getattr(errno, how), os.strerror(getattr(errno, how)))
                if module is io:
                    return Short(act(*given, **named))
            return act(*given, **named)
        return call

    for module, name in CALLS:
        setattr(module, name, watched(module, name))
    sys.stdin = io.StringIO(command.typed)
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        code = main(command.arguments)
    for (module, name), act in real.items():
        setattr(module, name, act)
    log.write_text(f"{made}\n{said.getvalue()}", encoding="utf-8")
    return code


class Short:
    """A file of which half comes to the disk before the process is killed."""

    def __init__(self, file: io.BufferedIOBase) -> None:
        self.file = file

    def __enter__(self) -> Short:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def seek(self, place: int) -> None:
        self.file.seek(place)

    def write(self, content: bytes) -> None:
        self.file.write(content[: len(content) // 2])
        self.file.flush()
        os.kill(os.getpid(), signal.SIGKILL)


def prepared(command: Command, folder: Path, log: Path) -> None:
    """What lies in the folder before."""
    laid(command, folder)
    for arguments in command.made_by:
        in_child(folder, lambda given=arguments: carried_out(Command("", given), log))
    laid(command, folder)


def laid(command: Command, folder: Path) -> None:
    """Its files written."""
    for name, text in command.before:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def wrong_after(command: Command, folder: Path, before: dict[str, bytes], after: dict[str, bytes]) -> list[str]:
    """What is wrong with the files in the folder."""
    found = files(folder)
    wrong = [f"{name} is neither old nor new" for name, content in found.items() if content not in (before.get(name), after.get(name))]
    wrong += [f"{name} is gone" for name in before if name in after and name not in found]
    changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    states = {found.get(name) == after.get(name) for name in changed}
    if command.together and len(states) > 1 and not unfinished():
        wrong.append("some files are old and some new, and no journal says so")
    return wrong


def unfinished() -> bool:
    """Is something noted that the next command will bring to its end?"""
    return any(Path(os.environ["XDG_CACHE_HOME"]).rglob("unfinished/*.json"))


def tried(command: Command, work: Path, lot: random.Random, until: float, most: int | None) -> tuple[int, list[str]]:
    """How often the command was disturbed, and what was wrong afterwards."""
    start, whole, log = work / "start", work / "whole", work / "log"
    start.mkdir(parents=True)
    prepared(command, start, log)
    shutil.copytree(start, whole)
    shutil.copytree(start, work / "first")
    here = Path.cwd()
    os.chdir(work / "first")
    carried_out(command, log)  # here, so that no process has to load it all again
    os.chdir(here)
    forget_books()
    code = in_child(whole, lambda: carried_out(command, log))
    if code not in command.code:
        return 0, [f"{command.name}: undisturbed it ends with {code}: {log.read_text(encoding='utf-8')}"]
    before, after = files(start), files(whole)
    if before == after and not command.keeps:
        return 0, [f"{command.name}: undisturbed it writes nothing"]
    shutil.rmtree(whole)
    shutil.copytree(start, whole)
    in_child(whole, lambda: carried_out(command, log))  # with all in the cache by now, so that the calls are the same in each run
    calls = int(log.read_text(encoding="utf-8").split("\n")[0])
    ways = [(n, how, ever) for n in range(1, calls + 1) for how, ever in (
        ("kill", False), ("short", False), ("ENOSPC", False), ("ENOSPC", True), ("EIO", True), ("EACCES", False))]
    lot.shuffle(ways)
    problems: list[str] = []
    done = 0
    for number, how, ever in ways[:most]:
        if time.monotonic() > until:
            break
        done += 1
        folder = work / "disturbed"
        shutil.copytree(start, folder)
        log.unlink(missing_ok=True)
        code = in_child(folder, lambda n=number, h=how, e=ever: carried_out(command, log, n, h, e))
        where = f"{command.name}, call {number} of {calls}, {how}{' from then on' if ever else ''}"
        problems += [f"{where}: {one}" for one in wrong_after(command, folder, before, after)]
        if code not in (*command.code, 2, KILLED):
            problems.append(f"{where}: exit code {code}: {log.read_text(encoding='utf-8') if log.exists() else ''}")
        if code in command.code and how != "kill" and files(folder) != after:
            problems.append(f"{where}: it says that all went well, and {sorted(files(folder))} is not what it should be")
        more = ("--force",) if command.name == "register" else ("--resume",) if any(folder.glob(f"{UNDER_WAY}/**/manifest.json")) else ()
        again = Command(command.name, (*command.arguments, *more), typed=command.typed)
        code = in_child(folder, lambda c=again: carried_out(c, log))
        if code not in command.code and (command.keeps or files(folder) != after):  # `new` refuses what is there whole by now
            problems.append(f"{where}: run again it ends with {code}: {log.read_text(encoding='utf-8')}")
        if command.resumes and files(folder) != after:
            problems.append(f"{where}: gone on with, it does not come to what it comes to undisturbed")
        shutil.rmtree(folder)
    return done, problems


MANY = 20


def all_at_once(folder: Path, commands: Sequence[tuple[str, ...]]) -> list[str]:
    """Run these at once; which of them failed."""
    children: list[int] = []
    for k, arguments in enumerate(commands):
        sys.stdout.flush()
        child = os.fork()
        if not child:
            os.chdir(folder)
            os._exit(carried_out(Command("", arguments), folder / f"log{k}"))
        children.append(child)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    return [f"exit code {code}: {(folder / f'log{k}').read_text(encoding='utf-8')}" for k, code in enumerate(codes) if code]


def unchanged(text: str, before: str) -> list[str]:
    """Is what was there in the file still as it was, with its line ends?"""
    good = text.startswith(before.rstrip()) and text.count("\n") == text.count("\r\n") > 0
    return [] if good else ["what was there is changed"]


def decided_at_once(folder: Path) -> list[str]:
    """What is lost if twenty decide at once."""
    (folder / "decisions.yaml").write_text(DECISIONS, encoding="utf-8", newline="")
    ids = sorted({read_case(path).finding.id for path in case_files(stored_cases())} - {"HANA-7.5.3-JVXC"})[:MANY]
    wrong = all_at_once(folder, [("decide", name, "fixed", "--reason", f"reason {k}") for k, name in enumerate(ids)])
    text = (folder / "decisions.yaml").read_bytes().decode()
    wrong += [f"{name} is lost" for k, name in enumerate(ids) if f"  {name}:" not in text or f"reason {k}" not in text]
    return wrong + unchanged(text, DECISIONS)


def answered_at_once(folder: Path) -> list[str]:
    """What is lost if twenty answer a question at once: each answer stands behind the earlier ones."""
    laid(Command("", (), (*LAMPS, ("questions.yaml", ANSWERS))), folder)
    wrong = all_at_once(folder, [("questions", "draft.md", "--answer", QUESTION, "--because", f"reason {k}") for k in range(MANY)])
    text = (folder / "questions.yaml").read_bytes().decode()
    wrong += [f"reason {k} is lost" for k in range(MANY) if not re.search(rf"because: reason {k}\b", text)]
    return wrong + unchanged(text, ANSWERS)


def accepted_at_once(folder: Path) -> list[str]:
    """What is wrong if twenty accept the same draft at once: the book has to be as after one."""
    command = next(one for one in COMMANDS if one.name == "register --update --accept")
    once, many = folder / "once", folder / "many"
    for place in (once, many):
        place.mkdir()
        prepared(command, place, folder / "log")
    wrong = all_at_once(once, [command.arguments]) + all_at_once(many, [command.arguments] * MANY)
    one, other = ({name: content for name, content in files(place).items() if not name.startswith("log")} for place in (once, many))
    return wrong + [f"{name} is not as after one" for name in one.keys() | other.keys() if one.get(name) != other.get(name)]


def at_once() -> list[str]:
    """What is wrong after each of these, in a folder of its own."""
    problems: list[str] = []
    for trial in (decided_at_once, answered_at_once, accepted_at_once):
        with tempfile.TemporaryDirectory() as place:
            problems += [f"{trial.__name__}: {one}" for one in trial(Path(place))]
    return problems


def run(seed: int, seconds: float) -> list[str]:
    """What was wrong: a share of the time for each command, and a few rounds of twenty at once."""
    _, problems = all_tried(seed, seconds * 0.8)
    end = time.monotonic() + seconds * 0.2
    while not problems and time.monotonic() < end:
        problems += at_once()
    return problems


def all_tried(seed: int, seconds: float, most: int | None = None, named: str = "") -> tuple[dict[str, int], list[str]]:
    """How often each command was disturbed whose name has that in it, and what was wrong."""
    commands = [one for one in COMMANDS if named in one.name]
    lot = random.Random(seed)
    end = time.monotonic() + seconds
    counts: dict[str, int] = {}
    problems: list[str] = []
    with tempfile.TemporaryDirectory() as place:
        os.environ["XDG_CACHE_HOME"] = f"{place}/cache"
        os.environ["LANG"] = "en_US.UTF-8"
        for k, command in enumerate(commands):
            now = time.monotonic()
            counts[command.name], found = tried(command, Path(place) / str(k), lot, now + (end - now) / (len(commands) - k), most)
            problems += found
    return counts, problems


def main_(arguments: Sequence[str]) -> int:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--named", default="", help="only commands with this in their name")
    parser.add_argument("--rounds", type=int, default=0, help="rounds of twenty who decide, answer and accept at once, instead")
    given = parser.parse_args(arguments)
    if given.rounds:
        with tempfile.TemporaryDirectory() as place:
            os.environ |= {"XDG_CACHE_HOME": place, "LANG": "en_US.UTF-8"}
            wrong = [found for _ in range(given.rounds) if (found := at_once())]
        print(f"{given.rounds} rounds of 20 who decide, answer and accept at once, in {len(wrong)} something was lost", *wrong[:5], sep="\n")
        return 1 if wrong else 0
    counts, problems = all_tried(given.seed, given.seconds, named=given.named)
    for name, count in counts.items():
        print(f"{count:6} {name}")
    print("\n".join(problems))
    print(f"{sum(counts.values())} disturbed, {len(problems)} wrong")
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main_(sys.argv[1:]))
