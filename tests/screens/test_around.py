"""Rules, settings, status and touch check, by real touches; and every screen around the race audited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kivy.clock import Clock
from kivy.core.window import Window

from companion import articles
from companion.articles import OpenQuestion
from companion.screens.app.app import CompanionApp
from companion.screens.app.pictures import demo_race
from companion.screens.app.settings import Kept
from companion.screens.pages import status
from companion.screens.widgets.dock import dock
from companion.screens.widgets.theme import theme
from companion.wording import LANGUAGES, Words
from tests.screens.audit import audit, in_both_looks
from tests.screens.panels import PANELS
from tests.screens.rig import Rig
from tests.screens.test_app import names, read, texts


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
    screen = opened(app, rig, "rules")
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
    screen = opened(app, rig, "rules")
    rig.tap(150, 480 - screen._rows.top + 52 * 2 + 20)
    third = list(articles.load("competition"))[2]
    assert screen.given["article"] == third.id
    assert third.title("en") in [mark.text for mark in screen._page.marks]


def test_an_open_question_says_how_it_is_ruled_and_what_the_table_may_say(app: CompanionApp, rig: Rig) -> None:
    entry = next(e for e in articles.load("competition") if isinstance(e, OpenQuestion) and e.switch)
    screen = opened(app, rig, "rules", article=entry.id)
    read = " ".join(mark.text for mark in screen._page.marks)
    assert "Or, if the table says so: " in read
    assert read.endswith("Left open")


def test_articles_are_searched_with_the_keyboard_on_the_screen(app: CompanionApp, rig: Rig) -> None:
    screen = opened(app, rig, "rules")
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


@pytest.mark.parametrize("rulebook", articles.rulebooks())
def test_every_number_in_the_list_is_whole(app: CompanionApp, rig: Rig, rulebook: str) -> None:
    screen = opened(app, rig, "rules", rulebook=rulebook)
    ids = [entry.id for entry in articles.load(rulebook)]
    longest = max(ids, key=len)
    screen._rows.reveal(ids.index(longest))
    rig.settle(6)
    assert longest in texts(app)
    assert audit(app.stage) == []


def test_what_is_found_is_shown_from_its_beginning(app: CompanionApp, rig: Rig) -> None:
    screen = opened(app, rig, "rules", article=list(articles.load("competition"))[200].id)
    assert 0 < screen._rows.scroll_y < 1
    screen._search.line.text = "slipstream"
    rig.settle(6)
    first = screen._rows.shown[0]
    assert first.chosen
    assert screen._rows.scroll_y == 1


def test_words_that_no_article_has_say_so(app: CompanionApp, rig: Rig) -> None:
    opened(app, rig, "rules", search="zzzz")
    assert "No article has these words." in texts(app)
    assert audit(app.stage) == []


def test_the_search_is_remembered_when_the_screen_is_come_back_to(app: CompanionApp, rig: Rig) -> None:
    rig.tap(opened(app, rig, "rules")._search)
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
    line = opened(app, rig, "rules", search=words)._search.line
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
    rig.tap(opened(app, rig, "rules")._search)
    app.back()
    assert dock().parent is None
    assert names(app) == ["home", "rules"]
    app.back()
    assert names(app) == ["home"]


# -- settings


def test_every_setting_is_chosen_by_touch_and_kept(app: CompanionApp, rig: Rig, tmp_path: Path) -> None:
    screen = opened(app, rig, "settings")
    for key in (
        ("theme", "daylight"), ("sound", "clock"), ("prices", "after"), ("reduced_motion", True),
    ):  # fmt: skip
        rig.tap(screen.keys[key])
        assert screen.keys[key].face.chosen
        assert getattr(Kept(tmp_path / "data").now, key[0]) == key[1]
    assert theme.still
    assert app.speaker.level == "clock"
    rig.tap(screen.more)
    assert app.kept.now.shot_clock == 5
    assert "5 s" in texts(app)
    for _ in range(2):
        rig.tap(screen.less)
    assert app.kept.now.shot_clock == 0
    assert "none" in texts(app)


def test_the_picture_is_turned_at_once(app: CompanionApp, rig: Rig, tmp_path: Path) -> None:
    screen = opened(app, rig, "settings")
    upright = rig.pixels()
    try:
        rig.tap(screen.keys["rotation", 180])
        assert Kept(tmp_path / "data").now.rotation == 180
        assert (Window.rotation, Window.size) == (180, (800, 480))
        turned = rig.pixels()
        app.choose(rotation=90)
        rig.settle(10)
        assert (Window.width, Window.height) == (480, 800)
        assert theme.scale == 0.6
    finally:
        app.choose(rotation=0)
        rig.settle(10)
    assert upright != turned
    assert theme.scale == 1.0


def test_touch_check_and_status_are_reached_from_the_settings(app: CompanionApp, rig: Rig) -> None:
    screen = opened(app, rig, "settings")
    rig.tap(screen.ways["touch"])
    assert names(app) == ["home", "settings", "touch"]
    app.back()
    rig.wait(0.35)
    rig.tap(app.screen.ways["status"])  # type: ignore[union-attr]
    assert names(app) == ["home", "settings", "status"]


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
        for wanted in ("races.db", " kB", "sound", "GB", "800 × 480", "0.1.0"):
            assert wanted in said, wanted
        assert audit(made.stage) == []
    finally:
        made.close()


def test_a_file_that_is_damaged_is_told(app: CompanionApp, rig: Rig) -> None:
    screen = opened(app, rig, "status")
    (app.folder).mkdir(exist_ok=True)
    (app.folder / "races.db").write_bytes(b"no database" * 1000)
    rig.tap(screen._check)
    read(app, rig)
    assert "is damaged or no database (file is not a database); go on from a copy of it." in " ".join(texts(app))
    assert audit(app.stage) == []


def test_a_raspberry_pi_that_draws_without_its_chip_is_warned(
    app: CompanionApp, rig: Rig, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "model").write_text("Raspberry Pi 4 Model B Rev 1.5\0")
    assert not status.drawn_slowly("llvmpipe (LLVM 15.0.6, 256 bits)")
    monkeypatch.setattr(status, "MODEL", tmp_path / "model")
    assert status.drawn_slowly("llvmpipe (LLVM 15.0.6, 256 bits)")
    assert not status.drawn_slowly("V3D 4.2")
    monkeypatch.setattr(status, "glGetString", lambda _: b"llvmpipe (LLVM 15.0.6, 256 bits)")
    opened(app, rig, "status")
    assert any(said.startswith("The graphics chip is not used") for said in texts(app))
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
    assert [status.size(count, Words(lang)) for lang in ("en", "fr")] == [said, in_french]


# -- all of them


@pytest.mark.parametrize("size", [size for size, _ in PANELS], ids=["7-inch", "display-2"])
def test_every_screen_passes_the_audit(rig: Rig, tmp_path: Path, size: tuple[int, int]) -> None:
    made = CompanionApp(tmp_path, Kept(tmp_path))
    made.open()
    try:
        Window.size = size
        rig.settle(10)
        wrong = []
        for name in ("home", "rules", "settings", "status", "touch", "trouble"):
            made.home()
            if name != "home":
                made.go(name)
            for lang in LANGUAGES:
                made.choose(language=lang)
                rig.wait(0.2)
                wrong += [f"{name}, {lang}, {sentence}" for sentence in in_both_looks(made.stage)]
        assert wrong == []
    finally:
        made.close()


def test_a_screen_that_was_left_hears_of_nothing_any_more(app: CompanionApp, rig: Rig) -> None:
    """Screens are thrown away when they are left; whatever still held one would draw it again and again."""
    import gc
    import weakref

    left = [weakref.ref(opened(app, rig, name)) for name in ("rules", "settings", "status", "touch")]
    app.home()
    rig.settle(10)
    Clock.tick()
    gc.collect()
    assert [screen() for screen in left] == [None] * 4
