"""The whole app in a process of its own, as a service manager starts it, with somebody's hands at its screen.

As a program it opens the app; a line of JSON on its standard input is done in the app's own loop, and answered by one.
`Appliance` starts it and listens at the socket of the service manager.
"""

from __future__ import annotations

import base64
import contextlib
import io
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 300.0
"""Seconds after which what was waited for will not come; a machine may have much else to do."""


class Told(NamedTuple):
    """What the service manager was told, and when."""

    at: float
    line: str


class Appliance:
    """The app over a data folder; `slow` seconds are lost when it reads its log, `most` bytes are the most that a file
    of it may have, `stick` is a USB stick, `size` the window's, `zone` whose time it has."""

    def __init__(
        self, folder: Path, sockets: Path, *, watchdog: float = 0, slow: float = 0, most: int = -1, stick: str = "",
        size: tuple[int, int] = (800, 480), zone: str = "",
    ) -> None:  # fmt: skip
        self.folder = folder
        self.told: list[Told] = []
        address = sockets / f"notify-{time.monotonic_ns()}"
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(address))
        env = {**os.environ, "NOTIFY_SOCKET": str(address), "SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy"}
        env |= {"LANG": "C.UTF-8", "PYTHONPATH": str(ROOT)}
        env = {name: value for name, value in env.items() if not name.startswith(("KCFG_", "WATCHDOG_"))}
        if zone:
            env["TZ"] = zone
        if watchdog:
            env["WATCHDOG_USEC"] = str(round(watchdog * 1e6))

        def limited() -> None:
            if most >= 0:
                resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.screens.appliance", str(folder), str(slow), stick, *map(str, size)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, cwd=ROOT, preexec_fn=limited,
        )  # fmt: skip
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                for line in self._socket.recv(65536).decode().splitlines():
                    self.told.append(Told(time.monotonic(), line))

    # -- what it told

    def heard(self, start: str, since: float = 0) -> list[Told]:
        return [told for told in self.told if told.line.startswith(start) and told.at >= since]

    def until(self, there: Callable[[], Any], patience: float = PATIENCE) -> Any:
        """Waits until something is there, and returns it."""
        end = time.monotonic() + patience
        while not (found := there()):
            assert time.monotonic() < end, (self.told[-5:], self.process.poll())
            assert self.process.poll() is None, "the app is gone"
            time.sleep(0.02)
        return found

    def ready(self) -> Appliance:
        self.until(lambda: self.heard("READY=1"))
        return self

    # -- hands

    def do(self, what: str, **given: Any) -> Any:
        """Has one thing done in the app's loop; returns what came of it."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"do": what, **given}).encode() + b"\n")
        self.process.stdin.flush()
        came, failed = json.loads(self.process.stdout.readline())
        assert not failed, failed
        return came

    def see(self) -> dict[str, Any]:
        """Return the screen: its `name`, the open question's number `n` and the `title`, and all `texts`."""
        seen: dict[str, Any] = self.do("see")
        return seen

    def wait_for(self, text: str) -> None:
        """Waits until something is written on the screen."""
        self.until(lambda: any(text in one for one in self.see()["texts"]))

    def tap(self, label: str) -> None:
        """Taps the key with this label, the lowest if there are several, as soon as it is there and listens."""
        self.until(lambda: self.do("tap", label=label))

    def rolled(self, face: int) -> None:
        """The die-roller shows a face of the die that is asked for."""
        self.do("rolled", face=face)

    def picture(self, place: Path) -> None:
        """Writes what the screen shows."""
        place.write_bytes(base64.b64decode(self.do("picture")))

    def rest(self) -> None:
        """Waits until all that it was told is done and shown: what the desk made of it has been handed over, and so has
        what was looked up for that."""
        for _ in range(3):
            self.until(lambda: self.do("rests"))

    def answer(self) -> None:
        """Answers the open question by touch, as a driver would."""
        n = self.see()["n"]
        while self.do("touch", n=n):
            self.rest()

    def room(self, size: int = resource.RLIM_INFINITY) -> None:
        """Sets how long a file of the app may be from now on."""
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    # -- its end

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        """Ends it as a service manager does; returns its exit status."""
        self.process.terminate()
        return self.process.wait(20)

    def close(self) -> None:
        if self.process.poll() is None:
            self.kill()
        self._socket.close()


