"""A season: a calendar of circuits, entries, grids by the book, results, points, drivers' and teams' tables.

The acts are the whole of it, as of a tournament. Races are called by their number in the calendar, "1" to "99".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Final, Literal, NamedTuple

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadEntry
from companion.tournament.entrants import Changed, Entered, Removed, Withdrawn
from companion.tournament.organised import Organised, has_wear, is_league, otherwise, pools_in, rolls_for_grid
from companion.tournament.record import Act, Signed, reason
from companion.tournament.results import Confirmed, Corrected, Result, drivers_of
from companion.tournament.standings import (
    SCALES,
    Score,
    check_scale,
    counted,
)

GridRule = Literal["random", "reverse", "trials", "hand"]
"""Where a grid comes from: drawn, the last classification upside down, trials, or set by hand."""
RACES: Final = 99
"""The most races of a season."""
REPAIRED: Final = 20
"""The most points that a pool is given back between two races."""
_NO_OPTIONS: Final[dict[str, Json]] = {}
_NO_FACES: Final[dict[str, int]] = {}


class Stage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A race in the calendar: its circuit, the date as people write it, and the rulebook, laps and figures where they
    are not the season's."""

    track: str
    date: str = ""
    rulebook: str = ""
    laps: int = 0
    options: dict[str, Json] = _NO_OPTIONS


class Begun(Act, frozen=True, tag="season"):
    """A season begins. `best` is how many results of a driver count, 0 for all; `drivers`, `team` and `races` are the
    most there may be, 0 for any number; `grid` is the rule of the grids from the second race on, the first is drawn
    unless they come from trials. With `carried` cars begin a race as worn as they ended the last one, with `repair`
    points given back to each pool between two races."""

    name: str
    calendar: tuple[Stage, ...]
    rulebook: str = "league"
    options: dict[str, Json] = _NO_OPTIONS
    points: tuple[int, ...] = SCALES["formula-de"]
    best: int = 0
    drivers: int = 10
    team: int = 2
    races: int = 8
    grid: GridRule = "reverse"
    version: int = 1
    carried: bool = False
    repair: int = 0


class Gridded(Act, frozen=True, tag="gridded"):
    """The grid of a race, pole first; another rule than the season's needs a reason, but for a draw of the first. That
    draw and a classification upside down hold without one until another race has been run. `faces` are the black dice
    of a draw, where one was rolled for it."""

    race: int
    order: tuple[int, ...]
    rule: GridRule
    faces: dict[str, int] = _NO_FACES


class Substituted(Act, frozen=True, tag="substituted"):
    """Somebody else drives an entrant's car in a race; its result is the entrant's. Without a name the entrant drives
    himself again."""

    race: int
    number: int
    driver: str = ""


class Missed(Act, frozen=True, tag="missed"):
    """An entrant does not race in a race of the calendar, or does after all."""

    race: int
    number: int
    missed: bool = True


class Postponed(Act, frozen=True, tag="moved"):
    """A race is moved to another date, or another circuit; with a reason."""

    race: int
    date: str = ""
    track: str = ""


class Abandoned(Act, frozen=True, tag="abandoned"):
    """A race is not run, or not to its end, and brings nothing; with a reason."""

    race: int


class Revived(Act, frozen=True, tag="revived"):
    """A race that was abandoned is run after all; with a reason."""

    race: int


class Race(NamedTuple):
    """A race of the calendar as it stands: to come, run (with its result), or abandoned, and why."""

    number: int
    stage: Stage
    state: Literal["to_come", "run", "abandoned"]
    why: str
    postponed: bool


