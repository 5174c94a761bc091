"""What stands in the files of a new book, in Japanese and English."""

from __future__ import annotations

from collections.abc import Callable

from ...spec.text import Text
from ..register.rows import scalar

Say = Callable[[Text], str]
"""In the language of whoever makes the book."""


def in_yaml(text: Text) -> str:
    """A text in YAML: in both languages, or in the one that there is."""
    if text.ja == text.en:
        return scalar(text.ja)
    return f"{{ja: {scalar(text.ja)}, en: {scalar(text.en)}}}"



GUESSED = Text("推測: {said}（{clause}）", "guess: {said} ({clause})")
STATE_DOC = Text("カードに書かれていることと、ゲーム中に変わるもの。「推測」は草案から拾った候補: 直すか、消すか、確かめたら「推測」の字を消す。",
                 "What is printed on cards, and what can change in play. A guess was found in the draft: mend it, delete it, or take the word away.")
PRINTED_DOC = Text("カードに書かれていること。", "What is printed on a card.")
SAYS_DOC = Text("能力に書かれていること。", "What is said of an ability.")
GAME_DOC = Text("ゲーム中に変わるもの。Pile は順番のある領域、Bag は順番のない領域、Per[Player, …] は各プレイヤーに一つ。",
                "What can change in play. Pile: a zone with an order; Bag: one without; Per[Player, …]: one for each player.")
NO_ZONES = Text("草案から領域の名前を拾えませんでした。仮のものです", "No zones were found in the draft; these stand in for them")
FLOW_DOC = Text("ゲームの流れ: 準備、そしてターンの繰り返し。", "The course of a game: the preparation, then turn after turn.")
SETUP_DOC = Text("ゲーム全体。シナリオの「begin: setup」はここから始まる。", "The whole game: where `begin: setup` of a scenario begins.")
TURNS_DOC = Text("ターンを繰り返す。", "Turn after turn.")
TURN_DOC = Text("1つのターン。", "One turn.")
NO_TURN = Text("草案からターンの流れを拾えませんでした。フェイズごとに手順を書いてください", "No course of a turn was found in the draft; write a procedure for each phase")

# ---------------------------------------------------------------- YAML
WORDS_ABOUT = Text(
    "# 規則で使う名前の、画面での呼び方。記録(Record)の文は、項目の名前を {…} で入れられる。英語は要るなら {ja: …, en: …} と書く。\n",
    "# What the names in the rules are called on the screen. A record's text may name its fields in braces.\n")
WORDS_STATE = Text("  # 領域と数\n", "  # zones and numbers\n")
WORDS_PARTS = Text("  # 手順\n", "  # parts of play\n")
CARDS_ABOUT = Text(
    "# カード。能力のない無地のカードだけを置いてある。能力の書き方: docs/language.ja.md 第6節、定型文: docs/phrases.ja.md\n",
    "# The cards: so far a plain one, without abilities. How abilities are written: docs/language.md, section 6; phrases: docs/phrases.md\n")
CARDS_TAKEN = Text(
    "# 草案の表から取ったカード。能力の文は名前として置き、text: は「まだモデルにない」とだけ書いてある: when:、if:、text: を書く（docs/language.ja.md 第6節）\n",
    "# The cards of the draft's table. A text stands as the name of an ability that is not modelled: write its when:, if:, text: (docs/language.md, section 6)\n")
SORT_DOC = Text("カードの「{said}」。", "What cards have under `{said}`.")
PLAIN = Text("無地のカード", "a plain card")
QUESTIONS_ABOUT = Text(
    "# 草案が決めていないことへの答え。問いを見るには: rulewright questions {draft} --answers {file}\n",
    "# Answers to what the draft leaves open. To see the questions: rulewright questions {draft} --answers {file}\n")
FIRST_TITLE = Text("最初のターン", "the first turn")
FIRST_ABOUT = Text("最初に動かす状況。どの条文が次にモデルに要るかを「check」が言う。", "What to run first: `check` says which clause is to be modelled next.")
SETUP_TITLE = Text("準備から", "from the preparation on")
SETUP_ABOUT = Text("準備から始めるゲーム全体。", "A whole game, from the preparation on.")
SCENARIO_ABOUT = Text(
    "# 調べたい状況。書き方: docs/scenarios.ja.md。フェイズだけを試すには begin: を {entries} のどれかにする。\n",
    "# A situation to look at. How it is written: docs/scenarios.md. To try one part of a turn, let `begin:` be one of {entries}.\n")

