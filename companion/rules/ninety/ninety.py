"""The race of cards and sections: every turn each driver, from the leader on, draws, plays, pays and moves.

A rulebook has chapters, each an object of its own in the file of the same name: here is their list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar

import msgspec

from companion.rules.conversation.asking import Json, Proc
from companion.rules.conversation.rulebook import Floor
from companion.rules.ninety.bots import Bots
from companion.rules.ninety.chart import CarChart
from companion.rules.ninety.checks import TargetCheck
from companion.rules.ninety.circuit import TURNS, Section, SectionTrack, section_name
from companion.rules.ninety.contests import CornerContest
from companion.rules.ninety.figures import SectionFigures
from companion.rules.ninety.finish import SectionFinish
from companion.rules.ninety.hand import Hand
from companion.rules.ninety.moving import Overtaking
from companion.rules.ninety.order import LineUp
from companion.rules.ninety.pits import PitWall
from companion.rules.ninety.position import SectionPosition
from companion.rules.ninety.preparing import Practice
from companion.rules.ninety.referee import SectionReferee
from companion.rules.ninety.state import SectionCar, SectionRace
from companion.rules.ninety.strategies import Strategies
from companion.rules.ninety.trajectories import Trajectories
from companion.rules.ninety.turn import SectionTurn


class Ninety(Floor[SectionCar]):
    """The rulebook `ninety`, chapter by chapter."""

    order: LineUp
    turn: SectionTurn
    hand: Hand
    chart: CarChart
    checks: TargetCheck
    moving: Overtaking
    contests: CornerContest
    trajectories: Trajectories
    strategies: Strategies
    pits: PitWall
    bots: Bots
    preparing: Practice
    finish: SectionFinish
    position: SectionPosition
    referee: SectionReferee

    name: ClassVar[str] = "ninety"
    VERSION: ClassVar[str] = "ninety 6"
    race: SectionRace
    track: SectionTrack
    figures: SectionFigures
    race_type: ClassVar[type[SectionRace]] = SectionRace
    figures_type: ClassVar[type[SectionFigures]] = SectionFigures
    reminders: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    word: ClassVar[str] = "ruling 50"
    car_details: ClassVar[tuple[str, ...]] = ("cause",)
    car_values: ClassVar[tuple[str, ...]] = (
        "wear", "at", "lap", "strategy", "fuel", "check", "stops", "permanent", "status", "hand", "frozen",
    )  # fmt: skip
    """What the referee's word can set on a car, in the order in which it is set."""
    race_values: ClassVar[tuple[str, ...]] = ("queue",)
    car_ranges: ClassVar[Mapping[str, tuple[int, int]]] = {
        "lap": (-9, 99), "fuel": (0, 99), "stops": (0, 99), "permanent": (0, 20),
    }  # fmt: skip
    laps: ClassVar[int] = 20
    """Turns of a race where neither the setup nor the circuit says."""
    race_ranges: ClassVar[Mapping[str, tuple[int, int]]] = {"laps": TURNS}
    """What the numbers of a race may be, in a setup."""

    def __init__(self, race: SectionRace, track: SectionTrack, figures: SectionFigures) -> None:
        super().__init__(race, track, figures)
        self.holds: Callable[[], bool] = lambda: True
        """Whether the step being played can go on from what the referee has set."""
        self.undoes: Callable[[], None] = lambda: None
        """What the step being played takes back where it is given up."""
        self.hidden = False
        """Whether cards of the program's deck are asked for, as those of the table's own are."""
        self.open_chapters()

    def conceal(self, hidden: bool) -> None:
        """While it is `hidden` the deck gives nothing away: a card turned over is asked for."""
        self.hidden = hidden

    def guess(self, seed: int) -> None:
        """Of a deck of the program whatever lies or is held face down is dealt anew."""
        self.hand.deal_anew(seed)

    def step(self) -> Proc[None] | None:
        """The next piece of the procedure; None when the race is over."""
        race = self.race
        self.holds, self.undoes = lambda: True, lambda: None
        if race.phase == "setup":
            return self.preparing.prepare()
        if race.phase == "over":
            return None
        if not self.order.waiting():
            return self.finish.end_of_turn()
        what, number = self.contests.comes_up()
        return self.contests.contest(number) if what == "contest" else self.turn.turn(self.car(number))

    def abandon(self) -> None:
        """The step that was being played is given up; what comes next hangs on the state alone."""
        self.undoes()
        self.holds, self.undoes = lambda: True, lambda: None

    # -- what the world asks

    def running_order(self) -> list[int]:
        """The running order, then those out of it, the later first."""
        return self.order.running_order()

    def to_play(self) -> list[int]:
        """The numbers of the cars that have not had their turn yet, in the order of activation as it stands."""
        return [car.number for car in self.order.waiting()]

    def result(self) -> list[dict[str, Json]]:
        """The classification; retired cars come behind without place or points, the later first."""
        return self.finish.result()

    def section(self, car: SectionCar) -> Section:
        """The section that a car stands in: a straight, a braking section or a corner [track.sections]."""
        return self.track.sections[car.section]

    def state(self) -> dict[str, Json]:
        """The position as a setup that goes on exactly from here; whole only between two turns."""
        race, usual = self.race, SectionFigures()
        values: dict[str, Json] = msgspec.to_builtins(race)
        for inner in ("played", "phase"):
            values.pop(inner, None)
        for car, said in zip(race.cars, values["cars"], strict=True):
            for name in car.said_otherwise:
                said.pop(name, None)
            if car.point is not None:
                said["point"] = car.point
            if race.phase != "setup":
                said["at"] = section_name(car.section)
        if race.contested:
            values["contested"] = [[number, section_name(section)] for number, section in race.contested]
        if race.phase == "setup":
            values["phase"] = race.phase
        else:
            values["to_play"] = self.to_play()
        changed = {x.name: x.value for x in self.figures if x.value != getattr(usual, x.name)}
        if changed:
            values["options"] = msgspec.to_builtins(changed)
        return {"rulebook": self.name, "track": self.track.key, **values}

    # -- the referee's word

    def override(self, change: Mapping[str, Json]) -> bool:
        """Sets values by the referee's word, as `set_by_word`; True if the step being played cannot go on from
        them."""
        self.set_by_word(change)
        return not self.holds()

    def faults(self) -> Iterator[str]:
        """All that is wrong with the position as it stands, a sentence each."""
        return self.position.faults()

    def _set_race(self, race: SectionRace, name: str, value: Json) -> None:
        self.referee.set_queue(race, name, value)

    def _set_car(self, car: SectionCar, values: Mapping[str, Json]) -> None:
        self.referee.set_car(car, values)
