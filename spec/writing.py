"""The one way to write: every file that a command writes goes through here, whole or not at all.

A file is written beside its place, flushed to the disk, and put in place in one step: whoever reads it, and whatever happens
meanwhile, sees the old file or the new one. What is changed in a file is read while it is `held`, so that two who change it
at once lose nothing. Several files that belong together (`write_together`) are noted in a journal before the first is put in
place; what a command that ended early has begun is brought to its end by the next one (`finish_what_was_begun`). What
cannot be written is told as any bad input.
"""
from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import stat
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile

from .diagnostics import BadInput, Diagnostic, one_line
from .own_folder import is_own, working_folder
from .reading import plain_bytes, plain_bytes_if_any, real
from .text import Text

Content = str | bytes
"""What stands in a file; text is written as UTF-8 with the line ends that it has."""

Begun = tuple[str, str, str]
"""What a journal lists: the file that lies beside its place (none: there is to be no file), the place, and the sum of what was
there."""

PATIENCE = 60.0
"""Seconds to wait for another command that changes the same file."""
STALE = 3600.0
"""Seconds after which a file beside its place is one that nobody is going to put there."""
BESIDE = ".new"
MOST_OF_A_NAME = 255
"""Bytes of a name that file systems take."""
LONGEST, SHORT = 200, 40
"""Bytes of a name at most, so that numbers and endings have room beside it; characters that are left of a longer one."""

NOT_ALLOWED = Text(ja="書き込む権限がありません", en="writing there is not allowed")
NO_ROOM = Text(ja="ディスクに空きがありません", en="the disk is full")
WHY = {
    errno.ENOSPC: NO_ROOM,
    errno.EDQUOT: NO_ROOM,
    errno.EACCES: NOT_ALLOWED,
    errno.EPERM: NOT_ALLOWED,
    errno.EROFS: NOT_ALLOWED,
    errno.EISDIR: Text(ja="これはフォルダーです", en="this is a folder"),
    errno.ENOENT: Text(ja="そのフォルダーはありません", en="there is no such folder"),
    errno.ENOTDIR: Text(ja="途中にフォルダーでないものがあります", en="something on the way is not a folder"),
    errno.ENAMETOOLONG: Text(ja="名前が長すぎます", en="the name is too long"),
}


# ---------------------------------------------------------------- writing
def write_whole(path: Path, content: Content, lasting: bool = True, own: bool = False) -> None:
    """Write a file, whole or not at all; folders that are missing are made. Raises BadInput. `lasting`: it has to outlive the
    machine's sudden end. `own`: nobody else has to do with it, and whatever is in its place gives way."""
    with told_as_bad_input(path):
        if not own and path.exists() and not path.is_file():  # a terminal, a pipe: nothing can be put in its place
            path.write_bytes(bytes_of(content))
            return
        replace_whole(real(path), content, lasting, own)


def write_together(files: Mapping[Path, Content]) -> None:
    """Write files that belong together: all of them or none, even if this process ends at any moment. Raises BadInput."""
    journal = working_folder("unfinished") / f"{os.getpid()}-{os.urandom(4).hex()}.json"
    places = {real(path): content for path, content in files.items()}
    old: dict[Path, bytes | None] = {}
    fresh: list[Begun] = []
    try:
        for place, content in places.items():
            with told_as_bad_input(place):
                old[place] = plain_bytes_if_any(place)
                fresh.append((str(written_beside(place, content)), str(place), sum_of(old[place])))
        write_whole(journal, json.dumps(fresh), own=True)
    except BaseException:
        for beside, _, _ in fresh:
            drop(Path(beside))
        raise
    try:
        finish(journal)
    except BadInput:
        with suppress(BadInput, OSError):  # if this cannot be written either, the next command goes on with it
            take_back(journal, fresh, old)
        raise


def take_back(journal: Path, fresh: Sequence[Begun], old: Mapping[Path, bytes | None]) -> None:
    """Put what was there back where something else is by now: the journal says so from here on. Raises BadInput, OSError."""
    back: list[Begun] = []
    for beside, place, _ in fresh:
        if not Path(beside).exists():
            content = old[Path(place)]
            there = plain_bytes_if_any(Path(place))
            back.append(("" if content is None else str(written_beside(Path(place), content)), place, sum_of(there)))
    write_whole(journal, json.dumps(back), own=True)
    for beside, _, _ in fresh:
        drop(Path(beside))
    finish(journal)


def finish_what_was_begun() -> None:
    """Put in place what a command that ended early had written and not put there."""
    for journal in sorted(working_folder("unfinished").glob("*.json")):
        with suppress(BadInput):  # it cannot be written now either: the next command tries again
            finish(journal)


def finish(journal: Path) -> None:
    """Put in place what the journal lists, and take it away; a file that somebody has changed since then stays as it is.
    Raises BadInput."""
    try:
        begun: list[Begun] = json.loads(plain_bytes(journal)) if is_own(journal) else []
    except (OSError, ValueError):
        return  # another process has done it just now
    for beside, place, before in begun:
        path = Path(place)
        with told_as_bad_input(path), suppress(FileNotFoundError):  # that one is in its place
            unchanged = sum_of(plain_bytes_if_any(path)) == before
            if unchanged and beside:
                put_in_place(Path(beside), path)
            elif unchanged or beside:
                Path(beside or place).unlink()
    drop(journal)


