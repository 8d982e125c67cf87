"""The way into the touchscreen: all that Kivy reads when it is imported is settled here first.

Three ways to draw: on a panel without a desktop (KMS/DRM), in a window of a desktop, and off screen for tests and
pictures. Kivy keeps no files of its own, reads no arguments and writes no log in any of them.
"""

from __future__ import annotations

import glob
import importlib
import logging
import logging.handlers
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from companion.rules.conversation.errors import CompanionError
from companion.screens.app import devices
from companion.whole_file import to_owner

if TYPE_CHECKING:
    from companion.screens.app.beside import Beside

Display = Literal["panel", "window", "offscreen"]

LOG: Final = "companion.log"
OURS: Final = ("companion", "hardware")
"""The beginnings of the names under which the program itself tells something."""

SHADERS: Final = "shaders"
"""Where in the data folder Mesa keeps the programs of the picture that it has compiled: without them every start would
take three times as long to its first picture."""

FONT: Final = Path(__file__).parents[2] / "drawing/fonts/BarlowSemiCondensed-700.ttf"
"""What the first word is written in; to ask the room of drawing would take as long as the window."""

FRAMES: Final = 30
"""Pictures a second at most: smooth for a panel, and half the work of sixty."""

_QUIET: Final = {
    "KIVY_NO_ARGS": "1",
    "KIVY_NO_CONFIG": "1",
    "KIVY_NO_FILELOG": "1",
    "KIVY_NO_CONSOLELOG": "1",
    "KIVY_LOG_MODE": "PYTHON",
    "KIVY_WINDOW": "sdl2",
    "KIVY_TEXT": "sdl2",
    "KIVY_IMAGE": "sdl2",
    "KIVY_AUDIO": "sdl2",
    "KIVY_CLIPBOARD": "sdl2",
    "KIVY_GL_BACKEND": "sdl2",
}


class NoDisplay(CompanionError):
    """There is nothing to draw on."""


def display() -> Display:
    """What there is to draw on; raises NoDisplay, and says what to do."""
    if driver := os.environ.get("SDL_VIDEODRIVER"):
        return {"offscreen": "offscreen", "kmsdrm": "panel"}.get(driver, "window")  # type: ignore[return-value]
    if sys.platform != "linux" or os.environ.get("DISPLAY"):
        return "window"
    cards = glob.glob("/dev/dri/card*")
    if any(os.access(card, os.R_OK | os.W_OK) for card in cards):
        return "panel"
    if cards and not os.stat(cards[0]).st_gid:
        raise NoDisplay(
            f"The display {cards[0]} still belongs to root alone; try again in a moment, when the system has given it "
            "to its group, or referee at the terminal with companion race."
        )
    if cards:
        raise NoDisplay(
            f"The display {cards[0]} may not be opened by this user; add the user to the groups video, render and "
            "input, or referee at the terminal with companion race."
        )
    raise NoDisplay(
        "There is no display here; referee at the terminal with companion race, or draw pictures of the screens with "
        "companion screenshots DIR."
    )


def prepare(
    where: Display,
    *,
    size: tuple[int, int] = (800, 480),
    fullscreen: bool = False,
    rotation: int = 0,
    shaders: Path | None = None,
) -> None:
    """Settles what Kivy reads when it is imported: the video driver, the window of `size` pixels, the input devices,
    and the folder where Mesa keeps what it has compiled; without one it keeps nothing."""
    os.environ.update(_QUIET)
    os.environ["MESA_SHADER_CACHE_DISABLE"] = "true" if shaders is None else "false"
    if shaders is not None:
        os.environ["MESA_SHADER_CACHE_DIR"] = str(shaders)  # else in the home
    if where != "window":
        os.environ["SDL_VIDEODRIVER"] = {"panel": "kmsdrm", "offscreen": "offscreen"}[where]
    os.environ["KIVY_METRICS_FONTSCALE"] = "1"

    logging.getLogger("kivy").addHandler(logging.NullHandler())  # else what no log takes comes out on the terminal
    import kivy
    from kivy.config import Config

    kivy.kivy_options["cutbuffer"] = ()  # it would start two programs to see whether they are there
    styles, kivy.kivy_data_dir = kivy.kivy_data_dir, str(Path(__file__).parent)  # its style.kv is ours
    importlib.import_module("kivy.lang.builder")
    kivy.kivy_data_dir = styles
    filling = fullscreen or where == "panel"
    width, height = size
    for key, value in {
        "width": width,
        "height": height,
        "minimum_width": 400,
        "minimum_height": 240,
        "fullscreen": "auto" if filling else "0",
        "borderless": 0,
        "resizable": 1,
        "show_cursor": int(where == "window"),
        "multisamples": 0,
        "maxfps": FRAMES,
        "vsync": 1 if where == "panel" else 0,
        "rotation": rotation,
        "allow_screensaver": 0,
    }.items():
        Config.set("graphics", key, value)
    Config.set("kivy", "exit_on_escape", 0)
    Config.set("kivy", "keyboard_mode", "system")
    for device in list(Config.options("input")):
        Config.remove_option("input", device)
    if where != "offscreen":
        for device, settled in hands(where).items():
            Config.set("input", device, settled)


