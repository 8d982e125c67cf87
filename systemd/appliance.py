#!/usr/bin/env python3
"""Turn a machine with Raspberry Pi OS or Debian into a table's referee.

The commands are install, upgrade, rollback, races, port and uninstall.

Each version has its own folder in /opt/companion/versions, with the program and the files that it installs elsewhere
in the system. The link `current` names the running version, `previous` the one to return to; changing the version
means changing these links. The races are in /var/lib/companion, and every command keeps them, except uninstall --purge.

It runs before anything is installed, so it uses only Python's standard library.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import hashlib
import io
import json
import os
import platform
import re
import secrets
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent

PLACES: Final = {
    "companion-screen.service": "etc/systemd/system",
    "companion-console.service": "etc/systemd/system",
    "companion-hall.service": "etc/systemd/system",
    "companion-backup.service": "etc/systemd/system",
    "companion-backup.timer": "etc/systemd/system",
    "companion-access-point.path": "etc/systemd/system",
    "companion-access-point.service": "etc/systemd/system",
    "companion-access-point.service.d/root.conf": "etc/systemd/system",
    "companion-next-stick.service": "etc/systemd/system",
    "companion-next-stick.service.d/root.conf": "etc/systemd/system",
    "media-companion.mount": "etc/systemd/system",
    "companion-.service.d/hardened.conf": "etc/systemd/system",
    "companion-sysusers.conf": "etc/sysusers.d",
    "companion-journald.conf": "etc/systemd/journald.conf.d",
    "70-companion-display.rules": "etc/udev/rules.d",
    "70-companion-roller.rules": "etc/udev/rules.d",
    "70-companion-stick.rules": "etc/udev/rules.d",
    "70-companion-light.rules": "etc/udev/rules.d",
    "70-companion-pins.rules": "etc/udev/rules.d",
}
"""Files of this folder that are installed, with their places in the system."""
LOCK: Final = "requirements.txt"
"""Lock file of the packages to install, each with its version and the SHA-256 of its files."""
PROFILE: Final = "companion-table.nmconnection"
"""The table's own network for phones, as NetworkManager reads it, without its name and password."""
CONNECTIONS: Final = "etc/NetworkManager/system-connections"
COUNTRY: Final = "etc/modprobe.d/companion-country.conf"
"""File with the country whose rules the radio follows from the next start on."""
STARTER: Final = "access-point.sh"
"""Script that has NetworkManager start and stop the table's network."""
KNOWN: Final = "access-point.json"
"""File that tells the screen about the table's network."""
RACES: Final = "var-lib-companion.mount"
"""Mount unit of a partition for the races. Not in PLACES: every unit that keeps races would require it from then on."""
KEPT_FILES: Final = ("appliance.py", "README.md", "HALL.md", PROFILE, STARTER, LOCK, RACES)
"""Files of this folder that are kept next to the program."""
RULED: Final = ("backlight", "block", "drm", "gpio", "tty")
"""Subsystems that the udev rules are about; the rules apply to a device from its next event on."""
ENABLED: Final = ("companion-screen.service", "companion-backup.timer", "companion-access-point.path")
"""Units that start with the machine."""
PARTITION: Final = Path("/dev/disk/by-label/races")
PROGRAMS: Final = ("companion-screen.service", "companion-console.service", "companion-hall.service")
"""Programs of a machine, which runs any of them: the referee that people see, or race control."""
LGPIO: Final = "python3-lgpio"
"""Package of Raspberry Pi OS that drives the pins; Debian does not have it."""
PINS: Final = "lgpio-0.2.2.0.tar.gz"
"""Source archive of lgpio by its maker, compiled where neither the system nor PyPI has it for this Python."""
PUBLISHED: Final = (
    "https://files.pythonhosted.org/packages/56/33/26ec2e8049eaa2f077bf23a12dc61ca559fbfa7bea0516bf263d657ae275/"
)
SHA256: Final = "11372e653b200f76a0b3ef8a23a0735c85ec678a9f8550b9893151ed0f863fff"
COMPILER: Final = ("gcc", "libc6-dev", "python3-dev", "python3-setuptools", "swig")

