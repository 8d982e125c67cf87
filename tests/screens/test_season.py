"""The season on the touchscreen: standings, calendar, drivers, by real touches."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.analysis.findings import Analysis, CarAnalysis
from companion.circuits import keys
from companion.desk.organising import begin_season
from companion.desk.record_desk import RecordDesk
from companion.desk.trial_desk import TrialDesk
from companion.screens.app.analysing import Analysing
from companion.screens.events.standings import TEAM, TEAMS, TeamView
from companion.screens.kit.theme import theme
from companion.sheets.records import kept_record
from companion.tournament.entrants import Entered, Entrant
from companion.tournament.record import Act
from companion.tournament.results import Confirmed, Result, ResultCorrected, ResultLine
from companion.tournament.season import Abandoned, Gridded, Season, SeasonBegun, Stage, Substituted
from companion.tournament.times import AbsoluteTime
from companion.tournament.trials import TrialDriver, TrialsOpened, TrialTyped
from companion.view.events.calendar import calendar
from companion.view.events.listings import Listings
from companion.view.events.standings import StandingsShown, circuit_name, standings
from companion.view.listing import Cell, make_cell
from companion.view.shown import Plate
from companion.wording import Words
from tests.screens.audit import audit
from tests.screens.panels import PANELS
from tests.screens.rig import Rig
from tests.screens.ui import Ui
from tests.tournament.commanding import Commander, play

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


def begun(folder: Path, races: int = 5, tracks: Sequence[str] = TRACKS) -> RecordDesk[Season]:
    """A season of eight races and ten drivers, of which so many are run."""
    calendar = tuple(Stage(track, f"{at} Jun") for at, track in enumerate(tracks, 1))
    desk = begin_season(folder, SeasonBegun(name="Thursday League", calendar=calendar,
                        points=(25, 18, 15, 12, 10, 8, 6, 4, 2, 1), races=len(tracks)), by="Weber")  # fmt: skip
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


def add(folder: Path, *acts: Act) -> None:
    """Acts of elsewhere."""
    with RecordDesk.resume(folder, Season) as desk:
        for act in acts:
            desk.act(act, by="Weber")


def record(folder: Path) -> Any:
    return kept_record(folder, "last", "season").record


def league(folder: Path, *begin: str, names: Sequence[str] = ("Ada", "Ben", "Cy")) -> Commander:
    """A season begun and entered by commands."""
    run = Commander(folder, "season")
    run("new", "Thursday League", *begin)
    for number, name in enumerate(names, 1):
        run("enter", name, "--number", str(number))
    return run


def raced(folder: Path, *circuits: str) -> str:
    """A season of which the first race was played here; return the id of its log."""
    run = league(folder, *circuits, "--laps", "1", "--rulebook", "competition", names=("Ada", "Ben"))
    run("grid", "1", "1", "2", "--why", "drawn")
    log_id = play(json.loads(run("setup", "1")), folder, 3)
    run("collect")
    if len(circuits) > 1:
        run("result", "2", "--paper", "2 1")
    return log_id


def say(text: str, **facts: Any) -> str:
    """What stands on the screen for a text of the locale, in its language: "season.other"."""
    return theme.words.screen(text, **facts)


def races(shown: StandingsShown, driver: str) -> list[Cell]:
    """A driver's cells, race by race."""
    row = next(row for row in shown.drivers.by_key() if row["driver"].text == driver)
    return [row[column.key] for column in shown.drivers.columns if column.kind == "score"]


@pytest.mark.article("league", "season.drivers", "season.countback", "season.teams", "season.points")
def test_the_table_says_what_decides_between_equal_sums(folder: Path) -> None:
    """Brun 18 + 10 + 25 + 4 + 25, Vidal 12 + 18 + 15 + 25 + 12: 82 each, two wins to one."""
    begun(folder).close()
    shown = standings(record(folder), Words("en"))
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
    french = standings(record(folder), Words("fr"))
    assert next(french.drivers.by_key())["points"].note == "vict. 2 à 1"


