"""What is in a book and does nothing: cards in no situation, words that nothing is called by, imports, readings, files that nobody reads;
and what is missing without being wrong: words for what is shown, a second language, gists of clauses that were reworded, a rank of norms."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from io import StringIO
from keyword import kwlist
from pathlib import Path

from ...model.lang import __all__ as VOCABULARY
from ...model.lang.source import Source, imported
from ...spec.diagnostics import BadInput, Diagnostic, Position, nearest
from ...spec.document import read_document
from ...spec.nodes import ListNode, MapNode, Node, TextNode
from ...spec.readers import Status
from ...spec.tables import TABLES
from ...spec.text import Text
from ..register.hashes import FILE as HASHES
from .mistakes import DATA, Files
from .shown import shown_names

SOME = 6
"""Names that are told of many; JSON has all."""
_SHARED = re.compile(r"(?:Per\[(?!Player\b)\w+, )*(?:Bag|Pile)\]*")
"""The type of a zone that both players share."""
_WORD = re.compile(r"[^\W\d]\w*")


class Level(Enum):
    """How much it matters."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True)
class Remark:
    """Something that is to be said of a book. `names`: all that it is about, where it is about several things."""

    level: Level
    about: Diagnostic
    names: tuple[str, ...] = ()


def remarks(files: Files) -> list[Remark]:
    """Everything that is not wrong and does nothing, or is missing; nothing is said of what could not be read."""
    found = [*unread_files(files), *missing_translations(files), *old_gists(files)]
    whole = not files.mistakes.diagnostics
    if whole:
        found += [*unused_cards(files), *unused_words(files), *unused_readings(files)]
    if files.sources:
        found += [*idle_imports(files), *missing_words(files), *unranked_norms(files)]
        found += [*mute_verdicts(files), *cards_of_nobody(files)]
    return sorted(found, key=lambda r: (r.about.position or Position("", 0, 0), r.about.code))


def remark(code: str, at: Position, message: Text, hint: Text | None = None, value: str | None = None,
           names: Iterable[str] = (), level: Level = Level.WARNING) -> Remark:
    """One of them."""
    return Remark(level, Diagnostic(at, code, message, hint, value), tuple(names))


def some(names: Iterable[str]) -> Text:
    """Some of the names, and how many more there are."""
    every = list(names)
    more = len(every) - SOME
    ja, en = "、".join(every[:SOME]), ", ".join(every[:SOME])
    return Text(f"{ja} ほか{more}", f"{en} and {more} more") if more > 0 else Text(ja, en)


# ---------------------------------------------------------------- files
def unread_files(files: Files) -> Iterator[Remark]:
    """Files that look like a part of the book, in places where nobody reads them."""
    folder = files.place.folder
    known = {*DATA, HASHES, "decisions.yaml"}
    for path in sorted(p for p in folder.iterdir() if p.is_file()):
        table = path.suffix.lower() in TABLES
        if (path.suffix.lower() in (".yaml", ".yml") and path.name not in known) or (
            table and not path.name.startswith("cards")
        ):
            if table and any(path.resolve() == t.resolve() for s in files.scenarios.values() for t in s.tables):
                continue
            near = "cards" + path.suffix if table else nearest(path.stem, [Path(name).stem for name in DATA])
            hint = Text(ja=f"名前は {near if table else f'{near}.yaml'} ではありませんか", en=f"is it to be called {near if table else f'{near}.yaml'}?")
            yield remark("unread-file", Position(str(path), 1, 1), Text(
                ja="このファイルを読むコマンドはありません", en="this file is not read by a command"), hint if near else None)
    for path in sorted((folder / "scenarios").glob("*.yml")):
        yield remark("unread-file", Position(str(path), 1, 1), Text(
            ja="状況のファイルは .yaml だけが読まれます", en="of situations only files that end with .yaml are read"),
            Text(ja=f"{path.stem}.yaml に改名してください", en=f"call it {path.stem}.yaml"))


# ---------------------------------------------------------------- cards, words, readings
def unused_cards(files: Files) -> Iterator[Remark]:
    """Cards that are in no situation and named by no other card or rule, told once for each file."""
    used = {text for path in files.scenarios for text in _card_texts(_document(path))}
    in_rules = "\n".join(s.text for s in files.sources)
    idle: dict[str, list[str]] = {}
    first: dict[str, Position] = {}
    for name, card in files.cards.items():
        if name not in used and not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", in_rules):
            idle.setdefault(card.at.file, []).append(name)
            first.setdefault(card.at.file, card.at)
    for file, names in idle.items():
        said = some(names)
        yield remark("unused-card", first[file], Text(
            ja=f"状況に入っていないカードが {len(names)} 種類あります: {said.ja}", en=f"cards that are in no situation: {len(names)} ({said.en})",
        ), Text(ja="状況（scenarios/）で使うと、検査の対象になります", en="once a situation (scenarios/) has them, they are examined"), names=names)


