"""A stored race is deleted, restored, renamed and noted on: entries of its log, and nothing else of it changes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.commands.main import companion
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.rules.conversation.errors import CompanionError, LogError, NothingToDo
from companion.screens.pages.sheet import stored_sheet
from companion.sheets.replay import rulebook_of
from companion.sheets.stored_race import delete, rename, restore
from companion.sheets.verify import verify
from companion.view.pages.home import kept_races, open_race
from companion.view.pages.sheet import log_rows
from companion.wording import Words

CARS = [{"car": 1, "driver": "Ada"}, {"car": 2, "driver": "Bob"}]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two races, the evening's and the test."""
    for name in ("Evening", "Test"):
        with begin_race({"track": "monaco", "cars": CARS}, "monaco", tmp_path, name=name) as desk:
            desk.answer((desk.asked.options or [])[0].answer if desk.asked and desk.asked.options else 4)
    return tmp_path


def command(folder: Path, *words: str, lang: str = "en", typed: str = "") -> str:
    done = CliRunner().invoke(companion, ["--data", str(folder), "--lang", lang, *words], typed)
    assert not isinstance(done.exception, Exception), done.exception
    return done.output


def refusal(folder: Path, *words: str, lang: str = "en") -> str:
    done = CliRunner().invoke(companion, ["--data", str(folder), "--lang", lang, *words])
    assert isinstance(done.exception, CompanionError), done.output
    return Words(lang).error(done.exception)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_by_command_it_leaves_the_list_and_comes_back(folder: Path, lang: str) -> None:
    assert "Test" in command(folder, "races", "delete", "Test", lang=lang)
    assert "Test" not in command(folder, "races", "list", lang=lang)
    assert "Test" in command(folder, "races", "list", "--deleted", lang=lang)
    assert "Evening" not in command(folder, "races", "list", "--deleted", lang=lang)
    shown = open_race(folder)
    assert shown is not None
    assert (shown[0].name, kept_races(folder)) == ("Evening", 1)
    assert "Evening" in command(folder, "races", "show", lang=lang), "the last one of the list"
    assert "Test" in command(folder, "races", "show", "Test", lang=lang), "it is kept, and found by its name"
    listed = command(folder, "referee", typed='{"hello": 2}\n{"list": "races"}\n')
    assert "Evening" in listed
    assert '"Test"' not in listed
    assert "Test" in command(folder, "races", "restore", "Test", lang=lang)
    assert "Test" in command(folder, "races", "list", lang=lang)
    assert verify(folder, "Test", rulebook_of).problems == []
    with RaceDesk.resume(folder, "Test") as desk:
        assert [said.kind for said in desk.history.said] == ["delete", "restore"]
        assert len(desk.history.items) == 1
        assert desk.asked is not None


def test_all_of_them_deleted_there_is_no_last_one(folder: Path) -> None:
    for name in ("Test", "Evening"):
        delete(folder, name)
    assert open_race(folder) is None
    assert "There are no races yet." in command(folder, "races", "list")
    with pytest.raises(LogError):
        RaceDesk.resume(folder, "last")


def test_what_is_deleted_already_or_written_just_now_is_left_as_it_is(folder: Path) -> None:
    delete(folder, "Test")
    with pytest.raises(NothingToDo, match="The race Test is deleted already"):
        delete(folder, "Test")
    restore(folder, "Test")
    with pytest.raises(NothingToDo, match="The race Test is not deleted"):
        restore(folder, "Test")
    with RaceDesk.resume(folder, "Evening"), pytest.raises(LogError):
        delete(folder, "Evening")
    assert kept_races(folder) == 2


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("door", [("race", "--resume"), ("referee", "--resume"), ("phones", "--race")])
def test_a_deleted_race_is_not_resumed_before_it_is_restored(folder: Path, door: tuple[str, str], lang: str) -> None:
    (race,) = (one for one in json.loads(command(folder, "races", "list", "--json")) if one["name"] == "Test")
    delete(folder, "Test")
    for word in ("Test", race["log_id"]):
        said = refusal(folder, *door, word, lang=lang)
        assert ("The race Test is deleted; companion races restore" in said) is (lang == "en")
        assert "companion races restore" in said
    assert kept_races(folder) == 1
    restore(folder, "Test")
    RaceDesk.resume(folder, "Test").close()


def test_the_last_one_that_was_deleted_is_brought_back_as_that(folder: Path) -> None:
    delete(folder, "Test")
    assert "Test" in command(folder, "races", "restore", "last")
    assert kept_races(folder) == 2


