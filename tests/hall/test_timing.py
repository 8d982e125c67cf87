"""The trials of a tournament go to the tables of the hall, by a tap of race control; there they are driven by touch, by
command and by lines, and their times come back as they are driven."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.commands.main import companion
from companion.desk.trial_desk import TrialDesk
from companion.hall import timing
from companion.rules.conversation.errors import CompanionError
from companion.sheets.records import kept_record
from companion.tournament.control import Control, Trialled
from companion.tournament.trials import Trials
from tests.hall.halls import Organised, unhurried
from tests.hall.network import needs_nats, until
from tests.hall.test_pages import asked
from tests.tournament.commanding import Commander, refused

pytestmark = needs_nats


class Timed(Organised):
    """Two tables, and five drivers, one of whom has not come."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "12", "--sessions", "2")
        for number in range(1, 6):
            self.run("enter", f"Driver {number}", "--team", f"Club {number % 2}")
        self.run("checkin", "1", "2", "3", "4")
        self.code = self.hall.control.members.speaker("Jo")

    def type(self, *said: str) -> None:
        """A command at race control, typed again while its other program writes."""

        def typed() -> bool:
            try:
                self.run(*said)
            except CompanionError as wrong:
                if wrong.code != "held":
                    raise
                return False
            return True

        until(typed)

    def tap(self) -> int:
        """The key on race control's page."""
        return asked(self.hall, "POST", "/start", {"table": "", "race": "trials"}, self.code)[0]

    def at(self, table: str) -> list[int]:
        """Who drives at a table, once it has heard of it."""
        until(lambda: timing.assigned_trials(self.folders[table]) is not None)
        found = timing.assigned_trials(self.folders[table])
        assert found is not None
        return [one.number for one in found.opened.drivers]

    def time(self, table: str, *said: str) -> None:
        """A trial at a table, typed there."""
        Commander(self.folders[table], "trial")("--resume", "last", "time", *said)

    def sum(self, driver: int, session: int) -> int | None:
        """What a trial comes to at race control."""
        time = self.record.times.get(driver, {}).get(session)
        return time.total if time is not None else None


@pytest.fixture(scope="module")
def timed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Timed]:
    with unhurried():
        made = Timed(tmp_path_factory.mktemp("timed"))
        yield made
        made.close()


@pytest.mark.article("competition", "1-0-1", "1-0-3", "1-3-1")
def test_trials_go_to_the_tables_and_their_times_come_back(timed: Timed) -> None:
    """One story: each step is needed by what comes after it."""
    page = asked(timed.hall, "GET", "/control?lang=fr")[1]
    assert 'data-race="trials"' in page
    assert "4 pilotes sans table" in page
    assert timed.tap() == 409, "the sky comes first, the same for all"
    timed.type("weather", "12", "--session", "1")
    assert timed.tap() == 200
    assert [timed.at(table) for table in "12"] == [[1, 3], [2, 4]]
    assert timed.tap() == 409, "everybody has a table"
    page = asked(timed.hall, "GET", "/control")[1]
    assert 'data-race="trials"' not in page
    assert page.count("s-trials") == 2

    hall = Commander(timed.folders["1"], "hall")
    assert " trial --resume" in hall("start")
    timed.time("1", "1", "1", "17", "1:15.56")
    until(lambda: timed.sum(1, 1) == 18)
    assert timed.record.signed[-1].by == "program"
    Commander(timed.folders["2"], "hall")("start")
    timed.time("2", "2", "1", "16", "0:50.00")
    timed.time("2", "4", "1", "15", "0:50.00")
    until(lambda: timed.sum(4, 1) == 15)
    timed.time("1", "1", "1", "19", "1:15.56", "--why", "misread")
    until(lambda: timed.sum(1, 1) == 20)
    assert timed.record.signed[-1].act.why == timing.PUT_RIGHT
    timed.type("time", "1", "14", "0:50.00", "--session", "1", "--why", "the organiser's")
    timed.time("1", "1", "1", "30", "1:15.56", "--why", "again")
    timed.time("1", "3", "1", "last")
    until(lambda: 3 in timed.record.times)
    assert timed.sum(1, 1) == 14, "what somebody has put right at race control stays"

    with timing.hold(timed.folders["2"], "Ada") as desk:
        assert desk.record.session == 2, "and waits for its sky"
    timed.type("checkin", "5")
    assert [word.table for word in timing.trials(timed.folder, ["1", "2"])] == ["1"], "for table 2 nothing is new"
    timed.type("weather", "3", "--session", "2")
    timed.type("withdraw", "4", "--why", "ill")
    assert timed.tap() == 200
    until(lambda: [one.session for one in timing.missing_skies(timed.folders["2"], trials(timed.folders["2"]))] == [2])
    Commander(timed.folders["2"], "hall")("start")
    assert trials(timed.folders["2"]).skies.keys() == {1, 2}
    assert timed.at("1") == [1, 3, 5], "who came late goes to the first, beside those who are there"
    hall("start")
    assert trials(timed.folders["1"]).runs[1][1].throws == 30, "their times go with them"
    timed.time("1", "5", "1", "18", "0:40.00")
    until(lambda: timed.sum(5, 1) == 18)
    assert timed.sum(1, 1) == 14

    for table, driver in (("1", "1"), ("1", "3"), ("1", "5"), ("2", "2")):
        timed.time(table, driver, "2", "17", "0:30.00")
    until(lambda: timed.sum(2, 2) == 17)
    assert timing.assigned_trials(timed.folders["1"]) is None, "they are over"
    refused(lambda: timing.hold(timed.folders["1"], "Ada"), "not over")
    until(lambda: timed.sum(5, 2) == 17)
    assert [one.table for one in words(timed)] == ["1", "2", "1", "2"]
    assert "trials of 3 drivers" in Commander(timed.folder, "hall")("log")
    timed.type("seed", "--tables", "2")
    assert timed.tap() == 409, "the tables are dealt"


def trials(folder: Path) -> Trials:
    record = kept_record(folder, "last", "trials").record
    assert isinstance(record, Trials)
    return record


def words(timed: Timed) -> list[Trialled]:
    record = kept_record(timed.folder, "last", Control.KIND).record
    return [one.act for one in record.signed if isinstance(one.act, Trialled)]


def test_a_time_of_another_tables_driver_is_not_taken(tmp_path: Path) -> None:
    with unhurried():
        timed = Timed(tmp_path)
        try:
            timed.type("weather", "12", "--session", "1")
            assert timed.tap() == 200
            assert [timed.at(table) for table in "12"] == [[1, 3], [2, 4]]
            Commander(timed.folders["1"], "hall")("start")
            found = timing.assigned_trials(timed.folders["1"])
            assert found is not None
            TrialDesk.begin(timed.folders["2"], found.opened, by="Eve").close()
            timed.time("2", "1", "1", "5", "0:20.00")
            timed.time("1", "3", "1", "17", "1:15.56")
            until(lambda: timed.sum(3, 1) == 18)
            said: list[str] = []
            until(lambda: "Table 2 sent a time of number 1, who was not given to it" in collected(timed, said))
            assert 1 not in timed.record.times
        finally:
            timed.close()


def collected(timed: Timed, said: list[str]) -> str:
    """What `tournament collect` says."""
    words = ["--data", str(timed.folder), "--lang", "en", "tournament", "collect"]
    said[:] = CliRunner().invoke(companion, words).output.splitlines()
    return "\n".join(said)
