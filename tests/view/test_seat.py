"""The seat: what is meant returns at once, and whatever goes wrong comes as a picture while the race stays."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import Any

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.errors import NotSaved
from companion.rules.rulebooks import begin
from companion.screens.app import seat
from companion.sheets.log import Log
from companion.sheets.place import DATABASE
from tests.view.watched import Watched, a_desk

ALONE: dict[str, Any] = {
    "cars": [
        {"car": 3, "driver": "Ada", "at": "3:left:2", "gear": 1, "lap": 1, "status": "racing", "tyres": "hard",
         "wear": {"tyres": 6, "brakes": 0, "gearbox": 3, "body": 3, "engine": 3, "handling": 2}},
    ],
    "to_play": [3],
}  # fmt: skip


def drive(table: Watched, until: str, seed: int = 1) -> None:
    """Plays on until a kind of question is open."""
    driver = HeuristicDriver(circuits.load("monaco"), seed)
    while table.prompt.ask != until:
        asked = table.desk.asked
        assert asked is not None
        table.answer(driver.answer(asked, table.desk.rulebook.race))


def test_a_refused_answer_comes_back_as_one_sentence() -> None:
    table = Watched(a_desk, lang="fr")
    drive(table, "roll")
    prompt = table.prompt
    shown = table.answer(40)
    assert shown.prompt == prompt
    assert shown.toast is not None
    assert shown.toast.tone == "bad"
    assert "40" in shown.toast.text
    assert "dé" in shown.toast.text
    table.seat.close()


def test_an_answer_to_a_question_that_is_closed_is_refused() -> None:
    """A double tap cannot answer the next question, whatever the screen lets through."""
    table = Watched(a_desk)
    drive(table, "gear")
    n = table.prompt.n
    table.seat.answer(n, table.prompt.keys[0].answer)
    table.seat.answer(n, table.prompt.keys[0].answer)
    shown = table.wait()
    assert table.desk.n == n + 1
    assert shown.toast is not None
    assert str(n) in shown.toast.text
    table.seat.close()


def test_an_answer_brings_one_picture_with_its_prices() -> None:
    """To look ahead takes less time than to draw a screen, so that nothing is shown without its prices first."""
    table = Watched(a_desk)
    drive(table, "gear")
    gear = table.prompt.keys[0].answer
    count = len(table.shown)
    table.answer(gear)
    (shown,) = table.shown[count:]
    assert shown.prompt.ask == "roll"
    assert all(key.prices for key in shown.prompt.keys)
    assert shown.board.spaces
    table.seat.close()


def test_prices_are_shown_as_the_table_wants_them() -> None:
    table = Watched(a_desk)
    drive(table, "roll")
    assert any(key.prices for key in table.prompt.keys)
    table.seat.price("after")
    assert not any(key.prices for key in table.wait().prompt.keys)
    assert not table.last.board.spaces
    drive(table, "landing")
    assert any(key.prices for key in table.prompt.keys)
    table.seat.price("never")
    assert not any(key.prices for key in table.wait().prompt.keys)
    table.seat.close()


def test_a_single_free_landing_is_taken_by_itself_and_not_again_after_an_undo() -> None:
    table = Watched(lambda: a_desk(**ALONE))
    assert table.prompt.ask == "gear"
    table.answer(1)
    assert table.prompt.ask == "roll"
    only = [face for face in (1, 2) if len(options_of(table, face)) == 1]
    if not only:
        pytest.fail("this place has more than one way on by either face")
    shown = table.answer(only[0])
    assert shown.prompt.ask != "landing"
    assert shown.toast is not None
    assert shown.toast.tone == "ok"
    assert shown.board.path
    table.seat.undo()
    shown = table.wait()
    assert shown.prompt.ask == "roll"
    assert shown.toast is not None
    assert str(only[0]) in shown.toast.text
    assert shown.prompt.redo.label == f"Roll {only[0]}"
    table.seat.redo()
    assert table.wait().prompt.ask != "landing"
    table.seat.close()


def options_of(table: Watched, face: int) -> list[Any]:
    """The landings of a face, tried on a copy."""
    desk = table.desk
    talk = desk.conversation.fork(desk.rulebook.clone(), desk.n)
    talk.answer(face)
    return (talk.asked.options or []) if talk.asked is not None else []


def test_a_costly_answer_is_shown_by_its_card_before_it_is_accepted() -> None:
    table = Watched(a_desk)
    driver = HeuristicDriver(circuits.load("monaco"), 1)
    while not (table.prompt.layout == "landing" and any(key.accept for key in table.prompt.keys)):
        asked = table.desk.asked
        assert asked is not None
        table.answer(driver.answer(asked, table.desk.rulebook.race))
    seq = table.desk.seq
    key = next(key for key in table.prompt.keys if key.accept)
    table.seat.select(key.answer)
    shown = table.wait()
    assert table.desk.seq == seq
    assert shown.prompt.keys[shown.prompt.chosen] == key
    card = shown.card
    assert card is not None
    assert card.seq == 0
    assert card.accept
    assert key.label in card.act
    assert shown.dashboard is not None
    lost = {loss.pool: loss.before - loss.after for loss in card.losses}
    assert {column.pool: column.cost for column in shown.dashboard.columns if column.cost} == lost
    assert [mark.text for mark in shown.board.spaces if mark.state == "chosen"] == [key.label]
    wear = {car.number: dict(car.wear) for car in table.desk.rulebook.race.cars}
    number = table.prompt.plate.number if table.prompt.plate is not None else 0
    shown = table.answer(key.answer)
    now = {car.number: car.wear for car in table.desk.rulebook.race.cars}[number]
    assert {pool: wear[number][pool] - now[pool] for pool in lost} == lost
    assert shown.card is None or shown.card.seq == 0
    table.seat.close()


def test_what_the_dice_took_is_shown_with_the_entry_that_can_be_disputed() -> None:
    table = Watched(a_desk)
    drive(table, "test")
    while (asked := table.desk.asked) is not None:
        if asked.what == "collision":
            break
        drive(table, "test", asked.n)
        table.answer(20)
    number = asked.car if asked is not None else None
    shown = table.answer(1)
    assert shown.card is not None
    assert shown.card.seq == table.desk.seq
    assert shown.card.losses[0].pool == "body"
    assert shown.toast is None
    table.seat.dispute("it was a 2", shown.card.seq)
    shown = table.wait()
    assert [mark.icon for mark in shown.top.marks] == ["flag"]
    assert shown.card is not None
    assert shown.card.seq == table.desk.seq - 1
    table.seat.speak("fr")
    card = table.wait().card
    assert card is not None
    assert card.title.startswith("Accrochage")
    assert number is not None
    table.seat.close()


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether the disk is full."""
    told, commit = [False], Log.commit

    def refuse(log: Log, writes: Any) -> None:
        if told[0]:
            raise NotSaved("full", path="here")
        commit(log, writes)

    monkeypatch.setattr(Log, "commit", refuse)
    return told


