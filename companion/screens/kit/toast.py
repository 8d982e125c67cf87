"""A toast: one line that disappears by itself."""

from __future__ import annotations

import functools
import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from operator import itemgetter
from typing import Any, Final

from kivy.clock import Clock
from kivy.uix.textinput import TextInput
from kivy.uix.widget import Widget

from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import Face
from companion.screens.kit.motion import appear
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import SEMIBOLD, Mark, Pen
from companion.screens.kit.theme import BODY, CAPTION, TITLE, TONES, theme
from companion.screens.kit.touch import Target
from companion.view.shown import Toast as Shown

WIDE: Final = 388.0
NARROW: Final = 272.0
"""Width of a toast, and that of one which would cover something in its usual width, in dp."""
HIGH: Final = 60.0
LINES: Final = 3
"""Number of lines that fit; each further one adds LINE to the height."""
LINE: Final = 18.0
SECONDS: Final = 4.0
READING_SPEED: Final = 18.0
"""Letters a second that people read who look up from a board: a long sentence stays longer."""
SCREEN_EDGE: Final = 8
"""Minimum distance from the edge of the screen, in dp."""
GRID_STEP: Final = 12
"""Distance between the places that are tried, in dp."""

KEY_GAP: Final = 4
"""Minimum distance from a key, in dp; the toast's own key is as far from its edge again."""
MAX_OVERLAP: Final = 2
"""Permitted overlap with the edge of its neighbours, in dp: the board of the smaller panel is 386 wide."""

GROUND_SIZE: Final = 100
"""Size from which a mark is a background, in dp; anything smaller is to be read."""
MAX_GIVEN_UP: Final = 120
MIN_LIST_HEIGHT: Final = 100
"""Maximum height that a list gives up for a toast, and minimum that it keeps, in dp."""

