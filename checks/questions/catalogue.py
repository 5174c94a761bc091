"""All families of questions, the gravest first."""

from __future__ import annotations

from ...spec.diagnostics import Collector, Diagnostic, did_you_mean
from ...spec.text import Lang, Text
from .families import choices, effects, numbers, orders, results, shapes, wording
from .record import Family, Stake

FAMILIES: tuple[Family, ...] = tuple(
    sorted(
        (
            *results.FAMILIES,
            *orders.FAMILIES,
            *choices.FAMILIES,
            *effects.FAMILIES,
            *numbers.FAMILIES,
            *shapes.FAMILIES,
            *wording.FAMILIES,
        ),
        key=lambda one: one.stake,
    )
)
"""In the order in which their questions are shown."""
BY_ID = {one.id: one for one in FAMILIES}
STAKES = {
    Stake.RESULT: Text("勝敗", "who wins"),
    Stake.ENDLESS: Text("終わるか", "does it end"),
    Stake.ORDER: Text("順番", "order"),
    Stake.WHO: Text("誰が", "who"),
    Stake.NUMBER: Text("数", "numbers"),
    Stake.WORDING: Text("言葉", "wording"),
}


def chosen(names: tuple[str, ...]) -> tuple[Family, ...]:
    """The families that are named; if none is, all. Raises BadInput for one that there is not."""
    report = Collector()
    for name in names:
        if name not in BY_ID:
            report.add(
                Diagnostic(
                    None,
                    "no-such-family",
                    Text(ja=f"「{name}」という問いの種類はありません", en=f"there is no family of questions {name!r}"),
                    did_you_mean(name, [*BY_ID]),
                    name,
                )
            )
    report.raise_if_any()
    return tuple(one for one in FAMILIES if not names or one.id in names)


def table(lang: Lang = "en") -> str:
    """All families as a table in Markdown."""
    head = (
        ["| family | about | asks | usual in other books |", "|---|---|---|---|"]
        if lang == "en"
        else ["| 種類 | 何について | 問い | ほかの本では |", "|---|---|---|---|"]
    )
    rows = [f"| `{one.id}`{'†' if one.only_by_shape else '*' if one.named else ''} | {STAKES[one.stake].in_(lang)} | {one.asks.in_(lang).format(phrase='…', other='…').removeprefix('“…”: ').removeprefix('「…」: ')} | {one.usual.in_(lang)} |" for one in FAMILIES]
    return "\n".join([*head, *rows])
