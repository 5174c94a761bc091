"""What each rule of the linter finds and why it is there, with an example: for `--explain` and for docs/lint.md. A test tries every example."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...spec.text import Text

HERE = "{}"


@dataclass(frozen=True)
class Explained:
    """`such_as`: what it is in a few words, in any language. `draft`: a draft in which `{}` stands for what is `wrong`, which the rule finds, or
    `right`, of which no rule has anything to say."""

    finds: Text
    why: Text
    draft: str
    wrong: str
    right: str
    such_as: str = ""

    def example(self, here: str) -> str:
        """The draft with this in its place."""
        return self.draft.replace(HERE, here)


EXPLAINED: Mapping[str, Explained] = {
    "reference-missing": Explained(
        Text(ja="存在しない条文への参照。最もありそうな参照先も示します",
             en="a reference to a clause that does not exist, with the likeliest meant one"),
        Text(ja="読む人は番号だけを頼りに探します。条文の追加や削除の後、古い番号のままの参照が残りがちです。",
             en="A reader has nothing but the number to go by; after clauses were added or taken out, references keep old numbers."),
        """1. 札
1.1. 引き方
1.1.1. 札を1枚引きます。
1.1.2. 引けない場合は{}に従います。
""",
        "1.1.7", "1.1.1", "`8.6.1` in a book without it",
    ),
    "reference-heading": Explained(
        Text(ja="番号と、その前後の言葉が別のものを指している",
             en="a number and words around it that do not belong together"),
        Text(ja="番号はあるが、その条文は別の物についてのものです。番号のずれは、存在しない番号よりも気付かれません。",
             en="The number exists, and its clause is about something else: a shifted number is noticed less than one that is missing."),
        """1. 場
1.1. 港エリア
- 1.1.1. 船を置きます。
1.2. 霧エリア
- 1.2.1. 札を置きます。
1.3. 島
- 1.3.1. 島の船は、港エリア（{}）に戻します。
""",
        "1.2", "1.1", "`公開領域（4.3）`, `rule 5.2, “Damage”`, and 4.3, 5.2 are about something else",
    ),
    "reference-step": Explained(
        Text(ja="その列挙や、名指しされた条文にない手順。二度数えられた手順",
             en="a step that its list, or the clause it is named with, does not have; one counted up twice"),
        Text(ja="手順の行き先がなければ、そこで進めなくなります。",
             en="A procedure that goes on to a step which is not there cannot go on."),
        """# §1 手順
## 1-1 開始
次の手順を順に行う。
i: 引く。
ii: 置く。置けない場合、{}へと進む。
iii: 起こす。
""",
        "v", "iii", "`viiへと進む` in a list of four; `i、ii、ii、iv`",
    ),
    "reference-shifted": Explained(
        Text(ja="繰り返す二つの手順のうち、一つが別の組のもの",
             en="two steps to be repeated, of which one belongs to another pair"),
        Text(ja="前に手順を足すと、繰り返しの指定だけが一つ前の番号のまま残ります。",
             en="When a step is put in before, what is to be repeated stays one number behind."),
        """第1章 進行
1.流れ
(1)準備
 札を配ります。
(2)先手の番を行う
 先手が動きます。
(3)後手の番を行う
 後手が動きます。
 勝敗が決まるまで、{}を繰り返します。
""",
        "(1)と(2)", "(2)と(3)", "`(6)と(7)` where the two turns are (7) and (8)",
    ),
    "number-repeated": Explained(
        Text(ja="同じ番号が二度",
             en="a number twice"),
        Text(ja="同じ番号が二つあると、参照がどちらを指すか決まりません。",
             en="Where a number stands twice, nobody can tell which of the two a reference means."),
        """1. 札
1.1. 引き方
1.1.1. 札を1枚引きます。
{} 引いた札は手札に加えます。
1.2. 捨て方
1.2.1. 札を1枚捨てます。
""",
        "1.1.1.", "1.1.2.", "`(4)` … `(4)`",
    ),
    "number-skipped": Explained(
        Text(ja="抜けた番号。ほかの節にはある見出し行がない節",
             en="a number left out; a section without a line of its own, where its like have one"),
        Text(ja="条文が抜け落ちたか、番号の振り直しを忘れた跡です。わざと欠番にしたなら、そう書いておくと読む人が迷いません。",
             en="A clause is gone, or the numbers were not counted again. Where it is meant, a word about it spares readers the search."),
        """1. 札
