"""The sheets of a race, filled in from its log alone: nothing is ruled again for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.conversation.conversation import Input
from companion.rules.conversation.kinds import Cause, Pool, Pools, in_order
from companion.rules.position import Position
from companion.rules.rulebooks import RULEBOOKS, race_values, variants_of, variants_shown
from companion.sheets.acts import HINT, Item, Statement, UndoStep, car_values_set
from companion.sheets.entry import Beginning
from companion.sheets.history import History
from companion.sheets.sheet import (
    Amended,
    CarSheet,
    Crossing,
    HandoverLine,
    Noted,
    Place,
    RaceSheet,
    Remark,
    Retirement,
    RoundLine,
    Word,
)

_START: Final = -1
"""Place of the state before the first answer."""
_STATUSES: Final = {"stall": "stalled", "finish": "finished", "removed": "out"}
"""Status of a car after the rulings that stall it, end its race or take its wreck away."""


def race_sheet(history: History, now: Position | None = None) -> RaceSheet:
    """Return the sheet of a race; `now` is its position, where the race itself is at hand.

    Without it a car has the status that it had when the round began, unless it has started, is home or out since or the
    referee set another: only its rulebook knows what a turn makes of a car. The same goes for its `more`.
    """
    beginning = history.beginning
    assert beginning is not None, "a log begins with its setup"
    positions = list(_positions(history, now))
    numbers = sorted({int(number) for _, stands in positions for number in stands["cars"]})
    cars = {number: CarSheet(number) for number in numbers}
    for place, stands in positions:
        _stood(cars, stands, first=place == _START)
    for item in history.items:
        change = item.event.change or {}
        for values in (change, *change.get("cars", ())):
            if "driver" in values:  # a position tells it once, as the race began
                cars[values["car"]].driver = " ".join((values["driver"] or "").split())
    _built(cars, history.items)
    for car in cars.values():
        car.wear = dict(car.wear or car.built)
    gone: dict[int, Retirement] = {}
    for n, (item, round_) in enumerate(zip(history.items, item_rounds(history), strict=False)):
        _crossed(cars, n, item, round_)
        _retired(gone, n, item, round_)
    _latest(cars, positions, history.items)
    for number, retirement in gone.items():
        car = cars[number]
        car.retired = retirement
        if car.status != "wreck":
            car.status = "out"
    return RaceSheet(
        log_id=history.log_id,
        name=history.name,
        rulebook=beginning.rulebook,
        version=beginning.version,
        track=beginning.track_key,
        begun=history.begun,
        entries=history.seq,
        figures=_proposed(beginning.rulebook, beginning.figures),
        rounds=_rounds(positions, weather=_has_weather(beginning)),
        cars=list(cars.values()),
        retirements=list(gone.values()),
        overrides=list(_words(history)),
        corrections=[_amended(action) for action in history.done if action.kind == "correct"],
        notes=[Remark(s.n, s.seq, _noted_by(s), s.at, s.text) for s in history.said if s.kind == "note"],
        disputes=list(_disputes(history)),
        handovers=[
            HandoverLine(s.n, s.seq, s.by, s.at, s.text, s.handover.car, s.handover.program, s.handover.rolls)
            for s in history.said
            if s.handover is not None
        ],
        result=positions[-1][1].get("result") if now is not None or history.stands[1] else None,
        variants=_variants(beginning.rulebook, beginning.figures),
    )


def item_rounds(history: History) -> Iterator[int]:
    """Yield the round in which each answer was given, and at last the round now.

    A value that the referee sets answers no question: it is of the round that has begun by then.
    """
    beginning = history.beginning.position if history.beginning is not None else None
    round_ = beginning["round"] if beginning is not None else 0
    for item in history.items:
        round_ = item.event.key[2] if item.event.key is not None else round_
        yield round_
        round_ = item.position["round"] if item.position is not None else round_
    yield round_


def _disputes(history: History) -> Iterator[Remark]:
    """Yield the disputes, each with what its ruling is about, also if that was undone since."""
    for said in history.said:
        if said.kind == "dispute":
            item = history.disputed.get(said.about or 0)
            remark = Remark(said.n, said.seq, said.by, said.at, said.text, said.about, history.decided(said))
            if item is not None:
                ask, car, *_ = item.event.key or ("", None)
                event = item.event
                remark = msgspec.structs.replace(remark, ask=ask, car=car, answer=event.answer, change=event.change)
            yield remark


def _noted_by(said: Statement) -> str:
    """Return the author of a remark; a hint is the table's."""
    return "table" if said.by.startswith(HINT) else said.by


