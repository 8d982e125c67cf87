"""Corrections of earlier answers: what one would do, and doing it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import msgspec

from companion.desk.events import Correction, Done
from companion.desk.open_race import EventOutcome, OpenRace, signed
from companion.rules.conversation.asking import Json, JsonValue
from companion.rules.conversation.changes import Change, changes
from companion.rules.conversation.conversation import Conversation, Input
from companion.rules.conversation.errors import BadAnswer, NothingToDo
from companion.rules.correction import CorrectedAnswer, leave_board, replay
from companion.rules.dice.state import Car, RaceState
from companion.sheets.acts import person
from companion.sheets.entry import Corrected

if TYPE_CHECKING:
    from companion.rules.rulebooks import Book


class _Replay(msgspec.Struct):
    """A correction by replay, tried on a conversation of its own."""

    talk: Conversation
    outcomes: list[tuple[int, EventOutcome]]
    skipped: list[int]
    end: int


class Correcting(OpenRace):
    """A race whose earlier answers can be corrected."""

    def try_correction(
        self, n: int, answer: JsonValue, *, keep: str = "replay", force: bool = False, then: Sequence[Json] = ()
    ) -> Correction:
        """Return what correcting answer `n` would do, without doing it; raise BadAnswer or NothingToDo."""
        event = self._corrected(n, answer, force)
        if _way(keep) == "replay":
            return self._tried(n, self._replay(n, event))
        return self._stood(n, event, then)[0]

    def correct(
        self,
        n: int,
        answer: JsonValue,
        *,
        keep: str = "replay",
        by: str = "table",
        force: bool = False,
        why: str = "",
        then: Sequence[Json] = (),
    ) -> Correction:
        """Correct answer `n`.

        keep = "replay": the later answers stand while the same questions are asked, and the race asks on from there.
        keep = "board": the cars stay where they are; only wear, tyres, markers, weather and the sheet change. Where the
        corrected step asks what the old answers do not fit (`asks` of the trial), `then` answers it; without it the old
        answers hold by force. Raises BadAnswer or NothingToDo, and nothing has changed then.
        """
        if force:
            signed(by, why)
        if not person(by):
            raise BadAnswer("held.correction")
        event = self._corrected(n, answer, force)
        if _way(keep) == "replay":
            return self._correct_by_replay(n, event, by, why)
        return self._correct_on_board(n, event, by, why, then)

    # -- how it is done

    def _corrected(self, n: int, answer: JsonValue, force: bool) -> Input:
        items = self.history.items
        if isinstance(n, bool) or not isinstance(n, int) or not 0 <= n < len(items):
            raise NothingToDo("no_answer_number", n=n, count=len(items))
        old = items[n].event
        if old.key is None:
            raise NothingToDo("set", n=n)
        return Input(key=old.key, answer=answer, forced=force)

    def _replay(self, n: int, event: Input) -> _Replay:
        items = self.history.items
        skip = frozenset(place for place, item in enumerate(items) if item.corrects == n)
        talk = self.conversation.fork(self.rulebook.clone(), n)
        self._fits(talk, items[:n])
        outcomes = [
            (again.place, self._outcome(talk, again.rulings, again.before))
            for again in replay(talk, self.conversation.events, n, event, skip)
        ]
        end = outcomes[-1][0] + 1
        return _Replay(talk, outcomes, sorted(place for place in skip if place < end), end)

    def _tried(self, n: int, trial: _Replay) -> Correction:
        items = self.history.items
        gone = [*trial.skipped, *range(trial.end, len(items))]
        fell = [Done.of(place, items[place]) for place in gone]
        before = self.conversation.fork(self.rulebook.clone(), trial.end).rulebook
        found = changes(cast("Book", before).race, cast("Book", trial.talk.rulebook).race, self._whose(n))
        ruled = trial.outcomes[0][1].rulings
        kept = len(trial.outcomes) - 1
        return Correction(n, "replay", kept, len(fell), trial.talk.asked, fell, changes=found, rulings=ruled)

    def _whose(self, n: int) -> int | None:
        """Return the car that gave that answer."""
        key = self.history.items[n].event.key
        return key[1] if key is not None else None

    def _correct_by_replay(self, n: int, event: Input, by: str, why: str) -> Correction:
        talk, history = self.conversation, self.history
        trial = self._replay(n, event)
        told = self._tried(n, trial)
        items = history.items
        outcomes = [
            (place, outcome.rulings, outcome.position)
            for place, outcome in trial.outcomes
            if place == n
            or list(outcome.rulings) != list(items[place].rulings)
            or outcome.position != items[place].position
        ]
        assert event.key is not None
        body = Corrected(
            n, event.key, event.answer, "replay", event.forced, why, len(trial.outcomes) - 1, trial.skipped, outcomes
        )
        before = list(talk.events), talk.checkpoints
        try:
            talk.restore(trial.talk.events, trial.talk.checkpoints)
            self._write("correct", by, n, body, (), True, forget=n)
        except BaseException:
            talk.restore(*before)
            raise
        history.correct(body, history.seq + 1, by, self._at, (), self._digest)
        self._kept = {**dict(list(self._kept.items())[-1:]), history.seq: before[1]}
        self._tell("correct", by, n, body, trial.outcomes[0][1].rulings)
        return told

    def _correct_on_board(self, n: int, event: Input, by: str, why: str, then: Sequence[Json]) -> Correction:
        talk, history = self.conversation, self.history
        told, lacks = self._stood(n, event, then)
        if lacks and (asks := told.asks) is not None:
            raise BadAnswer("then_lacks", ask=asks.ask, car=asks.car)
        at, before = talk.n, self._stands()
        rulings = talk.override(told.change) if told.change is not None else []
        try:
            outcome = self._outcome(talk, rulings, before) if told.change is not None else EventOutcome([], None)
            assert event.key is not None
            body = Corrected(
                n, event.key, event.answer, "board", event.forced, why,
                then=list(then), change=told.change, would=list(told.rulings), fell=[done.n for done in told.fell],
                left=told.left, position=outcome.position,
            )  # fmt: skip
            self._write("correct", by, n, body, rulings, True)
        except BaseException:
            talk.rewind(at)
            raise
        history.correct(body, history.seq + 1, by, self._at, rulings, self._digest)
        self._tell("correct", by, n, body, rulings)
        return told

    def _stood(self, n: int, event: Input, then: Sequence[Json]) -> tuple[Correction, bool]:
        """Return a correction of answer `n` with the cars left where they are, and whether an answer is lacking.

        Without that answer nobody knows what follows.
        """
        items, scratch = self.history.items, self.rulebook.clone()

        def read(state: bytes) -> RaceState[Car]:
            scratch.load(state)
            return cast("RaceState[Car]", scratch.race)

        values = {place: item.corrects for place, item in enumerate(items) if item.corrects is not None}
        stood = leave_board(
            self.conversation,
            self.rulebook.clone,
            read,
            n,
            CorrectedAnswer(event, then),
            self.history.boarded(),
            values,
        )
        fell = [Done.of(place, items[place]) for place in stood.fell]
        found = self._set(stood.change, self._whose(n)) if stood.change is not None else []
        told = Correction(
            n, "board", len(items) - n - 1 - len(fell), len(fell), stood.asks, fell, stood.change, stood.left, found,
            stood.rulings,
        )  # fmt: skip
        return told, stood.lacks

    def _set(self, change: dict[str, Json], first: int | None) -> list[Change]:
        """Return the differences that setting those values makes."""
        talk = self.conversation.fork(self.rulebook.clone(), self.conversation.n)
        talk.override(change)
        return changes(self.rulebook.race, cast("Book", talk.rulebook).race, first)


def _way(keep: str) -> str:
    if keep not in ("replay", "board"):
        raise BadAnswer("keep", keep=keep)
    return keep
