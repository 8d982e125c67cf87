"""A race that is written down between two steps goes on from there, in either phase."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.circuits import load
from companion.desk import RaceDesk
from companion.drivers.sensible import HeuristicDriver
from companion.rules.circuit.file import load_track
from companion.rules.conversation.asking import Json
from companion.rules.conversation.changes import changes
from companion.rules.conversation.conversation import Conversation, Input
from companion.rules.conversation.errors import BadOverride, BadSetup
from companion.rules.correction import CorrectedAnswer, leave_board
from companion.rules.death.state import DeathCar
from companion.rules.rulebooks import begin
from tests.rules.competition.boards import TOW, at
from tests.rules.death.arenas import armed, attacking, points
from tests.table import Table


@pytest.mark.article("death", "phase.attack", "phase.movement")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_position_between_two_steps_is_the_race_itself(seed: int) -> None:
    track = load("porto-sereno")
    cars = [{"car": number, "driver": f"D{number}"} for number in range(1, 6)]
    talk = Conversation(begin({"rulebook": "death", "track": track.key, "laps": 1, "cars": cars}, track))
    driver = HeuristicDriver(track, seed)
    resumed = {True: 0, False: 0}
    while (asked := talk.asked) is not None:
        race = talk.rulebook.race  # type: ignore[attr-defined]
        if (
            talk.n % 5 == 0
            and talk.last_checkpoint[0] == talk.n
            and race.phase == "race"
            and asked.ask in ("attack", "gear")
            and not race.due
        ):
            stood = talk.rulebook.clone()  # type: ignore[attr-defined]
            stood.load(talk.last_checkpoint[1])
            again = Conversation(begin(stood.state(), track))
            assert again.asked is not None
            assert (again.key, again.asked.options, again.asked.fields) == (talk.key, asked.options, asked.fields)
            resumed[race.attacking] += 1
        talk.answer(driver.answer(asked, race))
    assert min(resumed.values()) > 3


def in_the_middle(folder: Path) -> RaceDesk:
    """Cars 3 and 2 have moved, car 1 has not; the table wants them to attack in the order of their moves."""
    setup = {
        "rulebook": "death", "track": "tow", "laps": 2, "to_play": [3, 2, 1], "options": {"attacks_as_played": True},
        "cars": [
            {**armed(number, place, gear=gear), "lap": 1, "status": "racing"}
            for number, place, gear in ((1, "L0", 2), (2, "R2", 1), (3, "L4", 1))
        ],
    }  # fmt: skip
    desk = RaceDesk.begin(
        begin(setup, load_track(TOW, "a board in a test", "tow")), setup=setup, track=TOW, folder=folder
    )
    for space in ("2:left:6", "2:right:4"):
        for answer in (1, 1, {"space": space, "brakes": 0, "soft": 0}):
            desk.answer(answer)
    return desk


def attack_order(desk: RaceDesk) -> list[int]:
    """Who attacks when, once car 1 has moved as well."""
    assert desk.asked is not None
    assert (desk.asked.ask, desk.asked.car) == ("gear", 1)
    rulings = [desk.answer(answer) for answer in (3, 7, {"space": "2:left:9", "brakes": 0, "soft": 0})][-1]
    order = next(ruling for ruling in rulings if ruling.kind == "attack_phase").facts["order"]
    assert isinstance(order, list)
    return order


@pytest.mark.article("death", "phase.attack", "phase.movement")
def test_the_order_of_the_moves_outlives_a_break_in_the_middle_of_them(tmp_path: Path) -> None:
    with in_the_middle(tmp_path) as desk:
        state = desk.conversation.rulebook.state()  # type: ignore[attr-defined]
    with RaceDesk.resume(tmp_path) as desk:
        assert attack_order(desk) == [1, 2, 3]
        desk.undo(6)
        assert desk.redo(3)
        assert attack_order(desk) == [1, 2, 3]
    board = load_track(TOW, "a board in a test", "tow")
    assert state["moved"] == [3, 2]
    assert attack_order(RaceDesk(begin(state, board))) == [1, 2, 3]
    with pytest.raises(BadSetup, match='"moved" lists cars of the race by number, each once; '):
        begin({**state, "moved": [2, 2]}, board)


@pytest.mark.article("death", "phase.attack")
def test_a_car_that_moves_again_by_the_referee_s_word_attacks_as_the_last_that_moved(tmp_path: Path) -> None:
    with in_the_middle(tmp_path) as desk:
        desk.override({"order": [3, 1]}, by="Ada", why="car 3 was moved wrongly")
        for answer in (1, 1, {"space": "2:left:7", "brakes": 0, "soft": 0}):
            desk.answer(answer)
        assert attack_order(desk) == [1, 3, 2]


@pytest.mark.article("death", "phase.one-action", "attack.hit")
def test_an_action_can_be_taken_back_to_any_of_its_answers() -> None:
    table = attacking(armed(1, "L0", "forward-laser"), armed(2, "L8", defence="bravado"), order=[1, 2])
    table.say({"fire": "forward-laser", "at": 2}, True, 15, 10)
    assert points(table, 2) == 16
    table.talk.rewind(3)
    assert table.open == ("test", 1, "attack")
    assert (points(table, 2), table.car(1).weapons) == (18, {"forward-laser": 0})
    table.say(11)
    assert (points(table, 2), table.car(1).weapons) == (18, {"forward-laser": 1})


@pytest.mark.article("death", "phase.one-action")
def test_a_referee_may_move_a_car_in_the_middle_of_a_shot() -> None:
    table = attacking(armed(1, "L6", "flamer"), armed(2, "L8"), order=[1, 2])
    table.say({"fire": "flamer", "at": 2})
    table.talk.override({"car": 2, "status": "out"})
    assert (table.open, table.car(1).weapons) == (("gear", 1, ""), {"flamer": 0})


@pytest.mark.article("death", "phase.one-action")
def test_a_correction_that_leaves_the_board_carries_tokens_and_mines_over() -> None:
    table = attacking(armed(1, "L6", weapons={"flamer": 1, "slip-mines": 1}), armed(2, "L0"), order=[1, 2])
    table.say({"reload": "flamer"}, None)
    talk, spare = table.talk, table.rulebook.clone
    read = msgspec.msgpack.Decoder(table.rulebook.race_type).decode
    instead = CorrectedAnswer(Input(key=talk.events[0].key, answer={"reload": "slip-mines"}))
    stood = leave_board(talk, spare, read, 0, instead, {})
    assert stood.change == {"cars": [{"car": 1, "weapons": {"flamer": 1, "slip-mines": 0}}]}
    table.talk.override(stood.change)
    assert table.car(1).weapons == {"flamer": 1, "slip-mines": 0}


@pytest.mark.article("death", "spin.zero")
def test_a_correction_that_gives_a_destroyed_car_a_point_finds_it_driving() -> None:
    """It had spun for want of the point that it has after all."""
    spun, racing = (DeathCar(2, status=status) for status in ("spun", "racing"))
    destroyed = DeathCar(2, status="out", cause="destroyed")
    spun.mended("points")
    assert destroyed.stands(racing, racing, spun, over=True) == {"status": "racing"}


# -- an earlier answer was wrong, and the board stays


def corrected(table: Table, n: int, answer: Json, *then: Json) -> Any:
    """Answer `n` was another one, with those that it asks for; what is set then."""
    talk, read = table.talk, msgspec.msgpack.Decoder(table.rulebook.race_type).decode
    was = read(table.rulebook.save())
    event = Input(key=talk.events[n].key, answer=answer)
    stood = leave_board(talk, table.rulebook.clone, read, n, CorrectedAnswer(event, then), {})
    if stood.change is not None:
        table.talk.override(stood.change)
    assert (bool(changes(was, table.race)), stood.left) == (stood.change is not None, [])
    return stood.change


@pytest.mark.article("death", "weapon.wrecker-ball")
@pytest.mark.parametrize(("face", "right", "left", "most"), [(8, 9, 18, 18), (9, 8, 15, 17)])
def test_with_a_hit_of_the_wrecker_ball_the_maximum_comes_and_goes(face: int, right: int, left: int, most: int) -> None:
    table = attacking(armed(1, "L6", "wrecker-ball"), armed(2, "L8"), order=[1, 2])
    table.say({"fire": "wrecker-ball", "at": 2}, face, None)
    corrected(table, 1, right)
    assert (table.car(2).wear, table.car(2).built) == ({"points": left}, {"points": most})
    assert begin(table.rulebook.state(), table.rulebook.track).race.cars == table.race.cars


@pytest.mark.article("death", "weapon.wrecker-ball", "pit.refill", "basic.pool")
@pytest.mark.parametrize(
    ("points", "built", "values", "within"),
    [
        (17, 17, {"wear": {"points": 21}}, {}),  # it has all its points back from the pits
        (17, 17, {"wear": {"points": 21}, "most": 18}, {"wear": {"points": 18}, "most": 18}),
        (18, 18, {"most": 17}, {"wear": {"points": 17}, "most": 17}),
        (24, 18, {"wear": {"points": 25}}, {}),  # more than it can have, by the referee's word
        (24, 18, {"wear": {"points": 22}}, {"wear": {"points": 22}}),
        (1, 1, {"wear": {"points": 0}, "most": 0}, {"wear": {"points": 0}, "most": 1}),
        (9, 18, {"gear": 2}, {"gear": 2}),
    ],
)
def test_a_correction_gives_a_car_no_more_points_than_it_can_have(
    points: int, built: int, values: dict[str, Any], within: dict[str, Any]
) -> None:
    car = DeathCar(number=1, wear={"points": points}, built={"points": built})
    assert car.within(values) == within


def refilled(*said: Json, **more: Any) -> Table:
    """Car 1 fires at car 2, which acts as well and then stops at its box."""
    after = armed(2, "20:right:2", "slip-mines", points=9, box=1, round_set=True, stock={"slip-mines": 3}, **more)
    table = attacking(armed(1, "19:right:2", "flamer", "wrecker-ball", stops=1), after, order=[1, 2], track="monaco")
    table.say(*said, 3, 8)
    table.land("box:1")
    return table


@pytest.mark.article("death", "pit.refill", "weapon.wrecker-ball")
@pytest.mark.parametrize(
    ("card", "face", "right", "stopped", "left"),
    [
        ("flamer", 17, 16, 18, 18),
        ("flamer", 16, 17, 18, 18),
        ("wrecker-ball", 9, 8, 18, 17),  # it has less of them at most, and nothing else
        ("wrecker-ball", 8, 9, 17, 18),
    ],
)
def test_points_that_a_stop_has_given_back_are_not_those_that_were_lost(
    card: str, face: int, right: int, stopped: int, left: int
) -> None:
    table = refilled({"fire": card, "at": 2}, True, face, None)
    assert points(table, 2) == stopped
    corrected(table, 2, right)
    assert (table.car(2).wear, table.car(2).built) == ({"points": left}, {"points": left})


@pytest.mark.article("death", "pit.refill", "weapon.slip-mines")
def test_mines_that_a_stop_has_given_back_are_not_those_that_were_dropped() -> None:
    table = refilled(None, None)
    assert table.car(2).stock == {"slip-mines": 5}
    talk, read = table.talk, msgspec.msgpack.Decoder(table.rulebook.race_type).decode
    dropped = CorrectedAnswer(Input(key=talk.events[1].key, answer={"fire": "slip-mines"}))
    stood = leave_board(talk, table.rulebook.clone, read, 1, dropped, {})
    assert (stood.change, [set(left) for left in stood.left]) == (None, [{"mines"}])


@pytest.mark.article("death", "pit.refill", "weapon.limpet-mines", "weapon.slip-mines")
def test_a_stop_renews_all_but_limpet_mines_and_only_a_stop_does() -> None:
    before = DeathCar(number=1, round_set=True, stock={"slip-mines": 1, "limpet-mines": 4})
    after = DeathCar(number=1, stock={"slip-mines": 5, "limpet-mines": 4})
    assert after.renewed(before) == ("points", "stock:slip-mines")
    assert (before.renewed(before), after.renewed(after), before.renewed(after)) == ((), (), ())


@pytest.mark.article("death", "spin.zero", "basic.start")
def test_a_point_turns_a_spun_car_round_and_starts_no_stalled_one() -> None:
    for status, then in (("spun", "racing"), ("stalled", "stalled"), ("pit", "pit")):
        car = DeathCar(number=1, status=status)  # type: ignore[arg-type]
        car.mended("points")
        assert car.status == then


@pytest.mark.article("death", "wreckage.marker")
@pytest.mark.parametrize(
    ("face", "right", "lying", "then"),
    [
        (16, 17, {"L8": 0, "M7": 4}, {"M7": 4}),  # the marker of a hit that was none goes, and no other
        (16, 17, {"L8": 1}, {"L8": 1}),
        (16, 17, {"L8": 3, "M7": 1}, {"L8": 3, "M7": 1}),
        (17, 16, {"L8": 1, "M7": 2}, {"L8": 2, "M7": 2}),  # that of a hit that was missed comes
        (17, 16, {"L8": 0, "M7": 2}, {"L8": 1, "M7": 2}),
    ],
)
def test_of_the_markers_on_a_space_one_comes_or_goes(
    face: int, right: int, lying: dict[str, int], then: dict[str, int]
) -> None:
    dangers = [at(code) for code, count in lying.items() if count]
    piles = {at(code): count - 1 for code, count in lying.items() if count > 1}
    table = attacking(armed(1, "L6", "flamer"), armed(2, "L8"), order=[1, 2], dangers=dangers, piles=piles)
    table.say({"fire": "flamer", "at": 2}, face, None)
    corrected(table, 1, right)
    assert table.race.dangers == sorted(at(code) for code in then)
    assert table.race.piles == {at(code): count - 1 for code, count in then.items() if count > 1}


@pytest.mark.article("death", "utility.targeting-computer", "utility.no-weapon")
def test_a_card_that_was_not_used_is_fresh_again() -> None:
    table = attacking(armed(1, "L6", "flamer", utility="targeting-computer"), armed(2, "L8"), order=[1, 2])
    table.say({"fire": "flamer", "at": 2}, 17, True, 16, None)
    assert table.car(1).used
    assert {"car": 1, "used": False} in corrected(table, 2, False)["cars"]
    assert not table.car(1).used


@pytest.mark.article("death", "utility.targeting-computer", "utility.no-weapon")
def test_in_a_new_lap_it_is_as_it_is_then() -> None:
    for change in ({"lap": 2}, {"used": False}):
        table = attacking(armed(1, "L6", "flamer", utility="targeting-computer"), armed(2, "L8"), order=[1, 2])
        table.say({"fire": "flamer", "at": 2}, 17, True, 17, None)
        table.talk.override({"car": 1, **change})
        used = table.car(1).used
        assert (corrected(table, 2, False), table.car(1).used) == (None, used)


@pytest.mark.article("death", "utility.jammer")
def test_a_jammer_that_was_overcome_may_still_turn_a_missile_away() -> None:
    cars = armed(1, "L6", "long-range-missiles"), armed(2, "L16", utility="jammer"), armed(3, "L4")
    table = attacking(*cars, order=[1, 3], options={"sight_is_given": True})
    table.say({"fire": "long-range-missiles", "at": 2}, 12)
    assert table.car(2).busy
    corrected(table, 1, 3, 20)
    assert not table.car(2).busy


@pytest.mark.article("death", "wreckage.marker")
def test_the_referee_lays_as_many_markers_on_a_space_as_he_names_it() -> None:
    table = attacking(armed(1, "L6"), piles={at("M7"): 3}, dangers=[at("M7")])
    table.talk.override({"dangers": [at("M7"), at("L8"), at("M7")]})
    assert (table.race.dangers, table.race.piles) == (sorted([at("L8"), at("M7")]), {at("M7"): 1})
    table.talk.override({"dangers": [at("M7")] * 120})
    assert table.race.piles == {at("M7"): 99}
    table.talk.override({"dangers": [at("M7")]})
    assert (table.race.dangers, table.race.piles) == ([at("M7")], {})


@pytest.mark.article("death", "weapon.wrecker-ball", "utility.jammer")
@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"busy": 1}, '"busy" is true or false'),
        ({"most": True}, "A car has 1 to 60 points at most; the maximum of car 2 cannot be true"),
        ({"most": 0}, "the maximum of car 2 cannot be 0"),
        ({"most": 61}, "the maximum of car 2 cannot be 61"),
    ],
)
def test_what_goes_with_a_correction_is_what_can_be(change: dict[str, Any], match: str) -> None:
    table = attacking(armed(1, "L6"), armed(2, "L8", points=1))
    with pytest.raises(BadOverride, match=match):
        table.talk.override({"car": 2, **change})
    for most in (1, 60):
        table.talk.override({"car": 2, "most": most})
        assert table.car(2).built == {"points": most}
