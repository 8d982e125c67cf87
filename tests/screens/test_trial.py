"""The trial on the touchscreen: real touches, the driver's button, the roller."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.desk.trial_desk import TrialDesk
from companion.drivers import lap
from companion.screens.app.table_hardware import AppAccess
from companion.screens.kit.theme import GIANT, theme
from companion.sheets.entrants import RaceEntrant
from companion.sheets.records import kept_record
from companion.tournament.times import AbsoluteTime
from companion.tournament.trials import TrialDriver, Trials, TrialsOpened
from companion.view.setup.draft import Draft
from companion.wording import capital
from tests.screens.panels import PANELS
from tests.screens.rig import Rig
from tests.screens.ui import Ui

DRIVERS = (
    (14, "Vidal", "Nantes", 1), (7, "Brun", "Lyon", 0), (22, "Okoye", "Turin", 4), (5, "Sousa", "Porto", 8),
    (27, "Keller", "Basel", 6), (31, "Hassan", "York", 2), (42, "Graf", "Basel", 6),
)  # fmt: skip
TIMES = {14: (17, 6236), 7: (18, 5890), 22: (18, 7102), 5: (19, 8148), 31: (19, 9010)}


THROW = "1 throw"


Later = Callable[[float], None]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Later:
    """Move the clock of the trials on, by some seconds."""
    now, moved = time.monotonic_ns, [0]

    def go_on(seconds: float) -> None:
        moved[0] += round(seconds * 10**9)

    monkeypatch.setattr(time, "monotonic_ns", lambda: now() + moved[0])
    return go_on


def at_trials(rig: Rig, folder: Path, **settings: object) -> Ui:
    """A person at the trials."""
    ui = Ui(rig, folder, **settings)
    ui.app.go("trial")
    ui.calm()
    return ui


def trials_of(ui: Ui) -> Trials:
    """The trials as they are kept."""
    record = kept_record(ui.folder, "last", "trials").record
    assert isinstance(record, Trials)
    return record


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Trials in which five of seven have driven, and Keller is next."""
    drivers = tuple(TrialDriver(number=n, name=name, team=team, colour=at) for n, name, team, at in DRIVERS)
    with TrialDesk.begin(tmp_path / "data", TrialsOpened(name="Masters", track="monaco", drivers=drivers)) as desk:
        desk.sky("sun", 15)
        for number, (throws, clock) in TIMES.items():
            desk.typed(number, 1, AbsoluteTime(throws, clock, at=f"2026-06-13T08:{number:02}:00.000Z"))
    return tmp_path / "data"


def grid(ui: Ui, names: set[str]) -> list[str]:
    """Return the names on the grid of a new race as far as they are seen, from the front."""
    return [word.text for word in ui.words() if word.text in names]


@pytest.fixture
def ui(rig: Rig, folder: Path) -> Iterator[Ui]:
    made = at_trials(rig, folder)
    yield made
    made.close()


@pytest.mark.article("competition", "1-1-4", "1-1-8", "1-1-10", "1-1-11", "1-1-12", "1-1-13", "1-2-1-1", "1-3-1")
def test_a_lap_is_tapped_and_entered(ui: Ui, later: Later) -> None:
    assert ui.sees("Keller", "Which tyres?", "tyres first")
    assert not ui.offers("Start"), "the tyres come first"
    ui.tap("Soft", "Start")
    assert ui.sees("Running")
    ui.tap(THROW, THROW, THROW, "Gear stick")
    assert ui.sees("3", "1 called", "Gear stick: play the turn again")
    ui.tap("Throw 3 back", "1 space × 2", "silent")
    later(61)
    ui.tap("Stop")
    assert ui.sees("Enter 15?", "1st, next: 42 Graf"), "2 + 1 × 2 + 10 + 1"
    ui.tap("Enter 15")
    assert ui.sees("Graf", "Which tyres?")
    assert not ui.offers("Start"), "nor are they those of the last one"
    assert trials_of(ui).runs[27][1].total == 15