def _proposed(rulebook: str, used: dict[str, Json]) -> dict[str, Json]:
    """Return the figures and switches, of those used, that are proposed rather than found.

    A figure with which only a variant that was off would count is none of them.
    """
    if rulebook not in RULEBOOKS:
        return {}
    off = [variant for variant in variants_of(rulebook) if used.get(variant.switch) is not True]
    idle = frozenset().union(*(variant.all_figures for variant in off))
    known = (figure for figure in RULEBOOKS[rulebook].listed() if figure.proposed and figure.name not in idle)
    return {figure.name: used[figure.name] for figure in known if figure.name in used}


def _variants(rulebook: str, used: dict[str, Json]) -> list[str]:
    """Return the switches of the variants that a race has on, of those known here."""
    known = variants_shown(rulebook) if rulebook in RULEBOOKS else ()
    return [variant.switch for variant in known if used.get(variant.switch) is True]


def _positions(history: History, now: Position | None) -> Iterator[tuple[int, Position]]:
    if history.beginning is not None and history.beginning.position is not None:
        yield _START, history.beginning.position
    for n, item in enumerate(history.items):
        if item.position is not None:
            yield n, item.position
    if now is not None:
        yield len(history.items), now


def _stood(cars: dict[int, CarSheet], stands: Position, *, first: bool) -> None:
    """Fill in each car from a position: what it began with, and its place in that round."""
    places = {number: place for place, number in enumerate(stands["order"], 1)}
    for number, values in stands["cars"].items():
        car = cars[int(number)]
        if "built" in values and (first or not car.built):
            car.driver, car.team = values["driver"], values["team"]
            car.built, car.stand = values["built"], values["stand"]
            if first and stands["round"]:
                car.wear = values["wear"]
        if stands["round"]:
            place = Place(
                stands["round"], places.get(car.car), values["lap"], values["at"], values["gear"], values["tyres"],
                values["status"],
            )  # fmt: skip
            if car.places and car.places[-1].round == place.round:
                continue
            car.places = [*car.places, place]


def _built(cars: Mapping[int, CarSheet], items: Sequence[Item]) -> None:
    """Fill in what the cars were built with since the last position, as before the first round."""
    for item in items:
        for ruling in item.rulings:
            car = cars.get(ruling.car or 0)
            if car is not None and not car.built and (built := ruling.facts.get("built")):
                car.built, car.stand = in_order(built), ruling.facts.get("stand", 0)


def _latest(cars: dict[int, CarSheet], positions: Sequence[tuple[int, Position]], items: Sequence[Item]) -> None:
    """Fill in the latest status of each car: the last position, with the rulings and settings since."""
    if not positions:
        return
    place, stands = positions[-1]
    for number, values in stands["cars"].items():
        cars[int(number)].status, cars[int(number)].tyres = values["status"], values["tyres"]
        cars[int(number)].more = values.get("more", {})
    for item in items[place + 1 :]:
        for ruling in item.rulings:
            if ruling.car in cars and ruling.kind == "tyres":
                cars[ruling.car].tyres = ruling.facts["tyres"]
            elif ruling.car in cars and ruling.kind == "out":
                cars[ruling.car].status = "out" if ruling.facts.get("removed", True) else "wreck"
            elif ruling.car in cars and ruling.kind in ("start", "great_start"):
                if cars[ruling.car].status == "grid":
                    cars[ruling.car].status = "racing"
            elif ruling.car in cars and ruling.kind in _STATUSES:
                cars[ruling.car].status = _STATUSES[ruling.kind]
        for values in car_values_set(item.event):
            car = cars.get(values["car"])
            if car is not None:
                car.tyres, car.status = values.get("tyres", car.tyres), values.get("status", car.status)


