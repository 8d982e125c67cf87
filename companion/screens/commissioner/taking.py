"""The tables of a tournament or a season to take along: to print, for a browser, a spreadsheet, another program."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion import whole_file
from companion.desk.record_desk import RecordDesk
from companion.printing.forms import listing_in_form
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.visits import OfRecord
from companion.screens.commissioner.new_event import PICK, PickView
from companion.screens.commissioner.record_screen import RecordScreen
from companion.screens.widgets.confirm import Question
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows
from companion.screens.widgets.theme import BODY, NAME, SMALL, theme
from companion.screens.widgets.title_bar import HIGH as BAR
from companion.screens.widgets.title_bar import Title
from companion.sheets.export import file_name
from companion.sheets.place import EXPORTS, sticks
from companion.view.commissioner.listings import kept_listing, offered
from companion.view.commissioner.new_event import EventPick
from companion.view.shown import Shown, Toast
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

LEFT: Final = 372.0
FORMS: Final = (("pdf", "A4"), ("pdf", "letter"), ("html", ""), ("csv", ""), ("json", ""))
"""A form, and the paper of what is printed."""
PLACES: Final = 3
"""Places that have room."""
HIGH: Final = 128.0


class TakingShown(Shown, frozen=True, kw_only=True):
    """The tables: what each is, of what, and its name."""

    subtitle: str
    lists: tuple[tuple[str, str, str], ...]


class TakingScreen(RecordScreen):
    """One table is chosen, at first that of the screen from which it was opened (`given["table"]`)."""

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.rows = Rows(PickView, self._choose, high=PICK)
        self.keys: dict[tuple[Path, str, str], Key] = {}
        """By the place, the form and the paper."""
        self.seen = False

    def look(self, desk: RecordDesk[Any], words: Words) -> TakingShown:
        return TakingShown(subtitle=desk.record.name, lists=tuple(offered(desk.record, words)))

    @property
    def places(self) -> list[Path]:
        """Where a file can go: the exports folder of this device, and every stick."""
        return [self.app.folder / EXPORTS, *sticks()][:PLACES]

    @property
    def chosen(self) -> int:
        """Which table, by its place in the list."""
        wanted = self.given.get("table", "")
        return next((at for at, (kind, of, _) in enumerate(self.now.lists) if f"{kind} {of}".strip() == wanted), 0)

    # -- what fingers do

    def _choose(self, place: int) -> None:
        kind, of, _ = self.now.lists[place]
        self.given["table"] = f"{kind} {of}".strip()
        self.look_again()

    def _asked(self, place: Path, form: str, paper: str) -> None:
        kind, of, _ = self.now.lists[self.chosen]
        path = place / file_name(" ".join((self.now.subtitle, self.now.lists[self.chosen][2])), form)
        write = partial(self._write, path, kind, of, form, paper)
        if path.exists():
            title, note = self.say("sheet.file_there", file=path.name), self.say("sheet.file_note")
            self.app.ask(Question(title=title, note=note, act=self.say("sheet.replace")), write)
        else:
            write()

    def _write(self, path: Path, kind: str, of: str, form: str, paper: str) -> None:
        """Writes it in the desk's thread: a stick is slow."""
        words, folder = theme.words, self.app.folder

        def write(_: object) -> None:
            listing, at = kept_listing(folder, self.record, self.record_kind, kind, of, words)
            try:
                whole_file.write(path, listing_in_form(form, listing, words.lang, letter=paper == "letter", at=at))
            except OSError as failed:
                why = failed.strerror or type(failed).__name__
                raise CompanionError(words.screen("sheet.export_failed", why=why)) from None

        told = Toast(text=self.say("sheet.exported", folder=path.parent.name), tone="ok", icon="check")
        self.app.recording.do(write, lambda _: self.app.tell(told), self.told)

    # -- where everything is

    def place(self) -> list[Any]:
        self.bar.show(Title(text=self.say("taking.title"), note=self.now.subtitle))
        self.rows.show([
            EventPick(answer=at, label=label, chosen=at == self.chosen)
            for at, (_, _, label) in enumerate(self.now.lists)
        ])  # fmt: skip
        self.put(self.rows, 0, BAR, LEFT, self.h - BAR)
        if not self.seen:
            self.seen = True
            self.rows.reveal(self.chosen)
        keys: list[Key] = []
        for place in self.places:
            for form, paper in FORMS:
                key = self.keys.setdefault((place, form, paper), Key(on_tap=partial(self._asked, place, form, paper)))
                key.show(Face(label=form.upper(), note=self.say(f"taking.{paper}") if paper else "", look="option"))
                keys.append(key)
        self.put_rows(keys, LEFT + 12, BAR + 40, self.w - LEFT - 24, 72, across=len(FORMS), down=HIGH - 72)
        return [self.rows, *keys]

    def draw(self, pen: Pen) -> None:
        pen.fill(LEFT, BAR, 1, pen.h - BAR, "line")
        places = self.places
        for row, place in enumerate(places):
            y = BAR + 20 + row * HIGH
            pen.icon("usb" if row else "storage", LEFT + 26, y, 22, "mid")
            label = place.name if row else self.say("sheet.here")
            pen.text(label, LEFT + 46, y, NAME, "hi", SEMIBOLD, room=pen.w - LEFT - 60, cut=True)
        y = BAR + 40 + len(places) * HIGH
        if len(places) == 1:
            pen.text(self.say("sheet.no_stick"), LEFT + 14, y, BODY, "mid", SEMIBOLD, room=pen.w - LEFT - 28)
            y += 32
        if len(places) < PLACES:
            pen.paragraph(self.say("taking.note"), LEFT + 14, y, SMALL, pen.w - LEFT - 28, "mid", SEMIBOLD, 3)
