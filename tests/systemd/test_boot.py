"""The units under a real systemd, with a program in the place of ours that says what the touchscreen says."""

from __future__ import annotations

import contextlib
import runpy
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.systemd.boot import Booted, Hindered, booted, until

FOLDER = Path(__file__).parent.parent.parent / "systemd"
SCREEN = "companion-screen.service"
RACES = "var-lib-companion.mount"

PROGRAM = """#!/usr/bin/python3
import glob, os, socket, sys, time

if sys.argv[1:3] == ["races", "backup"]:
    os.mkdir(sys.argv[3])
    open(sys.argv[3] + "/copy", "w").close()
    sys.exit()
out = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
time.sleep(0.5)
out.sendto(b"READY=1", os.environ["NOTIFY_SOCKET"])
open(os.environ["STATE_DIRECTORY"] + "/races.db", "a").close()
for light in glob.glob("/sys/class/backlight/*/brightness"):
    open(light, "w").write("80")
while True:
    out.sendto(b"WATCHDOG=1", os.environ["NOTIFY_SOCKET"])
    time.sleep(0.2)
"""
# A panel, whose light is its group's as the rule of udev has it.
PANEL = """
mount -t tmpfs tmpfs /sys/devices/virtual
mount -t tmpfs tmpfs /sys/class
mkdir -p /sys/devices/virtual/backlight/panel /sys/class/backlight
ln -s ../../devices/virtual/backlight/panel /sys/class/backlight/panel
echo 100 > /sys/class/backlight/panel/brightness
chgrp video /sys/class/backlight/panel/brightness
chmod g+w /sys/class/backlight/panel/brightness
"""
# A stick that needs no stick, and patience that is a test's.
DROPS = {
    f"{SCREEN}.d": "[Service]\nWatchdogSec=5\n",
    "media-companion.mount.d": "[Mount]\nWhat=tmpfs\nType=tmpfs\nOptions=\nOptions=nodev,nosuid,noexec,uid=companion\n",
}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """What the installer puts into the system, and the program."""
    made = tmp_path / "files"
    for name, place in runpy.run_path(str(FOLDER / "appliance.py"))["PLACES"].items():
        (made / place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(FOLDER / name, made / place / name)
    for folder, text in DROPS.items():
        (made / "etc/systemd/system" / folder).mkdir()
        (made / "etc/systemd/system" / folder / "test.conf").write_text(text)
    # As Raspberry Pi OS has it, and with a partition for the races, which needs no disk here.
    (made / "usr/lib/systemd/journald.conf.d").mkdir(parents=True)
    (made / "usr/lib/systemd/journald.conf.d/40-rpi-volatile-storage.conf").write_text("[Journal]\nStorage=volatile\n")
    lines = (FOLDER / RACES).read_text().splitlines()
    kept = "\n".join(line for line in lines if not line.startswith(("Wants", "After")))
    kept = kept.replace("/dev/disk/by-label/races", "races").replace("ext4", "tmpfs").replace(",commit=5", "")
    (made / "etc/systemd/system" / RACES).write_text(kept)
    local = made / "etc/systemd/system/local-fs.target.wants"
    local.mkdir()
    (local / RACES).symlink_to(f"../{RACES}")
    wants = made / "etc/systemd/system/getty.target.wants"
    wants.mkdir()
    (wants / "getty@tty1.service").symlink_to("/usr/lib/systemd/system/getty@.service")
    program = made / "opt/companion/current/bin/companion"
    program.parent.mkdir(parents=True)
    program.write_text(PROGRAM)
    program.chmod(0o755)
    return made


def started(machine: Booted, before: str = "0") -> str:
    """The process of the screen, once it is another than before and ready."""
    assert until(lambda: machine.show(SCREEN, "MainPID") not in (before, "0", ""))
    assert until(lambda: machine.show(SCREEN, "ActiveState") == "active")
    return machine.show(SCREEN, "MainPID")


def exported(machine: Booted, process: str) -> bool:
    """Whether a process sees the stick, may write to it and is obeyed by nothing on it."""
    mounts = [line.split() for line in machine.run("cat", f"/proc/{process}/mountinfo").splitlines()]
    stick = [mount[5] for mount in mounts if mount[4] == "/media/companion"]
    return bool(stick) and {"rw", "nosuid", "nodev", "noexec"} <= set(stick[-1].split(","))


@pytest.fixture
def machine(tmp_path: Path, files: Path) -> Iterator[Booted]:
    """A machine with the units; one that cannot be booted here is not tried."""
    with contextlib.ExitStack() as stack:
        try:
            machine = stack.enter_context(booted(tmp_path / "room", files))
        except Hindered as why:
            pytest.skip(f"No other machine can be booted in this one: {why}.")
        yield machine


def test_the_screen_begins_with_the_machine_and_is_started_anew_however_it_ends(machine: Booted) -> None:
    first = started(machine)
    assert machine.show("getty@tty1.service", "ActiveState") == "inactive", "the console is the screen's"
    status = machine.run("cat", f"/proc/{first}/status")
    assert "CapEff:\t0000000000000000" in status
    assert "NoNewPrivs:\t1" in status
    assert machine.run("stat", "--format=%U %a", "/var/lib/companion/races.db") == "companion 600"

    assert machine.run("findmnt", "-n", "-o", "SOURCE", "/var/lib/companion") == "races"
    assert RACES in machine.show(SCREEN, "Requires").split(), "no race is begun without its partition"
    machine.run("sh", "-c", "test -s /var/log/journal/*/system.journal")

    machine.run("sh", "-ec", PANEL)
    machine.run("sh", "-c", f"kill -KILL {first}")
    second = started(machine, first)
    assert until(lambda: machine.run("cat", "/sys/class/backlight/panel/brightness") == "80"), "as the settings say"
    machine.run("sh", "-c", f"kill -STOP {second}")
    third = started(machine, second)
    assert "Watchdog timeout" in machine.run("journalctl", "--unit", SCREEN)

    machine.run("systemctl", "start", "companion-backup.service")
    machine.run("test", "!", "-e", "/media/companion/companion")
    machine.run("systemctl", "start", "media-companion.mount")
    copy = "/media/companion/companion/copy"
    assert until(lambda: machine.show("companion-backup.service", "ExecMainExitTimestamp"))
    assert machine.run("stat", "--format=%U", copy) == "companion"
    assert exported(machine, third), "the screen can write to it"
    machine.run("systemctl", "stop", "media-companion.mount")
    assert not exported(machine, third)
    assert machine.show(SCREEN, "NRestarts") == "2"

    machine.run("systemctl", "start", "media-companion.mount")
    machine.run("systemctl", "restart", SCREEN)
    assert exported(machine, started(machine, third)), "and if the stick was there first"