def test_plates_open_drivers_and_the_calendar_is_one_key_away(open_at: Any, folder: Path) -> None:
    begun(folder).close()
    ui = open_at("standings")
    ui.tap(car=27)
    assert ui.sees("Keller", "Corsa, 4th with 50 points, 5 of 8 run")
    assert ui.in_order("1", "2", "50", "2", "Win", "Podiums", "Points", "Out")
    ui.tap(car=7)
    assert ui.sees("Brun", "Aster, 1st with 82 points")
    ui.tap("Table")
    assert ui.sees("Countback", "wins 2 to 1")
    ui.tap("POR")
    assert ui.sees("Countback"), "a race to come has no result"
    ui.tap("Calendar")
    ui.tap("5")
    assert ui.sees("Brun is at home, 1 more")
    ui.tap("2")
    assert ui.sees("Race 2 is complete", "Official, by Duval")
    assert ui.in_order("Result", "27", "5", "7", "3", "31", "14", "22", "40"), "a race that is run shows its result"
    ui.tap("Standings")
    ui.tap("MON")
    assert ui.sees("Race 3", "It is official")


def test_of_a_long_season_the_last_nine_races_are_seen_and_every_one_is_reached(open_at: Any, folder: Path) -> None:
    begun(folder, tracks=("austin", "barcelona", *TRACKS)).close()
    ui = open_at("standings")
    assert [ui.sees(code) for code in ("AUS", "BAR", "SUZ")] == [False, True, True]
    ui.audit()
    ui = open_at("calendar")
    pages = (("Austin", "Monaco"), ("Porto Sereno", "Suzuka"))
    for seen, others in (pages, pages[::-1], pages):
        assert ui.sees(*seen)
        assert not any(map(ui.sees, others))
        ui.tap(say("season.more"))
    ui.audit()


def test_who_drove_for_another_and_a_race_that_is_off_are_told(open_at: Any, folder: Path) -> None:
    begun(folder).close()
    add(folder, Substituted(race=6, number=7, driver="Zoe"), Abandoned(race=7, why="the hall is taken"))
    add(folder, Result(race="6", lines=tuple(ResultLine(n, place) for place, (n, *_) in enumerate(DRIVERS, 1))))
    shown = standings(record(folder), Words("en"))
    brun = races(shown, "Brun")
    assert ["substitute" in cell.marks for cell in brun] == [False] * 5 + [True, False, False]
    assert [(cell.text, cell.marks) for cell in brun[6:]] == [("–", ("absent",)), ("·", ("to_come",))]
    listed = Listings(record(folder), Words("en")).make("standings")
    assert [cell.text for cell in races(replace(shown, drivers=listed), "Brun")] == [cell.text for cell in brun]
    ui = open_at("standings")
    assert ui.row("Brun") == "1 7 Brun 18 10 25 4 25 25 S – · 107"
    assert ui.sees("S substitute", "Not official: 6")
    ui.audit()
    ui.tap("POR")
    assert ui.sees("Zoe (S)")
    ui.tap("Zoe", below="Second person")  # who drove can confirm
    ui.tap("Confirm")
    assert ui.sees("Confirmed by Zoe")


def test_a_team_of_any_size_has_room_for_its_drivers(panel: Rig, ui: Ui) -> None:
    """As many as there is room for, and how many more there are."""
    for many, points in ((many, points) for many in (1, 2, 3, 4, 7) for points in ("0", "25", "112")):
        panel.clear()
        view = TeamView()
        panel.show(view, 0, 0, TEAMS - 1, TEAM)
        parts = tuple((Plate(number=80 + at, place=at), points) for at in range(many))
        view.show((make_cell(1), Cell(text="Aster", cars=parts), make_cell(143)))
        panel.settle()
        assert audit(view) == []
        foot = [word.text for word in ui.words() if word.box.y > 30]
        seen = foot.count(points)
        assert foot[-1] == (points if seen == many else f"+{many - seen}"), (many, points)


@pytest.mark.article("league", "start.grid")
def test_the_next_race_starts_with_the_last_one_upside_down(open_at: Any, folder: Path) -> None:
    begun(folder).close()
    ui = open_at("calendar")
    assert ui.sees("Start race 6?", "Pole: 40 Dalton")
    assert ui.in_order("Grid: reverse of Monaco", "40", "5", "18", "14", "31", "27", "3", "22", "9", "7")
    ui.tap("1")
    assert ui.sees("Race 1 is complete", "Official, by Duval")
    ui.tap("6")
    ui.tap("Start this race")
    ui.wait_for("DAL")


