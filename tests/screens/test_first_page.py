"""A race that begins on one page: three things to choose, two taps to the grid, everything else in its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.house_rules import HouseRules, forget, keep
from companion.rules.rulebooks import RULEBOOKS
from companion.screens.kit.dock import dock
from companion.screens.kit.theme import theme
from companion.screens.setup.new_race import NewRaceScreen
from companion.sheets.entrants import RaceEntrant, remember
from companion.view.setup.draft import Draft, first
from companion.view.setup.first_page import first_page
from companion.wording import Words
from tests.screens.audit import audit, in_both_looks
from tests.screens.rig import Rig
from tests.screens.stand import Stand
from tests.screens.test_new_race import go_back, go_on, offers, tap
from tests.screens.ui import Ui

NAMES = ("Bruno", "Noé", "Olga", "Hugo", "Greta", "Ada", "Élodie de la Fontaine-Dubois X", "")


def with_drivers(draft: Draft, count: int) -> Draft:
    for place in range(count):
        draft = draft.entering(RaceEntrant(number=place + 1, name=NAMES[place % len(NAMES)], colour=place))
    return draft


def typed(stand: Stand, text: str) -> None:
    """Letters as the keys say them, without a touch of the key for capitals, and Done."""
    stand.ui.type(text)


@pytest.mark.parametrize("book", RULEBOOKS)
def test_six_drivers_stand_on_the_grid_after_two_taps(stand: Stand, book: str) -> None:
    """The same car for all, and to the grid: nothing is left to be built, whichever the rulebook."""
    stand.show(NewRaceScreen, draft=with_drivers(first(book), 6).but(same=False))
    for key in ("same", "deck"):
        if offers(stand, key):
            tap(stand, key)
    tap(stand, "to_grid")
    desk = stand.made
    assert desk is not None
    assert len([car for car in desk.rulebook.race.cars if not getattr(car, "bot", "")]) == 6
    for car in desk.rulebook.race.cars if book in ("competition", "cup") else ():
        assert list(car.wear.values()) == [6, 3, 3, 3, 3, 2]
    assert desk.asked is not None
    assert desk.asked.ask not in ("setup", "chart", "card")


def test_each_builds_his_own_where_that_is_wanted(stand: Stand) -> None:
    stand.show(NewRaceScreen, draft=with_drivers(first(), 2))
    tap(stand, "each")
    tap(stand, "to_grid")
    assert stand.made is not None
    assert not any(car.wear for car in stand.made.rulebook.race.cars)


def test_where_drivers_build_or_take_their_cars_by_an_option_the_page_says_so(
    rig: Rig, tmp_path: Path, language: str
) -> None:
    """With Own car the key to build is there, and with Street drivers the cars are said to be on the cards."""
    words = Words(language, "formula-d")
    one_car, each = words.screen("new_race.one_car"), words.screen("new_race.each")
    for option, sees in ((None, one_car), ("construction", each), ("street", words.screen("new_race.each_card"))):
        keep(tmp_path, HouseRules("Thursday", "formula-d", {option: True} if option else {"leave_gear": 3}))
        ui = Ui(rig, tmp_path, language=language)
        try:
            ui.tap(words.screen("home.new_race"))
            ui.tap("Thursday")
            assert ui.sees(sees)
            assert ui.sees(one_car) == (option is None)
            if option == "construction":
                ui.tap(each)
            ui.audit()
        finally:
            ui.close()
            rig.clear()


def test_a_race_from_nothing_with_names_typed_at_the_screen(stand: Stand) -> None:
    """Names begin with a capital of themselves; each is back on the page with Done; two drivers make a race."""
    screen = stand.show(NewRaceScreen)
    assert screen.step == "first"
    assert stand.ui.sees("2 drivers first")
    tap(stand, "to_grid")
    assert "two drivers or more" in stand.told[-1].text
    assert stand.made is None
    for name in ("Ada Kim", "Bo"):
        tap(stand, "add")
        assert screen.step == "drivers"
        assert stand.ui.sees("A", "B", "nothing written yet")  # it begins with a capital
        done = next(word.box for word in stand.ui.words() if word.text == "Done")
        stand.rig.tap(done.x, done.y)
        assert stand.ui.sees("nothing written yet")  # it stays
        stand.ui.type(name)
        assert screen.step == "first"
    assert [one.name for one in screen.draft.entrants] == ["Ada Kim", "Bo"]
    stand.ui.tap("1")
    tap(stand, "to_grid")
    assert stand.made is not None
    assert [(car.driver, stand.made.rulebook.race.laps) for car in stand.made.rulebook.race.cars] == [
        ("Ada Kim", 1), ("Bo", 1),
    ]  # fmt: skip


def test_who_is_remembered_is_tapped_and_who_is_held_goes(stand: Stand) -> None:
    remember(stand.folder, [RaceEntrant(number=4, name="Olga"), RaceEntrant(number=8, name="Hugo", colour=1)])
    screen = stand.show(NewRaceScreen)
    tap(stand, "add")
    assert dock().line is None
    stand.ui.tap("Olga")
    stand.ui.tap("Hugo")
    go_on(stand.ui)
    assert [one.name for one in screen.draft.entrants] == ["Olga", "Hugo"]
    stand.ui.hold("Olga")
    assert [one.name for one in screen.draft.entrants] == ["Hugo"]
    stand.ui.tap("Hugo")
    assert (screen.step, screen.body.name.value) == ("drivers", "Hugo")
    go_back(stand.ui)
    assert screen.step == "first"


def test_everything_else_has_its_place_and_says_how_much_differs(stand: Stand) -> None:
    screen = stand.show(NewRaceScreen, draft=with_drivers(first("cup"), 2).but(options={"car_points": 24}))
    assert stand.ui.sees("1 changed")
    tap(stand, "rest")
    assert screen.step == "rules"
    go_back(stand.ui)
    assert screen.step == "first"
    tap(stand, "other")
    stand.ui.tap("Imola")
    go_on(stand.ui)
    assert (screen.step, screen.draft.track) == ("first", "imola")
    stand.ui.tap("Cards")
    assert (screen.draft.rulebook, screen.draft.track) == ("ninety", "saltmarsh")
    assert stand.ui.sees("standard rules")
    stand.rig.settle(4)
    assert stand.ui.is_chosen(str(screen.draft.usual_laps))


THURSDAY = HouseRules("Thursday rules", "competition", {"engine_dry": 5})


def test_house_rules_are_chosen_beside_the_rulebooks_and_remembered(stand: Stand) -> None:
    """One touch; the plain rulebook is one touch away; the next race has the rules of the last."""
    keep(stand.folder, THURSDAY)
    screen = stand.show(NewRaceScreen, draft=with_drivers(first("cup"), 2))
    stand.ui.tap("Thursday rules")
    assert (screen.draft.rulebook, screen.draft.options) == ("competition", {"engine_dry": 5})
    stand.ui.tap("Competition", beside="Cup")
    assert (screen.draft.rulebook, screen.draft.options) == ("competition", {})
    stand.ui.tap("Thursday rules")
    assert stand.ui.is_chosen("Thursday rules")
    assert not stand.ui.is_chosen("Cup")
    tap(stand, "to_grid")
    assert stand.made is not None
    assert stand.made.rulebook.figures.engine_dry == 5
    stand.close()
    again = stand.show(NewRaceScreen)
    assert (again.draft.rulebook, again.draft.options) == ("competition", {"engine_dry": 5})
    forget(stand.folder, "Thursday rules")
    assert stand.show(NewRaceScreen).draft.options == {}


def test_of_many_house_rules_the_others_are_a_key_away(stand: Stand) -> None:
    for name in ("A", "B", "C", "D", "E"):
        keep(stand.folder, HouseRules(name, "cup", {"kers_most": "ABCDE".index(name)}))
    screen = stand.show(NewRaceScreen, draft=with_drivers(first(), 2))
    assert stand.ui.sees("A", "B", "C")
    stand.ui.tap("+2")
    assert (screen.step, screen.aside) == ("rules", True)
    stand.ui.tap("E")
    go_on(stand.ui)
    assert screen.step == "first"
    assert [stand.ui.is_chosen(name) for name in ("A", "B", "E", "+2")] == [False, False, True, False]


@pytest.mark.parametrize("count", [1, 5])
def test_the_page_with_house_rules_passes_the_audit(panel: Rig, tmp_path: Path, count: int, language: str) -> None:
    theme.language = language
    stand = Stand(panel, tmp_path)
    for place in range(count):
        keep(tmp_path, HouseRules("WX"[place % 2] * (30 - place // 2), "death" if place else "competition"))
    screen: Any = stand.show(NewRaceScreen, draft=with_drivers(first(), 7))
    panel.settle(6)
    assert in_both_looks(screen) == []
    stand.ui.tap("+2" if count == 5 else "W" * 5)
    assert in_both_looks(screen) == []
    stand.close()


@pytest.mark.parametrize("book", RULEBOOKS)
def test_the_page_passes_the_audit(panel: Rig, tmp_path: Path, book: str, language: str) -> None:
    theme.language = language
    stand = Stand(panel, tmp_path)
    for count in (0, 7, 20):
        screen: Any = stand.show(NewRaceScreen, draft=with_drivers(first(book), count))
        panel.settle(6)
        assert (in_both_looks if count == 7 else audit)(screen) == [], count
        shown = first_page(screen.draft, Words(language))
        assert len(shown.drivers) + shown.more == count
    stand.close()


def test_a_box_four_friends_and_a_corner_sheet_are_on_the_grid_after_twelve_taps(
    panel: Rig, tmp_path: Path, language: str
) -> None:
    """From Home, and their names beside: a newcomer with the board of Monza needs nothing else."""
    words, taps = Words(language, "formula-d"), 0
    ui = Ui(panel, tmp_path, language=language)

    def tap(key: str, beside: str = "") -> None:
        nonlocal taps
        taps += 1
        ui.tap(key, beside=beside)
        ui.audit()

    try:
        for key in (words.screen("home.new_race"), "Formula D"):
            tap(key)
        tap(words.screen("new_race.other"), beside=words.screen("new_race.other_note"))
        for key in ("Monza", words.screen("keys.done")):
            tap(key)
        for name in NAMES[:5]:
            tap(words.screen("new_race.add"))
            ui.type(name)
        tap(words.screen("new_race.to_grid"))
        ui.wait_for(words.screen("ask.test", what="grid"))
        assert taps <= 12
        seat = ui.app.playing.seat
        assert seat is not None
        book = seat.see(lambda desk, _: desk.rulebook).result(20)
        assert (book.name, book.track.key) == ("formula-d", "monza")
        assert tuple(car.driver for car in book.race.cars) == NAMES[:5]
    finally:
        ui.close()
