"""A monkey at the screen under every rulebook: nothing fails, only what is offered is taken, the race stays whole."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from kivy.clock import Clock

from companion import circuits
from companion.drivers import Driver
from companion.drivers.cards import SensibleWithCards
from companion.drivers.sensible import Sensible
from companion.rules.conversation.asking import Asked
from companion.rules.ninety.circuit import SectionTrack
from tests.screens.faulty import FaultyScreen
from tests.screens.monkey import Monkey, offered, same_again
from tests.screens.rig import Rig
from tests.screens.table import Table, a_race, skip

LEGS = 3
"""How often drivers bring the race on before the monkey goes on."""
TOUCHES = 20
"""How much the monkey does in a leg."""


def _far(n: int, asked: Asked) -> bool:
    """Whether the race has come so far."""
    return asked.n >= n


@pytest.mark.parametrize(
    ("book", "at", "seed"),
    [
        ("competition", "monaco", 1),
        ("competition", "spa", 2),
        ("cup", "kestrel-moor", 3),
        ("league", "imola", 4),
        ("death", "porto-sereno", 5),
        ("ninety", "quarry-hill", 6),
    ],
)
def test_a_monkey_breaks_nothing(rig: Rig, folder: Path, book: str, at: str, seed: int) -> None:
    board = circuits.board(at)
    driver: Driver = SensibleWithCards(board, seed) if isinstance(board, SectionTrack) else Sensible(board, seed)
    setup = {"deck": 7, "laps": 6} if book == "ninety" else {}
    table = Table.at_race(rig, folder, lambda: a_race(folder, at, 4, rulebook=book, **setup))
    monkey = Monkey(table, seed)
    try:
        for leg in range(LEGS):
            if table.app.playing.seat is not None:
                skip(table, driver, partial(_far, leg * 40))
                table.app.home()
                table.app.go("race")
            monkey.play(TOUCHES)
        same_again(table)
    finally:
        table.close()


def test_the_monkey_tells_what_fails(rig: Rig, folder: Path) -> None:
    table = Table.at_race(rig, folder, lambda: a_race(folder))
    monkey = Monkey(table, 1)

    def fail() -> None:
        Clock.schedule_once(lambda _: FaultyScreen(table.app, {}).fail())

    monkey.ways = {fail: 1}
    try:
        with pytest.raises(AssertionError, match="divides by nothing"):
            monkey.play(2)
        asked = table.see(lambda desk: desk.asked)
        assert not offered(asked, 99)
        assert offered(asked, asked.faces[0])
    finally:
        table.close()
