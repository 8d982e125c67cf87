"""A driver's turn in the race of sections: he draws, plays, pays and moves; and what ends the turn for all.

From top to bottom: the turn, the line of the cars, stops, strategies, overtaking, corner contests, late braking and
the ideal line, bots, the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Protocol

import msgspec

from companion.rules.conversation.asking import Json, JsonValue, Option, Procedure, QuestionWithdrawn, ask
from companion.rules.conversation.errors import BadAnswer
from companion.rules.ninety.cards import CHECKS, RaceCard, card, cards_named, go_together
from companion.rules.ninety.circuit import Sign, Trajectory, section_name
from companion.rules.ninety.figures import SectionFigures
from companion.rules.ninety.hand import CardQuestion, HandBook, one_of
from companion.rules.ninety.state import STRATEGIES, SectionCar, SectionChapter, Strategy


class NextTurn(Protocol):
    """The beginning of a turn for all."""

    def next_turn(self) -> None: ...


class SectionTurnBook(HandBook, Protocol):
    """The book as a driver's turn sees it."""

    order: LineUp
    turn: SectionTurn
    moving: Overtaking
    contests: CornerContest
    trajectories: Trajectories
    strategies: Strategies
    pits: PitWall
    bots: Bots
    finish: SectionFinish

    @property
    def preparing(self) -> NextTurn: ...


class SectionTurn(SectionChapter):
    """A driver's turn in the race of sections: he draws, plays, pays and moves."""

    book: SectionTurnBook

    def turn(self, car: SectionCar) -> Procedure[None]:
        """Play a driver's turn, once his section is activated.

        He declares, draws, plays cards, resolves symbols and moves; after a stop the rest waits until his new section
        comes up. Once he has declared, the no-move marker comes off [turn.phases, turn.activate, turn.order, turn.skip,
        pit.still-plays, overtake.off-track].
        """
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
        """Return the first question to a driver who goes.

        It is about the extreme trajectory on which he stands, or the cards he plays once he has drawn. With the
        program's deck only the former: the latter would show what he draws before he goes [turn.phases, draw.card,
        play.cards, end.trajectory].
        """
        dares = self.book.trajectories.extreme_question(car)
        if dares is not None or self.book.hand.dealt:
            return dares
        drawn = msgspec.structs.replace(car, wear={**car.wear, "cards": car.wear["cards"] + 1})
        return self.play_question(drawn)

    def play_on(self, car: SectionCar, begun: Json) -> Procedure[None]:
        """Draw, play, resolve the symbols, move, and end the turn [turn.phases].

        The question that it was `begun` with is not asked again.
        """
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

    def draw_for_turn(self, car: SectionCar) -> Procedure[None]:
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
        """Discard the cards that a driver had before him [cards.race].

        From then on nothing is left to discard if his turn is given up.
        """
        self.book.hand.lay_down(codes)
        self.book.undoes = lambda: None

    def keep_question(self, car: SectionCar, drawn: list[str]) -> CardQuestion[str]:
        """Ask which of the two cards drawn is kept [strategy.lucky]."""

        def read(answer: JsonValue) -> str:
            if answer not in drawn:
                raise BadAnswer("drawn_kept", cards=" or ".join(drawn))
            return str(answer)

        offered = [Option(code) for code in dict.fromkeys(drawn)]
        return CardQuestion("keep", car.number, "strategy.lucky", read, offered)

    def play_cards(self, car: SectionCar, begun: Json) -> Procedure[list[str]]:
        """Take the played cards out of the hand: one, or two of which one is a 1 or both are 2.

        They are those that the turn was `begun` with, or else they are asked for [play.cards, cards.race, ruling 18].
        """
        try:
            played = begun if isinstance(begun, list) else (yield from ask(self.play_question, car))
        except QuestionWithdrawn:
            self.rule("no_card", "play.cards", car)
            return []
        self.book.hand.spend(car, played)
        self.book.undoes = lambda: self.book.hand.lay_down(played)
        self.rule("plays", "play.cards", car, {"cards": -len(played)}, cards=list(played))
        return played

    def play_question(self, car: SectionCar) -> CardQuestion[list[str]] | None:
        """Ask what is played for movement; None for a hand of frozen cards, which plays nothing.

        [play.cards, contest.frozen]
        """
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
        """Read the cards played for movement, as they were written; raise BadAnswer.

        [play.cards, ruling 18]
        """
        codes = cards_named(answer)
        if not go_together(codes):
            raise BadAnswer("cards_together")
        return self.book.hand.from_hand(car, codes)

    def points(self, car: SectionCar, played: list[str], *, chased: bool) -> int:
        """Return the movement points: cards, trajectory, Hazard and Chase.

        [move.points, track.trajectories]
        """
        shown = [card(code) for code in played]
        points = sum(one.value for one in shown) + self.book.trajectories.line_bonus(car, [one.type for one in shown])
        points += self.book.strategies.hazard(car, shown)
        if chased:
            self.rule("bonus", "strategy.chase", car, what="chase", points=1)
        return points + chased

    def resolve(self, car: SectionCar, played: list[str]) -> Procedure[None]:
        """Resolve the symbols: pay, then check, then draw; events of weather and flags do nothing.

        [symbols.order, symbols.pay, symbols.check, symbols.draw, symbols.ignored, ruling 23, ruling 26]
        """
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


