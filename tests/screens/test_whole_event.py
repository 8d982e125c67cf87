"""A tournament and a season from home to the standings, by touch; the app is killed in the middle of each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from companion.desk import RaceDesk
from companion.desk.organising import race_setup
from companion.desk.record_desk import RecordDesk
from companion.desk.trial_desk import TrialDesk
from companion.drivers.sensible import HeuristicDriver
from companion.sheets.records import kept_record
from companion.tournament.season import Season
from companion.tournament.times import AbsoluteTime
from companion.tournament.tournament import Tournament
from tests.screens.killed import killed
from tests.screens.recorded import Table
from tests.screens.test_new_event import folder, line, menu, pick, stick, touch, went
from tests.screens.test_tournament import published, record
from tests.tournament.commanding import play
from tests.tournament.test_tournament_by_command import CLUBS, DRIVERS, TIMES, ranks

if TYPE_CHECKING:
    from tests.screens.rig import Rig

__all__ = ["folder", "stick"]


def season(folder: Path) -> Season:
    found = kept_record(folder, "last", "season").record
    assert isinstance(found, Season)
    return found


def home(rig: Rig, folder: Path) -> Table:
    """The app, from its first screen."""
    table = Table(rig, folder, "home")
    rig.until(lambda: table.screen.is_loaded)
    table.wait()
    return table


def begin(table: Table, kind: str, **picked: object) -> None:
    """From home's tile over some lines to the entrants."""
    table.ui.tap(f"A {kind}")
    assert table.app.visits[-1].name == "new_event"
    for name, answer in picked.items():
        line(table, name)
        if isinstance(answer, int):
            for _ in range(answer):
                table.tap(table.screen.stepper.made["value", "plus"])
        else:
            pick(table, answer)
    table.ui.tap("Begin")
    went(table, "entrants")
    assert kept_record(table.app.folder, "last", kind)


def imported(table: Table, stick: Path, text: str) -> None:
    (stick / "entrants.csv").write_text(text, encoding="utf-8")
    menu(table, "import")
    touch(table, table.screen.files, 0)
    went(table, "entrants")


def confirmed(table: Table) -> None:
    """A second person makes the result official."""
    table.rig.until(lambda: table.screen.now is not None and table.screen.now.state == "entered")
    notes = [person.note for person in table.screen.now.people]
    assert not any(note.rstrip().endswith("table") for note in notes), "a season's races have no tables"
    table.ui.tap(table.screen.now.people[1].name)
    table.go_on()


@pytest.mark.article("competition", "1-0-1", "1-0-3", "1-3-1", "1-3-2", "1-3-3", "2-0-1", "2-0-3")
def test_a_tournament_by_touch_killed_in_the_middle(rig: Rig, folder: Path, stick: Path) -> None:
    """Forty drivers from a stick, two sessions of trials (the first driver's by touch), five tables, a final."""
    table = home(rig, folder)
    begin(table, "tournament", laps=1, sessions=1, points="formula-de")
    imported(table, stick, "number;name;club\n" + "\n".join(f"{n};Driver {n};Club {n % CLUBS}" for n in DRIVERS))
    assert len(record(folder).field.entrants) == 40
    table.press("entrants.trials")
    for said in ("Sun", "Soft", "Start", "1 throw"):
        table.ui.tap(said)
    assert table.ui.sees("Throw 1")
    table.app.close()

    heard = killed(folder, "trials", 4)
    table = home(rig, folder)
    table.ui.tap("A tournament")
    table.press("entrants.trials")
    throws = table.screen.now.throws
    assert table.ui.sees(f"Throw {throws}")
    assert 1 + heard <= throws <= 2 + heard < 14, "a throw that was acknowledged is lost"
    table.ui.tap("Stop")
    table.app.press("confirm")
    table.ui.wait_for("Driver 2", "Which tyres?")  # the next one
    table.app.close()
    with TrialDesk.resume(folder) as desk:
        for n, session in list(TIMES)[1:]:
            desk.typed(n, session, AbsoluteTime(*TIMES[n, session]))
    by_hand = [1, *(n for n in ranks() if n != 1)]  # nobody else needs less than fourteen

    table = home(rig, folder)
    table.ui.tap("A tournament")
    table.press("entrants.trials")
    table.ui.tap("Enter all")
    went(table, "entrants")
    assert [seed.driver for seed in record(folder).seeds()] == by_hand
    table.press("entrants.tables")
    assert table.ui.sees("5")
    table.go_on()
    tables = record(folder).round(1).tables
    dealt = [by_hand[at::5] for at in range(5)]
    for place in range(8):  # moves stay between equal seats
        assert {seats[place] for seats in tables} == {seats[place] for seats in dealt}
    assert not record(folder).broken(1)
    published(table)
    table.go_on()
    assert table.app.visits[-1].name == "weather"
    table.press("weather.throw")
    table.go_on()
    table.app.back()
    table.wait()
    assert record(folder).sky_of_round(1) is not None

    table.go_on()
    assert "1.1" in table.app.visits[-1].given.values()
    table.go_on()  # a race at this table: its first question is there, others play it to its end
    went(table, "race")
    assert table.app.playing.shown is not None
    table.app.close()
    finish(folder)
    with RecordDesk.resume(folder, Tournament) as desk:
        setup = race_setup(desk, "1.2")
    play(setup, stick, 2)
    table = home(rig, folder)
    table.ui.tap("A tournament")
    assert "1.1" in record(folder).results, "what was raced here comes in by itself"
    menu(table, "collect")
    assert "1.2" in record(folder).results
    for at in (3, 4, 5):
        table.go_on()
        assert f"1.{at}" in table.app.visits[-1].given.values()
        table.press("table.from_paper")
        table.press("table.enter")
        confirmed(table)
        table.app.back()
        table.wait()
    for at in (1, 2):
        table.go_on()
        assert f"1.{at}" in table.app.visits[-1].given.values()
        confirmed(table)
        table.app.back()
        table.wait()
    assert all(record(folder).results[f"1.{at}"].official for at in range(1, 6))

    best = record(folder).ranking("standings")[:8]
    table.press("seeding.final")
    assert table.ui.sees("8")
    table.go_on()
    assert record(folder).round(2).final
    assert record(folder).round(2).tables == (tuple(best),)
    published(table)
    table.tap_table(1)
    table.press("table.from_paper")
    table.tap(table.screen.steppers["place"].made["value", "plus"])
    table.press("table.enter")
    confirmed(table)
    turned = [best[1], best[0], *best[2:]]
    assert [int(one.who) for one in record(folder).standings()][:8] == turned
    table.tap(table.screen.undo)
    table.tap(table.screen.steppers["place"].made["value", "plus"])
    table.press("table.enter")
    table.press("table.why.misread")
    assert [int(one.who) for one in record(folder).standings()][:8] == best, "corrected, with a reason"
    confirmed(table)
    table.app.back()
    table.wait()
    table.go_on()
    assert table.app.visits[-1].name == "standings"
    assert [int(row["number"].text) for row in table.screen.now.drivers.by_key()][:8] == best
    table.app.close()


