"""The fixed phrases of findings and of results, in Japanese and English (those of commands: `console/words.py`).

The Japanese words for what a check can say are fixed: "not found" is never "no problem", and no word of the tool's
inside (state, label, lasso) is shown. `{…}` is filled in by the one who says it.
"""
from __future__ import annotations

from ...spec.text import Text
from .record import Certainty, Decided, FindingClass, Origin, Stake, WhoCanStop

# ---------------------------------------------------------------- what a finding is
CLASS = {
    FindingClass.LOOP: Text("永久循環", "endless loop"),
    FindingClass.REPEATS: Text("繰り返し（終わらないかは未確認）", "repetition, not shown to be endless"),
    FindingClass.ORDER: Text("処理順で結果が変わる", "the order of processing changes the result"),
    FindingClass.OPEN: Text("決める人が未規定", "nobody is named to decide"),
    FindingClass.CONFLICT: Text("条文の衝突", "clauses contradict each other"),
    FindingClass.GAP: Text("規定漏れ", "gap: the rules do not say"),
    FindingClass.READINGS: Text("ルールが決めていない", "the book does not decide"),
    FindingClass.INVARIANT: Text("守られるはずの条件が破れる", "a condition that must always hold is broken"),
    FindingClass.DEAD: Text("使われる局面が見つからない定め", "no use found for a clause"),
    FindingClass.DEFECT: Text("モデルの側の不足か誤り（ルールの問題ではない）",
                              "missing or wrong in the encoding, not in the rules"),
}
CERTAINTY = {
    Certainty.FROM_SETUP: Text("実際に起こる（手順あり）", "really happens (play shown)"),
    Certainty.FROM_POSITION: Text("この局面から起こる（手順あり）", "happens from this position (play shown)"),
    Certainty.CONSTRUCTIBLE: Text("局面としては成立（そこへ至る手順は未確認）",
                                  "possible as a position (whether play leads there is not known)"),
    Certainty.TEXTUAL: Text("条文の文面から", "from the wording of the clauses"),
}
KEEPERS = {
    WhoCanStop.NOBODY: Text("始まった後は、誰にも止められません。", "Nobody, once it has begun."),
    WhoCanStop.ONE: Text("{who}だけが止められます。", "Only {who}."),
    WhoCanStop.TOGETHER: Text("一人では止められません。両者がともにやめたときだけ止まります。",
                           "No player alone: it stops only when both players stop."),
    WhoCanStop.EITHER: Text("どちらのプレイヤーも、一人で止められます。", "Either player, alone."),
    WhoCanStop.UNKNOWN: Text("判定できず。", "Not known."),
}
ONE_PLAYER = Text("片方のプレイヤー", "one of the players")
ANSWER = {
    "applies": Text("当てはまる", "applies"),
    "does not apply": Text("当てはまらない", "does not apply"),
    "unclear": Text("不明", "unclear"),
}
INVENTED_CARDS = Text("見本カード使用", "uses made-up cards")
HINT = Text("参考", "hint")
UNKNOWN = Text("判定できず（{why}）", "not decided ({why})")

SEVERITY = Text("重大度 {severity}（{origin}、{stake}）", "severity {severity} ({origin}, {stake})")
ORIGIN = {
    Origin.ORDINARY: Text("通常のプレイで起こり", "in ordinary play"),
    Origin.CARDS: Text("実在のカードで起こり", "with cards of the book"),
    Origin.INVENTED: Text("見本カード使用", "uses made-up cards"),
}
FROM_A_POSITION = Text("用意した局面から起こり", "from a given position")
STAKE = {
    Stake.WINNER: Text("勝敗に関わる", "decides who wins"),
    Stake.RESULT: Text("結果が変わる", "changes the result"),
    Stake.ORDER: Text("順序だけが変わる", "changes the order only"),
    Stake.WORDING: Text("文言だけの問題", "a matter of wording"),
}

# ---------------------------------------------------------------- what was decided
DECIDED = {
    Decided.OPEN: Text("保留", "open"),
    Decided.INTENDED: Text("仕様（このまま）", "intended"),
    Decided.FIXED: Text("修正済み", "fixed"),
    Decided.RULED: Text("裁定済み", "ruled"),
    Decided.REJECTED: Text("指摘に当たらない", "rejected"),
}
DECIDED_ABOUT = Text("決定: {status}", "decided: {status}")
DECISION_PART = {
    "reason": Text("理由 {value}", "because {value}"),
    "person": Text("担当 {value}", "by {value}"),
    "date": Text("日付 {value}", "on {value}"),
    "edition": Text("版 {value}", "edition {value}"),
}
DECISION_SEPARATOR = Text("　", ", ")
FIXED_AND_FOUND = Text("修正済みのはずですが、まだ見つかります。", "It was said to be fixed, and it is still found.")
KNOWN = Text("既知", "known")
SAME_AS = Text("{ids} と同じ不備", "the same defect as {ids}")
DECISION_WRITTEN = Text("{id} の決定を {path} に書きました: {decision}", "Written to {path}, about {id}: {decision}")
DECISION_CARRIED = Text("{old} についての決定を、同じ種類・条文・状況の {id} のものとしました。確かめたら: rulewright decide {id} …",
                        "What was decided about {old} is taken to be about {id}: the same kind, clauses and scenario. To confirm: rulewright decide {id} …")
