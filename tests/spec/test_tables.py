"""Cards in tables: what is read from CSV and spreadsheets, and where a mistake is said to stand."""
from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.spec.cards import Card
from rulewright.spec.diagnostics import BadInput
from rulewright.spec.document import TextNode
from rulewright.spec.tables import read_card_table, separated, sheets
from rulewright.spec.workbook import text_of

ROWS = [
    ["カード番号", "カード名", "英語名", "種類", "人物名", "花嫁力", "テキスト"],
    ["T-1", "読む三玖", "Miku reading", "キャラ", "三玖、五月", "2", "【自動】登場した時、\n「はい」と言う。"],
    ["T-2", "聞く四葉", "", "キャラ", "四葉", "3", ""],
]


def written(rows: list[list[str]], separator: str = ",") -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=separator).writerows(rows)
    return out.getvalue()


def spreadsheet(path: Path, rows: list[list[object]], title: str = "札") -> Path:
    openpyxl = pytest.importorskip("openpyxl", reason="needs the extra xlsx")
    book = openpyxl.Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def as_read(cards: tuple[Card, ...]) -> list[tuple[str, str, str, list[str], list[str]]]:
    """What a card says, without places."""
    out: list[tuple[str, str, str, list[str], list[str]]] = []
    for c in cards:
        persons = c.attributes["人物名"].value
        nodes = persons if isinstance(persons, tuple) else (persons,)
        out.append((c.id.value, c.name.ja, c.name.en, [n.text for n in nodes], [t.text for t in c.texts]))
    return out


MEANT = [
    ("T-1", "読む三玖", "Miku reading", ["三玖", "五月"], ["【自動】登場した時、\n「はい」と言う。"]),
    ("T-2", "聞く四葉", "聞く四葉", ["四葉"], []),
]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932"])
def test_csv_of_the_usual_encodings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "cards.csv"
    path.write_bytes(written(ROWS).encode(encoding))
    assert as_read(read_card_table(path)) == MEANT


def test_tsv_and_spreadsheets_say_the_same(tmp_path: Path) -> None:
    path = tmp_path / "cards.tsv"
    path.write_text(written(ROWS, "\t"), encoding="utf-8")
    assert as_read(read_card_table(path)) == MEANT
    numbers: list[list[object]] = [[int(c) if c.isdigit() else c or None for c in row] for row in ROWS]
    cards = read_card_table(spreadsheet(tmp_path / "cards.xlsx", numbers))
    assert as_read(cards) == MEANT
    power = cards[0].attributes["花嫁力"].value
    assert isinstance(power, TextNode) and power.text == "2"


def test_places_are_those_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "cards.csv"
    path.write_text(written(ROWS).replace("はい", 'は""い'), encoding="utf-8")
    first, second = read_card_table(path)
    (text,) = first.texts
    assert [str(text.position_in(*at)).removeprefix(f"{path}:") for at in ((1, 1), (1, 3), (2, 2), (2, 5))] == [
        "2:36", "2:38", "3:2", "3:6"]
    assert str(second.id.position) == f"{path}:4:1"
    (text,) = read_card_table(spreadsheet(tmp_path / "cards.xlsx", [list(r) for r in ROWS]))[0].texts
    assert str(text.position_in(2, 5)) == f"{tmp_path / 'cards.xlsx'}!札!G2:2:5"


