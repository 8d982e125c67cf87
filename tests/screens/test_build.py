"""The car builder, by touch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.rules.rulebooks import begin
from companion.screens.build_screen import BuildScreen
from companion.screens.theme import theme
from tests.screens.audit import audit, in_both_looks
from tests.screens.rig import Rig
from tests.screens.stand import Stand

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
    screen = stand.show(BuildScreen)
    for _ in range(3):
        stand.tap(screen.pools.keys["tyres"][1])
    assert screen.built.pools[0].value == 4
    assert screen.next.face.look == "barred"
    stand.tap(screen.next)
    assert desk(stand).asked.car == 1  # type: ignore[union-attr]
    stand.tap(screen.undo)
    assert screen.built.pools[0].value == 3
    stand.tap(screen.preset)
    assert screen.built.why == ""
    stand.tap(screen.next)
    assert desk(stand).asked.car == 2  # type: ignore[union-attr]
    assert screen.built.spent < screen.built.of
    stand.tap(screen.undo)
    assert desk(stand).asked.car == 1  # type: ignore[union-attr]
    for _ in range(2):
        stand.tap(screen.preset)
        stand.tap(screen.next)
    assert desk(stand).asked.ask == "tyres"  # type: ignore[union-attr]
    stand.tap(screen.side.keys[1])
    stand.tap(screen.next)
    stand.tap(screen.side.keys[2])
    stand.tap(screen.next)
    assert [car.tyres for car in desk(stand).rulebook.race.cars] == ["soft", "rain"]
    assert stand.asked[-1][0] == "race"


def test_the_points_at_the_stand_go_to_the_car_and_back(stand: Stand) -> None:
    stand.sit(race(1))
    screen = stand.show(BuildScreen)
    stand.tap(screen.preset)
    stand.tap(screen.side.steps[0][0])
    assert screen.built.of - screen.built.spent == 1
    stand.tap(screen.pools.keys["engine"][1])
    assert screen.built.why == ""
    stand.tap(screen.next)
    assert desk(stand).rulebook.race.cars[0].stand == 1


def test_a_double_tap_builds_one_car_only(stand: Stand) -> None:
    stand.sit(race(3))
    screen = stand.show(BuildScreen)
    stand.tap(screen.preset)
    stand.rig.wait(0.27)
    stand.rig.tap(screen.next)
    stand.calm()
    stand.rig.tap(screen.next)
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
        stand.tap(screen.preset)
        assert in_both_looks(screen) == []
        stand.tap(screen.next)
    assert in_both_looks(screen) == []
    stand.close()


def test_a_driver_without_a_name_is_called_that(stand: Stand) -> None:
    stand.sit(race(2))
    screen = stand.show(BuildScreen)
    assert [mark.text for mark in screen.cars.marks if mark.text].count("no name") == 1


def test_parts_have_the_room_of_what_is_not_there(stand: Stand) -> None:
    stand.sit(race(1, options={"stand_points": 0}))
    screen = stand.show(BuildScreen)
    assert not screen.built.others
    assert screen.side.parent is None
    assert screen.pools.right == screen.right
    stand.tap(screen.preset)
    stand.tap(screen.next)
    assert screen.built.keys
    assert screen.side.x == screen.pools.right


def test_the_compound_that_is_chosen_has_a_check_and_each_its_mark(stand: Stand) -> None:
    stand.sit(race(1))
    screen = stand.show(BuildScreen)
    stand.tap(screen.preset)
    stand.tap(screen.next)
    stand.tap(screen.side.keys[1])
    checked = [any(mark.kind == "icon" for mark in key.marks) for key in screen.side.keys]
    assert checked == [False, True, False]
    assert [next(mark.text for mark in key.marks if mark.text) for key in screen.side.keys] == ["H", "S", "R"]


def test_other_figures_are_other_steppers(stand: Stand) -> None:
    stand.sit(race(1, options={"car_points": 60, "stand_points": 0}))
    screen = stand.show(BuildScreen)
    stand.tap(screen.preset)
    assert screen.built.of == 60
    assert audit(screen) == []