DECISION_UNMATCHED = Text("{id}（{decision}）は、それが見つかっていた所を調べても見つかりませんでした。同じ条文について見つかったもの: {like}",
                          "{id} ({decision}) was not found where it had been found. Found about the same clause: {like}")
KNOWN_CARRIED = Text("{path} にある既知の指摘の番号が変わりました（種類・条文・状況は同じです）: {ids}。--update-baseline で書き直せます。",
                     "Of what {path} knows these have another id now (the same kind, clauses and scenarios): {ids}. --update-baseline writes that down.")
KNOWN_GONE = Text("{path} にある {id} は、見つかっていた状況のどれを調べても見つかりません。同じ条文について見つかったもの: {like}",
                  "{id}, known from {path}, was not found in any scenario in which it had been seen. Found about the same clause: {like}")
KNOWN_WRITTEN = Text("既知の指摘 {count}件を {path} に書きました。", "Known findings written to {path}: {count}.")
LEFT_ASIDE = Text("うち既知・決定済み {count}件（終了コードに数えません）。", "Of these known or decided, not counted: {count}.")
DECIDE_INVISIBLE = Text("{name} に目に見えない文字（{character}）が入っています。消してください。", "{name}: there is an invisible character in it ({character}). Take it out.")
DECIDE_EMPTY = Text("{name} の値が空です。書くか、指定しないでください。", "The value of {name} is empty. Write something, or leave it out.")
DECIDE_DATE = Text("「{name}」は日付ではありません（例: {example}）。", "{name!r} is not a date (for example {example}).")
NO_DECISIONS = Text("--decisions のファイルがありません: {name}", "--decisions: there is no file {name!r}.")

# ---------------------------------------------------------------- how it could be settled
SETTLEMENTS = Text("解釈での決め方", "Readings that would settle it")
SETTLEMENTS_HEADER = (Text("問いと答え", "Question and answer"), Text("こう決めると", "If so decided"))
PREFERRED = Text("・{clause} なら、{effect}", "- by {clause}, {effect}")
SAID_OF = Text("{about}: {says}", "{about}: {says}")
GIST_OF = Text("{clause}（要旨）: {gist}", "{clause} (gist): {gist}")
GISTS = Text("条文の横の文は要旨で、規則の文面ではありません（手元の草案の文面は --draft で引けます）。",
             "The sentences beside the clauses are gists, not their wording (--draft quotes that of a draft of yours).")
INVENTED_TEXTS = Text("（実在しない検査用のカードを含みます）", "(with cards that do not exist, made up for this check)")
SETTLED = Text("→ {answer}", "→ {answer}")
BULLET = Text("・{line}", "- {line}")
SAME_EFFECT = Text("・", ", ")
EFFECT = {
    "resolved": Text("この指摘はなくなる", "gone"),
    "remains": Text("この指摘は残る", "remains"),
    "not checked": Text("まだ調べていない", "not checked yet"),
    "cut off": Text("打ち切り（判定できず）", "cut off: not known"),
}
EFFECT_THEN = Text("{effect}。そのときは、{then}", "{effect}. {then}")
EFFECT_NEW = Text("（ほかに新しい指摘 {new}件。--try で読める）", " (and new findings: {new}; --try shows them)")
NOT_REACHED = Text("次の答えでは、ここに至る前に進行が変わり、この手順は成り立ちません（別の手順で起こるかどうかは別です）:\n{answers}",
                   "With these answers play takes another course before this point, so this play cannot happen (whether another leads here is a separate question):\n{answers}")
QUESTION_ANSWER = Text("・{question} → {answer}", "- {question} → {answer}")
NO_DIFFERENCE = Text("どう答えても、この指摘は変わりません（調べた範囲で）:\n{questions}",
                     "Whatever the answer, this finding is the same (within these bounds):\n{questions}")
WITH_OTHERS = Text("（ここでは {readings}）", "(checked with: {readings})")
TRY_IT = Text("（検査の担当者へ）調べるには: rulewright check {target} --try {reading}={answer}（すべて調べるには --try all）",
              "(For whoever runs the checks) To check one: rulewright check {target} --try {reading}={answer} (all of them: --try all)")

BECAME = {
    "resolved": Text("解消", "gone"),
    "cut_off": Text("打ち切り", "cut off"),
    "new": Text("新規", "new"),
    "changed": Text("変化", "changed"),
    "unchanged": Text("同じ", "unchanged"),
}
"""What became of a finding, as programs call it and as it is said."""
TRIED_HEADER = Text("どうなったか", "What became of it"), Text("指摘", "Finding"), Text("状況", "Situations")
NOTHING_BECAME = Text("指摘は、前にも後にもありません。", "There is no finding, before or after.")
AND_OTHERS = Text("、ほか{count}", " and {count} more")
TRIED = Text("試した決め方", "Tried")
TRIED_TOTAL = Text("{results}通りで比べました: 解消 {resolved}件、打ち切りで不明 {cut_off}件、新規 {new}件、変化 {changed}件、同じ {unchanged}件（調べた範囲で）。",
                   "Compared in {results} settings: gone {resolved}, cut off {cut_off}, new {new}, changed {changed}, unchanged {unchanged} "
                   "(within the bounds).")

