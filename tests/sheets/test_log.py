"""The log: committed before it is shown, only ever added to, and one sentence for everything that goes wrong."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.desk import SPACING, RaceDesk
from companion.rules.conversation.errors import LogError, NotSaved
from companion.sheets.chain import chained, line
from companion.sheets.place import DATABASE, Gate, data_folder
from companion.sheets.reading import entries, races, reading
from companion.version import DATABASE_FORM
from tests.killed import beside, kill
from tests.sheets.bare import bare
from tests.toy import SETUP, OtherToy, pick, toy

ROOT = Path(__file__).parents[2]


def begin(folder: Path, name: str = "toy", memory: bool = False) -> RaceDesk:
    return RaceDesk.begin(toy(), setup=SETUP, track="a toy", folder=folder, name=name, memory=memory)


def other_toy(setup: Any, track: str) -> OtherToy:
    made = toy(setup, track, OtherToy)
    assert isinstance(made, OtherToy)
    return made


def play(desk: RaceDesk, count: int, seed: int = 1) -> None:
    rng = Random(seed)
    for _ in range(count):
        assert desk.asked is not None
        desk.answer(pick(desk.asked, rng))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one race of 40 answers."""
    with begin(tmp_path) as desk:
        play(desk, 40)
    return tmp_path


# -- where it lies


def test_data_lies_where_it_is_told_to(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/companion:/var/lib/other")
    assert data_folder("/here") == Path("/here")
    assert data_folder() == Path("/var/lib/companion")
    monkeypatch.delenv("STATE_DIRECTORY")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "companion"


# -- how it is kept


def written(db: sqlite3.Connection) -> int:
    """How many entries a database holds."""
    return int(db.execute("SELECT count(*) FROM entry").fetchone()[0])


def test_every_answer_is_on_the_disk_when_it_is_accepted(tmp_path: Path) -> None:
    with begin(tmp_path) as desk:
        for count in range(1, 6):
            play(desk, 1, count)
            with reading(tmp_path) as db:
                assert written(db) == count + 1


def test_the_settings_of_the_database(tmp_path: Path) -> None:
    with begin(tmp_path) as desk:
        assert desk.log is not None
        db = desk.log._db
        assert db is not None
        wanted = {
            "journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5000,
            "wal_autocheckpoint": 200, "trusted_schema": 0, "journal_size_limit": 1048576, "mmap_size": 0,
            "user_version": DATABASE_FORM, "recursive_triggers": 1,
        }  # fmt: skip
        got = {name: (db.execute(f"PRAGMA {name}").fetchone() or [0])[0] for name in wanted}
        assert got == wanted
        strict = {name for _, name, kind, _, _, strict in db.execute("PRAGMA table_list") if kind == "table" and strict}
        assert strict >= {"entry", "snapshot", "race"}


def test_the_chain_can_be_checked_by_anybody(folder: Path) -> None:
    with reading(folder) as db:
        log = list(entries(db, races(db)[0].log_id))
    prev = bytes(32)
    for seq, entry in enumerate(log, 1):
        row = json.loads(line(entry))
        assert (row["seq"], row["prev"]) == (seq, prev.hex())
        text = json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        prev = hashlib.sha256(text.encode()).digest()
        assert entry.hash == prev


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entry SET actor = 'me' WHERE seq = 3",
        "DELETE FROM entry WHERE seq = 41",
        "INSERT OR REPLACE INTO entry SELECT * FROM entry WHERE seq = 3",
        "INSERT OR IGNORE INTO entry SELECT * FROM entry WHERE seq = 3",
        "INSERT INTO entry SELECT log_id, seq + 2, at_wall, at_mono_ns, boot_id, actor, kind, n, body, rulings, state,"
        " prev, hash FROM entry WHERE seq = 41",
        "INSERT INTO entry SELECT log_id, NULL, at_wall, at_mono_ns, boot_id, actor, kind, n, body, rulings, state,"
        " prev, hash FROM entry WHERE seq = 41",
        "INSERT INTO entry SELECT log_id, 42, at_wall, at_mono_ns, boot_id, actor, kind, n, body, rulings, state,"
        " prev, hash FROM entry WHERE seq = 41",
        "INSERT INTO entry SELECT 'other', 2, at_wall, at_mono_ns, boot_id, actor, kind, n, body, rulings, state,"
        " prev, hash FROM entry WHERE seq = 2",
    ],
)
def test_the_guards_hold_against_a_bare_connection(folder: Path, statement: str) -> None:
    with bare(folder) as connection:
        before = connection.execute("SELECT * FROM entry").fetchall()
        with contextlib.suppress(sqlite3.IntegrityError):
            connection.execute(statement)
        connection.commit()
        assert connection.execute("SELECT * FROM entry").fetchall() == before


