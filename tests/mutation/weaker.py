"""What stands in the place of a statement that is taken away."""
from __future__ import annotations

import ast
from collections.abc import Iterator

from .places import Place


def weakened(place: Place) -> Iterator[str]:
    """The statement taken away; then, should that be refused, what says as little as possible instead."""
    yield "pass"
    node = ast.parse(place.text).body[0] if not place.text.startswith(("async", "await")) else None
    match node:
        case ast.Return(value=ast.expr() as value):
            for constant in ("False", "True", "None", "set()", "0"):
                if ast.unparse(value) != constant:
                    yield f"return {constant}"
        case ast.If(test=test) | ast.While(test=test):
            head = ast.get_source_segment(place.text, test) or ""
            for constant in ("False", "True"):
                yield place.text.replace(head, constant, 1)
        case _:
            return
