"""Ways of writing that books nobody had looked at showed, each beside the nearest mistake."""

from __future__ import annotations

from rulewright.checks.lint.outline import outline
from rulewright.checks.lint.reading import from_text

from .test_foreign_layouts import WRAPPED, serious, told


def test_items_that_repeat_the_number_of_their_clause_and_letter_are_a_list() -> None:
    items = "- 5.1 Whoever sails says —\n  - 5.1.a where to;\n  - 5.1.b whether —\n" + "".join(
        f"    - 5.1.b.{n} the lamp of ship {k} is lit;\n" for k, n in enumerate(["i", "ii", "iii", "iv", "v"])
    )
    text = "# Book\n\n" + items + "  - 5.1.c when.\n- 5.2 Whoever stays does not.\n"
    assert told(text) == []
    assert ("number-repeated", 8) in told(text.replace("5.1.b.iii", "5.1.b.ii"))


RULES = "# Book\n\n" + "".join(f"1.{k} A lamp is lit as rule 1.{k % 6 + 1} says.\n\n" for k in range(1, 7)) + "1.7 {}\n"


def test_a_book_of_rules_cites_the_sections_of_others() -> None:
    assert serious(RULES.format("A ship may be sold (section 9.2).")) == []
    assert serious(RULES.format("A ship may be sold under rule 9.2(1) of the Harbour Act.")) == []
    assert serious(RULES.format("A ship may be sold (rule 1.9).")) == [("reference-missing", 15)]


def test_the_second_article_of_a_law_is_that_laws_too() -> None:
    text = "".join(f"第{k}条（灯火）\n灯火は第{k % 4 + 1}条のとおりに点ける。\n" for k in range(1, 5))
    assert serious(text + "第5条（権利）\n著作権法第21条ないし同第28条の権利は船主が持つ。\n", "book.txt") == []
    assert serious(text + "第5条（権利）\n船主は第21条の権利を持つ。\n", "book.txt") == [("reference-missing", 10)]


def test_lines_that_end_in_or_are_items_where_the_numbers_count_on() -> None:
    text = WRAPPED.replace("{ref}", "1.4").replace("{word}", "can").replace("flame of it.", "flame of it until the night of the voyage is over; or")
    assert [c.label.name for c in outline("book.txt", from_text("book.txt", text).lines).numbered if c.label][:3] == ["1", "1.1", "1.2"]


def test_what_closes_a_bracket_of_the_line_before_is_no_item() -> None:
    text = "# Book\n\n1.1 Who sails fills in the form that lies on the quay (Appendix\nN) and leaves it there.\n\n1.2 Who stays does not.\n"
    assert told(text, "book.txt") == []
    assert told(text.replace("N)", "N"), "book.txt") == [("bracket-unclosed", 3)]


def test_a_change_log_before_the_rules_does_not_take_them() -> None:
    text = "Changes\nRevised in spring.\n\n" + "".join(f"1.{k} A lamp is lit by ship {k}.\n" for k in range(1, 9)) + "1.9 See rule 1.99.\n"
    assert told(text, "book.txt") == [("reference-missing", 12)]


def test_what_counts_on_from_a_number_that_is_too_small_is_not_told_too() -> None:
    text = "# Book\n\n" + "".join(f"{n} The lamp of ship {n} is lit.\n\n" for n in ("1.1", "1.2", "4.1", "4.2", "2.1", "2.2", "2.3"))
    assert [rule for rule, _ in told(text)].count("number-order") == 1


def test_a_bracket_over_several_clauses_has_its_partner_in_another() -> None:
    text = "# Book\n\n" + "".join(f"1.{k} A lamp is lit (or a fire).\n\n" for k in range(1, 30))
    around = "1.30 [A ship may be sold.\n\n1.31 A mast may be sold.\n\n1.32 A sail may be sold.{}\n"
    assert serious(text + around.format("]")) == []
    assert ("bracket-unclosed", 61) in serious(text + around.format(""))


def test_a_bracket_that_draws_a_column_closes_nothing() -> None:
    text = "# Book\n\n" + "".join(f"1.{k} A lamp is lit (or a fire).\n\n" for k in range(1, 30))
    assert serious(text + "1.30 Sworn in the county of the harbour\n    )\n    ) before me.\n") == []
    assert ("bracket-unclosed", 61) in serious(text + "1.30 Sworn before me).\n")


def test_the_name_of_a_file_is_no_place_to_be_filled_in() -> None:
    text = "# Book\n\n" + "".join(f"1.{k} A lamp is lit.\n\n" for k in range(1, 9))
    assert serious(text + "1.9 What is left to do stands in TODO.md.\n") == []
    assert ("placeholder", 19) in serious(text + "1.9 TODO.\n")


def test_a_bare_word_behind_a_number_says_that_it_is_a_reference() -> None:
    text = "# 本\n\n" + "".join(f"1.{k}. 灯火は船{k}が点けます（1.{k % 6 + 1}参照）。\n\n" for k in range(1, 7)) + "1.7. {}\n"
    assert serious(text.format("船は売れます（1.9参照）。")) == [("reference-missing", 15)]
    assert serious(text.format("船は売れます（1.9も参照）。")) == [("reference-missing", 15)]
    assert serious(text.format("船は売れます（図1.9参照）。")) == []
    assert serious(text.format("船は売れます（表 1.9を参照）。")) == []
    assert serious(text.format("船は売れます（1.5参照）。")) == []