@pytest.mark.parametrize("rulebook", ["competition", "formula-d"])
def test_before_the_first_time_who_is_still_to_drive_is_listed(
    panel: Rig, tmp_path: Path, rulebook: str, language: str
) -> None:
    drivers = tuple(TrialDriver(number=n, name=name, team=team, colour=at) for n, name, team, at in DRIVERS)
    opened = TrialsOpened(name="Club", track="monaco", drivers=drivers, rulebook=rulebook)
    with TrialDesk.begin(tmp_path / "new", opened) as desk:
        if rulebook == "competition":
            desk.sky("sun")
    ui = at_trials(panel, tmp_path / "new", language=language)
    try:
        heading = theme.words.screen("trial.waiting")
        for key in ("", *(["trial.key_start"] if rulebook == "formula-d" else [])):
            if key:
                ui.tap(theme.words.screen(key))
            assert ui.in_order(heading, "Vidal", "Brun", "Okoye")
            ui.audit_both()
        if rulebook == "formula-d":
            ui.tap(f"1 {theme.words.screen('trial.throws', count=1)}")
            assert not ui.sees(heading), "his time so far is there"
    finally:
        ui.close()


def test_undo_goes_back_one_tap_at_a_time(ui: Ui) -> None:
    ui.tap("Soft", "Start", THROW, "1 space × 2")
    assert ui.sees("1 over × 2", "Overshot")
    ui.tap("Undo")
    assert ui.sees("Throw 1")
    assert not ui.sees("1 over × 2")
    ui.tap("Stop", "Undo")
    assert ui.sees("Tap every throw")
    ui.tap("Undo", "Undo")
    assert ui.sees("Which tyres?")


def test_button_and_roller_feed_it(ui: Ui) -> None:
    def press(name: str) -> None:
        ui.app.press(name)
        ui.calm()

    press("confirm")
    assert ui.sees("Which tyres?"), "no tyres"
    ui.tap("Hard")
    press("confirm")
    press("next")
    hands = AppAccess(ui.app)
    hands.rolled(7, "4", -1)
    hands.rolled(7, "4", -1)  # in one breath: the same throw
    ui.calm()
    assert ui.sees("set aside")
    later = time.monotonic() + 1.1
    ui.rig.until(lambda: time.monotonic() > later)
    for face, die, said in ((19, "20", "the black die is no throw"), (31, "4", "31 is not on that die")):
        hands.rolled(face, die, -1)
        ui.calm()
        assert ui.sees(said)
    hands.rolled(9, "", -1)
    ui.calm()
    assert ui.sees("Throw 3")
    press("confirm")
    assert ui.sees("Enter 3?")
    press("confirm")
    assert len(trials_of(ui).runs[27]) == 1


@pytest.mark.article("competition", "1-1-14")
def test_two_missed_stops_end_it_once_confirmed(ui: Ui) -> None:
    ui.tap("Hard", "Start", THROW, "Two stops missed")
    assert ui.sees("End the trial of 27 Keller?")
    ui.tap("End: last in session")
    assert ui.sees("Enter last?", "Two stops missed")
    ui.tap("Enter last")
    assert trials_of(ui).runs[27][1].last


@pytest.mark.article("competition", "1-1-9")
def test_a_dispute_is_upheld_changed_or_left(ui: Ui) -> None:
    ui.tap("Hard", "Start", THROW, "Stop", "Dispute")
    assert ui.sees("How is it ruled?", "Disputed")
    ui.tap("Change")
    ui.tap(icon="plus", beside="throws")
    ui.tap("Change to 2")
    assert ui.sees("Enter 2?")
    ui.tap("Dispute", "Uphold")
    assert ui.sees("Enter 2?")
    ui.tap("Dispute", "Decide later")
    assert trials_of(ui).disputes == {(27, 1)}


def test_a_change_is_left_by_undo_and_by_the_way_back(ui: Ui) -> None:
    ui.tap("Hard", "Start", THROW, "Stop", "Dispute", "Change")
    ui.tap(icon="plus", beside="throws")
    ui.tap("Undo")
    assert ui.sees("How is it ruled?")
    ui.tap("Change")
    assert ui.sees("Change to 1"), "what was stepped is gone"
    ui.back()
    assert ui.sees("How is it ruled?")


