"""A tournament and a season from home to the standings, by touch; the app is killed in the middle of each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.desk import RaceDesk
from companion.desk.organising import race_setup
from companion.desk.record_desk import RecordDesk
from companion.desk.trial_desk import TrialDesk
from companion.drivers.sensible import HeuristicDriver
from companion.tournament.times import AbsoluteTime
from companion.tournament.tournament import Tournament
from tests.screens.killed import killed
from tests.screens.test_new_event import menu, stick
from tests.screens.test_season import record as season
from tests.screens.test_tournament import record
from tests.tournament.commanding import play
from tests.tournament.test_tournament_by_command import CLUBS, DRIVERS, TIMES, ranks

__all__ = ["stick"]


def imported(ui: Any, stick: Path, text: str) -> None:
    """Enter the drivers of a list on a stick."""
    (stick / "entrants.csv").write_text(text, encoding="utf-8")
    menu(ui, "import")
    ui.tap("entrants.csv")
    assert ui.sees("hold: withdraws")


def published(ui: Any, folder: Path) -> None:
    """Publish the tables, with a reason if team-mates still sit together."""
    if record(folder).broken(max(record(folder).rounds)):
        ui.hold("Publish")
        ui.tap("Brothers")
    else:
        ui.tap("Publish")


def confirmed(ui: Any, table: int = 0) -> None:
    """The second at the finish makes the result official, and goes back; a season's races have no tables."""
    ui.wait_for("Second person")
    note = f"2nd, table {table}" if table else "2nd"
    assert ui.row(note, below="Second person").endswith(note)
    ui.tap(note, below="Second person")
    ui.tap("Confirm")
    assert ui.sees("It is official")
    ui.back()


def typed(ui: Any, back: int = 0) -> None:
    """Enter a result from paper, whose first driver falls back by some places."""
    ui.tap("From paper")
    ui.step("Place", back)
    ui.tap("Enter")


def finish(folder: Path) -> None:
    """The race that is open is driven to its end."""
    with RaceDesk.resume(folder, "last") as desk:
        book: Any = desk.rulebook
        driver = HeuristicDriver(book.track, 1)
        while (asked := desk.asked) is not None:
            desk.answer(driver.answer(asked, book.race), n=asked.n, by="driver:sensible")


@pytest.mark.article("competition", "1-0-1", "1-0-3", "1-3-1", "1-3-2", "1-3-3", "2-0-1", "2-0-3")
def test_a_tournament_by_touch_killed_in_the_middle(open_at: Any, folder: Path, stick: Path) -> None:
    """Forty drivers from a stick, two sessions of trials (the first driver's by touch), five tables, a final."""

    def at_home() -> Any:
        ui = open_at("home")
        ui.tap("A tournament")
        return ui

    def names(numbers: Sequence[int]) -> list[str]:
        return [f"Driver {number}" for number in numbers]

    ui = at_home()
    for line in ("Laps", "Trials"):
        ui.tap(line)
        ui.step(line)
    ui.tap("Points")
    ui.tap("Formula Dé")
    ui.tap("Begin")
    imported(ui, stick, "number;name;club\n" + "\n".join(f"{n};Driver {n};Club {n % CLUBS}" for n in DRIVERS))
    assert ui.sees("40 entrants")
    for said in ("Trials", "Sun", "Soft", "Start", "1 throw"):
        ui.tap(said)
    assert ui.sees("Throw 1")
    ui.close()

    heard = killed(folder, "trials", 4)
    ui = at_home()
    ui.tap("Trials")
    (throws,) = [int(word.text.split()[1]) for word in ui.words() if word.text.startswith("Throw ")]
    assert 1 + heard <= throws <= 2 + heard < 14, "a throw that was acknowledged is lost"
    ui.tap("Stop")
    ui.app.press("confirm")
    ui.wait_for("Driver 2", "Which tyres?")  # the next one
    ui.close()
    with TrialDesk.resume(folder) as desk:
        for n, session in list(TIMES)[1:]:
            desk.typed(n, session, AbsoluteTime(*TIMES[n, session]))
    by_hand = [1, *(n for n in ranks() if n != 1)]  # nobody else needs less than fourteen

    ui = at_home()
    ui.tap("Trials")
    ui.tap("Enter all")
    assert [seed.driver for seed in record(folder).seeds()] == by_hand
    ui.tap("Tables")
    assert ui.sees("to 5 tables")
    ui.tap("Assign")
    tables = record(folder).round(1).tables
    dealt = [by_hand[at::5] for at in range(5)]
    for place in range(8):  # moves stay between equal seats
        assert {seats[place] for seats in tables} == {seats[place] for seats in dealt}
    assert not record(folder).broken(1)
    published(ui, folder)
    ui.tap("Weather")
    ui.tap("Roll")
    ui.tap("Draw")
    assert ui.sees("Round 1 is drawn")
    ui.back()

    ui.tap("Race")
    assert ui.sees("Start table 1?")
    ui.tap("Start")  # a race at this table: its first question is there, others play it to its end
    ui.wait_for("Choose a pit box")
    ui.close()
    finish(folder)
    with RecordDesk.resume(folder, Tournament) as desk:
        setup = race_setup(desk, "1.2")
    play(setup, stick, 2)
    ui = at_home()
    assert "1.1" in record(folder).results, "what was raced here comes in by itself"
    menu(ui, "collect")
    assert "1.2" in record(folder).results
    for at in (3, 4, 5, 1, 2):
        ui.go_on()
        assert ui.sees(f"Table {at}")
        if at > 2:
            typed(ui)
        confirmed(ui, at)
    assert ui.sees("Round 1 is complete")

    best = record(folder).ranking("standings")[:8]
    ui.tap("Final")
    assert ui.sees("the first 8")
    ui.tap("Assign")
    assert (record(folder).round(2).final, record(folder).round(2).tables) == (True, (tuple(best),))
    published(ui, folder)
    ui.tap("1", below="Table, mean")
    typed(ui, 1)
    confirmed(ui, 1)
    turned = [best[1], best[0], *best[2:]]
    assert [int(one.who) for one in record(folder).standings()][:8] == turned
    ui.tap("1", below="Table, mean")
    ui.tap("Correct")
    ui.step("Place")
    ui.tap("Enter")
    ui.tap("Misread")
    assert [int(one.who) for one in record(folder).standings()][:8] == best, "corrected, with a reason"
    confirmed(ui, 1)
    ui.tap("Standings")
    assert ui.in_order("Sum", *names(best))


