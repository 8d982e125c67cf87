#!/usr/bin/env python3
"""Set up a new card at its first start.

The system grows to the whole card, gets its own keys and passwords, and is set up according to `table.toml`, on the
partition that any computer can write to.

The file is deleted last: if anything interrupts this, the next start repeats all of it.
"""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Final

ASKED: Final = "boot/firmware/table.toml"
APPLIANCE: Final = "opt/companion/current/appliance/appliance.py"
LANGUAGES: Final = "opt/companion/current/lib/python3*/site-packages/companion/locale/??.toml"
NAME: Final = re.compile(r"[a-z]([a-z0-9-]{0,30}[a-z0-9])?")
GROUPS: Final = "sudo,video,render,input,dialout,audio,netdev"
PROFILE: Final = """\
[connection]
id=table
type=wifi

[wifi]
ssid={name}

[wifi-security]
key-mgmt=wpa-psk
psk={password}
"""
"""Profile of a network to join, as NetworkManager reads it."""


class Wrong(Exception):
    """Raised if the file is wrong; the message is one sentence."""


def run(*words: str | Path, given: str = "") -> str:
    """Run a command and return its output; its errors go to the journal."""
    return subprocess.run(words, check=True, text=True, input=given, stdout=subprocess.PIPE).stdout.strip()


class Wanted:
    """The contents of the file, validated completely before anything is done.

    Settings left out are None. Raises Wrong.
    """

    def __init__(self, text: str, system: Path) -> None:
        try:
            self.told = tomllib.loads(text)
        except tomllib.TOMLDecodeError as wrong:
            raise Wrong(f"It is not TOML: {wrong}.") from None
        known = sorted(one.stem for one in system.glob(LANGUAGES))
        layouts = (system / "usr/share/X11/xkb/rules/base.lst").read_text().partition("! layout\n")[2]
        layouts = layouts.partition("! variant")[0]
        self.language = self.word("language", known.__contains__, f"one of {', '.join(known)}")
        keyboards = [line.split()[0] for line in layouts.splitlines() if line.strip()]
        self.keyboard = self.word("keyboard", keyboards.__contains__, "a layout such as gb, us or fr")
        zones = system / "usr/share/zoneinfo"
        zone = re.compile(r"[A-Z][\w+-]*(/[\w+-]+)*")
        self.time_zone = self.word(
            "time_zone", lambda one: bool(zone.fullmatch(one)) and (zones / one).is_file(), "such as Europe/Paris"
        )
        self.name = self.word("name", fits(NAME), "small letters, digits and hyphens")
        own = system_names(system)
        self.user = self.word(
            "login.name",
            lambda one: fits(NAME)(one) and one not in own,
            "small letters, digits and hyphens, and no user or group of the system's own, such as root",
        )
        self.password = self.word("login.password", fits(re.compile(r"[^\n]+")), "on one line")
        self.network = self.word("wireless.name", fits(re.compile(r"[^\n]{1,32}")), "up to 32 letters")
        self.key = self.word("wireless.password", fits(re.compile(r"[ -~]{8,63}")), "8 to 63 letters")
        self.country = self.word("wireless.country", fits(re.compile(r"[A-Z]{2}")), "two capital letters")
        for one, other, words in (
            (self.user, self.password, "login"),
            (self.network, self.key, "wireless"),
        ):
            if (one is None) != (other is None):
                raise Wrong(f"[{words}] wants both a name and a password.")

    def word(self, name: str, fits: Callable[[str], object], wanted: str) -> str | None:
        """Return a setting of the file, or None if it is left out.

        Raises Wrong if it does not fit.
        """
        table, _, key = name.rpartition(".")
        told = self.told.get(table, {}) if table else self.told
        if not isinstance(told, dict):
            raise Wrong(f"{table} should be a table, [{table}].")
        said = told.get(key)
        if said is not None and not (isinstance(said, str) and fits(said)):
            raise Wrong(f"{name} should be {wanted}.")
        return said


def fits(pattern: re.Pattern[str]) -> Callable[[str], object]:
    """Return a test that a word matches the whole pattern."""
    return pattern.fullmatch


