"""Rules, settings, status and touch check, by real touches; and every screen around the race audited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from kivy.clock import Clock
from kivy.core.window import Window
from pypdf import PdfReader

from companion import articles
from companion.articles import OpenQuestion
from companion.commands.main import companion
from companion.comparison import compare
from companion.doctor import text
from companion.doctor.machine import this_machine
from companion.screens.app.app import CompanionApp
from companion.screens.app.pictures import demo_race
from companion.screens.app.settings import Kept
from companion.screens.pages import status
from companion.screens.widgets.dock import dock
from companion.screens.widgets.theme import theme
from companion.sheets.reading import reading, sought
from companion.version import VERSION
from companion.wording import LANGUAGES, Words
from tests.made_up import MadeUp
from tests.screens.audit import audit, in_both_looks
from tests.screens.panels import PANELS
from tests.screens.rig import Finger, Rig
from tests.screens.table import Table
from tests.screens.test_app import names, read, texts
from tests.screens.ui import Ui


def opened(app: CompanionApp, rig: Rig, name: str, **given: Any) -> Any:
    """The screen, open and listening."""
    app.go(name, **given)
    rig.wait(0.35)
    return app.screen


# -- rules


def test_the_rules_open_at_an_article(app: CompanionApp, rig: Rig) -> None:
    screen = opened(app, rig, "rules", rulebook="competition", article="13-4")
    entry = articles.load("competition").get("13-4")
    said = texts(app)
    assert said.count("13-4") == 2  # in the list and over the page
    assert said.count(entry.title("en")) == 2
    assert " ".join(said).count(entry.text("en").split(". ")[0][:30]) == 1
    assert screen._rows.scroll_y < 1


def test_every_article_can_be_read_whole_in_both_languages(app: CompanionApp, rig: Rig) -> None:
    screen = opened(app, rig, "rules", rulebook="competition")
    longest = max(articles.load("competition"), key=lambda entry: len(entry.fr))
    for lang in ("en", "fr"):
        app.choose(language=lang)
        screen.given["article"] = longest.id
        screen.look_again()
        rig.settle()
        read = " ".join(mark.text for mark in screen._page.marks)
        assert longest.text(lang) in read
        assert screen._page.height >= screen._page.marks[-1].y * theme.scale


def test_an_article_is_tapped_and_read_from_its_beginning(app: CompanionApp, rig: Rig) -> None:
    screen = opened(app, rig, "rules", rulebook="competition")
    rig.tap(150, 480 - screen._rows.top + 52 * 2 + 20)
    third = list(articles.load("competition"))[2]
    assert screen.given["article"] == third.id
    assert third.title("en") in [mark.text for mark in screen._page.marks]


def test_an_open_question_says_how_it_is_ruled_and_what_the_table_may_say(app: CompanionApp, rig: Rig) -> None:
    entry = next(e for e in articles.load("competition") if isinstance(e, OpenQuestion) and e.switch)
    screen = opened(app, rig, "rules", rulebook="competition", article=entry.id)
    read = " ".join(mark.text for mark in screen._page.marks)
    assert "Or, if the table says so: " in read
    assert read.endswith("Left open")


def test_articles_are_searched_with_the_keyboard_on_the_screen(app: CompanionApp, rig: Rig) -> None:
    screen = opened(app, rig, "rules", rulebook="competition")
    rig.tap(screen._search)
    assert dock().parent is not None
    assert not dock().covers
    rig.settle(10)
    for letter in "slipx":
        rig.tap(dock().keyboard.letter(letter))
    rig.tap(dock().keyboard._erase)
    assert screen._search.value == "slip"
    found = articles.load("competition").find("slip", "en")
    assert [row.number for row in screen._rows.shown] == [entry.id for entry in found]
    assert screen.given["article"] == found[0].id
    assert audit(app.stage) == []
    rig.tap(dock().keyboard._done)
    assert dock().parent is None
    rig.settle()
    assert screen._rows.y == 0


def test_a_rulebook_is_compared_with_the_one_that_somebody_knows(app: CompanionApp, rig: Rig) -> None:
    screen = opened(app, rig, "rules", rulebook="formula-d")
    rig.tap(screen._compare)
    assert "Which game do you know?" in texts(app)
    assert screen._rows.shown == ()
    rig.tap(screen._books["beginner"])
    rig.settle()
    found = compare("beginner", "formula-d")
    assert [row.title for row in screen._rows.shown[:3]] == ["All differences", "Setup", "Points of a car: 18 → 20"]
    differences = [row for row in screen._rows.shown if not row.chapter]
    assert len(differences) == sum(not one.alike for one in (*found.twins, *found.figures))
    said = " ".join(mark.text for mark in screen._page.marks)
    assert "Only Formula D: Quick stop, up to: 10" in said
    assert screen._books["formula-d"].parent is None  # nothing is compared with itself
    assert audit(app.stage) == []
    rig.tap(screen._compare)
    assert screen.given["article"] == next(iter(articles.load("formula-d"))).id


def test_a_difference_that_is_tapped_shows_the_articles_of_both(app: CompanionApp, rig: Rig) -> None:
    screen = opened(app, rig, "rules", rulebook="formula-d", known="beginner", search="overshoot")
    at = next(place for place, row in enumerate(screen._rows.shown) if row.title.startswith("Overshoot →"))
    rig.tap(150, 480 - screen._rows.top + 52 * at + 20)
    rig.settle()
    said = " ".join(mark.text for mark in screen._page.marks)
    for rulebook, place in (("beginner", "beginner.overshoot"), ("formula-d", "overshoot.unpaid")):
        assert articles.load(rulebook).get(place).text("en") in said
    rig.tap(150, 480 - screen._rows.top + 52 + 20)  # its chapter
    rig.settle()
    assert screen.given["article"] == "Move"


def test_a_rulebook_is_printed_into_the_exports_or_onto_the_stick(
    app: CompanionApp, rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = opened(app, rig, "rules", rulebook="beginner")
    file = app.folder / "exports" / "Formula-D-beginner.pdf"
    rig.tap(screen._print)
    rig.until(file.exists)
    assert file.read_bytes().startswith(b"%PDF")
    rig.until(lambda: "Written to exports/Formula-D-beginner.pdf" in " ".join(texts(app)))
    stick = tmp_path / "stick"
    stick.mkdir()
    monkeypatch.setattr("companion.screens.pages.rules.sticks", lambda: [stick])
    rig.tap(screen._print)
    rig.until((stick / file.name).exists)


def test_the_rules_of_the_race_that_is_open_are_printed_as_it_plays_them(table: Table, rig: Rig) -> None:
    table.app.go("rules")
    rig.wait(0.35)
    rig.tap(table.app.screen._print)  # type: ignore[union-attr]
    exports = table.app.folder / "exports"
    rig.until(lambda: [*exports.glob("*.pdf")])
    said = PdfReader(next(exports.glob("*.pdf"))).pages[0].extract_text()
    with reading(table.app.folder) as db:
        assert said.startswith(sought(table.app.folder, db, "last").name)


@pytest.mark.parametrize("rulebook", articles.rulebooks())
def test_every_number_in_the_list_is_whole(app: CompanionApp, rig: Rig, rulebook: str) -> None:
    screen = opened(app, rig, "rules", rulebook=rulebook)
    ids = [entry.id + entry.mark("en") for entry in articles.load(rulebook)]
    longest = max(ids, key=len)
    screen._rows.reveal(ids.index(longest))
    rig.settle(6)
    assert longest in texts(app)
    assert audit(app.stage) == []


@pytest.mark.parametrize(("lang", "mark"), [("en", "proposed"), ("fr", "proposé")])
def test_the_list_marks_articles_of_proposed_figures(app: CompanionApp, rig: Rig, lang: str, mark: str) -> None:
    app.choose(language=lang)
    opened(app, rig, "rules", rulebook="cup", search="pit")
    assert f"pit.quick · {mark}" in texts(app)
    assert "pit.optional" in texts(app)
    assert audit(app.stage) == []
    app.choose(language="en")


def test_what_is_found_is_shown_from_its_beginning(app: CompanionApp, rig: Rig) -> None:
    screen = opened(app, rig, "rules", rulebook="competition", article=list(articles.load("competition"))[200].id)
    assert 0 < screen._rows.scroll_y < 1
    screen._search.line.text = "slipstream"
    rig.settle(6)
    first = screen._rows.shown[0]
    assert first.chosen
    assert screen._rows.scroll_y == 1


def test_words_that_no_article_has_say_so(app: CompanionApp, rig: Rig) -> None:
    opened(app, rig, "rules", rulebook="competition", search="zzzz")
    assert "No article has these words." in texts(app)
    assert audit(app.stage) == []


def test_the_search_is_remembered_when_the_screen_is_come_back_to(app: CompanionApp, rig: Rig) -> None:
    rig.tap(opened(app, rig, "rules", rulebook="competition")._search)
    rig.settle(10)
    for letter in "pit":
        rig.tap(dock().keyboard.letter(letter))
    app.go("settings")
    assert dock().parent is None
    app.back()
    rig.settle()
    assert app.screen._search.value == "pit"  # type: ignore[union-attr]


def test_a_line_is_read_from_its_beginning_and_written_on_at_its_end(app: CompanionApp, rig: Rig) -> None:
    words = "a line of so many words that only its end has room once somebody writes"
    line = opened(app, rig, "rules", rulebook="competition", search=words)._search.line
    assert line.scroll_x == 0
    line.focus = True
    rig.settle(6)
    dock()._type("x")
    assert line.text == f"{words}x"
    assert line.scroll_x > 0
    line.focus = False
    rig.settle(6)
    assert line.scroll_x == 0


def test_going_back_closes_the_keyboard_first(app: CompanionApp, rig: Rig) -> None:
    rig.tap(opened(app, rig, "rules", rulebook="competition")._search)
    app.back()
    assert dock().parent is None
    assert names(app) == ["home", "rules"]
    app.back()
    assert names(app) == ["home"]


# -- settings


def test_every_setting_is_chosen_by_touch_and_kept(ui: Ui) -> None:
    ui.tap("Settings")
    for heading, label, name, value in (
        ("Theme", "Daylight", "theme", "daylight"),
        ("Sound", "Clock only", "sound", "clock"),
        ("Prices before the roll", "After the roll", "prices", "after"),
        ("Animations", "Reduced", "reduced_motion", True),
    ):
        ui.tap(label, beside=heading)
        assert ui.is_chosen(label)
        assert getattr(Kept(ui.folder).now, name) == value
    assert not ui.is_chosen("Dark")
    assert theme.still
    assert ui.app.speaker.level == "clock"
    ui.tap(icon="plus", beside="Shot clock")
    assert ui.sees("5 s")
    assert Kept(ui.folder).now.shot_clock == 5
    for _ in range(2):
        ui.tap(icon="minus", beside="Shot clock")
    assert ui.sees("none")
    assert Kept(ui.folder).now.shot_clock == 0
    for figure, icon, name, end in (
        ("Brightness", "minus", "brightness", 10), ("Volume", "plus", "volume", 100),
        ("Screen dims after", "plus", "dim_minutes", 55), ("Screen sleeps after", "plus", "sleep_minutes", 55),
    ):  # fmt: skip
        for _ in range(11):
            ui.tap(icon=icon, beside=figure)
        assert getattr(Kept(ui.folder).now, name) == end


def test_two_taps_before_the_next_picture_are_two_steps(ui: Ui, rig: Rig) -> None:
    ui.tap("Settings")
    x, y = ui.where(icon="plus", beside="Shot clock")
    for _ in range(2):
        finger = Finger(*rig.at(x, y))
        finger.down()
        finger.up()
    ui.calm()
    assert ui.sees("10 s")


def test_the_picture_is_turned_at_once(ui: Ui, rig: Rig) -> None:
    ui.tap("Settings")
    upright = rig.pixels()
    try:
        ui.tap("180°")
        assert Kept(ui.folder).now.rotation == 180
        assert (Window.rotation, Window.size) == (180, (800, 480))
        turned = rig.pixels()
        ui.app.choose(rotation=90)
        rig.settle(10)
        assert (Window.width, Window.height) == (480, 800)
        assert theme.scale == 0.6
    finally:
        ui.app.choose(rotation=0)
        rig.settle(10)
    assert upright != turned
    assert theme.scale == 1.0


def test_other_screens_about_the_machine_are_reached_from_the_settings(ui: Ui) -> None:
    ui.tap("Settings")
    for label, title in (("Touch check", "Touch the four corners"), ("Status", "Nothing is wrong"),
                         ("Hall", "No hall"), ("Deleted races", "Deleted races")):  # fmt: skip
        ui.tap(label)
        ui.wait_for(title)
        ui.app.back()
        ui.calm()


# -- touch check


def test_each_corner_says_how_far_off_it_was_touched(app: CompanionApp, rig: Rig) -> None:
    screen = opened(app, rig, "touch")
    rig.tap(52, 52)
    rig.tap(800 - 52, 52 + 10)
    assert [corner.off for corner in screen.corners] == [pytest.approx(0, abs=1), pytest.approx(10, abs=1), None, None]
    assert "Touch the four corners" in texts(app)
    rig.tap(52, 480 - 52)
    rig.tap(800 - 52, 480 - 52)
    assert "All four corners answer" in texts(app)


def test_a_finger_draws_where_no_corner_is(app: CompanionApp, rig: Rig) -> None:
    screen = opened(app, rig, "touch")
    rig.drag((200, 200), (500, 300), steps=8)
    line = screen._sheet.children[-1]
    assert len(line.points) == 2 * (2 + 8)
    assert line.points[-2:] == pytest.approx([500, 180], abs=1)
    screen.points = 10_000
    rig.drag((200, 200), (210, 210), steps=2)
    assert screen.points == 2


# -- status


def test_status_says_where_and_how_the_races_are_kept(rig: Rig, tmp_path: Path) -> None:
    folder = tmp_path / ("too-long-for-one-line-" * 2)
    folder.mkdir(parents=True)
    demo_race(folder, 20).close()
    made = CompanionApp(folder, Kept(folder))
    made.open()
    try:
        opened(made, rig, "status")
        read(made, rig)
        said = " | ".join(texts(made))
        for wanted in ("races.db", " kB", "Sound", "GB", "800 × 480", VERSION):
            assert wanted in said, wanted
        assert audit(made.stage) == []
    finally:
        made.close()


def test_a_file_that_is_damaged_is_told(ui: Ui) -> None:
    ui.app.go("status")
    ui.calm()
    (ui.folder / "races.db").write_bytes(b"no database" * 1000)
    ui.tap("Check again")
    ui.wait_for("is damaged or no database; companion salvage brings back what is sound")
    ui.audit()


def test_a_raspberry_pi_that_draws_without_its_chip_is_warned(
    app: CompanionApp, rig: Rig, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    on_machine(MadeUp(tmp_path / "pi"), monkeypatch)
    for renderer, is_slow in ((b"V3D 4.2", False), (b"llvmpipe (LLVM 15.0.6, 256 bits)", True)):
        monkeypatch.setattr(status, "glGetString", lambda _, renderer=renderer: renderer)
        opened(app, rig, "status")
        read(app, rig)
        assert any(said.startswith("The graphics chip is not used") for said in texts(app)) == is_slow
    assert audit(app.stage) == []


@pytest.mark.parametrize(
    ("count", "said", "in_french"),
    [
        (0, "0 B", "0 o"),
        (999, "999 B", "999 o"),
        (1000, "1.0 kB", "1,0 ko"),
        (34_000, "34 kB", "34 ko"),
        (2.5e9, "2.5 GB", "2,5 Go"),
        (4e15, "4000 TB", "4000 To"),
    ],
)
def test_bytes_are_written_for_people(count: float, said: str, in_french: str) -> None:
    assert [text.size(count, Words(lang)) for lang in ("en", "fr")] == [said, in_french]


def on_machine(made: MadeUp, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the page Status check a made-up machine."""
    monkeypatch.setattr(status, "this_machine", lambda: this_machine(made.root))