CHANGED_ONLY = Text("前に調べたときと規則・データ・指定が変わった {checked}件の状況だけを調べます（変わらない {left}件は調べません）。",
                    "Only the {checked} scenarios whose rules, data or options are not those of before are checked; {left} are left out.")
WATCHING = Text("{book} を見張っています: 状況 {scenarios}件、指摘 {findings}件。ファイルを保存すると調べ直します（Ctrl-C で終了）。",
                "Watching {book}: {scenarios} scenarios, {findings} findings. Save a file, and it is checked again (Ctrl-C ends).")
SAVED_FILES = Text("{files}: {checked}件の状況を調べ直します。うち {touched}件が、変わった行を含みます（先に調べます）。",
                   "{files}: {checked} scenarios are checked again, first the {touched} that hold what was edited.")
EDITED_SINCE = Text("この指摘（{target}）を見つけた後で、本か状況のファイルが変わりました。今もそうかは、`rulewright check` で調べ直してください。",
                    "Files of the book or of the situation ({target}) were edited after this was found. Whether it is still so: `rulewright check` it again.")
UNREAD_SINCE = Text("この指摘（{target}）の本か状況のファイルが、ここからは読めません（移したか、消したか、誤りがあるか）。見つけた後で変わったかどうかは分かりません。別の場所にある本は --books で示せます。",
                    "Files of the book or of the situation ({target}) cannot be read from here (moved, removed, or with mistakes): whether they were edited after this was found is not known. For a book that lies elsewhere: --books FOLDER.")
SAVED_AS_IT_WAS = Text("ファイルは、前に調べたときのとおりです。", "The files are as they were when they were last checked.")
NO_LONGER_THERE = Text("{name} はもうありません。そこで見つかっていた指摘: {findings}件 ({ids})。解消したとは限りません。",
                       "{name} is no longer there. Findings that were found in it: {findings} ({ids}). That does not mean that they are gone from the rules.")
SAVED_AGAIN = Text("また保存されました。{left}件は、まだ調べていません。", "Saved again; {left} were not checked yet.")
SAME_AGAIN = Text("{done}件を調べ直しました: 前と同じです。", "{done} checked again: as before.")
CHECKED_FIRST = Text("初めて調べた状況: {done}件。そこで見つかった指摘: {findings}件 ({ids})。", "{done} checked for the first time. Findings in them: {findings} ({ids}).")
CHECKED_AGAIN = Text("{done}件を調べ直しました:", "{done} checked again:")

# ---------------------------------------------------------------- what readings do
READINGS_TITLE = Text("解釈ごとの違い（答えを一つずつ変えて {sets} 通りを検査）",
                      "What readings do ({sets} sets of answers, each departing by one answer)")
READINGS_HEADER = (Text("解釈", "Reading"), Text("試した答え", "Answers tried"), Text("指摘", "Findings"))
READING_EFFECT = {
    "other findings": Text("指摘が変わる", "They change what is found"),
    "other play": Text("指摘は同じだが、進行が変わる", "They change play, but not what is found"),
    "no difference": Text("問われるが、調べた範囲では何も変わらない", "Asked for, but no difference within the bounds"),
    "no difference where compared": Text(
        "問われる。比べた所では何も変わらないが、数が範囲を出た先と、比べる数の上限より先は比べていない",
        "Asked for, and no difference where plays were compared; they were not beyond ranges of numbers, nor beyond the limit on what is compared"),
    "never asked for": Text("調べた範囲では問われない", "Never asked for within the bounds"),
    "not tried": Text(
        "試していない（readings.yaml に suggested のない数か、局面の一部でしか、問われるかを調べていない）",
        "Not tried (a number without `suggested` in readings.yaml, or it was looked in a part of the positions only whether they are asked for)"),
}
READINGS_BOUNDS = Text(
    "ほかの答えは既定のまま、一つずつ変えました。変えたことで新たに問われる解釈は、そのもとで変えました。"
    "答えの組み合わせをすべて試したわけではありません。",
    "Each answer was changed alone, the others being the defaults; what is asked for only because of such a change was changed "
    "under it. Not all combinations were looked at.")
SETS_LEFT_OUT = Text("上限を超えるため、{count}通りは調べていません。", "Beyond the limit: {count} sets were not looked at.")
READINGS_MIXED = Text("「{word}」は名前=答え と一緒には使えません。", "{word!r} does not go with name=answer.")
TRY_FILES = Text("--try にファイルを書くときは、ファイルだけを書いてください（解釈の答えや --only とは一緒に使えません）。",
                 "--try takes files or answers to readings, not both; files do not go with --only.")
