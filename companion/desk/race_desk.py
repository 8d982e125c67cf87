"""The desk at which people and programs answer: answers and the referee's word, undo and redo, remarks and disputes."""

from __future__ import annotations

from collections.abc import Mapping

from companion.desk.correcting import Correcting
from companion.desk.events import Done
from companion.desk.open_race import signed
from companion.rules.conversation.asking import Json, JsonValue, Ruling
from companion.rules.conversation.errors import BadAnswer, BadOverride, NothingToDo
from companion.rules.conversation.rulebook import LONGEST_NAME
from companion.sheets.acts import Item, Statement, UndoStep, person
from companion.sheets.entry import Answered, EntryKind, Handover, Moved, Overridden, Spoken
from companion.sheets.stored_race import race_name


class RaceDesk(Correcting):
    """Runs one race and keeps its log. `RaceDesk(rulebook)` keeps it in memory only; `begin` and `resume` on a log.

    >>> from companion import circuits
    >>> from companion.rules.rulebooks import begin
    >>> cars = [{"car": 1, "at": "1:left:1", "gear": 3}, {"car": 2, "at": "1:right:1", "gear": 2}]
    >>> book = begin({"track": "monaco", "cars": cars, "to_play": [1, 2]}, circuits.load("monaco"))
    >>> desk = RaceDesk(book)
    >>> desk.answer(4)[0].kind, desk.asked.ask
    ('gear', 'roll')
    >>> desk.undo()[0].answer, desk.asked.ask
    (4, 'gear')
    """

    def answer(
        self, value: JsonValue, *, n: int | None = None, by: str = "table", force: bool = False, why: str = ""
    ) -> list[Ruling]:
        """Answer the open question; return the rulings on it, once they are written.

        `n` is the question that is meant. Raises BadAnswer if that is no longer open or does not allow the answer;
        NotSaved if the disk took nothing; the question is open then. `force` gives an answer that was not offered, by
        a person with a reason.
        """
        talk = self.conversation
        at = talk.n
        if n is not None and n != at:
            raise BadAnswer("stale", n=n, open=at)
        if self.history.held and not person(by):
            raise BadAnswer("held.answer")
        if force:
            signed(by, why)
        before = self._stands()
        rulings = talk.answer(value, forced=force)
        try:
            outcome = self._outcome(talk, rulings, before)
            event = talk.events[-1]
            assert event.key is not None
            body = Answered(event.key, value, force, why, outcome.position)
            self._write("answer", by, at, body, rulings, outcome.position is not None)
        except BaseException:
            talk.rewind(at)
            raise
        self._added("answer", event, by, why, outcome, at, body)
        return rulings

    def override(self, change: Mapping[str, Json], *, by: str, why: str, exact: bool = False) -> list[Ruling]:
        """Set values by the referee's word: wear, gear, place, tyres, sky, surface, order, status.

        A car that is put on the other side of the line changes its lap with it, unless the values are `exact`, as a log
        has them. Raises BadOverride if that makes no sense, or name or reason are missing, or for a driver's name that
        is empty or values that count for nothing; stored races may have such ones, so that the rules take them.
        """
        signed(by, why)
        for values in (change, *(change["cars"] if isinstance(change.get("cars"), list) else ())):
            if isinstance(values, Mapping) and "driver" in values:
                _check_driver(values["driver"])
        if not exact:
            self.rulebook.check_effect(change)
        change = dict(change) if exact else self.rulebook.with_laps(change)
        talk = self.conversation
        at, before = talk.n, self._stands()
        rulings = talk.override(change)
        try:
            outcome = self._outcome(talk, rulings, before)
            body = Overridden(change, why, outcome.position)
            self._write("override", by, at, body, rulings, True)
        except BaseException:
            talk.rewind(at)
            raise
        self._added("override", talk.events[-1], by, why, outcome, at, body)
        return rulings

    def undo(self, count: int = 1, *, by: str = "table", why: str = "") -> list[Done]:
        """Undo the last `count` answers of people, and what was answered by itself since; return what was undone.

        A correction or override counts as an answer. Raises NothingToDo if there are not that many.
        """
        actions = self.history.undoing(count)
        self._enough(actions, count, "taken back")
        return self._move("undo", actions, count, by)

    def redo(self, count: int = 1, *, by: str = "table") -> list[Done]:
        """Redo the last `count` undone answers of people, and all that followed each by itself."""
        actions = self.history.redoing(count)
        self._enough(actions, count, "given again")
        return self._move("redo", actions, count, by)

    def note(self, text: str, *, by: str = "table") -> int:
        """Note something on the sheet; return the number of the entry."""
        return self._say("note", text, None, by)

    def rename(self, name: str, *, by: str = "table") -> int:
        """Give the race another name; return the number of the entry. Raise BadAnswer for a name that cannot be."""
        folder = self.log.folder if self.log is not None else None
        return self._say("rename", race_name(folder, name, self.history.log_id), None, by)

    def dispute(self, seq: int, *, by: str, why: str) -> int:
        """Note that the ruling of entry `seq` is disputed; raise NothingToDo if that is no ruling in force."""
        self.must_stand(seq)
        return self._say("dispute", why, seq, by)

    def must_stand(self, seq: int) -> None:
        """Raise NothingToDo if entry `seq` is no ruling in force."""
        if seq not in self.history.standing:
            raise NothingToDo("not_in_force", seq=seq)

    def dispute_last(self, *, by: str, why: str) -> int:
        """Note that the last ruling in force is disputed; return the number of the entry."""
        return self.dispute(self.history.standing[-1], by=by, why=why)

    def uphold(self, seq: int, *, by: str) -> int:
        """End the disputes of entry `seq`: its ruling stands. Raise NothingToDo if it is not disputed."""
        if seq not in (about for about, _ in self.open_disputes()):
            raise NothingToDo("undisputed", seq=seq)
        return self._say("uphold", "upheld", seq, by)

    @property
    def counts(self) -> bool:
        """True if the race counts for a tournament or a season."""
        begun = self.history.beginning
        return begun is not None and bool(begun.setup.get("event"))

    @property
    def driver_cars(self) -> list[int]:
        """The cars in which a driver sits: no bot of the rulebook."""
        return [car.number for car in self.public().cars if not getattr(car, "bot", "")]

    @property
    def seats(self) -> list[int]:
        """The cars in which a driver sits that still races."""
        return [number for number in self.driver_cars if self.rulebook.car(number).alive]

    def hand_over(self, car: int, program: str, *, rolls: bool | None = None, by: str = "table", why: str = "") -> int:
        """Give a car's seat to a driver of the program, by name, or with "" to a person; return the entry's number.

        `rolls` is whether the program rolls for its drivers from here on, None as before.

        Raises BadAnswer for a car that nobody sits in, and in a race of a tournament or season: its result counts for
        the driver, so nobody drives for another there; a driver who gives up retires.
        """
        if not person(by):
            raise BadAnswer("held.seat")
        if self.counts:
            raise BadAnswer("handover_counts")
        if car not in self.seats:
            raise BadAnswer("no_seat", car=car)
        rolls = self.history.program_rolls if rolls is None else rolls
        return self._note_entry("handover", by, Handover(car, program, rolls, why))

    def go_on_in_memory(self) -> None:
        """Go on without the disk after NotSaved; unsaved entries are written when there is room."""
        if self.log is not None:
            self.log.in_memory = True

    def save(self) -> None:
        """Try to write what is unsaved; raise NotSaved."""
        if self.log is not None:
            self.log.save()

    def close(self) -> None:
        """End writing; the race can be resumed, here or by another program."""
        if self.log is not None:
            self.log.close()

    def __enter__(self) -> RaceDesk:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- how it is done

    def _move(self, kind: EntryKind, actions: list[UndoStep], count: int, by: str) -> list[Done]:
        talk, history = self.conversation, self.history
        before = list(talk.events), talk.checkpoints
        labels = [Done.acted(action) for action in actions]
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
                talk.rewind(floor)
            self._fits(talk, items)
            seqs = [action.seq for action in actions]
            lowest = min(action.n for action in actions)
            body = Moved(seqs, count)
            self._write(kind, by, talk.n, body, (), True, forget=min(lowest, talk.n))
        except BaseException:
            talk.restore(*before)
            raise
        (history.undo if back else history.redo)(seqs, history.seq + 1)
        self._tell(kind, by, talk.n, body, ())
        return labels

    def _retrace(self, action: UndoStep, items: list[Item], back: bool) -> None:
        """Bring the conversation to before, or after, a correction by replay."""
        talk = self.conversation
        kept = self._kept.get(action.seq) if back else None
        if kept is not None:
            talk.restore([item.event for item in items], kept)
            return
        talk.rewind(action.n)
        for item in items[action.n :]:
            talk.apply(item.event)

    def _say(self, kind: EntryKind, text: str, about: int | None, by: str) -> int:
        if not text.strip():
            raise BadAnswer("words")
        return self._note_entry(kind, by, Spoken(text, about))

    def _note_entry(self, kind: EntryKind, by: str, body: Spoken | Handover) -> int:
        self._write(kind, by, self.n, body, (), False)
        self.history.say(Statement.of(self.seq + 1, self.n, kind, by, self._at, body))
        self._tell(kind, by, self.n, body, ())
        return self.seq

    @staticmethod
    def _enough(actions: list[UndoStep], count: int, verb: str) -> None:
        there = sum(person(action.by) for action in actions)
        if isinstance(count, bool) or count < 1:
            raise NothingToDo("none_asked", verb=verb, count=count)
        if not there:
            raise NothingToDo("few.none", verb=verb)
        if there < count:
            raise NothingToDo("few", verb=verb, there=there, count=count)


def _check_driver(name: Json) -> None:
    """Raise BadOverride for a name that is empty."""
    if not isinstance(name, str) or not name.strip():
        raise BadOverride("driver_name", most=LONGEST_NAME)