COMMAND: Final = """\
#!/bin/sh
# The referee of this table, at the shell. All that writes races is done as the user companion, whatever options stand
# before the command: what root began the touchscreen could not go on with. Root keeps what reads, what reaches pins and
# ports, and what writes a file where root says.
export STATE_DIRECTORY="${STATE_DIRECTORY:-/var/lib/companion}"
command= value= writes=
for word; do
    case "$value$word" in
        --data | --lang | --size) value=: ;;
        :*) value= ;;
        -*) ;;
        *) command="$command $word" ;;
    esac
done
case "$(id -u)$command " in
    "0 races backup adopt "* | "0 rules save "* | "0 rules import "* | "0 rules delete "*) writes=1 ;;
    "0 races list "* | "0 races show "* | "0 races export "* | "0 races verify "* | "0 races backup "*) ;;
    "0 races form "* | "0 tracks "* | "0 rules "* | "0 hardware "* | "0 screenshots "*) ;;
    "0 sheets "* | "0 sheet show "* | "0 sheet blank "* | "0 export "* | "0 verify "* | "0 backup "*) ;;  # until 0.3
    "0 buttons "* | "0 roller "* | "0 doctor "*) ;;
    "0 "*) writes=1 ;;
esac
test "$writes" && exec runuser -u companion -- /opt/companion/current/bin/companion "$@"
exec /opt/companion/current/bin/companion "$@"
"""
ITSELF: Final = """\
#!/bin/sh
exec python3 /opt/companion/current/appliance/appliance.py "$@"
"""
COMMANDS: Final = {"usr/local/bin/companion": COMMAND, "usr/local/sbin/companion-appliance": ITSELF}
"""Commands for people, with their content."""


class Failed(Exception):
    """Raised if a command cannot be done; a sentence that says why, and what would help."""


