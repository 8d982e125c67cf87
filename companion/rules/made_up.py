"""Made-up turns for the check of a rulebook: positions from which a turn comes to what random races seldom meet.

Each has a `matter`, such as a car that will stop straight behind another one. The turn is played by the rules from its
beginning; wishes say how some of its questions are answered, so that it comes there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from companion.rules.circuit.zones import zones_of
from companion.rules.conversation.asking import Asked, Json
from companion.rules.conversation.faces import FACES

if TYPE_CHECKING:
    from random import Random

    from companion.rules.circuit.track import Track

Wish = Callable[[Json], bool]
"""A condition on an answer."""
LAPS: Final = 3
"""Laps of a made-up race, whose cars are in their first: the pits are open."""
TOW_GEAR: Final = 4
"""Gear of two cars of which one gives the other a slipstream."""
STRAIGHT_ON: Final = 3
"""Spaces of a slipstream, as far as it takes to find one that ends in a corner."""
ZONED: Final = 0.7
"""Share of slipstreams in a zone of DRS, which the cup has nowhere else."""
WORN: Final = 0.3
"""Share of cars that have lost points before a slipstream or a high gear: most can pay."""
WALLED: Final = 0.5
"""Share of crowds that leave no way."""
NEAR: Final = 12
"""Spaces ahead on which other cars stand in a made-up turn."""


class CheckDriver(Protocol):
    """Answers any question of a race with something legal; `companion.drivers` has some."""

    def answer(self, asked: Asked, race: Json) -> Json: ...


class Directed:
    """Answers car 1's questions as is wished, if there is such an answer, and all others as another driver does."""

    def __init__(self, driver: CheckDriver, wishes: Mapping[str, Wish]) -> None:
        self.driver, self.wishes = driver, wishes

    def answer(self, asked: Asked, race: Json) -> Json:
        """Return the first answer that is as wished, else that of the driver."""
        wish = self.wishes.get(asked.ask) if asked.car == 1 else None
        if wish is not None:
            offered = asked.faces if asked.faces is not None else [option.answer for option in asked.options or ()]
            for answer in offered:
                if wish(answer):
                    return answer
        return self.driver.answer(asked, race)


class MadeUpTurn(NamedTuple):
    """The position before a made-up turn of car 1, and how its questions are answered.

    `left` are the points that each pool of car 1 has left at most, 0 for a car that has lost nothing. `extras` are
    values of the race, and `tyres` those of car 1, that not every rulebook has.
    """

    cars: Sequence[Mapping[str, Json]]
    wishes: Mapping[str, Wish]
    left: int = 0
    extras: Mapping[str, Json] = {}
    tyres: str = ""

    def position(self, *, plain: bool) -> dict[str, Json]:
        """Return it as a setup, if `plain` without what not every rulebook has."""
        position: dict[str, Json] = {"laps": LAPS, "cars": [*self.cars], "to_play": [1]}
        if plain:
            return position
        tyres = {"tyres": self.tyres} if self.tyres else {}
        return {**position, "cars": [{**self.cars[0], **tyres}, *self.cars[1:]], **self.extras}


def make_turn(matter: str, track: Track, chance: Random) -> MadeUpTurn | None:
    """Return a made-up turn on a circuit known to the space; None where the circuit has nothing of the kind."""
    return _MAKERS[matter](track, chance)


def _turn(
    track: Track,
    chance: Random,
    car: Mapping[str, Json],
    wishes: Mapping[str, Wish],
    others: Sequence[Mapping[str, Json]] = (),
    *,
    worn: bool = True,
    tyres: str = "",
    **extras: Json,
) -> MadeUpTurn:
    """Return the turn of car 1, with other cars of which at least one is on the board."""
    far = [track.spaces[space].name for space in _road(track)]
    others = others or [{"at": chance.choice([at for at in far if at != car["at"]]), "gear": 2}]
    cars = [{"car": number, "lap": 1, **one} for number, one in enumerate((car, *others), 1)]
    return MadeUpTurn(cars, wishes, chance.randint(1, 2) if worn else 0, extras, tyres)


