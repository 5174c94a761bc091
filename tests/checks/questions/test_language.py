"""The families know the language as rule books write it: other verbs and forms, other counters, other order of words; and the nearest
wordings that leave nothing open stay quiet. Of the wordings that were invented to measure it, every second one; what is not asked about
is measured in benchmarks/README.md."""

from __future__ import annotations

import re

import pytest

from rulewright.checks.lint.reading import from_text
from rulewright.checks.questions.asking import ask
from rulewright.checks.questions.catalogue import BY_ID
from rulewright.checks.questions.families import language

DRAFTS = {"ja": "1. 進行\n1.1. 二人が札を使い、交互に番を行います。\n", "en": "1. Play\n1.1. Two players take turns with their cards.\n"}


def phrases(family: str, clauses: str) -> list[str]:
    draft = DRAFTS["ja" if re.search("[ぁ-ん]", clauses) else "en"]
    text = draft + "".join(f"1.{n}. {one.strip()}\n" for n, one in enumerate(clauses.split("//"), 2))
    return [one.places[0].phrase for one in ask(from_text("draft.md", text), [BY_ID[family]]).questions]


OPEN = """\
order-at-once|開幕時に働く能力を持つ駒が複数並んでいれば、その能力はみな一斉に働きます。
order-at-once|倒れた駒が同時に二個以上あれば、それぞれの遺言の効果を続けて処理する。
order-at-once|捨てられた札はまとめて捨て場の上に重ね、残りの札も山札の底へ送ります。
order-at-once|If two or more traps are sprung at once, the effect of each of them is carried out.
order-at-once|Abilities that go off together are each carried out in full.
order-at-once|The remaining cards are put on the bottom of the deck.
who-chooses|場に出ている船のうち二隻が指定され、持ち主の手札に戻されます。
who-chooses|嵐が来ると、港の船が一隻沈められる。
who-chooses|大火のときは、町の建物のうち三軒が取り壊される。
who-chooses|When the bell tolls, two of the lanterns are put out.
who-chooses|One of the three rivers gets picked and dries up.
may-how-often|船を2隻沈めて、札を3枚引いてもよい。
may-how-often|持ち主は、油1個を支払うことにより、この駒を隣の升へ動かすことが認められる。
may-how-often|銅貨3枚を納めた者は、宝物庫の札1枚を手札に加えられる。
may-how-often|The owner may send a lantern out to draw two cards.
may-how-often|A player is free to return a ship to hand in exchange for one oil.
may-how-often|Players may pay two coins to flip a market card.
fewer-there|捨て場の船を三隻抜き取り、手札に加えます。
fewer-there|兵のうち四体を墓所に送らねばならない。
fewer-there|隣の人に札2枚を渡します。
fewer-there|The loser hands over two ships.
fewer-there|The active player steals three coins from the other player.
impossible|番の人は、倉から樽を一つ運び出さなければなりません。
impossible|負けた側は、駒を一個後ろへ下げなくてはならない。
impossible|鐘が鳴ったら、両者は船を一隻ずつ沈めること。
impossible|Whoever raises this flag is obliged to attack a fort.
impossible|A player who plays a wolf is required to play another card from hand.
cost-in-part|建てるには、木材2本と石1個を納めます。
cost-in-part|英雄を呼ぶ前に、場の兵一体を墓所に送り、手札1枚を捨てます。
cost-in-part|術を使うには、油を2個減らし、さらに手札を1枚山札の下に戻します。
cost-in-part|The price of this card is a lamp and two cards from hand.
cost-in-part|To cast it, a player gives up three coins and one scroll.
below-zero|霧は、すべての船の速さを1落とします。
below-zero|負けた人の名声を2点減らします。
below-zero|相手の得点から4を差し引く。
below-zero|Each chain takes 1 off the might of the soldier wearing it.
limit-then-what|各自が同時に持てる銅貨は10枚までとします。
limit-then-what|油を5個より多く抱えたまま番を渡してはいけません。
limit-then-what|名声が12を上回ることは許されない。
limit-then-what|A garden holds six trees at the most.
limit-then-what|A player's oil is limited to five.
no-otherwise|さいころを振り、5か6が出たら船を一歩進めます。
no-otherwise|山札の一番上をめくり、それが船なら港に置きます。
no-otherwise|二人の札を比べ、出した側のほうが大きければ砦を取る。
no-otherwise|Toss a coin. Should it land heads, draw two cards.
no-otherwise|A player who guesses the colour right keeps the card.
without-end|二人は代わる代わる札を1枚ずつ出し、これを続けます。
without-end|引いた札が嵐なら、もう1枚引き、以下同じようにします。
without-end|同じ目が出たら、振り直しを繰り返します。
without-end|If the numbers match again, both roll again.
without-end|The two keep swapping one card each.
seen-by-whom|山札を見て船を1枚選び、手札に加えます。
seen-by-whom|手札1枚を裏向きのまま灯台の下に差し込みます。
seen-by-whom|山札から同じ名の札を抜き出して手札に加える。
seen-by-whom|Take the top three cards, keep one ship from among them in hand and put the others back in any order.
seen-by-whom|The turn player lays one card from hand face down in front of them.
who-is-meant|攻めた者は、守る者に自分の手札を1枚捨てさせる。
who-is-meant|この札を出した人は、相手に自分の船を一隻選ばせる。
who-is-meant|The winner lets the loser draw a card from their deck.
both-lose|灯がすべて消えたプレイヤーは負けです。
immediately-or-check|得点を調べるのは、各番の終わりだけです。 // 火が5個になった町は、その場で捨て札にします。
immediately-or-check|States are checked only at the end of a phase. // A unit without health is removed at once.
counted-when|捨て場から札を1枚拾い、捨て場の枚数だけ点を得る。
counted-when|この船の強さは、港にある船の数と同じです。
counted-when|The strength of a golem is the number of stones in play.
loop-cases|同じ局面が三度現れたら引き分けとする。
loop-cases|If a position is repeated three times, the player who caused it has to do something else.
may-and-must-not|病の印がある船は、何があっても出港できない。 // 帆船はいつでも出港することができる。
may-and-must-not|錨の札は予選では使用できない。 // 錨の札は予選では、一人だけ使用できる。
may-and-must-not|錨のカードは予選では使用できない。 // 船長は、錨のカードを予選でもいつでも使用することができる。
may-and-must-not|A ship in quarantine may never leave the quay. // Sailing ships can leave the quay whatever the weather.
tie|旅の最大得点者が船長となります。
when-and-after|船が沈む時、持ち主は札を1枚引きます。 // 船が沈んだ時、相手は1点を得ます。
when-and-after|When a ship is sunk, its owner draws a card. // After a ship has been sunk, the opponent gains a point.
when-and-after|Whenever a lantern goes out, discard a card. // After a lantern goes out, its owner draws a card.
said-twice|A garden with seven or more trees sends the extra ones to the compost at dusk. // There is no room for a seventh tree in a garden: it goes straight to the compost.
used-wider|「仲間」とは、自分の次の番の人を指します。 // この札を使うと、仲間はみな札を1枚引きます。
used-wider|"neighbour" is the player on the left. // All neighbours discard a card.
after-move|持ち主は港の船を手札に戻す。その船は次の番のあいだ強さが2増える。
after-move|The owner takes a ship back into hand. On the next turn the ship has three more cargo.
order-at-once|二人の砦が同時に落ちた場合、両方の「落城」の文を実行する。
order-at-once|見終えた3枚は山札の上に戻す。
order-at-once|Where both forts fall in the same attack, the texts of both are carried out.
order-at-once|All "at dawn" abilities take effect together when the step begins.
order-at-once|The cards not taken are returned to the bottom of the draw pile.
who-chooses|番の終わりに、場の花が一輪摘み取られます。
who-chooses|三つの門のうち一つが開かれる。
who-chooses|A single enemy soldier is captured.
may-how-often|倉の米俵一つを売って、金貨を2枚もらえる。
may-how-often|灯台の持ち主は、灯台を横にして、札を1枚引くことができる。
may-how-often|A player can sell a sack of rice for two gold.
may-how-often|Discarding two cards lets a player stand one piece up again.
may-how-often|It is open to a player to trade three shells for a pearl.
fewer-there|この術を使った人は、敵の駒を二つ裏返す。
fewer-there|庭の花を四輪摘み、花瓶に移す。
fewer-there|Bring back two spirits from the graveyard.
fewer-there|The guest offers three cards from hand to the host.
fewer-there|The top three cards of the opponent's deck go to the graveyard.
impossible|負けた人は、場の駒一つを山札に戻さないといけません。
impossible|The loser has to return one of their pieces to the deck.
impossible|The defender is bound to send one soldier to the front.
cost-in-part|この技の費用は、気力2点と手札1枚です。
cost-in-part|召喚の代償に、兵二体を墓地に置き、銀貨1枚を箱に返す。
cost-in-part|This skill costs two spirit and one card from hand.
cost-in-part|The fee is three shells plus a pearl.
below-zero|負けた側の士気を1落とす。
below-zero|その札の風味は3点低くなります。
below-zero|In fog, the range of archers is two less.
below-zero|Rain brings everybody's firepower down by 1.
below-zero|Each curse token means minus one to magic.
limit-then-what|一人が場に並べられる花は最大で六輪です。
limit-then-what|士気は10より上にはならない。
limit-then-what|A barn takes five sacks and no more.
limit-then-what|No row may contain more than four soldiers.
limit-then-what|Pearls: eight per player is the maximum.
no-otherwise|引いた札を見せ、それが花であれば花瓶に挿す。
no-otherwise|賽の目が4以上なら、攻めは成功です。
no-otherwise|Throw the die: on an odd number the traveller crosses the bridge.
no-otherwise|The opponent names a colour and draws a card if right.
no-otherwise|Both reveal a card; if the numbers are the same, both are discarded.
without-end|以後は、この二つを交互に行う。
without-end|引いた札が花なら、さらに1枚引き、同様に続けます。
without-end|Whenever the dice match they are thrown again.
without-end|If it is a flower, draw another card and carry on like that.
without-end|The procedure is gone through again.
seen-by-whom|手札1枚を相手に見えないように花瓶の下に置く。
seen-by-whom|The caster takes a flower card out of the deck into hand and shuffles.
seen-by-whom|A red card among the top five may be put into the hand; the others are shuffled back.
who-is-meant|主人は客に、自分の花瓶から花を一輪抜かせる。
who-is-meant|The caster forces the other player to turn over two of their pieces.
win-and-lose|The first to ten flowers is the winner. // A player left without cards has lost.
immediately-or-check|Victory is determined solely at dusk. // A vase with more than ten flowers breaks immediately and is discarded.
counted-when|この花の風味は、花瓶の花の本数に等しい。
loop-cases|札どうしが互いを呼び続けて際限がないときは、その勝負を無効とする。
may-and-must-not|雨の日は、何人も橋を渡ってはならない。 // 旅人はいつでも橋を渡ることができる。
may-and-must-not|Thorny flowers can never be picked. // A gardener may pick even thorny flowers.
when-and-after|花を挿す時、札を1枚引く。 // 花を挿した時、札を1枚捨てる。
said-twice|花瓶の花が八輪を超えたら、番の終わりに超えた分を捨てます。 // 花瓶に入るのは八輪までで、九輪目からはその場で捨て場に置かれる。
used-wider|「生け花」とは、花瓶に挿してある花をいいます。 // 捨て場の生け花を1枚手札に加える。
after-move|選んだ花は、ゲームが終わるまで香りが2増える。 // 番の人は花瓶の花を手札に戻してよい。
order-at-once|狼煙が二本以上いっぺんに上がったら、それぞれに書かれた効果をすべて果たします。
order-at-once|選ばなかった札は山札の底へ返します。
order-at-once|Should both castles be struck by one spell, their last stands happen simultaneously, and the effects of both apply.
who-chooses|When the curtain falls, one mask on the stage is torn off.
may-how-often|狼煙を一本消して、兵を二人まで呼び寄せてよい。
may-how-often|蝋燭2本を吹き消せば、客席の札を1枚引き取れます。
may-how-often|By snuffing out two candles a player can win back a card from the audience.
fewer-there|この呪文は、相手の城壁を二枚崩します。
fewer-there|The spell tears down two walls of the other side.
fewer-there|Its owner snuffs out two candles.
impossible|指名された人は、客席の札を1枚舞台に上げなければなりません。
impossible|After that the same player has to light a candle.
cost-in-part|呪文を唱えるときは、手札1枚を燃やし、蝋燭を一本吹き消します。
cost-in-part|A spell is paid for by burning one card and snuffing out one candle.
below-zero|濡れた火薬は、大砲の射程を1縮めます。
below-zero|Wet powder shortens the cannon's range by one.
limit-then-what|蝋燭は九本より多くともしておけない。
limit-then-what|The most candles a player may keep burning is nine.
no-otherwise|客席の一番上の札を表にして、役者であれば舞台に出す。
no-otherwise|Turn over the top card of the audience: an actor is brought on stage.
without-end|二人は蝋燭を一本ずつ、替わる替わる吹き消していく。
seen-by-whom|役者は手札の札1枚を仮面の下に隠しておく。
seen-by-whom|An actor hides one card of the hand face down under the mask.
who-is-meant|The director makes the actor give up one of their candles.
win-and-lose|A player reaching twenty applause wins. // A player whose candles are all out loses.
immediately-or-check|Applause is counted when the curtain falls, and at no other time. // An actor with over fifty applause retires at once.
counted-when|The volume of the choir equals the number of singers on stage.
loop-cases|If spells keep setting each other off without end, nobody wins.
may-and-must-not|A masked actor may speak lines even between acts. // Between acts no actor may ever speak lines.
when-and-after|When an actor leaves the stage, draw a card. // Once an actor has left the stage, discard a card.
said-twice|If there are more than four actors on stage, the extra actors are sent to the wings at curtain fall. // Actors beyond four on the stage are discarded.
used-wider|"lead" means an actor standing in the centre of the stage. // Put a lead from the discard pile into your hand.
after-move|That actor gets two more applause for the rest of the game. // Actors may return to hand between acts.
order-at-once|祭りの夜に鳴る太鼓の効果は、何台あっても同時に働く。
order-at-once|If two foxes fall asleep together, both dream texts are done.
who-chooses|夜が明けると、眠っている狐一匹が起こされる。
who-chooses|At daybreak, one sleeping fox is woken.
may-how-often|団子を二つ食べさせれば、狐を一匹起こすことができます。
may-how-often|The keeper of a drum may put it face down to put a card of the other side face down.
fewer-there|この札を使った人は、山の札を三枚燃やす。
impossible|狐を起こした人は、続けて団子を一つ渡さなくてはいけません。
cost-in-part|太鼓を鳴らす代価は、団子二つと札1枚。
below-zero|狐の尾の数値は、雨が降ると1ずつ下がる。
limit-then-what|祠に供えておける団子は七つまで。
limit-then-what|A shrine can hold seven dumplings at most.
no-otherwise|賽を振って6が出たら、狐は人に化ける。
no-otherwise|On a six the fox turns into a man.
without-end|双方は団子を一つずつ出し合い、これを続けます。
without-end|同じ札が出たら、また一枚ずつめくります。
seen-by-whom|山札から狐を1匹探して手札に入れ、山札を切る。
seen-by-whom|Find a fox in your deck, add it to your hand and shuffle.
who-is-meant|勝った人は負けた人に、自分の狐を一匹眠らせます。
win-and-lose|団子を二十個集めた人の勝ちとなります。 // 狐がすべて眠った人は、負けとなります。
immediately-or-check|勝敗は、番の終わりにだけ確かめます。 // 狐のいなくなった人は、ただちに負けとなります。
counted-when|引く枚数は、起きている狐の数と同じです。
loop-cases|狐が起きたり眠ったりをいつまでも繰り返すときは、その番を終える。
may-and-must-not|眠った狐は、何があっても動かしてはならない。 // 太鼓の持ち主は、眠った狐も動かしてよい。
when-and-after|狐が眠る時、団子を一つ失う。 // 狐が眠った時、札を1枚引く。
said-twice|狐が六匹以上いる人は、番の終わりに五匹になるまで山に戻します。 // 六匹目の狐は、置かれたときに山に戻ります。
used-wider|「化け狐」とは、場で表になっている狐を指します。 // 山札から化け狐を1枚探して見せ、手札に加えます。
after-move|この狐の尾は、ゲームが終わるまで2本増えます。 // 場の狐を手札に戻してもよい。
order-at-once|この札を使った人は、見た札のうち1枚を取り、残りの札は裏向きのまま山札の一番下に入れます。
who-chooses|Avalanche goes to the discard pile once it has been read. Before that, one hut on the slope is crushed along with whatever is in it; if there is no hut, nothing more happens.
may-how-often|A climber in a hut may burn a bundle of wood to move to the next hut. The next hut has to be empty.
fewer-there|「雪かき」を出した人は、捨て場から札を3枚取って切り、裏向きに山札の下に置いてから、1枚引きます。
impossible|「道案内」を出した人は、続けて手札の登山者を一人、空いている山小屋に置かなければならず、その装備は捨てる。
cost-in-part|氷壁を登る登山者は、綱1本と薪2束を箱に返し、それから山頂に進みます。
below-zero|凍傷の印が付いた登山者は、印1個ごとに体の強さが1低くなり、暖まるまで元に戻らない。
limit-then-what|山小屋一軒に泊まる登山者は四人までとし、山頂にはこの定めを当てはめない。
no-otherwise|「賭け」を使った人は、まず山札の一番上を表にします。登山者であれば、その人は登山者を自分の山小屋に入れ、番を続けます。
no-otherwise|賽を二つ振り、合計が7より大きければ雪がやみ、登山者は全員一歩進みます。
without-end|Whoever is hit by a snowball throws one back, then the other throws again, and it continues in this fashion.
seen-by-whom|Rescue lets its user go through the deck for a climber, which is put into the hand; the deck is then shuffled.
who-is-meant|「案内人」を出した人は、左隣の人に、自分の山小屋の登山者を一人、隣の山小屋へ移させる。
win-and-lose|山頂に三人が着いた人の勝ちです。 // 登山者が一人もいなくなった人は、その時点で負けとなり、札を片付けます。
counted-when|The weight of a climber is the number of gear cards attached to it.
may-and-must-not|吹雪の間は、誰も山小屋から出てはなりません。 // 救助犬を連れた登山者は、吹雪の間でも山小屋から出られます。
when-and-after|登山者が山頂に着く時、持ち主は札を1枚引きます。 // 登山者が山頂に着いた時、相手は札を1枚捨てます。
after-move|凍傷の登山者は、ゲームが終わるまで強さが1低くなります。 // 番の人は、山小屋の登山者を一人手札に戻せます。
"""
SETTLED = """\
order-at-once|同時に働く効果は、番の人が決めた順に行います。
order-at-once|残った札は好きな順で山札の下に戻します。
order-at-once|札をすべて切って、新しい山札の下に置きます。
order-at-once|The other cards go to the bottom of the deck in any order.
who-chooses|番の人が船を二隻選び、手札に戻します。
who-chooses|捨て場の一番上の札1枚が裏返されます。
who-chooses|札2枚が各自に配られます。
who-chooses|The top two cards of the deck are discarded.
who-chooses|Two ships are picked by the opponent.
who-chooses|When a ship is sunk, its owner draws a card.
may-how-often|番の終わりに、手札を1枚捨てることで船を1隻起こせます。
may-how-often|「出す」では、費用を払って札を出すことができます。
may-how-often|Once per turn, a player may sell a sack for two coins.
may-how-often|If a ship is sunk, its owner may discard a card to draw a card.
fewer-there|好きな数の札を捨てます。
fewer-there|手札が5枚以上の人は、3枚を捨てます。なければあるだけ捨てます。
fewer-there|山札から2枚引きます。
fewer-there|Draw two cards from the deck.
fewer-there|Lift the top three cards, or all of them if there are fewer.
fewer-there|A turn consists of four steps.
impossible|番の人は札を1枚出さねばならない。出せなければ番を終える。
impossible|札は裏向きでなければなりません。
impossible|The turn player must play a card if able.
impossible|A player must have three coins to build.
cost-in-part|この札の費用は、銀貨2枚と手札1枚です。すべて払えなければ使えません。
cost-in-part|It costs two coins.
cost-in-part|The price is two coins and a card. A player who cannot pay all of it cannot play the card.
below-zero|手札を2枚減らします。
below-zero|手番を1回減らします。
below-zero|Take two cards off the deck.
limit-then-what|銅貨は何枚でも持てます。
limit-then-what|一つの列には5体まで置けます。5体いる列には置けません。
limit-then-what|A player may own any number of coins.
limit-then-what|A row holds at most five soldiers; a soldier cannot be put into a full row.
no-otherwise|賽を振り、4以上なら札を2枚引き、3以下なら1枚捨てます。
no-otherwise|船が沈んだ場合、札を1枚引きます。
no-otherwise|Turn up the top card. If it is a ship, put it into your hand. Anything else is discarded.
without-end|同じ目なら、違う目が出るまで振り直しを繰り返します。
without-end|これを3回繰り返します。
without-end|Play goes on clockwise.
seen-by-whom|山札から船を1枚探し、相手に見せて手札に加えます。
seen-by-whom|手札から1枚を伏せて置き、同時に表にします。
seen-by-whom|Both lay a card face down from hand and reveal them together.
who-is-meant|相手は自分の手札を1枚捨てます。
who-is-meant|A player may put one of their ships back.
may-and-must-not|手札は本人がいつでも見てよい。 // 山札は誰も見てはならない。
may-and-must-not|病の印がある船は、港長が許した時を除き、何があっても出港できない。 // 帆船はいつでも出港することができる。
may-and-must-not|A ship in quarantine may never leave the quay unless the harbour master agrees. // Sailing ships can leave the quay whatever the weather.
tie|旅の最大得点は20です。
tie|旅の最大得点者が船長となります。同点なら、くじで決めます。
both-win|最大得点者が勝者となります。
may-and-must-not|錨の札は予選では使用できない。 // 予選で使用できる札は表に示す。
may-and-must-not|錨のカードは予選では使用できない。 // 帆のカードは、風があればいつでも使用することができる。
when-and-after|船が沈んだ時、札を1枚引く。 // 船が沈んだ時、1点を得る。
said-twice|手札の上限は7枚です。 // 船は5隻まで置けます。
used-wider|「客船」とは、港に停泊している船をいう。 // 港の客船を1枚手札に戻す。
used-wider|"guard" means a soldier that stands in the front row. // A guard in the front row blocks.
after-move|Until the end of the turn that ship has two more cargo. // A player may return a ship to hand.
counted-when|The price is three.
win-and-lose|10点を取った人の勝ちです。 // 山札がなければ札を引けません。
win-and-lose|10点を取った人の勝ちです。 // 山札がないプレイヤーは敗北します。 // 1.1と1.2がともに当てはまるプレイヤーは敗北します。
win-and-lose|A player with nine coins wins the game. // A player whose deck is empty loses the game. // If 1.1 and 1.2 apply to the same player, that player loses.
win-and-lose|A player with nine coins wins the game. // A player whose deck is empty loses the game. // Where both 1.1 and 1.2 apply, the player wins.
immediately-or-check|勝った人はすぐに次の札を出します。
"""


