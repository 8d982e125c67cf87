"""The beginning of a turn: driving on, skipping it, or a pit stop, which the fuel makes due."""

from __future__ import annotations

from companion.rules.conversation.asking import Json, JsonValue, Option, Proc
from companion.rules.conversation.errors import BadAnswer
from companion.rules.ninety.chapter import SectionChapter
from companion.rules.ninety.hand import CardQuestion, one_of
from companion.rules.ninety.state import SectionCar


class PitWall(SectionChapter):
    """What is declared."""

    def must_stop(self, car: SectionCar) -> bool:
        """Whether the marked turn has come without a stop; who is off the track then stops as soon as he can. One stop
        is compulsory, more are allowed [pit.deadline, pit.once, ruling 14, ruling 35]."""
        return not car.stops and self.race.round >= car.fuel

    def declare_question(self, car: SectionCar) -> CardQuestion[Json]:
        """Go, stop, or skip the turn; on the marked turn only the stop; off the track only the way back to it. Whoever
        goes says so by what his turn begins with, unless that is a card of the program's deck, which he has not seen
        [turn.phases, turn.skip, pit.stop, pit.cards, pit.deadline, overtake.off-track, ruling 13, ruling 32,
        ruling 35]."""
        article, what = "turn.phases", ""
        begins: CardQuestion[bool] | CardQuestion[list[str]] | None = None
        if car.status == "off":
            known, article, what = ["back"], "pit.cards", "off"
        elif self.must_stop(car):
            known, article = ["stop"], "pit.deadline"
        else:
            known, begins = ["go", "stop", "skip"], self.book.turn.begins_with(car)
        named = one_of(known)

        def read(answer: JsonValue) -> Json:
            if what and answer == "stop":
                raise BadAnswer(f"Car {car.number} is off the track and cannot stop there; it comes back this turn.")
            return named(answer) if begins is None or answer in known else begins.read(answer)

        offered = [*begins.options(), *map(Option, known[1:])] if begins is not None else [*map(Option, known)]
        left = max(0, car.fuel - self.race.round) if not car.stops else None
        fields = {**((begins and begins.fields) or {}), "fuel": car.fuel, "left": left}
        return CardQuestion("declare", car.number, article, read, offered, what=what, **fields)

    def skip(self, car: SectionCar) -> Proc[None]:
        """A skipped turn: a new strategy, no card, no movement, and the no-move marker until the next turn
        [turn.skip, ruling 12, ruling 28]."""
        self.rule("skip", "turn.skip", car)
        yield from self.book.strategies.choose_strategy(car)
        car.still, car.line = True, -1

    def stop(self, car: SectionCar) -> Proc[None]:
        """A pit stop: the chart is filled again, a new strategy chosen, and the car goes back by the track's figure,
        last in line there; the driver still has his turn when that section comes up
        [pit.stop, pit.still-plays, tokens.tyres, ruling 32]."""
        self.rule("stop", "pit.stop", car, fuel=car.fuel)
        if not car.bot:
            yield from self.book.chart.refill(car)
            yield from self.book.strategies.choose_strategy(car)
        car.stops += 1
        self.book.order.advance(car, -self.track.pit)
        self.race.stopped.append(car.number)
        self.rule("pitted", "pit.still-plays", car, sections=self.track.pit, at=car.at, lap=car.lap)

    def remind_of_fuel(self) -> None:
        """A driver who has not stopped is reminded on the turn on which he has to, which is the marked one or, off the
        track then, the first in which he can, and on the one before; not if the race is over by then
        [pit.deadline, pit.cards, fuel.deadlines, ruling 14]."""
        race = self.race
        for car in race.cars:
            due = max(car.fuel, race.round + (car.status == "off"))
            if not car.bot and car.alive and not car.stops and due <= min(race.round + 1, race.laps):
                self.rule("fuel", "pit.deadline", car, fuel=car.fuel, now=due == race.round)
