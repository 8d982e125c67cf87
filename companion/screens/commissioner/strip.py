"""The strip of plates at the bottom of standings and statistics, and the keys beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from companion.screens.widgets import plate
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import Pen
from companion.screens.widgets.theme import SMALL
from companion.screens.widgets.touch import Target
from companion.view.shown import Plate, Shown

HIGH: Final = 64.0
PLATE: Final = 52.0
KEY: Final = 124.0


class Stripped(Shown, frozen=True, kw_only=True):
    """The plates, and which of them is open (-1: none)."""

    plates: tuple[Plate, ...]
    chosen: int = -1


class PlateKey(Target):
    """Shows a plate and whether it is the one that is open."""

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


class Strip(Pane):
    """Shows a `Stripped`; `on_plate(number)` for a plate. `keys` are others at its right, each with its pictogram
    and what it does; their `labels` are set by whose strip it is."""

    def __init__(
        self,
        on_plate: Callable[[int], object],
        keys: Sequence[tuple[str, Callable[[], object]]],
        **properties: Any,
    ) -> None:
        super().__init__(**properties)
        self.on_plate = on_plate
        self.plates: list[PlateKey] = []
        self.icons = [icon for icon, _ in keys]
        self.keys = [Key(on_tap=act) for _, act in keys]
        self.labels: tuple[str, ...] = ()
        self.first = 0
        self.more = Key(on_tap=self._turn)

    def _turn(self) -> None:
        """The plates that follow, around."""
        self.first += self._room()
        self.look_again()

    def _room(self) -> int:
        left = self.w - len(self.keys) * (KEY + 8) - 12
        count = len(self.shown.plates) if self.shown is not None else 0
        return int(left // PLATE) if count * PLATE <= left else int((left - 64) // PLATE)

    def arrange(self) -> None:
        shown: Stripped | None = self.shown
        if shown is None:
            return
        room = max(1, self._room())
        if self.first >= len(shown.plates):
            self.first = 0
        seen = shown.plates[self.first : self.first + room]
        self.as_many(self.plates, len(seen), PlateKey)
        for at, (one, key) in enumerate(zip(seen, self.plates, strict=True)):
            key.on_tap = partial(self.on_plate, one.number)
            key.show((one, self.first + at == shown.chosen))
        self.put_rows(self.plates, 0, 0, len(seen) * PLATE, HIGH, gap=0)
        if len(seen) < len(shown.plates):
            self.more.show(Face(icon="forward", look="option"))
            self.put(self.more, len(seen) * PLATE + 6, 6, 52, 52)
        else:
            self.remove_widget(self.more)
        for key, icon, label in zip(self.keys, self.icons, self.labels, strict=True):
            key.show(Face(label=label, icon=icon, look="option", size=SMALL))
        wide = len(self.keys) * (KEY + 8) - 8
        self.put_rows(self.keys, self.w - 12 - wide, 5, wide, 54)

    def paint(self, pen: Pen) -> None:
        pen.band()
