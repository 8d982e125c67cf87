"""Answers that need no person.

They are a landing that is the only one, and free; a turn that can begin in one way only; and the cars that no person
drives.
"""

from __future__ import annotations

from typing import Final, Protocol

from companion.desk.race_desk import RaceDesk
from companion.rules.conversation.errors import CompanionError

RISKY_FACTS: Final = {"out", "spin", "tests"}
"""Facts of an option that somebody should see coming."""


class AutoDriver(Protocol):
    """The driver of the cars that no person drives."""

    def drive(self, desk: RaceDesk) -> bool:
        """Answer until a person is asked; return True if anything was answered."""


def go_alone(desk: RaceDesk, drivers: AutoDriver) -> bool:
    """Answer all that needs no person; return True if anything was answered."""
    went = answer_alone(desk)
    while drivers.drive(desk):
        answer_alone(desk)
        went = True
    return went


ALONE: Final = frozenset({"landing", "declare"})
"""Questions that are not asked if there is a single answer and it is free."""


def answer_alone(desk: RaceDesk) -> bool:
    """Take every single free landing, and the only declaration; return True if there was one.

    Nothing is answered after something has just been undone.
    """
    landed = False
    while (asked := desk.asked) is not None and asked.ask in ALONE and not desk.auto_answers_paused:
        options = asked.options or []
        if len(options) != 1 or options[0].wear or RISKY_FACTS & options[0].facts.keys():
            break
        try:
            desk.answer(options[0].answer, n=asked.n, by="program")
        except CompanionError:
            break
        landed = True
    return landed
