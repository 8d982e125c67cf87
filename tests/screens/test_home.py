"""Home: the race to resume with its circuit and its cars, or the way to a new one; and the ways to everything else."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from companion.desk import RaceDesk
from companion.desk.record_desk import RecordDesk
from companion.hall.membership import FILE, WORDS, Membership, keep
from companion.rules.conversation.asking import Json
from companion.screens.app import app as app_module
from companion.screens.app.app import CompanionApp
from companion.screens.app.pictures import demo_race
from companion.screens.app.settings import SettingsFile
from companion.screens.board import overview
from companion.screens.board.map import Map
from companion.screens.kit.theme import theme
from companion.screens.pages import home
from companion.sheets import storage
from companion.sheets.entrants import remembered
from companion.sheets.high_water import HighWaterMark
from companion.sheets.place import DATABASE
from companion.sheets.reading import races, reading
from companion.sheets.records import kept_record
from companion.tournament import trials
from companion.tournament.control import Control, DayOpened, Started, Trialled
from companion.tournament.trials import SkyDrawn, TrialDriver, Trials
from companion.view.pages.home import kept_races, open_race
from companion.wording import LANGUAGES
from tests.screens.audit import audit, in_both_looks
from tests.screens.recorded import Table as Recorded
from tests.screens.recorded import drive_trial
from tests.screens.rig import Rig
from tests.screens.table import race_open
from tests.screens.test_app import names, read, texts
from tests.screens.ui import Ui


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a race under way."""
    folder = tmp_path_factory.mktemp("kept")
    demo_race(folder, 160).close()
    return folder


