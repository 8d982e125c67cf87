"""Where a car may stand in a race that goes on from a position, and what is set for it there."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.errors import CompanionError
from companion.rules.figures import read_figures
from companion.rules.race import Car
from companion.rules.rulebooks import RULEBOOKS, begin
from companion.rules.section_race import CHART, SectionCar, SectionFigures
from companion.rules.sections import SectionTrack
from companion.rules.track import Track
from companion.screens.view.draft import Draft
from companion.screens.view.draft_setup import setup_of
from companion.screens.view.shown import Field, Key, Shown
from companion.screens.view.standing_cars import CardStanding
from companion.wording import Words


class Stretch(Shown, frozen=True, kw_only=True):
    """A part of the circuit where a car may be put: a section, the pit lane, the boxes; `lanes` with their spaces."""

    name: str
    label: str
    lanes: tuple[tuple[str, str, tuple[str, ...]], ...]
    """Each lane: its name, its word, and its spaces by name, in driving order."""


def stretches(track: Track | SectionTrack, words: Words) -> list[Stretch]:
    """Every place of a circuit at which a car may stand, by sections and lanes."""
    if isinstance(track, SectionTrack):
        return [
            Stretch(
                name=f"section:{number}",
                label=f"{number} · {section.name or words.screen(f'new_race.kind.{section.kind}')}",
                lanes=(("", "", (f"section:{number}",)),),
            )
            for number, section in enumerate(track.sections, 1)
        ]
    if track.known == "corner":
        sheet = [f"{kind}:{n}" for n in range(1, len(track.corners) + 1) for kind in ("corner", "after")]
        return [Stretch(name=name, label=words.place(name), lanes=(("", "", (name,)),)) for name in sheet]
    found = []
    for section in track.sections:
        lanes: list[tuple[str, str, tuple[str, ...]]] = []
        for lane, spaces in enumerate(section.lanes):
            names = tuple(track.name_of(space) for space in spaces if space not in track.blocked)
            if names:
                lanes.append((track.lanes[lane], words.word("lane", track.lanes[lane]), names))
        label = section.corner.name or words.place(f"corner:{section.corner.number}") if section.corner else ""
        number = lanes[0][2][0].partition(":")[0]
        found.append(
            Stretch(
                name=number,
                label=f"{number} · {label}" if label else f"{number} · {words.screen('new_race.straight')}",
                lanes=tuple(lanes),
            )
        )
    if track.pit is not None:
        for kind, spaces in (("pit", track.pit.spaces), ("box", track.pit.boxes)):
            inside = tuple(track.name_of(space) for space in spaces)
            found.append(Stretch(name=kind, label=words.table["where"][kind], lanes=(("", "", inside),)))
    return found


def as_it_stands(draft: Draft, number: int) -> Car | None:
    """A car as the rules core would put it there, with all that was left out; None if it would not."""
    entrant = next((one for one in draft.entrants if one.number == number), None)
    board = draft.board
    if entrant is None or board is None:
        return None
    try:
        rulebook = begin(setup_of(draft.but(entrants=(entrant,))), board)
    except CompanionError:
        return None
    car: Car = rulebook.car(number)
    return car


def standing_fields(draft: Draft, number: int, words: Words) -> list[Field]:
    """What is set for a car beside its space: gear, laps, and the points left in each pool."""
    rulebook = RULEBOOKS[draft.rulebook]
    ranges: Mapping[str, tuple[int, int]] = rulebook.car_ranges
    standing = draft.standing_of(number)
    if isinstance(standing, CardStanding):
        return _card_fields(draft, number, standing, ranges, words)
    car = as_it_stands(draft, number)
    fields = [
        Field(
            name=name,
            label=words.word("value", name).capitalize(),
            value=getattr(standing, name),
            low=ranges[name][0],
            high=high,
        )
        for name, high in (("gear", ranges["gear"][1]), ("lap", draft.laps or draft.usual_laps))
    ]
    if car is not None:
        fields += [
            Field(
                name=pool,
                label=words.word("pool", pool).capitalize(),
                icon=pool,
                value=left,
                high=max(left, car.built[pool]),
            )
            for pool, left in car.wear.items()
        ]
    return fields


def _card_fields(
    draft: Draft, number: int, standing: CardStanding, ranges: Mapping[str, tuple[int, int]], words: Words
) -> list[Field]:
    """What is set for a car of the race of cards: its lap, fuel and stops; of a driver the chart, the strategy, what is
    left of the chart, and the factor of the card in the check area too."""
    board = draft.board
    if board is None:
        return []
    try:
        rulebook = begin(setup_of(draft), board)
    except CompanionError:
        return []
    car: SectionCar = rulebook.car(number)

    def figure(name: str, value: int, low: int, high: int, label: str = "") -> Field:
        return Field(name=name, label=label or words.word("value", name).capitalize(), value=value, low=low, high=high)

    steppers = [figure("lap", standing.lap, *ranges["lap"])]
    steppers += [figure(name, getattr(car, name), *ranges[name]) for name in ("fuel", "stops")]
    if car.bot:
        return steppers
    figures = read_figures(draft.options, SectionFigures)
    charts = dict.fromkeys([*figures.charts, tuple(car.built[name] for name in CHART)])
    known = [name for name in words.table["strategy"] if name != "chase" or figures.chase]
    choices = [
        Field(
            name="chart",
            label=words.screen("new_race.chart"),
            kind="choice",
            value=[car.built[name] for name in CHART],
            keys=tuple(Key(answer=list(chart), label=" · ".join(map(str, chart))) for chart in charts),
        ),
        Field(
            name="strategy",
            label=words.word("value", "strategy").capitalize(),
            kind="choice",
            value=car.strategy,
            keys=tuple(Key(answer=name, label=words.word("strategy", name)) for name in known),
        ),
    ]
    pools = [
        Field(name=pool, label=words.word("pool", pool).capitalize(), icon=pool, value=left, high=_most(car, pool))
        for pool, left in car.wear.items()
    ]
    factor = int(car.check.split()[1])
    steppers += [
        figure("permanent", car.permanent, 0, car.built["damage"] - car.wear["damage"]),
        figure("check", factor, 1, 100, words.screen("new_race.check")),
    ]
    return [*choices, *pools, *steppers]


def _most(car: SectionCar, pool: str) -> int:
    """The most of a pool; a hand may be larger than the chart has it."""
    if pool == "cards":
        return 20
    return car.built[pool] - (car.permanent if pool == "damage" else 0)
