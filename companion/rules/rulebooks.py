"""From a setup or a position as text to a rulebook that is ready to ask."""

from __future__ import annotations

import functools
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeVar, cast, overload

from companion.rules.circuit.track import Track, WeatherChart
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadSetup
from companion.rules.conversation.kinds import Pool
from companion.rules.conversation.setup import check_numbers, read_options, read_race
from companion.rules.conversation.shelf import Shelf
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.order import Finish
from companion.rules.dice.setup import GONE, CarChoice, Preparing
from companion.rules.dice.state import Car, RaceState
from companion.rules.dice.variants import VARIANTS, Variant, compose, switched_on
from companion.rules.ninety.circuit import SectionTrack

if TYPE_CHECKING:
    from companion.rules.ninety.ninety import Ninety

    Dice = FormulaDe[Any, Any, Any]
    Kind = type[Dice] | type[Ninety]
    Book = Dice | Ninety

K = TypeVar("K", bound="Kind")


class Rulebooks(Shelf["Kind"]):
    """Rulebooks by their names.

    >>> list(RULEBOOKS)
    ['beginner', 'formula-d', 'competition', 'cup', 'death', 'league', 'ninety']
    >>> RULEBOOKS["cup"].figures_type().kers_most
    2
    """

    def add(self, kind: K) -> K:
        """Add a rulebook by its name; as a decorator of its class."""
        self.register(kind.name, kind, f"{kind.__module__}:{kind.__qualname__}", "rulebook")
        return kind

    def line(self, name: str) -> list[Kind]:
        """Return a rulebook and its bases among the rulebooks, nearest first; none for an unknown name."""
        line = self[name].__mro__ if name in self else ()
        return [cast("Kind", kind) for kind in line if kind.__dict__.get("name")]

    def nearest(self, name: str, known: Container[str]) -> str:
        """Return a rulebook, or the nearest of those that it is a kind of, that is `known`; nothing where none is.

        >>> RULEBOOKS.nearest("cup", ["cup", "league"]), RULEBOOKS.nearest("cup", ["league"])
        ('cup', '')
        """
        return next((kind.name for kind in self.line(name) if kind.name in known), "")


USUAL: Final = "competition"
"""Rulebook of a setup that names none."""

RULEBOOKS: Final = Rulebooks(
    {
        "beginner": "companion.rules.beginner:Beginner",
        "formula-d": "companion.rules.formula_d:FormulaD",
        "competition": "companion.rules.dice.competition:Competition",
        "cup": "companion.rules.cup:Cup",
        "death": "companion.rules.death.death:Death",
        "league": "companion.rules.league:League",
        "ninety": "companion.rules.ninety.ninety:Ninety",
    },
    "companion.rulebooks",
)
"""Every rulebook that a setup can ask for, by its name; one's own is added (companion/README.md has a recipe)."""


@overload
def begin(setup: Mapping[str, Json], track: Track) -> Dice: ...
@overload
def begin(setup: Mapping[str, Json], track: SectionTrack) -> Ninety: ...
def begin(setup: Mapping[str, Json], track: Track | SectionTrack) -> Book:
    """Return the rulebook of a setup, on a circuit; with `to_play` it begins in the middle of a race.

    Raises BadSetup with one sentence for a setup from which no race can begin.
    """
    if not isinstance(setup, dict):
        raise BadSetup("setup_object", example='{"track": "monaco", "cars": [{"car": 1}]}')
    rulebook_type = named(setup.get("rulebook", USUAL))
    check_circuit(rulebook_type, track)
    if not issubclass(rulebook_type, FormulaDe):
        from companion.rules.ninety.ninety import begin_sections

        assert isinstance(track, SectionTrack)
        return begin_sections(setup, track, rulebook_type)
    assert isinstance(track, Track)
    options = setup.get("options")
    figures = read_options(setup, rulebook_type.figure_table(options if isinstance(options, dict) else ()))
    race = _race(setup, track, rulebook_type, laps_on(rulebook_type.name, track, switched_on(figures)))
    rulebook = rulebook_type(race, track, figures)
    _check(rulebook, setup)
    return rulebook