def test_a_race_is_resumed_from_its_last_state_or_from_the_answers_alone(folder: Path) -> None:
    with RaceDesk.resume(folder, make=toy) as desk:
        state, n, asked = desk.rulebook.save(), desk.n, desk.asked
        assert [n for n, _ in desk.conversation.checkpoints][:2] == [
            0,
            SPACING,
        ]  # earlier states are there to go back to
        desk.undo(30)
        early = desk.rulebook.save()
        desk.redo(30)
    with bare(folder) as connection:
        connection.execute("UPDATE snapshot SET body = x'00'")
    with RaceDesk.resume(folder, make=toy) as desk:
        assert (desk.rulebook.save(), desk.n, desk.asked) == (state, n, asked)
    with bare(folder) as connection:
        connection.execute("DELETE FROM snapshot")
    with RaceDesk.resume(folder, make=toy) as desk:
        assert (desk.rulebook.save(), desk.n, desk.asked) == (state, n, asked)
        desk.undo(30)
        assert desk.rulebook.save() == early


def test_states_kept_never_outlive_what_they_rest_on(folder: Path) -> None:
    with RaceDesk.resume(folder, make=toy) as desk:
        desk.undo(35)
        play(desk, 3, seed=9)
        desk.undo()
        play(desk, 30, seed=10)
        state = desk.rulebook.save()
    with RaceDesk.resume(folder, make=toy) as desk:
        assert desk.rulebook.save() == state
        assert desk.conversation.digest == desk.history.state


# -- naming a race


def test_races_are_named_by_name_by_the_beginning_of_their_id_or_as_the_last(tmp_path: Path) -> None:
    for name in ("first", "second", "second"):
        with begin(tmp_path, name) as desk:
            play(desk, 2)
    with reading(tmp_path) as db:
        listed = races(db)
    with RaceDesk.resume(tmp_path, "FIRST", make=toy) as desk:
        play(desk, 1)
    with reading(tmp_path) as db:
        assert [race.name for race in races(db)] == ["first", "second", "second"]
    with RaceDesk.resume(tmp_path, make=toy) as desk:
        assert desk.n == 3
    with RaceDesk.resume(tmp_path, listed[0].short, make=toy) as desk:
        assert desk.log is not None
        assert desk.log.log_id == listed[0].log_id
    with pytest.raises(LogError, match=r"2 are called second; name one by its id: \w{4,} \(20"):
        RaceDesk.resume(tmp_path, "second", make=toy)
    with pytest.raises(LogError, match="There is no race third; the last ones are"):
        RaceDesk.resume(tmp_path, "third", make=toy)
    with pytest.raises(LogError, match="There are no races in"):
        RaceDesk.resume(tmp_path / "nowhere", make=toy)


# -- one writer


