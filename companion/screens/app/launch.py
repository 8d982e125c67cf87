"""Start of the touchscreen program: everything that Kivy reads on import.

There are three ways to draw: on a panel without a desktop (KMS/DRM), in a window of a desktop, and off screen for
tests and pictures. In none of them does Kivy keep files, read arguments or write a log.
"""

from __future__ import annotations

import importlib
import logging
import logging.handlers
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from companion.rules.conversation.errors import CompanionError
from companion.screens.app import connectors, devices
from companion.whole_file import to_owner

if TYPE_CHECKING:
    from companion.screens.app.table_hardware import TableHardware

Display = Literal["panel", "window", "offscreen"]

log = logging.getLogger(__name__)

LOG: Final = "companion.log"
OURS: Final = ("companion", "hardware")
"""Prefixes of the loggers that belong to the program."""

SHADERS: Final = "shaders"
"""Mesa's shader cache in the data folder; without it every start would take three times as long to its first
picture."""

FIRST_FONT: Final = Path(__file__).parents[2] / "drawing/fonts/BarlowSemiCondensed-700.ttf"
"""Font of the first word; loading it through the drawing room would take as long as the window."""

CARDS: Final = Path("/dev/dri")
"""Folder of the graphics cards' device files."""
ON_DISPLAY: Final = 0x2FFF0000
"""Window position on SDL's first display (SDL_WINDOWPOS_CENTERED); the next numbers are the next displays."""
CARD: Final = "SDL_KMSDRM_DEVICE_INDEX"
"""Hint that tells SDL which card of that folder to draw on, by its number."""

FRAMES: Final = 30
"""Maximum frames a second: smooth on a panel, for half the work of sixty."""

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
    """Raised if there is nothing to draw on."""


def display() -> Display:
    """Return the kind of display, as the environment has it."""
    if driver := os.environ.get("SDL_VIDEODRIVER"):
        return {"offscreen": "offscreen", "kmsdrm": "panel"}.get(driver, "window")  # type: ignore[return-value]
    return "window" if sys.platform != "linux" or os.environ.get("DISPLAY") else "panel"


def choose_screen(wanted: str = "") -> int:
    """Choose the display and return its number in SDL.

    SDL draws on the card with the connector named `wanted`, else with the panel's, then with HDMI; a card named in
    the environment has priority. Raises NoDisplay, which says what to do.
    """
    told = os.environ.get(CARD)
    found = [one for one in connectors.find_connectors() if told in (None, str(one.card))]
    log.info("connectors: %s", connectors.describe_connectors(found) or "none")
    screen = connectors.choose_connector(found, wanted)
    if screen is None and found:
        raise NoDisplay("no_screen", connectors=connectors.describe_connectors(found))
    card = CARDS / screen.device if screen is not None else None
    if screen is None or card is None or not card.exists():
        raise NoDisplay("no_display")
    if not os.access(card, os.R_OK | os.W_OK):
        if not group_of(card):
            raise NoDisplay("display_of_root", card=card)
        raise NoDisplay("display_groups", card=card)
    os.environ[CARD] = str(screen.card)
    if wanted not in ("", screen.name):
        log.warning("no screen is connected to %s: drawing on %s", wanted, screen.name)
    return [one for one in found if one.is_connected and one.card == screen.card].index(screen)


def group_of(card: Path) -> int:
    """Return the group of a card's device; 0 (root) until the system has assigned it."""
    return card.stat().st_gid


def prepare(
    where: Display,
    *,
    size: tuple[int, int] = (800, 480),
    fullscreen: bool = False,
    rotation: int = 0,
    shaders: Path | None = None,
    nth: int = 0,
) -> None:
    """Set what Kivy reads on import: video driver, window and input devices.

    The window has `size` pixels on the `nth` display. `shaders` is the folder of Mesa's shader cache; None turns it
    off.
    """
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
        "position": "custom" if nth else "auto",
        "left": ON_DISPLAY + nth,
        "top": ON_DISPLAY + nth,
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
    """Return Kivy's [input] section, with one source for each finger.

    One press must be one event. Kivy gets no fingers from SDL on Linux. On a panel each touchscreen is read directly,
    all ten fingers (`plugged.py`), and SDL must not emulate a mouse; without such a screen, and in a window, SDL
    makes a mouse of the first finger.
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
    beside: Callable[[], TableHardware] | None = None,
    asks_language: bool = False,
) -> None:
    """Open the app and block until it is closed; raises NoDisplay.

    `beside` makes the table hardware. `asks_language` is for a table that has not named a language yet: it is asked.
    """
    from companion.screens.app.settings import SettingsFile

    where = display()
    keep_log(folder)
    kept = SettingsFile(folder)
    nth = choose_screen(kept.now.connector) if where == "panel" else 0
    whole = fullscreen if fullscreen is not None else where == "panel"
    prepare(
        where, size=size or (800, 480), fullscreen=whole, rotation=kept.now.rotation, shaders=folder / SHADERS, nth=nth
    )
    must_have_window()
    first_picture()
    from companion.screens.app.app import CompanionApp

    parts = beside() if beside is not None else None
    CompanionApp(folder, kept, lang, parts, asks_language=asks_language).run()


def keep_log(folder: Path) -> None:
    """Log failures and the program's own messages to `companion.log` in the data folder.

    At most two files of 256 KiB. A folder that cannot be written has no log.
    """
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
    """Return a filter that keeps warnings and new messages of this program.

    A message equal to the last one of its logger is dropped: a port that stays away is tried again all evening.
    """

    def worth(record: logging.LogRecord) -> bool:
        if record.levelno >= logging.WARNING:
            return True
        said, before = record.getMessage(), last.get(record.name)
        last[record.name] = said
        return record.name.partition(".")[0] in OURS and said != before

    return worth


def must_have_window() -> None:
    """Open Kivy's window; raises NoDisplay if the system gives none."""
    from kivy.core.window import Window

    if Window is None:
        raise NoDisplay("no_window")


def first_picture() -> None:
    """Draw one word on the display at once, until the first screen is drawn.

    The app itself takes as long again to start.
    """
    from kivy.core.text import Label
    from kivy.core.window import Window
    from kivy.graphics import Canvas, Rectangle

    wide, high = Window.size
    word = Label(text="Companion", font_size=min(wide, high) // 8, font_name=str(FIRST_FONT))
    word.refresh()
    shown, (w, h) = Canvas(), word.texture.size
    shown.add(Rectangle(texture=word.texture, pos=((wide - w) // 2, (high - h) // 2), size=(w, h)))
    Window.canvas.add(shown)
    Window.dispatch("on_draw")
    Window.dispatch("on_flip")
    Window.canvas.remove(shown)
