"""Reports of a move on a corner sheet: quick answers, cars touched and other events.

The report so far is the selected answer without a place: cars beside and ahead, brakes, dangers. A quick key adds the
place, and shows what it assumes and costs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from companion.rules.conversation.asking import Asked, Json, Option, Ruling
from companion.rules.public import PublicDiceCar
from companion.view import price
from companion.view.race import card
from companion.view.shown import AnswerKey, MoveReport, Price, SeenGroup, TouchCandidate
from companion.view.sight import Sight
from companion.wording import capital

MAX_OVERSHOT_KEYS: Final = 3
"""Maximum distance past a corner with a key of its own, in spaces."""
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "slowed": ("brakes", "blocked", "soft"),
    "dangers": ("dangers", "walls"),
    "further": (),
}
"""Keys beneath, and the fields that each of them opens; the last one opens all."""
COMPANY: Final = ("beside", "ahead")


def said_so_far(sight: Sight) -> dict[str, Json]:
    """Return the report of the move so far, without the place."""
    chosen = sight.selected if isinstance(sight.selected, dict) else {}
    return {name: value for name, value in chosen.items() if name not in ("in", "line", "overshot")}


def keys(sight: Sight, asked: Asked) -> tuple[AnswerKey, ...]:
    """Return the quick answers, nearest first, each with the report so far.

    An answer filled in elsewhere comes last.
    """
    said = said_so_far(sight)
    quick = [_key(sight, *_named(sight, asked, option), {**option.answer, **said}) for option in _quick(sight, asked)]
    quick += _past(sight, asked, said)
    chosen = sight.selected
    if isinstance(chosen, dict) and "in" in chosen and all(key.answer != chosen for key in quick):
        label = capital(sight.words.option("saw", chosen, sight.names))
        quick.append(_key(sight, label, sight.say("seen.filled"), chosen))
    return tuple(quick)


def seen_form(sight: Sight, asked: Asked) -> MoveReport:
    """Return the cars that may be touched, nearest first, and the other fields."""
    said = said_so_far(sight)
    return MoveReport(
        said=said,
        company=sight.say("seen.company"),
        cars=_cars(sight, asked, said),
        nobody={name: value for name, value in said.items() if name not in COMPANY},
        groups=tuple(
            SeenGroup(
                name=name,
                label=sight.say(f"seen.{name}"),
                note=_group_note(sight, name, said),
                said=any(said.get(field) for field in fields),
                fields=fields,
            )
            for name, fields in GROUPS.items()
            if not fields or any(_settable(asked, field) for field in fields)
        ),
    )


# -- the quick keys


def _quick(sight: Sight, asked: Asked) -> list[Option]:
    """Return the places that have a quick key.

    Corners whose stops are made have none; pit places only for a car in the pits.
    """
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
    """Return the label and note of a place's key."""
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


def _past(sight: Sight, asked: Asked, said: dict[str, Json]) -> list[AnswerKey]:
    """Return a key for each of the first spaces past the corner that wants a stop.

    One key for all if enough stops are missing that the car is out anyway.
    """
    past = (asked.fields or {}).get("past")
    if past is None:
        return []
    if past["out"]:
        label = sight.say("seen.past", corner=past["corner"])
        return [_key(sight, label, sight.say("seen.missing", **past), {**past["answer"], "overshot": 1, **said})]
    made = []
    for spaces in range(1, min(MAX_OVERSHOT_KEYS, past["most"]) + 1):
        name = "more" if spaces > 1 else "past_by"
        label = sight.say(f"seen.{name}", corner=past["corner"], spaces=spaces)
        note = "" if spaces > 1 else sight.say("seen.over")
        made.append(_key(sight, label, note, {**past["answer"], "overshot": spaces, **said}))
    return made


def _key(sight: Sight, label: str, note: str, answer: dict[str, Json]) -> AnswerKey:
    """Return an answer's key with its assumptions and cost, or why it is impossible."""
    if sight.ahead is None:
        return AnswerKey(answer=answer, label=label, note=note)
    if (wrong := sight.ahead.foresee([answer])[0].wrong) is not None:
        short = Price(icon="cross", text=sight.maybe(f"barred.{wrong.kind}", **wrong.facts), tone="bad")
        return AnswerKey(answer=answer, label=label, note=note, why=sight.words.error(wrong), prices=(short,))
    rulings = sight.ahead.to_the_end(answer)
    car = sight.asked.car if sight.asked is not None else None
    brought = price.of_rulings(sight, rulings, car)
    tests = [ruling for ruling in rulings if ruling.kind in card.ROLLS]
    bumps = [ruling for ruling in tests if ruling.kind == "collision"]
    met = sorted({sight.codes.get(_other(ruling, car), "") for ruling in bumps})
    costs = bool(card.costly_rulings(rulings, car))
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
    return AnswerKey(answer=answer, label=label, note=note, prices=shown if sight.prices != "never" else (),
                     accept=costs or bool(met or tests))  # fmt: skip


def _dice(tests: Sequence[Ruling]) -> tuple[Price, ...]:
    return (Price(text=str(len(tests)), icon="die", tone="warn"),) if tests else ()


def _other(ruling: Ruling, car: int | None) -> int:
    """Return the car that the mover collides with."""
    other = ruling.facts.get("other")
    return int(other if ruling.car == car and other is not None else ruling.car or 0)


# -- the cars


def _cars(sight: Sight, asked: Asked, said: dict[str, Json]) -> tuple[TouchCandidate, ...]:
    """Return each car on the track by its distance ahead.

    A tap marks it as beside, a second as straight ahead, a third as neither.
    """
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
        shown.append(TouchCandidate(plate=sight.plate(number), code=sight.codes.get(number, ""), word=word, then=then))
    return tuple(shown)


# -- what else there is to say


def _settable(asked: Asked, field: str) -> bool:
    """Return True if a field can be set."""
    low_high = (asked.fields or {}).get(field) or (0, 0)
    return bool(low_high[1] > low_high[0])


def _group_note(sight: Sight, name: str, said: dict[str, Json]) -> str:
    """Return what has been reported in a group of fields."""
    told = [sight.say(f"seen.told.{field}", count=said[field]) for field in GROUPS[name] if said.get(field)]
    return ", ".join(told) or sight.say(f"seen.none.{name}")
