"""A tournament table or a season's race: start, result, confirmation and correction.

It is started here or its result typed from paper; a second person makes the result official.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec

from companion.desk.record_desk import RecordDesk
from companion.drawing import lettering
from companion.screens.app.visits import OfRecord
from companion.screens.events.record_screen import RecordScreen
from companion.screens.kit import plate
from companion.screens.kit.compose import TITLE_BAR as BAR
from companion.screens.kit.compose import Area, Title, Ui
from companion.screens.kit.foot import deed
from companion.screens.kit.key import Face, Look
from companion.screens.kit.menu import WIDE as MENU
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.stepper import Stepper
from companion.screens.kit.theme import BODY, CAPTION, NAME, SMALL, VALUE, theme
from companion.screens.kit.touch import Target
from companion.tournament.draft import ResultDraft
from companion.tournament.record import RACE_CONTROL
from companion.tournament.results import POINTS, Confirmed, Result, ResultCorrected, ResultLine
from companion.tournament.tournament import Seated, Steward
from companion.view.events.acts import TakeBack
from companion.view.events.table_result import (
    Person,
    TableLine,
    TableShown,
    consequences,
    differences,
    table_result,
    with_result,
)
from companion.view.shown import Field
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

SIDE: Final = 290.0
"""Width of the column beside the list, in dp."""
HEAD_HEIGHT: Final = 29.0
ROW_HEIGHT: Final = 37.5
DRAFT_ROW_HEIGHT: Final = 52.0
CHIP_WIDTH: Final = 190.0
"""Width of the place for the status in the bar, in dp."""
MAIN: Final = 190.0
"""Width of the main key, in dp."""
MAX_LATE: Final = 2
"""Maximum number of drivers without a seat that are offered one."""
STATUS: Final = {"official": ("official", "ok"), "entered": ("not_official", "warn"), "to_come": ("to_come", "mid")}
"""Words and tone of the status, by the state of a race."""
REASONS: Final = ("misread", "sheet", "dispute")
"""Reasons for a correction of a result; another reason is typed."""
LATE_REASONS: Final = ("came", "told")
"""Reasons for a driver without a seat; another reason is typed."""


class TableLineView(RowView):
    """Row of a `TableLine`, marked if selected."""

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
    """Key of a `Person`, marked if he confirms."""

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
    """The status of a result, in the bar at the top."""

    def paint(self, pen: Pen) -> None:
        if self.shown is not None:
            text, tone = self.shown
            wide = pen.width(text, CAPTION) + 16
            pen.rim(pen.w - wide - 12, 12, wide, 24, tone, 1.5, 3)
            pen.text(text, pen.w - wide / 2 - 12, 24, CAPTION, tone, SEMIBOLD, "centre")


class TableResultScreen(RecordScreen):
    """The table `given["table"]`, such as 1.3, or a season's race.

    With `given["correct"]` its result is to be corrected.
    """

    kind = "tournament"

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.rows = Rows(TableLineView, high=ROW_HEIGHT)
        self.tall = Rows(TableLineView, on_row=self._choose, high=DRAFT_ROW_HEIGHT)
        self.who = ""
        """Name of the second person, who confirms."""
        self.draft: ResultDraft | None = None
        """Result while it is corrected, or typed from paper."""
        self.chosen = 0
        """Index of the selected line of the draft."""
        steps = {"place": self._to_place, "cause": self._out_by, "points": self._give_points}
        self.steppers = {name: Stepper(on_change=step) for name, step in steps.items()}

    def look(self, desk: RecordDesk[Any], words: Words) -> TableShown:
        self.collect(desk)
        return table_result(desk.record, words, self.given.get("table", "1.1"))

    # -- what fingers do

    def _person(self, name: str) -> None:
        """Select who confirms, or nobody."""
        self.who = "" if self.who == name else name
        self.look_again()

    def _other(self) -> None:
        """Ask for the name of a person who is not listed."""
        self.asking.word(self.say("table.ask_other"), self.say("table.other_line"), then=self._person, most=60)

    def _confirm(self) -> None:
        key, by, self.who = self.now.key, self.who, ""
        self.do(lambda record: Confirmed(race=key), by=by)

    def _steward(self) -> None:
        """Ask for the steward of this table."""
        key = self.now.key
        self.asking.word(self.say("table.ask_steward", table=self.now.at), self.say("table.steward"),
                         then=lambda name: self.do(lambda _: Steward(table=key, name=name)),
                         value=self.now.steward or "")  # fmt: skip

    def _seat(self, number: int) -> None:
        """Seat a late driver at this table, asking for a reason."""
        key = self.now.key
        self.asking.why(self.say("table.ask_late", table=self.now.at), "table.late_reason", LATE_REASONS,
                        then=lambda why: self.do(lambda _: Seated(table=key, driver=number, why=why)))  # fmt: skip

    def _start(self) -> None:
        self.start(self.now.key)

    def _on_read(self, found: Any) -> None:
        super()._on_read(found)
        if self.given.pop("correct", False) and found is self.now and self.draft is None:
            self._differs()

    def _differs(self) -> None:
        """Open a correction, or a result from paper in grid order; or close it."""
        draft = ResultDraft(self.now.lines, self.now.away, places_retired=self.now.places_retired)
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
        """Keep the moved driver selected and visible."""
        self._choose(place)
        self.tall.reveal(place)

    def _to_place(self, place: int) -> None:
        if self.draft is not None:
            self._follow(self.draft.move(self.chosen, place - 1))

    def _toggle_out(self) -> None:
        """Retire the selected driver, or place him last again."""
        if self.draft is not None:
            out = self.draft.is_out(self.chosen)
            self._follow(self.draft.home(self.chosen) if out else self.draft.out(self.chosen))

    def _out_by(self, at: int) -> None:
        if self.draft is not None:
            self._follow(self.draft.because(self.chosen, self.now.causes[at].answer))

    def _give_points(self, points: int) -> None:
        if self.draft is not None:
            self.draft.give(self.chosen, points, self.now.scale)
            self.look_again()

    def _enter(self, draft: ResultDraft) -> None:
        """Enter the result from paper, or the correction.

        A correction shows what it changes and asks for a reason.
        """
        key, lines, words = self.now.key, draft.raced, theme.words
        if self.now.state == "to_come":
            by = self.app.recording.signing.name or RACE_CONTROL
            self.do(lambda record: Result(race=key, lines=lines), self._entered, by=by)
            return

        def correct(why: str) -> None:
            self.do(lambda _: ResultCorrected(race=key, lines=lines, why=why), self._entered)

        def ask(note: str) -> None:
            self.asking.why(self.say("table.ask_why"), "table.why", REASONS, then=correct, told=note)

        probe = ResultCorrected(race=key, lines=lines, why="?")
        self.app.recording.do(
            lambda desk: consequences(desk.record, probe, words), self.if_here(ask), self.show_refusal
        )

    def _entered(self) -> None:
        self.draft = None

    def _draft_row(self, row: TableLine, line: ResultLine) -> TableLine:
        """Return a row of the draft, noting an absent driver."""
        made = with_result(row, line, self.now.scale, theme.words)
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

    # -- what is shown

    def compose_record(self, ui: Ui) -> None:
        now, draft = self.now, self.draft
        self.bar.keep = CHIP_WIDTH + MENU
        self.bar.show(Title(text=now.title, note=now.subtitle))
        status, tone = STATUS[now.state]
        chip = ui.place(Area(ui.pen.w - MENU - CHIP_WIDTH, 0, CHIP_WIDTH, BAR), ui.named("chip", Chip))
        chip.show((self.say(f"table.{status}"), tone))
        foot = self.compose_foot(ui, now.undo if draft is None else TakeBack())
        side = ui.area.cut_right(SIDE)
        ui.fill(Area(side.x, side.y, 1, side.h), "line")
        self._compose_lines(ui, ui.area, now)
        if draft is not None:
            self._compose_draft(ui, Area(side.x + 14, side.y, side.w - 26, side.h), draft)
            self._compose_enter(ui, foot.cut_right(MAIN), draft)
            foot.cut_right(16)
        elif now.state == "to_come":
            if now.steward is not None:
                self._compose_steward(ui, Area(side.x + 14, side.y + 16, side.w - 26, side.h), now)
            self._compose_start(ui, foot, now)
        else:
            self._compose_log(ui, side, now)
            self._compose_confirm(ui, foot, now)
        ui.ask(foot, *self._question(now, draft))

    def _compose_lines(self, ui: Ui, area: Area, now: TableShown) -> None:
        """Compose the cars, or those of the draft, under the names of their columns."""
        head = area.cut_top(HEAD_HEIGHT)
        pen, y, right = ui.pen, head.middle[1], head.right
        ui.fill(Area(head.x, head.bottom - 1, head.w, 1), "line")
        pen.text(self.say("table.finish"), head.x + 44, y, CAPTION, "low")
        for name, x in (("points", right - 16), ("grid", right - 76), ("article", right - 124)):
            pen.text(self.say(f"table.{name}"), x, y, CAPTION, "low", SEMIBOLD, "right")
        if self.draft is None:
            ui.place(area, self.rows).show([(row, False) for row in now.rows])
            return
        by_number = {row.number: row for row in now.rows}
        lines = [self._draft_row(by_number[line.driver], line) for line in self.draft.lines]
        ui.place(area, self.tall).show([(row, at == self.chosen) for at, row in enumerate(lines)])

    def _question(self, now: TableShown, draft: ResultDraft | None) -> tuple[str, str]:
        """Return what the foot asks, and the note below it."""
        asked = {"to_come": "ask_start", "entered": "ask_confirm", "official": "ask_official"}[now.state]
        note = {"to_come": "start_note", "entered": "after", "official": "confirmed"}[now.state]
        changes = ""
        if draft is not None and now.state == "to_come":
            asked, note = "ask_paper", "tap_order"
        elif draft is not None:
            asked, note = "ask_differs", "tap_row"
            names = {row.number: row.name for row in now.rows}
            changes = " ".join(differences(now.lines, draft.lines, now.scale, names, theme.words))
        if now.overtaken:
            note = "overtaken"
        question = self.say(f"table.{asked}", table=now.at, season=self.record_kind == "season")
        return question, changes or self.say(f"table.{note}", by=now.official_by or now.overtaken)

    # -- before the race

    def _compose_steward(self, ui: Ui, area: Area, now: TableShown) -> None:
        """Compose the steward of the table, and the drivers without a seat."""
        name = now.steward or self.say("table.no_steward")
        face = Face(label=name, note=self.say("table.steward"), icon="person", look="option")
        ui.button(area.cut_top(84), "steward", face, self._steward)
        area.cut_top(16)
        seats = now.late[:MAX_LATE]
        for cell, (number, driver) in zip(area.rows(len(seats), 84), seats, strict=True):
            face = Face(label=f"{number} {driver}", note=self.say("table.late"), icon="plus", look="option")
            ui.button(cell, ("late", number), face, partial(self._seat, number))

    def _compose_start(self, ui: Ui, foot: Area, now: TableShown) -> None:
        """Compose the keys that start the race here, or type its result from paper."""
        racing = len(now.rows) - len(now.away)
        face = deed(self.say("table.start"), self.say("table.start_cars", count=racing))
        self.compose_main(ui, foot.cut_right(MAIN), face, self._start)
        foot.cut_right(8)
        nobody = "" if now.lines else self.say("entrants.none")
        look: Look = "barred" if nobody else "option"
        face = Face(label=self.say("table.from_paper"), icon="edit", look=look, note=nobody)
        ui.button(foot.cut_right(150), "paper", face, None if nobody else self._differs)
        foot.cut_right(12)

    # -- a result

    def _compose_log(self, ui: Ui, side: Area, now: TableShown) -> None:
        """Compose where the result comes from, who entered it, and who confirms it."""
        pen, x, right = ui.pen, side.x + 14, side.right - 12
        log, first = side.cut_top(82), side.cut_top(64)
        pen.text(self.say("table.log"), x, log.y + 18, CAPTION, "low", SEMIBOLD)
        if now.digest:
            pen.text(now.digest, x, log.y + 42, NAME, "hi", BOLD, room=log.w - 26)
            pen.text(now.entries, x, log.y + 65, CAPTION, "mid", SEMIBOLD, room=log.w - 26, cut=True)
        else:
            paper = self.say("table.paper")
            wide = pen.width(paper, CAPTION) + 16
            pen.rim(x, log.y + 34, wide, 26, "warn", 1.5, 3)
            pen.text(paper, x + wide / 2, log.y + 47, CAPTION, "warn", SEMIBOLD, "centre")
        pen.fill(first.x, first.y, first.w, 1, "line")
        pen.text(self.say("table.first"), x, first.y + 19, CAPTION, "low", SEMIBOLD)
        pen.icon("check", x + 10, first.y + 44, 20, "ok")
        at = pen.text(now.first_at, right, first.y + 44, SMALL, "mid", SEMIBOLD, "right")
        pen.text(now.first, x + 28, first.y + 44, BODY, "hi", SEMIBOLD, room=first.w - 64 - at, cut=True)
        pen.fill(side.x, side.y, side.w, 1, "line")
        if now.state == "entered":
            pen.text(self.say("table.second"), x, side.y + 19, CAPTION, "low", SEMIBOLD, room=side.w - 26)
            self._compose_people(ui, Area(x, side.y + 36, side.w - 26, 124), now)
        else:
            pen.icon("check", x + 10, side.y + 25, 20, "ok")
            pen.text(now.official_by, x + 28, side.y + 25, BODY, "hi", SEMIBOLD, room=side.w - 64, cut=True)

    def _compose_people(self, ui: Ui, area: Area, now: TableShown) -> None:
        """Compose who may confirm the result, at last somebody who is not listed."""
        listed = {person.name: person for person in now.people}
        if not now.by_control:
            control = Person(name=self.say("table.control"), note=self.say("table.control_note"))
            listed = {**dict(list(listed.items())[:2]), RACE_CONTROL: control}
        typed = self.who if self.who not in listed else ""
        other = Person(name=typed or self.say("table.other"), note=self.say("table.other_note"))
        *cells, last = area.cells(len(listed) + 1, 2, 58)
        for at, (cell, (name, person)) in enumerate(zip(cells, listed.items(), strict=True)):
            ui.target(cell, at, PersonKey, (person, name == self.who), partial(self._person, name))
        ui.target(last, "other", PersonKey, (other, bool(typed)), self._other)

    def _compose_confirm(self, ui: Ui, foot: Area, now: TableShown) -> None:
        """Compose the keys that make a result official, or open its correction."""
        if now.state == "entered":
            main = foot.cut_right(MAIN)
            foot.cut_right(8)
            label = self.say("table.confirm")
            if self.who:
                by = self.say("table.confirm_by", by=theme.words.signer(self.who))
                by = lettering.cut(by, round(theme.dp(CAPTION)), SEMIBOLD, theme.dp(MAIN - 16))
                self.compose_main(ui, main, deed(label, by), self._confirm)
            else:
                face = Face(label=label, look="barred", size=VALUE, note=self.say("table.who"))
                self.compose_main(ui, main, face)
        label, note = self.say("table.differs"), self.say("table.differs_note")
        face = Face(label=label, note=note, icon="edit", look="option")
        ui.button(foot.cut_right(150), "differs", face, self._differs)
        foot.cut_right(12 if now.state == "entered" else 16)

    # -- a correction, or a result from paper

    def _compose_draft(self, ui: Ui, area: Area, draft: ResultDraft) -> None:
        """Compose the steppers of the selected line, and the key that retires it."""
        now: TableShown = self.now
        line, retired = draft.lines[self.chosen], (now.causes[0],)
        cause = next(at for at, key in enumerate(now.causes) if key.answer == line.cause)
        place = self.chosen + 1
        steps = {
            "place": {"value": place, "low": 1, "high": draft.placed_count} if line.place is not None else
                     {"value": 0, "keys": retired},
            "cause": {"value": cause, "high": len(now.causes) - 1, "keys": now.causes},
            "points": {"value": line.scored(now.scale), "high": POINTS},
        }  # fmt: skip
        area.cut_top(4)
        for cell, (name, facts) in zip(area.cut_top(232).rows(3, 76, 2), steps.items(), strict=True):
            field = Field(name=name, label=self.say(f"table.step_{name}"), **facts)
            ui.place(cell, self.steppers[name]).show(field)
        area.cut_top(8)
        word, icon = ("placed", "flag") if draft.is_out(self.chosen) else ("is_out", "cross")
        face = Face(label=self.say(f"table.{word}"), icon=icon, look="option", size=NAME)
        ui.button(area.cut_top(76), "out", face, self._toggle_out)

    def _compose_enter(self, ui: Ui, area: Area, draft: ResultDraft) -> None:
        """Compose the key that enters the draft, once it differs from the result."""
        label, typing = self.say("table.enter"), self.now.state == "to_come"
        if typing or draft.changed:
            face = deed(label, self.say("table.paper" if typing else "acts.with_reason"))
            ui.button(area, "enter", face, partial(self._enter, draft))
        else:
            nothing = self.say("table.nothing")
            ui.button(area, "enter", Face(label=label, look="barred", size=VALUE, note=nothing))
