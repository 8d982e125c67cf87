"""The car builder: points per part between − and +, and the points left to spend.

Beside them are keys for the other choices, and steppers for other values of the car.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from companion.desk import RaceDesk
from companion.drawing.paints import paint_of
from companion.screens.app.screen import Screen
from companion.screens.kit.field_rows import FieldRows
from companion.screens.kit.foot import BAND, ground
from companion.screens.kit.key import Face, Key
from companion.screens.kit.legend import LegendPane
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.plate import draw
from companion.screens.kit.stepper import figure_steps
from companion.screens.kit.theme import BODY, CAPTION, NAME, QUESTION, TONES, VALUE, theme
from companion.screens.kit.title_bar import HIGH as BAR
from companion.screens.kit.title_bar import Title, TitleBar
from companion.screens.kit.touch import Explained, Means, ears
from companion.view.pages.legend import Legend, explained
from companion.view.race.building import Building, BuildShown, CarRow, picture
from companion.view.race.extras import TYRES
from companion.view.shown_race import RaceShown
from companion.view.sight import Sight
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

WIDE: Final = 185
STEP: Final = 126.0
"""Pitch of the steppers, in dp: the name of each stands between them."""


class CompoundKey(Key):
    """A key in a column: the mark of a compound, its name, and a check if selected."""

    answer: Any = None

    def _stacked(self, pen: Pen, face: Face, foot: float, ink: str, quieter: str) -> None:
        middle, left, right = foot / 2, 16.0, pen.w - 14
        if self.answer in TYRES:
            pen.rim(13, middle - 15, 30, 30, TONES[TYRES[self.answer]], 4, 15)
            pen.text(face.label[:1], 28, middle, CAPTION, ink, BOLD, "centre")
            left = 52.0
        if face.chosen:
            pen.icon("check", right - 10, middle, 22, ink)
            right -= 28
        pen.text(face.label, left, middle, face.size, ink, BOLD, room=right - left)


class SidePanel(Pane):
    """Side panel of a `BuildShown`, with `on_choose(place)` and `on_change(name, value)`."""

    def __init__(self, *, on_choose: Any, on_change: Any, **properties: Any) -> None:
        super().__init__(**properties)
        self.on_choose, self.on_change = on_choose, on_change
        self.keys: list[CompoundKey] = []
        self.steps: list[Key] = []
        self.named: list[Explained] = []

    def arrange(self) -> None:
        shown: BuildShown | None = self.shown
        if shown is None:
            return
        self.as_many(self.keys, len(shown.keys), CompoundKey)
        for place, (key, option) in enumerate(zip(self.keys, shown.keys, strict=True)):
            key.on_tap, key.answer, key.means = partial(self.on_choose, place), option.answer, option
            key.show(Face(label=option.label, look="option", size=NAME, chosen=place == shown.chosen))
        self.put_rows(self.keys, 12, 36, self.w - 24, 52, across=1)
        top = 36.0 + 60 * len(self.keys)
        self.as_many(self.steps, 2 * len(shown.others), Key)
        self.as_many(self.named, len(shown.others), Explained)
        for at, field in enumerate(shown.others):
            self.named[at].means = field
            self.put(self.named[at], 12, top + STEP * at + 58, self.w - 24, 56)
            row = 12.0, top + STEP * at, self.w - 24, 52.0
            figure_steps(self, self.steps[2 * at : 2 * at + 2], row, 56, field, self.on_change)

    def paint(self, pen: Pen) -> None:
        shown: BuildShown | None = self.shown
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        pen.fill(0, 0, 1, pen.h, "line")
        if shown is None:
            return
        top = 36.0
        if shown.keys:
            pen.text(shown.keys_title, 12, 22, CAPTION, "mid", SEMIBOLD, room=pen.w - 20)
            top += 60 * len(shown.keys)
        for field in shown.others:
            pen.text(field.label, 12, top - 14, CAPTION, "mid", SEMIBOLD, room=pen.w - 20)
            pen.text(str(field.value), pen.w / 2, top + 26, QUESTION - 2, "hi", BOLD, "centre")
            pen.paragraph(field.note, 12, top + 68, CAPTION, pen.w - 24, "mid")
            top += STEP


LIST: Final = 196
ROWS: Final = 6
"""Maximum number of rows, of cars and of parts of a car."""
CAPITAL_LIST: Final = 13


class CarList(Pane):
    """List of `CarRow`s; if they do not all fit, the car being built stays third."""

    def paint(self, pen: Pen) -> None:
        rows: tuple[CarRow, ...] = self.shown or ()
        now = next((place for place, row in enumerate(rows) if row.state == "now"), 0)
        first = min(max(now - 2, 0), max(len(rows) - ROWS, 0))
        high = pen.h / ROWS
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        for place, row in enumerate(rows[first : first + ROWS]):
            self._row(pen, row, place * high, high)
        pen.fill(pen.w - 1, 0, 1, pen.h, "line")

    def _row(self, pen: Pen, row: CarRow, top: float, high: float) -> None:
        middle = top + high / 2
        if row.state == "now":
            pen.fill(0, top, pen.w, high, "bg3")
            pen.fill(0, top, 4, high, paint_of(row.plate.place).colour)
        else:
            pen.fill(0, top + high - 1, pen.w, 1, "line")
        draw(pen, row.plate, 32, middle, 32)
        ink = "hi" if row.state != "to_come" and row.name else "mid"
        right = pen.w - CAPITAL_LIST
        if row.state == "now" and row.word:
            right -= pen.text(row.word, right, middle, BODY, "warn", BOLD, "right") + 8
        elif row.state == "done":
            pen.icon("check", right - 11, middle, 24, "ok")
            right -= 30
        elif row.state == "to_come":
            pen.rim(right - 21, middle - 10, 20, 20, "rim", 2, 10)
            right -= 30
        name = row.name or theme.words.screen("new_race.no_name")
        pen.text(name, 62, middle, NAME, ink, SEMIBOLD, room=right - 62, cut=True)


class BuildScreen(Screen):
    """The car builder's screen, for the questions about cars before the start.

    One car after another is built; any other question belongs to the race screen.
    """

    def __init__(self, app: CompanionApp, given: Mapping[str, object]) -> None:
        super().__init__(app, given)
        self.built: BuildShown | None = None
        self._building: Building | None = None
        self._chosen = 0
        self._looks = 0
        """Number of pictures of the builder still to come."""
        self.bar = TitleBar(app.back)
        self.cars = CarList()
        self.pools = FieldRows(self._change, ROWS)
        self.side = SidePanel(on_choose=self._choose, on_change=self._change)
        self.undo = Key(on_tap=self._undo, means="undo")
        self.preset = Key(on_tap=self._preset, means="preset")
        self.next = Key(means="done")
        self.legend_of: Legend | None = None
        """Explanation of the part that was long-pressed."""
        self.legend = LegendPane(
            on_article=self._article, on_forced=lambda: None, on_close=lambda: self._explained(None)
        )
        self._look()

    # -- the race and the car

    def race(self, shown: RaceShown) -> None:
        self._look()

    def _look(self) -> None:
        """Request the builder's picture; without an open build, the race screen follows."""
        key = self.built.key if self.built is not None else ""
        building, chosen = self._building, self._chosen

        def look(desk: RaceDesk, words: Words) -> tuple[BuildShown | None, Building | None]:
            return picture(desk, words, key, building, chosen)

        self._looks += 1
        self.see(look, lambda seen: self._seen(*seen))

    def _seen(self, built: BuildShown | None, building: Building | None) -> None:
        self._looks -= 1
        if built is None:
            self.app.instead("race")
            return
        if self.built is None or self.built.key != built.key:
            self._chosen = max(built.chosen, 0)
            self._building = building
            ears.close()
        self.built = built
        self.look_again()

    def _change(self, name: str, value: int) -> None:
        if self._building is not None:
            self._take(self._building.set(name, value))

    def _preset(self) -> None:
        if self._building is not None:
            self._take(self._building.next_preset())

    def _undo(self) -> None:
        if self._building is not None and self._building.trail:
            self._take(self._building.undone())
        elif self.app.playing.seat is not None and self.built is not None:
            self.app.playing.seat.undo(of=self.built.undo.seq)

    def _take(self, building: Building) -> None:
        self._building = building
        self._look()

    def _choose(self, place: int) -> None:
        self._chosen = place
        self._look()

    # -- a button beside the screen

    def press(self, name: str) -> bool:
        """Handle a hardware button.

        Confirm is the key at the right, Next the preset, up and down move among the keys.
        """
        built = self.built
        if name == "undo" and self.legend_of is None and built is not None and built.undo.label:
            self._undo()
        elif name == "undo":
            self.app.back()
        elif built is None or self.legend_of is not None:
            return False
        elif name in ("up", "down", "first", "last") and built.keys:
            to = {"up": self._chosen + 1, "down": self._chosen - 1, "first": 0}.get(name, len(built.keys) - 1)
            self._choose(min(max(to, 0), len(built.keys) - 1))
        elif name == "confirm" and not self._looks:
            self._answer()
        elif name == "next" and built.preset:
            self._preset()
        else:
            return name == "confirm"
        return True

    @property
    def asks(self) -> str:
        return self.built.key if self.built is not None and self.legend_of is None else ""

    def back(self) -> bool:
        covered = self.legend_of is not None
        if covered:
            self._explained(None)
        return covered

    # -- what is held

    def explain(self, means: Means) -> None:
        """Explain the part that was held."""
        self.see(lambda desk, words: explained(Sight(desk, words), means), self._explained)

    def _explained(self, legend: Legend | None) -> None:
        self.legend_of = legend
        if legend is not None:
            self.app.hush()
        self.look_again()

    def _article(self) -> None:
        if self.legend_of is not None:
            self.app.go("rules", article=self.legend_of.article)

    def _answer(self) -> None:
        seat, built = self.app.playing.seat, self.built
        if seat is None or built is None or built.why:
            return
        answer = self._building.answer if self._building is not None else built.keys[self._chosen].answer
        seat.answer(built.n, answer)

    # -- where everything is

    def arrange(self) -> None:
        built = self.built
        body = self.h - BAR - BAND
        self.put(self.bar, 0, 0, self.w, BAR)
        if built is None:
            self.bar.show(Title(text=self.say("build.title")))
            return
        self.bar.show(Title(text=built.title, note=built.subtitle))
        self.cars.show(built.cars)
        self.put(self.cars, 0, BAR, LIST, body)
        self.pools.show(built.pools)
        side = WIDE if built.keys or built.others else 0
        self.put(self.pools, LIST, BAR, self.w - LIST - side, body)
        self.side.show(built)
        if side:
            self.put(self.side, self.w - side, BAR, side, body)
        else:
            self.remove_widget(self.side)
        self._arrange_band(built, self.h - BAND + 10)
        for child in self.children:
            child.disabled = self.legend_of is not None and child is not self.legend
        if self.legend_of is None:
            self.remove_widget(self.legend)
            return
        self.legend.show((self.legend_of, False))
        self.put(self.legend, 0, 0, self.w, self.h)

    def _arrange_band(self, built: BuildShown, top: float) -> None:
        undo = Face(label=self.say("build.undo"), note=built.undo.label, icon="undo", look="quiet")
        if not built.undo.label:
            undo = Face(label=self.say("build.undo"), icon="undo", look="barred")
        self.undo.show(undo)
        self.put(self.undo, 20, top, 92, 84)
        room = self.w
        missing = (built.why if built.spent < built.of else "") or built.rest
        look: Any = "barred" if built.why else "answer"
        self.next.on_tap = self._answer if not built.why else None
        self.next.show(Face(label=built.next, note=missing, look=look, size=VALUE))
        self.put(self.next, room - 136, top, 124, 84)
        if built.preset:
            self.preset.show(Face(label=self.say("build.preset"), note=built.preset, look="quiet"))
            self.put(self.preset, room - 252, top, 104, 84)
        elif self.preset.parent is not None:
            self.remove_widget(self.preset)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        top = pen.h - BAND
        ground(pen)
        built = self.built
        if built is None:
            return
        left, middle = 128.0, top + (36 if built.of or built.why else BAND / 2)
        if built.plate is not None:
            pen.fill(0, top, 8, BAND, paint_of(built.plate.place).colour)
            draw(pen, built.plate, left + 23, middle, 34)
            left += 56
        right = pen.w - (252 if built.preset else 136) - 12
        pen.text(built.ask, left, middle, QUESTION, "hi", BOLD, room=right - left)
        if built.of:
            self._meter(pen, built, 128, top + 78, right)
        if built.why and built.spent >= built.of:
            pen.paragraph(built.why, left, top + 66, CAPTION, right - left, "bad", SEMIBOLD, 2)

    def _meter(self, pen: Pen, built: BuildShown, left: float, y: float, right: float) -> None:
        """Draw a segment for each point, filled if spent, else with an amber rim."""
        said = f"{built.spent}/{built.of}"
        wide = pen.width(said, VALUE, BOLD)
        pen.text(str(built.spent), right - wide, y, VALUE, "hi", BOLD)
        pen.text(f"/{built.of}", right, y, VALUE, "mid", BOLD, "right")
        pitch = (right - wide - 14 - left) / built.of
        for place in range(built.of):
            x, gap = left + place * pitch, min(3.0, pitch / 4)
            if place < built.spent:
                pen.fill(x, y - 6, pitch - gap, 12, "hi", 2)
            else:
                pen.rim(x, y - 6, pitch - gap, 12, "warn", 1.6, 2)
