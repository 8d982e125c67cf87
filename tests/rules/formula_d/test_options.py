"""The options of the box, each a switch of its own."""

from __future__ import annotations

from typing import Any

import pytest

from companion import circuits
from companion.rules.conversation.errors import BadOverride, BadSetup
from companion.rules.dice.order import teams_of
from companion.rules.formula_d import STREET
from companion.rules.public import public
from companion.rules.rulebooks import begin
from companion.view.setup.draft import Draft, setup_of
from companion.wording import Words
from tests.rules.formula_d.tables import formula_d, grid, position, worn
from tests.table import WEAR, Table

# -- three laps


@pytest.mark.article("formula-d", "option.three-laps")
@pytest.mark.parametrize(("options", "laps"), [({}, 2), ({"three_laps": True}, 3), ({"three_laps": False}, 2)])
def test_a_race_has_two_laps_or_three(options: dict[str, Any], laps: int) -> None:
    setup = {"rulebook": "formula-d", "track": "monaco", "cars": [{"car": 1}], "options": options}
    assert begin(setup, circuits.load("monaco")).race.laps == laps
    draft = Draft(rulebook="formula-d", track="monaco", options=options)
    assert (draft.usual_laps, setup_of(draft)["laps"]) == (laps, laps)


@pytest.mark.article("formula-d", "option.three-laps")
@pytest.mark.parametrize(("lap", "stops"), [(0, False), (1, True), (2, True), (3, False)])
def test_in_three_laps_there_are_two_stops(lap: int, stops: bool) -> None:
    car = {"at": "20:right:1", "gear": 4, "lap": lap, "round_set": True, "box": 1}
    table = position(car, laps=3, options={"three_laps": True})
    assert table.rulebook.pits.may_enter(table.car(1)) is stops


def test_another_distance_than_three_laps_is_refused_in_both_languages() -> None:
    with pytest.raises(BadSetup) as refused:
        formula_d({"car": 1}, laps=2, options={"three_laps": True})
    assert Words("en").error(refused.value) == "With “three_laps” a race has 3 laps, not 2; change one of the two."
    assert Words("fr").error(refused.value).startswith("Avec «\u00a0three_laps\u00a0», une course a 3 tours, pas 2")


@pytest.mark.article("formula-d", "option.three-laps")
def test_a_position_may_be_of_another_distance_and_the_weather_is_checked_all_the_same() -> None:
    assert position({"at": "2:left:1", "gear": 3}, laps=2, options={"three_laps": True}).race.laps == 2
    with pytest.raises(BadSetup, match="without weather has sun"):
        formula_d({"car": 1}, laps=3, sky="rain", options={"three_laps": True})


# -- timed trials


@pytest.mark.article("formula-d", "option.trial")
def test_the_grid_is_the_order_of_the_trials_unless_the_setup_says_another() -> None:
    cars = ({"car": 3}, {"car": 1})
    table = formula_d(*cars, options={"trial": True})
    assert (table.race.grid, table.open) == ([3, 1], ("start", 3, "start"))
    assert formula_d(*cars, options={"trial": True}, grid=[1, 3]).race.grid == [1, 3]
    assert formula_d(*cars).open == ("test", 3, "grid")
    with pytest.raises(BadSetup, match="switch the option street on"):
        formula_d(*cars, options={"trial": True}, street={"1": "Jack Owens"})


# -- own car

MINE = {"tyres": 14, "brakes": 2, "gearbox": 1, "body": 1, "engine": 1, "handling": 1}


def own(*cars: dict[str, Any], **setup: Any) -> Table:
    return grid(*cars, options={"construction": True, **setup.pop("options", {})}, **setup)


