"""Fingers on the rows of lists."""

from __future__ import annotations

import pytest

from companion.screens.kit.rows import Rows
from companion.screens.pages.rules import RulesScreen
from companion.screens.pages.sheet import SheetScreen
from tests.screens.rig import Finger, row_of
from tests.screens.stand import Stand
from tests.screens.test_sheet import kept


def test_two_fingers_on_a_row_between_two_pictures_are_one(stand: Stand) -> None:
    kept(stand.folder, 4, 10_000)
    screen = stand.show(SheetScreen, page="result")
    row = row_of(screen.result, 2)
    fingers = [Finger(*row.to_window(*row.center)) for _ in range(2)]
    for finger in fingers:
        finger.down()
        finger.up()
    stand.rig.wait(0.3)
    assert screen.sheet.page == "car"
    assert screen.sheet.car.plate == row.shown.plate


def test_the_knob_of_a_long_list_is_long_enough_to_be_seen(stand: Stand) -> None:
    screen = stand.show(RulesScreen, rulebook="competition")
    rows = next(one for one in screen.walk() if isinstance(one, Rows))
    assert rows.rows_high > 20 * rows.height  # a dot, by Kivy's own sum
    for scrolled, begins in ((1.0, rows.height - 32), (0.0, 0.0)):
        rows.scroll_y = scrolled
        assert rows.vbar == pytest.approx((begins / rows.height, 32 / rows.height))
