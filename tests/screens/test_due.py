"""Home offers the nearest thing that is due of a tournament or a season."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.desk.organising import begin_tournament, weather_from_die
from companion.desk.record_desk import RecordDesk
from companion.sheets.records import kept_record
from companion.tournament.entrants import Entered, Entrant, Withdrawn
from companion.tournament.results import Confirmed, Result, ResultLine
from companion.tournament.times import AbsoluteTime
from companion.tournament.tournament import Published, Timed, Tournament, TournamentBegun
from companion.view.events.next_up import event, events, nearest
from tests.screens.test_season import begun as begun_season
from tests.screens.test_tournament import in_language

if TYPE_CHECKING:
    from tests.screens.rig import Rig


def due(desk: RecordDesk[Tournament]) -> tuple[str, str, str]:
    found = event(desk.record, desk.log_id).due
    return (found.what, found.screen, found.table) if found is not None else ("", "", "")


def test_a_tournament_says_what_comes_next_at_every_step(tmp_path: Path) -> None:
    with begin_tournament(tmp_path, TournamentBegun(name="Cup", track="monaco"), by="Weber") as desk:
        assert due(desk) == ("entrants", "entrants", "")
        desk.act(Entered(entrants=tuple(Entrant(n, f"Driver {n}", "") for n in range(1, 9))), by="Weber")
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
            lines = tuple(ResultLine(n, at) for at, n in enumerate(desk.record.seated(key), 1))
            desk.act(Result(race=key, lines=lines), by="Weber")
        for key in ("1.1", "1.2"):
            assert due(desk) == ("confirm", "table_result", key)
            desk.act(Confirmed(race=key), by="Duval")
        assert due(desk) == ("deal", "seeding", "")
        desk.act(desk.record.seeding(tables=1, first=4, source="standings", final=True), by="Weber")
        desk.act(Published(round=2), by="Weber")
        desk.act(weather_from_die(desk, 12, round_=2), by="Weber")
        lines = tuple(ResultLine(n, at) for at, n in enumerate(desk.record.seated("2.1"), 1))
        desk.act(Result(race="2.1", lines=lines), by="Weber")
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
    found = nearest(events(tmp_path))
    assert found is not None
    assert (found.kind, found.due and found.due.what, found.due and found.due.table) == ("season", "race", "6")
    begin_tournament(tmp_path, TournamentBegun(name="Cup"), by="Weber").close()
    found = nearest(events(tmp_path))
    assert found is not None
    assert found.kind == "tournament"
    assert nearest({}) is None


def test_home_offers_it_and_leads_there(rig: Rig, tmp_path: Path) -> None:
    """A result that waits for a second person comes before the next race."""
    desk = begun_season(tmp_path, 1)
    desk.act(
        Result(race="2", lines=tuple(ResultLine(n, at) for at, n in enumerate(desk.record.field.standing, 1))),
        by="Weber",
    )
    desk.close()
    table = in_language(rig, tmp_path, "en", "home")
    try:
        table.ui.tap("Confirm race 2")
        assert (table.app.visits[-1].name, table.screen.now.key, table.screen.now.state) == (
            "table_result", "2", "entered"
        )  # fmt: skip
        table.ui.tap(table.screen.now.people[0].name)
        table.tap(table.screen.main)
        season = kept_record(tmp_path, "last", "season").record
        assert season.results["2"].official  # type: ignore[attr-defined]
    finally:
        table.app.close()
    table = in_language(rig, tmp_path, "fr", "home")
    try:
        table.ui.tap("Course 3")
        assert (table.app.visits[-1].name, table.screen.now.chosen) == ("calendar", 3)
    finally:
        table.app.close()
