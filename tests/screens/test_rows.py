"""Fingers on the rows of lists."""

from __future__ import annotations

from companion.screens.app import snapshot
from companion.screens.kit.theme import theme
from companion.screens.pages.rules import RulesScreen
from companion.screens.pages.sheet import SheetScreen
from tests.screens.rig import Finger
from tests.screens.table import Table
from tests.screens.test_sheet import kept


def test_two_fingers_on_a_row_between_two_pictures_are_one(at_home: Table) -> None:
    kept(at_home.folder, 4, 10_000)
    at_home.show(SheetScreen, page="result")
    fingers = [Finger(*at_home.rig.at(*at_home.ui.where("Żółć Çağ Ñandú-Überfluß"))) for _ in range(2)]
    for finger in fingers:
        finger.down()
        finger.up()
    at_home.rig.wait(0.3)
    assert at_home.ui.sees("Żółć Çağ Ñandú-Überfluß", "Position by round"), "the page of that car"


def test_the_knob_of_a_long_list_is_long_enough_to_be_seen(at_home: Table) -> None:
    """It would be a dot, by Kivy's own sum."""

    def knob() -> list[int]:
        rim, picture = bytes.fromhex(theme.hex("rim")[1:]), snapshot.picture()
        return [y for y in range(480) if bytes(picture.getpixel((318, y))) == rim]

    at_home.show(RulesScreen, rulebook="competition")
    assert knob() == list(range(184, 216))
    while at_home.ui.scroll():
        pass
    assert knob() == list(range(448, 480))
