"""A car's page of the sheet: what stands above it, and its wear points."""

from __future__ import annotations

from typing import Any, Final

from companion.screens.widgets import plate
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.theme import CAPTION, NAME, SMALL, TONES, VALUE, theme
from companion.screens.widgets.unsaved import unsaved
from companion.view.sheet_car import CarPage, PoolLine

POOL: Final = 38.0
"""The height of a pool."""


class Pools(Pane):
    """Shows the `PoolLine`s of a car: a box for each point, with the round in which it was crossed off."""

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
    """Above a car's sheet: "Race sheet", its plate, name and how it stands. Shows a `CarPage`."""

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