@pytest.mark.article("formula-d", "option.construction")
def test_every_driver_spreads_his_points_pole_first() -> None:
    table = own({}, {})
    assert table.open is not None
    assert table.open[:2] == ("setup", 1)
    assert table.fields == {"tyres": [1, 14], **{part: [1, 7] for part in list(WEAR)[1:]}, "points": [20, 0]}
    assert table.options[0].answer == WEAR
    built = table.say(MINE)
    assert (built[0].kind, built[0].article) == ("build", "option.construction")
    assert table.open[:2] == ("setup", 2)
    table.say(table.options[0].answer)
    assert [(car.wear, car.built, car.stand) for car in table.race.cars] == [(MINE, MINE, 0), (WEAR, WEAR, 0)]
    assert table.ask == "start"


@pytest.mark.article("formula-d", "option.construction")
@pytest.mark.parametrize(
    ("points", "said"),
    [
        ({"tyres": 15, "brakes": 1}, "tyres holds 1 to 14 points, not 15"),
        ({"tyres": 8, "brakes": 8}, "brakes holds 1 to 7 points, not 8"),
        ({"brakes": 3}, "A car has 20 points; this one has 21"),
        ({"brakes": 1}, "A car has 20 points; this one has 19"),
        ({"brakes": 0, "gearbox": 3}, "Every part needs 1 or more; brakes has 0"),
        ({"brakes": 1, "stand": 1}, "A car has 20 points; this one has 19"),
    ],
)
def test_no_part_is_without_a_point_or_beyond_its_limit(points: dict[str, int], said: str) -> None:
    own({}, {}).refuses({**MINE, **points}, said)
    with pytest.raises(BadSetup, match=said):
        own({"wear": {**MINE, **{name: count for name, count in points.items() if name != "stand"}}}, {})


def test_a_setup_brings_a_car_built_and_a_position_has_one() -> None:
    table = own({"wear": MINE}, {})
    assert table.car(1).built == MINE
    assert table.open is not None
    assert table.open[:2] == ("setup", 2)
    table = position({"at": "2:left:1", "gear": 3, "wear": MINE, "built": MINE}, options={"construction": True})
    assert table.car(1).wear == MINE


def test_limits_of_the_table_hold_for_the_cars_that_are_offered() -> None:
    table = own({}, {}, options={"most_tyres": 5, "most_others": 4, "car_points": 24})
    for option in table.options:
        wear = {name: count for name, count in option.answer.items() if name != "stand"}
        assert sum(wear.values()) == 24
        assert wear["tyres"] <= 5
        assert max(wear.values()) <= 5
    with pytest.raises(BadSetup, match="A car of 24 points has room for 15"):
        own({}, options={"most_tyres": 5, "most_others": 2, "car_points": 24})


@pytest.mark.article("formula-d", "option.construction")
@pytest.mark.parametrize(
    ("points", "tyres", "others", "built"),
    [
        (20, 14, 7, (6, 3, 3, 3, 3, 2)), (20, 5, 5, (5, 3, 3, 3, 3, 3)), (22, 5, 5, (5, 4, 4, 3, 3, 3)),
        (18, 14, 7, (4, 3, 3, 3, 3, 2)), (17, 14, 7, (3, 3, 3, 3, 3, 2)),
    ],
)  # fmt: skip
def test_the_car_that_is_offered_first_keeps_to_the_points_and_limits_of_the_table(
    points: int, tyres: int, others: int, built: tuple[int, ...]
) -> None:
    table = own({}, options={"car_points": points, "most_tyres": tyres, "most_others": others})
    assert tuple(table.rulebook.preparing.usual_build().values()) == built
    assert tuple(table.options[0].answer[pool] for pool in table.race.pools) == built


# -- technical stop

STOP = {"stop_technical": True}


def at_box(options: dict[str, Any], **car: Any) -> Table:
    """Car 1 has reached its box in 5th."""
    table = position({"at": "20:right:1", "gear": 5, "box": 1, "round_set": True, **car}, options=options)
    table.say(5, 11)
    table.land("box:1")
    return table


