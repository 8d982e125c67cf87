"""A tournament and a season by JSON lines, and what comes from records of trials and the races that were started."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.commands.main import companion
from companion.desk import RaceDesk
from companion.desk.organising import PUT_RIGHT, fresh_times
from companion.desk.record_desk import RecordDesk
from companion.desk.trial_desk import TrialDesk
from companion.drivers.registry import driver_named
from companion.drivers.sensible import HeuristicDriver
from companion.hall.ledger import Ledger
from companion.rules.circuit.track import Track
from companion.sheets.lines import as_line
from companion.sheets.place import LEDGER
from companion.sheets.reading import entries, races, reading
from companion.sheets.records import kept_record
from companion.tournament import control
from companion.tournament.control import Control, Started, Trialled
from companion.tournament.times import AbsoluteTime
from companion.tournament.tournament import Tournament
from companion.tournament.trials import SkyDrawn, TrialDriver, Trials, TrialsOpened, TrialTyped
from companion.view.events.calendar import calendar
from companion.view.events.table_result import table_result
from companion.wording import Words
from tests.tournament.commanding import Commander, play, refused


def say(run: Commander, *lines: Any) -> list[dict[str, Any]]:
    """What these lines are answered."""
    words = ["--data", str(run.folder), "--lang", run.lang, run.kind, "lines"]
    done = CliRunner().invoke(companion, words, input="\n".join(json.dumps(line) for line in lines) + "\n")
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.output.splitlines()]


@pytest.mark.parametrize("kind", ["tournament", "season"])
def test_every_line_that_the_help_shows_is_understood(tmp_path: Path, kind: str) -> None:
    run = Commander(tmp_path, kind)
    run("new", "Cup", *(["monaco"] * 3 if kind == "season" else []))
    for number in range(1, 16 if kind == "tournament" else 9):
        run("enter", f"D{number}", "--team", f"T{number % 5}")
    if kind == "tournament":
        run("checkin", "all")
        run("seed", "--tables", "5", "--from", "number")
        run("publish")
        run("weather", "12", "--round", "1")
    else:
        run("grid", "3", *map(str, range(1, 9)), "--why", "as they came")
    shown, lines, at = " ".join(run("lines", "--help").split()), [], 0
    while (at := shown.find("{", at)) >= 0:
        line, at = json.JSONDecoder().raw_decode(shown, at)
        lines.append(line)
    told = say(run, *lines)
    assert "end" in told[-1]
    lacking = ["Round 1 still lacks the result of 1.1; enter it first."] if kind == "tournament" else []
    lacking += ["There is no race last; there are no races yet."]
    assert [said["error"] for said in told if "error" in said] == lacking
    assert ({"seed": {"tables": 5}} in lines) == (kind == "tournament")
    assert ("seed" in say(run, {"tea": 1})[0]["error"]) == (kind == "tournament")


@pytest.mark.article("competition", "2-0-1", "3-2-2", "3-2-3")
def test_a_tournament_by_lines(tmp_path: Path) -> None:
    run = Commander(tmp_path, "tournament")
    run("new", "Cup", "--points", "5 3 1")
    entrants = [{"number": n, "name": f"D{n}", "team": f"T{n % 2}"} for n in range(1, 5)]
    told = say(
        run,
        {"act": "entered", "entrants": entrants, "by": "Ada"},
        {"act": "here", "numbers": [1, 2, 3, 4]},
        *({"act": "timed", "driver": n, "session": 1, "time": {"throws": 20 - n, "clock": 7000}} for n in (1, 2, 3, 4)),
        {"seed": {"tables": 2}},
        {"act": "published", "round": 1},
        {"act": "result", "race": "1.1", "lines": [{"driver": 4, "place": 1}, {"driver": 1}], "by": "Ada"},
        {"act": "confirmed", "race": "1.1", "by": "ada"},
        {"act": "confirmed", "race": "1.1", "by": "Eve"},
        {"undo": True},
        {"list": "standings"},
        {"setup": "1.2"},
        {"act": "weather", "round": 1, "sky": "rain", "face": 1},
        {"setup": "1.2"},
        {"list": "table", "of": "7.7"},
        {"act": "timed", "driver": True},
        {"act": "dance"},
        {"seed": {"chairs": 2}},
        [],
        {"quit": True},
        {"list": "log"},
    )
    assert told[0]["entry"] == 2
    assert told[0]["by"] == "Ada"
    assert told[6]["tables"] == [[4, 1], [3, 2]]
    assert told[9] == {"error": "This result was entered by ada; a second person confirms it."}
    assert told[10]["act"] == "confirmed"
    assert "corrected, with a reason" in told[11]["error"]
    assert (told[12]["rows"][0]["number"], told[12]["rows"][0]["points"]) == (4, 5)
    assert told[13] == {"error": "The weather of round 1 is not drawn yet; it is the same at every table."}
    assert (told[15]["setup"]["event"]["race"], told[15]["setup"]["sky"]) == ("1.2", "rain")
    assert all(set(line) == {"error"} for line in told[16:21])
    assert told[21] == {"end": 12}
    assert len(told) == 22


@pytest.mark.parametrize(
    "how",
    [{"way": "zigzag"}, {"source": "luck"}, {"final": "yes"}, {"laps": "3"}, {"track": 5}, {"tables": True},
     {"sizes": "44"}, {"first": -1}, {"laps": -2}],
)  # fmt: skip
def test_a_seeding_that_makes_no_sense_leaves_the_log_as_it_was(tmp_path: Path, how: dict[str, Any]) -> None:
    run = Commander(tmp_path, "tournament")
    run("new", "Cup")
    for n in (1, 2, 3, 4):
        run("enter", f"D{n}")
    run("checkin", "all")
    assert set(say(run, {"seed": how})[0]) == {"error"}
    assert len(run.rows("log")) == 6
    assert say(run, {"seed": {"way": "snake", "source": "number", "sizes": [2, 2]}})[0]["deal"] == "snake"


def trials(folder: Path) -> None:
    """Three drivers in two sessions; 3 is best."""
    drivers = tuple(TrialDriver(number=n, name=f"D{n}") for n in (1, 2, 3))
    opened = TrialsOpened(name="Friday", track="monaco", drivers=drivers, sessions=2)
    with RecordDesk.begin(folder, Trials, opened, by="Steward") as desk:
        desk.act(SkyDrawn(session=1, sky="rain"), by="Steward")
        for session in (1, 2):
            for n in (1, 2, 3):
                time = AbsoluteTime(20 - n + session, 7000 + n)
                desk.act(TrialTyped(driver=n, session=session, time=time), by="Steward")


def three_timed(folder: Path) -> Commander:
    """A tournament of three entrants, and the trials that they have driven."""
    run = Commander(folder, "tournament")
    run("new", "Cup", "--sessions", "2")
    for n in (1, 2, 3):
        run("enter", f"D{n}")
    trials(folder)
    return run


@pytest.mark.article("competition", "1-3-1", "1-0-1")
def test_times_come_from_the_record_of_the_trials(tmp_path: Path) -> None:
    run = three_timed(tmp_path)
    assert "6 times" in run("times", "Friday")
    assert [row["number"] for row in run.rows("trials")] == [3, 2, 1]
    run("time", "1", "12", "1:00.50", "--session", "2", "--why", "two throws were no throws")
    assert [row["number"] for row in run.rows("trials")] == [1, 3, 2]
    assert all(type(row[key]) is int for row in run.rows("trials") for key in ("time", "s1")), "figures, both of them"
    circuits = Commander(tmp_path, "season").rows("circuits")
    assert [(row["track"], row["best"], row["driver"]) for row in circuits] == [("Monaco", 19, "D3")]
    run("enter", "D4")
    run("time", "4", "15", "1:00.50")
    circuits = Commander(tmp_path, "season").rows("circuits")
    assert [(row["best"], row["driver"]) for row in circuits] == [(16, "D4")], "timed elsewhere, and typed here"
    refused(lambda: run("times", "Friday"), "another one needs a reason")
    refused(lambda: run("times", "Sunday"), "There is no session of trials Sunday")


@pytest.mark.article("competition", "1-3-1")
def test_times_go_to_the_tournament_again_once_the_table_has_put_them_right(tmp_path: Path) -> None:
    """What the organiser has put right himself stays."""
    run = three_timed(tmp_path)
    with RecordDesk.resume(tmp_path, Tournament) as desk:
        desk.act(fresh_times(desk.record, tmp_path, "Friday"), by="Steward")
        assert fresh_times(desk.record, tmp_path, "Friday").times == ()
    run("time", "2", "11", "1:00.00", "--why", "the organiser's")
    with RecordDesk.resume(tmp_path, Trials) as table:
        for driver in (1, 2):
            table.act(TrialTyped(driver=driver, session=1, time=AbsoluteTime(14, 5000), why="misread"), by="Steward")
    with RecordDesk.resume(tmp_path, Tournament) as desk:
        desk.act(fresh_times(desk.record, tmp_path, "Friday"), by="Steward")
        assert [desk.record.times[n][1].throws for n in (1, 2, 3)] == [14, 11, 18]
        assert desk.record.log[-1].act.why == PUT_RIGHT


@pytest.mark.article("competition", "1-3-1")
def test_the_times_of_who_has_withdrawn_since_keep_nobody_elses_out(tmp_path: Path) -> None:
    run = three_timed(tmp_path)
    run("withdraw", "3", "--why", "called away after his laps")
    assert "4 times" in run("times", "Friday")
    assert [row["number"] for row in run.rows("trials")] == [2, 1]


def test_a_race_that_is_off_and_driven_on_all_the_same_brings_nothing_until_it_is_on_again(tmp_path: Path) -> None:
    run = Commander(tmp_path, "season")
    run("new", "League", "monaco", "monza", "--rulebook", "competition", "--laps", "1")
    run("enter", "Ada")
    run("enter", "Ben")
    run("grid", "1", "1", "2", "--why", "drawn")
    setup = json.loads(run("setup", "1"))
    run("abandon", "1", "--why", "the hall closes")
    play(setup, tmp_path, 3)
    assert "No result" in run("collect")
    run("revive", "1", "--why", "it was driven on")
    assert "1" in run("collect")
    assert run.rows("calendar")[0]["state"] == "run"


def test_a_race_that_is_started_comes_back_by_itself(tmp_path: Path) -> None:
    run = Commander(tmp_path, "season")
    run("new", "League", "monaco", "monza", "--rulebook", "competition", "--laps", "1", "--grid", "trials")
    for n in (1, 2, 3):
        run("enter", f"D{n}")
    refused(lambda: run("start", "1"), "has no grid yet")
    trials(tmp_path)
    assert "3 D3, 2 D2, 1 D1" in run("grid", "1", "--trials", "Friday")
    assert " race --resume" in run("start", "1")
    refused(lambda: run("start", "1"), "was started already")
    assert "No result" in run("collect")
    with RaceDesk.resume(tmp_path) as desk:
        track = desk.rulebook.track  # type: ignore[attr-defined]
        assert isinstance(track, Track)
        assert [car.number for car in desk.rulebook.race.cars] == [3, 2, 1]
        driver = HeuristicDriver(track, 2)
        while (asked := desk.asked) is not None:
            desk.answer(driver.answer(asked, desk.rulebook.race), n=asked.n, by="Ada")
    with reading(tmp_path) as db:
        assert [race.name for race in races(db)] == ["League 1"]
    assert "1" in run("collect")
    assert run.rows("calendar")[0]["state"] == "run"
    assert "chained" in run("verify")
    with RaceDesk.resume(tmp_path) as desk:
        desk.undo(1)
    refused_by_check = CliRunner().invoke(companion, ["--data", str(tmp_path), "--lang", "en", "season", "verify"])
    assert refused_by_check.exit_code == 1
    assert "still running" in refused_by_check.output
    verified = CliRunner().invoke(companion, ["--data", str(tmp_path), "--lang", "en", "races", "verify", "League"])
    assert verified.exit_code == 1
    assert "still running" in verified.output


@pytest.mark.parametrize(
    ("rulebook", "track"),
    [("competition", "monaco"), ("cup", "monaco"), ("league", "monza"), ("death", "monaco"), ("ninety", "saltmarsh")],
)
def test_every_rulebook_starts_from_a_season_and_a_tournament(tmp_path: Path, rulebook: str, track: str) -> None:
    """Grid, teams and weather go into the setup as far as the rulebook knows them."""
    season, cup = Commander(tmp_path, "season"), Commander(tmp_path, "tournament")
    season("new", "S", track, "--rulebook", rulebook)
    cup("new", "T", "--rulebook", rulebook, "--track", track)
    for n in range(1, 5):
        season("enter", f"D{n}", "--team", f"T{n % 2}")
        cup("enter", f"D{n}", "--team", f"T{n % 2}")
    cup("checkin", "all")
    season("grid", "1", "3", "1", "4", "2", "--why", "by hand")
    cup("seed", "--tables", "1", "--from", "number")
    cup("publish", "--why", "one table")
    weather = rulebook not in ("ninety", "death")
    if weather:
        cup("weather", "1", "--round", "1")
    else:
        refused(lambda: cup("weather", "1", "--round", "1"), "There is no weather in a race of")
    for run, key, order in ((season, "1", [3, 1, 4, 2]), (cup, "1.1", [1, 2, 3, 4])):
        assert "go on with" in run("start", key)
        with RaceDesk.resume(tmp_path) as desk:
            assert [car.number for car in desk.rulebook.race.cars][:4] == order  # the race of cards adds its bots
            if rulebook == "league":
                assert desk.rulebook.race.grid == order, "nobody rolls for it"
            if weather:
                assert desk.rulebook.race.sky == ("rain" if run is cup else "")


@pytest.mark.article("ninety", "bots.number", "end.points")
def test_bots_of_the_race_of_cards_stand_in_the_result_and_are_nobodys(tmp_path: Path) -> None:
    """Their places bring points that nobody has; a bot's number may be an entrant's who sits elsewhere."""
    season, cup = Commander(tmp_path, "season"), Commander(tmp_path, "tournament")
    season("new", "S", "saltmarsh", "saltmarsh", "--rulebook", "ninety", "--points", "10 6 4 3 2 1")
    cup("new", "T", "--rulebook", "ninety", "--track", "saltmarsh", "--points", "10 6 4 3 2 1")
    for n in range(1, 5):
        season("enter", f"D{n}")
        cup("enter", f"D{n}")
    season("missing", "1", "4")
    season("grid", "1", "1", "2", "3", "--why", "by number")
    cup("checkin", "1", "2", "3")
    cup("seed", "--tables", "1", "--from", "number")
    cup("publish")
    for run, key in ((season, "1"), (cup, "1.1")):
        run("start", key)
        with RaceDesk.resume(tmp_path) as desk:
            driver = driver_named("sensible", desk.rulebook, 2)
            while (asked := desk.asked) is not None:
                desk.answer(driver.answer(asked, desk.rulebook.race), n=asked.n, by="driver:sensible")
            raced = {line["car"]: line for line in desk.rulebook.result()}
            assert len(raced) == 9, "three drivers and six bots, the first of them number 4"
        assert f"Results that came in: {key}." in run("collect")
        rows = run.rows("classification", key)
        assert [row["driver"] for row in rows if not row["number"]] == [
            desk.rulebook.car(line["car"]).driver for line in raced.values() if line["car"] > 3  # type: ignore[attr-defined]
        ]  # fmt: skip
        points = {row["number"]: row["points"] for row in run.rows("standings")}
        assert points == {n: raced[n]["points"] if n < 4 else 0 for n in range(1, 5)}
        said = [str(row["number"] or 0) for row in rows if row["place"] != "out"]
        gone = [str(row["number"]) for row in rows if row["place"] == "out"]
        paper = " ".join([*reversed(said), *(["out", ", ".join(gone)] if gone else [])])
        refused(lambda: run("correct", key, "--paper", paper.replace("0 ", "", 1), "--why", "x"), "has 6 bots")  # noqa: B023
        run("correct", key, "--paper", paper, "--why", "upside down")
        assert [str(row["number"] or 0) for row in run.rows("classification", key)] == [*reversed(said), *gone]
    assert season.rows("calendar")[0]["winner"]
    assert [row["races"] for row in season.rows("circuits")] == [2]
    shown = calendar(kept_record(tmp_path, "S").record, Words("en"), 1)  # type: ignore[arg-type]
    assert [plate.number for plate in shown.panel.grid] == [int(one) for one in reversed(said) if one != "0"] + [
        int(one) for one in gone
    ]  # fmt: skip
    table = table_result(kept_record(tmp_path, "T").record, Words("en"), "1.1")  # type: ignore[arg-type]
    assert sum(row.name.startswith("Bot ") for row in table.rows) == 6
    assert not any(person.name.startswith("Bot ") for person in table.people)


def test_collect_by_lines_takes_from_the_tables_of_the_hall(tmp_path: Path) -> None:
    """What race control's ledger has of trials and races, as it came over the network."""
    run, table = Commander(tmp_path, "tournament"), tmp_path / "table"
    run("new", "Cup", "--points", "5 3 1")
    event = kept_record(tmp_path, "last", "tournament").listed.log_id
    for name in ("Ada", "Ben"):
        run("enter", name)
    run("checkin", "all")
    drivers = tuple(TrialDriver(number=number) for number in (1, 2))
    opened = TrialsOpened(name="Cup", track="monaco", drivers=drivers, event=event)
    with TrialDesk.begin(table, opened) as desk:
        desk.typed(1, 1, AbsoluteTime(throws=15, clock=4000))
        trials = desk.desk.log_id
    run("seed", "--sizes", "2", "--from", "number")
    run("publish")
    setup = json.loads(run("setup", "1.1"))
    with RecordDesk.begin(tmp_path, Control, control.DayOpened(name="Saturday"), by="Jo") as day:
        day.act(Trialled(table="7", opened=opened), by="Jo")
        day.act(Started(table="7", race="1.1", setup=setup), by="Jo")
    race = play(setup, table, 3)
    with Ledger(tmp_path / LEDGER) as ledger, reading(table) as db:
        for log_id in (trials, race):
            ledger.ingest("".join(map(as_line, entries(db, log_id))).encode(), "7")
    assert say(run, {"collect": True}) == [{"collected": ["1.1"], "times": 1, "wrong": []}]
    record = kept_record(tmp_path, "last", "tournament").record
    assert isinstance(record, Tournament)
    assert record.times[1][1].total == 15
    assert record.results["1.1"].log is not None
    assert record.results["1.1"].log.table == "7"
    assert say(run, {"collect": True}) == [{"collected": [], "times": 0, "wrong": []}]


