"""What a screen of a record asks beside an act: a reason, of which the last one is typed, or a word to write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import msgspec

from companion.screens.widgets.foot import BAND, KEYS, ask
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import Pen
from companion.screens.widgets.theme import BODY, SMALL, theme
from companion.screens.widgets.writing import Writing
from companion.view.shown import Field, Shown

LINE: Final = 92.0
TOLD: Final = 56.0
KEY: Final = 112.0
OTHER: Final = "other"
"""The reason that is typed."""


class Asked(Shown, frozen=True, kw_only=True):
    """What is asked; `reasons` are those that are offered, by their texts in a table (`of`), and none for a word.
    `instead` is a key before them for something else that may be meant; `told` is what there is to know first."""

    title: str
    note: str = ""
    of: str = ""
    reasons: tuple[str, ...] = ()
    instead: str = ""
    told: str = ""
    line: Field | None = None
    """What is written, once it is."""


class Asking(Pane):
    """Shows an `Asked` at the foot of a screen, nothing while nothing is asked; `again()` has the screen laid out
    anew."""

    def __init__(self, again: Callable[[], object], **properties: Any) -> None:
        super().__init__(**properties)
        self.again = again
        self.line = Writing(on_done=self._written, capitals="first")
        self.keys: dict[str, Key] = {}
        self._then: Callable[[str], object] = lambda _: None
        self._instead: Callable[[], object] = lambda: None

    @property
    def high(self) -> float:
        """How high it stands over the foot of the screen."""
        asked: Asked | None = self.shown
        if asked is None:
            return BAND
        return BAND + (LINE if asked.line is not None else 0.0) + (TOLD if asked.told else 0.0)

    def why(
        self,
        title: str,
        of: str,
        reasons: Sequence[str],
        then: Callable[[str], object],
        told: str = "",
        instead: tuple[str, Callable[[], object]] = ("", lambda: None),
    ) -> None:
        """Asks for a reason; `then(what was said)`, or `instead`, which is called by its text in the same table."""
        self._then, (other, self._instead) = then, instead
        note = theme.words.screen("asking.why")
        self.show(Asked(title=title, note=note, of=of, reasons=(*reasons, OTHER), instead=other, told=told))
        self.again()

    def word(self, title: str, label: str, then: Callable[[str], object], value: str = "", most: int = 30) -> None:
        """Has a word written; `then(what was written)`, which may be nothing."""
        self._then = then
        self._write(Asked(title=title, note=theme.words.screen("asking.word")), label, value, most)

    def close(self) -> bool:
        """Asks no longer; False if nothing was asked."""
        was, self.shown = self.shown is not None, None
        self.line.line.focus = False
        return was

    def _write(self, asked: Asked, label: str, value: str, most: int) -> None:
        line = Field(name=f"{asked.title} {label}", label=label, kind="text", value=value, high=most)
        self.show(msgspec.structs.replace(asked, line=line))
        self.line.show(line)
        self.line.line.text = value
        self.again()
        self.draw_now()
        self.line.line.focus = True

    def _because(self, why: str) -> None:
        if self.shown is None:
            return  # another finger has answered already
        if why == self.shown.instead:
            instead = self._instead
            self.close()
            instead()
        elif why == OTHER:
            self._write(self.shown, theme.words.screen("entrants.reason_line"), "", 60)
        else:
            self._said(theme.words.screen(f"{self.shown.of}.{why}"))

    def _written(self, text: str) -> None:
        if self.shown is None:
            return
        said = " ".join(text.split())
        if said or not self.shown.reasons:
            self._said(said)

    def _said(self, said: str) -> None:
        then = self._then
        self.close()
        self.again()
        then(said)

    def arrange(self) -> None:
        asked: Asked | None = self.shown
        if asked is None:
            return
        seen: list[Any] = []
        if asked.line is not None:
            self.put(self.line, 20, self.h - BAND - LINE + 8, self.w - 40, 76)
            seen.append(self.line)
        offered = self._offered(asked)
        for why in offered:
            key = self.keys.setdefault(why, Key())
            key.on_tap = partial(self._because, why)
            label = theme.words.screen(f"{asked.of}.{why}")
            key.show(Face(label=label, look="option" if why in (OTHER, asked.instead) else "answer", size=BODY))
            seen.append(key)
        keys, wide = [self.keys[why] for why in offered], len(offered) * KEY - 8
        self.put_rows(keys, self.w - 12 - wide, self.h - BAND + 8, wide, KEYS)
        self.only(seen, of=[*self.children])

    def paint(self, pen: Pen) -> None:
        asked: Asked | None = self.shown
        if asked is None:
            return
        pen.band()
        ask(pen, asked.title, asked.note, 20, pen.w - 40 - len(self._offered(asked)) * KEY)
        if asked.told:
            pen.paragraph(asked.told, 20, 20, SMALL, pen.w - 40)

    @staticmethod
    def _offered(asked: Asked) -> tuple[str, ...]:
        """The keys from left to right."""
        return (asked.instead, *asked.reasons) if asked.instead else asked.reasons
