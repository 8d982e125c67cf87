"""Positions of a race of sections: prepared for the start, checked, and set by the referee's word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final, Protocol, TypeVar

from companion.rules.conversation.asking import Json, JsonValue, Option, Procedure, ask
from companion.rules.conversation.errors import BadAnswer, BadOverride, BadSetup
from companion.rules.conversation.forms import whole
from companion.rules.conversation.kinds import CHART, Pool, Pools
from companion.rules.conversation.shuffling import shuffled
from companion.rules.ninety.cards import card, card_named, cards_named, cards_of, check_named
from companion.rules.ninety.hand import CardQuestion, one_of
from companion.rules.ninety.state import STRATEGIES, SectionCar, SectionChapter, SectionRace
from companion.rules.ninety.turn import SectionTurnBook

ON_A_CHART: Final[Mapping[Pool, tuple[int, int]]] = {"tyres": (0, 40), "cards": (1, 20), "damage": (1, 20)}
"""Lowest and highest value of each pool of a chart [chart.car]."""
IN_VAIN: Final = 20
"""Number of cards per driver after which a deck of the program has none that tell drivers apart."""


class PositionBook(SectionTurnBook, Protocol):
    """The book as preparing, position and referee see it."""

    preparing: Practice
    position: SectionPosition
    referee: SectionReferee
    car_values: tuple[str, ...]

    @property
    def car_ranges(self) -> Mapping[str, tuple[int, int]]: ...
    @property
    def places(self) -> Mapping[int, int]: ...
    @property
    def word(self) -> str: ...


class Practice(SectionChapter):
    """Before the race of sections: charts, hands and bots, qualifying, fuel and strategies."""

    book: PositionBook

    def prepare(self) -> Procedure[None]:
        """Prepare the race, one thing at a time.

        Charts and hands come first, then the substitute car, qualifying, fuel, and strategies in qualifying order
        [practice.setup, quali.cards, fuel.deadlines, strategy.choose].
        """
        race = self.race
        players = [car for car in race.cars if not car.bot]
        if (car := next((car for car in players if not car.built), None)) is not None:
            yield from self.assign_chart(car)
        elif (car := next((car for car in players if not car.substitute), None)) is not None:
            yield from self.offer_substitute(car)
        elif (car := next((car for car in race.cars if not car.shown), None)) is not None:
            yield from self.qualify(car)
        elif not race.grid:
            yield from self.form_grid()
        elif car := next((car for car in map(self.car, race.grid) if not car.bot and not car.strategy), None):
            yield from self.book.strategies.choose_strategy(car)
        else:
            self.begin_race()

    # -- free practice

    def assign_chart(self, car: SectionCar) -> Procedure[None]:
        """Give a driver a car chart by chance and draw the hand that it says [practice.setup, chart.car]."""
        if self.book.hand.dealt:
            free = shuffled(self.free_charts(), self.race.deck, 100 + len(self.race.cars))
            chart = free[0]
        else:
            chart = yield from ask(self.chart_question, car)
        self.book.chart.give_chart(car, chart)
        self.rule("chart", "chart.car", car, tyres=chart["tyres"], cards=chart["cards"], damage=chart["damage"])

    def charts(self) -> list[Pools]:
        """Return the charts that are dealt [chart.car]."""
        return [dict(zip(CHART, chart, strict=True)) for chart in self.figures.charts]

    def free_charts(self) -> list[Pools]:
        """Return the charts that no driver has yet, of which some may be alike; all of them once each is taken."""
        charts = self.charts()
        free = list(charts)
        for car in self.race.cars:
            if car.built in free:
                free.remove(car.built)
        return free or charts

    def chart_question(self, car: SectionCar) -> CardQuestion[Pools]:
        """Ask what the chart says that a driver was dealt; the usual ones are offered [chart.car]."""
        free = self.free_charts()
        offered = [Option(chart) for at, chart in enumerate(free) if chart not in free[:at]]
        ranges: dict[str, Json] = {name: list(ends) for name, ends in ON_A_CHART.items()}
        return CardQuestion("chart", car.number, "chart.car", self.read_chart, offered, **ranges)

    def read_chart(self, answer: JsonValue) -> Pools:
        """Read a chart: tyres, cards and room for damage; raise BadAnswer [chart.car]."""
        if not isinstance(answer, dict) or set(answer) != set(CHART):
            raise BadAnswer("chart_form")
        chart = {name: whole(answer[name]) for name in CHART}
        for name, count in chart.items():
            least, most = ON_A_CHART[name]
            if not least <= count <= most:
                raise BadAnswer("chart_range", low=least, high=most, name=name, count=count)
        return chart

    def offer_substitute(self, car: SectionCar) -> Procedure[None]:
        """Offer a driver the substitute car, once, before qualifying [practice.substitute, ruling 29].

        If he takes it, he draws a new hand.
        """
        taken = yield from ask(self.substitute_question, car)
        car.substitute = "taken" if taken else "kept"
        if taken:
            self.book.hand.lay_down(car.hand)
            count, car.hand, car.wear["cards"] = car.wear["cards"], [], 0
            self.book.hand.draw(car, count)
            self.rule("substitute", "practice.substitute", car, cards=count)

    def substitute_question(self, car: SectionCar) -> CardQuestion[bool]:
        """Ask whether a driver takes the substitute car [practice.substitute]."""
        answers = [False, True]
        return CardQuestion(
            "substitute", car.number, "practice.substitute", one_of(answers),
            [Option(answer) for answer in answers],
        )  # fmt: skip

    # -- qualifying

    def qualify(self, car: SectionCar) -> Procedure[None]:
        """Have a driver show a card of his hand for qualifying [quali.cards, ruling 46, ruling 51].

        It is his first check card, and another is drawn for it. A bot's comes from the deck.
        """
        if car.bot:
            car.shown = yield from self.book.hand.turned(car, "quali.cards", "qualifying", by="")
            self.book.hand.lay_down([car.shown])
        else:
            car.shown = yield from ask(self.book.hand.card_question, "qualify", car, "quali.cards")
            self.book.hand.spend(car, [car.shown])
            self.book.hand.lay_down([car.check] if car.check else [])  # one that the referee has set
            car.check = car.shown
            self.book.hand.draw(car)
        self.rule("qualifies", "quali.cards", car, card=car.shown, value=self.qualifying_value(car))

    def qualifying_value(self, car: SectionCar) -> int:
        """Return the value of the card shown; a fast bot's is one more, so that it may be over 4.

        [quali.cards, ruling 46]
        """
        return card(car.shown).value + (self.figures.fast_qualifying if car.bot == "fast" else 0)

    def form_grid(self) -> Procedure[None]:
        """Form the grid: the highest value is on pole, of equal ones the lower check factor.

        Drivers who are level in both turn over a card each until one is lower, or draw lots where a deck is too small
        for that. With the place comes the fuel [fuel.deadlines] [quali.cards, ruling 30].
        """
        keys = {car.number: [-self.qualifying_value(car), card(car.shown).factor] for car in self.race.cars}
        while level := [car for car in self.race.cars if list(keys.values()).count(keys[car.number]) > 1]:
            if self.book.hand.dealt and max(map(len, keys.values())) == 2 + IN_VAIN:
                break
            for car in level:
                what = f"level_{len(keys[car.number]) - 1}"
                drawn = yield from self.book.hand.turned(car, "ruling 30", what)
                self.book.hand.lay_down([drawn])
                keys[car.number] = [*keys[car.number], card(drawn).factor]
        lots = shuffled(list(keys), self.race.deck, IN_VAIN)
        self.race.grid = sorted(lots, key=lambda number: keys[number])
        for place, number in enumerate(self.race.grid, 1):
            car = self.car(number)
            car.place, car.fuel = place, self.fuel(place)
            self.rule("grid", "fuel.deadlines", car, place=place, fuel=car.fuel)

    def fuel(self, place: int) -> int:
        """Return the turn marked on the indicator: pole 8, second 10, last 14, the others 12.

        With few drivers pole and last come first [fuel.deadlines, ruling 31].
        """
        figures = self.figures
        if place == 1:
            return figures.fuel_pole
        if place == len(self.race.cars):
            return figures.fuel_last
        return figures.fuel_second if place == 2 else figures.fuel_others

    def begin_race(self) -> None:
        """Put the cars in the first section in the order of the grid, and begin the first turn.

        [quali.cards]
        """
        race = self.race
        race.phase = "race"
        for number in race.grid:
            car = self.car(number)
            car.status = "racing"
            self.book.order.arrive(car)
        self.next_turn()

    def next_turn(self) -> None:
        """Move the pawn on the turn indicator on: a turn of the race is not a lap.

        [track.map, turn.lap, end.turns]
        """
        race = self.race
        race.round += 1
        race.played, race.stopped, race.contested = [], [], []
        for car in race.cars:
            car.frozen = []
        last = race.round == race.laps
        self.rule("round", "turn.lap", self.book.order.leader, round=race.round, turns=race.laps, last=last)
        self.book.pits.remind_of_fuel()


class SectionPosition(SectionChapter):
    """The conditions that a position must meet: one check for setups, the referee's word and corrections."""

    book: PositionBook

    def faults(self) -> Iterator[BadSetup]:
        """Yield all that is wrong with the position as it stands; a race that was played has no fault."""
        race = self.race
        yield from self.list_faults()
        yield from self.deck_faults()
        for car in race.cars:
            if car.line >= len(self.section(car).trajectories):
                yield BadSetup("no_point", car=car.number, line=car.point)
            if (car.status == "out") != (car.number in race.gone):
                yield BadSetup("gone_listed", number=car.number)
            if car.strategy and car.strategy not in (there := self.book.strategies.choices()):
                known = ", ".join(there)
                yield BadSetup("no_chase", car=car.number, listed=known)
            if car.stops > race.round:
                yield BadSetup("stopped_often", car=car.number, stops=car.stops, turn=race.round)
            yield from self.chart_faults(car)
        running = self.book.order.running()
        if running and (home := [car.number for car in race.cars if car.status == "finished"]):
            yield BadSetup("finished_early", car=home[0])
        if race.phase == "over" and running:
            yield BadSetup("still_in_race")

    def chart_faults(self, car: SectionCar) -> Iterator[BadSetup]:
        """Yield the faults of damage and hand against the chart.

        A full chart races on, for only damage that no longer fits retires the car [chart.car, chart.breakdown,
        contest.frozen].
        """
        if car.bot or not car.built:  # a bot has no chart, and who has not been dealt one yet
            return
        if car.wear["damage"] + car.permanent > car.built["damage"] or car.permanent < 0:
            yield BadSetup("chart_damage", car=car.number, count=car.built["damage"])
        if car.wear["tyres"] > car.built["tyres"]:
            yield BadSetup("chart_tyres", car=car.number, most=car.built["tyres"], tyres=car.wear["tyres"])
        cards = car.wear["cards"]
        if self.race.deck and cards != len(car.hand):
            yield BadSetup("hand_drawn")
        if len(car.hand) > cards:
            yield BadSetup("hand_count", car=car.number, count=cards)
        if missing := list(Counter(car.frozen) - Counter(car.hand)):
            yield BadSetup("not_in_hand", car=car.number, code=missing[0])

    def deck_faults(self) -> Iterator[BadSetup]:
        """Yield the cards of the program's deck that are in too many places [cards.race].

        A card is in one place: in a hand, on a check area, on the pile or laid down. Where every card was in a hand,
        another deck has been added.
        """
        race, hand = self.race, self.book.hand
        if not hand.dealt:
            return
        deck = cards_of(hand.deck_values())
        there = Counter([*race.pile, *race.discards, *hand.held_cards()])
        decks = max(1, round(there.total() / deck.total()))
        for code, count in there.items():
            most = max(deck[code], 1) * decks
            if count > most:
                yield BadSetup("deck_has", card=code, most=most, count=count)

    def list_faults(self) -> Iterator[BadSetup]:
        """Yield the faults of the lists: they name cars of the race, and no two cars arrived at the same moment."""
        race, known = self.race, set(self.book.places)
        for name in ("stopped", "gone", "grid"):
            if strange := sorted(set(getattr(race, name)) - known):
                yield BadSetup("lists_cars", name=name, number=strange[0])
        if strange := [
            number
            for number in race.gone
            if number in known and (self.car(number).status != "out" or race.gone.count(number) > 1)
        ]:
            yield BadSetup("gone_listed", number=strange[0])
        moments = [car.arrived for car in race.cars if car.arrived]
        if len(set(moments)) < len(moments) or any(moment < 0 for moment in moments):
            yield BadSetup("arrived")
        for pair in race.contested:
            if len(pair) != 2 or pair[0] not in known:
                yield BadSetup("contested")


