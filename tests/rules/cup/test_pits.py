"""The pits: entering, what is declared, the columns of the grid, the phase after the track, and leaving."""

from __future__ import annotations

from typing import Any

import pytest

from companion.wording import Words
from tests.rules.cup.boards import CUP, race
from tests.table import WEAR, Table

NEAR = {"car": 1, "gear": 3, "at": "4:left:10"}
AWAY = {"car": 9, "at": "2:right:1", "gear": 3}
WORN = {"tyres": 1, "brakes": 1, "gearbox": 3, "body": 2, "engine": 1, "handling": 2}


def enters(*others: dict[str, Any], face: int = 8, box: str = "box:4", **car: Any) -> Table:
    """Car 1 drives into the pits; its driver has still to declare."""
    options = car.pop("options", {})
    table = race({**NEAR, "wear": WORN, "built": WEAR, **car}, *others, AWAY, options=options)
    table.say(3, face)
    table.land(box)
    return table


def column(table: Table, name: str) -> list[int]:
    found: list[int] = getattr(table.race, name)
    return found


def round_of(table: Table) -> None:
    """Every car on the track plays its turn out, without going anywhere in particular."""
    now = table.race.round
    while table.talk.question is not None and table.race.round == now:
        ask = table.ask
        if ask == "gear" and table.open[2] != "leave":  # type: ignore[index]
            table.say(table.options[0].answer)
        elif ask == "roll":
            assert table.talk.question.faces is not None
            table.say(table.talk.question.faces[0])
        elif ask == "landing":
            table.say(table.options[0].answer)
        elif ask in ("kers", "slipstream"):
            table.say(None)
        elif ask == "test":
            table.say(20)
        else:
            return


@pytest.mark.article("cup", "pit.optional", "pit.entry")
def test_open_at_the_end_of_any_lap_but_the_last_to_a_die_that_reaches_the_entry() -> None:
    assert "box:4" in spaces(face=4)
    assert not {space for space in spaces(face=4, at="4:left:5") if space.startswith("box")}
    assert not {space for space in spaces(lap=3) if space.startswith("box")}
    assert not {space for space in spaces(lap=0) if space.startswith("box")}


def spaces(face: int = 8, **car: Any) -> set[str]:
    table = race({**NEAR, **car}, AWAY)
    table.say(3, face)
    return table.spaces()


@pytest.mark.article("cup", "pit.entry")
def test_whoever_reaches_an_entry_beyond_his_own_box_is_in_the_pits() -> None:
    track = CUP.replace('["4:left:13", 1]', '["4:left:13", 9]')
    table = race({**NEAR, "at": "4:left:13"}, AWAY, track=track)
    table.say(3, 4)
    assert "box:4" in table.spaces()


@pytest.mark.article("cup", "pit.entry")
def test_the_soft_space_may_reach_the_entry_too() -> None:
    table = race({**NEAR, "at": "4:left:8", "tyres": "soft"}, AWAY)
    table.say(3, 4)
    assert [option.answer["soft"] for option in table.options if option.answer["space"] == "box:4"] == [1]


@pytest.mark.article("cup", "pit.entry", "kers.spend", "drs.move")
def test_neither_kers_nor_drs_brings_a_car_in_that_the_die_has_not() -> None:
    table = race({**NEAR, "at": "4:left:5", "kers": 2}, AWAY)
    table.say(3, 7)
    table.land("4:left:12")
    assert (table.open, table.spaces()) == (("kers", 1, "kers_1"), {"4:left:13", "4:middle:12"})
    near = race({**NEAR, "gear": 1, "at": "4:left:11", "kers": 2}, AWAY)
    near.say(1, 1)
    near.land("4:left:12")
    assert near.spaces() == {"4:left:13", "4:middle:12"}
    ahead = {"car": 2, "at": "4:left:12", "gear": 4}
    table = race({"car": 1, "gear": 4, "at": "4:left:4"}, ahead, AWAY)
    table.say(4, 7)
    table.land("4:left:11")
    assert table.open == ("slipstream", 1, "tow_1")
    assert all(space.startswith("4:") for brakes in (0, 1, 2) for space in table.spaces(brakes))


