"""A list with a line to search it by, where it is longer than there is room for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kivy.core.window import Window

from companion.screens.widgets.dock import dock
from companion.screens.widgets.keyboard import HIGH as KEYBOARD
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.theme import BODY, theme
from companion.screens.widgets.writing import HIGH as LINE
from companion.screens.widgets.writing import Writing
from companion.view.shown import Field

MARGIN: Final = 8.0
HEAD: Final = LINE + 2 * MARGIN


class Finder(Pane):
    """Shows a tuple of rows, `high` each. `on_row(row)` is called for one that was touched, `is_found(row, text)` says
    whether what is searched for is in it."""

    def __init__(
        self,
        view: type[RowView],
        on_row: Callable[[Any], object],
        is_found: Callable[[Any, str], bool],
        high: float,
        **properties: Any,
    ) -> None:
        super().__init__(**properties)
        self.is_found = is_found
        self.rows = Rows(view, lambda place: on_row(self.rows.shown[place]), high=high)
        self.search = Writing(on_change=self._searched, capitals="none")

    def on_parent(self, _: object, parent: object) -> None:
        """Follow the keyboard while it is there; a line that is no longer seen is not searched by."""
        if parent is not None:
            dock().fbind("parent", self.look_again)
        else:
            dock().funbind("parent", self.look_again)
            self.search.line.focus = False
            self.search.line.text = ""

    def reveal(self, is_it: Callable[[Any], bool]) -> None:
        """Scroll so that a row is seen, if it is there."""
        if (place := next((at for at, row in enumerate(self.rows.shown) if is_it(row)), None)) is not None:
            self.rows.reveal(place)

    def _searched(self, _: str) -> None:
        self.rows.scroll_y = 1.0
        self.draw_now()

    @property
    def _found(self) -> list[Any]:
        text = self.search.value.strip()
        return [row for row in self.shown or () if not text or self.is_found(row, text)]

    def arrange(self) -> None:
        top, foot = 0.0, self.h
        if self.rows.high * len(self.shown or ()) > self.h:
            label = theme.words.screen("rules.search")
            self.search.show(Field(name="search", label=label, kind="text"))
            self.search.line.hint_text_color = theme.rgba("low")
            self.put(self.search, MARGIN, MARGIN, self.w - 2 * MARGIN, LINE)
            top = HEAD
            if dock().parent is not None:  # the list ends where the keyboard begins
                below = (self.to_window(*self.pos)[1] - (Window.height - theme.dp(480)) / 2) / theme.scale
                foot -= max(0.0, min(KEYBOARD - below, foot - top))
        else:
            self.remove_widget(self.search)
        self.rows.show(self._found)
        self.put(self.rows, 0, top, self.w, foot - top)

    def paint(self, pen: Pen) -> None:
        if self.shown and not self.rows.shown:
            pen.icon("search", pen.w / 2, HEAD + 60, 40, "low")
            pen.text(theme.words.screen("finder.nothing"), pen.w / 2, HEAD + 104, BODY, "mid", SEMIBOLD, "centre",
                     room=pen.w - 24)  # fmt: skip
