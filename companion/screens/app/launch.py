"""The way into the touchscreen: all that Kivy reads when it is imported is settled here first.

Three ways to draw: on a panel without a desktop (KMS/DRM), in a window of a desktop, and off screen for tests and
pictures. Kivy keeps no files of its own, reads no arguments and writes no log in any of them.
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
    from companion.screens.app.beside import Beside

Display = Literal["panel", "window", "offscreen"]

log = logging.getLogger(__name__)

LOG: Final = "companion.log"
OURS: Final = ("companion", "hardware")
"""The beginnings of the names under which the program itself tells something."""

SHADERS: Final = "shaders"
"""Where in the data folder Mesa keeps the programs of the picture that it has compiled: without them every start would
take three times as long to its first picture."""

FONT: Final = Path(__file__).parents[2] / "drawing/fonts/BarlowSemiCondensed-700.ttf"
"""What the first word is written in; to ask the room of drawing would take as long as the window."""

CARDS: Final = Path("/dev/dri")
"""Where the graphics cards are opened."""
ON_DISPLAY: Final = 0x2FFF0000
"""The place of a window that SDL puts on the first of its displays, SDL_WINDOWPOS_CENTERED; the next ones follow."""
CARD: Final = "SDL_KMSDRM_DEVICE_INDEX"
"""By what SDL is told on which card of that folder to draw, by its number."""

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
    """Return what the program draws on, as the environment has it."""
    if driver := os.environ.get("SDL_VIDEODRIVER"):
        return {"offscreen": "offscreen", "kmsdrm": "panel"}.get(driver, "window")  # type: ignore[return-value]
    return "window" if sys.platform != "linux" or os.environ.get("DISPLAY") else "panel"


def choose_screen(wanted: str = "") -> int:
    """Have SDL draw on the card with the connector named `wanted`, else with the panel's, then with HDMI; return which
    of its displays that is. Raises NoDisplay, and says what to do. A card that the environment names stays."""
    told = os.environ.get(CARD)
    found = [one for one in connectors.find_connectors() if told in (None, str(one.card))]
    log.info("connectors: %s", connectors.describe_connectors(found) or "none")
    screen = connectors.choose_connector(found, wanted)
    if screen is None and found:
        raise NoDisplay(
            f"No screen is connected ({connectors.describe_connectors(found)}); look at both ends of its ribbon or "
            "cable and switch it on, or referee at the terminal with companion race."
        )
    card = CARDS / screen.device if screen is not None else None
    if screen is None or card is None or not card.exists():
        raise NoDisplay(
            "There is no display here; referee at the terminal with companion race, or draw pictures of the screens "
            "with companion screenshots DIR."
        )
    if not os.access(card, os.R_OK | os.W_OK):
        if not group_of(card):
            raise NoDisplay(
                f"The display {card} still belongs to root alone; try again in a moment, when the system has given it "
                "to its group, or referee at the terminal with companion race."
            )
        raise NoDisplay(
            f"The display {card} may not be opened by this user; add the user to the groups video, render and input, "
            "or referee at the terminal with companion race."
        )
    os.environ[CARD] = str(screen.card)
    if wanted not in ("", screen.name):
        log.warning("no screen is connected to %s: drawing on %s", wanted, screen.name)
    return [one for one in found if one.is_connected and one.card == screen.card].index(screen)


def group_of(card: Path) -> int:
    """Return the group of a card's device; 0, root's own, until the system has given it away."""
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
    """Settles what Kivy reads when it is imported: the video driver, the window of `size` pixels on the `nth` display,
    the input devices, and the folder where Mesa keeps what it has compiled; without one it keeps nothing."""
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
    asks_language: bool = False,
) -> None:
    """Opens the app, with what `beside` makes to stand beside its screen, and stays until it is closed. With
    `asks_language` nobody has named a language yet, and the table is asked. Raises NoDisplay."""
    from companion.screens.app.settings import Kept

    where = display()
    keep_log(folder)
    kept = Kept(folder)
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