TRY_ONE_BOOK = Text("--try のファイルは、一冊の本の状況についてだけ試せます。", "files of --try are tried with the situations of one book.")
TRY_WITH = Text("--try は --readings all と一緒には使えません。", "--try does not go with --readings all.")

# ---------------------------------------------------------------- the page of a finding
FACTS = Text("｜", " | ")
LIST = Text("、", ", ")
SENTENCE = Text("", " ")
FULL_STOP = Text("。", ".")
CONCERNS = Text("対象", "Clauses")
CONCERNED = Text("{book}／{clauses}", "{book} / {clauses}")
SAME_PLAY = Text("起こり方は、上の指摘 {id} と同じです。", "It comes about just as {id} above does.")
RELATED = Text("{clauses}（関連 {related}）", "{clauses} (see also {related})")
RELATED_ALONE = Text("関連 {related}", "see also {related}")
READINGS = Text("前提の解釈", "Readings assumed")
READING = Text("{question}＝{answer}", "{question} = {answer}")
SCENARIO = Text("状況", "Situation")
SUMMARY = Text("要点", "In short")
POSITION = Text("始まりの局面", "The position it begins from")
FROM_SETUP = Text("対戦の準備から始めます。", "Play begins with the preparation of a game.")
MOMENT = Text("そのときの局面", "The position then")
CARD_TEXTS = Text("カードに書かれていること", "What the cards say")
STEM = Text("起こるまで", "How it comes about")
FROM_THE_START = Text("最初の局面からすぐに始まります。", "It begins at once.")
CYCLE = Text("繰り返し部分", "What repeats")
AS_BEFORE = Text("{clauses}（前に同じ）", "{clauses} (as before)")
CYCLE_EXACT = Text("（1周すると、局面は完全に元どおり）", "(after each round everything is exactly as before)")
CYCLE_NOBODY = Text("（1周すると、局面は完全に元どおり。選択をする人はいない）",
                    "(after each round everything is exactly as before; nobody is asked to choose)")
CYCLE_ROUND = Text("（1周すると、同じカードどうしの場所が入れ替わるだけで、ほかは元どおり。{rounds}周で完全に元へ戻る）",
                   "(after one round only equal cards have changed places; after {rounds} rounds everything is exactly as before)")
CYCLE_GROWING = Text("（1周して変わるのは、増減する値か入れ子の深さだけで、同じことが続く）",
                     "(after a round only what grows, falls or nests has changed; the same follows again)")
CYCLE_SHUFFLED = Text("（途中でシャッフルしたものの並びを除く）", " (but for the order of what was shuffled meanwhile)")
SCOPE = Text("この繰り返しは{scope}の中で続きます。", "The loop stays within {scope}.")
SCOPE_TURNS = Text("この繰り返しは、ターンをまたいで続きます。", "The loop goes on from turn to turn.")
COPIES = Text("同じ形の繰り返しが、ほかに{count}通りあります。", "Other loops of the same form: {count}.")
OUTCOMES_DIFFER = Text("結果の違い", "What differs")
OUTCOMES_DIFFER_HEADER = (Text("選んだもの", "Taken"), Text("その後、ほかと違うこと", "What is then different from the others"))
NOTHING_ELSE = Text("（ほかと違う変化なし）", "(nothing that the others have not)")
CONDITIONS = Text("終了条件（すべて満たすと終わる）", "Conditions for it to end (all have to be met)")
CONDITIONS_HEADER = (Text("条文", "Clause"), Text("条件", "Condition"), Text("この局面で", "Here"))
MET = Text("満たす", "met")
NOT_MET = Text("満たさない", "not met")
NOT_MET_BECAUSE = Text("満たさない（{because}）", "not met ({because})")
CONTROL = Text("対照", "For comparison")
CONTROL_PINNED = Text("「{title}」（{scenario}）では起こりません。", "It does not happen in “{title}” ({scenario}).")
CONTROL_OPEN = Text("「{title}」（{scenario}）と比べてください（そこで起こらないことは、この解釈では確かめていません）。",
                    "Compare “{title}” ({scenario}); that it does not happen there was not checked under these readings.")
CONTROL_DIFFERS = Text("違うところ: {about}", "How it differs: {about}")
ANOTHER = Text("ほかの起こり方 {number}", "Another way, {number}")
SAYS_HEADER = (Text("条文", "Clause"), Text("定めること", "What follows from it"))
CONTRADICTING = Text("それぞれの条文が定めること", "What follows from each clause")
STOPPERS = Text("止められる人", "Who can stop it")
NOT_BY_WORD = Text("投了と、両プレイヤーの合意による引き分けは除いています。", "Conceding and draws by agreement are left out.")
"""Where a book does not say what is left out when it is judged who can stop something."""
ALL_IS_SEEN = Text("止められるかどうかは、互いの手札や山札の中身も知っているものとして判定しています。", "Who can stop it is judged as if both players saw everything.")
APPLIED = Text("{clause} の当てはめ", "How {clause} applies")
APPLIED_ANY = Text("条文の当てはめ", "How the clauses apply")
AS_WRITTEN = Text("文面どおりなら: {end}", "As written: {end}")
ENDING = Text("結末: {end}", "End: {end}")
RANGE = Text("言える範囲", "What was examined")
QUESTION = Text("会議で決めること", "To be decided")
DECISION = Text("決定 □改める □このまま（仕様） □保留　担当＿＿　日付＿＿　反映する版＿＿",
                "Decision: [ ] change  [ ] intended  [ ] later    by ____  date ____  edition ____")

