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
from companion.screens.kit.chart import ChartView
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
from companion.view.pages.sheet import FILTERS, Chart, WetPeriod
from companion.view.setup.draft import Draft, setup_of
from tests.screens.audit import audit, in_both_looks
from tests.screens.panels import PANELS
from tests.screens.rig import Rig
from tests.screens.table import Table, skip
from tests.screens.ui import Ui
from tests.view.test_brought import race as chance_race

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
            change = {"car": 4, "gear": 2} if desk.asked is not None else {"car": 4, "wear": {"brakes": 1}}
            desk.override(change, by="Ada Lovelace the First", why="a slip of the pen, " * 4)
            desk.note("Pizza at eight " * 6, by="Bob")
            desk.dispute(3, by="Cleo", why="the die was cocked")


def tap_tab(home_table: Table, page: str) -> None:
    """Tap the tab of a page."""
    home_table.ui.tap(theme.words.screen(f"sheet.page.{page}"))


def tap_car(home_table: Table, number: int) -> None:
    """Tap the tab of a car, in the row of the tabs of the pages."""
    home_table.ui.tap(car=number, beside=theme.words.screen("sheet.page.car"))


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "3 × 2 (Tyres on a dry track) = 6 to pay: −5 tyres (1 could not be paid)"),
        ("fr", "3 × 2 (Pneus sur le sec) = 6 à payer\N{NO-BREAK SPACE}: −5 pneus (il en manque 1)"),
    ],
)
def test_the_sum_of_an_overshoot_is_read_to_its_end(at_race: Any, lang: str, said: str) -> None:
    made = list(chance_race("cup", 2))[-1]
    table = at_race(make=lambda: made, app={"language": lang})
    table.show(SheetScreen, page="car", car=11)
    for size, _ in PANELS:
        Window.size = size
        table.ui.calm()
        assert said in " ".join(word.text for word in table.ui.words() if 100 < word.box.x < 330)
        assert not any("3 × 2" in text for text in table.ui.cut())
        table.ui.audit_both()


def test_a_finished_race_opens_at_its_classification(home_table: Table) -> None:
    kept(home_table.folder, 4, 10_000)
    home_table.show(SheetsScreen)
    ui = home_table.ui
    ui.tap("Race 4/10000")
    for place, car in enumerate((4, 12, 8, 16), 1):
        assert ui.places(also=f"{place} {car}", below="Points")
    assert not ui.offers("Resume")
    ui.tap("Александр Константинопольск")
    assert ui.sees("Александр Константинопольск", "P2 · lap 1/1", "When and why")
    tap_car(home_table, 16)
    assert ui.sees("Żółć Çağ Ñandú-Überfluß", "P4 · lap 1/1", "Position by round")
    ui.tap("by lap")
    assert ui.sees("Position by lap", "by round")
    ui.audit_both()
    tap_tab(home_table, "log")
    assert ui.sees("Cleo", "takes 4th gear")
    ui.tap("Costs")
    assert [ui.sees(said) for said in ("brakes 1 space", "takes 4th gear")] == [True, False]
    ui.tap_first(also="Art. 17-0-2")
    assert home_table.app.visits[-1] == ("rules", {"rulebook": "competition", "article": "17-0-2"})
    ui.back()
    ui.tap("People")
    assert [ui.sees(said) for said in ("Cleo", "Bob", "Ada Lovelace the First", "Art.")] == [True, True, True, False]
    tap_tab(home_table, "words")
    assert ui.sees("the die was cocked", "Pizza at eight", "a slip of the pen")


def test_the_sheet_of_the_open_race_follows_it(home_table: Table) -> None:
    seat = home_table.sit(lambda: race(home_table.folder, 3, 40))
    home_table.show(SheetScreen, page="log")
    assert not home_table.ui.sees("The referee sets")
    seat.override({"car": 4, "gear": 2}, by="Ada", why="a slip")
    home_table.calm()
    home_table.calm()
    assert home_table.ui.sees("The referee sets 4 Ada: gear 2. (a slip)")
    assert not home_table.ui.sees("Result")


