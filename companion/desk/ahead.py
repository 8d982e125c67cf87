"""What answers would bring, tried on a copy of the race: nothing is written, and nobody but the screen hears of it.

What an answer costs and may bring is its record. One step alone, up to the next question, is foreseen apart from it:
what a face takes by itself, and every option of what is asked then, which a record leaves out that is to be small
enough to be sent; those who draw the spaces that a die reaches need them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING

import msgspec

from companion.desk import RaceDesk
from companion.rules.conversation.asking import Asked, Json, JsonValue, Option, Ruling
from companion.rules.conversation.consequence import Consequence, Lookahead
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import CompanionError

if TYPE_CHECKING:
    from companion.rules.rulebooks import Book

FAR = 40
"""How many questions ahead are looked at, at most."""


class Foreseen(msgspec.Struct, frozen=True):
    """What an answer to the open question would bring: its rulings and what would be asked then (None: nothing).

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
        self._seq = -1

    def foresee(self, answers: Sequence[Json]) -> list[Foreseen]:
        """What each of these answers would bring, up to the next question."""
        self._fresh()
        keys = [msgspec.json.encode(answer) for answer in answers]
        if any(key not in self._seen for key in keys):
            talk, n = self._fork(), self.desk.n
            for key, answer in zip(keys, answers, strict=True):
                if key not in self._seen:
                    self._seen[key] = self._try(talk, n, answer)
        return [self._seen[key] for key in keys]

    def to_the_end(self, answer: JsonValue) -> list[Ruling]:
        """All that an answer would bring in this turn if every test on its way held; empty if it would be refused."""
        self._fresh()
        key = msgspec.json.encode(answer)
        if key not in self._ends:
            talk = self._fork()
            rulings: list[Ruling] = []
            try:
                rulings += talk.answer(answer)
                self._hold(talk, rulings)
            except CompanionError:
                rulings = []
            self._ends[key] = rulings
        return self._ends[key]

    def coming(self) -> list[Foreseen]:
        """The tests that would be asked one after the other in this turn, the open one first, if every one held; each
        with what would be ruled then."""
        self._fresh()
        if self._coming is None:
            asked = self.desk.asked
            self._coming = []
            if asked is not None and asked.ask == "test":
                self._coming = self._hold(self._fork(), [])
        return self._coming

    def record(self, answer: JsonValue, *, look: bool = False) -> Consequence:
        """All that an answer may bring, with its likelihoods; `look` searches for the cheapest option of what is asked
        then. Raises BadAnswer for one that is not allowed."""
        return self._lookahead().of(answer, look=look)

    def records(self, *, look: bool = False) -> list[Consequence]:
        """The records of every answer that the open question lists."""
        return self._lookahead().all(look=look) if self.desk.asked is not None else []

    def knows(self, options: Sequence[Option]) -> bool:
        """Whether the record of each of these answers has been made."""
        lookahead = self._lookahead()
        return all(lookahead.knows(option.answer) for option in options)

    def look_on(self, options: Sequence[Option], seconds: float) -> bool:
        """Makes records of these answers for so long; whether each of them has one now."""
        end, lookahead = monotonic() + seconds, self._lookahead()
        for option in options:
            if monotonic() > end:
                return False
            lookahead.of(option.answer)
        return True

    def _lookahead(self) -> Lookahead:
        self._fresh()
        if self._records is None:
            self._records = Lookahead(self.desk.conversation, self.desk.rulebook.spare())
        return self._records

    def _fresh(self) -> None:
        """Forgets what was seen before the race went on, or back."""
        if self._seq != self.desk.seq:
            self._seq, self._coming, self._records = self.desk.seq, None, None
            self._seen.clear()
            self._ends.clear()

    def _fork(self) -> Conversation:
        if self._spare is None:
            self._spare = self.desk.rulebook.spare()
        return self.desk.conversation.fork(self._spare, self.desk.n)

    @staticmethod
    def _try(talk: Conversation, n: int, answer: JsonValue) -> Foreseen:
        try:
            rulings = talk.answer(answer)
        except CompanionError as wrong:
            return Foreseen(answer, wrong=wrong)
        seen = Foreseen(answer, rulings, talk.asked)
        talk.back(n)
        return seen

    @staticmethod
    def _hold(talk: Conversation, rulings: list[Ruling]) -> list[Foreseen]:
        """Takes the tests of this turn with the last face, which holds wherever a low one loses."""
        step = talk.last_mark[0]
        taken: list[Foreseen] = []
        for _ in range(FAR):
            asked = talk.asked
            if asked is None or asked.ask != "test" or not asked.faces or talk.last_mark[0] != step:
                break
            face = asked.faces[-1]
            ruled = talk.answer(face)
            taken.append(Foreseen(face, ruled, asked))
            rulings += ruled
        return taken
