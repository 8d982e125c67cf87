"""The base of every rulebook: its state as bytes, noting a ruling, and the referee's word taken apart."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Protocol, Self, TypeVar, get_origin, get_type_hints

import msgspec

from companion.rules.conversation.asking import Json, JsonValue, Question, Ruling
from companion.rules.conversation.errors import BadOverride, BadSetup, CompanionError, error_text
from companion.rules.conversation.faces import Band
from companion.rules.conversation.figures import Figure, FigureTable
from companion.rules.conversation.kinds import Kind, Pools
from companion.rules.conversation.typed import state_reader

if TYPE_CHECKING:
    from companion.rules.conversation.consequence import Consequence


class Chapter:
    """A chapter of a rulebook: rules of one idea, as an object of its own beside the other chapters.

    It holds no state, for the race is the state.
    """

    def __init__(self, book: Any) -> None:
        """Open the chapter of a book."""


LONGEST_NAME: Final = 40
"""Maximum length of a driver's name, in letters."""


class Numbered(Protocol):
    """A car as the rulings need it: its number, the points it has left, and whether it still races."""

    @property
    def number(self) -> int: ...
    @property
    def wear(self) -> Pools: ...
    @property
    def alive(self) -> bool: ...


K = TypeVar("K", bound=Numbered)
"""Type of the cars of a race."""

_encode: Final = msgspec.msgpack.Encoder().encode


