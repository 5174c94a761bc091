"""Workers on the machines of a Ray cluster: a process there, started by an actor that passes on what it is told and tells.

A parcel goes to each machine once: the pieces of work, which Rulewright they are for, and the files of the user that they may read. There
these lie in the user's cache folder under the hash of the parcel's files, below it as they lay here, so that relative paths stay what
they are; paths that are told are those of here.
"""
from __future__ import annotations

import hashlib
import io
import multiprocessing
import os
import pickle
import platform
import re
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version
from multiprocessing.connection import Connection
from pathlib import Path, PurePath
from queue import SimpleQueue
from typing import Any

from ...model.engine.library import book_places, spec_folder
from ...spec import BOOKS
from ...spec.diagnostics import BadInput, Position
from ...spec.kept import code_hash
from ...spec.own_folder import working_folder
from ...spec.reading import OF_A_BOOK, file_bytes, plain_bytes, plain_bytes_if_any
from ...spec.text import Text
from ...spec.writing import write_whole
from ..native.cluster import connected, processors, refused
from ..scenarios.kept_results import files_of
from .worker import Work, Worker, serve

AGAIN = 3
"""How often a piece of work is done again whose worker was lost."""
PATIENCE = 1.0
"""Seconds that a worker has for ending its process, before it is ended itself."""
CALLS = 8
"""Calls that an actor answers at a time: it waits in some of them."""
OTHER_CODE = Text("クラスターの {value} の Rulewright（または Python やライブラリー）がこのマシンと同じではありません",
                  "Rulewright on {value} of the cluster, its Python or its libraries, is not the same as here")
SAME_CODE = Text("ほかのマシンにも同じ版を同じ Python で入れてください（docs/cluster.ja.md）",
                 "install the same edition with the same Python there (docs/cluster.md)")
NOT_THERE = Text("クラスターで Rulewright が動きません（{why}）", "Rulewright does not run on the cluster ({why})")


# ---------------------------------------------------------------- what is sent
class Sending(pickle.Pickler):
    """Writes values in which every text that may name a file goes through `as_told`, every path is noted, and read back by `read`."""

    def __init__(self, out: io.BytesIO, read: Callable[[str], Path], as_told: Callable[[str], str] = str) -> None:
        super().__init__(out, 5)
        self.read, self.as_told = read, as_told
        self.paths: set[Path] = set()

    def reducer_override(self, x: Any, /) -> Any:
        match x:
            case PurePath():
                self.paths.add(Path(x))
                return self.read, (self.as_told(str(x)),)
            case Text():
                return Text, (self.as_told(x.ja), self.as_told(x.en))
            case Position():
                return Position, (self.as_told(x.file), x.line, x.column)
        return NotImplemented


@dataclass(frozen=True)
class Parcel:
    """What is sent to a machine: `works` as bytes; the `files` of the user, by their paths here; and what else they are to be done under."""

    edition: str
    works: bytes
    files: Mapping[str, bytes]
    folder: str
    books: str
    shipped: str
    """The folder of the shipped books here."""


def packed(works: Sequence[Work[Any]]) -> bytes:
    """The parcel of these. Raises BadInput where a file cannot be read."""
    writing = Sending(out := io.BytesIO(), at_home)
    writing.dump(list(works))
    files: set[Path] = set()
    for path in writing.paths:
        if path.is_file():
            files.add(path)
            with suppress(BadInput):  # told by the one who works on it
                files |= files_of(path)
    for place in book_places().values():
        files |= {
            p
            for folder in (place.folder, place.rules)
            if folder
            for p in folder.rglob("*")
            if p.suffix.lower() in OF_A_BOOK and p.is_file()
        }
    shipped = spec_folder()
    own = {
        os.path.normpath(p.absolute()): file_bytes(p)
        for p in sorted(files)
        if not p.is_relative_to(shipped) and not p.is_relative_to(shipped.parent / "model")
    }
    return pickle.dumps(
        Parcel(edition(), out.getvalue(), own, str(Path.cwd()), os.environ.get(BOOKS, ""), str(shipped))
    )