class LineUp(SectionChapter):
    """The places of the cars: sections, the queue in each, the leader, and the order of play."""

    book: SectionTurnBook

    def arrive(self, car: SectionCar) -> None:
        """Put a car last in the queue of the section that it comes to."""
        self.race.turn += 1
        car.arrived = self.race.turn

    def progress(self, car: SectionCar) -> int:
        """Return the sections driven since the start, less those lost by stops; laps follow from it.

        [turn.lap, ruling 1]
        """
        return car.lap * len(self.track.sections) + car.section

    def queue(self, section: int) -> list[SectionCar]:
        """Return the cars in a section from the head of the line [end.late-braking, ruling 13].

        Cars off the track have no place in it.
        """
        there = (car for car in self.race.cars if car.status == "racing" and car.section == section)
        return sorted(there, key=lambda car: car.arrived)

    def ahead(self, car: SectionCar) -> SectionCar | None:
        """Return the car just ahead in the same section."""
        queue = self.queue(car.section)
        place = queue.index(car)
        return queue[place - 1] if place else None

    def running(self) -> list[SectionCar]:
        """Return the cars still in the race by position, the leader first [end.turns, ruling 48].

        Position is progress, then place in the section.
        """
        cars = (car for car in self.race.cars if car.status in ("racing", "off"))
        return sorted(cars, key=lambda car: (-self.progress(car), car.status == "off", car.arrived))

    @property
    def leader(self) -> SectionCar:
        """The car that leads the race."""
        return self.running()[0]

    def apart(self, car: SectionCar, other: SectionCar) -> int:
        """Return how many laps another car in the same section is ahead; below 0 if it is being lapped.

        [overtake.lapping, overtake.unlapping, ruling 8, ruling 33]
        """
        return (self.progress(other) - self.progress(car)) // len(self.track.sections)

    def behind(self, car: SectionCar, other: SectionCar) -> int:
        """By how many sections a car is behind another."""
        return self.progress(other) - self.progress(car)

    def advance(self, car: SectionCar, sections: int = 1) -> None:
        """Move a car on by this many sections (back if below 0), last in line there.

        Its lap comes from where it is, not from the turns [move.points, turn.lap, ruling 3].
        """
        count = len(self.track.sections)
        car.lap, car.section = divmod(self.progress(car) + sections, count)
        car.line = -1
        self.arrive(car)

    # -- whose turn it is

    def waiting(self) -> list[SectionCar]:
        """Return the cars that have not had a turn yet, in the order of activation as it stands.

        It runs from the leader backwards around the track, in each section from the head of the line [turn.order,
        ruling 2].
        """
        running, count = self.running(), len(self.track.sections)

        def behind(car: SectionCar) -> tuple[int, bool, int]:
            first = running[0]
            back = (first.section - car.section) % count
            if not back and (car.status == "off", car.arrived) < (first.status == "off", first.arrived):
                back = count  # ahead of the leader in his own section: the whole way round
            return back, car.status == "off", car.arrived

        return sorted((car for car in running if car.number not in self.race.played), key=behind)

    def running_order(self) -> list[int]:
        """Return the running order, then the retired cars, the later first [end.turns, ruling 48]."""
        if self.race.phase == "setup":
            return [car.number for car in self.race.cars]
        placed = [car for car in self.race.cars if car.status == "finished"]
        placed.sort(key=lambda car: (-self.progress(car), car.arrived))
        return [*(car.number for car in placed or self.running()), *reversed(self.race.gone)]


