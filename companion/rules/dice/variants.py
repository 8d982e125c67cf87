"""Variants: rules that a table switches on, alone or several together.

A variant is a `Variant` below, and an article in `companion/rules/articles/variants.toml`. To add one:

1. Write a subclass of each chapter that it changes, which calls `super()` for all that it leaves as it is. When a race
   begins with the variant on, the class stands before the rulebook's own in the line of inheritance, so it holds in
   every rulebook that has the chapter.
2. Cite the article, `[variant.NAME]`, in the docstring of the method.
3. Add a `Variant` to `VARIANTS`, here at the end. The order here is the order in which variants build on each other:
   a later one asks the earlier ones by `super()`.

An option that the box of a game offers is of the family "option" and stands in that game's own module with
`only_in`: those of Formula D at the end of `companion/rules/formula_d.py`, with their articles `[option.NAME]`.

Setup, log, sheet and articles know it from then on by its switch: `{"options": {"one_slipstream": true}}`. A package
adds its own in the same way, named by an entry point of the group `companion.variants`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from keyword import iskeyword
from typing import Annotated, ClassVar, Final, Literal, cast, get_type_hints

import msgspec

from companion.rules.circuit.leg import Landing, Leg
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Json, Option, Procedure, QuestionWithdrawn, ask
from companion.rules.conversation.errors import BadSetup
from companion.rules.conversation.faces import BLACK_DIE, FACES, Face
from companion.rules.conversation.figures import FigureTable, figure, table
from companion.rules.conversation.forms import Choice
from companion.rules.conversation.kinds import UNPAYABLE, Compound, Pool, Sky, Wings
from companion.rules.conversation.overriding import override
from companion.rules.conversation.rulebook import Chapter
from companion.rules.conversation.shelf import Shelf
from companion.rules.dice.collisions import Collisions
from companion.rules.dice.corners import Corners
from companion.rules.dice.figures import Figures
from companion.rules.dice.gears import Gears
from companion.rules.dice.moving import Landings, Moving
from companion.rules.dice.order import STRETCH, UNIT, Finish, Order
from companion.rules.dice.pits import Pits
from companion.rules.dice.questions import TestDie
from companion.rules.dice.referee import Referee
from companion.rules.dice.setup import WINGS, Position, Preparing
from companion.rules.dice.sheet import Sheet
from companion.rules.dice.slipstream import Slipstream
from companion.rules.dice.state import Car, Move, RaceState
from companion.rules.dice.tests import Tests
from companion.rules.dice.turn import TurnBook
from companion.rules.dice.tyres import Tyres
from companion.rules.dice.wear import ForetoldTest
from companion.rules.dice.weather import Weather

Face20 = Annotated[int, msgspec.Meta(ge=0, le=20)]
"""Last face of the black die on which a test is lost."""


@dataclass(frozen=True, eq=False)
class Variant:
    """A rule that a table may switch on, off by default.

    `name` is as in `variant.NAME`, the id of its article; `chapters` are the classes that change the rules. `figures`
    has what it counts with besides, as a subclass of `Figures`. `nothing_in` says of each rulebook in which it means
    nothing why that is so; `excludes` names the variants that it cannot be on with, `needs` those that it builds on,
    where a rulebook has them. `title` is what a variant without an article in the house is called, by language. An
    option that a game itself offers is of the family "option", and `only_in` names the rulebook of that game, whose
    own file has its article. `laps` are those of a race with it on, 0 where it does not say; `car_values` and
    `race_values` are what the referee's word can set besides. `counts` names the figures of that rulebook that
    nothing counts with while it is off.

    Raises ValueError for a name that cannot be a switch, and for a class that changes no chapter.
    """

    name: str
    chapters: tuple[type[Chapter], ...]
    figures: type[Figures] | None = None
    nothing_in: Mapping[str, str] = field(default_factory=dict)
    excludes: Collection[str] = ()
    title: Mapping[str, str] = field(default_factory=dict)
    family: Literal["variant", "option"] = "variant"
    only_in: str = ""
    laps: int = 0
    car_values: tuple[str, ...] = ()
    race_values: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    needs: Collection[str] = ()

    def __post_init__(self) -> None:
        if not self.switch.isidentifier() or iskeyword(self.switch) or hasattr(Figures, self.switch):
            raise ValueError(
                f"A variant's name is of letters, digits and hyphens, and no figure's: {self.name!r} is not."
            )
        if not self.chapters:
            raise ValueError(f"The variant {self.name} needs a class that changes a chapter.")
        for chapter in self.chapters:
            if not issubclass(chapter, Chapter):
                raise ValueError(f"{chapter.__name__}, of the variant {self.name}, is no subclass of a chapter.")
            own = [name for name in vars(chapter) if not name.startswith("__")]
            if not any(hasattr(base, name) for base in chapter.__bases__ for name in own):
                raise ValueError(f"{chapter.__name__}, of the variant {self.name}, overrides nothing of its chapter.")

    @property
    def switch(self) -> str:
        """Its switch among the options of a setup."""
        return self.name.replace("-", "_")

    @property
    def article(self) -> str:
        """The id of its article."""
        return f"{self.family}.{self.name}"

    def title_in(self, lang: str) -> str:
        """Return its own title in a language, else the English one, else its name in words."""
        return self.title.get(lang) or self.title.get("en") or self.switch.replace("_", " ").capitalize()

    @property
    def own_figures(self) -> tuple[msgspec.structs.FieldInfo, ...]:
        """The figures that it counts with besides those of every rulebook."""
        return msgspec.structs.fields(self.figures)[len(Figures.__struct_fields__) :] if self.figures else ()

    @property
    def all_figures(self) -> frozenset[str]:
        """Its switch, and the names of all figures that nothing counts with while it is off."""
        return frozenset({self.switch, *self.counts, *(one.name for one in self.own_figures)})

    def holds_in(self, rulebook: type) -> bool:
        """Return whether it means something in a rulebook; in one of one's own as in what that is a kind of."""
        names = {kind.__dict__.get("name") for kind in rulebook.__mro__}
        return names.isdisjoint(self.nothing_in) and (not self.only_in or self.only_in in names)


