"""What the table says that it saw of a move on a corner sheet, and whether that can be."""

from __future__ import annotations

from companion.rules.conversation.asking import Json, Option
from companion.rules.conversation.errors import BadAnswer
from companion.rules.conversation.forms import Form, whole
from companion.rules.dice.state import C
from companion.rules.dice.stretches import AHEAD, Stretches

COUNTS = ("overshot", "blocked", "brakes", "soft", "dangers", "walls", "to_box")
"""What was counted, each 0 where the table says nothing of it."""


OUT = 2
"""So many stops missing at one corner put a car out, in every rulebook [10-1]."""


class Sightings(Stretches[C]):
    """The question of what was seen, and its answer held against the sheet, the die and the car."""

    def saw_question(
        self, car: C, spaces: int, *, soft: bool = True, least: int = 0, tow: bool = False
    ) -> Form[dict[str, Json]] | None:
        """Where the car stopped and what it met, as the table saw it."""
        if not car.alive or car.at is None:
            return None
        places = self.places_ahead(car, tow=tow)
        if tow:
            places = [place for place in places if self.entry_brake(car, place) <= self.left(car, "brakes")]
        slide = 0 if self.move.slid else self.slide(car)
        extra = int(soft and self.soft_space(car))
        on_track = [other for other in self.others(car) if not other.in_pits]
        near = [other.number for other in on_track]
        fields: dict[str, Json] = {
            "in": [self.spoken(place) for place in places],
            "line": [False, True],
            "brakes": [0, min(self.left(car, "brakes"), spaces + slide - least)],
            "soft": [0, extra],
            "overshot": [0, (AHEAD + 1) * (spaces + slide + extra)],
            "blocked": [0, spaces + slide],
            "dangers": [0, 20],
            "walls": [0, 9 if self.track.wall >= 0 else 0],
            "to_box": [0, self.car_ranges["to_box"][1] if f"pit:{car.box}" in places and not car.stop else 0],
            "beside": near,
            "ahead": near,
            "order": [other.number for other in self.in_running_order([*on_track, car])],
            "spaces": spaces,
            "slide": slide,
            "entry": self.figures.corner_brake if tow else 0,
            "past": self.past(car, places),
        }

        def check(answer: Json) -> dict[str, Json]:
            return self.read_saw(car, answer, places, fields, tow=tow)

        offered = []
        for place in places:
            if not self.missed(car, place) and not (tow and self.entry_brake(car, place) > self.left(car, "brakes")):
                answer: dict[str, Json] = {"in": self.spoken(place)}
                facts = self.stop_there(car, place)
                if not self.must_cross(car, place):
                    here: dict[str, Json] = {"past_line": True} if place == "after:0" else facts
                    offered.append(Option(dict(answer), {}, here))
                if self.can_cross(car, place) and not car.in_pits and not place.startswith(("pit", "box")):
                    offered.append(Option({**answer, "line": True}, {}, facts))
        return Form("saw", car.number, self.article("7-1-1"), fields, check, offered, what=f"spaces_{spaces}")

    def stop_there(self, car: C, place: str) -> dict[str, Json]:
        """Which stop of how many it would be to end a turn in a place; empty where none is due [6-2-1, 7-1-1]."""
        corner = self.corner_of(place)
        if corner < 0:
            return {}
        made = self.move.made if corner == self.corner_of(self.move.begin) else 0
        stops = self.track.corners[corner].stops
        return {"stops": made + 1, "of": stops} if made < stops else {}

    def past(self, car: C, places: list[str]) -> dict[str, Json] | None:
        """What the table says of a car that drove past the first corner which still wants a stop, but for how far; how
        many stops it misses there, and whether so many put it out [7-1-1, 10-0-1, 10-1]."""
        for place in places:
            overs = self.missed(car, place)
            if overs:
                answer: dict[str, Json] = {"in": self.spoken(place)}
                if self.must_cross(car, place):
                    answer["line"] = True
                return {
                    "answer": answer,
                    "corner": overs[0].corner + 1,
                    "missing": overs[0].missing,
                    "out": overs[0].missing >= OUT,
                }
        return None

    def read_saw(
        self, car: C, answer: Json, places: list[str], fields: dict[str, Json], *, tow: bool
    ) -> dict[str, Json]:
        """Checks what the table says it saw; raises BadAnswer where it contradicts the sheet, the die or the car."""
        if not isinstance(answer, dict) or "in" not in answer:
            raise BadAnswer('What was seen begins with a place, such as {"in": "after corner 3"}.')
        known = {"in", "line", "beside", "ahead", "order", *COUNTS}
        if unknown := sorted(set(answer) - known):
            raise BadAnswer(f"What was seen has {', '.join(sorted(known))}; {', '.join(unknown)} is not among them.")
        by_name = {self.spoken(place): place for place in places}
        place = by_name.get(answer["in"]) if isinstance(answer["in"], str) else None
        if place is None:
            raise BadAnswer(f"From there the car can stop in one of {', '.join(by_name)}; not in {answer['in']}.")
        line = self._read_line(car, place, answer.get("line", False))
        counts = {name: whole(answer.get(name, 0)) for name in COUNTS}
        for name, count in counts.items():
            low, high = fields[name]
            if not low <= count <= high:
                raise BadAnswer(f"Car {car.number}: {name} is a count from {low} to {high} here; {count} is not.")
        pits = place.startswith(("pit", "box"))
        if counts["to_box"] and not place.startswith("pit"):
            raise BadAnswer(f"The way to the box is counted from the pit lane; the car stopped in {answer['in']}.")
        self._check_distance(car, place, counts, fields, pits=pits, tow=tow, line=line)
        overs = self.missed(car, place)
        finishes = line and self.last_lap(car) and not pits
        if overs and not counts["overshot"] and not finishes:
            corner = overs[0].corner + 1
            raise BadAnswer(f"Corner {corner} still wants a stop; say how many spaces beyond it the car was overshot.")
        if counts["overshot"] and not overs:
            raise BadAnswer("Every stop of the corners behind was made; there is nothing overshot.")
        moved = fields["spaces"] + fields["slide"] + counts["soft"] - counts["brakes"] - counts["blocked"]
        if counts["overshot"] > moved * len(overs):
            raise BadAnswer(
                f"A move of {moved} spaces cannot be {counts['overshot']} beyond the corner; at most {moved} for each "
                "corner overshot."
            )
        if overs:
            overs[0] = overs[0]._replace(spaces=counts["overshot"])
        if finishes and counts["blocked"]:
            raise BadAnswer("A car that has crossed the line at the end of its race is not blocked any more.")
        beside, ahead, order = self._read_company(car, answer)
        return {
            "at": place,
            "line": line,
            "overs": [list(over) for over in overs],
            "beside": beside,
            "ahead": ahead,
            "order": order,
            **counts,
        }

    def _read_line(self, car: C, place: str, line: Json) -> bool:
        if not isinstance(line, bool):
            raise BadAnswer('"line" is true if the car crossed the line in this move, else false.')
        if line and not self.can_cross(car, place):
            raise BadAnswer("The line lies between the last corner and the first; this move does not cross it.")
        if not line and self.must_cross(car, place):
            raise BadAnswer('That move crosses the line; say "line": true.')
        return line

    def _check_distance(
        self,
        car: C,
        place: str,
        counts: dict[str, int],
        fields: dict[str, Json],
        *,
        pits: bool,
        tow: bool,
        line: bool,
    ) -> None:
        gone = counts["brakes"] + counts["blocked"]
        whole_way = fields["spaces"] + fields["slide"] + counts["soft"]
        if gone > whole_way or (gone == whole_way and (place != car.at or line)):
            raise BadAnswer(
                f"The move is of {whole_way} spaces; a car that braked {counts['brakes']} and was blocked by "
                f"{counts['blocked']} of them did not get there."
            )
        if pits and counts["blocked"]:
            raise BadAnswer("In the pit lane nobody is blocked: a car waits behind the one before it at no cost.")
        if tow and counts["brakes"] + self.entry_brake(car, place) > self.left(car, "brakes"):
            raise BadAnswer(
                f"A slipstream into a corner costs a brake besides; car {car.number} has {car.wear['brakes']}."
            )

    def _read_company(self, car: C, answer: dict[str, Json]) -> tuple[list[int], int, list[int]]:
        beside, order = answer.get("beside", []), answer.get("order", [])
        ahead = answer.get("ahead")
        if not isinstance(beside, list) or not isinstance(order, list):
            raise BadAnswer('"beside" and "order" are lists of car numbers, such as [2, 5].')
        standing = {other.number for other in self.race.cars if other.standing}
        for number in [*beside, *order, *([ahead] if ahead is not None else [])]:
            if whole(number) not in standing:
                raise BadAnswer(f"Car {number} is not on the board.")
        for name, numbers in (("beside", beside), ("order", order)):
            if len(set(numbers)) < len(numbers):
                raise BadAnswer(f'"{name}" names a car twice.')
        if car.number in beside or ahead == car.number:
            raise BadAnswer(f"Car {car.number} cannot stand beside or behind itself.")
        if ahead in beside:
            raise BadAnswer(f"Car {ahead} stands beside or ahead, not both.")
        return list(beside), ahead or 0, list(order)
