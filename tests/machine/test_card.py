"""The image of a card, read back as the Pi's firmware and any computer read it; its system is a stand-in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.machine import card
from tests.machine.boards import fetched
from tests.machine.host import Hindered, run

CONFIG = "arm_64bit=1\nupstream_kernel=1\n\nkernel=vmlinuz-6\n# told at length\ninitramfs initrd.img-6\n"


@pytest.fixture
def image(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A card's image with a system of two files."""
    monkeypatch.setattr(card, "ROOM", 16 << 20)
    root = tmp_path / "root"
    (root / "boot/firmware/overlays").mkdir(parents=True)
    (root / "etc").mkdir()
    (root / "etc/hostname").write_text("table\n")
    for name, text in {
        "config.txt": CONFIG, "cmdline.txt": "console=tty0 root=LABEL=table\n", "vmlinuz-6": "the kernel",
        "initrd.img-6": "the initrd", "bcm2837-rpi-3-b.dtb": "the tree", "overlays/one.dtbo": "",
    }.items():  # fmt: skip
        (root / "boot/firmware" / name).write_text(text)
    card.written(root, tmp_path / "card.img")
    return tmp_path / "card.img"


def test_a_card_has_a_partition_for_the_firmware_and_one_for_the_system(image: Path) -> None:
    table = json.loads(run("sfdisk", "--json", image))["partitiontable"]
    assert table["label"] == "dos", "what the oldest of these Pis reads"
    firmware, root = table["partitions"]
    assert (firmware["type"], root["type"]) == ("c", "83")
    assert firmware["start"] * card.SECTOR == card.BEGINS
    assert root["start"] == firmware["start"] + firmware["size"]
    assert image.stat().st_size == (root["start"] + root["size"]) * card.SECTOR, "nothing is left over at its end"


def test_the_firmware_finds_what_its_settings_name(image: Path, tmp_path: Path) -> None:
    found = fetched(image, tmp_path / "found", "bcm2837-rpi-3-b.dtb")
    assert {one.name: one.read_text().strip() for one in found.iterdir()} == {
        "kernel": "the kernel", "initrd": "the initrd", "tree.dtb": "the tree",
        "cmdline": "console=tty0 root=LABEL=table",
    }  # fmt: skip
    assert card.FIRMWARE in run("mdir", "-i", f"{image}@@{card.BEGINS}", "::")
    with pytest.raises(Hindered):
        fetched(image, tmp_path / "none", "no.dtb")


def test_the_system_is_on_a_file_system_of_the_name_that_the_kernel_looks_for(image: Path) -> None:
    root = f"{image}?offset={card.BEGINS + card.FIRMWARE_SIZE}"
    assert run("debugfs", "-R", "cat /etc/hostname", root).endswith("table\n")
    assert "Filesystem volume name:   table\n" in run("debugfs", "-R", "stats -h", root)
    assert "vmlinuz" not in run("debugfs", "-R", "ls /boot/firmware", root), "it lies in a partition of its own"


def test_what_is_lent_runs_in_a_root_that_has_nothing_else_and_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "usr/sbin").mkdir(parents=True)
    lend, take_back = card.lent(["cat", "dpkg-deb"])
    run("sh", "-c", lend, "sh", tmp_path)
    assert (tmp_path / "lib64").is_symlink()  # base-files will have no folder there
    assert {one.name for one in tmp_path.iterdir() if one.is_dir() and not one.is_symlink()} == {"usr", "etc"}
    (tmp_path / "told").write_text("as here\n")
    assert run("chroot", tmp_path, "/usr/sbin/cat", "/told") == "as here\n"
    assert "dpkg-deb" in run("chroot", tmp_path, "/usr/sbin/dpkg-deb", "--version")
    run("sh", "-c", take_back, "sh", tmp_path)
    assert [str(one.relative_to(tmp_path)) for one in tmp_path.rglob("*") if one.is_file()] == ["told"]
    assert not (tmp_path / "lib64").is_symlink()
