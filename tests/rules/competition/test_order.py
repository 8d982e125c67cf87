"""Who plays next: level cars, lapped cars, a new leader in mid-round. Articles 0-0-2 and 6-2.

Places on Monaco in half spaces past the line: section 10, the straight before the Chicane, has its left lane at
134 + 2n for space n, the middle lane at 133 + 2n, the right lane at 132 + 2n; so left n is level with right n + 1.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.competition.boards import TOW
from tests.rules.competition.test_short_sheets import sheet
from tests.table import WEAR, Table


def place(lane: str, number: int) -> str:
    return f"10:{lane}:{number}"


def cars(*cars: tuple[int, str, int, int], **setup: Any) -> Table:
    """Cars on the long straight: number, lane, space, lap; all in 2nd."""
    setup.setdefault("to_play", [])
    return Table(
        [{"car": n, "at": place(lane, number), "lap": lap, "gear": 2} for n, lane, number, lap in cars], **setup
    )


def play(table: Table, car: int, face: int, to: str, gear: int = 2) -> list[str]:
    """One whole turn; returns the rulings' kinds that name another car's turn."""
    assert table.open == ("gear", car, ""), table.open
    before = len(table.rulings)
    table.say(gear, face)
    table.land(to)
    table.until("gear")
    return [f"{r.kind} {r.car}" for r in table.rulings[before:] if r.kind in ("lost_turn", "plays_again")]


def next_car(table: Table) -> int | None:
    return table.open[1] if table.open else None


@pytest.mark.article("competition", "6-2-2", "0-0-2")
def test_a_round_is_played_from_the_leader_backwards() -> None:
    table = cars((1, "left", 2, 1), (2, "left", 9, 1), (3, "left", 5, 1))
    assert table.rulebook.running_order() == [2, 3, 1]
    play(table, 2, 2, place("left", 11))
    play(table, 3, 2, place("left", 7))
    assert table.race.round == 1
    play(table, 1, 2, place("left", 4))
    assert (next_car(table), table.race.round) == (2, 2)
    assert [r.facts for r in table.rulings if r.kind == "round"] == [{"round": 1}, {"round": 2}]
    assert table.ruling("round").article == "0-0-2"


@pytest.mark.article("competition", "6-2-2")
def test_whoever_passes_the_leader_plays_first_in_the_next_round() -> None:
    table = cars((1, "left", 5, 1), (2, "right", 4, 1))
    play(table, 1, 2, place("left", 7))
    assert play(table, 2, 5, place("right", 9), gear=3) == []  # 150, car 1 stands at 148
    assert next_car(table) == 2
    assert table.rulebook.running_order() == [2, 1]


@pytest.mark.article("competition", "6-2-2", "0-0-2")
def test_more_laps_come_before_more_spaces() -> None:
    table = cars((1, "left", 20, 1), (2, "left", 2, 2))
    assert table.rulebook.running_order() == [2, 1]
    assert next_car(table) == 2


@pytest.mark.article("competition", "6-2-3")
def test_of_level_cars_the_higher_gear_plays_first() -> None:
    def level(gear: int) -> Table:
        left, right = place("left", 5), place("right", 6)  # both at 144
        return Table([{"car": 1, "at": left, "gear": 3}, {"car": 2, "at": right, "gear": gear}], to_play=[])

    assert next_car(level(4)) == 2
    assert next_car(level(2)) == 1
    assert next_car(level(3)) == 1  # the same gear: the one that got there first, here the first in the list
    assert level(4).rulebook.running_order() == [2, 1]


@pytest.mark.article("competition", "6-2-3")
def test_of_level_cars_in_one_gear_the_one_that_got_there_first_plays_first() -> None:
    """Ruling 8: both come to 150 in 2nd, car 1 in the earlier turn, though car 2 stood before it in the list."""
    table = cars((2, "right", 6, 1), (1, "left", 6, 1))
    play(table, 1, 2, place("left", 8))
    play(table, 2, 3, place("right", 9))
    assert [table.car(n).arrived for n in (1, 2)] == [3, 4]  # the turns after the two that brought them there
    assert table.rulebook.running_order() == [1, 2]
    assert next_car(table) == 1


@pytest.mark.article("competition", "6-2-3")
def test_staying_put_keeps_the_arrival() -> None:
    """Ruling 8: car 2 came level later; car 1 then stands still on brakes and keeps its earlier arrival."""
    table = Table(
        [
            {"car": 2, "at": place("right", 6), "gear": 2, "arrived": 9},
            {"car": 1, "at": place("left", 5), "gear": 2, "arrived": 4},
        ],
        to_play=[],
    )
    assert next_car(table) == 1
    table.say(2, 2)
    table.land(place("left", 5), brakes=2)
    table.until("gear")
    assert next_car(table) == 2
    assert table.rulebook.running_order() == [1, 2]
    table.say(2, 2)
    table.land(place("right", 6), brakes=2)
    table.until("gear")
    assert (next_car(table), table.race.round) == (1, 2)


@pytest.mark.article("competition", "9-1-3", "6-2-3")
def test_a_stalled_car_plays_after_a_level_one() -> None:
    """Ruling 9: whatever its gear; here the other is in 1st."""
    table = Table(
        [
            {"car": 1, "at": "20:left:13", "lap": 0, "status": "stalled", "gear": 2},
            {"car": 2, "at": "20:right:14", "lap": 0, "gear": 1},
        ],
        to_play=[],
    )
    assert table.rulebook.running_order() == [2, 1]
    assert next_car(table) == 2


@pytest.mark.article("competition", "6-2-3")
def test_a_spun_car_counts_as_1st_only_once_the_round_is_over() -> None:
    """Ruling 10: in its old gear until then."""

    def level(**spun: Any) -> list[int]:
        table = Table(
            [
                {"car": 1, "at": place("right", 6), "gear": 2},
                {"car": 2, "at": place("left", 5), "status": "spun", **spun},
            ],
            to_play=[1],
        )
        return table.rulebook.running_order()

    assert level(gear=5) == [2, 1]
    assert level(gear=1, turned=True) == [1, 2]


@pytest.mark.article("competition", "6-2-4")
def test_around_the_pits_their_own_rule_stands_above_the_general_one() -> None:
    """On the road the car in lane space 4 is ahead; the one on the track past the limit plays first all the same."""
    table = Table(
        [
            {"car": 1, "at": "pit:4", "gear": 3, "box": 5},
            {"car": 2, "at": "20:left:2", "gear": 3},
            {"car": 3, "at": "20:right:2", "gear": 6},
        ],
        to_play=[],
    )
    track = table.rulebook.track
    assert track.place[track.ids["pit:4"]] > track.place[track.ids["20:left:2"]]
    assert table.rulebook.running_order() == [2, 1, 3]


def four() -> Table:
    """Cars 1, 2 and 3 on their second lap, car 4 a lap behind and just ahead of the leader on the board."""
    return cars((1, "left", 3, 2), (2, "middle", 2, 2), (3, "right", 1, 2), (4, "right", 6, 1))


@pytest.mark.article("competition", "6-2-5", "0-0-2")
def test_the_example_with_four_cars() -> None:
    """The printed rounds: 1 (passes 4), 2 (passes 4), 3 | 1, 2, 4 (passes 2), 3 | 1, 4 (passes 1), 2, 3, 4 |
    1, 2, 3, 4. Places: round 1 begins at 140, 137, 134 and 144."""
    table = four()
    assert play(table, 1, 4, place("left", 7)) == ["lost_turn 4"]  # 148
    assert table.ruling("lost_turn").article == "6-2-5"
    assert play(table, 2, 4, place("middle", 6)) == []  # 145: passes 4 as well, who has lost his turn already
    assert table.race.round == 1
    assert play(table, 3, 2, place("right", 3)) == []  # 138

    assert play(table, 1, 3, place("left", 10)) == []  # 154
    assert table.race.round == 2
    assert play(table, 2, 2, place("middle", 8)) == []  # 149
    assert play(table, 4, 4, place("right", 10)) == []  # 152: passes 2, who does not lead
    assert play(table, 3, 2, place("right", 5)) == []  # 142

    assert play(table, 1, 2, place("left", 12)) == []  # 158
    assert table.race.round == 3
    assert play(table, 4, 5, place("right", 15), gear=3) == ["plays_again 4"]  # 162: passes the leader again
    assert table.ruling("plays_again").article == "6-2-5"
    assert play(table, 2, 2, place("middle", 10)) == []
    assert play(table, 3, 2, place("right", 7)) == []
    assert table.race.round == 3
    assert play(table, 4, 4, place("right", 19), gear=3) == []
    assert (next_car(table), table.race.round) == (1, 4)

    play(table, 1, 2, place("left", 14))
    play(table, 2, 2, place("middle", 12))
    play(table, 3, 2, place("right", 9))
    assert play(table, 4, 4, place("right", 23), gear=3) == []
    assert (next_car(table), table.race.round) == (1, 5)


@pytest.mark.article("competition", "6-2-5")
def test_a_lapped_car_that_is_not_reached_plays_at_the_end() -> None:
    table = cars((1, "left", 3, 2), (3, "right", 1, 2), (4, "right", 9, 1))
    assert play(table, 1, 4, place("left", 7)) == []  # 148, car 4 stands at 150
    play(table, 3, 2, place("right", 3))
    assert (next_car(table), table.race.round) == (4, 1)


@pytest.mark.article("competition", "6-2-5", "6-2-3")
@pytest.mark.parametrize(("gear", "lost"), [(2, []), (1, ["lost_turn 4"]), (4, [])])
def test_coming_level_with_a_lapped_car(gear: int, lost: list[str]) -> None:
    """Left 7 and right 8 are level: the leader (2nd gear, later there) has passed only a car in a lower gear."""
    table = Table(
        [
            {"car": 1, "at": place("left", 3), "gear": 2, "lap": 2},
            {"car": 4, "at": place("right", 8), "gear": gear, "lap": 1},
        ],
        to_play=[],
    )
    assert play(table, 1, 4, place("left", 7)) == lost
    assert next_car(table) == (1 if lost else 4)


@pytest.mark.article("competition", "6-2-5", "6-2-3")
@pytest.mark.parametrize(("gear", "brakes", "order"), [(3, 2, [3, 4]), (1, 2, [4, 3]), (2, 0, [4, 3])])
def test_a_lapped_car_level_with_the_leader(gear: int, brakes: int, order: list[int]) -> None:
    """Ruling 6: in the higher gear it is just ahead of one who stays there, and plays last; else it is the next behind
    him, also if he has driven on in a lower gear by then."""
    table = Table(
        [
            {"car": 1, "at": place("left", 3), "gear": 2, "lap": 2},
            {"car": 3, "at": place("left", 1), "gear": 2, "lap": 2},
            {"car": 4, "at": place("right", 4), "gear": gear, "lap": 1},
        ],
        to_play=[],
    )
    table.say(1, 2)
    table.land(place("left", 5 - brakes), brakes=brakes)
    table.until("gear")
    assert table.rulebook.to_play() == order


@pytest.mark.article("competition", "6-2-5", "6-2-3")
def test_a_lapped_car_level_with_the_leader_on_the_first_spaces_of_the_lap() -> None:
    """Copper Basin's lap begins level on two lanes."""
    cars = [
        {"car": 1, "at": "0:right:1", "gear": 2, "lap": 2},
        {"car": 3, "at": "8:right:20", "gear": 2, "lap": 1},
        {"car": 4, "at": "0:inner-left:1", "gear": 3, "lap": 1},
    ]
    assert Table(cars, "copper-basin", to_play=[]).rulebook.to_play() == [1, 3, 4]


