"""What is said around questions, in Japanese and English."""

from __future__ import annotations

from ...spec.text import Text
from .answers import Kind

TOTAL = Text(
    "{file}: 開いている問い {count}（{places} か所）。調べた種類 {families}、草案の条文が答えているもの {settled} か所、答えを保存済み {answered} か所。"
    "当てはまる言い回しを探しただけなので、問いがないことは、決まっていることを意味しません。",
    "{file}: open questions {count} (places {places}). Families looked for {families}; places answered by clauses of the draft {settled}, by kept answers {answered}. "
    "Known turns of phrase were looked for: that nothing is asked does not mean that nothing is open.")
UNSURE = Text("ほかに {count} の問いがありますが、確かでないので並べません。見るには: rulewright questions {file} --all",
              "{count} more questions are not sure enough to be listed; to see them: rulewright questions {file} --all")
CHECKLIST = Text("文の形だけから尋ねる点検表には、ほかに {count} か所あります（すでに決まっていることも多く含みます）。見るには: rulewright questions {file} --checklist",
                 "A checklist that goes by the shape of sentences alone has {count} places more, many of them settled; to see them: rulewright questions {file} --checklist")
USUAL = Text("ほかの本では: {text}", "In other books: {text}")
ALSO = Text("同じ問いがここにも（{count}）: {clauses}", "The same in {count} more: {clauses}")
SETTLED = Text("尋ねなかったもの", "Not asked")
SETTLED_ALL = Text("{family}（{title}）: {by} が答えています（{count} か所）", "{family} ({title}): answered by {by} (places {count})")
SETTLED_AT = Text("{family}（{title}）、{where}: {by} が答えています", "{family} ({title}) in {where}: answered by {by}")
ANSWER = {
    Kind.BY: Text("{said} が答えています", "answered by {said}"),
    Kind.READING: Text("解釈 {said}", "reading {said}"),
    Kind.RULE: Text("規則 {said} のとおり", "as the rule {said} has it"),
    Kind.BECAUSE: Text("問題ない: {said}", "no matter, because {said}"),
    Kind.OPEN: Text("未決: {said}", "open: {said}"),
}
ANSWERED = Text("{id}: {answer}", "{id}: {answer}")
STALE = Text("{id}: 保存された答えは、いまの草案に当てはまりません（問い、または答えの条文がなくなりました）。",
             "{id}: a kept answer that does not fit this draft (the question, or the clause that answers it, is gone).")
NEXT = Text("答えるには: rulewright questions {file} --answer {id} --by 条文（または --because 理由、--open 未決の点）。説明: --explain {family}",
            "To answer: rulewright questions {file} --answer {id} --by CLAUSE (or --because TEXT, --open TEXT). What it asks: --explain {family}")
WRITTEN = Text("{path}: {id} への答えを書きました（{count} か所）。", "{path}: answer to {id} written (places {count}).")
RAISES = Text("尋ねる例", "What is asked about")
QUIET = Text("尋ねない例", "What is not")
NO_ANSWERS = Text("--answers のファイルがありません: {name}", "--answers: there is no file {name!r}.")
