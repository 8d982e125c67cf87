"""The box of buttons and lamps: a thread that turns edges into presses, events into light."""

from __future__ import annotations

import logging
import queue
import random
import threading
from collections.abc import Callable
from typing import Any

from hardware.debounce import Name, Press, Presses
from hardware.gpio import Edge, Pins
from hardware.lights import Lights, Lit
from hardware.port import milliseconds
from hardware.wiring import Wiring


class ButtonBox:
    """The box that a wiring describes, on the pins of `factory`.

    `press(press)` and, for each edge of a contact, `edge` are called in the box's thread. Raises NoGpio.
    """

    def __init__(
        self, wiring: Wiring, factory: Any, press: Callable[[Press], object], edge: Edge = lambda *_: None
    ) -> None:
        self._press, self._seen = press, edge
        self.has_buttons = wiring.has_buttons
        self._presses = Presses()
        self._todo: queue.SimpleQueue[Callable[[int], object] | None] = queue.SimpleQueue()
        self.lights = Lights(random.SystemRandom().randrange)
        self._pins = Pins(wiring, factory, self._edge)
        self._thread = threading.Thread(target=self._run, name="buttons", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Turn everything off and stop the thread."""
        self._todo.put(None)
        self._thread.join(2)
        self._pins.close()

    @property
    def lit(self) -> Lit:
        """The present state of the lamps and the buzzer."""
        return self._pins.shown

    @property
    def is_settled(self) -> bool:
        """True once every press has been handled and no contact still bounces."""
        return self._todo.empty() and self._presses.due is None

    # -- from any thread, and at once

    def happen(self, event: str, heard: bool = True) -> None:
        """Show an event of the race."""
        self._todo.put(lambda now: self.lights.happen(event, now, heard=heard))

    def question(self) -> None:
        """Ignore answers for a moment, because a new question is open."""
        since = milliseconds()
        self._todo.put(lambda now: self._presses.question(since))

    def start(self, begins: bool) -> None:
        """Run the start lights, or turn them off."""
        self._todo.put(lambda now: self.lights.begin(now) if begins else self.lights.away())

    def wet(self, wet: bool) -> None:
        """Set the lamp for a wet track."""
        self._todo.put(lambda now: setattr(self.lights, "wet", wet))

    def _edge(self, name: Name, down: bool, at: int) -> None:
        self._todo.put(lambda now: self._contact(name, down, at))

    # -- in the box's thread

    def _run(self) -> None:
        while True:
            due = min((due for due in (self._presses.due, self.lights.due) if due is not None), default=None)
            try:
                todo = self._todo.get(timeout=None if due is None else max(due - milliseconds(), 5) / 1000)
                while todo is not None:
                    todo(milliseconds())
                    todo = self._todo.get_nowait()  # all edges that have come, before it is said what has settled
                return
            except queue.Empty:
                pass
            except Exception:
                logging.getLogger(__name__).exception("the box of buttons failed")
            now = milliseconds()
            self._pressed(self._presses.settle(now, self._pins.down))
            try:
                self._pins.show(self.lights.at(now))
            except Exception:  # the buttons go on without the lamps
                logging.getLogger(__name__).exception("the lamps failed")

    def _contact(self, name: Name, down: bool, at: int) -> None:
        self._seen(name, down, at)
        self._pressed(self._presses.edge(name, down, at // 1000))

    def _pressed(self, found: list[Press]) -> None:
        for press in found:
            try:
                self._press(press)
            except Exception:
                logging.getLogger(__name__).exception("the press of %s was not taken", press.name)
