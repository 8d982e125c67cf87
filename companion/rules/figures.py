"""The figures and switches of the dice-and-gears rulebooks, as the competition has them; a table may change them in the
setup. Another rulebook's are a subclass with its own values in their place.

Each field's description is the article (or ruling) it comes from; `proposed` in its `extra` marks a figure that no
source gives. Ranges are inclusive. A test range is the highest losing face of the black die, counted from 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from companion.rules.errors import BadSetup
from companion.rules.misfits import misfits
from companion.rules.typed import converted


def figure(article: str, low: int, high: int, *, proposed: bool = False) -> Meta:
    """A number from `low` to `high`, with the article that it is in."""
    return Meta(ge=low, le=high, description=article, extra_json_schema={"proposed": proposed})


def table(article: str, *, proposed: bool = False) -> Meta:
    """A table or a switch, with the article (or ruling) that it is in."""
    return Meta(description=article, extra_json_schema={"proposed": proposed})


Wear = Annotated[int, Meta(ge=0, le=9)]
Score = Annotated[int, Meta(ge=0, le=999)]
"""The points of a place."""


class Figure(NamedTuple):
    """One figure as a setup shows it: its name, value, article, range, and whether it is proposed rather than found.

    The range of a table is that of each of its cells; it is None where there is none. A table of words has the `words`
    that may stand in it.
    """

    name: str
    value: Any
    article: str
    low: int | None
    high: int | None
    proposed: bool
    words: tuple[str, ...] = ()

    @property
    def said(self) -> Any:
        """The value as a setup has it: its tables are lists."""
        return msgspec.json.decode(msgspec.json.encode(self.value))


class FigureTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of a rulebook, whichever they are."""

    without: ClassVar[frozenset[str]] = frozenset()
    """Figures of the family that mean nothing in this rulebook: not shown in its setup, and not to be changed."""

    @classmethod
    def known(cls) -> list[str]:
        """The names of this rulebook's figures."""
        return [name for name in cls.__struct_fields__ if name not in cls.without]

    def check(self) -> None:
        """Raises BadSetup where two figures do not go together."""

    def __iter__(self) -> Iterator[Figure]:
        hints = get_type_hints(type(self), include_extras=True)
        for name in self.known():
            meta = hints[name].__metadata__[0]
            extra = meta.extra_json_schema or {}
            within = list(_within(hints[name]))
            bounds: Any = next((one for one in within if isinstance(one, Meta) and one.le is not None), meta)
            words = next((get_args(one) for one in within if get_origin(one) is Literal), ())
            proposed = bool(extra.get("proposed", False))
            yield Figure(name, getattr(self, name), meta.description, bounds.ge, bounds.le, proposed, words)


def _within(hint: Any) -> Iterator[Any]:
    """All that a type is made of, and what is noted of it."""
    yield hint
    for part in get_args(hint):
        yield from _within(part)


class Figures(FigureTable, frozen=True):
    """Every figure of the rulebook; nothing else holds one."""

    car_points: Annotated[int, figure("5-0-2", 6, 60)] = 20
    stand_points: Annotated[int, figure("4-0-2", 0, 10)] = 2
    pool_minimum: Annotated[int, figure("5-2", 1, 5)] = 1
    collision_dry: Annotated[int, figure("14-1", 0, 20)] = 1
    collision_wet: Annotated[int, figure("14-1", 0, 20)] = 2
    aggravated_dry: Annotated[int, figure("14-3", 0, 20)] = 2
    aggravated_wet: Annotated[int, figure("14-3", 0, 20)] = 3
    engine_dry: Annotated[int, figure("16-0-2", 0, 20)] = 4
    engine_wet: Annotated[int, figure("16-0-2", 0, 20)] = 3
    handling_dry: Annotated[int, figure("17-0-2", 0, 20)] = 4
    handling_wet: Annotated[int, figure("17-0-2", 0, 20)] = 5
    stall_to: Annotated[int, figure("9-1", 0, 19)] = 1
    great_from: Annotated[int, figure("9-2", 2, 21)] = 20
    great_spaces: Annotated[int, figure("9-2-1", 1, 12)] = 4
    slipstream_spaces: Annotated[int, figure("18-0-3", 1, 6)] = 3
    slipstream_gear: Annotated[int, figure("18-0-1", 1, 6)] = 4
    corner_brake: Annotated[int, figure("18-1-4", 0, 3)] = 1
    quick_to: Annotated[int, figure("19-3-3", 0, 20)] = 10
    leave_gear: Annotated[int, figure("19-4-2", 2, 6)] = 4
    blocking: Annotated[tuple[tuple[Wear, Wear], ...], table("12-0-1")] = (
        (1, 0),
        (2, 0),
        (3, 0),
        (3, 1),
        (3, 2),
        (3, 3),
    )
    gear_down: Annotated[tuple[tuple[Wear, Wear, Wear], ...], table("13-4")] = (
        (1, 0, 0),
        (1, 1, 0),
        (1, 1, 1),
    )
    slide_hard: Annotated[int, figure("8-1-2", 0, 9)] = 3
    slide_soft: Annotated[int, figure("8-2-2", 0, 9)] = 3
    slide_rain: Annotated[int, figure("8-3-2", 0, 9)] = 1
    factor_hard_dry: Annotated[tuple[int, int, int], table("8-1-1")] = (1, 1, 1)
    factor_hard_wet: Annotated[tuple[int, int, int], table("8-1-2")] = (1, 1, 1)
    factor_soft_dry: Annotated[tuple[int, int, int], table("8-2-1")] = (2, 2, 3)
    factor_soft_wet: Annotated[tuple[int, int, int], table("8-2-2")] = (2, 2, 3)
    factor_rain_dry: Annotated[tuple[int, int, int], table("8-3-1")] = (2, 2, 3)
    factor_rain_wet: Annotated[tuple[int, int, int], table("8-3-2")] = (1, 1, 1)
    soft_laps: Annotated[int, figure("8-2-1", 0, 3)] = 1
    points: Annotated[tuple[Score, ...], table("21-1-2", proposed=True)] = (10, 6, 4, 3, 2, 1)
    flag_next_crossing: Annotated[bool, table("ruling 100", proposed=True)] = False
    restart_stall_aggravated: Annotated[bool, table("ruling 43", proposed=True)] = False
    pits_are_a_way_round: Annotated[bool, table("ruling 21", proposed=True)] = False
    no_stop_standing_still: Annotated[bool, table("ruling 29", proposed=True)] = False
    soft_space_not_over_line: Annotated[bool, table("ruling 31", proposed=True)] = False
    no_slipstream_into_pits: Annotated[bool, table("ruling 80", proposed=True)] = False
    retired_cars_placed: Annotated[bool, table("ruling 101", proposed=True)] = False

    def check(self) -> None:
        if self.stall_to >= self.great_from:
            raise BadSetup(
                f"A start cannot both stall up to {self.stall_to} and be a great one from {self.great_from}; "
                "the two ranges must not meet."
            )


F = TypeVar("F", bound=FigureTable)


def read_figures(options: Mapping[str, Any], kind: type[F]) -> F:
    """The figures with what the setup changes; raises BadSetup with one sentence for one that makes no sense."""
    known = kind.known()
    for name in options:
        if name not in known:
            raise BadSetup(f"There is no figure or switch called {name}; companion referee --help lists them.")
    try:
        figures = converted(dict(options), kind)
    except msgspec.ValidationError:
        raise BadSetup(next(misfits(kind, dict(options), "The options"))) from None
    figures.check()
    return figures
