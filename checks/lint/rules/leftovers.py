"""What was left from writing: places to be filled in, words twice in a row, names that the change log says are gone."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ....spec.diagnostics import INVISIBLE
from ....spec.text import Text
from ..findings import Found, Rule, Severity, excerpt, times
from ..model import Draft
from ..terms import places_in

_OPEN = re.compile(
    r"(?<![A-Za-z0-9])(?:TODO|TBD|TBC|TBA|FIXME|FILL ME IN)(?![A-Za-z0-9]|\.[a-z])"
    r"|(?<=[Rr]ule )[XY?#]{1,4}(?:[.\-][XYxy?#\d]{1,3})*(?![A-Za-z0-9])"
    r"|(?<=[Ss]ection )(?:[X?#]{2,4}|[XY?#]{1,3}(?:[.\-][XYxy?#\d]{1,3})+)(?![A-Za-z0-9])"
    r"|(?<=[Pp]age )[X?#]{1,4}(?![A-Za-z0-9])"
    r"|(?<![A-Za-z])(?i:by-?law|article|clause|step|chapter|appendix|figure|table|paragraph)s?[ ~]\?\?(?![?\w])"
    r"|(?<![A-Za-z0-9])X{2,3}-[\w…]{1,8}|(?<![A-Za-z0-9.])(?:X{1,3}|x{2,3}|[?？]{1,3})(?:[.][Xx?？]{1,3})+(?![A-Za-z0-9])"
    r"|(?:規則|ルール|条文|項目?|ページ|頁|章|節)[ 　]?(?:[X×〇○●＊]{2,4}|[?？]{2,4})|第[X×〇○●＊?？]{1,3}[章節条項]"
    r"|[〇○]{2,3}(?=ページ|頁)|【?(?:要確認|要修正|要検討|要追記|後で書く|あとで書く|未記入|ここに記入|本文を入力)】?|[Ll]orem ipsum"
)


def placeholders(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A place that was to be filled in."""
    for clause, match in ((one, match) for one in draft.clauses for match in _OPEN.finditer(one.text)):
        before = clause.text[max(0, match.start() - 4) : match.start()]
        yield rule.at(
            clause,
            match.start(),
            Text(ja=f"「{match[0]}」は書きかけのままと思われます", en=f"{match[0]!r} seems to be left to be filled in"),
            match[0],
            cited=excerpt(clause.text[max(0, match.start() - 20) : match.end() + 20], 50),
            signs=(
                _SAID.search(match[0]) is not None or len(re.findall(re.escape(before) + r"\d", draft.text)) >= NUMBERED
            )
            + (_MARKED.search(match[0]) is not None),
        )


_SAID = re.compile(r"[A-Za-wyz]{3}|[ぁ-ん一-龠]{3}")
"""Words for what is to be done, and no sign that could be a number."""
_MARKED = re.compile(r"[A-Z?？×〇○●＊【]")
"""No word of a sentence."""
NUMBERED = 3
"""So often does a number stand behind the same words: a place for one, then, where an X does."""
_SMALL = "the|a|an|of|to|are|and|or|for|with|be|if|by|from|as|at|this|they|their|you|your|not|may|must"
_TWICE = re.compile(rf"(?<![\w’'.-])(?P<one>{_SMALL})\s+(?P=one)(?![\w’'.-])", re.IGNORECASE)


def doubled(draft: Draft, rule: Rule) -> Iterable[Found]:
    """`the the`."""
    for clause in draft.clauses:
        for match in _TWICE.finditer(clause.text):
            first, second = match[0].split()
            if second not in (first, first.lower()) or (first.isupper() and len(first) == 1):
                continue  # `if IF is empty`: an abbreviation
            yield rule.at(
                clause,
                match.start(),
                Text(ja=f"「{match['one']}」が二つ続いています", en=f"{match['one']!r} twice in a row"),
                match[0],
                suggestion=Text.same(match["one"]),
                cited=excerpt(clause.text[max(0, match.start() - 20) : match.end() + 20], 50),
            )


