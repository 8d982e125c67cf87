"""What the referee of the death race may set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadOverride, BadSetup
from companion.rules.conversation.overriding import override
from companion.rules.death.cards import CARDS
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import POOL, DeathCar, DeathRace
from companion.rules.dice.referee import Referee

if TYPE_CHECKING:
    from companion.rules.death.death import Death


class DeathReferee(Referee[DeathCar, DeathRace, DeathFigures]):
    """Cards, tokens, wreckage and the order of attacks by his word."""

    book: Death

    @override
    def set_race(self, race: DeathRace, name: str, value: Json) -> None:
        """Where the referee has set the markers, one lies on each space, and as many as it is named [ruling 11]."""
        super().set_race(race, name, value)
        if name == "dangers":
            named = Counter(map(str, value))
            race.piles = {space: min(count, race.piled) - 1 for space, count in sorted(named.items()) if count > 1}

    @override
    def set_order(self, race: DeathRace, order: list[Json]) -> None:
        """In the attack phase the referee's order is that of the attackers."""
        if not self.race.attacking:
            super().set_order(race, order)
            return
        alive = [car.number for car in race.cars if car.alive]
        if any(isinstance(number, bool) or number not in alive or order.count(number) > 1 for number in order):
            raise BadOverride(f"The order names cars that can still attack, each once: {', '.join(map(str, alive))}.")
        self.race.attackers = list(order)

    @override
    def set_car(self, car: DeathCar, values: Mapping[str, Json]) -> None:
        """A card that is given holds all that it can, unless the same word says how much. The cards of a car are then
        as they can be: each in a slot of its kind with no more on it than it holds, and a second slot for each Powerful
        one [upgrades.slots, upgrades.powerful, ruling 39]."""
        cards = {name: values[name] for name in ("defence", "utility") if name in values}
        super().set_car(car, cards)
        super().set_car(car, {name: value for name, value in values.items() if name not in cards})
        if not values.keys() & {"stock", "defence", "utility"}:
            return
        del car.second[sum(card.powerful for card in car.cards) :]
        try:
            self.book.preparing.check_cards(car)
        except BadSetup as wrong:
            raise BadOverride(str(wrong)) from None

    @override
    def set_plain(self, car: DeathCar, name: str, value: Json) -> None:
        """Reload tokens and stocks by card, cards by name, one that was torn off the car too, whether the card for once
        a lap or once a phase has been used, and the most points [ruling 39]."""
        if name in ("weapons", "stock"):
            held: dict[str, int] = getattr(car, name)
            if not held:
                raise BadOverride(f"Car {car.number} has no card of that kind; only what lies on its cards can be set.")
            if not isinstance(value, dict) or not set(value) <= set(held):
                raise BadOverride(f"Car {car.number} has {', '.join(held)}; only these can be set.")
            if any(type(count) is not int or not 0 <= count <= 99 for count in value.values()):
                raise BadOverride("A card holds 0 to 99 tokens or mines.")
            held.update(value)
        elif name in ("defence", "utility"):
            if value != "" and (not isinstance(value, str) or value not in CARDS or CARDS[value].kind != name):
                raise BadOverride(f"{value} is no {name}.")
            setattr(car, name, "")
            if value in car.stripped:
                car.stripped.remove(value)
            if value and self.book.preparing.copies_left(CARDS[value]) < 1:
                raise BadOverride(f"Every card of {value} is on another car.")
            if value:
                self.book.preparing.fit_card(car, value)
        elif name in ("used", "busy"):
            if not isinstance(value, bool):
                raise BadOverride(f'"{name}" is true or false.')
            setattr(car, name, value)
        elif name == "most":
            if type(value) is not int or not 1 <= value <= 60:
                raise BadOverride(
                    f"A car has 1 to 60 points at most; the maximum of car {car.number} cannot be {value}."
                )
            car.built[POOL] = value
        else:
            super().set_plain(car, name, value)
