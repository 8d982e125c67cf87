"""Before the race: the grid by the black die, and the cards, dealt or picked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from companion.rules.conversation.asking import Json, JsonValue, Option, Proc, ask
from companion.rules.conversation.errors import BadAnswer, BadSetup
from companion.rules.conversation.forms import Choice
from companion.rules.conversation.kinds import Pools
from companion.rules.conversation.overriding import override
from companion.rules.conversation.shuffling import DECK, shuffled
from companion.rules.death.cards import CARDS, SLOTS, Card, of_kind
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import POOL, DeathCar, DeathRace
from companion.rules.dice.grid import roll_off
from companion.rules.dice.preparing import Preparing
from companion.rules.dice.questions import BlackDie

if TYPE_CHECKING:
    from companion.rules.death.death import Death


_DECKS: Final = {kind: 1000 + place for place, kind in enumerate(SLOTS)}
"""Which shuffle of the program's deck deals a kind of card."""


class Deal(Choice[str]):
    """Which card a car gets; `spent` are those that exist but are all on cars."""

    spent: frozenset[str] = frozenset()

    def read(self, answer: JsonValue) -> str:
        if isinstance(answer, str) and answer in self.spent:
            raise BadAnswer(f"Every card of {answer} is on a car already; another card of that kind is dealt.")
        return super().read(answer)


