"""The rig: a window without a display, real touches, pictures, and time that passes."""

from __future__ import annotations

import linecache
import math
import queue
import selectors
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.input.motionevent import MotionEvent
from kivy.lang import Builder
from kivy.uix.widget import Widget

from companion.screens.app import snapshot
from companion.screens.board.map import Map
from companion.screens.kit.theme import theme

FRAME = 1 / 60
"""Seconds that a frame takes here, however slow the machine is: what is too late or too early is so everywhere."""


PATIENCE = 60.0
"""Seconds after which what was waited for will not come any more."""
RESTING = {threading.__file__, queue.__file__, selectors.__file__}
"""Where a thread is that waits for something to do."""
PROJECT = Path(__file__).parent.parent.parent
OURS = tuple(str(PROJECT / part) for part in ("companion", "hardware", "tests"))
"""Where the program is; the libraries may lie in a folder beside it."""


def _rests(frame: FrameType) -> bool:
    """Whether a thread waits for something to do; one that waits at a simple queue, which has no frame of its own,
    does if that is empty."""
    if frame.f_code.co_filename in RESTING:
        return True
    if ".get()" not in linecache.getline(frame.f_code.co_filename, frame.f_lineno or 0):  # None between lines
        return False
    owned = getattr(frame.f_locals.get("self"), "__dict__", {}).values()
    queues = [kept for kept in owned if isinstance(kept, queue.SimpleQueue)]
    return bool(queues) and all(kept.empty() for kept in queues)


class Finger(MotionEvent):
    """A touch at a place of the window, in pixels from the bottom left."""

    def __init__(self, x: float, y: float) -> None:
        super().__init__("finger", 1, self.at(x, y), is_touch=True, type_id="touch")

    @staticmethod
    def at(x: float, y: float) -> dict[str, float]:
        return {"x": x / (Window.width - 1.0), "y": y / (Window.height - 1.0)}

    def depack(self, args: Any) -> None:
        self.sx, self.sy = args["x"], args["y"]
        self.profile = ["pos"]
        super().depack(args)

    def down(self) -> None:
        EventLoop.post_dispatch_input("begin", self)

    def slide(self, x: float, y: float) -> None:
        self.move(self.at(x, y))
        EventLoop.post_dispatch_input("update", self)

    def up(self) -> None:
        EventLoop.post_dispatch_input("end", self)


def place_of(picture: Map, name: str) -> tuple[float, float]:
    """Where the middle of a space is in the window."""
    stage = picture.stage
    assert stage is not None
    middle = stage.drawing.cells[stage.track.ids[name]].middle
    x, y = picture.frame.to_view(middle.x, middle.y)
    return picture.center_x + x * theme.scale, picture.center_y + y * theme.scale


