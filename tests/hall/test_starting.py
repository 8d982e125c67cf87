"""A tournament's races go to the tables of the hall, and their results come back into it live."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.desk import RaceDesk
from companion.desk.record_desk import RecordDesk
from companion.drivers.sensible import HeuristicDriver
from companion.hall import starting
from companion.hall.receiving import WENT_ON
from companion.hall.running import RaceControl
from companion.rules.conversation.errors import CompanionError, LogError
from companion.tournament.control import Started
from companion.tournament.record import Act
from companion.tournament.results import Confirmed, Filed, ResultCorrected
from companion.tournament.tournament import Tournament
from tests.hall.halls import Organised, unhurried
from tests.hall.network import needs_nats, until
from tests.hall.test_pages import asked
from tests.tournament.commanding import Commander, refused
from tests.web.browser import CHROMIUM, DRIVER, Browsers, too_wide
from tests.web.browser import MISSING as NO_BROWSER

pytestmark = needs_nats


class Seated(Organised):
    """Six drivers at two of three tables."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "123", "--sessions", "0", "--points", "formula-de")
        for number in range(1, 7):
            self.run("enter", f"Driver {number}")
        self.run("checkin", "all")
        self.run("seed", "--tables", "2", "--from", "number")
        self.run("publish")
        self.run("weather", "12", "--round", "1")
        self.codes = [self.hall.control.members.speaker(name) for name in ("Jo", "Kim")]

    def act(self, act: Act, by: str) -> None:
        """Somebody acts on the tournament, as soon as the hall itself has written there."""

        def done() -> bool:
            try:
                with RecordDesk.resume(self.folder, Tournament) as desk:
                    desk.act(act, by=by)
            except LogError as wrong:
                if wrong.code != "held":
                    raise
                return False
            return True

        until(done)

    def filed(self, key: str) -> Filed:
        """The result of a table, once it has come."""
        until(lambda: key in self.record.results)
        return self.record.results[key]

    def given(self, table: str) -> Started:
        """The race that a table was given, once it has heard of it."""
        until(lambda: starting.assigned_race(self.folders[table]) is not None)
        found = starting.assigned_race(self.folders[table])
        assert found is not None
        return found

    def play(self, desk: RaceDesk, seed: int) -> None:
        """To the flag; then until race control has it all."""
        driver = HeuristicDriver(desk.rulebook.track, seed)  # type: ignore[attr-defined]
        while (question := desk.asked) is not None:
            desk.answer(driver.answer(question, desk.rulebook.race), n=question.n)
        until(lambda: self.hall.there(desk))

    def confirm(self, desk: RaceDesk) -> None:
        """Jo and Kim confirm a race's end as it stands."""
        race = next(race for race in self.hall.control.floor.races.values() if race.log_id == desk.history.log_id)
        said = {"log": race.log_id, "seq": str(race.seq), "hash": race.hash}
        for code in self.codes:
            assert asked(self.hall, "POST", "/confirm", said, code)[0] == 200

    def start(self, table: str, race: str) -> tuple[int, str]:
        return asked(self.hall, "POST", "/start", {"table": table, "race": race}, self.codes[0])


@pytest.fixture(scope="module")
def seated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seated]:
    with unhurried():
        made = Seated(tmp_path_factory.mktemp("hall"))
        yield made
        made.close()


def test_a_tournament_goes_to_its_tables_and_comes_back(seated: Seated) -> None:
    """Seats, weather and start to the table; its log and result back, made official by two, put right where it went
    on. One story: each of its races is needed by what comes after it."""
    record = seated.record
    page = asked(seated.hall, "GET", "/control?lang=fr")[1]
    assert page.count('data-post="/start"') == 3, "one for each race, and one for all"
    assert '<option value="2" selected>' in page
    assert asked(seated.hall, "POST", "/start", {"table": "", "race": ""})[0] == 401
    assert asked(seated.hall, "POST", "/start", {"table": "", "race": ""}, seated.codes[0])[0] == 200
    for at in (1, 2):
        given = seated.given(str(at))
        assert [car["car"] for car in given.setup["cars"]] == list(record.seated(f"1.{at}"))
        sky = record.sky_of_round(1)
        assert sky is not None
        assert (given.name, given.setup["sky"], given.setup["laps"]) == (f"Cup 1.{at}", sky.sky, 1)
    assert starting.assigned_race(seated.folders["3"]) is None
    assert seated.start("", "")[0] == 409, "every race has its table"
    assert seated.start("1", "1.1")[0] == 409
    assert seated.start("9", "1.1")[0] == 409
    assert seated.start("1", "2.1")[0] == 409
    assert seated.start("Table 3", "1.2")[0] == 200, "another table has it now"
    until(lambda: starting.assigned_race(seated.folders["2"]) is None)
    seated.given("3")

    said = Commander(seated.folders["1"], "hall")
    assert "Cup 1.1" in said("start")
    refused(lambda: said("start"), "given no race to this table")
    with RaceDesk.resume(seated.folders["1"]) as desk:
        seated.play(desk, 1)
        filed = seated.filed("1.1")
        assert filed.log is not None
        assert (filed.log.table, filed.log.entries, filed.official) == ("1", desk.seq, False)
        assert filed.versions[-1].signed.by == "program"
        assert "live from table 1" in seated.run("classification", "1.1")
        shown = seated.hall.control.snapshot().tables[0]
        assert shown.race is not None
        assert [line.points for line in shown.race.result] == [line.scored(record.begun.points) for line in filed.lines]
        seated.confirm(desk)
        until(lambda: seated.filed("1.1").official)
        signed = seated.filed("1.1").confirmed
        assert signed is not None
        assert signed.by == "Kim", "the first of the two is in race control's log"
        at = seated.hall.control
        assert at.snapshot().tables[0].state == "confirmed"
        lines = (replace(filed.lines[0], points=1), *filed.lines[1:])
        seated.act(ResultCorrected(race="1.1", lines=lines, why="fair play"), "Eve")
        assert at.snapshot().tables[0].state == "finished", "nobody has confirmed the new one"
        assert "1.1 (corrected)" in asked(seated.hall, "GET", "/wall?lang=en")[1]
        seated.act(Confirmed(race="1.1"), "Kim")
        assert at.snapshot().tables[0].state == "confirmed"

    with starting.begin(seated.folders["3"]) as desk:
        until(lambda: "1.2" in [race.key for race in seated.hall.control.snapshot().starts if race.runs])
        assert seated.start("2", "1.2")[0] == 409, "it runs"
        with RecordDesk.resume(seated.folder, Tournament) as held:  # somebody has it open: it comes in a little later
            seated.play(desk, 2)
            time.sleep(0.2)
            assert "1.2" not in held.record.results
        before = seated.filed("1.2").lines
        for seed in range(3, 30):  # the table was not content with how it ended
            desk.undo(20)
            seated.play(desk, seed)
            if [row["car"] for row in desk.rulebook.result()] != [line.driver for line in before]:
                break
        assert seated.filed("1.2").lines == before
        seated.confirm(desk)
        until(lambda: seated.filed("1.2").official)
        after = seated.filed("1.2")
        assert after.lines != before
        assert [line.driver for line in after.lines] == [row["car"] for row in desk.rulebook.result()]
        assert (after.versions[1].signed.by, after.versions[1].signed.act.why) == ("Jo", WENT_ON)
    assert seated.start("2", "1.2")[0] == 409, "it has its result"
    assert not seated.hall.control.snapshot().starts


