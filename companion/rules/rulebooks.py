"""From a setup or a position as text to a rulebook that is ready to ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from companion.rules.competition import Competition
from companion.rules.conversation import Json
from companion.rules.errors import BadAnswer, BadSetup
from companion.rules.figures import read_figures
from companion.rules.formula_de import FormulaDe
from companion.rules.race import POOLS, Car, Race
from companion.rules.track import Track

RULEBOOKS: Final[Mapping[str, type[FormulaDe]]] = {"competition": Competition}

_RACE_KEYS: Final = tuple(name for name in Race.__struct_fields__ if name not in ("cars", "played"))


def begin(setup: Mapping[str, Json], track: Track) -> FormulaDe:
    """The rulebook of a setup, on a circuit; with `to_play` it begins in the middle of a race.

    Raises BadSetup with one sentence for a setup from which no race can begin.
    """
    name = setup.get("rulebook", "competition")
    if name not in RULEBOOKS:
        raise BadSetup(f"There is no rulebook called {name}; there is {', '.join(RULEBOOKS)}.")
    rulebook_type = RULEBOOKS[name]
    options = setup.get("options", {})
    if not isinstance(options, dict):
        raise BadSetup('"options" is an object of figures and switches by name.')
    figures = read_figures(options)
    race = _race(setup, track)
    rulebook = rulebook_type(race, track, figures)
    _check(rulebook, setup)
    return rulebook


def _race(setup: Mapping[str, Json], track: Track) -> Race:
    known = {*_RACE_KEYS, "rulebook", "track", "cars", "options", "to_play", "lang"}
    if unknown := sorted(set(setup) - known):
        raise BadSetup(f"A setup has no {', '.join(unknown)}; it may have {', '.join(sorted(known))}.")
    cars = setup.get("cars")
    if not isinstance(cars, list) or not cars:
        raise BadSetup('A race needs cars: "cars" is a list such as [{"car": 1, "driver": "Ada"}].')
    values: dict[str, Any] = {key: setup[key] for key in _RACE_KEYS if key in setup}
    values.setdefault("laps", track.laps.get(str(setup.get("rulebook", "competition")), 3))
    try:
        race = msgspec.convert({**values, "cars": cars}, Race)
    except msgspec.ValidationError as wrong:
        raise BadSetup(f"The setup cannot be read: {wrong}.") from None
    if not 1 <= race.laps <= 99:
        raise BadSetup(f"A race has 1 to 99 laps; {race.laps} is not.")
    if "to_play" in setup:
        race.phase = "race"
    return race


def _check(rulebook: FormulaDe, setup: Mapping[str, Json]) -> None:
    race, track = rulebook.race, rulebook.track
    numbers = [car.number for car in race.cars]
    for car in race.cars:
        if not 1 <= car.number <= 99:
            raise BadSetup(f"A car's number is 1 to 99; {car.number} is not.")
        if numbers.count(car.number) > 1:
            raise BadSetup(f"Two cars have the number {car.number}; every car needs its own.")
    if len(numbers) > 20:
        raise BadSetup(f"A race has at most 20 cars; this one has {len(numbers)}.")
    running = race.phase != "setup"
    if track.known == "space" and not running and len(numbers) > len(track.grid):
        raise BadSetup(f"{track.name} has {len(track.grid)} grid slots; {len(numbers)} cars are too many.")
    for car in race.cars:
        _check_car(rulebook, car, running=running)
    _check_places(rulebook)
    for space in race.dangers:
        if space not in track.ids:
            raise BadSetup(f"{track.name} has no space {space} for a danger marker.")
    race.dangers = sorted(set(race.dangers))
    if race.sky in ("sun", "rain") and not race.drawn:
        race.fixed = True
        race.surface = race.surface or ("wet" if race.sky == "rain" else "dry")
    if running:
        _continue(rulebook, setup.get("to_play", []))


def _check_car(rulebook: FormulaDe, car: Car, *, running: bool) -> None:
    figures = rulebook.figures
    if car.wear and not running and not car.built:
        try:
            points = rulebook.read_build({**car.wear, **({"stand": car.stand} if car.stand else {})})
        except BadAnswer as wrong:
            raise BadSetup(f"Car {car.number}: {wrong}") from None
        car.stand = points.pop("stand")
        car.wear, car.built = dict(points), dict(points)
    if not car.wear and running:
        share = (6, 3, 3, 3, 3, 2)
        car.wear = dict(zip(POOLS, share, strict=True))
        car.wear["tyres"] += figures.car_points - sum(share)
    for pools in (car.wear, car.built):
        if unknown := [pool for pool in pools if pool not in POOLS]:
            raise BadSetup(f"Car {car.number} has no pool called {unknown[0]}; the pools are {', '.join(POOLS)}.")
        if low := [pool for pool, points in pools.items() if not 0 <= points <= 60]:
            raise BadSetup(f"Car {car.number}: {low[0]} holds 0 to 60 points, not {pools[low[0]]}.")
    if car.wear:
        car.wear = {pool: car.wear.get(pool, 0) for pool in POOLS}
    if running:
        car.built = {pool: car.built.get(pool, car.wear[pool]) for pool in POOLS} if car.built else dict(car.wear)
        car.tyres = car.tyres or "hard"
    if not 0 <= car.gear <= 6:
        raise BadSetup(f"Car {car.number}: gears are 1 to 6; {car.gear} is not.")
    if car.box and not 1 <= car.box <= rulebook.track.box_count:
        raise BadSetup(f"Car {car.number}: the circuit has boxes 1 to {rulebook.track.box_count}, not {car.box}.")


def _check_places(rulebook: FormulaDe) -> None:
    track = rulebook.track
    taken: dict[str, int] = {}
    for car in rulebook.race.cars:
        if car.at is None or not car.standing:
            continue
        if track.known == "space":
            if car.at not in track.ids:
                raise BadSetup(f"Car {car.number}: {track.name} has no space {car.at}.")
            if car.at in taken:
                raise BadSetup(f"Cars {taken[car.at]} and {car.number} stand on {car.at}; a space holds one car.")
            taken[car.at] = car.number
        elif (
            car.at.partition(":")[0] not in ("corner", "after", "pit", "box") or not car.at.partition(":")[2].isdigit()
        ):
            raise BadSetup(f'Car {car.number}: on a corner sheet a place is "corner:3" or "after:3", not {car.at}.')


def _continue(rulebook: FormulaDe, to_play: Json) -> None:
    """Begins in the middle: what is left out takes its value at the start of a race."""
    race, track = rulebook.race, rulebook.track
    race.sky = race.sky or "sun"
    race.surface = race.surface or "dry"
    race.running = race.running or [car.number for car in race.cars]
    for place, car in enumerate(race.cars):
        if car.at is None and car.standing and car.status != "grid":
            raise BadSetup(f"Car {car.number} is {car.status} but stands nowhere; give its place, or status out.")
        if car.at is None and car.status == "grid":
            car.at = rulebook.grid_place(place)
        if car.status == "grid" and (car.gear or car.lap):
            car.status = "racing"
        if car.status == "grid" or car.lap == 0:
            car.fresh = car.fresh or car.tyre_laps == 0
        if car.at and car.at.startswith("pit:") and car.status == "racing":
            car.status = "pit"
        if car.at and car.at.startswith("box:") and car.status == "racing":
            car.status = "box"
            car.stop = car.stop or "missed"
        if track.box_count and not car.box:
            car.box = place % track.box_count + 1
        if not car.arrived:
            car.arrived = place + 1
        if track.known == "space" and car.at and not track.past_line(track.ids[car.at]):
            car.round_set = True
    race.turn = max(race.turn, *(car.arrived for car in race.cars))
    numbers = [car.number for car in race.cars]
    if not isinstance(to_play, list) or any(number not in numbers for number in to_play):
        raise BadSetup('"to_play" lists the cars that still play this round, such as [3, 1, 2].')
    if to_play and race.round == 0:
        race.round = 1
    if to_play:
        race.played = [car.number for car in race.cars if car.number not in to_play and car.standing]
        if race.sweep is None:
            race.sweep = rulebook.standing(rulebook.car(to_play[0])) % rulebook.lap_length
