"""What needs no finger: a landing that is the only one, and free."""

from __future__ import annotations

from companion.desk import RaceDesk
from companion.rules.errors import CompanionError


def land_alone(desk: RaceDesk) -> None:
    """A single free landing is taken by itself, unless something has just been taken back."""
    asked = desk.asked
    while asked is not None and asked.ask == "landing" and not desk.held:
        options = asked.options or []
        if len(options) != 1 or options[0].wear or options[0].facts.keys() & {"out", "spin", "tests"}:
            return
        try:
            desk.answer(options[0].answer, n=asked.n, by="program")
        except CompanionError:
            return
        asked = desk.asked
