"""The referee's word: a value set by hand, what it may be, and whose turn it is then."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadOverride
from companion.rules.conversation.kinds import DiceCause
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.setup import UNDER, WINGS, SetupBook
from companion.rules.dice.state import C

_CAUSES: Final = tuple(cause for cause in get_args(DiceCause) if cause)

MOST_USES: Final = 9
"""The most uses of an allowance in a lap that a word can set."""
ENDINGS: Final = ("now", "half", "none")

_LISTS: Final = {"dangers": '["5:left:3"]', "order": "[3, 1, 2]", "due": "[3]"}


class Referee(DiceChapter[C, R, F]):
    """The values that the referee may set."""

    book: SetupBook[C, R, F]

    # -- a value set

    def set_in_turn(self, change: Mapping[str, Json]) -> bool:
        """Set values by the referee's word; return True if the open question no longer applies.

        The car whose turn it is can no longer play it, or begins it otherwise, or before the start the weather comes
        first [0-0-3, 2-0-1, ruling 103]. Before it has moved, its turn begins from what was set [6-2-5]: before the
        roll it moves in the gear that was set, and without one it takes another [6-3-3]. Where it was out before, the
        tests that its end brings to others go on [12-1-5, 16-0-1].
        """
        fresh, (status, geared) = self._turn_is_fresh(), self._in_turn()
        plays = self.race.move is not None and self.car(self.race.move.car).alive
        self.book.set_by_word(change)
        race = self.race
        if fresh and race.move is not None:
            self._begin_turn_again()
        if race.move is None:
            return not race.surface
        alive = self.car(race.move.car).alive
        now, gear = self._in_turn()
        if fresh and race.move.gear and race.move.face == 0:
            race.move.gear = gear  # the die is not rolled yet: it is that of the gear that was set
        other = status != now or (geared and not gear)
        if alive and fresh and race.move.face == 0 and other:
            race.move = None  # nothing has been driven yet: it begins its turn otherwise
            return True
        return plays and not alive

    def override(self, change: Mapping[str, Json]) -> bool:
        """Set values by the referee's word; return True if the open question no longer applies.

        At the beginning of a turn another car is asked if its turn now comes first; at the beginning of a round that
        goes by the leader that is the car that leads now [0-0-2, 6-2-2, ruling 4].
        """
        first, by_leader = self._first_in_turn(), self.race.sweep == self._leaders_place()
        if self.set_in_turn(change) or change.keys() & set(self.book.race_endings):
            return True
        race, move = self.race, self.race.move
        if move is None or move.gear or move.face or not self._turn_is_fresh():
            return False
        if by_leader and not race.played and not race.called:
            race.sweep = self._leaders_place()
        now = self._first_in_turn()
        if now is None or now in (first, move.car):
            return False
        race.move = None
        return True

    def _leaders_place(self) -> int | None:
        """Return the place of the leader along the lap."""
        leader = self.book.order.leader()
        return None if leader is None else self.book.order.standing(leader) % self.book.order.lap_length

    def _first_in_turn(self) -> int | None:
        """Return the car whose turn comes first of those that still play this round."""
        if self.race.sweep is None or self.race.phase != "race":
            return None
        first = self.book.order.next_to_play()
        return None if first is None else first.number

    def _in_turn(self) -> tuple[str, int]:
        """Return the status and the gear of the car whose turn it is."""
        car = self.car(self.race.move.car) if self.race.move is not None else None
        return (car.status, car.gear) if car is not None else ("", 0)

    def _turn_is_fresh(self) -> bool:
        """Return True if the car whose turn it is still stands where its turn began."""
        move = self.race.move
        return move is not None and move.moved == 0 and self.car(move.car).at == move.begin

    def _begin_turn_again(self) -> None:
        """Let the turn begin from what the referee has set: whom the car passes is counted from there [6-2-5]."""
        move = self.move
        car = self.car(move.car)
        if (car.at, car.lap) != (move.begin, move.lap):
            move.before = self.book.order.progress(car)
        move.begin, move.lap, move.made = car.at or "", car.lap, car.stops
        move.stood_ahead = self.book.sheet.stood_ahead(car)

    # -- of the race

    def set_race(self, race: R, name: str, value: Json) -> None:
        allowed = {"sky": ("sun", "changeable", "rain"), "surface": ("dry", "wet")}.get(name)
        if allowed is not None:
            if value not in allowed:
                kind = "sky_kind" if name == "sky" else "surface_kind"
                raise BadOverride(kind, known=", ".join(allowed), value=value)
            setattr(race, name, value)
            if name == "sky" and race.phase == "setup":
                self.book.weather.sky_by_word()
            elif name == "sky":
                self.set_sky(race)
                self.set_surface_of_sky(race)
        elif name == "cut_short":
            self.cut_short(race, value)
        elif name == "red_flag":
            self.red_flag(race, value)
        elif name == "fixed":
            if not isinstance(value, bool):
                raise BadOverride("fixed")
            race.fixed = value
            self.set_sky(race)
        elif not isinstance(value, list):
            raise BadOverride("list_wanted", name=name, example=_LISTS[name])
        elif name == "due":
            race.due = [self.car(number).number for number in value]
        elif name == "dangers":
            race.dangers = sorted({self.space_named(space) for space in value})
        else:
            self.set_order(race, value)

    def set_sky(self, race: R) -> None:
        """Count a sky set over changeable weather as the last one drawn; a changeable one is never final."""
        race.fixed = race.fixed and race.sky != "changeable"
        if not race.fixed:
            race.drawn = race.sky

    def set_surface_of_sky(self, race: R) -> None:
        """Set the surface that goes with the sky [3-2-2, 3-2-3]."""
        surface = UNDER.get(race.sky, race.surface)
        if surface != race.surface:
            race.surface = surface
            self.rule("surface", self.book.word, None, surface=surface)

    def set_order(self, race: R, order: list[Json]) -> None:
        """Set the order of the cars that still play this round; level ones also arrived in it."""
        if race.phase != "race":
            raise BadOverride("order_too_early")
        for number in order:
            if isinstance(number, bool) or not isinstance(number, int) or order.count(number) > 1:
                raise BadOverride("order_form")
            if not self.car(number).standing:
                raise BadOverride("order_gone", car=number)
        race.played = [car.number for car in race.cars if car.standing and car.number not in order]
        race.called = list(order)
        arrivals = sorted(self.car(number).arrived for number in order)
        for number, arrived in zip(order, arrivals, strict=True):
            self.car(number).arrived = arrived

    def space_named(self, name: Json) -> str:
        """Return the name of a space, on a corner sheet of a stretch.

        Raises BadOverride if the circuit has none of that name.
        """
        if not self.track.has_place(name):
            raise BadOverride("no_space.said", track=self.track.name, at=name, form=self.track.place_form)
        return str(name)

    def cut_short(self, race: R, value: Json) -> None:
        """End the race where the cars stand, for full points, half of them, or none [ruling 104]."""
        if race.phase != "race":
            raise BadOverride("end_not_running")
        if value not in ENDINGS:
            raise BadOverride("end_value")
        race.cut_short = value

    def red_flag(self, race: R, value: Json) -> None:
        """Stop the race: clear the track, and put the cars that still race on the grid in running order.

        Wrecks, broken engines and markers are cleared away; each car is in the lap that it was in and has the wear that
        it had [ruling 105].
        """
        if race.phase != "race" or race.cut_short:
            raise BadOverride("red_flag_not_running", over=race.phase != "setup")
        if value != "now":
            raise BadOverride("red_flag_value")
        if race.home or any(car.alive and car.lap > race.laps for car in race.cars):
            raise BadOverride("red_flag_too_late")
        race.move = None
        for car in race.cars:
            if car.status == "wreck":
                self.book.wear.clear(car)
            elif car.coast:
                self.book.wear.eliminate(car, "engine", "ruling 105", removed=True)
        grid = [number for number in self.book.order.running_order() if self.car(number).alive]
        if len(grid) > (slots := self.book.preparing.grid_slots):
            raise BadOverride("red_flag_slots", count=len(grid), slots=slots)
        race.sweep = None
        for listed in (race.played, race.called, race.dangers):
            listed.clear()
        race.red_flags += 1
        self.rule("red_flag", "ruling 105", None, order=grid)
        self.book.preparing.form_up_again([self.car(number) for number in grid])

    # -- of a car

    def set_car(self, car: C, values: Mapping[str, Json]) -> None:
        """Set the values of a car; on the grid no gear is in, and no line was crossed [9-0-1]."""
        for name, value in sorted(values.items()):  # the place before the stops that it would make void
            if name in ("cause", "coast", "turned"):
                self.set_with_status(car, name, values)
            elif name in ("wear", "built"):
                self.set_points(car, name, value)
            elif name == "at":
                self.set_place(car, value)
            elif name == "status":
                self.set_status(car, value, values)
            else:
                self.set_plain(car, name, value)
        if car.status == "grid" and (car.gear or car.lap != car.grid_lap):
            raise BadOverride("on_grid", car=car.number)

    def set_points(self, car: C, name: str, wear: Json) -> None:
        """Set the points by pool: what is left of them, or what the car was built with."""
        if not isinstance(wear, dict):
            raise BadOverride("wear_by_pool", example='{"tyres": 4}')
        if not car.wear:
            raise BadOverride("not_built", car=car.number)
        for pool, points in wear.items():
            if pool not in self.race.pools:
                raise BadOverride("no_pool", pool=pool, known=", ".join(self.race.pools))
            if isinstance(points, bool) or not isinstance(points, int) or not 0 <= points <= 60:
                raise BadOverride("pool_range", pool=pool, points=points)
            getattr(car, name)[pool] = points

    def set_place(self, car: C, place: Json) -> None:
        """Set the place of a car; in another corner, or out of one, it has made no stop there.

        In the second half of the lap its set has come round.
        """
        name = self.space_named(place)
        for other in self.others(car):
            if other.at == name and self.track.known == "space" and not self.book.pits.holds_many(name):
                raise BadOverride("car_on_space", car=other.number, at=name)
        before = self.book.corners.corner_of(car.at)
        car.at, car.still = name, 0
        if car.alive and (car.in_pits or name.startswith(("pit:", "box:"))):
            self.set_in_pits(car)
        if self.book.corners.corner_of(car.at) != before:
            car.stops = 0
        if self.book.tyres.come_round(car):
            car.round_set = True
        if car.number in self.race.at_line:
            self.race.at_line.remove(car.number)

    def lap_over_line(self, car: C, values: Mapping[str, Json]) -> dict[str, Json]:
        """Return the lap, and the age of the set, that go with a place across the line [8-0-2, 0-0-1].

        Empty for a car that stays on its side. The line lies on the shorter way to the place, but a car that has not
        crossed it since its start stands no further back than the grid, and none is in the pits before they open
        [19-1-7, ruling 33].
        """
        place, order, preparing = values["at"], self.book.order, self.book.preparing
        if not self.track.has_place(place):
            return {}
        there, lap = order.along_at(place), car.lap
        if car.at is not None and 2 * abs(there - (here := order.along_at(car.at))) > order.lap_length:
            lap = lap + 1 if there < here else max(0, lap - 1)
        if lap <= car.grid_lap and there < order.along_at(preparing.grid_place(preparing.grid_slots - 1)):
            lap = car.grid_lap + 1
        if place.startswith(("pit:", "box:")):
            lap = max(lap, self.book.pits.first_lap(place))
        if lap == car.lap:
            return {}
        age = max(0, car.tyre_laps + car.laps_done(lap) - car.laps_done(car.lap))
        ages = not car.fresh and age != car.tyre_laps and "tyre_laps" in self.book.car_values
        return {"lap": lap, "tyre_laps": age} if ages else {"lap": lap}

    def set_in_pits(self, car: C) -> None:
        """Set the status of a car in the pits: in the lane its stop is to come, unless it is beyond its box.

        One in a box waits there; on the track it races. On a corner sheet, where pits are called by the box, a car that
        has none yet takes this one [19-2-5, ruling 81].
        """
        where, _, box = (car.at or "").partition(":")
        if self.track.known == "corner" and not car.box:
            car.box = int(box)
        car.status = "pit" if where == "pit" else "box" if where == "box" else "racing"
        car.stop, car.coast = "missed" if where == "box" else "", 0
        if where == "pit" and self.book.pits.past_box(car):
            car.stop = "left"

    def set_status(self, car: C, status: Json, values: Mapping[str, Json]) -> None:
        if status not in self.book.statuses:
            raise BadOverride("status_kind", statuses=list(self.book.statuses), status=status)
        cause = values.get("cause", car.cause or "referee")
        if status == "out":
            self.set_gone(car, cause, removed=True)
            return
        if car.at is None:
            raise BadOverride("status_too_early" if self.race.phase == "setup" else "not_on_board", car=car.number)
        if self.must_move(car):
            raise BadOverride("place_taken", at=car.at, car=car.number)
        if status == "wreck":
            self.set_gone(car, cause, removed=False)
            return
        if status == "grid":
            self.set_before_start(car)
        in_pits = car.at.startswith(("pit:", "box:"))
        if in_pits and status not in ("racing", "coasting"):
            raise BadOverride("in_pits", car=car.number, status=status)
        car.status = next(one for one in self.book.statuses if one == status)  # a state leaves out this "grid" alone
        car.turned, car.cause = bool(values.get("turned")), ""
        car.coast = values.get("coast", 4) if status == "coasting" else values.get("coast", 0)
        if in_pits and status == "racing":
            self.set_in_pits(car)
        for listed in (self.race.gone, self.race.home, self.race.at_line):
            if car.number in listed:
                listed.remove(car.number)

    def must_move(self, car: C) -> bool:
        """Return True if a car that is off the board needs a place before it can have another status.

        It has none, or another car stands there by now.
        """
        if car.at is None:
            return True
        full = self.track.known == "space" and not self.book.pits.holds_many(car.at)
        return full and not car.standing and any(other.at == car.at for other in self.others(car))

    def set_before_start(self, car: C) -> None:
        """On the grid no gear is in: the start die comes before the first one [9-0-1]."""
        if car.lap:
            raise BadOverride("over_line", car=car.number)
        car.gear = 0

    def set_gone(self, car: C, cause: Json, *, removed: bool) -> None:
        """Put a car out by the referee's word, off the board or standing there as a wreck.

        It has the cause that he says, else its own; a car that was home is home no more.
        """
        if cause not in _CAUSES:
            raise BadOverride("cause_kind", causes=list(_CAUSES), cause=cause)
        home = self.race.home
        if car.number in home:
            car.status = "racing"
        if car.alive:
            self.book.wear.eliminate(car, cause, self.book.word, removed=removed)
        else:
            car.status = "out" if removed else "wreck"
        if car.number in home:
            home.remove(car.number)
        car.cause = cause

    def set_with_status(self, car: C, name: str, values: Mapping[str, Json]) -> None:
        """Check a value that goes with a status.

        It is the cause of a car that is out, the gear in which a coasting car is next, or whether a spun one has been
        put straight.
        """
        wanted = {"cause": ("out", "wreck"), "coast": ("coasting", "spun"), "turned": ("spun", "stalled")}[name]
        if values.get("status") not in wanted:
            known = [status for status in wanted if status in self.book.statuses]
            raise BadOverride("goes_with_status", name=name, statuses=known)
        if name == "turned" and not isinstance(values[name], bool):
            raise BadOverride("turned")
        if name == "coast":
            low, high = self.book.car_ranges[name]
            if type(values[name]) is not int or not low <= values[name] <= high:
                raise BadOverride("car_value_range", name="coast", low=low, high=high, value=values[name])

    def set_plain(self, car: C, name: str, value: Json) -> None:
        if name == "uses":
            self.set_uses(car, value)
            return
        if name in ("stand", "bought") and not car.wear:
            raise BadOverride("not_built", car=car.number)
        if name == "tyres":
            if value not in (kinds := self.book.pits.compounds()):
                raise BadOverride("tyres_kind", kinds=", ".join(kinds), value=value)
        elif name == "wings":
            if value not in WINGS:
                raise BadOverride("wings_kind", kinds=", ".join(WINGS), value=value)
        else:
            low, high = self.book.car_ranges[name]
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise BadOverride("car_value_range", name=name, low=low, high=high, value=value)
        if name == "stops":
            self.set_stops(car, value)
            return
        if name == "lap":
            if (car.lap == car.grid_lap) != (value <= car.grid_lap):
                self.set_first_crossing(car, crossed=value > car.grid_lap)
            car.grid_lap = min(car.grid_lap, value)
            car.tyre_laps = min(car.tyre_laps, car.laps_done(value))
        setattr(car, name, value)

    def set_stops(self, car: C, stops: int) -> None:
        """Set the stops of a car in the corner in which it stands, on its move too [7-1-1]."""
        car.stops = stops
        if fault := next(self.book.position.stops_faults(car), None):
            raise BadOverride.of(fault)

    def set_uses(self, car: C, uses: Json) -> None:
        """Set how often a car has used allowances, each in a lap."""
        counts = uses.values() if isinstance(uses, dict) else (None,)
        if any(type(count) is not int or not 0 <= count <= MOST_USES for count in counts):
            raise BadOverride("used_form", most=MOST_USES, example='{"top:2": 1}')
        car.uses = [use for use, count in {**car.allowances, **uses}.items() for _ in range(count)]

    def set_first_crossing(self, car: C, *, crossed: bool) -> None:
        """Set whether a car has made the first crossing of the line, off the grid, which ages no set.

        [8-2-1, ruling 33]
        """
        car.fresh = not crossed
