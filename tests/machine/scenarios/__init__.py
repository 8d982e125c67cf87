"""What is tried on a machine, in the order of a whole run. Each is one function that says what it proves."""

from __future__ import annotations

from collections.abc import Callable

from tests.machine.bench import Bench
from tests.machine.scenarios.install import install
from tests.machine.scenarios.power import cut_in_a_race, power_on
from tests.machine.scenarios.service import frozen, waits_for_the_display
from tests.machine.scenarios.stick import yanked
from tests.machine.scenarios.touch import late, turn

SCENARIOS: dict[str, Callable[[Bench], None]] = {
    "install": install,
    "power-on": power_on,
    "turn": turn,
    "late-touch": late,
    "display": waits_for_the_display,
    "frozen": frozen,
    "stick": yanked,
    "cuts": cut_in_a_race,
}
