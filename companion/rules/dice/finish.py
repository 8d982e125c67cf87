"""The end: of a car's race at the line, and of the race. Article 21."""

from __future__ import annotations

from companion.rules.conversation.asking import Json, Proc
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.state import C


class Finish(DiceChapter[C, R, F]):
    """Who is home, and who has come how far."""

    def last_lap(self, car: C) -> bool:
        """Whether the car's next crossing of the line ends its race [2-0-3, 0-0-1]."""
        if self.figures.flag_next_crossing and self.race.home:
            return True
        return car.lap >= self.race.laps

    def finish(self, car: C) -> None:
        """Whoever crosses the line after the last lap is home, in the order of crossing; any part of the car over it
        will do [21-1-1, 21-1-2, 21-1-4, 21-1-5]."""
        car.status, car.coast, car.stops = "finished", 0, 0
        self.race.home.append(car.number)
        self.rule("finish", "21-1-1" if len(self.race.home) == 1 else "21-1-4", car, place=len(self.race.home))

    def short_of_line(self, car: C) -> None:
        """Out in the very move that would have brought it home, a car has come as far as the line and not beyond it:
        further than all who have not reached it [21-1-2, ruling 101]."""
        car.lap -= 1
        self.race.at_line.append(car.number)
        if self.track.known == "corner":
            car.at = f"after:{len(self.track.corners)}"
            return
        car.at = self.track.spaces[self.track.behind[self.track.ids[car.at or ""]]].name

    def reached(self, car: C) -> int:
        """How far a car came that is not home: one that went out as it crossed the line, as far as the line
        [21-1-2, ruling 101]."""
        if car.number in self.race.at_line:
            return car.lap * self.book.order.lap_length
        return self.book.order.driven(car)

    def close(self) -> Proc[None]:
        """The race is over when every driver is home or out [21-1-3]."""
        self.race.phase = "over"
        self.book.remind("finish")
        self.rule("result", "21-1-3", None, order=[car.number for car in self.classification()])
        return
        yield

    def classification(self) -> list[C]:
        """Those home in the order of crossing the line, then the others by distance, the later retirement first
        [21-1-1, 21-1-4, ruling 101]."""
        race = self.race
        home = [self.car(number) for number in race.home]
        rest = [car for car in race.cars if car.status != "finished"]
        rest.sort(
            key=lambda car: (
                -self.reached(car) if car.at is not None else 0,
                -race.gone.index(car.number) if car.number in race.gone else 1,
            )
        )
        return home + rest

    def result(self) -> list[dict[str, Json]]:
        """The classification: place, car, laps completed, status, cause and points [21-1-2, ruling 101]."""
        rows = []
        for place, car in enumerate(self.classification(), 1):
            home = car.status == "finished" or self.figures.retired_cars_placed
            points = self.figures.points[place - 1] if home and place <= len(self.figures.points) else 0
            row: dict[str, Json] = {
                "place": place if home else None,
                "car": car.number,
                "laps": max(0, car.lap - 1),
                "status": car.status,
                "points": points,
            }
            if car.cause:
                row["cause"] = car.cause
            rows.append(row)
        return rows
