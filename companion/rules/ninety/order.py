"""Where the cars stand: sections, the queue in each, who leads, and who plays next."""

from __future__ import annotations

from companion.rules.ninety.chapter import SectionChapter
from companion.rules.ninety.state import SectionCar


class LineUp(SectionChapter):
    """Positions on the track."""

    def arrive(self, car: SectionCar) -> None:
        """A car comes to a section: last of its queue."""
        self.race.turn += 1
        car.arrived = self.race.turn

    def progress(self, car: SectionCar) -> int:
        """The sections driven since the start, less those lost by stops; laps follow from it [turn.lap, ruling 1]."""
        return car.lap * len(self.track.sections) + car.section

    def queue(self, section: int) -> list[SectionCar]:
        """The cars in a section from the head of the line; those off the track have no place in it
        [end.late-braking, ruling 13]."""
        there = (car for car in self.race.cars if car.status == "racing" and car.section == section)
        return sorted(there, key=lambda car: car.arrived)

    def ahead(self, car: SectionCar) -> SectionCar | None:
        """The car just ahead in the same section."""
        queue = self.queue(car.section)
        place = queue.index(car)
        return queue[place - 1] if place else None

    def running(self) -> list[SectionCar]:
        """The cars still in the race by position: progress, then place in the section; the head of the list leads
        [end.turns, ruling 48]."""
        cars = (car for car in self.race.cars if car.status in ("racing", "off"))
        return sorted(cars, key=lambda car: (-self.progress(car), car.status == "off", car.arrived))

    @property
    def leader(self) -> SectionCar:
        """Who leads the race."""
        return self.running()[0]

    def apart(self, car: SectionCar, other: SectionCar) -> int:
        """How many laps another car in the same section is ahead; less than 0 if it is being lapped
        [overtake.lapping, overtake.unlapping, ruling 8, ruling 33]."""
        return (self.progress(other) - self.progress(car)) // len(self.track.sections)

    def behind(self, car: SectionCar, other: SectionCar) -> int:
        """By how many sections a car is behind another."""
        return self.progress(other) - self.progress(car)

    def advance(self, car: SectionCar, sections: int = 1) -> None:
        """Takes a car on by so many sections (back if fewer than none): there it is last in line; its lap comes from
        where it is, not from the turns [move.points, turn.lap, ruling 3]."""
        count = len(self.track.sections)
        car.lap, car.section = divmod(self.progress(car) + sections, count)
        car.line = -1
        self.arrive(car)

    # -- whose turn it is

    def waiting(self) -> list[SectionCar]:
        """Who has not had a turn yet, in the order of activation as it stands: from the leader backwards around the
        track, in each section from the head of the line [turn.order, ruling 2]."""
        running, count = self.running(), len(self.track.sections)

        def behind(car: SectionCar) -> tuple[int, bool, int]:
            first = running[0]
            back = (first.section - car.section) % count
            if not back and (car.status == "off", car.arrived) < (first.status == "off", first.arrived):
                back = count  # ahead of the leader in his own section: the whole way round
            return back, car.status == "off", car.arrived

        return sorted((car for car in running if car.number not in self.race.played), key=behind)

    def running_order(self) -> list[int]:
        """The running order, then those out of it, the later first [end.turns, ruling 48]."""
        if self.race.phase == "setup":
            return [car.number for car in self.race.cars]
        placed = [car for car in self.race.cars if car.status == "finished"]
        placed.sort(key=lambda car: (-self.progress(car), car.arrived))
        return [*(car.number for car in placed or self.running()), *reversed(self.race.gone)]