1.1. 引き方
1.1.1. 札を1枚引きます。
1.1.2. 引いた札は手札に加えます。
{} 山札がなければ引けません。
""",
        "1.1.4.", "1.1.3.", "200, 202",
    ),
    "number-order": Explained(
        Text(ja="前の番号より小さい番号",
             en="a number smaller than the one before"),
        Text(ja="順に読んだとき、番号が戻ると見落とされます。",
             en="A number that goes back is overlooked by who reads on."),
        """1. 番
1.1. 手順
次のことを行います。
1) 引く。
{}
""",
        """3) 置く。
2) 終える。
""", """2) 置く。
3) 終える。
""", "3.2 before 3.1",
    ),
    "clause-empty": Explained(
        Text(ja="本文のない番号。下に何もない見出し（参考）",
             en="a number with no text; a heading with nothing under it (hint)"),
        Text(ja="番号だけの条文は、書きかけか、消し忘れです。",
             en="A number without words was begun and not written, or not taken away."),
        """1. 札
1.1. 引き方
1.1.1. 札を1枚引きます。
1.1.2.{}
1.1.3. 山札がなければ引けません。
""",
        "", " 引いた札は手札に加えます。", "`4.5.3.`",
    ),
    "contents-differ": Explained(
        Text(ja="本文と違う目次",
             en="a table of contents that differs from the text"),
        Text(ja="目次で探した人が、その見出しに行き着けません。",
             en="Whoever looks something up in the table of contents does not come to that heading."),
        """目次
第1章 準備
第2章 {}
第3章 勝敗
第1章 準備
1.配り方
 札を配ります。
第2章 進行
1.番
 先手から動きます。
第3章 勝敗
1.勝ち
 山がなくなったら終わります。
""",
        "流れ", "進行", "another title, an entry too many or too few",
    ),
    "text-repeated": Explained(
        Text(ja="一つの条文に同じ文が二度。別の事柄の節に、前の節の最後の文。一つの節に同じ見出し",
             en="a sentence twice in one clause; the last sentence of the section before, in a section about something else; equal headings in one section"),
        Text(ja="同じ文が二度あると、片方だけが直されて食い違います。",
             en="Of a sentence that stands twice, one will be changed and the other will not."),
        """第1章 その他
1.札の記述の優先
 札の記述がこの規則と違うことがあります。
 その場合、この規則よりも札の記述を優先します。
2.同時の選択
 双方が同時に選ぶときは、番の側が先に選びます。
 {}
第2章 終わり
1.勝ち
 山がなくなったら終わります。
""",
        "その場合、この規則よりも札の記述を優先します。", "その場合、番の側でない者は後に選びます。",
    ),
    "subject-other": Explained(
        Text(ja="その節のことを、別の節の主語で言っている条文。同種の節から写して直していない句",
             en="a clause that says of another section's subject what it should say of its own; a phrase copied from a section of its kind and not adapted"),
        Text(ja="別の節から写した文に、元の主語が残っています。",
             en="A sentence copied from another section has kept its subject."),
        """第1章 カード
1.店員カード
1.1.店員カードは客を迎えます。特技欄にはその店員の特技が書かれます。
2.料理カード
2.1.料理カードは客に出します。特技欄にはその{}の特技が書かれます。
""",
        "店員", "料理", "`庭園は…` under 回想; `その料理の…` under 店員",
    ),
    "list-differs": Explained(
        Text(ja="節を並べた列挙の一つが、見出しと違う名前（短い形なら参考）",
             en="a list that names sections, one of them otherwise than its heading does (cut short: hint)"),
        Text(ja="列挙と見出しの名前が違うと、同じものか別のものか分かりません。",
             en="Where a list and a heading name it differently, nobody can tell whether it is the same."),
        """1. カード
- ① 名前
- ② 評価
- ③ {}
1.1. 名前
- 1.1.1. 上端に書かれています。
1.2. 評価
- 1.2.1. 左下に書かれています。
1.3. 付属情報
- 1.3.1. 下端に書かれています。
""",
        "付属事項", "付属情報", "`付帯情報`, and the heading is 付帯条項",
    ),
    "list-missing": Explained(
        Text(ja="予告された列挙がない、または数が違う",
             en="a list announced that does not follow, or has another length"),
        Text(ja="予告した列挙がないか、数が合いません。項目が抜けたのか、数を直し忘れたのかを確かめてください。",
             en="What was announced does not follow, or not as many: either an entry is gone, or the number was not changed."),
        """1. 風
1.1. 吹き方
- 1.1.1. 風は、次の手順で決まります。
{}- 1.1.2. 帆を張った船は、風の影響を受けません。
- 1.1.3. 錨を下ろした船は、動きません。
""",
        "", """\
 - 1.1.1.1. 札を1枚めくります。
 - 1.1.1.2. その数を強さとします。
