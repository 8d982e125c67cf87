"""The end of a turn for all, and of the race of sections."""

from __future__ import annotations

from companion.rules.conversation.asking import Json, Proc
from companion.rules.ninety.chapter import SectionChapter


class SectionFinish(SectionChapter):
    """When everybody has had his turn."""

    def end_of_turn(self) -> Proc[None]:
        """When everybody has had his turn the next one begins; after the last the positions are the result, with who
        is off the track the last of his section [end.turns, track.map, ruling 13, ruling 48]."""
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
        """The points of a place: ten, six, four, three, two, one [end.points, ruling 49]."""
        return self.figures.points[place - 1] if place <= len(self.figures.points) else 0

    def result(self) -> list[dict[str, Json]]:
        """The classification; retired cars come behind without place or points, the later first
        [end.turns, end.points, ruling 48, ruling 49]."""
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
