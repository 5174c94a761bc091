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
    Style.CHAPTER: "第3章",
    Style.SECTION: "§9",
    Style.DOTTED: "4.1",
    Style.DASHED: "9-2-1",
    Style.PLAIN: "301",
    Style.APPENDIX: "附則 1",
    Style.SINGLE: "1.",
    Style.PAREN: "(2)",
    Style.CIRCLED: "①",
    Style.ROMAN: "iii",
    Style.LETTER: "A.",
    Style.MIXED: "2e3)",
}
"""An example of each style of numbers."""
RECOGNISED = Text("認識した番号の形: {styles}", "Numbers recognised, by form: {styles}")
STYLE_COUNT = Text("「{style}」{count} 件", "{style} ({count})")
HEADINGS = Text("見出し {count} 件", "headings ({count})")
BETWEEN = Text("、", ", ")
BOOKS = Text("番号を数え直す文書: {count} 編（{titles}）", "Parts that count anew: {count} ({titles})")
CONTENTS = Text(
    "目次: {where}（{count} 項目）", "Table of contents: {where} ({count} entries)"
)
UNPLACED = Text(
    "番号かもしれない行: {count}（{lines}）。条文には数えていません",
    "Lines that may have a number: {count} ({lines}); not taken for clauses",
)
ANALYSER = {
    "sudachi": Text("用語の切り出し: 辞書（sudachi）", "Words found with: sudachi"),
    "script": Text(
        "用語の切り出し: 文字種（rulewright[ja] を入れると辞書を使います）",
        "Words found by: kind of letter (install rulewright[ja] for a dictionary)",
    ),
}
GROUP = Text("{severity} {rule}: {title}（{count}）", "{severity} {rule}: {title} ({count})")
MORE = Text("ほか {count} 件", "{count} more")
TOTAL = Text(
    "{file}: 誤り {errors}、警告 {warnings}{hints}{hidden}。",
    "{file}: errors {errors}, warnings {warnings}{hints}{hidden}.",
)
HINTS = Text("、参考 {count}", ", hints {count}")
HIDDEN = Text("（既知・除外 {count}）", " ({count} known or ignored)")
NOTHING = Text("指摘はありません（調べた規則 {count}）。", "Nothing found (rules looked at: {count}).")
OTHERS_UNTOLD = Text(
    "使えないファイルがあるため、ほかの {count} 件の指摘は示しません。",
    "Some files cannot be used, so nothing is told of the others ({count}).",
)
FULL = Text(
    "すべてを全文で見るには --full、推測（参考）も見るには --hints",
    "--full shows everything in full, --hints guesses too",
)
GUESSES = Text("推測（参考）も見るには --hints", "--hints shows guesses too")
CITED = Text("本文: {text}", "text: {text}")
FIXED = Text("{path}: {count} か所を直しました。", "{path}: {count} places fixed.")
BASELINE = Text("{path}: {count} 件を既知として保存しました。", "{path}: {count} findings stored as known.")
TOLD_OF = Text("指摘される例", "What it is told of")
NOT_TOLD_OF = Text("指摘されない例", "What it is not told of")
SILENCED = Text("表示しないようにするには", "How to silence it")
HOW_SILENCED = Text(
    "--ignore {rule}、または草案のその行か直前の行に <!-- rulewright: ignore {rule} -->、ファイル全体なら <!-- rulewright: ignore-file {rule} -->",
    "--ignore {rule}; in the draft, on the line or the one before it, <!-- rulewright: ignore {rule} -->; for the whole file <!-- rulewright: ignore-file {rule} -->",
)