class PitWall(SectionChapter):
    """The beginning of a turn: driving on, skipping it, or a pit stop, which the fuel makes due."""

    book: SectionTurnBook

    def must_stop(self, car: SectionCar) -> bool:
        """Return True if the marked turn has come without a stop.

        A driver who is off the track then stops as soon as he can. One stop is compulsory, more are allowed
        [pit.deadline, pit.once, ruling 14, ruling 35].
        """
        return not car.stops and self.race.round >= car.fuel

    def declare_question(self, car: SectionCar) -> CardQuestion[Json]:
        """Ask whether a driver goes, stops, or skips the turn.

        On the marked turn there is only the stop; off the track only the way back to it. A driver who goes says so by
        what his turn begins with, unless that is a card of the program's deck, which he has not seen [turn.phases,
        turn.skip, pit.stop, pit.cards, pit.deadline, overtake.off-track, ruling 13, ruling 32, ruling 35].
        """
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
                raise BadAnswer("off_track", car=car.number)
            return named(answer) if begins is None or answer in known else begins.read(answer)

        offered = [*begins.options(), *map(Option, known[1:])] if begins is not None else [*map(Option, known)]
        left = max(0, car.fuel - self.race.round) if not car.stops else None
        fields = {**((begins and begins.fields) or {}), "fuel": car.fuel, "left": left}
        return CardQuestion("declare", car.number, article, read, offered, what=what, **fields)

    def skip(self, car: SectionCar) -> Procedure[None]:
        """Skip a turn: a new strategy, no card, no movement, and the no-move marker.

        The marker stays until the next turn [turn.skip, ruling 12, ruling 28].
        """
        self.rule("skip", "turn.skip", car)
        yield from self.book.strategies.choose_strategy(car)
        car.still, car.line = True, -1

    def stop(self, car: SectionCar) -> Procedure[None]:
        """Make a pit stop: refill the chart, choose a new strategy, and go back by the track's figure.

        The car is last in line there, and the driver still has his turn when that section comes up [pit.stop,
        pit.still-plays, tokens.tyres, ruling 32].
        """
        self.rule("stop", "pit.stop", car, fuel=car.fuel)
        if not car.bot:
            yield from self.book.chart.refill(car)
            yield from self.book.strategies.choose_strategy(car)
        car.stops += 1
        self.book.order.advance(car, -self.track.pit)
        self.race.stopped.append(car.number)
        self.rule("pitted", "pit.still-plays", car, sections=self.track.pit, at=car.at, lap=car.lap)

    def remind_of_fuel(self) -> None:
        """Remind each driver who has not stopped, on the turn on which he has to and on the one before.

        That is the marked turn or, off the track then, the first in which he can stop; there is no reminder if the race
        is over by then [pit.deadline, pit.cards, fuel.deadlines, ruling 14].
        """
        race = self.race
        for car in race.cars:
            due = max(car.fuel, race.round + (car.status == "off"))
            if not car.bot and car.alive and not car.stops and due <= min(race.round + 1, race.laps):
                self.rule("fuel", "pit.deadline", car, fuel=car.fuel, now=due == race.round)


class Strategies(SectionChapter):
    """Strategies: how they are chosen, and the points that they bring."""

    book: SectionTurnBook

    def choose_strategy(self, car: SectionCar) -> Procedure[None]:
        """Ask for a strategy before the race, at a stop, or for a turn that a driver skips.

        [strategy.choose]
        """
        car.strategy = yield from ask(self.strategy_question, car)
        self.rule("strategy", "strategy.choose", car, strategy=car.strategy)

    def choices(self) -> list[Strategy]:
        """Return the strategies of this race: five, and Chase if the table plays it [strategy.chase, ruling 22]."""
        return [name for name in STRATEGIES if name != "chase" or self.figures.chase]

    def strategy_question(self, car: SectionCar) -> CardQuestion[Strategy]:
        """One of five, and Chase where the table plays with it [strategy.choose, strategy.chase, ruling 22]."""
        known = self.choices()
        return CardQuestion(
            "strategy", car.number, "strategy.choose", one_of(known),
            [Option(name) for name in known],
        )  # fmt: skip

    def hazard(self, car: SectionCar, played: list[RaceCard]) -> int:
        """Return the points of Hazard: one for each damage and each check on the cards played.

        Whether the checks pass does not matter [strategy.hazard, ruling 20].
        """
        if car.strategy != "hazard":
            return 0
        points = sum(shown.count("RBC+-") for shown in played)
        if points:
            self.rule("bonus", "strategy.hazard", car, what="hazard", points=points)
        return points

    def chased(self, car: SectionCar) -> bool:
        """Return True if Chase applies: an unlapped car is ahead in the same section or in the next.

        [strategy.chase, ruling 22]
        """
        if car.strategy != "chase" or "chase" not in self.choices():
            return False
        queue = self.book.order.queue(car.section)
        near = [*queue[: queue.index(car)], *self.book.order.queue((car.section + 1) % len(self.track.sections))]
        return any(self.book.order.progress(other) >= self.book.order.progress(car) for other in near)


LAPPING = {"straight": 1, "braking": 1, "corner": 2}
"""Points for a car that is lapped or unlaps itself, by the kind of section [overtake.lapping, overtake.unlapping]."""


