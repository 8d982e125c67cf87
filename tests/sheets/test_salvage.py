"""A damaged database: what is sound is taken out of it, nothing is invented, and the old file stays as it was found."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

import msgspec
import pytest

from companion.circuits import find as circuit
from companion.circuits import load
from companion.desk import RaceDesk
from companion.drivers.chance import RandomDriver
from companion.rules.conversation.errors import LogError
from companion.rules.rulebooks import begin
from companion.sheets.chain import line
from companion.sheets.entry import Entry
from companion.sheets.place import DATABASE
from companion.sheets.reading import entries, find, races, reading
from companion.sheets.replay import rulebook_of
from companion.sheets.salvage import longest, salvage
from companion.sheets.sqlite_pages import RecoveredEntry, recover
from companion.sheets.stored_race import rename
from companion.sheets.verify import verify
from tests.french import told_in_french
from tests.killed import beside
from tests.sheets.bare import bare
from tests.test_bad_input import companion
from tests.toy import SETUP, OtherToy, pick, toy

ROUNDS = 60


def logs(folder: Path) -> dict[str, list[Entry]]:
    with reading(folder) as db:
        return {race.name: list(entries(db, race.log_id)) for race in races(db)}


def race(folder: Path, name: str, many: int) -> RaceDesk:
    """A race on Monaco by so many answers, still open; its first entry runs over many pages."""
    setup = {"track": "monaco", "laps": 1, "cars": [{"car": n} for n in range(1, 5)]}
    track = load("monaco")
    text = circuit("monaco").read_text(encoding="utf-8")
    desk = RaceDesk.begin(begin(setup, track), setup=setup, track=text, folder=folder, name=name)
    driver = RandomDriver(track, many)
    for _ in range(many):
        assert desk.asked is not None
        desk.answer(driver.answer(desk.asked, desk.rulebook.race))
    return desk


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two races, on the disk as a pulled plug leaves them: the end of the second is in the journal only."""
    folder = tmp_path_factory.mktemp("whole")
    race(folder, "one", ROUNDS).close()
    desk = race(folder, "two", ROUNDS)
    pulled = tmp_path_factory.mktemp("pulled")
    for end in ("", "-wal"):
        shutil.copyfile(folder / f"{DATABASE}{end}", pulled / f"{DATABASE}{end}")
    desk.close()
    return pulled


@pytest.fixture
def kept(before: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(before, tmp_path / "data"))


def note(seq: int) -> str:
    return f"lost after {seq}"


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if path.name in (DATABASE, f"{DATABASE}-wal") and path.stat().st_size
    }


# -- what a newer rulebook needs


def test_a_race_of_an_older_rulebook_goes_on_after_a_salvage(kept: Path) -> None:
    with RaceDesk.begin(toy(), setup=SETUP, track="a toy", folder=kept, name="toy") as desk:
        for answer in (2, 6, 6, 1, 3, 3, 1, 2, 2, 1, 1, 1, 6):  # the last by another rule in version 2
            desk.answer(answer)
        for _ in range(16):
            assert desk.asked is not None
            desk.answer(pick(desk.asked, Random(1)))
    log_id = desk.history.log_id
    with bare(kept) as db:
        states = db.execute("SELECT n, body FROM snapshot WHERE log_id = ?", [log_id]).fetchall()
        assert len(states) == 2
        db.execute("UPDATE race SET head = 999 WHERE name = 'one'")
    assert salvage(kept, note).old is not None
    with bare(kept) as db:
        assert db.execute("SELECT n, body FROM snapshot WHERE log_id = ?", [log_id]).fetchall() == states
    with RaceDesk.resume(kept, "toy", make=lambda setup, track: toy(setup, track, OtherToy)) as again:
        assert again.n == desk.n


# -- what the list of races keeps


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("name", "ona"), ("begun", "2031-01-01T00:00:00.000+00:00"), ("rulebook", "cup"), ("version", "x"),
        ("track", "monacp"), ("cars", 5), ("laps", 3), ("round", 99), ("over", 1), ("head", 3),
    ],
)  # fmt: skip
def test_what_lists_show_is_held_against_the_chain(kept: Path, column: str, value: object) -> None:
    assert verify(kept, "one", rulebook_of).sound
    with bare(kept) as db:
        db.execute(f"UPDATE race SET {column} = ? WHERE name = 'one'", [value])
    found = verify(kept, "one", rulebook_of)
    assert len(found.problems) == 1
    told_in_french(found.problems[0].what)
    assert verify(kept, "two", rulebook_of).sound
    with reading(kept) as db:
        shown = find(db, "one")
    assert (shown.name, shown.cars, shown.track) == ("one", 4, "monaco"), "the list shows what the chain says"
    done = companion("races", "verify", "one", "--data", kept, "--lang", "en")
    assert done.returncode == 1
    assert "The list of races" in done.stderr


