"""Tables of figures: what a rulebook counts with, each with its article and range, changeable in the setup.

Each field's description is the article (or ruling) it comes from; `proposed` in its `extra` marks a figure that no
source gives. Ranges are inclusive. A test range is the highest losing face of the black die, counted from 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
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
    def setup_value(self) -> Json:
        """The value as a setup has it: its tables are lists."""
        return msgspec.json.decode(msgspec.json.encode(self.value))


class FigureTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of a rulebook, whichever they are."""

    without: ClassVar[frozenset[str]] = frozenset()
    """Figures of the family that have no meaning in this rulebook: not shown in its setup, and not to be changed."""

    variants: ClassVar[tuple[object, ...]] = ()
    """The variants whose switches are among them, as `companion.rules.dice.variants` declares them."""

    @classmethod
    def figure_names(cls) -> list[str]:
        """Return the names of this rulebook's figures."""
        return [name for name in cls.__struct_fields__ if name not in cls.without]

    @classmethod
    def switches(cls) -> list[str]:
        """Return the names of those that are on or off."""
        hints = get_type_hints(cls)
        return [name for name in cls.figure_names() if hints[name] is bool]

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
    for name in kind.figure_names():
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


def find_figure(name: str, kind: type[FigureTable]) -> str | None:
    """Return the figure or switch of a name, or the article that it alone is in; else None.

    A variant's or option's article means its switch.
    """
    known = kind.figure_names()
    written = name.strip().lower().replace("-", "_")
    for one in (name, written, written.partition(".")[2]):
        if one in known:
            return one
    found = _of_article(name.strip().lower(), kind)
    return found[0] if len(found) == 1 else None


def unknown_figure(name: str, kind: type[FigureTable]) -> BadSetup:
    """Return the refusal of a name that no figure or switch has, with those that may be meant."""
    wanted = name.strip().rpartition(".")[2].replace("-", "_").lower()
    near = _of_article(name.strip(), kind) or get_close_matches(wanted, kind.figure_names(), n=3)
    return BadSetup("no_figure", name=name, near=near)


def _of_article(article: str, kind: type[FigureTable]) -> list[str]:
    return [one.name for one in _described(kind) if article in (one.article, *one.also)]


F = TypeVar("F", bound=FigureTable)


def read_figures(options: Mapping[str, Json], kind: type[F], whose: str = "The options") -> F:
    """Return the figures with what the setup changes; raises BadSetup with one sentence for one that makes no sense."""
    known = kind.figure_names()
    for name in options:
        if name not in known:
            raise unknown_figure(name, kind)
    try:
        figures = converted(options, kind)
    except msgspec.ValidationError:
        raise next(misfits(kind, dict(options), whose)) from None
    figures.check()
    return figures
