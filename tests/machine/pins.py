"""Pins that are not there: the kernel's own simulation of a GPIO chip (gpio-sim), which Debian's kernel leaves out and
which is built for it here, and the library that reaches pins (lgpio), of which there is no wheel for this processor."""

from __future__ import annotations

import runpy
import shlex
import urllib.request
from pathlib import Path

from tests.machine import shelf
from tests.machine.guest import Guest
from tests.machine.host import mmdebstrap

INSTALLER = Path(__file__).parents[2] / "systemd/appliance.py"
NOWHERE = Path("/dev/null")
"""Where a Debian goes that was needed for a moment."""

HEADERS = ["gcc", "make", "libc6-dev", "kmod", "linux-headers-amd64", "linux-source", "xz-utils"]
COMPILE = r"""
mkdir /root/pins && cd /root/pins
tar -x --strip-components=3 --wildcards -f /usr/src/linux-source-*.tar.xz '*/gpio/gpio-sim.c' '*/irq/irq_sim.c'
sed -i 's/irq_to_desc(\([^)]*\))/irq_data_to_desc(irq_get_irq_data(\1))/' gpio-sim.c irq_sim.c
echo 'obj-m := pins.o' > Makefile
echo 'pins-y := '$(ls ./*.c | sed 's/\.c$/.o/') >> Makefile
make -s -C /usr/src/linux-headers-*-amd64 M=/root/pins modules
"""
"""The simulation needs another part that the kernel was built without; both become one module, pins.ko."""


def module(suite: str) -> Path:
    """`pins.ko` for the kernel of that Debian."""

    def make(place: Path) -> None:
        mmdebstrap(suite, HEADERS, NOWHERE, inside(COMPILE), f'cp "$1/root/pins/pins.ko" {place}')

    return shelf.kept(f"pins-{suite}", [*HEADERS, COMPILE], make) / "pins.ko"


def inside(script: str) -> str:
    """The line of shell that runs a script below that root."""
    return f'chroot "$1" sh -euc {shlex.quote(script)}'


LIBRARY = """
PIP_FIND_LINKS=/root python3 - <<'.'
import pathlib, runpy
runpy.run_path("/root/appliance.py")["compiled"](pathlib.Path("/root/made"))
.
"""


def library(suite: str) -> list[Path]:
    """`lgpio.py` and what is compiled of it, for the Python of that Debian, as the installer compiles it where it finds
    none: for this processor there is no wheel of it."""
    made = runpy.run_path(str(INSTALLER))

    def make(place: Path) -> None:
        with urllib.request.urlopen(made["PUBLISHED"] + made["PINS"]) as found:
            (place / made["PINS"]).write_bytes(found.read())
        there = f'mkdir "$1/root/made" && cp {place / made["PINS"]} {INSTALLER} "$1/root"'
        mmdebstrap(suite, [*made["COMPILER"]], NOWHERE, there, inside(LIBRARY), f'cp "$1"/root/made/* {place}')

    return sorted(shelf.kept(f"lgpio-{suite}", [INSTALLER, LIBRARY], make).glob("*lgpio*.[ps][yo]"))


CPU = """\
Hardware\t: BCM2835
Revision\t: c03115
Model\t\t: Raspberry Pi 4 Model B Rev 1.5
"""
"""What a Pi 4 says of itself, by which gpiozero knows the header."""
CHIP = r"""
modprobe configfs
mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
insmod /run/pins.ko
mkdir -p /sys/kernel/config/gpio-sim/header/bank
cd /sys/kernel/config/gpio-sim/header
echo 58 > bank/num_lines
echo pinctrl-bcm2711 > bank/label
echo 1 > live
udevadm settle
unit=/etc/systemd/system/companion-screen.service.d
mkdir -p $unit
printf '[Service]\nBindReadOnlyPaths=/run/cpuinfo:/proc/cpuinfo\n' > $unit/pi.conf
systemctl daemon-reload
ls -d /sys/devices/platform/gpio-sim.*/gpiochip*/sim_gpio0
"""


class Header:
    """The 40 pins of a Pi 4 in a guest, with somebody's fingers on the buttons and eyes on the lamps. The screen has
    them once it is started anew."""

    def __init__(self, guest: Guest, suite: str) -> None:
        self.guest = guest
        guest.agent.write("/run/pins.ko", module(suite).read_bytes())
        guest.agent.write("/run/cpuinfo", CPU.encode())
        site = guest.run("echo /opt/companion/current/lib/python3*/site-packages")
        for file in library(suite):
            guest.agent.write(f"{site}/{file.name}", file.read_bytes())
        self.folder = guest.run(CHIP).splitlines()[-1].rpartition("/")[0]
        guest.run("chgrp gpio /dev/gpiochip* && chmod g+rw /dev/gpiochip*")  # as the rules of Raspberry Pi OS do

    def press(self, pin: int, seconds: float = 0.2) -> None:
        """A button between the pin and ground. One program does it all: a shell would first have to start a `sleep`,
        which takes an emulated processor as long as a press."""
        pull = f"pull = pathlib.Path('{self.folder}/sim_gpio{pin}/pull')"
        presses = f"pull.write_text('pull-down'); time.sleep({seconds}); pull.write_text('pull-up')"
        self.guest.run(f'python3 -c "import pathlib, time; {pull}; {presses}"')

    def let_go(self, pins: list[int]) -> None:
        """As the Pi's own resistors pull them, which this chip has not."""
        self.guest.run("; ".join(f"echo pull-up > {self.folder}/sim_gpio{pin}/pull" for pin in pins))

    def watch(self, pins: list[int]) -> None:
        """From here on what these pins are set to is written down."""
        source = Path(__file__).parent / "carried/lamps.py"
        self.guest.agent.write("/run/lamps.py", source.read_bytes())
        unit = "systemd-run -q --unit=lamps -p StandardOutput=file:/run/lamps"
        self.guest.run(f"{unit} python3 /run/lamps.py {self.folder} {' '.join(map(str, pins))}")

    def seen(self) -> list[tuple[float, int, bool]]:
        """What was seen: when, which pin, and whether it was lit."""
        lines = [line.split() for line in self.guest.run("cat /run/lamps").splitlines()]
        return [(float(at), int(pin), lit == "1") for at, pin, lit in lines]
