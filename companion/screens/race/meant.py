"""What a touch on the race screen means: an answer, a selection, a way back, another screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Json
from companion.screens.race.buttons import Buttons
from companion.screens.race.menu import Entry, Offer
from companion.screens.race.said import OTHER, Said
from companion.view.shown import Key, Price, Prompt, Row, SeenGroup, Step, Toast
from companion.view.shown_race import RaceShown

if TYPE_CHECKING:
    from companion.screens.app.seat import Seat
    from companion.screens.race.race import RaceScreen


class Meant:
    """Hands what was meant to the seat."""

    def __init__(self, screen: RaceScreen) -> None:
        self.screen, self.app = screen, screen.app
        self._sent = False
        """An answer is on its way: a second tap means nothing."""
        self.said, self.buttons = Said(screen, self), Buttons(screen, self)

    @property
    def seat(self) -> Seat | None:
        seat: Seat | None = self.app.playing.seat
        return seat

    @property
    def shown(self) -> RaceShown:
        assert self.screen.now is not None
        return self.screen.now

    @property
    def prompt(self) -> Prompt:
        return self.screen.prompt(self.shown)

    def picture(self, before: RaceShown | None, now: RaceShown) -> None:
        """There is a new picture."""
        self._sent = False
        if before is None or before.prompt.key != now.prompt.key:
            self.said.forget()
        self.buttons.at = self.offered()[1]

    # -- answers

    def tapped(self, key: Key) -> None:
        """A key of the question: a free answer applies at once, one that costs is selected first."""
        if self.shown.prompt.layout == "none":
            self.app.home() if key.answer == "leave" else self.app.go("sheet")
        elif key.answer == OTHER and self.shown.prompt.layout == "form":
            self.screen.whole = True
            self.screen.look_again()
        elif self.shown.prompt.layout == "attack" and key.answer is not None:
            self.aim(key.answer)
        elif not key.accept:
            self.apply(key)
        elif self.selected() == key:
            card = self.screen.shown_card
            if card is None or card.tone != "bad":
                self.apply(key)
        elif self.seat is not None:
            self.seat.select(key.answer)

    def aim(self, answer: Json) -> None:
        """A weapon or a target: it is aimed first, and fired by its own key or by the same key again."""
        chosen = self.selected()
        if chosen is not None and chosen.answer == answer:
            self.apply(chosen)
        elif self.seat is not None:
            self.seat.select(answer)

    def weapon(self, answer: Json) -> None:
        """A weapon is taken up; that it is has been so already means nothing."""
        chosen = self.selected()
        if self.seat is not None and (chosen is None or chosen.answer != answer):
            self.seat.select(answer)

    def offered(self) -> tuple[tuple[Key, ...], int]:
        """The answers that can be selected where they are seen, and which of them is: of a test in the list its
        bands."""
        open_row = next((row for row in self.shown.tests if row.state == "now"), None)
        if open_row is not None and self.screen.layout(self.shown) == "queue":
            return open_row.keys, open_row.chosen
        return self.shown.prompt.keys, self.shown.prompt.chosen

    def selected(self) -> Key | None:
        """The answer that is selected."""
        keys, chosen = self.offered()
        return keys[chosen] if 0 <= chosen < len(keys) else None

    def accept(self) -> None:
        """The card's key: the selected answer applies."""
        if (key := self.selected()) is not None:
            self.apply(key)

    def apply(self, key: Key) -> None:
        """An answer applies, disputed if its ruling is in doubt."""
        self._send(key.answer, self.said.doubt_of(key.answer))

    def picked(self, key: Key) -> None:
        """An answer that is put together: it is selected, so that what it costs is seen."""
        chosen = self.selected()
        if self.seat is not None and (chosen is None or chosen.answer != key.answer):
            self.seat.select(key.answer)

    def given(self, key: Key) -> None:
        """The answer that is put together is given; what retires a car is accepted on its card only."""
        card = self.screen.shown_card
        if not key.accept or (self.selected() == key and (card is None or card.tone != "bad")):
            self.apply(key)
        else:
            self.picked(key)

    def form(self, values: Json) -> None:
        """A form that was filled in, or cards that were typed. What was seen on a corner sheet is only said by it: what
        it comes to is shown before it applies."""
        if self.shown.prompt.seen is None:
            self._send(values)
            return
        self.screen.whole = False
        said = {name: value for name, value in values.items() if value}
        if part := self.screen.part:
            said |= {name: value for name, value in self.shown.prompt.seen.said.items() if name not in part}
        self.said_of_move(said)
        self.screen.look_again()

    def said_of_move(self, said: Json) -> None:
        """More has been said of a move, or all of it."""
        if self.seat is not None:
            self.seat.select(said)

    def opened(self, group: SeenGroup) -> None:
        """A part of the form of what was seen, or all of it."""
        self.screen.whole, self.screen.part = True, group.fields
        self.screen.look_again()

    def _send(self, answer: Json, doubt: str = "") -> None:
        if self.seat is not None and not self._sent:
            self._sent = True
            self.app.hush()
            self.screen.forget_told()
            self.seat.answer(self.shown.prompt.n, answer, dispute=doubt)

    def barred(self, key: Key) -> None:
        """A key that is not allowed: why, with the article."""
        said, action = f"{self.prompt.title}: {key.label} {key.why}", ""
        if key.article:
            said = self.screen.say("race.refused", label=key.label, why=key.why, article=key.cited)
            action = f"article {key.article}"
        label = self.screen.say("race.article") if action else ""
        self.app.tell(Toast(text=said, tone="warn", icon="cross", action=action, action_label=label))
        self.app.playing.signals.happen("refused")

    # -- the board

    def space(self, name: str) -> None:
        """A space of the board: the landing there, if there is one; of a section the cars in it."""
        if self.screen.cover == "overview":
            self.screen.uncover()
        elif (key := self._landing(name)) is not None:
            self.tapped(key)
        elif self.screen.sections.there(self.shown, name) is not None:
            self.screen.open(name)

    def _landing(self, name: str) -> Key | None:
        """The landing on a space: the selected one, else the cheapest."""
        chosen = self.selected()
        if chosen is not None and chosen.space == name:
            return chosen
        keys = self.shown.attack.keys if self.shown.attack is not None else self.shown.prompt.keys
        return next((key for key in keys if key.space == name), None)

    def space_held(self, name: str) -> None:
        """A space that is held: the referee's word on the landing, out of reach or not, or on the car there; where
        there are several, they are shown."""
        tile, key = self.screen.sections.there(self.shown, name), self._landing(name)
        if tile is not None and len(tile.cars) > 1:
            self.screen.open(name)
            return
        car = next((car for car in self.shown.board.cars if car.space == name), None)
        if key is None and car is not None:
            self.said.values_of(car.plate.number)
        elif key is not None or self.prompt.layout == "landing":
            self.said.why(key or Key(answer={"space": name}, label=name))

    # -- going back

    def undo(self) -> None:
        """Takes back one point of a form of pools, or one answer."""
        if self.screen.layout(self.shown) == "pools" and self.screen.pools.undo():
            return
        if self.seat is not None and self.shown.prompt.undo.label:
            self.screen.forget_told()
            self.seat.undo()

    def rewind(self, step: Step) -> None:
        """A step of the trail that is done: everything since is taken back."""
        if self.seat is not None and step.back:
            self.screen.forget_told()
            self.seat.undo(step.back)

    def out_of_form(self) -> None:
        """Back from the whole form to the offered answers; where there are none, undo."""
        if self.screen.whole:
            self.screen.whole = False
            self.screen.look_again()
        else:
            self.undo()

    def history(self) -> None:
        """The answers so far."""
        self.app.go("history")

    # -- the menu

    def offer(self, shown: RaceShown) -> Offer:
        """What the menu offers now."""
        prompt, disputed = shown.prompt, self._disputed(shown)
        barred = [name for name, can in (("redo", prompt.redo.label), ("history", prompt.undo.label)) if not can]
        notes = [("redo", prompt.redo.label), ("dispute", disputed.text if disputed else "")]
        if not prompt.undo.label and not disputed:
            barred.append("dispute")
        return Offer(notes=tuple(note for note in notes if note[1]), barred=tuple(barred))

    @staticmethod
    def _disputed(shown: RaceShown) -> Price | None:
        return next((mark for mark in shown.top.marks if mark.icon == "flag"), None)

    def chosen(self, name: Entry) -> None:
        """A key of the menu."""
        self.screen.uncover()
        if name == "redo":
            if self.seat is not None:
                self.screen.forget_told()
                self.seat.redo()
        elif name == "override":
            self.app.go("override")
        elif name == "note":
            self.said.write("note")
        elif name == "dispute":
            self.said.dispute_last()
        elif name == "overview":
            self.screen.open("overview")
        elif name == "leave":
            self.app.playing.leave()
        else:
            self.app.go(name)

    # -- other screens

    def article(self) -> None:
        """The article of the card."""
        card = self.screen.shown_card or self.screen.shown_given
        if card is not None:
            self.app.go("rules", article=card.article)

    def contest_article(self) -> None:
        """The article of the contest."""
        if self.shown.contest is not None:
            self.app.go("rules", article=self.shown.contest.article)

    def sheet(self) -> None:
        """The sheet of the car to play."""
        if self.shown.dashboard is not None:
            self.app.go("sheet", page="car", car=self.shown.dashboard.plate.number)

    def car_sheet(self, row: Row) -> None:
        """The sheet of a car of the order."""
        self.app.go("sheet", page="car", car=row.plate.number)
