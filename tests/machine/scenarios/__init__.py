"""What is tried on a machine, in the order of a whole run. Each is one function that says what it proves."""

from __future__ import annotations

from collections.abc import Callable

from tests.machine.bench import Bench
from tests.machine.scenarios.box import box
from tests.machine.scenarios.card import parts, pi, virtual
from tests.machine.scenarios.clock import clock
from tests.machine.scenarios.disk import full_disk
from tests.machine.scenarios.doctor import doctor
from tests.machine.scenarios.idle import idle
from tests.machine.scenarios.install import install
from tests.machine.scenarios.panels import hdmi, head_over, upright
from tests.machine.scenarios.power import cut_and_booted, cuts, power_on, read_only
from tests.machine.scenarios.roller import roller
from tests.machine.scenarios.screens import loose_ribbon, two_cards
from tests.machine.scenarios.service import frozen, waits_for_the_display
from tests.machine.scenarios.stick import exfat, full, two, yanked
from tests.machine.scenarios.touch import flag, late, mouse, race, turn
from tests.machine.scenarios.upgrade import upgrade

SCENARIOS: dict[str, Callable[[Bench], None]] = {
    "install": install,
    "power-on": power_on,
    "turn": turn,
    "race": race,
    "flag": flag,
    "late-touch": late,
    "mouse": mouse,
    "display": waits_for_the_display,
    "loose-ribbon": loose_ribbon,
    "two-cards": two_cards,
    "frozen": frozen,
    "stick": yanked,
    "full-stick": full,
    "exfat": exfat,
    "two-sticks": two,
    "box": box,
    "roller": roller,
    "clock": clock,
    "full-disk": full_disk,
    "doctor": doctor,
    "hdmi": hdmi,
    "upright": upright,
    "head-over": head_over,
    "upgrade": upgrade,
    "cut": cut_and_booted,
    "cuts": cuts,
    "read-only": read_only,
    "idle": idle,
    "pi-parts": parts,
    "arm64": virtual,
    "pi": pi,
}
ARM64 = {"pi-parts", "arm64", "pi"}
"""Run only where they are named: all but the first want the image of a card, which takes an hour or more to be made."""
BRIEF = ["turn", "late-touch", "display"]
"""What fits ten minutes."""