@pytest.mark.article("league", "season.races", "season.points", "season.drivers", "season.teams", "season.countback")
def test_a_season_by_touch_killed_in_the_middle(open_at: Any, folder: Path, stick: Path) -> None:
    """Ten drivers in five teams, eight races: one is driven, the others are typed."""

    def at_home() -> Any:
        ui = open_at("home")
        ui.tap("A season")
        return ui

    ui = at_home()
    ui.tap("Begin")
    imported(ui, stick, "\n".join(f"{n},Driver {n},Team {n % 5}" for n in range(1, 11)))
    menu(ui, "calendar")
    assert ui.sees("Draw the grid?", "race 1 of 8")
    ui.tap("Draw")
    assert ui.sees("Start race 1?", "10 cars")
    ui.close()

    before = len(season(folder).log)
    heard = killed(folder, "season", 3)
    done = len(season(folder).log) - before
    assert heard <= done <= heard + 1, "an act that was acknowledged is lost"

    ui = at_home()
    ui.tap("Start this race")
    ui.rig.until(lambda: ui.app.playing.shown is not None)
    ui.close()
    finish(folder)
    ui = at_home()
    order = season(folder).results["1"].order
    ui.tap("1")
    ui.tap("Confirm")
    confirmed(ui)
    for race, back in zip(range(2, 9), (2, 0, 1, 2, 0, 1, 2), strict=True):
        ui.tap(str(race))
        menu(ui, "result")
        typed(ui, back)
        confirmed(ui)
        order = order[::-1]  # each from the last one upside down, whose first driver falls back by some places
        order.insert(back, order.pop(0))
        assert season(folder).results[str(race)].order == order

    ui = at_home()
    ui.tap("Standings")
    found = season(folder)
    points = {n: sum(found.begun.points[found.results[str(r)].order.index(n)] for r in range(1, 9)
                     if found.results[str(r)].lines[found.results[str(r)].order.index(n)].place)
              for n in range(1, 11)}  # fmt: skip
    rows = {n: ui.row(f"Driver {n}").split() for n in points}
    assert {n: int(row[12]) for n, row in rows.items()} == points
    ordered = sorted(points, key=lambda n: int(rows[n][0]))
    assert [points[n] for n in ordered] == sorted(points.values(), reverse=True)
    assert ui.in_order(*(f"Driver {n}" for n in ordered))
    for team in range(5):
        assert ui.row(f"Team {team}").split()[3] == str(sum(points[n] for n in points if n % 5 == team))
    ui.tap(str(ordered[0]), below="win")
    assert ui.sees(f"Driver {ordered[0]}", "1st with")
