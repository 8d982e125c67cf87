"""What the race director of the cup may set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadOverride
from companion.rules.conversation.overriding import override
from companion.rules.cup.figures import OUTCOMES, CupFigures
from companion.rules.cup.state import CupCar, CupRace
from companion.rules.dice.referee import Referee

if TYPE_CHECKING:
    from companion.rules.cup.cup import Cup


class CupReferee(Referee[CupCar, CupRace, CupFigures]):
    """Wet conditions, KERS points and compounds by his word."""

    book: Cup

    @override
    def set_race(self, race: CupRace, name: str, value: Json) -> None:
        """The race director may declare wet conditions, not end them; what the weather started as is one of the skies
        [weather.wet-conditions, weather.by-start, ruling 17]."""
        if name == "started" and value in OUTCOMES:
            race.started = value
        elif name == "started":
            raise BadOverride(f"The sky is one of {', '.join(OUTCOMES)}; {value} is none of them.")
        elif name != "wet_conditions":
            super().set_race(race, name, value)
        elif value is not True:
            raise BadOverride('"wet_conditions" can be set to true; once active they stay for the rest of the race.')
        else:
            self.book.weather.activate("director")

    @override
    def set_sky(self, race: CupRace) -> None:
        """No sky is final here [ruling 15]."""

    @override
    def set_car(self, car: CupCar, values: Mapping[str, Json]) -> None:
        """Tyres that are not what they were taken for may be set with what the car has raced on; where that does not
        follow, in the pits, it has raced on them, and not on the others [tyres.two-compounds, ruling 39]."""
        raced = {name: value for name, value in values.items() if name == "raced"}
        before = car.tyres
        super().set_car(car, {name: value for name, value in values.items() if name not in raced})
        if raced and car.tyres not in car.raced:
            car.raced = list(dict.fromkeys(car.tyres if one == before else one for one in car.raced))
        super().set_car(car, raced)

    @override
    def set_plain(self, car: CupCar, name: str, value: Json) -> None:
        """KERS points up to the most that a car may have; compounds that it has raced on, and no others, with that of
        its set, unless that was fitted in the pits; the director may let the second one go
        [kers.points, tyres.two-compounds, rulings 18, 19]."""
        if name == "kers":
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= self.figures.kers_most:
                raise BadOverride(
                    f"A car has 0 to {self.figures.kers_most} KERS points; car {car.number} cannot have {value}."
                )
            car.kers = value
        elif name == "raced":
            raced = ", ".join(car.raced) or "nothing yet"
            its_own = set() if car.in_pits else {car.tyres}
            if not value or not isinstance(value, list) or not its_own <= set(map(str, value)) <= set(car.raced):
                said = ", ".join(map(str, value)) or "nothing" if isinstance(value, list) else str(value)
                raise BadOverride(f"Car {car.number} has raced on {raced}; {said} cannot be claimed for it.")
            car.raced = [one for one in car.raced if one in value]
        elif name == "tyres":
            before = car.tyres
            super().set_plain(car, name, value)
            self.book.tyres.noted_otherwise(car, before)
        elif name == "waived":
            if not isinstance(value, bool):
                raise BadOverride('"waived" is true or false.')
            car.waived = value
        else:
            super().set_plain(car, name, value)
