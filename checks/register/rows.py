"""Rows of `clauses.yaml` as text: for a new register, and for the new clauses of an old one."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ...spec.diagnostics import INVISIBLE
from ...spec.readers import Clause, ClauseKind
from ...spec.text import Text
from .hashes import Hash
from .pieces import Piece
from .status import TO_WRITE

_VERDICT = re.compile(r"(?:勝利|敗北|引き分け|勝者|敗者|負け|勝ち)(?:し|と|に|で|が|です|る|$)|\b(?:wins?|loses?|a draw)\b")
_FORBIDDEN = re.compile(r"(?:できません|できない|てはなら|てはいけ|禁止|不可|出来ません|出来ない)|\b(?:cannot|can't|may not|must not|[Nn]o \w+ (?:can|may))\b")
_ALLOWED = re.compile(r"(?:てもよ|ても良|ことができ|ことが出来|できます|できる|出来ます|かまわ|構わ)|\b(?:may|can)\b")
_DUTY = re.compile(r"(?:なければなら|なくてはなら|ねばなら|必要があ|義務)|\b(?:must|has to|have to)\b")
_DEFINED = re.compile(
    r"とは|(?:と呼|といい|という|と言い|と言う|と称)|を(?:指し|指す|意味)|のこと(?:です|を|。|$)|\b(?:means|is called|refers to)\b")
_ACTS = re.compile(
    r"(?:(?:選び|引き|置き|出し|捨て|戻し|移し|加え|公開し|シャッフルし|払い|受け取り|渡し)ます|選ぶ|引く|置く|出す|捨てる|戻す|移す|加える|公開する|シャッフルする|払う|受け取る|渡す)$|"
    r"\b(?:[Tt]he|[Ee]ach|[Ee]very|[Tt]hat|[Aa]) [^.]{0,40}\b(?:draws|discards|puts|plays|chooses|pays|moves|reveals|shuffles|takes)\b")


def guessed_kind(piece: Piece) -> ClauseKind:
    """What sort of clause it is, by its words; a guess. Where they show nothing, one that does something in play: better
    asked for than overlooked."""
    text = piece.text.strip()
    if piece.heading and "\n" not in text:
        return ClauseKind.HEADING
    for pattern, kind in (
        (_FORBIDDEN, ClauseKind.PROHIBITION), (_DUTY, ClauseKind.DUTY), (_VERDICT, ClauseKind.VERDICT),
        (_DEFINED, ClauseKind.DEFINITION), (_ALLOWED, ClauseKind.PERMISSION),
    ):
        if pattern.search(text) and not (kind is ClauseKind.DEFINITION and _acts_beside(text)):
            return kind
    return ClauseKind.PROCEDURE if text else ClauseKind.NONE


def _acts_beside(text: str) -> bool:
    """Does a sentence of a clause that names something do something, too (“The dealer plays a card. It is called the lead.”)?"""
    return any(_ACTS.search(one) and not _DEFINED.search(one) for one in re.split(r"[。\n]|(?<=[a-z])\. ", text))


def new_row(piece: Piece, hash_: Hash, known: Collection[str], text: Text | None = None) -> str:
    """The row of a clause that nobody has looked at: its kind is a guess, its gist is to be written (or the draft's own
    words, where asked for)."""
    refs = [r for r in dict.fromkeys(hash_.refs) if r in known and r != piece.id]
    return rendered(piece.id, guessed_kind(piece).value, True, text or TO_WRITE, refs, ())


def row_of(clause: Clause, name: str, refs: Sequence[str], dangling: Sequence[str]) -> str:
    """The row of a known clause, with other references."""
    return rendered(name, clause.kind.value, clause.guessed, clause.gist, refs, dangling, clause.reworded)


def rendered(
    name: str,
    kind: str,
    guessed: bool,
    gist: Text,
    refs: Sequence[str],
    dangling: Sequence[str],
    reworded: bool = False,
) -> str:
    """A row in the usual form; of a gist that is the same in both languages, the one in which it is."""
    lines = [
        f"  - id: {quoted(name)}",
        f"    kind: {kind}",
        *(["    guessed: yes"] if guessed else []),
        *(["    reworded: yes"] if reworded else []),
        *(
            [f"    {language_of(gist.ja)}: {scalar(gist.ja)}"]
            if gist.ja == gist.en
            else [f"    ja: {scalar(gist.ja)}", f"    en: {scalar(gist.en)}"]
        ),
    ]
    lines += [
        f"    {key}: [{', '.join(map(quoted, some))}]" for key, some in (("refs", refs), ("dangling", dangling)) if some
    ]
    return "\n".join(lines) + "\n"


def language_of(text: str) -> str:
    """The key for a text that stands in one language only."""
    return "en" if text.isascii() or not re.search(r"[぀-ヿ一-龠々]", text) else "ja"


def quoted(text: str) -> str:
    """Text between quotation marks, without characters that nobody can see."""
    return '"' + INVISIBLE.sub("", text).replace("\\", "\\\\").replace('"', '\\"') + '"'


_PLAIN = re.compile(r"[^\W\d_](?:[^:#\n\t\"'`{}\[\]&*!|>%@,?]*[^\s:#\n\t\"'`{}\[\]&*!|>%@,?])?")


def scalar(text: str) -> str:
    """Text as YAML takes it: plain where that is safe."""
    text = " ".join(INVISIBLE.sub("", text).split())
    return (
        text
        if _PLAIN.fullmatch(text) and text.lower() not in ("yes", "no", "true", "false", "null", "on", "off")
        else quoted(text)
    )
