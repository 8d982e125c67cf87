"""What was confirmed is on the disk, or it is said that it is not: a journal that lost its end, a database that was
deleted, replaced or cut short under the running program, and states kept that are damaged."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.commands.main import companion
from companion.desk import SPACING, RaceDesk
from companion.rules.conversation.errors import LogError, NotSaved
from companion.sheets.high_water import read_mark
from companion.sheets.place import DATABASE
from companion.sheets.reading import races, reading
from companion.sheets.salvage import salvage
from companion.sheets.verify import verify
from companion.view.pages.home import open_race
from tests.french import told_in_french
from tests.sheets.bare import bare
from tests.sheets.test_log import ROOT, begin, other_toy, play
from tests.toy import toy

JOURNAL = f"{DATABASE}-wal"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one race of 40 answers."""
    with begin(tmp_path) as desk:
        play(desk, 40)
    return tmp_path


def killed(folder: Path, answers: int = 20) -> None:
    """A race of so many answers more whose program is killed: its last answers lie in the journal only."""
    code = (
        "import os, pathlib, sys; from companion.desk import RaceDesk; from tests.sheets.test_log import begin, play\n"
        "from tests.toy import toy; folder = pathlib.Path(sys.argv[1])\n"
        "desk = RaceDesk.resume(folder, make=toy) if list(folder.glob('*.db')) else begin(folder)\n"
        f"play(desk, {answers}); os.kill(os.getpid(), 9)"
    )
    run = subprocess.run([sys.executable, "-c", code, str(folder)], cwd=ROOT, check=False)
    assert run.returncode == -signal.SIGKILL


def flipped(path: Path, at: int) -> None:
    body = bytearray(path.read_bytes())
    body[at] ^= 4
    path.write_bytes(body)


# -- the journal


def test_what_a_killed_program_confirmed_is_noted_outside_the_database(folder: Path) -> None:
    assert not list(folder.glob("*.mark"))  # a race that was closed needs none
    killed(folder)
    (note,) = folder.glob("*.mark")
    mark = read_mark(folder, note.stem)
    assert mark is not None
    assert (mark.seq, mark.name) == (61, "toy")
    assert verify(folder, "toy", toy).sound
    with RaceDesk.resume(folder, make=toy) as desk:
        assert desk.n == 60
    assert not list(folder.glob("*.mark"))


