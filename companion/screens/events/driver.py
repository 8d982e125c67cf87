"""A driver over a season or a tournament."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from companion.desk.organising import logs_of
from companion.desk.record_desk import RecordDesk
from companion.screens.app.visits import OfRecord
from companion.screens.events.record_screen import RecordScreen
from companion.screens.events.strip import STRIP_HEIGHT, PlateStrip, StripShown
from companion.screens.kit import plate
from companion.screens.kit.compose import TITLE_BAR as BAR
from companion.screens.kit.compose import Area, Title, Ui
from companion.screens.kit.empty import Empty, EmptyState
from companion.screens.kit.menu import WIDE as MENU
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import BODY, CAPTION, NAME, SMALL, TONES, VALUE
from companion.view.events.driver import DrivenRow, DriverShown, Gone, Turns, driver
from companion.view.shown import Toast
from companion.wording import Words

if TYPE_CHECKING:
    from companion.analysis.findings import Analysis
    from companion.screens.app.app import CompanionApp
    from companion.tournament.results import Reference

SIDE: Final = 276.0
"""Width of the column with wear and retirements, in dp."""
PLATE: Final = 56.0
"""Width of the place for the driver's plate in the bar, in dp."""
FIGURES: Final = 70.0
HEAD: Final = 30.0
WEAR: Final = 31.0
"""Height of the row of a pool, in dp."""
TURNS_WIDTH: Final = 188.0
"""Width of the two columns for luck and driving, in dp."""
TURNS_AT: Final = (130.0, 36.0)
"""Middles of these two columns, in dp from the right."""
RESULT_AT: Final = (84.0, 164.0)
"""Distance of place and grid from the points, in dp; the second pair beside columns of luck and driving."""
NARROW_RESULT_AT: Final = (62.0, 108.0)
HALF_BAR: Final = 36.0
"""Half the width of their bars, in dp."""


class DrivenView(RowView):
    """Row of a `DrivenRow`."""

    def draw(self, pen: Pen, shown: DrivenRow) -> None:
        middle, right = pen.h / 2, pen.w - 20
        if shown.turns:
            for turns, x in zip((shown.luck, shown.driving), TURNS_AT, strict=True):
                self._turns(pen, turns, right - x)
            right -= TURNS_WIDTH
        place, grid = NARROW_RESULT_AT if shown.turns else RESULT_AT
        pen.text(shown.race, 34, middle, SMALL, "mid", SEMIBOLD, "right", room=32)
        pen.text(shown.name, 46, middle, BODY, "hi", SEMIBOLD, room=right - grid - 96, cut=True)
        pen.text(shown.points, right, middle, BODY, "hi", SEMIBOLD, "right")
        x = right - place
        if shown.out:
            wide = pen.width(shown.place, CAPTION) + 14
            pen.rim(x - wide, middle - 11, wide, 22, "bad", 1.5, 3)
            pen.text(shown.place, x - wide / 2, middle, CAPTION, "bad", SEMIBOLD, "centre")
        else:
            pen.text(shown.place, x, middle, VALUE, "hi", BOLD, "right")
        pen.text(shown.grid, right - grid, middle, BODY, "mid", SEMIBOLD, "right")

    def _turns(self, pen: Pen, turns: Turns | None, x: float) -> None:
        """Draw a number of turns with its bar, left or right of zero."""
        if turns is None:
            pen.text("–", x, pen.h / 2, SMALL, "low", SEMIBOLD, "centre")
            return
        pen.text(turns.said, x, pen.h / 2 - 9, SMALL, "hi", SEMIBOLD, "centre")
        pen.fill(x - HALF_BAR, pen.h / 2 + 8, 2 * HALF_BAR, 7, "bg4", 2)
        wide = max(2.0, HALF_BAR * abs(turns.share))
        if turns.share:
            left = x if turns.share > 0 else x - wide
            pen.fill(left, pen.h / 2 + 8, wide, 7, "ok" if turns.share > 0 else "warn", 2)