STEP_HEADER = (Text("手順", "Step"), Text("選んだ人", "Chosen by"), Text("出来事", "What happens"),
               Text("条文", "Clauses"))
PREPARATION = Text("準備", "preparation")
STEP_RANGE = Text("{first}〜{last}", "{first}-{last}")
NOBODY_CHOOSES = Text("―", "-")
NOTHING_CHANGES = Text("（何も変わらずに進む）", "(nothing changes)")
QUIET = Text("（自動的に進む）", "(play goes on by itself)")
AGAIN_AND_AGAIN = Text("同じことが{times}回続く:", "The same {times} times in a row:")
EACH_TIME = Text("{what} {first}→{last}（1回に{step}）", "{what} {first}→{last} ({step} each time)")
SO_MANY = Text("{change}（×{count}）", "{change} (×{count})")
SAME_RUN = Text("{chosen}（続けて{count}手順）", "{chosen} ({count} steps in a row)")
SEVERAL = Text("各自", "each")
LEFT_OUT = Text("…… 途中の{count}手順は省略（すべて見るには rulewright replay）",
                "... {count} steps left out here (rulewright replay shows all)")
CLAUSES_OF = Text("{first} … {last}（全{count}条）", "{first} … {last} ({count} clauses)")
CLAUSES_FIRST = Text("{first} …（全{count}条）", "{first} … ({count} clauses)")
CHOSEN_BY = Text("{who}: {chosen}", "{who}: {chosen}")
INSTEAD = Text("（ほかの選択: {options}）", " (instead: {options})")
AND_MORE = Text("ほか{count}通り", "{count} more")
READING_SEPARATOR = Text("\n", "\n")

ANSWER_HEADER = (Text("条文", "Clause"), Text("判定", "Answer"), Text("理由", "Why"))

# ---------------------------------------------------------------- how far was looked
COMPLETE = Text("起こりうる局面をすべて確認しました（打ち切りなし）。",
                "Every position that can arise was looked at; nothing was cut off.")
COMPLETE_BY_PRINTS = Text("打ち切りはありません。ただし、局面を指紋で見分けたため、見落としがありえます。",
                          "Nothing was cut off; but positions were told apart by fingerprints, so some may have been missed.")
OMISSION = Text("局面は64ビットの指紋で見分けました。どれかを見落とした確率は {probability} 以下です。",
                "Positions were told apart by 64-bit fingerprints: the probability that any was missed is at most {probability}.")
CUT_OFF = Text("途中で打ち切りました。この範囲の外のことは分かりません。",
               "The search was cut off; nothing is known beyond this.")
GIVEN = Text("前提", "Taken as given")
LOOKED_UNDER = Text("次の範囲で探しました: {given}。", "It was looked for where {given}.")
ASKED_ALL = Text("上の前提のもとで、問うことはすべて問いました。", "Under what is taken as given above, all there was to ask was asked.")
ASKED_SOME = Text("上の前提のもとで調べました。調べていない所や判定できないものについては、何も分かりません。",
                  "Asked under what is taken as given above. Of what was not asked, or not decided, nothing is known.")
NOT_ASKED = Text("調べていない所", "Not asked")
NOT_ASKED_COUNT = Text("{count}か所（最後に挙げる）", "{count}, listed at the end")
NOT_ASKED_ONLY = Text("{count}か所（--full か --json で読める）", "{count} (--full or --json lists them)")
NOT_ASKED_HEADER = (Text("問い", "Question"), Text("所", "Place"), Text("理由", "Why"))
NOT_FOUND_IN = Text("{worlds}では見つからない（前提は上のとおり）。", "Not found in {worlds} (with what is taken as given above).")
ANY_READINGS = Text("与えられたもののほかは、どの答えでもよい", "any, but for those given")
LOOKED_AT = Text("調べた局面 {states}、進め方 {transitions}、最も遠い局面まで {depth}手順。",
                 "Positions: {states}; moves between them: {transitions}; steps to the farthest position: {depth}.")
POLICIES = Text("調べたのは次の場合だけです: {policies}。これで決まる場面では、ほかの選び方は調べていません。その中では、",
                "Only this was examined: {policies}. Where that decides, other choices were not looked at. Within these limits:")
POLICIES_EACH = Text("調べたのは次の場合だけです。\n{policies}\nこれで決まる場面では、ほかの選び方は調べていません。その中では、",
                     "Only this was examined:\n{policies}\nWhere that decides, other choices were not looked at. Within these limits:")
SYMMETRY = Text("同じカードどうしの位置の入れ替わりは区別していません。",
                "Positions that differ only in which of equal cards lies where count as one.")