@pytest.mark.parametrize(("size", "lang"), [(0, "fr"), (1, "en")])
def test_a_race_that_waits_for_the_wear_of_another_is_not_started(
    rig: Rig, open_at: Any, folder: Path, size: int, lang: str
) -> None:
    rig.window(*PANELS[size])
    run = league(folder, "monaco", "monaco", "--carry-wear", "--grid", "hand", "--rulebook", "formula-d")
    run("grid", "2", "1", "2", "3")
    ui = open_at("calendar", lang)
    ui.tap("2")
    ui.tap(say("season.start"))
    ui.wait_for({"en": "finish that one", "fr": "terminez-la"}[lang])
    assert ui.sees(say("season.ask_start", race=2))


def test_another_grid_is_drawn_with_a_reason_and_taken_back(open_at: Any, folder: Path) -> None:
    begun(folder).close()
    ui = open_at("calendar")
    ui.tap("Other grid")
    ui.tap("2")
    assert not ui.offers("Draw it"), "that was for another race"
    ui.tap("6")
    ui.tap("Other grid")
    ui.tap("Draw it")
    ui.audit()
    ui.tap("Penalty")
    assert ui.sees("Grid: drawn")
    assert record(folder).grids[6].why == "Penalty", "as somebody has said"
    ui.tap("Undo")
    assert ui.sees("Grid: reverse of Monaco")


def test_the_first_grid_is_drawn_by_one_key(open_at: Any, folder: Path) -> None:
    begun(folder, 0).close()
    ui = open_at("calendar")
    assert ui.sees("Draw the grid?", "The black die says who has pole")
    ui.tap("Draw")
    assert ui.sees("Start race 1?", "Pole:", "10 cars")
    ui.app.go("standings")
    ui.calm()
    assert ui.sees("after 0 of 8 races", "No points yet: by number")


@pytest.mark.parametrize(("size", "lang"), [(0, "fr"), (1, "en")])
@pytest.mark.parametrize("rule", ["trials", "hand"])
def test_the_white_key_settles_the_grid_by_the_rule_of_the_season(
    rig: Rig, open_at: Any, folder: Path, rule: str, size: int, lang: str
) -> None:
    """A grid by trials, or by hand, is not drawn by the black die, which would need a reason."""
    rig.window(*PANELS[size])
    league(folder, "monaco", "monaco", "--grid", rule)("result", "1", "--paper", "2 1 3")
    opened = TrialsOpened(name="Monaco", track="monaco", drivers=tuple(TrialDriver(number=n) for n in (1, 2, 3)))
    with TrialDesk.begin(folder, opened, by="Weber") as desk:
        for driver, throws in ((1, 19), (2, 17), (3, 18)):
            desk.act(TrialTyped(driver=driver, session=1, time=AbsoluteTime(throws, 7000)))
    ui = open_at("calendar", lang)
    assert ui.sees(say("season.ask_draw", rule=rule), say("season.drawn_by", rule=rule))
    ui.audit()
    ui.go_on()
    if rule == "hand":
        assert ui.sees(say("arranging.ask.race", race=2))
        ui.go_on()
        ui.back()
    assert ui.sees(say("season.ask_start", race=2))
    title = say("season.grid", rule=rule, of="")
    assert ui.in_order(title, *({"trials": "213", "hand": "132"}[rule])), "the odd places stand above"


@pytest.mark.article("league", "start.grid")
def test_who_was_not_in_the_last_race_is_said_to_roll_for_the_grid(open_at: Any, folder: Path) -> None:
    run = league(folder, "monaco", "monaco")
    run("missing", "1", "3")
    run("result", "1", "--paper", "2 1")
    assert open_at("calendar").sees("Draw the grid?", "Who was not in the last race rolls for it")


@pytest.mark.article("league", "race.unfinished")
def test_who_is_said_to_be_out_on_paper_keeps_the_points_of_a_place(open_at: Any, folder: Path) -> None:
    """Typed from the sheet by touch, and put right afterwards."""
    begun(folder).close()
    ui = open_at("table_result", kind="season", table="6")
    assert ui.row("Dalton") == "40 Dalton 1"
    ui.tap("From paper")
    ui.tap("Is out")
    ui.audit()
    ui.tap("Enter")
    assert ui.row("Dalton", below="Finish") == "10 40 Dalton retired 1 1", "its own grid, not that of the race after it"
    assert [line.place for line in record(folder).results["6"].lines] == [*range(1, 11)]
    ui.tap("Differs")
    ui.tap("Is out")
    ui.step("Place", -1)
    ui.tap("Enter")
    ui.tap("Misread")
    lines = record(folder).results["6"].lines
    assert [line.place for line in lines] == [*range(1, 11)]
    assert (lines[7].driver, lines[7].cause) == (27, "retired")
    assert ui.row("Keller", below="Finish") == "8 27 Keller retired 2 4"


