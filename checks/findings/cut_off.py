"""What is said of work that a limit, or the user, cut off."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ...spec.text import Text
from .claims import asked_only
from .record import Bounds, CheckResult

CUTS = {
    "states": Text(ja="状態数の上限に達したため、そこで打ち切りました", en="stopped at the limit on states"),
    "depth": Text(
        ja="手順の長さの上限に達したため、その先は見ていません", en="longer plays than the limit were not looked at"
    ),
    "turns": Text(ja="ターン数の上限より先は見ていません", en="turns beyond the limit were not looked at"),
    "seconds": Text(ja="時間の上限に達したため、そこで打ち切りました", en="stopped at the time limit"),
    "user": Text(ja="利用者が中断したため、そこで打ち切りました", en="stopped because the user interrupted it"),
    "memory": Text(ja="メモリの上限に達したため、そこで打ち切りました", en="stopped at the memory limit"),
    "disk": Text(ja="--disk のフォルダーに空きがなくなったため、そこで打ち切りました", en="stopped because there was no room left in the folder of --disk"),
    "lost": Text(ja="調べていたプロセスがシステムに終了させられたため（メモリ不足かもしれません）、そこで打ち切りました",
                 en="stopped because the system ended the process that looked (there may not be enough memory)"),
    "not modelled": Text(ja="まだ取り込んでいない条で手順が止まったため、その先は見ていません",
                         en="play stopped at a clause that is not encoded yet; what follows was not looked at"),
    "unshown": Text(
        ja="局面をまとめて数えたときに繰り返しに見えたもののうち、実際の手順として示せなかったものがあり、指摘していません",
        en="where positions count as one, something looked like a repetition of which no real play was found; it is not told"),
}
DIVIDED = Text(
    ja="分担して調べたため、終わらない繰り返し・決める人のいない選択・処理の順番・解釈による違いは調べていません",
    en="the search was divided, so endless loops, choices that nobody owns, orders and what readings change were not examined")
"""Of a search of which nobody has the whole graph."""
AFTERWARDS = {
    "seconds": Text(ja="調べた範囲の検討の途中で時間の上限に達したため、見落としがあるかもしれません",
                    en="the time limit was reached while what was explored was judged, so not all of it was"),
    "user": Text(ja="調べた範囲の検討の途中で利用者が中断したため、見落としがあるかもしれません",
                 en="the user interrupted while what was explored was judged, so not all of it was"),
    "memory": Text(ja="調べた範囲の検討の途中でメモリの上限に達したため、見落としがあるかもしれません",
                   en="the memory limit was reached while what was explored was judged, so not all of it was"),
}


def nothing_found(book: str, scenario: str, title: Text, readings: Mapping[str, str], why: str) -> CheckResult:
    """The result of a run that was cut off before it found anything, or never begun."""
    return CheckResult(book, scenario, title, dict(readings), Bounds(False, 0, 0, 0, (CUTS[why],)), (), (), {}, False)


def cut_by(bounds: Bounds, why: Text) -> Bounds:
    """The bounds, with why not everything within them was looked at."""
    return replace(bounds, complete=False, notes=tuple(dict.fromkeys((*bounds.notes, why))))


def cut_short(result: CheckResult, why: str) -> CheckResult:
    """The result, with that it was not gone through to its end."""
    return replace(result, bounds=cut_by(result.bounds, AFTERWARDS[why]))


def not_all_told(result: CheckResult, why: str) -> CheckResult:
    """The result, with that not all questions were asked, or not for as long as they might have been; or that not all was told."""
    return replace(result, bounds=cut_by(result.bounds, CUTS[why]))


def is_cut(result: CheckResult) -> bool:
    """Was not all of it looked at: did a limit, or the user, cut it off, or were steps beyond a bound not followed? Questions that have no answer
    are told as that."""
    return bool(cuts_of(result)) or not (result.bounds.complete or asked_only(result.bounds))


def cuts_of(result: CheckResult) -> list[str]:
    """Why it was cut off: the words of `CUTS`."""
    return [why for why in CUTS if CUTS[why] in result.bounds.notes or AFTERWARDS.get(why) in result.bounds.notes]


STOPPED = frozenset({"states", "seconds", "user", "memory", "disk", "lost"})
"""By what a search ends wherever it has come to: what it has not found may lie within its other bounds all the same."""


def is_stopped(result: CheckResult) -> bool:
    """Did it end before its other bounds were come to?"""
    return bool(STOPPED & set(cuts_of(result)))


def is_divided(results: Iterable[CheckResult]) -> bool:
    """Did nobody have the whole graph? What was then not looked at may be there all the same."""
    return any(DIVIDED in one.bounds.notes for one in results)


def is_begun(result: CheckResult) -> bool:
    """Was anything of it looked at?"""
    return not (cuts_of(result) and not result.bounds.states and not result.examined)
