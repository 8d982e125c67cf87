"""A monkey at the screen under every rulebook: nothing fails, only what is offered is taken, the race stays whole."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from kivy.clock import Clock

from companion.desk import organising
from companion.rules.conversation.asking import Asked
from companion.screens.events import taking
from tests.screens.faulty import FaultyScreen
from tests.screens.monkey import Monkey, offered, same_again
from tests.screens.monkey_of_events import EventMonkey, kept_events, plugged, read_again
from tests.screens.rig import Rig
from tests.screens.table import Table, driver_on, skip

LEGS = 3
"""How often drivers bring the race on before the monkey goes on."""
TOUCHES = 20
"""How much the monkey does in a leg."""
DEEP = 20
"""How often at most it is gone back within screens."""


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
def test_a_monkey_breaks_nothing(at_race: Any, book: str, at: str, seed: int) -> None:
    setup = {"deck": 7, "laps": 6} if book == "ninety" else {}
    table = at_race(at, 4, rulebook=book, **setup)
    monkey = Monkey(table, seed)
    for leg in range(LEGS):
        if table.app.playing.seat is not None:
            skip(table, driver_on(at, seed), partial(_far, leg * 40))
            table.app.home()
            table.app.go("race")
        monkey.play(TOUCHES)
    same_again(table)


@pytest.mark.parametrize(("seed", "acts"), [(1, 0), (2, 5), (3, 20), (4, 60)])
def test_a_monkey_at_the_organisers_screens_breaks_nothing(
    rig: Rig, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, seed: int, acts: int
) -> None:
    """Other hands act on the same records, a stick comes and goes; every screen can be left, every record be read."""
    stick = tmp_path / "STICK"
    for module in (organising, taking):
        monkeypatch.setattr(module, "sticks", lambda: [stick] if stick.exists() else [])
    chance = Random(seed)
    kept_events(folder, chance, acts)
    plugged(stick, chance)
    table = Table(rig, folder)
    monkey = EventMonkey(table, seed, stick)
    try:
        for _ in monkey.screens:
            monkey.leave()
            monkey.play(TOUCHES // 2)
        for _ in range(len(table.app.visits) + DEEP):
            table.app.back()
            rig.settle(2)
        assert len(table.app.visits) == 1
        rig.until(lambda: all(thread.name != "opening" for thread in threading.enumerate()))
        rig.settle(2)
        read_again(folder)
    finally:
        table.close()


def test_the_monkey_tells_what_fails(at_race: Any) -> None:
    table = at_race()
    monkey = Monkey(table, 1)

    def fail() -> None:
        Clock.schedule_once(lambda _: FaultyScreen(table.app, {}).fail())

    monkey.ways = {fail: 1}
    with pytest.raises(AssertionError, match="divides by nothing"):
        monkey.play(2)
    asked = table.see(lambda desk: desk.asked)
    assert not offered(asked, 99)
    assert offered(asked, asked.faces[0])
