"""Pictograms, number plates and wear as SVG, and the pages' typeface."""

from __future__ import annotations

import functools
import io
from importlib import resources

from companion.drawing.icons import ICONS
from companion.drawing.paints import BOX, DIGIT, LINE, PAINTS, RADIUS, outline, paint_of, room, widened
from companion.view.markup import Html, el
from companion.view.shown import Column, Loss, Plate, Price


@functools.cache
def icon(name: str, cls: str = "") -> Html:
    """Draw a pictogram in the colour of the surrounding text; nothing for an unknown name."""
    paths = [
        el("path", d=path.removeprefix("# "), cls="f") if path.startswith("#") else el("path", d=path)
        for path in ICONS.get(name, ())
    ]
    return el("svg", paths, cls=f"i {cls}".strip(), viewBox="0 0 24 24", aria_hidden="true") if paths else Html("")


@functools.cache
def _plate(place: int, number: int) -> Html:
    paint = paint_of(place)
    second = place % 20 >= len(PAINTS)
    digits, wider = str(number), widened(number)
    size = min(DIGIT, room(paint.shape, number) / (0.56 * len(digits)))
    body: dict[str, str | float] = {"fill": paint.colour, "stroke": paint.line, "stroke_width": LINE}
    if paint.shape == "circle" and not wider:
        shape = el("circle", cx=0, cy=0, r=RADIUS + second, **body)
        inner = el("circle", cx=0, cy=0, r=RADIUS - 2.2, fill="none", stroke=paint.line, stroke_width=LINE)
    else:
        shape = el(
            "polygon", points=_points(paint.shape, 1.0 if second else 0.0, wider), stroke_linejoin="round", **body
        )
        inner = el(
            "polygon", points=_points(paint.shape, -2.2, wider), fill="none", stroke=paint.line, stroke_width=LINE
        )
    text = el("text", digits, x=0, y=size * 0.36 - (0.6 if paint.shape == "shield" else 0), fill=paint.digit,
              font_size=size, font_weight=700, text_anchor="middle")  # fmt: skip
    return el("g", shape, inner if second else None, text)


def _points(shape: str, grown: float, wider: float) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in outline(shape, grown, wider))


def plate(shown: Plate, cls: str = "") -> Html:
    """Draw a number plate; three digits extend a little beyond its box."""
    half = BOX / 2 + 1.5
    box = f"{-half} {-half} {2 * half} {2 * half}"
    return el("svg", _plate(shown.place, shown.number), cls=f"p {cls}".strip(), viewBox=box, role="img",
              aria_label=str(shown.number))  # fmt: skip


def plate_at(shown: Plate, x: float, y: float, size: float) -> Html:
    """Draw a number plate centred on a point of a drawing."""
    return el("g", _plate(shown.place, shown.number), transform=f"translate({x:.1f} {y:.1f}) scale({size / BOX:.3f})")


def prices(shown: tuple[Price, ...], cls: str = "ps") -> Html:
    """Write prices in a row."""
    if not shown:
        return Html("")
    return el("span", [el("span", icon(one.icon), one.text, cls=f"t-{one.tone}") for one in shown], cls=cls)


def wear(columns: tuple[Column, ...]) -> Html:
    """Draw what a car has left as a column of segments per pool, hatching what an answer costs."""
    return el("ul", [_column(one) for one in columns], cls="wear") if columns else Html("")


def _column(one: Column) -> Html:
    most = max(one.built, one.left)
    step, high = (7.0, 5.0) if most <= 7 else (49.0 / most, 35.0 / most)
    bars = []
    for at in range(most):
        left, paid = at < one.left, one.left - one.cost <= at < one.left
        kind = "cost" if paid else ("low" if one.left == 1 else "has") if left else "gone"
        bars.append(el("rect", x=1, y=49 - step * (at + 1), width=26, height=high, rx=1, cls=kind))
    label = f"{one.name} {one.left}/{one.built}"
    after = f"{one.left}→{one.left - one.cost}" if one.cost else str(one.left)
    drawn = el("svg", bars, viewBox="0 0 28 50", aria_hidden="true")
    return el("li", drawn, el("b", after), icon(one.pool), aria_label=label)


def slim(columns: tuple[Column, ...]) -> Html:
    """Draw what a car has left in small: a column of segments per pool."""
    return el("span", [_slim(one) for one in columns], cls="slim")


def _slim(one: Column) -> Html:
    most = max(one.built, one.left, 1)
    step = min(7.0, 49.0 / most)
    kinds = ["gone" if at >= one.left else "low" if one.left == 1 else "has" for at in range(most)]
    bars = [
        el("rect", x=1, y=49 - step * (at + 1), width=26, height=step - 2, rx=1, cls=kind)
        for at, kind in enumerate(kinds)
    ]
    return el("svg", bars, viewBox="0 0 28 50", role="img", aria_label=f"{one.name} {one.left}/{one.built}")


def segments(loss: Loss) -> Html:
    """Draw a pool before and after a ruling.

    What remains is full, what is lost or gained hatched, the rest empty.
    """
    stays, other = sorted((loss.before, loss.after)) if loss.taken else (loss.after, loss.before)
    kinds = ["has" if at < stays else "cost" if at < other else "gone" for at in range(loss.built)]
    return el("span", [el("i", cls=kind) for kind in kinds], cls="seg", aria_hidden="true")


WRITTEN = "".join(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x100)))) + "–—‘’“”…−×→←·•Œœ≤≥ \u202f"
"""Letters in the fonts of the pages; names in other scripts use the phone's own."""


@functools.cache
def typeface(weight: int) -> bytes:
    """Return the screens' typeface as WOFF, reduced to the letters that most pages need.

    `weight` is 500, 600 or 700.
    """
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    whole = resources.files("companion.drawing").joinpath("fonts", f"BarlowSemiCondensed-{weight}.ttf")
    font = TTFont(io.BytesIO(whole.read_bytes()))
    options = Options()
    options.layout_features = ["tnum"]
    options.hinting = False
    subsetter = Subsetter(options)
    subsetter.populate(text=WRITTEN)
    subsetter.subset(font)
    font.flavor = "woff"
    made = io.BytesIO()
    font.save(made)
    return made.getvalue()
