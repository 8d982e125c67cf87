"""The phones of the race that is open: its pages, off until somebody opens them, closed and opened with the race."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from companion.rules.conversation.errors import CompanionError

if TYPE_CHECKING:
    from companion.desk import RaceDesk
    from companion.desk.session import Seat as Caller
    from companion.screens.app.seat import Seat
    from companion.screens.widgets.shot_clock import ShotTime
    from companion.view.seats.programs import Programs
    from companion.view.sight import Prices
    from companion.web.running import Phones

T = TypeVar("T")


class AtTable:
    """The race at the touchscreen, as the pages reach it."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat

    def see(self, look: Callable[[RaceDesk], T]) -> Future[T]:
        """Has something read in the desk's thread."""
        return self._seat.see(lambda desk, _: look(desk))

    def act(self, do: Callable[[RaceDesk], None]) -> Future[None]:
        """Has something done as if it were done here, with the picture that follows."""
        return self._seat.act(do)

    @property
    def programs(self) -> Programs:
        """Who drives the program's cars."""
        return self._seat.programs

    def wins(self, desk: RaceDesk) -> Mapping[int, float]:
        """The odds, where the table wants them."""
        return self._seat.wins(desk)

    def call(self, n: int, seat: Caller) -> None:
        """Calls the table to what a driver disputes."""
        self._seat.call(n, seat)


class TablePhones:
    """At most one race's pages. `pages` are there while they are open."""

    def __init__(self) -> None:
        self.pages: Phones | None = None
        self._opening = 0
        self._prices: Prices = "always"

    def open(
        self, seat: Seat, folder: Path, race: str, host: str, port: int, then: Callable[[CompanionError | None], object]
    ) -> None:
        """Opens them at an address, in a thread of its own: the server is imported then. `then` is called from there,
        with what is wrong if they could not be, or with what else is."""
        self._opening += 1
        opening = self._opening

        def work() -> None:
            from companion.hall.joined import in_hall
            from companion.web.running import Phones

            pages = Phones(AtTable(seat), folder, race, host, port, in_hall(folder))
            try:
                pages.begin()
            except CompanionError as wrong:
                then(wrong)
                return
            if opening != self._opening:
                pages.end()
                return
            pages.follow(self._prices)
            pages.tokens.open = pages.host, pages.port
            self.pages = pages
            then(pages.tokens.complaint)

        threading.Thread(target=work, name="phones", daemon=True).start()

    def again(self, seat: Seat, folder: Path, race: str, wrong: Callable[[CompanionError], object]) -> None:
        """Opens them where they were open when the program ended without anybody having shut them, if that address is
        still to be had. `wrong` is called from another thread if nobody knows any more where that was."""

        def look() -> None:
            from companion.web.tokens import Tokens

            tokens = Tokens(folder, race)
            host, port = tokens.open
            if tokens.complaint is not None:
                wrong(tokens.complaint)
            if host:
                self.open(seat, folder, race, host, port, lambda _: None)

        threading.Thread(target=look, name="phones", daemon=True).start()

    def shut(self) -> None:
        """Closes them until somebody opens them again."""
        if self.pages is not None:
            self.pages.tokens.open = "", 0
        self.close()

    def clock(self, time: ShotTime | None) -> None:
        """The shot clock stands so."""
        if self.pages is not None:
            self.pages.clock(time.left if time else 0, time.of if time else 0, time.paused if time else False)

    def follow(self, prices: Prices) -> None:
        """Prices are shown so, as soon as pages are open."""
        self._prices = prices
        if self.pages is not None:
            self.pages.follow(prices)

    def close(self) -> None:
        """Closes them; with the race they are opened again."""
        self._opening += 1
        if self.pages is not None:
            self.pages.end()
            self.pages = None