def test_what_is_said_as_a_round_begins_is_of_that_round(home_table: Table) -> None:
    """An override, and then a note, before anybody has answered in the round."""
    seat = home_table.sit(lambda: race(home_table.folder, 3, 40))
    driver = HeuristicDriver(circuits.load("spa"), 3)
    before = home_table.see(lambda desk: desk.asked.round)
    skip(home_table, driver, lambda asked: asked.round > before)
    seat.override({"car": 4, "gear": 2}, by="Ada", why="a slip")
    seat.act(lambda desk: desk.note("Pizza", by="Bob")).result(20)
    home_table.show(SheetScreen, page="log")
    for said in ("The referee sets", "Pizza"):
        assert home_table.ui.row(said).startswith(f"R{before + 1} "), home_table.ui.screen()


def test_an_override_that_is_disputed_is_called_by_what_it_set(home_table: Table) -> None:
    seat = home_table.sit(lambda: race(home_table.folder, 3, 40))
    seat.override({"car": 4, "gear": 2}, by="Ada", why="a slip")
    seat.act(lambda desk: desk.dispute_last(by="Bob", why="it was 3rd")).result(20)
    for page in ("log", "words"):
        home_table.show(SheetScreen, page=page)
        assert home_table.ui.sees("4 Ada: gear 2 (disputed)")
    assert home_table.ui.sees("it was 3rd")


def write(home_table: Table, what: str, text: str) -> None:
    """A name or a note is written by a keyboard and kept by its key."""
    tap_tab(home_table, "words")
    home_table.ui.tap(what)
    Window.dispatch("on_textinput", text)
    home_table.calm()
    home_table.ui.tap("Rename" if what == "Rename" else "Keep")


@pytest.mark.parametrize("is_open", [False, True], ids=["stored", "open"])
def test_a_race_is_given_a_name_and_a_note_on_its_sheet(home_table: Table, is_open: bool) -> None:
    if is_open:
        home_table.sit(lambda: race(home_table.folder, 3, 40))
    else:
        kept(home_table.folder, 3, 40)
    home_table.show(SheetScreen, **({} if is_open else {"race": "last"}))
    for what, text in (("Rename", "Club night"), ("Add a note", "Pizza at nine")):
        write(home_table, what, text)
        home_table.ui.wait_for(text)
    with reading(home_table.folder) as db:
        assert races(db)[0].name == "Club night"
    assert verify(home_table.folder, "Club night", rulebook_of).sound


def test_what_is_written_is_left_and_a_name_that_cannot_be_is_told(home_table: Table) -> None:
    kept(home_table.folder, 3, 40)
    screen, ui = home_table.show(SheetScreen, race="last"), home_table.ui
    tap_tab(home_table, "words")
    ui.tap("Add a note")
    assert in_both_looks(screen) == []
    ui.type("x", done=False)
    ui.tap("Cancel")
    ui.tap("Rename")
    assert ui.sees("nothing written yet"), "what was left is forgotten"
    for _ in ("the keyboard", "the line"):
        assert not ui.offers("Add a note")
        home_table.app.back()
        ui.calm()
    assert ui.offers("Add a note")
    home_table.app.back()
    assert home_table.app.visits[-1].name == "home"
    home_table.show(SheetScreen, race="last")
    write(home_table, "Rename", "last")
    ui.wait_for("last is no name of a race")
    write(home_table, "Rename", "n" * 70)
    ui.wait_for("n" * 20)
    with reading(home_table.folder) as db:
        assert len(races(db)[0].name) == 60


def tap_form(home_table: Table, form: str, place: str = "") -> None:
    """Tap a key of the export, of this device or a stick."""
    home_table.ui.tap(theme.words.screen(f"sheet.{form}"), beside=place or theme.words.screen("sheet.here"))


def out(home_table: Table, form: str = "", place: str = "") -> None:
    """Tap a key of the export, if one is named, and wait until all is written."""
    if form:
        tap_form(home_table, form, place)
    home_table.rig.until(lambda: not exporting.busy.now)
    home_table.calm()


def told(home_table: Table, key: str) -> None:
    """See that something is told, and put it away."""
    assert home_table.ui.sees(theme.words.screen(f"sheet.{key}", folder="", why=""))
    home_table.app.hush()