class Machine:
    """The machine whose files are below `root`; it is the running one if that is "/"."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.opt = root / "opt/companion"
        self.versions = self.opt / "versions"
        self.data = root / "var/lib/companion"
        self.itself = root == Path("/")
        self.runs = self.itself and Path("/run/systemd/system").exists()
        """True if its services can be started and stopped."""

    def version(self, link: str) -> Path | None:
        """Return the folder that the link `current` or `previous` names, or None."""
        there = self.opt / link
        return self.versions / os.readlink(there).rpartition("/")[2] if there.is_symlink() else None

    def point(self, link: str, version: Path | None) -> None:
        """Set a link to a version, atomically; None removes the link."""
        if version is None:
            (self.opt / link).unlink(missing_ok=True)
        elif version != self.version(link):
            fresh = self.opt / f".{link}.new"
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(f"versions/{version.name}")
            fresh.replace(self.opt / link)

    def systemctl(self, *words: str, must: bool = True) -> bool:
        """Return True if systemctl succeeds; raises Failed if it `must` and does not."""
        elsewhere = [] if self.itself else [f"--root={self.root}"]
        done = subprocess.run(["systemctl", "--quiet", *elsewhere, *words], check=False).returncode == 0
        if must and not done:
            raise Failed(f"systemctl {' '.join(words)} failed; what it says stands above.")
        return done


def run(*words: str | Path) -> None:
    """Run a command; raises Failed."""
    try:
        subprocess.run(words, check=True)
    except (OSError, subprocess.CalledProcessError):
        raise Failed(f"{' '.join(map(str, words[:3]))} failed; what it says stands above.") from None


def if_there(*words: str | Path) -> None:
    """Run a command if the machine has it, ignoring its exit status.

    A Debian may lack NetworkManager, a container has no devices.
    """
    with contextlib.suppress(FileNotFoundError):
        subprocess.run(words, check=False)


# -- a version


def sources(source: Path) -> Iterator[Path]:
    """Yield the files of the project that make up a version."""
    yield source / "pyproject.toml"
    for room in ("companion", "hardware", "tracks", "systemd"):
        yield from sorted(
            path
            for path in (source / room).rglob("*")
            if path.is_file() and path.suffix != ".pyc" and "__pycache__" not in path.parts
        )


def named(source: Path) -> str:
    """Return the name of the version in `source`: its number, and a digest of the files.

    The digest tells versions with the same number apart.
    """
    try:
        number = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    except (OSError, KeyError, ValueError):
        raise Failed(f"{source} is not the project's folder; run this from the folder systemd of a clone.") from None
    digest = hashlib.sha256()
    for path in sources(source):
        digest.update(f"{path.relative_to(source)}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return f"{number}-{digest.hexdigest()[:8]}"


def build(machine: Machine, source: Path) -> Path:
    """Return the folder of the version in `source`, building it unless it is complete.

    A failed build leaves nothing behind.
    """
    version = machine.versions / named(source)
    if (version / "whole").exists():
        return version
    shutil.rmtree(version, ignore_errors=True)  # what an earlier try has left
    try:
        print(f"Building {version.name} ...", flush=True)
        run(sys.executable, "-m", "venv", version)
        pip = (version / "bin/python", "-m", "pip", "--disable-pip-version-check")
        run(*pip, "install", "-q", "--require-hashes", "--only-binary=:all:", "-r", source / "systemd" / LOCK)
        run(*pip, "install", "-q", "--no-index", "--no-deps", "--no-build-isolation", source)
        run(*pip, "check")  # whatever the program needs stands in the lock
        for name, place in PLACES.items():
            target = version / "system" / place / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / "systemd" / name, target)
        for path in [path for path in (version / "share").rglob("*") if path.is_file()]:  # manual page and completions
            target = version / "system/usr/local/share" / path.relative_to(version / "share")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        for place, text in COMMANDS.items():
            target = version / "system" / place
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
            target.chmod(0o755)
        (version / "appliance").mkdir()
        for name in KEPT_FILES:
            shutil.copyfile(source / "systemd" / name, version / "appliance" / name)
        settle(machine, version)
        run(version / "bin/python", "-I", "-m", "companion.commands.main", "--version")
        os.sync()  # the plug may be pulled at any moment: what is called whole is on the card
        (version / "whole").touch()
    except (Failed, OSError):
        shutil.rmtree(version, ignore_errors=True)
        raise
    return version


def settle(machine: Machine, version: Path) -> None:
    """Adapt a new version to the system that it will run on.

    Its command loses the path of another root. On a newer Python, for which PyPI has no library for the Pi's pins, it
    gets the system's, or a compiled one.
    """
    if not machine.itself:
        script = version / "bin/companion"
        script.write_bytes(script.read_bytes().replace(bytes(machine.root) + b"/opt", b"/opt", 1))
    if sys.version_info >= (3, 13):
        site = next(version.glob("lib/python3*/site-packages"))
        packages = Path("/usr/lib/python3/dist-packages")
        found = [*packages.glob("lgpio.py"), *packages.glob("_lgpio.*.so")]
        for library in found:
            (site / library.name).symlink_to(library)
        if not found and platform.machine() == "aarch64":
            try:
                compiled(site)
            except Failed as wrong:
                print(f"{wrong} Without lgpio the table has no buttons and lamps on pins; all else works.", flush=True)


def compiled(site: Path) -> None:
    """Compile the library for the pins into `site`; raises Failed.

    Its source is in the folder PIP_FIND_LINKS, else it is downloaded.
    """
    carried = Path(os.environ.get("PIP_FIND_LINKS") or ".", PINS)
    if carried.is_file():
        packed = carried.read_bytes()
    else:
        try:
            with urllib.request.urlopen(PUBLISHED + PINS, timeout=60) as answer:
                packed = answer.read()
        except OSError:
            raise Failed(f"{PINS} is not in the folder of PIP_FIND_LINKS, and PyPI cannot be reached.") from None
    if hashlib.sha256(packed).hexdigest() != SHA256:
        raise Failed(f"{PINS} is not what its maker published.")
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(packed)) as sources:
            sources.extractall(folder, filter="data")
        made = Path(folder, PINS.removesuffix(".tar.gz"))
        run("sh", "-c", 'cd "$1" && PYPI=1 exec "$2" setup.py -q build', "sh", made, sys.executable)
        for library in (*made.glob("build/lib*/lgpio.py"), *made.glob("build/lib*/_lgpio.*.so")):
            shutil.copy(library, site)


def placed(version: Path | None) -> dict[Path, Path]:
    """Return the files that a version installs in the system, by their place below the root."""
    if version is None:
        return {}
    system = version / "system"
    return {path.relative_to(system): path for path in sorted(system.rglob("*")) if path.is_file()}


def place(machine: Machine, before: Path | None, after: Path | None) -> bool:
    """Install the system files of `after`, and remove those that only `before` had.

    Returns True if anything changed.
    """
    wanted = placed(after)
    changed = [machine.root / gone for gone in placed(before).keys() - wanted.keys() if (machine.root / gone).is_file()]
    for gone in changed:
        gone.unlink(missing_ok=True)
        if gone.parent.name.startswith("companion"):
            with contextlib.suppress(OSError):  # somebody else's file is in it too
                gone.parent.rmdir()
    for where, file in wanted.items():
        target = machine.root / where
        if not target.is_file() or target.read_bytes() != file.read_bytes():
            changed.append(target)
            target.parent.mkdir(parents=True, exist_ok=True)
            fresh = target.with_name(f".{target.name}.new")
            shutil.copy(file, fresh)
            fresh.replace(target)
    if changed:
        os.sync()
    if after is not None:
        run("systemd-sysusers", *([] if machine.itself else [f"--root={machine.root}"]))
    if machine.runs and changed:
        machine.systemctl("daemon-reload")
        machine.systemctl("try-restart", "systemd-journald.service")
        if_there("udevadm", "control", "--reload")
        if_there("udevadm", "trigger", "--settle", *(f"--subsystem-match={kind}" for kind in RULED))
    return bool(changed)


LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


def access_point(machine: Machine, version: Path) -> None:
    """Give the table its own wireless network, off until somebody starts it.

    Name and password are created once: those in NetworkManager are kept, else those that the screen shows. They are
    written to a file for the screen.
    """
    text = (version / "appliance" / PROFILE).read_text(encoding="utf-8")
    label, uuid = re.findall(r"^(?:id|uuid)=(.+)$", text, re.MULTILINE)
    profile, told = machine.root / CONNECTIONS / PROFILE, machine.data / KNOWN
    before: dict[str, str] = {}
    with contextlib.suppress(OSError, ValueError):
        before = json.loads(told.read_text(encoding="utf-8"))
    own = known(machine, "uuid", uuid)
    if own is None:
        own = known(machine, "id", label)
        if own is not None:  # made by an older version, with a uuid of its own
            run("nmcli", "connection", "delete", "id", label)
        own = own or {
            "name": before.get("name") or "Table-" + "".join(secrets.choice(LETTERS) for _ in range(3)),
            "password": before.get("password") or "".join(secrets.choice(LETTERS) for _ in range(10)),
        }
        name, password = (word.replace("\\", "\\\\").replace(";", "\\;") for word in own.values())
        made = text.replace("NAME", name, 2).replace("PASSWORD", password, 2)
        if not profile.is_file() or profile.read_text(encoding="utf-8") != made:
            secret(profile, made)
        if machine.itself:
            if_there("nmcli", "connection", "load", profile)  # else it is read with the next start
    if before != (after := {"address": "10.4.0.1", **before, **own}):
        secret(told, json.dumps(after))
    if machine.itself:
        shutil.chown(told, "companion", "companion")
        shutil.chown(told.parent, "companion", "companion")


def known(machine: Machine, by: str, what: str) -> dict[str, str] | None:
    """Ask NetworkManager for name and password of a profile, by "id" or "uuid".

    Returns None if it does not know the profile, or does not run.
    """
    asked = ("nmcli", "-s", "-e", "no", "-g", "802-11-wireless.ssid,802-11-wireless-security.psk")
    if machine.itself:
        with contextlib.suppress(FileNotFoundError):
            done = subprocess.run((*asked, "connection", "show", by, what), check=False, capture_output=True, text=True)
            if done.returncode == 0:
                return dict(zip(("name", "password"), done.stdout.splitlines(), strict=False))
    return None


def country(machine: Machine) -> None:
    """Set the radio's country from the time zone, if none is set.

    A system that was installed over a cable has no country, which keeps its radio off.
    """
    told, regulated = machine.root / COUNTRY, machine.root / "sys/module/cfg80211/parameters/ieee80211_regdom"
    if not machine.itself or not regulated.exists() or regulated.read_text(encoding="ascii").strip() != "00":
        return
    zone = os.path.realpath(machine.root / "etc/localtime").partition("zoneinfo/")[2]
    zones = (machine.root / "usr/share/zoneinfo/zone.tab").read_text(encoding="utf-8")
    if found := re.search(rf"^([A-Z]{{2}})\t\S+\t{re.escape(zone)}(\t|$)", zones, re.MULTILINE):
        told.write_text(f"options cfg80211 ieee80211_regdom={found[1]}\n", encoding="utf-8")
        if_there("iw", "reg", "set", found[1])
        print(f"The radio's country is {found[1]}, as the time zone has it.", flush=True)


SERIAL: Final = "etc/systemd/system/companion-screen.service.d/roller-port.conf"
"""Drop-in that lets the screen open the Pi's own serial port, which its unit keeps shut: a console or the Bluetooth may
be on it."""


def serial_port(machine: Machine) -> str:
    """Return the Pi's own serial port that `wiring.toml` names for the die-roller.

    "" if it names none, or one on USB.
    """
    try:
        wiring = tomllib.loads((machine.data / "wiring.toml").read_text(encoding="utf-8-sig"))
        port = wiring["roller"]["port"]
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    return port if isinstance(port, str) and re.fullmatch(r"/dev/(tty(AMA|S)\d+|serial\d)", port) else ""


def let_port_in(machine: Machine) -> str:
    """Allow the screen to open the serial port in the wiring, and no other."""
    told, port = machine.root / SERIAL, serial_port(machine)
    wanted = f"[Service]\nDeviceAllow={port} rw\n" if port else ""
    if wanted != (told.read_text(encoding="utf-8") if told.exists() else ""):
        if wanted:
            told.parent.mkdir(parents=True, exist_ok=True)
            told.write_text(wanted, encoding="utf-8")
        else:
            forget_port(machine)
        os.sync()
        if machine.runs:
            machine.systemctl("daemon-reload")
            machine.systemctl("try-restart", "companion-screen.service", must=False)
    return (
        f"The screen may open {port}."
        if port
        else "wiring.toml names no serial port of the Pi, so the screen may open none."
    )


def forget_port(machine: Machine) -> None:
    """Remove the permission to open a serial port of the Pi."""
    told = machine.root / SERIAL
    told.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # it is not there, or somebody else's file is in it too
        told.parent.rmdir()


def secret(path: Path, text: str) -> None:
    """Write a file that only its owner can read."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)


