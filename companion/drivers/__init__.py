"""Drivers: whatever answers for an empty seat, in demos, tests and simulations.

A driver sees the open question and the state of the race, and gives an answer. It thinks with the rules core and is
asked several times a turn in thousands of races, so it reads the race as the rules have it, not its public face, which
takes three times as long to make as an answer. `sensible` means to arrive: `foresight` looks at the next corner,
`assumed_board` makes up what a table sees on a corner sheet, `fighting` chooses shots. `chance` answers anything legal,
and `cards` has both for the race of cards. The strong ones read a table of the turns that a car alone still needs:
`turn_graph` asks the core for all that rolls can do, which `shipped` has for our circuits, `values` goes backwards from
the flag (with numpy, which nobody else loads) with the constants of `weights`, `table` is the result, `prepared` stores
it, `strong` drives by it, `hint` gives its answers, `odds` are each car's chances, and `lap` is the best lap of a
trial. `background_job` runs long sums in a process of their own. `registry` has all drivers by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

from companion.rules.conversation.asking import Asked, Json

DRIVERS: Final = ("sensible", "learner", "club", "champion")
"""Names of the drivers, the strong ones from the weakest on."""


BEGINS: Final = frozenset({"gear", "start", "declare"})
"""Questions with which a turn begins."""
Progress = Callable[[float], None]
"""Callback that receives the share done, 0 to 1."""


class Driver(Protocol):
    """Answers any question of a race, whichever its rulebook keeps; must leave the state as it is."""

    def answer(self, asked: Asked, race: Any) -> Json:
        """Return a legal answer to the open question."""
        ...


def chooses(asked: Asked) -> bool:
    """Return True if a driver chooses the answer: no die and no look at the board tells it."""
    return asked.car is not None and asked.faces is None and asked.ask != "saw"