@pytest.mark.article("cup", "pit.entry", "pit.declare", "kers.points")
def test_tyres_are_back_at_once_the_lap_is_complete_and_the_car_is_on_the_grid() -> None:
    table = enters()
    car = table.car(1)
    assert (car.at, car.status, car.wear["tyres"], car.kers) == ("box:4", "box", 6, 2)  # type: ignore[attr-defined]
    assert column(table, "pitting") == [1]
    assert table.open == ("tyres", 1, "")
    table.say("soft")
    assert table.open == ("stop", 1, "")
    assert (car.tyres, car.tyre_laps) == ("soft", 0) or table.car(1).tyres == "soft"


@pytest.mark.article("cup", "pit.entry", "kers.points")
def test_tyres_that_have_lost_nothing_give_nothing_back() -> None:
    assert enters().ruling("box").wear == {"tyres": 5}
    assert enters(wear=WEAR).ruling("box").wear == {}


@pytest.mark.article("cup", "pit.entry", "kers.points", "race.laps")
def test_beyond_the_line_the_lap_brings_its_kers_once() -> None:
    """The line before the box has brought it already."""
    table = race({**NEAR, "at": "4:left:16"}, AWAY, track=ACROSS, options={"kers_most": 9})
    table.say(3, 8)
    table.land("box:4")
    assert (table.car(1).lap, table.car(1).kers) == (2, 2)  # type: ignore[attr-defined]


@pytest.mark.article("cup", "pit.declare", "pit.full", "pit.quick")
def test_the_kinds_of_stop_say_what_they_are() -> None:
    table = enters()
    table.say("soft")
    assert table.option("full").facts == {"stand": 3}
    assert table.option("quick").facts == {"botched_to": 5, "minimal_to": 15}


@pytest.mark.article("cup", "pit.full", "pit.engine-cost")
def test_three_repair_points_by_the_pit_column() -> None:
    table = enters()
    table.say("soft", "full")
    assert table.ask == "repair"
    assert table.fields["cost"] == {"brakes": 1, "gearbox": 1, "body": 1, "engine": 2, "handling": 1}
    assert (table.fields["brakes"], table.fields["engine"], table.fields["stand"]) == ([0, 2], [0, 1], 3)
    table.refuses({"engine": 2}, "by the pit column these cost 4")
    table.refuses({"gearbox": 1}, "has lost 0 of gearbox")
    table.refuses({"tyres": 1}, "cannot be repaired")
    table.refuses([], "by pool")
    table.say({"engine": 1})
    assert (table.car(1).wear["engine"], table.car(1).bonus) == (2, 1)  # type: ignore[attr-defined]
    assert table.ruling("repair").facts["stand"] == 1


@pytest.mark.article("cup", "pit.full", "pit.exit")
def test_a_full_stop_asks_only_for_repairs_that_there_are() -> None:
    table = enters({"car": 2, "at": "2:left:1", "gear": 1}, wear=WEAR)
    table.say("soft", "full")
    car: Any = table.car(1)
    assert (table.ask, car.service, car.bonus) == ("gear", "full", 3)
    none = enters(options={"repair_points": 0})
    none.say("soft", "full")
    assert none.ask == "gear"


@pytest.mark.article("cup", "pit.full")
def test_the_best_repairs_are_offered_and_none_beyond_the_points() -> None:
    table = enters()
    table.say("soft", "full")
    costs = [
        option.answer.get("engine", 0) * 2 + sum(v for k, v in option.answer.items() if k != "engine")
        for option in table.options
    ]
    assert costs == sorted(costs, reverse=True)
    assert max(costs) == 3
    assert table.options[-1].answer == {}
    assert sorted(sorted(option.answer.items()) for option in table.options) == [
        [],
        [("body", 1)],
        [("body", 1), ("brakes", 1)],
        [("body", 1), ("brakes", 2)],
        [("body", 1), ("engine", 1)],
        [("brakes", 1)],
        [("brakes", 1), ("engine", 1)],
        [("brakes", 2)],
        [("engine", 1)],
    ]


@pytest.mark.article("cup", "pit.phase", "pit.full", "pit.exit", "pit.close-up")
def test_a_full_stop_stands_in_exit_at_the_end_of_the_round_and_leaves_in_the_next() -> None:
    table = enters()
    table.say("soft", "full", {})
    assert column(table, "leaving") == [1]  # the round is over: it has moved on
    assert table.open == ("gear", 9, "")
    round_of(table)
    assert table.open == ("gear", 1, "leave")
    assert table.fields == {"bonus": 3}
    assert [option.answer for option in table.options] == [1, 2, 3, 4]


