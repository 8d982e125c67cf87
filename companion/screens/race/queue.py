"""The tests of a turn as one list: those taken, the one that is rolled for now with its keys, and those to come."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from companion.drawing.paints import paint_of
from companion.rules.conversation.kinds import POOLS
from companion.screens.widgets import plate, weather
from companion.screens.widgets.key import Face, Key, prices, undo_face
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.prompt_band import Asked
from companion.screens.widgets.theme import BODY, CAPTION, NAME, theme
from companion.screens.widgets.touch import Target
from companion.view.shown import Key as Answer
from companion.view.shown import Shown, SkyTurn, TopBar
from companion.view.shown_race import QueueRow

ROW: Final = 54.4
ROWS: Final = 6
"""How many rows have room beneath one another."""
WIDE: Final = 96.0
NARROW: Final = 64.0
"""How wide the key of a band of faces is, at most and at least."""
TAKEN_FROM: Final = (*POOLS, "points")
"""The pools whose pictogram stands behind what a band takes."""
WORDS: Final = 150.0
"""The room that the row's own words keep, where its keys leave it."""


class BandKey(Key):
    """A band of faces, such as "1–4", and what it brings beside it or, where it is narrow, beneath it."""

    joined = True
    chosen = False
    """Whether it is selected."""

    def paint(self, pen: Pen) -> None:
        answer: Answer | None = self.shown
        if not isinstance(answer, Answer):
            return
        pen.fill(0, 0, pen.w, pen.h, "mid" if self.pressed else "pri", 8)
        if self.chosen:
            pen.rim(-3, -3, pen.w + 6, pen.h + 6, "pri", 2, 10)
        if self.held:
            pen.fill(4, pen.h - 8, (pen.w - 8) * self.held, 4, "warn", 2)
        brought = answer.prices[0] if answer.prices else None
        label = pen.width(answer.label, NAME, BOLD)
        beside = (pen.width(brought.text, CAPTION) + 20 * bool(brought.icon in TAKEN_FROM) + 6) if brought else 0.0
        if label + beside <= pen.w - 12:
            x = (pen.w - label - beside) / 2
            x += pen.text(answer.label, x, pen.h / 2, NAME, "onpri", BOLD) + 6
            y = pen.h / 2 + 1
        else:
            pen.text(answer.label, pen.w / 2, 15, BODY, "onpri", BOLD, "centre", pen.w - 8)
            if brought is None:
                return
            x = max(4.0, (pen.w - beside + 6) / 2)
            y = 36.0
        if brought is not None:
            x += pen.text(brought.text, x, y, CAPTION, "onpri", SEMIBOLD, room=pen.w - x - 3)
            if brought.icon in TAKEN_FROM:
                pen.icon(brought.icon, x + 12, y, 17, "onpri")


