"""Before the start: boxes, cars built of points, tyres, the grid. Articles 2, 4, 5 and 22."""

from __future__ import annotations

import pytest

from companion.circuits import find, load
from companion.rules.conversation.errors import BadOverride, BadSetup
from companion.rules.conversation.kinds import POOLS
from companion.rules.rulebooks import begin
from tests.table import WEAR, Table, Talking

THREE = [{"car": 7}, {"car": 3}, {"car": 5}]
BUILT = {**WEAR, "stand": 2}


@pytest.mark.article("competition", "4-0-1", "4-0-2")
def test_boxes_are_chosen_in_grid_order_each_once_and_before_the_cars() -> None:
    table = Table(THREE, sky="sun")
    assert table.open == ("box", 7, "")
    assert [option.answer for option in table.options] == list(range(1, 11))
    table.say(4)
    assert table.open == ("box", 3, "")
    table.refuses(4, "This question allows")
    for nonsense in (0, 11, "4", True, None, [5]):
        table.refuses(nonsense)
    table.say(10)
    assert table.open == ("box", 5, "")
    table.say(1)
    assert [car.box for car in table.race.cars] == [4, 10, 1]
    assert table.ruling("box", 3).facts == {"box": 10}
    assert table.ask == "setup"


@pytest.mark.article("competition", "4-0-1")
def test_where_a_circuit_has_no_boxes_none_is_chosen() -> None:
    sheet = find("spa").read_text("utf-8").replace("\nboxes   = 10\n", "\nboxes = 0\n")
    table = Table([{"car": 1}, {"car": 2}], track=sheet, sky="sun")
    assert table.open == ("setup", 1, "")


@pytest.mark.article("competition", "4-0-1", "4-0-2")
def test_more_cars_than_boxes_share_them() -> None:
    """Ruling 90: by team, else in grid order again; here on a corner sheet with two boxes left."""
    sheet = find("spa").read_text("utf-8")
    assert "\nboxes   = 10\n" in sheet
    cars = [{"car": 1, "team": "A"}, {"car": 2, "team": "B"}, {"car": 3, "team": "B"}, {"car": 4}]
    table = Table(cars, track=sheet.replace("\nboxes   = 10\n", "\nboxes = 2\n"), sky="sun")
    table.say(2)
    table.refuses(2)
    table.say(1)
    assert [option.answer for option in table.options] == [1]  # car 3 shares with its team
    table.say(1)
    assert [option.answer for option in table.options] == [2]  # the box that fewer have
    table.say(2)
    assert [car.box for car in table.race.cars] == [2, 1, 1, 2]


@pytest.mark.article("competition", "5-0-1", "5-0-2", "5-3", "0-0-4")
def test_a_car_is_built_of_six_pools() -> None:
    table = Table([{"car": 7, "box": 1}], sky="sun")
    assert table.open == ("setup", 7, "")
    question = table.talk.question
    assert question is not None
    assert question.fields == {**{pool: [1, 22] for pool in POOLS}, "stand": [0, 2], "points": [20, 2]}
    assert POOLS == ("tyres", "brakes", "gearbox", "body", "engine", "handling")
    assert [tuple(option.answer.items()) for option in table.options] == [
        tuple(zip((*POOLS, "stand"), shares, strict=True))
        for shares in ((6, 3, 3, 3, 3, 2, 2), (9, 3, 2, 2, 2, 2, 2), (5, 4, 3, 2, 4, 2, 2))
    ]
    table.say(BUILT)
    car = table.car(7)
    assert (car.wear, car.built, car.stand) == (WEAR, WEAR, 2)
    assert table.ruling("build").article == "5-0-2"
    assert table.ask == "tyres"


