"""The end of a turn: late braking, and the points of the ideal line."""

from __future__ import annotations

from companion.rules.asking import Json, Option, Proc, ask
from companion.rules.corner_contest import CornerContest
from companion.rules.hand import CardQuestion, one_of
from companion.rules.race_cards import card
from companion.rules.section_race import SectionCar
from companion.rules.sections import Trajectory


class Trajectories(CornerContest):
    """What a driver does where his movement ends."""

    # -- late braking

    def late_braking(self, car: SectionCar) -> Proc[None]:
        """Where the section has a sign a driver may brake late: a card from the deck equal to its value or lower takes
        him past all in his section to the last place of the next; a higher one puts him off the track, without damage
        [end.late-braking, end.no-damage, overtake.lapping-late, track.late-braking, ruling 16]."""
        late = self.section(car).late
        if not late or car.bot or self.all_straight or not car.alive:
            return
        if not (yield from ask(self.late_question, car, late)):
            return
        drawn = yield from self.turned(car, "end.late-braking", "late")
        self.lay_down([drawn])
        passed = card(drawn).factor <= late
        self.rule("late", "end.late-braking", car, card=drawn, late=late, passed=passed)
        if not passed:
            car.status, car.line = "off", -1
            self.rule("off", "end.no-damage", car, at=car.at)
            return
        self.advance(car)
        self.rule("move", "end.late-braking", car, moved=1, points=1, at=car.at, lap=car.lap)
        if car.strategy == "hazard":
            yield from self.drive(car, 1)

    def late_question(self, car: SectionCar, late: int) -> CardQuestion[bool]:
        """Whether a driver brakes late [end.late-braking]."""
        answers = [False, True]
        return CardQuestion(
            "late", car.number, "end.late-braking", one_of(answers),
            [Option(answer) for answer in answers], late=late,
        )  # fmt: skip

    def back_on_track(self, car: SectionCar) -> None:
        """The turn after going off is spent on coming back, last in the following section; no card is drawn
        [end.late-braking, overtake.off-track, ruling 13]."""
        car.status = "racing"
        self.advance(car)
        self.rule("back", "end.late-braking", car, at=car.at)

    # -- the ideal line

    def free_points(self, car: SectionCar) -> list[int]:
        """The trajectory points of a car's section on which nobody else stands [track.trajectories, ruling 17]."""
        taken = {other.line for other in self.queue(car.section) if other is not car}
        return [point for point in range(len(self.section(car).trajectories)) if point not in taken]

    def choose_line(self, car: SectionCar) -> Proc[None]:
        """A driver may end his turn on a free trajectory point of the section; one car a point
        [end.trajectory, track.trajectories, bots.late-trajectory, ruling 17, ruling 39]."""
        if car.status != "racing" or not (free := self.free_points(car)):
            return
        points = self.section(car).trajectories
        if car.bot:
            line = max(free, key=lambda point: points[point].bonus)
        else:
            chosen = yield from ask(self.line_question, car)
            if chosen is None:
                return
            line = chosen - 1
        car.line = line
        article = "bots.late-trajectory" if car.bot else "end.trajectory"
        self.rule("line", article, car, colour=points[line].colour, bonus=points[line].bonus)

    def line_question(self, car: SectionCar) -> CardQuestion[Json]:
        """Which point a driver ends on, by its number in the section, if any [end.trajectory]."""
        points = self.section(car).trajectories
        answers: list[Json] = [None, *(point + 1 for point in self.free_points(car))]
        offered = [Option(answers[0])]
        for answer in answers[1:]:
            colour, bonus = points[answer - 1]
            offered.append(Option(answer, {}, {"colour": colour, "bonus": bonus}))
        read = one_of(answers)
        return CardQuestion("line", car.number, "end.trajectory", read, offered, at=car.at)

    def line_bonus(self, car: SectionCar, types: list[str]) -> int:
        """The bonus of the point on which the last turn ended, if a card played has its colour; with Balance any
        driving, event or gear card does where it is not red. It counts once
        [track.trajectories, strategy.balance, end.trajectory, ruling 17]."""
        points = self.section(car).trajectories
        if not 0 <= car.line < len(points):
            return 0
        point = points[car.line]
        balanced = car.strategy == "balance" and point.colour != "speeding"
        fits = car.bot or point.colour in types or (balanced and any(kind != "speeding" for kind in types))
        car.line = -1
        return self.noted(car, point) if fits else 0

    def noted(self, car: SectionCar, point: Trajectory) -> int:
        """The bonus, told [track.trajectories]."""
        self.rule("bonus", "track.trajectories", car, what="line", points=point.bonus)
        return point.bonus
