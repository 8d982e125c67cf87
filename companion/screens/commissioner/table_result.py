"""A table of a tournament or a race of a season: it is started here or typed from paper, and its result made official
by a second person, or put right."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec

from companion.desk.organising import collect
from companion.desk.record_desk import RecordDesk
from companion.drawing import lettering
from companion.screens.app.visits import OfRecord
from companion.screens.commissioner.record_screen import BAND, KEYS, RecordScreen
from companion.screens.widgets import plate
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.menu import WIDE as MENU
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.theme import BODY, CAPTION, NAME, QUESTION, SMALL, VALUE, theme
from companion.screens.widgets.title_bar import HIGH as BAR
from companion.screens.widgets.title_bar import Title
from companion.screens.widgets.touch import Target
from companion.screens.widgets.writing import Writing
from companion.tournament.results import Confirmed, Corrected, Line, Result
from companion.tournament.season import Season
from companion.tournament.tournament import Steward
from companion.view.acts import TakeBack
from companion.view.shown import Field, Price, Toast
from companion.view.table_result import Person, TableLine, TableShown, table_result
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

RIGHT: Final = 290.0
HEAD: Final = 29.0
ROW: Final = 37.5
TALL: Final = 52.0
CHIP: Final = 190.0
MAIN: Final = 190.0
REASONS: Final = ("misread", "sheet", "dispute", "other")


class LineView(RowView):
    """Draws a `TableLine`; with a mark if it is the one that is moved."""

    def draw(self, pen: Pen, shown: tuple[TableLine, bool]) -> None:
        line, chosen = shown
        middle = pen.h / 2
        if chosen:
            self.choose(pen)
        ink = "mid" if line.out else "hi"
        pen.text(line.place, 30, middle, BODY, "mid", SEMIBOLD, "right")
        plate.draw(pen, line.plate, 54, middle, 28)
        pen.text(line.name, 80, middle, NAME, ink, SEMIBOLD, room=86, cut=True, floor=SMALL)
        right = pen.w - 16
        pen.text(line.points, right, middle, VALUE, "low" if line.out else "hi", BOLD, "right")
        pen.text(line.grid, right - 68, middle, SMALL, "mid", SEMIBOLD, "right")
        article = pen.text(line.article, right - 96, middle, CAPTION, "low", SEMIBOLD, "right", room=60, cut=True)
        pen.text(line.note, 172, middle, SMALL, "mid", SEMIBOLD, room=right - 104 - article - 172, cut=True)


class PersonKey(Target):
    """Shows a `Person` and whether it is he who confirms."""

    def paint(self, pen: Pen) -> None:
        if self.shown is None:
            return
        person, chosen = self.shown
        pen.fill(0, 0, pen.w, pen.h, "bg4" if self.pressed else "bg3", 8)
        if chosen:
            pen.rim(0, 0, pen.w, pen.h, "pri", 3, 8)
        pen.text(person.name, 12, 19, BODY, "hi", BOLD, room=pen.w - 20, cut=True)
        pen.text(person.note, 12, 41, CAPTION, "mid", SEMIBOLD, room=pen.w - 20, cut=True)


class Chip(Pane):
    """How official a result is, in the bar at the top."""

    def paint(self, pen: Pen) -> None:
        if self.shown is not None:
            text, tone = self.shown
            wide = pen.width(text, CAPTION) + 16
            pen.rim(pen.w - wide - 12, 12, wide, 24, tone, 1.5, 3)
            pen.text(text, pen.w - wide / 2 - 12, 24, CAPTION, tone, SEMIBOLD, "centre")


class TableResultScreen(RecordScreen):
    """The table that `given["table"]` says, such as 1.3, or the race of a season; with `given["correct"]` its result is
    to be put right."""

    kind = "tournament"

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.rows, self.tall = Rows(LineView, high=ROW), Rows(LineView, self._choose, high=TALL)
        self.people = [PersonKey() for _ in range(4)]
        self.differs = Key(on_tap=self._differs)
        self.chip = Chip()
        self.steward = Key(on_tap=self._steward)
        self.who = ""
        self.line = Writing(on_done=self._named)
        self.naming = False
        """Whether the second person types a name."""
        self.order: list[int] = []
        """Of the result as it is being put right, or typed from paper; empty while it is not."""
        self.gone: set[int] = set()
        """Who is out in it."""
        self.paper, self.out = Key(on_tap=self._differs), Key(on_tap=self._out)
        self.enter = Key(on_tap=self._enter)
        self.chosen = 0
        self.shifts = {-1: Key(on_tap=partial(self._shift, -1)), 1: Key(on_tap=partial(self._shift, 1))}
        self.reasons = {why: Key(on_tap=partial(self._correct, why)) for why in REASONS}
        self._collected = False

    def look(self, desk: RecordDesk[Any], words: Words) -> TableShown:
        if not self._collected:  # what was raced meanwhile comes in by itself
            self._collected = True
            collect(desk)
        return table_result(desk.record, words, self.given.get("table", "1.1"))

    # -- what fingers do

    def _person(self, name: str) -> None:
        self.who = "" if self.who == name else name
        self.look_again()

    def _other(self) -> None:
        """Somebody whose name is not offered types it."""
        self._write("who", "table.other_line")

    def _write(self, name: str, label: str) -> None:
        """Opens the line to write in."""
        self.naming = True
        self.line.show(Field(name=name, label=self.say(label), kind="text", high=60))
        self.line.line.text = ""
        self.look_again()
        self.draw_now()
        self.line.line.focus = True

    def _named(self, text: str) -> None:
        self.naming = False
        said = " ".join(text.split())
        if not self.order:
            self.who = said
        elif said:
            self._because(said)
        self.look_again()

    def _confirm(self) -> None:
        key, by = self.now.key, self.who
        self.do(lambda record: Confirmed(race=key), by=by)

    def _steward(self) -> None:
        """Who is the steward of this table."""
        key = self.now.key
        self.asking.word(self.say("table.ask_steward", table=self.now.at), self.say("table.steward"),
                         lambda name: self.do(lambda _: Steward(table=key, name=name)) if name else None,
                         self.now.steward or "")  # fmt: skip

    def _start(self) -> None:
        self.start(self.now.key)

    def _seen(self, found: Any) -> None:
        super()._seen(found)
        if self.given.pop("correct", False) and found is self.now and not self.order:
            self._differs()

    def _differs(self) -> None:
        """Opens the result to be put right, or one from paper in the order of the grid; or closes it."""
        lines = () if self.order else self.now.lines
        self.order = [line.driver for line in lines]
        known = self.now.state != "to_come"
        self.gone = {line.driver for line in lines if line.place is None and known}
        self.chosen = 0
        self.look_again()

    def correct(self, race: str) -> None:
        if race == self.now.key:
            self._differs()
        else:
            super().correct(race)

    def _choose(self, place: int) -> None:
        self.chosen = place
        self.look_again()

    def _shift(self, by: int) -> None:
        to = self.chosen + by
        if 0 <= to < self._placed and self.chosen < self._placed:
            self.order.insert(to, self.order.pop(self.chosen))
            self.chosen = to
            self.look_again()

    def _out(self) -> None:
        """Who is chosen is out, and stands behind; or is placed last after all."""
        driver = self.order.pop(self.chosen)
        placed = self._placed
        if driver in self.gone:
            self.gone.remove(driver)
        else:
            placed = len(self.order) - len(self.gone)
            self.gone.add(driver)
        self.order.insert(placed, driver)
        self.chosen = placed
        self.look_again()

    @property
    def _placed(self) -> int:
        """How many are placed; who is out stays behind."""
        return sum(driver not in self.gone for driver in self.order)

    def _lines(self) -> tuple[Line, ...]:
        by_driver = {line.driver: line for line in self.now.lines}
        return tuple(
            msgspec.structs.replace(by_driver[driver], place=None if driver in self.gone else at)
            for at, driver in enumerate(self.order, 1)
        )

    def _enter(self) -> None:
        """The result as it was typed from paper."""
        key, lines = self.now.key, self._lines()
        self.do(
            lambda record: Result(race=key, lines=lines),
            self._differs,
            by=self.app.recording.signing.name or self.say("table.control"),
        )

    def _correct(self, why: str) -> None:
        if why == "other":
            self._write("other", "entrants.reason_line")
        else:
            self._because(self.say(f"table.why.{why}"))

    def _because(self, why: str) -> None:
        key, lines = self.now.key, self._lines()

        def act(record: Any) -> Corrected:
            made = Corrected(race=key, lines=lines, why=why)
            if isinstance(record, Season) and record.turns_grid(made):
                self.app.recording.do(lambda _: None, lambda _: self.app.tell(Toast(text=self.say("table.turns"))))
            return made

        self.order = []
        self.do(act)

    def back(self) -> bool:
        if super().back():
            return True
        was = bool(self.order) or self.naming
        self.order, self.naming = [], False
        self.look_again()
        return was

    @property
    def table_here(self) -> str:
        return f"{'table' if self.now.state == 'to_come' else 'classification'} {self.now.key}"

    # -- where everything is

    def place(self) -> list[Any]:
        now: TableShown = self.now
        self.bar.keep = CHIP + MENU
        self.bar.show(Title(text=now.title, note=now.subtitle))
        tone = {"official": "ok", "entered": "warn", "to_come": "mid"}[now.state]
        name = {"official": "official", "entered": "not_official", "to_come": "to_come"}[now.state]
        self.chip.show((self.say(f"table.{name}"), tone))
        self.put(self.chip, self.w - MENU - CHIP, 0, CHIP, BAR)
        left, top = self.w - RIGHT, self.h - BAND
        seen: list[Any] = [self.put_undo(TakeBack() if self.order else now.undo), self.chip]
        rows, view = now.rows, self.rows
        if self.order:
            view = self.tall
            by_number = {row.number: row for row in now.rows}
            rows = tuple(self._as_typed(by_number[number], at) for at, number in enumerate(self.order, 1))
        view.show([(row, bool(self.order) and at == self.chosen) for at, row in enumerate(rows)])
        self.put(view, 0, BAR + HEAD, left, top - BAR - HEAD)
        seen.append(view)
        if self.order:
            seen += self._place_correcting(left)
        else:
            seen += self._place_people(now, left) if now.state == "entered" else []
            seen += self._place_keys(now)
        if self.naming:
            self.put(self.line, 20, top - 90, left - 40, 76)
            seen.append(self.line)
        return seen

    def _as_typed(self, line: TableLine, at: int) -> TableLine:
        """A line with the place that it is given now."""
        out = line.number in self.gone
        return msgspec.structs.replace(line, place="–" if out else str(at), points="", out=out)

    def _place_people(self, now: TableShown, left: float) -> list[Any]:
        control = Person(name=self.say("table.control"), note=self.say("table.control_note"))
        offered = (*now.people[:2], control)
        typed = self.who if self.who not in {person.name for person in offered} else ""
        offered = (*offered, Person(name=typed or self.say("table.other"), note=self.say("table.other_note")))
        wide = (RIGHT - 14 - 12 - 8) / 2
        for at, (person, key) in enumerate(zip(offered, self.people, strict=False)):
            last = at == len(offered) - 1
            key.on_tap = self._other if last else partial(self._person, person.name)
            key.show((person, bool(typed) if last else person.name == self.who))
            self.put(key, left + 14 + at % 2 * (wide + 8), 230 + at // 2 * 66, wide, 58)
        return self.people[: len(offered)]

    def _place_keys(self, now: TableShown) -> list[Any]:
        top, right = self.h - BAND + 8, self.w - 12
        if now.state == "to_come":
            self.paper.show(Face(label=self.say("table.from_paper"), icon="edit", look="option", size=BODY))
            self.put(self.paper, right - 348, top, 150, KEYS)
            price = Price(text=self.say("table.start_cars", count=len(now.rows)), tone="ok")
            self.main.show(Face(label=self.say("table.start"), size=VALUE, prices=(price,)))
            self.main.on_tap = self._start
            self.put(self.main, right - MAIN, top, MAIN, KEYS)
            if now.steward is None:
                return [self.paper, self.main]
            label = now.steward or self.say("table.no_steward")
            self.steward.show(Face(label=label, note=self.say("table.steward"), icon="person", look="option"))
            self.put(self.steward, self.w - RIGHT + 14, BAR + 16, RIGHT - 26, 84)
            return [self.paper, self.main, self.steward]
        note = self.say("table.differs_note")
        self.differs.show(Face(label=self.say("table.differs"), note=note, icon="edit", look="option", size=BODY))
        if now.state == "official":
            self.put(self.differs, right - 150, top, 150, KEYS)
            return [self.differs]
        self.put(self.differs, right - 348, top, 150, KEYS)
        if self.who:
            said = self.say("table.confirm_by", by=self.who)
            said = lettering.cut(said, round(theme.dp(CAPTION)), SEMIBOLD, theme.dp(MAIN - 16))
            price = Price(text=said, tone="ok")
            self.main.show(Face(label=self.say("table.confirm"), size=VALUE, prices=(price,)))
            self.main.on_tap = self._confirm
        else:
            note = self.say("table.who")
            self.main.show(Face(label=self.say("table.confirm"), look="barred", size=VALUE, note=note))
            self.main.on_tap = None
        self.put(self.main, right - MAIN, top, MAIN, KEYS)
        return [self.differs, self.main]

    def _place_correcting(self, left: float) -> list[Any]:
        top, right = self.h - BAND + 8, self.w - 12
        for at, (by, key) in enumerate(self.shifts.items()):
            can = 0 <= self.chosen + by < self._placed and self.chosen < self._placed
            face = Face(label=self.say("table.up" if by < 0 else "table.down"), icon="up" if by < 0 else "down",
                        look="option" if can else "barred", size=NAME)  # fmt: skip
            key.show(face)
            self.put(key, left + 14, 76 + at * 92, RIGHT - 26, 84)
        is_out = self.order[self.chosen] in self.gone
        self.out.show(Face(label=self.say("table.placed" if is_out else "table.is_out"), icon="flag" if is_out else
                           "cross", look="option", size=NAME))  # fmt: skip
        self.put(self.out, left + 14, 76 + 2 * 92, RIGHT - 26, 84)
        seen = [*self.shifts.values(), self.out]
        if self.now.state == "to_come":
            price = Price(text=self.say("table.paper"), tone="ok")
            self.enter.show(Face(label=self.say("table.enter"), size=VALUE, prices=(price,)))
            self.put(self.enter, right - MAIN, top, MAIN, KEYS)
            return [*seen, self.enter]
        changed = self._changed()
        for at, (why, key) in enumerate(self.reasons.items()):
            key.on_tap = partial(self._correct, why) if changed else None
            look: Any = "barred" if not changed else "option" if why == "other" else "answer"
            key.show(Face(label=self.say(f"table.why.{why}"), look=look, size=BODY))
            self.put(key, right - (len(self.reasons) - at) * 110 + 8, top, 102, KEYS)
        return [*seen, *self.reasons.values()]

    def _changed(self) -> list[Line]:
        """The lines whose place would be another one."""
        before = {line.driver: line.place for line in self.now.lines}
        return [line for line in self._lines() if line.place != before[line.driver]]

    def draw(self, pen: Pen) -> None:
        now: TableShown = self.now
        left, top, y = pen.w - RIGHT, pen.h - BAND, BAR + HEAD / 2
        pen.fill(left, BAR, 1, top - BAR, "line")
        pen.fill(0, BAR + HEAD - 1, left, 1, "line")
        pen.text(self.say("table.finish"), 44, y, CAPTION, "low")
        pen.text(self.say("table.points"), left - 16, y, CAPTION, "low", SEMIBOLD, "right")
        pen.text(self.say("table.grid"), left - 76, y, CAPTION, "low", SEMIBOLD, "right")
        pen.text(self.say("table.article"), left - 124, y, CAPTION, "low", SEMIBOLD, "right")
        pen.fill(0, top, pen.w, BAND, "bg2")
        pen.fill(0, top, pen.w, 1, "line")
        asked = {"to_come": "ask_start", "entered": "ask_confirm", "official": "ask_official"}[now.state]
        noted = {"to_come": "start_note", "entered": "after", "official": "confirmed"}[now.state]
        if self.order:
            asked, noted = "ask_differs", "tap_row"
        typing = self.order and now.state == "to_come"
        if typing:
            asked, noted = "ask_paper", "tap_order"
        taken = 206 if typing else 448 if self.order else 166 if now.state == "official" else 360
        room = pen.w - 128 - 12 - taken
        season = self.record_kind == "season"
        pen.text(
            self.say(f"table.{asked}", table=now.at, season=season), 128, top + 31, QUESTION, "hi", BOLD, room=room
        )
        said = self.say(f"table.{noted}", by=now.official_by)
        if self.order and not typing and (moved := self._changed()):
            was = {line.driver: line.place or 0 for line in now.lines}
            said = ", ".join(
                self.say("table.moves", car=line.driver, was=was[line.driver], now=line.place or 0) for line in moved
            )
        pen.text(said, 128, top + 67, SMALL, "mid", SEMIBOLD, room=room, cut=True)
        if not self.order and now.state != "to_come":
            self._draw_log(pen, now, left)

    def _draw_log(self, pen: Pen, now: TableShown, left: float) -> None:
        x, right = left + 14, pen.w - 12
        pen.text(self.say("table.log"), x, 66, CAPTION, "low", SEMIBOLD)
        if now.digest:
            pen.text(now.digest, x, 90, NAME, "hi", BOLD, room=RIGHT - 26)
            pen.text(now.entries, x, 113, CAPTION, "mid", SEMIBOLD)
        else:
            said = self.say("table.paper")
            wide = pen.width(said, CAPTION) + 16
            pen.rim(x, 82, wide, 26, "warn", 1.5, 3)
            pen.text(said, x + wide / 2, 95, CAPTION, "warn", SEMIBOLD, "centre")
        pen.fill(left, 130, RIGHT, 1, "line")
        pen.text(self.say("table.first"), x, 149, CAPTION, "low", SEMIBOLD)
        pen.icon("check", x + 10, 174, 20, "ok")
        at = pen.text(now.first_at, right, 174, SMALL, "mid", SEMIBOLD, "right")
        pen.text(now.first, x + 28, 174, BODY, "hi", SEMIBOLD, room=RIGHT - 64 - at, cut=True)
        pen.fill(left, 194, RIGHT, 1, "line")
        if now.state == "entered":
            pen.text(self.say("table.second"), x, 213, CAPTION, "low", SEMIBOLD, room=RIGHT - 26)
        else:
            pen.icon("check", x + 10, 219, 20, "ok")
            pen.text(now.official_by, x + 28, 219, BODY, "hi", SEMIBOLD, room=RIGHT - 64, cut=True)