@pytest.mark.article("competition", "5-0-2")
def test_a_car_of_a_position_that_says_nothing_of_its_build_is_the_usual_one() -> None:
    placed = {"car": 7, "at": "0:left:1", "lap": 1, "gear": 2, "wear": {}}
    table = Table([placed, {**placed, "car": 3, "at": "0:left:2", "wear": {"engine": 1}}], track="monaco", to_play=[7])
    usual = dict(zip(POOLS, (6, 3, 3, 3, 3, 2), strict=True))
    assert (table.car(7).wear, table.car(7).built) == (usual, usual)
    assert table.car(3).wear == {**usual, "engine": 1}
    more = Table([placed], track="monaco", to_play=[7], options={"car_points": 22})
    assert more.car(7).wear == {**usual, "tyres": 8}


@pytest.mark.article("competition", "5-0-2", "5-2", "5-3")
@pytest.mark.parametrize(
    ("change", "stand"),
    [({}, 2), ({"tyres": 7}, 1), ({"tyres": 8}, 0), ({"tyres": 7, "brakes": 4}, 0), ({"handling": 1, "tyres": 7}, 2)],
)
def test_points_of_the_stand_may_start_on_the_car(change: dict[str, int], stand: int) -> None:
    for answer in ({**WEAR, **change}, {**WEAR, **change, "stand": stand}):
        table = Table([{"car": 7, "box": 1}], sky="sun")
        table.say(answer)
        assert table.car(7).stand == stand
        assert table.car(7).wear == {**WEAR, **change}


@pytest.mark.article("competition", "5-0-2", "5-2", "5-3")
@pytest.mark.parametrize(
    ("answer", "match"),
    [
        ({**BUILT, "tyres": 9}, "has 20 points, or up to 22 with its repair points; this one has 23"),
        ({**BUILT, "tyres": 7}, "With 21 points on the car its repair points are 1; 2 would make 23"),
        ({**BUILT, "tyres": 8, "stand": 1}, "With 22 points on the car its repair points are 0"),
        ({**BUILT, "tyres": 5}, "this one has 19"),
        ({**BUILT, "stand": 1}, "With 20 points on the car its repair points are 2"),
        ({**BUILT, "stand": 3}, "repair points are 2"),
        ({**BUILT, "handling": 0, "tyres": 8}, "needs 1 or more; handling has 0"),
        ({**BUILT, "handling": -1, "tyres": 9}, "needs 1 or more; handling has -1"),
        ({**BUILT, "wings": 1}, "unknown: wings"),
        ({"tyres": 20}, "missing: brakes, gearbox, body, engine, handling"),
        ({**BUILT, "tyres": 6.0}, "whole number"),
        ({**BUILT, "handling": True, "tyres": 7}, "whole number"),
        ({**BUILT, "tyres": "6"}, "whole number"),
        (20, "by pool"),
        (None, "by pool"),
        ([], "by pool"),
    ],
)
def test_a_car_that_cannot_be_built(answer: object, match: str) -> None:
    Table([{"car": 7, "box": 1}], sky="sun").refuses(answer, match)


@pytest.mark.article("competition", "5-1-1", "5-2")
def test_before_the_start_no_part_is_left_without_its_minimum_by_the_referees_word() -> None:
    table = Table([{"car": 7, "box": 1}], sky="sun", options={"pool_minimum": 2})
    table.say(BUILT)
    for part, points in (("body", 0), ("tyres", 1)):
        with pytest.raises(BadOverride, match=f"Car 7: Every part needs 2 or more; {part} has {points}"):
            table.talk.override({"car": 7, "wear": {part: points}})
    assert table.car(7).wear == WEAR
    table.talk.override({"car": 7, "wear": {"body": 2}})
    table.say("hard")
    table.talk.override({"car": 7, "wear": {"tyres": 0}})  # once the race has begun they may be worn out
    assert table.car(7).wear["tyres"] == 0


@pytest.mark.article("competition", "5-1-1")
def test_in_the_league_no_car_starts_without_a_part_it_races_with() -> None:
    race = Talking(begin({"rulebook": "league", "cars": [{"car": 7}, {"car": 3}], "sky": "sun"}, load("monaco")))
    race.say(20, 10, 1, 2)
    assert race.race.phase == "setup"
    with pytest.raises(BadOverride, match="Car 7 has no body point left"):
        race.talk.override({"car": 7, "wear": {"body": 0}})
    race.talk.override({"car": 7, "wear": {"body": 1}})