@pytest.mark.article("formula-d", "option.stop-technical")
def test_a_technical_stop_brings_two_points_back_and_a_turn_later_the_car_leaves() -> None:
    table = at_box(STOP, **worn(tyres=1, body=1, engine=2))
    assert table.open == ("stop", 1, "")
    table.say("long")
    assert table.fields["stand"] == 2
    table.refuses({"body": 3})
    table.refuses({"tyres": 1})
    ruled = table.say({"body": 1, "engine": 1})
    assert [ruling.article for ruling in ruled if ruling.kind == "repair"] == ["option.stop-technical"]
    assert table.car(1).wear == WEAR | {"body": 2}
    assert table.car(1).stand == 0
    assert table.open == ("gear", 1, "leave")
    assert [option.answer for option in table.options] == [1, 2, 3, 4]


@pytest.mark.article("formula-d", "option.stop-technical")
@pytest.mark.parametrize(
    ("options", "car", "asks"),
    [
        ({}, worn(tyres=1, body=1), "test"),
        (STOP, worn(tyres=1, body=1), "stop"),
        (STOP, worn(tyres=1), "test"),
        (STOP, {**worn(tyres=1, body=1), "stand": 0}, "test"),
    ],
)
def test_where_nothing_can_be_brought_back_the_black_die_is_thrown_at_once(
    options: dict[str, Any], car: dict[str, Any], asks: str
) -> None:
    assert at_box(options, **car).ask == asks


@pytest.mark.article("formula-d", "option.stop-technical")
def test_two_points_are_for_the_whole_race_and_the_referee_can_set_them() -> None:
    table = at_box(STOP, **worn(body=1))
    table.say("long", {"body": 1})
    assert table.car(1).stand == 1
    table.talk.override({"car": 1, "stand": 2})
    assert table.car(1).stand == 2
    with pytest.raises(BadOverride, match="has 0 to 2 repair points, not 3"):
        table.talk.override({"car": 1, "stand": 3})
    with pytest.raises(BadOverride, match="stand cannot be set on a car"):
        at_box({}).talk.override({"car": 1, "stand": 1})


@pytest.mark.article("formula-d", "option.stop-technical")
def test_repairs_come_on_top_of_the_points_of_any_car() -> None:
    assert [car.stand for car in grid({}, {"wear": WEAR}, options=STOP).race.cars] == [2, 2]
    table = own({}, {"wear": MINE}, options=STOP)
    table.say(MINE)
    assert [(car.wear, car.stand) for car in table.race.cars] == [(MINE, 2), (MINE, 2)]


# -- teams

TEAMS = {"teams": True}
REDS = ({"team": "Red"}, {"team": "Blue"}, {"team": "Red"}, {"team": "Blue"})


@pytest.mark.article("formula-d", "option.teams")
def test_cars_of_no_team_pair_up_as_they_are_listed() -> None:
    cars = ({"team": "A"}, {}, {}, {"team": "Red"}, {}, {"team": "Red"})
    assert [car.team for car in grid(*cars, options=TEAMS).race.cars] == ["A", "B", "B", "Red", "C", "Red"]
    assert [car.team for car in grid(*cars).race.cars] == ["A", "", "", "Red", "", "Red"]
    with pytest.raises(BadSetup) as refused:
        grid(*({"team": "Red"},) * 3, options=TEAMS)
    assert Words("en").error(refused.value) == "A team has 2 cars; Red has 3."
    assert Words("fr").error(refused.value) == "Une écurie a 2 voitures ; Red en a 3."


def ended(*places: int, scored: tuple[int, ...] = ()) -> Table:
    """A race of the teams Red and Blue that was over in this order; the others were out before."""
    homes = {car: place for place, car in enumerate(places)}
    cars: list[dict[str, Any]] = []
    for number, car in enumerate(REDS, 1):
        lap = {"status": "finished", "lap": 3} if number in homes else {"status": "out"}
        cars.append({**car, **lap, "at": None} if number != 4 else {**car, "at": "2:left:1", "gear": 1, "lap": 1})
    options: dict[str, Any] = {**TEAMS, **({"points": scored} if scored else {})}
    table = position(*cars, home=list(places), options=options, to_play=[4])
    table.rulings += table.talk.override({"car": 4, "status": "out"})
    return table


