"""The public face of a race: plain typed data, made by the rules for a seat.

Screens, paper, terminal and protocol know a race by this and by its question, and by nothing else. A race of dice and
gears and a race of sections have a face each, which as JSON says its `family`; what both have stands in `PublicRace`
and `PublicCar`. What the cup and the death race add has a part of its own; `more` is all that a rulebook keeps beside
what its family does, by name, for the code that puts it into words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast, overload

import msgspec

from companion.rules.circuit.track import Track
from companion.rules.circuit.zones import sections
from companion.rules.conversation.asking import Json
from companion.rules.conversation.faces import FLAT_OUT
from companion.rules.conversation.kinds import Ask, Cause, Compound, Pool, Pools, Sky, Surface
from companion.rules.cup import CupCar, CupRace, Service
from companion.rules.death.cards import CARDS
from companion.rules.death.state import DeathCar, DeathRace
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.gears import GearRefusal
from companion.rules.dice.order import TeamPlace, teams_of
from companion.rules.dice.state import Car, RaceState, Status
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.ninety.state import Bot, SectionCar, SectionRace, Strategy

if TYPE_CHECKING:
    from companion.rules.cup import Cup
    from companion.rules.death.death import Death
    from companion.rules.ninety.ninety import Ninety
    from companion.rules.rulebooks import Book, Dice

Board: TypeAlias = Track | SectionTrack
"""Circuit of any kind."""


class PublicCar(msgspec.Struct, frozen=True, kw_only=True):
    """A car, whatever it is driven with.

    `behind` are the spaces to the leader of the race, None where nobody has counted them and for a car that is not
    racing; `arrived` is a count that grows with each arrival, so that of several cars in one place the lowest came
    first. `wear` are the points left and `built` those at the start, by pool; `alive` is true of a car that still
    races, `standing` of one that stands on the board, wrecks as well. `more` is what only its rulebook keeps of a car,
    by name.
    """

    number: int
    driver: str
    team: str
    status: Status | Literal["off"]
    cause: Cause
    at: str | None
    lap: int
    stops: int
    wear: Pools
    built: Pools
    arrived: int
    alive: bool
    standing: bool
    behind: int | None
    more: Mapping[str, Json]
    gear: int = 0
    tyres: Compound = ""


class PublicCup(msgspec.Struct, frozen=True):
    """The cup's part of a car: the stop it is making."""

    service: Service


class PublicArms(msgspec.Struct, frozen=True):
    """The death race's part of a car: its cards against a shot, "" without one."""

    defence: str
    utility: str


class PublicDiceCar(PublicCar, frozen=True, kw_only=True):
    """A car of dice and gears.

    `stand` are the repair points kept at its box. `corner` is the index of the corner that it stands in, -1 for none;
    `stretch` says on a corner sheet where it stands, counted along the lap: the corners and what lies between them.
    """

    stand: int
    tyre_laps: int
    stop: str
    box: int
    in_pits: bool
    corner: int
    stretch: int
    cup: PublicCup | None = None
    arms: PublicArms | None = None


class LinePoint(msgspec.Struct, frozen=True):
    """The point of an ideal line on which a car stands."""

    colour: str
    bonus: int


class PublicSectionCar(PublicCar, frozen=True, kw_only=True):
    """A car of the race of sections.

    `hand` are the cards in the hand that this seat may see, `moves` how far a bot goes, `fuel` the turn by which it
    stops.
    """

    bot: Bot
    moves: int
    hand: Sequence[str]
    frozen: Sequence[str]
    check: str
    strategy: Strategy
    permanent: int
    fuel: int
    line: int
    point: LinePoint | None
    still: bool


class PublicRace(msgspec.Struct, frozen=True, kw_only=True):
    """A race, whatever it is driven with.

    All lists are of car numbers but `pools` and `marked`. `order` has the leader first; `played` those that have had
    their turn this round, `to_play` those that still play, in order, `playing` the one whose turn is being played;
    `queue` the cars of a race of sections by their arrival. `marked` are the spaces on which something lies. `more` is
    what only its rulebook keeps of a race, by name.
    """

    rulebook: str
    phase: Literal["setup", "race", "over"]
    laps: int
    round: int
    pools: Sequence[Pool]
    order: Sequence[int]
    played: Sequence[int]
    to_play: Sequence[int]
    playing: int | None
    sky: Sky = ""
    surface: Surface = ""
    marked: Sequence[str] = ()
    queue: Sequence[int] = ()
    more: Mapping[str, Json] = {}


class PublicPits(msgspec.Struct, frozen=True):
    """The two columns of the cup's pit grid, each from its top."""

    pitting: Sequence[int]
    leaving: Sequence[int]