@pytest.fixture
def folder(kept: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    shutil.copytree(kept, tmp_path / "data")
    return tmp_path / "data"


@pytest.fixture
def resumable(rig: Rig, folder: Path) -> Iterator[CompanionApp]:
    """The app at home, with that race to resume."""
    made = CompanionApp(folder, SettingsFile(folder))
    made.open()
    read(made, rig)
    yield made
    made.close()


# -- what is read


def test_the_open_race_is_read_as_its_desk_has_it(folder: Path) -> None:
    opened = open_race(folder)
    assert opened is not None
    race, track = opened
    with RaceDesk.resume(folder) as desk:
        asked = desk.asked
        assert asked is not None
        about = desk.rulebook.race
        assert (race.circuit, track.name, race.laps) == ("Monaco", "Monaco", 3)
        assert race.round == about.round
        named = {car.number: car.driver for car in about.cars}
        assert race.next == f"{asked.car} {named[asked.car]}"  # type: ignore[index]
        places = {car.number: car.at for car in about.cars if car.at is not None and car.standing}
        assert {mark.plate.number: mark.space for mark in race.cars} == places
        assert [mark.plate.number for mark in race.cars if mark.state == "playing"] == [asked.car]
        first = next(number for number in desk.rulebook.running_order() if number in places)
        assert [mark.plate.number for mark in race.cars][-1] == first
    assert kept_races(folder) == 1


def test_reading_does_not_hold_the_race(folder: Path) -> None:
    with RaceDesk.resume(folder):
        assert open_race(folder) is not None


def test_the_last_race_is_the_one_to_resume_and_none_if_it_is_over(folder: Path) -> None:
    setup: dict[str, Json] = {"track": "monaco", "laps": 1, "cars": [{"car": 1, "driver": "Zoë"}]}
    from companion import circuits
    from companion.drivers.sensible import HeuristicDriver
    from companion.rules.rulebooks import begin

    track = circuits.load("monaco")
    text = circuits.find("monaco").read_text(encoding="utf-8")
    with RaceDesk.begin(begin(setup, track), setup=setup, track=text, folder=folder, name="alone") as desk:
        found = open_race(folder)
        assert found is not None
        assert (found[0].name, found[0].lap, found[0].next) == ("alone", 1, "1 Zoë")
        driver = HeuristicDriver(track, 1)
        while (asked := desk.asked) is not None:
            desk.answer(driver.answer(asked, desk.rulebook.race), n=asked.n)
    assert open_race(folder) is None
    assert kept_races(folder) == 2


def test_an_empty_folder_has_no_race(tmp_path: Path) -> None:
    assert open_race(tmp_path / "nothing") is None
    assert kept_races(tmp_path / "nothing") == 0


# -- what is shown


def cars_pictured(app: CompanionApp) -> int:
    """Return how many cars stand on the boards that are shown."""
    return sum(len(board.scene.cars) for board in app.stage.walk() if isinstance(board, Map) and board.scene)


def test_the_race_is_offered_with_its_circuit_and_its_cars(resumable: CompanionApp) -> None:
    said = texts(resumable)
    for wanted in ("Resume the race?", "Resume", "Monaco", "1/3", "Round", "Next", "1 race kept", "No die-roller"):
        assert wanted in said
    assert cars_pictured(resumable) == 10


def test_the_key_that_goes_on_does_not_wait_for_the_picture(
    rig: Rig, resumable: CompanionApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[set[str]] = []
    pictured = overview.Overview

    def picture() -> overview.Overview:
        said.append(set(texts(resumable)))
        return pictured()

    monkeypatch.setattr(overview, "Overview", picture)
    resumable.go("settings")
    resumable.home()
    rig.until(lambda: said)
    assert {"Resume the race?", "Resume"} <= said[0]


class Opened(NamedTuple):
    name: str
    given: dict[str, Any]


def test_every_tile_and_the_key_lead_somewhere(
    resumable: CompanionApp, rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone: list[Opened] = []
    screen = resumable.screen
    assert isinstance(screen, home.HomeScreen)
    monkeypatch.setattr(resumable.playing, "resume", lambda log_id: gone.append(Opened("race", {"log": log_id})))
    screen.look_again()
    rig.settle()
    ui = Ui.over(rig, resumable)
    ui.tap("Resume")
    assert [opened.name for opened in gone] == ["race"]
    for said, name in (("A race", "new_race"), ("Race sheets", "sheets"), ("Rules", "rules"), ("Settings", "settings")):
        ui.tap(said)
        assert names(resumable) == ["home", name]
        ui.back()
        read(resumable, rig)


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_has_no_race_can_try_one_with_a_tap(rig: Rig, tmp_path: Path, language: str) -> None:
    made = CompanionApp(tmp_path, SettingsFile(tmp_path), language)
    made.open()
    try:
        read(made, rig)
        assert in_both_looks(made.stage) == []
        ui, try_it = Ui.over(rig, made), theme.words.screen("home.trial")
        ui.tap(try_it)
        rig.until(lambda: race_open(made))
        rig.wait(0.3)
        assert names(made) == ["home", "race"]
        assert "Ada" in texts(made)
        assert made.screen.now.prompt.ask == "start"  # type: ignore[union-attr]
        assert remembered(tmp_path) == []
        made.home()
        read(made, rig)
        assert not ui.sees(try_it)
        assert made.screen.found.race.laps == 1  # type: ignore[union-attr]
    finally:
        made.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_race_control_has_given_this_table_begins_with_a_tap(rig: Rig, tmp_path: Path, language: str) -> None:
    """Before the race that was left here: that one is found among the sheets."""
    demo_race(tmp_path, 20).close()
    cars = [{"car": number, "driver": f"Driver {number}", "team": ""} for number in (31, 7, 12)]
    setup: dict[str, Json] = {
        "rulebook": "competition", "track": "monaco", "laps": 1, "cars": cars, "sky": "changeable", "surface": "wet",
        "event": {"log": "0" * 32, "race": "12.10"},
    }  # fmt: skip
    keep(tmp_path, Membership(hall="Hall", table="4", id="4", servers=[]))
    with RecordDesk.begin(tmp_path / WORDS, Control, DayOpened(name="Saturday"), by="Ada") as day:
        day.act(Started(table="4", race="12.10", name="Championnat de Provence-Alpes-Côte d’Azur, Grand Prix 12.10",
                        setup=setup), by="Ada")  # fmt: skip
    made = CompanionApp(tmp_path, SettingsFile(tmp_path), language)
    made.open()
    try:
        read(made, rig)
        assert in_both_looks(made.stage) == []
        if shown := os.environ.get("PICTURES"):
            rig.screenshot(Path(shown) / f"given-{language}.png")
        screen: Any = made.screen
        assert "12.10" in " ".join(texts(made))
        Ui.over(rig, made).tap(theme.words.screen("home.start_given"))
        rig.until(lambda: race_open(made))
        assert made.playing.seat is not None
        begun = made.playing.seat.see(lambda desk, _: desk.history.beginning).result(10)
        assert (begun.name, begun.setup["event"]["race"]) == (day.record.signed[-1].act.name, "12.10")  # type: ignore[attr-defined]
        assert [car["car"] for car in begun.setup["cars"]] == [31, 7, 12]
        made.home()
        read(made, rig)
        screen = made.screen
        assert screen.found.given is None, "it was begun"
    finally:
        made.close()


@pytest.mark.parametrize("damaged", [FILE, f"{WORDS}/{DATABASE}"])
def test_a_race_is_resumed_though_its_hall_cannot_be_read(rig: Rig, folder: Path, damaged: str) -> None:
    keep(folder, Membership(hall="Hall", table="4", id="4", servers=[]))
    (folder / damaged).parent.mkdir(exist_ok=True)
    (folder / damaged).write_text("{ no hall")
    made = CompanionApp(folder, SettingsFile(folder))
    made.open()
    try:
        read(made, rig)
        assert {"Resume the race?", "Monaco"} <= set(texts(made))
        assert made.toast.shown is not None
        assert damaged in made.toast.shown.text
    finally:
        made.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_trials_that_race_control_has_given_this_table_are_held_by_touch(
    rig: Rig, tmp_path: Path, language: str
) -> None:
    """Gone on with from home, each session under the sky that was drawn for every table."""
    name = "Championnat de Provence-Alpes-Côte d’Azur des voitures anciennes"[:60]
    drivers = tuple(TrialDriver(number=number, name=f"Driver {number}") for number in (3, 12))
    opened = trials.TrialsOpened(name=name, track="monaco", drivers=drivers, sessions=2, event="0" * 32)
    skies = (SkyDrawn(session=1, sky="sun", face=3), SkyDrawn(session=2, sky="rain", face=20))
    keep(tmp_path, Membership(hall="Hall", table="4", id="4", servers=[]))
    SettingsFile(tmp_path).change(language=language)
    with RecordDesk.begin(tmp_path / WORDS, Control, DayOpened(name="Saturday"), by="Ada") as day:
        day.act(Trialled(table="4", opened=opened, skies=skies[:1]), by="Ada")
        table = Recorded(rig, tmp_path, "home")
        begun = False
        try:
            for _ in drivers:
                table.app.home()
                table.wait()
                assert theme.words.screen("home.trials_asked") in texts(table.app)
                assert in_both_looks(table.app.stage) == []
                if shown := os.environ.get("PICTURES"):
                    rig.screenshot(Path(shown) / f"trials-{language}.png")
                table.ui.tap(theme.words.screen("home.trials", begun=begun))
                begun = True
                drive_trial(table.ui)
            assert table.screen.now.state == "sky", "of the second session"
            day.act(Trialled(table="4", opened=opened, skies=skies), by="Ada")
            table.screen.again()
            table.wait()
            for _ in drivers:
                drive_trial(table.ui)
            assert in_both_looks(table.app.stage) == []
            table.ui.tap(theme.words.screen("trial.key_hall"))
            assert theme.words.screen("home.trials_asked") not in texts(table.app), "they are over"
        finally:
            table.app.close()
    record = kept_record(tmp_path, "last", "trials").record
    assert isinstance(record, Trials)
    assert (record.over, record.event, record.skies) == (True, opened.event, {1: "sun", 2: "rain"})


def test_a_damaged_file_is_told_and_a_new_race_offered(rig: Rig, tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"this is no database" * 100)
    made = CompanionApp(tmp_path, SettingsFile(tmp_path))
    made.open()
    try:
        read(made, rig)
        said = texts(made)
        assert "The race is unreadable" in said
        assert "New race" in said
        assert "Try it" not in said
        assert audit(made.stage) == []
    finally:
        made.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_key_takes_what_is_sound_out_of_a_damaged_database(rig: Rig, folder: Path, language: str) -> None:
    path = folder / DATABASE
    raw = bytearray(path.read_bytes())
    raw[-8192:-6000] = bytes(2192)
    path.write_bytes(raw)
    made = CompanionApp(folder, SettingsFile(folder), language)
    made.open()
    try:
        read(made, rig)
        ui = Ui.over(rig, made)
        wanted = {"en": "Salvage", "fr": "Sauver"}[language]
        assert wanted in texts(made)
        assert in_both_looks(made.stage) == []
        if shown := os.environ.get("PICTURES"):
            rig.screenshot(Path(shown) / f"salvage-{language}.png")
        ui.tap(wanted)
        rig.until(lambda: "Monaco" in texts(made))
        rig.wait(0.3)
        assert (folder / "damaged-1" / DATABASE).read_bytes() == raw
        assert any("damaged-1" in said for said in texts(made))
        assert audit(made.stage) == []
        assert open_race(folder) is not None
        if shown:
            rig.screenshot(Path(shown) / f"salvaged-{language}.png")
        ui.tap(theme.words.screen("home.resume"))
        rig.until(lambda: race_open(made))
        assert names(made) == ["home", "race"], "it goes on"
    finally:
        made.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_database_that_is_gone_is_told_at_home_and_a_key_begins_anew(rig: Rig, folder: Path, language: str) -> None:
    with reading(folder) as db:
        race = races(db)[0]
    mark = HighWaterMark(folder, race.log_id, race.name)
    mark.set(race.head, b"x" * 32)  # as a program leaves it that is killed
    for path in folder.glob(f"{DATABASE}*"):
        path.unlink()
    made = CompanionApp(folder, SettingsFile(folder), language)
    made.open()
    try:
        read(made, rig)
        assert {"en": "is gone", "fr": "a disparu"}[language] in " ".join(texts(made)), texts(made)
        assert in_both_looks(made.stage) == []
        made.go("sheets")
        rig.settle()
        assert {"en": "is gone", "fr": "a disparu"}[language] in " ".join(texts(made)), texts(made)
        made.back()
        read(made, rig)
        ui = Ui.over(rig, made)
        ui.tap(theme.words.screen("home.salvage"))
        ui.wait_for(theme.words.screen("home.none_asked"))
        assert any("damaged-1" in said for said in texts(made)), texts(made)
        assert open_race(folder) is None
    finally:
        made.close()


def test_a_full_disk_stands_on_home(resumable: CompanionApp, rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    little = shutil.disk_usage("/")._replace(free=10)
    monkeypatch.setattr(storage.shutil, "disk_usage", lambda _: little)
    resumable.disk.look()
    rig.wait(0.3)
    assert "The disk is nearly full" in texts(resumable)
    assert audit(resumable.stage) == []


def test_the_clock_on_the_wall_goes_on(resumable: CompanionApp, rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home.time, "strftime", lambda _: "23:59")
    assert "23:59" not in texts(resumable)
    rig.stall(60)
    rig.settle()
    assert "23:59" in texts(resumable)


def test_names_of_thirty_letters_are_cut_and_nothing_overlaps(rig: Rig, tmp_path: Path) -> None:
    from companion import circuits
    from companion.rules.rulebooks import begin

    track = circuits.load("monaco")
    cars: list[Json] = [{"car": 99, "driver": "Wilhelmina-Anastasia van Oranj"}]
    position: dict[str, Json] = {"track": "monaco", "laps": 12, "cars": cars}
    text = circuits.find("monaco").read_text(encoding="utf-8")
    RaceDesk.begin(begin(position, track), setup=position, track=text, folder=tmp_path).close()
    for lang in ("en", "fr"):
        made = CompanionApp(tmp_path, SettingsFile(tmp_path), lang)
        made.open()
        try:
            read(made, rig)
            assert audit(made.stage) == []
        finally:
            made.close()


def test_every_screen_is_named_once_and_can_be_imported() -> None:
    import importlib

    from companion.screens.app.screen import Screen

    for where in app_module.SCREENS.values():
        module, _, name = where.partition(":")
        assert issubclass(getattr(importlib.import_module(module), name), Screen)
