"""The card of a long press: meaning and article, beside a ring around the part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from companion.screens.kit import plate
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import Face
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


class LegendPane(Composed):
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
        self.on_article, self.on_forced, self.on_close = on_article, on_forced, on_close

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

    def compose(self, ui: Ui) -> None:
        if self.shown is None:
            return
        legend, can_force = self.shown
        pen, say = ui.pen, theme.words.screen
        x, y, wide, high = self._ring
        ring = "info" if theme.look == "dark" else "hi"  # by daylight only that stands out on every ground
        pen.rim(x - RING, y - RING, wide + 2 * RING, high + 2 * RING, ring, RING, 10)
        card = Area(self._card_left, BAR, WIDE, self.h - BAR)
        ui.fill(card, "bg2")
        ui.fill(Area(card.x if card.x else card.right - RING, card.y, RING, card.h), "info")
        head = card.cut_top(HEAD)
        ui.fill(Area(card.x + RING, head.bottom, WIDE - RING, 1), "line")
        card = card.inset(PAD)
        card.cut_bottom(10)
        keys = card.cut_bottom(KEY).columns(2 if legend.article else 1)
        ui.button(keys[-1], "close", Face(label=theme.say("close"), look="option", size=BODY), self.on_close)
        if legend.article:
            ui.button(keys[0], "article", Face(label=say("legend.article"), look="quiet", size=BODY), self.on_article)
        if can_force:
            card.cut_bottom(8)
            face = Face(label=say("legend.word"), look="quiet", size=BODY)
            ui.button(card.cut_bottom(KEY), "forced", face, self.on_forced)
        card.cut_bottom(12)
        self._draw_head(ui, head.inset(PAD), legend)
        y = self._title(pen, legend, card.x, card.right)
        y = self._write_rule(pen, legend, card.x, y, card.w, card.bottom)
        for line in legend.lines:
            indent = 26.0 if line.icon else 0.0
            lines = len(pen.broken(line.text, SMALL, SEMIBOLD, card.w - indent))
            if y + (lines - 1) * LINE + 9 > card.bottom:
                break
            token = TONES[line.tone]
            if line.icon:
                pen.icon(line.icon, card.x + 9, y, 17, token)
            y = pen.paragraph(line.text, card.x + indent, y, SMALL, card.w - indent, token, SEMIBOLD, lines) + 5

    @staticmethod
    def _draw_head(ui: Ui, head: Area, legend: Legend) -> None:
        """Draw what the card is, with the article at the right."""
        ui.icon(head.cut_left(20), "info", 20, "info")
        head.cut_left(10)
        head.cut_left(ui.text(head, theme.words.screen("legend.head"), BODY, "hi", BOLD) + 10)
        article(ui.pen, legend.cited, head.right, head.middle[1], head.w)

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