_RENAMED = (
    re.compile(
        r"[「『“\"](?P<old>[^「」『』“”\"\n]{2,24})[」』”\"]\s*(?:を|から|という(?:名称|名前|表現|用語)を)\s*[「『“\"](?P<new>[^「」『』“”\"\n]{1,24})[」』”\"]に"
    ),
    re.compile(
        r"(?:renamed|changed|replaced) [“\"](?P<old>[^“”\"\n]{3,30})[”\"] (?:to|by|with|into) [“\"](?P<new>[^“”\"\n]{3,30})[”\"]",
        re.IGNORECASE,
    ),
    re.compile(
        r"[“\"](?P<old>[^“”\"\n]{3,30})[”\"] (?:is|was|has been) (?:renamed|replaced)(?: to| by| with)? [“\"](?P<new>[^“”\"\n]{3,30})[”\"]",
        re.IGNORECASE,
    ),
)


def renamed(draft: Draft, rule: Rule) -> Iterable[Found]:
    """The change log says that a name was replaced, and the text has it still."""
    told = [
        (line, match["old"].strip(" .,"), match["new"].strip(" .,"))
        for line in draft.changes
        for form in _RENAMED
        for match in form.finditer(line.text)
    ]
    texts = [clause.text for clause in draft.clauses]
    found = places_in(texts, (name for _, old, new in told for name in (old, new) if name))
    for line, old, new in told:
        places = [
            (draft.clauses[number], at) for number, at in found.get(old, ()) if _alone(texts[number], at, old, new)
        ]
        if not places or len(places) > 5 or len(found.get(new, ())) < len(places):
            continue
        clause, at = places[0]
        yield rule.at(
            clause,
            at,
            Text(
                ja=f"「{old}」は、変更履歴（{draft.located.on(line.number).ja}）では「{new}」に改められていますが、{len(places)} か所に残っています",
                en=f"{old} was replaced by {new} (change log, {draft.located.on(line.number).en}), and still stands here ({times(len(places))})",
            ),
            old,
            suggestion=Text(ja=f"「{new}」のことですか", en=f"did you mean {new}?"),
        )


def _alone(text: str, at: int, old: str, new: str) -> bool:
    """Does the old name stand there for itself, not as a piece of the new one or of another word?"""
    end = at + len(old)
    kind = r"[A-Za-z]" if old[-1:].isascii() else r"[ァ-ヴー一-龠]"
    return not re.search(kind, f"{text[max(0, at - 1) : at]}|{text[end : end + 1]}") and not (old in new and new in text)


def invisible(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A character that nobody can see: it parts words that look like one, or turns the direction of writing."""
    for clause in draft.clauses:
        for match in INVISIBLE.finditer(clause.text):
            if match[0] == "\f":  # a page ends
                continue
            code = f"U+{ord(match[0]):04X}"
            yield rule.at(
                clause,
                match.start(),
                Text(ja=f"目に見えない文字（{code}）が入っています", en=f"there is an invisible character here ({code})"),
                match[0],
                suggestion=Text(ja="この文字を消してください", en="delete it"),
                cited=excerpt(clause.text[max(0, match.start() - 20) : match.end() + 20], 50),
                replace="",
            )


RULES = (
    Rule(
        "placeholder",
        Severity.WARNING,
        Text("書きかけの箇所", "place left to be filled in"),
        placeholders,
        lambda draft: len(draft.clauses),
        doubted=True,
    ),
    Rule("word-twice", Severity.WARNING, Text("語の重複", "word twice in a row"), doubled, signs=1),
    Rule(
        "character-invisible",
        Severity.WARNING,
        Text("目に見えない文字", "invisible character"),
        invisible,
        lambda draft: len(draft.clauses),
        signs=1,
    ),
    Rule("term-old", Severity.WARNING, Text("改められた名前の残り", "old name of a term"), renamed, signs=1),
)
