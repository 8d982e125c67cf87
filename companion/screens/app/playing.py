"""The race that is open in the app: its seat at the desk, and the last picture of it. Screens come and go, it stays."""

from __future__ import annotations

import gc
import logging
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from kivy.clock import Clock

from companion.rules.conversation.errors import CompanionError, NotSaved
from companion.screens.app.beside import ask
from companion.screens.app.phones import TablePhones
from companion.screens.app.signals import Signals
from companion.screens.app.signing import Signing
from companion.screens.widgets.confirm import Question
from companion.screens.widgets.theme import theme
from companion.screens.widgets.unsaved import unsaved
from companion.view.shown_race import RaceShown

if TYPE_CHECKING:
    from companion.desk import RaceDesk
    from companion.rules.circuit.track import Track
    from companion.rules.conversation.asking import Json
    from companion.screens.app.app import CompanionApp
    from companion.screens.app.seat import Seat
    from companion.sheets.log import Write

AGAIN: Final = 5.0
"""Seconds after which what no disk took is tried again."""


class Playing:
    """At most one race. `seat` is where its answers go, `shown` the last picture of it, `track` its circuit, `log_id`
    which one it is, `rulebook` the rules it goes by. `signals` tell what happens in it to ears and lights, `signing`
    who its referee is, `phones` the pages of it, if they are open."""

    def __init__(self, app: CompanionApp) -> None:
        self.app = app
        self.seat: Seat | None = None
        self.shown: RaceShown | None = None
        self.track: Track | None = None
        self.log_id = self.rulebook = ""
        self.signals = Signals(app.speaker)
        self.signing = Signing(app.kept)
        self.phones = TablePhones()
        self._newest: tuple[object, RaceShown | None] = (None, None)
        """The last picture that a desk has handed over, and the opening that it belongs to."""
        self._current: object = None
        """The opening of the race that is open: of one that was left a picture may still be on its way."""
        self._opening = False
        self._look = Clock.create_trigger(self._looked)
        self._again: Any = None

    def resume(self, log_id: str) -> None:
        """Goes on with a race of the data folder, and goes to its screen."""
        from companion.desk import RaceDesk

        if self.seat is not None and self.log_id == log_id:
            self.app.go("race")
        else:
            self.open(
                lambda: RaceDesk.resume(self.app.folder, log_id),
                lambda: RaceDesk.resume(self.app.folder, log_id, memory=True),
            )

    def begin(self, setup: Mapping[str, Json], track: str, *, name: str = "", guided: bool = False) -> None:
        """Begins a race on a circuit, by its key or the path of its file, and goes to its screen; with a guide, if it
        is to be one that is learnt by."""

        def make(memory: bool = False) -> RaceDesk:
            from companion.desk.beginning import begin_race

            return begin_race(setup, track, self.app.folder, name=name, memory=memory)

        self.open(make, partial(make, memory=True), guided)

    @property
    def unsaved(self) -> tuple[Write, ...]:
        """The entries of the race that is open which no disk took."""
        return self.seat.unsaved if self.seat is not None else ()

    def open(
        self, make: Callable[[], RaceDesk], in_memory: Callable[[], RaceDesk] | None = None, guided: bool = False
    ) -> None:
        """Has a desk made and goes to its race; where the disk takes nothing, one made `in_memory` if the table says
        so. This takes a moment, in a thread of its own; what is wrong is told. If the race that is open would lose
        what is in memory only, that is asked first."""
        if not self._opening:
            self._or_lose(lambda: self._close_and_open(make, in_memory, guided))

    def leave(self) -> None:
        """Closes the race and goes home; if what is in memory only would be lost, that is asked first."""
        self._or_lose(self._left)

    def _or_lose(self, then: Callable[[], object]) -> None:
        """Does something that ends the race, once the table agrees to lose what no disk took."""
        if not self.unsaved:
            then()
            return
        say = theme.words.screen
        question = Question(
            title=say("race.leave", count=len(self.unsaved)), note=say("race.leave_note"), act=say("race.leave_act")
        )
        self.app.ask(question, then)

    def _close_and_open(
        self, make: Callable[[], RaceDesk], in_memory: Callable[[], RaceDesk] | None, guided: bool = False
    ) -> None:
        self._opening = True
        self.close()
        current = self._current = object()
        threading.Thread(
            target=self._open, args=(make, in_memory, current, guided), name="opening", daemon=True
        ).start()

    def _open(
        self, make: Callable[[], RaceDesk], in_memory: Callable[[], RaceDesk] | None, current: object, guided: bool
    ) -> None:
        from companion.screens.app.seat import Seat  # with the rules core: not before a race is opened

        made: list[RaceDesk] = []

        def desk() -> RaceDesk:
            made.append(make())
            return made[0]

        kept = self.app.kept.now
        try:
            seat = Seat(
                desk, partial(self._shown, current), lang=theme.language, prices=kept.prices, stopped=self._stopped,
                guided=guided,
            )  # fmt: skip
        except NotSaved as wrong:
            Clock.schedule_once(lambda _, why=wrong: self._not_saved(why, in_memory))
        except Exception as wrong:
            Clock.schedule_once(lambda _, why=wrong: self._refused(why))
        else:
            log_id = made[0].log.log_id if made[0].log is not None else ""
            book = made[0].rulebook
            Clock.schedule_once(lambda _: self._opened(seat, getattr(book, "track", None), log_id, book.name))

    def _opened(self, seat: Seat, track: Any, log_id: str, rulebook: str) -> None:
        drawn = None if track is None or track.known == "sections" else track
        self._opening, self.seat, self.track, self.log_id, self.rulebook = False, seat, drawn, log_id, rulebook
        self._again = Clock.schedule_interval(self._save, AGAIN)
        self.phones.follow(self.app.kept.now.prices)
        if log_id:
            tell = self.app.tell
            self.phones.again(seat, self.app.folder, log_id, lambda wrong: Clock.schedule_once(lambda _: tell(wrong)))
        if len(self.app.visits) > 1:
            self.app.home()  # the way back from a race is not to what it was made of
        self.app.go("race")
        if self.app.spares_collector:
            gc.freeze()

    def _not_saved(self, wrong: NotSaved, in_memory: Callable[[], RaceDesk] | None) -> None:
        """The disk takes nothing: the table says whether the race goes on all the same."""
        self._refused(wrong)
        if in_memory is not None:
            self.app.ask(lost_with_power(wrong), lambda: self._close_and_open(in_memory, None))

    def _save(self, _: float) -> None:
        """What is in memory only is tried again and again."""
        if self.seat is not None and self.unsaved:
            self.seat.save()

    def _refused(self, wrong: Exception) -> None:
        self._opening = False
        if not isinstance(wrong, CompanionError):
            logging.getLogger(__name__).error("the race could not be opened", exc_info=wrong)
            wrong = CompanionError(theme.words.screen("app.not_opened"))
        self.app.tell(wrong)

    def close(self) -> None:
        """Leaves the race when all that was meant is done; it can be resumed."""
        self.phones.close()
        if self.app.spares_collector:
            gc.unfreeze()
        if self.seat is not None:
            self.seat.close()
            self._again.cancel()
        self._look.cancel()
        unsaved.count = 0
        self.app.beside.asked(-1, "", starting=False, wet=False)
        self.seat, self.shown, self.track, self.log_id, self.rulebook = None, None, None, "", ""
        self._current, self._newest = None, (None, None)
        self.signing = Signing(self.app.kept)

    def follow(self) -> None:
        """Speaks and prices as the settings say now."""
        if self.seat is not None:
            self.seat.speak(theme.language)
            self.seat.price(self.app.kept.now.prices)
            self.phones.follow(self.app.kept.now.prices)

    def _shown(self, current: object, shown: RaceShown) -> None:
        """From the desk's thread: the newest picture, drawn with the next frame."""
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
        """From the desk's thread: the table stops on a full disk."""
        Clock.schedule_once(lambda _: self._left())

    def _left(self) -> None:
        self.close()
        self.app.home()


def lost_with_power(wrong: CompanionError) -> Question:
    """Ask whether to go on where the disk takes nothing, or what it takes is lost with the power."""
    say = theme.words.screen
    return Question(title=say("race.save", why=wrong.kind), note=say("race.memory_note"), act=say("race.save_memory"))
