"""Plausible sightings of a move on a board that is known to the corner only."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

from companion.rules.circuit.stretches import fewest_spaces, overshot_range, stretch
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import Pool
from companion.rules.dice.state import Car, RaceState

STRETCH: Final = 7
"""Spaces of an ordinary straight or corner, where nobody has counted them."""


def pool(car: Car, part: Pool) -> Pool:
    """Return the pool that pays for a part of a car: its own, or the only one."""
    return part if part in car.wear else next(iter(car.wear))


def owed(track: Track, race: RaceState[Car], car: Car, place: str, fields: Mapping[str, Json]) -> list[int]:
    """Return the stops missing in each corner that a move to a place leaves too early.

    A place is written "corner:3". Beyond the line that ends a car's race none counts.
    """
    where, _, number = (car.at or "after:0").partition(":")
    if place in (car.at, "after:0") or place.startswith(("pit", "box")):
        return []
    count = len(track.corners)
    now, inside = (count if where in ("pit", "box") else int(number)), where == "corner"
    to, stays = int(place.partition(":")[2]), place.startswith("corner")
    begun = race.move.made if race.move is not None and race.move.begin == car.at else 0
    missing: list[int] = []
    for _ in range(2 * count + 2):
        if inside:
            if stays and now == to:
                break
            made = begun if where == "corner" and now == int(number) and not missing else 0
            if made < track.corners[now - 1].stops:
                missing.append(track.corners[now - 1].stops - made)
            inside = False
        if (not stays and now == to) or (now == count and fields["last_lap"]):
            break
        now, inside = now % count + 1, True
    return missing


def crosses(track: Track, car: Car, place: str) -> bool:
    """Return True if a move to a place crosses the line: it ends earlier in the lap than it began."""
    return stretch(track, place) < stretch(track, car.at)


def may_cross(track: Track, car: Car, place: str) -> bool:
    """Return True if a move to a place ends on the straight with the line, so that it may have crossed it."""
    last = 2 * len(track.corners)
    return not place.startswith(("pit", "box")) and stretch(track, place) == last


def places(track: Track, car: Car, fields: Mapping[str, Json]) -> dict[str, str]:
    """Return the places of a question as the table says them -> as the rules write them."""
    return {said: _place_named(track, said, car) for said in fields["in"]}


def _place_named(track: Track, said: str, car: Car) -> str:
    if said in ("pit", "box"):
        return f"{said}:{car.box}"
    where, _, number = said.rpartition(" ")
    if where == "after corner" and int(number) == len(track.corners) and (car.at == "after:0" or car.in_pits):
        return "after:0"
    return f"{'corner' if where == 'corner' else 'after'}:{number}"


def look(
    track: Track, race: RaceState[Car], car: Car, fields: Mapping[str, Json], chance: Random, *, wild: bool
) -> dict[str, Json]:
    """Return what was seen of a move.

    `wild` makes everything happen that may; else the car is driven as its driver meant.
    """
    ways = places(track, car, fields)
    said = list(ways)
    if wild:
        safe = [name for name in said if not owed(track, race, car, ways[name], fields)]
        there = chance.choice(safe if safe and chance.random() < 0.7 else said)
    else:
        there = _intended_place(track, race, car, ways, fields, chance)
    if not _comes_to(track, race, car, ways[there], fields):
        there = min(said, key=lambda name: (fewest_spaces(track, car.at, ways[name]), said.index(name)))
    place = ways[there]
    seen: dict[str, Json] = {"in": there}
    if crosses(track, car, place) or (may_cross(track, car, place) and chance.random() < 0.5):
        seen["line"] = True
    if fields["soft"][1] and chance.random() < 0.5:
        seen["soft"] = fields["soft"][1]
    missing = owed(track, race, car, place, fields)
    left = fields["spaces"] + fields["slide"]
    sure = left if missing else fields["spaces"]  # a move that leaves no stop behind may not have slid
    enters = car.at is not None and not car.at.startswith("corner") and (missing or place.startswith("corner"))
    in_lane = car.in_pits and place.startswith(("pit", "box"))  # not every rulebook lets a car brake there
    held = car.wear.get("brakes", left) - (fields["entry"] if enters else 0)  # of one pool the question has the points
    spare = sure - max(1, fewest_spaces(track, car.at, place))
    most = 0 if in_lane else min(fields["brakes"][1], left - 1, held)
    stuck = min(fields["blocked"][1], left - 1)
    home = place.startswith(("pit", "box")) or "line" in seen or (car.in_pits and fields["last_lap"])
    if most > 0 and spare > 0 and chance.random() < (0.2 if wild else 0.03):
        seen["brakes"] = min(chance.randint(1, min(most, 3)) if wild else 1, spare)
        left -= seen["brakes"]
    elif stuck > 0 and spare > 0 and not home and (wild or most > 1) and chance.random() < (0.1 if wild else 0.01):
        seen["blocked"] = min(chance.randint(1, min(stuck, 8)) if wild else 1, spare)
        left -= seen["blocked"]
    if missing:
        least, most = overshot_range(track, car.at, place, len(missing), left, last_lap=fields["last_lap"])
        reach = fields["past"].get("reach", left)  # in the cup a car spins on the space after it
        seen["overshot"] = chance.randint(least, max(least, min(most, reach + 1, 6 if wild else 2)))
    for name in ("dangers", "walls"):
        most = min(fields[name][1], 2)
        if most and chance.random() < (0.1 if wild else 0.03):
            seen[name] = chance.randint(1, most)
    if place.startswith("pit") and fields["to_box"][1] and chance.random() < 0.7:
        seen["to_box"] = chance.randint(1, 12)
    return seen | _company(race, car, place, chance, 0.4 if wild else 0.15)


def _comes_to(track: Track, race: RaceState[Car], car: Car, place: str, fields: Mapping[str, Json]) -> bool:
    """Return True if the die brings a car to a place, as its tyres let it overshoot the corners on the way."""
    missing = owed(track, race, car, place, fields)
    count = len(missing)
    left: int = fields["spaces"] + (fields["slide"] if missing else 0)
    reach: int = (fields["past"] or {}).get("reach", left)
    return fewest_spaces(track, car.at, place) <= left and count * (count + 1) // 2 <= max(1, reach + 1)


def _intended_place(
    track: Track, race: RaceState[Car], car: Car, ways: Mapping[str, str], fields: Mapping[str, Json], chance: Random
) -> str:
    """Return the place where a driver ends who has chosen his gear well.

    That is his box if he wants it and has not had it yet, a corner that still wants a stop, or as far as the die takes
    him.
    """
    spaces = int(fields["spaces"])
    steps = spaces // STRETCH + (chance.random() * STRETCH < spaces % STRETCH)
    onward = [said for said, place in ways.items() if not place.startswith(("pit", "box"))]
    into = next((said for said in ways if said in ("box", "pit")), None)
    if into is not None and not car.stop and (car.in_pits or car.wear.get("tyres", 9) < 3):
        return "box" if "box" in ways else into
    reach = onward[: steps + 1] or onward[:1] or list(ways)
    clean = [said for said in reach if not owed(track, race, car, ways[said], fields)]
    if clean and (clean[-1] == reach[-1] or chance.random() < 0.85):
        return clean[-1]
    over = [said for said in reach if owed(track, race, car, ways[said], fields) == [1]]
    return over[0] if over else (clean or onward or list(ways))[-1]


def _company(race: RaceState[Car], car: Car, place: str, chance: Random, often: float) -> dict[str, Json]:
    """Return the cars around the car, so often: those last seen in the same stretch."""
    if place.startswith(("pit", "box")):
        return {}
    near = [other.number for other in race.cars if other is not car and other.standing and other.at == place]
    chance.shuffle(near)
    seen: dict[str, Json] = {}
    if near and chance.random() < often:
        seen["beside"] = near[:1]
        near = near[1:]
    if near and chance.random() < often:
        seen["ahead"] = near[0]
    return seen
