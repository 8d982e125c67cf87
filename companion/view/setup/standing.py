"""The position of a car in a race that starts from a position, and its values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal, cast

import msgspec

from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.figures import read_figures
from companion.rules.conversation.kinds import CHART, Pool, Pools
from companion.rules.death.cards import of_kind
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.ninety.figures import SectionFigures
from companion.rules.public import PublicSectionCar, car_of, settable_on_car
from companion.rules.rulebooks import RULEBOOKS, begin, car_values, race_values
from companion.view.race.sections import bare_tiles
from companion.view.setup.draft import OUT, CardStanding, Draft, StartPosition, field_of, plate, setup_of
from companion.view.setup.places import places
from companion.view.shown import AnswerKey, Field, ViewModel, furthest
from companion.view.shown_board import BoardScene, CarMark, InSection
from companion.wording import Words, capital

if TYPE_CHECKING:
    from companion.rules.rulebooks import Book

FULLEST: Final = 60
"""Maximum points of a pool."""
MOST: Final = 20
"""Maximum number of a card's tokens on a stepper."""
LONGEST: Final = 999
"""Latest round in which a race can begin by touch."""
DICE_STATUSES: Final = ("racing", "spun", "stalled", OUT)
"""Statuses of a car of dice and gears: on the track, or out for good."""
CARD_STATUSES: Final = ("racing", "off", OUT)
"""Statuses of a car in the race of cards."""
USUAL: Final = {"sky": "sun", "surface": "dry"}
"""Default values of a position."""


class Stretch(ViewModel, frozen=True, kw_only=True):
    """A part of the circuit where a car may be put: a section, the pit lane, the boxes."""

    name: str
    label: str
    lanes: tuple[tuple[str, str, tuple[str, ...]], ...]
    """Name, word and spaces of each lane; the spaces by name, in driving order."""


def stretches(track: Track | SectionTrack, words: Words) -> list[Stretch]:
    """Return every place where a car may stand, by section and lane."""
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
        label = words.corner(section.corner.name) if section.corner else ""
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
            found.append(Stretch(name=kind, label=words.word("where", kind), lanes=(("", "", inside),)))
    return found


def as_it_stands(draft: Draft, number: int) -> dict[str, Json]:
    """Return a car's values as the rules would set it up there, defaults included.

    The draft's own values where the rules refuse it, so that they can be corrected; empty if the rules refuse the car
    there altogether.
    """
    standing = draft.standing_of(number)
    assert isinstance(standing, StartPosition)
    bare = msgspec.structs.replace(standing, wear={}, built={}, more={})
    book = _trial_race(draft, number) or _trial_race(draft.standing_at(number, bare), number)
    if book is None:
        return {}
    values = {one.name: one.value for one in settable_on_car(book, number)}
    values |= {"built": car_of(book, number).built, "wear": values["wear"] | standing.wear}
    more = dict(standing.more)
    if "uses" in more:
        more["uses"] = values["uses"] | more["uses"]
    return values | {"gear": standing.gear, "lap": standing.lap, **more}


def _trial_race(draft: Draft, number: int) -> Book | None:
    """Return a race with this car alone, or in the race of cards with all; None if refused."""
    entrant = next((one for one in draft.entrants if one.number == number), None)
    board = draft.board
    if entrant is None or board is None:
        return None
    try:
        return begin(setup_of(draft if draft.cards else draft.but(entrants=(entrant,))), board)
    except CompanionError:
        return None


def standing_fields(draft: Draft, number: int, words: Words) -> list[Field]:
    """Return the fields of a car besides its place: gear, lap, points in each pool.

    Figures stop where the rules refuse them. Points only test the next value, because each test begins a race.
    """
    fields = _fields(draft, number, words)
    if _trial_race(draft, number) is None:
        return fields
    return [_narrowed(draft, number, field, words) if field.kind == "stepper" else field for field in fields]