class Overtaking(SectionChapter):
    """Movement: one point a section, and what it costs to pass the cars that stand in the way."""

    book: SectionTurnBook

    @property
    def all_straight(self) -> bool:
        """True on the first and the last turn, when every section is a straight.

        There are no contests and no late braking then [overtake.first-last, ruling 11].
        """
        return self.race.round in (1, self.race.laps)

    def passing(self, car: SectionCar, other: SectionCar, *, begun: bool) -> tuple[int | None, str]:
        """Return the points that it costs to pass the car just ahead, None if it cannot, and the article.

        In the corner in which a turn has `begun` a car that has played already is no part of its contest, held or not,
        and is passed as a lapped one is; bots pass one another for nothing, and unlap themselves from no player
        [overtake.straight, overtake.braking, overtake.corner, overtake.no-move, bots.overtake, ruling 8, ruling 9,
        ruling 37, ruling 41].
        """
        kind, apart = self.section(car).kind, self.book.order.apart(car, other)
        if car.bot and other.bot:
            return 0, "bots.overtake"
        if car.bot and apart > 0:
            return None, "ruling 37"
        if self.all_straight:
            return self.freely(car, 1, "overtake.first-last")
        if other.still:
            return 1, "overtake.no-move"
        if kind == "straight":
            return 1, "overtake.straight"
        if apart < 0:
            return LAPPING[kind], "overtake.lapping"
        if apart > 0:
            return LAPPING[kind], "overtake.unlapping"
        if car.strategy == "banging":
            return LAPPING[kind], "overtake.banging"
        if begun and kind == "corner" and other.number in self.race.played:
            return LAPPING[kind], "ruling 41"
        return None, "overtake.braking" if kind == "braking" else "overtake.corner"

    def freely(self, car: SectionCar, price: int, article: str) -> tuple[int, str]:
        """Return the price, 0 for the first overtake of turn one with Banging Wheels, and the article.

        [strategy.banging-wheels, overtake.banging, ruling 15]
        """
        if car.strategy == "banging" and self.race.round == 1 and not car.freed:
            return 0, "strategy.banging-wheels"
        return price, article

    def drive(self, car: SectionCar, points: int, played: list[str], *, begun: bool = True) -> Procedure[bool]:
        """Drive a car its points, one section each; return True if it is free to go on by late braking.

        Cars ahead in its own section are passed one by one first; where it cannot pass, it stops behind them and the
        rest is lost, so that all points are used as far as overtaking allows. `begun` says that the turn began in its
        section, `played` are the cards on the table. A leader's check that fails stops late braking too [move.points,
        overtake.leader-check, ruling 3, ruling 4, ruling 5, ruling 6, ruling 7, ruling 10].
        """
        moved, left, free = 0, points, True
        while left > 0:
            other = self.book.order.ahead(car)
            if other is None:
                self.book.order.advance(car)
                moved, left = moved + 1, left - 1
                continue
            price, article = self.passing(car, other, begun=begun and not moved)
            if price is None or price > left:
                self.rule("held_up", article, car, other=other.number, at=car.at, points=left)
                break
            checked = other.lapped
            free = yield from self.leaders_check(car, other, played)
            if not free:
                break
            if other.lapped != checked:
                continue  # to what it costs by now: the referee's word may have come while the check was asked
            self.swap(car, other, price, article)
            left -= price
        if car.alive:
            self.rule("move", "move.points", car, moved=moved, points=points, at=car.at, lap=car.lap)
        return free

    def swap(self, car: SectionCar, other: SectionCar, price: int, article: str) -> None:
        """Move a car past the one just ahead [overtake.straight, overtake.lapping]."""
        car.arrived, other.arrived = other.arrived, car.arrived
        car.freed = car.freed or article == "strategy.banging-wheels"
        self.rule("overtakes", article, car, other=other.number, price=price, at=car.at)

    def leaders_check(self, car: SectionCar, other: SectionCar, played: list[str]) -> Procedure[bool]:
        """Make the leader's check, the first time that he laps a car; return True if he may pass.

        A card just played may be used too, and the check comes before the points for it; if it fails he has one damage,
        stops behind that car and tries again next turn. A leading bot makes none, nor does a leader who laps a car of
        his own team [overtake.leader-check, rulings 10, 27, 52].
        """
        if car.bot or other.lapped or self.book.order.leader is not car:
            return True
        if car.team and car.team == other.team:
            return True
        dealt = self.book.hand.dealt
        there = [code for code in played if not dealt or code in self.race.discards]  # but for a new shuffle
        before = len(there)
        other.lapped = yield from self.book.checks.check(car, "C", "leader", "overtake.leader-check", there)
        if len(there) < before:
            played.remove(car.check)
            if dealt:
                self.race.discards.remove(car.check)
        return other.lapped


