"""Races on a corner sheet: the board is known corner by corner, and the table says what it saw."""

from __future__ import annotations

from companion.rules.conversation import Json, Option, Proc, ask
from companion.rules.errors import BadAnswer
from companion.rules.movement import Over
from companion.rules.questions import Choice, Form, whole
from companion.rules.race import Car
from companion.rules.skies import Skies

COUNTS = ("overshot", "blocked", "brakes", "soft", "dangers", "walls")


class Unseen(Skies):
    """The same rules where the table counts the spaces."""

    def corners_passed(self, car: Car) -> int:
        """How many corners of the lap lie behind a car on a straight."""
        if self.track.known == "corner":
            return int((car.at or "after:0").partition(":")[2])
        track = self.track
        place = track.place[track.ids[car.at or ""]]
        return sum(
            1
            for corner in track.corners
            if all(track.place[x] < place for lane in track.sections[corner.section].lanes for x in lane)
        )

    # -- what was seen

    def displace_unseen(self, car: Car, spaces: int) -> Proc[None]:
        """The move of a turn as the table saw it, then its slipstreams [6-3.5 to 6-3.9]."""
        landing = yield from ask(self.saw_question, car, spaces)
        self.see(car, landing)
        while self.tows(car, self.car_in_front(car)):
            taken = yield from ask(self.tow_question, car)
            if not taken:
                return
            before = self.corner_of(car.at)
            self.move.slipstreams += 1
            self.rule("slipstream", "18-0-3", car, spaces=self.figures.slipstream_spaces)
            landing = yield from ask(self.saw_question, car, self.figures.slipstream_spaces)
            entered = before < 0 and (bool(landing["overs"]) or str(landing["at"]).startswith("corner"))
            self.see(car, landing)
            if entered:
                self.lose(car, "slipstream", "18-1-4", {"brakes": self.figures.corner_brake})

    def tow_question(self, car: Car) -> Choice[bool]:
        """Whether the slipstream is taken: null to leave it, true to take it [18-2-1]."""
        return Choice(
            "slipstream",
            car.number,
            self.article("18-0-2"),
            [(Option(None), False), (Option(True), True)],
            what=f"tow_{self.move.slipstreams + 1}",
        )

    def saw_question(self, car: Car, spaces: int) -> Form[dict[str, Json]]:
        """Where the car stopped and what it met, as the table saw it."""
        places = self.places_ahead(car)
        fields: dict[str, Json] = {
            "in": [self.spoken(place) for place in places],
            "line": [False, True],
            "brakes": [0, car.wear["brakes"]],
            "soft": [0, int(self.soft_space(car))],
            "overshot": [0, 40],
            "blocked": [0, 40],
            "dangers": [0, 20],
            "walls": [0, 9 if self.track.wall >= 0 else 0],
            "spaces": spaces,
            "slide": self.slide(car),
        }
        offered = [Option({"in": self.spoken(place)}) for place in places if not self.missed(car, place)]
        return Form(
            "saw",
            car.number,
            self.article("7-1-1"),
            fields,
            lambda answer: self.read_saw(car, answer),
            offered,
            what=f"spaces_{spaces}",
        )

    def spoken(self, place: str) -> str:
        """A place as the table says it: "corner 3", "after corner 3", "pit", "box"."""
        where, _, number = place.partition(":")
        return {"corner": f"corner {number}", "after": f"after corner {number}"}.get(where, where)

    def places_ahead(self, car: Car) -> list[str]:
        """Where a move can end: here, in the corners ahead and after them, in the pits if they are open."""
        count = len(self.track.corners)
        where, _, number = (car.at or "after:0").partition(":")
        here = int(number)
        places = []
        if where in ("pit", "box"):
            places = [car.at or ""]
            if where == "pit" and not car.stop:
                return [*places, f"box:{car.box}"]
            where, here = "after", count
        if where == "corner":
            places.append(f"corner:{here}")
        places.append(f"after:{here}" if where == "corner" or car.at == f"after:{here}" else f"after:{count}")
        for step in range(1, 4):
            corner = (here + step - 1) % count + 1
            places += [f"corner:{corner}", f"after:{corner}"]
        if self.may_enter(car) and where == "after" and here == count:
            places += [f"pit:{car.box}", f"box:{car.box}"]
        return list(dict.fromkeys(places))

    def missed(self, car: Car, place: str) -> list[Over]:
        """The corners that a move to a place leaves with stops missing."""
        where, _, number = (car.at or "after:0").partition(":")
        if place.startswith(("pit", "box")) or place == car.at:
            return []
        count = len(self.track.corners)
        overs: list[Over] = []
        now, inside = int(number), where == "corner"
        if where in ("pit", "box"):
            now = count
        to, stays = int(place.partition(":")[2]), place.startswith("corner")
        while True:
            if inside:
                if stays and now == to:
                    return overs
                corner = self.track.corners[now - 1]
                made = self.move.made if now == self.corner_of(self.move.begin) + 1 and not overs else 0
                if made < corner.stops:
                    overs.append(Over(now - 1, 0, corner.stops - made))
                inside = False
            if not stays and now == to:
                return overs
            now, inside = now % count + 1, True

    def read_saw(self, car: Car, answer: Json) -> dict[str, Json]:
        """Checks what the table says it saw; raises BadAnswer where it contradicts the sheet or the car."""
        if not isinstance(answer, dict) or "in" not in answer:
            raise BadAnswer('What was seen begins with a place, such as {"in": "after corner 3"}.')
        known = {"in", "line", "beside", "ahead", "order", *COUNTS}
        if unknown := sorted(set(answer) - known):
            raise BadAnswer(f"What was seen has {', '.join(sorted(known))}; {', '.join(unknown)} is not among them.")
        places = {self.spoken(place): place for place in self.places_ahead(car)}
        place = places.get(answer["in"]) if isinstance(answer["in"], str) else None
        if place is None:
            raise BadAnswer(f"From there the car can stop {', '.join(places)}; not {answer['in']}.")
        counts = {name: whole(answer.get(name, 0)) for name in COUNTS}
        for name, count in counts.items():
            if not 0 <= count <= 40:
                raise BadAnswer(f"{name} is a count from 0 to 40; {count} is not.")
        if counts["brakes"] > car.wear["brakes"]:
            raise BadAnswer(
                f"Car {car.number} has {car.wear['brakes']} brake points; it cannot brake {counts['brakes']}."
            )
        if counts["soft"] > int(self.soft_space(car)):
            raise BadAnswer(f"Car {car.number} has no soft space to take in this move.")
        overs = self.missed(car, place)
        if overs and not counts["overshot"] and not answer.get("line"):
            corner = overs[0].corner + 1
            raise BadAnswer(f"Corner {corner} still wants a stop; say how many spaces beyond it the car was overshot.")
        if counts["overshot"] and not overs:
            raise BadAnswer("Every stop of the corners behind was made; there is nothing overshot.")
        near = answer.get("beside", [])
        ahead = answer.get("ahead", 0) or 0
        order = answer.get("order", [])
        if not isinstance(near, list) or not isinstance(order, list):
            raise BadAnswer('"beside" and "order" are lists of car numbers, such as [2, 5].')
        for number in [*near, *order, *([ahead] if ahead else [])]:
            if not any(other.number == number and other.standing for other in self.race.cars if number is not True):
                raise BadAnswer(f"Car {number} is not on the board.")
        if car.number in near or ahead == car.number:
            raise BadAnswer(f"Car {car.number} cannot stand beside or behind itself.")
        line = answer.get("line", False)
        if not isinstance(line, bool):
            raise BadAnswer('"line" is true if the car crossed the line in this move, else false.')
        if line and not self.can_cross(car, place):
            raise BadAnswer("The line lies between the last corner and the first; this move does not cross it.")
        if not line and self.must_cross(car, place):
            raise BadAnswer('That move crosses the line; say "line": true.')
        if overs:
            overs[0] = overs[0]._replace(spaces=counts["overshot"])
        return {
            "at": place,
            "line": line,
            "overs": [list(over) for over in overs],
            "beside": list(near),
            "ahead": ahead,
            "order": list(order),
            **counts,
        }

    def _stretch(self, place: str) -> int:
        where, _, number = place.partition(":")
        count = len(self.track.corners)
        return 2 * count if where in ("pit", "box") else 2 * int(number) - (where == "corner")

    def can_cross(self, car: Car, place: str) -> bool:
        """Whether a move to a place may have crossed the line."""
        begin, end = self._stretch(car.at or "after:0"), self._stretch(place)
        last = 2 * len(self.track.corners)
        return end < begin or (begin <= last <= end and end == last)

    def must_cross(self, car: Car, place: str) -> bool:
        """Whether a move to a place cannot but have crossed the line."""
        begin, end = self._stretch(car.at or "after:0"), self._stretch(place)
        return end < begin

    def see(self, car: Car, seen: dict[str, Json]) -> None:
        """Notes what was seen as the move of the car."""
        move, race = self.move, self.race
        at = str(seen["at"])
        crosses = bool(seen["line"])
        finished = crosses and self.last_lap(car)
        move.beside, move.ahead = seen["beside"], seen["ahead"]
        move.overs, move.blocked = seen["overs"], seen["blocked"]
        move.tests += [at] * seen["dangers"] + ["wall:" + at] * seen["walls"]
        if at.startswith("after") and crosses:
            at = "after:0"
        race.turn += 1
        car.arrived = race.turn
        self.rule("move", "6-2-1", car, begin=car.at, at=at)
        if self.slide(car) and not move.slid and (at.startswith("corner") or move.overs):
            move.slid = True
            self.rule("slide", "8-0-1", car, spaces=self.slide(car))
        if seen["soft"]:
            move.soft = True
            self.rule("soft", "8-2-1", car)
        move.braked += seen["brakes"]
        self.brake(car, seen["brakes"])
        car.at = at
        if at.startswith("pit"):
            car.status = "pit"
        elif at.startswith("box"):
            car.status = "box"
        elif car.in_pits:
            self.leave_lane(car)
        if crosses:
            car.lap += 1
            move.crossed, move.finished = True, finished
        race.running = list(seen["order"]) or self._reordered(car)

    def _reordered(self, car: Car) -> list[int]:
        running = [number for number in self.race.running if number != car.number]
        ahead = [number for number in running if self.driven(self.car(number)) >= self.driven(car)]
        return [*ahead, car.number, *(number for number in running if number not in ahead)]
