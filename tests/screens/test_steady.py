"""While somebody thinks, only the shot clock is drawn."""

from __future__ import annotations

from companion.screens.app.snapshot import pixels
from companion.view.race.intents import CloseCover, OpenMenu
from tests.screens.table import Table


def seen(table: Table) -> tuple[bytes, bytes]:
    """What the window shows of the shot clock, and all the rest."""
    wide, high, data = pixels()
    rows = [data[3 * wide * row : 3 * wide * (row + 1)] for row in range(high)]
    left, right = 3 * (wide - 170), 3 * (wide - 56)
    clock = b"".join([*(row[left:right] for row in rows[:45]), *rows[45:48]])
    rest = b"".join([*(row[:left] + row[right:] for row in rows[:45]), *rows[48:]])
    return clock, rest


def test_a_tick_of_the_shot_clock_draws_nothing_else(table: Table) -> None:
    table.calm()
    table.app.hush()
    drawn = table.ui.drawings_of_board()
    table.rig.draws = True
    table.rig.settle()
    assert drawn != []
    drawn.clear()
    clock, rest = seen(table)
    drawn.clear()

    table.rig.stall(1)
    table.rig.settle()
    after = seen(table)
    assert drawn == []
    assert (after[0] != clock, after[1] == rest) == (True, True)

    table.emit(OpenMenu())
    table.rig.settle()
    dimmed = seen(table)
    drawn.clear()
    table.rig.stall(1)
    table.rig.settle()
    beneath = seen(table)
    assert drawn == []
    assert (beneath[0] != dimmed[0], beneath[1] == dimmed[1]) == (True, True)
    assert max(beneath[0]) < max(after[0]), "the menu lies over the clock as well"

    table.emit(CloseCover())
    table.rig.wait(0.4)  # nobody listens right after a question
    drawn.clear()
    finger = table.rig.press(*table.ui.where("Undo"))
    table.rig.settle()
    assert drawn != [], "what changes otherwise is drawn"
    finger.up()