def test_a_race_goes_out_to_print_as_csv_and_as_json_and_over_a_file_only_if_meant(home_table: Table) -> None:
    kept(home_table.folder, 2, 60)
    screen = home_table.show(SheetScreen, race="last", page="export")
    for form in exporting.FORMS:
        out(home_table, form)
        told(home_table, "exported")
    files = {path.suffix: path for path in (home_table.folder / EXPORTS).iterdir()}
    assert files.keys() == {".pdf", ".svg", ".csv", ".json"}
    assert files[".pdf"].read_bytes().startswith(b"%PDF-")
    assert len(list(csv.reader(files[".csv"].open(encoding="utf-8")))) > 20
    read = json.loads(files[".json"].read_text(encoding="utf-8"))
    assert [car["car"] for car in read["sheet"]["cars"]] == [4, 8]
    files[".csv"].write_text("mine", encoding="utf-8")
    for key, is_kept in ((theme.say("cancel"), True), (theme.words.screen("sheet.replace"), False)):
        tap_form(home_table, "csv")
        assert audit(screen) == []
        home_table.ui.tap(key)
        out(home_table)
        assert (files[".csv"].read_text(encoding="utf-8") == "mine") == is_kept


@pytest.mark.parametrize("cars", [1, 20])
def test_a_phone_reads_the_race_off_the_screen(panel: Rig, tmp_path: Path, look: str, cars: int) -> None:
    home_table = Table(panel, tmp_path, theme=look)
    kept(home_table.folder, cars, 200)
    screen = home_table.show(SheetScreen, race="last", page="export")
    out(home_table, exporting.CODE)
    seen = panel.screenshot(tmp_path / "seen.png")
    (read,) = zxingcpp.read_barcodes(Image.open(seen))
    assert f"Race {cars}/200" in read.text
    assert audit(screen) == []
    assert home_table.ui.sees(read.text.splitlines()[0])
    home_table.ui.tap(theme.say("close"))
    assert not home_table.ui.sees(theme.words.screen("sheet.scan"))
    home_table.close()


