"""What a race of a tournament or season has begun from stays, by whichever door somebody would change it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion import circuits
from companion.desk.beginning import begin_race
from companion.desk.record_desk import RecordDesk
from companion.hall.ledger import Ledger
from companion.hall.membership import WORDS, Membership, keep
from companion.hall.starting import waiting, with_assignments
from companion.rules.conversation.errors import CompanionError
from companion.sheets.lines import as_line
from companion.sheets.place import LEDGER
from companion.sheets.reading import entries, race_ids, reading
from companion.sheets.records import kept_record
from companion.sheets.stored_race import delete, restore
from companion.tournament.control import Control, DayOpened, Started
from companion.tournament.tournament import Tournament
from companion.wording import LANGUAGES, Words
from tests.tournament.commanding import Commander, play, refused
from tests.tournament.test_by_lines import say

CHART = circuits.board("monaco").weather
FACE = {sky: next(n for n in range(1, 21) if CHART.sky(n) == sky) for sky in ("sun", "changeable", "rain")}
"""A face of the black die for each sky."""
RAIN = str(FACE["rain"])


@pytest.fixture
def run(tmp_path: Path) -> Commander:
    """Eight drivers at two published tables, of whom 8 is away; the sun shines."""
    run = Commander(tmp_path, "tournament")
    run("new", "Cup", "--laps", "1")
    for number in range(1, 10):
        run("enter", f"D{number}", "--number", str(number))
    run("checkin", "1", "2", "3", "4", "5", "6", "7", "8")
    run("seed", "--tables", "2", "--from", "number")
    run("publish")
    run("checkin", "8", "--not")
    run("publish", "--why", "8 is late")
    run("weather", str(FACE["sun"]), "--round", "1")
    return run


@pytest.fixture
def league(tmp_path: Path) -> Commander:
    """A season of two races for four drivers whose first grid was drawn."""
    league = Commander(tmp_path, "season")
    league("new", "League", "monaco", "monza", "--laps", "1", "--rulebook", "competition")
    for number in range(1, 5):
        league("enter", f"D{number}", "--number", str(number))
    league("grid", "1", "4", "2", "3", "1", "--why", "drawn by hand")
    return league


def at_table(run: Commander, key: str, table: Path) -> None:
    """A race begins at a table of the hall, and race control has heard of it."""
    setup = json.loads(run("setup", key))
    with begin_race(setup, str(setup["track"]), table) as desk:
        assert desk.log is not None
        log_id = desk.log.log_id
    sent(run, table, log_id)


def sent(run: Commander, table: Path, log_id: str) -> None:
    """Race control gets the log of table 1 as it is."""
    with Ledger(run.folder / LEDGER) as ledger, reading(table) as db:
        ledger.ingest("".join(map(as_line, entries(db, log_id))).encode(), "1")


def deleted(run: Commander) -> str:
    """The id of the only race of the list, which is deleted then."""
    with reading(run.folder) as db:
        (log_id,) = race_ids(db)
    delete(run.folder, log_id)
    return log_id


def log_of(run: Commander) -> int:
    return len(kept_record(run.folder, "last", run.kind).record.log)


@pytest.mark.article("competition", "2-0-1")
@pytest.mark.parametrize("where", ["here", "table"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_round_keeps_its_weather_by_every_door(run: Commander, lang: str, where: str, tmp_path: Path) -> None:
    if where == "here":
        run("start", "1.1")
    else:
        at_table(run, "1.1", tmp_path / "table")
    run.lang, before = lang, log_of(run)
    told = {"en": "Table 1.1 has started its race, and all", "fr": "La table 1.1 a commencé sa course, et toutes"}[lang]
    said = []
    for line in (["undo"], ["weather", RAIN, "--round", "1", "--why", "misread"]):
        with pytest.raises(CompanionError) as wrong:
            run(*line)
        said.append(Words(lang).error(wrong.value))
    said += [answer["error"] for answer in say(
        run, {"undo": True}, {"act": "weather", "sky": "rain", "round": 1, "why": "misread"}
    )]  # fmt: skip
    assert len(set(said)) == 1
    assert said[0].startswith(told)
    assert log_of(run) == before
    run("note", "the sun shines on")
    run("undo")
    run("weather", RAIN, "--round", "2")


@pytest.mark.article("competition", "2-0-1")
def test_the_surface_that_the_trials_have_left_stays_too(run: Commander) -> None:
    run("weather", str(FACE["changeable"]), "--round", "1", "--why", "misread")
    run("weather", RAIN, "--session", "1")
    assert json.loads(run("setup", "1.2"))["surface"] == "wet"
    run("start", "1.1")
    refused(lambda: run("undo"), "Table 1.1 has started its race, and all")
    assert json.loads(run("setup", "1.2"))["surface"] == "wet"


def test_weather_drawn_before_the_first_table_starts_is_undone(run: Commander) -> None:
    run("weather", RAIN, "--round", "1", "--why", "misread")
    run("undo")
    assert json.loads(run("setup", "1.1"))["sky"] == "sun"


@pytest.mark.article("competition", "1-3-3")
def test_a_table_keeps_its_drivers(run: Commander, tmp_path: Path) -> None:
    at_table(run, "1.1", tmp_path / "table")
    one, other = (json.loads(run("setup", key))["cars"][0]["car"] for key in ("1.1", "1.2"))
    before = log_of(run)
    refused(lambda: run("seed", "--again", "--why", "now"), "Table 1.1 has started its race: the tables of its round")
    swap = ["swap", str(one), str(other), "--why", "x"]
    refused(lambda: run(*swap), "Table 1.1 has started its race: its drivers stay")
    run("checkin", "9")
    refused(lambda: run("seat", "9", "1.1", "--why", "late"), "Table 1.1 has started its race without 9 D9")
    assert log_of(run) == before + 1
    run("seat", "9", "1.2", "--why", "late")
    swapped = {"act": "reseated", "round": 1, "one": one, "other": other, "why": "x"}
    for refusal in say(run, {"seed": {"again": True}, "why": "now"}, swapped):
        assert "Table 1.1 has started its race" in refusal["error"]


def test_who_was_away_when_his_table_started_comes_in_after_its_result(run: Commander) -> None:
    """Else the result of the table would lack him."""
    key = next(str(row["table"]) for row in run.rows("tables") if row["number"] == 8)
    key = key if "." in key else f"1.{key}"
    play(json.loads(run("setup", key)), run.folder, 1)
    refused(lambda: run("checkin", "8"), f"Table {key} has started its race without 8 D8")
    assert key in run("collect")
    run("checkin", "8")


def test_a_driver_who_withdraws_from_a_race_under_way_stands_in_its_result(run: Commander) -> None:
    setup = json.loads(run("setup", "1.1"))
    play(setup, run.folder, 1)
    run("withdraw", str(setup["cars"][0]["car"]), "--why", "hurt")
    assert "1.1" in run("collect")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_deleted_race_says_how_it_comes_back(run: Commander, lang: str) -> None:
    """It counts as begun, and the table begins another by its setup."""
    run("start", "1.1")
    begun = deleted(run)
    run.lang = lang
    for line in (["start", "1.1"], ["undo"], ["seed", "--again", "--why", "x"]):
        with pytest.raises(CompanionError) as wrong:
            run(*line)
        said = " ".join([Words(lang).error(wrong.value), *getattr(wrong.value, "__notes__", ())])
        assert f"companion races restore {begun[:8]}" in said, line
        assert "--resume" not in said, line
        assert ("companion race --setup" in said) is (line[0] == "start")
    another = play(json.loads(run("setup", "1.1")), run.folder, 1)
    assert "1.1" in run("collect")
    record = kept_record(run.folder, "last", "tournament").record
    assert isinstance(record, Tournament)
    assert record.results["1.1"].log is not None
    assert record.results["1.1"].log.log_id == another


def test_a_race_that_is_restored_goes_on(run: Commander) -> None:
    run("start", "1.1")
    begun = deleted(run)
    restore(run.folder, begun)
    refused(lambda: run("start", "1.1"), f"companion race --resume {begun[:8]}")


@pytest.mark.article("league", "start.grid")
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_race_of_a_season_keeps_its_grid_by_every_door(league: Commander, lang: str) -> None:
    league("start", "1")
    league.lang, before = lang, log_of(league)
    told = {"en": "Race 1 has started: its grid stays.", "fr": "La course 1 a commencé\u00a0: sa grille reste."}[lang]
    order = ["1", "2", "3", "4"]
    for line in (["grid", "1", *order, "--why", "x"], ["grid", "1", "--seed", "1", "--why", "x"], ["undo"]):
        with pytest.raises(CompanionError) as wrong:
            league(*line)
        assert Words(lang).error(wrong.value) == told
    act = {"act": "gridded", "race": 1, "rule": "hand", "order": [1, 2, 3, 4], "why": "x"}
    assert [answer["error"] for answer in say(league, act, {"undo": True})] == [told] * 2
    assert log_of(league) == before
    league("grid", "1", "4", "2", "3", "1", "--why", "as it is")


def test_a_race_of_a_season_keeps_its_drivers_and_its_circuit(league: Commander) -> None:
    race = play(json.loads(league("setup", "1")), league.folder, 1)
    stays = "Race 1 has started: its drivers stay"
    refused(lambda: league("edit", "3", "--to", "13"), stays)
    refused(lambda: league("remove", "3"), stays)
    refused(lambda: league("missing", "1", "3"), stays)
    refused(lambda: league("move", "1", "--track", "spa", "--why", "x"), "can no longer be moved to another circuit")
    league("move", "1", "--date", "2 June", "--why", "it goes on then")
    league("edit", "3", "--driver", "Dora")
    league("missing", "2", "3")
    league("enter", "D5", "--number", "5")
    with pytest.raises(CompanionError, match="D5 is missing") as wrong:
        league("result", "1", "--race", race)
    assert "The command missing" in wrong.value.__notes__[0]
    league("missing", "1", "5")
    refused(lambda: league("missing", "1", "5", "--not"), "Race 1 has started without 5 D5")
    assert "1" in league("collect")
    assert len(league.rows("classification", "1")) == 4


def test_a_race_of_a_season_that_was_deleted_says_how_it_comes_back(league: Commander) -> None:
    league("start", "1")
    begun = deleted(league)
    refused(lambda: league("start", "1"), f"companion races restore {begun[:8]} brings it back")
    refused(lambda: league("undo"), f"companion races restore {begun[:8]} brings it back")


def test_race_control_says_of_a_deleted_race_of_a_table_how_it_comes_back(run: Commander, tmp_path: Path) -> None:
    hall, table = Commander(run.folder, "hall"), tmp_path / "table"
    hall("new", "Saturday")
    hall("assign", "1", "1.1")
    at_table(run, "1.1", table)
    refused(lambda: hall("assign", "1", "1.1"), "The race of 1.1 runs already")
    begun = deleted(Commander(table, "tournament"))
    sent(run, table, begun)
    refused(lambda: hall("assign", "1", "1.1"), f"companion races restore {begun[:8]} brings it back")
    refused(lambda: run("weather", RAIN, "--round", "1", "--why", "misread"), f"companion races restore {begun[:8]}")


def test_a_race_that_was_given_before_its_weather_was_drawn_again_is_given_again(run: Commander) -> None:
    hall = Commander(run.folder, "hall")
    hall("new", "Saturday")

    def given() -> list[str]:
        """The tables that the waiting races have."""
        control = kept_record(run.folder, "last", "control").record
        assert isinstance(control, Control)
        races = waiting(kept_record(run.folder, "last", "tournament"))
        return [race.table for race in with_assignments(races, control, [])]

    hall("assign", "1", "1.1")
    assert given() == ["1", ""]
    run("weather", RAIN, "--round", "1", "--why", "misread")
    assert given() == ["", ""], "its table would begin in the sun"
    hall("assign", "1", "1.1")
    assert given() == ["1", ""]


def test_a_table_says_of_the_race_that_it_was_given_and_deleted_how_it_comes_back(run: Commander) -> None:
    setup = json.loads(run("setup", "1.1"))
    keep(run.folder, Membership(hall="Hall", table="1", id="one", servers=["nats://127.0.0.1:1"]))
    with RecordDesk.begin(run.folder / WORDS, Control, DayOpened(name="Saturday"), by="Jo", memory=True) as day:
        day.act(Started(table="1", race="1.1", setup=setup), by="Jo")
    hall = Commander(run.folder, "hall")
    hall("start")
    refused(lambda: hall("start"), "given no race to this table")
    begun = deleted(run)
    refused(lambda: hall("start"), f"companion races restore {begun[:8]} brings it back")
