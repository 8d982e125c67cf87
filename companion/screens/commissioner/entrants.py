"""The entrants of a tournament: looked for by figures or letters, marked as here by a touch, added in one line."""

from __future__ import annotations

import contextlib
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from companion.desk.record_desk import RecordDesk
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.visits import OfRecord
from companion.screens.commissioner.record_screen import BAND, KEYS, RecordScreen
from companion.screens.widgets import plate
from companion.screens.widgets.empty import Empty, Nothing
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.theme import BODY, CAPTION, CLOCK, NAME, QUESTION, SMALL, VALUE
from companion.screens.widgets.title_bar import HIGH as BAR
from companion.screens.widgets.title_bar import Title
from companion.screens.widgets.writing import Writing
from companion.sheets.records import kept_record
from companion.tournament.entrants import Entered, Here, Withdrawn, read_entrants
from companion.tournament.record import Act
from companion.tournament.tournament import Tournament
from companion.tournament.trials import Opened, SkyDrawn, TrialDriver, Trials
from companion.view.entrants import EntrantRow, EntrantsShown, entrants
from companion.view.shown import Field, Price
from companion.view.standings import plates
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

RIGHT: Final = 300.0
HEAD: Final = 31.0
WHY: Final = 216.0
"""How wide it is asked why somebody withdraws."""
ROW: Final = 49.6
FIGURES: Final = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "ABC", "0", "<")
REASONS: Final = ("ill", "leaves", "absent", "other")
"""Why somebody withdraws; another reason is typed."""
LETTERS: Final = ("ABC", "DEF", "GHI", "JKL", "MNO", "PQR", "STU", "VWX", "YZ", "123", "'", "<")


class EntrantView(RowView):
    """Draws an `EntrantRow`: who is missing has a white key."""

    here = ""

    def draw(self, pen: Pen, shown: EntrantRow) -> None:
        middle = pen.h / 2
        plate.draw(pen, shown.plate, 34, middle, 32)
        right = pen.w - 14
        pen.text(shown.name, 66, middle - 11, NAME, "low" if shown.gone else "hi", SEMIBOLD, room=right - 350, cut=True)
        pen.text(shown.gone or shown.team, 66, middle + 13, SMALL, "low" if shown.gone else "mid", SEMIBOLD,
                 room=right - 350, cut=True)  # fmt: skip
        x = right - 234
        if shown.here:
            pen.icon("check", x, middle, 24, "ok")
        elif not shown.gone:
            pen.fill(x - 42, 1, 84, pen.h - 3, "pri", 6)
            pen.text(self.screen_word, x, middle, BODY, "onpri", BOLD, "centre", room=78)
        pen.text(shown.time, right - 120, middle - 11, NAME, "hi", BOLD, "right")
        pen.text(shown.clock, right - 120, middle + 13, SMALL, "mid", SEMIBOLD, "right")
        pen.text(shown.table, right, middle - 11, NAME, "hi", BOLD, "right")
        pen.text(shown.grid, right, middle + 13, SMALL, "mid", SEMIBOLD, "right")

    @property
    def screen_word(self) -> str:
        from companion.screens.widgets.theme import theme

        return theme.words.screen("entrants.here")