class GoneView(RowView):
    """Row of a `Gone`."""

    def draw(self, pen: Pen, shown: Gone) -> None:
        pen.icon("flag", 26, pen.h / 2, 22, "bad")
        article = pen.text(shown.article, pen.w - 12, 17, CAPTION, "low", SEMIBOLD, "right", room=104, cut=True)
        pen.text(shown.title, 46, 17, SMALL, "hi", BOLD, room=pen.w - 70 - article, cut=True)
        pen.text(shown.cause, 46, 38, CAPTION, "mid", SEMIBOLD, room=pen.w - 58, cut=True)


class PlateMark(Pane):
    """A driver's plate in the bar at the top."""

    def paint(self, pen: Pen) -> None:
        if self.shown is not None:
            plate.draw(pen, self.shown, pen.w / 2, pen.h / 2, 32)


class DriverScreen(RecordScreen):
    """The driver with `given["number"]`."""

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.rows, self.gone = Rows(DrivenView, high=44), Rows(GoneView, high=52)
        self.strip = PlateStrip(on_plate=self._driver, keys=(("table", app.back), ("die", self._analyse)))
        self.logs: dict[str, Reference] = {}
        """Races of this driver that can be analysed here."""
        self.asked = False
        """True if their analyses are wanted; they are computed one after the other."""
        app.analysing.on_news = self._news

    def look(self, desk: RecordDesk[Any], words: Words) -> DriverShown:
        record = desk.record
        number = self.given.get("number") or next(iter(record.field.entrants), 0)
        self.logs = logs_of(self.app.folder, record, number)
        found = {key: self._analysis_of(log) for key, log in self.logs.items()}
        weighed = {
            key: next(one for one in analysis.drivers if one.car == number)
            for key, analysis in found.items() if analysis is not None and analysis.weighed
        }  # fmt: skip
        return driver(record, words, number, weighed)

    def _analysis_of(self, log: Reference) -> Analysis | None:
        return self.app.analysing.result(log.log_id, log.entries)

    def _analyse(self) -> None:
        """Analyse the luck and driving of his races, one race after another."""
        self.asked = bool(self._waiting())
        if not self.asked and not self.now.turns:
            self.app.tell(Toast(text=self.say("analysis.unweighed"), tone="info", icon="info"))
        self._go_on()

    def _waiting(self) -> list[Reference]:
        """Return the races still to be analysed; those that failed are left out."""
        works = self.app.analysing
        return [
            log for log in self.logs.values()
            if self._analysis_of(log) is None and not works.failed(log.log_id, log.entries)
        ]  # fmt: skip

    def _go_on(self) -> None:
        waiting = self._waiting() if self.asked else []
        if waiting:
            self.app.analysing.begin(self.app.folder, waiting[0].log_id, waiting[0].entries)
        elif self.asked:
            self.asked = False
        self.again()

    def _news(self) -> None:
        if self.app.screen is self:
            self._go_on()

    def _driver(self, number: int) -> None:
        self.given["number"] = number
        self.again()

    @property
    def table_here(self) -> str:
        return f"driver {self.now.plate.number}"

    @property
    def _analysed(self) -> int:
        """The share of the analyses that is done, in per cent."""
        waiting, works = self._waiting(), self.app.analysing
        done = len(self.logs) - len(waiting) + sum(works.share(log.log_id, log.entries) for log in waiting)
        return round(100 * done / len(self.logs)) if self.logs else 0

    # -- what is shown

    def compose_record(self, ui: Ui) -> None:
        now: DriverShown = self.now
        self.bar.keep = MENU + PLATE
        self.bar.show(Title(text=now.name, note=now.about))
        ui.place(Area(ui.pen.w - MENU - PLATE, 0, PLATE, BAR), ui.named("plate", PlateMark)).show(now.plate)
        chosen = [one.number for one in now.strip].index(now.plate.number)
        luck = self.say("season.luck_key", at=self._analysed, counts=self.asked)
        self.strip.labels = (self.say("season.table_key"), luck)
        ui.place(ui.area.cut_bottom(STRIP_HEIGHT), self.strip).show(StripShown(plates=now.strip, chosen=chosen))
        side = ui.area.cut_right(SIDE)
        ui.fill(Area(side.x, side.y, 1, side.h), "line")
        self._compose_figures(ui, ui.area.cut_top(FIGURES), now)
        ui.fill(Area(0, ui.area.y, ui.area.w, 1), "line")
        if now.rows:
            self._compose_races(ui, ui.area, now)
        else:
            title, note = self.say("season.not_raced"), self.say("season.not_raced_note")
            make = partial(Empty, on_act=self.app.back)
            empty = ui.place(ui.area.inset(20, 20), ui.named("empty", make))
            empty.show(EmptyState(icon="flag", title=title, note=note))
        self._compose_wear(ui, side, now)

    def _compose_figures(self, ui: Ui, area: Area, now: DriverShown) -> None:
        """Write the driver's figures side by side."""
        for cell, figure in zip(area.columns(len(now.figures), 0), now.figures, strict=True):
            x, y = cell.middle[0], cell.y
            ui.pen.text(figure.value, x, y + 27, 28, TONES[figure.tone], BOLD, "centre", room=cell.w - 8)
            ui.pen.text(figure.word, x, y + 53, CAPTION, "mid", SEMIBOLD, "centre", room=cell.w - 4)
            if cell.x:
                ui.fill(Area(cell.x, y + 10, 1, cell.h - 20), "line")

    def _compose_races(self, ui: Ui, area: Area, now: DriverShown) -> None:
        """Compose the races under the names of their columns."""
        head, note = area.cut_top(HEAD), area.cut_bottom(34)
        pen, y, right = ui.pen, head.middle[1], head.right - 20
        pen.text(self.say("season.race"), head.x + 46, y, CAPTION, "low")
        if now.turns:
            for word, x in zip(("luck", "driving"), TURNS_AT, strict=True):
                pen.text(self.say(f"season.{word}"), right - x, y, CAPTION, "low", SEMIBOLD, "centre", room=84)
            right -= TURNS_WIDTH
        place, grid = NARROW_RESULT_AT if now.turns else RESULT_AT
        for word, x in (("grid_head", right - grid), ("place_head", right - place), ("points_head", right)):
            pen.text(self.say(f"season.{word}"), x, y, CAPTION, "low", SEMIBOLD, "right", room=76)
        ui.fill(Area(head.x, head.bottom - 1, head.w, 1), "line")
        ui.place(area, self.rows).show(now.rows)
        ui.fill(Area(note.x, note.y, note.w, 1), "line")
        ui.text(note.inset(20), now.note, CAPTION, "mid")

    def _compose_wear(self, ui: Ui, side: Area, now: DriverShown) -> None:
        """Compose the wear spent from each pool, and the retirements below."""
        pen = ui.pen
        ui.text(side.cut_top(36).inset(13), now.wear_title, BODY, weight=BOLD)
        for pool in now.wear:
            row = side.cut_top(WEAR)
            bar = Area(row.x + 150, row.middle[1] - 4, row.w - 194, 8)
            pen.fill(row.x, row.y, row.w, 1, "line")
            pen.icon(pool.pool, row.x + 24, row.middle[1], 22, "mid")
            pen.text(pool.name, row.x + 43, row.middle[1], SMALL, "hi", SEMIBOLD, room=102)
            ui.fill(bar, "bg4", 2)
            if pool.most and pool.spent:
                bar.w = max(2.0, bar.w * pool.spent / pool.most)
                ui.fill(bar, "hi", 2)
            pen.text(str(pool.spent), row.right - 12, row.middle[1], NAME, "hi", BOLD, "right")
        head = side.cut_top(40)
        ui.fill(Area(head.x, head.y, head.w, 1), "line")
        count = self.say("season.retirements", count=len(now.gone))
        pen.text(count, head.x + 13, head.middle[1], BODY, "hi", BOLD, room=170)
        if now.gone:
            ui.text(head.inset(12), self.say("season.rule"), CAPTION, "low", align="right")
            side.cut_left(1)
            ui.place(side, self.gone).show(now.gone)
