"""What is found out about the disk of the races: how it is mounted, and whether it takes what is written."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.desk import RaceDesk
from companion.sheets import storage
from companion.sheets.place import DATABASE
from companion.sheets.storage import Mount, look, mount_of
from tests.toy import SETUP, toy

ROOT = Path(__file__).parent.parent.parent

HEAD = """22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 179:2 / / rw,noatime shared:1 - ext4 /dev/mmcblk0p2 rw
"""
"""The first lines of the table of a Raspberry Pi."""


def found(tmp_path: Path, line: str, folder: str = "/var/lib/companion") -> Mount | None:
    table = tmp_path / "mountinfo"
    table.write_text(HEAD + line, encoding="utf-8")
    return mount_of(Path(folder), table)


@pytest.mark.parametrize(
    ("line", "kind", "faults"),
    [
        ("", "ext4", ()),
        ("40 27 179:3 / /var/lib rw,noatime - ext4 /dev/mmcblk0p3 rw,commit=5", "ext4", ()),
        ("40 27 179:3 / /var/lib rw,noatime - ext4 /dev/mmcblk0p3 rw,data=writeback", "ext4", ("writeback",)),
        ("40 27 179:3 / /var/lib rw,noatime - ext4 /dev/mmcblk0p3 rw,nobarrier", "ext4", ("writeback",)),
        ("40 27 179:3 / /var/lib rw,noatime - ext2 /dev/mmcblk0p3 rw", "ext2", ("unjournaled",)),
        ("40 27 8:1 / /var/lib rw,noatime - vfat /dev/sda1 rw", "vfat", ("unjournaled",)),
        ("40 27 0:30 / /var/lib rw - tmpfs tmpfs rw,size=100k", "tmpfs", ("memory",)),
        ("40 27 0:30 / /var/lib rw - nfs4 server:/races rw,vers=4.2", "nfs4", ("network",)),
        ("40 27 0:30 / /var/lib/companions rw - tmpfs tmpfs rw", "ext4", ()),
        ("a line of some other form", "ext4", ()),
    ],
)
def test_what_a_mount_says_of_a_pulled_plug(tmp_path: Path, line: str, kind: str, faults: tuple[str, ...]) -> None:
    mount = found(tmp_path, line)
    assert mount is not None
    assert mount.kind == kind
    assert storage._doubts(mount) == faults


def test_a_card_whose_changes_are_kept_in_memory_is_memory(tmp_path: Path) -> None:
    """As raspi-config makes it: the root is an overlay, and what changes is in a tmpfs."""
    overlay = "28 27 0:26 / / rw - overlay overlayroot rw,lowerdir=/media/root-ro,upperdir={upper},workdir=/w\n"
    memory = "29 28 0:25 / /media/root-rw rw - tmpfs tmpfs-root rw\n"
    mount = found(tmp_path, overlay.format(upper="/media/root-rw/overlay") + memory)
    assert mount is not None
    assert (mount.kind, mount.point) == ("tmpfs", "/")
    container = found(tmp_path, overlay.format(upper="/var/lib/docker/overlay2/ab/diff") + memory)
    assert container is not None
    assert container.kind == "overlay"


def test_of_two_mounts_at_one_place_the_later_counts_and_spaces_are_read(tmp_path: Path) -> None:
    lines = (
        "40 27 8:1 / /media/my\\040stick rw - vfat /dev/sda1 rw\n41 27 8:2 / /media/my\\040stick rw - ext4 /dev/sdb1 rw"
    )
    mount = found(tmp_path, lines, "/media/my stick/races")
    assert mount == Mount("/media/my stick", "ext4", "/dev/sdb1", ("rw",))
    assert mount_of(Path("/"), tmp_path / "no table") is None


def test_a_disk_that_is_well(tmp_path: Path) -> None:
    with RaceDesk.begin(toy(), setup=SETUP, track="a toy", folder=tmp_path, name="x"):
        seen = look(tmp_path)
    assert not {"damaged", "read_only", "full", "refused", "low"} & set(seen.faults)
    assert seen.free == pytest.approx(shutil.disk_usage(tmp_path).free, rel=0.2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["races.checked", DATABASE, "races.lock"]
    assert look(tmp_path / "not" / "yet").faults == seen.faults
    assert not (tmp_path / "not").exists()


def test_a_damaged_database_and_little_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / DATABASE).write_bytes(b"no database" * 1000)
    little = shutil.disk_usage(tmp_path)._replace(free=storage.LITTLE - 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: little)
    seen = look(tmp_path)
    assert seen.faults[:2] == ("damaged", "low")
    assert "is damaged or no database" in str(seen.why)


def test_a_disk_that_takes_nothing(tmp_path: Path) -> None:
    """Full by RLIMIT_FSIZE; full and read-only for real as root, on a disk of its own in memory."""
    code = (
        "import pathlib, resource, sys\nfrom companion.sheets.storage import look\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"
        "print(look(pathlib.Path(sys.argv[1])).faults[0])\n"
    )
    run = [sys.executable, "-c", code, str(tmp_path)]
    assert subprocess.run(run, capture_output=True, text=True, cwd=ROOT, check=True).stdout == "full\n"
    assert list(tmp_path.iterdir()) == []
    card = tmp_path / "card"
    card.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(card)]
    if os.geteuid() or subprocess.run(mount, check=False, capture_output=True).returncode:
        card.chmod(0o500)
        assert os.access(card, os.W_OK) or look(card).faults[0] == "read_only"
        return
    try:
        assert look(card).faults == ("low", "memory")
        (card / "filler").write_bytes(bytes(64 << 10))
        assert look(card).faults == ("full", "memory")
        subprocess.run(["mount", "-o", "remount,ro", str(card)], check=True)
        assert look(card).faults[0] == "read_only"
    finally:
        subprocess.run(["umount", "-l", str(card)], check=True)


def test_a_folder_that_goes_away_meanwhile_takes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage, folder = shutil.disk_usage, tmp_path / "stick"
    folder.mkdir()

    def pulled(path: Path) -> object:
        folder.rmdir()
        return usage(path)

    monkeypatch.setattr(shutil, "disk_usage", pulled)
    assert look(folder).faults == ("refused",)