@contextlib.contextmanager
def appliance(folder: Path, sockets: Path, **given: Any) -> Iterator[Appliance]:
    made = Appliance(folder, sockets, **given)
    try:
        yield made
    finally:
        made.close()


# -- in the app's own process


class Touched(Exception):
    """Where a finger would touch, in dp: its two arguments."""


class NoFingers:
    """The rig of a table that touches nothing, and for which no time passes."""

    def settle(self, frames: int = 3) -> None: ...

    def until(self, there: Callable[[], object]) -> None:
        assert there()

    def tap(self, x: float, y: float) -> None:
        raise Touched(x, y)


class Inside:
    """Takes the place of what stands beside the screen, and does what it is told there."""

    buttons, roller, complaint, roller_complaint = False, "", None, None

    def __init__(self, slow: float, stick: str) -> None:
        self.slow, self.stick = slow, stick
        self.app: Any = None
        self.hands: Any = None
        self.answered: dict[Any, Any] = {}
        self.handed: Any = None
        self.held = threading.Event()

    def begin(self, hands: Any) -> None:
        from kivy.core.window import Window

        from companion.screens.app.service import Manager
        from companion.screens.kit.theme import theme
        from companion.screens.pages import exporting, home

        found = home.HomeData

        def slowly(app: Any) -> Any:
            time.sleep(self.slow)
            return found(app)

        home.HomeData = slowly  # type: ignore[assignment, misc]
        exporting.sticks = lambda: [Path(self.stick)] if self.stick else []  # type: ignore[assignment]
        self.app, self.hands = hands.app, hands
        theme.still = True
        Window.bind(on_flip=lambda *_: Manager().tell("FRAME"))
        threading.Thread(target=self._listen, daemon=True).start()

    def end(self) -> None: ...

    def set_question(self, n: int, die: str, *, starting: bool, wet: bool) -> None: ...

    def happen(self, event: Any, heard: bool) -> None: ...

    def _listen(self) -> None:
        from kivy.clock import Clock

        for line in sys.stdin:
            told = json.loads(line)
            done: Any = threading.Event()
            Clock.schedule_once(lambda _, told=told, done=done: self._do(told, done))
            done.wait()

    def _do(self, told: dict[str, Any], done: threading.Event) -> None:
        name, came, failed = told.pop("do"), None, ""
        try:
            came = getattr(self, name)(**told)
        except Exception:
            failed = traceback.format_exc()
            raise
        finally:
            print(json.dumps([came, failed]), flush=True)
            done.set()

    def see(self) -> dict[str, Any]:
        from tests.screens.ui import Ui

        shown = self.app.playing.shown
        prompt = shown.prompt if shown is not None else None
        return {
            "name": self.app.visits[-1].name,
            "n": prompt.n if prompt is not None and prompt.ask else None,
            "asks": prompt is not None and prompt.ask == "disk_full",
            "title": prompt.title if prompt is not None else "",
            "texts": [word.text for word in Ui.over(None, self.app).words()],
        }

    def rests(self) -> bool:
        """Whether the desk has come to what it is handed here, behind all else; to be asked until it has. No two
        answers are of one frame."""
        playing = self.app.playing
        if playing.seat is None:
            return not playing.opening
        if self.handed is None:
            self.handed = playing.seat.see(lambda *_: None)
        done = bool(self.handed.done())
        if done:
            self.handed = None
        return done

    def tap(self, label: str) -> bool:
        """Taps the key with this label; False if there is none that listens."""
        at = self._labelled(label)
        if at is not None:
            self._finger(*at)
        return at is not None

    def _labelled(self, label: str) -> tuple[float, float] | None:
        """Return the place of the lowest key with this label, in dp; None if there is none, or a toast lies on it."""
        found, toasts = self._table().ui.places(label), self._table().ui.toasts()
        at = next(reversed(found), None)
        return None if at is not None and any(toast.has(*at) for toast in toasts) else at

    def _table(self) -> Any:
        """A table at which the screen is read."""
        from tests.screens.table import Table

        made = Table.__new__(Table)
        made.app, made.rig, made.taps = self.app, NoFingers(), 0  # type: ignore[assignment]
        return made

    def touch(self, n: int, held: bool = False) -> bool:
        """Taps what goes on, if question `n` is still open; the desk comes to it only when it is let go, if it is to be
        `held`."""
        if not self._asks(n):
            return False
        at = self._next()
        if held:
            self.held.clear()
            self.app.playing.seat.see(lambda *_: self.held.wait())
        self._finger(*at)
        return True

    def _asks(self, n: int) -> bool:
        prompt = self.app.playing.shown.prompt
        return prompt is not None and bool(prompt.n == n and prompt.ask not in ("", "disk_full"))

    def _next(self) -> tuple[float, float]:
        """Where a table first touches to give a driver's answer, or else the first that is offered, in dp."""
        keys, at = self.app.playing.shown.prompt.keys, self._wanted()
        try:
            self._table().answer(keys[at] if at is not None else next(key for key in keys if not key.why))
        except Touched as touched:
            return touched.args[0], touched.args[1]
        raise AssertionError("nothing was touched")

    def _wanted(self) -> int | None:
        """Which of the keys has a driver's answer, the same however often it is asked; None if none has it."""
        from companion.drivers.registry import answered, driver_named

        prompt = self.app.playing.shown.prompt
        if prompt.key not in self.answered:
            self.answered[prompt.key] = self.app.playing.seat.see(
                lambda desk, _: answered(driver_named("sensible", desk.rulebook, desk.n), desk.asked, desk.rulebook)
            ).result(PATIENCE)
        return next((at for at, key in enumerate(prompt.keys) if key.answer == self.answered[prompt.key]), None)

    def place(self, label: str = "", n: int = 0) -> list[float] | None:
        """Return the place of the key with this label, or of the one that `touch` would tap, in parts of the picture
        from its top left; None without one."""
        from kivy.core.window import Window

        from companion.screens.kit.theme import theme

        at = self._labelled(label) if label else self._next() if self._asks(n) else None
        return None if at is None else [theme.dp(at[0]) / Window.width, theme.dp(at[1]) / Window.height]

    def picture(self) -> str:
        """What the screen shows, as a PNG in base64: a full disk takes no file."""
        from companion.screens.app import snapshot

        shown = io.BytesIO()
        snapshot.picture().save(shown, "PNG")
        return base64.b64encode(shown.getvalue()).decode()

    def _finger(self, x: float, y: float) -> None:
        from companion.screens.kit.touch import ears
        from tests.screens.rig import Finger, Rig

        ears.listen()
        finger = Finger(*Rig.at(x, y))
        finger.down()
        finger.up()

    def press(self, name: str) -> None:
        """A button beside the screen."""
        self.app.press(name)

    def rolled(self, face: int) -> None:
        self.hands.rolled(face, "", -1)

    def go(self, name: str, **given: Any) -> None:
        self.app.home()
        self.app.go(name, **given)

    def hang(self, seconds: float) -> float:
        """The app's loop hangs; since when is returned."""
        begun = time.monotonic()
        time.sleep(seconds)
        return begun

    def hang_desk(self, seconds: float) -> float:
        """The desk's thread hangs; since when is returned."""
        begun: Future[float] = Future()
        self.app.playing.seat.see(lambda *_: (begun.set_result(time.monotonic()), time.sleep(seconds)))
        return begun.result()

    def let_go(self) -> None:
        self.held.set()

    def pages(self, most: int) -> None:
        """How many pages the database may have: no more than there are, if that is more."""
        self.app.playing.seat.see(lambda desk, _: desk.log._db.execute(f"PRAGMA max_page_count={most}")).result(5)


def main(folder: str, slow: str, stick: str, wide: str, high: str) -> None:
    from companion.screens.app.launch import run

    run(Path(folder), "en", size=(int(wide), int(high)), beside=lambda: Inside(float(slow), stick))


if __name__ == "__main__":
    main(*sys.argv[1:])
