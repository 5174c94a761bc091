"""What commands say beside their results: the demo, playing, replaying, and what is wrong with how they were called; in Japanese and English.

`{…}` is filled in by the one who says it.
"""
from __future__ import annotations

from ...spec.text import Text

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
REPLAY_DIFFERS = Text("そのとおりには再現しませんでした: {why}", "It did not happen again just so: {why}")
NEXT_STEP = Text("Enter で次へ、q でやめる ", "Enter for the next step, q to stop ")
REPRODUCED = Text("再現", "reproduced")
NOT_REPRODUCED = Text("再現せず", "not reproduced")
MORE_DIFFERENCES = Text("ほかに{count}か所", "{count} more")
VERIFIED = Text("{count}件のうち{good}件が再現しました。", "{good} of {count} cases reproduced.")
MINIMISED = Text(
    "{id}: 置かれたものを {before} から {after} に、手順を {steps_before} から {steps} に減らしました（{tried}通りを試行）。"
    "これ以上、一つだけ除いて同じ指摘になるものはありません。",
    "{id}: {before} things reduced to {after}, {steps_before} steps to {steps} ({tried} tries). Without any one of them the "
    "finding is gone.")
IS_OFFERED = Text("できる", "offered")
IS_NOT_OFFERED = Text("できない。最初に満たさない条件:", "not offered. The first condition that fails:")
WHO_IS_ASKED = Text("選ぶ人: {who}", "Who is asked: {who}")
BY_LUCK_SO = Text("ここまでの偶然は `rulewright play {target} --seed {seed}` と同じに決めました。別の引きなら、別の局面です。",
                  "Chance fell as in `rulewright play {target} --seed {seed}`; if it falls otherwise, this is another position.")
NOTHING_WITH_CARDS = Text("ここでの選択肢に、カードを使うものはありません。", "Nothing that is chosen here takes a card.")
NO_CASES = Text("保存された手順がありません: {path}", "No stored cases: {path}")

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
NO_PLAYS = Text("見つかった手順が0件なので、書き出したファイルはありません。対戦の手順は play --save で保存したものを書き出せます。",
                "No file was written, since 0 plays were found. A game that `play --save` kept can be exported.")
PROMELA_NEXT = Text("SPIN での動かし方は .pml の最初の行にあります。局面の数は SPIN の方が一つ多くなります（開始前の局面）。",
                    "How to run SPIN stands on the first lines of the .pml. SPIN counts one state more (that before play).")
OPENING = Text("{scenario} を読んでいます", "reading {scenario}")

# ---------------------------------------------------------------- play
ASKED = Text("  ［{clause}］", "  [{clause}]")
TO_MOVE = Text("{who}が選びます。", "{who} to choose.")
PLAY_HELP = Text("番号で選択、u 一手戻す、p 盤面、l これまで、w できないことの理由、s 保存、q やめる、? この説明",
                 "a number to choose, u undo, p position, l log, w why something is not offered, s save, q quit, ? this help")
WHICH_CARD = Text("カードの名前か番号> ", "name or number of a card> ")
NO_SUCH_CARD = Text("この状況に、そのカードはありません。", "There is no such card in this situation.")
PROMPT = Text("番号> ", "number> ")
NO_SUCH_OPTION = Text("1 から {count} の番号か、u、p、l、w、s、q、? のどれかを入力してください。",
                      "Type a number from 1 to {count}, or one of u, p, l, w, s, q, ?.")
NOTHING_TO_UNDO = Text("最初の局面です。戻せません。", "This is the beginning; there is nothing to undo.")
PLAY_ENDED = Text("ゲーム終了: {outcome}", "The game is over: {outcome}")
PLAY_STOPS = Text("ここまで: {outcome}", "Play stops here: {outcome}")
PLAY_ALONE = Text("{name} は、保存した対戦には使えません（終わりの局面から、その解釈で、それだけを調べます）。",
                  "{name} does not go with a saved play, which is looked at alone, from where it ends, under its readings.")
PLAY_LEFT = Text("やめました。", "Stopped.")
LOG_EMPTY = Text("まだ何も選ばれていません。", "Nothing has been chosen yet.")
SEED = Text("偶然は種 {seed} で決めます（同じ種なら同じ結果）。", "Chance follows seed {seed} (same seed, same luck).")
SAVED = Text("保存しました: {path}", "Saved: {path}")
SAVE_AS = Text("保存するファイル名> ", "file name> ")
CHANCE = Text("偶然", "Chance")

