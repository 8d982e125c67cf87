"""The map of a circuit known to the space, in close-up or whole.

It is moved by finger. Its layers are the ground, the board, the marks, the upright cars and texts, and the notes.
"""

from __future__ import annotations

import functools
import math
from typing import Any, Final

from kivy.clock import Clock
from kivy.graphics import (
    Canvas,
    Color,
    InstructionGroup,
    PopMatrix,
    PushMatrix,
    Rectangle,
    Rotate,
    Scale,
    StencilPop,
    StencilPush,
    StencilUnUse,
    StencilUse,
    Translate,
)

from companion.drawing.circuit import CircuitDrawing, drawing_of
from companion.drawing.closing import Point
from companion.drawing.notes import spread
from companion.rules.circuit.track import Track
from companion.screens.board import scenery
from companion.screens.board.car import Sprite, length_at
from companion.screens.board.fingers import Fingered, OnSpace, Pixels
from companion.screens.board.journey import Journey, drives
from companion.screens.board.labels import Notes
from companion.screens.board.marked import (
    CHOICES,
    REACHED,
    UprightText,
    ahead,
    beneath,
    driven_path,
    lettered,
    over,
    shot,
    zones,
)
from companion.screens.kit.pen import Mark
from companion.screens.kit.theme import theme
from companion.view.framing import Frame, frame_of
from companion.view.shown import Plate
from companion.view.shown_board import BoardScene


class BoardStage:
    """A circuit's geometry and its unchanging pictures."""

    def __init__(self, track: Track) -> None:
        self.track = track
        self.drawing: CircuitDrawing = drawing_of(track)
        self._made: dict[bool, scenery.Painted] = {}

    def painted(self, whole: bool) -> scenery.Painted:
        """Return the ribbon of the whole circuit, or the board of a close-up.

        Each is made at its first use.
        """
        if whole not in self._made:
            self._made[whole] = scenery.ribbon(self.drawing) if whole else scenery.board(self.drawing)
        return self._made[whole]

    def recolour(self) -> None:
        """Apply the colours of the current theme."""
        for painted in self._made.values():
            painted.recolour()


class Layers:
    """The layers of a map, clipped to the rectangle given to `fit`.

    `under` and `marked` are in units of the board and follow `look`; `upright` is in pixels of the window; `notes` in
    pixels from the corner given to `notes_at`.
    """

    def __init__(self, canvas: Canvas) -> None:
        self.under, self.marked = InstructionGroup(), InstructionGroup()
        self.upright, self.notes = InstructionGroup(), InstructionGroup()
        self._rectangles = (Rectangle(), Rectangle(), Rectangle())
        self._ground = Color(*theme.rgba("ground"))
        self._middle, self._zoom = Translate(), Scale(1, 1, 1)
        self._turn, self._origin = Rotate(angle=0, axis=(0, 0, 1)), Translate()
        self._notes_at = Translate()
        begin, ground, end = self._rectangles
        board = (self._middle, self._zoom, self._turn, self._origin, self.under, self.marked)
        for instruction in (
            *(StencilPush(), begin, StencilUse(), self._ground, ground),
            *(PushMatrix(), *board, PopMatrix()),
            self.upright,
            *(PushMatrix(), self._notes_at, self.notes, PopMatrix()),
            *(StencilUnUse(), end, StencilPop()),
        ):
            canvas.add(instruction)

    def fit(self, pos: Any, size: Any) -> None:
        """Set the rectangle of the map, in pixels of the window."""
        for rectangle in self._rectangles:
            rectangle.pos, rectangle.size = pos, size

    def recolour(self) -> None:
        """Apply the colours of the current theme."""
        self._ground.rgba = theme.rgba("ground")

    def look(self, frame: Frame, middle: Any, pixels: float) -> None:
        """Show a frame centred on `middle`, a place in the window.

        `pixels` is the length of a space.
        """
        self._middle.xy = middle
        self._zoom.xyz = (pixels, pixels, 1.0)
        self._turn.angle = frame.turn
        self._origin.xy = (-frame.x, -frame.y)

    def notes_at(self, x: float, y: float) -> None:
        """Put the bottom left corner of the notes at a place, in whole pixels."""
        self._notes_at.xy = (round(x), round(y))


MIN_TEXT_SPACE: Final = 10.0
"""Minimum length and width of a drawn space for its text, in dp."""
OVERVIEW_PLATE: Final = 24
PLATES: Final = (24.0, 32.0)
"""Height of a plate where a space is 37 dp long, and where it is 70, in dp."""


