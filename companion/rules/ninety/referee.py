"""The referee's word in the race of sections: a value set by hand, and what it may be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadAnswer, BadOverride
from companion.rules.conversation.kinds import CHART
from companion.rules.ninety.cards import card_named, cards_named, check_named
from companion.rules.ninety.chapter import SectionChapter
from companion.rules.ninety.state import STRATEGIES, SectionCar, SectionRace

V = TypeVar("V")
_CAUSES: Final = ("breakdown", "unpaid", "referee")


class SectionReferee(SectionChapter):
    """What the referee may set."""

    def set_queue(self, race: SectionRace, name: str, queue: Json) -> None:
        """The cars of one section, from the head of its queue."""
        if not isinstance(queue, list) or not all(isinstance(n, int) and not isinstance(n, bool) for n in queue):
            raise BadOverride('"queue" is a list, such as [3, 1, 2].')
        cars = [self.car(number) for number in queue]
        where = {car.section for car in cars if car.status == "racing"}
        here = [car.number for car in race.cars if car.status == "racing" and car.section in where]
        if len(where) != 1 or sorted(queue) != sorted(here):
            raise BadOverride("A queue names each car of one section once, from its head, such as [3, 1, 2].")
        for car, arrived in zip(cars, sorted(car.arrived for car in cars), strict=True):
            car.arrived = arrived

    def set_car(self, car: SectionCar, values: Mapping[str, Json]) -> None:
        for name in self.book.car_values:
            if name in values:
                self.set_value(car, name, values[name])
        car.frozen = list((Counter(car.frozen) & Counter(car.hand)).elements())
        if "status" in values:
            self.set_status(car, values["status"], values.get("cause", "referee"))
        elif "cause" in values:
            raise BadOverride('"cause" goes with the status out.')

    def set_value(self, car: SectionCar, name: str, value: Json) -> None:
        if car.bot and name not in ("at", "lap", "status", "stops", "fuel"):
            raise BadOverride(f"Car {car.number} is a bot; it has no {name}.")
        if name == "wear":
            self.set_wear(car, value)
        elif name == "at":
            self.set_place(car, value)
        elif name == "status":
            pass  # once all else is set
        elif name == "strategy":
            if value not in STRATEGIES:
                raise BadOverride(f"A strategy is one of {', '.join(STRATEGIES)}; {value} is none of them.")
            car.strategy = value
        elif name == "check":
            check = _read(card_named if self.race.deck else check_named, value)
            self._exchange([car.check] if car.check else [], [check])
            car.check = check
        elif name == "hand":
            hand = _read(cards_named, value)
            self._charted(car)
            if self.race.deck:
                self._may_hold(len(hand))
            self._exchange(car.hand, hand)
            car.hand = hand
            if self.race.deck:
                car.wear["cards"] = len(hand)
        elif name == "frozen":
            if self.race.phase == "setup":
                raise BadOverride("A contest freezes cards; before the race there is none.")
            car.frozen = _read(cards_named, value)
            if missing := list(Counter(car.frozen) - Counter(car.hand)):
                raise BadOverride(f"Car {car.number} has no {missing[0]} in its hand.")
        else:
            if name == "permanent":
                self._charted(car)
            low, high = self.book.car_ranges[name]
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise BadOverride(f"A car's {name} is a whole number from {low} to {high}; {value} is not.")
            setattr(car, name, value)

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

    def _may_hold(self, cards: int) -> None:
        if self.race.phase == "setup" and not cards:
            raise BadOverride("A card is shown in qualifying; until then a hand holds at least one.")

    def set_wear(self, car: SectionCar, wear: Json) -> None:
        if not isinstance(wear, dict):
            raise BadOverride('Wear is set by pool, such as {"tyres": 4}.')
        self._charted(car)
        for pool, points in wear.items():
            if pool not in CHART:
                raise BadOverride(f"There is no pool called {pool}; the pools are {', '.join(CHART)}.")
            if isinstance(points, bool) or not isinstance(points, int) or not 0 <= points <= 60:
                raise BadOverride(f"A pool holds 0 to 60 points; {pool} cannot be set to {points}.")
            if pool == "cards" and not self.race.deck:
                self._may_hold(points)
                car.frozen = car.frozen[:points]
                car.hand = car.hand if len(car.hand) <= points else list(car.frozen)
            car.wear[pool] = points

    def section_named(self, place: Json) -> int:
        """A section by its name, counted from 0; raises BadOverride if the circuit has none of that name."""
        section = self.track.number_of(place)
        if section is None:
            raise BadOverride(
                f"{self.track.name} has no section {place}; its sections are section:1 to "
                f"section:{len(self.track.sections)}."
            )
        return section

    def set_place(self, car: SectionCar, place: Json) -> None:
        section = self.section_named(place)
        if self.race.phase != "race" or car.status not in ("racing", "off"):
            raise BadOverride(f"Car {car.number} is not on the board; set its status first.")
        car.section, car.line = section, -1
        self.book.order.arrive(car)

    def set_status(self, car: SectionCar, status: Json, cause: Json) -> None:
        if self.race.phase == "setup":
            raise BadOverride("A status can be set once the race has begun.")
        if self.race.phase == "over" and status != "out":
            raise BadOverride("The race is over; the only status that can still be set is out.")
        if status == "out":
            if cause not in _CAUSES:
                raise BadOverride(
                    f"A car is out by {', '.join(_CAUSES[:-1])} or {_CAUSES[-1]}; {cause} is none of them."
                )
            if car.status != "out":
                self.book.chart.eliminate(car, cause, self.book.word)
            car.cause = cause
            return
        if status not in ("racing", "off"):
            raise BadOverride(f"A car's status can be set to racing, off or out; not to {status}.")
        if car.status != status:
            self.book.order.arrive(car)
            car.line = -1
        car.status, car.cause = status, ""
        if car.number in self.race.gone:
            self.race.gone.remove(car.number)


def _read(read: Callable[[Json], V], value: Json) -> V:
    """Cards as they were written; raises BadOverride."""
    try:
        return read(value)
    except BadAnswer as wrong:
        raise BadOverride(str(wrong)) from None