def test_a_journal_without_its_end_is_told_and_a_salvage_brings_the_end_back(folder: Path) -> None:
    killed(folder)
    flipped(folder / JOURNAL, (folder / JOURNAL).stat().st_size // 2)
    found = verify(folder, "toy", toy)
    assert found.entries < 61
    (problem,) = found.problems
    assert str(problem.what) == (
        f"The race toy was confirmed up to entry 61, and its log ends otherwise with entry {found.entries}; companion "
        "races salvage brings back what is sound, and then it goes on."
    )
    told_in_french(problem.what)
    attempts: list[Callable[[], object]] = [
        lambda: RaceDesk.resume(folder, make=toy),
        lambda: begin(folder, "another"),
        lambda: open_race(folder),
    ]
    for attempt in attempts:
        with pytest.raises(LogError, match="was confirmed up to entry 61, and its log ends otherwise"):
            attempt()
    (saved,) = salvage(folder, "after entry {}".format).races
    assert (saved.entries, saved.lost) == (61, 0)  # all of it is in the journal, beyond the frame that is damaged
    with RaceDesk.resume(folder, make=toy) as desk:
        assert desk.n == 60
        play(desk, 3)
    assert verify(folder, "toy", toy).sound


def test_what_a_salvage_cannot_bring_back_is_told_by_it_and_on_the_sheet(folder: Path) -> None:
    older = (folder / DATABASE).read_bytes()
    killed(folder)
    (folder / JOURNAL).unlink()
    (folder / f"{DATABASE}-shm").unlink()
    (folder / DATABASE).write_bytes(older)  # a copy in the place of the database
    with pytest.raises(LogError, match="was confirmed up to entry 61, and its log ends otherwise with entry 41"):
        RaceDesk.resume(folder, make=toy)
    (saved,) = salvage(folder, "after entry {}".format).races
    assert (saved.entries, saved.lost) == (41, 20)
    with RaceDesk.resume(folder, make=toy) as desk:
        assert desk.n == 40
        assert [said.text for said in desk.history.said] == ["after entry 41"]
    assert verify(folder, "toy", toy).sound


def test_a_race_that_was_begun_in_a_journal_that_is_gone(folder: Path, tmp_path: Path) -> None:
    code = (
        "import os, pathlib, sys; from tests.sheets.test_log import begin, play\n"
        "play(begin(pathlib.Path(sys.argv[1]), 'second'), 5); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(folder)], cwd=ROOT, check=False)
    (folder / JOURNAL).write_bytes(b"")
    looks: list[Callable[[str], object]] = [
        lambda word: RaceDesk.resume(folder, word, make=toy),
        lambda word: verify(folder, word, toy),
    ]
    for word in ("last", "second"):
        for look in looks:
            with pytest.raises(LogError, match="The race second was confirmed up to entry 6 and is no longer") as told:
                look(word)
            told_in_french(told.value)
    with RaceDesk.resume(folder, "toy", make=toy) as desk:
        assert desk.n == 40
    saved = salvage(folder, str).races
    assert [(race.name, race.entries, race.lost) for race in saved] == [("toy", 41, 0), ("second", 0, 6)]
    with RaceDesk.resume(folder, make=toy) as desk:
        assert desk.n == 40


@pytest.mark.parametrize("note", [b"", b"00000000 {}\n", b"x", b"\x00" * 130])
def test_a_note_that_the_power_took_tells_nothing(folder: Path, note: bytes) -> None:
    killed(folder)
    (there,) = folder.glob("*.mark")
    there.write_bytes(note)
    with RaceDesk.resume(folder, make=toy) as desk:
        assert desk.n == 60


def test_an_older_note_tells_nothing(folder: Path) -> None:
    killed(folder)
    (there,) = folder.glob("*.mark")
    older = there.read_bytes()
    with RaceDesk.resume(folder, make=toy) as desk:
        play(desk, 3)
    there.write_bytes(older)
    assert verify(folder, "toy", toy).sound
    with RaceDesk.resume(folder, make=toy) as desk:
        assert desk.n == 63


# -- the file itself


def deleted(folder: Path) -> None:
    (folder / DATABASE).unlink()


def all_deleted(folder: Path) -> None:
    shutil.rmtree(folder)


def journal_deleted(folder: Path) -> None:
    (folder / JOURNAL).unlink()


def cut_short(folder: Path) -> None:
    os.truncate(folder / DATABASE, 0)


def replaced(folder: Path) -> None:
    other = folder.parent / "other"
    with begin(other, "other") as desk:
        play(desk, 4)
    os.replace(other / DATABASE, folder / DATABASE)


def put_back(folder: Path) -> None:
    os.replace(folder.parent / "copy.db", folder / DATABASE)


@pytest.mark.parametrize("harm", [deleted, all_deleted, journal_deleted, cut_short, replaced, put_back])
def test_nobody_acknowledges_into_nothing(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    """The database goes under the race: the next answer is not accepted; in memory, all of it is written anew."""
    folder = tmp_path / "data"
    with begin(folder) as desk:
        play(desk, 30)
    shutil.copy(folder / DATABASE, tmp_path / "copy.db")
    desk = RaceDesk.resume(folder, make=toy)
    play(desk, 9, seed=4)
    desk.undo(2)
    before, n = desk.rulebook.save(), desk.n
    harm(folder)
    for attempt in (lambda: play(desk, 1), desk.undo, lambda: desk.note("x"), lambda: desk.correct(0, 1)):
        with pytest.raises(NotSaved, match="was deleted or replaced while the race went on") as told:
            attempt()
        assert (desk.rulebook.save(), desk.n) == (before, n)
    told_in_french(told.value)
    assert told.value.choices == ("stop", "memory")
    desk.go_on_in_memory()
    play(desk, 3, seed=5)
    state = desk.rulebook.save()
    if harm is cut_short:  # what lies there is a database no longer: all of the race waits until it is out of the way
        assert desk.unsaved == desk.seq
        for path in folder.glob(f"{DATABASE}*"):
            path.unlink()
        desk.save()
    assert desk.unsaved == 0
    desk.close()
    with RaceDesk.resume(folder, "toy", make=toy) as desk:
        assert (desk.rulebook.save(), desk.n) == (state, n + 3)
    assert verify(folder, "toy", toy).sound
    with reading(folder) as db:
        assert {race.name for race in races(db)} == ({"toy", "other"} if harm is replaced else {"toy"})


def test_a_table_that_stops_there_is_told_when_it_comes_back(tmp_path: Path) -> None:
    with begin(tmp_path) as desk:
        play(desk, 12)
        deleted(tmp_path)
        with pytest.raises(NotSaved):
            play(desk, 1)
    with begin(tmp_path, "another"):
        pass
    with pytest.raises(LogError, match="The race toy was confirmed up to entry 13 and is no longer in"):
        RaceDesk.resume(tmp_path, "toy", make=toy)


@pytest.mark.parametrize("harm", ["all of it", "the file alone"])
def test_a_database_that_is_gone_altogether_is_told_in_both_languages(folder: Path, harm: str) -> None:
    killed(folder, 8)
    (folder / DATABASE).unlink()
    if harm == "all of it":
        (folder / JOURNAL).unlink()
    commands = (
        "races list",
        "races show",
        "races verify",
        "races export --json",
        "race --resume last",
        "referee --resume last",
    )
    for command in (*commands, f"races backup {folder / 'copies'}"):
        run = CliRunner().invoke(companion, ["--data", str(folder), *command.split()])
        said = str(run.exception)
        assert said.startswith(f"{folder / DATABASE} is gone with what was confirmed: toy 49;"), command
        assert isinstance(run.exception, LogError)  # which a person reads as one sentence
        assert "a disparu avec ce qui était confirmé" in told_in_french(run.exception)
    assert not (folder / DATABASE).exists()


def test_a_salvage_tells_of_a_database_that_is_gone_and_the_next_race_begins_anew(folder: Path) -> None:
    killed(folder, 8)
    for path in (folder / DATABASE, folder / JOURNAL, folder / f"{DATABASE}-shm"):
        path.unlink(missing_ok=True)
    with pytest.raises(LogError, match="is gone with what was confirmed"):
        open_race(folder)
    run = CliRunner().invoke(companion, ["--data", str(folder), "--lang", "en", "races", "salvage"])
    assert "toy" in run.output
    assert "49" in run.output
    assert "Nothing could be saved" in run.output
    assert run.exit_code == 1
    assert open_race(folder) is None
    assert (
        "no races yet" in CliRunner().invoke(companion, ["--data", str(folder), "--lang", "en", "races", "list"]).output
    )
    with begin(folder) as desk:
        play(desk, 2)
    assert verify(folder, "toy", toy).sound


def test_a_database_that_turns_out_damaged_under_the_race_lets_it_go_on_in_memory(tmp_path: Path) -> None:
    with begin(tmp_path) as desk:
        play(desk, 12)
        assert desk.log is not None
        assert desk.log._db is not None
        desk.log._db.execute("DROP TABLE snapshot")
        with pytest.raises(NotSaved, match="is damaged"):
            play(desk, 40)
        desk.go_on_in_memory()
        play(desk, 3)
        assert desk.unsaved


# -- one way to open


def schema_changed(folder: Path, old: str, new: bytes) -> None:
    """Changes letters of the schema in the file, as many as there were."""
    body = (folder / DATABASE).read_bytes()
    assert body.count(old.encode()) == 1
    (folder / DATABASE).write_bytes(body.replace(old.encode(), new))


def test_a_damaged_guard_is_made_again_before_anything_is_written(folder: Path) -> None:
    schema_changed(
        folder, "BEFORE INSERT ON entry\nWHEN NEW.seq IS NOT", b"BEFORE INSERT ON entry\nWHEN NEW.sez IS NOT"
    )
    with RaceDesk.resume(folder, make=toy) as desk:
        play(desk, 3)
    with bare(folder) as connection:
        (sql,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'entry_follows'").fetchone()
        assert "NEW.seq IS NOT" in sql
        with pytest.raises(sqlite3.IntegrityError, match="only added to"):
            connection.execute("UPDATE entry SET actor = 'me' WHERE seq = 3")


@pytest.mark.parametrize(
    "new", [b"CREATE TRIGGER \xe5ntry_stays", b"CREATE TRIGGGR entry_stays", b"CREATE TRIGGER entry_st\xffys"]
)
@pytest.mark.parametrize(
    "command",
    [
        "races list",
        "races show",
        "races export --json",
        "races export --csv",
        "races verify",
        "race --resume last",
        "referee --resume last",
    ],
)
def test_a_schema_that_is_no_text_any_more_is_damage(folder: Path, new: bytes, command: str) -> None:
    schema_changed(folder, "CREATE TRIGGER entry_stays", new)
    run = subprocess.run(
        [sys.executable, "-m", "companion.commands.main", *command.split(), "--data", str(folder)],
        capture_output=True, text=True, cwd=ROOT, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert "Traceback" not in run.stderr
    assert run.returncode == 1
    assert "races salvage brings back what is sound." in run.stderr


# -- states kept


def kept(folder: Path) -> list[tuple[int, bytes]]:
    with bare(folder) as connection:
        return connection.execute("SELECT n, body FROM snapshot ORDER BY n").fetchall()


def test_the_chain_vouches_for_every_state_that_is_kept(folder: Path) -> None:
    with RaceDesk.resume(folder, make=toy) as desk:
        desk.undo(25)
        desk.redo(20)
        desk.correct(2, 1 + desk.answers()[2].answer % 2, keep="replay")
        play(desk, 30, seed=3)
    with bare(folder) as connection:
        said = [
            json.loads(row[0]).get("states", []) for row in connection.execute("SELECT body FROM entry ORDER BY seq")
        ]
    vouched = {n: digest for states in said for n, digest in states}
    assert len(kept(folder)) > 2
    assert all(vouched[n] == hashlib.sha256(body).hexdigest() for n, body in kept(folder))
    assert verify(folder, "toy", toy).sound


@pytest.mark.parametrize("keep", ["undo", "replay", "board"])
def test_a_damaged_earlier_state_is_thrown_away_and_made_again(folder: Path, tmp_path: Path, keep: str) -> None:
    """One bit of an earlier state that still reads as one: the wear of a car."""

    def change(desk: RaceDesk) -> None:
        if keep == "undo":
            desk.undo(desk.n - SPACING - 8)
        else:
            roll = next(done for done in desk.answers() if done.n > SPACING + 6 and done.ask == "roll")
            desk.correct(roll.n, 1, keep=keep)

    sound = tmp_path / "sound"
    sound.mkdir()
    shutil.copy(folder / DATABASE, sound)
    with RaceDesk.resume(sound, make=toy) as desk:
        change(desk)
        state = desk.rulebook.save()
    n, body = kept(folder)[0]
    race: Any = toy()
    race.load(body)
    race.race.cars[1].wear["tyres"] ^= 1
    with bare(folder) as connection:
        connection.execute("UPDATE snapshot SET body = ? WHERE n = ?", [race.save(), n])
    found = verify(folder, "toy", toy)
    assert [str(problem.what) for problem in found.problems] == [
        f"The state kept after {n} answers is damaged; it goes when the race is resumed."
    ]
    told_in_french(found.problems[0].what)
    with RaceDesk.resume(folder, make=toy) as desk:
        assert n not in [at for at, _ in kept(folder)]
        change(desk)
        assert desk.rulebook.save() == state
    assert verify(folder, "toy", toy).sound


def without_vouching(folder: Path) -> None:
    """Makes the log one of an older program, which did not vouch for its states."""
    from tests.sheets.test_verify import forge

    with bare(folder) as connection:
        bodies = connection.execute("SELECT seq, body FROM entry ORDER BY seq").fetchall()
    for seq, body in bodies:
        told = json.loads(body)
        if told.pop("states", None):
            forge(folder, seq, body=json.dumps(told, sort_keys=True, separators=(",", ":")))
            with bare(folder) as connection:
                connection.execute("DROP TRIGGER IF EXISTS entry_stays")
                connection.execute("CREATE TRIGGER entry_stays BEFORE UPDATE ON entry BEGIN SELECT 1; END")


def test_a_log_of_an_older_program_goes_on_and_its_earlier_states_are_made_again(folder: Path) -> None:
    with RaceDesk.resume(folder, make=toy) as desk:
        state, n = desk.rulebook.save(), desk.n
        desk.undo(30)
        early = desk.rulebook.save()
        desk.redo(30)
    without_vouching(folder)
    assert verify(folder, "toy", toy).sound
    with bare(folder) as connection:
        connection.execute("UPDATE snapshot SET body = zeroblob(9) WHERE n < 30")
    with RaceDesk.resume(folder, make=toy) as desk:
        assert (desk.rulebook.save(), desk.n) == (state, n)
        desk.undo(30)
        assert desk.rulebook.save() == early


def test_going_back_to_what_another_version_rules_otherwise_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    with begin(tmp_path) as desk:
        for answer in (2, 6, 6, 1, 3, 3, 1, 2, 2, 1, 1, 1):
            desk.answer(answer)
        desk.answer(6)  # harms nothing by version 1, and costs an engine point by version 2
        play(desk, 30)
    with bare(tmp_path) as connection:
        connection.execute("DELETE FROM snapshot WHERE n < 36")
    with RaceDesk.resume(tmp_path, make=other_toy) as desk:
        before, n = desk.rulebook.save(), desk.n
        with pytest.raises(
            LogError, match=r"It cannot go back to entry \d+; the rulebook comes to another state"
        ) as told:
            desk.undo(15)
        told_in_french(told.value)
        assert (desk.rulebook.save(), desk.n) == (before, n)
        desk.undo(1)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_list_of_races_marks_one_that_lost_its_end(folder: Path, lang: str) -> None:
    with begin(folder, "another") as desk:
        play(desk, 3)
    killed(folder, 20)
    (folder / JOURNAL).write_bytes(b"")
    done = CliRunner().invoke(companion, ["--data", str(folder), "--lang", lang, "races", "list"])
    lines = done.stdout.splitlines()
    word = "damaged" if lang == "en" else "abîmée"
    assert [line.endswith(word) for line in lines[1:]] == [True, False]
    assert max(map(len, lines)) <= 80
    assert " races salvage" in done.stderr
    assert "24" in done.stderr


@pytest.mark.parametrize("lines", [False, True])
def test_after_a_cut_on_a_full_disk_the_race_goes_on_in_memory(folder: Path, tmp_path: Path, lines: bool) -> None:
    """The power went: a journal lies there, and there is no room for what SQLite reads it with. Whoever says `memory`
    goes on, and all of it is on the disk once there is room."""
    shutil.rmtree(folder / "disk", ignore_errors=True)
    (disk := folder / "disk").mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk], capture_output=True, check=False
    ).returncode:
        pytest.skip("no disk of its own can be mounted here")
    try:
        code = (
            "import os, pathlib, sys; from companion.desk.beginning import begin_race\n"
            "desk = begin_race({'track': 'monza', 'laps': 1, 'cars': [{'car': 1}, {'car': 2}]}, 'monza',\n"
            "                  pathlib.Path(sys.argv[1]))\n"
            "desk.answer(4); desk.answer(1); desk.answer(2); os.kill(os.getpid(), 9)"
        )
        subprocess.run([sys.executable, "-c", code, str(disk / "data")], cwd=ROOT, check=False)
        for left in ("races.db-shm", "*.lock"):
            for path in (disk / "data").glob(left):
                path.unlink()
        with contextlib.suppress(OSError), (disk / "full").open("wb", buffering=0) as full:
            while full.write(bytes(4096)):
                pass
        said = ["referee", "--resume", "last", "--memory"] if lines else ["race", "--resume", "last"]
        typed = '{"undo": 1}\n{"quit": true}\n' if lines else "memory\nundo\nquit\n"
        done = subprocess.run(
            [sys.executable, "-m", "companion.commands.main", "--lang", "en", "--data", disk / "data", *said],
            input=typed, capture_output=True, text=True, cwd=ROOT, check=False,
        )  # fmt: skip
        assert "2: choose a pit box" in done.stdout, done
        assert "Traceback" not in done.stderr
        listed = CliRunner().invoke(companion, ["--data", str(disk / "data"), "races", "list"])
        assert "Monza" in listed.output
        (disk / "full").unlink()
        with RaceDesk.resume(disk / "data") as desk:
            assert desk.n == 3, "what was confirmed before the cut"
    finally:
        subprocess.run(["umount", disk], check=False)
