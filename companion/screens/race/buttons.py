"""What a button beside the race screen means: another answer is selected, it is applied, taken back or skipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.screens.race.meant import Meant
    from companion.screens.race.race import RaceScreen


class Buttons:
    """Moves the selection among the answers, and hands what a button means on."""

    def __init__(self, screen: RaceScreen, meant: Meant) -> None:
        self.screen, self.app, self.meant = screen, screen.app, meant
        self.at = -1
        """The place of the answer that is selected."""

    def press(self, name: str) -> None:
        """A button was pressed or held."""
        if self.screen.now is None or self.screen.cover:
            if name == "undo":
                self.app.back()
            return
        if self.screen.word is not None and name in ("confirm", "override", "next"):
            return  # a reason, or what becomes of a dispute, is tapped: the question beneath is not meant
        if name in ("up", "down", "first", "last"):
            self._move(name)
        elif name == "confirm":
            self._confirm()
        elif name == "override":
            if (key := self.meant.selected()) is not None:
                self.meant.said.why(key)
        elif name == "undo":
            self.meant.said.no_word() if self.screen.word is not None else self.meant.undo()
        elif name == "history":
            self.meant.history()
        elif name == "next":
            self._skip()
        elif name == "pause":
            self.screen.shot.toggle()

    def _move(self, name: str) -> None:
        """Moves the selection among the answers that are allowed."""
        keys, _ = self.meant.offered()
        allowed = [at for at, key in enumerate(keys) if not key.why]
        if not allowed or self.screen.word is not None:
            return
        after = [at for at in allowed if at > self.at] or allowed[-1:]
        before = [at for at in allowed if at < self.at] or allowed[:1]
        self.at = {"up": after[0], "down": before[-1], "first": allowed[0], "last": allowed[-1]}[name]
        self.screen.band.select(self.at)
        if self.meant.seat is not None:
            self.meant.seat.select(keys[self.at].answer)

    def _confirm(self) -> None:
        """Applies the selected answer; before its ruling is there nothing is accepted."""
        key = self.meant.selected()
        if key is not None and (not key.accept or self.screen.shown_card is not None):
            self.meant.apply(key)
        elif key is None:
            self.screen.close_card()

    def _skip(self) -> None:
        """Answers an optional question with nothing."""
        key = next((key for key in self.meant.shown.prompt.keys if key.answer is None and not key.why), None)
        key = key or next((key for key in self.meant.shown.prompt.keys if key.answer == {}), None)
        if key is not None:
            self.meant.apply(key)
