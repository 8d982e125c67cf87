"""Home offers the nearest thing that is due of a tournament or a season."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import astuple

from companion.desk.organising import begin_tournament, weather_from_die
from companion.desk.record_desk import RecordDesk
from companion.tournament.entrants import Entered, Entrant, Withdrawn
from companion.tournament.results import Confirmed, Result
from companion.tournament.times import AbsoluteTime
from companion.tournament.tournament import Published, Timed, Tournament, TournamentBegun
from companion.view.events.next_up import event, events, nearest
from tests.screens.test_season import add
from tests.screens.test_season import begun as begun_season
from tests.tournament.acting import on_paper


def due(desk: RecordDesk[Tournament]) -> tuple[str, str, str]:
    found = event(desk.record, desk.log_id).due
    return astuple(found) if found is not None else ("", "", "")


def test_a_tournament_says_what_comes_next_at_every_step(tmp_path: Path) -> None:
    with begin_tournament(tmp_path, TournamentBegun(name="Cup", track="monaco"), by="Weber") as desk:
        assert due(desk) == ("entrants", "entrants", "")
        desk.act(Entered(entrants=tuple(Entrant(n, f"Driver {n}") for n in range(1, 9))), by="Weber")
        assert due(desk) == ("trials", "entrants", "")
        for n in range(1, 9):
            desk.act(Timed(driver=n, session=1, time=AbsoluteTime(17 + n, 6000)), by="Weber")
        assert due(desk) == ("deal", "seeding", "")
        desk.act(desk.record.seeding(tables=2), by="Weber")
        assert due(desk) == ("publish", "seeding", "")
        desk.act(Published(round=1), by="Weber")
        assert due(desk) == ("weather", "weather", "")
        desk.act(weather_from_die(desk, 12, round_=1), by="Weber")
        for key in ("1.1", "1.2"):
            assert due(desk) == ("start", "table_result", key)
            desk.act(Result(race=key, lines=on_paper(desk.record.seated(key))), by="Weber")
        for key in ("1.1", "1.2"):
            assert due(desk) == ("confirm", "table_result", key)
            desk.act(Confirmed(race=key), by="Duval")
        assert due(desk) == ("deal", "seeding", "")
        desk.act(desk.record.seeding(tables=1, first=4, source="standings", final=True), by="Weber")
        desk.act(Published(round=2), by="Weber")
        desk.act(weather_from_die(desk, 12, round_=2), by="Weber")
        desk.act(Result(race="2.1", lines=on_paper(desk.record.seated("2.1"))), by="Weber")
        desk.act(Confirmed(race="2.1"), by="Duval")
        assert due(desk) == ("", "", ""), "the tournament is over"


def test_trials_are_due_until_every_session_is_driven_by_who_has_come(tmp_path: Path) -> None:
    with begin_tournament(tmp_path, TournamentBegun(name="Cup", track="monaco", sessions=2), by="Weber") as desk:
        desk.act(Entered(entrants=tuple(Entrant(n, f"Driver {n}", "") for n in range(1, 5))), by="Weber")
        for session in (1, 2):
            for n in (1, 2, 3):
                assert due(desk) == ("trials", "entrants", "")
                desk.act(Timed(driver=n, session=session, time=AbsoluteTime(17 + n, 6000)), by="Weber")
        assert due(desk) == ("deal", "seeding", "")
        desk.act(Withdrawn(number=3, why="ill"), by="Weber")
        found = event(desk.record, desk.log_id)
        assert (found.round, found.of) == (2, 3), "who has withdrawn is not here"


def test_of_two_events_the_one_in_which_something_was_done_last(tmp_path: Path) -> None:
    begun_season(tmp_path).close()
    found: Any = nearest(events(tmp_path))
    assert (found.kind, found.due.what, found.due.table) == ("season", "race", "6")
    begin_tournament(tmp_path, TournamentBegun(name="Cup"), by="Weber").close()
    found = nearest(events(tmp_path))
    assert found.kind == "tournament"
    assert nearest({}) is None


def test_home_offers_it_and_leads_there(open_at: Any, folder: Path) -> None:
    """A result that waits for a second person comes before the next race."""
    with begun_season(folder, 1) as desk:
        standing = list(desk.record.field.standing)
    add(folder, Result(race="2", lines=on_paper(standing)))
    ui = open_at("home")
    ui.tap("Confirm race 2")
    assert ui.sees("Race 2", "Not official yet")
    ui.tap("Race control")
    ui.tap("Confirm")
    assert ui.sees("It is official")
    ui = open_at("home", "fr")
    ui.tap("Course 3")
    assert ui.sees("Saison", "3 Montreal")