# ---------------------------------------------------------------- README and test
README = Text("""\
# {book}

`{draft}` から `rulewright new` で作った本です。このフォルダーが一つの本で、置き場所は自由です。
{parent_note}
| ファイル | 中身 | 次にすること |
|---|---|---|
| `clauses.yaml` | 条文の一覧（{clauses}件）。要旨は草案の文を短く切ったもの | 種類（kind）は推測。確かめたら `guessed: yes` を消す |
| `terms.yaml` | 用語の候補 | 要らないものを消す |
| `readings.yaml` | 二通りに読める条文 | 見つけたら書き足す |
| `questions.yaml` | 草案が決めていないことへの答え | `rulewright questions {typed} --answers {folder}/questions.yaml` |
| `words.yaml` | 画面での呼び方 | 領域や行動を足したら、ここにも |
| `cards.yaml` | カード（いまは無地だけ） | カードを足す。表（`cards.csv`、`.xlsx`）でもよい |
| `rules/state.py` | 領域と数（推測） | 直す。要らないものを消す |
| `rules/flow.py` | ゲームとターンの流れ | 順番を確かめる |
| `rules/ch….py` | 章ごとの条文（コメント）と、まだモデルにない手順 | 条文を規則に置き換える（docs/language.ja.md） |
| `scenarios/` | 調べる状況 | 状況を足す（docs/scenarios.ja.md） |
| `tests/` | pytest で動く検査 | – |
| `clauses.hashes` | 登録した草案の照合用の値 | – |

## 章とモジュール

{chapters}

## 使うコマンド

```
rulewright check {target}          # 用意した状況を調べる。モデルにない条文で止まれば、その条文を言う
rulewright validate {target}       # 本の全ファイルの誤りと、使われていないもの
rulewright coverage {target}       # どの条文がモデルに入ったか
rulewright where {target} {example}
rulewright register --update 新しい草案 --book {target} --accept
```

一つずつ: `rules/` の `not_modelled("…")` を、その条文が言うことに置き換え、文の後ろに `#: 条文番号` を付け、`rulewright check {target}`。
""", """\
# {book}

Made from `{draft}` by `rulewright new`. This folder is the whole book, and may lie anywhere.
{parent_note}
| file | what is in it | what to do next |
|---|---|---|
| `clauses.yaml` | the clauses ({clauses}); each gist is the draft's own sentence cut short | the kinds are guesses: take `guessed: yes` out where you have looked |
| `terms.yaml` | candidates for terms | delete what is no term |
| `readings.yaml` | what can be read in two ways | add what you find |
| `questions.yaml` | answers to what the draft leaves open | `rulewright questions {typed} --answers {folder}/questions.yaml` |
| `words.yaml` | what things are called on the screen | add zones and actions as you add them |
| `cards.yaml` | cards (so far a plain one) | add cards; tables (`cards.csv`, `.xlsx`) will do too |
| `rules/state.py` | zones and numbers (guesses) | mend, delete |
| `rules/flow.py` | the course of a game and of a turn | look at the order |
| `rules/ch….py` | each chapter's clauses as comments, and rules that are not modelled yet | write the clauses as rules (docs/language.md) |
| `scenarios/` | situations to look at | add some (docs/scenarios.md) |
| `tests/` | a test for pytest | – |
| `clauses.hashes` | by which changes of the draft are noticed | – |

## Chapters and modules

{chapters}

## Commands

```
rulewright check {target}          # the situations; where play comes to a clause that is not modelled, it says which
rulewright validate {target}       # what is wrong in the files, and what is not used
rulewright coverage {target}       # which clauses are modelled
rulewright where {target} {example}
rulewright register --update NEW-DRAFT --book {target} --accept
```

One at a time: write what a clause says in place of `not_modelled("…")` in `rules/`, put `#: its number` behind the statement, and run `rulewright check {target}`.
""")
BOOKS_NOTE = Text("\nコマンドは、このフォルダーのある場所で実行するか、`--books そのフォルダーのある場所` を付けて実行します。\n",
                  "\nRun the commands where this folder lies, or with `--books` and the folder in which it lies.\n")
TEST_DOC = Text("この本の検査。実行: pytest {book}", "The test of this book. To run it: pytest {book}")
TEST_FILES = Text("ファイルに誤りがない。", "The files have no mistakes.")
TEST_EXPECT = Text("状況が、その expect: のとおりになる。", "The situations give what their `expect:` says.")
