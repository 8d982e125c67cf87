"""A file is written whole, or the one before it stays as it was."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from companion import circuits, whole_file
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.rules.conversation.errors import CompanionError
from companion.whole_file import write_out
from companion.wording import Words


def test_a_file_is_written_with_its_folder_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "data" / "drivers.toml"
    whole_file.write(path, b"old")
    whole_file.write(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(path.parent.iterdir()) == [path]


def test_the_disk_keeps_the_file_before_its_name_and_the_name_before_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, kept = tmp_path / "sheet.pdf", []

    def fsync(held: int) -> None:
        kept.append((Path(os.readlink(f"/proc/self/fd/{held}")).name, path.exists()))

    monkeypatch.setattr(os, "fsync", fsync)
    whole_file.write(path, b"sheet")
    assert kept == [(".sheet.pdf.new", False), (tmp_path.name, True)]


def test_a_private_file_is_never_open_to_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not before anything is in it, nor where it was open to them before."""
    path, seen = tmp_path / "phones.json", []
    path.write_bytes(b"old")
    path.chmod(0o644)
    synced = os.fsync

    def fsync(held: int) -> None:
        seen.append(os.fstat(held).st_mode & 0o777)
        synced(held)

    monkeypatch.setattr(os, "fsync", fsync)
    whole_file.write(path, b"new", mode=0o600)
    assert (seen[0], path.stat().st_mode & 0o777) == (0o600, 0o600)


def test_a_disk_that_takes_nothing_leaves_the_old_file_and_no_part_of_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "settings.toml"
    whole_file.write(path, b"old")

    def full(held: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        whole_file.write(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_system_that_knows_nothing_of_folders_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fsync(held: int) -> None:
        if os.path.isdir(f"/proc/self/fd/{held}"):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    monkeypatch.setattr(os, "fsync", fsync)
    whole_file.write(tmp_path / "race.json", b"{}")
    assert (tmp_path / "race.json").read_bytes() == b"{}"


def test_a_file_that_somebody_named_is_whole_or_what_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named, link = tmp_path / "sheet.pdf", tmp_path / "link.pdf"
    write_out(named, b"before")
    named.chmod(0o640)
    link.symlink_to(named)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", full)
        with pytest.raises(CompanionError, match=r"sheet.pdf could not be written") as wrong:
            write_out(link, b"after")
    assert "n’a pu être écrit (le disque est plein)." in Words("fr").error(wrong.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.pdf", "sheet.pdf"]
    assert named.read_bytes() == b"before"
    write_out(link, b"after")
    assert (named.read_bytes(), link.is_symlink(), named.stat().st_mode & 0o777) == (b"after", True, 0o640)
    with pytest.raises(CompanionError, match="No such file or directory"):
        write_out(tmp_path / "none" / "sheet.pdf", b"x")
    assert not (tmp_path / "none").exists()
    write_out(Path(os.devnull), b"x")
    assert not Path(os.devnull).is_file()


def test_a_circuit_that_an_editor_wrote_with_a_byte_order_mark_is_raced_and_resumed(tmp_path: Path) -> None:
    circuit = tmp_path / "mine.toml"
    circuit.write_bytes(b"\xef\xbb\xbf" + circuits.find("monaco").read_bytes())
    with begin_race({"track": str(circuit), "cars": [{"car": 1}, {"car": 2}]}, str(circuit), tmp_path) as desk:
        asked = desk.asked
    with RaceDesk.resume(tmp_path) as desk:
        assert desk.asked == asked