class Variants(Shelf[Variant]):
    """Variants by name, in the order in which they build on each other.

    >>> VARIANTS["one-slipstream"].switch
    'one_slipstream'
    """

    def add(self, variant: Variant) -> Variant:
        """Add a variant by its name, after those that are there."""
        self.register(variant.name, variant, f"{variant.chapters[0].__module__}:", "variant")
        return variant

    def of(self, rulebook: type, *, installed: bool = True) -> tuple[Variant, ...]:
        """Return the variants that mean something in a rulebook, with those of installed packages or without."""
        there = self.values() if installed else self.at_hand()
        return tuple(variant for variant in there if variant.holds_in(rulebook))

    def switched_by(self, switch: str) -> Variant | None:
        """Return the variant of a switch, if it is one."""
        return next((variant for variant in self.values() if variant.switch == switch), None)


VARIANTS: Final = Variants({}, "companion.variants")
"""Every variant that a setup can switch on."""


# -- how they get into a race


def with_switches(rulebook: type, figures: type[Figures], options: Collection[str] | None = None) -> type[Figures]:
    """Return the figures of a rulebook with those of the variants that mean something in it.

    With `options` they are those of as many variants as it takes to read these.
    """
    house = _with_switches(figures, VARIANTS.of(rulebook, installed=False))
    if options is not None and set(options) <= set(house.figure_names()):
        return house
    return _with_switches(figures, VARIANTS.of(rulebook))


@cache
def _with_switches(kind: type[Figures], variants: tuple[Variant, ...]) -> type[Figures]:
    fields: list[tuple[str, type, object]] = []
    for variant in variants:
        fields.append((variant.switch, cast("type", Annotated[bool, table(variant.article)]), False))
        hints = get_type_hints(variant.figures, include_extras=True) if variant.figures else {}
        fields += [(one.name, hints[one.name], one.default) for one in variant.own_figures]

    def check(figures: Figures) -> None:
        kind.check(figures)
        _check_together(switched_on(figures), variants)

    space = {"check": check, "variants": variants, "__doc__": kind.__doc__}
    made = msgspec.defstruct(kind.__name__, fields, bases=(kind,), namespace=space, module=kind.__module__, frozen=True)
    return cast("type[Figures]", made)


def _check_together(on: Collection[Variant], known: Sequence[Variant]) -> None:
    for variant in on:
        if other := next((other for other in on if other.name in variant.excludes), None):
            raise BadSetup("options_exclude", one=variant.switch, other=other.switch)
        if other := next((other for other in known if other.name in variant.needs and other not in on), None):
            raise BadSetup("needs_switch", switch=variant.switch, other=other.switch)


def switched_on(figures: FigureTable) -> tuple[Variant, ...]:
    """Return the variants that are on in a race, in their order."""
    known = cast("tuple[Variant, ...]", figures.variants)
    return tuple(variant for variant in known if getattr(figures, variant.switch))


def in_force(figures: FigureTable) -> dict[str, object]:
    """Return the figures of a race by name, without those of variants that are off.

    Which of these a program knows depends on the packages that it has looked at.
    """
    on = switched_on(figures)
    idle: set[str] = set()
    for variant in cast("tuple[Variant, ...]", figures.variants):
        if variant not in on:
            idle |= variant.all_figures
    return {name: getattr(figures, name) for name in sorted(figures.__struct_fields__) if name not in idle}


