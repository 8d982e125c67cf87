"""The landings to choose from: outcomes with a key for each space, and Accept."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from companion.rules.conversation.asking import Json
from companion.screens.kit.compose import Composed, Ui
from companion.screens.kit.key import Face
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import CAPTION, CLOCK, NAME, SMALL, TONES
from companion.screens.kit.touch import Target
from companion.view import shown
from companion.view.race import intents
from companion.view.race.intents import Emit
from companion.view.shown import Column, OutcomeRow, Page, Price

WIDE: Final = 408.0
BOARD: Final = 236.0
"""Height of the board beside the list, in dp; the wear is beneath it."""
WEAR: Final = 36.0
ACCEPT: Final = 110.0
"""Left edge of the key that applies the selected answer, in dp of the band."""

ROW: Final = 60.0
LETTER: Final = (56.0, 52.0)
WORD_WIDTH: Final = 124.0
"""Width of a key with more than a letter, in dp."""
GAP: Final = 8.0
FOOT: Final = 54.0
RULING_HEIGHTS: Final = (144.0, 240.0)
"""Minimum and maximum height of the card of a ruling below the list, in dp."""
PAD: Final = 15.0
TITLE: Final = 19.0
ICON: Final = 18.0
BEFORE: Final = 25.0
"""Width of a pictogram in the line of wear, with the gap behind it, in dp."""


class OutcomeList(Composed):
    """A list that shows (rows of a page, selected answer, next page or None)."""

    def __init__(self, emit: Emit, **properties: Any) -> None:
        self.emit = emit
        super().__init__(**properties)

    def compose(self, ui: Ui) -> None:
        area, pen = ui.area, ui.pen
        ui.fill(area, "bg1")
        if self.shown is None:
            return
        rows, chosen, leads = self.shown
        for at, (line, row) in enumerate(zip(area.rows(len(rows), ROW, 0), rows, strict=True)):
            if any(key.answer == chosen for key in row.keys):
                ui.fill(line, "bg2")
                pen.fill(0, line.y, 4, ROW, "pri")
            pen.fill(0, line.bottom - 1, pen.w, 1, "line")
            keys = line.inset(0, (ROW - LETTER[1]) / 2)
            keys.cut_right(PAD - 3)
            for place, key in reversed(list(enumerate(row.keys))):
                face = _face(row, key, key.answer == chosen)
                tap, hold = partial(self.emit, intents.Tap(key)), partial(self.emit, intents.Explain(key))
                ui.button(keys.cut_right(wide_of(row, key)), (at, place), face, tap, hold)
                keys.cut_right(GAP)
            said(pen, row, PAD, line.y, keys.w - PAD - 3)
        if leads is not None:
            area.cut_bottom(10)
            turn = partial(self.emit, intents.TurnPage())
            ui.target(area.cut_bottom(FOOT).inset(12), "more", PageKey, leads, turn).means = "page"
        pen.fill(0, 0, 1, pen.h, "line")


def above(rows: tuple[OutcomeRow, ...], leads: Page | None, high: float) -> tuple[tuple[OutcomeRow, ...], float]:
    """Return the rows that fit above a ruling card, and the height of that part in dp.

    Of many rows only the first are listed until the card is closed. `high` is the total height of both.
    """
    foot = FOOT + 10 if leads is not None else 0.0
    room = high - min(max(high - len(rows) * ROW - foot, RULING_HEIGHTS[0]), RULING_HEIGHTS[1])
    return rows[: int((room - foot) // ROW)], room


def wide_of(row: OutcomeRow, key: shown.AnswerKey) -> float:
    """Return the width of an answer's key: that of a letter, or of a word."""
    return LETTER[0] if len(key.label) < 3 and not row.icon else WORD_WIDTH


def _face(row: OutcomeRow, key: shown.AnswerKey, chosen: bool) -> Face:
    letter = len(key.label) < 3
    return Face(label=key.label, icon=row.icon, look="option", size=CLOCK if letter else NAME, chosen=chosen)


def said(pen: Pen, row: OutcomeRow, x: float, top: float, room: float) -> None:
    """Draw an outcome, with its costs and risks below."""
    title = TONES[row.tone]
    pen.text(row.title, x, top + (19 if row.prices else ROW / 2), TITLE, title, room=room, cut=True, floor=CAPTION)
    costs(pen, row, x, top + 42, room)


def costs(pen: Pen, row: OutcomeRow, x: float, y: float, room: float) -> None:
    """Draw prices in words, side by side.

    Where room is short they are smaller and closer, then abbreviated, then the brief ones. Neighbouring prices from the
    same pool share one pictogram.
    """

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
    """A key that leads to a `Page` and shows what is on it."""

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
    """A car's wear columns in one line.

    Each has its pictogram and the points left; those that the selected answer takes points from say "6 → 3".
    """

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        pen.fill(0, 0, pen.w, 1, "line")
        columns: tuple[Column, ...] = self.shown or ()
        befores = [f"{column.left} →" if column.cost else "" for column in columns]
        afters = [str(column.left - column.cost) for column in columns]
        wide = [
            BEFORE + pen.width(after, NAME, BOLD) + (pen.width(before, SMALL) + 4 if before else 0)
            for before, after in zip(befores, afters, strict=True)
        ]
        gap = min(34.0, (pen.w - 8 - sum(wide)) / max(1, len(wide)))
        x = 8.0
        for column, before, after, room in zip(columns, befores, afters, wide, strict=True):
            left = column.left - column.cost
            token = "bad" if left <= 0 else "warn" if left == 1 or column.cost else "hi"
            pen.icon(column.pool, x + 10, pen.h / 2, 20, token if token != "hi" else "mid")
            at = x + BEFORE
            if before:
                at += pen.text(before, at, pen.h / 2, SMALL, "mid", SEMIBOLD) + 4
            pen.text(after, at, pen.h / 2, NAME, token, BOLD)
            x += room + gap


def accept(key: shown.AnswerKey) -> Face:
    """Return the face of the key that applies the selected answer."""
    return Face(label=key.label, prices=key.prices, size=34)


def answer_of(prompt: shown.Prompt) -> Json:
    """Return the selected answer, or None."""
    return prompt.keys[prompt.chosen].answer if prompt.chosen >= 0 else None
