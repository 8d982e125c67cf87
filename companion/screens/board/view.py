"""The board on the screen, of any circuit: known to the space it is a map, known to the corner a strip of corners; a
board of sections is tiles."""

from __future__ import annotations

from typing import Any

from kivy.uix.widget import Widget

from companion.rules.circuit.track import Track
from companion.screens.board.fingers import OnSpace, Pixels
from companion.screens.board.map import Map
from companion.screens.board.sections import SectionBoard
from companion.screens.board.strip import Strip
from companion.view.shown_board import BoardScene


class Board(Widget):
    """The board. `show` takes the track and the scene; `on_space` is called with the name of a space (of a place, on a
    corner sheet) that was tapped, `on_held` with that of one that was held."""

    def __init__(self, on_space: OnSpace = None, on_held: OnSpace = None, **properties: Any) -> None:
        self.on_space, self.on_held = on_space, on_held
        self.picture: Map | Strip | SectionBoard | None = None
        """What draws the circuit."""
        properties.setdefault("size_hint", (None, None))
        super().__init__(**properties)
        self.fbind("pos", self._fit)
        self.fbind("size", self._fit)

    def show(self, track: Track | None, scene: BoardScene) -> None:
        """Shows a scene on a track, or one that says all of its sections itself; the same again changes nothing."""
        wanted: type[Map | Strip | SectionBoard] = SectionBoard
        if track is not None and not scene.sections:
            wanted = Map if track.known == "space" else Strip
        if not isinstance(self.picture, wanted):
            self.clear_widgets()
            self.picture = wanted(on_space=self._tapped, on_held=self._held)
            self.add_widget(self.picture)
            self._fit()
        if isinstance(self.picture, SectionBoard):
            self.picture.show(scene.sections)
        elif isinstance(self.picture, Map) and track is not None:
            self.picture.show(track, scene)
        elif isinstance(self.picture, Strip):
            self.picture.show((track, scene))

    @property
    def moving(self) -> bool:
        """Whether a car or the frame is on its way."""
        return isinstance(self.picture, Map) and self.picture.moving

    def finish(self) -> None:
        """Brings everything that moves to its end."""
        if isinstance(self.picture, Map):
            self.picture.finish()

    @property
    def asked_about(self) -> list[Pixels]:
        """The middles of the cars that the question is about, in the window."""
        return self.picture.asked_about if self.picture is not None else []

    def recentre(self) -> None:
        """Goes back to what the scene is about, after the board was dragged away."""
        if isinstance(self.picture, Map):
            self.picture.recentre()

    def draw_now(self) -> None:
        """Draws the board at once, at the end of every movement."""
        if self.picture is not None:
            self.picture.draw_now()

    def _tapped(self, name: str) -> None:
        if self.on_space is not None:
            self.on_space(name)

    def _held(self, name: str) -> None:
        if self.on_held is not None:
            self.on_held(name)

    def _fit(self, *_: object) -> None:
        if self.picture is not None:
            self.picture.pos, self.picture.size = self.pos, self.size
