"""Rules, settings, status and touch check, by real touches; and every screen around the race audited."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.uix.textinput import TextInput
from pypdf import PdfReader

from companion import articles
from companion.articles import OpenQuestion
from companion.commands.main import companion
from companion.comparison import compare
from companion.doctor import text
from companion.doctor.machine import this_machine
from companion.screens.app.app import CompanionApp
from companion.screens.app.pictures import demo_race
from companion.screens.app.screen import Screen
from companion.screens.app.settings import SettingsFile
from companion.screens.kit.theme import BODY, theme
from companion.screens.pages import status, touch_check
from companion.screens.pages.home import HomeScreen
from companion.screens.pages.rules import LIST, number_with_mark
from companion.sheets.reading import reading, sought
from companion.version import VERSION
from companion.wording import LANGUAGES, Words
from tests.made_up import MadeUp
from tests.screens.panels import PANELS
from tests.screens.rig import Finger, Rig
from tests.screens.table import Table
from tests.screens.test_app import read
from tests.screens.ui import Ui, Word


def opened(app: CompanionApp, rig: Rig, name: str, **given: Any) -> None:
    """Open a screen, until it listens."""
    app.go(name, **given)
    rig.wait(0.35)


# -- rules


def at_rules(ui: Ui, **given: Any) -> None:
    """Open the rules, as a race opens them at an article."""
    ui.app.go("rules", **given)
    ui.calm()


def lines(ui: Ui) -> list[str]:
    """Return all that can be read, each text as it is written."""
    return [word.text for word in ui.words()]


def search(ui: Ui) -> Word:
    """Return the line for the words that are searched for."""
    (line,) = (word for word in ui.words() if isinstance(word.widget, TextInput))
    return line


def page(ui: Ui) -> str:
    """Return the page beside the list, which is scrolled through."""
    read: list[str] = []
    ui.scroll(start=True)
    while True:
        read += [word.text for word in ui.words() if word.box.x > LIST and word.text not in read]
        if not ui.scroll():
            return " ".join(read)


def listed(ui: Ui, size: float = 0) -> list[str]:
    """Return what the list says, which is scrolled through, of one size of letters if that is given."""
    read: list[str] = []
    ui.scroll(start=True)
    top = search(ui).box.y
    while True:
        said = [word for word in ui.words() if word.box.x < LIST and word.box.y > top and size in (0, word.size)]
        read += [word.text for word in said if word.text not in read]
        if not ui.scroll():
            return read


def test_the_rules_open_at_an_article(ui: Ui) -> None:
    at_rules(ui, rulebook="competition", article="13-4")
    known = articles.load("competition")
    entry = known.get("13-4")
    said = lines(ui)
    assert said.count("13-4") == 2  # in the list and over the page
    assert said.count(entry.title("en")) == 2
    assert " ".join(said).count(entry.text("en").split(". ")[0][:30]) == 1
    assert next(iter(known)).id not in said  # the list is scrolled to it


def test_every_article_can_be_read_whole_in_both_languages(ui: Ui) -> None:
    longest = max(articles.load("competition"), key=lambda entry: len(entry.fr))
    at_rules(ui, rulebook="competition", search=longest.id)
    for lang in LANGUAGES:
        ui.app.choose(language=lang)
        ui.calm()
        assert longest.text(lang) in page(ui)


def test_an_article_is_tapped_and_read(ui: Ui) -> None:
    at_rules(ui, rulebook="competition")
    third = list(articles.load("competition"))[2]
    ui.tap(third.title("en"))
    assert [lines(ui).count(text) for text in (third.id, third.title("en"))] == [2, 2]


def test_an_open_question_says_how_it_is_ruled_and_what_the_table_may_say(ui: Ui) -> None:
    entry = next(e for e in articles.load("competition") if isinstance(e, OpenQuestion) and e.switch)
    at_rules(ui, rulebook="competition", search=entry.id)
    read = page(ui)
    assert "Or, if the table says so: " in read
    assert read.endswith("Left open")


def test_articles_are_searched_with_the_keyboard_on_the_screen(ui: Ui) -> None:
    ui.tap("Rules")
    ui.tap("Competition")
    ui.write("Search", "slipx", done=False)
    ui.tap(icon="erase")
    assert lines(ui).count("slip") == 1  # in its line: the keyboard covers nothing that is written
    found = articles.load("competition").find("slip", "en")
    assert ui.sees(f"{len(found)} articles")
    assert lines(ui).count(found[0].id) == 2  # in the list and over the page
    ui.audit()
    ui.tap("Done")
    assert not ui.offers("Done")
    titles = [entry.title("en") for entry in found]
    assert [text for text in listed(ui) if text in titles] == titles
    assert max(word.box.y for word in ui.words() if word.box.x < LIST) > 400  # the list has the keyboard's room


def test_a_rulebook_is_compared_with_the_one_that_somebody_knows(ui: Ui) -> None:
    ui.tap("Rules")
    ui.tap("Formula D", beside="Competition")
    ui.tap("Compare")
    assert ui.sees("Which game do you know?")
    assert lines(ui).count("Formula D") == 1  # the beginner's: nothing is compared with itself
    ui.tap("Formula D beginner")
    found = compare("beginner", "formula-d")
    assert ui.sees("All differences", "Setup", "Points of a car: 18 → 20")
    assert "Only Formula D: Quick stop, up to: 10" in page(ui)
    ui.audit()
    differences = [one for one in found.twins if not one.alike], [one for one in found.figures if not one.alike]
    assert len(listed(ui, size=BODY)) == sum(map(len, differences))
    ui.tap("Compare")
    assert lines(ui).count(next(iter(articles.load("formula-d"))).title("en")) == 2


def test_a_difference_that_is_tapped_shows_the_articles_of_both_from_the_beginning(ui: Ui) -> None:
    at_rules(ui, rulebook="formula-d", known="beginner", search="overshoot")
    ui.tap("Overshoot →", below="Move")
    begins = lines(ui)
    said = page(ui)
    assert lines(ui) != begins  # scrolled to its end
    ui.tap("Overshoot →", below="Move")
    assert lines(ui) == begins
    for rulebook, place in (("beginner", "beginner.overshoot"), ("formula-d", "overshoot.unpaid")):
        assert articles.load(rulebook).get(place).text("en") in said
    ui.tap("Move")
    assert lines(ui).count("Move") == 2  # the chapter, in the list and over the page
    ui.tap("Overshoot →", below="Move")
    page(ui)
    ui.tap("Competition")
    assert lines(ui).count("All differences") == 2, "another rulebook is read from its beginning"
    ui.tap("Compare")
    assert ui.written("Search") == "", "the words were for the comparison"


def test_a_rulebook_is_printed_into_the_exports_or_onto_the_stick(
    ui: Ui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ui.tap("Rules")
    ui.tap("Print")
    file = ui.folder / "exports" / "Formula-D-beginner.pdf"
    ui.wait_for("Written to exports/Formula-D-beginner.pdf")
    assert file.read_bytes().startswith(b"%PDF")
    stick = tmp_path / "stick"
    stick.mkdir()
    monkeypatch.setattr("companion.screens.pages.rules.sticks", lambda: [stick])
    ui.tap("Print")
    ui.wait_for("Written to stick/Formula-D-beginner.pdf")
    assert (stick / file.name).exists()


def test_the_rules_of_the_race_that_is_open_are_printed_as_it_plays_them(table: Table, rig: Rig) -> None:
    ui = Ui.over(rig, table.app)
    ui.app.go("rules")
    ui.calm()
    ui.tap("Print")
    ui.wait_for("Written to")
    said = PdfReader(next((ui.folder / "exports").glob("*.pdf"))).pages[0].extract_text()
    with reading(ui.folder) as db:
        assert said.startswith(sought(ui.folder, db, "last").name)


@pytest.mark.parametrize("rulebook", articles.rulebooks())
def test_every_number_in_the_list_is_whole(ui: Ui, rulebook: str) -> None:
    longest = max(articles.load(rulebook), key=lambda entry: len(number_with_mark(entry)))
    at_rules(ui, rulebook=rulebook, article=longest.id)
    assert number_with_mark(longest) in lines(ui)
    ui.audit()


@pytest.mark.parametrize(("lang", "mark"), [("en", "proposed"), ("fr", "proposé")])
def test_the_list_marks_articles_of_proposed_figures(ui: Ui, lang: str, mark: str) -> None:
    ui.app.choose(language=lang)
    at_rules(ui, rulebook="cup", search="pit")
    of = articles.load("cup").get
    assert ui.row(of("pit.quick").title(lang)).endswith(mark)
    assert not {"pit.quick", "pit.optional"} & set(lines(ui)), "names in logs are not for readers"
    ui.audit()
    ui.app.choose(language="en")


def test_what_is_found_is_shown_from_its_beginning(ui: Ui) -> None:
    known = articles.load("competition")
    at_rules(ui, rulebook="competition", article=list(known)[200].id)
    first = known.find("lap", "en")[0]
    assert first.id not in lines(ui)
    ui.write("Search", "lap")
    assert lines(ui).count(first.id) == 2  # at the head of the list, and read


def test_words_that_no_article_has_say_so(ui: Ui) -> None:
    at_rules(ui, rulebook="competition", search="zzzz")
    assert ui.sees("No article has these words.")
    ui.audit()


def test_the_search_is_remembered_when_the_screen_is_come_back_to(ui: Ui) -> None:
    ui.tap("Rules")
    ui.write("Search", "pit", done=False)
    ui.app.go("settings")
    ui.calm()
    assert not ui.offers("space")
    ui.back()
    assert "pit" in lines(ui)


def test_a_line_is_read_from_its_beginning_and_written_on_at_its_end(ui: Ui) -> None:
    ui.tap("Rules")
    ui.write("Search", "m" * 20, done=False)
    assert search(ui).widget.scroll_x > 0
    ui.tap("Done")
    assert search(ui).widget.scroll_x == 0


def test_going_back_closes_the_keyboard_first(ui: Ui) -> None:
    ui.tap("Rules")
    ui.write("Search", "p", done=False)
    ui.app.press("undo")  # deletes the letter first
    ui.calm()
    assert ui.offers("Done")
    for _ in range(2):
        assert ui.sees("Print", "Compare")
        ui.app.press("undo")
        ui.calm()
        assert not ui.offers("Done")
    assert ui.sees("Begin a race?")


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
        assert getattr(SettingsFile(ui.folder).now, name) == value
    assert not ui.is_chosen("Dark")
    assert theme.still
    assert ui.app.speaker.level == "clock"
    ui.tap(icon="plus", beside="Shot clock")
    assert ui.sees("5 s")
    assert SettingsFile(ui.folder).now.shot_clock == 5
    for _ in range(2):
        ui.tap(icon="minus", beside="Shot clock")
    assert ui.sees("none")
    assert SettingsFile(ui.folder).now.shot_clock == 0
    for figure, icon, name, end in (
        ("Brightness", "minus", "brightness", 10), ("Volume", "plus", "volume", 100),
        ("Screen dims after", "plus", "dim_minutes", 55), ("Screen sleeps after", "plus", "sleep_minutes", 55),
    ):  # fmt: skip
        for _ in range(11):
            ui.tap(icon=icon, beside=figure)
        assert getattr(SettingsFile(ui.folder).now, name) == end


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
        assert SettingsFile(ui.folder).now.rotation == 180
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
                         ("Hall", "Race control’s code?"), ("Deleted races", "Deleted races")):  # fmt: skip
        ui.tap(label)
        ui.wait_for(title)
        ui.app.back()
        ui.calm()


# -- touch check


def test_each_corner_says_how_far_off_it_was_touched(app: CompanionApp, rig: Rig) -> None:
    opened(app, rig, "touch")
    rig.tap(52, 52)
    rig.tap(800 - 52, 52 + 10)
    ui = Ui.over(rig, app)
    assert [text for text in lines(ui) if text.startswith("±")] == ["± 0 dp", "± 10 dp"]
    assert ui.sees("Touch the four corners")
    rig.tap(52, 480 - 52)
    rig.tap(800 - 52, 480 - 52)
    assert ui.sees("All four corners answer")


def test_a_finger_draws_where_no_corner_is(ui: Ui, rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(touch_check, "POINTS", 10)
    ui.tap("Settings")
    ui.tap("Touch check")
    drawn = theme.hex("info")
    rig.drag((200, 200), (500, 300), steps=8)
    assert rig.colour(350, 250) == rig.colour(499, 300) == drawn
    rig.drag((200, 300), (250, 300), steps=8)
    assert rig.colour(350, 250) == drawn
    rig.tap(400, 200)  # there are enough: it begins with a clean sheet
    assert rig.colour(350, 250) != drawn


# -- status


def test_status_says_where_and_how_the_races_are_kept(rig: Rig, tmp_path: Path) -> None:
    folder = tmp_path / ("too-long-for-one-line-" * 2)
    folder.mkdir(parents=True)
    demo_race(folder, 20).close()
    made = CompanionApp(folder, SettingsFile(folder))
    made.open()
    try:
        opened(made, rig, "status")
        read(made, rig)
        ui = Ui.over(rig, made)
        for wanted in ("races.db", " kB", "Sound", "GB", "800 × 480", VERSION):
            assert ui.sees(wanted), wanted
        ui.audit()
    finally:
        made.close()


def test_a_file_that_is_damaged_is_told(ui: Ui) -> None:
    ui.app.go("status")
    ui.calm()
    (ui.folder / "races.db").write_bytes(b"no database" * 1000)
    ui.tap("Check again")
    ui.wait_for("is damaged or no database; companion races salvage brings back what is sound")
    ui.audit()


def test_a_raspberry_pi_that_draws_without_its_chip_is_warned(
    app: CompanionApp, rig: Rig, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    on_machine(MadeUp(tmp_path / "pi"), monkeypatch)
    ui = Ui.over(rig, app)
    for renderer, is_slow in ((b"V3D 4.2", False), (b"llvmpipe (LLVM 15.0.6, 256 bits)", True)):
        monkeypatch.setattr(status, "glGetString", lambda _, renderer=renderer: renderer)
        opened(app, rig, "status")
        read(app, rig)
        assert ui.sees("The graphics chip is not used") == is_slow
    ui.audit()


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
            said = ["hardware", "check", "--data", tmp_path, "--root", pi.root, "--lang", lang]
            told = CliRunner().invoke(companion, [str(word) for word in said], env={"COLUMNS": "400"}).output
            ui.wait_for(*(finding[20:] for finding in told.splitlines()[:5]))
            ui.audit_both()
            while ui.scroll():
                ui.audit_both()
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


def screens() -> list[Screen]:
    """Return every screen that something still holds."""
    gc.collect()
    return [one for one in gc.get_objects() if issubclass(type(one), Screen)]


def test_a_screen_that_was_left_hears_of_nothing_any_more(app: CompanionApp, rig: Rig) -> None:
    """Screens are thrown away when they are left; whatever still held one would draw it again and again."""
    before = screens()
    for name in ("rules", "settings", "status", "touch"):
        opened(app, rig, name)
    app.home()
    rig.settle(10)
    rig.wait(0.6)  # a list that was just filled is held by its bar for half a second
    Clock.tick()
    assert [type(one) for one in screens() if not any(one is was for was in before)] == [HomeScreen]