def parked(*others: dict[str, Any], options: dict[str, Any] | None = None, **car: Any) -> Table:
    """Car 1 stands in Pit Lane Exit and plays."""
    one = {"car": 1, "at": "box:4", "status": "box", "stop": "long", "leaves": 1, "service": "full", **car}
    return race(one, *others, AWAY, leaving=[1], to_play=[1], options=options or {})


@pytest.mark.article("cup", "pit.exit", "pit.suspended", "pit.lane-next")
def test_off_the_grid_by_the_die_and_a_space_for_each_point_not_used() -> None:
    table = parked(bonus=2, kers=2, tyres="soft")
    table.say(2, 3)
    assert table.open == ("landing", 1, "spaces_5")
    assert {(option.answer["space"], option.answer["brakes"], option.answer["soft"]) for option in table.options} == {
        ("pit:11", 0, 0)
    }
    table.land("pit:11")
    assert (table.car(1).status, column(table, "leaving")) == ("pit", [])
    assert (
        table.told("move", "en") == "1 rolls 3, has 2 more for its repair points, and drives 5 spaces to pit lane 11."
    )
    french = "1 fait 3, 2 de plus pour ses points de réparation, et avance de 5 cases\u00a0: ligne des stands 11."
    assert table.told("move", "fr") == french
    assert table.open == ("gear", 9, "")  # neither KERS nor DRS
    round_of(table)
    assert table.open == ("gear", 1, "leave")
    table.say(4, 7)
    assert {space.partition(":")[0] for space in table.spaces()} == {"0"}


@pytest.mark.article("cup", "pit.exit")
@pytest.mark.parametrize("track", [CUP, "spa"])
def test_the_spaces_for_points_are_told_with_those_of_the_die(track: str) -> None:
    away = AWAY if track == CUP else {**AWAY, "at": "after:3"}
    out = {"car": 1, "at": "box:4", "status": "box", "stop": "long", "leaves": 1, "bonus": 3}
    table = race(out, away, track=track, leaving=[1])
    table.say(4, 8)
    table.say(table.options[0].answer)
    move = table.ruling("move", 1)
    assert (move.facts["rolled"], move.facts["bonus"], move.facts["moved"]) == (8, 3, 11)
    for lang, said in (
        ("en", "1 rolls 8, has 3 more for its repair points, and drives 11 spaces"),
        ("fr", "1 fait 8, 3 de plus pour ses points de réparation, et avance de 11 cases"),
    ):
        assert Words(lang, "cup").ruling(move).startswith(said)


@pytest.mark.article("cup", "pit.exit")
def test_each_point_may_be_worth_more_spaces() -> None:
    table = parked(bonus=2, options={"bonus_spaces": 2})
    table.say(1, 1)
    assert table.open == ("landing", 1, "spaces_5")


@pytest.mark.article("cup", "pit.exit", "pit.suspended")
def test_behind_another_car_it_waits_at_no_cost() -> None:
    table = parked({"car": 2, "at": "pit:9", "status": "pit", "gear": 1})
    table.say(4, 12)
    table.land("pit:8")
    assert table.car(1).wear == WEAR
    held = parked({"car": 2, "at": "pit:7", "status": "pit", "gear": 1})
    held.say(4, 12)
    held.land("box:4")
    assert (held.car(1).status, column(held, "leaving")) == ("box", [1])
    round_of(held)
    assert held.race.round == 1 or held.open is not None


@pytest.mark.article("cup", "pit.suspended")
def test_no_collisions_brakes_engines_or_markers_in_the_pits() -> None:
    table = parked({"car": 2, "at": "pit:9", "status": "pit", "gear": 6})
    table.say(4, 12)
    assert {option.answer["brakes"] for option in table.options} == {0}
    table.land("pit:8")
    assert "collision" not in table.kinds()
    fast = parked(options={"leave_gear": 6})
    fast.rulebook.wear.mark("box:4", "handling.marker", fast.car(1))
    assert fast.race.dangers == []


