"""What is said around phrases, in Japanese and English."""
from __future__ import annotations

from ...spec.text import Text

NO_PHRASES = Text("「{name}」には定型文（phrases.yaml）がありません", "the book {name!r} has no phrases (phrases.yaml)")
NO_KIND = Text("「{name}」という種類の定型文はありません", "there is no kind of phrases {name!r}")
NO_TEXT = Text("文がありません", "there is no text")
TOTAL = Text("{book}: 定型文 {count}（種類 {kinds}）。カードの本文の各行は「{line}」です。",
             "{book}: {count} phrases of {kinds} kinds. Each line of a card's text is a “{line}”.")
NUMBERS = Text("{low} から {high} までの数", "a number from {low} to {high}")
ANYTHING = Text("どんな文でもよい（後ろに立つものの手前まで）", "any text, up to what stands behind it")
COLUMNS = (Text("定型文", "phrase"), Text("例", "example"), Text("英語", "English"))
PIECES = (Text("本文の部分", "piece of the text"), Text("定型文", "phrase"), Text("英語", "English"))
READ = Text("定型文だけで書かれています", "written in registered phrases")
NEAREST = Text("近い定型文", "The nearest phrases")
NEXT = Text('文を調べるには: rulewright phrases {book} "…"', 'To look at a text: rulewright phrases {book} "…"')
