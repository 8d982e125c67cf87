"""The death race: the basic game of one pool, with weapons between its rounds, as changes to the family of dice.

First the book with the chapters that it has otherwise and those that it has besides, then the chapters that it changes
in the order of a race: preparing, the rounds, a turn from the gear to the stop. A point a space is paid in landings,
moving, corners and blocking out of the one pool. How `DeathWear` keeps that pool, collisions, and what cards and the
road do in a move is in `hazards`, the phase between the rounds in `attack`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import ClassVar, Final

from msgspec.structs import replace

from companion.rules.circuit.leg import Landing, Leg, Over
from companion.rules.conversation.asking import Json, JsonValue, Option, Procedure, Ruling, ask
from companion.rules.conversation.errors import BadAnswer, BadOverride, BadSetup
from companion.rules.conversation.faces import FACES, Face
from companion.rules.conversation.forms import Choice
from companion.rules.conversation.kinds import POOLS, Ask, Pools
from companion.rules.conversation.overriding import override
from companion.rules.conversation.shuffling import DECK, shuffled
from companion.rules.death.attack import Aiming, Attack, Mines, Reach, Shots, Weapons
from companion.rules.death.cards import CARDS, SLOTS, WeaponCard, of_kind
from companion.rules.death.hazards import (
    GRIP,
    SWERVE,
    Bodywork,
    DeathCollisions,
    DeathWear,
    Gadgets,
    TyreTricks,
    Weave,
    Wreckage,
)
from companion.rules.death.state import DeathCar, DeathFigures, DeathMove, DeathRace
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.moving import Landings, Moving
from companion.rules.dice.one_pool import POOL, OnePoolBlocking, OnePoolCorners, OnePoolGears, OnePoolPits
from companion.rules.dice.order import Order
from companion.rules.dice.outlook import Outlook
from companion.rules.dice.questions import BlackDie, Gear
from companion.rules.dice.referee import Referee
from companion.rules.dice.setup import CarChoice, Position, Preparing, roll_off
from companion.rules.dice.slipstream import Slipstream
from companion.rules.dice.tests import Tests
from companion.rules.dice.turn import FIRST, Starts, Turn
from companion.rules.dice.tyres import Tyres
from companion.rules.dice.wear import Charges, Cost, ForetoldTest, Purse


class Death(FormulaDe[DeathCar, DeathRace, DeathFigures]):
    """The rulebook of arms and armour."""

    order: DeathOrder
    gears: DeathGears
    tyres: DeathTyres
    landings: DeathLandings
    moving: DeathMoving
    slipstream: DeathSlipstream
    corners: DeathCorners
    blocking: OnePoolBlocking[DeathCar, DeathRace, DeathFigures]
    wear: DeathWear
    tests: DeathTests
    collisions: DeathCollisions
    pits: DeathPits
    preparing: DeathPreparing
    position: DeathPosition
    referee: DeathReferee
    turn: DeathTurn
    outlook: DeathOutlook
    starts: DeathStarts
    wreckage: Wreckage
    reach: Reach
    bodywork: Bodywork
    tyre_tricks: TyreTricks
    gadgets: Gadgets
    weapons: Weapons
    aiming: Aiming
    shots: Shots
    mines: Mines
    attack: Attack

    name = "death"
    VERSION: ClassVar[str] = "death 8"
    laps = 2
    walled = False
    by_spaces: ClassVar[bool] = True
    race_type = DeathRace
    figures_type = DeathFigures
    word = "ruling 39"
    pool_of: ClassVar = dict.fromkeys(POOLS, POOL)
    car_values: tuple[str, ...] = (
        "wear", "gear", "at", "lap", "stops", "status", "weapons", "defence", "utility", "stock", "used",
    )  # fmt: skip
    car_details: ClassVar = ("cause", "coast", "turned", "most", "busy")
    race_values: tuple[str, ...] = ("order", "dangers")

    @property
    def move(self) -> DeathMove:
        """The turn being played."""
        move = self.race.move
        assert move is not None, "no turn is being played"
        return move

    def count_of(self, car: DeathCar, name: str) -> int:
        """Return the reload tokens on a weapon ("tokens:blobber"), or the stock of a card ("stock:slip-mines")."""
        what, _, key = name.partition(":")
        return (car.weapons if what == "tokens" else car.stock)[key]

    def step(self) -> Procedure[None] | None:
        """Return the next step: after the movement phase of each round comes the attack phase.

        It comes after all that the last turn brings, with an action or a mine as one step [phase.attack].
        """
        race = self.race
        running = (
            race.phase == "race" and not race.cut_short and race.move is None and any(car.alive for car in race.cars)
        )
        if running and race.attacking:
            if (mine := self.mines.mine_due()) is not None:
                return self.mines.roll_on(mine)
            return self.attack.act() if race.attackers else self.order.end_of_round()
        if running and self.order.next_to_play() is None:
            return self.attack.begin_attacks()
        return super().step()

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
        "ruling 104": "ruling 53",
        "ruling 105": "ruling 54",
    }


_DECK_NUMBERS: Final = {kind: 1000 + place for place, kind in enumerate(SLOTS)}
"""Number of the program's deck that deals each kind of card."""