@pytest.mark.article("cup", "pit.suspended", "pit.exit", "brake.any-time")
def test_on_the_way_out_what_lies_beyond_the_lane_may_be_braked_away() -> None:
    """In the lane braking rests, on the track it does not: of six spaces the first three lie in the lane."""
    table = race({"car": 1, "at": "pit:10", "status": "pit", "gear": 4}, AWAY)
    table.say(3, 6)
    assert {option.answer["brakes"] for option in table.options} == {0, 1, 2}
    assert not any(option.answer["space"].startswith("pit") for option in table.options)
    table.land("0:left:1", brakes=2)
    assert (table.car(1).status, table.car(1).wear["brakes"]) == ("racing", 1)


@pytest.mark.article("cup", "pit.suspended", "engine.trigger", "weather.check")
@pytest.mark.parametrize(("face", "due"), [(20, [1]), (19, [])])
def test_a_twenty_on_the_way_out_of_the_pits_turns_the_weather_but_tests_no_engine(face: int, due: list[int]) -> None:
    fast = parked({"car": 2, "at": "2:left:9", "gear": 6, "lap": 1}, options={"leave_gear": 6})
    fast.say(5, face)
    assert (fast.race.due, "flat_out" in fast.kinds()) == (due, False)
    fast.say(fast.options[0].answer)
    assert (fast.open == ("test", 1, "weather")) is bool(due)


@pytest.mark.article("cup", "pit.suspended", "pit.lane-next")
def test_the_gear_is_free_in_the_lane() -> None:
    table = race({"car": 1, "at": "pit:8", "status": "pit", "gear": 4, "wear": {**WEAR, "gearbox": 0}}, AWAY)
    assert table.open == ("gear", 1, "leave")
    assert [option.answer for option in table.options] == [1, 2, 3, 4]


@pytest.mark.article("cup", "pit.exit", "pit.entry", "pit.optional", "pit.lane-next")
def test_in_the_lane_no_points_are_left_to_use_and_no_stop_to_make() -> None:
    table = race({"car": 1, "at": "pit:2", "status": "pit", "gear": 4, "bonus": 2, "stop": "left"}, AWAY, to_play=[1])
    assert table.fields == {"bonus": 0}
    table.say(4, 8)
    assert (table.open, table.spaces()) == (("landing", 1, "spaces_8"), {"pit:10"})


@pytest.mark.article("cup", "pit.quick")
@pytest.mark.parametrize(
    ("face", "service", "leaves"), [(1, "botched", 3), (5, "botched", 3), (6, "minimal", 2), (15, "minimal", 2)]
)
def test_what_the_die_makes_of_a_quick_stop(face: int, service: str, leaves: int) -> None:
    table = enters({"car": 2, "at": "2:left:1", "gear": 1})
    table.say("soft", "quick")
    assert table.fields == {"botched_to": 5, "minimal_to": 15}
    table.say(face)
    assert table.ruling("quick_stop").facts == {"face": face, "service": service}
    assert (table.car(1).service, table.car(1).leaves) == (service, leaves)  # type: ignore[attr-defined]
    assert column(table, "pitting" if service == "botched" else "leaving") == [1]


@pytest.mark.article("cup", "pit.quick")
@pytest.mark.parametrize(
    ("bands", "en", "fr"),
    [
        ({}, "botched on 1–5, full advantage over 15", "raté sur 1–5, plein avantage au-dessus de 15"),
        ({"botched_to": 0}, "full advantage over 15", "plein avantage au-dessus de 15"),
        ({"botched_to": 0, "minimal_to": 0}, "full advantage over 0", "plein avantage au-dessus de 0"),
    ],
)
def test_the_die_of_a_quick_stop_says_its_bands_as_the_table_has_set_them(
    bands: dict[str, int], en: str, fr: str
) -> None:
    table = enters(options=bands)
    table.say("soft", "quick")
    asked = table.talk.asked
    assert asked is not None
    assert Words("en", "cup").question(asked) == f"1: quick stop, roll the black die ({en})"
    assert Words("fr", "cup").question(asked).endswith(f"lancez le dé noir ({fr})")


@pytest.mark.article("cup", "pit.quick", "pit.phase")
def test_a_full_advantage_leaves_in_the_same_round() -> None:
    table = enters()
    table.say("soft", "quick", 16)
    assert (table.race.round, table.open) == (1, ("gear", 1, "leave"))


