"""Version: what is installed, package by package, and whether that is what the appliance's lock names."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.rules.compiled import compiled
from companion.screens.app.screen import Screen
from companion.screens.widgets.pen import SEMIBOLD, Pen
from companion.screens.widgets.theme import BODY, CAPTION, SMALL
from companion.screens.widgets.title_bar import HIGH, Title, TitleBar
from companion.view.shown import Shown

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

LOCK: Final = "appliance/requirements.txt"
"""Where the installer keeps, beside the program, what it was to install."""
ITSELF: Final = "companion"
ROW: Final = 24
COLUMNS: Final = 3


class Part(Shown, frozen=True, kw_only=True):
    """A package that is installed; `locked` is the version that the lock names, "" if it names none."""

    name: str
    version: str
    locked: str = ""


def name_of(prefix: Path = Path(sys.prefix)) -> str:
    """What the installer calls this version, "" where no installer made it."""
    return prefix.name if prefix.parent.name == "versions" else ""


def lock_of(prefix: Path = Path(sys.prefix)) -> dict[str, str]:
    """The versions that the installer's lock names, by package; none where no installer made this."""
    try:
        text = (prefix / LOCK).read_text(encoding="utf-8")
    except OSError:
        return {}
    return dict(re.findall(r"^([a-z0-9-]+)==([^\s;\\]+)", text, re.MULTILINE))


def parts(lock: dict[str, str]) -> list[Part]:
    """Every package that is installed but the program itself, by name."""
    found: dict[str, Part] = {}
    for one in metadata.distributions():
        name = re.sub(r"[-_.]+", "-", str(one.metadata["Name"])).lower()
        found.setdefault(name, Part(name=name, version=one.version, locked=lock.get(name, "")))
    found.pop(ITSELF, None)
    return [found[name] for name in sorted(found)]


class VersionScreen(Screen):
    """A list in columns, and above it a line on the whole."""

    def __init__(self, app: CompanionApp, given: Mapping[str, object]) -> None:
        super().__init__(app, given)
        self._bar = TitleBar(app.back)
        self._lock = lock_of()
        self._parts = parts(self._lock)

    def arrange(self) -> None:
        self._bar.show(Title(text=self.say("version.title")))
        self.put(self._bar, 0, 0, self.w, HIGH)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        rules = self.say("version.rules", compiled=compiled())
        number = f"{metadata.version(ITSELF)} · {rules} · Python {platform.python_version()}"
        made = name_of()
        pen.text(f"{made} · {number}" if made else number, 24, HIGH + 22, BODY, "hi", SEMIBOLD, room=pen.w - 48)
        others = [part for part in self._parts if part.version != part.locked]
        tone = "mid" if not self._lock else "warn" if others else "ok"
        said = self.say("version.locked", locked=bool(self._lock), count=len(self._parts), others=len(others))
        pen.icon("check" if tone == "ok" else "triangle", 34, HIGH + 50, 20, tone)
        pen.text(said, 52, HIGH + 50, SMALL, tone, SEMIBOLD, room=pen.w - 76)
        rows = int((pen.h - HIGH - 84) // ROW)
        wide = (pen.w - 48) / COLUMNS
        shown = self._parts if len(self._parts) <= rows * COLUMNS else self._parts[: rows * COLUMNS - 1]
        for place, part in enumerate(shown):
            x, y = 24 + place // rows * wide, HIGH + 84 + place % rows * ROW
            other = bool(self._lock) and part.version != part.locked
            right = pen.text(part.version, x + wide - 16, y, CAPTION, "warn" if other else "mid", SEMIBOLD, "right")
            pen.text(part.name, x, y, CAPTION, "hi", SEMIBOLD, room=wide - right - 24, cut=True)
        if len(shown) < len(self._parts):
            x, y = 24 + (COLUMNS - 1) * wide, HIGH + 84 + (rows - 1) * ROW
            pen.text(self.say("version.more", count=len(self._parts) - len(shown)), x, y, CAPTION, "mid", SEMIBOLD)
