"""A season by its acts: points, countback, teams, grids, dropped results, races moved and abandoned."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion import circuits
from companion.desk.organising import begin_season, draw_grid
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadEntry
from companion.rules.league import League
from companion.rules.rulebooks import begin
from companion.tournament.entrants import Changed, Entered, Entrant, Withdrawn
from companion.tournament.record import Act, Signed
from companion.tournament.results import Confirmed, Result, ResultCorrected
from companion.tournament.season import (
    Abandoned,
    Gridded,
    GridRule,
    Missed,
    Postponed,
    Revived,
    Season,
    SeasonBegun,
    Stage,
    Substituted,
)
from companion.tournament.standings import StandingsLine, mark_dropped, points_of
from companion.tournament.statistics import HeldRace, TrialLap, circuit_records, statistics
from companion.tournament.times import AbsoluteTime
from companion.view.events.arranging import arranging
from companion.view.events.calendar import calendar
from companion.view.events.driver import driver
from companion.view.events.listings import Listings
from companion.view.events.table_result import consequences
from companion.wording import Words
from tests.tournament.acting import act, on_paper, season

SCALE = (10, 6, 3, 1)


def run(record: Season, *races: str, out: str = "") -> Season:
    """Races as the letters of their classification; those in `out` are not placed."""
    names = {name: number for number, name in record.names.items()}
    for race in races:
        coming = record.next_race()
        assert coming is not None
        order = [names[letter] for letter in race if letter not in out]
        lines = on_paper(order, [(names[letter], "engine") for letter in race if letter in out])
        act(record, Result(race=str(coming.number), lines=lines))
    return record


def lines(record: Season, standings: list[StandingsLine]) -> list[tuple[int, str, int]]:
    return [(line.place, record.names.get(line.who, str(line.who)), line.points) for line in standings]  # type: ignore[call-overload]


def refused(record: Season, wrong: Act, match: str, by: str = "Ada") -> None:
    with pytest.raises(BadEntry, match=match):
        act(Season.of(record.log), wrong, by)


@pytest.mark.article("league", "season.points")
def test_each_place_has_its_points() -> None:
    """The usual scale; beyond its end, and out, there is nothing."""
    usual = SeasonBegun(name="x", calendar=()).points
    assert [points_of(place, usual) for place in range(1, 12)] == [10, 8, 6, 5, 4, 3, 2, 1, 0, 0, 0]
    record = run(season(points=SCALE), "ABCD", out="D")
    assert lines(record, record.standings()) == [(1, "A", 10), (2, "B", 6), (3, "C", 3), (4, "D", 0)]


@pytest.mark.article("league", "season.drivers", "season.points")
def test_most_points_are_champion() -> None:
    """Two races: A 10 + 3, B 6 + 6, C 3 + 10, D 1 + 1; A and C have a win and a third place each and share the place
    [ruling 21]."""
    record = run(season(points=SCALE), "ABCD", "CBAD")
    table = record.standings()
    assert lines(record, table) == [(1, "A", 13), (1, "C", 13), (3, "B", 12), (4, "D", 2)]
    assert table[2].taken == (0, 2, 0, 0)


@pytest.mark.article("league", "season.countback")
def test_level_points_are_told_apart_by_wins_then_seconds_then_thirds() -> None:
    """With 4, 2, 1, 0 points two second places are worth as much as one win, which counts more."""
    record = run(season(points=(4, 2, 1, 0)), "ABCD", "DBCA")
    assert lines(record, record.standings()) == [(1, "A", 4), (1, "D", 4), (3, "B", 4), (4, "C", 2)]
    assert [line.decides for line in record.standings()] == [0, 1, 0, 0]
    record = run(season(points=(3, 2, 2, 1)), "ABCD", "BCAD", "DCBA")
    assert lines(record, record.standings()) == [(1, "B", 7), (2, "A", 6), (3, "C", 6), (4, "D", 5)]


@pytest.mark.article("league", "season.teams", "season.countback")
def test_teams_add_up_and_are_told_apart_likewise() -> None:
    for races, points, expected in (
        (("ABCD", "CDAB"), SCALE, [(1, "N", 20), (1, "S", 20)]),
        (("ABCD", "ADCB"), SCALE, [(1, "N", 27), (2, "S", 13)]),
        (("ABCD", "CDAB", "ACDB"), (5, 5, 4, 4), [(1, "N", 27), (2, "S", 27)]),
    ):
        record = run(season(teams="NNSS", points=points), *races)
        assert lines(record, record.team_standings()) == expected


@pytest.mark.article("league", "season.races", "season.teams", "season.drivers")
def test_what_is_no_season_is_refused() -> None:
    with pytest.raises(BadEntry, match="1 to 8 races; 9 are"):
        season(races=9)
    with pytest.raises(BadEntry, match="1 to 8 races; 0 are"):
        season(races=0)
    with pytest.raises(BadEntry, match="has 2 drivers; N would have 3"):
        season(teams="NNNS")
    with pytest.raises(BadEntry, match="at most 10 drivers; 11"):
        season("ABCDEFGHIJK")
    with pytest.raises(BadEntry, match="results can count"):
        season(best=9)
    record = run(season(races=2), "ABCD", "ABCD")
    assert record.next_race() is None
    refused(record, Result(race="3", lines=on_paper((1, 2, 3, 4))), "There is no race 3")
    refused(record, Entered(entrants=tuple(Entrant(n, f"X{n}") for n in range(5, 12))), "at most 10 drivers")


@pytest.mark.article("league", "start.grid")
def test_a_race_without_a_driver_has_no_grid_and_does_not_begin() -> None:
    record = Season.of([Signed(1, "Ada", "", SeasonBegun(name="Cup", calendar=(Stage("monaco"),)))])
    refused(record, Gridded(race=1, order=(), rule="random"), "Nobody drives in race 1 yet; enter the drivers first")
    with pytest.raises(BadEntry, match="Nobody drives in race 1 yet"):
        record.setup(1)


@pytest.mark.article("league", "season.drivers", "season.teams", "season.points")
def test_a_race_is_run_by_the_sizes_and_for_the_points_of_its_season() -> None:
    """Where these are any number, as many as the figures allow; what the calendar says besides stays."""
    points = (12, 9, 7)
    record = season("ABCDEFGHIJKL", teams="NNNSSSEEEWWW", drivers=12, team=3, points=points)
    act(record, Postponed(race=1, track="monza", why="more grid slots"))
    figures = begin(record.setup(1), circuits.load("monza")).figures
    assert (figures.racers, figures.team_racers, figures.points) == (12, 3, points)  # type: ignore[union-attr]
    for drivers, team, racers, team_racers in ((0, 0, 20, 10), (20, 10, 20, 10), (21, 11, 20, 10), (1, 1, 2, 1)):
        options = season("A", drivers=drivers, team=team).setup(1)["options"]
        assert (options["racers"], options.get("team_racers")) == (racers, team_racers)
    usual = season(points=(10, 8, 6, 5, 4, 3, 2, 1, 0, 0))
    assert "options" not in usual.setup(1)
    written = season(drivers=12, points=points, options={"racers": 14, "points": [9, 1]})
    assert written.setup(1)["options"] == {"racers": 14, "points": [9, 1]}


@pytest.mark.article("competition", "21-1-2")
@pytest.mark.parametrize("rulebook", ["competition", "cup", "death", "ninety"])
def test_every_rulebook_races_for_the_points_of_the_season(rulebook: str) -> None:
    track = "saltmarsh" if rulebook == "ninety" else "monaco"
    record = act(
        Season(), SeasonBegun(name="x", calendar=(Stage(track),), rulebook=rulebook, points=(999, 25), drivers=12)
    )
    act(record, Entered(entrants=(Entrant(1, "A"), Entrant(2, "B"))))
    act(record, Gridded(race=1, order=(2, 1), rule="random"))
    assert record.setup(1)["options"] == {"points": [999, 25]}
    assert begin(record.setup(1), circuits.board(track)).figures.points == (999, 25)


@pytest.mark.article("league", "start.grid")
def test_grids_are_drawn_and_then_the_last_classification_upside_down() -> None:
    record = season()
    assert (record.rule(1), record.grid(1)) == ("random", None)
    assert "grid" not in record.setup(1)
    assert "last" not in record.setup(1)
    run(record, "CABD", out="D")
    assert (record.rule(2), record.grid(2)) == ("reverse", [4, 2, 1, 3])
    assert record.setup(2)["grid"] == [4, 2, 1, 3]
    act(record, Entered(entrants=(Entrant(5, "E"), Entrant(6, "F"))))
    assert record.grid(2) is None
    assert record.setup(2)["last"] == [3, 1, 2, 4]  # the league's race lets the others roll
    assert record.reversed_grid(2, {"5": 3, "6": 17}) == [4, 2, 1, 3, 6, 5]


@pytest.mark.article("league", "start.grid")
def test_a_race_settles_its_grid_only_where_it_is_drawn_or_turned_round() -> None:
    """Grids from trials and by hand are there before a race starts; a drawn one goes by no race before."""
    rules: tuple[GridRule, ...] = ("trials", "hand")
    for rule in rules:
        record = season(grid=rule)
        with pytest.raises(BadEntry, match="Race 1 has no grid yet"):
            record.setup(1)
        run(record, "CABD")
        with pytest.raises(BadEntry, match="Race 2 has no grid yet; draw it, or set it by hand"):
            record.setup(2)
        act(record, Gridded(race=2, order=(4, 1, 3, 2), rule=rule))
        assert (record.setup(2)["grid"], "last" in record.setup(2)) == ([4, 1, 3, 2], False)
    record = run(season(grid="random"), "CABD")
    assert (record.rule(2), record.grid(2)) == ("random", None)
    assert {"grid", "last"} & set(record.setup(2)) == set()
    book = begin(record.setup(2), circuits.load("monaco"))
    assert isinstance(book, League)
    asked = Conversation(book).asked
    assert asked is not None
    assert (asked.article, book.race.grid) == ("start.grid", []), "everybody rolls for his place"


@pytest.mark.article("league", "start.grid")
def test_the_first_race_of_a_season_by_hand_is_drawn_or_set() -> None:
    """By chance it is drawn, as everywhere; by hand is that season's own way. From the second race on a draw is for a
    reason, and one that nobody gave a reason for was for the first."""
    record = season(grid="hand")
    assert (record.rule(1), record.grid(1), arranging(record, Words("en"), 1).by_hand) == ("random", None, True)
    refused(record, Gridded(race=1, order=(3, 1, 2, 4), rule="trials"), "needs a reason")
    act(Season.of(record.log), Gridded(race=1, order=(3, 1, 2, 4), rule="hand"))
    for race in (1, 2):
        act(record, Gridded(race=race, order=(3, 1, 2, 4), rule="random"))
    assert record.setup(1)["grid"] == [3, 1, 2, 4]
    run(record, "ABCD")
    assert (record.rule(2), record.grid(2)) == ("hand", None)
    refused(record, Gridded(race=2, order=(3, 1, 2, 4), rule="random"), "needs a reason")
    refused(season(grid="trials"), Gridded(race=1, order=(3, 1, 2, 4), rule="random"), "needs a reason")


def test_another_grid_takes_a_reason() -> None:
    record = run(season(), "CABD")
    refused(record, Gridded(race=2, order=(1, 2, 3, 4), rule="hand"), "needs a reason")
    refused(record, Gridded(race=2, order=(1, 2, 3, 3), rule="hand", why="x"), "every driver of the race once")
    refused(record, Gridded(race=2, order=(1, 2, 3, 4), rule="reverse"), "not the last classification upside down")
    refused(record, Gridded(race=1, order=(1, 2, 3, 4), rule="random"), "has its result already")
    act(record, Gridded(race=2, order=(1, 2, 3, 4), rule="hand", why="by trials on Sunday"))
    assert record.setup(2)["grid"] == [1, 2, 3, 4]


def test_the_grid_follows_the_race_run_last_and_a_correction_says_so() -> None:
    record = season()
    act(record, Postponed(race=1, date="20 July", why="rain"))
    act(record, Result(race="2", lines=on_paper((1, 2, 3, 4))))
    assert record.grid(1) == [4, 3, 2, 1]
    act(record, Result(race="1", lines=on_paper((4, 3, 2, 1))))
    assert record.last_run() == "1"
    assert record.grid(3) == [1, 2, 3, 4]
    right = ResultCorrected(race="1", lines=on_paper((3, 4, 2, 1)), why="misread")
    assert record.turns_grid(right)
    assert not record.turns_grid(ResultCorrected(race="2", lines=on_paper((2, 1, 3, 4)), why="misread"))
    act(record, right, "Bob")
    assert record.grid(3) == [1, 2, 4, 3]


DRAWS: tuple[tuple[tuple[int, ...], dict[str, int], str], ...] = (
    ((3, 1, 2, 4), {"1": 10, "2": 9, "3": 11, "4": 21}, "shows 1 to 20; 21 is not on it"),
    ((3, 1, 2, 4), {"1": 10, "2": 9, "3": 11, "4": 0}, "shows 1 to 20; 0 is not on it"),
    ((3, 1, 2, 4), {"1": 10, "2": 9, "3": 11}, "Number 4 has not rolled"),
    ((3, 1, 2, 4), {"1": 10, "2": 9, "3": 11, "4": 9}, "Numbers 2 and 4 have both rolled 9"),
    ((1, 2, 3, 4), {"1": 1, "2": 9, "3": 11, "4": 2}, "Number 2 has rolled 9 and stands behind one who rolled 1"),
)
"""Grids that were not drawn as the black die has it: the order, the faces, and why not."""


@pytest.mark.article("league", "start.grid")
@pytest.mark.parametrize(("order", "faces", "match"), DRAWS)
def test_a_draw_goes_by_the_black_die_and_level_ones_roll_again(
    order: tuple[int, ...], faces: dict[str, int], match: str, tmp_path: Path
) -> None:
    """In a season that was written before, all the same, it stays."""
    first = Gridded(race=1, order=order, rule="random", faces=faces)
    refused(season(), first, match)
    refused(season(grid="hand"), Gridded(race=1, order=order, rule="random", faces=faces, why="x"), match)
    assert Season.of([*season().log, Signed(3, "Ada", "", first)]).grid(1) == [*order]
    with begin_season(tmp_path, SeasonBegun(name="x", calendar=(Stage("monaco"),)), by="Ada") as desk:
        desk.act(Entered(entrants=tuple(Entrant(n, f"D{n}") for n in range(1, 5))), by="Ada")
        with pytest.raises(BadEntry, match=match):
            desk.act(first, by="Ada")
        assert len(desk.record.log) == 2
        desk.act(draw_grid(desk, 1, Random(1)), by="Ada")
        assert desk.record.grid(1) is not None


@pytest.mark.article("league", "start.grid")
def test_whoever_stands_behind_a_grid_turned_round_has_rolled_for_it() -> None:
    """Who was in the race run last rolls for nothing, whatever his die shows."""
    record = run(season(), "ABCD")
    act(record, Entered(entrants=(Entrant(5, "E"), Entrant(6, "F"))))
    for faces, match in (({"5": 7, "6": 7}, "5 and 6 have both rolled 7"), ({"5": 99, "6": 1}, "99 is not on it"),
                         ({"5": 8}, "Number 6 has not rolled")):  # fmt: skip
        refused(record, Gridded(race=2, order=(4, 3, 2, 1, 5, 6), rule="reverse", faces=faces), match)
    faces = {"1": 3, "2": 3, "3": 0, "5": 1, "6": 20}
    refused(record, Gridded(race=2, order=(4, 3, 2, 1, 5, 6), rule="reverse", faces=faces), "6 has rolled 20")
    act(record, Gridded(race=2, order=(4, 3, 2, 1, 6, 5), rule="reverse", faces=faces))
    act(record, Gridded(race=3, order=(1, 2, 3, 4, 5, 6), rule="hand", faces={"1": 99}, why="by hand"))


def test_more_drivers_than_the_die_has_faces_are_drawn_by_lot(tmp_path: Path) -> None:
    begun = SeasonBegun(name="x", calendar=(Stage("monaco"),), drivers=0)
    with begin_season(tmp_path, begun, by="Ada") as desk:
        desk.act(Entered(entrants=tuple(Entrant(n, f"D{n}") for n in range(1, 26))), by="Ada")
        drawn = draw_grid(desk, 1, Random(1))
        desk.act(drawn, by="Ada")
        assert desk.record.grid(1) == [*drawn.order]
        assert max(drawn.faces.values()) == 25


@pytest.mark.article("league", "start.grid")
def test_a_grid_settled_early_holds_until_another_race_is_run() -> None:
    """By the rule it goes by the race run last, or by there being none; for a reason it stays."""
    record = season(races=5)
    act(record, Gridded(race=2, order=(3, 1, 2, 4), rule="random", faces={"1": 10, "2": 9, "3": 11, "4": 2}))
    act(record, Gridded(race=3, order=(2, 1, 3, 4), rule="random", why="the club's evening"))
    assert (record.grid(2), record.grid(3)) == ([3, 1, 2, 4], [2, 1, 3, 4])
    run(record, "ABCD")
    assert (record.grid(2), record.grid(3)) == ([4, 3, 2, 1], [2, 1, 3, 4])
    act(record, Gridded(race=2, order=(4, 3, 2, 1), rule="reverse"))
    act(record, Gridded(race=4, order=(4, 3, 2, 1), rule="reverse"))
    act(record, Gridded(race=5, order=(1, 2, 3, 4), rule="hand", why="by number"))
    right = ResultCorrected(race="1", lines=on_paper((2, 1, 3, 4)), why="misread")
    assert (record.turns_grid(right), record.leaves_grid(right)) == (False, True)
    assert not record.leaves_grid(ResultCorrected(race="1", lines=on_paper((1, 2, 3), [(4, "engine")]), why="misread"))
    said = consequences(record, right, Words("en"))
    start = "{one} 1st → 2nd, {other} 2nd → 1st. Standings: "
    names = {"one": record.names[1], "other": record.names[2]}
    assert said.startswith(start.format(**names)), said
    assert consequences(record, right, Words("fr")).startswith("{one} 1er → 2e, {other} 2e → 1er. ".format(**names))
    assert said.endswith("The grid of the next race was already settled, and stays.")
    act(record, right)
    assert (record.grid(2), record.grid(4)) == ([4, 3, 2, 1], [4, 3, 2, 1]), "a correction turns no settled grid"
    run(record, "DCAB")
    assert (record.grid(4), record.grid(5)) == ([2, 1, 3, 4], [1, 2, 3, 4])
    act(record, Abandoned(race=3, why="rain"))
    right = ResultCorrected(race="2", lines=on_paper((1, 2, 3, 4)), why="misread")
    assert (record.turns_grid(right), record.leaves_grid(right)) == (True, False)


@pytest.mark.article("league", "start.grid")
@pytest.mark.parametrize("rule", ["random", "trials", "hand"])
def test_a_grid_that_follows_no_race_holds_whatever_is_run(rule: GridRule) -> None:
    record = season(grid=rule)
    act(record, Gridded(race=2, order=(3, 1, 2, 4), rule=rule))
    act(record, Gridded(race=3, order=(2, 1, 3, 4), rule=rule))
    run(record, "ABCD")
    assert (record.grid(2), record.grid(3)) == ([3, 1, 2, 4], [2, 1, 3, 4])


def test_a_race_moved_or_abandoned() -> None:
    record = run(season(races=3), "ABCD")
    refused(record, Abandoned(race=2), "needs a reason")
    refused(record, Postponed(race=2, why="rain"), "say which")
    act(record, Postponed(race=2, track="monza", why="no board"))
    assert (record.race(2).stage.track, record.race(2).postponed) == ("monza", True)
    act(record, Abandoned(race=2, why="the board fell"))
    assert record.race(2).state == "abandoned"
    coming = record.next_race()
    assert coming is not None
    assert coming.number == 3
    for wrong in (Result(race="2", lines=on_paper((1, 2, 3, 4))), Postponed(race=2, date="x", why="y")):
        refused(record, wrong, "was abandoned")


def test_a_race_that_was_abandoned_is_run_after_all_whatever_was_done_since() -> None:
    record = run(season(races=3), "ABCD")
    act(record, Abandoned(race=2, why="the board fell"))
    refused(record, Revived(race=3, why="x"), "Race 3 was not abandoned")
    refused(record, Revived(race=1, why="x"), "Race 1 was not abandoned")
    act(record, Result(race="3", lines=on_paper((4, 1, 2, 3))))
    act(record, Confirmed(race="3"), by="Eve")
    refused(record, Revived(race=2), "needs a reason")
    act(record, Revived(race=2, why="the hall is free in May"))
    assert (record.race(2).state, record.race(2).why) == ("to_come", "")
    coming = record.next_race()
    assert coming is not None
    assert coming.number == 2
    assert record.grid(2) == [3, 2, 1, 4], "the race run last turned round"
    act(record, Result(race="2", lines=on_paper((1, 2, 3, 4))))
    assert [score.race for score in record.scores(1)] == ["1", "2", "3"]
    refused(record, Revived(race=2, why="again"), "was not abandoned")


def test_dropped_results_count_no_points_but_places() -> None:
    record = run(season(races=3, points=SCALE, best=2), "ABCD", "ABCD", "DABC")
    line = next(line for line in record.standings() if line.who == 1)
    assert (line.points, [score.dropped for score in line.scores]) == (20, [False, False, True])
    assert line.taken == (2, 1, 0, 0)
    assert mark_dropped(line.scores, 1)[1].dropped


@pytest.mark.article("league", "tyres.home")
def test_the_calendar_tells_who_is_at_home_and_how_many_cars_race() -> None:
    """Neither who misses the race is at home there nor whose car another drives; the cars are those of the grid."""
    record = season(races=2)
    act(record, Changed(number=2, entrant=Entrant(2, "B", "", ("monaco",))))
    assert [plate.number for plate, _ in next(calendar(record, Words("en")).races.by_key())["home"].cars] == [1, 2]
    act(record, Missed(race=1, number=1))
    shown = calendar(record, Words("en"))
    assert (shown.panel.laps, [name for _, name in shown.panel.home]) == ("2 laps, 3 cars", ["B"])
    act(record, Substituted(race=1, number=2, driver="Zoe"))
    act(record, Gridded(race=1, order=(2, 3, 4), rule="random"))
    shown = calendar(record, Words("en"))
    assert (shown.panel.laps, shown.cars, shown.panel.home) == ("2 laps, 3 cars", 3, ())
    assert next(shown.races.by_key())["home"].cars == ()
    assert Listings(record, Words("en")).make("calendar").texts[0][4] == ""
    act(record, Result(race="1", lines=on_paper((2, 4, 3))))
    act(record, Withdrawn(number=3, why="moved away"))
    assert calendar(record, Words("en"), 1).panel.laps == "2 laps, 3 cars", "he was in it"


def test_substitutes_and_who_misses_a_race() -> None:
    record = season(teams="NNSS", points=SCALE)
    act(record, Substituted(race=1, number=2, driver="Zoe"))
    act(record, Missed(race=1, number=3))
    assert [car["driver"] for car in record.setup(1)["cars"]] == ["A", "Zoe", "D"]
    assert [car.get("home") for car in record.setup(1)["cars"]] == [True, None, None]
    refused(record, Substituted(race=1, number=2, driver="a"), "drives in this race already")
    refused(record, Result(race="1", lines=on_paper((2, 1, 3))), "C .number 3. did not race here")
    act(record, Result(race="1", lines=on_paper((2, 1), [(4, "engine")])))
    assert lines(record, record.standings())[0] == (1, "B", 10)
    assert record.reversed_grid(2, {"3": 5}) == [4, 1, 2, 3]
    act(record, Withdrawn(number=4, why="moved away"))
    assert record.reversed_grid(2, {"3": 5}) == [1, 2, 3]


@pytest.mark.article("league", "race.two-laps", "season.points")
def test_who_goes_after_his_race_keeps_its_points() -> None:
    record = season()
    act(record, Missed(race=1, number=2))
    for number in (2, 3):
        act(record, Withdrawn(number=number, why="moves away"))
    refused(record, Result(race="1", lines=on_paper((2, 1, 4))), "B .number 2. did not race here")
    refused(Season.of(record.log[:1]), Result(race="1", lines=()), "There is nobody in this result of 1; nobody races")
    act(record, Result(race="1", lines=on_paper((3, 1, 4))))
    act(record, Result(race="2", lines=on_paper((4, 1))))
    assert [(line.who, line.points) for line in record.standings()] == [(4, 16), (1, 16), (3, 10), (2, 0)]


@pytest.mark.article("league", "season.points", "season.races")
def test_the_sheet_of_a_driver_adds_up_what_counts() -> None:
    record = season("ABC", best=2)
    for order in ((1, 2, 3), (2, 1, 3), (3, 2, 1)):
        act(record, Result(race=str(len(record.results.filed) + 1), lines=on_paper(order)))
    sheet = Listings(record, Words("en")).make("driver", "1")
    assert [row[4] for row in sheet.texts] == ["10", "8", "(6)"]
    assert sheet.notes == ("3 races, 1 win, 3 podiums, 18 points, out 0 times.", "Not official yet: 1, 2, 3.")
    shown = driver(record, Words("en"), 1)
    assert ([row.points for row in shown.rows], shown.figures[2].value) == (["10", "8", "(6)"], "18")


def test_a_driver_s_races_stand_in_their_order_not_in_that_of_their_results() -> None:
    record = season("AB")
    for race in ("2", "1"):
        act(record, Result(race=race, lines=on_paper((1, 2))))
    sheet = Listings(record, Words("en")).make("driver", "2")
    shown = driver(record, Words("en"), 2)
    assert [row[0] for row in sheet.texts] == [row.race for row in shown.rows] == ["1", "2"]


def test_who_confirms_is_another_person() -> None:
    record = run(season(), "ABCD")
    refused(record, Confirmed(race="1"), "a second person confirms")
    act(record, Confirmed(race="1"), "Bob")


def test_statistics_of_a_driver_and_records_of_a_circuit() -> None:
    record = run(season(points=SCALE), "ABCD", "BCDA", "BCDA", out="A")
    found = statistics(2, record.results.filed, lambda _: SCALE)
    assert (found.wins, found.podiums, found.points, found.best, found.analysed) == (3, 3, 30, 1, 0)
    assert [retired.cause for retired in statistics(1, record.results.filed, lambda _: SCALE).retirements] == [
        "engine"
    ] * 3
    held = [HeldRace("monaco", f"race {n}", who, grid, seconds) for n, who, grid, seconds in (
        (1, "A", 1, 900), (2, "B", 3, 700), (3, "B", 1, 0), (4, None, 0, 0),
    )]  # fmt: skip
    laps = [TrialLap("monaco", who, AbsoluteTime(throws, 7000), "Friday") for who, throws in (("A", 19), ("B", 17))]
    (circuit,) = circuit_records(held, laps)
    assert circuit[1:7] == (4, "B", 2, 2, 700, "race 2")
    assert circuit.best == laps[1]


def test_a_calendar_names_rulebook_laps_and_figures() -> None:
    record = act(
        Season(),
        SeasonBegun(
            name="Mixed", rulebook="competition", options={"points": [9]},
            calendar=(Stage("monaco", laps=2), Stage("spa", rulebook="cup", options={"kers": 1})),
        ),
    )  # fmt: skip
    act(record, Entered(entrants=(Entrant(1, "A"), Entrant(2, "B"))))
    refused(record, Result(race="x", lines=()), "There is no race x")
    with pytest.raises(BadEntry, match="has no grid yet"):
        record.setup(1)
    act(record, Gridded(race=1, order=(2, 1), rule="random"))
    said = record.setup(1)
    assert (said["laps"], said["rulebook"], [car["car"] for car in said["cars"]]) == (2, "competition", [2, 1])
    act(record, Result(race="1", lines=on_paper((1, 2))))
    assert record.setup(2)["options"] == {"points": [9], "kers": 1}