@pytest.mark.article("competition", "6-2-5", "6-2-3")
def test_coming_level_with_the_leader_from_a_lap_down_one_plays_again_after_the_others() -> None:
    """Ruling 6: in the higher gear car 4 has passed him, and stands at the end of the round."""
    table = cars((1, "left", 3, 2), (4, "left", 1, 1), (5, "middle", 1, 2))
    table.say(1, 2)
    table.land(place("left", 3), brakes=2)
    assert play(table, 4, 3, place("right", 4)) == ["plays_again 4"]
    assert table.rulebook.to_play() == [5, 4]


@pytest.mark.article("competition", "0-0-2", "6-2-5", "14-2", "20-3-2")
def test_after_a_wreck_that_stands_first_the_leader_plays_before_a_lapped_car_level_with_him() -> None:
    """Rulings 6, 14."""
    table = Table(
        [
            {"car": 1, "at": place("left", 3), "gear": 2, "lap": 2},
            {"car": 2, "at": place("left", 5), "gear": 2, "lap": 2, "status": "wreck"},
            {"car": 4, "at": place("right", 4), "gear": 3, "lap": 1},
        ],
        to_play=[],
    )
    assert "removed" in table.kinds(2)
    assert next_car(table) == 1


@pytest.mark.article("competition", "6-2-5")
@pytest.mark.parametrize(("gear", "lost"), [(1, []), (3, ["lost_turn 4"])])
def test_drawing_away_from_a_level_lapped_car(gear: int, lost: list[str]) -> None:
    """Level before the move: one that ranked first is passed only now, one that ranked second was passed before."""
    table = Table(
        [
            {"car": 1, "at": place("left", 3), "gear": 2, "lap": 2},
            {"car": 4, "at": place("right", 4), "gear": gear, "lap": 1},
        ],
        to_play=[],
    )
    assert play(table, 1, 4, place("left", 7)) == lost