""", "`以下の5種` and three follow; `the following four steps:`",
    ),
    "count-differs": Explained(
        Text(ja="一文の中で、数と挙げられたものの数が違う",
             en="a number and the list it counts, in one sentence"),
        Text(ja="文中の数と、挙げられたものの数が違います。",
             en="The number in the sentence is not how many it names."),
        """1. 札
1.1. 色
1.1.1. 札には「赤」「青」「緑」{}の3種類があります。
1.1.2. 札を1枚引きます。
""",
        "「黄」", "", "`赤、青、緑の4色`; `four colors: red, blue, and green`",
    ),
    "series-prefix": Explained(
        Text(ja="別のものの番号が付いた記号",
             en="an identifier with another's number"),
        Text(ja="名前と番号が組になっている所で、他の名前の番号が付いています。",
             en="Where names and numbers go together, this name has the number of another."),
        """# §1 一覧
## 1-1 札
札は「AB-01-ann-1」「AB-01-ann-2」「AB-01-ann-3」です。
## 1-2 箱
箱は「AB-02-bob-1」「AB-02-bob-2」「{}」です。
## 1-3 旗
旗は「AB-03-cat-1」「AB-03-cat-2」です。鈴は「AB-04-dan-1」「AB-04-dan-2」です。
""",
        "AB-01-bob-3", "AB-02-bob-3", "`SZ-01-berta` where Berta is 02",
    ),
    "series-range": Explained(
        Text(ja="同じものから同じもの、逆向き、別の系列、端が三つある範囲",
             en="a range from a thing to itself, backwards, between two series, with three ends"),
        Text(ja="範囲の両端が同じ、逆、または別の系列です。",
             en="A range that ends where it begins, goes backwards, or leads into another series."),
        """# §1 一覧
## 1-1 札
使う札は「AB-01-ann-1」から「{}」です。
## 1-2 箱
箱には「AB-01-ann-3」を入れます。
""",
        "AB-01-ann-1", "AB-01-ann-3", "`A-3`から`A-3`",
    ),
    "series-gap": Explained(
        Text(ja="続き番号の列挙から抜けた記号。ここでは 0 が付き、あそこでは付かない記号",
             en="an identifier left out of a list that counts on, or written with a zero here and without there"),
        Text(ja="続き番号の列挙から、ほかの所で使われている番号が抜けています。",
             en="A list that counts on leaves out an identifier that the draft has elsewhere."),
        """# §1 一覧
## 1-1 札
札は「AB-01-ann-O-1」「AB-01-ann-O-2」「AB-01-ann-O-3」「{}」です。
## 1-2 箱
箱には「AB-01-ann-O-4」と「AB-01-ann-O-5」があります。箱の札は「AB-01-ann-O-5」です。
""",
        "AB-01-ann-O-5", "AB-01-ann-O-4", "`Ex3` `Ex5`; `P-01`, `P-1`",
    ),
    "series-twice": Explained(
        Text(ja="列挙の中で続けて二度書かれた記号",
             en="an identifier twice in a row in a list"),
        Text(ja="写すときに同じ番号を二度書き、次の番号が抜けます。",
             en="Written twice when copying; the next one is then missing."),
        """# §1 一覧
## 1-1 札
札は「AB-01-ann-1」「AB-01-ann-2」「{}」です。
## 1-2 箱
箱の札は「AB-01-ann-3」です。
""",
        "AB-01-ann-2", "AB-01-ann-3",
    ),
    "bracket-unclosed": Explained(
        Text(ja="相手のない括弧。引用符（警告）は、足りないものがあるはずの所を示します",
             en="a bracket without its partner; a quotation mark (warning), shown where the missing one belongs"),
        Text(ja="どこまでが引用や補足なのか、分からなくなります。",
             en="Nobody can tell how far the quotation or the remark goes."),
        """1. 札
1.1. 引き方
1.1.1. 札を1枚「引く{}と書かれています。
""",
        "", "」", "`「引く`, `は札を引く'を`",
    ),
    "bracket-mistaken": Explained(
        Text(ja="`<` のはずの `く`",
             en="`く` where `<` is meant"),
        Text(ja="かな入力のまま打った「く」が括弧の代わりに残っています。",
             en="A letter typed in place of a bracket."),
        """1. 場
