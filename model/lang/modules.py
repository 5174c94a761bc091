"""Which modules a book is made of: its own, and those of the kernel that they import."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from ...spec.diagnostics import Collector, nearest
from .source import Refused, Reporter, Source, read_source

KERNEL = Path(__file__).parent.parent / "kernel"


def with_kernel(own: Sequence[Source], report: Collector, kernel: Path = KERNEL) -> tuple[Source, ...]:
    """The kernel modules that a book's own modules import, directly or not, and then its own."""
    found: dict[str, Source] = {}
    todo = list(own)
    while todo:
        source = todo.pop()
        at = Reporter(source, report)
        for node, name in imported(source):
            if name in found:
                continue
            file = kernel / f"{name}.py"
            if not file.exists():
                refuse_unknown(at, node, name, kernel)
                continue
            read = read_source(f"model/kernel/{name}.py", file.read_text(encoding="utf-8"), report, kernel=True)
            if read is not None:
                found[name] = read
                todo.append(read)
    return (*(found[name] for name in sorted(found)), *own)


def imported(source: Source) -> Iterator[tuple[ast.ImportFrom, str]]:
    """The kernel modules that a module names: `from ...kernel.decks import *`, in the kernel `from .decks import *`."""
    for node in source.tree.body:
        if not isinstance(node, ast.ImportFrom):
            continue
        parts = (node.module or "").split(".")
        if source.kernel and node.level == 1 and parts[0]:
            yield node, parts[0]
        elif "kernel" in parts:
            behind = parts[parts.index("kernel") + 1 :]
            yield from ((node, name) for name in (behind[:1] or [a.name for a in node.names]))


def refuse_unknown(at: Reporter, node: ast.AST, name: str, kernel: Path) -> Refused:
    known = sorted(p.stem for p in kernel.glob("*.py") if p.stem != "__init__")
    near = nearest(name, known)
    return at.refuse(
        node,
        "no-such-kernel-module",
        f"the kernel has no module `{name}`",
        f"kernel に `{name}` というモジュールはありません",
        (f"did you mean `{near}`?", f"`{near}` ではありませんか")
        if near is not None
        else (f"it has {', '.join(known)}", f"あるのは {'、'.join(known)} です"),
    )