def _narrowed(draft: Draft, number: int, field: Field, words: Words) -> Field:
    """Return a stepper limited to what the rules accept."""

    def accepts(value: int) -> bool:
        return _trial_race(with_value(draft, number, field.name, value, words), number) is not None

    if field.icon:
        high = field.high if field.value < field.high and accepts(field.value + 1) else field.value
        return msgspec.structs.replace(field, high=high)
    low, high = (furthest(field.value, end, accepts) for end in (field.low, field.high))
    return msgspec.structs.replace(field, low=low, high=high)


def _fields(draft: Draft, number: int, words: Words) -> list[Field]:
    """Return the fields with the widest ranges of any race."""
    rulebook = RULEBOOKS[draft.rulebook]
    ranges: Mapping[str, tuple[int, int]] = rulebook.car_ranges
    standing = draft.standing_of(number)
    if isinstance(standing, CardStanding):
        return _card_fields(draft, number, standing, ranges, words)
    car = as_it_stands(draft, number)
    choices, figures = [], []
    for name in (
        name for name in car_values(draft.rulebook, draft.options) if name not in ("at", "wear") and name in car
    ):
        value = car[name]
        label = capital(words.word("value", name))
        if name in ranges:
            low, high = ranges[name]
            high = max(value, _highest(draft, name, high))
            figures.append(Field(name=name, label=label, value=value, low=max(low, 0), high=high))
        elif value not in ("pit", "box") and (keys := _keys(draft, number, name, value, words)):
            kind: Literal["many", "choice"] = "many" if isinstance(value, list | dict) else "choice"
            held = list(value) if isinstance(value, list | dict) else value
            label = words.screen("new_race.cards_of_car") if isinstance(value, dict) else label
            choices.append(Field(name=name, label=label, kind=kind, value=held, keys=keys))
        if isinstance(value, dict):
            figures += [
                Field(name=f"{name}.{card}", label=words.card(card), value=count, high=max(count, MOST))
                for card, count in value.items()
            ]
    pools = [
        Field(name=f"wear.{pool}", label=words.word("pool", pool).capitalize(), icon=pool, value=left, high=FULLEST)
        for pool, left in car.get("wear", {}).items()
    ]
    return [*choices, *pools, *figures]


def with_value(draft: Draft, number: int, name: str, value: Json, words: Words) -> Draft:
    """Set one of a car's `standing_fields`."""
    standing, (whole, _, part) = draft.standing_of(number), name.partition(".")
    if isinstance(standing, CardStanding):
        wear = {field.name: field.value for field in _fields(draft, number, words) if field.icon}
        if name in wear:
            changes: dict[str, Json] = {"wear": {**wear, name: value}}
        elif name == "chart":
            changes = {"chart": tuple(value) if isinstance(value, list) else (), "wear": {}, "permanent": 0}
        else:
            changes = {name: value}
    elif whole == "wear":
        return draft.standing_at(number, _worn(draft, number, cast("Pool", part), value))
    else:
        if part or isinstance(value, list | dict):
            now = as_it_stands(draft, number).get(whole)
            if isinstance(now, dict):  # how many of a thing, or which things there are
                value = {**now, part: value} if part else {key: now.get(key, 0) for key in value}
        changes = {whole: value}
    known = set(type(standing).__struct_fields__)
    if more := {name: value for name, value in changes.items() if name not in known}:
        changes = {name: value for name, value in changes.items() if name in known} | {"more": standing.more | more}
    changed = msgspec.structs.replace(standing, **changes)
    if isinstance(changed, StartPosition) and changed.wear:
        changed = _refitted(draft, number, changed)
    return draft.standing_at(number, changed)


def _worn(draft: Draft, number: int, pool: Pool, left: Json) -> StartPosition:
    """Set the points left in a pool, raising its size if needed."""
    standing = draft.standing_of(number)
    assert isinstance(standing, StartPosition)
    wear = {**as_it_stands(draft, number).get("wear", {}), pool: left}
    return _built_for(standing, wear, _usual_build(draft, number, standing))


