"""The car builder: points per part between − and +, the points left, and the choice of tyres."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from companion.desk import RaceDesk
from companion.drawing.paints import paint_of
from companion.screens.app.screen import Screen
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.field_rows import FieldRows
from companion.screens.kit.foot import BAND, ground
from companion.screens.kit.key import Face, Key, Look
from companion.screens.kit.legend import LegendPane
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.plate import draw
from companion.screens.kit.theme import BODY, CAPTION, NAME, QUESTION, TONES, VALUE, theme
from companion.screens.kit.touch import Explained, Means, ears
from companion.view.pages.legend import Legend, explained
from companion.view.race.building import Building, BuildShown, CarRow, picture
from companion.view.race.extras import TYRES
from companion.view.shown import Field
from companion.view.shown_race import RaceShown
from companion.view.sight import Sight
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

SIDE: Final = 185
"""Width of the column beside the parts of the car, in dp."""
WIDE_SIDE: Final = 216
"""Width of that column where it has room for notes below the compounds, in dp."""
VALUE_HEIGHT: Final = 126.0
"""Height of a value in that column, in dp."""
COMPOUND_HEIGHT: Final = 52.0
"""Height of the key of a compound, in dp."""
NOTED_HEIGHT: Final = 66.0
"""Height of the key of a compound with a note, in dp."""


class CompoundKey(Key):
    """A key in a column: the mark of a compound, its name, and a check if selected, above a note."""

    answer: Any = None

    def _stacked(self, pen: Pen, face: Face, foot: float, ink: str, quieter: str) -> None:
        middle, left, right = foot / 2, 16.0, pen.w - 14
        if face.note:
            middle = foot / 2 - 12
            pen.text(face.note, 14, foot - 15, CAPTION, quieter, SEMIBOLD, room=pen.w - 22)
        if self.answer in TYRES:
            pen.rim(13, middle - 15, 30, 30, TONES[TYRES[self.answer]], 4, 15)
            pen.text(face.label[:1], 28, middle, CAPTION, ink, BOLD, "centre")
            left = 52.0
        if face.chosen:
            pen.icon("check", right - 10, middle, 22, ink)
            right -= 28
        pen.text(face.label, left, middle, face.size, ink, BOLD, room=right - left)


class SidePanel(Composed):
    """The choices of a `BuildShown`, or the values of the car besides its parts.

    `on_choose(place)` is called for a choice, `on_change(name, value)` for a value.
    """

    def __init__(
        self, *, on_choose: Callable[[int], object], on_change: Callable[[str, int], object], **properties: Any
    ) -> None:
        super().__init__(**properties)
        self.on_choose, self.on_change = on_choose, on_change

    def compose(self, ui: Ui) -> None:
        built: BuildShown | None = self.shown
        if built is None:
            return
        area = ui.area.inset(12, 8)
        ui.fill(ui.area.cut_left(1), "line")
        if built.keys:
            ui.text(area.cut_top(28), built.keys_title, CAPTION, "mid")
        high = NOTED_HEIGHT if any(option.note for option in built.keys) else COMPOUND_HEIGHT
        for place, (cell, option) in enumerate(zip(area.rows(len(built.keys), high), built.keys, strict=True)):
            chosen = place == built.chosen
            face = Face(label=option.label, note=option.note, look="option", size=NAME, chosen=chosen)
            key = ui.target(cell, place, CompoundKey, face, partial(self.on_choose, place))
            key.answer, key.means = option.answer, option
        for row, field in zip(area.rows(len(built.others), VALUE_HEIGHT, 0), built.others, strict=True):
            self._compose_value(ui, row, field)

    def _compose_value(self, ui: Ui, row: Area, field: Field) -> None:
        """Compose a value between − and +, its name above and its note below."""
        ui.text(row.cut_top(28), field.label, CAPTION, "mid")
        keys = row.cut_top(52)
        ui.text(keys, str(field.value), QUESTION - 2, weight=BOLD, align="centre")
        for cell, icon, value in (
            (keys.cut_left(56), "minus", field.value - 1), (keys.cut_right(56), "plus", field.value + 1),
        ):  # fmt: skip
            change = partial(self.on_change, field.name, value) if field.low <= value <= field.high else None
            face = Face(icon=icon, look="option" if change is not None else "barred")
            ui.button(cell, (field.name, icon), face, change, repeats=True)
        ui.pen.paragraph(field.note, row.x, row.y + 16, CAPTION, row.w, "mid")
        ui.target(Area(row.x, row.y + 6, row.w, 56), field.name, Explained, None).means = field


LIST: Final = 196
"""Width of the list of cars, in dp."""
LIST_MARGIN: Final = 13
ROWS: Final = 6
"""Maximum number of rows, of cars and of parts of a car."""


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
        right = pen.w - LIST_MARGIN
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


class BuildScreen(Composed, Screen):
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
        self.legend: Legend | None = None
        """Explanation of the part that was long-pressed."""
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
        if name == "undo" and self.legend is None and built is not None and built.undo.label:
            self._undo()
        elif name == "undo":
            self.app.back()
        elif built is None or self.legend is not None:
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
        return self.built.key if self.built is not None and self.legend is None else ""

    def back(self) -> bool:
        covered = self.legend is not None
        if covered:
            self._show_legend(None)
        return covered

    # -- what is held

    def explain(self, means: Means) -> None:
        """Explain the part that was held."""
        self.see(lambda desk, words: explained(Sight(desk, words), means), self._show_legend)

    def _show_legend(self, legend: Legend | None) -> None:
        self.legend = legend
        if legend is not None:
            self.app.hush()
        self.look_again()

    def _article(self) -> None:
        if self.legend is not None:
            self.app.go("rules", article=self.legend.article)

    def _answer(self) -> None:
        seat, built = self.app.playing.seat, self.built
        if seat is None or built is None or built.why:
            return
        answer = self._building.answer if self._building is not None else built.keys[self._chosen].answer
        seat.answer(built.n, answer)

    # -- what is shown

    def compose(self, ui: Ui) -> None:
        built, screen = self.built, ui.area.inset()
        ui.fill(ui.area, "bg1")
        if built is None:
            ui.title(self.say("build.title"), self.app.back)
            ground(ui.pen)
            return
        ui.title(built.title, self.app.back, built.subtitle)
        self._compose_foot(ui, ui.area.cut_bottom(BAND), built)
        ui.place(ui.area.cut_left(LIST), ui.named("cars", CarList)).show(built.cars)
        if built.keys or built.others:
            side = ui.named("side", partial(SidePanel, on_choose=self._choose, on_change=self._change))
            ui.place(ui.area.cut_right(SIDE if built.others else WIDE_SIDE), side).show(built)
        ui.place(ui.area, ui.named("pools", partial(FieldRows, self._change, ROWS))).show(built.pools)
        for child in ui.placed:
            child.disabled = self.legend is not None
        if self.legend is not None:
            close = partial(self._show_legend, None)
            make = partial(LegendPane, on_article=self._article, on_forced=lambda: None, on_close=close)
            ui.place(screen, ui.named("legend", make)).show((self.legend, False))

    def _compose_foot(self, ui: Ui, foot: Area, built: BuildShown) -> None:
        """Compose the question with the points to spend, between the keys."""
        ground(ui.pen)
        keys = foot.inset(0, 10)
        keys.cut_left(20)
        look: Look = "quiet" if built.undo.label else "barred"
        face = Face(label=self.say("build.undo"), note=built.undo.label, icon="undo", look=look)
        ui.button(keys.cut_left(92), "undo", face, self._undo if built.undo.label else None, means="undo")
        keys.cut_left(16)
        keys.cut_right(12)
        missing = (built.why if built.spent < built.of else "") or built.rest
        face = Face(label=built.next, note=missing, look="barred" if built.why else "answer", size=VALUE)
        ui.button(keys.cut_right(124), "next", face, None if built.why else self._answer, means="done")
        keys.cut_right(12)
        if built.preset:
            face = Face(label=self.say("build.preset"), note=built.preset, look="quiet")
            ui.button(keys.cut_right(104), "preset", face, self._preset, means="preset")
            keys.cut_right(12)
        if built.of:
            self._draw_points(ui.pen, Area(keys.x, foot.y + 72, keys.w, 12), built)
        middle = foot.y + (36 if built.of or built.why else BAND / 2)
        if built.plate is not None:
            ui.fill(Area(foot.x, foot.y, 8, foot.h), paint_of(built.plate.place).colour)
            draw(ui.pen, built.plate, keys.x + 23, middle, 34)
            keys.cut_left(56)
        ui.pen.text(built.ask, keys.x, middle, QUESTION, "hi", BOLD, room=keys.w)
        if built.why and built.spent >= built.of:
            ui.pen.paragraph(built.why, keys.x, foot.y + 66, CAPTION, keys.w, "bad", SEMIBOLD, 2)

    @staticmethod
    def _draw_points(pen: Pen, area: Area, built: BuildShown) -> None:
        """Draw a segment for each point, filled if spent, else with an amber rim."""
        y, right = area.middle[1], area.right - pen.width(f"{built.spent}/{built.of}", VALUE, BOLD)
        pen.text(str(built.spent), right, y, VALUE, "hi", BOLD)
        pen.text(f"/{built.of}", area.right, y, VALUE, "mid", BOLD, "right")
        pitch = (right - 14 - area.x) / built.of
        gap = min(3.0, pitch / 4)
        for place in range(built.of):
            x = area.x + place * pitch
            if place < built.spent:
                pen.fill(x, area.y, pitch - gap, area.h, "hi", 2)
            else:
                pen.rim(x, area.y, pitch - gap, area.h, "warn", 1.6, 2)
