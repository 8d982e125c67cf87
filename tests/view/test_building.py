"""The car builder: the setup question's fields and no figure of its own."""

from __future__ import annotations

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.rules.conversation.errors import BadAnswer
from companion.rules.rulebooks import begin
from companion.view.race.building import Building, is_building, show
from companion.view.sight import Sight
from companion.wording import LANGUAGES, Words


def desk(cars: int = 2, **options: int) -> RaceDesk:
    setup = {
        "track": "monaco",
        "sky": "sun",
        "cars": [{"car": n, "driver": "Ada" if n == 1 else "", "box": n} for n in range(1, cars + 1)],
        "options": options,
    }
    return RaceDesk(begin(setup, circuits.load("monaco")), setup=setup)


def build(race: RaceDesk) -> Building:
    assert race.asked is not None
    return Building.of(race.asked)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_car_is_built_point_by_point_and_taken_by_the_rulebook(lang: str) -> None:
    race, words = desk(), Words(lang)
    asked, car = race.asked, build(race)
    assert asked is not None
    assert is_building(asked)
    shown = show(Sight(race, words), asked, car)
    assert shown.of == 22
    assert shown.spent == 8
    assert [field.icon for field in shown.pools] == list(race.rulebook.race.pools)
    assert [(one.name, one.note) for one in shown.others] == [("stand", words.screen("build.note.stand"))]
    assert shown.why == words.screen("build.left", points=14)
    with pytest.raises(BadAnswer):
        race.answer(car.answer)
    car = car.set("tyres", 99)
    assert (car.points_left, car.values["tyres"]) == (0, 15)
    shown = show(Sight(race, words), asked, car)
    assert shown.why == ""
    assert shown.pools[0].high == 15
    assert shown.pools[1].high == shown.pools[1].value == 1
    race.answer(car.answer)
    assert race.asked is not None
    assert race.asked.car == 2
    after = show(Sight(race, words), race.asked, build(race))
    assert [row.state for row in after.cars] == ["done", "now"]
    assert after.next == words.screen("build.done")
    assert after.undo.label


def test_the_rulebooks_refusal_is_the_key_s_second_line() -> None:
    race = desk()
    assert race.asked is not None
    shown = show(Sight(race, Words()), race.asked, build(race).set("tyres", 15), why="No such car.")
    assert shown.why == "No such car."


def test_every_change_is_undone_by_its_name() -> None:
    race, words = desk(), Words()
    assert race.asked is not None
    car = build(race)
    start = car
    for name, value, said in (("tyres", 2, "Tyres +1"), ("stand", 1, "Repairs −1"), ("tyres", 1, "Tyres −1")):
        car = car.set(name, value)
        assert show(Sight(race, words), race.asked, car).undo.label == said
    car = car.next_preset()
    assert show(Sight(race, words), race.asked, car).undo.label == "Preset"
    for _ in range(4):
        car = car.undone()
    assert car.values == start.values
    assert car.undone() == car
    assert car.set("tyres", 0) == car


def test_presets_are_the_rulebooks_and_each_is_legal() -> None:
    race = desk(3)
    for _ in range(3):
        car = build(race)
        offered = [option.answer for option in (race.asked.options or [])] if race.asked else []
        seen = []
        for _ in offered:
            car = car.next_preset()
            seen.append(car.answer)
        assert seen == offered
        assert car.points_left == 0
        race.answer(car.answer)
    assert race.asked is not None
    assert race.asked.ask == "tyres"


def test_other_figures_other_car() -> None:
    race = desk(1, car_points=30, stand_points=0, pool_minimum=3)
    car = build(race)
    assert car.budget == 30
    assert car.values["engine"] == 3
    assert car.room("engine")[0] == 3
    assert "stand" not in car.values, "there is nothing to keep"
    race.answer(car.set("tyres", 15).answer)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_tyres_are_keys_beside_the_car_as_built(lang: str) -> None:
    race, words = desk(1), Words(lang)
    race.answer(build(race).next_preset().answer)
    asked = race.asked
    assert asked is not None
    assert is_building(asked)
    shown = show(Sight(race, words), asked, None, chosen=1)
    assert [key.answer for key in shown.keys] == [option.answer for option in asked.options or []]
    assert all(key.label[0].isupper() for key in shown.keys)
    assert all(field.low == field.high for field in shown.pools)
    assert shown.next == words.screen("build.done")
    race.answer(shown.keys[1].answer)
    assert not is_building(race.asked)
