"""Boards of arm64 that start from the image of a card: a virtual one, and qemu's Raspberry Pi 3.

Nothing is put into the image: a disk beside it has the agent, and a unit on the kernel's command line starts it.
"""

from __future__ import annotations

import base64
import re
import shutil
from pathlib import Path

from tests.machine import shelf
from tests.machine.card import BEGINS, SUITE, written
from tests.machine.guest import CALM, Guest, drives, form
from tests.machine.host import mmdebstrap, run
from tests.machine.image import file_system

TREE = "bcm2837-rpi-3-b.dtb"
"""A Pi 3 as Debian's kernel knows it."""
LIBRARIES = "usr/lib/aarch64-linux-gnu"
UNIT = f"""\
[Unit]
StartLimitIntervalSec=0
[Service]
ExecStartPre=/bin/sh -c 'mountpoint -q /run/luggage || mount --mkdir -o ro LABEL=luggage /run/luggage'
ExecStartPre=/bin/cp -r /run/luggage/evdev /usr/lib/python3/dist-packages
ExecStart=/lib/ld-linux-aarch64.so.1 --library-path /run/luggage/{LIBRARIES} /run/luggage/usr/sbin/qemu-ga -m METHOD
Restart=on-failure
RestartSec=2
"""
"""What lets us in, where METHOD is the agent's way out."""


def luggage() -> Path:
    """`luggage.img`: qemu's agent and Debian's python3-evdev, unpacked."""

    def make(place: Path) -> None:
        packages, root = ["qemu-guest-agent", "python3-evdev"], place / "root"
        mmdebstrap(SUITE, packages, root, architecture="arm64", variant="extract")
        taken = place / "taken"
        (taken / "usr/sbin").mkdir(parents=True)
        shutil.copy(root / "usr/sbin/qemu-ga", taken / "usr/sbin")
        shutil.copytree(root / LIBRARIES, taken / LIBRARIES, symlinks=True)
        shutil.copytree(root / "usr/lib/python3/dist-packages/evdev", taken / "evdev")
        file_system(place / "luggage.img", "256M", "luggage", taken)
        for folder in (root, taken):
            shutil.rmtree(folder)

    return shelf.kept(f"card-luggage-{SUITE}", [SUITE], make) / "luggage.img"


def fetched(image: Path, into: Path, tree: str = "") -> Path:
    """What the Pi's firmware loads from a card, as it finds it there by `config.txt`: `kernel`, `initrd`, the words of
    `cmdline.txt`, and a device tree as `tree.dtb` where one is named."""
    into.mkdir()
    partition = f"{image}@@{BEGINS}"
    told = run("mtype", "-i", partition, "::config.txt")
    names = {"cmdline": "cmdline.txt"} | ({"tree.dtb": tree} if tree else {})
    for file, line in {"kernel": r"kernel=(\S+)", "initrd": r"initramfs (\S+)"}.items():
        names[file] = re.findall(rf"^{line}$", told, re.MULTILINE)[0]
    for file, name in names.items():
        run("mcopy", "-i", partition, f"::{name}", into / file)
    return into


PICTURE = (1 << 30) - (64 << 20) + (1 << 20)
"""Where qemu's Pi has its picture: a megabyte into what it keeps of its memory for graphics."""

REVISION = "a02082"
"""How a Pi 3 tells gpiozero what it is."""


def handed_on(tree: Path, size: tuple[int, int]) -> None:
    """Has a device tree tell of the picture that the firmware has set up, and of the board's revision, as the firmware
    of a Pi does; and takes Bluetooth out of it, which qemu has not: the serial port where it sits is our agent's."""
    wide, high = size
    run("fdtput", "-c", tree, "/system")
    frame = f"/chosen/framebuffer@{PICTURE:x}"
    run("fdtput", "-c", tree, frame)
    for node, kind, name, *value in (
        ("/chosen", "i", "#address-cells", "1"), ("/chosen", "i", "#size-cells", "1"), ("/chosen", "i", "ranges"),
        (frame, "s", "compatible", "simple-framebuffer"), (frame, "x", "reg", f"{PICTURE:x}", f"{wide * high * 4:x}"),
        (frame, "i", "width", str(wide)), (frame, "i", "height", str(high)), (frame, "i", "stride", str(wide * 4)),
        (frame, "s", "format", "x8r8g8b8"), ("/system", "x", "linux,revision", REVISION),
    ):  # fmt: skip
        run("fdtput", "-t", kind, tree, node, name, *value)
    run("fdtput", "-r", tree, "/soc/serial@7e201000/bluetooth")


DRIVERS = [
    *("bcm2835", "sdhci-iproc", "mmc_block", "ext4", "vfat", "nls_cp437", "nls_ascii", "dwc2", "phy-generic"),
    *("usbhid", "hid-generic", "usb_storage", "sd_mod", "vc4", "bcm2835_wdt"),
]
"""What Debian has for the parts of a Pi 3."""


