"""The race of cards and sections: every turn each driver, from the leader on, draws, plays, pays and moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import msgspec

from companion.rules.conversation.asking import Json, Moot, Option, Proc, ask
from companion.rules.conversation.errors import BadAnswer
from companion.rules.ninety.cards import CHECKS, card, cards_named, go_together
from companion.rules.ninety.circuit import TURNS, section_name
from companion.rules.ninety.hand import CardQuestion
from companion.rules.ninety.position import SectionPosition
from companion.rules.ninety.state import SectionCar, SectionFigures


class Ninety(SectionPosition):
    """The rulebook `ninety`."""

    laps: ClassVar[int] = 20
    """Turns of a race where neither the setup nor the circuit says."""
    race_ranges: ClassVar[Mapping[str, tuple[int, int]]] = {"laps": TURNS}
    """What the numbers of a race may be, in a setup."""

    def step(self) -> Proc[None] | None:
        """The next piece of the procedure; None when the race is over."""
        race = self.race
        self._holds = lambda: True
        if race.phase == "setup":
            return self.prepare()
        if race.phase == "over":
            return None
        if not self.waiting():
            return self.end_of_turn()
        what, number = self.comes_up()
        return self.contest(number) if what == "contest" else self.turn(self.car(number))

    def to_play(self) -> list[int]:
        """The numbers of the cars that have not had their turn yet, in the order of activation as it stands."""
        return [car.number for car in self.waiting()]

    def state(self) -> dict[str, Json]:
        """The position as a setup that goes on exactly from here; whole only between two turns."""
        race, usual = self.race, SectionFigures()
        values: dict[str, Json] = msgspec.to_builtins(race)
        for inner in ("played", "phase"):
            values.pop(inner, None)
        for car, said in zip(race.cars, values["cars"], strict=True):
            for name in car.said_otherwise:
                said.pop(name, None)
            if car.point is not None:
                said["point"] = car.point
            if race.phase != "setup":
                said["at"] = section_name(car.section)
        if race.contested:
            values["contested"] = [[number, section_name(section)] for number, section in race.contested]
        if race.phase == "setup":
            values["phase"] = race.phase
        else:
            values["to_play"] = self.to_play()
        changed = {x.name: x.value for x in self.figures if x.value != getattr(usual, x.name)}
        if changed:
            values["options"] = msgspec.to_builtins(changed)
        return {"rulebook": self.name, "track": self.track.key, **values}

    # -- one driver's turn

    def turn(self, car: SectionCar) -> Proc[None]:
        """A driver's turn, once his section is activated: declarations, drawing, cards, symbols, movement, and what he
        does at its end; after a stop the rest waits until his new section comes up. The no-move marker comes off
        [turn.phases, turn.activate, turn.order, turn.skip, pit.still-plays, overtake.off-track]."""
        status = car.status
        plays = self._holds = lambda: car.status == status
        first = car.number not in self.race.stopped
        car.still = False
        if car.bot and status == "off":
            self.back_on_track(car)
        elif car.bot:
            if first and self.bot_stops(car):
                yield from self.stop(car)
                return
            yield from self.bot_turn(car)
        else:
            said = "back" if status == "off" else "go"
            if first:  # nothing has been said yet: whoever comes up by the places as they are set now is asked
                self._holds = lambda: plays() and self.comes_up() == ("turn", car.number)
                said = yield from ask(self.declare_question, car)
                self._holds = plays
            if said == "stop":
                yield from self.stop(car)
                return
            if said == "skip":
                yield from self.skip(car)
            elif said == "back":
                self.back_on_track(car)
            else:
                yield from self.play_on(car)
        self.race.played.append(car.number)

    def play_on(self, car: SectionCar) -> Proc[None]:
        """Draw, play, resolve the symbols, move, and end the turn [turn.phases]."""
        chased = self.chased(car)
        yield from self.dare(car)
        if not car.alive:
            return
        yield from self.draw_for_turn(car)
        played = yield from self.play_cards(car)
        if not played:
            return
        points = self.points(car, played, chased=chased)
        yield from self.resolve(car, played)
        if car.alive:
            yield from self.drive(car, points, played)
            yield from self.late_braking(car, played)
            yield from self.choose_line(car)

    def draw_for_turn(self, car: SectionCar) -> Proc[None]:
        """One card is drawn; with Lucky two, of which one is kept [draw.card, strategy.lucky, ruling 21]."""
        if car.strategy != "lucky":
            self.draw(car)
            self.rule("draws", "draw.card", car, {"cards": 1}, count=1)
            return
        if self.dealt:
            drawn = [self.next_card(), self.next_card()]
            kept = yield from ask(self.keep_question, car, drawn)
            drawn.remove(kept)
            self.lay_down(drawn)
            car.hand.append(kept)
        car.wear["cards"] += 1
        self.rule("draws", "strategy.lucky", car, {"cards": 1}, count=2)

    def keep_question(self, car: SectionCar, drawn: list[str]) -> CardQuestion[str]:
        """Which of the two cards drawn is kept [strategy.lucky]."""

        def read(answer: Json) -> str:
            if answer not in drawn:
                raise BadAnswer(f"Of the cards drawn one is kept: {' or '.join(drawn)}.")
            return str(answer)

        offered = [Option(code) for code in dict.fromkeys(drawn)]
        return CardQuestion("keep", car.number, "strategy.lucky", read, offered)

    def play_cards(self, car: SectionCar) -> Proc[list[str]]:
        """One card, or two of which one is a 1 or both are 2, leave the hand [play.cards, cards.race, ruling 18]."""
        try:
            played = yield from ask(self.play_question, car)
        except Moot:
            self.rule("no_card", "play.cards", car)
            return []
        self.spend(car, played)
        self.rule("plays", "play.cards", car, {"cards": -len(played)}, cards=list(played))
        return played

    def play_question(self, car: SectionCar) -> CardQuestion[list[str]] | None:
        """What is played for movement; a hand of frozen cards plays nothing [play.cards, contest.frozen]."""
        if not self.loose(car):
            return None
        offered = []
        for codes in self.pairs(car):
            if go_together(codes):
                due = self.tyres_due(car, codes)
                facts: dict[str, Json] = {"value": sum(card(code).value for code in codes)}
                if not self.can_pay(car, due):
                    facts["out"] = "unpaid"
                elif sum(card(code).count("RB") for code in codes) > car.wear["damage"]:
                    facts["out"] = "breakdown"
                offered.append(Option(codes, {"tyres": -due} if due else {}, facts))
        return CardQuestion(
            "play", car.number, "play.cards", lambda said: self.playable(car, said), offered,
            count=(1, 2), typed=not self.dealt,
        )  # fmt: skip

    def playable(self, car: SectionCar, answer: Json) -> list[str]:
        """The cards played for movement, as they were written; raises BadAnswer [play.cards, ruling 18]."""
        codes = cards_named(answer)
        if not go_together(codes):
            raise BadAnswer("One card is played, or two of which one is a 1 or both are 2; these do not go together.")
        return self.from_hand(car, codes)

    def points(self, car: SectionCar, played: list[str], *, chased: bool) -> int:
        """The movement points: the cards, the trajectory, Hazard and Chase [move.points, track.trajectories]."""
        shown = [card(code) for code in played]
        points = sum(one.value for one in shown) + self.line_bonus(car, [one.type for one in shown])
        points += self.hazard(car, shown)
        if chased:
            self.rule("bonus", "strategy.chase", car, what="chase", points=1)
        return points + chased

    def resolve(self, car: SectionCar, played: list[str]) -> Proc[None]:
        """The symbols: pay, then check, then draw; events of weather and flags do nothing
        [symbols.order, symbols.pay, symbols.check, symbols.draw, symbols.ignored, ruling 23, ruling 26]."""
        shown = [card(code) for code in played]
        yield from self.pay(car, played)
        symbols = [symbol for one in shown for symbol in one.symbols if symbol in CHECKS]
        for number, symbol in enumerate(symbols, 1):
            if car.alive:
                yield from self.check(car, symbol, f"symbol_{number}", "symbols.check", played)
        self.lay_down(played)
        drawn = sum(one.count("N") for one in shown)
        if drawn and car.alive:
            self.draw(car, drawn)
            self.rule("draws", "symbols.draw", car, {"cards": drawn}, count=drawn)

    # -- the end

    def end_of_turn(self) -> Proc[None]:
        """When everybody has had his turn the next one begins; after the last the positions are the result
        [end.turns, track.map, ruling 48]."""
        yield from ()
        race = self.race
        if race.round < race.laps and self.running():
            self.next_turn()
            return
        running = self.running()
        for place, car in enumerate(running, 1):
            car.status, car.line = "finished", -1
            self.rule("finish", "end.turns", car, place=place, points=self.points_for(place))
        race.phase = "over"

    def points_for(self, place: int) -> int:
        """The points of a place: ten, six, four, three, two, one [end.points, ruling 49]."""
        return self.figures.points[place - 1] if place <= len(self.figures.points) else 0

    def result(self) -> list[dict[str, Json]]:
        """The classification; retired cars come behind without place or points, the later first
        [end.turns, end.points, ruling 48, ruling 49]."""
        rows: list[dict[str, Json]] = []
        for place, number in enumerate(self.running_order(), 1):
            car = self.car(number)
            out = car.status == "out"
            rows.append(
                {
                    "place": None if out else place,
                    "car": number,
                    "laps": max(car.lap, 0),
                    "status": car.status,
                    "points": 0 if out else self.points_for(place),
                    **({"cause": car.cause} if out else {}),
                }
            )
        return rows