@pytest.mark.article("cup", "pit.phase", "pit.quick")
def test_a_botched_stop_leaves_a_round_after_a_full_one() -> None:
    table = enters()
    table.say("soft", "quick", 1)
    assert column(table, "pitting") == [1]
    left = []
    while table.open != ("gear", 1, "leave"):
        left.append(table.race.round)
        round_of(table)
    assert (left, table.race.round) == ([2, 3], 3)


def grid_of(*services: str, **more: Any) -> Table:
    """Cars 2, 3, ... stand in Pit Lane Exit by the stops that they have made, and car 1 comes in."""
    others = [
        {"car": number, "at": f"box:{number - 1}", "status": "box", "stop": "long", "service": service, "leaves": 5}
        for number, service in enumerate(services, 2)
    ]
    leaving = [car["car"] for car in others]
    table = race({**NEAR, "wear": WORN, "built": WEAR}, *others, AWAY, leaving=leaving, **more)
    table.say(3, 8)
    table.say(next(option.answer for option in table.options if option.answer["space"].startswith("box")))
    return table


@pytest.mark.article("cup", "pit.quick-order", "pit.rows")
def test_minimal_goes_ahead_of_full_and_botched_and_behind_earlier_minimal_ones() -> None:
    table = grid_of("minimal", "full", "botched")
    table.say("soft", "quick", 10)
    assert column(table, "leaving") == [2, 1, 3, 4]
    assert [table.car(number).at for number in (2, 1, 3, 4)] == ["box:4", "box:3", "box:2", "box:1"]
    assert table.ruling("pit_grid").facts == {"column": "exit", "row": 2}
    assert [(one.car, one.facts) for one in table.rulings if one.kind == "close_up"] == [
        (3, {"column": "exit", "row": 3}), (4, {"column": "exit", "row": 4})
    ]  # fmt: skip
    assert table.told("close_up", "en") == "4 is now in row 4 of Pit Lane Exit."
    assert table.told("close_up", "fr") == "4 est désormais au rang 4 de la sortie des stands."


@pytest.mark.article("cup", "pit.quick-order", "pit.quick")
def test_a_full_advantage_goes_to_the_head_behind_an_earlier_one() -> None:
    table = grid_of("advantage", "minimal", "full")
    table.say("soft", "quick", 20)
    assert column(table, "leaving") == [2, 1, 3, 4]


@pytest.mark.article("cup", "pit.rows", "pit.entry")
def test_whoever_finds_no_place_stands_at_the_end() -> None:
    table = grid_of("full", "full", "full", "full")
    assert table.car(1).at == "box:1"
    assert table.car(5).at == "box:1"
    kept = [{"car": n, "at": "box:1", "status": "box", "stop": "long", "leaves": 9} for n in (1, 2)]
    assert race(*kept, AWAY, to_play=[9], leaving=[1, 2]).race.leaving == [1, 2]


@pytest.mark.article("cup", "pit.close-up", "pit.phase")
def test_whoever_stays_in_car_pitting_closes_up_behind_the_others() -> None:
    """Ruling 27: car 2 has made a full stop, car 3 a botched one."""
    cars = [
        {"car": 2, "at": "box:4", "status": "box", "stop": "long", "leaves": 2, "service": "full"},
        {"car": 3, "at": "box:3", "status": "box", "stop": "long", "leaves": 3, "service": "botched"},
    ]
    table = race(*cars, AWAY, to_play=[9], pitting=[2, 3])
    round_of(table)
    assert (column(table, "leaving"), column(table, "pitting")) == ([2], [3])
    told = [(ruling.car, ruling.facts) for ruling in table.rulings if ruling.kind == "close_up"]
    assert told == [(3, {"column": "pitting", "row": 1})]


@pytest.mark.article("cup", "pit.close-up", "pit.rows")
def test_gaps_close_when_a_car_leaves_or_is_taken_off() -> None:
    table = parked({"car": 2, "at": "box:3", "status": "box", "stop": "long", "leaves": 9}, bonus=0)
    assert column(table, "leaving") == [1, 2]
    table.say(2, 3)
    table.land("pit:9")
    assert (column(table, "leaving"), table.car(2).at) == ([2], "box:4")
    assert table.told("close_up", "en") == "2 is now in row 1 of Pit Lane Exit."
    table.talk.override({"car": 2, "status": "out"})
    assert column(table, "leaving") == []


