"""A system that Debian's overlayroot made read-only: what its own script makes of /etc/fstab, and of the races."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent.parent
FSTAB = """\
PARTUUID=1-02  /                   ext4  defaults,noatime           0  1
PARTUUID=1-01  /boot/firmware      vfat  defaults                   0  2
"""
LINE = "LABEL=races    /var/lib/companion  ext4  defaults,noatime,commit=5  0  2\n"
"""What an /etc/fstab would say of a partition for the races."""
WRITTEN = """
log_warn() { :; }
eval "$(sed -n '/^clean_path()/,/^}/p;/^get_workdir()/,/^}/p;/^needs_workdir()/,/^}/p' "$1")"
eval "$(sed -n '/^overlayrootify_fstab()/,/^}/p' "$1")"
MYTAG=overlayroot
overlayrootify_fstab "$2" /media/root-ro /media/root-rw /overlay "$3" 0 overlay
"""
MOUNTED = """
set -e
cd "$1"
mkdir -p media/root-ro/var/lib/companion media/root-rw var/lib/companion
mount -t tmpfs tmpfs-root media/root-rw
mkdir -p media/root-rw/overlay/var/lib/companion media/root-rw/overlay-workdir/var/lib/companion
mount -t overlay "$1/media/root-ro/var/lib/companion" var/lib/companion -o "$2"
STATE_DIRECTORY="$1/var/lib/companion" exec "$3" -c '
import os, pathlib
from companion.sheets.storage import look
print(*look(pathlib.Path(os.environ["STATE_DIRECTORY"])).faults)
'
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The script of Debian's package, as this machine's apt has it."""
    folder = tmp_path_factory.mktemp("overlayroot")
    for words in (["apt-get", "download", "overlayroot"], ["sh", "-c", "dpkg-deb -x overlayroot_*.deb ."]):
        if subprocess.run(words, cwd=folder, check=False, capture_output=True, timeout=60).returncode:
            pytest.skip("The package overlayroot cannot be fetched here.")
    return folder / "usr/share/initramfs-tools/scripts/init-bottom/overlayroot"


def written(script: Path, fstab: Path, recurse: int = 1) -> list[list[str]]:
    """The lines of the /etc/fstab that it writes, but for comments."""
    words: list[str | Path] = ["sh", "-c", WRITTEN, "sh", script, fstab, str(recurse)]
    said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return [line.split() for line in said.splitlines() if line and not line.startswith("#")]


def test_it_covers_a_line_of_fstab_with_memory_and_knows_of_no_unit(script: Path, tmp_path: Path) -> None:
    (fstab := tmp_path / "fstab").write_text(FSTAB + LINE)
    (covered,) = [line for line in written(script, fstab) if line[1] == "/var/lib/companion"]
    assert covered[2] == "overlay"
    assert "upperdir=/media/root-rw/overlay/var/lib/companion" in covered[3]
    assert ["LABEL=races", "/media/root-ro/var/lib/companion", "ext4"] in [line[:3] for line in written(script, fstab)]
    fstab.write_text(FSTAB)
    assert [line[1] for line in written(script, fstab)] == ["/", "/boot/firmware"]


def test_races_that_it_covers_are_a_grave_fault(script: Path, tmp_path: Path) -> None:
    """Mounted as the script has it, below a made-up root."""
    (fstab := tmp_path / "fstab").write_text(FSTAB + LINE)
    (covered,) = [line for line in written(script, fstab) if line[1] == "/var/lib/companion"]
    root = tmp_path / "root"
    root.mkdir()
    words: list[str | Path] = [
        "unshare",
        "--mount",
        "sh",
        "-c",
        MOUNTED,
        "sh",
        root,
        covered[3].replace("=/", f"={root}/"),
        sys.executable,
    ]
    done = subprocess.run(words, check=False, capture_output=True, text=True, cwd=PROJECT)
    if os.geteuid() or done.returncode:
        pytest.skip(f"Nothing can be mounted here: {done.stderr.strip()[-200:]}")
    assert done.stdout.split() == ["volatile"]