def test_what_there_is_not_is_said(tmp_path: Path) -> None:
    with pytest.raises(CompanionError, match="given no race"):
        starting.begin(tmp_path)
    assert starting.start(tmp_path, "4", "1.4") == Started(table="4", race="1.4"), "its name alone"
    assert starting.numbered("Table 12") == starting.numbered("3.12") == "12"
    assert starting.numbered("A") == "A"


def test_of_two_events_the_one_last_written_is_shown_and_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An old season whose next race is settled lies beside the tournament of the day."""
    season, cup = Commander(tmp_path, "season"), Commander(tmp_path, "tournament")
    season("new", "Old", "monaco", "sochi")
    cup("new", "Cup", "--sessions", "0")
    for number in range(1, 5):
        season("enter", f"Driver {number}")
        cup("enter", f"Driver {number}")
    season("grid", "1", "--seed", "1")
    for said in (("checkin", "all"), ("seed", "--tables", "2", "--from", "number"), ("publish",)):
        cup(*said)
    cup("weather", "12", "--round", "1")
    control, words = RaceControl(tmp_path), list[Started]()
    monkeypatch.setattr(control.members, "names", lambda: ["1", "2"])
    monkeypatch.setattr(control, "speak", lambda who, word: words.append(word))
    for name, keys in (("Cup", ["1.1", "1.2"]), ("Old", ["1"])):
        words.clear()
        control.start("Jo", "", "")
        assert [word.race for word in words] == keys
        assert control.snapshot().standings["en"].subtitle.startswith(name)
        season("move", "2", "--date", "20 June", "--why", "rain")


@pytest.fixture
def dealt_before(tmp_path: Path) -> Iterator[Seated]:
    """Driver 3 has left since the tables were published."""
    with unhurried():
        made = Seated(tmp_path)
        made.run("checkin", "3", "--not")
        yield made
        made.close()


@pytest.mark.skipif(CHROMIUM is None or DRIVER is None, reason=NO_BROWSER)
@pytest.mark.parametrize(
    ("lang", "told", "label"),
    [("en", "gone: 3 Driver 3", "Why these seats stay"), ("fr", "3 Driver 3", "Pourquoi garder ces places")],
)
def test_seats_that_are_no_longer_true_go_to_a_table_with_a_reason_on_the_page(
    dealt_before: Seated, lang: str, told: str, label: str
) -> None:
    assert dealt_before.start("1", "1.1")[0] == 409
    browsers = Browsers()
    try:
        page = browsers.page(1280, 900)
        page.open(f"http://127.0.0.1:{dealt_before.hall.control.pages}/control?lang={lang}#{dealt_before.codes[0]}")
        form = '#starts form[data-race="1.1"]'
        assert told in page.text("#starts li")
        field = f"document.querySelector('{form} [name=why]')"
        assert page.run(f"return {field}.getAttribute('aria-label')") == label
        page.tap(f"{form} button")
        assert page.run(f"return {field}.matches(':invalid')"), "nothing is sent without a reason"
        assert starting.assigned_race(dealt_before.folders["1"]) is None
        assert too_wide(page) == {}
        page.screen(1280, 900)
        assert page.run("return document.documentElement.scrollWidth") <= 1280
        page.run(f"{field}.value = 'all agree'")
        page.tap(f"{form} button")
        assert dealt_before.given("1").race == "1.1"
        page.wait(lambda: not page.run(f"return !!{field}"))
    finally:
        browsers.close()
    assert (dealt_before.record.log[-1].by, dealt_before.record.log[-1].act.why) == ("Jo", "all agree")
    assert dealt_before.start("2", "1.2")[0] == 200


def test_seats_that_are_no_longer_true_go_to_a_table_with_a_reason_by_command(dealt_before: Seated) -> None:
    said = Commander(dealt_before.folder, "hall")
    refused(lambda: said("assign", "1", "1.1"), "gone: 3 Driver 3")
    said("assign", "1", "1.1", "--why", "all agree")
    assert dealt_before.given("1").race == "1.1"
