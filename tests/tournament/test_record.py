"""A record is a log like a race's: added to, taken back by an act, refused whole, and safe when it is killed."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path
from random import Random
from typing import ClassVar

import pytest

from companion.desk import RaceDesk
from companion.desk.record_desk import RecordDesk
from companion.rules.conversation.errors import BadEntry, LogError, NothingToDo, NotSaved
from companion.sheets.backup import backup
from companion.sheets.chain import chained
from companion.sheets.database import connected
from companion.sheets.place import DATABASE
from companion.sheets.reading import entries, races, reading
from companion.sheets.records import among, record_of, records
from companion.sheets.salvage import salvage
from companion.tournament.record import Act, Noted, Record, Signed
from tests.killed import beside, kill
from tests.toy import SETUP, toy


class Begun(Act, frozen=True, tag="tournament"):
    name: str


class Added(Act, frozen=True, tag="added"):
    number: int


class Closed(Act, frozen=True, tag="closed"):
    settles: ClassVar[bool] = True


class Tally(Record):
    """Adds numbers up, and takes none twice."""

    KIND = "tournament"
    ACTS = (Begun, Added, Closed)

    def __init__(self) -> None:
        super().__init__()
        self.numbers: list[int] = []

    def apply(self, signed: Signed) -> None:
        match signed.act:
            case Begun(name=name):
                self.name = name
            case Added(number=number):
                self.numbers.append(number)
                if self.numbers.count(number) > 1:
                    raise BadEntry(f"{number} is there already.")


def tally(folder: Path) -> RecordDesk[Tally]:
    return RecordDesk.begin(folder, Tally, Begun(name="Rhône Masters"), by="Ada")


def read(folder: Path) -> Tally:
    with reading(folder) as db:
        listed = among("tournament")(db, "last")
        return record_of(chained(entries(db, listed.log_id), listed.head), Tally)


def test_what_nobody_could_read_again_is_not_written(tmp_path: Path) -> None:
    with tally(tmp_path) as desk:
        with pytest.raises(BadEntry, match=r"This is no act .Expected `int`, got `str`"):
            desk.act(Added(number="3"), by="Bob")  # type: ignore[arg-type]
        for by, why in (("Bo\udce9", ""), ("Bob", "\udce9")):
            with pytest.raises(BadEntry, match="half a character"):
                desk.act(Added(number=3, why=why), by=by)
        desk.act(Added(number=3), by="Bob")
    assert read(tmp_path).numbers == [3]


def test_it_goes_on_where_it_was(tmp_path: Path) -> None:
    with tally(tmp_path) as desk:
        for number in (3, 1, 2):
            desk.act(Added(number=number, why="it came"), by="Bob")
    with RecordDesk.resume(tmp_path, Tally, "rhône masters") as desk:
        assert desk.record.numbers == [3, 1, 2]
        assert [(one.seq, one.by, one.act.why) for one in desk.record.log][1] == (2, "Bob", "it came")
        desk.act(Added(number=9), by="Ada")
    assert read(tmp_path).numbers == [3, 1, 2, 9]


def test_an_undo_is_an_act_and_stops_at_what_is_settled(tmp_path: Path) -> None:
    with tally(tmp_path) as desk:
        for number in (1, 2, 3):
            desk.act(Added(number=number), by="Ada")
        assert desk.undo(by="Bob", why="wrong").act == Added(number=3)
        desk.undo(by="Bob")
        assert desk.record.numbers == [1]
        assert len(desk.record.log) == 6
        desk.act(Closed(), by="Ada")
        with pytest.raises(NothingToDo, match="corrected, with a reason"):
            desk.undo(by="Bob")
        desk.act(Noted(text="late"), by="Ada")
        desk.undo(by="Ada")
    assert read(tmp_path).numbers == [1]


def test_what_is_refused_changes_nothing(tmp_path: Path) -> None:
    with tally(tmp_path) as desk:
        desk.act(Added(number=1), by="Ada")
        for by, act in (("Ada", Added(number=1)), ("", Added(number=2)), ("Ada", Begun(name="again"))):
            with pytest.raises(BadEntry):
                desk.act(act, by=by)
        assert desk.record.numbers == [1]
        assert len(desk.record.log) == 2
    assert read(tmp_path).numbers == [1]


def test_what_the_disk_does_not_take_is_not_in_force(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with tally(tmp_path) as desk:
        desk.act(Added(number=1), by="Ada")

        def full(*_: object, **__: object) -> int:
            raise NotSaved("full", path="here")

        with monkeypatch.context() as patched:
            patched.setattr(desk.log, "append", full)
            with pytest.raises(NotSaved):
                desk.act(Added(number=2), by="Ada")
            with pytest.raises(NotSaved):
                desk.undo(by="Ada")
        assert desk.record.numbers == [1]
        desk.act(Added(number=2), by="Ada")
    assert read(tmp_path).numbers == [1, 2]


def test_it_has_one_writer_and_is_no_race(tmp_path: Path) -> None:
    with RaceDesk.begin(toy(), setup=SETUP, track="a toy", folder=tmp_path, name="a race"), tally(tmp_path):
        with pytest.raises(LogError, match="is being written by"):
            RecordDesk.resume(tmp_path, Tally)
        with reading(tmp_path) as db:
            assert [race.name for race in races(db)] == ["a race"]
            assert [record.name for record in records(db)] == ["Rhône Masters"]
            with pytest.raises(LogError, match="There is no season"):
                among("season")(db, "last")
    with RaceDesk.resume(tmp_path, "last", make=toy) as race:
        assert race.log is not None
        assert race.log.name == "a race"


def test_its_entries_are_guarded_and_chained(tmp_path: Path) -> None:
    with tally(tmp_path) as desk:
        desk.act(Added(number=1), by="Ada")
    with sqlite3.connect(tmp_path / DATABASE) as db:
        with pytest.raises(sqlite3.IntegrityError, match="never changed"):
            db.execute("UPDATE entry SET actor = 'Eve'")
        db.execute("DROP TRIGGER entry_stays")
        db.execute("UPDATE entry SET body = replace(body, '1', '2') WHERE seq = 2")
    with pytest.raises(LogError, match="not as it was written"):
        read(tmp_path)


def test_it_is_copied_and_salvaged_like_a_race(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with tally(folder) as desk:
        for number in range(1, 30):
            desk.act(Added(number=number), by="Ada")
    copy = backup(folder, tmp_path / "copies")
    assert not copy.problems
    assert read(copy.path).numbers == list(range(1, 30))
    db = connected(folder / DATABASE, write=True)
    db.execute("DROP TRIGGER entry_remains")
    db.execute("DELETE FROM entry WHERE seq = 20")
    db.close()
    done = salvage(folder, lambda seq: f"lost after {seq}")
    assert [(one.name, one.entries, one.lost) for one in done.races] == [("Rhône Masters", 19, 11)]
    record = read(folder)
    assert record.numbers == list(range(1, 19))
    assert record.log[-1].act == Noted(text="lost after 19")


def writer(folder: Path, acknowledge: int) -> None:
    """Goes on adding and taking back, and acknowledges everything that was accepted."""
    try:
        desk = RecordDesk.resume(folder, Tally)
    except LogError:
        desk = tally(folder)
    rng = Random(os.getpid())
    while True:
        if rng.random() < 0.2 and desk.record.numbers:
            desk.undo(by="Ada")
        else:
            desk.act(Added(number=rng.randrange(10**12)), by="Ada")
        os.write(acknowledge, f"{len(desk.record.log)} {sum(desk.record.numbers)}\n".encode())


def test_killed_it_loses_no_acknowledged_act(tmp_path: Path) -> None:
    rng = Random(3)
    for _ in range(12):
        child, reader = beside(lambda acknowledge: writer(tmp_path, acknowledge))
        heard = os.read(reader, 20)
        time.sleep(rng.random() * 0.05)
        kill(child)
        while more := os.read(reader, 65536):
            heard += more
        os.close(reader)
        last, total = map(int, heard.decode().splitlines()[-1].split())
        record = read(tmp_path)
        assert len(record.log) in (last, last + 1)
        if len(record.log) == last:
            assert sum(record.numbers) == total
