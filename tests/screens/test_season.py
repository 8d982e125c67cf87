"""The season on the touchscreen: standings, calendar, drivers, by real touches."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from companion.analysis.findings import Analysis, CarAnalysis
from companion.circuits import keys
from companion.desk.organising import begin_season
from companion.desk.record_desk import RecordDesk
from companion.desk.trial_desk import TrialDesk
from companion.screens.app.analysing import Analysing
from companion.screens.app.settings import SettingsFile
from companion.screens.kit.theme import theme
from companion.sheets.records import kept_record
from companion.tournament.entrants import Entered, Entrant
from companion.tournament.results import Confirmed, Result, ResultCorrected, ResultLine
from companion.tournament.season import Abandoned, Gridded, Season, SeasonBegun, Stage, Substituted
from companion.tournament.times import AbsoluteTime
from companion.tournament.trials import TrialDriver, TrialsOpened, TrialTyped
from companion.view.events.calendar import calendar
from companion.view.events.listings import Listings
from companion.view.events.standings import StandingsShown, circuit_name, standings
from companion.view.listing import Cell
from companion.wording import Words
from tests.screens.audit import audit
from tests.screens.panels import PANELS
from tests.screens.recorded import Table
from tests.screens.ui import Ui
from tests.tournament.commanding import Commander, play

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp
    from tests.screens.rig import Rig

DRIVERS = (
    (7, "Brun", "Aster", "monaco"), (14, "Vidal", "Bolide", "monaco"), (22, "Okoye", "Aster", ""),
    (27, "Keller", "Corsa", "spa"), (31, "Hassan", "Corsa", ""), (9, "Novak", "Drake", ""),
    (3, "Lindqvist", "Bolide", ""), (5, "Sousa", "Etoile", ""), (18, "Ferrand", "Drake", ""),
    (40, "Dalton", "Etoile", "porto-sereno"),
)  # fmt: skip
RUN = (
    "22 7 3 14 9 31 27 5 18 40", "27 14 5 22 7 40 3 18 31 9", "7 9 14 31 18 40 3 22 27 5",
    "14 5 27 3 22 40 31 7 18 9", "7 31 9 14 22 18 3 5 27 40",
)  # fmt: skip
OUT = {2: (31, 9), 3: (27, 5), 5: (27,)}
TRACKS = ("melbourne", "imola", "montreal", "silverstone", "monaco", "porto-sereno", "spa", "suzuka")


def begun(folder: Path, races: int = 5) -> RecordDesk[Season]:
    """A season of eight races and ten drivers, of which so many are run."""
    calendar = tuple(Stage(track, f"{at} Jun") for at, track in enumerate(TRACKS, 1))
    desk = begin_season(folder, SeasonBegun(name="Thursday League", calendar=calendar,
                        points=(25, 18, 15, 12, 10, 8, 6, 4, 2, 1)), by="Weber")  # fmt: skip
    entrants = tuple(Entrant(n, name, team, (home,) if home else ()) for n, name, team, home in DRIVERS)
    desk.act(Entered(entrants=entrants), by="Weber")
    for at, order in enumerate(RUN[:races], 1):
        lines = tuple(
            ResultLine(
                int(number), place, cause="engine" if int(number) in OUT.get(at, ()) else "", round=19, grid=11 - place
            )
            for place, number in enumerate(order.split(), 1)
        )
        desk.act(Result(race=str(at), lines=lines), by="Weber")
        desk.act(Confirmed(race=str(at)), by="Duval")
    return desk


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    begun(tmp_path / "data").close()
    return tmp_path / "data"


@pytest.fixture
def table(rig: Rig, folder: Path) -> Iterator[Table]:
    made = Table(rig, folder, "standings")
    yield made
    made.app.close()


def races(shown: StandingsShown, driver: str) -> list[Cell]:
    """A driver's cells, race by race."""
    row = next(row for row in shown.drivers.by_key() if row["driver"].text == driver)
    return [row[column.key] for column in shown.drivers.columns if column.kind == "score"]


