"""What is read off the text of a book's rules: which piles are shuffled; and the words that cards use where a book takes whatever words
there are (`Symbols`: names, persons, attributes).

No two of them may look the same. Where the book's phrases have a word for each (`gives: Person.ICHIKA`), those and what the book's
own cards use are all that there are.
"""
from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...spec.diagnostics import Collector, Diagnostic, did_you_mean, look, shown
from ...spec.phrases import Phrases
from ...spec.text import Text
from ..lang.source import Source
from ..lang.world import CardDef, Word

GIVES = re.compile(r"(\w+)\.(\w+)")
OF = re.compile(r"(?:(?:Set|Option)\[)*(\w+)\]*")


@dataclass(frozen=True)
class Spellings:
    """`types`: what is printed under a name, if it takes any words; `known`: the words of the book, by how they look;
    `closed`: where there are no others."""

    types: Mapping[str, str]
    known: Mapping[str, Mapping[str, str]]
    closed: frozenset[str]

    def check(self, cards: Iterable[CardDef], report: Collector) -> None:
        """Are the words of these cards the book's, or at least not mistaken for each other?"""
        known = {of: dict(words) for of, words in self.known.items()}
        for of, word in self.words(cards):
            first = known[of].get(look(word.text))
            if first is None and of not in self.closed:
                known[of][look(word.text)] = word.text
            elif first is None:
                report.add(Diagnostic(word.at, "unknown-word", Text(
                    ja=f"「{shown(word.text)}」という {of} はこの本にありません", en=f"the book has no {of} `{shown(word.text)}`",
                ), did_you_mean(word.text, list(known[of].values())), word.text))
            elif first != word.text:
                report.add(Diagnostic(word.at, "looks-the-same", Text(
                    ja=f"「{shown(word.text)}」は「{shown(first)}」と同じに見えますが、別の文字です",
                    en=f"`{shown(word.text)}` looks like `{shown(first)}`, and has other characters",
                ), Text(ja=f"{shown(first)} と書いてください", en=f"write `{shown(first)}`"), word.text))

    def words(self, cards: Iterable[CardDef]) -> Iterator[tuple[str, Word]]:
        """Every such word on the cards, with its type."""
        for card in cards:
            for facts in (card.attributes, *(a.facts for a in card.abilities)):
                for name, said in facts.items():
                    of = self.types.get(name)
                    if of is not None:
                        yield from ((of, word) for word in (said if isinstance(said, tuple) else (said,)))


def spellings(
    sources: Sequence[Source], phrases: Phrases | None, cards: Iterable[CardDef], report: Collector
) -> Spellings:
    """Those of a book; what is wrong with its own cards is reported."""
    classes = [node for source in sources for node in source.tree.body if isinstance(node, ast.ClassDef)]
    known: dict[str, dict[str, str]] = {c.name: {} for c in classes if has_base(c, "Symbols")}
    types = {
        field.target.id: found[1]
        for c in classes if has_base(c, "Definition") for field in c.body
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if (found := OF.fullmatch(ast.unparse(field.annotation))) is not None and found[1] in known
    }
    for c in classes:
        if c.name in known:
            names = [
                t.id for line in c.body if isinstance(line, ast.Assign) for t in line.targets if isinstance(t, ast.Name)
            ]
            known[c.name].update({look(spelt): spelt for name in names for spelt in (name, name.lower())})
    closed: set[str] = set()
    for kind in phrases.kinds.values() if phrases is not None else ():
        given = (
            [GIVES.fullmatch(p.gives.text.strip()) if p.gives is not None else None for p in kind]
            if isinstance(kind, tuple)
            else []
        )
        if given and all(m is not None and m[1] in known for m in given):
            closed.update(m[1] for m in given if m is not None)
            for m in given:
                if m is not None:
                    known[m[1]][look(m[2])] = m[2]
    own = Spellings(types, known, frozenset())
    own.check(cards := [*cards], report)
    for of, word in own.words(cards):
        known[of].setdefault(look(word.text), word.text)
    return Spellings(types, known, frozenset(closed))


def has_base(c: ast.ClassDef, name: str) -> bool:
    return any(isinstance(base, ast.Name) and base.id == name for base in c.bases)


def piles_shuffled_in(trees: Iterable[ast.Module]) -> frozenset[str]:
    """The piles that some rule of these modules shuffles, itself or by a rule it calls: what deck orders are about."""
    nodes = [n for tree in trees for n in ast.walk(tree)]
    rules = [n for n in nodes if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    params = {r.name: [a.arg for a in r.args.args] for r in rules} | {"shuffle": ["pile"]}
    shuffles = {"shuffle": {"pile"}} | {r.name: set[str]() for r in rules}
    """Rule → its parameters that it shuffles."""

    def given(nodes: Iterable[ast.AST]) -> Iterator[ast.expr]:
        """What is given to rules that shuffle it, somewhere among the nodes."""
        for n in nodes:
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in params:
                by_name = [*zip(params[n.func.id], n.args, strict=False), *((k.arg, k.value) for k in n.keywords)]
                yield from (x for p, x in by_name if p in shuffles[n.func.id])

    calls = {r.name: [n for n in ast.walk(r) if isinstance(n, ast.Call)] for r in rules}
    known = -1
    while known != (known := sum(map(len, shuffles.values()))):
        for r in rules:
            names = {x.id for x in given(calls[r.name]) if isinstance(x, ast.Name)}
            shuffles[r.name] |= names & {*params[r.name]}
    found = (x for pile in given(nodes) for x in ast.walk(pile))
    return frozenset(x.attr for x in found if isinstance(x, ast.Attribute))
