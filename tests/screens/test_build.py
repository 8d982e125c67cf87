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
    stand.tap(screen.side.steps[0])
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


def cup(teams: str) -> Callable[[], RaceDesk]:
    """A race of the cup, each car in the team of its letter."""
    cars = [{"car": n, "driver": NAMES[n - 1], "team": team} for n, team in enumerate(teams, 1)]
    setup = {"rulebook": "cup", "track": "porto-sereno", "sky": "sun", "cars": cars}
    return lambda: RaceDesk(begin(setup, circuits.load("porto-sereno")), setup=setup)


def test_the_cup_says_what_a_team_has_what_parts_cost_and_what_is_left(stand: Stand) -> None:
    """Nothing is spent at first; a part that costs more than is left has no +; what is kept goes to the other car."""
    stand.sit(cup("AA"))
    screen = stand.show(BuildScreen)
    built = screen.built
    figures = desk(stand).rulebook.figures
    assert (built.spent, built.of, built.ask) == (0, figures.team_points, "Up to 4 more points")
    assert [field.note for field in built.pools] == [f"{n} point{'s' * (n > 1)} each" for n in figures.cost]
    stand.tap(screen.pools.keys["tyres"][1])
    assert (screen.built.spent, screen.next.face.note) == (figures.cost[0], f"{4 - figures.cost[0]} points left")
    assert screen.next.face.look == "answer"
    for pool, cost in zip(desk(stand).rulebook.race.pools, figures.cost, strict=True):
        while screen.pools.keys[pool][1].on_tap is not None:
            stand.tap(screen.pools.keys[pool][1])
        assert 0 <= screen.built.of - screen.built.spent < cost or screen.built.of == screen.built.spent
    assert screen.built.ask == "All points spent"
    assert all(pair[1].on_tap is None for pair in screen.pools.keys.values())
    stand.tap(screen.undo)
    left = screen.built.of - screen.built.spent
    assert left > 0
    stand.tap(screen.next)
    assert (screen.built.spent, screen.built.of) == (0, left)
    stand.tap(screen.next)
    assert desk(stand).asked.ask == "tyres"  # type: ignore[union-attr]


def test_a_team_that_has_spent_all_has_nothing_to_spend(stand: Stand) -> None:
    stand.sit(cup("AA"))
    screen = stand.show(BuildScreen)
    while screen.built.spent < screen.built.of:
        stand.tap(screen.pools.keys["tyres"][1])
    stand.tap(screen.next)
    assert screen.built.ask == "No points to spend"
    assert all(pair[1].on_tap is None for pair in screen.pools.keys.values())


def test_the_cup_s_builder_passes_the_audit(panel: Rig, tmp_path: Path, language: str) -> None:
    theme.language = language
    stand = Stand(panel, tmp_path)
    stand.sit(cup("ABBCDE"))
    screen = stand.show(BuildScreen)
    for _ in range(4):
        assert in_both_looks(screen) == []
        stand.tap(screen.preset)
    stand.close()
