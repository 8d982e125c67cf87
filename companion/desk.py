"""The race desk: the only writer of a race.

It takes one answer after the other, lets the rulebook rule, writes answer and rulings down, and only then says so. It
takes back, gives again and corrects. Terminal, line protocol, screens and tests all use it; none of them knows a rule.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import msgspec

from companion.rules.conversation import Asked, Conversation, Event, Json, Ruling
from companion.rules.correction import Instead, leave_board, replay
from companion.rules.errors import BadAnswer, BadOverride, LogError, NothingToDo
from companion.rules.race import Car, Race
from companion.sheets.again import Make, resumed, rulebook_of
from companion.sheets.history import (
    Action,
    Answered,
    Beginning,
    Corrected,
    History,
    Item,
    Moved,
    Overridden,
    Position,
    Said,
    Spoken,
    person,
)
from companion.sheets.position import Referee, position

if TYPE_CHECKING:
    from companion.sheets.log import Log, Write
    from companion.sheets.sheet import RaceSheet

SPACING: Final = 12
"""How many answers lie between two states kept for resuming, at least."""

T = TypeVar("T")


class Done(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that was done, as data: what an undo takes back, or what fell away by a correction.

    `kind` is "answer", "override" or "correct"; `takes` counts the answers that go with it.
    """

    n: int
    seq: int
    kind: str
    by: str
    ask: str = ""
    car: int | None = None
    round: int = 0
    what: str = ""
    answer: Json = None
    change: dict[str, Json] | None = None
    takes: int = 0


class Correction(msgspec.Struct, frozen=True):
    """What a correction would do, or did.

    By replay: `kept` later answers stand, `dropped` fall away (`fell`), and then `asks` is asked. With the board as it
    stands: `change` is set, `fell` are the answers of that step that no longer follow, `left` what would have been
    otherwise on the board and stays, and `asks` what would have been asked beside.
    """

    n: int
    keep: str
    kept: int
    dropped: int
    asks: Asked | None
    fell: list[Done]
    change: dict[str, Json] | None = None
    left: list[Json] = []


class Told(msgspec.Struct, frozen=True):
    """What listeners are told once an entry is written."""

    kind: str
    seq: int
    n: int
    by: str
    rulings: Sequence[Ruling]


class _Outcome(msgspec.Struct):
    """What an event brought: its rulings, and the position if a round began with it."""

    rulings: list[Ruling]
    position: Position | None


class _Replay(msgspec.Struct):
    """A correction by replay, tried on a conversation of its own."""

    talk: Conversation
    outcomes: list[tuple[int, _Outcome]]
    skipped: list[int]
    end: int


