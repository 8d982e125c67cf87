"""The trials of a day as a record, and the clock that goes on while the program is dead. Articles 1-0 to 1-3."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.desk import trial_desk
from companion.desk.trial_desk import TrialDesk
from companion.rules.conversation.errors import BadEntry, CompanionError, NothingToDo
from companion.sheets.records import kept_record
from companion.tournament.times import AbsoluteTime
from companion.tournament.trials import TrialDriver, Trials, TrialsOpened
from companion.view.events.trials import trials as look
from companion.wording import Words

NAMES = {14: "Vidal", 7: "Brun", 27: "Keller"}
SECOND = 10**9


def opened(sessions: int = 1, counts: str = "best") -> TrialsOpened:
    drivers = tuple(TrialDriver(number=number, name=name) for number, name in NAMES.items())
    return TrialsOpened(name="Evening", track="monaco", drivers=drivers, sessions=sessions, counts=counts)  # type: ignore[arg-type]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[TrialDesk]:
    with TrialDesk.begin(tmp_path, opened(sessions=2)) as made:
        yield made


def lap(desk: TrialDesk, driver: int, throws: int, clock: int) -> None:
    desk.start(driver, "hard")
    for _ in range(throws):
        desk.tap("throw")
    desk.stop(clock=clock)
    desk.enter()


@pytest.mark.article("competition", "1-0-1", "1-3-1", "1-3-2")
def test_the_best_of_two_sessions_makes_the_grid(desk: TrialDesk) -> None:
    desk.sky("sun", 15)
    lap(desk, 14, 3, 5000)
    assert desk.record.grid() == [14, 7, 27], "who has no time stands behind"
    lap(desk, 7, 4, 5000)
    lap(desk, 27, 4, 4000)
    assert (desk.record.session, desk.record.grid()) == (2, [14, 27, 7])
    desk.sky("rain", 2)
    lap(desk, 14, 9, 5000)
    lap(desk, 27, 2, 9000)  # 3 with its minute, by a slower clock than Vidal's
    lap(desk, 7, 3, 4999)
    assert desk.record.grid() == [7, 14, 27]
    assert desk.record.over


@pytest.mark.article("competition", "1-0-1")
@pytest.mark.parametrize(("counts", "first"), [("best", 14), ("last", 7), ("sum", 27)])
def test_which_session_counts_is_for_the_organiser(tmp_path: Path, counts: str, first: int) -> None:
    """Vidal 1 and 9, Brun 9 and 2, Keller 3 and 4."""
    with TrialDesk.begin(tmp_path, opened(2, counts)) as desk:
        for driver, runs in {14: (1, 9), 7: (9, 2), 27: (3, 4)}.items():
            for session, throws in enumerate(runs, 1):
                desk.typed(driver, session, AbsoluteTime(throws, 100))
        assert desk.record.grid()[0] == first


@pytest.mark.article("competition", "1-0-1", "1-3-2")
def test_who_lacks_a_session_of_a_sum_stands_behind_who_has_driven_it(tmp_path: Path) -> None:
    with TrialDesk.begin(tmp_path, opened(2, "sum")) as desk:
        desk.sky("sun", 15)
        for driver, throws in ((14, 3), (7, 4), (27, 5)):
            lap(desk, driver, throws, 5000)
        desk.sky("sun", 15)
        lap(desk, 27, 3, 5000)
        assert desk.record.grid() == [27, 14, 7]
        desk.start(14, "hard")
        for _ in range(5):
            desk.tap("throw")
        desk.stop(clock=5001)
        assert desk.record.ranking({14: AbsoluteTime(4, 5000)}) == [14, 27, 7], "7 throws before 8, and both before 4"
        rows = look(desk, Words("en"), "Monaco", None).rows
        assert [(row.plate.number, row.sum, row.ahead) for row in rows] == [
            (27, "8", "clock"), (14, "8", "sessions"), (7, "4", ""),
        ]  # fmt: skip
        desk.enter()
        lap(desk, 7, 3, 5000)
        assert desk.record.grid() == [7, 27, 14]


@pytest.mark.article("competition", "1-0-3")
def test_the_sky_of_a_session_is_drawn_once_before_its_first_trial(desk: TrialDesk) -> None:
    with pytest.raises(BadEntry, match="sky of session 1"):
        desk.start(14, "hard")
    desk.sky("rain")
    with pytest.raises(BadEntry, match="same for every driver"):
        desk.sky("sun")
    desk.start(14, "rain")
    assert desk.record.trial is not None
    assert desk.record.trial.surface == "wet"


@pytest.mark.article("competition", "1-1-14", "1-3-2")
def test_missed_stops_are_last_of_the_session_and_the_other_one_counts(desk: TrialDesk) -> None:
    desk.sky("sun")
    desk.start(14, "soft")
    desk.tap("throw")
    desk.missed()
    desk.enter()
    lap(desk, 7, 40, 9000)
    lap(desk, 27, 41, 9000)
    assert desk.record.grid() == [7, 27, 14]
    desk.sky("sun")
    lap(desk, 14, 5, 9000)
    assert desk.record.grid() == [14, 7, 27]


@pytest.mark.article("competition", "1-1-9")
def test_a_dispute_stops_nothing_that_is_not_decided(desk: TrialDesk) -> None:
    desk.sky("sun")
    desk.start(14, "soft")
    desk.tap("throw")
    with pytest.raises(BadEntry, match="still runs"):
        desk.dispute()
    desk.stop(clock=700)
    desk.dispute()
    with pytest.raises(BadEntry, match="reason"):
        desk.rule(2, 0, 0)
    desk.rule(2, 0, 0, "the onlookers saw two")
    desk.enter()
    assert desk.record.runs[14][1].total == 2


def test_a_trial_entered_disputed_stays_marked_until_it_is_corrected(desk: TrialDesk) -> None:
    desk.sky("sun")
    desk.start(14, "soft")
    desk.tap("throw")
    desk.stop(clock=700)
    desk.dispute()
    desk.enter()
    assert desk.record.disputes == {(14, 1)}
    with pytest.raises(BadEntry, match="reason"):
        desk.typed(14, 1, AbsoluteTime(9, 700))
    desk.typed(14, 1, AbsoluteTime(9, 700), why="decided at race control")
    assert (desk.record.disputes, desk.record.runs[14][1].total) == (set(), 9)


def test_undo_takes_back_taps_and_never_the_clock(desk: TrialDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100 * SECOND]
    monkeypatch.setattr(trial_desk, "mono", lambda: now[0])
    desk.sky("sun")
    desk.start(14, "hard")
    desk.tap("throw")
    desk.tap("over")
    now[0] += 5 * SECOND
    desk.undo()
    trial = desk.record.trial
    assert trial is not None
    assert (trial.throws, trial.overshot, desk.elapsed()) == (1, 0, 500)
    desk.stop()
    now[0] += 2 * SECOND
    assert desk.elapsed() == 500
    desk.undo()
    assert desk.elapsed() == 700
    desk.undo()
    desk.undo()
    assert desk.record.trial is None
    desk.undo()
    with pytest.raises(NothingToDo):
        desk.undo()


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (lambda desk: desk.start(99, "hard"), "no driver 99"),
        (lambda desk: desk.stop(clock=100), "under way"),
        (lambda desk: desk.enter(), "under way"),
        (lambda desk: desk.again("why"), "under way"),
        (lambda desk: desk.typed(14, 3, AbsoluteTime(1, 1)), "1 to 2 sessions"),
        (lambda desk: desk.typed(99, 1, AbsoluteTime(1, 1)), "no driver 99"),
        (lambda desk: desk.typed(14, 1, AbsoluteTime(0, 1)), "throw"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_changes_nothing(desk: TrialDesk, wrong: object, why: str) -> None:
    desk.sky("sun")
    before = len(desk.record.log)
    with pytest.raises(CompanionError, match=why):
        wrong(desk)  # type: ignore[operator]
    assert len(desk.record.log) == before


def test_a_number_twice_begins_nothing(tmp_path: Path) -> None:
    twice = TrialsOpened(name="x", track="monaco", drivers=(TrialDriver(number=1), TrialDriver(number=1)))
    with pytest.raises(BadEntry, match="Number 1 is there twice"):
        TrialDesk.begin(tmp_path, twice)
    with pytest.raises(BadEntry, match="sessions"):
        TrialDesk.begin(tmp_path, opened(sessions=10))
    assert list(tmp_path.iterdir()) == []


KILLED = """
import sys, time
from pathlib import Path
from companion.desk.trial_desk import TrialDesk
from companion.tournament.trials import TrialsOpened, TrialDriver
desk = TrialDesk.begin(Path(sys.argv[1]), TrialsOpened(name="x", track="monaco", drivers=(TrialDriver(number=5),)))
desk.sky("sun")
desk.start(5, "hard")
desk.tap("throw")
print(desk.record.begun.mono, flush=True)
time.sleep(60)
"""


def test_a_trial_goes_on_with_the_right_clock_after_kill_9(tmp_path: Path) -> None:
    program = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    began = int(program.stdout.readline())
    os.kill(program.pid, signal.SIGKILL)
    program.wait()
    program.stdout.close()
    with TrialDesk.resume(tmp_path) as desk:
        low = (time.monotonic_ns() - began) // trial_desk.HUNDREDTH
        assert desk.record.trial is not None
        assert (desk.record.trial.throws, desk.lost) == (1, False)
        assert low <= desk.elapsed() <= low + 100
        desk.stop()
        desk.enter()
    record = kept_record(tmp_path, "last", "trials").record
    assert isinstance(record, Trials)
    assert record.runs[5][1].clock >= low


def test_a_clock_that_ran_when_the_machine_went_off_is_lost_and_said_to_be(
    desk: TrialDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.sky("sun")
    desk.start(14, "hard")
    desk.tap("throw")
    desk._boot = "another run of the machine"
    assert (desk.lost, desk.began, desk.elapsed()) == (True, None, 0)
    with pytest.raises(BadEntry, match="machine was off"):
        desk.stop()
    desk.stop(clock=6100)
    assert desk.elapsed() == 6100
    desk.undo()
    with pytest.raises(BadEntry, match="reason"):
        desk.again("")
    desk.again("the power went")
    assert desk.record.trial is None