Place = tuple[float, float]
"""Left and top, in dp."""
Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in dp."""
Covered = tuple[int, ...]
"""How many keys, titles, rows amid a list and words a toast covers."""


def free_place(
    screen: Pane, wanted: Place, high: float = HIGH, wide: float = WIDE, in_sight: tuple[Box, ...] = ()
) -> tuple[Place, Covered]:
    """Return the place for a toast that is nearest to the wanted one, and what it covers there.

    It covers nothing if it can: it avoids keys, barred ones too, lines to write, the question, titles, advice, list
    rows, any other text and whatever is kept `in_sight`. If a screen has no such place, the toast takes the foot of a
    list, which gives it up, or else the place that covers the fewest of these, in this order. Names in the picture of
    a board do not count as text, and a part that only explains itself when held does not count as a key. `wanted` is
    for the usual height.
    """
    wanted = wanted[0], max(0.0, wanted[1] - (high - HIGH))
    keys: list[Box] = []
    titles: list[Box] = []
    words: list[Box] = []
    for pane, seen in _panes(screen, screen, (0.0, 0.0, screen.w, screen.h)):
        box = box_of(pane, screen)
        if isinstance(pane, TextInput):
            keys.append(_within(_grown(box, KEY_GAP), seen))
            continue
        if pane.in_list:
            continue
        is_barred = isinstance(pane.shown, Face) and pane.shown.look == "barred"
        if isinstance(pane, Target) and (pane.heard or is_barred) and not (pane.explains or pane.disabled):
            keys.append(_within(box if pane.joined else _grown(box, KEY_GAP), seen))
        for mark in pane.marks:
            is_title = mark.kind == "text" and (mark.size >= TITLE or pane.is_advice)
            if is_title or (not pane.is_picture and _is_read(mark)):
                there = box[0] + mark.x, box[1] + mark.y, box[0] + mark.x + mark.w, box[1] + mark.y + mark.h
                (titles if is_title else words).append(_within(there, seen))
    lists = tuple(box for _, box in _lists(screen))
    room = screen.w, screen.h
    return _nearest(wanted, tuple(keys), tuple(titles), lists, tuple(words), in_sight, room, (wide, high))


def _panes(widget: Widget, screen: Pane, seen: Box) -> Iterator[tuple[Pane | TextInput, Box]]:
    """Yield every pane and line to write of a screen with its visible part: a scrolled list hides the rest."""
    if isinstance(widget, Pane | TextInput):
        yield widget, seen
    for child in widget.children:
        inner = _within(box_of(child, screen), seen) if hasattr(child, "scroll_y") else seen
        yield from _panes(child, screen, inner)


def _is_read(mark: Mark) -> bool:
    """Return True if a mark is text, a pictogram or a counter, and not their ground."""
    return mark.kind == "text" or (max(mark.w, mark.h) < GROUND_SIZE and min(mark.w, mark.h) > 2)


def make_room(screen: Pane, top: float | None, left: float = 0.0, wide: float = WIDE) -> None:
    """Make the lists of a screen give up their foot from `top` on; None restores them.

    Only lists under the toast do. Changes within rounding are ignored: list and toast would push each other for ever.
    """
    scale = float(theme.scale)
    for rows, box in _lists(screen):
        given = 0.0
        if top is not None and met((left, top), (box,), HIGH, wide) and _at_foot(top, box):
            given = round((box_of(rows, screen)[3] + rows.gives_up - top) * scale) / scale
        if abs(rows.gives_up - given) * scale > 1.5:
            rows.gives_up = given
            if isinstance(rows.parent, Pane):
                rows.parent.look_again()


def _lists(screen: Pane) -> list[tuple[Any, Box]]:
    """Return the lists of a screen that have rows, with their full boxes."""
    found = []
    for pane in screen.walk(restrict=True):
        if hasattr(pane, "gives_up") and pane.shown:
            left, top, right, bottom = box_of(pane, screen)
            found.append((pane, (left, top, right, min(bottom + pane.gives_up, top + pane.rows_high))))
    return found


@functools.lru_cache(maxsize=8)
def _nearest(
    wanted: Place,
    keys: tuple[Box, ...],
    titles: tuple[Box, ...],
    lists: tuple[Box, ...],
    words: tuple[Box, ...],
    in_sight: tuple[Box, ...],
    room: tuple[float, float],
    size: tuple[float, float],
) -> tuple[Place, Covered]:
    (w, h), (wide, high) = room, size
    across = [float(x) for x in range(SCREEN_EDGE, int(w - wide - SCREEN_EDGE) + 1, GRID_STEP)]
    down = [float(y) for y in range(0, int(h - high - SCREEN_EDGE) + 1, GRID_STEP)]
    feet = [box[3] - high for box in lists if box[3] <= h]

    def covered(y: float, xs: Sequence[float]) -> Iterator[tuple[int, ...]]:
        """Yield how many boxes of each sort a toast covers, at each place of a row."""
        amid = [box for box in lists if not _at_foot(y, box)]
        sorts = keys, titles, amid, words, lists, in_sight
        return zip(*(_counts(xs, _spans(boxes, y, high, wide)) for boxes in sorts), strict=True)

    if not any(next(covered(wanted[1], wanted[:1]))):
        return wanted, ()
    found = [
        (counts, math.dist((x, y), wanted), (x, y))
        for y, xs in ((wanted[1], wanted[:1]), *((y, across) for y in (*down, *feet)))
        for x, counts in zip(xs, covered(y, xs), strict=True)
    ]
    counts, _, place = min(found, key=itemgetter(0, 1))
    return place, counts[:4]


def _counts(xs: Sequence[float], spans: list[tuple[float, float]]) -> list[int]:
    """Return in how many spans each of some rising numbers lies."""
    changes = [0] * (len(xs) + 1)
    for left, right in spans:
        changes[bisect_right(xs, left)] += 1
        changes[bisect_left(xs, right)] -= 1
    return list(accumulate(changes))[:-1]


def _at_foot(y: float, box: Box) -> bool:
    """Return True if a list can give up everything below this height."""
    return box[3] - y < MAX_GIVEN_UP + 1 and y - box[1] > MIN_LIST_HEIGHT - 1


def box_of(pane: Widget, screen: Pane) -> Box:
    """Return a widget's box on a screen, in dp."""
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
    """Count the boxes that a toast of this size would cover."""
    return sum(left < place[0] < right for left, right in _spans(boxes, place[1], high, wide))