def system_names(system: Path) -> set[str]:
    """Return the names of the system's own users and groups; people's start at id 1000."""
    lines = [line.split(":") for of in ("passwd", "group") for line in (system / "etc" / of).read_text().splitlines()]
    return {name for name, _, number, *_ in lines if not 1000 <= int(number) < 60000}


def set_up(wanted: Wanted, system: Path) -> None:
    """Apply the settings, effective from this start on."""
    if wanted.language:
        (drop := system / "etc/systemd/system/companion-.service.d").mkdir(parents=True, exist_ok=True)
        write(drop / "language.conf", f"[Service]\nEnvironment=LANG={wanted.language}\n")
        run("systemctl", "daemon-reload")
    if wanted.keyboard:
        keys = f'XKBMODEL="pc105"\nXKBLAYOUT="{wanted.keyboard}"\nXKBVARIANT=""\nXKBOPTIONS=""\nBACKSPACE="guess"\n'
        write(system / "etc/default/keyboard", keys)
        run("setupcon", "--save", "--force")
    if wanted.time_zone:
        (fresh := system / "etc/.localtime").unlink(missing_ok=True)
        fresh.symlink_to(f"/usr/share/zoneinfo/{wanted.time_zone}")
        fresh.replace(system / "etc/localtime")
    if wanted.name:
        write(system / "etc/hostname", f"{wanted.name}\n")
        write(system / "etc/hosts", f"127.0.0.1 localhost\n127.0.1.1 {wanted.name}\n")
        run("hostname", wanted.name)
    if wanted.user and wanted.password:
        if f"\n{wanted.user}:" not in (system / "etc/passwd").read_text():
            run("useradd", "--create-home", "--shell", "/bin/bash", "--groups", GROUPS, wanted.user)
        run("chpasswd", given=f"{wanted.user}:{wanted.password}\n")
    if wanted.network and wanted.key:
        name = wanted.network.replace("\\", "\\\\").replace(";", "\\;")
        text = PROFILE.format(name=name, password=wanted.key.replace("\\", "\\\\"))
        write(system / "etc/NetworkManager/system-connections/table.nmconnection", text, 0o600)
    if wanted.country:
        write(system / "etc/modprobe.d/country.conf", f"options cfg80211 ieee80211_regdom={wanted.country}\n")


def write(path: Path, text: str, mode: int = 0o644) -> None:
    """Write a file atomically, with the permissions `mode`."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as file:
        file.write(text)
    fresh.replace(path)


# -- what every card has of its own


def own(system: Path) -> None:
    """Create keys for ssh, and a name and password for the table's wireless network.

    An image has none, so that every card gets its own.
    """
    run("ssh-keygen", "-A")
    made = runpy.run_path(str(system / APPLIANCE))
    machine = made["Machine"](system)
    made["access_point"](machine, machine.version("current"))


def whole_card(root: str) -> None:
    """Grow the root partition and its file system to the end of the card."""
    disk = "/dev/" + run("lsblk", "-n", "-o", "PKNAME", root)
    number = re.findall(r"\d+$", root)[0]
    reach_the_end(disk, number)
    run("partx", "--update", "--nr", number, disk)
    run("resize2fs", root)


def reach_the_end(disk: str | Path, number: str) -> None:
    """Grow a partition to the end of its disk, which may be in use.

    Only the partition table on the disk is written.
    """
    run("sfdisk", "-q", "--no-reread", "--no-tell-kernel", "-N", number, disk, given=", +\n")


def main(system: Path = Path("/")) -> None:
    asked = system / ASKED
    text = asked.read_text(encoding="utf-8-sig", errors="replace")
    try:
        set_up(Wanted(text, system), system)
    except Wrong as wrong:
        print(wrong, file=sys.stderr)
        asked.with_name("table-wrong.toml").write_text(f"# {wrong}\n{text}", encoding="utf-8")
    own(system)
    whole_card(run("findmnt", "-n", "-o", "SOURCE", "/"))
    os.sync()
    asked.unlink()


if __name__ == "__main__":
    main()
