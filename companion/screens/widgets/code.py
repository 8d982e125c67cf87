"""A race as a code for a phone, over all that it covers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from kivy.graphics.texture import Texture

from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, MEDIUM, SEMIBOLD, Pen
from companion.screens.widgets.theme import BODY, CAPTION, SMALL, TITLE, theme

MARGIN: Final = 4
"""How many squares stay light around a code: readers ask for that."""
AROUND: Final = 8.0
LINE: Final = 17.0
KEY: Final = 56.0


class CodeView(Pane):
    """Shows a `Code` with its text beside it; `on_close()`. Nothing beneath is touched."""

    def __init__(self, on_close: Callable[[], object], **properties: Any) -> None:
        super().__init__(**properties)
        self.close = Key(on_tap=on_close)

    def on_touch_down(self, touch: Any) -> bool:
        super().on_touch_down(touch)
        return True

    @property
    def _left(self) -> float:
        """Where the words begin."""
        return self.h + AROUND + 8

    def arrange(self) -> None:
        self.close.show(Face(label=theme.say("close"), look="option", size=BODY))
        self.put(self.close, self._left, self.h - AROUND - KEY, self.w - self._left - AROUND, KEY)

    def paint(self, pen: Pen) -> None:
        if self.shown is None:
            return
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        side = pen.h - 2 * AROUND
        pen.fill(AROUND, AROUND, side, side, "#FFFFFF")  # readers want dark on light, by night as well
        rows = self.shown.rows
        pixels = int(side * pen.scale) // (len(rows) + 2 * MARGIN)
        pen.picture(_squares(rows, pixels), AROUND + side / 2, AROUND + side / 2, "#000000")
        left, room = self._left, pen.w - self._left - AROUND
        pen.text(theme.words.screen("sheet.scan"), left, AROUND + 16, TITLE, "hi", BOLD, room=room)
        note = theme.words.screen("sheet.scan_note")
        y = pen.paragraph(note, left, AROUND + 46, SMALL, room, "mid", SEMIBOLD) + 8
        lines = self.shown.text.splitlines()
        most = int((pen.h - AROUND - KEY - 8 - y) / LINE)
        for line in lines if len(lines) <= most else [*lines[: most - 2], "…", lines[-1]]:
            pen.text(line, left, y, CAPTION, "hi", MEDIUM, room=room, cut=True)
            y += LINE


def _squares(rows: Sequence[Sequence[bool]], pixels: int) -> Texture:
    """The dark squares of a code, each so many pixels wide, on nothing."""
    made = Texture.create(size=(len(rows) * pixels, len(rows) * pixels), colorfmt="rgba")
    ink = b"".join(b"".join((b"\xff" if dark else b"\0") * 4 * pixels for dark in row) * pixels for row in rows)
    made.blit_buffer(ink, colorfmt="rgba", bufferfmt="ubyte")
    made.flip_vertical()
    return made
