"""A table of a tournament or a race of a season: it is started here or typed from paper, and its result made official
by a second person, or put right."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec

from companion.desk.record_desk import RecordDesk
from companion.drawing import lettering
from companion.screens.app.visits import OfRecord
from companion.screens.commissioner.record_screen import RecordScreen
from companion.screens.widgets import plate
from companion.screens.widgets.foot import BAND, KEYS, ask, deed, ground
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.menu import WIDE as MENU
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.stepper import Stepper
from companion.screens.widgets.theme import BODY, CAPTION, NAME, SMALL, VALUE, theme
from companion.screens.widgets.title_bar import HIGH as BAR
from companion.screens.widgets.title_bar import Title
from companion.screens.widgets.touch import Target
from companion.tournament.draft import Draft
from companion.tournament.results import POINTS, Confirmed, Corrected, Line, Result
from companion.tournament.tournament import Seated, Steward
from companion.view.commissioner.acts import TakeBack
from companion.view.commissioner.table_result import (
    Person,
    TableLine,
    TableShown,
    consequences,
    differences,
    table_result,
    told,
)
from companion.view.shown import Field
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

RIGHT: Final = 290.0
HEAD: Final = 29.0
ROW: Final = 37.5
TALL: Final = 52.0
CHIP: Final = 190.0
MAIN: Final = 190.0
REASONS: Final = ("misread", "sheet", "dispute")
"""Why a result is put right; another reason is typed."""
LATE: Final = ("came", "told")
"""Why somebody has no seat yet; another reason is typed."""


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
        right = pen.w - 16
        pen.text(line.points, right, middle, VALUE, "low" if line.out else "hi", BOLD, "right")
        pen.text(line.grid, right - 68, middle, SMALL, "mid", SEMIBOLD, "right")
        article = pen.text(line.article, right - 96, middle, CAPTION, "low", SEMIBOLD, "right", room=60, cut=True)
        end = right - 104 - article - (6 if line.article else 0)
        room = max(86.0, end - 80 - pen.width(line.note, SMALL, SEMIBOLD) - (6 if line.note else 0))
        wide = pen.text(line.name, 80, middle, NAME, ink, SEMIBOLD, room=room, cut=True, floor=SMALL)
        note = max(172.0, 86 + wide)
        pen.text(line.note, note, middle, SMALL, "mid", SEMIBOLD, room=end - note, cut=True)


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
        self.late = [Key() for _ in range(2)]
        self.who = ""
        self.draft: Draft | None = None
        """The result as it is being put right, or typed from paper."""
        self.paper, self.out = Key(on_tap=self._differs), Key(on_tap=self._out)
        self.enter = Key(on_tap=self._enter)
        self.chosen = 0
        steps = {"place": self._to_place, "cause": self._out_by, "points": self._given}
        self.steppers = {name: Stepper(step) for name, step in steps.items()}

    def look(self, desk: RecordDesk[Any], words: Words) -> TableShown:
        self.collect(desk)
        return table_result(desk.record, words, self.given.get("table", "1.1"))

    # -- what fingers do

    def _person(self, name: str) -> None:
        self.who = "" if self.who == name else name
        self.look_again()

    def _other(self) -> None:
        """Somebody whose name is not offered types it."""
        self.asking.word(self.say("table.ask_other"), self.say("table.other_line"), self._person, most=60)

    def _confirm(self) -> None:
        key, by, self.who = self.now.key, self.who, ""
        self.do(lambda record: Confirmed(race=key), by=by)

    def _steward(self) -> None:
        """Who is the steward of this table."""
        key = self.now.key
        self.asking.word(self.say("table.ask_steward", table=self.now.at), self.say("table.steward"),
                         lambda name: self.do(lambda _: Steward(table=key, name=name)) if name else None,
                         self.now.steward or "")  # fmt: skip

    def _seat(self, number: int) -> None:
        """Who came late sits down at this table: why, is asked."""
        key = self.now.key
        self.asking.why(self.say("table.ask_late", table=self.now.at), "table.late_reason", LATE,
                        lambda why: self.do(lambda _: Seated(table=key, driver=number, why=why)))  # fmt: skip

    def _start(self) -> None:
        self.start(self.now.key)

    def _seen(self, found: Any) -> None:
        super()._seen(found)
        if self.given.pop("correct", False) and found is self.now and self.draft is None:
            self._differs()

    def _differs(self) -> None:
        """Opens the result to be put right, or one from paper in the order of the grid; or closes it."""
        draft = Draft(self.now.lines, self.now.away, places_retired=self.now.places_retired)
        self.draft = draft if self.draft is None and draft.lines else None
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

    def _follow(self, place: int) -> None:
        """Who was moved is chosen still, and seen."""
        self._choose(place)
        self.tall.reveal(place)

    def _to_place(self, place: int) -> None:
        if self.draft is not None:
            self._follow(self.draft.move(self.chosen, place - 1))

    def _out(self) -> None:
        """Who is chosen is out, or is placed last after all."""
        if self.draft is not None:
            out = self.draft.is_out(self.chosen)
            self._follow(self.draft.home(self.chosen) if out else self.draft.out(self.chosen))

    def _out_by(self, at: int) -> None:
        if self.draft is not None:
            self._follow(self.draft.because(self.chosen, self.now.causes[at].answer))

    def _given(self, points: int) -> None:
        if self.draft is not None:
            self.draft.give(self.chosen, points, self.now.scale)
            self.look_again()

    def _enter(self) -> None:
        """The result as it was typed from paper, or put right: then why, is asked, and what it changes is told."""
        assert self.draft is not None
        key, lines, words = self.now.key, self.draft.raced, theme.words
        if self.now.state == "to_come":
            by = self.app.recording.signing.name or self.say("table.control")
            self.do(lambda record: Result(race=key, lines=lines), self._entered, by=by)
            return

        def correct(why: str) -> None:
            self.do(lambda _: Corrected(race=key, lines=lines, why=why), self._entered)

        def ask(note: str) -> None:
            self.asking.why(self.say("table.ask_why"), "table.why", REASONS, correct, note)

        probe = Corrected(race=key, lines=lines, why="?")
        self.app.recording.do(lambda desk: consequences(desk.record, probe, words), self.if_here(ask), self.told)

    def _entered(self) -> None:
        self.draft = None

    def _told(self, row: TableLine, line: Line) -> TableLine:
        """A line of the draft; of who is away it is said."""
        made = told(row, line, self.now.scale, theme.words)
        return msgspec.structs.replace(made, note=made.note or row.note) if line.driver in self.now.away else made

    def back(self) -> bool:
        if super().back():
            return True
        was, self.draft = self.draft is not None, None
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
        draft = self.draft
        seen: list[Any] = [self.put_undo(now.undo if draft is None else TakeBack()), self.chip]
        rows, view = now.rows, self.rows
        if draft is not None:
            view = self.tall
            by_number = {row.number: row for row in now.rows}
            rows = tuple(self._told(by_number[line.driver], line) for line in draft.lines)
        view.show([(row, draft is not None and at == self.chosen) for at, row in enumerate(rows)])
        self.put(view, 0, BAR + HEAD, left, top - BAR - HEAD)
        seen.append(view)
        if draft is not None:
            return [*seen, *self._place_correcting(draft, left)]
        people = self._place_people(now, left) if now.state == "entered" else []
        return [*seen, *people, *self._place_keys(now)]

    def _place_people(self, now: TableShown, left: float) -> list[Any]:
        control = Person(name=self.say("table.control"), note=self.say("table.control_note"))
        offered = (*now.people[:2], control)
        typed = self.who if self.who not in {person.name for person in offered} else ""
        offered = (*offered, Person(name=typed or self.say("table.other"), note=self.say("table.other_note")))
        for at, (person, key) in enumerate(zip(offered, self.people, strict=False)):
            last = at == len(offered) - 1
            key.on_tap = self._other if last else partial(self._person, person.name)
            key.show((person, bool(typed) if last else person.name == self.who))
        seen = self.people[: len(offered)]
        self.put_rows(seen, left + 14, 230, RIGHT - 26, 58, across=2)
        return seen

    def _place_keys(self, now: TableShown) -> list[Any]:
        top, right = self.h - BAND + 8, self.w - 12
        if now.state == "to_come":
            label, nobody = self.say("table.from_paper"), "" if now.lines else self.say("entrants.none")
            look: Any = "barred" if nobody else "option"
            self.paper.show(Face(label=label, icon="edit", look=look, size=BODY, note=nobody))
            self.put(self.paper, right - 348, top, 150, KEYS)
            racing = len(now.rows) - len(now.away)
            self.main.on_tap = self._start
            self.put_main(deed(self.say("table.start"), self.say("table.start_cars", count=racing)), MAIN)
            if now.steward is None:
                return [self.paper, self.main]
            label = now.steward or self.say("table.no_steward")
            self.steward.show(Face(label=label, note=self.say("table.steward"), icon="person", look="option"))
            self.put(self.steward, self.w - RIGHT + 14, BAR + 16, RIGHT - 26, 84)
            late = self.late[: len(now.late)]
            for key, (number, name) in zip(late, now.late, strict=False):
                key.on_tap = partial(self._seat, number)
                key.show(Face(label=f"{number} {name}", note=self.say("table.late"), icon="plus", look="option"))
            self.put_rows(late, self.w - RIGHT + 14, BAR + 116, RIGHT - 26, 84, across=1)
            return [self.paper, self.main, self.steward, *late]
        note = self.say("table.differs_note")
        self.differs.show(Face(label=self.say("table.differs"), note=note, icon="edit", look="option", size=BODY))
        if now.state == "official":
            self.put(self.differs, right - 150, top, 150, KEYS)
            return [self.differs]
        self.put(self.differs, right - 348, top, 150, KEYS)
        if self.who:
            said = self.say("table.confirm_by", by=self.who)
            said = lettering.cut(said, round(theme.dp(CAPTION)), SEMIBOLD, theme.dp(MAIN - 16))
            face = deed(self.say("table.confirm"), said)
            self.main.on_tap = self._confirm
        else:
            face = Face(label=self.say("table.confirm"), look="barred", size=VALUE, note=self.say("table.who"))
            self.main.on_tap = None
        return [self.differs, self.put_main(face, MAIN)]

    def _place_correcting(self, draft: Draft, left: float) -> list[Any]:
        """The steppers of the chosen line below each other, and whether it is out."""
        now: TableShown = self.now
        line, x, wide = draft.lines[self.chosen], left + 14, RIGHT - 26
        cause = next(at for at, key in enumerate(now.causes) if key.answer == line.cause)
        place = self.chosen + 1
        steps = {
            "place": {"value": place, "low": 1, "high": draft.placed} if line.place is not None else
                     {"value": 0, "keys": (now.causes[0],)},
            "cause": {"value": cause, "high": len(now.causes) - 1, "keys": now.causes},
            "points": {"value": line.scored(now.scale), "high": POINTS},
        }  # fmt: skip
        for name, facts in steps.items():
            self.steppers[name].show(Field(name=name, label=self.say(f"table.step_{name}"), **facts))
        self.put_rows([self.steppers[name] for name in steps], x, BAR + 4, wide, 76, across=1, gap=2)
        word, icon = ("placed", "flag") if draft.is_out(self.chosen) else ("is_out", "cross")
        self.out.show(Face(label=self.say(f"table.{word}"), icon=icon, look="option", size=NAME))
        self.put(self.out, x, BAR + 10 + 3 * 78, wide, 76)
        typing = now.state == "to_come"
        if typing or draft.changed:
            self.enter.show(deed(self.say("table.enter"), self.say("table.paper" if typing else "acts.with_reason")))
            self.enter.on_tap = self._enter
        else:
            nothing = self.say("table.nothing")
            self.enter.show(Face(label=self.say("table.enter"), look="barred", size=VALUE, note=nothing))
            self.enter.on_tap = None
        self.put(self.enter, self.w - 12 - MAIN, self.h - BAND + 8, MAIN, KEYS)
        return [*self.steppers.values(), self.out, self.enter]

    def draw(self, pen: Pen) -> None:
        now: TableShown = self.now
        left, top, y = pen.w - RIGHT, pen.h - BAND, BAR + HEAD / 2
        pen.fill(left, BAR, 1, top - BAR, "line")
        pen.fill(0, BAR + HEAD - 1, left, 1, "line")
        pen.text(self.say("table.finish"), 44, y, CAPTION, "low")
        pen.text(self.say("table.points"), left - 16, y, CAPTION, "low", SEMIBOLD, "right")
        pen.text(self.say("table.grid"), left - 76, y, CAPTION, "low", SEMIBOLD, "right")
        pen.text(self.say("table.article"), left - 124, y, CAPTION, "low", SEMIBOLD, "right")
        ground(pen)
        asked = {"to_come": "ask_start", "entered": "ask_confirm", "official": "ask_official"}[now.state]
        noted = {"to_come": "start_note", "entered": "after", "official": "confirmed"}[now.state]
        draft, said = self.draft, ""
        if draft is not None:
            typing = now.state == "to_come"
            asked, noted = ("ask_paper", "tap_order") if typing else ("ask_differs", "tap_row")
            said = "" if typing else " ".join(differences(now.lines, draft.lines, now.scale, theme.words))
        taken = 206 if draft is not None else 166 if now.state == "official" else 360
        room = pen.w - 128 - 12 - taken
        season = self.record_kind == "season"
        if now.overtaken:
            noted = "overtaken"
        said = said or self.say(f"table.{noted}", by=now.official_by or now.overtaken)
        ask(pen, self.say(f"table.{asked}", table=now.at, season=season), said, 128, room)
        if draft is None and now.state != "to_come":
            self._draw_log(pen, now, left)

    def _draw_log(self, pen: Pen, now: TableShown, left: float) -> None:
        x, right = left + 14, pen.w - 12
        pen.text(self.say("table.log"), x, 66, CAPTION, "low", SEMIBOLD)
        if now.digest:
            pen.text(now.digest, x, 90, NAME, "hi", BOLD, room=RIGHT - 26)
            pen.text(now.entries, x, 113, CAPTION, "mid", SEMIBOLD, room=RIGHT - 26, cut=True)
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
