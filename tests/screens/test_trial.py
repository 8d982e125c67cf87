"""The trial on the touchscreen: real touches, the driver's button, the roller."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from companion.desk.trial_desk import TrialDesk
from companion.sheets.records import kept_record
from companion.tournament.times import AbsoluteTime
from companion.tournament.trials import Opened, TrialDriver, Trials
from tests.screens.panels import PANELS
from tests.screens.recorded import Table

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp
    from tests.screens.rig import Rig

DRIVERS = (
    (14, "Vidal", "Nantes", 1), (7, "Brun", "Lyon", 0), (22, "Okoye", "Turin", 4), (5, "Sousa", "Porto", 8),
    (27, "Keller", "Basel", 6), (31, "Hassan", "York", 2), (42, "Graf", "Basel", 6),
)  # fmt: skip
TIMES = {14: (17, 6236), 7: (18, 5890), 22: (18, 7102), 5: (19, 8148), 31: (19, 9010)}


class Timed(Table):
    """The app on the screen of trials, with time that can be moved on."""

    def __init__(self, rig: Rig, folder: Path, monkeypatch: pytest.MonkeyPatch, **given: Any) -> None:
        self.later = 0
        now = time.monotonic_ns
        monkeypatch.setattr(time, "monotonic_ns", lambda: now() + self.later)
        super().__init__(rig, folder, "trial", **given)

    @property
    def record(self) -> Trials:
        record = kept_record(self.folder, "last", "trials").record
        assert isinstance(record, Trials)
        return record


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Trials in which five of seven have driven, and Keller is next."""
    drivers = tuple(TrialDriver(number=n, name=name, team=team, colour=at) for n, name, team, at in DRIVERS)
    with TrialDesk.begin(tmp_path / "data", Opened(name="Masters", track="monaco", drivers=drivers)) as desk:
        desk.sky("sun", 15)
        for number, (throws, clock) in TIMES.items():
            desk.typed(number, 1, AbsoluteTime(throws, clock, at=f"2026-06-13T08:{number:02}:00.000Z"))
    return tmp_path / "data"


@pytest.fixture
def table(rig: Rig, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Timed]:
    made = Timed(rig, folder, monkeypatch)
    yield made
    made.app.close()


@pytest.mark.article("competition", "1-1-4", "1-1-8", "1-1-10", "1-1-11", "1-1-12", "1-1-13", "1-2-1-1", "1-3-1")
def test_a_lap_is_tapped_and_entered(table: Timed) -> None:
    screen = table.screen
    assert (screen.now.state, screen.now.driver, screen.main.face.look) == ("ready", 27, "barred")
    table.tap(screen.main)
    assert screen.now.state == "ready", "the tyres come first"
    table.tap(screen.tyres["soft"], screen.main)
    assert screen.now.state == "running"
    table.tap(screen.main, screen.main, screen.main, screen.calls["stick"])
    assert (screen.main.face.label, screen.now.calls[0].count) == ("3", "1 called")
    table.screen.act("replayed")  # the action of the toast
    table.wait()
    table.tap(screen.over, screen.misplaced)
    table.later += 61 * 10**9
    table.tap(screen.stop)
    assert (screen.now.state, screen.now.question) == ("over", "Enter 15?"), "2 + 1 × 2 + 10 + 1"
    assert screen.main.face.prices[0].text == "1st, next: 42 Graf"
    table.tap(screen.main)
    assert screen.now.driver == 42
    assert table.record.runs[27][1].total == 15


def test_undo_goes_back_one_tap_at_a_time(table: Timed) -> None:
    screen = table.screen
    table.tap(screen.tyres["hard"], screen.main, screen.main, screen.over)
    assert screen.undo.face.note == "Overshot"
    table.tap(screen.undo)
    assert (screen.undo.face.note, screen.now.overshot) == ("Throw 1", 0)
    table.tap(screen.stop, screen.undo)
    assert screen.now.state == "running"
    table.tap(screen.undo, screen.undo)
    assert screen.now.state == "ready"


