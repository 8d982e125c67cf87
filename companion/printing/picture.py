"""A race looked at afterwards as one picture: its curves and tables as SVG, for a report or a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from companion.drawing.paints import paint_of, widened
from companion.sheets.build_sheet import race_sheet
from companion.sheets.entry import Entry
from companion.sheets.history import History
from companion.view.pages.after import Curves, Grid
from companion.view.pages.sheet import page
from companion.view.shown import Plate
from companion.wording import Words

WIDE: Final = 960
EDGE: Final = 30
CURVES: Final = 300
ROW: Final = 26
INK, QUIET, RULE = "#0B0E11", "#4C5864", "#B3BDC7"


def as_svg(entries: Sequence[Entry], lang: str) -> str:
    """Return all that is shown of a race afterwards as one SVG, in a language."""
    history = History.of(entries)
    sheet = race_sheet(history)
    shown = page(sheet, history, Words(lang, sheet.rulebook), name="after")
    body, y = [_text(shown.head.title, EDGE, 44, 26, bold=True), _text(shown.head.subtitle, EDGE, 68, 15, QUIET)], 100
    for topic in shown.after:
        body.append(_text(topic.title, EDGE, y + 14, 18, bold=True))
        drawn = _curves(topic, y + 34) if isinstance(topic, Curves) else _grid(topic, y + 34)
        body += drawn
        y += 34 + (CURVES + 56 if isinstance(topic, Curves) else ROW * (len(topic.rows) + 1) + 34)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {y}" width="{WIDE}" height="{y}" '
        'font-family="Barlow Semi Condensed, Arial Narrow, sans-serif">'
        f'<rect width="{WIDE}" height="{y}" fill="#FFFFFF"/>'
    )
    return "\n".join((head, *body, "</svg>\n"))


def _text(
    text: str, x: float, y: float, size: int, ink: str = INK, *, bold: bool = False, anchor: str = "start"
) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{ink}" text-anchor="{anchor}"{weight}>'
        f"{escape(text)}</text>"
    )


def _line(points: Sequence[tuple[float, float]], ink: str, thick: float) -> str:
    drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return (
        f'<polyline points={quoteattr(drawn)} fill="none" stroke={quoteattr(ink)} stroke-width="{thick}" '
        'stroke-linejoin="round" stroke-linecap="round"/>'
    )


def _plate(plate: Plate, x: float, y: float) -> list[str]:
    paint = paint_of(plate.place)
    shape = f'cx="{x:.1f}" cy="{y:.1f}" rx="{11 + widened(plate.number):.0f}" ry="11"'
    disc = f'<ellipse {shape} fill="{paint.colour}" stroke="{INK}" stroke-width="1.2"/>'
    return [disc, _text(str(plate.number), x, y + 5, 14, paint.digit, bold=True, anchor="middle")]


def _curves(shown: Curves, top: float) -> list[str]:
    left, right, bottom = EDGE + 36.0, WIDE - EDGE - 30.0, top + CURVES
    found = []
    for mark in shown.marks:
        y = top + CURVES * shown.height(mark)
        found += [_line([(left, y), (right, y)], RULE, 1), _text(f"{mark}", left - 8, y + 5, 13, QUIET, anchor="end")]
    last, every = max(1, len(shown.columns) - 1), max(1, -(-len(shown.columns) // 20))
    for at in range(0, len(shown.columns), every):
        found.append(
            _text(shown.columns[at], left + (right - left) * at / last, bottom + 22, 13, QUIET, anchor="middle")
        )
    for line in shown.lines:
        points = [
            (left + (right - left) * column / last, top + CURVES * shown.height(value)) for column, value in line.points
        ]
        found += [_line(points, INK, 3.4), _line(points, paint_of(line.plate.place).colour, 2.4)]
    for plate, column, down in shown.ends(24 / CURVES):
        found += _plate(plate, left + (right - left) * column / last + 14, top + CURVES * down)
    return found


def _grid(shown: Grid, top: float) -> list[str]:
    wide = (WIDE - 2 * EDGE - 240) / max(1, len(shown.head))
    found = [
        _text(word, EDGE + 240 + (at + 1) * wide, top + 12, 13, QUIET, anchor="end")
        for at, word in enumerate(shown.head)
    ]
    for row, (plate, name, cells) in enumerate(shown.rows, 1):
        y = top + row * ROW + 12
        found += _plate(plate, EDGE + 12, y - 5)
        found.append(_text(name, EDGE + 32, y, 15))
        found += [_text(cell, EDGE + 240 + (at + 1) * wide, y, 15, anchor="end") for at, cell in enumerate(cells)]
        found.append(_line([(EDGE, y + 8), (WIDE - EDGE, y + 8)], RULE, 0.6))
    return found
