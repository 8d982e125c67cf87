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
from companion.screens.kit.theme import theme
from companion.screens.pages.override import OverrideScreen
from companion.screens.setup.build import BuildScreen
from companion.screens.setup.new_race import NewRaceScreen
from companion.view.setup.draft import Draft
from tests.screens.rig import Rig, field_of
from tests.screens.stand import Stand
from tests.screens.table import Table, a_race
from tests.screens.test_new_race import KNOWN, leads_on, touch_row
from tests.screens.ui import Ui
from tests.test_bad_input_of_dice import WRONG, Wrong


def desk_of(wrong: Wrong) -> RaceDesk:
    """A race of the list, at the question."""
    desk = RaceDesk(begin(wrong.setup, load(wrong.setup["track"])))
    for answer in wrong.answers:
        desk.answer(answer)
    return desk


def table_at(rig: Rig, folder: Path, wrong: str) -> Table:
    return Table.at_race(rig, folder, lambda: desk_of(WRONG[wrong]))


def asked(stand: Stand) -> Any:
    assert stand.made is not None
    return stand.made.asked


def test_a_team_over_its_four_points(stand: Stand) -> None:
    """A part that costs more than the team has left has no +: the wrong answer cannot be given."""
    stand.sit(lambda: desk_of(WRONG["a team over its four points"]))
    screen, ui = stand.show(BuildScreen), stand.ui
    ui.tap(icon="plus", beside="tyres")
    assert (screen.built.spent, screen.built.of) == (1, 1)
    with pytest.raises(AssertionError, match=r"^0 controls"):
        ui.where(icon="plus")
    ui.tap(screen.built.next)
    assert asked(stand).ask == "tyres"


def override(table: Table, car: int) -> OverrideScreen:
    table.app.go("override", car=car)
    table.calm()
    screen = table.app.screen
    assert isinstance(screen, OverrideScreen)
    return screen


def told_by(table: Table) -> str:
    """What the app has told, after somebody has signed for what is set."""
    table.ui.tap(theme.words.screen("override.set_key"))
    table.sign(theme.words.screen("override.agreed.label"), "Noor")
    shown = table.app.toast.shown
    return shown.text if shown is not None else ""


def test_a_third_kers_point(rig: Rig, folder: Path) -> None:
    table = table_at(rig, folder, "a third KERS point")
    before = table.see(lambda desk: desk.conversation.digest)
    screen = override(table, 1)
    key = screen.list.steps.made["kers", "plus"]
    screen.scroll.scroll_to(key, animate=False)
    table.rig.settle(6)
    for _ in range(3):
        table.tap(key)
    assert screen.change == {"car": 1, "kers": 2}, "a third is not offered"
    assert table.see(lambda desk: desk.conversation.digest) == before
    table.close()


def test_a_compound_that_the_car_never_raced_on(rig: Rig, folder: Path) -> None:
    table = table_at(rig, folder, "a compound that the car never raced on")
    before = table.see(lambda desk: desk.conversation.digest)
    screen = override(table, 1)
    line = field_of(screen, "raced")
    line.line.text = "hard, rain"
    line.line.focus = False
    table.rig.settle(4)
    assert screen.change == {"car": 1, "raced": ["hard", "rain"]}
    assert told_by(table) == WRONG["a compound that the car never raced on"].sentence
    assert table.see(lambda desk: desk.conversation.digest) == before
    table.close()


def test_a_compound_is_taken_out_of_those_raced_on(rig: Rig, folder: Path) -> None:
    table = table_at(rig, folder, "a compound that the car never raced on")
    line = field_of(override(table, 1), "raced").line
    line.text = "hard"
    line.focus = False
    table.rig.settle(4)
    told_by(table)
    assert table.see(lambda desk: desk.rulebook.car(1).raced) == ["hard"]
    table.close()


def test_a_repair_beyond_the_column(rig: Rig, folder: Path) -> None:
    """The engine costs two of the three points; what is left then pays for one brake and no more."""
    table = table_at(rig, folder, "a repair beyond the column")
    ui = Ui.over(rig, table.app)
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
    with pytest.raises(AssertionError, match="0 controls have the pictogram 'plus'"):
        ui.tap(icon="plus")
    ui.audit()
    ui.tap("Done")
    assert table.see(lambda desk: desk.conversation.events[-1].answer) == {"brakes": 1, "engine": 1}
    table.close()


def test_a_quick_stop_has_no_face_of_0(rig: Rig, folder: Path) -> None:
    table = table_at(rig, folder, "a quick-stop face of 0")
    assert [key.answer for key in table.prompt.keys] == [*range(1, 21)]
    table.close()


@pytest.mark.parametrize(
    ("wrong", "weapon", "notes", "targets"),
    [
        ("a weapon that is reloading", 1, ("Loaded", "1 token"), []),
        ("a weapon that is out of range", 0, ("Loaded", "1 token"), [2]),
        ("a weapon that faces the wrong way", 0, ("Nobody in reach", "1 token"), []),
    ],
)
def test_a_weapon_that_cannot_fire(
    rig: Rig, folder: Path, wrong: str, weapon: int, notes: tuple[str, ...], targets: list[int]
) -> None:
    """It says why, and no key of it fires at anybody else than it may."""
    table = table_at(rig, folder, wrong)
    weapons = table.shown.attack.weapons  # type: ignore[union-attr]
    assert tuple(one.note for one in weapons) == notes
    assert all("ahead" in one.reach or "behind" in one.reach for one in weapons)
    table.touch(weapons[weapon].name)
    card = table.see(lambda desk: list(desk.rulebook.car(1).weapons))[weapon]
    fires = [key.answer["at"] for key in table.prompt.keys if (key.answer or {}).get("fire") == card]
    assert fires == targets
    assert table.see(lambda desk: desk.n) == 0
    table.close()


def test_a_card_that_is_on_a_car_is_not_dealt_again(rig: Rig, folder: Path) -> None:
    table = table_at(rig, folder, "a card dealt twice")
    dealt = [key.answer for key in table.prompt.keys]
    assert len(dealt) == 26
    assert "flamer" not in dealt
    table.close()


def test_a_house_figure_that_makes_no_sense(stand: Stand) -> None:
    """A stepper ends where the range does; what is in no range but does not go together is told before the race."""
    options = {"stall_to": 18, "great_from": 19, "base": [9, 3, 3, 3, 3, 2]}
    draft = Draft(rulebook="cup", track="monaco", options=options).entering(KNOWN[0])
    screen = stand.show(NewRaceScreen, draft=draft, step="rules")
    names = [shown.name for shown, _ in screen.body.figures.shown]

    def step(figure: str, cell: str, times: int) -> str:
        """Why no race can begin with a figure so many steps higher."""
        screen.open("rules")
        stand.calm()
        touch_row(stand, screen.body.figures, names.index(figure))
        for _ in range(times):
            stand.tap(screen.body.steps.made[cell, "plus"])
        touch_row(stand, screen.body.figures, names.index(figure))
        screen.open("start")
        stand.calm()
        assert not leads_on(stand.ui)
        return str(screen.frame.why)

    assert step("stall_to", "", 3) == (
        "A start cannot both stall up to 19 and be a great one from 19; the two ranges must not meet."
    )


def test_a_test_of_a_race_that_is_refused_says_why_at_once(rig: Rig, folder: Path) -> None:
    with pytest.raises(BadSetup, match="laps"):
        Table.at_race(rig, folder, lambda: a_race(folder, laps=500))
