"""The app as an appliance: what the service manager hears of it, and what becomes of a race at a kill, on a full disk,
on one that is read-only. A real app in a process of its own, touched; only the service manager is a stand-in.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers.sensible import HeuristicDriver
from companion.screens.app.service import BEATS
from companion.sheets.backup import copies
from companion.sheets.chain import chained
from companion.sheets.place import COPIES
from companion.sheets.reading import entries, find, reading
from tests.screens.appliance import Appliance, appliance


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a race that has begun, at a gear."""
    folder = tmp_path / "data"
    begun(folder)
    return folder


def at_a_gear(desk: RaceDesk) -> bool:
    return desk.asked is not None and desk.asked.ask == "gear" and desk.rulebook.round >= 2


def begun(folder: Path, there: Callable[[RaceDesk], bool] = at_a_gear) -> int:
    """A race at a question, or at its end; how many it has had."""
    from tests.screens.table import a_race

    driver, many = HeuristicDriver(circuits.load("monaco"), 2), 0
    with a_race(folder) as desk:
        while desk.asked is not None and not there(desk):
            desk.answer(driver.answer(desk.asked, desk.rulebook.race), n=desk.n)
            many += 1
    return many


def head(folder: Path) -> int:
    """How many entries are on the disk, the chain checked."""
    with reading(folder) as db:
        race = find(db, "last")
        return len(list(chained(entries(db, race.log_id), race.head)))


def racing(app: Appliance) -> Appliance:
    """The race that there is, resumed by touch."""
    app.ready().tap("Resume")
    app.until(lambda: app.see()["n"] is not None)
    return app


# -- what the service manager hears


def test_it_is_ready_once_the_log_is_read_and_a_picture_of_it_is_drawn(data: Path, tmp_path: Path) -> None:
    with appliance(data, tmp_path, slow=1.5) as app:
        app.until(lambda: app.heard("FRAME"))
        first = app.heard("FRAME")[0].at
        app.ready()
        ready = app.heard("READY=1")[0].at
        assert ready - first >= 1.4
        assert len(app.heard("FRAME")) > 1
        assert [told.line for told in app.heard("STATUS=")] == ["STATUS=Waiting for a race."]
        assert "Resume the race?" in app.see()["texts"]
        assert not app.heard("WATCHDOG")
        assert not app.heard("STOPPING")
        assert app.stop() == 0
        assert app.told[-1].line == "STOPPING=1"


def test_a_first_picture_that_takes_its_time_is_no_fault(data: Path, tmp_path: Path) -> None:
    """A manager begins to wait for signs of life with the first that it hears, ready or not; that it is not ready yet
    is for its own patience with a start."""
    waits = 0.4
    with appliance(data, tmp_path, watchdog=waits, slow=5 * waits) as app:
        app.ready()
        ready = app.heard("READY=1")[0].at
        assert ready - app.heard("FRAME")[0].at > waits, "it was slow"
        app.until(lambda: app.heard("WATCHDOG=1"))
        assert app.heard("WATCHDOG=1")[0].at >= ready


def test_signs_of_life_stop_when_the_loop_hangs_and_when_the_desk_hangs(data: Path, tmp_path: Path) -> None:
    waits = 4.0
    with appliance(data, tmp_path, watchdog=waits) as app:
        racing(app)
        app.until(lambda: len(app.heard("WATCHDOG=1")) >= 5)
        beats = [told.at for told in app.heard("WATCHDOG=1")][-5:]
        often = min(later - earlier for earlier, later in itertools.pairwise(beats))
        assert often < 2 * waits / BEATS, "a busy machine may be late with some of them"
        app.until(lambda: app.heard("STATUS=A race is open, in round 2."))
        for hang in ("hang", "hang_desk"):
            begun = app.do(hang, seconds=2 * waits)
            while time.monotonic() < begun + 2 * waits:
                time.sleep(0.05)
            late = [told.at - begun for told in app.heard("WATCHDOG=1", begun) if told.at < begun + 2 * waits - 0.1]
            assert len(late) <= 2, hang  # of eight; some may have been on their way
            app.until(lambda begun=begun: app.heard("WATCHDOG=1", begun + 2 * waits))


