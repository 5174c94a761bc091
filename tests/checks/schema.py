"""A validator for the part of JSON Schema that our schemas use. A keyword that it does not know is an error."""
from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

TYPES: dict[str, Any] = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
IGNORED = {"$schema", "$comment", "title", "$defs", "definitions", "default"}
FORMATS = {
    "uri": r"[A-Za-z][A-Za-z0-9+.-]*:[!#$%&'()*+,./0-9:;=?@A-Za-z_~\[\]-]*",
    "uri-reference": r"[!#$%&'()*+,./0-9:;=?@A-Za-z_~\[\]-]*",
    "date-time": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)",
}
"""What a text of a format looks like."""


def violations(data: Any, schema: dict[str, Any], root: dict[str, Any] | None = None, at: str = "$") -> Iterator[str]:
    """What in the data is not as the schema says, each with its place."""
    root = schema if root is None else root
    for key, wanted in schema.items():
        match key:
            case "$ref":
                _, where, name = wanted.split("/")
                yield from violations(data, root[where][name], root, at)
            case "type":
                if wanted in ("integer", "number"):
                    fits = isinstance(data, int if wanted == "integer" else int | float) and not isinstance(data, bool)
                else:
                    fits = isinstance(data, TYPES[wanted])
                if not fits:
                    yield f"{at}: {wanted} is needed, not {data!r:.40}"
            case "const" | "enum":
                if data not in (wanted if key == "enum" else [wanted]):
                    yield f"{at}: {data!r:.40} is none of {wanted!r:.80}"
            case "anyOf" | "oneOf":
                fitting = [one for one in wanted if not any(True for _ in violations(data, one, root, at))]
                if not fitting or (key == "oneOf" and len(fitting) > 1):
                    yield f"{at}: fits {len(fitting)} of {len(wanted)} forms"
            case "items":
                for n, item in enumerate(data if isinstance(data, list) else ()):
                    yield from violations(item, wanted, root, f"{at}[{n}]")
            case "properties":
                for name, inner in wanted.items():
                    if isinstance(data, dict) and name in data:
                        yield from violations(data[name], inner, root, f"{at}.{name}")
            case "required":
                yield from (f"{at}: {name} is missing" for name in wanted if isinstance(data, dict) and name not in data)
            case "additionalProperties":
                for name in data.keys() - schema.get("properties", {}).keys() if isinstance(data, dict) else ():
                    if wanted is False:
                        yield f"{at}: {name} should not be there"
                    elif wanted is not True:
                        yield from violations(data[name], wanted, root, f"{at}.{name}")
            case "minimum":
                if isinstance(data, int | float) and data < wanted:
                    yield f"{at}: {data} is less than {wanted}"
            case "maximum":
                if isinstance(data, int | float) and data > wanted:
                    yield f"{at}: {data} is more than {wanted}"
            case "format":
                if isinstance(data, str) and not re.fullmatch(FORMATS[wanted], data):
                    yield f"{at}: {data!r:.40} is no {wanted}"
            case "minItems" | "minLength":
                if isinstance(data, list | str) and len(data) < wanted:
                    yield f"{at}: too short"
            case "uniqueItems":
                told = [json.dumps(one, sort_keys=True) for one in data] if isinstance(data, list) else []
                if wanted and len(told) != len(set(told)):
                    yield f"{at}: something is there twice"
            case "pattern":
                if isinstance(data, str) and not re.search(wanted, data):
                    yield f"{at}: {data!r:.40} does not match {wanted}"
            case _:
                assert key in IGNORED, f"the validator does not know {key}"
