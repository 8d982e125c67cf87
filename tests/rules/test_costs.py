"""What an answer is offered for is what it is ruled to cost: the check for authors of rulebooks, and that it bites."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from companion import articles, circuits
from companion.drivers.cards import HeuristicCardDriver, RandomCardDriver
from companion.drivers.chance import RandomDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.circuit.leg import Over
from companion.rules.conversation.asking import Procedure
from companion.rules.dice.collisions import Blocking
from companion.rules.dice.competition import Competition, CompetitionWear
from companion.rules.dice.corners import Corners
from companion.rules.dice.gears import Gears
from companion.rules.dice.moving import Moving
from companion.rules.dice.slipstream import Slipstream
from companion.rules.dice.state import Car
from companion.rules.dice.wear import Cost
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
    driven = check(kind, tracks, [RandomDriver], races=1, moves=0, aside=False)
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
