"""A correction that leaves the board as it stands carries over what the cup has besides, and says what stays."""

from __future__ import annotations

from typing import Any

import pytest

from companion.circuits import load
from companion.desk import Correction, RaceDesk
from companion.rules.conversation.errors import BadOverride
from companion.rules.cup import CupCar
from companion.rules.rulebooks import begin
from companion.wording import Words
from tests.table import WEAR

AWAY = {"car": 2, "at": "6:left:1", "gear": 2, "lap": 2}


def a_desk(*cars: dict[str, Any], **setup: Any) -> RaceDesk:
    whole = {"rulebook": "cup", "track": "porto-sereno", "laps": 3, "cars": list(cars), **setup}
    return RaceDesk(begin(whole, load("porto-sereno")), setup=whole)


def goes_on(desk: RaceDesk, until: str, **answers: Any) -> int:
    """Answers by the kind of question, or what comes first, until one of that kind is open; the number of it."""
    while (asked := desk.asked) is not None and asked.ask != until:
        first = asked.options[0].answer if asked.options else (asked.faces or [20])[-1]
        desk.answer(answers.get(asked.ask, first), by="table")
    return desk.n


def corrects(desk: RaceDesk, n: int, instead: Any) -> tuple[Correction, Any]:
    """A correction that leaves the board, and the race after it."""
    told = desk.correct(n, instead, by="Ada", why="it was so", keep="board")
    return told, desk.rulebook.race


@pytest.mark.article("cup", "kers.points", "kers.spend")
def test_a_point_that_was_not_spent_after_all() -> None:
    car = {"car": 1, "gear": 3, "at": "6:left:5", "lap": 1, "kers": 2}
    desk = a_desk(car, AWAY, to_play=[1])
    for answer in (
        3,
        4,
        {"space": "6:left:9", "brakes": 0, "soft": 0},
        {"space": "6:left:10", "brakes": 0, "soft": 0},
        None,
    ):
        desk.answer(answer, by="table")
    kers: Any = desk.rulebook.race.cars[0]
    assert kers.kers == 1
    desk.correct(3, None, by="Ada", why="it kept the point", keep="board")
    assert desk.rulebook.race.cars[0].kers == 2  # type: ignore[attr-defined]
    assert desk.rulebook.race.cars[0].at == "6:left:10"


@pytest.mark.article("cup", "weather.wet-conditions")
def test_a_check_that_wets_the_track_after_all() -> None:
    car = {"car": 1, "gear": 4, "at": "6:left:1", "lap": 1}
    desk = a_desk(car, {**AWAY, "at": "0:left:2"}, to_play=[1], sky="changeable")
    for answer in (5, 20):
        desk.answer(answer, by="table")
    while (asked := desk.asked) is not None and asked.what != "weather":
        desk.answer(asked.options[0].answer if asked.options else 20, by="table")
    n = desk.n
    desk.answer(20, by="table")
    race: Any = desk.rulebook.race
    assert (race.wet_conditions, race.surface) == (False, "dry")
    desk.answer(desk.asked.options[0].answer, by="table")  # type: ignore[union-attr, index]
    desk.correct(n, 1, by="Ada", why="it was a 1", keep="board")
    race = desk.rulebook.race
    assert (race.wet_conditions, race.surface) == (True, "wet")


@pytest.mark.article("cup", "pit.full", "pit.exit")
@pytest.mark.parametrize(("said", "truly", "bonus"), [({"brakes": 2}, {}, 3), ({}, {"brakes": 2}, 1)])
def test_repairs_that_were_others_leave_other_points_for_the_way_out(
    said: dict[str, int], truly: dict[str, int], bonus: int
) -> None:
    worn = {**WEAR, "brakes": 1, "body": 2}
    car = {"car": 1, "gear": 4, "at": "19:left:1", "lap": 1, "wear": worn, "built": WEAR, "tyres": "hard"}
    desk = a_desk(car, {**AWAY, "at": "3:left:2"}, to_play=[1])
    box = {"space": "box:12", "brakes": 0, "soft": 0}
    n = goes_on(desk, "repair", gear=4, roll=12, landing=box, stop="full")
    desk.answer(said, by="table")
    told, race = corrects(desk, n, truly)
    assert (race.cars[0].bonus, race.cars[0].wear["brakes"]) == (bonus, 1 + truly.get("brakes", 0))
    assert [change.what for change in told.changes] == ["brakes", "bonus"]
    assert Words("en", "cup").changed(told.changes[1]) == f"1: spaces on the way out {4 - bonus} → {bonus}"
    goes_on(desk, "landing", start=20)
    desk.answer(desk.asked.options[0].answer, by="table")  # type: ignore[union-attr, index]


@pytest.mark.article("cup", "pit.full", "pit.exit")
def test_points_for_the_way_out_are_none_of_a_car_that_is_out() -> None:
    car = CupCar(1, status="racing")
    assert car.within({"bonus": 2, "kers": 1}) == {"kers": 1}