def switch(machine: Machine, before: Path, after: Path) -> None:
    """Change from one version to another.

    If that fails, or the screen does not start with it, changes back and raises Failed.
    """
    kept = machine.version("previous")
    try:
        machine.point("previous", before)  # first: whatever cuts the rest off, there is a way back
        machine.point("current", after)
        place(machine, before, after)
        go_on(machine, before, after)
    except (Failed, OSError, KeyboardInterrupt) as wrong:
        machine.point("current", before)
        machine.point("previous", kept)
        if new := only_in(after, before):
            machine.systemctl("disable", *new, must=False)
        place(machine, after, before)
        if machine.runs:
            machine.systemctl("try-restart", *there(machine), must=False)
        raise Failed(f"{wrong} {before.name} runs again.".strip()) from None


def go_on(machine: Machine, before: Path | None, after: Path) -> None:
    """Restart the running services as `after`, and enable units that are new in it.

    Other units stay enabled or disabled as they were. Raises Failed.
    """
    if new := only_in(after, before):
        machine.systemctl("enable", *new)
    if machine.runs:
        machine.systemctl("try-restart", *there(machine))
        if new:
            machine.systemctl("start", *new)


def only_in(version: Path, other: Path | None) -> list[str]:
    """Return the units of a version that start at boot and that `other` does not have.

    Empty without another version, as the installation has enabled them.
    """
    if other is None:
        return []
    alone = placed(version).keys() - placed(other).keys()
    return [unit for unit in ENABLED if Path(PLACES[unit], unit) in alone]


