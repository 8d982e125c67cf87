"""Corner contests: who stands in a corner that comes up may fight for the order with cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress

from companion.rules.conversation.asking import Json, Moot, Option, Proc, ask
from companion.rules.ninety.cards import card
from companion.rules.ninety.chapter import SectionChapter
from companion.rules.ninety.circuit import section_name
from companion.rules.ninety.hand import CardQuestion, one_of
from companion.rules.ninety.state import SectionCar


class CornerContest(SectionChapter):
    """A contest, from the first who is asked to the new order."""

    def contestants(self, section: int) -> list[SectionCar]:
        """Who may contest a corner that comes up: the drivers in it, from the head of the line, who have not had their
        turn; each contests a corner once a turn. Bots do not among themselves, and as a lapped one stays out, beside
        lapped bots alone nobody does
        [contest.start, contest.order, contest.frozen, overtake.first-last, turn.activate, rulings 11, 40]."""
        if self.track.sections[section].kind != "corner" or self.book.moving.all_straight:
            return []
        race = self.race
        done = {*race.played, *(number for number, where in race.contested if where == section)}
        there = [car for car in self.book.order.queue(section) if car.number not in done]
        able = [car for car in there if not self.lapped_bot(car)]
        return there if len(able) > 1 and not all(car.bot for car in able) else []

    def lapped_bot(self, car: SectionCar) -> bool:
        """Whether a car is a bot that has been lapped: such a one never fights [bots.contests, ruling 44]."""
        order = self.book.order
        return bool(car.bot) and order.progress(order.leader) - order.progress(car) >= len(self.track.sections)

    def comes_up(self) -> tuple[str, int]:
        """What comes up next in this turn: the contest of a section, or a car's turn; of those still to play the first
        by the places as they are now [turn.order, turn.activate, contest.start]."""
        first = self.book.order.waiting()[0]
        if first.status == "racing" and self.contestants(first.section):
            return "contest", first.section
        return "turn", first.number

    def contest(self, section: int) -> Proc[None]:
        """From last to first each says whether he takes part; then the cards are shown, and the order is made anew
        [contest.choose, contest.order, contest.frozen, ruling 43, ruling 44]."""
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
        """Of a contest that is begun anew the cards shown are free again, but for those `frozen` before it, in another
        corner [contest.frozen, contest.choose]."""
        for number, before in frozen.items():
            car = self.car(number)
            car.frozen = list((before & Counter(car.frozen)).elements())

    def takes_part(self, car: SectionCar, there: list[SectionCar], takers: list[SectionCar]) -> Proc[bool]:
        """A player chooses; a bot always fights unless it has been lapped [contest.choose, bots.contests]."""
        if car.bot:
            return not self.lapped_bot(car)
        with suppress(Moot):
            return (yield from ask(self.contest_question, car, there, takers))
        return False

    def contest_question(
        self, car: SectionCar, there: list[SectionCar], takers: list[SectionCar]
    ) -> CardQuestion[bool] | None:
        """Whether a driver takes part; his cards he chooses in secret. Who does may come first, or behind all who take
        part, those ahead of him who may still choose so among them, and level with one of them he has damage; who stays
        out is where he is behind those who have chosen so already. The bonus told is what he would have himself, none
        for the head of the line. A hand without a card that it may show stays out
        [contest.choose, contest.order, contest.bonus, ruling 43, ruling 45]."""
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

    def contest_cards(self, car: SectionCar) -> Proc[list[int]]:
        """The values of one card or two, entered once they are shown and frozen for this turn; a bot's two come from
        the deck [contest.choose, contest.frozen, bots.contests, ruling 45]."""
        if car.bot:
            codes = []
            for number in (1, 2):
                codes.append((yield from self.book.hand.turned(car, "bots.contests", f"contest_{number}", by="value")))
            self.book.hand.lay_down(codes)
        else:
            codes = yield from ask(self.contest_cards_question, car)
            car.hand += (Counter(codes) - Counter(self.book.hand.seen(car))).elements()
            car.frozen = [*car.frozen, *codes]
            self.book.hand.keep_count(car)
        return [card(code).value for code in codes]

    def contest_cards_question(self, car: SectionCar) -> CardQuestion[list[str]]:
        """Which cards a driver shows, one or any two [contest.choose, ruling 18]."""
        pairs = self.book.hand.pairs(car)
        offered = [Option(codes, {}, {"total": sum(card(code).value for code in codes)}) for codes in pairs]
        return CardQuestion(
            "show", car.number, "contest.choose", lambda said: self.book.hand.cards_shown(car, said), offered,
            count=(1, 2), typed=not self.book.hand.dealt,
        )  # fmt: skip

    def bonus(self, car: SectionCar) -> int:
        """The corner's bonus, which all but the head of its line have [contest.bonus, ruling 42]."""
        return self.section(car).bonus if self.book.order.ahead(car) is not None else 0

    def total(self, car: SectionCar, values: list[int]) -> int:
        """The cards, with the corner's bonus and that of Banging Wheels
        [contest.bonus, strategy.banging-wheels, ruling 15, ruling 42]."""
        bonus = self.bonus(car)
        banging = self.figures.banging_bonus if car.strategy == "banging" else 0
        total = sum(values) + bonus + banging
        self.rule("fights", "contest.bonus", car, cards=sum(values), bonus=bonus, banging=banging, total=total)
        return total
