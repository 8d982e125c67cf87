"""A desk that answers late: what is confirmed is what was highlighted, and a second tap does nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from companion.desk import RaceDesk
from companion.desk.organising import begin_season
from companion.desk.trial_desk import TrialDesk
from companion.drivers import hint
from companion.rules.conversation.asking import Asked, Json
from companion.screens.kit.touch import ears
from companion.sheets import entrants
from companion.tournament.entrants import Entered, Entrant
from companion.tournament.season import SeasonBegun, Stage
from companion.tournament.times import AbsoluteTime
from companion.tournament.trials import TrialDriver, TrialsOpened
from tests.screens.rig import Rig
from tests.screens.table import Table, driver_on, skip
from tests.screens.ui import Ui


class Slow:
    """A table whose desk is held up now and then; what is touched meanwhile waits for it."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @contextmanager
    def desk(self) -> Iterator[None]:
        """Holds up the desk until the end of the block; then all that was meant is done and seen."""
        go, table = Event(), self.table
        assert table.app.playing.seat is not None
        table.app.playing.seat.see(lambda *_: go.wait(60))
        try:
            yield
        finally:
            go.set()
        table.calm()

    def press(self, *names: str) -> None:
        """Presses buttons beside the screen, one after the other."""
        for name in names:
            self.table.app.press(name)
            self.table.rig.settle(2)

    def tap(self, *words: str) -> None:
        """Tap what a person reads, one after the other, without waiting for what comes of it."""
        for place in [self.table.ui.where(one) for one in words]:
            ears.listen()
            self.table.rig.tap(*place)

    def answers(self) -> list[Json]:
        answers: list[Json] = self.table.see(lambda desk: [item.event.answer for item in desk.history.items])
        return answers

    @property
    def highlighted(self) -> Json:
        """The answer whose key is seen as selected."""
        (label,) = self.table.selected()
        return next(key.answer for key in self.table.prompt.keys if key.label == label)


@pytest.fixture
def slow(table: Table) -> Slow:
    return Slow(table)


def to(slow: Slow, ask: str) -> None:
    """Goes on to a question with four answers or more."""

    def there(asked: Asked) -> bool:
        return asked.ask == ask and len(asked.options or asked.faces or ()) > 3

    skip(slow.table, driver_on(), there)


@pytest.mark.parametrize("ask", ["gear", "landing", "roll"])
def test_confirm_gives_what_was_moved_to_however_late_the_desk_is(slow: Slow, ask: str) -> None:
    """Confirm that comes before the picture waits for it, and another press of it gives nothing else."""
    to(slow, ask)
    before, chosen = slow.answers(), slow.table.prompt.chosen
    allowed = [key for key in slow.table.prompt.keys[chosen + 1 :] if not key.why]
    ups, meant = next((at, key.answer) for at, key in enumerate(allowed, 1) if at > 1 and not key.accept)
    with slow.desk():
        slow.press(*["up"] * ups, "confirm", "confirm")
    slow.table.calm()
    assert slow.answers()[: len(before) + 1] == [*before, meant]
    assert slow.table.prompt.ask != ask


def test_confirm_accepts_no_ruling_that_was_not_seen(slow: Slow) -> None:
    """The last space costs something: pressed again with its ruling on the screen, Confirm drives there."""
    to(slow, "landing")
    before = slow.answers()
    with slow.desk():
        slow.press("last", "confirm")
    slow.table.calm()
    assert slow.answers() == before
    seen = slow.highlighted
    slow.press("confirm")
    slow.table.calm()
    assert slow.answers()[len(before)] == seen


def test_what_the_die_roller_moves_to_is_not_confirmed_by_an_earlier_press(slow: Slow) -> None:
    """Something was taken back, so that a roll is offered: it selects its face while Confirm waits for another one."""
    to(slow, "roll")
    table = slow.table
    seat = table.app.playing.seat
    assert seat is not None
    first, *_, last = (key.answer for key in table.prompt.keys)
    seat.answer(table.prompt.n, first)
    seat.undo()
    table.calm()
    before = slow.answers()
    assert isinstance(last, int)
    with slow.desk():
        slow.press("first", "confirm")
        seat.rolled(last)
    assert (slow.answers(), slow.highlighted) == (before, last)