def test_a_race_that_the_list_has_lost_is_listed_and_told(kept: Path) -> None:
    with bare(kept) as db:
        db.execute("UPDATE race SET log_id = 'x' || log_id WHERE name = 'one'")
    assert "The list of races has lost this race" in str(verify(kept, "one", rulebook_of).problems[0].what)
    RaceDesk.resume(kept, "one").close()


def test_the_list_follows_the_log_whatever_is_done(tmp_path: Path) -> None:
    """Rounds, undo, redo and overrides: what the list keeps is always what the log comes to."""
    with race(tmp_path, "one", 90) as desk:
        for step in (
            lambda: desk.undo(30), lambda: desk.redo(10), lambda: desk.override({"surface": "wet"}, by="Ada", why="x"),
            lambda: desk.undo(), lambda: desk.undo(40), lambda: desk.note("n"),
        ):  # fmt: skip
            step()
            assert verify(tmp_path, "one", rulebook_of).sound


# -- salvage


def test_a_changed_entry_closes_its_race_until_what_is_before_it_is_taken_out(kept: Path) -> None:
    truth = logs(kept)
    with bare(kept) as db:
        log_id = find(db, "one").log_id
        db.execute("DROP TRIGGER entry_stays")
        db.execute("UPDATE entry SET actor = 'nobody' WHERE log_id = ? AND seq = 40", [log_id])
    with pytest.raises(LogError):
        RaceDesk.resume(kept, "one")
    old = files(kept)
    done = companion("races", "salvage", "--data", kept, "--lang", "en")
    assert done.returncode == 0, done.stderr
    assert f"one ({log_id[:8]}): 39 sound entries, {len(truth['one']) - 39} lost." in done.stdout
    assert f"two ({find_id(kept, 'two')}): {len(truth['two'])} sound entries.\n" in done.stdout
    assert files(kept / "damaged-1") == old, "the old file is as it was found"
    now = logs(kept)
    assert now["two"] == truth["two"]
    assert now["one"][:39] == truth["one"][:39]
    assert [entry.kind for entry in now["one"][39:]] == ["note"]
    for name in ("one", "two"):
        assert verify(kept, name, rulebook_of).sound
        with RaceDesk.resume(kept, name) as desk:
            desk.undo()
    shown = companion("races", "show", "one", "--data", kept, "--lang", "en").stdout
    assert "what came after entry 39 is lost" in " ".join(shown.split())
    again = companion("races", "salvage", "--data", kept, "--lang", "fr")
    assert again.stdout == "Rien n’est abîmé\u00a0; rien n’a été fait.\n"
    assert not (kept / "damaged-2").exists()


def find_id(folder: Path, name: str) -> str:
    with reading(folder) as db:
        return find(db, name).log_id[:8]


def test_a_flip_in_the_journal_loses_nothing(kept: Path) -> None:
    """SQLite ends at the first frame that is not as it was written, and drops what was acknowledged after it."""
    truth = logs(kept)
    journal = kept / f"{DATABASE}-wal"
    raw = bytearray(journal.read_bytes())
    raw[32 + 24 + 4096 + 700] ^= 4  # in the second frame of many
    journal.write_bytes(raw)
    assert len(logs(kept).get("two", [])) < len(truth["two"]), "SQLite does drop them"
    assert companion("races", "salvage", "--data", kept, "--lang", "en").returncode == 0
    for name, log in truth.items():
        assert logs(kept)[name][: len(log)] == log


STEPS: Final = ("os.mkdir", "os.link", "os.rename", "os.remove")
"""What a salvage does to names, as Python tells those who ask to be told."""


def killed_at(folder: Path, step: int) -> bool:
    """Has a process salvage a folder that is killed before that step, counted from 0; False if it came to its end."""

    def work(_: int) -> None:
        left = [step]

        def told(event: str, given: object) -> None:
            if event in STEPS:
                if not left[0]:
                    os.kill(os.getpid(), signal.SIGKILL)
                left[0] -= 1

        sys.addaudithook(told)
        salvage(folder, note)

    child, reader = beside(work)
    os.close(reader)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def test_a_salvage_killed_at_any_step_loses_nothing_for_the_next_one(kept: Path, tmp_path: Path) -> None:
    """Also where the journal was taken away, and the new database is not in its place yet."""
    truth = logs(kept)
    journal = kept / f"{DATABASE}-wal"
    raw = bytearray(journal.read_bytes())
    raw[32 + 24 + 4096 + 700] ^= 4
    journal.write_bytes(raw)
    old = files(kept)
    for step in count():
        folder = Path(shutil.copytree(kept, tmp_path / str(step)))
        went_on = not killed_at(folder, step)
        done = salvage(folder, note)
        assert {name: log[: len(truth[name])] for name, log in logs(folder).items()} == truth, step
        if done.old is not None:
            assert files(done.old) == old
        if went_on:
            break
    assert step > 6


