"""The live races of the hall's tables, from the ledger's entries, as data for the pages.

Each race is followed entry by entry, as its own table's desk does, so that an undo there is one here; it is let go when
another one has begun at its table.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Mapping
from typing import NamedTuple

from companion.desk.begun import event_of
from companion.hall.ledger import Alarm, Answer, Ledger
from companion.hall.takeover import old_of
from companion.rules.conversation.asking import Json, Ruling
from companion.rules.conversation.errors import LogError, NotSaved
from companion.rules.conversation.text import unturned
from companion.rules.position import Position
from companion.sheets.entrants import plates
from companion.sheets.history import History
from companion.sheets.reading import RECORDS
from companion.sheets.replay import laps_of
from companion.view.events.standings import circuit_name
from companion.view.shown import Plate
from companion.view.sight import codes


class TableCar(NamedTuple):
    """A car as race control shows it."""

    plate: Plate
    code: str
    name: str


class CarResult(NamedTuple):
    """A line of a result: place (0: none) and points."""

    car: TableCar
    place: int
    points: int


class DisputedRuling(NamedTuple):
    """A disputed ruling, with its entry and the reason of the dispute."""

    seq: int
    why: str
    rulings: tuple[Ruling, ...]


class RaceSeen(NamedTuple):
    """A race as race control has it, up to entry `seq` with that hash.

    `done` is the share driven, from 0 to 1; `order` has the cars from first to last; `belongs` is the record and key of
    its tournament or season; `succeeds` is the log of a dead machine that it continues.
    """

    log_id: str
    name: str
    track: str
    rulebook: str
    seq: int
    hash: str
    at: str
    round: int
    lap: int
    laps: int
    done: float
    over: bool
    second: bool
    order: tuple[TableCar, ...]
    result: tuple[CarResult, ...]
    disputed: tuple[DisputedRuling, ...]
    belongs: tuple[str, str] | None = None
    succeeds: str = ""


class Floor:
    """The last race of every table, by the table's name.

    `races` and `alarms` may be read from any thread; the ledger's thread writes them.
    """

    def __init__(self) -> None:
        self.races: Mapping[str, RaceSeen] = {}
        self.alarms: list[Alarm] = []
        """Refusals and second histories, the latest first."""
        self._followed: dict[str, History] = {}

    def begin(self, ledger: Ledger) -> None:
        """Load what the ledger already has."""
        self.alarms = ledger.alarms()
        for known in ledger.logs():
            if known.sender:
                self._follow(ledger, known.sender, known.log_id)

    def take(self, ledger: Ledger, answer: Answer) -> bool:
        """Process an answer of the ledger; return True if it concerns a record, not a race."""
        if answer.kind not in ("", "gap"):
            self.alarms = ledger.alarms()
        table = ledger.sender(answer.log_id)
        return bool(table) and self._follow(ledger, table, answer.log_id, answer)

    def _follow(self, ledger: Ledger, table: str, log_id: str, answer: Answer | None = None) -> bool:
        """Follow a race to the end of its log; return True for a record, which is not followed."""
        history = self._followed.get(table)
        if history is None or history.log_id != log_id:
            history = History()
        fresh = ledger.entries(log_id, history.seq + 1)
        if not fresh:
            if answer is not None and answer.kind == "second" and table in self.races:
                self.races = {**self.races, table: self.races[table]._replace(second=True)}
            return False
        if fresh[0].seq == 1 and fresh[0].kind in RECORDS:
            return True
        try:
            for entry in fresh:
                history.take(entry)
            head = ledger.head(log_id)
            seen = _summarise(history, head.hash, fresh[-1].at_wall, second=bool(ledger.second(log_id)))
        except Exception as wrong:  # whatever a table has sent: the others are followed all the same
            logging.getLogger(__name__).debug("a log", exc_info=wrong)
            self._followed.pop(table, None)
            self._object(ledger, log_id)
            return False
        self._followed[table] = history
        self.races = {**self.races, table: seen}
        return False

    def _object(self, ledger: Ledger, log_id: str) -> None:
        """Raise an alarm about a log that cannot be followed."""
        with contextlib.suppress(NotSaved):
            ledger.object(log_id, LogError("unfollowed", log=log_id[:8]))  # fmt: skip
        self.alarms = ledger.alarms()


def _summarise(history: History, hash_: str, at: str, *, second: bool) -> RaceSeen:
    begun = history.beginning
    assert begun is not None
    stands: Position = next((one.position for one in reversed(history.items) if one.position), begun.position or {})
    cars, laps = _cars(begun.setup), laps_of(begun)
    numbers = [cars[number] for number in stands.get("order", ()) if number in cars]
    order = tuple(numbers) + tuple(car for car in cars.values() if car not in numbers)
    on_track = [one for one in stands.get("cars", {}).values() if isinstance(one, dict)]
    lap = max((_whole(one.get("lap")) for one in on_track), default=0)
    result = stands.get("result") if history.stands[1] else None
    over = isinstance(result, list)
    rulings = {one.seq: tuple(one.rulings) for one in history.items}
    return RaceSeen(
        log_id=history.log_id, name=unturned(history.name), track=circuit_name(begun.track_key),
        rulebook=begun.rulebook, seq=history.seq, hash=hash_, at=at,
        round=history.stands[0], lap=min(lap, laps) if laps else lap, laps=laps,
        done=1.0 if over else min(max(lap - 1, 0) / laps, 1.0) if laps else 0.0, over=over, second=second, order=order,
        result=tuple(_lines(result, cars)) if isinstance(result, list) else (),
        disputed=tuple(DisputedRuling(seq, why, rulings.get(seq, ())) for seq, why in history.open_disputes()),
        belongs=event_of(begun.setup), succeeds=old_of(begun.setup),
    )  # fmt: skip


def _cars(setup: Mapping[str, Json]) -> dict[int, TableCar]:
    """Return the cars of a race by number."""
    named: dict[int, str] = {}
    for one in setup.get("cars") or ():
        if isinstance(one, dict) and isinstance(one.get("car"), int):
            named[one["car"]] = unturned(str(one.get("driver") or ""))
    short, coloured = codes(named), plates(setup)
    return {
        number: TableCar(Plate(number=number, place=coloured[number]), short[number], name or str(number))
        for number, name in named.items()
    }


def _lines(result: list[Json], cars: Mapping[int, TableCar]) -> list[CarResult]:
    found = []
    for one in result:
        if isinstance(one, dict) and one.get("car") in cars:
            found.append(CarResult(cars[one["car"]], _whole(one.get("place")), _whole(one.get("points"))))
    return found


def _whole(value: Json) -> int:
    return value if isinstance(value, int) else 0
