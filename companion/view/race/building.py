"""The car builder: the fields, the points spent so far, and what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from companion.desk import RaceDesk
from companion.rules.conversation.asking import Asked
from companion.rules.conversation.errors import CompanionError
from companion.rules.public import PublicCar
from companion.view import price
from companion.view.race.form import is_range
from companion.view.race.keys import key_note
from companion.view.race.steps import undone
from companion.view.shown import AnswerKey, Field, Plate, Undo, ViewModel
from companion.view.shown_race import RaceShown
from companion.view.sight import Sight
from companion.wording import Words, capital

BUDGET: Final = "points"
"""Field of a form with the number of points to spend in all, the sum of its numbers."""
TEAM: Final = "team"
"""Field with the points for exceeding the minimum of each part; some may be kept."""
COST: Final = "cost"
"""Field with the price of one point of each part, in those points."""

ASKS: Final = ("setup", "tyres")
"""Questions that the builder shows."""


class CarRow(ViewModel, frozen=True, kw_only=True):
    """A car in the list: built, being built (`word` says how far), or still to come."""

    plate: Plate
    name: str
    state: Literal["done", "now", "to_come"]
    word: str = ""


class BuildShown(ViewModel, frozen=True, kw_only=True):
    """The car builder at one moment.

    `pools` are the steppers of the car's parts, `others` the remaining ones (points at the stand). `keys` are the
    answers where there are no points to spend, such as tyres; `keys_title` names them. `spent` of `of` points are
    spent; `of` is 0 without a budget. `why` says why `next` cannot be pressed yet, `rest` what is kept if it is.
    """

    key: str
    n: int
    cars: tuple[CarRow, ...]
    title: str
    subtitle: str
    plate: Plate | None
    ask: str
    article: str
    pools: tuple[Field, ...] = ()
    others: tuple[Field, ...] = ()
    keys: tuple[AnswerKey, ...] = ()
    keys_title: str = ""
    chosen: int = -1
    spent: int = 0
    of: int = 0
    preset: str = ""
    next: str = ""
    why: str = ""
    rest: str = ""
    undo: Undo = Undo()


class Building(ViewModel, frozen=True, kw_only=True):
    """The points of a car while they are spent: fields, values and changes so far.

    `budget` is None if the question has none. With `costs`, only points above a part's minimum cost anything, each its
    price, and some budget may be kept; otherwise each point costs 1 and all must be spent.
    """

    fields: dict[str, tuple[int, int]]
    budget: int | None
    costs: dict[str, int] = msgspec.field(default_factory=dict)
    presets: tuple[dict[str, int], ...] = ()
    trail: tuple[dict[str, int], ...] = ()
    """Values before each change, the latest last."""
    values: dict[str, int] = msgspec.field(default_factory=dict)
    preset: int = -1

    @classmethod
    def of(cls, asked: Asked) -> Building:
        """Return a new car: every part at its minimum, stores beside the car at their maximum."""
        fields = dict(asked.fields or {})
        sums, team, costs = fields.pop(BUDGET, None), fields.pop(TEAM, None), fields.pop(COST, None) or {}
        ranges = {name: limits for name, limits in fields.items() if isinstance(limits, list) and is_range(limits)}
        steppers = {name: (low, high) for name, (low, high) in ranges.items()}
        presets = tuple(dict(option.answer) for option in asked.options or [] if isinstance(option.answer, dict))
        values = {name: low for name, (low, _) in steppers.items()}
        if presets:  # what every sound car keeps beside itself, this one does too
            same = {name for name in values if len({preset.get(name) for preset in presets}) == 1}
            limits = {name: steppers[name][1] for name in same if steppers[name][0] == 0}
            values |= {name: min(presets[0].get(name, 0), high) for name, high in limits.items()}
        budget = team if sums is None else sum(sums)
        return cls(fields=steppers, budget=budget, costs=dict(costs), presets=presets, values=values)

    @property
    def spent(self) -> int:
        """Points spent."""
        if not self.costs:
            return sum(self.values.values())
        return sum((self.values[name] - self.fields[name][0]) * cost for name, cost in self.costs.items())

    @property
    def points_left(self) -> int:
        """Points still to spend; 0 without a budget."""
        return self.budget - self.spent if self.budget is not None else 0

    def room(self, name: str) -> tuple[int, int]:
        """Return the lowest and highest value a field may have now."""
        low, high = self.fields[name]
        if self.budget is None:
            return low, high
        return low, min(high, self.values[name] + max(0, self.points_left) // self.costs.get(name, 1))

    def set(self, name: str, value: int) -> Building:
        """Return the car with one value set, clamped to its range."""
        low, high = self.room(name)
        value = min(max(value, low), high)
        return self if value == self.values[name] else self._with({**self.values, name: value}, -1)

    def next_preset(self) -> Building:
        """Return the next of the rulebook's ready-made cars."""
        if not self.presets:
            return self
        preset = self.coming
        return self._with({name: self.presets[preset].get(name, 0) for name in self.values}, preset)

    @property
    def coming(self) -> int:
        """Index of the next ready-made car."""
        return (self.preset + 1) % len(self.presets)

    def undone(self) -> Building:
        """Return the car without the latest change."""
        if not self.trail:
            return self
        return msgspec.structs.replace(self, values=self.trail[-1], trail=self.trail[:-1], preset=-1)

    @property
    def answer(self) -> dict[str, int]:
        """The answer to the question."""
        return dict(self.values)

    def _with(self, values: dict[str, int], preset: int) -> Building:
        return msgspec.structs.replace(self, values=values, trail=(*self.trail, self.values), preset=preset)


