"""Weather: drawn before the race, evolving in it. Article 3. Monaco reads 1-7 rain, 8-12 changeable, 13-20 sun."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table import WEAR, Table

GRID = [{"car": 7}, {"car": 3}]
READY = [{"car": n, "wear": {**WEAR}, "tyres": "hard", "box": n} for n in (7, 3)]


@pytest.mark.article("competition", "2-0-1", "3-2-1", "3-0-1", "3-0-2", "3-0-3", "3-0-4", "0-0-5")
def test_pole_draws_the_weather_with_the_black_die_before_anything_is_chosen() -> None:
    table = Table(GRID)
    assert table.open == ("test", 7, "weather")
    question = table.talk.question
    assert question is not None
    assert list(question.faces or ()) == list(range(1, 21))
    assert question.fields == {"rain": [1, 7], "changeable": [8, 12], "sun": [13, 20]}
    for face in (0, 21, True, "3", 3.0):
        table.refuses(face)
    table.say(13)
    assert table.ask == "box"


@pytest.mark.article("competition", "3-2-4", "3-2-6.2", "3-2-6.4")
@pytest.mark.parametrize(
    ("sky", "surface", "fixed", "may"),
    [
        ("changeable", "dry", False, True),
        ("changeable", "wet", False, False),
        ("sun", "dry", True, False),
    ],
)
def test_whether_a_dry_track_may_yet_be_wet(sky: str, surface: str, fixed: bool, may: bool) -> None:
    table = Table([{"car": 1, "at": "10:left:1", "gear": 2}], to_play=[1], sky=sky, surface=surface, fixed=fixed)
    assert table.rulebook.weather.may_turn_wet() is may
    assert not Table(GRID).rulebook.weather.may_turn_wet(), "before it is drawn at all"


@pytest.mark.article("competition", "3-2-2", "3-2-3", "3-2-4", "3-0-2", "3-0-3")
@pytest.mark.parametrize(
    ("face", "sky", "surface", "article"),
    [
        (1, "rain", "wet", "3-2-3"),
        (7, "rain", "wet", "3-2-3"),
        (8, "changeable", "", "3-2-4"),
        (12, "changeable", "", "3-2-4"),
        (13, "sun", "dry", "3-2-2"),
        (20, "sun", "dry", "3-2-2"),
    ],
)
def test_the_draw_before_the_race(face: int, sky: str, surface: str, article: str) -> None:
    table = Table(GRID)
    table.say(face)
    assert (table.race.sky, table.race.surface) == (sky, surface)
    assert table.race.fixed is (sky != "changeable")
    assert table.ruling("weather").article == article
    assert table.ask == ("practice" if sky == "changeable" else "box")


@pytest.mark.article("competition", "3-1-1", "3-1-2", "3-1-3", "3-1-4")
@pytest.mark.parametrize(
    ("face", "practice", "surface", "article"),
    [
        (1, "rain", "wet", "3-1-3"),
        (7, "rain", "wet", "3-1-3"),
        (8, "changeable", "dry", "3-1-4"),
        (12, "changeable", "dry", "3-1-4"),
        (13, "sun", "dry", "3-1-2"),
        (20, "sun", "dry", "3-1-2"),
    ],
)
def test_the_die_of_the_practice_is_read_on_the_chart(face: int, practice: str, surface: str, article: str) -> None:
    table = Table(GRID)
    table.say(10)
    assert table.open == ("practice", 7, "")
    asked = table.talk.asked
    assert asked is not None
    assert (asked.article, asked.faces) == ("3-1-1", list(range(1, 21)))
    assert asked.fields == {"rain": [1, 7], "changeable": [8, 12], "sun": [13, 20]}
    table.refuses(0, "black die shows 1 to 20")
    table.refuses(21, "black die shows 1 to 20")
    table.say(face)
    assert (table.race.practice, table.race.surface) == (practice, surface)
    said = table.ruling("practice")
    assert (said.article, said.car, said.facts) == (article, 7, {"face": face, "sky": practice})
    assert table.ask == "box"


@pytest.mark.article("competition", "3-1-1")
def test_a_band_of_the_practice_die_is_one_of_the_chart() -> None:
    table = Table(GRID)
    table.say(10)
    table.refuses([7, 8], "bands of this test are")
    table.say([13, 20])
    assert (table.race.practice, table.ruling("practice").facts["face"]) == ("sun", [13, 20])


@pytest.mark.article("competition", "3-2-4", "3-1-2", "3-1-3", "3-1-4")
@pytest.mark.parametrize(("practice", "surface"), [("sun", "dry"), ("changeable", "dry"), ("rain", "wet")])
def test_under_a_changeable_sky_the_last_practice_decides_the_surface(practice: str, surface: str) -> None:
    table = Table(GRID)
    table.say(10)
    table.refuses("snow", "last practice")
    table.say(practice)  # as the table was told it, and as older logs have it
    assert (table.race.surface, table.race.fixed) == (surface, False)
    assert table.ruling("surface").article == "3-2-4"
    assert "practice" not in table.kinds()
    given = Table(GRID, sky="changeable", practice=practice)
    assert given.ask == "box"
    assert given.race.surface == surface


@pytest.mark.article("competition", "3-1-5")
def test_the_table_is_reminded_that_the_practice_sky_is_that_of_every_table() -> None:
    table = Table(GRID)
    assert next(r.article for r in table.rulings if r.kind == "reminder") == "3-1-5"


def flat_out(face: int = 20, gear: int = 5, **setup: Any) -> Table:
    """A car on the long straight before the Chicane that has just rolled, another far behind it."""
    setup.setdefault("sky", "changeable")
    cars = [
        {"car": 1, "at": "10:left:1", "gear": gear, "lap": 1},
        {"car": 2, "at": "2:left:1", "gear": 2, "lap": 1},
    ]
    table = Table(cars, to_play=[1, 2], track="monaco", **setup)
    table.say(gear, face)
    table.say(table.options[0].answer)
    table.until("gear")
    return table


def play_out(table: Table) -> None:
    """The second car's turn, to the end of the round."""
    table.say(2, 2)
    table.land("2:left:3")