_COUNTED = re.compile(r"\s+[xX*ｘＸ＊×✕]?\s*\d+$|#\d+$|\s*[×✕]\s*\d+$")


def _card_texts(node: Node | None) -> Iterator[str]:
    """Every text of a situation, and every word in it, without numbers of copies: what may name a card."""
    for text in _texts(node):
        yield text
        yield _COUNTED.sub("", text)
        yield from text.split()


_INSIDE = re.compile(r"\{(\w+)\}")
"""What is put into a text: a field of a record, what a procedure is given, or (`value`) what is chosen."""


def unused_words(files: Files) -> Iterator[Remark]:
    """Words for names that nothing in the rules or on the cards has."""
    path = files.place.folder / "words.yaml"
    if files.words is None or files.place.rules is None:
        return
    known = names_in(files)
    without = known - files.words.words.keys() - {*VOCABULARY, *kwlist}
    clauses = files.clauses.ids if files.clauses is not None else frozenset[str]()
    readings = {reading.id.value for reading in files.readings}
    for key, at in _keys_of(path, ("words", "語")):
        of_clause = re.fullmatch(r"(?:title of )?(?:gap|conflict|open|fault|not modelled) (\S+)", key)
        if of_clause is not None:
            lost = "" if of_clause[1] in clauses else of_clause[1]
        elif "=" in key and key.partition("=")[0] in readings:
            lost = ""
        else:
            first = re.sub(r"^(?:choose|call) ", "", key).split()[0]
            lost = next((w for w in re.split(r"[.=]", first) if w not in known), "")
        if lost:
            near = nearest(lost, without)
            yield remark("unused-word", at, Text(
                ja=f"「{key}」という名前は、規則にもカードにもありません", en=f"the rules and the cards have no name like `{key}`",
            ), Text(ja=f"もしかして「{near}」ですか", en=f"did you mean `{near}`?") if near else None, key)
        said = files.words.words.get(key, Text.same(""))
        for inside in dict.fromkeys(_INSIDE.findall(f"{said.ja} {said.en}")):
            if inside not in known | {"value"}:
                near = nearest(inside, known)
                yield remark("unused-word", at, Text(
                    ja=f"「{key}」の文の {{{inside}}} は、規則にない名前です（このまま表示されます）", en=f"`{{{inside}}}` in the text of `{key}` is no name of the rules: it is shown as it stands",
                ), Text(ja=f"もしかして {{{near}}} ですか", en=f"did you mean {{{near}}}?") if near else None, inside)
    root = _document(path)
    for section in ("hidden", "非表示", "counted", "枚数のみ", "results", "条文の計算結果"):
        listed = root.get(section) if isinstance(root, MapNode) else None
        for item in listed.items if isinstance(listed, ListNode) else ():
            if isinstance(item, TextNode) and item.text.removeprefix("State.") not in known:
                near = nearest(item.text, known)
                yield remark("unused-word", item.position, Text(
                    ja=f"「{item.text}」という項目は、規則にありません", en=f"the rules have no `{item.text}`",
                ), Text(ja=f"もしかして「{near}」ですか", en=f"did you mean `{near}`?") if near else None, item.text)


def names_in(files: Files) -> frozenset[str]:
    """Every name in the rules, and every word on the cards."""
    found: set[str] = set()
    for source in (*files.sources, *files.kernel):
        found |= names_of(source)
    for card in files.cards.values():
        for word in card.attributes.values():
            found |= {w.text for w in (word if isinstance(word, tuple) else (word,))}
        for ability in card.abilities:
            for script in ability.scripts.values():
                found |= set(_WORD.findall(script.text))
            for word in ability.facts.values():
                found |= {w.text for w in (word if isinstance(word, tuple) else (word,))}
    for path in (files.place.folder / "phrases.yaml", *files.scenarios):
        for text in _texts(_document(path)) if path.exists() else ():
            found |= set(_WORD.findall(text))
    return frozenset(found)


def names_of(source: Source, texts: bool = True) -> frozenset[str]:
    """Every name in a module: what it declares and what it uses; with those in its texts, or without."""
    found: set[str] = set()
    try:
        for token in tokenize.generate_tokens(StringIO(source.text).readline):
            if token.type == tokenize.NAME:
                found.add(token.string)
            elif token.type == tokenize.STRING and texts:
                found |= set(_WORD.findall(token.string))
    except (tokenize.TokenError, IndentationError):
        pass
    return frozenset(found)


