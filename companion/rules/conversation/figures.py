"""Tables of figures: what a rulebook counts with, each with its article and range, changeable in the setup.

Each field's description is the article (or ruling) it comes from; `proposed` in its `extra` marks a figure that no
source gives. Ranges are inclusive. A test range is the highest losing face of the black die, counted from 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadSetup
from companion.rules.conversation.typed import converted, misfits


def figure(article: str, low: int, high: int, *, proposed: bool = False, also: Sequence[str] = ()) -> Meta:
    """Return the type of a number from `low` to `high`, with the article that it is in.

    `also` are other articles that stand on the same lost table.
    """
    return Meta(ge=low, le=high, description=article, extra_json_schema={"proposed": proposed, "also": [*also]})


def table(article: str, *, proposed: bool = False, also: Sequence[str] = ()) -> Meta:
    """Return the type of a table or a switch, with the article (or ruling) that it is in.

    `also` are other articles that stand on the same lost table.
    """
    return Meta(description=article, extra_json_schema={"proposed": proposed, "also": [*also]})


WearPoints = Annotated[int, Meta(ge=0, le=9)]
Score = Annotated[int, Meta(ge=0, le=999)]
"""The points of a place."""


class Figure(NamedTuple):
    """One figure as a setup shows it: its name, value, article, range, and whether it is only proposed.

    The range of a table is that of each of its cells; it is None where there is none. A table of words has the `words`
    that may stand in it. `also` are further articles that stand on what is proposed.
    """

    name: str
    value: Json
    article: str
    low: int | None
    high: int | None
    proposed: bool
    words: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    @property
    def said(self) -> Json:
        """The value as a setup has it: its tables are lists."""
        return msgspec.json.decode(msgspec.json.encode(self.value))


class FigureTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of a rulebook, whichever they are."""

    without: ClassVar[frozenset[str]] = frozenset()
    """Figures of the family that mean nothing in this rulebook: not shown in its setup, and not to be changed."""

    renamed: ClassVar[Mapping[str, str]] = {}
    """Names that figures had once, each with the one of today: older setups and logs have them."""

    variants: ClassVar[tuple[object, ...]] = ()
    """The variants whose switches are among them, as `companion.rules.dice.variants` declares them."""

    @classmethod
    def known(cls) -> list[str]:
        """Return the names of this rulebook's figures."""
        return [name for name in cls.__struct_fields__ if name not in cls.without]

    def check(self) -> None:
        """Raise BadSetup where two figures do not go together."""

    def __iter__(self) -> Iterator[Figure]:
        for figure in _described(type(self)):
            yield figure._replace(value=getattr(self, figure.name))


@cache
def _described(kind: type[FigureTable]) -> tuple[Figure, ...]:
    """Return the figures of a rulebook without their values."""
    hints = get_type_hints(kind, include_extras=True)
    figures = []
    for name in kind.known():
        meta = hints[name].__metadata__[0]
        extra = {"also": (), **(meta.extra_json_schema or {})}
        within = list(_within(hints[name]))
        bounds: Any = next((one for one in within if isinstance(one, Meta) and one.le is not None), meta)
        words = next((get_args(one) for one in within if get_origin(one) is Literal), ())
        proposed = bool(extra.get("proposed", False))
        figures.append(
            Figure(name, None, meta.description, bounds.ge, bounds.le, proposed, words, tuple(extra["also"]))
        )
    return tuple(figures)


def _within(hint: object) -> Iterator[object]:
    """All that a type is made of, and what is noted of it."""
    yield hint
    for part in get_args(hint):
        yield from _within(part)


F = TypeVar("F", bound=FigureTable)


def named_today(options: Mapping[str, Json], kind: type[FigureTable]) -> dict[str, Json]:
    """Return options by the names that figures have today."""
    return {kind.renamed.get(name, name): value for name, value in options.items()}


def read_figures(options: Mapping[str, Json], kind: type[F], whose: str = "The options") -> F:
    """Return the figures with what the setup changes; raises BadSetup with one sentence for one that makes no sense."""
    known = kind.known()
    for name in options:
        if kind.renamed.get(name, name) not in known:
            raise BadSetup(f"There is no figure or switch called {name}; companion referee --reference lists them.")
    values = named_today(options, kind)
    try:
        figures = converted(values, kind)
    except msgspec.ValidationError:
        raise BadSetup(next(misfits(kind, values, whose))) from None
    figures.check()
    return figures
