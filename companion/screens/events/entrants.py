"""The entrants of a tournament or a season.

They are searched by digits or letters, marked as present by a touch, added or changed on a sheet, or imported from a
file.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from companion.desk.record_desk import RecordDesk
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.setup import NUMBERS
from companion.screens.app.visits import OfRecord
from companion.screens.events.record_screen import Offer, RecordScreen
from companion.screens.kit import plate
from companion.screens.kit.compose import TITLE_BAR as BAR
from companion.screens.kit.compose import Area, Title, Ui
from companion.screens.kit.empty import Empty, EmptyState
from companion.screens.kit.key import Face, Look
from companion.screens.kit.menu import WIDE as MENU
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import BODY, CAPTION, CLOCK, NAME, QUESTION, SMALL, VALUE, theme
from companion.screens.kit.writing import Writing
from companion.sheets.records import kept_record
from companion.tournament.entrants import LETTERS as MAX_LETTERS
from companion.tournament.entrants import Changed, Entered, Entrant, Here, Withdrawn
from companion.tournament.record import Act, one_line
from companion.tournament.tournament import Tournament
from companion.tournament.trials import Trials, TrialsOpened
from companion.view.events.entrants import EntrantRow, EntrantsShown, entrants
from companion.view.events.trials import opening
from companion.view.shown import Field, Price, ViewModel
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

SIDE: Final = 300.0
"""Width of the column for one hand: the keypad, or the home circuits."""
HEAD: Final = 31.0
ROW: Final = 52.0
FIGURES: Final = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "ABC", "0", "<")
LETTERS: Final = ("ABC", "DEF", "GHI", "JKL", "MNO", "PQR", "STU", "VWX", "YZ", "123", "'", "<")
REASONS: Final = ("ill", "leaves", "absent")
"""Reasons for a withdrawal; another reason is typed."""
FIELDS: Final = {"number": len(str(NUMBERS[1])), "name": MAX_LETTERS, "team": MAX_LETTERS}
"""Fields of an entrant's sheet, with the maximum number of letters."""
NOBODY: Final = -1
NEW_ENTRANT: Final = 0


class EntrantSheet(ViewModel, frozen=True, kw_only=True):
    """An entrant as entered, or a new one with a free number."""

    number: int
    name: str = ""
    team: str = ""
    home: tuple[str, ...] = ()
    old: int = NEW_ENTRANT
    """Current number of an entrant who is changed."""


class HomeView(RowView):
    """Row of a circuit, with a check for a home circuit."""

    def draw(self, pen: Pen, shown: tuple[str, bool]) -> None:
        name, chosen = shown
        pen.icon("home", 28, pen.h / 2, 20, "hi" if chosen else "low")
        pen.text(name, 52, pen.h / 2, NAME, "hi" if chosen else "mid", SEMIBOLD, room=pen.w - 96, cut=True)
        if chosen:
            pen.icon("check", pen.w - 26, pen.h / 2, 22, "ok")


class EntrantView(RowView):
    """Row of an `EntrantRow`; an absent entrant has a white key."""

    def draw(self, pen: Pen, shown: EntrantRow) -> None:
        middle = pen.h / 2
        plate.draw(pen, shown.plate, 34, middle, 32)
        right = pen.w - 14
        x, room = right - 234, right - 350
        if shown.season:  # there is no key to mark who has come: a name has all that the home tracks leave
            home = pen.text(shown.home, right, middle, SMALL, "mid", SEMIBOLD, "right", room=230, cut=True)
            room = right - 66 - 12 - home
        below = shown.gone or shown.team
        line = middle - 11 if below else middle
        pen.text(shown.name, 66, line, NAME, "low" if shown.gone else "hi", SEMIBOLD, room=room, cut=True)
        pen.text(below, 66, middle + 13, SMALL, "low" if shown.gone else "mid", SEMIBOLD, room=room, cut=True)
        if shown.season:
            return
        if shown.here:
            pen.icon("check", x, middle, 24, "ok")
        elif not shown.gone:
            pen.fill(x - 42, 1, 84, pen.h - 3, "pri", 6)
            pen.text(theme.words.screen("entrants.here"), x, middle, BODY, "onpri", BOLD, "centre", room=78)
        pen.text(shown.time, right - 120, middle - 11, NAME, "hi", BOLD, "right")
        pen.text(shown.clock, right - 120, middle + 13, SMALL, "mid", SEMIBOLD, "right")
        pen.text(shown.table, right, middle - 11, NAME, "hi", BOLD, "right")
        pen.text(shown.grid, right, middle + 13, SMALL, "mid", SEMIBOLD, "right")