def unused_readings(files: Files) -> Iterator[Remark]:
    """Readings that are said to be built in, and that no rule and no card asks."""
    asked = {text for s in files.sources for node in ast.walk(s.tree)
             if isinstance(node, ast.Constant) and isinstance(text := node.value, str)}
    in_cards = "\n".join(
        script.text for c in files.cards.values() for a in c.abilities for script in a.scripts.values()
    )
    phrases = files.place.folder / "phrases.yaml"
    in_cards += "\n".join(_texts(_document(phrases))) if phrases.exists() else ""
    for reading in files.readings:
        name = reading.id.value
        if (reading.status is Status.MODELLED and name not in asked and f'"{name}"' not in in_cards
            and f"'{name}'" not in in_cards):
            yield remark("unasked-reading", reading.id.position, Text(
                ja=f"解釈「{name}」を尋ねる規則がありません", en=f"the reading `{name}` is not asked by a rule",
            ), Text(ja="規則に `reading(…)` を書くか、状態を「予定」にしてください", en="ask it with `reading(…)`, or let its status be `planned`"), name)


# ---------------------------------------------------------------- what is shown, and has no word
def missing_words(files: Files) -> Iterator[Remark]:
    """Names that pages show as the rules write them: fields of the state, members, records that are offered. It matters where pages are Japanese."""
    if files.words is None:
        return
    said = files.words
    names = {name: at for name, at in shown_names([*files.sources, *files.kernel], said.hidden)
             if not {name, name.rpartition(".")[2]} & {*said.words}}
    japanese = sum(not word.ja.isascii() for word in said.words.values())
    if names:
        told, first = some(names), next(iter(names))
        yield remark("no-word", next(iter(names.values())), Text(
            ja=f"規則での名前のまま表示されるものが {len(names)} あります: {told.ja}", en=f"names that are shown as the rules write them: {len(names)} ({told.en})",
        ), Text(ja=f"words.yaml の words: に `{first}: {{ja: …, en: …}}` のように書くか、見せないなら hidden: に並べてください",
                en=f"write `{first}: {{ja: …, en: …}}` and so on below `words:` in words.yaml, or list under `hidden:` what is not to be shown"),
            names=names, level=Level.WARNING if 2 * japanese > len(said.words) else Level.NOTE)


def unranked_norms(files: Files) -> Iterator[Remark]:
    """Actions that are forbidden by one rule and permitted or demanded by another, where nothing ranks the two: whether both can hold at once is
    asked elsewhere."""
    about: dict[str, dict[str, Position]] = {}
    ranked: set[str] = set()
    for source in files.sources:
        for node in ast.walk(source.tree):
            match node:
                case ast.FunctionDef(
                    decorator_list=[
                        ast.Call(func=ast.Name(id="forbids" | "permits" | "requires" as kind), args=[ast.Name(id=act)]),
                        *_,
                    ]
                ):
                    about.setdefault(act, {}).setdefault(kind, source.position(node))
                case ast.Call(func=ast.Name(id="outranks"), args=[ast.Constant(value=a), ast.Constant(value=b)]):
                    ranked |= {str(a), str(b)} - {"forbids"}
                case _:
                    pass
    for act, norms in about.items():
        other = next((kind for kind in ("permits", "requires") if kind in norms and kind not in ranked), None)
        if other is not None and "forbids" in norms:
            yield remark("unranked-norms", norms[other], Text(
                ja=f"`{act}` には @forbids と @{other} があり、どちらが優先するか定められていません",
                en=f"`{act}` has rules with @forbids and with @{other}, and nothing ranks the two",
            ), Text(ja=f'両方が同時に成り立つかを調べるには: rulewright check {files.name} --only norms。定める条文があれば outranks("forbids", "{other}")（または逆）',
                    en=f'to see whether both can hold at once: rulewright check {files.name} --only norms; where a clause ranks them: outranks("forbids", "{other}"), or the reverse'),
                act, level=Level.NOTE)