def test_left_and_come_back_to_the_clock_has_gone_on(ui: Ui, later: Later) -> None:
    ui.tap("Hard", "Start", THROW)
    ui.app.home()
    ui.calm()
    later(30)
    ui.app.go("trial")
    ui.calm()
    assert ui.sees("Running", "1 throw")
    clock = [word.text for word in sorted(ui.words(), key=lambda word: word.box.x) if word.size == GIANT]
    assert "0:30" <= "".join(clock) < "0:40"


def test_somebody_else_drives_first(ui: Ui) -> None:
    ui.tap("Driver")
    ui.tap("Graf")
    assert ui.sees("Graf", "Which tyres?")
    assert not ui.sees("Keller")


def test_the_grid_of_a_race_is_taken_by_one_key(ui: Ui) -> None:
    for throws in (3, 1):
        ui.tap("Hard", "Start", *[THROW] * throws, "Stop", f"Enter {throws}")
    assert ui.sees("All have driven", "7 cars by trial")
    ui.tap("Grid")
    assert ui.app.visits[-1].name == "new_race"
    assert grid(ui, {name for _, name, _, _ in DRIVERS})[:6] == ["Graf", "Keller", "Brun", "Vidal", "Okoye", "Sousa"]
    assert ui.sees("Monaco")


def test_without_trials_there_is_one_sentence_and_a_key(rig: Rig, tmp_path: Path) -> None:
    ui = Ui(rig, tmp_path)
    ui.app.go("trial")
    ui.wait_for("No trials yet")
    ui.tap("New race")
    assert ui.app.visits[-1].name == "new_race"
    ui.close()


@pytest.mark.parametrize(("panel", "lang", "look"), [(0, "en", "dark"), (1, "fr", "daylight"), (0, "fr", "dark")])
def test_every_moment_passes_the_audit(
    rig: Rig, folder: Path, monkeypatch: pytest.MonkeyPatch, panel: int, lang: str, look: str, later: Later
) -> None:
    rig.window(*PANELS[panel])
    ui = at_trials(rig, folder, language=lang, theme=look)

    def tap(*keys: str, **facts: Any) -> None:
        """Tap keys by their texts in [screen.trial], audited before each."""
        for key in keys:
            ui.audit()
            ui.tap(theme.words.screen(f"trial.{key}", **facts))

    try:
        ui.audit()
        ui.tap(capital(theme.words.word("tyres", "rain")))
        tap("key_other")
        ui.audit()
        ui.back()
        tap("key_start", "key_throw", "call.hand")
        tap("key_over_price", factor=2)
        later(81)
        ui.calm()
        for _ in range(15):
            ui.app.press("next")
            ui.calm()
        tap("key_stop", "key_dispute", "key_change")
        ui.audit()
        tap("key_ruled", sum=19)
        tap("key_enter", sum=19)
        follow(ui)
        tap("key_clock", "key_stop", "key_answer", count=2)
        tap("key_accept", "key_accept")
        ui.audit()
    finally:
        ui.close()


def test_new_race_has_its_grid_timed_by_touch(ui: Ui) -> None:
    """From the grid of a new race to the trials, each of two drivers around, and back with the grid they made."""
    entrants = (RaceEntrant(number=3, name="Ada", colour=0), RaceEntrant(number=8, name="Bob", colour=1))
    ui.app.home()
    ui.app.go("new_race", draft=Draft(track="monaco", entrants=entrants), step="grid")
    ui.calm()
    ui.tap("Trials", "To the trials", "Sun")
    assert not ui.sees("This screen failed"), "rain is a sky and a compound"
    for throws in (3, 2):
        ui.tap("Hard", "Start", *[THROW] * throws, "Stop", f"Enter {throws}")
    assert ui.sees("All have driven")
    ui.tap("Grid")
    assert [visit.name for visit in ui.app.visits] == ["home", "new_race"]
    assert grid(ui, {"Ada", "Bob"}) == ["Bob", "Ada"]
    ui.tap("Trials", "To the trials")
    assert ui.offers("Sun"), "new ones: those are over"