def test_a_second_program_is_told_who_has_the_race(folder: Path) -> None:
    code = (
        "import sys, pathlib; from companion.desk import RaceDesk; from tests.toy import toy\n"
        "desk = RaceDesk.resume(pathlib.Path(sys.argv[1]), make=toy); print('has it', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"has it\n"
        with pytest.raises(
            LogError, match=rf"toy is being written by -c .*process {other.pid}, since \d\d:\d\d"
        ) as told:
            RaceDesk.resume(folder, make=toy)
        assert not isinstance(told.value, NotSaved)
        with reading(folder) as db:  # reading is free
            assert written(db) == 41
        with begin(folder, "another race") as desk:  # and so is another race
            play(desk, 5)
        other.kill()
    with RaceDesk.resume(folder, "toy", make=toy) as desk:  # the right ends with the process
        assert desk.n == 40


def test_one_program_cannot_open_a_race_twice_either(folder: Path) -> None:
    with RaceDesk.resume(folder, make=toy), pytest.raises(LogError, match="being written by"):
        RaceDesk.resume(folder, make=toy)
    assert [path.name for path in folder.glob("*.lock")] == ["races.lock"]


def test_two_programs_write_two_races_one_transaction_at_a_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Gate, "WAIT", 0.05)
    gate = Gate(folder)
    with begin(folder, "another") as desk:
        before = desk.rulebook.save()
        with gate.passed(), pytest.raises(NotSaved, match="another program has been writing"):
            play(desk, 1)
        assert (desk.n, desk.rulebook.save()) == (0, before)
        play(desk, 1)
    gate.close()


def test_who_writes_on_and_on_to_a_slow_disk_lets_others_in(tmp_path: Path) -> None:
    turns = 100

    def writing(told: int) -> None:
        gate = Gate(tmp_path)
        for _ in range(turns):
            with gate.passed():
                os.write(told, b".")
                time.sleep(2 * Gate.LONG)

    child, reader = beside(writing)
    assert os.read(reader, 1) == b"."
    gate = Gate(tmp_path)
    for _ in range(12):
        with gate.passed():
            pass
    kill(child)
    assert len(os.read(reader, 2 * turns)) < turns / 2
    os.close(reader)
    gate.close()


# -- damage


def chained_sentence(folder: Path) -> str:
    with pytest.raises(LogError) as told:
        RaceDesk.resume(folder, make=toy)
    assert str(told.value).count("\n") == 0
    return str(told.value)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entry SET body = replace(body, '\"answer\":', '\"answer\": ') WHERE seq = 17",
        "UPDATE entry SET actor = 'Tables' WHERE seq = 17",
        "UPDATE entry SET at_mono_ns = at_mono_ns + 1 WHERE seq = 17",
        "UPDATE entry SET hash = zeroblob(32) WHERE seq = 17",
        "UPDATE entry SET state = '' WHERE seq = 17",
        "UPDATE entry SET rulings = 'x' WHERE seq = 17",
    ],
)
def test_a_changed_byte_is_found_where_it_is(folder: Path, change: str) -> None:
    with bare(folder) as connection:
        connection.execute("DROP TRIGGER entry_stays")
        assert connection.execute(change).rowcount == 1
    assert "Entry 17 of the log is not as it was written" in chained_sentence(folder)


def test_a_log_with_a_piece_cut_out_of_its_middle(folder: Path) -> None:
    with bare(folder) as connection:
        connection.execute("DROP TRIGGER entry_remains")
        connection.execute("DELETE FROM entry WHERE seq BETWEEN 10 AND 12")
    assert "Entry 10 of the log is missing, entry 13 comes after 9; companion races salvage" in chained_sentence(folder)


def test_a_log_with_its_end_cut_off(folder: Path) -> None:
    with bare(folder) as connection:
        connection.execute("DROP TRIGGER entry_remains")
        connection.execute("DELETE FROM entry WHERE seq > 38")
    assert "The log is cut off after entry 38 of 41; companion races salvage" in chained_sentence(folder)


@pytest.mark.parametrize("part", [0.3, 0.6, 0.95])
def test_a_database_cut_off_in_the_middle(folder: Path, part: float) -> None:
    path = folder / DATABASE
    os.truncate(path, int(path.stat().st_size * part))
    assert "damaged" in chained_sentence(folder)


def test_any_byte_of_the_database_changed_is_found_or_harmless(folder: Path, tmp_path: Path) -> None:
    """A byte in the pages of the log is always found; what resumes, resumes the very same race."""
    with RaceDesk.resume(folder, make=toy) as desk:
        state = desk.rulebook.save()
    good = (folder / DATABASE).read_bytes()
    rng = Random(7)
    found = 0
    for trial in range(60):
        other = tmp_path / f"damaged{trial}"
        other.mkdir()
        at = rng.randrange(100, len(good))
        (other / DATABASE).write_bytes(good[:at] + bytes([good[at] ^ (1 << rng.randrange(8))]) + good[at + 1 :])
        try:
            with RaceDesk.resume(other, make=toy) as desk:
                assert desk.rulebook.save() == state
        except LogError:
            found += 1
        shutil.rmtree(other)
    assert found > 10


