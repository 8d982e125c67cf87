"""A panel whose touchscreen, mouse or keyboard comes late, or goes: heard from then on, and missed in words."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from kivy.base import EventLoop
from kivy.core.window import Window
from kivy.input.factory import MotionEventFactory
from kivy.input.provider import MotionEventProvider

from companion.screens.app import devices
from companion.screens.app.app import CompanionApp
from companion.screens.app.hotplug import EVERY
from companion.screens.app.settings import SettingsFile
from companion.screens.kit.theme import theme
from companion.wording import LANGUAGES
from tests.screens.rig import Finger, Rig
from tests.screens.test_app import names, read
from tests.screens.ui import Ui

TOUCH, MOUSE, KEYS = "/dev/input/event1", "/dev/input/event2", "/dev/input/event3"


class Reader(MotionEventProvider):  # type: ignore[misc]
    """Stands in for Kivy's reader of a touchscreen: hands to the loop what a finger does there."""

    made: list[Reader]

    def __init__(self, device: str, path: str) -> None:
        super().__init__(device, path)
        self.path, self.told = path, list[tuple[str, Finger]]()
        self.made.append(self)

    def start(self) -> None:
        self.device_is_there = threading.Event()
        self.thread = threading.Thread(target=self.device_is_there.wait, daemon=True)
        self.thread.start()

    def update(self, dispatch_fn: Callable[..., None]) -> None:
        while self.told:
            dispatch_fn(*self.told.pop(0))

    def tap(self, rig: Rig, widget: Any) -> None:
        finger = Finger(*widget.to_window(*widget.center))
        self.told.append(("begin", finger))
        rig.settle()
        self.told.append(("end", finger))
        rig.wait(0.5)


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, devices.Hand]]:
    """What is plugged in, on a panel."""
    found: dict[str, devices.Hand] = {}
    Reader.made = []
    monkeypatch.setenv("SDL_VIDEODRIVER", "kmsdrm")
    monkeypatch.setattr(devices, "plugged", lambda: dict(found))
    monkeypatch.setattr(MotionEventFactory, "get", staticmethod(lambda _: Reader))
    yield found
    for reader in Reader.made:
        reader.device_is_there.set()
    Window.show_cursor = True


@pytest.fixture
def opened(rig: Rig, tmp_path: Path) -> Callable[[str], CompanionApp]:
    def open_app(language: str) -> CompanionApp:
        made = CompanionApp(tmp_path, SettingsFile(tmp_path), language)
        made.open()
        read(made, rig)
        return made

    return open_app


def hint() -> bytes:
    """Return the hint of SDL about the mouse that it makes of fingers."""
    maps = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    sdl = ctypes.CDLL(next(line.split()[-1] for line in maps if "libSDL2-2" in line))
    sdl.SDL_GetHint.restype = ctypes.c_char_p
    return bytes(sdl.SDL_GetHint(b"SDL_TOUCH_MOUSE_EVENTS"))


SAID = {
    "en": ("Plugged in: touchscreen, mouse", "Gone: touchscreen. Look at its cable", "Plugged in: keyboard"),
    "fr": (
        "Branché\u00a0: écran tactile, souris",
        "Disparu\u00a0: écran tactile. Voyez le câble",
        "Branché\u00a0: clavier",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_comes_is_heard_and_what_goes_is_missed(
    rig: Rig, there: dict[str, devices.Hand], opened: Callable[[str], CompanionApp], language: str
) -> None:
    came, gone, keys = SAID[language]
    app = opened(language)
    ui = Ui.over(rig, app)
    try:
        assert Reader.made == []
        assert not Window.show_cursor, "nobody points"
        assert hint() == b"1"
        there |= {TOUCH: "touchscreen", MOUSE: "mouse"}
        rig.wait(EVERY + 0.1)
        assert ui.sees(came)
        assert Window.show_cursor
        assert hint() == b"0", "no finger is told of twice"
        (reader,) = Reader.made
        assert reader.path == TOUCH
        said = theme.words.screen("home.settings")
        settings = next(word.widget for word in ui.words() if word.text == said)
        reader.tap(rig, settings)
        assert names(app) == ["home", "settings"]

        del there[TOUCH]
        rig.wait(EVERY + 0.1)
        assert ui.sees(gone)
        assert hint() == b"1"
        assert Window.show_cursor

        there[TOUCH] = "touchscreen"  # and its reader has waited for it
        rig.wait(EVERY + 0.1)
        assert [reader] == Reader.made
        reader.device_is_there.set()
        reader.thread.join()  # it could not be opened at once
        rig.wait(EVERY + 0.1)
        assert len(Reader.made) == 2
        assert reader not in EventLoop.input_providers

        there[KEYS] = "keyboard"
        del there[MOUSE]
        rig.wait(EVERY + 0.1)
        assert not Window.show_cursor
        del there[KEYS]
        rig.wait(EVERY + 0.1)
        there[KEYS] = "keyboard"
        rig.wait(EVERY + 0.1)
        assert ui.sees(keys)
    finally:
        app.close()
    assert not set(Reader.made) & set(EventLoop.input_providers)


def test_what_is_there_from_the_beginning_is_not_told(
    rig: Rig, there: dict[str, devices.Hand], opened: Callable[[str], CompanionApp]
) -> None:
    there |= {TOUCH: "touchscreen", MOUSE: "mouse"}
    app = opened("en")
    try:
        rig.wait(EVERY + 0.1)
        assert len(Reader.made) == 1
        assert Window.show_cursor
        assert not Ui.over(rig, app).sees("Plugged in")
    finally:
        app.close()


def test_where_nothing_reads_touchscreens_the_first_finger_is_a_mouse(
    rig: Rig,
    there: dict[str, devices.Hand],
    opened: Callable[[str], CompanionApp],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(MotionEventFactory, "get", staticmethod(lambda _: None))
    there[TOUCH] = "touchscreen"
    app = opened("en")
    try:
        rig.wait(0.1)
        assert hint() == b"1"
    finally:
        app.close()