@pytest.mark.article("cup", "tyres.two-compounds")
def test_a_set_that_was_another_compound_has_been_raced_on_as_that() -> None:
    desk = a_desk({"car": 1}, {"car": 2}, sky="sun")
    n = goes_on(desk, "tyres")
    goes_on(desk, "gear", tyres="hard", start=2)
    race: Any = desk.rulebook.race
    assert (race.cars[0].raced, race.cars[0].tyres) == (["hard"], "hard")
    told, race = corrects(desk, n, "soft")
    assert (race.cars[0].raced, race.cars[0].tyres) == (["soft"], "soft")
    assert told.change == {"cars": [{"car": 1, "tyres": "soft", "raced": ["soft"]}]}
    goes_on(desk, "landing")
    desk.answer(desk.asked.options[0].answer, by="table")  # type: ignore[union-attr, index]
    assert desk.rulebook.race.cars[0].raced == ["soft"]  # type: ignore[attr-defined]


@pytest.mark.article("cup", "tyres.two-compounds")
@pytest.mark.parametrize(
    ("before", "raced", "on", "after"),
    [
        ([], ["hard"], "hard", ["soft"]),
        ([], ["hard", "soft"], "soft", ["soft"]),
        ([], ["hard", "rain"], "rain", None),
        ([], ["hard", "rain"], "hard", ["soft", "rain"]),
        ([], ["hard", "soft"], "rain", ["soft"]),  # fitted in the pits
        (["hard"], ["hard"], "hard", None),
        ([], [], "hard", None),
    ],
)
def test_what_a_car_has_raced_on_follows_a_set_as_far_as_it_is_known(
    before: list[str], raced: list[str], on: str, after: list[str] | None
) -> None:
    """Said was hard, and it was soft: that a car has raced on hard before stays, and no compound is made by it that
    the car has neither been on since nor is on."""
    now, was = CupCar(1, tyres=on, raced=raced), CupCar(1, tyres="hard", raced=before)  # type: ignore[arg-type]
    would = CupCar(1, tyres="soft")
    assert now.besides(was, would).get("raced") == after
    assert now.besides(was, was) == {}
    assert CupCar(1, tyres="hard", raced=["hard"]).within({"raced": ["soft"]}) == {}
    boxed = CupCar(1, status="box", tyres="hard", raced=["hard"])
    assert boxed.within({"raced": ["soft"]}) == {"raced": ["soft"]}


@pytest.mark.article("cup", "weather.by-start", "weather.wet-conditions", "weather.initial")
@pytest.mark.parametrize(("face", "truly", "sky"), [(20, 5, "changeable"), (5, 20, "sun"), (20, 1, "rain")])
def test_what_the_weather_started_as_is_carried_over(face: int, truly: int, sky: str) -> None:
    desk = a_desk({"car": 1}, {"car": 2})
    desk.answer(face, by="table")
    goes_on(desk, "gear", start=2)
    told, race = corrects(desk, 0, truly)
    assert (race.sky, race.started, race.wet_conditions) == (sky, sky, sky == "rain")
    assert "weather at the start" in Words("en", "cup").changed(told.changes[-1])
    said = Words("fr", "cup").change(told.change or {})
    assert "météo du départ " in said


@pytest.mark.article("cup", "weather.wet-conditions", "drs.zones")
def test_a_wet_marker_and_zones_that_would_be_others_stay_and_are_told() -> None:
    desk = a_desk({"car": 1}, {"car": 2}, options={"table_names_zones": True})
    zones = [option.answer for option in desk.asked.options]  # type: ignore[union-attr]
    desk.answer(zones[0], by="table")
    goes_on(desk, "test")
    weather = desk.n
    desk.answer(1, by="table")
    goes_on(desk, "gear", start=2)
    told, race = corrects(desk, weather, 20)
    assert (told.left, race.wet_conditions, race.started) == ([{"wet_conditions": False}], True, "sun")
    told, race = corrects(desk, 0, zones[3])
    assert [list(entry) for entry in told.left] == [["zones"]]
    assert race.zones[0] != zones[3]
    for lang in ("en", "fr"):
        assert "DRS" in Words(lang, "cup").skipped_change(told.left[0])


@pytest.mark.article("cup", "weather.by-start")
def test_the_start_is_one_of_the_skies() -> None:
    desk = a_desk({"car": 1, "gear": 3, "at": "6:left:5", "lap": 1}, AWAY, to_play=[1])
    with pytest.raises(BadOverride, match="The sky is one of sun, changeable, rain; fog is none of them"):
        desk.override({"started": "fog"}, by="Ada", why="x")


@pytest.mark.article("cup", "weather.check")
def test_a_car_that_goes_out_after_all_is_one_check_of_the_weather() -> None:
    """Ruling 15. Car 1, without a body point, has stopped behind car 2 and loses one: the check is asked with that."""
    wear = {"tyres": 6, "brakes": 3, "gearbox": 3, "body": 0, "engine": 3, "handling": 2}
    car = {"car": 1, "at": "6:left:1", "gear": 3, "lap": 1, "wear": wear}
    desk = a_desk(car, {**AWAY, "at": "6:left:9", "lap": 1}, {**AWAY, "car": 3, "at": "2:left:1"}, to_play=[1, 2, 3])
    for answer in (3, 7, {"space": "6:left:8", "brakes": 0, "soft": 0}, 20, 20):
        desk.answer(answer)
    desk.correct(4, 1, by="Ada", why="misread", keep="board", then=[15])
    race: Any = desk.rulebook.race
    assert (race.cars[0].status, race.due, race.dangers) == ("out", [], ["6:left:8"])
    while desk.asked is not None and desk.rulebook.round < 3:
        assert desk.asked.what != "weather"
        desk.answer(desk.asked.options[0].answer if desk.asked.options else desk.asked.faces[-1])  # type: ignore[index]
