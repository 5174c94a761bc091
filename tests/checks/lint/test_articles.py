"""Articles and sections: words that number the parts of a book, each beside what only looks like one."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.lint.model import Draft, Style
from rulewright.checks.lint.outline import outline
from rulewright.checks.lint.reading import from_text, read
from rulewright.checks.register.pieces import cut, usual_cut

from .documents import pdf_file
from .test_foreign_layouts import serious, told

LAMPS = """ARTICLE I
HARBOUR

Section 1. The harbour has a lamp.

Section 2. Whoever sails lights it:
(a) in the evening;
(b) in fog.

ARTICLE II - CREW

Section 1. A crew has a mate. See Article I, Section {ref}.

Section 2. A mate may stay, as Section {own} of this Article says, and sings (Article {article}).

Section 3. Who stays puts the lamp out, as Section 2 above says.

ARTICLE III. VOYAGES

Sec. 1: A voyage begins at noon.

Sec. 2: A voyage ends at night (Article II, Sections 1 and 3).
"""


def book(ref: object = 2, own: object = 1, article: str = "III") -> str:
    return LAMPS.format(ref=ref, own=own, article=article)


def draft(text: str, file: str = "book.txt") -> Draft:
    return outline(file, from_text(file, text).lines)


def names(text: str, file: str = "book.txt") -> list[str]:
    return [clause.name for clause in draft(text, file).numbered]


NAMES = ["ARTICLE I", "ARTICLE I, Section 1", "ARTICLE I, Section 2", "ARTICLE II", "ARTICLE II, Section 1", "ARTICLE II, Section 2",
         "ARTICLE II, Section 3", "ARTICLE III", "ARTICLE III, Sec. 1", "ARTICLE III, Sec. 2"]


def test_sections_begin_anew_in_each_article_and_a_title_may_stand_below() -> None:
    found = draft(book())
    assert [clause.name for clause in found.numbered] == NAMES
    assert found.numbered[0].title == "HARBOUR" and found.numbered[3].title == "CREW"
    assert [clause.name for clause in found.clauses if clause.is_item] == ["ARTICLE I, Section 2 (a)", "ARTICLE I, Section 2 (b)"]
    assert told(book(), "book.txt") == []


def test_so_they_are_in_markdown_in_html_and_in_a_pdf(tmp_path: Path) -> None:
    marked = "\n".join(f"### **{line}**" if line.startswith("ARTICLE") else line for line in book().replace("ARTICLE I\nHARBOUR", "ARTICLE I. HARBOUR").split("\n"))
    assert names(marked, "book.md") == NAMES
    page = tmp_path / "book.html"
    page.write_text(f"<html><body><pre>\n{book()}</pre></body></html>", encoding="utf-8")
    printed = tmp_path / "book.pdf"
    printed.write_bytes(pdf_file([line for line in book().split("\n") if line]))
    for file in (page, printed):
        assert [clause.name for clause in outline(file.name, read(file).lines).numbered] == NAMES


@pytest.mark.parametrize(("changed", "line"), [({"ref": 3}, 12), ({"own": 4}, 14), ({"article": "IV"}, 14)])
def test_a_section_or_article_that_there_is_not_is_told(changed: dict[str, object], line: int) -> None:
    assert [(rule, at) for rule, at in told(book(**changed), "book.txt")] == [("reference-missing", line)]  # type: ignore[arg-type]


@pytest.mark.parametrize("cited", ["Section 9 of the Harbour Act", "Constitution Article IX", "Article 9, Section 47 of Robert’s Rules", "Section 501(c)(3)"])
def test_what_is_cited_of_another_document_is_not(cited: str) -> None:
    assert serious(book().replace("A voyage begins at noon.", f"A voyage begins under {cited} at noon."), "book.txt") == []


def test_a_number_left_out_or_used_twice_is_told_within_its_article() -> None:
    assert ("number-skipped", 16) in told(book(own=1).replace("Section 3. Who", "Section 4. Who"), "book.txt")
    assert ("number-repeated", 16) in told(book().replace("Section 3. Who", "Section 2. Who"), "book.txt")
    assert ("number-skipped", 18) in told(book(article="II").replace("ARTICLE III.", "ARTICLE IV."), "book.txt")


def test_a_line_that_goes_on_with_a_reference_is_no_section() -> None:
    text = book().replace("A voyage begins at noon.", "A voyage begins as the mate says, who is chosen by all as told in\nSection 2 of Article I, and at noon under Article II\nSection 3.")
    assert names(text) == NAMES
    assert names("Party A sings.\n\nPart of it is lit.\n\nSection of a ship.\n") == []


def test_numbers_behind_the_word_are_numbers_of_their_own() -> None:
    text = "".join(f"ARTICLE {n} SHIPS\n\n" + "".join(f"Section {k}.{m} A lamp is lit by ship {m}. See Section 2.{m}.\n\n" for m in (1, 2, 3)) for k, n in ((1, "I"), (2, "II"), (3, "III")))
    found = draft(text)
    assert [clause.name for clause in found.numbered if clause.style is Style.DOTTED] == [f"{k}.{m}" for k in (1, 2, 3) for m in (1, 2, 3)]
    assert told(text, "book.txt") == []
    assert told(text.replace("ship 3. See Section 2.3", "ship 3. See Section 2.4", 1), "book.txt") == [("reference-missing", 7)]


def test_ids_are_the_numbers() -> None:
    found = draft(book())
    assert [piece.id for piece in cut(found, usual_cut(found))] == [
        "I", "I.1", "I.2", "I.2(a)", "I.2(b)", "II", "II.1", "II.2", "II.3", "III", "III.1", "III.2"]


CONTENTS = """Article 1 Lamps 3
1.1 Who lights them 3
1.2 When 4
Article 2 Ships 5
2.1 Who sails 5
Article 3 Crews 7