class Rig:
    """The window. Places are in dp from the top left, or a widget (its middle).

    The time that Kivy's clock tells is its own: it stands still but for frames, and for what a test lets pass.
    """

    def __init__(self) -> None:
        self._others = threading.enumerate()
        """The threads that earlier tests have left behind, whatever they do."""
        self._now: float = Clock.time()  # the last rig's, if there was one: time never goes back
        Clock.time = lambda: self._now
        self.draws = False
        """Whether frames reach the graphics card. A picture of the window is drawn for itself, so hardly a test needs
        it; what a window shows is drawn once before it is cleared."""

    def window(self, size: tuple[int, int], density: float) -> None:
        """Gives the window a size in pixels and a density, and takes all out of it; nothing fades or slides."""
        EventLoop.ensure_window()
        if EventLoop.status != "started":
            EventLoop.start()
        self.clear()
        Window.rotation = 0
        theme.look, theme.language, theme.still, theme.scale = "dark", "en", True, density
        if tuple(Window.size) != size:
            Window.size = size
        for _ in range(50):
            self.settle(1)
            if tuple(Window.size) == size:
                break
        assert tuple(Window.size) == size

    def clear(self) -> None:
        self.draw()
        for widget in Window.children[:]:
            Window.remove_widget(widget)

    def show(self, widget: Widget, x: float = 0, y: float = 0, w: float | None = None, h: float | None = None) -> Any:
        """Puts a widget into the window, at a place and of a size in dp: all of the window if none is given."""
        width = theme.dp(w) if w is not None else Window.width - theme.dp(x)
        height = theme.dp(h) if h is not None else Window.height - theme.dp(y)
        widget.size_hint = (None, None)
        widget.size = (round(width), round(height))
        widget.pos = (round(theme.dp(x)), round(Window.height - theme.dp(y) - height))
        if widget.parent is None:
            Window.add_widget(widget)
        Window.clearcolor = theme.rgba("bg0")
        self.settle()
        return widget

    def settle(self, frames: int = 3) -> None:
        """Lets some frames pass."""
        for _ in range(frames):
            self._now += FRAME
            Clock.tick()
            EventLoop.dispatch_input()
            Builder.sync()
            Clock.tick_draw()
            Builder.sync()
        if self.draws:
            self.draw()

    @staticmethod
    def draw() -> None:
        """What has changed reaches the graphics card."""
        if Window.canvas.needs_redraw:
            Window.dispatch("on_draw")
            Window.dispatch("on_flip")

    def wait(self, seconds: float) -> None:
        """Lets time pass, frame by frame. A thread that is at work has a frame's real time for it; nobody waits for
        threads that rest."""
        for _ in range(math.ceil(seconds / FRAME)):
            end = time.monotonic() + FRAME
            self.settle(1)
            while self.at_work() and time.monotonic() < end:
                time.sleep(0.001)

    def wait_for_none_of(self, name: str) -> None:
        """Have nobody wait for the threads of a name: they wait for what does not come by itself."""
        self._others += [thread for thread in threading.enumerate() if thread.name == name]

    def at_work(self) -> bool:
        """Whether another thread of the program does something, of those begun since this rig was made."""
        apart = {threading.get_ident(), *(thread.ident for thread in self._others if thread.is_alive())}
        for ident, frame in sys._current_frames().items():
            if ident in apart or _rests(frame):
                continue
            within: FrameType | None = frame
            while within is not None:
                if within.f_code.co_filename.startswith(OURS):
                    return True
                within = within.f_back
        return False

    def until(self, there: Callable[[], object], pace: float = FRAME) -> None:
        """Lets time pass, no faster than it does, until something is there, however slow the machine is; a frame comes
        every `pace` seconds."""
        end = time.monotonic() + PATIENCE
        while not there():
            assert time.monotonic() < end, "it never came"
            began = time.monotonic()
            self.settle(1)
            time.sleep(max(0.0, began + pace - time.monotonic()))

    def loop(self, seconds: float = 0.4) -> None:
        """Kivy's own loop for a while, with whatever it does about exceptions."""
        end = self._now + seconds

        def pass_on(_: float) -> None:
            self._now += FRAME
            time.sleep(FRAME)
            EventLoop.quit = self._now >= end

        passing = Clock.schedule_interval(pass_on, 0)
        EventLoop.mainloop()
        passing.cancel()
        EventLoop.quit = False

    def stall(self, seconds: float) -> None:
        """Lets time pass without a frame."""
        self._now += seconds

    @staticmethod
    def at(x: float, y: float) -> tuple[float, float]:
        """A place in dp from the top left, in pixels from the bottom left."""
        return theme.dp(x), Window.height - theme.dp(y)

    def pixels(self) -> bytes:
        """What the window shows."""
        return snapshot.pixels()[2]

    def colour(self, x: float, y: float) -> str:
        """The colour that the window shows at a place: "#RRGGBB"."""
        self.settle()
        seen = snapshot.picture().getpixel((round(theme.dp(x)), round(theme.dp(y))))
        return f"#{bytes(seen).hex().upper()}"  # type: ignore[arg-type]

    def _pixels(self, place: Widget | float, y: float | None) -> tuple[float, float]:
        if isinstance(place, Widget):
            return place.to_window(*place.center)
        assert y is not None
        return self.at(place, y)

    def press(self, place: Widget | float, y: float | None = None) -> Finger:
        """Puts a finger down and leaves it there."""
        finger = Finger(*self._pixels(place, y))
        finger.down()
        self.settle(1)
        return finger

    def tap(self, place: Widget | float, y: float | None = None) -> None:
        """Taps."""
        finger = self.press(place, y)
        finger.up()
        self.settle()

    def hold(self, place: Widget | float, y: float | None = None, seconds: float = 0.7) -> None:
        """Presses and holds."""
        finger = self.press(place, y)
        self.wait(seconds)
        finger.up()
        self.settle()

    def drag(self, start: tuple[float, float], end: tuple[float, float], steps: int = 6) -> None:
        """Draws a finger from place to place, in dp."""
        finger = self.press(*start)
        for step in range(1, steps + 1):
            x = start[0] + (end[0] - start[0]) * step / steps
            y = start[1] + (end[1] - start[1]) * step / steps
            finger.slide(*self._pixels(x, y))
            self.settle(1)
        finger.up()
        self.settle()

    def screenshot(self, path: Path | str) -> Path:
        """Writes a picture of the window."""
        self.settle()
        snapshot.png(Path(path))
        return Path(path)
