"""The race sheet and its way out, by touch."""

from __future__ import annotations

import csv
import itertools
import json
import sqlite3
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, get_args

import pytest
import zxingcpp
from PIL import Image

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers.sensible import HeuristicDriver
from companion.rules.rulebooks import begin
from companion.screens.app.visits import SheetPage
from companion.screens.kit.theme import theme
from companion.screens.pages import exporting
from companion.screens.pages.sheet import SheetScreen
from companion.screens.pages.sheets import SheetsScreen
from companion.sheets.entrants import RaceEntrant
from companion.sheets.export import file_name
from companion.sheets.place import DATABASE, EXPORTS
from companion.sheets.reading import races, reading
from companion.sheets.replay import rulebook_of
from companion.sheets.verify import verify
from companion.view.pages.sheet import FILTERS
from companion.view.setup.draft import Draft, setup_of
from companion.wording import LANGUAGES
from tests.screens.audit import audit, in_both_looks, marks
from tests.screens.panels import PANELS
from tests.screens.rig import Rig
from tests.screens.stand import Stand
from tests.screens.test_new_race import touch_row

NAMES = ("Ada", "", "Александр Константинопольск", "Żółć Çağ Ñandú-Überfluß", "山田太郎", "W" * 30)


def race(folder: Path, cars: int, answers: int, track: str = "spa") -> RaceDesk:
    listed = [
        {"car": n * 4, "driver": NAMES[(n - 1) % 6], "team": "M" * 30 if n == 1 else ""} for n in range(1, cars + 1)
    ]
    setup = {"track": track, "laps": 1, "cars": listed, "plates": list(range(cars))[::-1]}
    board = circuits.load(track)
    text = circuits.find(track).read_text(encoding="utf-8")
    desk = RaceDesk.begin(begin(setup, board), setup=setup, track=text, folder=folder, name=f"Race {cars}/{answers}")
    driver = HeuristicDriver(board, 3)
    while desk.asked is not None and desk.n < answers:
        desk.answer(driver.answer(desk.asked, desk.rulebook.race))
    return desk


def kept(folder: Path, cars: int, answers: int, track: str = "spa") -> None:
    with race(folder, cars, answers, track) as desk:
        if cars > 1:
            desk.override({"car": 4, "gear": 2}, by="Ada Lovelace the First", why="a slip of the pen, " * 4)
            desk.note("Pizza at eight " * 6, by="Bob")
            desk.dispute(3, by="Cleo", why="the die was cocked")


def tap_tab(stand: Stand, page: str) -> None:
    """Tap the tab of a page."""
    stand.ui.tap(theme.words.screen(f"sheet.page.{page}"))


def tap_car(stand: Stand, number: int) -> None:
    """Tap the tab of a car, in the row of the tabs of the pages."""
    stand.ui.tap(car=number, beside=theme.words.screen("sheet.page.car"))


def test_a_finished_race_opens_at_its_classification(stand: Stand) -> None:
    kept(stand.folder, 4, 10_000)
    stand.show(SheetsScreen)
    stand.tap(400, 48 + 62 / 2)
    name, given = stand.asked[-1]
    assert name == "sheet"
    screen = stand.show(SheetScreen, **given)
    assert screen.sheet.page == "result"
    assert len(screen.result.shown) == 4
    touch_row(stand, screen.result, 1)
    assert screen.sheet.page == "car"
    assert screen.sheet.car.plate.number == screen.result.shown[1][1].cars[0][0].number
    tap_car(stand, 16)
    assert screen.sheet.car.plate.number == 16
    assert screen.sheet.car.plate.place == 0
    assert stand.ui.sees("Position by round")
    stand.ui.tap("by lap")
    assert stand.ui.sees("Position by lap", "by round")
    tap_tab(stand, "log")
    every = len(screen.log.shown)
    stand.ui.tap(theme.words.screen("sheet.show.cost"))
    assert 0 < len(screen.log.shown) < every
    article = screen.log.shown[0].article
    touch_row(stand, screen.log, 0)
    assert stand.asked[-1] == ("rules", {"rulebook": "competition", "article": article})
    stand.ui.tap(theme.words.screen("sheet.show.people"))
    assert {row.by for row in screen.log.shown} == {"Ada Lovelace the First", "Bob", "Cleo"}
    tap_tab(stand, "words")
    assert len(screen.words.shown) == 3