ACROSS = (
    CUP.replace('[["4:left:12", 1], ["4:left:13", 1]]', '[["4:left:20", 1]]')
    .replace("spaces  = 14", "spaces  = 10")
    .replace("[4, 5, 6, 7]", "[2, 3, 7, 8]")
    .replace('[[13, "0:left:1"], [14, "0:left:2"]]', '[[9, "0:left:6"], [10, "0:left:7"]]')
)
"""The same board with two places of the grid before the line and two beyond it."""


@pytest.mark.article("cup", "race.laps", "pit.close-up", "kers.points")
def test_whoever_moves_up_over_the_line_on_the_grid_has_done_the_lap() -> None:
    cars = [
        {"car": n, "at": f"box:{6 - n}", "lap": 2, "status": "box", "stop": "long", "leaves": 1, "service": "full"}
        for n in (2, 3)
    ]
    table = race({**NEAR, "at": "4:left:16"}, *cars, AWAY, track=ACROSS, leaving=[2, 3])
    track = table.rulebook.track
    assert [track.past_line(box) for box in track.pit.boxes] == [False, False, True, True]  # type: ignore[union-attr]
    table.say(3, 8)
    table.land("box:2")
    table.say("soft", "full")
    car = table.car(1)
    assert (car.at, car.lap, car.fresh, car.kers) == ("box:2", 1, True, 2)  # type: ignore[attr-defined]
    while table.car(1).at == "box:2":
        round_of(table)
        if table.ask == "gear":
            table.say(4)
    assert table.car(1).at in ("box:3", "box:4")
    car = table.car(1)
    assert (car.lap, car.tyre_laps, car.fresh, car.kers) == (2, 0, False, 2)  # type: ignore[attr-defined]
    assert table.ruling("lap", 1).facts == {"lap": 2, "tyre_laps": 0}


@pytest.mark.article("cup", "race.laps", "pit.quick-order", "pit.close-up")
@pytest.mark.parametrize(("lap", "back"), [(2, 1), (3, 2)])
def test_whoever_is_pushed_back_behind_the_line_has_it_before_him_again(lap: int, back: int) -> None:
    exits = [
        {"car": n, "at": f"box:{6 - n}", "lap": lap, "status": "box", "stop": "long", "leaves": 9, "service": service}
        for n, service in ((2, "minimal"), (3, "full"))
    ]
    table = race({**NEAR, "at": "4:left:16"}, *exits, AWAY, track=ACROSS, leaving=[2, 3])
    table.say(3, 8)
    table.land("box:2")
    table.say("soft", "quick", 10)
    assert (column(table, "leaving"), table.car(1).at, table.car(3).at) == ([2, 1, 3], "box:3", "box:2")
    assert [(table.car(n).lap, table.car(n).fresh) for n in (1, 3)] == [(2, False), (back, True)]


@pytest.mark.article("cup", "race.laps", "pit.close-up", "kers.points")
def test_without_a_stop_its_tyres_age_by_that_and_the_lap_brings_kers() -> None:
    parked = {"car": 2, "at": "box:4", "lap": 2, "status": "box", "stop": "long", "leaves": 9}
    table = race({**NEAR, "at": "box:2", "lap": 1, "status": "box", "stop": "long", "leaves": 9}, parked, AWAY,
                 track=ACROSS, to_play=[9], leaving=[2, 1])  # fmt: skip
    table.talk.override({"car": 2, "at": "2:left:1"})
    car = table.car(1)
    assert (car.at, car.lap, car.tyre_laps, car.kers) == ("box:4", 2, 1, 2)  # type: ignore[attr-defined]


@pytest.mark.article("cup", "pit.close-up", "pit.rows")
def test_whom_the_referee_puts_in_the_pits_leaves_in_the_next_round() -> None:
    table = race({**NEAR}, AWAY)
    table.talk.override({"car": 9, "at": "box:1"})
    assert (column(table, "leaving"), table.car(9).at, table.car(9).leaves) == ([9], "box:4", 2)  # type: ignore[attr-defined]
    table.talk.override({"car": 9, "at": "2:left:1"})
    assert (column(table, "leaving"), table.car(9).status) == ([], "racing")


