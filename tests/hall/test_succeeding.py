"""A race goes on at another table when its machine is dead, in a log that says whose successor it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.drivers.cards import HeuristicCardDriver
from companion.drivers.sensible import HeuristicDriver
from companion.hall.carrier import Carrier
from companion.hall.membership import keep
from companion.hall.takeover import SUCCEEDS, old_of, succeed
from companion.rules.conversation.errors import LogError
from companion.sheets.entry import Entry
from companion.sheets.reading import entries, reading
from companion.sheets.replay import rulebook_of
from companion.sheets.verify import verify
from tests.french import told_in_french
from tests.hall.halls import Played
from tests.hall.network import needs_nats, until
from tests.hall.test_serve import said


def log_of(desk: RaceDesk, folder: Path) -> list[Entry]:
    with reading(folder) as db:
        return list(entries(db, desk.history.log_id))


@pytest.mark.parametrize("book", ["competition", "cup", "league", "death", "ninety"])
def test_it_stands_where_the_old_log_ended(tmp_path: Path, book: str) -> None:
    """In the middle of a turn; what was taken back stays so, and the referee's word stands."""
    track, laps = ("saltmarsh", 9) if book == "ninety" else ("monaco", 2)
    setup = {"rulebook": book, "track": track, "laps": laps, "cars": [{"car": 7, "driver": "Ada"}, {"car": 14}]}
    with begin_race(setup, track, tmp_path / "dead", name="Table 4") as old:
        driver = (HeuristicCardDriver if book == "ninety" else HeuristicDriver)(old.rulebook.track, 4)  # type: ignore[arg-type]
        for at in range(25):
            assert old.asked is not None
            old.answer(driver.answer(old.asked, old.rulebook.race), n=old.n)
            if at == 15:
                old.undo(3)
        if book != "ninety":
            old.override({"car": 14, "gear": 1}, by="Jo", why="a lever")
        log, state = log_of(old, tmp_path / "dead"), old.state()
    with succeed(tmp_path / "new", log) as new:
        assert (new.state(), new.history.log_id == log[0].log_id) == (state, False)
        begun = new.history.beginning
        assert begun is not None
        assert begun.name == "Table 4"
        assert begun.setup[SUCCEEDS] == {"log": log[0].log_id, "seq": len(log), "hash": log[-1].hash.hex()}
    assert verify(tmp_path / "new", "last", rulebook_of).problems == []
    with pytest.raises(LogError):
        succeed(tmp_path / "new", [*log[:9], *log[10:]])


def test_a_word_of_an_older_log_sets_what_it_says(tmp_path: Path) -> None:
    """No lap went with a place then."""
    cars = [{"car": 7, "at": "20:left:16", "gear": 2, "lap": 1}, {"car": 14, "at": "20:left:13", "gear": 2, "lap": 1}]
    setup = {"track": "monaco", "laps": 3, "cars": cars, "to_play": [7, 14]}
    with begin_race(setup, "monaco", tmp_path / "dead") as old:
        old.override({"car": 7, "at": "1:left:3"}, by="Jo", why="misplaced", exact=True)
        log, state = log_of(old, tmp_path / "dead"), old.state()
    with succeed(tmp_path / "new", log) as new:
        assert (new.state(), new.rulebook.car(7).lap) == (state, 1)


def test_a_race_that_is_over_has_no_successor(tmp_path: Path) -> None:
    setup = {"track": "monaco", "laps": 1, "cars": [{"car": 7}, {"car": 14}]}
    with begin_race(setup, "monaco", tmp_path / "dead") as old:
        driver = HeuristicDriver(old.rulebook.track, 4)  # type: ignore[arg-type]
        while old.asked is not None:
            old.answer(driver.answer(old.asked, old.rulebook.race), n=old.n)
        with pytest.raises(LogError, match="could go on") as wrong:
            succeed(tmp_path / "new", log_of(old, tmp_path / "dead"))
    told_in_french(wrong.value)


def test_what_this_program_rules_otherwise_is_told_before_anything_is_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup = {"track": "monaco", "laps": 1, "cars": [{"car": 7}, {"car": 14}]}
    with begin_race(setup, "monaco", tmp_path / "dead") as old:
        driver = HeuristicDriver(old.rulebook.track, 4)  # type: ignore[arg-type]
        for _ in range(8):
            assert old.asked is not None
            old.answer(driver.answer(old.asked, old.rulebook.race), n=old.n)
        log = log_of(old, tmp_path / "dead")
    monkeypatch.setattr(
        "companion.hall.takeover.rulebook_of", lambda setup, track: rulebook_of({**setup, "laps": 2}, track)
    )
    with pytest.raises(LogError, match="does not follow") as wrong:
        succeed(tmp_path / "new", log)
    assert not (tmp_path / "new").exists()
    told_in_french(wrong.value)


@needs_nats
def test_a_new_card_without_a_stick_goes_on_with_what_race_control_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It joins in the dead machine's name, asks for its race in several messages, and sends it on as a log of its own;
    what it goes on from is on race control's page."""
    monkeypatch.setattr("companion.hall.takeover.BATCH", 6000)
    hall = Played(tmp_path)
    try:
        dead = hall.table("4")
        other = hall.table("5", seed=2)
        dead.play(30)
        other.play(5)
        hall.settled()
        dead.close()
        del hall.tables["4"]
        old = dead.desk.history.log_id
        keep(tmp_path / "new", place := hall.joined("4"))
        assert said(tmp_path / "new", "takeover") == f"4 goes on here in a new log, from entry 31 of log {old[:8]}.\n"
        with RaceDesk.resume(tmp_path / "new") as new:
            begun = new.history.beginning
            assert begun is not None
            assert (old_of(begun.setup), new.seq) == (old, 31)
            carrier = Carrier(tmp_path / "new", place)
            carrier.begin()
            until(lambda: hall.there(new))
            race = hall.control.floor.races["4"]
            assert (race.log_id, race.succeeds) == (new.history.log_id, old)
            assert hall.control.server is not None
            page = hall.control.server._writers["fr"].log(race, [])
            assert f"prend la suite du journal {old[:8]}" in page
        carrier.end()
    finally:
        hall.close()