def there(machine: Machine) -> list[str]:
    """Return the program's units that are installed: an older version may lack one."""
    return [unit for unit in PROGRAMS if (machine.root / PLACES[unit] / unit).exists()]


# -- what can be asked


def packages(machine: Machine, source: Path) -> None:
    """Install the Debian packages that the program needs, on the running machine only."""
    if machine.itself:
        pins: tuple[str, ...] = ()
        if sys.version_info >= (3, 13):
            known = subprocess.run(["apt-cache", "show", LGPIO], check=False, capture_output=True).returncode == 0
            pins = (LGPIO,) if known else COMPILER if platform.machine() == "aarch64" else ()
        run("sh", source / ".ci/setup", "packages", *pins)


def install(machine: Machine, source: Path) -> str:
    """Install this version on a machine without one, or repair its installation."""
    current = machine.version("current")
    if current is not None and current.name != named(source):
        raise Failed(f"{current.name} is installed already; for this version the command is upgrade.")
    packages(machine, source)
    version = build(machine, source)
    machine.point("current", version)
    place(machine, None, version)
    access_point(machine, version)
    country(machine)
    if not any(machine.systemctl("is-enabled", unit, must=False) for unit in PROGRAMS):
        machine.systemctl("enable", *ENABLED)
    if machine.runs and not any(machine.systemctl("is-active", unit, must=False) for unit in PROGRAMS):
        machine.systemctl("start", *ENABLED)
    return f"{version.name} is installed."