class RaceDesk:
    """Runs one race and keeps its log. `RaceDesk(rulebook)` keeps it in memory only; `begin` and `resume` on a log."""

    def __init__(self, rulebook: Referee, *, setup: Mapping[str, Json] | None = None, name: str = "") -> None:
        self._seat(rulebook, Conversation(rulebook), History(), None)
        self.history.begin(self._beginning(dict(setup or {}), "", name), "", "", self.conversation.opening)

    @classmethod
    def begin(
        cls,
        rulebook: Referee,
        *,
        setup: Mapping[str, Json],
        track: str,
        folder: Path,
        name: str = "",
        by: str = "table",
        memory: bool = False,
    ) -> RaceDesk:
        """A new race on a log in `folder`; `track` is the text of its circuit.

        Raises NotSaved if the disk takes nothing, unless `memory` says to go on without it.
        """
        from companion.sheets.log import Log, now

        desk = cls.__new__(cls)
        desk._seat(rulebook, Conversation(rulebook), History(), None)
        at = now()
        board = getattr(rulebook, "track", None)
        where = board.name if board is not None else setup.get("track", "race")
        beginning = desk._beginning(dict(setup), track, name or f"{where} {at[:16].replace('T', ' ')}")
        talk = desk.conversation
        desk.log = Log.begin(
            folder, beginning, by=by, opening=talk.opening, state=talk.digest, at=at, stands=desk._stands(),
            in_memory=memory,
        )  # fmt: skip
        desk._now = now
        desk.history.begin(beginning, desk.log.log_id, at, talk.opening)
        return desk

    @classmethod
    def resume(cls, folder: Path, race: str = "last", *, make: Make = rulebook_of, memory: bool = False) -> RaceDesk:
        """A race that goes on exactly where it was; `race` is its name, id, or "last".

        Raises LogError if there is no such race, it is damaged, another program writes it, or this version of its
        rulebook would rule otherwise; NotSaved if it cannot be written, unless `memory`.
        """
        from companion.sheets.log import Log, now

        log = Log.resume(folder, race, in_memory=memory)
        try:
            entries, snapshots = log.read()
            history = History.of(entries)
            if history.beginning is None:
                raise LogError(f"The log of {log.name} does not say how the race began.", "damaged")
            rulebook, talk = resumed(history, snapshots, make)
            desk = cls.__new__(cls)
            desk._seat(rulebook, talk, history, log)
        except BaseException:
            log.close()
            raise
        desk._now = now
        desk._snapshots = [n for n, _ in snapshots if n <= talk.n]
        return desk

    def _seat(self, rulebook: Referee, talk: Conversation, history: History, log: Log | None) -> None:
        self.rulebook, self.conversation, self.history, self.log = rulebook, talk, history, log
        self._listeners: list[Callable[[Told], None]] = []
        self._snapshots: list[int] = []
        self._kept: dict[int, list[tuple[int, bytes]]] = {}
        self._now: Callable[[], str] = lambda: ""

    def _beginning(self, setup: dict[str, Json], track: str, name: str) -> Beginning:
        rulebook = self.rulebook
        figures, board = getattr(rulebook, "figures", None), getattr(rulebook, "track", None)
        return Beginning(
            setup=setup,
            rulebook=rulebook.name,
            version=rulebook.VERSION,
            track_key=board.key if board is not None else str(setup.get("track", "")),
            track=track,
            name=name,
            figures=msgspec.to_builtins(figures) if figures is not None else {},
            position=position(rulebook, whole=True, over=self.conversation.question is None),
        )

    # -- what is open, and what was done

    @property
    def asked(self) -> Asked | None:
        """The open question as plain data, None when the race is over."""
        return self.conversation.asked

    @property
    def n(self) -> int:
        """The number of the open question."""
        return self.conversation.n

    @property
    def over(self) -> bool:
        """Whether the race is over."""
        return self.conversation.question is None

    @property
    def suggested(self) -> Json:
        """The answer that a correction took from the open question and that may be given again, or None."""
        return self.history.suggested(self.conversation.key)

    @property
    def held(self) -> bool:
        """Whether nothing is answered by itself: something was taken back and no person has answered since."""
        return self.history.held

    @property
    def unsaved(self) -> int:
        """How many entries are in memory only, because the disk took none."""
        return self.log.unsaved if self.log is not None else 0

    @property
    def waiting(self) -> tuple[Write, ...]:
        """Those entries, as they will be written."""
        return self.log.waiting if self.log is not None else ()

    @property
    def in_memory(self) -> bool:
        """Whether the table chose to go on without the disk."""
        return self.log is not None and self.log.in_memory

    @property
    def seq(self) -> int:
        """The number of the last entry."""
        return self.history.seq

    def rulings_since(self, n: int) -> list[tuple[int, Sequence[Ruling]]]:
        """The rulings in force from answer `n` on, by the number of the answer."""
        return [(place, item.rulings) for place, item in enumerate(self.history.items[n:], n)]

    def answers(self) -> list[Done]:
        """Everything in force, in order; what a correction chooses from."""
        return [self._item(n, item) for n, item in enumerate(self.history.items)]

    def undo_label(self) -> Done | None:
        """What an undo would take back, None if nothing."""
        actions = self.history.undoing(1)
        return self._label(actions[-1], len(actions) - 1) if actions else None

    def redo_label(self) -> Done | None:
        """What a redo would give again, None if nothing."""
        actions = self.history.redoing(1)
        return self._label(actions[0], len(actions) - 1) if actions else None

    def sheet(self) -> RaceSheet:
        """The race sheet as it stands."""
        from companion.sheets.sheet import race_sheet

        now = position(self.rulebook, whole=True, over=self.over)
        return race_sheet(self.history, now)

    def listen(self, listener: Callable[[Told], None]) -> None:
        """Calls `listener` after every entry that was written."""
        self._listeners.append(listener)

    # -- what people and programs do

    def answer(
        self, value: Json, *, n: int | None = None, by: str = "table", force: bool = False, why: str = ""
    ) -> list[Ruling]:
        """Answers the open question; returns what was ruled on it, once it is written.

        `n` is the question that is meant. Raises BadAnswer if that is no longer open or does not allow the answer;
        NotSaved if the disk took nothing; the question is open then. `force` gives an answer that was not offered, by
        a person with a reason.
        """
        talk = self.conversation
        at = talk.n
        if n is not None and n != at:
            raise BadAnswer(f"Question {n} is no longer open; the open one is {at}.", "stale", n=n, open=at)
        if self.history.held and not person(by):
            raise BadAnswer("Something was taken back; a person answers first.", "held")
        if force:
            _signed(by, why)
        before = self.rulebook.round
        rulings = talk.answer(value, forced=force)
        try:
            outcome = self._outcome(talk, rulings, before)
            event = talk.events[-1]
            if self.log is not None:
                assert event.key is not None
                body = Answered(event.key, value, force, why, outcome.position)
                self._write("answer", by, at, body, rulings, outcome.position is not None)
        except BaseException:
            talk.back(at)
            raise
        self._added("answer", event, by, why, outcome, at)
        return rulings

    def override(self, change: Mapping[str, Json], *, by: str, why: str) -> list[Ruling]:
        """Sets values by the referee's word: wear, gear, place, tyres, sky, surface, order, status.

        Raises BadOverride if that makes no sense, or name or reason are missing.
        """
        _signed(by, why)
        talk = self.conversation
        at, before = talk.n, self.rulebook.round
        rulings = talk.override(change)
        try:
            outcome = self._outcome(talk, rulings, before)
            self._write("override", by, at, Overridden(dict(change), why, outcome.position), rulings, True)
        except BaseException:
            talk.back(at)
            raise
        self._added("override", talk.events[-1], by, why, outcome, at)
        return rulings

    def undo(self, count: int = 1, *, by: str = "table", why: str = "") -> list[Done]:
        """Takes back the last `count` answers of people, and what was answered by itself since; returns what it took.

        A correction or override counts as an answer. Raises NothingToDo if there are not that many.
        """
        actions = self.history.undoing(count)
        self._enough(actions, count, "taken back")
        return self._move("undo", actions, count, by)

    def redo(self, count: int = 1, *, by: str = "table") -> list[Done]:
        """Gives again what the last `count` undone answers of people were, and all that followed each by itself."""
        actions = self.history.redoing(count)
        self._enough(actions, count, "given again")
        return self._move("redo", actions, count, by)

    def try_correction(
        self, n: int, answer: Json, *, keep: str = "replay", force: bool = False, then: Sequence[Json] = ()
    ) -> Correction:
        """What correcting answer `n` would do; nothing is done. Raises BadAnswer, NothingToDo."""
        event = self._corrected(n, answer, force)
        if _way(keep) == "replay":
            return self._tried(n, self._replay(n, event))
        return self._stood(n, event, then)[0]

    def correct(
        self,
        n: int,
        answer: Json,
        *,
        keep: str = "replay",
        by: str = "table",
        force: bool = False,
        why: str = "",
        then: Sequence[Json] = (),
    ) -> Correction:
        """Corrects answer `n`.

        keep = "replay": the later answers stand while the same questions are asked, and the race asks on from there.
        keep = "board": the cars stay where they are; only wear, tyres, markers, weather and the sheet change. Where the
        corrected step asks what the old answers do not fit (`asks` of the trial), `then` answers it; without it the old
        answers hold by force. Raises BadAnswer or NothingToDo, and nothing has changed then.
        """
        if force:
            _signed(by, why)
        if not person(by):
            raise BadAnswer("A correction is made by a person.", "held")
        event = self._corrected(n, answer, force)
        if _way(keep) == "replay":
            return self._correct_by_replay(n, event, by, why)
        return self._correct_on_board(n, event, by, why, then)

    def note(self, text: str, *, by: str = "table") -> int:
        """Notes something on the sheet; returns the number of the entry."""
        return self._say("note", text, None, by)

    def dispute(self, seq: int, *, by: str, why: str) -> int:
        """Notes that the ruling of entry `seq` is disputed; raises NothingToDo if there is no such entry."""
        if not 1 <= seq <= self.seq:
            raise NothingToDo(f"There are entries 1 to {self.seq}; number {seq} is not one of them.")
        return self._say("dispute", why, seq, by)

    def uphold(self, seq: int, *, by: str) -> int:
        """Ends the disputes of entry `seq`: its ruling stands. Raises NothingToDo if it is not disputed."""
        if seq not in (about for about, _ in self.open_disputes()):
            raise NothingToDo(f"The ruling of entry {seq} is not disputed.", "undisputed", seq=seq)
        return self._say("uphold", "upheld", seq, by)

    def open_disputes(self) -> list[tuple[int, str]]:
        """The entries whose rulings are disputed and not yet decided, each with its reason, the oldest first."""
        return self.history.open_disputes()

    def go_on_in_memory(self) -> None:
        """The table's word after NotSaved: go on without the disk. What is unsaved is written when there is room."""
        if self.log is not None:
            self.log.in_memory = True

    def save(self) -> None:
        """Tries to write what is unsaved; raises NotSaved."""
        if self.log is not None:
            self.log.save()

    def close(self) -> None:
        """Ends writing; the race can be resumed, here or by another program."""
        if self.log is not None:
            self.log.close()

    def __enter__(self) -> RaceDesk:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- how it is done

    def _outcome(self, talk: Conversation, rulings: list[Ruling], before: int) -> _Outcome:
        rulebook: Any = talk.rulebook
        over = talk.question is None
        if over or rulebook.round != before:
            return _Outcome(rulings, position(rulebook, whole=before == 0, over=over))
        return _Outcome(rulings, None)

    def _added(self, kind: str, event: Event, by: str, why: str, outcome: _Outcome, at: int) -> None:
        history = self.history
        item = Item(event, by, history.seq + 1, self._at, why, outcome.rulings, outcome.position)
        history.add(kind, item)
        if self._listeners:
            self._tell(kind, by, at, outcome.rulings)

    @property
    def _at(self) -> str:
        return self._written_at if self.log is not None else ""

    _written_at = ""

    def _write(
        self,
        kind: str,
        by: str,
        n: int,
        body: msgspec.Struct,
        rulings: Sequence[Ruling],
        stands: bool,
        *,
        forget: int | None = None,
    ) -> None:
        """Writes the entry of what the conversation has just done; raises NotSaved."""
        log = self.log
        if log is None:
            return
        talk, kept = self.conversation, self._snapshots
        if forget is not None:
            kept = [place for place in kept if place <= forget]
        last = kept[-1] if kept else 0
        new: list[tuple[int, bytes]] = []
        if talk.last_mark[0] - last >= SPACING:
            for mark in talk.marks:
                if mark[0] - last >= SPACING:
                    new.append(mark)
                    last = mark[0]
        self._written_at = self._now()
        log.append(
            kind, by, n, body, rulings, talk.digest, self._written_at,
            forget=forget, keep=new, stands=self._stands() if stands else None,
        )  # fmt: skip
        if new or forget is not None:
            self._snapshots = [*kept, *(place for place, _ in new)]

    def _stands(self) -> tuple[int, bool]:
        return self.rulebook.round, self.over

    def _move(self, kind: str, actions: list[Action], count: int, by: str) -> list[Done]:
        talk, history = self.conversation, self.history
        before = list(talk.events), talk.marks
        labels = [self._label(action) for action in actions]
        back = kind == "undo"
        items = list(history.items)
        floor: int | None = None
        try:
            for action in actions:
                items[action.n :] = action.was if back else action.now
                if action.keep == "replay":
                    self._retrace(action, items, back)
                    floor = None
                elif back:
                    floor = action.n
                else:
                    for item in action.now:
                        talk.apply(item.event)
            if floor is not None:
                talk.back(floor)
            seqs = [action.seq for action in actions]
            lowest = min(action.n for action in actions)
            self._write(kind, by, talk.n, Moved(seqs, count), (), True, forget=min(lowest, talk.n))
        except BaseException:
            talk.stand(*before)
            raise
        (history.undo if back else history.redo)(seqs, history.seq + 1)
        self._tell(kind, by, talk.n, ())
        return labels

    def _retrace(self, action: Action, items: list[Item], back: bool) -> None:
        """Brings the conversation to before, or after, a correction by replay."""
        talk = self.conversation
        kept = self._kept.get(action.seq) if back else None
        if kept is not None:
            talk.stand([item.event for item in items], kept)
            return
        talk.back(action.n)
        for item in items[action.n :]:
            talk.apply(item.event)

    def _corrected(self, n: int, answer: Json, force: bool) -> Event:
        items = self.history.items
        if isinstance(n, bool) or not isinstance(n, int) or not 0 <= n < len(items):
            raise NothingToDo(f"There is no answer with the number {n}; given so far: {len(items)}.", "number", n=n)
        old = items[n].event
        if old.key is None:
            raise NothingToDo(f"Number {n} is a value set by the referee; set it anew, or take it back.", "set", n=n)
        return Event(key=old.key, answer=answer, forced=force)

    def _replay(self, n: int, event: Event) -> _Replay:
        items = self.history.items
        skip = frozenset(place for place, item in enumerate(items) if item.corrects == n)
        talk = self.conversation.fork(self.rulebook.spare(), n)
        outcomes = [
            (again.place, self._outcome(talk, again.rulings, again.before))
            for again in replay(talk, self.conversation.events, n, event, skip)
        ]
        end = outcomes[-1][0] + 1
        return _Replay(talk, outcomes, sorted(place for place in skip if place < end), end)

    def _tried(self, n: int, trial: _Replay) -> Correction:
        items = self.history.items
        gone = [*trial.skipped, *range(trial.end, len(items))]
        fell = [self._item(place, items[place]) for place in gone]
        return Correction(n, "replay", len(trial.outcomes) - 1, len(fell), trial.talk.asked, fell)

    def _correct_by_replay(self, n: int, event: Event, by: str, why: str) -> Correction:
        talk, history = self.conversation, self.history
        trial = self._replay(n, event)
        told = self._tried(n, trial)
        items = history.items
        outcomes = [
            (place, outcome.rulings, outcome.position)
            for place, outcome in trial.outcomes
            if place == n or outcome.rulings != list(items[place].rulings) or outcome.position != items[place].position
        ]
        assert event.key is not None
        body = Corrected(
            n, event.key, event.answer, "replay", event.forced, why, len(trial.outcomes) - 1, trial.skipped, outcomes
        )
        before = list(talk.events), talk.marks
        try:
            talk.stand(trial.talk.events, trial.talk.marks)
            self._write("correct", by, n, body, (), True, forget=n)
        except BaseException:
            talk.stand(*before)
            raise
        history.correct(body, history.seq + 1, by, self._at, ())
        self._kept = {**dict(list(self._kept.items())[-1:]), history.seq: before[1]}
        self._tell("correct", by, n, trial.outcomes[0][1].rulings)
        return told

    def _correct_on_board(self, n: int, event: Event, by: str, why: str, then: Sequence[Json]) -> Correction:
        talk, history = self.conversation, self.history
        told, would = self._stood(n, event, then)
        at, before = talk.n, self.rulebook.round
        rulings = talk.override(told.change) if told.change is not None else []
        try:
            outcome = self._outcome(talk, rulings, before) if told.change is not None else _Outcome([], None)
            assert event.key is not None
            body = Corrected(
                n, event.key, event.answer, "board", event.forced, why,
                then=list(then), change=told.change, would=would, fell=[done.n for done in told.fell], left=told.left,
                position=outcome.position,
            )  # fmt: skip
            self._write("correct", by, n, body, rulings, True)
        except BaseException:
            talk.back(at)
            raise
        history.correct(body, history.seq + 1, by, self._at, rulings)
        self._tell("correct", by, n, rulings)
        return told

    def _stood(self, n: int, event: Event, then: Sequence[Json]) -> tuple[Correction, list[Ruling]]:
        """What a correction of answer `n` comes to if the cars stay where they are."""
        items, spare = self.history.items, self.rulebook.spare()

        def read(state: bytes) -> Race[Car]:
            spare.load(state)
            return cast(Race[Car], spare.race)

        stood = leave_board(
            self.conversation, self.rulebook.spare, read, n, Instead(event, then), self.history.boarded()
        )
        fell = [self._item(place, items[place]) for place in stood.fell]
        told = Correction(
            n, "board", len(items) - n - 1 - len(fell), len(fell), stood.asks, fell, stood.change, stood.left
        )
        return told, stood.rulings

    def _say(self, kind: str, text: str, about: int | None, by: str) -> int:
        if not text.strip():
            raise BadAnswer("A note or dispute needs words.", "words")
        talk = self.conversation
        self._write(kind, by, talk.n, Spoken(text, about), (), False)
        self.history.say(Said(self.seq + 1, talk.n, kind, by, self._at, text, about))
        self._tell(kind, by, talk.n, ())
        return self.seq

    def _tell(self, kind: str, by: str, n: int, rulings: Sequence[Ruling]) -> None:
        told = Told(kind, self.seq, n, by, rulings)
        for listener in self._listeners:
            try:
                listener(told)
            except Exception:
                logging.getLogger(__name__).exception("a listener failed on entry %s", told.seq)

    @staticmethod
    def _item(n: int, item: Item, kind: str = "", takes: int = 0) -> Done:
        event = item.event
        if event.key is None:
            return Done(n, item.seq, kind or "override", item.by, change=event.change, takes=takes)
        ask, car, round_, what = event.key
        return Done(n, item.seq, kind or "answer", item.by, ask, car, round_, what, event.answer, takes=takes)

    def _label(self, action: Action, takes: int = 0) -> Done:
        if action.instead is not None and action.corrected is not None:
            item = Item(action.instead, action.by, action.seq)
            return self._item(action.corrected, item, "correct", takes)
        return self._item(action.n, action.now[0], action.kind, takes)

    @staticmethod
    def _enough(actions: list[Action], count: int, verb: str) -> None:
        there = sum(person(action.by) for action in actions)
        if isinstance(count, bool) or count < 1:
            raise NothingToDo(f"One answer or more can be {verb}, not {count}.")
        if not there:
            raise NothingToDo(f"There is nothing that can be {verb}.", "few", there=there, count=count)
        if there < count:
            raise NothingToDo(f"Only {there} of {count} can be {verb}.", "few", there=there, count=count)


