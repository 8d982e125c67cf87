"""The race sheet: cars with their charts, log, notes, classification and export."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, Unpack

from kivy.uix.scrollview import ScrollView

from companion.drawing.paints import paint_of
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.screen import Screen
from companion.screens.app.signing import TABLE
from companion.screens.app.visits import OfSheet, SheetPage
from companion.screens.kit import plate
from companion.screens.kit.chart import ChartView
from companion.screens.kit.empty import Empty, EmptyState
from companion.screens.kit.foot import ground
from companion.screens.kit.key import Face, Key
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import BODY, CAPTION, NAME, SMALL, TONES, VALUE, theme
from companion.screens.kit.title_bar import BACK, Title, TitleBar
from companion.screens.kit.title_bar import HIGH as BAR
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
from companion.view.pages.sheet import FILTERS, CarPage, LogRow, PoolLine, ResultRow, SheetShown, WhyLine, WordRow, page
from companion.view.shown import Plate, ViewModel
from companion.view.shown_race import RaceShown
from companion.view.worded import BoardWords
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp
    from companion.sheets.log import Write

ARTICLE: Final = 70.0
"""Minimum width of an article in the log, in dp, so that prices are aligned."""


class WhyView(RowView):
    """A row that shows a `WhyLine`."""

    def draw(self, pen: Pen, shown: WhyLine) -> None:
        middle = pen.h / 2
        pen.text(shown.round, 14, middle, CAPTION, "mid", BOLD)
        token = TONES[shown.tone]
        if shown.pool:
            pen.icon(shown.pool, 62, middle, 18, token)
            pen.text(shown.points, 74, middle, SMALL, token, BOLD)
        else:
            pen.icon("cross", 62, middle, 16, token)
        right = pen.w - 14
        right -= pen.text(shown.cited, right, middle, CAPTION, "mid", SEMIBOLD, "right", room=96, cut=True) + 10
        pen.text(shown.text, 108, middle, SMALL, "hi", SEMIBOLD, room=right - 108, cut=True)


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
            wide = pen.text(shown.cited, right, middle, CAPTION, "mid", SEMIBOLD, "right", room=104, cut=True)
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
    """A row that shows a `ResultRow`."""

    def draw(self, pen: Pen, shown: ResultRow) -> None:
        middle = pen.h / 2
        ink = "mid" if shown.out else "hi"
        if shown.of_team:
            pen.fill(0, 0, pen.w, pen.h - 1, "bg3")
        pen.text(shown.place, 36, middle, VALUE, ink, BOLD, "right")
        left = 100.0
        plate.draw(pen, shown.plate, 70, middle, 32)
        for mate in shown.mates:
            plate.draw(pen, mate, left + 4, middle, 32)
            left += 34
        right = pen.w - 20
        pen.text(shown.points, right, middle, VALUE, "hi", BOLD, "right")
        right -= 56
        right -= pen.text(shown.laps, right, middle, BODY, "mid", SEMIBOLD, "right") + 16
        if shown.note:
            right -= pen.text(shown.note, right, middle, BODY, "bad", SEMIBOLD, "right", room=230, cut=True) + 16
        name = shown.name or theme.words.screen("new_race.no_name")
        note = shown.team
        pen.text(name, left, middle - (9 if note else 0), NAME, ink, SEMIBOLD, room=right - left, cut=True)
        pen.text(note, left, middle + 13, CAPTION, "mid", SEMIBOLD, room=right - left, cut=True)


def _two_lines(pen: Pen, text: str, x: float, middle: float, room: float, token: str) -> None:
    """Draw a sentence in one line, or in two smaller ones."""
    if pen.width(text, BODY) <= room:
        pen.text(text, x, middle, BODY, token, SEMIBOLD)
        return
    lines = pen.broken(text, CAPTION, SEMIBOLD, room)
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


T = TypeVar("T")

FOOT: Final = 64
LEFT: Final = 432
TAB: Final = 64
POINTS: Final = 28
"""Height of the heading over the points of a classification, in dp."""
WRITE, KEY = 68, 240
"""Height of the row of keys over the notes, and width of a key, in dp."""
SpokenKind = Literal["", "rename", "note"]
RESUME: Final = 132
"""Width of the key that resumes a race, in dp."""
ICONS: Final[Mapping[SheetPage, str]] = {
    "result": "trophy",
    "car": "sheet",
    "after": "table",
    "log": "history",
    "words": "edit",
    "export": "export",
}


class SheetScreen(Screen):
    """The sheet of the open race, or of the stored one with the id `given["race"]`.

    The view is kept in `given`: `page`, `car`, `show` (a filter of the log) and `laps`.
    """

    given: OfSheet

    def __init__(self, app: CompanionApp, given: OfSheet) -> None:
        super().__init__(app, given)
        self.sheet: SheetShown | None = None
        self._revealed: tuple[str, int] = ("", 0)
        self._kept: tuple[RaceSheet, History] | None = None
        self.wrong: CompanionError | None = None
        """Reason why the race cannot be read."""
        self.bar, self.title = TitleBar(app.back), CarTitle()
        self.tabs: dict[SheetPage, TabKey] = {name: TabKey(on_tap=partial(self.look, page=name)) for name in ICONS}
        self.analysis = TabKey(on_tap=lambda: app.go("analysis", race=self._race))
        self.cars: dict[int, TabKey] = {}
        self.strip = Pane()
        self.scroll = ScrollView(do_scroll_y=False, size_hint=(None, None), bar_width=0)
        self.scroll.add_widget(self.strip)
        self.pools, self.why = PoolLines(), Rows(WhyView, high=27)
        self.chart = ChartView(on_tap=self._turn_chart)
        self.filters = {name: Key(on_tap=partial(self.look, show=name)) for name in FILTERS}
        self.log, self.words = Rows(LogView, self._article, high=56), Rows(WordView, high=64)
        self.result = Rows(ResultView, self._car_of, high=54)
        self.empty, self.after = Empty(), AfterPage(lambda topic: self.look(topic=topic))
        self.export = ExportPage(app, self._entries, lambda entries: app.analysing.result(self._race, entries))
        self.keys = {what: Key(on_tap=partial(self._write, what)) for what in ("rename", "note")}
        self.writing: SpokenKind = ""
        """Kind of the text being written, '' if none."""
        self.line = WordPrompt(self._on_text, on_cancel=self._stop_writing)
        self.resume = Key(on_tap=lambda: app.playing.resume(given.get("race") or "last"))
        self.resume.joined = True  # it fills the bar
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

        def look(sheet: RaceSheet, history: History, words: Words) -> SheetShown:
            return page(sheet, history, words, name=opened, car=car, show=show, laps=laps, two=two)

        self.read(look, self._on_read)

    def read(self, look: Callable[[RaceSheet, History, Words], T], then: Callable[[T], object]) -> None:
        """Read something of the race and pass it to `then`.

        For the open race this runs in the desk's thread, else from the stored log.
        """
        if self.live:
            self.see(lambda desk, words: look(desk.sheet(), desk.history, words), then)
            return
        try:
            self._kept = self._kept or kept_sheet(self.app.folder, self.given.get("race") or "last")
        except CompanionError as wrong:
            self.wrong = wrong
            self.look_again()
            return
        sheet, history = self._kept
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

    def _write(self, what: SpokenKind) -> None:
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
        self._kept = None
        self.look()

    def _turn_chart(self) -> None:
        self.look(laps=not self.given.get("laps", False))

    def _car_of(self, place: int) -> None:
        if self.sheet is not None:
            self.look(page="car", car=(*self.sheet.teams, *self.sheet.result)[place].plate.number)

    def _article(self, place: int) -> None:
        if self.sheet is not None and (article := self.sheet.log[place].article):
            self.app.go("rules", rulebook=self.sheet.rulebook, article=article)

    def _entries(self) -> tuple[str, list[Entry]]:
        """Return the race's name and its log entries."""
        unsaved = self.app.playing.unsaved if self.live else ()
        return kept_entries(self.app.folder, self._race, unsaved)

    # -- where everything is

    def arrange(self) -> None:
        self.put(self.bar, 0, 0, self.w, BAR)
        shown, opened = self.sheet, self.given.get("page") or (self.sheet.page if self.sheet else "")
        if shown is None:
            self.bar.show(Title(text=self.say("sheet.title")))
            if self.wrong is not None:
                note = theme.words.error(self.wrong)
                self.empty.show(EmptyState(icon="triangle", title=self.say("sheet.unreadable"), note=note, tone="bad"))
                self.put(self.empty, 60, BAR + 40, self.w - 120, self.h - BAR - 80)
            return
        room: list[Any] = []
        body = self.h - BAR - FOOT
        self._arrange_resume(waits=not self.live and not shown.head.over)
        if opened == "car" and shown.car is not None:
            room = self._arrange_car(shown.car, body)
        elif opened == "log":
            room = self._arrange_log(shown, body)
        elif opened == "after":
            self.after.topic = self.given.get("topic", "")
            self.after.show(shown.after)
            self.after.look_again()
            room = [self._or_empty(self.after, len(shown.after), "no_after", 0, body)]
        elif opened == "export":
            self.put(self.export, 0, BAR, self.w, body)
            room = [self.export]
        else:
            classified = (*shown.teams, *shown.result)
            rows, data = (self.words, shown.words) if opened == "words" else (self.result, classified)
            rows.show(data)
            titled = WRITE if opened == "words" else POINTS if data else 0
            room = [self._or_empty(rows, len(data), "no_words", 0, body, titled)]
            if opened == "words" and not self.writing:
                room += self._arrange_keys()
        head = shown.head
        if opened != "car":
            self.bar.show(Title(text=head.title, note=head.subtitle))
        pages = (
            self.pools,
            self.why,
            self.chart,
            self.log,
            self.words,
            self.result,
            self.empty,
            self.after,
            self.export,
        )
        children: list[Any] = [self.title, *pages, *self.filters.values(), *self.keys.values()]
        self.only(room, of=children)
        self._arrange_foot(shown, opened)
        if self.writing:
            self.put(self.line, 0, 0, self.w, self.h)
        else:
            self.remove_widget(self.line)

    def _arrange_keys(self) -> list[Any]:
        """Place the keys to write a name or a note, and return them."""
        for place, (what, icon) in enumerate((("rename", "edit"), ("note", "plus"))):
            self.keys[what].show(Face(label=self.say(f"sheet.{what}_key"), icon=icon, look="option", size=BODY))
            self.put(self.keys[what], 12 + place * (KEY + 12), BAR + 8, KEY, WRITE - 16)
        return list(self.keys.values())

    def _arrange_resume(self, *, waits: bool) -> None:
        """Place the key to resume an unfinished race that is not open."""
        self.bar.keep = RESUME + 8 if waits else 0
        if waits:
            self.resume.show(Face(label=self.say("home.resume"), look="option", size=BODY))
            self.put(self.resume, self.w - RESUME - 8, 0, RESUME, BAR)
        else:
            self.remove_widget(self.resume)

    def _or_empty(self, rows: Any, count: int, nothing: str, left: float, body: float, head: float = 0) -> Any:
        if count:
            self.put(rows, left, BAR + head, self.w - left, body - head)
            return rows
        note = self.say(f"sheet.{nothing}_note")
        self.empty.show(EmptyState(icon="sheet", title=self.say(f"sheet.{nothing}"), note=note))
        self.put(self.empty, left + 60, BAR + head + 40, self.w - left - 120, body - head - 80)
        return self.empty

    def _arrange_car(self, car: CarPage, body: float) -> list[Any]:
        self.bar.show(Title(text=""))
        self.title.show(car)
        self.put(self.title, BACK + 14, 0, self.w - BACK - 14 - self.bar.keep, BAR - 1)
        self.pools.show(car.pools)
        high = POOL * len(car.pools)
        self.put(self.pools, 0, BAR, LEFT - 1, high)
        self.why.show(car.why)
        self.put(self.why, 0, BAR + high + 32, LEFT - 1, body - high - 32)
        self.chart.car = car.plate.number
        if self.sheet is not None:
            self.chart.show(self.sheet.chart)
            self.chart.look_again()
        self.put(self.chart, LEFT, BAR, self.w - LEFT, body)
        return [self.title, self.pools, self.why, self.chart]

    def _arrange_log(self, shown: SheetShown, body: float) -> list[Any]:
        chosen = self.given.get("show", "all")
        for name, key in self.filters.items():
            key.show(Face(label=self.say(f"sheet.show.{name}"), look="option", size=BODY, chosen=name == chosen))
        self.put_rows(self.filters.values(), 12, BAR + 12, 108, 56, across=1)
        self.log.show(shown.log)
        rows = self._or_empty(self.log, len(shown.log), "no_log", 132, body)
        return [*self.filters.values(), rows]

    def _arrange_foot(self, shown: SheetShown, opened: str) -> None:
        top = self.h - FOOT
        names = [name for name, _ in shown.head.pages]
        labels = dict(shown.head.pages) | {"export": self.say("sheet.page.export")}
        names = [*names, "export"]
        left = self.w - TAB * (len(names) + 1) - 6
        self.analysis.show(Tab(icon="curve", label=self.say("sheet.page.analysis")))
        self.put(self.analysis, self.w - 6 - TAB, top, TAB, FOOT)
        for name, tab in self.tabs.items():
            if name not in names:
                self.remove_widget(tab)
                continue
            tab.show(Tab(icon=ICONS[name], label=labels[name], chosen=name == opened))
            self.put(tab, left + names.index(name) * TAB, top, TAB, FOOT)
        self.put(self.scroll, 0, top, left - 6, FOOT)
        cars = shown.head.cars
        self.strip.size = (round(theme.dp(52 * len(cars))), round(theme.dp(FOOT)))
        for place, one in enumerate(cars):
            key = self.cars.get(one.number)
            if key is None:
                key = self.cars[one.number] = TabKey(on_tap=partial(self._car, one.number))
            two = opened == "after" and one.number in self.given.get("two", ())
            mine = one.number == self.given.get("car") and (opened == "car" or self.given.get("show") == "car")
            key.show(Tab(plate=one, chosen=two or (mine and opened in ("car", "log"))))
            self.strip.put(key, 52 * place, 0, 52, FOOT)
            if mine and self._revealed != (opened, one.number):
                self._revealed = (opened, one.number)
                self._reveal(place, len(cars), left - 6)

    def _reveal(self, place: int, count: int, room: float) -> None:
        """Scroll the strip to the plate of a car."""
        beyond = 52 * count - room
        if beyond > 0:
            self.scroll.scroll_x = min(1.0, max(0.0, (52 * (place + 0.5) - room / 2) / beyond))

    def _car(self, number: int) -> None:
        if self.given.get("page") == "after":
            two = self.given.get("two", ())
            two = tuple(one for one in two if one != number) if number in two else (*two, number)[-2:]
            self.look(two=two)
            return
        page: SheetPage = "log" if self.given.get("page") == "log" and self.given.get("show") == "car" else "car"
        self.look(page=page, car=number)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        shown = self.sheet
        if shown is None:
            return
        top = pen.h - FOOT
        ground(pen, FOOT)
        if self.given.get("page", shown.page) == "result" and shown.result:
            points = self.say("sheet.points")
            pen.text(points, pen.w - 20, BAR + POINTS / 2, CAPTION, "mid", SEMIBOLD, "right")
            pen.fill(0, BAR + POINTS - 1, pen.w, 1, "line")
        if self.given.get("page", shown.page) == "car" and shown.car is not None:
            car = shown.car
            high = BAR + POOL * len(car.pools)
            pen.fill(LEFT - 1, BAR, 1, top - BAR, "line")
            pen.text(self.say("sheet.when"), 14, high + 17, CAPTION, "mid", SEMIBOLD)
            pen.text(self.say("sheet.article"), LEFT - 14, high + 17, CAPTION, "mid", SEMIBOLD, "right")
            if not car.why:
                pen.text(self.say("sheet.no_crossings"), 14, high + 52, SMALL, "mid", SEMIBOLD, room=LEFT - 28)


def kept_entries(folder: Path, race: str, unsaved: Sequence[Write] = ()) -> tuple[str, list[Entry]]:
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


def kept_sheet(folder: Path, race: str) -> tuple[RaceSheet, History]:
    """Return the sheet and history of a stored race.

    Raises LogError.
    """
    history = History.of(kept_entries(folder, race)[1])
    return race_sheet(history), history
