"""The race that lies on the desk: how it begins and is resumed, what is open, what was done, how that is written."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self, cast

import msgspec

from companion.desk.events import Done, EntryWritten
from companion.rules.conversation.asking import Asked, Json, Ruling
from companion.rules.conversation.conversation import Conversation, Input
from companion.rules.conversation.errors import BadOverride, LogError
from companion.rules.position import Position, position
from companion.sheets.acts import Item, person
from companion.sheets.entry import Beginning, Body, EntryKind, check_words
from companion.sheets.history import History
from companion.sheets.replay import Make, reapply_answer, resume_conversation, rulebook_of

if TYPE_CHECKING:
    from companion.rules.public import Public
    from companion.rules.rulebooks import Book
    from companion.sheets.log import Log, Write
    from companion.sheets.sheet import RaceSheet

SPACING: Final = 12
"""Minimum number of answers between two states kept for resuming."""


class EventOutcome(msgspec.Struct):
    """The outcome of an event: its rulings, and the position if a round began with it."""

    rulings: list[Ruling]
    position: Position | None


class OpenRace:
    """One race and its log: how it stands, and how it is written down. Nothing is done to it here."""

    def __init__(self, rulebook: Book, *, setup: Mapping[str, Json] | None = None, name: str = "") -> None:
        self._seat(rulebook, Conversation(rulebook), History(), None)
        self.history.begin(self._beginning(dict(setup or {}), "", name), "", "", self.conversation.opening)

    @classmethod
    def begin(
        cls,
        rulebook: Book,
        *,
        setup: Mapping[str, Json],
        track: str,
        folder: Path,
        name: str = "",
        by: str = "table",
        memory: bool = False,
    ) -> Self:
        """Begin a race on a log in `folder`; `track` is the text of its circuit.

        Raises NotSaved if the disk takes nothing, unless `memory` says to go on without it.
        """
        from companion.sheets.log import Log, now
        from companion.sheets.wall_clock import moment

        desk = cls.__new__(cls)
        desk._seat(rulebook, Conversation(rulebook), History(), None)
        at = now()
        board = getattr(rulebook, "track", None)
        where = board.name if board is not None else setup.get("track", "race")
        beginning = desk._beginning(dict(setup), track, name or f"{where} {moment(at)}")
        talk = desk.conversation
        desk.log = Log.begin(
            folder, beginning, by=by, opening=talk.opening, state=talk.digest, at=at, stands=desk._stands(),
            in_memory=memory,
        )  # fmt: skip
        desk._now = now
        desk.history.begin(beginning, desk.log.log_id, at, talk.opening)
        return desk

    @classmethod
    def resume(cls, folder: Path, race: str = "last", *, make: Make = rulebook_of, memory: bool = False) -> Self:
        """Resume a race exactly where it was; `race` is its name, id, or "last".

        Raises LogError if there is no such race, it is deleted or damaged, another program writes it, or this version
        of its rulebook would rule otherwise; NotSaved if it cannot be written, unless `memory`.
        """
        from companion.sheets.log import Log, now

        log = Log.resume(folder, race, in_memory=memory)
        try:
            entries, snapshots = log.read()
            history = History.of(entries)
            if entries and entries[-1].kind == "delete":  # any entry would give it back to the list without a word
                raise LogError("gone.deleted", race=history.name, id=log.log_id[:8])
            if history.beginning is None:
                raise LogError("damaged.no_start_of", name=log.name)
            rulebook, talk = resume_conversation(history, snapshots, make)
            desk = cls.__new__(cls)
            desk._seat(rulebook, talk, history, log)
        except BaseException:
            log.close()
            raise
        desk._now = now
        desk._snapshots = [n for n, _ in history.vouched(snapshots)]
        if desk._snapshots:
            log.throw_away({n for n, _ in snapshots}.difference(desk._snapshots))
        return desk

    @classmethod
    def from_log(cls, history: History, answers: int | None = None) -> Self:
        """Return the race of a log, driven again up to its last answer, or as it stood after so many.

        It is held in memory only. Raises LogError if the log does not say how the race began, or the rulebook does not
        follow it.
        """
        begun = history.beginning
        if begun is None:
            raise LogError("damaged.no_start")
        desk = cls(rulebook_of(begun.setup, begun.track), setup=begun.setup)
        for item in history.items[:answers]:
            reapply_answer(desk.conversation, history, item)
        return desk

    def _seat(self, rulebook: Book, talk: Conversation, history: History, log: Log | None) -> None:
        self.rulebook, self.conversation, self.history, self.log = rulebook, talk, history, log
        self._listeners: list[Callable[[EntryWritten], None]] = []
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
        """True if the race is over."""
        return self.conversation.question is None

    def state(self) -> tuple[dict[str, Json], bool]:
        """Return the position as a setup, and whether the race goes on exactly from it.

        It does at the first question of a turn, as the position was when the turn began; in the middle of one, and
        where its car was taken out in it and the rest of the turn is played, the position is only how things stand.
        """
        talk, rulebook = self.conversation, self.rulebook
        at, saved = talk.last_checkpoint
        if at == talk.n:
            rulebook = rulebook.clone()
            rulebook.load(saved)
        return rulebook.state(), at == talk.n and rulebook.race.move is None

    @property
    def suggested(self) -> Json:
        """The answer that a correction took from the open question and that may be given again, or None."""
        return self.history.suggested(self.conversation.key)

    @property
    def auto_answers_paused(self) -> bool:
        """True if nothing is answered by itself: something was undone and no person has answered since."""
        return self.history.held

    @property
    def unsaved(self) -> int:
        """The number of entries that are in memory only, because the disk took none."""
        return self.log.unsaved if self.log is not None else 0

    @property
    def waiting(self) -> tuple[Write, ...]:
        """Those entries, as they will be written."""
        return self.log.waiting if self.log is not None else ()

    @property
    def in_memory(self) -> bool:
        """True if the table chose to go on without the disk."""
        return self.log is not None and self.log.in_memory

    @property
    def seq(self) -> int:
        """The number of the last entry."""
        return self.history.seq

    def answers(self) -> list[Done]:
        """Everything in force, in order; what a correction chooses from."""
        return [Done.of(n, item) for n, item in enumerate(self.history.items)]

    def undo_label(self) -> Done | None:
        """Return the answer that an undo would take back, or None."""
        actions = self.history.undoing(1)
        return Done.acted(actions[-1], len(actions) - 1) if actions else None

    def redo_label(self) -> Done | None:
        """Return the answer that a redo would give again, or None."""
        actions = self.history.redoing(1)
        return Done.acted(actions[0], len(actions) - 1) if actions else None

    def open_disputes(self) -> list[tuple[int, str]]:
        """Return the entries with disputed and undecided rulings, each with its reason, the oldest first."""
        return self.history.open_disputes()

    def sheet(self) -> RaceSheet:
        """Return the race sheet as it stands."""
        from companion.sheets.build_sheet import race_sheet

        now = position(self.rulebook, whole=True, over=self.over)
        return race_sheet(self.history, now)

    @property
    def names(self) -> dict[int, str]:
        """The driver of each car."""
        return {car.number: car.driver for car in self.rulebook.race.cars}

    def public(self, seat: int | None = None) -> Public:
        """Return the race as the driver of car `seat` may know it."""
        from companion.rules.public import public

        return public(self.rulebook, seat)

    def listen(self, listener: Callable[[EntryWritten], None]) -> None:
        """Call `listener` after every entry that is written."""
        self._listeners.append(listener)

    def deaf(self, listener: Callable[[EntryWritten], None]) -> None:
        """Stop calling `listener`."""
        self._listeners.remove(listener)

    # -- how an entry is written

    def _outcome(self, talk: Conversation, rulings: list[Ruling], before: tuple[int, bool]) -> EventOutcome:
        """Return the outcome of an event; `before` are the round before it, and whether the race was over.

        A race that goes on after all has a position as well.
        """
        rulebook = cast("Book", talk.rulebook)
        over = talk.question is None
        if over or (rulebook.round, over) != before:
            return EventOutcome(rulings, position(rulebook, whole=before[0] == 0, over=over))
        return EventOutcome(rulings, None)

    def _write(
        self,
        kind: EntryKind,
        by: str,
        n: int,
        body: Body,
        rulings: Sequence[Ruling],
        stands: bool,
        *,
        forget: int | None = None,
    ) -> None:
        """Write the entry of the conversation's last event; raise NotSaved, and BadAnswer for a text that cannot be."""
        check_words(by, body)
        log = self.log
        if log is None:
            return
        talk, kept = self.conversation, self._snapshots
        if forget is not None:
            kept = [place for place in kept if place <= forget]
        last = kept[-1] if kept else 0
        new: list[tuple[int, bytes]] = []
        if talk.last_checkpoint[0] - last >= SPACING:
            for mark in talk.checkpoints:
                if mark[0] - last >= SPACING:
                    new.append(mark)
                    last = mark[0]
        if new:
            body = msgspec.structs.replace(body, states=[(n, hashlib.sha256(state).hexdigest()) for n, state in new])
        version = self.rulebook.VERSION
        if version != self.history.versions[-1]:
            body = msgspec.structs.replace(body, version=version)
        self._written_at, self._digest = self._now(), talk.digest
        log.append(
            kind, by, n, body, rulings, self._digest, self._written_at,
            forget=forget, keep=new, stands=self._stands() if stands else None,
        )  # fmt: skip
        if body.version:
            self.history.versions.append(version)
        if new or forget is not None:
            self._snapshots = [*kept, *(place for place, _ in new)]

    def _stands(self) -> tuple[int, bool]:
        return self.rulebook.round, self.over

    def _added(
        self, kind: EntryKind, event: Input, by: str, why: str, outcome: EventOutcome, at: int, body: Body
    ) -> None:
        history = self.history
        item = Item(event, by, history.seq + 1, self._at, why, outcome.rulings, outcome.position, None, self._digest)
        history.add(kind, item)
        if self._listeners:
            self._tell(kind, by, at, body, outcome.rulings)

    @property
    def _at(self) -> str:
        return self._written_at if self.log is not None else ""

    _written_at = _digest = ""

    def _fits(self, talk: Conversation, items: Sequence[Item]) -> None:
        """Raise LogError if a conversation that went back does not stand as the log says that it stood there."""
        if items and items[-1].state and items[-1].state != talk.digest:
            raise LogError("no_way_back", seq=items[-1].seq)

    def _tell(self, kind: EntryKind, by: str, n: int, body: Body, rulings: Sequence[Ruling]) -> None:
        told = EntryWritten(kind, self.seq, n, by, self._at, body, rulings)
        for listener in self._listeners:
            try:
                listener(told)
            except Exception:
                logging.getLogger(__name__).exception("a listener failed on entry %s", told.seq)


def signed(by: str, why: str) -> None:
    """Raise BadOverride if the referee's word lacks the name of a person or a reason."""
    if not by.strip() or not why.strip() or not person(by):
        raise BadOverride("unsigned")