def test_a_database_of_a_newer_form_is_left_alone(folder: Path) -> None:
    with bare(folder) as connection:
        connection.execute(f"PRAGMA user_version={DATABASE_FORM + 1}")
    before = (folder / DATABASE).read_bytes()
    assert "written by a newer companion (form 2; this one knows up to 1)" in chained_sentence(folder)
    with pytest.raises(LogError, match="newer companion"):
        begin(folder)
    assert (folder / DATABASE).read_bytes() == before


def test_a_file_that_is_no_database_or_somebody_elses(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_text("this is a shopping list " * 100)
    with pytest.raises(LogError, match="damaged or no database"):
        begin(tmp_path)
    (tmp_path / DATABASE).unlink()
    with bare(tmp_path) as connection:
        connection.execute("CREATE TABLE shopping(list)")
    with pytest.raises(LogError, match="of some other program"):
        begin(tmp_path)


def test_a_log_of_another_version_of_the_rulebook_goes_on_if_it_rules_the_same(tmp_path: Path) -> None:
    with begin(tmp_path) as desk:
        for answer in (2, 6, 6, 1, 3, 3, 1, 2, 2, 1, 1, 1):
            desk.answer(answer)
    with RaceDesk.resume(tmp_path, make=other_toy) as desk:
        assert desk.n == 12
    with RaceDesk.resume(tmp_path, make=toy) as desk:
        desk.answer(6)  # harms nothing by version 1, and costs an engine point by version 2
    with RaceDesk.resume(tmp_path, make=other_toy) as desk:  # the state that was kept is what the table saw
        assert desk.rulebook.race.cars[0].wear["engine"] == 3
    with bare(tmp_path) as connection:
        connection.execute("DELETE FROM snapshot")
    with pytest.raises(LogError, match=r"by toy 1, and toy 2 of this program rules otherwise \(see entry 14\); its"):
        RaceDesk.resume(tmp_path, make=other_toy)
    with RaceDesk.resume(tmp_path, make=toy) as desk:
        assert desk.n == 13


# -- no room, no right


def limited(folder: Path, code: str) -> str:
    """Runs code in a process whose files may not grow beyond a limit that it sets itself with `limit(bytes)`."""
    head = (
        "import pathlib, resource, signal, sys\n"
        "from companion.desk import RaceDesk\nfrom companion.rules.conversation.errors import NotSaved\n"
        "from tests.sheets.test_log import begin, play\nfrom tests.toy import toy\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "def limit(size): resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))\n"
        "folder = pathlib.Path(sys.argv[1])\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", head + code, str(folder)], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_on_a_full_disk_nothing_is_accepted_until_the_table_says_to_go_on_in_memory(tmp_path: Path) -> None:
    """The disk is full by RLIMIT_FSIZE: SQLite cannot make its files longer."""
    out = limited(
        tmp_path,
        "desk = begin(folder)\nplay(desk, 10)\n"
        "size = (folder / 'races.db-wal').stat().st_size\nlimit(size + 100)\n"
        "n = desk.n\n"
        "refused = None\n"
        "while refused is None:\n"
        "    state = desk.rulebook.save()\n"
        "    try: play(desk, 1)\n"
        "    except NotSaved as told: refused = told\n"
        "assert desk.rulebook.save() == state\n"
        "print(type(refused).__name__, refused.choices, refused)\n"
        "saved = desk.n\n"
        "for wrong in (desk.undo, lambda: desk.note('x'), lambda: desk.override({'surface': 'wet'}, by='R', why='y'),\n"
        "              lambda: desk.correct(0, 1)):\n"
        "    try: wrong()\n"
        "    except NotSaved: assert desk.rulebook.save() == state\n"
        "    else: raise SystemExit('written?')\n"
        "desk.go_on_in_memory()\n"
        "play(desk, 5)\n"
        "desk.undo()\n"
        "print(desk.unsaved, desk.in_memory, desk.n - saved)\n"
        "limit(resource.RLIM_INFINITY)\n"
        "play(desk, 1)\n"
        "print(desk.unsaved, desk.n - saved)\n"
        "print(desk.rulebook.save().hex())\n"
        "desk.close()\n",
    ).splitlines()
    assert out[0].startswith("NotSaved ('stop', 'memory') ")
    assert (
        out[0].endswith("so this is not saved in " + str(tmp_path / DATABASE) + ".") or "could not be written" in out[0]
    )
    assert out[1:3] == ["6 True 4", "0 5"]
    with RaceDesk.resume(tmp_path, make=toy) as desk:
        assert desk.rulebook.save().hex() == out[3]


