"""The machine that all of this runs on: its commands, and those that it lacks."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

TOOLS = {
    "qemu-storage-daemon": "qemu-system-common",
    "mke2fs": "e2fsprogs",
    "debugfs": "e2fsprogs",
}
"""What is run here, and the Debian package that has it."""


class Hindered(Exception):
    """This machine cannot do it: one sentence that says why."""


def run(*words: str | Path, **given: object) -> str:
    """What a command says; raises Hindered with its last words."""
    done = subprocess.run(
        [str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **given
    )  # type: ignore[call-overload]
    if done.returncode:
        raise Hindered(f"{' '.join(map(str, words[:4]))} ... failed: {done.stdout.strip()[-1500:]}")
    said: str = done.stdout
    return said


def equip() -> None:
    """Installs what this machine lacks, and says so."""
    lacking = sorted({package for tool, package in TOOLS.items() if not has(tool)})
    if not lacking:
        return
    if os.geteuid():
        raise Hindered(f"Only root may install what is missing here: apt-get install {' '.join(lacking)}")
    print(f"Installing {', '.join(lacking)}, by apt ...", flush=True)
    run("apt-get", "update", "-q")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    run("apt-get", "install", "-q", "-y", "--no-install-recommends", *lacking, env=quiet)


def has(tool: str) -> bool:
    """Whether a command is here, be it an administrator's."""
    return shutil.which(tool, path=f"{os.environ['PATH']}:/usr/sbin:/sbin") is not None
