"""The band for a reason: why to override, or how to settle a dispute."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from companion.screens.app.signing import Signing
from companion.screens.kit import plate
from companion.screens.kit.key import Face, Key, Look
from companion.screens.kit.motion import SLIDE, arrive
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import CAPTION, QUESTION, TONES, VALUE, theme
from companion.screens.kit.writing import Writing
from companion.sheets.entrants import LETTERS
from companion.view.pages.override import Why
from companion.view.shown import Field

HIGH: Final = 160
OTHER: Final = "other"
"""Reason that is written."""


class AskBand(Pane):
    """A band that shows a `Why`.

    `on_reason(name, text)` gets the chosen key and the words for the log; the key "other" first asks for the reason in
    writing. A referee who has not signed yet is first asked for a name, kept in `signing`. `on_cancel()` changes
    nothing.
    """

    def __init__(
        self,
        *,
        on_reason: Callable[[str, str], object],
        on_cancel: Callable[[], object],
        signing: Callable[[], Signing],
        **properties: Any,
    ) -> None:
        super().__init__(**properties)
        self.on_reason, self.on_cancel, self.signing = on_reason, on_cancel, signing
        self.reason: tuple[str, str] | None = None
        self.cancel = Key(on_tap=self._cancel)
        self.keys: list[Key] = []
        self.writing = Writing(on_done=self._written, needed=True)
        self.done = Key(on_tap=lambda: self._written(self.writing.value))
        self.writes = False

    def show(self, shown: Why) -> None:
        """Show a question; discard anything written for a different one."""
        if shown != self.shown:
            self._forget()
        super().show(shown)

    def _forget(self) -> None:
        self.writes, self.reason = False, None
        self.writing.line.text = ""

    def on_parent(self, _: Any, parent: Any) -> None:
        """Slide up when added to the screen, and stop editing when removed."""
        if parent is not None:
            arrive(self, below=SLIDE)
        elif self.writes:
            self.writing.line.focus = False

    def _cancel(self) -> None:
        if self.writes:
            self._forget()
            self.look_again()
        else:
            self.on_cancel()

    def _chosen(self, name: str) -> None:
        if name == OTHER:
            self._write("")
        else:
            self._reasoned(name, next(key.label for key in self.shown.keys if key.answer == name))

    def _write(self, text: str) -> None:
        self.writes = True
        self.draw_now()
        self.writing.line.text = text
        self.writing.line.focus = True

    def _written(self, text: str) -> None:
        if not text.strip():
            return
        self.writing.line.focus = False
        if self.reason is None:
            self._reasoned(OTHER, text.strip())
        else:
            self.signing().sign(text)
            self._reasoned(*self.reason)

    def _reasoned(self, name: str, text: str) -> None:
        if self.shown.signed and not self.signing().name:
            self.reason = name, text
            self._write(self.signing().usual)
        else:
            self._forget()
            self.on_reason(name, text)

    def arrange(self) -> None:
        shown: Why | None = self.shown
        if shown is None:
            return
        self.cancel.show(Face(label=shown.cancel, note=shown.keep, icon="cross", look="quiet"))
        self.put(self.cancel, 20, 60, 92, 88)
        options = () if self.writes else shown.keys
        self.as_many(self.keys, len(options), Key)
        for key, option in zip(self.keys, options, strict=True):
            key.on_tap = partial(self._chosen, option.answer)
            look: Look = "option" if isinstance(option.answer, bool) else "answer"  # a switch among the answers
            key.show(Face(label=option.label, note=option.note, size=VALUE, look=look))
        self.put_rows(self.keys, 126, 60, self.w - 138, 88)
        if self.writes:
            say = theme.words.screen
            about, most = ("note", 120) if self.reason is None else ("referee", LETTERS)
            self.writing.show(Field(name=about, label=say(f"override.{about}"), kind="text", value="", high=most))
            self.put(self.writing, 126, 68, self.w - 126 - 160, 80)
            self.done.show(Face(label=say("keys.done"), size=VALUE))
            self.put(self.done, self.w - 148, 60, 136, 88)
        else:
            self.remove_widget(self.writing)
            self.remove_widget(self.done)

    def paint(self, pen: Pen) -> None:
        shown: Why | None = self.shown
        pen.fill(0, 0, pen.w, pen.h, "bg2")
        if shown is None:
            return
        token = TONES[shown.tone]
        pen.fill(0, 0, pen.w, 3, token)
        plate.at_head(pen, shown.plate, 47, 32)
        left = 80.0 if shown.plate is not None else 20.0
        asked = pen.width(shown.ask, QUESTION, BOLD)
        room = pen.w - left - 24
        beside = pen.width(shown.instead, CAPTION) + 26
        asked = pen.text(shown.ask, left, 32, QUESTION, "hi", BOLD, room=max(room * 0.62, room - beside - 16), cut=True)
        right = pen.w - 14
        beside = min(beside, right - left - asked - 16)
        if beside > 60:
            pen.icon("triangle", right - beside + 9, 31, 18, token)
            pen.text(shown.instead, right - beside + 24, 32, CAPTION, token, SEMIBOLD, room=beside - 24, cut=True)
