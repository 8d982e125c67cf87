"""The end of a turn: late braking, and the points of the ideal line."""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.conversation.asking import Json, Moot, Option, Proc, ask
from companion.rules.ninety.cards import card
from companion.rules.ninety.chapter import SectionChapter
from companion.rules.ninety.circuit import Sign, Trajectory
from companion.rules.ninety.hand import CardQuestion, one_of
from companion.rules.ninety.state import SectionCar


class Trajectories(SectionChapter):
    """What a driver does where his movement ends."""

    # -- signs

    def target_of(self, car: SectionCar, sign: Sign) -> int:
        """What a card may show at most to pass a sign: its value, or what it adds to the driver's own check card
        [track.late-braking, ruling 53]."""
        return card(car.check).factor + sign.value if sign.own else sign.value

    def against(
        self, car: SectionCar, signed: Callable[[SectionCar], Sign | None], article: str, what: str
    ) -> Proc[tuple[str, int, bool]]:
        """A card is turned over against the sign where the car stands: which, what it had to meet, and whether it did.
        Against the driver's own check card it takes that card's place, as in every check. Raises Moot if there is no
        sign any more [end.late-braking, ruling 53]."""

        def there() -> Sign:
            if (sign := signed(car)) is None:
                raise Moot(what)
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
        """The sign of late braking where a car stands [track.late-braking]."""
        return self.section(car).late

    def late_braking(self, car: SectionCar, played: list[str]) -> Proc[None]:
        """Where the section has a sign a driver may brake late: a card from the deck that meets it takes him past all
        in his section to the last place of the next; a higher one puts him off the track, without damage. Whoever is
        lapped by it is lapped: the leader's check is made for him, and failed the driver stops behind him
        [end.late-braking, end.no-damage, overtake.lapping-late, overtake.first-last, track.late-braking, ruling 11,
        ruling 16]."""
        if self.book.moving.all_straight:
            return
        try:
            if not (yield from ask(self.late_question, car)):
                return
            drawn, late, passed = yield from self.against(car, self.late_sign, "end.late-braking", "late")
        except Moot:
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

    def past_all(self, car: SectionCar, played: list[str]) -> Proc[bool]:
        """Past every car ahead in the section for nothing. Those that are lapped by it are told; one that the leader's
        check does not let him lap he stays behind [overtake.lapping-late, overtake.leader-check, ruling 16]."""
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
        """The sign of the extreme trajectory on which a car stands [track.trajectories, ruling 53]."""
        points = self.section(car).trajectories
        return points[car.line].sign if car.line >= 0 else None

    def extreme_question(self, car: SectionCar) -> CardQuestion[bool] | None:
        """Whether a driver takes the check of the extreme trajectory on which he stands [end.trajectory, ruling 53]."""
        sign = self.extreme(car)
        if sign is None:
            return None
        answers = [False, True]
        return CardQuestion(
            "extreme", car.number, "end.trajectory", one_of(answers),
            [Option(answer) for answer in answers], target=self.target_of(car, sign),
        )  # fmt: skip

    def dare(self, car: SectionCar, begun: Json) -> Proc[None]:
        """Before he draws, a driver on an extreme trajectory may turn over a card against its sign: passed, the point
        counts like any other; failed, it is lost and there is one damage; not tried, it is lost. Whether he does his
        turn was `begun` with, or he is asked
        [end.trajectory, track.trajectories, symbols.check, ruling 53]."""
        try:
            if not (begun if isinstance(begun, bool) else (yield from ask(self.extreme_question, car))):
                car.line = -1
                return
            drawn, target, passed = yield from self.against(car, self.extreme, "end.trajectory", "extreme")
        except Moot:
            return
        self.rule("extreme", "end.trajectory", car, card=drawn, target=target, passed=passed)
        if not passed:
            car.line = -1
            self.book.chart.hurt(car, 1, "end.trajectory")

    def late_question(self, car: SectionCar) -> CardQuestion[bool] | None:
        """Whether a driver brakes late, where the section in which he stands has a sign
        [end.late-braking, track.late-braking]."""
        sign = self.late_sign(car)
        if sign is None:
            return None
        answers = [False, True]
        return CardQuestion(
            "late", car.number, "end.late-braking", one_of(answers),
            [Option(answer) for answer in answers], late=self.target_of(car, sign),
        )  # fmt: skip

    def back_on_track(self, car: SectionCar) -> None:
        """The turn after going off is spent on coming back, last in the following section; no card is drawn
        [end.late-braking, overtake.off-track, ruling 13]."""
        car.status = "racing"
        self.book.order.advance(car)
        self.rule("back", "end.late-braking", car, at=car.at)

    # -- the ideal line

    def free_points(self, car: SectionCar) -> list[int]:
        """The trajectory points of a car's section on which nobody else stands; a bot, which makes no checks, takes no
        extreme one [track.trajectories, bots.late-trajectory, ruling 17, ruling 53]."""
        taken = {other.line for other in self.book.order.queue(car.section)}
        points = enumerate(self.section(car).trajectories)
        return [at for at, point in points if at not in taken and not (car.bot and point.sign)]

    def choose_line(self, car: SectionCar) -> Proc[None]:
        """A driver may end his turn on a free trajectory point of the section; one car a point
        [end.trajectory, track.trajectories, bots.late-trajectory, ruling 17, ruling 39]."""
        if car.status != "racing" or not (free := self.free_points(car)):
            return
        if car.bot:
            points = self.section(car).trajectories
            line = max(free, key=lambda point: points[point].bonus)
        else:
            try:
                chosen = yield from ask(self.line_question, car)
            except Moot:
                return
            if chosen is None:
                return
            line = chosen - 1
        car.line, point = line, self.section(car).trajectories[line]
        article = "bots.late-trajectory" if car.bot else "end.trajectory"
        self.rule("line", article, car, colour=point.colour, bonus=point.bonus)

    def line_question(self, car: SectionCar) -> CardQuestion[Json] | None:
        """Which point a driver ends on, by its number in the section in which he stands, if any is free
        [end.trajectory, ruling 17]."""
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
        """The bonus of the point on which the last turn ended, if a card played has its colour; with Balance any
        driving, event or gear card does, by a switch not for a red one. It counts once
        [track.trajectories, strategy.balance, end.trajectory, ruling 17]."""
        points = self.section(car).trajectories
        if car.line < 0:
            return 0
        point = points[car.line]
        balanced = car.strategy == "balance" and not (self.figures.balance_not_red and point.colour == "speeding")
        fits = car.bot or point.colour in types or (balanced and any(kind != "speeding" for kind in types))
        car.line = -1
        return self.noted(car, point) if fits else 0

    def noted(self, car: SectionCar, point: Trajectory) -> int:
        """The bonus, told [track.trajectories]."""
        self.rule("bonus", "track.trajectories", car, what="line", points=point.bonus)
        return point.bonus