def _refitted(draft: Draft, number: int, changed: StartPosition) -> StartPosition:
    """Apply a change to a car, less the points it costs, such as boosters bought."""
    standing = draft.standing_of(number)
    assert isinstance(standing, StartPosition)
    before, usual = _usual_build(draft, number, standing), _usual_build(draft, number, changed)
    wear = {pool: max(0, left + usual.get(pool, 0) - before.get(pool, 0)) for pool, left in changed.wear.items()}
    return _built_for(changed, wear, usual)


def _usual_build(draft: Draft, number: int, standing: StartPosition) -> Pools:
    """Return the default points of a car in this position."""
    bare = draft.standing_at(number, msgspec.structs.replace(standing, wear={}, built={}))
    return cast("Pools", as_it_stands(bare, number).get("built", {}))


def _built_for(standing: StartPosition, wear: Pools, usual: Pools) -> StartPosition:
    built = {pool: max(usual.get(pool, 0), points) for pool, points in wear.items()}
    return msgspec.structs.replace(standing, wear=wear, built=built)


def position_scene(draft: Draft, number: int) -> BoardScene:
    """Return the board with the cars placed so far.

    Close up around a car with a place, so that spaces can be tapped; the whole board otherwise.
    """
    board, at = draft.board, draft.standing_of(number).at or ""
    there = [(one, draft.standing_of(one.number)) for one in field_of(draft) if draft.is_placed(one.number)]
    if isinstance(board, SectionTrack):
        manned = sorted(there, key=lambda pair: getattr(pair[1], "since", 0))
        tiles = []
        for tile in bare_tiles(board):
            line = [one for one, where in manned if where.at == tile.space]
            line_up = tuple(
                InSection(plate=plate(one), code="", place=place, playing=one.number == number)
                for place, one in enumerate(line, 1)
            )
            tiles.append(msgspec.structs.replace(tile, cars=line_up, here=tile.space == at))
        return BoardScene(close="overview", around=at, sections=tuple(tiles))
    cars = tuple(
        CarMark(plate=plate(one), space=where.at or "", state="playing" if one.number == number else "plain")
        for one, where in there
    )
    return BoardScene(close="landing" if at else "overview", around=at, cars=cars)


def race_fields(draft: Draft, words: Words) -> list[Field]:
    """Return the fields of the race in a position: its round, and what overrides can set.

    None in the race of cards, which has its turn instead.
    """
    board = draft.board
    if draft.cards or not isinstance(board, Track):
        return []
    fields: list[Field] = []
    for name in race_values(draft.rulebook, draft.options):
        label, value = capital(words.word("value", name)), draft.race.get(name)
        if name == "dangers":
            keys = tuple(AnswerKey(answer=place, label=words.place(place)) for place in places(board))
            fields.append(Field(name=name, label=label, kind="places", value=value or [], keys=keys))
        elif name in RULEBOOKS[draft.rulebook].race_type.markers:
            fields.append(Field(name=name, label=label, kind="choice", value=bool(value), keys=_yes_or_no(words)))
        elif name in ("sky", "surface"):
            keys = tuple(
                AnswerKey(answer=key, label=said.capitalize()) for key, said in words.words_of(name).items() if key
            )
            fields.append(Field(name=name, label=label, kind="choice", value=value or USUAL[name], keys=keys))
    now = draft.race.get("round", 1)
    return [*fields, Field(name="round", label=words.screen("top.round"), value=now, low=1, high=LONGEST)]


def _highest(draft: Draft, name: str, high: int) -> int:
    """Return the maximum of a car's figure in this race."""
    if name == "lap":
        return draft.laps or draft.usual_laps
    if name == "kers":
        return int(getattr(read_figures(draft.options, RULEBOOKS[draft.rulebook].figure_table()), "kers_most", high))
    return high


def _yes_or_no(words: Words) -> tuple[AnswerKey, ...]:
    return tuple(AnswerKey(answer=one, label=words.word("plain", one).capitalize()) for one in (False, True))


