"""The table in a hall: what it races is carried to race control beside all else, and what that says is shown here."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from kivy.clock import Clock

from companion.hall.joined import FILE, WORDS, joined
from companion.rules.conversation.errors import CompanionError
from companion.screens.widgets.theme import theme
from companion.view.shown import Price, Toast

if TYPE_CHECKING:
    from companion.hall.carrier import Carrier
    from companion.hall.outbox import Stand
    from companion.screens.app.app import CompanionApp
    from companion.screens.app.seat import Seat
    from companion.sheets.entry import Entry
    from companion.tournament.record import Signed

EVERY: Final = 1.0
"""Seconds between two looks at how the table stands with race control."""


class Hall:
    """At most one hall: the one that the table of this folder has joined. Without one, nothing that carries is read."""

    def __init__(self, app: CompanionApp) -> None:
        self.app = app
        self.carrier: Carrier | None = None
        self._told: tuple[Seat | None, Price | None] = (None, None)
        self._clock: Any = None
        self._ended = False

    def begin(self) -> None:
        """From here on race control is sought, in threads of its own."""
        if (self.app.folder / FILE).exists():
            threading.Thread(target=self._begin, name="hall", daemon=True).start()

    def end(self) -> None:
        """It is sought no longer."""
        self._ended = True
        if self._clock is not None:
            self._clock.cancel()
        if self.carrier is not None:
            self.carrier.end()
            self.carrier = None

    def _begin(self) -> None:
        from companion.hall.carrier import Carrier

        try:
            place = joined(self.app.folder)
        except CompanionError as wrong:
            Clock.schedule_once(lambda _, wrong=wrong: self.app.tell(wrong))
            return
        if place is not None:
            carrier = Carrier(self.app.folder, place, self._hear)
            Clock.schedule_once(lambda _: self._begun(carrier))

    def _begun(self, carrier: Carrier) -> None:
        if not self._ended:
            self.carrier = carrier
            carrier.begin()
            self._clock = Clock.schedule_interval(self._look, EVERY)

    def _look(self, _: float) -> None:
        """Has the race show how the table stands, when that has changed."""
        seat = self.app.playing.seat
        if seat is None or self.carrier is None:
            return
        told = seat, chip(self.carrier.stand)
        if told[0] is not self._told[0]:  # a race was opened, and may have been ruled on while it was shut
            threading.Thread(target=self._catch_up, args=(seat,), name="hall", daemon=True).start()
        if told != self._told:
            self._told = told
            seat.mark(told[1])

    def _catch_up(self, seat: Seat) -> None:
        from companion.hall.obeying import obeying, signed_of
        from companion.sheets.reading import entries, reading
        from companion.sheets.records import records

        with contextlib.suppress(CompanionError), reading(self.app.folder / WORDS, check=False) as db:
            for day in records(db):
                seat.act(obeying(signed_of(entries(db, day.log_id))))

    # -- what race control says

    def _hear(self, entries: Sequence[Entry]) -> None:
        """From the carrier's thread."""
        from companion.hall.obeying import signed_of

        said = signed_of(entries)
        Clock.schedule_once(lambda _: self._said(said))

    def _said(self, said: Sequence[Signed]) -> None:
        from companion.hall.obeying import obeying
        from companion.tournament.control import Message, Started

        if self.carrier is None:
            return
        for one in said:
            if isinstance(one.act, Message) and one.act.table in ("", self.carrier.place.table):
                self.app.tell(Toast(text=f"{one.by}: {one.act.text}", tone="info", icon="info"))
            elif isinstance(one.act, Started) and one.act.table == self.carrier.place.table:
                text = theme.words.screen("home.may_start", race=one.act.name or one.act.race)
                self.app.tell(Toast(text=f"{one.by}: {text}", tone="ok", icon="flag"))
                if self.app.visits[-1].name == "home":
                    self.app.home()  # which asks whether it is to begin
        if self.app.playing.seat is not None:
            self.app.playing.seat.act(obeying(said))


def chip(stand: Stand) -> Price | None:
    """How the table stands, for the top bar: nothing while all is at race control."""
    if stand.line == "connected":
        return None
    say = theme.words.screen
    if stand.line == "alone":
        return Price(text=say("top.alone"), icon="away", tone="info")
    return Price(text=say("top.behind", count=stand.behind), icon="away", tone="info")
