"""What race control rules on a call stands in the table's own log, once, under the name of who said it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.drivers.sensible import HeuristicDriver
from companion.hall.obeying import obey, signed_of
from companion.tournament.control import CallRuled, Message, Penalty
from companion.tournament.record import Act, Signed
from tests.hall.logs import made
from tests.test_protocol import SETUP


@pytest.fixture
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RaceDesk]:
    with begin_race(SETUP, "monaco", tmp_path_factory.mktemp("race")) as one:
        driver = HeuristicDriver(one.rulebook.track, 1)  # type: ignore[arg-type]
        for _ in range(20):
            assert one.asked is not None
            one.answer(driver.answer(one.asked, one.rulebook.race))
        yield one


def said(act: Act, seq: int = 7) -> Signed:
    return Signed(seq, "Jo", "", act)


def test_a_ruling_is_noted_once_and_ends_the_dispute(desk: RaceDesk) -> None:
    about = desk.history.standing[-1]
    desk.dispute(about, by="table", why="He was past the line")
    word = said(CallRuled(table="4", log_id=desk.history.log_id, text="It stands", about=about))
    assert obey(desk, word)
    assert desk.open_disputes() == []
    assert [(one.by, one.text) for one in desk.history.said[1:]] == [("Jo", "It stands [7]"), ("Jo", "upheld")]
    assert not obey(desk, word), "the same word comes twice over a bad network"
    assert obey(desk, word._replace(seq=8)), "and is said twice on purpose"


def test_a_change_is_an_override_with_the_name(desk: RaceDesk) -> None:
    car = desk.rulebook.race.cars[0]
    change = {"car": car.number, "wear": {"tyres": car.wear["tyres"] - 1}}
    assert obey(desk, said(CallRuled(table="4", log_id=desk.history.log_id, text="One tyre back", change=change)))
    item = desk.history.items[-1]
    assert (item.by, item.why, item.event.change) == ("Jo", "One tyre back [7]", change)
    assert not obey(desk, said(CallRuled(table="4", log_id=desk.history.log_id, text="One tyre back", change=change)))


def test_what_the_table_took_back_does_not_come_again(desk: RaceDesk) -> None:
    """A table hears all of the day whenever it opens its race."""
    car = desk.rulebook.race.cars[0]
    before = car.wear["tyres"]
    word = said(
        CallRuled(table="4", log_id=desk.history.log_id, text="One off", change={"car": 1, "wear": {"tyres": 1}})
    )
    assert obey(desk, word)
    desk.undo(by="table")
    assert not obey(desk, word)
    driver = HeuristicDriver(desk.rulebook.track, 1)  # type: ignore[arg-type]
    assert desk.asked is not None
    desk.answer(driver.answer(desk.asked, desk.rulebook.race))
    with RaceDesk.resume(closed(desk)) as again:
        assert not obey(again, word)
        assert again.rulebook.race.cars[0].wear["tyres"] == before


def closed(desk: RaceDesk) -> Path:
    """The folder of a race that was left."""
    assert desk.log is not None
    desk.close()
    return desk.log.folder


def test_a_change_that_makes_no_sense_by_now_is_noted_in_words(desk: RaceDesk) -> None:
    change = {"car": 99, "gear": 3}
    assert obey(desk, said(CallRuled(table="4", log_id=desk.history.log_id, text="Third gear", change=change)))
    assert [one.text for one in desk.history.said] == ["Third gear [7]"]


def test_a_penalty_is_noted_and_other_races_are_left_alone(desk: RaceDesk) -> None:
    penalty = Penalty(table="4", log_id=desk.history.log_id, car=1, text="one space back", why="false start")
    assert obey(desk, said(penalty))
    assert desk.history.said[-1].text == "1: one space back (false start) [7]"
    for other in (CallRuled(table="4", log_id="0" * 32, text="x"), Message(text="Lunch")):
        assert not obey(desk, said(other))
    assert len(desk.history.said) == 1


def test_the_beginning_of_race_control_s_day_is_no_word() -> None:
    assert signed_of(made(1)) == []