@pytest.mark.article("formula-d", "option.teams")
def test_the_team_with_most_points_wins() -> None:
    table = ended(1, 2, 3)
    assert teams_of(table.rulebook.result()) == [(1, "Red", 16, (1, 3)), (2, "Blue", 8, (2, 4))]
    told = [one for one in table.rulings if one.kind == "team"]
    assert [(one.article, one.facts["team"], one.facts["points"]) for one in told] == [
        ("option.teams", "Red", 16),
        ("option.teams", "Blue", 8),
    ]
    face = public(table.rulebook)
    assert [team.team for team in face.teams] == ["Red", "Blue"]
    assert Words("en", "formula-d").ruling(told[0], {1: "Ada"}) == "Team Red is 1st, 16 points: 1 Ada and 3."
    assert Words("fr", "formula-d").ruling(told[1], {}) == "Écurie Blue : 2e place, 8 points (2 et 4)."


@pytest.mark.parametrize(
    ("places", "scored", "ranked"),
    [((2, 1, 3), (4, 2, 2), ["Blue", "Red"]), ((1, 2, 3), (4, 4), ["Red", "Blue"]), ((), (4, 4), ["Blue", "Red"])],
)
def test_of_level_teams_the_one_placed_best_stands_ahead(
    places: tuple[int, ...], scored: tuple[int, ...], ranked: list[str]
) -> None:
    found = teams_of(ended(*places, scored=scored).rulebook.result())
    assert [team.team for team in found] == ranked
    assert [team.place for team in found] == ([1, 2] if places else [1, 1])


@pytest.mark.article("formula-d", "option.teams")
def test_two_cars_share_four_points_at_one_stand() -> None:
    lost = worn(tyres=1, body=1, engine=1, handling=1)
    ahead = {"at": "20:right:1", "gear": 5, "round_set": True, "team": "Red", **lost}
    others = ({"team": "Blue", "at": "2:left:1"}, {"team": "Red", "at": "3:left:1"})
    table = position({**ahead, "box": 1}, *others, options=TEAMS | STOP)
    assert [car.stand for car in table.race.cars] == [4, 2, 4]
    table.say(5, 11)
    table.land("box:1")
    table.say("long")
    assert table.fields["stand"] == 2
    table.refuses({"body": 1, "engine": 1, "handling": 1})
    table.say({"body": 1, "engine": 1})
    assert [car.stand for car in table.race.cars] == [2, 2, 2]
    shared = table.ruling("stand")
    assert (shared.article, shared.car, shared.counts, shared.left) == ("option.teams", 3, {"stand": -2}, {"stand": 2})
    assert table.told("stand", "en") == "3 shares its repair points with 1: 2 points left."
    assert table.told("stand", "fr") == "3 partage le stand avec 1\N{NO-BREAK SPACE}: 2 points restent."
    ruled = table.talk.override({"car": 3, "stand": 3})
    assert [(one.car, one.counts) for one in ruled if one.kind == "stand"] == [(1, {"stand": 1})]
    assert [car.stand for car in table.race.cars] == [3, 2, 3]
    with pytest.raises(BadOverride, match="Cars 3 and 1 share the repair points of Red; they are 4 or 1"):
        table.talk.override({"cars": [{"car": 1, "stand": 1}, {"car": 3, "stand": 4}]})


@pytest.mark.article("formula-d", "option.teams")
def test_what_the_referee_sets_for_both_cars_of_a_team_needs_no_ruling_besides() -> None:
    lost = worn(body=1)
    cars = ({"at": "20:right:1", "team": "Red", **lost}, {"team": "Red", "at": "3:left:1", **lost})
    table = position(*cars, options=TEAMS | STOP)
    ruled = table.talk.override({"cars": [{"car": 1, "stand": 1}, {"car": 2, "stand": 1}]})
    assert [one.kind for one in ruled] == ["override"]
    assert [car.stand for car in table.race.cars] == [1, 1]


