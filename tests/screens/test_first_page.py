"""A race that begins on one page: three things to choose, two taps to the grid, everything else in its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.house_rules import HouseRules, forget, keep
from companion.rules.rulebooks import RULEBOOKS
from companion.screens.setup.new_race import NewRaceScreen
from companion.screens.widgets.dock import dock
from companion.screens.widgets.theme import theme
from companion.sheets.entrants import Entrant, remember
from companion.view.setup.draft import Draft, first
from companion.view.setup.first_page import first_page
from companion.wording import Words
from tests.screens.audit import audit, in_both_looks
from tests.screens.rig import Rig
from tests.screens.stand import Stand
from tests.screens.ui import Ui

NAMES = ("Bruno", "Noé", "Olga", "Hugo", "Greta", "Ada", "Élodie de la Fontaine-Dubois X", "")


def with_drivers(draft: Draft, count: int) -> Draft:
    for place in range(count):
        draft = draft.entering(Entrant(number=place + 1, name=NAMES[place % len(NAMES)], colour=place))
    return draft


def typed(stand: Stand, text: str) -> None:
    """Letters as the keys say them, without a touch of the key for capitals, and Done."""
    keys = dock().keyboard
    for letter in text:
        stand.rig.settle(2)
        stand.tap(keys.letter(letter) if letter != " " else keys._space)
    stand.tap(keys._done)


@pytest.mark.parametrize("book", RULEBOOKS)
def test_six_drivers_stand_on_the_grid_after_two_taps(stand: Stand, book: str) -> None:
    """The same car for all, and to the grid: nothing is left to be built, whichever the rulebook."""
    screen = stand.show(NewRaceScreen, draft=with_drivers(first(book), 6).but(same=False))
    same = [key for key in screen.body.ways if key.on_tap is not None][-1]
    stand.tap(same)
    stand.tap(screen.body.begin)
    desk = stand.made
    assert desk is not None
    assert len([car for car in desk.rulebook.race.cars if not getattr(car, "bot", "")]) == 6
    for car in desk.rulebook.race.cars if book in ("competition", "cup") else ():
        assert list(car.wear.values()) == [6, 3, 3, 3, 3, 2]
    assert desk.asked is not None
    assert desk.asked.ask not in ("setup", "chart", "card")


def test_each_builds_his_own_where_that_is_wanted(stand: Stand) -> None:
    screen = stand.show(NewRaceScreen, draft=with_drivers(first(), 2))
    stand.tap(screen.body.ways[0])
    stand.tap(screen.body.begin)
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
    assert (screen.body.begin.face.look, screen.body.begin.face.note) == ("barred", "2 drivers first")
    stand.tap(screen.body.begin)
    assert "two drivers or more" in stand.told[-1].text
    assert stand.made is None
    for name in ("Ada Kim", "Bo"):
        stand.tap(screen.body.add)
        assert screen.step == "drivers"
        keys = dock().keyboard
        assert keys.capitals
        stand.tap(keys._done)  # nothing is written: it says so, and stays
        assert (keys._done.face.look, keys._done.face.note) == ("barred", "nothing written yet")
        assert dock().line is not None
        typed(stand, name)
        assert screen.step == "first"
    assert [one.name for one in screen.draft.entrants] == ["Ada Kim", "Bo"]
    stand.tap(screen.body.laps[0])
    stand.tap(screen.body.begin)
    assert stand.made is not None
    assert [(car.driver, stand.made.rulebook.race.laps) for car in stand.made.rulebook.race.cars] == [
        ("Ada Kim", 1), ("Bo", 1),
    ]  # fmt: skip


def test_who_is_remembered_is_tapped_and_who_is_held_goes(stand: Stand) -> None:
    remember(stand.folder, [Entrant(number=4, name="Olga"), Entrant(number=8, name="Hugo", colour=1)])
    screen = stand.show(NewRaceScreen)
    stand.tap(screen.body.add)
    assert dock().line is None
    for place in (0, 1):
        screen.body._toggle(place)
    stand.calm()
    stand.tap(screen.next)
    assert [one.name for one in screen.draft.entrants] == ["Olga", "Hugo"]
    stand.rig.hold(screen.body.drivers[0])
    assert [one.name for one in screen.draft.entrants] == ["Hugo"]
    stand.tap(screen.body.drivers[0])
    assert (screen.step, screen.body.name.value) == ("drivers", "Hugo")
    stand.tap(screen.before)
    assert screen.step == "first"


def test_everything_else_has_its_place_and_says_how_much_differs(stand: Stand) -> None:
    screen = stand.show(NewRaceScreen, draft=with_drivers(first("cup"), 2).but(options={"car_points": 24}))
    assert screen.body.rest.face.note == "1 changed"
    stand.tap(screen.body.rest)
    assert screen.step == "rules"
    stand.tap(screen.before)
    assert screen.step == "first"
    stand.tap(screen.body.other)
    keys = [row.key for row, _ in screen.body.circuits.shown]
    screen.body._choose(screen.body.rows[keys.index("imola")])
    stand.tap(screen.next)
    assert (screen.step, screen.draft.track) == ("first", "imola")
    stand.tap(screen.body.books[list(RULEBOOKS).index("ninety")])
    assert (screen.draft.rulebook, screen.draft.track, screen.body.rest.face.note) == (
        "ninety", "saltmarsh", "as the book has it",
    )  # fmt: skip
    stand.rig.settle(4)
    assert [key.face.label for key in screen.body.laps][1] == str(screen.draft.usual_laps)


THURSDAY = HouseRules("Thursday rules", "competition", {"engine_dry": 5})


def test_house_rules_are_chosen_beside_the_rulebooks_and_remembered(stand: Stand) -> None:
    """One touch; the plain rulebook is one touch away; the next race has the rules of the last."""
    keep(stand.folder, THURSDAY)
    screen = stand.show(NewRaceScreen, draft=with_drivers(first("cup"), 2))
    stand.tap(screen.body.house[0])
    assert (screen.draft.rulebook, screen.draft.options) == ("competition", {"engine_dry": 5})
    stand.tap(screen.body.books[list(RULEBOOKS).index("competition")])
    assert (screen.draft.rulebook, screen.draft.options) == ("competition", {})
    stand.tap(screen.body.house[0])
    chosen = [key.face.label for key in (*screen.body.books, *screen.body.house) if key.face.chosen]
    assert chosen == ["Thursday rules"]
    stand.tap(screen.body.begin)
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
    assert [key.face.label for key in screen.body.house] == ["A", "B", "C", "+2"]
    stand.tap(screen.body.house[3])
    assert (screen.step, screen.aside) == ("rules", True)
    screen.body._book(4)
    stand.tap(screen.next)
    assert screen.step == "first"
    assert [(key.face.label, key.face.chosen) for key in screen.body.house] == [
        ("A", False), ("B", False), ("E", True), ("+2", False),
    ]  # fmt: skip


@pytest.mark.parametrize("count", [1, 5])
def test_the_page_with_house_rules_passes_the_audit(panel: Rig, tmp_path: Path, count: int, language: str) -> None:
    theme.language = language
    stand = Stand(panel, tmp_path)
    for place in range(count):
        keep(tmp_path, HouseRules("WX"[place % 2] * (30 - place // 2), "death" if place else "competition"))
    screen: Any = stand.show(NewRaceScreen, draft=with_drivers(first(), 7))
    panel.settle(6)
    assert in_both_looks(screen) == []
    stand.tap(screen.body.house[-1])
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
