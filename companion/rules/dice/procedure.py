"""What every rule stands on: the race's state, its figures, noting a ruling, crossing off a wear point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, Generic, get_args

from companion.rules.circuit.distance import without_wall
from companion.rules.circuit.track import Track
from companion.rules.circuit.ways import board_of
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadOverride
from companion.rules.conversation.kinds import DiceCause, DiceKind, Pool, Pools
from companion.rules.conversation.rulebook import Floor
from companion.rules.dice.figures import Figures
from companion.rules.dice.state import C, Move, Race

_CAUSES: Final = tuple(cause for cause in get_args(DiceCause) if cause)
_LISTS: Final = {"dangers": '["5:left:3"]', "order": "[3, 1, 2]", "due": "[3]"}


class Procedure(Floor[C], Generic[C]):
    """The ground floor of the rulebooks of dice and gears: no rule of the game is here, only what rules are written
    with."""

    race: Race[C]
    track: Track
    figures: Figures
    race_type: ClassVar[type[Race[Any]]] = Race
    figures_type: ClassVar[type[Figures]] = Figures
    pool_of: ClassVar[Mapping[Pool, Pool]] = {}
    """The pool that pays for a part of the car, where that is not the part's own."""
    car_ranges: ClassVar[Mapping[str, tuple[int, int]]] = {
        "gear": (0, 6),
        "lap": (0, 100),
        "stops": (0, 3),
        "stand": (0, 10),
        "tyre_laps": (0, 99),
        "arrived": (0, 1_000_000),
        "coast": (-1, 4),
        "to_box": (0, 60),
    }
    """What the numbers of a car may be, in a setup and by the referee's word."""
    race_ranges: ClassVar[Mapping[str, tuple[int, int]]] = {
        "laps": (1, 99),
        "round": (0, 100_000),
        "turn": (0, 1_000_000),
    }
    car_values: ClassVar[tuple[str, ...]] = (
        "wear", "gear", "at", "lap", "stops", "tyres", "tyre_laps", "status", "stand",
    )  # fmt: skip
    """What the referee's word can set on a car."""
    race_values: ClassVar[tuple[str, ...]] = ("sky", "surface", "order", "dangers")
    """What the referee's word can set on the race."""
    car_details: ClassVar[tuple[str, ...]] = ("cause", "coast", "turned")
    race_details: ClassVar[tuple[str, ...]] = ("fixed", "due")
    statuses: ClassVar[tuple[str, ...]] = ("racing", "stalled", "spun", "out")
    """What the referee's word can make of a car."""
    walled: ClassVar[bool] = True
    by_spaces: ClassVar[bool] = False
    """Whether it needs a circuit known to the space, for what no table counts by hand."""
    """Whether the outside lane of an oval is a wall; where it is not, the wall is scenery."""
    reminders: ClassVar[Mapping[str, Sequence[str]]] = {}
    """What people must see to by hand, by the moment at which they are reminded."""

    def __init__(self, race: Race[C], track: Track, figures: Figures) -> None:
        super().__init__(race, track if self.walled else without_wall(track), figures)
        self.board = board_of(self.track)

    # -- words for the rules

    @property
    def move(self) -> Move:
        """The turn being played."""
        move = self.race.move
        assert move is not None, "no turn is being played"
        return move

    @property
    def wet(self) -> bool:
        """Whether the track is wet."""
        return self.race.surface == "wet"

    # -- wear

    def left(self, car: C, part: Pool) -> int:
        """The points that a part of the car can still pay with."""
        return car.wear[self.pool_of.get(part, part)]

    def pooled(self, points: Mapping[Pool, int]) -> Mapping[Pool, int]:
        """Points of the parts of a car as the pools that pay them."""
        if not self.pool_of:
            return points
        pooled: Pools = {}
        for part, count in points.items():
            pool = self.pool_of.get(part, part)
            pooled[pool] = pooled.get(pool, 0) + count
        return pooled

    def cost(self, points: Mapping[Pool, int]) -> Pools:
        """What an answer costs, as its option tells it: points by pool, negative, without zeros."""
        return {pool: -count for pool, count in self.pooled(points).items() if count}

    def works(self, car: C, part: Pool) -> bool:
        """Whether a part of the car still holds: it does while a point of it is left [5-1-1]."""
        return self.left(car, part) > 0

    def fatal(self, car: C, part: Pool, points: int = 1) -> bool:
        """Whether so many points lost from a part end the car's race: the last one does [5-1-1]."""
        return self.left(car, part) <= points

    def remind(self, moment: str) -> None:
        """Shows people once what they must see to themselves at this moment."""
        if moment not in self.race.told:
            self.race.told.append(moment)
            for article in self.reminders.get(moment, ()):
                self.rule("reminder", article, moment=moment)

    def lose(self, car: C, kind: DiceKind, article: str, points: Mapping[Pool, int], **facts: Json) -> None:
        """Crosses points off one of the six pools and notes why; never below zero [0-0-4, 5-0-1]."""
        wear = {}
        for pool, count in self.pooled(points).items():
            lost = min(count, car.wear[pool])
            if lost:
                car.wear[pool] -= lost
                wear[pool] = -lost
        self.rule(kind, article, car, wear, **facts)

    def holds_many(self, space: str | None) -> bool:
        """Whether a space has room for any number of cars; in most rulebooks none has."""
        return False

    def others(self, car: C) -> Iterator[C]:
        """Every other car that stands on the board."""
        return (other for other in self.race.cars if other is not car and other.standing and other.at is not None)

    # -- leaving the race

    def eliminate(self, car: C, cause: DiceCause, article: str, *, removed: bool, **facts: Json) -> None:
        """Puts a car out: taken off at once, or left standing as a wreck until its next turn."""
        if not car.alive:
            return
        car.status = "out" if removed else "wreck"
        car.cause, car.coast, car.stop, car.stops = cause, 0, "", 0
        self.race.gone.append(car.number)
        self.rule("out", article, car, cause=cause, removed=removed, at=car.at, **facts)

    def mark(self, space: str | None, article: str, car: C) -> None:
        """A danger marker on a space, once."""
        if space is not None and space not in self.race.dangers:
            self.race.dangers.append(space)
            self.race.dangers.sort()
            self.rule("danger", article, car, at=space)

    # -- the referee's word

    def override(self, change: Mapping[str, Json]) -> bool:
        """Sets values by the referee's word, as `set_by_word`; True if the car whose turn it is can no longer play
        it."""
        fresh, status = self._turn_is_fresh(), self._status_in_turn()
        self.set_by_word(change)
        if fresh:
            self._begin_turn_again()
        race = self.race
        if race.move is None:
            return False
        waits = race.called and race.called[0] != race.move.car and race.move.gear == 0
        alive = self.car(race.move.car).alive
        other = alive and fresh and race.move.face == 0 and status != self._status_in_turn()
        if waits or other:
            race.move = None  # nothing has been driven yet: it waits until it is called, or begins its turn otherwise
            return True
        return not alive

    def _status_in_turn(self) -> str:
        return self.car(self.race.move.car).status if self.race.move is not None else ""

    def _turn_is_fresh(self) -> bool:
        """Whether the car whose turn it is still stands where its turn began."""
        move = self.race.move
        return move is not None and move.moved == 0 and self.car(move.car).at == move.begin

    def _begin_turn_again(self) -> None:
        """Lets the turn begin from what the referee has set."""
        move = self.move
        car = self.car(move.car)
        move.begin, move.lap, move.made = car.at or "", car.lap, car.stops

    def _set_race(self, race: Race[C], name: str, value: Json) -> None:
        allowed = {"sky": ("sun", "changeable", "rain"), "surface": ("dry", "wet")}.get(name)
        if allowed is not None:
            if value not in allowed:
                raise BadOverride(f"The {name} is one of {', '.join(allowed)}; {value} is none of them.")
            setattr(race, name, value)
            if name == "sky":
                self._set_sky(race)
        elif name == "fixed":
            if not isinstance(value, bool):
                raise BadOverride('"fixed" is true if the weather stays for the rest of the race, else false.')
            race.fixed = value
        elif not isinstance(value, list):
            raise BadOverride(f'"{name}" is a list, such as {_LISTS[name]}.')
        elif name == "due":
            race.due = [self.car(number).number for number in value]
        elif name == "dangers":
            race.dangers = sorted({self.space_named(space) for space in value})
        else:
            self._set_order(race, value)

    def _set_sky(self, race: Race[C]) -> None:
        """A sky set over changeable weather counts as the last one drawn; a changeable one is never final."""
        race.fixed = race.fixed and race.sky != "changeable"
        if not race.fixed:
            race.drawn = race.sky

    def _set_order(self, race: Race[C], order: list[Json]) -> None:
        """The cars that still play this round, in that order; level ones also arrived in it."""
        if race.phase != "race":
            raise BadOverride("The order can be set once the race has begun.")
        for number in order:
            if isinstance(number, bool) or not isinstance(number, int) or order.count(number) > 1:
                raise BadOverride('"order" names each car that still plays once, by its number, such as [3, 1, 2].')
            if not self.car(number).standing:
                raise BadOverride(f"Car {number} is no longer on the board and cannot play.")
        race.played = [car.number for car in race.cars if car.standing and car.number not in order]
        race.called = list(order)
        arrivals = sorted(self.car(number).arrived for number in order)
        for number, arrived in zip(order, arrivals, strict=True):
            self.car(number).arrived = arrived

    def space_named(self, name: Json) -> str:
        """The name of a space, on a corner sheet of a stretch; raises BadOverride if the circuit has none of that
        name."""
        if not self.track.has_place(name):
            raise BadOverride(f"{self.track.name} has no space {name}; {self.track.place_form}.")
        return str(name)

    def _set_car(self, car: C, values: Mapping[str, Json]) -> None:
        for name, value in sorted(values.items()):  # the place before the stops that it would make void
            if name in ("cause", "coast", "turned"):
                self._set_with_status(car, name, values)
            elif name == "wear":
                self._set_wear(car, value)
            elif name == "at":
                self._set_place(car, value)
            elif name == "status":
                self._set_status(car, value, values)
            else:
                self._set_plain(car, name, value)

    def _set_wear(self, car: C, wear: Json) -> None:
        if not isinstance(wear, dict):
            raise BadOverride('Wear is set by pool, such as {"tyres": 4}.')
        if not car.wear:
            raise BadOverride(f"Car {car.number} is not built yet; its points are spread when its question comes.")
        for pool, points in wear.items():
            if pool not in self.race.pools:
                raise BadOverride(f"There is no pool called {pool}; the pools are {', '.join(self.race.pools)}.")
            if isinstance(points, bool) or not isinstance(points, int) or not 0 <= points <= 60:
                raise BadOverride(f"A pool holds 0 to 60 points; {pool} cannot be set to {points}.")
            car.wear[pool] = points

    def _set_place(self, car: C, place: Json) -> None:
        name = self.space_named(place)
        for other in self.others(car):
            if other.at == name and self.track.known == "space" and not self.holds_many(name):
                raise BadOverride(f"Car {other.number} stands on {name}; a space holds one car.")
        car.at = name
        if car.alive and (car.in_pits or name.startswith(("pit:", "box:"))):
            self._set_in_pits(car)

    def _set_in_pits(self, car: C) -> None:
        """A car in the lane still has its stop before it, one in a box waits there; on the track it races."""
        where = (car.at or "").partition(":")[0]
        car.status = "pit" if where == "pit" else "box" if where == "box" else "racing"
        car.stop, car.coast = "missed" if where == "box" else "", 0

    def _set_status(self, car: C, status: Json, values: Mapping[str, Json]) -> None:
        if status not in self.statuses:
            raise BadOverride(f"A car's status can be set to {_or(self.statuses)}; not to {status}.")
        if status in ("out", "wreck"):
            self._set_gone(car, values.get("cause", "referee"), removed=status == "out")
            return
        if car.at is None:
            raise BadOverride(f"Car {car.number} is not on the board; set its place first.")
        full = self.track.known == "space" and not self.holds_many(car.at)
        if full and not car.standing and any(other.at == car.at for other in self.others(car)):
            raise BadOverride(f"Another car stands on {car.at} by now; set the place of car {car.number} first.")
        in_pits = car.at.startswith(("pit:", "box:"))
        if in_pits and status not in ("racing", "coasting"):
            raise BadOverride(f"Car {car.number} is in the pits, where no car is {status}; set its place first.")
        car.status, car.turned, car.cause = status, bool(values.get("turned")), ""
        car.coast = values.get("coast", 4) if status == "coasting" else values.get("coast", 0)
        if in_pits and status == "racing":
            self._set_in_pits(car)
        if car.number in self.race.gone:
            self.race.gone.remove(car.number)
        if car.number in self.race.home:
            self.race.home.remove(car.number)

    def _set_gone(self, car: C, cause: Json, *, removed: bool) -> None:
        """Out by the referee's word, with the cause that he says; a car that was home is home no more."""
        if cause not in _CAUSES:
            raise BadOverride(f"A car is out by {_or(_CAUSES)}; {cause} is none of them.")
        if car.number in self.race.home:
            self.race.home.remove(car.number)
            car.status = "racing"
        if car.alive:
            self.eliminate(car, cause, self.word, removed=removed)
        car.cause = cause

    def _set_with_status(self, car: C, name: str, values: Mapping[str, Json]) -> None:
        """What says more of a status goes with it: the cause of one that is out, the gear in which a coasting car is
        next, whether a spun one has been put straight."""
        wanted = {"cause": ("out", "wreck"), "coast": ("coasting", "spun"), "turned": ("spun", "stalled")}[name]
        if values.get("status") not in wanted:
            raise BadOverride(f'"{name}" goes with the status {_or(wanted)}.')
        if name == "turned" and not isinstance(values[name], bool):
            raise BadOverride('"turned" is true or false.')
        if name == "coast":
            low, high = self.car_ranges[name]
            if type(values[name]) is not int or not low <= values[name] <= high:
                raise BadOverride(f"A car's coast is a whole number from {low} to {high}; {values[name]} is not.")

    def _set_plain(self, car: C, name: str, value: Json) -> None:
        if name == "tyres":
            if value not in ("hard", "soft", "rain"):
                raise BadOverride(f"Tyres are hard, soft or rain; {value} is none of them.")
        else:
            low, high = self.car_ranges[name]
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise BadOverride(f"A car's {name} is a whole number from {low} to {high}; {value} is not.")
        setattr(car, name, value)


def _or(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"
