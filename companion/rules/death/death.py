"""The death race: the basic game of one pool, with weapons, armour and gadgets between its rounds.

What it has otherwise than the family, and where that stands:

- one pool of 18 pays a point for every space braked, overshot or not driven, and for every gear skipped: here
- no weather, no tyres; a stop gives all points, tokens and slip mines back: here
- damage, and the spin at 0: one_pool
- wreckage that damage leaves, and mines, lie on the road: wreckage
- cards that work while cars move: tyre_tricks, bodywork, and for a car's own move gadgets
- what weapons reach: reach; how well, and what their hits do: weapons
- the attack phase after each round, the last car first: attack; what a car may do in its place: aiming; how it shoots:
  shots; how mines are dropped and roll on: mines
- the grid, and how the cards come to the cars: upgrades
- the 64 cards: cards.toml; its figures and its state: arena
"""

from __future__ import annotations

from typing import ClassVar

from companion.rules.circuit.leg import Landing
from companion.rules.conversation.asking import Json, Option, Proc
from companion.rules.conversation.errors import BadOverride
from companion.rules.death.cards import CARDS
from companion.rules.death.preparing import Upgrades
from companion.rules.death.state import POOL, DeathCar, DeathFigures, DeathMove, DeathRace
from companion.rules.dice.landings import Price
from companion.rules.dice.questions import Gear
from companion.rules.dice.state import POOLS