class CornerContest(SectionChapter):
    """Corner contests: who stands in a corner that comes up may fight for the order with cards."""

    book: SectionTurnBook

    def contestants(self, section: int) -> list[SectionCar]:
        """Return the cars that may contest a corner that comes up: those in it, from the head of the line.

        They have not had their turn, and each contests a corner once a turn. Bots do not contest among themselves; a
        lapped bot stays out, and a car beside lapped bots alone has no contest [contest.start, contest.order,
        contest.frozen, overtake.first-last, turn.activate, rulings 11, 40].
        """
        if self.track.sections[section].kind != "corner" or self.book.moving.all_straight:
            return []
        race = self.race
        done = {*race.played, *(number for number, where in race.contested if where == section)}
        there = [car for car in self.book.order.queue(section) if car.number not in done]
        able = [car for car in there if not self.lapped_bot(car)]
        return there if len(able) > 1 and not all(car.bot for car in able) else []

    def lapped_bot(self, car: SectionCar) -> bool:
        """Return True if a car is a bot that has been lapped, which never fights.

        [bots.contests, ruling 44]
        """
        order = self.book.order
        return bool(car.bot) and order.progress(order.leader) - order.progress(car) >= len(self.track.sections)

    def comes_up(self) -> tuple[str, int]:
        """Return what comes up next: the contest of a section, or a car's turn.

        Of those still to play it is the first by the places as they are now [turn.order, turn.activate, contest.start].
        """
        first = self.book.order.waiting()[0]
        if first.status == "racing" and self.contestants(first.section):
            return "contest", first.section
        return "turn", first.number

    def contest(self, section: int) -> Procedure[None]:
        """Play the contest of a corner: ask who takes part, from last to first, then reorder by the cards.

        [contest.choose, contest.order, contest.frozen, ruling 43, ruling 44]
        """
        there = self.contestants(section)
        numbers = [car.number for car in there]
        takers: list[SectionCar] = []
        totals: dict[int, int] = {}

        def holds() -> bool:
            able = all(car.bot or car.number in totals or self.book.hand.loose(car) for car in takers)
            return able and [car.number for car in self.contestants(section)] == numbers

        asked: list[SectionCar] = []
        self.book.holds = lambda: holds() and (bool(asked) or self.comes_up() == ("contest", section))
        frozen = {car.number: Counter(car.frozen) for car in there}
        self.book.undoes = lambda: self.thaw(frozen)
        self.rule("contest", "contest.start", None, at=section_name(section), cars=numbers)
        for car in reversed(there):
            if (yield from self.takes_part(car, there, takers)):
                takers.append(car)
            if not car.bot:
                asked.append(car)
        for car in takers:
            values = yield from self.contest_cards(car)
            totals[car.number] = self.total(car, values)
        first = [car for car in there if car in takers]
        first.sort(key=lambda car: -totals[car.number])  # level ones keep their order
        order = [*first, *(car for car in there if car not in takers)]
        for car, arrived in zip(order, sorted(car.arrived for car in there), strict=True):
            car.arrived = arrived
        self.race.contested += [[number, section] for number in numbers]
        if first:
            places = [car.number for car in order]
            self.rule("contested", "contest.order", None, at=section_name(section), order=places)
        for car in first:
            if list(totals.values()).count(totals[car.number]) > 1:
                self.book.chart.hurt(car, 1, "contest.order")

    def thaw(self, frozen: Mapping[int, Counter[str]]) -> None:
        """Free the cards shown in a contest that begins again [contest.frozen, contest.choose].

        Those that were `frozen` before it, in another corner, stay so.
        """
        for number, before in frozen.items():
            car = self.car(number)
            car.frozen = list((before & Counter(car.frozen)).elements())

    def takes_part(self, car: SectionCar, there: list[SectionCar], takers: list[SectionCar]) -> Procedure[bool]:
        """Ask a player whether he takes part; a bot always fights unless it was lapped.

        [contest.choose, bots.contests]
        """
        if car.bot:
            return not self.lapped_bot(car)
        with suppress(QuestionWithdrawn):
            return (yield from ask(self.contest_question, car, there, takers))
        return False

    def contest_question(
        self, car: SectionCar, there: list[SectionCar], takers: list[SectionCar]
    ) -> CardQuestion[bool] | None:
        """Ask whether a driver takes part; his cards he chooses in secret.

        If he does, he may come first, or behind all who take part, those ahead of him who may still choose so among
        them, and level with one of them he has damage; if he stays out, he is behind those who have chosen to take
        part. The bonus shown is the one he would have himself, none for the head of the line. A hand without a card
        that it may show stays out [contest.choose, contest.order, contest.bonus, ruling 43, ruling 45].
        """
        if not self.book.hand.loose(car):
            return None
        ahead = there[: there.index(car)]
        others = len(takers) + sum(
            not self.lapped_bot(one) if one.bot else self.book.hand.loose(one) > 0 for one in ahead
        )
        risk: dict[str, Json] = {"worst": others + 1, "of": len(there)} | ({"level": 1} if others else {})
        stays: dict[str, Json] = {"place": len(ahead) + 1 + len(takers), "of": len(there)}
        offered = [Option(True, facts=risk), Option(False, facts=stays)]
        return CardQuestion(
            "contest", car.number, "contest.choose", one_of([True, False]), offered, bonus=self.bonus(car)
        )

    def contest_cards(self, car: SectionCar) -> Procedure[list[int]]:
        """Return the values of one card or two, entered once they are shown, and freeze them for this turn.

        A bot's two come from the deck [contest.choose, contest.frozen, bots.contests, ruling 45].
        """
        if car.bot:
            codes = []
            for number in (1, 2):
                codes.append((yield from self.book.hand.turned(car, "bots.contests", f"contest_{number}", by="value")))
            self.book.hand.lay_down(codes)
        else:
            codes = yield from ask(self.contest_cards_question, car)
            car.hand += (Counter(codes) - Counter(self.book.hand.known_cards(car))).elements()
            car.frozen = [*car.frozen, *codes]
            self.book.hand.keep_count(car)
        return [card(code).value for code in codes]

    def contest_cards_question(self, car: SectionCar) -> CardQuestion[list[str]]:
        """Ask which cards a driver shows, one or any two [contest.choose, ruling 18]."""
        pairs = self.book.hand.pairs(car)
        offered = [Option(codes, {}, {"total": sum(card(code).value for code in codes)}) for codes in pairs]
        return CardQuestion(
            "show", car.number, "contest.choose", lambda said: self.book.hand.cards_shown(car, said), offered,
            count=(1, 2), typed=not self.book.hand.dealt,
        )  # fmt: skip

    def bonus(self, car: SectionCar) -> int:
        """Return the corner's bonus, which all but the head of its line have [contest.bonus, ruling 42]."""
        return self.section(car).bonus if self.book.order.ahead(car) is not None else 0

    def total(self, car: SectionCar, values: list[int]) -> int:
        """Return the cards with the corner's bonus and that of Banging Wheels.

        [contest.bonus, strategy.banging-wheels, ruling 15, ruling 42]
        """
        bonus = self.bonus(car)
        banging = self.figures.banging_bonus if car.strategy == "banging" else 0
        total = sum(values) + bonus + banging
        self.rule("fights", "contest.bonus", car, cards=sum(values), bonus=bonus, banging=banging, total=total)
        return total


