"""Entrants with their numbers and teams, typed, pasted or read from a file."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from companion.rules.conversation.errors import BadEntry
from companion.rules.conversation.setup import NUMBERS
from companion.tournament.record import Act, one_line, reason

LETTERS: Final = 30
"""Maximum length of the name of a driver or a team, in letters."""
HEADS: Final = {
    "number": "number", "no": "number", "nr": "number", "numéro": "number", "n°": "number", "car": "number",
    "name": "name", "driver": "name", "nom": "name", "pilote": "name",
    "team": "team", "club": "team", "équipe": "team", "écurie": "team",
    "home": "home", "domicile": "home",
}  # fmt: skip
"""Headings of the columns of a list of entrants, in both languages, with the field that each one holds."""


QUOTED: Final = re.compile(r'"[^"\n]*"')
"""Text in quotes; a comma in it does not separate cells."""
NUMBERED: Final = re.compile(r'^\s*(\d+)[.)]?\s+(?=")')
"""Number before a name in quotes, as in 14 "Smith, John"."""


class Entrant(msgspec.Struct, frozen=True, omit_defaults=True):
    """A driver who takes part.

    `number` is that of his car, `team` his team or club ("" for none), `home` the circuits that are his home tracks.
    """

    number: int
    name: str
    team: str = ""
    home: tuple[str, ...] = ()


class EntrantLine(NamedTuple):
    """A row of a list of entrants; the number may be missing."""

    number: int | None
    name: str
    team: str
    home: tuple[str, ...]


class Entered(Act, frozen=True, tag="entered"):
    """Entrants are added, all or none."""

    entrants: tuple[Entrant, ...]


class Changed(Act, frozen=True, tag="changed"):
    """An entrant is edited."""

    number: int
    entrant: Entrant


class Removed(Act, frozen=True, tag="removed"):
    """An entry is deleted, before anybody has driven."""

    number: int


class Withdrawn(Act, frozen=True, tag="withdrawn"):
    """An entrant withdraws, with a reason."""

    number: int


class Here(Act, frozen=True, tag="here"):
    """Entrants check in, or are marked absent."""

    numbers: tuple[int, ...]
    here: bool = True


class EntryList:
    """The entrants, with those present and those withdrawn."""

    def __init__(self) -> None:
        self.entrants: dict[int, Entrant] = {}
        self.here: set[int] = set()
        self.gone: dict[int, str] = {}
        """Withdrawn entrants, with the reasons."""

    def __getitem__(self, number: int) -> Entrant:
        """Return the entrant with a number.

        Raises BadEntry for an unknown number.
        """
        try:
            return self.entrants[number]
        except KeyError:
            raise BadEntry("no_entrant", number=number) from None

    def copy(self) -> EntryList:
        """Return an independent copy."""
        other = EntryList()
        other.entrants, other.here, other.gone = dict(self.entrants), set(self.here), dict(self.gone)
        return other

    @property
    def racing(self) -> list[int]:
        """The numbers of the entrants present and not withdrawn, ascending."""
        return sorted(self.here - set(self.gone))

    @property
    def standing(self) -> list[int]:
        """The numbers of the entrants not withdrawn, ascending."""
        return sorted(set(self.entrants) - set(self.gone))

    def teams(self) -> dict[str, list[int]]:
        """Return the numbers of each team's entrants, in ascending order."""
        found: dict[str, list[int]] = {}
        for number in sorted(self.entrants):
            if team := self.entrants[number].team:
                found.setdefault(team, []).append(number)
        return found

    def enter(self, entrants: Sequence[Entrant]) -> None:
        """Add entrants.

        Raises BadEntry for a name or number that is taken.
        """
        if not entrants:
            raise BadEntry("nobody_listed")
        for entrant in entrants:
            self._check(entrant)
            self.entrants[entrant.number] = entrant

    def change(self, number: int, entrant: Entrant, *, driven: bool) -> None:
        """Replace an entrant.

        Raises BadEntry for a new number once somebody has driven.
        """
        old = self[number]
        if driven and entrant.number != number:
            raise BadEntry("number_for_good", name=old.name, number=number)
        listed = list(self.entrants.values())
        del self.entrants[number]
        self._check(entrant)
        listed[listed.index(old)] = entrant  # his place in the list is his plate
        self.entrants = {one.number: one for one in listed}
        if number in self.here:
            self.here.remove(number)
            self.here.add(entrant.number)
        if number in self.gone:
            self.gone[entrant.number] = self.gone.pop(number)

    def remove(self, number: int, *, driven: bool) -> None:
        """Delete an entry.

        Raises BadEntry once somebody has driven: from then on an entrant withdraws.
        """
        name = self[number].name
        if driven:
            raise BadEntry("withdrawal", name=name)
        del self.entrants[number]
        self.here.discard(number)
        self.gone.pop(number, None)

    def withdraw(self, number: int, act: Act) -> None:
        """Withdraw an entrant.

        Raises BadEntry without a reason, or if he has withdrawn already.
        """
        name = self[number].name
        if number in self.gone:
            raise BadEntry("withdrawn_already", name=name)
        self.gone[number] = reason(act)

    def come(self, numbers: Iterable[int], *, here: bool) -> None:
        """Mark entrants as present or absent.

        Raises BadEntry for an entrant who has withdrawn.
        """
        for number in numbers:
            name = self[number].name
            if number in self.gone:
                raise BadEntry("withdrawn", name=name)
            (self.here.add if here else self.here.discard)(number)

    def _check(self, entrant: Entrant) -> None:
        low, high = NUMBERS
        if not low <= entrant.number <= high:
            raise BadEntry("entrant_number_range", low=low, high=high, number=entrant.number)
        if (old := self.entrants.get(entrant.number)) is not None:
            raise BadEntry("entrant_number_taken", number=entrant.number, name=old.name)
        if not entrant.name.strip():
            raise BadEntry("entrant_name_wanted", number=entrant.number)
        for said in (entrant.name, entrant.team):
            if len(said) > LETTERS:
                raise BadEntry("name_long", name=said, most=LETTERS)
        for other in self.entrants.values():
            if other.name.casefold() == entrant.name.casefold():
                raise BadEntry("name_taken", name=other.name, number=other.number)


