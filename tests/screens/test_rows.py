"""Fingers on the rows of lists."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.screens.app import snapshot
from companion.screens.kit.theme import theme
from companion.screens.pages.rules import RulesScreen
from companion.screens.pages.sheet import SheetScreen
from companion.view.setup.draft import Draft
from tests.screens.rig import Finger
from tests.screens.table import Table
from tests.screens.test_sheet import kept
from tests.screens.ui import Ui


def test_two_fingers_on_a_row_between_two_pictures_are_one(home_table: Table) -> None:
    kept(home_table.folder, 4, 10_000)
    home_table.show(SheetScreen, page="result")
    fingers = [Finger(*home_table.rig.at(*home_table.ui.where("Żółć Çağ Ñandú-Überfluß"))) for _ in range(2)]
    for finger in fingers:
        finger.down()
        finger.up()
    home_table.rig.wait(0.3)
    assert home_table.ui.sees("Żółć Çağ Ñandú-Überfluß", "Position by round"), "the page of that car"


def test_the_knob_of_a_long_list_is_long_enough_to_be_seen(home_table: Table) -> None:
    """It would be a dot, by Kivy's own sum."""

    def knob() -> list[int]:
        rim, picture = bytes.fromhex(theme.hex("rim")[1:]), snapshot.picture()
        return [y for y in range(480) if bytes(picture.getpixel((318, y))) == rim]

    home_table.show(RulesScreen, rulebook="competition")
    assert knob() == list(range(184, 216))
    while home_table.ui.scroll():
        pass
    assert knob() == list(range(448, 480))


def test_a_list_flicked_to_its_end_stays_full(home_table: Table) -> None:
    home_table.show(RulesScreen, rulebook="competition")
    while home_table.ui.scroll():
        pass
    last = {word.text for word in home_table.ui.words() if word.box.x < 300}
    for _ in range(2):
        home_table.rig.drag((160, 440), (160, 210))
    home_table.rig.wait(0.1)
    assert {word.text for word in home_table.ui.words() if word.box.x < 300} == last


def test_what_is_selected_is_seen_however_long_the_list_above_it(ui: Ui) -> None:
    ui.app.go("new_race", draft=Draft(rulebook="ninety"), step="rules")
    ui.calm()
    assert ui.places("Race of cards")
    ui.app.go("new_event", kind="season", line="rulebook")
    ui.calm()
    assert len(ui.places("League")) == 1, "its line at the left begins with its label"
    ui.tap("Race 7")
    assert ui.sees("Budapest corner sheet"), "with what it is"


@pytest.mark.parametrize("car", [1, 8])
def test_the_car_that_is_overridden_is_seen_in_the_list(at_race: Callable[..., Table], car: int) -> None:
    table = at_race(many=8, until=lambda asked: asked.ask == "gear")
    table.app.go("override", car=car)
    table.calm()
    assert table.ui.offers({1: "Ada Vidal", 8: "Al"}[car], below="Override"), table.ui.screen()


def test_four_choices_stand_in_two_rows_of_two(at_race: Callable[..., Table]) -> None:
    table = at_race("porto-sereno", rulebook="death", until=lambda asked: asked.ask == "gear")
    table.app.go("override", car=1)
    table.calm()
    ui = table.ui
    while not ui.offers("Out"):
        assert ui.scroll()
    row = {word: ui.where(word) for word in ("Racing", "Stalled", "Spun", "Out")}
    assert row["Spun"] == pytest.approx((row["Racing"][0], row["Out"][1]), abs=4), row


def test_a_list_that_has_shown_what_is_selected_is_scrolled_freely(ui: Ui) -> None:
    ui.app.go("new_race", draft=Draft(rulebook="ninety"), step="rules")
    ui.calm()
    ui.scroll(start=True)
    ui.calm()
    assert ui.offers("Formula D beginner")
    assert not ui.places("Race of cards")
