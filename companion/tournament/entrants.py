"""Who takes part: entrants with their numbers and teams, typed, pasted or from a file; here or not; withdrawn."""

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
"""The most letters of a name or a team."""
HEADS: Final = {
    "number": "number", "no": "number", "nr": "number", "numéro": "number", "n°": "number", "car": "number",
    "name": "name", "driver": "name", "nom": "name", "pilote": "name",
    "team": "team", "club": "team", "équipe": "team", "écurie": "team",
    "home": "home", "domicile": "home",
}  # fmt: skip
"""What may stand over a column of entrants, in both languages, and what it holds."""


QUOTED: Final = re.compile(r'"[^"\n]*"')
"""What stands in quotes, so that no comma in it is one between two cells."""
NUMBERED: Final = re.compile(r'^\s*(\d+)[.)]?\s+(?=")')
"""A number before a name in quotes, as in 14 "Smith, John"."""


class Entrant(msgspec.Struct, frozen=True, omit_defaults=True):
    """A driver who takes part: the number of his car, his name, his team or club ("" for none), and the circuits that
    are his home tracks."""

    number: int
    name: str
    team: str = ""
    home: tuple[str, ...] = ()


class Row(NamedTuple):
    """A line of a list of entrants; who has no number there gets one."""

    number: int | None
    name: str
    team: str
    home: tuple[str, ...]


class Entered(Act, frozen=True, tag="entered"):
    """Entrants are added, all of them or none."""

    entrants: tuple[Entrant, ...]


class Changed(Act, frozen=True, tag="changed"):
    """The entrant of that number is written otherwise."""

    number: int
    entrant: Entrant


class Removed(Act, frozen=True, tag="removed"):
    """An entry is deleted, before anybody has driven."""

    number: int


class Withdrawn(Act, frozen=True, tag="withdrawn"):
    """An entrant takes part no longer; with a reason."""

    number: int


class Here(Act, frozen=True, tag="here"):
    """Who has come, or has not."""

    numbers: tuple[int, ...]
    here: bool = True


class Field:
    """The entrants as they stand."""

    def __init__(self) -> None:
        self.entrants: dict[int, Entrant] = {}
        self.here: set[int] = set()
        self.gone: dict[int, str] = {}
        """Who has withdrawn, and why."""

    def __getitem__(self, number: int) -> Entrant:
        """The entrant of that number; raises BadEntry if there is none."""
        try:
            return self.entrants[number]
        except KeyError:
            raise BadEntry(f"Nobody has the number {number}; the entry list has them.") from None

    def copy(self) -> Field:
        """Another one with the same entrants, to try something on."""
        other = Field()
        other.entrants, other.here, other.gone = dict(self.entrants), set(self.here), dict(self.gone)
        return other

    @property
    def racing(self) -> list[int]:
        """The numbers of who has come and has not withdrawn, in their order."""
        return sorted(self.here - set(self.gone))

    @property
    def standing(self) -> list[int]:
        """The numbers of all who have not withdrawn, in their order."""
        return sorted(set(self.entrants) - set(self.gone))

    def teams(self) -> dict[str, list[int]]:
        """The entrants of each team, in the order of their numbers."""
        found: dict[str, list[int]] = {}
        for number in sorted(self.entrants):
            if team := self.entrants[number].team:
                found.setdefault(team, []).append(number)
        return found

    def enter(self, entrants: Sequence[Entrant]) -> None:
        """More entrants; raises BadEntry for a name or number that is there already."""
        if not entrants:
            raise BadEntry("There is nobody in this list; a line is a number, a name and a team.")
        for entrant in entrants:
            self._check(entrant)
            self.entrants[entrant.number] = entrant

    def change(self, number: int, entrant: Entrant, *, driven: bool) -> None:
        """One entrant otherwise; the number stays once somebody has driven."""
        old = self[number]
        if driven and entrant.number != number:
            raise BadEntry(f"{old.name} has the number {number} for good; there are results under it.")
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
        """Deletes an entry; raises BadEntry once somebody has driven, for then an entrant withdraws."""
        name = self[number].name
        if driven:
            raise BadEntry(f"{name} cannot be deleted any more; he withdraws, with a reason.", "withdrawal")
        del self.entrants[number]
        self.here.discard(number)
        self.gone.pop(number, None)

    def withdraw(self, number: int, act: Act) -> None:
        """An entrant goes; raises BadEntry without a reason."""
        name = self[number].name
        if number in self.gone:
            raise BadEntry(f"{name} has withdrawn already.")
        self.gone[number] = reason(act)

    def come(self, numbers: Iterable[int], *, here: bool) -> None:
        """Who has come, or has not."""
        for number in numbers:
            name = self[number].name
            if number in self.gone:
                raise BadEntry(f"{name} has withdrawn.")
            (self.here.add if here else self.here.discard)(number)

    def _check(self, entrant: Entrant) -> None:
        low, high = NUMBERS
        if not low <= entrant.number <= high:
            raise BadEntry(f"A number is {low} to {high}; {entrant.number} is not.")
        if (old := self.entrants.get(entrant.number)) is not None:
            raise BadEntry(f"The number {entrant.number} is {old.name}'s; every entrant needs his own.")
        if not entrant.name.strip():
            raise BadEntry(f"Number {entrant.number} needs a name.")
        for said in (entrant.name, entrant.team):
            if len(said) > LETTERS:
                raise BadEntry(f"{said} is too long; a name has at most {LETTERS} letters.")
        for other in self.entrants.values():
            if other.name.casefold() == entrant.name.casefold():
                raise BadEntry(f"There is a {other.name} already, number {other.number}; tell the two apart.")


