"""The race sheet: cars with their charts, log, notes, classification and export."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, Unpack

from kivy.uix.scrollview import ScrollView
from kivy.uix.widget import Widget

from companion.drawing.paints import paint_of
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.screen import Screen
from companion.screens.app.signing import TABLE
from companion.screens.app.visits import OfSheet, SheetPage
from companion.screens.kit import plate
from companion.screens.kit.chart import ChartView
from companion.screens.kit.compose import BACK, Area, Composed, Ui
from companion.screens.kit.empty import Empty, EmptyState
from companion.screens.kit.foot import ground
from companion.screens.kit.key import Face
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import BODY, CAPTION, NAME, SMALL, TONES, VALUE, theme
from companion.screens.kit.touch import Target
from companion.screens.kit.unsaved import unsaved
from companion.screens.kit.word import MOST, WordPrompt
from companion.screens.pages.after import AfterPage
from companion.screens.pages.exporting import ExportPage
from companion.sheets import stored_race
from companion.sheets.build_sheet import race_sheet
from companion.sheets.entry import Entry
from companion.sheets.history import History
from companion.sheets.replay import circuit
from companion.sheets.sheet import RaceSheet
from companion.sheets.stored_race import NAME_LETTERS
from companion.view.listing import Cell, Listing, Row
from companion.view.pages.sheet import FILTERS, CarPage, LogRow, PoolLine, SheetShown, WhyLine, WordRow, page
from companion.view.shown import Plate, ViewModel
from companion.view.shown_race import RaceShown
from companion.view.worded import BoardWords
from companion.wording import Words, capital

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp
    from companion.sheets.log import Write

CITED: Final = 100.0
"""Room of an article in the log beside a sentence that fills its row, in dp; a shorter one leaves it more."""
ARTICLE: Final = 70.0
"""Minimum width of an article in the log, in dp, so that prices are aligned."""
WHY_ROW: Final = 27.0
"""Height of a row of what a car has lost, in dp."""
WHY_SHIFT: Final = 4.0
"""How far the first and the last line of a reason are moved towards each other, in dp."""
WHY_TEXT: Final = 108.0
"""Left edge of a reason, in dp."""
WHY_CITED: Final = 132.0
"""Maximum width of the article beside it, in dp."""


class WhyRow(ViewModel, frozen=True, kw_only=True):
    """Line number `line` of the `lines` of a reason; the first also shows its round, points and article."""

    why: WhyLine
    text: str
    line: int = 0
    lines: int = 1


class WhyView(RowView):
    """A row that shows a `WhyRow`; only below the last line of a reason is a separator."""

    def paint(self, pen: Pen) -> None:
        row: WhyRow | None = self.shown
        if row is None:
            return
        why, room = row.why, pen.w - 14 - WHY_TEXT
        middle = pen.h / 2 + WHY_SHIFT * (1 - 2 * row.line / (row.lines - 1) if row.lines > 1 else 0)
        if not row.line:
            pen.text(why.round, 14, middle, CAPTION, "mid", BOLD)
            token = TONES[why.tone]
            pen.icon(why.pool or "cross", 62, middle, 18 if why.pool else 16, token)
            pen.text(why.points, 74, middle, SMALL, token, BOLD)
            cited = pen.text(why.cited, pen.w - 14, middle, CAPTION, "mid", SEMIBOLD, "right", room=WHY_CITED, cut=True)
            room -= cited + 10
        pen.text(row.text, WHY_TEXT, middle, SMALL, "hi", SEMIBOLD, room=room)
        if row.line == row.lines - 1:
            pen.fill(0, pen.h - 1, pen.w, 1, "line")


def why_rows(why: Sequence[WhyLine], wide: float) -> list[WhyRow]:
    """Return the rows of some reasons, broken into lines beside their articles in a list `wide` dp wide."""
    pen, rows = Pen.measuring(), list[WhyRow]()
    for one in why:
        room = wide - 24 - WHY_TEXT - min(pen.width(one.cited, CAPTION, SEMIBOLD), WHY_CITED)
        lines = pen.broken(one.text, CAPTION, SEMIBOLD, room)
        rows += [WhyRow(why=one, text=text, line=at, lines=len(lines)) for at, text in enumerate(lines)]
    return rows


class LogView(RowView):
    """A row that shows a `LogRow`."""

    def draw(self, pen: Pen, shown: LogRow) -> None:
        middle = pen.h / 2
        pen.text(shown.round, 12, middle, CAPTION, "mid", BOLD)
        if shown.plate is not None:
            plate.draw(pen, shown.plate, 70, middle, 28)
        elif shown.icon:
            pen.icon(shown.icon, 70, middle, 22, "info")
        right = pen.w - 16
        if shown.article:
            beside = [(shown.text, BODY, SEMIBOLD), (shown.price, BODY, BOLD), (shown.by, CAPTION, SEMIBOLD)]
            taken = sum(pen.width(text, size, weight) + 14 for text, size, weight in beside if text)
            room = max(CITED, right - 96 - taken)
            wide = pen.text(shown.cited, right, middle, CAPTION, "mid", SEMIBOLD, "right", room=room, cut=True)
            right -= max(wide, ARTICLE) + 10
        if shown.by:
            right -= pen.text(shown.by, right, middle, CAPTION, "warn", SEMIBOLD, "right", room=110, cut=True) + 10
        ink = TONES[shown.tone]
        if shown.price:
            right -= pen.text(shown.price, right, middle, BODY, ink, BOLD, "right", room=150) + 14
        _two_lines(pen, shown.text, 96, middle, right - 96, "hi" if shown.price else ink)


class WordView(RowView):
    """A row that shows a `WordRow`."""

    def draw(self, pen: Pen, shown: WordRow) -> None:
        middle = pen.h / 2
        pen.icon(shown.icon, 30, middle, 24, TONES[shown.tone])
        right = pen.w - 16
        right -= pen.text(shown.by, right, middle, CAPTION, "mid", SEMIBOLD, "right", room=140, cut=True) + 12
        pen.text(shown.title, 58, middle - 12, BODY, "hi", SEMIBOLD, room=right - 58, cut=True)
        pen.text(shown.text, 58, middle + 14, SMALL, "mid", SEMIBOLD, room=right - 58, cut=True)


class ResultView(RowView):
    """A row of the classification of cars, or on a shaded background of teams."""

    def draw(self, pen: Pen, shown: Row) -> None:
        place, cars, name, note, *driven, points = shown
        middle, left, right = pen.h / 2, 66.0, pen.w - 20
        ink = "mid" if "out" in place.marks else "hi"
        if not driven:
            pen.fill(0, 0, pen.w, pen.h - 1, "bg3")
        pen.text(place.text, 36, middle, VALUE, ink, BOLD, "right")
        for one, _ in cars.cars:
            plate.draw(pen, one, left + 4, middle, 32)
            left += 34
        pen.text(points.text, right, middle, VALUE, "hi", BOLD, "right")
        right -= 56
        laps, cause = driven or (Cell(), Cell())
        right -= pen.text(laps.text, right, middle, BODY, "mid", SEMIBOLD, "right") + 16
        if cause.text:
            right -= pen.text(cause.text, right, middle, BODY, "bad", SEMIBOLD, "right", room=230, cut=True) + 16
        said = name.text or theme.words.screen("new_race.no_name")
        pen.text(said, left, middle - (9 if note.text else 0), NAME, ink, SEMIBOLD, room=right - left, cut=True)
        pen.text(note.text, left, middle + 13, CAPTION, "mid", SEMIBOLD, room=right - left, cut=True)


def _two_lines(pen: Pen, text: str, x: float, middle: float, room: float, token: str) -> None:
    """Draw a sentence in one line, or in two smaller ones."""
    lines = pen.broken(text, CAPTION, SEMIBOLD, room)
    if len(lines) == 1:
        pen.text(text, x, middle, BODY, token, SEMIBOLD, room=room)
        return
    for row, line in enumerate([lines[0], " ".join(lines[1:])]):
        pen.text(line, x, middle - 10 + 20 * row, CAPTION, token, SEMIBOLD, room=room, cut=True)


POOL: Final = 38.0
"""Height of a pool, in dp."""


class PoolLines(Pane):
    """The `PoolLine`s of a car: a box for each point, with the round it was lost."""

    def paint(self, pen: Pen) -> None:
        lines: tuple[PoolLine, ...] = self.shown or ()
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        wide = max((pen.width(line.name, NAME, SEMIBOLD) for line in lines), default=0)
        left = max(126.0, 46 + wide + 10)
        for row, line in enumerate(lines):
            middle = (row + 0.5) * POOL
            pen.icon(line.pool, 25, middle, 22, "mid")
            pen.text(line.name, 46, middle, NAME, "hi", SEMIBOLD)
            self._boxes(pen, line, left, middle, pen.w - 66 - left)
            token = "bad" if not line.left else "warn" if line.left == 1 < line.built else "hi"
            total = f"/{line.built}"
            end = pen.w - 14 - pen.text(total, pen.w - 14, middle + 2, CAPTION, "mid", SEMIBOLD, "right")
            pen.text(str(line.left), end - 1, middle, VALUE, token, BOLD, "right")
            pen.fill(0, (row + 1) * POOL - 1, pen.w, 1, "line")

    def _boxes(self, pen: Pen, line: PoolLine, left: float, middle: float, room: float) -> None:
        pitch = min(42.0, (room + 4) / max(1, len(line.boxes)))
        wide = pitch - (4 if pitch > 16 else 2)
        lettered = all(pen.width(box.word, CAPTION) <= wide - 3 for box in line.boxes)  # all of a row, or none
        for place, box in enumerate(line.boxes):
            x = left + place * pitch
            if box.state == "spent":
                pen.rim(x, middle - 13, wide, 26, "rim", 1.5, 3)
                word = box.word if lettered else "".join(filter(str.isdigit, box.word))
                if pen.width(word, CAPTION) <= wide - 2:
                    pen.text(word, x + wide / 2, middle, CAPTION, "mid", SEMIBOLD, "centre")
                continue
            token = {"left": "hi", "last": "warn", "repaired": "ok"}[box.state]
            pen.fill(x, middle - 13, wide, 26, token, 3)


class CarTitle(Pane):
    """The title of a `CarPage`: the car's plate, name and state."""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        unsaved.bind(count=self.look_again)

    def paint(self, pen: Pen) -> None:
        car: CarPage | None = self.shown
        if car is None:
            return
        left, middle = 0.0, pen.h / 2
        left += pen.text(theme.words.screen("sheet.title"), left, middle, 24, "hi", BOLD) + 26
        plate.draw(pen, car.plate, left, middle, 28)
        left += 26
        facts = pen.width(car.facts, SMALL)
        right = pen.w - 14
        right -= unsaved.room  # the mark itself is in the bar beneath
        for chip in car.chips:
            wide = pen.width(chip.text, CAPTION) + 14
            pen.rim(right - wide, middle - 12, wide, 24, TONES[chip.tone], 1.5, 3)
            pen.text(chip.text, right - wide / 2, middle, CAPTION, TONES[chip.tone], SEMIBOLD, "centre")
            right -= wide + 10
        said, ink = car.name or theme.words.screen("new_race.no_name"), "hi" if car.name else "mid"
        name = max(min(pen.width(said, NAME, SEMIBOLD), 150.0), right - left - facts - 14)
        left += pen.text(said, left, middle, NAME, ink, SEMIBOLD, room=min(name, right - left), cut=True) + 14
        if right - left > 60:
            pen.text(car.facts, left, middle + 1, SMALL, "mid", SEMIBOLD, room=right - left, cut=True)