def mute_verdicts(files: Files) -> Iterator[Remark]:
    """Verdicts that give `None` each time and so say nothing, where "nobody", or a draw, may be meant: no clause would be seen to contradict them."""
    for source in files.sources:
        for node in ast.walk(source.tree):
            match node:
                case ast.FunctionDef(decorator_list=[ast.Call(func=ast.Name(id="verdict")), *_]):
                    given = [x.value for x in ast.walk(node) if isinstance(x, ast.Return)]
                    if given and all(isinstance(x, ast.Constant) and x.value is None for x in given):
                        yield remark("mute-verdict", source.position(node), Text(
                            ja=f"@verdict `{node.name}` はいつも None を返すので、何も述べません", en=f"the verdict `{node.name}` gives None each time, so it says nothing",
                        ), Text(ja="「誰も…ない」「引き分け」と述べるなら、答えの型を Enum（またはその Option）にして、その一つを返してください",
                                en="if it is to say “nobody”, or a draw, let verdicts on the question give a member of an `Enum` for it"), node.name)
                case _:
                    pass


def cards_of_nobody(files: Files) -> Iterator[Remark]:
    """Cards that situations write into zones of both players, where rules ask for the `owner` of cards: that is the first player, then."""
    nodes = [node for source in (*files.sources, *files.kernel) for node in ast.walk(source.tree)]
    called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    said = {} if files.words is None else files.words.words
    shared = {
        name: node.target.id
        for node in nodes
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and _SHARED.fullmatch(ast.unparse(node.annotation))
        for name in (node.target.id, said.get(node.target.id, Text.same(node.target.id)).ja)
    }
    found = [
        (e.key.position, shared[e.key.text.strip()])
        for scenario in (files.scenarios.values() if "owner" in called else ())
        for e in (scenario.state.entries if scenario.state is not None else ())
        if e.key.text.strip() in shared
    ]
    if found:
        names = dict.fromkeys(name for _, name in found)
        yield remark("cards-of-nobody", found[0][0], Text(
            ja=f"共有の領域（{some(names).ja}）に書いたカードの `owner` は、先攻になります", en=f"of cards written into zones of both players ({some(names).en}) `owner` gives the first player",
        ), Text(ja="誰の札になるかが対戦中に決まるなら、`owner` でなく、状態の項目（Per[Card, Option[Player]]）に控えてください",
                en="if it is decided in play whose they become, keep that in a field of the state (`Per[Card, Option[Player]]`), not in `owner`"),
            names=names, level=Level.NOTE)


# ---------------------------------------------------------------- imports
def idle_imports(files: Files) -> Iterator[Remark]:
    """Imports that give a module nothing that it uses, or only what another import gives too; of modules that there are not; and of
    what is outside, which rules cannot use."""
    own = {Path(s.file).stem: s for s in files.sources}
    kernel = {Path(s.file).stem: s for s in files.kernel}
    given: dict[str, frozenset[str]] = {}
    for source in files.sources:
        of_kernel = dict(imported(source))
        found: list[tuple[ast.ImportFrom, Source]] = []
        for node in source.tree.body:
            if outside := outside_import(node):
                yield remark("outside-import", source.position(node), Text(
                    ja=f"規則は Python が実行するものではないので、{outside} のものは使えません", en=f"Python does not run rules, so they cannot use {outside}",
                ), Text(ja="この行は消せます", en="this line can go"), source.segment(node))
            if not isinstance(node, ast.ImportFrom) or not any(a.name == "*" for a in node.names):
                continue
            target = (kernel.get(of_kernel[node]) if node in of_kernel else own.get(node.module or "")
                      if node.level == 1 else None)
            if target is not None:
                found.append((node, target))
            elif node.level == 1 and files.place.rules and not (files.place.rules / f"{node.module}.py").is_file():
                near = nearest(node.module or "", own)
                yield remark("no-such-module", source.position(node), Text(
                    ja=f"この本に {node.module} というモジュールはありません", en=f"the book has no module {node.module}",
                ), Text(ja=f"もしかして {near} ですか", en=f"did you mean {near}?") if near else None, source.segment(node))
        used, kept = names_of(source, texts=False) - declared(source), [target for _, target in found]
        for node, target in found:
            others = frozenset[str]().union(*(gives(t, own, kernel, given) for t in kept if t is not target))
            if not declared(target) & used and gives(target, own, kernel, given) & used <= others:
                kept.remove(target)
                name = Path(target.file).stem
                yield remark("idle-import", source.position(node), Text(
                    ja=f"このモジュールは {name} のものを使っていません", en=f"this module uses what is in {name} not at all or through another import",
                ), Text(ja="この行は消せます", en="this line can go"), source.segment(node))


def outside_import(node: ast.stmt) -> str:
    """The module that an import takes from outside of rules; empty for any other statement."""
    match node:
        case ast.Import(names=[ast.alias(name=module), *_]) | ast.ImportFrom(module=str(module), level=0):
            return "" if module.partition(".")[0] in ("rulewright", "typing", "__future__") else module
        case _:
            return ""


