"""The car to play: gears, wear and extras."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from companion.rules.conversation.asking import Option
from companion.rules.conversation.kinds import Pool
from companion.rules.public import PublicCar
from companion.view import price
from companion.view.race.counters import charted, counters, notes
from companion.view.race.extras import extras
from companion.view.race.keys import GEARS
from companion.view.shown import Column, Dashboard, GearCell
from companion.view.sight import Sight


def dashboard(sight: Sight, wear: Mapping[Pool, int]) -> Dashboard | None:
    """Return the dashboard of the car that is asked, or of the target of a shot.

    `wear` is the selected answer's effect on its pools. None without a car.
    """
    asked = sight.asked
    number = asked.car if asked is not None and asked.car is not None else sight.playing
    if sight.fields.get("target") in sight.cars:
        number = sight.fields["target"]
    car = sight.cars.get(number or 0)
    if car is None:
        return None
    place = sight.order.index(car.number) + 1
    shown = Dashboard(
        plate=sight.plate(car.number),
        name=car.driver or sight.codes[car.number],
        position=sight.say("row.position", place=place) if sight.race.phase != "setup" else "",
    )
    if charted(car):
        return replace(shown, counters=counters(sight, car), extras=notes(sight, car))
    return replace(
        shown,
        gears=gears(sight, car),
        columns=columns(sight, car, wear),
        extras=extras(sight, car),
    )


def gears(sight: Sight, car: PublicCar) -> tuple[GearCell, ...]:
    """Return the gear gate: the present gear, and the others with their cost if a gear is asked."""
    asked = sight.asked
    offered: dict[int, Option] = {}
    if asked is not None and asked.ask == "gear" and asked.car == car.number:
        offered = {option.answer: option for option in asked.options or []}
    return tuple(_cell(sight, car, gear, offered.get(gear)) for gear in sorted({*range(1, GEARS + 1), *offered}))


def _cell(sight: Sight, car: PublicCar, gear: int, option: Option | None) -> GearCell:
    if gear == car.gear:
        return GearCell(gear=gear, state="now", word=sight.say("gate.now"))
    if option is None:
        return GearCell(gear=gear, state="barred")
    lost = sum(option.wear.values())
    if lost or option.facts.get("out"):
        return GearCell(gear=gear, state="allowed", word=price.signed(lost), tone=price.tone_of(option))
    return GearCell(gear=gear, state="allowed", word=sight.say("gate.free"), tone="ok")


def columns(sight: Sight, car: PublicCar, wear: Mapping[Pool, int]) -> tuple[Column, ...]:
    """Return a column per pool of the car, with the effect of the selected answer."""
    pools = [pool for pool in sight.race.pools if pool in car.built]
    pools += [pool for pool in car.built if pool not in pools]
    shown = []
    for pool in pools:
        left, change = car.wear.get(pool, 0), wear.get(pool, 0)
        shown.append(
            Column(
                pool=pool,
                name=sight.pool(pool).capitalize(),
                built=max(car.built[pool], left),
                left=left,
                cost=min(left, -change) if change < 0 else 0,
                repaired=max(0, change),
            )
        )
    return tuple(shown)
