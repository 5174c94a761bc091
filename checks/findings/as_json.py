"""Records as plain data that JSON can hold, and back. The order of keys is that of the fields, always."""
from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from ...spec.text import Text
from .record import CheckResult, Finding

SCHEMA = 1
"""Raised whenever a reader of the old form would misunderstand the new one."""

R = TypeVar("R")
SORTS = {
    str: Text("文字列", "text"),
    bool: Text("true か false", "true or false"),
    int: Text("整数", "a whole number"),
    float: Text("数", "a number"),
}


class NotARecord(ValueError):
    """Plain data that is no record: `place` says where in it, `problem` what is wrong there."""

    def __init__(self, place: str, problem: Text) -> None:
        self.place, self.problem = place, problem
        self.said = Text(f"{place}: {problem.ja}", f"{place}: {problem.en}") if place else problem
        super().__init__(self.said.en)

    def within(self, part: str) -> NotARecord:
        """The same of what this is a part of."""
        return NotARecord(f"{part}.{self.place}".rstrip("."), self.problem)


UNKNOWN_KEY = Text("知らない項目です", "unknown key")


def finding_as_json(finding: Finding) -> dict[str, Any]:
    """One finding, with the version of the form."""
    return {"schema": SCHEMA, "kind": "finding", **cast(dict[str, Any], plain(finding))}


def result_as_json(result: CheckResult) -> dict[str, Any]:
    """One result with its findings, with the version of the form."""
    return {"schema": SCHEMA, "kind": "result", **cast(dict[str, Any], plain(result))}


def finding_from_json(data: object) -> Finding:
    """The finding that `finding_as_json` wrote."""
    return record(Finding, _opened(data, "finding"))


def result_from_json(data: object) -> CheckResult:
    """The result that `result_as_json` wrote."""
    return record(CheckResult, _opened(data, "result"))


def _opened(data: object, kind: str) -> dict[str, Any]:
    if not isinstance(data, Mapping):
        raise NotARecord("", Text(f"項目の集まりが要りますが、{data!r:.60} です", f"a {kind} is a mapping, this is {data!r:.60}"))
    content = {str(key): value for key, value in cast(Mapping[Any, Any], data).items()}
    if content.pop("schema", None) != SCHEMA:
        raise NotARecord("schema", Text(f"読める形式は {SCHEMA} だけです", f"only form {SCHEMA} can be read"))
    if content.pop("kind", None) != kind:
        raise NotARecord("kind", Text(f"{kind} でなければなりません", f"this should be a {kind}"))
    return content


def plain(value: object) -> object:
    """A record as mappings, lists, text, numbers and none. Mappings are sorted by key."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: plain(getattr(value, field.name)) for field in fields(value) if field.metadata.get("told", True)
        }
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in sorted(cast(Mapping[Any, Any], value).items())}
    if isinstance(value, tuple | list):
        return [plain(item) for item in cast(tuple[Any, ...], value)]
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise TypeError(f"{type(value).__name__} has no plain form")


def record(cls: type[R], data: object) -> R:
    """The record that `plain` made into `data`; `NotARecord` if a key is missing, unknown or of the wrong sort."""
    return cast(R, _read(cls, data, ""))


def _read(expected: Any, data: object, place: str) -> object:
    origin, arguments = get_origin(expected), get_args(expected)
    if origin in (Union, types.UnionType):
        if data is None and type(None) in arguments:
            return None
        return _read(next(one for one in arguments if one is not type(None)), data, place)
    if origin is tuple:
        if not isinstance(data, list):
            raise NotARecord(place, Text(f"並び（リスト）が要りますが、{data!r:.60} です", f"a list is needed, this is {data!r:.60}"))
        return tuple(_read(arguments[0], item, f"{place}[{i}]") for i, item in enumerate(cast(list[Any], data)))
    if origin is not None:
        items = _mapping(data, place)
        return {key: _read(arguments[1], item, f"{place}.{key}") for key, item in items.items()}
    if is_dataclass(expected):
        return _read_fields(cast(type[Any], expected), _mapping(data, place), place)
    if issubclass(expected, Enum):
        try:
            return expected(data)
        except ValueError:
            allowed = ", ".join(str(member.value) for member in expected)
            raise NotARecord(
                place, Text(f"{data!r:.60} は次のどれでもありません: {allowed}", f"{data!r:.60} is none of: {allowed}")
            ) from None
    if expected is float and type(data) is int:
        return float(data)
    if type(data) is not expected:
        raise NotARecord(place, Text(f"{SORTS[expected].ja}が要りますが、{data!r:.60} です", f"{SORTS[expected].en} is needed, this is {data!r:.60}"))
    return data


def _read_fields(cls: type[Any], data: dict[str, Any], place: str) -> object:
    types_ = _types_of_fields(cls)
    for key in data:
        if key not in types_:
            raise NotARecord(f"{place}.{key}".lstrip("."), UNKNOWN_KEY)
    values = {key: _read(types_[key], item, f"{place}.{key}".lstrip(".")) for key, item in data.items()}
    if missing := [
        f.name for f in fields(cls) if f.name not in values and f.default is MISSING and f.default_factory is MISSING
    ]:
        raise NotARecord(place, Text(f"足りない項目: {'、'.join(missing)}", f"missing: {', '.join(missing)}"))
    try:
        return cls(**values)
    except ValueError as error:
        raise NotARecord(place, Text.same(str(error))) from None


@cache
def _types_of_fields(cls: type[Any]) -> dict[str, Any]:
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields(cls)}


def _mapping(data: object, place: str) -> dict[str, Any]:
    if not isinstance(data, Mapping):
        raise NotARecord(place, Text(f"項目の集まりが要りますが、{data!r:.60} です", f"a mapping is needed, this is {data!r:.60}"))
    return {str(key): item for key, item in cast(Mapping[Any, Any], data).items()}
