"""Checkpoints: a search under way, on disk, so that it can go on after its process was killed at any moment.

Everything a search knows only ever gets longer. So a checkpoint appends to one file for each array what is new since the
last one, has it written to the disk, and then replaces the manifest (`spec/writing.py`). The manifest
says how much of each file counts, with a checksum for each piece that was appended; whatever lies behind is what an
unfinished checkpoint left, and is overwritten. The table is made anew from the keys.

A manifest also says what it is a checkpoint *of*. Another program, other cards, other limits on depth, another version:
it is refused. So is whatever does not agree with its checksum. Nothing of it is used then.

The shares of a divided search (`divided`) are kept each in a folder of its own, with a manifest for each *generation*: since
nothing is ever taken away, an older manifest counts as long as what it names has not been overwritten. One more manifest names
the generation that all shares have finished.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np

from ...spec.diagnostics import BadInput, Diagnostic
from ...spec.reading import plain_bytes
from ...spec.text import Text
from ...spec.writing import replace_whole

FORMAT = f"rulewright checkpoint 1, {sys.byteorder} endian"
MANIFEST = "manifest.json"
BETWEEN = 60.0
"""Seconds between two checkpoints, unless told."""
SHARE = 20
"""Writing takes at most about one part in so many of the time."""


@dataclass(frozen=True)
class Plan:
    """Where and how often checkpoints are written; `resume`: go on from what is there. `name`: of the search."""

    folder: Path
    resume: bool = False
    every: float = BETWEEN
    name: str = ""

    @property
    def place(self) -> Path:
        """The folder of this search."""
        return self.folder / self.name if self.name else self.folder

    @property
    def exists(self) -> bool:
        """Is there a checkpoint of this search?"""
        return (self.place / MANIFEST).exists()


WHAT = {
    "format": Text(ja="保存の形式", en="the format of the checkpoint"),
    "version": Text(ja="Rulewright の版", en="the version of Rulewright"),
    "rules": Text(ja="ルールのプログラム（本・シナリオ・解釈）", en="the rules (book, scenario or readings)"),
    "cards": Text(ja="カードの数値", en="numbers on cards"),
    "beginning": Text(ja="始まりの局面", en="the position play begins from"),
    "limits": Text(ja="手順の長さ・ターン数の上限", en="the limits on depth or turns"),
    "store": Text(ja="局面の保存のしかた", en="how positions are stored"),
    "parts": Text(ja="--parts の数", en="the number of --parts"),
}
"""The parts of what a search is, in words."""


def refusal(code: str, ja: str, en: str, help_ja: str, help_en: str, path: Path) -> BadInput:
    return BadInput([Diagnostic(None, code, Text(ja=ja, en=en), Text(ja=help_ja, en=help_en), str(path))])


def damaged(path: Path, ja: str, en: str) -> BadInput:
    return refusal(
        "damaged-checkpoint", f"{path} は壊れているため、使いません（{ja}）", f"{path} is damaged and is not used ({en})",
        "フォルダーを消して、--resume なしで最初からやり直してください", "remove the folder and begin anew, without --resume", path)


def foreign(path: Path, parts: list[Text]) -> BadInput:
    ja, en = "、".join(p.ja for p in parts), ", ".join(p.en for p in parts)
    return refusal(
        "foreign-checkpoint", f"{path} は別の検査の途中経過なので、使いません（違うもの: {ja}）",
        f"{path} is a checkpoint of another search and is not used; different: {en}",
        "保存したときと同じ指定で再開するか、別のフォルダーを指定してください",
        "resume it as it was begun, or name another folder", path)


def in_the_way(path: Path) -> BadInput:
    return refusal(
        "checkpoint-exists", f"{path} には、すでに途中経過があります", f"there is a checkpoint in {path} already",
        "続けるなら --resume を付け、最初からならフォルダーを消してください",
        "go on with --resume, or remove the folder to begin anew", path)


def nothing_there(path: Path) -> BadInput:
    return refusal(
        "no-checkpoint", f"{path} に途中経過はありません", f"there is no checkpoint in {path}",
        "--resume なしで始めてください", "begin without --resume", path)


def beyond_limit(path: Path, states: int) -> BadInput:
    return refusal(
        "checkpoint-limit", f"{path} は、すでに局面の数の上限を超えて {states:,} 局面まで進んでいます",
        f"{path} has gone beyond the limit on positions already: {states:,} of them",
        "--max-states を増やすか、別のフォルダーを指定してください", "raise --max-states, or name another folder", path)


def in_use(path: Path) -> BadInput:
    return refusal(
        "checkpoint-in-use", f"{path} には、いま動いている別の検査が書き込んでいます", f"another run is writing to {path}",
        "その検査が終わるのを待つか、別のフォルダーを指定してください", "wait for it, or name another folder", path)


ours: set[Path] = set()
"""Checkpoints begun by this process: the same search, asked for once more, goes on with them."""


@dataclass
class Pieces:
    """What counts of a file: bytes and checksum of each piece, in order."""

    sums: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])

    @property
    def bytes(self) -> int:
        return sum(n for n, _ in self.sums)


class Checkpoint:
    """The checkpoint of one search. `identity`: what the search is, part by part; equal only for equal searches. `generation`:
    which one is read or written; 0: there is only one."""

    def __init__(self, plan: Plan, identity: Mapping[str, str], generation: int = 0) -> None:
        self.plan, self.folder, self.generation = plan, plan.place, generation
        self.identity = {"format": FORMAT, **identity}
        self.pieces: dict[str, Pieces] = {}
        self.sum = ""
        """The checksum of the manifest that was read or written last."""
        self.last = time.monotonic()
        self.took = 0.0
        self.lock: IO[bytes] | None = None

    def open(self) -> None:
        """Make the folder ours. Raises BadInput if another run has it, or there is something to go on from and nobody
        asked for that."""
        if self.plan.exists and not self.plan.resume and self.folder.resolve() not in ours:
            raise in_the_way(self.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lock = (self.folder / "lock").open("ab")
        try:
            import fcntl
        except ImportError:  # no such locks on this system
            return
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close()
            raise in_use(self.folder) from None
        finally:
            ours.add(self.folder.resolve())

    def close(self) -> None:
        if self.lock is not None:
            self.lock.close()
            self.lock = None

    # ------------------------------------------------------------ writing
    @property
    def due(self) -> bool:
        return time.monotonic() - self.last >= max(self.plan.every, SHARE * self.took)

    def write(self, arrays: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        """Write what is new of the arrays (each begins with what it was before), and the facts."""
        begun = time.monotonic()
        written: dict[str, Pieces] = {}
        for name, array in arrays.items():
            old = self.pieces.get(name, Pieces())
            fresh = array.view(np.uint8)[old.bytes:]
            pieces = Pieces(list(old.sums))
            path = self.file(name)
            with path.open("r+b" if path.exists() else "w+b") as f:
                f.seek(old.bytes)
                f.write(fresh.data)
                f.truncate()
                f.flush()
                os.fsync(f.fileno())
            if fresh.size or not pieces.sums:
                pieces.sums.append((fresh.size, checksum(fresh)))
            written[name] = pieces
        facts = json.loads(json.dumps(facts))  # as it will be read
        content = {"identity": self.identity, "facts": facts, "arrays": {n: p.sums for n, p in written.items()}}
        self.sum = sum_of(content)
        replace_whole(self.manifest_of(self.generation), json.dumps({**content, "sum": self.sum}, indent=1))
        self.pieces = written
        self.last = time.monotonic()
        self.took = self.last - begun

    def manifest_of(self, generation: int) -> Path:
        return self.folder / (f"manifest-{generation}.json" if generation else MANIFEST)

    def file(self, name: str) -> Path:
        return self.folder / f"{name}.bin"

    # ------------------------------------------------------------ reading
    def read(self, place: Callable[[str, int], np.ndarray]) -> dict[str, Any]:
        """The facts of the checkpoint; its arrays are read to where `place(name, bytes)` says. Raises BadInput if it is
        damaged, or foreign."""
        content = self.manifest()
        theirs = content["identity"]
        differ = [said for part, said in WHAT.items() if theirs.get(part) != self.identity.get(part)]
        if differ or theirs != self.identity:
            raise foreign(self.folder, differ or list(WHAT.values())[:1])
        for name, sums in content["arrays"].items():
            pieces = Pieces([(int(n), str(s)) for n, s in sums])
            self.load(self.file(name), pieces, place(name, pieces.bytes))
            self.pieces[name] = pieces
        return content["facts"]

    def manifest(self) -> dict[str, Any]:
        path = self.manifest_of(self.generation)
        try:
            content = json.loads(plain_bytes(path))
            self.sum = content.pop("sum")
            whole = self.sum == sum_of(content)
        except FileNotFoundError:
            raise nothing_there(self.folder) from None
        except (ValueError, AttributeError, KeyError, TypeError):
            whole, content = False, {}
        if not whole:
            raise damaged(path, "内容と検査値が合いません", "it does not agree with its checksum")
        return content

    def load(self, path: Path, pieces: Pieces, to: np.ndarray) -> None:
        try:
            size = path.stat().st_size
        except OSError:
            raise damaged(path, "ファイルがありません", "there is no such file") from None
        if size < pieces.bytes:
            raise damaged(path, f"{pieces.bytes} バイトのはずが {size} バイト", f"{size} bytes instead of {pieces.bytes}")
        at = 0
        with path.open("rb") as f:
            for size, wanted in pieces.sums:
                piece = to[at:at + size]
                if f.readinto(piece.data) != size or checksum(piece) != wanted:
                    raise damaged(path, "内容と検査値が合いません", "it does not agree with its checksum")
                at += size


def checksum(data: np.ndarray) -> str:
    return hashlib.blake2b(data.data, digest_size=20).hexdigest()


def sum_of(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def not_written(trouble: OSError) -> Text:
    """The disk is full, or the like."""
    path, why = trouble.filename or "?", trouble.strerror or str(trouble)
    return Text(
        ja=f"途中経過を書き込めません（{path}: {why}）。検査は続けます。",
        en=f"The checkpoint cannot be written ({path}: {why}). The search goes on.")