def _keys(draft: Draft, number: int, name: str, value: Json, words: Words) -> tuple[AnswerKey, ...]:
    """Return the choices for a value that is not a figure.

    These are cards of its kind, compounds, or words that the rules accept.
    """
    if isinstance(value, bool):
        return _yes_or_no(words)
    if cards := of_kind(name.removesuffix("s")):
        none = () if isinstance(value, dict) else (AnswerKey(answer="", label=capital(words.word("plain", None))),)
        return (*none, *(AnswerKey(answer=card.key, label=words.card(card.key)) for card in cards))
    if isinstance(value, dict):
        return ()  # what its cards hold goes with the cards
    table = words.words_of("tyres" if isinstance(value, list) else name)
    known = [key for key in table if key and (name != "status" or key in DICE_STATUSES)]
    if isinstance(value, str):
        known = [key for key in known if key in (value, OUT) or _would_be(draft, number, name, key)]
    return tuple(AnswerKey(answer=key, label=capital(table[key])) for key in known)


def _would_be(draft: Draft, number: int, name: str, value: str) -> bool:
    """Return True if the rules accept a car's status, or a similar value, in its position."""
    standing = draft.standing_of(number)
    tried = msgspec.structs.replace(standing, more={**standing.more, name: value})
    return _trial_race(draft.standing_at(number, tried), number) is not None


def _card_fields(
    draft: Draft, number: int, standing: CardStanding, ranges: Mapping[str, tuple[int, int]], words: Words
) -> list[Field]:
    """Return the fields of a car in the race of cards: lap, fuel and stops.

    A driver's car also has its chart, strategy, pools and check factor.
    """
    board = draft.board
    if not isinstance(board, SectionTrack):
        return []
    try:
        rulebook = begin(setup_of(draft), board)
    except CompanionError:
        return []
    car = car_of(rulebook, number)

    def figure(name: str, value: int, low: int, high: int, label: str = "") -> Field:
        return Field(name=name, label=label or capital(words.word("value", name)), value=value, low=low, high=high)

    steppers = [figure("lap", standing.lap, *ranges["lap"])]
    steppers += [figure("fuel", car.fuel, 1, ranges["fuel"][1]), figure("stops", car.stops, *ranges["stops"])]
    if car.bot:
        return steppers
    figures = read_figures(draft.options, SectionFigures)
    charts = dict.fromkeys([*figures.charts, tuple(car.built[name] for name in CHART)])
    known = [name for name in words.words_of("strategy") if name != "chase" or figures.chase]
    choices = [
        Field(
            name="chart",
            label=words.screen("new_race.chart"),
            kind="choice",
            value=[car.built[name] for name in CHART],
            keys=tuple(AnswerKey(answer=list(chart), label=" · ".join(map(str, chart))) for chart in charts),
        ),
        Field(
            name="strategy",
            label=capital(words.word("value", "strategy")),
            kind="choice",
            value=car.strategy,
            keys=tuple(AnswerKey(answer=name, label=words.word("strategy", name)) for name in known),
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
    status = tuple(AnswerKey(answer=one, label=capital(words.word("status", one))) for one in CARD_STATUSES)
    there = [Field(name="status", label=capital(words.word("value", "status")), kind="choice", value=car.status,
                   keys=status)]  # fmt: skip
    if points := board.sections[standing.section].trajectories if standing.at else ():
        keys = [AnswerKey(answer=None, label=capital(words.word("plain", None)))]
        keys += [
            AnswerKey(answer=at, label=f"{capital(words.word('colour', point.colour))} {point.bonus}")
            for at, point in enumerate(points, 1)
        ]
        label = words.screen("new_race.point")
        there.append(Field(name="point", label=label, kind="choice", value=car.line + 1 or None, keys=tuple(keys)))
    return [*there, *choices, *pools, *steppers]


def _most(car: PublicSectionCar, pool: Pool) -> int:
    """Return the maximum of a pool; a hand may exceed the chart's."""
    if pool == "cards":
        return 20
    return car.built[pool] - (car.permanent if pool == "damage" else 0)