@pytest.mark.article("competition", "3-2-4", "3-2-5")
def test_a_20_in_5th_draws_again_when_the_round_is_over() -> None:
    table = flat_out()
    assert table.open == ("gear", 2, "")  # not at once: the other car plays its turn first
    assert table.race.due == [1]
    play_out(table)
    assert table.open == ("test", 1, "weather")
    table.say(13)
    assert table.ask == "gear"
    assert table.race.round == 2


@pytest.mark.article("competition", "3-2-4")
def test_a_30_in_6th_draws_again_and_a_19_does_not() -> None:
    assert flat_out(30, 6, laps=3).race.due == [1]
    assert flat_out(19).race.due == []
    table = flat_out(19)
    play_out(table)
    assert table.ask == "gear"


@pytest.mark.article("competition", "3-2-2", "3-2-3", "3-2-4")
@pytest.mark.parametrize("sky", ["sun", "rain"])
def test_sun_or_rain_from_the_start_is_never_drawn_again(sky: str) -> None:
    table = Table(
        [{"car": 1, "at": "10:left:1", "gear": 5}, {"car": 2, "at": "2:left:1", "gear": 2}], to_play=[1, 2], sky=sky
    )
    assert table.race.surface == ("wet" if sky == "rain" else "dry")
    table.say(5, 20)
    assert table.race.due == []


def drawn(*faces: int, surface: str = "dry", sky: str = "changeable", drawn_before: str = "") -> Table:
    """A race at the end of a round in which as many 20s fell as there are faces; gives the faces."""
    cars = [{"car": 1, "at": "10:left:1", "gear": 2}]
    table = Table(cars, to_play=[1], sky=sky, surface=surface, drawn=drawn_before, due=[1] * len(faces))
    table.say(2, 2)
    table.land("10:left:3")
    for face in faces:
        assert table.open == ("test", 1, "weather")
        table.say(face)
    assert table.ask == "gear"
    return table


def weather(table: Table) -> tuple[str, str, bool]:
    return table.race.sky, table.race.surface, table.race.fixed


@pytest.mark.article("competition", "3-2-6", "3-2-6.1", "3-2-6.5")
@pytest.mark.parametrize("surface", ["dry", "wet"])
def test_from_changeable_to_sun(surface: str) -> None:
    table = drawn(13, surface=surface)
    assert weather(table) == ("sun", "dry", False)
    assert table.ruling("weather").article == "3-2-6.1"
    if surface == "wet":
        assert table.ruling("surface").article == "3-2-6.5"
    else:
        assert "surface" not in table.kinds()


@pytest.mark.article("competition", "3-2-6", "3-2-6.2", "3-2-6.5")
@pytest.mark.parametrize("surface", ["dry", "wet"])
def test_from_changeable_to_rain(surface: str) -> None:
    table = drawn(7, surface=surface)
    assert weather(table) == ("rain", "wet", False)
    assert table.ruling("weather").article == "3-2-6.2"
    if surface == "dry":
        assert table.ruling("surface").article == "3-2-6.5"
    else:
        assert "surface" not in table.kinds()


@pytest.mark.article("competition", "3-2-6", "3-2-6.3")
def test_back_to_changeable_leaves_the_surface() -> None:
    table = drawn(7, 8)
    assert weather(table) == ("changeable", "wet", False)
    assert table.ruling("weather").article == "3-2-6.3"
    assert weather(drawn(20, 12)) == ("changeable", "dry", False)