@pytest.mark.article("league", "season.drivers", "season.countback", "season.teams", "season.points")
def test_the_table_says_what_decides_between_equal_sums(folder: Path) -> None:
    """Brun 18 + 10 + 25 + 4 + 25, Vidal 12 + 18 + 15 + 25 + 12: 82 each, two wins to one."""
    shown = standings(kept_record(folder, "last", "season").record, Words("en"))  # type: ignore[arg-type]
    assert shown.drivers.only("place", "driver", "points").texts[:3] == (
        ("1", "Brun", "82"), ("2", "Vidal", "82"), ("3", "Okoye", "61")
    )  # fmt: skip
    sums = [points for (points,) in shown.drivers.only("points").rows[:3]]
    assert [cell.note for cell in sums] == ["wins 2 to 1", "wins 1 to 2", ""]
    assert [cell.marks for cell in sums] == [("tied_below", "ahead"), ("tied_above",), ()]
    brun, keller = races(shown, "Brun"), races(shown, "Keller")
    assert ["win" in cell.marks for cell in brun] == [False, False, True, False, True, False, False, False]
    assert [cell.text for cell in brun[5:]] == ["·"] * 3
    assert ["out" in cell.marks for cell in keller[:5]] == [False, False, True, False, True]
    assert shown.teams.only("team", "points").texts[0] == ("Aster", "143")
    assert [column.short for column in shown.drivers.columns if column.kind == "score"][2:5] == ["MON", "SIL", "MOA"]
    french = standings(kept_record(folder, "last", "season").record, Words("fr"))  # type: ignore[arg-type]
    assert next(french.drivers.by_key())["points"].note == "vict. 2 à 1"


def test_plates_open_drivers_and_the_calendar_is_one_key_away(table: Table) -> None:
    ui = Ui.over(table.rig, table.app)
    ui.tap(car=27)
    assert (table.app.visits[-1].name, table.screen.now.name) == ("driver", "Keller")
    assert [figure.value for figure in table.screen.now.figures[:4]] == ["1", "2", "50", "2"]
    ui.tap(car=7)
    assert table.screen.now.name == "Brun"
    ui.tap("Table")
    assert table.app.visits[-1].name == "standings"
    ui.tap("Calendar")
    ui.tap("2")
    assert (table.app.visits[-1].name, table.screen.now.chosen) == ("calendar", 2)
    assert table.screen.now.panel.grid[0].number == 27, "a race that is run shows its result"


def test_the_head_of_a_column_opens_that_race(table: Table) -> None:
    ui = Ui.over(table.rig, table.app)
    ui.tap("POR")
    assert table.app.visits[-1].name == "standings", "a race to come has no result"
    ui.tap("MON")
    assert (table.app.visits[-1].name, table.screen.now.key) == ("table_result", "3")


def test_who_drove_for_another_and_a_race_that_is_off_are_told(folder: Path, rig: Rig) -> None:
    with RecordDesk.resume(folder, Season) as desk:
        desk.act(Substituted(race=6, number=7, driver="Zoe"), by="Weber")
        desk.act(Abandoned(race=7, why="the hall is taken"), by="Weber")
        lines = tuple(ResultLine(number, place) for place, (number, *_) in enumerate(DRIVERS, 1))
        desk.act(Result(race="6", lines=lines), by="Weber")
        shown = standings(desk.record, Words("en"))
    brun = races(shown, "Brun")
    assert ["substitute" in cell.marks for cell in brun] == [False] * 5 + [True, False, False]
    assert [(cell.text, cell.marks) for cell in brun[6:]] == [("–", ("absent",)), ("·", ("to_come",))]
    assert "substitute" in shown.marks
    listed = Listings(kept_record(folder, "last", "season").record, Words("en")).make("standings")  # type: ignore[arg-type]
    assert [cell.text for cell in races(replace(shown, drivers=listed), "Brun")] == [cell.text for cell in brun]
    table = Table(rig, folder, "standings")
    try:
        assert audit(table.screen) == []
        assert any(mark.text == "S substitute" for mark in table.screen.marks)
        table.app.go("table_result", kind="season", table="6")
        table.wait()
        assert table.ui.sees("Zoe (S)")
        table.ui.tap("Zoe")  # who drove can confirm
        table.ui.tap("Confirm")
        signed = kept_record(folder, "last", "season").record.results["6"].confirmed  # type: ignore[attr-defined]
        assert signed.by == "Zoe"
    finally:
        table.app.close()


