"""The strip of plates at the bottom of standings and statistics, and its keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from companion.screens.kit import plate
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import Face
from companion.screens.kit.pen import Pen
from companion.screens.kit.theme import SMALL
from companion.screens.kit.touch import Target
from companion.view.shown import Plate, ViewModel

STRIP_HEIGHT: Final = 64.0
PLATE_WIDTH: Final = 52.0
KEY_WIDTH: Final = 124.0


class StripShown(ViewModel, frozen=True, kw_only=True):
    """Plates, and the index of the open one (-1: none)."""

    plates: tuple[Plate, ...]
    chosen: int = -1


class PlateKey(Target):
    """Key of a plate, with its selection."""

    joined = True

    def paint(self, pen: Pen) -> None:
        if self.shown is None:
            return
        one, chosen = self.shown
        if chosen or self.pressed:
            pen.fill(0, 0, pen.w, pen.h, "bg4" if self.pressed else "bg3")
        if chosen:
            pen.fill(0, pen.h - 4, pen.w, 4, "pri")
        plate.draw(pen, one, pen.w / 2, pen.h / 2, 28)


class PlateStrip(Composed):
    """The strip of plates; `on_plate(number)` for a tap on one.

    `keys` are further keys at its right, each with pictogram and action; the owner sets their `labels`.
    """

    def __init__(
        self,
        on_plate: Callable[[int], object],
        keys: Sequence[tuple[str, Callable[[], object]]],
        **properties: Any,
    ) -> None:
        self.on_plate, self.keys = on_plate, keys
        self.labels: tuple[str, ...] = ()
        self.first = 0
        """Index of the first plate shown."""
        super().__init__(**properties)

    def _turn(self, by: int) -> None:
        """Turn to the next plates, cyclically."""
        self.first += by
        self.look_again()

    def compose(self, ui: Ui) -> None:
        shown: StripShown | None = self.shown
        if shown is None:
            return
        ui.pen.band()
        keys = ui.area.cut_right(len(self.keys) * (KEY_WIDTH + 8) + 12)
        cells = Area(keys.x + 8, 5, keys.w - 20, 54).columns(len(self.keys))
        for cell, (icon, act), label in zip(cells, self.keys, self.labels, strict=True):
            ui.button(cell, icon, Face(label=label, icon=icon, look="option", size=SMALL), act)
        fits = len(shown.plates) * PLATE_WIDTH <= ui.area.w
        room = max(1, int(ui.area.w // PLATE_WIDTH if fits else (ui.area.w - 64) // PLATE_WIDTH))
        if self.first >= len(shown.plates):
            self.first = 0
        for at, one in enumerate(shown.plates[self.first : self.first + room]):
            tap = partial(self.on_plate, one.number)
            ui.target(ui.area.cut_left(PLATE_WIDTH), at, PlateKey, (one, self.first + at == shown.chosen), tap)
        if not fits:
            ui.button(
                Area(ui.area.x + 6, 6, 52, 52), "more", Face(icon="forward", look="option"), partial(self._turn, room)
            )