@pytest.mark.article("competition", "1-2-2")
def test_a_misplaced_car_is_neither_said_nor_sounded_while_the_clock_runs(ui: Ui) -> None:
    heard = list[str]()
    ui.tap("Hard", "Start")
    ui.app.playing.signals.listen(heard.append)
    ui.tap(THROW)
    assert heard == ["accepted"]
    ui.tap("silent")
    assert heard == ["accepted"]
    assert ui.sees("Running", "Misplaced"), "nothing lies over it, and Undo names it"
    ui.tap("Stop", "art. 1-1-11")
    assert heard == ["accepted"] * 3, "after the lap it may be said"


def follow(ui: Ui) -> None:
    """A lap of three throws, followed by touch: the last one overshot a corner."""
    say = theme.words.screen
    ui.tap(capital(theme.words.word("tyres", "soft")), say("trial.key_start"), say("trial.key_throw"))
    ui.tap(say("trial.key_board"))
    ui.tap(space="0:middle:1")
    ui.tap(say("trial.key_throw"), say("trial.follow_key", gear=2))
    ui.tap("4", below=say("trial.follow_face"))
    ui.tap(space="0:middle:5")
    ui.tap(say("trial.key_throw"), say("trial.follow_key", gear=3))
    ui.tap("8", below=say("trial.follow_face"))
    ui.tap(space="2:right:4")


@pytest.mark.article("competition", "1-2-2", "1-1-12")
def test_the_board_is_followed_silently_and_findings_are_accepted_or_not(ui: Ui) -> None:
    follow(ui)
    assert not ui.sees("found")
    ui.tap("Clock", "Stop")
    assert ui.sees("Followed to throw 3: 2 found", "2 findings to answer", "accept or reject each")
    ui.tap("2 findings to answer")
    assert ui.sees("Throw 3: 4 overshot", "+8", "Not over the line", "no time")
    assert not ui.offers("2 findings to answer")
    ui.tap("Accept", "Reject")
    assert ui.sees("Enter 11?")
    assert not ui.sees("Found on the board")
    ui.tap("Undo", "Undo", "2 findings to answer", "Reject", "Reject")
    assert ui.sees("Enter 3?")
    ui.tap("Enter 3")
    assert trials_of(ui).runs[27][1].total == 3
    assert [one.act.accepted for one in trials_of(ui).signed if hasattr(one.act, "accepted")] == [False, False]


def test_the_findings_give_way_to_the_times_and_a_row_chooses_one(ui: Ui) -> None:
    follow(ui)
    ui.tap("Clock", "Stop", "Show 2")
    assert ui.sees("Found on the board", "Throw 3: 4 overshot")
    ui.tap("Times")
    assert ui.sees("Ahead by")
    ui.tap("Show 2", "Not over the line", "Reject")
    assert ui.sees("Throw 3: 4 overshot")
    assert not ui.sees("Not over the line")


@pytest.mark.article("competition", "1-1-8")
def test_a_lap_that_was_not_over_the_line_is_driven_again(ui: Ui) -> None:
    follow(ui)
    ui.tap("Clock", "Stop", "2 findings to answer", "Reject", "Accept")
    assert ui.sees("Drive again?")
    ui.tap("Drive again")
    assert ui.sees("Keller", "Which tyres?")
    assert trials_of(ui).signed[-1].act.why == "Not over the line"