@pytest.mark.article("competition", "1-3-1")
def test_the_trials_of_every_table_come_in_from_sticks(tmp_path: Path) -> None:
    """In a file no table says who it is. At one of them the trials began anew with somebody who came late, and a time
    was put right."""
    run = Commander(tmp_path, "tournament")
    run("new", "Cup")
    event = kept_record(tmp_path, "last", "tournament").listed.log_id
    for name in ("Ada", "Ben", "Cy"):
        run("enter", name)
    with Ledger(tmp_path / LEDGER) as ledger:
        for at, (numbers, throws) in enumerate((((1,), 40), ((2,), 16), ((1, 3), 15))):
            drivers = tuple(TrialDriver(number=number) for number in numbers)
            opened, table = TrialsOpened(name="Cup", track="monaco", drivers=drivers, event=event), tmp_path / str(at)
            with TrialDesk.begin(table, opened) as desk:
                for number in numbers:
                    desk.typed(number, 1, AbsoluteTime(throws=throws + number, clock=4000))
                log_id = desk.desk.log_id
            with reading(table) as db:
                ledger.ingest("".join(map(as_line, entries(db, log_id))).encode())
    assert say(run, {"collect": True}) == [{"collected": [], "times": 3, "wrong": []}]
    record = kept_record(tmp_path, "last", "tournament").record
    assert isinstance(record, Tournament)
    assert {driver: times[1].total for driver, times in record.times.items()} == {1: 16, 2: 18, 3: 18}
    assert say(run, {"collect": True}) == [{"collected": [], "times": 0, "wrong": []}]