@pytest.mark.article("cup", "pit.close-up", "pit.rows")
def test_whom_the_referee_takes_off_the_grid_has_made_no_stop() -> None:
    """From either column; the others close up."""
    cars = [
        {"car": n, "at": f"box:{6 - n}", "status": "box", "stop": "long", "leaves": 9, "service": "full", "bonus": 2}
        for n in (2, 3, 4)
    ]
    table = race(NEAR, *cars, AWAY, leaving=[2], pitting=[3, 4])
    table.talk.override({"car": 3, "at": "2:left:5"})
    assert (column(table, "leaving"), column(table, "pitting"), table.car(4).at) == ([2], [4], "box:3")
    found: list[Any] = [table.car(n) for n in (3, 4)]
    assert [(car.box, car.leaves, car.bonus, car.service) for car in found] == [(0, 0, 0, ""), (3, 9, 2, "full")]


@pytest.mark.article("cup", "pit.phase", "pit.lane-next", "order.position")
def test_first_the_track_then_the_lane_the_nearest_first_then_exit_from_its_top() -> None:
    cars = [
        {"car": 1, "at": "box:4", "status": "box", "stop": "long", "leaves": 1},
        {"car": 2, "at": "box:3", "status": "box", "stop": "long", "leaves": 1},
        {"car": 3, "at": "box:2", "status": "box", "stop": "long", "leaves": 2},
        {"car": 4, "at": "pit:9", "status": "pit", "gear": 2},
        {"car": 5, "at": "pit:12", "status": "pit", "gear": 2},
        {"car": 6, "at": "2:left:1", "gear": 2},
    ]
    table = race(*cars, to_play=(), leaving=[1, 2, 3])
    assert table.open == ("gear", 6, "")
    assert table.rulebook.to_play() == [6, 5, 4, 1, 2]


@pytest.mark.article("cup", "pit.phase", "pit.full")
def test_a_round_in_which_nobody_can_play_passes_all_the_same() -> None:
    table = race({**NEAR, "wear": WORN, "built": WEAR})
    table.say(3, 8)
    table.land("box:4")
    table.say("soft", "quick", 1)
    assert (table.race.round, table.open) == (3, ("gear", 1, "leave"))


@pytest.mark.article("cup", "pit.phase", "order.position")
def test_in_the_pits_the_order_is_that_of_the_road() -> None:
    cars = [
        {"car": 1, "at": "box:4", "status": "box", "stop": "long", "leaves": 9},
        {"car": 2, "at": "4:right:20", "gear": 2},
    ]
    table = race(*cars, to_play=[2], leaving=[1])
    assert table.rulebook.running_order() == [2, 1]


@pytest.mark.article("cup", "pit.exit", "tyres.dry")
def test_the_way_out_ages_no_tyres_and_gives_no_kers_again() -> None:
    table = enters(box="box:4")
    table.say("soft", "quick", 20)
    table.say(4, 10)
    table.land(next(space for space in table.spaces() if space.startswith("0:")))
    car = table.car(1)
    assert (car.lap, car.tyre_laps, car.kers, car.status) == (2, 0, 2, "racing")  # type: ignore[attr-defined]
    assert "flag" not in table.kinds()


@pytest.mark.article("cup", "pit.exit", "pit.suspended", "drs.conditions", "kers.spend")
def test_what_rests_on_the_way_out_is_back_with_the_next_turn() -> None:
    """Behind another car in 4th, in a zone, with KERS and on new soft tyres."""
    zones = [[0], [4]]
    one = {"car": 1, "at": "pit:10", "status": "pit", "gear": 4, "kers": 1, "tyres": "soft", "stop": "left"}
    out = race(one, {"car": 2, "at": "0:left:5", "gear": 4}, to_play=[1], zones=zones)
    out.say(4, 7)
    assert not out.spaces(soft=1)
    out.land("0:left:4")
    assert out.ask == "test"  # neither DRS nor KERS
    again = race({**one, "at": "4:left:16", "status": "racing"}, {"car": 2, "at": "4:left:24", "gear": 4}, zones=zones)
    again.say(4, 7)
    assert again.spaces(soft=1)
    again.land("4:left:23")
    assert again.ask == "slipstream"
    again.say(None)
    assert again.ask == "kers"


