"""The forms of questions: one answer of several, or a form with fields; and how plain values in answers are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Generic, TypeVar

import msgspec

from companion.rules.conversation.asking import Json, JsonValue, Option, Question
from companion.rules.conversation.errors import BadAnswer
from companion.rules.conversation.faces import BLACK_DIE
from companion.rules.conversation.kinds import Ask

V = TypeVar("V")

_canonical: Final = msgspec.json.Encoder(order="deterministic").encode


def canonical_json(answer: JsonValue) -> bytes:
    """Return an answer as it is written, so that equal answers are equal bytes and `true` is not 1."""
    try:
        return _canonical(answer)
    except (TypeError, ValueError) as wrong:
        raise BadAnswer("answer_not_json", wrong=wrong) from None


def whole(answer: JsonValue) -> int:
    """Return a whole number; raises BadAnswer for anything else, `true` and 4.0 included."""
    if isinstance(answer, bool) or not isinstance(answer, int):
        raise BadAnswer("whole", answer=answer_text(answer))
    return answer


def answer_text(answer: JsonValue) -> str:
    text = canonical_json(answer).decode()
    return text if len(text) <= 60 else text[:57] + "..."


def black(answer: JsonValue) -> int:
    """Return a face of the black die; raises BadAnswer for anything else."""
    face = whole(answer)
    if face not in BLACK_DIE:
        raise BadAnswer("black", face=face)
    return face


class Choice(Question[V], Generic[V]):
    """One of a few answers, each with its cost; the typed answer is the value that goes with it.

    `choices` may be made when somebody looks; `find` then knows the value of an answer without them, or None.
    """

    broad: Callable[[JsonValue], V] | None = None
    held: Callable[[JsonValue, str], V | None] | None = None
    """Reader of an answer that was given about another matter, such as a landing after another roll."""

    def __init__(
        self,
        ask: Ask,
        car: int | None,
        article: str,
        choices: Sequence[tuple[Option, V]] | Callable[[], Sequence[tuple[Option, V]]],
        *,
        what: str = "",
        broad: Callable[[JsonValue], V] | None = None,
        find: Callable[[JsonValue], V | None] | None = None,
    ) -> None:
        super().__init__(car, article, what)
        self.kind, self.broad, self.find = ask, broad, find
        self._choices = choices
        self._by: dict[bytes, V] | None = None

    @property
    def ask(self) -> Ask:  # type: ignore[override]
        return self.kind

    @property
    def choices(self) -> Sequence[tuple[Option, V]]:
        """Every answer with its value."""
        if callable(self._choices):
            self._choices = self._choices()
        return self._choices

    def options(self) -> Sequence[Option]:
        return [option for option, _ in self.choices]

    def read(self, answer: JsonValue) -> V:
        if self.find is not None and self._by is None and (found := self.find(answer)) is not None:
            return found
        if self._by is None:
            self._by = {canonical_json(option.answer): value for option, value in self.choices}
        try:
            return self._by[canonical_json(answer)]
        except KeyError:
            landings = any(isinstance(option.answer, dict) for option, _ in self.choices)
            if landings and isinstance(answer, dict) and isinstance(space := answer.get("space"), str):
                raise self._not_there(space, answer) from None
            some = 2 if landings else 6
            listed = ", ".join(answer_text(option.answer) for option, _ in self.choices[:some])
            more = ", ..." if len(self.choices) > some else ""
            raise BadAnswer("choice", listed=listed + more, answer=answer_text(answer)) from None

    def _not_there(self, space: str, answer: JsonValue) -> BadAnswer:
        """Explain why an answer is no landing: the space is out of reach, or another way leads there."""
        landings = [option.answer for option, _ in self.choices if isinstance(option.answer, dict)]
        ways = [answer_text(landing) for landing in landings if landing.get("space") == space]
        if ways:
            return BadAnswer("no_way", space=space, way=ways[0], answer=answer_text(answer))  # fmt: skip
        near = list(dict.fromkeys(str(landing.get("space")) for landing in landings))
        listed, space = ", ".join(near[:6]) + (", ..." if len(near) > 6 else ""), space[:40]
        return BadAnswer("out_of_reach", space=space, listed=listed)

    def force(self, answer: JsonValue) -> V:
        if self.broad is None:
            return self.read(answer)
        try:
            return self.read(answer)
        except BadAnswer:
            return self.broad(answer)

    def reread(self, answer: JsonValue, what: str) -> V:
        found = self.held(answer, what) if self.held is not None else None
        return self.force(answer) if found is None else found


class Form(Question[V], Generic[V]):
    """An answer with several fields, checked by the rulebook; a few good ones are offered as options."""

    def __init__(
        self,
        ask: Ask,
        car: int | None,
        article: str,
        fields: Mapping[str, Json],
        check: Callable[[JsonValue], V],
        offered: Sequence[Option] = (),
        what: str = "",
    ) -> None:
        super().__init__(car, article, what)
        self.kind, self.fields, self.check, self.offered = ask, fields, check, offered

    @property
    def ask(self) -> Ask:  # type: ignore[override]
        return self.kind

    def options(self) -> Sequence[Option]:
        return self.offered

    def read(self, answer: JsonValue) -> V:
        return self.check(answer)