def test_the_cars_of_a_team_are_built_with_their_stand() -> None:
    assert [car.stand for car in grid({}, {}, {}, options=TEAMS | STOP).race.cars] == [4, 4, 2]
    assert [car.stand for car in grid({}, {}, options=TEAMS).race.cars] == [0, 0]
    table = own({"wear": MINE}, {}, options=TEAMS | STOP)
    table.say(MINE)
    assert [car.stand for car in table.race.cars] == [4, 4]


@pytest.mark.article("formula-d", "option.teams")
def test_a_car_left_over_is_said_to_race_alone() -> None:
    three = grid({}, {}, {}, options=TEAMS)
    assert [one.car for one in three.rulings if one.facts.get("moment") == "alone"] == [3]
    assert three.told("reminder", "en") == "3 has no team-mate and races alone."
    assert three.told("reminder", "fr") == "3 n’a pas de coéquipier et court seule."
    assert not [one for one in grid({}, {}, options=TEAMS).rulings if one.facts.get("moment") == "alone"]


def test_super_soft_tyres_are_refused_where_there_are_no_kinds_of_tyres() -> None:
    with pytest.raises(BadSetup) as refused:
        grid({}, {}, options={"super_soft": True})
    assert Words("en").error(refused.value).startswith("super_soft means something only with tyres; switch tyres on")
    assert Words("fr").error(refused.value).startswith("super_soft n’a de sens qu’avec tyres")


@pytest.mark.article("formula-d", "wear.pools", "option.construction")
@pytest.mark.parametrize("options", [{}, {"street": True}, {"construction": True}, {"boosters": True}])
def test_the_referee_gives_no_part_more_points_than_a_car_of_the_box_has(options: dict[str, Any]) -> None:
    cars = [{"car": number, "at": f"{number + 1}:left:1", "gear": 2, "lap": 1} for number in (1, 2)]
    table = position(*cars, options={**options, "car_points": 49} if "construction" in options else options)
    for pool, most in {"tyres": 14, "engine": 7}.items():
        with pytest.raises(BadOverride) as refused:
            table.talk.override({"car": 1, "built": {pool: most + 1}, "wear": {pool: most + 1}})
        assert Words("en").error(refused.value) == f"Car 1 is built of 0 to {most} {pool}, not {most + 1}."
        assert Words("fr").error(refused.value).startswith(f"La voiture 1 est construite avec 0 à {most} (")
        table.talk.override({"car": 1, "built": {pool: most}, "wear": {pool: most}})
        assert table.car(1).wear[pool] == most


@pytest.mark.parametrize("name", ["stand", "bought"])
def test_points_beside_a_car_that_is_not_built_are_not_set(name: str) -> None:
    table = own({}, {"wear": MINE}, options=TEAMS | STOP | {"boosters": True})
    with pytest.raises(BadOverride) as refused:
        table.talk.override({"car": 1, name: 1})
    assert Words("en").error(refused.value).startswith("Car 1 is not built yet")
    assert Words("fr").error(refused.value).startswith("La voiture 1 n’est pas encore configurée")


# -- weather

WEATHER = {"weather": True}


@pytest.mark.article("formula-d", "option.weather")
@pytest.mark.parametrize(
    ("face", "sky", "surface", "fixed"),
    [(1, "rain", "wet", True), (10, "changeable", "dry", False), (20, "sun", "dry", True)],
)
def test_pole_draws_the_weather_and_sun_or_rain_are_for_good(face: int, sky: str, surface: str, fixed: bool) -> None:
    table = grid({}, {}, options=WEATHER)
    assert table.open == ("test", 1, "weather")
    table.say(face)
    assert (table.race.sky, table.race.surface, table.race.fixed) == (sky, surface, fixed)
    assert table.ruling("weather").article == "option.weather"
    assert table.open == ("start", 1, "start")
    assert grid({}, {}).ask == "start", "without it nothing is drawn"
    assert grid({}, {}, options=WEATHER, sky="rain").race.surface == "wet"