def gives(
    target: Source, own: Mapping[str, Source], kernel: Mapping[str, Source], given: dict[str, frozenset[str]]
) -> frozenset[str]:
    """All names that an import of a module gives: those it declares, and those it imports itself."""
    if target.file not in given:
        given[target.file] = declared(target)  # two that import each other come to an end here
        inner = [kernel[name] for name in target.imports if name in kernel]
        inner += [own[n.module or ""] for n in target.tree.body
                  if isinstance(n, ast.ImportFrom) and n.level == 1 and n.module in own and not target.kernel]
        given[target.file] = given[target.file].union(*(gives(t, own, kernel, given) for t in inner))
    return given[target.file]


def declared(source: Source) -> frozenset[str]:
    """What a module declares at its top."""
    found: set[str] = set()
    for node in source.tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Assign(targets=targets):
                found |= {t.id for t in targets if isinstance(t, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
            case _:
                pass
    return frozenset(found)


# ---------------------------------------------------------------- languages and gists
LANGUAGES: Mapping[str, tuple[str, str]] = {"ja": ("ja", "日本語"), "en": ("en", "英語")}
NAMES: Mapping[str, Text] = {"ja": Text("日本語", "Japanese"), "en": Text("英語", "English")}


def missing_translations(files: Files) -> Iterator[Remark]:
    """Texts that stand in one language only, told once for each file and language: a warning where most of the file is in both."""
    folder = files.place.folder
    for path in (*(folder / name for name in DATA), *files.scenarios):
        root = _document(path) if path.exists() else None
        pairs = [*_pairs(root)]
        for lang, other in (("en", "ja"),) if path.name == "phrases.yaml" else (("en", "ja"), ("ja", "en")):
            lacking = [at for at, langs in pairs if lang not in langs and other in langs]
            if not lacking:
                continue
            usual = 2 * sum({lang, other} <= langs for _, langs in pairs) >= len(pairs)
            yield remark("no-translation", lacking[0], Text(
                ja=f"{NAMES[lang].ja}のない文が {len(lacking)} あります（{_lines(lacking)} 行目）。{NAMES[other].ja}をかわりに表示します",
                en=f"texts without {NAMES[lang].en}: {len(lacking)} (line {_lines(lacking)}); the {NAMES[other].en} is shown in its place",
            ), Text(ja=f"要るなら「{lang}: …」を書き足してください（なくてもかまいません）", en=f"add `{lang}: …` where you want it; it is not needed"),
                level=Level.WARNING if usual else Level.NOTE)


def _lines(places: list[Position]) -> str:
    lines = list(dict.fromkeys(at.line for at in places))
    return ", ".join(map(str, lines[:SOME])) + ("…" if len(lines) > SOME else "")


def _pairs(node: Node | None) -> Iterator[tuple[Position, frozenset[str]]]:
    """Every map that says something in a language, and in which languages."""
    match node:
        case MapNode(entries=entries):
            keys = {e.key.text for e in entries}
            langs = frozenset(lang for lang, names in LANGUAGES.items() if keys & set(names))
            if langs:
                yield node.position, langs
            for entry in entries:
                yield from _pairs(entry.value)
        case ListNode(items=items):
            for item in items:
                yield from _pairs(item)
        case _:
            return


def old_gists(files: Files) -> Iterator[Remark]:
    """Gists of clauses that a newer draft has reworded."""
    for clause in files.clauses.clauses if files.clauses is not None else ():
        if clause.reworded:
            name = clause.id.value
            yield remark("old-gist", clause.id.position, Text(
                ja=f"条文 {name} の要旨は、登録した草案より古いものです（文言が変わりました）",
                en=f"the gist of clause {name} is older than the registered draft (which has other words)",
            ), Text(ja="要旨を読み直し、`reworded: yes` を消してください", en="look at the gist, and take `reworded: yes` out"), name)


# ---------------------------------------------------------------- documents
def _document(path: Path) -> Node | None:
    try:
        return read_document(path)
    except BadInput:
        return None  # told as a mistake


def _texts(node: Node | None) -> Iterator[str]:
    match node:
        case TextNode(text=text):
            yield text
        case MapNode(entries=entries):
            for entry in entries:
                yield entry.key.text
                yield from _texts(entry.value)
        case ListNode(items=items):
            for item in items:
                yield from _texts(item)
        case _:
            return


def _keys_of(path: Path, sections: tuple[str, ...]) -> Iterator[tuple[str, Position]]:
    root = _document(path)
    for section in sections:
        found = root.get(section) if isinstance(root, MapNode) else None
        for entry in found.entries if isinstance(found, MapNode) else ():
            yield entry.key.text, entry.key.position