def test_without_a_service_manager_nothing_is_told(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.screens.app.service import Manager

    Manager({}).tell("READY=1")
    Manager({"NOTIFY_SOCKET": str(tmp_path / "nobody")}).tell("READY=1")
    assert Manager({"WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "1"}).waits == 0
    assert Manager({"WATCHDOG_USEC": "3000000", "WATCHDOG_PID": str(os.getpid())}).waits == 3
    assert Manager({"WATCHDOG_USEC": "soon"}).waits == 0


def test_killed_at_any_question_it_comes_back_to_that_question(data: Path, tmp_path: Path) -> None:
    begun, last = head(data), None
    for many in (1, 2, 3):
        with appliance(data, tmp_path) as app:
            seen = racing(app).see()
            assert last in (None, (seen["n"], seen["title"]))
            for _ in range(many):
                app.answer()
            seen = app.see()
            last = (seen["n"], seen["title"])
            app.kill()
    assert head(data) >= begun + 6


def test_it_is_at_rest_once_the_desk_has_come_to_the_answer(data: Path, tmp_path: Path) -> None:
    """Whoever looks for what a touch has done, as tests/machine does, must not look before it is done."""
    with appliance(data, tmp_path) as app:
        n = racing(app).see()["n"]
        app.do("touch", n=n, held=True)
        assert app.see()["n"] == n
        assert not any(app.do("rests") for _ in range(3))
        app.do("let_go")
        app.rest()
        assert app.see()["n"] > n


def test_a_race_that_is_over_asks_nothing(tmp_path: Path) -> None:
    """Whoever plays to the flag by touch comes to an end of it; what fails in the loop is told, not waited for."""
    asked = itertools.count(1)
    whole = begun(tmp_path / "whole", lambda _: False)
    begun(tmp_path / "data", lambda _: next(asked) == whole)
    with appliance(tmp_path / "data", tmp_path) as app:
        racing(app).answer()
        app.until(lambda: app.see()["n"] is None)
        assert app.see()["title"] == "The race is over"
        with pytest.raises(AssertionError, match="no attribute 'nobody'"):
            app.do("nobody")


# -- a disk that takes nothing


def test_on_a_full_disk_the_race_goes_on_in_memory_and_nothing_is_lost(data: Path, tmp_path: Path) -> None:
    """Full by RLIMIT_FSIZE: no file of the app can be made longer, until it can again."""
    with appliance(data, tmp_path) as app:
        racing(app)
        before = head(data)
        app.room(512)
        app.answer()
        app.wait_for("go on?")
        assert head(data) == before
        app.tap("In memory")
        app.wait_for("1 not saved")
        app.wait_for("In memory only: lost at power-off")
        for _ in range(3):
            app.answer()
        unsaved = next(text for text in app.see()["texts"] if text.endswith("not saved"))
        assert int(unsaved.split()[0]) >= 4
        assert head(data) == before
        for name in ("sheet", "settings", "home"):  # the mark stays, whichever screen is open
            app.do("go", name=name)
            app.wait_for(unsaved)
        app.do("go", name="race")
        n = app.see()["n"]
        app.room()
        app.until(lambda: not any("not saved" in text for text in app.see()["texts"]))  # with no answer given
        app.wait_for("All answers are on the disk again")
        assert head(data) == before + int(unsaved.split()[0])
        app.answer()
        assert head(data) > before + int(unsaved.split()[0])
        app.kill()
    with appliance(data, tmp_path) as app:
        racing(app)
        assert app.see()["n"] > n


@pytest.fixture
def card(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own that can be made full and read-only: as root one in memory, else a folder."""
    made = tmp_path / "card"
    made.mkdir()
    mounted = os.geteuid() == 0 and not subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(made)], check=False, capture_output=True
    ).returncode  # fmt: skip
    yield made
    if mounted:
        subprocess.run(["umount", "-l", str(made)], check=True)


def full(card: Path, app: Appliance, yes: bool) -> None:
    """Makes a card full, or gives it room: by a file that fills it, else by SQLite's own limit; RLIMIT_FSIZE would hold
    for a stick as well."""
    filler = card / "filler"
    if not card.is_mount():
        app.do("pages", most=1 if yes else 1 << 30)
    elif yes:
        with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1024))
    else:
        filler.unlink()


def test_from_a_full_disk_the_race_goes_out_onto_a_stick_and_back_when_there_is_room(
    card: Path, tmp_path: Path
) -> None:
    folder, stick = card / "data", tmp_path / "STICK"
    begun(folder)
    stick.mkdir()
    with appliance(folder, tmp_path, stick=str(stick)) as app:
        racing(app)
        full(card, app, True)
        while not app.see()["asks"]:
            app.answer()
        assert app.see()["title"] == "Disk full: go on?"
        before = head(folder)
        app.tap("In memory")
        app.wait_for("1 not saved")
        app.answer()
        unsaved = int(next(text for text in app.see()["texts"] if text.endswith("not saved")).split()[0])
        app.do("go", name="sheet", page="export")
        for label in ("All races", "CSV"):
            app.tap(label)
        copy = app.until(lambda: copies(stick / COPIES))[-1]
        assert head(folder) == before
        assert head(copy) == before + unsaved
        table = stick / "At-the-table.csv"
        app.until(table.exists)
        assert len(table.read_text(encoding="utf-8").splitlines()) > before / 2
        full(card, app, False)
        app.until(lambda: not any("not saved" in text for text in app.see()["texts"]))
        assert head(folder) == before + unsaved


def writable(card: Path, yes: bool) -> bool:
    """Makes a card writable, or read-only; False if that cannot be done here: by root in a container."""
    if card.is_mount():
        subprocess.run(["mount", "-o", f"remount,{'rw' if yes else 'ro'}", str(card)], check=True)
    else:
        (card / "data").chmod(0o700 if yes else 0o500)
    return yes or not os.access(card / "data", os.W_OK)


def test_a_race_on_a_read_only_card_goes_on_in_memory_until_it_can_be_written(card: Path, tmp_path: Path) -> None:
    folder = card / "data"
    begun(folder)
    before = head(folder)
    read_only = writable(card, False)
    with appliance(folder, tmp_path, most=-1 if read_only else 0) as app:
        app.ready().wait_for("The disk is read-only" if read_only else "The disk is full")
        app.tap("Resume")
        app.wait_for("Read-only: go on?" if read_only else "go on?")
        app.tap("In memory")
        app.until(lambda: app.see()["n"] is not None)
        app.answer()
        app.wait_for("1 not saved")
        app.answer()
        assert head(folder) == before
        writable(card, True)
        app.room()
        app.until(lambda: head(folder) == before + 2)
        app.until(lambda: not any("not saved" in text for text in app.see()["texts"]))