@contextmanager
def held(path: Path) -> Iterator[None]:
    """No other process that asks for the same changes the file (or what is in the folder) meanwhile; this one may ask again.
    Raises BadInput."""
    from filelock import FileLock, Timeout  # takes a while to load, and few commands change a file

    folder = working_folder("locks")
    name = hashlib.sha256(os.fsencode(real(path))).hexdigest()[:32]
    with told_as_bad_input(folder):
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / name, timeout=PATIENCE, is_singleton=True)
        try:
            lock.acquire()
        except Timeout:
            raise trouble(path, Text(ja="別のコマンドが書き込んでいます", en="another command is writing to it"), Text(
                ja="それが終わってから、もう一度実行してください", en="run this again when it has ended")) from None
    try:
        yield
    finally:
        lock.release()


def try_out(path: Path) -> None:
    """Could a file be written here? For what is written at the end of long work. Raises BadInput if not."""
    with told_as_bad_input(path):
        there = path.stat() if os.path.lexists(path) else None
        if there is not None and stat.S_ISDIR(there.st_mode):
            raise IsADirectoryError(errno.EISDIR, "")
        if there is None or stat.S_ISREG(there.st_mode):
            place = real(path)
            if len(os.fsencode(place.name)) > MOST_OF_A_NAME:
                raise OSError(errno.ENAMETOOLONG, "")
            drop(written_beside(next(p for p in place.parents if p.exists()) / place.name, b"", False))


def nameless(folder: Path) -> int:
    """A file in the folder that has no name and is gone when nobody has it open any more, this process ended or not; its
    descriptor. The folder is made if there is none. Raises BadInput."""
    with told_as_bad_input(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder, buffering=0) as file:
            return os.dup(file.fileno())


# ---------------------------------------------------------------- names
def file_name(said: str) -> str:
    """The one way from what somebody wrote (an id, a title) to a name of a file: letters, digits and `.()+-_`, no more than
    fits. Different texts have different names."""
    plain = re.sub(r"[^\w.()+-]|^[.-]", "_", said)
    if plain == said and 0 < len(os.fsencode(said)) <= LONGEST:
        return said
    return f"{plain[:SHORT]}_{hashlib.sha256(said.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def in_folder(folder: Path, *names: str) -> Path:
    """The file (or folder) of this name in the folder. Raises BadInput if a link leads out of it."""
    path = folder.joinpath(*map(file_name, names))
    if not real(path).is_relative_to(real(folder)):
        raise trouble(path, Text(ja=f"リンクが {folder} の外を指しています", en=f"a link leads out of {folder}"))
    return path


# ---------------------------------------------------------------- the parts
def replace_whole(place: Path, content: Content, lasting: bool = True, own: bool = False) -> None:
    """The file is the old or the new one at every moment. Raises OSError."""
    fresh = written_beside(place, content, lasting, own)
    try:
        put_in_place(fresh, place, lasting)
    except BaseException:
        drop(fresh)
        raise


def written_beside(place: Path, content: Content, lasting: bool = True, own: bool = False) -> Path:
    """The content in a file of its own in the same folder, with the permissions of the file whose place it will take."""
    place.parent.mkdir(parents=True, exist_ok=True)
    prefix = f".{place.name[:40]}."
    if lasting:
        clear_away(place.parent, prefix)
    fresh = place.with_name(f"{prefix}{os.getpid()}-{os.urandom(4).hex()}{BESIDE}")
    number = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600 if own else 0o666)
    try:
        with os.fdopen(number, "wb") as out:
            out.write(bytes_of(content))
            out.flush()
            if lasting:
                os.fsync(out.fileno())
        if not own and place.exists():
            fresh.chmod(stat.S_IMODE(place.stat().st_mode))
    except BaseException:
        drop(fresh)
        raise
    return fresh


def put_in_place(fresh: Path, place: Path, lasting: bool = True) -> None:
    """One step: until then the old file is there, from then on the new one."""
    fresh.replace(place)
    if lasting and os.name == "posix":
        with suppress(OSError):  # it is in its place, and the system writes that down in its own time
            folder = os.open(place.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)


def clear_away(folder: Path, prefix: str) -> None:
    """Take away what commands that were killed have left beside the file."""
    with os.scandir(folder) as there:
        for one in there:
            if one.name.startswith(prefix) and one.name.endswith(BESIDE):
                with suppress(OSError):
                    if time.time() - one.stat(follow_symlinks=False).st_mtime > STALE:
                        Path(one.path).unlink()


def drop(path: Path) -> None:
    """The file is not wanted any more."""
    with suppress(OSError):
        path.unlink(missing_ok=True)


def sum_of(content: bytes | None) -> str:
    """By which it is seen whether a file has changed; nothing if there is none."""
    return "" if content is None else hashlib.sha256(content).hexdigest()


@contextmanager
def told_as_bad_input(path: Path) -> Iterator[None]:
    """That a file cannot be written is told as what it is."""
    try:
        yield
    except OSError as error:
        why = WHY.get(error.errno or 0) or Text.same(error.strerror or str(error))
        raise trouble(path, why, Text(ja="元のファイルはそのままです", en="the file that was there is as it was")
                      if os.path.isfile(path) else None) from None  # noqa: PTH113 (Path.is_file raises)


def trouble(path: Path, why: Text, hint: Text | None = None) -> BadInput:
    """A file cannot be written."""
    name = one_line(str(path))
    said = Text(ja=f"{name} に書き込めません（{why.ja}）", en=f"cannot write to {name} ({why.en})")
    return BadInput([Diagnostic(None, "cannot-write", said, hint, name)])


def ends_as_in(path: Path, text: str) -> str:
    """The text with the line ends of the file that is there."""
    with told_as_bad_input(path):
        first = (plain_bytes_if_any(path) or b"").find(b"\r\n")
    return text if first < 0 else text.replace("\r\n", "\n").replace("\n", "\r\n")


def bytes_of(content: Content) -> bytes:
    """What is written."""
    return content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
