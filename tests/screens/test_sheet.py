"""The race sheet and its way out, by touch."""

from __future__ import annotations

import contextlib
import csv
import json
import sqlite3
import threading
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import zxingcpp
from kivy.core.window import Window
from PIL import Image

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers.sensible import HeuristicDriver
from companion.rules.rulebooks import begin
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
from tests.screens.audit import audit, in_both_looks
from tests.screens.rig import Rig
from tests.screens.table import Table, skip

NAMES = ("Ada", "", "Александр Константинопольск", "Żółć Çağ Ñandú-Überfluß", "山田太郎", "W" * 30)


def race(folder: Path, cars: int, answers: int, track: str = "spa") -> RaceDesk:
    listed = [{"car": n * 4, "driver": NAMES[(n - 1) % 6], "team": "M" * 30 * (n == 1)} for n in range(1, cars + 1)]
    setup = {"track": track, "laps": 1, "cars": listed, "plates": list(range(cars))[::-1]}
    board, text = circuits.load(track), circuits.find(track).read_text(encoding="utf-8")
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


def tap_tab(at_home: Table, page: str) -> None:
    """Tap the tab of a page."""
    at_home.ui.tap(theme.words.screen(f"sheet.page.{page}"))


def tap_car(at_home: Table, number: int) -> None:
    """Tap the tab of a car, in the row of the tabs of the pages."""
    at_home.ui.tap(car=number, beside=theme.words.screen("sheet.page.car"))


def test_a_finished_race_opens_at_its_classification(at_home: Table) -> None:
    kept(at_home.folder, 4, 10_000)
    at_home.show(SheetsScreen)
    ui = at_home.ui
    ui.tap("Race 4/10000")
    for place, car in enumerate((4, 12, 8, 16), 1):
        assert ui.places(also=f"{place} {car}", below="Points")
    ui.tap("Александр Константинопольск")
    assert ui.sees("Александр Константинопольск", "P2 · lap 1/1", "When and why")
    tap_car(at_home, 16)
    assert ui.sees("Żółć Çağ Ñandú-Überfluß", "P4 · lap 1/1", "Position by round")
    ui.tap("by lap")
    assert ui.sees("Position by lap", "by round")
    ui.audit_both()
    tap_tab(at_home, "log")
    assert ui.sees("Cleo", "takes 4th gear")
    ui.tap("Costs")
    assert [ui.sees(said) for said in ("brakes 1 space", "takes 4th gear")] == [True, False]
    ui.tap_first(also="Art. 11-0-3")
    assert at_home.app.visits[-1] == ("rules", {"rulebook": "competition", "article": "11-0-3"})
    ui.back()
    ui.tap("People")
    assert [ui.sees(said) for said in ("Cleo", "Bob", "Ada Lovelace the First", "Art.")] == [True, True, True, False]
    tap_tab(at_home, "words")
    assert ui.sees("the die was cocked", "Pizza at eight", "a slip of the pen")


def test_the_sheet_of_the_open_race_follows_it(at_home: Table) -> None:
    seat = at_home.sit(lambda: race(at_home.folder, 3, 40))
    at_home.show(SheetScreen, page="log")
    assert not at_home.ui.sees("The referee sets")
    seat.override({"car": 4, "gear": 2}, by="Ada", why="a slip")
    at_home.calm()
    at_home.calm()
    assert at_home.ui.sees("The referee sets 4 Ada: gear 2. (a slip)")
    assert not at_home.ui.sees("Result")


def test_what_is_said_as_a_round_begins_is_of_that_round(at_home: Table) -> None:
    """An override, and then a note, before anybody has answered in the round."""
    seat = at_home.sit(lambda: race(at_home.folder, 3, 40))
    driver = HeuristicDriver(circuits.load("spa"), 3)
    before = at_home.see(lambda desk: desk.asked.round)
    skip(at_home, driver, lambda asked: asked.round > before)
    seat.override({"car": 4, "gear": 2}, by="Ada", why="a slip")
    seat.act(lambda desk: desk.note("Pizza", by="Bob")).result(20)
    at_home.show(SheetScreen, page="log")
    for said in ("The referee sets", "Pizza"):
        assert at_home.ui.row(said).startswith(f"R{before + 1} "), at_home.ui.screen()


