"""A season: calendar, entries, grids, results, points, drivers' and teams' standings.

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
from companion.tournament.organised import Organised, cars_of, has_wear, is_league, otherwise, pools_in, rolls_for_grid
from companion.tournament.record import Act, Plan, Signed, reason
from companion.tournament.results import Confirmed, Result, ResultCorrected, drivers_of
from companion.tournament.standings import (
    SCALES,
    Score,
    check_scale,
    mark_dropped,
)

GridRule = Literal["random", "reverse", "trials", "hand"]
"""Sources of a grid: drawn, the last classification reversed, trials, or set by hand."""
RACES: Final = 99
"""Maximum number of races of a season."""
REPAIRED: Final = 20
"""Maximum points that a pool regains between two races."""
_NO_OPTIONS: Final[dict[str, Json]] = {}
_NO_FACES: Final[dict[str, int]] = {}


class Stage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A race in the calendar.

    `date` is free text; `rulebook`, `laps` and `options` are set where they differ from the season's.
    """

    track: str
    date: str = ""
    rulebook: str = ""
    laps: int = 0
    options: dict[str, Json] = _NO_OPTIONS


class SeasonBegun(Act, frozen=True, tag="season"):
    """The start of a season.

    `best` is the number of results that count for a driver, 0 for all. `drivers`, `team` and `races` are maximums, 0
    for no limit. `grid` is the rule for grids from the second race on; the first one is drawn unless grids come from
    trials. With `carried`, cars begin a race as worn as they ended the last one, with `repair` points given back to
    each pool between races.
    """

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
    """The grid of a race, pole first.

    A rule other than the season's needs a reason, except a draw for the first race. Such a draw, or a reversed
    classification, holds without a reason until another race has been run. `faces` are the black dice of a draw, if one
    was rolled.
    """

    race: int
    order: tuple[int, ...]
    rule: GridRule
    faces: dict[str, int] = _NO_FACES


class Substituted(Act, frozen=True, tag="substituted"):
    """A substitute drives an entrant's car in a race; its result is the entrant's.

    Without a name the entrant drives himself again.
    """

    race: int
    number: int
    driver: str = ""


class Missed(Act, frozen=True, tag="missed"):
    """An entrant misses a race of the calendar, or races after all."""

    race: int
    number: int
    missed: bool = True


class Postponed(Act, frozen=True, tag="moved"):
    """A race is moved to another date, or another circuit; with a reason."""

    race: int
    date: str = ""
    track: str = ""


class Abandoned(Act, frozen=True, tag="abandoned"):
    """A race is abandoned and scores nothing, with a reason."""

    race: int


class Revived(Act, frozen=True, tag="revived"):
    """An abandoned race is to be run after all, with a reason."""

    race: int


class CalendarRace(NamedTuple):
    """A race of the calendar and its state; `why` is the reason for abandoning it."""

    number: int
    stage: Stage
    state: Literal["to_come", "run", "abandoned"]
    why: str
    postponed: bool


def unknown_wear(number: int, open_: int) -> BadEntry:
    """Return the refusal of a race that takes its wear from one without a result."""
    return BadEntry("unknown_wear", race=number, open=open_)


