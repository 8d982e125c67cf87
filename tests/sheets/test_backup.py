"""Copies of all that is kept: whole, checked, made beside a race that goes on, and never in anybody's way."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

import companion.sheets.backup as module_of
from companion.commands.main import main
from companion.commands.races import backup as command
from companion.desk import RaceDesk
from companion.rules.conversation.errors import LogError, NotSaved
from companion.sheets import place
from companion.sheets.backup import HEADS, LINES, NAME, backup, copies
from companion.sheets.backup import heads as ends
from companion.sheets.chain import chained
from companion.sheets.log import Log
from companion.sheets.place import DATABASE
from companion.sheets.reading import entries, find, races, reading
from companion.sheets.verify import verify
from companion.wording import Words
from tests.killed import beside, kill
from tests.sheets.bare import bare
from tests.sheets.test_kill import desk_process
from tests.toy import SETUP, pick, toy

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    made = tmp_path / "stick"
    made.mkdir()
    return made


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A data folder with two races."""
    folder = tmp_path / "data"
    for name, many in (("one", 30), ("two", 12)):
        with RaceDesk.begin(toy(), setup=SETUP, track="a toy", folder=folder, name=name) as desk:
            rng = Random(7)
            for _ in range(many):
                desk.answer(pick(desk.asked, rng))
    (folder / "settings.toml").write_text('theme = "daylight"\n', encoding="utf-8")
    (folder / "companion.log").write_text("a line\n", encoding="utf-8")
    return folder


def heads(folder: Path) -> dict[str, int]:
    with reading(folder) as db:
        return {race.name: len(list(chained(entries(db, race.log_id), race.head))) for race in races(db)}


def test_a_copy_is_a_data_folder_of_its_own(kept: Path, stick: Path) -> None:
    copy = backup(kept, stick)
    assert NAME.fullmatch(copy.path.name)
    assert heads(copy.path) == heads(kept)
    assert (copy.races, copy.entries, copy.problems) == (2, sum(heads(kept).values()), ())
    assert [path.name for path in sorted(copy.path.iterdir())] == [
        "companion.log",
        HEADS,
        LINES,
        DATABASE,
        "settings.toml",
    ]
    assert copy.size == sum(path.stat().st_size for path in copy.path.rglob("*") if path.is_file())
    with RaceDesk.resume(copy.path, "two", make=toy) as there, RaceDesk.resume(kept, "two", make=toy) as here:
        assert there.conversation.digest == here.conversation.digest
    assert verify(copy.path, "one", toy).sound


