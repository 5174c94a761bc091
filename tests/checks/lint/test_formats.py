"""Word documents, spreadsheets and PDF files, down to the findings in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.lint.findings import Found
from rulewright.checks.lint.linting import Options, Report, lint
from rulewright.checks.lint.model import Located
from rulewright.checks.lint.reading import read
from rulewright.spec.diagnostics import BadInput
from rulewright.spec.text import Text

from .documents import PICTURE, deleted, inserted, paragraph, pdf_file, run, sheet_file, word_file

DRAFTS = sorted((Path(__file__).parent / "drafts").iterdir())
LEVELS = "".join(
    f'<w:lvl w:ilvl="{i}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="{text}"/></w:lvl>'
    for i, text in enumerate(("%1.", "%1.%2."))
)
NUMBERING = (
    f'<w:abstractNum w:abstractNumId="0">{LEVELS}</w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
)


def saved(tmp_path: Path, name: str, content: bytes) -> Path:
    path = tmp_path / name
    path.write_bytes(content)
    return path


def texts(path: Path, changes: str = "accepted") -> list[str]:
    return [line.text for line in read(path, changes=changes).lines]


def rules(path: Path, changes: str = "accepted") -> list[str]:
    return [one.rule for one in lint(path, Options(changes=changes)).found]


def listed(level: int, content: str, mark: str = "") -> str:
    return paragraph(content, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="1"/></w:numPr>{mark}')


# ---------------------------------------------------------------- Word: tracked changes
CHANGED = paragraph(run("1.1. ") + deleted("旧") + inserted("新") + run("しい文です。"))
MOVED = paragraph(run("1.2. ") + f'<w:moveFrom w:id="3">{run("前に")}</w:moveFrom>' + run("置く。")) + paragraph(
    run("1.3. ") + f'<w:moveTo w:id="4">{run("前に")}</w:moveTo>' + run("引く。")
)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ("accepted", ["1.1. 新しい文です。", "1.2. 置く。", "1.3. 前に引く。"]),
        ("original", ["1.1. 旧しい文です。", "1.2. 前に置く。", "1.3. 引く。"]),
    ],
)
def test_tracked_changes_are_accepted_or_undone(tmp_path: Path, changes: str, expected: list[str]) -> None:
    assert texts(saved(tmp_path, "draft.docx", word_file(CHANGED + MOVED)), changes) == expected


def test_a_paragraph_whose_end_was_taken_out_runs_on_and_is_not_counted(tmp_path: Path) -> None:
    gone, new = "<w:rPr><w:del/></w:rPr>", "<w:rPr><w:ins/></w:rPr>"
    body = (
        listed(0, run("概要"))
        + listed(1, deleted("消した条文。"), gone)
        + listed(1, run("人数"))
        + listed(1, inserted("足した条文。"), new)
        + listed(1, run("勝敗"))
    )
    path = saved(tmp_path, "draft.docx", word_file(body, NUMBERING))
    assert texts(path) == ["1. 概要", "1.1. 人数", "1.2. 足した条文。", "1.3. 勝敗"]
    assert texts(path, "original") == ["1. 概要", "1.1. 消した条文。", "1.2. 人数", "1.3. 勝敗"]


def versions() -> bytes:
    """Before the changes a reference that leads nowhere; after them a clause without text."""
    heads = "".join(paragraph(run(text)) for text in ("1. 甲", "1.1. 乙", "1.1.1. 丙です。"))
    changed = paragraph(run("1.1.2. ") + deleted("9.9.9") + inserted("1.1.1") + run(" に従います。"))
    emptied = paragraph(run("1.1.3. ") + deleted("丁です。"))
    return word_file(heads + changed + emptied)


def test_each_version_is_linted_as_it_reads(tmp_path: Path) -> None:
    path = saved(tmp_path, "draft.docx", versions())
    assert rules(path) == ["clause-empty"]
    assert rules(path, "original") == ["reference-missing"]
    both = lint(path, Options(changes="both")).found
    assert [(one.rule, before(one)) for one in both] == [("reference-missing", True), ("clause-empty", False)]


def before(one: Found) -> bool:
    return one.message.en.startswith("before the changes only") and one.message.ja.startswith("変更前のみ")


# ---------------------------------------------------------------- Word: the rest
def test_automatic_numbers_are_counted_as_word_does(tmp_path: Path) -> None:
    body = "".join(
        listed(level, run(text)) for level, text in ((0, "概要"), (1, "人数"), (1, "勝敗"), (0, "手順"), (1, "順番"))
    )
    path = saved(tmp_path, "draft.docx", word_file(body, NUMBERING))
    assert texts(path) == ["1. 概要", "1.1. 人数", "1.2. 勝敗", "2. 手順", "2.1. 順番"]
    assert [clause.name for clause in lint(path, Options()).draft.numbered] == ["1", "1.1", "1.2", "2", "2.1"]


def test_what_is_there_for_older_programs_or_above_a_word_is_not_read_twice(tmp_path: Path) -> None:
    box = (
        '<mc:AlternateContent xmlns:mc="urn:mc"><mc:Choice><w:txbxContent>'
        + paragraph(run("1.2. 箱の中です。"))
        + "</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>"
        + paragraph(run("1.2. 箱の中です。"))
        + "</w:txbxContent></mc:Fallback></mc:AlternateContent>"
    )
    ruby = f"<w:ruby><w:rt>{run('ふだ')}</w:rt><w:rubyBase>{run('札')}</w:rubyBase></w:ruby>"
    body = paragraph(run("1.1. ") + ruby + run("です。")) + f"<w:p><w:r>{box}</w:r></w:p>"
    path = saved(tmp_path, "draft.docx", word_file(body))
    assert [text for text in texts(path) if text] == ["1.1. 札です。", "1.2. 箱の中です。"]


@pytest.mark.parametrize("draft", DRAFTS, ids=lambda path: path.name)
def test_nothing_is_reported_in_a_clean_draft_kept_as_a_word_document_or_as_pdf(tmp_path: Path, draft: Path) -> None:
    lines = draft.read_text(encoding="utf-8").split("\n")
    word = saved(tmp_path, "draft.docx", word_file("".join(paragraph(run(line)) for line in lines)))
    assert rules(word) == []
    pytest.importorskip("pypdfium2")
    assert rules(saved(tmp_path, "draft.pdf", pdf_file(lines))) == []


def test_a_style_has_the_numbers_of_the_style_that_it_is_based_on(tmp_path: Path) -> None:
    styles = (
        '<w:style w:styleId="A"><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
        '<w:style w:styleId="B"><w:basedOn w:val="A"/></w:style><w:style w:styleId="C"><w:basedOn w:val="D"/></w:style><w:style w:styleId="D"><w:basedOn w:val="C"/></w:style>'
    )
    body = listed(0, run("概要")) + "".join(paragraph(run(text), f'<w:pStyle w:val="{style}"/>') for style, text in (("A", "人数"), ("B", "勝敗"), ("C", "余談"), ("A", "順番")))
    assert texts(saved(tmp_path, "draft.docx", word_file(body, NUMBERING, styles))) == ["1. 概要", "1.1. 人数", "1.2. 勝敗", "余談", "1.3. 順番"]


def test_numbers_of_a_list_style_and_numbers_in_kana_are_those_that_word_shows(tmp_path: Path) -> None:
    kana = '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="{}"/><w:lvlText w:val="(%2)"/></w:lvl>'
    for form, shown in (("aiueoFullWidth", "アイウ"), ("iroha", "イロハ")):
        numbering = (
            f'<w:abstractNum w:abstractNumId="0"><w:styleLink w:val="L"/>{LEVELS.partition("</w:lvl>")[0]}</w:lvl>{kana.format(form)}</w:abstractNum>'
            '<w:abstractNum w:abstractNumId="1"><w:numStyleLink w:val="L"/></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'
        )
        body = listed(0, run("概要")) + "".join(listed(1, run("札")) for _ in range(3))
        assert texts(saved(tmp_path, "draft.docx", word_file(body, numbering))) == ["1. 概要", *(f"({letter}) 札" for letter in shown)]


def test_articles_that_go_on_through_chapters_are_counted_on(tmp_path: Path) -> None:
    level = '<w:lvl w:ilvl="{}"><w:start w:val="1"/><w:numFmt w:val="decimal"/>{}<w:lvlText w:val="{}"/></w:lvl>'
    for restart, shown in (('<w:lvlRestart w:val="0"/>', "第3条"), ("", "第1条")):
        numbering = (
            f'<w:abstractNum w:abstractNumId="0">{level.format(0, "", "第%1章")}{level.format(1, restart, "第%2条")}</w:abstractNum>'
            '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
        )
        body = "".join(listed(depth, run("札")) for depth in (0, 1, 1, 0, 1))
        assert texts(saved(tmp_path, "draft.docx", word_file(body, numbering))) == ["第1章 札", "第1条 札", "第2条 札", "第2章 札", f"{shown} 札"]


def test_that_notes_are_not_read_is_said(tmp_path: Path) -> None:
    body = paragraph(run("1.1. 札を引く。") + '<w:r><w:footnoteReference w:id="2"/></w:r>')
    assert [note.en for note in read(saved(tmp_path, "draft.docx", word_file(body))).notes] == ["Footnotes and endnotes were not read: 1"]
    assert read(saved(tmp_path, "draft.docx", word_file(paragraph(run("1.1. 札を引く。"))))).notes == []


# ---------------------------------------------------------------- HTML
def test_numbers_icons_and_readings_are_those_that_a_reader_of_a_page_sees(tmp_path: Path) -> None:
    page = """<html><body><p>1.1. <ruby>札<rp>(</rp><rt>ふだ</rt><rp>)</rp></ruby>を<img src="f.png" alt="火">で払う。</p>
