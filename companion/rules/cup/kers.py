"""The energy of a lap (KERS): two points for each, a space for each point."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.circuit.leg import Landing, Over
from companion.rules.circuit.search import Search
from companion.rules.conversation.asking import JsonValue, Moot, Option, Proc, ask
from companion.rules.conversation.forms import Choice
from companion.rules.cup.figures import CupFigures
from companion.rules.cup.state import CupCar, CupRace
from companion.rules.dice.chapter import DiceChapter

if TYPE_CHECKING:
    from companion.rules.cup.cup import Cup


class Kers(DiceChapter[CupCar, CupRace, CupFigures]):
    """How KERS is won and spent."""

    book: Cup

    def may_spend(self, car: CupCar) -> bool:
        """KERS is spent in one's own turn on the track after the die; not after braking, being blocked or a spin, not
        by a car that a corner has put out, and not on the way out of the pits
        [kers.spend, overshoot.limit, rulings 4, 21, 28]."""
        move = self.move
        spun = sum(over[1] for over in move.overs) * self.book.tyres.factor(car) > self.book.wear.left(car, "tyres")
        stopped = move.braked or move.blocked or spun or self.book.pits.from_pits()
        out = any(self.book.corners.puts_out(over[2]) for over in move.overs)
        return car.kers > 0 and car.status == "racing" and not (stopped or out)

    def kers(self, car: CupCar) -> Proc[bool]:
        """One KERS point spent for one space more; whether it was [kers.spend]."""
        try:
            landing = yield from ask(self.kers_question, car)
        except Moot:
            return False
        if landing is None:
            return False
        self.spend(car)
        self.book.moving.take(car, landing)
        return True

    def spend(self, car: CupCar) -> None:
        """A KERS point is crossed off [kers.spend]."""
        car.kers -= 1
        self.book.move.kers += 1
        self.rule("kers", "kers.spend", car, counts={"kers": -1}, points=-1, left=car.kers)

    def kers_question(self, car: CupCar) -> Choice[Landing | None] | None:
        """Whether to spend a KERS point and on which space; on a corner sheet only whether [kers.spend, ruling 21]."""
        if not self.may_spend(car):
            return None
        choices: list[tuple[Option, Landing | None]] = [(Option(None, facts={"kers": car.kers}), None)]
        if self.track.known == "corner":
            choices.append((Option(True), Landing(0, 1)))
        else:
            choices += self.book.landings.choices(car, self.kers_landings(car))
        if len(choices) == 1:
            return None
        question = Choice(
            "kers",
            car.number,
            "kers.spend",
            choices,
            what=f"kers_{self.book.move.kers + 1}",
            wanted="The KERS point may be kept (null) or spent on",
            broad=self.any_landing,
        )
        question.fields = {"kers": car.kers}
        return question

    def any_landing(self, answer: JsonValue) -> Landing:
        """A KERS space by the referee's word; on a corner sheet there is none to name."""
        return Landing(0, 1) if self.track.known == "corner" else self.book.landings.forced_landing(answer)

    def kers_landings(self, car: CupCar) -> list[Landing]:
        """The spaces that the point may be spent on, by all rules: nobody is blocked by it, and what it slides on may
        be braked but not the space itself. It is one space more on the same way, the die's or that of DRS, which stays
        one legal way as a whole. Once out of a corner that it has overshot the car keeps its lane, and each space is
        overshot too
        [kers.spend, straight.two-lanes, straight.zigzag-pass, overshoot.lane, ruling 21]."""
        if not self.move.overs:
            found = self.book.landings.landings(car, self.book.landings.leg(car, 1, soft=False, least=1))
            return [one for one in found if not one.blocked and self.same_way(car, one)]
        track = self.track
        here = track.ids[car.at or ""]
        ahead = track.ahead[here]
        if ahead < 0 or any(other.at == track.spaces[ahead].name for other in self.others(car)):
            return []
        overs = [Over(corner, spaces + 1, missing) for corner, spaces, missing in self.move.overs]
        if (left := track.corner[here]) >= 0 and track.corner[ahead] != left:
            overs.append(Over(left, 1, track.corners[left].stops))
        tests = (ahead,) if track.spaces[ahead].name in self.race.dangers else ()
        return [Landing(ahead, 1, tests=tests, overs=tuple(overs))]

    def same_way(self, car: CupCar, landing: Landing) -> bool:
        """Whether the way that the car has come goes on as one legal way to the next space
        [straight.two-lanes, straight.zigzag-pass, ruling 21]."""
        move, track = self.book.move, self.track
        begin, moved = track.ids[move.towed_from or move.begin], move.moved - move.towed_after
        leg = self.book.landings.leg(car, moved + 1, soft=False)._replace(start=begin)
        return Search(self.board, leg).goes_on(track.ids[car.at or ""], moved, landing.space)

    def lap_done(self, car: CupCar) -> None:
        """A lap completed gives two KERS points, and nobody ever has more than two [kers.points, ruling 20]."""
        won = min(self.figures.kers_lap, self.figures.kers_most - car.kers)
        if won > 0:
            car.kers += won
            self.rule("kers", "kers.points", car, counts={"kers": won}, points=won, left=car.kers)

    def lap_lost(self, car: CupCar) -> None:
        """The points of a lap that was not completed after all are taken back [kers.points]."""
        lost = min(self.book.move.won, car.kers)
        if lost:
            car.kers -= lost
            self.rule("kers", "kers.points", car, counts={"kers": -lost}, points=-lost, back=lost, left=car.kers)