class Rulebook(Generic[K]):
    """No rule of any game is here, only what all rules are written with."""

    name: ClassVar[str] = ""
    VERSION: ClassVar[str] = "1"
    cites: ClassVar[Mapping[str, str]] = {}
    """Articles as this rulebook names them, by the competition rules' number or the beginning of it: "10-4" also stands
    for 10-4-1, unless that has a line of its own."""
    articles: ClassVar[Mapping[str, Mapping[str, Json]]] = {}
    """Articles that no file has, by their ids without spaces, after those of the rulebook that this one is a kind of:
    the moment at which each holds, and in every language its title and its text."""
    words: ClassVar[Mapping[str, Mapping[str, Json]]] = {}
    """Sentences that the locale lacks, by language and then as in its [rulebook.NAME]; for the rest, those of the
    rulebook that this one is a kind of."""
    word: ClassVar[str] = "ruling 4"
    """Ruling on which the referee's word rests."""
    rolls_for_grid: ClassVar[bool] = False
    """True if a race rolls for its grid, unless its setup gives the grid."""
    race_type: ClassVar[type[Any]]
    """Type of the race, with this rulebook's own fields and its own kind of car."""
    figures_type: ClassVar[type[Any]]
    car_ranges: ClassVar[Mapping[str, tuple[int, int]]]
    """Lowest and highest value of each number of a car, in a setup and in an override."""
    car_values: tuple[str, ...]
    """Values of a car that the referee can set by an override."""
    race_values: tuple[str, ...]
    """Values of the race that the referee can set by an override."""
    race_endings: ClassVar[tuple[str, ...]] = ()
    """Ways in which the referee can end the race or stop it, set like its values."""

    car_details: ClassVar[tuple[str, ...]] = ()
    """Details of those values of a car, set by a correction rather than by a person."""
    driving_values: ClassVar[tuple[str, ...]] = ("at", "gear", "stops", "kers", "fuel", "strategy")
    """Values of a car that count only while it races; the others stand on its sheet afterwards, too."""
    race_details: ClassVar[tuple[str, ...]] = ()
    """Details of those values of the race."""

    def __init__(self, race: Any, track: Any, figures: Any) -> None:
        self.race, self.track, self.figures = race, track, figures
        self.ruled: list[Ruling] = []
        self._decode = state_reader(self.race_type)
        self.places = {car.number: i for i, car in enumerate(race.cars)}

    @classmethod
    def figure_table(cls, options: Collection[str] | None = None) -> type[FigureTable]:
        """Return the type of the figures that a setup may change: the rulebook's own and its variants' switches.

        With `options` it has only as many variants as reading those takes.
        """
        table: type[FigureTable] = cls.figures_type
        return table

    # -- its chapters

    @classmethod
    @cache
    def chapters(cls) -> Mapping[str, type[Chapter]]:
        """Return the chapters by name, as the heads of this rulebook and of what it is a kind of say which they are."""
        said = ((name, get_origin(kind) or kind) for name, kind in get_type_hints(cls).items())
        return {name: kind for name, kind in said if isinstance(kind, type) and issubclass(kind, Chapter)}

    def chapters_in_force(self) -> Mapping[str, type[Chapter]]:
        """Return the chapters by name as this race has them."""
        return self.chapters()

    def open_chapters(self) -> None:
        """Make the chapters of this book."""
        for name, kind in self.chapters_in_force().items():
            setattr(self, name, kind(self))

    # -- the conversation's side

    @property
    def round(self) -> int:
        """The round being played, 0 before the first."""
        played: int = self.race.round
        return played

    def save(self) -> bytes:
        """Return the state as bytes: the same state gives the same bytes."""
        return _encode(self.race)

    def load(self, saved: bytes) -> None:
        """Restore a state that `save` gave."""
        self.race = self._decode(saved)

    def clone(self) -> Self:
        """Another rulebook of the same race, to try things on."""
        return type(self)(self._decode(self.save()), self.track, self.figures)

    def hide_unknown(self, hidden: bool) -> None:
        """Ask for what nobody at the table knows, such as the next card of a deck, while it is `hidden`.

        It is asked as if somebody turned the card over: what would follow can be tried, and nothing is given away.
        """

    def sample_hidden(self, seed: int) -> None:
        """Replace what nobody at the table knows, or one driver alone, such as the cards of a hand, by a sample.

        The race may then be driven on, and nothing is given away. The same `seed`, 0 or more, gives the same sample.
        """

    def draw_on(self, car: int | None, answer: JsonValue) -> None:
        """Draw the weather from the answer to its die, where an earlier one was another.

        Only a rulebook that draws the weather within a race does anything here.
        """

    def foretell(self, question: Question[object], answer: JsonValue) -> Consequence | None:
        """Return the record of an answer to an open question with each die by itself, without giving the answer.

        None where the rules do not tell it. Raises BadAnswer for an answer that is not allowed.
        """
        return None

    # -- words for the rules

    def car(self, number: int) -> K:
        """Return the car with that number; raises BadOverride if it is not in the race."""
        try:
            found: K = self.race.cars[self.places[number]]
        except KeyError:
            numbers = ", ".join(str(car.number) for car in self.race.cars)
            raise BadOverride("no_car", car=number, numbers=numbers) from None
        return found

    @classmethod
    @cache
    def article(cls, number: str) -> str:
        """Return the article as this rulebook names it."""
        stem = number
        while stem and stem not in cls.cites:
            stem = stem[: max(stem.rfind("-"), stem.rfind("."), 0)]
        return cls.cites[stem] if stem else number

    @classmethod
    def listed(cls, figures: FigureTable | None = None) -> Iterator[Figure]:
        """Yield the figures and switches of this rulebook, or what a setup has made of them, with their articles."""
        for figure in figures or cls.figure_table()():
            yield figure._replace(article=cls.article(figure.article))

    def rule(
        self,
        kind: Kind,
        article: str,
        car: K | None = None,
        wear: Pools | None = None,
        *,
        counts: Mapping[str, int] | None = None,
        **facts: Json,
    ) -> None:
        """Note a ruling: what follows, for whom, by which article, with the numbers of its sum.

        It also records how many points are left, and how many of whatever else it counts. What a die showed is its
        `face`, a band of faces as [first, last].
        """
        if isinstance(face := facts.get("face"), Band):
            facts["face"] = list(face)
        left: dict[str, int] = {}
        if car is not None:
            left |= {pool: car.wear[pool] for pool in wear or ()}
            if counts:
                left |= {name: self.count_of(car, name) for name in counts}
        number = None if car is None else car.number
        self.ruled.append(Ruling(kind, self.article(article), number, wear or {}, facts, left, counts or {}))

    def count_of(self, car: K, name: str) -> int:
        """Return what a car has of something that is counted and is no pool of wear."""
        held: int = getattr(car, name)
        return held

    # -- the referee's word

    def set_by_word(self, change: Mapping[str, Json]) -> None:
        """Set values of the race and of cars on the referee's word, and what follows from them.

        These are `race_values`, and `car_values` for the car named by "car" or for each of "cars". Raises BadOverride
        with one sentence, also if the position could not be so, and nothing has been set.
        """
        if not change:
            raise BadOverride("override_empty", one=self.car_values[0], other=self.race_values[0])
        saved, known = self.save(), {error_text(fault) for fault in self.faults()}
        try:
            self._set_values(dict(change))
            named = self.car(change["car"]) if "car" in change else None
            self.rule("override", self.word, named, change=dict(change))
            self.follow(self._decode(saved))
            if fault := next((fault for fault in self.faults() if error_text(fault) not in known), None):
                raise BadOverride.of(fault)
        except (CompanionError, TypeError, ValueError) as wrong:
            self.load(saved)
            if isinstance(wrong, CompanionError):
                raise
            raise BadOverride("value_not_settable", wrong=wrong) from None

    def check_effect(self, change: Mapping[str, Json]) -> None:
        """Raise BadOverride for values of a car that would count for nothing as the race stands.

        It says what comes first. `set_by_word` takes such values, since stored races have them.
        """
        cars = change.get("cars")
        for values in (change, *(cars if isinstance(cars, list) else ())):
            number = values.get("car") if isinstance(values, Mapping) else None
            if isinstance(number, int) and number in self.places:
                self._check_effect(self.car(number), values)

    def _check_effect(self, car: K, values: Mapping[str, Json]) -> None:
        if "at" in values and self.race.phase == "setup":
            raise BadOverride("place_too_early")
        named = next((name for name in self.driving_values if name in values), None)
        if named is not None and "status" not in values and not car.alive:
            raise BadOverride("status_first", car=car.number, name=named)

    def with_laps(self, change: Mapping[str, Json]) -> dict[str, Json]:
        """Return an override with the lap of each car that it puts on the other side of the line.

        A lap that it says stands. Values that make no sense are left for `set_by_word` to refuse.
        """
        whole = self._with_lap(change)
        if isinstance(cars := whole.get("cars"), list):
            whole["cars"] = [self._with_lap(values) if isinstance(values, dict) else values for values in cars]
        return whole

    def _with_lap(self, values: Mapping[str, Json]) -> dict[str, Json]:
        number, said = values.get("car"), dict(values)
        if not isinstance(number, int) or number not in self.places or "at" not in said or "lap" in said:
            return said
        return {**said, **self._lap_over_line(self.car(number), said)}

    def _lap_over_line(self, car: K, values: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return what else is set on a car that an override puts on the other side of the line: its lap."""
        return {}

    def faults(self) -> Iterator[BadSetup]:
        """Yield all that is wrong with the position as it stands; a race that was played has no fault."""
        yield from ()

    def follow(self, before: Any) -> None:
        """Settle what follows, by the rules, from values that were set on a race that stood as `before`."""

    def _set_values(self, change: dict[str, Json]) -> None:
        cars = change.pop("cars", [])
        if not isinstance(cars, list) or not all(isinstance(values, dict) for values in cars):
            raise BadOverride("cars_list")
        race = self.race
        for name in (*self.race_values, *self.race_endings):
            if name in change:
                self._set_race(race, name, change.pop(name))
        details = {name: change.pop(name) for name in self.race_details if name in change}
        if "car" in change:
            cars, change = [*cars, change], {}
        if change:
            raise BadOverride(
                "not_settable",
                wrong=", ".join(sorted(change)),
                car=", ".join(self.car_values),
                race=", ".join((*self.race_values, *self.race_endings)),
            )
        for values in cars:
            if set(values) <= {"car"}:
                raise BadOverride("override_car_empty", known=", ".join(self.car_values))
            number = values.get("car")
            if isinstance(number, bool) or not isinstance(number, int):
                raise BadOverride("car_number_wanted", example='"car": 3')
            values = {name: value for name, value in values.items() if name != "car"}
            car = self.car(number)
            if "driver" in values:
                self._rename(car, values.pop("driver"))
            for name in values:
                if name not in (*self.car_values, *self.car_details):
                    raise BadOverride("not_settable_on_car", name=name, known=", ".join(self.car_values))
            self._set_car(car, values)
        for name, value in details.items():  # over what the cars have brought with them
            self._set_race(race, name, value)

    @staticmethod
    def _rename(car: Any, name: Json) -> None:
        """Give a car's driver another name, or None for none; no rule asks for it."""
        said = " ".join((name or "").split()) if isinstance(name, str | None) else None
        if said is None or len(said) > LONGEST_NAME:
            raise BadOverride("driver_name", most=LONGEST_NAME)
        if getattr(car, "bot", ""):
            raise BadOverride("driver_bot", car=car.number)
        car.driver = said

    def _set_race(self, race: Any, name: str, value: Json) -> None:
        """Set a value of the race."""
        raise NotImplementedError

    def _set_car(self, car: K, values: Mapping[str, Json]) -> None:
        """Set values of a car."""
        raise NotImplementedError
