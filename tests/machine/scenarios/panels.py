"""Other panels than the 7 inch one, and pictures that are turned."""

from __future__ import annotations

from tests.machine.bench import CLOCK, SEVEN, Bench, Fingers, Panel
from tests.machine.guest import DATA, SCREEN, Guest
from tests.machine.racing import at_a_gear, begun
from tests.screens.appliance import Appliance

HDMI: Panel = (1280, 720, "wch.cn USB2IIC_CTP_CONTROL")
UPRIGHT: Panel = (720, 1280, "Goodix Capacitive TouchScreen")
"""Touch Display 2, as it stands."""


def hdmi(bench: Bench) -> None:
    """A screen of 1280 x 720 shows what the same app shows of that size, and is touched there."""
    switched_on(bench, HDMI, 0)


def upright(bench: Bench) -> None:
    """A Touch Display 2 lying on its long side: picture and touch are turned by 90 and by 270 degrees."""
    for degrees in (90, 270):
        switched_on(bench, UPRIGHT, degrees)


def head_over(bench: Bench) -> None:
    """The 7 inch display hung from above, as many a stand wants it: turned by 180 degrees."""
    with bench.at_home() as (guest, twin):
        guest.run(f"echo rotation = 180 >> {DATA}/settings.toml && systemctl restart {SCREEN}")
        played(bench, guest, twin, SEVEN, 180)


def switched_on(bench: Bench, panel: Panel, turned: int) -> None:
    """A machine with that panel, from power-on."""
    folder = begun(bench.room / f"data-{turned}", at_a_gear)
    flat = panel[1::-1] if turned % 180 else panel[:2]
    with bench.twin(folder, flat) as twin:
        with open(folder / "settings.toml", "a") as settings:
            settings.write(f"rotation = {turned}\n")
        with bench.machine(bench.races(folder), panel) as guest:
            bench.say(f"first page {guest.ready():.0f} s after power-on")
            played(bench, guest, twin, panel, turned)


def played(bench: Bench, guest: Guest, twin: Appliance, panel: Panel, turned: int) -> None:
    """First page, question and answer on that panel."""
    name = f"{panel[0]}x{panel[1]}-{turned}"
    bench.same(guest, twin, f"{name}-home", turned=turned, most=CLOCK)
    fingers = Fingers(bench, guest, twin, panel, turned)
    fingers.resume()
    fingers.answer()
    bench.same(guest, twin, f"{name}-answered", turned=turned)
