"""A race as it stands: the answers in force, what was taken back, and what people noted. From the log alone.

The desk keeps its books with this class while it writes the log, and it is built again from the log when a race is
resumed, shown or checked: one way of reading an entry, so a resumed race is the race that was left.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from companion.rules.conversation.asking import Json, Key, Ruling
from companion.rules.conversation.conversation import Input
from companion.rules.correction import CorrectedAnswer
from companion.sheets.acts import Item, Statement, UndoStep, car_values_set, person
from companion.sheets.entry import (
    Answered,
    Beginning,
    Body,
    Corrected,
    Entry,
    EntryKind,
    Handover,
    Moved,
    Overridden,
    Spoken,
    senseless,
)


class History:
    """The answers in force and how they came to be."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.done: list[UndoStep] = []
        self.undone: list[UndoStep] = []
        self.said: list[Statement] = []
        self.disputed: dict[int, Item] = {}
        """What was disputed, by its entry, whether it is still in force or not."""
        self.held = False
        """True if nothing is answered automatically, because of an undo with no answer from a person since."""
        self.programs: dict[int, str] = {}
        """Driver of the program for each of its cars, by number."""
        self.program_rolls = False
        """True if the program rolls for its drivers."""
        self.beginning: Beginning | None = None
        self.opening: Sequence[Ruling] = ()
        self.log_id, self.begun = "", ""
        self.state = ""
        """Digest of the state after the last entry."""
        self.seq = 0
        self.versions: list[str] = []
        """Versions of the rulebook that refereed the race, in order."""
        self.states: dict[int, str] = {}
        """SHA-256 of the states kept to resume from, by number of answers before them."""

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> History:
        """Return the history that a log tells; raise LogError if an entry makes no sense after those before it."""
        history = cls()
        for entry in entries:
            history.take(entry)
        return history

    @property
    def events(self) -> list[Input]:
        """The events in force, for a conversation."""
        return [item.event for item in self.items]

    @property
    def stands(self) -> tuple[int, bool]:
        """The round that is under way, 0 before the first, and whether the race is over.

        The list of races shows them. A race goes on whose last answer has left no result, whatever was there before.
        """
        positions = [item.position for item in self.items if item.position is not None]
        if self.beginning is not None and self.beginning.position is not None:
            positions.insert(0, self.beginning.position)
        last = positions[-1] if positions else {}
        return int(last.get("round", 0)), "result" in last and (not self.items or self.items[-1].position is last)

    @property
    def name(self) -> str:
        """The name of the race: the last one that it was given."""
        given = (said.text for said in reversed(self.said) if said.kind == "rename")
        return next(given, self.beginning.name if self.beginning is not None else "")

    def place_of(self, seq: int) -> int | None:
        """Return the number of the answer that an entry of the log holds, if it is still in force."""
        return next((n for n, item in enumerate(self.items) if item.seq == seq), None)

    # -- one method for each kind of entry, used by the desk as it goes and by `take` for a log

    def take(self, entry: Entry) -> None:
        """One more entry of the log."""
        body = entry.read()
        seq, by, at = entry.seq, entry.actor, entry.at_wall
        try:
            match body:
                case Answered():
                    event = Input(key=body.key, answer=body.answer, forced=body.forced)
                    self._expect(entry.n, len(self.items), seq)
                    item = Item(event, by, seq, at, body.why, entry.ruled(), body.position, None, entry.state)
                    self.add("answer", item)
                case Overridden():
                    self._expect(entry.n, len(self.items), seq)
                    event = Input(change=body.change)
                    item = Item(event, by, seq, at, body.why, entry.ruled(), body.position, None, entry.state)
                    self.add("override", item)
                case Moved() if entry.kind == "undo":
                    self.undo(body.seqs, seq)
                case Moved():
                    self.redo(body.seqs, seq)
                case Corrected():
                    self.correct(body, seq, by, at, entry.ruled(), entry.state)
                case Spoken() | Handover():
                    self.say(Statement.of(seq, entry.n, entry.kind, by, at, body))
                case Beginning():
                    self.begin(body, entry.log_id, at, entry.ruled())
        except (LookupError, ValueError, TypeError, AttributeError) as wrong:
            raise senseless(seq, wrong) from None
        self.seq, self.state = seq, entry.state
        if isinstance(body, Body):
            self.states.update(body.states)
            if body.version:
                self.versions.append(body.version)

    def other_version(self, now: str) -> str:
        """Return a version that refereed some of it, and not `now`; empty if there is none."""
        return next((version for version in self.versions if version != now), "")

    def vouched(self, kept: Sequence[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
        """Those of the states kept for which the chain vouches, byte for byte."""
        return [
            (n, body)
            for n, body in kept
            if n <= len(self.items) and self.states.get(n) == hashlib.sha256(body).hexdigest()
        ]

    def begin(self, beginning: Beginning, log_id: str, at: str, opening: Sequence[Ruling]) -> None:
        """Take the beginning of the race, and the rulings before its first question."""
        if self.beginning is not None:
            raise ValueError("a race begins once")
        self.beginning, self.log_id, self.begun, self.opening = beginning, log_id, at, opening
        self.seq, self.versions = 1, [beginning.version]
        setup = beginning.setup
        self.programs = {int(car): str(name) for car, name in setup.get("programs", {}).items() if car.isdigit()}
        self.program_rolls = bool(setup.get("program_rolls"))

    def add(self, kind: EntryKind, item: Item) -> None:
        """One more answer, or value set."""
        n = len(self.items)
        self.items.append(item)
        self._acted(UndoStep(kind, item.seq, n, item.by, item.at, item.why, (), (item,)))

    def undo(self, seqs: Sequence[int], seq: int) -> None:
        """Undo the actions of those entries, the latest first."""
        for one in seqs:
            if not self.done or self.done[-1].seq != one:
                raise ValueError(f"entry {one} is not what an undo would take back")
            action = self.done.pop()
            self.items[action.n :] = action.was
            self.undone.append(action)
        self.held, self.seq = True, seq

    def redo(self, seqs: Sequence[int], seq: int) -> None:
        """Redo the actions of those entries."""
        for one in seqs:
            if not self.undone or self.undone[-1].seq != one:
                raise ValueError(f"entry {one} is not what a redo would give again")
            action = self.undone.pop()
            self.items[action.n :] = action.now
            self.done.append(action)
        self.held, self.seq = bool(self.undone), seq

    def correct(self, body: Corrected, seq: int, by: str, at: str, rulings: Sequence[Ruling], state: str = "") -> None:
        """Answer `body.n` was wrong; what stands after it is as `body.keep` says. `state` is the digest after that."""
        n, old = body.n, self.items[body.n]
        instead = Input(key=body.key, answer=body.answer, forced=body.forced)
        action = UndoStep("correct", seq, n, by, at, body.why, (), (), n, old, instead, body.keep)
        if body.keep == "replay":
            outcomes = {place: (ruled, position) for place, ruled, position in body.outcomes}
            end = n + 1 + body.kept + len(body.skipped)
            if end > len(self.items):
                raise ValueError(f"it keeps {body.kept} answers, and there are not that many")
            now = []
            for place in range(n, end):
                if place in body.skipped:
                    continue
                item = self.items[place]
                ruled, position = outcomes.get(place, (item.rulings, item.position))
                if place == n:
                    item = Item(instead, by, seq, at, body.why, ruled, position, old.corrects)
                elif place in outcomes:
                    item = msgspec.structs.replace(item, rulings=ruled, position=position)
                now.append(msgspec.structs.replace(item, state=""))
            now[-1].state = state
            action.was, action.now = self.items[n:], now
            action.fell = self.items[end:]
        else:
            action.n = len(self.items)
            action.left, action.would, action.then = body.left, body.would, body.then
            action.fell = [self.items[place] for place in body.fell]
            if body.change is not None:
                event = Input(change=body.change)
                action.now = (Item(event, by, seq, at, body.why, rulings, body.position, n, state),)
        self.items[action.n :] = action.now
        self._acted(action)

    def say(self, said: Statement) -> None:
        """Take a remark, or a new driver of a seat: it changes nothing of the race.

        A person who gives the program a seat wants it to answer, whatever was undone before.
        """
        self.said.append(said)
        self.seq = said.seq
        if said.kind == "dispute":
            self.disputed.update((item.seq, item) for item in self.items if item.seq == said.about)
        if (one := said.handover) is not None:
            self.programs = {car: name for car, name in self.programs.items() if car != one.car}
            if one.program:
                self.programs[one.car], self.held = one.program, False
            self.program_rolls = one.rolls

    def open_disputes(self) -> list[tuple[int, str]]:
        """Return the entries whose rulings are disputed, each with its reason, the oldest first.

        A dispute is over when the ruling was upheld, or when the answer that brought it was undone or corrected.
        """
        found: dict[int, str] = {}
        for said in self.said:
            if said.kind == "dispute" and said.about is not None and not self.decided(said):
                found[said.about] = said.text
        return list(found.items())

    def decided(self, dispute: Statement) -> str:
        """Return the outcome of a dispute: "upheld", "changed", or nothing yet."""
        if any(said.kind == "uphold" and said.about == dispute.about and said.seq > dispute.seq for said in self.said):
            return "upheld"
        return "" if dispute.about in self.standing else "changed"

    @property
    def standing(self) -> list[int]:
        """The entries whose rulings are in force, the latest last; the race's beginning, entry 1, is the first."""
        corrected = {self.items[item.corrects].seq for item in self.items if item.corrects is not None}
        return [1, *(item.seq for item in self.items if item.seq not in corrected)]

    # -- what can be taken back, and what falls to be offered

    def undoing(self, count: int) -> list[UndoStep]:
        """Return the actions that an undo of `count` answers of people takes back, the latest first.

        There may be fewer.
        """
        return self._people(reversed(self.done), count)

    def redoing(self, count: int) -> list[UndoStep]:
        """Return the actions that a redo gives again, in order: `count` answers of people and what follows each."""
        given: list[UndoStep] = []
        for action in reversed(self.undone):
            if person(action.by):
                if not count:
                    break
                count -= 1
            given.append(action)
        return given

    @staticmethod
    def _people(actions: Iterator[UndoStep], count: int) -> list[UndoStep]:
        taken: list[UndoStep] = []
        whole = 0
        for action in actions:
            if not count:
                break
            taken.append(action)
            if person(action.by):
                count, whole = count - 1, len(taken)
        return taken[:whole]

    def suggested(self, key: Key | None) -> Json:
        """Return the answer that a correction dropped from a question of that key, or None.

        It is None as well if the answer was given again since.
        """
        for action in reversed(self.done):
            if action.keep == "replay" and action.fell:
                since = action.n + len(action.now)
                used = sum(item.event.key == key for item in self.items[since:])
                fallen = [item.event.answer for item in action.fell if item.event.key == key]
                if used < len(fallen):
                    return fallen[used]
        return None

    def tyres_before(self, n: int, car: int) -> str:
        """Return the compound that a car was on before answer `n`; "" if it had none."""
        stands = self.beginning.position if self.beginning is not None else None
        for item in reversed(self.items[:n]):
            for ruling in item.rulings:
                if ruling.kind == "tyres" and ruling.car == car:
                    return str(ruling.facts["tyres"])
            for values in car_values_set(item.event):
                if values["car"] == car and "tyres" in values:
                    return str(values["tyres"])
            if item.position is not None:
                stands = item.position
                break
        return str(stands["cars"][str(car)]["tyres"]) if stands is not None else ""

    def boarded(self) -> dict[int, CorrectedAnswer]:
        """Return the answers corrected with the board as it stood, the latest last, with their corrections.

        Left out are those that fell away, or whose correction did, when something before them was corrected later.
        """
        found: dict[int, CorrectedAnswer] = {}
        for action in self.done:
            n, old, instead = action.corrected, action.old, action.instead
            if action.keep != "board" or n is None or old is None or instead is None:
                continue
            there = n < len(self.items) and self.items[n].seq == old.seq
            if there and (not action.now or any(item.seq == action.seq for item in self.items)):
                found.pop(n, None)
                found[n] = CorrectedAnswer(instead, action.then)
        return found

    # -- the machinery

    def _acted(self, action: UndoStep) -> None:
        self.done.append(action)
        self.undone.clear()
        self.seq = action.seq
        if person(action.by):
            self.held = False

    @staticmethod
    def _expect(n: int, place: int, seq: int) -> None:
        if n != place:
            raise ValueError(f"it is number {n}, and {place} is the next")
