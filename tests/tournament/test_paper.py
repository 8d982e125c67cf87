"""A result typed from paper is scored as the log of the same race is, by the rulebook of that race."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.desk import RaceDesk
from companion.desk.organising import begin_season
from companion.drivers.registry import driver_named
from companion.rules.rulebooks import RULEBOOKS
from companion.sheets.records import kept_record, read_act
from companion.tournament.draft import ResultDraft
from companion.tournament.record import Signed
from companion.tournament.results import Result, ResultCorrected, ResultLine
from companion.tournament.season import Season, SeasonBegun
from companion.view.events.table_result import table_result
from companion.wording import Words
from tests.tournament.acting import season
from tests.tournament.commanding import Commander, refused
from tests.tournament.test_by_lines import say

PLACED = ("place", "number", "cause", "points")
"""The columns of a classification that paper tells too."""
OUT = "3 1 out 2 engine 16"
SCALE = (10, 8, 6, 5, 4)


def event(folder: Path, kind: str, rulebook: str, drivers: int = 3) -> Commander:
    """Begin an event of two races, each at one table."""
    run = Commander(folder, kind)
    track = "saltmarsh" if rulebook == "ninety" else "monaco"
    scale = " ".join(map(str, SCALE))
    laps = "12" if rulebook == "ninety" else "1"
    if kind == "season":
        run("new", "S", track, track, "--rulebook", rulebook, "--laps", laps, "--points", scale)
    else:
        run("new", "T", "--track", track, "--rulebook", rulebook, "--laps", laps, "--points", scale,
            "--sessions", "0")  # fmt: skip
    for number in range(1, drivers + 1):
        run("enter", f"D{number}", "--number", str(number))
    if kind == "tournament":
        run("checkin", "all")
        seeded(run)
    elif rulebook != "league":
        run("grid", "1")
    return run


def seeded(run: Commander) -> None:
    run("seed", "--tables", "1", "--from", "number")
    run("publish")


def started(run: Commander, key: str) -> dict[int, object]:
    """Where everybody started, as the classification of a table or race has it."""
    return {int(str(row["number"])): row["grid"] for row in run.rows("classification", key)}


@pytest.mark.article("league", "start.grid")
def test_the_grid_of_a_race_that_was_run_is_that_which_it_was_run_from(tmp_path: Path) -> None:
    """The first was drawn by nobody who told; the second is the first upside down, whatever comes after it."""
    run = event(tmp_path, "season", "league", drivers=4)
    run("result", "1", "--paper", "1 2 3 4")
    assert set(started(run, "1").values()) == {""}, "nobody knows it"
    run("result", "2", "--paper", "4 1 3 2", by="Ada")
    grid = {4: 1, 3: 2, 2: 3, 1: 4}
    assert started(run, "2") == grid
    run("correct", "1", "--paper", "2 1 3 4", "--why", "misread")
    run("correct", "2", "--paper", "1 4 3 2", "--why", "misread")
    run("withdraw", "3", "--why", "moves away")
    assert started(run, "2") == grid
    assert [row["number"] for row in run.rows("table", "2")] == [4, 3, 2, 1]
    assert "drawn at the start" not in run("table", "1") + run("table", "2")
    shown = table_result(kept_record(tmp_path, "last").record, Words("en"), "2")  # type: ignore[arg-type]
    assert {row.number: int(row.grid) for row in shown.rows} == grid
    assert [race["grid"] for race in run.rows("driver", "4")] == ["", 1]


@pytest.mark.article("league", "start.grid")
def test_a_grid_that_was_set_is_that_of_a_race_on_paper_with_who_has_gone_since(tmp_path: Path) -> None:
    run = event(tmp_path, "season", "league", drivers=4)
    run("grid", "1", "3", "4", "1", "2", "--why", "by lot")
    run("withdraw", "4", "--why", "ill after the race")
    run("result", "1", "--paper", "1 2 4 3")
    assert started(run, "1") == {3: 1, 4: 2, 1: 3, 2: 4}


@pytest.mark.article("competition", "1-3-2")
def test_the_seats_of_a_table_are_the_grid_of_its_race_on_paper(tmp_path: Path) -> None:
    run = event(tmp_path, "tournament", "competition", drivers=4)
    run("withdraw", "2", "--why", "went home before the race")
    run("result", "1.1", "--paper", "4 3 1")
    assert started(run, "1.1") == {1: 1, 3: 2, 4: 3}


def driven(run: Commander, key: str) -> None:
    """Drive a race to its end; the referee retires number 2 on the way."""
    run("start", key)
    with RaceDesk.resume(run.folder) as desk:
        driver, answers = driver_named("sensible", desk.rulebook, 2), 0
        while (asked := desk.asked) is not None:
            desk.answer(driver.answer(asked, desk.rulebook.race), n=asked.n, by="driver:sensible")
            answers += 1
            if answers == 30:
                desk.override({"cars": [{"car": 2, "status": "out"}]}, by="Ada", why="broken")
    run("collect")


def rows(run: Commander, key: str) -> list[list[object]]:
    return [[row[column] for column in PLACED] for row in run.rows("classification", key)]


def sheet(told: Sequence[Sequence[object]]) -> str:
    """What a steward writes down: the finishers, then who is out and why."""
    home = [str(number or 0) for _, number, cause, _ in told if not cause]
    gone = [f"{number or 0} {str(cause).partition(' (')[0]}" for _, number, cause, _ in told if cause]
    return " ".join(home) + (f" out {', '.join(gone)}" if gone else "")


@pytest.mark.article("league", "race.unfinished", "season.points")
@pytest.mark.article("competition", "21-1-2")
@pytest.mark.article("ninety", "end.points")
@pytest.mark.parametrize("kind", ["season", "tournament"])
@pytest.mark.parametrize("rulebook", list(RULEBOOKS))
def test_paper_brings_what_the_log_of_the_same_race_does(tmp_path: Path, kind: str, rulebook: str) -> None:
    run = event(tmp_path, kind, rulebook)
    first, second = ("1", "2") if kind == "season" else ("1.1", "2.1")
    driven(run, first)
    told = rows(run, first)
    assert [number for _, number, cause, _ in told if cause].count(2) == 1
    retired = next(line for line in told if line[1] == 2)
    assert (retired[0] == "out") is (rulebook != "league")
    if kind == "tournament":
        seeded(run)
    run("result", second, "--paper", sheet(told))
    plain = [[place, number, str(cause).partition(" (")[0], points] for place, number, cause, points in told]
    assert rows(run, second) == plain
    # the finishers turned round by a correction, of either: who is out stays where he was
    home, _, gone = sheet(told).partition(" out")
    turned = " ".join([*reversed(home.split()), f"out{gone}" if gone else ""])
    for key in (first, second):
        run("correct", key, "--paper", turned, "--why", "misread")
        again = next(line for line in rows(run, key) if line[1] == 2)
        assert (again[0], again[3]) == (retired[0], retired[3])
        for place, number, _, points in rows(run, key):
            assert points == ("" if not number else 0 if place == "out" else dict(enumerate(SCALE, 1)).get(place, 0))


@pytest.mark.article("league", "race.unfinished")
def test_a_retired_racer_of_the_league_has_the_points_of_his_place(tmp_path: Path) -> None:
    run = event(tmp_path, "season", "league")
    run("result", "1", "--paper", OUT)
    assert rows(run, "1") == [[1, 3, "", 10], [2, 1, "", 8], [3, 2, "engine failure", 6]]
    assert "2 D2: 3 becomes 2." in run("correct", "1", "--paper", "3 out 2 engine, 1", "--why", "x", "--show")
    run("correct", "1", "--paper", "3 out 2 engine, 1", "--why", "1 had stopped before")
    assert rows(run, "1") == [[1, 3, "", 10], [2, 2, "engine failure", 8], [3, 1, "retired", 6]]
    assert "out 1 time" in run("driver", "1")
    lines = [{"driver": 1, "place": 1}, {"driver": 2}, {"driver": 3, "cause": "body"}]
    told = say(run, {"act": "result", "race": "2", "lines": lines})
    assert [line["place"] for line in told[0]["lines"]] == [1, 2, 3]
    assert [row["points"] for row in run.rows("standings")] == [16, 16, 16]


@pytest.mark.article("competition", "21-1-2")
def test_a_race_that_places_the_retired_by_its_options_does_so_on_paper(tmp_path: Path) -> None:
    for placing in (True, False):
        folder = tmp_path / str(placing)
        run = Commander(folder, "season")
        begun: dict[str, Any] = {"act": "season", "name": "O", "rulebook": "competition", "points": [10, 8, 6]}
        begun |= {"calendar": [{"track": "monaco", "options": {"distance": placing}}]}
        act = read_act(Season, json.dumps(begun))
        assert isinstance(act, SeasonBegun)
        begin_season(folder, act, by="Ada").close()
        for number in (1, 2, 3):
            run("enter", f"D{number}", "--number", str(number))
        run("result", "1", "--paper", OUT)
        assert [line[3] for line in rows(run, "1")] == ([10, 8, 6] if placing else [10, 8, 0])


@pytest.mark.article("competition", "21-1-2")
@pytest.mark.parametrize("rulebook", ["competition", "cup", "death", "ninety"])
def test_no_place_for_who_is_out_where_the_rulebook_has_none(tmp_path: Path, rulebook: str) -> None:
    run = event(tmp_path, "season", rulebook)
    refused(lambda: run("result", "1", "--paper", "3 1 2:engine:16"), "gives a retired driver no place")
    run("result", "1", "--paper", OUT)
    assert rows(run, "1") == [[1, 3, "", 10], [2, 1, "", 8], ["out", 2, "engine failure", 0]]
    refused(lambda: run("correct", "1", "--paper", "3 2:engine 1", "--why", "x"), "gives a retired driver no place")


@pytest.mark.article("league", "race.unfinished")
def test_a_result_of_the_league_is_put_right_line_by_line() -> None:
    was = (ResultLine(1, 1), ResultLine(2, 2), ResultLine(3, 3, "engine", "engine.test", 4))
    draft = ResultDraft(was, places_retired=True)
    assert not draft.changed
    assert draft.out(0) == 1
    assert draft.lines == (ResultLine(2, 1), ResultLine(1, 2, "retired"), ResultLine(3, 3, "engine", "engine.test", 4))
    assert draft.move(2, 1) == 1
    assert draft.because(2, "body") == 2
    assert draft.lines[1:] == (ResultLine(3, 2, "engine", "engine.test", 4), ResultLine(1, 3, "body"))
    assert draft.because(0, "engine") == 0
    assert draft.home(0) == 0
    assert draft.lines[0] == ResultLine(2, 1)
    typed = ResultDraft((ResultLine(1, 1), ResultLine(2), ResultLine(3)), (3,), places_retired=True)
    assert typed.raced == (ResultLine(1, 1), ResultLine(2, 2, "retired"))
    assert typed.because(2, "engine") == 2
    assert typed.raced[2] == ResultLine(3, 3, "engine")
    plain = ResultDraft((ResultLine(1, 1), ResultLine(2, 2)))
    assert plain.because(0, "engine") == 1
    assert plain.lines == (ResultLine(2, 1), ResultLine(1, None, "engine"))


def test_a_result_on_paper_of_an_older_log_stays_as_it_was_entered() -> None:
    """Printed standings hold; put right, it is scored as the rulebook has it."""
    record = season("ABC", 2)
    lines = (ResultLine(1, 1), ResultLine(2, 2), ResultLine(3, None, "engine"))
    old = Season.of([*record.log, Signed(len(record.log) + 1, "Ada", "", Result(race="1", lines=lines))])
    assert [line.place for line in old.results["1"].lines] == [1, 2, None]
    right = old.completed(ResultCorrected(race="1", lines=lines, why="as the league has it"))
    assert isinstance(right, ResultCorrected)
    assert [line.place for line in right.lines] == [1, 2, 3]
