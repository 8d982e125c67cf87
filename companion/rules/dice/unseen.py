"""Races on a corner sheet: the board is known corner by corner, and the table says what it saw.

Where the line crosses the pits nobody knows: the lap that ends there is counted on leaving them, which comes to the
same. What a place is there: stretches; what the table may say: sightings.
"""

from __future__ import annotations

from companion.rules.conversation.asking import Json, Moot, Option, Proc, ask
from companion.rules.conversation.forms import Choice
from companion.rules.dice.moving import SLIDES
from companion.rules.dice.sightings import Sightings
from companion.rules.dice.state import C
from companion.rules.dice.tests import WALL


class Unseen(Sightings[C]):
    """The same rules where the table counts the spaces."""

    def displace_unseen(self, car: C, spaces: int, *, soft: bool = True, least: int = 0) -> Proc[None]:
        """The move of a turn as the table saw it, then its slipstreams [6-3.5 to 6-3.9]."""
        seen = yield from ask(self.saw_question, car, spaces, soft=soft, least=least)
        self.see(car, seen, spaces)
        while True:
            try:
                taken = yield from ask(self.tow_question, car)
            except Moot:
                return
            if not taken:
                return
            spaces = self.figures.slipstream_spaces
            self.move.slipstreams += 1
            self.rule("slipstream", "18-0-3", car, spaces=spaces)
            seen = yield from ask(self.saw_question, car, spaces, soft=soft, least=1, tow=True)
            entry = self.entry_brake(car, str(seen["at"]))
            self.see(car, seen, spaces)
            if entry:
                self.lose(car, "slipstream", "18-1-4", {"brakes": entry}, brakes=entry)

    def tow_question(self, car: C, **facts: Json) -> Choice[bool] | None:
        """Whether the slipstream is taken: null to leave it, true to take it; where it ended is asked next
        [18-0-2, 18-2-1]."""
        if car.at is None or car.in_pits or not self.tows(car, self.car_in_front(car)):
            return None
        question = Choice(
            "slipstream",
            car.number,
            self.article("18-0-2"),
            [(Option(None, facts=facts), False), (Option(True, facts=facts), True)],
            what=f"tow_{self.move.slipstreams + 1}",
            wanted="The slipstream may be left (null) or taken (true)",
        )
        question.fields = facts or None
        return question

    def see(self, car: C, seen: dict[str, Json], spaces: int) -> None:
        """Notes what was seen as the move of the car, by the same articles as on a board that is known."""
        move, race = self.move, self.race
        at, begin = str(seen["at"]), car.at
        into_pits = at.startswith(("pit", "box"))
        crosses = not into_pits and (bool(seen["line"]) or car.in_pits)
        move.beside, move.ahead = seen["beside"], seen["ahead"]
        move.overs, move.blocked = seen["overs"], seen["blocked"]
        if crosses and self.stretch(at) == 2 * len(self.track.corners):
            at = "after:0"
        move.tests += [at] * seen["dangers"] + [WALL + at] * seen["walls"]
        slides = self.slides(car, at, seen, spaces)
        slide = self.slide(car) if slides else 0
        moved = max(0, spaces + slide + seen["soft"] - seen["brakes"] - seen["blocked"])
        move.moved += moved
        if at != begin:
            race.turn += 1
            car.arrived = race.turn
        self.rule("move", "6-2-1", car, begin=begin, at=at, moved=moved)
        if slides:
            move.slid = True
            self.rule("slide", SLIDES[car.tyres or "hard"], car, spaces=slide)
        if seen["soft"]:
            move.soft = True
            self.rule("soft", "8-2-1", car)
        move.braked += seen["brakes"]
        self.brake(car, seen["brakes"])
        if into_pits:
            self.into_pits(car, at)
            if car.status == "pit" and not car.stop and not seen["to_box"]:
                for article in self.reminders.get("lane", ()):
                    self.rule("reminder", article, car, moment="lane")
        elif car.in_pits:
            self.leave_lane(car)
        car.at, car.to_box = at, seen["to_box"]
        if crosses:
            move.crossed, move.finished = True, self.last_lap(car)
            car.lap += 1
        self.set_in_order(seen["order"])

    def slides(self, car: C, at: str, seen: dict[str, Json], spaces: int) -> bool:
        """Whether the move slid: in the wet, once a turn, if it was in a corner where a stop is owed
        [8-0-1, 8-1-2, 8-2-2, 8-3-2, rulings 25 to 27]."""
        if self.move.slid or not self.slide(car) or (at == car.at and seen["brakes"] >= spaces):
            return False
        corner = self.corner_of(at)
        if corner < 0:
            return bool(seen["overs"])
        made = self.move.made if corner == self.corner_of(self.move.begin) else 0
        return made < self.track.corners[corner].stops
