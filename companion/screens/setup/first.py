"""The one page that a race begins on: three rows to choose from, and keys to the grid and to everything else."""

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
from companion.screens.setup.step import Change, Step
from companion.screens.widgets.foot import BAND, ground
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.plate import draw
from companion.screens.widgets.theme import BODY, CAPTION, CLOCK, NAME, SMALL, TITLE, theme
from companion.sheets.entrants import Entrant
from companion.view.setup.draft import DECKS, plate, with_circuit, with_program
from companion.view.setup.first_page import HOUSE, SIX, FirstShown, Way, first_page
from companion.view.setup.new_race import house_of
from companion.view.shown import Price, Tone

ROW: Final = 109.0
LEFT: Final = 116.0
HIGH: Final = 84.0
LOW: Final = 48.0
"""The height of a key of the rulebooks where house rules stand below them."""
CIRCUIT: Final = 264.0
DRAWN: Final = 104.0
"""How much of the circuit's key its picture takes."""
OTHER: Final = 128.0
LAP: Final = 60.0
DRIVER: Final = 88.0
BACK: Final = 92.0
BEGIN: Final = 172.0
BESIDE: Final = 120.0
"""The least width of a key that has its pictogram beside its label."""


class Side(Key):
    """A key with its pictogram beside its label, and the second line below; `keep` dp at the left are a picture's."""

    keep = 0.0

    def _stacked(self, pen: Pen, face: Face, foot: float, ink: str, quieter: str) -> None:
        left, label = 14.0 + self.keep, 14.0 + self.keep
        if face.icon:
            pen.icon(face.icon, left + 9, 26, 20, ink)
            label += 24
        room = pen.w - left - 8
        pen.text(face.label, label, 26 if face.icon else 30, face.size, ink, BOLD, room=pen.w - label - 6, cut=True)
        pen.paragraph(face.note, left, 56, SMALL, room, quieter, SEMIBOLD, 2 if not face.icon else 1)


class BookKey(Side):
    """A rulebook: beside many others its pictogram stands above its name."""

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
    """House rules: their name, and the rulebook that they change."""

    def _stacked(self, pen: Pen, face: Face, foot: float, ink: str, quieter: str) -> None:
        pen.text(face.label, pen.w / 2, 15, CAPTION, ink, BOLD, "centre", room=pen.w - 12, cut=True)
        pen.text(face.note, pen.w / 2, 34, CAPTION, quieter, SEMIBOLD, "centre", room=pen.w - 12, cut=True)


class CircuitKey(Side):
    """A circuit: its line drawn small where it is known to the space, else a pictogram."""

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

        def placed(point: Point) -> tuple[float, float]:
            return left + (point[0] - west) * scale, top + (north - point[1]) * scale

        for token, thick in (("rim", 6.0), ("bg1", 3.0)):
            pen.polygon([placed(point) for point in drawing.middle], token, thick)
        x, y = placed(drawing.start_bar[0])
        pen.fill(x - 2, y - 6, 4, 12, "hi")


class DriverKey(Key):
    """A driver's plate and name."""

    entrant: Entrant | None = None

    def _stacked(self, pen: Pen, face: Face, foot: float, ink: str, quieter: str) -> None:
        if self.entrant is not None:
            draw(pen, plate(self.entrant), pen.w / 2, 28, 32)
            if self.entrant.program:
                pen.icon("settings", pen.w - 15, 15, 18, quieter)
        pen.text(face.label, pen.w / 2, 65, face.size, ink, BOLD, "centre", room=pen.w - 8, cut=True)