@pytest.mark.article("competition", "5-0-2", "5-2")
@pytest.mark.parametrize(
    ("points", "least", "usual"),
    [
        (20, 1, (6, 3, 3, 3, 3, 2)),
        (20, 3, (5, 3, 3, 3, 3, 3)),
        (30, 3, (15, 3, 3, 3, 3, 3)),
        (12, 1, (1, 2, 2, 2, 3, 2)),
        (12, 2, (2, 2, 2, 2, 2, 2)),
        (6, 1, (1, 1, 1, 1, 1, 1)),
    ],
)
def test_whatever_the_figures_give_no_car_has_less_than_the_minimum(
    points: int, least: int, usual: tuple[int, ...]
) -> None:
    """Too little for the usual shares comes off the fullest pools; every car that is offered can be built."""
    table = Table([{"car": 7, "box": 1}], sky="sun", options={"car_points": points, "pool_minimum": least})
    assert table.rulebook.preparing.usual_build() == dict(zip(POOLS, usual, strict=True))
    offered = [option.answer for option in table.options]
    assert offered
    for answer in offered:
        assert offered.count(answer) == 1
        assert sum(answer.values()) == points + 2
        assert min(answer[pool] for pool in POOLS) >= least
        begin({"sky": "sun", "cars": [{"car": 7, "wear": {pool: answer[pool] for pool in POOLS}}],
               "options": {"car_points": points, "pool_minimum": least}}, load("monaco"))  # fmt: skip
    position = Table(
        [{"car": 7, "at": "0:left:1", "wear": {}}], to_play=[7], options={"car_points": points, "pool_minimum": least}
    )
    assert position.car(7).wear == dict(zip(POOLS, usual, strict=True))


@pytest.mark.article("competition", "5-0-2", "5-2")
@pytest.mark.parametrize(("points", "least"), [(8, 2), (11, 2), (29, 5)])
def test_figures_of_which_no_car_can_be_built_are_refused(points: int, least: int) -> None:
    match = f"A car of {points} points cannot have {least} in each of its six parts; that takes {6 * least}"
    with pytest.raises(BadSetup, match=match):
        Table([{"car": 7}], options={"car_points": points, "pool_minimum": least})


@pytest.mark.article("competition", "3-0-1", "2-0-1", "4-0-1", "2-0-3")
def test_the_order_of_the_preparation() -> None:
    table = Table([{"car": 7}, {"car": 3}])
    asked = []
    answers = {"test": 20, "setup": BUILT, "tyres": "soft"}
    while table.ask != "start":
        asked.append((table.ask, table.open[1] if table.open else None))
        table.say(answers.get(str(table.ask), table.options[0].answer if table.options else None))
    assert asked == [
        ("test", 7),
        ("box", 7),
        ("box", 3),
        ("setup", 7),
        ("setup", 3),
        ("tyres", 7),
        ("tyres", 3),
    ]
    assert table.car(3).tyres == "soft"


@pytest.mark.article("competition", "2-0-3", "0-0-1")
def test_three_laps_from_the_grid_pole_first() -> None:
    cars = [{"car": n, "wear": dict(WEAR), "tyres": "hard", "box": n} for n in (4, 2, 9)]
    assert begin({"cars": cars}, load("monaco")).race.laps == 3
    table = Table(cars, sky="sun")
    assert [(car.number, car.at, car.lap) for car in table.race.cars] == [
        (4, "20:left:16", 0),
        (2, "20:right:16", 0),
        (9, "20:left:13", 0),
    ]
    grid = [ruling for ruling in table.rulings if ruling.kind == "grid"]
    assert [(r.article, r.car, r.facts["place"]) for r in grid] == [("2-0-3", 4, 1), ("2-0-3", 2, 2), ("2-0-3", 9, 3)]