@pytest.mark.parametrize("seed", range(12))
def test_pages_damaged_at_random(kept: Path, seed: int) -> None:
    """Whatever is hit, what comes out is the beginning of what was there; and nothing of the old file is lost."""
    rng, truth = Random(seed), logs(kept)
    for end in ("", "-wal"):
        path = kept / f"{DATABASE}{end}"
        raw = bytearray(path.read_bytes())
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(raw) // 4096) * 4096
            if rng.random() < 0.5:
                raw[at : at + 4096] = rng.randbytes(4096)
            else:
                raw[at + rng.randrange(4096)] ^= 1 << rng.randrange(8)
        path.write_bytes(raw)
    old = files(kept)
    done = salvage(kept, note)
    if done.old is None:
        return
    assert files(done.old) == old
    now = logs(kept)
    assert {race.name for race in done.races if race.entries} == set(now)
    for race in done.races:
        if race.entries:
            assert now[race.name][: race.entries] == truth[race.name][: race.entries]
            assert verify(kept, race.name, rulebook_of).sound


def test_the_beginning_of_the_file_may_be_gone(kept: Path) -> None:
    """With it go the schema and all that SQLite would begin with."""
    truth = logs(kept)
    with bare(kept) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path = kept / DATABASE
    path.write_bytes(bytes(4096) + path.read_bytes()[4096:])
    with pytest.raises(LogError):
        RaceDesk.resume(kept, "one")
    salvage(kept, note)
    assert logs(kept) == truth


def test_the_race_played_last_is_the_last_after_a_salvage(kept: Path) -> None:
    rename(kept, "one", "noted on afterwards")
    with bare(kept) as db:
        db.execute("UPDATE race SET head = 999")
    assert salvage(kept, note).old is not None
    assert list(logs(kept)) == ["two", "noted on afterwards"]


def test_where_nothing_is_sound_the_old_file_goes_out_of_the_way(kept: Path) -> None:
    """Else nobody at the table could begin a race."""
    (kept / DATABASE).write_bytes(Random(1).randbytes(40960))
    (kept / f"{DATABASE}-wal").unlink()
    old = files(kept)
    done = salvage(kept, note)
    assert done.races == ()
    assert done.old is not None
    assert files(done.old) == old
    race(kept, "three", 3).close()
    assert set(logs(kept)) == {"three"}
    with pytest.raises(LogError, match="no races"):
        salvage(kept / "none", note)


def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    with bare(tmp_path) as db:
        db.execute("CREATE TABLE song (name TEXT)")
    old = files(tmp_path)
    with pytest.raises(LogError, match="some other program"):
        salvage(tmp_path, note)
    assert files(tmp_path) == old


def test_nobody_writes_meanwhile(kept: Path) -> None:
    with RaceDesk.resume(kept, "two"):
        with bare(kept) as db:
            db.execute("UPDATE race SET head = 9000 WHERE name = 'one'")
        with pytest.raises(LogError, match="is being written by"):
            salvage(kept, note)
    assert not list(kept.glob("*damaged*"))


