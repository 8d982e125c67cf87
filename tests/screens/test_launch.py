"""The way into the touchscreen: the display it finds, what Kivy is told before it is imported, the program itself."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import signal
import struct
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from companion.screens.app import connectors, devices, launch
from companion.screens.app.launch import NoDisplay, choose_screen, display, keep_log
from companion.wording import Words

BARE = {
    name: value
    for name, value in os.environ.items()
    if not name.startswith(("KIVY_", "KCFG_", "SDL_")) and name not in ("DISPLAY", "WAYLAND_DISPLAY")
}
"""The environment of a machine on which nobody has said anything about displays."""


def python(code: str, tmp_path: Path, **env: str) -> str:
    """Run a program on such a machine, in an empty home; return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**BARE, "HOME": str(tmp_path), **env}, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("env", "found"),
    [
        ({"SDL_VIDEODRIVER": "offscreen", "DISPLAY": ":0"}, "offscreen"),
        ({"SDL_VIDEODRIVER": "kmsdrm"}, "panel"),
        ({"SDL_VIDEODRIVER": "x11"}, "window"),
        ({"DISPLAY": ":0"}, "window"),
        ({}, "panel"),
    ],
)
def test_the_display_that_is_there(env: dict[str, str], found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SDL_VIDEODRIVER", "DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert display() == found


def with_a_screen(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """A machine with one connector, and a screen there."""
    (folder / "card0-DSI-1").mkdir()
    (folder / "card0-DSI-1/status").write_text("connected\n")
    (folder / "card0-DSI-1/connector_id").write_text("33\n")
    (folder / "card0").touch()
    monkeypatch.setattr(connectors, "SYSTEM", folder)
    monkeypatch.setattr(launch, "CARDS", folder)
    monkeypatch.delenv(launch.CARD, raising=False)


def test_without_a_display_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(connectors, "SYSTEM", tmp_path)
    with pytest.raises(NoDisplay, match=r"^There is no display here; .*companion race.*companion screenshots DIR\.$"):
        choose_screen()


@pytest.mark.parametrize(
    ("group", "advice"), [(44, "add the user to the groups video, render and input"), (0, "try again in a moment")]
)
def test_a_card_that_may_not_be_opened_says_what_would_help(
    group: int, advice: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One that is not yet given to its group is opened a moment later, whatever groups the user is in."""
    with_a_screen(monkeypatch, tmp_path)
    monkeypatch.setattr(launch.os, "access", lambda *_: False)
    monkeypatch.setattr(launch, "group_of", lambda _: group)
    with pytest.raises(NoDisplay, match=advice) as wrong:
        choose_screen()
    assert Words("fr").error(wrong.value).startswith("L’écran ")


def test_the_command_without_a_display_is_one_sentence() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "companion.commands.main", "--lang", "fr"],
        env=BARE, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "companion --lang fr race" in done.stderr


@pytest.mark.parametrize("size", ["800", "800x", "axb", "10x10", "99999x480"])
def test_a_size_that_is_none_is_refused(size: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "companion.commands.main", "--size", size],
        env=BARE, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "such as 1280x720" in done.stderr


KIOSK = """
    from companion.screens.app.launch import prepare
    prepare("{where}", size=(1280, 720), rotation=90)
    from kivy.config import Config
    graphics = {{key: Config.get("graphics", key) for key in
        ("fullscreen", "show_cursor", "multisamples", "maxfps", "rotation", "allow_screensaver", "width", "height")}}
    print(graphics, Config.items("input"), Config.get("kivy", "exit_on_escape"))
"""


def test_a_panel_is_filled_without_a_cursor(tmp_path: Path) -> None:
    said = python(KIOSK.format(where="panel"), tmp_path)
    assert said.startswith(
        "{'fullscreen': 'auto', 'show_cursor': '0', 'multisamples': '0', 'maxfps': '30', 'rotation': '90', "
        "'allow_screensaver': '0', 'width': '1280', 'height': '720'} "
    )


def test_a_window_has_its_size_its_cursor_and_its_mouse(tmp_path: Path) -> None:
    said = python(KIOSK.format(where="window"), tmp_path)
    assert "'fullscreen': '0', 'show_cursor': '1'" in said
    assert said.endswith(" [('mouse', 'mouse,disable_multitouch')] 0\n")


def test_off_screen_nothing_tells_of_touches_but_the_test(tmp_path: Path) -> None:
    assert python(KIOSK.format(where="offscreen"), tmp_path).endswith(" [] 0\n")


WIDE = struct.calcsize("l") == 8
MOUSE, LETTERS, SCREEN = "10000 0 0 0 0", "fffffffe", "260800000000003" if WIDE else "2608000 3"
"""Masks as Linux shows them: the keys of a mouse, those of a keyboard, the axes of the official seven inches."""


def machine(folder: Path, **devices: dict[str, str]) -> tuple[Path, Path]:
    """Input devices by name, each with its masks of what it tells and of properties, as Linux shows them."""
    system, files = folder / "sys", folder / "dev"
    files.mkdir(exist_ok=True)
    for name, masks in devices.items():
        (system / name / "device/capabilities").mkdir(parents=True)
        for kind in ("abs", "rel", "key"):
            (system / name / "device/capabilities" / kind).write_text(masks.get(kind, "0") + "\n")
        (system / name / "device/properties").write_text(masks.get("is", "0") + "\n")
        (files / name).touch()
    return system, files


def test_a_touchscreen_a_mouse_and_a_keyboard_are_known_by_what_they_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system, files = machine(
        tmp_path,
        event0={"key": LETTERS},
        event1={"abs": SCREEN, "is": "2"},
        event2={"abs": SCREEN, "is": "5", "key": MOUSE if WIDE else "0"},  # the pad of a laptop
        event3={"abs": "3", "is": "2"},  # a screen that knows one finger only
        event4={"abs": "", "is": ""},
        event6={"rel": "3", "key": MOUSE if WIDE else "10000 0 0 0 0 0 0 0 0"},
        event7={"rel": "3", "key": "100000", "is": "20"},  # a television behind HDMI
        event8={"key": "10000000000000 0" if WIDE else "100000 0 0 0"},  # a power button
    )
    (system / "event5").mkdir()
    names = {Path(path).name: hand for path, hand in devices.plugged(system, files).items()}
    told = {"event0": "keyboard", "event1": "touchscreen", "event3": "one finger", "event6": "mouse"}
    assert names == (told | {"event2": "mouse"} if WIDE else told)
    monkeypatch.setattr(devices.os, "access", lambda path, _: path.name != "event1")
    assert "event1" not in {Path(path).name for path in devices.plugged(system, files)}, "not yet given to its group"


@pytest.mark.parametrize(
    ("where", "there", "mouse_of_fingers"),
    [
        ("panel", "touchscreen", "0"),
        ("panel", "one finger", "1"),
        ("window", "touchscreen", "1"),
    ],
)
def test_each_finger_is_told_of_once(
    where: launch.Display, there: devices.Hand, mouse_of_fingers: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "plugged", lambda: {"/dev/input/event1": there})
    monkeypatch.setenv("SDL_TOUCH_MOUSE_EVENTS", "")
    assert launch.hands(where) == {"mouse": "mouse,disable_multitouch"}
    assert os.environ["SDL_TOUCH_MOUSE_EVENTS"] == mouse_of_fingers


def test_one_press_is_one_event_and_nothing_is_left_in_the_home(tmp_path: Path) -> None:
    """A finger comes from SDL twice, as a finger and as the mouse that SDL makes of it; Kivy must hear one."""
    said = python(
        """
        import ctypes, glob, os
        from companion.screens.app.launch import must_have_window, prepare
        prepare("window")
        must_have_window()
        import kivy
        from kivy.base import runTouchApp, stopTouchApp
        from kivy.clock import Clock
        from kivy.uix.widget import Widget

        here = os.path.join(os.path.dirname(kivy.__file__), "..", "Kivy.libs", "libSDL2-2*")
        sdl = ctypes.CDLL(glob.glob(here)[0])
        heard = []

        class Heard(Widget):
            def on_touch_down(self, touch):
                heard.append(touch.device)

        class Finger(ctypes.Structure):
            _fields_ = [("type", ctypes.c_uint32), ("time", ctypes.c_uint32), ("touch", ctypes.c_int64),
                ("finger", ctypes.c_int64), ("x", ctypes.c_float), ("y", ctypes.c_float), ("dx", ctypes.c_float),
                ("dy", ctypes.c_float), ("pressure", ctypes.c_float), ("window", ctypes.c_uint32),
                ("rest", ctypes.c_uint8 * 8)]

        class Mouse(ctypes.Structure):
            _fields_ = [("type", ctypes.c_uint32), ("time", ctypes.c_uint32), ("window", ctypes.c_uint32),
                ("which", ctypes.c_uint32), ("button", ctypes.c_uint8), ("state", ctypes.c_uint8),
                ("clicks", ctypes.c_uint8), ("padding", ctypes.c_uint8), ("x", ctypes.c_int32), ("y", ctypes.c_int32),
                ("rest", ctypes.c_uint8 * 28)]

        def press(_):
            for finger, mouse in ((0x700, 0x401), (0x701, 0x402)):
                for event in (
                    Finger(type=finger, touch=1, finger=1, x=0.5, y=0.5, pressure=1.0, window=1),
                    Mouse(type=mouse, which=0xFFFFFFFF, window=1, button=1, state=mouse == 0x401, x=400, y=240),
                ):
                    assert sdl.SDL_PushEvent(ctypes.byref(event)) == 1

        def frame(_, count=[0]):
            count[0] += 1
            if count[0] == 10:
                press(_)
            elif count[0] == 40:
                stopTouchApp()

        Clock.schedule_interval(frame, 0)
        runTouchApp(Heard())
        print(heard)
        """,
        tmp_path,
        SDL_VIDEODRIVER="offscreen",
    )
    assert said.strip() == "['mouse']"
    assert list(tmp_path.iterdir()) == []


def test_a_first_picture_is_there_before_the_app_is_even_read(tmp_path: Path) -> None:
    said = python(
        """
        import sys
        from pathlib import Path
        from companion.screens.app import launch

        real, seen = launch.must_have_window, []

        def opened():
            real()
            from kivy.base import stopTouchApp
            from kivy.clock import Clock
            from kivy.core.window import Window
            from kivy.graphics.opengl import GL_RGB, GL_UNSIGNED_BYTE, glReadPixels

            def flip(*_):
                read = {"companion.screens.app.app", "hardware.parts"} & set(sys.modules)
                wide, high = Window.size
                seen.append((sorted(read), max(glReadPixels(0, high // 2, wide, 1, GL_RGB, GL_UNSIGNED_BYTE)) > 200))
                Clock.schedule_once(lambda _: stopTouchApp())

            Window.bind(on_flip=flip)

        launch.must_have_window = opened
        launch.run(Path.home() / "data", "en")
        print(seen[0])
        """,
        tmp_path,
        SDL_VIDEODRIVER="offscreen",
    )
    assert said.strip() == "([], True)", "a word, and nothing of the app"


def test_the_app_opens_stays_and_ends_when_it_is_told_to(tmp_path: Path) -> None:
    data, home = tmp_path / "data", tmp_path / "home"
    home.mkdir()
    env = {**BARE, "HOME": str(home), "SDL_VIDEODRIVER": "offscreen"}
    started = subprocess.Popen(
        [sys.executable, "-m", "companion.commands.main", "--data", str(data), "--size", "1280x720"],
        env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    log = data / "companion.log"
    end = time.monotonic() + 60
    while not (log.exists() and "is open" in log.read_text()) and time.monotonic() < end and started.poll() is None:
        time.sleep(0.05)
    time.sleep(0.3)
    assert started.poll() is None, started.communicate()
    started.send_signal(signal.SIGTERM)
    out, err = started.communicate(timeout=60)
    assert (started.returncode, out, err) == (0, "", "")
    assert re.search(r"the touchscreen is open, with 1280 by 720 pixels\n", log.read_text())
    assert list(home.iterdir()) == []


def test_the_log_is_kept_in_the_data_folder_and_a_folder_that_takes_none_has_none(tmp_path: Path) -> None:
    root = logging.getLogger()
    before = list(root.handlers)
    try:
        (tmp_path / "file").write_text("")
        keep_log(tmp_path / "file")
        assert root.handlers == before
        keep_log(tmp_path / "data")
        logging.getLogger("companion.tests").error("this failed")
        log = tmp_path / "data" / "companion.log"
        assert log.read_text().endswith("ERROR companion.tests: this failed\n")
        port = logging.getLogger("hardware.port")
        for wrong in ("gone", "gone", "busy"):
            port.info("the port: %s", wrong)
        logging.getLogger("somebody.else").info("of no interest")
        said = [line.partition("INFO ")[2] for line in log.read_text().splitlines()[1:]]
        assert said == ["hardware.port: the port: gone", "hardware.port: the port: busy"]
        for turn in range(9000):
            port.info("this is said for the %d. time, and is a line of some eighty letters", turn)
        files = sorted(tmp_path.glob("data/companion.log*"))
        assert [file.name for file in files] == ["companion.log", "companion.log.1"]
        assert all(file.stat().st_size <= 1 << 18 for file in files)
    finally:
        for handler in set(root.handlers) - set(before):
            root.removeHandler(handler)
            handler.close()


def test_a_log_that_the_disk_does_not_take_says_nothing_elsewhere(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    root = logging.getLogger()
    before = list(root.handlers)
    (tmp_path / "companion.log").symlink_to("/dev/full")
    try:
        keep_log(tmp_path)
        logging.getLogger("companion.tests").error("this failed")
        assert len(root.handlers) == len(before) + 1
        assert "Traceback" not in capfd.readouterr().err
    finally:
        for handler in set(root.handlers) - set(before):
            root.removeHandler(handler)
            with contextlib.suppress(OSError):
                handler.close()
