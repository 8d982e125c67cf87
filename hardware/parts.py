"""The parts on the table as the screens see them: the button box and the die-roller."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol

from companion.rules.conversation.errors import CompanionError
from hardware import gpio
from hardware.box import ButtonBox
from hardware.debounce import Press
from hardware.port import NOTHING, Port
from hardware.roller import News
from hardware.wiring import Tables, Wiring, box_wiring, roller_port
from hardware.wiring import tables as wiring_tables

LOW: Final = 15
"""Battery charge, in per cent, at which somebody should know."""


class AppActions(Protocol):
    """The actions of the app that the parts call."""

    def press(self, name: str) -> None: ...

    def rolled(self, face: int, die: str, n: int) -> None: ...

    def too_late(self, face: int, die: str) -> None: ...

    def tell(self, what: Any, text: str = "") -> None: ...

    def tell_shut(self, wrong: CompanionError) -> None: ...

    def changed(self) -> None: ...


class Parts:
    """The parts in the wiring of a data folder.

    `pins` returns the pins of a Raspberry Pi, or raises NoGpio. A missing part is no error: `complaint` says why there
    are no buttons, `roller_complaint` why there is no die-roller. A fault of one does not affect the other.
    """

    def __init__(self, folder: Path | None = None, pins: Callable[[int | str], Any] = gpio.factory) -> None:
        self._folder, self._pins = folder, pins
        self.complaint: CompanionError | None = None
        self._bad_port: CompanionError | None = None
        self.wired = False, -1, ""
        """True if buttons or lamps are wired, then their chip and the die-roller's port; empty until they are open."""
        self.box: ButtonBox | None = None
        self._port: Port | None = None
        self._hands: AppActions | None = None
        self._asked: tuple[int, str, bool, bool] | None = None
        """Last question asked, possibly before the parts are open."""
        self._n: int | None = None
        self._starting = self._wet = self._lost = self._low = False
        self._asking = threading.Lock()
        self._opening = threading.Thread(target=self._open, name="parts", daemon=True)

    def begin(self, hands: AppActions) -> None:
        """Open the parts in a background thread, so that the first screen does not wait."""
        self._hands = hands
        self._opening.start()

    def end(self) -> None:
        """Turn everything off and release it."""
        if self._opening.ident is not None:
            self._opening.join(5)
        for part in (self.box, self._port):
            if part is not None:
                part.close()
        self.box = self._port = None

    def _open(self) -> None:
        try:
            tables = wiring_tables(self._folder)
        except CompanionError as wrong:
            self.complaint = self._bad_port = wrong
        else:
            self._open_roller(tables)
            self._open_box(tables)
        self._ask()
        assert self._hands is not None
        self._hands.changed()

    def _open_roller(self, tables: Tables) -> None:
        try:
            name = roller_port(tables)
        except CompanionError as wrong:
            self._bad_port = wrong
            return
        self.wired = False, -1, name
        if name:
            self._port = Port(name, self._news, self._shut)
            self._port.begin()

    def _open_box(self, tables: Tables) -> None:
        try:
            wired = box_wiring(tables)
            self.wired = wired.on_pi
            self.box = self._make_box(wired)
        except CompanionError as wrong:
            self.complaint = wrong
            logging.getLogger(__name__).info("no buttons: %s", wrong)
        except Exception:
            logging.getLogger(__name__).exception("the box of buttons could not be opened")

    def _make_box(self, wired: Wiring) -> ButtonBox | None:
        """Return the box of buttons and lamps, or None if nothing is wired."""
        return ButtonBox(wired, self._pins(wired.chip), self._pressed) if any(wired.pins()) else None

    @property
    def buttons(self) -> bool:
        """True if there are buttons; a box may have lamps only."""
        return self.box is not None and self.box.has_buttons

    @property
    def roller(self) -> str:
        """The name that the die-roller reports, "" while none is connected."""
        return self._port.link.name if self._port is not None and self._port.link.there else ""

    @property
    def roller_complaint(self) -> CompanionError | None:
        """The reason why there is no die-roller, if known."""
        return self._port.complaint if self._port is not None else self._bad_port

    # -- from the race

    def set_question(self, n: int, die: str, *, starting: bool, wet: bool) -> None:
        """Tell the parts that question `n` is open and needs this die.

        The first `starting` runs the five start lights.
        """
        self._asked = n, die, starting, wet
        self._ask()

    def _ask(self) -> None:
        """Pass the last question on to the parts.

        The opening thread calls this too; the lock keeps it from passing on an older question afterwards.
        """
        with self._asking:
            if self._asked is None:
                return
            n, die, starting, wet = self._asked
            box, port = self.box, self._port
            if port is not None:
                port.want(n, die)
            if box is None:
                return
            if n != self._n:
                box.question()
            if starting != self._starting:
                box.start(starting)
            if wet != self._wet:
                box.wet(wet)
            self._n, self._starting, self._wet = n, starting, wet

    def happen(self, event: str, heard: bool) -> None:
        """Show an event of the race."""
        if self.box is not None:
            self.box.happen(event, heard)

    # -- from the parts, in their threads

    def _pressed(self, press: Press) -> None:
        assert self._hands is not None
        self._hands.press(press.means)

    def _shut(self) -> None:
        hands, port = self._hands, self._port
        assert hands is not None
        if port is not None and port.complaint is not None and port.complaint.code != NOTHING and not port.link.unfit:
            hands.tell_shut(port.complaint)
        hands.changed()

    def _news(self, news: News) -> None:
        hands = self._hands
        assert hands is not None
        if news.what == "rolled":
            hands.rolled(news.face, news.die, news.n)
        elif news.what == "late":
            hands.too_late(news.face, news.die)
        elif news.what == "found":
            if self._lost:
                hands.tell("found", news.text)
            self._lost = False
            hands.changed()
        elif news.what == "battery":
            if news.face <= LOW and not self._low:
                hands.tell("battery", str(news.face))
            self._low = news.face <= LOW
        elif news.what != "rolling":
            self._lost = self._lost or news.what == "lost"
            hands.tell(news.what, news.text)
