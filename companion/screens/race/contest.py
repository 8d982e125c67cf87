"""The contest panel: contestants, totals and, if there are few, the answers."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from companion.screens.kit import plate
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import Face, Look, prices
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
KEYS_HEIGHT: Final = 12 + KEY + 8 + QUIET + 8
"""Height of the answers with the gaps around them, in dp."""
OUTCOME_HEIGHT: Final = 66.0
"""Height of the lines and the key at the foot of a contest that is over, in dp."""


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


class ContestPanel(Composed):
    """A panel that shows (contest, answers, index of the selected answer or -1).

    The first answer has the large key; the others share the line above it. Without answers there is a key that closes
    the panel.
    """

    def __init__(self, emit: Emit, **properties: Any) -> None:
        self.emit = emit
        super().__init__(**properties)

    def compose(self, ui: Ui) -> None:
        if self.shown is None:
            return
        contest: Contest = self.shown[0]
        answers: tuple[AnswerKey, ...] = self.shown[1]
        area, pen = ui.area, ui.pen
        ui.fill(area, "bg2")
        ui.fill(area.cut_left(3), "hi")
        head = Area(0, 0, pen.w, 52)
        ui.target(head, "head", ContestHead, contest, partial(self.emit, intents.OpenArticle("contest")))
        area.cut_top(HEADER)
        if answers:
            self._answers(ui, area.cut_bottom(KEYS_HEIGHT), answers, self.shown[2])
        elif contest.lines:
            self._outcome(ui, area.cut_bottom(OUTCOME_HEIGHT), contest)
        _contestants(pen, area, contest.rows)

    def _answers(self, ui: Ui, area: Area, answers: tuple[AnswerKey, ...], selected: int) -> None:
        """Place the first answer's large key, and the others above it."""
        area.cut_left(10)
        area.cut_right(12)
        area.cut_bottom(12)
        first = area.cut_bottom(KEY)
        area.cut_bottom(8)
        others = area.cut_bottom(QUIET).columns(len(answers) - 1)
        for at, (place, answer) in enumerate(zip((first, *others), answers, strict=True)):
            look: Look = "quiet" if at else "answer"
            size = BODY if at else QUESTION - 4
            face = Face(label=answer.label, note=answer.note, look=look, size=size, chosen=at == selected)
            tap, hold = partial(self.emit, intents.Tap(answer)), partial(self.emit, intents.Explain(answer))
            ui.button(place, at, face, tap, hold)

    def _outcome(self, ui: Ui, area: Area, contest: Contest) -> None:
        """Write how the contest ended, beside the key that closes it."""
        key = area.cut_right(64).cut_top(QUIET)
        key.cut_right(12)
        close = partial(self.emit, intents.CloseContest())
        ui.button(key, "close", Face(icon="check", look="quiet"), close, means="close")
        area.cut_left(39)
        area.cut_right(12)
        for at, line in enumerate(contest.lines[:2]):
            middle = area.y + 22 + at * 21
            ui.pen.icon(line.icon, area.x - 16, middle, 17, TONES[line.tone])
            size, token, weight = (CAPTION, "mid", SEMIBOLD) if at else (BODY, "hi", BOLD)
            ui.pen.text(line.text, area.x, middle, size, token, weight, room=area.w)


def _contestants(pen: Pen, area: Area, rows: tuple[Contestant, ...]) -> None:
    """Draw the contestants beneath one another, in columns if they are many."""
    columns = -(-len(rows) // max(1, int(area.h / LEAST))) or 1
    deep = -(-len(rows) // columns) or 1
    high, wide = min(ROW, area.h / deep), area.w / columns
    for at, row in enumerate(rows):
        x, y = area.x + at // deep * wide, area.y + at % deep * high
        if wide < NAMES_FROM:
            _brief(pen, row, x, y, wide, high)
        else:
            _contestant(pen, row, y, high)


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
