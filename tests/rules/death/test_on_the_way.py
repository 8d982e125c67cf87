"""What waits on the way: where it strikes, how much of the move is left then, and what is told of it."""

from __future__ import annotations

from typing import Any

import pytest

from companion.wording import Words
from tests.rules.competition.boards import TOW, at
from tests.rules.death.arenas import armed, attacking, driving, points
from tests.table import Table


def over(table: Table, end: str, tests: list[str], brakes: int = 0) -> Any:
    """The answer that lands there over these spaces."""
    return next(
        option.answer
        for option in table.options
        if option.answer["space"] == end and option.answer["brakes"] == brakes and option.facts.get("tests") == tests
    )


# -- how much of a move is left


@pytest.mark.article("death", "utility.oil-spray", "utility.swerve-tyres", "utility.grip-tyres", "basic.drive")
@pytest.mark.parametrize(
    ("car", "gear", "face", "oily", "end", "brakes", "left", "track"),
    [
        ({"place": "L0"}, 2, 4, "L4", at("L6"), 0, 3, TOW),
        # a token for the weave that brings it to L6 in four spaces
        ({"place": "L0", "utility": "grip-tyres"}, 2, 4, "L4", at("L6"), 0, 3, TOW),
        # straight over to the left after it, or round by the middle lane and a swerve before it
        ({"place": "1:right:1", "utility": "swerve-tyres"}, 2, 4, "1:right:3", "1:left:2", 0, 3, TOW),
        ({"place": "1:right:1", "utility": "swerve-tyres"}, 2, 4, "1:right:3", "1:middle:2", 1, 1, TOW),
        # past it into the lane of the pits
        ({"place": "20:right:1", "box": 1, "round_set": True}, 3, 6, "20:right:3", "pit:2", 3, 2, "monaco"),
        ({"place": "20:right:1", "box": 1, "round_set": True}, 3, 6, "20:right:3", "box:1", 0, 5, "monaco"),
    ],
)
def test_what_is_left_of_a_move_in_the_oil_is_what_its_own_way_still_had(
    car: dict[str, Any], gear: int, face: int, oily: str, end: str, brakes: int, left: int, track: str
) -> None:
    table = driving(armed(1, gear=gear, **car), armed(2, oily, utility="oil-spray"), track=track)
    table.say(gear, face)
    behind = table.rulebook.track.spaces[table.rulebook.bodywork.behind_of(table.car(2))].name
    table.say(over(table, end, [behind], brakes), True)
    assert (table.car(1).at, table.ruling("used", 2).facts["spaces"]) == (behind, left)
    assert table.tested("collision")[:left] == [(1, 4)] * left


@pytest.mark.article("death", "wreckage.roll", "basic.drive", "spin.zero")
@pytest.mark.parametrize(
    ("place", "gear", "face", "dangers", "end", "tests", "faces", "driven"),
    [
        ("L0", 2, 4, ["L2", "L6"], "L8", ["L2", "L6"], [1], 1),
        ("L0", 2, 4, ["L2", "L6"], "L8", ["L2", "L6"], [20, 1], 3),
        ("L0", 2, 4, ["L2", "M5"], "M7", ["L2", "M5"], [20, 1], 3),
        ("L0", 2, 4, ["M1", "M5"], "M7", ["M5"], [1], 3),  # round the first of them
        ("L0", 2, 4, ["M1", "M5"], "M7", ["M1", "M5"], [20, 1], 3),
    ],
)
def test_a_car_that_spins_on_its_way_has_driven_so_far(
    place: str, gear: int, face: int, dangers: list[str], end: str, tests: list[str], faces: list[int], driven: int
) -> None:
    table = driving(armed(1, place, points=1, gear=gear), dangers=[at(code) for code in dangers])
    table.say(gear, face)
    table.say(over(table, at(end), [at(code) for code in tests]), *faces)
    assert (
        table.ruling("move").facts.items()
        >= {"begin": at(place), "at": at(tests[len(faces) - 1]), "moved": driven}.items()
    )
    assert table.car(1).status == "spun"