def compose(chapters: Mapping[str, type[Chapter]], variants: Sequence[Variant]) -> Mapping[str, type[Chapter]]:
    """Return the chapters of a rulebook with those of variants before them, the last variant foremost."""
    changes = tuple(chapter for variant in reversed(variants) for chapter in variant.chapters)
    return {name: _composed(kind, changes) for name, kind in chapters.items()}


_COMPOSED: Final[dict[tuple[type[Chapter], ...], type[Chapter]]] = {}
"""The classes made so far, by the chapter and all changes: every copy of a race asks for them."""


def _composed(kind: type[Chapter], changes: tuple[type[Chapter], ...]) -> type[Chapter]:
    """Return a chapter with those changes before it that are meant for it."""
    key = (kind, *changes)
    if key not in _COMPOSED:
        meant = [change for change in changes if _is_meant_for(change, kind)]
        space = {"__module__": kind.__module__, "__doc__": kind.__doc__}
        _COMPOSED[key] = type(kind.__name__, (*meant, kind), space) if meant else kind
    return _COMPOSED[key]


def _is_meant_for(chapter: type[Chapter], kind: type[Chapter]) -> bool:
    """Return whether a variant's class is meant for a chapter of a rulebook: that one is a kind of the same chapter."""
    return all(issubclass(kind, base) for base in chapter.__bases__)


# -- the variants


class OneSlipstream(Slipstream):
    """One slipstream a turn."""

    @override
    def can_slipstream(self, car: Car, ahead: Car | None) -> bool:
        """Return False for a second slipstream in a turn, or DRS [variant.one-slipstream]."""
        return self.move.slipstreams < 1 and super().can_slipstream(car, ahead)


VARIANTS.add(Variant("one-slipstream", (OneSlipstream,), nothing_in={"beginner": "It has no slipstream."}))


class SlowDebris(Tests):
    """In 1st gear a car picks its way through debris."""

    @override
    def tests_debris(self, car: Car) -> bool:
        """Not in 1st gear [variant.slow-debris]."""
        return car.gear != 1 and super().tests_debris(car)


VARIANTS.add(Variant("slow-debris", (SlowDebris,), nothing_in={"beginner": "It has no debris."}))


class CornerContact(Collisions):
    """A corner of many stops is a bad place to touch."""

    @override
    def loses_to(self, car: Car, other: Car, *, aggravated: bool) -> int:
        """In a corner a face more for each stop beyond the first [variant.corner-contact]."""
        usual = super().loses_to(car, other, aggravated=aggravated)
        mover = car if car.number == self.move.car else other
        corner = self.book.corners.corner_of(mover.at)
        return min(usual + self.track.corners[corner].stops - 1, BLACK_DIE[-1]) if corner >= 0 else usual


FROM_ONE_TO_FOUR: Final = "Its collisions are lost from 1 to 4 wherever they happen."
VARIANTS.add(
    Variant("corner-contact", (CornerContact,), nothing_in=dict.fromkeys(("beginner", "death"), FROM_ONE_TO_FOUR))
)


class SettledWeather(Weather):
    """A sky that cannot make up its mind stays so."""

    @override
    def evolve(self, car: Car, face: Face, sky: Sky) -> None:
        """Changeable drawn twice running is changeable for the rest of the race [variant.settled]."""
        race = self.race
        twice = sky == race.drawn == "changeable"
        super().evolve(car, face, sky)
        if twice and not race.fixed:
            race.fixed = True
            self.rule("weather", "variant.settled", car, sky=race.sky, surface=race.surface, fixed=True)


VARIANTS.add(
    Variant(
        "settled",
        (SettledWeather,),
        nothing_in={
            **dict.fromkeys(("beginner", "death"), "It has no weather."),
            "formula-d": "Its weather, an option, settles at the ends of a ladder.",
            "cup": "What a check brings goes by how the race started.",
        },
    )
)


class WidePits(Pits):
    """A pit lane wide enough to pass in."""

    @override
    def holds_many(self, space: str | None) -> bool:
        """Nobody waits for another in the lane [variant.wide-pits]."""
        return (space or "").startswith("pit:") or super().holds_many(space)


VARIANTS.add(
    Variant(
        "wide-pits",
        (WidePits,),
        nothing_in={"league": "Its lane is wide as it is.", "cup": "It has a grid of pits, and no lane to wait in."},
    )
)


class PlacedByDistance(Finish):
    """Nobody's way is for nothing."""

    @classmethod
    @override
    def places_retired(cls) -> bool:
        """Return True: a car that is out has a place and its points, by how far it came.

        [variant.distance]
        """
        return True


VARIANTS.add(Variant("distance", (PlacedByDistance,), nothing_in={"league": "Who is out has a place there as it is."}))