# ---------------------------------------------------------------- the overview of a check
LOOKED_FOR = Text("調べたこと", "What was looked for")
LOOKED_FOR_ALL = Text("調べたこと（すべての解釈の合計）", "What was looked for (under all these readings)")
LOOKED_HEADER = (Text("内容", "What"), Text("回数", "How often"))
NO_CHANCE = Text("0（調べていない: 該当する場面がなかった）", "0 (not examined: it never came up)")
NOT_DIVIDED = Text("0（調べていない）", "0 (not examined)")
IDLE_TEXT = Text("効かない文: {text}", "A text without effect: {text}")
NOT_RAISED = Text("{of}（{event} を待つが、この状況から先の規則には {event} を起こす所がない）", "{of} (it waits for {event}, and the rules that play can come to from here have no place that raises it)")
NEVER_TRUE = Text("{of}（{event} を待つが、条件 `{condition}` は、この文を持つカードでは成り立たない）", "{of} (it waits for {event}, and its condition `{condition}` is false for the cards that have it, by what is printed on them)")
NEVER_EXERCISED = Text("一度も使われなかった条文（該当する場面がなく、何も確かめられない）", "Clauses that never came up (nothing is said about them)")
NEVER_COUNTED = Text("{count}条（一覧は --unused か --json で）", "{count} clauses (--unused or --json lists them)")
EXERCISED = Text("この状況の規則が引く条文のうち、使われたもの {done}、使われなかったもの {never}。",
                 "Of the clauses that the rules of this situation cite, used: {done}, never used: {never}.")
NONE_LEFT = Text("なし", "none")
OUTCOMES = Text("終わりまで進む手順での結果", "How play ended, where it did")
OUTCOMES_HEADER = (Text("終わり方", "End"), Text("局面の数", "Positions"))
FOUND = Text("見つかったこと", "Found")
HINTS = Text("参考（誤りとは限らない）", "Hints (not necessarily mistakes)")
NOT_FOUND = Text("調べた範囲では見つからない。", "Not found within these bounds.")
FOUND_UNTOLD = Text("見つけたが、手順を示す時間がなかったものが {count} 件あります。--max-time を長くしてください。",
                    "{count} found, but there was no time to tell the plays; give it a longer --max-time.")
NOT_EXAMINED = Text("一つも調べていないもの（該当する所が0）: {what}。", "Not examined (0 places): {what}.")
UNASKED = Text("調べていないもの: {what}。", "Not examined: {what}.")
NOTHING_EXAMINED = Text("調べていません。該当する所が0でした: {what}。", "Not examined: there was nothing to look at ({what}: 0).")
NOT_BEGUN = Text("調べていません。", "Not examined.")
BY_READINGS = Text("解釈ごとの結果", "Under each reading")
BY_READINGS_HEADER = (
    Text("解釈", "Readings"),
    Text("見つかったこと", "Found"),
    Text("終わりまで進む手順での結果", "How play ends, where it does"),
)
CUT_MARK = Text("（打ち切り）", " (cut off)")
NO_READINGS = Text("既定の解釈", "default readings")
DEFAULTS = Text("既定の解釈は、解釈が分かれる問いのすべてに、この検査が標準として選んだ答えです。指摘がよって立つ答えは、その指摘の"
                "「前提の解釈」にあり、既定と違うものにはその印が付いています。",
                "The default readings are the answers that this check takes as usual to all open questions. Those that a finding "
                "hangs on stand there, under “Readings assumed”; what is not the default is marked there.")
NOT_DEFAULT = Text("{reading}（既定と違う答え）", "{reading} (not the default)")
TOTAL = Text("検査 {results}回（状況と解釈の組ごとに1回）: 指摘 {findings}件、参考 {hints}件。",
             "Checked: {results}. Found: {findings}. Hints: {hints}.")
NOTHING_TO_CHECK = Text("調べていません。検査する状況が0件でした。", "Not examined: there was no situation to check (0).")
CUT_OFF_TOTAL = Text("途中で打ち切ったもの: {results}回のうち{count}回。", "Cut off: {count} of {results}.")
NEVER_LOOKED_AT = Text("まったく調べていない状況（{count}件）: {names}", "Not looked at at all ({count}): {names}")
UNEXPECTED = Text("期待と違うこと", "Not as the scenario expects")
NOT_HUNTED = Text("機械語に翻訳できないため（{why}）、対戦を進められませんでした。何も調べていません。",
                  "This cannot be compiled ({why}), so nothing was played, and nothing was looked at.")
STORED = Text("保存しました: {path}", "Stored: {path}")
NONE_STORED = Text("保存したものはありません（保存するのは問題点だけで、参考と、ルールが決めていない問いは保存しません）。",
                   "Nothing was stored (defects are; hints and questions that the rules leave open are not).")
READ_ONE = Text("一件ずつ読むには: rulewright explain {id}", "To read one: rulewright explain {id}")

