"""The app around the screens: going and going back, look and language live, one toast, and a screen that fails."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from kivy.base import EventLoop
from kivy.core.window import Window

from companion.house_rules import HouseRules, keep
from companion.rules.conversation.errors import CompanionError
from companion.screens.app import app as app_module
from companion.screens.app import failing, telling
from companion.screens.app.app import ESCAPE, SCREENS, CompanionApp, look
from companion.screens.app.settings import FILE, SettingsFile
from companion.screens.kit.confirm import Confirmation
from companion.screens.kit.theme import theme
from companion.screens.kit.toast import SECONDS
from companion.screens.pages.home import HomeScreen
from companion.view.setup.draft import first
from companion.view.setup.new_race import STEPS
from companion.view.shown import Toast
from tests.screens.faulty import GrowingScreen
from tests.screens.panels import PANELS
from tests.screens.rig import Finger, Rig
from tests.screens.test_first_page import with_drivers
from tests.screens.ui import Ui

if TYPE_CHECKING:
    from tests.screens.table import Table


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two more screens, which fail."""
    more = {"faulty": "tests.screens.faulty:FaultyScreen", "unmade": "tests.screens.faulty:UnmadeScreen"}
    monkeypatch.setattr(app_module, "SCREENS", {**app_module.SCREENS, **more})


def read(app: CompanionApp, rig: Rig) -> None:
    """Waits until the screen has what it reads in a thread."""
    Ui.over(rig, app).calm()
    rig.wait(0.3)


def names(app: CompanionApp) -> list[str]:
    return [visit.name for visit in app.visits]


def really_tap(rig: Rig, app: CompanionApp, words: str) -> None:
    """A tap that comes through the loop's own queue of events, as a device's does."""
    finger = Finger(*rig.at(*Ui.over(rig, app).where(words)))
    EventLoop.input_events += [("begin", finger), ("end", finger)]
    rig.loop()


# -- going and going back


def test_a_screen_is_gone_to_and_come_back_from(app: CompanionApp, rig: Rig) -> None:
    read(app, rig)
    for go, place, there in (
        (app.home, "", ["home"]),
        (app.go, "settings", ["home", "settings"]),
        (app.go, "status", ["home", "settings", "status"]),
        (app.instead, "touch", ["home", "settings", "touch"]),
        (app.back, "", ["home", "settings"]),
        (app.go, "rules", ["home", "settings", "rules"]),
        (app.home, "", ["home"]),
        (app.back, "", ["home"]),
    ):
        go(*filter(None, [place]))
        assert names(app) == there
    read(app, rig)
    ui = Ui.over(rig, app)
    assert ui.sees("Begin a race?")
    assert not ui.sees("Sound"), "no other screen is left behind it"


def test_the_arrow_and_the_escape_key_go_back(app: CompanionApp, rig: Rig) -> None:
    app.go("settings")
    rig.tap(28, 24)
    assert names(app) == ["home", "settings"], "the second tap of a double tap does not hit the next screen"
    rig.wait(0.3)
    rig.tap(28, 24)
    assert names(app) == ["home"]
    app.go("settings")
    assert Window.dispatch("on_keyboard", ESCAPE, 0, None, [])
    assert names(app) == ["home"]


# -- look and language


def test_language_and_look_are_switched_live_and_kept(ui: Ui, rig: Rig) -> None:
    ui.tap("Settings")
    assert ui.sees("Sound")
    for key, chosen, brightness in (("Daylight", "daylight", range(200, 256)), ("Dark", "dark", range(60))):
        ui.tap(key)
        assert theme.look == chosen
        assert tuple(Window.clearcolor) == pytest.approx(theme.rgba("bg0"))
        assert int(rig.colour(790, 470)[1:3], 16) in brightness
    ui.tap("Français")
    assert [ui.sees(said) for said in ("Son", "Sound")] == [True, False]
    assert SettingsFile(ui.folder).now.language == "fr"
    ui.back()
    assert ui.sees("Commencer une course ?")