<ol><li>置く。</li><li value="4">引く。</li><li>捨てる。</li></ol><ol type="a" start="2"><li>切る。</li></ol></body></html>"""
    found = texts(saved(tmp_path, "draft.html", page.encode()))
    assert [text.strip() for text in found if text.strip()] == ["1.1. 札を火で払う。", "1. 置く。", "4. 引く。", "5. 捨てる。", "b. 切る。"]


# ---------------------------------------------------------------- spreadsheets
def test_rows_of_a_spreadsheet_are_lines_and_sheets_have_names(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    rows = [("1.", "概要"), ("1.1.", "二人で遊びます。"), ("1.3.", "七枚です。"), (2.0, "枚")]
    path = saved(tmp_path, "draft.xlsx", sheet_file([("規則", rows)]))
    report = lint(path, Options())
    assert [(one.rule, report.source.places[one.line]) for one in report.found] == [("number-skipped", "規則!3")]
    assert texts(path)[-1] == "2 枚"
    several = saved(tmp_path, "two.xlsx", sheet_file([("規則", rows[:2]), ("一覧", [("札", "数")])]))
    assert texts(several) == ["規則", "1. 概要", "1.1. 二人で遊びます。", "一覧", "札 数"]


def test_what_is_said_of_another_row_names_the_row(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    rows = [("1.1.", "二人で遊びます。"), ("1.2.", "五枚引きます。"), ("1.3.", "七枚です。")]
    path = saved(tmp_path, "draft.xlsx", sheet_file([("規則", rows), ("続き", [("1.4.", "引きます。"), ("1.3.", "捨てます。"), ("1.5", "以上")])]))
    (twice,) = (one for one in lint(path, Options()).found if one.rule == "number-repeated")
    assert (twice.message.ja, twice.message.en) == ("番号「1.3.」は 規則!3にもあります", "the number 1.3. is also on 規則!3")
    assert Located({7: "p.2", 8: "p.2", 9: "p.3"}).on(7, 8, 9, more=True) == Text("p.2、p.3 など", "p.2, p.3 …")
    assert Located().on(7, 9) == Text("7、9 行目", "lines 7, 9") and Located().on(7) == Text("7 行目", "line 7")
    assert Located({7: "p.2", 9: "p.3"}).through(7, 9) == Text("p.2〜p.3", "p.2-p.3")


# ---------------------------------------------------------------- PDF
def pages(count: int) -> list[str]:
    """So many pages of forty lines, each with a running head and the number of the page."""
    lines: list[str] = []
    number = 0
    for page in range(1, count + 1):
        lines += ["灯台の島 総合ルール"]
        for _ in range(38):
            number += 1
            section, clause = divmod(number - 1, 19)
            lines.append(
                f"{section + 1}.{clause}. 場所" if clause == 0 else f"{section + 1}.0.{clause}. 札{number}を置く。"
            )
        lines += [f"- {page} -"]
    return lines


def pdf_report(tmp_path: Path, lines: list[str]) -> Report:
    return lint(saved(tmp_path, "draft.pdf", pdf_file(lines)), Options())


def test_running_heads_and_page_numbers_are_no_part_of_the_text(tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2")
    report = pdf_report(tmp_path, pages(4))
    assert report.found == [] and report.draft.unplaced == []
    assert "総合ルール" not in report.draft.text
    assert len(report.draft.numbered) == 4 * 38


def test_findings_in_a_pdf_stand_on_their_page(tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2")
    lines = pages(4)
    lines[85] = lines[85].replace("置く。", "置く。8.8.8に従う。")
    report = pdf_report(tmp_path, lines)
    assert [(one.rule, report.source.places[one.line]) for one in report.found] == [("reference-missing", "p.3")]


def test_a_sentence_that_runs_on_over_the_page_is_one(tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2")
    lines = pages(3)
    lines[38] = lines[38].replace(
        "札38を置く。", "とても長い文なので、ページの終わりまで来てもまだ終わらずに次のページに続いてい"
    )
    lines[40:42] = ["灯台の島 総合ルール", "る文です。札を置く。"]
    report = pdf_report(tmp_path, lines[:41] + lines[41:])
    assert any("続いている文です。" in clause.text for clause in report.draft.clauses)


def test_pages_without_text_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2")
    with pytest.raises(BadInput) as caught:
        lint(saved(tmp_path, "draft.pdf", pdf_file([])), Options())
    assert caught.value.diagnostics[0].code == "no-text"


def test_titles_that_count_with_the_pages_are_no_running_heads(tmp_path: Path) -> None:
    """Chapter 3 begins on page 3."""
    pytest.importorskip("pypdfium2")
    lines = [line for page, title in enumerate(("準備", "ターン", "戦闘", "決着"), 1) for line in
             [f"{page} {title}", *(f"{page}.{k} 札を{title}{k}回置く。" for k in range(1, 40))]]
    report = pdf_report(tmp_path, lines)
    assert [clause.name for clause in report.draft.numbered if "." not in clause.name] == ["1", "2", "3", "4"]
    assert report.source.notes == []


def test_what_is_left_out_of_a_pdf_is_said(tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2")
    lines = [*pages(4), PICTURE]
    report = pdf_report(tmp_path, lines)
    assert [note.en for note in report.source.notes] == [
        "Pages without text (only pictures, it seems; they were not read): p.5",
        "Lines left out as running heads and page numbers: 8 (灯台の島 総合ルール / - 1 -)",
    ]
