"""What the appliance installs: nothing that is not in the lock, for both systems and both machines, and no file that is
not the one that was looked at."""

from __future__ import annotations

import contextlib
import hashlib
import re
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename
from packaging.version import Version

from tests.systemd.test_appliance import PROJECT, Table

LOCK = PROJECT / "systemd/requirements.txt"
TEXT = LOCK.read_text(encoding="utf-8")
BLOCK = re.compile(
    r"((?:^# \S+\.whl\n)+)^(\S+)==(\S+)( ; [^\n\\]+)? \\\n((?: +--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.M
)
SYSTEMS = [(python, machine) for python in ("3.11", "3.13") for machine in ("x86_64", "aarch64")]


class Locked:
    """A package of the lock."""

    def __init__(self, files: str, name: str, version: str, marker: str, hashes: str) -> None:
        self.files, self.name, self.version = files.replace("# ", "").split(), name, Version(version)
        self.requirement = Requirement(f"{name}=={version}{marker}")
        self.hashes = re.findall("sha256:([0-9a-f]{64})", hashes)


PACKAGES = {found[1]: Locked(*found) for found in BLOCK.findall(TEXT)}


def environment(python: str, machine: str) -> dict[str, str]:
    told = {"python_version": python, "python_full_version": f"{python}.0", "platform_machine": machine}
    return {**{key: str(value) for key, value in default_environment().items()}, **told}


def fits(file: str, python: str, machine: str) -> bool:
    """Whether a wheel is for a system."""
    minor = int(python.partition(".")[2])
    for tag in parse_wheel_filename(file)[3]:
        ours = tag.interpreter in (f"cp3{minor}", "py3", "py2.py3") or (
            tag.abi == "abi3" and int(tag.interpreter[3:]) <= minor
        )
        glibc = re.fullmatch(rf"manylinux_2_(\d+)_{machine}", tag.platform)
        there = tag.platform in ("any", f"manylinux2014_{machine}") or (glibc is not None and int(glibc[1]) <= 36)
        if ours and there:
            return True
    return False


def test_the_lock_is_all_of_this_form_and_names_no_place() -> None:
    rest = BLOCK.sub("", TEXT)
    assert re.fullmatch(r"(# [^\n]*\n){3}", rest), rest
    assert "://" not in TEXT
    assert not re.search(r"--(index|extra|find|trusted)", TEXT)
    for package in PACKAGES.values():
        assert len(package.files) == len(package.hashes) == len(set(package.hashes))


@pytest.mark.parametrize(("python", "machine"), SYSTEMS)
def test_all_that_the_program_needs_has_a_wheel_in_it(python: str, machine: str) -> None:
    """From the project's own requirements on, and of what those require: none is built, none comes from elsewhere."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    told = environment(python, machine)
    wanted = [Requirement(each) for each in project["project"]["dependencies"] + project["build-system"]["requires"]]
    seen: set[str] = set()
    while wanted:
        one = wanted.pop()
        name = canonicalize_name(one.name)
        if one.marker is not None and not one.marker.evaluate({**told, "extra": ""}):
            continue
        assert name in PACKAGES, f"{name} is not in the lock: run systemd/lock.py"
        package = PACKAGES[name]
        assert one.specifier.contains(package.version), f"{one} is not {package.version}: run systemd/lock.py"
        assert any(fits(file, python, machine) for file in package.files), f"no wheel of {name} for it"
        if name not in seen:
            seen.add(name)
            with contextlib.suppress(metadata.PackageNotFoundError):  # what builds it, or is for another machine
                wanted += [Requirement(each) for each in metadata.requires(name) or ()]
    assert "kivy" in seen


def wheel(folder: Path, number: str) -> Path:
    """A wheel of a package that does nothing."""
    path = folder / f"thing-{number}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as made:
        about = f"thing-{number}.dist-info"
        made.writestr("thing.py", f"number = '{number}'\n")
        made.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: thing\nVersion: {number}\n")
        made.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        made.writestr(f"{about}/RECORD", "")
    return path


def test_no_file_but_the_one_of_the_lock_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, shelf = Table(tmp_path), tmp_path / "shelf"
    shelf.mkdir()
    file = wheel(shelf, "1.0")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shelf))
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    lock = table.source / "systemd/requirements.txt"
    lock.write_text(f"thing==1.0 --hash=sha256:{'0' * 64}\n")
    assert "failed" in table.refused("install"), "another file of that name"
    lock.write_text("thing==1.0\n")
    assert "failed" in table.refused("install"), "no hash at all"
    assert not (table.opt / "current").exists()
    lock.write_text(f"thing==1.0 --hash=sha256:{digest}\n")
    table.done("install")
    assert list((table.opt / "current/lib").glob("python3*/site-packages/thing.py"))
    kept = table.opt / "current/appliance/requirements.txt"
    assert kept.read_text() == lock.read_text(), "the version page reads it"
