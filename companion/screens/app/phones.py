"""The phone pages of the open race: off by default, opened and closed with the race."""

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
    from companion.screens.app.seat import RaceSession
    from companion.screens.kit.shot_clock import ShotTime
    from companion.view.seats.programs import Programs
    from companion.view.sight import Prices
    from companion.web.running import Phones

T = TypeVar("T")


class AtTable:
    """The touchscreen's race, as the web pages access it."""

    def __init__(self, seat: RaceSession) -> None:
        self._seat = seat

    def see(self, look: Callable[[RaceDesk], T]) -> Future[T]:
        """Read something in the desk's thread."""
        return self._seat.see(lambda desk, _: look(desk))

    def act(self, do: Callable[[RaceDesk], None]) -> Future[None]:
        """Do something at the desk as if done here; the next picture follows."""
        return self._seat.act(do)

    @property
    def programs(self) -> Programs:
        """The drivers of the program's cars."""
        return self._seat.programs

    def wins(self, desk: RaceDesk) -> Mapping[int, float]:
        """Return the odds, if the table wants them."""
        return self._seat.wins(desk)

    def call(self, n: int, seat: Caller) -> None:
        """Call the table to a disputed question or ruling."""
        self._seat.call(n, seat)


class TablePhones:
    """The pages of at most one race; `pages` is set while they are open."""

    def __init__(self) -> None:
        self.pages: Phones | None = None
        self._opening = 0
        self._prices: Prices = "always"

    def open(
        self,
        seat: RaceSession,
        folder: Path,
        race: str,
        host: str,
        port: int,
        then: Callable[[CompanionError | None], object],
    ) -> None:
        """Open the pages at an address, in a thread, where the server is imported.

        `then` is called from that thread, with the error if they could not be opened, or with another problem.
        """
        self._opening += 1
        opening = self._opening

        def work() -> None:
            from companion.hall.membership import in_hall
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

    def again(self, seat: RaceSession, folder: Path, race: str, wrong: Callable[[CompanionError], object]) -> None:
        """Reopen the pages if they were open when the program ended.

        They take the same address, if it is still available. `wrong` is called from another thread if the stored
        address cannot be read.
        """

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
        """Close the pages until they are opened by hand."""
        if self.pages is not None:
            self.pages.tokens.open = "", 0
        self.close()

    def clock(self, time: ShotTime | None) -> None:
        """Send the shot clock to the pages."""
        if self.pages is not None:
            self.pages.clock(time.left if time else 0, time.of if time else 0, time.paused if time else False)

    def follow(self, prices: Prices) -> None:
        """Set when prices are shown, now and for pages opened later."""
        self._prices = prices
        if self.pages is not None:
            self.pages.follow(prices)

    def close(self) -> None:
        """Close the pages; they reopen with the race."""
        self._opening += 1
        if self.pages is not None:
            self.pages.end()
            self.pages = None
