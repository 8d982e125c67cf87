"""A race session: a desk in its own thread, its pictures, and the table's actions.

Every action returns at once. The desk's thread carries it out, makes the next picture and publishes it. A refusal, a
full disk and a failure of the program arrive as pictures too: the race stays as it was.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

import msgspec

from companion.desk import DeskThread, Done, EntryWritten, RaceDesk
from companion.desk.ahead import Ahead
from companion.desk.auto_answer import go_alone
from companion.desk.session import MOVED
from companion.rules.conversation.asking import Asked, Json, Option, Ruling
from companion.rules.conversation.errors import BadAnswer, CompanionError, NothingToDo, NotSaved
from companion.rules.conversation.faces import die_of
from companion.screens.app.signing import TABLE
from companion.sheets.acts import HINT, person
from companion.sheets.entry import REMARKS, Answered
from companion.view import price
from companion.view.pages.history import label, undos
from companion.view.race.card import has_card
from companion.view.race.rolls import waits
from companion.view.race.steps import taken_back
from companion.view.seats.at_table import Additions, race_at_table
from companion.view.seats.programs import Programs, hand_over, handed_over
from companion.view.shown import Calls, Price, Toast
from companion.view.shown_race import RaceShown
from companion.view.sight import NOTHING, Prices, Sight
from companion.view.worded import BoardWords
from companion.wording import Words

if TYPE_CHECKING:
    from companion.drivers.hint import Hint
    from companion.sheets.log import Write
    from companion.view.seats.guide import Teacher
    from companion.view.seats.odds import RaceOdds

EARLY_ROLL_SECONDS: Final = 10.0
"""Seconds for which a roll that came before its question is kept."""

OUTCOMES_PER_STEP: Final = 4
"""Number of dice outcomes of a selected stop followed at a time, for a picture that did not wait for them."""


class EarlyRoll:
    """The last unasked roll: its face, and its die if known."""

    def __init__(self) -> None:
        self._rolled: tuple[int, str, float] | None = None

    def keep(self, face: int, die: str) -> None:
        """Store a roll that no question has asked for yet."""
        self._rolled = face, die, time.monotonic()

    def take(self, asked: Asked | None) -> int | None:
        """Return the stored face, once, if its question is open and it is not too old."""
        if self._rolled is None or asked is None:
            return None
        face, die, at = self._rolled
        late = time.monotonic() - at >= EARLY_ROLL_SECONDS
        if late or die not in ("", die_of(asked.ask, asked.what)) or face not in (asked.faces or ()):
            return None
        self._rolled = None
        return face


RollFate = Literal["taken", "kept", "late"]
"""Fate of a roll: it answers its question, is kept for one that may still come, or came too late, since its question
was answered otherwise."""

T = TypeVar("T")
Work = Callable[[RaceDesk], Any]


class RaceSession:
    """The session of one race.

    `make` makes the desk in its thread; `show` gets each new picture there, and `stopped` is called when the table
    chooses to stop on a full disk. A `guided` race has a guide, who drives all cars but the first.
    """

    def __init__(
        self,
        make: Callable[[], RaceDesk],
        show: Callable[[RaceShown], None],
        *,
        lang: str = "en",
        prices: Prices = "always",
        stopped: Callable[[], None] = lambda: None,
        guided: bool = False,
    ) -> None:
        self._show, self._stopped, self._prices, self._lang = show, stopped, prices, lang
        self._selected: Any = NOTHING
        self._looking = False
        self._told: list[Ruling] = []
        self._entry = 0
        self._accepted: Option | None = None
        """Last offered answer that was given, if any."""
        self._accepting: Option | None = None
        self._heard = self._alone = False
        self._tested = self._tests_go_on = False
        """True if the last act answered a test, and if the one before did, too."""
        self._toast: Toast | None = None
        self._waiting: Work | None = None
        self._refusal = ""
        self._called = -1
        """Question at which a driver called the table."""
        self.unsaved: tuple[Write, ...] = ()
        """Entries that no disk has taken; may be read from any thread."""
        self._early = EarlyRoll()
        self._guided = guided
        self._teacher: Teacher | None = None
        self._hall: tuple[tuple[Price, ...], Calls] = ((), "")
        """Standing of the table with race control: chips, and the state of the call."""
        self.programs: Programs
        """Drivers of the program's cars; for the desk's thread only."""
        self._odds: RaceOdds | None = None
        """Odds, if the table wants them."""
        self._hint: tuple[Asked, Hint] | None = None
        """Hint that was asked for, with its question."""
        self._last: RaceShown | None = None
        self._acts = self._changing = self._done = 0
        """Numbers of the table's last act, of the last one that may change the race, and of the last one that the desk
        has done."""
        self._moved = 0
        """Last entry after which a question may reuse the number of an earlier one."""
        self._thread = DeskThread(make)
        self._thread.call(self._begin)
        self._do(self._go_alone)  # apart: a disk that takes none of it is asked about, and nothing begins twice

    # -- what people mean to do

    def is_busy(self, shown: RaceShown) -> bool:
        """Return True while a picture is older than the table's last change to the race."""
        return self._changing > shown.done

    def is_settled(self, shown: RaceShown) -> bool:
        """Return True once a picture includes every action of the table, even selections."""
        return self._acts <= shown.done

    def answer(self, n: int, answer: Json, *, seen: int | None = None, dispute: str = "") -> None:
        """Answer question `n`, or the question of a full disk.

        `seen` is the last entry in the picture that was answered: an answer meant for another question of that number
        is refused. With `dispute` its ruling is recorded as disputed for that reason.
        """
        self._change(lambda desk: self._answer(desk, n, answer, seen, dispute))

    def select(self, answer: Json, n: int | None = None) -> None:
        """Select an answer to preview its ruling, unless question `n` is no longer open."""

        def select(desk: RaceDesk) -> None:
            if n is None or n == desk.n:
                self._selected = answer

        self._look(select)

    def rolled(self, face: int, die: str = "", n: int = -1) -> Future[RollFate]:
        """Submit the roller's face, with its die if known and its question `n` if asked.

        While no die is asked for, a person answers first, or a full disk is being decided, the face is offered as the
        selected answer when one is asked for within ten seconds. The future raises a refusal; it is done once the
        next picture has been published.
        """
        decided: list[RollFate | Exception] = []
        fate: Future[RollFate] = Future()

        def roll(desk: RaceDesk) -> None:
            try:
                decided.append(self._roll(desk, face, die, n))
            except NotSaved:
                decided.append("taken")  # the table is asked, and the roll is given again
                raise
            except CompanionError as wrong:
                decided.append(wrong)

        def settle(ran: Future[None]) -> None:
            first = decided[0] if decided else RuntimeError("the roll failed")
            if isinstance(first, Exception):
                fate.set_exception(first)
            else:
                fate.set_result(first)

        self._change(roll).add_done_callback(settle)
        return fate

    def undo(self, count: int = 1, *, of: int = 0) -> None:
        """Undo people's answers.

        `of` is the entry named on the key: if it is no longer the last one, nothing is undone.
        """

        def undo(desk: RaceDesk) -> None:
            last = desk.undo_label()
            if not of or (last is not None and last.seq == of):
                self._go_back("undo", desk, lambda: desk.undo(count, by=TABLE))

        self._change(undo)

    def back_to(self, seq: int) -> None:
        """Undo an entry's answer and everything after it, so that it is asked again."""

        def undo(desk: RaceDesk) -> None:
            count = undos(desk.history)[_place_of(desk, seq)].answers
            self._go_back("undo", desk, lambda: desk.undo(count, by=TABLE))

        self._change(undo)

    def redo(self) -> None:
        """Redo the last undo."""
        self._change(lambda desk: self._go_back("redo", desk, lambda: desk.redo(by=TABLE)))

    def correct(self, seq: int, answer: Json, *, keep: str = "replay", then: Sequence[Json] = ()) -> None:
        """Correct an entry's answer, by replay or on the current board.

        Refused if it has been undone meanwhile.
        """
        self._change(lambda desk: desk.correct(_place_of(desk, seq), answer, keep=keep, by=TABLE, then=then))

    def override(self, change: Mapping[str, Json], *, by: str, why: str) -> None:
        """Set values by a referee's override."""
        self._change(lambda desk: desk.override(change, by=by, why=why))

    def force(self, n: int, answer: Json, *, by: str, why: str) -> None:
        """Give an answer that was not offered, by a referee's override."""
        self._change(lambda desk: desk.answer(answer, n=n, by=by, force=True, why=why))

    def note(self, text: str) -> None:
        """Add a note."""
        self._do(lambda desk: self._report("noted", lambda: desk.note(text, by=TABLE)))

    def rename(self, name: str) -> None:
        """Rename the race."""
        self._do(lambda desk: self._report("renamed", lambda: desk.rename(name, by=TABLE)))

    def dispute(self, why: str, seq: int = 0) -> None:
        """Record a dispute of an entry's ruling, or of the last one."""

        def dispute(desk: RaceDesk) -> int:
            return desk.dispute(seq, by=TABLE, why=why) if seq else desk.dispute_last(by=TABLE, why=why)

        self._do(lambda desk: self._report("disputed", lambda: dispute(desk)))

    def uphold(self, seq: int) -> None:
        """Reject the dispute of an entry's ruling: it stands."""
        self._do(lambda desk: self._report("upheld", lambda: desk.uphold(seq, by=TABLE)))

    def save(self) -> None:
        """Retry writing what is in memory only; a disk still full is no news."""
        self._do(self._save, looks=True)

    def act(self, do: Callable[[RaceDesk], None]) -> Future[None]:
        """Carry out a phone's action as if done here; the future raises a refusal.

        While the table decides on a full disk, no phone can act.
        """
        done: Future[None] = Future()

        def work(desk: RaceDesk) -> None:
            try:
                if self._waiting is not None and self._waiting is not work:
                    raise BadAnswer("at_table.table")
                do(desk)
            except NotSaved as wrong:
                if not done.done():
                    done.set_exception(wrong)
                raise  # the table is asked
            except BaseException as wrong:
                done.set_exception(wrong)
                return
            if not done.done():
                done.set_result(None)

        self._do(work)
        return done

    def call(self, n: int, seat: int | str) -> None:
        """Call the table from a driver's phone.

        `n` is the question whose answer is disputed, or -1 for a ruling. The clock stops until that question is
        answered.
        """

        def called(desk: RaceDesk) -> None:
            if n == desk.n:
                self._called = n
            names = {car.number: car.driver for car in desk.public().cars}
            text = self._words(desk).screen("race.called", names, car=seat if isinstance(seat, int) else None)
            self._toast = Toast(text=text, tone="info", icon="flag")

        self._do(called)

    def pushed(self) -> None:
        """Confirm the program's move on the board: its next car may move."""
        self._change(lambda _: self.programs.done())

    def hand_over(self, car: int, program: str, *, rolls: bool | None = None) -> None:
        """Hand a car over to the program, or with "" to a person."""

        def handed(desk: RaceDesk) -> None:
            driver = hand_over(desk, car, program, rolls=rolls, by=TABLE)
            said = handed_over(self._words(desk), car, driver, desk.history.program_rolls, desk.names)
            self._toast = Toast(text=said, tone="info", icon="person")

        self._change(handed)

    def hint(self) -> None:
        """Ask for a champion's answer; the log records the request."""
        self._look(self._ask_hint, told=True)

    def hide_hint(self) -> None:
        """Hide the hint."""
        self._look(lambda desk: self._offer(None))

    def odds(self) -> None:
        """Toggle between the odds in the running order and gears and gaps."""
        self._do(self._turn_odds, looks=True)

    # -- how it is shown

    def speak(self, lang: str) -> None:
        """Change the language."""
        self._do(lambda desk: setattr(self, "_lang", lang), looks=True)

    def price(self, prices: Prices) -> None:
        """Set when prices are shown: always, after the roll, or never."""
        self._do(lambda desk: setattr(self, "_prices", prices), looks=True)

    def mark(self, chips: tuple[Price, ...], call: Calls) -> None:
        """Set the top bar's chips and call key: the link to race control."""
        self._do(lambda desk: setattr(self, "_hall", (chips, call)), looks=True)

    def leave_guide(self) -> None:
        """Dismiss the guide, who also drives no car any more; the race goes on."""
        self._do(lambda desk: setattr(self, "_teacher", None), looks=True)

    def see(self, look: Callable[[RaceDesk, Words], T]) -> Future[T]:
        """Read something in the desk's thread, such as the race sheet, without writing."""
        return self._thread.call(lambda desk: look(desk, self._words(desk)))

    def close(self) -> None:
        """Close the session after all pending work; the race can be resumed."""
        self._thread.call(lambda desk: self.programs.end())
        if self._odds is not None:
            self._odds.end()
        self._thread.close()

    # -- in the desk's thread

    def _change(self, work: Work) -> Future[None]:
        """Run an action that changes the race."""
        self._acts += 1
        self._changing = self._acts
        return self._do(work, act=self._acts)

    def _look(self, work: Work, *, told: bool = False) -> None:
        """Run an action that changes the view, such as a selection.

        `told` is True if it shows a toast.
        """
        self._acts += 1
        self._do(work, looks=not told, act=self._acts)

    def _do(self, work: Work, *, looks: bool = False, act: int = 0) -> Future[None]:
        return self._thread.call(lambda desk: self._run(desk, work, looks, act))

    def _run(self, desk: RaceDesk, work: Work, looks: bool, act: int) -> None:
        """Run one action, handle its failure, and publish the resulting state.

        An action that only changes the view keeps the toast. `act` is the number of the table's action, 0 if it was
        not the table's.
        """
        self._heard, self._accepting = False, None
        self._toast = self._toast if looks else None
        before = desk.seq
        try:
            work(desk)
            if desk.seq != before:
                self._waiting = None
                if self._heard:  # a remark leaves the question, and what is selected, as it is
                    self._selected = NOTHING
                work = self._go_alone  # what was meant is done: if no disk takes what follows, that alone waits
                work(desk)
                self._offer_roll(desk)
        except NotSaved as wrong:
            self._waiting, self._refusal = work, wrong.code
        except CompanionError as wrong:
            self._toast = Toast(text=self._words(desk).error(wrong), tone="bad", icon="cross")
        except Exception:
            self._failed(desk)
        self.unsaved, self._done = desk.waiting, max(self._done, act)
        if not looks and self._last is not None:
            self._last = msgspec.structs.replace(self._last, toast=None)  # the same refusal again is told again
        self._hand(desk)

    def _hand(self, desk: RaceDesk) -> None:
        """Publish the picture, if it has changed.

        If it cannot be made, the last one reports the failure.
        """
        try:
            shown = self._picture(desk)
        except Exception:
            self._failed(desk)
            if self._last is None:
                return
            shown = msgspec.structs.replace(self._last, toast=self._toast, done=self._done)
        if shown != self._last:
            self._last = shown
            self._show(shown)
        if waits(shown.risk) and not self._looking:
            self._looking = True
            self._thread.call(self._look_on)

    def _look_on(self, desk: RaceDesk) -> None:
        """Continue the risk search of the picture for a slice, so that nobody waits for it."""
        self._looking = False
        shown = self._last
        if shown is None or not waits(shown.risk) or shown.prompt.n != desk.n or self._waiting is not None:
            return
        if self._ahead.explore(shown.prompt.keys[shown.prompt.chosen].answer, OUTCOMES_PER_STEP) is not None:
            self._hand(desk)
        else:
            self._looking = True
            self._thread.call(self._look_on)

    def _begin(self, desk: RaceDesk) -> None:
        self._ahead = Ahead(desk)
        desk.listen(self._hear)
        if self._guided:
            from companion.view.seats.guide import Teacher

            self._teacher = Teacher(desk)
        self.programs = Programs(desk, lambda: self._do(self._go_alone, looks=True))

    def _go_alone(self, desk: RaceDesk) -> None:
        """Play on what needs nobody: forced landings, and the guide's or the program's cars.

        Nothing while the table decides on a full disk.
        """
        if self._waiting is None:
            go_alone(desk, self._teacher or self.programs)

    def _hear(self, told: EntryWritten) -> None:
        """Take the rulings of newly written entries; remarks are ignored."""
        if told.kind in REMARKS:
            return
        if told.kind in MOVED:
            self._moved = told.seq
        self._called = -1
        self._alone = not person(told.by)
        if not self._heard:
            self._told, self._heard, self._accepted = [], True, self._accepting
            tested = isinstance(told.body, Answered) and told.body.key[0] == "test"
            self._tests_go_on, self._tested = self._tested and tested, tested
        self._told += told.rulings
        if any(has_card(ruling) for ruling in told.rulings):
            self._entry = told.seq

    def _words(self, desk: RaceDesk) -> Words:
        rulebook: Any = desk.rulebook
        return BoardWords(self._lang, rulebook.name, rulebook.track)

    def _picture(self, desk: RaceDesk) -> RaceShown:
        selected = self._selected
        if self._teacher is not None and selected is NOTHING:
            selected = self._teacher.space(desk)  # what is advised is what is marked
        sight = Sight(
            desk,
            self._words(desk),
            ahead=self._ahead,
            prices=self._prices,
            selected=selected,
            told=self._told,
            entry=self._entry,
            accepted=self._accepted is not None and price.costs(self._accepted),
            alone=self._alone,
            hurried=True,
        )
        marks, call = self._hall
        more = Additions(
            programs=self.programs,
            done=self._done,
            called=self._called == desk.n,
            refusal=self._refusal if self._waiting is not None else None,
            selected=self._selected,
            marks=marks,
            call=call,
            teacher=self._teacher,
            wins=self.wins(desk),
            hint=self._hint[1] if self._hint is not None and self._hint[0] == desk.asked else None,
            lost=self._last.card if self._tests_go_on and self._last is not None else None,
            toast=self._toast,
        )
        return race_at_table(sight, more)

    def _failed(self, desk: RaceDesk) -> None:
        logging.getLogger(__name__).exception("something failed; the race stands as it was")
        self._toast = Toast(text=self._words(desk).screen("race.failed"), tone="bad", icon="triangle")

    def _answer(self, desk: RaceDesk, n: int, answer: Json, seen: int | None, dispute: str) -> None:
        if self._waiting is not None:
            self._go_on(desk, answer)
            return
        if seen is not None and n == desk.n and seen < self._moved:
            raise BadAnswer("asked_anew")
        options = (desk.asked.options or []) if desk.asked is not None else []
        self._accepting = next((option for option in options if option.answer == answer), None)
        desk.answer(answer, n=n, by=TABLE)
        if dispute:
            seq = desk.seq
            self._do(lambda desk: desk.dispute(seq, by=TABLE, why=dispute))  # apart: a disk may fill up between the two

    def _turn_odds(self, desk: RaceDesk) -> None:
        from companion.view.seats.odds import RaceOdds

        if self._odds is not None:
            self._odds.end()
        self._odds = None if self._odds is not None else RaceOdds()

    def wins(self, desk: RaceDesk) -> Mapping[int, float]:
        """Return each car's chance to win, if the table wants odds; in the desk's thread."""
        return self._odds.wins(desk, self.programs) if self._odds is not None else {}

    def _ask_hint(self, desk: RaceDesk) -> None:
        from companion.drivers.hint import hint
        from companion.view.seats.hint import hint_sentence

        asked, words = desk.asked, self._words(desk)
        if asked is None or not self.programs.studied(desk, asked):
            said = words.screen("hint.waits", share=round(100 * self.programs.share))
            self._toast = Toast(text=said, tone="info", icon="clock")
            return
        found = hint(asked, desk.rulebook)
        said = hint_sentence(words, asked, found, desk.names)
        said = words.screen("hint.noted", desk.names, car=asked.car, said=said)
        desk.note(said, by=f"{HINT}{asked.car}")
        self._offer((asked, found))

    def _offer(self, hint: tuple[Asked, Hint] | None) -> None:
        self._hint = hint
        self._selected = hint[1].answer if hint is not None else NOTHING

    def _go_on(self, desk: RaceDesk, answer: Json) -> None:
        """Act on the table's decision on a full disk: go on in memory, or stop.

        Any other answer was meant for the question that was there before.
        """
        work = self._waiting
        if answer == "memory" and work is not None:
            self._waiting = None
            desk.go_on_in_memory()
            say = self._words(desk).screen
            label = say("race.export")
            self._toast = Toast(
                text=say("race.in_memory"), tone="bad", icon="storage", action="export", action_label=label
            )
            work(desk)
            if not desk.unsaved:  # as where the races' file was gone, and the race was written anew
                self._toast = Toast(text=say("race.saved"), tone="ok", icon="check")
        elif answer == "stop":
            self._waiting = None
            self._toast = Toast(text=self._words(desk).screen("race.stopped"), tone="warn", icon="storage")
            self._stopped()

    def _save(self, desk: RaceDesk) -> None:
        if desk.unsaved:
            with contextlib.suppress(NotSaved):
                desk.save()
                self._toast = Toast(text=self._words(desk).screen("race.saved"), tone="ok", icon="check")

    def _go_back(self, icon: str, desk: RaceDesk, move: Callable[[], list[Done]]) -> None:
        words = self._words(desk)
        before = Sight(desk, words)
        what = taken_back(before)
        moved = move()
        if len(moved) > 1:
            what = label(moved[-1], before.names, words)
        elif icon == "redo":
            what = taken_back(Sight(desk, words))
        said = words.say("redone" if icon == "redo" else "undone", count=len(moved), what=what)
        self._toast = Toast(text=said, tone="plain", icon=icon)

    def _report(self, key: str, say: Callable[[], object]) -> None:
        say()
        self._toast = Toast(text=Words(self._lang).screen(f"race.{key}"), tone="info", icon="edit")

    def _roll(self, desk: RaceDesk, face: int, die: str, n: int) -> RollFate:
        asked = desk.asked
        if n >= 0 and n != desk.n:
            return "late"
        if asked is not None and asked.faces is not None and die not in ("", die_of(asked.ask, asked.what)):
            raise BadAnswer("other_die")
        if asked is not None and asked.faces is not None and not desk.auto_answers_paused and self._waiting is None:
            desk.answer(face, n=asked.n, by="roller")
            return "taken"
        self._early.keep(face, die)
        self._offer_roll(desk)
        return "kept"

    def _offer_roll(self, desk: RaceDesk) -> None:
        if self._waiting is None and (face := self._early.take(desk.asked)) is not None:
            self._selected = face


def _place_of(desk: RaceDesk, seq: int) -> int:
    """Return the index of an entry's answer among those in force.

    Raises NothingToDo if it was undone since it was chosen.
    """
    n = desk.history.place_of(seq)
    if n is None:
        raise NothingToDo("not_in_force.answer")
    return n