def upgrade(machine: Machine, source: Path) -> str:
    """Install this version alongside the running one, and change to it."""
    current = machine.version("current")
    if current is None:
        raise Failed("Nothing is installed that could be upgraded; the command is install.")
    if current.name == named(source):
        previous = machine.version("previous")
        if place(machine, previous, current):  # an upgrade was cut off
            go_on(machine, previous, current)
        tidy(machine)
        return f"{current.name} is installed already."
    packages(machine, source)
    version = build(machine, source)
    try:
        copy(machine)
        switch(machine, current, version)
        access_point(machine, version)
        let_port_in(machine)
        country(machine)
    finally:
        tidy(machine)
    return f"{version.name} is installed; {current.name} is kept, and the command rollback goes back to it."


def tidy(machine: Machine) -> None:
    """Remove all versions except the current and the previous one."""
    kept = (machine.version("current"), machine.version("previous"))
    for left in [folder for folder in machine.versions.iterdir() if folder not in kept]:
        shutil.rmtree(left, ignore_errors=True)


def copy(machine: Machine) -> None:
    """Back up the races to the folder before-upgrade before another version writes them."""
    if machine.itself and machine.data.exists():  # by the version that is installed, which may know no `races backup`
        run("runuser", "-u", "companion", "--", "/usr/local/bin/companion", "backup", machine.data / "before-upgrade")


def races(machine: Machine) -> str:
    """Move the races to the partition labelled `races`, and mount it at every start."""
    version, unit = machine.version("current"), machine.root / "etc/systemd/system" / RACES
    if version is None:
        raise Failed("Nothing is installed whose races could be moved; the command is install.")
    if unit.exists():
        return "The races have a partition of their own already."
    fstab = machine.root / "etc/fstab"
    if fstab.exists() and any(line.split()[1:2] == ["/var/lib/companion"] for line in fstab.read_text().splitlines()):
        raise Failed("Take the line of /var/lib/companion out of /etc/fstab first: a read-only system covers it.")
    running = [
        name for name in {*PROGRAMS, *ENABLED} if machine.runs and machine.systemctl("is-active", name, must=False)
    ]
    try:
        if machine.runs and not machine.data.is_mount():
            if not PARTITION.exists():
                raise Failed(
                    "No partition is labelled races; sudo mkfs.ext4 -L races /dev/... makes one, and erases it."
                )
            if running:
                machine.systemctl("stop", *running)
            move(machine.data, PARTITION)
        unit.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(version / "appliance" / RACES, unit)
        machine.systemctl("enable", RACES)
        if machine.runs:
            machine.systemctl("daemon-reload")
            machine.systemctl("start", RACES)
    finally:
        if running:
            machine.systemctl("start", *running)
    return "The races lie on a partition of their own; what lay in the folder before is still beneath it."


def move(data: Path, partition: Path) -> None:
    """Copy the races to the partition, unless that has races already.

    Raises Failed if there are races in both places.
    """
    with tempfile.TemporaryDirectory() as folder:
        run("mount", partition, folder)
        try:
            there, here = Path(folder, "races.db").exists(), (data / "races.db").exists()
            if there and here:
                raise Failed(f"There are races both in {data} and on the partition; take one of the two away first.")
            if here:
                run("cp", "--archive", f"{data}/.", folder)
                os.sync()
        finally:
            run("umount", folder)


def rollback(machine: Machine) -> str:
    """Return to the previous version; the races stay as they are now."""
    current, previous = machine.version("current"), machine.version("previous")
    if current is None or previous is None or not (previous / "whole").exists():
        raise Failed("There is no version to go back to.")
    switch(machine, current, previous)
    return f"{previous.name} runs again; the command rollback goes forward to {current.name} again."


