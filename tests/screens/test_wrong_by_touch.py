"""What a finger cannot enter by the cup's and the death race's rules: the key is barred or not there, the program says
what would be right, and nothing has changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.circuits import load
from companion.desk import RaceDesk
from companion.rules.conversation.errors import BadSetup
from companion.rules.rulebooks import begin
from tests.screens.rig import Rig
from tests.screens.setup import ADA, drafted, set_up
from tests.screens.table import Table, a_race
from tests.screens.ui import Ui
from tests.test_bad_input_of_dice import WRONG, Wrong

RACED = "a compound that the car never raced on"


def desk_of(wrong: Wrong) -> RaceDesk:
    """A race of the list, at the question."""
    desk = RaceDesk(begin(wrong.setup, load(wrong.setup["track"])))
    for answer in wrong.answers:
        desk.answer(answer)
    return desk


@pytest.fixture
def table(at_race: Any, request: pytest.FixtureRequest) -> Table:
    """A table at a question of the list."""
    made: Table = at_race(make=lambda: desk_of(WRONG[request.param]))
    return made


def at(wrong: str) -> pytest.MarkDecorator:
    """Return the mark of a test at one question of the list."""
    return pytest.mark.parametrize("table", [wrong], indirect=True)


def override(table: Table) -> Ui:
    """Open the override of the first car."""
    table.app.go("override", car=1)
    table.calm()
    return table.ui


def raced_on(table: Table, compounds: str) -> Ui:
    """Sign for the compounds that the first car has raced on."""
    ui = override(table)
    while ui.scroll():
        pass
    ui.write("Compounds raced on", compounds, anew=True)
    ui.tap("Set")
    table.sign("Table agrees", "Noor")
    return ui


def test_a_team_over_its_four_points(ui: Ui) -> None:
    """A part that costs more than the team has left has no +: the wrong answer cannot be given."""
    ui.app.playing.open(lambda: desk_of(WRONG["a team over its four points"]))
    ui.wait_for("Up to 1 more point")
    ui.step("Tyres")
    assert ui.sees("1 /1")
    assert not ui.offers(icon="plus")
    ui.go_on()
    ui.wait_for("Choose the tyres")


@at("a third KERS point")
def test_a_third_kers_point(table: Table) -> None:
    before = table.see(lambda desk: desk.conversation.digest)
    ui = override(table)
    ui.step("KERS", 2)
    with pytest.raises(AssertionError, match="'KERS' ends there"):
        ui.step("KERS")
    assert ui.value("KERS") == "2"
    assert table.see(lambda desk: desk.conversation.digest) == before


@at(RACED)
def test_a_compound_that_the_car_never_raced_on(table: Table) -> None:
    before = table.see(lambda desk: desk.conversation.digest)
    assert raced_on(table, "hard, rain").sees(WRONG[RACED].sentence)
    assert table.see(lambda desk: desk.conversation.digest) == before


@at(RACED)
def test_a_compound_is_taken_out_of_those_raced_on(table: Table) -> None:
    raced_on(table, "hard")
    assert table.see(lambda desk: desk.rulebook.car(1).raced) == ["hard"]


@at("a repair beyond the column")
def test_a_repair_beyond_the_column(table: Table) -> None:
    """The engine costs two of the three points; what is left then pays for one brake and no more."""
    ui = table.ui
    ui.tap("2 each")
    assert ui.sees("2 of 3 points")
    ui.tap("Undo")
    for spent in (1, 2):
        ui.tap(icon="plus", beside="brakes")
        assert ui.sees(f"{spent} of 3 points")
    assert not ui.offers("2 each")
    ui.tap("Undo")
    ui.tap("2 each")
    assert ui.sees("3 of 3 points")
    assert not ui.offers("2 each")
    assert not ui.offers(icon="plus")
    ui.audit()
    ui.tap("Done")
    assert table.see(lambda desk: desk.conversation.events[-1].answer) == {"brakes": 1, "engine": 1}


@at("a quick-stop face of 0")
def test_a_quick_stop_has_no_face_of_0(table: Table) -> None:
    assert table.ui.offers("1–5")
    assert [key.answer for key in table.prompt.keys] == [*range(1, 21)]


@pytest.mark.parametrize(
    ("table", "weapon", "notes", "targets"),
    [
        ("a weapon that is reloading", "Flamer", ("Loaded", "1 token"), []),
        ("a weapon that is out of range", "Forward Laser", ("Loaded", "1 token"), [2]),
        ("a weapon that faces the wrong way", "Rear MG", ("Nobody in reach", "1 token"), []),
    ],
    indirect=["table"],
)
def test_a_weapon_that_cannot_fire(table: Table, weapon: str, notes: tuple[str, ...], targets: list[int]) -> None:
    """It says why, and no key of it fires at anybody else than it may."""
    ui = table.ui
    assert ui.sees(*notes)
    ui.tap(weapon)
    assert ui.offers("Fire") == bool(targets)
    card = weapon.lower().replace(" ", "-")
    assert [key.answer["at"] for key in table.prompt.keys if (key.answer or {}).get("fire") == card] == targets
    assert table.see(lambda desk: desk.n) == 0


@at("a card dealt twice")
def test_a_card_that_is_on_a_car_is_not_dealt_again(table: Table) -> None:
    cards = table.ui.lines()
    assert {"Acid Jets", "Forward Laser"} <= cards
    assert "Flamer" not in cards
    assert len(table.prompt.keys) == 26


def test_a_house_figure_that_makes_no_sense(ui: Ui) -> None:
    """A stepper ends where the range does; what is in no range but does not go together is told before the race."""
    options = {"stall_to": 18, "great_from": 19, "base": [9, 3, 3, 3, 3, 2]}
    set_up(ui, "rules", drafted(ADA, rulebook="cup", track="monaco", options=options))
    ui.tap("Stall, up to")
    ui.tap(icon="plus")
    assert not ui.offers(icon="plus")
    ui.tap("Start from the grid")
    assert ui.sees("A start cannot both stall up to 19 and be a great one from 19; the two ranges must not meet.")
    assert not ui.offers("Begin")


def test_a_test_of_a_race_that_is_refused_says_why_at_once(rig: Rig, folder: Path) -> None:
    with pytest.raises(BadSetup, match="laps"):
        Table.at_race(rig, folder, lambda: a_race(folder, laps=500))
