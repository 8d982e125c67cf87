"""A race before it is one: what a table has chosen so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypedDict, Unpack

import msgspec

from companion import circuits
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.figures import Figure, read_figures
from companion.rules.conversation.setup import MOST, NUMBERS
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.league.league import League
from companion.rules.ninety.bots import Bots
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.ninety.figures import BOT_COUNTS, SectionFigures
from companion.rules.ninety.ninety import Ninety
from companion.rules.rulebooks import RULEBOOKS, check_circuit
from companion.sheets.entrants import COLOURS, Entrant
from companion.view.shown import Plate, Shown
from companion.view.standing_cars import CardStanding, Standing

DECKS: Final = 9999
"""How many decks of the program a touch can draw from."""
LineUp = Literal["die", "last", "hand"]
"""How a grid of the league comes about: by the black die in the race itself, by the last race, or as it is listed."""


class Changes(TypedDict, total=False):
    """What can be changed of a draft."""

    rulebook: str
    track: str
    laps: int
    entrants: tuple[Entrant, ...]
    options: dict[str, Json]
    standing: dict[int, Standing | CardStanding] | None
    turn: int
    race: dict[str, Json]
    deck: int
    line_up: LineUp
    absent: tuple[int, ...]
    home: tuple[int, ...]


class Draft(Shown, frozen=True, kw_only=True):
    """What has been chosen so far.

    `laps` is 0 for as many as the rulebook usually has there; `options` are the figures and switches that differ from
    the rulebook's. `entrants` stand in grid order. `standing` is where each car stands, by number, and None for a race
    from the grid; who plays next is then as the cars are listed, or in the race of cards as they stand when its `turn`
    begins. `race` is what else a position says of the race, such as its sky. `deck` is the number of a deck of cards
    that the program keeps, 0 for cards on the table. In a season `line_up` says what the entrants' order is, of the
    last race or of the grid; `absent` were not in that race, and `home` are on their home track, by number.
    """

    rulebook: str = "competition"
    track: str = ""
    laps: int = 0
    entrants: tuple[Entrant, ...] = ()
    options: dict[str, Json] = msgspec.field(default_factory=dict)
    standing: dict[int, Standing | CardStanding] | None = None
    turn: int = 1
    race: dict[str, Json] = msgspec.field(default_factory=dict)
    deck: int = 0
    line_up: LineUp = "die"
    absent: tuple[int, ...] = ()
    home: tuple[int, ...] = ()

    def but(self, **changes: Unpack[Changes]) -> Draft:
        """The same draft with something changed."""
        return msgspec.structs.replace(self, **changes)

    # -- circuit and laps

    @property
    def cards(self) -> bool:
        """Whether it is the race of cards, on a circuit of sections, with bots."""
        return issubclass(RULEBOOKS[self.rulebook], Ninety)

    @property
    def dealt(self) -> bool:
        """Whether it has cards that the program can deal."""
        return "deck" in RULEBOOKS[self.rulebook].race_type.__struct_fields__

    @property
    def by_spaces(self) -> bool:
        """Whether it needs a circuit known to the space."""
        kind = RULEBOOKS[self.rulebook]
        return issubclass(kind, FormulaDe) and kind.by_spaces

    @property
    def season(self) -> bool:
        """Whether it is a race of a season: its grid follows from the race before."""
        return issubclass(RULEBOOKS[self.rulebook], League)

    def going_by(self, rulebook: str) -> Draft:
        """By another rulebook, with its own figures; a circuit that is none for it is taken away."""
        other = self.but(rulebook=rulebook, options={}, laps=0)
        other = other if other.dealt else other.but(deck=0)
        try:
            if (board := other.board) is not None:
                check_circuit(RULEBOOKS[rulebook], board)
        except CompanionError:
            return other.but(track="", standing=None)
        return other if other.cards == self.cards else other.but(standing=None)

    @property
    def board(self) -> Track | SectionTrack | None:
        """The circuit chosen, None before; raises BadTrack if it is gone or broken."""
        return circuits.board(self.track) if self.track else None

    @property
    def usual_laps(self) -> int:
        """As many laps as the rulebook has on this circuit."""
        board = self.board
        usual: int = RULEBOOKS[self.rulebook].laps
        return board.laps.get(self.rulebook, usual) if board is not None else usual

    @property
    def distances(self) -> tuple[int, int]:
        """The fewest and the most laps, or turns of the race of cards."""
        return RULEBOOKS[self.rulebook].race_ranges["laps"]

    def with_laps(self, laps: int) -> Draft:
        """Another distance."""
        least, most = self.distances
        laps = min(max(laps, least), most)
        return self.but(laps=0 if laps == self.usual_laps else laps)

    # -- entrants

    def entering(self, entrant: Entrant) -> Draft:
        """One more car, last on the grid, with a number and a plate of its own."""
        if len(self.entrants) >= MOST:
            return self
        return self.but(entrants=(*self.entrants, self._unlike(entrant, self.entrants)))

    def editing(self, place: int, entrant: Entrant) -> Draft:
        """The entrant of a grid place as it is now."""
        entrants = list(self.entrants)
        others = entrants[:place] + entrants[place + 1 :]
        before, entrants[place] = entrants[place], self._unlike(entrant, others)
        standing, number = self.standing, entrants[place].number
        if standing is not None and before.number in standing and number != before.number:
            standing = {**standing, number: standing[before.number]}
            del standing[before.number]
        home, absent = (
            tuple(number if one == before.number else one for one in marked) for marked in (self.home, self.absent)
        )
        return self.but(entrants=tuple(entrants), standing=standing, home=home, absent=absent)

    def leaving(self, place: int) -> Draft:
        """Without the entrant of a grid place."""
        entrants = list(self.entrants)
        gone = entrants.pop(place)
        standing = self.standing
        if standing is not None:
            standing = {number: where for number, where in standing.items() if number != gone.number}
        home, absent = (tuple(one for one in marked if one != gone.number) for marked in (self.home, self.absent))
        return self.but(entrants=tuple(entrants), standing=standing, home=home, absent=absent)

    def moved(self, place: int, to: int) -> Draft:
        """The grid with one car taken to another place."""
        entrants = list(self.entrants)
        to = min(max(to, 0), len(entrants) - 1)
        entrants.insert(to, entrants.pop(place))
        return self.but(entrants=tuple(entrants))

    def lined_up(self, numbers: Sequence[int]) -> Draft:
        """The grid in the order of these car numbers."""
        by_number = {entrant.number: entrant for entrant in self.entrants}
        return self.but(entrants=tuple(by_number[number] for number in numbers))

    @staticmethod
    def _unlike(entrant: Entrant, others: Sequence[Entrant]) -> Entrant:
        numbers, colours = {other.number for other in others}, {other.colour for other in others}
        number, colour = entrant.number, entrant.colour
        if number in numbers:
            number = next(free for free in range(NUMBERS[0], NUMBERS[1] + 1) if free not in numbers)
        if colour in colours:
            colour = next((free for free in range(COLOURS) if free not in colours), colour)
        return Entrant(number=number, name=entrant.name, team=entrant.team, colour=colour)

    # -- figures and switches

    def set_figure(self, figure: Figure, value: Json) -> Draft:
        """Another value for a figure; the rulebook's own value takes the change away."""
        options = {name: one for name, one in self.options.items() if name != figure.name}
        if value != figure.said:
            options[figure.name] = value
        return self.but(options=options)

    # -- bots and the deck of the race of cards

    @property
    def bots(self) -> int:
        """How many bots of each speed class drive."""
        said: dict[str, Json] = {name: self.options[name] for name in BOT_COUNTS if name in self.options}
        return Bots.bots_wanted(read_figures(said, SectionFigures), len(self.entrants))

    def with_bots(self, count: int) -> Draft:
        """Another number of bots of each class, however many drivers there will be."""
        options: dict[str, Json] = {name: value for name, value in self.options.items() if name not in BOT_COUNTS}
        usual = self.but(options=options)
        return usual if usual.bots == count else usual.but(options={**options, **dict.fromkeys(BOT_COUNTS, count)})

    # -- a position

    @property
    def nowhere(self) -> Standing | CardStanding:
        """A car that has not been placed."""
        return CardStanding() if self.cards else Standing()

    def placed(self, number: int) -> bool:
        """Whether a car stands somewhere."""
        return self.standing_of(number).at is not None and not self.standing_of(number).out

    def known(self, number: int) -> bool:
        """Whether it is said where a car is, or that it is out."""
        return self.placed(number) or self.standing_of(number).out

    def standing_of(self, number: int) -> Standing | CardStanding:
        """Where a car stands, if anywhere."""
        return (self.standing or {}).get(number, self.nowhere)

    def standing_at(self, number: int, standing: Standing | CardStanding) -> Draft:
        """Where a car stands."""
        return self.but(standing={**(self.standing or {}), number: standing})

    def placing(self, number: int, place: str) -> Draft:
        """A car put somewhere; in a section it is last of the line."""
        where = msgspec.structs.replace(self.standing_of(number), at=place)
        if isinstance(where, CardStanding):
            stand = (self.standing or {}).values()
            since = 1 + max(one.since if isinstance(one, CardStanding) else 0 for one in stand)
            where = msgspec.structs.replace(where, since=since)
        return self.standing_at(number, where)

    def in_line(self, number: int, among: Sequence[Entrant]) -> tuple[int, int]:
        """Of a car in a section its place in the line of these, and how long it is; 0 and 0 of any other."""
        where = self.standing_of(number)
        if not isinstance(where, CardStanding) or not where.at:
            return 0, 0
        there = [self.standing_of(one.number) for one in among]
        line = [one.since for one in there if isinstance(one, CardStanding) and one.at == where.at]
        return 1 + sum(since < where.since for since in line), len(line)


def plate(entrant: Entrant) -> Plate:
    """A driver's number plate."""
    return Plate(number=entrant.number, place=entrant.colour)