def _is_road(track: Track, space: int) -> bool:
    """Return True for a space of the road that is not blocked."""
    return track.spaces[space].section >= 0 and space not in track.blocked


def _road(track: Track) -> list[int]:
    """Return the spaces of the road."""
    return [space.id for space in track.spaces if _is_road(track, space.id)]


def _crowd(
    track: Track, chance: Random, start: int, count: int, gear: int, *, wall: bool = False
) -> list[dict[str, Json]]:
    """Return other cars on the next spaces; those of a wall leave no way."""
    near, edge = list[int](), [start]
    for _ in range(NEAR):
        edge = sorted({there for space in edge for there in track.moves[space]} - {start, *near})
        near += edge
    road = [space for space in near if _is_road(track, space)]
    spaces = road[: len(track.moves[start])] if wall else chance.sample(road, min(count, len(road)))
    return [{"at": track.spaces[space].name, "gear": gear} for space in spaces]


@cache
def _tows(track: Track) -> Mapping[bool, Sequence[tuple[int, int]]]:
    """Return the spaces on straights behind which a lane is long enough for a move, with the spaces of that move.

    By whether a slipstream from there ends in a corner.
    """
    found: dict[bool, list[tuple[int, int]]] = {True: [], False: []}
    for space in track.spaces:
        ahead = track.ahead[space.id]
        if space.section < 0 or track.corner[space.id] >= 0 or ahead < 0 or ahead in track.blocked:
            continue
        end = space.id
        for _ in range(STRAIGHT_ON):
            end = track.ahead[end] if end >= 0 else -1
        for spaces in FACES[TOW_GEAR]:
            if _behind(track, space.id, spaces) >= 0 and end >= 0:
                found[track.corner[end] >= 0].append((space.id, spaces))
    return found


def _behind(track: Track, space: int, count: int) -> int:
    """Return the space so far behind another in its lane, on one straight; -1 if there is none."""
    for _ in range(count):
        space = track.behind[space]
        if space < 0 or track.corner[space] >= 0:
            return -1
    return space


def _tow(into: bool) -> Callable[[Track, Random], MadeUpTurn | None]:
    def make(track: Track, chance: Random) -> MadeUpTurn | None:
        """Stop straight behind another car on a straight, from which a slipstream ends in a corner or does not."""
        if not (found := _tows(track)[into]):
            return None
        zones = zones_of(track)
        in_zone = [tow for tow in found if any({tow[0], track.ahead[tow[0]]} <= zone.spaces for zone in zones)]
        stop, spaces = chance.choice(in_zone if in_zone and chance.random() < ZONED else found)
        names = [track.spaces[space].name for space in (_behind(track, stop, spaces), stop, track.ahead[stop])]
        wishes: dict[str, Wish] = {
            "gear": lambda answer: bool(answer == TOW_GEAR),
            "roll": lambda answer: bool(answer == spaces),
            "landing": lambda answer: _space(answer) == names[1] and not answer.get("brakes"),
            "slipstream": lambda answer: (
                (space := _space(answer)) is not None and (track.corner[track.ids[space]] >= 0) == into
            ),
        }
        car, worn = {"at": names[0], "gear": TOW_GEAR}, chance.random() < WORN
        return _turn(track, chance, car, wishes, [{"at": names[2], "gear": TOW_GEAR}], worn=worn)

    return make


def _space(answer: Json) -> str | None:
    return answer.get("space") if isinstance(answer, dict) else None


def _box(track: Track, chance: Random) -> MadeUpTurn | None:
    """Come from the lane to the box."""
    if track.pit is None:
        return None
    ways = [
        (box, space, gear, spaces)
        for box, front in enumerate(track.pit.fronts, 1)
        for place, space in enumerate(track.pit.spaces)
        for gear in (2, 3)
        if (spaces := track.pit.spaces.index(front) - place + 1) in FACES[gear]
    ]
    if not ways:
        return None
    box, space, gear, spaces = chance.choice(ways)
    wishes: dict[str, Wish] = {
        "gear": lambda answer: bool(answer == gear),
        "roll": lambda answer: bool(answer == spaces),
        "landing": lambda answer: (_space(answer) or "").startswith("box:"),
    }
    car = {"at": track.spaces[space].name, "gear": gear, "box": box, "status": "pit", "round_set": True}
    return _turn(track, chance, car, wishes)


