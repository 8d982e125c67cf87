"""Entrants from a file: the lists that are on a stick or beside the races, and what is wrong with one, line by line."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.desk.organising import entry_list, entry_lists
from companion.desk.record_desk import RecordDesk
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.visits import OfRecord
from companion.screens.commissioner.record_screen import RecordScreen
from companion.screens.widgets.empty import Empty, Nothing
from companion.screens.widgets.foot import BAND, KEYS, MAIN, ask, ground
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.theme import BODY, CAPTION, NAME, SMALL, VALUE, theme
from companion.screens.widgets.title_bar import HIGH as BAR
from companion.screens.widgets.title_bar import Title
from companion.tournament.entrants import Entered, faults, read_entrants
from companion.view.shown import Toast
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

FILE: Final = 56.0
FAULT: Final = 44.0


class FileView(RowView):
    """Draws a list by its name: where it lies, when it was written, and whether that is a stick."""

    def draw(self, pen: Pen, shown: tuple[str, str, str, bool]) -> None:
        name, place, at, stick = shown
        pen.icon("usb" if stick else "storage", 36, pen.h / 2, 24, "mid")
        right = pen.w - 20 - pen.text(at, pen.w - 20, pen.h / 2, SMALL, "mid", SEMIBOLD, "right")
        pen.text(name, 64, pen.h / 2 - 11, NAME, "hi", SEMIBOLD, room=right - 80, cut=True)
        pen.text(place, 64, pen.h / 2 + 13, CAPTION, "mid", SEMIBOLD, room=right - 80, cut=True)


class FaultView(RowView):
    """Draws what is wrong with a line."""

    def draw(self, pen: Pen, shown: tuple[int, str]) -> None:
        line, said = shown
        pen.icon("triangle", 36, pen.h / 2, 22, "warn")
        if line:
            pen.text(str(line), 90, pen.h / 2, SMALL, "mid", SEMIBOLD, "right")
        middle = pen.h / 2 if pen.width(said, BODY, SEMIBOLD) <= pen.w - 124 else pen.h / 2 - 10
        pen.paragraph(said, 104, middle, BODY, pen.w - 124, "hi", SEMIBOLD, 2, floor=CAPTION)


class ImportScreen(RecordScreen):
    """Chooses a file. All of it is entered, or, where a line is bad, nothing, and every bad line is told."""

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.files = Rows(FileView, self._take, high=FILE)
        self.faults = Rows(FaultView, high=FAULT)
        self.wrong_lines: list[tuple[int, str]] = []
        self.name = ""
        """The file that was taken last."""
        self.none = Empty(on_act=self.again)
        self.others = Key(on_tap=self.back)

    def look(self, desk: RecordDesk[Any], words: Words) -> list[Path]:
        return entry_lists(self.app.folder)

    def _take(self, place: int) -> None:
        path: Path = self.now[place]
        self.name = path.name
        words = theme.words

        def enter(desk: RecordDesk[Any]) -> tuple[int, list[tuple[int, str]]]:
            field, text = desk.record.field, entry_list(path)
            if wrong := faults(text, field):
                return 0, [(line, words.error(why)) for line, why in wrong]
            found = tuple(read_entrants(text, field.entrants))
            try:
                desk.act(Entered(entrants=found), by=self.by)
            except CompanionError as why:
                return 0, [(0, words.error(why))]
            return len(found), []

        self.app.recording.do(enter, self._taken, self.told)

    def _taken(self, done: tuple[int, list[tuple[int, str]]]) -> None:
        count, self.wrong_lines = done
        self.app.playing.signals.happen("refused" if self.wrong_lines else "accepted")
        if self.wrong_lines:
            self.look_again()
        else:
            self.if_here(self.app.back)()
            self.app.tell(Toast(text=self.say("import.entered", count=count), tone="ok", icon="check"))

    def back(self) -> bool:
        was, self.wrong_lines = super().back() or bool(self.wrong_lines), []
        self.look_again()
        return was

    def place(self) -> list[Any]:
        files: list[Path] = self.now
        top = self.h - BAND
        self.bar.show(Title(text=self.say("import.title"), note=self.name if self.wrong_lines else ""))
        if self.wrong_lines:
            self.faults.show(self.wrong_lines)
            self.put(self.faults, 0, BAR, self.w, top - BAR)
            self.others.show(Face(label=self.say("import.other"), icon="storage", size=VALUE))
            self.put(self.others, self.w - 12 - MAIN, top + 8, MAIN, KEYS)
            return [self.faults, self.others]
        if not files:
            nothing = Nothing(icon="usb", title=self.say("import.none"), note=self.say("import.none_note"),
                              act=self.say("import.again"))  # fmt: skip
            self.none.show(nothing)
            self.put(self.none, 60, BAR + 40, self.w - 120, top - BAR - 80)
            return [self.none]
        self.files.show([self._row(path) for path in files])
        self.put(self.files, 0, BAR, self.w, top - BAR)
        return [self.files]

    def _row(self, path: Path) -> tuple[str, str, str, bool]:
        try:
            at = time.strftime("%Y-%m-%d %H:%M", time.localtime(path.stat().st_mtime))
        except OSError:
            at = ""
        return path.name, str(path.parent), at, path.parent != self.app.folder

    def draw(self, pen: Pen) -> None:
        wrong = self.wrong_lines
        said = self.say("import.wrong", count=len(wrong)) if wrong else self.say("import.form")
        ground(pen)
        ask(pen, self.say("import.nothing" if wrong else "import.ask"), said, 20, pen.w - 40 - (240 if wrong else 0))