class PublicDice(PublicRace, frozen=True, kw_only=True, tag_field="family", tag="dice"):
    """A race of dice and gears.

    `zones` are the sections that lie in a DRS zone, `pits` the pit grid, if any; `teams` is the classification of a
    race for teams, once it is over.
    """

    cars: Sequence[PublicDiceCar]
    zones: Sequence[int] = ()
    pits: PublicPits | None = None
    teams: Sequence[TeamPlace] = ()


class PublicSections(PublicRace, frozen=True, kw_only=True, tag_field="family", tag="sections"):
    """A race of sections. `stopped` are the cars that made their stop this turn."""

    cars: Sequence[PublicSectionCar]
    stopped: Sequence[int]


Public: TypeAlias = PublicDice | PublicSections


@overload
def public(book: Dice, seat: int | None = None) -> PublicDice: ...
@overload
def public(book: Ninety, seat: int | None = None) -> PublicSections: ...
def public(book: Book, seat: int | None = None) -> Public:
    """Return the face of a race for the driver of car `seat`; None is for a reader without a hand of his own.

    >>> from companion import circuits
    >>> from companion.rules.rulebooks import begin
    >>> cars = [{"car": 1, "at": "1:left:1", "gear": 3}, {"car": 2, "at": "1:right:1", "gear": 2}]
    >>> book = begin({"track": "monaco", "cars": cars, "to_play": [1, 2]}, circuits.load("monaco"))
    >>> race = public(book)
    >>> race.order, race.cars[0].gear, race.cars[0].behind
    ((2, 1), 3, 1)
    """
    if isinstance(book, FormulaDe):
        return _dice(book)
    return _sections(book, seat)


@overload
def car_of(book: Dice, number: int) -> PublicDiceCar: ...
@overload
def car_of(book: Ninety, number: int) -> PublicSectionCar: ...
def car_of(book: Book, number: int) -> PublicCar:
    """Return what may be known of a car from its own seat."""
    return next(car for car in public(book, number).cars if car.number == number)


def _dice(book: Dice) -> PublicDice:
    race: RaceState[Car] = book.race
    order = book.running_order()
    lead = next((number for number in order if book.car(number).alive), None)
    leader = book.car(lead) if lead is not None else None
    return PublicDice(
        **_race(book, order),
        playing=race.move.car if race.move is not None else None,
        sky=race.sky if "sky" in book.race_values else "",
        surface=race.surface if "surface" in book.race_values else "",
        marked=tuple(race.marked),
        queue=tuple(race.queue),
        more=_more(race, RaceState),
        cars=[_dice_car(book, car, leader) for car in race.cars],
        zones=_zones(cast("Cup", book)) if isinstance(race, CupRace) else (),
        pits=PublicPits(tuple(race.pitting), tuple(race.leaving)) if isinstance(race, CupRace) else None,
        teams=teams_of(book.result()) if race.phase == "over" else (),
    )


def _race(book: Book, order: list[int]) -> Any:
    """Return what every race has."""
    race = book.race
    return {
        "rulebook": book.name,
        "phase": race.phase,
        "laps": race.laps,
        "round": race.round,
        "pools": race.pools,
        "order": tuple(order),
        "played": tuple(race.played),
        "to_play": tuple(book.to_play()) if race.round else (),
    }


def _zones(book: Cup) -> tuple[int, ...]:
    return tuple(at for zone in book.slipstream.zones for at in sections(book.track, zone))


OF_VARIANTS: Final = ("wings", "uses", "bought")
"""Fields of a car that only variants use."""


def _dice_car(book: Dice, car: Car, leader: Car | None) -> PublicDiceCar:
    return PublicDiceCar(
        **_car(car),
        more={**_more(car, Car), **{name: value for name in OF_VARIANTS if (value := getattr(car, name))}},
        behind=book.order.behind(car, leader) if leader is not None else None,
        gear=car.gear,
        tyres=car.tyres,
        stand=car.stand,
        tyre_laps=car.tyre_laps,
        stop=car.stop,
        box=car.box,
        in_pits=car.in_pits,
        corner=book.corners.corner_of(car.at) if car.standing else -1,
        stretch=book.sheet.stretch(car.at) if book.track.known == "corner" and car.at is not None else 0,
        cup=PublicCup(car.service) if isinstance(car, CupCar) else None,
        arms=PublicArms(car.defence, car.utility) if isinstance(car, DeathCar) else None,
    )


def _car(car: Car | SectionCar) -> Any:
    """Return what every car has."""
    same = ("number", "driver", "team", "status", "cause", "at", "lap", "stops", "arrived", "alive", "standing")
    return {name: getattr(car, name) for name in same} | {"wear": dict(car.wear), "built": dict(car.built)}


