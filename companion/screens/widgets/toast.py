"""A toast: one line that goes by itself."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from typing import Any, Final

from kivy.clock import Clock
from kivy.uix.widget import Widget

from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.motion import appear
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import SEMIBOLD, Mark, Pen
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

GROUND: Final = 100
"""How large the ground of something is at least, in dp: what is smaller is read."""
GIVES: Final = 120
KEEPS: Final = 100
"""How much a list gives up at most for a toast, and what it keeps at least, in dp."""

Place = tuple[float, float]
"""Left and top, in dp."""
Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in dp."""


def free_place(
    screen: Pane, wanted: Place, high: float = HIGH, wide: float = WIDE, in_sight: tuple[Box, ...] = ()
) -> Place:
    """The place nearest to the wanted one, which is for the usual height, at which a toast lies on no key, on no
    question or title, on no row of a list, on nothing else that is read and on nothing that is kept `in_sight`; where
    a screen has none, at the foot of a list, which gives it up, or else on as few of them, in this order, as can be.
    The names in the picture of a board are no words, and what does no more than explain itself to a finger that holds
    it is no key."""
    wanted = wanted[0], max(0.0, wanted[1] - (high - HIGH))
    keys: list[Box] = []
    titles: list[Box] = []
    words: list[Box] = []
    for pane, seen in _panes(screen, screen, (0.0, 0.0, screen.w, screen.h)):
        if pane.disabled or pane.in_list:
            continue
        box = box_of(pane, screen)
        if isinstance(pane, Target) and pane.heard and not pane.explains:
            keys.append(_within(box if pane.joined else _grown(box, APART), seen))
        for mark in pane.marks:
            is_title = mark.kind == "text" and mark.size >= TITLE
            if is_title or (not pane.is_picture and _is_read(mark)):
                there = box[0] + mark.x, box[1] + mark.y, box[0] + mark.x + mark.w, box[1] + mark.y + mark.h
                (titles if is_title else words).append(_within(there, seen))
    lists = tuple(box for _, box in _lists(screen))
    room = screen.w, screen.h
    return _nearest(wanted, tuple(keys), tuple(titles), lists, tuple(words), in_sight, room, (wide, high))


def _panes(widget: Widget, screen: Pane, seen: Box) -> Iterator[tuple[Pane, Box]]:
    """Every pane of a screen with as much of the screen as it is seen in: a list that is scrolled hides the rest."""
    if isinstance(widget, Pane):
        yield widget, seen
    for child in widget.children:
        inner = _within(box_of(child, screen), seen) if hasattr(child, "scroll_y") else seen
        yield from _panes(child, screen, inner)


def _is_read(mark: Mark) -> bool:
    """Whether a mark is words, a pictogram or a counter, and not the ground on which they stand."""
    return mark.kind == "text" or (max(mark.w, mark.h) < GROUND and min(mark.w, mark.h) > 2)


def make_room(screen: Pane, top: float | None, left: float = 0.0) -> None:
    """The lists of a screen give up their foot from `top` on, where a toast lies there; None: they take it back. They
    stay as they are where no more than rounding moves them: they would move the toast, and it them, for ever."""
    scale = float(theme.scale)
    for rows, box in _lists(screen):
        given = 0.0
        if top is not None and met((left, top), (box,), HIGH) and _at_foot((left, top), box):
            given = round((box_of(rows, screen)[3] + rows.gives_up - top) * scale) / scale
        if abs(rows.gives_up - given) * scale > 1.5:
            rows.gives_up = given
            if isinstance(rows.parent, Pane):
                rows.parent.look_again()


def _lists(screen: Pane) -> list[tuple[Any, Box]]:
    """The lists of a screen that have rows, each with the place of its rows before it gave anything up."""
    found = []
    for pane in screen.walk(restrict=True):
        if hasattr(pane, "gives_up") and pane.shown and not pane.disabled:
            left, top, right, bottom = box_of(pane, screen)
            found.append((pane, (left, top, right, min(bottom + pane.gives_up, top + pane.rows_high))))
    return found


@functools.lru_cache(maxsize=4)
def _nearest(
    wanted: Place,
    keys: tuple[Box, ...],
    titles: tuple[Box, ...],
    lists: tuple[Box, ...],
    words: tuple[Box, ...],
    in_sight: tuple[Box, ...],
    room: tuple[float, float],
    size: tuple[float, float],
) -> Place:
    (w, h), (wide, high) = room, size
    across = [float(x) for x in range(EDGE, int(w - wide - EDGE) + 1, STEP)]
    down = [float(y) for y in range(0, int(h - high - EDGE) + 1, STEP)]
    feet = [box[3] - high for box in lists if box[3] <= h]
    places = [wanted, *((x, y) for y in (*down, *feet) for x in across)]
    places.sort(key=lambda place: math.dist(place, wanted))

    def amid(place: Place) -> int:
        return sum(not _at_foot(place, box) for box in lists if met(place, (box,), high, wide))

    counts: tuple[Callable[[Place], int], ...] = (
        lambda place: met(place, keys, high, wide),
        lambda place: met(place, titles, high, wide),
        amid,
        lambda place: met(place, words, high, wide),
        lambda place: met(place, lists, high, wide),
        lambda place: met(place, in_sight, high, wide),
    )
    for place in places:
        if not any(count(place) for count in counts):
            return place
    for count in counts:
        lain_on = [count(place) for place in places]
        least = min(lain_on)
        places = [place for place, found in zip(places, lain_on, strict=True) if found == least]
    return places[0]


def _at_foot(place: Place, box: Box) -> bool:
    """Whether all that a list has from this place on can be given up."""
    return box[3] - place[1] < GIVES + 1 and place[1] - box[1] > KEEPS - 1


def box_of(pane: Widget, screen: Pane) -> Box:
    """Where something is on a screen."""
    left, below = pane.to_window(*pane.pos)
    scale = float(theme.scale)
    x, y = (left - screen.x) / scale, (screen.top - below - pane.height) / scale
    return x, y, x + pane.width / scale, y + pane.height / scale


def _within(box: Box, seen: Box) -> Box:
    left, top = max(box[0], seen[0]), max(box[1], seen[1])
    return left, top, max(left, min(box[2], seen[2])), max(top, min(box[3], seen[3]))


def _grown(box: Box, by: float) -> Box:
    left, top, right, bottom = box
    return left - by, top - by, right + by, bottom + by


def met(place: Place, boxes: tuple[Box, ...], high: float, wide: float = WIDE) -> int:
    """How many of these a toast of a size would lie on there."""
    left, top, right, bottom = place[0] + SLACK, place[1], place[0] + wide - SLACK, place[1] + high
    return sum(
        x < right and left < end and y < bottom and top < foot and end - x > 1 and foot - y > 1
        for x, y, end, foot in boxes
    )


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
        self.wide = WIDE
        """How wide it is, in dp."""
        super().__init__(**properties)
        self.key = Key(on_tap=self._tapped, means="toast")
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
        end = self.wide - 12.0 - (self._key_wide(toast) if toast.action_label else 0.0)
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