@pytest.mark.parametrize(("lang", "said"), [("en", "2 (corrected)"), ("fr", "2 (corrigé)")])
def test_standings_and_calendar_say_that_an_official_result_was_corrected(
    open_at: Any, folder: Path, lang: str, said: str
) -> None:
    begun(folder).close()
    first, *others = record(folder).results["2"].lines
    add(folder, ResultCorrected(race="2", lines=(replace(first, points=1), *others), why="misread"))
    ui = open_at("standings", lang)
    assert ui.sees(said)
    ui.audit()
    ui.app.go("calendar", race=2)
    ui.calm()
    assert ui.sees(say("season.overtaken", by="Duval")), "whoever confirmed it before"
    ui.tap(say("table.confirm"))
    assert ui.sees(say("table.overtaken", by="Duval"), say("table.ask_confirm"))
    ui.audit()


def test_a_race_that_is_off_and_a_grid_by_hand_are_told(panel: Rig, open_at: Any, folder: Path, language: str) -> None:
    begun(folder).close()
    order = tuple(number for number, *_ in DRIVERS)
    add(folder, Abandoned(race=8, why="the hall is taken"))
    add(folder, Gridded(race=6, order=order, rule="hand", why="draw on paper"))
    ui = open_at("calendar", language, race=8)
    off = say("season.ask_abandoned", race=8)
    assert ui.sees(off, "the hall is taken")
    ui.audit()
    ui.tap(say("season.revive"))
    assert ui.sees(say("season.ask_revive", race=8))
    ui.audit()
    ui.tap(say("season.revive_reason.date"))
    assert ui.sees(say("season.undo.revived"))
    assert not ui.sees(off)
    ui.tap("6")
    assert ui.sees(say("season.grid", rule="hand", of=""))


@pytest.mark.article("league", "start.grid")
def test_a_grid_drawn_before_another_race_is_run_is_told_no_more(folder: Path) -> None:
    order = tuple(number for number, *_ in DRIVERS)
    with begun(folder, 0) as desk:
        desk.act(Gridded(race=2, order=order, rule="random"), by="Weber")
        assert calendar(desk.record, Words("en"), 2).panel.grid_title == "Grid: drawn"
        desk.act(Result(race="1", lines=tuple(ResultLine(n, place) for place, n in enumerate(order, 1))), by="Weber")
        panel = calendar(desk.record, Words("en"), 2).panel
    assert (panel.grid_title, [one.number for one in panel.grid]) == ("Grid: reverse of Melbourne", [*order[::-1]])


@pytest.mark.parametrize("name", ["standings", "calendar", "driver"])
def test_without_a_season_there_is_one_sentence(open_at: Any, name: str) -> None:
    assert open_at(name).sees("No season yet", "New season")


def test_home_tells_where_the_season_stands_and_leads_there(ui: Ui, folder: Path) -> None:
    begun(folder).close()
    ui.app.home()
    ui.wait_for("A season Thursday League Race 6 of 8, 6 Jun")
    assert ui.sees("A tournament New tournament Needs entrants and a circuit")
    bars = [ui.rig.colour(560 + 28 * at, 383) for at in range(8)]
    assert bars == [theme.hex("ok")] * 5 + [theme.hex("bg4")] * 3, "a bar for each race, filled once it is run"
    ui.tap("A season")
    assert ui.sees("Thursday League, race 6 of 8", "Start race 6?")
    ui.back()
    ui.tap("A tournament")
    assert ui.sees("New tournament")