@pytest.mark.article("formula-d", "option.weather-change")
@pytest.mark.parametrize(
    ("surface", "face", "sky", "then", "fixed"),
    [
        ("dry", 20, "sun", "dry", True),
        ("dry", 10, "changeable", "dry", False),
        ("dry", 1, "changeable", "wet", False),
        ("wet", 20, "changeable", "dry", False),
        ("wet", 10, "changeable", "wet", False),
        ("wet", 1, "rain", "wet", True),
    ],
)
def test_a_twenty_in_5th_moves_a_changeable_sky_a_rung(
    surface: str, face: int, sky: str, then: str, fixed: bool
) -> None:
    table = position({"at": "2:left:1", "gear": 5}, options=WEATHER, sky="changeable", surface=surface)
    table.say(5, 20)
    table.say(next(option.answer for option in table.options))
    while table.open != ("test", 1, "weather"):
        table.say(20)
    table.say(face)
    assert (table.race.sky, table.race.surface, table.race.fixed) == (sky, then, fixed)
    assert table.ruling("weather").article == "option.weather-change"


@pytest.mark.article("formula-d", "option.rain")
@pytest.mark.parametrize(("sky", "collision", "engine", "handling"), [("sun", 1, 4, 4), ("rain", 2, 3, 5)])
def test_a_wet_track_makes_tests_harder_and_nobody_slides(sky: str, collision: int, engine: int, handling: int) -> None:
    table = position({"at": "2:left:1", "gear": 3}, options=WEATHER, sky=sky)
    book = table.rulebook
    assert book.collisions.loses_to(table.car(1), table.car(1), aggravated=False) == collision
    assert (book.tests.engine_to(), book.tests.handling_to()) == (engine, handling)
    assert book.tyres.slide(table.car(1)) == 0


@pytest.mark.article("formula-d", "option.weather")
def test_the_referee_sets_the_sky_only_where_there_is_weather() -> None:
    table = position({"at": "2:left:1", "gear": 3}, options=WEATHER, sky="changeable")
    table.talk.override({"sky": "rain"})
    assert table.race.surface == "wet"
    with pytest.raises(BadOverride, match="sky cannot be set"):
        position({"at": "2:left:1", "gear": 3}).talk.override({"sky": "rain"})


# -- street drivers

STREETS = {"street": True}
OWENS = dict(zip(WEAR, (9, 2, 2, 2, 3, 2), strict=True))


@pytest.mark.article("formula-d", "option.street")
def test_a_street_driver_brings_the_car_of_his_card_pole_first() -> None:
    table = grid({}, {}, options=STREETS)
    assert table.open == ("card", 1, "street")
    assert [option.answer for option in table.options] == list(STREET)
    assert table.options[1].facts == {"built": OWENS}
    table.refuses("Jack Owen")
    ruled = table.say("Jack Owens")
    assert [(one.kind, one.article) for one in ruled] == [("build", "option.street"), ("reminder", "ruling 26")]
    assert (
        Words("en", "formula-d").ruling(ruled[0], {})
        == "1: Jack Owens, tyres 9, brakes 2, gearbox 2, body 2, engine 3, handling 2."
    )
    assert table.car(1).built == table.car(1).wear == OWENS
    assert table.open == ("card", 2, "street")
    assert "Jack Owens" not in [option.answer for option in table.options]
    table.say("Derek Manson")
    assert table.ask == "start"
    assert table.race.street == {"1": "Jack Owens", "2": "Derek Manson"}


@pytest.mark.article("formula-d", "option.street")
@pytest.mark.parametrize(("name", "points"), STREET.items())
def test_a_setup_names_a_card_and_nothing_is_asked(name: str, points: tuple[int, ...]) -> None:
    table = grid({}, options=STREETS | STOP, street={"1": name})
    assert table.ask == "start"
    assert tuple(table.car(1).wear.values()) == points
    assert table.car(1).stand == 2
    cars = [{"car": 1, "at": "2:left:1", "gear": 3}]
    setup = {"rulebook": "formula-d", "track": "monaco", "cars": cars, "to_play": [1]}
    car = begin({**setup, "options": STREETS, "street": {"1": name}}, circuits.load("monaco")).car(1)
    assert tuple(car.built.values()) == tuple(car.wear.values()) == points


