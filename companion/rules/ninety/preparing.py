"""Before the race of sections: charts, hands and bots, qualifying, fuel and strategies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.rules.conversation.asking import Json, JsonValue, Option, Proc, ask
from companion.rules.conversation.errors import BadAnswer
from companion.rules.conversation.forms import whole
from companion.rules.conversation.kinds import CHART, Pool, Pools
from companion.rules.conversation.shuffling import shuffled
from companion.rules.ninety.cards import card
from companion.rules.ninety.chapter import SectionChapter
from companion.rules.ninety.hand import CardQuestion, one_of
from companion.rules.ninety.state import SectionCar

ON_A_CHART: Final[Mapping[Pool, tuple[int, int]]] = {"tyres": (0, 40), "cards": (1, 20), "damage": (1, 20)}
"""The least and the most that a chart may say of each [chart.car]."""
IN_VAIN: Final = 20
"""After so many cards each a deck of the program has none that tell drivers apart."""


class Practice(SectionChapter):
    """From the setup to the grid."""

    def prepare(self) -> Proc[None]:
        """Charts and hands, the substitute car, qualifying, fuel, and strategies in qualifying order; one thing at a
        time [practice.setup, quali.cards, fuel.deadlines, strategy.choose]."""
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

    def assign_chart(self, car: SectionCar) -> Proc[None]:
        """A driver gets a car chart by chance and draws the hand that it says [practice.setup, chart.car]."""
        if self.book.hand.dealt:
            free = shuffled(self.free_charts(), self.race.deck, 100 + len(self.race.cars))
            chart = free[0]
        else:
            chart = yield from ask(self.chart_question, car)
        self.book.chart.give_chart(car, chart)
        self.rule("chart", "chart.car", car, tyres=chart["tyres"], cards=chart["cards"], damage=chart["damage"])

    def free_charts(self) -> list[Pools]:
        """The charts that nobody has yet, of which some may be alike; all of them once each is taken."""
        charts = [dict(zip(CHART, chart, strict=True)) for chart in self.figures.charts]
        free = list(charts)
        for car in self.race.cars:
            if car.built in free:
                free.remove(car.built)
        return free or charts

    def chart_question(self, car: SectionCar) -> CardQuestion[Pools]:
        """What the chart says that a driver was dealt; the usual ones are offered [chart.car]."""
        free = self.free_charts()
        offered = [Option(chart) for at, chart in enumerate(free) if chart not in free[:at]]
        ranges: dict[str, Json] = {name: list(ends) for name, ends in ON_A_CHART.items()}
        return CardQuestion("chart", car.number, "chart.car", self.read_chart, offered, **ranges)

    def read_chart(self, answer: JsonValue) -> Pools:
        """A chart: tyres, cards and room for damage; raises BadAnswer [chart.car]."""
        if not isinstance(answer, dict) or set(answer) != set(CHART):
            raise BadAnswer('A chart says tyres, cards and damage, such as {"tyres": 12, "cards": 6, "damage": 4}.')
        chart = {name: whole(answer[name]) for name in CHART}
        for name, count in chart.items():
            least, most = ON_A_CHART[name]
            if not least <= count <= most:
                raise BadAnswer(f"A chart has {least} to {most} {name}; {count} is not on any.")
        return chart

    def offer_substitute(self, car: SectionCar) -> Proc[None]:
        """Once, before qualifying, a driver may take the substitute car: his hand is drawn anew
        [practice.substitute, ruling 29]."""
        taken = yield from ask(self.substitute_question, car)
        car.substitute = "taken" if taken else "kept"
        if taken:
            self.book.hand.lay_down(car.hand)
            count, car.hand, car.wear["cards"] = car.wear["cards"], [], 0
            self.book.hand.draw(car, count)
            self.rule("substitute", "practice.substitute", car, cards=count)

    def substitute_question(self, car: SectionCar) -> CardQuestion[bool]:
        """Whether a driver takes the substitute car [practice.substitute]."""
        answers = [False, True]
        return CardQuestion(
            "substitute", car.number, "practice.substitute", one_of(answers),
            [Option(answer) for answer in answers],
        )  # fmt: skip

    # -- qualifying

    def qualify(self, car: SectionCar) -> Proc[None]:
        """A driver shows a card of his hand: it is his first check card, and another is drawn for it. A bot's comes
        from the deck [quali.cards, ruling 46, ruling 51]."""
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
        """The value of the card shown; a fast bot's is one more, so that it may be over 4 [quali.cards, ruling 46]."""
        return card(car.shown).value + (self.figures.fast_qualifying if car.bot == "fast" else 0)

    def form_grid(self) -> Proc[None]:
        """The highest value is on pole, of equal ones the lower check factor; who is level in both turns over a card
        each until one is lower, or by lot where a deck is too small for that. With the place comes the fuel
        [quali.cards, fuel.deadlines, ruling 30]."""
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
        """The turn marked on the indicator: pole 8, second 10, last 14, the others 12; with few drivers pole and last
        come first [fuel.deadlines, ruling 31]."""
        figures = self.figures
        if place == 1:
            return figures.fuel_pole
        if place == len(self.race.cars):
            return figures.fuel_last
        return figures.fuel_second if place == 2 else figures.fuel_others

    def begin_race(self) -> None:
        """The cars stand in the first section in the order of the grid, and the first turn begins [quali.cards]."""
        race = self.race
        race.phase = "race"
        for number in race.grid:
            car = self.car(number)
            car.status = "racing"
            self.book.order.arrive(car)
        self.next_turn()

    def next_turn(self) -> None:
        """The pawn on the turn indicator goes on: a turn of the race is not a lap of the track
        [track.map, turn.lap, end.turns]."""
        race = self.race
        race.round += 1
        race.played, race.stopped, race.contested = [], [], []
        for car in race.cars:
            car.frozen = []
        last = race.round == race.laps
        self.rule("round", "turn.lap", self.book.order.leader, round=race.round, turns=race.laps, last=last)
        self.book.pits.remind_of_fuel()
