"""Export of a tournament's or season's tables: print, browser, spreadsheet, data."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion import whole_file
from companion.desk.record_desk import RecordDesk
from companion.printing.forms import listing_in_form
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.visits import OfRecord
from companion.screens.events.new_event import PICK, PickView
from companion.screens.events.record_screen import RecordScreen
from companion.screens.kit.compose import Area, Title, Ui
from companion.screens.kit.confirm import Confirmation
from companion.screens.kit.key import Face
from companion.screens.kit.pen import SEMIBOLD
from companion.screens.kit.rows import Rows
from companion.screens.kit.theme import BODY, NAME, SMALL, theme
from companion.sheets.export import file_name
from companion.sheets.place import EXPORTS, sticks
from companion.view.events.listings import kept_listing, offered
from companion.view.events.new_event import EventPick
from companion.view.shown import Toast, ViewModel
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

LEFT: Final = 372.0
"""Width of the list of tables, in dp."""
FORMS: Final = (("pdf", "A4"), ("pdf", "letter"), ("html", ""), ("csv", ""), ("json", ""))
"""Forms, with the paper of those that are printed."""
PLACES: Final = 3
"""Maximum number of folders offered: so many fit."""


class TakingShown(ViewModel, frozen=True, kw_only=True):
    """The tables: kind, subject and name of each."""

    subtitle: str
    lists: tuple[tuple[str, str, str], ...]


class TakingScreen(RecordScreen):
    """The export of one table, at first that of the calling screen (`given["table"]`)."""

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.rows = Rows(PickView, on_row=self._choose, high=PICK)

    def look(self, desk: RecordDesk[Any], words: Words) -> TakingShown:
        return TakingShown(subtitle=desk.record.name, lists=tuple(offered(desk.record, words)))

    @property
    def places(self) -> list[Path]:
        """The folders for exports: that of this device, and every stick."""
        return [self.app.folder / EXPORTS, *sticks()][:PLACES]

    @property
    def selected_index(self) -> int:
        """The index of the selected table."""
        wanted = self.given.get("table", "")
        return next((at for at, (kind, of, _) in enumerate(self.now.lists) if f"{kind} {of}".strip() == wanted), 0)

    # -- what fingers do

    def _choose(self, place: int) -> None:
        kind, of, _ = self.now.lists[place]
        self.given["table"] = f"{kind} {of}".strip()
        self.look_again()

    def _export(self, place: Path, form: str, paper: str) -> None:
        """Write the selected table, first asking if a file would be replaced."""
        kind, of, _ = self.now.lists[self.selected_index]
        path = place / file_name(" ".join((self.now.subtitle, self.now.lists[self.selected_index][2])), form)
        write = partial(self._write, path, kind, of, form, paper)
        if path.exists():
            title, note = self.say("sheet.file_there", file=path.name), self.say("sheet.file_note")
            self.app.ask(Confirmation(title=title, note=note, act=self.say("sheet.replace")), write)
        else:
            write()

    def _write(self, path: Path, kind: str, of: str, form: str, paper: str) -> None:
        """Write the file in the desk's thread: a stick is slow."""
        words, folder = theme.words, self.app.folder

        def write(_: object) -> None:
            listing, at = kept_listing(folder, self.record, self.record_kind, kind, of, words)
            try:
                whole_file.write(path, listing_in_form(form, listing, words.lang, letter=paper == "letter", at=at))
            except OSError as failed:
                why = failed.strerror or type(failed).__name__
                raise CompanionError("export_failed", why=why) from None

        told = Toast(text=self.say("sheet.exported", folder=path.parent.name), tone="ok", icon="check")
        self.app.recording.do(write, lambda _: self.app.tell(told), self.show_refusal)

    # -- what is shown

    def compose_record(self, ui: Ui) -> None:
        self.bar.show(Title(text=self.say("taking.title"), note=self.now.subtitle))
        ui.place(ui.area.cut_left(LEFT), self.rows).show([
            EventPick(answer=at, label=label, chosen=at == self.selected_index)
            for at, (_, _, label) in enumerate(self.now.lists)
        ])  # fmt: skip
        self.rows.follow(lambda pick: bool(pick.chosen))
        side, places = ui.area, self.places
        ui.fill(Area(side.x, side.y, 1, side.h), "line")
        for at, place in enumerate(places):
            block = side.cut_top(128)
            self._compose_place(ui, block, place, on_stick=at > 0)
        y, room = side.y + 40, side.w - 28
        if len(places) == 1:
            ui.pen.text(self.say("sheet.no_stick"), side.x + 14, y, BODY, "mid", SEMIBOLD, room=room)
            y += 32
        if len(places) < PLACES:
            ui.pen.paragraph(self.say("taking.note"), side.x + 14, y, SMALL, room, "mid", SEMIBOLD, 3)

    def _compose_place(self, ui: Ui, area: Area, place: Path, on_stick: bool) -> None:
        """Compose the name of a folder, and a key for each form that can be written there."""
        head = area.cut_top(40)
        ui.pen.icon("usb" if on_stick else "storage", head.x + 26, head.middle[1], 22, "mid")
        name = place.name if on_stick else self.say("sheet.here")
        ui.pen.text(name, head.x + 46, head.middle[1], NAME, "hi", SEMIBOLD, room=head.w - 60, cut=True)
        for cell, (form, paper) in zip(area.cut_top(72).inset(12).columns(len(FORMS)), FORMS, strict=True):
            note = self.say(f"taking.{paper}") if paper else ""
            face = Face(label=form.upper(), note=note, look="option")
            ui.button(cell, (place, form, paper), face, partial(self._export, place, form, paper))