class Tab(ViewModel, frozen=True, kw_only=True):
    """A tab for a page, with pictogram and word, or for a car, with its plate."""

    icon: str = ""
    label: str = ""
    plate: Plate | None = None
    chosen: bool = False


class TabKey(Target):
    """A key that shows a `Tab`."""

    joined = True

    def paint(self, pen: Pen) -> None:
        tab: Tab | None = self.shown
        if tab is None:
            return
        if self.pressed or tab.chosen:
            pen.fill(0, 0, pen.w, pen.h, "bg4" if self.pressed else "bg3")
        if tab.plate is not None:
            plate.draw(pen, tab.plate, pen.w / 2, pen.h / 2, 28)
            if tab.chosen:
                pen.fill(0, pen.h - 4, pen.w, 4, paint_of(tab.plate.place).colour)
            return
        pen.icon(tab.icon, pen.w / 2, 23, 24, "hi" if tab.chosen else "mid")
        pen.text(tab.label, pen.w / 2, 48, CAPTION, "hi" if tab.chosen else "mid", SEMIBOLD, "centre", room=pen.w - 4)
        if tab.chosen:
            pen.fill(0, pen.h - 3, pen.w, 3, "pri")


class CarTabs(Composed):
    """A row of `Tab`s of cars; `on_car(number)` for a tap on one."""

    def __init__(self, on_car: Callable[[int], object], **properties: Any) -> None:
        super().__init__(**properties)
        self.on_car = on_car

    def compose(self, ui: Ui) -> None:
        tabs: tuple[Tab, ...] = self.shown or ()
        for tab in tabs:
            assert tab.plate is not None
            number = tab.plate.number
            ui.target(ui.area.cut_left(CAR_TAB), number, TabKey, tab, partial(self.on_car, number))


