"""The table's link to race control in a hall: the race, calls and rulings."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Final

from kivy.clock import Clock

from companion.hall.membership import FILE, WORDS, Membership, joined, leave
from companion.rules.conversation.errors import CompanionError
from companion.screens.kit.theme import theme
from companion.view.shown import Calls, Price, Toast, Tone

if TYPE_CHECKING:
    from companion.desk import RaceDesk
    from companion.hall.carrier import Carrier
    from companion.hall.wire import Call
    from companion.screens.app.app import CompanionApp
    from companion.screens.app.seat import RaceSession
    from companion.sheets.entry import Entry
    from companion.tournament.record import Signed
    from companion.wording import Words

EVERY: Final = 1.0
"""Seconds between two polls of the table's standing with race control."""


class Hall:
    """The hall that the table of this folder has joined, if any.

    Without one, nothing of the link is imported.
    """

    def __init__(self, app: CompanionApp) -> None:
        self.app = app
        self.carrier: Carrier | None = None
        self._told: tuple[RaceSession | None, tuple[tuple[Price, ...], Calls]] = (None, ((), ""))
        self._clock: Any = None
        self._ended = False

    def begin(self) -> None:
        """Start looking for race control, in threads of its own."""
        if (self.app.folder / FILE).exists():
            threading.Thread(target=self._begin, name="hall", daemon=True).start()

    def end(self) -> None:
        """Stop the link."""
        self._ended = True
        if self._clock is not None:
            self._clock.cancel()
        if self.carrier is not None:
            self.carrier.end()
            self.carrier = None

    def join(self, host: str, port: int, code: str, then: Callable[[Membership | CompanionError], object]) -> None:
        """Join the hall at an address, in a thread; `then` gets the outcome."""

        def request() -> None:
            from companion.hall.joining import join

            outcome: Membership | CompanionError
            try:
                outcome = join(self.app.folder, host, port, code, theme.language)
            except CompanionError as wrong:
                outcome = wrong
            Clock.schedule_once(lambda _: answered(outcome))

        def answered(outcome: Membership | CompanionError) -> None:
            if not isinstance(outcome, CompanionError):
                self.end()
                self._ended = False
                self.begin()
            then(outcome)

        threading.Thread(target=request, name="joins", daemon=True).start()

    def leave(self) -> None:
        """Leave the hall, even if race control cannot be told."""
        self.end()

        def connect() -> None:
            from companion.hall.carrier import Carrier

            with contextlib.suppress(CompanionError):
                if (place := joined(self.app.folder)) is not None:
                    leave(self.app.folder)
                    Carrier(self.app.folder, place).leave()

        threading.Thread(target=connect, name="leaves", daemon=True).start()

    def call(self) -> None:
        """Call race control to the open question, or cancel the call."""
        carrier, seat = self.carrier, self.app.playing.seat
        if carrier is None or seat is None:
            return
        if carrier.called:
            carrier.call(None)
            self._look()
        else:
            seat.see(_called).add_done_callback(lambda found: self._call(carrier, found))

    def _call(self, carrier: Carrier, found: Future[Call]) -> None:
        """Send a call, in the desk's thread."""
        if found.cancelled() or found.exception() is not None:
            return  # the race was closed
        call = found.result()
        carrier.call(call)
        text = theme.words.screen("top.calls", asks=call.asks.get(theme.language, ""))
        Clock.schedule_once(lambda _: self.app.tell(Toast(text=text, tone="info", icon="whistle")))
        Clock.schedule_once(self._look)

    def _begin(self) -> None:
        from companion.hall.carrier import Carrier

        try:
            place = joined(self.app.folder)
        except CompanionError as wrong:
            Clock.schedule_once(lambda _, wrong=wrong: self.app.tell(wrong))
            return
        if place is not None:
            carrier = Carrier(self.app.folder, place, self._hear)
            Clock.schedule_once(lambda _: self._start_carrier(carrier))

    def _start_carrier(self, carrier: Carrier) -> None:
        if not self._ended:
            self.carrier = carrier
            carrier.begin()
            self._clock = Clock.schedule_interval(self._look, EVERY)

    def _look(self, _: float = 0) -> None:
        """Update the table's state in the race when it has changed."""
        seat = self.app.playing.seat
        if seat is None or self.carrier is None:
            return
        told = seat, told_of(self.carrier)
        if told[0] is not self._told[0]:  # a race was opened, and may have been ruled on while it was shut
            threading.Thread(target=self._catch_up, args=(seat,), name="hall", daemon=True).start()
        if told != self._told:
            self._told = told
            seat.mark(*told[1])

    def _catch_up(self, seat: RaceSession) -> None:
        from companion.hall.obeying import obeying, signed_of
        from companion.sheets.reading import entries, reading
        from companion.sheets.records import records

        with contextlib.suppress(CompanionError), reading(self.app.folder / WORDS) as db:
            for day in records(db):
                seat.act(obeying(signed_of(entries(db, day.log_id))))

    # -- what race control says

    def _hear(self, entries: Sequence[Entry]) -> None:
        """Take entries from race control, in the carrier's thread."""
        from companion.hall.obeying import signed_of

        said = signed_of(entries)
        Clock.schedule_once(lambda _: self._on_acts(said))

    def _on_acts(self, said: Sequence[Signed]) -> None:
        from companion.hall.obeying import obeying
        from companion.tournament.control import CallRuled, Message, Started, Trialled

        if self.carrier is None:
            return
        for one in said:
            if isinstance(one.act, Message) and one.act.table in ("", self.carrier.place.table):
                self.app.tell(Toast(text=f"{one.by}: {one.act.text}", tone="info", icon="info"))
            elif isinstance(one.act, Started) and one.act.table == self.carrier.place.table:
                self._may_begin(one.by, one.act.name or one.act.race)
            elif isinstance(one.act, Trialled) and one.act.table == self.carrier.place.table:
                self._may_begin(one.by, one.act.opened.name)
                if self.app.visits[-1].name == "trial" and self.app.screen is not None:
                    self.app.screen.again()  # there may be the sky that it waits for
            elif isinstance(one.act, CallRuled) and one.act.log_id == self.app.playing.log_id:
                self.carrier.call(None)  # that was the answer
        if self.app.playing.seat is not None:
            self.app.playing.seat.act(obeying(said))

    def _may_begin(self, by: str, race: str) -> None:
        text = theme.words.screen("home.may_start", race=race)
        self.app.tell(Toast(text=f"{by}: {text}", tone="ok", icon="flag"))
        if self.app.visits[-1].name == "home":
            self.app.home()  # which asks whether it is to begin


def _called(desk: RaceDesk, _: Words) -> Call:
    from companion.hall.calling import call_of

    return call_of(desk)


def told_of(carrier: Carrier) -> tuple[tuple[Price, ...], Calls]:
    """Return the link's state for the top bar, and that of the call key.

    "Connected" appears only while nobody is called.
    """
    chips, stand, say = [], carrier.stand, theme.words.screen
    if stand.line == "alone":
        chips.append(Price(text=say("top.alone"), icon="away", tone="info"))
    elif stand.line == "behind":
        chips.append(Price(text=say("top.behind", count=stand.behind), icon="away", tone="info"))
    call: Calls = "coming" if carrier.coming else "called" if carrier.called else "ready"
    if call != "ready":
        tone: Tone = "ok" if call == "coming" else "warn"
        chips.append(Price(text=say(f"top.{call}", who=carrier.coming), icon="whistle", tone=tone))
    elif stand.line == "connected":
        chips.append(Price(text=say("top.connected"), icon="check", tone="ok"))
    return tuple(chips), call
