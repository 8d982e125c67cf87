"""What the referee says beside the answers: values set by his word, disputes and what becomes of them, notes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import msgspec

from companion.rules.conversation.asking import Json
from companion.screens.widgets.theme import theme
from companion.view import override
from companion.view.card import costs_something
from companion.view.citing import cited
from companion.view.override import Why
from companion.view.shown import Card, Key, Price, Row, TopBar
from companion.view.shown_board import BoardScene, SpaceMark
from companion.view.sight import Sight

if TYPE_CHECKING:
    from companion.desk import RaceDesk
    from companion.screens.race.meant import Meant
    from companion.screens.race.race import RaceScreen
    from companion.wording import Words

OTHER: Final = "…"
"""The answer of the key that leads to the whole form; the referee's word does not give it."""


class Said:
    """Knows what is being said on the race screen, and about what."""

    def __init__(self, screen: RaceScreen, meant: Meant) -> None:
        self.screen, self.app, self.meant = screen, screen.app, meant
        self._doubt: tuple[Json, str] | None = None
        """The answer whose ruling will be disputed once it is given, and why."""
        self._forced: Json = None
        self._writing = ""
        self._about: tuple[int, str] | None = None
        """The entry (0: not yet given) and title of the ruling about which something is being decided."""

    def forget(self) -> None:
        """Another question is asked: nothing is in doubt any more."""
        self._doubt = self._about = None
        self.screen.shot.stop("disputed", False)

    # -- the referee's word

    def why(self, key: Key) -> None:
        """An answer that is held is set by the referee's word: why?"""
        if key.answer == OTHER and self.meant.shown.prompt.layout == "form":
            return
        chosen, asks = self.meant.selected(), self.meant.shown.prompt.key
        instead = chosen.answer if chosen is not None and chosen.answer != key.answer else None
        self._forced = key.answer

        def ask(found: Why | None) -> None:
            if found is not None and self.meant.shown.prompt.key == asks:
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
        if self.meant.shown.dashboard is not None:
            self.values_of(self.meant.shown.dashboard.plate.number)

    def car_values(self, row: Row) -> None:
        """A row of the order is held."""
        self.values_of(row.plate.number)

    def values_of(self, number: int) -> None:
        """What may be set on a car."""
        self.app.go("override", car=number)

    def word(self, name: str, text: str) -> None:
        """A reason of the referee's word, or what becomes of a dispute."""
        if self._about is not None:
            self._decided(name, *self._about)
        else:
            self._force(text)

    def _force(self, why: str) -> None:
        if self.meant.seat is not None:
            self.screen.forget_told()
            self.meant.seat.force(self.meant.shown.prompt.n, self._forced, by=self.app.playing.signing.name, why=why)
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
        if card is not None and self.meant.seat is not None:
            if card.seq:
                self.meant.seat.dispute(card.title, card.seq)
            self._decide(card.seq, card.cited, card.title)

    def _decide(self, seq: int, article: str, text: str) -> None:
        self._about = (seq, text)
        self.screen.word = override.dispute(article, text, theme.words)
        self.screen.shot.stop("disputed")
        self.screen.look_again()

    def _decided(self, name: str, seq: int, text: str) -> None:
        if name == "uphold":
            self._doubt = None
            if seq and self.meant.seat is not None:
                self.meant.seat.uphold(seq)
        elif name == "later" and not seq and (chosen := self.meant.selected()) is not None:
            self._doubt = chosen.answer, text
        self.no_word()
        if name == "change":
            self.screen.see(lambda desk, _: _answer_of(desk, seq), self._correct)

    def _correct(self, n: int | None) -> None:
        """The history, at an answer if it is known which."""
        if n is None:
            self.meant.history()
        else:
            self.app.go("history", n=n)

    def doubted(self, card: Card) -> bool:
        """Whether a card's ruling is disputed now."""
        if self._about is not None and self._about[0] == card.seq:
            return True
        chosen = self.meant.selected()
        return not card.seq and chosen is not None and bool(self.doubt_of(chosen.answer))

    def doubt_of(self, answer: Json) -> str:
        """Why the ruling that an answer brings is disputed already, or nothing."""
        return self._doubt[1] if self._doubt is not None and self._doubt[0] == answer else ""

    def flagged(self, top: TopBar) -> TopBar:
        """The top bar with the mark of a dispute that waits for its answer to be given."""
        if self._doubt is None or any(mark.icon == "flag" for mark in top.marks):
            return top
        mark = Price(text=self.screen.say("top.disputed", count=1), icon="flag", tone="info")
        return msgspec.structs.replace(top, marks=(*top.marks, mark))

    def dispute_last(self) -> None:
        """Decides about the oldest open dispute; where there is none the last ruling is disputed."""
        self._oldest(lambda: self.write("dispute"))

    def _oldest(self, none: Callable[[], object]) -> None:
        """Decides about the oldest open dispute, if there is one."""

        def decide(found: tuple[int, str, str] | None) -> None:
            if found is not None:
                self._decide(*found)
            else:
                none()

        self.screen.see(_oldest_dispute, decide)

    # -- words that are written

    def write(self, what: str) -> None:
        """A line is written: "note" or "dispute"."""
        self._writing = what
        self.screen.open("words")

    def wording(self) -> tuple[str, str]:
        """What is written, and what is on the key that keeps it."""
        return self.screen.say(f"words.{self._writing}"), self.screen.say(f"words.{self._writing}_keep")

    def written(self, text: str) -> None:
        """A line was written."""
        self.screen.uncover()
        self.screen.words.line.line.text = ""
        if self.meant.seat is None:
            return
        self.screen.forget_told()
        if self._writing == "note":
            self.meant.seat.note(text)
        elif self._writing == "dispute":
            self.meant.seat.dispute(text)
            self._oldest(lambda: None)  # there is none if no disk took it


def _oldest_dispute(desk: RaceDesk, words: Words) -> tuple[int, str, str] | None:
    """The oldest open dispute: the entry, the article that was ruled by, and why."""
    for seq, why in desk.open_disputes():
        rulings = next((item.rulings for item in desk.history.items if item.seq == seq), ())
        costly = [ruling for ruling in rulings if costs_something(ruling)]
        article = (costly or [*rulings])[0].article if rulings else ""
        return seq, cited(article, words), why
    return None


def _answer_of(desk: RaceDesk, seq: int) -> int | None:
    """The answer that an entry holds, if it is still in force."""
    return next((n for n, item in enumerate(desk.history.items) if item.seq == seq), None)