class Season(Organised):
    """A season after its acts.

    >>> from companion.tournament.entrants import Entrant
    >>> league = Season()
    >>> league.take(Signed(1, "Ada", "", Begun(name="League", calendar=(Stage("monaco"), Stage("monza")))))
    >>> league.take(Signed(2, "Ada", "", Entered(entrants=(Entrant(7, "Ben", ""),))))
    >>> [(line.who, line.points) for line in league.standings()]
    [(7, 0)]
    """

    KIND = "season"
    ACTS = (
        Begun, Entered, Changed, Removed, Withdrawn, Gridded, Substituted, Missed, Postponed, Abandoned, Revived,
        Result, Confirmed, Corrected,
    )  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.begun = Begun(name="", calendar=())
        self.stages: dict[int, Stage] = {}
        self.postponed: set[int] = set()
        self.abandoned: dict[int, str] = {}
        self.grids: dict[int, Gridded] = {}
        self.gridded_after: dict[int, str | None] = {}
        """The race that was run last when a grid was settled, by the race that it is for."""
        self.substitutes: dict[tuple[int, int], str] = {}
        self.missing: set[tuple[int, int]] = set()
        """Races and numbers of who does not race there."""

    # -- what is done

    def check(self, act: Act) -> None:
        super().check(act)
        if isinstance(act, Begun):
            self._check_most(act)
            self._check_carried(act)
        if isinstance(act, Missed) and not act.missed:
            self._check_free(act.race, self.field[act.number].name, act.number)
        if isinstance(act, Gridded):
            self._must_be_driven(act.race)
        if isinstance(act, Gridded) and act.faces and act.rule in ("random", "reverse"):
            self._check_draw(act)

    def _check_most(self, act: Begun) -> None:
        """The most drivers of a season and of a team are numbers, 0 for any [season.drivers, season.teams]."""
        for most in (act.drivers, act.team):
            if most < 0:
                raise BadEntry(f"The most drivers of a season or a team are 1 or more, 0 for any number; not {most}.")

    def _check_carried(self, act: Begun) -> None:
        """Wear is carried between races of dice, and points are given back only where it is; raises BadEntry."""
        if act.carried and not has_wear(act.rulebook):
            raise BadEntry("Cards have no wear that a car could carry into its next race; begin the season without.")
        if not 0 <= act.repair <= REPAIRED:
            raise BadEntry(f"Between two races 0 to {REPAIRED} points a pool are given back, not {act.repair}.")
        if act.repair and not act.carried:
            raise BadEntry("Points are given back between races only in a season that carries wear; switch that on.")

    def _must_be_driven(self, race: int) -> None:
        """A race has drivers before it has a grid or begins; raises BadEntry [start.grid]."""
        if not self.drivers(race):
            raise BadEntry(f"Nobody drives in race {race} yet; enter the drivers first.")

    def _check_draw(self, act: Gridded) -> None:
        """Whoever rolls for his place, in a drawn grid everybody, in one turned round who was not in the race run last,
        stands there by a face of the black die, highest first, level ones having rolled again [start.grid, ruling 20].
        More than twenty drivers have lots of as many faces."""
        last = self.last_run() if act.rule == "reverse" else None
        placed = set(self.results[last].order) if last is not None else set()
        rolling = [driver for driver in act.order if driver not in placed]
        most = max(20, len(act.order))
        for driver in rolling:
            if str(driver) not in act.faces:
                raise BadEntry(f"Number {driver} has not rolled; a drawn grid has a face of the black die for each.")
            if not 1 <= act.faces[str(driver)] <= most:
                raise BadEntry(f"The black die shows 1 to 20; {act.faces[str(driver)]} is not on it.")
        for ahead, behind in pairwise(rolling):
            face, higher = act.faces[str(ahead)], act.faces[str(behind)]
            if face == higher:
                raise BadEntry(f"Numbers {ahead} and {behind} have both rolled {face}; level ones roll again.")
            if face < higher:
                raise BadEntry(
                    f"Number {behind} has rolled {higher} and stands behind a {face}; the highest is in front."
                )

    def apply(self, signed: Signed) -> None:
        act = signed.act
        match act:
            case Begun():
                self._begin(act)
            case Gridded():
                self._grid(act)
            case Substituted():
                self._substitute(act)
            case Missed():
                self.coming(act.race)
                self.field[act.number]
                (self.missing.add if act.missed else self.missing.discard)((act.race, act.number))
            case Postponed():
                self._postpone(act)
            case Abandoned():
                self.coming(act.race)
                self.abandoned[act.race] = reason(act)
            case Revived():
                self._revive(act)
            case _:
                super().apply(signed)
                if isinstance(act, Entered | Changed):
                    self._check_size()

    def _begin(self, act: Begun) -> None:
        """A season has its races, at most as many as it says [season.races]."""
        if not act.name.strip() or len(act.name) > 60:
            raise BadEntry("A season needs a name, of at most 60 letters.")
        most = act.races or RACES
        if not 1 <= len(act.calendar) <= most:
            raise BadEntry(f"A season has 1 to {most} races; {len(act.calendar)} are in this calendar.")
        if act.best and not 1 <= act.best <= len(act.calendar):
            raise BadEntry(f"Of {len(act.calendar)} races 1 to {len(act.calendar)} results can count, not {act.best}.")
        check_scale(act.points)
        self.begun, self.name = act, act.name
        self.stages = dict(enumerate(act.calendar, 1))

    def _check_size(self) -> None:
        """A season has at most so many drivers, and so many make a team [season.drivers, season.teams]."""
        most, team = self.begun.drivers, self.begun.team
        if most and len(self.field.standing) > most:
            raise BadEntry(f"This season has at most {most} drivers; {len(self.field.standing)} are too many.")
        for name, numbers in self.field.teams().items():
            there = [number for number in numbers if number not in self.field.gone]
            if team and len(there) > team:
                raise BadEntry(f"A team of this season has {team} drivers; {name} would have {len(there)}.")

    def _grid(self, act: Gridded) -> None:
        self.coming(act.race)
        if act.rule not in (self.rule(act.race), self.begun.grid):
            reason(act)
        if sorted(act.order) != self.drivers(act.race):
            raise BadEntry("A grid lists every driver of the race once, from pole.")
        if act.rule == "reverse" and list(act.order) != self.reversed_grid(act.race, act.faces):
            raise BadEntry(
                "This is not the last classification upside down; a grid by hand needs a reason.", "needs_reason"
            )
        self.grids[act.race], self.gridded_after[act.race] = act, self.last_run()

    def _substitute(self, act: Substituted) -> None:
        self.coming(act.race)
        entrant = self.field[act.number]
        if len(act.driver) > 30:
            raise BadEntry(f"{act.driver} is too long; a name has at most 30 letters.")
        if act.driver:
            self._check_free(act.race, act.driver, act.number)
        if act.driver and act.driver.casefold() != entrant.name.casefold():
            self.substitutes[act.race, act.number] = act.driver
        else:
            self.substitutes.pop((act.race, act.number), None)

    def _check_free(self, race: int, name: str, number: int) -> None:
        """Nobody drives two cars in a race; raises BadEntry for who drives another one than that number's."""
        for other in self.drivers(race):
            if other != number and self.driver(race, other).casefold() == name.casefold():
                raise BadEntry(f"{name} drives in this race already.")

    def _postpone(self, act: Postponed) -> None:
        stage = self.coming(act.race).stage
        reason(act)
        if not act.date and not act.track:
            raise BadEntry("A race is moved to a date or a circuit; say which.")
        self.stages[act.race] = msgspec.structs.replace(
            stage, date=act.date or stage.date, track=act.track or stage.track
        )
        self.postponed.add(act.race)

    def _revive(self, act: Revived) -> None:
        """A race is to come again, whatever was run meanwhile."""
        if self.race(act.race).state != "abandoned":
            raise BadEntry(f"Race {act.race} was not abandoned.")
        reason(act)
        del self.abandoned[act.race]

    # -- how it stands

    @property
    def driven(self) -> bool:
        """Whether a race has been run."""
        return any(True for _ in self.results)

    def race(self, number: int) -> Race:
        """A race of the calendar; raises BadEntry if there is none of that number."""
        if number not in self.stages:
            raise BadEntry(f"There is no race {number}; the calendar has 1 to {len(self.stages)}.")
        state: Literal["to_come", "run", "abandoned"] = "to_come"
        if number in self.abandoned:
            state = "abandoned"
        elif str(number) in self.results:
            state = "run"
        return Race(number, self.stages[number], state, self.abandoned.get(number, ""), number in self.postponed)

    def calendar(self) -> list[Race]:
        """Every race in its order."""
        return [self.race(number) for number in self.stages]

    def next_race(self) -> Race | None:
        """The first race that is still to come, None when there is none."""
        return next((race for race in self.calendar() if race.state == "to_come"), None)

    def coming(self, number: int) -> Race:
        """A race that is still to come; raises BadEntry if it is run or abandoned."""
        race = self.race(number)
        if race.state == "run":
            raise BadEntry(
                f"Race {number} has its result already; a change is a correction, with a reason.", "correction"
            )
        if race.state == "abandoned":
            raise BadEntry(f"Race {number} was abandoned.")
        return race

    def drivers(self, number: int) -> list[int]:
        """The entrants whose cars are in a race, by number; raises BadEntry if it was abandoned."""
        if self.race(number).state == "abandoned":
            raise BadEntry(f"Race {number} was abandoned.")
        return [driver for driver in self.field.standing if (number, driver) not in self.missing]

    def grid_of(self, key: str, came: Sequence[int]) -> Sequence[int]:
        return self.grid(int(key), came) or () if key.isdecimal() else ()

    def rules_of(self, key: str) -> tuple[str, Mapping[str, Json]]:
        number = self._race_number(key)
        return self.rulebook(number), {**self.begun.options, **self.race(number).stage.options}

    def racing(self, key: str) -> list[int]:
        return self.drivers(self._race_number(key))

    def _race_number(self, key: str) -> int:
        if not key.isdecimal():
            raise BadEntry(f"There is no race {key}; the calendar has 1 to {len(self.stages)}.")
        return int(key)

    def left(self, key: str) -> list[int]:
        return [driver for driver in self.field.gone if (int(key), driver) not in self.missing]

    def driver(self, race: int, number: int) -> str:
        """Who drives an entrant's car in a race."""
        return self.substitutes.get((race, number), self.field[number].name)

    def at_home(self, number: int) -> list[int]:
        """Who drives in a race on his home track: neither who misses it nor whose car another drives [tyres.home]."""
        track = self.stages[number].track
        return [
            driver for driver in self.field.standing
            if track in self.field[driver].home
            and not {(number, driver)} & (self.missing | self.substitutes.keys())
        ]  # fmt: skip

    def last_run(self) -> str | None:
        """The race that was run last, whatever its place in the calendar."""
        return list(self.results)[-1] if self.driven else None

    def turns_grid(self, act: Corrected) -> bool:
        """Whether a correction would alter the grid of the next race, which follows from the race run last."""
        coming = self.next_race()
        return (
            coming is not None and self.settled(coming.number) is None and self.rule(coming.number) == "reverse"
            and self._turned(act)
        )  # fmt: skip

    def leaves_grid(self, act: Corrected) -> bool:
        """Whether the grid of the next race was settled from what a correction would alter: it stays as it is."""
        coming = self.next_race()
        grid = self.settled(coming.number) if coming is not None else None
        return grid is not None and grid.rule == "reverse" and self._turned(act)

    def _turned(self, act: Corrected) -> bool:
        """Whether a correction is of the order of the race run last."""
        return act.race == self.last_run() and drivers_of(act.lines) != self.results[act.race].order

    # -- grids

    def rulebook(self, number: int) -> str:
        """What a race of the calendar goes by: its own rulebook, else the season's."""
        return self.race(number).stage.rulebook or self.begun.rulebook

    def rule(self, number: int) -> GridRule:
        """Where the grid of a race comes from by the season's rule: the first race is drawn, all others begin in the
        reverse order of the race run last, unless grids come from trials [start.grid]."""
        if self.begun.grid in ("reverse", "hand") and not self.driven:
            return "random"
        return self.begun.grid

    def reversed_grid(self, number: int, faces: Mapping[str, int], drivers: Collection[int] = ()) -> list[int] | None:
        """The classification of the race run last upside down, who is out included; drivers who were not in it start
        behind, by the black die, highest first. None before the first race, or if a die is missing. `drivers` are those
        in the race, of whom some may have withdrawn since [start.grid, ruling 20]."""
        last = self.last_run()
        if last is None:
            return None
        entered = set(drivers or self.drivers(number))
        turned = [driver for driver in reversed(self.results[last].order) if driver in entered]
        behind = sorted(entered - set(turned))
        if any(str(driver) not in faces for driver in behind):
            return None
        return turned + sorted(behind, key=lambda driver: -faces[str(driver)])

    def settled(self, number: int, drivers: Collection[int] = ()) -> Gridded | None:
        """The grid that was set for a race, as long as it holds: with the drivers that it has; and if it goes by the
        race run last or by there being none yet, and nobody gave a reason, until another one is [start.grid]."""
        act = self.grids.get(number)
        if act is None or set(act.order) != set(drivers or self.drivers(number)):
            return None
        follows = not act.why.strip() and (act.rule == "reverse" or act.rule != self.begun.grid)
        return None if follows and self.gridded_after[number] != self.last_run() else act

    def grid(self, number: int, drivers: Collection[int] = ()) -> list[int] | None:
        """The grid of a race, pole first: as it was run, else as far as it is settled, as it was set or as the rule
        gives it. None where nobody knows it; `drivers` as for `reversed_grid`."""
        if (filed := self.results.filed.get(str(number))) is not None:
            return filed.grid or None
        if (act := self.settled(number, drivers)) is not None:
            return list(act.order)
        return self.reversed_grid(number, {}, drivers) if self.rule(number) == "reverse" else None

    def setup(self, number: int) -> dict[str, Json]:
        """All that a race begins from, as New race and the protocol take it: circuit, laps, figures, cars from pole,
        who is at home. A grid that is drawn or turned round the league settles itself, told the last classification
        where it turns that; one by hand or from trials has to be there. It is raced for the season's points, in the
        league by as many as the season has [start.grid, tyres.home, season.races, season.points, season.drivers,
        season.teams]."""
        stage = self.coming(number).stage
        self._must_be_driven(number)
        rulebook = self.rulebook(number)
        league = is_league(rulebook)
        order = self.grid(number)
        if order is None and not (league and self.begun.grid in ("random", "reverse")):
            raise BadEntry(f"Race {number} has no grid yet; draw it, or set it by hand.")
        at_home = self.at_home(number) if league else []
        worn = self.worn(rulebook)
        cars: list[dict[str, Json]] = []
        for driver in order or self.drivers(number):
            cars.append({"car": driver, "driver": self.driver(number, driver), "team": self.field[driver].team})
            if driver in at_home:
                cars[-1]["home"] = True
            if driver in worn:
                cars[-1]["worn"] = worn[driver]
        coloured = self.colours()
        plates = [coloured[int(car["car"])] for car in cars]
        said: dict[str, Json] = {"rulebook": rulebook, "track": stage.track, "cars": cars, "plates": plates}
        begun = self.begun
        sizes = {"points": list(begun.points), "racers": begun.drivers, "team_racers": begun.team}
        if options := {**otherwise(rulebook, sizes), **begun.options, **stage.options}:
            said["options"] = options
        if stage.laps:
            said["laps"] = stage.laps
        if order is not None and rolls_for_grid(rulebook):
            said["grid"] = order
        elif league and self.begun.grid == "reverse" and (last := self.last_run()) is not None:
            entered = set(self.drivers(number))
            said["last"] = [driver for driver in self.results[last].order if driver in entered]
        return said

    # -- wear

    def worn(self, rulebook: str) -> dict[int, dict[str, int]]:
        """The points that cars lack when the next race begins, by a rulebook with its pools. A car lacks what it did at
        the end of the last race of which a log tells, out or not; every race that was run since, that one too, has
        given points back to it, whether it drove or not."""
        if not self.begun.carried or not has_wear(rulebook):
            return {}
        worn: dict[int, dict[str, int]] = {}
        for key in self.results:
            for line in self.results[key].versions[0].lines:  # a correction wears off nothing
                if line.driver and line.lacks is not None:
                    worn[line.driver] = line.lacks
            repaired = {
                driver: {pool: points - self.begun.repair for pool, points in lacks.items()}
                for driver, lacks in worn.items()
            }
            worn = {driver: {p: n for p, n in lacks.items() if n > 0} for driver, lacks in repaired.items()}
        pools = pools_in(rulebook)
        found = {driver: {pool: lacks[pool] for pool in pools if pool in lacks} for driver, lacks in worn.items()}
        return {driver: lacks for driver, lacks in found.items() if lacks}

    # -- standings

    def scale(self, key: str) -> Sequence[int]:
        return self.begun.points

    def scores(self, driver: int) -> list[Score]:
        """What a driver has from each race in the order of the calendar, the results that do not count dropped
        [season.points, season.races]."""
        found = []
        for key in sorted(self.results, key=int):
            for line in self.results[key].lines:
                if line.driver == driver:
                    found.append(Score(key, line.place, line.scored(self.scale(key))))
        return list(counted(found, self.begun.best))
