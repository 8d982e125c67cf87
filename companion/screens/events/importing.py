"""Import of entrants: the lists on sticks or beside the races, and their faulty lines."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.desk.organising import entry_list, entry_lists
from companion.desk.record_desk import RecordDesk
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.visits import OfRecord
from companion.screens.events.record_screen import RecordScreen
from companion.screens.kit.compose import Title, Ui
from companion.screens.kit.empty import Empty, EmptyState
from companion.screens.kit.foot import MAIN
from companion.screens.kit.key import Face
from companion.screens.kit.pen import SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import BODY, CAPTION, NAME, SMALL, VALUE, theme
from companion.tournament.entrants import Entered, faults, read_entrants
from companion.view.shown import Toast
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp


class FileView(RowView):
    """Row of a list file: name, folder, date, and whether it is on a stick."""

    def draw(self, pen: Pen, shown: tuple[str, str, str, bool]) -> None:
        name, place, at, stick = shown
        pen.icon("usb" if stick else "storage", 36, pen.h / 2, 24, "mid")
        right = pen.w - 20 - pen.text(at, pen.w - 20, pen.h / 2, SMALL, "mid", SEMIBOLD, "right")
        pen.text(name, 64, pen.h / 2 - 11, NAME, "hi", SEMIBOLD, room=right - 80, cut=True)
        pen.text(place, 64, pen.h / 2 + 13, CAPTION, "mid", SEMIBOLD, room=right - 80, cut=True)


class FaultView(RowView):
    """Row of a faulty line."""

    def draw(self, pen: Pen, shown: tuple[int, str]) -> None:
        line, said = shown
        pen.icon("triangle", 36, pen.h / 2, 22, "warn")
        if line:
            pen.text(str(line), 90, pen.h / 2, SMALL, "mid", SEMIBOLD, "right")
        middle = pen.h / 2 if pen.width(said, BODY, SEMIBOLD) <= pen.w - 124 else pen.h / 2 - 10
        pen.paragraph(said, 104, middle, BODY, pen.w - 124, "hi", SEMIBOLD, 2, floor=CAPTION)


class ImportScreen(RecordScreen):
    """The import of entrants from a file.

    All of it is entered; if a line is faulty, nothing is, and every faulty line is listed.
    """

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.files = Rows(FileView, on_row=self._take, high=56)
        self.faults = Rows(FaultView, high=44)
        self.wrong_lines: list[tuple[int, str]] = []
        """Faulty lines of the last file, by number, with what is wrong."""
        self.name = ""
        """Name of that file."""

    def look(self, desk: RecordDesk[Any], words: Words) -> list[Path]:
        return entry_lists(self.app.folder)

    def _take(self, place: int) -> None:
        """Enter the entrants of a file."""
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

        self.app.recording.do(enter, self._on_import, self.show_refusal)

    def _on_import(self, done: tuple[int, list[tuple[int, str]]]) -> None:
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

    # -- what is shown

    def compose_record(self, ui: Ui) -> None:
        files, wrong = self.now, self.wrong_lines
        self.bar.show(Title(text=self.say("import.title"), note=self.name if wrong else ""))
        foot = ui.foot()
        foot.cut_left(8)
        if wrong:
            other = Face(label=self.say("import.other"), icon="storage", size=VALUE)
            ui.button(foot.cut_right(MAIN), "other", other, self.back)
            foot.cut_right(12)
            ui.place(ui.area, self.faults).show(wrong)
        elif files:
            ui.place(ui.area, self.files).show([self._row(path) for path in files])
        else:
            title, note = self.say("import.none"), self.say("import.none_note")
            empty = ui.place(ui.area.inset(60, 40), ui.named("empty", partial(Empty, on_act=self.again)))
            empty.show(EmptyState(icon="usb", title=title, note=note, act=self.say("import.again")))
        foot.cut_right(8)
        said = self.say("import.wrong", count=len(wrong)) if wrong else self.say("import.form")
        ui.ask(foot, self.say("import.nothing" if wrong else "import.ask"), said)

    def _row(self, path: Path) -> tuple[str, str, str, bool]:
        """Return a file as `FileView` shows it."""
        try:
            at = time.strftime("%Y-%m-%d %H:%M", time.localtime(path.stat().st_mtime))
        except OSError:
            at = ""
        return path.name, str(path.parent), at, path.parent != self.app.folder