class SuperSoft(Tyres):
    """A fourth kind of tyres, fast for a lap and soon worn."""

    bonus_article: ClassVar[str] = "variant.super-soft"

    @override
    def bonus_of(self, compound: Compound) -> int:
        """Return 2 spaces for super-soft tyres, each at will [variant.super-soft]."""
        return 2 if compound == SUPER_SOFT else super().bonus_of(compound)

    @override
    def slide_of(self, compound: Compound, *, wet: bool) -> int:
        """Return how far super-soft tyres slide: as far as soft ones [variant.super-soft]."""
        return super().slide_of("soft" if compound == SUPER_SOFT else compound, wet=wet)

    @override
    def factors_of(self, compound: Compound, *, wet: bool) -> tuple[int, int, int]:
        """Return a point more than hard tyres for a new set, and what old soft ones cost for one a lap old.

        From the third lap on they hold nothing: no car pays for a space beyond a corner [variant.super-soft].
        """
        if compound != SUPER_SOFT:
            return super().factors_of(compound, wet=wet)
        return super().factors_of("hard", wet=wet)[0] + 1, super().factors_of("soft", wet=wet)[2], UNPAYABLE

    @override
    def articles_of_factor(self, car: Car) -> list[str]:
        """Name super-soft tyres for their price [variant.super-soft]."""
        return ["variant.super-soft"] if car.tyres == SUPER_SOFT else super().articles_of_factor(car)


class SuperSoftSets(Pits):
    """A fourth kind of tyres in the box."""

    @override
    def compounds(self) -> tuple[Compound, ...]:
        """Return the kinds of tyres with super-soft ones, where there are kinds at all [variant.super-soft]."""
        return (*super().compounds(), SUPER_SOFT)


SUPER_SOFT: Final = "super_soft"
VARIANTS.add(
    Variant(
        "super-soft",
        (SuperSoft, SuperSoftSets),
        needs=("tyres",),
        nothing_in=dict.fromkeys(("beginner", "death"), "It has no kinds of tyres."),
    )
)


class WingsSet(Preparing):
    """Every driver sets his wings before the start."""

    @override
    def line_up(self) -> Procedure[None]:
        """Ask for the wings once all else is settled, pole first [variant.wings]."""
        car = next((car for car in self.grid_order() if not car.wings), None)
        if car is None:
            yield from super().line_up()
        else:
            car.wings = yield from ask(self.wings_question, car)
            self.rule("wings", "variant.wings", car, wings=car.wings)

    def wings_question(self, car: Car) -> Choice[Wings]:
        """Ask for high wings, low ones, or none of both [variant.wings]."""
        choices = [(Option(one), one) for one in WINGS]
        return Choice("wings", car.number, "variant.wings", choices, what="set")

    @override
    def complete(self, car: Car) -> None:
        """Set wings that a position does not mention to neither high nor low [variant.wings]."""
        super().complete(car)
        car.wings = car.wings or "normal"


class WingsKnown(Position):
    """A position may say how wings are set."""

    @override
    def wing_faults(self, car: Car) -> Iterator[BadSetup]:
        """Yield nothing: cars have wings [variant.wings]."""
        yield from ()


class WingsMoving(Moving):
    """Wings take spaces off a roll, or add one."""

    @override
    def more_in(self, car: Car, gear: int) -> int:
        """Return what the wings add in 4th to 6th, or take off [variant.wings]."""
        return super().more_in(car, gear) + trimmed(car, gear)

    @override
    def spaces_of(self, car: Car, face: int) -> Procedure[int]:
        """Return a space less in 4th to 6th with high wings, a space more with low ones.

        With high wings a driver may take one more off in a move that has a space in a corner [variant.wings].
        """
        spaces = yield from super().spaces_of(car, face)
        trim = self.more_in(car, self.move.gear)
        with suppress(QuestionWithdrawn):  # no corner near, or no space to take off
            trim -= yield from ask(self.ease_question, car, spaces + trim)
        self.move.wings = trim
        return spaces + trim

    def ease_question(self, car: Car, spaces: int) -> Choice[bool] | None:
        """Ask whether a space is taken off, where that still brings the car through a corner [variant.wings]."""
        if not car.alive or car.at is None or car.wings != "high" or spaces < 2:
            return None
        if self.track.known == "space":
            leg = self.book.landings.leg(car, spaces - 1)
            if not any(in_corner(self.track, leg, one) for one in self.book.landings.landings(car, leg)):
                return None
        choices = [(Option(less, facts={"spaces": spaces - less}), less) for less in (False, True)]
        return Choice("wings", car.number, "variant.wings", choices, what="ease")

    @override
    def terms(self, car: Car, slid: int, soft: int, braked: int, blocked: int) -> dict[str, Json]:
        """Return the terms of a move, with what the wings add to the roll or take off it [variant.wings]."""
        found = super().terms(car, slid, soft, braked, blocked)
        return found | {"wings": self.move.wings} if self.rolled and self.move.wings else found


