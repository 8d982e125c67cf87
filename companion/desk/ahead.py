"""Predictions of answers, tried on a copy of the race: nothing is written, and only the screen knows of it.

The costs and the risks of an answer are its record. One step alone, up to the next question, is foreseen apart from it:
the effect of a face by itself, and every option of the next question, which a record leaves out to be small enough to
be sent; the drawing of the spaces that a die reaches needs them all.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar, cast

import msgspec

from companion.desk import RaceDesk
from companion.rules.conversation.asking import Asked, Json, JsonValue, Ruling
from companion.rules.conversation.consequence import Consequence, Lookahead
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.forms import canonical_json

if TYPE_CHECKING:
    from companion.rules.rulebooks import Book

T = TypeVar("T")

MAX_QUESTIONS_AHEAD = 40
"""Maximum number of questions looked ahead."""


class Foreseen(msgspec.Struct, frozen=True):
    """The effect of an answer to the open question: its rulings and the next question (None: nothing).

    `wrong` is why it would be refused. Of a test that is still to come `asked` is the test itself.
    """

    answer: JsonValue
    rulings: Sequence[Ruling] = ()
    asked: Asked | None = None
    wrong: CompanionError | None = None


class Ahead:
    """Looks ahead of a desk's open question, in the desk's thread; what it has seen it keeps until the race goes on."""

    def __init__(self, desk: RaceDesk) -> None:
        self.desk = desk
        self._spare: Book | None = None
        self._seen: dict[bytes, Foreseen] = {}
        self._ends: dict[bytes, list[Ruling]] = {}
        self._coming: list[Foreseen] | None = None
        self._records: Lookahead | None = None
        self._outlooks: dict[bytes, Consequence] = {}
        self._made: dict[Hashable, object] = {}
        self._seq = -1

    def foresee(self, answers: Sequence[Json]) -> list[Foreseen]:
        """Return the effect of each of these answers, up to the next question."""
        self._fresh()
        keys = [msgspec.json.encode(answer) for answer in answers]
        if any(key not in self._seen for key in keys):
            talk, n = self._fork(), self.desk.n
            for key, answer in zip(keys, answers, strict=True):
                if key not in self._seen:
                    self._seen[key] = self._try(talk, n, answer)
        return [self._seen[key] for key in keys]

    def to_the_end(self, answer: JsonValue) -> list[Ruling]:
        """All that an answer would bring in this turn if every test on its way held; empty if it would be refused.

        Of a car out by blocking this includes what comes whichever car stands just in front.
        """
        self._fresh()
        key = msgspec.json.encode(answer)
        if key not in self._ends:
            talk = self._fork()
            rulings: list[Ruling] = []
            try:
                rulings += talk.answer(answer)
                self._hold(talk, rulings)
                if talk.asked is not None and talk.asked.ask == "front":
                    tried = [self._try(talk, talk.n, one.answer).rulings for one in talk.asked.options or []]
                    rulings += [one for one in next(iter(tried), ()) if all(one in other for other in tried)]
            except CompanionError:
                rulings = []
            self._ends[key] = rulings
        return self._ends[key]

    def coming(self) -> list[Foreseen]:
        """Return the tests of this turn one after the other, the open one first, if every one held.

        Each has the rulings that would follow.
        """
        self._fresh()
        if self._coming is None:
            asked = self.desk.asked
            self._coming = []
            if asked is not None and asked.ask == "test":
                self._coming = self._hold(self._fork(), [])
        return self._coming

    def record(self, answer: JsonValue, *, look: bool = False) -> Consequence:
        """Return all that an answer may bring, with its likelihoods.

        `look` searches for the cheapest option of the next question. Raises BadAnswer for an answer that is not
        allowed.
        """
        return self._lookahead().of(answer, look=look)

    def records(self, *, look: bool = False) -> list[Consequence]:
        """Return the records of every answer that the open question lists."""
        return self._lookahead().all(look=look) if self.desk.asked is not None else []

    def explore(self, answer: JsonValue, ways: int) -> Consequence | None:
        """Follow up to that many more ways of chance after an answer; return its record once it is whole, else None."""
        return self._lookahead().explore(answer, ways)

    def outlook(self, answer: JsonValue) -> Consequence:
        """Return what an answer costs and may bring, each die by itself.

        The chapters tell it of a stop; only where the car comes into the pits or behind another one is it tried what
        that opens. Of any other answer it is the record. Raises BadAnswer for one that is not allowed.
        """
        self._fresh()
        key = canonical_json(answer)
        if key not in self._outlooks:
            question = self.desk.conversation.question
            told = self.desk.rulebook.foretell(question, answer) if question is not None else None
            if told is None:
                told = self.record(answer)
            elif told.beyond:
                best = self._lookahead().best(answer)
                told = msgspec.structs.replace(
                    told, wear=best.wear, offers=best.offers, ends=best.ends, beyond=Fraction(0)
                )
            self._outlooks[key] = told
        return self._outlooks[key]

    def remember(self, what: Hashable, make: Callable[[], T]) -> T:
        """Return `make()`, which is called once for each `what` until the race goes on."""
        self._fresh()
        if what not in self._made:
            self._made[what] = make()
        return cast("T", self._made[what])

    def _lookahead(self) -> Lookahead:
        self._fresh()
        if self._records is None:
            self._records = Lookahead(self.desk.conversation, self.desk.rulebook.clone())
        return self._records

    def _fresh(self) -> None:
        """Forget what was seen before the race went on, or back."""
        if self._seq != self.desk.seq:
            self._seq, self._coming, self._records = self.desk.seq, None, None
            self._seen.clear()
            self._ends.clear()
            self._outlooks.clear()
            self._made.clear()

    def _fork(self) -> Conversation:
        if self._spare is None:
            self._spare = self.desk.rulebook.clone()
        return self.desk.conversation.fork(self._spare, self.desk.n)

    @staticmethod
    def _try(talk: Conversation, n: int, answer: JsonValue) -> Foreseen:
        try:
            rulings = talk.answer(answer)
        except CompanionError as wrong:
            return Foreseen(answer, wrong=wrong)
        seen = Foreseen(answer, rulings, talk.asked)
        talk.rewind(n)
        return seen

    @staticmethod
    def _hold(talk: Conversation, rulings: list[Ruling]) -> list[Foreseen]:
        """Answer the tests of this turn with the last face, which holds wherever a low one loses."""
        step = talk.last_checkpoint[0]
        taken: list[Foreseen] = []
        for _ in range(MAX_QUESTIONS_AHEAD):
            asked = talk.asked
            if asked is None or asked.ask != "test" or not asked.faces or talk.last_checkpoint[0] != step:
                break
            face = asked.faces[-1]
            ruled = talk.answer(face)
            taken.append(Foreseen(face, ruled, asked))
            rulings += ruled
        return taken