def test_nothing_is_brought_back_by_a_word_that_names_no_race(folder: Path) -> None:
    (race,) = (one for one in json.loads(command(folder, "races", "list", "--json")) if one["name"] == "Test")
    delete(folder, "Test")
    for word in ("", race["log_id"][0], "Tes"):
        with pytest.raises(LogError):
            restore(folder, word)
    assert kept_races(folder) == 1
    assert "Test" in command(folder, "races", "restore", race["log_id"][:4])


def test_a_deleted_race_is_brought_back_by_its_name_although_another_bears_it_now(folder: Path) -> None:
    delete(folder, "Test")
    rename(folder, "Evening", "Test")
    assert "Test" in command(folder, "races", "restore", "test")
    assert kept_races(folder) == 2


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("act", [("note", "Evening", "well driven"), ("rename", "Evening", "Rainy evening")])
def test_the_last_race_is_the_one_played_last(folder: Path, act: tuple[str, ...], lang: str) -> None:
    """A note on an older race, or a new name, does not make it the last one, nor does its return to the list."""
    last_played = [race["last"] for race in json.loads(command(folder, "races", "list", "--json"))]
    command(folder, "races", *act, lang=lang)
    name = act[2] if act[0] == "rename" else "Evening"
    command(folder, "races", "delete", name, lang=lang)
    command(folder, "races", "restore", "last", lang=lang)
    listed = json.loads(command(folder, "races", "list", "--json"))
    assert [race["name"] for race in listed] == ["Test", name]
    assert [race["last"] for race in listed] == last_played
    assert "Test" in command(folder, "races", "show", "last", lang=lang)
    assert "Test" in command(folder, "race", "--resume", "last", lang=lang, typed="quit\n")
    assert json.loads(command(folder, "races", "export", "--json", lang=lang))["sheet"]["name"] == "Test"
    shown = open_race(folder)
    assert shown is not None
    assert shown[0].name == "Test"
    with RaceDesk.resume(folder, name) as desk:
        desk.undo()
    assert name in command(folder, "races", "show", "last", lang=lang)


def test_deleted_races_are_listed_the_last_deleted_first(folder: Path) -> None:
    for name in ("Test", "Evening"):
        command(folder, "races", "delete", name)
    listed = json.loads(command(folder, "races", "list", "--deleted", "--json"))
    assert [race["name"] for race in listed] == ["Evening", "Test"]
    assert "Evening" in command(folder, "races", "restore", "last")


@pytest.mark.parametrize(("lang", "said"), [("en", "The race is now called"), ("fr", "La course s’appelle maintenant")])
def test_a_race_is_renamed_and_found_by_its_new_name(folder: Path, lang: str, said: str) -> None:
    assert "Test" in command(folder, "races", "rename", "Test", " The  final ", lang=lang)
    assert command(folder, "races", "list", lang=lang).count("The final") == 1
    assert "There is no race Test" in refusal(folder, "races", "show", "Test")
    assert "The final" in command(folder, "races", "show", "the final", lang=lang)
    command(folder, "races", "rename", "the final", "The last one", lang=lang)
    assert "The last one" in command(folder, "races", "list", lang=lang)
    assert json.loads(command(folder, "races", "export", "The last one", "--json"))["sheet"]["name"] == "The last one"
    assert verify(folder, "The last one", rulebook_of).problems == []
    sheet, history = stored_sheet(folder, "The last one")
    rows = log_rows(sheet, history, {}, Words(lang), show="people")
    assert [row.text for row in rows] == [f"{said} The last one", f"{said} The final"]
    with RaceDesk.resume(folder, "The last one") as desk:
        assert (desk.history.name, len(desk.history.items)) == ("The last one", 1)
        assert desk.asked is not None


@pytest.mark.parametrize(("lang", "said"), [("en", "is called Test already"), ("fr", "s’appelle déjà Test")])
def test_the_name_that_a_race_has_already_is_not_written_again(folder: Path, lang: str, said: str) -> None:
    before = command(folder, "races", "export", "Test", "--json")
    assert said in command(folder, "races", "rename", "last", " Test ", lang=lang)
    assert command(folder, "races", "export", "Test", "--json") == before


def test_a_note_stands_on_the_sheet_afterwards(folder: Path) -> None:
    command(folder, "races", "note", "Test", "Bob had the wrong die.", "--by", "Ada")
    assert "Ada: Bob had the wrong die." in command(folder, "races", "show", "Test")
    assert "needs words" in refusal(folder, "races", "note", "Test", " ")