class DeathPreparing(Preparing[DeathCar, DeathRace, DeathFigures]):
    """From the setup to the grid."""

    book: Death

    # -- before the race

    @override
    def prepare(self) -> Proc[None]:
        """The grid, then the cards of every car; there is no weather and no car to build [basic.grid, basic.pool,
        upgrades.random, upgrades.pick]."""
        race = self.race
        if self.figures.grid_by_die and not race.grid:
            yield from self.roll_for_grid()
        elif any(not car.wear for car in race.cars) or self.without_box() is not None:
            self.give_points()
        elif (car := self.next_for_card()) is not None:
            yield from self.take_card(car)
        else:
            self.form_up()

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

    def grid_die(self, number: int) -> BlackDie:
        """The black die for a place on the grid [basic.grid]."""
        return BlackDie(number, "basic.grid", "grid")

    def roll_for_grid(self) -> Proc[None]:
        """The highest die has pole; who is level rolls again [basic.grid, ruling 45]."""
        race = self.race
        race.grid = yield from roll_off([car.number for car in race.cars], race.faces, self.grid_die)
        if race.grid:
            self.rule("grid_rolled", "basic.grid", None, order=list(race.grid))

    @override
    def grid_order(self) -> list[DeathCar]:
        """The cars from pole: as the die has it, else as the setup lists them [basic.grid, ruling 45]."""
        race = self.race
        return [self.car(number) for number in race.grid] if race.grid else race.cars

    # -- cards

    def copies_left(self, card: Card) -> int:
        """How many of a card no car has; those torn off lie in the pits for their car [upgrades.limited]."""
        taken = sum([*car.weapons, car.defence, car.utility, *car.stripped].count(card.key) for car in self.race.cars)
        return card.copies - taken

    def most_cars(self) -> int:
        """How many cars can be sure to get a card into each of their slots; picked, a Powerful one goes into nobody's
        last [upgrades.slots, upgrades.limited, upgrades.powerful, upgrades.pick]."""
        pick = self.figures.pick_cards
        cards = {kind: [card.copies for card in of_kind(kind) if not (pick and card.powerful)] for kind in SLOTS}
        return min(sum(cards[kind]) // count for kind, count in SLOTS.items())

    def next_for_card(self) -> DeathCar | None:
        """Dealt: a first weapon to each, then a second, a defence, a utility, from pole. Picked: a card a turn, from
        the last place to pole, over and over [upgrades.random, upgrades.pick, ruling 44]."""
        order = self.grid_order()
        waiting = [car for car in order if car.slots]
        if self.figures.pick_cards:
            return min(reversed(waiting), key=lambda car: len(car.cards), default=None)
        return min(waiting, key=lambda car: sum(SLOTS.values()) - len(car.slots), default=None)

    def fitting(self, car: DeathCar) -> list[Card]:
        """The cards that a car can get now: dealt, of the next slot's kind; picked, of any free slot's. A Powerful one
        needs a second slot [upgrades.slots, upgrades.powerful, upgrades.limited]."""
        slots = car.slots
        kinds = list(dict.fromkeys(slots)) if self.figures.pick_cards else slots[:1]
        cards = [card for kind in kinds for card in of_kind(kind) if self.copies_left(card) > 0]
        return [card for card in cards if not card.powerful or len(slots) > 1]

    def dealt(self, car: DeathCar) -> str:
        """The next card for a car from a deck of the program: every printed card of the slot's kind is in it, and one
        that is Powerful is passed over where it does not fit [upgrades.random, upgrades.limited, ruling 44]."""
        kind = car.slots[0]
        deck = shuffled([card.key for card in of_kind(kind) for _ in range(card.copies)], self.race.deck, _DECKS[kind])
        for other in self.race.cars:
            for card in other.cards:
                if card.kind == kind:
                    deck.remove(card.key)
        fitting = {card.key for card in self.fitting(car)}
        return next(key for key in deck if key in fitting)

    def card_question(self, car: DeathCar) -> Choice[str]:
        """Which card a car gets: the one that was dealt to it, or that its driver picks
        [upgrades.random, upgrades.pick, upgrades.limited]."""
        choices = []
        for card in self.fitting(car):
            facts: dict[str, Json] = {"kind": card.kind, "left": self.copies_left(card)}
            if card.powerful:
                facts["powerful"] = True
            choices.append((Option(card.key, facts=facts), card.key))
        pick = self.figures.pick_cards
        article = "upgrades.pick" if pick else "upgrades.random"
        what = "pick" if pick else car.slots[0]
        question = Deal("card", car.number, article, choices, what=what, wanted="The cards that it can get are")
        question.spent = frozenset(key for key, card in CARDS.items() if self.copies_left(card) < 1)
        return question

    def take_card(self, car: DeathCar) -> Proc[None]:
        """A card goes into its slot with its tokens; a Powerful one takes another slot too: dealt, the next one,
        picked, the one that its driver names [upgrades.slots, upgrades.powerful, upgrades.random, upgrades.pick]."""
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
        """Which other slot a Powerful card takes [upgrades.powerful, ruling 44]."""
        kinds = list(dict.fromkeys(car.slots))
        choices = [(Option(kind), kind) for kind in kinds]
        return Choice("slot", car.number, "upgrades.powerful", choices, what=key, wanted="The free slots are")

    def fit_card(self, car: DeathCar, key: str) -> None:
        """A weapon starts with a token on it, a turbolaser with two [weapons.start, upgrades.slots,
        weapon.forward-turbolaser, weapon.rear-turbolaser]."""
        card = CARDS[key]
        if card.kind == "weapon":
            car.weapons[key] = self.first_tokens(card)
        elif card.kind == "defence":
            car.defence = key
        else:
            car.utility = key
        if card.stock:
            car.stock[key] = card.stock

    def first_tokens(self, card: Card) -> int:
        """The tokens on a weapon at the start [weapons.start]."""
        return card.tokens - 1 + self.figures.start_tokens

    # -- what a setup brings

    @override
    def take_build(self, car: DeathCar, raw: Mapping[str, Json]) -> None:
        """A car may bring its points, all of them in the one pool [basic.pool]."""
        if set(car.wear) != {POOL} or car.wear[POOL] != self.figures.car_points:
            raise BadSetup(f"Car {car.number} starts with {self.figures.car_points} points in one pool, called points.")
        car.built = dict(car.wear)

    @override
    def complete(self, car: DeathCar) -> None:
        """In a position a car has all its points and all that its cards hold, where nothing else is said
        [basic.pool]."""
        car.wear = car.wear or self.usual_build()
        car.built = car.built or {POOL: max(self.figures.car_points, car.wear[POOL])}

    @override
    def check(self, setup: Mapping[str, Json]) -> None:
        """A death race has no weather and no car on the board that is out, and cards that exist, fit and are dealt once
        each, by the program from a deck that has a number [basic.pool, spin.zero, upgrades.slots, upgrades.limited,
        upgrades.random, upgrades.pick]."""
        race = self.race
        if race.sky not in ("", "sun") or race.surface not in ("", "dry"):
            raise BadSetup("The death race has no weather: its sky is sun and its track dry.")
        race.sky, race.drawn = "sun", ""
        if not 0 <= race.deck <= DECK:
            raise BadSetup(f"A deck's number is 0 to {DECK}, 0 for cards on the table; {race.deck} is not.")
        if race.deck and self.figures.pick_cards:
            raise BadSetup("Cards that the drivers pick are not dealt; leave out the deck, or the switch pick_cards.")
        if "to_play" not in setup and len(race.cars) > (most := self.most_cars()):
            raise BadSetup(f"There are cards for {most} cars at most; this race has {len(race.cars)}.")
        for car in race.cars:
            if car.status in ("coasting", "wreck"):
                raise BadSetup(f"Car {car.number} is {car.status}; in the death race such a car is out.")
            self.check_cards(car)
        for card in CARDS.values():
            if self.copies_left(card) < 0:
                raise BadSetup(f"More cards of {card.key} have been dealt than there are; there is {card.copies}.")

    def check_cards(self, car: DeathCar) -> None:
        """Each card in a slot of its kind, with no more on it than it holds [upgrades.slots, upgrades.powerful]."""
        whose = f"Car {car.number}"
        for kind, keys in (("weapon", list(car.weapons)), ("defence", [car.defence]), ("utility", [car.utility])):
            for key in filter(None, keys):
                if key not in CARDS or CARDS[key].kind != kind:
                    raise BadSetup(f"{whose}: {key[:40]} is no {kind}; one is {of_kind(kind)[0].key}.")
        for key in car.stripped:
            if key not in CARDS or CARDS[key].kind == "weapon" or CARDS[key].powerful:
                raise BadSetup(f"{whose}: {key[:40]} is no card that can be torn off.")
        missing = sum(card.powerful for card in car.cards) - len(car.second)
        for _ in range(missing):
            if free := car.slots:
                car.second.append(free[0])
        taken = [*(card.kind for card in car.cards), *car.second]
        if any(slot not in SLOTS for slot in car.second) or len(car.second) != sum(card.powerful for card in car.cards):
            raise BadSetup(f"{whose}: each Powerful card takes one more slot, one of {', '.join(SLOTS)}.")
        for slot, count in SLOTS.items():
            if taken.count(slot) > count:
                raise BadSetup(f"Car {car.number} has {count} {slot} slots; {taken.count(slot)} cards are in them.")
        for key, tokens in car.weapons.items():
            if not 0 <= tokens <= 99:
                raise BadSetup(f"{whose}: a weapon has 0 to 99 reload tokens; {key} has {tokens}.")
        for card in car.cards:
            if card.stock:
                car.stock.setdefault(card.key, card.stock)
        for key, left in car.stock.items():
            if key not in CARDS or not 0 <= left <= CARDS[key].stock:
                raise BadSetup(f"{whose}: {key[:40]} holds {CARDS[key].stock if key in CARDS else 0}, not {left}.")