def hands(where: Display) -> dict[str, str]:
    """What tells of touches, for Kivy's [input]: one thing only for each finger, so that one press is one event.

    Kivy hears no fingers from SDL on Linux. On a panel each touchscreen that comes is read by itself, all ten fingers
    (`plugged.py`), and SDL must not make a mouse of them; without such a screen, and in a window, SDL makes a mouse of
    the first finger.
    """
    read = where == "panel" and "touchscreen" in devices.plugged().values()
    os.environ[devices.FINGERS_AS_MOUSE] = "0" if read else "1"
    return {"mouse": "mouse,disable_multitouch"}


def run(
    folder: Path,
    lang: str,
    *,
    size: tuple[int, int] | None = None,
    fullscreen: bool | None = None,
    beside: Callable[[], Beside] | None = None,
) -> None:
    """Opens the app, with what `beside` makes to stand beside its screen, and stays until it is closed. Raises
    NoDisplay."""
    from companion.screens.app.settings import Kept

    where = display()
    keep_log(folder)
    kept = Kept(folder)
    whole = fullscreen if fullscreen is not None else where == "panel"
    prepare(where, size=size or (800, 480), fullscreen=whole, rotation=kept.now.rotation, shaders=folder / SHADERS)
    must_have_window()
    first_picture()
    from companion.screens.app.app import CompanionApp

    CompanionApp(folder, kept, lang, beside() if beside is not None else None).run()


def keep_log(folder: Path) -> None:
    """Writes what fails, and what the program tells of itself, into `companion.log` in the data folder: two files of a
    quarter of a megabyte at most. A folder that takes no log has none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / LOG).is_fifo():
            return  # it would be waited for who reads it
        handler = logging.handlers.RotatingFileHandler(folder / LOG, maxBytes=1 << 18, backupCount=1, encoding="utf-8")
    except OSError:
        return
    to_owner(folder / LOG)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler.addFilter(_worth_keeping({}))
    handler.handleError = lambda record: None  # type: ignore[method-assign]  # else a full disk fills the terminal as well
    logging.getLogger().addHandler(handler)
    for name in OURS:
        logging.getLogger(name).setLevel(logging.INFO)


def _worth_keeping(last: dict[str, str]) -> Callable[[logging.LogRecord], bool]:
    """Keeps what is wrong, and of what the program tells of itself what it has not just told: a port that stays away is
    tried again all evening."""

    def worth(record: logging.LogRecord) -> bool:
        if record.levelno >= logging.WARNING:
            return True
        said, before = record.getMessage(), last.get(record.name)
        last[record.name] = said
        return record.name.partition(".")[0] in OURS and said != before

    return worth


def must_have_window() -> None:
    """Opens Kivy's window; raises NoDisplay if the system gives none."""
    from kivy.core.window import Window

    if Window is None:
        raise NoDisplay(
            "No window could be opened on this display; install what .ci/setup installs, or referee at the terminal "
            "with companion race."
        )


def first_picture() -> None:
    """One word on the display as soon as there is one: the app itself takes as long again to be there. The first screen
    is drawn over it."""
    from kivy.core.text import Label
    from kivy.core.window import Window
    from kivy.graphics import Canvas, Rectangle

    wide, high = Window.size
    word = Label(text="Companion", font_size=min(wide, high) // 8, font_name=str(FONT))
    word.refresh()
    shown, (w, h) = Canvas(), word.texture.size
    shown.add(Rectangle(texture=word.texture, pos=((wide - w) // 2, (high - h) // 2), size=(w, h)))
    Window.canvas.add(shown)
    Window.dispatch("on_draw")
    Window.dispatch("on_flip")
    Window.canvas.remove(shown)