1.1. 場所
1.1.1. <山札>と<手札>と<捨て札>があります。
1.1.2. 札は<山札>から<手札>に移ります。
1.1.3. 札は{}山札>に戻ります。
""",
        "く", "<", "`く山札>`",
    ),
    "negation-broken": Explained(
        Text(ja="途中で終わっている、並んだ打ち消し",
             en="a parallel negation that breaks off"),
        Text(ja="並べた打ち消しの後半だけが肯定になっています。意味が逆になります。",
             en="The second half of two negations is not negated: it says the opposite."),
        """1. 札
1.1. 向き
1.1.1. 裏向きの札は、効果を使うこともなく、数えられることも{}。
""",
        "あります", "ありません", "`…こともなく、…こともあります`",
    ),
    "slip": Explained(
        Text(ja="重なった助詞、抜けた字、違う字や外国の字、長音の代わりの字",
             en="doubled particles, letters left out, wrong or foreign ones, letters for a dash"),
        Text(ja="変換や打鍵の誤りです。",
             en="A slip of the pen."),
        """1. 値
1.1. 状態
- 1.1.1. 札{}引きます。
""",
        "をを", "を", "`をを`, `繰り返しします`, `O以上`, `整数または「一」`",
    ),
    "placeholder": Explained(
        Text(ja="後で埋めるはずだった箇所",
             en="a place that was to be filled in"),
        Text(ja="後で書くつもりだった箇所が残っています。",
             en="Something was to be written later, and was not."),
        """1. 札
1.1. 引き方
1.1.1. 札を{}引きます。
""",
        "TODO枚", "1枚", "`rule X.X`, `TODO`, `要確認`",
    ),
    "word-twice": Explained(
        Text(ja="続けて二度書かれた英語の短い語",
             en="a small English word twice in a row"),
        Text(ja="行の折り返しの前後で、短い語が二度書かれることがあります。",
             en="Short words get written twice, most of all where a line ends."),
        """1. Cards
1.1. Drawing
1.1.1. Draw a card from {} deck.
""",
        "the the", "the", "`the the`",
    ),
    "character-invisible": Explained(
        Text(ja="目に見えない文字（幅のないもの、制御するもの、文字の向きを変えるもの）",
             en="a character that nobody can see: without width, steering, turning the direction of writing"),
        Text(ja="目に見えない文字は、同じに見える語を別の語にし、検索にもかかりません。文字の向きを変えるものもあります。",
             en="It makes two words of what looks like one, so that searching does not find it; some turn the direction of writing."),
        """1. 札
1.1. 引き方
1.1.1. 山{}札から札を引きます。
""",
        "\u200b", "", "U+200B in a name",
    ),
    "term-old": Explained(
        Text(ja="変更履歴では改められたのに、残っている名前",
             en="a name that the change log says was replaced, and that still stands"),
        Text(ja="変更履歴では改められた名前が、本文に残っています。",
             en="The change log says that the name was replaced; the text has it still."),
        """# 規則
## 1. 札
1.1. 使用済みの札は控え室に置きます。
1.2. 控え室の札は数えません。
1.3. {}から札を戻します。
## 変更履歴
- 「捨て札置き場」を「控え室」に変更しました。
""",
        "捨て札置き場", "控え室", "`「船着き場」を「港」に変更`, and 船着き場 in a rule",
    ),
    "word-misspelt": Explained(
        Text(ja="その言語になく、草案の中でよく使われる語と一字違う、まれな語（辞書 `ja`（カタカナ）、`en` が必要）",
             en="a rare word that is none of the language, and a frequent one of the draft but for a letter (needs a dictionary: `ja` for katakana, `en`)"),
        Text(ja="英語の語の一文字が抜けているか、違っています。",
             en="A word of English that lacks a letter, or has another."),
        """1. Cards
1.1. Playing
1.1.1. A player announces the attack. The opponent announces a blocker.
1.1.2. The attacker and the opponent announce their abilities. The opponent chooses.
1.1.3. The {} draws a card.
""",
        "oponent", "opponent", "`eligble`, `eligible`",
    ),
    "term-spelling": Explained(
        Text(ja="一つの名前の二通りの表記（`・`、全角半角、小書き、旧かな、短縮、送りがな、字の入れ替わり、似た括弧）",
             en="one name in two spellings: `・`, width, small and old kana, a word cut short, okurigana, swapped letters, brackets that look alike"),
        Text(ja="一つの名前が二通りに書かれています。検索にかからず、別のものと取られます。",
             en="One name in two spellings: searching does not find it, and it may be taken for something else."),
        """1. 札
