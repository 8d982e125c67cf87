"""A systemd of its own, booted in namespaces over this machine's files, of which it changes none."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

PATH = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}

BOOT = r"""
set -eu
mkdir "$CGROUP"
echo $$ > "$CGROUP/cgroup.procs"
exec unshare --mount --pid --fork --uts --ipc --net --cgroup --kill-child sh -euc '
    hostname table
    mount --make-rprivate /
    mount -t tmpfs tmpfs "$ROOM"
    mkdir "$ROOM/work" "$ROOM/root"
    cp -a "$FILES" "$ROOM/upper"
    mount -t overlay -o "lowerdir=/,upperdir=$ROOM/upper,workdir=$ROOM/work" overlay "$ROOM/root"
    cd "$ROOM/root"
    mount -t proc proc proc
    mount --bind proc/sys proc/sys
    mount -o remount,bind,ro proc/sys
    mount -t sysfs -o ro sysfs sys
    mount -t cgroup2 cgroup2 sys/fs/cgroup
    mount -t tmpfs -o mode=755 tmpfs dev
    for each in null zero full random urandom tty; do touch dev/$each; mount --bind /dev/$each dev/$each; done
    mkdir dev/pts dev/shm
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts dev/pts
    ln -s pts/ptmx dev/ptmx
    ln -s /proc/self/fd dev/fd
    mknod dev/tty0 c 4 0
    mknod dev/tty1 c 4 "$CONSOLE"
    mknod dev/console c 1 3
    mount -t tmpfs -o mode=755 tmpfs run
    mount -t tmpfs tmpfs tmp
    pivot_root . mnt
    umount -l /mnt
    mount --make-rshared /
    exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        setpriv --bounding-set=-sys_module,-sys_time,-syslog /usr/lib/systemd/systemd --unit=table.target
' </dev/null
"""

TARGET = """
[Unit]
Requires=basic.target
After=basic.target
Wants=getty.target companion-screen.service
"""


def until(there: Callable[[], object], seconds: float = 60) -> bool:
    """Whether it came true in so many seconds, which a machine that does much else may need."""
    end = time.monotonic() + seconds
    while not there():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


class Booted:
    """The machine that was booted."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def run(self, *words: str | Path) -> str:
        """What a command says in it; raises SubprocessError."""
        inside = ["nsenter", f"--target={self.pid}", "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup"]
        done = subprocess.run([*inside, *words], capture_output=True, text=True, check=True, timeout=60, env=PATH)
        return done.stdout.strip()

    def show(self, unit: str, what: str) -> str:
        """One property of a unit, "" where there is none to ask."""
        with contextlib.suppress(subprocess.SubprocessError):
            return self.run("systemctl", "show", "--value", f"--property={what}", unit)
        return ""


class Hindered(Exception):
    """This machine lets no other be booted in it: what keeps it from that."""


def _cgroups() -> Path | None:
    for place in (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/unified")):
        if (place / "cgroup.procs").exists() and os.access(place, os.W_OK) and not (place / "tasks").exists():
            return place
    return None


@contextlib.contextmanager
def booted(room: Path, files: Path) -> Iterator[Booted]:
    """Boots it with `files` over this machine's; it ends with the block. Raises Hindered."""
    cgroups = _cgroups()
    if os.geteuid() != 0 or cgroups is None:
        raise Hindered("only root may, and where there are cgroups of version 2")
    (files / "etc/systemd/system").mkdir(parents=True, exist_ok=True)
    (files / "etc/systemd/system/table.target").write_text(TARGET, encoding="utf-8")
    (files / "etc/fstab").write_text("", encoding="utf-8")
    room.mkdir()
    mine = cgroups / f"companion-test-{time.monotonic_ns()}"
    given = {**PATH, "CGROUP": str(mine), "ROOM": str(room), "FILES": str(files)}
    given["CONSOLE"] = str(20 + os.getpid() % 44)  # one that nobody looks at, and another machine hardly has
    with open(room.with_suffix(".log"), "wb") as log:
        outer = subprocess.Popen(["sh", "-c", BOOT], env=given, stdout=log, stderr=log)
    try:
        until(lambda: outer.poll() is not None or _first(outer.pid), 10)
        machine = Booted(_first(outer.pid))
        if not machine.pid or not until(lambda: machine.show("basic.target", "ActiveState") == "active"):
            raise Hindered(room.with_suffix(".log").read_text())
        yield machine
    finally:
        outer.send_signal(signal.SIGKILL)
        outer.wait()
        until(lambda: not _emptied(mine), 10)


def _first(outer: int) -> int:
    """The first process of the machine that a process has booted, 0 as long as there is none."""
    with contextlib.suppress(OSError):
        for child in Path(f"/proc/{outer}/task/{outer}/children").read_text().split():
            if Path(f"/proc/{child}/comm").read_text() == "systemd\n":
                return int(child)
    return 0


def _emptied(cgroup: Path) -> bool:
    """Takes a cgroup away with those in it; whether one of them is still there."""
    for each in sorted(cgroup.rglob("*"), reverse=True):
        if each.is_dir():
            with contextlib.suppress(OSError):
                each.rmdir()
    with contextlib.suppress(OSError):
        cgroup.rmdir()
    return cgroup.exists()