@pytest.mark.parametrize(
    ("cars", "street", "options", "said"),
    [
        (1, {"1": "Ayrton"}, STREETS, "There is no street driver called Ayrton"),
        (1, {"3": "Jack Owens"}, STREETS, "there is no car 3"),
        (2, {"1": "Jack Owens", "2": "Jack Owens"}, STREETS, "Two cars have the card of Jack Owens"),
        (1, {"1": "Jack Owens"}, {}, "switch the option street on as well"),
        (1, {}, STREETS | {"construction": True}, "street and construction exclude each other"),
    ],
)
def test_cards_that_cannot_be_are_refused(
    cars: int, street: dict[str, str], options: dict[str, Any], said: str
) -> None:
    with pytest.raises(BadSetup) as refused:
        grid(*({},) * cars, options=options, street=street)
    assert said in str(refused.value)
    assert Words("fr").error(refused.value) != str(refused.value)


def test_more_cars_than_cards_and_other_points_than_those_of_a_card_are_refused() -> None:
    with pytest.raises(BadSetup, match="There are 10 street drivers; 11 cars are too many"):
        grid(*({},) * 11, options=STREETS, track="monza")
    with pytest.raises(BadSetup, match="a street car has the points of its card, this one tyres 9, brakes 2"):
        grid({"wear": WEAR}, options=STREETS, street={"1": "Jack Owens"})
    assert grid({"wear": OWENS}, options=STREETS, street={"1": "Jack Owens"}).car(1).built == OWENS


# -- what a slip of the pen would change


@pytest.mark.article("formula-d", "pits.tyres")
def test_a_stop_that_brings_nothing_tells_no_points() -> None:
    assert at_box({}).ruling("box").wear == {}


@pytest.mark.article("formula-d", "option.stop-technical")
@pytest.mark.parametrize(("car", "dice"), [(worn(body=1), None), ({}, ["quick_stop"]), (worn(tyres=1), ["quick_stop"])])
def test_the_black_die_of_a_stop_is_foretold_where_nothing_can_be_repaired(
    car: dict[str, Any], dice: list[str] | None
) -> None:
    book = position({"at": "20:right:1", "gear": 5, "box": 1, **car}, options=STOP).rulebook
    found = book.pits.foretell_stop(book.car(1))
    assert (None if found is None else [one.kind for one in found]) == dice


@pytest.mark.article("formula-d", "option.street", "option.teams", "option.trial")
def test_the_cards_of_street_drivers_are_checked_with_other_options_too() -> None:
    street = {"street": True}
    cars = tuple({"car": number} for number in range(1, 11))
    assert formula_d(*cars, options={**street, "trial": True}).race.grid == list(range(1, 11))
    with pytest.raises(BadSetup, match="no street driver called Nobody"):
        formula_d(*cars[:2], options={**street, **TEAMS}, street={"1": "Nobody"})
    with pytest.raises(BadSetup, match="has the points of its card"):
        formula_d({"car": 1, "wear": WEAR}, options=street)
    setup = {"rulebook": "formula-d", "track": "monaco", "laps": 2, "to_play": [1], "options": street}
    setup["cars"] = [{"car": 1, "at": "2:left:1", "wear": {"tyres": 2}}, {"car": 2, "at": "3:left:1"}]
    found = begin({**setup, "street": {"1": "Jack Owens"}}, circuits.load("monaco")).race.cars
    assert (found[0].built["tyres"], found[0].wear["tyres"], found[1].built) == (9, 2, WEAR)


