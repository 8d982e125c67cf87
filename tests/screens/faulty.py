"""Screens that fail, each in its own way, and one that grows."""

from __future__ import annotations

from typing import Any

from companion.rules.conversation.errors import BadAnswer
from companion.screens.app.screen import Screen
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import Face, Key
from companion.screens.kit.pen import Pen


class FaultyScreen(Screen):
    """Fails when its key is tapped; `given["made"]` counts how often it was made."""

    def __init__(self, app: Any, given: dict[str, Any]) -> None:
        super().__init__(app, given)
        given["made"] = given.get("made", 0) + 1
        self.key = Key(Face(label="Fail"), on_tap=self.fail)
        self.refused = Key(Face(label="Refuse"), on_tap=self.refuse)

    def arrange(self) -> None:
        self.put(self.key, 100, 100, 200, 88)
        self.put(self.refused, 400, 100, 200, 88)

    def fail(self) -> None:
        raise ZeroDivisionError("a screen divides by nothing")

    def refuse(self) -> None:
        raise BadAnswer("face", gear=5, low=11, high=20, face=9)


class GrowingScreen(Composed, Screen):
    """Has another key, at the place `given["at"]`, once its own is tapped."""

    grown = False

    def compose(self, ui: Ui) -> None:
        ui.button(Area(100, 100, 200, 88), "more", "More", self.grow)
        if self.grown:
            ui.button(Area(*self.given["at"]), "late", "Late", print)

    def grow(self) -> None:
        self.grown = True
        self.look_again()


class FullScreen(Composed, Screen):
    """Has keys everywhere, but for a column 290 wide at the right that is 200 high."""

    def compose(self, ui: Ui) -> None:
        foot = ui.area.cut_bottom(100)
        column = ui.area.cut_right(290)
        column.cut_bottom(200)
        for name, area in {"left": ui.area, "top": column, "foot": foot}.items():
            ui.button(area, name, name.capitalize(), print)


class UnmadeScreen(Screen):
    """Cannot be made."""

    def paint(self, pen: Pen) -> None:
        raise KeyError("a word is missing")