def test_an_override_that_is_disputed_is_called_by_what_it_set(at_home: Table) -> None:
    seat = at_home.sit(lambda: race(at_home.folder, 3, 40))
    seat.override({"car": 4, "gear": 2}, by="Ada", why="a slip")
    seat.act(lambda desk: desk.dispute_last(by="Bob", why="it was 3rd")).result(20)
    for page in ("log", "words"):
        at_home.show(SheetScreen, page=page)
        assert at_home.ui.sees("4 Ada: gear 2 (disputed)")
    assert at_home.ui.sees("it was 3rd")


def write(at_home: Table, what: str, text: str) -> None:
    """A name or a note is written by a keyboard and kept by its key."""
    tap_tab(at_home, "words")
    at_home.ui.tap(what)
    Window.dispatch("on_textinput", text)
    at_home.calm()
    at_home.ui.tap("Rename" if what == "Rename" else "Keep")


@pytest.mark.parametrize("is_open", [False, True], ids=["stored", "open"])
def test_a_race_is_given_a_name_and_a_note_on_its_sheet(at_home: Table, is_open: bool) -> None:
    if is_open:
        at_home.sit(lambda: race(at_home.folder, 3, 40))
    else:
        kept(at_home.folder, 3, 40)
    at_home.show(SheetScreen, **({} if is_open else {"race": "last"}))
    for what, text in (("Rename", "Club night"), ("Add a note", "Pizza at nine")):
        write(at_home, what, text)
        at_home.ui.wait_for(text)
    with reading(at_home.folder) as db:
        assert races(db)[0].name == "Club night"
    assert verify(at_home.folder, "Club night", rulebook_of).sound


def test_what_is_written_is_left_and_a_name_that_cannot_be_is_told(at_home: Table) -> None:
    kept(at_home.folder, 3, 40)
    screen, ui = at_home.show(SheetScreen, race="last"), at_home.ui
    tap_tab(at_home, "words")
    ui.tap("Add a note")
    assert in_both_looks(screen) == []
    ui.type("x", done=False)
    ui.tap("Cancel")
    ui.tap("Rename")
    assert ui.sees("nothing written yet"), "what was left is forgotten"
    for _ in ("the keyboard", "the line"):
        assert not ui.offers("Add a note")
        at_home.app.back()
        ui.calm()
    assert ui.offers("Add a note")
    at_home.app.back()
    assert at_home.app.visits[-1].name == "home"
    at_home.show(SheetScreen, race="last")
    write(at_home, "Rename", "last")
    ui.wait_for("last is no name of a race")
    write(at_home, "Rename", "n" * 70)
    ui.wait_for("n" * 20)
    with reading(at_home.folder) as db:
        assert len(races(db)[0].name) == 60


def tap_form(at_home: Table, form: str, place: str = "") -> None:
    """Tap a key of the export, of this device or a stick."""
    at_home.ui.tap(theme.words.screen(f"sheet.{form}"), beside=place or theme.words.screen("sheet.here"))


def out(at_home: Table, form: str = "", place: str = "") -> None:
    """Tap a key of the export, if one is named, and wait until all is written."""
    if form:
        tap_form(at_home, form, place)
    at_home.rig.until(lambda: not exporting.busy.now)
    at_home.calm()


def told(at_home: Table, key: str) -> None:
    """See that something is told, and put it away."""
    assert at_home.ui.sees(theme.words.screen(f"sheet.{key}", folder="", why=""))
    at_home.app.hush()