class FirstPage(Step):
    """Shows the `Draft` on one page. `on_open(step, driver, alone)` opens a step for one thing, with a driver chosen or
    none (-1: a new one), or not `alone`: with all that follow. `on_back` and `on_begin` leave it; `on_why(sentence)`
    tells why no race can begin yet; `saved()` are the house rules that are kept."""

    def __init__(
        self,
        on_change: Change,
        on_open: Callable[..., object],
        on_back: Callable[[], object],
        on_begin: Callable[[], object],
        on_why: Callable[[str], object],
        saved: Callable[[], Sequence[HouseRules]],
        **properties: Any,
    ) -> None:
        super().__init__(on_change, **properties)
        self.on_open, self.on_begin, self.on_why, self._saved = on_open, on_begin, on_why, saved
        self.books: list[BookKey] = []
        self.house: list[HouseKey] = []
        self.circuit = CircuitKey(on_tap=partial(on_open, "circuit"))
        self.other = Key(on_tap=partial(on_open, "circuit"))
        self.laps: list[Key] = []
        self.drivers: list[DriverKey] = []
        self.more = Key(on_tap=partial(on_open, "drivers"))
        self.add = Key(on_tap=partial(on_open, "drivers", -1))
        self.program = Key(on_tap=lambda: self.on_change(with_program(self.draft)))
        self.before, self.rest = Key(on_tap=on_back), Key(on_tap=partial(on_open, "rules", alone=False))
        self.ways: list[Key] = []
        self.begin = Key()

    def _book(self, name: str) -> None:
        if name != self.draft.rulebook or house_of(self.draft, self._saved()):
            self.on_change(with_circuit(self.draft.going_by(name)))

    def _house(self, place: int) -> None:
        """Go by house rules, or have some chosen of all of them."""
        key = first_page(self.draft, theme.words, house=self._saved()).house[place]
        rules = next((one for one in self._saved() if one.name == key.answer), None)
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
            self.on_change(self.draft.but(same=way == "same"))
        else:
            self.on_change(self.draft.but(deck=SystemRandom().randint(1, DECKS) if way == "deck" else 0))

    # -- where everything is

    def arrange(self) -> None:
        if self.shown is None:
            return
        slots = SIX + int(self.w - LEFT - 12 >= (SIX + 2) * (DRIVER + 8) - 8)
        page = first_page(self.draft, theme.words, slots, self._saved())
        self._arrange_books(page)
        self._arrange_circuit(page)
        self._arrange_drivers(page, slots)
        self._arrange_band(page, self.h - BAND + 10)

    def _arrange_books(self, page: FirstShown) -> None:
        self.as_many(self.books, len(page.books), BookKey)
        for key, book, icon in zip(self.books, page.books, page.icons, strict=True):
            key.on_tap = partial(self._book, str(book.answer))
            chosen = book.answer == self.draft.rulebook and not page.by_house
            key.show(Face(label=book.label, note=book.note, icon=icon, look="option", size=BODY, chosen=chosen))
        high = LOW if page.house else HIGH
        top = (ROW - high - 8 - LOW) / 2 if page.house else 12
        self.put_rows(self.books, LEFT, top, self.w - LEFT - 12, high)
        self.as_many(self.house, len(page.house), HouseKey)
        for place, (key, rules) in enumerate(zip(self.house, page.house, strict=True)):
            key.on_tap = partial(self._house, place)
            chosen = bool(page.by_house) and rules.answer == page.by_house
            key.show(Face(label=rules.label, note=rules.note, look="option", size=BODY, chosen=chosen))
        self.put_rows(self.house, LEFT, top + high + 8, self.w - LEFT - 12, LOW, across=HOUSE)

    def _arrange_circuit(self, page: FirstShown) -> None:
        top, self.circuit.track = ROW + 12, self.draft.board
        self.circuit.show(Face(label=page.circuit, note=page.corners, look="option", size=NAME, chosen=True))
        right = self.w - 12 - len(page.laps) * (LAP + 8) + 8
        self.put(self.circuit, LEFT, top, CIRCUIT, HIGH)
        self.other.show(Face(label=self.say("other"), note=self.say("other_note"), look="option", size=BODY))
        self.put(self.other, LEFT + CIRCUIT + 8, top, OTHER, HIGH)
        self.as_many(self.laps, len(page.laps), Key)
        for key, laps in zip(self.laps, page.laps, strict=True):
            key.on_tap = partial(self._laps, int(laps.answer))
            chosen = laps.answer == (self.draft.laps or self.draft.usual_laps)
            key.show(Face(label=laps.label, look="option", size=TITLE, chosen=chosen))
        self.put_rows(self.laps, right, top + (HIGH - LAP) / 2, self.w - 12 - right, LAP)

    def _arrange_drivers(self, page: FirstShown, slots: int) -> None:
        top = 2 * ROW + 12
        self.as_many(self.drivers, len(page.drivers), DriverKey)
        for place, (key, one) in enumerate(zip(self.drivers, page.drivers, strict=True)):
            key.entrant, key.on_tap = one, partial(self.on_open, "drivers", place)
            key.on_hold = partial(self._leave, place)
            name = one.name or self.say("no_name")
            key.show(Face(label=name, note=str((one.number, one.colour, one.program)), look="option", size=BODY))
        keys: list[Key] = [*self.drivers]
        if page.more:
            self.more.show(Face(label=f"+{page.more}", note=self.say("more_drivers"), look="option", size=NAME))
            keys.append(self.more)
        few = bool(page.why) and len(page.drivers) < 2
        self.add.show(Face(label=self.say("add"), icon="plus", look="answer" if few else "quiet", size=BODY))
        keys.append(self.add)
        self.program.show(Face(label=self.say("new_program"), icon="settings", look="quiet", size=BODY))
        if len(keys) <= slots:
            keys.append(self.program)
        for at, key in enumerate(keys):
            self.put(key, LEFT + at * (DRIVER + 8), top, DRIVER, HIGH)
        self.only(keys, of=(self.more, self.program))

    def _arrange_band(self, page: FirstShown, top: float) -> None:
        self.before.show(Face(label=theme.words.screen("keys.back"), icon="back", look="quiet"))
        self.put(self.before, 20, top, BACK, HIGH)
        self.as_many(self.ways, len(page.ways), Key)
        self.rest.show(Face(label=self.say("rest"), note=page.rest, icon="settings", look="option", size=BODY))
        for key, (way, said, chosen) in zip(self.ways, page.ways, strict=True):
            key.on_tap = partial(self._way, way) if not said.why else None
            look: Any = "barred" if said.why else "option"
            key.show(Face(label=said.label, note=said.note, prices=said.prices, look=look, size=BODY, chosen=chosen))
        left = 20 + BACK + 8
        self.put_rows([self.rest, *self.ways], left, top, self.w - 12 - BEGIN - 8 - left, HIGH)
        tone: Tone = "ok"
        if page.why:
            self.begin.on_tap = partial(self.on_why, page.why)
            face = Face(label=self.say("to_grid"), note=page.missing, look="barred", size=TITLE)
        else:
            self.begin.on_tap = self.on_begin
            face = Face(label=self.say("to_grid"), prices=(Price(text=page.begin, tone=tone),), size=CLOCK - 2)
        self.begin.show(face)
        self.put(self.begin, self.w - 12 - BEGIN, top, BEGIN, HIGH)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        for row, name in enumerate(("rulebook", "circuit", "drivers")):
            middle = row * ROW + ROW / 2
            pen.text(self.say(f"row.{name}"), 16, middle - 13, NAME, "hi", SEMIBOLD, room=LEFT - 24)
            pen.text(self.say(f"row.{name}_note"), 16, middle + 13, SMALL, "mid", SEMIBOLD, room=LEFT - 20)
            pen.fill(0, (row + 1) * ROW, pen.w, 1, "line")
        ground(pen)
        if self.shown is not None:
            page = first_page(self.draft, theme.words)
            right = pen.w - 12 - len(page.laps) * (LAP + 8) - 4
            pen.text(page.distance, right, ROW * 1.5, BODY, "mid", SEMIBOLD, "right",
                     room=right - LEFT - CIRCUIT - OTHER - 20)  # fmt: skip