@pytest.mark.article("death", "wreckage.roll", "utility.grip-tyres", "utility.swerve-tyres", "basic.drive")
@pytest.mark.parametrize(
    ("place", "utility", "gear", "face", "dangers", "end", "brakes", "tests", "faces", "driven", "track"),
    [
        # one more than straight on, for the rest is a space of a corner by its arrows
        ("8:left:3", "grip-tyres", 3, 5, ["9:left:1"], "9:left:2", 0, ["9:left:1"], [1], 4, "porto-sereno"),
        # three in that corner, or five by a swerve, after which one is left
        ("1:left:1", "swerve-tyres", 3, 6, ["2:left:1"], "2:left:2", 0, ["2:left:1"], [1], 5, TOW),
        # round the first of two, or over it
        ("4:middle:16", "", 2, 4, ["4:middle:17", "4:middle:18"], "4:middle:19", 0, ["4:middle:18"], [1], 3, TOW),
        ("4:middle:16", "", 2, 4, ["4:middle:17", "4:middle:18"], "4:middle:20", 0, ["4:middle:17", "4:middle:18"],
         [20, 1], 2, TOW),
        # through corners by shorter and longer ways
        ("16:left:2", "", 3, 8, ["16:middle:3", "17:left:1"], "17:left:4", 0, ["17:left:1"], [1], 5, "monaco"),
        ("16:left:2", "", 3, 8, ["16:middle:3", "17:left:1"], "17:left:6", 0, ["17:left:1"], [1], 3, "monaco"),
        ("8:right:3", "", 5, 18, ["9:left:7", "10:middle:2"], "10:right:2", 0, ["9:left:7"], [1], 11, "monaco"),
        ("16:left:2", "", 3, 8, ["16:middle:3", "17:left:1"], "17:left:5", 0, ["16:middle:3", "17:left:1"], [20, 1], 4,
         "monaco"),
    ],
)  # fmt: skip
def test_how_far_a_car_has_come_is_as_far_as_a_way_like_its_own(
    place: str, utility: str, gear: int, face: int, dangers: list[str], end: str, brakes: int, tests: list[str],
    faces: list[int], driven: int, track: str,
) -> None:  # fmt: skip
    table = driving(armed(1, place, points=9, gear=gear, utility=utility), track=track, dangers=dangers)
    table.say(gear, face)
    table.say(over(table, end, tests, brakes), *faces[:-1])
    table.talk.override({"car": 1, "wear": {"points": 1}})
    table.say(faces[-1])
    assert table.ruling("move").facts.items() >= {"begin": place, "at": tests[len(faces) - 1], "moved": driven}.items()


@pytest.mark.article("death", "wreckage.roll", "utility.swerve-tyres", "basic.drive")
def test_a_swerve_is_a_space_of_a_corner_never_of_the_straight_behind_it() -> None:
    """Four spaces lead to the marker, five by the swerve that the landing takes; one is left from there."""
    car = armed(1, "13:left:2", gear=3, points=9, utility="swerve-tyres", stops=1)
    table = driving(car, track="monaco", dangers=["13:right:6", "14:right:1"])
    table.say(3, 6)
    table.say(over(table, "15:right:1", ["14:right:1"]))
    table.talk.override({"car": 1, "wear": {"points": 1}})
    table.say(1)
    assert table.ruling("move").facts == {"begin": "13:left:2", "at": "14:right:1", "moved": 5, "rolled": 6}


@pytest.mark.article("death", "spin.zero", "wreckage.roll", "weapon.remote-mines", "weapon.slip-mines", "basic.blocked")
@pytest.mark.parametrize(
    ("card", "left", "brakes", "face", "then"),
    [
        ("", 1, 1, 1, ("spun", 0, False)),  # brought to 0 there, it pays no brake and so is not destroyed
        ("", 1, 1, 20, ("spun", 0, True)),  # by its brake
        ("", 2, 1, 1, ("spun", 0, True)),  # the wreckage has left it a point for the brake
        ("", 3, 2, 20, ("racing", 1, True)),
        ("remote-mines", 3, 3, 14, ("spun", 0, False)),
        ("remote-mines", 1, 1, 14, ("spun", 0, False)),
        ("remote-mines", 4, 3, 15, ("racing", 1, True)),
        ("slip-mines", 3, 2, None, ("racing", 3, False)),  # stopped there, it had nothing left to brake
        ("slip-mines", 1, 1, None, ("racing", 1, False)),
    ],
)
def test_what_strikes_on_the_space_where_a_move_ends_comes_before_its_brakes(
    card: str, left: int, brakes: int, face: int | None, then: tuple[str, int, bool]
) -> None:
    road = {"mines": [{"car": 2, "card": card, "at": at("L2")}]} if card else {"dangers": [at("L2")]}
    gear = 2 if brakes < 3 else 3
    table = driving(armed(1, "L0", points=left, gear=gear), armed(2, "R20"), **road)
    table.say(gear, 1 + brakes)
    table.say(over(table, at("L2"), [at("L2")], brakes), *([] if face is None else [face]))
    assert (table.car(1).status, points(table, 1), "brake" in table.kinds()) == then
    assert table.car(1).at == at("L2")