@pytest.mark.article("competition", "6-2-5", "0-0-2")
def test_a_new_leader_in_mid_round() -> None:
    """Ruling 7: car 2 takes the lead and passes the lapped car 4, which loses its turn; the round goes on with car 3
    and ends before the new leader's next turn."""
    table = cars((1, "left", 3, 2), (2, "middle", 3, 2), (3, "right", 1, 2), (4, "right", 8, 1))
    assert play(table, 1, 2, place("left", 5)) == []  # 144; car 4 at 148, car 2 at 139
    assert play(table, 2, 5, place("middle", 8), gear=3) == ["lost_turn 4"]  # 149, the lead
    assert (next_car(table), table.race.round) == (3, 1)
    play(table, 3, 2, place("right", 3))
    assert (next_car(table), table.race.round) == (2, 2)


@pytest.mark.article("competition", "6-2-5", "0-0-2")
def test_a_leader_who_has_finished_hands_on() -> None:
    """Ruling 5: car 1 crosses the line for the last time; car 2 leads the next round."""
    table = Table(
        [
            {"car": 1, "at": "20:left:15", "gear": 2, "lap": 3},
            {"car": 2, "at": "20:right:4", "gear": 2, "lap": 3},
            {"car": 3, "at": "20:left:1", "gear": 2, "lap": 3},
        ],
        to_play=[],
    )
    table.say(2, 4)
    table.say(table.options[0].answer)
    assert table.car(1).status == "finished"
    assert next_car(table) == 2
    play(table, 2, 2, "20:right:6")
    assert (next_car(table), table.race.round) == (3, 1)
    play(table, 3, 2, "20:left:3")
    assert (next_car(table), table.race.round) == (2, 2)


