"""The machine that the guest runs on: what it lacks is installed, where its packages come from, and whether its KVM
really runs a Debian."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

PLAIN = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
"""The environment of what is made for the guest: nothing of whoever makes it."""

TOOLS = {
    "qemu-system-x86_64": "qemu-system-x86",
    "qemu-img": "qemu-utils",
    "qemu-storage-daemon": "qemu-system-common",
    "mmdebstrap": "mmdebstrap",
    "mke2fs": "e2fsprogs",
    "debugfs": "e2fsprogs",
    "mkfs.vfat": "dosfstools",
    "mkfs.exfat": "exfatprogs",
    "mcopy": "mtools",
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


def equip(tools: Mapping[str, str] = TOOLS) -> None:
    """Installs what this machine lacks, and says so."""
    lacking = sorted({package for tool, package in tools.items() if not has(tool)})
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


def mirror() -> str:
    """Where this machine's own Debian packages come from."""
    told = run("apt-get", "indextargets", "--format", "$(ORIGIN) $(LABEL) $(SITE)", "Identifier: Packages")
    sites = [line.split()[2] for line in told.splitlines() if line.startswith("Debian Debian ")]
    return sites[0] if sites else "http://deb.debian.org/debian"


def apt_options() -> list[str]:
    """How this machine's apt reaches its mirror: proxies, certificates."""
    ways = ("Acquire::http", "Acquire::https")
    return [
        line for line in run("apt-config", "dump").splitlines() if line.startswith(ways) and not line.endswith('"";')
    ]


def mmdebstrap(
    suite: str, packages: list[str], into: Path, *hooks: str, architecture: str = "amd64", components: str = "main",
    variant: str = "minbase", extracted: str = "true",
) -> None:  # fmt: skip
    """A Debian with these packages, as a tar or a folder; before it is written each hook, a line of shell, is run with
    its root as `$1`, and so is `extracted` when the first packages are unpacked and none is installed."""
    options = [word for one in apt_options() for word in ("--aptopt", one)]
    words = ["mmdebstrap", "--mode=root", f"--variant={variant}", f"--architectures={architecture}", *options]
    words += ["--dpkgopt=force-unsafe-io", f"--include={','.join(packages)}"]
    words += [f"--extract-hook={extracted}", *(f"--customize-hook={hook}" for hook in hooks)]
    run(*words, suite, into, f"deb {mirror()} {suite} {components}", env=PLAIN)
