"""The band for a reason: why to override, or how to settle a dispute."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from companion.screens.app.signing import Signing
from companion.screens.kit import plate
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import Face, Look
from companion.screens.kit.motion import SLIDE, arrive
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import CAPTION, QUESTION, TONES, VALUE, theme
from companion.screens.kit.writing import Writing
from companion.sheets.entrants import LETTERS
from companion.view.pages.override import Why
from companion.view.shown import Field

HIGH: Final = 160
OTHER: Final = "other"
"""Reason that is written."""


class AskBand(Composed):
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
        self.writing = Writing(on_done=self._written, needed=True)
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

    def compose(self, ui: Ui) -> None:
        shown: Why | None = self.shown
        ui.fill(ui.area, "bg2")
        if shown is None:
            return
        self._draw_question(ui.pen, shown)
        keys = ui.area
        keys.cut_top(60)
        keys.cut_bottom(12)
        keys.cut_left(20)
        keys.cut_right(12)
        cancel = Face(label=shown.cancel, note=shown.keep, icon="cross", look="quiet")
        ui.button(keys.cut_left(92), "cancel", cancel, self._cancel)
        keys.cut_left(14)
        if self.writes:
            self._write_in(ui, keys)
            return
        for key, option in zip(keys.columns(len(shown.keys)), shown.keys, strict=True):
            look: Look = "option" if isinstance(option.answer, bool) else "answer"  # a switch among the answers
            face = Face(label=option.label, note=option.note, size=VALUE, look=look)
            ui.button(key, ("reason", option.answer), face, partial(self._chosen, option.answer))

    def _write_in(self, ui: Ui, area: Area) -> None:
        """Place the line to write, and the key that closes it."""
        say = theme.words.screen
        done = Face(label=say("keys.done"), size=VALUE)
        ui.button(area.cut_right(136), "done", done, lambda: self._written(self.writing.value))
        area.cut_right(12)
        area.cut_top(8)
        about, most = ("note", 120) if self.reason is None else ("referee", LETTERS)
        line = ui.place(area, self.writing)
        line.show(Field(name=about, label=say(f"override.{about}"), kind="text", value="", high=most))

    @staticmethod
    def _draw_question(pen: Pen, shown: Why) -> None:
        """Draw the question, and beside it what the answer would replace."""
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