@pytest.mark.article("competition", "3-2-6", "3-2-6.4")
def test_sun_or_rain_twice_running_stays() -> None:
    table = drawn(13, 20)
    assert weather(table) == ("sun", "dry", True)
    assert table.ruling("weather").article == "3-2-6.4"
    assert weather(drawn(1, 7)) == ("rain", "wet", True)


@pytest.mark.article("competition", "3-2-6.4", "3-2-6.3")
def test_not_twice_running_with_another_sky_between_nor_changeable_twice() -> None:
    assert weather(drawn(13, 10, 13)) == ("sun", "dry", False)
    assert weather(drawn(1, 13, 1)) == ("rain", "wet", False)
    assert weather(drawn(10, 10)) == ("changeable", "dry", False)


@pytest.mark.article("competition", "3-2-6", "3-2-6.5")
def test_sun_and_rain_take_the_surface_along() -> None:
    table = drawn(13, 1)
    assert weather(table) == ("rain", "wet", False)
    assert table.ruling("weather").article == "3-2-6.5"
    assert table.ruling("surface").facts == {"surface": "wet"}
    assert weather(drawn(1, 13)) == ("sun", "dry", False)


@pytest.mark.article("competition", "3-2-4", "3-2-6.4")
def test_one_draw_for_each_20_and_none_once_it_is_final() -> None:
    """Ruling 95: of three draws due the second makes it final, so the third falls away."""
    cars = [{"car": 1, "at": "10:left:1", "gear": 2}, {"car": 2, "at": "2:left:1", "gear": 2, "status": "out"}]
    table = Table(cars, to_play=[1], sky="changeable", due=[2, 1, 2])
    table.say(2, 2)
    table.land("10:left:3")
    assert table.open == ("test", 2, "weather")  # the one who rolled it draws, even if he is out since
    table.say(1)
    assert table.open == ("test", 1, "weather")
    table.say(1)
    assert weather(table) == ("rain", "wet", True)
    assert table.ask == "gear"
    assert table.race.due == []


@pytest.mark.article("competition", "3-2-6.4")
def test_the_draw_before_the_race_does_not_count_for_twice_running() -> None:
    """Ruling 96: only draws in the race count; a changeable sky after a practice in the rain, then rain once."""
    assert weather(drawn(1, surface="wet")) == ("rain", "wet", False)


@pytest.mark.article("competition", "3-2-5", "3-2-6")
def test_the_new_surface_holds_from_the_next_round() -> None:
    """Ruling 97: the 20 falls first, rain comes with it, but the rest of the round is driven on a dry track."""
    table = flat_out(surface="dry")
    play_out(table)
    assert table.race.surface == "dry"
    table.say(1)
    assert table.race.surface == "wet"


def test_ready_cars_ask_nothing_but_the_weather() -> None:
    table = Table(READY)
    assert table.ask == "test"
    table.say(20)
    assert table.open == ("start", 7, "start")


@pytest.mark.article("competition", "3-2-6", "3-2-6.3", "3-2-6.4")
def test_changeable_drawn_twice_running_fixes_nothing() -> None:
    table = Table([{"car": 1, "at": "10:left:1", "gear": 2}], to_play=[1], sky="changeable", due=[1, 1, 1, 1])
    table.say(2, 2)
    table.land("10:left:3")
    chart = table.rulebook.track.weather
    for face, article, fixed in (
        (chart.changeable[0], "3-2-6.3", False),
        (chart.changeable[1], "3-2-6.3", False),
        (chart.rain[0], "3-2-6.2", False),
        (chart.rain[1], "3-2-6.4", True),
    ):
        assert table.open == ("test", 1, "weather")
        assert table.race.move is None
        table.say(face)
        weather = table.ruling("weather")
        assert (weather.article, weather.facts["fixed"]) == (article, fixed)


@pytest.mark.article("competition", "3-2-2", "3-2-3")
@pytest.mark.parametrize(
    ("said", "surface", "fixed"),
    [
        ({"sky": "sun"}, "dry", True),
        ({"sky": "rain"}, "wet", True),
        ({"sky": "sun", "surface": "dry"}, "dry", True),
        ({"surface": "wet"}, "wet", True),
        ({"sky": "changeable", "surface": "wet"}, "wet", False),
        ({"sky": "changeable", "surface": "dry"}, "dry", False),
    ],
)
def test_a_sky_that_is_given(said: dict[str, str], surface: str, fixed: bool) -> None:
    """Sun and rain stay, and the surface is what they make of it; a wet one alone is one of rain."""
    table = Table([{"car": 1, "at": "10:left:1", "gear": 2}], to_play=[1], **said)
    assert (table.race.surface, table.race.fixed) == (surface, fixed)