# ---------------------------------------------------------------- what is refused
@pytest.mark.parametrize(("name", "content", "told"), [
    ("a.csv", b"id,name\nA-1,\x81\xff\n", "a.csv:2:1: UTF-8 でも Shift_JIS（cp932）でもありません"),
    ("a.csv", "id,name\nA-1,x\n".encode("utf-16"), "a.csv:1:1: UTF-16 です"),
    ("a.csv", b'id,name\nA-1,"x\n', "a.csv:2:5: 引用符が閉じられていません"),
    ("a.csv", b'id,name\nA-1,"x"y\n', "a.csv:2:8: 閉じる引用符の後に文字があります"),
    ("a.csv", b"id,name,id\nA-1,x,y\n", "a.csv:1:9: 見出し「id」が二つあります"),
    ("a.csv", b"id,name\nA-1,x,y\n", "a.csv:2:7: 「y」の列に見出しがありません"),
    ("a.csv", b"id,name\nA-1\n", "a.csv:2:1: 項目「name」がありません"),
    ("a.csv", b"id,name\nA-1,x\nA-1,y\n", "a.csv:3:1: 「A-1」は 2 行目でも使われています"),
    ("a.csv", b"\n\n", "a.csv:1:1: カードが一枚も書かれていません"),
    ("a.csv", b"id,name\n", "a.csv:1:1: カードが一枚も書かれていません"),
    ("a.xlsx", b"PK no workbook", "a.xlsx:1:1: 表計算の文書として読めません"),
    ("a.txt", b"id,name\n", "a.txt:1:1: カードの表として読めるのは .csv .tsv .xlsx です"),
])
def test_mistakes_are_told_where_they_stand(
    name: str, content: bytes, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    if name.endswith("xlsx"):
        pytest.importorskip("openpyxl", reason="needs the extra xlsx")
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(content)
    with pytest.raises(BadInput) as e:
        read_card_table(name)
    said = [f"{d.position}: {d.message.ja}" for d in e.value.diagnostics]
    assert any(s.startswith(told) for s in said), said
    assert all(d.message.en for d in e.value.diagnostics)


@pytest.mark.parametrize(("content", "told"), [
    ("番号,カード名\nA-1,x\nA-2,y\n", "見出し「カード番号」（id）がありません"),
    ("カード番号;カード名\nA-1;x\nA-2;y\n", "「カード番号;カード名」が一つの見出しになっています"),
    ("id\tname\nA-1\tx\nA-2\ty\n", "「id\\tname」が一つの見出しになっています"),
])
def test_what_is_wrong_with_the_first_row_is_told_once_and_there(content: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text(content, encoding="utf-8")
    with pytest.raises(BadInput) as e:
        read_card_table("a.csv")
    assert [f"{d.position}: {d.message.ja}" for d in e.value.diagnostics] == [f"a.csv:1:1: {told}"]


def test_a_cell_of_a_spreadsheet_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    spreadsheet(Path("a.xlsx"), [["id", "name"], ["A-1", "x"], ["A-1", "y"], ["", "z", "more"]])
    with pytest.raises(BadInput) as e:
        read_card_table("a.xlsx")
    assert {str(d.position) for d in e.value.diagnostics} >= {"a.xlsx!札!C4:1:1"}


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as e:
        read_card_table(tmp_path / "none.csv")
    assert [d.code for d in e.value.diagnostics] == ["no-such-file"]


# ---------------------------------------------------------------- properties
CELLS = st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\r\x00"), max_size=8)
TABLES = st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(CELLS, min_size=n, max_size=n), min_size=1, max_size=5))


@settings(deadline=None)
@given(TABLES)
def test_what_a_csv_writer_writes_is_read_back_with_its_places(rows: list[list[str]]) -> None:
    text = written(rows)
    found = separated("a.csv", text, ",")
    assert [[c.text for c in row] for row in found][: len(rows)] == rows
    lines = text.replace("\r\n", "\n").split("\n")
    for cell in (c for row in found for c in row):
        for k, character in enumerate(cell.text):
            line, column = cell.spots[k]
            assert (lines[line - 1] + "\n")[column - 1] == character


@settings(deadline=None)
@given(st.binary(max_size=80), st.sampled_from(["a.csv", "a.tsv", "a.xlsx"]))
def test_no_file_breaks_the_reader(data: bytes, name: str) -> None:
    try:
        for rows in sheets(Path(name), data):
            assert all(cell.spots for row in rows for cell in row)
    except BadInput as e:
        assert e.diagnostics


@pytest.mark.parametrize(("value", "text"), [(3.0, "3"), (2.5, "2.5"), (True, "yes"), (None, ""), ("a\r\nb", "a\nb")])
def test_values_of_cells(value: object, text: str) -> None:
    assert text_of(value) == text
