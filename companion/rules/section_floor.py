"""What the rules of the race of sections stand on: its state, its figures, rulings, and the referee's word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Final

import msgspec

from companion.rules.conversation import Json, Ruling
from companion.rules.errors import BadAnswer, BadOverride, CompanionError
from companion.rules.figures import Figure, FigureTable
from companion.rules.race_cards import card_named, cards_named
from companion.rules.section_race import CHART, STRATEGIES, SectionCar, SectionFigures, SectionRace
from companion.rules.sections import Section, SectionTrack

_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(SectionRace).decode


class SectionFloor:
    """The ground floor: no rule of the game is here, only what rules are written with."""

    name: ClassVar[str] = "ninety"
    VERSION: ClassVar[str] = "ninety 1"
    figures_type: ClassVar[type[FigureTable]] = SectionFigures
    race_type: ClassVar[type[SectionRace]] = SectionRace
    reminders: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    word: ClassVar[str] = "ruling 50"
    """The ruling by which the referee's word stands."""
    car_values: ClassVar[tuple[str, ...]] = (
        "wear", "at", "lap", "strategy", "fuel", "check", "stops", "permanent", "status", "hand", "frozen",
    )  # fmt: skip
    """What the referee's word can set on a car, in the order in which it is set."""
    race_values: ClassVar[tuple[str, ...]] = ("queue",)
    """What the referee's word can set on the race."""
    car_ranges: ClassVar[Mapping[str, tuple[int, int]]] = {
        "lap": (-9, 99), "fuel": (0, 99), "stops": (0, 99), "permanent": (0, 20),
    }  # fmt: skip

    def __init__(self, race: SectionRace, track: SectionTrack, figures: SectionFigures) -> None:
        self.race, self.track, self.figures = race, track, figures
        self.ruled: list[Ruling] = []
        self._holds: Callable[[], bool] = lambda: True
        """Whether the step being played can go on from what the referee has set."""

    # -- the conversation's side

    @property
    def round(self) -> int:
        """The turn of the indicator being played, 0 before the first."""
        return self.race.round

    def save(self) -> bytes:
        """The state as bytes: the same state gives the same bytes."""
        return _encode(self.race)

    def load(self, saved: bytes) -> None:
        """Takes back a state that `save` gave."""
        self.race = _decode(saved)

    def spare(self) -> Any:
        """Another rulebook of the same race, to try things on."""
        return type(self)(_decode(self.save()), self.track, self.figures)

    def abandon(self) -> None:
        """The step that was being played is given up; what comes next hangs on the state alone."""
        self._holds = lambda: True

    # -- words for the rules

    def car(self, number: int) -> SectionCar:
        """The car with that number; raises BadOverride if it is not in the race."""
        for car in self.race.cars:
            if car.number == number:
                return car
        numbers = ", ".join(str(car.number) for car in self.race.cars)
        raise BadOverride(f"There is no car {number}; the race has {numbers}.")

    def section(self, car: SectionCar) -> Section:
        """The section that a car stands in: a straight, a braking section or a corner [track.sections]."""
        return self.track.sections[car.section]

    @classmethod
    def article(cls, number: str) -> str:
        """The article as this rulebook names it."""
        return number

    @classmethod
    def listed(cls, figures: FigureTable | None = None) -> Iterator[Figure]:
        """The figures and switches of this rulebook, or what a setup has made of them, with their articles."""
        yield from figures or cls.figures_type()

    def rule(
        self,
        kind: str,
        article: str,
        car: SectionCar | None = None,
        wear: dict[str, int] | None = None,
        **facts: Json,
    ) -> None:
        """Notes a ruling: what follows, for whom, by which article, with the numbers of its sum."""
        self.ruled.append(Ruling(kind, article, car.number if car is not None else None, wear or {}, facts))

    def eliminate(self, car: SectionCar, cause: str, article: str) -> None:
        """Takes a car out of the race and off the board."""
        car.status, car.cause, car.line = "out", cause, -1  # type: ignore[assignment]
        self.race.gone.append(car.number)
        self.rule("out", article, car, cause=cause, removed=True)

    # -- the referee's word

    def override(self, change: Mapping[str, Json]) -> bool:
        """Sets values by the referee's word; True if the step being played cannot go on from them.

        `change` sets `race_values`, and `car_values` for the car named by "car" or for each of "cars". Raises
        BadOverride with one sentence, and then nothing has been set.
        """
        if not change:
            raise BadOverride("An override sets something, such as a car's wear or the race's queue.")
        saved = self.save()
        try:
            self._set_values(dict(change))
        except CompanionError as wrong:
            self.load(saved)
            if isinstance(wrong, BadOverride):
                raise
            raise BadOverride(str(wrong)) from None
        named = self.car(change["car"]) if "car" in change else None
        self.rule("override", self.word, named, change=dict(change))
        return not self._holds()

    def _set_values(self, change: dict[str, Json]) -> None:
        cars = change.pop("cars", [])
        if not isinstance(cars, list) or not all(isinstance(values, dict) for values in cars):
            raise BadOverride('"cars" must be a list, one object for each car.')
        if "queue" in change:
            self._set_queue(change.pop("queue"))
        if "car" in change:
            cars, change = [*cars, change], {}
        if change:
            raise BadOverride(
                f"{', '.join(sorted(change))} cannot be set; a car's {', '.join(self.car_values)} can, "
                f"and the race's {', '.join(self.race_values)}."
            )
        for values in cars:
            if set(values) <= {"car"}:
                raise BadOverride(f"A car's override sets something: one of {', '.join(self.car_values)}.")
            number = values.get("car")
            if isinstance(number, bool) or not isinstance(number, int):
                raise BadOverride('A car is named by its number, such as "car": 3.')
            if unknown := [name for name in values if name not in ("car", *self.car_values)]:
                raise BadOverride(f"{unknown[0]} cannot be set on a car; {', '.join(self.car_values)} can.")
            for name in self.car_values:
                if name in values:
                    self._set_car(self.car(number), name, values[name])
            self._check_chart(self.car(number))

    def _set_queue(self, queue: Json) -> None:
        """The cars of one section, from the head of its queue."""
        if not isinstance(queue, list) or not all(isinstance(n, int) and not isinstance(n, bool) for n in queue):
            raise BadOverride('"queue" is a list, such as [3, 1, 2].')
        cars = [self.car(number) for number in queue]
        where = {car.section for car in cars if car.status == "racing"}
        here = [car.number for car in self.race.cars if car.status == "racing" and car.section in where]
        if len(where) != 1 or sorted(queue) != sorted(here):
            raise BadOverride("A queue names each car of one section once, from its head, such as [3, 1, 2].")
        for car, arrived in zip(cars, sorted(car.arrived for car in cars), strict=True):
            car.arrived = arrived

    def _set_car(self, car: SectionCar, name: str, value: Json) -> None:
        if car.bot and name not in ("at", "lap", "status", "stops", "fuel"):
            raise BadOverride(f"Car {car.number} is a bot; it has no {name}.")
        if name == "wear":
            self._set_wear(car, value)
        elif name == "at":
            self._set_place(car, value)
        elif name == "status":
            self._set_status(car, value)
        elif name == "strategy":
            if value not in STRATEGIES:
                raise BadOverride(f"A strategy is one of {', '.join(STRATEGIES)}; {value} is none of them.")
            car.strategy = value
        elif name == "check":
            check = card_named(value)
            self._exchange([car.check], [check])
            car.check = check
        elif name == "hand":
            hand = cards_named(value)
            self._charted(car)
            self._exchange(car.hand, hand)
            car.hand = hand
            if self.race.deck:
                car.wear["cards"] = len(hand)
        elif name == "frozen":
            car.frozen = cards_named(value)
            if missing := list(Counter(car.frozen) - Counter(car.hand)):
                raise BadOverride(f"Car {car.number} has no {missing[0]} in its hand.")
        else:
            low, high = self.car_ranges[name]
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise BadOverride(f"A car's {name} is a whole number from {low} to {high}; {value} is not.")
            setattr(car, name, value)

    def _check_chart(self, car: SectionCar) -> None:
        if car.wear and car.wear["damage"] + car.permanent > car.built["damage"]:
            raise BadOverride(f"The chart of car {car.number} holds {car.built['damage']} damage, no more.")
        cards = car.wear.get("cards", 0)
        if self.race.deck and cards != len(car.hand):
            raise BadOverride("With a deck of the program the cards of a hand are what was drawn.")
        if len(car.hand) > cards:
            raise BadOverride(f"Car {car.number} has {cards} cards in its hand; more are named.")
        car.frozen = list((Counter(car.frozen) & Counter(car.hand)).elements())

    def _exchange(self, gone: list[str], come: list[str]) -> None:
        """Cards go out of a driver's hands and others come: from a deck of the program each of them once."""
        race = self.race
        if not race.deck:
            return
        there = Counter(come) & Counter(gone)
        race.discards += (Counter(gone) - there).elements()
        for code in (Counter(come) - there).elements():
            for pile in (race.discards, race.pile):
                if code in pile:
                    pile.remove(code)
                    break

    @staticmethod
    def _charted(car: SectionCar) -> None:
        if not car.wear:
            raise BadOverride(f"Car {car.number} has no chart yet; it comes with its question.")

    def _set_wear(self, car: SectionCar, wear: Json) -> None:
        if not isinstance(wear, dict):
            raise BadOverride('Wear is set by pool, such as {"tyres": 4}.')
        self._charted(car)
        for pool, points in wear.items():
            if pool not in CHART:
                raise BadOverride(f"There is no pool called {pool}; the pools are {', '.join(CHART)}.")
            if isinstance(points, bool) or not isinstance(points, int) or not 0 <= points <= 60:
                raise BadOverride(f"A pool holds 0 to 60 points; {pool} cannot be set to {points}.")
            if pool == "cards" and not self.race.deck:
                if self.race.phase == "setup" and not points:
                    raise BadOverride("A card is shown in qualifying; until then a hand holds at least one.")
                car.frozen = car.frozen[:points]
                car.hand = car.hand if len(car.hand) <= points else list(car.frozen)
            car.wear[pool] = points

    def section_named(self, place: Json) -> int:
        """A section by its name, counted from 0; raises BadAnswer if the circuit has none of that name."""
        where, _, number = place.partition(":") if isinstance(place, str) else ("", "", "")
        if where != "section" or not number.isdecimal() or not 1 <= int(number) <= len(self.track.sections):
            raise BadAnswer(
                f"{self.track.name} has no section {place}; its sections are section:1 to "
                f"section:{len(self.track.sections)}."
            )
        return int(number) - 1

    def _set_place(self, car: SectionCar, place: Json) -> None:
        section = self.section_named(place)
        if self.race.phase != "race" or car.status not in ("racing", "off"):
            raise BadOverride(f"Car {car.number} is not on the board; set its status first.")
        car.section, car.line = section, -1
        self.arrive(car)

    def arrive(self, car: SectionCar) -> None:
        """A car comes to a section: last of its queue."""
        self.race.turn += 1
        car.arrived = self.race.turn

    def _set_status(self, car: SectionCar, status: Json) -> None:
        if self.race.phase != "race":
            raise BadOverride("A status can be set once the race has begun.")
        if status == "out":
            if car.status != "out":
                self.eliminate(car, "referee", self.word)
            return
        if status not in ("racing", "off"):
            raise BadOverride(f"A car's status can be set to racing, off or out; not to {status}.")
        if car.status != status:
            self.arrive(car)
        car.status, car.cause = status, ""
        if car.number in self.race.gone:
            self.race.gone.remove(car.number)
