"""The messages between referee and table: questions with their options, answers, and the rulings that follow.

A turn is a generator (`Procedure`) that yields questions and is sent their typed answers. What follows from an answer
is noted as rulings.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, NamedTuple, ParamSpec, TypeAlias, TypeVar

import msgspec

from companion.rules.conversation.kinds import Ask, Kind, Pools, by_name

A = TypeVar("A")
R = TypeVar("R")
P = ParamSpec("P")

if TYPE_CHECKING:
    JsonValue: TypeAlias = "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
else:
    JsonValue = Any
"""Unchecked JSON data, as it comes in over the wire from a table or a program."""

Json = Any
"""Plain JSON data that the program has made or checked: the facts of a sum, the fields of a question, an answer that
was read. Its contents depend on its kind, which the reader knows."""

Key = tuple[Ask, int | None, int, str]
"""Identity of a question: its kind, car, round and matter."""


class Option(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One legal answer: as it must be written, what it costs (pool -> points, negative) and what else it brings.

    >>> Option(1, {"gearbox": -1})
    Option(answer=1, wear={'gearbox': -1}, facts={})
    """

    answer: Json
    wear: Pools = {}
    facts: dict[str, Json] = {}


class Ruling(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A consequence that the referee notes: for which car, and by which article.

    `kind` is one of a closed list (see kinds); `article` an article id ("13-4") or "ruling 15"; `wear` the points
    gained or lost by pool; `facts` the numbers of the sum; `counts` what else is gained or lost of what is counted
    (kers, the stand's points, tokens by their card); `left` what pools and counts hold after it.

    >>> Ruling("gear_down", "13-4", 1, {"gearbox": -1}, {"before": 3, "gear": 1}, {"gearbox": 2}).before
    {'gearbox': 3}
    """

    kind: Kind
    article: str
    car: int | None = None
    wear: Pools = {}
    facts: dict[str, Json] = {}
    left: Mapping[str, int] = {}
    counts: Mapping[str, int] = {}

    @property
    def before(self) -> dict[str, int]:
        """The points that pools and counts held before the ruling."""
        changes = {**by_name(self.wear), **self.counts}
        return {name: points - changes.get(name, 0) for name, points in self.left.items()}


class Odds(NamedTuple):
    """An answer that chance may give: the faces from `first` to `last` in one, with their share of `weight`."""

    answer: JsonValue
    weight: int
    first: int
    last: int


class Question(Generic[A]):
    """A question to the table. A subclass knows the type of its answer.

    `ask` is the kind of question, `car` whose it is, `what` tells apart questions of one kind (which test, say) and
    `article` is the article by which it is asked. `faces` are those of a die, `bands` the parts in which all of them
    bring the same, where it may be answered with such a part.

    >>> from companion.rules.dice.questions import GearDie
    >>> question = GearDie(car=1, gear=2)
    >>> question.what, question.read(3)
    ('gear_2', 3)
    >>> question.read(20)
    Traceback (most recent call last):
    companion.rules.conversation.errors.BadAnswer: 2nd gear shows 2 to 4; 20 is not on that die.
    """

    ask: ClassVar[Ask]
    faces: Sequence[int] | None = None
    bands: Sequence[tuple[int, int]] | None = None
    fields: Mapping[str, Json] | None = None

    def __init__(self, car: int | None, article: str, what: str = "") -> None:
        self.car, self.article, self.what = car, article, what

    def options(self) -> Sequence[Option]:
        """Every legal answer that can be listed; empty where `faces` or `fields` describe them."""
        return ()

    def odds(self) -> list[Odds]:
        """Every answer that chance may give, if chance answers it and nobody's will; else empty."""
        return []

    def read(self, answer: JsonValue) -> A:
        """Return the typed answer; raises BadAnswer with one sentence if it is not legal."""
        raise NotImplementedError

    def force(self, answer: JsonValue) -> A:
        """Return the typed answer by the referee's word, legal or not; raises BadAnswer if it makes no sense at all."""
        return self.read(answer)

    def reread(self, answer: JsonValue, what: str) -> A:
        """Return the typed answer as it was given to the same question about `what`, another matter than now.

        Raises BadAnswer if that makes no sense at all.
        """
        return self.force(answer)


class Asked(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question as the world sees it: plain data, made when somebody looks."""

    n: int
    ask: Ask
    article: str
    round: int
    car: int | None = None
    what: str = ""
    options: list[Option] | None = None
    faces: list[int] | None = None
    bands: list[list[int]] | None = None
    fields: dict[str, Json] | None = None


Procedure = Generator[Question[Any], Any, R]
"""A piece of a rulebook's procedure: yields questions, is sent answers, returns R."""


class QuestionWithdrawn(Exception):
    """The question no longer applies, because the referee has changed what it rested on."""


class _Again:
    """Sent into a step instead of an answer: the referee has changed the state, so ask the question afresh."""


AGAIN: Final = _Again()


def ask(make: Callable[P, Question[A] | None], *args: P.args, **kwargs: P.kwargs) -> Generator[Question[Any], Any, A]:
    """Ask the question that `make` makes of the state as it is, and return its answer.

    Raises QuestionWithdrawn if `make` returns None: there is nothing to ask.
    """
    while True:
        question = make(*args, **kwargs)
        if question is None:
            raise QuestionWithdrawn(getattr(make, "__name__", "question"))
        answer = yield question
        if answer is not AGAIN:
            return answer  # type: ignore[no-any-return]