class WingsLandings(Landings):
    """A space is taken off only for a corner."""

    @override
    def landings(self, car: Car, leg: Leg) -> list[Landing]:
        """Return the stops of a move that has a space in a corner, if one was taken off for it [variant.wings]."""
        found = super().landings(car, leg)
        if not eased(self.race.move, car):
            return found
        return [one for one in found if in_corner(self.track, leg, one)] or found


class WingsSheet(Sheet):
    """A space is taken off only for a corner, on a sheet too."""

    @override
    def places_ahead(self, car: Car, *, tow: bool = False) -> list[str]:
        """Return the places to which a corner belongs, if a space was taken off for it [variant.wings]."""
        found, corner_of = super().places_ahead(car, tow=tow), self.book.corners.corner_of
        if not eased(self.race.move, car) or corner_of(car.at) >= 0:
            return found
        return [place for place in found if corner_of(place) >= 0 or self.missed(car, place)] or found


class WingsCorners(Corners):
    """Low wings hold a car less in a corner."""

    @override
    def price_of_space(self, car: Car) -> int:
        """Return a tyre point more with low wings [variant.wings]."""
        return super().price_of_space(car) + (car.wings == "low")

    @override
    def articles_of_price(self, car: Car) -> list[str]:
        """Name low wings among what makes the price [variant.wings]."""
        return [*super().articles_of_price(car), *["variant.wings"] * (car.wings == "low")]


TRIMS: Final[Mapping[Wings, int]] = {"high": -1, "low": 1}
"""Spaces that wings add to a roll of a fast gear."""
FAST_GEAR: Final = 4


def trimmed(car: Car, gear: int) -> int:
    """Return the spaces that the wings of a car add to a roll in a gear, or take off it."""
    return TRIMS.get(car.wings, 0) if gear >= FAST_GEAR else 0


def eased(move: Move | None, car: Car) -> bool:
    """Return True if a car has taken a space more off the move that it is about to make."""
    return move is not None and not move.moved and move.wings < trimmed(car, move.gear)


def in_corner(track: Track, leg: Leg, landing: Landing) -> bool:
    """Return True if a stop lies in a corner, or the way to it leaves one."""
    corner = track.corner
    return corner[leg.start] >= 0 or corner[landing.space] >= 0 or bool(landing.overs)


VARIANTS.add(
    Variant(
        "wings",
        (WingsSet, WingsKnown, WingsMoving, WingsLandings, WingsSheet, WingsCorners),
        car_values=("wings",),
    )
)


class Sweeper(Order):
    """Marshals sweep the track behind the last car."""

    book: TurnBook

    @override
    def has_played(self, car: Car, before: int, rank: tuple[int, ...]) -> None:
        """Sweep off what a car has passed in its turn and no car still racing is behind or level with.

        [variant.sweeper]
        """
        super().has_played(car, before, rank)
        if not car.alive:
            return
        last = min(self.progress(other) for other in self.race.cars if other.alive)
        for space in dict.fromkeys(self.race.lying):
            beyond = before + (self.end_of(space) - before) % self.lap_length
            if beyond <= last:
                self.sweep(space, car)

    def end_of(self, place: str) -> int:
        """Return how far along the lap a space ends, or a stretch of a corner sheet [variant.sweeper]."""
        if self.track.known == "corner":
            return (self.book.sheet.stretch(place) + 1) * STRETCH
        return self.track.place[self.track.ids[place]] * UNIT + 1

    def sweep(self, space: str, car: Car) -> None:
        """Take all debris off a space, or a stretch [variant.sweeper]."""
        while space in self.race.dangers:
            self.book.wear.unmark(space)
        self.rule("swept", "variant.sweeper", car, at=space)


VARIANTS.add(Variant("sweeper", (Sweeper,), nothing_in={"beginner": "It has no debris."}))


class PitLimitFigures(Figures, frozen=True):
    """The price of too much speed in the pit lane."""

    pit_limit_brakes: Annotated[int, figure("variant.pit-limit", 0, 5)] = 1


class PitLimit(Pits[Car, RaceState[Car], PitLimitFigures]):
    """A speed limit at the entry of the pits."""

    @override
    def entry_brakes(self, car: Car) -> int:
        """Return a brake for entering in 5th [variant.pit-limit]."""
        fast = car.gear == LIMITED_GEAR and not car.in_pits
        return super().entry_brakes(car) + (self.figures.pit_limit_brakes if fast else 0)

    @override
    def may_enter(self, car: Car) -> bool:
        """Return False in 6th, and in 5th without a brake to pay [variant.pit-limit]."""
        payable = self.entry_brakes(car) <= self.book.wear.points_left(car, "brakes")
        return car.gear <= LIMITED_GEAR and payable and super().may_enter(car)

    @override
    def into_pits(self, car: Car, place: str) -> None:
        """Pay the brake at the entry [variant.pit-limit]."""
        brakes = self.entry_brakes(car)
        super().into_pits(car, place)
        if brakes:
            self.lose(car, "pit_limit", "variant.pit-limit", {"brakes": brakes}, gear=car.gear)


