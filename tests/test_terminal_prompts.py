"""Texts, drivers and disputes as people type them at the terminal, and what is told of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion import circuits
from companion.api import Race, make_driver
from companion.commands.main import companion
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.rules.conversation.errors import BadOverride
from companion.rules.rulebooks import begin
from companion.wording import LANGUAGES
from tests.test_bad_input import Program
from tests.test_terminal import POSITION, SHEET, flat, typed
from tests.test_terminal_overrides import override

OUT = POSITION | {"cars": [*POSITION["cars"][:2], POSITION["cars"][2] | {"status": "out"}], "to_play": [1, 2]}


def notes(folder: Path) -> list[str]:
    """The notes and disputes of the race that was typed."""
    with RaceDesk.resume(folder) as desk:
        sheet = desk.sheet()
        return [remark.text for remark in (*sheet.notes, *sheet.disputes)]


# -- a text is a text


@pytest.mark.parametrize(
    ("lang", "word", "said"),
    [
        ("en", "override car 1 gear 2", ("back", "override car 1 gear 3")),
        ("fr", "forcer voiture 1 vitesse 2", ("quitter", "m")),
    ],
)
def test_what_is_typed_as_name_or_reason_is_the_text(
    tmp_path: Path, lang: str, word: str, said: tuple[str, str]
) -> None:
    override(tmp_path, word, *said, lang=lang)
    with RaceDesk.resume(tmp_path) as desk:
        (word_,) = desk.sheet().overrides
        assert (word_.by, word_.why, word_.change) == (*said, {"car": 1, "gear": 2})


@pytest.mark.parametrize(
    ("lang", "word", "leave"),
    [("en", "override car 1 gear 2", "Left as it was."), ("fr", "forcer voiture 1 vitesse 2", "Laissé tel quel.")],
)
def test_an_empty_line_leaves_a_text_and_the_prompt_says_so(tmp_path: Path, lang: str, word: str, leave: str) -> None:
    enter = {"en": "(Enter: leave it)", "fr": "(Entrée\u00a0: laisser)"}[lang]
    lines = (word, "", word, "Eve", "", "note", "", {"en": "dispute", "fr": "contester"}[lang], "")
    shown = override(tmp_path, *lines, lang=lang)
    assert (shown.count(enter), shown.count(leave)) == (5, 4)
    assert notes(tmp_path) == []
    with RaceDesk.resume(tmp_path) as desk:
        assert not desk.answers()


# -- disputes


@pytest.mark.parametrize(
    ("lang", "word", "asks"),
    [
        ("en", "dispute 0", "why is “gear of 1 Ada: 4th” disputed?"),
        ("fr", "contester 0", "pourquoi contester «\u00a0vitesse de 1 Ada\u00a0: 4e\u00a0»\u00a0?"),
    ],
)
def test_a_number_alone_is_the_ruling_that_is_disputed(tmp_path: Path, lang: str, word: str, asks: str) -> None:
    shown = override(tmp_path, "4", "12", word, "back", f"{word} 9", lang=lang)
    assert asks in shown
    assert notes(tmp_path) == ["back", "9"]
    with RaceDesk.resume(tmp_path) as desk:
        assert {remark.ask for remark in desk.sheet().disputes} == {"gear"}


def test_a_dispute_says_which_ruling_it_is_about(tmp_path: Path) -> None:
    shown = override(tmp_path, "4", "dispute that was third", "dispute 8", "dispute 7 no")
    assert "Noted as disputed: gear of 1 Ada: 4th." in shown
    assert shown.count("There is no answer") == 2
    assert notes(tmp_path) == ["that was third"]


@pytest.mark.parametrize(("lang", "said"), [("en", "Provisional: 1 ruling"), ("fr", "Provisoire\u00a0: 1 décision")])
def test_a_result_is_provisional_while_a_ruling_is_disputed(tmp_path: Path, lang: str, said: str) -> None:
    desk = begin_race({"track": "monaco", "rulebook": "beginner", "cars": [{"car": 1}], "laps": 1}, "monaco", tmp_path)
    with desk:
        driver = make_driver(Race.begin("beginner", "monaco", ["Ada"]), "sensible", seed=1)
        while (asked := desk.asked) is not None:
            desk.answer(driver.answer(asked, desk.rulebook.race))
        desk.dispute_last(by="Eve", why="not so")
    for words in (["race", "--resume", "last"], ["races", "show", "last"]):
        done = CliRunner().invoke(companion, ["--lang", lang, "--data", str(tmp_path), *words], input="")
        assert said in flat(done.output)
    word, none = {
        "en": ("uphold", "No ruling is disputed."),
        "fr": ("maintenir", "Aucune décision n’est contestée."),
    }[lang]
    args = ["--lang", lang, "--data", str(tmp_path), "race", "--resume", "last"]
    done = CliRunner().invoke(companion, args, input=f"{word} 0\n{word} x\n{word}\n{word}\n")
    assert flat(done.output).count(said) == 1, "before the ruling was upheld"
    assert none in flat(done.output)


# -- drivers


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_misspelt_driver_is_told_who_is_in_the_race(tmp_path: Path, lang: str) -> None:
    words = {
        "en": ("override Bop gear 4", "override car Bop gear 4", "rename Bop Zoe", "seat Bop club", "show sheet Bop"),
        "fr": ("forcer Bop vitesse 4", "forcer voiture Bop vitesse 4", "nommer Bop Zoé", "volant Bop club",
               "montrer feuille Bop"),
    }[lang]  # fmt: skip
    said = {
        "en": "Nobody in this race is called Bop; its cars are 1 Ada, 2 Bob and 3 Cleo.",
        "fr": "Personne ne s’appelle Bop dans cette course\u00a0; ses voitures\u00a0: 1 Ada, 2 Bob et 3 Cleo.",
    }[lang]
    assert override(tmp_path, *words, lang=lang).count(said) == len(words)


def test_a_car_that_is_not_there_is_none_without_its_word_too(tmp_path: Path) -> None:
    assert "There is no car 9; the race has 1, 2, 3." in override(tmp_path, "override 9 gear 4")


@pytest.mark.parametrize(
    ("lang", "word", "called"),
    [
        ("en", "rename 2 Ada", "2 cars have a driver called Ada now, 1 and 2: call them by number."),
        ("fr", "nommer 2 Ada", "2 voitures ont maintenant un pilote nommé Ada, 1 et 2\u00a0: appelez-les"),
    ],
)
def test_a_name_that_two_cars_have_is_told(tmp_path: Path, lang: str, word: str, called: str) -> None:
    again, several = {
        "en": ("override Ada gear 2", "Several drivers of this race are called Ada; say the number: 1 Ada"),
        "fr": ("forcer Ada vitesse 2", "Plusieurs pilotes de cette course s’appellent Ada\u00a0; dites le numéro"),
    }[lang]
    shown = override(tmp_path, word, again, lang=lang)
    assert called in shown
    assert several in shown
    with RaceDesk.resume(tmp_path) as desk:
        assert desk.names[2] == "Ada"


def test_a_name_that_two_cars_have_from_the_start_is_told(tmp_path: Path) -> None:
    shown = typed(tmp_path, "--rulebook", "beginner", "--track", "monaco", say=("Ada, Bob, ada", "quit"))
    assert "2 cars have a driver called ada now, 1 and 3" in flat(shown)


# -- values that count for nothing


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_value_of_a_car_that_is_out_is_refused_before_name_and_reason(tmp_path: Path, lang: str) -> None:
    place, gear, both = {
        "en": ("override car 3 place 3:left:1", "override car 3 gear 4", "override car 3 status racing gear 2"),
        "fr": ("forcer voiture 3 place 3:gauche:1", "forcer voiture 3 vitesse 4", "forcer voiture 3 état en course"),
    }[lang]
    said = {"en": "Car 3 does not race any more", "fr": "La voiture 3 ne court plus"}[lang]
    shown = override(tmp_path, place, gear, both, "Eve", "a mistake", place, "why", position=OUT, lang=lang)
    assert shown.count(said) == 2
    with RaceDesk.resume(tmp_path) as desk:
        assert desk.rulebook.car(3).at == "3:left:1", "once it races again it is put there"


def test_the_desk_and_the_lines_refuse_it_as_well(tmp_path: Path) -> None:
    said = "Car 3 does not race any more, so this value counts for nothing (gear); set its status first."
    desk = RaceDesk(begin(OUT, circuits.board("monaco")))
    with pytest.raises(BadOverride) as refused:
        desk.override({"car": 3, "gear": 4}, by="Eve", why="why")
    assert str(refused.value) == said
    program = Program()
    program.say(setup=OUT)
    assert program.refuses({"override": {"car": 3, "gear": 4}, "by": "Eve", "why": "why"}) == said


def test_a_car_whose_place_is_taken_is_placed_before_it_races_again() -> None:
    """The refusal of the status says so, and the place alone is set then."""
    desk = RaceDesk(begin(OUT, circuits.board("monaco")))
    desk.override({"car": 1, "at": "1:middle:2"}, by="Eve", why="why")
    with pytest.raises(BadOverride, match="set the place of car 3 first"):
        desk.override({"car": 3, "status": "racing"}, by="Eve", why="why")
    desk.override({"car": 3, "at": "3:left:1"}, by="Eve", why="why")
    desk.override({"car": 3, "status": "racing"}, by="Eve", why="why")
    assert desk.rulebook.car(3).alive


@pytest.mark.parametrize("rulebook", ["beginner", "formula-d", "competition", "cup", "league", "death"])
def test_no_car_is_placed_before_the_grid_is_formed(rulebook: str) -> None:
    setup = {"track": "monaco", "rulebook": rulebook, "cars": [{"car": 1}, {"car": 2}]}
    desk = RaceDesk(begin(setup, circuits.board("monaco")))
    with pytest.raises(BadOverride, match="The grid is not formed yet"):
        desk.override({"car": 2, "at": "1:left:1"}, by="Eve", why="why")
    with pytest.raises(BadOverride, match="once the race has begun"):
        desk.override({"car": 2, "status": "racing"}, by="Eve", why="why")


# -- words and widths


@pytest.mark.parametrize(("lang", "place", "no"), [("en", "corner 2", "n"), ("fr", "virage 2", "non")])
def test_no_to_the_details_of_a_stop_is_nothing(tmp_path: Path, lang: str, place: str, no: str) -> None:
    """It is no beginning of a detail; behind a place it is none either."""
    unknown, due = {
        "en": ("n is not understood", "Corner 1 still wants a stop"),
        "fr": ("non n’est pas compris", "Le virage 1 demande encore un arrêt"),
    }[lang]
    shown = override(tmp_path, "2", "4", f"{place} {no}", place, no, position=SHEET, lang=lang)
    assert shown.count(unknown) == shown.count(due) == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_help_reads_well_in_40_columns(tmp_path: Path, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command and what it does have lines of their own there; no text is a ladder of single words."""
    monkeypatch.setenv("COLUMNS", "40")
    help_, rules = {"en": ("help", "rules race"), "fr": ("aide", "règles course")}[lang]
    shown = override(tmp_path, help_, rules, lang=lang).replace("\xa0", " ")
    for said in {
        "en": ("undo [N], redo [N] take back, or give again", "Does the draw before the race count as one of two"),
        "fr": ("annuler [N], refaire [N] revenir en arrière", "Dans quel ordre choisit-on avant la course ?"),
    }[lang]:
        assert said in shown
    begin_race(POSITION, "monaco", tmp_path).close()
    args = ["--lang", lang, "--data", str(tmp_path), "race", "--resume", "last"]
    lines = CliRunner().invoke(companion, args, input=f"{help_}\nquit\n").output.splitlines()
    first, last = (next(n for n, line in enumerate(lines) if line.split()[:1] == [word])
                   for word in {"en": ("undo", "rename"), "fr": ("annuler", "nommer")}[lang])  # fmt: skip
    assert max(map(len, lines[first:last])) <= 40
    assert all(len(line) - len(line.lstrip()) <= 4 for line in lines[first:last])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_suggested_command_has_the_language_of_the_command_line(tmp_path: Path, lang: str) -> None:
    begin_race(POSITION, "monaco", tmp_path).close()
    done = CliRunner().invoke(
        companion, ["--lang", lang, "--data", str(tmp_path), "race", "--resume", "last"], input="quit\n"
    )
    given = {"en": "", "fr": " --lang fr"}[lang]
    assert f"companion --data {tmp_path}{given} race --resume" in flat(done.output)
