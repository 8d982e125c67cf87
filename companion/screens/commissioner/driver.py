"""A driver over a season or a tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.desk.record_desk import RecordDesk
from companion.screens.app.visits import OfRecord
from companion.screens.commissioner.record_screen import RecordScreen
from companion.screens.commissioner.strip import HIGH as STRIP
from companion.screens.commissioner.strip import Strip, Stripped
from companion.screens.widgets import plate
from companion.screens.widgets.empty import Empty, Nothing
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.theme import BODY, CAPTION, NAME, SMALL, TONES, VALUE
from companion.screens.widgets.title_bar import HIGH as BAR
from companion.screens.widgets.title_bar import Title
from companion.view.commissioner.driver import DrivenRow, DriverShown, Gone, driver
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

RIGHT: Final = 276.0
FIGURES: Final = 70.0
HEAD: Final = 30.0
WEAR: Final = 31.0


class DrivenView(RowView):
    """Draws a `DrivenRow`."""

    def draw(self, pen: Pen, shown: DrivenRow) -> None:
        middle, right = pen.h / 2, pen.w - 20
        pen.text(shown.race, 34, middle, SMALL, "mid", SEMIBOLD, "right", room=32)
        pen.text(shown.name, 46, middle, BODY, "hi", SEMIBOLD, room=right - 260, cut=True)
        pen.text(shown.points, right, middle, BODY, "hi", SEMIBOLD, "right")
        x = right - 84
        if shown.out:
            wide = pen.width(shown.place, CAPTION) + 14
            pen.rim(x - wide, middle - 11, wide, 22, "bad", 1.5, 3)
            pen.text(shown.place, x - wide / 2, middle, CAPTION, "bad", SEMIBOLD, "centre")
        else:
            pen.text(shown.place, x, middle, VALUE, "hi", BOLD, "right")
        pen.text(shown.grid, right - 164, middle, BODY, "mid", SEMIBOLD, "right")


class GoneView(RowView):
    """Draws a `Gone`."""

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
        self.strip = Strip(self._driver, (("table", self._table),))
        self.mark = PlateMark()
        self.none = Empty(on_act=self._table)

    def look(self, desk: RecordDesk[Any], words: Words) -> DriverShown:
        record = desk.record
        number = self.given.get("number") or next(iter(record.field.entrants))
        return driver(record, words, number)

    def _driver(self, number: int) -> None:
        self.given["number"] = number
        self.again()

    def _table(self) -> None:
        self.app.back()

    @property
    def table_here(self) -> str:
        return f"driver {self.now.plate.number}"

    def place(self) -> list[Any]:
        now: DriverShown = self.now
        self.bar.keep = 60.0
        self.bar.show(Title(text=now.name, note=now.about))
        self.mark.show(now.plate)
        self.put(self.mark, self.w - 56, 0, 44, BAR)
        left = self.w - RIGHT
        chosen = [one.number for one in now.strip].index(now.plate.number)
        self.strip.labels = (self.say("season.table_key"),)
        self.strip.show(Stripped(plates=now.strip, chosen=chosen))
        self.put(self.strip, 0, self.h - STRIP, self.w, STRIP)
        top = BAR + FIGURES + HEAD
        seen: list[Any] = [self.mark, self.strip]
        if now.rows:
            self.rows.show(now.rows)
            self.put(self.rows, 0, top, left, self.h - top - STRIP - 34)
            seen.append(self.rows)
        else:
            nothing = Nothing(icon="flag", title=self.say("season.not_raced"), note=self.say("season.not_raced_note"))
            self.none.show(nothing)
            self.put(self.none, 20, BAR + 90, left - 40, self.h - BAR - STRIP - 110)
            seen.append(self.none)
        if now.gone:
            self.gone.show(now.gone)
            y = self._retired(now) + 32
            self.put(self.gone, left + 1, y, RIGHT - 1, self.h - STRIP - y)
            seen.append(self.gone)
        return seen

    def _retired(self, now: DriverShown) -> float:
        """Where the retirements begin."""
        return BAR + 36 + WEAR * len(now.wear) + 8

    def draw(self, pen: Pen) -> None:
        now: DriverShown = self.now
        left = pen.w - RIGHT
        pen.fill(left, BAR, 1, pen.h - BAR - STRIP, "line")
        each = left / len(now.figures)
        for at, figure in enumerate(now.figures):
            x = each * (at + 0.5)
            pen.text(figure.value, x, BAR + 27, 28, TONES[figure.tone], BOLD, "centre", room=each - 8)
            pen.text(figure.word, x, BAR + 53, CAPTION, "mid", SEMIBOLD, "centre", room=each - 4)
            if at:
                pen.fill(each * at, BAR + 10, 1, FIGURES - 20, "line")
        pen.fill(0, BAR + FIGURES, left, 1, "line")
        if now.rows:
            y, right = BAR + FIGURES + HEAD / 2, left - 20
            pen.text(self.say("season.race"), 46, y, CAPTION, "low")
            for word, x in (("grid_head", right - 164), ("place_head", right - 84), ("points_head", right)):
                pen.text(self.say(f"season.{word}"), x, y, CAPTION, "low", SEMIBOLD, "right", room=76)
            pen.fill(0, BAR + FIGURES + HEAD - 1, left, 1, "line")
            pen.fill(0, pen.h - STRIP - 34, left, 1, "line")
            pen.text(now.note, 20, pen.h - STRIP - 17, CAPTION, "mid", SEMIBOLD, room=left - 40)
        self._draw_wear(pen, now, left)

    def _draw_wear(self, pen: Pen, now: DriverShown, left: float) -> None:
        pen.text(now.wear_title, left + 13, BAR + 18, BODY, "hi", BOLD, room=RIGHT - 26)
        for at, pool in enumerate(now.wear):
            y = BAR + 36 + WEAR * (at + 0.5)
            pen.fill(left, y - WEAR / 2, RIGHT, 1, "line")
            pen.icon(pool.pool, left + 24, y, 22, "mid")
            pen.text(pool.name, left + 43, y, SMALL, "hi", SEMIBOLD, room=102)
            wide = RIGHT - 194
            pen.fill(left + 150, y - 4, wide, 8, "bg4", 2)
            if pool.most and pool.spent:
                pen.fill(left + 150, y - 4, max(2.0, wide * pool.spent / pool.most), 8, "hi", 2)
            pen.text(str(pool.spent), pen.w - 12, y, NAME, "hi", BOLD, "right")
        y = self._retired(now)
        pen.fill(left, y - 8, RIGHT, 1, "line")
        pen.text(self.say("season.retirements", count=len(now.gone)), left + 13, y + 12, BODY, "hi", BOLD, room=170)
        if now.gone:
            pen.text(self.say("season.rule"), pen.w - 12, y + 12, CAPTION, "low", SEMIBOLD, "right")
