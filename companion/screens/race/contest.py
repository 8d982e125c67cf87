"""The contest panel: contestants, totals and, if there are few, the answers."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from companion.screens.kit import plate
from companion.screens.kit.key import Face, Key, prices
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.ruling_card import article
from companion.screens.kit.theme import BODY, CAPTION, NAME, QUESTION, SUM, TONES, VALUE
from companion.screens.kit.touch import Target
from companion.view.race import intents
from companion.view.race.intents import Emit
from companion.view.shown import AnswerKey
from companion.view.shown_race import Contest, Contestant

HEADER: Final = 44.0
ROW: Final = 77.0
LOW: Final = 54.0
"""Height below which a row has everything in one line, in dp."""
LEAST: Final = 30.0
"""Minimum height of a row, in dp; if there are more, they stand in columns."""
NAMES_FROM: Final = 180.0
"""Width below which a column has no names, in dp."""
KEY: Final = 88.0
QUIET: Final = 54.0
LINES_HEIGHT: Final = 46.0
CLOSING_HEIGHT: Final = 66.0
"""Height of the lines at the foot of a contest that is over, alone and with the key that closes it, in dp."""


class ContestHead(Target):
    """The head of the panel; a tap opens the article."""

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
    """A panel that shows (contest, answers, index of the selected answer or -1).

    The first answer has the large key; the others share the line above it. Without answers there is a key that closes
    the panel.
    """

    def __init__(self, emit: Emit, **properties: Any) -> None:
        self.emit = emit
        super().__init__(**properties)
        self.head = ContestHead(on_tap=partial(emit, intents.OpenArticle("contest")))
        self.keys: list[Key] = []
        self.foot = 0.0
        """Lower edge of the contestants, in dp from the top: the answers, or the outcome, are beneath."""

    def arrange(self) -> None:
        if self.shown is None:
            return
        contest, answers, chosen = self.shown
        self.head.show(contest)
        self.put(self.head, 0, 0, self.w, 52)
        closing = (None,) if contest.lines and not answers else ()
        wanted: tuple[AnswerKey | None, ...] = (*answers, *closing)
        self.as_many(self.keys, len(wanted), Key)
        left, wide, y = 13.0, self.w - 25, self.h - 12
        for at, (key, answer) in enumerate(zip(self.keys, wanted, strict=True)):
            if answer is None:
                key.on_tap, key.on_hold, key.means = partial(self.emit, intents.CloseContest()), None, "close"
                key.show(Face(icon="check", look="quiet"))
                self.put(key, self.w - 64, self.h - 12 - QUIET, 52, QUIET)
                continue
            key.on_tap = partial(self.emit, intents.Tap(answer))
            key.on_hold = partial(self.emit, intents.Explain(answer))
            if not at:
                key.show(Face(label=answer.label, note=answer.note, size=QUESTION - 4, chosen=at == chosen))
                self.put(key, left, y - KEY, wide, KEY)
            else:
                key.show(Face(label=answer.label, note=answer.note, look="quiet", size=BODY, chosen=at == chosen))
        if answers:
            self.put_rows(self.keys[1:], left, y - KEY - 8 - QUIET, wide, QUIET)
        over = CLOSING_HEIGHT if closing else LINES_HEIGHT if contest.lines else 0
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
            if wide < NAMES_FROM:
                _brief(pen, row, x, y, wide, high)
            else:
                _contestant(pen, row, y, high)
        room = pen.w - 32 - (60 if closes else 0)
        foot += (CLOSING_HEIGHT - LINES_HEIGHT) / 2 if closes else 0
        for at, line in enumerate(contest.lines[:2]):
            middle = foot + 12 + at * 21
            pen.icon(line.icon, 26, middle, 17, TONES[line.tone])
            pen.text(line.text, 42, middle, BODY if not at else CAPTION, "hi" if not at else "mid",
                     BOLD if not at else SEMIBOLD, room=room - 26)  # fmt: skip


def _brief(pen: Pen, row: Contestant, x: float, y: float, wide: float, high: float) -> None:
    """Draw one of many contestants: its plate, and its total or whether it joins."""
    middle = y + high / 2
    if row.asked:
        pen.fill(x, y, wide, high - 1, "bg3")
    plate.draw(pen, row.plate, x + 24, middle, min(28, high - 2))
    if row.total:
        pen.text(row.total, x + 46, middle, VALUE, "hi" if row.first else "low", BOLD, room=wide - 50)
    elif row.word:
        pen.icon("check" if row.joins else "cross", x + 55, middle, 17, "hi" if row.joins else "mid")


def _contestant(pen: Pen, row: Contestant, y: float, high: float) -> None:
    """Draw a contestant: its plate, name, cards and bonuses, and total."""
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