def test_a_full_disk_leaves_all_as_it_was(kept: Path) -> None:
    with bare(kept) as db:
        db.execute("UPDATE race SET head = 9000 WHERE name = 'one'")
    old = files(kept)
    done = subprocess.run(
        ["bash", "-c", f"ulimit -f 40; exec {' '.join(map(str, command('races', 'salvage', '--data', kept)))}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "not saved" in done.stderr
    assert files(kept) == old


def command(*words: object) -> list[object]:
    from tests.test_bad_input import COMMAND

    return [*COMMAND, "--lang", "en", *words]


def test_of_two_lines_of_one_race_the_longer_is_taken(kept: Path) -> None:
    """A transaction that was given up may lie in the journal beside the one that followed."""
    whole = recover(kept / DATABASE).entries
    log = [one.entry for one in whole if one.entry.log_id == whole[0].entry.log_id]
    tenth = next(entry for entry in log if entry.seq == 10)
    forked = msgspec.structs.replace(tenth, actor="given up", hash=b"")
    forked = msgspec.structs.replace(forked, hash=hashlib.sha256(line(forked)).digest())
    for order in ([RecoveredEntry(9, forked), *whole], [*whole, RecoveredEntry(9, forked)]):
        chains = {chain.log_id: chain.chain for chain in longest(order)}
        assert tenth in chains[tenth.log_id]
    alone = [one for one in whole if one.entry.seq < 10]
    chains = {chain.log_id: chain.chain for chain in longest([*alone, RecoveredEntry(9, forked)])}
    assert chains[tenth.log_id][-1] == forked


# -- what is lost is said


@pytest.fixture
def closed(kept: Path) -> Path:
    """The same two races, all of them in the one file."""
    for name in ("one", "two"):
        RaceDesk.resume(kept, name).close()
    with bare(kept) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    (kept / f"{DATABASE}-wal").unlink(missing_ok=True)
    return kept


def salvaged(folder: Path) -> subprocess.CompletedProcess[str]:
    return companion("races", "salvage", "--data", folder, "--lang", "en")


def test_that_nothing_was_saved_is_said(closed: Path) -> None:
    (closed / DATABASE).write_bytes(Random(1).randbytes(60000))
    done = salvaged(closed)
    assert done.returncode == 1
    assert "Nothing could be saved" in done.stderr
    assert "there may have been other races" in done.stderr


def test_of_a_file_that_was_cut_off_the_lost_entries_and_races_are_named(closed: Path) -> None:
    """The list of races lies near the beginning of the file and names what lay behind the cut."""
    truth = logs(closed)
    path = closed / DATABASE
    second = find_id(closed, "two")
    size = path.stat().st_size
    for cut in range(size - 4096 * 4, 0, -4096 * 8):
        folder = Path(shutil.copytree(closed, closed.parent / str(cut)))
        os.truncate(folder / DATABASE, cut)
        found = {race.name: race for race in salvage(folder, note).races}
        if cut < 4096 * 16:
            break
        assert set(found) == {"one", "two"}
        for name, race in found.items():
            assert race.entries + race.lost == len(truth[name]), (cut, name)
    os.truncate(path, 4096 * 24)
    done = salvaged(closed)
    assert f"two ({second}): 0 sound entries, {len(truth['two'])} lost." in done.stdout
    assert "there may have been other races" in done.stderr


def test_a_database_that_was_emptied_is_not_taken_for_none(closed: Path) -> None:
    (closed / DATABASE).write_bytes(b"")
    for lang, said in (("en", "is empty, and races were in it"), ("fr", "est vide")):
        listed = companion("races", "list", "--data", closed, "--lang", lang)
        assert listed.returncode == 1
        assert said in listed.stderr
    with pytest.raises(LogError, match="is empty, and races were in it"):
        race(closed, "three", 3)
    done = salvaged(closed)
    assert done.returncode == 1
    assert "Nothing could be saved" in done.stderr
    assert companion("races", "list", "--data", closed, "--lang", "en").stdout == "There are no races yet.\n"


def test_an_empty_file_of_a_database_that_never_was_is_none(tmp_path: Path) -> None:
    (tmp_path / DATABASE).touch()
    (tmp_path / "races.checked").touch()
    assert companion("races", "list", "--data", tmp_path, "--lang", "en").stdout == "There are no races yet.\n"


@pytest.mark.parametrize("change", ["name = 'ona'", "round = 99", "over = 1", "log_id = 'x' || log_id"])
def test_a_list_that_was_changed_is_made_again_from_the_logs(closed: Path, change: str) -> None:
    truth, log_id = logs(closed), find_id(closed, "one")
    with bare(closed) as db:
        db.execute(f"UPDATE race SET {change} WHERE name = 'one'")
    wrong = companion("races", "verify", "one", "--data", closed, "--lang", "en")
    assert wrong.returncode == 1
    assert "races salvage makes the list again" in wrong.stderr
    done = salvaged(closed)
    assert done.returncode == 0
    assert f"one ({log_id}): its line in the list of races is made again from its log." in done.stdout
    assert "lost" not in done.stdout
    assert logs(closed) == truth
    assert companion("races", "verify", "one", "--data", closed, "--lang", "en").returncode == 0
    assert "Nothing is damaged" in salvaged(closed).stdout


def test_a_race_whose_beginning_was_changed_keeps_its_name(closed: Path) -> None:
    log_id, count = find_id(closed, "one"), len(logs(closed)["one"])
    with bare(closed) as db:
        db.execute("DROP TRIGGER entry_stays")
        db.execute("UPDATE entry SET actor = 'nobody' WHERE seq = 1 AND log_id LIKE ? || '%'", [log_id])
    assert f"one ({log_id}): 0 sound entries, {count} lost." in salvaged(closed).stdout
