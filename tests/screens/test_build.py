"""The car builder, by touch."""

from __future__ import annotations

from typing import Any

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.rules.rulebooks import begin
from companion.screens.kit.theme import theme
from tests.screens.rig import Rig
from tests.screens.setup import begun
from tests.screens.ui import Ui

NAMES = ("Ada", "", "Александр Константинопольск", "Żółć Çağ Ñandú-Überfluß", "山田太郎", "W" * 30)


def build(ui: Ui, count: int, **more: Any) -> None:
    """Open the builder of a race of some cars."""
    track = str(more.setdefault("track", "spa"))
    cars = [{"car": n, "driver": NAMES[(n - 1) % len(NAMES)], "box": 0} for n in range(1, count + 1)]
    setup = {"sky": "sun", "cars": cars, **more}

    def make() -> RaceDesk:
        desk = RaceDesk(begin(setup, circuits.load(track)), setup=setup)
        while desk.asked is not None and desk.asked.ask == "box":
            desk.answer((desk.asked.options or [])[0].answer)
        return desk

    ui.app.playing.open(make)
    ui.wait_for(theme.words.screen("build.title"))


def build_cup(ui: Ui, teams: str, **more: Any) -> None:
    """Open the builder of a race of the cup, each car in the team of its letter."""
    cars = [{"car": n, "driver": NAMES[n - 1], "team": team} for n, team in enumerate(teams, 1)]
    build(ui, 0, rulebook="cup", track="porto-sereno", cars=cars, **more)


def test_two_cars_are_built_and_shod_by_touch_alone(ui: Ui) -> None:
    build(ui, 2)
    assert ui.sees("Ada", "no name")
    ui.step("Tyres", 3)
    assert (ui.value("Tyres"), ui.offers("Next car")) == ("4", False)
    assert ui.sees("Spend 11 more points", "11 points left", "11 /22")
    ui.tap("Undo")
    assert ui.value("Tyres") == "3"
    ui.tap("Preset")
    assert ui.sees("22 /22", "All points spent")
    for key, car in (("Next car", 2), ("Undo", 1)):
        ui.tap(key)
        asked = begun(ui).asked
        assert asked is not None
        assert asked.car == car
    for key in ("Preset", "Next car", "Preset", "Done", "Soft", "Next car", "Rain", "Done"):
        ui.tap(key)
    ui.wait_for("Round")
    assert [car.tyres for car in begun(ui).rulebook.race.cars] == ["soft", "rain"]


def test_the_points_at_the_stand_go_to_the_car_and_back(ui: Ui) -> None:
    build(ui, 1)
    ui.tap("Preset")
    ui.step("Repairs", -1)
    assert ui.sees("1 point left")
    ui.step("Engine")
    assert ui.sees("All points spent")
    ui.tap("Done")
    assert begun(ui).rulebook.race.cars[0].stand == 1


def test_a_double_tap_builds_one_car_only(ui: Ui) -> None:
    build(ui, 3)
    ui.tap("Preset")
    next_car = ui.where("Next car")
    for _ in range(2):
        ui.rig.tap(*next_car)
        ui.calm()
    asked = begun(ui).asked
    assert asked is not None
    assert asked.car == 2


@pytest.mark.parametrize("count", [1, 20])
def test_the_builder_passes_the_audit(panel: Rig, ui: Ui, count: int, language: str) -> None:
    ui.app.choose(language=language)
    build(ui, count)
    ui.audit_both()
    for _ in range(min(count, 7)):
        ui.tap(theme.words.screen("build.preset"))
        ui.audit_both()
        ui.go_on()
    ui.audit_both()


def test_parts_have_the_room_of_what_is_not_there(ui: Ui) -> None:
    build(ui, 1, options={"stand_points": 0, "car_points": 60})
    assert not ui.sees("Repairs")
    assert ui.sees("/60")
    assert ui.where(icon="plus", beside="tyres")[0] > 740
    ui.tap("Preset")
    ui.audit()
    ui.tap("Done")
    (hard,) = (word.box.x for word in ui.words() if word.text == "Hard")
    assert all(word.box.x < hard for word in ui.words() if word.text.isdigit())


def test_the_compound_that_is_chosen_has_a_check_and_each_its_mark_and_price(ui: Ui) -> None:
    build(ui, 1)
    for key in ("Preset", "Done", "Hard", "Rain", "Soft"):
        ui.tap(key)
    assert [ui.row(key) for key in ("Hard", "Rain", "Soft")] == [
        "H Hard over: −1 dry, −1 wet", "R Rain over: −2 dry, −1 wet", "S Soft over: −2 dry, −2 wet",
    ]  # fmt: skip
    tick = ui.where(icon="check", beside="Soft")
    assert abs(tick[1] - ui.where("Soft")[1]) < 16


def test_the_cup_says_what_a_team_has_what_parts_cost_and_what_is_left(ui: Ui) -> None:
    """Nothing is spent at first; a part that costs more than is left has no +; what is kept goes to the other car."""
    build_cup(ui, "AA", options={"cost": [3, 2, 1, 1, 1, 1]})
    assert ui.sees("0 /4", "Up to 4 more points", "3 points each", "2 points each", "1 point each")
    ui.step("Tyres")
    assert ui.sees("3 /4", "1 point left")
    with pytest.raises(AssertionError, match="'Brakes' ends there"):
        ui.step("Brakes")
    ui.step("Gearbox")
    assert ui.sees("4 /4", "All points spent")
    assert not ui.offers(icon="plus")
    ui.tap("Undo")
    ui.tap("Next car")
    assert ui.sees("0 /1", "Up to 1 more point")
    ui.tap("Done")
    ui.wait_for("Choose the tyres")


def test_a_team_that_has_spent_all_has_nothing_to_spend(ui: Ui) -> None:
    build_cup(ui, "AA")
    ui.step("Tyres", 4)
    ui.tap("Next car")
    assert ui.sees("No points to spend")
    assert not ui.offers(icon="plus")


def test_the_cup_s_builder_passes_the_audit(panel: Rig, ui: Ui, language: str) -> None:
    ui.app.choose(language=language)
    build_cup(ui, "ABBCDE")
    for _ in range(4):
        ui.audit_both()
        ui.tap(theme.words.screen("build.preset"))
