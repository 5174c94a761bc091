"""Sections that are made alike: what one says of another's subject, a list of their names that has another name."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from ....spec.groups import grouped
from ....spec.text import Text
from ..findings import AGAINST, Found, Rule, Severity, excerpt
from ..model import Clause, Draft
from .texts import COPIED, folded


# ---------------------------------------------------------------- subjects
def subjects(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A clause that says of another section's subject what it should say of its own."""
    yield from _topics(draft, rule)
    yield from _copies(draft, rule)


_TOPIC = re.compile(r"^(?P<topic>[^、。\s（(「『は]{2,20})は(?P<rest>[^。]{4,})")


def _topics(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A clause is about what another section is about, and says of it what this section should say of its own: the
    other section says just that of its own subject, or its like do."""
    sections = [c for c in draft.numbered if c.headlike and any(not child.is_item for child in c.children)]
    groups = grouped((id(section.parent), section) for section in sections)
    for group in groups.values():
        if len(group) < 3:
            continue
        titles = {folded(c.title): c for c in group}
        said: dict[str, set[str]] = {}
        for section in group:
            for child in section.children:
                topic = _TOPIC.match(child.text)
                if topic and folded(topic["topic"]) == folded(section.title):
                    said.setdefault(folded(topic["rest"])[:4], set()).add(folded(section.title))
        for section in group:
            own = folded(section.title)
            for child in section.children:
                topic = _TOPIC.match(child.text)
                if not topic:
                    continue
                about = folded(topic["topic"])
                other = titles.get(about)
                if other is None or other is section or about in own or own in about:
                    continue
                kinds = said.get(folded(topic["rest"])[:4], set())
                if kinds and own not in kinds:
                    yield rule.at(
                        child,
                        0,
                        Text(
                            ja=f"「{section.title}」の条文ですが、主語が「{topic['topic']}」です",
                            en=f"the clause belongs to {section.title!r}, but its subject is {topic['topic']!r}",
                        ),
                        topic["topic"],
                        suggestion=Text(ja=f"「{section.title}」のことですか", en=f"did you mean {section.title!r}?"),
                    )


@dataclass
class _Section:
    clause: Clause
    name: str
    """What its title has that those of its like have not: `ドレス` of `ドレスカード`, `TS:` of `TS:〜`."""


def _copies(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A phrase about `その料理の…` that stands in the section 料理 and, word for word, in the section 店員."""
    groups: dict[int, list[Clause]] = defaultdict(list)
    for clause in draft.numbered:
        if clause.headlike:
            groups[id(clause.parent)].append(clause)
    for group in groups.values():
        if len(group) >= 2:
            yield from _copied_in(draft, _named(group), rule)


def _named(group: Sequence[Clause]) -> list[_Section]:
    titles = [re.sub(r"[（(].*?[)）]$", "", c.title.strip("「」 ")) for c in group]
    alike: dict[str, dict[str, None]] = {}
    for title in titles:
        alike.setdefault(title[-2:], {})[title] = None
    sections: list[_Section] = []
    for clause, title in zip(group, titles, strict=True):
        name = re.sub(r"[:：].*$", ":", title)
        for other in alike[title[-2:]] if len(title) >= 4 and re.search(r"[ァ-ヴー]$", title) else ():
            shared = _common_end(title, other) if other != title else ""
            if len(shared) >= 2 and len(name) - len(shared) >= 2:
                name = name.removesuffix(shared)
                break
        sections.append(_Section(clause, name))
    return sections


def _common_end(one: str, other: str) -> str:
    size = 0
    while size < min(len(one), len(other)) and one[-size - 1] == other[-size - 1]:
        size += 1
    return one[len(one) - size :]


def _copied_in(draft: Draft, sections: Sequence[_Section], rule: Rule) -> Iterator[Found]:
    said: dict[str, list[tuple[_Section, Clause, int]]] = defaultdict(list)
    for section in sections:
        for clause in (section.clause, *section.clause.below):
            for match in re.finditer(r"[^。、・\n]{10,}", clause.text):
                said[folded(match[0])].append((section, clause, match.start()))
    shared = {phrase: places for phrase, places in said.items() if len({id(one[0]) for one in places}) > 1}
    for other in sections if shared else ():
        if len(other.name) < 2:
            continue
        mark = f"「{other.name}" if other.name.endswith(":") else f"その{other.name}"
        wrong: dict[int, list[tuple[_Section, Clause, int, str]]] = defaultdict(list)
        for phrase, places in shared.items():
            if mark in phrase and any(section is other for section, _, _ in places):
                for place in places:
                    if place[0] is not other and place[0].name not in phrase:
                        wrong[id(place[0])].append((*place, phrase))
        for places in wrong.values():
            section, clause, offset, phrase = min(places, key=lambda place: place[1].line)
            twin = next(place for place in shared[phrase] if place[0] is other)
            there = draft.located.on(twin[1].passage.at(twin[2])[0])
            at = clause.text.index(mark, offset)
            wrong_name = _whole_name(clause.text, at, mark)
            own = section.name.rstrip(":")
            more = Text(
                f"（ほか {len(places) - 1} か所）" if len(places) > 1 else "",
                f" (and {len(places) - 1} more)" if len(places) > 1 else "",
            )
            shown = wrong_name if wrong_name.startswith("「") else f"「{wrong_name}」"
            meant = wrong_name.replace(other.name.rstrip(":"), own, 1)
            yield rule.at(
                clause,
                at,
                Text(
                    ja=f"「{section.clause.title}」のところに{shown}とあり、「{other.clause.title}」のところ（{there.ja}）"
                    f"と同じ言い方です{more.ja}。{COPIED.ja}",
                    en=f"{section.clause.title!r} says {wrong_name.strip('「」')} in the words of "
                    f"{other.clause.title!r} ({there.en}){more.en}: {COPIED.en}",
                ),
                wrong_name,
                suggestion=Text(
                    ja=f"{meant if meant.startswith('「') else f'「{meant}」'}のことですか",
                    en=f"did you mean {meant.strip('「」')}?",
                ),
                cited=excerpt(clause.text[offset:], 60),
            )


def _whole_name(text: str, at: int, mark: str) -> str:
    """`「TS:x」` for `「TS:`; `その料理` as it is."""
    end = text.find("」", at)
    return text[at : end + 1] if mark.startswith("「") and 0 < end - at <= 20 else mark


# ---------------------------------------------------------------- lists of names
_ENTRY = re.compile(r"[「『](?P<t>[^「」『』\n。、]{2,20})[」』]")


def lists(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A list that names sections, in their order, and one of them otherwise than its heading does."""
    groups: dict[frozenset[str], list[Clause]] = {}
    for clause in (None, *draft.clauses):
        children = draft.clauses if clause is None else clause.children
        own = [c for c in children if c.headlike and not c.is_item and (c.parent is clause) and c.label is not None]
        if len(own) >= 3:
            groups.setdefault(frozenset(folded(c.title) for c in own), own)
    with_title: dict[str, list[int]] = defaultdict(list)
    for k, titles in enumerate(groups):
        for title in titles:
            with_title[title].append(k)
    in_order = [
        (own, titles := [folded(c.title) for c in own], SequenceMatcher(None, (), titles, autojunk=False))
        for own in groups.values()
    ]
    for clause, entries in _lists(draft):
        names = {folded(name) for name, _, _ in entries}
        same = Counter(k for name in names for k in with_title.get(name, ()))
        best = max(same, key=lambda k: (same[k], -k), default=None)
        if best is not None and same[best] >= max(2, len(entries) // 2):
            yield from _differing(draft, clause, entries, *in_order[best], rule)


def _lists(draft: Draft) -> Iterator[tuple[Clause, list[tuple[str, Clause, int]]]]:
    """Lists of names: in brackets in one sentence, as bullets, as items; each entry with its place."""
    for clause in draft.clauses:
        for sentence in re.finditer(r"[^。\n]+", clause.text):
            entries = [(m["t"], clause, sentence.start() + m.start("t")) for m in _ENTRY.finditer(sentence[0])]
            if len(entries) >= 3:
                yield clause, entries
        ended = clause.text + "\n"
        lines = [(b, ended[b:ended.index("\n", b)]) for b in clause.bullets]
        short = [(line.lstrip("・ 　"), clause, b + len(line) - len(line.lstrip("・ 　"))) for b, line in lines]
        if len(short) >= 3 and all(2 <= len(name) <= 20 and "。" not in name for name, _, _ in short):
            yield clause, short
        items = [c for c in clause.children if c.is_item]
        plain = len({c.style for c in items}) == 1 and not any(c.children or c.body for c in items)
        if len(items) >= 3 and plain and all(2 <= len(c.title.strip()) <= 20 for c in items):
            yield clause, [(c.title.strip(), c, len(c.title) - len(c.title.lstrip())) for c in items]


def _differing(
    draft: Draft,
    clause: Clause,
    entries: Sequence[tuple[str, Clause, int]],
    group: Sequence[Clause],
    titles: Sequence[str],
    matcher: SequenceMatcher[str],
    rule: Rule,
) -> Iterator[Found]:
    """`matcher` has been given the titles of the group."""
    names = [folded(name) for name, _, _ in entries]
    matcher.set_seq1(names)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "replace":
            continue
        for i, j in zip(range(a, b), range(c, d), strict=False):
            short = names[i] in titles[j] or titles[j] in names[i]
            if not _akin(names[i], titles[j]) or (short and not _alone(names, titles, names[i], titles[j])):
                continue
            (name, at, offset), there = entries[i], draft.located.on(group[j].line)
            # A list may call a thing by the beginning of its name: a guess only.
            yield rule.at(
                at,
                offset,
                Text(
                    ja=f"「{name}」は、見出し {group[j].name}（{there.ja}）では「{group[j].title}」です",
                    en=f"{name!r} is called {group[j].title!r} in the heading {group[j].name} ({there.en})",
                ),
                name,
                signs=AGAINST if short else 1,
            )


def _alone(names: Sequence[str], titles: Sequence[str], name: str, title: str) -> bool:
    """Does a list name every heading of the group, in order and word for word, but this one, of which it has the
    beginning (`天気`, `天気表`)?"""
    others = [(a, b) for a, b in zip(names, titles, strict=False) if (a, b) != (name, title)]
    return len(names) == len(titles) > len(others) > 1 and all(a == b for a, b in others) and title.startswith(name)


def _akin(one: str, other: str) -> bool:
    """Do they share a word of two letters or more, and half of the shorter one?"""
    match = SequenceMatcher(None, one, other, autojunk=False).find_longest_match()
    return match.size >= max(2, min(len(one), len(other)) / 2)


RULES = (
    Rule("subject-other", Severity.WARNING, Text("節と主語の違い", "subject is that of another section"), subjects, signs=1),
    Rule("list-differs", Severity.WARNING, Text("列挙と見出しの違い", "list and headings differ"), lists),
)