def test_button_and_roller_feed_it(table: Timed) -> None:
    screen, app = table.screen, table.app
    app.press("confirm")
    table.wait()
    assert screen.now.state == "ready", "no tyres"
    table.tap(screen.tyres["hard"])
    app.press("confirm")
    table.wait()
    app.press("next")
    from companion.screens.app.beside import Hands

    hands = Hands(app)
    hands.rolled(7, "4", -1)
    hands.rolled(7, "4", -1)  # in one breath: the same throw
    table.wait()
    assert "set aside" in app.toast.shown.text
    later = time.monotonic() + 1.1
    table.rig.until(lambda: time.monotonic() > later)
    for face, die, said in ((19, "20", "the black die is no throw"), (31, "4", "31 is not on that die")):
        hands.rolled(face, die, -1)
        table.wait()
        assert said in app.toast.shown.text
    hands.rolled(9, "", -1)
    table.wait()
    assert screen.now.throws == 3
    app.press("confirm")
    table.wait()
    assert screen.now.state == "over"
    app.press("confirm")
    table.wait()
    assert len(table.record.runs[27]) == 1


@pytest.mark.article("competition", "1-1-14")
def test_two_missed_stops_end_it_once_confirmed(table: Timed) -> None:
    screen = table.screen
    table.tap(screen.tyres["hard"], screen.main, screen.main, screen.missed)
    assert table.app.over is not None
    table.tap(table.app.over.act)
    assert (screen.now.state, screen.now.missed, screen.main.face.label) == ("over", True, "Enter last")
    table.tap(screen.main)
    assert table.record.runs[27][1].last


@pytest.mark.article("competition", "1-1-9")
def test_a_dispute_is_upheld_changed_or_left(table: Timed) -> None:
    screen = table.screen
    table.tap(screen.tyres["hard"], screen.main, screen.main, screen.stop, screen.dispute, screen.change)
    table.tap(screen.steppers["throws"].more)
    assert screen.main.face.label == "Change to 2"
    table.tap(screen.main)
    assert (screen.now.disputed, screen.now.question) == (False, "Enter 2?")
    table.tap(screen.dispute, screen.main)
    assert screen.now.disputed is False
    table.tap(screen.dispute, screen.later)
    assert table.record.disputes == {(27, 1)}


def test_left_and_come_back_to_the_clock_has_gone_on(table: Timed) -> None:
    screen = table.screen
    table.tap(screen.tyres["hard"], screen.main, screen.main)
    table.app.home()
    table.wait()
    table.later += 30 * 10**9
    table.app.go("trial")
    table.wait()
    assert (table.screen.now.state, table.screen.now.throws) == ("running", 1)
    assert 3000 <= table.screen.clock.hundredths <= 4000


def test_somebody_else_drives_first(table: Timed) -> None:
    screen = table.screen
    table.tap(screen.other)
    table.rig.tap(screen.pick_rows.to_window(*screen.pick_rows.center)[0], 78 + 52 * 1.5)
    table.wait()
    assert screen.now.driver == 42


def test_the_grid_of_a_race_is_taken_by_one_key(table: Timed) -> None:
    screen = table.screen
    for throws in (3, 1):
        table.tap(screen.tyres["hard"], screen.main, *[screen.main] * throws, screen.stop, screen.main)
    assert (screen.now.state, screen.main.face.label) == ("all", "Grid")
    table.tap(screen.main)
    assert table.app.visits[-1].name == "new_race"
    draft = table.screen.draft
    assert [one.number for one in draft.entrants] == [42, 27, 7, 14, 22, 5, 31]
    assert draft.track == "monaco"


def test_without_trials_there_is_one_sentence_and_a_key(app: CompanionApp, rig: Rig) -> None:
    app.go("trial")
    screen: Any = app.screen
    rig.until(lambda: screen.filled)
    rig.wait(0.3)
    assert screen.empty.shown.title == "No trials yet"
    rig.tap(screen.empty.key)
    assert app.visits[-1].name == "new_race"