# ---------------------------------------------------------------- the first page of a book
EXAMINED = Text("調べたこと", "Examined")
EXAMINED_PLAYS = Text("状況 {scenarios}件を、解釈を替えて {runs}回。局面のべ {positions}。", "situations: {scenarios}; runs under their sets of readings: {runs}; positions in all: {positions}.")
EXAMINED_ALL = Text("状況を用意しない全局面への問い（z3）: {asked}。", "questions about every position (z3): {asked}.")
COUNTED = Text("{what} {count}", "{what} {count}")
CUT_SHORT = Text("打ち切り", "Cut off")
NONE_CUT = Text("なし。", "nothing.")
CUT_RUNS = Text("{runs}回のうち {cut}回（{why}）。そこから先のことは分からない。", "{cut} of {runs} runs ({why}); nothing is known beyond.")
CUT_PLAYED = Text("{runs}回のうち {cut}回（{why}）。そこから先は、くじで進めた対戦（{plays}）のほかは分からない。", "{cut} of {runs} runs ({why}); beyond, nothing is known but of games played by lot ({plays}).")
CUT_ASKED = Text("全局面への問いには、答えの出ていない所がある（調べていない所 {count}）。", "of the questions about every position some have no answer (places not asked about: {count}).")
CUT_WHY = {
    "states": Text("局面の数", "positions"),
    "depth": Text("手順の長さ", "length of plays"),
    "turns": Text("ターンの数", "turns"),
    "seconds": Text("時間", "time"),
    "memory": Text("メモリ", "memory"),
    "disk": Text("ディスクの空き", "room on the disk"),
    "user": Text("中断", "interrupted"),
    "lost": Text("プロセスの異常終了", "a process that was ended"),
    "not modelled": Text("まだ取り込んでいない条", "clauses not encoded yet"),
    "unshown": Text("手順を示せなかった繰り返し", "repetitions without a play"),
    "bounds": Text("値・件数・入れ子・選択肢の数", "values, entries, nesting or options"),
}
CUT_COUNTED = Text("{why}の上限 {count}", "limit on {why}: {count}")
CUT_OTHERWISE = Text("{why} {count}", "{why}: {count}")
APART = Text("。", "; ")
UNEXAMINED = Text("調べていないこと", "Not examined")
UNEXAMINED_KIND = Text("{what}（該当する所が0）", "{what} (0 places)")
UNEXAMINED_DIVIDED = Text("{what}（分担して調べたので調べていないか、該当する所が0）", "{what} (not asked of a divided search, or 0 places)")
UNEXAMINED_CHOICES = Text("手順を決めた状況 {count}件でのほかの選び方", "choices beside scripted ones (situations: {count})")
UNEXAMINED_ALL = Text("用意した状況にない局面（--only）", "positions outside them (--only)")
MORE_SCENARIOS = Text("ほか{count}件", "{count} more")
UNEXAMINED_SCENARIOS = Text("状況 {count}件（{names}）", "situations: {count} ({names})")
DEFECTS = Text("この本の問題点 {count}件（未決定 {open}、決定済みか既知 {settled}）", "What is wrong with the book: {count} (not decided: {open}; decided or known: {settled})")
GRADES = Text(
    "重大度（S 勝敗、A 見本カードでは勝敗か、通常のプレイでは結果、B カードか始まりの局面によっては結果、C 順序か文言だけ）、番号、要るカード（見本＝検査用に作ったもの）: "
    "起こること（条文）［示す状況（既定の解釈、重さ、小ささの順に選ぶ） +ほかの数］",
    "Grade (S: who wins; A: that with test cards, or the result of ordinary play; B: the result with some cards, or from some position; C: order or wording only), id, cards "
    "(test: made up for the check): what happens (clause) [situation that shows it (by default readings, the gravest, the smallest, in this order) +others]")
NEEDS = {
    Origin.ORDINARY: Text("能力不要", "no card texts"),
    Origin.CARDS: Text("実在カード", "real cards"),
    Origin.INVENTED: Text("見本カード", "test cards"),
}
UNENCODED = Text("まだモデルにない所 {count}件（そこで止まった。問題点ではない）", "Not in the model yet: {count} (play stopped there; that is no mistake of the book)")
DEFECT_BY = Text("{title}（{clauses}）", "{title} ({clauses})")
DEFECT_SHOWN = Text("［{scenario}］", "[{scenario}]")
DEFECT_SHOWN_MORE = Text("［{scenario} +{more}］", "[{scenario} +{more}]")
STOPS = {
    WhoCanStop.NOBODY: Text("誰にも止められない", "nobody can stop it"),
    WhoCanStop.ONE: Text("一人だけが止められる", "only one player can stop it"),
    WhoCanStop.TOGETHER: Text("両者が揃わないと止まらない", "it takes both players to stop it"),
    WhoCanStop.EITHER: Text("どちらも止められる", "either can stop it"),
    WhoCanStop.UNKNOWN: Text("止められる人は判定できず", "who can stop it is not known"),
}
OTHER_FORMS_SETTLED = Text("ほかの形 {count}（うち決定済みか既知 {settled}）", "other forms: {count} (of these decided or known: {settled})")
OTHER_FORMS = Text("ほかの形 {count}", "other forms: {count}")
AND = Text(" と ", " and ")
LOOP_CLAUSES = Text("{clauses} がともに当てはまる", "{clauses} apply")
NO_LOOP_CLAUSE_APPLIES = Text("循環の条文はどれも当てはまらない", "no clause about loops applies")
NO_LOOP_CLAUSE = Text("循環についての条文がない", "there is no clause about loops")
DEFECTS_ELSEWHERE = Text("既定と違う解釈でだけ見つかったもの:", "Found only under readings that are not the defaults:")
DEFECTS_DECIDED = Text("決定済みか既知:", "Decided or known:")
MORE_GRADED = Text("ほか {count}件（{grades}）は --scenarios か --json で。", "{count} more ({grades}): --scenarios or --json tells them.")
NO_DEFECTS = Text("調べた範囲では見つからない（打ち切りと調べていないことは上のとおり）。", "Not found within these bounds (what was cut off or not examined stands above).")
OPEN_QUESTIONS = Text("この本が決めていない問い（解釈）: {count}件、うち答えで進行が変わると示されたもの {parting}件",
                      "Questions that the book leaves open (readings): {count}; of {parting} it was shown that the answer changes play")
