"""All of the database is read after an end that was not clean, and once a day; else nobody waits for that."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.desk import RaceDesk
from companion.sheets.place import DATABASE
from tests.sheets.many import many_races
from tests.test_bad_input import companion
from tests.toy import SETUP, toy

CHECKED = "races.checked"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    many_races(tmp_path / "data", 12)
    return tmp_path / "data"


def spoil(folder: Path, *, unseen: bool = True) -> None:
    """Damage a page that no list of races looks at: of states to resume from. A failing card leaves the times alone."""
    path = folder / DATABASE
    with sqlite3.connect(path) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'snapshot'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    db.close()
    was = path.stat()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * 64)
    if unseen:
        os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))


def sheets(folder: Path) -> str:
    done = companion("races", "list", "--data", folder, "--lang", "en")
    return str(done.stderr or done.stdout)


def test_after_a_clean_end_the_list_is_there_without_reading_all(folder: Path) -> None:
    spoil(folder)
    assert "race 11" in sheets(folder)
    assert companion("hardware", "check", "--data", folder, "--lang", "en").stdout.count("damaged") >= 1, (
        "the doctor reads it all"
    )


def touched(folder: Path) -> None:
    spoil(folder, unseen=False)


def copied(folder: Path) -> None:
    spoil(folder)
    shutil.copytree(folder, folder.parent / "copy")
    shutil.rmtree(folder)
    (folder.parent / "copy").rename(folder)


def killed(folder: Path) -> None:
    code = (
        "import os, pathlib, sys; from companion.desk import RaceDesk; from tests.toy import SETUP, toy\n"
        "RaceDesk.begin(toy(), setup=SETUP, track='', folder=pathlib.Path(sys.argv[1]), name='x').note('x')\n"
        "os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(folder)], cwd=ROOT, check=False).returncode == -9
    spoil(folder)


def noted_as_damaged(folder: Path) -> None:
    """The daily check of a race that goes on finds it, and the next opening tells."""
    spoil(folder)
    noted = json.loads((folder / CHECKED).read_bytes())
    (folder / CHECKED).write_text(json.dumps(noted | {"at": noted["at"] - 2 * 86400}))
    RaceDesk.begin(toy(), setup=SETUP, track="a toy", folder=folder, name="x").close()
    for thread in threading.enumerate():
        if thread.name == "whole check":
            thread.join(30)


@pytest.mark.parametrize("harm", [touched, copied, killed, noted_as_damaged])
def test_all_of_it_is_read_where_the_last_end_says_nothing(folder: Path, harm: Callable[[Path], None]) -> None:
    assert "race 11" in sheets(folder)
    harm(folder)
    assert "damaged" in sheets(folder)


def test_a_torn_note_only_costs_a_check(folder: Path) -> None:
    (folder / CHECKED).write_bytes(b'{"files":[1,')
    assert "race 11" in sheets(folder)
    spoil(folder, unseen=False)
    assert "damaged" in sheets(folder)


def test_a_database_of_an_older_program_is_listed_and_found_without_its_indexes(folder: Path) -> None:
    with sqlite3.connect(folder / DATABASE) as db:
        for index in ("entry_first", "entry_deleted"):
            db.execute(f"DROP INDEX {index}")
        db.execute("DROP TABLE IF EXISTS dice")
    db.close()
    assert "race 11" in sheets(folder)
    assert "race 3" in companion("races", "show", "race 3", "--data", folder, "--lang", "en").stdout
    assert companion("hardware", "roller", "fairness", "--data", folder, "--lang", "en").returncode == 0
    RaceDesk.begin(toy(), setup=SETUP, track="a toy", folder=folder, name="x").close()
    assert companion("races", "verify", "race 3", "--data", folder, "--lang", "en").returncode == 0


def test_a_long_list_comes_a_page_at_a_time(tmp_path: Path) -> None:
    many_races(tmp_path, 60)
    said = sheets(tmp_path)
    assert "race 59" in said
    assert "race 9 " not in said
    assert f"10 older races: companion --data {tmp_path} races list --all" in said
    assert "race 9 " in companion("races", "list", "--all", "--data", tmp_path, "--lang", "en").stdout
