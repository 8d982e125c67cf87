"""Cards: whether they lie on the table or are a deck of the program's; where there are bots also how many drive."""

from __future__ import annotations

from functools import partial
from random import SystemRandom
from typing import Any, Final

from companion.rules.ninety.figures import MOST_BOTS
from companion.screens.setup.step import Change, Step
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import SEMIBOLD, Pen
from companion.screens.widgets.stepper import Stepper
from companion.screens.widgets.theme import BODY, NAME, SMALL
from companion.view.setup.draft import DECKS
from companion.view.shown import Field

HIGH: Final = 84.0
BOTS: Final = 124.0


class CardsStep(Step):
    """Chooses where the cards come from, and where there are bots their number."""

    def __init__(self, on_change: Change, **properties: Any) -> None:
        super().__init__(on_change, **properties)
        self.ways = [Key(on_tap=partial(self._deck, dealt)) for dealt in (False, True)]
        self.bots = Stepper(self._bots)

    def _deck(self, dealt: bool) -> None:
        """Cards on the table, or a deck of the program's: whichever comes, and another if it is chosen again."""
        self.on_change(self.draft.but(deck=SystemRandom().randint(1, DECKS) if dealt else 0))

    def _bots(self, count: int) -> None:
        self.on_change(self.draft.with_bots(count))

    def arrange(self) -> None:
        if self.shown is None:
            return
        draft = self.draft
        kind = "" if draft.cards else "armed_"
        notes = (self.say(f"{kind}table_note"), self.say(f"{kind}deck_note", deck=draft.deck))
        for place, (key, name) in enumerate(zip(self.ways, ("table", "deck"), strict=True)):
            chosen = bool(draft.deck) == bool(place)
            key.show(Face(label=self.say(name), note=notes[place], look="option", size=NAME, chosen=chosen))
        self.put_rows(self.ways, 12, 12, self.w - 24, HIGH)
        if draft.cards:
            self.bots.show(Field(name="bots", label=self.say("bots"), value=draft.bots, low=0, high=MOST_BOTS))
            self.put(self.bots, 12, BOTS, 176, 76)
        self.only([*self.ways, *([self.bots] if draft.cards else [])], of=(*self.ways, self.bots))

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        if self.shown is None:
            return
        about, bots = "dealt_about" if self.draft.deck else "table_about", self.draft.cards
        if bots:
            left, room = 208.0, pen.w - 208 - 16
            count = self.draft.bots
            pen.text(self.say("bots_said", count=count), left, BOTS + 30, BODY, "hi", SEMIBOLD, room=room, cut=True)
            pen.text(self.say("bots_note"), left, BOTS + 56, SMALL, "mid", SEMIBOLD, room=room, cut=True)
        top, about = (BOTS + 112, about) if bots else (BOTS, f"armed_{about}")
        pen.paragraph(self.say(about), 16, top, SMALL, pen.w - 32, "mid", SEMIBOLD, 4)
