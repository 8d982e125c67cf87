"""An answer costs what it was offered for: the check for authors of rulebooks finds every rule that breaks this."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from typing import Any, cast

import pytest

from companion import articles, circuits
from companion.drivers.cards import HeuristicCardDriver, RandomCardDriver
from companion.drivers.chance import RandomDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.circuit.leg import Over
from companion.rules.conversation.asking import Procedure
from companion.rules.conversation.errors import CompanionError
from companion.rules.dice.collisions import Blocking
from companion.rules.dice.competition import Competition, CompetitionWear
from companion.rules.dice.corners import Corners
from companion.rules.dice.gears import Gears
from companion.rules.dice.moving import Moving
from companion.rules.dice.pits import Pits
from companion.rules.dice.setup import Preparing
from companion.rules.dice.slipstream import Slipstream
from companion.rules.dice.state import Car
from companion.rules.dice.tests import Tests as ChapterOfTests
from companion.rules.dice.tyres import Tyres
from companion.rules.dice.variants import VARIANTS, Variant
from companion.rules.dice.wear import Cost
from companion.rules.dice.weather import Weather
from companion.rules.ninety.hand import CarChart
from companion.rules.ninety.ninety import Ninety
from companion.rules.ninety.state import SectionCar
from companion.rules.rulebooks import RULEBOOKS
from companion.rules.testing import check, settlements

BOARDS = {"ninety": ["saltmarsh"], "death": ["monaco", "kestrel-moor"]}
DRIVERS = {"ninety": [RandomCardDriver, HeuristicCardDriver]}


@pytest.mark.parametrize("name", list(RULEBOOKS))
def test_what_is_offered_is_what_is_ruled(name: str) -> None:
    tracks = [circuits.board(key) for key in BOARDS.get(name, ["monaco", "monza"])]
    known = {article.id for article in articles.load(name)}
    drivers = DRIVERS.get(name, [RandomDriver, HeuristicDriver])
    setup = {"deck": 7} if name == "ninety" else None
    assert check(RULEBOOKS[name], tracks, drivers, races=8, setup=setup, articles=known) == []


class TyreMore(Corners[Any, Any, Any]):
    """A house rule: to overshoot costs a tyre more."""

    def tyres_lost(self, car: Any, overs: Sequence[Over]) -> int:
        return super().tyres_lost(car, overs) + 1


@pytest.mark.parametrize("name", ["competition", "cup", "league"])
def test_a_house_rule_that_changes_a_number_is_offered_and_settled_alike(name: str) -> None:
    kind = RULEBOOKS[name]
    corners = type("HouseCorners", (TyreMore, kind.chapters()["corners"]), {})
    house = type("House", (kind,), {"name": "house", "VERSION": "house 1", "__annotations__": {"corners": corners}})
    assert check(house, [circuits.load("monaco")], [RandomDriver, HeuristicDriver], races=4) == []


class PaysMore(Corners[Any, Any, Any]):
    def overshoot(self, car: Any) -> None:
        super().overshoot(car)
        if self.move.overs:
            self.lose(car, "overshoot", "10-0-1", {"tyres": 1})


class SpinsThough(Corners[Any, Any, Any]):
    def overshoot(self, car: Any) -> None:
        super().overshoot(car)
        if self.move.overs and self.move.blocked and car.alive and not self.book.wear.works(car, "tyres"):
            self.book.wear.spin(car, "10-4-1")


class Forgives(Blocking[Any, Any, Any]):
    def blocked_out(self, car: Any) -> Procedure[None]:
        yield from ()


class BrakesTwice(Moving[Any, Any, Any]):
    def brake(self, car: Any, spaces: int) -> None:
        super().brake(car, spaces)
        super().brake(car, spaces)


class FreeShift(Gears[Any, Any, Any]):
    def shift(self, car: Any, gear: int) -> None:
        car.gear = self.move.gear = gear
        self.rule("gear", "6-1-1", car, gear=gear)


class FreeEntry(Slipstream[Any, Any, Any]):
    def pay_entry(self, car: Any, brakes: int) -> None:
        pass


class NeverSpins(CompetitionWear):
    def befall(self, car: Car, cost: Cost) -> None:
        if cost.out:
            super().befall(car, cost)


SLIPS: list[tuple[str, type[Any]]] = [
    ("corners", PaysMore),
    ("corners", SpinsThough),
    ("blocking", Forgives),
    ("moving", BrakesTwice),
    ("gears", FreeShift),
    ("wear", NeverSpins),
]


@pytest.mark.parametrize(("chapter", "slip"), SLIPS, ids=lambda one: getattr(one, "__name__", one))
def test_a_settlement_that_is_not_what_was_offered_is_found(chapter: str, slip: type[Any]) -> None:
    annotations = {chapter: slip}
    kind = type("Slip", (Competition,), {"name": "slip", "VERSION": "slip 1", "__annotations__": annotations})
    assert check(kind, [circuits.load("monaco")], [RandomDriver, HeuristicDriver], races=3, moves=500)


class CrossesOff(Corners[Any, Any, Any]):
    def overshoot(self, car: Any) -> None:
        super().overshoot(car)
        car.wear["body"] -= 1


def test_points_that_change_without_a_ruling_are_found() -> None:
    kind = type("Slip", (Competition,), {"name": "slip", "VERSION": "1", "__annotations__": {"corners": CrossesOff}})
    tracks = [circuits.load("monaco")]
    told = "changes the points of car 1 without a ruling: body -1."
    assert any(told in fault for fault in check(kind, tracks, [RandomDriver], races=1, moves=0))
    driven = check(kind, tracks, [RandomDriver], races=1, moves=0, turns=0, aside=False)
    assert ["without a ruling: body -1." in fault for fault in driven] == [True]
    assert any(told in fault for fault in settlements(kind, tracks[0], 20))


class TyreBesides(CarChart):
    def pay(self, car: SectionCar, played: list[str]) -> Procedure[None]:
        yield from super().pay(car, played)
        if car.alive and car.wear["tyres"]:
            car.wear["tyres"] -= 1
            self.rule("paid", "symbols.pay", car, {"tyres": -1}, due=1)


class PaysNothing(CarChart):
    def pay(self, car: SectionCar, played: list[str]) -> Procedure[None]:
        yield from ()


@pytest.mark.parametrize("slip", [TyreBesides, PaysNothing])
def test_cards_that_are_paid_otherwise_than_was_shown_are_found(slip: type[Any]) -> None:
    annotations = {"chart": slip}
    kind = type("Slip", (Ninety,), {"name": "slip", "VERSION": "slip 1", "__annotations__": annotations})
    found = check(kind, [circuits.board("saltmarsh")], [RandomCardDriver], races=1, setup={"deck": 7})
    assert any("offered for" in fault for fault in found)


def test_of_one_seed_the_same_is_found() -> None:
    annotations = {"corners": PaysMore}
    kind = type("Slip", (Competition,), {"name": "slip", "VERSION": "slip 1", "__annotations__": annotations})
    first = settlements(kind, circuits.load("monaco"), 200, seed=3)
    assert first
    assert first == settlements(kind, circuits.load("monaco"), 200, seed=3)
    assert first != settlements(kind, circuits.load("monaco"), 200, seed=4)


def found_as_printed(rulebook: str, *chapters: type[Any], make: Any = RandomDriver) -> list[str]:
    """What the call in the recipe of the manual finds wrong with a variant of these chapters."""
    tracks = [circuits.board("monaco"), circuits.board("monza")]
    variant = VARIANTS.add(Variant("planted", chapters))
    try:
        return check(rulebook, tracks, [make], races=4, setup={"options": {variant.switch: True}})
    finally:
        VARIANTS.drop(variant.name)


class EntryTwice(Slipstream[Any, Any, Any]):
    def pay_entry(self, car: Any, brakes: int) -> None:
        super().pay_entry(car, brakes * 2)


class SilentTow(Slipstream[Any, Any, Any]):
    def towed(self, car: Any, tow: Any) -> Procedure[None]:
        car.wear["body"] -= 1
        yield from super().towed(car, tow)


class WordOfBrakes(Slipstream[Any, Any, Any]):
    def entry_brakes(self) -> Any:
        return "two"


class BrakesAsGift(Slipstream[Any, Any, Any]):
    def entry_brakes(self) -> int:
        return -1


class SilentStop(Pits[Any, Any, Any]):
    def fit(self, car: Any, compound: Any) -> None:
        super().fit(car, compound)
        car.wear["engine"] -= 1


PLANTED = {
    EntryTwice: "offered for {'brakes': 1}, costs {'brakes': 2}.",
    SilentTow: "changes the points of car 1 without a ruling: body -1.",
    WordOfBrakes: "TypeError",
    BrakesAsGift: "leads to a position that is refused: Car 1: brakes can be 0 to ",
    SilentStop: "changes the points of car 1 without a ruling: engine -1.",
}


@pytest.mark.parametrize("slip", PLANTED, ids=lambda slip: slip.__name__)
@pytest.mark.parametrize("rulebook", ["competition", "cup", "league"])
def test_the_call_of_the_recipe_finds_what_random_races_do_not_come_to(rulebook: str, slip: type[Any]) -> None:
    assert any(PLANTED[slip] in fault for fault in found_as_printed(rulebook, slip))


class RandomHighest(Gears[Any, Any, Any]):
    def highest(self) -> int:
        return secrets.choice((4, 5, 6))


class RaisesHighest(Gears[Any, Any, Any]):
    def highest(self) -> int:
        raise RuntimeError("boom")


class RaisesAtOnce(Preparing[Any, Any, Any]):
    def enter(self) -> None:
        raise RuntimeError("boom")


class NinthGear(Gears[Any, Any, Any]):
    def highest(self) -> int:
        return 9


@pytest.mark.parametrize("make", [RandomDriver, HeuristicDriver])
@pytest.mark.parametrize(
    ("slip", "told"),
    [
        (RandomHighest, "is not among them."),
        (RaisesHighest, "RuntimeError: boom."),
        (RaisesAtOnce, "it cannot begin: RuntimeError: boom."),
        (NinthGear, "gear 7: offered and refused: "),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_an_error_that_a_rule_raises_is_a_sentence(slip: type[Any], told: str, make: Any) -> None:
    found = found_as_printed("competition", slip, make=make)
    assert any(told in fault for fault in found)
    assert all(fault.startswith("competition") and fault[-1] in ".?" for fault in found)


class SameTow(Slipstream[Any, Any, Any]):
    def spaces(self) -> int:
        return super().spaces()


class SameGears(Gears[Any, Any, Any]):
    def highest(self) -> int:
        return super().highest()


class SamePits(Pits[Any, Any, Any]):
    def bonus(self, car: Any) -> int:
        return super().bonus(car)


class SameCorners(Corners[Any, Any, Any]):
    def overshoot(self, car: Any) -> None:
        super().overshoot(car)


class SameBlocking(Blocking[Any, Any, Any]):
    def blocked(self, car: Any) -> Procedure[None]:
        yield from super().blocked(car)


class SameTests(ChapterOfTests[Any, Any, Any]):
    def flat_out(self, gear: int, face: int) -> bool:
        return super().flat_out(gear, face)


class SameTyres(Tyres[Any, Any, Any]):
    def slide(self, car: Any) -> int:
        return super().slide(car)


class SameWeather(Weather[Any, Any, Any]):
    def given_sky(self) -> None:
        super().given_sky()


SAME = (SameTow, SameGears, SamePits, SameCorners, SameBlocking, SameTests, SameTyres, SameWeather)
TYRES = "a slide or a space of soft tyres"
NEVER = {
    "beginner": ["a slipstream", "a slipstream into a corner", "a change of the weather", TYRES],
    "formula-d": ["a change of the weather", TYRES],
    "death": ["a change of the weather"],
}
"""What these rulebooks do not have at all."""


@pytest.mark.parametrize("rulebook", [name for name in RULEBOOKS if name != "ninety"])
def test_what_a_changed_chapter_is_about_is_met_or_is_said_not_to_be(rulebook: str) -> None:
    variant = VARIANTS.add(Variant("same", SAME))
    setup = {"options": {variant.switch: True}}
    try:
        found = check(rulebook, [circuits.board("monaco")], [RandomDriver], races=2, moves=0, setup=setup)
        unseen = check(rulebook, [circuits.board("monaco")], [RandomDriver], races=0, moves=0, turns=1, setup=setup)
    finally:
        VARIANTS.drop(variant.name)
    where = "was never met in 2 races and 50 made-up turns."
    assert found == [f"{rulebook}: {matter} {where}" for matter in NEVER.get(rulebook, ())]
    assert f"{rulebook}: a stop in the box was never met in 0 races and 1 made-up turn." in unseen


def test_wrong_arguments_are_told_in_a_sentence() -> None:
    monaco, monza = circuits.board("monaco"), circuits.board("monza")
    with pytest.raises(CompanionError, match="There is no rulebook called zz"):
        check("zz", [], [])
    for tracks, drivers, told in (
        ([], [], "needs a circuit and a driver at least; got 0 and 0."),
        ([monaco], [], "got 1 and 0."),
        (["monaco"], [RandomDriver], "circuits as load_circuit returns them; got 'monaco'."),
        ([monaco], ["sensible"], "classes of drivers, such as RandomDriver; got 'sensible'."),
    ):
        with pytest.raises(ValueError, match=re.escape(told)):
            check("beginner", cast("Any", tracks), cast("Any", drivers))
    with pytest.raises(CompanionError, match="Monza is a corner sheet"):
        check("death", [monza], [RandomDriver], races=1)
    with pytest.raises(CompanionError, match="options"):
        check("cup", [monaco], [RandomDriver], races=1, setup={"options": 5})
