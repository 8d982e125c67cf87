"""The spaces to choose from on the race screen: a list of what happens, with a key for each space, and the key that
applies the one that is selected."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from companion.rules.conversation.asking import Json
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.theme import CAPTION, CLOCK, NAME, SMALL, TONES
from companion.screens.widgets.touch import Target
from companion.view import shown
from companion.view.shown import Column, OutcomeRow, Page, Price

WIDE: Final = 408.0
BOARD: Final = 236.0
"""How high the board is beside the list; the wear stands beneath it."""
WEAR: Final = 36.0
ACCEPT: Final = 110.0
"""Where the key that applies the selected answer begins in the band."""

ROW: Final = 60.0
LETTER: Final = (56.0, 52.0)
WORD: Final = 124.0
"""How wide a key with more than a letter is."""
GAP: Final = 8.0
FOOT: Final = 54.0
GIVEN: Final = (144.0, 240.0)
"""How high the card of a ruling below the list is, at least and at most."""
PAD: Final = 15.0
TITLE: Final = 19.0
ICON: Final = 18.0


class OutcomeList(Pane):
    """Shows (rows of a page, the answer that is selected, the page to which the last key leads, if any).
    `on_key(key)` for a key that was tapped, `on_hold(key)` for one that was held, `on_turn()` for the last one."""

    def __init__(
        self,
        on_key: Callable[[shown.Key], object],
        on_hold: Callable[[shown.Key], object],
        on_turn: Callable[[], object],
        **properties: Any,
    ) -> None:
        self.on_key, self.on_hold = on_key, on_hold
        super().__init__(**properties)
        self.keys: list[Key] = []
        self.more = PageKey(on_tap=on_turn, means="page")

    def arrange(self) -> None:
        if self.shown is None:
            return
        rows, chosen, leads = self.shown
        self.as_many(self.keys, sum(len(row.keys) for row in rows), Key)
        views = iter(self.keys)
        for at, row in enumerate(rows):
            right = self.w - PAD + 3
            for key in reversed(row.keys):
                wide = wide_of(row, key)
                view = next(views)
                view.on_tap, view.on_hold = partial(self.on_key, key), partial(self.on_hold, key)
                view.show(_face(row, key, key.answer == chosen))
                right -= wide
                self.put(view, right, at * ROW + (ROW - LETTER[1]) / 2, wide, LETTER[1])
                right -= GAP
        if leads is not None:
            self.more.show(leads)
            self.put(self.more, 12, self.h - FOOT - 10, self.w - 24, FOOT)
        else:
            self.remove_widget(self.more)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        if self.shown is None:
            return
        rows, chosen, _ = self.shown
        for at, row in enumerate(rows):
            top = at * ROW
            if any(key.answer == chosen for key in row.keys):
                pen.fill(0, top, pen.w, ROW, "bg2")
                pen.fill(0, top, 4, ROW, "pri")
            room = pen.w - 2 * PAD - sum(wide_of(row, key) + GAP for key in row.keys)
            said(pen, row, PAD, top, room)
            pen.fill(0, top + ROW - 1, pen.w, 1, "line")
        pen.fill(0, 0, 1, pen.h, "line")


def above(rows: tuple[OutcomeRow, ...], leads: Page | None, high: float) -> tuple[tuple[OutcomeRow, ...], float]:
    """What of the list stands above the card of a ruling, of so much height, and how high it is: of many rows the
    first, until the card is closed."""
    foot = FOOT + 10 if leads is not None else 0.0
    room = high - min(max(high - len(rows) * ROW - foot, GIVEN[0]), GIVEN[1])
    return rows[: int((room - foot) // ROW)], room


def wide_of(row: OutcomeRow, key: shown.Key) -> float:
    """How wide the key of an answer is: a letter, or more."""
    return LETTER[0] if len(key.label) < 3 and not row.icon else WORD


def _face(row: OutcomeRow, key: shown.Key, chosen: bool) -> Face:
    letter = len(key.label) < 3
    return Face(label=key.label, icon=row.icon, look="option", size=CLOCK if letter else NAME, chosen=chosen)


def said(pen: Pen, row: OutcomeRow, x: float, top: float, room: float) -> None:
    """Writes what happens, and beneath it what it costs and what may follow."""
    title = TONES[row.tone]
    pen.text(row.title, x, top + (19 if row.prices else ROW / 2), TITLE, title, room=room, cut=True, floor=CAPTION)
    costs(pen, row, x, top + 42, room)


def costs(pen: Pen, row: OutcomeRow, x: float, y: float, room: float) -> None:
    """Writes prices in words side by side; where they need it shorter, smaller and closer, and the brief ones where
    even so there is no room. A pictogram stands once for all that comes of its pool."""

    def parts(listed: tuple[Price, ...], short: bool) -> list[tuple[str, str, str]]:
        before, found = "", []
        for price in listed:
            text = price.short if short and price.short and price.icon else price.text
            found.append((price.icon if price.icon != before else "", text, TONES[price.tone]))
            before = price.icon
        return found

    def wide(said: list[tuple[str, str, str]], size: float, gap: float) -> float:
        return sum((ICON + 5) * bool(icon) + pen.width(text, size) for icon, text, _ in said) + gap * (len(said) - 1)

    ways = ((listed, short) for listed in filter(None, (row.prices, row.brief)) for short in (False, True))
    tries = ((parts(*way), size, gap) for way in ways for size in (SMALL, CAPTION) for gap in (12.0, 6.0))
    said, size, gap = next((one for one in tries if wide(*one) <= room), (parts(row.prices, True), CAPTION, 6.0))
    end = x + room
    for icon, text, token in said:
        if icon and x + ICON <= end:
            pen.icon(icon, x + ICON / 2, y, ICON, token)
            x += ICON + 5
        if end - x > CAPTION:
            x += pen.text(text, x, y, size, token, SEMIBOLD, room=end - x) + gap


class PageKey(Target):
    """Shows a `Page`: what it holds, of the key that leads to it."""

    def paint(self, pen: Pen) -> None:
        page: Page | None = self.shown
        if page is None:
            return
        pen.fill(0, 0, pen.w, pen.h, "bg4" if self.pressed else "bg3", 8)
        middle, right = pen.h / 2, pen.w - 12
        pen.icon("forward", right - 7, middle, 16, "mid")
        right -= 24
        right -= pen.text(page.price.text, right, middle, SMALL, TONES[page.price.tone], BOLD, "right") + 12
        left = 16 + pen.text(page.label, 16, middle, SMALL, "hi", BOLD, room=right - 16, cut=True) + 12
        if right - left > 60:
            pen.text(page.note, left, middle, SMALL, "mid", room=right - left, cut=True)


class WearLine(Pane):
    """Shows the wear columns of a car in one line: pictogram and count of each, and what is about to go."""

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        columns: tuple[Column, ...] = self.shown or ()
        each = (pen.w - 8) / max(6, len(columns))
        for at, column in enumerate(columns):
            left = column.left - column.cost
            token = "bad" if left <= 0 else "warn" if left == 1 or column.cost else "hi"
            x = 8 + at * each
            pen.icon(column.pool, x + 10, pen.h / 2, 20, token if token != "hi" else "mid")
            pen.text(str(left), x + 27, pen.h / 2, NAME, token, BOLD)
        pen.fill(0, 0, pen.w, 1, "line")


def accept(key: shown.Key) -> Face:
    """The key that applies the selected answer."""
    return Face(label=key.label, prices=key.prices, size=34)


def answer_of(prompt: shown.Prompt) -> Json:
    """The selected answer."""
    return prompt.keys[prompt.chosen].answer if prompt.chosen >= 0 else None