@pytest.mark.article("competition", "22-0-1", "22-0-2", "3-1-5", "6-1-3", "6-3-1", "6-3-2")
def test_people_are_reminded_once_of_what_only_they_can_see_to() -> None:
    cars = [{"car": n, "wear": dict(WEAR), "tyres": "hard", "box": n} for n in (1, 2)]
    table = Table(cars)

    def reminders() -> list[str]:
        return [ruling.article for ruling in table.rulings if ruling.kind == "reminder"]

    assert reminders() == ["3-1-5", "22-0-1", "22-0-2"]  # with the first question of all
    table.say(20)
    assert table.open == ("start", 1, "start")
    assert len(reminders()) == 3
    table.say(10)
    assert table.open == ("roll", 1, "gear_1")
    assert reminders()[3:] == ["6-1-3", "6-3-1", "6-3-2"]  # with the first gear die
    table.say(1)
    table.say(table.options[0].answer)
    table.until("roll", 10)
    assert len(reminders()) == 6


@pytest.mark.article("competition", "5-0-2")
def test_what_a_position_says_of_a_build_stands() -> None:
    placed = {"car": 7, "at": "0:left:1", "lap": 1, "gear": 2, "wear": {}, "built": {"tyres": 8}}
    table = Table([placed], to_play=[7])
    assert (table.car(7).built, table.car(7).wear) == ({**WEAR, "tyres": 8}, {**WEAR, "tyres": 8})


@pytest.mark.article("competition", "5-0-2", "5-3")
@pytest.mark.parametrize(("tyres", "stand"), [(6, 2), (7, 1), (8, 0), (3, 2)])
def test_a_stand_keeps_what_the_car_was_not_built_with(tyres: int, stand: int) -> None:
    """Also where a position has a car of fewer points than any may be built with."""
    placed = {"car": 7, "at": "0:left:1", "lap": 1, "gear": 2, "wear": {}, "built": {**WEAR, "tyres": tyres}}
    assert Table([placed], to_play=[7]).car(7).stand == stand


@pytest.mark.article("competition", "4-0-1", "4-0-2")
def test_without_teams_boxes_are_shared_in_grid_order() -> None:
    sheet = find("spa").read_text("utf-8").replace("\nboxes   = 10\n", "\nboxes = 3\n")
    table = Table([{"car": number} for number in range(1, 7)], track=sheet, sky="sun")
    table.say(2, 1, 3, 3)
    assert [option.answer for option in table.options] == [1, 2]
    table.say(1)
    assert [option.answer for option in table.options] == [2]


@pytest.mark.article("competition", "5-0-2", "5-2")
def test_a_car_that_is_not_written_whole_is_told_what_is_missing_and_what_is_not_known() -> None:
    table = Table([{"car": 7, "box": 1}], sky="sun")
    few = {pool: points for pool, points in WEAR.items() if pool != "tyres"}
    table.refuses({**BUILT, "wings": 1}, "^A car has [a-z, ]+ and repair points .+; unknown: wings.$")
    table.refuses(few, "^A car has [a-z, ]+ and repair points .+; missing: tyres.$")


@pytest.mark.article("competition", "2-0-3")
def test_the_grid_is_kept_in_the_order_in_which_it_stands() -> None:
    """A car that the setup has put elsewhere stays there."""
    built = {"wear": dict(WEAR), "tyres": "hard"}
    cars = [
        {"car": 7, "box": 1, **built},
        {"car": 3, "box": 2, "at": "20:left:9", **built},
        {"car": 5, "box": 3, **built},
    ]
    table = Table(cars, sky="sun")
    grid = [load("monaco").spaces[space].name for space in load("monaco").grid]
    assert [(car.at, car.arrived) for car in table.race.cars] == [(grid[0], 1), ("20:left:9", 2), (grid[2], 3)]
    assert table.race.turn == 3
    assert table.race.told[:2] == ["setup", "start"]
