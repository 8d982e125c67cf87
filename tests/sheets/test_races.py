"""Whole races by the real rulebook, with undo, redo, corrections and the referee's word thrown in at random: trying
changes nothing, doing is what was tried, the log holds, and the sheet's wear is the race's."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.circuits import find, load
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.desk.organising import result_of
from companion.drivers.chance import RandomDriver
from companion.hall.floor import Floor
from companion.hall.ledger import Ledger
from companion.rules.conversation.errors import BadAnswer, BadEntry, BadOverride, NothingToDo
from companion.rules.rulebooks import begin
from companion.sheets.build_sheet import race_sheet
from companion.sheets.chain import canonical
from companion.sheets.entry import Entry
from companion.sheets.history import History
from companion.sheets.reading import races, reading
from companion.sheets.replay import rulebook_of
from companion.sheets.verify import verify
from tests.hall.logs import hashed

WORDS = ({"car": 1, "wear": {"tyres": 2}}, {"surface": "wet"}, {"car": 2, "gear": 2}, {"car": 1, "status": "out"})


def correct(desk: RaceDesk, driver: RandomDriver, rng: Random) -> None:
    """Corrects some answer to something that was legal there, and takes it back at times."""
    n = rng.randrange(desk.n)
    if desk.history.items[n].event.key is None:
        return
    fork = desk.conversation.fork(desk.rulebook.clone(), n)
    assert fork.asked is not None
    answer = driver.answer(fork.asked, fork.rulebook.race)  # type: ignore[attr-defined]
    keep = rng.choice(["board", "replay"])
    before = desk.rulebook.save()
    tried = desk.try_correction(n, answer, keep=keep)
    assert desk.rulebook.save() == before
    if tried.dropped > 60:
        return
    assert desk.correct(n, answer, keep=keep) == tried
    if rng.random() < 0.3:
        desk.undo()
        assert desk.rulebook.save() == before


@pytest.mark.parametrize("circuit", ["monaco", "austin"])  # known to the space, and to the corner
@pytest.mark.parametrize("seed", range(4))
def test_a_race_at_random(tmp_path: Path, seed: int, circuit: str) -> None:
    rng, track = Random(seed), load(circuit)
    driver = RandomDriver(track, seed)
    setup = {"track": circuit, "laps": 1, "cars": [{"car": n} for n in range(1, 5)]}
    text = find(circuit).read_text(encoding="utf-8")
    with RaceDesk.begin(begin(setup, track), setup=setup, track=text, folder=tmp_path) as desk:
        for _ in range(300):
            if desk.asked is None:
                break
            desk.answer(driver.answer(desk.asked, desk.rulebook.race))
            chance = rng.random()
            try:
                if chance < 0.06 and desk.n:
                    correct(desk, driver, rng)
                elif chance < 0.1:
                    desk.undo(rng.randrange(1, 6))
                elif chance < 0.12:
                    desk.redo()
                elif chance < 0.14 and desk.rulebook.round:
                    desk.override(rng.choice(WORDS), by="Ref", why="at random")
            except (NothingToDo, BadAnswer, BadOverride):
                continue
        state, cars = desk.rulebook.save(), desk.rulebook.race.cars
        sheet = desk.sheet()
        assert {car.car: car.wear for car in sheet.cars} == {car.number: dict(car.wear) for car in cars}
    found = verify(tmp_path, "last", rulebook_of)
    assert found.problems == []
    assert found.replayed == found.entries
    with RaceDesk.resume(tmp_path) as desk:
        assert desk.rulebook.save() == state


@pytest.mark.parametrize(("column", "value"), [("name", b"toy"), ("begun", b"x"), ("round", "two")])
def test_a_row_of_the_list_that_holds_no_text_or_number_any_more_is_read_from_the_log(
    tmp_path: Path, column: str, value: object
) -> None:
    from companion.sheets.reading import _KINDS, races

    with sqlite3.connect(":memory:") as db:
        row = ["a", "toy", "t", "b", "1", "x", 1, 1, 1, 0, 1]
        assert tuple(map(type, row)) == _KINDS
        names = ("log_id", "name", "begun", "rulebook", "version", "track", "cars", "laps", "round", "over", "head")
        row[names.index(column)] = value  # type: ignore[call-overload]
        db.execute(f"CREATE TABLE race({', '.join(names)})")
        db.execute("CREATE TABLE entry(log_id, seq, at_wall, c, d, e, kind, g, body, i, j, k, l)")
        db.execute("INSERT INTO race VALUES (?,?,?,?,?,?,?,?,?,?,?)", row)
        db.execute("INSERT INTO entry VALUES ('a', 1, ?, 0, '', '', '', 0, '', '', '', x'00', x'00')", [b"t"])
        db.execute("INSERT INTO entry SELECT x'61', seq, at_wall, c, d, e, kind, g, body, i, j, k, l FROM entry")
        (listed,) = races(db)
        assert (listed.name, listed.last, listed.round) == ("a", "", 0)


def nobody_left(desk: RaceDesk) -> RandomDriver:
    """Drives a race of two cars to its start, where the referee takes both off; who drove it."""
    driver = RandomDriver(load("monaco"), 1)
    while desk.rulebook.race.phase != "race":
        assert desk.asked is not None
        desk.answer(driver.answer(desk.asked, desk.rulebook.race))
    for car in (1, 2):
        desk.override({"car": car, "status": "out"}, by="Ref", why="fell off")
    return driver


@pytest.mark.parametrize("silent", [False, True])
@pytest.mark.parametrize("rulebook", ["competition", "cup", "league", "death"])
def test_a_race_that_goes_on_after_its_end_has_no_result(tmp_path: Path, rulebook: str, silent: bool) -> None:
    """By the sheet, the list, the ledger and to a tournament; also where an older program did not say (`silent`)."""
    cars = [{"car": number, "driver": f"D{number}", "team": f"T{number}"} for number in (1, 2)]
    setup = {"rulebook": rulebook, "track": "monaco", "cars": cars}
    with begin_race(setup, "monaco", tmp_path, name="again") as desk:
        driver = nobody_left(desk)
        while desk.asked is not None:  # a question of the turn that was open
            desk.answer(driver.answer(desk.asked, desk.rulebook.race))
        assert (desk.over, desk.history.stands[1], len(desk.sheet().result or ())) == (True, True, 2)
        desk.override({"car": 1, "status": "racing"}, by="Ref", why="put back")
        assert (desk.over, desk.history.stands[1], desk.sheet().result) == (False, False, None)
        assert desk.log is not None
        log = list(desk.log.entries)
    assert verify(tmp_path, "again", rulebook_of).problems == []
    with reading(tmp_path) as db:
        assert not races(db)[0].over
    if silent:
        log[-1] = unsaid(log[-1])
    history = History.of(log)
    assert (history.stands[1], race_sheet(history).result) == (False, None)
    with pytest.raises(BadEntry, match="is still running"):
        result_of(log)
    with Ledger(tmp_path / "hall") as ledger:
        ledger.take(log, "4")
        floor = Floor()
        floor.begin(ledger)
        assert (floor.races["4"].over, floor.races["4"].result) == (False, ())
        assert silent or ledger.unfinished("4") == log[0].log_id


def test_a_race_has_taken_as_long_as_the_machines_were_on(tmp_path: Path) -> None:
    """Whatever became of the clock on the wall: a Raspberry Pi without one wakes up in any year, and is put right when
    a network comes; another's program may write times of no zone."""
    setup = {"track": "monaco", "cars": [{"car": 1}, {"car": 2}]}
    with begin_race(setup, "monaco", tmp_path, name="again") as desk:
        nobody_left(desk)
        assert desk.log is not None
        log: list[Entry] = []
        for n, entry in enumerate(desk.log.entries):
            boot, wall = ("first", "1970-01-01T00:00:07.000+00:00") if n < 2 else ("second", "2026-06-13T20:00:00")
            mono = (5000 if n < 2 else 20) + 90 * n  # seconds
            entry = msgspec.structs.replace(
                entry, at_wall=wall, at_mono_ns=mono * 10**9, boot_id=boot, prev=log[-1].hash if log else entry.prev
            )
            log.append(hashed(entry))
    lines, reference = result_of(log)
    assert len(lines) == 2
    assert reference.seconds == 90 * (len(log) - 2)  # nobody knows how long it was off


def unsaid(entry: Entry) -> Entry:
    """The word by which a race goes on, as it was written while that said nothing of how it stood."""
    body = msgspec.json.decode(entry.body)
    del body["position"]
    return hashed(msgspec.structs.replace(entry, body=canonical(body).decode()))