@pytest.mark.article("competition", "6-2-5", "0-0-2", "21-1-1")
@pytest.mark.parametrize(("number", "lap", "lost"), [(14, 2, [2]), (14, 3, []), (9, 2, [])])
def test_a_leader_who_comes_home_has_passed_the_lapped_cars_short_of_the_line(
    number: int, lap: int, lost: list[int]
) -> None:
    """Ruling 6: he leads until he is across, so that a car a lap down loses its turn; not the one behind him."""
    table = Table(
        [
            {"car": 1, "at": "20:left:13", "gear": 3, "lap": 3},
            {"car": 2, "at": f"20:middle:{number}", "gear": 2, "lap": lap},
            {"car": 3, "at": "20:left:3", "gear": 2, "lap": 3},
        ],
        to_play=[1, 3, 2],
    )
    table.say(3, 8)
    table.say(table.options[0].answer)
    assert table.car(1).status == "finished"
    assert [ruling.car for ruling in table.rulings if ruling.kind == "lost_turn"] == lost


@pytest.mark.article("competition", "6-2-5", "0-0-2", "10-3")
def test_a_leader_who_goes_out_has_passed_the_lapped_cars_on_his_way() -> None:
    """Ruling 6: past car 3, a lap down, out of the corner without the stop, and out of the race."""
    cars = out_of_the_corner()
    table = Table(cars, track=TOW, to_play=[])
    table.say(3, 7)
    table.land("2:left:4")
    assert table.car(1).status == "out"
    assert [(ruling.car, ruling.facts) for ruling in table.rulings if ruling.kind == "lost_turn"] == [(3, {"by": 1})]
    assert table.rulebook.to_play() == [2]


