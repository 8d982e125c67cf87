"""Status: what the program is, where the races lie, and whether the disk and the display are well."""

from __future__ import annotations

import platform
import sqlite3
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Final

import kivy
from kivy.core.window import Window
from kivy.graphics.opengl import GL_RENDERER, glGetString

from companion.screens.app.screen import Screen
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import SEMIBOLD, Pen
from companion.screens.widgets.theme import BODY, CAPTION, TONES, theme
from companion.screens.widgets.title_bar import HIGH, Title, TitleBar
from companion.sheets.place import DATABASE, kept
from companion.view.shown import Price, Shown, Tone
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

ROW: Final = 38
ENOUGH: Final = 200_000_000
"""Bytes of room on the disk under which a word of warning stands beside them."""
MODEL: Final = Path("/proc/device-tree/model")


class Health(Shown, frozen=True, kw_only=True):
    """What can be said of one thing: a value, and whether it is well."""

    name: str
    value: Price


def size(count: float, words: Words) -> str:
    """A number of bytes for people: "3.4 MB"."""
    units, place = words.screen("status.units").split(), 0
    while count >= 1000 and place < len(units) - 1:
        count /= 1000
        place += 1
    return f"{words.decimal(count, int(place > 0 and count < 10))} {units[place]}"


def drawn_slowly(renderer: str) -> bool:
    """Whether a Raspberry Pi draws without its graphics chip."""
    try:
        return "llvmpipe" in renderer and "Raspberry Pi" in MODEL.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False


def _renderer() -> str:
    return (glGetString(GL_RENDERER) or b"").decode(errors="replace")


class StatusScreen(Screen):
    """A list, and a key to look at the disk and check the database again."""

    def __init__(self, app: CompanionApp, given: Mapping[str, object]) -> None:
        super().__init__(app, given)
        self._bar = TitleBar(app.back)
        self._check = Key(on_tap=self.check)
        self._version = Key(on_tap=lambda: app.go("version"))
        self.check()

    @property
    def filled(self) -> bool:
        return self.app.disk.found is not None

    def check(self) -> None:
        """Looks at the disk, and checks the database."""
        self.app.disk.look()
        self.look_again()

    # -- what is shown

    @property
    def _slow(self) -> bool:
        return drawn_slowly(_renderer())

    def rows(self) -> list[Health]:
        """Everything there is to say, in its order."""
        folder: Path = self.app.folder
        database = folder / DATABASE
        stored = size(database.stat().st_size, theme.words) if kept(folder) else self.say("status.no_races")
        renderer, scale = _renderer(), theme.words.decimal(theme.scale, 2)
        return [
            self._health("version", f"{metadata.version('companion')} · Python {platform.python_version()}"),
            self._health("database", f"{stored} · {database}"),
            self._health("integrity", *self._integrity()),
            self._health("disk", *self.app.disk.line()),
            self._health("free", *self._free()),
            self._health("sqlite", sqlite3.sqlite_version),
            self._health("display", f"{Window.width} × {Window.height} · {scale} · Kivy {kivy.__version__}"),
            self._health("renderer", renderer, "warn" if self._slow else "plain"),
            self._health("beside", self._beside()),
        ]

    def _beside(self) -> str:
        """What stands beside the screen; without buttons why, if that is known."""
        beside = self.app.beside
        roller = beside.roller or self.say("home.die", there=False)
        buttons = self.say("home.buttons", there=beside.buttons)
        if beside.complaint is not None:
            buttons = theme.words.error(beside.complaint)
        return f"{roller} · {buttons}"

    def _health(self, name: str, value: str, tone: Tone = "plain") -> Health:
        icon = {"ok": "check", "warn": "triangle", "bad": "triangle"}.get(tone, "")
        return Health(name=self.say(f"status.{name}"), value=Price(text=value, icon=icon, tone=tone))

    def _integrity(self) -> tuple[str, Tone]:
        found = self.app.disk.found
        if found is None:
            return self.say("status.checking"), "plain"
        return (theme.words.error(found.why), "bad") if found.why is not None else (self.say("status.intact"), "ok")

    def _free(self) -> tuple[str, Tone]:
        found = self.app.disk.found
        if found is None:
            return self.say("status.checking"), "plain"
        return size(found.free, theme.words), "ok" if found.free >= ENOUGH else "bad"

    def arrange(self) -> None:
        self._bar.show(Title(text=self.say("status.title")))
        self.put(self._bar, 0, 0, self.w, HIGH)
        self._check.show(Face(label=self.say("status.check"), look="option", size=BODY))
        self.put(self._check, self.w - 252, self.h - 68, 240, 56)
        self._version.show(Face(label=self.say("version.title"), look="option", size=BODY))
        self.put(self._version, self.w - 412, self.h - 68, 152, 56)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        y = HIGH + 26.0
        for row in self.rows():
            pen.text(row.name, 24, y, BODY, "low", SEMIBOLD, room=196)
            left = 232.0
            if row.value.icon:
                pen.icon(row.value.icon, left + 10, y, 20, TONES[row.value.tone])
                left += 28
            text, ink, room = row.value.text, TONES[row.value.tone], pen.w - left - 20
            if pen.width(text, CAPTION) <= room:
                pen.text(text, left, y, BODY, ink, room=room)
            else:
                pen.paragraph(text, left, y - 9, CAPTION, room, ink)
            pen.fill(24, y + ROW / 2, pen.w - 48, 1, "line")
            y += ROW
        if self._slow:
            pen.paragraph(self.say("status.slow"), 24, pen.h - 52, CAPTION, pen.w - 470, "warn", SEMIBOLD, 2)
