"""The card of the dice that follow a selected answer, in the place of the list of answers: who rolls, what is lost on
which faces, what all of it may come to."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from companion.screens.race.landings import costs
from companion.screens.widgets import plate, wear
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.ruling_card import article
from companion.screens.widgets.theme import BODY, CAPTION, NAME, SMALL, TITLE, TONES, theme
from companion.screens.widgets.touch import Target
from companion.view import shown
from companion.view.shown import OutcomeRow
from companion.view.shown_race import RiskCard, Roll

HEAD: Final = 44.0
PAD: Final = 15.0
ROW: Final = 66.0
KEY: Final = 62.0
PLATE: Final = 36.0
SEGMENT: Final = 14.0
BAR: Final = 12.0
LINE: Final = 21.0
TOP: Final = HEAD + 66.0
"""Where the first of those who roll stands, beneath the title and why."""


class RiskHead(Target):
    """The head of a `RiskCard`: that it is before the tap, and the article; a tap on it opens the article."""

    joined, means = True, "accept"

    def paint(self, pen: Pen) -> None:
        card: RiskCard | None = self.shown
        if card is None:
            return
        pen.fill(3, 0, pen.w - 3, HEAD, "bg4" if self.pressed else "bg2")
        pen.icon("die", PAD + 11, HEAD / 2, 20, TONES[card.tone])
        before = theme.words.screen("rolls.before")
        left = PAD + 44 + pen.text(before, PAD + 32, HEAD / 2, BODY, "hi", BOLD)
        article(pen, card.cited, pen.w - PAD, HEAD / 2, pen.w - PAD - left)
        pen.fill(3, HEAD, pen.w - 3, 1, "line")


class RollRow(RowView):
    """Shows a `Roll`."""

    def draw(self, pen: Pen, shown: Any) -> None:
        roll: Roll = shown
        token = TONES[roll.tone]
        if roll.plate is not None:
            plate.draw(pen, roll.plate, PAD + 20, pen.h / 2, PLATE)
        left = PAD + 52
        wide = pen.text(roll.loses, pen.w - PAD, 21, BODY, token, BOLD, "right", room=pen.w * 0.56)
        pen.text(roll.title, left, 21, BODY, "hi", BOLD, room=pen.w - PAD - wide - left - 8, cut=True, floor=SMALL)
        if roll.loss is not None:
            segments = min(5, roll.loss.built) * 30 - 4
            wear.bar(pen, roll.loss, left, 40, segments, high=SEGMENT)
            pen.icon(roll.loss.pool, left + segments + 16, 47, 18, "mid")
        pen.text(roll.safe, pen.w - PAD, 46, CAPTION, "ok", SEMIBOLD, "right")


class RisklessKey(Target):
    """Shows an `OutcomeRow` as the key of its first answer: the letter, what happens, what it costs."""

    def paint(self, pen: Pen) -> None:
        row: OutcomeRow | None = self.shown
        if row is None:
            return
        pen.fill(0, 0, pen.w, pen.h, "bg4" if self.pressed else "bg3", 8)
        key = row.keys[0]
        letter = len(key.label) < 3
        left = 14 + (pen.text(key.label, 14, pen.h / 2, 34, "hi", BOLD) + 14 if letter else 0)
        room = pen.w - left - 8
        pen.text(row.title, left, 20, SMALL, TONES[row.tone], BOLD, room=room, cut=True)
        costs(pen, row, left, 43, room)


class RiskPane(Pane):
    """Shows a `RiskCard`; `on_back()` leads to all answers, `on_other(key)` selects the one without a test,
    `on_article()` opens the article."""

    def __init__(
        self,
        on_back: Callable[[], object],
        on_other: Callable[[shown.Key], object],
        on_article: Callable[[], object],
        **properties: Any,
    ) -> None:
        self.on_other = on_other
        super().__init__(**properties)
        self.head, self.back, self.other = RiskHead(on_tap=on_article), Key(on_tap=on_back, means="page"), RisklessKey()
        self.rows = Rows(RollRow, high=ROW)

    def _foot(self, card: RiskCard) -> float:
        """Where what all of it may come to begins."""
        lines = max(1, len(card.shares)) * LINE
        return self.h - KEY - 10 - lines - BAR - 18 - (24 if card.rule else 0)

    def arrange(self) -> None:
        card: RiskCard | None = self.shown
        if card is None:
            return
        self.head.show(card)
        self.put(self.head, 0, 0, self.w, 52)
        self.rows.show(card.rows)
        self.put(self.rows, 3, TOP, self.w - 3, max(ROW, self._foot(card) - TOP))
        half = (self.w - 2 * PAD - 8) / 2 - 14
        top = self.h - KEY - 10
        self.back.show(Face(label=card.back, icon="back", look="quiet", size=NAME))
        self.put(self.back, PAD, top, half, KEY)
        if card.other is not None:
            self.other.on_tap, self.other.means = partial(self.on_other, card.other.keys[0]), card.other.keys[0]
            self.other.show(card.other)
            self.put(self.other, PAD + half + 8, top, self.w - 2 * PAD - half - 8, KEY)
        else:
            self.remove_widget(self.other)

    def paint(self, pen: Pen) -> None:
        card: RiskCard | None = self.shown
        if card is None:
            return
        pen.fill(0, 0, pen.w, pen.h, "bg2")
        pen.fill(0, 0, 3, pen.h, TONES[card.tone])
        room = pen.w - 2 * PAD
        pen.text(card.title, PAD, HEAD + 21, TITLE, "hi", BOLD, room=room, floor=BODY, cut=True)
        if pen.width(card.why, CAPTION) <= room:
            pen.text(card.why, PAD, HEAD + 48, SMALL, "mid", room=room)
        else:
            pen.paragraph(card.why, PAD, HEAD + 43, CAPTION, room, "mid", pitch=1)
        pen.fill(3, TOP - 1, pen.w - 3, 1, "line")
        self._sums(pen, card, self._foot(card), room)

    @staticmethod
    def _sums(pen: Pen, card: RiskCard, y: float, room: float) -> None:
        """Writes the rule, and draws what all of it may come to as a bar, with a line for each."""
        pen.fill(3, y - 1, pen.w - 3, 1, "line")
        if card.rule:
            pen.text(card.rule, PAD, y + 13, SMALL, "mid", room=room)
            y += 24
        x, y = PAD, y + 8
        gaps = 2.0 * max(0, len(card.shares) - 1)
        for share in card.shares:
            wide = max(4.0, (room - gaps) * share.part)
            pen.fill(x, y, min(wide, PAD + room - x), BAR, theme.toned(share.tone, "rim"), 2)
            x += wide + 2
        y += BAR + 14
        if card.weighing:
            pen.text(card.weighing, PAD, y, SMALL, "mid", SEMIBOLD, room=room)
        beside = pen.width(card.average, CAPTION)
        for at, share in enumerate(card.shares):
            token = theme.toned(share.tone, "mid")
            pen.text(f"{share.percent} %", PAD + 46, y, SMALL, token, BOLD, "right")
            left = room - 56 - (beside + 10 if not at else 0)
            pen.text(share.text, PAD + 56, y, SMALL, "hi", SEMIBOLD, room=left, cut=True)
            if not at:
                pen.text(card.average, PAD + room, y, CAPTION, "mid", align="right")
            y += LINE