@pytest.mark.article("death", "weapon.slip-mines", "basic.blocked")
def test_a_car_that_a_slip_mine_stops_is_not_blocked_behind_it() -> None:
    shut = armed(2, "L4"), armed(3, "M3"), armed(4, "R4")
    table = driving(armed(1, "L0"), *shut, mines=[{"car": 2, "card": "slip-mines", "at": at("R2")}])
    table.say(3, 4)
    option = table.option(space=at("R2"), brakes=0)
    assert (option.wear, option.facts) == ({}, {"moved": 2, "tests": [at("R2")], "slips_at": at("R2")})
    table.say(option.answer)
    assert (table.car(1).at, points(table, 1), "blocked" in table.kinds()) == (at("R2"), 18, False)


TWO_STOPS = TOW.replace('corner = "Bend"\nstops = 1', 'corner = "Bend"\nstops = 2')
"""The board of TOW with a stop more in its second corner."""


@pytest.mark.article("death", "basic.overshoot", "spin.zero", "wreckage.roll")
@pytest.mark.parametrize(
    ("track", "left", "dangers", "status", "cause", "end"),
    [
        (TWO_STOPS, 18, ["4:left:2"], "out", "overshoot", "4:left:3"),
        (TWO_STOPS, 2, ["4:left:2"], "out", "overshoot", "4:left:3"),
        (TWO_STOPS, 1, ["4:left:2"], "out", "overshoot", "4:left:2"),  # spun there, and two stops behind it missed
        (TWO_STOPS, 1, ["3:left:3"], "spun", "", "3:left:3"),  # spun in the corner, which it has not left
        (TOW, 1, ["4:left:2"], "spun", "", "4:left:2"),  # one stop missed, and nothing more is paid
    ],
)
def test_two_stops_missed_put_a_car_out_that_has_spun_beyond_the_corner_too(
    track: str, left: int, dangers: list[str], status: str, cause: str, end: str
) -> None:
    table = driving(armed(1, "2:left:14", points=left, gear=4), armed(2, "R0"), track=track, dangers=dangers)
    table.say(4, 8)
    table.say(over(table, "4:left:3", dangers), 1)
    assert (table.car(1).status, table.car(1).cause, table.car(1).at) == (status, cause, end)


@pytest.mark.article("death", "basic.overshoot", "weapon.slip-mines", "wreckage.roll")
def test_beyond_a_corner_left_too_early_a_slip_mine_spares_the_spaces_behind_it() -> None:
    mine = {"car": 2, "card": "slip-mines", "at": "4:left:2"}
    table = driving(armed(1, "2:left:14", gear=4), armed(2, "R0"), mines=[mine])
    table.say(4, 8)
    option = table.option(space="4:left:4", brakes=0)
    assert (option.wear, option.facts["overshot"], option.facts["slips_at"]) == ({"points": -2}, 2, "4:left:2")
    table.say(option.answer)
    assert (table.car(1).at, points(table, 1), table.ruling("overshoot").facts["spaces"]) == ("4:left:2", 16, 2)


@pytest.mark.article("death", "wreckage.roll", "weapon.slip-mines", "weapon.remote-mines")
def test_what_lies_elsewhere_on_the_road_strikes_nobody_here() -> None:
    mines = [{"car": 2, "card": card, "at": at("R16")} for card in ("slip-mines", "remote-mines")]
    table = driving(armed(1, "L0"), armed(2, "R20"), dangers=[at("L2")], mines=mines)
    table.say(2, 2)
    table.land(at("L4"))
    assert table.tested("wreckage") == [(1, 4)]
    assert (table.car(1).at, table.car(1).gear, len(table.race.mines)) == (at("L4"), 2, 2)


@pytest.mark.article("death", "wreckage.roll", "wreckage.marker")
def test_a_roll_against_wreckage_is_told_and_so_is_the_marker_that_a_hit_leaves() -> None:
    for face, more in ((5, {}), (4, {"hits": True, "cleared": True})):
        table = driving(armed(1, "L0"), dangers=[at("L2")])
        table.say(2, 2)
        table.land(at("L4"))
        table.say(face)
        assert table.ruling("wreckage").facts == {"face": face, "to": 4, "at": at("L2"), **more}
    hit = attacking(armed(1, "L6", "flamer"), armed(2, "L8"))
    hit.say({"fire": "flamer", "at": 2}, 16)
    marker = hit.ruling("danger")
    assert (marker.article, marker.car, marker.facts) == ("wreckage.marker", 2, {"at": at("L8")})


