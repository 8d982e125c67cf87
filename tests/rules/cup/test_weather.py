"""The weather at the start, checks, and the marker of wet weather conditions."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.conversation.errors import BadOverride
from tests.rules.cup.boards import drives, grid, race
from tests.table import WEAR, Table

RAIN, CLOUDS, SUN = 1, 10, 20
AWAY = {"car": 9, "at": "0:right:1"}


@pytest.mark.article("cup", "weather.initial", "weather.wet-conditions")
@pytest.mark.parametrize(
    ("face", "sky", "surface", "active"),
    [(RAIN, "rain", "wet", True), (CLOUDS, "changeable", "dry", False), (SUN, "sun", "dry", False)],
)
def test_before_the_tyres_the_black_die_says_what_the_race_starts_as(
    face: int, sky: str, surface: str, active: bool
) -> None:
    table = grid({"car": 1}, {"car": 2})
    assert (table.open, table.talk.question.article) == (("test", 1, "weather"), "weather.initial")  # type: ignore[union-attr]
    table.say(face)
    race_ = table.race
    assert (race_.sky, race_.surface, race_.started, race_.fixed) == (sky, surface, sky, False)
    assert race_.wet_conditions is active
    assert table.ruling("weather").article == "weather.initial"
    assert ("wet_conditions" in table.kinds()) is active
    assert table.ask == "setup"


@pytest.mark.article("cup", "weather.initial")
def test_a_sky_that_the_setup_brings_is_what_the_race_starts_as() -> None:
    table = grid({"car": 1}, {"car": 2}, sky="changeable")
    assert (table.race.started, table.race.surface, table.ask) == ("changeable", "dry", "setup")
    assert not table.race.wet_conditions
    wet = grid({"car": 1}, {"car": 2}, sky="rain")
    assert (wet.race.surface, wet.race.wet_conditions) == ("wet", True)


def after_20(**setup: Any) -> Table:
    """Car 1 has rolled a 20 in 5th and everybody's engine has held."""
    table = drives(5, 20, "4:middle:21", {"car": 1, "gear": 4, "at": "4:middle:1"}, AWAY, **setup)
    table.tested("engine")
    return table


@pytest.mark.article("cup", "weather.check")
def test_a_20_in_fifth_is_checked_after_the_tests_of_its_turn_by_who_rolled_it() -> None:
    table = after_20()
    assert (table.open, table.talk.question.article) == (("test", 1, "weather"), "weather.check")  # type: ignore[union-attr]
    table.say(SUN)
    assert table.ask == "gear"


@pytest.mark.article("cup", "weather.check")
def test_each_elimination_brings_a_check_too_and_all_of_them_come_in_turn() -> None:
    table = drives(5, 20, "4:middle:21", {"car": 1, "gear": 4, "at": "4:middle:1", "wear": {**WEAR, "engine": 0}}, AWAY)
    table.say(1)
    table.say(CLOUDS)
    assert table.open == ("test", 1, "weather")
    table.say(CLOUDS)
    assert table.open == ("gear", 9, "")


@pytest.mark.article("cup", "weather.check")
def test_nobody_checks_the_weather_of_a_race_that_nobody_races() -> None:
    table = drives(5, 20, "4:middle:21", {"car": 1, "gear": 4, "at": "4:middle:1", "wear": {**WEAR, "engine": 0}})
    table.say(1)
    assert (table.open, table.race.phase, table.race.due) == (None, "over", [])