OPEN_QUESTIONS_ONLY = Text("この本が決めていない問い（解釈）: {count}件", "Questions that the book leaves open (readings): {count}")
OPEN_CHAPTERS = Text("全体を章ごとに: {chapters}。", "All of them by chapter: {chapters}.")
OPEN_HINTS = Text("ほかに、誤りとは限らない参考 {count}件。", "Besides, hints that need not be mistakes: {count}.")
NEXT = Text("次に打つもの", "What to type next")
NEXT_EXPLAIN = Text("未決定の先頭の一件を読む: 手順、条文、会議で決めること", "read the first that is not decided: play, clauses, what is to be decided")
NEXT_COVERAGE = Text("まだモデルにない条文の一覧", "list the clauses that are not modelled yet")
NEXT_DECIDE = Text("決めたことを書く（open 保留、intended 仕様、fixed 修正済み、ruled 裁定済み、rejected 不備でない）", "write down what was decided (open, intended, fixed, ruled, rejected)")
NEXT_ALL = Text("状況を用意せずに、全局面に問う（z3、数分）", "ask about every position (z3; takes minutes)")
NEXT_LOG = Text("状況ごとの記録（決めていない問いの一つ一つも）", "each situation, with the open questions that it shows")

END = {
    "win": Text("勝敗が決まる", "somebody wins"),
    "draw": Text("引き分け", "draw"),
    "gap": Text("規定漏れで止まる", "stopped at a gap of the rules"),
    "conflict": Text("条文が食い違い、結果が定まらない", "stopped at a conflict of the rules"),
    "not modelled": Text("まだモデルにない条文で止まる", "stopped at a clause that is not modelled yet"),
    "fault": Text("モデルの誤りで止まる", "stopped at a mistake in the encoding"),
    "bound": Text("決めた上限を超えて止まる", "stopped where a stated bound was exceeded"),
    "over": Text("調べる範囲の終わりまで進む", "reached the end of what was asked for"),
}

# ---------------------------------------------------------------- what can be asked about a whole book
ANYWHERE = "any-position"
"""Stands for the scenario where there is none."""
ANYWHERE_TITLE = Text(ja="状況を用意せずに調べた局面", en="positions looked at without a scenario")
CLAUSE_QUESTIONS = ("conflicts", "gaps")
INVARIANTS = "invariants"
LOOP_QUESTIONS = ("lassos", "growing")
NORMS, DEAD, ORDER, ENDS = "norms", "dead", "order", "ends"
QUESTIONS = (*CLAUSE_QUESTIONS, INVARIANTS, *LOOP_QUESTIONS, NORMS, DEAD, ORDER, ENDS)
"""What can be asked about every position of a book at once."""

# ---------------------------------------------------------------- what was found in a book
DIGEST = Text("{book} で見つかったこと", "What was found in {book}")
DIGEST_HOW = Text(
    "保存された事例（`counterexamples/{book}/`）から `make digest BOOK={book}` で作ったページです。手では直しません。{count}件を重大度の順に並べ、"
    "それぞれに、保存された最も短い手順、著者への問い、解釈による決め方を添えます。手順は `rulewright replay` で一手ずつ確かめられます。",
    "Made from the stored cases (`counterexamples/{book}/`) by `make digest BOOK={book}`; not to be edited by hand. {count} findings, the gravest "
    "first, each with the shortest play that is stored, the question to the authors, and the readings that would settle it. "
    "`rulewright replay` steps through a play.")
DIGEST_SEVERITY = Text("重大度 {severity}（{count}件）", "Severity {severity} ({count})")
DIGEST_HEADER = (
    Text("重大度", "Severity"),
    Text("番号", "Id"),
    Text("卓で起こること", "What happens"),
    Text("種類", "Class"),
    Text("条文", "Clause"),
)
DIGEST_CASE = Text("保存された事例", "Stored case")
DIGEST_OTHERS = Text("同じ指摘の別の事例: {cases}", "Other cases of the same: {cases}")