@pytest.mark.parametrize(("panel", "lang"), [(0, "en"), (0, "fr"), (1, "fr")])
def test_a_lap_is_told_from_the_best_that_dice_allow(
    rig: Rig, folder: Path, monkeypatch: pytest.MonkeyPatch, panel: int, lang: str
) -> None:
    """It is worked out apart while the clock runs, and told once the lap is over and it is there."""

    class Best:
        throws = 18.4

    best, worked = list[Any](), list[Any]()
    monkeypatch.setattr(lap, "lap_at_hand", lambda *_: best[0] if best else None)
    rig.window(*PANELS[panel])
    ui = at_trials(rig, folder, language=lang)
    monkeypatch.setattr(ui.app.analysing, "work", lambda key, _: worked.append(key[-2:]))
    try:
        say = theme.words.screen
        ui.tap(capital(theme.words.word("tyres", "soft")), say("trial.key_start"))
        for _ in range(19):
            ui.app.press("next")
            ui.calm()
        ui.tap(say("trial.key_stop"))
        assert set(worked) == {("soft", "dry")}
        told = {"en": "Dice allow 18.4: +0.6", "fr": "Les dés donnent 18,4\u00a0: +0,6"}[lang]
        assert not ui.sees(told)
        best.append(Best())
        ui.app.analysing.on_news()
        ui.calm()
        assert ui.sees(told)
        ui.audit_both()
    finally:
        ui.close()


@pytest.mark.article("competition", "1-1-10", "1-2-2")
@pytest.mark.article("formula-d", "option.trial")
@pytest.mark.parametrize("rulebook", ["competition", "formula-d"])
def test_a_space_is_a_throw_unless_one_was_tapped_for_it(rig: Rig, tmp_path: Path, rulebook: str) -> None:
    drivers = tuple(TrialDriver(number=n, name=name) for n, name, *_ in DRIVERS[:2])
    opened = TrialsOpened(name="Club", track="monaco", drivers=drivers, rulebook=rulebook)
    with TrialDesk.begin(tmp_path, opened) as desk:
        if rulebook == "competition":
            desk.sky("sun")
    ui = at_trials(rig, tmp_path)
    try:
        ui.tap(*(["Hard"] if rulebook == "competition" else []), "Start", "Board")
        ui.tap(space="0:middle:1")
        ui.tap("2nd")
        ui.tap(space="0:middle:5")
        ui.tap("Clock")
        assert ui.sees("2", "throws")
        ui.tap(THROW)
        assert ui.sees("3", "throws"), "the two before it are not forgotten"
        ui.tap("Board", "3rd")
        ui.tap(space="2:right:4")
        ui.tap("Clock", "Stop")
        assert ui.sees("Followed to throw 3:")
        trial = trials_of(ui).trial
        assert trial is not None
        assert trial.throw_count == 3
    finally:
        ui.close()


def begun_trials(folder: Path, rulebook: str, variants: tuple[str, ...] = (), sessions: int = 1) -> None:
    """Trials of two drivers by a rulebook, in the competition under the sun."""
    drivers = tuple(TrialDriver(number=n, name=name) for n, name, *_ in DRIVERS[:2])
    opened = TrialsOpened(
        name="Club", track="monaco", drivers=drivers, rulebook=rulebook, variants=variants, sessions=sessions
    )
    with TrialDesk.begin(folder, opened) as desk:
        if rulebook == "competition":
            desk.sky("sun")


@pytest.mark.article("competition", "1-1-9", "1-1-14")
@pytest.mark.article("formula-d", "option.trial-out")
@pytest.mark.parametrize("rulebook", ["competition", "formula-d"])
def test_who_is_last_is_not_changed_by_counts_but_drives_again(
    panel: Rig, tmp_path: Path, rulebook: str, language: str
) -> None:
    begun_trials(tmp_path, rulebook)
    ui = at_trials(panel, tmp_path, language=language)
    say = theme.words.screen
    start = (
        *([capital(theme.words.word("tyres", "hard"))] if rulebook == "competition" else []),
        say("trial.key_start"),
    )
    missed = say("trial.missed" if rulebook == "competition" else "trial.missed_box")
    try:
        ui.tap(*start, say("trial.key_throw"), missed, say("trial.missed_act"), say("trial.key_dispute"))
        assert not ui.offers(say("trial.key_change"))
        ui.audit_both()
        ui.tap(say("trial.key_again"))
        assert trials_of(ui).signed[-1].act.why == say("trial.change_why")
        ui.tap(*start, say("trial.key_throw"), missed, say("trial.missed_act"), say("trial.key_dispute"))
        ui.tap(say("trial.key_uphold"), say("trial.key_enter_last"))
        assert trials_of(ui).runs[14][1].last
    finally:
        ui.close()


