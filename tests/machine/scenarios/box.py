"""The box of buttons and lamps, on the pins of a chip that the kernel simulates."""

from __future__ import annotations

from itertools import pairwise

from hardware.debounce import MEANS
from hardware.wiring import wiring
from tests.machine.bench import Bench
from tests.machine.guest import SCREEN
from tests.machine.pins import Header
from tests.machine.racing import at_the_start, begun

PRESSES = (
    ("down", "down", 0.2), ("up", "up", 0.2), ("last", "up", 1.2), ("first", "down", 1.2), ("confirm", "confirm", 0.2),
    ("undo", "undo", 0.2), ("confirm", "confirm", 0.2), ("history", "undo", 1.2), ("undo", "undo", 0.2),
    ("override", "confirm", 1.2), ("undo", "undo", 0.2), ("next", "next", 0.2), ("pause", "next", 1.2),
    ("pause", "clock", 0.2),
)  # fmt: skip
"""What a press means to the app, the button, and the seconds for which it is held."""
FOUND = 0.003
"""In parts of all pixels: on its first page the machine says that it has found buttons, which its twin has not."""


def box(bench: Bench) -> None:
    """By lgpio and with the unit's whole hardening a race is resumed and answered by buttons alone, from the start on.

    Each button does what it is for, the status lamp says so, the five start lights come on one after the other, and the
    buzzer is heard."""
    pins = dict(wiring().pins())
    buttons = [name for name in MEANS if name in pins]
    lamps = [name for name in pins if name not in MEANS]
    start = [pins[f"start {at}"] for at in range(1, 6)]
    folder = begun(bench.room / "data", at_the_start)
    with bench.at_home(folder) as (guest, twin):
        header = Header(guest, bench.suite)
        header.let_go([pins[name] for name in buttons])
        header.watch([pins[name] for name in lamps])
        guest.run(f"systemctl restart {SCREEN}")
        bench.same(guest, twin, "box-home", most=FOUND)
        guest.twice_alive()

        def press(name: str, button: str, seconds: float = 0.2) -> None:
            header.press(pins[button], seconds)
            twin.do("press", name=name)
            twin.until(lambda: twin.see()["n"] is not None)
            bench.settled(guest, twin, f"box-{name}", told=True)

        press("confirm", "confirm")
        guest.wait(lambda: any(pin == start[-1] and on for _, pin, on in header.seen()), 60)
        began = [next(at for at, pin, on in header.seen() if on and pin == lamp) for lamp in start]
        assert began == sorted(began), began
        bench.say(f"start lights {', '.join(f'{b - a:.1f} s' for a, b in pairwise(began))} apart")
        for name, button, seconds in PRESSES:
            press(name, button, seconds)
        assert guest.show(SCREEN, "NRestarts") == "0", guest.journal(SCREEN)
        seen = header.seen()
        for name in lamps:
            assert name == "wet" or any(on for _, pin, on in seen if pin == pins[name]), f"never lit: {name}"
        bench.say(f"{len(seen)} changes were seen on {len(lamps)} pins of lamps and buzzer")
