"""Races on a corner sheet: the board is known corner by corner, and the table says what it saw.

A place is "corner:3", "after:3" on the way from it, "after:0" from the line to the first corner, "pit:4" and "box:4"
for the driver of box 4. In which order the cars of one stretch run, their arrival says, or the table. Where the line
crosses the pits nobody knows: the lap that ends there is counted on leaving them, which comes to the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.rules.circuit import stretches
from companion.rules.circuit.leg import Over
from companion.rules.conversation.asking import Json, JsonValue, Option, Procedure, QuestionWithdrawn, ask
from companion.rules.conversation.errors import BadAnswer
from companion.rules.conversation.forms import Choice, Form, whole
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.collisions import CollisionsBook
from companion.rules.dice.moving import SLIDES
from companion.rules.dice.offers import WALL
from companion.rules.dice.order import STRETCH
from companion.rules.dice.state import C
from companion.rules.dice.wear import FREE, Cost

COUNTS = ("overshot", "blocked", "brakes", "soft", "dangers", "walls", "to_box")
"""Counts in an answer, each 0 where the table leaves it out."""

AHEAD = 3
"""Maximum number of corners ahead at which a move can end; nobody drives through more."""

STILL = 10
"""Number of turns in one place after which people are asked whether a car is there, and again after as many more."""


class Sheet(DiceChapter[C, R, F]):
    """The rules of a corner sheet, where the table counts the spaces."""

    book: CollisionsBook[C, R, F]

    # -- where a car is

    def stretch(self, at: str | None) -> int:
        """Return the part of the lap that a place of a corner sheet lies in.

        0 is from the line to the first corner, then corners and straights in turn; the pits lie beside the last
        straight.
        """
        return stretches.stretch(self.track, at)

    # -- where a move ends

    def places_ahead(self, car: C, *, tow: bool = False) -> list[str]:
        """Return the places where a move can end [19-1-1, 19-2-5].

        They are here, in the corners ahead and after them, in the pits if they are open to the car; once there, in its
        box, and after the stop back on the track.
        """
        count = len(self.track.corners)
        lane, box = f"pit:{car.box}", f"box:{car.box}"
        taken = not self.book.pits.holds_many(box) and any(other.at == box for other in self.others(car))
        if car.in_pits and not car.stop:
            return [lane] if taken else [lane, box]
        if car.in_pits:
            places, here = [lane, "after:0"], 0
        else:
            stretch = self.stretch(car.at)
            here = (stretch + 1) // 2
            places = [car.at or "", f"after:{here}"]
        for corner in range(here, here + min(AHEAD, max(count - 1, 1))):
            places += [f"corner:{corner % count + 1}", f"after:{corner % count + 1}"]
        near = not self.missed(car, f"after:{count}")
        if near and self.book.pits.may_enter(car) and (not tow or self.book.slipstream.leads_into_pits()):
            places += [lane] if taken else [lane, box]
        return list(dict.fromkeys(places))

    def spoken(self, place: str) -> str:
        """Return a place as the table says it: "corner 3", "after corner 3", "pit", "box"."""
        where, _, number = place.partition(":")
        if where == "after":
            return f"after corner {int(number) or len(self.track.corners)}"
        return f"corner {number}" if where == "corner" else where

    def missed(self, car: C, place: str) -> list[Over]:
        """Return the corners that a move to a place leaves with stops missing [7-1-1, 17-3, ruling 99].

        There are none beyond the line at the end of the race.
        """
        corners, count = self.track.corners, len(self.track.corners)
        first = self.stretch(car.at) // 2
        last = stretches.corners_behind(self.track, car.at, place)
        if self.book.finish.last_lap(car):
            last = min(last, count)
        began = self.book.corners.corner_of(self.move.begin)
        overs: list[Over] = []
        for corner in range(first, last):
            made = self.move.made if corner == began else 0
            missing = corners[corner % count].stops - made
            if missing > 0:
                overs.append(Over(corner % count, 0, missing))
        return overs

    def fewest(self, car: C, place: str) -> int:
        """Return the fewest spaces in which a car can come to a place, whatever the board."""
        return stretches.fewest_spaces(self.track, car.at, place)

    def overshot_range(
        self, car: C, place: str, overs: Sequence[Over], moved: int, *, home: bool = False
    ) -> tuple[int, int]:
        """Return the fewest and the most spaces beyond the corners that a move overshot, added up.

        For a car that is `home` they count up to the line [10-2, 17-3, ruling 99].
        """
        last_lap = self.book.finish.last_lap(car)
        return stretches.overshot_range(self.track, car.at, place, len(overs), moved, last_lap=last_lap, home=home)

    def entry_brake(self, car: C, place: str) -> int:
        """Return the brake of a slipstream that ends in a corner or beyond it.

        It costs none if it began in one or is home before it comes there [17-3, 18-1-4, 18-2-3, ruling 76].
        """
        enters = (place.startswith("corner") and not self.is_home(car, place)) or self.missed(car, place)
        if self.book.corners.corner_of(car.at) >= 0 or not enters:
            return 0
        return self.book.slipstream.entry_brakes()

    def brakes_besides(self, car: C, place: str, *, tow: bool) -> int:
        """Return the brakes due for coming to a place, beside those of the way [18-1-4, 18-2-3, ruling 76]."""
        slipstream = self.entry_brake(car, place) if tow else 0
        return slipstream + (self.book.pits.entry_brakes(car) if place.startswith(("pit", "box")) else 0)

    def can_cross(self, car: C, place: str) -> bool:
        """Return True if a move to a place may have crossed the line."""
        return car.in_pits or self.must_cross(car, place) or self.stretch(place) == 2 * len(self.track.corners)

    def must_cross(self, car: C, place: str) -> bool:
        """Return True if a move to a place must have crossed the line, otherwise than in the pits."""
        return not car.in_pits and self.stretch(place) < self.stretch(car.at)

    def is_home(self, car: C, place: str) -> bool:
        """Return True if a car that has come as far as a place was home on the line before it.

        [17-3, ruling 99]
        """
        crosses = not place.startswith(("pit", "box")) if car.in_pits else self.must_cross(car, place)
        return crosses and self.book.finish.last_lap(car)

    def stands_still(self, car: C) -> None:
        """Count the turns that a car has rolled for and ended where it began [7-1-1].

        Every ten of them remind the table that nobody has said where it goes.
        """
        move = self.race.move
        if self.track.known != "corner" or move is None or not car.alive:
            return
        if car.at != move.begin or car.lap != move.lap:
            car.still = 0
        elif move.face:
            car.still += 1
            if car.still % STILL == 0:
                self.rule("reminder", "7-1-1", car, moment="still", rounds=car.still, at=car.at)

    # -- within a stretch

    def set_in_order(self, order: list[int]) -> None:
        """Order the cars of each stretch as the table saw them [6-2-2, 6-2-5, ruling 6].

        No car leaves its stretch by it, and where the round began stays between those who stood ahead of it and those
        who still wait behind.
        """
        cars, behind = [self.car(number) for number in order], self.behind_the_start()
        for stretch in {self.stretch(car.at) for car in cars}:
            here = [car for car in cars if self.stretch(car.at) == stretch]
            for car, arrived in zip(here, sorted(car.arrived for car in here), strict=True):
                car.arrived = arrived
        if order and self.race.sweep is not None:
            begin = self.race.sweep // STRETCH * STRETCH
            self.race.sweep = max([begin, *(self.book.order.along(car) for car in behind)])

    def behind_the_start(self) -> list[C]:
        """Return the cars that still wait behind where the round began, in that stretch; not the one that moves."""
        sweep = self.race.sweep or 0
        waiting = [car for car in self.book.order.waiting() if car.number != self.move.car]
        return [car for car in waiting if 0 <= sweep - self.book.order.along(car) <= sweep % STRETCH]

    def stood_ahead(self, car: C) -> list[int]:
        """On a corner sheet, the cars ahead of one in its stretch; on a board that is known nobody need ask."""
        if self.track.known == "space":
            return []
        here = self.stretch(car.at)
        return [
            other.number for other in self.others(car) if self.stretch(other.at) == here and other.arrived < car.arrived
        ]

    def went_by(self, car: C, other: C, before: int, now: int) -> bool:
        """Return True if a car went by another on the loop, stretch by stretch, in one as they stood.

        [6-2-5]
        """
        begin, span = before // STRETCH, now // STRETCH - before // STRETCH
        gap = (self.stretch(other.at) - begin) % (self.book.order.lap_length // STRETCH)
        if gap == 0 and other.number not in self.move.stood_ahead:
            return False
        return gap < span or (gap == span and car.arrived < other.arrived)

    def saw_question(
        self, car: C, spaces: int, *, soft: bool = True, least: int = 0, tow: bool = False
    ) -> Form[dict[str, Json]] | None:
        """Ask where the car stopped and what it met, as the table saw it."""
        if not car.alive or car.at is None:
            return None
        places = self.places_ahead(car, tow=tow)
        if tow:
            places = [
                place for place in places if self.entry_brake(car, place) <= self.book.wear.points_left(car, "brakes")
            ]
        slide = 0 if self.move.slid else self.book.tyres.slide(car)
        braked, blocked = self.may_fall_short(spaces, slide, tow=tow)
        extra = self.book.tyres.soft_spaces(car) if soft else 0
        furthest = spaces + slide + extra
        places = [place for place in places if self.fewest(car, place) <= furthest]
        missed = {place: self.missed(car, place) for place in places}
        over = max((self.overshot_range(car, place, overs, furthest)[1] for place, overs in missed.items()), default=0)
        last = self.book.finish.last_lap(car)
        home = last and car.in_pits  # once it is out of them: nothing is tested on the way
        touched = {number for place in places for number in self.near(car, place)}
        near = [other.number for other in self.others(car) if other.number in touched]
        fields: dict[str, Json] = {
            "in": [self.spoken(place) for place in places],
            "line": [False, True],
            "brakes": [0, min(self.book.landings.most_brakes(car), braked - least)],
            "soft": [0, extra],
            "overshot": [0, over],
            "blocked": [0, blocked],
            "dangers": [0, 20 if self.book.tests.tests_debris(car) and not home else 0],
            "walls": [0, 9 if self.track.wall >= 0 and not home else 0],
            "to_box": [0, self.book.car_ranges["to_box"][1] if f"pit:{car.box}" in places and not car.stop else 0],
            "beside": near,
            "ahead": near,
            "order": [other.number for other in self.book.order.in_running_order([*self.others(car), car])],
            "spaces": spaces,
            "slide": slide,
            "entry": self.book.slipstream.entry_brakes() if tow else 0,
            "past": self.past(car, missed, furthest),
            "last_lap": last,
        }

        def check(answer: JsonValue) -> dict[str, Json]:
            return self.read_saw(car, answer, places, fields, tow=tow)

        offered = []
        for place, said in zip(places, fields["in"], strict=True):
            beyond = place != "after:0" and self.is_home(car, place)
            if not beyond and not missed[place]:
                answer: dict[str, Json] = {"in": said}
                facts = self.stop_there(car, place)
                entry = self.brakes_besides(car, place, tow=tow)
                cost = self.book.wear.option_cost(self.book.slipstream.entry_cost(entry))
                if not self.must_cross(car, place):
                    here: dict[str, Json] = {"past_line": True} if place == "after:0" else facts
                    here = {**here, **self.ends(car, place, line=False).option_facts()}
                    offered.append(Option(dict(answer), cost, here))
                if not place.startswith(("pit", "box")) and not car.in_pits and self.can_cross(car, place):
                    facts = {**facts, **self.ends(car, place, line=True).option_facts()}
                    offered.append(Option({**answer, "line": True}, cost, facts))
        return Form("saw", car.number, self.article("7-1-1"), fields, check, offered, what=f"spaces_{spaces}")

    def may_fall_short(self, spaces: int, slide: int, *, tow: bool) -> tuple[int, int]:
        """Return how many spaces of a move and its slide may be braked away, and how many may be blocked.

        [11-0-1, 12-0-1]
        """
        return spaces + slide, spaces + slide

    def ends(self, car: C, place: str, *, line: bool) -> Cost:
        """Return the end of a car whose turn ends in a place, over the line or not; none in most rulebooks."""
        return FREE

    def stop_there(self, car: C, place: str) -> dict[str, Json]:
        """Return which stop of how many a turn makes that ends in a place; empty where none is due.

        [6-2-1, 7-1-1]
        """
        corner = self.book.corners.corner_of(place)
        if corner < 0:
            return {}
        made = self.move.made if corner == self.book.corners.corner_of(self.move.begin) else 0
        stops = self.track.corners[corner].stops
        return {"stops": made + 1, "of": stops} if made < stops else {}

    def past(self, car: C, missed: dict[str, list[Over]], furthest: int) -> dict[str, Json] | None:
        """Return the answer for a car that drove past the first corner which still wants a stop, but for how far.

        It has the number of stops that the car misses there, whether these put it out, and the most spaces beyond the
        corner for a move of at most `furthest` [7-1-1, 10-0-1, 10-1].
        """
        for place, overs in missed.items():
            if overs:
                answer: dict[str, Json] = {"in": self.spoken(place)}
                if self.must_cross(car, place):
                    answer["line"] = True
                return {
                    "answer": answer,
                    "corner": overs[0].corner + 1,
                    "missing": overs[0].missing,
                    "out": self.book.corners.puts_out(overs[0].missing),
                    "most": self.overshot_range(car, place, overs, furthest)[1],
                }
        return None

    def read_saw(
        self, car: C, answer: JsonValue, places: list[str], fields: dict[str, Json], *, tow: bool
    ) -> dict[str, Json]:
        """Check what the table says it saw; raises BadAnswer where it contradicts the sheet, the die or the car."""
        if not isinstance(answer, dict) or "in" not in answer:
            raise BadAnswer("seen_place", example='{"in": "after corner 3"}')
        known = {"in", "line", "beside", "ahead", "order", *COUNTS}
        if unknown := sorted(set(answer) - known):
            raise BadAnswer("seen_keys", known=", ".join(sorted(known)), wrong=", ".join(unknown))
        by_name = dict(zip(fields["in"], places, strict=True))
        place = by_name.get(answer["in"]) if isinstance(answer["in"], str) else None
        if place is None:
            raise BadAnswer("seen_unreachable", known=", ".join(by_name), place=answer["in"])
        line = self._read_line(car, place, answer.get("line", False))
        counts = {name: whole(answer.get(name, 0)) for name in COUNTS}
        for name, count in counts.items():
            low, high = fields[name]
            if count < low or (count > high and name != "overshot"):  # of which the corners say more
                raise BadAnswer("count_range", car=car.number, name=name, low=low, high=high, count=count)
        pits = place.startswith(("pit", "box"))
        if counts["to_box"] and not place.startswith("pit"):
            raise BadAnswer("seen_box", place=answer["in"])
        overs = self.missed(car, place)
        slides = self.slides(car, place, {**counts, "overs": overs}, fields["spaces"])
        way = fields["spaces"] + counts["soft"] + (fields["slide"] if slides else 0)
        self._check_distance(car, place, counts, way, pits=pits, tow=tow, line=line)
        finishes = (line or car.in_pits) and not pits and self.book.finish.last_lap(car)
        if overs and not counts["overshot"] and not finishes:
            corner = overs[0].corner + 1
            raise BadAnswer("seen_corner_due", corner=corner)
        if counts["overshot"] and not overs:
            raise BadAnswer("seen_nothing_over")
        moved = way - counts["brakes"] - counts["blocked"]
        least, most = self.overshot_range(car, place, overs, moved, home=finishes)
        if overs and not least <= counts["overshot"] <= most:
            several = len(overs) if len(overs) > 1 else 0
            raise BadAnswer("seen_over", moved=moved, over=counts["overshot"], several=several, least=least, most=most)
        if overs:
            overs[0] = replace(overs[0], spaces=counts["overshot"])
        if finishes and counts["blocked"]:
            raise BadAnswer("seen_not_blocked")
        beside, ahead, order = self._read_company(car, place, answer)
        return {
            "at": place,
            "line": line,
            "overs": overs,
            "beside": beside,
            "ahead": ahead,
            "order": order,
            **counts,
        }

    def _read_line(self, car: C, place: str, line: Json) -> bool:
        if not isinstance(line, bool):
            raise BadAnswer("seen_line")
        if line and not self.can_cross(car, place):
            raise BadAnswer("seen_line_elsewhere")
        if not line and self.must_cross(car, place):
            raise BadAnswer("seen_line_crossed")
        return line

    def _check_distance(
        self,
        car: C,
        place: str,
        counts: dict[str, int],
        way: int,
        *,
        pits: bool,
        tow: bool,
        line: bool,
    ) -> None:
        gone = counts["brakes"] + counts["blocked"]
        if gone > way or (gone == way and (place != car.at or line)):
            raise BadAnswer("seen_way", way=way, brakes=counts["brakes"], blocked=counts["blocked"])
        if way - gone < (fewest := self.fewest(car, place)):
            raise BadAnswer("seen_too_far", moved=way - gone, place=self.spoken(place), fewest=fewest)
        if pits and counts["blocked"]:
            raise BadAnswer("seen_pit_block")
        if pits and car.in_pits and counts["brakes"] and not self.book.landings.brakes_in_lane:
            raise BadAnswer("seen_pit_brake")
        if tow and counts["brakes"] + self.entry_brake(car, place) > self.book.wear.points_left(car, "brakes"):
            raise BadAnswer("slipstream_brake", car=car.number, brakes=car.wear["brakes"])
        if pits and counts["brakes"] + self.brakes_besides(car, place, tow=tow) > self.book.wear.points_left(
            car, "brakes"
        ):
            raise BadAnswer("pit_entry_brake", car=car.number, brakes=self.book.wear.points_left(car, "brakes"))

    def near(self, car: C, place: str) -> list[int]:
        """Return the cars that one which has stopped in a place may touch [14-1, 19-5-3, rulings 20, 38].

        They are those on the track with no corner between, since a straight may have no space in a lane; the line
        divides nothing, and in the pits nobody is touched.
        """
        road = 2 * len(self.track.corners)
        here = self.stretch(place) % road
        reach = 2 if here % 2 else 1
        gaps = {other.number: (self.stretch(other.at) - here) % road for other in self.others(car) if not other.in_pits}
        return [number for number, gap in gaps.items() if min(gap, road - gap) <= reach]

    def _read_company(self, car: C, place: str, answer: dict[str, Json]) -> tuple[list[int], int, list[int]]:
        beside, order = answer.get("beside", []), answer.get("order", [])
        ahead = answer.get("ahead")
        if not isinstance(beside, list) or not isinstance(order, list):
            raise BadAnswer("order_lists")
        standing = {other.number for other in self.race.cars if other.standing}
        for number in [*beside, *order, *([ahead] if ahead is not None else [])]:
            if whole(number) not in standing:
                raise BadAnswer("car_not_on_board", car=number)
        for name, numbers in (("beside", beside), ("order", order)):
            if len(set(numbers)) < len(numbers):
                raise BadAnswer("car_twice", name=name)
        if car.number in beside or ahead == car.number:
            raise BadAnswer("beside_itself", car=car.number)
        if ahead in beside:
            raise BadAnswer("beside_and_ahead", car=ahead)
        near = self.near(car, place)
        for number in [*beside, *([ahead] if ahead is not None else [])]:
            if number not in near:
                raise BadAnswer("beside_too_far", car=number)
        return list(beside), ahead or 0, list(order)

    def displace_unseen(self, car: C, spaces: int, *, soft: bool = True, least: int = 0) -> Procedure[None]:
        """Make the move of a turn as the table saw it, then its slipstreams [6-3.5 to 6-3.9]."""
        seen, way = yield from self.read_move(car, spaces, soft=soft, least=least)
        self.see(car, seen, way)
        while True:
            try:
                taken = yield from ask(self.tow_question, car)
            except QuestionWithdrawn:
                return
            if not taken:
                return
            spaces = self.book.slipstream.spaces()
            self.move.slipstreams += 1
            self.rule("slipstream", "18-0-3", car, spaces=spaces)
            seen, way = yield from self.read_move(car, spaces, soft=soft, least=1, tow=True)
            entry = self.entry_brake(car, str(seen["at"]))
            self.see(car, seen, way)
            self.book.slipstream.pay_entry(car, entry)

    def read_move(
        self, car: C, spaces: int, *, soft: bool, least: int, tow: bool = False
    ) -> Procedure[tuple[dict[str, Json], int]]:
        """Return what the table saw of a way, and the length of the way."""
        seen = yield from ask(self.saw_question, car, spaces, soft=soft, least=least, tow=tow)
        return seen, spaces

    def tow_question(self, car: C, **facts: Json) -> Choice[bool] | None:
        """Ask whether the slipstream is taken: null to leave it, true to take it [18-0-2, 18-2-1].

        The next question is where it ended.
        """
        if (
            car.at is None
            or car.in_pits
            or not self.book.slipstream.can_slipstream(car, self.book.blocking.car_in_front(car))
        ):
            return None
        question = Choice(
            "slipstream",
            car.number,
            self.article("18-0-2"),
            [(Option(None, facts=facts), False), (Option(True, facts=facts), True)],
            what=f"tow_{self.move.slipstreams + 1}",
        )
        question.fields = facts or None
        return question

    def see(self, car: C, seen: dict[str, Json], spaces: int) -> None:
        """Note what was seen as the move of the car, by the same articles as on a board that is known."""
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
        slide = self.book.tyres.slide(car) if slides else 0
        moved = spaces + slide + seen["soft"] - seen["brakes"] - seen["blocked"]
        terms = self.book.moving.terms(car, slide, seen["soft"], seen["brakes"], seen["blocked"])
        move.moved += moved
        if at != begin:
            race.turn += 1
            car.arrived = race.turn
        self.rule("move", "6-2-1", car, begin=begin, at=at, moved=moved, **terms)
        if slides:
            move.slid = True
            self.rule("slide", SLIDES[car.tyres or "hard"], car, spaces=slide)
        if seen["soft"]:
            self.book.tyres.gain(car, seen["soft"])
        move.braked += seen["brakes"]
        self.book.moving.brake(car, seen["brakes"])
        if into_pits:
            self.book.pits.into_pits(car, at)
            if car.status == "pit" and not car.stop and not seen["to_box"]:
                for article in self.book.reminders.get("lane", ()):
                    self.rule("reminder", article, car, moment="lane")
        elif car.in_pits:
            self.book.pits.leave_lane(car)
        car.at, car.to_box = at, seen["to_box"]
        if crosses:
            move.crossed, move.finished = True, self.book.finish.last_lap(car)
            car.lap += 1
        self.set_in_order(seen["order"])

    def slides(self, car: C, at: str, seen: dict[str, Json], spaces: int) -> bool:
        """Return True if the move slid: in the wet, once a turn, if it was in a corner where a stop is owed.

        A car that braked as much as the die has shown stood still; one that braked more did so on the slide [8-0-1,
        8-1-2, 8-2-2, 8-3-2, rulings 15, 25 to 27].
        """
        slide, braked = self.book.tyres.slide(car), seen["brakes"]
        stood = at == car.at and (braked == spaces or braked >= spaces + slide)
        if self.move.slid or not slide or stood:
            return False
        corner = self.book.corners.corner_of(at)
        if self.book.tyres.slides_anyway() and max(corner, self.book.corners.corner_of(car.at)) >= 0:
            return True
        if corner < 0:
            return bool(seen["overs"])
        made = self.move.made if corner == self.book.corners.corner_of(self.move.begin) else 0
        return made < self.track.corners[corner].stops
