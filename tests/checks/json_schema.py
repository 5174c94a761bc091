"""The form of every JSON output, as JSON Schema (2020-12): `docs/output.schema.json` is made from it.

Records get their schema from their dataclasses; what a command puts around them is written down here. Nothing may be in an
output that is not in its schema."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from rulewright.checks.audit.record import Basis, Kind, Tried
from rulewright.checks.audit.record import Stake as ChoiceStake
from rulewright.checks.findings.as_json import SCHEMA
from rulewright.checks.findings.record import Certificate, CheckResult, Finding, PlayStep
from rulewright.checks.findings.summary import BookSummary
from rulewright.checks.questions.answers import Kind as AnswerKind
from rulewright.checks.questions.record import Stake
from rulewright.checks.readings.branching import ReadingReport
from rulewright.checks.register.compare import Reference
from rulewright.checks.register.status import Status
from rulewright.checks.scenarios.sizes import BookSizes
from rulewright.checks.scenarios.why_not import Reason
from rulewright.checks.stored.comparing import Difference
from rulewright.spec.book import ClauseKind
from rulewright.spec.text import Text

Schema = dict[str, Any]
STRING: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 0}
FLAG: Schema = {"type": "boolean"}
NAMES: Schema = {"type": "array", "items": STRING}
TEXT: Schema = {"$ref": "#/$defs/Text"}


def maybe(schema: Schema) -> Schema:
    """This, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def listed(schema: Schema) -> Schema:
    """A list of these."""
    return {"type": "array", "items": schema}


def one_of(*values: str) -> Schema:
    """One of these words."""
    return {"enum": list(values)}