class Trajectories(SectionChapter):
    """The end of a turn: late braking, and the points of the ideal line."""

    book: SectionTurnBook

    # -- signs

    def target_of(self, car: SectionCar, sign: Sign) -> int:
        """Return the highest factor that passes a sign [track.late-braking, ruling 53].

        It is the sign's value, or the driver's own check card and what the sign adds to it.
        """
        return card(car.check).factor + sign.value if sign.own else sign.value

    def against(
        self, car: SectionCar, signed: Callable[[SectionCar], Sign | None], article: str, what: str
    ) -> Procedure[tuple[str, int, bool]]:
        """Turn a card over against the sign where the car stands; return it, its target, and if it passed.

        Against the driver's own check card it takes that card's place, as in every check. Raises QuestionWithdrawn if
        there is no sign any more [end.late-braking, ruling 53].
        """

        def there() -> Sign:
            if (sign := signed(car)) is None:
                raise QuestionWithdrawn(what)
            return sign

        drawn = yield from self.book.hand.turned(car, article, what, lambda: self.target_of(car, there()))
        sign = there()
        target = self.target_of(car, sign)
        self.book.hand.lay_down([car.check if sign.own else drawn])
        if sign.own:
            car.check = drawn
        return drawn, target, card(drawn).factor <= target

    # -- late braking

    def late_sign(self, car: SectionCar) -> Sign | None:
        """Return the sign of late braking where a car stands [track.late-braking]."""
        return self.section(car).late

    def late_braking(self, car: SectionCar, played: list[str]) -> Procedure[None]:
        """Offer late braking where the section has a sign, and move the car by its result.

        A card from the deck that meets the sign takes the car past all in its section to the last place of the next; a
        higher one puts it off the track, without damage. Cars that it laps are lapped: the leader's check is made for
        each, and if it fails he stops behind that car [end.late-braking, end.no-damage, overtake.lapping-late,
        overtake.first-last, track.late-braking, ruling 11, ruling 16].
        """
        if self.book.moving.all_straight:
            return
        try:
            if not (yield from ask(self.late_question, car)):
                return
            drawn, late, passed = yield from self.against(car, self.late_sign, "end.late-braking", "late")
        except QuestionWithdrawn:
            return
        self.rule("late", "end.late-braking", car, card=drawn, late=late, passed=passed)
        if not passed:
            car.status, car.line = "off", -1
            self.rule("off", "end.no-damage", car, at=car.at)
            return
        if not (yield from self.past_all(car, played)):
            return
        self.book.order.advance(car)
        self.rule("move", "end.late-braking", car, moved=1, points=1, at=car.at, lap=car.lap)
        if car.strategy == "hazard":
            self.rule("bonus", "strategy.hazard", car, what="hazard", points=1)
            yield from self.book.moving.drive(car, 1, played, begun=False)

    def past_all(self, car: SectionCar, played: list[str]) -> Procedure[bool]:
        """Move a car past every car ahead in the section for nothing; return False if a check stops it.

        Those that it laps are noted; it stays behind one that the leader's check does not let it lap
        [overtake.lapping-late, overtake.leader-check, ruling 16].
        """
        passed: list[SectionCar] = []
        while (other := self.book.order.ahead(car)) is not None:
            if not (yield from self.book.moving.leaders_check(car, other, played)):
                return False
            if self.book.order.ahead(car) is not other:
                continue  # by the referee's word, while the check was asked
            if self.book.order.apart(car, other) < 0:
                self.book.moving.swap(car, other, 0, "overtake.lapping-late")
            else:
                car.arrived, other.arrived = other.arrived, car.arrived
            passed.append(other)
        here = {one.number for one in self.book.order.queue(car.section)}  # but for who was put elsewhere meanwhile
        stood = [one for one in reversed(passed) if one.number in here]
        moments = sorted(one.arrived for one in (*stood, car))  # they stand where they stood
        for one, moment in zip(stood, moments, strict=False):
            one.arrived = moment
        return True

    # -- extreme trajectories

    def extreme(self, car: SectionCar) -> Sign | None:
        """Return the sign of the extreme trajectory on which a car stands [track.trajectories, ruling 53]."""
        points = self.section(car).trajectories
        return points[car.line].sign if car.line >= 0 else None

    def extreme_question(self, car: SectionCar) -> CardQuestion[bool] | None:
        """Ask whether a driver takes the check of the extreme trajectory on which he stands.

        [end.trajectory, ruling 53]
        """
        sign = self.extreme(car)
        if sign is None:
            return None
        answers = [False, True]
        return CardQuestion(
            "extreme", car.number, "end.trajectory", one_of(answers),
            [Option(answer) for answer in answers], target=self.target_of(car, sign),
        )  # fmt: skip

    def dare(self, car: SectionCar, begun: Json) -> Procedure[None]:
        """Let a driver on an extreme trajectory, before he draws, turn over a card against its sign.

        If it passes, the point counts like any other; if it fails, the point is lost and there is one damage; if he
        does not try, it is lost. His turn was `begun` with his choice, or he is asked [end.trajectory,
        track.trajectories, symbols.check, ruling 53].
        """
        try:
            if not (begun if isinstance(begun, bool) else (yield from ask(self.extreme_question, car))):
                car.line = -1
                return
            drawn, target, passed = yield from self.against(car, self.extreme, "end.trajectory", "extreme")
        except QuestionWithdrawn:
            return
        self.rule("extreme", "end.trajectory", car, card=drawn, target=target, passed=passed)
        if not passed:
            car.line = -1
            self.book.chart.hurt(car, 1, "end.trajectory")

    def late_question(self, car: SectionCar) -> CardQuestion[bool] | None:
        """Ask whether a driver brakes late, where his section has a sign.

        [end.late-braking, track.late-braking]
        """
        sign = self.late_sign(car)
        if sign is None:
            return None
        answers = [False, True]
        return CardQuestion(
            "late", car.number, "end.late-braking", one_of(answers),
            [Option(answer) for answer in answers], late=self.target_of(car, sign),
        )  # fmt: skip

    def back_on_track(self, car: SectionCar) -> None:
        """Bring a car back, last in the following section, the turn after it went off; no card is drawn.

        [end.late-braking, overtake.off-track, ruling 13]
        """
        car.status = "racing"
        self.book.order.advance(car)
        self.rule("back", "end.late-braking", car, at=car.at)

    # -- the ideal line

    def free_points(self, car: SectionCar) -> list[int]:
        """Return the trajectory points of a car's section on which no other car stands.

        A bot, which makes no checks, takes no extreme one [track.trajectories, bots.late-trajectory, ruling 17, ruling
        53].
        """
        taken = {other.line for other in self.book.order.queue(car.section)}
        points = enumerate(self.section(car).trajectories)
        return [at for at, point in points if at not in taken and not (car.bot and point.sign)]

    def choose_line(self, car: SectionCar) -> Procedure[None]:
        """Let a driver end his turn on a free trajectory point of the section; one car a point.

        [end.trajectory, track.trajectories, bots.late-trajectory, ruling 17, ruling 39]
        """
        if car.status != "racing" or not (free := self.free_points(car)):
            return
        if car.bot:
            points = self.section(car).trajectories
            line = max(free, key=lambda point: points[point].bonus)
        else:
            try:
                chosen = yield from ask(self.line_question, car)
            except QuestionWithdrawn:
                return
            if chosen is None:
                return
            line = chosen - 1
        car.line, point = line, self.section(car).trajectories[line]
        article = "bots.late-trajectory" if car.bot else "end.trajectory"
        self.rule("line", article, car, colour=point.colour, bonus=point.bonus)

    def line_question(self, car: SectionCar) -> CardQuestion[Json] | None:
        """Ask on which free point of his section a driver ends, by its number [end.trajectory, ruling 17]."""
        points, free = self.section(car).trajectories, self.free_points(car)
        if not free:
            return None
        answers: list[Json] = [None, *(point + 1 for point in free)]
        offered = [Option(answers[0])]
        for answer in answers[1:]:
            point = points[answer - 1]
            facts: dict[str, Json] = {"colour": point.colour, "bonus": point.bonus}
            if point.sign is not None:
                facts["target"] = self.target_of(car, point.sign)
            offered.append(Option(answer, {}, facts))
        read = one_of(answers)
        return CardQuestion("line", car.number, "end.trajectory", read, offered, at=car.at)

    def line_bonus(self, car: SectionCar, types: list[str]) -> int:
        """Return the bonus of the point on which the last turn ended, if a played card has its colour.

        It counts once. With Balance any driving, event or gear card has it, by a switch not that of a red point
        [track.trajectories, strategy.balance, end.trajectory, ruling 17].
        """
        points = self.section(car).trajectories
        if car.line < 0:
            return 0
        point = points[car.line]
        balanced = car.strategy == "balance" and not (self.figures.balance_not_red and point.colour == "speeding")
        fits = car.bot or point.colour in types or (balanced and any(kind != "speeding" for kind in types))
        car.line = -1
        return self.award_bonus(car, point) if fits else 0

    def award_bonus(self, car: SectionCar, point: Trajectory) -> int:
        """Note the bonus of a point and return it [track.trajectories]."""
        self.rule("bonus", "track.trajectories", car, what="line", points=point.bonus)
        return point.bonus


