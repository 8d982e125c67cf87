"""What a touch or a button on the race screen means: an answer, a selection, the referee's word, a way back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from companion.rules.conversation import Json
from companion.screens.race_menu import Offer
from companion.screens.theme import theme
from companion.screens.view import override
from companion.screens.view.override import Why
from companion.screens.view.shown import BoardScene, Card, Key, Price, Prompt, RaceShown, Row, SpaceMark, Step, Toast
from companion.screens.view.sight import Sight

if TYPE_CHECKING:
    from companion.desk import RaceDesk
    from companion.screens.race import RaceScreen
    from companion.screens.seat import Seat


class Meant:
    """Knows what is selected and what is being said, and hands what was meant to the seat."""

    OTHER: Final = "…"
    """The answer of the key that leads to the whole form."""

    def __init__(self, screen: RaceScreen) -> None:
        self.screen, self.app = screen, screen.app
        self._sent = False
        """An answer is on its way: a second tap means nothing."""
        self._at = -1
        self._doubt = ""
        """Why the ruling that is about to be accepted is disputed."""
        self._forced: Json = None
        self._writing = ""
        self._about: tuple[int, str] | None = None
        """The entry (0: not yet given) and title of the ruling about which something is being decided."""

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
            self._doubt, self._about = "", None
            self.screen.shot.stop("disputed", False)
        self._at = now.prompt.chosen

    # -- answers

    def tapped(self, key: Key) -> None:
        """A key of the question: a free answer applies at once, one that costs is selected first."""
        if self.shown.prompt.layout == "none":
            self.app.home() if key.answer == "leave" else self.app.go(str(key.answer))
        elif key.answer == self.OTHER and self.shown.prompt.layout == "form":
            self.screen.whole = True
            self.screen.look_again()
        elif self.shown.prompt.layout == "attack" and key.answer is not None:
            self.aim(key.answer)
        elif not key.accept:
            self._apply(key)
        elif self._selected() == key:
            card = self.screen.shown_card
            if card is None or card.tone != "bad":
                self._apply(key)
        elif self.seat is not None:
            self.seat.select(key.answer)

    def aim(self, answer: Json) -> None:
        """A weapon or a target: it is aimed first, and fired by its own key or by the same key again."""
        chosen = self._selected()
        if chosen is not None and chosen.answer == answer:
            self._apply(chosen)
        elif self.seat is not None:
            self.seat.select(answer)

    def weapon(self, answer: Json) -> None:
        """A weapon is taken up; that it is has been so already means nothing."""
        chosen = self._selected()
        if self.seat is not None and (chosen is None or chosen.answer != answer):
            self.seat.select(answer)

    def _selected(self) -> Key | None:
        chosen = self.shown.prompt.chosen
        return self.shown.prompt.keys[chosen] if 0 <= chosen < len(self.shown.prompt.keys) else None

    def accept(self) -> None:
        """The card's key: the selected answer applies."""
        if (key := self._selected()) is not None:
            self._apply(key)

    def _apply(self, key: Key) -> None:
        doubt = self._doubt if key.accept else ""
        self._send(key.answer, doubt)

    def picked(self, key: Key) -> None:
        """An answer that is put together: it is selected, so that what it costs is seen."""
        chosen = self._selected()
        if self.seat is not None and (chosen is None or chosen.answer != key.answer):
            self.seat.select(key.answer)

    def given(self, key: Key) -> None:
        """The answer that is put together is given; what retires a car is accepted on its card only."""
        card = self.screen.shown_card
        if not key.accept or (self._selected() == key and (card is None or card.tone != "bad")):
            self._apply(key)
        else:
            self.picked(key)

    def form(self, values: Json) -> None:
        """A form that was filled in, or cards that were typed."""
        self._send(values)

    def _send(self, answer: Json, doubt: str = "") -> None:
        if self.seat is not None and not self._sent:
            self._sent = True
            self.app.hush()
            self.screen.forget_told()
            self.seat.answer(self.shown.prompt.n, answer, dispute=doubt)

    def barred(self, key: Key) -> None:
        """A key that is not allowed: why, with the article."""
        said, action = f"{self.prompt.title}: {key.label} {key.why}", ""
        if self.prompt.article:
            said, action = f"{key.label}: {key.why} ({self.prompt.cited})", "article"
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
        chosen = self._selected()
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
            self._values(car.plate.number)
        elif key is not None or self.prompt.layout == "landing":
            self.why(key or Key(answer={"space": name}, label=name))

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

    # -- the referee's word

    def why(self, key: Key) -> None:
        """An answer that is held is set by the referee's word: why?"""
        if key.answer == self.OTHER and self.shown.prompt.layout == "form":
            return
        chosen, asks = self._selected(), self.shown.prompt.key
        instead = chosen.answer if chosen is not None and chosen.answer != key.answer else None
        self._forced = key.answer

        def ask(found: Why | None) -> None:
            if found is not None and self.shown.prompt.key == asks:
                self.screen.word, self._about = found, None
                self.screen.look_again()

        self.screen.see(
            lambda desk, words: (
                override.why(Sight(desk, words), desk.asked, key.answer, instead) if desk.asked is not None else None
            ),
            ask,
        )

    def pointed_at(self, scene: BoardScene) -> BoardScene:
        """The board with the space out of reach that the referee's word is about."""
        name = self._forced.get("space") if self._about is None and isinstance(self._forced, dict) else None
        if not isinstance(name, str) or name in {mark.space for mark in scene.spaces}:
            return scene
        mark = SpaceMark(space=name, state="cost", text="?")
        return msgspec.structs.replace(scene, spaces=(mark, *scene.spaces))

    def values(self) -> None:
        """The dashboard is held: what may be set on its car."""
        if self.shown.dashboard is not None:
            self._values(self.shown.dashboard.plate.number)

    def car_values(self, row: Row) -> None:
        """A row of the order is held."""
        self._values(row.plate.number)

    def _values(self, number: int) -> None:
        self.app.go("override", car=number)

    def word(self, name: str, text: str) -> None:
        """A reason of the referee's word, or what becomes of a dispute."""
        if self._about is not None:
            self._decided(name, *self._about)
        else:
            self._force(text)

    def _force(self, why: str) -> None:
        if self.seat is not None:
            self.screen.forget_told()
            self.seat.force(self.shown.prompt.n, self._forced, by=self.app.playing.signing.name, why=why)
        self.no_word()

    def no_word(self) -> None:
        """Back to the question."""
        self.screen.word = self._about = None
        if self.screen.ask.writes:
            self.screen.ask.writing.line.focus = False
        self.screen.shot.stop("disputed", False)
        self.screen.draw_now()

    # -- disputes

    def dispute(self) -> None:
        """The card's ruling is disputed: the clock stands still until something is decided."""
        card = self.screen.shown_card or self.screen.shown_given
        if card is not None and self.seat is not None:
            if card.seq:
                self.seat.dispute(card.title, card.seq)
            self._decide(card.seq, card.article, card.title)

    def _decide(self, seq: int, article: str, text: str) -> None:
        self._about = (seq, text)
        self.screen.word = override.dispute(article, text, theme.words)
        self.screen.shot.stop("disputed")
        self.screen.look_again()

    def _decided(self, name: str, seq: int, text: str) -> None:
        if name == "uphold":
            self._doubt = ""
            if seq and self.seat is not None:
                self.seat.uphold(seq)
        elif name == "later" and not seq:
            self._doubt = text
        self.no_word()
        if name == "change":
            self.screen.see(lambda desk, _: _answer_of(desk, seq), self._correct)

    def _correct(self, n: int | None) -> None:
        """The history, at an answer if it is known which."""
        if n is None:
            self.history()
        else:
            self.app.go("history", n=n)

    def doubted(self, card: Card) -> bool:
        """Whether a card's ruling is disputed now."""
        return bool(not card.seq and self._doubt) or (self._about is not None and self._about[0] == card.seq)

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

    def chosen(self, name: str) -> None:
        """A key of the menu."""
        self.screen.uncover()
        if name == "redo" and self.seat is not None:
            self.screen.forget_told()
            self.seat.redo()
        elif name == "override":
            self.app.go("override")
        elif name == "note":
            self._write("note")
        elif name == "dispute":
            self._dispute_last()
        elif name == "overview":
            self.screen.open("overview")
        elif name == "leave":
            self.app.playing.close()
            self.app.home()
        else:
            self.app.go(name)

    def _dispute_last(self) -> None:
        """Decides about the oldest open dispute; where there is none the last ruling is disputed."""

        def decide(found: tuple[int, str] | None) -> None:
            if found is not None:
                self._decide(found[0], "", found[1])
            elif self.seat is not None:
                self._write("dispute")

        self.screen.see(lambda desk, _: next(iter(desk.open_disputes()), None), decide)

    # -- words that are written

    def _write(self, what: str) -> None:
        self._writing = what
        self.screen.open("words")

    def wording(self) -> tuple[str, str]:
        """What is written, and what is on the key that keeps it."""
        return self.screen.say(f"words.{self._writing}"), self.screen.say(f"words.{self._writing}_keep")

    def written(self, text: str) -> None:
        """A line was written."""
        self.screen.uncover()
        self.screen.words.line.line.text = ""
        if self.seat is None:
            return
        self.screen.forget_told()
        if self._writing == "note":
            self.seat.note(text)
        elif self._writing == "dispute":
            self.seat.dispute(text)
            self._dispute_last()

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

    # -- buttons

    def press(self, name: str) -> None:
        """A button was pressed or held."""
        if self.screen.now is None or self.screen.cover:
            if name == "undo":
                self.app.back()
            return
        if name in ("up", "down", "first", "last"):
            self._move(name)
        elif name == "confirm":
            self._confirm()
        elif name == "override":
            if (key := self._selected()) is not None:
                self.why(key)
        elif name == "undo":
            self.no_word() if self.screen.word is not None else self.undo()
        elif name == "history":
            self.history()
        elif name == "next":
            self._skip()
        elif name == "pause":
            self.screen.shot.toggle()

    def _move(self, name: str) -> None:
        """Moves the selection among the answers that are allowed."""
        keys = self.shown.prompt.keys
        allowed = [at for at, key in enumerate(keys) if not key.why]
        if not allowed or self.screen.word is not None:
            return
        after = [at for at in allowed if at > self._at] or allowed[-1:]
        before = [at for at in allowed if at < self._at] or allowed[:1]
        self._at = {"up": after[0], "down": before[-1], "first": allowed[0], "last": allowed[-1]}[name]
        self.screen.band.select(self._at)
        if self.seat is not None:
            self.seat.select(keys[self._at].answer)

    def _confirm(self) -> None:
        """Applies the selected answer; before its ruling is there nothing is accepted."""
        key = self._selected()
        if key is not None and (not key.accept or self.screen.shown_card is not None):
            self._apply(key)
        elif key is None:
            self.screen.close_card()

    def _skip(self) -> None:
        """Answers an optional question with nothing."""
        key = next((key for key in self.shown.prompt.keys if key.answer is None and not key.why), None)
        key = key or next((key for key in self.shown.prompt.keys if key.answer == {}), None)
        if key is not None:
            self._apply(key)


def _answer_of(desk: RaceDesk, seq: int) -> int | None:
    """The answer that an entry holds, if it is still in force."""
    return next((n for n, item in enumerate(desk.history.items) if item.seq == seq), None)