def uninstall(machine: Machine, purge: bool) -> str:
    """Remove everything except the races; with `purge` also the races and their user."""
    current = machine.version("current")
    if current is not None:
        if machine.runs:
            machine.systemctl("stop", *ENABLED[1:], "media-companion.mount", *PROGRAMS, must=False)
        machine.systemctl("disable", *ENABLED, *PROGRAMS, must=False)
        place(machine, current, None)
        forget_port(machine)
        if known(machine, "id", label := PROFILE.removesuffix(".nmconnection")):
            run("nmcli", "connection", "delete", "id", label)
        for told in (machine.root / CONNECTIONS / PROFILE, machine.root / COUNTRY, machine.data / KNOWN):
            told.unlink(missing_ok=True)
        if machine.runs:
            machine.systemctl("start", "getty@tty1.service", must=False)
    away(machine.opt)
    if not purge:
        return f"It is uninstalled; the races are kept in {machine.data}."
    away(machine.data)
    unit = machine.root / "etc/systemd/system" / RACES
    if unit.exists():
        if machine.runs:
            machine.systemctl("stop", RACES, must=False)
        machine.systemctl("disable", RACES, must=False)
        unit.unlink()
        away(machine.data)
    if machine.itself:
        if_there("userdel", "companion")
    return "It is uninstalled, and the races are gone."


def alone(machine: Machine) -> None:
    """Lock the machine against another installer until this program ends.

    Each would delete what the other builds. Raises Failed.
    """
    try:
        fcntl.flock(os.open(machine.root, os.O_RDONLY | os.O_CLOEXEC), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Failed("This is being done by another already; wait for its end.") from None


def writable(machine: Machine) -> None:
    """Raise Failed on a system that overlayroot made read-only.

    Changes there would be lost at the next start.
    """
    mounts = Path("/proc/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    if machine.itself and any(line.split()[:2] == ["overlayroot", "/"] for line in mounts):
        raise Failed(
            "The system is read-only, and what is changed now is gone at the next start; switch the overlay off "
            "(raspi-config, Performance), restart, and do this then."
        )


def away(folder: Path) -> None:
    """Remove a folder with its contents; a mount point stays, empty.

    Raises Failed if any contents remain.
    """
    shutil.rmtree(folder, ignore_errors=True)
    if folder.is_dir() and any(folder.iterdir()):
        raise Failed(f"Not all of {folder} could be taken away; is it read-only?")


def main() -> None:
    """Run the command line; errors are one sentence on standard error, exit status 1."""
    parser = argparse.ArgumentParser(description="Makes this machine a table's referee.")
    parser.add_argument("--root", type=Path, default=Path("/"), help="the root of another system, such as an image's")
    asked = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command, line in {
        "install": "install this version",
        "upgrade": "change to this version, and keep the one before",
        "rollback": "go back to the version before",
        "races": "move the races to the partition labelled races",
        "port": "let the screen open the serial port of the Pi that wiring.toml names",
        "uninstall": "take everything away but the races",
    }.items():
        added = asked.add_parser(command, help=line, description=line)
        if command == "uninstall":
            added.add_argument("--purge", action="store_true", help="the races as well")
    said = parser.parse_args()
    machine = Machine(said.root.resolve())
    os.umask(0o022)  # another user runs what is installed here
    try:
        if machine.itself and os.geteuid() != 0:
            raise Failed("Only root may do this; put sudo before it.")
        if not machine.root.is_dir():
            raise Failed(f"There is no folder {machine.root}; --root names one that holds another system.")
        writable(machine)
        alone(machine)
        if said.command in ("install", "upgrade"):
            if sys.version_info[:2] not in ((3, 11), (3, 13)) or platform.machine() not in ("aarch64", "x86_64"):
                raise Failed("A 64-bit system with Python 3.11 or 3.13 is wanted, such as Raspberry Pi OS 12 or 13.")
            print((install if said.command == "install" else upgrade)(machine, HERE.parent))
        elif said.command in ("rollback", "races", "port"):
            print({"rollback": rollback, "races": races, "port": let_port_in}[said.command](machine))
        else:
            print(uninstall(machine, said.purge))
    except (Failed, OSError) as wrong:
        sys.exit(str(wrong))


if __name__ == "__main__":
    main()