def test_a_name_that_is_none_is_refused_and_a_deleted_race_stays_deleted(folder: Path) -> None:
    for name in (" ", "x" * 61):
        assert "1 to 60 letters" in refusal(folder, "races", "rename", "Test", name)
        assert "1 à 60 lettres" in refusal(folder, "races", "rename", "Test", name, lang="fr")
    delete(folder, "Test")
    for act in (("rename", "Test", "Final"), ("note", "Test", "later")):
        assert "companion races restore" in refusal(folder, "races", *act)
    assert kept_races(folder) == 1


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("--search", "even"), ["Evening"]),
        (("--search", "MONACO bob"), ["Test", "Evening"]),
        (("--search", "monaco nobody"), []),
        (("--driver", "zoe"), ["Été"]),
        (("--search", "ete"), ["Été"]),
        (("--track", "Porto Sereno"), ["Été"]),
        (("--track", "monaco", "--driver", "ada"), ["Test", "Evening"]),
        (("--driver", "ada zoe"), []),
    ],
)
def test_races_are_searched_for(folder: Path, words: tuple[str, ...], found: list[str]) -> None:
    setup = {"track": "porto-sereno", "rulebook": "cup", "cars": [{"car": 1, "driver": "Zoé"}, {"car": 2}]}
    begin_race(setup, "porto-sereno", folder, name="Été").close()
    listed = json.loads(command(folder, "races", "list", "--json", *words))
    assert [race["name"] for race in listed] == found
    in_lines = command(folder, "races", "list", *words)
    assert all(name in in_lines for name in found)
    if not found:
        assert in_lines == "No race matches.\n"


def test_a_race_is_found_by_a_driver_who_was_renamed(folder: Path) -> None:
    """By both of his names, however the new one was given."""
    with RaceDesk.resume(folder, "Test") as desk:
        desk.override({"car": desk.driver_cars[0], "driver": "Zoé"}, by="Eve", why="late")
        desk.override({"cars": [{"car": desk.driver_cars[1], "driver": "Max"}]}, by="Eve", why="late")
    for words in (("--driver", "zoe"), ("--driver", "max"), ("--search", "zoe max ada"), ("--driver", "bob")):
        assert "Test" in command(folder, "races", "list", *words)
    assert "Test" not in command(folder, "races", "list", "--driver", "noor")


@pytest.mark.parametrize("name", ["last", "LAST"])
def test_a_name_that_would_mean_another_race_is_refused(folder: Path, name: str) -> None:
    other = json.loads(command(folder, "races", "list", "--json"))[-1]["log_id"]
    for taken in (name, other, other[:6]):
        assert "no name of a race" in refusal(folder, "races", "rename", "Test", taken)
    assert "n’est pas un nom de course" in refusal(folder, "races", "rename", "Test", name, lang="fr")
    assert "no other control character" in refusal(folder, "races", "rename", "Test", "a\nb\x1b[31m")
    assert json.loads(command(folder, "races", "list", "--json"))[0]["name"] == "Test"


def test_of_two_races_with_one_name_each_is_chosen_by_its_id(folder: Path) -> None:
    """Two may be begun with one name, but no race is given the name of another of the list."""
    setup = {"track": "monaco", "cars": CARS}
    begin_race(setup, "monaco", folder, name="TEST").close()
    ids = [race["short"] for race in json.loads(command(folder, "races", "list", "--json", "--search", "test"))]
    for act in (("show", "Test"), ("rename", "test", "Final"), ("note", "Test", "which?")):
        said = refusal(folder, "races", *act)
        assert all(f"{one} (20" in said for one in ids)
        assert all(f"{one} (20" in refusal(folder, "races", *act, lang="fr") for one in ids)
    command(folder, "races", "rename", ids[0], "Final")
    for name in ("final", "FINAL"):
        assert "Another race is called" in refusal(folder, "races", "rename", "Test", name)
        assert "Une autre course s’appelle" in refusal(folder, "races", "rename", "Test", name, lang="fr")
    with RaceDesk.resume(folder, "Test") as desk, pytest.raises(CompanionError, match="Another race is called Final"):
        desk.rename("Final")
    command(folder, "races", "rename", "Final", "FINAL")
    command(folder, "races", "delete", "FINAL")
    command(folder, "races", "rename", "Test", "Final")


def test_a_race_that_a_program_referees_is_not_renamed_by_another(folder: Path) -> None:
    with RaceDesk.resume(folder, "Test"):
        for act in (("rename", "Test", "Final"), ("note", "Test", "later"), ("delete", "Test")):
            assert "no other may change it" in refusal(folder, "races", *act)
            assert "Feuille de course, Décisions" in refusal(folder, "races", *act, lang="fr")
