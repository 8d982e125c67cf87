"""A contest on the race screen: who contends and what each comes to, with the answers beneath where they are few."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from companion.screens.widgets import plate
from companion.screens.widgets.key import Face, Key, prices
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.ruling_card import article
from companion.screens.widgets.theme import BODY, CAPTION, NAME, QUESTION, SUM, TONES, VALUE
from companion.screens.widgets.touch import Target
from companion.view.shown import Key as Answer
from companion.view.shown_race import Contest, Contestant

HEADER: Final = 44.0
ROW: Final = 77.0
LOW: Final = 54.0
"""A lower row has everything in one line."""
LEAST: Final = 30.0
"""No row is lower: where there are more, they stand in columns."""
NAMED: Final = 180.0
"""In a narrower column there are no names."""
KEY: Final = 88.0
QUIET: Final = 54.0
LINES: Final = 46.0
CLOSING: Final = 66.0
"""What stands at the foot of a contest that is over: its lines, with the key that closes it higher than they are."""


class Head(Target):
    """The head of the panel: a tap opens the article."""

    joined, means = True, "contest"

    def paint(self, pen: Pen) -> None:
        contest: Contest | None = self.shown
        if contest is None:
            return
        pen.fill(3, 0, pen.w - 3, HEADER, "bg4" if self.pressed else "bg2")
        pen.icon("cards", 23, HEADER / 2, 19, "mid")
        left = 42 + pen.text(contest.title, 42, HEADER / 2, BODY, "hi", BOLD, room=pen.w - 130) + 8
        article(pen, contest.place, pen.w - 12, HEADER / 2, pen.w - 12 - left)
        pen.fill(3, HEADER - 1, pen.w - 3, 1, "line")


class ContestPanel(Pane):
    """Shows (contest, answers, the place of the one that is selected or -1): the first answer has the great key, the
    others share the line above it. `on_answer` and `on_hold` are called with one; `on_article()` for the head;
    `on_close()` has a key where there are no answers."""

    def __init__(
        self,
        on_answer: Callable[[Answer], object],
        on_hold: Callable[[Answer], object],
        on_article: Callable[[], object],
        on_close: Callable[[], object],
        **properties: Any,
    ) -> None:
        self.on_answer, self.on_hold, self.on_close = on_answer, on_hold, on_close
        super().__init__(**properties)
        self.head = Head(on_tap=on_article)
        self.keys: list[Key] = []
        self.foot = 0.0
        """Where the contestants end, in dp from the top: beneath are answers, or what came of it."""

    def arrange(self) -> None:
        if self.shown is None:
            return
        contest, answers, chosen = self.shown
        self.head.show(contest)
        self.put(self.head, 0, 0, self.w, 52)
        closing = (None,) if contest.lines and not answers else ()
        wanted: tuple[Answer | None, ...] = (*answers, *closing)
        self.as_many(self.keys, len(wanted), Key)
        left, wide, y = 13.0, self.w - 25, self.h - 12
        for at, (key, answer) in enumerate(zip(self.keys, wanted, strict=True)):
            if answer is None:
                key.on_tap, key.on_hold, key.means = self.on_close, None, "close"
                key.show(Face(icon="check", look="quiet"))
                self.put(key, self.w - 64, self.h - 12 - QUIET, 52, QUIET)
                continue
            key.on_tap, key.on_hold = partial(self.on_answer, answer), partial(self.on_hold, answer)
            if not at:
                key.show(Face(label=answer.label, note=answer.note, size=QUESTION - 4, chosen=at == chosen))
                self.put(key, left, y - KEY, wide, KEY)
            else:
                key.show(Face(label=answer.label, note=answer.note, look="quiet", size=BODY, chosen=at == chosen))
        if answers:
            self.put_rows(self.keys[1:], left, y - KEY - 8 - QUIET, wide, QUIET)
        over = CLOSING if closing else LINES if contest.lines else 0
        self.foot = self.h - (12 + KEY + 8 + QUIET + 8 if answers else over)

    def paint(self, pen: Pen) -> None:
        if self.shown is None:
            return
        contest: Contest = self.shown[0]
        pen.fill(0, 0, pen.w, pen.h, "bg2")
        pen.fill(0, 0, 3, pen.h, "hi")
        closes = not self.shown[1]
        foot = self.foot
        columns = -(-len(contest.rows) // max(1, int((foot - HEADER) / LEAST))) or 1
        deep = -(-len(contest.rows) // columns) or 1
        high, wide = min(ROW, (foot - HEADER) / deep), (pen.w - 3) / columns
        for at, row in enumerate(contest.rows):
            x, y = 3 + at // deep * wide, HEADER + at % deep * high
            if wide < NAMED:
                _brief(pen, row, x, y, wide, high)
            else:
                _contestant(pen, row, y, high)
        room = pen.w - 32 - (60 if closes else 0)
        foot += (CLOSING - LINES) / 2 if closes else 0
        for at, line in enumerate(contest.lines[:2]):
            middle = foot + 12 + at * 21
            pen.icon(line.icon, 26, middle, 17, TONES[line.tone])
            pen.text(line.text, 42, middle, BODY if not at else CAPTION, "hi" if not at else "mid",
                     BOLD if not at else SEMIBOLD, room=room - 26)  # fmt: skip


def _brief(pen: Pen, row: Contestant, x: float, y: float, wide: float, high: float) -> None:
    """One of many cars: its plate, and what its cards come to or whether it takes part."""
    middle = y + high / 2
    if row.asked:
        pen.fill(x, y, wide, high - 1, "bg3")
    plate.draw(pen, row.plate, x + 24, middle, min(28, high - 2))
    if row.total:
        pen.text(row.total, x + 46, middle, VALUE, "hi" if row.first else "low", BOLD, room=wide - 50)
    elif row.word:
        pen.icon("check" if row.joins else "cross", x + 55, middle, 17, "hi" if row.joins else "mid")


def _contestant(pen: Pen, row: Contestant, y: float, high: float) -> None:
    """A car: its plate and name, what its cards and bonuses are, and what they come to."""
    middle, slim = y + high / 2, high < LOW
    if row.asked:
        pen.fill(3, y, pen.w - 3, high - 1, "bg3")
    pen.fill(3, y + high - 1, pen.w - 3, 1, "line")
    plate.draw(pen, row.plate, 38 if not slim else 28, middle, 40 if not slim else min(28, high - 2))
    left, end = (74.0, pen.w - 16) if not slim else (50.0, pen.w - 12)
    if row.total:
        size = SUM if not slim else VALUE
        end -= pen.text(row.total, end, middle, size, "hi" if row.first else "low", BOLD, "right") + 10
    if slim:
        said = pen.width(row.word, CAPTION)
        pen.text(row.word, end, middle, CAPTION, "mid", align="right")
        pen.text(row.name, left, middle, BODY, "hi", room=end - left - said - 6, cut=True)
        return
    beneath = bool(row.word or row.terms)
    pen.text(row.name, left, middle - (13 if beneath else 0), NAME, "hi", room=end - left, cut=True)
    pen.text(row.word, left, middle + 14, CAPTION + 1, "mid", room=end - left)
    prices(pen, row.terms, left, middle + 14, end - left, "left", BODY)