@pytest.mark.article("death", "wreckage.roll", "wreckage.marker", "defence.light-armour", "defence.armour")
@pytest.mark.parametrize(
    ("defence", "everywhere", "left", "lost", "kinds"),
    [
        ("light-armour", False, 18, 1, {"wreckage", "hit"}),
        ("", True, 18, 1, {"wreckage", "hit"}),
        ("light-armour", True, 18, 0, {"wreckage"}),
        ("heavy-armour", True, 18, 0, {"wreckage"}),
        ("light-armour", True, 0, 0, {"wreckage"}),  # it has no point to lose and loses none
    ],
)
def test_armour_holds_wreckage_only_by_the_switch(
    defence: str, everywhere: bool, left: int, lost: int, kinds: set[str]
) -> None:
    car = armed(1, "L0", defence=defence, points=left)
    table = driving(car, dangers=[at("L2")], options={"armour_everywhere": everywhere})
    table.say(2, 2)
    table.land(at("L4"))
    table.say(1)
    assert (points(table, 1), table.car(1).at, table.car(1).status) == (left - lost, at("L4"), "racing")
    assert {kind for kind in table.kinds() if kind in ("wreckage", "hit", "danger", "out")} == kinds
    (rolled,) = [one for one in table.rulings if one.kind == "wreckage"]
    for lang, held in (("en", "the armour holds"), ("fr", "le blindage tient")):
        assert (held in Words(lang, "death").ruling(rolled)) == (lost == 0)


@pytest.mark.article("death", "wreckage.roll")
def test_a_marker_that_the_referee_has_taken_off_meanwhile_is_taken_off_no_more() -> None:
    table = driving(armed(1, "L0"), dangers=[at("L2")])
    table.say(2, 2)
    table.land(at("L4"))
    table.talk.override({"dangers": []})
    table.say(4)
    assert (points(table, 1), table.race.dangers) == (17, [])


@pytest.mark.article("death", "weapon.slip-mines", "weapon.remote-mines")
@pytest.mark.parametrize(
    ("card", "faces", "facts"),
    [
        ("slip-mines", [], {"action": "slips"}),
        ("remote-mines", [14], {"action": "explodes", "face": 14, "to": 14, "hits": True}),
        ("remote-mines", [15], {"action": "explodes", "face": 15, "to": 14, "hits": False}),
    ],
)
def test_what_a_mine_does_is_told(card: str, faces: list[int], facts: dict[str, Any]) -> None:
    mines = [{"car": 2, "card": card, "at": at("L2")}]
    table = driving(armed(1, "L0"), armed(2, "R20"), mines=mines)
    table.say(2, 2)
    table.land(at("L4"))
    table.say(*faces)
    assert table.ruling("mine").facts == {"at": at("L2"), "owner": 2, "card": card, **facts}


REMOTE, SLIP = ({"car": 2, "card": card, "at": at("L2")} for card in ("remote-mines", "slip-mines"))


@pytest.mark.article("death", "weapon.slip-mines", "weapon.remote-mines", "wreckage.roll", "spin.zero")
@pytest.mark.parametrize(
    ("left", "dangers", "mines", "faces", "then"),
    [
        # whatever was laid first: the one explodes, on the other the car stops
        (18, [], [SLIP, REMOTE], [15], ("racing", 18, 2)),
        (18, [], [REMOTE, SLIP], [15], ("racing", 18, 2)),
        (18, [], [SLIP, REMOTE], [14], ("racing", 15, 2)),
        (3, [], [SLIP, REMOTE], [14], ("spun", 0, 2)),
        (18, [], [SLIP, SLIP], [], ("racing", 18, 1)),
        # what the wreckage has spun is still there for the mine, whose hit is the next one
        (1, [at("L2")], [REMOTE], [1, 15], ("spun", 0, 4)),
        (1, [at("L2")], [REMOTE], [1, 14], ("out", 0, 4)),
        (1, [at("L2")], [SLIP], [1], ("spun", 0, 2)),
        (2, [at("L2")], [REMOTE], [1, 14], ("spun", 0, 4)),
        (18, [at("L2")], [SLIP, REMOTE], [20, 15], ("racing", 18, 2)),
    ],
)
def test_everything_that_lies_on_a_space_strikes_the_car_that_comes_there(
    left: int, dangers: list[str], mines: list[dict[str, Any]], faces: list[int], then: tuple[str, int, int]
) -> None:
    table = driving(armed(1, "L0", points=left, gear=4), armed(2, "R20"), dangers=dangers, mines=mines)
    table.say(4, 7)
    table.say(over(table, at("L14"), [at("L2")]), *faces)
    car = table.car(1)
    assert (car.status, points(table, 1), car.gear, car.at) == (*then, at("L2"))
    assert (table.race.mines, table.kinds(1).count("move")) == ([], 1)


