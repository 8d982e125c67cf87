"""What the table saw of a move on a corner sheet: the quick answers, the cars that were touched, and what else was met.

What has been said so far is the selected answer without a place: the cars beside and the one ahead, brakes, dangers. A
quick key adds the place, and says what it assumes and what it comes to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from companion.rules.conversation.asking import Asked, Json, Option, Ruling
from companion.rules.public import PublicDiceCar
from companion.view import price
from companion.view.race import card
from companion.view.shown import Key, Price, Seen, SeenGroup, Touched
from companion.view.sight import Sight
from companion.wording import capital

QUICK: Final = 3
"""How far past a corner there are keys for: by one space, by two, by three."""
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "slowed": ("brakes", "blocked", "soft"),
    "dangers": ("dangers", "walls"),
    "further": (),
}
"""The keys beneath, and the fields that each of them opens; the last one opens all."""
COMPANY: Final = ("beside", "ahead")


def said_so_far(sight: Sight) -> dict[str, Json]:
    """What has been said of the move besides the place."""
    chosen = sight.selected if isinstance(sight.selected, dict) else {}
    return {name: value for name, value in chosen.items() if name not in ("in", "line", "overshot")}


def keys(sight: Sight, asked: Asked) -> tuple[Key, ...]:
    """The quick answers, nearest first, each with all that has been said; then what was filled in elsewhere."""
    said = said_so_far(sight)
    quick = [_key(sight, *_named(sight, asked, option), {**option.answer, **said}) for option in _quick(sight, asked)]
    quick += _past(sight, asked, said)
    chosen = sight.selected
    if isinstance(chosen, dict) and "in" in chosen and all(key.answer != chosen for key in quick):
        label = capital(sight.words.option("saw", chosen, sight.names))
        quick.append(_key(sight, label, sight.say("seen.filled"), chosen))
    return tuple(quick)


def seen(sight: Sight, asked: Asked) -> Seen:
    """The cars that the car may touch, nearest first, and what else can be said."""
    said = said_so_far(sight)
    return Seen(
        said=said,
        company=sight.say("seen.company"),
        cars=_cars(sight, asked, said),
        nobody={name: value for name, value in said.items() if name not in COMPANY},
        groups=tuple(
            SeenGroup(
                name=name,
                label=sight.say(f"seen.{name}"),
                note=_noted(sight, name, said),
                said=any(said.get(field) for field in fields),
                fields=fields,
            )
            for name, fields in GROUPS.items()
            if not fields or any(_settable(asked, field) for field in fields)
        ),
    )


# -- the quick keys


def _quick(sight: Sight, asked: Asked) -> list[Option]:
    """The offered places that have a key: those of the road, but no corner whose stops are made, and the pits only for
    who is in them."""
    offered = list(asked.options or [])
    car = sight.cars.get(asked.car or 0)
    if isinstance(car, PublicDiceCar) and car.in_pits:
        return offered
    place = [str(option.answer["in"]) for option in offered]
    return [
        option
        for option, name in zip(offered, place, strict=True)
        if name.startswith("after") or option.facts.get("stops")
    ]


def _named(sight: Sight, asked: Asked, option: Option) -> tuple[str, str]:
    """What a place is called on its key, and what stands beneath."""
    where, _, number = str(option.answer["in"]).rpartition(" ")
    over = bool(option.answer.get("line"))
    if option.facts.get("past_line") and sight.cars[asked.car or 0].at == "after:0":
        number, where = "0", "after corner"
    elif option.facts.get("past_line") or (over and where.startswith("after")):
        return sight.say("seen.past_line"), sight.say("seen.no_stop")
    if where == "corner":
        note = sight.say("seen.stop", **option.facts)
        return sight.say("seen.in", corner=number), f"{note} · {sight.say('seen.line')}" if over else note
    if not where:
        return capital(sight.words.option("saw", option.answer, sight.names)), ""
    if int(number) == len(sight.road.corners):
        return sight.say("seen.short_of_line"), sight.say("seen.no_stop")
    return sight.say("seen.short", corner=int(number) + 1), sight.say("seen.no_stop")


def _past(sight: Sight, asked: Asked, said: dict[str, Json]) -> list[Key]:
    """One key for each of the first spaces past the corner that wants a stop; where so many stops are missing that the
    car is out whatever the distance, one for all."""
    past = (asked.fields or {}).get("past")
    if past is None:
        return []
    if past["out"]:
        label = sight.say("seen.past", corner=past["corner"])
        return [_key(sight, label, sight.say("seen.missing", **past), {**past["answer"], "overshot": 1, **said})]
    fields = asked.fields or {}
    furthest = fields["spaces"] + fields["slide"] + fields["soft"][1]
    made = []
    for spaces in range(1, min(QUICK, furthest) + 1):
        name = "more" if spaces > 1 else "past_by"
        label = sight.say(f"seen.{name}", corner=past["corner"], spaces=spaces)
        note = "" if spaces > 1 else sight.say("seen.over")
        made.append(_key(sight, label, note, {**past["answer"], "overshot": spaces, **said}))
    return made


def _key(sight: Sight, label: str, note: str, answer: dict[str, Json]) -> Key:
    """An answer with what it assumes and comes to; one that cannot be says why."""
    if sight.ahead is None:
        return Key(answer=answer, label=label, note=note)
    if (wrong := sight.ahead.foresee([answer])[0].wrong) is not None:
        return Key(answer=answer, label=label, note=note, why=sight.words.error(wrong))
    rulings = sight.ahead.to_the_end(answer)
    car = sight.asked.car if sight.asked is not None else None
    brought = price.of_rulings(sight, rulings, car)
    tests = [ruling for ruling in rulings if ruling.kind in card.ROLLS]
    bumps = [ruling for ruling in tests if ruling.kind == "collision"]
    met = sorted({sight.codes.get(_other(ruling, car), "") for ruling in bumps})
    costs = bool(card.heard(rulings, car))
    assumed = len(answer) > 1 + ("line" in answer) + ("overshot" in answer)
    if costs and brought:
        shown = (*brought, *_dice(tests))
    elif met:
        to = max(int(ruling.facts["to"]) for ruling in bumps)
        shown = (
            Price(text=sight.say("seen.touches", cars=" ".join(met)), icon="die", tone="warn"),
            Price(text=sight.say("seen.each", to=to), tone="warn"),
        )
    elif tests:
        shown = (Price(text=sight.say("seen.rolls", count=len(tests)), icon="die", tone="warn"),)
    else:
        free = Price(text=sight.say("seen.free" if assumed else "seen.alone"), tone="ok")
        shown = (free, Price(text=sight.say("seen.nothing"), tone="ok"))
    return Key(answer=answer, label=label, note=note, prices=shown if sight.prices != "never" else (),
               accept=costs or bool(met or tests))  # fmt: skip


def _dice(tests: Sequence[Ruling]) -> tuple[Price, ...]:
    return (Price(text=str(len(tests)), icon="die", tone="warn"),) if tests else ()


def _other(ruling: Ruling, car: int | None) -> int:
    """The car that is met: whichever of the two is not the one that moved."""
    other = ruling.facts.get("other")
    return int(other if ruling.car == car and other is not None else ruling.car or 0)


# -- the cars


def _cars(sight: Sight, asked: Asked, said: dict[str, Json]) -> tuple[Touched, ...]:
    """Each car on the track by how far ahead it stands. A tap makes it one beside, another the one straight ahead, a
    third none."""
    near = [int(number) for number in (asked.fields or {}).get("beside") or ()]
    mover = sight.cars.get(asked.car or 0)
    if mover is None:
        return ()
    road = 2 * len(sight.road.corners) + 1
    stretch = {car.number: car.stretch for car in sight.cars.values() if isinstance(car, PublicDiceCar)}
    begin = stretch[mover.number]
    near.sort(key=lambda number: (stretch[number] - begin) % road)
    beside, ahead = list(said.get("beside") or ()), said.get("ahead")
    shown = []
    for number in near:
        others = [one for one in beside if one != number]
        if number in beside:
            state, then = "beside", {**said, "beside": others, "ahead": number}
        elif number == ahead:
            state, then = "ahead", {name: value for name, value in said.items() if name != "ahead"}
        else:
            state, then = "", {**said, "beside": [*beside, number]}
        if not then.get("beside", True):
            del then["beside"]
        word = sight.say(f"seen.touched.{state}") if state else ""
        shown.append(Touched(plate=sight.plate(number), code=sight.codes.get(number, ""), word=word, then=then))
    return tuple(shown)


# -- what else there is to say


def _settable(asked: Asked, field: str) -> bool:
    """Whether a field has anything to set."""
    low_high = (asked.fields or {}).get(field) or (0, 0)
    return bool(low_high[1] > low_high[0])


def _noted(sight: Sight, name: str, said: dict[str, Json]) -> str:
    """What has been said of a group of fields."""
    told = [sight.say(f"seen.told.{field}", count=said[field]) for field in GROUPS[name] if said.get(field)]
    return ", ".join(told) or sight.say(f"seen.none.{name}")