@pytest.mark.article("formula-d", "option.trial")
def test_by_the_box_no_misplaced_car_is_asked_for(panel: Rig, tmp_path: Path) -> None:
    begun_trials(tmp_path, "formula-d")
    ui = at_trials(panel, tmp_path)
    try:
        ui.tap("Start", THROW, "Stop", "Dispute", "Change")
        assert not ui.sees("misplaced")
        ui.audit_both()
        ui.tap(icon="plus", beside="throws")
        ui.tap("Change to 2", "Enter 2", "From paper")
        assert ui.sees("Throws", "No stop made")
        assert not ui.sees("Misplaced")
        assert not ui.sees("Two stops missed")
        ui.audit_both()
    finally:
        ui.close()


@pytest.mark.article("competition", "1-0-3")
@pytest.mark.article("formula-d", "option.weather")
@pytest.mark.parametrize("rulebook", ["competition", "formula-d"])
def test_the_sky_stands_with_each_trial_and_with_the_times_where_one_is_drawn(
    panel: Rig, tmp_path: Path, rulebook: str, language: str
) -> None:
    drivers = tuple(TrialDriver(number=n, name=name) for n, name, *_ in DRIVERS[:1])
    variants = ("weather", "tyres") if rulebook == "formula-d" else ()
    opened = TrialsOpened(
        name="Club", track="monaco", drivers=drivers, rulebook=rulebook, variants=variants, sessions=2
    )
    TrialDesk.begin(tmp_path, opened).close()
    ui = at_trials(panel, tmp_path, language=language)
    words, say = theme.words, theme.words.screen
    try:
        for sky in ("rain", "sun"):
            ui.tap(capital(words.word("sky", sky)))
            assert ui.sees(
                capital(words.word("sky", sky)), capital(words.word("surface", "wet" if sky == "rain" else "dry"))
            )
            ui.tap(
                capital(words.word("tyres", "soft")),
                say("trial.key_start"),
                say("trial.key_throw"),
                say("trial.key_stop"),
            )
            ui.tap(say("trial.key_enter", sum=1))
        for session, sky in enumerate(("rain", "sun"), 1):
            assert ui.sees(words.say("org_sky", session=session, sky=sky, face=0))
        ui.audit_both()
    finally:
        ui.close()


@pytest.mark.article("formula-d", "option.weather")
def test_by_the_box_without_weather_no_sky_is_shown(rig: Rig, tmp_path: Path) -> None:
    begun_trials(tmp_path, "formula-d")
    ui = at_trials(rig, tmp_path)
    try:
        assert ui.offers("Start")
        for key in ("Start", THROW, "Stop", "Enter 1", "Start", THROW, "Stop", "Enter 1"):
            assert not ui.sees("Sun")
            assert not ui.sees("Dry")
            ui.tap(key)
        assert ui.sees("All have driven")
        assert not ui.sees("Session 1: sun")
    finally:
        ui.close()


@pytest.mark.article("competition", "1-1-9")
def test_who_is_still_disputed_is_told_once_all_have_driven(panel: Rig, tmp_path: Path, language: str) -> None:
    begun_trials(tmp_path, "competition")
    ui = at_trials(panel, tmp_path, language=language)
    say = theme.words.screen
    try:
        for ends in ([say("trial.key_dispute"), say("trial.key_later")], [say("trial.key_enter", sum=1)]):
            ui.tap(capital(theme.words.word("tyres", "hard")), say("trial.key_start"), say("trial.key_throw"))
            ui.tap(say("trial.key_stop"), *ends)
        assert ui.sees({"en": "Disputed: 14 Vidal", "fr": "Contesté\u00a0: 14 Vidal"}[language])
        ui.audit_both()
    finally:
        ui.close()