def _signed(by: str, why: str) -> None:
    if not by.strip() or not why.strip() or not person(by):
        raise BadOverride("The referee's word needs the name of a person and a reason.", "unsigned")


def _way(keep: str) -> str:
    if keep not in ("replay", "board"):
        raise BadAnswer(f'A correction keeps "replay" or "board"; {keep} is neither.', "keep", keep=keep)
    return keep


class DeskThread:
    """A desk in a thread of its own, for programs in which several hands answer: they hand it work and go on.

    `make` makes the desk in that thread, because a database belongs to the thread that opened it.
    """

    def __init__(self, make: Callable[[], RaceDesk]) -> None:
        self._work: queue.SimpleQueue[tuple[Callable[[RaceDesk], Any], Future[Any]] | None] = queue.SimpleQueue()
        ready: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, args=(make, ready), name="desk", daemon=True)
        self._thread.start()
        ready.result()

    def call(self, work: Callable[[RaceDesk], T]) -> Future[T]:
        """Has the desk do something, after all that was handed in before; the future holds what it returned."""
        future: Future[T] = Future()
        self._work.put((work, future))
        return future

    def close(self) -> None:
        """Does what was handed in, closes the desk and ends the thread."""
        self._work.put(None)
        self._thread.join()

    def _run(self, make: Callable[[], RaceDesk], ready: Future[None]) -> None:
        try:
            desk = make()
        except BaseException as wrong:
            ready.set_exception(wrong)
            return
        ready.set_result(None)
        while (given := self._work.get()) is not None:
            work, future = given
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(work(desk))
                except BaseException as wrong:
                    future.set_exception(wrong)
        desk.close()