"""


def test_titles_with_pages_that_come_again_are_the_contents() -> None:
    body = "Article 1 Lamps\n\n1.1 Who lights them\nA mate.\n\n1.2 When\nIn fog.\n\nArticle 2 Ships\n\n2.1 Who sails\nAll.\n\nArticle 3 Crews\n\nA crew has 7.\n"
    found = draft(CONTENTS + body)
    assert found.contents is not None and (found.contents.first, found.contents.last) == (1, 6)
    assert [clause.name for clause in found.numbered] == ["Article 1", "1.1", "1.2", "Article 2", "2.1", "Article 3"]
    assert draft(CONTENTS).contents is None  # nothing comes again: the clauses themselves end with numbers


def test_a_count_in_a_deeper_heading_is_no_number() -> None:
    text = "".join(f"# {k} Part\n\n" + "".join(f"## {k}.{m} Turn\n\nDraw.\n\n" for m in (1, 2, 3)) for k in (1, 2, 3))
    assert names(text + "### 3 Players\n\nDraw more.\n\n### 4 Players\n\nDraw less.\n", "book.md") == names(text, "book.md")
    assert names(text + "# 4 Part\n\nDraw.\n", "book.md")[-1] == "4"


KOU = """第1条（目的）灯火の会は港を照らす。
第2条（会員）会員は船を持つ。
2　会員は灯火を点ける。
3　会員は歌う。
第3条（役員）役員は次のとおりとする。
(1) 船長
(2) 航海士
第4条（細則）細則は{ref}に従う。
"""


@pytest.mark.parametrize(("ref", "there"), [("第2条第3項", True), ("第2条第4項", False), ("第2条第二項", True), ("第3条第2号", True), ("第3条第7号", False), ("民法第2条第9項", True)])
def test_a_paragraph_or_item_beyond_those_of_the_article_is_told(ref: str, there: bool) -> None:
    assert told(KOU.format(ref=ref), "book.txt") == ([] if there else [("reference-missing", 8)])


def test_nothing_is_before_the_first_article() -> None:
    assert told(KOU.format(ref="前条"), "book.txt") == []
    assert told(KOU.format(ref="第2条").replace("灯火の会は", "前条の会は"), "book.txt") == [("reference-missing", 1)]
