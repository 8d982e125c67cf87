"""Writing a race out: as CSV or JSON, into a folder of this device or onto a USB stick; and all races onto a stick."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kivy.clock import Clock

from companion.rules.errors import CompanionError
from companion.screens.pane import Pane
from companion.screens.pen import SEMIBOLD, Pen
from companion.screens.theme import BODY, CAPTION, NAME, theme
from companion.screens.view.shown import Toast
from companion.screens.widgets.confirm import Confirm, Question
from companion.screens.widgets.key import Face, Key
from companion.sheets.export import as_csv, as_json
from companion.sheets.history import Entry
from companion.sheets.place import COPIES, sticks

if TYPE_CHECKING:
    from companion.sheets.log import Write

FOLDER: Final = "exports"
FORMS: Final = {"csv": as_csv, "json": as_json}
MOST: Final = 3
"""Places that have room on the screen."""


def file_name(race: str, form: str) -> str:
    """The name of the file for a race: letters, figures, - and _ of its name."""
    plain = re.sub(r"[^\w-]+", "-", race, flags=re.UNICODE).strip("-") or "race"
    return f"{plain[:60]}.{form}"


def write(folder: Path, name: str, text: str) -> Path:
    """Writes a file whole or not at all, and has the disk keep it: a stick may be pulled at once. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    fresh = folder / f".{name}.new"
    with fresh.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(folder / name)
    return folder / name


class ExportPage(Pane):
    """A key for each form and place, and one for all races on each stick. `entries` gives the log of the race and its
    name."""

    def __init__(self, app: Any, entries: Callable[[], tuple[str, list[Entry]]], **properties: Any) -> None:
        super().__init__(**properties)
        self.app, self.entries = app, entries
        self.keys: dict[tuple[Path, str], Key] = {}
        self.all: dict[Path, Key] = {}
        self.copying: Path | None = None
        """The stick that all races are being copied to."""
        self.confirm = Confirm(on_cancel=self.back)

    @property
    def places(self) -> list[Path]:
        """Where a file can go: the exports folder of this device, and every stick."""
        return [self.app.folder / FOLDER, *sticks()][:MOST]

    def back(self) -> bool:
        """Leaves the confirmation, if it is asked."""
        if self.confirm.parent is None:
            return False
        self.remove_widget(self.confirm)
        return True

    def _asked(self, place: Path, form: str) -> None:
        race, entries = self.entries()
        name = file_name(race, form)
        if (place / name).exists():
            question = Question(
                title=theme.words.screen("sheet.file_there", file=name),
                note=theme.words.screen("sheet.file_note"),
                act=theme.words.screen("sheet.replace"),
            )
            self.confirm.act.on_tap = partial(self._write, place, name, form, entries)
            self.confirm.show(question)
            self.put(self.confirm, 0, 0, self.w, self.h)
        else:
            self._write(place, name, form, entries)

    def _write(self, place: Path, name: str, form: str, entries: list[Entry]) -> None:
        self.back()
        say = theme.words.screen
        try:
            write(place, name, FORMS[form](entries))
        except OSError as wrong:
            why = wrong.strerror or type(wrong).__name__
            self.app.tell(Toast(text=say("sheet.export_failed", why=why), tone="bad", icon="storage"))
        else:
            self.app.tell(Toast(text=say("sheet.exported", folder=place.name), tone="ok", icon="check"))

    def _copy(self, stick: Path) -> None:
        """Copies all races, in a thread of its own: a stick is slow."""
        if self.copying is None:
            self.copying, unsaved = stick, self.app.playing.unsaved
            self.look_again()
            threading.Thread(target=self._copied, args=(stick, unsaved), name="copy", daemon=True).start()

    def _copied(self, stick: Path, unsaved: Sequence[Write]) -> None:
        from companion.sheets.backup import backup

        wrong: CompanionError | None = None
        try:
            copy = backup(self.app.folder, stick / COPIES, unsaved=unsaved)
            wrong = CompanionError(copy.problems[0]) if copy.problems else None
        except CompanionError as refused:
            wrong = refused
        Clock.schedule_once(lambda _: self._told(stick, wrong))

    def _told(self, stick: Path, wrong: CompanionError | None) -> None:
        self.copying = None
        self.look_again()
        done = theme.words.screen("sheet.copied", folder=stick.name)
        self.app.tell(wrong or Toast(text=done, tone="ok", icon="check"))

    def arrange(self) -> None:
        places = self.places
        wanted = {(place, form) for place in places for form in FORMS}
        for gone in [key for key in self.keys if key not in wanted]:
            self.remove_widget(self.keys.pop(gone))
        for pulled in [place for place in self.all if place not in places]:
            self.remove_widget(self.all.pop(pulled))
        columns = len(FORMS) + (len(places) > 1)
        wide = (self.w - 232 - 8 * (columns - 1)) / columns
        for row, place in enumerate(places):
            for column, form in enumerate(FORMS):
                key = self.keys.setdefault((place, form), Key(on_tap=partial(self._asked, place, form)))
                note = theme.words.screen(f"sheet.{form}_note")
                key.show(Face(label=theme.words.screen(f"sheet.{form}"), note=note, look="option", size=NAME))
                self.put(key, 220 + column * (wide + 8), 52 + row * 92, wide, 84)
            if row:
                key = self.all.setdefault(place, Key(on_tap=partial(self._copy, place)))
                note = theme.words.screen("sheet.all_copying" if place == self.copying else "sheet.all_note")
                key.show(Face(label=theme.words.screen("sheet.all"), note=note, look="option", size=NAME))
                self.put(key, self.w - 12 - wide, 52 + row * 92, wide, 84)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        pen.text(theme.words.screen("sheet.where"), 24, 26, NAME, "hi", SEMIBOLD, room=pen.w - 48)
        places = self.places
        for row, place in enumerate(places):
            middle = 52 + row * 92 + 42
            pen.icon("storage" if not row else "usb", 42, middle, 28, "mid")
            label = theme.words.screen("sheet.here") if not row else place.name
            pen.text(label, 68, middle - 10, BODY, "hi", SEMIBOLD, room=142, cut=True)
            pen.text(str(place), 68, middle + 13, CAPTION, "mid", SEMIBOLD, room=142, cut=True)
        if len(places) == 1:
            pen.icon("usb", 42, 190, 28, "low")
            pen.text(theme.words.screen("sheet.no_stick"), 68, 190, BODY, "mid", SEMIBOLD, room=pen.w - 100)
