"""Text against text: the table of contents against the body, sentences and headings that are repeated."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from ....spec.groups import grouped
from ....spec.text import Text
from ..findings import Found, Rule, Severity, excerpt
from ..model import Clause, Draft, Line, Style, sentences
from ..numbering import same_width

LONG = 16
"""Characters of a sentence that is worth a word when it is repeated."""


def folded(text: str) -> str:
    """A text without spaces and widths; a number in a circle is no digit."""
    return re.sub(r"\s", "", same_width(text))


# ---------------------------------------------------------------- contents
def contents(draft: Draft, rule: Rule) -> Iterable[Found]:
    """An entry of the table of contents has another title in the body, or is not there; a heading is not listed."""
    if draft.contents is None:
        return
    yield from _without_number(draft, rule)
    if len(draft.contents.entries) < 3:
        return
    bodies: dict[tuple[str, str], Clause] = {}
    titles: dict[tuple[str, str], list[str]] = {}
    for clause in draft.numbered:
        bodies.setdefault(_key(clause), clause)
        titles.setdefault(_key(clause), []).append(folded(clause.title).casefold())
    found = sum(_key(entry) in bodies for entry in draft.contents.entries)
    if found * 4 < len(draft.contents.entries) * 3:
        # What was taken for the contents, or for the text, probably is not.
        return
    listed: set[tuple[str, str]] = set()
    agree = found * 10 >= 9 * len(draft.contents.entries) and found >= 5
    for entry in draft.contents.entries:
        if entry.is_item or CONTENTS_ITSELF.match(entry.title) or entry.label is None:
            continue
        key = _key(entry)
        listed.add(key)
        body = bodies.get(key)
        written = entry.label.written
        if body is None and _stands(draft, entry):
            continue  # it is there, and was not taken for a section
        if (
            body is None
            and draft.file.lower().endswith(".pdf")
            and any(name.startswith(f"{key[1]}.") for _, name in bodies)
        ):
            continue  # its line was lost with the running heads
        if body is None:
            yield rule.on(
                entry,
                Text(
                    ja=f"目次の「{written} {entry.title}」が本文にありません",
                    en=f"the contents list {written} {entry.title}, which the text does not have",
                ),
                entry.title,
                signs=agree,
            )
        elif not any(_begins_alike(title, folded(entry.title).casefold()) for title in titles[key]) and not _stands(
            draft, entry
        ):
            yield _titled_otherwise(draft, rule, entry, body, agree + (alike(entry.title, body.title) > LIKE))
    kinds = grouped(
        ((len(clause.label.parts), clause.style), clause) for clause in draft.numbered
        if clause.label and clause.headlike)
    for kind in kinds.values():
        unlisted = [clause for clause in kind if _key(clause) not in listed]
        for clause in unlisted if len(unlisted) == 1 < len(kind) or len(unlisted) * 5 <= len(kind) else ():
            label = clause.label
            assert label is not None
            if _listed(draft, clause):
                continue
            yield rule.on(
                clause,
                Text(
                    ja=f"「{label.written} {excerpt(clause.title, 24)}」が目次にありません",
                    en=f"{label.written} {excerpt(clause.title, 24)} is not in the contents",
                ),
                clause.title,
                signs=agree + (len(unlisted) == 1 < len(kind) - 3),
            )


def _begins_alike(title: str, entry: str) -> bool:
    """Does the title begin as the entry does, or the entry as a title that its line cut short?"""
    cut = title.rstrip("-…")
    return title.startswith(entry) or (len(cut) >= 10 and cut != title and entry.startswith(cut))


def _stands(draft: Draft, entry: Clause) -> bool:
    """Is there a line of the text with the number and the title of an entry, or with nothing but its title?"""
    assert draft.contents is not None
    inside = range(draft.contents.first, draft.contents.last + 1)
    title = folded(entry.title)
    lines = [line for line in draft.lines if line.number not in inside]
    return any(_says(line, entry) or folded(line.body) == title for line in lines)


def _listed(draft: Draft, clause: Clause) -> bool:
    """Is there a line of the contents, or right behind them, with number and title of a clause?"""
    assert draft.contents is not None
    inside = range(draft.contents.first, draft.contents.last + 4)
    return any(_says(line, clause) for line in draft.lines if line.number in inside and line.number != clause.line)


def _says(line: Line, clause: Clause) -> bool:
    assert clause.label is not None
    wanted = folded(clause.label.written.rstrip(".") + clause.title).replace(".", "").casefold()[:24]
    return folded(line.body).replace(".", "").casefold().startswith(wanted)


def _without_number(draft: Draft, rule: Rule) -> Iterable[Found]:
    """An entry without a number of the book's that has no heading of just that title, and one nearly so, which no other
    entry has; where nearly all entries have theirs."""
    assert draft.contents is not None
    entries = draft.contents.others
    titles = {folded(clause.title).casefold(): clause for clause in draft.clauses if clause.heading or clause.headlike}
    listed = {folded(entry.title).casefold() for entry in entries}
    lost = [entry for entry in entries if folded(entry.title).casefold() not in titles]
    if len(lost) > 1 and len(lost) * 5 > len(entries):
        return
    for entry in lost:
        title = folded(entry.title).casefold()
        near = difflib.get_close_matches(title, [one for one in titles if one not in listed], 1, 0.8)
        if near and not near[0].startswith(title):
            yield _titled_otherwise(draft, rule, entry, titles[near[0]], 2)


LIKE = 0.6
"""As much alike are two titles of which one was changed."""


def _titled_otherwise(draft: Draft, rule: Rule, entry: Clause, body: Clause, signs: int) -> Found:
    """A finding at the title of an entry, behind its number: the text has another title."""
    there = draft.located.on(body.line)
    message = Text(
        ja=f"目次では「{excerpt(entry.title, 24)}」、本文（{there.ja}）では「{excerpt(body.title, 24)}」です",
        en=f"{entry.title!r} in the contents, {body.title!r} in the text ({there.en})",
    )
    found = rule.on(entry, message, entry.title, signs=signs)
    source = entry.label.end if entry.label else 0
    return replace(found, column=entry.column + source)


CONTENTS_ITSELF = re.compile(r"\s*(?:目\s*次|Contents)", re.IGNORECASE)


def _key(clause: Clause) -> tuple[str, str]:
    around = clause.outer if clause.label is not None and clause.label.worded else clause.chapter
    chapter = around.name if around is not None and around.style is Style.CHAPTER else ""
    own = clause.label.name.rstrip(".") if clause.label else ""
    return chapter, own


# ---------------------------------------------------------------- repeated
def repeated(draft: Draft, rule: Rule) -> Iterable[Found]:
    """The same sentence twice in one clause; the same short clause, word for word, right after itself; headings of one
    section that are equal."""
    for clause in draft.clauses:
        seen: dict[str, int] = {}
        yield from _next_to(clause, rule)
        yield from _at_once_again(clause, rule)
        for offset, sentence in sentences(clause):
            plain = folded(sentence)
            if len(plain) < LONG or not plain.endswith("。"):
                continue
            if plain in seen:
                there = draft.located.on(clause.passage.at(seen[plain])[0])
                yield rule.at(
                    clause,
                    offset,
                    Text(
                        ja=f"同じ条文の {there.ja}と同じ文です。{COPIED.ja}",
                        en=f"the same sentence as on {there.en} of this clause: {COPIED.en}",
                    ),
                    sentence,
                    signs=not clause.text[seen[plain] + len(sentence) : offset].strip(),
                )
            seen.setdefault(plain, offset)
        titles: dict[str, Clause] = {}
        before: Clause | None = None
        for child in clause.children:
            plain = folded(child.text)
            if before is not None and len(plain) >= LONG and plain == folded(before.text):
                yield rule.on(
                    child,
                    Text(
                        ja=f"{before.name}（{draft.located.on(before.line).ja}）と同じ文です。{COPIED.ja}",
                        en=f"word for word the same as {before.name} ({draft.located.on(before.line).en}): {COPIED.en}",
                    ),
                    excerpt(child.text),
                )
            if before is not None and any(c.label is None and c.heading for c in before.children):
                titles = {}  # another heading stands between them
            before = child
            if (
                child.label is not None
                and child.headlike
                and len(child.title) >= 2
                and (child.body or child.children)
                and not child.is_item
            ):
                first = titles.setdefault(f"{child.label.parts[:-1]} {folded(child.title)}", child)
                if first is not child:
                    yield rule.on(
                        child,
                        Text(
                            ja=f"見出し「{child.title}」は {first.name} と同じです",
                            en=f"the heading {child.title!r} is that of {first.name} too",
                        ),
                        child.title,
                    )


_SENTENCE = re.compile(r"(?<![A-Za-z0-9,;(])[A-Z“\"(][^.\n]{24,400}\.[”\")]?(?=\s|$)")


def _at_once_again(clause: Clause, rule: Rule) -> Iterable[Found]:
    """An English sentence of five words or more right after itself. Farther apart, it may well be meant: examples begin
    alike."""
    for one, other in pairwise(_SENTENCE.finditer(clause.text)):
        if one[0] == other[0] and one[0].count(" ") >= 5 and not clause.text[one.end() : other.start()].strip():
            yield rule.at(
                clause,
                other.start(),
                Text(ja="直前と同じ文です", en="the sentence before it, once more"),
                excerpt(other[0]),
                signs=1,
            )


_CONTENT = re.compile(r"[一-龠々]{2,}|[ァ-ヴー]{2,}")


def _next_to(clause: Clause, rule: Rule) -> Iterable[Found]:
    """The last sentence of the section before, once more, in a section that is about something else: the one says the
    words of that sentence besides, the other says hardly any of them."""
    sections = [c for c in clause.children if c.headlike and c.body and not c.is_item and not c.children]
    for one, other in pairwise(sections):
        ends = [list(sentences(section))[-1:] for section in (one, other)]
        if not ends[0] or not ends[1]:
            continue
        (_, first), (offset, second) = ends[0][0], ends[1][0]
        plain = folded(second)
        words = set(_CONTENT.findall(second)) - {"場合"}
        if len(plain) < LONG or plain != folded(first) or not plain.endswith("。") or len(words) < 3:
            continue
        there = sum(word in one.text.replace(first, "") for word in words)
        here = sum(word in other.text.replace(second, "") for word in words)
        if 4 * there >= 3 * len(words) and 3 * here <= len(words):
            at = one.passage.at(one.text.rindex(first))[0]
            yield rule.at(
                other,
                offset,
                Text(
                    ja=f"{one.name}（{at} 行目）と同じ文ですが、この条文の内容に合いません。{COPIED.ja}",
                    en=f"the same sentence as in {one.name} (line {at}), and not about what this clause is: {COPIED.en}",
                ),
                second,
                signs=1,
            )


COPIED = Text("書き写したまま直していないものと思われます", "probably copied and not adapted")


def _entries(draft: Draft) -> int:
    return len(draft.contents.entries) if draft.contents else 0


def alike(one: str, other: str) -> float:
    """How alike two names are."""
    return difflib.SequenceMatcher(None, one, other).ratio()


RULES = (
    Rule(
        "contents-differ",
        Severity.ERROR,
        Text("目次と本文の違い", "table of contents and text differ"),
        contents,
        _entries,
        of_clauses=True,
    ),
    Rule(
        "text-repeated",
        Severity.WARNING,
        Text("文・見出しの重複", "sentence or heading repeated"),
        repeated,
        lambda draft: len(draft.clauses),
        of_clauses=True,
    ),
)
