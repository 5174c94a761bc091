"""A loop as judges write it down: each sentence of the form is true of what was examined, and of nothing more."""
from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.checks.findings.layout import Field
from rulewright.checks.findings.page import finding_page
from rulewright.checks.findings.record import FindingClass
from rulewright.checks.findings.tournament import (
    BY_DEFAULT,
    GROWS,
    MAY,
    NOBODY,
    NOT_STOPPING,
    NOTHING,
    READ,
    SHUFFLED,
    tournament_report,
)
from rulewright.checks.runs import session
from rulewright.checks.runs.names import names
from rulewright.checks.stored.cases import read_case
from rulewright.checks.stored.finding_store import case_files, stored_cases
from rulewright.model.engine.library import forget_books
from rulewright.spec.text import Text


def form(finding_id: str) -> str:
    """Of a stored case, in both languages, one below the other."""
    file = next(f for f in case_files(stored_cases()) if f.stem.endswith(f"-{finding_id}"))
    finding = read_case(file).finding
    return "\n".join(tournament_report(finding, lang, names()) for lang in ("ja", "en"))


def says(text: str, phrase: Text) -> bool:
    return phrase.ja in text and phrase.en in text


def other_choices(text: str) -> list[str]:
    return [line for line in text.splitlines() if "could take" in line]


def test_choices_are_no_stops_where_nobody_can_stop_it() -> None:
    text = form("PHJX")
    assert "   Nobody, once it has begun." in text and "   始まった後は、誰にも止められません。" in text
    assert len(other_choices(text)) == 2 and says(text, NOT_STOPPING)
    one = form("4RJY")
    assert "   Only the turn player (the first player)." in one and "Nobody, once" not in one
    none = form("4574")
    assert says(none, NOBODY) and not other_choices(none) and not says(none, NOT_STOPPING)


def test_the_answers_that_it_rests_on_are_those_of_its_page() -> None:
    for file in (f for f in case_files(stored_cases()) if f.stem.endswith(("-PHJX", "-4RJY", "-JVXC"))):
        finding = read_case(file).finding
        (named,) = [block.text for block in finding_page(finding, "en", names()) if isinstance(block, Field) and block.name == "Readings assumed"]
        usual = named.count(" → ") - named.count("(not the default)")
        assert 0 < usual < len(finding.readings) or finding.id.endswith("JVXC")
        assert BY_DEFAULT.en.format(n=usual) in tournament_report(finding, "en", names()).split("\n")


def test_clauses_that_differ_on_a_loop_have_its_form() -> None:
    text = form("2593")
    assert says(text, NOTHING) and "   Nobody, once it has begun." in text
    assert "no loop, so there is nothing to write" in form("5CH4")


def test_choices_that_a_script_made_were_not_looked_at() -> None:
    text = form("4MPW")
    assert "Only this was examined: both players do nothing wherever that is offered." in text
    assert text.index("Only this was examined") < text.index(NOBODY.en)
    assert "Only this was examined" not in form("5FHH")


def test_what_grows_is_not_told_by_the_steps_of_the_first_round() -> None:
    text = form("53XJ")
    assert says(text, GROWS) and not says(text, NOTHING)
    assert text.count("until the end of the turn 0 → 1") == 1  # in the step
    assert not says(form("4574"), GROWS)


def test_answers_that_are_not_the_default_are_named() -> None:
    text = form("FWKN")
    assert says(text, READ) and "Again and again" in text
    assert not says(form("53XJ"), READ)


def test_chance_is_nobodys_choice_and_stands_against_shortening() -> None:
    text = form("FWKN")
    assert [line.split(",")[0].strip() for line in other_choices(text)] == ["in step 6"] and not says(text, MAY)
    assert "chance decides in step 1, 2, 3, 4, 5" in text
    assert says(form("4RJY"), MAY)


def test_a_round_that_shuffles_says_so() -> None:
    text = form("67RP")
    assert says(text, NOTHING) and says(text, SHUFFLED) and not says(text, MAY)
    assert "the first player's main deck shuffled" in text and "step 3 shuffles: whether" in text
    assert not says(form("4RJY"), SHUFFLED)


def test_equal_options_are_named_once() -> None:
    for line in other_choices(form("6RJD")):
        others = line.split("could take: ")[1].split(", ")
        assert len(others) == len(set(others))


SAME_NAME = {
    "clauses.yaml": 'book: hands\nedition: "1"\nclauses:\n  - {id: "1.1", kind: procedure, ja: 選ぶ。, en: Choosing.}\n',
    "readings.yaml": "book: hands\nreadings: []\n",
    "cards.yaml": "cards:\n  - {id: A, name: {ja: 札, en: Card}}\n",
    "scenarios/two.yaml": "book: hands\nid: two\ntitle: {ja: 二枚, en: two}\nbegin: main\nposition:\n  first: {hand: [A x2]}\n",
}
RULES = """from rulewright.model.lang import *

class Game(State):
    hand: Per[Player, Bag]
    tired: Per[Card, bool]

@entry("main")
@procedure
async def main(g: Game) -> None:
    one = await choose(FIRST, g.hand[FIRST])
    g.tired[one] = TIRED
    while True:
        c = await choose(FIRST, g.hand[FIRST])  #: 1.1
        if g.tired[c]:
            finish(FIRST)
"""


@pytest.mark.parametrize("tired", [True, False])
def test_another_card_of_the_same_name_is_another_choice_unless_it_is_equal(tired: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who takes the tired one ends the loop; of two that are alike it does not matter which is taken."""
    for name, text in {**SAME_NAME, "rules/game.py": RULES.replace("TIRED", str(tired))}.items():
        file = tmp_path / "hands" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    monkeypatch.setenv("RULEWRIGHT_BOOKS", str(tmp_path))
    forget_books()
    (result,) = session.check(*session.resolve("hands/two"), session.CheckOptions(remembered=False))
    (loop,) = [f for f in result.findings if f.cls is FindingClass.LOOP]
    text = "\n".join(tournament_report(loop, lang, names()) for lang in ("ja", "en"))
    assert says(text, NOBODY) is not tired
    assert len(other_choices(text)) == tired


def test_a_step_in_which_nobody_chooses_says_so() -> None:
    for finding_id in ("JVXC", "4574", "PHJX"):
        steps = [line for line in form(finding_id).splitlines() if line.startswith("   (")]
        assert steps and all(line.partition(") ")[2].strip("[]") for line in steps)
        assert not [line for line in steps if line.partition(") ")[2].startswith("[") and "→" not in line]


def test_a_step_with_nothing_to_tell_has_no_number() -> None:
    file = next(f for f in case_files(stored_cases()) if f.stem.endswith("-4RJY"))
    finding = read_case(file).finding
    chosen = next(s for s in finding.play.cycle if s.chosen is not None)
    empty = replace(chosen, decider=None, chosen=None, clauses=(), changes=(), alternatives=())
    told = tournament_report(replace(finding, play=replace(finding.play, cycle=(empty, *finding.play.cycle), rounds=1)), "en", names())
    assert told == tournament_report(replace(finding, play=replace(finding.play, rounds=1)), "en", names())