def is_building(asked: Asked | None) -> bool:
    """Return True if the builder answers this question: points, or tyres before the start."""
    return asked is not None and asked.round == 0 and asked.ask in ASKS


def needs_builder(shown: RaceShown) -> bool:
    """Return True if the race screen must give way to the builder."""
    return not shown.top.round and shown.prompt.ask in ASKS


def picture(
    desk: RaceDesk, words: Words, key: str, building: Building | None, chosen: int
) -> tuple[BuildShown | None, Building | None]:
    """Return the builder for the open question, and the car being built.

    (None, None) if the question is not one for the builder. The car starts afresh if `key` is not the question's.
    """
    asked = desk.asked
    if asked is None or not is_building(asked):
        return None, None
    if key != _key(asked):
        building, chosen = (Building.of(asked) if asked.ask == "setup" else None), 0
    sight, why = Sight(desk, words), ""
    if building is not None and desk.conversation.question is not None:
        try:
            desk.conversation.question.read(building.answer)
        except CompanionError as wrong:
            why = words.error(wrong)
    race, budget = sight.race, building.budget if building is not None else None
    parts = [sight.track.name, words.say("laps", count=race.laps)]
    parts += [words.say("points", count=budget)] if budget is not None else []
    parts += [sight.say("top.surface", surface=race.surface)] if race.surface else []
    return show(sight, asked, building, where=" · ".join(filter(None, parts)), chosen=chosen, why=why), building


def _key(asked: Asked) -> str:
    return f"{asked.n} {asked.ask} {asked.car}"