V = TypeVar("V")
_CAUSES: Final = ("breakdown", "unpaid", "referee")


class SectionReferee(SectionChapter):
    """The referee's word in the race of sections: a value set by hand, and what it may be."""

    book: PositionBook

    def set_queue(self, race: SectionRace, name: str, queue: Json) -> None:
        """Set the order of the cars of one section, from the head of its queue."""
        if not isinstance(queue, list) or not all(isinstance(n, int) and not isinstance(n, bool) for n in queue):
            raise BadOverride("list_wanted", name="queue", example="[3, 1, 2]")
        cars = [self.car(number) for number in queue]
        where = {car.section for car in cars if car.status == "racing"}
        here = [car.number for car in race.cars if car.status == "racing" and car.section in where]
        if len(where) != 1 or sorted(queue) != sorted(here):
            raise BadOverride("queue_form")
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
            raise BadOverride("goes_with_status", name="cause", statuses=["out"])

    def set_value(self, car: SectionCar, name: str, value: Json) -> None:
        if car.bot and name not in ("at", "lap", "status", "stops", "fuel"):
            raise BadOverride("bot_has_none", car=car.number, name=name)
        if name == "wear":
            self.set_wear(car, value)
        elif name == "at":
            self.set_place(car, value)
        elif name == "status":
            pass  # once all else is set
        elif name == "strategy":
            if value not in STRATEGIES:
                raise BadOverride("strategy_kind", listed=", ".join(STRATEGIES), value=value)
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
                raise BadOverride("contest_too_early")
            car.frozen = _read(cards_named, value)
            if missing := list(Counter(car.frozen) - Counter(car.hand)):
                raise BadOverride("not_in_hand", car=car.number, code=missing[0])
        else:
            if name == "permanent":
                self._charted(car)
            low, high = self.book.car_ranges[name]
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise BadOverride("car_value_range", name=name, low=low, high=high, value=value)
            setattr(car, name, value)

    def _exchange(self, gone: list[str], come: list[str]) -> None:
        """Exchange cards of a driver's hand for others: from a deck of the program each of them once."""
        race, hand = self.race, self.book.hand
        if not race.deck:
            return
        there = Counter(come) & Counter(gone)
        race.discards += (Counter(gone) - there).elements()
        new = [] if race.shuffles or race.pile else hand.undealt()
        for code in (Counter(come) - there).elements():
            for pile in (race.discards, race.pile, new):
                if code in pile:
                    pile.remove(code)
                    break
            else:
                raise BadOverride("deck_without_card", card=code)

    @staticmethod
    def _charted(car: SectionCar) -> None:
        if not car.wear:
            raise BadOverride("no_chart_yet", car=car.number)

    def _may_hold(self, cards: int) -> None:
        if self.race.phase == "setup" and not cards:
            raise BadOverride("card_in_qualifying")

    def set_wear(self, car: SectionCar, wear: Json) -> None:
        if not isinstance(wear, dict):
            raise BadOverride("wear_by_pool", example='{"tyres": 4}')
        self._charted(car)
        for pool, points in wear.items():
            if pool not in CHART:
                raise BadOverride("no_pool", pool=pool, known=", ".join(CHART))
            if isinstance(points, bool) or not isinstance(points, int) or not 0 <= points <= 60:
                raise BadOverride("pool_range", pool=pool, points=points)
            if pool == "cards" and not self.race.deck:
                self._may_hold(points)
                car.frozen = car.frozen[:points]
                car.hand = car.hand if len(car.hand) <= points else list(car.frozen)
            car.wear[pool] = points

    def section_named(self, place: Json) -> int:
        """Return the number of a named section, from 0; raise BadOverride if the circuit has none of that name."""
        section = self.track.number_of(place)
        if section is None:
            raise BadOverride("no_section", track=self.track.name, place=place, last=len(self.track.sections))
        return section

    def set_place(self, car: SectionCar, place: Json) -> None:
        section = self.section_named(place)
        if self.race.phase != "race" or car.status not in ("racing", "off"):
            raise BadOverride("status_first", car=car.number, name="at")
        car.section, car.line = section, -1
        self.book.order.arrive(car)

    def lap_over_line(self, car: SectionCar, values: Mapping[str, Json]) -> dict[str, Json]:
        """Return the lap of a car put in a section on the other side of the line, on the shorter way [turn.lap]."""
        section, count = self.track.number_of(values["at"]), len(self.track.sections)
        if section is None or 2 * abs(section - car.section) <= count:
            return {}
        return {"lap": car.lap + (1 if section < car.section else -1)}

    def set_status(self, car: SectionCar, status: Json, cause: Json) -> None:
        if self.race.phase == "setup":
            raise BadOverride("status_too_early")
        if self.race.phase == "over" and status != "out":
            raise BadOverride("status_too_late")
        if status == "out":
            if cause not in _CAUSES:
                raise BadOverride("cause_kind", causes=list(_CAUSES), cause=cause)
            if car.status != "out":
                self.book.chart.eliminate(car, cause, self.book.word)
            car.cause = cause
            return
        if status not in ("racing", "off"):
            raise BadOverride("status_of_ninety", status=status)
        if car.status != status:
            self.book.order.arrive(car)
            car.line = -1
        car.status, car.cause = status, ""
        if car.number in self.race.gone:
            self.race.gone.remove(car.number)


def _read(read: Callable[[Json], V], value: Json) -> V:
    """Read cards as they were written; raise BadOverride if one is none."""
    try:
        return read(value)
    except BadAnswer as wrong:
        raise BadOverride.of(wrong) from None
