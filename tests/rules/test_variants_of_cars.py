"""Variants that change how far a car moves and what its corners cost: super-soft tyres, wings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.circuits import load
from companion.desk.beginning import begin_race
from companion.drivers.chance import RandomDriver
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadOverride, BadSetup
from companion.rules.rulebooks import begin
from companion.terminal.screen import RacePrinter
from companion.terminal.sheet import show_sheet
from companion.view.pages.sheet import car_page
from companion.wording import Words
from tests.rules.competition.boards import TOW, at
from tests.table import WEAR, Table

KINDS = ["formula-d", "competition", "cup", "league"]


def shod(rulebook: str, at: str, **car: Any) -> Table:
    """Car 1 stands on a dry or a wet track on super-soft tyres, or others."""
    options = {"super_soft": True, **({"tyres": True, "weather": True} if rulebook == "formula-d" else {})}
    sky = car.pop("sky", "sun")
    one = {"car": 1, "at": at, "gear": 2, "lap": 3, "tyres": "super_soft", "wear": WEAR, **car}
    return Table([one], TOW, rulebook=rulebook, to_play=[1], laps=3, sky=sky, options=options)


@pytest.mark.article("formula-d competition cup league", "variant.super-soft")
@pytest.mark.parametrize("rulebook", KINDS)
@pytest.mark.parametrize(("sky", "age", "more"), [("sun", 0, {0, 1, 2}), ("sun", 1, {0}), ("rain", 0, {0})])
def test_new_super_soft_tyres_bring_up_to_two_spaces_on_a_dry_track(
    rulebook: str, sky: str, age: int, more: set[int]
) -> None:
    table = shod(rulebook, "2:right:2", tyre_laps=age, sky=sky)
    table.say(2, 3)
    plain = [option for option in table.options if not option.answer["brakes"]]
    assert {(option.answer["soft"], option.facts["moved"]) for option in plain} == {(one, 3 + one) for one in more}
    if 2 in more:
        table.land("2:right:7", soft=2)
        assert table.told("soft", "en") == "1 takes 2 extra spaces of super-soft tyres."
        assert table.told("soft", "fr") == "1 prend 2 cases des pneus super-tendres."


@pytest.mark.article("formula-d competition league", "variant.super-soft")
@pytest.mark.parametrize("rulebook", ["formula-d", "competition", "league"])
@pytest.mark.parametrize(("age", "factor"), [(0, 2), (1, 3), (2, 99)])
def test_a_space_beyond_a_corner_is_two_points_then_three_then_out(rulebook: str, age: int, factor: int) -> None:
    table = shod(rulebook, "0:left:8", tyre_laps=age, gear=2)
    table.say(3, 4)
    beyond = next(option for option in table.options if option.facts.get("overshot") == 1 and not option.answer["soft"])
    assert table.rulebook.tyres.factor(table.car(1)) == factor
    assert ("out" in beyond.facts) is (age == 2)
    assert age == 2 or beyond.wear["tyres"] == -factor


@pytest.mark.article("competition", "variant.super-soft")
@pytest.mark.parametrize("wet", [False, True])
def test_super_soft_tyres_go_by_the_figures_of_soft_and_hard_ones_and_leave_the_others_as_they_are(wet: bool) -> None:
    figures = {
        "slide_hard": 1, "slide_soft": 2, "slide_rain": 4, "factor_hard_dry": [1, 2, 3], "factor_hard_wet": [2, 3, 4],
        "factor_soft_dry": [3, 4, 5], "factor_soft_wet": [4, 5, 6],
    }  # fmt: skip
    car = {"car": 1, "at": "2:right:2", "gear": 2}
    plain, more = (
        Table([car], TOW, to_play=[1], options={**figures, **on}).rulebook.tyres for on in ({}, {"super_soft": True})
    )
    for kind in ("hard", "soft", "rain"):
        assert more.bonus_of(kind) == plain.bonus_of(kind)
        assert more.slide_of(kind, wet=wet) == plain.slide_of(kind, wet=wet)
        assert more.factors_of(kind, wet=wet) == plain.factors_of(kind, wet=wet)
    assert more.slide_of("super_soft", wet=wet) == (2 if wet else 0)
    assert more.factors_of("super_soft", wet=wet) == ((3, 6, 99) if wet else (2, 5, 99))


@pytest.mark.article("cup", "variant.super-soft")
@pytest.mark.parametrize("rulebook", KINDS)
def test_it_is_a_kind_to_choose_only_where_it_is_on(rulebook: str) -> None:
    more = {"tyres": True} if rulebook == "formula-d" else {}
    cars = [{"car": 1, **({"wear": WEAR} if rulebook == "competition" else {})}]
    if rulebook == "cup":
        cars[0]["team"] = "A"
    for on in (False, True):
        setup = {"rulebook": rulebook, "track": "monaco", "cars": cars, "options": {**more, "super_soft": on}}
        book = begin(setup, load("monaco"))
        assert ("super_soft" in book.pits.compounds()) is on
    with pytest.raises(BadSetup) as refused:
        Table(
            [{"car": 1, "at": "2:left:1", "gear": 2, "tyres": "super_soft"}],
            rulebook=rulebook,
            to_play=[1],
            options=more,
            sky="sun" if rulebook != "formula-d" else "",
        )
    assert Words("en").error(refused.value).startswith("Car 1 has super_soft tyres; there are hard, soft")
    assert Words("fr").error(refused.value).startswith("La voiture 1 a des pneus super-tendres")


@pytest.mark.article("competition", "variant.super-soft")
@pytest.mark.parametrize(("age", "beyond"), [(0, False), (-1, True)])
def test_every_space_more_is_taken_before_the_line_of_its_lap(age: int, beyond: bool) -> None:
    """The lap on the set ends at the line: a space more may itself cross it, none follows beyond."""
    table = shod("competition", "4:left:23", gear=1, lap=1, fresh=age < 0)
    table.say(1, 1)
    assert "0:left:1" in table.spaces(soft=1)
    assert ("0:left:2" in table.spaces(soft=2)) is beyond


@pytest.mark.article("competition", "variant.super-soft")
def test_on_a_corner_sheet_two_spaces_may_be_said() -> None:
    car = {"car": 1, "gear": 2, "at": "after:0", "tyres": "super_soft"}
    table = Table([car], "monza", to_play=[1], sky="sun", options={"super_soft": True})
    table.say(2, 3)
    assert table.fields["soft"] == [0, 2]
    ruled = table.say({"in": table.fields["in"][0], "soft": 2})
    assert next(ruling.facts["moved"] for ruling in ruled if ruling.kind == "move") == 5


# -- wings

DICE = ["beginner", "formula-d", "competition", "cup", "league", "death"]


def winged(rulebook: str, at: str, gear: int, wings: str, **car: Any) -> Table:
    """Car 1 stands somewhere with its wings set."""
    wear = {"points": 18} if rulebook in ("beginner", "death") else WEAR
    one = {"car": 1, "at": at, "gear": gear, "lap": 1, "wear": wear, "wings": wings, **car}
    return Table([one], TOW, rulebook=rulebook, to_play=[1], laps=3, options={"wings": True})


def moves(table: Table) -> set[int]:
    """The spaces of the open landing without brakes."""
    return {option.facts["moved"] for option in table.options if not option.answer["brakes"]}


@pytest.mark.article("beginner formula-d competition cup league death", "variant.wings")
@pytest.mark.parametrize("rulebook", DICE)
@pytest.mark.parametrize(
    ("gear", "face", "wings", "moved"),
    [(4, 8, "high", 7), (4, 8, "low", 9), (4, 8, "normal", 8), (3, 5, "high", 5), (3, 5, "low", 5)],
)
def test_wings_change_a_roll_of_a_fast_gear(rulebook: str, gear: int, face: int, wings: str, moved: int) -> None:
    table = winged(rulebook, "2:left:2", gear, wings)
    table.say(gear, face)
    assert moves(table) == {moved}
    table.say(next(option.answer for option in table.options if not option.answer["brakes"]))
    move = table.ruling("move")
    assert (move.facts["rolled"], move.facts.get("wings", 0), move.facts["moved"]) == (face, moved - face, moved)
    if wings == "low" and gear == 4 and rulebook == "competition":
        assert table.told("move", "en").startswith("1 rolls 8, wings +1, and drives 9 spaces to")
        assert table.told("move", "fr").startswith("1 fait 8, ailerons +1, et avance de 9 cases jusqu’en")


@pytest.mark.article("beginner formula-d competition cup league death", "variant.wings")
@pytest.mark.parametrize("rulebook", DICE)
@pytest.mark.parametrize(("chosen", "set_to", "face", "moved"), [(3, 4, 8, 9), (4, 3, 5, 5)])
def test_the_gear_that_the_referee_sets_before_the_roll_is_that_of_the_wings(
    rulebook: str, chosen: int, set_to: int, face: int, moved: int
) -> None:
    table = winged(rulebook, "2:left:2", chosen, "low")
    table.say(chosen)
    table.talk.override({"car": 1, "gear": set_to})
    table.say(face)
    assert moves(table) == {moved}


@pytest.mark.article("beginner formula-d competition cup league death", "variant.wings")
@pytest.mark.parametrize("rulebook", DICE)
def test_high_wings_take_a_space_off_at_will_where_a_corner_is(rulebook: str) -> None:
    for answer, moved in ((True, 5), (False, 6)):
        table = winged(rulebook, "0:left:5", 2, "high")  # four spaces before the first corner
        table.say(3, 6)
        assert table.open == ("wings", 1, "ease")
        assert [(option.answer, option.facts["spaces"]) for option in table.options] == [(False, 6), (True, 5)]
        table.say(answer)
        assert moves(table) == {moved}
    far = winged(rulebook, "2:left:2", 2, "high")
    far.say(3, 5)
    assert far.ask == "landing", "no corner is near"
    out = winged(rulebook, "1:left:3", 2, "high", stops=1)
    out.say(3, 5)
    assert out.ask == "wings", "it leaves one"
    low = winged(rulebook, "0:left:5", 2, "low")
    low.say(3, 6)
    assert low.ask == "landing"


@pytest.mark.article("competition", "variant.wings")
def test_a_space_is_taken_off_only_if_the_move_still_has_one_in_a_corner() -> None:
    """Four spaces lead into the corner in the right and the middle lane, and not yet in the left one."""
    table = winged("competition", "0:middle:5", 2, "high")
    table.say(3, 5)
    assert table.open == ("wings", 1, "ease")
    table.say(True)
    assert table.spaces() == {"1:right:1", "1:middle:1"}
    rolled = winged("competition", "0:middle:5", 2, "high")
    rolled.say(3, 4)
    assert rolled.spaces() == {"0:left:8", "1:right:1", "1:middle:1"}, "nothing was taken off"


@pytest.mark.article("beginner formula-d competition cup league death", "variant.wings")
@pytest.mark.parametrize("rulebook", DICE)
@pytest.mark.parametrize(("wings", "price"), [("normal", 1), ("low", 2), ("high", 1)])
def test_low_wings_cost_a_tyre_more_for_a_space_beyond_a_corner(rulebook: str, wings: str, price: int) -> None:
    table = winged(rulebook, "1:left:2", 2, wings)
    table.say(3, 4)
    if table.ask == "wings":
        table.say(False)
    beyond = next(option for option in table.options if option.facts.get("overshot") and not option.answer["brakes"])
    assert -sum(beyond.wear.values()) == beyond.facts["overshot"] * price


@pytest.mark.article("beginner formula-d competition cup league death", "variant.wings")
@pytest.mark.parametrize("rulebook", DICE)
def test_wings_are_set_before_the_start_and_by_the_referee(rulebook: str) -> None:
    track, cars = load("monaco"), [{"car": 1, "team": "A"}, {"car": 2, "team": "A"}]
    talk = Conversation(
        begin({"rulebook": rulebook, "track": "monaco", "cars": cars, "options": {"wings": True}}, track)
    )
    driver = RandomDriver(track, 1)
    for _ in range(60):
        assert talk.asked is not None
        if talk.asked.ask == "wings":
            break
        talk.answer(driver.answer(talk.asked, talk.rulebook.race))
    assert talk.asked is not None
    assert [option.answer for option in talk.asked.options or []] == ["normal", "high", "low"]
    assert talk.rulebook.race.phase == "setup"
    ruled = talk.answer("high") + talk.answer("low")
    assert {ruling.article for ruling in ruled if ruling.kind == "wings"} == {"variant.wings"}
    assert {car.wings for car in talk.rulebook.race.cars} == {"high", "low"}
    assert talk.rulebook.race.phase == "race"
    talk.override({"car": 1, "wings": "normal"})
    for lang, said in (("en", "Wings are one of normal, high, low"), ("fr", "Les ailerons sont, au choix")):
        with pytest.raises(BadOverride) as refused:
            talk.override({"car": 1, "wings": "flat"})
        assert Words(lang).error(refused.value).startswith(said)


@pytest.mark.article("competition", "variant.wings")
def test_who_is_asked_for_a_space_less_by_high_wings() -> None:
    """Whoever has a space to take off, and still comes through a corner."""
    table = winged("competition", "1:left:3", 2, "high", stops=1)
    table.say(3)
    ask, car = table.rulebook.moving.ease_question, table.car(1)
    assert [ask(car, spaces) is not None for spaces in (1, 2, 3)] == [False, True, True]
    assert [ask(replace(car, **one), 3) for one in ({"status": "out"}, {"at": None}, {"wings": "low"})] == [None] * 3
    fast = winged("competition", "1:left:3", 4, "high", stops=1)
    fast.say(4, 7)
    assert [option.facts["spaces"] for option in fast.options] == [6, 5], "less the space of the gear"
    for face, asked in ((4, "landing"), (5, "wings")):
        near = winged("competition", "0:left:5", 2, "high")
        near.say(3, face)
        assert near.ask == asked, "four spaces before the first corner"


@pytest.mark.article("competition", "variant.wings")
def test_a_car_that_was_eased_and_put_where_no_corner_is_may_still_stop() -> None:
    table = winged("competition", "0:left:5", 2, "high")
    table.say(3, 6, True)
    table.talk.override({"car": 1, "at": "2:left:2"})
    assert moves(table) == {5}


@pytest.mark.article("competition", "variant.wings")
def test_wings_count_in_the_move_of_the_die_alone_and_are_not_told_where_they_do_nothing() -> None:
    towed = {"car": 1, "at": at("M-1"), "gear": 4, "wings": "low"}
    table = Table([towed, {"car": 2, "at": at("M17"), "gear": 4}], TOW, to_play=[1], options={"wings": True})
    table.say(4, 7)
    table.land(at("M15"))
    table.land(at("L20"))
    assert [one.facts.get("wings") for one in table.rulings if one.kind == "move"] == [1, None]
    plain = winged("competition", "2:left:2", 4, "normal")
    plain.say(4, 8)
    plain.say(next(option.answer for option in plain.options if not option.answer["brakes"]))
    assert "wings" not in plain.ruling("move").facts


@pytest.mark.article("competition", "variant.wings")
def test_a_position_that_says_nothing_of_wings_has_neither_high_nor_low_ones() -> None:
    setup = {"track": "monaco", "laps": 2, "options": {"wings": True}, "to_play": [1]}
    (car,) = begin({**setup, "cars": [{"car": 1, "at": "2:left:1", "lap": 1}]}, load("monaco")).race.cars
    assert (car.wings, car.wear, car.tyres) == ("normal", WEAR, "hard")


def test_wings_are_refused_where_they_are_off() -> None:
    with pytest.raises(BadSetup) as refused:
        Table([{"car": 1, "at": "2:left:1", "gear": 2, "wings": "low"}], to_play=[1])
    assert Words("en").error(refused.value) == "Car 1 has low wings; in this race wings are not set."
    assert Words("fr").error(refused.value).startswith("La voiture 1 a des ailerons low")


@pytest.mark.article("competition", "variant.wings")
@pytest.mark.parametrize(("at", "said", "ok"), [("after:0", "corner 1", True), ("after:0", "after corner 7", False)])
def test_on_a_corner_sheet_a_space_is_taken_off_only_for_a_corner(at: str, said: str, ok: bool) -> None:
    table = Table([{"car": 1, "gear": 3, "at": at, "wings": "high"}], "monza", to_play=[1], options={"wings": True})
    table.say(4, 8)
    assert table.open == ("wings", 1, "ease")
    table.say(True)
    assert table.talk.asked is not None
    assert table.talk.asked.what == "spaces_6"
    places = table.fields["in"]
    assert (said in places) is ok


@pytest.mark.article("competition", "variant.wings")
@pytest.mark.parametrize("eased", [False, True])
@pytest.mark.parametrize(
    ("car", "places"),
    [
        ({"at": "after:0"}, ["corner 1", "after corner 1", "corner 2"]),
        ({"at": "corner:1", "stops": 2}, ["corner 1", "after corner 1", "corner 2"]),
        ({"at": "pit:1", "status": "pit", "box": 1}, ["pit", "box"]),
    ],
)
def test_on_a_corner_sheet_a_car_that_was_eased_goes_where_a_corner_is(
    car: dict[str, Any], places: list[str], eased: bool
) -> None:
    """In the corner or the lane where it stands, anywhere."""
    table = Table([{"car": 1, "gear": 3, "wings": "high", **car}], "monza", to_play=[1], options={"wings": True})
    table.say(4, 8, eased)
    straight = ["after corner 6"] if car["at"] == "after:0" and not eased else []
    assert table.fields["in"][: len(straight) + len(places)] == straight + places


def test_the_sheet_says_how_the_wings_are_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    setup = {"rulebook": "beginner", "track": "monaco", "cars": [{"car": 1}], "options": {"wings": True}}
    driver = RandomDriver(load("monaco"), 1)
    with begin_race(setup, "monaco", tmp_path) as desk:
        while desk.asked is not None and desk.asked.ask != "gear":
            asked = desk.asked
            desk.answer("high" if asked.ask == "wings" else driver.answer(asked, desk.rulebook.race))  # type: ignore[arg-type]
        sheet = desk.sheet()
    for lang, said in (("en", "high wings"), ("fr", "ailerons hauts")):
        assert said in car_page(sheet, 1, {1: 0}, Words(lang, "beginner")).facts
        show_sheet(RacePrinter(Words(lang, "beginner")), sheet, 1)
        assert said in capsys.readouterr().out
