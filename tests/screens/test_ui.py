"""The finger that reads: an evening by words alone, and what it says when something cannot be touched."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion import house_rules
from companion.screens.kit.key import Face, Key
from companion.sheets.entrants import RaceEntrant, remember, remembered
from tests.screens.rig import Rig
from tests.screens.ui import Ui


def answer(ui: Ui, chance: random.Random) -> None:
    """Answer the open question by a key that is seen, whichever, and accept what it costs."""
    shown = ui.app.playing.shown
    assert shown is not None
    prompt = shown.prompt
    below = "" if prompt.layout == "landing" else prompt.title
    keys = [key for key in prompt.keys if not key.why]
    chance.shuffle(keys)
    key = next(key for key in keys if ui.offers(key.label, below=below))
    ui.tap(key.label, below=below)
    shown = ui.app.playing.shown
    assert shown is not None
    if shown.prompt.key == prompt.key:
        ui.tap("Retire" if ui.offers("Retire") else "Accept")


def test_a_race_of_beginners_by_words_from_home_to_the_classification(ui: Ui) -> None:
    ui.tap("New race")
    ui.tap("Beginner")
    ui.tap("Other circuit")
    ui.tap("Copper Basin Speedway")
    ui.tap("Done")
    for name in ("Ada Vidal", "Zoë 7"):
        ui.tap("Add")
        ui.type(name)
    assert ui.sees("Ada Vidal", "Zoë 7", "Copper Basin Speedway")
    ui.tap("Start race")
    ui.wait_for("Grid: roll black")
    chance = random.Random(4)
    for _ in range(200):
        if ui.sees("The race is over"):
            break
        answer(ui, chance)
        ui.audit()
    assert ui.sees("The race is over", "Ada Vidal", "Zoë 7")
    ui.tap("Home")
    assert ui.sees("Begin a race?")


def test_house_rules_of_a_name_that_is_taken_are_replaced_only_when_asked(ui: Ui, folder: Path) -> None:
    ui.tap("New race")
    ui.tap("All the rest")
    for rulebook in ("Competition", "Cup"):
        ui.tap("Rules")
        ui.tap(rulebook)
        ui.tap("Great start, spaces")
        ui.tap(icon="plus", beside="usual: 4")
        ui.tap("Back")
        ui.tap("Save as house rules")
        ui.type("Thursday")
    assert ui.sees("Replace Thursday?")
    ui.tap("Cancel")
    assert [one.rulebook for one in house_rules.saved(folder)] == ["competition"]
    ui.tap("Save as house rules")
    ui.type("Thursday")
    ui.tap("Replace")
    assert [one.rulebook for one in house_rules.saved(folder)] == ["cup"]
    assert not ui.sees("Save as house rules"), "they are kept"
    ui.audit()


def test_a_remembered_driver_is_given_a_second_car_and_none_by_words(ui: Ui, folder: Path) -> None:
    remember(folder, [RaceEntrant(number=7, name="Ada Vidal"), RaceEntrant(number=9, name="Zoë")])
    ui.tap("New race")
    ui.tap("Beginner")
    ui.tap("Add")
    for said in ("1 car", "2 cars", "Enter a driver first."):
        ui.tap("Ada Vidal", beside="Remembered")
        ui.audit()
        assert said in ui.lines()
    for _ in range(2):
        ui.tap("Ada Vidal", beside="Remembered")
    ui.tap("Done")
    ui.tap("Start race")
    ui.wait_for("Grid: roll black")
    seat = ui.app.playing.seat
    assert seat is not None
    cars = seat.see(lambda desk, _: [(car.number, car.driver) for car in desk.rulebook.race.cars]).result(20)
    assert cars == [(7, "Ada Vidal"), (1, "Ada Vidal")]
    assert [one.name for one in remembered(folder)] == ["Ada Vidal", "Zoë"]


def test_what_is_not_there_is_told_with_what_is(ui: Ui) -> None:
    with pytest.raises(AssertionError) as told:
        ui.tap("Old race")
    said = str(told.value)
    assert said.startswith("Nothing here says 'Old race'.\nOn the screen can be touched:\n")
    assert "  24,178 312x74  'New race'\n" in said
    assert "\nand read:\n  56,15 109x22  Companion\n" in said


def test_what_cannot_be_touched_is_not_touched(ui: Ui, rig: Rig) -> None:
    tapped: list[str] = []
    rig.show(Key(Face(label="Low"), on_tap=lambda: tapped.append("low")), 20, 300, 120, 40)
    with pytest.raises(AssertionError, match=r"^'Low' is smaller than a finger\.\n"):
        ui.tap("Low")
    rig.show(Key(Face(label="Beneath"), on_tap=lambda: tapped.append("beneath")), 20, 360, 240, 60)
    rig.show(Key(Face(label="Above")), 10, 350, 260, 80)
    with pytest.raises(AssertionError, match=r"^Nothing here says 'Beneath'\.\n"):
        ui.tap("Beneath")
    for x in (300, 460):
        rig.show(Key(Face(label="Same"), on_tap=lambda x=x: tapped.append(f"same {x}")), x, 360, 120, 60)
    with pytest.raises(
        AssertionError, match=r"^'Same' can be touched at 300,360 120x60, 460,360 120x60: say beside what\."
    ):
        ui.tap("Same")
    assert tapped == []
    ui.tap("Same", beside="Above")
    assert tapped == ["same 300"]