def _spans(boxes: Iterable[Box], y: float, high: float, wide: float) -> list[tuple[float, float]]:
    """Return from where to where a toast's left edge lies, at its height `y`, if it covers a box: one span for each."""
    return [
        (left - wide + MAX_OVERLAP, right - MAX_OVERLAP)
        for left, top, right, bottom in boxes
        if top - high < y < bottom and right - left > 1 and bottom - top > 1
    ]


class ToastView(Composed):
    """A toast on the screen; `on_action(name)` for its key, `on_gone()` when it is over.

    It lasts four seconds, longer for a long sentence, or until its action. A new one replaces it: there are never
    two.
    """

    def __init__(
        self,
        on_action: Callable[[str], object] | None = None,
        *,
        on_gone: Callable[[], object] | None = None,
        seconds: float = SECONDS,
        **properties: Any,
    ) -> None:
        self.on_action, self.on_gone = on_action, on_gone
        self.wide = WIDE
        """Width of the toast, in dp."""
        super().__init__(**properties)
        self._seconds = seconds
        self._clock = Clock.create_trigger(self._gone, seconds)

    def show(self, toast: Shown | None) -> None:
        """Show a toast, or none; start its time."""
        if toast is not None and toast != self.shown:
            appear(self)
        super().show(toast)
        self._clock.cancel()
        if toast is not None:
            self._clock.timeout = self._seconds + max(0.0, len(toast.text) / READING_SPEED - SECONDS)
            self._clock()

    @property
    def high(self) -> float:
        """The height it needs, in dp."""
        more = len(self._broken(self.shown, CAPTION)) - LINES if self.shown is not None else 0
        return HIGH + max(0, more) * LINE

    def _broken(self, toast: Shown, size: float) -> list[str]:
        left, end = self._ends(toast)
        return Pen.measuring().broken(toast.text, size, SEMIBOLD, end - left)

    def _ends(self, toast: Shown) -> tuple[float, float]:
        """Return the left and right edge of the text, between pictogram and key."""
        end = self.wide - 12.0 - (self._key_wide(toast) if toast.action_label else 0.0)
        return 50.0 if toast.icon else 20.0, end

    def on_touch_down(self, touch: Any) -> bool:
        covered = self.shown is not None and bool(self.collide_point(*touch.pos))
        return bool(super().on_touch_down(touch)) or covered

    def _on_toast_tap(self) -> None:
        action = self.shown.action
        self._clock.cancel()
        if self.on_action is not None:
            self.on_action(action)
        self._gone()

    def _gone(self, *_: object) -> None:
        self.show(None)
        if self.on_gone is not None:
            self.on_gone()

    def compose(self, ui: Ui) -> None:
        toast: Shown | None = self.shown
        if toast is None:
            return
        ui.fill(ui.area, "bg3", 8)
        ui.fill(Area(0, 0, 12, self.h), TONES[toast.tone], 8)
        ui.fill(Area(4, 0, 12, self.h), "bg3")
        if toast.icon:
            ui.pen.icon(toast.icon, 30, self.h / 2, 22, TONES[toast.tone])
        self._write(ui.pen, toast)
        if toast.action_label:
            wide = self._key_wide(toast)
            face = Face(label=toast.action_label, look="quiet", rim="low")
            ui.button(Area(self.w - wide - 4, 4, wide, 52), "action", face, self._on_toast_tap, means="toast")

    def _key_wide(self, toast: Shown) -> float:
        return max(62.0, Pen.measuring().width(toast.action_label, BODY, 700) + 30)

    def _write(self, pen: Pen, toast: Shown) -> None:
        """Write the text, in one line or several."""
        left, end = self._ends(toast)
        if pen.width(toast.text, BODY) <= end - left:
            pen.text(toast.text, left, pen.h / 2, BODY, "hi", SEMIBOLD)
            return
        size = BODY - 2 if len(self._broken(toast, BODY - 2)) <= 2 else CAPTION
        lines = len(self._broken(toast, size))
        pen.paragraph(toast.text, left, pen.h / 2 - LINE / 2 * (lines - 1), size, end - left, "hi", SEMIBOLD, lines)
