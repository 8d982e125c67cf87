"""The keys at the foot of a sheet: one for each page, one for each car."""

from __future__ import annotations

from companion.drawing.paints import paint_of
from companion.screens.widgets import plate
from companion.screens.widgets.pen import SEMIBOLD, Pen
from companion.screens.widgets.theme import CAPTION
from companion.screens.widgets.touch import Target
from companion.view.shown import Plate, Shown


class Tab(Shown, frozen=True, kw_only=True):
    """A page's key, or a car's: its pictogram and word, or its plate; whether it is the one that is open."""

    icon: str = ""
    label: str = ""
    plate: Plate | None = None
    chosen: bool = False


class TabKey(Target):
    """Shows a `Tab`."""

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
