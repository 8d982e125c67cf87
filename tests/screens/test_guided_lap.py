"""The guided lap: driven by touch from the start to the flag, left at any moment."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.rules.conversation.faces import GEAR_DICE
from companion.screens.kit.theme import theme
from companion.view.seats.guide import STEPS, CornerAhead, fits
from companion.view.shown_race import Guide
from companion.wording import Words
from tests.screens.audit import Box
from tests.screens.rig import Rig
from tests.screens.table import Table, driver_on
from tests.screens.ui import Ui

DRIVER = driver_on("monaco", 4)


@pytest.fixture
def lap(panel: Rig, folder: Path, language: str) -> Iterator[Table]:
    """A table that has tapped Try it."""
    table = Table(panel, folder, language=language)
    try_it = theme.words.screen("home.trial")
    table.ui.wait_for(try_it)
    table.ui.tap(try_it)
    table.ui.wait_for(theme.words.screen("guide.leave"))
    table.calm()
    yield table
    table.close()


def guide(table: Table) -> Guide:
    found = table.shown.guide
    assert found is not None
    return found


def advice(ui: Ui, guide: Guide) -> list[Box]:
    """Return where the lines of the guide's advice are read."""
    lines = (*guide.what.split("\n"), guide.todo)
    found = [word.box for word in ui.words() if word.text in lines]
    assert len(found) == len(lines), ui.screen()
    return found


def follow(table: Table) -> None:
    """The advice is taken by touch, where there is any."""
    advised = guide(table).advised
    key = next((key for key in table.prompt.keys if key.label == advised and not key.why), None)
    if key is not None:
        table.answer(key)
    else:
        table.one(DRIVER)


def test_a_lap_is_driven_by_touch_from_start_to_flag(lap: Table) -> None:
    """Only the pupil is ever asked; each kind of question is explained when it first comes, in words that have room
    on both panels, and at the end only lessons are left that this lap had no question for. The first card, which
    explains the game, is higher than the next ones."""
    lessons, tops = [], []
    assert lap.ui.sees("18 points")
    for _ in range(200):
        asked, now = lap.see(lambda desk: desk.asked), guide(lap)
        if asked is not None and asked.ask == "landing":
            assert lap.prompt.keys[lap.prompt.chosen].label == now.advised
        if now.fresh:
            assert now.lesson not in lessons
            lessons.append(now.lesson)
            tops.append(advice(lap.ui, now)[0].y)
            lap.ui.audit_both()
        assert now.advised == "" or now.advised in [key.label for key in lap.prompt.keys]
        if asked is None:
            break
        assert asked.car == 1
        follow(lap)
    assert (lessons[0], lessons[-1]) == ("start", "flag")
    assert {"gear", "roll", "space", "corner"} <= set(lessons)
    assert tops[0] < tops[1]
    counted = [STEPS.index(lesson) for lesson in lessons if lesson in STEPS]
    assert counted == sorted(counted), "the steps come as they are counted"
    assert all(done for step, done in zip(STEPS, guide(lap).done, strict=True) if step in lessons[:-1])
    assert lap.see(lambda desk: {car.status for car in desk.rulebook.race.cars}) <= {"finished", "out"}
    assert lap.ui.sees(theme.words.screen("guide.chip"))


def test_what_is_told_lies_on_no_advice_where_four_tests_are_listed(panel: Rig, ui: Ui, language: str) -> None:
    """The pupil stops beside two cars: their tests are rolled for them and told, while his own wait for his die."""
    places = {1: "2:left:1", 2: "2:left:4", 3: "2:left:5", 4: "1:left:1"}
    cars = [{"car": car, "at": at, "gear": 2, "lap": 1} for car, at in places.items()]
    setup = {"rulebook": "beginner", "track": "monaco", "laps": 1, "cars": cars, "to_play": [1, 4], "round": 2}
    ui.app.choose(language=language)
    ui.app.playing.begin(setup, "monaco", guided=True)
    words = Words(language, "beginner")
    for key in ("3", "4", "B", "B", "B"):  # a space that is not advised is chosen, asked about, taken
        ui.wait_for(words.screen({"3": "ask.gear", "4": "ask.roll", "B": "ask.landing"}[key], number=3))
        ui.tap(key)
        panel.wait(1)
    shown = ui.app.playing.shown
    assert shown is not None
    assert shown.guide is not None
    assert len(shown.tests) == 4
    assert ui.sees({"en": "3 close to 1: rolls", "fr": "3 près de 1 : fait"}[language])
    advice(ui, shown.guide)


@pytest.mark.parametrize(("panel", "language"), [(((800, 480), 1.0), "en")], indirect=True)
def test_another_key_is_asked_about_once_and_taken_then(lap: Table) -> None:
    for _ in range(40):
        if guide(lap).lesson == "corner" and guide(lap).fresh:
            break
        follow(lap)
    advised, prompt = guide(lap).advised, lap.prompt
    assert lap.ui.pointed().startswith(advised)
    other = next(key for key in prompt.keys if not key.why and key.label != advised)
    lap.answer(other)
    assert lap.prompt.key == prompt.key
    assert lap.ui.sees("Go on?")
    lap.answer(other)
    assert lap.prompt.key != prompt.key
    lap.touch("Undo")
    assert lap.prompt.key == prompt.key  # the guide's cars have not gone on meanwhile


@pytest.mark.parametrize(("panel", "language"), [(((800, 480), 1.0), "en")], indirect=True)
def test_the_guide_is_left_at_any_moment_and_the_race_goes_on(lap: Table) -> None:
    for _ in range(3):
        follow(lap)
    said = guide(lap).todo
    lap.touch("Leave")
    assert lap.shown.guide is None
    assert not lap.ui.sees(said)
    assert not lap.ui.sees("Guided lap")
    asked = set()
    for _ in range(12):
        lap.one(DRIVER)
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
