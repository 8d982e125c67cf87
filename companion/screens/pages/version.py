"""The installed packages and versions, compared with the appliance's lock."""

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
from companion.screens.kit.compose import Composed, Ui
from companion.screens.kit.theme import BODY, CAPTION, SMALL
from companion.view.shown import ViewModel

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

LOCK: Final = "appliance/requirements.txt"
"""Lock file of the installation, kept next to the program."""
ITSELF: Final = "companion"
ROW: Final = 24
COLUMNS: Final = 3


class PackageRow(ViewModel, frozen=True, kw_only=True):
    """An installed package.

    `locked` is the version that the lock names, empty if it names none.
    """

    name: str
    version: str
    locked: str = ""


def name_of(prefix: Path = Path(sys.prefix)) -> str:
    """Return the installer's name for this version, empty without an installer."""
    return prefix.name if prefix.parent.name == "versions" else ""


def lock_of(prefix: Path = Path(sys.prefix)) -> dict[str, str]:
    """Return the locked versions by package, empty without an installer."""
    try:
        text = (prefix / LOCK).read_text(encoding="utf-8")
    except OSError:
        return {}
    return dict(re.findall(r"^([a-z0-9-]+)==([^\s;\\]+)", text, re.MULTILINE))


def parts(lock: dict[str, str]) -> list[PackageRow]:
    """Return every installed package except the program itself, by name."""
    found: dict[str, PackageRow] = {}
    for one in metadata.distributions():
        name = re.sub(r"[-_.]+", "-", str(one.metadata["Name"])).lower()
        found.setdefault(name, PackageRow(name=name, version=one.version, locked=lock.get(name, "")))
    found.pop(ITSELF, None)
    return [found[name] for name in sorted(found)]


class VersionScreen(Composed, Screen):
    """The packages in columns, below a line that sums up."""

    def __init__(self, app: CompanionApp, given: Mapping[str, object]) -> None:
        super().__init__(app, given)
        self._lock = lock_of()
        self._parts = parts(self._lock)

    def compose(self, ui: Ui) -> None:
        ui.fill(ui.area, "bg1")
        ui.title(self.say("version.title"), self.app.back)
        body = ui.area.inset(24)
        rules = self.say("version.rules", compiled=compiled())
        number = f"{metadata.version(ITSELF)} · {rules} · Python {platform.python_version()}"
        ui.text(body.cut_top(44), " · ".join(filter(None, (name_of(), number))), BODY)
        others = [part for part in self._parts if part.version != part.locked]
        tone = "mid" if not self._lock else "warn" if others else "ok"
        said = self.say("version.locked", locked=bool(self._lock), count=len(self._parts), others=len(others))
        line = body.cut_top(12)
        ui.icon(line.cut_left(20), "check" if tone == "ok" else "triangle", 20, tone)
        line.cut_left(8)
        ui.text(line, said, SMALL, tone)
        body.cut_top(16)
        cells = [
            cell
            for column in body.columns(COLUMNS, 0)
            for cell in column.rows(int((column.h - 12) // ROW), ROW, 0)
        ]  # fmt: skip
        shown = self._parts if len(self._parts) <= len(cells) else self._parts[: len(cells) - 1]
        for cell, part in zip(cells, shown, strict=False):
            other = bool(self._lock) and part.version != part.locked
            cell.cut_right(16)
            wide = ui.text(cell, part.version, CAPTION, "warn" if other else "mid", align="right")
            cell.cut_right(wide + 8)
            ui.text(cell, part.name, CAPTION, cut=True)
        if len(shown) < len(self._parts):
            ui.text(cells[-1], self.say("version.more", count=len(self._parts) - len(shown)), CAPTION, "mid")