def test_a_race_goes_out_to_print_as_csv_and_as_json_and_over_a_file_only_if_meant(at_home: Table) -> None:
    kept(at_home.folder, 2, 60)
    screen = at_home.show(SheetScreen, race="last", page="export")
    for form in exporting.FORMS:
        out(at_home, form)
        told(at_home, "exported")
    files = {path.suffix: path for path in (at_home.folder / EXPORTS).iterdir()}
    assert files.keys() == {".pdf", ".svg", ".csv", ".json"}
    assert files[".pdf"].read_bytes().startswith(b"%PDF-")
    assert len(list(csv.reader(files[".csv"].open(encoding="utf-8")))) > 20
    read = json.loads(files[".json"].read_text(encoding="utf-8"))
    assert [car["car"] for car in read["sheet"]["cars"]] == [4, 8]
    files[".csv"].write_text("mine", encoding="utf-8")
    for key, is_kept in ((theme.say("cancel"), True), (theme.words.screen("sheet.replace"), False)):
        tap_form(at_home, "csv")
        assert audit(screen) == []
        at_home.ui.tap(key)
        out(at_home)
        assert (files[".csv"].read_text(encoding="utf-8") == "mine") == is_kept


@pytest.mark.parametrize("cars", [1, 20])
def test_a_phone_reads_the_race_off_the_screen(panel: Rig, tmp_path: Path, look: str, cars: int) -> None:
    at_home = Table(panel, tmp_path, theme=look)
    kept(at_home.folder, cars, 200)
    screen = at_home.show(SheetScreen, race="last", page="export")
    out(at_home, exporting.CODE)
    seen = panel.screenshot(tmp_path / "seen.png")
    (read,) = zxingcpp.read_barcodes(Image.open(seen))
    assert f"Race {cars}/200" in read.text
    assert audit(screen) == []
    assert at_home.ui.sees(read.text.splitlines()[0])
    at_home.ui.tap(theme.say("close"))
    assert not at_home.ui.sees(theme.words.screen("sheet.scan"))
    at_home.close()


