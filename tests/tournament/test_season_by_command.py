"""A season of 8 races for 10 drivers in 5 teams by command: killed in the middle, and added up plainly once more."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from companion.commands.main import companion
from companion.desk.organising import begin_season
from companion.rules.conversation.errors import BadTrack
from companion.tournament import season
from companion.wording import Words
from tests.tournament.commanding import Commander, play, refused

TRACKS = ("monaco", "monza", "spa", "silverstone", "zandvoort", "suzuka", "hockenheim", "monaco")
POINTS = (10, 8, 6, 5, 4, 3, 2, 1, 0, 0)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Commander:
    """The season, with a race from its log, six on paper, one moved, one abandoned."""
    run = Commander(tmp_path_factory.mktemp("season"), "season")
    run("new", "Thursday League", *(f"{track}@{at} June" for at, track in enumerate(TRACKS, 1)), "--laps", "1")
    for n in range(1, 11):
        home = ["--home", "monaco"] if n == 3 else []
        run("enter", f"Driver {n}", "--team", f"Team {n % 5}", *home)
    return run


def standings(results: dict[int, list[int]]) -> list[tuple[int, int, int]]:
    """Place, number, points: plainly added up, and every tie told apart by the sorted list of places."""
    lines = []
    for n in range(1, 11):
        places = [result.index(n) for result in results.values()]
        points = sum(POINTS[place] for place in places)
        lines.append((-points, [-places.count(place) for place in range(10)], n))
    lines.sort()
    keys = [line[:2] for line in lines]
    return [(keys.index(line[:2]) + 1, line[2], -line[0]) for line in lines]


def table(run: Commander, kind: str) -> list[tuple[int, int, int]]:
    return [(row["place"], row["number"], row["points"]) for row in run.rows(kind)]  # type: ignore[misc]


def order(run: Commander, race: int) -> list[int]:
    return [int(str(row["number"])) for row in run.rows("classification", str(race))]


@pytest.mark.article("league", "season.races", "season.points", "season.drivers", "season.teams", "season.countback")
def test_a_season_from_the_first_grid_to_the_champion(run: Commander) -> None:
    rng = Random(8)
    # the first race has no grid yet: the league's race draws it; the result comes back by itself
    first = json.loads(run("setup", "1"))
    assert {"grid", "last"} & set(first) == set()
    assert [car["car"] for car in first["cars"] if car.get("home")] == [3]
    play(first, run.folder, 3)
    assert "1" in run("collect")
    assert run.rows("classification", "1")[0]["place"] == 1
    assert all(row["grid"] for row in run.rows("classification", "1"))
    refused(lambda: run("confirm", "1", by="program"), "a second person confirms")
    run("confirm", "1", by="Eve")
    assert json.loads(run("setup", "2"))["grid"] == order(run, 1)[::-1]

    # race 2 is moved, 3 is run before it: its grid follows from race 1, that of race 2 then from 3
    run("move", "2", "--date", "20 June", "--why", "rain")
    third = rng.sample(range(1, 11), 10)
    run("result", "3", "--paper", " ".join(map(str, third)), by="Ada")
    assert json.loads(run("setup", "2"))["grid"] == third[::-1]
    run("grid", "2", *map(str, range(1, 11)), "--why", "a new board, everybody by number")
    assert json.loads(run("setup", "2"))["grid"] == list(range(1, 11))

    # the rest is typed and killed in the middle
    lines = []
    for race in (2, 4, 5, 6, 8):
        paper = " ".join(map(str, rng.sample(range(1, 11), 10)))
        lines.append(["result", str(race), "--paper", paper])
        lines.append(["confirm", str(race)])
    at = 0
    while at < len(lines):
        ahead = [words if words[0] == "result" else ["note", "confirmed later"] for words in lines[at:]]
        heard = run.killed(ahead, rng)
        log = run.rows("log")
        done = sum(row["act"] in ("result", "note") for row in log) - 2
        assert done in (at + heard, at + heard + 1), "an acknowledged result is lost"
        at = done
    run("abandon", "7", "--why", "the board fell")
    for race in (2, 3, 4, 5, 6, 8):
        run("confirm", str(race), by="Eve")
    results = {race: order(run, race) for race in (1, 2, 3, 4, 5, 6, 8)}
    assert table(run, "standings") == standings(results)
    teams = {row["team"]: row["points"] for row in run.rows("teams")}
    points = {number: points for _, number, points in standings(results)}
    assert teams == {f"Team {t}": sum(points[n] for n in range(1, 11) if n % 5 == t) for t in range(5)}

    # a correction says whose place it changes, and that the next grid would change
    right = [results[8][1], results[8][0], *results[8][2:]]
    said = run("correct", "8", "--paper", " ".join(map(str, right)), "--why", "misread", by="Eve")
    assert f"{right[0]} Driver {right[0]}: 2 becomes 1." in said
    assert table(run, "standings") == standings({**results, 8: right})
    states = {row["race"]: row["state"] for row in run.rows("calendar")}
    assert states["7"] == "abandoned (the board fell)"
    assert states["2"] == "run"
    run("revive", "7", "--why", "another hall", by="Eve")
    assert {row["race"]: row["state"] for row in run.rows("calendar")}["7"] == "to come"
    assert "race on again" in run("log")
    driver = run("driver", str(order(run, 1)[0]))
    assert "7 races" in driver
    assert "Worn off in 1 race with a log" in driver
    assert "Monaco" in run("circuits")
    assert "chained" in run("verify")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_table_in_both_languages(run: Commander, lang: str) -> None:
    other = Commander(run.folder, "season", lang)
    for words in (["entries"], ["calendar"], ["standings"], ["teams"], ["driver", "3"], ["log"], ["circuits"],
                  ["table", "2"], ["form", "9"]):  # fmt: skip
        for form in ("text", "csv", "json", "html"):
            said = other(*words, "--form", form)
            assert "{" not in said or form in ("json", "html")
            assert "None" not in said
    assert ("Calendrier" if lang == "fr" else "Calendar") in other("calendar")


@pytest.mark.article("ninety", "track.map")
@pytest.mark.parametrize(
    ("lang", "turns", "tyres"), [("en", "12 turns", "tyres:"), ("fr", "12 coups", "pneus\N{NBSP}:")]
)
def test_a_season_of_cards_goes_over_turns(tmp_path: Path, lang: str, turns: str, tyres: str) -> None:
    run = Commander(tmp_path, "season", lang)
    new = "new", "Cards", "saltmarsh", "saltmarsh", "--rulebook", "ninety", "--laps"
    for laps in ("1", "61"):
        refused(partial(run, *new, laps), f"2 to 60 turns; {laps} is not")
    run(*new, "12")
    for n in (1, 2):
        run("enter", f"Driver {n}", "--number", str(n))
    run("grid", "1")
    assert turns in run("table", "1")
    play(json.loads(run("setup", "1")), run.folder, 3)
    run("collect")
    assert tyres not in run("driver", "1")


def test_what_is_refused_by_command(tmp_path: Path) -> None:
    run = Commander(tmp_path, "season")
    for most in ({"drivers": -3}, {"team": -1}):
        begun = season.SeasonBegun(name="X", calendar=(season.Stage("monaco"),), **most)
        refused(lambda begun=begun: begin_season(tmp_path, begun, by="ada"), "0 for any number; not -")
    refused(lambda: run("list"), "There is no season yet")
    refused(lambda: run("new", "X", "nowhere"), "nowhere")
    refused(lambda: run("new", "X", "saltmarsh"), "circuit of sections")
    refused(lambda: run("new", "X", *["monaco"] * 9), "1 to 8 races; 9")
    refused(lambda: run("new", "X", "monaco", "--points", "1 2"), "no place more than the one before")
    refused(lambda: run("new", "X", "monaco", "--points", "many"), "many is not one.")
    for size in ("--best", "--drivers", "--team", "--races"):
        done = CliRunner().invoke(companion, ["--data", str(tmp_path), "season", "new", "X", "monaco", size, "-1"])
        assert done.exit_code == 2
    refused(lambda: run("list"), "There is no season yet")
    run("new", "X", "monaco", "monza")
    assert run("list").rstrip().endswith("X")
    refused(lambda: run("grid", "1"), "Nobody drives in race 1 yet; enter the drivers first")
    refused(lambda: run("start", "1"), "Nobody drives in race 1 yet")
    for name in ("Ada", "Bob", "Cleo"):
        run("enter", name)
    for words, match in (
        (("enter", "ada"), "There is a driver called Ada already"),
        (("result", "3", "--paper", "1 2 3"), "There is no race 3"),
        (("result", "1", "--paper", "1 2"), "Cleo is missing"),
        (("grid", "1", "1", "2"), "needs a reason"),
        (("grid", "1", "1", "2", "--why", "x"), "every driver of the race once"),
        (("move", "1", "--track", "nowhere", "--why", "x"), "nowhere"),
        (("move", "1", "--date", "x"), "needs a reason"),
        (("abandon", "1"), "needs a reason"),
        (("revive", "1", "--why", "x"), "Race 1 was not abandoned"),
        (("substitute", "1", "1", "Bob"), "drives in this race already"),
        (("setup", "9"), "There is no race 9"),
        (("setup", "x"), "no race of a season"),
    ):
        refused(lambda words=words: run(*words), match)  # type: ignore[misc]
    assert len(run.rows("log")) == 4
    run("undo")
    assert len(run.rows("entries")) == 2
    run("result", "1", "--paper", "2 1:engine")  # out, and placed all the same, as the league has it
    assert [(row["number"], row["points"], row["cause"]) for row in run.rows("classification", "1")] == [
        (2, 10, ""), (1, 8, "engine failure"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("lang", "told"), [("en", "Ada is entered as no. 1.\n"), ("fr", "Ada est inscrit sous le n°\u00a01.\n")]
)
@pytest.mark.parametrize("kind", ["season", "tournament"])
def test_who_enters_is_told_his_number(tmp_path: Path, kind: str, lang: str, told: str) -> None:
    run = Commander(tmp_path, kind, lang)
    run("new", "League", *["monaco"] * (kind == "season"))
    assert run("enter", "Ada") == told


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Home circuit of Ada: There is no circuit nowhere;"),
        ("fr", "Circuit à domicile de Ada\u00a0: Il n’y a pas de circuit nowhere\u00a0;"),
    ],
)
def test_what_is_wrong_with_a_home_is_told_in_one_language(tmp_path: Path, lang: str, said: str) -> None:
    Commander(tmp_path, "season")("new", "League", "monaco")
    enter = ["--data", str(tmp_path), "--lang", lang, "season", "enter", "Ada", "--home", "nowhere"]
    wrong = CliRunner().invoke(companion, enter).exception
    assert isinstance(wrong, BadTrack)
    assert Words(lang).error(wrong).startswith(said)
