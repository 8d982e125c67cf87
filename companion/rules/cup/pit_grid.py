"""The cup's pit grid: two columns beside the lane, in which cars stand in order, and the phase in which they leave it.

Whoever enters stands in Car Pitting, moves to Pit Lane Exit, and drives from there into the lane and onto the track;
`leaves` is the round in whose pit phase a car may go. What a car does there: cup_stops.
"""

from __future__ import annotations

from companion.rules.conversation.asking import Json, Option, Proc
from companion.rules.cup.boosts import Boosts
from companion.rules.cup.state import CupCar
from companion.rules.dice.questions import Gear


class PitGrid(Boosts):
    """Into the pits, through the grid, and out again."""

    # -- entering

    def may_enter(self, car: CupCar) -> bool:
        """A stop may be made at the end of any lap but the last, by the die and the soft space: what DRS or KERS add to
        a move that has been made brings nobody in [pit.optional, pit.entry, ruling 25]."""
        move = self.race.move
        boosted = move is not None and move.moved > 0
        return bool(self.track.box_count) and 0 < car.lap < self.race.laps and car.status == "racing" and not boosted

    def box_due(self, car: CupCar) -> int:
        """The place on the grid that a car which reaches the entry line comes to [pit.entry, ruling 25]."""
        pit = self.track.pit
        return -1 if pit is None or not self.may_enter(car) else pit.boxes[self.next_place() - 1]

    def next_place(self) -> int:
        """The place behind the last car on the grid; places are counted towards the track, as boxes are."""
        return max(1, self.track.box_count - len(self.race.leaving) - len(self.race.pitting))

    def holds_many(self, space: str | None) -> bool:
        """The last place of the grid takes whoever finds no other [pit.rows]."""
        return (space or "").startswith("box:") or super().holds_many(space)

    def places_ahead(self, car: CupCar, *, tow: bool = False) -> list[str]:
        """On a corner sheet a car that drives into the pits is on the grid at once, one that the referee has put into
        the lane when it reaches its place [pit.entry]."""
        places = super().places_ahead(car, tow=tow)
        place_due = f"box:{self.next_place()}"
        if car.in_pits:
            here = {"pit": f"pit:{car.box or 1}", "box": place_due}
            return [here.get(place.partition(":")[0], place) for place in places]
        enters = any(place.startswith("pit:") for place in places)
        track = [place for place in places if not place.startswith(("pit:", "box:"))]
        return [*track, place_due] if enters else track

    # -- the grid

    def line_up(self) -> None:
        """The cars stand in each column from its top without gaps, Pit Lane Exit nearer the track
        [pit.rows, pit.close-up, ruling 26]."""
        for row, number in enumerate([*self.race.leaving, *self.race.pitting]):
            car = self.car(number)
            car.box = max(1, self.track.box_count - row)
            before, car.at = car.at, f"box:{car.box}"
            self.pushed_over_line(car, before)

    def pushed_over_line(self, car: CupCar, before: str | None) -> None:
        """Where the line runs between the places of the grid, a car that moves up over it has crossed it, and one that
        others push back behind it has it before it again [race.laps, pit.close-up]."""
        ids = self.track.ids
        if before is None or before not in ids:
            return
        past, past_now = self.track.past_line(ids[before]), self.box_past_line(car)
        if past and not past_now:
            car.lap, car.fresh = max(0, car.lap - 1), True
        elif past_now and not past:
            car.lap += 1
            self.crossed_line(car)

    def crossed_line(self, car: CupCar) -> None:
        """A set that was fitted before the line is as new as it was; without a stop it has aged, and the lap brings
        KERS [kers.points, race.laps]."""
        if car.fresh:
            car.fresh = False
        else:
            car.tyre_laps += 1
            self.lap_done(car)
        self.rule("lap", "0-0-1", car, lap=car.lap, tyre_laps=car.tyre_laps)

    def tidy(self) -> None:
        """Whoever is no longer on the grid leaves no gap in it; whom the referee has put there stands in Pit Lane Exit
        [pit.close-up, ruling 38]."""
        race = self.race
        there = [car.number for car in race.cars if car.status == "box"]
        race.leaving = [number for number in race.leaving if number in there]
        race.pitting = [number for number in race.pitting if number in there]
        for number in there:
            if number not in (*race.leaving, *race.pitting):
                race.leaving.append(number)
                self.car(number).leaves = race.round + 1
        for car in race.cars:
            if not car.in_pits:
                car.box, car.leaves, car.bonus, car.service = 0, 0, 0, ""
        self.line_up()

    def _set_values(self, change: dict[str, Json]) -> None:
        """Whatever the referee sets, the columns of the grid have no gap afterwards [pit.close-up, ruling 38]."""
        super()._set_values(change)
        self.tidy()

    def end_of_turn(self, car: CupCar) -> Proc[None]:
        """A car that has left the grid leaves no gap [pit.close-up]."""
        self.tidy()
        yield from super().end_of_turn(car)

    def columns_move(self) -> None:
        """At the end of the pit phase cars whose stop is done move on from Car Pitting to Pit Lane Exit, in order of
        arrival [pit.phase, pit.close-up, ruling 27]."""
        race = self.race
        for number in list(race.pitting):
            if self.car(number).leaves <= race.round + 1:
                race.pitting.remove(number)
                race.leaving.append(number)
                self.rule("pit_grid", "pit.phase", self.car(number), column="exit", row=len(race.leaving))
        self.line_up()

    # -- the phase

    def standing(self, car: CupCar) -> int:
        """The order is that of the road, in the pits as well [order.position, ruling 1]."""
        return self.driven(car)

    def waiting(self) -> list[CupCar]:
        """On the grid only those wait for a turn that stood in Pit Lane Exit when the round began, or have come there
        by a full advantage [pit.phase, ruling 27]."""
        race = self.race
        now = race.round + (race.sweep is None)
        held = {*race.pitting, *(number for number in race.leaving if self.car(number).leaves > now)}
        return [car for car in super().waiting() if car.number not in held]

    def turn_order(self, car: CupCar) -> tuple[int, tuple[int, ...]]:
        """First all cars on the track, then those in the lane, the one nearest to the track first, then Pit Lane Exit
        from its top [pit.phase, pit.lane-next, order.position, ruling 27]."""
        if car.status == "box":
            return 2, (self.race.leaving.index(car.number) if car.number in self.race.leaving else 0,)
        return int(car.status == "pit"), (-self.standing(car), *self.level_order(car))

    def next_to_play(self) -> CupCar | None:
        """A round begins with the first car that may play in it, even if the leader is in the pits [pit.phase]."""
        if self.race.sweep is not None:
            return super().next_to_play()
        return min(self.waiting(), key=self.turn_order, default=None)

    def has_played(self, car: CupCar, before: int, rank: tuple[int, ...]) -> None:
        """A full advantage lets a car leave in the very round in which it came [pit.quick, ruling 27]."""
        super().has_played(car, before, rank)
        race = self.race
        if car.status == "box" and car.stop != "left" and car.number in race.leaving and car.leaves <= race.round:
            race.played.remove(car.number)

    def end_of_round(self) -> Proc[None]:
        """The end of the pit phase; a round in which nobody could play has one too [pit.phase]."""
        leader = self.leader()
        if self.race.sweep is None and leader is not None:
            self.begin_round(leader)
        self.columns_move()
        yield from super().end_of_round()

    # -- leaving

    def choose_gear(self, car: CupCar) -> Proc[None]:
        """In the lane the gear is free as on the way out of the grid [pit.suspended, pit.lane-next, ruling 28]."""
        if car.status == "pit":
            yield from self.leave_box(car)
        else:
            yield from super().choose_gear(car)

    def leave_gear_question(self, car: CupCar) -> Gear:
        """The pits are left in 1st to 4th at will; the rules of changing down rest there
        [pit.exit, pit.suspended, ruling 28]."""
        choices = [(Option(gear), gear) for gear in range(1, self.figures.leave_gear + 1)]
        question = Gear(car.number, "pit.exit", choices, what="leave", wanted="The pits are left in")
        question.fields = {"bonus": self.bonus(car)}
        return question

    def bonus(self, car: CupCar) -> int:
        """The spaces that unused repair points add to the first move out of the grid [pit.exit, ruling 28]."""
        return car.bonus * self.figures.bonus_spaces if car.status == "box" else 0

    def displace(self, car: CupCar, spaces: int, *, soft: bool = True, least: int = 0) -> Proc[None]:
        """Off the grid into and along the lane, and onto the track: the die and the bonus; behind another car it waits
        at no cost [pit.exit, pit.suspended, ruling 28]."""
        yield from super().displace(car, spaces + self.bonus(car), soft=soft, least=least)

    def most_brakes(self, car: CupCar) -> int:
        """Nobody brakes in the pits [pit.suspended]."""
        return 0 if car.in_pits else super().most_brakes(car)

    def flat_out(self, gear: int, face: int) -> bool:
        """No engine is at its limit in the pits [pit.suspended, engine.trigger]."""
        return not self.from_pits() and super().flat_out(gear, face)
