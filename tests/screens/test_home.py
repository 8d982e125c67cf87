"""Home: the race to resume with its circuit and its cars, or the way to a new one; and the ways to everything else."""

from __future__ import annotations

import importlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.desk.record_desk import RecordDesk
from companion.hall.membership import FILE, WORDS, Membership, keep
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError
from companion.screens.app import app as app_module
from companion.screens.app.pictures import demo_race
from companion.screens.app.screen import Screen
from companion.screens.board import overview
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
from tests.screens.recorded import drive_trial
from tests.screens.rig import Rig
from tests.screens.setup import begun
from tests.screens.table import driver_on
from tests.screens.ui import Ui

Home = Callable[..., Ui]
TABLE = Membership(hall="Hall", table="4", id="4", servers=[])


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
def at_home(rig: Rig) -> Iterator[Home]:
    """Open the app over a folder, and wait until some words of home are there."""
    opened: list[Ui] = []

    def open_home(folder: Path, key: str, language: str = "en") -> Ui:
        opened.append(Ui(rig, folder, language=language))
        opened[-1].wait_for(say(key))
        return opened[-1]

    yield open_home
    for ui in opened:
        ui.close()


@pytest.fixture
def ui(at_home: Home, folder: Path) -> Ui:
    """The app at home, with that race to resume and its picture."""
    made = at_home(folder, "resume")
    made.rig.wait(0.3)
    return made


def say(key: str) -> str:
    """Return a text of home in the language of the screen."""
    return theme.words.screen(f"home.{key}")


# -- what is read


def test_the_open_race_is_read_as_its_desk_has_it(folder: Path) -> None:
    opened = open_race(folder)
    assert opened is not None
    race, track = opened
    with RaceDesk.resume(folder) as desk:
        assert open_race(folder) is not None, "reading does not hold the race"
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


def test_the_last_race_is_the_one_to_resume_and_none_if_it_is_over(folder: Path) -> None:
    setup: dict[str, Json] = {"track": "monaco", "laps": 1, "cars": [{"car": 1, "driver": "Zoë"}]}
    with begin_race(setup, "monaco", folder, name="alone") as desk:
        found = open_race(folder)
        assert found is not None
        assert (found[0].name, found[0].lap, found[0].next) == ("alone", 1, "1 Zoë")
        driver = driver_on("monaco", 1)
        while (asked := desk.asked) is not None:
            desk.answer(driver.answer(asked, desk.rulebook.race), n=asked.n)
    assert (open_race(folder), kept_races(folder)) == (None, 2)
    assert (open_race(folder / "nothing"), kept_races(folder / "nothing")) == (None, 0)


# -- what is shown


def test_the_race_is_offered_with_its_circuit_and_its_cars(ui: Ui) -> None:
    assert ui.sees("Resume the race?", "Resume", "Monaco", "1/3", "Round", "Next", "1 race kept", "No die-roller")
    assert len(ui.cars()) == 10


