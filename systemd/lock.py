#!/usr/bin/env python3
"""Regenerate requirements.txt: the appliance's packages, and their files by SHA-256.

Run `python3 systemd/lock.py` with access to PyPI, review the changes, and run the tests with the new versions. It asks
pip which versions go together, and downloads for each system the files that pip would install there.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
LOCK: Final = HERE / "requirements.txt"

SYSTEMS: Final = [(python, machine) for python in ("3.11", "3.13") for machine in ("x86_64", "aarch64")]
"""Pythons and machines of Debian and Raspberry Pi OS, 12 and 13."""
GLIBC_MINORS: Final = (17, 24, 26, 27, 28, 31, 34, 35, 36)
"""Minor versions of glibc 2 that a wheel may require; Debian 12 has 2.36."""

HEAD: Final = """\
# What the appliance installs, and nothing else: versions that go together, and the SHA-256 of each file for Python 3.11
# and 3.13 (Debian 12 and 13) on x86_64 and aarch64. Every package has a wheel for all four, so none is built there.
# Made by systemd/lock.py; the files are named above their hashes, in the same order.
"""


def pip(*words: str | Path) -> str:
    """Run pip and return its output."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *map(str, words)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def resolved() -> dict[str, str]:
    """Return the compatible versions of the packages that the program and its build need.

    A package for only some machines keeps its marker.
    """
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    elsewhere = [one for one in wanted if ";" in one]
    report = json.loads(pip("install", "-q", "--dry-run", "--ignore-installed", "--report", "-", *wanted))
    found = {}
    for one in report["install"]:
        name = re.sub(r"[-_.]+", "-", one["metadata"]["name"]).lower()
        found[name] = f"{name}=={one['metadata']['version']}"
    for one in elsewhere:
        requirement, _, marker = one.partition(";")
        found[requirement.partition("==")[0]] = f"{requirement.strip()} ; {marker.strip()}"
    return dict(sorted(found.items()))


def fetched(requirement: str, python: str, machine: str, into: Path) -> Path | None:
    """Download the wheel of a package for a system; None if its marker excludes the system."""
    package, _, marker = requirement.partition(" ; ")
    if marker and not eval(marker, {"platform_machine": machine, "python_version": python}):
        return None
    room = into / python / machine / package
    tags = [word for minor in GLIBC_MINORS for word in ("--platform", f"manylinux_2_{minor}_{machine}")]
    old = ["--platform", f"manylinux2014_{machine}"]
    pip(
        "download",
        "-q",
        "--no-deps",
        "--only-binary=:all:",
        "--python-version",
        python,
        *tags,
        *old,
        "-d",
        room,
        package,
    )
    return next(room.iterdir())


def main() -> None:
    """Write requirements.txt."""
    lines = [HEAD]
    with tempfile.TemporaryDirectory() as folder:
        for requirement in resolved().values():
            files: dict[str, str] = defaultdict(str)
            for system in SYSTEMS:
                if (wheel := fetched(requirement, *system, Path(folder))) is not None:
                    files[wheel.name] = hashlib.sha256(wheel.read_bytes()).hexdigest()
            print(requirement, len(files), flush=True)
            lines += [f"# {name}\n" for name in sorted(files)]
            hashes = " \\\n".join(f"    --hash=sha256:{files[name]}" for name in sorted(files))
            lines.append(f"{requirement} \\\n{hashes}\n")
    LOCK.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
