"""The chart of a car in the race of cards: its counters and notes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeGuard

from companion.rules.conversation.kinds import Pool
from companion.rules.ninety.cards import card
from companion.rules.public import PublicCar, PublicSectionCar
from companion.view.consequences import TAKEN
from companion.view.race.hand import short
from companion.view.shown import Counter, Dashboard, Extra, Price, Tone
from companion.view.sight import Sight

HIDDEN_EXTRAS: Final = frozenset({"clock", "pit", "cards", "damage"})
"""Pictograms of extras left out: the question beside them tells fuel and stops, the others are counted or were just
played."""


def charted(car: PublicCar) -> TypeGuard[PublicSectionCar]:
    """Return True if a car has a chart instead of gears and pools of wear."""
    return isinstance(car, PublicSectionCar)


def counters(sight: Sight, car: PublicSectionCar) -> tuple[Counter, ...]:
    """Return the counters of a chart; empty until the car has one."""
    if not car.built:
        return ()
    left, built = car.wear, car.built
    hurt = built["damage"] - left["damage"]
    return (
        Counter(icon="tyres", label=_name(sight, "tyres"), value=left["tyres"], of=built["tyres"],
                tone=_last(left["tyres"])),
        Counter(icon="damage", label=_name(sight, "damage"), value=hurt, of=built["damage"], kept=car.permanent,
                tone="bad" if not left["damage"] else "warn" if hurt else "plain"),
        Counter(icon="cards", label=_name(sight, "cards"), value=left["cards"]),
    )  # fmt: skip


def in_short(sight: Sight, car: PublicSectionCar) -> tuple[Price, ...]:
    """Return the counters in short, for a row of the running order."""
    return tuple(
        Price(icon=one.icon, text=f"{one.value}/{one.of}" if one.icon in TAKEN else str(one.value), tone=one.tone)
        for one in counters(sight, car)
    )


def beside(shown: Dashboard | None) -> tuple[tuple[Price, ...], ...]:
    """Return a chart in two lines, counters and notes, to stand beside the question."""
    if shown is None:
        return ()
    counted = tuple(
        Price(icon=one.icon, text=f"{one.value}/{one.of}" if one.of else str(one.value), tone=one.tone)
        for one in shown.counters
    )
    said = tuple(
        Price(icon=one.icon, text=one.value, tone=one.tone)
        for one in shown.extras
        if one.value and one.icon not in HIDDEN_EXTRAS
    )
    return counted, said


def notes(sight: Sight, car: PublicSectionCar) -> tuple[Extra, ...]:
    """Return further notes on a car, the most urgent first."""
    return tuple(_notes(sight, car))


def _notes(sight: Sight, car: PublicSectionCar) -> Iterator[Extra]:
    if car.status == "off":
        yield Extra(icon="triangle", label=sight.say("chart.off"), tone="warn")
    if car.still:
        yield Extra(icon="pause", label=sight.say("chart.still"))
    if car.bot:
        yield Extra(icon="car", label=sight.say("chart.bot", kind=car.bot),
                    value=sight.say("chart.moves", count=car.moves))  # fmt: skip
    if car.fuel:
        yield _fuel(sight, car)
    if car.check:
        factor = card(car.check).factor
        yield Extra(icon="target", label=sight.say("chart.check"), value=sight.say("chart.or_less", factor=factor))
    if car.strategy:
        yield Extra(icon="flag", label=sight.say("chart.strategy"), value=sight.words.word("strategy", car.strategy))
    if car.permanent:
        yield Extra(icon="damage", label=sight.say("chart.permanent"), value=str(car.permanent), tone="bad")
    if car.point is not None:
        value = f"{sight.words.word('colour', car.point.colour).capitalize()} +{car.point.bonus}"
        yield Extra(icon="finish", label=sight.say("chart.line"), value=value)
    if played := _played_cards(sight, car.number):
        yield Extra(icon="cards", label=sight.say("chart.played"), value=short(played))
    if car.frozen:
        yield Extra(icon="lock", label=sight.say("chart.frozen"), value=short(car.frozen))


def _fuel(sight: Sight, car: PublicSectionCar) -> Extra:
    """Return the turn by which a stop is due, or the stops made."""
    if car.stops:
        return Extra(icon="pit", label=sight.say("chart.stops"), value=str(car.stops), tone="ok")
    left = car.fuel - sight.race.round
    tone: Tone = "plain" if left > 1 else "warn" if left == 1 else "bad"
    return Extra(
        icon="clock", label=sight.say("chart.fuel"), value=sight.say("chart.to_turn", fuel=car.fuel), tone=tone
    )


def _played_cards(sight: Sight, number: int) -> list[str]:
    """Return the cards that a car has played in the present turn."""
    begun = sight.desk.conversation.last_checkpoint[0]
    rulings = (ruling for item in sight.desk.history.items[begun:] for ruling in item.rulings)
    return [
        str(code)
        for ruling in rulings
        if ruling.kind == "plays" and ruling.car == number
        for code in ruling.facts["cards"]
    ]


def _name(sight: Sight, pool: Pool) -> str:
    return sight.pool(pool).capitalize()


def _last(left: int) -> Tone:
    return "bad" if not left else "warn" if left == 1 else "plain"
