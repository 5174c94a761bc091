"""The phrases of the register, in Japanese and English."""

from __future__ import annotations

from ...spec.readers import ClauseKind
from ...spec.text import Text
from ..questions.answers import Kind
from .status import Status

STATUS = {
    Status.MODELLED: Text("モデル化済み", "modelled"),
    Status.READING: Text("問いだけ", "reading"),
    Status.WITHOUT_EFFECT: Text("動きなし", "without effect"),
    Status.NOT_MODELLED: Text("未モデル化", "not modelled"),
}
EXPLAINED = {
    Status.MODELLED: Text("この条文の印を付けた規則がある（条文どおりだと、書いた人が言っている）",
                          "some rule carries its mark: its author says that it carries the clause out"),
    Status.READING: Text("規則はまだなく、読み方の問い（解釈）に挙がっている",
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
SENTENCE = Text("", " ")
GUESS_MARK = Text("（推測）", " (a guess)")

# ---------------------------------------------------------------- coverage
UNDATED = Text("版の記載なし", "no edition given")
COVERAGE = Text("{book}（{edition}）: 条文 {count}件", "{book} ({edition}): {count} clauses")
NO_RULES = Text("この本には、まだ規則（モデル）がありません。", "This book has no rules (no model) yet.")
NO_MARKS = Text("条文の印（#: 番号）のある規則は、まだありません。", "The rules have no marks of clauses (`#: number`) yet.")
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
LEFT_OUT = Text("一部がまだモデルにない条文", "Modelled in part")
LEFT_OUT_LINE = Text("一部がまだモデルにありません: {places}", "A part of it is not modelled: {places}")
WORDING = Text("文言だけ変わり、動きを確かめていない条文", "Reworded: wording only, behaviour not checked")
WORDING_NOTE = Text(
    "登録の文言が変わった後、この条文を引く規則は変わっていません。規則を読み直したら: "
    "rulewright register --checked {first} --book {book}",
    "Their wording was changed in the register, and the rules that cite them have not changed since. When you have "
    "read the rules again: rulewright register --checked {first} --book {book}")
EXECUTED = Text("用意された状況で実際に動いた箇所", "What the scenarios of the book execute")
EXECUTED_RUNS = Text(
    "{runs}回の検査（各 {states:,}局面まで）で、条文の印{marked}個のうち{executed}個の箇所が動きました。"
    "{silent}個は、これらの状況のプログラムに残っていません（宣言、始める前に決まること、その状況からは来られない規則）。残る{left}個の箇所は、これらの検査では動きませんでした。",
    "In {runs} checks (at most {states:,} positions each), of {marked} marks of clauses {executed} stand where something was executed. {silent} "
    "are left in no program of these situations: declarations, what is decided before play begins, rules that nothing in them leads to. What {left} stand at was not executed in these checks.")
EXECUTED_CUT = Text("途中で打ち切った状況: {names}", "Cut short: {names}")
NO_SCENARIOS = Text("この本には、用意された状況がありません。", "This book has no scenarios.")
UNEXECUTED = Text("これらの検査で動かなかった箇所がある条文", "Clauses with places that were not executed in these checks")
BY_CLAUSE = Text("条文ごとの、動いた箇所", "Places executed, by clause")
OF_PLACES = Text("{count}箇所のうち{done}箇所が動いた。", "{done} of {count} places executed.")
NOT_EXECUTED = Text("動かなかった: {places}", "not executed: {places}")
RUNNING = Text("{number}/{count} {name}", "{number}/{count} {name}")
ASKED = Text("条文の文面が決めずに残す点", "What the text leaves open")
NO_ANSWERS = Text("まだ答えがありません。尋ねるには: rulewright questions 草案 --book {book}",
                  "Not answered yet. To ask: rulewright questions DRAFT --book {book}")
ANSWERED = {
    Kind.BY: Text("条文", "clause"), Kind.READING: Text("解釈", "reading"), Kind.RULE: Text("規則", "rule"),
    Kind.BECAUSE: Text("問題なし", "no matter"), Kind.OPEN: Text("未決", "open"),
}
ANSWERED_BY = {
    Kind.BY: Text("本の条文が答えている", "a clause of the book answers it"),
    Kind.READING: Text("解釈（readings.yaml）に問いと答えの候補がある", "a reading (readings.yaml) has the question and its answers"),
    Kind.RULE: Text("モデルの規則がそのまま示す（決める人が OPEN の所を含む）", "a rule of the model shows it as it is (an OPEN decider too)"),
    Kind.BECAUSE: Text("問題にならない理由が書かれている", "it is written why it does not matter"),
    Kind.OPEN: Text("答えがまだない", "not answered yet"),
}
LATER = Text("うちモデルにない条文", "of clauses not modelled")
LATER_OF = Text("条文をモデルにするときに答える。答えのない数には入れない", "to be answered with the clause; not counted as without an answer")
UNASKED = Text("答えなし", "not answered")
UNASKED_OF = Text("この草案が尋ねていて、questions.yaml にない", "the draft raises it, and questions.yaml does not have it")
NO_LONGER = Text("この草案はもう尋ねていない", "the draft no longer raises it")

# ---------------------------------------------------------------- where
STATUS_LINE = Text("扱い", "Status")
KIND_LINE = Text("種類", "Kind")
RULES = Text("この条文の印がある規則", "Rules that carry its mark")
NO_CODE = Text("{clause} の印のある規則はありません。", "No rule carries the mark of {clause}.")
NAMED = Text("規則の印はないが、この条文を名指す所（OPEN、gap、定型文など）", "Named without its mark in the rules (OPEN, gap, phrases and the like)")
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
SCENARIOS_NONE = Text("用意された状況の検査では動かなかった。", "None of the book's scenarios, as far as they were checked.")
WORDING_LINE = Text("登録の文言が変わった後、規則を確かめていません（文言のみ変更、動作は未確認）。",
                    "Its wording has changed and the rules have not: wording only, behaviour not checked.")

# ---------------------------------------------------------------- quotes
QUOTED = Text("草案 {file} の文面", "As {file} has it")
NOT_IN_DRAFT = Text("（この草案にこの条文はありません）", "(this draft does not have the clause)")
NO_WORDS = Text("（番号だけで文がありません）", "(a number without words)")
OTHER_WORDS = Text("　〔登録された文言と違います〕", " [not the registered wording]")

# ---------------------------------------------------------------- register: a new book
MADE = Text("{folder} に本の骨組みを作りました: 条文 {clauses}、参照 {references}、用語の候補 {terms}。",
            "The skeleton of a book is in {folder}: clauses {clauses}, references {references}, candidates for terms "
            "{terms}.")
MADE_WITHOUT = Text("番号かもしれない行のうち {count} 行は、条文に数えていません。どの行かは: rulewright lint {draft}",
                    "Lines that may have a number and were not taken for clauses: {count}. Which: rulewright lint {draft}")
MADE_NOTE = Text("種類はすべて推測です（guessed: yes）。要旨はこれから書いてください。草案の文面は写していません。",
                 "Every kind is a guess (guessed: yes), and the gists are to be written. None of the draft's text was "
                 "copied.")
MADE_WITH_TEXT = Text("種類はすべて推測です（guessed: yes）。要旨の欄には草案の文面をそのまま入れました。",
                      "Every kind is a guess (guessed: yes). The draft's own words stand where the gists belong.")
MADE_NEXT = Text("次は: {folder} の clauses.yaml を開いて種類を確かめ、要旨を書く。進み具合は rulewright coverage {target}",
                 "Next: look at the kinds and write the gists in clauses.yaml in {folder}; how far you are: rulewright coverage {target}")

# ---------------------------------------------------------------- register: a new draft
UPDATE = Text("{book}: 登録済みの草案と {draft} の違い", "{book}: the registered draft and {draft}")
NEW = Text("新しい条文", "new")
GONE = Text("なくなった条文", "gone")
REWORDED = Text("文言が変わった条文", "reworded")
MOVED = Text("場所が移った条文", "moved")
RENUMBERED = Text("番号だけ変わった条文", "renumbered")
FOLLOWED = Text("引用の番号が合わせて変わった条文", "with references that follow")
UNCHANGED = Text("変わらない条文", "unchanged")
COUNTED = Text("{what} {count}", "{count} {what}")
ASIDE = {
    NEW: Text("", ""),
    GONE: Text("これを引いているものは、引き先を失います", "what cites them has nothing to cite any more"),
    REWORDED: Text("モデルは変わっていないので、動きが合うかは確かめていません",
                   "the model is as it was: whether it still does what they say is not checked"),
    MOVED: Text("ほかの条文との前後が変わっています", "at another place among the others"),
    RENUMBERED: Text("文も並びも同じです", "the same words in the same order"),
    FOLLOWED: Text("引いている条文の新しい番号になっています", "they say the new number of the clause that they mean"),
}
NOTHING_CHANGED = Text("比べた範囲では、登録済みの草案と違いがありません（空白、字の幅、強調の印、ひな形の印、リンク先は比べません）。",
                       "Nothing that is compared differs from the registered draft (white space, width, marks of emphasis and of templates, and where links lead are not compared).")
NEW_NOTE = Text("まだモデルにありません。", "Not modelled yet.")
REPLACED = Text("大半が別の言葉になりました。", "Mostly other words.")
OTHER = Text("文が変わりました。", "Other words.")
WORDING_ONLY = Text("文言のみ変更、動作は未確認。", "Wording only, behaviour not checked.")
STALE = Text("参照が古い番号 {says} のままです。{says} はいまは別の条文です。",
             "It still says {says}, which is now another clause.")
STALE_NOWHERE = Text("参照が古い番号 {says} のままです。{says} という条文はもうありません。",
                     "It still says {says}, and there is no such clause any more.")
REFERENCE = Text("文中の番号が変わりました: {before} → {after}", "Another number in its text: {before} → {after}")
ORDER = Text("順番に意味があるなら、規則の順も見直しが要ります。", "If the order means something, look at the order of the rules.")
NO_SUSPECTS = Text("これを引く規則・解釈・手順はありません。", "No rule, reading or stored case cites it.")
SUSPECT_RULES = Text("見直す規則: {some}", "rules to look at: {some}")
SUSPECT_READINGS = Text("見直す解釈: {some}", "readings to look at: {some}")
SUSPECT_CASES = Text("見直す保存済みの手順: {some}", "stored cases to look at: {some}")
SUSPECT_TERMS = Text("見直す用語: {some}", "terms to look at: {some}")
AND_MORE = Text("ほか{count}箇所", "{count} more")
MORE_ROWS = Text("ほか {count}件（--all ですべて）", "{count} more (--all for all of them)")
UNPLACED = Text("登録簿にあり、草案では見つけられない条文", "Clauses of the register that were not found in the draft")
NEXT = Text("次にできること", "What next")
NEXT_ACCEPT = Text("この草案を登録済みにするには: rulewright register --update {draft} --book {book} --accept",
                   "To make this the registered draft: rulewright register --update {draft} --book {book} --accept")
ACCEPTED = Text("登録しました。書き換えたファイル", "Registered. Files written")
NOTHING_WRITTEN = Text("（書き換える必要はありませんでした）", "(nothing had to be written)")
CASES_RENUMBERED = Text("変わった条文を引く保存済みの手順 {all}件のうち、{count}件の番号を書き換えました。今も成り立つかは: rulewright verify",
                        "Of the {all} stored cases that cite a changed clause, {count} have its new number. Whether they still hold: rulewright verify")
FIRST = Text("{book}: まだどの草案も登録されていません。{draft} を登録できます（見つかった条文 {count}件）。",
             "{book}: no draft is registered yet. {draft} can be registered ({count} of its clauses were found).")
FIRST_DONE = Text("{book}: {draft} を登録しました。条文 {count}件の照合用の値（ハッシュ）を {file} に置きました。文面は含みません。",
                  "{book}: {draft} is registered. Hashes of {count} clauses are in {file} (none of its text).")
CHECKED = Text("{clauses} を「規則を確かめた」としました。", "Noted that the rules were looked at: {clauses}")
