"""The export of a race as PDF, CSV or JSON, or as a code for a phone.

Files go to a folder of this device or to a USB stick; a stick can also take a copy of all races.
"""

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
from companion.screens.kit.compose import Act, Area, Composed, Ui
from companion.screens.kit.confirm import Confirm, Confirmation
from companion.screens.kit.key import Face
from companion.screens.kit.pen import BOLD, MEDIUM, SEMIBOLD
from companion.screens.kit.theme import BODY, CAPTION, NAME, SMALL, TITLE, theme
from companion.sheets.entry import Entry
from companion.sheets.export import file_name
from companion.sheets.place import COPIES, EXPORTS, sticks
from companion.view.shown import Toast

if TYPE_CHECKING:
    from companion.analysis.findings import Analysis
    from companion.printing.code import QrCode
    from companion.screens.app.app import CompanionApp

MARGIN: Final = 4
"""Width of the light margin that readers need around a code, in modules."""
AROUND: Final = 8.0
LINE: Final = 17.0
KEY: Final = 56.0
HEAD: Final = 52.0
ROW: Final = 84.0
KEYS_AT: Final = 220.0
"""Left edge of the keys of a place, in dp."""


class CodeView(Composed):
    """An overlay that shows a `QrCode` with its text; `on_close()` closes it.

    Nothing underneath can be touched.
    """

    def __init__(self, on_close: Act, **properties: Any) -> None:
        self.on_close = on_close
        super().__init__(**properties)

    def on_touch_down(self, touch: Any) -> bool:
        super().on_touch_down(touch)
        return True

    def compose(self, ui: Ui) -> None:
        if self.shown is None:
            return
        ui.fill(ui.area, "bg1")
        pen, area = ui.pen, ui.area.inset(AROUND, AROUND)
        paper = area.cut_left(area.h)
        ui.fill(paper, "#FFFFFF")  # readers want dark on light, by night as well
        rows = self.shown.rows
        pixels = int(paper.w * pen.scale) // (len(rows) + 2 * MARGIN)
        pen.picture(squares(rows, pixels), *paper.middle, "#000000")
        area.cut_left(2 * AROUND + 8)
        close = Face(label=theme.say("close"), look="option", size=BODY)
        ui.button(area.cut_bottom(KEY), "close", close, self.on_close)
        pen.text(theme.words.screen("sheet.scan"), area.x, area.y + 16, TITLE, "hi", BOLD, room=area.w)
        note = theme.words.screen("sheet.scan_note")
        y = pen.paragraph(note, area.x, area.y + 46, SMALL, area.w, "mid", SEMIBOLD) + 8
        lines = self.shown.text.splitlines()
        most = int((area.bottom - 8 - y) / LINE)
        for line in lines if len(lines) <= most else [*lines[: most - 2], "…", lines[-1]]:
            pen.text(line, area.x, y, CAPTION, "hi", MEDIUM, room=area.w, cut=True)
            y += LINE


def squares(rows: Sequence[Sequence[bool]], pixels: int) -> Texture:
    """Return the dark squares of a code, `pixels` wide each, on transparent."""
    made = Texture.create(size=(len(rows) * pixels, len(rows) * pixels), colorfmt="rgba")
    ink = b"".join(b"".join((b"\xff" if dark else b"\0") * 4 * pixels for dark in row) * pixels for row in rows)
    made.blit_buffer(ink, colorfmt="rgba", bufferfmt="ubyte")
    made.flip_vertical()
    return made


T = TypeVar("T")

ALL: Final = "all"
"""Form of a copy of all races."""
CODE: Final = "code"
"""Form of a code for a phone, shown here and written nowhere."""
MOST: Final = 3
"""Maximum number of places on the screen."""


class Busy(EventDispatcher):
    """The exports under way, by place and form, whichever page started them."""

    now = ObjectProperty(frozenset())


busy = Busy()