class Upright:
    """The cars and texts of a scene, drawn in pixels of the window."""

    def __init__(self, group: InstructionGroup) -> None:
        self._group = group
        self.sprites: list[Sprite] = []
        self._drawn: dict[tuple[object, ...], Sprite] = {}
        """Cars as last drawn, by everything that their drawing depends on."""
        self.signs: list[UprightText] = []
        self.zoom = 0.0
        """Zoom that they are drawn for."""

    def draw(self, stage: BoardStage, scene: BoardScene, frame: Frame) -> None:
        """Draw the cars and the texts on spaces, at the size for a frame."""
        self.zoom = zoom = frame.zoom
        whole, ids = scene.close == "overview", stage.track.ids
        self._group.clear()
        self.sprites, self.signs = [], []
        colours, taken, above = ahead(stage.track, scene), {car.space for car in scene.cars}, list[UprightText]()
        if not whole:
            for mark in lettered(stage.drawing, scene, frame):
                cell, room = stage.drawing.cells[ids[mark.space]], stage.drawing.room(ids[mark.space]) * zoom
                at = cell.middle
                bears = zoom if mark.state in REACHED else room
                if mark.text and mark.state in CHOICES and mark.space in taken:  # the car that may stay is over it
                    above.append(UprightText(mark, (at.x, at.y), room, tag=True))
                elif (mark.text or mark.state == "danger") and bears >= MIN_TEXT_SPACE:
                    below = beneath(cell, frame) if mark.prices else 0.0
                    self.signs.append(UprightText(mark, (at.x, at.y), room, colours.get(mark.space, ""), below=below))
                    self._group.add(self.signs[-1].group)
        share = min(1.0, max(0.0, (zoom - 37) / 33))
        high = OVERVIEW_PLATE if whole else PLATES[0] + share * (PLATES[1] - PLATES[0])
        before, self._drawn = self._drawn, {}
        long = 0.0 if whole else length_at(zoom)
        for car in sorted(scene.cars, key=lambda car: ("out", "spun", "plain", "playing").index(car.state)):
            if car.space in ids:
                by = car.plate, car.state, long, high, float(theme.scale), theme.look
                sprite = self._drawn[by] = before.get(by) or Sprite(car, long, high)
                sprite.mark = car
                self.sprites.append(sprite)
                self._group.add(sprite.canvas)
        for sign in above:
            self.signs.append(sign)
            self._group.add(sign.group)

    def look(self, frame: Frame, middle: Pixels, size: Pixels, whole: bool) -> None:
        """Move everything to its place in a frame, centred on `middle`.

        On a `whole` circuit the plates are kept from overlapping.
        """
        scale = float(theme.scale)
        places = [frame.to_view(sprite.pose.x, sprite.pose.y) for sprite in self.sprites]
        if whole:
            places = spread(places, OVERVIEW_PLATE + 1, size[0] / scale, size[1] / scale)
        cx, cy = middle
        length = length_at(frame.zoom)
        for sprite, (x, y) in zip(self.sprites, places, strict=True):
            sprite.stand(cx + x * scale, cy + y * scale, frame.turn, length)
        for sign in self.signs:
            x, y = frame.to_view(*sign.at)
            sign.stand(cx + x * scale, cy + y * scale)


TARGET: Final = (52.0, 48.0)
"""Minimum size of a choice for the finger, in dp."""


def pointed(stage: BoardStage, scene: BoardScene, frame: Frame, at: Point) -> str:
    """Return the name of the space at a point of the view, or an empty string.

    `at` is in dp from the middle of the view. A space to choose is at least the size of a touch target, even if it is
    drawn smaller.
    """
    track, drawing = stage.track, stage.drawing
    point = frame.to_board(*at)
    choices = [track.ids[m.space] for m in scene.spaces if m.space in track.ids and m.state in CHOICES]
    found = drawing.at(*point, choices)
    if found is None:
        near: list[tuple[float, int]] = []
        for space in choices:
            middle = drawing.cells[space].middle
            vx, vy = frame.to_view(middle.x, middle.y)
            dx, dy = abs(vx - at[0]), abs(vy - at[1])
            if dx <= TARGET[0] / 2 and dy <= TARGET[1] / 2:
                near.append((math.hypot(dx, dy), space))
        found = min(near)[1] if near else drawing.at(*point)
    return track.name_of(found) if found is not None else ""


