"""The cup on a corner sheet."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from companion.rules.circuit.leg import Over
from companion.rules.conversation.asking import Json, JsonValue, Moot, Proc, ask
from companion.rules.conversation.errors import BadAnswer
from companion.rules.conversation.forms import Choice
from companion.rules.conversation.overriding import override
from companion.rules.cup.figures import CupFigures
from companion.rules.cup.state import CupCar, CupRace
from companion.rules.dice.sheet import Sheet

if TYPE_CHECKING:
    from companion.rules.cup.cup import Cup


class CupSheet(Sheet[CupCar, CupRace, CupFigures]):
    """What the table counts, with KERS and the pit grid."""

    book: Cup

    @override
    def tow_question(self, car: CupCar, **facts: Json) -> Choice[bool] | None:
        """On a corner sheet the table says with its answer whether both cars are in a zone of its board
        [drs.zones, ruling 44]."""
        return super().tow_question(car, sheet=True)

    @override
    def seen(
        self, car: CupCar, spaces: int, *, soft: bool, least: int, tow: bool = False
    ) -> Proc[tuple[dict[str, Json], int]]:
        """On a corner sheet KERS points are spent before the table says what it saw, on the way of the die and on that
        of DRS [kers.spend, ruling 21]."""
        points = 0
        with suppress(Moot):
            while (yield from ask(self.book.kers.kers_question, car)) is not None:
                points += 1
                self.book.kers.spend(car)
        return (yield from super().seen(car, spaces + points, soft=soft, least=0 if points else least, tow=tow))

    @override
    def past(self, car: CupCar, missed: dict[str, list[Over]]) -> dict[str, Json] | None:
        """Two stops missed put a car out on a corner sheet too, unless the table says tyres alone
        [overshoot.limit, ruling 4]."""
        past = super().past(car, missed)
        if past is not None:
            past["out"] = self.book.corners.puts_out(past["missing"])
            past["reach"] = self.reach(car)
        return past

    def reach(self, car: CupCar) -> int:
        """How many spaces beyond a corner the tyres pay for in full [overshoot.loss, overshoot.limit]."""
        return self.book.wear.left(car, "tyres") // max(self.book.tyres.factor(car), 1)

    @override
    def read_saw(
        self, car: CupCar, answer: JsonValue, places: list[str], fields: dict[str, Json], *, tow: bool
    ) -> dict[str, Json]:
        """On a corner sheet a move that overshoots too far is told as far as the space where the car spins: the first
        that its tyres cannot pay, counted beyond each corner [overshoot.spin, overshoot.limit, rulings 5, 6]."""
        seen = super().read_saw(car, answer, places, fields, tow=tow)
        overs, over, reach = seen["overs"], seen["overshot"], self.reach(car)
        spins = overs and self.book.tyres.factor(car) and not self.book.corners.puts_out(overs[0][2])
        if spins and over > reach + len(overs):
            raise BadAnswer(
                f"The tyres of car {car.number} reach {reach} beyond the corner, and it spins on the next space; say "
                f"where that is, not {over} beyond."
            )
        return seen

    @override
    def may_fall_short(self, spaces: int, slide: int, *, tow: bool) -> tuple[int, int]:
        """Whoever has spent KERS on a way had neither braked nor been blocked on it before, and each point has gained a
        space: only what it slides on may be braked [kers.spend, ruling 21]."""
        spent = spaces > self.figures.slipstream_spaces if tow else self.book.move.kers > 0
        return (slide, 0) if spent else super().may_fall_short(spaces, slide, tow=tow)

    @override
    def places_ahead(self, car: CupCar, *, tow: bool = False) -> list[str]:
        """On a corner sheet a car that drives into the pits is on the grid at once; one in the lane is beside the place
        where it stands [pit.entry, pit.lane-next]."""
        places = super().places_ahead(car, tow=tow)
        if car.in_pits:
            return [f"pit:{(car.at or '').partition(':')[2]}", *places[1:]]
        enters = any(place.startswith("pit:") for place in places)
        track = [place for place in places if not place.startswith(("pit:", "box:"))]
        return [*track, f"box:{self.book.pits.next_place()}"] if enters else track

    @override
    def see(self, car: CupCar, seen: dict[str, Json], spaces: int) -> None:
        """A car that the table saw crossing the line has done a lap [race.laps]."""
        lap = car.lap
        super().see(car, seen, spaces)
        self.book.finish.over_the_line(car, lap)
