"""The one way to read: every file that a command reads goes through here.

Only ordinary files are read: not folders, devices or pipes, which might never end, or never begin. A file has a largest size.
What others may have written into a book (`card_files:`) has to lie in its folder; what is named on the command line may lie
anywhere. Text is UTF-8 unless its reader says otherwise. That a file cannot be read is told as what it is.

`plain_bytes` is for what Rulewright itself has written, where a file that cannot be read is as good as none.
"""
from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .diagnostics import BadInput, Diagnostic, Position, did_you_mean, nearest, one_line, shown
from .plain import LARGEST, NotOrdinary, TooLarge, plain_bytes
from .text import Text

MIB = 1024 * 1024
OF_A_BOOK = (".yaml", ".hashes", ".py", ".csv", ".tsv", ".xlsx", ".xlsm")
"""What the names of files end with that a book consists of."""
MANY = 1000
"""Files in a folder among which no other name is suggested."""
SPLIT = Text(ja="いくつかのファイルに分けてください", en="split it into several files")


# ---------------------------------------------------------------- bytes
def plain_bytes_if_any(path: Path, most: int = LARGEST) -> bytes | None:
    """The same; None where there is no such file. Raises OSError."""
    try:
        return plain_bytes(path, most)
    except FileNotFoundError:
        return None


def file_bytes(path: Path, most: int = LARGEST, root: Path | None = None) -> bytes:
    """What a file holds; with a `root`, it has to lie in that folder. Raises BadInput."""
    try:
        if root is not None and not real(path).is_relative_to(real(root)):
            raise outside(path, real(root))
        return plain_bytes(path, most)
    except (OSError, ValueError) as error:
        raise unreadable(path, error, most) from None


def stay_inside(folder: Path) -> None:
    """Do all files in the folder that a book is read from lie in it? Raises BadInput with each link that leads out."""
    place = real(folder)
    away = [
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix.lower() in OF_A_BOOK
        and path.is_symlink()
        and path.exists()
        and not real(path).is_relative_to(place)
    ]
    if away:
        raise BadInput(d for path in away for d in outside(path, place).diagnostics)


def file_text(path: Path, most: int = LARGEST) -> str:
    """The text of a file in UTF-8. Raises BadInput."""
    return decoded(file_bytes(path, most), str(path))


def file_json(path: Path, most: int = LARGEST) -> Any:
    """What a JSON file says. Raises BadInput."""
    text = file_text(path, most)
    at, why = Position(str(path), 1, 1), ""

    def once_each(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = shown(next(key for key, many in Counter(key for key, _ in pairs).items() if many > 1))
            raise BadInput([Diagnostic(at, "duplicate-key", Text(
                ja=f"項目「{twice}」が一つの対象に二度書かれています", en=f"the key `{twice}` is written twice in one object",
            ), Text(ja="どちらかを消してください", en="delete one of them"), twice)])
        return found

    try:
        return json.loads(text, object_pairs_hook=once_each)
    except json.JSONDecodeError as error:
        at, why = Position(str(path), error.lineno, error.colno), error.msg
    except (RecursionError, ValueError) as error:  # nested without end, a number of a million digits
        why = type(error).__name__ if isinstance(error, RecursionError) else str(error)
    raise BadInput([Diagnostic(at, "not-json", Text(ja=f"JSON ではありません（{why}）", en=f"not JSON ({why})"))])


def decoded(data: bytes, file: str) -> str:
    """The bytes of a file as text. Raises BadInput with the place of what is not UTF-8."""
    from .broken import not_utf8  # what explains mistakes is needed where there is one

    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput([not_utf8(data, file, error)]) from None


def real(path: Path) -> Path:
    """Where the file is: behind a link, not the link itself."""
    return Path(os.path.realpath(path))


# ---------------------------------------------------------------- why not
def unreadable(path: Path, error: OSError | ValueError, most: int = LARGEST) -> BadInput:
    """Why a file cannot be read."""
    hint = None
    match error:
        case TooLarge():
            code, hint = "too-large", SPLIT
            size = f"{most // MIB} MiB"
            why = Text(ja=f"ファイルが大きすぎます（上限 {size}）", en=f"the file is too large (at most {size})")
        case IsADirectoryError():
            code, why = "is-folder", Text(ja="これはフォルダーです。ファイルを指定してください", en="this is a folder, not a file")
        case NotOrdinary():
            code, why = "not-a-file", Text(ja="普通のファイルではありません", en="this is not an ordinary file")
        case FileNotFoundError():
            code, why = "no-such-file", Text(ja="ファイルがありません", en="there is no such file")
            hint = near(path)
        case _:
            code, said = "unreadable", getattr(error, "strerror", None) or str(error)
            why = Text(ja=f"ファイルを読めません（{said}）", en=f"the file cannot be read ({said})")
    return BadInput(
        [Diagnostic(Position(str(path), 1, 1), code, why, hint, None if code == "too-large" else path.name)]
    )


def near(path: Path) -> Text | None:
    """The file that was probably meant."""
    try:
        there = [p.name for p in path.parent.iterdir()]
    except OSError:
        return None
    same = [name for name in there if Path(name).stem == path.name != name]  # `draft` for `draft.md`
    if len(same) == 1:
        return did_you_mean(same[0], same)
    alike = [name for name in there if Path(name).suffix.lower() == path.suffix.lower()]  # else one of these, not whatever lies there
    return did_you_mean(path.name, there if nearest(path.name, there) else alike) if len(there) <= MANY else None


def outside(path: Path, root: Path) -> BadInput:
    """Without a place in the file, whose line would be shown: it may be somebody else's."""
    name, folder = one_line(str(path)), one_line(str(root))
    return BadInput([Diagnostic(None, "outside", Text(
        ja=f"{name} は {folder} の中のファイルでなければなりません", en=f"{name} has to be a file in {folder}",
    ), Text(ja="ファイルをそこに置いてください。リンクもその外を指すことはできません",
            en="put the file there; a link may not lead out of it either"))])
