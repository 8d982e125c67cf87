"""The machine under examination: its files, its commands, the user that the program runs as.

All of it is read below one root, so that a made-up machine is a folder.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import re
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

COMMAND_SECONDS: Final = 2.0
"""Time limit of a command, in seconds; a slower one counts as missing."""
COMMANDS: Final = ("usr/bin", "usr/sbin", "bin", "sbin")
APPLIANCE_USER: Final = "companion"
UNIT: Final = "etc/systemd/system/companion-screen.service"
"""Systemd unit of the appliance's screen."""


class User(msgspec.Struct, frozen=True):
    """A user with his groups."""

    name: str
    uid: int
    gids: frozenset[int]

    def may(self, path: Path, *, write: bool = True) -> bool:
        """Return True if the permissions of a device let this user open it. Raises OSError."""
        found = path.stat()
        wanted = 6 if write else 4
        if self.uid == 0:
            return True
        shift = 6 if found.st_uid == self.uid else 3 if found.st_gid in self.gids else 0
        return found.st_mode >> shift & wanted == wanted


class Machine(msgspec.Struct, frozen=True):
    """A machine whose files lie below `root`; `now` is its clock, in seconds since 1970."""

    root: Path
    user: User
    now: float

    def path(self, name: str) -> Path:
        """Return the place of a file named from /."""
        return self.root / name.lstrip("/")

    def named(self, path: Path) -> str:
        """Return a file's name from /, as this machine knows it."""
        return "/" + str(path.relative_to(self.root))

    def read(self, name: str) -> str:
        """Return a small file's text without blanks around it, "" where it cannot be read."""
        with contextlib.suppress(OSError):
            return self.path(name).read_text(encoding="utf-8", errors="replace").strip(" \t\r\n\0")
        return ""

    def glob(self, *patterns: str) -> list[Path]:
        """Return the files of some patterns named from /, sorted."""
        return sorted(path for pattern in patterns for path in self.root.glob(pattern.lstrip("/")))

    def run(self, command: str, *arguments: str) -> str:
        """Return what a command prints, "" if it is not there, fails, or does not end in time."""
        program = next((path for folder in COMMANDS if (path := self.root / folder / command).is_file()), None)
        if program is None:
            return ""
        try:
            started = subprocess.Popen(
                [program, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env={"LC_ALL": "C", "PATH": os.defpath}, start_new_session=True,
            )  # fmt: skip
        except OSError:
            return ""
        try:
            said, _ = started.communicate(timeout=COMMAND_SECONDS)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(OSError):
                os.killpg(started.pid, 9)  # and nobody waits: one that hangs in the kernel would not end
            return ""
        return said.decode(errors="replace").strip() if started.returncode == 0 else ""

    @property
    def model(self) -> str:
        """The name of the board, "" if unknown."""
        return self.read("/proc/device-tree/model")

    @property
    def is_pi(self) -> bool:
        """Return True on a Raspberry Pi."""
        return "Raspberry Pi" in self.model

    @property
    def is_table(self) -> bool:
        """Return True if a touchscreen belongs here: on a Raspberry Pi, and where the appliance is installed."""
        return self.is_pi or self.path(UNIT).exists()

    def group(self, path: Path) -> str:
        """Return the name of a device's group. Raises OSError."""
        gid = path.stat().st_gid
        return next((name for name, number, _ in groups(self.read("/etc/group")) if number == gid), str(gid))


def groups(text: str) -> Iterable[tuple[str, int, list[str]]]:
    """Read /etc/group: each group's name, number and members."""
    for line in text.splitlines():
        name, _, number, members = (*line.split(":"), "", "", "")[:4]
        if number.isdecimal():
            yield name, int(number), members.split(",")


def this_machine(root: Path = Path("/")) -> Machine:
    """Return the machine below `root`.

    Root may open everything, and tells nothing by it: then the user is the appliance's, with the groups that its unit
    gives the screen, if it has one.
    """
    made = Machine(root, current_user(), time.time())
    if made.user.uid == 0 or root != Path("/"):
        made = msgspec.structs.replace(made, user=appliance_user(made) or made.user)
    return made


def current_user() -> User:
    """Return the user of this program."""
    uid = os.geteuid()
    with contextlib.suppress(KeyError):
        return User(pwd.getpwuid(uid).pw_name, uid, frozenset((os.getegid(), *os.getgroups())))
    return User(str(uid), uid, frozenset((os.getegid(), *os.getgroups())))


def appliance_user(machine: Machine) -> User | None:
    """Return the user that the appliance's screen runs as; None where none is installed."""
    unit = machine.read(UNIT)
    line = re.search(rf"^{APPLIANCE_USER}:[^:]*:(\d+):(\d+):", machine.read("/etc/passwd"), re.MULTILINE)
    if not unit or line is None:
        return None
    given = {name for words in re.findall(r"^SupplementaryGroups=(.*)$", unit, re.MULTILINE) for name in words.split()}
    gids = {
        number
        for name, number, members in groups(machine.read("/etc/group"))
        if name in given or APPLIANCE_USER in members
    }
    return User(APPLIANCE_USER, int(line[1]), frozenset((int(line[2]), *gids)))