@pytest.mark.parametrize(("panel", "lang", "look"), [(0, "en", "dark"), (1, "fr", "daylight"), (0, "fr", "dark")])
def test_every_moment_passes_the_audit(
    rig: Rig, folder: Path, monkeypatch: pytest.MonkeyPatch, panel: int, lang: str, look: str
) -> None:
    from companion.screens.app.settings import Kept
    from tests.screens.audit import audit

    rig.window(*PANELS[panel])
    Kept(folder).change(language=lang, theme=look)
    table = Timed(rig, folder, monkeypatch)
    try:
        screen = table.screen
        assert not audit(screen)
        table.tap(screen.tyres["rain"])
        assert not audit(screen)
        table.tap(screen.main, screen.main, screen.over)
        table.later += 81 * 10**9
        table.wait()
        assert not audit(screen)
        for _ in range(15):
            screen._tap("throw")
        table.tap(screen.stop)
        assert not audit(screen)
        table.tap(screen.dispute)
        assert not audit(screen)
        table.tap(screen.change)
        assert not audit(screen)
        table.tap(screen.main, screen.main)  # the next one, who is followed
        screen = follow(table)
        assert not audit(screen)
        table.tap(screen.following.key, screen.stop)
        assert not audit(screen)
        table.tap(screen.show_found)
        assert not audit(screen)
        table.tap(screen.following.accept, screen.following.accept)
        assert not audit(screen)
    finally:
        table.app.close()


def test_new_race_has_its_grid_timed_by_touch(app: CompanionApp, rig: Rig) -> None:
    """From the grid of a new race to the trials, each of two drivers around, and back with the grid they made."""
    from companion.sheets.entrants import Entrant
    from companion.view.setup.draft import Draft

    entrants = (Entrant(number=3, name="Ada", colour=0), Entrant(number=8, name="Bob", colour=1))
    app.go("new_race", draft=Draft(track="monaco", entrants=entrants), step="grid")
    rig.wait(0.3)
    step: Any = app.screen
    rig.tap(step.body.ways[2])
    rig.wait(0.3)
    rig.tap(step.body.trials)
    timed = Timed.__new__(Timed)
    timed.rig, timed.app, timed.folder, timed.later = rig, app, app.folder, 0
    rig.wait(0.2)
    timed.wait()
    timed.tap(timed.screen.skies["sun"])
    for throws in (3, 2):
        timed.tap(timed.screen.tyres["hard"], timed.screen.main, *[timed.screen.main] * throws)
        timed.tap(timed.screen.stop, timed.screen.main)
    assert timed.screen.now.state == "all", (timed.screen.now, timed.record.log)
    timed.tap(timed.screen.main)
    assert [visit.name for visit in app.visits] == ["home", "new_race"]
    assert [one.number for one in timed.screen.draft.entrants] == [8, 3]
    assert timed.screen.step == "grid"


@pytest.mark.article("competition", "1-2-2")
def test_a_misplaced_car_is_neither_said_nor_sounded_while_the_clock_runs(table: Timed) -> None:
    screen, heard = table.screen, list[str]()
    table.tap(screen.tyres["hard"], screen.main)
    table.app.playing.signals.listen(heard.append)
    table.tap(screen.main)
    assert heard == ["accepted"]
    table.tap(screen.misplaced)
    assert (heard, screen.now.misplaced, table.app.toast.parent) == (["accepted"], 1, None)
    table.tap(screen.stop, screen.misplaced)
    assert heard == ["accepted"] * 3, "after the lap it may be said"


def touch_space(table: Timed, space: str) -> None:
    """A finger on a space of the board."""
    from tests.screens.rig import Finger, place_of

    board = table.screen.following.board.picture
    finger = Finger(*place_of(board, space))
    finger.down()
    table.rig.settle(1)
    finger.up()
    table.wait()


