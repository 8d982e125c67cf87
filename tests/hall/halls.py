"""A hall with tables at which races are driven, for tests of its pages, its figures and its pictures."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.drivers.sensible import HeuristicDriver
from companion.hall.carrier import Carrier
from companion.hall.keys import new_seed, public
from companion.hall.membership import Membership, keep
from companion.hall.running import RaceControl
from companion.sheets.records import kept_record
from companion.tournament.tournament import Tournament
from companion.web.server import RATES
from tests.hall.network import free_port, until
from tests.tournament.commanding import Commander

NAMES = ("Iris", "Kofi", "Lena", "Marta", "Teo", "Sven", "Ravi", "Paula", "Ava", "Olga", "Bruno", "Hugo")


@contextlib.contextmanager
def unhurried() -> Iterator[None]:
    """Pages that may be asked as often as a test likes."""
    with pytest.MonkeyPatch.context() as patch:
        for kind in RATES:
            patch.setitem(RATES, kind, (1000.0, 1000.0))
        yield


class Table:
    """A table of its own, joined, with a race that a driver answers."""

    def __init__(
        self, folder: Path, place: Membership, laps: int = 3, seed: int = 1, names: tuple[str, ...] = NAMES[:3]
    ) -> None:
        self.folder, self.place = folder, place
        cars = [{"car": 7 * (at + 1) + seed, "driver": name} for at, name in enumerate(names)]
        self.desk = begin_race({"track": "monaco", "laps": laps, "cars": cars}, "monaco", folder, name=place.table)
        self.driver = HeuristicDriver(self.desk.rulebook.track, seed)  # type: ignore[arg-type]
        self.carrier = Carrier(folder, place)
        self.carrier.begin()

    def play(self, answers: int) -> None:
        """So many answers, or to the flag."""
        for _ in range(answers):
            if (asked := self.desk.asked) is None:
                return
            self.desk.answer(self.driver.answer(asked, self.desk.rulebook.race), n=asked.n)

    def close(self) -> None:
        self.carrier.end()
        self.desk.close()


class Played:
    """An open hall, and its tables by their names."""

    def __init__(self, folder: Path, name: str = "Monaco Cup", *, api: bool = False) -> None:
        self.folder = folder
        self.control = RaceControl(folder / "control", name=name, host="127.0.0.1", port=free_port(), pages=0, api=api)
        self.control.begin()
        until(lambda: self.control.intake.connected)
        self.tables: dict[str, Table] = {}

    def joined(self, name: str) -> Membership:
        """A table that has joined, without a race."""
        seed, members = new_seed(), self.control.members
        table, _ = members.join(members.code(name), public(seed))
        return Membership(hall=members.hall, table=name, id=table, servers=[self.control.broker.address], seed=seed)

    def table(self, name: str, **more: int | tuple[str, ...]) -> Table:
        """A table that has joined and begun a race."""
        self.tables[name] = table = Table(self.folder / f"table {name}", self.joined(name), **more)  # type: ignore[arg-type]
        return table

    def settled(self) -> None:
        """Waits until race control has all that was written."""
        until(lambda: all(self.there(table.desk) for table in self.tables.values()))

    def there(self, desk: RaceDesk) -> bool:
        return any(
            race.log_id == desk.history.log_id and race.seq == desk.seq for race in self.control.floor.races.values()
        )

    def close(self) -> None:
        for table in self.tables.values():
            table.close()
        self.control.end()


class Organised:
    """A hall with a tournament beside it, run by command, and tables that have joined and are sent nothing yet."""

    def __init__(self, folder: Path, tables: Iterable[str], *begun: str) -> None:
        self.hall, self.folder = Played(folder), folder / "control"
        self.run = Commander(self.folder, "tournament")
        self.run("new", "Cup", "--track", "monaco", "--laps", "1", *begun)
        self.folders = {name: folder / name for name in tables}
        self.carriers = []
        for name, place in self.folders.items():
            place.mkdir()
            keep(place, joined := self.hall.joined(name))
            self.carriers.append(Carrier(place, joined))
            self.carriers[-1].begin()

    @property
    def record(self) -> Tournament:
        record = kept_record(self.folder, "last", "tournament").record
        assert isinstance(record, Tournament)
        return record

    def close(self) -> None:
        for carrier in self.carriers:
            carrier.end()
        self.hall.close()
