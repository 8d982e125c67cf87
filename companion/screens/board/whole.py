"""A board that is seen whole, with places that can be tapped and held."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.screens.board.fingers import Fingered, Pixels
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.theme import theme
from companion.screens.widgets.touch import ears


class Whole(Fingered, Pane):
    """Such a board; a subclass draws it and says what is where. `on_space` is called with the place that was tapped,
    `on_held` with one that was held."""

    is_picture = True

    def __init__(
        self,
        on_space: Callable[[str], object] | None = None,
        on_held: Callable[[str], object] | None = None,
        **properties: Any,
    ) -> None:
        self.on_space, self.on_held = on_space, on_held
        super().__init__(**properties)

    def space_at(self, x: float, y: float) -> str:
        """The place at a point, in dp from the top left; empty where there is none."""
        raise NotImplementedError

    def tapped(self, at: Pixels) -> None:
        """A finger tapped: the place there is told."""
        self._tell(self.on_space, at)

    def held(self, at: Pixels) -> None:
        """A finger was held: the place there is told."""
        self._tell(self.on_held, at)

    def dragged(self, by: Pixels) -> None:
        """It is seen whole, so there is nothing to drag."""

    def pinched(self, times: float, around: Pixels, by: Pixels) -> None:
        """Nor anything to bring nearer."""

    def let_go(self) -> None:
        """Nothing was moved."""

    def _tell(self, whom: Callable[[str], object] | None, at: Pixels) -> None:
        scale = float(theme.scale)
        name = self.space_at((at[0] - self.x) / scale, (self.top - at[1]) / scale)
        if name and whom is not None and ears.open:
            whom(name)
