"""A list with a search line if it is too long for its space."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kivy.core.window import Window

from companion.screens.kit.compose import Composed, Ui
from companion.screens.kit.dock import dock
from companion.screens.kit.keyboard import HIGH as KEYBOARD
from companion.screens.kit.pen import SEMIBOLD
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import BODY, theme
from companion.screens.kit.writing import HIGH as LINE
from companion.screens.kit.writing import Writing
from companion.view.shown import Field

MARGIN: Final = 8.0
HEAD: Final = LINE + 2 * MARGIN


class Finder(Composed):
    """Searchable list of rows, `high` dp each.

    `on_row(row)` is called for a tapped row; `is_found(row, text)` tells whether the row matches.
    """

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
        """Follow the keyboard while on screen; clear the search when removed."""
        if parent is not None:
            dock().fbind("parent", self.look_again)
        else:
            dock().funbind("parent", self.look_again)
            self.search.line.focus = False
            self.search.line.text = ""

    def follow(self, is_selected: Callable[[Any], bool]) -> None:
        """Scroll to the selected row when another one is."""
        self.draw_now()
        self.rows.follow(is_selected)

    def _searched(self, _: str) -> None:
        self.rows.scroll_y = 1.0
        self.draw_now()

    @property
    def _matches(self) -> list[Any]:
        text = self.search.value.strip()
        return [row for row in self.shown or () if not text or self.is_found(row, text)]

    def compose(self, ui: Ui) -> None:
        if self.rows.high * len(self.shown or ()) > self.h:
            label = theme.words.screen("rules.search")
            self.search.show(Field(name="search", label=label, kind="text"))
            self.search.line.hint_text_color = theme.rgba("low")
            ui.place(ui.area.cut_top(HEAD).inset(MARGIN, MARGIN), self.search)
            if dock().parent is not None:  # the list ends where the keyboard begins
                below = (self.to_window(*self.pos)[1] - (Window.height - theme.dp(480)) / 2) / theme.scale
                ui.area.cut_bottom(max(0.0, min(KEYBOARD - below, ui.area.h)))
        self.rows.show(self._matches)
        ui.place(ui.area, self.rows)
        if self.shown and not self.rows.shown:
            ui.pen.icon("search", self.w / 2, HEAD + 60, 40, "low")
            ui.pen.text(theme.words.screen("finder.nothing"), self.w / 2, HEAD + 104, BODY, "mid", SEMIBOLD, "centre",
                        room=self.w - 24)  # fmt: skip
