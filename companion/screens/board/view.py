"""The board of any circuit: a map, a strip of corners or tiles of sections."""

from __future__ import annotations

from typing import Any

from kivy.uix.widget import Widget

from companion.rules.circuit.track import Track
from companion.screens.board.fingers import OnSpace, Pixels
from companion.screens.board.map import Map
from companion.screens.board.sections import SectionBoard
from companion.screens.board.strip import CornerStrip
from companion.view.shown_board import BoardScene


class BoardView(Widget):
    """The board of the race.

    `show` takes the track and the scene. `on_space` is called with the name of a tapped space (a place, on a corner
    sheet), `on_held` with that of a long-pressed one.
    """

    def __init__(self, *, on_space: OnSpace = None, on_held: OnSpace = None, **properties: Any) -> None:
        self.on_space, self.on_held = on_space, on_held
        self.picture: Map | CornerStrip | SectionBoard | None = None
        """Widget that draws the circuit."""
        properties.setdefault("size_hint", (None, None))
        super().__init__(**properties)
        self.fbind("pos", self._fit)
        self.fbind("size", self._fit)

    def show(self, track: Track | None, scene: BoardScene) -> None:
        """Show a scene on a track, unless it is shown already.

        A scene of sections needs no track.
        """
        wanted: type[Map | CornerStrip | SectionBoard] = SectionBoard
        if track is not None and not scene.sections:
            wanted = Map if track.known == "space" else CornerStrip
        if not isinstance(self.picture, wanted):
            self.clear_widgets()
            self.picture = wanted(on_space=self._on_tap, on_held=self._on_hold)
            self.add_widget(self.picture)
            self._fit()
        if isinstance(self.picture, SectionBoard):
            self.picture.show(scene.sections)
        elif isinstance(self.picture, Map) and track is not None:
            self.picture.show(track, scene)
        elif isinstance(self.picture, CornerStrip):
            self.picture.show((track, scene))

    @property
    def asked_about(self) -> list[Pixels]:
        """The middles of the cars that the question is about, in the window."""
        return self.picture.asked_about if self.picture is not None else []

    def _on_tap(self, name: str) -> None:
        if self.on_space is not None:
            self.on_space(name)

    def _on_hold(self, name: str) -> None:
        if self.on_held is not None:
            self.on_held(name)

    def _fit(self, *_: object) -> None:
        if self.picture is not None:
            self.picture.pos, self.picture.size = self.pos, self.size