@pytest.mark.parametrize("size", [size for size, _ in PANELS], ids=["7-inch", "display-2"])
def test_status_tells_what_the_command_tells(
    rig: Rig, tmp_path: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a machine with five things broken, the worst first, in both languages and looks."""
    pi = MadeUp(tmp_path / "pi")
    pi.connector("card1-DSI-1", "disconnected")
    pi.groups(others="dialout")
    pi.rfkill(soft=1, hard=0)
    pi.command("vcgencmd", "echo throttled=0x50005")
    pi.command("timedatectl", "echo no")
    on_machine(pi, monkeypatch)
    ui = Ui(rig, tmp_path)
    try:
        Window.size = size
        for lang in LANGUAGES:
            ui.app.choose(language=lang)
            ui.app.go("status")
            ui.calm()
            said = ["doctor", "--data", tmp_path, "--root", pi.root, "--lang", lang]
            told = CliRunner().invoke(companion, [str(word) for word in said], env={"COLUMNS": "400"}).output
            ui.wait_for(*(finding[20:] for finding in told.splitlines()[:5]))
            assert in_both_looks(ui.app.stage) == []
            while ui.scroll():
                assert in_both_looks(ui.app.stage) == []
            ui.app.home()
    finally:
        ui.close()


def test_the_report_is_written_by_touch(ui: Ui, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status, "sticks", list)
    ui.app.go("status")
    ui.wait_for("Groups")
    ui.tap("Report")
    ui.wait_for("companion-report.txt")
    path = ui.folder / "exports" / "companion-report.txt"
    assert "packages:" in path.read_text(encoding="utf-8")
    path.unlink()
    path.parent.rmdir()
    path.parent.write_text("in the way")
    ui.tap("Report")
    ui.wait_for("could not be written")


# -- all of them


def test_a_screen_that_was_left_hears_of_nothing_any_more(app: CompanionApp, rig: Rig) -> None:
    """Screens are thrown away when they are left; whatever still held one would draw it again and again."""
    import gc
    import weakref

    left = [weakref.ref(opened(app, rig, name)) for name in ("rules", "settings", "status", "touch")]
    app.home()
    rig.settle(10)
    rig.wait(0.6)  # a list that was just filled is held by its bar for half a second
    Clock.tick()
    gc.collect()
    assert [screen() for screen in left] == [None] * 4