# ---------------------------------------------------------------- errors
BAD_INPUT = Text("入力に{count}件の誤りがあります。", "Mistakes in the input: {count}.")
INTERNAL = Text(
    "Rulewright の内部で誤りが起きました（{what}）。入力の誤りではありません。"
    "環境変数 RULEWRIGHT_DEBUG=1 で詳細が出ます。",
    "Something went wrong inside Rulewright ({what}); the input is not to blame. RULEWRIGHT_DEBUG=1 shows details.",
)
NO_MEMORY = Text("メモリが足りません。", "There is not enough memory.")
INTERRUPTED = Text("中断しました。", "Interrupted.")
FILE_TROUBLE = Text("ファイルを読み書きできません: {path}（{why}）", "Cannot read or write {path} ({why}).")
OUTPUT_FULL = Text("結果を書き出せません。出力先に空きがありません。", "Cannot write the output: there is no room left.")
NO_SUCH_COMMAND = Text("「{name}」というコマンドはありません。", "There is no command {name!r}.")
NO_SUCH_FLAG = Text("「{name}」というオプションはありません。", "There is no option {name!r}.")
NEEDS_VALUE = Text("「{name}」には値が要ります。", "{name!r} needs a value.")
MISSING = Text("{name} がありません。", "{name} is missing.")
IS_FOLDER = Text("{name} にはファイルが要りますが、これはフォルダーです。", "{name} needs a file, and this is a folder.")
IS_FILE = Text("{name} にはフォルダーが要りますが、これはファイルです。", "{name} needs a folder, and this is a file.")
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
NEW_WHERE = Text("どの草案から作りますか。例: rulewright new {name} --from draft.md", "From which draft? For example: rulewright new {name} --from draft.md")
DRAFT_WHERE = Text("どの草案を調べますか。例: rulewright lint draft.md（規則の説明は --explain 規則名）",
                   "Which draft? For example: rulewright lint draft.md (--explain RULE explains a rule)")
QUESTIONS_WHERE = Text("どの草案について尋ねますか。例: rulewright questions draft.md（種類の説明は --explain 種類）",
                       "Of which draft? For example: rulewright questions draft.md (--explain FAMILY explains a family)")
ANSWER_WHAT = Text("{name} には --answer 種類@条文 も要ります。", "{name} needs --answer FAMILY@CLAUSE too.")
BASELINE_WHERE = Text("{name} には --baseline FILE も要ります。", "{name} needs --baseline FILE too.")
READING_FORM = Text("「{value}」は 解釈の名前=選択肢 の形ではありません（例: {example}）。",
                    "{value!r} is not of the form reading=alternative (for example {example}).")
PROGRESS = Text("局面 {states}、残り {frontier}、手順 {depth}、{seconds:.0f}秒、毎秒 {rate:,.0f}、{memory} MiB",
                "{states} positions, {frontier} open, {depth} steps deep, {seconds:.0f} s, {rate:,.0f}/s, {memory} MiB")
SCENARIOS_DONE = Text("状況 {done}／{all} 件を調べました", "{done} of {all} situations checked")
FOUND_SO_FAR = Text("ここまでの指摘 {count} 件（{first}）。", "Found so far: {count} ({first}).")
MADE_READY = Text("どの対戦にも要る部分を翻訳しています（この機械では一度だけ）。--max-time はそのあとから数えます。",
                  "Compiling what every hunt needs (once on this machine). --max-time counts from then.")
CUT_BY_USER = Text("中断しました。調べ終えた所までの結果です（状況 {done} 件、残り {left} 件は調べていません）。",
                   "Interrupted: this is what was found so far (situations: {done}; not looked at: {left}).")
CHECKPOINT_WHERE = Text("{name} には --checkpoint フォルダー も要ります。", "{name} needs --checkpoint FOLDER too.")
FOLDER_HERE = Text("{name} のフォルダーはこのマシンのものです。--cluster と一緒には使えません。",
                       "The folder of {name} is one of this machine; it does not go with --cluster.")
ONLY_WHAT = Text("--only に「{name}」は書けません。書けるのは: {all}", "`{name}` is nothing that --only asks; it asks: {all}")
ONLY_BOOKS = Text("--only {only} は本全体への問いです。「{name}」は本の名前ではありません。",
                  "--only {only} asks about a whole book, and {name!r} is none.")
SECOND_WITH = Text("{name} は --only と一緒に使います。", "{name} goes with --only.")
NO_CVC5 = Text("{name} がありません。`pip install rulewright[cvc5]` で入れてください。",
               "{name} is not installed; `pip install rulewright[cvc5]` installs it.")
SMT2_BOOK = Text("smt2 には本全体への問いか、一つの状況のカードの循環と順番についての問いを書き出します。「{name}」はどちらでもありません。",
                 "smt2 holds what is asked about a whole book, or about loops and orders of one scenario's cards; {name!r} is neither.")
ONLY_ALONE = Text("{name} は --only と一緒には使えません。", "{name} cannot be used with --only.")
PARTS_AND_CLUSTER = Text("{name} だけでは使えません。--cluster auto（またはアドレス）も要ります。",
                         "{name} alone is not enough: it takes --cluster auto (or an address) too.")
PARTS_ALONE = Text("--parts は一つの状況を分担して調べます。一緒には使えません: {name}", "--parts divides the search of one scenario; it does not go with {name}.")
DISK_LINUX = Text("{name} はこのシステムでは使えません（Linux だけで使えます）。", "{name} cannot be used on this system, only on Linux.")
DISK_APART = Text("--disk と --checkpoint が同じフォルダー「{name}」です。別々のフォルダーを指定してください。",
                  "--disk and --checkpoint name the same folder, {name!r}; name two.")
NO_CHECKPOINT = Text("「{name}」に途中経過はありません。--resume なしで始めてください。",
                     "There is no checkpoint in {name!r}; begin without --resume.")
BEGUN_ANEW = Text("{folder} の検査は、最初の途中経過が書かれる前に止まっていました。最初から始めます。",
                  "The search in {folder} was stopped before its first checkpoint was written: it begins anew.")