@pytest.mark.article("cup", "pit.phase", "pit.close-up", "pit.rows")
def test_whoever_moves_on_before_an_earlier_one_stands_before_it_at_once() -> None:
    """A botched stop stays in Car Pitting while a full one that came later moves on."""
    cars = [
        {"car": n, "at": f"box:{6 - n}", "status": "box", "stop": "long", "leaves": leaves}
        for n, leaves in ((2, 9), (3, 2))
    ]
    table = race({"car": 9, "at": "2:right:1", "gear": 1}, *cars, to_play=[9], pitting=[2, 3])
    assert [table.car(n).at for n in (2, 3)] == ["box:4", "box:3"]
    round_of(table)
    assert (column(table, "leaving"), column(table, "pitting")) == ([3], [2])
    assert [table.car(n).at for n in (2, 3)] == ["box:3", "box:4"]


@pytest.mark.article("cup", "pit.phase", "pit.lane-next", "order.position")
def test_exit_plays_from_its_top_however_the_cars_are_numbered_and_behind_any_in_the_lane() -> None:
    cars = [
        {"car": 1, "at": "box:3", "status": "box", "stop": "long", "leaves": 1},
        {"car": 2, "at": "box:4", "status": "box", "stop": "long", "leaves": 1},
        {"car": 3, "at": "pit:9", "status": "pit", "gear": 2},
        {"car": 6, "at": "2:left:1", "gear": 2},
    ]
    table = race(*cars, to_play=(), leaving=[2, 1])
    assert table.rulebook.to_play() == [6, 3, 2, 1]


@pytest.mark.article("cup", "pit.phase")
def test_the_order_that_the_referee_calls_holds_in_the_cup() -> None:
    others = ({"car": n, "at": f"2:left:{n}", "gear": 2} for n in (3, 4))
    table = race({"car": 2, "at": "2:left:8", "gear": 2}, *others, to_play=[2, 4, 3])
    table.talk.override({"order": [3, 2, 4]})
    assert table.open == ("gear", 3, "")


@pytest.mark.article("cup", "pit.quick", "pit.phase")
def test_only_a_full_advantage_has_not_played_yet() -> None:
    for face, played in ((16, []), (8, [1]), (1, [1])):
        table = race({**NEAR, "wear": WORN, "built": WEAR}, AWAY, to_play=[1, 9])
        table.say(3, 8)
        table.land("box:4")
        table.say("soft", "quick", face)
        assert (table.open, table.race.played) == (("gear", 9, ""), played)


@pytest.mark.article("cup", "pit.quick", "pit.phase", "pit.exit")
def test_whoever_waits_on_the_grid_behind_another_has_had_its_turn() -> None:
    held = parked({"car": 2, "at": "pit:7", "status": "pit", "gear": 1})
    held.say(4, 12)
    held.land("box:4")
    assert held.car(1).status == "box"
    assert held.open != ("gear", 1, "leave")


@pytest.mark.article("cup", "pit.quick")
def test_a_car_that_the_referee_takes_off_the_grid_makes_no_more_of_its_quick_stop() -> None:
    table = enters()
    table.say("soft", "quick")
    assert table.ask == "test"
    table.talk.override({"car": 1, "at": "2:left:5"})
    if table.open is not None and table.open[:2] == ("test", 1):
        table.say(20)
    assert (column(table, "leaving"), column(table, "pitting")) == ([], [])


@pytest.mark.article("cup", "order.position", "pit.phase")
def test_a_round_counts_from_the_place_of_its_first_car_along_the_lap() -> None:
    table = race({"car": 1, "gear": 2, "at": "0:middle:1"}, to_play=[1])
    assert table.race.sweep == 0  # the first space past the line


@pytest.mark.article("cup", "pit.phase")
@pytest.mark.parametrize("to_play", [[2, 1, 9], [1, 2, 9], [1, 9, 2]])
def test_whose_stop_is_not_done_is_not_called_onto_the_track(to_play: list[int]) -> None:
    """Ruling 27, whatever an order says of a car in Car Pitting."""
    parked = {"car": 2, "at": "box:4", "status": "box", "stop": "long", "leaves": 9, "service": "full"}
    table = race(NEAR, AWAY, parked, to_play=to_play, pitting=[2])
    assert (table.open, table.rulebook.to_play()) == (("gear", 1, ""), [1, 9])
    table.talk.override({"order": [2, 9, 1]})
    assert (table.open, table.rulebook.to_play()) == (("gear", 9, ""), [9, 1])