class Queue(Target):
    """Shows a tuple of `QueueRow`; `on_answer(key)` for a band of the open row, `on_held(key)` for one that is held,
    `on_keypad()` when that row is held beside them."""

    joined = True

    def __init__(
        self,
        on_answer: Callable[[Answer], object],
        on_held: Callable[[Answer], object],
        on_keypad: Callable[[], object],
        **properties: Any,
    ) -> None:
        self.on_answer, self.on_held = on_answer, on_held
        super().__init__(on_hold=on_keypad, **properties)
        self.keys: list[BandKey] = []

    @property
    def first(self) -> int:
        """The first row that is seen: the open one is the fourth where there are more than have room."""
        rows: tuple[QueueRow, ...] = self.shown or ()
        now = next((at for at, row in enumerate(rows) if row.state == "now"), 0)
        return max(0, min(now - 3, len(rows) - ROWS))

    @property
    def high(self) -> float:
        """How high the rows are in all, in dp."""
        return ROW * min(ROWS, len(self.shown or ()))

    def _now(self) -> tuple[int, QueueRow] | None:
        rows: tuple[QueueRow, ...] = self.shown or ()
        return next(((at - self.first, row) for at, row in enumerate(rows) if row.state == "now"), None)

    def _bands(self) -> tuple[Answer, ...]:
        now = self._now()
        return now[1].keys if now is not None and any(key.prices for key in now[1].keys) else ()

    def _key_wide(self) -> float:
        count = len(self._bands())
        return min(WIDE, max(NARROW, (self.w - WORDS - 70) / max(1, count) - 8))

    def arrange(self) -> None:
        bands, now = self._bands(), self._now()
        self.as_many(self.keys, len(bands), BandKey)
        wide = self._key_wide()
        room = (wide + 8) * len(bands) - 8
        for key, answer in zip(self.keys, bands, strict=True):
            key.on_tap, key.on_hold = partial(self.on_answer, answer), partial(self.on_held, answer)
            key.chosen = now is not None and bands.index(answer) == now[1].chosen
            key.show(answer)
        self.put_rows(self.keys, self.w - 11 - room, (now[0] if now else 0) * ROW + (ROW - 48) / 2, room, 48)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        for at, row in enumerate((self.shown or ())[self.first : self.first + ROWS]):
            self._row(pen, row, at * ROW)
        pen.fill(pen.w - 1, 0, 1, pen.h, "line")

    def _row(self, pen: Pen, row: QueueRow, top: float) -> None:
        middle, now = top + ROW / 2, row.state == "now"
        if now:
            pen.fill(0, top, pen.w, ROW, "bg3")
            pen.fill(0, top, 4, ROW, paint_of(row.plate.place).colour)
        pen.fill(0, top + ROW - 1, pen.w, 1, "line")
        plate.draw(pen, row.plate, 34, middle, 32)
        ink = "hi" if row.state != "to_come" else "mid"
        end = pen.w - 14.0
        if now:
            end = pen.w - 11 - (self._key_wide() + 8) * len(self._bands())
        elif row.state == "done":
            end = self._outcome(pen, row, middle) - 8
        left = 64.0
        code = end - left > 190
        if code:
            pen.text(row.code, left, middle, NAME, ink, room=52, cut=True)
            left += 56
        if end - left > 130:
            pen.icon(row.icon, left + 11, middle, 20, "mid")
            left += 30
        if pen.width(row.title, CAPTION, BOLD) > end - left and not row.note:
            size = BODY
            while size > CAPTION and max(pen.width(word, size, BOLD) for word in row.title.split()) > end - left:
                size -= 1
            lines = len(pen.broken(row.title, size, BOLD, end - left))
            pen.paragraph(row.title, left, middle - (lines - 1) * size * 0.575, size, end - left, ink, BOLD)
            return
        pen.text(row.title, left, middle - (10 if row.note else 0), BODY, ink, BOLD, room=end - left, cut=True)
        if row.note:
            pen.text(row.note, left, middle + 11, CAPTION, "mid", room=end - left, cut=True)

    @staticmethod
    def _outcome(pen: Pen, row: QueueRow, middle: float) -> float:
        """Writes the die and what it brought; where that begins comes back."""
        left = pen.w - 174
        begins = left + 50.0
        if row.die:
            pen.icon("die", left, middle, 20, "mid")
            begins = max(begins, left + 26 + pen.text(row.die, left + 16, middle, BODY, "hi", BOLD))
        if row.outcome.text:
            prices(pen, (row.outcome,), begins, middle, pen.w - 8 - begins, align="left", size=BODY)
        return left - 10


class Sky(Shown, frozen=True, kw_only=True):
    """The weather and what it asks: the sky now, the surface, the article, and what each band of faces would bring."""

    title: str
    article: str
    top: TopBar
    bands: tuple[SkyTurn, ...] = ()