@cache
def edition() -> str:
    """A hash of this Rulewright, of the shipped books and of the libraries that it needs: what has to be the same on every machine."""
    h = hashlib.sha256(f"{code_hash()} {platform.machine()}".encode())
    for name in sorted(
        {m[0] for r in requires("rulewright") or () if "extra" not in r and (m := re.match(r"[\w.-]+", r))}
    ):
        with suppress(PackageNotFoundError):  # it is for other systems
            h.update(f"{name} {version(name)}\n".encode())
    above = Path(__file__).parent.parent.parent
    for folder in (above / "checks", above / "model" / "games", spec_folder()):
        for path in sorted(p for p in folder.rglob("*") if p.suffix.lower() in OF_A_BOOK):
            h.update(f"{path.relative_to(folder)} {hashlib.sha256(plain_bytes(path)).hexdigest()}\n".encode())
    return h.hexdigest()


# ---------------------------------------------------------------- on the machine that does it
@dataclass(frozen=True)
class Home:
    """Where the user's files lie here (below `root`, as there), and the shipped books, here and there."""

    root: str
    here: str
    there: str

    def path(self, told: str) -> Path:
        """The path here of one that was told there."""
        path = Path(told)
        if path.is_relative_to(self.there):
            return self.here / path.relative_to(self.there)
        return self.below(told) if path.is_absolute() else path

    def below(self, told: str) -> Path:
        return Path(self.root, *Path(told).parts[1:])

    def told(self, text: str) -> str:
        """A text in which paths are those of there."""
        return text.replace(self.root, "").replace(self.here, self.there)


home = Home("", "", "")
"""Of the process that does the work."""


def at_home(told: str) -> Path:
    """A path as it was sent, here."""
    return home.path(told)


def unpacked(parcel: Parcel) -> Sequence[Work[Any]]:
    """The works of a parcel, with its files in place. Raises BadInput where they would not be done as they are meant."""
    global home
    if parcel.edition != edition():
        raise refused("other-code", OTHER_CODE, SAME_CODE, platform.node())
    key = hashlib.sha256(
        pickle.dumps(sorted((p, hashlib.sha256(data).digest()) for p, data in parcel.files.items()))
    ).hexdigest()
    home = Home(str(working_folder("cluster") / key[:24]), str(spec_folder()), parcel.shipped)
    for told, data in parcel.files.items():
        if plain_bytes_if_any(path := home.below(told)) != data:
            write_whole(path, data, lasting=False, own=True)
    (folder := home.below(parcel.folder)).mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    os.environ[BOOKS] = os.pathsep.join(str(home.path(p)) for p in parcel.books.split(os.pathsep) if p)
    return pickle.loads(parcel.works)


class Telling:
    """The end of a pipe, for whoever does the work."""

    def __init__(self, pipe: Connection) -> None:
        self.recv, self.pipe = pipe.recv, pipe

    def send(self, what: object) -> None:
        Sending(out := io.BytesIO(), Path, home.told).dump(what)
        self.pipe.send_bytes(out.getvalue())


def serve_parcel(pipe: Connection, parcel: bytes, told: Connection, until: float | None, memory: float | None) -> None:
    """Do what is asked for of the works in a parcel."""
    try:
        works = unpacked(pickle.loads(parcel))
    except BadInput as error:
        pipe.recv()
        return pipe.send(("wrong", error))
    serve(Telling(pipe), works, told, until, memory)