@pytest.mark.article("death", "weapon.slip-mines", "weapon.remote-mines", "spin.zero")
@pytest.mark.parametrize("others", [[SLIP], [SLIP, REMOTE]])
def test_under_a_car_that_is_destroyed_the_other_mines_stay(others: list[dict[str, Any]]) -> None:
    table = driving(
        armed(1, "L0", points=0),
        armed(2, "R20"),
        armed(3, "R18"),
        mines=[*others[:1], {**REMOTE, "car": 3}, *others[1:]],
    )
    table.say(3, 4)
    table.say(over(table, at("L8"), [at("L2")]), 14)
    assert (table.car(1).status, table.car(1).gear) == ("out", 3)
    assert [(mine.owner, mine.card) for mine in table.race.mines] == [(2, mine["card"]) for mine in others]


@pytest.mark.article("death", "utility.mag-plates", "utility.oil-spray")
def test_no_oil_is_sprayed_under_a_car_that_is_drawn_behind_it() -> None:
    """Car 2 follows onto L0, straight behind the car with the oil."""
    cars = armed(1, "L0", gear=2), armed(2, "M-1", utility="mag-plates"), armed(3, "L2", utility="oil-spray")
    table = driving(*cars)
    table.say(2, 3)
    table.land(at("M5"))
    table.say(True)
    assert (table.car(2).at, table.open) == (at("L0"), ("attack", 2, ""))


# -- on the way back


def drawn(left: int = 18, **road: Any) -> Table:
    """Car 2 is drawn from L16 over L14 to L12."""
    table = attacking(armed(1, "L6", "mag-gun"), armed(2, "L16", points=left), order=[1, 2], **road)
    table.say({"fire": "mag-gun", "at": 2}, True, 12)
    return table


@pytest.mark.article("death", "weapon.mag-gun", "weapon.remote-mines", "wreckage.roll", "spin.zero")
@pytest.mark.parametrize(
    ("what", "left", "face", "end", "status"),
    [
        ("mine", 18, 15, "L12", "racing"),
        ("mine", 18, 14, "L12", "racing"),
        ("mine", 3, 14, "L14", "spun"),
        ("mine", 0, 14, "L14", "out"),
        ("marker", 18, 5, "L12", "racing"),
        ("marker", 18, 4, "L12", "racing"),
        ("marker", 1, 4, "L14", "spun"),
        ("marker", 0, 4, "L14", "out"),
    ],
)
def test_a_car_drawn_over_a_mine_or_a_marker_goes_on_unless_it_spins_or_is_destroyed(
    what: str, left: int, face: int, end: str, status: str
) -> None:
    mine = {"car": 1, "card": "remote-mines", "at": at("L14"), "rolled": True}
    table = drawn(left, **({"mines": [mine]} if what == "mine" else {"dangers": [at("L14")]}))
    table.say(face)
    assert (table.car(2).at, table.car(2).status, table.race.mines) == (at(end), status, [])


@pytest.mark.article("death", "weapon.mag-gun", "weapon.remote-mines", "wreckage.roll", "spin.zero")
def test_a_car_that_wreckage_spins_stays_there_though_a_mine_misses_it() -> None:
    mine = {"car": 1, "card": "remote-mines", "at": at("L14"), "rolled": True}
    table = drawn(1, dangers=[at("L14")], mines=[mine])
    table.say(4, 15)
    assert (table.car(2).at, table.car(2).status, table.race.mines) == (at("L14"), "spun", [])


# -- at nothing left