def test_moving_goes_on_from_what_was_moved_to_whatever_else_is_shown_meanwhile(slow: Slow) -> None:
    """A picture of something else, as of the odds, takes nothing back of what buttons have moved."""
    to(slow, "roll")
    seat = slow.table.app.playing.seat
    assert seat is not None
    with slow.desk():
        seat.price("never")
        slow.press("up")
        assert len(slow.table.selected()) == 1, "it is seen before the desk knows of it"
    once = slow.table.prompt.chosen
    go, held = Event(), Event()
    seat.see(lambda *_: go.wait(60))
    seat.price("always")
    seat.see(lambda *_: held.wait(60))
    slow.press("up")
    go.set()
    slow.table.rig.until(lambda: any(key.prices for key in slow.table.prompt.keys))
    slow.press("up")
    held.set()
    slow.table.calm()
    assert slow.table.prompt.chosen == once + 2


def test_a_selection_that_comes_late_is_not_one_of_the_next_question(slow: Slow) -> None:
    """A gear is selected a moment after another one was given: no face of that number is selected of the die."""
    to(slow, "gear")
    table = slow.table
    free = next(key for key in table.prompt.keys if not key.why and not key.accept)
    with slow.desk():
        slow.tap(free.label)
        slow.press("up", "up", "confirm")
    assert (table.prompt.ask, table.prompt.chosen) == ("roll", -1)


def test_accept_waits_for_the_space_that_was_touched_last(slow: Slow) -> None:
    """One space has been selected, and another one touched a moment ago: Accept drives to neither of them yet."""
    to(slow, "landing")
    table, before = slow.table, slow.answers()
    costly = [key.label for key in table.prompt.keys if key.accept][:2]
    one, other = costly
    slow.tap(one)
    table.calm()
    assert slow.highlighted == next(key.answer for key in table.prompt.keys if key.label == one)
    with slow.desk():
        slow.tap(other, "Accept")
    with slow.desk():
        slow.tap(one, other)
    assert slow.answers() == before
    seen = slow.highlighted
    slow.tap("Accept")
    table.calm()
    assert slow.answers()[len(before)] == seen


@pytest.mark.parametrize("by", ["finger", "button", "finger in the history"])
def test_two_taps_on_undo_take_back_one_answer(slow: Slow, by: str) -> None:
    to(slow, "landing")
    table, before = slow.table, slow.answers()
    if "history" in by:
        table.app.go("history")
        table.calm()
    with slow.desk():
        if "finger" in by:
            slow.tap("Undo", "Undo")
        else:
            slow.press("undo", "undo")
    assert slow.answers() == before[:-1]
    if "history" not in by:  # there the button goes back
        slow.press("undo")
        table.calm()
        assert slow.answers() == before[:-2]


def test_undo_takes_back_what_its_key_names_or_nothing(slow: Slow) -> None:
    """A phone or the die-roller has answered meanwhile: its answer is not what the key named."""
    to(slow, "roll")
    table, before = slow.table, slow.answers()
    seat = table.app.playing.seat
    assert seat is not None
    face = table.prompt.keys[0].answer
    with slow.desk():
        seat.act(lambda desk: desk.answer(face, n=desk.n, by="car 1"))
        slow.press("undo")
    assert slow.answers()[: len(before) + 1] == [*before, face]


def test_an_answer_is_for_the_question_that_was_seen(slow: Slow) -> None:
    """A phone goes back and answers otherwise: another question has the number of the one on the screen."""
    to(slow, "roll")
    table, before = slow.table, slow.answers()
    seat = table.app.playing.seat
    assert seat is not None

    def otherwise(desk: RaceDesk) -> None:
        desk.undo(by="car 1")
        assert desk.asked is not None
        other = next(one.answer for one in desk.asked.options or () if one.answer != before[-1])
        desk.answer(other, n=desk.n, by="car 1")

    with slow.desk():
        seat.act(otherwise)
        slow.press("up")
        slow.tap(table.prompt.keys[0].label)
    assert len(slow.answers()) == len(before)
    assert table.ui.sees("The question was asked anew meanwhile; look at it again.")