def _crossed(cars: dict[int, CarSheet], n: int, item: Item, round_: int) -> None:
    """Cross off what an answer cost, and set what the referee set."""
    for ruling in item.rulings:
        if ruling.car in cars and ruling.wear:
            car = cars[ruling.car]
            for pool, points in in_order(ruling.wear).items():
                _cross(car, pool, points, n, item.seq, round_, ruling.kind, ruling.article, ruling.facts)
    for number, wear in _set_wear(item.event):
        if number in cars:
            said: dict[str, Json] = {"why": item.why}
            kind: Noted = "correction" if item.corrects is not None else "override"
            for pool, points in in_order(wear).items():
                _cross(cars[number], pool, points - cars[number].wear.get(pool, 0), n, item.seq, round_, kind, "", said)


def _cross(
    car: CarSheet, pool: Pool, points: int, n: int, seq: int, round_: int, kind: Noted, article: str,
    facts: dict[str, Json],
) -> None:  # fmt: skip
    if points:
        car.wear[pool] = car.wear.get(pool, 0) + points
        crossing = Crossing(round_, n, seq, pool, points, car.wear[pool], kind, article, facts)
        car.crossings = [*car.crossings, crossing]


def _set_wear(event: Input) -> Iterator[tuple[int, Pools]]:
    for values in car_values_set(event):
        if "wear" in values:
            yield values["car"], dict(values["wear"])


def _retired(gone: dict[int, Retirement], n: int, item: Item, round_: int) -> None:
    """Note the cars that go out by an answer, and those that the referee brings back."""
    for values in car_values_set(item.event):
        if values.get("status", "out") != "out":
            gone.pop(values["car"], None)
    for ruling in item.rulings:
        if ruling.kind == "out" and ruling.car is not None:
            cause: Cause = ruling.facts.get("cause", "")
            gone[ruling.car] = Retirement(ruling.car, round_, cause, ruling.article, n, item.seq)


def _has_weather(beginning: Beginning) -> bool:
    """Return True if the race has weather; one of a rulebook that is not installed may have."""
    known = beginning.rulebook in RULEBOOKS
    return not known or "sky" in race_values(beginning.rulebook, beginning.setup.get("options", {}))


def _rounds(positions: Sequence[tuple[int, Position]], *, weather: bool) -> list[RoundLine]:
    """Return the rounds, with their weather where the race has any."""
    lines: dict[int, RoundLine] = {}
    for _, stands in positions:
        if stands["round"] and stands["round"] not in lines:
            sky, surface = (stands["sky"], stands["surface"]) if weather else ("", "")
            lines[stands["round"]] = RoundLine(stands["round"], stands["order"], sky, surface, stands.get("more", {}))
    return list(lines.values())


def _words(history: History) -> Iterator[Word]:
    for n, item in enumerate(history.items):
        event = item.event
        if event.change is not None and item.corrects is None:
            yield Word(n, item.seq, item.by, item.at, item.why, change=event.change)
        elif event.forced and event.key is not None:
            ask, car, _, _ = event.key
            yield Word(n, item.seq, item.by, item.at, item.why, ask=ask, car=car, answer=event.answer)


def _amended(action: UndoStep) -> Amended:
    n, old, instead = action.corrected, action.old, action.instead
    assert n is not None
    assert old is not None
    assert instead is not None
    assert instead.key is not None
    board = action.keep == "board"
    change = action.now[0].event.change if board and action.now else None
    return Amended(
        n, action.seq, action.by, action.at, action.why, action.keep, instead.key[0], instead.key[1], old.event.answer,
        instead.answer, 0 if board else len(action.now) - 1, [item.seq for item in action.fell], list(action.left),
        change,
    )  # fmt: skip
