"""Numbers at the beginning of a line: `10.5.3.1.`, `215.4b`, `§9`, `9-2-1`, `第3章`, `(2)`, `③`, `iii:`, `A.` …

What is found here is a candidate. Whether a line is a clause is decided by `outline`, which knows the whole draft."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from .model import Label, Line, Style

KANJI_DIGITS = {c: i for i, c in enumerate("〇一二三四五六七八九")}
FULL = str.maketrans("０１２３４５６７８９．－（）：", "0123456789.-():")
"""Full-width forms, one character for one: offsets stay true."""
CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
ROMANS = tuple(
    tens + ones
    for tens in ("", "x", "xx", "xxx", "xl")
    for ones in ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
)[1:]

_MARKS = re.compile(
    r"[ \t\u3000]*(?P<heading>#{1,6}(?=[ \t\u3000]|[^#\s]))?[ \t\u3000]*(?P<bullet>[-*+・•●◆■](?=[ \t\u3000]))?"
    r"[ \t\u3000]*(?P<bold>\*\*)?"
)
_CHAPTER = re.compile(
    r"第[ \u3000]?(?P<n>\d{1,3}|[一二三四五六七八九十百]{1,5})[ \u3000]?(?P<unit>[章部編節条項])(?:の(?P<sub>\d{1,3}))?"
)
_PARAGRAPH = re.compile(r"(?P<n>\d{1,3}|[一二三四五六七八九十百]{1,5})項(?P<sub>(?!))?(?=[\s（(]|$)")  # `### 三項`
UNIT = r"(?:ARTICLE|Article|ART\.|Art\.|SECTION|Section|SECT?\.|Sect?\.|CHAPTER|Chapter|PART|Part|RULE|Rule|BY-?LAW|By-?[Ll]aw)"
"""A word for a part of a book that is numbered."""
_WORDED = re.compile(
    rf"(?P<written>{UNIT}(?:[ \t\u3000]+|(?<=\.)|(?=\d))(?:[IVXL]{{1,7}}\.(?=\d))?(?P<n>\d{{1,3}}(?:\.\d{{1,3}}){{0,9}}|[IVXL]{{1,7}}|[A-H]))(?:\*\*)?"
    rf"(?:[.:)](?![\d)])(?:\*\*)?[ \t\u3000]*(?:[-–—―:|][ \t\u3000]*)?|[ \t\u3000]*(?:$|[-–—―:|][ \t\u3000]*(?!\d))|[ \t\u3000]+(?=[“\"'‘(\[*]*[A-Z])(?!{UNIT}[ \t][\dIVXL]))"
)
"""`ARTICLE IV`, `Section 2. …`, `Sec. 2 – …`, `Section 1.1 Name`; not `Section 2 of …`, `Article IV, Section 2`, `Section 3(a)`."""
_APPENDIX = re.compile(r"(?:附則|付則|付録|別表|Appendix)[ ]?(?P<n>\d{1,3}|[A-Z])(?!\d)", re.IGNORECASE)
_SECTION = re.compile(r"§[ ]?(?P<n>\d{1,3}(?:[.-]\d{1,3}){0,19})")
_DOTTED = re.compile(r"(?P<n>\d{1,4}(?:\.\d{1,3}){1,19}(?!\.\d))(?:\.?(?P<letter>[a-z](?![a-zA-Z])))?(?P<stop>\.(?!\d))?")
_BELOW_LETTER = re.compile(r"\d{1,4}(?:\.\d{1,3}){1,19}\.?[a-z]\.(?P<n>\d{1,3}|[ivx]{1,5})(?![A-Za-z0-9])\.?")
"""`51.3.b.iv`: an item of 51.3b."""
_DASHED = re.compile(r"(?P<n>\d{1,3}(?:-\d{1,3}){1,19})(?P<letter>[a-z](?![a-zA-Z]))?(?![-\d/])(?P<stop>[.](?!\d))?")
_LETTERED = re.compile(r"(?P<n>\d{1,4})(?P<letter>[a-z])(?P<stop>\.)?(?=[ \t\u3000])")
_MIXED = re.compile(r"(?P<n>\d{1,3}[a-z](?:\d{1,2}(?:[a-z]\d{0,2})?)?|[A-Z]\d{1,2}(?:[a-z](?:\d{1,2}[a-z]?)?)?)\)(?=[ \t\u3000])")
_ITEM = re.compile(r"(?P<open>\()?(?P<n>\d{1,2}(?:-\d{1,2})?|[a-z]{1,5}|[A-Z])(?P<close>\))")
_SINGLE = re.compile(r"(?P<n>\d{1,4})\.(?![\d.])")
_PLAIN = re.compile(r"(?P<n>\d{1,3})(?=[ \t\u3000]+[^\s\d.])")
_ROMAN = re.compile(r"(?P<n>[ivx]{1,5})(?:-(?P<sub>[A-Z]))?(?:[ ]?:|\.)(?!\S?\.)")
_LETTER = re.compile(r"(?P<n>[A-Z])\.(?=[ \t\u3000]|[^\x00-\x7f])")
_GOES_ON = re.compile(r"[ ][a-z]")
"""Behind `Appendix C`: it is the subject of a sentence."""
_PARTICLE = re.compile(
    r"(?![ \t]+(?:の(?![とたうよいほまみもか])|と(?![おときもすいはみあしなの])|も(?![のしとあ]))[ぁ-ん])"  # 7.5 とちゅうで, 6.2 のれん
    r"[ \t]*(?:の|に|を|で(?!ッ)|は(?!じ)|が|と(?!ば)|から|まで|へ|も(?![うっしのちとらど])|や|及び|および|または|より|か[らつ、]"
    r"|[、。,）)」』〜～–—/%％])|(?:倍|枚|点|個|人|回|体|秒|分間|年)(?![一-龠ァ-ヴ])|以上|以下|未満|つの"
)
_TITLED = re.compile(
    r"[ ]?[（(「][^（()）「」]{1,30}[）)」][*]*[ ]?(?:[、，のにはがをとで]|及び|および|又は|または|並びに|第[\d一二三四五六七八九十]{1,3}[項号])|(?:記載|所定|規定|本文|前段|後段|但し?書|ただし書|各[項号]|第?[\d一二三四五六七八九十]{1,3}[項号])")
"""`第14条（損害賠償）、第15条…`: cited with its title; `第1条記載の`: cited with what of it is meant."""
_COUNTS = re.compile(r"[ \t]+(?:[a-z(%]|[-–—+×x=] )")
"""Behind a number without a point: it counts what follows (`10 rolls`)."""
_MULTIPLIES = re.compile(r"[ \t]*[(（]?[×✕÷+*=<>≤≥≦≧%％][ \d]")
_COUNTED = re.compile(r"[ \t]+(?:倍|枚|点|個|人|回|体|秒|分間|年|以上|以下|未満)(?![一-龠ァ-ヴ])")


def read_marks(number: int, text: str, heading: int = 0) -> Line:
    """A line with the Markdown in front of it recognised."""
    marks = _MARKS.match(text)
    assert marks is not None
    start = marks.end()
    if marks["heading"]:
        heading = len(marks["heading"])
    indent = len(text) - len(text.lstrip(" \t\u3000"))
    bullet = bool(marks["bullet"])
    if start < len(text) and not marks["heading"] and text[start] in "•●◆■" and not bullet:
        bullet = True
    return Line(number, text, heading, start, bullet or text.lstrip(" \t\u3000").startswith(("・", "◆", "•")), indent)


def candidates(line: Line) -> Sequence[Label]:
    """What the beginning of the line could be, the likeliest first. Numbers that are cited at the beginning of a line
    (`10.5.3.1 に戻り…`) are left out."""
    body = line.body.translate(FULL)
    if not body or line.verbatim:
        return ()
    first = body[0]
    if first in CIRCLED:
        return (Label(Style.CIRCLED, first, (CIRCLED.index(first) + 1,), _past(body, 1)),)
    found: list[Label] = []
    if first == "第" or (line.heading and _PARAGRAPH.match(body)):
        match = (_CHAPTER if first == "第" else _PARAGRAPH).match(body)
        if match and not _cited(body, match.end(), False) and not _TITLED.match(body, match.end()):
            parts = (whole(match["n"]), *((int(match["sub"]),) if match["sub"] else ()))
            found.append(Label(Style.CHAPTER, re.sub(r"\s", "", match[0]), parts, _past(body, match.end())))
    elif first == "§":
        match = _SECTION.match(body)
        if match and not _cited(body, match.end(), False):
            parts = tuple(map(int, re.split(r"[.-]", match["n"])))
            style = Style.SECTION if len(parts) == 1 else Style.DASHED if "-" in match["n"] else Style.DOTTED
            found.append(Label(style, match[0], parts, _past(body, match.end())))
    elif first.isascii() and first.isdigit():
        found += _mixed(body) or _numeric(body, bool(line.heading))
        if line.item is not None and line.item.number is not None and found and found[0].style is Style.SINGLE:
            found[0] = replace(found[0], written=f"{line.item.number}.", parts=(line.item.number,))
    elif (
        first in "附付別aA"
        and (match := _APPENDIX.match(body))
        and not _cited(body, match.end(), False)
        and not _GOES_ON.match(body, match.end())
    ):
        n = match["n"]
        number = int(n) if n.isdigit() else ord(n.upper()) - 64
        found.append(Label(Style.APPENDIX, match[0], (number,), _past(body, match.end())))
    elif "A" <= first <= "Z":
        found += _worded(body) or _mixed(body)
    if not found and (first == "(" or (first.isascii() and first.isalnum())):
        found += _item(body)
    return found


def _worded(body: str) -> list[Label]:
    """`ARTICLE IV`; what stands behind the word with a point is a number of its own: `Section 1.1`."""
    match = _WORDED.match(body)
    if match is None:
        return []
    n, end = match["n"], match.end()
    if "." in n:
        return [Label(Style.DOTTED, n, tuple(map(int, n.split("."))), end, stopped=True)]
    return [Label(Style.CHAPTER, match["written"], (whole(n),), end)] if n.isdigit() or whole(n) else []


def _mixed(body: str) -> list[Label]:
    """`2e3b)`: figures and letters by turns."""
    match = _MIXED.match(body)
    return [Label(Style.MIXED, match[0].rstrip(")"), turns(match["n"]), _past(body, match.end()))] if match else []


def turns(written: str) -> tuple[int, ...]:
    """`2e3b` is 2, 5, 3, 2; a capital letter in front is a number beyond all others."""
    parts = re.findall(r"\d+|[A-Za-z]", written)
    return tuple(int(one) if one.isdigit() else ord(one) - 96 if one.islower() else 1000 + ord(one) for one in parts)


def _numeric(body: str, heading: bool) -> list[Label]:
    if match := _BELOW_LETTER.match(body):
        n = match["n"]
        style, number = (
            (Style.PAREN, int(n)) if n.isdigit() else (Style.ROMAN, ROMANS.index(n) + 1 if n in ROMANS else 0)
        )
        return [Label(style, match[0], (number,), _past(body, match.end()))] if number else []
    if match := _DOTTED.match(body):
        parts = tuple(map(int, match["n"].split(".")))
        if match["letter"]:
            parts = (*parts, ord(match["letter"]) - 96)
        if (
            parts[0] > 999
            or _MULTIPLIES.match(body, match.end())
            or re.match(r"[ ]?版", body[match.end() :])
            or (not match["stop"] and not heading and _cited(body, match.end(), False))
        ):
            return []
        return [
            Label(Style.DOTTED, match[0], parts, _past(body, match.end()), bool(match["letter"]), bool(match["stop"]))
        ]
    if match := _DASHED.match(body):
        if body[match.end() : match.end() + 1] == ")":
            return []
        if not heading and _cited(body, match.end(), bool(match["stop"])):
            return []
        parts = tuple(map(int, match["n"].split("-")))
        parts = (*parts, ord(match["letter"]) - 96) if match["letter"] else parts
        end = _past(body, match.end())
        return [Label(Style.DASHED, match[0], parts, end, bool(match["letter"]), bool(match["stop"]))]
    if match := _SINGLE.match(body):
        return (
            []
            if _cited(body, match.end(), True)
            else [Label(Style.SINGLE, match[0], (int(match["n"]),), _past(body, match.end()), stopped=True)]
        )
    if match := _LETTERED.match(body):
        return [
            Label(Style.DOTTED, match[0], (int(match["n"]), ord(match["letter"]) - 96), _past(body, match.end()), True)
        ]
    if (
        (match := _PLAIN.match(body))
        and not _COUNTS.match(body, match.end())
        and not _cited(body, match.end(), False)
        and not _COUNTED.match(body, match.end())
    ):
        return [Label(Style.PLAIN, match[0], (int(match["n"]),), _past(body, match.end()))]
    return []


def _item(body: str) -> list[Label]:
    if match := _ITEM.match(body):
        n = match["n"]
        end = _past(body, match.end())
        if body[match.end() : match.end() + 1] in "のとにをでがはへもや、。":
            return []
        if n[0].isdigit():
            parts = tuple(map(int, n.split("-")))
            return [Label(Style.PAREN, match[0], parts, end)]
        if n in ROMANS:
            return [Label(Style.ROMAN, match[0], (ROMANS.index(n) + 1,), end)]
        if len(n) == 1:
            return [Label(Style.LETTER, match[0], (ord(n.lower()) - 96,), end)]
        return []
    if (match := _ROMAN.match(body)) and match["n"] in ROMANS:
        sub = (ord(match["sub"]) - 64,) if match["sub"] else ()
        return [
            Label(Style.ROMAN, match[0].rstrip(":. "), (ROMANS.index(match["n"]) + 1, *sub), _past(body, match.end()))
        ]
    if match := _LETTER.match(body):
        return [Label(Style.LETTER, match[0].rstrip("."), (ord(match["n"]) - 64,), _past(body, match.end()))]
    return []


def _past(body: str, end: int) -> int:
    """The end of the white space (and closing `**`) behind a label."""
    match = re.compile(r"(?:\*\*)?[:：]?[ \t\u3000]*").match(body, end)
    return match.end() if match else end


def _cited(body: str, end: int, stopped: bool) -> bool:
    """Does what follows show that the number is cited, or counts something?"""
    if re.match(r"[ ]?[-–~〜～][ ]?\d+[.]?\d", body[end:]):
        return True  # `1.16-1.18`
    if stopped:
        return bool(re.match(r"(?:に|へ|を|で|が|は)[^\s]", body[end:])) and not body[end:].startswith(("はじ", "にら"))
    return _PARTICLE.match(body, end) is not None


_IN_CIRCLES = re.compile("[\u2460-\u24ff\u2776-\u2793]")


def same_width(text: str) -> str:
    """A text in one width (NFKC). A number in a circle stays apart from a figure in front of it: `2①` is not 21."""
    return unicodedata.normalize("NFKC", _IN_CIRCLES.sub(r"(\g<0>)", text))


def whole(number: str) -> int:
    """An integer in Arabic, Chinese or Roman figures, or as a letter; 0 if it is none."""
    number = unicodedata.normalize("NFKC", number)
    if number.isdigit():
        return int(number)
    if number.isascii():
        return (
            ROMANS.index(number.lower()) + 1
            if number.lower() in ROMANS
            else ord(number) - 64
            if len(number) == 1
            else 0
        )
    total, current = 0, 0
    for c in number:
        if c in KANJI_DIGITS:
            current = KANJI_DIGITS[c]
        else:
            total += (current or 1) * (10 if c == "十" else 100)
            current = 0
    return total + current


# ---------------------------------------------------------------- automatic numbers
AIUEO = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"
IROHA = "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン"
_KANJI = "〇一二三四五六七八九"


def written(number: int, form: str) -> str:
    """A number as programs that number by themselves write it (the forms have Word's names)."""
    match form:
        case "lowerRoman" | "upperRoman" if 1 <= number <= len(ROMANS):
            roman = ROMANS[number - 1]
            return roman if form == "lowerRoman" else roman.upper()
        case "lowerLetter" | "upperLetter" if 1 <= number <= 26:
            return chr((96 if form == "lowerLetter" else 64) + number)
        case "decimalEnclosedCircle" if 1 <= number <= len(CIRCLED):
            return CIRCLED[number - 1]
        case "japaneseCounting" | "ideographDigital" if 1 <= number <= 99:
            tens, ones = divmod(number, 10)
            return ("" if tens == 0 else "十" if tens == 1 else _KANJI[tens] + "十") + (_KANJI[ones] if ones else "")
        case "aiueo" | "aiueoFullWidth" if 1 <= number <= len(AIUEO):
            return AIUEO[number - 1]
        case "iroha" | "irohaFullWidth" if 1 <= number <= len(IROHA):
            return IROHA[number - 1]
        case "decimalZero":
            return f"{number:02}"
        case _:
            return str(number)