@pytest.mark.parametrize(("size", "lang"), [(0, "fr"), (1, "en")])
def test_luck_and_driving_of_a_driver_are_worked_out_by_a_tap(
    rig: Rig, open_at: Any, folder: Path, size: int, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the races whose logs are here, one after the other; the others have a dash."""
    rig.window(*PANELS[size])
    log_id = raced(folder, "monaco", "spa")
    driven = [CarAnalysis(n, "", n, "finished", 9.0, 9.4, luck, mistakes, 3, 9, ())
              for n, luck, mistakes in ((1, -0.6, 1.1), (2, 1.5, 0.4))]  # fmt: skip
    found = Analysis("race", "spa", "competition", 9, tuple(driven), (), ())
    begun: list[str] = []
    monkeypatch.setattr(Analysing, "begin", lambda _self, _folder, race, _entries: begun.append(race))
    monkeypatch.setattr(Analysing, "result", lambda _self, _race, _entries: found if begun else None)
    ui = open_at("driver", lang, number=1)
    assert ui.sees(say("season.best"))
    assert begun == [], "only when somebody wants it"
    ui.tap(icon="die")
    assert begun == [log_id]
    ui.app.analysing.on_news()
    ui.calm()
    luck, driving = ("−0.6", "−1.1") if lang == "en" else ("−0,6", "−1,1")
    assert {luck, driving} <= set(ui.row("Monaco").split())
    assert ui.text().count(luck) == ui.text().count(driving) == 2, "in one race, and on the whole"
    ui.audit()


@pytest.mark.parametrize(("size", "lang"), [(0, "fr"), (1, "en")])
def test_a_race_that_is_run_has_its_sheet_and_its_analysis(
    rig: Rig, open_at: Any, folder: Path, size: int, lang: str
) -> None:
    """Where its log is: of one that was typed from paper there are none."""
    rig.window(*PANELS[size])
    log_id = raced(folder, "monaco", "monaco")
    ui = open_at("calendar", lang, race=2)
    assert not ui.offers(say("season.sheet"))
    for name, title in (("sheet", "race 3"), ("analysis", say("analysis.title"))):
        ui.tap("1")
        ui.audit()
        ui.tap(say(f"season.{name}"))
        assert ui.sees(title)
        assert ui.app.visits[-1].given["race"] == log_id
        ui.back()


def test_of_a_race_on_a_corner_sheet_luck_and_driving_are_not_worked_out(open_at: Any, folder: Path) -> None:
    """Nobody can tell one from the other there, and it is said so at once."""
    raced(folder, "spa")
    ui = open_at("driver", number=1)
    ui.tap(icon="die")
    assert ui.sees(say("analysis.unweighed"))


def test_the_longest_name_of_a_circuit_is_whole_on_its_tile(open_at: Any, folder: Path, language: str) -> None:
    longest = max(keys(), key=lambda key: len(circuit_name(key)))
    run = league(folder, longest, longest, "monaco", "--laps", "1", names=())
    for name in ("Ada", "Ben", "Cy"):
        run("enter", name, "--home", longest)
    run("result", "1", "--paper", "2 1 3")
    ui = open_at("calendar", language)
    ui.audit()
    assert ui.sees(circuit_name(longest))
    assert not ui.sees("…")


def test_a_result_of_nobody_is_not_typed_from_paper(open_at: Any, folder: Path, language: str) -> None:
    """A season whose drivers were not entered yet: the key says so."""
    league(folder, "monaco", names=())
    ui = open_at("table_result", language, kind="season", table="1")
    assert not ui.offers(say("table.from_paper"))
    assert ui.sees(say("entrants.none"))
    ui.audit()
    ui.tap(say("table.start"))
    assert ui.sees("enter the drivers first" if language == "en" else "inscrivez d’abord")


@pytest.mark.parametrize("many", [16, 17, 40])
def test_a_grid_of_many_shows_as_many_plates_as_have_room(open_at: Any, folder: Path, many: int) -> None:
    numbers = tuple(range(1, many + 1))
    begin_season(folder, SeasonBegun("League", (Stage("monaco"),), drivers=0, team=0, races=0), by="Weber").close()
    add(folder, Entered(entrants=tuple(Entrant(number, f"D{number}") for number in numbers)))
    add(folder, Gridded(race=1, order=numbers, rule="hand", why="paper"))
    ui = open_at("calendar")
    ui.audit()
    assert [text for text in ui.lines() if text.startswith("+")] == ([f"+{many - 15}"] if many > 16 else [])


def test_every_cause_has_room_or_is_cut(open_at: Any, folder: Path, language: str) -> None:
    begun(folder).close()
    ui = open_at("table_result", language, kind="season", table="6")
    ui.tap(say("table.from_paper"))
    ui.tap(say("table.is_out"))
    seen = ""
    while (cause := ui.value(say("table.step_cause"))) != seen:
        ui.audit()
        seen = cause
        ui.tap(icon="plus", beside=say("table.step_cause"))
    assert seen
