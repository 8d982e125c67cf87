"""A driver's turn in the race of sections: he draws, plays, pays and moves."""

from __future__ import annotations

import msgspec

from companion.rules.conversation.asking import Json, JsonValue, Moot, Option, Proc, ask
from companion.rules.conversation.errors import BadAnswer
from companion.rules.ninety.cards import CHECKS, card, cards_named, go_together
from companion.rules.ninety.chapter import SectionChapter
from companion.rules.ninety.hand import CardQuestion
from companion.rules.ninety.state import SectionCar


class SectionTurn(SectionChapter):
    """One driver's turn, from his section's activation to its end."""

    def turn(self, car: SectionCar) -> Proc[None]:
        """A driver's turn, once his section is activated: declarations, drawing, cards, symbols, movement, and what he
        does at its end; after a stop the rest waits until his new section comes up. Once he has declared, the no-move
        marker comes off [turn.phases, turn.activate, turn.order, turn.skip, pit.still-plays, overtake.off-track]."""
        status = car.status
        plays = self.book.holds = lambda: car.status == status
        first = car.number not in self.race.stopped
        said: Json = "back" if status == "off" else "go"
        if car.bot:
            said = "stop" if first and self.book.bots.bot_stops(car) else said
        elif first:  # nothing has been said yet: whoever comes up by the places as they are set now is asked
            self.book.holds = lambda: plays() and self.book.contests.comes_up() == ("turn", car.number)
            said = yield from ask(self.book.pits.declare_question, car)
            self.book.holds = plays
        car.still = False
        if said == "stop":
            yield from self.book.pits.stop(car)
            return
        if said == "skip":
            yield from self.book.pits.skip(car)
        elif said == "back":
            self.book.trajectories.back_on_track(car)
        elif car.bot:
            yield from self.book.bots.bot_turn(car)
        else:
            yield from self.play_on(car, said)
        self.race.played.append(car.number)

    def begins_with(self, car: SectionCar) -> CardQuestion[bool] | CardQuestion[list[str]] | None:
        """What a driver who goes is asked first: about the extreme trajectory on which he stands, or what he plays once
        he has drawn. Not so with a deck of the program: it would show what he draws before he goes
        [turn.phases, draw.card, play.cards, end.trajectory]."""
        dares = self.book.trajectories.extreme_question(car)
        if dares is not None or self.book.hand.dealt:
            return dares
        drawn = msgspec.structs.replace(car, wear={**car.wear, "cards": car.wear["cards"] + 1})
        return self.play_question(drawn)

    def play_on(self, car: SectionCar, begun: Json) -> Proc[None]:
        """Draw, play, resolve the symbols, move, and end the turn; what it was `begun` with is not asked again
        [turn.phases]."""
        chased = self.book.strategies.chased(car)
        yield from self.book.trajectories.dare(car, begun)
        if not car.alive:
            return
        yield from self.draw_for_turn(car)
        played = yield from self.play_cards(car, begun)
        if not played:
            return
        points = self.points(car, played, chased=chased)
        yield from self.resolve(car, played)
        if car.alive:
            if (yield from self.book.moving.drive(car, points, played)):
                yield from self.book.trajectories.late_braking(car, played)
            yield from self.book.trajectories.choose_line(car)

    def draw_for_turn(self, car: SectionCar) -> Proc[None]:
        """One card is drawn; with Lucky two, of which one is kept [draw.card, strategy.lucky, ruling 21]."""
        if car.strategy != "lucky":
            self.book.hand.draw(car)
            self.rule("draws", "draw.card", car, {"cards": 1}, count=1)
            return
        if self.book.hand.dealt:
            drawn = [self.book.hand.next_card(), self.book.hand.next_card()]
            self.book.undoes = lambda: self.book.hand.lay_down(drawn)
            kept = yield from ask(self.keep_question, car, drawn)
            drawn.remove(kept)
            self.lay_down(drawn)
            car.hand.append(kept)
        car.wear["cards"] += 1
        self.rule("draws", "strategy.lucky", car, {"cards": 1}, count=2)

    def lay_down(self, codes: list[str]) -> None:
        """Cards that a driver had before him go where cards go; until then they do where his turn is given up
        [cards.race]."""
        self.book.hand.lay_down(codes)
        self.book.undoes = lambda: None

    def keep_question(self, car: SectionCar, drawn: list[str]) -> CardQuestion[str]:
        """Which of the two cards drawn is kept [strategy.lucky]."""

        def read(answer: JsonValue) -> str:
            if answer not in drawn:
                raise BadAnswer(f"Of the cards drawn one is kept: {' or '.join(drawn)}.")
            return str(answer)

        offered = [Option(code) for code in dict.fromkeys(drawn)]
        return CardQuestion("keep", car.number, "strategy.lucky", read, offered)

    def play_cards(self, car: SectionCar, begun: Json) -> Proc[list[str]]:
        """One card, or two of which one is a 1 or both are 2, leave the hand: those that the turn was `begun` with, or
        else they are asked for [play.cards, cards.race, ruling 18]."""
        try:
            played = begun if isinstance(begun, list) else (yield from ask(self.play_question, car))
        except Moot:
            self.rule("no_card", "play.cards", car)
            return []
        self.book.hand.spend(car, played)
        self.book.undoes = lambda: self.book.hand.lay_down(played)
        self.rule("plays", "play.cards", car, {"cards": -len(played)}, cards=list(played))
        return played

    def play_question(self, car: SectionCar) -> CardQuestion[list[str]] | None:
        """What is played for movement; a hand of frozen cards plays nothing [play.cards, contest.frozen]."""
        if not self.book.hand.loose(car):
            return None
        offered = []
        for codes in self.book.hand.pairs(car):
            if go_together(codes):
                due = self.book.chart.tyres_due(car, codes)
                facts: dict[str, Json] = {"value": sum(card(code).value for code in codes)}
                if not self.book.chart.can_pay(car, due, len(codes)):
                    facts["out"] = "unpaid"
                elif sum(card(code).count("RB") for code in codes) > car.wear["damage"]:
                    facts["out"] = "breakdown"
                offered.append(Option(codes, {"tyres": -due} if due else {}, facts))
        return CardQuestion(
            "play", car.number, "play.cards", lambda said: self.playable(car, said), offered,
            count=(1, 2), typed=not self.book.hand.dealt,
        )  # fmt: skip

    def playable(self, car: SectionCar, answer: JsonValue) -> list[str]:
        """The cards played for movement, as they were written; raises BadAnswer [play.cards, ruling 18]."""
        codes = cards_named(answer)
        if not go_together(codes):
            raise BadAnswer("One card is played, or two of which one is a 1 or both are 2; these do not go together.")
        return self.book.hand.from_hand(car, codes)

    def points(self, car: SectionCar, played: list[str], *, chased: bool) -> int:
        """The movement points: the cards, the trajectory, Hazard and Chase [move.points, track.trajectories]."""
        shown = [card(code) for code in played]
        points = sum(one.value for one in shown) + self.book.trajectories.line_bonus(car, [one.type for one in shown])
        points += self.book.strategies.hazard(car, shown)
        if chased:
            self.rule("bonus", "strategy.chase", car, what="chase", points=1)
        return points + chased

    def resolve(self, car: SectionCar, played: list[str]) -> Proc[None]:
        """The symbols: pay, then check, then draw; events of weather and flags do nothing
        [symbols.order, symbols.pay, symbols.check, symbols.draw, symbols.ignored, ruling 23, ruling 26]."""
        shown = [card(code) for code in played]
        yield from self.book.chart.pay(car, played)
        symbols = [symbol for one in shown for symbol in one.symbols if symbol in CHECKS]
        for number, symbol in enumerate(symbols, 1):
            if car.alive:
                yield from self.book.checks.check(car, symbol, f"symbol_{number}", "symbols.check", played)
        self.lay_down(played)
        drawn = sum(one.count("N") for one in shown)
        if drawn and car.alive:
            self.book.hand.draw(car, drawn)
            self.rule("draws", "symbols.draw", car, {"cards": drawn}, count=drawn)