def test_while_a_race_is_being_written_its_key_says_so_and_begins_nothing_again(
    home_table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(home_table.folder, 1, 20)
    go_on, forms = threading.Event(), []

    def slowly(form: str, *_: Any) -> bytes:
        forms.append(form)
        assert go_on.wait(20)
        return b"made"

    monkeypatch.setattr(exporting, "in_form", slowly)
    monkeypatch.setattr(exporting, "sticks", lambda: [home_table.folder])
    screen = home_table.show(SheetScreen, race="last", page="export")
    tap_form(home_table, "pdf")
    assert home_table.ui.sees(theme.words.screen("sheet.being_written"))
    assert audit(screen) == []
    for form in ("pdf", "csv", "pdf"):
        tap_form(home_table, form)
    home_table.show(SheetScreen, race="last", page="export")  # whoever comes back finds it so
    tap_form(home_table, "pdf")
    assert home_table.ui.sees(theme.words.screen("sheet.being_written"))
    go_on.set()
    out(home_table)
    assert not home_table.ui.sees(theme.words.screen("sheet.being_written"))
    assert forms == ["pdf", "csv"]
    told(home_table, "exported")


def test_a_stick_that_takes_nothing_and_what_fails_otherwise_are_told(
    home_table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(home_table.folder, 1, 20)
    stick = home_table.folder / "a file, not a folder"
    stick.write_text("")
    monkeypatch.setattr(exporting, "sticks", lambda: [stick])
    screen = home_table.show(SheetScreen, race="last", page="export")
    assert audit(screen) == []
    out(home_table, "csv", stick.name)
    told(home_table, "export_failed")
    monkeypatch.setattr(exporting, "in_form", lambda *_: 1 / 0)
    out(home_table, "pdf")
    assert home_table.ui.sees(theme.words.screen("race.failed"))


def test_sticks_are_what_is_mounted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ada" / "STICK").mkdir(parents=True)
    (tmp_path / "plain").mkdir()
    monkeypatch.setattr(Path, "is_mount", lambda path: path.name == "STICK")
    assert exporting.sticks([str(tmp_path)]) == [tmp_path / "ada" / "STICK"]
    assert exporting.sticks([str(tmp_path / "none")]) == []


def test_the_file_is_named_after_its_race() -> None:
    named = {"Monaco 2026-11-21 16:58": "Monaco-2026-11-21-16-58.csv", "../..": "race.csv", "夜": "夜.csv"}
    assert {race: file_name(race, "csv") for race in named} == named


def test_where_there_are_no_races_a_key_begins_one(home_table: Table) -> None:
    screen = home_table.show(SheetsScreen)
    assert audit(screen) == []
    home_table.ui.tap(theme.words.screen("sheet.no_races_key"))
    assert home_table.app.visits[-1].name == "new_race"


def test_races_that_cannot_be_read_are_told_where_they_would_stand(home_table: Table) -> None:
    (home_table.folder / DATABASE).write_bytes(b"this is no database" * 100)
    for kind, given in ((SheetsScreen, {}), (SheetScreen, {"race": "last"})):
        screen = home_table.show(kind, **given)
        assert home_table.ui.sees("The race cannot be read", "damaged")
        assert in_both_looks(screen) == []


def test_a_race_that_is_damaged_is_told_and_the_others_are_listed(home_table: Table) -> None:
    kept(home_table.folder, 2, 30)
    with contextlib.closing(sqlite3.connect(home_table.folder / DATABASE)) as db, db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute("UPDATE entry SET body = 'x' WHERE seq = 5")
    home_table.show(SheetsScreen)
    assert home_table.ui.offers("Race 2/30")
    home_table.show(SheetScreen, race="last")
    assert home_table.ui.sees("The race cannot be read")


def test_the_list_has_the_distance_and_the_time_as_they_are_here(
    home_table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        draft = Draft(rulebook="ninety", track="saltmarsh").entering(RaceEntrant(number=3, name="Ada"))
        board, text = circuits.board(draft.track), circuits.find(draft.track).read_text(encoding="utf-8")
        setup = setup_of(draft)
        RaceDesk.begin(begin(setup, board), setup=setup, track=text, folder=home_table.folder).close()
        home_table.show(SheetsScreen)
        with reading(home_table.folder) as db:
            at = datetime.fromisoformat(races(db)[0].begun) + timedelta(hours=9)
        usual = f"Saltmarsh {at:%Y-%m-%d %H:%M}"
        assert home_table.ui.row(usual) == f"{usual} round 0 Race of cards · 1 car · 18 turns"
        assert not home_table.ui.sees("begun"), "the usual name says it"
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(("cars", "answers"), [(1, 8), (20, 900)], ids=["begun", "twenty"])
def test_every_page_passes_the_audit(panel: Rig, language: str, tmp_path: Path, cars: int, answers: int) -> None:
    home_table = Table(panel, tmp_path, language=language)
    say = theme.words.screen
    kept(tmp_path, cars, answers)
    assert in_both_looks(home_table.show(SheetsScreen)) == []
    screen = home_table.show(SheetScreen, race="last")
    pages = [f"sheet.page.{page}" for page in ("after", "export", "words", "log")]
    for key in (*pages, *(f"sheet.show.{name}" for name in FILTERS), "sheet.page.car"):
        home_table.ui.tap(say(key))
        panel.settle(6)
        assert in_both_looks(screen) == [], key
    home_table.close()


def test_a_race_is_looked_back_on_by_touch_all_cars_or_two(panel: Rig, tmp_path: Path, language: str) -> None:
    """Each topic by its key; a car's plate adds it to the two that are beside each other, or takes it away."""
    home_table = Table(panel, tmp_path, language=language)
    kept(tmp_path, 4, 300, "monaco")
    screen, ui = home_table.show(SheetScreen, page="after"), home_table.ui
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
        tap_car(home_table, number)
    assert drawn() == {12, 16}
    for number in (16, 12):
        tap_car(home_table, number)
    assert drawn() == {4, 8, 12, 16}
    home_table.close()


def test_an_article_has_the_room_that_a_short_sentence_leaves(at_race: Any) -> None:
    table = at_race(
        "porto-sereno", until=lambda asked: asked.ask == "gear" and asked.round == 3, rulebook="cup",
        app={"language": "fr"},
    )  # fmt: skip
    table.app.go("sheet", page="log")
    table.calm()
    assert table.ui.sees("Tour de jeu 3")
    assert "Ordre du tour de jeu" not in table.ui.cut()


def test_the_chart_of_a_wet_race_writes_its_title_and_its_key_out(rig: Rig, bare: Ui, language: str) -> None:
    theme.language = language
    say = theme.words.screen
    wet = WetPeriod(first=1, last=2, word=say("sheet.wet_from", round=19), icon="rain")
    shown = Chart(title=say("sheet.order"), other=say("sheet.to_laps"), columns=(), places=6, lines=(), bands=(wet,))
    chart = rig.show(ChartView(), 430, 48, 370, 360)  # as wide as beside a car's pools
    chart.show(shown)
    rig.settle()
    assert bare.cut() == set()
    assert bare.sees(shown.title, shown.other, wet.word)