def variants_of(rulebook: str) -> tuple[Variant, ...]:
    """Return the variants that mean something in a rulebook, in their order, with those of installed packages."""
    kind = named(rulebook)
    return VARIANTS.of(kind) if issubclass(kind, FormulaDe) else ()


def variants_shown(rulebook: str) -> list[Variant]:
    """Return the variants of a rulebook as people read them: the options of its box, then those that clubs added."""
    return sorted(variants_of(rulebook), key=lambda one: one.family != "option")


def car_values(rulebook: str, options: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the values of a car that the referee's word can set by a rulebook with some options, each once."""
    values = sum((one.car_values for one in variants_on(rulebook, options)), named(rulebook).car_values)
    return tuple(dict.fromkeys(values))


def race_values(rulebook: str, options: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the values of a race that a rulebook has with some options, such as its sky."""
    return sum((one.race_values for one in variants_on(rulebook, options)), named(rulebook).race_values)


def weather_of(rulebook: str, track: Track | SectionTrack, options: Mapping[str, Json]) -> WeatherChart | None:
    """Return the chart by which a rulebook draws the weather on a circuit, with some options.

    None where it has no weather, and on sections.
    """
    return track.weather if isinstance(track, Track) and "sky" in race_values(rulebook, options) else None


def variants_on(rulebook: str, options: Mapping[str, Json]) -> list[Variant]:
    """Return the variants that some options of a setup switch on."""
    if not options:
        return []
    return [one for one in variants_of(rulebook) if options.get(one.switch) is True]


def places_retired(rulebook: str, options: Mapping[str, Json]) -> bool:
    """Return whether who is out has a place by a rulebook with some options of a setup."""
    kind = named(rulebook)
    if not issubclass(kind, FormulaDe):
        return False
    finish = compose(kind.chapters(), variants_on(rulebook, options))["finish"]
    return issubclass(finish, Finish) and finish.places_retired()


def choice_of_car(rulebook: str, options: Mapping[str, Json]) -> CarChoice:
    """Return how a driver comes to his car by a rulebook with some options of a setup."""
    kind = named(rulebook)
    if not issubclass(kind, FormulaDe):
        return "card"
    preparing = compose(kind.chapters(), variants_on(rulebook, options))["preparing"]
    return preparing.choice_of_car if issubclass(preparing, Preparing) else "none"


@functools.cache
def switch_of_own_cars(rulebook: str) -> str:
    """Return the switch by which drivers build their cars; "" in a rulebook where they always do, or never can."""
    if choice_of_car(rulebook, {}) == "build":
        return ""
    switches = (one.switch for one in variants_of(rulebook))
    return next((one for one in switches if choice_of_car(rulebook, {one: True}) == "build"), "")


class Circuit(Protocol):
    """The facts of a circuit that a rulebook needs before it is driven."""

    @property
    def name(self) -> str: ...

    @property
    def known(self) -> Literal["space", "corner", "sections"]: ...

    @property
    def laps(self) -> Mapping[str, int]: ...


def laps_on(rulebook: str, track: Circuit, on: Iterable[Variant] = ()) -> int:
    """Return the laps of a race whose setup does not say.

    They are those that a variant which is on asks for, else those that the circuit has for the rulebook, else the
    rulebook's.
    """
    usual = track.laps.get(RULEBOOKS.nearest(rulebook, track.laps), named(rulebook).laps)
    return next((variant.laps for variant in on if variant.laps), usual)


def check_circuit(rulebook: Kind, track: Circuit) -> None:
    """Raise BadSetup with the reason if a rulebook is not driven on a circuit."""
    dice = issubclass(rulebook, FormulaDe)
    if track.known == "sections" and dice:
        raise BadSetup("sections_circuit", track=track.name)
    if track.known != "sections" and not dice:
        raise BadSetup("not_of_sections", track=track.name)
    if issubclass(rulebook, FormulaDe) and rulebook.by_spaces and track.known != "space":
        raise BadSetup("corner_sheet_death", track=track.name)


def named(name: Json) -> Kind:
    """Return the rulebook of that name; raise BadSetup for an unknown name."""
    if not isinstance(name, str) or name not in RULEBOOKS:
        raise BadSetup("no_rulebook_of", name=name, known=", ".join(RULEBOOKS))
    return RULEBOOKS[name]


def pools_of(name: str) -> Sequence[Pool]:
    """Return the pools of wear points of a rulebook, in the order of its sheet.

    For a rulebook that is not installed they are the family's.
    """
    return RULEBOOKS[name].race_type.pools if name in RULEBOOKS else RaceState.pools


def _race(setup: Mapping[str, Json], track: Track, rulebook: type[Dice], laps: int) -> RaceState[Any]:
    race: RaceState[Any] = read_race(setup, rulebook.race_type, laps, ("cars", "played", "move"))
    low, high = rulebook.race_ranges["laps"]
    if not low <= race.laps <= high:
        raise BadSetup("laps_range", low=low, high=high, laps=race.laps)
    _check_ranges("The race", race, rulebook.race_ranges)
    if "to_play" in setup:
        race.phase = "race"
    return race


def _check(rulebook: Dice, setup: Mapping[str, Json]) -> None:
    race, track = rulebook.race, rulebook.track
    numbers = [car.number for car in race.cars]
    check_numbers(numbers)
    running = race.phase != "setup"
    if not running and (race.cut_short or race.red_flags):
        raise BadSetup("flag_in_setup")
    if track.known == "space" and not running and len(numbers) > len(track.grid):
        raise BadSetup("grid_slots", track=track.name, slots=len(track.grid), count=len(numbers))
    rulebook.preparing.enter()
    for car, raw in zip(race.cars, setup["cars"], strict=True):
        _check_car(rulebook, car, raw, running=running)
    _sound(rulebook.position.list_faults())
    _sound(rulebook.position.place_faults())
    _check_boxes(rulebook)
    race.dangers = sorted(set(race.dangers))
    rulebook.preparing.check(setup)
    if running:
        race.sky = race.sky or ("rain" if race.surface == "wet" else "sun")
    if race.sky and not race.drawn:
        rulebook.weather.given_sky()
    if running:
        _continue(rulebook, setup["cars"], setup.get("to_play", []))
    _sound(rulebook.faults())


def _check_ranges(whose: str, thing: object, ranges: Mapping[str, tuple[int, int]]) -> None:
    for name, (low, high) in ranges.items():
        value = getattr(thing, name)
        if value is not None and not low <= value <= high:
            raise BadSetup("value_range", where=whose, name=name, low=low, high=high, value=value)


def _check_car(rulebook: Dice, car: Car, raw: Mapping[str, Json], *, running: bool) -> None:
    if running and "lap" not in raw:
        car.lap = _least_lap(rulebook, car)
    _check_ranges(f"Car {car.number}", car, rulebook.car_ranges)
    if not running and (car.status != "grid" or car.lap or car.gear or car.stops):
        raise BadSetup("already_racing", car=car.number, example='"to_play": [3, 1, 2]')
    if car.built and not running and car.built != car.wear:
        raise BadSetup("starts_as_built", car=car.number)
    if car.wear and not running:
        rulebook.preparing.take_build(car, raw)
    if car.worn and running:
        raise BadSetup("worn_mid_race", car=car.number)
    for pools in (car.wear, car.built, car.worn):
        if unknown := [pool for pool in pools if pool not in rulebook.race.pools]:
            listed = ", ".join(rulebook.race.pools)
            raise BadSetup("car_no_pool", car=car.number, pool=unknown[0], pools=listed)
        if low := [pool for pool, points in pools.items() if not 0 <= points <= 60]:
            raise BadSetup("car_pool_range", car=car.number, pool=low[0], points=pools[low[0]])
    car.worn = {pool: car.worn[pool] for pool in rulebook.race.pools if pool in car.worn}  # one order in every digest
    if running:
        rulebook.preparing.complete(car)
        if "stand" not in raw:
            car.stand = rulebook.preparing.usual_stand(car)
    if not 0 <= car.box <= rulebook.track.box_count:
        raise BadSetup("box_range", car=car.number, most=rulebook.track.box_count, box=car.box)


def _least_lap(rulebook: Dice, car: Car) -> int:
    """Return the lap of a car of which a position says none: the first in which the rest that it says can be."""
    if car.status == "finished":
        laps: int = rulebook.race.laps
        return laps + 1
    in_pits = (car.at or "").startswith(("pit:", "box:")) and rulebook.track.has_place(car.at)
    first = rulebook.pits.first_lap(car.at) if in_pits else 0
    return max(first, car.tyre_laps + 1 if car.tyre_laps > 0 else 0)


def _sound(faults: Iterator[BadSetup]) -> None:
    """Raise BadSetup with the first fault of a position."""
    if fault := next(faults, None):
        raise fault


def _check_boxes(rulebook: Dice) -> None:
    track = rulebook.track
    boxes = [car.box for car in rulebook.race.cars if car.box]
    if rulebook.race.phase == "setup" and len(rulebook.race.cars) <= track.box_count:
        for box in boxes:
            if boxes.count(box) > 1:
                raise BadSetup("box_twice", box=box)


def _continue(rulebook: Dice, said: Sequence[Mapping[str, Json]], to_play: Json) -> None:
    """Begin in the middle: what is left out of `said`, the cars, takes its value at the start of a race."""
    race, track = rulebook.race, rulebook.track
    race.surface = race.surface or "dry"
    slots = {car.number: slot for slot, car in enumerate(rulebook.preparing.grid_order())}
    rulebook.preparing.allot_boxes()
    for place, car in enumerate(race.cars):
        if car.at is None and car.status == "grid":
            slot = slots.get(car.number, place)
            if track.known == "space" and slot >= len(track.grid):
                raise BadSetup("no_slot", track=track.name, slots=len(track.grid), car=car.number)
            car.at = rulebook.preparing.grid_place(slot)
            car.arrived = car.arrived or slot + 1
        if car.status == "grid" and (car.gear or car.lap) and "status" not in said[place]:
            car.status = "racing"
        if car.status in GONE and car.number not in race.gone:
            race.gone.append(car.number)
        if car.status == "finished" and car.number not in race.home:
            race.home.append(car.number)
        if "fresh" not in said[place] and (car.status == "grid" or car.lap == 0):
            car.fresh = car.tyre_laps == 0
        if car.at and car.at.startswith("pit:") and car.status in ("racing", "pit"):
            car.status = "pit"
            car.stop = car.stop or ("left" if rulebook.pits.past_box(car) else "")
        if car.at and car.at.startswith("box:") and car.status == "racing":
            car.status = "box"
            car.stop = car.stop or "missed"
        if car.status == "coasting":
            car.coast = car.coast or 4
        _sound(rulebook.position.status_faults(car))
        if not car.arrived:
            car.arrived = place + 1
        if "round_set" not in said[place]:
            car.round_set = rulebook.tyres.come_round(car)
    race.turn = max(race.turn, *(car.arrived for car in race.cars))
    on_board = [car.number for car in race.cars if car.standing and car.at is not None]
    if (
        not isinstance(to_play, list)
        or any(isinstance(number, bool) or number not in on_board or to_play.count(number) > 1 for number in to_play)
    ):  # fmt: skip
        raise BadSetup("to_play_round")
    if race.sweep is not None and not 0 <= race.sweep < rulebook.order.lap_length:
        raise BadSetup("sweep", high=rulebook.order.lap_length - 1, place=race.sweep)
    if to_play and race.round == 0:
        race.round = 1
    if to_play or race.sweep is not None:
        race.played = [car.number for car in race.cars if car.number not in to_play and car.standing]
        if race.sweep is None:
            race.sweep = rulebook.order.standing(rulebook.car(to_play[0])) % rulebook.order.lap_length
        rulebook.order.call(to_play)
