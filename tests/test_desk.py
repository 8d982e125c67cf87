"""The race desk: answers, undo and redo, corrections, the referee's word, notes; in memory and on a log."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.desk import DeskThread, EntryWritten, RaceDesk
from companion.rules.conversation.asking import Procedure, Ruling
from companion.rules.conversation.errors import (
    BadAnswer,
    BadOverride,
    CompanionError,
    NothingToDo,
    NotSaved,
    RulebookError,
)
from companion.rules.dice.state import RaceState
from tests.french import told_in_french
from tests.toy import SETUP, Toy, pick, toy

New = Callable[[], RaceDesk]


def on_disk(folder: Path) -> RaceDesk:
    return RaceDesk.begin(toy(), setup=SETUP, track="a toy", folder=folder, name="toy")


@pytest.fixture(params=["memory", "log"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    desk = RaceDesk(toy(), setup=SETUP) if request.param == "memory" else on_disk(tmp_path)
    yield desk
    desk.close()


def play(desk: RaceDesk, count: int, seed: int = 1, by: str = "table") -> None:
    rng = Random(seed)
    for _ in range(count):
        if desk.asked is None:
            return
        desk.answer(pick(desk.asked, rng), by=by)


def bytes_of(desk: RaceDesk) -> bytes:
    return desk.rulebook.save()


def turn(desk: RaceDesk, gear: int, face: int, spaces: int) -> None:
    for answer in (gear, face, spaces):
        desk.answer(answer)


def place_of(desk: RaceDesk, ask: str, car: int, round_: int) -> int:
    return next(d.n for d in desk.answers() if (d.ask, d.car, d.round) == (ask, car, round_))


# -- answers


def test_an_answer_is_ruled_on_and_the_next_question_asked(desk: RaceDesk) -> None:
    assert desk.asked is not None
    assert (desk.asked.ask, desk.asked.car, desk.n) == ("gear", 1, 0)
    assert desk.answer(2) == []
    assert desk.answer(6) == []
    (ruling,) = desk.answer(5)
    assert (ruling.kind, ruling.article, ruling.wear) == ("move", "7-1", {"brakes": -1})
    assert desk.n == 3
    assert desk.seq == 4  # the setup is the first entry


def test_what_is_ruled_before_the_first_question_is_kept_with_the_setup(desk: RaceDesk) -> None:
    assert [ruling.kind for ruling in desk.history.opening] == ["reminder"]
    assert desk.answer(1) == []


def test_a_bad_answer_changes_nothing(desk: RaceDesk) -> None:
    before, seq = bytes_of(desk), desk.seq
    for wrong in (7, True, "2", None, 1.0001):
        with pytest.raises(BadAnswer):
            desk.answer(wrong)
    assert (bytes_of(desk), desk.seq, desk.n) == (before, seq, 0)


def test_an_answer_to_a_question_that_is_no_longer_open_is_refused(desk: RaceDesk) -> None:
    desk.answer(2, n=0)
    with pytest.raises(BadAnswer, match="Question 0 is not open; the open one is 1"):
        desk.answer(2, n=0)
    with pytest.raises(BadAnswer, match="Question 7"):
        desk.answer(2, n=7)
    assert desk.n == 1


def test_a_rulebook_that_fails_leaves_the_race_before_the_answer(desk: RaceDesk) -> None:
    desk.answer(2)
    before, seq = bytes_of(desk), desk.seq
    desk.rulebook.fail_on = 4  # type: ignore[attr-defined]
    with pytest.raises(RulebookError, match="ZeroDivisionError"):
        desk.answer(4)
    assert (bytes_of(desk), desk.seq, desk.n) == (before, seq, 1)
    desk.answer(5)
    assert desk.asked is not None
    assert (desk.asked.ask, desk.asked.what, desk.n) == ("landing", "spaces_5", 2)


def test_options_are_not_made_unless_somebody_looks(desk: RaceDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests import toy as toys

    looked = []
    monkeypatch.setattr(toys.Pick, "options", lambda self: looked.append(self) or [])
    turn(desk, 2, 6, 6)
    assert not looked
    assert desk.asked is not None
    assert len(looked) == 1


def test_listeners_hear_of_every_entry_once_it_is_written_and_cannot_harm_it(desk: RaceDesk) -> None:
    heard: list[EntryWritten] = []

    def bad(told: EntryWritten) -> None:
        raise ValueError("not my day")

    desk.listen(bad)
    desk.listen(heard.append)
    turn(desk, 2, 6, 5)
    desk.undo()
    desk.redo()
    desk.note("rain is near")
    assert [told.kind for told in heard] == ["answer", "answer", "answer", "undo", "redo", "note"]
    assert [told.seq for told in heard] == [2, 3, 4, 5, 6, 7]
    assert heard[2].rulings[0].kind == "move"


# -- undo and redo


def test_undo_takes_back_one_answer_and_says_which(desk: RaceDesk) -> None:
    assert desk.undo_label() is None
    desk.answer(2)
    before = bytes_of(desk)
    desk.answer(6)
    label = desk.undo_label()
    assert label is not None
    assert (label.ask, label.car, label.answer, label.n) == ("roll", 1, 6, 1)
    (done,) = desk.undo()
    assert done == label
    assert bytes_of(desk) == before
    redo = desk.redo_label()
    assert redo is not None
    assert (redo.ask, redo.answer) == ("roll", 6)
    desk.redo()
    assert desk.redo_label() is None
    assert desk.undo_label() == label


def test_undo_of_everything_and_redo_of_everything(desk: RaceDesk) -> None:
    states = [bytes_of(desk)]
    rng = Random(4)
    while desk.asked is not None:
        desk.answer(pick(desk.asked, rng))
        states.append(bytes_of(desk))
    assert desk.over
    for state in reversed(states[:-1]):
        desk.undo()
        assert bytes_of(desk) == state
    with pytest.raises(NothingToDo):
        desk.undo()
    for state in states[1:]:
        desk.redo()
        assert bytes_of(desk) == state
    with pytest.raises(NothingToDo):
        desk.redo()
    desk.undo(len(states) - 1)
    assert bytes_of(desk) == states[0]
    desk.redo(len(states) - 1)
    assert bytes_of(desk) == states[-1]


def test_more_undos_than_there_are_are_refused_whole(desk: RaceDesk) -> None:
    turn(desk, 2, 6, 6)
    before = bytes_of(desk)
    for count, match in (
        (4, "Only 3 answers can be taken back, not 4"),
        (0, "At least 1 answer can be taken back, not 0"),
        (-1, "not -1"),
        (True, "not true"),
    ):
        with pytest.raises(NothingToDo, match=match) as caught:
            desk.undo(count)
        told_in_french(caught.value)
    desk.undo(2)
    for count in (0, 3):
        with pytest.raises(NothingToDo) as caught:
            desk.redo(count)
        told_in_french(caught.value)
    desk.redo(2)
    assert bytes_of(desk) == before
    for back in (desk.redo, lambda: desk.undo(3) and desk.undo()):
        with pytest.raises(NothingToDo, match="nothing") as caught:
            back()
        told_in_french(caught.value)


def test_a_new_answer_ends_redo(desk: RaceDesk) -> None:
    desk.answer(2)
    desk.undo()
    desk.answer(1)
    with pytest.raises(NothingToDo):
        desk.redo()


def test_what_was_answered_by_itself_goes_along_and_waits_for_a_person(desk: RaceDesk) -> None:
    desk.answer(2, by="Ada")
    before = bytes_of(desk)
    desk.answer(6, by="Ada")
    desk.answer(6, by="program")
    desk.answer(1, by="driver:steady")
    desk.answer(2, by="roller")
    after = bytes_of(desk)
    label = desk.undo_label()
    assert label is not None
    assert (label.ask, label.by, label.takes) == ("roll", "Ada", 3)
    assert [done.by for done in desk.undo()] == ["roller", "driver:steady", "program", "Ada"]
    assert bytes_of(desk) == before
    assert desk.auto_answers_paused
    for by in ("program", "driver:steady", "roller"):
        with pytest.raises(BadAnswer, match="a person answers first"):
            desk.answer(6, by=by)
    assert [done.by for done in desk.redo()] == ["Ada", "program", "driver:steady", "roller"]
    assert bytes_of(desk) == after
    assert not desk.auto_answers_paused
    desk.undo()
    desk.answer(5, by="Ada")
    assert not desk.auto_answers_paused
    desk.answer(5, by="program")


def test_with_no_person_there_is_nothing_to_undo(desk: RaceDesk) -> None:
    play(desk, 7, by="driver:any")
    assert desk.undo_label() is None
    with pytest.raises(NothingToDo, match="There is nothing that can be taken back"):
        desk.undo()


# -- corrections


def test_a_correction_is_tried_and_then_replayed_while_the_same_questions_are_asked(desk: RaceDesk) -> None:
    turn(desk, 2, 6, 6)
    turn(desk, 1, 3, 3)
    turn(desk, 1, 2, 2)
    turn(desk, 2, 5, 5)
    n = place_of(desk, "landing", 1, 1)
    before = bytes_of(desk)
    tried = desk.try_correction(n, 5)
    assert (tried.kept, tried.dropped) == (9, 0)
    assert bytes_of(desk) == before
    done = desk.correct(n, 5, by="Ada", why="he braked")
    assert (done.kept, done.dropped) == (9, 0)
    cars = desk.rulebook.race.cars
    assert (cars[0].lap, cars[0].wear["brakes"], cars[1].lap, cars[2].lap) == (10, 2, 3, 2)
    label = desk.undo_label()
    assert label is not None
    assert (label.kind, label.n, label.answer) == ("correct", n, 5)
    desk.undo()
    assert bytes_of(desk) == before
    desk.redo()
    assert (desk.rulebook.race.cars[0].lap, desk.n) == (10, 12)


def test_after_a_correction_an_answer_of_an_earlier_turn_can_be_corrected(desk: RaceDesk) -> None:
    turn(desk, 2, 6, 6)
    turn(desk, 1, 3, 3)
    turn(desk, 1, 2, 2)
    turn(desk, 2, 5, 5)
    for car, brakes in ((2, [3, 2, 3]), (1, [2, 2, 3])):
        n = place_of(desk, "landing", car, 1)
        desk.correct(n, desk.answers()[n].answer - 1)
        assert [one.wear["brakes"] for one in desk.rulebook.race.cars] == brakes
    assert desk.n == 12


class Announced(Toy):
    """Says whose turn begins."""

    def turn(self, number: int) -> Procedure[None]:
        self.ruled.append(Ruling("reminder", "6-1", number))
        yield from super().turn(number)


def test_what_is_ruled_as_a_turn_begins_is_told_once() -> None:
    desk = RaceDesk(toy(kind=Announced), setup=SETUP)
    desk.answer(2)
    desk.answer(6)
    assert [(one.kind, one.car) for one in desk.answer(6)] == [("move", 1), ("reminder", 2)]
    assert desk.answer(1) == []
    assert desk.correct(3, 2).rulings == []
    desk.undo(2)
    assert desk.answer(1) == []


def test_the_state_after_a_step_is_not_that_after_the_next() -> None:
    desk = RaceDesk(toy(), setup=SETUP)
    for _ in range(3):
        turn(desk, 1, 3, 3)
    assert desk.rulebook.round == 2
    race = msgspec.msgpack.decode(desk.conversation.state_after_step(8), type=RaceState)
    assert (race.round, race.played) == (1, [1, 2, 3])


def test_what_falls_away_is_offered_again_when_its_question_comes(desk: RaceDesk) -> None:
    turn(desk, 2, 5, 5)
    turn(desk, 1, 3, 3)
    turn(desk, 2, 4, 3)
    n = place_of(desk, "landing", 1, 1)
    desk.correct(place_of(desk, "roll", 1, 1), 6)  # the landing is another matter now
    assert desk.asked is not None
    assert (desk.asked.ask, desk.asked.what, desk.n, desk.suggested) == ("landing", "spaces_6", n, None)
    desk.answer(6)
    given = []
    while desk.suggested is not None:
        given.append(desk.suggested)
        desk.answer(desk.suggested)
    assert given == [1, 3, 3, 2, 4, 3]
    assert desk.n == 9
    desk.undo()
    assert desk.suggested == 3
    desk.undo(6)
    assert (desk.n, desk.suggested) == (n, None)
    desk.undo()
    assert [car.lap for car in desk.rulebook.race.cars] == [5, 3, 3]


def test_a_refused_correction_changes_nothing(desk: RaceDesk) -> None:
    turn(desk, 2, 6, 6)
    before, seq = bytes_of(desk), desk.seq
    for keep in ("replay", "board"):
        with pytest.raises(BadAnswer):
            desk.correct(1, 99, keep=keep)
        with pytest.raises(NothingToDo, match="no answer with the number 3"):
            desk.correct(3, 1, keep=keep)
    with pytest.raises(BadAnswer, match="neither"):
        desk.correct(1, 5, keep="cars")
    with pytest.raises(BadOverride, match="a reason"):
        desk.correct(1, 99, force=True)
    assert (bytes_of(desk), desk.seq) == (before, seq)


def test_an_earlier_answer_can_be_forced_with_a_reason(desk: RaceDesk) -> None:
    turn(desk, 2, 6, 6)
    turn(desk, 1, 3, 3)
    desk.correct(2, 20, force=True, by="Ref", why="the car was carried by mistake")
    assert desk.rulebook.race.cars[0].lap == 20
    assert desk.n == 6


def test_with_the_board_as_it_stands_only_wear_changes(desk: RaceDesk) -> None:
    turn(desk, 2, 6, 5)  # a brake for one space
    turn(desk, 1, 3, 3)
    turn(desk, 1, 2, 2)
    before = bytes_of(desk)
    tried = desk.try_correction(2, 6, keep="board")
    assert tried.change == {"cars": [{"car": 1, "wear": {"brakes": 3}}]}
    assert tried.left == [{"car": 1, "lap": 6}]
    assert bytes_of(desk) == before
    desk.correct(2, 6, keep="board", by="Ada", why="he did not brake")
    car = desk.rulebook.race.cars[0]
    assert (car.lap, car.wear["brakes"], desk.n) == (5, 3, 10)
    assert desk.asked is not None
    assert (desk.asked.ask, desk.asked.car) == ("gear", 1)
    again = desk.try_correction(2, 5, keep="board")  # measured from the first correction
    assert again.change == {"cars": [{"car": 1, "wear": {"brakes": 2}}]}
    desk.undo()
    assert bytes_of(desk) == before


def test_with_the_board_as_it_stands_tests_that_no_longer_follow_are_listed(desk: RaceDesk) -> None:
    turn(desk, 3 - 1, 6, 6)
    turn(desk, 1, 3, 3)
    turn(desk, 1, 2, 2)
    desk.answer(1)
    desk.answer(2)
    desk.answer(1)  # lands on 7, for a brake
    desk.answer(3)  # and loses an engine point
    assert desk.rulebook.race.cars[0].wear["engine"] == 2
    n = place_of(desk, "landing", 1, 2)
    told = desk.correct(n, 2, keep="board")
    assert told.change == {"cars": [{"car": 1, "wear": {"brakes": 3, "engine": 3}}]}
    assert [(done.ask, done.answer) for done in told.fell] == [("test", 3)]
    assert desk.rulebook.race.cars[0].lap == 7


def test_with_the_board_as_it_stands_a_misread_die_keeps_the_car_and_may_be_asked_for_its_landing(
    desk: RaceDesk,
) -> None:
    turn(desk, 2, 6, 5)
    turn(desk, 1, 3, 3)
    told = desk.try_correction(1, 5, keep="board")  # it was a 5: stopping there costs no brake
    assert told.asks is None
    assert told.change == {"cars": [{"car": 1, "wear": {"brakes": 3}}]}
    told = desk.try_correction(1, 4, keep="board")  # it was a 4, and 5 cannot be reached
    assert told.asks is not None
    assert (told.asks.ask, told.asks.what) == ("landing", "spaces_4")
    told = desk.correct(1, 4, keep="board", then=[3])  # he would have braked to 3
    assert (told.asks, told.change) == (None, None)
    assert told.left == [{"car": 1, "lap": 3}]
    assert desk.rulebook.race.cars[0].lap == 5


def test_with_the_board_as_it_stands_a_die_is_not_corrected_on_which_nothing_has_moved(desk: RaceDesk) -> None:
    for answer in (2, 5):
        desk.answer(answer)
    assert desk.asked is not None
    before = desk.asked
    with pytest.raises(BadAnswer, match="correct it by replay"):
        desk.try_correction(1, 4, keep="board")
    with pytest.raises(BadAnswer, match="correct it by replay"):
        desk.correct(1, 4, keep="board")
    assert desk.asked == before
    desk.correct(1, 4)
    assert desk.asked.what != before.what


def test_a_replay_lets_the_values_of_its_own_board_correction_fall(desk: RaceDesk) -> None:
    turn(desk, 2, 6, 5)
    desk.correct(2, 6, keep="board")
    turn(desk, 1, 3, 3)
    told = desk.correct(2, 6)
    assert (told.kept, [done.kind for done in told.fell]) == (3, ["override"])
    car = desk.rulebook.race.cars[0]
    assert (car.lap, car.wear["brakes"], desk.n) == (6, 3, 6)
    desk.undo(5)
    assert desk.n == 3
    assert desk.rulebook.race.cars[0].lap == 5


# -- the referee's word, notes and disputes


def test_a_forced_answer_needs_a_name_and_a_reason(desk: RaceDesk) -> None:
    with pytest.raises(BadAnswer):
        desk.answer(6)
    for by, why in (("Ref", " "), ("", "because"), ("driver:x", "because")):
        with pytest.raises(BadOverride, match="name of a person and a reason"):
            desk.answer(6, force=True, by=by, why=why)
    desk.answer(4, force=True, by="Ref", why="agreed at the table")
    assert desk.n == 1


def test_a_value_is_set_in_the_middle_of_a_turn_and_taken_back(desk: RaceDesk) -> None:
    desk.answer(2)
    desk.answer(6)
    before = bytes_of(desk)
    (ruling,) = desk.override({"car": 1, "wear": {"brakes": 0}}, by="Ref", why="counted again")
    assert ruling.kind == "override"
    assert desk.asked is not None
    assert [option.answer for option in desk.asked.options or []] == [6]  # no brake, no stopping short
    assert desk.n == 3
    desk.undo()
    assert bytes_of(desk) == before
    desk.redo()
    desk.override({"car": 1, "status": "out"}, by="Ref", why="left the table")
    assert desk.asked is not None
    assert (desk.asked.ask, desk.asked.car) == ("gear", 2)
    with pytest.raises(BadOverride):
        desk.override({"car": 9, "wear": {}}, by="Ref", why="?")
    with pytest.raises(BadOverride, match="a reason"):
        desk.override({"car": 1, "wear": {"brakes": 1}}, by="Ref", why="")
    with pytest.raises(NothingToDo, match="value set by the referee"):
        desk.correct(2, 1)


def test_notes_and_disputes_change_nothing_and_leave_redo_alone(desk: RaceDesk) -> None:
    turn(desk, 2, 6, 5)
    desk.undo()
    before = bytes_of(desk)
    desk.note("the die fell off the table", by="Ada")
    desk.dispute(3, by="Ben", why="it showed 5")
    with pytest.raises(NothingToDo):
        desk.dispute(99, by="Ben", why="?")
    with pytest.raises(BadAnswer):
        desk.note("  ")
    assert bytes_of(desk) == before
    desk.redo()
    assert [(said.kind, said.by, said.about) for said in desk.history.said] == [
        ("note", "Ada", None),
        ("dispute", "Ben", 3),
    ]


# -- everything at random, against a model


OPS = st.lists(
    st.one_of(
        st.tuples(st.just("answer"), st.integers(0, 99), st.sampled_from(["Ada", "program", "driver:x"])),
        st.tuples(st.just("undo"), st.integers(1, 4), st.none()),
        st.tuples(st.just("redo"), st.integers(1, 4), st.none()),
        st.tuples(st.just("correct"), st.integers(0, 40), st.sampled_from(["replay", "board"])),
        st.tuples(st.just("override"), st.integers(1, 3), st.integers(0, 3)),
        st.tuples(st.just("out"), st.integers(1, 3), st.none()),
        st.tuples(st.just("note"), st.none(), st.none()),
        st.tuples(st.just("resume"), st.none(), st.none()),
    ),
    min_size=5,
    max_size=50,
)


class Model:
    """What undo and redo must come back to: the states before and after each thing a person did."""

    def __init__(self, state: bytes) -> None:
        self.state = state
        self.done: list[tuple[bytes, bytes]] = []
        self.undone: list[tuple[bytes, bytes]] = []

    def acted(self, person: bool, state: bytes) -> None:
        self.undone.clear()
        if person:
            self.done.append((self.state, state))
        elif self.done:
            self.done[-1] = (self.done[-1][0], state)
        self.state = state


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ops=OPS)
def test_undo_and_redo_are_exact_whatever_happens(ops: list[Any], tmp_path_factory: Any) -> None:
    folder = tmp_path_factory.mktemp("races")
    desk = on_disk(folder)
    model = Model(bytes_of(desk))
    for op, one, two in ops:
        try:
            if op == "answer" and desk.asked is not None:
                rng = Random(one)
                desk.answer(pick(desk.asked, rng), by=two)
                model.acted(two == "Ada", bytes_of(desk))
            elif op == "undo":
                desk.undo(one)
                for _ in range(one):
                    model.undone.append(model.done.pop())
                    model.state = model.undone[-1][0]
            elif op == "redo":
                desk.redo(one)
                for _ in range(one):
                    model.done.append(model.undone.pop())
                    model.state = model.done[-1][1]
            elif op == "correct":
                n = one % (desk.n + 1)
                for answer in (1, 2, 3):
                    try:
                        tried = desk.try_correction(n, answer, keep=two)
                    except CompanionError:
                        continue
                    done = desk.correct(n, answer, keep=two)
                    assert done == tried
                    model.acted(True, bytes_of(desk))
                    break
            elif op in ("override", "out"):
                change = {"car": one, "wear": {"brakes": two}} if op == "override" else {"car": one, "status": "out"}
                desk.override(change, by="Ref", why="test")
                model.acted(True, bytes_of(desk))
            elif op == "note":
                desk.note("a note")
            elif op == "resume":
                was = (
                    desk.undo_label(),
                    desk.redo_label(),
                    desk.auto_answers_paused,
                    desk.suggested,
                    desk.seq,
                    desk.answers(),
                )
                ruled = [list(item.rulings) for item in desk.history.items]
                desk.close()
                desk = RaceDesk.resume(folder, make=toy)
                assert was == (
                    desk.undo_label(), desk.redo_label(), desk.auto_answers_paused,
                    desk.suggested, desk.seq, desk.answers(),
                )  # fmt: skip
                assert ruled == [list(item.rulings) for item in desk.history.items]
        except (NothingToDo, BadAnswer):
            pass
        assert bytes_of(desk) == model.state
        assert desk.rulebook.ruled == []
    desk.close()
    from companion.sheets.verify import verify

    assert verify(folder, "last", toy).problems == []


# -- a desk in a thread of its own


def test_a_desk_in_its_own_thread_takes_the_first_of_two_hands(tmp_path: Path) -> None:
    thread = DeskThread(lambda: on_disk(tmp_path))
    asked = thread.call(lambda desk: desk.asked).result()
    assert asked is not None
    outcomes: list[str] = []

    def hand(by: str) -> None:
        try:
            thread.call(lambda desk: desk.answer(2, n=asked.n, by=by)).result()
            outcomes.append("taken")
        except BadAnswer:
            outcomes.append("refused")

    hands = [threading.Thread(target=hand, args=(by,)) for by in ("button", "finger", "roller")]
    for one in hands:
        one.start()
    for one in hands:
        one.join()
    assert sorted(outcomes) == ["refused", "refused", "taken"]
    assert thread.call(lambda desk: desk.n).result() == 1
    thread.close()
    with RaceDesk.resume(tmp_path, make=toy) as desk:
        assert desk.n == 1


def test_a_desk_that_cannot_be_made_says_so_to_who_wanted_it(tmp_path: Path) -> None:
    (tmp_path / "races").write_text("in the way")
    with pytest.raises(NotSaved):
        DeskThread(lambda: on_disk(tmp_path / "races" / "deeper"))


def test_a_board_correction_of_an_answer_that_fell_away_later_counts_no_more(desk: RaceDesk) -> None:
    turn(desk, 2, 6, 5)
    turn(desk, 1, 3, 2)
    desk.correct(5, 3, keep="board", why="car 2 did not brake")
    desk.correct(1, 4)  # and everything after the first die falls
    assert desk.n == 2
    turn_back = desk.sheet().corrections
    assert [(one.n, one.was, one.answer) for one in turn_back] == [(5, 2, 3), (1, 6, 4)]
    desk.answer(4)
    turn(desk, 1, 3, 2)
    told = desk.try_correction(5, 3, keep="board")  # measured from what car 2 does this time
    assert told.change == {"cars": [{"car": 2, "wear": {"brakes": 3}}]}