LIMITED_GEAR: Final = 5
"""The highest gear in which the pits are entered."""
VARIANTS.add(
    Variant(
        "pit-limit",
        (PitLimit,),
        PitLimitFigures,
        nothing_in={"league": "Its lane cuts every gear to 4th at the entry, free of charge."},
    )
)


def allowance(
    car: Car, article: str, what: str, choices: Sequence[tuple[Option, int | None]], **fields: Json
) -> Choice[int | None]:
    """Ask whether a driver uses what a variant allows him."""
    question = Choice("allowance", car.number, article, choices, what=what)
    question.fields = fields or None
    return question


def spaces_used(
    car: Car, spaces: int, what: str, make: Callable[[Car, int], Choice[int | None] | None]
) -> Procedure[int]:
    """Ask whether a driver adds to the spaces of his die what a variant allows; return what he adds, and note its use.

    0 where he does not, or is not asked.
    """
    with suppress(QuestionWithdrawn):
        more = yield from ask(make, car, spaces)
        if more is not None:
            car.use_up(what)
            return more
    return 0


class Top(Moving):
    """A driver at the top of his form."""

    def top_question(self, car: Car, spaces: int) -> Choice[int | None] | None:
        """Ask, once a lap, for a space more or less; of a move that wings made short one is left [variant.top]."""
        if not car.alive or car.times_used("top", car.lap):
            return None
        offered = [None, 1, -1] if spaces > 1 else [None, 1]
        choices = [(Option(more, facts={"spaces": spaces + (more or 0)}), more) for more in offered]
        return allowance(car, "variant.top", "top", choices, face=self.move.face)

    @override
    def displace(self, car: Car, spaces: int, *, soft: bool = True, least: int = 0) -> Procedure[None]:
        """Ask before the move of the die; engines and weather go by what it showed [variant.top]."""
        if self.rolled and (top := (yield from spaces_used(car, spaces, "top", self.top_question))):
            self.move.top = top
            spaces += top
            self.rule("allowance", "variant.top", car, what="top", spaces=top, rolled=self.move.face)
        yield from super().displace(car, spaces, soft=soft, least=least)

    @override
    def terms(self, car: Car, slid: int, soft: int, braked: int, blocked: int) -> dict[str, Json]:
        """Return the terms of a move with the space of the driver [variant.top]."""
        terms = super().terms(car, slid, soft, braked, blocked)
        return {**terms, "top": self.move.top} if self.rolled and self.move.top else terms


class TopKnown(Position):
    """A space that is used once a lap."""

    @override
    def allowances(self, car: Car) -> Mapping[str, tuple[int, int]]:
        """Return the space of a driver, once in each lap [variant.top]."""
        return {**super().allowances(car), "top": (1, self.race.laps + 1)}


VARIANTS.add(Variant("top", (Top, TopKnown), car_values=("uses",)))


class SuperTop(Gears):
    """A driver who has his die in hand."""

    def face_question(self, car: Car) -> Choice[int | None] | None:
        """Ask, once a race, for a face of the die instead of its roll [variant.super-top]."""
        if not car.alive or car.times_used("super_top"):
            return None
        choices: list[tuple[Option, int | None]] = [(Option(None), None)]
        choices += [(Option(face, facts={"spaces": face}), face) for face in FACES[car.gear]]
        return allowance(car, "variant.super-top", "super_top", choices, gear=car.gear)

    @override
    def roll(self, car: Car) -> Procedure[int]:
        """Take the face that a driver chooses as if it were rolled [variant.super-top]."""
        face: int | None = None
        with suppress(QuestionWithdrawn):
            face = yield from ask(self.face_question, car)
        if face is None:
            rolled: int = yield from super().roll(car)
            return rolled
        car.use_up("super_top")
        self.rule("allowance", "variant.super-top", car, what="super_top", face=face, gear=car.gear)
        return face


class SuperTopKnown(Position):
    """A face that is chosen once a race."""

    @override
    def allowances(self, car: Car) -> Mapping[str, tuple[int, int]]:
        """Return the face of a driver, once in a race [variant.super-top]."""
        return {**super().allowances(car), "super_top": (1, 1)}


VARIANTS.add(Variant("super-top", (SuperTop, SuperTopKnown), car_values=("uses",)))


