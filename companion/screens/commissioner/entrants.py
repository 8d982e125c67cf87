"""The entrants of a tournament or a season: looked for by figures or letters, marked as here by a touch, added or
changed on a sheet, imported from a file."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from companion.desk.record_desk import RecordDesk
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.visits import OfRecord
from companion.screens.commissioner.entry_sheet import EntrySheet, Sheet
from companion.screens.commissioner.record_screen import Offer, RecordScreen
from companion.screens.widgets import plate
from companion.screens.widgets.empty import Empty, Nothing
from companion.screens.widgets.foot import BAND, KEYS, ground
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.menu import WIDE as MENU
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.theme import BODY, CAPTION, CLOCK, NAME, QUESTION, SMALL, VALUE, theme
from companion.screens.widgets.title_bar import HIGH as BAR
from companion.screens.widgets.title_bar import Title
from companion.sheets.records import kept_record
from companion.tournament.entrants import Changed, Entered, Here, Withdrawn
from companion.tournament.record import Act
from companion.tournament.tournament import Tournament
from companion.tournament.trials import Opened, Trials
from companion.view.commissioner.entrants import EntrantRow, EntrantsShown, entrants
from companion.view.commissioner.trials import opening
from companion.view.shown import Price
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

RIGHT: Final = 300.0
HEAD: Final = 31.0
ROW: Final = 52.0
FIGURES: Final = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "ABC", "0", "<")
REASONS: Final = ("ill", "leaves", "absent")
"""Why somebody withdraws; another reason is typed."""
LETTERS: Final = ("ABC", "DEF", "GHI", "JKL", "MNO", "PQR", "STU", "VWX", "YZ", "123", "'", "<")


class EntrantView(RowView):
    """Draws an `EntrantRow`: who is missing has a white key."""

    def draw(self, pen: Pen, shown: EntrantRow) -> None:
        middle = pen.h / 2
        plate.draw(pen, shown.plate, 34, middle, 32)
        right = pen.w - 14
        x, room = right - 234, right - 350
        if shown.season:  # there is no key to mark who has come: a name has all that the home tracks leave
            home = pen.text(shown.home, right, middle, SMALL, "mid", SEMIBOLD, "right", room=230, cut=True)
            room = right - 66 - 12 - home
        pen.text(shown.name, 66, middle - 11, NAME, "low" if shown.gone else "hi", SEMIBOLD, room=room, cut=True)
        pen.text(shown.gone or shown.team, 66, middle + 13, SMALL, "low" if shown.gone else "mid", SEMIBOLD, room=room,
                 cut=True)  # fmt: skip
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
    """Who is here. What is typed filters the list; a group of letters typed again goes on to its next one."""

    kind = "tournament"

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.typed, self.letters, self.missing = "", False, False
        self.entering = -1
        """Who is on the sheet: 0 somebody new, -1 nobody."""
        self.rows = Rows(EntrantView, self._toggle, self._leave, high=ROW)
        self.pad = [Key() for _ in FIGURES]
        self.clear = Key(on_tap=self._clear)
        self.filter, self.add = Key(on_tap=self._filter), Key(on_tap=self._add)
        self.sheet, self.cancel = EntrySheet(self.look_again), Key(on_tap=app.back)
        self.tables, self.trials = Key(on_tap=self._tables), Key(on_tap=self._trials)
        self.none = Empty(on_act=lambda: app.go("import", record=self.record, kind=self.record_kind))

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
            ("import", "usb", lambda: self.app.go("import", record=self.record, kind=kind)),
            *others,
            ("standings", "trophy", lambda: self.app.go("standings", record=self.record, kind=kind)),
            ("mirror", "redo", self._mirror),
        )

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
        """Somebody withdraws; why, is asked."""
        row: EntrantRow = self.now.rows[place]
        if not row.gone:
            self.asking.why(
                f"{row.number} {row.name}", "entrants.why", REASONS,
                lambda why: self.do(lambda _: Withdrawn(number=row.number, why=why)),
                self.say("entrants.ask_why"), ("change", lambda: self._enter(row.number)),
            )  # fmt: skip

    def _press(self, sign: str) -> None:
        if sign in ("ABC", "123") and sign == self.pad_signs[9]:
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

    @property
    def pad_signs(self) -> tuple[str, ...]:
        """What the keys of the pad type now."""
        return LETTERS if self.letters else FIGURES

    def _clear(self) -> None:
        self.typed = ""
        self.again()

    def _filter(self) -> None:
        self.missing = not self.missing
        self.again()

    def _add(self) -> None:
        """Opens the sheet of somebody new, or enters who is on it."""
        if self.entering < 0:
            self._enter(0)
            return
        found, old = self.sheet.entrant, self.entering
        if found is None:
            return
        act: Act = Changed(number=old, entrant=found) if old else Entered(entrants=(found,))
        self.do(lambda record: act, self._entered)

    def _entered(self) -> None:
        self.entering, self.typed = -1, ""

    def _enter(self, number: int) -> None:
        now: EntrantsShown = self.now
        self.entering = number
        row = next((row for row in now.rows if row.number == number), None)
        sheet = Sheet(number=(*now.free, 0)[0], circuits=now.circuits)
        if row is not None:
            keys = tuple(key for key, name in now.circuits if name in row.home.split(", "))
            sheet = Sheet(number=number, name=row.name, team=row.team, home=keys, old=number, circuits=now.circuits)
        self.sheet.show(sheet)
        self.look_again()

    def _trials(self) -> None:
        """Trials of who is here: those that are under way go on, else new ones begin, under the sky that was drawn.
        Who has come or gone since makes new ones, with the skies and the times that are there, once the car on the
        circuit is in."""
        folder = self.app.folder

        def of(desk: RecordDesk[Tournament]) -> tuple[str, Opened, tuple[Act, ...]]:
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
            return "", opened, old.told(timed, skies) if old is not None else skies

        self.app.recording.do(of, self.if_here(self._to_trials), self.told)

    def _to_trials(self, found: tuple[str, Opened, tuple[Act, ...]]) -> None:
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
        if self.entering >= 0:
            self.entering = -1
        elif self.typed or self.missing:
            self.missing, self.typed = False, ""
        else:
            return False
        self.again()
        return True

    @property
    def table_here(self) -> str:
        return "entries"

    # -- where everything is

    @property
    def _mirrored(self) -> bool:
        return self.app.kept.now.left_handed

    def _sides(self) -> tuple[float, float]:
        """Where the list begins, and where the keys for one thumb do."""
        return (RIGHT, 0.0) if self._mirrored else (0.0, self.w - RIGHT)

    def place(self) -> list[Any]:
        now: EntrantsShown = self.now
        wide, top = self.w - RIGHT, self.h - BAND
        left, right = self._sides()
        self.bar.show(Title(text=self.say("entrants.title"), note=now.subtitle))
        seen: list[Any] = [self.put_undo(now.undo), *self._place_ways(now)]
        if self.entering >= 0:
            self.put(self.sheet, left if now.season else 0, BAR, wide if now.season else self.w, top - BAR)
            seen.append(self.sheet)
        elif now.of:
            self.rows.show(now.rows)
            self.put(self.rows, left, BAR + HEAD, wide, top - BAR - HEAD)
            seen.append(self.rows)
        else:
            self.none.show(Nothing(icon="person", title=self.say("entrants.none"), note=self.say("entrants.none_note"),
                                   act=self.say("season.menu.import")))  # fmt: skip
            self.put(self.none, left + 20, BAR + 50, wide - 40, top - BAR - 80)
            seen.append(self.none)
        if self.entering < 0:
            seen += self._place_pad(right)
        elif now.season:
            self.put(self.sheet.circuits, right, BAR + HEAD, RIGHT, top - BAR - HEAD)
            seen.append(self.sheet.circuits)
        return [*seen, *self._place_keys(now, top)]

    def _place_ways(self, now: EntrantsShown) -> list[Any]:
        """In the bar: the trials and the tables, or the races."""
        if now.season:
            return []
        self.bar.keep = MENU + 242.0
        for key, name, icon in ((self.trials, "trials", "clock"), (self.tables, "tables", "table")):
            key.show(Face(label=self.say(f"entrants.{name}"), icon=icon, look="option", size=SMALL))
        self.put_rows((self.trials, self.tables), self.w - MENU - 240, 0, 232, BAR)
        return [self.trials, self.tables]

    def _place_pad(self, left: float) -> list[Any]:
        self.put(self.clear, left + RIGHT - 72, 56, 60, 52)
        self.clear.show(Face(icon="cross", look="option"))
        for sign, key in zip(self.pad_signs, self.pad, strict=True):
            key.on_tap = partial(self._press, sign)
            face = Face(icon="erase", look="option") if sign == "<" else Face(
                label=sign, look="option", size=BODY if len(sign) > 1 else CLOCK)  # fmt: skip
            key.show(face)
        self.put_rows(self.pad, left + 12, 116, RIGHT - 24, 57, across=3)
        return [self.clear, *self.pad]

    def _place_keys(self, now: EntrantsShown, top: float) -> list[Any]:
        left = self.w - RIGHT
        look: Any
        if self.entering >= 0:
            found = self.sheet.entrant
            self.cancel.show(Face(label=self.say("entrants.cancel"), look="option", size=BODY))
            self.put(self.cancel, left, top + 8, 88, KEYS)
            label = self.say("entrants.change" if self.entering else "entrants.enter")
            who = "" if found is None else f"{found.number} {found.name}"
            face = Face(label=label, look="barred", size=NAME, note=self.say("entrants.name_first"))
            self.add.show(Face(label=label, size=NAME, prices=(Price(text=who, tone="ok"),)) if found else face)
            self.put(self.add, left + 96, top + 8, RIGHT - 108, KEYS)
            return [self.cancel, self.add]
        wanted = self.typed.isdecimal() and int(self.typed) in now.free
        free = Price(text=self.say("entrants.free", numbers=", ".join(map(str, now.free)) or "–"), tone="ok")
        look = "answer" if wanted else "option"
        self.add.show(Face(label=self.say("entrants.add"), icon="plus", look=look, size=NAME, prices=(free,)))
        self.put(self.add, left + 144, top + 8, RIGHT - 156, KEYS)
        if now.season:
            return [self.add]
        self.filter.show(Face(label=self.say("entrants.everybody" if self.missing else "entrants.not_here"),
                              note=self.say("entrants.drivers", count=now.of if self.missing else now.missing),
                              look="option", size=BODY))  # fmt: skip
        self.put(self.filter, left, top + 8, 136, KEYS)
        return [self.filter, self.add]

    def draw(self, pen: Pen) -> None:
        now: EntrantsShown = self.now
        top, wide = pen.h - BAND, pen.w - RIGHT
        left, right = self._sides()
        pen.fill(RIGHT if self._mirrored else right, BAR, 1, top - BAR, "line")
        pen.fill(left, BAR + HEAD - 1, wide, 1, "line")
        y, end = BAR + HEAD / 2, left + wide - 14
        if self.entering < 0:
            pen.text(now.found, left + 20, y, CAPTION, "low", SEMIBOLD, room=wide - 284, cut=True)
            if now.season:
                pen.text(self.say("entrants.home"), end, y, CAPTION, "low", SEMIBOLD, "right")
            else:
                pen.text(self.say("entrants.here"), end - 234, y, CAPTION, "low", SEMIBOLD, "centre")
                pen.text(self.say("entrants.trial"), end - 120, y, CAPTION, "low", SEMIBOLD, "right")
                pen.text(self.say("entrants.table"), end, y, CAPTION, "low", SEMIBOLD, "right")
        if self.entering >= 0 and now.season:
            pen.text(self.say("entrants.home"), right + 16, y, CAPTION, "low", SEMIBOLD)
        else:
            pen.fill(right + 12, 56, RIGHT - 92, 52, "bg2", 8)
            pen.rim(right + 12, 56, RIGHT - 92, 52, "pri", 3, 8)
            pen.icon("search", right + 34, 82, 20, "mid")
            x = right + 54 + pen.text(self.typed, right + 54, 82, CLOCK, "hi", BOLD)
            pen.fill(x + 3, 68, 2, 28, "hi")
            if not self.typed:
                said = self.say("entrants.by_name" if self.letters else "entrants.by_number")
                pen.text(said, right + RIGHT - 92, 82, SMALL, "low", SEMIBOLD, "right", room=110)
        ground(pen)
        self._draw_asked(pen, now, top, wide)

    def _draw_asked(self, pen: Pen, now: EntrantsShown, top: float, wide: float) -> None:
        ask = "ask_who" if self.entering >= 0 else "ask_season" if now.season else "ask"
        pen.text(self.say(f"entrants.{ask}", count=now.of), 128, top + 31, QUESTION, "hi", BOLD, room=wide - 140)
        if self.entering >= 0 or now.season:
            said = self.say("entrants.own_number" if self.entering >= 0 else "entrants.tap_row")
            pen.text(said, 128, top + 67, SMALL, "mid", SEMIBOLD, room=wide - 140)
        elif now.of:
            room = wide - 128 - 20 - 66
            each = room / now.of
            for at in range(now.of):
                ink = "ok" if at < now.here else "bg4"
                pen.fill(128 + at * each, top + 58, max(1.0, each - (2 if each > 5 else 1)), 14, ink, 1)
            pen.text(f"{now.here}/{now.of}", wide - 16, top + 65, VALUE, "hi", BOLD, "right", room=64)