def test_the_key_that_goes_on_does_not_wait_for_the_picture(ui: Ui, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[bool] = []
    pictured = overview.Overview

    def picture() -> overview.Overview:
        said.append(ui.sees("Resume the race?", "Resume"))
        return pictured()

    monkeypatch.setattr(overview, "Overview", picture)
    ui.app.go("settings")
    ui.app.home()
    ui.rig.until(lambda: said)
    assert said[0]


def test_every_tile_and_the_key_lead_somewhere(ui: Ui) -> None:
    tiles = {"A race": "3 things", "Race sheets": "hold a race", "Rules": "Search", "Settings": "Sound"}
    for key, title in tiles.items():
        ui.tap(key)
        ui.wait_for(title)
        assert not ui.sees("Resume the race?")
        ui.back()
        ui.wait_for("Resume the race?")
    ui.tap("Resume")
    ui.wait_for("Round", "Undo")


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_has_no_race_can_try_one_with_a_tap(at_home: Home, tmp_path: Path, language: str) -> None:
    ui = at_home(tmp_path, "trial", language)
    ui.audit_both()
    ui.tap(say("trial"))
    ui.wait_for(theme.words.screen("ask.start", what=""), "Ada")
    assert remembered(tmp_path) == []
    ui.app.home()
    ui.wait_for(say("resume"))
    assert not ui.sees(say("trial"))
    assert ui.sees("1/1")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_race_control_has_given_this_table_begins_with_a_tap(at_home: Home, tmp_path: Path, language: str) -> None:
    """Before the race that was left here: that one is found among the sheets."""
    demo_race(tmp_path, 20).close()
    cars = [{"car": number, "driver": f"Driver {number}", "team": ""} for number in (31, 7, 12)]
    name = "Championnat de Provence-Alpes-Côte d’Azur, Grand Prix 12.10"
    setup: dict[str, Json] = {
        "rulebook": "competition", "track": "monaco", "laps": 1, "cars": cars, "sky": "changeable", "surface": "wet",
        "event": {"log": "0" * 32, "race": "12.10"},
    }  # fmt: skip
    keep(tmp_path, TABLE)
    with RecordDesk.begin(tmp_path / WORDS, Control, DayOpened(name="Saturday"), by="Ada") as day:
        day.act(Started(table="4", race="12.10", name=name, setup=setup), by="Ada")
    ui = at_home(tmp_path, "start_given", language)
    ui.audit_both()
    assert ui.sees("12.10")
    ui.tap(say("start_given"))
    beginning = begun(ui).history.beginning
    assert (beginning.name, beginning.setup["event"]["race"]) == (name, "12.10")
    assert [car["car"] for car in beginning.setup["cars"]] == [31, 7, 12]
    ui.app.home()
    ui.wait_for(say("resume"))
    assert not ui.sees(say("start_given")), "it was begun"


@pytest.mark.parametrize("damaged", [FILE, f"{WORDS}/{DATABASE}"])
def test_a_race_is_resumed_though_its_hall_cannot_be_read(at_home: Home, folder: Path, damaged: str) -> None:
    keep(folder, TABLE)
    (folder / damaged).parent.mkdir(exist_ok=True)
    (folder / damaged).write_text("{ no hall")
    ui = at_home(folder, "resume")
    ui.rig.until(lambda: damaged in "".join(word.text for word in ui.words()))  # a path breaks where it has to
    assert ui.sees("Resume the race?", "Monaco")


@pytest.mark.parametrize("language", LANGUAGES)
def test_trials_that_race_control_has_given_are_held_by_touch(at_home: Home, tmp_path: Path, language: str) -> None:
    """Gone on with from home, each session under the sky that was drawn for every table."""
    name = "Championnat de Provence-Alpes-Côte d’Azur des voitures anciennes"[:60]
    drivers = tuple(TrialDriver(number=number, name=f"Driver {number}") for number in (3, 12))
    opened = trials.TrialsOpened(name=name, track="monaco", drivers=drivers, sessions=2, event="0" * 32)
    skies = (SkyDrawn(session=1, sky="sun", face=3), SkyDrawn(session=2, sky="rain", face=20))
    keep(tmp_path, TABLE)
    with RecordDesk.begin(tmp_path / WORDS, Control, DayOpened(name="Saturday"), by="Ada") as day:
        day.act(Trialled(table="4", opened=opened, skies=skies[:1]), by="Ada")
        ui = at_home(tmp_path, "trials_asked", language)
        for lap in range(4):
            ui.app.home()
            ui.wait_for(say("trials_asked"))
            ui.audit_both()
            ui.tap(theme.words.screen("home.trials", begun=lap > 0))
            if lap == 2:
                ui.wait_for(theme.words.screen("trial.ask_sky", session=2))
                day.act(Trialled(table="4", opened=opened, skies=skies), by="Ada")
                ui.app.home()
                ui.wait_for(say("trials_asked"))
                ui.tap(theme.words.screen("home.trials", begun=True))
            ui.wait_for(theme.words.screen("trial.key_start"))
            drive_trial(ui)
        ui.audit_both()
        ui.tap(theme.words.screen("trial.key_hall"))
        assert not ui.sees(say("trials_asked")), "they are over"
    record = kept_record(tmp_path, "last", "trials").record
    assert isinstance(record, Trials)
    assert (record.over, record.event, record.skies) == (True, opened.event, {1: "sun", 2: "rain"})


def test_a_damaged_file_is_told_and_a_new_race_offered(at_home: Home, tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"this is no database" * 100)
    ui = at_home(tmp_path, "unreadable")
    assert ui.sees("New race")
    assert not ui.sees("Try it")
    ui.audit()


def fail(*_: object) -> None:
    raise CompanionError("not_opened")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_key_takes_what_is_sound_out_of_a_damaged_database(
    at_home: Home, folder: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also at the second attempt, where the first one failed."""
    path = folder / DATABASE
    raw = bytearray(path.read_bytes())
    raw[-8192:-6000] = bytes(2192)
    path.write_bytes(raw)
    ui = at_home(folder, "salvage", language)
    assert ui.sees({"en": "Salvage", "fr": "Sauver"}[language])
    ui.audit_both()
    with monkeypatch.context() as failing:
        failing.setattr("companion.sheets.salvage.salvage", fail)
        ui.tap(say("salvage"))
        ui.wait_for(theme.words.error(CompanionError("not_opened")))
    ui.tap(say("salvage"))
    ui.wait_for("Monaco", "damaged-1")
    assert (folder / "damaged-1" / DATABASE).read_bytes() == raw
    ui.audit()
    assert open_race(folder) is not None
    ui.tap(say("resume"))
    ui.wait_for(theme.words.screen("widget.undo"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_database_that_is_gone_is_told_and_a_key_begins_anew(at_home: Home, folder: Path, language: str) -> None:
    with reading(folder) as db:
        race = races(db)[0]
    HighWaterMark(folder, race.log_id, race.name).set(race.head, b"x" * 32)  # as a program leaves it that is killed
    for path in folder.glob(f"{DATABASE}*"):
        path.unlink()
    ui, gone = at_home(folder, "salvage", language), {"en": "is gone", "fr": "a disparu"}[language]
    assert ui.sees(gone)
    ui.audit_both()
    ui.app.go("sheets")
    ui.wait_for(gone)
    ui.back()
    ui.tap(say("salvage"))
    ui.wait_for(say("none_asked"), "damaged-1")
    assert open_race(folder) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_database_that_was_emptied_is_told_and_a_key_begins_anew(at_home: Home, folder: Path, language: str) -> None:
    (folder / DATABASE).write_bytes(b"")
    (folder / f"{DATABASE}-wal").unlink(missing_ok=True)
    ui = at_home(folder, "salvage", language)
    assert ui.sees({"en": "is empty, and races were in it", "fr": "est vide"}[language])
    ui.audit_both()
    ui.tap(say("salvage"))
    ui.wait_for({"en": "perhaps more lost", "fr": "peut-être plus de perdues"}[language], "damaged-1")
    ui.audit()
    assert open_race(folder) is None


def test_a_full_disk_stands_on_home(ui: Ui, monkeypatch: pytest.MonkeyPatch) -> None:
    little = shutil.disk_usage("/")._replace(free=10)
    monkeypatch.setattr(storage.shutil, "disk_usage", lambda _: little)
    ui.app.disk.look()
    ui.wait_for("The disk is nearly full")
    ui.audit()


def test_the_clock_on_the_wall_goes_on(ui: Ui, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home.time, "strftime", lambda _: "23:59")
    assert not ui.sees("23:59")
    ui.rig.stall(60)
    ui.calm()
    assert ui.sees("23:59")


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_thirty_letters_are_cut_and_nothing_overlaps(at_home: Home, tmp_path: Path, language: str) -> None:
    cars: list[Json] = [{"car": 99, "driver": "Wilhelmina-Anastasia van Oranj"}]
    begin_race({"track": "monaco", "laps": 12, "cars": cars}, "monaco", tmp_path).close()
    ui = at_home(tmp_path, "resume", language)
    assert ui.sees("Wilhelmina")
    ui.audit()


def test_every_screen_is_named_once_and_can_be_imported() -> None:
    for where in app_module.SCREENS.values():
        module, _, name = where.partition(":")
        assert issubclass(getattr(importlib.import_module(module), name), Screen)