def test_a_race_begun_on_a_full_disk_is_saved_once_there_is_room(tmp_path: Path) -> None:
    out = limited(
        tmp_path,
        "limit(0)\n"
        "try: begin(folder)\n"
        "except NotSaved as told: print(told)\n"
        "desk = begin(folder, memory=True)\n"
        "play(desk, 5)\nprint(desk.unsaved)\n"
        "limit(resource.RLIM_INFINITY)\nplay(desk, 1)\nprint(desk.unsaved)\ndesk.close()\n",
    ).splitlines()
    assert "not saved" in out[0]
    assert out[1:] == ["6", "0"]
    with RaceDesk.resume(tmp_path, make=toy) as desk:
        assert desk.n == 6


def test_a_tiny_disk_that_is_really_full_and_a_card_that_is_read_only(tmp_path: Path) -> None:
    """As root on a tmpfs of its own; elsewhere on a folder that may not be written."""
    card = tmp_path / "card"
    card.mkdir()
    if os.geteuid() != 0 or subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(card)], check=False, capture_output=True
    ).returncode:  # fmt: skip
        _a_folder_without_rights(card)
        return
    try:
        with begin(card) as desk:
            play(desk, 5)
        with contextlib.suppress(OSError), (card / "filler").open("wb", buffering=0) as filler:
            while True:
                filler.write(bytes(512))
        with pytest.raises(NotSaved, match="disk is full") as refused:
            RaceDesk.resume(card, make=toy)
        assert refused.value.choices == ("stop", "memory")
        with RaceDesk.resume(card, make=toy, memory=True) as desk:  # it is read where nothing at all can be written
            play(desk, 3)
            assert (desk.n, desk.unsaved) == (8, 3)
            (card / "filler").unlink()
            play(desk, 1)
            assert desk.unsaved == 0
        with RaceDesk.resume(card, make=toy) as desk:
            with pytest.raises(NotSaved, match="disk is full"):
                play(desk, 100000)
            state, n = desk.rulebook.save(), desk.n
        with RaceDesk.resume(card, make=toy, memory=True) as desk:
            assert (desk.rulebook.save(), desk.n) == (state, n)
        subprocess.run(["mount", "-o", "remount,ro", str(card)], check=True)
        with pytest.raises(NotSaved, match="cannot be written \\(read-only\\)"):
            RaceDesk.resume(card, make=toy)
        with RaceDesk.resume(card, make=toy, memory=True) as desk:
            assert (desk.rulebook.save(), desk.n) == (state, n)
            play(desk, 3)
            assert desk.unsaved == 3
        with reading(card) as db:
            assert len(races(db)) == 1
        with pytest.raises(NotSaved):
            begin(card)
    finally:
        subprocess.run(["umount", "-l", str(card)], check=False)


def _a_folder_without_rights(card: Path) -> None:
    with begin(card) as desk:
        play(desk, 5)
    card.chmod(0o500)
    try:
        with pytest.raises(NotSaved, match="cannot be written"):
            RaceDesk.resume(card, make=toy)
        with RaceDesk.resume(card, make=toy, memory=True) as desk:
            play(desk, 3)
            assert (desk.n, desk.unsaved) == (8, 3)
    finally:
        card.chmod(0o700)


def test_an_empty_log_is_no_log() -> None:
    with pytest.raises(LogError, match="no entries"):
        list(chained([]))