class Death(Upgrades):
    """The rulebook of arms and armour."""

    name = "death"
    VERSION: ClassVar[str] = "death 2"
    laps = 2
    walled = False
    by_spaces: ClassVar[bool] = True
    race_type = DeathRace
    figures_type = DeathFigures
    figures: DeathFigures
    word = "ruling 39"
    pool_of: ClassVar = dict.fromkeys(POOLS, POOL)
    car_values: ClassVar = (
        "wear", "gear", "at", "lap", "stops", "status", "weapons", "defence", "utility", "stock", "used",
    )  # fmt: skip
    race_values: ClassVar = ("order", "dangers")

    def new_move(self, car: DeathCar) -> DeathMove:
        """The turn of a car as it begins [phase.movement]."""
        return DeathMove(car=car.number, begin=car.at or "", lap=car.lap, made=car.stops)

    # -- what a move costs: a point a space

    def price(self, car: DeathCar, landing: Landing, entry: int = 0) -> Price:
        """A point a space braked, overshot or not driven; whoever pays his last one spins, but not over the line of the
        last lap or in the pits, and at 0 one space overshot destroys; two stops missed and the car is out
        [basic.blocked, basic.overshoot, rulings 14 to 17]."""
        left, cost = self.points(car), landing.brakes + landing.overshot + landing.blocked
        if landing.missing >= 2:
            return Price(landing.brakes, landing.overshot, False, "overshoot")
        if landing.overs and left == 0:
            return Price(landing.brakes, landing.overshot, False, "destroyed")
        brakes, spins = landing.brakes + landing.blocked, False
        if 0 < cost >= left:
            if self.figures.out_at_zero:
                return Price(brakes, landing.overshot, False, "destroyed")
            spins = not landing.finished and self.track.spaces[landing.space].section >= 0
        return Price(brakes, landing.overshot, spins, "")

    def settle(self, car: DeathCar) -> Proc[None]:
        """Overshooting, then blocking; what a move costs is one loss, and at its end the last point spins the car
        [basic.overshoot, basic.blocked, rulings 1, 14]."""
        if car.status == "spun":
            return
        yield from super().settle(car)
        if self.move.braked or self.move.blocked or self.move.overs:
            self.empty(car)

    def overshoot(self, car: DeathCar) -> None:
        """A point a space beyond the corner; two or more stops missed, or a space overshot with no point left, and the
        car is out [basic.overshoot, rulings 15, 16]."""
        overs = self.move.overs
        if not overs:
            return
        spaces, missing = sum(over[1] for over in overs), max(over[2] for over in overs)
        corners = [self.track.corners[over[0]].number for over in overs]
        dry = self.points(car) == 0 and not self.move.braked
        self.lose(
            car, "overshoot", "basic.overshoot", {"tyres": spaces}, spaces=spaces, corners=corners, missing=missing
        )
        if missing >= 2:
            self.eliminate(car, "overshoot", "basic.overshoot", removed=True)
        elif dry:
            self.destroy(car)

    def blocked(self, car: DeathCar) -> Proc[None]:
        """A point a space that could not be driven; who cannot pay them all has none left and spins
        [basic.blocked, ruling 17]."""
        if self.move.blocked:
            self.lose(car, "blocked", "basic.blocked", {"brakes": self.move.blocked}, spaces=self.move.blocked)
        return
        yield

    def brake(self, car: DeathCar, brakes: int) -> None:
        """A point a space braked away [basic.blocked, basic.pool]."""
        if brakes:
            self.lose(car, "brake", "basic.blocked", {"brakes": brakes}, spaces=brakes)

    # -- a turn

    def drive(self, car: DeathCar) -> Proc[None]:
        """A car that has spun before its die does not drive any more [basic.gears, spin.zero]."""
        if car.status != "spun":
            yield from super().drive(car)

    def age_tyres(self, car: DeathCar) -> None:
        """Over the line a new lap begins, and cards that work once a lap are fresh [basic.finish, ruling 19]."""
        if self.move.crossed:
            car.fresh = False
            self.refresh(car)
            self.rule("lap", "basic.finish", car, lap=car.lap, tyre_laps=0)
        if self.come_round(car):
            car.round_set = True

    # -- the pits

    def pit_stop(self, car: DeathCar) -> Proc[None]:
        """A stop gives every point back up to the car's maximum, all tokens of its cards and its slip mines; reload
        tokens and limpet mines stay as they are. A card that was torn off may be fitted again for four points
        [pit.refill, weapon.chain-blades, weapon.slip-mines, weapon.wrecker-ball, utility.grip-tyres,
        utility.swerve-tyres, utility.mag-plates, ruling 20]."""
        car.stop, car.round_set = "long", False
        full = car.built[POOL]
        for key in list(car.stripped):
            if full > self.figures.refit_points and (yield from self.uses(car, key, lambda: True, refit=True)):
                full -= self.figures.refit_points
                car.stripped.remove(key)
                self.fit_card(car, key)
                self.rule("refit", "weapon.chain-blades", car, card=key)
        won, car.wear[POOL] = full - car.wear[POOL], full
        for key in car.stock:
            if key != "limpet-mines":
                car.stock[key] = CARDS[key].stock
        self.rule("box", "pit.refill", car, {POOL: won} if won else {}, box=car.box)

    def leave_gear_question(self, car: DeathCar) -> Gear:
        """Out of the box on the next turn in 4th or less [pit.refill, ruling 20]."""
        choices = [(Option(gear), gear) for gear in range(1, self.figures.leave_gear + 1)]
        return Gear(car.number, "pit.refill", choices, what="leave", wanted="The box is left in")

    # -- the referee's word

    def _any_landing(self, answer: Json) -> Landing:
        """A forced landing has no soft space: there are no tyres to choose [ruling 39]."""
        landing = super()._any_landing(answer)
        return Landing(landing.space, landing.moved, landing.brakes)

    def _set_plain(self, car: DeathCar, name: str, value: Json) -> None:
        """Reload tokens and stocks by card, cards by name, and whether the card for once a lap has been used
        [ruling 39]."""
        if name in ("weapons", "stock"):
            held: dict[str, int] = getattr(car, name)
            if not isinstance(value, dict) or not set(value) <= set(held):
                raise BadOverride(f"Car {car.number} has {', '.join(held) or 'no such card'}; only these can be set.")
            if any(type(count) is not int or not 0 <= count <= 99 for count in value.values()):
                raise BadOverride("A card holds 0 to 99 tokens or mines.")
            held.update(value)
        elif name in ("defence", "utility"):
            if value != "" and (not isinstance(value, str) or value not in CARDS or CARDS[value].kind != name):
                raise BadOverride(f"{value} is no {name}.")
            setattr(car, name, "")
            if value and self.copies_left(CARDS[value]) < 1:
                raise BadOverride(f"Every card of {value} is on another car.")
            if value:
                self.fit_card(car, value)
        elif name == "used":
            if not isinstance(value, bool):
                raise BadOverride('"used" is true or false.')
            car.used = value
        else:
            super()._set_plain(car, name, value)

    # -- its articles for what the family rules

    cites: ClassVar = {
        "0-0-1": "basic.finish",
        "0-0-2": "phase.movement",
        "2": "basic.grid",
        "4": "pit.refill",
        "5": "basic.pool",
        "6": "basic.gears",
        "6-2-1": "basic.drive",
        "6-2-2": "basic.order",
        "6-2-3": "basic.order",
        "7": "basic.drive",
        "8": "basic.drive",
        "7-1": "basic.corner",
        "7-2": "basic.drive",
        "7-2-2": "basic.corner",
        "9": "basic.start",
        "10": "basic.overshoot",
        "10-2": "basic.overshoot",
        "11": "basic.blocked",
        "12": "basic.blocked",
        "13": "basic.gears",
        "14": "basic.collision",
        "16": "basic.engine",
        "17": "wreckage.roll",
        "18": "slipstream.any-gear",
        "19": "pit.refill",
        "21": "basic.finish",
    }