def test_the_builder_takes_back_one_answer_for_two_taps(at_race: Any) -> None:
    """Three cars are built; two taps a moment later lead back to the third alone."""
    table = at_race("spa", 5, lambda asked: (asked.ask, asked.car) == ("setup", 4), sky="sun")
    slow = Slow(table)
    before = slow.answers()
    table.ui.wait_for("Build cars", "Undo")
    with slow.desk():
        slow.tap("Undo", "Undo")
    assert slow.answers() == before[:-1]


def test_a_hint_that_comes_late_takes_no_later_selection_away(monkeypatch: pytest.MonkeyPatch, at_race: Any) -> None:
    """It is asked for twice by two taps, noted once, and whatever is selected after it stays selected."""
    monkeypatch.setattr(entrants, "HINTS", 3)
    monkeypatch.setattr(hint, "ready", lambda *_: True)
    monkeypatch.setattr(hint, "hint", lambda asked, book: hint.Hint(asked.options[0].answer, None, "cautious"))
    table = at_race(until=lambda asked: asked.ask == "gear", hints=[1, 2, 3])
    slow = Slow(table)
    with slow.desk():
        slow.tap("Hint", "Hint")
        slow.press("last")
    assert len(table.see(lambda desk: desk.history.said)) == 1
    allowed = [key.answer for key in table.prompt.keys if not key.why]
    assert slow.highlighted == allowed[-1]


def test_nothing_beneath_a_legend_is_confirmed(slow: Slow) -> None:
    """An explanation lies over the keys: no button means what cannot be seen."""
    to(slow, "gear")
    table, before = slow.table, slow.answers()
    slow.press("up")
    table.calm()
    table.ui.hold(table.prompt.keys[0].label)
    slow.press("confirm", "up")
    table.calm()
    assert slow.answers() == before
    slow.press("undo")
    table.calm()
    assert slow.answers() == before
    slow.press("confirm")
    table.calm()
    assert len(slow.answers()) == len(before) + 1


def a_season(folder: Path) -> str:
    desk = begin_season(folder, SeasonBegun(name="Thursdays", calendar=(Stage("monaco"),)), by="Weber")
    for number in (7, 14, 22):
        desk.act(Entered(entrants=(Entrant(number, f"Driver {number}"),)), by="Weber")
    desk.close()
    return "calendar"


def a_trial(folder: Path) -> str:
    drivers = tuple(TrialDriver(number=n, name=f"Driver {n}") for n in (7, 14))
    with TrialDesk.begin(folder, TrialsOpened(name="Masters", track="monaco", drivers=drivers, sessions=3)) as desk:
        desk.sky("sun", 15)
        desk.start(7, "soft")
        for _ in range(3):
            desk.tap("throw")
    return "trial"


def a_time(folder: Path) -> str:
    a_trial(folder)
    with TrialDesk.resume(folder) as desk:
        for session in (1, 2, 3):
            desk.typed(14, session, AbsoluteTime(18, 5890))
    return "timing"


@pytest.mark.parametrize("make", [a_season, a_trial, a_time])
def test_two_taps_on_undo_take_back_one_act_of_a_record(rig: Rig, tmp_path: Path, make: Callable[[Path], str]) -> None:
    """Of a season, of a trial that is driven, and of a time from paper."""
    name, ui = make(tmp_path), Ui(rig, tmp_path)
    ui.app.go(name)
    ui.calm()

    def acts() -> list[int]:
        found: list[list[int]] = []
        ui.app.recording.do(lambda desk: [one.seq for one in desk.record.signed], found.append)
        rig.until(lambda: found)
        return found[0]

    before, go = acts(), Event()
    undo = ui.where(icon="undo")
    ui.app.recording.do(lambda _: go.wait(60))
    for _ in range(2):
        rig.tap(*undo)
    go.set()
    assert acts() == before[:-1]
    ui.calm()
    ui.tap(icon="undo")
    assert acts() == before[:-2]
    ui.app.close()