def test_every_race_lies_beside_it_as_lines_that_anybody_can_check(kept: Path, stick: Path) -> None:
    copy = backup(kept, stick)
    for name, count in heads(kept).items():
        with reading(kept) as db:
            log_id = find(db, name).log_id
        lines = (copy.path / LINES / f"{log_id}.jsonl").read_text(encoding="utf-8").splitlines()
        assert len(lines) == count
        prev = bytes(32).hex()
        for said in map(json.loads, lines):
            told = said.pop("hash")
            assert said["prev"] == prev
            text = json.dumps(said, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
            assert hashlib.sha256(text.encode()).hexdigest() == told
            prev = told


def test_a_copy_beside_a_race_that_goes_on_in_another_process(tmp_path: Path, stick: Path) -> None:
    """Every copy holds at least what had been acknowledged when it was begun, and the race never waits or fails."""
    folder = tmp_path / "data"
    child, reader = beside(lambda acknowledge: desk_process(folder, "race", 3, acknowledge))
    try:
        acknowledged, heard = 0, b""
        for _ in range(6):
            while b"\n" not in heard:
                heard += os.read(reader, 65536)
            whole, _, heard = heard.rpartition(b"\n")
            acknowledged = int(whole.splitlines()[-1].split()[0])
            copy = backup(folder, stick)
            assert copy.problems == ()
            assert copy.entries >= acknowledged
            assert heads(copy.path)["race"] == copy.entries
        before = acknowledged
        while acknowledged <= before:
            acknowledged = int(os.read(reader, 65536).splitlines()[-2].split()[0])
    finally:
        status = kill(child)
    assert os.WIFSIGNALED(status), "the race ended by itself"


def test_the_newest_copies_stay_and_all_of_them_when_something_is_wrong(kept: Path, stick: Path) -> None:
    for day in range(1, 6):
        (stick / f"companion-2020-01-0{day}-120000").mkdir()
    (stick / "companion-of-mine").mkdir()
    newest = backup(kept, stick, keep=3).path
    assert [path.name[-17:-7] for path in copies(stick)[:2]] == ["2020-01-04", "2020-01-05"]
    assert copies(stick)[2:] == [newest]
    newest.rename(stick / "companion-2099-01-01-000000")  # the clock of this machine is behind
    assert backup(kept, stick, keep=2).path in copies(stick)
    assert len(copies(stick)) == 2
    assert (stick / "companion-of-mine").exists()
    with bare(kept) as connection:
        connection.execute("DROP TRIGGER entry_stays")
        connection.execute("UPDATE entry SET actor = 'nobody' WHERE seq = 4")
    copy = backup(kept, stick, keep=1)
    assert len(copy.problems) == 2
    assert "Entry 4 of the log is not as it was written" in str(copy.problems[0])
    assert len(copies(stick)) == 3


def go_on(folder: Path, many: int = 1) -> None:
    with RaceDesk.resume(folder, "two", make=toy) as desk:
        rng = Random(many)
        for _ in range(many):
            desk.answer(pick(desk.asked, rng))


def entries_in(stick: Path) -> list[int]:
    """How many entries each copy holds, the oldest first."""
    return [sum(head.seq for head in ends(path).values()) for path in copies(stick)]


def dated(copy: Path, day: str) -> Path:
    """The copy as another clock would have named it."""
    return copy.rename(copy.with_name(f"companion-{day}-120000"))


def test_the_log_tells_which_copy_is_older_and_no_clock_does(kept: Path, stick: Path) -> None:
    """A Pi without a clock wakes up before last year's copies: they go all the same, and tonight's stay."""
    for day in range(1, 10):
        dated(backup(kept, stick, keep=10).path, f"2025-11-0{day}")
        go_on(kept)
    for minute in range(10, 19):
        dated(backup(kept, stick, keep=10).path, f"2024-01-{minute}")
        go_on(kept)
    made = backup(kept, stick, keep=10)
    assert len(copies(stick)) == 10
    assert copies(stick)[-1] == made.path
    assert entries_in(stick) == list(range(made.entries - 9, made.entries + 1)), "the last ten that were made"


def test_the_only_copy_of_a_race_is_never_let_go(kept: Path, stick: Path, tmp_path: Path) -> None:
    """A new card in the Pi, and the stick of last year: its last copy is all that is left of those races."""
    for _ in range(4):
        last = backup(kept, stick, keep=4)
        go_on(kept)
    new = tmp_path / "new card"
    RaceDesk.begin(toy(), setup=SETUP, track="a toy", folder=new, name="two").close()
    for _ in range(5):
        backup(new, stick, keep=4)
        go_on(new)
    assert last.path in copies(stick)
    assert ends(last.path).keys() == {race.log_id for race in listed(last.path)}
    ours = [path for path in copies(stick) if path != last.path]
    assert len(ours) == 4, "tonight's"


def listed(folder: Path) -> list[Any]:
    with reading(folder) as db:
        return races(db)


def test_a_copy_that_an_older_program_made_is_read_and_noted(kept: Path, stick: Path) -> None:
    first = backup(kept, stick)
    (first.path / HEADS).unlink()
    go_on(kept, 3)
    second = backup(kept, stick, keep=1)
    assert copies(stick) == [second.path]


def test_copies_of_an_idle_table_do_not_crowd_out_its_evening(kept: Path, stick: Path) -> None:
    """Nothing changes overnight, and a copy is made every ten minutes."""
    evening = []
    for _ in range(3):
        evening.append(backup(kept, stick, keep=4).path)
        go_on(kept)
    for _ in range(3):
        made = backup(kept, stick, keep=4).path
    assert copies(stick) == [*evening, made]


class Room:
    """A stick that has so much room, counted by what lies on it."""

    def __init__(self, stick: Path, monkeypatch: pytest.MonkeyPatch, room: int) -> None:
        self.stick, self.room = stick, room
        whole = shutil.disk_usage("/")
        monkeypatch.setattr(shutil, "disk_usage", lambda _: whole._replace(free=max(self.room - self.used, 0)))

    @property
    def used(self) -> int:
        return sum(path.stat().st_size for path in self.stick.rglob("*") if path.is_file())


def test_a_stick_short_of_room_lets_the_oldest_go_for_a_new_one(
    kept: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    for _ in range(4):
        made.append(backup(kept, stick).path)
        go_on(kept)
    room = Room(stick, monkeypatch, 0)
    one = made[0].stat().st_size + sum(path.stat().st_size for path in made[0].rglob("*") if path.is_file())
    need = 2 * sum(path.stat().st_size for path in kept.glob("races.db*")) + (1 << 20)
    room.room = room.used + need - one - one // 2
    newest = backup(kept, stick).path
    assert copies(stick) == [made[2], made[3], newest], "as many as it takes, and no more"
    room.room = room.used
    with pytest.raises(LogError, match="take something away"):
        backup(kept, stick)
    assert copies(stick) == [made[2], made[3], newest], "letting all go would not do: none does"


def test_no_copy_is_given_for_one_that_cannot_be_made(kept: Path, stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short of room, with the races damaged: the good copies are worth more than the new one."""
    made = []
    for _ in range(3):
        made.append(backup(kept, stick).path)
        go_on(kept)
    with bare(kept) as connection:
        connection.execute("DROP TRIGGER entry_stays")
        connection.execute("UPDATE entry SET actor = 'nobody' WHERE seq = 4")
    room = Room(stick, monkeypatch, 0)
    need = 2 * sum(path.stat().st_size for path in kept.glob("races.db*")) + (1 << 20)
    room.room = room.used + need - 1000
    with pytest.raises(LogError, match="take something away"):
        backup(kept, stick)
    assert copies(stick) == made


def test_the_last_good_copy_stays_when_the_new_one_breaks_off(
    kept: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stick is pulled out while it is written: what was let go for room lies in a newer copy, entry by entry."""
    made = []
    for _ in range(3):
        made.append(backup(kept, stick).path)
        go_on(kept)
    room = Room(stick, monkeypatch, 0)
    need = 2 * sum(path.stat().st_size for path in kept.glob("races.db*")) + (1 << 20)
    room.room = room.used + need - 1000

    def pulled(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(module_of, "_write_copy", pulled)
    with pytest.raises(LogError, match="could not be written"):
        backup(kept, stick)
    assert copies(stick) == made[1:]


def test_what_stays_on_a_stick_that_was_pulled_out_is_told_and_goes_with_the_next_copy(
    kept: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the middle of it the stick goes, and its empty mount point stands in its place: nothing is there, and still
    what was begun lies on the stick."""
    away, written = stick.with_name("away"), module_of._write_copy

    def pulled(*given: Any) -> None:
        written(*given)
        stick.rename(away)
        stick.mkdir()
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(module_of, "_write_copy", pulled)
        with pytest.raises(LogError, match=r"written \(Input/output error\); \.companion-backup-\d+ may") as told:
            backup(kept, stick)
    (left,) = away.iterdir()
    assert left.name in str(told.value)
    assert left.name in Words("fr").error(told.value)
    stick.rmdir()
    away.rename(stick)
    copy = backup(kept, stick)
    assert list(stick.iterdir()) == [copy.path]


def test_a_damaged_database_is_copied_as_it_is_and_said(kept: Path, stick: Path) -> None:
    path = kept / DATABASE
    with bare(kept) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw = bytearray(path.read_bytes())
    raw[5000:9000] = b"\xff" * 4000
    path.write_bytes(raw)
    copy = backup(kept, stick)
    assert copy.problems
    assert "is damaged" in str(copy.problems[0])
    assert (copy.path / DATABASE).stat().st_size == len(raw)


def test_entries_that_no_disk_took_are_in_the_copy(kept: Path, stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise NotSaved("full", path="here")

    with RaceDesk.resume(kept, "two", make=toy) as desk:
        before = desk.seq
        with monkeypatch.context() as patched:
            patched.setattr(Log, "commit", full)
            desk.go_on_in_memory()
            rng = Random(5)
            while desk.unsaved < 4:
                desk.answer(pick(desk.asked, rng))
            copy = backup(kept, stick, unsaved=desk.waiting)
            state = desk.conversation.digest
        assert heads(kept)["two"] == before
        assert heads(copy.path)["two"] == before + 4
        with RaceDesk.resume(copy.path, "two", make=toy) as there:
            assert there.conversation.digest == state
        waited = desk.waiting
        desk.save()
        assert desk.unsaved == 0
        assert heads(backup(kept, stick, unsaved=waited).path)["two"] == before + 4  # written in the meantime


def test_a_race_that_never_was_on_a_disk_is_copied_too(tmp_path: Path, stick: Path) -> None:
    card = tmp_path / "card"
    card.write_text("a file where the folder should be", encoding="utf-8")
    desk = RaceDesk.begin(toy(), setup=SETUP, track="a toy", folder=card / "data", name="loose", memory=True)
    desk.answer(pick(desk.asked, Random(1)))
    copy = backup(card / "data", stick, unsaved=desk.waiting)
    assert heads(copy.path) == {"loose": 2}
    desk.close()


def test_nothing_is_left_of_a_copy_that_does_not_fit(kept: Path, stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LogError, match="no folder"):
        backup(kept, stick / "not plugged in" / "companion")
    with pytest.raises(LogError, match="no races"):
        backup(stick, stick)
    (stick / ".companion-backup-1").mkdir()
    code = (
        "import pathlib, resource, sys\nfrom companion.sheets.backup import backup\n"
        "from companion.rules.conversation.errors import LogError\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20000, resource.RLIM_INFINITY))\n"
        "try: backup(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))\n"
        "except LogError as told: print(told)\n"
    )
    run = [sys.executable, "-c", code, str(kept), str(stick)]
    told = subprocess.run(run, capture_output=True, text=True, cwd=ROOT, check=True).stdout
    assert told.startswith(f"The copy in {stick} could not be written (")
    assert list(stick.iterdir()) == []
    little = shutil.disk_usage("/")._replace(free=1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: little)
    with pytest.raises(LogError, match=r"needs \d\.\d MB, and .* has room for 0\.0 MB"):
        backup(kept, stick)
    assert list(stick.iterdir()) == []


def test_two_copies_at_once_are_one_too_many(kept: Path, stick: Path) -> None:
    held = os.open(stick, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    with pytest.raises(LogError, match="Another copy is being written"):
        backup(kept, stick)
    os.close(held)
    backup(kept, stick)


def test_every_database_of_the_folder_is_copied(kept: Path, stick: Path) -> None:
    with sqlite3.connect(kept / "season.db") as other:
        other.execute("CREATE TABLE standing (car INT)")
        other.execute("INSERT INTO standing VALUES (14)")
    with sqlite3.connect(backup(kept, stick).path / "season.db") as copied:
        assert copied.execute("SELECT car FROM standing").fetchall() == [(14,)]


# -- the command


def test_the_command_copies_into_a_folder_or_onto_every_stick(
    kept: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(*args: str) -> tuple[str, int]:
        run = CliRunner().invoke(command, [*args, "--data", str(kept), "--lang", "en"])
        return run.output, run.exit_code

    told, status = said(str(stick))
    assert told.startswith(f"2 races, {sum(heads(kept).values())} entries, 0.1 MB: copied to {stick}/companion-")
    assert "on the same disk as the races" in told
    assert status == 0
    monkeypatch.setattr(place, "sticks", list)
    assert said() == ("There is no USB stick; nothing was copied.\n", 0)
    monkeypatch.setattr(place, "sticks", lambda: [stick])
    assert said() == ("There is no USB stick; nothing was copied.\n", 0)  # it is the disk of the races themselves
    disks = [Path(disk) for disk in ("/dev/shm", "/tmp", "/var/tmp")]
    other = next(disk for disk in disks if disk.stat().st_dev != kept.stat().st_dev)
    elsewhere = other / f"companion-stick-{os.getpid()}"
    elsewhere.mkdir()
    try:
        monkeypatch.setattr(place, "sticks", lambda: [elsewhere, stick])
        assert said("--keep", "1")[1] == said("--keep", "1")[1] == 0
        told, status = said(str(elsewhere / "companion"), "--keep", "1")
        assert (len(copies(elsewhere / "companion")), status) == (1, 0)
        assert "same disk" not in told
    finally:
        shutil.rmtree(elsewhere)
    told, status = said(str(stick / "none" / "companion"))
    assert (told, status) == (f"There is no folder {stick / 'none'}; plug in its disk, or make it first.\n", 1)


def test_a_stick_that_was_pulled_out_hides_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is still mounted of it answers with an error whatever it is asked."""
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()

    def pulled(path: Path) -> bool:
        if path.name == "b":
            raise OSError(errno.EIO, "Input/output error")
        return True

    monkeypatch.setattr(Path, "is_mount", pulled)
    assert place.sticks([str(tmp_path)]) == [tmp_path / "a", tmp_path / "c"]


def test_without_races_there_is_nothing_to_copy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--data", str(tmp_path / "none"), "--lang", "en", "races", "backup", str(tmp_path)])
    assert "no races" in capsys.readouterr().out.lower()
    assert list(tmp_path.iterdir()) == []
