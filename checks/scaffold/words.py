"""What `rulewright new` says and asks, in Japanese and English."""

from __future__ import annotations

from ...spec.text import Text

EXISTS = Text("{folder} にはもうファイルがあります。上書きしません", "there are files in {folder} already; they were not overwritten")
EXISTS_HINT = Text("別の名前にするか、新しい草案と比べるなら: rulewright register --update 草案 --book {book}",
                   "take another name; to compare a new draft with it: rulewright register --update DRAFT --book {book}")
SHADOWED = Text("「{book}」という本は、もう {folder} にあります。こちらが先に見つかるので、新しい本は使えません",
                "there is a book `{book}` already, in {folder}: it comes first, so the new one could not be used")
SHADOWED_HINT = Text("別の名前にしてください", "take another name")
NO_CLAUSES = Text("{file} に条文が見つかりません", "no clauses were found in {file}")
NO_CLAUSES_HINT = Text("条文に番号（1.1 など）を振るか、見出し（Markdown なら #）を付けてください",
                       "number the clauses (1.1 and so on), or give the text headings (`#` in Markdown)")

ASK_ABOUT = Text("草案から拾った候補を一つずつ確かめます。Enter でそのまま、n で外す。何も書かずに終わるには ctrl-C か ctrl-D。",
                 "What was found in the draft, one by one: Enter takes it as it is, n leaves it out. Ctrl-C or ctrl-D ends this, without a folder.")
NO_ANSWER = Text("質問の途中で入力が終わったので、何も書いていません", "the input ended before the questions did, so nothing was written")
NO_ANSWER_HINT = Text("尋ねずに候補をすべて取るなら --yes を付けてください", "with --yes nothing is asked, and all that was found is taken")
ZONE_HOW = Text("領域: o で順番あり・なし、s で共有・各プレイヤーを切り替え。英字の名前を書けば、規則での名前になります。",
                "Zones: o turns the order on or off, s makes it shared or each player's. A name of letters is its name in the rules.")
NUMBER_HOW = Text("数: 数字で初めの値、「0..40」で範囲、c でカードの数・プレイヤーの数を切り替え。英字の名前も書けます。",
                  "Numbers: a number is the first value, `0..40` the range, c makes it printed on cards or each player's. A name of letters will do too.")
PART_HOW = Text("ターンの流れ: 上から順に行う手順です。", "The course of a turn: what is done, from top to bottom.")
ZONE = Text("{number}/{all} {said} → {name}（{sort}、{order}）条文 {clause}: ", "{number}/{all} {said} → {name} ({sort}, {order}), clause {clause}: ")
NUMBER = Text("{number}/{all} {said} → {name}（{sort}、{start}、範囲 0..{most}）条文 {clause}: ",
              "{number}/{all} {said} → {name} ({sort}, {start}, range 0..{most}), clause {clause}: ")
PART = Text("{number}/{all} {said} → {name}　条文 {clause}: ", "{number}/{all} {said} → {name}, clause {clause}: ")
OF_EACH = Text("各プレイヤー", "each player's")
OF_BOTH = Text("共有", "shared")
ON_CARDS = Text("カードに書かれた数", "printed on cards")
IN_ORDER = Text("順番あり", "in order")
NO_ORDER = Text("順番なし", "no order")
STARTS = Text("初めは{start}", "first {start}")
MORE_ZONES = Text("ほかの領域（名前。順番があれば後ろに *。なければ Enter）: ", "Another zone (its name, with * behind it if it has an order; Enter: no more): ")
NOT_UNDERSTOOD = Text("「{said}」は分かりません。{how}", "`{said}` was not understood. {how}")
NAME_TAKEN = Text("{name} はもう使われています。", "{name} is taken already.")

MADE = Text("{folder} に本を作りました: 条文 {clauses}、章 {chapters}、ファイル {files}。", "The book is in {folder}: clauses {clauses}, chapters {chapters}, files {files}.")
ZONES = Text("領域（推測）: {some}", "Zones (guesses): {some}")
NUMBERS = Text("数（推測）: {some}", "Numbers (guesses): {some}")
CARDS = Text("草案の表のカード: {count} 枚、そのうちモデルにない文 {texts}。取らなかった列と行: {left}",
             "Cards from the table: {count}, their texts not modelled yet: {texts}. Columns and lines not taken: {left}")
NONE_LEFT = Text("なし", "none")
PARTS = Text("ターンの流れ（推測）: {some}", "Course of a turn (a guess): {some}")
NONE = Text("見つかりませんでした", "not found")
NEXT = Text("次は: {folder} の README.md を読み、rules/state.py の推測を直す。いまの状態は: {command}",
            "Next: read README.md in {folder}, mend the guesses in rules/state.py. How it stands: {command}")
COMMA = Text("、", ", ")
ARROW = Text(" → ", " → ")
SHOWN = Text("{said}（{clause}）", "{said} ({clause})")
