"""The family of dice-and-gears rulebooks: its chapters, and how a race runs from step to step.

A rulebook has chapters, each an object of its own that says what it is: here is their list. The turn of a car, from top
to bottom in the fifteen steps of article 6-3, is in `turn`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic

import msgspec

from companion.rules.circuit.leg import Landing
from companion.rules.circuit.search import board_of
from companion.rules.circuit.track import Track, without_wall
from companion.rules.conversation.asking import Json, JsonValue, Procedure, Question
from companion.rules.conversation.consequence import Consequence
from companion.rules.conversation.errors import BadSetup
from companion.rules.conversation.kinds import Pool
from companion.rules.conversation.rulebook import Chapter, Rulebook
from companion.rules.dice.chapter import F, R
from companion.rules.dice.collisions import Blocking, Collisions
from companion.rules.dice.corners import Corners
from companion.rules.dice.figures import Figures
from companion.rules.dice.gears import Gears
from companion.rules.dice.moving import Landings, Moving
from companion.rules.dice.order import Finish, Order
from companion.rules.dice.outlook import STOPS, Outlook
from companion.rules.dice.pits import Pits
from companion.rules.dice.referee import Referee
from companion.rules.dice.setup import Position, Preparing
from companion.rules.dice.sheet import Sheet
from companion.rules.dice.slipstream import Slipstream
from companion.rules.dice.state import C, RaceState, Status
from companion.rules.dice.tests import Tests
from companion.rules.dice.turn import Starts, Turn
from companion.rules.dice.tyres import Tyres
from companion.rules.dice.variants import compose, switched_on, with_switches
from companion.rules.dice.wear import Wear
from companion.rules.dice.weather import Weather


class FormulaDe(Rulebook[C], Generic[C, R, F]):
    """A race from the weather draw to the classification, chapter by chapter.

    A rulebook puts its own kind of a chapter in the place of one, or changes a figure.

    >>> from companion import circuits
    >>> from companion.rules.rulebooks import begin
    >>> cars = [{"car": 1, "at": "1:left:1", "gear": 3}, {"car": 2, "at": "1:right:1", "gear": 2}]
    >>> book = begin({"track": "monaco", "cars": cars, "to_play": [1, 2]}, circuits.load("monaco"))
    >>> book.name, book.running_order(), book.gears.barred(book.car(1), 5).why
    ('competition', [2, 1], 'up')
    """

    order: Order[C, R, F]
    gears: Gears[C, R, F]
    tyres: Tyres[C, R, F]
    landings: Landings[C, R, F]
    moving: Moving[C, R, F]
    slipstream: Slipstream[C, R, F]
    corners: Corners[C, R, F]
    blocking: Blocking[C, R, F]
    wear: Wear[C, R, F]
    tests: Tests[C, R, F]
    collisions: Collisions[C, R, F]
    pits: Pits[C, R, F]
    weather: Weather[C, R, F]
    sheet: Sheet[C, R, F]
    preparing: Preparing[C, R, F]
    position: Position[C, R, F]
    referee: Referee[C, R, F]
    turn: Turn[C, R, F]
    outlook: Outlook[C, R, F]
    starts: Starts[C, R, F]
    finish: Finish[C, R, F]

    race: R
    track: Track
    figures: F
    race_type: ClassVar[type[RaceState[Any]]] = RaceState
    figures_type: ClassVar[type[Figures]] = Figures
    pool_of: ClassVar[Mapping[Pool, Pool]] = {}
    """The pool that pays for a part of the car, where that is not the part's own."""
    car_ranges: ClassVar[Mapping[str, tuple[int, int]]] = {
        "gear": (0, 6),
        "lap": (0, 100),
        "grid_lap": (0, 100),
        "stops": (0, 3),
        "stand": (0, 10),
        "tyre_laps": (0, 99),
        "arrived": (0, 1_000_000),
        "coast": (-1, 4),
        "to_box": (0, 60),
        "still": (0, 100_000),
        "bought": (0, 6),
    }
    """Lowest and highest value of each number of a car, in a setup and in an override."""
    race_ranges: ClassVar[Mapping[str, tuple[int, int]]] = {
        "laps": (1, 99),
        "round": (0, 100_000),
        "red_flags": (0, 1_000),
        "turn": (0, 1_000_000),
    }
    car_values: tuple[str, ...] = (
        "wear", "gear", "at", "lap", "stops", "tyres", "tyre_laps", "status", "stand",
    )  # fmt: skip
    """Values of a car that the referee can set by an override."""
    race_values: tuple[str, ...] = ("sky", "surface", "order", "dangers")
    """Values of the race that the referee can set by an override."""
    race_endings: ClassVar[tuple[str, ...]] = ("cut_short", "red_flag")
    car_details: ClassVar[tuple[str, ...]] = ("cause", "coast", "turned", "built")
    race_details: ClassVar[tuple[str, ...]] = ("fixed", "due")
    statuses: ClassVar[tuple[Status, ...]] = ("grid", "racing", "stalled", "spun", "out")
    """Statuses that the referee can give a car by an override."""
    walled: ClassVar[bool] = True
    """True if the outside lane of an oval is a wall; otherwise the wall is scenery."""
    by_spaces: ClassVar[bool] = False
    """True if the rulebook needs a circuit known to the space, for what no table counts by hand."""
    reminders: ClassVar[Mapping[str, Sequence[str]]] = {}
    """Articles that people must see to by hand, by the moment at which they are reminded."""
    laps: ClassVar[int] = 3
    """Laps of a race where neither the setup nor the circuit's file says."""

    def __init__(self, race: R, track: Track, figures: F) -> None:
        super().__init__(race, track if self.walled else without_wall(track), figures)
        self.board = board_of(self.track)
        for variant in switched_on(figures):
            self.car_values += tuple(name for name in variant.car_values if name not in self.car_values)
            self.race_values += variant.race_values
        self.open_chapters()

    @classmethod
    def figure_table(cls, options: Collection[str] | None = None) -> type[Figures]:
        """Return the figures with the switches of the variants that mean something in this rulebook."""
        return with_switches(cls, cls.figures_type, options)

    def chapters_in_force(self) -> Mapping[str, type[Chapter]]:
        """Return the chapters, composed with those of the variants that are on."""
        on = switched_on(self.figures)
        return compose(self.chapters(), on) if on else self.chapters()

    def remind(self, moment: str) -> None:
        """Show people once what they must see to themselves at this moment."""
        if moment not in self.race.told:
            self.race.told.append(moment)
            for article in self.reminders.get(moment, ()):
                self.rule("reminder", article, moment=moment)

    def step(self) -> Procedure[None] | None:
        """Return the next step of the race, by the state alone; None when the race is over."""
        race = self.race
        if race.phase == "setup":
            return self.preparing.prepare()
        if race.phase == "over":
            return None
        if race.cut_short:
            return self.finish.close()
        if race.move is not None:
            return self.turn.rest()
        if not any(car.alive for car in race.cars):
            return self.finish.close()
        car = self.order.next_to_play()
        return self.order.end_of_round() if car is None else self.turn.turn(car)

    def abandon(self) -> None:
        """End the turn of a car that the referee has taken out of the race, but for the rest of it.

        Where he has cut the race short nothing is left of the turn.
        """
        move = self.race.move
        if move is None:
            return
        if move.car not in self.race.played:
            self.race.played.append(move.car)
        if self.car(move.car).alive:
            self.race.move = None

    def state(self) -> dict[str, Json]:
        """Return the position as a setup that goes on exactly from here; whole only between two turns.

        In the middle of a turn a car has the stops of the corner that it has come to, and is home once it is over the
        line for the last time.
        """
        race, figures = self.race, self.figures
        values: dict[str, Json] = msgspec.to_builtins(race)
        for inner in ("played", "move"):
            values.pop(inner, None)
        for car, said in zip(race.cars, values["cars"], strict=True):
            for name in ("stand", "fresh", "round_set"):  # left out they would be as at the start of a race
                said[name] = getattr(car, name)
            if car.status == "grid" and car.lap:  # left out it would be racing
                said["status"] = car.status
            if self.position.stops_are_of_the_begin(car):
                said["stops"] = 0
            if race.move is not None and race.move.car == car.number and race.move.finished and car.alive:
                said["status"] = "finished"
        if race.phase != "setup":
            to_play = self.order.to_play() if race.sweep is not None else []
            home = [said["car"] for said in values["cars"] if said.get("status") == "finished"]
            values["to_play"] = [number for number in to_play if number not in home]
        usual = type(figures)()
        changed = {
            name: getattr(figures, name)
            for name in figures.__struct_fields__
            if getattr(figures, name) != getattr(usual, name)
        }
        if changed:
            values["options"] = msgspec.to_builtins(changed)
        return {"rulebook": self.name, "track": self.track.key, **values}

    # -- what the world asks

    def running_order(self) -> list[int]:
        """Return the cars in running order, leader first: those home, then those racing, then the others."""
        return self.order.running_order()

    def to_play(self) -> list[int]:
        """Return the cars that still play this round, in order; the one whose turn it is comes first."""
        return self.order.to_play()

    def result(self) -> list[dict[str, Json]]:
        """Return the classification: place, car, laps completed, status, cause and points."""
        return self.finish.result()

    def foretell(self, question: Question[object], answer: JsonValue) -> Consequence | None:
        """Return the record of a stop, with each die by itself, where the spaces are known."""
        if question.ask not in STOPS or question.car is None or self.track.known != "space":
            return None
        landing = question.read(answer)
        assert landing is None or isinstance(landing, Landing)
        return self.outlook.of(self.car(question.car), question.ask, answer, landing)

    # -- the referee's word

    def override(self, change: Mapping[str, Json]) -> bool:
        """Set values by the referee's word; True if the car whose turn it is can no longer play it."""
        return self.referee.override(change)

    def faults(self) -> Iterator[BadSetup]:
        """Yield all that is wrong with the position as it stands."""
        return self.position.faults()

    def follow(self, before: R) -> None:
        """Apply what follows, by the rules, from values that were set on a race that stood as `before`."""
        self.position.follow(before)

    def draw_on(self, car: int | None, answer: JsonValue) -> None:
        """Draw the weather as in the race, unless it stays by now [3-2-4, 3-2-6.4]."""
        if self.weather.may_change():
            one = self.car(car or 0)
            face = self.weather.chart_die(one).read(answer)
            self.weather.evolve(one, face, self.track.weather.sky(face))

    def _set_race(self, race: R, name: str, value: Json) -> None:
        self.referee.set_race(race, name, value)

    def _set_car(self, car: C, values: Mapping[str, Json]) -> None:
        self.referee.set_car(car, values)

    def _check_effect(self, car: C, values: Mapping[str, Json]) -> None:
        if "at" in values and self.race.phase != "setup" and (car.standing or self.referee.must_move(car)):
            values = {name: value for name, value in values.items() if name != "at"}
        super()._check_effect(car, values)

    def _lap_over_line(self, car: C, values: Mapping[str, Json]) -> Mapping[str, Json]:
        return self.referee.lap_over_line(car, values)
