"""The dashboard of the playing car: gear gate, wear and extras."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from companion.screens.kit import counters, plate, wear
from companion.screens.kit.motion import SEGMENT, movements
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import BODY, CAPTION, NAME, SMALL, TONES
from companion.screens.kit.touch import Target
from companion.view.shown import Dashboard as Shown
from companion.view.shown import Extra, GearCell

HEADER: Final = 38.0
FOOTER: Final = 40.0
HIGH: Final = 262.0
"""Height below which the header and the footer are lower, too, in dp."""
HEADER_LOW: Final = 32.0
FOOTER_LOW: Final = 29.0
FURTHER: Final = 26.0
"""Pitch of further lines of the footer, in dp."""
CELL: Final = 30.0
EDGE: Final = 9.0
ABOVE: Final = 10.0
"""Space above the gear gate, in dp."""
GATE: Final = ABOVE + CELL + 20
BENEATH: Final = 68.0
"""Distance from the foot of the segments to that of the wear columns, in dp."""
SPARE: Final = BENEATH + 4
LOWEST: Final = 20.0
"""Height below which segments are left out, in dp: only the counts remain."""


class DashboardView(Target):
    """A car's dashboard, 214 by 272 dp, with `on_tap` and `on_hold` for the whole.

    A lower one has lower segments, and drops the gear gate where they would be too low. A car without gears has its
    counters and a line for each extra.
    """

    joined = True

    def __init__(
        self,
        on_tap: Callable[[], object] | None = None,
        *,
        on_hold: Callable[[], object] | None = None,
        **properties: Any,
    ) -> None:
        super().__init__(on_tap, on_hold=on_hold, **properties)
        self.leaving: dict[str, int] = {}
        """Points of each pool that are gone and still drawn as about to go."""

    def show(self, shown: Shown | None) -> None:
        """Show a dashboard; animate the points that the same car has just lost."""
        before: Shown | None = self.shown
        super().show(shown)
        if before is None or shown is None or before.plate != shown.plate:
            movements.finish((self, "wear"))
        elif lost := wear.spent(before.columns, shown.columns):
            movements.begin((self, "wear"), SEGMENT * max(lost.values()), partial(self._spend, lost))

    def _spend(self, lost: dict[str, int], part: float) -> None:
        gone = int(part * max(lost.values()))
        leaving = {pool: points - gone for pool, points in lost.items() if points > gone}
        if leaving != self.leaving:
            self.leaving = leaving
            self.look_again()

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        shown: Shown | None = self.shown
        if shown is not None:
            header, footer = (HEADER, FOOTER) if pen.h >= HIGH else (HEADER_LOW, FOOTER_LOW)
            self._header(pen, shown, header)
            if shown.gears:
                room = pen.h - header - GATE - SPARE - LOWEST - footer
                lines = _in_lines(pen, shown.extras, pen.w - 25, 1 + max(0, int(room // FURTHER)))
                foot = pen.h - (footer + FURTHER * (len(lines) - 1) if lines else 0)
                self._car(pen, shown, header, foot)
                if lines:
                    pen.fill(0, foot, pen.w, 1, "line")
                for at, line in enumerate(lines):
                    _extras(pen, line, 12, foot + footer / 2 + FURTHER * at, pen.w - 25)
            else:
                counters.draw(pen, shown, header + 8)
        pen.fill(0, 0, 1, pen.h, "line")

    def _header(self, pen: Pen, shown: Shown, high: float) -> None:
        pen.fill(0, 0, pen.w, high, "bg4" if self.pressed else "bg2")
        middle = high / 2 + 1
        plate.draw(pen, shown.plate, 29, middle, 28)
        right = pen.w - 12
        if self.on_tap is not None:
            pen.icon("forward", right - 3, middle, 14, "mid")
            right -= 16
        wide = pen.text(shown.position, right, middle, BODY, "mid", align="right")
        pen.text(shown.name, 55, middle, NAME, "hi", room=right - wide - 8 - 55, cut=True, floor=BODY)

    def _car(self, pen: Pen, shown: Shown, top: float, foot: float) -> None:
        """Draw the gear gate, if the wear columns still fit below it, and the columns."""
        if foot - top - GATE - SPARE >= LOWEST:
            gate(pen, shown.gears, EDGE, top + ABOVE, pen.w - 2 * EDGE)
            top += GATE
        high = min(wear.HIGH, foot - top - SPARE)
        high = high if high >= LOWEST else 0
        listed = wear.leaving(shown.columns, self.leaving)
        wear.columns(pen, listed, EDGE, foot - high - BENEATH, pen.w - 2 * EDGE, high)


def gate(pen: Pen, cells: tuple[GearCell, ...], x: float, y: float, room: float) -> None:
    """Draw a gear gate: the lever, the gears in reach and their costs."""
    pitch = room / max(6, len(cells))
    side = min(CELL, pitch - 3)
    for place, cell in enumerate(cells):
        left = x + place * pitch + (pitch - side) / 2
        middle = left + side / 2
        ink = {"now": "onpri", "allowed": "hi", "barred": "low"}[cell.state]
        if cell.state == "barred":
            pen.rim(left, y, side, CELL, "rim", 1, 4, dashes=True)
        else:
            pen.fill(left, y, side, CELL, "pri" if cell.state == "now" else "bg3", 4)
        pen.text(
            str(cell.gear), middle, y + CELL / 2, NAME, ink, BOLD if cell.state != "barred" else SEMIBOLD, "centre"
        )
        word = TONES[cell.tone] if cell.state == "allowed" else "hi" if cell.state == "now" else "low"
        pen.text(cell.word, middle, y + CELL + 11, CAPTION, word, SEMIBOLD, "centre", room=pitch - 1)


def _in_lines(pen: Pen, extras: tuple[Extra, ...], room: float, most: int) -> list[tuple[Extra, ...]]:
    """Break extras into lines that fit; the last of `most` lines takes the rest."""
    lines: list[tuple[Extra, ...]] = []
    for extra in extras:
        if lines and (len(lines) == most or _together(pen, (*lines[-1], extra)) <= room):
            lines[-1] = (*lines[-1], extra)
        else:
            lines.append((extra,))
    return lines


def _extras(pen: Pen, extras: tuple[Extra, ...], x: float, y: float, room: float) -> None:
    """Draw extras in one line, spread from left to right.

    Those that do not fit are counted at the end of the line, as "+2".
    """
    shown, more, end = list(extras), "", x + room
    while len(shown) > 1 and _together(pen, shown) > room:
        shown.pop()
        more = f"+{len(extras) - len(shown)}"
        room = end - x - pen.width(more, CAPTION) - 8
    pen.text(more, end, y, CAPTION, "mid", align="right")
    gap = (room - sum(_wide(pen, extra) for extra in shown)) / max(1, len(shown) - 1)
    for extra in shown:
        _extra(pen, extra, x, y, room)
        x += _wide(pen, extra) + gap


def _together(pen: Pen, extras: Sequence[Extra]) -> float:
    """Return the minimum width of a line of extras, in dp."""
    return sum(_wide(pen, extra) for extra in extras) + 10 * (len(extras) - 1)


def _wide(pen: Pen, extra: Extra) -> float:
    wide = 28.0 if extra.icon else 0.0
    if extra.of:
        return wide + (0 if extra.icon else pen.width(extra.label, CAPTION) + 8) + 11 * min(extra.of, 8) - 2
    return wide + pen.width(extra.label, SMALL, BOLD) + (6 + pen.width(extra.value, CAPTION) if extra.value else 0)


def _extra(pen: Pen, extra: Extra, x: float, y: float, room: float) -> None:
    token = TONES[extra.tone]
    end = x + room
    if extra.icon:
        token = "ok" if extra.of and extra.tone == "plain" else token
        pen.icon("ring" if extra.icon == "tyres" else extra.icon, x + 11, y, 24 if extra.icon == "tyres" else 20, token)
        x += 28
    if extra.of:
        if not extra.icon:
            x += pen.text(extra.label, x, y, CAPTION, "mid") + 8
        for place in range(min(extra.of, 8)):
            if place < extra.filled:
                pen.fill(x + 11 * place, y - 9, 9, 18, token, 2)
            else:
                pen.rim(x + 11 * place, y - 9, 9, 18, "rim", 1.5, 2)
        return
    value = 6 + pen.width(extra.value, CAPTION) if extra.value else 0.0
    x += pen.text(extra.label, x, y, SMALL, "hi", BOLD, room=end - x - value, cut=True, floor=CAPTION) + 6
    pen.text(extra.value, x, y, CAPTION, "mid")