class ExportPage(Composed):
    """A key for each form and place, one for a phone, and one to copy all races.

    `entries` returns the race's name and its log.
    """

    def __init__(
        self,
        app: CompanionApp,
        entries: Callable[[], tuple[str, list[Entry]]],
        found: Callable[[int], Analysis | None],
        **properties: Any,
    ) -> None:
        super().__init__(**properties)
        self.app, self.entries, self.found = app, entries, found
        self.code = CodeView(on_close=self.back)
        self.over: Confirm | CodeView | None = None
        """The confirmation or the code, while it is open."""
        busy.bind(now=self.look_again)

    @property
    def places(self) -> list[Path]:
        """The folders to write to: this device's exports, and every stick."""
        return [self.app.folder / EXPORTS, *sticks()][:MOST]

    def back(self) -> bool:
        """Close the confirmation or the code; return False if neither is open."""
        closes = self.over is not None
        self.over = None
        self.look_again()
        return closes

    def _cover(self, over: Confirm | CodeView) -> None:
        self.over = over
        self.look_again()

    def _on_place(self, place: Path, form: str) -> None:
        race, entries = self.entries()
        name = file_name(race, form)
        if (place / name).exists():
            question = Confirmation(
                title=theme.words.screen("sheet.file_there", file=name),
                note=theme.words.screen("sheet.file_note"),
                act=theme.words.screen("sheet.replace"),
            )
            confirm = Confirm(partial(self._write, place, name, form, entries), on_cancel=self.back)
            confirm.show(question)
            self._cover(confirm)
        else:
            self._write(place, name, form, entries)

    def _write(self, place: Path, name: str, form: str, entries: list[Entry]) -> None:
        self.back()
        lang = theme.language
        told, found = self._telling("exported", place), self.found(len(entries))
        self._begin(place, form, lambda: whole_file.write(place / name, in_form(form, entries, lang, found)), told)

    def _copy(self, stick: Path) -> None:
        """Copy all races to a USB stick."""
        from companion.sheets.backup import backup

        unsaved = self.app.playing.unsaved

        def copy() -> None:
            made = backup(self.app.folder, stick / COPIES, unsaved=unsaved)
            if made.problems:
                raise made.problems[0]

        self._begin(stick, ALL, copy, self._telling("copied", stick))

    def _encode(self, place: Path) -> None:
        """Create the code for a phone, and show it."""
        from companion.printing.code import as_code

        entries, lang = self.entries()[1], theme.language

        def show(code: QrCode) -> None:
            self.code.show(code)
            if self.parent is not None:  # nobody has left meanwhile
                self._cover(self.code)

        self._begin(place, CODE, lambda: as_code(entries, lang), show)

    def _telling(self, done: str, place: Path) -> Callable[[object], object]:
        told = Toast(text=theme.words.screen(f"sheet.{done}", folder=place.name), tone="ok", icon="check")
        return lambda _: self.app.tell(told)

    def _begin(self, place: Path, what: str, work: Callable[[], T], then: Callable[[T], object]) -> None:
        """Start an export in a thread, unless the same one is under way."""
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
        """Return the face of an export's key, which shows while it is under way."""
        say = theme.words.screen
        note = "sheet.being_written" if (place, what) in busy.now else f"sheet.{what}_note"
        return Face(label=say(f"sheet.{what}"), note=say(note), look="option", size=NAME)

    def compose(self, ui: Ui) -> None:
        page, pen = Area(*ui.area.box), ui.pen
        ui.fill(page, "bg1")
        ui.text(ui.area.cut_top(HEAD).inset(24), theme.words.screen("sheet.where"), NAME)
        places = self.places
        for row, place in zip(ui.area.rows(len(places), ROW), places, strict=True):
            is_stick = place != places[0]
            about = row.cut_left(KEYS_AT)
            pen.icon("usb" if is_stick else "storage", 42, about.middle[1], 28, "mid")
            label = place.name if is_stick else theme.words.screen("sheet.here")
            pen.text(label, 68, about.middle[1] - 10, BODY, "hi", SEMIBOLD, room=142, cut=True)
            pen.text(str(place), 68, about.middle[1] + 13, CAPTION, "mid", SEMIBOLD, room=142, cut=True)
            row.cut_right(12)
            forms = (*FORMS, ALL if is_stick else CODE)
            for cell, form in zip(row.columns(len(forms)), forms, strict=True):
                ui.button(cell, (place, form), self._face(place, form), partial(self._export, place, form))
        if len(places) == 1:
            pen.icon("usb", 42, 190, 28, "low")
            pen.text(theme.words.screen("sheet.no_stick"), 68, 190, BODY, "mid", SEMIBOLD, room=page.w - 100)
        if self.over is not None:
            ui.place(page, self.over)

    def _export(self, place: Path, form: str) -> None:
        if form == ALL:
            self._copy(place)
        elif form == CODE:
            self._encode(place)
        else:
            self._on_place(place, form)