def read_entrants(text: str, taken: Collection[int] = ()) -> list[Entrant]:
    """Entrants as they are typed, pasted or in a CSV file: one a line, number, name, team and home tracks, with commas,
    semicolons or tabs between, a name in quotes where one is in it; a first line may say which column is which. Who has
    no number gets the lowest that is free.

    Raises BadEntry, naming the line.
    """
    return list(_with_numbers([_entrant(*one) for one in _lines(text)], taken))


def faults(text: str, field: Field) -> list[tuple[int, BadEntry]]:
    """What is wrong with a list of entrants for this field, each with its line (0 where the sentence names it, or for
    the list as a whole); nothing if all of it can be entered."""
    found: list[tuple[int, int, BadEntry]] = []
    said, lines, trial = list[Row](), list[int](), field.copy()
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
        return [(0, BadEntry("There is nobody in this list; a line is a number, a name and a team."))]
    return [(line, wrong) for _, line, wrong in sorted(found, key=lambda one: one[0])]


def in_its_line(line: int, wrong: BadEntry) -> BadEntry:
    """A fault as one sentence that names its line."""
    return BadEntry(f"Line {line}: {wrong}") if line else wrong


def free_numbers(taken: Collection[int]) -> list[int]:
    """The numbers that nobody has, the lowest first."""
    return [number for number in range(NUMBERS[0], NUMBERS[1] + 1) if number not in taken]


def _lines(text: str) -> list[tuple[int, list[str], dict[str, int] | None]]:
    """The lines that say something, by number, and which column holds what where a first line says it."""
    rows = [(at, row) for at, row in _rows(text) if any(row)]
    columns = _columns(rows[0][1]) if rows else None
    return [(at, row, columns) for at, row in (rows if columns is None else rows[1:])]


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line, with its number; raises BadEntry for one that is none of a table."""
    text = text.removeprefix("\ufeff")
    between = max("\t;,", key=QUOTED.sub("", text).count)
    reader = csv.reader(
        [NUMBERED.sub(rf"\1{between}", line) for line in text.splitlines()], delimiter=between, skipinitialspace=True
    )
    try:
        for row in reader:
            yield reader.line_num, [one_line(cell) for cell in row]
    except csv.Error:
        raise BadEntry(f"Line {reader.line_num} is too long; a line is a number, a name and a team.") from None


def _columns(row: Sequence[str]) -> dict[str, int] | None:
    """Which column holds what, if the first line says it."""
    named = {HEADS[cell.casefold()]: at for at, cell in enumerate(row) if cell.casefold() in HEADS}
    return named if "name" in named else None


def _entrant(at: int, row: Sequence[str], columns: dict[str, int] | None) -> Row:
    """What a line says; raises BadEntry, naming it."""
    if columns is not None:
        cells = {what: row[place] if place < len(row) else "" for what, place in columns.items()}
    else:
        cells = dict(zip(("number", "name", "team", "home"), _numbered(row), strict=False))
    number, name = cells.get("number", ""), cells.get("name", "")
    if number and not number.isdecimal():
        raise BadEntry(f"Line {at}: {number} is no number.")
    if not name:
        raise BadEntry(f"Line {at} has no name; a line is a number, a name and a team.")
    home = tuple(part for part in re.split(r"[ /|]+", cells.get("home", "")) if part)
    return Row(int(number) if number else None, name, cells.get("team", ""), home)


def _with_numbers(said: Sequence[Row], taken: Collection[int]) -> Iterator[Entrant]:
    """The entrants, with the lowest free number for who has none; raises BadEntry if there are not enough."""
    free = iter(free_numbers({*taken, *(row.number for row in said if row.number is not None)}))
    for row in said:
        if (number := row.number if row.number is not None else next(free, None)) is None:
            raise BadEntry(f"There is no number left for {row.name}; there are {NUMBERS[0]} to {NUMBERS[1]}.")
        yield Entrant(number, row.name, row.team, row.home)


def _numbered(row: Sequence[str]) -> list[str]:
    """A line whose first cell is the number; as in "12 Ada", it may stand before the name, or be missing."""
    if row[0].isdecimal() or (not row[0] and len(row) > 1):
        return list(row)
    found = re.fullmatch(r"(\d+)[.)]? (.+)", row[0])
    return [found[1], found[2], *row[1:]] if found else ["", *row]