T = TypeVar("T")

FOOT: Final = 64
LEFT: Final = 432
"""Width of a car's pools and crossings, left of the chart, in dp."""
TAB: Final = 64
CAR_TAB: Final = 52
POINTS: Final = 28
"""Height of the heading over the points of a classification, in dp."""
CROSSINGS: Final = 32
"""Height of the heading over what a car has lost, in dp."""
FILTER: Final = 132
"""Width of the filters of the log, in dp."""
WRITE, KEY = 68, 240
"""Height of the row of keys over the notes, and width of a key, in dp."""
RESUME: Final = 132
"""Width of the key that resumes a race, in dp."""
TextKind = Literal["", "rename", "note"]
ICONS: Final[Mapping[SheetPage, str]] = {
    "result": "trophy",
    "car": "sheet",
    "after": "table",
    "log": "history",
    "words": "edit",
    "export": "export",
}


class SheetScreen(Composed, Screen):
    """The sheet of the open race, or of the stored one with the id `given["race"]`.

    The view is kept in `given`: `page`, `car`, `show` (a filter of the log) and `laps`. Lists are made when first
    shown.
    """

    given: OfSheet

    result = cached_property(lambda self: Rows(ResultView, self._car_of, high=54))
    log = cached_property(lambda self: Rows(LogView, self._article, high=56))
    words = cached_property(lambda self: Rows(WordView, high=64))
    line = cached_property(lambda self: WordPrompt(self._on_text, on_cancel=self._stop_writing))

    def __init__(self, app: CompanionApp, given: OfSheet) -> None:
        super().__init__(app, given)
        self.sheet: SheetShown | None = None
        self._revealed: tuple[str, int] = ("", 0)
        """The page and car whose tab was scrolled to."""
        self._stored: tuple[RaceSheet, History] | None = None
        self.wrong: CompanionError | None = None
        """Reason why the race cannot be read."""
        self.cars = CarTabs(self._open_car)
        self.scroll = ScrollView(do_scroll_y=False, size_hint=(None, None), bar_width=0)
        self.scroll.add_widget(self.cars)
        self.export = ExportPage(app, self._entries, lambda entries: app.analysing.result(self._race, entries))
        self.writing: TextKind = ""
        """Kind of the text being written, '' for none."""
        self.look()

    # -- what is looked at

    @property
    def _race(self) -> str:
        """The id of the race, or "last"."""
        return self.given.get("race") or self.app.playing.log_id or "last"

    @property
    def live(self) -> bool:
        """True if the race is the open one."""
        return self.app.playing.seat is not None and self.given.get("race") in (None, self.app.playing.log_id)

    def look(self, **wanted: Unpack[OfSheet]) -> None:
        """Change the view: the page, car, filter or chart."""
        self.given.update(wanted)
        name = self.given.get("page")
        if name == "export" and self.sheet is not None:
            self.look_again()
            return
        self.export.back()
        opened = None if name == "export" else name
        car, show, laps = self.given.get("car"), self.given.get("show", "all"), self.given.get("laps", False)
        two = self.given.get("two", ())

        def read(sheet: RaceSheet, history: History, words: Words) -> SheetShown:
            return page(sheet, history, words, name=opened, car=car, show=show, laps=laps, two=two)

        self.read(read, self._on_read)

    def read(self, look: Callable[[RaceSheet, History, Words], T], then: Callable[[T], object]) -> None:
        """Read something of the race and pass it to `then`.

        For the open race this runs in the desk's thread, else from the stored log.
        """
        if self.live:
            self.see(lambda desk, words: look(desk.sheet(), desk.history, words), then)
            return
        try:
            self._stored = self._stored or stored_sheet(self.app.folder, self.given.get("race") or "last")
        except CompanionError as wrong:
            self.wrong = wrong
            self.look_again()
            return
        sheet, history = self._stored
        then(look(sheet, history, words_of(sheet, history, theme.language)))

    def _on_read(self, shown: SheetShown) -> None:
        self.sheet = shown
        if shown.car is not None:
            self.given["car"] = shown.car.plate.number
        self.look_again()

    def race(self, shown: RaceShown) -> None:
        self.look()

    def back(self) -> bool:
        if self.writing:
            self._stop_writing()
            return True
        return self.export.back()

    # -- a name and notes

    def _write(self, what: TextKind) -> None:
        """Ask for a new name of the race, or a note."""
        self.writing, self.line.most = what, NAME_LETTERS if what == "rename" else MOST
        self.line.show((self.say(f"words.{what}"), self.say(f"words.{what}_keep")))
        self.draw_now()
        self.line.line.line.focus = True

    def _stop_writing(self) -> None:
        self.writing = ""
        self.line.line.line.focus = False
        self.line.line.line.text = ""
        self.look_again()

    def _on_text(self, text: str) -> None:
        """Store a name or note.

        The open race stores it through its desk; a stored one in a thread, since all of it has to be read.
        """
        what, seat = self.writing, self.app.playing.seat
        self._stop_writing()
        if self.live and seat is not None:
            (seat.rename if what == "rename" else seat.note)(text)
            return
        keep = stored_race.rename if what == "rename" else stored_race.annotate
        self.in_thread(lambda: keep(self.app.folder, self._race, text, by=TABLE), self._reread)

    def _reread(self) -> None:
        self._stored = None
        self.look()

    def _turn_chart(self) -> None:
        self.look(laps=not self.given.get("laps", False))

    def _car_of(self, place: int) -> None:
        if self.sheet is not None:
            _, cars, *_ = self.result.shown[place]
            self.look(page="car", car=cars.cars[0][0].number)

    def _article(self, place: int) -> None:
        if self.sheet is not None and (article := self.sheet.log[place].article):
            self.app.go("rules", rulebook=self.sheet.rulebook, article=article)

    def _entries(self) -> tuple[str, list[Entry]]:
        """Return the race's name and its log entries."""
        unsaved = self.app.playing.unsaved if self.live else ()
        return stored_entries(self.app.folder, self._race, unsaved)

    def _resume(self) -> None:
        self.app.playing.resume(self.given.get("race") or "last")

    # -- what is shown

    def compose(self, ui: Ui) -> None:
        ui.fill(ui.area, "bg1")
        whole, shown = Area(*ui.area.box), self.sheet
        if shown is None:
            ui.title(self.say("sheet.title"), self.app.back)
            if self.wrong is not None:
                note = theme.words.error(self.wrong)
                self._compose_empty(
                    ui, EmptyState(icon="triangle", title=self.say("sheet.unreadable"), note=note, tone="bad")
                )
            return
        page = self.given.get("page") or shown.page
        self._compose_title(ui, shown, page)
        ground(ui.pen, FOOT)
        self._compose_foot(ui, ui.area.cut_bottom(FOOT), shown, page)
        if page == "car" and shown.car is not None:
            self._compose_car(ui, shown, shown.car)
        elif page == "log":
            self._compose_log(ui, shown)
        elif page == "after":
            after = ui.named("after", partial(AfterPage, lambda topic: self.look(topic=topic)))
            after.topic = self.given.get("topic", "")
            after.show(shown.after)
            after.look_again()
            self._place_or_empty(ui, after, shown.after, "no_after")
        elif page == "export":
            ui.place(ui.area, self.export)
        elif page == "words":
            self._compose_words(ui, shown)
        else:
            self._compose_result(ui, shown.result)
        if self.writing:
            ui.place(whole, self.line)

    def _compose_title(self, ui: Ui, shown: SheetShown, page: str) -> None:
        """Compose the title, and the key that resumes an unfinished race that is not open."""
        car = shown.car if page == "car" else None
        waits = not self.live and not shown.head.over
        bar, keep = Area(*ui.area.box), RESUME + 8 if waits else 0
        text, note = ("", "") if car is not None else (shown.head.title, shown.head.subtitle)
        key = ui.title(text, self.app.back, note, keep)
        if waits:
            face = Face(label=self.say("home.resume"), look="option", size=BODY)
            ui.button(key.cut_left(RESUME), "resume", face, self._resume).joined = True  # it fills the bar
        if car is not None:
            bar = Area(BACK + 14, key.y, key.x - BACK - 14, key.h - 1)
            ui.place(bar, ui.named("car", CarTitle)).show(car)

    def _compose_empty(self, ui: Ui, state: EmptyState) -> None:
        ui.place(ui.area.inset(60, 40), ui.named("empty", Empty)).show(state)

    def _place_or_empty(self, ui: Ui, pane: Widget, shown: Sequence[object], nothing: str) -> None:
        """Place what has something to show, else say that it has not."""
        if shown:
            ui.place(ui.area, pane)
        else:
            title, note = self.say(f"sheet.{nothing}"), self.say(f"sheet.{nothing}_note")
            self._compose_empty(ui, EmptyState(icon="sheet", title=title, note=note))

    def _compose_result(self, ui: Ui, listings: Sequence[Listing]) -> None:
        for listing in listings[:1]:
            head = ui.area.cut_top(POINTS)
            ui.text(head.inset(20), capital(listing.columns[-1].title), CAPTION, "mid", align="right")
            ui.fill(Area(head.x, head.bottom - 1, head.w, 1), "line")
        self.result.show([row for listing in listings for row in listing.rows])
        self._place_or_empty(ui, self.result, listings, "no_words")

    def _compose_words(self, ui: Ui, shown: SheetShown) -> None:
        """Compose the notes, and keys to write another or to name the race."""
        keys = ui.area.cut_top(WRITE).inset(12, 8)
        writes: tuple[tuple[TextKind, str], ...] = (("rename", "edit"), ("note", "plus"))
        for what, icon in writes if not self.writing else ():
            face = Face(label=self.say(f"sheet.{what}_key"), icon=icon, look="option", size=BODY)
            ui.button(keys.cut_left(KEY), what, face, partial(self._write, what))
            keys.cut_left(12)
        self.words.show(shown.words)
        self._place_or_empty(ui, self.words, shown.words, "no_words")

    def _compose_log(self, ui: Ui, shown: SheetShown) -> None:
        chosen = self.given.get("show", "all")
        for cell, name in zip(ui.area.cut_left(FILTER).inset(12, 12).rows(len(FILTERS), 56), FILTERS, strict=True):
            face = Face(label=self.say(f"sheet.show.{name}"), look="option", size=BODY, chosen=name == chosen)
            ui.button(cell, ("show", name), face, partial(self.look, show=name))
        self.log.show(shown.log)
        self._place_or_empty(ui, self.log, shown.log, "no_log")

    def _compose_car(self, ui: Ui, shown: SheetShown, car: CarPage) -> None:
        """Compose a car's pools, what it lost when and why, and the chart with its line on top."""
        area = ui.area.cut_left(LEFT)
        ui.fill(area.cut_right(1), "line")
        ui.place(area.cut_top(POOL * len(car.pools)), ui.named("pools", PoolLines)).show(car.pools)
        head = area.cut_top(CROSSINGS)
        y, right = head.y + 17, head.right - 13
        ui.pen.text(self.say("sheet.when"), 14, y, CAPTION, "mid", SEMIBOLD)
        ui.pen.text(self.say("sheet.article"), right, y, CAPTION, "mid", SEMIBOLD, "right")
        if not car.why:
            ui.text(Area(14, area.y, LEFT - 28, 40), self.say("sheet.no_crossings"), SMALL, "mid")
        ui.place(area, ui.named("why", partial(Rows, WhyView, high=WHY_ROW))).show(why_rows(car.why, area.w))
        chart = ui.target(ui.area, "chart", ChartView, shown.chart, self._turn_chart)
        chart.car = car.plate.number
        chart.look_again()

    def _compose_foot(self, ui: Ui, foot: Area, shown: SheetShown, page: str) -> None:
        """Compose the tabs of the cars and of the pages."""
        labels = dict(shown.head.pages) | {"export": self.say("sheet.page.export")}
        foot.cut_right(6)
        tab = Tab(icon="curve", label=self.say("sheet.page.analysis"))
        go = partial(self.app.go, "analysis", race=self._race)
        ui.target(foot.cut_right(TAB), "analysis", TabKey, tab, go)
        names = [name for name in ICONS if name in labels]
        for cell, name in zip(foot.cut_right(TAB * len(names)).columns(len(names), 0), names, strict=True):
            tab = Tab(icon=ICONS[name], label=labels[name], chosen=name == page)
            ui.target(cell, name, TabKey, tab, partial(self.look, page=name))
        foot.cut_right(6)
        ui.place(foot, self.scroll)
        self.cars.size = round(theme.dp(CAR_TAB * len(shown.head.cars))), round(theme.dp(FOOT))
        self.cars.show(tuple(Tab(plate=one, chosen=self._marks(one.number, page)) for one in shown.head.cars))
        numbers, car = [one.number for one in shown.head.cars], self.given.get("car")
        if car in numbers and self._is_about_car(page) and self._revealed != (page, car):
            self._revealed = page, car
            self._reveal(numbers.index(car), len(numbers), foot.w)

    def _is_about_car(self, page: str) -> bool:
        """Return True if the page is the chosen car's, or the log may show that car alone."""
        return page == "car" or self.given.get("show") == "car"

    def _marks(self, number: int, page: str) -> bool:
        """Return True if the tab of a car is marked on a page."""
        if page == "after":
            return number in self.given.get("two", ())
        return page in ("car", "log") and self._is_about_car(page) and number == self.given.get("car")

    def _reveal(self, place: int, count: int, room: float) -> None:
        """Scroll the strip to the plate of a car."""
        beyond = CAR_TAB * count - room
        if beyond > 0:
            self.scroll.scroll_x = min(1.0, max(0.0, (CAR_TAB * (place + 0.5) - room / 2) / beyond))

    def _open_car(self, number: int) -> None:
        if self.given.get("page") == "after":
            two = self.given.get("two", ())
            two = tuple(one for one in two if one != number) if number in two else (*two, number)[-2:]
            self.look(two=two)
            return
        page: SheetPage = "log" if self.given.get("page") == "log" and self.given.get("show") == "car" else "car"
        self.look(page=page, car=number)


