"""Every fixed phrase of the interface, in Japanese and English.

The Japanese words for what a check can say are fixed: "not found" is never "no problem", and no word of the tool's
inside (state, label, lasso) is shown. `{…}` is filled in by the one who says it.
"""
from __future__ import annotations

from ..spec.text import Text
from .findings.record import Certainty, Decided, FindingClass, Keepers, Origin, Stake

# ---------------------------------------------------------------- what a finding is
CLASS = {
    FindingClass.LOOP: Text("永久循環", "endless loop"),
    FindingClass.ORDER: Text("処理順で結果が変わる", "the order of processing changes the result"),
    FindingClass.OPEN: Text("決める人が未規定", "nobody is named to decide"),
    FindingClass.CONFLICT: Text("条文の衝突", "clauses contradict each other"),
    FindingClass.GAP: Text("規定漏れ", "gap: the rules do not say"),
    FindingClass.READINGS: Text("解釈で結果が変わる", "readings lead to different play"),
    FindingClass.INVARIANT: Text("守られるはずの条件が破れる", "a condition that must always hold is broken"),
    FindingClass.DEAD: Text("働くことのない定め", "a clause that never applies"),
    FindingClass.DEFECT: Text("Rulewright 側の誤り（ルールの問題ではない）",
                              "a mistake in Rulewright's encoding, not in the rules"),
}
CERTAINTY = {
    Certainty.FROM_SETUP: Text("実際に起こる（手順あり）", "really happens (play shown)"),
    Certainty.FROM_POSITION: Text("この局面から起こる（手順あり）", "happens from this position (play shown)"),
    Certainty.CONSTRUCTIBLE: Text("局面としては成立（そこへ至る手順は未確認）",
                                  "possible as a position (whether play leads there is not known)"),
    Certainty.TEXTUAL: Text("条文の文面から", "from the wording of the clauses"),
}
KEEPERS = {
    Keepers.NOBODY: Text("いません。", "Nobody."),
    Keepers.ONE: Text("{who}だけが止められます。", "Only {who}."),
    Keepers.TOGETHER: Text("一人では止められません。両者がともにやめたときだけ止まります。",
                           "No player alone: it stops only when both players stop."),
    Keepers.EITHER: Text("どちらのプレイヤーも、一人で止められます。", "Either player, alone."),
    Keepers.UNKNOWN: Text("判定できず。", "Not known."),
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
    Stake.WINNER: Text("勝敗に関わる", "it decides who wins"),
    Stake.RESULT: Text("結果が変わる", "it changes the result"),
    Stake.WORDING: Text("文言だけの問題", "a matter of wording"),
}

