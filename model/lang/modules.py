"""Which modules a book is made of: its own, and those of the kernel that they import."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

from ...spec.diagnostics import Collector, nearest
from ...spec.reading import file_text
from .source import Refused, Reporter, Source, imported, read_module

KERNEL = Path(__file__).parent.parent / "kernel"


def with_kernel(own: Sequence[Source], report: Collector, kernel: Path = KERNEL) -> tuple[Source, ...]:
    """The kernel modules that a book's own modules import, directly or not, and then its own."""
    found: dict[str, Source] = {}
    todo = list(own)
    while todo:
        source = todo.pop()
        for name in source.imports:
            if name in found:
                continue
            file = kernel / f"{name}.py"
            if not file.exists():
                node = next(n for n, x in imported(source) if x == name)
                refuse_unknown(Reporter(source, report), node, name, kernel)
                continue
            read = read_module(f"model/kernel/{name}.py", file_text(file), report, kernel=True)
            if read is not None:
                found[name] = read
                todo.append(read)
    return (*(found[name] for name in sorted(found)), *own)


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
