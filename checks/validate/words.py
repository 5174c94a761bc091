"""What `rulewright validate` says, in Japanese and English."""

from __future__ import annotations

from ...spec.text import Text
from .unused import Level

LEVEL = {Level.ERROR: Text("誤り", "Mistakes"), Level.WARNING: Text("警告", "Warnings"), Level.NOTE: Text("参考", "Notes")}
COUNTED = Text("{what} {count}", "{what} {count}")
HEADING = Text("{what}（{count}）", "{what} ({count})")
SUMMARY = Text("{book}: ファイル {files} を調べました。{counts}。", "{book}: files read {files}. {counts}.")
COMMA = Text("、", ", ")
NOT_LOOKED = Text("誤りを直すまで、次のことは調べていません: カード・語・解釈が使われているか。",
                  "Until the mistakes are mended, not examined: whether cards, words and readings are used.")
NOT_TOGETHER = Text("誤りを直すまで、次のことは調べていません: カードと合わせた規則、状況に書いた名前と値、カード・語・解釈が使われているか。",
                    "Until the mistakes are mended, not examined: the rules together with the cards, names and values in situations, whether cards, words and readings are used.")
NO_RULES = Text("この本には、まだ規則がありません（rules/ が空です）。", "The book has no rules yet (rules/ is empty).")