def test_by_the_clock_it_is_light_by_day(app: CompanionApp, rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [look("auto", hour) for hour in (6, 7, 18, 19)] == ["dark", "daylight", "daylight", "dark"]
    assert look("daylight", 23) == "daylight"
    monkeypatch.setattr(app_module, "look", lambda _theme, _hour: "daylight")
    app.choose(theme="auto")
    assert theme.look == "daylight"
    monkeypatch.setattr(app_module, "look", lambda _theme, _hour: "dark")
    rig.stall(60)
    rig.settle(1)
    assert theme.look == "dark"


def test_a_window_scales_the_canvas(ui: Ui, rig: Rig) -> None:
    """The screen is as wide as the window, and in the middle of one that is higher than it is."""
    for size, scale, top, right in (
        ((1280, 720), 1.5, 0, 706), ((1000, 800), 1.25, 80, 661), ((800, 480), 1.0, 0, 661)
    ):  # fmt: skip
        Window.size = size
        rig.settle(10)
        assert theme.scale == scale
        title = next(word for word in ui.words() if word.text == "Companion")
        assert title.box.y == pytest.approx(15 + top, abs=1)
        assert max(x for x, _ in ui.places()) == pytest.approx(right, abs=2)
    ui.app.choose(density=0.5)
    rig.settle()
    assert theme.scale == 0.5


def test_broken_settings_are_told_and_the_app_opens(rig: Rig, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("theme = 7", encoding="utf-8")
    made = CompanionApp(tmp_path, SettingsFile(tmp_path), "fr")
    made.open()
    try:
        rig.settle()
        assert Ui.over(rig, made).sees("Dans settings.toml, theme est à choisir parmi dark, daylight, auto")
    finally:
        made.close()


def test_settings_that_the_disk_does_not_take_hold_all_the_same(app: CompanionApp, rig: Rig, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    app.choose(theme="daylight")
    assert theme.look == "daylight"
    Ui.over(rig, app).wait_for("The settings could not be kept: ")


def test_idle_it_draws_nothing_anew(app: CompanionApp, rig: Rig) -> None:
    """Whatever was still being read on a slow machine, it comes to rest: there is a while without a single picture."""
    read(app, rig)
    rig.draws = True
    drawn: list[object] = []
    Window.bind(on_draw=drawn.append)
    for _ in range(10):
        drawn.clear()
        rig.wait(0.6)
        if not drawn:
            break
    Window.unbind(on_draw=drawn.append)
    assert drawn == []


# -- what is told


def test_there_is_never_more_than_one_toast_and_it_goes(app: CompanionApp, rig: Rig) -> None:
    ui = Ui.over(rig, app)
    for text in ("The first", "The second"):
        app.tell(Toast(text=text))
    rig.settle()
    assert [ui.sees(text) for text in ("The first", "The second")] == [False, True]
    rig.stall(SECONDS)
    rig.settle()
    assert not ui.sees("The second")


def test_a_toast_makes_way_for_a_key_at_once_and_looks_for_no_place_without_need(
    app: CompanionApp, rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    at: list[float] = []
    app.go(GrowingScreen, at=at)
    app.tell(Toast(text="Something is told"))
    rig.settle()
    looked, look_for = [], telling.free_place
    monkeypatch.setattr(telling, "free_place", lambda *given: looked.append(1) or look_for(*given))
    rig.wait(0.3)
    assert looked == []
    ui = Ui.over(rig, app)
    toast = ui.toast_box()
    at += [toast.x + 300, toast.y, 80, 60]
    finger = rig.press(*ui.where("More"))
    finger.up()
    rig.settle(1)
    assert not ui.toast_box().meets(dict(ui.targets())["Late"])


def test_the_key_of_a_toast_is_told_to_the_screen(ui: Ui, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(HomeScreen, "act", lambda _, action: told.append(action))
    ui.app.tell(Toast(text="Written", action="log", action_label="Log"))
    ui.tap("Log")
    assert told == ["log"]
    assert not ui.sees("Written")


def test_there_is_never_more_than_one_confirmation(ui: Ui) -> None:
    done: list[str] = []

    def ask(*names: str) -> None:
        for name in names:
            ui.app.ask(Confirmation(title=f"Delete {name}?", act="Delete"), lambda name=name: done.append(name))

    ask("one", "two")
    ui.calm()
    assert not ui.sees("Delete one?")
    ui.tap("Cancel")
    assert done == []
    ask("two")
    ui.tap("Delete")
    assert done == ["two"]
    ask("three")
    ui.app.back()
    assert not ui.sees("Delete")
    assert done == ["two"]


# -- what fails


@pytest.mark.usefixtures("faults")
def test_a_screen_that_fails_is_made_anew_with_what_it_was_given(
    app: CompanionApp, rig: Rig, caplog: pytest.LogCaptureFixture
) -> None:
    app.go("faulty", race="this one")
    rig.loop()
    really_tap(rig, app, "Fail")
    assert names(app) == ["home", "faulty"]
    assert app.visits[-1].given == {"race": "this one", "made": 2}
    assert Ui.over(rig, app).sees("This screen failed and came back; the race is safe.")
    assert "the screen faulty failed" in caplog.text
    assert "a screen divides by nothing" in caplog.text


@pytest.mark.usefixtures("faults")
def test_a_screen_that_fails_again_at_once_gives_way_to_the_one_beneath(app: CompanionApp, rig: Rig) -> None:
    app.go("faulty")
    rig.loop()
    for _ in range(2):
        really_tap(rig, app, "Fail")
    assert names(app) == ["home"]
    app.go("faulty")
    app.failures.last = ("faulty", -1000.0)
    rig.loop()
    really_tap(rig, app, "Fail")
    assert names(app) == ["home", "faulty"]


@pytest.mark.usefixtures("faults")
def test_a_refusal_is_told_in_the_readers_language_and_the_screen_stays(app: CompanionApp, rig: Rig) -> None:
    app.choose(language="fr")
    app.go("faulty")
    rig.loop()
    really_tap(rig, app, "Refuse")
    assert app.visits[-1].given == {"made": 1}
    assert Ui.over(rig, app).sees("La 5e va de 11 à 20\u00a0; 9 n’est pas sur ce dé.")


@pytest.mark.usefixtures("faults")
def test_a_screen_that_cannot_be_made_is_not_gone_to(ui: Ui) -> None:
    ui.app.go("settings")
    for name in ("unmade", "nowhere"):
        ui.app.go(name)
        ui.calm()
        assert names(ui.app) == ["home", "settings"]
        assert ui.sees("Sound", "This screen failed")


def test_if_no_screen_can_be_made_the_last_one_says_so(
    app: CompanionApp, rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    ui = Ui.over(rig, app)
    with monkeypatch.context() as broken:
        broken.setattr(HomeScreen, "compose", lambda *_: 1 / 0)
        app.failures.repair()
        rig.loop()
        assert names(app) == ["trouble"]
        assert ui.sees("No screen can be shown")
    ui.tap("Try again")
    assert names(app) == ["home"]


def test_what_is_no_failure_of_a_screen_ends_the_loop(app: CompanionApp) -> None:
    assert not app.failures.caught(KeyboardInterrupt())
    assert not app.failures.caught(SystemExit())


def test_a_failing_thread_is_written_down(caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> None:
        raise CompanionError("a thread divides by nothing")

    before, threading.excepthook = threading.excepthook, failing.thread_failed
    try:
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
    finally:
        threading.excepthook = before
    assert "a thread divides by nothing" in caplog.text


VISITS: dict[str, tuple[str, dict[str, object]]] = {
    **{name: (name, {}) for name in SCREENS if name not in ("build", "new_race", "sheet")},
    **{f"sheet, {page}": ("sheet", {"page": page, "car": 1}) for page in ("car", "log", "words")},
    **{f"new race, {step}": ("new_race", {"step": step}) for step in ("first", *STEPS)},
}


@pytest.mark.parametrize("size", [size for size, _ in PANELS], ids=["7-inch", "display-2"])
def test_a_toast_covers_no_key_on_any_screen(table: Table, size: tuple[int, int]) -> None:
    Window.size = size
    wrong = []
    for name, (screen, given) in VISITS.items():
        table.app.home()
        table.app.tell(Toast(text="Something is told", icon="check", action="log", action_label="Log"))
        table.app.go(screen, **given)
        table.calm()
        table.rig.wait(0.2)
        assert table.ui.sees("Something is told")
        wrong += [f"{name}: {said}" for said in table.ui.wrong() if "toast" in said]
    assert wrong == []


@pytest.mark.parametrize("size", [size for size, _ in PANELS], ids=["7-inch", "display-2"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_long_toast_covers_no_words_of_a_race_set_up_with_ten_drivers(
    table: Table, size: tuple[int, int], language: str
) -> None:
    """Of a list of drivers it may hide the empty end of a row."""
    Window.size = size
    table.app.choose(language=language)
    told = "The program drives the car of Ada Lovelace-Byron of the Royal Automobile Club from the next round on."
    rules = {"": (), "house": (HouseRules("Thursday", "formula-d", {"leave_gear": 3}),)}
    wrong = []
    for house, kept in rules.items():
        for one in kept:
            keep(table.folder, one)
        for step in ("first", *STEPS):
            table.app.home()
            draft = with_drivers(first("competition" if step == "grid" else "formula-d"), 10)
            table.app.go("new_race", draft=draft, step=step)
            table.calm()
            table.app.tell(Toast(text=told, icon="check", action="log", action_label="Log"))
            table.rig.wait(0.2)
            wrong += [f"{house} {step}: {said}" for said in table.ui.wrong() if "toast" in said and "Row" not in said]
            table.app.hush()
    assert wrong == []
