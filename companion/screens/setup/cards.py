"""The steps of cards: on the table or in the program's deck, and the street drivers' cards."""

from __future__ import annotations

from functools import partial
from random import SystemRandom
from typing import Any, Final

from companion.rules.conversation.kinds import POOLS
from companion.rules.ninety.figures import MOST_BOTS
from companion.screens.kit.compose import Area, Ui
from companion.screens.kit.key import Face
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.plate import draw
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.stepper import Stepper
from companion.screens.kit.theme import BODY, NAME, SMALL, theme
from companion.screens.setup.step import Change, DriverRow, DriverRowView, SetupStep
from companion.view.setup.draft import DECKS
from companion.view.setup.new_race import StreetRow, street_rows
from companion.view.shown import Field


class CardsStep(SetupStep):
    """Step of the cards: their source, and the number of bots where there are any."""

    def __init__(self, on_change: Change, **properties: Any) -> None:
        super().__init__(on_change, **properties)
        self.bots = Stepper(on_change=self._bots)

    def _deck(self, dealt: bool) -> None:
        """Set cards on the table or a random deck; choosing it again picks another deck."""
        self.on_change(self.draft.but(deck=SystemRandom().randint(1, DECKS) if dealt else 0))

    def _bots(self, count: int) -> None:
        self.on_change(self.draft.with_bots(count))

    def compose_step(self, ui: Ui) -> None:
        draft, body, pen = self.draft, ui.area.inset(12, 12), ui.pen
        kind = "" if draft.cards else "armed_"
        table, deck = body.cut_top(84).columns(2)
        face = Face(label=self.say("table"), note=self.say(f"{kind}table_note"), look="option", size=NAME,
                    chosen=not draft.deck)  # fmt: skip
        ui.button(table, "table", face, partial(self._deck, False))
        note = self.say(f"{kind}deck_note", deck=draft.deck)
        face = Face(label=self.say("deck"), note=note, look="option", size=NAME, chosen=bool(draft.deck))
        ui.button(deck, "deck", face, partial(self._deck, True))
        body.cut_top(28)
        if draft.cards:
            row = body.cut_top(112)
            field = Field(name="bots", label=self.say("bots"), value=draft.bots, low=0, high=MOST_BOTS)
            ui.place(Area(row.x, row.y, 176, 76), self.bots).show(field)
            said, left, room = self.say("bots_said", count=draft.bots), row.x + 196, row.w - 200
            pen.text(said, left, row.y + 30, BODY, "hi", SEMIBOLD, room=room, cut=True)
            pen.text(self.say("bots_note"), left, row.y + 56, SMALL, "mid", SEMIBOLD, room=room, cut=True)
        about = self.say(f"{kind}dealt_about" if draft.deck else f"{kind}table_about")
        pen.paragraph(about, body.x + 4, body.y, SMALL, body.w - 8, "mid", SEMIBOLD, 4)


RIGHT: Final = 366
HEAD: Final = 30
POOL_PITCH: Final = 26.0
"""Pitch of the pools, in dp."""
POINTS_WIDTH: Final = 6 * POOL_PITCH + 10
"""Width of the points at the right of a card, in dp."""


class CardView(RowView):
    """Row of a `StreetRow`: name, plate of the card's car, and points by pool."""

    def draw(self, pen: Pen, shown: StreetRow) -> None:
        middle, right = pen.h / 2, pen.w - POINTS_WIDTH
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
    """Return the middle of a pool's column, in dp."""
    return wide - POINTS_WIDTH + POOL_PITCH * (place + 0.5)


class StreetStep(SetupStep):
    """Step of the street cards: the cars, and every card beside the selected car.

    A card that another car has changes hands. Once a car has a card, the next car without one is selected.
    """

    def __init__(self, on_change: Change, **properties: Any) -> None:
        super().__init__(on_change, **properties)
        self.chosen = 0
        self.entrants = Rows(DriverRowView, on_row=self._choose)
        self.cards = Rows(CardView, on_row=self._take)

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

    def compose_step(self, ui: Ui) -> None:
        draft = self.draft
        self.chosen = min(self.chosen, max(len(draft.entrants) - 1, 0))
        for place, pool in enumerate(POOLS):
            ui.pen.icon(pool, column(ui.area.w, place), HEAD / 2, 20, "mid")
        cards = ui.area.cut_right(RIGHT)
        ui.fill(ui.area.cut_right(1), "line")
        rows = [
            DriverRow(entrant=one, note=draft.street.get(one.number, ""), chosen=place == self.chosen)
            for place, one in enumerate(self.field)
        ]
        ui.place(ui.area, self.entrants).show(rows)
        ui.fill(cards.cut_top(HEAD).cut_bottom(1), "line")
        ui.place(cards, self.cards).show(street_rows(draft, self.field, self.chosen) if draft.entrants else [])