def out_of_the_corner() -> list[dict[str, Any]]:
    """Car 1 is about to leave the corner, past car 3, without tyres for it."""
    return [
        {"car": 1, "at": "0:left:8", "gear": 3, "lap": 2, "wear": {**WEAR, "tyres": 1}},
        {"car": 2, "at": "0:left:3", "gear": 3, "lap": 2},
        {"car": 3, "at": "1:right:2", "gear": 2, "lap": 1, "stops": 1},
    ]


@pytest.mark.article("competition", "6-2-5", "0-0-2", "10-3")
def test_whoever_else_goes_out_has_passed_nobody() -> None:
    """Ruling 6: car 4 is ahead of it and leads."""
    table = Table([{"car": 4, "at": "2:left:9", "gear": 3, "lap": 2}, *out_of_the_corner()], track=TOW, to_play=[1])
    table.say(3, 7)
    table.land("2:left:4")
    assert table.car(1).status == "out"
    assert "lost_turn" not in table.kinds()


@pytest.mark.article("competition", "6-2-5", "6-2-4", "10-3")
@pytest.mark.parametrize(("leader", "lost"), [("pit:5", [3]), ("20:middle:8", [])])
def test_whoever_goes_out_past_the_limit_has_led_the_cars_in_the_lane(leader: str, lost: list[int]) -> None:
    """Rulings 6 and 12: it is past the limit, so that it comes before a car further on in the lane."""
    cars = [
        {"car": 1, "at": "19:left:1", "gear": 3, "lap": 2, "wear": {**WEAR, "tyres": 1, "brakes": 1}},
        {"car": 2, "at": leader, "gear": 2, "lap": 2, "box": 9},
        {"car": 3, "at": "19:right:2", "gear": 2, "lap": 1, "stops": 1},
    ]
    table = Table(cars, to_play=[1, 3, 2])
    table.say(3, 8)
    table.say(table.options[-1].answer)
    assert (table.car(1).status, table.car(1).at) == ("out", "20:right:3")
    assert [ruling.car for ruling in table.rulings if ruling.kind == "lost_turn"] == lost


@pytest.mark.article("competition", "6-2-5", "6-2-4")
def test_whoever_is_further_on_in_the_lane_than_the_leader_laps_nobody() -> None:
    """Ruling 12: car 2 is past the limit and leads, though car 1 comes further in the lane, past car 3."""
    cars = [
        {"car": 1, "at": "pit:1", "gear": 3, "lap": 2, "box": 5},
        {"car": 2, "at": "20:left:4", "gear": 2, "lap": 2},
        {"car": 3, "at": "20:right:3", "gear": 2, "lap": 1},
    ]
    table = Table(cars, to_play=[1, 3])
    assert table.rulebook.running_order()[0] == 2
    table.say(3, 4)
    table.land("pit:5")
    assert "lost_turn" not in table.kinds()


@pytest.mark.article("competition", "6-2-5", "6-2-4")
def test_a_car_in_the_lane_on_the_same_lap_loses_nothing_when_it_is_passed() -> None:
    """Ruling 12: car 2 is past the limit and leads, car 1 in the lane ahead of it plays after it; no lap is taken."""
    table = Table(
        [{"car": 1, "at": "pit:4", "gear": 2, "box": 9}, {"car": 2, "at": "20:left:2", "gear": 3}], to_play=[]
    )
    assert play(table, 2, 8, "20:left:10", gear=3) == []
    assert (next_car(table), table.race.round) == (1, 1)


def wreck(number: int, lane: str, at: int, lap: int = 1) -> dict[str, Any]:
    return {"car": number, "at": place(lane, at), "lap": lap, "gear": 2, "status": "wreck", "cause": "body"}


@pytest.mark.article("competition", "6-2-5", "14-2", "20-3-2")
def test_a_wreck_goes_when_its_turn_comes_by_where_it_stands() -> None:
    """Ruling 14: behind the leader at its place in the order."""
    racing = [{"car": n, "at": place("left", at), "gear": 2} for n, at in ((1, 5), (3, 1))]
    table = Table([*racing, wreck(2, "right", 3)], to_play=[])
    play(table, 1, 2, place("left", 7))
    assert not table.car(2).standing
    assert (next_car(table), table.race.round) == (3, 1)


