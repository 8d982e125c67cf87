"""A driver over a season or a tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.desk.organising import logs_of
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
from companion.view.commissioner.driver import DrivenRow, DriverShown, Gone, Turns, driver
from companion.view.shown import Toast
from companion.wording import Words

if TYPE_CHECKING:
    from companion.analysis.findings import Analysis
    from companion.screens.app.app import CompanionApp
    from companion.tournament.results import Reference

RIGHT: Final = 276.0
FIGURES: Final = 70.0
HEAD: Final = 30.0
WEAR: Final = 31.0
ASIDE: Final = 188.0
"""How much narrower the other columns are where there are two for luck and driving."""
TURNS: Final = (130.0, 36.0)
"""The middles of these two, from the right."""
WIDE: Final = (84.0, 164.0)
"""How far place and grid stand from the points; and so beside those columns."""
NARROW: Final = (62.0, 108.0)
HALF: Final = 36.0
"""How wide half of their bars is."""


class DrivenView(RowView):
    """Draws a `DrivenRow`."""

    def draw(self, pen: Pen, shown: DrivenRow) -> None:
        middle, right = pen.h / 2, pen.w - 20
        if shown.turns:
            for turns, x in zip((shown.luck, shown.driving), TURNS, strict=True):
                self._turns(pen, turns, right - x)
            right -= ASIDE
        place, grid = NARROW if shown.turns else WIDE
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
        """A figure, and its bar to the left or right of nothing."""
        if turns is None:
            pen.text("–", x, pen.h / 2, SMALL, "low", SEMIBOLD, "centre")
            return
        pen.text(turns.said, x, pen.h / 2 - 9, SMALL, "hi", SEMIBOLD, "centre")
        pen.fill(x - HALF, pen.h / 2 + 8, 2 * HALF, 7, "bg4", 2)
        wide = max(2.0, HALF * abs(turns.share))
        if turns.share:
            left = x if turns.share > 0 else x - wide
            pen.fill(left, pen.h / 2 + 8, wide, 7, "ok" if turns.share > 0 else "warn", 2)


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
        self.strip = Strip(self._driver, (("table", app.back), ("die", self._analyse)))
        self.logs: dict[str, Reference] = {}
        """The races of this driver that can be analysed here."""
        self.asked = False
        """Whether their analyses are wanted: they are worked out one after the other."""
        app.analysing.on_news = self._news
        self.mark = PlateMark()
        self.none = Empty(on_act=app.back)

    def look(self, desk: RecordDesk[Any], words: Words) -> DriverShown:
        record = desk.record
        number = self.given.get("number") or next(iter(record.field.entrants), 0)
        self.logs = logs_of(self.app.folder, record, number)
        found = {key: self._found(log) for key, log in self.logs.items()}
        weighed = {
            key: next(one for one in analysis.drivers if one.car == number)
            for key, analysis in found.items() if analysis is not None and analysis.weighed
        }  # fmt: skip
        return driver(record, words, number, weighed)

    def _found(self, log: Reference) -> Analysis | None:
        return self.app.analysing.found(log.log_id, log.entries)

    def _analyse(self) -> None:
        """Luck and driving of his races, in turns: worked out apart, one race after the other."""
        self.asked = bool(self._waiting())
        if not self.asked and not self.now.turns:
            self.app.tell(Toast(text=self.say("analysis.unweighed"), tone="info", icon="info"))
        self._go_on()

    def _waiting(self) -> list[Reference]:
        """The races that are still to be analysed; of which nothing came stay away."""
        works = self.app.analysing
        return [
            log for log in self.logs.values()
            if self._found(log) is None and not works.failed(log.log_id, log.entries)
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

    def place(self) -> list[Any]:
        now: DriverShown = self.now
        self.bar.keep = 60.0
        self.bar.show(Title(text=now.name, note=now.about))
        self.mark.show(now.plate)
        self.put(self.mark, self.w - 56, 0, 44, BAR)
        chosen = [one.number for one in now.strip].index(now.plate.number)
        waiting, works = self._waiting(), self.app.analysing
        done = len(self.logs) - len(waiting) + sum(works.share(log.log_id, log.entries) for log in waiting)
        percent = round(100 * done / len(self.logs)) if self.logs else 0
        self.strip.labels = (self.say("season.table_key"), self.say("season.luck_key", at=percent, counts=self.asked))
        self.strip.show(Stripped(plates=now.strip, chosen=chosen))
        self.put(self.strip, 0, self.h - STRIP, self.w, STRIP)
        top, left = BAR + FIGURES + HEAD, self.w - RIGHT
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
            if now.turns:
                for word, x in zip(("luck", "driving"), TURNS, strict=True):
                    pen.text(self.say(f"season.{word}"), right - x, y, CAPTION, "low", SEMIBOLD, "centre", room=84)
                right -= ASIDE
            place, grid = NARROW if now.turns else WIDE
            for word, x in (("grid_head", right - grid), ("place_head", right - place), ("points_head", right)):
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