# ---------------------------------------------------------------- what was decided
DECIDED = {
    Decided.OPEN: Text("保留", "open"),
    Decided.INTENDED: Text("このまま（意図どおり）", "intended"),
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
DECISION_WRITTEN = Text("{id} の決定を {path} に書きました: {decision}", "Written to {path}, about {id}: {decision}")
KNOWN_WRITTEN = Text("既知の指摘 {count}件を {path} に書きました。", "Known findings written to {path}: {count}.")
LEFT_ASIDE = Text("うち既知・決定済み {count}件（終了コードに数えません）。", "Of these known or decided, not counted: {count}.")
DECIDE_DATE = Text("「{name}」は日付ではありません（例: {example}）。", "{name!r} is not a date (for example {example}).")
NO_DECISIONS = Text("--decisions のファイルがありません: {name}", "--decisions: there is no file {name!r}.")

# ---------------------------------------------------------------- how it could be settled
SETTLEMENTS = Text("解釈での決め方", "Readings that would settle it")
SETTLEMENTS_HEADER = (Text("問いと答え", "Question and answer"), Text("こう決めると", "What it does"))
PREFERRED = Text("・{clause} を優先するなら: {effect}", "- if {clause} counts: {effect}")
GIST_OF = Text("{clause}（要旨）: {gist}", "{clause} (gist): {gist}")
GISTS = Text("条文の横の文は要旨で、規則の文面ではありません（手元の草案の文面は --draft で引けます）。",
             "Beside the clauses stand gists, not their wording (--draft quotes that of a draft of yours).")
INVENTED_TEXTS = Text("（実在しない検査用のカードを含みます）", "(with cards that do not exist, made up for this check)")
SETTLED = Text("→ {answer}", "→ {answer}")
SAME_EFFECT = Text("・", ", ")
EFFECT = {
    "resolved": Text("解消", "resolved"),
    "remains": Text("残る", "remains"),
    "not checked": Text("まだ調べていない", "not checked yet"),
    "cut off": Text("打ち切り（判定できず）", "cut off: not known"),
}
EFFECT_THEN = Text("{effect}: {then}", "{effect}: {then}")
EFFECT_NEW = Text("（新しい指摘 {new}件）", " (new findings: {new})")
NOT_REACHED = Text("次の答えでは、この局面から始めるとここに至る前に進行が変わり、この指摘を決めるものではありません:\n{answers}",
                   "With these answers play from this position does not come to it at all, so they settle nothing:\n{answers}")
QUESTION_ANSWER = Text("・{question} → {answer}", "- {question} → {answer}")
NO_DIFFERENCE = Text("どう答えても、この指摘は変わりません（調べた範囲で）:\n{questions}",
                     "Whatever the answer, this finding is the same (within these bounds):\n{questions}")
WITH_OTHERS = Text("（ここでは {readings}）", "(checked with: {readings})")
TRY_IT = Text("（検査の担当者へ）調べるには: rulewright check {target} --try {reading}={answer}（すべて調べるには --try all）",
              "To check one: rulewright check {target} --try {reading}={answer} (all of them: --try all)")

RESOLVED = Text("解消 {count}件", "Resolved: {count}")
REMAINING = Text("残る {count}件", "Remaining: {count}")
NEW = Text("新規 {count}件", "New: {count}")
TRIED = Text("試した決め方", "Tried")
TRIED_TOTAL = Text("{results}通りで試しました: 解消 {resolved}件、残る {remaining}件、新規 {new}件（調べた範囲で）。",
                   "Tried in {results} settings: resolved {resolved}, remaining {remaining}, new {new} (within the bounds).")

# ---------------------------------------------------------------- what readings do
READINGS_TITLE = Text("解釈ごとの違い（答えを一つずつ変えて {sets} 通りを検査）",
                      "What readings do ({sets} sets of answers, each departing by one answer)")
READINGS_HEADER = (Text("解釈", "Reading"), Text("試した答え", "Answers tried"), Text("指摘", "Findings"))
READING_EFFECT = {
    "other findings": Text("指摘が変わる", "They change what is found"),
    "other play": Text("指摘は同じだが、進行が変わる", "They change play, but not what is found"),
    "no difference": Text("問われるが、調べた範囲では何も変わらない", "Asked for, but no difference within the bounds"),
    "never asked for": Text("調べた範囲では問われない", "Never asked for within the bounds"),
}
READINGS_BOUNDS = Text(
    "ほかの答えは既定のまま、一つずつ変えました。変えたことで新たに問われる解釈は、そのもとで変えました。"
    "答えの組み合わせをすべて試したわけではありません。",
    "Each answer was changed alone, the others being the defaults; what is asked for only because of such a change was changed "
    "under it. Not all combinations were looked at.")
SETS_LEFT_OUT = Text("上限を超えるため、{count}通りは調べていません。", "Beyond the limit: {count} sets were not looked at.")
READINGS_MIXED = Text("「{word}」は名前=答え と一緒には使えません。", "{word!r} does not go with name=answer.")
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
READINGS = Text("前提の解釈", "Readings assumed")
READING = Text("{question}＝{answer}", "{question} = {answer}")
SCENARIO = Text("状況", "Situation")
SUMMARY = Text("要点", "In short")
POSITION = Text("始まりの局面", "The position it begins from")
FROM_SETUP = Text("対戦の準備から始めます。", "Play begins with the preparation of a game.")
MOMENT = Text("そのときの局面", "The position then")
CARD_TEXTS = Text("カードの本文", "What the cards say")
STEM = Text("起こるまで", "How it comes about")
FROM_THE_START = Text("最初の局面からすぐに始まります。", "It begins at once.")
CYCLE = Text("繰り返し部分", "What repeats")
CYCLE_EXACT = Text("（1周すると、局面は完全に元どおり）", "(once round, everything is exactly as before)")
CYCLE_NOBODY = Text("（1周すると、局面は完全に元どおり。選択をする人はいない）",
                    "(once round, everything is exactly as before; nobody has a choice)")
CYCLE_ROUND = Text("（1周すると、同じカードどうしの場所が入れ替わるだけで、ほかは元どおり。{rounds}周で完全に元へ戻る）",
                   "(once round, equal cards have changed places and all else is as before; after {rounds} rounds everything is)")
CYCLE_GROWING = Text("（1周するごとに、数を増やしながら同じことが続く）",
                     "(once round, the same happens again, with larger numbers)")
SCOPE = Text("この繰り返しは{scope}の中で続きます。", "It goes on within {scope}.")
COPIES = Text("同じ形の繰り返しが、ほかに{count}通りあります。", "Of the same form, found besides: {count}.")
OUTCOMES_DIFFER = Text("結果の違い", "What differs")
OUTCOMES_DIFFER_HEADER = (Text("選んだもの", "Taken"), Text("その後、ほかと違うこと", "What is then different from the others"))
NOTHING_ELSE = Text("（ほかと違う変化なし）", "(nothing that the others have not)")
CONDITIONS = Text("終了条件（すべて満たすと終わる）", "What it would take to end (all of this)")
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
CONTRADICTING = Text("それぞれの条文が定めること", "What each clause says")
STOPPERS = Text("止められる人", "Who can stop it")
APPLIED = Text("{clause} の当てはめ", "What {clause} says of it")
APPLIED_ANY = Text("条文の当てはめ", "What the clauses say of it")
AS_WRITTEN = Text("文面どおりなら: {end}", "As written: {end}")
ENDING = Text("結末: {end}", "End: {end}")
RANGE = Text("言える範囲", "What was examined")
QUESTION = Text("会議で決めること", "To be decided")
DECISION = Text("決定 □改める □このまま □保留　担当＿＿　日付＿＿　反映する版＿＿",
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
LOOKED_AT = Text("調べた局面 {states}、進め方 {transitions}、最も遠い局面まで {depth}手順。",
                 "Positions: {states}; ways on from them: {transitions}; steps to the farthest: {depth}.")
POLICIES = Text("調べたのは次の場合だけです: {policies}。ほかの選び方は調べていません。その中では、",
                "Examined was only this: {policies}. Other choices were not looked at. Within that:")
POLICIES_EACH = Text("調べたのは次の場合だけです。\n{policies}\nほかの選び方は調べていません。その中では、",
                     "Examined was only this:\n{policies}\nOther choices were not looked at. Within that:")
SYMMETRY = Text("同じカードどうしの位置の入れ替わりは区別していません。",
                "Exchanging equal cards was counted as the same position.")

# ---------------------------------------------------------------- the overview of a check
LOOKED_FOR = Text("調べたこと", "What was looked for")
LOOKED_FOR_ALL = Text("調べたこと（すべての解釈の合計）", "What was looked for (under all these readings)")
LOOKED_HEADER = (Text("内容", "What"), Text("回数", "How often"))
NO_CHANCE = Text("0（該当する場面がなく、何も確かめられない）", "0 (it never came up, so nothing is said about it)")
NEVER_EXERCISED = Text("一度も使われなかった条文（該当する場面がなく、何も確かめられない）", "Clauses that never came up (nothing is said about them)")
NEVER_COUNTED = Text("{count}条（一覧は --unused か --json で）", "{count} clauses (--unused or --json lists them)")
EXERCISED = Text("この状況の規則が引く条文のうち、使われたもの {done}、使われなかったもの {never}。",
                 "Of the clauses that the rules of this situation cite, used: {done}, never used: {never}.")
NONE_LEFT = Text("なし", "none")
OUTCOMES = Text("対戦が終わる場合の結果", "How play ended, where it did")
OUTCOMES_HEADER = (Text("終わり方", "End"), Text("局面の数", "Positions"))
FOUND = Text("見つかったこと", "Found")
HINTS = Text("参考（誤りとは限らない）", "Hints (not necessarily mistakes)")
NOT_FOUND = Text("調べた範囲では見つからない。", "Not found within these bounds.")
BY_READINGS = Text("解釈ごとの結果", "Under each reading")
BY_READINGS_HEADER = (Text("解釈", "Readings"), Text("見つかったこと", "Found"), Text("対戦が終わる場合の結果", "Where play ends"))
CUT_MARK = Text("（打ち切り）", " (cut off)")
NO_READINGS = Text("既定の解釈", "default readings")
DEFAULTS = Text("既定の解釈は、解釈が分かれる問いのすべてに、この検査が標準として選んだ答えです。指摘にかかわるものは、その指摘の"
                "「前提の解釈」に示します。",
                "The default readings are the answers that this check takes as usual to all open questions. Those that a finding "
                "hangs on stand there, under “Readings assumed”.")
TOTAL = Text("{results}件の検査: 指摘 {findings}件、参考 {hints}件。",
             "Checked: {results}. Found: {findings}. Hints: {hints}.")
STORED = Text("保存しました: {path}", "Stored: {path}")
READ_ONE = Text("一件ずつ読むには: rulewright explain {id}", "To read one: rulewright explain {id}")

END = {
    "win": Text("勝敗が決まる", "somebody wins"),
    "draw": Text("引き分け", "draw"),
    "gap": Text("規定漏れで止まる", "stopped at a gap of the rules"),
    "conflict": Text("条文が食い違い、結果が定まらない", "stopped at a conflict of the rules"),
    "not modelled": Text("まだモデルにない条文で止まる", "stopped at a clause that is not modelled yet"),
    "fault": Text("Rulewright 側の誤りで止まる", "stopped at a mistake in Rulewright's encoding"),
    "bound": Text("決めた上限を超えて止まる", "stopped where a stated bound was exceeded"),
    "over": Text("調べる範囲の終わりまで進む", "reached the end of what was asked for"),
}

# ---------------------------------------------------------------- demo
DEMO_INTRODUCTION = Text(
    "『五等分の花嫁』カードゲームを総合ルールどおりに、両者が何もしないで進めると何が起こるかを調べました。"
    "下は、そこで見つかったことです。",
    "What happens under the comprehensive rules of the Gotoubun no Hanayome card game if both players do nothing? "
    "This is what was found.",
)
DEMO_NOTHING = Text("両者が何もしない対戦を調べました。調べた範囲では見つからない。",
                    "A game in which both players do nothing was looked at. Not found within these bounds.")
DEMO_OTHER = Text("解釈ごとの結果", "Under each reading")
DEMO_NEXT = Text("次にできること", "What to type next")
DEMO_COMMANDS = (
    ("rulewright check hanayome", Text("この本の用意された状況をすべて調べる", "every situation of this book")),
    ("rulewright play hanayome/pass-only", Text("同じ対戦を自分で進める", "play the same game yourself")),
    ("rulewright where hanayome {clause}", Text("この条文がコードのどこにあるか", "where the code of this clause is")),
    ("rulewright verify", Text("保存された手順がいまも再現するか", "do all stored cases still reproduce?")),
)

# ---------------------------------------------------------------- replay, verify
REPLAY_AGREES = Text("{count}手順すべて、同じに再現しました。", "Every step happened again just so ({count} in all).")
REPLAY_DIFFERS = Text("再現しませんでした: {why}", "It did not happen again: {why}")
NEXT_STEP = Text("Enter で次へ、q でやめる ", "Enter for the next step, q to stop ")
REPRODUCED = Text("再現", "reproduced")
NOT_REPRODUCED = Text("再現せず", "not reproduced")
VERIFIED = Text("{count}件のうち{good}件が再現しました。", "{good} of {count} cases reproduced.")
MINIMISED = Text(
    "{id}: 置かれたものを {before} から {after} に、手順を {steps_before} から {steps} に減らしました（{tried}通りを試行）。"
    "これ以上、一つだけ除いて同じ指摘になるものはありません。",
    "{id}: {before} things reduced to {after}, {steps_before} steps to {steps} ({tried} tries). Without any one of them the "
    "finding is gone.")
IS_OFFERED = Text("できる", "offered")
IS_NOT_OFFERED = Text("できない。最初に満たさない条件:", "not offered. The first condition that fails:")
NOTHING_WITH_CARDS = Text("ここでの選択肢に、カードを使うものはありません。", "Nothing that is chosen here takes a card.")
NO_CASES = Text("保存された手順がありません: {path}", "No stored cases: {path}")
UNEXPECTED = Text("期待と違うこと", "Not as the scenario expects")

# ---------------------------------------------------------------- info
SIZES_CLAUSES = Text("条文 {clauses}（うち規則が引くもの {cited}）", "clauses: {clauses}, cited by rules: {cited}")
SIZES_READINGS = Text("解釈 {readings}（うちモデルにあるもの {modelled}）", "readings: {readings}, modelled: {modelled}")
SIZES_CARDS = Text("カード {cards}、状況 {scenarios}", "cards: {cards}, scenarios: {scenarios}")
SIZES_RULES = Text("規則 {modules}ファイル、{lines}行（空行を除く）: {kinds}",
                   "rules: {modules} modules, {lines} lines that are not blank: {kinds}")
SIZES_HEADER = (Text("状況", "Scenario"), Text("カード", "Cards"), Text("局面の数値", "Numbers in a state"),
                Text("ビット", "Bits"), Text("手順が持つ数値（最大）", "Numbers in a frame, at most"),
                Text("止まりうる所", "Places to stop"))
SIZES_NOTE = Text("ビットは、各数値を取りうる範囲に必要なだけのビットで表したときの、局面の大きさ（手順の途中を除く）。",
                  "Bits: the size of a state, each number in as many bits as its range needs, frames aside.")
SIZES_MORE = Text("ほか {count} の状況（すべて見るには --full）", "{count} more scenarios (--full shows all)")
WRITTEN = Text("書き出しました: {path}", "Written: {path}")
PROMELA_NEXT = Text("SPIN での動かし方は .pml の最初の行にあります。局面の数は SPIN の方が一つ多くなります（開始前の局面）。",
                    "How to run SPIN stands on the first lines of the .pml. SPIN counts one state more (that before play).")
OPENING = Text("{scenario} を読んでいます", "reading {scenario}")

# ---------------------------------------------------------------- play
ASKED = Text("  ［{clause}］", "  [{clause}]")
TO_MOVE = Text("{who}が選びます。", "{who} to choose.")
PLAY_HELP = Text("番号で選択、u 一手戻す、p 盤面、l これまで、s 保存、q やめる、? この説明",
                 "a number to choose, u undo, p position, l log, s save, q quit, ? this help")
PROMPT = Text("番号> ", "number> ")
NO_SUCH_OPTION = Text("1 から {count} の番号か、u、p、l、s、q、? のどれかを入力してください。",
                      "Type a number from 1 to {count}, or one of u, p, l, s, q, ?.")
NOTHING_TO_UNDO = Text("最初の局面です。戻せません。", "This is the beginning; there is nothing to undo.")
PLAY_ENDED = Text("ゲーム終了: {outcome}", "The game is over: {outcome}")
PLAY_LEFT = Text("やめました。", "Stopped.")
LOG_EMPTY = Text("まだ何も選ばれていません。", "Nothing has been chosen yet.")
SEED = Text("偶然は種 {seed} で決めます（同じ種なら同じ結果）。", "Chance follows seed {seed} (same seed, same luck).")
SAVED = Text("保存しました: {path}", "Saved: {path}")
SAVE_AS = Text("保存するファイル名> ", "file name> ")
CHANCE = Text("偶然", "Chance")

# ---------------------------------------------------------------- help
PURPOSE = Text(
    "カードゲームの総合ルールを調べます。永久循環、決める人のいない順番、条文の衝突、規定漏れを、"
    "それが起こる手順とともに示します。",
    "Examines the comprehensive rules of card games: endless loops, orders that nobody decides, clauses that "
    "contradict each other, gaps; each with the play that makes it happen.",
)
EXIT_CODES = Text("終了コード: 0 なし、1 指摘あり、2 入力の誤り、3 Rulewright 内部の誤り。",
                  "Exit codes: 0 nothing found, 1 something found, 2 wrong input, 3 a mistake inside Rulewright.")
USAGE = Text("使い方: ", "Usage: ")
SECTION = {"Options": Text("オプション", "Options"), "Commands": Text("コマンド", "Commands")}
COMMANDS = {
    "demo": Text("二分でわかる例（引数なし）", "the two-minute tour, no arguments"),
    "check": Text("本の名前、本/状況、YAML ファイルのどれかを調べる", "check a book, a book/scenario, or a YAML file"),
    "decide": Text("指摘についての決定を decisions.yaml に書く", "write what was decided about a finding into decisions.yaml"),
    "explain": Text("指摘を一件、条文ごとに説明する", "one finding: what, why, clause by clause"),
    "replay": Text("保存された手順を一手ずつたどる", "step through a stored case in the reference engine"),
    "minimise": Text("指摘に要らないカードや値を状況から除く", "take out of a scenario what a finding does not need"),
    "verify": Text("保存された手順がいまも再現するか確かめる", "does every stored case still reproduce?"),
    "lint": Text("草案の文面を調べる（モデルは不要）",
                 "look through a draft: references, numbers, terms (no model needed)"),
    "play": Text("自分で両方のプレイヤーになって進める", "be both players"),
    "why-not": Text("あるカードで、なぜその行動ができないか（最初に満たさない条件と条文）",
                    "why something is not offered with a card: the first condition that fails, and its clause"),
    "where": Text("条文一つについて、規則の場所、解釈、用語、それを引く手順",
                  "one clause: its rules, readings, terms, stored cases"),
    "register": Text("草案から本の骨組みを作る（-o）、新しい草案と比べる（--update）",
                     "a new book from a draft (-o), or what a new draft changes (--update)"),
    "coverage": Text("どの条文がモデルにあり、どれがまだか", "which clauses are modelled, and which are not"),
    "info": Text("本のモデルの大きさ", "how large the model of a book is"),
    "export": Text("状況を SPIN のモデルに（promela）、手順を ITF に、局面のつながりを DOT・GraphML に書き出す",
                   "write a scenario for SPIN (promela), plays as ITF, the graph of positions as DOT or GraphML"),
}
OPTIONS = {
    "help": Text("この説明を表示する", "show this message"),
    "version": Text("版を表示する", "show the version"),
    "lang": Text("表示の言語（指定しなければ環境に従う）", "language of the output (otherwise that of the locale)"),
    "books": Text("自分の本のフォルダーを入れたフォルダー（spec/ は指定不要）",
                  "a folder with books of your own (`spec/` here is looked in anyway)"),
    "as_json": Text("プログラム向けに JSON で出力する", "output for programs, as JSON"),
    "decisions": Text("決定を書いたファイル（指定しなければ、あれば ./decisions.yaml）",
                      "a file of decisions (otherwise ./decisions.yaml, if there is one)"),
    "reason": Text("決定の理由", "why"),
    "person": Text("決めた人、担当", "who decided"),
    "day": Text("決めた日（指定しなければ今日）", "the day of the decision (otherwise today)"),
    "edition": Text("対象の版", "the edition of the rules"),
    "reading": Text("解釈を選ぶ（何度でも指定可）。check では default（既定だけ）、all（問われる解釈の答えを一つずつ変える）も",
                    "choose a reading (may be repeated); of check also default (nothing else), all (each answer in turn)"),
    "second": Text("--only の問いを cvc5 にも尋ね、答えを比べる", "ask cvc5 what --only asks too, and compare the answers"),
    "only": Text("本の名前に、これだけを問う。状況を用意せず、成り立ちうるすべての局面について調べる",
                 "of a book, ask only this, without a scenario: about every position that can be"),
    "tried": Text("この決め方で何が解消し、残り、新しく起こるか。all: 指摘に関わる決め方をすべて調べる",
                  "what this settlement resolves, leaves and brings; all: check every settlement of what is found"),
    "most": Text("これより多い局面は、まとめて描く（DOT、GraphML）", "more positions than this are drawn together (DOT, GraphML)"),
    "finding_id": Text("この指摘の繰り返しの部分だけを書き出す（DOT、GraphML）",
                       "only the part in which the loop of this finding runs (DOT, GraphML)"),
    "chosen": Text("その前に選ぶもの（番号、順に何度でも指定可）", "what is chosen before that, by number (may be repeated)"),
    "output_file": Text("書き出すファイル（指定しなければ画面に）", "the file to write (otherwise shown here)"),
    "output_folder": Text("書き出すフォルダー", "the folder to write to"),
    "ways": Text("一つの局面での選択肢の数の上限", "options of a position at most"),
    "frame_bytes": Text("途中の手順のために確保するバイト数", "bytes of a state for procedures under way"),
    "symmetry": Text("同じカードの入れ替えも別の局面として調べる", "tell apart positions that exchange equal cards"),
    "engine": Text("native: 大きな状況は機械語に翻訳して調べる。interpreter: 参照エンジンだけを使う",
                   "native: large scenarios are compiled; interpreter: only the reference engine"),
    "max_states": Text("調べる局面の数の上限", "look at no more positions than this"),
    "max_seconds": Text("調べる時間の上限（秒）", "stop after so many seconds"),
    "max_memory": Text("使うメモリの上限（MiB、探したあとの検査の分を含む）", "use no more memory than this (MiB; with what the checks take after the search)"),
    "threads": Text("同時に使うスレッドの数（指定しなければ全コア。結果は変わらない）",
                    "threads to use (all cores unless told; the result is the same)"),
    "fingerprints": Text("局面を64ビットの指紋だけで見分けてメモリを節約する（見落としの確率を結果に書く）",
                         "tell positions apart by 64-bit fingerprints, to save memory (the result says what that may miss)"),
    "checkpoint": Text("調べている途中の経過をこのフォルダーに保存する（途中で落ちても --resume で続けられる）",
                       "keep the search in this folder while it runs, so that --resume can go on with it"),
    "checkpoint_seconds": Text("途中経過を保存する間隔（秒、既定 60）", "seconds between two checkpoints (60 unless told)"),
    "resume": Text("--checkpoint のフォルダーにある途中経過から続ける", "go on with what is in the folder of --checkpoint"),
    "store": Text("見つかった手順をこのフォルダーに保存する", "store the cases found in this folder"),
    "show": Text("一つの指摘について、違う起こり方をいくつまで示すか（短い順。同じカードの入れ替えは同じ起こり方）",
                 "different plays to tell of each finding, shortest first (exchanging equal cards makes no other play)"),
    "unused": Text("一度も使われなかった条文の番号も示す", "list the clauses that never came up, too"),
    "full": Text("指摘をすべて全文で表示する", "show every finding in full"),
    "select": Text("この規則だけを調べる（カンマ区切り、何度でも指定可）",
                   "only these rules (commas; may be repeated)"),
    "ignore": Text("この規則を調べない", "leave out these rules"),
    "hints": Text("推測にすぎない指摘も示す", "show guesses too"),
    "form": Text("出力の形式", "format of the output"),
    "baseline": Text("既知の指摘を書いたファイル。新しいものだけを示す",
                     "a file of known findings; only new ones are shown"),
    "update_baseline": Text("いまの指摘をすべて既知として保存する", "store all present findings as known"),
    "fix": Text("確実に直せるものをファイルの中で直す", "make the safe fixes in the file"),
    "terms": Text("用語を書いたファイル（指定しなければ草案の隣の terms.yaml）",
                  "a file of terms (otherwise terms.yaml beside the draft)"),
    "dictionary": Text("用語の切り出しに辞書を使わない", "find words without the dictionary"),
    "encoding": Text("草案の文字コード（指定しなければ自動）", "encoding of the draft (otherwise found out)"),
    "changes": Text("Word の変更履歴: 反映後、反映前、両方", "tracked changes of Word: accepted, original or both"),
    "step": Text("一手ごとに止まる", "stop after each step"),
    "draft": Text("条文番号の横に、この草案の文面を引く（どこにも保存しない）",
                  "quote this draft beside the clause numbers (nothing of it is kept)"),
    "output": Text("新しい本のフォルダー（例: spec/mygame/）", "folder of the new book (for example spec/mygame/)"),
    "update": Text("登録済みの草案と比べる", "compare with the registered draft"),
    "book": Text("草案の本", "the book of the draft"),
    "accept": Text("この草案を登録済みにする（番号の変更も書き込む）",
                   "make this the registered draft, renumbering what cites its clauses"),
    "checked": Text("文言の変わった条文の規則を確かめた、と記録する（何度でも指定可）",
                    "note that the rules of a reworded clause were looked at (may be repeated)"),
    "with_text": Text("要旨の欄に草案の文面を入れる", "put the draft's own words where the gists belong"),
    "force": Text("いまあるファイルに上書きする", "overwrite files that are there"),
    "everything": Text("一覧を省略しない", "do not shorten lists"),
    "executed": Text("用意された状況をすべて動かし、実際に動いた箇所も調べる",
                     "also run the book's scenarios, and say which places they execute"),
    "jobs": Text("同時に確かめる件数", "how many cases at a time"),
    "seed": Text("偶然を決める数（同じ数なら同じ結果）", "the number that decides chance"),
    "save": Text("終わったらこのファイルに保存する", "save the play to this file at the end"),
}

# ---------------------------------------------------------------- errors
BAD_INPUT = Text("入力に{count}件の誤りがあります。", "Mistakes in the input: {count}.")
INTERNAL = Text(
    "Rulewright の内部で誤りが起きました（{what}）。入力の誤りではありません。"
    "環境変数 RULEWRIGHT_DEBUG=1 で詳細が出ます。",
    "Something went wrong inside Rulewright ({what}); the input is not to blame. RULEWRIGHT_DEBUG=1 shows details.",
)
INTERRUPTED = Text("中断しました。", "Interrupted.")
FILE_TROUBLE = Text("ファイルを読み書きできません: {path}（{why}）", "Cannot read or write {path} ({why}).")
NO_SUCH_COMMAND = Text("「{name}」というコマンドはありません。", "There is no command {name!r}.")
NO_SUCH_FLAG = Text("「{name}」というオプションはありません。", "There is no option {name!r}.")
NEEDS_VALUE = Text("「{name}」には値が要ります。", "{name!r} needs a value.")
MISSING = Text("{name} がありません。", "{name} is missing.")
BAD_VALUE = Text("{name} の値が正しくありません: {why}", "The value of {name} is not valid: {why}")
NEEDS_ONE_OF = Text("{name} には次のどれかが要ります: {options}", "{name} needs one of: {options}")
NEEDS_INTEGER = Text("{name} には正の整数が要ります。", "{name} needs a positive whole number.")
NEEDS_NUMBER = Text("{name} には正の数が要ります。", "{name} needs a positive number.")
TOO_MANY = Text("余分な引数があります: {name}", "There are too many arguments: {name}")
SEE_HELP = Text("使い方: {command} --help", "How to use it: {command} --help")
ONE_SCENARIO = Text("状況を一つ選んでください。「{target}」には次があります: {scenarios}",
                    "Choose one scenario; {target!r} has: {scenarios}")
NO_BOOKS_FOLDER = Text("--books の「{name}」というフォルダーがありません。", "--books: there is no folder {name!r}.")
REGISTER_HOW = Text(
    "register には -o フォルダー（新しい本）、--update（新しい草案）、--checked 条文 のどれか一つが要ります。",
    "register needs one of: -o FOLDER (a new book), --update (a new draft), --checked CLAUSE.")
REGISTER_BOOK = Text("{name} には --book 本 も要ります。", "{name} needs --book BOOK too.")
BASELINE_WHERE = Text("{name} には --baseline FILE も要ります。", "{name} needs --baseline FILE too.")
READING_FORM = Text("「{value}」は 解釈の名前=選択肢 の形ではありません（例: {example}）。",
                    "{value!r} is not of the form reading=alternative (for example {example}).")
PROGRESS = Text("局面 {states}、残り {frontier}、手順 {depth}、{seconds:.0f}秒、毎秒 {rate:,.0f}、{memory} MiB",
                "{states} positions, {frontier} open, {depth} steps deep, {seconds:.0f} s, {rate:,.0f}/s, {memory} MiB")
CUT_BY_USER = Text("中断しました。調べ終えた所までの結果です（状況 {done} 件、残り {left} 件は調べていません）。",
                   "Interrupted: this is what was found so far (situations: {done}; not looked at: {left}).")
CHECKPOINT_WHERE = Text("{name} には --checkpoint フォルダー も要ります。", "{name} needs --checkpoint FOLDER too.")
CLAUSE_QUESTIONS = ("conflicts", "gaps")
INVARIANTS = "invariants"
LOOP_QUESTIONS = ("lassos", "growing")
NORMS, DEAD, ORDER = "norms", "dead", "order"
QUESTIONS = (*CLAUSE_QUESTIONS, INVARIANTS, *LOOP_QUESTIONS, NORMS, DEAD, ORDER)
"""What can be asked about every position of a book at once."""
ONLY_WHAT = Text("--only に「{name}」は書けません。書けるのは: {all}", "`{name}` is nothing that --only asks; it asks: {all}")
ONLY_BOOKS = Text("--only {only} は本全体への問いです。「{name}」は本の名前ではありません。",
                  "--only {only} asks about a whole book, and {name!r} is none.")
SECOND_WITH = Text("{name} は --only と一緒に使います。", "{name} goes with --only.")
NO_CVC5 = Text("{name} がありません。`pip install rulewright[cvc5]` で入れてください。",
               "{name} is not installed; `pip install rulewright[cvc5]` installs it.")
SMT2_BOOK = Text("smt2 には本全体への問いか、一つの状況のカードの循環についての問いを書き出します。「{name}」はどちらでもありません。",
                 "smt2 holds what is asked about a whole book, or about loops of one scenario's cards; {name!r} is neither.")
ONLY_ALONE = Text("{name} は --only と一緒には使えません。", "{name} cannot be used with --only.")
NO_CHECKPOINT = Text("「{name}」に途中経過はありません。--resume なしで始めてください。",
                     "There is no checkpoint in {name!r}; begin without --resume.")

# ---------------------------------------------------------------- what was found in a book
DIGEST = Text("{book} で見つかったこと", "What was found in {book}")
DIGEST_HOW = Text(
    "保存された事例（`counterexamples/{book}/`）から `make digest BOOK={book}` で作ったページです。手では直しません。{count}件を重大度の順に並べ、"
    "それぞれに、保存された最も短い手順、著者への問い、解釈による決め方を添えます。手順は `rulewright replay` で一手ずつ確かめられます。",
    "Made from the stored cases (`counterexamples/{book}/`) by `make digest BOOK={book}`; not to be edited by hand. {count} findings, the gravest "
    "first, each with the shortest play that is stored, the question to the authors, and the readings that would settle it. "
    "`rulewright replay` steps through a play.")
DIGEST_SEVERITY = Text("重大度 {severity}（{count}件）", "Severity {severity} ({count})")
DIGEST_HEADER = (Text("重大度", "Severity"), Text("番号", "Id"), Text("卓で起こること", "What happens"), Text("種類", "Class"), Text("条文", "Clause"))
DIGEST_CASE = Text("保存された事例", "Stored case")
DIGEST_OTHERS = Text("同じ指摘の別の事例: {cases}", "Other cases of the same: {cases}")