@pytest.mark.article("competition", "0-0-2", "14-2", "20-3-2")
def test_wrecks_ahead_of_the_leader_go_before_he_plays() -> None:
    """Ruling 14: a wrecked leader bars the road for nobody; the round is the new leader's."""
    racing = [{"car": n, "at": place("left", at), "gear": 2} for n, at in ((1, 3), (4, 1))]
    table = Table([*racing, wreck(2, "left", 6), wreck(3, "middle", 8)], to_play=[])
    assert [(r.kind, r.car) for r in table.rulings if r.kind in ("round", "removed")] == [
        ("round", 1), ("removed", 3), ("removed", 2),
    ]  # fmt: skip
    assert play(table, 1, 4, place("left", 7)) == []
    assert (next_car(table), table.race.round) == (4, 1)


@pytest.mark.article("competition", "6-2-2", "14-2", "20-3-2")
def test_in_mid_round_a_wreck_ahead_of_the_leader_waits_for_the_referee_s_order() -> None:
    """Rulings 4 and 14: a round begins with it, but what the referee has called goes on."""
    table = cars((1, "left", 9, 1), (2, "left", 5, 1), (3, "left", 1, 1))
    table.talk.override({"order": [2, 3, 1]})
    table.talk.override({"car": 1, "status": "wreck", "cause": "body"})
    play(table, 2, 2, place("left", 7))
    assert next_car(table) == 3
    assert table.car(1).standing


@pytest.mark.article("competition", "0-0-2", "6-2-5", "14-2", "20-3-2")
def test_a_leader_that_is_put_out_by_the_car_behind_it_is_off_when_the_next_round_begins() -> None:
    """Ruling 14: car 1 has played when car 2 comes up beside it and breaks it; the new leader drives on past it."""
    table = Table(
        [
            {"car": 1, "at": place("left", 5), "gear": 3, "wear": {**WEAR, "body": 1}},
            {"car": 2, "at": place("left", 4), "gear": 3},
        ],
        to_play=[],
    )
    play(table, 1, 4, place("left", 9))
    table.say(3, 5)
    table.land(place("middle", 9))
    assert table.tested("collision", {1: 1}) == [(1, 1)]
    kinds = [(r.kind, r.car) for r in table.rulings if r.kind in ("out", "round", "removed")]
    assert kinds == [("round", 1), ("out", 1), ("round", 2), ("removed", 1)]
    assert table.ruling("out").facts["removed"] is False
    assert next_car(table) == 2
    table.say(3, 4)
    assert table.spaces() == {place("left", 12), place("middle", 13), place("right", 13)}


@pytest.mark.article("competition", "6-2-5", "14-2")
def test_a_wreck_that_really_is_a_lap_down_is_passed_like_any_car() -> None:
    """Ruling 14."""
    cars = [{"car": 1, "at": place("left", 3), "gear": 2, "lap": 2}, wreck(2, "right", 6)]
    table = Table(cars, to_play=[])
    assert play(table, 1, 4, place("left", 7)) == ["lost_turn 2"]
    assert table.car(2).standing
    play(table, 1, 2, place("left", 9))
    assert not table.car(2).standing


@pytest.mark.article("competition", "6-2-2")
def test_on_a_corner_sheet_the_cars_of_a_stretch_run_as_the_table_saw_them() -> None:
    """Car 3 comes up to the others after corner 1 and passes one of them, as the table says."""
    table = Table(
        [
            {"car": 1, "at": "after:1", "gear": 3},
            {"car": 2, "at": "after:1", "gear": 3},
            {"car": 3, "at": "after:0", "gear": 3, "stops": 0},
            {"car": 4, "at": "corner:2", "gear": 3},
        ],
        track="spa",
        to_play=[3],
    )
    assert table.rulebook.running_order() == [4, 1, 2, 3]
    table.say(3, 8)
    table.say({"in": "after corner 1", "overshot": 1, "order": [4, 1, 3, 2]})
    table.until("gear")
    assert table.rulebook.running_order() == [4, 1, 3, 2]


