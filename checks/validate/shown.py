"""What positions and choices name, as far as the text of the rules shows it."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping

from ...model.lang.source import Source
from ...spec.diagnostics import Position

_NOT_INSIDE = frozenset(("Few", "Multiset", "Pool", "Ref"))
"""Containers, whose entries are shown only where the book has a word for that (`waiting listed`), and references to these."""

BARRING = "verdict('action after an endless loop')"
"""What these say is told of the action, not by a name."""
_NORMS = frozenset(("forbids", "permits", "requires"))


def shown_names(sources: Iterable[Source], hidden: Collection[str]) -> Iterator[tuple[str, Position]]:
    """What positions and choices name, as far as the text of the rules shows it; a member with its class in front. `hidden` fields are left out."""
    classes = {
        node.name: (source, node) for source in sources for node in source.tree.body if isinstance(node, ast.ClassDef)
    }

    def kinds(name: str) -> set[str]:
        return ({name}.union(*(kinds(b.id) for b in classes[name][1].bases if isinstance(b, ast.Name)))
                if name in classes else {name})

    def fields(name: str) -> Iterator[tuple[str, Position]]:
        source, node = classes[name]
        for one in node.body:
            match one:
                case ast.AnnAssign(target=ast.Name(id=field), annotation=of) if field not in hidden and not (
                    "State" in kinds(name) and f"State.{field}" in hidden
                ):
                    inside = dict.fromkeys(n.id for n in ast.walk(of) if isinstance(n, ast.Name))
                    inner = [n for n in inside if n in classes] if not {*inside} & _NOT_INSIDE else []
                    if not any("Record" in kinds(n) for n in inner):  # of a record its fields are shown
                        yield field, source.position(one)
                    for record in inner:
                        yield from fields(record)
                case ast.Assign(targets=[ast.Name(id=member)]) if "Enum" in kinds(name):
                    yield f"{name}.{member}", source.position(one)
                case _:
                    pass

    for name in classes:
        if "State" in kinds(name):
            yield from fields(name)
    rules = {rule.name: (source, rule) for source in sources for rule in source.tree.body
             if isinstance(rule, ast.FunctionDef | ast.AsyncFunctionDef)}
    marked = {name: {ast.unparse(d) for d in rule.decorator_list} for name, (_, rule) in rules.items()}
    due = [name for name, (_, rule) in rules.items()
           if "situation" in marked[name] and isinstance(rule, ast.AsyncFunctionDef)]

    def those(names: Collection[str]) -> Iterator[tuple[str, Position]]:
        return ((name, source.position(rule)) for name, (source, rule) in rules.items() if name in names)

    if len(due) > 1 or any(
        len(rules[name][1].args.args) > 1 for name in due
    ):  # several can hold at once, and are offered
        yield from those(due)
    yield from those({name for name, marks in marked.items() if "verdict('endless loop')" in marks})
    yield from those({  # loops are told by the part of play
        name for name, marks in marked.items()
        if any(mark.startswith("procedure(") and "scope=" in mark for mark in marks)})
    norms = [mark for marks in marked.values() for mark in marks if mark.partition("(")[0] in _NORMS]
    yield from those({mark.partition("(")[2].rstrip(")") for mark in norms})
    about = {n.id for name, (_, rule) in rules.items()
             if any(mark.startswith("verdict(") and mark != BARRING for mark in marked[name])
             for of in (*(a.annotation for a in rule.args.args[1:]), rule.returns) if of is not None
             for n in ast.walk(of) if isinstance(n, ast.Name) and n.id in classes and "Enum" in kinds(n.id)}
    for name in sorted(about):  # what clauses that contradict each other are about, and what they say
        yield from fields(name)
    held = {one.target.id: of.id for name in classes if "State" in kinds(name) for one in classes[name][1].body
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
            and isinstance(one.annotation, ast.Subscript) and isinstance(one.annotation.value, ast.Name)
            and one.annotation.value.id == "Multiset" and isinstance(of := one.annotation.slice, ast.Name)}
    todo: list[tuple[Source, ast.AST]] = [
        (source, arg)
        for source in sources
        for call in ast.walk(source.tree)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "choose"
        for arg in call.args[1:]
    ]
    seen = set[str]()
    for source, offered in todo:
        for made in called_for(offered, held):
            if kinds(made.id) & {"Record", "Inaction"}:
                yield made.id, source.position(made)
            elif made.id in rules and made.id not in seen:
                seen.add(made.id)
                todo.append(rules[made.id])


def called_for(options: ast.AST, held: Mapping[str, str]) -> Iterator[ast.Name]:
    """What is called to make options, or what a rule gives; of the entries of fields, what these are (`held`)."""
    match options:
        case ast.Attribute(attr=name) if name in held:
            yield ast.copy_location(ast.Name(held[name]), options)
        case ast.Call(func=ast.Name() as name):
            yield name
        case ast.FunctionDef():
            yield from (name for n in ast.walk(options) if isinstance(n, ast.Return) and n.value is not None
                        for name in called_for(n.value, held))
        case ast.SetComp(elt=ast.Name(id=one), generators=each):
            yield from (name for g in each if isinstance(g.target, ast.Name) and g.target.id == one
                        for name in called_for(g.iter, held))
        case ast.SetComp(elt=one):
            yield from called_for(one, held)
        case ast.Set() | ast.BinOp() | ast.IfExp():
            yield from (name for part in ast.iter_child_nodes(options) for name in called_for(part, held))
        case _:
            pass
