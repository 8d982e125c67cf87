"""The cards of street drivers: which car has whose, where that is chosen before the race."""

from __future__ import annotations

from typing import Any, Final

from companion.rules.conversation.kinds import POOLS
from companion.screens.setup.step import Change, DriverRow, DriverRowView, Step
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.plate import draw
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.theme import BODY, NAME, theme
from companion.view.setup.new_race import StreetRow, street_rows

RIGHT: Final = 366
HEAD: Final = 30
COLUMN: Final = 26.0
"""From one pool to the next."""
POINTS: Final = 6 * COLUMN + 10
"""How much of a card its points take, at its right."""


class CardView(RowView):
    """Draws a `StreetRow`: the name, the plate of the car that has the card, and its points by pool."""

    def draw(self, pen: Pen, shown: StreetRow) -> None:
        middle, right = pen.h / 2, pen.w - POINTS
        if shown.chosen:
            self.choose(pen)
        if not shown.card:
            pen.text(theme.words.screen("new_race.card_later"), 14, middle, BODY, "mid", SEMIBOLD, room=pen.w - 60)
            if shown.chosen:
                pen.icon("check", pen.w - 24, middle, 22, "ok")
            return
        if shown.plate is not None:
            draw(pen, shown.plate, right - 20, middle, 28)
            right -= 42
        pen.text(shown.card, 14, middle, NAME, "hi", BOLD, room=right - 18, cut=True)
        for place, points in enumerate(shown.points):
            pen.text(str(points), column(pen.w, place), middle, BODY, "hi", SEMIBOLD, "centre")


def column(wide: float, place: int) -> float:
    """The middle of the column of a pool."""
    return wide - POINTS + COLUMN * (place + 0.5)


class StreetStep(Step):
    """Lists the cars, and beside the one that is chosen every card; one that another car has changes hands. Once a car
    has a card the next one without is chosen."""

    def __init__(self, on_change: Change, **properties: Any) -> None:
        super().__init__(on_change, **properties)
        self.chosen = 0
        self.entrants = Rows(DriverRowView, self._choose)
        self.cards = Rows(CardView, self._take)

    def _choose(self, place: int) -> None:
        self.chosen = place
        self.look_again()

    def _take(self, place: int) -> None:
        entrants, card = self.draft.entrants, self.cards.shown[place].card
        draft = self.draft.with_card(entrants[self.chosen].number, card)
        if card:
            later = [*range(self.chosen + 1, len(entrants)), *range(self.chosen)]
            self.chosen = next((at for at in later if entrants[at].number not in draft.street), self.chosen)
            self.entrants.reveal(self.chosen)
        self.on_change(draft)

    def arrange(self) -> None:
        if self.shown is None:
            return
        draft = self.draft
        self.chosen = min(self.chosen, max(len(draft.entrants) - 1, 0))
        self.entrants.show(
            [
                DriverRow(entrant=one, note=draft.street.get(one.number, ""), chosen=place == self.chosen)
                for place, one in enumerate(self.field)
            ]
        )
        self.put(self.entrants, 0, 0, self.w - RIGHT - 1, self.h)
        self.cards.show(street_rows(draft, self.field, self.chosen) if draft.entrants else [])
        self.put(self.cards, self.w - RIGHT, HEAD, RIGHT, self.h - HEAD)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        pen.fill(pen.w - RIGHT - 1, 0, 1, pen.h, "line")
        for place, pool in enumerate(POOLS):
            pen.icon(pool, column(pen.w, place), HEAD / 2, 20, "mid")
        pen.fill(pen.w - RIGHT, HEAD - 1, RIGHT, 1, "line")
