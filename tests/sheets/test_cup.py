"""A cup race on the sheet and in the terminal: KERS, compounds, the marker, and the proposed figures that were used."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.circuits import find as circuit
from companion.circuits import load
from companion.desk import RaceDesk
from companion.drivers.sensible import HeuristicDriver
from companion.rules.public import PublicDiceCar
from companion.rules.rulebooks import begin
from companion.sheets.build_sheet import race_sheet
from companion.sheets.car_extras import of_car
from companion.sheets.history import History
from companion.sheets.reading import entries, find, reading
from companion.sheets.replay import rulebook_of
from companion.sheets.sheet import RaceSheet
from companion.sheets.verify import verify
from companion.terminal.screen import RacePrinter
from companion.terminal.sheet import show_sheet
from companion.wording import Words


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A whole cup race on disk."""
    track, text = load("kestrel-moor"), circuit("kestrel-moor").read_text("utf-8")
    cars = [{"car": number, "driver": f"D{number}"} for number in range(1, 4)]
    setup = {"rulebook": "cup", "track": track.key, "laps": 2, "cars": cars, "options": {"team_points": 6}}
    driver = HeuristicDriver(track, 5)
    with RaceDesk.begin(begin(setup, track), setup=setup, track=text, folder=tmp_path, name="cup") as desk:
        desk.answer(1, by="table")  # rain: the race starts wet
        while (asked := desk.asked) is not None:
            desk.answer(driver.answer(asked, desk.rulebook.race))
    return tmp_path


def sheet_of(folder: Path) -> RaceSheet:
    with reading(folder) as db:
        return race_sheet(History.of(list(entries(db, find(db, "last").log_id))))


def test_the_sheet_holds_what_the_cup_adds_and_the_figures_it_proposes(folder: Path) -> None:
    assert verify(folder, "last", rulebook_of).problems == []
    sheet = sheet_of(folder)
    assert all(car.more["raced"] and "kers" in car.more for car in sheet.cars)
    assert sheet.rounds[0].more["wet_conditions"] is True
    assert (sheet.figures["base"], sheet.figures["botched_to"]) == ([6, 3, 3, 3, 3, 2], 5)
    assert "team_points" not in sheet.figures  # the rulebook's own figure, not a proposed one


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ("KERS", "raced on", "wet weather conditions", "Proposed figures, as used", "Base column 6 3 3 3 3 2")),
        ("fr", ("KERS", "a couru en", "conditions de pluie", "Valeurs proposées", "Colonne de base 6 3 3 3 3 2")),
    ],
)
def test_the_terminal_shows_them(
    folder: Path, lang: str, said: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = sheet_of(folder)
    show_sheet(RacePrinter(Words(lang, "cup")), sheet)
    show_sheet(RacePrinter(Words(lang, "cup")), sheet, 1)
    shown = " ".join(capsys.readouterr().out.split())
    for words in said:
        assert words in shown, words


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ["KERS 1", "raced on hard and soft", "Pit Lane Exit, row 1", "bonus 2"]),
        ("fr", ["KERS 1", "a couru en durs et tendres", "sortie des stands, rang 1", "bonus 2"]),
    ],
)
def test_a_car_on_the_grid_in_words(lang: str, said: list[str]) -> None:
    car = {"car": 1, "at": "box:4", "status": "box", "stop": "long", "leaves": 3, "kers": 1, "bonus": 2, "lap": 2}
    setup = {"rulebook": "cup", "track": "monaco", "cars": [{**car, "tyres": "soft", "raced": ["hard", "soft"]}]}
    race = RaceDesk(begin({**setup, "to_play": []}, load("monaco"))).public()
    car_now = race.cars[0]
    assert isinstance(car_now, PublicDiceCar)
    assert of_car(Words(lang, "cup"), {"stop": car_now.stop, **car_now.more}, race.more, 1) == said