def test_while_a_race_is_being_written_its_key_says_so_and_begins_nothing_again(
    at_home: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(at_home.folder, 1, 20)
    go_on, forms = threading.Event(), []

    def slowly(form: str, *_: Any) -> bytes:
        forms.append(form)
        assert go_on.wait(20)
        return b"made"

    monkeypatch.setattr(exporting, "in_form", slowly)
    monkeypatch.setattr(exporting, "sticks", lambda: [at_home.folder])
    screen = at_home.show(SheetScreen, race="last", page="export")
    tap_form(at_home, "pdf")
    assert at_home.ui.sees(theme.words.screen("sheet.being_written"))
    assert audit(screen) == []
    for form in ("pdf", "csv", "pdf"):
        tap_form(at_home, form)
    at_home.show(SheetScreen, race="last", page="export")  # whoever comes back finds it so
    tap_form(at_home, "pdf")
    assert at_home.ui.sees(theme.words.screen("sheet.being_written"))
    go_on.set()
    out(at_home)
    assert not at_home.ui.sees(theme.words.screen("sheet.being_written"))
    assert forms == ["pdf", "csv"]
    told(at_home, "exported")


def test_a_stick_that_takes_nothing_and_what_fails_otherwise_are_told(
    at_home: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(at_home.folder, 1, 20)
    stick = at_home.folder / "a file, not a folder"
    stick.write_text("")
    monkeypatch.setattr(exporting, "sticks", lambda: [stick])
    screen = at_home.show(SheetScreen, race="last", page="export")
    assert audit(screen) == []
    out(at_home, "csv", stick.name)
    told(at_home, "export_failed")
    monkeypatch.setattr(exporting, "in_form", lambda *_: 1 / 0)
    out(at_home, "pdf")
    assert at_home.ui.sees(theme.words.screen("race.failed"))


def test_sticks_are_what_is_mounted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ada" / "STICK").mkdir(parents=True)
    (tmp_path / "plain").mkdir()
    monkeypatch.setattr(Path, "is_mount", lambda path: path.name == "STICK")
    assert exporting.sticks([str(tmp_path)]) == [tmp_path / "ada" / "STICK"]
    assert exporting.sticks([str(tmp_path / "none")]) == []


def test_the_file_is_named_after_its_race() -> None:
    named = {"Monaco 2026-11-21 16:58": "Monaco-2026-11-21-16-58.csv", "../..": "race.csv", "夜": "夜.csv"}
    assert {race: file_name(race, "csv") for race in named} == named


def test_where_there_are_no_races_a_key_begins_one(at_home: Table) -> None:
    screen = at_home.show(SheetsScreen)
    assert audit(screen) == []
    at_home.ui.tap(theme.words.screen("sheet.no_races_key"))
    assert at_home.app.visits[-1].name == "new_race"


def test_races_that_cannot_be_read_are_told_where_they_would_stand(at_home: Table) -> None:
    (at_home.folder / DATABASE).write_bytes(b"this is no database" * 100)
    for kind, given in ((SheetsScreen, {}), (SheetScreen, {"race": "last"})):
        screen = at_home.show(kind, **given)
        assert at_home.ui.sees("The race cannot be read", "damaged")
        assert in_both_looks(screen) == []


def test_a_race_that_is_damaged_is_told_and_the_others_are_listed(at_home: Table) -> None:
    kept(at_home.folder, 2, 30)
    with contextlib.closing(sqlite3.connect(at_home.folder / DATABASE)) as db, db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute("UPDATE entry SET body = 'x' WHERE seq = 5")
    at_home.show(SheetsScreen)
    assert at_home.ui.offers("Race 2/30")
    at_home.show(SheetScreen, race="last")
    assert at_home.ui.sees("The race cannot be read")


def test_the_list_has_the_distance_and_the_time_as_they_are_here(
    at_home: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        draft = Draft(rulebook="ninety", track="saltmarsh").entering(RaceEntrant(number=3, name="Ada"))
        board, text = circuits.board(draft.track), circuits.find(draft.track).read_text(encoding="utf-8")
        setup = setup_of(draft)
        RaceDesk.begin(begin(setup, board), setup=setup, track=text, folder=at_home.folder).close()
        at_home.show(SheetsScreen)
        with reading(at_home.folder) as db:
            at = datetime.fromisoformat(races(db)[0].begun) + timedelta(hours=9)
        assert at_home.ui.sees("18 turns", f"begun {at:%Y-%m-%d %H:%M}", f"Saltmarsh {at:%Y-%m-%d %H:%M}")
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(("cars", "answers"), [(1, 8), (20, 900)], ids=["begun", "twenty"])
def test_every_page_passes_the_audit(panel: Rig, language: str, tmp_path: Path, cars: int, answers: int) -> None:
    at_home = Table(panel, tmp_path, language=language)
    say = theme.words.screen
    kept(tmp_path, cars, answers)
    assert in_both_looks(at_home.show(SheetsScreen)) == []
    screen = at_home.show(SheetScreen, race="last")
    pages = [f"sheet.page.{page}" for page in ("after", "export", "words", "log")]
    for key in (*pages, *(f"sheet.show.{name}" for name in FILTERS), "sheet.page.car"):
        at_home.ui.tap(say(key))
        panel.settle(6)
        assert in_both_looks(screen) == [], key
    at_home.close()


def test_a_race_is_looked_back_on_by_touch_all_cars_or_two(panel: Rig, tmp_path: Path, language: str) -> None:
    """Each topic by its key; a car's plate adds it to the two that are beside each other, or takes it away."""
    at_home = Table(panel, tmp_path, language=language)
    kept(tmp_path, 4, 300, "monaco")
    screen, ui = at_home.show(SheetScreen, page="after"), at_home.ui
    for topic in ("gaps", "dice", "tyres", "time", "passed", "wear"):
        ui.tap(theme.words.screen(f"after.key.{topic}"))
        assert ui.sees(theme.words.screen(f"after.title.{topic}"))
        panel.settle(6)
        assert in_both_looks(screen) == []

    def drawn() -> set[int]:
        """Return the cars whose lines are drawn, by the plates at their ends."""
        return {int(one.text) for one in ui.words() if one.text.isdigit() and one.box.x > 700 and 60 < one.box.y < 380}

    assert drawn() == {4, 8, 12, 16}
    for number in (8, 16, 12):
        tap_car(at_home, number)
    assert drawn() == {12, 16}
    for number in (16, 12):
        tap_car(at_home, number)
    assert drawn() == {4, 8, 12, 16}
    at_home.close()