@pytest.mark.article("competition", "6-2-2")
def test_on_a_corner_sheet_nobody_leaves_his_stretch_by_the_order_seen() -> None:
    """Cars 1 and 2 stay as they are, whatever is said of car 1 and of car 4 in the corner ahead."""
    cars = [{"car": 1, "at": "after:1", "gear": 3}, {"car": 2, "at": "after:1", "gear": 3}]
    cars += [{"car": 4, "at": "corner:2", "gear": 3}, {"car": 3, "at": "after:0", "gear": 3}]
    table = Table(cars, track="spa", to_play=[3])
    table.say(3, 8)
    table.say({"in": "corner 1", "order": [4, 1]})
    table.until("gear")
    assert table.rulebook.running_order() == [4, 1, 2, 3]


@pytest.mark.article("competition", "6-2-5", "6-2-3")
def test_whoever_stays_where_he_is_passes_nobody() -> None:
    """Level with a lapped car in a higher gear; the leader brakes his two spaces away, in a higher gear by then."""
    table = Table(
        [
            {"car": 1, "at": place("left", 3), "gear": 1, "lap": 2, "arrived": 1},
            {"car": 4, "at": place("right", 4), "gear": 2, "lap": 1, "arrived": 2},
        ],
        to_play=[],
    )
    table.say(2, 2)
    table.land(place("left", 3), brakes=2)
    table.until("gear")
    assert "lost_turn" not in table.kinds()
    assert next_car(table) == 4


@pytest.mark.article("competition", "6-2-5", "0-0-2")
def test_a_lapped_car_that_has_played_loses_no_turn() -> None:
    table = cars((1, "left", 3, 2), (4, "right", 5, 1), to_play=[1])
    assert play(table, 1, 4, place("left", 7)) == []


@pytest.mark.article("competition", "6-2-5", "6-2-4")
@pytest.mark.parametrize(
    ("lane", "to", "gear"),
    [
        ("pit:1", "pit:4", 2),  # by the leader, who is past the limit and plays before it all the same
        ("pit:1", "pit:3", 4),  # level with him
    ],
)
def test_whoever_passes_the_leader_in_the_lane_does_not_play_again(lane: str, to: str, gear: int) -> None:
    """Car 1 goes from 303 to 305; car 2 from 302 to as far or further, on the same lap."""
    table = Table(
        [
            {"car": 1, "at": "20:left:2", "gear": 1},
            {"car": 2, "at": lane, "gear": gear, "box": 9, "stop": "left", "wear": {**WEAR, "brakes": 9}},
        ],
        to_play=[],
    )
    assert play(table, 1, 1, "20:left:3", gear=1) == []
    assert next_car(table) == 2
    before = len(table.rulings)
    table.say(gear, 4 if gear == 2 else 7)
    table.land(to, brakes=1 if gear == 2 else 5)
    assert "plays_again" not in [ruling.kind for ruling in table.rulings[before:]]
    assert table.race.round == 2


@pytest.mark.article("competition", "6-2-5", "6-2-4")
def test_a_car_in_the_lane_level_with_the_leader_loses_nothing() -> None:
    """303 both, the one in the lane in a higher gear."""
    table = Table(
        [{"car": 1, "at": "pit:2", "gear": 4, "box": 9}, {"car": 2, "at": "20:left:2", "gear": 2}], to_play=[]
    )
    assert play(table, 2, 4, "20:left:6", gear=2) == []
    assert (next_car(table), table.race.round) == (1, 1)


@pytest.mark.article("competition", "6-2-2", "14-2", "20-3-2")
def test_several_wrecks_go_the_first_before_the_others() -> None:
    table = Table(
        [
            {"car": 1, "at": place("left", 1), "gear": 2},
            wreck(2, "left", 3),
            wreck(3, "left", 5),
            wreck(4, "left", 7),
        ],
        to_play=[],
    )
    assert next_car(table) == 1
    assert [ruling.car for ruling in table.rulings if ruling.kind == "removed"] == [4, 3, 2]


@pytest.mark.article("competition", "6-2-2", "14-2", "20-3-2")
def test_several_wrecks_short_of_the_line_of_the_first_lap_go_before_the_leader_too() -> None:
    """Ruling 14, where nobody has driven a space of the lap yet."""
    grid = {"lap": 0, "gear": 1}
    lost = {**grid, "status": "wreck", "cause": "body"}
    table = Table(
        [
            {"car": 1, "at": "20:left:6", **grid},
            {"car": 2, "at": "20:left:9", **lost},
            {"car": 3, "at": "20:middle:12", **lost},
            {"car": 4, "at": "20:left:2", **grid},
        ],
        to_play=[],
    )
    assert [ruling.car for ruling in table.rulings if ruling.kind == "removed"] == [3, 2]
    assert (next_car(table), table.rulebook.to_play()) == (1, [1, 4])


