"""The consequences of an answer as figures and pictograms, for keys, spaces and cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from companion.desk.ahead import Foreseen
from companion.rules.conversation.asking import Asked, Json, Option, Ruling
from companion.rules.conversation.kinds import Kind, Pool, in_order
from companion.view.consequences import TAKEN, TOLD, summed
from companion.view.shown import Price, Tone
from companion.view.sight import Sight
from companion.wording import capital

ON_KEYS: Final = frozenset({
    "finish", "great_start", "out", "practice", "quick_stop", "refused", "shot", "spin", "stall", "weather",
})  # fmt: skip
"""Rulings that deserve a word on a key."""

MOST: Final = 3
"""Maximum number of prices on a key."""


def signed_change(pool: Pool, count: int) -> str:
    """Return the change of a pool with its sign, counted the way players count it.

    Damage is counted by what fills the pool.
    """
    return signed(-count if pool in TAKEN else count)


def wear(points: Mapping[Pool, int]) -> tuple[Price, ...]:
    """Return the change of each pool as prices."""
    return tuple(
        Price(text=signed_change(pool, count), icon=pool, tone="warn" if count < 0 else "ok")
        for pool, count in in_order(points).items()
        if count
    )


def points(wear: Mapping[Pool, int]) -> int:
    """Return the points lost over all pools."""
    return -sum(count for count in wear.values() if count < 0)


def signed(count: int) -> str:
    """Return a figure with its sign."""
    return f"−{-count}" if count < 0 else f"+{count}"


def free(sight: Sight) -> Price:
    return Price(text=sight.say("price.free"), tone="ok")


def unworn(sight: Sight) -> Price:
    """Return the price of an answer without wear whose rolls are still unknown.

    It is therefore not called free.
    """
    return Price(text=sight.say("price.unworn"), short="0", tone="ok")


def of_gear(sight: Sight, option: Option) -> tuple[Price, ...]:
    """Return what a gear costs; the present gear is labelled as staying."""
    car = sight.car
    if car is not None and option.answer == car.gear and not costs(option):
        return (Price(text=sight.say("price.stay"), tone="ok"),)
    return of_option(sight, option)


def turn(sight: Sight, kind: Kind, **facts: object) -> Price:
    """Return the price for an event of the car: out, spin, stall and so on."""
    tone, icon = TOLD[kind]
    if facts.get("won") is False or facts.get("service") == "botched":
        tone = "warn"
    elif facts.get("hits") is False:
        tone = "plain"
    return Price(text=sight.say(f"price.{kind}", **facts), icon=icon, tone=tone)


def costs(option: Option) -> bool:
    """Return True if an answer costs something, so that it must be accepted first."""
    return bool(option.facts.get("out") or option.facts.get("spin")) or any(c < 0 for c in option.wear.values())


def tone_of(option: Option) -> Tone:
    """Return the tone of an answer: free, costs points, or spin and out."""
    if option.facts.get("out") or option.facts.get("spin"):
        return "bad"
    return "warn" if costs(option) else "ok"


def of_option(sight: Sight, option: Option, *, stops: bool = False) -> tuple[Price, ...]:
    """Return what an offered answer costs or gives.

    With `stops`, for the face of a die that only leads to it, a stop made replaces "free".
    """
    facts = option.facts
    if facts.get("out"):
        return (turn(sight, "out"),)
    if facts.get("spin"):
        return (turn(sight, "spin"),)
    brought = wear(option.wear)
    if facts.get("tests"):
        brought += (Price(text=str(len(facts["tests"])), icon="die", tone="warn"),)
    if brought:
        return brought[:MOST]
    if stops and facts.get("stops"):
        said = sight.say("price.stop", stops=facts["stops"], of=facts["of"])
        return (Price(text=said, icon="check", tone="ok"),)
    return (unworn(sight) if stops else free(sight),)


def of_rulings(sight: Sight, rulings: Sequence[Ruling], car: int | None) -> tuple[Price, ...]:
    """Return what rulings bring a car; empty if nothing is worth a label."""
    own = [ruling for ruling in rulings if ruling.car == car]
    found = {ruling.kind: ruling for ruling in reversed(own)}
    for kind in TOLD:
        if kind in found and kind in ON_KEYS:
            facts = found[kind].facts
            if kind == "shot":
                struck = sum(count for one in rulings if one.car != car for count in one.wear.values())
                shot = turn(sight, kind, **facts)
                told = {"text": f"{shot.text} {signed(struck)}", "tone": "warn"} if struck else {}
                return (msgspec.structs.replace(shot, **told),)
            if kind in ("weather", "practice"):
                return (_weather(sight, facts),)
            return (turn(sight, kind, **facts),)
    brought = wear(summed(own))[:MOST]
    return (_fails(sight),) if not brought and "heal" in found else brought


def _weather(sight: Sight, facts: Mapping[str, Json]) -> Price:
    """Return the price for a drawn sky; a changeable one may lie over a dry or a wet track."""
    sky = str(facts.get("sky", ""))
    surface = facts.get("surface") if sky == "changeable" else None
    text = capital(sight.say("sky.drawn", sky=sky, surface=surface))
    return Price(text=text, short=sight.words.word("surface", surface) if surface else "", icon=sky, tone="info")


def of_foreseen(sight: Sight, seen: Foreseen) -> tuple[Price, ...]:
    """Return what an answer brings at best: its rulings, and the cheapest follow-up."""
    asked = sight.asked
    if seen.wrong is not None or asked is None:
        return ()
    brought = of_rulings(sight, seen.rulings, asked.car)
    if brought:
        return brought
    if (best := best_landing(sight, seen)) is not None:
        return of_option(sight, best, stops=True)
    if seen.asked is not None and seen.asked.ask == "test" and asked.ask == "roll":
        return (Price(text="1", icon="die", tone="warn"),)
    if seen.asked is not None and seen.asked.ask == "strip":
        return (Price(text=sight.say("price.strip"), icon="cards", tone="warn"),)
    if asked.ask == "test" and asked.fields:
        return (_safe_price(sight, asked, seen.answer),)
    return (free(sight),) if asked.ask == "gear" else ()


def _safe_price(sight: Sight, asked: Asked, face: Json) -> Price:
    """Return the price of a face without cost: safe, or whether the test succeeds."""
    to = (asked.fields or {}).get("succeeds_to")
    if not isinstance(to, int) or not isinstance(face, int):
        return Price(text=sight.say("price.safe"), icon="check", tone="ok")
    if face <= to:
        return Price(text=sight.say("price.works"), icon="check", tone="ok")
    return _fails(sight)


def _fails(sight: Sight) -> Price:
    """Return the price of a roll that wins nothing."""
    return Price(text=sight.say("price.fails"), icon="cross", tone="plain")


def best_landing(sight: Sight, seen: Foreseen) -> Option | None:
    """Return the cheapest space to choose after an answer, or None.

    Options come cheapest first.
    """
    then = seen.asked
    if then is None or sight.asked is None or then.car != sight.asked.car or not then.options:
        return None
    first = then.options[0]
    return first if isinstance(first.answer, dict) and "space" in first.answer else None