def bare() -> Path:
    """`card.img`: a card with Debian's kernel and, in the place of its system, one script that tries the parts. It is
    made in minutes, as nothing of it has to run here."""
    script = Path(__file__).parent / "carried/parts.sh"

    def make(place: Path) -> None:
        root, first, system = place / "root", place / "first", place / "system"
        packages = ["linux-image-arm64", "busybox-static"]
        mmdebstrap(SUITE, packages, root, architecture="arm64", variant="extract")
        version = next((root / "usr/lib/modules").iterdir()).name
        run("depmod", "-b", root / "usr", version)
        for folder in (first / "bin", first / "modules", system / "boot/firmware", system / "etc"):
            folder.mkdir(parents=True)
        needed = run("modprobe", "-d", root / "usr", "-S", version, "--show-depends", "-a", *DRIVERS).splitlines()
        for at, line in enumerate(dict.fromkeys(one.split()[1] for one in needed if one.startswith("insmod"))):
            shutil.copy(line, first / f"modules/{at:03}-{Path(line).name}")
        run("sh", "-c", 'xz -d "$1"/modules/*', "sh", first)
        shutil.copy(next(root.glob("usr/bin/busybox")), first / "bin")
        shutil.copy(script, first / "init")
        (first / "init").chmod(0o755)
        firmware = system / "boot/firmware"
        run(
            "sh", "-c", 'cd "$1" && find . | cpio -o -H newc --quiet | gzip -1 > "$2"', "sh", first, firmware / "initrd"
        )
        shutil.copy(root / f"boot/vmlinuz-{version}", firmware / "kernel")
        shutil.copy(root / f"usr/lib/linux-image-{version}/broadcom" / TREE, firmware)
        (firmware / "config.txt").write_text("kernel=kernel\ninitramfs initrd\n")
        (firmware / "cmdline.txt").write_text("root=LABEL=table rw rootwait\n")
        (system / "etc/hostname").write_text("table\n")
        written(system, place / "card.img")
        for folder in (root, first, system):
            shutil.rmtree(folder)

    return shelf.kept(f"card-bare-{SUITE}", [script, *DRIVERS], make) / "card.img"


def shared(stick: Path) -> str:
    """A stick that lies on the shelf, for several machines at a time: what one writes to it is lost."""
    return f"file={stick},format={form(stick)},snapshot=on"


class Board(Guest):
    """A board of arm64 that runs a card's kernel."""

    CONSOLE: str
    METHOD: str
    """The agent's way out."""

    def kernel(self, base: Path) -> list[str]:
        """What its firmware loads, and the words that it gives the kernel; where the console is and what starts our
        agent are added."""
        unit = base64.b64encode(UNIT.replace("METHOD", self.METHOD).encode()).decode()
        agent = f"systemd.set_credential_binary=systemd.extra-unit.agent.service:{unit} systemd.wants=agent.service"
        words = f"{(base / 'cmdline').read_text().strip()} console={self.CONSOLE} {CALM} {agent}"
        return ["-kernel", str(base / "kernel"), "-initrd", str(base / "initrd"), "-append", words]


class Virtual(Board):
    """No board that was ever built: two processors as a Pi 4 has four, a display and a touch by virtio."""

    CONSOLE = "ttyAMA0"
    METHOD = "virtio-serial -p /dev/virtio-ports/org.qemu.guest_agent.0"

    def board(self, base: Path, disks: tuple[Path, ...], size: tuple[int, int], boots: bool) -> list[str]:
        card, stick = disks
        return [
            "qemu-system-aarch64", "-nodefaults", "-no-user-config", "-machine", "virt", "-cpu", "cortex-a72",
            "-accel", "tcg,thread=multi", "-smp", "2", "-m", "1024", "-no-reboot", "-nic", "none", "-display", "none",
            "-device", "virtio-serial-pci", "-device", "qemu-xhci,id=usb", *drives((card,)), *self.kernel(base),
            "-drive", f"{shared(stick)},if=virtio",
            "-device", f"virtio-gpu-pci,xres={size[0]},yres={size[1]}",
            "-device", "virtserialport,chardev=agent,name=org.qemu.guest_agent.0",
        ]  # fmt: skip


class Pi(Board):
    """qemu's Raspberry Pi 3: its processors, memory, card, USB and display."""

    CONSOLE = "ttyS1,115200"
    METHOD = "isa-serial -p /dev/ttyAMA0"

    def board(self, base: Path, disks: tuple[Path, ...], size: tuple[int, int], boots: bool) -> list[str]:
        card, stick = disks
        mode = {"xres": size[0], "yres": size[1], "bpp": 32}
        return [
            "qemu-system-aarch64", "-nodefaults", "-no-user-config", "-machine", "raspi3b", "-no-reboot",
            "-accel", "tcg,thread=multi", "-display", "none", *self.kernel(base), "-dtb", str(base / "tree.dtb"),
            "-drive", f"file={card},if=sd,format={form(card)}", "-serial", "chardev:agent",
            "-drive", f"{shared(stick)},if=none,id=stick", "-device", "usb-storage,drive=stick",
            *(word for name, value in mode.items() for word in ("-global", f"bcm2835-fb.{name}={value}")),
        ]  # fmt: skip