def test_the_sheet_of_the_open_race_follows_it(stand: Stand) -> None:
    desk: Callable[[], RaceDesk] = lambda: race(stand.folder, 3, 40)  # noqa: E731
    seat = stand.sit(desk)
    screen = stand.show(SheetScreen, page="log")
    before = len(screen.log.shown)
    seat.override({"car": 4, "gear": 2}, by="Ada", why="a slip")
    stand.calm()
    stand.calm()
    assert len(screen.log.shown) == before + 1
    assert "result" not in dict(screen.sheet.head.pages)


def write(stand: Stand, screen: SheetScreen, what: str, text: str) -> None:
    """A name or a note is written by the keyboard and kept by its key."""
    tap_tab(stand, "words")
    stand.ui.tap(theme.words.screen(f"sheet.{what}_key"))
    stand.ui.type(text, done=False)
    stand.tap(screen.line.made["keep"])


@pytest.mark.parametrize("is_open", [False, True], ids=["stored", "open"])
def test_a_race_is_given_a_name_and_a_note_on_its_sheet(stand: Stand, is_open: bool) -> None:
    if is_open:
        stand.sit(lambda: race(stand.folder, 3, 40))
        screen = stand.show(SheetScreen)
    else:
        kept(stand.folder, 3, 40)
        screen = stand.show(SheetScreen, race="last")
    write(stand, screen, "rename", "Club night")
    stand.rig.until(lambda: "Club night" in screen.sheet.head.title)
    write(stand, screen, "note", "Pizza at nine")
    stand.rig.until(lambda: any("Pizza at nine" in (row.title, row.text) for row in screen.words.shown))
    stand.calm()
    with reading(stand.folder) as db:
        assert races(db)[0].name == "Club night"
    assert verify(stand.folder, "Club night", rulebook_of).sound


def test_what_is_written_is_left_and_a_name_that_cannot_be_is_told(stand: Stand) -> None:
    kept(stand.folder, 3, 40)
    screen = stand.show(SheetScreen, race="last")
    tap_tab(stand, "words")
    stand.ui.tap(theme.words.screen("sheet.note_key"))
    assert in_both_looks(screen) == []
    stand.ui.type("x", done=False)
    stand.ui.tap(theme.say("cancel"))
    assert screen.writing == ""
    stand.ui.tap(theme.words.screen("sheet.rename_key"))
    assert screen.line.line.value == ""
    assert screen.back()
    assert not screen.back()
    write(stand, screen, "rename", "last")
    stand.rig.until(lambda: bool(stand.told))
    assert "last is no name of a race" in str(stand.told[-1])
    write(stand, screen, "rename", "n" * 70)
    stand.rig.until(lambda: screen.sheet.head.title.startswith("N" + "n" * 50) or "nnn" in screen.sheet.head.title)
    with reading(stand.folder) as db:
        assert len(races(db)[0].name) == 60


def tap_form(stand: Stand, form: str, place: str = "") -> None:
    """Tap a key of the export, of this device or a stick."""
    stand.ui.tap(theme.words.screen(f"sheet.{form}"), beside=place or theme.words.screen("sheet.here"))


def out(stand: Stand, form: str, place: str = "") -> None:
    """A key of the export is tapped, and all is written."""
    tap_form(stand, form, place)
    written_out(stand)


def written_out(stand: Stand) -> None:
    stand.rig.until(lambda: not exporting.busy.now)
    stand.calm()