@pytest.mark.article("death", "spin.zero", "basic.finish", "basic.overshoot", "utility.mag-plates")
def test_the_line_of_the_last_lap_knows_no_spin_for_whoever_crosses_it_only() -> None:
    """The last corner takes all its points; another car follows onto the space that it left, over wreckage."""
    home = armed(1, "3:left:2", lap=3, points=24, gear=6)
    plates = armed(2, "3:left:1", lap=3, points=1, utility="mag-plates")
    table = driving(home, plates, armed(3, "L0"), dangers=["3:left:2"])
    table.say(6, 28)
    option = table.option(space="0:left:1", brakes=0)
    assert (option.wear, option.facts) == ({"points": -24}, {"moved": 26, "overshot": 24, "finish": True})
    table.say(option.answer)
    assert table.open == ("use", 2, "mag-plates")
    table.say(True, 1)
    assert (table.car(2).status, table.car(2).at, table.car(2).turned) == ("spun", "3:left:2", False)
    spin = table.ruling("spin")
    assert (spin.car, spin.article, spin.facts) == (2, "spin.zero", {"at": "3:left:2"})
    table.tested("engine")
    assert (table.car(1).status, points(table, 1), "spin" in table.kinds(1)) == ("finished", 0, False)


@pytest.mark.article("death", "spin.zero", "pit.refill", "basic.blocked", "basic.gears")
def test_nobody_spins_in_the_pit_lane_and_no_answer_says_so() -> None:
    car = armed(1, "pit:1", points=2, status="pit", box=3)
    table = driving(car, armed(2, "2:left:1"), track="monaco")
    table.say(3, 4)
    assert table.option(space="pit:3", brakes=2).facts == {"moved": 2}
    table.land("pit:3", brakes=2)
    assert (table.car(1).status, points(table, 1)) == ("pit", 0)
    down = armed(1, "pit:1", points=1, gear=5, status="pit", box=3)
    for switch, facts in ((False, {}), (True, {"out": "destroyed"})):
        shifting = driving(down, armed(2, "2:left:1"), track="monaco", options={"out_at_zero": switch})
        assert (shifting.option(3).wear, shifting.option(3).facts) == ({"points": -1}, facts)
    shifting = driving(down, armed(2, "2:left:1"), track="monaco")
    shifting.say(3)
    assert (shifting.car(1).status, shifting.ask) == ("pit", "roll")


@pytest.mark.article("death", "spin.zero", "weapon.haywire-missiles")
@pytest.mark.parametrize(
    ("gear", "status", "left", "spins"),
    [(3, "racing", 1, 0), (2, "racing", 0, 1), (1, "spun", 0, 0), (0, "stalled", 0, 1)],
)
def test_a_car_that_has_spun_does_not_spin_again_and_one_in_first_not_at_all(
    gear: int, status: str, left: int, spins: int
) -> None:
    target = armed(2, "L8", gear=gear, status=status, points=5)
    table = attacking(armed(1, "L6", "haywire-missiles"), target, order=[1, 2])
    table.say({"fire": "haywire-missiles", "at": 2}, 10)
    assert (table.car(2).gear, points(table, 2), table.kinds().count("spin")) == (left, 5, spins)
    assert table.car(2).status == ("spun" if spins else status)
    assert [(r.facts["before"], r.facts["gear"]) for r in table.rulings if r.kind == "gears_lost"] == (
        [(gear, left)] if left < gear else []
    )


@pytest.mark.article("death", "spin.zero")
def test_by_the_switch_a_hit_that_leaves_points_destroys_nobody() -> None:
    table = attacking(armed(1, "L6", "flamer"), armed(2, "L8"), options={"out_at_zero": True})
    table.say({"fire": "flamer", "at": 2}, 16)
    assert (table.car(2).status, points(table, 2)) == ("racing", 17)


@pytest.mark.article("death", "spin.zero")
@pytest.mark.parametrize(
    ("left", "change", "status"),
    [(3, {"wear": {"points": 0}}, "spun"), (0, {"gear": 2}, "racing"), (0, {"wear": {"points": 0}}, "racing")],
)
def test_a_car_whose_last_point_the_referee_crosses_off_spins(left: int, change: dict[str, Any], status: str) -> None:
    table = attacking(armed(1, "L6"), armed(2, "L8", points=left))
    table.talk.override({"car": 2, **change})
    assert table.car(2).status == status


@pytest.mark.article("death", "spin.zero")
def test_what_one_more_point_does_by_what_is_left_and_by_the_switch() -> None:
    for switch, fatal in ((False, [True, False, False]), (True, [True, True, False])):
        table = attacking(armed(1, "L6"), options={"out_at_zero": switch})
        found = []
        for left in range(3):
            table.car(1).wear["points"] = left
            found.append(table.rulebook.wear.fatal(table.car(1), "body"))
        assert found == fatal
