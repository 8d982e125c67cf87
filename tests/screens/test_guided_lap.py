"""The guided lap: driven by touch from the start to the flag, left at any moment."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.faces import GEAR_DICE
from companion.screens.kit.theme import theme
from companion.screens.race.race import RaceScreen
from companion.view.seats.guide import STEPS, CornerAhead, fits
from companion.view.shown_race import Guide
from companion.wording import Words
from tests.screens.audit import place
from tests.screens.panels import PANELS
from tests.screens.rig import Rig
from tests.screens.table import Table
from tests.screens.ui import Ui


def tried(rig: Rig, folder: Path, language: str = "en") -> Table:
    """A table that has tapped Try it."""
    table = Table(rig, folder, language=language)
    table.until(lambda: table.app.screen is not None and table.app.screen.is_loaded)
    table.ui.tap(theme.words.screen("home.trial"))
    table.until(lambda: isinstance(table.app.screen, RaceScreen) and table.app.screen.now is not None)
    table.calm()
    return table


@pytest.fixture
def lap(rig: Rig, folder: Path) -> Iterator[Table]:
    made = tried(rig, folder)
    yield made
    made.close()


def guide(table: Table) -> Guide:
    found = table.shown.guide
    assert found is not None
    return found


def follow(table: Table, driver: HeuristicDriver) -> None:
    """The advice is taken by touch, where there is any."""
    advised = guide(table).advised
    key = next((key for key in table.prompt.keys if key.label == advised and not key.why), None)
    if key is not None:
        table.answer(key)
    else:
        table.one(driver)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_lap_is_driven_by_touch_from_start_to_flag(rig: Rig, folder: Path, language: str) -> None:
    """Only the pupil is ever asked; each kind of question is explained when it first comes, in words that have room
    on both panels, and at the end only lessons are left that this lap had no question for."""
    if language == "fr":
        rig.window(*PANELS[1])
    table = tried(rig, folder, language)
    driver, lessons = HeuristicDriver(circuits.load("monaco"), 4), []
    try:
        assert guide(table).lesson == "start"
        for _ in range(200):
            asked = table.see(lambda desk: desk.asked)
            now = guide(table)
            if asked is not None and asked.ask == "landing":
                assert table.prompt.keys[table.prompt.chosen].label == now.advised
            if now.fresh:
                assert now.lesson not in lessons
                lessons.append(now.lesson)
                assert table.screen.coach.parent is table.screen
                table.ui.audit_both()
            assert now.advised == "" or now.advised in [key.label for key in table.prompt.keys]
            if asked is None:
                break
            assert asked.car == 1
            follow(table, driver)
        assert lessons[0] == "start"
        assert lessons[-1] == "flag"
        assert {"gear", "roll", "space", "corner"} <= set(lessons)
        counted = [STEPS.index(lesson) for lesson in lessons if lesson in STEPS]
        assert counted == sorted(counted), "the steps come as they are counted"
        assert [done for step, done in zip(STEPS, guide(table).done, strict=True) if step in lessons[:-1]] == [
            True
        ] * len([step for step in lessons[:-1] if step in STEPS])
        assert table.see(lambda desk: {car.status for car in desk.rulebook.race.cars}) <= {"finished", "out"}
        texts = table.texts()
        assert theme.words.screen("guide.chip") in texts
    finally:
        table.close()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_first_card_explains_the_game_and_the_next_ones_are_lower(panel: Rig, folder: Path, language: str) -> None:
    table = tried(panel, folder, language)
    try:
        words = {"en": ("die", "flag", "18 points", "First over the line wins"),
                 "fr": ("dé", "drapeau", "18 points", "Gagne qui finit premier")}[language]  # fmt: skip
        read = " ".join(mark.text for mark in table.screen.coach.marks)
        assert [word for word in words if word not in read] == []
        table.ui.audit_both()
        first = table.screen.coach.panel_top
        follow(table, HeuristicDriver(circuits.load("monaco"), 4))
        assert guide(table).lesson != "start"
        assert table.screen.coach.panel_top > first
    finally:
        table.close()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_is_told_lies_on_no_advice_where_four_tests_are_listed(panel: Rig, folder: Path, language: str) -> None:
    """The pupil stops beside two cars: their tests are rolled for them and told, while his own wait for his die."""
    places = {1: "2:left:1", 2: "2:left:4", 3: "2:left:5", 4: "1:left:1"}
    cars = [{"car": car, "at": at, "gear": 2, "lap": 1} for car, at in places.items()]
    setup = {"rulebook": "beginner", "track": "monaco", "laps": 1, "cars": cars, "to_play": [1, 4], "round": 2}
    ui = Ui(panel, folder, language=language)
    try:
        ui.app.playing.begin(setup, "monaco", guided=True)
        words = Words(language, "beginner")
        for key in ("3", "4", "B", "B", "B"):  # a space that is not advised is chosen, asked about, taken
            ui.wait_for(words.screen({"3": "ask.gear", "4": "ask.roll", "B": "ask.landing"}[key], number=3))
            ui.tap(key)
            panel.wait(1)
        shown, told = ui.app.playing.shown, ui.app.toast
        assert shown is not None
        assert shown.guide is not None
        assert told.shown is not None
        assert len(shown.tests) == 4
        advice = (shown.guide.todo, *shown.guide.what.split("\n"))
        boxes = [word.box for word in ui.words() if word.text in advice]
        assert len(boxes) == len(advice)
        covered = place(told)
        assert [box for box in boxes if covered.y < box.y + box.h and box.y < covered.y + covered.h] == []
    finally:
        ui.close()


def test_another_key_is_asked_about_once_and_taken_then(lap: Table) -> None:
    driver = HeuristicDriver(circuits.load("monaco"), 4)
    for _ in range(40):
        if guide(lap).lesson == "corner" and guide(lap).fresh:
            break
        follow(lap, driver)
    advised, prompt = guide(lap).advised, lap.prompt
    other = next(key for key in prompt.keys if not key.why and key.label != advised)
    lap.answer(other)
    assert lap.prompt.key == prompt.key
    assert "?" in lap.screen.coach.doubt
    assert lap.screen.coach.key is not None
    lap.answer(other)
    assert lap.prompt.key != prompt.key
    lap.tap(lap.screen.band.made["undo"])
    assert lap.prompt.key == prompt.key  # the guide's cars have not gone on meanwhile


def test_the_guide_is_left_at_any_moment_and_the_race_goes_on(lap: Table) -> None:
    driver: Any = HeuristicDriver(circuits.load("monaco"), 4)
    for _ in range(3):
        follow(lap, driver)
    lap.touch(theme.words.screen("guide.leave"))
    assert lap.shown.guide is None
    assert lap.screen.coach.parent is None
    assert "Guided lap" not in lap.texts()
    asked = set()
    for _ in range(12):
        lap.one(driver)
        asked.add(lap.see(lambda desk: desk.asked.car))
    assert len(asked) > 1


@pytest.mark.parametrize(
    ("near", "far", "gear", "how"),
    [(4, 8, 3, "in"), (4, 8, 4, "over"), (5, 9, 3, "part"), (9, 12, 3, "short"), (1, 8, 3, "in")],
)
def test_how_a_gear_goes_with_a_corner(near: int, far: int, gear: int, how: str) -> None:
    corner = CornerAhead(near, far, 1, False)
    assert fits(corner, gear) == how
    assert (how == "in") == all(near <= face <= far for face in GEAR_DICE[gear])