class EntrantsScreen(RecordScreen):
    """Who is here. What is typed filters the list; a group of letters typed again goes on to its next one."""

    kind = "tournament"

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.typed, self.letters, self.missing, self.adding = "", False, False, False
        self.rows = Rows(EntrantView, self._toggle, self._leave, high=ROW)
        self.leaving: EntrantRow | None = None
        """Who is about to withdraw; a reason is wanted."""
        self.reasons = {why: Key(on_tap=partial(self._withdraw, why)) for why in REASONS}
        self.pad = [Key() for _ in FIGURES]
        self.clear = Key(on_tap=self._clear)
        self.filter, self.add = Key(on_tap=self._filter), Key(on_tap=self._add)
        self.tables, self.trials = Key(on_tap=self._tables), Key(on_tap=self._trials)
        self.none = Empty()
        self.line = Writing(on_done=self._written)

    def look(self, desk: RecordDesk[Any], words: Words) -> EntrantsShown:
        return entrants(desk.record, words, self.typed, self.missing)

    # -- what fingers do

    def _toggle(self, place: int) -> None:
        row: EntrantRow = self.now.rows[place]
        if not row.gone:
            self.do(lambda record: Here(numbers=(row.number,), here=not row.here))

    def _leave(self, place: int) -> None:
        """Somebody withdraws; why, is asked."""
        row: EntrantRow = self.now.rows[place]
        self.leaving = None if row.gone else row
        self.adding = False
        self.look_again()

    def _withdraw(self, why: str) -> None:
        if why == "other":
            self._write("entrants.reason_line", "")
        else:
            self._gone(self.say(f"entrants.why.{why}"))

    def _gone(self, why: str) -> None:
        row, self.leaving = self.leaving, None
        if row is not None:
            self.do(lambda record: Withdrawn(number=row.number, why=why))

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
        self._write("entrants.add_line", f"{self.typed} " if self.typed.isdecimal() else "")

    def _write(self, label: str, start: str) -> None:
        """Opens the line to write in."""
        self.adding = True
        self.line.show(Field(name=label, label=self.say(label), kind="text", value=start))
        self.line.line.text = start
        self.look_again()
        self.draw_now()
        self.line.line.focus = True

    def _written(self, text: str) -> None:
        self.adding = False
        if text.strip() and self.leaving is not None:
            self._gone(text)
        elif text.strip():
            self.do(lambda record: self._entered(record, text), self._clear)
        self.look_again()

    @staticmethod
    def _entered(record: Tournament, text: str) -> Act:
        return Entered(entrants=tuple(read_entrants(text, record.field.entrants)))

    def _trials(self) -> None:
        """Trials of who is here: those that are under way go on, else new ones begin, under the sky that was drawn."""
        folder = self.app.folder

        def of(desk: RecordDesk[Tournament]) -> tuple[str, Opened, tuple[SkyDrawn, ...]]:
            record, coloured = desk.record, plates(desk.record)
            numbers = record.field.racing or record.field.standing
            drivers = tuple(
                TrialDriver(number=n, name=record.field[n].name, team=record.field[n].team, colour=coloured[n].place)
                for n in numbers
            )
            begun = record.begun
            opened = Opened(name=record.name, track=begun.track, drivers=drivers, sessions=max(1, begun.sessions),
                            counts=begun.counts)  # fmt: skip
            skies = tuple(
                SkyDrawn(session=number, sky=drawn.sky, face=drawn.face)
                for (what, number), drawn in record.skies.items()
                if what == "session" and number <= opened.sessions
            )
            with contextlib.suppress(CompanionError):  # none was kept yet
                kept = kept_record(folder, "last", Trials.KIND)
                if isinstance(kept.record, Trials) and set(kept.record.drivers.values()) == set(drivers):
                    return kept.listed.log_id, opened, ()
            return "", opened, skies

        self.app.recording.do(of, self._to_trials, self.told)

    def _to_trials(self, found: tuple[str, Opened, tuple[SkyDrawn, ...]]) -> None:
        trials, opened, skies = found
        if trials:
            self.app.go("trial", trials=trials, event=self.record)
        elif opened.drivers:
            self.app.go("trial", opened=opened, skies=skies, event=self.record)

    def _tables(self) -> None:
        self.app.go("seeding", record=self.record)

    def back(self) -> bool:
        was = self.adding or bool(self.typed) or self.missing or self.leaving is not None
        self.leaving = None
        self.adding, self.missing, self.typed = False, False, ""
        if was:
            self.again()
        return was

    # -- where everything is

    def place(self) -> list[Any]:
        now: EntrantsShown = self.now
        self.bar.keep = 250.0
        self.bar.show(Title(text=self.say("entrants.title"), note=now.subtitle))
        self.tables.show(Face(label=self.say("entrants.tables"), icon="table", look="option", size=SMALL))
        left, top = self.w - RIGHT, self.h - BAND
        self.put(self.tables, self.w - 124, 0, 112, BAR)
        self.trials.show(Face(label=self.say("entrants.trials"), icon="clock", look="option", size=SMALL))
        self.put(self.trials, self.w - 244, 0, 112, BAR)
        seen: list[Any] = [self.put_undo(now.undo), self.tables, self.trials]
        if now.of:
            self.rows.show(now.rows)
            self.put(self.rows, 0, BAR + HEAD, left, top - BAR - HEAD)
            seen.append(self.rows)
        else:
            self.none.show(Nothing(icon="person", title=self.say("entrants.none"), note=self.say("entrants.none_note")))
            self.put(self.none, 20, BAR + 50, left - 40, top - BAR - 80)
            seen.append(self.none)
        self.put(self.clear, self.w - 72, 56, 60, 52)
        self.clear.show(Face(icon="cross", look="option"))
        seen.append(self.clear)
        wide = (RIGHT - 24 - 16) / 3
        for at, (sign, key) in enumerate(zip(self.pad_signs, self.pad, strict=True)):
            key.on_tap = partial(self._press, sign)
            face = Face(icon="erase", look="option") if sign == "<" else Face(
                label=sign, look="option", size=BODY if len(sign) > 1 else CLOCK)  # fmt: skip
            key.show(face)
            self.put(key, left + 12 + at % 3 * (wide + 8), 116 + at // 3 * 65, wide, 57)
        seen += self.pad
        if self.leaving is not None:
            wide = (self.w - 128 - 12 - WHY) / len(REASONS)
            for at, (why, reason) in enumerate(self.reasons.items()):
                reason.show(Face(label=self.say(f"entrants.why.{why}"), look="option" if why == "other" else "answer"))
                self.put(reason, 128 + WHY + at * wide + 8, top + 8, wide - 8, KEYS)
            return [*seen, *self.reasons.values(), *self._place_line(top)]
        free = ", ".join(map(str, now.free))
        self.filter.show(Face(label=self.say("entrants.everybody" if self.missing else "entrants.not_here"),
                              note=self.say("entrants.drivers", count=now.of if self.missing else now.missing),
                              look="option", size=BODY))  # fmt: skip
        self.put(self.filter, left, top + 8, 136, KEYS)
        wanted = self.typed.isdecimal() and int(self.typed) in now.free
        look: Any = "answer" if wanted else "option"
        self.add.show(Face(label=self.say("entrants.add"), icon="plus", look=look, size=NAME,
                           prices=(Price(text=self.say("entrants.free", numbers=free), tone="ok"),)))  # fmt: skip
        self.put(self.add, left + 144, top + 8, RIGHT - 156, KEYS)
        return [*seen, self.filter, self.add, *self._place_line(top)]

    def _place_line(self, top: float) -> list[Any]:
        if not self.adding:
            return []
        self.put(self.line, 112, top - 90, self.w - RIGHT - 124, 76)
        return [self.line]

    def draw(self, pen: Pen) -> None:
        now: EntrantsShown = self.now
        left, top = pen.w - RIGHT, pen.h - BAND
        pen.fill(left, BAR, 1, top - BAR, "line")
        pen.fill(0, BAR + HEAD - 1, left, 1, "line")
        y, right = BAR + HEAD / 2, left - 14
        pen.text(now.found, 20, y, CAPTION, "low", SEMIBOLD, room=right - 270, cut=True)
        pen.text(self.say("entrants.here"), right - 234, y, CAPTION, "low", SEMIBOLD, "centre")
        pen.text(self.say("entrants.trial"), right - 120, y, CAPTION, "low", SEMIBOLD, "right")
        pen.text(self.say("entrants.table"), right, y, CAPTION, "low", SEMIBOLD, "right")
        pen.fill(left + 12, 56, RIGHT - 92, 52, "bg2", 8)
        pen.rim(left + 12, 56, RIGHT - 92, 52, "pri", 3, 8)
        pen.icon("search", left + 34, 82, 20, "mid")
        x = left + 54 + pen.text(self.typed, left + 54, 82, CLOCK, "hi", BOLD)
        pen.fill(x + 3, 68, 2, 28, "hi")
        pen.fill(0, top, pen.w, BAND, "bg2")
        pen.fill(0, top, pen.w, 1, "line")
        if self.leaving is not None:
            leaving = self.leaving
            plate.draw(pen, leaving.plate, 146, top + 32, 36)
            pen.text(leaving.name, 172, top + 32, VALUE, "hi", BOLD, room=WHY - 48, cut=True)
            pen.text(self.say("entrants.ask_why"), 128, top + 70, BODY, "mid", SEMIBOLD, room=WHY - 4)
            return
        pen.text(self.say("entrants.ask"), 128, top + 31, QUESTION, "hi", BOLD, room=left - 140)
        if now.of:
            room = left - 128 - 20 - 66
            each = room / now.of
            for at in range(now.of):
                ink = "ok" if at < now.here else "bg4"
                pen.fill(128 + at * each, top + 58, max(1.0, each - (2 if each > 5 else 1)), 14, ink, 1)
            pen.text(f"{now.here}/{now.of}", left - 16, top + 65, VALUE, "hi", BOLD, "right", room=64)