@pytest.mark.article("cup", "weather.by-start")
@pytest.mark.parametrize(
    ("started", "sky", "surface", "face", "now"),
    [
        ("sun", "sun", "dry", SUN, ("sun", "dry")),
        ("sun", "sun", "dry", CLOUDS, ("sun", "dry")),
        ("sun", "sun", "dry", RAIN, ("changeable", "dry")),
        ("sun", "changeable", "dry", RAIN, ("rain", "wet")),
        ("changeable", "changeable", "dry", SUN, ("sun", "dry")),
        ("changeable", "changeable", "dry", CLOUDS, ("changeable", "dry")),
        ("changeable", "sun", "dry", RAIN, ("rain", "wet")),
        ("changeable", "changeable", "wet", CLOUDS, ("changeable", "wet")),
        ("changeable", "changeable", "wet", SUN, ("sun", "dry")),
        ("changeable", "rain", "wet", CLOUDS, ("rain", "wet")),
        ("changeable", "rain", "wet", SUN, ("sun", "dry")),
        ("rain", "rain", "wet", SUN, ("changeable", "wet")),
        ("rain", "rain", "wet", CLOUDS, ("rain", "wet")),
        ("rain", "rain", "wet", RAIN, ("rain", "wet")),
        ("rain", "changeable", "wet", SUN, ("sun", "dry")),
        ("rain", "changeable", "wet", CLOUDS, ("changeable", "dry")),
        ("rain", "changeable", "wet", RAIN, ("rain", "wet")),
        ("rain", "changeable", "dry", SUN, ("changeable", "dry")),
    ],
)
def test_a_check_by_what_the_race_started_as(
    started: str, sky: str, surface: str, face: int, now: tuple[str, str]
) -> None:
    table = after_20(started=started, sky=sky, surface=surface)
    table.say(face)
    assert (table.race.sky, table.race.surface) == now
    assert ("surface" in table.kinds()) is (now[1] != surface)


@pytest.mark.article("cup", "weather.by-start", "weather.wet-conditions")
def test_a_race_that_starts_dry_is_wet_after_the_second_rain_and_dries_again() -> None:
    table = after_20(started="sun", sky="sun")
    table.say(RAIN)
    assert (table.race.sky, table.race.surface, table.race.wet_conditions) == ("changeable", "dry", False)
    for face, now in ((CLOUDS, ("changeable", "dry")), (SUN, ("sun", "dry")), (RAIN, ("rain", "wet"))):
        again = after_20(started="sun", sky="changeable")
        again.say(face)
        assert (again.race.sky, again.race.surface) == now
        assert again.race.wet_conditions == (now[1] == "wet")
    wet: dict[str, Any] = {"started": "sun", "sky": "rain", "surface": "wet", "wet_conditions": True}
    for face, now in ((RAIN, ("rain", "wet")), (CLOUDS, ("rain", "wet")), (SUN, ("sun", "dry"))):
        then = after_20(**wet)
        then.say(face)
        assert (then.race.sky, then.race.surface, then.race.wet_conditions) == (*now, True)


@pytest.mark.article("cup", "weather.by-start")
def test_rain_never_dries_a_track_that_the_referee_has_called_wet() -> None:
    table = after_20(started="sun", sky="changeable", surface="wet")
    table.say(RAIN)
    assert (table.race.sky, table.race.surface, table.race.wet_conditions) == ("rain", "wet", False)


@pytest.mark.article("cup", "weather.by-start")
def test_a_position_that_says_nothing_of_its_start_began_in_the_sun() -> None:
    table = after_20()
    table.say(RAIN)
    assert table.race.sky == "changeable"


@pytest.mark.article("cup", "weather.by-start")
def test_the_table_may_set_other_outcomes() -> None:
    wet = after_20(started="rain", sky="changeable", surface="wet", options={"checks_wet": ["wet", "clouds", "wet"]})
    wet.say(SUN)
    assert (wet.race.sky, wet.race.surface) == ("rain", "wet")
    table = after_20(started="sun", sky="sun", options={"checks_dry": ["dry", "wet", "wet"]})
    table.say(CLOUDS)
    assert table.race.surface == "wet"


@pytest.mark.article("cup", "weather.wet-conditions")
def test_a_check_that_wets_the_track_turns_the_marker_and_it_stays() -> None:
    table = after_20(started="changeable", sky="changeable")
    table.say(RAIN)
    assert table.ruling("wet_conditions").facts == {"way": "check"}
    dried = after_20(started="changeable", sky="rain", surface="wet", wet_conditions=True)
    dried.say(SUN)
    assert (dried.race.surface, dried.race.wet_conditions) == ("dry", True)
    again = after_20(started="changeable", sky="changeable", wet_conditions=True)
    again.say(RAIN)
    assert "wet_conditions" not in again.kinds()


