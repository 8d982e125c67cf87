"""The car builder, by touch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.rules.rulebooks import begin
from companion.screens.kit.theme import theme
from companion.screens.setup.build import BuildScreen
from tests.screens.audit import audit, in_both_looks
from tests.screens.rig import Rig
from tests.screens.stand import Stand
from tests.screens.ui import Ui

NAMES = ("Ada", "", "Александр Константинопольск", "Żółć Çağ Ñandú-Überfluß", "山田太郎", "W" * 30)


def race(count: int, **more: Any) -> Callable[[], RaceDesk]:
    cars = [{"car": n, "driver": NAMES[(n - 1) % len(NAMES)], "box": 0} for n in range(1, count + 1)]
    setup = {"track": "spa", "sky": "sun", "cars": cars, **more}

    def make() -> RaceDesk:
        desk = RaceDesk(begin(setup, circuits.load("spa")), setup=setup)
        while desk.asked is not None and desk.asked.ask == "box":
            desk.answer((desk.asked.options or [])[0].answer)
        return desk

    return make


def desk(stand: Stand) -> RaceDesk:
    assert stand.made is not None
    return stand.made


def test_two_cars_are_built_and_shod_by_touch_alone(stand: Stand) -> None:
    stand.sit(race(2))
    screen, ui = stand.show(BuildScreen), stand.ui
    for _ in range(3):
        ui.tap(icon="plus", beside="tyres")
    assert screen.built.pools[0].value == 4
    assert not ui.offers("Next car")
    ui.tap("Undo")
    assert screen.built.pools[0].value == 3
    ui.tap("Preset")
    assert screen.built.why == ""
    ui.tap("Next car")
    assert desk(stand).asked.car == 2  # type: ignore[union-attr]
    assert screen.built.spent < screen.built.of
    ui.tap("Undo")
    assert desk(stand).asked.car == 1  # type: ignore[union-attr]
    for key in ("Preset", "Next car", "Preset", "Done"):
        ui.tap(key)
    assert desk(stand).asked.ask == "tyres"  # type: ignore[union-attr]
    for key in ("Soft", "Next car", "Rain", "Done"):
        ui.tap(key)
    assert [car.tyres for car in desk(stand).rulebook.race.cars] == ["soft", "rain"]
    assert stand.asked[-1][0] == "race"


def test_the_points_at_the_stand_go_to_the_car_and_back(stand: Stand) -> None:
    stand.sit(race(1))
    screen, ui = stand.show(BuildScreen), stand.ui
    ui.tap("Preset")
    (label,) = (word.box for word in ui.words() if word.text == screen.built.others[0].label)
    stand.tap(label.x + 28, label.y + 48)  # its minus
    assert screen.built.of - screen.built.spent == 1
    ui.tap(icon="plus", beside="engine")
    assert screen.built.why == ""
    ui.tap("Done")
    assert desk(stand).rulebook.race.cars[0].stand == 1


def test_a_double_tap_builds_one_car_only(stand: Stand) -> None:
    stand.sit(race(3))
    stand.show(BuildScreen)
    stand.ui.tap("Preset")
    next_car = stand.ui.where("Next car")
    for _ in range(2):
        stand.rig.tap(*next_car)
        stand.calm()
    assert desk(stand).asked.car == 2  # type: ignore[union-attr]


@pytest.mark.parametrize("count", [1, 20])
def test_the_builder_passes_the_audit(panel: Rig, tmp_path: Path, count: int, language: str) -> None:
    theme.language = language
    stand = Stand(panel, tmp_path)
    stand.sit(race(count))
    screen = stand.show(BuildScreen)
    assert in_both_looks(screen) == []
    for _ in range(min(count, 7)):
        stand.ui.tap(theme.words.screen("build.preset"))
        assert in_both_looks(screen) == []
        stand.ui.tap(screen.built.next)
    assert in_both_looks(screen) == []
    stand.close()


def test_a_driver_without_a_name_is_called_that(stand: Stand) -> None:
    stand.sit(race(2))
    stand.show(BuildScreen)
    assert [word.text for word in stand.ui.words()].count("no name") == 1


def test_parts_have_the_room_of_what_is_not_there(stand: Stand) -> None:
    stand.sit(race(1, options={"stand_points": 0}))
    screen, ui = stand.show(BuildScreen), stand.ui
    assert not screen.built.others
    assert ui.where(icon="plus", beside="tyres")[0] > screen.w - 60
    ui.tap("Preset")
    ui.tap("Done")
    (hard,) = (word.box.x for word in ui.words() if word.text == "Hard")
    assert all(word.box.x < hard for word in ui.words() if word.text.isdigit())


def test_the_compound_that_is_chosen_has_a_check_and_each_its_mark(stand: Stand) -> None:
    stand.sit(race(1))
    stand.show(BuildScreen)
    ui = stand.ui
    for key in ("Preset", "Done", "Soft"):
        ui.tap(key)
    keys = {word.text: word.widget.marks for word in ui.words() if word.text in ("Hard", "Soft", "Rain")}
    assert [name for name, marks in keys.items() if any(mark.kind == "icon" for mark in marks)] == ["Soft"]
    assert [next(mark.text for mark in marks if mark.text) for marks in keys.values()] == ["H", "S", "R"]


def test_other_figures_are_other_steppers(stand: Stand) -> None:
    stand.sit(race(1, options={"car_points": 60, "stand_points": 0}))
    screen = stand.show(BuildScreen)
    stand.ui.tap("Preset")
    assert screen.built.of == 60
    assert audit(screen) == []


def adds_nothing(ui: Ui) -> None:
    """No point can be added to any part."""
    with pytest.raises(AssertionError, match=r"^0 controls"):
        ui.where(icon="plus")


def cup(teams: str) -> Callable[[], RaceDesk]:
    """A race of the cup, each car in the team of its letter."""
    cars = [{"car": n, "driver": NAMES[n - 1], "team": team} for n, team in enumerate(teams, 1)]
    setup = {"rulebook": "cup", "track": "porto-sereno", "sky": "sun", "cars": cars}
    return lambda: RaceDesk(begin(setup, circuits.load("porto-sereno")), setup=setup)


def test_the_cup_says_what_a_team_has_what_parts_cost_and_what_is_left(stand: Stand) -> None:
    """Nothing is spent at first; a part that costs more than is left has no +; what is kept goes to the other car."""
    stand.sit(cup("AA"))
    screen, ui = stand.show(BuildScreen), stand.ui
    built = screen.built
    figures = desk(stand).rulebook.figures
    assert (built.spent, built.of, built.ask) == (0, figures.team_points, "Up to 4 more points")
    assert [field.note for field in built.pools] == [f"{n} point{'s' * (n > 1)} each" for n in figures.cost]
    ui.tap(icon="plus", beside="tyres")
    assert screen.built.spent == figures.cost[0]
    assert ui.sees(f"{4 - figures.cost[0]} points left")
    assert ui.offers("Next car")
    for at, (pool, cost) in enumerate(zip(desk(stand).rulebook.race.pools, figures.cost, strict=True)):
        while screen.built.pools[at].value < screen.built.pools[at].high:
            ui.tap(icon="plus", beside=pool)
        assert 0 <= screen.built.of - screen.built.spent < cost or screen.built.of == screen.built.spent
    assert ui.sees("All points spent")
    adds_nothing(ui)
    ui.tap("Undo")
    left = screen.built.of - screen.built.spent
    assert left > 0
    ui.tap("Next car")
    assert (screen.built.spent, screen.built.of) == (0, left)
    ui.tap("Done")
    assert desk(stand).asked.ask == "tyres"  # type: ignore[union-attr]


def test_a_team_that_has_spent_all_has_nothing_to_spend(stand: Stand) -> None:
    stand.sit(cup("AA"))
    screen, ui = stand.show(BuildScreen), stand.ui
    while screen.built.spent < screen.built.of:
        ui.tap(icon="plus", beside="tyres")
    ui.tap("Next car")
    assert ui.sees("No points to spend")
    adds_nothing(ui)


def test_the_cup_s_builder_passes_the_audit(panel: Rig, tmp_path: Path, language: str) -> None:
    theme.language = language
    stand = Stand(panel, tmp_path)
    stand.sit(cup("ABBCDE"))
    screen = stand.show(BuildScreen)
    for _ in range(4):
        assert in_both_looks(screen) == []
        stand.ui.tap(theme.words.screen("build.preset"))
    stand.close()