class Season(Organised):
    """A season after its acts.

    >>> from companion.tournament.entrants import Entrant
    >>> league = Season()
    >>> league.take(Signed(1, "Ada", "", SeasonBegun(name="League", calendar=(Stage("monaco"), Stage("monza")))))
    >>> league.take(Signed(2, "Ada", "", Entered(entrants=(Entrant(7, "Ben", ""),))))
    >>> [(line.who, line.points) for line in league.standings()]
    [(7, 0)]
    """

    KIND = "season"
    ACTS = (
        SeasonBegun, Entered, Changed, Removed, Withdrawn, Gridded, Substituted, Missed, Postponed, Abandoned, Revived,
        Result, Confirmed, ResultCorrected,
    )  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.begun = SeasonBegun(name="", calendar=())
        self.stages: dict[int, Stage] = {}
        self.postponed: set[int] = set()
        self.abandoned: dict[int, str] = {}
        self.grids: dict[int, Gridded] = {}
        self.gridded_after: dict[int, str | None] = {}
        """Last race run when a grid was settled, by the race that the grid is for."""
        self.substitutes: dict[tuple[int, int], str] = {}
        self.missing: set[tuple[int, int]] = set()
        """Races and numbers of the drivers who do not race there."""

    # -- what is done

    def check(self, act: Act) -> None:
        super().check(act)
        if isinstance(act, SeasonBegun):
            self._check_most(act)
            self._check_carried(act)
        if isinstance(act, Missed) and not act.missed:
            self._check_free(act.race, self.field[act.number].name, act.number)
        if isinstance(act, Gridded):
            self._must_be_driven(act.race)
        if isinstance(act, Gridded) and act.faces and act.rule in ("random", "reverse"):
            self._check_draw(act)

    def _check_most(self, act: SeasonBegun) -> None:
        """Refuse negative limits on drivers, 0 being none [season.drivers, season.teams]."""
        for most in (act.drivers, act.team):
            if most < 0:
                raise BadEntry("most_drivers", most=most)

    def _check_carried(self, act: SeasonBegun) -> None:
        """Refuse carried wear without dice, and repairs without carried wear."""
        if act.carried and not has_wear(act.rulebook):
            raise BadEntry("cards_no_wear")
        if not 0 <= act.repair <= REPAIRED:
            raise BadEntry("repair_between", most=REPAIRED, repair=act.repair)
        if act.repair and not act.carried:
            raise BadEntry("repair_without_wear")

    def _must_be_driven(self, race: int) -> None:
        """Refuse a race without drivers [start.grid]."""
        if not self.drivers(race):
            raise BadEntry("no_drivers_yet", number=race)

    def _must_know_wear(self, number: int) -> None:
        """Refuse a race while an earlier one that passes its wear on has no result [season.wear].

        One that is moved to another date may be run later.
        """
        for race in self.calendar()[: number - 1] if self.carries_wear(number) else ():
            if race.state == "to_come" and race.stage.date == self.begun.calendar[race.number - 1].date:
                raise unknown_wear(number, race.number)

    def carries_wear(self, number: int) -> bool:
        """Return whether cars begin a race as worn as they ended the last one."""
        return self.begun.carried and has_wear(self.rulebook(number))

    def _check_draw(self, act: Gridded) -> None:
        """Check the black dice of a drawn grid or of the back of a reversed one.

        In a drawn grid everybody rolls, in a reversed one those who were not in the last race. The highest face is in
        front, and ties have been rolled again. With more than twenty drivers the faces go up to their number
        [start.grid, ruling 20].
        """
        last = self.last_run() if act.rule == "reverse" else None
        placed = set(self.results[last].order) if last is not None else set()
        rolling = [driver for driver in act.order if driver not in placed]
        most = max(20, len(act.order))
        for driver in rolling:
            if str(driver) not in act.faces:
                raise BadEntry("no_roll", driver=driver)
            if not 1 <= act.faces[str(driver)] <= most:
                raise BadEntry("black", face=act.faces[str(driver)])
        for ahead, behind in pairwise(rolling):
            face, higher = act.faces[str(ahead)], act.faces[str(behind)]
            if face == higher:
                raise BadEntry("same_roll", ahead=ahead, behind=behind, face=face)
            if face < higher:
                raise BadEntry("roll_order", behind=behind, higher=higher, face=face)

    def apply(self, signed: Signed) -> None:
        act = signed.act
        match act:
            case SeasonBegun():
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

    def _begin(self, act: SeasonBegun) -> None:
        """Begin the season; refuse a calendar with too many races or none [season.races]."""
        if not act.name.strip() or len(act.name) > 60:
            raise BadEntry("season_name")
        most = act.races or RACES
        if not 1 <= len(act.calendar) <= most:
            raise BadEntry("season_races", most=most, many=len(act.calendar))
        if act.best and not 1 <= act.best <= len(act.calendar):
            raise BadEntry("best_results", many=len(act.calendar), most=len(act.calendar), best=act.best)
        check_scale(act.points)
        self.begun, self.name = act, act.name
        self.stages = dict(enumerate(act.calendar, 1))

    def _check_size(self) -> None:
        """Refuse more drivers in the season or in a team than allowed [season.drivers, season.teams]."""
        most, team = self.begun.drivers, self.begun.team
        if most and len(self.field.standing) > most:
            raise BadEntry("season_drivers", most=most, many=len(self.field.standing))
        for name, numbers in self.field.teams().items():
            there = [number for number in numbers if number not in self.field.gone]
            if team and len(there) > team:
                raise BadEntry("team_full", team=team, name=name, many=len(there))

    def _grid(self, act: Gridded) -> None:
        self.coming(act.race)
        if act.rule not in (self.rule(act.race), self.begun.grid):
            reason(act)
        if sorted(act.order) != self.drivers(act.race):
            raise BadEntry("grid_every_driver")
        if act.rule == "reverse" and list(act.order) != self.reversed_grid(act.race, act.faces):
            raise BadEntry("needs_reason.grid")
        self.grids[act.race], self.gridded_after[act.race] = act, self.last_run()

    def _substitute(self, act: Substituted) -> None:
        self.coming(act.race)
        entrant = self.field[act.number]
        if len(act.driver) > 30:
            raise BadEntry("name_long", name=act.driver, most="30")
        if act.driver:
            self._check_free(act.race, act.driver, act.number)
        if act.driver and act.driver.casefold() != entrant.name.casefold():
            self.substitutes[act.race, act.number] = act.driver
        else:
            self.substitutes.pop((act.race, act.number), None)

    def _check_free(self, race: int, name: str, number: int) -> None:
        """Refuse a name that already drives another car in the race."""
        for other in self.drivers(race):
            if other != number and self.driver(race, other).casefold() == name.casefold():
                raise BadEntry("drives_already", name=name)

    def _postpone(self, act: Postponed) -> None:
        stage = self.coming(act.race).stage
        reason(act)
        if not act.date and not act.track:
            raise BadEntry("moved_where")
        self.stages[act.race] = msgspec.structs.replace(
            stage, date=act.date or stage.date, track=act.track or stage.track
        )
        self.postponed.add(act.race)

    def _revive(self, act: Revived) -> None:
        """Put an abandoned race back on the calendar, whatever was run meanwhile."""
        if self.race(act.race).state != "abandoned":
            raise BadEntry("not_abandoned", number=act.race)
        reason(act)
        del self.abandoned[act.race]

    # -- how it stands

    @property
    def has_started(self) -> bool:
        """Return True if a race has been run."""
        return any(True for _ in self.results)

    def race(self, number: int) -> CalendarRace:
        """Return a race of the calendar.

        Raises BadEntry for an unknown number.
        """
        if number not in self.stages:
            raise BadEntry("no_race_number", number=number, most=len(self.stages))
        state: Literal["to_come", "run", "abandoned"] = "to_come"
        if number in self.abandoned:
            state = "abandoned"
        elif str(number) in self.results:
            state = "run"
        return CalendarRace(
            number, self.stages[number], state, self.abandoned.get(number, ""), number in self.postponed
        )

    def calendar(self) -> list[CalendarRace]:
        """Return every race in calendar order."""
        return [self.race(number) for number in self.stages]

    def next_race(self) -> CalendarRace | None:
        """Return the first race still to come, or None."""
        return next((race for race in self.calendar() if race.state == "to_come"), None)

    def coming(self, number: int) -> CalendarRace:
        """Return a race still to come.

        Raises BadEntry if it was run or abandoned.
        """
        race = self.race(number)
        if race.state == "run":
            raise BadEntry("correction.race", number=number)
        if race.state == "abandoned":
            raise BadEntry("abandoned", number=number)
        return race

    def drivers(self, number: int) -> list[int]:
        """Return the numbers of the entrants in a race.

        Raises BadEntry if it was abandoned.
        """
        if self.race(number).state == "abandoned":
            raise BadEntry("abandoned", number=number)
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
            raise BadEntry("no_race_number", number=key, most=len(self.stages))
        return int(key)

    def withdrawn_from(self, key: str) -> list[int]:
        return [driver for driver in self.field.gone if (int(key), driver) not in self.missing]

    def driver(self, race: int, number: int) -> str:
        """Return the name of the person who drives an entrant's car in a race."""
        return self.substitutes.get((race, number), self.field[number].name)

    def at_home(self, number: int) -> list[int]:
        """Return the drivers who race on their home track, without substituted entrants [tyres.home]."""
        track = self.stages[number].track
        return [
            driver for driver in self.field.standing
            if track in self.field[driver].home
            and not {(number, driver)} & (self.missing | self.substitutes.keys())
        ]  # fmt: skip

    def last_run(self) -> str | None:
        """Return the race that was run last, in whatever order, or None."""
        return list(self.results)[-1] if self.has_started else None

    def turns_grid(self, act: ResultCorrected) -> bool:
        """Return True if a correction would alter the grid of the next race."""
        coming = self.next_race()
        return (
            coming is not None and self.settled(coming.number) is None and self.rule(coming.number) == "reverse"
            and self._turned(act)
        )  # fmt: skip

    def leaves_grid(self, act: ResultCorrected) -> bool:
        """Return True if the next grid was settled from a result that a correction would alter.

        That grid stays as it is.
        """
        coming = self.next_race()
        grid = self.settled(coming.number) if coming is not None else None
        return grid is not None and grid.rule == "reverse" and self._turned(act)

    def _turned(self, act: ResultCorrected) -> bool:
        """Return True if a correction alters the order of the race run last."""
        return act.race == self.last_run() and drivers_of(act.lines) != self.results[act.race].order

    # -- grids

    def rulebook(self, number: int) -> str:
        """Return the rulebook of a race: its own, else the season's."""
        return self.race(number).stage.rulebook or self.begun.rulebook

    def rule(self, number: int) -> GridRule:
        """Return the season's rule for the grid of a race.

        The first race is drawn and all others reverse the last classification, unless grids come from trials
        [start.grid].
        """
        if self.begun.grid in ("reverse", "hand") and not self.has_started:
            return "random"
        return self.begun.grid

    def reversed_grid(self, number: int, faces: Mapping[str, int], drivers: Collection[int] = ()) -> list[int] | None:
        """Return the last classification reversed, retired drivers included.

        Drivers who were not in it start behind, by the black die, highest first. None before the first race, or if a
        die is missing. `drivers` are those in the race, some of whom may have withdrawn since [start.grid, ruling 20].
        """
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
        """Return the grid that was set for a race, or None if it no longer holds.

        It holds while the race has the same drivers. One that follows from the last race run, without a reason given,
        holds until another race has been run [start.grid].
        """
        act = self.grids.get(number)
        if act is None or set(act.order) != set(drivers or self.drivers(number)):
            return None
        follows = not act.why.strip() and (act.rule == "reverse" or act.rule != self.begun.grid)
        return None if follows and self.gridded_after[number] != self.last_run() else act

    def grid(self, number: int, drivers: Collection[int] = ()) -> list[int] | None:
        """Return the grid of a race, pole first, or None if it is unknown.

        It is the grid that was raced, else the one that was set, else the one that the rule gives. `drivers` as for
        `reversed_grid`.
        """
        if (filed := self.results.filed.get(str(number))) is not None:
            return filed.grid or None
        if (act := self.settled(number, drivers)) is not None:
            return list(act.order)
        return self.reversed_grid(number, {}, drivers) if self.rule(number) == "reverse" else None

    def setup(self, number: int) -> dict[str, Json]:
        """Return all that a race begins from, as New race and the protocol take it.

        The league settles a drawn or reversed grid itself, from the last classification; one by hand or from trials
        must have been set. The race is run for the season's points, in the league with the season's numbers of drivers.
        Raises BadEntry [start.grid, tyres.home, season.races, season.points, season.drivers, season.teams].
        """
        stage = self.coming(number).stage
        self._must_be_driven(number)
        self._must_know_wear(number)
        rulebook = self.rulebook(number)
        league = is_league(rulebook)
        order = self.grid(number)
        if order is None and not (league and self.begun.grid in ("random", "reverse")):
            raise BadEntry("no_grid", race=number)
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

    def plans(self) -> Mapping[str, Plan]:
        """Return the circuit, the grid that was set and the drivers of each race to come."""
        entrants = sorted(self.field.entrants)
        return {
            str(number): {
                "track": stage.track,
                "grid": self.grids[number].order if number in self.grids else None,
                "drivers": self.drivers(number),
                "entrants": entrants,
            }
            for number, stage in self.stages.items()
            if self.race(number).state == "to_come"
        }

    def check_begun(self, key: str, before: Plan, setup: Mapping[str, Json]) -> None:
        """Check a race that has begun: it keeps its circuit, its grid and its drivers [start.grid].

        Who enters later is not in it, and may be marked as missing.
        """
        cars = cars_of(setup)
        if (now := self.plans().get(key)) is None or not cars:
            return
        if now["track"] not in (before["track"], setup.get("track")):
            raise BadEntry("track_started", race=key)
        if now["grid"] != before["grid"] and self.grid(int(key)) != cars:
            raise BadEntry("grid_started", race=key)
        if now["drivers"] != before["drivers"]:
            if set(cars) - {*now["drivers"], *self.field.gone}:
                raise BadEntry("drivers_started", race=key)
            joined = [driver for driver in now["drivers"] if driver not in cars and driver in before["entrants"]]
            if names := ", ".join(f"{driver} {self.driver(int(key), driver)}" for driver in joined):
                raise BadEntry("drivers_started.without", race=key, names=names)

    # -- wear

    def worn(self, rulebook: str) -> dict[int, dict[str, int]]:
        """Return the wear points missing from each car before the next race, by pool.

        A car carries over what it lacked at the end of the last race with a log, retired or not. Each race run since
        then, that one included, gives `repair` points back to every car, whether it drove or not. Only the pools of
        `rulebook` are returned.
        """
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
        """Return a driver's scores in calendar order [season.points, season.races].

        Those beyond the best results are marked as dropped.
        """
        found = []
        for key in sorted(self.results, key=int):
            for line in self.results[key].lines:
                if line.driver == driver:
                    found.append(Score(key, line.place, line.scored(self.scale(key))))
        return list(mark_dropped(found, self.begun.best))
