"""The image of a Raspberry Pi's card, started from: on a virtual board of arm64, and on qemu's Raspberry Pi 3."""

from __future__ import annotations

import functools
import re
from pathlib import Path

from tests.machine import boards
from tests.machine.bench import SEVEN, Bench, Fingers
from tests.machine.card import BEGINS, card, equipped
from tests.machine.guest import DATA, SCREEN, Guest
from tests.machine.host import run
from tests.machine.racing import at_a_gear, begun

ZONE = "Europe/Paris"
TABLE = f"""
language = "en"
keyboard = "fr"
time_zone = "{ZONE}"
name = "table-7"
[login]
name = "ada"
password = "at the table"
"""


def virtual(bench: Bench) -> None:
    """A card on a virtual board of arm64: it takes all of itself, is set up, and a turn is played by fingers.

    The pins' library, for which PyPI has no wheel, is one that the installer has compiled."""
    disk, base = inserted(bench)
    with bench.switched_on(boards.Virtual(bench.room, base, disk, boards.luggage())) as guest:
        bench.say(f"booted {guest.booted():.0f} s after power-on")
        bench.say(f"first page, READY, {guest.ready():.0f} s after power-on")
        own(bench, guest)
        assert guest.show(SCREEN, "NRestarts") == "0", guest.journal(SCREEN)
        bench.shown(guest, "arm64-first")
        turn(bench, guest, "arm64")


def parts(bench: Bench) -> None:
    """Debian's kernel on qemu's Raspberry Pi 3, loaded from a card as the firmware loads it, with one script in the
    place of a system: card, USB, pins and the firmware's picture are there; a display to draw on is not."""
    equipped()
    disk, base = slotted(bench, boards.bare(), boards.TREE, 2 << 30)
    with bench.switched_on(boards.Pi(bench.room, base, disk, boards.luggage())) as guest:
        said = functools.partial(guest.console.read_text, errors="replace")
        guest.wait(lambda: "board: " in said())
        guest.qmp.do("device_add", driver="usb-kbd", id="keyboard", bus="usb-bus.0")
        bench.say(f"all told {guest.wait(lambda: 'told: all' in said()):.0f} s after power-on")
        told = dict(re.findall(r"(?:^|\W)([a-z]+): (.*?)\s*$", said(), re.MULTILINE))
    for part, wanted in {
        "board": "Raspberry Pi 3 Model B, 00a02082", "card": "bcm2837-rpi-3-b.dtb cmdline.txt config.txt initrd kernel",
        "system": "table", "stick": "QEMU", "keyboard": 'N: Name="QEMU QEMU USB Keyboard"', "picture": "800,480",
        "display": "0", "pin": "1 0 1", "watchdog": "/dev/watchdog0",
    }.items():  # fmt: skip
        assert told.get(part) == wanted, (part, told.get(part))


def pi(bench: Bench) -> None:
    """The same card in the socket of qemu's Raspberry Pi 3, as far as qemu has one: it starts by itself, USB and the
    registers of the pins are there; no display that a program without a desktop could draw on, and so no first page."""
    disk, base = inserted(bench, boards.TREE)
    with bench.switched_on(boards.Pi(bench.room, base, disk, boards.luggage())) as guest:
        bench.say(f"booted {guest.booted():.0f} s after power-on")
        own(bench, guest)
        bench.shown(guest, "pi")
        for command, wanted in {
            "tr -d '\\0' < /proc/device-tree/model": "Raspberry Pi 3 Model B",
            "cat /sys/class/graphics/fb0/virtual_size": "800,480",
            "ls -d /sys/class/drm/card*": "ls: cannot access '/sys/class/drm/card*': No such file or directory",
            f"runuser -u companion -g gpio -- {PYTHON} -c '{PINS}'": "3B 1 0 1",
        }.items():
            assert (said := guest.run(command, must=False)) == wanted, (command, said)
        guest.qmp.do("device_add", driver="usb-kbd", id="keyboard", bus="usb-bus.0")
        guest.wait(lambda: "QEMU USB Keyboard" in guest.run("cat /proc/bus/input/devices"), 300)
        guest.wait(lambda: "There is no display" in guest.journal(SCREEN), 900)


PYTHON = "/opt/companion/current/bin/python"
PINS = """
from hardware.gpio import factory
pin = (pins := factory()).pin(17)
pin.function = "output"
read = []
for pin.state in (1, 0, 1):
    read.append(int(pin.state))
print(pins.board_info.model, *read)
"""
"""What the board is taken for, and a pin that is set and read back."""


def inserted(bench: Bench, tree: str = "") -> tuple[Path, Path]:
    """A card of 4 GB with the image on it and the file `table.toml` as somebody has written it."""
    disk, base = slotted(bench, card() / "card.img", tree, 4 << 30)
    (asked := bench.room / "table.toml").write_text(TABLE)
    run("mcopy", "-o", "-i", f"{disk}@@{BEGINS}", asked, "::")
    return disk, base


def slotted(bench: Bench, image: Path, tree: str, size: int) -> tuple[Path, Path]:
    """A card of that size with an image on it, and what the firmware loads from it."""
    disk = bench.room / "card.img"
    run("cp", "--sparse=always", image, disk)
    with open(disk, "r+b") as file:
        file.truncate(size)
    base = boards.fetched(disk, bench.room / "loaded", tree)
    if tree:
        boards.handed_on(base / "tree.dtb", SEVEN[:2])
    return disk, base


def own(bench: Bench, guest: Guest) -> None:
    """The first start has done what it is for."""
    size = int(guest.run("findmnt -n -b -o SIZE /"))
    assert size > 3 << 30, size
    for command, wanted in {
        "hostname": "table-7",
        "stat -c %G /dev/gpiochip0": "gpio",
        "ls /boot/firmware/table*": "ls: cannot access '/boot/firmware/table*': No such file or directory",
        "readlink /etc/localtime": f"/usr/share/zoneinfo/{ZONE}",
        "id -n -u ada": "ada",
        f"systemctl show --value --property=Environment {SCREEN}": "LANG=en",
        "ls /etc/ssh/ssh_host_ed25519_key": "/etc/ssh/ssh_host_ed25519_key",
        f"{PYTHON} -c 'import lgpio; print(lgpio.LGPIO_PY_VERSION > 0)'": "True",
    }.items():
        assert (said := guest.run(command, must=False)) == wanted, (command, said)
    bench.say(f"root of {size >> 20} MB on a card of 4096; {guest.run('uname -r -m')}")
    bench.say(guest.run("systemd-analyze; systemd-analyze blame | grep -E 'first-start|companion'", must=False))


def turn(bench: Bench, guest: Guest, name: str) -> None:
    """A turn by fingers of a race that is put onto the card: each picture is the one of the same app without a
    display."""
    folder = begun(bench.room / "data", at_a_gear)
    guest.run(f"systemctl stop {SCREEN} && find {DATA} -type f -delete")
    for file in filter(Path.is_file, folder.iterdir()):
        guest.agent.write(f"{DATA}/{file.name}", file.read_bytes())
    guest.run(f"chown -R companion: {DATA} && systemctl start {SCREEN}")
    with bench.twin(folder, zone=ZONE) as twin:
        bench.same(guest, twin, f"{name}-home", 900)
        fingers = Fingers(bench, guest, twin)
        fingers.resume()
        first = twin.see()["title"]
        for at in range(1, 9):
            fingers.answer()
            bench.same(guest, twin, f"{name}-turn-{at}")
            if twin.see()["title"] == first:
                break
