"""A toast: one line that goes by itself."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, Final

from kivy.clock import Clock

from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.motion import appear
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import SEMIBOLD, Pen
from companion.screens.widgets.theme import BODY, CAPTION, TITLE, TONES, theme
from companion.screens.widgets.touch import Target
from companion.view.shown import Toast as Shown

WIDE: Final = 388.0
HIGH: Final = 60.0
LINES: Final = 3
"""How many lines it has room for; for each more it is as much higher as LINE."""
LINE: Final = 18.0
SECONDS: Final = 4.0
READ: Final = 18.0
"""How many letters a second people read who look up from a board: a long sentence stays longer."""
EDGE: Final = 8
"""How near the edge of the screen it may stand, in dp."""
STEP: Final = 12
"""How far apart the places are that are tried, in dp."""

APART: Final = 4
"""How far from a key it lies, in dp: its own key is as far from its edge again."""
SLACK: Final = 2
"""By how much it may lie on the edge of what is beside it, in dp: the board of the smaller panel is 386 wide."""

Place = tuple[float, float]
"""Left and top, in dp."""
Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in dp."""


def free_place(screen: Pane, wanted: Place, high: float = HIGH) -> Place:
    """The place nearest to the wanted one, which is for the usual height, at which a toast lies on no key, on no
    question or title and on no row of a list; where a screen has none on as few of them, in this order, as can be."""
    wanted = wanted[0], max(0.0, wanted[1] - (high - HIGH))
    from companion.screens.widgets.rows import RowView  # with all of Kivy's lists, which home has no use for

    keys: list[Box] = []
    titles: list[Box] = []
    rows: list[Box] = []
    for pane in screen.walk(restrict=True):
        if isinstance(pane, Target) and pane.heard and not pane.disabled:
            box = _box(pane, screen)
            if isinstance(pane, RowView):
                rows.append(box)
            else:
                keys.append(box if pane.joined else _grown(box, APART))
        elif isinstance(pane, Pane):
            x, y, _, _ = _box(pane, screen)
            large = [mark for mark in pane.marks if mark.kind == "text" and mark.size >= TITLE]
            titles += [(x + mark.x, y + mark.y, x + mark.x + mark.w, y + mark.y + mark.h) for mark in large]
    return _nearest(wanted, (tuple(keys), tuple(titles), tuple(rows)), screen.w, screen.h, high)


@functools.lru_cache(maxsize=4)
def _nearest(wanted: Place, kinds: tuple[tuple[Box, ...], ...], w: float, h: float, high: float) -> Place:
    places = [wanted]
    for y in range(0, int(h - high - EDGE) + 1, STEP):
        places += [(float(x), float(y)) for x in range(EDGE, int(w - WIDE - EDGE) + 1, STEP)]
    places.sort(key=lambda place: math.dist(place, wanted))

    def lain_on(place: Place) -> tuple[int, ...]:
        return tuple(_met(place, boxes, high) for boxes in kinds)

    return next((place for place in places if not any(lain_on(place))), None) or min(places, key=lain_on)


def _box(pane: Pane, screen: Pane) -> Box:
    left, below = pane.to_window(*pane.pos)
    scale = float(theme.scale)
    x, y = (left - screen.x) / scale, (screen.top - below - pane.height) / scale
    return x, y, x + pane.w, y + pane.h


def _grown(box: Box, by: float) -> Box:
    left, top, right, bottom = box
    return left - by, top - by, right + by, bottom + by


def _met(place: Place, boxes: tuple[Box, ...], high: float) -> int:
    left, top, right, bottom = place[0] + SLACK, place[1], place[0] + WIDE - SLACK, place[1] + high
    return sum(box[0] < right and box[2] > left and box[1] < bottom and box[3] > top for box in boxes)


class Toast(Pane):
    """Shows a `Toast`; `on_action(name)` is called for its key, `on_gone()` after four seconds, or when a long
    sentence can be read, or after the action. The next one takes its place: there are never two."""

    def __init__(
        self,
        on_action: Callable[[str], object] | None = None,
        on_gone: Callable[[], object] | None = None,
        seconds: float = SECONDS,
        **properties: Any,
    ) -> None:
        self.on_action, self.on_gone = on_action, on_gone
        super().__init__(**properties)
        self.key = Key(on_tap=self._tapped)
        self._seconds = seconds
        self._clock = Clock.create_trigger(self._gone, seconds)

    def show(self, toast: Shown | None) -> None:
        """Shows a toast, or none; its seconds begin."""
        if toast is not None and toast != self.shown:
            appear(self)
        super().show(toast)
        self._clock.cancel()
        if toast is not None:
            self._clock.timeout = self._seconds + max(0.0, len(toast.text) / READ - SECONDS)
            self._clock()

    @property
    def high(self) -> float:
        """How high it has to be, in dp."""
        more = len(self._broken(self.shown, CAPTION)) - LINES if self.shown is not None else 0
        return HIGH + max(0, more) * LINE

    def _broken(self, toast: Shown, size: float) -> list[str]:
        left, end = self._ends(toast)
        return Pen.measuring().broken(toast.text, size, SEMIBOLD, end - left)

    def _ends(self, toast: Shown) -> tuple[float, float]:
        """Where its words begin and end, between its pictogram and its key."""
        end = WIDE - 12.0 - (self._key_wide(toast) if toast.action_label else 0.0)
        return 50.0 if toast.icon else 20.0, end

    def on_touch_down(self, touch: Any) -> bool:
        covered = self.shown is not None and bool(self.collide_point(*touch.pos))
        return bool(super().on_touch_down(touch)) or covered

    def _tapped(self) -> None:
        action = self.shown.action
        self._clock.cancel()
        if self.on_action is not None:
            self.on_action(action)
        self._gone()

    def _gone(self, *_: object) -> None:
        self.show(None)
        if self.on_gone is not None:
            self.on_gone()

    def arrange(self) -> None:
        toast: Shown | None = self.shown
        if toast is None or not toast.action_label:
            self.remove_widget(self.key)
            return
        self.key.show(Face(label=toast.action_label, look="quiet", rim="low"))
        wide = self._key_wide(toast)
        self.put(self.key, self.w - wide - 4, 4, wide, 52)

    def _key_wide(self, toast: Shown) -> float:
        return max(62.0, Pen.measuring().width(toast.action_label, BODY, 700) + 30)

    def paint(self, pen: Pen) -> None:
        toast: Shown | None = self.shown
        if toast is None:
            return
        pen.fill(0, 0, pen.w, pen.h, "bg3", 8)
        pen.fill(0, 0, 12, pen.h, TONES[toast.tone], 8)
        pen.fill(4, 0, 12, pen.h, "bg3")
        if toast.icon:
            pen.icon(toast.icon, 30, pen.h / 2, 22, TONES[toast.tone])
        left, end = self._ends(toast)
        if pen.width(toast.text, BODY) <= end - left:
            pen.text(toast.text, left, pen.h / 2, BODY, "hi", SEMIBOLD)
            return
        size = BODY - 2 if len(self._broken(toast, BODY - 2)) <= 2 else CAPTION
        lines = len(self._broken(toast, size))
        pen.paragraph(toast.text, left, pen.h / 2 - LINE / 2 * (lines - 1), size, end - left, "hi", SEMIBOLD, lines)