def on_disk(folder: Path) -> RaceDesk:
    """A race of one car that is kept in a folder."""
    setup = {"track": "monaco", **ALONE}
    text = circuits.find("monaco").read_text(encoding="utf-8")
    return RaceDesk.begin(begin(setup, circuits.load("monaco")), setup=setup, track=text, folder=folder)


def test_a_full_disk_is_a_question(tmp_path: Path, full: list[bool]) -> None:
    table = Watched(lambda: on_disk(tmp_path))
    full[0] = True
    shown = table.answer(1)
    assert [key.answer for key in shown.prompt.keys] == ["stop", "memory"]
    assert table.answer("stop").prompt.ask == "gear"
    assert table.left == 1
    table.answer(1)
    shown = table.answer("memory")
    assert shown.prompt.ask == "roll"
    assert [mark.icon for mark in shown.top.marks] == ["storage"]
    full[0] = False
    table.seat.save()
    assert not table.wait().top.marks
    table.seat.close()


def test_a_database_that_is_gone_is_a_question_and_then_the_race_is_written_anew(tmp_path: Path) -> None:
    table = Watched(lambda: on_disk(tmp_path))
    table.answer(1)
    (tmp_path / DATABASE).unlink()
    shown = table.answer(1)
    assert shown.prompt.title == "Races’ file gone: go on?"
    assert [key.answer for key in shown.prompt.keys] == ["stop", "memory"]
    shown = table.answer("memory")
    assert shown.toast is not None
    assert (shown.toast.text, shown.top.marks) == ("All answers are on the disk again", ())
    n = shown.prompt.n
    table.seat.close()
    with RaceDesk.resume(tmp_path) as desk:
        assert desk.n == n


