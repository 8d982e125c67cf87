"""Tables of the race of sections for tests: a short ring with cars on it, and their questions. It knows no rule."""

from __future__ import annotations

from typing import Any

from companion.rules.conversation.asking import Option, Ruling
from companion.rules.ninety.circuit import load_sections
from companion.rules.ninety.state import SectionCar
from companion.rules.rulebooks import begin
from tests.table import Talking

RING = """
name = "Ring"
country = "Nowhere"
known = "sections"
turns = 20
pit = 3
source = "a test"
trust = "complete"

[[section]]  # 1
kind = "straight"

[[section]]  # 2
kind = "straight"

[[section]]  # 3
kind = "braking"
late = 50
trajectories = ["driving 1", "speeding 2"]

[[section]]  # 4
kind = "corner"
name = "Mole"
bonus = 2

[[section]]  # 5
kind = "straight"
trajectories = ["gear 1"]

[[section]]  # 6
kind = "braking"

[[section]]  # 7
kind = "corner"
name = "Kink"
bonus = -1

[[section]]  # 8
kind = "straight"

[[section]]  # 9
kind = "straight"

[[section]]  # 10
kind = "straight"
"""
TRACK = load_sections(RING, "a ring in a test", "ring")


class Stage(Talking):
    """One race under test; cards are on the table unless the setup has a deck."""

    def __init__(self, cars: list[dict[str, Any]], track: str = RING, **setup: Any) -> None:
        board = TRACK if track == RING else load_sections(track, "a ring in a test", "ring")
        super().__init__(begin({"rulebook": "ninety", "track": "ring", "cars": cars, **setup}, board))

    def car(self, number: int) -> SectionCar:
        return self.rulebook.car(number)

    @property
    def open(self) -> tuple[str, int | None] | None:
        """What is asked, of which car."""
        question = self.talk.question
        return None if question is None else (question.ask, question.car)

    @property
    def offered(self) -> list[Option]:
        """What is offered, with what it costs."""
        question = self.talk.question
        assert question is not None
        return list(question.options())

    @property
    def answers(self) -> list[Any]:
        """The answers that are offered."""
        return [option.answer for option in self.offered]

    def ruled(self, kind: str, car: int | None = None) -> list[Ruling]:
        """All rulings of a kind so far, of one car if named."""
        return [ruling for ruling in self.rulings if ruling.kind == kind and (car is None or ruling.car == car)]

    def queue(self, section: int) -> list[int]:
        """The cars in a section, counted from 1, from the head of its line."""
        return [car.number for car in self.rulebook.order.queue(section - 1)]

    def where(self, number: int) -> tuple[int, int]:
        """Lap and section of a car, the section counted from 1."""
        car = self.car(number)
        return car.lap, car.section + 1


def car(number: int, section: int, lap: int = 1, **more: Any) -> dict[str, Any]:
    """A player's car in a section, counted from 1, with balanced strategy and a check card of factor 50."""
    return {"car": number, "at": f"section:{section}", "lap": lap, "fuel": 30, "status": "racing", **more}


def bot(number: int, section: int, lap: int = 1, kind: str = "slow", **more: Any) -> dict[str, Any]:
    """A bot in a section, counted from 1."""
    return {**car(number, section, lap), "bot": kind, **more}


def driving(*cars: dict[str, Any], to_play: list[int] | None = None, turn: int = 5, **setup: Any) -> Stage:
    """A turn in the middle of the race; cars of one section stand in it as they are listed. From a deck of the program
    each has a check card of its own, the first one of factor 50."""
    if setup.get("deck"):
        players = [one for one in cars if "bot" not in one]
        checks = {one["car"]: f"D2 {50 + place}" for place, one in enumerate(reversed(players))}
        cars = tuple({"check": checks[one["car"]], **one} if "bot" not in one else one for one in cars)
    numbers = [one["car"] for one in cars]
    return Stage(list(cars), round=turn, to_play=numbers if to_play is None else to_play, **setup)