BOOSTED_GEAR: Final = 5
"""The lowest gear in which a booster is fired."""


class BoosterFigures(Figures, frozen=True):
    """The spaces of boosters, and the risk to the engine."""

    boosters_most: Annotated[int, figure("variant.boosters", 1, 6)] = 6
    boosters_a_lap: Annotated[int, figure("variant.boosters", 1, 6)] = 2
    booster_spaces: Annotated[int, figure("variant.boosters", 1, 9)] = 5
    booster_engine: Annotated[tuple[Face20, Face20, Face20, Face20, Face20, Face20], table("variant.boosters")] = (
        4, 6, 8, 10, 12, 14,
    )  # fmt: skip


class BoosterStock(Preparing[Car, RaceState[Car], BoosterFigures]):
    """Boosters are bought before the start."""

    @override
    def prepare(self) -> Procedure[None]:
        """Ask for boosters once all cars are built, pole first [variant.boosters]."""
        cars = self.race.cars
        if all(car.wear for car in cars) and (car := next((c for c in self.grid_order() if c.bought is None), None)):
            with suppress(QuestionWithdrawn):
                yield from self.buy(car)
        else:
            yield from super().prepare()

    def buy(self, car: Car) -> Procedure[None]:
        """Pay a point for each booster, of the tyres or of the one pool; no stop brings it back [variant.boosters]."""
        count = yield from ask(self.booster_question, car)
        car.bought = count or 0
        pool = self.book.pool_of.get("tyres", "tyres")
        car.built[pool] -= car.bought
        self.lose(car, "allowance", "variant.boosters", {"tyres": car.bought}, what="buy", count=car.bought)

    def booster_question(self, car: Car) -> Choice[int | None] | None:
        """Ask how many boosters a driver buys; a point of the pool stays [variant.boosters]."""
        if not car.wear:
            return None
        least = 1 if "pool_minimum" in self.figures.without else self.figures.pool_minimum
        most = min(self.figures.boosters_most, self.book.wear.points_left(car, "tyres") - least)
        pool = self.book.pool_of.get("tyres", "tyres")
        choices: list[tuple[Option, int | None]] = [(Option(None), None)]
        choices += [(Option(count, {pool: -count}), count) for count in range(1, most + 1)]
        return allowance(car, "variant.boosters", "buy", choices)

    @override
    def take_build(self, car: Car, raw: Mapping[str, Json]) -> None:
        """Judge a car as it was built before it bought boosters [variant.boosters]."""
        pool, bought = self.book.pool_of.get("tyres", "tyres"), car.bought or 0
        car.wear[pool] = car.wear.get(pool, 0) + bought
        super().take_build(car, raw)
        for points in (car.wear, car.built):
            points[pool] -= bought

    @override
    def complete(self, car: Car) -> None:
        """In a position a car lacks the points that it paid for boosters, where it does not say [variant.boosters]."""
        pool = self.book.pool_of.get("tyres", "tyres")
        says_left, says_built = pool in car.wear, pool in car.built
        super().complete(car)
        if not says_built:
            least = car.wear[pool] if says_left else 1
            if self.choice_of_car == "build":  # of the part that paid for them a point is left
                least = max(1, least)
            car.built[pool] = max(car.built[pool] - (car.bought or 0), least)
        if not says_left:
            car.wear[pool] = min(car.wear[pool], car.built[pool])

    @override
    def usual_stand(self, car: Car) -> int:
        """Count a car as it was built before it bought boosters [variant.boosters]."""
        return super().usual_stand(before_boosters(car, self.book.pool_of.get("tyres", "tyres")))


class BoosterBuilt(Position[Car, RaceState[Car], BoosterFigures]):
    """A car of boosters lacks the points that it bought them with."""

    @override
    def built_faults(self, car: Car) -> Iterator[BadSetup]:
        """Judge a car as it was built before it bought boosters [variant.boosters]."""
        yield from super().built_faults(before_boosters(car, self.book.pool_of.get("tyres", "tyres")))

    @override
    def allowances(self, car: Car) -> Mapping[str, tuple[int, int]]:
        """Return the boosters that a car has bought, two of them in a lap [variant.boosters]."""
        return {**super().allowances(car), "boosters": (self.figures.boosters_a_lap, car.bought or 0)}

    @override
    def allowance_faults(self, car: Car) -> Iterator[BadSetup]:
        """Yield the fault of a car that has bought more boosters than it may; a point stays [variant.boosters]."""
        yield from super().allowance_faults(car)
        built = car.built.get(self.book.pool_of.get("tyres", "tyres"), 1)
        most = min(self.figures.boosters_most, built + (car.bought or 0) - 1)
        if car.bought and car.bought > most:
            yield BadSetup("boosters_most", car=car.number, count=car.bought, most=most)


