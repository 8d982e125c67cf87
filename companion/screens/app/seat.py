"""The race as the screens see it: one desk in a thread of its own, pictures of it, and what people mean to do.

Whatever is meant returns at once. The desk's thread does it, makes the picture that follows and hands it over. A
refusal, a full disk and a failure of the program itself come as pictures too: the race stays as it was.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

import msgspec

from companion.desk import DeskThread, EntryWritten, RaceDesk
from companion.desk.ahead import Ahead
from companion.desk.auto_answer import go_alone
from companion.desk.session import MOVED
from companion.rules.conversation.asking import Asked, Json, Option, Ruling
from companion.rules.conversation.errors import BadAnswer, CompanionError, NothingToDo, NotSaved
from companion.rules.conversation.faces import die_of
from companion.screens.app.signing import TABLE
from companion.sheets.acts import HINT, person
from companion.sheets.entry import REMARKS
from companion.view import price
from companion.view.pages.history import undos
from companion.view.race.card import has_card
from companion.view.race.prompt import full_disk
from companion.view.race.race import race
from companion.view.race.rolls import waits
from companion.view.race.steps import taken_back
from companion.view.seats.programs import Programs, hand_over, handed_over, may_have_odds
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

WAITS: Final = 10.0
"""How many seconds a roll is kept that came before its question."""

SLICE: Final = 4
"""How many ways that the dice of a selected stop may take are followed at once, for a picture that has not waited for
them."""


class EarlyRoll:
    """Keeps the last one: the face, of this die if it is known which."""

    def __init__(self) -> None:
        self._rolled: tuple[int, str, float] | None = None

    def keep(self, face: int, die: str) -> None:
        """A roll for which nothing is asked yet."""
        self._rolled = face, die, time.monotonic()

    def taken(self, asked: Asked | None) -> int | None:
        """The face, once, if its question is asked now and it is not too old."""
        if self._rolled is None or asked is None:
            return None
        face, die, at = self._rolled
        late = time.monotonic() - at >= WAITS
        if late or die not in ("", die_of(asked.ask, asked.what)) or face not in (asked.faces or ()):
            return None
        self._rolled = None
        return face


RollFate = Literal["taken", "kept", "late"]
"""What became of a roll: it answers its question, is kept for one that may still come, or its question has been
answered by other means."""

T = TypeVar("T")
Work = Callable[[RaceDesk], Any]


class Seat:
    """Runs one race for the screens. `make` makes the desk in its thread; `show` is handed each new picture there, and
    `stopped` called when the table chooses to stop on a full disk. A `guided` race has a guide, who drives all cars but
    the first."""

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
        """The offered answer that was given last, if one was."""
        self._accepting: Option | None = None
        self._heard = self._alone = False
        self._toast: Toast | None = None
        self._waiting: Work | None = None
        self._refusal = ""
        self._called = -1
        """The question to which a driver has called the table."""
        self.unsaved: tuple[Write, ...] = ()
        """The entries that no disk took; read from any thread."""
        self._early = EarlyRoll()
        self._guided = guided
        self._teacher: Teacher | None = None
        self._hall: tuple[tuple[Price, ...], Calls] = ((), "")
        """How the table stands with race control: chips, and whether it is called."""
        self.programs: Programs
        """Who drives the program's cars; for the desk's thread."""
        self._odds: RaceOdds | None = None
        """Counts the odds, where the table wants them."""
        self._hint: tuple[Asked, Hint] | None = None
        """The hint that was asked for, and at which question."""
        self._last: RaceShown | None = None
        self._acts = self._changing = self._done = 0
        """The number of the last act of the table, of the last one that may change the race, and of the last one that
        the desk has done."""
        self._moved = 0
        """The last entry since which another question may have the number of one before."""
        self._thread = DeskThread(make)
        self._thread.call(self._begin)
        self._do(self._go_alone)  # apart: a disk that takes none of it is asked about, and nothing begins twice

    # -- what people mean to do

    def is_busy(self, shown: RaceShown) -> bool:
        """Return True while a picture is older than what the table did last to change the race."""
        return self._changing > shown.done

    def is_settled(self, shown: RaceShown) -> bool:
        """Return True once a picture shows all that the table did, selections and hints too."""
        return self._acts <= shown.done

    def answer(self, n: int, answer: Json, *, seen: int | None = None, dispute: str = "") -> None:
        """Answers question `n`; the question of a full disk as well. `seen` is the last entry that the picture showed
        on which it was meant: an answer for another question of that number is refused. With `dispute` its ruling is
        noted as disputed for that reason."""
        self._change(lambda desk: self._answer(desk, n, answer, seen, dispute))

    def select(self, answer: Json, n: int | None = None) -> None:
        """Selects an answer, so that its ruling is shown before it is accepted; not if question `n` is no longer
        open."""

        def select(desk: RaceDesk) -> None:
            if n is None or n == desk.n:
                self._selected = answer

        self._look(select)

    def rolled(self, face: int, die: str = "", n: int = -1) -> Future[RollFate]:
        """Take what the die-roller read, of this die if it knows which, for question `n` if it was asked to. Where no
        die is asked, a person answers first, or the table is asked what becomes of a full disk, it is offered as the
        selected answer when one is asked within ten seconds. The future raises what refused the roll; it is done once
        the picture that follows has been handed over."""
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
        """Takes back answers of people. `of` is the entry that the key named: if it is not the last one any more,
        nothing is taken back."""

        def undo(desk: RaceDesk) -> None:
            last = desk.undo_label()
            if not of or (last is not None and last.seq == of):
                self._go_back("undo", desk, lambda: desk.undo(count, by=TABLE))

        self._change(undo)

    def back_to(self, seq: int) -> None:
        """Takes back the answer of an entry, so that it is asked again, and all that came after it."""

        def undo(desk: RaceDesk) -> None:
            count = undos(desk.history)[_place_of(desk, seq)]
            self._go_back("undo", desk, lambda: desk.undo(count, by=TABLE))

        self._change(undo)

    def redo(self) -> None:
        """Gives again what was taken back last."""
        self._change(lambda desk: self._go_back("redo", desk, lambda: desk.redo(by=TABLE)))

    def correct(self, seq: int, answer: Json, *, keep: str = "replay", then: Sequence[Json] = ()) -> None:
        """Corrects the answer of an entry, by replay or with the board as it stands, unless it has been taken back
        meanwhile."""
        self._change(lambda desk: desk.correct(_place_of(desk, seq), answer, keep=keep, by=TABLE, then=then))

    def override(self, change: Mapping[str, Json], *, by: str, why: str) -> None:
        """Sets values by the referee's word."""
        self._change(lambda desk: desk.override(change, by=by, why=why))

    def force(self, n: int, answer: Json, *, by: str, why: str) -> None:
        """Gives an answer that was not offered, by the referee's word."""
        self._change(lambda desk: desk.answer(answer, n=n, by=by, force=True, why=why))

    def note(self, text: str) -> None:
        """Keeps a remark."""
        self._do(lambda desk: self._said("noted", lambda: desk.note(text, by=TABLE)))

    def dispute(self, why: str, seq: int = 0) -> None:
        """Notes that the ruling of an entry is disputed, of the last one if none is named."""

        def dispute(desk: RaceDesk) -> int:
            return desk.dispute(seq, by=TABLE, why=why) if seq else desk.dispute_last(by=TABLE, why=why)

        self._do(lambda desk: self._said("disputed", lambda: dispute(desk)))

    def uphold(self, seq: int) -> None:
        """Ends the dispute of an entry's ruling: it stands."""
        self._do(lambda desk: self._said("upheld", lambda: desk.uphold(seq, by=TABLE)))

    def save(self) -> None:
        """Tries to write what is in memory only; that there is still no room is no news."""
        self._do(self._save, looks=True)

    def act(self, do: Callable[[RaceDesk], None]) -> Future[None]:
        """Has something done that a phone asks for, as if it were done here; the future raises what refused it. While
        the table is asked what becomes of a full disk, no phone answers."""
        done: Future[None] = Future()

        def work(desk: RaceDesk) -> None:
            try:
                if self._waiting is not None and self._waiting is not work:
                    raise BadAnswer("The table answers now.", "at_table")
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
        """A driver calls the table from his phone: to question `n`, whose answer he disputes, or with -1 to a ruling
        that was given. The clock stands still until that question is answered."""

        def called(desk: RaceDesk) -> None:
            if n == desk.n:
                self._called = n
            names = {car.number: car.driver for car in desk.public().cars}
            text = self._words(desk).screen("race.called", names, car=seat if isinstance(seat, int) else None)
            self._toast = Toast(text=text, tone="info", icon="flag")

        self._do(called)

    def pushed(self) -> None:
        """The table has done on the board what the program's driver wanted: the next one may drive."""
        self._change(lambda _: self.programs.done())

    def hand_over(self, car: int, program: str, *, rolls: bool | None = None) -> None:
        """The program drives a car from here on, or with "" a person does."""

        def handed(desk: RaceDesk) -> None:
            driver = hand_over(desk, car, program, rolls=rolls, by=TABLE)
            said = handed_over(self._words(desk), car, driver, desk.history.program_rolls, desk.names)
            self._toast = Toast(text=said, tone="info", icon="person")

        self._change(handed)

    def hint(self) -> None:
        """Asks what a champion would answer; the log has it that it was asked."""
        self._look(self._ask_hint, told=True)

    def hide_hint(self) -> None:
        """Puts the hint away."""
        self._look(lambda desk: self._offer(None))

    def odds(self) -> None:
        """The odds on the running order, or gears and gaps again."""
        self._do(self._turn_odds, looks=True)

    # -- how it is shown

    def speak(self, lang: str) -> None:
        """Goes on in another language."""
        self._do(lambda desk: setattr(self, "_lang", lang), looks=True)

    def price(self, prices: Prices) -> None:
        """Shows prices before the roll, after it, or never."""
        self._do(lambda desk: setattr(self, "_prices", prices), looks=True)

    def mark(self, chips: tuple[Price, ...], call: Calls) -> None:
        """Has chips in the top bar, and the key of the call: how the table stands with race control."""
        self._do(lambda desk: setattr(self, "_hall", (chips, call)), looks=True)

    def leave_guide(self) -> None:
        """The guide says no more, and drives for nobody; the race goes on."""
        self._do(lambda desk: setattr(self, "_teacher", None), looks=True)

    def see(self, look: Callable[[RaceDesk, Words], T]) -> Future[T]:
        """Has something read in the desk's thread, such as the race sheet; it must not write."""
        return self._thread.call(lambda desk: look(desk, self._words(desk)))

    def close(self) -> None:
        """Ends when all that was meant is done; the race can be resumed."""
        self._thread.call(lambda desk: self.programs.end())
        if self._odds is not None:
            self._odds.end()
        self._thread.close()

    # -- in the desk's thread

    def _change(self, work: Work) -> Future[None]:
        """Has the desk do what the table means to change."""
        self._acts += 1
        self._changing = self._acts
        return self._do(work, act=self._acts)

    def _look(self, work: Work, *, told: bool = False) -> None:
        """Has the desk do what the table wants to see, such as a selection; `told` is whether it tells of it."""
        self._acts += 1
        self._do(work, looks=not told, act=self._acts)

    def _do(self, work: Work, *, looks: bool = False, act: int = 0) -> Future[None]:
        return self._thread.call(lambda desk: self._run(desk, work, looks, act))

    def _run(self, desk: RaceDesk, work: Work, looks: bool, act: int) -> None:
        """Does one thing, with whatever may go wrong, and shows how the race stands then; what only changes the look
        leaves what was told as it is. `act` is the number of what the table did, 0 if it was not the table."""
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
            self._waiting, self._refusal = work, wrong.kind
        except CompanionError as wrong:
            self._toast = Toast(text=self._words(desk).error(wrong), tone="bad", icon="cross")
        except Exception:
            self._failed(desk)
        self.unsaved, self._done = desk.waiting, max(self._done, act)
        if not looks and self._last is not None:
            self._last = msgspec.structs.replace(self._last, toast=None)  # the same refusal again is told again
        self._hand(desk)

    def _hand(self, desk: RaceDesk) -> None:
        """Hands over the picture, if it has changed. One that cannot be made is said on the last one."""
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
        """Looks on at what the picture has not waited for, a little at a time, so that nobody else waits for it."""
        self._looking = False
        shown = self._last
        if shown is None or not waits(shown.risk) or shown.prompt.n != desk.n or self._waiting is not None:
            return
        if self._ahead.explore(shown.prompt.keys[shown.prompt.chosen].answer, SLICE) is not None:
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
        """What needs nobody at the table: a landing that is the only one, and the cars that a guide or the program
        drives; nothing while the table is asked what becomes of what no disk took."""
        if self._waiting is None:
            go_alone(desk, self._teacher or self.programs)

    def _hear(self, told: EntryWritten) -> None:
        """What the last entries of the race brought; a remark on them leaves it as it is."""
        if told.kind in REMARKS:
            return
        if told.kind in MOVED:
            self._moved = told.seq
        self._called = -1
        self._alone = not person(told.by)
        if not self._heard:
            self._told, self._heard, self._accepted = [], True, self._accepting
        self._told += told.rulings
        if any(has_card(ruling) for ruling in told.rulings):
            self._entry = told.seq

    def _words(self, desk: RaceDesk) -> Words:
        rulebook: Any = desk.rulebook
        return BoardWords(self._lang, rulebook.name, rulebook.track)

    def _picture(self, desk: RaceDesk) -> RaceShown:
        sight = Sight(
            desk,
            self._words(desk),
            ahead=self._ahead,
            prices=self._prices,
            selected=self._selected,
            told=self._told,
            entry=self._entry,
            accepted=self._accepted is not None and price.costs(self._accepted),
            alone=self._alone,
            hurried=True,
        )
        shown = msgspec.structs.replace(race(sight), called=self._called == desk.n, done=self._done, seq=desk.seq)
        if self._waiting is not None:
            shown = msgspec.structs.replace(
                shown, prompt=full_disk(sight, shown.prompt, self._refusal, self._selected), card=None
            )
        chips, call = self._hall
        if chips or call:
            top = msgspec.structs.replace(shown.top, marks=(*shown.top.marks, *chips), call=call)
            shown = msgspec.structs.replace(shown, top=top)
        if self._teacher is not None:
            chip = Price(text=sight.say("guide.chip"), tone="info")
            top = msgspec.structs.replace(shown.top, marks=(*shown.top.marks, chip))
            asks = self._teacher.legends(sight, shown.prompt)
            shown = msgspec.structs.replace(shown, top=top, prompt=asks, guide=self._teacher.guide(sight, asks))
        seats = [] if desk.counts or desk.over else desk.seats
        handed = sight.playing if sight.playing in seats else seats[0] if seats else 0
        shown = msgspec.structs.replace(
            shown,
            push=self.programs.push(sight),
            may_odds=may_have_odds(desk),
            may_hand_over=handed,
            may_end=bool(sight.book.race_endings) and sight.race.phase == "race",
        )
        shown = self._with_odds(desk, shown, sight.words)
        if self._hint is not None and self._hint[0] == desk.asked:
            from companion.view.seats.hint import hint_shown

            shown = msgspec.structs.replace(shown, hint=hint_shown(sight, self._hint[1], shown.prompt))
        return msgspec.structs.replace(shown, toast=self._toast) if self._toast is not None else shown

    def _failed(self, desk: RaceDesk) -> None:
        logging.getLogger(__name__).exception("something failed; the race stands as it was")
        self._toast = Toast(text=self._words(desk).screen("race.failed"), tone="bad", icon="triangle")

    def _answer(self, desk: RaceDesk, n: int, answer: Json, seen: int | None, dispute: str) -> None:
        if self._waiting is not None:
            self._go_on(desk, answer)
            return
        if seen is not None and n == desk.n and seen < self._moved:
            raise BadAnswer("The question was asked anew meanwhile; look at it again.", "asked_anew")
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

    def _with_odds(self, desk: RaceDesk, shown: RaceShown, words: Words) -> RaceShown:
        """The running order with the odds, once the tables that they rest on are there."""
        from companion.view.seats.odds import of_car, with_odds

        wins = self.wins(desk)
        if not wins:
            return shown
        chip = Price(text=words.screen("race.odds_on"), icon="curve")
        top = msgspec.structs.replace(shown.top, marks=(*shown.top.marks, chip))
        if shown.dashboard is not None and shown.board.sections:
            shown = msgspec.structs.replace(shown, dashboard=of_car(shown.dashboard, wins, words))
        return msgspec.structs.replace(shown, top=top, order=with_odds(shown.order, wins, words))

    def wins(self, desk: RaceDesk) -> Mapping[int, float]:
        """Each car's chance to win, where the table wants the odds; for the desk's thread."""
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
        """The table's word on a full disk: what was to be done is done in memory, or nothing more is.

        Another answer was meant for the question that stood there before.
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

    def _go_back(self, icon: str, desk: RaceDesk, move: Callable[[], Any]) -> None:
        sight = Sight(desk, self._words(desk))
        what = taken_back(sight)
        move()
        if icon == "redo":
            what = taken_back(Sight(desk, self._words(desk)))
        said = sight.say("race.redone" if icon == "redo" else "race.undone", what=what)
        self._toast = Toast(text=said, tone="plain", icon=icon)

    def _said(self, key: str, say: Callable[[], object]) -> None:
        say()
        self._toast = Toast(text=Words(self._lang).screen(f"race.{key}"), tone="info", icon="edit")

    def _roll(self, desk: RaceDesk, face: int, die: str, n: int) -> RollFate:
        asked = desk.asked
        if n >= 0 and n != desk.n:
            return "late"
        if asked is not None and asked.faces is not None and die not in ("", die_of(asked.ask, asked.what)):
            raise BadAnswer("The die-roller rolled another die than the one that is asked for; roll again.")
        if asked is not None and asked.faces is not None and not desk.held and self._waiting is None:
            desk.answer(face, n=asked.n, by="roller")
            return "taken"
        self._early.keep(face, die)
        self._offer_roll(desk)
        return "kept"

    def _offer_roll(self, desk: RaceDesk) -> None:
        if self._waiting is None and (face := self._early.taken(desk.asked)) is not None:
            self._selected = face


def _place_of(desk: RaceDesk, seq: int) -> int:
    """Which of the answers in force an entry holds. Raises NothingToDo if it was taken back since it was chosen."""
    n = desk.history.place_of(seq)
    if n is None:
        raise NothingToDo("That answer has been taken back meanwhile; choose one that is in force.")
    return n