def _more(thing: msgspec.Struct, family: type[msgspec.Struct]) -> Mapping[str, Json]:
    """Return what a rulebook keeps of a car or a race beside what the family of rulebooks does."""
    return {name: getattr(thing, name) for name in thing.__struct_fields__ if name not in family.__struct_fields__}


def _sections(book: Ninety, seat: int | None) -> PublicSections:
    race: SectionRace = book.race
    order = book.running_order()
    leader = next((number for number in order if book.car(number).alive), None)
    ahead = book.car(leader) if leader is not None else None
    return PublicSections(
        **_race(book, order),
        playing=None,
        queue=tuple(race.queue),
        cars=[_section_car(book, car, ahead, seat) for car in race.cars],
        stopped=tuple(race.stopped),
    )


def _section_car(book: Ninety, car: SectionCar, leader: SectionCar | None, seat: int | None) -> PublicSectionCar:
    points = book.section(car).trajectories
    point = points[car.line] if 0 <= car.line < len(points) else None
    return PublicSectionCar(
        **_car(car),
        more={name: value for name, value in _more(car, Car).items() if name != "hand"},
        behind=book.order.behind(car, leader) if leader is not None else None,
        bot=car.bot,
        moves=book.bots.bot_value(car) if car.bot else 0,
        hand=tuple(car.hand) if car.number == seat or not book.race.deck else (),
        frozen=tuple(car.frozen),
        check=car.check,
        strategy=car.strategy,
        permanent=car.permanent,
        fuel=car.fuel,
        line=car.line,
        point=LinePoint(point.colour, point.bonus) if point is not None else None,
        still=car.still,
    )


# -- what lies hidden

FROM_HAND: Final[frozenset[Ask]] = frozenset({"play", "pay", "check", "discard", "keep", "show", "qualify"})
"""Questions that are answered with cards of a hand, so that what they offer is the hand."""
UNSHOWN: Final[frozenset[Ask]] = frozenset({"discard", "keep", "contest", "show", "qualify"})
"""Questions, among those and related ones, whose answer lies face down when it is given."""
OF_CONTESTS: Final[frozenset[Ask]] = frozenset({"contest", "show"})


CARD_FIELDS: Final = frozenset({"weapons", "defence", "utility", "second", "stock", "stripped"})
"""Fields of a car of the death race that hold its cards."""
DRIVER_ONLY_FIELDS: Final = CARD_FIELDS | {"hand"}
"""Fields that only the driver of a car knows."""


def hides(book: Book) -> bool:
    """Return True if the program deals from a deck of its own, and so knows hidden cards."""
    return bool(getattr(book.race, "deck", 0))


def seen_by_others(face: Public, seat: int | None, laid: Sequence[str]) -> Public:
    """Return the face of a race whose cards were dealt, as the driver of car `seat` may see the other cars.

    It has no cards that were dealt to them, none of those `laid` face down in the contest that goes on or in qualifying
    before everybody has shown his, and no number of the deck.
    """
    if isinstance(face, PublicDice):
        more = {name: value for name, value in face.more.items() if name != "deck"}
        cars = [car if car.number == seat else _without_cards(car) for car in face.cars]
        return msgspec.structs.replace(face, cars=cars, more=more)
    qualifying = face.phase == "setup" and not all(car.more["shown"] for car in face.cars)
    shut = [car if car.number == seat else _without_laid(car, laid, qualifying=qualifying) for car in face.cars]
    return msgspec.structs.replace(face, cars=shut)


def _without_cards(car: PublicDiceCar) -> PublicDiceCar:
    more = {name: value for name, value in car.more.items() if name not in CARD_FIELDS}
    return msgspec.structs.replace(car, arms=None, more=more)


def _without_laid(car: PublicSectionCar, laid: Sequence[str], *, qualifying: bool) -> PublicSectionCar:
    shut: dict[str, Json] = {"frozen": [code for code in car.frozen if code not in laid]}
    if qualifying:  # the card that is shown is the first check card
        shut |= {"check": "", "shown": ""}
    return msgspec.structs.replace(
        car, frozen=shut["frozen"], check=shut.get("check", car.check), more={**car.more, **shut}
    )


def change_seen(change: Mapping[str, Json], seat: int | None) -> dict[str, Json]:
    """Return the values that the referee has set, as the driver of car `seat` may know them.

    Cards that others hold are left out; empty where nothing else was set.
    """
    seen = _set_openly(change, seat)
    if "cars" in seen:
        seen["cars"] = [one for values in seen["cars"] if set(one := _set_openly(values, seat)) > {"car"}]
    seen = {name: value for name, value in seen.items() if name != "cars" or value}
    return seen if set(seen) != {"car"} else {}