def shape(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    """An object with these keys and no others."""
    return {"type": "object", "properties": {**required, **(optional or {})}, "required": list(required),
            "additionalProperties": False}


def record_schema(of: Any, defs: dict[str, Schema]) -> Schema:
    """The schema of what `as_json.plain` makes of a type; records go into `defs`."""
    origin, inside = get_origin(of), get_args(of)
    if origin in (Union, types.UnionType):
        return maybe(record_schema(next(one for one in inside if one is not type(None)), defs))
    if origin is tuple:
        return listed(record_schema(inside[0], defs))
    if origin is not None:
        return {"type": "object", "additionalProperties": record_schema(inside[1], defs)}
    if is_dataclass(of):
        cls = cast(type[Any], of)
        if cls.__name__ not in defs:
            defs[cls.__name__] = {}
            hints = get_type_hints(cls)
            defs[cls.__name__] = shape({f.name: record_schema(hints[f.name], defs) for f in fields(cls) if f.metadata.get("told", True)})
            assert all(f.default is MISSING or f.name in hints for f in fields(cls))
        return {"$ref": f"#/$defs/{cls.__name__}"}
    if issubclass(of, Enum):
        return {"enum": [member.value for member in of]}
    return {str: STRING, bool: FLAG, int: {"type": "integer"}, float: {"type": "number"}}[of]


def tagged(kind: str, content: Schema, optional: Mapping[str, Schema] | None = None) -> Schema:
    """An output: which form, what it is, and the content."""
    head: Schema = {"schema": {"const": SCHEMA}, "kind": {"const": kind}}
    return shape({**head, **content}, optional)


def output_schema() -> Schema:
    """The schema of all outputs."""
    defs: dict[str, Schema] = {}
    for cls in (Text, PlayStep, Finding, CheckResult, BookSummary, Reason, ReadingReport, Reference, BookSizes, Difference):
        record_schema(cls, defs)
    counts = shape({s.value: COUNT for s in Status})
    defs["Quote"] = shape({"line": {"type": "integer", "minimum": 1}, "text": STRING, "as_registered": maybe(FLAG)})
    quotes: dict[str, Schema] = {
        "draft": STRING, "quotes": {"type": "object", "additionalProperties": maybe({"$ref": "#/$defs/Quote"})}}
    head = {"schema": {"const": SCHEMA}}
    finding = shape({**head, "kind": {"const": "finding"}, **defs["Finding"]["properties"]}, quotes)
    result = shape({**head, "kind": {"const": "result"}, **defs["CheckResult"]["properties"]})
    defs["finding"], defs["result"] = finding, result
    place = {"file": STRING, "line": {"type": "integer", "minimum": 1}, "function": STRING}
    defs["Place"] = shape({**place, "source": STRING, "says": STRING}, {"executed": FLAG, "executable": FLAG})
    guessed: dict[str, Schema] = {"name": STRING, "ja": STRING, "en": STRING, "clause": STRING}
    defs["TurnPart"] = shape({**guessed, "parts": listed({"$ref": "#/$defs/TurnPart"})})
    defs["Cited"] = shape({"path": STRING, "finding": STRING}, {"decisive": FLAG})
    suspects: dict[str, Schema] = {"places": listed(shape(place)), "readings": NAMES,
                                   "cases": listed({"$ref": "#/$defs/Cited"}), "terms": NAMES}
    kinds = one_of(*(k.value for k in ClauseKind))
    status = one_of(*(s.value for s in Status))
    places = listed({"$ref": "#/$defs/Place"})
    clause = shape({"id": STRING, "kind": kinds, "guessed": FLAG, "status": status, "gist": maybe(TEXT),
                    "wording_only": FLAG, "left_out": NAMES, "places": places, "readings": NAMES, "terms": NAMES, "scenarios": maybe(NAMES)})
    reading = shape({"id": STRING, "question": TEXT, "default": STRING, "status": one_of("planned", "modelled")})
    changed = shape({"id": STRING, "now": STRING, "what": listed(one_of("reworded", "replaced", "moved", "renumbered", "references")),
                     "behaviour": maybe({"const": "wording only, behaviour not checked"}),
                     "references": listed(shape({**defs["Reference"]["properties"], "stale": FLAG})), **suspects})
    lint = shape({"id": STRING, "rule": STRING, "severity": one_of("error", "warning", "hint"), "line": COUNT,
                  "column": COUNT, "place": STRING, "clause": STRING, "message": TEXT, "text": maybe(STRING),
                  "suggestion": maybe(TEXT), "cited": maybe(STRING),
                  "fix": maybe(shape({"line": COUNT, "column": COUNT, "old": STRING, "new": STRING}))})
    record_schema(Certificate, defs)
    defs["Certified"] = shape({"book": STRING, "scenario": STRING, "readings": {"type": "object", "additionalProperties": STRING},
                               "certificates": listed({"$ref": "#/$defs/Certificate"})})
    answers = one_of(*(kind.value for kind in AnswerKind))
    phrase = shape({"kind": STRING, "phrase": STRING, "example": STRING, "english": STRING, "line": COUNT})
    stakes = one_of(*(stake.name.lower() for stake in Stake))
    outputs: dict[str, Schema] = {
        "check": tagged("check", {
            "summary": listed({"$ref": "#/$defs/BookSummary"}), "results": listed({"$ref": "#/$defs/result"}), "stored": NAMES}, {
            **quotes, "certificates": listed({"$ref": "#/$defs/Certified"}), "readings": listed(shape({"readings": listed({"$ref": "#/$defs/ReadingReport"}), "sets_left_out": COUNT}))}),
        "try": tagged("try", {
            "tried": {"type": "object", "additionalProperties": STRING},
            "trials": listed(shape({"before": {"$ref": "#/$defs/result"}, "after": {"$ref": "#/$defs/result"}, "certain": FLAG,
                                    "resolved": NAMES, "cut_off": NAMES, "remaining": NAMES, "changed": NAMES, "new": NAMES}))}),
        "finding": finding,
        "replay": tagged("replay", {"path": STRING, "reproduced": FLAG, "why": maybe(TEXT),
                                    "steps": listed({"$ref": "#/$defs/PlayStep"}),
                                    "finding": maybe({"$ref": "#/$defs/finding"})}, quotes),
        "why-not": tagged("why-not", {"card": STRING, "asked": maybe(TEXT), "by_luck": FLAG, "reasons": listed({"$ref": "#/$defs/Reason"})}),
        "minimise": tagged("minimise", {
            "scenario": STRING, "before": COUNT, "after": COUNT, "tried": COUNT, "steps_before": COUNT, "steps": COUNT,
            "finding": {"$ref": "#/$defs/finding"}}),
        "verify": tagged("verify", {"cases": listed(shape({
            "path": STRING, "finding": STRING, "reproduced": FLAG, "why": maybe(TEXT), "differences": listed({"$ref": "#/$defs/Difference"})}))}),
        "info": tagged("info", {"sizes": {"$ref": "#/$defs/BookSizes"}}),
        "export": tagged("export", {"format": STRING, "files": NAMES}),
        "lint": tagged("lint", {"files": listed(shape({
            "file": STRING, "encoding": maybe(STRING), "recognised": {"type": "object", "additionalProperties": COUNT},
            "books": NAMES, "unplaced": listed(COUNT), "words": STRING, "notes": listed(TEXT), "hidden": COUNT, "findings": listed(lint)}))}),
        "lint-rules": tagged("lint-rules", {"rules": listed(shape({
            "id": STRING, "level": STRING, "title": TEXT, "finds": TEXT, "why": TEXT, "wrong": STRING, "right": STRING}))}),
        "questions": tagged("questions", {
            "file": STRING, "families": NAMES, "stale": NAMES, "unsure": COUNT, "checklist": COUNT,
            "questions": listed(shape({
                "id": STRING, "family": STRING, "stake": stakes, "by_shape": FLAG, "question": TEXT, "usual": TEXT, "clauses": NAMES,
                "places": listed(shape({"id": STRING, "clause": STRING, "line": COUNT, "column": COUNT, "place": STRING, "phrase": STRING,
                                        "other": maybe(STRING)}))})),
            "settled": listed(shape({"family": STRING, "by": STRING, "clause": maybe(STRING), "places": COUNT})),
            "answered": listed(shape({"id": STRING, "kind": answers, "answer": TEXT}))}),
        "audit": tagged("audit", {
            "book": STRING, "places": COUNT, "fixed": COUNT, "scenarios": COUNT, "states": COUNT, "most_scenarios": COUNT,
            "cut": maybe(one_of("seconds", "memory", "user", "lost")), "answered": NAMES,
            "choices": listed(shape({
                "id": STRING, "sort": one_of(*(k.value for k in Kind)), "basis": one_of(*(b.name.lower().replace("_", "-") for b in Basis)), "file": STRING, "line": COUNT, "last": COUNT, "rule": STRING,
                "code": STRING, "instead": STRING, "clauses": NAMES, "quiet": FLAG, "tried": one_of(*(t.value for t in Tried)), "scenarios": COUNT, "limited": FLAG,
                "shown": maybe(shape({"scenario": STRING, "stake": one_of(*(k.name.lower() for k in ChoiceStake)), "differs": TEXT, "position": maybe(TEXT),
                                      "steps": listed({"$ref": "#/$defs/PlayStep"})}))}))}),
        "question-family": tagged("question-family", {"family": shape({
            "id": STRING, "stake": stakes, "title": TEXT, "asks": TEXT, "matters": TEXT, "usual": TEXT,
            "examples": listed(shape({"raises": STRING, "quiet": STRING}))})}),
        "phrases": tagged("phrases", {
            "book": STRING, "line": STRING, "nearest": listed(phrase),
            "kinds": listed(shape({"kind": STRING, "number": maybe(shape({"from": {"type": "integer"}, "to": {"type": "integer"}})), "phrases": listed(phrase)})),
            "text": listed(shape({
                "text": STRING, "pieces": listed(shape({"text": STRING, "phrase": phrase, "depth": COUNT})),
                "mistakes": listed(shape({"code": STRING, "column": COUNT, "message": TEXT, "hint": maybe(TEXT), "value": maybe(STRING)}))}))}),
        "combos": tagged("combos", {
            "book": STRING, "pool": COUNT, "sizes": listed(COUNT), "candidates": COUNT, "tried": COUNT, "kept": COUNT, "skipped": COUNT, "left": COUNT,
            "plays": COUNT, "unshown": COUNT, "unplayed": COUNT, "cut": maybe(one_of("seconds", "memory", "user", "lost")), "why_not": maybe(TEXT),
            "combos": listed(shape({
                "cards": NAMES, "starters": NAMES, "findings": listed({"$ref": "#/$defs/Finding"}),
                "course": maybe(shape({"rounds": COUNT, "emptied": listed(TEXT), "end": maybe(TEXT), "clause": maybe(STRING),
                                       "play": {"$ref": "#/$defs/Play"}, "position": TEXT})),
                "stops": maybe(shape({"cards": {"type": "object", "additionalProperties": TEXT}, "tried": COUNT, "unknown": COUNT, "left": COUNT}))})),
            "lacking": maybe(listed(shape({"cards": NAMES, **{key: shape({"kind": one_of("lets", "zone", "counts", "sets"), "what": TEXT})
                                                              for key in ("needs", "gives")}})))}),
        "coverage": tagged("coverage", {
            "book": STRING, "edition": STRING, "counts": counts,
            "chapters": listed(shape({"id": STRING, "title": TEXT, "counts": counts})), "clauses": listed(clause),
            "questions": shape({
                "counts": shape({kind.value: COUNT for kind in AnswerKind}), "unanswered": COUNT, "not_modelled": NAMES,
                "open": listed(shape({"id": STRING, "what": TEXT})), "unasked": maybe(NAMES), "stale": NAMES}),
            "executed": maybe(shape({"runs": COUNT, "states": COUNT, "cut": NAMES}))}, quotes),
        "where": tagged("where", {
            "book": STRING, "clause": STRING, "status": status, "clause_kind": kinds, "guessed": FLAG, "gist": maybe(TEXT),
            "wording_only": FLAG, "left_out": NAMES, "places": places, "named": places, "readings": listed(reading),
            "terms": listed(shape({"id": STRING, "name": TEXT})), "refers_to": NAMES, "dangling": NAMES,
            "referred_by": NAMES, "scenarios": maybe(NAMES), "cases": listed({"$ref": "#/$defs/Cited"})}, quotes),
        "registered": tagged("registered", {"book": STRING, "draft": STRING, "files": NAMES, "clauses": COUNT, "terms": COUNT,
                                            "references": COUNT, "unplaced": listed(COUNT)}),
        "new": tagged("new", {
            "book": STRING, "draft": STRING, "files": NAMES, "clauses": COUNT, "terms": COUNT, "references": COUNT,
            "chapters": listed(shape({"module": STRING, "title": STRING})),
            "zones": listed(shape({**guessed, "ordered": FLAG, "shared": FLAG})),
            "numbers": listed(shape({**guessed, "printed": FLAG, "shared": FLAG, "start": COUNT, "most": COUNT})),
            "parts": listed({"$ref": "#/$defs/TurnPart"})}),
        "validated": tagged("validated", {
            "book": STRING, "files": COUNT, "errors": COUNT, "warnings": COUNT, "notes": COUNT, "remarks": listed(shape({
                "level": one_of("error", "warning", "note"), "code": STRING, "message": TEXT, "hint": maybe(TEXT), "file": maybe(STRING),
                "line": maybe(COUNT), "column": maybe(COUNT), "value": maybe(STRING), "names": NAMES}))}),
        "register": tagged("register", {
            "book": STRING, "draft": STRING, "unchanged": COUNT, "new": NAMES,
            "gone": listed(shape({"id": STRING, **suspects})), "changed": listed(changed),
            "followed": listed(shape({"id": STRING, "now": STRING, "references": listed(shape({"before": STRING, "after": STRING}))})), "unplaced": NAMES,
            "written": maybe(NAMES)}),
        "first-draft": tagged("first-draft", {"book": STRING, "draft": STRING, "clauses": COUNT, "merged": NAMES,
                                              "unplaced": NAMES, "written": maybe(NAMES)}),
        "checked": tagged("checked", {"book": STRING, "clauses": NAMES}),
    }
    used = {**defs, **{f"output-{name}": schema for name, schema in outputs.items()}}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "What rulewright prints with --json",
            "oneOf": [{"$ref": f"#/$defs/output-{name}"} for name in outputs], "$defs": used}
