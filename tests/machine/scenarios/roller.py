"""A die-roller at a USB port: the firmware's own program behind a serial port of the machine."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

from companion.sheets.dice_statistics import rolled
from hardware.simulate import Simulated
from tests.machine.bench import Bench, Fingers
from tests.machine.guest import DATA, SCREEN, Guest
from tests.machine.racing import carried_out, kept

RULE = (
    'SUBSYSTEM=="tty", ATTRS{idVendor}=="0403", ATTRS{idProduct}=="6001", SYMLINK+="companion-roller", '
    'GROUP="dialout", MODE="0660", TAG+="systemd"\n'
)
"""A rule of the table's own, as the appliance's tells how to write one: qemu's port is none of a Pico."""
LOST = f"grep 'the die-roller.s port' {DATA}/companion.log || :"
"""What the program tells of a port that went away."""


class Digits:
    """What stands on the roller's digits."""

    def __init__(self) -> None:
        self.faces: list[int] = []

    def show(self, text: str) -> None:
        if text.strip().isdigit():
            self.faces.append(int(text))


@contextlib.contextmanager
def plugged(guest: Guest, port: Path) -> Iterator[None]:
    """The roller is in a socket of the machine for as long as this lasts."""
    serial = {"type": "serial", "data": {"device": str(port.resolve())}}
    guest.qmp.do("chardev-add", id="roller", backend=serial)
    guest.qmp.do("device_add", driver="usb-serial", id="roller", chardev="roller", bus="usb.0")
    guest.wait(lambda: guest.run("ls /dev/companion-roller", must=False) == "/dev/companion-roller", 60)
    yield
    guest.qmp.do("device_del", id="roller")
    guest.qmp.until("DEVICE_DELETED")
    guest.qmp.do("chardev-remove", id="roller")


def roller(bench: Bench) -> None:
    """A die-roller rolls for the race, is pulled out in the middle of it, which is told, and put in again.

    Every face that stood on its digits is in the race, and by a finger the race goes on without it."""
    digits, link = Digits(), bench.room / "roller"
    device = Simulated(link, seed=11, show=digits.show, by_hand=True)
    device.begin()
    with contextlib.closing(device), bench.at_home() as (guest, twin):
        guest.agent.write("/etc/udev/rules.d/71-roller.rules", RULE.encode())
        guest.run("udevadm control --reload")
        fingers = Fingers(bench, guest, twin)
        fingers.resume()
        for at in (1, 2):
            with plugged(guest, link):
                fingers.answer()  # a gear: now the die is asked for
                guest.wait(lambda: device.roller.ask, 120, 0.2)
                bench.shown(guest, f"roller-{at}-asked")
                many = len(digits.faces)
                device.press()
                guest.wait(lambda many=many: len(digits.faces) > many, 20, 0.1)  # type: ignore[misc]
                twin.rolled(digits.faces[-1])  # not by a finger: what Undo takes back then is another step
                bench.same(guest, twin, f"roller-{at}-rolled")
            guest.wait(lambda at=at: guest.run(LOST).count("port") >= at, 120)  # type: ignore[misc]
            time.sleep(3)
            bench.shown(guest, f"roller-{at}-lost")
            fingers.settled()
            fingers.answer()
            bench.same(guest, twin, f"roller-{at}-by-finger")
        assert guest.show(SCREEN, "NRestarts") == "0"
        guest.run("sync")
        guest.plug_pulled()
        after = carried_out(bench.room / "races.img", bench.room / "after")
        assert kept(after) == kept(twin.folder)
        told = [face for faces in rolled(after, by="roller").faces.values() for face in faces]
        assert sorted(told) == sorted(digits.faces), (told, digits.faces)
        bench.say(f"rolled {digits.faces}, and all of it stands in the race")
