"""What a position of the race of sections must keep: one check for a setup, the referee's word and a correction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.rules.ninety.chapter import SectionChapter
from companion.rules.ninety.circuit import section_name
from companion.rules.ninety.state import SectionCar


class SectionPosition(SectionChapter):
    """How a race of sections may stand."""

    def faults(self) -> Iterator[str]:
        """All that is wrong with the position as it stands, a sentence each; a race that was played has none."""
        race = self.race
        yield from self.list_faults()
        for car in race.cars:
            if not 0 <= car.section < len(self.track.sections):
                named, last = (section_name(number) for number in (car.section, len(self.track.sections) - 1))
                whose = f"Car {car.number}: {self.track.name}"
                yield f"{whose} has no section {named}; its sections are section:1 to {last}."
            elif car.line >= len(self.section(car).trajectories):
                yield f"Car {car.number}: its section has no trajectory point {car.point}."
            if (car.status == "out") != (car.number in race.gone):
                yield f'"gone" lists each car that is out once; {car.number} is not, or stands there twice.'
            yield from self.chart_faults(car)
        if race.phase == "over" and self.book.order.running():
            yield "The race is over, and a car is still in it; it goes on, or every car is home or out."

    def chart_faults(self, car: SectionCar) -> Iterator[str]:
        """Damage and hand are within what the chart has room for; a full chart races on, for only damage that no longer
        fits retires the car [chart.car, chart.breakdown, contest.frozen]."""
        if car.bot or not car.built:  # a bot has no chart, and who has not been dealt one yet
            return
        if car.wear["damage"] + car.permanent > car.built["damage"] or car.permanent < 0:
            yield f"The chart of car {car.number} holds {car.built['damage']} damage, no more."
        cards = car.wear["cards"]
        if self.race.deck and cards != len(car.hand):
            yield "With a deck of the program the cards of a hand are what was drawn."
        if len(car.hand) > cards:
            yield f"Car {car.number} has {cards} cards in its hand; more are named."
        if missing := list(Counter(car.frozen) - Counter(car.hand)):
            yield f"Car {car.number} has no {missing[0]} in its hand."

    def list_faults(self) -> Iterator[str]:
        """The lists name cars of the race, and no two cars came to their places at the same moment."""
        race, known = self.race, set(self.book.places)
        for name in ("stopped", "gone", "grid"):
            if strange := sorted(set(getattr(race, name)) - known):
                yield f'"{name}" lists cars of the race; it has no car {strange[0]}.'
        if strange := [
            number
            for number in race.gone
            if number in known and (self.car(number).status != "out" or race.gone.count(number) > 1)
        ]:
            yield f'"gone" lists each car that is out once; {strange[0]} is not, or stands there twice.'
        moments = [car.arrived for car in race.cars if car.arrived]
        if len(set(moments)) < len(moments) or any(moment < 0 for moment in moments):
            yield '"arrived" is the moment at which a car came to its place: above 0, and of each car another.'
        for pair in race.contested:
            if len(pair) != 2 or pair[0] not in known or not 0 <= pair[1] < len(self.track.sections):
                yield '"contested" lists cars, each with a section, such as [[3, "section:4"], [1, "section:4"]].'
