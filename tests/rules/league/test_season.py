"""What a season comes to: points, countback, teams."""

from __future__ import annotations

import pytest

from companion.rules.conversation.errors import BadSetup
from companion.rules.league.season import Season, Standing
from companion.rules.league.state import LeagueFigures

TEAMS = {"Ada": "Nord", "Björk": "Nord", "Çağla": "Süd", "Dario": "Süd"}
SCALE = LeagueFigures(points=(10, 6, 3, 1))


def season(*races: str, teams: dict[str, str] | None = None, figures: LeagueFigures = SCALE) -> Season:
    """Races as the first letters of their classification."""
    found = Season(teams or TEAMS, figures)
    for race in races:
        found.race([next(name for name in found.racers if name[0] == letter) for letter in race])
    return found


def lines(standings: list[Standing]) -> list[tuple[int, str, int]]:
    return [(line.place, line.name, line.points) for line in standings]


@pytest.mark.article("league", "season.points")
def test_each_place_has_its_points() -> None:
    """The usual scale; beyond the end of a scale there is nothing."""
    usual = Season(TEAMS)
    assert [usual.points(place) for place in range(1, 12)] == [10, 8, 6, 5, 4, 3, 2, 1, 0, 0, 0]
    assert [season().points(place) for place in (1, 4, 5)] == [10, 1, 0]


@pytest.mark.article("league", "season.drivers", "season.points")
def test_most_points_are_champion() -> None:
    """Two races: Ada 10 + 3, Björk 6 + 6, Çağla 3 + 10, Dario 1 + 1; Ada and Çağla have a win, a third place each and
    no second: they share the place [ruling 21]."""
    table = season("ABÇD", "ÇBAD").drivers()
    assert lines(table) == [(1, "Ada", 13), (1, "Çağla", 13), (3, "Björk", 12), (4, "Dario", 2)]
    assert table[2].taken == (0, 2, 0, 0)


@pytest.mark.article("league", "season.countback")
def test_level_points_are_told_apart_by_wins_then_seconds_then_thirds() -> None:
    """With 4, 2, 1, 0 points Björk's two second places are worth as much as one win, which counts more."""
    flat = LeagueFigures(points=(4, 2, 1, 0))
    table = season("ABÇD", "DBÇA", figures=flat).drivers()
    assert lines(table) == [(1, "Ada", 4), (1, "Dario", 4), (3, "Björk", 4), (4, "Çağla", 2)]
    seconds = LeagueFigures(points=(3, 2, 2, 1))
    told = season("ABÇD", "BÇAD", "DÇBA", figures=seconds).drivers()
    # Ada 3 + 2 + 1, Björk 2 + 3 + 2, Çağla 2 + 2 + 2, Dario 1 + 1 + 3
    assert lines(told) == [(1, "Björk", 7), (2, "Ada", 6), (3, "Çağla", 6), (4, "Dario", 5)]


@pytest.mark.article("league", "season.teams", "season.countback")
def test_teams_of_two_add_up_and_are_told_apart_likewise() -> None:
    """Nord 10 + 6 and 3 + 1, Süd 3 + 1 and 10 + 6: level in all. A lone racer makes no team."""
    assert lines(season("ABÇD", "ÇDAB").teams()) == [(1, "Nord", 20), (1, "Süd", 20)]
    assert lines(season("ABÇD", "ADÇB").teams()) == [(1, "Nord", 27), (2, "Süd", 13)]
    even = LeagueFigures(points=(5, 5, 4, 4))
    won = season("ABÇD", "ÇDAB", "AÇDB", figures=even)  # Nord 10 + 8 + 9, Süd 8 + 10 + 9; two wins to one
    assert lines(won.teams()) == [(1, "Nord", 27), (2, "Süd", 27)]
    assert lines(season("AB", teams={"Ada": "", "Björk": ""}).teams()) == []


@pytest.mark.article("league", "season.drivers")
def test_who_missed_a_race_has_no_place_in_it() -> None:
    assert lines(season("AB", "ÇABD").drivers())[0] == (1, "Ada", 16)


@pytest.mark.article("league", "season.races", "season.teams", "season.drivers")
def test_what_is_no_season_is_refused() -> None:
    full = season(*["ABÇD"] * 8)
    with pytest.raises(BadSetup, match="8 races; they have all been run"):
        full.race(["Ada"])
    assert len(full.results) == 8
    for names, match in ((["Eve"], "Eve is no racer"), (["Ada", "Ada"], "Ada is classified twice")):
        with pytest.raises(BadSetup, match=match):
            season().race(names)
    with pytest.raises(BadSetup, match="has 2 racers; Nord has 1"):
        Season({"Ada": "Nord"})
    with pytest.raises(BadSetup, match="has 2 racers; Nord has 3"):
        Season({**TEAMS, "Eve": "Nord"})
    with pytest.raises(BadSetup, match="10 racers; 11 are too many"):
        Season({f"D{n}": "" for n in range(11)})