1.1. 札の型
- 1.1.1. リーフトークンを使う。
- 1.1.2. リーフトークンを置く。
- 1.1.3. リーフトークンを戻す。
- 1.1.4. {}を捨てる。
""",
        "リーフ・トークン", "リーフトークン", "`リーフ・トークン`, `リーフトークン`; `〈山札〉`, `<山札>`",
    ),
    "term-misspelt": Explained(
        Text(ja="よく使われる名前と、見た目の似た一字だけ違う、括弧付きの名前",
             en="a bracketed name that differs from a frequent one in a letter that looks alike"),
        Text(ja="よく使われる名前と、見た目の似た一文字だけが違います。",
             en="It differs from a name that is used often in one letter, which looks like the other."),
        """1. 場
1.1. 場所
- 1.1.1. <土俵>と<星空>があります。
- 1.1.2. 札は<星空>か<土俵>に戻ります。
- 1.1.3. <土俵>と<星空>に置きます。<土俵>を見ます。
- 1.1.4. {}に置きます。
""",
        "<士俵>", "<土俵>", "`<問合>`, `<間合>`",
    ),
    "term-homophone": Explained(
        Text(ja="草案の別の語と同じ読みで、その代わりに書かれたまれな語（辞書が必要）",
             en="a rare word that sounds like another of the draft and stands for it (needs the dictionary)"),
        Text(ja="同じ読みの別の語に変換されています（辞書 rulewright[ja] が必要です）。",
             en="Another word of the same sound was chosen while typing (needs the dictionary, rulewright[ja])."),
        """1. 番
1.1. 進み方
- 1.1.1. 順番を進行します。順番を進行する側が先です。
- 1.1.2. 順番を{}している側が動きます。
""",
        "信仰", "進行", "`事故`, `自己`",
    ),
    "term-undefined": Explained(
        Text(ja="同類は説明されているのに、一、二度出てきて説明のない領域、フェイズ、山札など。何かを置く先として一度だけ出てくるゾーン、エリア、置き場。節の見出しに似た名前で、そのどれでもないもの",
             en="a zone, phase, deck … named once or twice and introduced nowhere, while its like are; a place named once, to which something is put; a name made like the headings of a section, and none of them"),
        Text(ja="同じ種類のほかの名前には説明があるのに、これにはありません。",
             en="Others of its kind are introduced somewhere; this one is not."),
        """第1章 カードの種類
1.店員カード
1.1.店員カードは客を迎えます。
2.料理カード
2.1.料理カードは客に出します。
3.道具カード
3.1.道具カードは店に置きます。
第2章 進行
1.流れ
1.1.1枚の{}を使います。次に{}を置きます。カードはこれだけです。
""",
        "装飾カード", "道具カード", "`仮宿ゾーン`; `演出カード` beside 店員カード, 料理カード",
    ),
    "term-two-names": Explained(
        Text(ja="何を指すか決まらない短い名前。一つのものにちなむ二つの場所。同じ意味の二つの語",
             en="a name cut short that can be several things; two places named after one thing; two words that mean the same"),
        Text(ja="一つのものに二つの名前があると、別のものと取られます。",
             en="Of one thing with two names a reader makes two."),
        """1. 番
1.1. 順番
- 1.1.1. 先手から始めます。先手は2枚引きます。後手は3枚引きます。
- 1.1.2. {}は引き直せます。
""",
        "先攻", "先手", "`デッキ置き場`; `先手`, `先攻`",
    ),
    "term-unused": Explained(
        Text(ja="名付けたのに使われない名前（カードが使うかもしれません。この文書のための名前なら警告）",
             en="a name that is given or explained and never used again: cards may use it; a warning where it is given for the document itself"),
        Text(ja="名付けたのに、どこでも使われていません。使う条文が抜けたのかもしれません。",
             en="It is given a name that nothing uses: the clause that did may be gone."),
        """1. 札
1.1. 使い方
- 1.1.1. 横の札を、以下「疲労」と呼びます。{}した札は使えません。
""",
        "横に", "疲労", "`これを「X」と呼ぶ`, and no X; `以下「X」と呼ぶ` (warning)",
    ),
    "limit-undefined": Explained(
        Text(ja="適用されているのに、値がどこにもない上限",
             en="a limit that is applied and stated nowhere"),
        Text(ja="上限を超えた場合の処理はあるのに、上限の値がどこにもありません。",
             en="It says what happens beyond the limit, and nowhere what the limit is."),
        """1. 値
1.1. 手札
- 1.1.1. {}
1.2. 捨て方
- 1.2.1. 枚数上限を超えた札は捨てる。
""",
        "手札は場に置かない。", "枚数上限は7である。", "`枚数上限`",
    ),
}