class EntrantsScreen(RecordScreen):
    """The check-in of entrants.

    Typing filters the list; the same group of letters again moves to its next letter.
    """

    kind = "tournament"

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.typed = ""
        self.letters = False
        """True if the keypad has letters instead of figures."""
        self.missing = False
        """True if only those who are not here are listed."""
        self.entering = NOBODY
        """Number of the entrant on the sheet."""
        self.sheet: EntrantSheet | None = None
        """What the sheet was opened with."""
        self.home: list[str] = []
        """Home circuits on the sheet."""
        self.fields = {name: Writing(on_change=lambda _: self.look_again(), capitals="each") for name in FIELDS}
        self.rows = Rows(EntrantView, on_row=self._toggle, on_row_hold=self._leave, high=ROW)
        self.circuits = Rows(HomeView, on_row=self._toggle_home, high=52)

    def look(self, desk: RecordDesk[Any], words: Words) -> EntrantsShown:
        self.collect(desk)
        return entrants(desk.record, words, self.typed, self.missing)

    # -- what fingers do

    def offers(self) -> Sequence[Offer]:
        kind = self.record_kind
        others: tuple[Offer, ...] = (("weather", "rain", self._weather),)
        if kind == "season":
            others = (("calendar", "clock", lambda: self.app.go("calendar", record=self.record)),)
        return (
            ("import", "usb", self._import),
            *others,
            ("standings", "trophy", lambda: self.app.go("standings", record=self.record, kind=kind)),
            ("mirror", "redo", self._mirror),
        )

    def _import(self) -> None:
        self.app.go("import", record=self.record, kind=self.record_kind)

    def _mirror(self) -> None:
        self.app.choose(left_handed=not self.app.kept.now.left_handed)
        self.look_again()

    def _weather(self) -> None:
        self.app.go("weather", record=self.record)

    def _toggle(self, place: int) -> None:
        row: EntrantRow = self.now.rows[place]
        if row.season:
            self._enter(row.number)
        elif not row.gone:
            self.do(lambda record: Here(numbers=(row.number,), here=not row.here))

    def _leave(self, place: int) -> None:
        """Withdraw an entrant, asking for a reason."""
        row: EntrantRow = self.now.rows[place]
        if not row.gone:
            self.asking.why(
                f"{row.number} {row.name}", "entrants.why", REASONS,
                then=lambda why: self.do(lambda _: Withdrawn(number=row.number, why=why)),
                told=self.say("entrants.ask_why"), instead=("change", lambda: self._enter(row.number)),
            )  # fmt: skip

    def _press(self, sign: str) -> None:
        """Type a sign of the keypad."""
        if sign == ("123" if self.letters else "ABC"):
            self.letters, self.typed = not self.letters, ""
        elif sign == "<":
            self.typed = self.typed[:-1]
        elif self.letters:
            at = sign.find(self.typed[-1:].upper()) if self.typed else -1
            fresh = sign[(at + 1) % len(sign)]
            self.typed = self.typed[:-1] + fresh if at >= 0 else self.typed + fresh
        elif len(self.typed) < 3:
            self.typed += sign
        self.again()

    def _clear(self) -> None:
        self.typed = ""
        self.again()

    def _filter(self) -> None:
        self.missing = not self.missing
        self.again()

    def _enter(self, number: int) -> None:
        """Open the sheet of an entrant, or of a new one."""
        now: EntrantsShown = self.now
        self.entering = number
        sheet = EntrantSheet(number=(*now.free, 0)[0])
        if row := next((row for row in now.rows if row.number == number), None):
            home = tuple(key for key, name in now.circuits if name in row.home.split(", "))
            sheet = EntrantSheet(number=number, name=row.name, team=row.team, home=home, old=number)
        if sheet != self.sheet:  # what was typed into the same sheet is kept
            self.sheet, self.home = sheet, list(sheet.home)
            for name, most in FIELDS.items():
                value, label = str(getattr(sheet, name)), self.say(f"entrants.field.{name}")
                self.fields[name].show(Field(name=f"{name} {sheet.old} {sheet.number}", label=label, kind="text",
                                             value=value, high=most))  # fmt: skip
                self.fields[name].line.text = value
        self.look_again()

    def _toggle_home(self, place: int) -> None:
        key = self.now.circuits[place][0]
        self.home = [one for one in self.home if one != key] if key in self.home else [*self.home, key]
        self.look_again()

    @property
    def _entrant(self) -> Entrant | None:
        """The entrant as typed, or None while the number or the name is missing."""
        number, name, team = (writing.value for writing in self.fields.values())
        if not number.strip().isdecimal() or not one_line(name):
            return None
        return Entrant(int(number), one_line(name), one_line(team), tuple(self.home))

    def _save(self, entrant: Entrant) -> None:
        old = self.entering
        act: Act = Entered(entrants=(entrant,)) if old == NEW_ENTRANT else Changed(number=old, entrant=entrant)
        self.do(lambda record: act, self._entered)

    def _entered(self) -> None:
        self.entering, self.typed = NOBODY, ""

    def _trials(self) -> None:
        """Open trials of those present: the running ones, else new ones.

        New ones run under the sky already drawn. If entrants have come or gone since, new trials take over the skies
        and times, once the car on the circuit has finished.
        """
        folder = self.app.folder

        def of(desk: RecordDesk[Tournament]) -> tuple[str, TrialsOpened, tuple[Act, ...]]:
            record, old = desk.record, None
            with contextlib.suppress(CompanionError):  # none was kept yet
                kept = kept_record(folder, "last", Trials.KIND)
                if isinstance(kept.record, Trials) and kept.record.event == desk.log_id:
                    old = kept.record
            timed = {number for number in record.field.standing if old is not None and old.runs.get(number)}
            opened = opening(record, desk.log_id, timed.union(record.field.racing or record.field.standing))
            if old is not None and (old.trial is not None or set(old.drivers.values()) == set(opened.drivers)):
                return kept.listed.log_id, opened, ()
            skies = record.session_skies()
            return "", opened, old.prior_acts(timed, skies) if old is not None else skies

        self.app.recording.do(of, self.if_here(self._to_trials), self.show_refusal)

    def _to_trials(self, found: tuple[str, TrialsOpened, tuple[Act, ...]]) -> None:
        trials, opened, acts = found
        if trials:
            self.app.go("trial", trials=trials, event=self.record)
        elif opened.drivers:
            self.app.go("trial", opened=opened, acts=acts, event=self.record)

    def _tables(self) -> None:
        self.app.go("seeding", record=self.record)

    def back(self) -> bool:
        if super().back():
            return True
        if self.entering != NOBODY:
            self.entering = NOBODY
        elif self.typed or self.missing:
            self.missing, self.typed = False, ""
        else:
            return False
        self.again()
        return True

    @property
    def table_here(self) -> str:
        return "entries"

    # -- what is shown

    def compose_record(self, ui: Ui) -> None:
        now: EntrantsShown = self.now
        self.bar.show(Title(text=self.say("entrants.title"), note=now.subtitle))
        if not now.season:
            self._compose_ways(ui)
        self._compose_keys(ui, self.compose_foot(ui, now.undo), now)
        entering = self.entering != NOBODY
        if entering and not now.season:
            self._compose_sheet(ui, ui.area)
            return
        side = ui.area.cut_left(SIDE) if self.app.kept.now.left_handed else ui.area.cut_right(SIDE)
        ui.fill(Area(max(side.x, ui.area.x), side.y, 1, side.h), "line")
        if entering:
            self._compose_sheet(ui, ui.area)
            ui.text(side.cut_top(HEAD).inset(16), self.say("entrants.home"), CAPTION, "low")
            ui.place(side, self.circuits).show([(name, key in self.home) for key, name in now.circuits])
        else:
            self._compose_list(ui, ui.area, now)
            self._compose_pad(ui, side)

    def _compose_ways(self, ui: Ui) -> None:
        """Compose the keys in the bar: trials and tables."""
        self.bar.keep = MENU + 242.0
        ways = {"trials": ("clock", self._trials), "tables": ("table", self._tables)}
        keys = Area(ui.pen.w - MENU - 240, 0, 232, BAR).columns(len(ways))
        for cell, (name, (icon, act)) in zip(keys, ways.items(), strict=True):
            face = Face(label=self.say(f"entrants.{name}"), icon=icon, look="option", size=SMALL)
            ui.button(cell, name, face, act)

    def _compose_list(self, ui: Ui, area: Area, now: EntrantsShown) -> None:
        """Compose the entrants under the names of their columns, or how to get some."""
        head = area.cut_top(HEAD)
        ui.fill(Area(head.x, head.bottom - 1, head.w, 1), "line")
        if now.of:
            ui.place(area, self.rows).show(now.rows)
        else:
            title, note = self.say("entrants.none"), self.say("entrants.none_note")
            empty = EmptyState(icon="person", title=title, note=note, act=self.say("season.menu.import"))
            make = partial(Empty, on_act=self._import)
            ui.place(Area(area.x + 20, area.y + 19, area.w - 40, area.h - 49), ui.named("empty", make)).show(empty)
        pen, y, right = ui.pen, head.middle[1], head.right - 14
        pen.text(now.found, head.x + 20, y, CAPTION, "low", room=head.w - 284, cut=True)
        if now.season:
            pen.text(self.say("entrants.home"), right, y, CAPTION, "low", align="right")
        else:
            pen.text(self.say("entrants.here"), right - 234, y, CAPTION, "low", align="centre")
            pen.text(self.say("entrants.trial"), right - 120, y, CAPTION, "low", align="right")
            pen.text(self.say("entrants.table"), right, y, CAPTION, "low", align="right")

    def _compose_pad(self, ui: Ui, side: Area) -> None:
        """Compose the line with what is typed, and the keypad below it."""
        side.cut_top(8)
        line = side.cut_top(52).inset(12)
        ui.button(line.cut_right(60), "clear", Face(icon="cross", look="option"), self._clear)
        line.cut_right(8)
        pen, (x, y, w, h), middle = ui.pen, line.box, line.middle[1]
        pen.fill(x, y, w, h, "bg2", 8)
        pen.rim(x, y, w, h, "pri", 3, 8)
        pen.icon("search", x + 22, middle, 20, "mid")
        end = x + 42 + pen.text(self.typed, x + 42, middle, CLOCK, "hi", BOLD)
        pen.fill(end + 3, middle - 14, 2, 28, "hi")
        if not self.typed:
            hint = self.say("entrants.by_name" if self.letters else "entrants.by_number")
            pen.text(hint, line.right - 12, middle, SMALL, "low", align="right", room=110)
        side.cut_top(8)
        signs = LETTERS if self.letters else FIGURES
        for cell, (place, sign) in zip(side.inset(12).cells(len(signs), 3, 57), enumerate(signs), strict=True):
            face = Face(label=sign, look="option", size=BODY if len(sign) > 1 else CLOCK)
            erase = Face(icon="erase", look="option")
            ui.button(cell, ("pad", place), erase if sign == "<" else face, partial(self._press, sign))

    def _compose_sheet(self, ui: Ui, area: Area) -> None:
        """Compose the fields of an entrant, and below them what will be read of him."""
        form = area.inset(16, 8)
        row = form.cut_top(76)
        ui.place(row.cut_left(120), self.fields["number"])
        row.cut_left(12)
        ui.place(row, self.fields["name"])
        form.cut_top(10)
        ui.place(form.cut_top(76), self.fields["team"])
        number, name, team = (writing.value for writing in self.fields.values())
        pen, said = ui.pen, f"{number} {name}".strip()
        pen.text(said, form.x, form.y + 50, QUESTION, "hi", BOLD, room=form.w, cut=True)
        pen.text(team, form.x, form.y + 84, NAME, "mid", room=form.w, cut=True)

    def _compose_keys(self, ui: Ui, foot: Area, now: EntrantsShown) -> None:
        """Compose the question, how many of the entrants are here, and the keys."""
        keys = foot.cut_right(SIDE - 12)
        foot.cut_right(12)
        entering = self.entering != NOBODY
        asked = "ask_who" if entering else "ask_season" if now.season else "ask"
        note = "own_number" if entering else "tap_row" if now.season else ""
        ui.ask(foot, self.say(f"entrants.{asked}", count=now.of), self.say(f"entrants.{note}") if note else "")
        if not note and now.of:
            each = (foot.w - 74) / now.of
            for at in range(now.of):
                bar = Area(foot.x + at * each, foot.y + 50, max(1.0, each - (2 if each > 5 else 1)), 14)
                ui.fill(bar, "ok" if at < now.here else "bg4", 1)
            here = f"{now.here}/{now.of}"
            ui.pen.text(here, foot.right - 4, foot.y + 57, VALUE, "hi", BOLD, "right", room=64)
        if entering:
            self._compose_saving(ui, keys)
            return
        look: Look = "answer" if self.typed.isdecimal() and int(self.typed) in now.free else "option"
        free = Price(text=self.say("entrants.free", numbers=", ".join(map(str, now.free)) or "–"), tone="ok")
        face = Face(label=self.say("entrants.add"), icon="plus", look=look, size=NAME, prices=(free,))
        ui.button(keys.cut_right(144), "add", face, partial(self._enter, NEW_ENTRANT))
        if not now.season:
            label = self.say("entrants.everybody" if self.missing else "entrants.not_here")
            note = self.say("entrants.drivers", count=now.of if self.missing else now.missing)
            ui.button(keys.cut_left(136), "filter", Face(label=label, note=note, look="option"), self._filter)

    def _compose_saving(self, ui: Ui, keys: Area) -> None:
        """Compose the keys of the sheet; without a name it cannot be saved."""
        cancel = Face(label=self.say("entrants.cancel"), look="option")
        ui.button(keys.cut_left(88), "cancel", cancel, self.app.back)
        label = self.say("entrants.enter" if self.entering == NEW_ENTRANT else "entrants.change")
        if (found := self._entrant) is None:
            face = Face(label=label, look="barred", size=NAME, note=self.say("entrants.name_first"))
        else:
            face = Face(label=label, size=NAME, prices=(Price(text=f"{found.number} {found.name}", tone="ok"),))
        save = partial(self._save, found) if found is not None else None
        ui.button(keys.cut_right(192), "save", face, save)