class Deal(Choice[str]):
    """The question which card a car gets; `spent` are those that exist but are all on cars."""

    spent: frozenset[str] = frozenset()

    def read(self, answer: JsonValue) -> str:
        if isinstance(answer, str) and answer in self.spent:
            raise BadAnswer("cards_all_out", card=answer)
        return super().read(answer)


class DeathPreparing(Preparing[DeathCar, DeathRace, DeathFigures]):
    """From the setup to the grid."""

    choice_of_car: ClassVar[CarChoice] = "card"

    # -- before the race

    @override
    def form_up_again(self, cars: Sequence[DeathCar]) -> None:
        """Wreckage and mines are cleared away, and the attacks of the round are not made [ruling 54]."""
        super().form_up_again(cars)
        race = self.race
        race.attacking = False
        for pile in (race.attackers, race.moved, race.mines, race.piles):
            pile.clear()
        for car in cars:
            car.busy = False

    @override
    def prepare(self) -> Procedure[None]:
        """Prepare the grid, then the cards of every car.

        There is no weather and no car to build [basic.grid, basic.pool, upgrades.random, upgrades.pick].
        """
        race = self.race
        if self.figures.grid_by_die and not race.grid:
            yield from self.roll_for_grid()
        elif any(not car.wear for car in race.cars) or self.without_box() is not None:
            self.give_points()
        elif (car := self.next_for_card()) is not None:
            yield from self.take_card(car)
        else:
            yield from self.line_up()

    def give_points(self) -> None:
        """Every car has the one pool, and a box of its own as far as there are any [basic.pool, pit.refill]."""
        self.allot_boxes()
        for car in self.grid_order():
            car.wear, car.built = self.usual_build(), self.usual_build()
            self.rule("build", "basic.pool", car, built=dict(car.built), stand=0)

    @override
    def usual_build(self) -> Pools:
        """One pool of 18 points [basic.pool]."""
        return {POOL: self.figures.car_points}

    # -- the grid

    def grid_die(self, number: int, level: Mapping[str, Json]) -> BlackDie:
        """Return the black die for a place on the grid [basic.grid]."""
        return BlackDie(number, "basic.grid", "grid", level)

    def roll_for_grid(self) -> Procedure[None]:
        """Roll for the grid: the highest die has pole, cars that are level roll again.

        [basic.grid, ruling 45]
        """
        race = self.race
        race.grid = yield from roll_off([car.number for car in race.cars], race.faces, self.grid_die)
        if race.grid:
            self.rule("grid_rolled", "basic.grid", None, order=list(race.grid))

    @override
    def grid_order(self) -> list[DeathCar]:
        """Return the cars from pole: as the die has it, else as the setup lists them.

        [basic.grid, ruling 45]
        """
        race = self.race
        return [self.car(number) for number in race.grid] if race.grid else race.cars

    # -- cards

    def copies_left(self, card: WeaponCard) -> int:
        """Return how many copies of a card no car has; those torn off lie in the pits for their car.

        [upgrades.limited]
        """
        taken = sum([*car.weapons, car.defence, car.utility, *car.stripped].count(card.key) for car in self.race.cars)
        return card.copies - taken

    def most_cars(self) -> int:
        """Return how many cars can be sure to get a card into each of their slots.

        If cards are picked, a Powerful one goes into no car's last slot [upgrades.slots, upgrades.limited,
        upgrades.powerful, upgrades.pick].
        """
        pick = self.figures.pick_cards
        cards = {kind: [card.copies for card in of_kind(kind) if not (pick and card.powerful)] for kind in SLOTS}
        return min(sum(cards[kind]) // count for kind, count in SLOTS.items())

    def next_for_card(self) -> DeathCar | None:
        """Return the car that gets the next card, or None.

        If cards are dealt, each car gets a first weapon, then a second, a defence, a utility, from pole. If they are
        picked, each gets a card a turn, from the last place to pole, over and over [upgrades.random, upgrades.pick,
        ruling 44].
        """
        order = self.grid_order()
        waiting = [car for car in order if car.slots]
        if self.figures.pick_cards:
            return min(reversed(waiting), key=lambda car: len(car.cards), default=None)
        return min(waiting, key=lambda car: sum(SLOTS.values()) - len(car.slots), default=None)

    def fitting(self, car: DeathCar) -> list[WeaponCard]:
        """Return the cards that a car can get now [upgrades.slots, upgrades.powerful, upgrades.limited].

        If cards are dealt, they are of the next slot's kind; if they are picked, of any free slot's. A Powerful one
        needs a second slot.
        """
        slots = car.slots
        kinds = list(dict.fromkeys(slots)) if self.figures.pick_cards else slots[:1]
        cards = [card for kind in kinds for card in of_kind(kind) if self.copies_left(card) > 0]
        return [card for card in cards if not card.powerful or len(slots) > 1]

    def dealt(self, car: DeathCar) -> str:
        """Return the next card for a car from a deck of the program.

        Every printed card of the slot's kind is in the deck; a Powerful one is passed over where it does not fit
        [upgrades.random, upgrades.limited, ruling 44].
        """
        kind = car.slots[0]
        deck = shuffled(
            [card.key for card in of_kind(kind) for _ in range(card.copies)], self.race.deck, _DECK_NUMBERS[kind]
        )
        for other in self.race.cars:
            for card in other.cards:
                if card.kind == kind:
                    deck.remove(card.key)
        fitting = {card.key for card in self.fitting(car)}
        return next(key for key in deck if key in fitting)

    def card_question(self, car: DeathCar) -> Choice[str]:
        """Ask which card a car gets: the one dealt to it, or that its driver picks.

        [upgrades.random, upgrades.pick, upgrades.limited]
        """
        choices = []
        for card in self.fitting(car):
            facts: dict[str, Json] = {"kind": card.kind, "left": self.copies_left(card)}
            if card.powerful:
                facts["powerful"] = True
            choices.append((Option(card.key, facts=facts), card.key))
        pick = self.figures.pick_cards
        article = "upgrades.pick" if pick else "upgrades.random"
        what = "pick" if pick else car.slots[0]
        question = Deal("card", car.number, article, choices, what=what)
        question.spent = frozenset(key for key, card in CARDS.items() if self.copies_left(card) < 1)
        return question

    def take_card(self, car: DeathCar) -> Procedure[None]:
        """Put a card into its slot with its tokens; a Powerful one takes another slot too.

        If cards are dealt, that is the next one; if they are picked, the one that the driver names [upgrades.slots,
        upgrades.powerful, upgrades.random, upgrades.pick].
        """
        key = self.dealt(car) if self.race.deck else (yield from ask(self.card_question, car))
        self.fit_card(car, key)
        second = ""
        if CARDS[key].powerful:
            kinds = list(dict.fromkeys(car.slots))
            second = kinds[0]
            if self.figures.pick_cards and len(kinds) > 1:
                second = yield from ask(self.slot_question, car, key)
            car.second.append(second)
        self.rule("card", CARDS[key].article, car, card=key, second=second)

    def slot_question(self, car: DeathCar, key: str) -> Choice[str]:
        """Ask which other slot a Powerful card takes [upgrades.powerful, ruling 44]."""
        kinds = list(dict.fromkeys(car.slots))
        choices = [(Option(kind), kind) for kind in kinds]
        return Choice("slot", car.number, "upgrades.powerful", choices, what=key)

    def fit_card(self, car: DeathCar, key: str) -> None:
        """Fit a card on a car; a weapon starts with a token on it, a turbolaser with two.

        [weapons.start, upgrades.slots, weapon.forward-turbolaser, weapon.rear-turbolaser]
        """
        card = CARDS[key]
        if card.kind == "weapon":
            car.weapons[key] = self.first_tokens(card)
        elif card.kind == "defence":
            car.defence = key
        else:
            car.utility = key
        if card.stock:
            car.stock[key] = card.stock

    def first_tokens(self, card: WeaponCard) -> int:
        """Return the tokens on a weapon at the start [weapons.start]."""
        return card.tokens - 1 + self.figures.start_tokens

    # -- what a setup brings

    @override
    def take_build(self, car: DeathCar, raw: Mapping[str, Json]) -> None:
        """Take the points that a car brings, all of them in the one pool [basic.pool]."""
        if set(car.wear) != {POOL} or car.wear[POOL] != self.figures.car_points:
            raise BadSetup("death_points", car=car.number, points=self.figures.car_points)
        car.built = dict(car.wear)

    @override
    def complete(self, car: DeathCar) -> None:
        """Give a car in a position all its points and all that its cards hold, where it does not say.

        [basic.pool]
        """
        car.wear = car.wear or self.usual_build()
        car.built = car.built or {POOL: max(self.figures.car_points, car.wear[POOL])}

    @override
    def check(self, setup: Mapping[str, Json]) -> None:
        """Check a setup: it has no weather, no wrecks on the board, and cards that fit and are dealt once each.

        The program deals them from a deck that has a number [basic.pool, spin.zero, upgrades.slots, upgrades.limited,
        upgrades.random, upgrades.pick].
        """
        race = self.race
        if race.sky not in ("", "sun") or race.surface not in ("", "dry"):
            raise BadSetup("death_weather")
        race.sky, race.drawn = "sun", ""
        if not 0 <= race.deck <= DECK:
            raise BadSetup("deck_number", most=DECK, deck=race.deck)
        if race.deck and self.figures.pick_cards:
            raise BadSetup("picked_not_dealt", switch="pick_cards")
        if "to_play" not in setup and len(race.cars) > (most := self.most_cars()):
            raise BadSetup("death_cars", most=most, cars=len(race.cars))
        for car in race.cars:
            if car.status in ("coasting", "wreck"):
                raise BadSetup("status_in_death", car=car.number, status=car.status)
            self.check_cards(car)
        for card in CARDS.values():
            if self.copies_left(card) < 0:
                raise BadSetup("card_copies", card=card.key, copies=card.copies)

    def check_cards(self, car: DeathCar) -> None:
        """Each card in a slot of its kind, with no more on it than it holds [upgrades.slots, upgrades.powerful]."""
        for kind, keys in (("weapon", list(car.weapons)), ("defence", [car.defence]), ("utility", [car.utility])):
            for key in filter(None, keys):
                if key not in CARDS or CARDS[key].kind != kind:
                    raise BadSetup("car_no_card", car=car.number, key=key[:40], kind=kind, other=of_kind(kind)[0].key)
        for key in car.stripped:
            if key not in CARDS or CARDS[key].kind == "weapon" or CARDS[key].powerful:
                raise BadSetup("car_no_tear_off", car=car.number, key=key[:40])
        missing = sum(card.powerful for card in car.cards) - len(car.second)
        for _ in range(missing):
            if free := car.slots:
                car.second.append(free[0])
        taken = [*(card.kind for card in car.cards), *car.second]
        if any(slot not in SLOTS for slot in car.second) or len(car.second) != sum(card.powerful for card in car.cards):
            raise BadSetup("car_powerful_slot", car=car.number, slots=", ".join(SLOTS))
        for slot, count in SLOTS.items():
            if taken.count(slot) > count:
                raise BadSetup("slots_full", car=car.number, count=count, slot=slot, taken=taken.count(slot))
        for key, tokens in car.weapons.items():
            if not 0 <= tokens <= 99:
                raise BadSetup("car_tokens", car=car.number, key=key, tokens=tokens)
        for card in car.cards:
            if card.stock:
                car.stock.setdefault(card.key, card.stock)
        for key, left in car.stock.items():
            if key not in CARDS or not 0 <= left <= CARDS[key].stock:
                most = CARDS[key].stock if key in CARDS else 0
                raise BadSetup("car_card_holds", car=car.number, key=key[:40], most=most, left=left)


class DeathOrder(Order[DeathCar, DeathRace, DeathFigures]):
    """The rounds of the death race: a movement phase, then the attacks."""

    @override
    def begin_round(self, leader: DeathCar) -> None:
        """Begin a round with the movement phase, which is the basic game's round [phase.movement]."""
        for car in self.race.cars:
            car.busy = False
        super().begin_round(leader)

    @override
    def has_played(self, car: DeathCar, before: int, rank: tuple[int, ...]) -> None:
        """Note in which order the cars have moved [phase.movement, ruling 21].

        A car that the referee lets move again moved last.
        """
        super().has_played(car, before, rank)
        self.race.moved = [number for number in self.race.moved if number != car.number] + [car.number]

    @override
    def end_of_round(self) -> Procedure[None]:
        """End the round when every car has acted; the stick of a spun car is then in 1st.

        [phase.attack, spin.zero]
        """
        race = self.race
        for car in race.cars:
            if car.status == "spun" and car.gear > FIRST:
                car.gear = FIRST
                self.rule("turned", "spin.zero", car)
        race.attacking, race.sweep = False, None
        for listed in (race.played, race.called, race.moved):
            listed.clear()
        yield from ()


class DeathTurn(Turn[DeathCar, DeathRace, DeathFigures]):
    """A turn of the death race."""

    book: Death

    @override
    def end_of_turn(self, car: DeathCar) -> Procedure[None]:
        """Offer a car at the end of its move to leave a limpet mine [weapon.limpet-mines, ruling 1].

        It is wreckage to every car that comes.
        """
        cards = self.book.bodywork
        if not cards.may_drop(car):
            return
        left = car.stock["limpet-mines"]
        if (yield from cards.uses(car, "limpet-mines", lambda: cards.may_drop(car), left=left)):
            car.stock["limpet-mines"] -= 1
            self.rule(
                "mine", "weapon.limpet-mines", car, counts={"stock:limpet-mines": -1}, action="dropped", at=car.at,
                owner=car.number, card="limpet-mines",
            )  # fmt: skip
            self.book.wear.mark(car.at, "weapon.limpet-mines", car)

    @override
    def drive(self, car: DeathCar) -> Procedure[None]:
        """Drive a car, unless it has spun before its die; a ramp is declared before the die.

        [basic.gears, spin.zero, utility.pneumatic-ramp, ruling 1]
        """
        if car.status != "spun":
            yield from self.book.gadgets.raise_ramp(car, FACES[car.gear][-1])
            yield from super().drive(car)

    @override
    def new_move(self, car: DeathCar) -> DeathMove:
        """Return the turn of a car as it begins [phase.movement]."""
        return DeathMove(car=car.number, begin=car.at or "", lap=car.lap, made=car.stops)

    @override
    def foretell(self, car: DeathCar, landing: Landing, *, entry: int = 0) -> list[ForetoldTest]:
        """Return the tests of a landing: first those on the way, met before anything is paid for.

        Where a ramp comes down on a car its driver chooses a space, so the list ends there.
        """
        found, ends = self.book.wreckage.foretell_way(car, landing)
        if ends:
            return found
        driven = self.book.landings.actual_landing(car, landing)
        cost = self.book.landings.cost(car, landing)
        there = self.landed(car, driven, cost)
        if driven is not landing:
            there.gear = self.book.gears.gear_lost(there, least=1)
        return found + self.foretell_end(there, driven, cost)

    @override
    def settle(self, car: DeathCar) -> Procedure[None]:
        """Settle overshooting, then blocking; a move's cost is one loss, and its last point spins the car at its end.

        A car that has spun pays no more, but two stops missed before that put it out [basic.overshoot, basic.blocked,
        rulings 1, 14, 16].
        """
        if car.status == "spun":
            self.book.corners.stops_missed(car)
            return
        yield from super().settle(car)
        if self.move.braked or self.move.blocked or self.move.overs:
            self.book.wear.empty(car)


class DeathOutlook(Outlook[DeathCar, DeathRace, DeathFigures]):
    """The outlook of a stop in the death race."""

    book: Death

    @override
    def befalls(self, car: DeathCar, ask: Ask, landing: Landing | None, driven: Landing) -> Sequence[Ruling]:
        """Return the gears that a slip mine takes which ends the way [weapon.slip-mines]."""
        slips = landing is not None and driven is not landing
        loses = slips and self.book.gears.gear_lost(car, least=1) < car.gear
        return [Ruling("gears_lost", "weapon.slip-mines", car.number)] if loses else []


class DeathStarts(Starts[DeathCar, DeathRace, DeathFigures]):
    """Driving off in the death race: out of a spin without a die, and the ramp of a great start."""

    book: Death

    def restart_gear_question(self, car: DeathCar) -> Gear:
        """Out of a spin in 1st, with a turn table in 2nd at will [utility.turn-table, spin.zero]."""
        choices = [(Option(gear), gear) for gear in (1, 2)]
        return Gear(car.number, "utility.turn-table", choices, what="restart")

    @override
    def restart(self, car: DeathCar) -> Procedure[None]:
        """After a spin the car drives off in 1st, without another die [spin.zero, ruling 15]."""
        gear = 1
        if car.utility == "turn-table":
            gear = yield from ask(self.restart_gear_question, car)
        car.status, car.turned, car.gear = "racing", False, gear
        self.move.gear = gear
        self.rule("restart", "spin.zero", car, gear=gear)
        yield from self.book.turn.drive(car)

    @override
    def great_start(self, car: DeathCar, face: Face, article: str) -> Procedure[None]:
        """Make a great start, which has no die of its own; a ramp is raised for it at once.

        [basic.start, utility.pneumatic-ramp]
        """
        yield from self.book.gadgets.raise_ramp(car, self.figures.great_spaces)
        yield from super().great_start(car, face, article)


class DeathGears(OnePoolGears[DeathCar, DeathRace, DeathFigures]):
    """Gears that a turbo adds and that a hit takes."""

    book: Death

    def gear_lost(self, car: DeathCar, *, least: int = 0) -> int:
        """Return the gear of a car that loses two [weapon.haywire-charge, ruling 31]."""
        return min(car.gear, max(least, car.gear - self.figures.lost_gears))

    def lose_gears(self, car: DeathCar, article: str, *, least: int = 0) -> None:
        """Take two gears at once, at no cost, to `least` at the lowest; at 0 the car spins with the points it has.

        [weapon.haywire-charge, weapon.haywire-missiles, weapon.slip-mines, ruling 31]
        """
        before = car.gear
        car.gear = self.gear_lost(car, least=least)
        if car.gear < before:
            self.rule("gears_lost", article, car, before=before, gear=car.gear)
        if car.gear < 1 > least:
            self.book.wear.spin(car, article)

    @override
    def shift_cost(self, car: DeathCar, gear: int) -> Cost:
        """Return the cost of a gear; one that takes the last point spins the car where it stands.

        [basic.gears, spin.zero, ruling 1]
        """
        cost = super().shift_cost(car, gear)
        if not 0 < cost.total >= self.book.wear.points(car):
            return cost
        return cost.plus(self.book.wear.last_point(in_pits=car.in_pits))

    @override
    def gear_option(self, car: DeathCar, gear: int) -> Option:
        """Return the option of a gear, which shows whether it takes the turbo [utility.turbo]."""
        option = super().gear_option(car, gear)
        if gear == car.gear + 2:
            option.facts["card"] = "turbo"
        return option

    @override
    def may_shift(self, car: DeathCar, gear: int) -> bool:
        """One gear up, two with a turbo once a lap [basic.gears, utility.turbo]."""
        return super().may_shift(car, gear) or (gear == car.gear + 2 and car.ready("turbo"))

    @override
    def shift(self, car: DeathCar, gear: int) -> None:
        """Shift; the second gear up spends the turbo [utility.turbo]."""
        if gear == car.gear + 2 and car.ready("turbo"):
            self.book.bodywork.spend(car, "turbo", gear=gear)
        super().shift(car, gear)


class DeathMoving(Moving[DeathCar, DeathRace, DeathFigures]):
    """A move of the death race: nitros, the way with all that lies on it, what follows."""

    book: Death

    @override
    def take(self, car: DeathCar, landing: Landing, entry: int = 0) -> None:
        """Put the car down and pay its brakes; what lay on the way has been met [rulings 2, 9]."""
        before = self.book.wear.points(car)
        super().take(car, landing, entry)
        self.book.wear.paid(car, before)
        self.move.tests = []

    @override
    def displace(self, car: DeathCar, spaces: int, *, soft: bool = True, least: int = 0) -> Procedure[None]:
        """Nitros, then the way, then what may follow it [ruling 1]."""
        spaces += yield from self.book.gadgets.nitros(car)
        landing = yield from ask(self.book.landings.landing_question, car, spaces, soft=soft, least=least)
        yield from self.drive_on(car, landing)
        yield from self.book.slipstream.slipstreams(car, soft)

    def drive_on(self, car: DeathCar, landing: Landing) -> Procedure[None]:
        """Drive the way space by space; then a car that was beside it may follow.

        [utility.mag-plates, ruling 2]
        """
        start = car.at
        yield from self.book.wreckage.drive_over(car, landing)
        yield from self.book.bodywork.mag_plates(car, start)

    @override
    def brake(self, car: DeathCar, brakes: int) -> None:
        """Charge a point for each space braked away [basic.blocked, basic.pool]."""
        if brakes:
            self.lose(car, "brake", "basic.blocked", {"brakes": brakes}, spaces=brakes)


class DeathLandings(Landings[DeathCar, DeathRace, DeathFigures]):
    """The stops of a move of the death race, and what they cost: a point a space."""

    book: Death

    @override
    def leg(self, car: DeathCar, spaces: int, *, soft: bool = True, least: int = 0) -> Leg:
        """Return a leg that tells ways apart by the hazards they drive over.

        On the ramp no car is in the way, but for those in the pits, and nothing that lies under one [basic.drive,
        utility.pneumatic-ramp].
        """
        ids = self.track.ids
        waiting = frozenset(ids[space] for space in self.book.wreckage.road_hazards(car))
        leg = replace(super().leg(car, spaces, soft=soft, least=least), dangers=waiting)
        if not self.book.move.ramp:
            return leg
        pits = frozenset(x for x in leg.taken if self.track.spaces[x].section < 0)
        return replace(leg, taken=pits, dangers=waiting - leg.taken)

    @override
    def landings(self, car: DeathCar, leg: Leg) -> list[Landing]:
        """Return every legal stop, and those that grip or swerve tyres reach, each for the fewest tokens.

        A stop for more tokens is there only where that spares it something on the way [utility.grip-tyres,
        utility.swerve-tyres, basic.drive].
        """
        found = super().landings(car, leg)
        tokens = car.stock[car.utility] if car.utility in (GRIP, SWERVE) else 0
        if not tokens or car.in_pits:
            return found

        def woven() -> list[Landing]:
            ways: dict[tuple[int, int], list[tuple[int, set[int]]]] = {}
            for landing in found:
                if not landing.blocked:
                    ways.setdefault((landing.space, landing.brakes), []).append((0, set(landing.tests)))
            best: list[Landing] = []
            for way in sorted(self.book.tyre_tricks.woven(leg, car.utility, tokens), key=lambda way: way.tokens):
                others, over = ways.setdefault((way.space, way.brakes), []), set(way.tests)
                if not any(tests == over or (tests < over and spent < way.tokens) for spent, tests in others):
                    others.append((way.tokens, over))
                    best.append(way)
            return best

        return found + self.board.remembered((leg, car.utility, tokens), woven)

    @override
    def choices(self, car: DeathCar, found: Sequence[Landing], entry_brake: int = 0) -> list[tuple[Option, Landing]]:
        """Return the landings with what comes of the car's cards there, and where a slip mine ends the way.

        [utility.pneumatic-ramp, utility.grip-tyres, utility.swerve-tyres, weapon.slip-mines]
        """
        offers = self.offers(car, entry_brake)
        offers.driven = cache(offers.driven)  # the way to a mine takes a while to find
        choices = offers.listed(found)
        for option, landing in choices:
            self.tell_slip(option, landing, offers.driven(landing))
        return [(self.with_cards(option, landing), landing) for option, landing in choices]

    @override
    def actual_landing(self, car: DeathCar, landing: Landing) -> Landing:
        """Return a landing as it will be driven: a slip mine on the way ends it on its space.

        [weapon.slip-mines, ruling 2]
        """
        slippery = self.book.wreckage.slippery()
        mine = next((space for space in landing.tests if space in slippery), None) if slippery else None
        return landing if mine is None else self.book.wreckage.cut(car, landing, mine)

    def tell_slip(self, option: Option, landing: Landing, driven: Landing) -> None:
        """Reduce the facts of an option to what the car will drive, where a slip mine ends its way.

        [weapon.slip-mines]
        """
        if driven is landing:
            return
        facts = option.facts
        for beyond in ("corner", "stops", "of", "overshot", "blocked", "finish", "slid"):
            facts.pop(beyond, None)
        met = landing.tests[: landing.tests.index(driven.space) + 1]
        facts |= {"moved": driven.moved, "tests": [self.test_name(test) for test in met]}
        facts["slips_at"] = self.track.spaces[driven.space].name
        if driven.overs:
            facts["overshot"] = driven.overshot

    def with_cards(self, option: Option, landing: Landing) -> Option:
        """Add to an option the car that its landing comes down on, and the tokens that it takes.

        [utility.pneumatic-ramp, utility.grip-tyres, utility.swerve-tyres]
        """
        if isinstance(landing, Weave):
            option.facts.update(card=landing.card, tokens=landing.tokens)
        if not self.book.move.ramp or landing.finished or "slips_at" in option.facts:
            return option
        car = self.car(self.book.move.car)
        other = self.book.bodywork.under(car, landing.space)
        return option if other is None else self.book.gadgets.onto(car, other, option)

    @override
    def landing_cost(self, car: DeathCar, purse: Purse, charges: Charges) -> Cost:
        """Return the cost of a move as one loss, whose last point spins the car.

        It does not over the line of the last lap or in the pits [basic.blocked, basic.overshoot, rulings 14 to 17].
        """
        cost = super().landing_cost(car, purse, charges)
        if cost.out or not 0 < cost.total >= purse.points_left(POOL):
            return cost
        return cost.plus(self.book.wear.last_point(finished=charges.finished, in_pits=charges.in_pits))

    @override
    def forced_landing(self, answer: JsonValue) -> Landing:
        """Return a forced landing without a soft space: there are no tyres to choose [ruling 39]."""
        landing = super().forced_landing(answer)
        return Landing(landing.space, landing.moved, landing.brakes)


class DeathSlipstream(Slipstream[DeathCar, DeathRace, DeathFigures]):
    """Driving behind another car: a ram or slipstreams, then the clutch."""

    book: Death

    @override
    def slipstreams(self, car: DeathCar, soft: bool) -> Procedure[None]:
        """Offer a ram or slipstreams behind another car, then the clutch; nothing after what ended the move.

        [utility.ram-spike, slipstream.any-gear, ruling 1]
        """
        while not self.book.move.stopped:
            if (yield from self.book.gadgets.ram(car)) or not (yield from self.slipstream(car, soft)):
                break
        yield from self.book.gadgets.drop_clutch(car)

    @override
    def towed(self, car: DeathCar, tow: Landing) -> Procedure[None]:
        """Drive the way of a slipstream like any other, at no cost [slipstream.any-gear, ruling 3]."""
        yield from self.book.moving.drive_on(car, tow)

    @override
    def can_slipstream(self, car: DeathCar, ahead: DeathCar | None) -> bool:
        """Return True behind a moving car, whatever the gears, if the move was not braked, blocked or overshot.

        Not behind a Jet Wash or a car that has spun [slipstream.any-gear, utility.jet-wash, rulings 3, 4, 8].
        """
        move = self.move
        if ahead is None or car.status != "racing" or move.finished:
            return False
        if move.braked or move.blocked or move.overs:
            return False
        return ahead.status == "racing" and ahead.utility != "jet-wash"


class DeathTyres(Tyres[DeathCar, DeathRace, DeathFigures]):
    """There are no tyres in the death race, only laps."""

    book: Death

    @override
    def age_tyres(self, car: DeathCar) -> None:
        """Over the line a new lap begins, and cards that work once a lap are fresh [basic.finish, ruling 19]."""
        if self.move.crossed:
            car.fresh = False
            self.book.bodywork.refresh(car)
            self.rule("lap", "basic.finish", car, lap=car.lap, tyre_laps=0)
        if self.come_round(car):
            car.round_set = True


class DeathCorners(OnePoolCorners[DeathCar, DeathRace, DeathFigures]):
    """The death race's corners: a point a space beyond one."""

    @override
    def overshoot_cost(
        self, car: DeathCar, overs: Sequence[Over], purse: Purse, *, braked: int = 0, blocked: int = 0
    ) -> Cost:
        """Return the cost of overshooting; two or more stops missed put the car out.

        So does a space overshot by a car that had no point left [basic.overshoot, rulings 15, 16].
        """
        cost = super().overshoot_cost(car, overs, purse, braked=braked, blocked=blocked)
        if not cost.out and not purse.points_left(POOL) and not braked:
            return cost.plus(Cost(out="destroyed", article="spin.zero"))
        return cost

    def stops_missed(self, car: DeathCar) -> None:
        """Put a car out, spun or not, that missed two or more stops in a corner it left.

        [basic.overshoot, ruling 16]
        """
        if any(self.puts_out(over.missing) for over in self.move.overs):
            self.book.wear.eliminate(car, "overshoot", "basic.overshoot", removed=True)


class DeathTests(Tests[DeathCar, DeathRace, DeathFigures]):
    """The death race's tests: what lies on the way has been met by its end."""

    @override
    def way_tests(self, car: DeathCar) -> Procedure[None]:
        """Nothing is left to test at the end of a way [ruling 2]."""
        yield from ()


class DeathPits(OnePoolPits[DeathCar, DeathRace, DeathFigures]):
    """A stop of the death race: all points, tokens and slip mines back."""

    book: Death

    @override
    def pit_stop(self, car: DeathCar) -> Procedure[None]:
        """Make a stop: restore every point up to the car's maximum, and all tokens and slip mines of its cards.

        Reload tokens and limpet mines stay as they are. A card that was torn off may be fitted again for four points.
        If the referee has put the car elsewhere meanwhile the stop ends there [pit.refill, weapon.chain-blades,
        weapon.slip-mines, weapon.wrecker-ball, utility.grip-tyres, utility.swerve-tyres, utility.mag-plates, ruling
        20].
        """
        car.stop, car.round_set = "long", False
        full, stock = car.built[POOL], dict(car.stock)
        for key in list(car.stripped):
            worth = full > self.figures.refit_points
            if worth and (yield from self.book.bodywork.uses(car, key, lambda: car.status == "box", refit=True)):
                full -= self.figures.refit_points
                car.stripped.remove(key)
                self.book.preparing.fit_card(car, key)
                self.rule("refit", "weapon.chain-blades", car, card=key)
        if car.status != "box":
            return
        won, car.wear[POOL] = full - car.wear[POOL], full
        for card in car.cards:
            if card.stock and card.key != "limpet-mines":
                car.stock[card.key] = card.stock
        counts = {f"stock:{key}": more for key, left in car.stock.items() if (more := left - stock.get(key, 0))}
        self.rule("box", "pit.refill", car, {POOL: won} if won else {}, counts=counts, box=car.box)


class DeathPosition(Position[DeathCar, DeathRace, DeathFigures]):
    """The conditions of a position of the death race."""

    book: Death

    @override
    def parts_changed(self, car: DeathCar, old: DeathCar) -> None:
        """Spin a car whose last point the referee has crossed off, as one that has paid it.

        [spin.zero, ruling 14]
        """
        self.book.wear.empty(car)

    @override
    def wear_faults(self, car: DeathCar) -> Iterator[BadSetup]:
        """Yield the cars without a point, if the table wants them out at 0 [spin.zero, ruling 14]."""
        if self.book.wear.is_out_at_zero() and car.alive and not self.book.wear.points(car):
            yield BadSetup("no_point_left", car=car.number)

    @override
    def list_faults(self) -> Iterator[BadSetup]:
        """Those who act and have moved are cars of the race [phase.attack, basic.grid]."""
        yield from super().list_faults()
        race = self.race
        running = [car.number for car in race.cars if car.alive or car.number in race.gone]
        if not set(race.attackers) <= set(running) or len(set(race.attackers)) < len(race.attackers):
            yield BadSetup("attackers_listed", cars=str(race.attackers))
        if not set(race.moved) <= set(self.book.places) or len(set(race.moved)) < len(race.moved):
            yield BadSetup("cars_listed", name="moved", listed=str(race.moved))
        if race.grid and sorted(race.grid) != sorted(car.number for car in race.cars):
            yield BadSetup("grid_cars", cars=str(race.grid))

    @override
    def place_faults(self) -> Iterator[BadSetup]:
        """Yield faults of mines and wreckage that do not lie on the track.

        [wreckage.marker, weapon.slip-mines, weapon.remote-mines, ruling 11]
        """
        yield from super().place_faults()
        race = self.race
        on_track = {space.name for space in self.track.spaces if space.section >= 0}
        for mine in race.mines:
            if mine.at not in on_track or mine.owner not in self.book.places:
                yield BadSetup("mine_place", at=mine.at, car=mine.owner)
        for space, count in race.piles.items():
            if space not in race.dangers or not 1 <= count <= 99:
                yield BadSetup("piles", space=space)
        if any(space not in on_track for space in race.dangers):
            yield BadSetup("wreckage_in_pits")


class DeathReferee(Referee[DeathCar, DeathRace, DeathFigures]):
    """The values that the referee of the death race may set."""

    book: Death

    @override
    def set_race(self, race: DeathRace, name: str, value: Json) -> None:
        """Set a value of the race; a space has as many markers as it is named [ruling 11]."""
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
            raise BadOverride("attackers", cars=", ".join(map(str, alive)))
        self.race.attackers = list(order)

    @override
    def set_car(self, car: DeathCar, values: Mapping[str, Json]) -> None:
        """Set values of a car; a card that is given holds all that it can, unless the same word says how much.

        The cards of a car are then as they can be: each in a slot of its kind with no more on it than it holds, and a
        second slot for each Powerful one [upgrades.slots, upgrades.powerful, ruling 39].
        """
        cards = {name: values[name] for name in ("defence", "utility") if name in values}
        super().set_car(car, cards)
        super().set_car(car, {name: value for name, value in values.items() if name not in cards})
        if not values.keys() & {"stock", "defence", "utility"}:
            return
        del car.second[sum(card.powerful for card in car.cards) :]
        try:
            self.book.preparing.check_cards(car)
        except BadSetup as wrong:
            raise BadOverride.of(wrong) from None

    @override
    def set_plain(self, car: DeathCar, name: str, value: Json) -> None:
        """Set tokens, stocks, cards, torn-off cards, used cards, or the most points of a car [ruling 39].

        Tokens and stocks are given by card, cards by name; a card for once a lap or once a phase may be set as used or
        not.
        """
        if name in ("weapons", "stock"):
            held: dict[str, int] = getattr(car, name)
            if not held:
                raise BadOverride("no_such_card", car=car.number)
            if not isinstance(value, dict) or not set(value) <= set(held):
                raise BadOverride("car_cards", car=car.number, held=", ".join(held))
            if any(type(count) is not int or not 0 <= count <= 99 for count in value.values()):
                raise BadOverride("card_count_range")
            held.update(value)
        elif name in ("defence", "utility"):
            if value != "" and (not isinstance(value, str) or value not in CARDS or CARDS[value].kind != name):
                raise BadOverride("no_card_of_kind", value=value, kind=name)
            setattr(car, name, "")
            if value in car.stripped:
                car.stripped.remove(value)
            if value and self.book.preparing.copies_left(CARDS[value]) < 1:
                raise BadOverride("card_elsewhere", card=value)
            if value:
                self.book.preparing.fit_card(car, value)
        elif name in ("used", "busy"):
            if not isinstance(value, bool):
                raise BadOverride("line_switch", key=name)
            setattr(car, name, value)
        elif name == "most":
            if type(value) is not int or not 1 <= value <= 60:
                raise BadOverride("maximum_range", car=car.number, value=value)
            car.built[POOL] = value
        else:
            super().set_plain(car, name, value)
