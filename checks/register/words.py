"""The phrases of the register, in Japanese and English."""

from __future__ import annotations

from ...spec.readers import ClauseKind
from ...spec.text import Text
from .status import Status

STATUS = {
    Status.MODELLED: Text("モデル化済み", "modelled"),
    Status.READING: Text("解釈待ち", "reading"),
    Status.WITHOUT_EFFECT: Text("動きなし", "without effect"),
    Status.NOT_MODELLED: Text("未モデル化", "not modelled"),
}
EXPLAINED = {
    Status.MODELLED: Text("この条文どおりに動く規則がある", "some rule carries the clause out"),
    Status.READING: Text("まだ動く規則はなく、読み方の問い（解釈）に挙がっている",
                         "no rule cites it yet; an open question (reading) names it"),
    Status.WITHOUT_EFFECT: Text("見出し・定義・説明で、それだけではゲーム中に何も起こさない",
                                "a heading, a definition or a statement: by itself it does nothing in play"),
    Status.NOT_MODELLED: Text("動くはずの条文だが、まだ規則がない", "it does something in play, and no rule says so yet"),
}
KIND = {
    ClauseKind.HEADING: Text("見出し", "heading"),
    ClauseKind.DEFINITION: Text("定義", "definition"),
    ClauseKind.PROCEDURE: Text("手順", "procedure"),
    ClauseKind.PERMISSION: Text("許可", "permission"),
    ClauseKind.PROHIBITION: Text("禁止", "prohibition"),
    ClauseKind.DUTY: Text("義務", "duty"),
    ClauseKind.VERDICT: Text("判定", "verdict"),
    ClauseKind.NONE: Text("説明", "statement"),
}

COMMA = Text("、", ", ")
GUESS_MARK = Text("（推測）", " (a guess)")

# ---------------------------------------------------------------- coverage
COVERAGE = Text("{book}（{edition}）: 条文 {count}件", "{book} ({edition}): {count} clauses")
NO_RULES = Text("この本には、まだ規則（モデル）がありません。", "This book has no rules (no model) yet.")
OF_THESE = Text("内訳", "Of these")
BY_CHAPTER = Text("章ごとの件数", "By chapter")
CHAPTER = Text("章", "Chapter")
TOTAL = Text("計", "All")
NOT_MODELLED = Text("まだモデルにない条文", "Clauses that are not modelled")
NONE_LEFT = Text("ありません。", "None.")
MORE = Text("ほか {count}件。すべて見るには: rulewright coverage {book} --all",
            "{count} more; for all of them: rulewright coverage {book} --all")
TO_WRITE = Text("要旨がまだ書かれていない条文: {count}件", "Clauses whose gist is still to be written: {count}")
GUESSED = Text("種類が推測のままの条文: {count}件", "Clauses whose kind is still a guess: {count}")
WORDING = Text("文言だけ変わり、動きを確かめていない条文", "Reworded: wording only, behaviour not checked")
WORDING_NOTE = Text(
    "登録の文言が変わった後、この条文を引く規則は変わっていません。規則を読み直したら: "
    "rulewright register --checked {first} --book {book}",
    "Their wording was changed in the register, and the rules that cite them have not changed since. When you have "
    "read the rules again: rulewright register --checked {first} --book {book}")
EXECUTED = Text("用意された状況で実際に動いた箇所", "What the shipped scenarios execute")
EXECUTED_RUNS = Text(
    "{runs}回の検査（各 {states:,}局面まで）で、規則の{marked}箇所のうち{executed}箇所が動きました。"
    "残りのうち{silent}箇所は宣言などで、動かす対象がありません。",
    "In {runs} checks (at most {states:,} positions each) {executed} of {marked} marked places were executed. Of the "
    "others {silent} have nothing to execute: declarations, and what is decided before play begins.")
EXECUTED_CUT = Text("途中で打ち切った状況: {names}", "Cut short: {names}")
NO_SCENARIOS = Text("この本には、用意された状況がありません。", "This book has no scenarios.")
UNEXECUTED = Text("どの状況でも動かなかった箇所", "Places that no scenario executes")
UNEXECUTED_MORE = Text("ほか {count}箇所（--all ですべて）", "{count} more (--all for all of them)")
RUNNING = Text("{number}/{count} {name}", "{number}/{count} {name}")

# ---------------------------------------------------------------- where
STATUS_LINE = Text("扱い", "Status")
KIND_LINE = Text("種類", "Kind")
RULES = Text("この条文を実行する規則", "Rules that carry it out")
NO_CODE = Text("{clause} のコードはまだありません。", "There is no code for {clause} yet.")
READINGS = Text("読み方の問い（解釈）", "Readings")
READING = Text("{id}: {question}（既定: {default}{planned}）", "{id}: {question} (default: {default}{planned})")
PLANNED = Text("、まだ組み込まれていない", ", not built in yet")
TERMS = Text("この条文が定める用語", "Terms it defines")
REFERS = Text("この条文が参照する条文", "Clauses it refers to")
DANGLING = Text("参照先のない参照", "References that lead nowhere")
REFERRED = Text("この条文を参照する条文", "Clauses that refer to it")
CASES = Text("この条文を引く保存済みの手順", "Stored cases that cite it")
DECISIVE = Text("（決め手）", " (decisive)")
SCENARIOS = Text("この条文を動かす状況", "Scenarios that execute it")
SCENARIOS_UNKNOWN = Text("未調査。調べるには: rulewright coverage {book} --executed",
                         "not known; to find out: rulewright coverage {book} --executed")
SCENARIOS_NONE = Text("どの用意された状況でも動かない。", "None of the shipped scenarios.")
WORDING_LINE = Text("登録の文言が変わった後、規則を確かめていません（文言のみ変更、動作は未確認）。",
                    "Its wording has changed and the rules have not: wording only, behaviour not checked.")

# ---------------------------------------------------------------- quotes
QUOTED = Text("草案 {file} の文面", "As {file} has it")
NOT_IN_DRAFT = Text("（この草案にこの条文はありません）", "(this draft does not have the clause)")
NO_WORDS = Text("（番号だけで文がありません）", "(a number without words)")
OTHER_WORDS = Text("　〔登録された文言と違います〕", " [not the registered wording]")
