"""The first page of a race: three rows of choices, and keys to everything else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import SystemRandom
from typing import Any, Final

from companion.drawing.circuit import drawing_of
from companion.drawing.closing import Point
from companion.house_rules import HouseRules
from companion.rules.circuit.track import Track
from companion.rules.ninety.circuit import SectionTrack
from companion.screens.kit.compose import Area, Ui
from companion.screens.kit.foot import BAND, ground
from companion.screens.kit.key import Face, Key, Look
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.plate import draw
from companion.screens.kit.theme import BODY, CAPTION, CLOCK, NAME, SMALL, TITLE, theme
from companion.screens.setup.step import TOAST_GAP, Change, SetupStep
from companion.sheets.entrants import RaceEntrant
from companion.view.setup.draft import DECKS, plate, with_circuit, with_program
from companion.view.setup.first_page import HOUSE, SIX, FirstShown, Way, first_page
from companion.view.setup.new_race import house_of
from companion.view.shown import Price

BOOKS: Final = 121.0
ROW: Final = 103.0
"""Heights of the row of rulebooks, whose keys leave room for a toast over the title, and of the others, in dp."""
LEFT: Final = 116.0
HIGH: Final = 84.0
LOW: Final = 48.0
"""Height of a rulebook's key with house rules below it, in dp."""
CIRCUIT: Final = 264.0
DRAWN: Final = 104.0
"""Width of the picture in the circuit's key, in dp."""
OTHER: Final = 128.0
LAP: Final = 60.0
DRIVER: Final = 88.0
BACK: Final = 92.0
BEGIN: Final = 172.0
BESIDE: Final = 120.0
"""Minimum width of a key with its pictogram beside its label, in dp."""


class PictogramKey(Key):
    """A key with the pictogram beside the label, and `keep` dp free at its left."""

    keep = 0.0

    def _stacked(self, pen: Pen, face: Face, foot: float, ink: str, quieter: str) -> None:
        left, label = 14.0 + self.keep, 14.0 + self.keep
        if face.icon:
            pen.icon(face.icon, left + 9, 26, 20, ink)
            label += 24
        room = pen.w - left - 8
        pen.text(face.label, label, 26 if face.icon else 30, face.size, ink, BOLD, room=pen.w - label - 6, cut=True)
        pen.paragraph(face.note, left, 56, SMALL, room, quieter, SEMIBOLD, 2 if not face.icon else 1)


class BookKey(PictogramKey):
    """Key of a rulebook; among many, with the pictogram above the name."""

    def _stacked(self, pen: Pen, face: Face, foot: float, ink: str, quieter: str) -> None:
        if pen.w >= BESIDE and pen.h == HIGH:
            super()._stacked(pen, face, foot, ink, quieter)
            return
        if pen.h < HIGH:
            pen.icon(face.icon, pen.w / 2, 15, 18, ink)
            pen.text(face.label, pen.w / 2, 34, CAPTION, ink, BOLD, "centre", room=pen.w - 4, cut=True)
            return
        pen.icon(face.icon, pen.w / 2, 20, 20, ink)
        pen.text(face.label, pen.w / 2, 45, CAPTION, ink, BOLD, "centre", room=pen.w - 4, cut=True)
        pen.text(face.note, pen.w / 2, 65, CAPTION, quieter, SEMIBOLD, "centre", room=pen.w - 6)


class HouseKey(Key):
    """Key of house rules: their name, and the rulebook that they change."""

    def _stacked(self, pen: Pen, face: Face, foot: float, ink: str, quieter: str) -> None:
        pen.text(face.label, pen.w / 2, 15, CAPTION, ink, BOLD, "centre", room=pen.w - 12, cut=True)
        pen.text(face.note, pen.w / 2, 34, CAPTION, quieter, SEMIBOLD, "centre", room=pen.w - 12, cut=True)


class CircuitKey(PictogramKey):
    """Key of a circuit, with its outline if known to the space, else a pictogram."""

    keep = DRAWN - 10
    track: Track | SectionTrack | None = None

    def _stacked(self, pen: Pen, face: Face, foot: float, ink: str, quieter: str) -> None:
        super()._stacked(pen, face, foot, ink, quieter)
        if not isinstance(self.track, Track) or self.track.known != "space":
            pen.icon("cards" if isinstance(self.track, SectionTrack) else "sheet", DRAWN / 2, pen.h / 2, 40, "mid")
            return
        drawing = drawing_of(self.track)
        xs, ys = [x for x, _ in drawing.middle], [y for _, y in drawing.middle]
        west, north = min(xs), max(ys)
        wide, high = max(xs) - west, north - min(ys)
        scale = min((DRAWN - 20) / wide, (pen.h - 24) / high)
        left, top = 8 + (DRAWN - 8 - wide * scale) / 2, (pen.h - high * scale) / 2

        def outline_point(point: Point) -> tuple[float, float]:
            return left + (point[0] - west) * scale, top + (north - point[1]) * scale

        for token, thick in (("rim", 6.0), ("bg1", 3.0)):
            pen.polygon([outline_point(point) for point in drawing.middle], token, thick)
        x, y = outline_point(drawing.start_bar[0])
        pen.fill(x - 2, y - 6, 4, 12, "hi")


