"""What needs no person: a landing that is the only one, and free; a turn that can begin in one way only; and the cars
that no person drives."""

from __future__ import annotations

from typing import Final, Protocol

from companion.desk.race_desk import RaceDesk
from companion.rules.conversation.errors import CompanionError

AT_STAKE: Final = {"out", "spin", "tests"}
"""What an option tells of itself that somebody should see coming."""


class Driving(Protocol):
    """Whoever answers for the cars that no person drives."""

    def drive(self, desk: RaceDesk) -> bool:
        """Answers until a person is asked; whether anything was."""


def go_alone(desk: RaceDesk, drivers: Driving) -> bool:
    """Has all be answered that needs no person; whether anything was."""
    went = land_alone(desk)
    while drivers.drive(desk):
        land_alone(desk)
        went = True
    return went


ALONE: Final = frozenset({"landing", "declare"})
"""Questions that are none where there is one free answer."""


def land_alone(desk: RaceDesk) -> bool:
    """Has every single free landing taken by itself, and what a driver has to declare, unless something has just been
    taken back; whether one was."""
    landed = False
    while (asked := desk.asked) is not None and asked.ask in ALONE and not desk.held:
        options = asked.options or []
        if len(options) != 1 or options[0].wear or AT_STAKE & options[0].facts.keys():
            break
        try:
            desk.answer(options[0].answer, n=asked.n, by="program")
        except CompanionError:
            break
        landed = True
    return landed