def read_entrants(text: str, taken: Collection[int] = ()) -> list[Entrant]:
    """Read entrants as typed, pasted or from a CSV file, one a line.

    The columns are number, name, team and home tracks, separated by commas, semicolons or tabs; a name that contains a
    separator stands in quotes. A header line may name the columns. An entrant without a number gets the lowest free
    one.

    Raises BadEntry, naming the line.
    """
    return list(_with_numbers([_entrant(*one) for one in _lines(text)], taken))


def faults(text: str, field: EntryList) -> list[tuple[int, BadEntry]]:
    """Return what is wrong with a list of entrants for this field, by line.

    The line is 0 where the sentence names it, or for the list as a whole. The result is empty if all of it can be
    entered.
    """
    found: list[tuple[int, int, BadEntry]] = []
    said, lines, trial = list[EntrantLine](), list[int](), field.copy()
    try:
        listed = _lines(text)
    except BadEntry as wrong:
        return [(0, wrong)]
    for at, row, columns in listed:
        try:
            said.append(_entrant(at, row, columns))
            lines.append(at)
        except BadEntry as wrong:
            found.append((at, 0, wrong))
    try:
        for at, entrant in zip(lines, _with_numbers(said, field.entrants), strict=True):
            try:
                trial.enter([entrant])
            except BadEntry as wrong:
                found.append((at, at, wrong))
    except BadEntry as wrong:
        found.append((len(text), 0, wrong))
    if not listed:
        return [(0, BadEntry("nobody_listed"))]
    return [(line, wrong) for _, line, wrong in sorted(found, key=lambda one: one[0])]


def in_its_line(line: int, wrong: BadEntry) -> BadEntry:
    """Return a fault as one sentence that names its line."""
    return BadEntry("line_fault", at=line, complaint=wrong) if line else wrong


def free_numbers(taken: Collection[int]) -> list[int]:
    """Return the numbers that nobody has, the lowest first."""
    return [number for number in range(NUMBERS[0], NUMBERS[1] + 1) if number not in taken]


def _lines(text: str) -> list[tuple[int, list[str], dict[str, int] | None]]:
    """Return the non-empty rows: line number, cells, and the columns of the header, if any."""
    rows = [(at, row) for at, row in _rows(text) if any(row)]
    columns = _columns(rows[0][1]) if rows else None
    return [(at, row, columns) for at, row in (rows if columns is None else rows[1:])]


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each line with the line's number.

    Raises BadEntry for a line that CSV cannot hold.
    """
    text = text.removeprefix("\ufeff")
    between = max("\t;,", key=QUOTED.sub("", text).count)
    reader = csv.reader(
        [NUMBERED.sub(rf"\1{between}", line) for line in text.splitlines()], delimiter=between, skipinitialspace=True
    )
    try:
        for row in reader:
            yield reader.line_num, [one_line(cell) for cell in row]
    except csv.Error:
        raise BadEntry("entrant_line_long", at=reader.line_num) from None


def _columns(row: Sequence[str]) -> dict[str, int] | None:
    """Return the index of each column if the row is a header, else None."""
    named = {HEADS[cell.casefold()]: at for at, cell in enumerate(row) if cell.casefold() in HEADS}
    return named if "name" in named else None


def _entrant(at: int, row: Sequence[str], columns: dict[str, int] | None) -> EntrantLine:
    """Parse a row.

    Raises BadEntry, naming the line, for a bad number or a missing name.
    """
    if columns is not None:
        cells = {what: row[place] if place < len(row) else "" for what, place in columns.items()}
    else:
        cells = dict(zip(("number", "name", "team", "home"), _numbered(row), strict=False))
    number, name = cells.get("number", ""), cells.get("name", "")
    if number and not number.isdecimal():
        raise BadEntry("entrant_number", at=at, number=number)
    if not name:
        raise BadEntry("entrant_no_name", at=at)
    home = tuple(part for part in re.split(r"[ /|]+", cells.get("home", "")) if part)
    return EntrantLine(int(number) if number else None, name, cells.get("team", ""), home)


def _with_numbers(said: Sequence[EntrantLine], taken: Collection[int]) -> Iterator[Entrant]:
    """Yield the entrants, giving the lowest free number to those without one.

    Raises BadEntry if the numbers run out.
    """
    free = iter(free_numbers({*taken, *(row.number for row in said if row.number is not None)}))
    for row in said:
        if (number := row.number if row.number is not None else next(free, None)) is None:
            raise BadEntry("no_number_left", name=row.name, low=NUMBERS[0], high=NUMBERS[1])
        yield Entrant(number, row.name, row.team, row.home)


def _numbered(row: Sequence[str]) -> list[str]:
    """Return a row whose first cell is the number, or "" if it has none.

    The number may also stand before the name, as in "12 Ada".
    """
    if row[0].isdecimal() or (not row[0] and len(row) > 1):
        return list(row)
    found = re.fullmatch(r"(\d+)[.)]? (.+)", row[0])
    return [found[1], found[2], *row[1:]] if found else ["", *row]
