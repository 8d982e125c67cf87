"""A race as a conversation: the referee asks, the table answers, the referee rules.

The race is the row of answers: going back is the copy of the state from before the step, and the answers since then
given again. What a question, an answer and a ruling are: asking.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec

from companion.rules.conversation.asking import AGAIN, Asked, Json, JsonValue, Key, Procedure, Question, Ruling
from companion.rules.conversation.errors import BadAnswer, CompanionError, NothingToDo, RulebookError


class Game(Protocol):
    """The part of a rulebook that a conversation uses; see formula_de.py for the family of dice and gears."""

    ruled: list[Ruling]

    @property
    def round(self) -> int: ...
    def step(self) -> Procedure[None] | None: ...
    def save(self) -> bytes: ...
    def load(self, saved: bytes) -> None: ...
    def override(self, change: Mapping[str, Json]) -> bool: ...
    def abandon(self) -> None: ...


class Input(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One thing in force: an answer (with the key of its question), or a value set by the referee (`change`)."""

    key: Key | None = None
    answer: JsonValue = None
    forced: bool = False
    change: dict[str, Json] | None = None


class Conversation:
    """Runs a rulebook's steps, one answer at a time, and can go back to before any of them.

    >>> from companion import circuits
    >>> from companion.rules.rulebooks import begin
    >>> cars = [{"car": 1, "at": "1:left:1", "gear": 3}, {"car": 2, "at": "1:right:1", "gear": 2}]
    >>> book = begin({"track": "monaco", "cars": cars, "to_play": [1, 2]}, circuits.load("monaco"))
    >>> talk = Conversation(book)
    >>> talk.asked.ask, talk.asked.car, [option.answer for option in talk.asked.options]
    ('gear', 1, [1, 2, 3, 4])
    >>> talk.answer(4)[0].kind, talk.asked.ask
    ('gear', 'roll')
    >>> talk.rewind(0)
    >>> talk.asked.ask
    'gear'
    """

    def __init__(self, rulebook: Game) -> None:
        self.rulebook = rulebook
        self.events: list[Input] = []
        self.question: Question[Any] | None = None
        self._checkpoints: list[tuple[int, bytes]] = []
        self._step: Procedure[None] | None = None
        self._asked: Asked | None = None
        self._advance(None)
        self.opening = list(rulebook.ruled)
        """Rulings made before the first question."""
        rulebook.ruled.clear()

    @classmethod
    def resumed(
        cls,
        rulebook: Game,
        events: Sequence[Input],
        at: int,
        saved: bytes,
        earlier: Sequence[tuple[int, bytes]] = (),
    ) -> Conversation:
        """Return a conversation whose first `at` events led to the state `saved` at the beginning of a step.

        `earlier` are states at the beginning of steps before that one, as `marks` gave them, for going back to.
        """
        talk = cls.__new__(cls)
        talk.rulebook, talk.events, talk.question = rulebook, list(events[:at]), None
        talk._checkpoints, talk._step, talk._asked, talk.opening = [], None, None, []
        rulebook.load(saved)
        talk._advance(None)
        talk._checkpoints = [*earlier, *talk._checkpoints]
        rulebook.ruled.clear()
        for event in events[at:]:
            talk.apply(event)
        return talk

    @property
    def n(self) -> int:
        """The number of the open question: how many answers and values are in force before it."""
        return len(self.events)

    @property
    def asked(self) -> Asked | None:
        """The open question as plain data; None when the race is over."""
        question = self.question
        if question is None:
            return None
        if self._asked is None:
            listed, fields = list(question.options()), question.fields
            self._asked = Asked(
                n=self.n,
                ask=question.ask,
                article=question.article,
                round=self.rulebook.round,
                car=question.car,
                what=question.what,
                options=listed or None,
                faces=list(question.faces) if question.faces is not None else None,
                bands=[list(band) for band in question.bands] if question.bands is not None else None,
                fields=dict(fields) if fields is not None else None,
            )
        return self._asked

    @property
    def key(self) -> Key | None:
        """The identity of the open question: its kind, car, round and matter."""
        question = self.question
        return None if question is None else (question.ask, question.car, self.rulebook.round, question.what)

    @property
    def digest(self) -> str:
        """SHA-256 of the state as it is, as hexadecimal text."""
        return hashlib.sha256(self.rulebook.save()).hexdigest()

    @property
    def last_checkpoint(self) -> tuple[int, bytes]:
        """The number of events before the present step, and the state at its beginning: enough to resume."""
        return self._checkpoints[-1]

    def answer(self, value: JsonValue, *, forced: bool = False) -> list[Ruling]:
        """Read the answer to the open question and go on to the next; return the rulings that follow.

        Raises BadAnswer if it is refused (nothing has changed then), RulebookError if the rulebook fails (likewise).
        """
        question = self.question
        if question is None:
            raise BadAnswer("race_over")
        typed = question.force(value) if forced else question.read(value)
        event = Input(key=self.key, answer=value, forced=forced)
        return self._carry(event, typed)

    def override(self, change: Mapping[str, Json]) -> list[Ruling]:
        """Set a value by the referee's word, in the middle of a step too; raises BadOverride if it makes no sense."""
        event = Input(change=dict(change))
        return self._carry(event, None)

    def apply(self, event: Input) -> list[Ruling]:
        """Re-apply a recorded event: an answer, or a value set by the referee."""
        if event.change is not None:
            return self.override(event.change)
        return self.answer(event.answer, forced=event.forced)

    def reapply(self, old: Input) -> list[Ruling]:
        """Answer the open question with an old answer that was given to another matter.

        Where a car stands, the board says how it came there. Raises BadAnswer.
        """
        if self.question is None:
            raise BadAnswer("race_over")
        typed = self.question.reread(old.answer, old.key[3] if old.key is not None else "")
        return self._carry(Input(key=self.key, answer=old.answer, forced=True), typed)

    def rewind(self, n: int) -> None:
        """Go back to before event `n` (0 is the first), as where the stick overrules the die [6-3-3].

        What the event cost is there again. Raises NothingToDo if there never was such an event.
        """
        if not 0 <= n <= len(self.events):
            raise NothingToDo("no_answer_number", n=n, count=len(self.events))
        self._replay_to(n)

    def fork(self, rulebook: Game, n: int) -> Conversation:
        """Another conversation, on a rulebook of its own, that stands before event `n` of this one."""
        starts = [mark for mark in self._checkpoints if mark[0] <= n]
        at, saved = starts[-1]
        return Conversation.resumed(rulebook, self.events[:n], at, saved, starts[:-1])

    @property
    def checkpoints(self) -> list[tuple[int, bytes]]:
        """The beginnings of steps: the number of events before each, and the state there."""
        return list(self._checkpoints)

    def restore(self, events: Sequence[Input], checkpoints: Sequence[tuple[int, bytes]]) -> None:
        """Take over the events and checkpoints of another conversation of the same race."""
        self.events, self._checkpoints = list(events), list(checkpoints)
        self._replay_to(len(self.events))

    def state_after_step(self, n: int) -> bytes:
        """Return the state at the end of the step of event `n`; as it is now, if that step is still open."""
        later = [saved for at, saved in self._checkpoints if at > n]
        return later[0] if later else self.rulebook.save()

    # -- the machinery

    def _carry(self, event: Input, typed: object) -> list[Ruling]:
        before = len(self.events)
        self.events.append(event)
        self._asked = None
        try:
            if event.change is None:
                self._advance(typed)
            elif self.rulebook.override(event.change):
                self._close()
                self.rulebook.abandon()
                self._advance(None)
            else:
                self._advance(AGAIN)
        except Exception as failure:
            self._replay_to(before)
            if isinstance(failure, CompanionError):
                raise
            raise RulebookError("rulebook_failed", failure=f"{type(failure).__name__}: {failure}") from failure
        noted = list(self.rulebook.ruled)
        self.rulebook.ruled.clear()
        return noted

    def _replay_to(self, n: int) -> None:
        while self._checkpoints[-1][0] > n:
            self._checkpoints.pop()
        start, saved = self._checkpoints.pop()
        again = self.events[start:n]
        del self.events[start:]
        self._close()
        self.rulebook.load(saved)
        self._advance(None)
        for event in again:
            self.apply(event)
        self.rulebook.ruled.clear()

    def _close(self) -> None:
        if self._step is not None:
            self._step.close()
        self._step, self.question, self._asked = None, None, None

    def _advance(self, sent: object) -> None:
        """Go on until a question is open or the race is over."""
        while True:
            if self._step is None:
                saved = self.rulebook.save()
                if self._checkpoints and self._checkpoints[-1] == (self.n, saved):
                    raise AssertionError("a step neither asked nor changed anything")
                self._checkpoints.append((self.n, saved))
                self._step = self.rulebook.step()
                if self._step is None:
                    self.question = None
                    return
                sent = None
            try:
                self.question = self._step.send(sent)
                return
            except StopIteration:
                self._step = None