def _set_openly(values: Mapping[str, Json], seat: int | None) -> dict[str, Json]:
    return {
        name: value for name, value in values.items() if name not in DRIVER_ONLY_FIELDS or values.get("car") == seat
    }


# -- what is worked out when somebody asks for it


def barred(book: Book, number: int, gear: int) -> GearRefusal | None:
    """Why a car may not take a gear; None for one that it may take, and where there are none."""
    return book.gears.barred(book.car(number), gear) if isinstance(book, FormulaDe) else None


def covered(book: Book, number: int, card: str) -> Mapping[str, int]:
    """Return the spaces that a weapon of a car covers, with their ranges; empty where there are no weapons."""
    if not isinstance(book.race, DeathRace):
        return {}
    death = cast("Death", book)
    found = death.reach.covered(CARDS[card], death.car(number))
    return {death.track.spaces[at].name: far for at, far in found.items()}


def on_track(book: Book, compound: Compound, surface: Surface) -> tuple[int, int]:
    """Return the spaces that a compound slides on a surface, and its price of a space of overshooting.

    The price is that in a corner of one stop; both are 0 where there are no compounds.
    """
    if not isinstance(book, FormulaDe):
        return 0, 0
    wet = surface == "wet"
    return book.tyres.slide_of(compound, wet=wet), book.tyres.factors_of(compound, wet=wet)[0]


def draws_weather(book: Book) -> dict[int, int]:
    """Return the face of each gear's die by which the weather is drawn again; none where it stays as it is."""
    return FLAT_OUT if isinstance(book, FormulaDe) and book.weather.may_change() else {}


def has_pits(race: PublicDice) -> bool:
    """Return True if a race has a lap in which cars may enter the pits: none does on its last one [19-1-1]."""
    return race.laps > 1


def come(book: Book, number: int) -> tuple[int, int]:
    """Return how far a car has come, and how far it is to the end of the race: on the road, or in turns."""
    if not isinstance(book, FormulaDe):
        return book.race.round - 1, book.race.laps
    return max(book.order.progress(book.car(number)), 0), book.order.lap_length * book.race.laps


class Settable(msgspec.Struct, frozen=True):
    """A value that the referee's word can set: its name, how it stands, and its range where it is a number."""

    name: str
    value: Json
    range: tuple[int, int] | None = None


def settable_on_car(book: Book, number: int) -> list[Settable]:
    """Return what the referee's word can set on a car."""
    car = book.car(number)
    values = {name: getattr(car, name) for name in book.car_values}
    if "uses" in values:
        values["uses"] = _uses(cast("Dice", book), cast("Car", car))
    if "bought" in values:
        values["bought"] = values["bought"] or 0
    return [Settable(name, value, book.car_ranges.get(name)) for name, value in values.items()]


def _uses(book: Dice, car: Car) -> dict[str, int]:
    """Return how often a car has used each allowance, in this lap and in as many before it as can use it up."""
    lap = max(car.lap, 1)
    unused = {
        f"{name}:{lap - ago}": 0
        for name, (in_lap, in_all) in book.position.allowances(car).items()
        for ago in range(min(lap, -(-in_all // in_lap) + 1))
    }
    return {**unused, **car.allowances}


def settable_on_race(book: Book) -> list[Settable]:
    """Return what the referee's word can set on the race; of its order the cars that still play."""
    return [Settable(name, _now(book, name)) for name in book.race_values]


def endings_of_race(book: Book) -> list[Settable]:
    """Return how the referee's word can end the race, or stop it."""
    return [Settable(name, _now(book, name)) for name in book.race_endings]


def _now(book: Book, name: str) -> Json:
    if name == "queue":
        return []
    return cars_in_order(book) if name == "order" else getattr(book.race, name)


def cars_in_order(book: Book) -> list[int]:
    """Return the cars whose order the referee's word sets: those that still play this round, or still attack."""
    return list(getattr(book.race, "attackers", ())) or book.to_play()


def turn_changes(book: Book, change: Mapping[str, Json]) -> tuple[list[int], list[int]]:
    """Return the cars that lose a turn and those that gain one by an order of play that the referee sets.

    A car in the middle of its turn finishes it all the same. Raises CompanionError if the values are refused.
    """
    if "order" not in change:
        return [], []
    trial = book.clone()
    before = [number for number in cars_in_order(trial) if trial.car(number).alive]
    trial.override(change)
    after = [number for number in cars_in_order(trial) if trial.car(number).alive]
    move = getattr(trial.race, "move", None)
    lost = [number for number in before if number not in after and (move is None or number != move.car)]
    return lost, [number for number in after if number not in before]
