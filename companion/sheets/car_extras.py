"""Words for what a rulebook keeps of a car or a race beside wear and weather.

These are KERS points, compounds, the pit grid, a stop that is not over, the marker of wet weather conditions, cards and
the tokens on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.rules.conversation.asking import Json
from companion.wording import Words

TOKEN: Final = "●"
"""Reload token on a weapon."""


def of_car(words: Words, car: Mapping[str, Json], race: Mapping[str, Json], number: int) -> list[str]:
    """Return the sentences about a car, part by part; none in a rulebook that keeps nothing of the kind."""
    parts = []
    if "kers" in car:
        parts.append(words.say("kers_left", kers=car["kers"]))
    if raced := car.get("raced"):
        parts.append(words.say("raced_on", tyres=[words.word("tyres", tyres) for tyres in raced]))
    if car.get("wings"):
        parts.append(words.option("wings", car["wings"]))
    for column in ("pitting", "leaving"):
        if number in race.get(column, ()):
            parts.append(words.say("grid_row", column=column, row=race[column].index(number) + 1))
    if car.get("bonus"):
        parts.append(words.say("grid_bonus", points=car["bonus"]))
    if car.get("home"):
        parts.append(words.say("at_home"))
    if "home" in car and car.get("stop") in ("quick", "long", "missed"):
        parts.append(words.say("way_out", stop=car["stop"]))
    if car.get("strategy"):
        parts.append(words.word("strategy", car["strategy"]))
    if car.get("fuel"):
        parts.append(words.say("fuel_to", turn=car["fuel"], stops=car.get("stops", 0)))
    if car.get("permanent"):
        parts.append(f"{words.word('value', 'permanent')} {car['permanent']}")
    if car.get("check"):
        parts.append(f"{words.word('value', 'check')} {car['check']}")
    for key, tokens in car.get("weapons", {}).items():
        parts.append(words.card(key) + (f" {TOKEN * tokens}" if tokens else ""))
    parts += [words.card(car[slot]) for slot in ("defence", "utility") if car.get(slot)]
    parts += [f"{words.card(key)}{words.say('colon')}{left}" for key, left in car.get("stock", {}).items()]
    return parts


def of_race(words: Words, race: Mapping[str, Json]) -> list[str]:
    """Return the sentences about the race."""
    parts = [words.word("value", "wet_conditions")] if race.get("wet_conditions") else []
    if race.get("red_flags"):
        parts.append(words.say("red_flags", count=race["red_flags"]))
    if race.get("cut_short"):
        parts.append(words.change({"cut_short": race["cut_short"]}))
    return parts