def test_a_race_goes_out_to_print_as_csv_and_as_json_and_over_a_file_only_if_meant(stand: Stand) -> None:
    kept(stand.folder, 2, 60)
    screen = stand.show(SheetScreen, race="last", page="export")
    folder = stand.folder / EXPORTS
    for form in exporting.FORMS:
        out(stand, form)
    files = {path.suffix: path for path in folder.iterdir()}
    assert files.keys() == {".pdf", ".svg", ".csv", ".json"}
    assert files[".pdf"].read_bytes().startswith(b"%PDF-")
    assert len(list(csv.reader(files[".csv"].open(encoding="utf-8")))) > 20
    told = json.loads(files[".json"].read_text(encoding="utf-8"))
    assert [car["car"] for car in told["sheet"]["cars"]] == [4, 8]
    assert [one.tone for one in stand.told] == ["ok"] * 4
    files[".csv"].write_text("mine", encoding="utf-8")
    tap_form(stand, "csv")
    assert audit(screen) == []
    stand.ui.tap(theme.say("cancel"))
    assert files[".csv"].read_text(encoding="utf-8") == "mine"
    tap_form(stand, "csv")
    stand.ui.tap(theme.words.screen("sheet.replace"))
    written_out(stand)
    assert files[".csv"].read_text(encoding="utf-8") != "mine"


@pytest.mark.parametrize("cars", [1, 20])
def test_a_phone_reads_the_race_off_the_screen(panel: Rig, tmp_path: Path, look: str, cars: int) -> None:
    stand = Stand(panel, tmp_path)
    kept(stand.folder, cars, 200)
    theme.look = look
    screen = stand.show(SheetScreen, race="last", page="export")
    out(stand, exporting.CODE)
    seen = panel.screenshot(tmp_path / "seen.png")
    (read,) = zxingcpp.read_barcodes(Image.open(seen))
    assert f"Race {cars}/200" in read.text
    assert audit(screen) == []
    assert stand.ui.sees(read.text.splitlines()[0])
    stand.ui.tap(theme.say("close"))
    assert not stand.ui.sees(theme.words.screen("sheet.scan"))
    stand.close()