def show(
    sight: Sight, asked: Asked, building: Building | None, *, where: str = "", chosen: int = 0, why: str = ""
) -> BuildShown:
    """Return the builder as it stands.

    `building` is the car while points are spent, None while a key is chosen; `where` is the line beside the title,
    `why` the rulebook's refusal of the car.
    """
    words, cars, number = sight.words, list(sight.cars.values()), asked.car
    shown = BuildShown(
        key=_key(asked),
        n=asked.n,
        cars=_rows(sight, asked, building),
        title=words.screen("build.title"),
        subtitle=where,
        plate=sight.plate(number) if number is not None else None,
        ask="",
        article=asked.article,
        undo=undone(sight),
    )
    last = _is_last(asked, cars)
    if building is None:
        keys = tuple(
            AnswerKey(
                answer=option.answer,
                label=capital(words.option(asked.ask, option.answer, sight.names)),
                note=key_note(sight, asked.ask, option),
            )
            for option in asked.options or []
        )
        built = sight.cars[number].built if number is not None else {}
        return msgspec.structs.replace(
            shown,
            ask=words.screen("build.choose_tyres"),
            pools=tuple(_field(sight, name, points, (points, points)) for name, points in built.items()),
            keys=keys,
            keys_title=words.screen("build.tyres"),
            chosen=chosen,
            next=words.screen("build.done" if last else "build.next_car"),
        )
    parts = [name for name in building.values if name in sight.race.pools]
    left = building.points_left
    offered = building.presets[building.coming] if building.presets else {}
    return msgspec.structs.replace(
        shown,
        ask=_asks(building, words),
        pools=tuple(_stepper(sight, building, name) for name in parts),
        others=tuple(
            msgspec.structs.replace(_stepper(sight, building, name), note=sight.maybe(f"build.note.{name}"))
            for name in building.fields
            if name not in parts and _free(building, name)
        ),
        spent=building.spent,
        of=building.budget or 0,
        preset="·".join(str(offered[name]) for name in parts if name in offered),
        next=words.screen("build.done" if last else "build.next_car"),
        why=words.screen("build.left", points=left) if left and not building.costs else why,
        rest=words.screen("build.left", points=left) if left and building.costs else "",
        undo=Undo(label=_change(sight, building)) if building.trail else shown.undo,
    )


def _asks(building: Building, words: Words) -> str:
    """Return what to do with the remaining points."""
    if building.costs and (building.points_left or not building.spent):
        return words.screen("build.may_spend", points=building.points_left)
    return (
        words.screen("build.spend", points=building.points_left)
        if building.points_left
        else words.screen("build.spent")
    )


def _free(building: Building, name: str) -> bool:
    """Return True if a field leaves a choice."""
    low, high = building.fields[name]
    return low < high


def _is_last(asked: Asked, cars: Sequence[PublicCar]) -> bool:
    waiting = [car for car in cars if not (car.wear if asked.ask == "setup" else car.tyres)]
    return len(waiting) <= 1


def _rows(sight: Sight, asked: Asked, building: Building | None) -> tuple[CarRow, ...]:
    rows = []
    for car in sight.cars.values():
        done = bool(car.wear) if asked.ask == "setup" else bool(car.tyres)
        state: Literal["done", "now", "to_come"] = "now" if car.number == asked.car else "done" if done else "to_come"
        word = f"{building.spent}/{building.budget}" if state == "now" and building and building.budget else ""
        rows.append(CarRow(plate=sight.plate(car.number), name=car.driver, state=state, word=word))
    return tuple(rows)


def _stepper(sight: Sight, building: Building, name: str) -> Field:
    cost = building.costs.get(name)
    note = sight.say("build.price", points=cost) if cost is not None else ""
    return _field(sight, name, building.values[name], building.room(name), note)


def _field(sight: Sight, name: str, value: int, room: tuple[int, int], note: str = "") -> Field:
    icon, (low, high) = name if name in sight.race.pools else "", room
    return Field(name=name, label=capital(sight.pool(name)), icon=icon, value=value, low=low, high=high, note=note)


def _change(sight: Sight, building: Building) -> str:
    """Return what an undo in the builder undoes: "Tyres +1", or the ready-made car."""
    changed = {name: value - building.trail[-1][name] for name, value in building.values.items()}
    changed = {name: by for name, by in changed.items() if by}
    if len(changed) != 1:
        return sight.say("build.preset")
    ((name, by),) = changed.items()
    return f"{capital(sight.pool(name))} {price.signed(by)}"
