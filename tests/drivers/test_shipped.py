"""The laps that come with the program: one for every circuit of ours by every rulebook, and as the rules have it."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from companion import circuits
from companion.commands.main import companion
from companion.desk.beginning import begin_race
from companion.drivers import prepared, shipped
from companion.drivers.registry import driver_named
from companion.drivers.turn_graph import FURTHEST, Course, Rows, Scene
from tests.drivers.shipping import BOOKS, TRACKS, courses

AGAIN = "python -m tests.drivers.shipping writes it again"


def test_our_circuits_and_rulebooks_are_those_that_are_shipped() -> None:
    wanted = {shipped.path_of(track, rulebook) for track in TRACKS for rulebook in BOOKS}
    assert set(shipped.FOLDER.iterdir()) == wanted, AGAIN
    assert len(wanted) >= 24
    assert sum(path.stat().st_size for path in wanted) < 3 << 20


@pytest.mark.parametrize("rulebook", BOOKS)
@pytest.mark.parametrize("track", TRACKS)
def test_every_lap_is_there_and_as_the_rules_have_it(track: str, rulebook: str) -> None:
    """A few rolls from places all round the lap, asked again."""
    chance = Random(f"{track} {rulebook}")
    for course in courses(track, rulebook):
        assert shipped.read(course), f"{course.scene}: {AGAIN}"
        fresh = Course(course.track, course.scene)
        for place in chance.sample(range(len(course.places)), 8):
            spaces, last = chance.randint(1, FURTHEST), chance.random() < 0.5
            rows = (course.new or course.rows, course.new_last or course.last)[last]
            told = {(course.costs[way.cost], way.stops) for way in rows[place][spaces - 1]}
            asked = {(fresh.costs[way.cost], way.stops) for way in fresh.ways(place, spaces, last=last)}
            assert told == asked, f"{course.scene}, {spaces} from {course.places[place]}: {AGAIN}"


def told(course: Course, rows: Rows) -> list[list[dict[tuple[int, ...], tuple[int, ...]]]]:
    return [[{course.costs[way.cost]: way.stops for way in ways} for ways in rolls] for rolls in rows]


def test_a_whole_lap_is_as_it_is_worked_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    scene = Scene("formula-d", "dry", "hard")
    ours, fresh = (Course(circuits.load("kestrel-moor"), scene) for _ in range(2))
    assert shipped.read(ours)
    fresh.work_out()
    assert told(ours, ours.rows) == told(fresh, fresh.rows)
    assert told(ours, ours.last) == told(fresh, fresh.last)
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    assert not shipped.is_shipped(fresh)
    shipped.write([fresh])
    again = Course(fresh.track, scene)
    shipped.work_out(again)
    assert (again.costs, again.samples, again.rows, again.last) == (fresh.costs, fresh.samples, fresh.rows, fresh.last)
    shipped.path_of("kestrel-moor", "formula-d").write_bytes(b"no lap")
    assert not shipped.read(again)


def test_another_figure_is_no_lap_of_ours() -> None:
    track, scene = circuits.load("kestrel-moor"), Scene("competition", "wet", "hard")
    assert shipped.is_shipped(Course(track, scene))
    assert not shipped.is_shipped(Course(track, scene, {"slide_hard": 2}))


def test_the_first_odds_on_a_circuit_of_ours_come_from_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any table on disk, and without asking the rules for a lap or driving one race out."""
    monkeypatch.setenv("CACHE_DIRECTORY", str(tmp_path / "cache"))
    monkeypatch.setattr(prepared, "_held", {})
    monkeypatch.setattr(Course, "work_out", lambda *_: pytest.fail("the lap is shipped"))
    monkeypatch.setattr("companion.drivers.odds.driven_out", lambda *_, **__: pytest.fail("there are tables"))
    setup = {"rulebook": "formula-d", "track": "kestrel-moor", "laps": 1, "cars": [{"car": 1}, {"car": 2}]}
    desk = begin_race(setup, "kestrel-moor", tmp_path)
    driver = driver_named("sensible", desk.rulebook, 5)
    while desk.public().phase == "setup":
        desk.answer(driver.answer(desk.asked, desk.rulebook.race))  # type: ignore[arg-type]
    desk.close()
    found = json.loads(CliRunner().invoke(companion, ["--data", str(tmp_path), "odds", "--json"]).stdout)
    assert {number: sum(places) for number, places in found.items()} == {"1": 1.0, "2": 1.0}
    assert len(list((tmp_path / "cache" / "drivers").iterdir())) == 1
