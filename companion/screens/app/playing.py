"""The open race: its session at the desk and its last picture.

Screens come and go; the race stays.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from kivy.clock import Clock

from companion.rules.conversation.errors import CompanionError, NotSaved
from companion.screens.app.phones import TablePhones
from companion.screens.app.signals import Signals
from companion.screens.app.signing import Signing
from companion.screens.app.table_hardware import ask
from companion.screens.kit.confirm import Confirmation
from companion.screens.kit.theme import theme
from companion.screens.kit.unsaved import unsaved
from companion.view.shown_race import RaceShown

if TYPE_CHECKING:
    from companion.desk import RaceDesk
    from companion.rules.circuit.track import Track
    from companion.rules.conversation.asking import Json
    from companion.screens.app.app import CompanionApp
    from companion.screens.app.seat import RaceSession
    from companion.sheets.log import Write

AGAIN: Final = 5.0
"""Seconds after which a refused write is tried again."""


class Playing:
    """At most one open race.

    `seat` takes its answers, `shown` is its last picture, `track` its circuit, `log_id` its id, `rulebook` its rules.
    `signals` passes its events to sounds and lights, `signing` knows its referee, `phones` its pages, if they are
    open.
    """

    def __init__(self, app: CompanionApp) -> None:
        self.app = app
        self.seat: RaceSession | None = None
        self.shown: RaceShown | None = None
        self.track: Track | None = None
        self.log_id = self.rulebook = ""
        self.signals = Signals(app.speaker)
        self.signing = Signing(app.kept)
        self.phones = TablePhones()
        self._newest: tuple[object, RaceShown | None] = (None, None)
        """Last picture from a desk, and the opening that it belongs to."""
        self._current: object = None
        """Opening of the race that is open; a picture of an earlier one may still arrive."""
        self.opening = False
        self._look = Clock.create_trigger(self._looked)
        self._again: Any = None

    def resume(self, log_id: str) -> None:
        """Resume a race of the data folder and go to its screen."""
        from companion.desk import RaceDesk

        if self.seat is not None and self.log_id == log_id:
            self.app.go("race")
        else:
            self.open(
                lambda: RaceDesk.resume(self.app.folder, log_id),
                lambda: RaceDesk.resume(self.app.folder, log_id, memory=True),
            )

    def begin(self, setup: Mapping[str, Json], track: str, *, name: str = "", guided: bool = False) -> None:
        """Start a race and go to its screen, with a guide if it is `guided`.

        `track` is a key or the path of a file.
        """

        def make(memory: bool = False) -> RaceDesk:
            from companion.desk.beginning import begin_race

            return begin_race(setup, track, self.app.folder, name=name, memory=memory)

        self.open(make, partial(make, memory=True), guided)

    @property
    def unsaved(self) -> tuple[Write, ...]:
        """The entries of the open race that are not on disk."""
        return self.seat.unsaved if self.seat is not None else ()

    def open(
        self, make: Callable[[], RaceDesk], in_memory: Callable[[], RaceDesk] | None = None, guided: bool = False
    ) -> None:
        """Make a desk, in a thread, and go to its race; errors are shown.

        If the disk cannot be written, the table may choose the desk made `in_memory`. If the open race would lose
        entries that are in memory only, the table is asked first.
        """
        if not self.opening:
            self._or_lose(lambda: self._close_and_open(make, in_memory, guided))

    def leave(self) -> None:
        """Close the race and go home.

        If entries in memory only would be lost, the table is asked first.
        """
        self._or_lose(self._on_leave)

    def _or_lose(self, then: Callable[[], object]) -> None:
        """Call `then`, which ends the race, once the table accepts to lose unsaved entries."""
        if not self.unsaved:
            then()
            return
        say = theme.words.screen
        question = Confirmation(
            title=say("race.leave", count=len(self.unsaved)), note=say("race.leave_note"), act=say("race.leave_act")
        )
        self.app.ask(question, then)

    def _close_and_open(
        self, make: Callable[[], RaceDesk], in_memory: Callable[[], RaceDesk] | None, guided: bool = False
    ) -> None:
        self.opening = True
        self.close()
        current = self._current = object()
        threading.Thread(
            target=self._open, args=(make, in_memory, current, guided), name="opening", daemon=True
        ).start()

    def _open(
        self, make: Callable[[], RaceDesk], in_memory: Callable[[], RaceDesk] | None, current: object, guided: bool
    ) -> None:
        from companion.screens.app.seat import RaceSession  # with the rules core: not before a race is opened

        made: list[RaceDesk] = []

        def desk() -> RaceDesk:
            made.append(make())
            return made[0]

        kept = self.app.kept.now
        try:
            seat = RaceSession(
                desk, partial(self._on_picture, current), lang=theme.language, prices=kept.prices,
                stopped=self._stopped, guided=guided,
            )  # fmt: skip
        except NotSaved as wrong:
            Clock.schedule_once(lambda _, why=wrong: self._not_saved(why, in_memory))
        except Exception as wrong:
            Clock.schedule_once(lambda _, why=wrong: self._refused(why))
        else:
            log_id = made[0].log.log_id if made[0].log is not None else ""
            book = made[0].rulebook
            Clock.schedule_once(lambda _: self._on_open(seat, getattr(book, "track", None), log_id, book.name))

    def _on_open(self, seat: RaceSession, track: Any, log_id: str, rulebook: str) -> None:
        drawn = None if track is None or track.known == "sections" else track
        self.opening, self.seat, self.track, self.log_id, self.rulebook = False, seat, drawn, log_id, rulebook
        self._again = Clock.schedule_interval(self._save, AGAIN)
        self.phones.follow(self.app.kept.now.prices)
        if log_id:
            tell = self.app.tell
            self.phones.again(seat, self.app.folder, log_id, lambda wrong: Clock.schedule_once(lambda _: tell(wrong)))
        if len(self.app.visits) > 1:
            self.app.home()  # the way back from a race is not to what it was made of
        self.app.go("race")
        self.app.pauses.race_opened()

    def _not_saved(self, wrong: NotSaved, in_memory: Callable[[], RaceDesk] | None) -> None:
        """Ask whether the race goes on although the disk cannot be written."""
        self._refused(wrong)
        if in_memory is not None:
            self.app.ask(lost_with_power(wrong), lambda: self._close_and_open(in_memory, None))

    def _save(self, _: float) -> None:
        """Retry writing the entries that are in memory only."""
        if self.seat is not None and self.unsaved:
            self.seat.save()

    def _refused(self, wrong: Exception) -> None:
        self.opening = False
        if not isinstance(wrong, CompanionError):
            logging.getLogger(__name__).error("the race could not be opened", exc_info=wrong)
            wrong = CompanionError("not_opened")
        self.app.tell(wrong)

    def close(self) -> None:
        """Close the race after all pending work; it can be resumed."""
        self.phones.close()
        self.app.pauses.race_closed()
        if self.seat is not None:
            self.seat.close()
            self._again.cancel()
        self._look.cancel()
        unsaved.count = 0
        self.app.beside.set_question(-1, "", starting=False, wet=False)
        self.seat, self.shown, self.track, self.log_id, self.rulebook = None, None, None, "", ""
        self._current, self._newest = None, (None, None)
        self.signing = Signing(self.app.kept)

    def follow(self) -> None:
        """Apply the settings of language and prices."""
        if self.seat is not None:
            self.seat.speak(theme.language)
            self.seat.price(self.app.kept.now.prices)
            self.phones.follow(self.app.kept.now.prices)

    def _on_picture(self, current: object, shown: RaceShown) -> None:
        """Take the newest picture from the desk's thread, to draw with the next frame."""
        self._newest = current, shown
        self._look()

    def _looked(self, *_: Any) -> None:
        current, newest = self._newest
        if current is not self._current:
            return
        self.shown = newest
        unsaved.count = len(self.unsaved)
        if self.shown is not None:
            ask(self.app.beside, self.shown)
        if self.shown is not None and self.app.screen is not None:
            self.app.screen.race(self.shown)

    def _stopped(self) -> None:
        """Handle the desk's stop on a full disk, from its thread."""
        Clock.schedule_once(lambda _: self._on_leave())

    def _on_leave(self) -> None:
        self.close()
        self.app.home()


def lost_with_power(wrong: CompanionError) -> Confirmation:
    """Return the question whether to go on in memory, which a power cut loses."""
    say = theme.words.screen
    return Confirmation(
        title=say("race.save", why=wrong.code), note=say("race.memory_note"), act=say("race.save_memory")
    )
