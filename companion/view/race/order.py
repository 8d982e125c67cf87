"""The running order: a row per car."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from companion.rules.public import PublicCar, PublicDice, PublicSections
from companion.view.race.counters import charted, in_short
from companion.view.shown import Price, Row, Tone
from companion.view.sight import Sight

CHIPS: Final[Mapping[str, tuple[str, Tone]]] = {
    "pit": ("pit", "info"),
    "box": ("pit", "info"),
    "spun": ("spin", "warn"),
    "stalled": ("stall", "warn"),
    "off": ("off", "warn"),
    "coasting": ("coast", "warn"),
    "wreck": ("out", "plain"),
    "out": ("out", "plain"),
    "finished": ("home", "ok"),
}
"""Chips that replace the gap, by what a car is doing, with their tones."""


def order(sight: Sight) -> tuple[Row, ...]:
    """Return the rows, leader first; after the race, the classification."""
    leader = next((number for number in sight.order if sight.cars[number].alive), None)
    if sight.desk.over:
        return tuple(
            msgspec.structs.replace(
                _row(sight, row["place"] or 0, sight.cars[row["car"]], leader),
                points=sight.say("row.points", points=row["points"]) if row["points"] else "",
            )
            for row in sight.book.result()
        )
    return tuple(_row(sight, place, sight.cars[number], leader) for place, number in enumerate(sight.order, 1))


def teams(sight: Sight) -> tuple[Row, ...]:
    """Return a row per team after a race for teams."""
    return tuple(
        Row(
            position=one.place,
            plate=sight.plate(one.cars[0]),
            of_team=True,
            mates=tuple(sight.plate(car) for car in one.cars[1:]),
            code=one.team,
            name=one.team,
            team=" · ".join(sight.words.number(car, sight.names) for car in one.cars),
            points=sight.say("row.points", points=one.points),
        )
        for one in (sight.race.teams if isinstance(sight.race, PublicDice) else ())
    )


def _row(sight: Sight, place: int, car: PublicCar, leader: int | None) -> Row:
    stopped = sight.race.stopped if isinstance(sight.race, PublicSections) else ()
    doing = "pit" if car.status == "racing" and car.number in stopped else car.status
    chip, tone = CHIPS.get(doing, ("", "plain"))
    out, chart = car.status in ("out", "wreck"), charted(car)
    running = sight.race.phase != "setup"
    lap = car.lap if chart else min(max(car.lap, 1), sight.race.laps)
    return Row(
        position=place,
        plate=sight.plate(car.number),
        code=sight.codes[car.number],
        name=car.driver,
        team=car.team,
        gear=sight.say("row.gear", gear=car.gear or "–") if running and car.standing and not chart and not out else "",
        lap=sight.say("row.lap", lap=lap) if running and lap > 0 else "",
        left=_remaining(sight, car) if not out and (car.standing or not chart) else (),
        note=sight.words.word("cause", car.cause).capitalize() if out else "",
        gap="" if chip or not running else gap(sight, car, leader),
        chip=sight.say(f"row.{chip}") if chip else "",
        chip_tone=tone,
        played=car.number in sight.race.played and car.number != sight.playing,
        playing=car.number == sight.playing,
        out=out,
        bot=bool(getattr(car, "bot", "")),
    )


def _remaining(sight: Sight, car: PublicCar) -> tuple[Price, ...]:
    """Return what a car has left: its counters, or its points in each pool."""
    if charted(car):
        return in_short(sight, car)
    tones: Mapping[int, Tone] = {0: "bad", 1: "warn"}
    return tuple(Price(icon=pool, text=str(left), tone=tones.get(left, "plain")) for pool, left in car.wear.items())


def gap(sight: Sight, car: PublicCar, leader: int | None) -> str:
    """Return the gap to the leader in spaces; "" on a corner sheet, where it is unknown."""
    if car.number == leader:
        return sight.say("row.leader")
    if leader is None:
        return ""
    return "" if car.behind is None else f"+{car.behind}"