@pytest.mark.parametrize("line", OPEN.splitlines())
def test_what_is_left_open_in_other_words_is_asked_about(line: str) -> None:
    assert len(phrases(*line.split("|"))) == 1


@pytest.mark.parametrize("line", SETTLED.splitlines())
def test_what_is_nearest_and_settled_is_not(line: str) -> None:
    assert phrases(*line.split("|")) == []


@pytest.mark.parametrize(("made", "found", "not_found"), [
    (language.forms("選ぶ 捨て|る 移動"), ["選びます", "選ばれ", "選んで", "捨てる", "捨てさせ", "移動した"], ["引く", "選手"]),
    (language.passive("選ぶ 捨て|る 移動"), ["選ばれる", "捨てられ", "移動され"], ["選ぶ", "捨てる", "移動する"]),
    (language.able("選ぶ 捨て|る 移動"), ["選べる", "捨てられます", "移動できる"], ["選ぶ", "捨てる", "移動する"]),
    (rf"\b{language.words('put carry strip choose')}\b", ["puts", "carried", "stripped", "chosen"], ["putty", "carrier", "strippers", "choosy"]),
])
def test_a_verb_is_found_in_the_forms_that_are_meant(made: str, found: list[str], not_found: list[str]) -> None:
    assert [word for word in (*found, *not_found) if re.match(made, word)] == found
