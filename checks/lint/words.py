"""What the linter says around its findings, in Japanese and English."""

from __future__ import annotations

from ...spec.text import Text
from .findings import Severity
from .model import Style

SEVERITY = {
    Severity.ERROR: Text("誤り", "error"),
    Severity.WARNING: Text("警告", "warning"),
    Severity.HINT: Text("参考", "hint"),
}
STYLE = {
    Style.CHAPTER: Text("第3章", "第3章"),
    Style.SECTION: Text("§9", "§9"),
    Style.DOTTED: Text("4.1", "4.1"),
    Style.DASHED: Text("9-2-1", "9-2-1"),
    Style.PLAIN: Text("301", "301"),
    Style.APPENDIX: Text("附則 1", "附則 1"),
    Style.SINGLE: Text("1.", "1."),
    Style.PAREN: Text("(2)", "(2)"),
    Style.CIRCLED: Text("①", "①"),
    Style.ROMAN: Text("iii", "iii"),
    Style.LETTER: Text("A.", "A."),
    Style.HEADING: Text("見出し", "headings"),
}
"""An example of each style of numbers."""
RECOGNISED = Text("認識した番号: {styles}", "Recognised: {styles}")
STYLE_COUNT = Text("{style}（{count}）", "{style} ({count})")
BOOKS = Text("番号を数え直す部分: {count}（{titles}）", "Parts that count anew: {count} ({titles})")
CONTENTS = Text(
    "目次: {first}〜{last} 行目（{count} 項目）", "Table of contents: lines {first}-{last} ({count} entries)"
)
UNPLACED = Text(
    "番号かもしれない行: {count}（{lines} 行目）。条文に数えていません",
    "Lines that may have a number: {count} (line {lines}); not taken for clauses",
)
ANALYSER = {
    "sudachi": Text("用語の切り出し: sudachi", "Words found with: sudachi"),
    "script": Text(
        "用語の切り出し: 文字種（rulewright[ja] を入れると辞書を使います）",
        "Words found by: kind of letter (install rulewright[ja] for a dictionary)",
    ),
}
GROUP = Text("{severity} {rule}: {title}（{count}）", "{severity} {rule}: {title} ({count})")
MORE = Text("ほか {count} 件", "{count} more")
TOTAL = Text(
    "{file}: 誤り {errors}、警告 {warnings}、参考 {hints}{hidden}。",
    "{file}: errors {errors}, warnings {warnings}, hints {hints}{hidden}.",
)
HIDDEN = Text("（既知・除外 {count}）", " ({count} known or ignored)")
NOTHING = Text("見つかった指摘はありません（調べた規則 {count}）。", "Nothing found (rules looked at: {count}).")
FULL = Text("すべて見るには --full、推測も見るには --hints", "--full shows everything, --hints guesses too")
CITED = Text("該当: {text}", "there: {text}")
FIXED = Text("{path}: {count} か所を直しました。", "{path}: {count} places fixed.")
BASELINE = Text("{path}: {count} 件を既知として保存しました。", "{path}: {count} findings stored as known.")
