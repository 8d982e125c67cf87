"""The card of a long press: meaning and article, beside a ring around the part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from companion.screens.kit import plate
from companion.screens.kit.key import Face, Key
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.ruling_card import article
from companion.screens.kit.theme import BODY, NAME, SMALL, TITLE, TONES, theme
from companion.screens.kit.top_bar import HIGH as BAR
from companion.screens.kit.touch import lately
from companion.view.pages.legend import Legend

WIDE: Final = 300.0
HEAD: Final = 44.0
PAD: Final = 16.0
KEY: Final = 54.0
LINE: Final = 18.0
RING: Final = 3.0


class LegendPane(Pane):
    """Explanation of a long-pressed part, on the side that the finger leaves free.

    Shows (legend, can be overridden). `on_article()`, `on_forced()` for an override, `on_close()`; a touch outside
    closes it and still reaches the part below.
    """

    confines_focus = True

    def __init__(
        self,
        *,
        on_article: Callable[[], object],
        on_forced: Callable[[], object],
        on_close: Callable[[], object],
        **properties: Any,
    ) -> None:
        super().__init__(**properties)
        self.on_close = on_close
        self.article, self.forced, self.close = Key(on_tap=on_article), Key(on_tap=on_forced), Key(on_tap=on_close)

    @property
    def _now(self) -> tuple[Legend, bool]:
        now: tuple[Legend, bool] = self.shown
        return now

    @property
    def _ring(self) -> tuple[float, float, float, float]:
        """The part held: left, top, width and height, in dp."""
        left, bottom, wide, high = lately.place
        scale = float(theme.scale)
        return (left - self.x) / scale, (self.top - bottom - high) / scale, wide / scale, high / scale

    @property
    def _card_left(self) -> float:
        """The left edge of the card: at the right, unless that would hide the part."""
        left, _, wide, _ = self._ring
        return 0.0 if left + wide / 2 > self.w / 2 else self.w - WIDE

    def on_touch_down(self, touch: Any) -> bool:
        x = (touch.x - self.x) / float(theme.scale) - self._card_left
        if super().on_touch_down(touch) or (0 <= x <= WIDE and touch.y < self.top - BAR * float(theme.scale)):
            return True
        self.on_close()
        return False

    def arrange(self) -> None:
        if self.shown is None:
            return
        legend, can_force = self._now
        left, wide, top = self._card_left + PAD, WIDE - 2 * PAD, self.h - KEY - 10
        half = (wide - 8) / 2
        self.close.show(Face(label=theme.say("close"), look="option", size=BODY))
        self.put(self.close, left + half + 8 if legend.article else left, top, half if legend.article else wide, KEY)
        self.article.show(Face(label=theme.words.screen("legend.article"), look="quiet", size=BODY))
        self.forced.show(Face(label=theme.words.screen("legend.word"), look="quiet", size=BODY))
        if legend.article:
            self.put(self.article, left, top, half, KEY)
        if can_force:
            self.put(self.forced, left, top - KEY - 8, wide, KEY)
        seen = [self.article] * bool(legend.article) + [self.forced] * can_force
        self.only(seen, of=(self.article, self.forced))

    def paint(self, pen: Pen) -> None:
        if self.shown is None:
            return
        legend, can_force = self._now
        x, y, wide, high = self._ring
        ring = "info" if theme.look == "dark" else "hi"  # by daylight only that stands out on every ground
        pen.rim(x - RING, y - RING, wide + 2 * RING, high + 2 * RING, ring, RING, 10)
        left, right = self._card_left, self._card_left + WIDE
        pen.fill(left, BAR, WIDE, pen.h - BAR, "bg2")
        pen.fill(left if left else right - RING, BAR, RING, pen.h - BAR, "info")
        left, right, middle = left + PAD, right - PAD, BAR + HEAD / 2
        pen.icon("info", left + 10, middle, 20, "info")
        end = left + 30 + pen.text(theme.words.screen("legend.head"), left + 30, middle, BODY, "hi", BOLD) + 10
        article(pen, legend.cited, right, middle, right - end)
        pen.fill(left - PAD + RING, BAR + HEAD, WIDE - RING, 1, "line")
        foot = pen.h - (KEY + 8) * (1 + can_force) - 14
        y = self._title(pen, legend, left, right)
        y = self._write_rule(pen, legend, left, y, right - left, foot)
        for line in legend.lines:
            indent = 26.0 if line.icon else 0.0
            lines = len(pen.broken(line.text, SMALL, SEMIBOLD, right - left - indent))
            if y + (lines - 1) * LINE + 9 > foot:
                break
            token = TONES[line.tone]
            if line.icon:
                pen.icon(line.icon, left + 9, y, 17, token)
            y = pen.paragraph(line.text, left + indent, y, SMALL, right - left - indent, token, SEMIBOLD, lines) + 5

    @staticmethod
    def _title(pen: Pen, legend: Legend, left: float, right: float) -> float:
        """Write the title; return the y below it."""
        middle = BAR + HEAD + 24
        if legend.plate is not None:
            plate.draw(pen, legend.plate, left + 17, middle, 34)
            left += 42
        if legend.sign:
            wide = pen.width(legend.sign, NAME, BOLD) + 24
            pen.rim(left, middle - 15, wide, 30, "hi", 2, 15)
            pen.text(legend.sign, left + wide / 2, middle, NAME, "hi", BOLD, "centre")
            left += wide + 10
        return pen.paragraph(legend.title, left, middle, TITLE, right - left, "hi", BOLD, 2, floor=BODY) + 2

    @staticmethod
    def _write_rule(pen: Pen, legend: Legend, left: float, y: float, room: float, foot: float) -> float:
        """Write the rule, as many whole sentences as fit above the lines; return the y below."""
        beneath = sum(len(pen.broken(one.text, SMALL, SEMIBOLD, room - 26)) * LINE + 5 for one in legend.lines)
        said, most = legend.text, max(3, int((foot - y - beneath) // LINE))
        while said and len(pen.broken(said, SMALL, SEMIBOLD, room)) > most:
            said = said[: said[:-1].rfind(". ") + 1]
        return pen.paragraph(said, left, y, SMALL, room, "mid", SEMIBOLD, most) + 6 if said else y