class Bots(SectionChapter):
    """Bots: drivers without cards or charts, who drive by a few rules."""

    book: SectionTurnBook

    @staticmethod
    def bots_wanted(figures: SectionFigures, players: int) -> int:
        """Three of each speed class for up to three players, two for more [bots.number, ruling 47]."""
        return figures.bots_few if players <= 3 else figures.bots_many

    def bot_value(self, car: SectionCar) -> int:
        """Slow bots move 2, fast ones 3 [bots.values]."""
        return self.figures.slow_bot if car.bot == "slow" else self.figures.fast_bot

    def bot_stops(self, car: SectionCar) -> bool:
        """Return True if a bot stops now [bots.pit, ruling 13, ruling 36].

        For every marker of its class that has come up, the first of the class on the track that has not stopped yet, of
        those that have still to play, does; for two markers the first two, whichever of them comes up first; no other
        stops.
        """
        race = self.race
        kin = [other for other in race.cars if other.bot == car.bot]
        due = sum(other.fuel <= race.round for other in kin) - sum(other.stops for other in kin)
        ready = [one for one in self.book.order.running() if one.status == "racing" and one.number not in race.played]
        return car in [one for one in ready if one.bot == car.bot and not one.stops][: max(due, 0)]

    def bot_turn(self, car: SectionCar) -> Procedure[None]:
        """Move a bot by its value and its trajectory point's bonus.

        It never brakes late, makes no checks and takes no damage [bots.values, bots.late-trajectory, bots.overtake,
        ruling 37, ruling 38].
        """
        points = self.bot_value(car) + self.book.trajectories.line_bonus(car, [])
        yield from self.book.moving.drive(car, points, [])
        yield from self.book.trajectories.choose_line(car)


class SectionFinish(SectionChapter):
    """The end of a turn for all, and of the race of sections."""

    book: SectionTurnBook

    def end_of_turn(self) -> Procedure[None]:
        """Begin the next turn when all have had theirs; after the last one make the positions the result.

        A car off the track is the last of its section [end.turns, track.map, ruling 13, ruling 48].
        """
        yield from ()
        race = self.race
        if race.round < race.laps and self.book.order.running():
            self.book.preparing.next_turn()
            return
        running = self.book.order.running()
        for place, car in enumerate(running, 1):
            if car.status == "off":
                self.book.order.arrive(car)
            car.status, car.line = "finished", -1
            self.rule("finish", "end.turns", car, place=place, points=self.points_for(place))
        race.phase = "over"

    def points_for(self, place: int) -> int:
        """Return the points of a place: ten, six, four, three, two, one [end.points, ruling 49]."""
        return self.figures.points[place - 1] if place <= len(self.figures.points) else 0

    def result(self) -> list[dict[str, Json]]:
        """Return the classification [end.turns, end.points, ruling 48, ruling 49].

        Retired cars come behind without place or points, the later first.
        """
        rows: list[dict[str, Json]] = []
        for place, number in enumerate(self.book.order.running_order(), 1):
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
