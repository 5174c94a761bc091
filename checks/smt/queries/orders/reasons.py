"""Why an order was not decided, for people; what the modules say of it themselves is English."""
from __future__ import annotations

import re
from collections.abc import Callable

from .....spec.text import Text

SAID = {
    "too much can come up meanwhile": "処理の間に起こりうることが多すぎる",
    "with these cards alone play does not come to where they are resolved": "このカードだけでは、それらを処理する所に来ない",
    "no position was drawn in which both can be taken": "両方を先に処理できる局面がくじで引けなかった",
    "no difference in positions that were drawn by lot": "くじで引いた局面では違いが出なかった",
    "without the cards that do not exist both orders lead to the same": "ないカードを除くと、どちらの順番でも同じ",
    "what differs cannot be seen: equal cards have changed places": "違うのは同じカードの入れ替わりだけ",
    "both orders lead beyond what is looked at": "どちらの順番も、調べる範囲の先へ続く",
    "who can bring them about was not shown to be the same": "誰が実現できるかが同じだとは示せなかった",
    "decided otherwise, both orders lead to the same in the position that was found": "見つかった局面では、ほかの選択をすればどちらの順番でも同じ",
    "the time limit was reached": "時間の上限に達した",
    "interrupted": "中断された",
    "no time was left": "時間が残っていない",
}
NO_ANSWER = re.compile(r"no answer within (\S+) s( to who can bring them about)?")
OVER = re.compile(r"not asked: (\S+) s were over")
PAIR = re.compile(r"order (\w+) (\S+) (\S+)")


def reason(said: str) -> Text:
    """A reason, or several in a row."""
    return Text(ja="。".join(map(_one, said.split("; "))), en=said)


def _one(said: str) -> str:
    if (found := NO_ANSWER.fullmatch(said)) is not None:
        return f"{found[1]}秒以内に答えが出ない" + ("（誰が実現できるか）" if found[2] else "")
    if (found := OVER.fullmatch(said)) is not None:
        return f"{found[1]}秒の上限に達したので尋ねていない"
    return SAID.get(said) or f"規則のこの書き方は問いに訳せない: {said}"


def pair_in_words(name: str, called: Callable[[str], Text]) -> Text:
    """The name of a question about two abilities; anything else as it is."""
    found = PAIR.fullmatch(name)
    if found is None:
        return Text.same(name)
    what = called(found[1])
    return Text(ja=f"{what.ja}の {found[2]} と {found[3]}", en=name)
