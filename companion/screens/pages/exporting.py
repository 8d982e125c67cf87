"""Writing a race out: as PDF, CSV or JSON, into a folder of this device or onto a USB stick; all races onto a stick;
and how it stands as a code for a phone."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from kivy.clock import Clock
from kivy.event import EventDispatcher
from kivy.graphics.texture import Texture
from kivy.properties import ObjectProperty

from companion import whole_file
from companion.printing.forms import FORMS, in_form
from companion.rules.conversation.errors import CompanionError
from companion.screens.widgets.confirm import Confirm, Question
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, MEDIUM, SEMIBOLD, Pen
from companion.screens.widgets.theme import BODY, CAPTION, NAME, SMALL, TITLE, theme
from companion.sheets.entry import Entry
from companion.sheets.export import file_name
from companion.sheets.place import COPIES, EXPORTS, sticks
from companion.view.shown import Toast

if TYPE_CHECKING:
    from companion.analysis.findings import Analysis
    from companion.printing.code import Code
    from companion.screens.app.app import CompanionApp

MARGIN: Final = 4
"""How many squares stay light around a code: readers ask for that."""
AROUND: Final = 8.0
LINE: Final = 17.0
KEY: Final = 56.0


class CodeView(Pane):
    """Shows a `Code` with its text beside it; `on_close()`. Nothing beneath is touched."""

    def __init__(self, on_close: Callable[[], object], **properties: Any) -> None:
        super().__init__(**properties)
        self.close = Key(on_tap=on_close)

    def on_touch_down(self, touch: Any) -> bool:
        super().on_touch_down(touch)
        return True

    @property
    def _left(self) -> float:
        """Where the words begin."""
        return self.h + AROUND + 8

    def arrange(self) -> None:
        self.close.show(Face(label=theme.say("close"), look="option", size=BODY))
        self.put(self.close, self._left, self.h - AROUND - KEY, self.w - self._left - AROUND, KEY)

    def paint(self, pen: Pen) -> None:
        if self.shown is None:
            return
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        side = pen.h - 2 * AROUND
        pen.fill(AROUND, AROUND, side, side, "#FFFFFF")  # readers want dark on light, by night as well
        rows = self.shown.rows
        pixels = int(side * pen.scale) // (len(rows) + 2 * MARGIN)
        pen.picture(squares(rows, pixels), AROUND + side / 2, AROUND + side / 2, "#000000")
        left, room = self._left, pen.w - self._left - AROUND
        pen.text(theme.words.screen("sheet.scan"), left, AROUND + 16, TITLE, "hi", BOLD, room=room)
        note = theme.words.screen("sheet.scan_note")
        y = pen.paragraph(note, left, AROUND + 46, SMALL, room, "mid", SEMIBOLD) + 8
        lines = self.shown.text.splitlines()
        most = int((pen.h - AROUND - KEY - 8 - y) / LINE)
        for line in lines if len(lines) <= most else [*lines[: most - 2], "…", lines[-1]]:
            pen.text(line, left, y, CAPTION, "hi", MEDIUM, room=room, cut=True)
            y += LINE


def squares(rows: Sequence[Sequence[bool]], pixels: int) -> Texture:
    """The dark squares of a code, each so many pixels wide, on nothing."""
    made = Texture.create(size=(len(rows) * pixels, len(rows) * pixels), colorfmt="rgba")
    ink = b"".join(b"".join((b"\xff" if dark else b"\0") * 4 * pixels for dark in row) * pixels for row in rows)
    made.blit_buffer(ink, colorfmt="rgba", bufferfmt="ubyte")
    made.flip_vertical()
    return made


T = TypeVar("T")

ALL: Final = "all"
"""What is written where all races are copied."""
CODE: Final = "code"
"""What goes to a phone: it is shown here, and written nowhere."""
MOST: Final = 3
"""Places that have room on the screen."""


class Busy(EventDispatcher):
    """What is being made and where, as the keys are, whichever page began it."""

    now = ObjectProperty(frozenset())


busy = Busy()


class ExportPage(Pane):
    """A key for each form and place, one for a phone, and one for all races on each stick. `entries` gives the log of
    the race and its name."""

    def __init__(
        self,
        app: CompanionApp,
        entries: Callable[[], tuple[str, list[Entry]]],
        found: Callable[[int], Analysis | None],
        **properties: Any,
    ) -> None:
        super().__init__(**properties)
        self.app, self.entries, self.found = app, entries, found
        self.keys: dict[tuple[Path, str], Key] = {}
        """By the place, and by the form, ALL or CODE."""
        self.confirm = Confirm(on_cancel=self.back)
        self.code = CodeView(on_close=self.back)
        busy.bind(now=self.look_again)

    @property
    def places(self) -> list[Path]:
        """Where a file can go: the exports folder of this device, and every stick."""
        return [self.app.folder / EXPORTS, *sticks()][:MOST]

    def back(self) -> bool:
        """Leaves the confirmation or the code, if one is there."""
        for over in (self.confirm, self.code):
            if over.parent is not None:
                self.remove_widget(over)
                return True
        return False

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
        lang = theme.language
        told, found = self._telling("exported", place), self.found(len(entries))
        self._begin(place, form, lambda: whole_file.write(place / name, in_form(form, entries, lang, found)), told)

    def _copy(self, stick: Path) -> None:
        """Copies all races onto a stick."""
        from companion.sheets.backup import backup

        unsaved = self.app.playing.unsaved

        def copy() -> None:
            made = backup(self.app.folder, stick / COPIES, unsaved=unsaved)
            if made.problems:
                raise CompanionError(made.problems[0])

        self._begin(stick, ALL, copy, self._telling("copied", stick))

    def _encode(self, place: Path) -> None:
        """Makes the code for a phone, and shows it."""
        from companion.printing.code import as_code

        entries, lang = self.entries()[1], theme.language

        def show(code: Code) -> None:
            self.code.show(code)
            if self.parent is not None:  # nobody has left meanwhile
                self.put(self.code, 0, 0, self.w, self.h)

        self._begin(place, CODE, lambda: as_code(entries, lang), show)

    def _telling(self, done: str, place: Path) -> Callable[[object], object]:
        told = Toast(text=theme.words.screen(f"sheet.{done}", folder=place.name), tone="ok", icon="check")
        return lambda _: self.app.tell(told)

    def _begin(self, place: Path, what: str, work: Callable[[], T], then: Callable[[T], object]) -> None:
        """Does it in a thread of its own, because a stick is slow; what is under way is not begun again."""
        if (place, what) not in busy.now:
            busy.now |= {(place, what)}
            threading.Thread(target=self._do, args=(work, then, (place, what)), name="export", daemon=True).start()

    def _do(self, work: Callable[[], T], then: Callable[[T], object], what: tuple[Path, str]) -> None:
        told: Toast | CompanionError
        try:
            made = work()
        except CompanionError as refused:
            told = refused
        except OSError as failed:
            why = failed.strerror or type(failed).__name__
            told = Toast(text=theme.words.screen("sheet.export_failed", why=why), tone="bad", icon="storage")
        except Exception:
            logging.getLogger(__name__).exception("a race could not be written out")
            told = Toast(text=theme.words.screen("race.failed"), tone="bad", icon="triangle")
        else:
            Clock.schedule_once(lambda _: self._done(what, lambda: then(made)))
            return
        Clock.schedule_once(lambda _: self._done(what, lambda: self.app.tell(told)))

    def _done(self, what: tuple[Path, str], then: Callable[[], object]) -> None:
        busy.now -= {what}
        then()

    def _face(self, place: Path, what: str) -> Face:
        """The key that writes something there; while it is being written it says so."""
        say = theme.words.screen
        note = "sheet.being_written" if (place, what) in busy.now else f"sheet.{what}_note"
        return Face(label=say(f"sheet.{what}"), note=say(note), look="option", size=NAME)

    def arrange(self) -> None:
        places = self.places
        wanted = [(row, place, (*FORMS, ALL if row else CODE)) for row, place in enumerate(places)]
        for gone in self.keys.keys() - {(place, what) for _, place, whats in wanted for what in whats}:
            self.remove_widget(self.keys.pop(gone))
        acts = {ALL: self._copy, CODE: self._encode}
        for row, place, whats in wanted:
            for what in whats:
                act = partial(acts[what], place) if what in acts else partial(self._asked, place, what)
                key = self.keys.setdefault((place, what), Key(on_tap=act))
                key.show(self._face(place, what))
            self.put_rows([self.keys[place, what] for what in whats], 220, 52 + row * 92, self.w - 232, 84)
        for over in (self.confirm, self.code):
            if over.parent is not None:
                self.put(over, 0, 0, self.w, self.h)

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
