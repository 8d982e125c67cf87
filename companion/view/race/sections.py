"""A board of sections as tiles with lines of cars, and the order of play."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from companion.rules.ninety.circuit import SectionTrack
from companion.rules.public import PublicCar, PublicSectionCar
from companion.view.shown import InTurn
from companion.view.shown_board import InSection, SectionTile, TrajectoryPoint
from companion.view.sight import Sight


def tiles(sight: Sight) -> tuple[SectionTile, ...]:
    """Return every section in driving order; empty on a board without sections."""
    if not isinstance(sight.track, SectionTrack):
        return ()
    here = sight.cars.get(sight.playing or 0)
    return tuple(_manned(sight, tile, here) for tile in bare_tiles(sight.track))


def of_sections(sight: Sight) -> bool:
    """Return True if the board consists of sections."""
    return isinstance(sight.track, SectionTrack)


def in_turn(sight: Sight) -> tuple[InTurn, ...]:
    """Return the cars in this turn's order of play: played, playing, and to come."""
    if not of_sections(sight) or not sight.race.round or sight.asked is None:
        return ()
    now = sight.playing
    order = [(number, "done") for number in sight.race.played if number != now]
    order += [(number, "now" if number == now else "to_come") for number in sight.race.to_play]
    return tuple(InTurn(plate=sight.plate(number), state=state) for number, state in order)  # type: ignore[arg-type]


def bare_tiles(track: SectionTrack) -> tuple[SectionTile, ...]:
    """Return the sections of a circuit, without cars."""
    return tuple(
        SectionTile(
            space=f"section:{number}",
            number=number,
            name=section.name,
            kind=section.kind,
            bonus=_figure(section.bonus) if section.kind == "corner" else "",
            late=section.late.text.replace("-", "−") if section.late else "",
            points=tuple(TrajectoryPoint(text=point.text) for point in section.trajectories),
        )
        for number, section in enumerate(track.sections, 1)
    )


def _manned(sight: Sight, tile: SectionTile, here: PublicCar | None) -> SectionTile:
    """Return a section with its cars."""
    there = [car for car in sight.cars.values() if isinstance(car, PublicSectionCar) and car.at == tile.space]
    there.sort(key=lambda car: (car.status == OFF, car.arrived))
    cars = tuple(
        InSection(
            plate=sight.plate(car.number),
            code=sight.codes[car.number],
            place=0 if car.status == OFF else place,
            still=car.still,
            playing=car.number == sight.playing,
        )
        for place, car in enumerate(there, 1)
    )
    points = tuple(TrajectoryPoint(text=point.text, car=_on(there, place)) for place, point in enumerate(tile.points))
    return replace(tile, cars=cars, points=points, here=here is not None and here.at == tile.space)


OFF: Final = "off"
"""Status of a car off the track, which has no place in the line."""


def _on(cars: list[PublicSectionCar], point: int) -> int:
    """Return the number of the car on a point, 0 for none."""
    return next((car.number for car in cars if car.line == point), 0)


def _figure(count: int) -> str:
    return f"−{-count}" if count < 0 else str(count)
