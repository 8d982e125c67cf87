"""A race that begins on one page: three things to choose, two taps to the grid, everything else in its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.house_rules import HouseRules, forget, keep
from companion.rules.rulebooks import RULEBOOKS
from companion.screens.kit.theme import theme
from companion.sheets.entrants import RaceEntrant, remember
from companion.view.setup.draft import Draft, first
from tests.screens.rig import Rig
from tests.screens.setup import begun, set_up
from tests.screens.ui import Ui

NAMES = ("Bruno", "Noé", "Olga", "Hugo", "Greta", "Ada", "Élodie de la Fontaine-Dubois X", "")
FIRST_PAGE = "3 things to choose"
THURSDAY = HouseRules("Thursday rules", "competition", {"engine_dry": 5})


def with_drivers(draft: Draft, count: int) -> Draft:
    for place in range(count):
        draft = draft.entering(RaceEntrant(number=place + 1, name=NAMES[place % len(NAMES)], colour=place))
    return draft


def say(key: str, **facts: Any) -> str:
    """Return a text of the setup in the language of the screen."""
    return theme.words.screen(f"new_race.{key}", **facts)


@pytest.mark.parametrize("book", RULEBOOKS)
def test_six_drivers_stand_on_the_grid_after_two_taps(ui: Ui, book: str) -> None:
    """The same car for all, and to the grid: nothing is left to be built, whichever the rulebook."""
    set_up(ui, "first", with_drivers(first(book), 6).but(same=False))
    for key in ("Same car for everyone", "The program’s deck"):
        if ui.offers(key):
            ui.tap(key)
    ui.tap("Start race")
    desk = begun(ui)
    cars = desk.rulebook.race.cars
    assert len([car for car in cars if not getattr(car, "bot", "")]) == 6
    if book in ("competition", "cup"):
        assert {tuple(car.wear.values()) for car in cars} == {(6, 3, 3, 3, 3, 2)}
    assert desk.asked is not None
    assert desk.asked.ask not in ("setup", "chart", "card")


def test_each_builds_his_own_where_that_is_wanted(ui: Ui) -> None:
    set_up(ui, "first", with_drivers(first(), 2))
    ui.tap("Each driver builds a car")
    ui.tap("Start race")
    assert not any(car.wear for car in begun(ui).rulebook.race.cars)


@pytest.mark.parametrize(("option", "key"), [("", "each"), ("construction", "each"), ("street", "each_card")])
def test_where_drivers_build_or_take_their_cars_by_an_option_the_page_says_so(
    ui: Ui, folder: Path, language: str, option: str, key: str
) -> None:
    """The key to build is the option Own car; with Street drivers the cars are said to be on the cards."""
    keep(folder, HouseRules("Thursday", "formula-d", {option: True} if option else {"leave_gear": 3}))
    ui.app.choose(language=language)
    ui.tap(theme.words.screen("home.new_race"))
    ui.tap("Thursday")
    assert ui.sees(say(key))
    if key == "each":
        assert ui.is_chosen(say("each" if option else "same"))
        ui.tap(say("each"))
        assert ui.is_chosen(say("each"))
        assert ui.sees(say("rest_note", count=1 if option else 2))
        ui.tap(say("same"))
        assert ui.is_chosen(say("same"))
        ui.tap(say("each"))
    ui.audit()


def test_one_who_switches_own_cars_on_among_the_rules_builds_one(ui: Ui) -> None:
    """The first page had the same car for all selected before."""
    set_up(ui, "first", with_drivers(first("formula-d"), 2))
    ui.tap(say("rest"))
    ui.tap("Own car")
    ui.tap("Yes", beside="usual: No")
    for _ in range(2):  # the option is closed, then the rules
        ui.tap("Back")
    assert ui.is_chosen(say("each"))
    ui.tap("Start race")
    assert not any(car.wear for car in begun(ui).rulebook.race.cars)


def test_a_book_with_one_car_says_so(ui: Ui) -> None:
    set_up(ui, "first", with_drivers(first("beginner"), 2))
    assert ui.sees(say("one_car"))


def test_a_race_from_nothing_with_names_typed_at_the_screen(ui: Ui) -> None:
    """Names begin with a capital of themselves; each is back on the page with Done; two drivers make a race."""
    ui.tap("New race")
    ui.tap("Start race 2 drivers first")
    assert ui.sees("A race has two drivers or more")
    for name in ("Ada Kim", "Bo"):
        ui.tap("Add")
        done = next(word.box for word in ui.words() if word.text == "Done")
        ui.rig.tap(done.x, done.y)
        assert ui.sees("A", "B", "nothing written yet")  # it stays, and begins with a capital
        ui.type(name)
        assert ui.sees(FIRST_PAGE)
    ui.tap("1", beside="Laps")
    ui.tap("Start race")
    race = begun(ui).rulebook.race
    assert ([car.driver for car in race.cars], race.laps) == (["Ada Kim", "Bo"], 1)


def test_who_is_remembered_is_tapped_and_who_is_held_goes(ui: Ui, folder: Path) -> None:
    remember(folder, [RaceEntrant(number=4, name="Olga"), RaceEntrant(number=8, name="Hugo", colour=1)])
    ui.tap("New race")
    for key in ("Add", "Olga", "Hugo", "Done"):  # no keyboard lies on them
        ui.tap(key)
    assert ui.sees(FIRST_PAGE, "Olga", "Hugo")
    ui.hold("Olga")
    assert not ui.sees("Olga")
    ui.tap("Hugo")
    assert ui.written("Name") == "Hugo"
    ui.tap("Back")
    assert ui.sees(FIRST_PAGE)


def test_everything_else_has_its_place_and_says_how_much_differs(ui: Ui) -> None:
    set_up(ui, "first", with_drivers(first("cup"), 2).but(options={"car_points": 24}))
    for key in ("All the rest 1 changed", "Back", "Other circuit", "Imola", "Done"):
        ui.tap(key)
    assert ui.sees(FIRST_PAGE, "Imola")
    ui.tap("Cards")
    assert ui.sees("Saltmarsh", "standard rules")
    assert not ui.sees("Imola")
    assert ui.is_chosen(str(circuits.board("saltmarsh").turns))


def test_house_rules_are_chosen_beside_the_rulebooks_and_remembered(ui: Ui, folder: Path) -> None:
    """One touch; the plain rulebook is one touch away; the next race has the rules of the last."""
    keep(folder, THURSDAY)
    set_up(ui, "first", with_drivers(first("cup"), 2))
    thursday, plain = ("Thursday rules", "", "1 changed"), ("Competition", "Cup", "standard rules")
    for words, beside, said in (thursday, plain, thursday):
        ui.tap(words, beside=beside)
        assert ui.chosen()[0].startswith(words)
        assert ui.sees(said)
    ui.tap("Start race")
    assert begun(ui).rulebook.figures.engine_dry == 5
    ui.app.go("new_race")
    ui.calm()
    assert ui.sees("1 changed")
    forget(folder, "Thursday rules")
    ui.app.go("new_race")
    ui.calm()
    assert ui.sees("standard rules")


def test_of_many_house_rules_the_others_are_a_key_away(ui: Ui, folder: Path) -> None:
    for place, name in enumerate("ABCDE"):
        keep(folder, HouseRules(name, "cup", {"kers_most": place}))
    set_up(ui, "first", with_drivers(first(), 2))
    assert ui.sees("A", "B", "C")
    for key in ("+2", "E", "Done"):
        ui.tap(key)
    assert ui.sees(FIRST_PAGE)
    assert [ui.is_chosen(name) for name in ("A", "B", "E", "+2")] == [False, False, True, False]


@pytest.mark.parametrize("book", RULEBOOKS)
def test_the_page_passes_the_audit(panel: Rig, ui: Ui, book: str, language: str) -> None:
    ui.app.choose(language=language)
    for count in (0, 7, 20):
        set_up(ui, "first", with_drivers(first(book), count))
        (ui.audit_both if count == 7 else ui.audit)()
        shown = [car for car in range(1, count + 1) if ui.places(also=f"{car} {NAMES[(car - 1) % len(NAMES)][:5]}")]
        more = next((word.text for word in ui.words() if word.text.startswith("+")), "+0")
        assert len(shown) + int(more) == count


@pytest.mark.parametrize("count", [1, 5])
def test_the_page_with_house_rules_passes_the_audit(
    panel: Rig, ui: Ui, folder: Path, count: int, language: str
) -> None:
    ui.app.choose(language=language)
    for place in range(count):
        keep(folder, HouseRules("WX"[place % 2] * (30 - place // 2), "death" if place else "competition"))
    set_up(ui, "first", with_drivers(first(), 7))
    ui.audit_both()
    ui.tap("+2" if count == 5 else "W" * 5)
    ui.audit_both()


def test_a_box_four_friends_and_a_corner_sheet_are_on_the_grid_after_twelve_taps(
    panel: Rig, ui: Ui, language: str
) -> None:
    """From Home, and their names beside: a newcomer with the board of Monza needs nothing else."""
    ui.app.choose(language=language)
    screen, add = theme.words.screen, [say("add")] * 5
    other = f"{say('other')} {say('other_note')}"
    keys = (screen("home.new_race"), "Formula D", other, "Monza", screen("keys.done"), *add, say("to_grid"))
    assert len(keys) <= 12
    names = iter(NAMES)
    for key in keys:
        ui.tap(key)
        ui.audit()
        if key == say("add"):
            ui.type(next(names))
    ui.wait_for(screen("ask.test", what="grid"))
    book = begun(ui).rulebook
    assert (book.name, book.track.key) == ("formula-d", "monza")
    assert tuple(car.driver for car in book.race.cars) == NAMES[:5]