def follow(table: Timed) -> Any:
    """A lap of three throws, followed by touch and stopped: the last one overshot a corner."""
    screen = table.screen
    following = screen.following
    table.tap(screen.tyres["soft"], screen.main, screen.main, following.key)
    touch_space(table, "0:middle:1")
    table.tap(screen.main, following.gears[2], following.faces[2])
    touch_space(table, "0:middle:5")
    table.tap(screen.main, following.gears[3], following.faces[4])
    touch_space(table, "2:right:4")
    return screen


@pytest.mark.article("competition", "1-2-2", "1-1-12")
def test_the_board_is_followed_silently_and_findings_are_accepted_or_not(table: Timed) -> None:
    screen = follow(table)
    assert (screen.now.throws, screen.now.followed.at, screen.now.followed.said) == (3, "2:right:4", "")
    table.tap(screen.following.key, screen.stop)
    assert screen.now.followed.said == "Followed to throw 3: 2 found"
    assert (screen.main.face.label, screen.main.face.note) == ("2 findings to answer", "accept or reject each")
    table.tap(screen.main)
    found = screen.now.followed.found
    assert [(one.title, one.price) for one in found] == [
        ("Throw 3: 4 overshot", "+8"),
        ("Not over the line", "no time"),
    ]
    assert screen.main.face.look == "barred"
    table.tap(screen.following.accept, screen.following.reject)
    assert (screen.now.question, screen.now.followed.found) == ("Enter 11?", ())
    table.tap(screen.undo, screen.undo, screen.main, screen.following.reject, screen.following.reject)
    assert (screen.now.question, screen.now.followed.found) == ("Enter 3?", ())
    table.tap(screen.main)
    assert table.record.runs[27][1].total == 3
    assert [one.act.accepted for one in table.record.signed if hasattr(one.act, "accepted")] == [False, False]


@pytest.mark.article("competition", "1-1-8")
def test_a_lap_that_was_not_over_the_line_is_driven_again(table: Timed) -> None:
    screen = follow(table)
    table.tap(screen.following.key, screen.stop, screen.main, screen.following.reject, screen.following.accept)
    assert (screen.now.question, screen.main.face.label) == ("Drive again?", "Drive again")
    table.tap(screen.main)
    assert (screen.now.state, screen.now.driver) == ("ready", 27)
    assert table.record.signed[-1].act.why == "Not over the line"


@pytest.mark.parametrize(("panel", "lang"), [(0, "en"), (0, "fr"), (1, "fr")])
def test_a_lap_is_told_from_the_best_that_dice_allow(
    rig: Rig, folder: Path, monkeypatch: pytest.MonkeyPatch, panel: int, lang: str
) -> None:
    """It is worked out apart while the clock runs, and told once the lap is over and it is there."""
    from companion.drivers import lap
    from companion.screens.app.settings import Kept
    from tests.screens.audit import in_both_looks

    class Best:
        throws = 18.4

    best = list[Any]()
    monkeypatch.setattr(lap, "lap_at_hand", lambda *_: best[0] if best else None)
    rig.window(*PANELS[panel])
    Kept(folder).change(language=lang)
    table = Timed(rig, folder, monkeypatch)
    try:
        screen = table.screen
        table.tap(screen.tyres["soft"], screen.main)
        for _ in range(19):
            screen._tap("throw")
        table.tap(screen.stop)
        assert [key[-2:] for key in table.app.analysing._works] == [("soft", "dry")]
        assert (screen.now.limit, screen.now.studies) == ("", ("soft", "dry"))
        best.append(Best())
        table.app.analysing.on_news()
        table.wait()
        assert screen.now.limit == {"en": "Dice allow 18.4: +0.6", "fr": "Les dés donnent 18,4\u00a0: +0,6"}[lang]
        assert in_both_looks(screen) == []
    finally:
        table.app.close()