@pytest.mark.article("cup", "weather.wet-conditions")
def test_the_race_director_declares_them_and_cannot_take_them_back() -> None:
    table = race({"car": 1, "gear": 3, "at": "2:left:1"})
    assert table.talk.override({"wet_conditions": True})[0].facts == {"way": "director"}
    assert table.race.wet_conditions
    with pytest.raises(BadOverride, match="once active they stay"):
        table.talk.override({"wet_conditions": False})


@pytest.mark.article("cup", "weather.check")
def test_a_sky_that_the_referee_sets_is_not_final() -> None:
    table = race({"car": 1, "gear": 3, "at": "2:left:1"})
    table.talk.override({"sky": "rain"})
    assert (table.race.sky, table.race.fixed, table.race.drawn) == ("rain", False, "")


@pytest.mark.article("cup", "weather.by-start", "weather.check")
def test_a_position_that_does_not_say_how_the_weather_began_is_one_of_sun() -> None:
    table = race({"car": 1, "gear": 4, "at": "2:left:1"}, {"car": 2, "gear": 2, "at": "0:left:1"}, drawn="sun")
    table.talk.override({"car": 2, "status": "out"})
    assert (table.race.started, table.race.due) == ("", [2])
    table.say(3, 4)
    table.land("2:left:5")
    table.until(lambda: table.open is not None and table.open[2] == "weather")
    table.say(20)
    assert table.ruling("weather").facts["sky"] == "sun"


@pytest.mark.article("cup", "weather.initial", "weather.wet-conditions", "weather.by-start")
@pytest.mark.parametrize("drawn", [(), (RAIN,), (SUN,)])
@pytest.mark.parametrize("sky", ["sun", "changeable", "rain"])
def test_what_the_race_director_says_before_the_start_is_what_it_starts_as(drawn: tuple[int, ...], sky: str) -> None:
    table = grid({"car": 1}, {"car": 2})
    table.say(*drawn)
    told = table.talk.override({"sky": sky})
    race_ = table.race
    assert [ruling.facts for ruling in told if ruling.kind == "wet_conditions"] == [{"way": "start"}] * (sky == "rain")
    assert (race_.sky, race_.started, race_.surface) == (sky, sky, "wet" if sky == "rain" else "dry")
    assert race_.wet_conditions is (sky == "rain")
    assert table.ask == "setup", "nothing is drawn for it"


@pytest.mark.article("cup", "weather.wet-conditions", "weather.by-start")
@pytest.mark.parametrize("sky", ["sun", "rain"])
def test_wet_conditions_that_were_declared_before_the_start_stay_whatever_it_starts_as(sky: str) -> None:
    table = grid({"car": 1}, {"car": 2})
    table.talk.override({"wet_conditions": True})
    told = table.talk.override({"sky": sky})
    assert table.race.wet_conditions
    assert "wet_conditions" not in [ruling.kind for ruling in told]


@pytest.mark.article("cup", "weather.by-start")
@pytest.mark.parametrize(
    ("started", "surface", "may"),
    [("sun", "dry", True), ("changeable", "dry", True), ("rain", "dry", True), ("rain", "wet", False)],
)
def test_a_dry_track_may_turn_wet_unless_no_check_brings_rain(started: str, surface: str, may: bool) -> None:
    table = race({"car": 1, "gear": 3, "at": "2:left:1"}, started=started, sky="changeable", surface=surface)
    never = race({"car": 1, "gear": 3, "at": "2:left:1"}, options={"checks_dry": ["dry", "stays", "stays"]})
    assert not never.rulebook.weather.may_turn_wet()
    assert table.rulebook.weather.may_turn_wet() is may


@pytest.mark.article("cup", "weather.check")
@pytest.mark.parametrize("answers", [(), (1,)])
def test_a_car_taken_out_in_its_own_turn_is_checked_for_before_the_next(answers: tuple[int, ...]) -> None:
    table = race({"car": 1, "at": "4:left:9"}, {"car": 2, "at": "4:left:2"}, to_play=[1, 2])
    table.say(*answers)
    table.talk.override({"car": 1, "status": "out"})
    assert table.open == ("test", 1, "weather")
    table.say(SUN)
    assert table.open == ("gear", 2, "")