@pytest.mark.parametrize("panel", [0, 1])
@pytest.mark.parametrize("many", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("points", ["0", "25", "112"])
def test_a_team_of_any_size_has_room_for_its_drivers(rig: Rig, panel: int, many: int, points: str) -> None:
    """As many as there is room for, and how many more there are."""
    from companion.screens.events.standings import TEAM, TEAMS, TeamView
    from companion.view.listing import make_cell
    from companion.view.shown import Plate

    rig.window(*PANELS[panel])
    view = TeamView()
    rig.show(view, 0, 0, TEAMS - 1, TEAM)
    parts = tuple((Plate(number=80 + at, place=at), points) for at in range(many))
    view.show((make_cell(1), Cell(text="Aster", cars=parts), make_cell(143)))
    rig.settle()
    foot = sorted((mark.x, mark.x + mark.w, mark.text) for mark in view.marks if mark.kind == "text" and mark.y > 34)
    assert all(end <= start for (_, end, _), (start, _, _) in itertools.pairwise(foot)), foot
    assert foot[-1][1] <= TEAMS - 1
    seen = sum(text == points for *_, text in foot)
    assert foot[-1][2] == (points if seen == many else f"+{many - seen}")


@pytest.mark.article("league", "start.grid")
def test_the_next_race_starts_with_the_last_one_upside_down(rig: Rig, folder: Path) -> None:
    table = Table(rig, folder, "calendar")
    try:
        screen = table.screen
        now = screen.now
        assert (now.chosen, now.can_start, now.panel.grid_title) == (6, True, "Grid: reverse of Monaco")
        assert [one.number for one in now.panel.grid][:3] == [40, 27, 5]
        table.ui.tap("1")
        assert (screen.now.question, screen.now.note) == ("Race 1 is complete", "Official, by Duval")
        table.ui.tap("6")
        table.tap(screen.main)
        rig.until(lambda: table.app.visits[-1].name == "race")
    finally:
        table.app.close()


@pytest.mark.parametrize(("panel", "lang"), [(0, "fr"), (1, "en")])
def test_a_race_that_waits_for_the_wear_of_another_is_not_started(
    rig: Rig, tmp_path: Path, panel: int, lang: str
) -> None:
    rig.window(*PANELS[panel])
    run = Commander(tmp_path, "season")
    run("new", "League", "monaco", "monaco", "--carry-wear", "--grid", "hand", "--rulebook", "formula-d")
    for name in ("Ada", "Ben"):
        run("enter", name)
    run("grid", "2", "1", "2")
    SettingsFile(tmp_path).change(language=lang)
    table = Table(rig, tmp_path, "calendar")
    try:
        table.ui.tap("2")
        table.tap(table.screen.main)
        rig.until(lambda: table.app.toast.shown is not None)
        assert table.app.visits[-1].name == "calendar"
        assert {"en": "finish that one", "fr": "terminez-la"}[lang] in table.app.toast.shown.text
    finally:
        table.app.close()


def test_another_grid_is_drawn_with_a_reason_and_taken_back(rig: Rig, folder: Path) -> None:
    table = Table(rig, folder, "calendar")
    try:
        screen = table.screen
        table.press("season.other")
        table.press("season.way.random")
        assert audit(screen) == []
        table.press("arranging.grid_reason.penalty")
        record = kept_record(folder, "last", "season").record
        assert isinstance(record, Season)
        assert (record.grids[6].rule, record.grids[6].why) == ("random", "Penalty"), "as somebody has said"
        assert screen.now.panel.grid_title == "Grid: drawn"
        table.tap(screen.undo)
        assert screen.now.panel.grid_title == "Grid: reverse of Monaco"
    finally:
        table.app.close()


def test_the_first_grid_is_drawn_by_one_key(rig: Rig, tmp_path: Path) -> None:
    begun(tmp_path / "data", 0).close()
    table = Table(rig, tmp_path / "data", "calendar")
    try:
        screen = table.screen
        assert (screen.now.question, screen.now.panel.grid) == ("Draw the grid?", ())
        table.tap(screen.main)
        assert (screen.now.question, len(screen.now.panel.grid)) == ("Start race 1?", 10)
        table.app.go("standings")
        table.wait()
        assert table.screen.now.run == 0
    finally:
        table.app.close()


@pytest.mark.parametrize(("panel", "lang"), [(0, "fr"), (1, "en")])
@pytest.mark.parametrize("rule", ["trials", "hand"])
def test_the_white_key_settles_the_grid_by_the_rule_of_the_season(
    rig: Rig, tmp_path: Path, rule: str, panel: int, lang: str
) -> None:
    """A grid by trials, or by hand, is not drawn by the black die, which would need a reason."""
    rig.window(*PANELS[panel])
    run = Commander(tmp_path, "season")
    run("new", "Thursday League", "monaco", "monaco", "--grid", rule)
    for name in ("Ada", "Ben", "Cy"):
        run("enter", name)
    run("result", "1", "--paper", "2 1 3")
    opened = TrialsOpened(name="Monaco", track="monaco", drivers=tuple(TrialDriver(number=n) for n in (1, 2, 3)))
    with TrialDesk.begin(tmp_path, opened, by="Weber") as desk:
        for driver, throws in ((1, 19), (2, 17), (3, 18)):
            desk.act(TrialTyped(driver=driver, session=1, time=AbsoluteTime(throws, 7000)))
    SettingsFile(tmp_path).change(language=lang)
    table = Table(rig, tmp_path, "calendar")
    try:
        assert (table.screen.now.can_start, table.screen.now.draws) == (False, rule)
        assert audit(table.screen) == []
        table.tap(table.screen.main)
        if rule == "hand":
            assert table.app.visits[-1].name == "arranging"
            table.tap(table.screen.main)
            table.app.back()
            table.wait()
        assert table.screen.now.can_start
        assert [one.number for one in table.screen.now.panel.grid] == ([2, 3, 1] if rule == "trials" else [1, 2, 3])
    finally:
        table.app.close()


@pytest.mark.article("league", "start.grid")
def test_who_was_not_in_the_last_race_is_said_to_roll_for_the_grid(tmp_path: Path) -> None:
    run = Commander(tmp_path, "season")
    run("new", "Thursday League", "monaco", "monaco")
    for name in ("Ada", "Ben", "Cy"):
        run("enter", name)
    run("missing", "1", "3")
    run("result", "1", "--paper", "2 1")
    shown = calendar(kept_record(tmp_path, "last", "season").record, Words("en"))  # type: ignore[arg-type]
    assert (shown.draws, shown.note) == ("reverse", "Who was not in the last race rolls for it")


@pytest.mark.article("league", "race.unfinished")
def test_who_is_said_to_be_out_on_paper_keeps_the_points_of_a_place(rig: Rig, folder: Path) -> None:
    """Typed from the sheet by touch, and put right afterwards."""
    table = Table(rig, folder, "table_result", kind="season", table="6")
    screen = table.screen
    try:
        grid = {row.number: row.grid for row in screen.now.rows}
        table.press("table.from_paper")
        table.press("table.is_out")
        assert audit(screen) == []
        table.press("table.enter")
        assert {row.number: row.grid for row in screen.now.rows} == grid, "its own, not that of the race after it"
        lines = result(folder, "6")
        assert [line.place for line in lines] == [*range(1, 11)]
        assert (lines[-1].cause, screen.now.rows[-1].points, screen.now.rows[-1].note) == ("retired", "1", "retired")
        first = lines[0].driver
        table.press("table.differs")
        table.press("table.is_out")
        table.tap(screen.steppers["place"].made["value", "minus"])
        table.press("table.enter")
        table.press("table.why.misread")
        lines = result(folder, "6")
        assert [line.place for line in lines] == [*range(1, 11)]
        assert (lines[7].driver, lines[7].cause, screen.now.rows[7].points) == (first, "retired", "4")
        assert {row.number: row.grid for row in screen.now.rows} == grid
    finally:
        table.app.close()


def result(folder: Path, race: str) -> tuple[ResultLine, ...]:
    """The result of a race as the database has it."""
    found = kept_record(folder, "last", "season").record
    assert isinstance(found, Season)
    return found.results[race].lines


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_standings_and_calendar_say_that_an_official_result_was_corrected(rig: Rig, folder: Path, lang: str) -> None:
    with RecordDesk.resume(folder, Season) as desk:
        lines = desk.record.results["2"].lines
        given = (replace(lines[0], points=1), *lines[1:])
        desk.act(ResultCorrected(race="2", lines=given, why="misread"), by="Weber")
    SettingsFile(folder).change(language=lang)
    table = Table(rig, folder, "standings")
    said = "2 (corrected)" if lang == "en" else "2 (corrigé)"
    try:
        assert said in table.screen.now.warning
        assert any(said in mark.text for mark in table.screen.marks)
        assert audit(table.screen) == []
        table.app.go("calendar", race=2)
        table.wait()
        assert "Duval" in table.screen.now.note, "whoever confirmed it before"
        assert not table.screen.now.official
        table.tap(table.screen.main)
        assert (table.app.visits[-1].name, table.screen.now.state) == ("table_result", "entered")
        assert audit(table.screen) == []
    finally:
        table.app.close()


def test_a_race_that_is_off_and_a_grid_by_hand_are_told(folder: Path, rig: Rig) -> None:
    from companion.screens.events.calendar import CalendarScreen

    with RecordDesk.resume(folder, Season) as desk:
        desk.act(Abandoned(race=7, why="the hall is taken"), by="Weber")
        order = tuple(number for number, *_ in DRIVERS)
        desk.act(Gridded(race=6, order=order, rule="hand", why="draw on paper"), by="Weber")
    table = Table(rig, folder, "calendar", race=7)
    try:
        assert isinstance(table.screen, CalendarScreen)
        assert (table.screen.now.question, table.screen.now.note) == ("Race 7 is off", "the hall is taken")
        table.tap(table.screen.main)
        table.press("season.revive_reason.date")
        assert table.screen.now.panel.state == "to_come"
        assert table.screen.now.undo.label == "Race on"
        table.ui.tap("6")
        assert table.screen.now.panel.grid_title == "Grid: by hand"
    finally:
        table.app.close()


@pytest.mark.article("league", "start.grid")
def test_a_grid_drawn_before_another_race_is_run_is_told_no_more(tmp_path: Path) -> None:
    order = tuple(number for number, *_ in DRIVERS)
    with begun(tmp_path / "data", 0) as desk:
        desk.act(Gridded(race=2, order=order, rule="random"), by="Weber")
        assert calendar(desk.record, Words("en"), 2).panel.grid_title == "Grid: drawn"
        desk.act(Result(race="1", lines=tuple(ResultLine(n, place) for place, n in enumerate(order, 1))), by="Weber")
        panel = calendar(desk.record, Words("en"), 2).panel
    assert (panel.grid_title, [one.number for one in panel.grid]) == ("Grid: reverse of Melbourne", [*order[::-1]])


@pytest.mark.parametrize("name", ["standings", "calendar", "driver"])
def test_without_a_season_there_is_one_sentence(app: CompanionApp, rig: Rig, name: Any) -> None:
    app.go(name)
    screen: Any = app.screen
    rig.until(lambda: screen.is_loaded)
    assert screen.empty.shown.title == "No season yet"


@pytest.mark.parametrize(("panel", "lang", "look"), [(0, "en", "dark"), (1, "fr", "daylight"), (0, "fr", "dark")])
def test_every_screen_passes_the_audit(rig: Rig, folder: Path, panel: int, lang: str, look: str) -> None:
    rig.window(*PANELS[panel])
    SettingsFile(folder).change(language=lang, theme=look)
    with RecordDesk.resume(folder, Season) as desk:
        desk.act(Abandoned(race=8, why="the hall is taken"), by="Weber")
    table = Table(rig, folder, "standings")
    try:
        assert not audit(table.screen)
        table.app.go("driver", number=27)
        table.wait()
        assert not audit(table.screen)
        table.app.go("calendar")
        table.wait()
        assert not audit(table.screen)
        table.press("season.other")
        assert not audit(table.screen)
        table.ui.tap("1")
        assert not audit(table.screen)
        table.ui.tap("8")
        assert table.screen.now.panel.state == "abandoned"
        assert not audit(table.screen)
        table.tap(table.screen.main)
        assert not audit(table.screen)
    finally:
        table.app.close()


def test_home_tells_where_the_season_stands_and_leads_there(rig: Rig, folder: Path) -> None:
    from companion.screens.app.app import CompanionApp
    from tests.screens.test_app import read

    made = Table.__new__(Table)
    made.rig, made.app = rig, CompanionApp(folder, SettingsFile(folder))
    made.app.open()
    read(made.app, rig)
    try:
        assert made.ui.sees("A tournament New tournament Needs entrants and a circuit")
        assert made.ui.sees("A season Thursday League Race 6 of 8, 6 Jun")
        (tile,) = (word.widget for word in made.ui.words() if word.text == "Thursday League")
        done = [mark.colour for mark in tile.marks if mark.kind == "fill" and mark.h < 10]
        assert done == [theme.hex("ok")] * 5 + [theme.hex("bg4")] * 3
        made.ui.tap("A season")
        assert (made.app.visits[-1].name, made.screen.now.chosen) == ("calendar", 6)
        made.app.back()
        read(made.app, rig)
        made.ui.tap("A tournament")
        assert (made.app.visits[-1].name, made.app.visits[-1].given["kind"]) == ("new_event", "tournament")
    finally:
        made.app.close()


def two_races(folder: Path, second: str) -> str:
    """A season of which one race was played here, whose log that is, and one typed from paper."""
    run = Commander(folder, "season")
    run("new", "Thursday League", "monaco", second, "--laps", "1", "--rulebook", "competition")
    for n, name in enumerate(("Ada", "Ben"), 1):
        run("enter", name, "--number", str(n))
    run("grid", "1", "1", "2", "--why", "drawn")
    log_id = play(json.loads(run("setup", "1")), folder, 3)
    run("collect")
    run("result", "2", "--paper", "2 1")
    return log_id


@pytest.mark.parametrize(("panel", "lang"), [(0, "fr"), (1, "en")])
def test_luck_and_driving_of_a_driver_are_worked_out_by_a_tap(
    rig: Rig, tmp_path: Path, panel: int, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the races whose logs are here, one after the other; the others have a dash."""
    rig.window(*PANELS[panel])
    log_id = two_races(tmp_path, "spa")
    driven = [CarAnalysis(n, "", n, "finished", 9.0, 9.4, luck, mistakes, 3, 9, ())
              for n, luck, mistakes in ((1, -0.6, 1.1), (2, 1.5, 0.4))]  # fmt: skip
    found = Analysis("race", "spa", "competition", 9, tuple(driven), (), ())
    begun: list[str] = []
    monkeypatch.setattr(Analysing, "begin", lambda _self, _folder, race, _entries: begun.append(race))
    monkeypatch.setattr(Analysing, "result", lambda _self, _race, _entries: found if begun else None)
    SettingsFile(tmp_path).change(language=lang)
    table = Table(rig, tmp_path, "driver", number=1)
    say = theme.words.screen
    try:
        assert not table.screen.now.turns
        assert table.screen.now.figures[4].word == say("season.best")
        assert begun == [], "only when somebody wants it"
        table.ui.tap(icon="die")
        assert begun == [log_id]
        table.app.analysing.on_news()
        table.wait()
        now = table.screen.now
        assert [row.luck.said if row.luck else "" for row in now.rows] == ["−0.6" if lang == "en" else "−0,6", ""]
        assert [figure.tone for figure in now.figures[4:]] == ["warn", "warn"]
        assert now.rows[0].driving.share == -1
        assert audit(table.screen) == []
        if shown := os.environ.get("PICTURES"):
            rig.screenshot(Path(shown) / f"luck-{lang}.png")
    finally:
        table.app.close()


@pytest.mark.parametrize(("panel", "lang"), [(0, "fr"), (1, "en")])
def test_a_race_that_is_run_has_its_sheet_and_its_analysis(rig: Rig, tmp_path: Path, panel: int, lang: str) -> None:
    """Where its log is: of one that was typed from paper there are none."""
    rig.window(*PANELS[panel])
    log_id = two_races(tmp_path, "monaco")
    SettingsFile(tmp_path).change(language=lang)
    table = Table(rig, tmp_path, "calendar", race=2)
    try:
        assert not table.ui.offers(theme.words.screen("season.sheet"))
        for name in ("sheet", "analysis"):
            table.ui.tap("1")
            assert audit(table.screen) == []
            table.press(f"season.{name}")
            assert (table.app.visits[-1].name, table.app.visits[-1].given["race"]) == (name, log_id)
            table.app.back()
            table.wait()
    finally:
        table.app.close()


def test_of_a_race_on_a_corner_sheet_luck_and_driving_are_not_worked_out(rig: Rig, tmp_path: Path) -> None:
    """Nobody can tell one from the other there, and it is said so at once."""
    run = Commander(tmp_path, "season")
    run("new", "Thursday League", "spa", "--laps", "1", "--rulebook", "competition")
    for n, name in enumerate(("Ada", "Ben"), 1):
        run("enter", name, "--number", str(n))
    run("grid", "1", "1", "2", "--why", "drawn")
    play(json.loads(run("setup", "1")), tmp_path, 3)
    run("collect")
    table = Table(rig, tmp_path, "driver", number=1)
    try:
        assert table.screen.logs == {}
        table.ui.tap(icon="die")
        assert table.app.toast.shown.text == theme.words.screen("analysis.unweighed")
    finally:
        table.app.close()


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_longest_name_of_a_circuit_is_whole_on_its_tile(rig: Rig, tmp_path: Path, lang: str) -> None:
    run = Commander(tmp_path, "season")
    longest = max(keys(), key=lambda key: len(circuit_name(key)))
    run("new", "Thursday League", longest, longest, "monaco", "--laps", "1")
    for name in ("Ada", "Ben", "Cy"):
        run("enter", name, "--home", longest)
    run("result", "1", "--paper", "2 1 3")
    SettingsFile(tmp_path).change(language=lang)
    table = Table(rig, tmp_path, "calendar")
    try:
        assert audit(table.screen) == []
        said = [word.text for word in table.ui.words()]
        assert table.ui.sees(circuit_name(longest))
        assert not any("…" in text for text in said)
        if shown := os.environ.get("PICTURES"):
            rig.screenshot(Path(shown) / f"calendar-{lang}.png")
    finally:
        table.app.close()


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_result_of_nobody_is_not_typed_from_paper(rig: Rig, tmp_path: Path, lang: str) -> None:
    """A season whose drivers were not entered yet: the key says so."""
    begin_season(tmp_path, SeasonBegun(name="League", calendar=(Stage("monaco"),)), by="Weber").close()
    SettingsFile(tmp_path).change(language=lang)
    table = Table(rig, tmp_path, "table_result", kind="season", table="1")
    try:
        screen = table.screen
        assert not table.ui.offers(theme.words.screen("table.from_paper"))
        assert table.ui.sees("No entrants yet" if lang == "en" else "Pas encore d’inscrits")
        assert not audit(screen)
        table.tap(screen.main)
        assert table.app.toast.shown is not None
    finally:
        table.app.close()


@pytest.mark.parametrize("many", [16, 17, 40])
def test_a_grid_of_many_shows_as_many_plates_as_have_room(rig: Rig, tmp_path: Path, many: int) -> None:
    stages, numbers = (Stage("monaco"),), tuple(range(1, many + 1))
    begun = SeasonBegun(name="League", calendar=stages, drivers=0, team=0, races=0)
    with begin_season(tmp_path, begun, by="Weber") as desk:
        desk.act(Entered(entrants=tuple(Entrant(number, f"D{number}") for number in numbers)), by="Weber")
        desk.act(Gridded(race=1, order=numbers, rule="hand", why="paper"), by="Weber")
    table = Table(rig, tmp_path, "calendar")
    try:
        assert not audit(table.screen)
        texts = [mark.text for mark in table.screen.marks]
        assert [text for text in texts if text.startswith("+")] == ([f"+{many - 15}"] if many > 16 else [])
    finally:
        table.app.close()


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_cause_has_room_or_is_cut(rig: Rig, folder: Path, lang: str) -> None:
    SettingsFile(folder).change(language=lang)
    table = Table(rig, folder, "table_result", kind="season", table="6")
    try:
        screen = table.screen
        table.press("table.from_paper")
        table.press("table.is_out")
        causes = screen.now.causes
        for cause in causes:
            assert not audit(screen), cause.label
            table.tap(screen.steppers["cause"].made["value", "plus"])
        assert table.ui.sees(causes[-1].label)
    finally:
        table.app.close()
