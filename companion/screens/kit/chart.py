"""A chart of positions: rounds or laps across, positions down, one line per car."""

from __future__ import annotations

from typing import Final

from kivy.graphics import Line

from companion.drawing.paints import paint_of
from companion.screens.kit import plate
from companion.screens.kit.eyes import contrast
from companion.screens.kit.pen import SEMIBOLD, Pen
from companion.screens.kit.theme import CAPTION, NAME, rgba, theme
from companion.screens.kit.touch import Target
from companion.view.pages.sheet import Chart, ChartLine

TOP: Final = 50.0
FOOT: Final = 26.0
LEFT: Final = 30.0
PLATE: Final = 24.0
ARROW: Final = 28.0
"""Width of the sign of another chart that a tap shows, in dp."""
MIN_CONTRAST: Final = 3.0
"""Minimum contrast of a line."""
OTHERS_OPACITY: Final = 0.65
"""Opacity of the lines of the other cars."""
KNOT_RADIUS: Final = 3.4
"""Radius of the ring on each round of the car's own line, in dp."""
KNOTS_FROM: Final = 11.0
"""Minimum distance of rounds for these rings, in dp."""


class ChartView(Target):
    """The chart of a race, with the line of the car number `car` on top."""

    car = 0

    def paint(self, pen: Pen) -> None:
        chart: Chart | None = self.shown
        pen.fill(0, 0, pen.w, pen.h, "bg4" if self.pressed else "bg1")
        if chart is None:
            return
        pitch = (pen.h - TOP - FOOT) / max(1, chart.places - 1)
        columns = 1 if pitch >= PLATE + 2 else 2
        right = pen.w - columns * 34 - 12
        room = pen.w - 28
        for band in chart.bands[-1:]:
            wide = pen.width(band.word, CAPTION) + 26
            pen.text(band.word, pen.w - 14, 20, CAPTION, "info", SEMIBOLD, "right")
            pen.icon(band.icon, pen.w - 14 - wide + 8, 20, 18, "info")
            room -= wide + 10
        left = 26 + pen.text(chart.title, 14, 20, NAME, "hi", SEMIBOLD, room=room - ARROW - 12, floor=CAPTION, cut=True)
        other = pen.width(chart.other, CAPTION) + ARROW + 8
        other = other if left + other <= 14 + room else ARROW
        pen.rim(left, 7, other, 26, "mid", 1.5, 6)
        if other > ARROW:
            pen.text(chart.other, left + 10, 20, CAPTION, "hi")
        pen.icon("forward", left + other - ARROW / 2, 20, 16, "hi")
        self._scale(pen, chart, pitch, right)
        for line in sorted(chart.lines, key=lambda line: line.plate.number == self.car):
            self._line(pen, line, chart, pitch, right)
        for line in chart.lines:
            if line.end:
                x = pen.w - 22 - (34 if columns == 2 and line.end % 2 else 0)
                plate.draw(pen, line.plate, x, TOP + (line.end - 1) * pitch, PLATE)

    def _x(self, column: int, chart: Chart, right: float) -> float:
        return LEFT + 6 + (right - LEFT - 12) * column / max(1, len(chart.columns) - 1)

    def _scale(self, pen: Pen, chart: Chart, pitch: float, right: float) -> None:
        """Draw the positions, the rounds or laps, and the stretches of wet track."""
        bottom = TOP + (chart.places - 1) * pitch
        for band in chart.bands:
            left, end = self._x(band.first, chart, right), self._x(band.last, chart, right)
            pen.fill(left, TOP - 12, max(4.0, end - left), bottom - TOP + 24, "info", alpha=0.12)
        step = 1 if pitch >= 17 else 2
        for place in range(chart.places):
            y = TOP + place * pitch
            pen.fill(LEFT, y, right - LEFT, 1, "line")
            if place % step == 0:
                pen.text(str(place + 1), LEFT - 8, y, CAPTION, "mid", SEMIBOLD, "right")
        if not chart.columns:
            return
        last, end = len(chart.columns) - 1, 0.0
        every = max(1, -(-len(chart.columns) // 5))
        for column in sorted({*range(0, last, every), last}):
            text, x = chart.columns[column], self._x(column, chart, right)
            wide = pen.width(text, CAPTION)
            left = min(max(x - wide / 2, LEFT), right - wide)
            if left < end + 8 or (column != last and left + wide + 8 > right - pen.width(chart.columns[-1], CAPTION)):
                continue
            pen.text(text, left, pen.h - 11, CAPTION, "mid", SEMIBOLD)
            end = left + wide

    def _line(self, pen: Pen, line: ChartLine, chart: Chart, pitch: float, right: float) -> None:
        """Draw a car's line, with gaps where it was out of the order."""
        mine = line.plate.number == self.car
        colour = legible(paint_of(line.plate.place).colour)
        runs: list[list[float]] = [[]]
        for column, place in line.points:
            if place:
                runs[-1] += [
                    self._x(column, chart, right) * pen.scale,
                    pen.height - (TOP + (place - 1) * pitch) * pen.scale,
                ]
            elif runs[-1]:
                runs.append([])
        for points in runs:
            if len(points) == 2:
                points += [points[0] + pen.scale, points[1]]
            if len(points) < 4:
                continue
            if mine:
                pen.tint("hi" if theme.look == "daylight" else "bg0")
                pen.group.add(Line(points=points, width=3.2 * pen.scale, joint="round", cap="round"))
            pen.tint(colour, 1.0 if mine else OTHERS_OPACITY)
            pen.group.add(Line(points=points, width=(2.2 if mine else 1.01) * pen.scale, joint="round", cap="round"))
        if mine and self._x(1, chart, right) - self._x(0, chart, right) >= KNOTS_FROM:
            for column, place in line.points:
                if place:
                    self._knot(pen, self._x(column, chart, right), TOP + (place - 1) * pitch, colour)

    def _knot(self, pen: Pen, x: float, y: float, colour: str) -> None:
        for radius, token in ((KNOT_RADIUS + 1.2, colour), (KNOT_RADIUS - 1.0, "bg1")):
            pen.fill(x - radius, y - radius, 2 * radius, 2 * radius, token, radius)


def legible(colour: str) -> str:
    """Return a car's colour, shifted towards the text colour until it is legible."""
    ground, ink = theme.hex("bg1"), theme.hex("hi")
    for share in range(10):
        parts = (own + (far - own) * share / 10 for own, far in zip(rgba(colour)[:3], rgba(ink)[:3], strict=True))
        mixed = "#" + "".join(f"{round(255 * part):02X}" for part in parts)
        if contrast(mixed, ground) >= MIN_CONTRAST:
            return mixed
    return ink