class SkyPanel(Pane):
    """Shows a `Sky` beside a weather roll."""

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg2")
        pen.fill(0, 0, 1, pen.h, "line")
        sky: Sky | None = self.shown
        if sky is None:
            return
        left = 14 + pen.text(sky.title, 14, 22, BODY, "hi", BOLD, room=pen.w / 2) + 10
        room = pen.w - 12 - left
        pen.text(sky.article, pen.w - 12, 22, CAPTION, "mid", align="right", room=room, cut=True)
        y = 44.0
        if sky.top.sky:
            pen.icon(sky.top.sky_icon, 36, y + 26, 44, weather.token(sky.top.sky_icon))
            pen.text(sky.top.sky, 72, y + 14, NAME, "hi", BOLD, room=pen.w - 84)
            pen.text(sky.top.surface, 72, y + 40, BODY, "mid", SEMIBOLD, room=pen.w - 84)
            y += 58
        for band in sky.bands:
            if y + 34 > pen.h:
                break
            pen.fill(12, y, pen.w - 24, 1, "line")
            pen.text(band.label, 14, y + 18, NAME, "hi", BOLD)
            wide = pen.text(band.name, pen.w - 14, y + 18, BODY, "hi", BOLD, align="right")
            pen.icon(band.icon, pen.w - 14 - wide - 17, y + 18, 22, weather.token(band.icon))
            y = weather.facts(pen, band.facts, 14, y + 34, pen.w - 28, 20, CAPTION) + 4


class Progress(Pane):
    """How many tests of how many are done: a segment for each. Shows (rows, word)."""

    def paint(self, pen: Pen) -> None:
        if self.shown is None:
            return
        states, word = self.shown
        x, middle = 0.0, pen.h / 2
        wide = min(20.0, max(4.0, (pen.w - pen.width(word, BODY) - 14) / max(1, len(states)) - 4))
        for state in states:
            if state == "to_come":
                pen.rim(x, middle - 4, wide, 8, "rim", 1.5, 2)
            else:
                pen.fill(x, middle - 4, wide, 8, "ok" if state == "done" else "hi", 2)
            x += wide + 4
        pen.text(word, x + 8, middle, BODY, "mid", room=pen.w - x - 8)


def counted(rows: tuple[QueueRow, ...]) -> tuple[tuple[str, ...], str]:
    """What `Progress` shows of rows."""
    done = sum(row.state == "done" for row in rows)
    said = theme.words.screen("queue.done", done=done, of=len(rows))
    return tuple(row.state for row in rows), said


class QueueBand(Pane):
    """The question beneath the tests: shows (prompt, rows), with Undo at the left and More at the right; `on_asked()`
    looks the question up."""

    def __init__(
        self,
        on_undo: Callable[[], object],
        on_history: Callable[[], object],
        on_more: Callable[[], object],
        on_asked: Callable[[], object],
        **properties: Any,
    ) -> None:
        super().__init__(**properties)
        self.on_undo, self.on_history, self.on_asked, self.asked = on_undo, on_history, on_asked, Asked()
        self.undo, self.more, self.progress = Key(), Key(on_tap=on_more, means="menu"), Progress()

    def arrange(self) -> None:
        if self.shown is None:
            return
        prompt, rows = self.shown
        top, label = self.h - 96, prompt.undo.label
        self.undo.on_tap, self.undo.on_hold = (self.on_undo, self.on_history) if label else (None, None)
        self.undo.show(undo_face(prompt.undo))
        self.put(self.undo, 20, top, 92, 88)
        self.more.show(Face(note=theme.say("more"), icon="more", look="quiet"))
        self.put(self.more, self.w - 80, top, 68, 88)
        self.progress.show(counted(rows))
        self.put(self.progress, 128, 66, self.w - 230, 24)
        self.asked.lead(self, prompt, self.on_asked, (188.0 if prompt.plate is not None else 128.0, 6.0, 92.0))

    def paint(self, pen: Pen) -> None:
        pen.band()
        if self.shown is not None:
            plate.at_head(pen, self.shown[0].plate, 154, 34)