class BoosterWord(Referee):
    """The referee's word on boosters."""

    @override
    def set_plain(self, car: Car, name: str, value: Json) -> None:
        """Set how many boosters a car has bought, and the points that it paid for them [variant.boosters]."""
        before = car.bought or 0
        super().set_plain(car, name, value)
        if name == "bought" and car.wear:
            pool, more = self.book.pool_of.get("tyres", "tyres"), value - before
            car.built[pool] = max(0, car.built[pool] - more)
            car.wear[pool] = max(0, car.wear[pool] - more)


def before_boosters(car: Car, pool: Pool) -> Car:
    """Return a car as it was built before it paid for boosters from a pool."""
    return msgspec.structs.replace(car, built={**car.built, pool: car.built.get(pool, 0) + (car.bought or 0)})


class BoosterMoves(Moving[Car, RaceState[Car], BoosterFigures]):
    """Five more spaces for a driver who risks his engine."""

    def booster_question(self, car: Car, spaces: int) -> Choice[int | None] | None:
        """Ask, twice a lap in 5th or more, for five spaces more and a test of the engine [variant.boosters]."""
        figures, tests = self.figures, self.book.tests
        left = (car.bought or 0) - car.times_used("boosters")
        now = figures.boosters_a_lap - car.times_used("boosters", car.lap)
        if not car.alive or self.move.gear < BOOSTED_GEAR or left <= 0 or now <= 0 or car.in_pits:
            return None
        assert isinstance(tests, BoosterTests)
        more = figures.booster_spaces
        to = tests.booster_to(car.times_used("boosters") + 1)
        facts: dict[str, Json] = {"spaces": spaces + more, "loses_to": to}
        choices: list[tuple[Option, int | None]] = [(Option(None), None), (Option(more, facts=facts), more)]
        return allowance(car, "variant.boosters", "boosters", choices, more=more, left=left, now=min(left, now))

    @override
    def displace(self, car: Car, spaces: int, *, soft: bool = True, least: int = 0) -> Procedure[None]:
        """Ask before the move of the die [variant.boosters]."""
        if self.rolled and (more := (yield from spaces_used(car, spaces, "boosters", self.booster_question))):
            self.move.boost = more
            spaces += more
            number = car.times_used("boosters")
            left = (car.bought or 0) - number
            self.rule("allowance", "variant.boosters", car, what="boosters", spaces=more, number=number, left=left)
        yield from super().displace(car, spaces, soft=soft, least=least)

    @override
    def terms(self, car: Car, slid: int, soft: int, braked: int, blocked: int) -> dict[str, Json]:
        """Return the terms of a move with the spaces of a booster [variant.boosters]."""
        terms = super().terms(car, slid, soft, braked, blocked)
        return {**terms, "boost": self.move.boost} if self.rolled and self.move.boost else terms


class BoosterTests(Tests[Car, RaceState[Car], BoosterFigures]):
    """The test of an engine after a booster."""

    def booster_to(self, number: int) -> int:
        """Return the face up to which the engine loses a point, by how many boosters were fired [variant.boosters]."""
        return self.figures.booster_engine[number - 1]

    def tests_booster(self, car: Car) -> bool:
        """Return True if a car has fired a booster in this turn and still has an engine [variant.boosters]."""
        return self.move.boost > 0 and car.alive and not car.coast and self.book.wear.works(car, "engine")

    def booster_die(self, car: Car) -> TestDie | None:
        """Return the die of the engine after a booster [variant.boosters]."""
        if not self.tests_booster(car):
            return None
        return self.black_die(car, "variant.boosters", "engine", lambda: self.booster_to(car.times_used("boosters")))

    @override
    def own_tests(self, car: Car) -> Procedure[None]:
        """Test the engine of a car that has fired a booster, after all other tests [variant.boosters]."""
        yield from super().own_tests(car)
        try:
            face = yield from ask(self.booster_die, car)
        except QuestionWithdrawn:
            return
        to = self.booster_to(car.times_used("boosters"))
        if face > to:
            self.rule("engine", "variant.boosters", car, face=face, to=to)
        else:
            self.book.wear.damage(car, "engine", "variant.boosters", face=face, to=to, why="engine")

    @override
    def foretell_own(self, there: Car) -> list[ForetoldTest]:
        """Return the test of the booster [variant.boosters]."""
        found = super().foretell_own(there)
        if self.tests_booster(there):
            to = self.booster_to(there.times_used("boosters"))
            found.append(self.foretold("engine", there, to, self.book.wear.damage_cost(there, "engine")))
        return found


VARIANTS.add(
    Variant(
        "boosters",
        (BoosterStock, BoosterBuilt, BoosterWord, BoosterMoves, BoosterTests),
        BoosterFigures,
        car_values=("bought", "uses"),
    )
)