def test_the_question_of_a_full_disk_hears_no_answer_meant_for_the_one_before(tmp_path: Path, full: list[bool]) -> None:
    table = Watched(lambda: on_disk(tmp_path))
    full[0] = True
    n = table.prompt.n
    table.seat.answer(n, 1)
    table.seat.answer(n, 1)
    assert table.wait().prompt.ask == "disk_full"
    assert table.left == 0
    assert table.answer("memory").prompt.ask == "roll"
    table.seat.close()


def test_a_disk_with_room_again_ends_its_question(tmp_path: Path, full: list[bool]) -> None:
    table = Watched(lambda: on_disk(tmp_path))
    n = table.prompt.n
    table.answer(1)
    full[0] = True
    assert table.answer(1).prompt.ask == "disk_full"
    full[0] = False
    table.seat.undo()
    shown = table.wait()
    assert (shown.prompt.ask, shown.prompt.n) == ("gear", n)
    assert not table.desk.unsaved
    table.seat.close()


def test_on_a_full_disk_an_answer_keeps_its_dispute(tmp_path: Path, full: list[bool]) -> None:
    table = Watched(lambda: on_disk(tmp_path))
    full[0] = True
    table.answer(1, dispute="it was cocked")
    table.answer("memory")
    assert [why for _, why in table.desk.open_disputes()] == ["it was cocked"]
    assert table.desk.history.items[-1].seq == table.desk.open_disputes()[0][0]
    table.seat.close()


def test_the_last_ruling_in_force_is_disputed_whatever_was_said_since() -> None:
    table = Watched(a_desk)
    drive(table, "roll")
    table.seat.note("pizza at eight")
    table.seat.dispute("not so")
    table.wait()
    about = table.desk.history.items[-1].seq
    assert table.desk.open_disputes() == [(about, "not so")]
    table.seat.undo()
    table.seat.dispute("nor this")
    table.wait()
    assert table.desk.open_disputes() == [(table.desk.history.items[-1].seq, "nor this")]
    table.seat.dispute("what was taken back", about)
    toast = table.wait().toast
    assert toast is not None
    assert str(about) in toast.text
    assert toast.tone == "bad"
    table.seat.close()