def _leave(track: Track, chance: Random) -> MadeUpTurn | None:
    """Drive out of the box."""
    if track.pit is None:
        return None
    box = chance.randint(1, track.box_count)
    car = {"at": f"box:{box}", "box": box, "status": "box", "stop": chance.choice(("long", "missed"))}
    return _turn(track, chance, car, {})


def _enter(track: Track, chance: Random) -> MadeUpTurn | None:
    """Drive into the lane."""
    if track.pit is None:
        return None
    space = chance.choice(track.pit.entries)[0]
    for _ in range(chance.randint(0, 3)):
        space = track.behind[space] if track.behind[space] >= 0 else space
    wishes: dict[str, Wish] = {"landing": lambda answer: (_space(answer) or "").startswith(("pit:", "box:"))}
    car = {"at": track.spaces[space].name, "gear": 3, "box": 1, "round_set": True}
    return _turn(track, chance, car, wishes)


def _gears(track: Track, chance: Random) -> MadeUpTurn:
    """Take another gear from a high one: each that is open is tried."""
    car = {"at": track.spaces[chance.choice(_road(track))].name, "gear": chance.choice((4, 5, 6, 6))}
    return _turn(track, chance, car, {}, worn=chance.random() < WORN)


def _crowded(track: Track, chance: Random) -> MadeUpTurn:
    """Move among other cars and over danger spaces, with few points."""
    start, gear = chance.choice(_road(track)), chance.choice((1, 2, 3))
    others = _crowd(track, chance, start, 5, gear, wall=chance.random() < WALLED)
    dangers = [one["at"] for one in _crowd(track, chance, start, 3, gear)]
    car = {"at": track.spaces[start].name, "gear": gear}
    return _turn(track, chance, car, {}, others, dangers=dangers)


def _too_fast(track: Track, chance: Random) -> MadeUpTurn:
    """Go too fast for a corner, on tyres that slide on a wet track or soft ones on a dry one."""
    corner = chance.choice([space.id for space in track.spaces if track.corner[space.id] >= 0])
    surface, tyres = chance.choice((("wet", "hard"), ("wet", "soft"), ("dry", "soft")))
    car = {"at": track.spaces[corner].name, "gear": chance.choice((3, 4))}
    sky = "rain" if surface == "wet" else "sun"
    return _turn(track, chance, car, {}, tyres=tyres, sky=sky, surface=surface)


def _flat_out(track: Track, chance: Random) -> MadeUpTurn:
    """Drive the engine to its limit among cars in high gears, under a changeable sky."""
    start, gear = chance.choice(_road(track)), chance.choice((5, 6))
    wishes: dict[str, Wish] = {
        "gear": lambda answer: bool(answer == gear),
        "roll": lambda answer: bool(answer == FACES[gear][-1]),
    }
    others = _crowd(track, chance, start, 3, gear)
    car = {"at": track.spaces[start].name, "gear": gear}
    return _turn(track, chance, car, wishes, others, worn=False, sky="changeable")


def _standing(track: Track, chance: Random) -> MadeUpTurn:
    """Drive off after a stall or a spin, or roll out without an engine."""
    status = chance.choice(("spun", "stalled", "coasting"))
    car = {"at": track.spaces[chance.choice(_road(track))].name, "status": status}
    return _turn(track, chance, car | ({"gear": 3} if status == "coasting" else {}), {}, worn=False)


_MAKERS: Final[Mapping[str, Callable[[Track, Random], MadeUpTurn | None]]] = {
    "a slipstream": _tow(False),
    "a slipstream into a corner": _tow(True),
    "to the box": _box,
    "out of the box": _leave,
    "into the pits": _enter,
    "gears": _gears,
    "a crowd": _crowded,
    "too fast": _too_fast,
    "flat out": _flat_out,
    "standing": _standing,
}
MATTERS: Final = tuple(_MAKERS)
"""What a made-up turn is about, as in the sentences of the check."""
