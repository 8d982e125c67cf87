"""The board on the screen: a close-up or the whole circuit, moved by finger, with cars, spaces in reach and notes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from kivy.clock import Clock
from kivy.graphics import (
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
from kivy.uix.widget import Widget

from companion.rules.track import Track
from companion.screens.board import scenery
from companion.screens.board.car import Sprite, length_at
from companion.screens.board.drawing import Drawing, Point, drawing_of
from companion.screens.board.framing import Frame, around, close_up
from companion.screens.board.marked import Notes, Sign, over
from companion.screens.board.notes import spread
from companion.screens.board.road import Pose
from companion.screens.pen import Mark
from companion.screens.theme import HOLD, theme
from companion.screens.touch import ears
from companion.screens.view.shown import BoardScene, CarMark

REFRAME: Final = 0.35
"""Seconds of a change of frame."""
A_SPACE: Final = 0.035
"""Seconds that a car takes for a space."""
A_MOVE: Final = 0.6
"""Seconds that a car takes at most."""
DRAG: Final = 10
"""How far a finger goes, in dp, before it drags the board rather than taps it."""
TARGET: Final = (52.0, 48.0)
"""The least that a choice gives the finger, in dp."""
NEAREST: Final = 110.0
FURTHEST: Final = 2.0
"""How near and how far the fingers can bring the board, in dp a space."""
OVERVIEW_PLATE: Final = 24


class Board(Widget):
    """A circuit known to the space. `show` takes the track and the scene; `on_space` is called with the name of a space
    that was tapped, `on_held` with that of one that was held."""

    def __init__(
        self,
        on_space: Callable[[str], object] | None = None,
        on_held: Callable[[str], object] | None = None,
        **properties: Any,
    ) -> None:
        self.on_space, self.on_held = on_space, on_held
        self.track: Track | None = None
        self.scene = BoardScene()
        self.frame = Frame(0.0, 0.0, 37.0)
        """What is looked at now."""
        self.marks: list[Mark] = []
        """The notes as written, in dp from the top left."""
        self._target = self.frame
        self._from = self.frame
        self._began = -1.0
        self._turned_for: object = None
        self._moving: list[tuple[Sprite, list[Pose], float]] = []
        self._move_began = -1.0
        self._ticking: Any = None
        self._touches: list[Any] = []
        self._dragged = False
        self._hold: Any = None
        self._sprites: list[Sprite] = []
        self._signs: list[Sign] = []
        self._drawing: Drawing | None = None
        self._scenes: tuple[scenery.Painted, scenery.Painted] | None = None
        self._over: scenery.Painted | None = None
        properties.setdefault("size_hint", (None, None))
        super().__init__(**properties)
        self._make_canvas()
        self._trigger = Clock.create_trigger(self._all_again, -1)
        self.fbind("pos", self._resized)
        self.fbind("size", self._resized)
        theme.fbind("on_look", self._new_look)

    def _make_canvas(self) -> None:
        canvas = self.canvas
        self._clips = (Rectangle(), Rectangle())
        self._ground, self._ground_colour = Rectangle(), Color(*theme.rgba("ground"))
        self._middle, self._zoom = Translate(), Scale(1, 1, 1)
        self._turn, self._origin = Rotate(angle=0, axis=(0, 0, 1)), Translate()
        self._under, self._marked = InstructionGroup(), InstructionGroup()
        self._upright, self._notes = InstructionGroup(), InstructionGroup()
        self._notes_at = Translate()
        for instruction in (
            StencilPush(),
            self._clips[0],
            StencilUse(),
            self._ground_colour,
            self._ground,
            PushMatrix(),
            self._middle,
            self._zoom,
            self._turn,
            self._origin,
            self._under,
            self._marked,
            PopMatrix(),
            self._upright,
            PushMatrix(),
            self._notes_at,
            self._notes,
            PopMatrix(),
            StencilUnUse(),
            self._clips[1],
            StencilPop(),
        ):
            canvas.add(instruction)

    # What is shown

    def show(self, track: Track, scene: BoardScene) -> None:
        """Shows a scene on a track; the same again changes nothing."""
        if track is self.track and scene == self.scene:
            return
        self.finish()
        before, fresh = self.scene, track is not self.track
        if fresh:
            self.track, self._drawing = track, drawing_of(track)
            self._scenes = None
            self._turned_for = None
        self.scene = scene
        if not self._sized:
            return
        self._draw_scene()
        if fresh or before.close != scene.close or before.around != scene.around or before.spaces != scene.spaces:
            self._dragged = False
        target = self.frame if self._dragged else self._framed()
        moves = [] if fresh else self._moves(before)
        jump = fresh or theme.still or scene.close == "overview" != before.close
        if moves and not jump:
            self._start_moves(moves)
        self._go_to(target, jump)

    @property
    def _sized(self) -> bool:
        return self._drawing is not None and self.width > 20 and self.height > 20

    @property
    def moving(self) -> bool:
        """Whether a car or the frame is on its way."""
        return self._ticking is not None

    @property
    def target(self) -> Frame:
        """The frame that the board is on its way to, or has."""
        return self._target

    def finish(self) -> None:
        """Brings everything that moves to its end."""
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None
            self._place_cars()
            self._moving = []
            self._arrive()

    def recentre(self) -> None:
        """Goes back to what the scene is about, after the board was dragged away."""
        self._dragged = False
        if self._sized:
            self._go_to(self._framed(), theme.still)

    def _id(self, name: str) -> int:
        return self.track.ids.get(name, -1) if self.track is not None else -1

    # Frames

    def _framed(self) -> Frame:
        """The frame that the scene asks for."""
        drawing, scene = self._drawing, self.scene
        assert drawing is not None
        assert self.track is not None
        wide, high = self.width / theme.scale, self.height / theme.scale
        if scene.close == "overview":
            left, bottom, right, top = drawing.box()
            self._turned_for = None
            return around([(left, bottom), (right, top)], 0.0, wide, high, 20.0, 40.0)
        here = self._id(scene.around)
        if here < 0:
            here = next((self._id(car.space) for car in scene.cars if self._id(car.space) >= 0), 0)
        cell = drawing.cells[here]
        playing = next((car.plate for car in scene.cars if car.state == "playing"), None)
        kept = self._target.turn if playing is not None and playing == self._turned_for else None
        marked = [p for m in scene.spaces if self._id(m.space) >= 0 for p in drawing.cells[self._id(m.space)].outline]
        car = list(cell.outline)
        wanted: list[list[Point]] = [marked, car] if marked else [car]
        exit_of = self._next_exit(drawing, here)
        if exit_of and scene.close == "roll":
            wanted.append(exit_of)
        if not marked:
            wanted.append([(drawing.pose(cell.along + 9, 0).x, drawing.pose(cell.along + 9, 0).y)])
        self._turned_for = playing
        return close_up(scene.close, wanted, cell.middle.angle, kept, wide, high)

    def _next_exit(self, drawing: Drawing, space: int) -> list[Point]:
        """The exit line of the corner that a car is in or comes to next."""
        assert self.track is not None
        along = drawing.cells[space].along
        exits = [(drawing.exits[k] - along) % drawing.lap for k in range(len(drawing.exits))]
        if not exits:
            return []
        nearest = min(range(len(exits)), key=exits.__getitem__)
        return list(drawing.lines.exits[nearest]) if exits[nearest] < 50 else []

    def _go_to(self, frame: Frame, jump: bool) -> None:
        self._target, self._from = frame, self.frame
        if (jump or frame == self.frame) and not self._moving:
            self._arrive()
            return
        self._notes.clear()
        self._began = -1.0 if self._moving else Clock.get_time()
        if self._ticking is None:
            self._ticking = Clock.schedule_interval(self._tick, 0)

    def _tick(self, _: float) -> None:
        now = Clock.get_time()
        if self._moving:
            gone = now - self._move_began
            for sprite, poses, seconds in self._moving:
                at = min(1.0, gone / seconds) * (len(poses) - 1)
                sprite.pose = _between(poses, at)
            if gone < max(seconds for _, _, seconds in self._moving):
                self._stand()
                return
            self._place_cars()
            self._moving = []
            self._began = now
        share = min(1.0, (now - self._began) / REFRAME)
        if share >= 1.0 or self._target == self._from:
            if self._ticking is not None:
                self._ticking.cancel()
            self._ticking = None
            self._arrive()
            return
        self.frame = self._from.toward(self._target, share)
        self._look()

    def _arrive(self) -> None:
        self.frame = self._target
        if self.scene.close != "overview":
            self._draw_cars()
        self._look()
        self._lay_notes()

    # Drawing

    def _resized(self, *_: object) -> None:
        for clip in (*self._clips, self._ground):
            clip.pos, clip.size = self.pos, self.size
        self._trigger()

    def _new_look(self, *_: object) -> None:
        self._ground_colour.rgba = theme.rgba("ground")
        for painted in self._scenes or ():
            painted.recolour()
        self._trigger()

    def _all_again(self, *_: object) -> None:
        if self._sized:
            self.finish()
            self._draw_scene()
            self._go_to(self.frame if self._dragged else self._framed(), True)

    def draw_now(self) -> None:
        """Draws the board at once, at its end of every movement."""
        self.finish()
        self._trigger.cancel()
        self._all_again()

    def _draw_scene(self) -> None:
        drawing = self._drawing
        assert drawing is not None
        assert self.track is not None
        if self._scenes is None:
            self._scenes = scenery.board(drawing), scenery.ribbon(drawing)
        whole = self.scene.close == "overview"
        self._under.clear()
        self._under.add(self._scenes[whole].group)
        self._marked.clear()
        self._signs = []
        ids = dict(self.track.ids)
        self._over = over(drawing, self.scene, ids)
        self._marked.add(self._over.group)
        self._draw_cars()

    def _draw_cars(self) -> None:
        """Draws cars and the texts on spaces at the size that the target frame gives them."""
        drawing = self._drawing
        assert drawing is not None
        whole, zoom = self.scene.close == "overview", self._target.zoom
        self._upright.clear()
        self._sprites, self._signs = [], []
        if not whole:
            for mark in self.scene.spaces:
                space = self._id(mark.space)
                if space >= 0 and mark.text:
                    middle = drawing.cells[space].middle
                    sign = Sign(mark, (middle.x, middle.y), zoom * 0.72)
                    self._signs.append(sign)
                    self._upright.add(sign.group)
        plate_high = OVERVIEW_PLATE if whole else max(24.0, min(32.0, 24 + (zoom - 37) * 8 / 33))
        cars = sorted(self.scene.cars, key=lambda car: ("out", "spun", "plain", "playing").index(car.state))
        for car in cars:
            if self._id(car.space) >= 0:
                sprite = Sprite(car, 0.0 if whole else length_at(zoom), plate_high)
                self._sprites.append(sprite)
                self._upright.add(sprite.canvas)
        self._place_cars()

    def _place_cars(self) -> None:
        drawing = self._drawing
        assert drawing is not None
        for sprite in self._sprites:
            sprite.pose = drawing.cells[self._id(sprite.mark.space)].middle
        self._stand()

    def _look(self) -> None:
        """Puts everything where the frame has it."""
        frame, scale = self.frame, float(theme.scale)
        self._middle.xy = self.center
        pixels = frame.zoom * scale
        self._zoom.xyz = (pixels, pixels, 1.0)
        self._turn.angle = frame.turn
        self._origin.xy = (-frame.x, -frame.y)
        for painted in (*(self._scenes or ()), self._over):
            if painted is not None:
                painted.near(pixels)
        self._stand()

    def _stand(self) -> None:
        """Puts cars, texts and notes where they are in the view."""
        frame, scale = self.frame, float(theme.scale)
        cx, cy = self.center
        if self.scene.close == "overview":
            self._stand_apart()
        else:
            length = length_at(frame.zoom)
            for sprite in self._sprites:
                x, y = frame.to_view(sprite.pose.x, sprite.pose.y)
                sprite.stand(cx + x * scale, cy + y * scale, frame.turn, length)
        for sign in self._signs:
            x, y = frame.to_view(*sign.at)
            sign.stand(cx + x * scale, cy + y * scale)
        x, y = frame.to_view(self._target.x, self._target.y)
        self._notes_at.xy = (round(self.x + x * scale), round(self.y + y * scale))

    def _stand_apart(self) -> None:
        """In the overview plates that would lie on one another are moved apart."""
        frame, scale = self.frame, float(theme.scale)
        wide, high = self.width / scale, self.height / scale
        places = []
        for sprite in self._sprites:
            x, y = frame.to_view(sprite.pose.x, sprite.pose.y)
            places.append((wide / 2 + x, high / 2 + y))
        for sprite, (x, y) in zip(self._sprites, spread(places, OVERVIEW_PLATE + 1, wide, high), strict=True):
            sprite.stand(self.x + x * scale, self.y + y * scale, 0.0, 0.0)

    def _lay_notes(self) -> None:
        self._notes.clear()
        self.marks = []
        drawing = self._drawing
        if drawing is None or self.track is None or self.scene.close == "overview":
            return
        scale = float(theme.scale)
        notes = Notes(self._notes, drawing, self.frame, self.width / scale, self.height / scale)
        notes.lay(self.scene, dict(self.track.ids))
        self.marks = notes.marks
        self._notes_at.xy = (round(self.x), round(self.y))

    # Cars that move

    def _moves(self, before: BoardScene) -> list[tuple[CarMark, list[int]]]:
        """The cars that stand elsewhere than before, each with its way, if there is one."""
        old = {car.plate: car.space for car in before.cars}
        moves: list[tuple[CarMark, list[int]]] = []
        for car in self.scene.cars:
            begin, end = self._id(old.get(car.plate, "")), self._id(car.space)
            if begin >= 0 and end >= 0 and begin != end:
                way = self._way(begin, end, before, self.scene)
                if way:
                    moves.append((car, way))
        return moves

    def _way(self, begin: int, end: int, *scenes: BoardScene) -> list[int]:
        """The spaces that a car has driven over: the path of a scene, or else the shortest way."""
        assert self.track is not None
        for scene in scenes:
            path = [self._id(name) for name in scene.path]
            if path and path[0] == begin and path[-1] == end and -1 not in path:
                return path
        reached = {begin: -1}
        row = [begin]
        entries = dict(self.track.pit.entries if self.track.pit else ())
        for _ in range(45):
            following: list[int] = []
            for space in row:
                for to in (*self.track.moves[space], entries.get(space, -1)):
                    if to >= 0 and to not in reached:
                        reached[to] = space
                        following.append(to)
            row = following
            if end in reached:
                way = [end]
                while reached[way[-1]] >= 0:
                    way.append(reached[way[-1]])
                return way[::-1]
        return []

    def _start_moves(self, moves: list[tuple[CarMark, list[int]]]) -> None:
        drawing = self._drawing
        assert drawing is not None
        sprites = {sprite.mark.plate: sprite for sprite in self._sprites}
        for car, way in moves:
            poses = drawing.way(way)
            seconds = min(A_MOVE, A_SPACE * (len(way) - 1))
            self._moving.append((sprites[car.plate], poses, seconds))
            sprites[car.plate].pose = poses[0]
        self._move_began = Clock.get_time()

    # Touches

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos) or touch.is_mouse_scrolling or not self._sized:
            return bool(super().on_touch_down(touch))
        self.finish()
        touch.grab(self)
        self._touches.append(touch)
        touch.ud[self] = "tap" if len(self._touches) == 1 else "pinch"
        for other in self._touches:
            if len(self._touches) > 1:
                other.ud[self] = "pinch"
        if len(self._touches) == 1 and self.on_held is not None:
            self._hold = Clock.schedule_once(lambda _: self._held(touch), HOLD)
        elif len(self._touches) > 1:
            self._let_go_hold()
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return bool(super().on_touch_move(touch))
        scale = float(theme.scale)
        if touch.ud.get(self) == "tap" and math.dist(touch.pos, touch.opos) > DRAG * scale:
            touch.ud[self] = "drag"
            self._let_go_hold()
            self._dragged_by((touch.x - touch.ox) / scale, (touch.y - touch.oy) / scale)
        elif touch.ud.get(self) == "drag":
            self._dragged_by(touch.dx / scale, touch.dy / scale)
        elif touch.ud.get(self) == "pinch" and len(self._touches) >= 2:
            self._pinched(touch)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        self._let_go_hold()
        if touch in self._touches:
            self._touches.remove(touch)
        if touch.ud.get(self) == "tap":
            self._tapped(touch.pos)
        elif touch.ud.get(self) == "pinch" and not self._touches:
            self._draw_cars()
            self._look()
            self._lay_notes()
        return True

    def _let_go_hold(self) -> None:
        if self._hold is not None:
            self._hold.cancel()
            self._hold = None

    def _dragged_by(self, x: float, y: float) -> None:
        self._dragged = True
        self.frame = self._kept_in(self.frame.moved(x, y))
        self._look()

    def _pinched(self, touch: Any) -> None:
        one, two = self._touches[0], self._touches[1]
        before = [touch.ppos if each is touch else each.pos for each in (one, two)]
        was, now = math.dist(*before), math.dist(one.pos, two.pos)
        scale = float(theme.scale)
        middle = ((one.x + two.x) / 2 - self.center_x) / scale, ((one.y + two.y) / 2 - self.center_y) / scale
        self._dragged = True
        self._notes.clear()
        self.frame = self.frame.moved(touch.dx / scale / 2, touch.dy / scale / 2)
        if was > 1:
            self.frame = self.frame.nearer(now / was, *middle, FURTHEST, NEAREST)
        self.frame = self._kept_in(self.frame)
        self._target = self.frame
        self._look()

    def _kept_in(self, frame: Frame) -> Frame:
        """The frame with its middle not beyond the circuit."""
        drawing = self._drawing
        assert drawing is not None
        left, bottom, right, top = drawing.box()
        return Frame(min(max(frame.x, left), right), min(max(frame.y, bottom), top), frame.zoom, frame.turn)

    def space_at(self, x: float, y: float) -> str:
        """The name of the space at a place of the window, empty if there is none. A choice is as large to the finger
        as a target has to be, even where it is drawn smaller."""
        drawing, track = self._drawing, self.track
        if drawing is None or track is None:
            return ""
        scale = float(theme.scale)
        at = (x - self.center_x) / scale, (y - self.center_y) / scale
        point = self.frame.to_board(*at)
        choices = [self._id(m.space) for m in self.scene.spaces if m.state in ("choice", "chosen")]
        choices = [space for space in choices if space >= 0]
        found = drawing.at(*point, choices)
        if found is None:
            near: list[tuple[float, int]] = []
            for space in choices:
                middle = drawing.cells[space].middle
                vx, vy = self.frame.to_view(middle.x, middle.y)
                dx, dy = abs(vx - at[0]), abs(vy - at[1])
                if dx <= TARGET[0] / 2 and dy <= TARGET[1] / 2:
                    near.append((math.hypot(dx, dy), space))
            found = min(near)[1] if near else drawing.at(*point)
        return track.name_of(found) if found is not None else ""

    def _tapped(self, pos: Point) -> None:
        name = self.space_at(*pos)
        if name and self.on_space is not None and ears.open:
            self.on_space(name)

    def _held(self, touch: Any) -> None:
        self._hold = None
        name = self.space_at(*touch.pos)
        if name and self.on_held is not None and touch.ud.get(self) == "tap":
            touch.ud[self] = "held"
            self.on_held(name)


def _between(poses: list[Pose], at: float) -> Pose:
    """The pose at a place between two of a row."""
    k = min(int(at), len(poses) - 2)
    if k < 0:
        return poses[0]
    a, b, share = poses[k], poses[k + 1], at - k
    round_ = (b.angle - a.angle + math.pi) % (2 * math.pi) - math.pi
    return Pose(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share, a.angle + round_ * share)
