"""Screens that fail, each in its own way."""

from __future__ import annotations

from typing import Any

from companion.rules.conversation.errors import BadAnswer
from companion.screens.app.screen import Screen
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


class UnmadeScreen(Screen):
    """Cannot be made."""

    def paint(self, pen: Pen) -> None:
        raise KeyError("a word is missing")