def test_a_failure_of_the_program_is_one_sentence_and_the_race_stays(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = Watched(a_desk)
    drive(table, "gear")
    n = table.desk.n

    def fail(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("a bug")

    with monkeypatch.context() as patched:
        patched.setattr(RaceDesk, "answer", fail)
        shown = table.answer(1)
    assert shown.toast is not None
    assert shown.toast.tone == "bad"
    assert "a bug" in caplog.text
    assert shown.prompt.n == n
    assert table.answer(1).prompt.n == n + 1
    table.seat.close()


def test_the_language_changes_in_the_middle_of_a_race() -> None:
    table = Watched(a_desk)
    drive(table, "gear")
    assert table.prompt.title == "Choose a gear"
    table.seat.speak("fr")
    assert table.wait().prompt.title == "Choisissez la vitesse"
    table.seat.close()


def test_the_referees_word_is_an_intent_like_any_other() -> None:
    table = Watched(a_desk)
    drive(table, "gear")
    car = table.prompt.plate.number if table.prompt.plate is not None else 0
    table.seat.override({"car": car, "wear": {"tyres": 1}}, by="Eva", why="counted again")
    shown = table.wait()
    assert shown.dashboard is not None
    assert shown.dashboard.columns[0].left == 1
    assert shown.prompt.undo.label == "Override"
    table.seat.override({"car": car, "wear": {"tyres": 2}}, by="", why="")
    toast = table.wait().toast
    assert toast is not None
    assert toast.tone == "bad"
    table.seat.force(table.prompt.n, 6, by="Eva", why="the stick says so")
    assert table.wait().prompt.title == "Roll 6th gear"
    seq = table.desk.history.items[-1].seq
    table.seat.correct(seq, 1)
    assert table.wait().prompt.title == "Roll 1st gear"
    table.seat.note("nobody saw it")
    assert table.wait().toast is not None
    table.seat.close()


def test_the_die_roller_answers_or_its_roll_waits_for_its_question() -> None:
    table = Watched(a_desk)
    drive(table, "gear")
    table.seat.rolled(30)
    shown = table.wait()
    assert shown.prompt.ask == "gear"
    gears = [key.answer for key in shown.prompt.keys if not key.why]
    drive(table, "roll")
    assert table.prompt.chosen == -1
    face = table.prompt.keys[0].answer
    table.seat.undo()
    table.seat.rolled(face)
    table.wait()
    shown = table.answer(gears[0])
    assert shown.prompt.ask == "roll"
    chosen = shown.prompt.keys[shown.prompt.chosen]
    assert shown.prompt.chosen >= 0
    assert chosen.answer == face
    table.seat.rolled(face)
    assert table.wait().prompt.ask != "roll"
    assert table.desk.history.items[-1].by in ("roller", "program")
    table.seat.close()


def test_what_is_meant_returns_at_once() -> None:
    """While the desk is busy hands go on, and what they meant is done in its order."""
    table = Watched(a_desk)
    drive(table, "gear")
    n = table.desk.n
    busy = Event()
    table.seat.see(lambda desk, words: busy.wait(10))
    table.seat.answer(n, table.prompt.keys[0].answer)
    table.seat.undo()
    assert table.desk.n == n
    busy.set()
    assert table.wait().prompt.n == n
    assert table.last.prompt.redo.label
    table.seat.close()


def test_a_picture_that_cannot_be_made_is_said_on_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Watched(a_desk)
    drive(table, "gear")
    prompt = table.prompt

    def fail(*_: Any) -> None:
        raise KeyError("a bug of the screens")

    with monkeypatch.context() as patched:
        patched.setattr(seat, "race_at_table", fail)
        shown = table.answer(1)
    assert shown.prompt == prompt
    assert shown.toast is not None
    assert shown.toast.tone == "bad"
    table.seat.speak("fr")
    assert table.wait().prompt.n == prompt.n + 1
    table.seat.close()


def test_a_lost_test_is_still_told_while_the_safe_ones_after_it_are_rolled() -> None:
    """Its card stays until something else than a test is answered; the toast tells of the last one."""
    table = Watched(a_desk)
    driver = HeuristicDriver(circuits.load("monaco"), 3)
    while True:
        drive(table, "test", seed=3)
        lost = table.answer(1).card
        if lost is not None and lost.seq and table.prompt.ask == "test":
            break
    shown = table.answer(20)
    assert shown.card == lost
    while table.prompt.ask == "test":
        table.answer(20)
    asked = table.desk.asked
    assert asked is not None
    shown = table.answer(driver.answer(asked, table.desk.rulebook.race))
    assert shown.card != lost
    table.seat.close()