MAX_ZOOM: Final = 110.0
MIN_ZOOM: Final = 2.0
"""Limits of zooming by fingers, in dp a space."""


@functools.lru_cache(maxsize=4)
def _in_view(frame: Frame, x: float, y: float) -> Point:
    """Convert a point of the board to dp from the middle of the view.

    Cached, since a toast asks for it at every touch.
    """
    return frame.to_view(x, y)


class Map(Fingered):
    """The map of a circuit known to the space.

    `show` takes the track and the scene. `on_space` is called with the name of a tapped space, `on_held` with that of a
    long-pressed one.
    """

    def __init__(self, *, on_space: OnSpace = None, on_held: OnSpace = None, **properties: Any) -> None:
        self.scene = BoardScene()
        self.frame = Frame(0.0, 0.0, 37.0)
        """Current frame."""
        self.target = self.frame
        """Frame at the end of the movement."""
        self.marks: list[Mark] = []
        """Notes as written, in dp from the top left."""
        self.stage: BoardStage | None = None
        self._journey: Journey | None = None
        self._ticking: Any = None
        self._by_hand = False
        self._turned_for: Plate | None = None
        self._painted: list[scenery.Painted] = []
        properties.setdefault("size_hint", (None, None))
        super().__init__(on_space=on_space, on_held=on_held, **properties)
        self._layers = Layers(self.canvas)
        self.upright = Upright(self._layers.upright)
        self._trigger = Clock.create_trigger(self._all_again, -1)
        self.fbind("pos", self._resized)
        self.fbind("size", self._resized)
        theme.bind(on_look=self._new_look)

    # What is shown

    def show(self, track: Track, scene: BoardScene) -> None:
        """Show a scene on a track, unless it is shown already."""
        stage, before = self.stage, self.scene
        fresh = stage is None or track is not stage.track
        if not fresh and scene == before:
            return
        if self._journey is not None:
            self._end_journey()  # its end is not drawn: the new scene is
        if stage is None or fresh:
            stage = self.stage = BoardStage(track)
            self._turned_for = None
        self.scene = scene
        if fresh or (before.close, before.around, before.spaces) != (scene.close, scene.around, scene.spaces):
            self._by_hand = False
        if not self._sized:
            return
        self._trigger.cancel()  # this draws all that has changed
        if not self._by_hand:
            self.target = self._framed(stage)
        still = fresh or theme.still or scene.close == "overview" or before.close == "overview"
        self._draw_scene(stage)
        self._set_out(
            Journey(Clock.get_time(), () if still else drives(stage.drawing, before, scene), self.frame, self.target),
            still,
        )

    @property
    def _sized(self) -> bool:
        return bool(self.width > 20 and self.height > 20)

    def finish(self) -> None:
        """End all movements at once."""
        if self._journey is not None:
            self._arrive()

    @property
    def asked_about(self) -> list[Pixels]:
        """The middles of the car to play and of its target, in pixels of the window.

        They are the positions after all movements.
        """
        if self.stage is None:
            return []
        spaces = {*(car.space for car in self.scene.cars if car.state == "playing"), *self.scene.shot}
        ids, cells = self.stage.track.ids, self.stage.drawing.cells
        middles = [cells[ids[space]].middle for space in sorted(spaces) if space in ids]
        seen = [_in_view(self.target, pose.x, pose.y) for pose in middles]
        return [(self.center_x + x * theme.scale, self.center_y + y * theme.scale) for x, y in seen]

    def _framed(self, stage: BoardStage) -> Frame:
        """Return the frame for the scene.

        While the same car plays, the board keeps its rotation.
        """
        playing = next((car.plate for car in self.scene.cars if car.state == "playing"), None)
        kept = self.target.turn if playing is not None and playing == self._turned_for else None
        self._turned_for = None if self.scene.close == "overview" else playing
        return frame_of(stage.drawing, self.scene, kept, self.width / theme.scale, self.height / theme.scale)

    # Movement

    def _set_out(self, journey: Journey, jump: bool) -> None:
        self._journey = journey
        if jump or journey.over(journey.begin):
            self._arrive()
            return
        self._layers.notes.clear()
        self._tick(0.0)
        if self._ticking is None:
            self._ticking = Clock.schedule_interval(self._tick, 0)

    def _tick(self, _: float) -> None:
        journey, now = self._journey, Clock.get_time()
        if journey is None:
            return
        if journey.over(now):
            self._arrive()
            return
        by_plate = {drive.plate: drive for drive in journey.drives}
        for sprite in self.upright.sprites:
            if sprite.mark.plate in by_plate:
                sprite.pose = by_plate[sprite.mark.plate].at(now - journey.begin)
        self.frame = journey.frame(now)
        self._look()

    def _end_journey(self) -> None:
        """Put everything where the movement leads, without drawing it."""
        self._journey = None
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None
        self.frame = self.target
        if self.stage is not None:
            for sprite in self.upright.sprites:
                sprite.pose = self.stage.drawing.cells[self.stage.track.ids[sprite.mark.space]].middle

    def _arrive(self) -> None:
        if self.stage is not None and self.upright.zoom != self.target.zoom:
            self.upright.draw(self.stage, self.scene, self.target)
        self._end_journey()
        if self.stage is not None:
            self._look()
            self._lay_notes(self.stage)

    # Drawing

    def _resized(self, *_: object) -> None:
        self._layers.fit(self.pos, self.size)
        self._trigger()

    def _new_look(self, *_: object) -> None:
        self._layers.recolour()
        if self.stage is not None:
            self.stage.recolour()
        self._trigger()

    def _all_again(self, *_: object) -> None:
        self._journey = None
        if self.stage is not None and self._sized:
            if not self._by_hand:
                self.target = self._framed(self.stage)
            self._draw_scene(self.stage)
            self._arrive()

    def _draw_scene(self, stage: BoardStage) -> None:
        self._layers.under.clear()
        base = stage.painted(self.scene.close == "overview")
        self._layers.under.add(base.group)
        self._layers.marked.clear()
        self._painted = [base, zones(stage.drawing, self.scene), driven_path(stage.drawing, self.scene)]
        self._painted += [over(stage.drawing, self.scene, self.target.zoom), shot(stage.drawing, self.scene)]
        for painted in self._painted[1:]:
            self._layers.marked.add(painted.group)
        self.upright.draw(stage, self.scene, self.target)

    def _look(self) -> None:
        """Move all layers to the current frame."""
        frame, scale = self.frame, float(theme.scale)
        pixels = frame.zoom * scale
        self._layers.look(frame, self.center, pixels)
        for painted in self._painted:
            painted.near(pixels)
        self.upright.look(frame, self.center, self.size, self.scene.close == "overview")
        x, y = frame.to_view(self.target.x, self.target.y)
        self._layers.notes_at(self.x + x * scale, self.y + y * scale)

    def _lay_notes(self, stage: BoardStage) -> None:
        self._layers.notes.clear()
        self.marks = []
        if self.scene.close != "overview":
            scale = float(theme.scale)
            notes = Notes(self._layers.notes, stage.drawing, self.frame, self.width / scale, self.height / scale)
            notes.lay(self.scene)
            self.marks = notes.marks

    # Touches

    def comes(self) -> bool:
        """End all movements for a new finger; return False while there is no board."""
        if self.stage is None:
            return False
        self.finish()
        return True

    def named(self, at: Pixels) -> str:
        return self.space_at(*at)

    def dragged(self, by: Pixels) -> None:
        """Move the board along with the finger."""
        self._by_hand = True
        self.frame = self._kept_in(self.frame.drag(by[0] / theme.scale, by[1] / theme.scale))
        self._look()

    def pinched(self, times: float, around: Pixels, by: Pixels) -> None:
        """Zoom the board."""
        scale = float(theme.scale)
        self._by_hand = True
        self._layers.notes.clear()
        self.marks = []
        place = (around[0] - self.center_x) / scale, (around[1] - self.center_y) / scale
        frame = self.frame.drag(by[0] / scale, by[1] / scale).nearer(times, *place, MIN_ZOOM, MAX_ZOOM)
        self.frame = self._kept_in(frame)
        self._look()

    def let_go(self) -> None:
        """Redraw everything at its new place and size after a drag or pinch."""
        self.target = self.frame
        self._arrive()

    def _kept_in(self, frame: Frame) -> Frame:
        """Return the frame with its middle limited to the circuit."""
        assert self.stage is not None
        left, bottom, right, top = self.stage.drawing.box
        return Frame(min(max(frame.x, left), right), min(max(frame.y, bottom), top), frame.zoom, frame.turn)

    def space_at(self, x: float, y: float) -> str:
        """Return the name of the space at a place in the window, or an empty string."""
        if self.stage is None:
            return ""
        scale = float(theme.scale)
        at = (x - self.center_x) / scale, (y - self.center_y) / scale
        return pointed(self.stage, self.scene, self.frame, at)