@pytest.mark.article("formula-d", "option.construction", "option.stop-technical")
def test_an_own_car_has_its_points_and_those_of_its_stand() -> None:
    both = {"construction": True, **STOP}
    built = {**WEAR, "tyres": 7}
    with pytest.raises(BadSetup, match="built of 21 points, with 2 for repairs; 22 are the most"):
        position({"at": "2:left:1", "gear": 3, "wear": built, "built": built, "stand": 2}, options=both)
    with pytest.raises(BadSetup, match="A car has 20 points"):
        own({"wear": {**MINE, "tyres": 13}}, options=STOP)


@pytest.mark.article("formula-d", "setup.grid", "option.teams")
def test_a_position_of_teams_is_checked_as_any_other() -> None:
    with pytest.raises(BadSetup, match='"grid" lists every car of the race once'):
        formula_d({"car": 1}, {"car": 2}, grid=[1])
    with pytest.raises(BadSetup, match='"home" lists cars of the race'):
        position({"at": "2:left:1", "gear": 3}, home=[9])
    cars = ({"at": "2:left:1", "gear": 3}, {"at": "3:left:1"}, {"at": "4:left:1"})
    with pytest.raises(BadSetup, match="tyres can be 0 to 5"):
        position({**cars[0], "wear": WEAR, "built": {**WEAR, "tyres": 5}}, *cars[1:], options=TEAMS)
    table = position(*cars, options=TEAMS)
    table.talk.override({"car": 2, "wear": {"body": 0}})
    assert table.car(2).status == "out"


@pytest.mark.article("formula-d", "option.weather", "option.weather-change")
def test_the_weather_is_drawn_once_the_grid_is_known_and_a_changeable_sky_begins_dry() -> None:
    assert formula_d({"car": 1}, {"car": 2}, options=WEATHER).open == ("test", 1, "grid")
    table = grid({}, {}, options=WEATHER, sky="changeable")
    assert (table.race.surface, table.ask) == ("dry", "start")
    assert (table.ruling("surface").article, table.ruling("surface").facts) == (
        "option.weather-change",
        {"surface": "dry"},
    )
    book = table.rulebook
    book.weather.evolve(book.car(1), 10, "changeable")
    assert [ruling.kind for ruling in book.ruled] == ["weather"]
    book.weather.evolve(book.car(1), 1, "rain")
    assert [(ruling.kind, ruling.article) for ruling in book.ruled[1:]] == [
        ("weather", "option.weather-change"),
        ("surface", "option.rain"),
    ]
    assert book.ruled[-1].facts == {"surface": "wet"}


@pytest.mark.article("formula-d", "option.weather")
def test_a_setup_that_names_the_track_but_no_sky_has_the_weather_drawn() -> None:
    assert grid({}, options=WEATHER, surface="wet").open == ("test", 1, "weather")


@pytest.mark.article("formula-d", "option.teams")
def test_of_teams_without_points_one_with_a_placed_car_stands_ahead() -> None:
    cars = ({"team": "Red", "at": None, "status": "out"}, {"team": "Blue", "at": "2:left:1", "gear": 1})
    table = position(*cars, options={**TEAMS, "points": [0, 0]}, to_play=[2])
    table.talk.override({"cut_short": "now"})
    rows = [(row["team"], row["place"], row["team_place"]) for row in table.rulebook.result()]
    assert rows == [("Blue", 1, 1), ("Red", None, 2)]


@pytest.mark.article("formula-d", "option.teams", "option.stop-technical")
def test_a_car_that_is_not_built_yet_has_no_stand_to_share() -> None:
    for built, other in ((1, 2), (2, 1)):
        cars = {built: {"wear": MINE, "team": "Red"}, other: {"team": "Red"}}
        table = own(cars[1], cars[2], options=TEAMS | STOP)
        with pytest.raises(BadOverride, match=f"Car {other} is not built yet"):
            table.talk.override({"cars": [{"car": built, "stand": 1}, {"car": other, "stand": 3}]})
        table.talk.override({"car": built, "stand": 1})
        table.say(MINE)
        assert (table.car(other).built, table.car(1).stand, table.car(2).stand) == (MINE, 1, 1)
