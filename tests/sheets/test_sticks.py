"""The races go by themselves only onto a stick that somebody at the table has called theirs, once."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from companion.desk import RaceDesk
from companion.rules.conversation.errors import LogError
from companion.sheets.backup import backup, copies
from companion.sheets.place import COPIES, Gate, WriteLock
from companion.sheets.sticks import NAME, make_ours, ours
from companion.whole_file import to_owner
from tests.french import told_in_french
from tests.test_bad_input import companion, complaint
from tests.toy import SETUP, pick, toy


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    with RaceDesk.begin(toy(), setup=SETUP, track="a toy", folder=folder, name="one") as desk:
        desk.answer(pick(desk.asked, Random(1)))
    return folder


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    made = tmp_path / "stick"
    made.mkdir()
    return made


def test_a_stick_gets_nothing_by_itself_until_it_is_called_ours(kept: Path, stick: Path) -> None:
    timer = ("--data", kept, "--lang", "en", "races", "backup", stick / COPIES, "--keep", "36", "--ours")
    done = companion(*timer)
    assert (done.returncode, done.stderr) == (0, ""), "what it has to wait for is no failure"
    assert f"{stick} does not belong to this table yet" in done.stdout
    assert list(stick.iterdir()) == []
    assert (
        f"{stick} now belongs to this table"
        in companion("--data", kept, "--lang", "en", "races", "backup", "adopt", stick).stdout
    )
    assert companion(*timer).returncode == 0
    assert len(copies(stick / COPIES)) == 1
    assert ours(kept, stick)


def test_it_is_said_once_and_of_this_stick_by_this_table(kept: Path, stick: Path, tmp_path: Path) -> None:
    make_ours(kept, stick)
    name = (kept / NAME).read_text()
    make_ours(kept, stick)
    assert (kept / NAME).read_text() == name == (stick / COPIES / NAME).read_text()
    other, table = tmp_path / "other stick", tmp_path / "other table"
    other.mkdir()
    assert not ours(kept, other)
    assert not ours(table, stick)
    make_ours(table, stick)
    assert ours(table, stick)
    assert ours(kept, stick), "a stick may serve two tables"
    (stick / COPIES / NAME).unlink()
    assert not ours(kept, stick), "formatted"
    (kept / NAME).write_text("")
    (stick / COPIES / NAME).write_text("")
    assert not ours(kept, stick), "two empty names are none"
    assert NAME not in {path.name for path in backup(kept, other).path.iterdir()}, "no copy gives it away"


def test_what_goes_wrong_is_said(kept: Path, stick: Path) -> None:
    (stick / COPIES).write_text("a file in the place of the folder")
    with pytest.raises(LogError) as refused:
        make_ours(kept, stick)
    told_in_french(refused.value)
    (kept / NAME).unlink()
    (kept / NAME).mkdir()
    with pytest.raises(LogError, match=f"^{kept} takes nothing ") as refused:
        make_ours(kept, stick)
    told_in_french(refused.value)
    assert "There is no USB stick" in complaint(companion("--data", kept, "--lang", "en", "races", "backup", "adopt"))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can do what root should not have done")
def test_what_root_leaves_belongs_to_whom_the_folder_belongs(tmp_path: Path) -> None:
    """Else the touchscreen's own user could open neither the lock nor the races."""
    folder = tmp_path / "data"
    folder.mkdir()
    os.chown(folder, 4242, 4243)
    with RaceDesk.begin(toy(), setup=SETUP, track="a toy", folder=folder, name="one") as desk:
        desk.answer(pick(desk.asked, Random(1)))
        found = {path.name: path.stat().st_uid for path in folder.iterdir()}
        assert {"races.db", "races.db-wal", "races.db-shm", "races.lock"} < found.keys()
        assert set(found.values()) == {4242}
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("the system's")
    (folder / "link").symlink_to(elsewhere)
    to_owner(folder / "link")
    assert elsewhere.stat().st_uid == 0, "no link gives away what is not the folder's"
    (folder / "link").unlink()
    gate, hold = Gate(folder), WriteLock(folder, "a", "a")
    make_ours(folder, tmp_path)
    assert {path.stat().st_gid for path in folder.iterdir()} == {4243}
    hold.release()
    gate.close()
