"""The risk card: the tests that the selected answer leads to.

It takes the place of the list, with who rolls, what is lost on which faces, and the possible totals.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from companion.screens.kit import plate, wear
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import Face
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.ruling_card import article
from companion.screens.kit.theme import BODY, CAPTION, NAME, SMALL, TITLE, TONES, theme
from companion.screens.kit.touch import Target
from companion.screens.race.landings import costs
from companion.view.race import intents
from companion.view.race.intents import Emit
from companion.view.shown import OutcomeRow
from companion.view.shown_race import RiskCard, RollAhead

HEAD: Final = 44.0
PAD: Final = 15.0
ROW: Final = 66.0
KEY: Final = 62.0
PLATE: Final = 36.0
SEGMENT: Final = 14.0
BAR: Final = 12.0
LINE: Final = 21.0
ROWS_TOP: Final = HEAD + 66.0
"""Top of the first row, beneath the title and the reason, in dp."""


class RiskHead(Target):
    """The head of a `RiskCard`; a tap opens the article."""

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
    """A row that shows a `RollAhead`."""

    def draw(self, pen: Pen, shown: Any) -> None:
        roll: RollAhead = shown
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
    """A key that shows an `OutcomeRow` by its first answer: letter, outcome and cost."""

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


class RiskPane(Composed):
    """A pane that shows a `RiskCard`, with keys for all answers and for the one without a test."""

    def __init__(self, emit: Emit, **properties: Any) -> None:
        self.emit = emit
        super().__init__(**properties)

    def compose(self, ui: Ui) -> None:
        card: RiskCard | None = self.shown
        if card is None:
            return
        area, pen = ui.area, ui.pen
        ui.fill(area, "bg2")
        pen.fill(0, 0, 3, pen.h, TONES[card.tone])
        head = Area(0, 0, area.w, 52)
        ui.target(head, "head", RiskHead, card, partial(self.emit, intents.OpenArticle("card")))
        room = pen.w - 2 * PAD
        pen.text(card.title, PAD, HEAD + 21, TITLE, "hi", BOLD, room=room, floor=BODY, cut=True)
        if pen.width(card.why, CAPTION) <= room:
            pen.text(card.why, PAD, HEAD + 48, SMALL, "mid", room=room)
        else:
            pen.paragraph(card.why, PAD, HEAD + 43, CAPTION, room, "mid", pitch=1)
        area.cut_top(ROWS_TOP)
        pen.fill(3, area.y - 1, pen.w - 3, 1, "line")
        area.cut_bottom(10)
        keys = area.cut_bottom(KEY).inset(PAD)
        sums = area.cut_bottom(max(1, len(card.shares)) * LINE + BAR + 18 + (24 if card.rule else 0))
        area.cut_left(3)
        area.h = max(ROW, area.h)
        ui.place(area, ui.named("rows", partial(Rows, RollRow, high=ROW))).show(card.rows)
        self._sums(pen, card, sums.y, room)
        face = Face(label=card.back, icon="back", look="quiet", size=NAME)
        back = keys.cut_left((keys.w - 8) / 2 - 14)
        ui.button(back, "back", face, partial(self.emit, intents.ListSpaces()), means="page")
        if card.other is not None:
            keys.cut_left(8)
            answer = card.other.keys[0]
            select = partial(self.emit, intents.Select(answer.answer))
            ui.target(keys, "other", RisklessKey, card.other, select).means = answer

    @staticmethod
    def _sums(pen: Pen, card: RiskCard, y: float, room: float) -> None:
        """Draw the rule, and the possible totals as a bar with a line for each."""
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
            pen.text(theme.words.percent(share.percent), PAD + 46, y, SMALL, token, BOLD, "right")
            left = room - 56 - (beside + 10 if not at else 0)
            pen.text(share.text, PAD + 56, y, SMALL, "hi", SEMIBOLD, room=left, cut=True)
            if not at:
                pen.text(card.average, PAD + room, y, CAPTION, "mid", align="right")
            y += LINE