def finish(folder: Path) -> None:
    """The race that is open is driven to its end."""
    with RaceDesk.resume(folder, "last") as desk:
        book: Any = desk.rulebook
        driver = HeuristicDriver(book.track, 1)
        while (asked := desk.asked) is not None:
            desk.answer(driver.answer(asked, book.race), n=asked.n, by="driver:sensible")


@pytest.mark.article("league", "season.races", "season.points", "season.drivers", "season.teams", "season.countback")
def test_a_season_by_touch_killed_in_the_middle(rig: Rig, folder: Path, stick: Path) -> None:
    """Ten drivers in five teams, eight races: one is driven, the others are typed."""
    table = home(rig, folder)
    begin(table, "season")
    imported(table, stick, "\n".join(f"{n},Driver {n},Team {n % 5}" for n in range(1, 11)))
    menu(table, "calendar")
    assert (table.screen.now.question, len(table.screen.now.races.rows)) == ("Draw the grid?", 8)
    table.go_on()
    assert len(season(folder).grids[1].order) == 10
    table.app.close()

    before = len(season(folder).log)
    heard = killed(folder, "season", 3)
    done = len(season(folder).log) - before
    assert heard <= done <= heard + 1, "an act that was acknowledged is lost"

    table = home(rig, folder)
    table.ui.tap("A season")
    table.go_on()
    went(table, "race")
    table.app.close()
    finish(folder)
    table = home(rig, folder)
    table.ui.tap("A season")
    table.ui.tap("1")
    first = season(folder).results["1"].order
    table.go_on()
    confirmed(table)
    table.app.back()
    table.wait()
    table.ui.tap("2")
    assert [one.number for one in table.screen.now.panel.grid] == first[::-1]
    menu(table, "result")
    table.press("table.from_paper")
    table.tap(table.screen.steppers["place"].made["value", "plus"])
    table.tap(table.screen.steppers["place"].made["value", "plus"])
    table.press("table.enter")
    confirmed(table)
    second = season(folder).results["2"].order
    assert second == [*first[::-1][1:3], first[-1], *first[::-1][3:]]
    table.app.back()
    table.wait()
    order = second
    for race in range(3, 9):  # each from the last one upside down, whose first driver falls back by some places
        table.ui.tap(str(race))
        menu(table, "result")
        table.press("table.from_paper")
        for _ in range(race % 3):
            table.tap(table.screen.steppers["place"].made["value", "plus"])
        table.press("table.enter")
        confirmed(table)
        table.app.back()
        table.wait()
        order = order[::-1]
        order.insert(race % 3, order.pop(0))
        assert season(folder).results[str(race)].order == order
    table.app.close()

    table = home(rig, folder)
    table.ui.tap("A season")
    table.press("season.standings")
    assert table.app.visits[-1].name == "standings"
    found = season(folder)
    points = {n: sum(found.begun.points[found.results[str(r)].order.index(n)] for r in range(1, 9)
                     if found.results[str(r)].lines[found.results[str(r)].order.index(n)].place)
              for n in range(1, 11)}  # fmt: skip
    shown = [(int(row["number"].text), int(row["points"].text)) for row in table.screen.now.drivers.by_key()]
    assert dict(shown) == points
    assert [sum_ for _, sum_ in shown] == sorted(points.values(), reverse=True)
    teams = {row["team"].text: int(row["points"].text) for row in table.screen.now.teams.by_key()}
    assert teams == {f"Team {t}": sum(points[n] for n in points if n % 5 == t) for t in range(5)}
    table.ui.tap(str(shown[0][0]), below="win")
    assert table.app.visits[-1].name == "driver"
    table.app.close()
