"""Trials typed from paper by touch, and put right with a reason; the steward of a table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.desk.record_desk import RecordDesk
from companion.screens.kit.theme import theme
from companion.tournament.entrants import Entered, Entrant, Here
from companion.tournament.tournament import Tournament
from tests.screens.rig import Rig
from tests.screens.test_tournament import begun, record
from tests.screens.test_trial import THROW, at_trials, trials_of
from tests.screens.test_trial import folder as trials
from tests.screens.ui import Ui

folder = trials


@pytest.fixture
def trial(rig: Rig, folder: Path) -> Iterator[Ui]:
    """A person at the trials."""
    made = at_trials(rig, folder)
    yield made
    made.close()


@pytest.fixture
def ui(trial: Ui) -> Ui:
    """A person at the page where trials are typed from paper."""
    trial.tap("From paper")
    return trial


def stepped(ui: Ui, **counts: int) -> None:
    for label, times in counts.items():
        for _ in range(times):
            ui.tap(icon="plus", beside=label.replace("_", " "))


@pytest.mark.article("competition", "1-1-10", "1-1-11", "1-1-12", "1-1-13", "1-3-1")
def test_a_trial_is_typed_from_paper(ui: Ui) -> None:
    """Three throws, two spaces at two, one misplacement, two whole minutes: 19."""
    assert ui.sees("Trial from paper", "27 Keller, session 1")
    stepped(ui, Throws=3, Spaces_overshot=2, Each_costs=1, Misplaced=1)
    assert ui.sees("throws and clock")
    ui.write("Clock, such as", "2:05.30")
    ui.tap("Enter 19")
    assert trials_of(ui).runs[27][1].total == 19
    assert trials_of(ui).runs[27][1].clock == 12530
    assert ui.sees("throws and clock"), "the next one begins afresh"
    ui.tap("Undo")
    assert not trials_of(ui).runs[27]


def test_a_time_that_is_there_is_changed_with_a_reason(ui: Ui) -> None:
    ui.tap("7 Brun")
    assert ui.sees("a change needs a reason")
    stepped(ui, Throws=2)
    ui.write("Clock, such as", "1:01.50")
    before = trials_of(ui).runs[7][1]
    ui.tap("Enter 3")
    assert trials_of(ui).runs[7][1] == before, "not without a reason"
    ui.tap("Misread")
    assert (trials_of(ui).runs[7][1].total, trials_of(ui).log[-1].act.why) == (3, "Misread")
    ui.tap("42 Graf")
    ui.tap("Two stops missed")
    ui.tap("Enter last")
    assert trials_of(ui).runs[42][1].last


def test_a_clock_of_61_seconds_is_one_sentence_and_changes_nothing(ui: Ui) -> None:
    before = len(trials_of(ui).log)
    stepped(ui, Throws=1)
    ui.write("Clock, such as", "1:61")
    ui.tap("throws and clock")
    assert ui.sees("1:61 has 61 seconds")
    assert len(trials_of(ui).log) == before


def test_trials_have_a_menu_and_a_history_of_their_own(trial: Ui) -> None:
    """It names no tables and no new event: those are of a tournament or a season."""
    trial.hold("Undo")
    assert trial.sees("History")
    trial.tap(icon="menu")
    assert trial.sees("Organiser")
    assert not trial.sees("New tournament")
    trial.audit()


@pytest.mark.parametrize(("lang", "said"), [("en", "Undo"), ("fr", "Annulation")])
def test_the_history_of_trials_has_what_was_taken_back(trial: Ui, lang: str, said: str) -> None:
    trial.tap("Soft", "Start", THROW, "Undo")
    trial.app.choose(language=lang)
    trial.calm()
    trial.hold(theme.say("undo"))
    assert trial.sees(said)


@pytest.mark.article("competition", "2-0-2")
def test_the_steward_of_a_table_is_named_by_touch(rig: Rig, tmp_path: Path) -> None:
    """Nobody is the steward of two tables."""
    begun(tmp_path / "other", seeded=True, published=True)
    ui = Ui(rig, tmp_path / "other")
    try:
        for table, name in (("1.1", "Maes"), ("1.2", "maes")):
            ui.app.go("table_result", table=table)
            ui.calm()
            ui.tap("No steward")
            ui.type(name)
            assert record(ui.folder).stewards == {"1.1": "Maes"}
            assert ui.sees("steward of 1.1 already") == (table == "1.2")
            if table == "1.1":
                ui.audit()
                ui.tap("Maes")
                assert ui.written("Steward") == "Maes", "to be put right"
                ui.back()
        assert not ui.sees(theme.words.screen("table.late"))
    finally:
        ui.close()


@pytest.mark.article("competition", "1-3-2")
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_who_comes_late_is_seated_by_touch(rig: Rig, tmp_path: Path, lang: str) -> None:
    folder = tmp_path / "other"
    begun(folder, seeded=True, published=True)
    with RecordDesk.resume(folder, Tournament) as desk:
        desk.act(Entered(entrants=(Entrant(97, "Latecomer"),)), by="Ada")
        desk.act(Here(numbers=(97,)), by="Ada")
        before = desk.record.seated("1.1")
    ui = Ui(rig, folder, language=lang)
    try:
        ui.app.go("table_result", table="1.1")
        ui.calm()
        ui.audit()
        assert ui.sees(theme.words.screen("table.late"))
        ui.tap("97 Latecomer")
        ui.audit()
        ui.tap(theme.words.screen("table.late_reason.came"))
        assert record(folder).seated("1.1") == (*before, 97)
        assert not ui.sees(theme.words.screen("table.late"))
        assert "Latecomer" in ui.lines()
    finally:
        ui.close()
