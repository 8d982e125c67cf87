"""A race for teams, through every door: who drives with whom, and the classification at the end."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pypdf import PdfReader

from companion import circuits
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.desk.session import Session
from companion.drivers.sensible import HeuristicDriver
from companion.house_rules import HouseRules, keep
from companion.printing.code import as_code
from companion.printing.race import as_pdf
from companion.sheets.build_sheet import race_sheet
from companion.sheets.entrants import RaceEntrant
from companion.sheets.history import History
from companion.terminal.screen import RacePrinter
from companion.terminal.sheet import show_sheet
from companion.view.pages.sheet import page
from companion.view.phones.phone import on_wall, watched
from companion.view.setup.draft import Draft, in_teams, setup_of
from companion.web.pages import Writer
from companion.wording import LANGUAGES, Words
from tests.test_protocol import Talk
from tests.test_terminal import Seat

DRIVERS = ("Ada", "Bob", "Cleo", "Dan", "Eve")
DRAFT = Draft(
    rulebook="formula-d",
    track="monaco",
    laps=1,
    options={"teams": True, "stop_technical": True},
    entrants=tuple(RaceEntrant(number=n, name=name, colour=n - 1) for n, name in enumerate(DRIVERS, 1)),
)
SETUP = setup_of(DRAFT)


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RaceDesk]:
    """A race of five cars that is over."""
    driver = HeuristicDriver(circuits.load("monaco"), 4)
    with begin_race(SETUP, "monaco", tmp_path_factory.mktemp("teams")) as desk:
        while desk.asked is not None:
            desk.answer(driver.answer(desk.asked, desk.rulebook.race))
        yield desk


def test_pairs_have_a_colour_and_are_called_by_it_in_the_language_of_the_table() -> None:
    cars = in_teams(DRAFT, "fr")
    assert [(one.team, one.colour) for one in cars] == [
        ("Rouge", 0), ("Rouge", 10), ("Orange", 2), ("Orange", 12), ("Jaune", 4),
    ]  # fmt: skip
    assert [car["team"] for car in SETUP["cars"]] == ["Red", "Red", "Orange", "Orange", "Yellow"]
    assert SETUP["plates"] == [0, 10, 2, 12, 4]
    named = DRAFT.editing(3, RaceEntrant(number=4, team="Bolide", colour=0))
    assert [one.team for one in in_teams(named, "en")] == ["Red", "Red", "Orange", "Bolide", "Orange"]
    assert in_teams(DRAFT.but(options={}), "en") == DRAFT.entrants
    full = DRAFT.but(entrants=tuple(RaceEntrant(number=n, team=f"T{n // 2}", colour=n - 1) for n in range(1, 20)))
    colours = [one.colour for one in in_teams(full, "en")]
    assert sorted(set(colours)) == sorted(colours), "every plate is its own"


@pytest.mark.article("formula-d", "option.teams")
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_classification_shows_teams_on_sheet_paper_code_phones_and_wall(over: RaceDesk, lang: str) -> None:
    assert over.log is not None
    kept = list(over.log.entries)
    history = History.of(kept)
    sheet, words = race_sheet(history), Words(lang, "formula-d")
    shown = page(sheet, history, words, name="result")
    teams, cars = ([*listing.by_key()] for listing in shown.result)
    won = teams[0]
    assert {row["team"].text for row in teams} == {"Red", "Orange", "Yellow"}
    assert won["place"].text == "1"
    assert won["points"].value == max(row["points"].value for row in teams)
    assert sum(row["points"].value for row in teams) == sum(row["points"].value for row in cars)
    assert f"1.  {won['team'].text}, {won['points'].text}" in as_code(kept, lang).text
    paper = "\n".join(sheet.extract_text() for sheet in PdfReader(io.BytesIO(as_pdf(kept, lang))).pages)
    title = words.word("listing", "title_teams")
    assert title in paper
    assert won["driver"].text in paper
    writer, session = Writer(lang, over.rulebook.track, "formula-d"), Session(over)
    for part in (writer.watch(watched(session, lang))["order"], writer.wall(on_wall(session, lang, {}))["board"]):
        text = str(part)
        assert title in text
        assert text.index(won["team"].text) < text.rindex(teams[-1]["team"].text)
        assert won["driver"].text in text


def test_the_protocol_gives_every_car_its_team_in_the_result() -> None:
    talk = Talk(**SETUP | {"to_play": [1]})
    word = {"cars": [{"car": one, "status": "out"} for one in range(1, 6)]}
    rows = next(said["result"] for said in talk.all(override=word, by="Jo", why="storm") if "result" in said)
    assert {(row["car"], row["team"], row["team_points"]) for row in rows} >= {(1, "Red", 0), (5, "Yellow", 0)}


@pytest.mark.article("formula-d", "option.teams")
@pytest.mark.parametrize(("typed", "teams"), [("", ["A", "A", "B"]), ("1 3", ["A", "B", "A"])])
def test_teams_are_typed_at_the_terminal(tmp_path: Path, typed: str, teams: list[str]) -> None:
    keep(tmp_path, HouseRules("club", "formula-d", {"teams": True}))
    seat = Seat(tmp_path)
    seat.until("Enter: beginner. > ")
    seat.say("club", "number or name. > ")
    seat.say("monaco", "> ")
    seat.say("1", "how many cars > ")
    seat.say("Ada, Bob, Cleo", "teams of 2, such as 1 2, 3 .*> ")
    assert "Teams are 1 or 2 cars each" in seat.say("1 2 3", "those. > ")
    for wrong, said in (
        ("1 9", "There is no car 9"),
        ("1 1", "Car 1 is named twice"),
        ("1 2, 2", "Car 2 is named twice"),
    ):
        assert said in seat.say(wrong, "those. > ")
    if typed:  # the pairs that the program makes of the others are shown first
        assert "Team A: 1 Ada · Team B: 2 Bob, 3 Cleo" in seat.say("1", r"n:\s+no. > ")
        seat.say("n", "those. > ")
        assert "Team A: 1 Ada, 3 Cleo · Team B: 2 Bob" in seat.say(typed, r"n:\s+no. > ")
        seat.say("")
    else:
        seat.say(typed)
    seat.say("quit", r"race(?:\s|\x1b\[\d*m)+--resume")
    assert seat.end() == 0
    with RaceDesk.resume(tmp_path) as desk:
        assert [car.team for car in desk.rulebook.race.cars] == teams


@pytest.mark.article("formula-d", "option.teams")
@pytest.mark.parametrize(("lang", "said"), [("en", "Team A: 1, 2 · Team B: 3, 4"), ("fr", "Écurie A.: 1, 2 · ")])
def test_teams_of_cars_on_the_command_line_are_shown(tmp_path: Path, lang: str, said: str) -> None:
    options = ("--rulebook", "formula-d", "--set", "teams=on", "--track", "monaco", "--cars", "4")
    seat = Seat(tmp_path, *options, lang=lang)
    assert re.search(said, seat.until("0 > "))
    seat.child.close(force=True)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_sheet_at_the_terminal_ends_with_the_teams(
    over: RaceDesk, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert over.log is not None
    show_sheet(RacePrinter(Words(lang, "formula-d")), race_sheet(History.of(list(over.log.entries))))
    told = capsys.readouterr().out
    assert Words(lang).word("listing", "title_teams") in told