class Hand:
    """The actor: it starts a process and passes on what that is told and tells."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.worker: Worker

    def here(self) -> None:
        """Answered as soon as there is room for it."""

    def begin(self, parcel: bytes, left: float | None, memory: float | None) -> None:
        vars(sys.modules["__main__"]).pop("__file__", None)  # a module of Ray, which the process would load
        until = None if left is None else time.monotonic() + left
        self.worker = Worker(multiprocessing.get_context("spawn"), parcel, until, memory, serve_parcel)
        self.begun.set()

    def give(self, number: int) -> None:
        self.begun.wait()
        self.worker.give(number)

    def told(self) -> tuple[list[bytes], int | None]:
        """What it has said since, once it has said something; and with which code it has ended, if it has."""
        said: list[bytes] = []
        try:
            while not said or self.worker.pipe.poll():
                said.append(self.worker.pipe.recv_bytes())
        except (EOFError, OSError):
            self.worker.process.join()
            return said, self.worker.exit_code
        return said, None

    def ask_to_end(self) -> None:
        self.worker.ask_to_end()

    def end(self) -> None:
        self.worker.process.kill()


# ---------------------------------------------------------------- on the machine that has it done
class OnRay:
    """Workers on the machines of a cluster. Raises BadInput where that cannot be reached, or a file of the user's not be read."""

    def __init__(self, address: str, works: Sequence[Work[Any]], until: float | None, memory: float | None) -> None:
        self.ray, self.address, self.until, self.memory = connected(address), address, until, memory
        self.parcel = self.ray.put(packed(works))

    def room(self) -> int:
        """How many there may be just now: machines come and go."""
        return processors(self.address)

    def hire(self) -> Hired:
        return Hired(self)


class Hired:
    """A worker there, as it is seen from here (as `Worker` is). What is asked of it is asked by a thread of its own: Ray may wait long for an answer."""

    again = AGAIN

    def __init__(self, crew: OnRay) -> None:
        self.crew, self.ray = crew, crew.ray
        self.pipe, self.theirs = multiprocessing.Pipe(duplex=False)
        self.calls: SimpleQueue[Callable[[Any], object] | None] = SimpleQueue()
        self.at: int | None = None
        self.heavy = self.is_there = False
        self.exit_code: int | None = None
        threading.Thread(target=self.lead, daemon=True).start()

    def lead(self) -> None:
        """Start it, ask what is to be asked of it, end it."""
        with suppress(self.ray.exceptions.RayError):
            hand = self.ray.remote(num_cpus=1, max_concurrency=CALLS)(Hand).remote()
            threading.Thread(target=self.pass_on, args=(hand,), daemon=True).start()
            for call in iter(self.calls.get, None):
                call(hand)
            if self.is_there:
                with suppress(self.ray.exceptions.RayError):
                    self.ray.get(hand.end.remote(), timeout=PATIENCE)
            self.ray.kill(hand)

    def pass_on(self, hand: Any) -> None:
        """What it tells, until it is gone."""
        try:
            self.ray.get(hand.here.remote())
            self.is_there = True
            left = None if self.crew.until is None else self.crew.until - time.monotonic()
            self.ray.get(hand.begin.remote(self.crew.parcel, left, self.crew.memory))
            while self.exit_code is None:
                said, self.exit_code = self.ray.get(hand.told.remote())
                for one in said:
                    self.theirs.send_bytes(one)
        except self.ray.exceptions.RayTaskError as error:  # nothing that another would do better
            with suppress(OSError):
                self.theirs.send(
                    ("wrong", refused("not-there", NOT_THERE, SAME_CODE, why=str(error).strip().splitlines()[-1]))
                )
        except (self.ray.exceptions.RayError, OSError):  # it is lost, or nobody listens any more
            self.is_there = False
        finally:
            self.theirs.close()

    def give(self, number: int) -> None:
        self.at = number
        self.calls.put(lambda hand: hand.give.remote(number))

    def ask_to_end(self) -> None:
        """The user wants no more."""
        self.calls.put(lambda hand: hand.ask_to_end.remote())

    def end(self) -> None:
        """Whatever it is at."""
        self.calls.put(None)
        self.pipe.close()