def test_while_a_race_is_being_written_its_key_says_so_and_begins_nothing_again(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(stand.folder, 1, 20)
    go_on, forms = threading.Event(), []

    def slowly(form: str, *_: Any) -> bytes:
        forms.append(form)
        assert go_on.wait(20)
        return b"made"

    monkeypatch.setattr(exporting, "in_form", slowly)
    monkeypatch.setattr(exporting, "sticks", lambda: [stand.folder])
    screen = stand.show(SheetScreen, race="last", page="export")
    tap_form(stand, "pdf")
    assert stand.ui.sees(theme.words.screen("sheet.being_written"))
    assert audit(screen) == []
    for form in ("pdf", "csv", "pdf"):
        tap_form(stand, form)
    stand.show(SheetScreen, race="last", page="export")  # whoever comes back finds it so
    tap_form(stand, "pdf")
    assert stand.ui.sees(theme.words.screen("sheet.being_written"))
    go_on.set()
    written_out(stand)
    assert not stand.ui.sees(theme.words.screen("sheet.being_written"))
    assert forms == ["pdf", "csv"]
    assert [one.tone for one in stand.told] == ["ok", "ok"]


def test_a_stick_that_takes_nothing_and_what_fails_otherwise_are_told(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(stand.folder, 1, 20)
    stick = stand.folder / "a file, not a folder"
    stick.write_text("")
    monkeypatch.setattr(exporting, "sticks", lambda: [stick])
    screen = stand.show(SheetScreen, race="last", page="export")
    assert audit(screen) == []
    out(stand, "csv", stick.name)
    assert [one.tone for one in stand.told] == ["bad"]
    monkeypatch.setattr(exporting, "in_form", lambda *_: 1 / 0)
    out(stand, "pdf")
    assert [one.text for one in stand.told[1:]] == [theme.words.screen("race.failed")]


def test_sticks_are_what_is_mounted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ada" / "STICK").mkdir(parents=True)
    (tmp_path / "plain").mkdir()
    monkeypatch.setattr(Path, "is_mount", lambda path: path.name == "STICK")
    assert exporting.sticks([str(tmp_path)]) == [tmp_path / "ada" / "STICK"]
    assert exporting.sticks([str(tmp_path / "none")]) == []


@pytest.mark.parametrize(
    ("race", "name"),
    [("Monaco 2026-11-21 16:58", "Monaco-2026-11-21-16-58.csv"), ("../..", "race.csv"), ("夜", "夜.csv")],
)
def test_the_file_is_named_after_its_race(race: str, name: str) -> None:
    assert file_name(race, "csv") == name


def test_where_there_are_no_races_a_key_begins_one(stand: Stand) -> None:
    screen = stand.show(SheetsScreen)
    assert audit(screen) == []
    stand.ui.tap(theme.words.screen("sheet.no_races_key"))
    assert stand.asked[-1][0] == "new_race"


def test_races_that_cannot_be_read_are_told_where_they_would_stand(stand: Stand) -> None:
    (stand.folder / DATABASE).write_bytes(b"this is no database" * 100)
    for kind, given in ((SheetsScreen, {}), (SheetScreen, {"race": "last"})):
        screen = stand.show(kind, **given)
        said = [mark.mark.text for mark in marks(screen)]
        assert "The race cannot be read" in said
        assert any("damaged" in text for text in said)
        assert in_both_looks(screen) == []


def test_a_race_that_is_damaged_is_told_and_the_others_are_listed(stand: Stand) -> None:
    kept(stand.folder, 2, 30)
    db = sqlite3.connect(stand.folder / DATABASE)
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {name}")
    db.execute("UPDATE entry SET body = 'x' WHERE seq = 5")
    db.commit()
    db.close()
    assert len(stand.show(SheetsScreen).listed) == 1
    screen = stand.show(SheetScreen, race="last")
    assert screen.wrong is not None
    assert "The race cannot be read" in [mark.mark.text for mark in marks(screen)]


def test_the_list_has_the_distance_and_the_time_as_they_are_here(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        draft = Draft(rulebook="ninety", track="saltmarsh").entering(RaceEntrant(number=3, name="Ada"))
        board, text = circuits.board(draft.track), circuits.find(draft.track).read_text(encoding="utf-8")
        setup = setup_of(draft)
        RaceDesk.begin(begin(setup, board), setup=setup, track=text, folder=stand.folder).close()
        screen = stand.show(SheetsScreen)
        said = " ".join(mark.mark.text for mark in marks(screen))
        assert "18 turns" in said
        at = datetime.fromisoformat(screen.listed[0].begun) + timedelta(hours=9)
        assert f"begun {at:%Y-%m-%d %H:%M}" in said
        assert f"Saltmarsh {at:%Y-%m-%d %H:%M}" in said
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(("cars", "answers"), [(1, 8), (20, 900)], ids=["begun", "twenty"])
def test_every_page_passes_the_audit(rig: Rig, tmp_path: Path, cars: int, answers: int) -> None:
    kept(tmp_path, cars, answers)
    for panel, language in itertools.product(PANELS, LANGUAGES):
        rig.window(*panel)
        theme.language = language
        stand = Stand(rig, tmp_path)
        assert in_both_looks(stand.show(SheetsScreen)) == []
        screen: Any = stand.show(SheetScreen, race="last")
        pages = [("page", name) for name in get_args(SheetPage)] + [("show", name) for name in FILTERS]
        for key, name in [*pages, ("page", "car"), ("laps", True)]:
            if key == "show":
                screen.look(page="log", show=name)
            else:
                screen.look(**{key: name})
            rig.settle(6)
            assert in_both_looks(screen) == [], (panel, language, key, name)
        stand.close()


def test_a_race_is_looked_back_on_by_touch_all_cars_or_two(panel: Rig, tmp_path: Path, language: str) -> None:
    """Each topic by its key; a car's plate adds it to the two that are beside each other, or takes it away."""
    theme.language = language
    stand = Stand(panel, tmp_path)
    kept(tmp_path, 4, 300, "monaco")
    screen = stand.show(SheetScreen)
    tap_tab(stand, "after")
    topics = [one.topic for one in screen.sheet.after]
    for topic in topics:
        stand.ui.tap(theme.words.screen(f"after.key.{topic}"))
        assert screen.given["topic"] == topic
        panel.settle(6)
        assert in_both_looks(screen) == []
    for number in (8, 16, 12):
        tap_car(stand, number)
    assert screen.given["two"] == (16, 12)
    stand.ui.tap(theme.words.screen(f"after.key.{topics[0]}"))
    assert [line.plate.number for line in screen.sheet.after[0].lines] == [12, 16]
    tap_car(stand, 16)
    tap_car(stand, 12)
    assert len(screen.sheet.after[0].lines) == 4
    stand.close()