class DriverKey(Key):
    """Key of a driver, with plate and name."""

    entrant: RaceEntrant | None = None

    def _stacked(self, pen: Pen, face: Face, foot: float, ink: str, quieter: str) -> None:
        if self.entrant is not None:
            draw(pen, plate(self.entrant), pen.w / 2, 28, 32)
            if self.entrant.program:
                pen.icon("settings", pen.w - 15, 15, 18, quieter)
        pen.text(face.label, pen.w / 2, 65, face.size, ink, BOLD, "centre", room=pen.w - 8, cut=True)


class FirstPage(SetupStep):
    """The whole `Draft` on a single page.

    `on_open(step, driver, alone)` opens a step, with a driver selected or none (-1: a new one), either `alone` or
    with all steps after it. `on_back` and `on_begin` leave the page; `on_why(sentence)` is called with the reason why
    no race can start yet; `saved()` returns the stored house rules.
    """

    def __init__(
        self,
        on_change: Change,
        *,
        on_open: Callable[..., object],
        on_back: Callable[[], object],
        on_begin: Callable[[], object],
        on_why: Callable[[str], object],
        saved: Callable[[], Sequence[HouseRules]],
        **properties: Any,
    ) -> None:
        super().__init__(on_change, **properties)
        self.on_open, self.on_back, self.on_begin, self.on_why = on_open, on_back, on_begin, on_why
        self.saved = saved

    def _book(self, name: str) -> None:
        if name != self.draft.rulebook or house_of(self.draft, self.saved()):
            self.on_change(with_circuit(self.draft.going_by(name)))

    def _house(self, name: str) -> None:
        """Apply house rules, or open the list of all of them."""
        rules = next((one for one in self.saved() if one.name == name), None)
        if rules is None:
            self.on_open("rules")
        else:
            self.on_change(with_circuit(self.draft.going_by_house(rules)))

    def _laps(self, laps: int) -> None:
        self.on_change(self.draft.with_laps(laps))

    def _leave(self, place: int) -> None:
        self.on_change(self.draft.leaving(place))

    def _way(self, way: Way) -> None:
        if way in ("each", "same"):
            self.on_change(self.draft.building(each=way == "each"))
        else:
            self.on_change(self.draft.but(deck=SystemRandom().randint(1, DECKS) if way == "deck" else 0))

    # -- what is shown

    def compose_step(self, ui: Ui) -> None:
        ground(ui.pen)
        foot = ui.area.cut_bottom(BAND)
        slots = SIX + int(ui.area.w - LEFT - 12 >= (SIX + 2) * (DRIVER + 8) - 8)
        page = first_page(self.draft, theme.words, slots, self.saved())
        books, circuit, drivers = (ui.area.cut_top(high) for high in (BOOKS, ROW, ROW))
        for row, name in ((books, "rulebook"), (circuit, "circuit"), (drivers, "drivers")):
            middle = row.middle[1]
            ui.pen.text(self.say(f"row.{name}"), 16, middle - 13, NAME, "hi", SEMIBOLD, room=LEFT - 24)
            ui.pen.text(self.say(f"row.{name}_note"), 16, middle + 13, SMALL, "mid", SEMIBOLD, room=LEFT - 20)
            ui.fill(Area(row.x, row.bottom, row.w, 1), "line")
            row.cut_left(LEFT)
            row.cut_right(12)
        self._compose_books(ui, books, page)
        self._compose_circuit(ui, circuit.inset(0, (ROW - HIGH) / 2), page)
        self._compose_drivers(ui, drivers.inset(0, (ROW - HIGH) / 2), page, slots)
        self._compose_foot(ui, foot.inset(0, 10).cut_top(HIGH), page)

    def _compose_books(self, ui: Ui, row: Area, page: FirstShown) -> None:
        """Compose the rulebooks, and below them the house rules if there are any."""
        high = LOW if page.house else HIGH
        row.cut_top(TOAST_GAP if page.house else (BOOKS - high) / 2)
        cells = row.cut_top(high).columns(len(page.books))
        for cell, book, icon in zip(cells, page.books, page.icons, strict=True):
            chosen = book.answer == self.draft.rulebook and not page.by_house
            face = Face(label=book.label, note=book.note, icon=icon, look="option", size=BODY, chosen=chosen)
            ui.target(cell, book.answer, BookKey, face, partial(self._book, str(book.answer)))
        row.cut_top(8)
        for place, (cell, rules) in enumerate(zip(row.cells(len(page.house), HOUSE, LOW), page.house, strict=True)):
            chosen = bool(page.by_house) and rules.answer == page.by_house
            face = Face(label=rules.label, note=rules.note, look="option", size=BODY, chosen=chosen)
            ui.target(cell, place, HouseKey, face, partial(self._house, str(rules.answer)))

    def _compose_circuit(self, ui: Ui, row: Area, page: FirstShown) -> None:
        """Compose the circuit, the way to another, and the laps."""
        face = Face(label=page.circuit, note=page.corners, look="option", size=NAME, chosen=True)
        circuit = ui.target(row.cut_left(CIRCUIT), "circuit", CircuitKey, face, partial(self.on_open, "circuit"))
        circuit.track = self.draft.board
        row.cut_left(8)
        face = Face(label=self.say("other"), note=self.say("other_note"), look="option", size=BODY)
        ui.button(row.cut_left(OTHER), "other", face, partial(self.on_open, "circuit"))
        keys = row.cut_right(len(page.laps) * (LAP + 8) - 8).inset(0, (HIGH - LAP) / 2)
        for cell, laps in zip(keys.columns(len(page.laps)), page.laps, strict=True):
            chosen = laps.answer == (self.draft.laps or self.draft.usual_laps)
            face = Face(label=laps.label, look="option", size=TITLE, chosen=chosen)
            ui.button(cell, ("laps", laps.answer), face, partial(self._laps, int(laps.answer)))
        row.cut_left(12)
        row.cut_right(12)
        ui.text(Area(row.x, row.y, row.w, HIGH), page.distance, BODY, "mid", align="right")

    def _compose_drivers(self, ui: Ui, row: Area, page: FirstShown, slots: int) -> None:
        """Compose a key for each driver as far as they fit, and the ways to more of them."""

        def cut() -> Area:
            cell = row.cut_left(DRIVER)
            row.cut_left(8)
            return cell

        for place, one in enumerate(page.drivers):
            name = one.name or self.say("no_name")
            face = Face(label=name, note=str((one.number, one.colour, one.program)), look="option", size=BODY)
            act, hold = partial(self.on_open, "drivers", place), partial(self._leave, place)
            ui.target(cut(), place, DriverKey, face, act, hold).entrant = one
        if page.more:
            face = Face(label=f"+{page.more}", note=self.say("more_drivers"), look="option", size=NAME)
            ui.button(cut(), "more", face, partial(self.on_open, "drivers"))
        few = bool(page.why) and len(page.drivers) < 2
        face = Face(label=self.say("add"), icon="plus", look="answer" if few else "quiet", size=BODY)
        ui.button(cut(), "add", face, partial(self.on_open, "drivers", -1))
        if len(page.drivers) + bool(page.more) < slots:
            face = Face(label=self.say("new_program"), icon="settings", look="quiet", size=BODY)
            ui.button(cut(), "program", face, lambda: self.on_change(with_program(self.draft)))

    def _compose_foot(self, ui: Ui, row: Area, page: FirstShown) -> None:
        """Compose the ways back, to all the rest, of getting a car, and to the grid."""
        row.cut_left(20)
        row.cut_right(12)
        face = Face(label=theme.words.screen("keys.back"), icon="back", look="quiet")
        ui.button(row.cut_left(BACK), "back", face, self.on_back)
        begin = row.cut_right(BEGIN)
        row = row.inset(8)
        rest, *ways = row.columns(1 + len(page.ways))
        face = Face(label=self.say("rest"), note=page.rest, icon="settings", look="option", size=BODY)
        ui.button(rest, "rest", face, partial(self.on_open, "rules", alone=False))
        for cell, (way, said, chosen) in zip(ways, page.ways, strict=True):
            look: Look = "barred" if said.why else "option"
            face = Face(label=said.label, note=said.note, prices=said.prices, look=look, size=BODY, chosen=chosen)
            ui.button(cell, way, face, None if said.why else partial(self._way, way))
        if page.why:
            face = Face(label=self.say("to_grid"), note=page.missing, look="barred", size=TITLE)
            ui.button(begin, "begin", face, partial(self.on_why, page.why))
        else:
            prices = (Price(text=page.begin, tone="ok"),)
            ui.button(begin, "begin", Face(label=self.say("to_grid"), prices=prices, size=CLOCK - 2), self.on_begin)
