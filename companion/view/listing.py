"""A listing: typed columns and rows of cells, made once and written by every door.

The touchscreen, the pages, the terminal, paper, CSV and JSON all read the same cells (`formats` has the forms in text).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from companion.view.shown import Plate, ViewModel
from companion.wording import Words

ColumnKind = Literal["text", "name", "figure", "place", "car", "score", "points"]
"""What a column holds: words, names (which get the room left over), figures, places, the numbers of cars, the points of
a race, or their sum."""
CellMark = Literal[
    "win",
    "out",
    "dropped",
    "substitute",
    "to_come",
    "absent",
    "moved",
    "next",
    "off",
    "ahead",
    "tied_above",
    "tied_below",
]
"""What a door that draws may show by a sign: of a race's points, its date and its state, of a sum."""
KINDS: Final[Mapping[str, ColumnKind]] = {
    **dict.fromkeys(("rank", "place"), "place"),
    "number": "car",
    "points": "points",
    **dict.fromkeys(
        ("time", "grid", "round", "wins", "races", "throws", "clock", "from_pole"), "figure"
    ),
    **dict.fromkeys(
        ("driver", "team", "track", "home", "winner", "where", "about", "why", "cause", "state", "act"), "name"
    ),
}  # fmt: skip
"""Kinds of columns by their keys; all others hold words."""


class Column(ViewModel, frozen=True, kw_only=True):
    """A column.

    `short` is its title where room is scarce, `of` the result that its head opens ("" without one), `note` the title of
    the notes beside its cells. With `to_write` it is filled in by hand.
    """

    key: str
    title: str
    kind: ColumnKind = "text"
    short: str = ""
    of: str = ""
    note: str = ""
    to_write: bool = False

    @property
    def is_figures(self) -> bool:
        """True if the cells are figures, which stand to the right."""
        return self.kind not in ("text", "name")


class Cell(ViewModel, frozen=True, kw_only=True):
    """A cell: its words, and the figure that they stand for, if any.

    Where plates are drawn, `cars` stand in place of the words, each with its caption; where signs are, `brief` and
    `marks` do. `note` is written beside the cell if it has room.
    """

    text: str = ""
    value: int | None = None
    cars: tuple[tuple[Plate, str], ...] = ()
    marks: tuple[CellMark, ...] = ()
    brief: str = ""
    note: str = ""

    @property
    def is_empty(self) -> bool:
        """True if the words only say that there is nothing: the points of a race to come, or of one that was missed."""
        return "to_come" in self.marks or "absent" in self.marks


Row: TypeAlias = "tuple[Cell, ...]"
CellValue: TypeAlias = "str | int | Cell"
"""Words, a figure, or a whole cell, from which a cell is made."""


class Listing(NamedTuple):
    """A table with its heading.

    `kind` is what it lists, `of` the table or driver concerned, `notes` the lines below it. `log_id`, `entries` and
    `digest` (hash of the last entry) identify the state of the record shown.
    """

    kind: str
    name: str
    title: str
    under: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    log_id: str = ""
    entries: int = 0
    digest: str = ""
    of: str = ""

    @property
    def heading(self) -> str:
        """The heading in one line: event, title and subject."""
        return " · ".join(filter(None, (self.name, self.title, self.under)))

    @property
    def is_form(self) -> bool:
        """True if it is filled in by hand."""
        return any(column.to_write for column in self.columns)

    @property
    def texts(self) -> tuple[tuple[str, ...], ...]:
        """The words of every row."""
        return tuple(tuple(cell.text for cell in row) for row in self.rows)

    def only(self, *keys: str) -> Listing:
        """Return the listing with some of its columns, in the order of `keys`."""
        at = [next(at for at, column in enumerate(self.columns) if column.key == key) for key in keys]
        return self._replace(
            columns=tuple(self.columns[one] for one in at),
            rows=tuple(tuple(row[one] for one in at) for row in self.rows),
        )

    def by_key(self) -> Iterator[Mapping[str, Cell]]:
        """Yield every row, its cells by the keys of their columns."""
        for row in self.rows:
            yield {column.key: cell for column, cell in zip(self.columns, row, strict=True)}


def make_listing(
    kind: str,
    words: Words,
    columns: Iterable[str | Column],
    rows: Iterable[Sequence[CellValue]],
    notes: Iterable[str] = (),
    *,
    name: str = "",
    under: str = "",
    title: str = "",
) -> Listing:
    """Return a listing; a column given by its key has the kind and the title of that key, a figure is an int."""
    return Listing(
        kind,
        name,
        title or words.word("listing", f"title_{kind}"),
        under,
        tuple(make_column(column, words) if isinstance(column, str) else column for column in columns),
        tuple(tuple(map(make_cell, row)) for row in rows),
        tuple(notes),
    )


def make_column(key: str, words: Words, *, to_write: bool = False) -> Column:
    """Return a column by its key."""
    return Column(key=key, title=words.word("listing", key), kind=KINDS.get(key, "text"), to_write=to_write)


def make_cell(said: CellValue) -> Cell:
    """Return a cell of words or a figure."""
    if isinstance(said, Cell):
        return said
    return Cell(text=said) if isinstance(said, str) else Cell(text=str(said), value=said)