def stored_entries(folder: Path, race: str, unsaved: Sequence[Write] = ()) -> tuple[str, list[Entry]]:
    """Return the name and log of a stored race, with its unsaved entries.

    Raises LogError.
    """
    from companion.sheets.chain import chained
    from companion.sheets.high_water import read_mark, whole
    from companion.sheets.reading import entries, reading, sought

    if unsaved and unsaved[0].race is not None:  # nothing of it is on the disk
        return str(unsaved[0].race[1]), [write.entry for write in unsaved]
    with reading(folder) as db:
        found = sought(folder, db, race)
        mark = read_mark(folder, found.log_id)  # before the log: the race is going on
        log = list(entries(db, found.log_id))
    log += [write.entry for write in unsaved if write.entry.seq > len(log)]
    log = list(chained(log, found.head))
    whole(found.name, log, mark)
    return found.name, log


def words_of(sheet: RaceSheet, history: History, language: str) -> Words:
    """Return the wording for a stored race, with its board's names for spaces."""
    assert history.beginning is not None
    return BoardWords(language, sheet.rulebook, circuit(history.beginning.track, sheet.track))


def stored_sheet(folder: Path, race: str) -> tuple[RaceSheet, History]:
    """Return the sheet and history of a stored race.

    Raises LogError.
    """
    history = History.of(stored_entries(folder, race)[1])
    return race_sheet(history), history