@pytest.mark.article("competition", "6-2-2", "6-2-3")
def test_level_cars_on_the_first_spaces_of_the_lap_play_before_those_behind() -> None:
    """Copper Basin's lap begins level on two lanes."""
    table = Table(
        [
            {"car": 1, "at": "0:inner-left:1", "gear": 4, "lap": 2},
            {"car": 2, "at": "0:right:1", "gear": 3, "lap": 2},
            {"car": 3, "at": "8:right:20", "gear": 6, "lap": 1},
        ],
        "copper-basin",
        to_play=[],
    )
    assert table.rulebook.to_play() == [1, 2, 3]


@pytest.mark.article("competition", "6-2-2", "0-0-2")
def test_before_the_race_nobody_leads() -> None:
    table = Table([{"car": 1}, {"car": 2}])
    assert (table.rulebook.order.running_order(), table.rulebook.order.leader()) == ([], None)


@pytest.mark.article("competition", "6-2-2", "0-0-2", "14-2")
def test_a_wreck_is_in_the_order_once_and_leads_nobody() -> None:
    racing = [{"car": n, "at": place("left", at), "gear": 2} for n, at in ((1, 5), (3, 1))]
    table = Table([*racing, wreck(2, "right", 3)], to_play=[])
    assert table.rulebook.order.running_order() == [1, 3, 2]


@pytest.mark.article("competition", "21-1-1", "21-1-4", "21-1-2")
def test_on_the_first_space_of_the_lap_a_car_is_level_with_one_that_has_driven_nothing() -> None:
    """Whoever is out without a place has driven nothing; of those who came as far, who went out later is ahead."""
    cars = [
        {"car": 1, "at": "20:middle:17", "gear": 2},
        {"car": 2, "status": "out"},
        {"car": 3, "at": "0:left:3", "gear": 1},
    ]
    table = Table(cars, to_play=[3, 1])
    for car in (1, 3):
        table.talk.override({"car": car, "status": "out"})
    assert [row["car"] for row in table.rulebook.result()] == [3, 1, 2]
    level = [
        {"car": 1, "at": place("left", 3), "gear": 2},
        {"car": 2, "at": place("right", 4), "status": "out", "gear": 2},
    ]
    table = Table(level, to_play=[1])
    table.talk.override({"car": 1, "status": "out"})
    assert [row["car"] for row in table.rulebook.result()] == [1, 2]


@pytest.mark.article("competition", "6-2-5", "0-0-2")
def test_a_lapped_car_that_goes_out_in_front_of_the_leader_does_not_play_again() -> None:
    """Past the leader, who stands in the corner, and out of it without its stop."""
    cars = [
        {"car": 1, "at": "1:right:2", "gear": 2, "lap": 2, "stops": 1},
        {"car": 2, "at": "0:left:8", "gear": 3, "lap": 1, "wear": {**WEAR, "tyres": 1}},
    ]
    table = Table(cars, track=TOW, to_play=[2])
    table.say(3, 7)
    table.land("2:left:4")
    assert table.car(2).status == "out"
    assert "plays_again" not in table.kinds()


@pytest.mark.article("competition", "6-2-5", "6-2-2")
def test_who_is_ahead_in_one_stretch_says_nothing_of_another() -> None:
    """The leader comes to corner 2 and is seen ahead of car 3, which came there before anybody; car 2 is further."""
    cars = [
        {"car": 1, "at": "after:1", "lap": 2, "arrived": 3},
        {"car": 2, "at": "after:2", "lap": 1, "arrived": 2},
        {"car": 3, "at": "corner:2", "lap": 1, "arrived": 1},
    ]
    table = Table([{"gear": 2, **car} for car in cars], sheet(3), to_play=[1, 2, 3])
    table.say(2, 3, {"in": "corner 2", "order": [1, 3]})
    assert [ruling.car for ruling in table.rulings if ruling.kind == "lost_turn"] == [3]
