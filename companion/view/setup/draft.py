"""The draft of a race: the choices so far, and the setup made from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Literal, TypedDict, Unpack

import msgspec

from companion import circuits
from companion.drawing.paints import PAINTS
from companion.house_rules import HouseRules
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.figures import Figure, read_figures
from companion.rules.conversation.kinds import CHART, Pools
from companion.rules.conversation.setup import MOST, NUMBERS
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.setup import CarChoice
from companion.rules.formula_d import paired
from companion.rules.league import League
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.ninety.figures import BOT_COUNTS, SectionFigures
from companion.rules.ninety.ninety import Ninety
from companion.rules.ninety.turn import Bots
from companion.rules.public import PublicSectionCar, public
from companion.rules.rulebooks import (
    RULEBOOKS,
    begin,
    check_circuit,
    choice_of_car,
    laps_on,
    switch_of_own_cars,
    variants_on,
)
from companion.sheets.entrants import COLOURS, RaceEntrant
from companion.sheets.reading import last_setup
from companion.view.citing import titled
from companion.view.shown import Plate, ViewModel
from companion.view.worded import BoardWords
from companion.wording import Words

# -- where a car stands in a race that goes on from a position, as a table says it

OUT: Final = "out"
PITS: Final = ("pit", "box")


class StartPosition(ViewModel, frozen=True, kw_only=True):
    """The position of a car in a race that starts from a position.

    Values left out are those of the start. `more` holds further values of the car, by the names that overrides use:
    compound, KERS, cards, uses of an allowance.
    """

    at: str | None = None
    gear: int = 1
    lap: int = 1
    wear: Pools = msgspec.field(default_factory=dict)
    built: Pools = msgspec.field(default_factory=dict)
    more: dict[str, Json] = msgspec.field(default_factory=dict)

    @property
    def out(self) -> bool:
        """True if the car is out of the race, and so has no place."""
        return self.more.get("status") == OUT

    def values(self) -> dict[str, Json]:
        """Return the values for a setup; a car placed in the pits has that status."""
        where = (self.at or "").partition(":")[0]
        said: dict[str, Json] = {"at": self.at, "gear": self.gear, "lap": self.lap, "status": "racing", **self.more}
        if self.out:
            said |= {"at": None, "gear": 0}
        elif where in PITS:
            said["status"] = where
        if "uses" in said:
            said["uses"] = [use for use, count in said["uses"].items() for _ in range(count)]
        for name in ("wear", "built"):
            if value := getattr(self, name):
                said[name] = dict(value)
        return said


class CardStanding(ViewModel, frozen=True, kw_only=True):
    """The position of a car in the race of cards.

    `at` is its section; of two cars there, the one with the lower `since` is ahead. 0 and empty stand for the values of
    the start; a bot has only a place, fuel and stops. `more` holds whether it is on the track, and its trajectory
    point.
    """

    at: str | None = None
    since: int = 0
    lap: int = 0
    chart: tuple[int, ...] = ()
    wear: Pools = msgspec.field(default_factory=dict)
    permanent: int = 0
    strategy: str = ""
    check: int = 0
    fuel: int = 0
    stops: int = 0
    more: dict[str, Json] = msgspec.field(default_factory=dict)

    @property
    def out(self) -> bool:
        """True if the car is out of the race, and so has no place."""
        return self.more.get("status") == OUT

    @property
    def section(self) -> int:
        """The index of its section, counted from 0; -1 for none."""
        return int(self.at.partition(":")[2]) - 1 if self.at else -1

    def values(self) -> dict[str, Json]:
        """Return the values for a setup."""
        said: dict[str, Json] = {"at": self.at, "arrived": self.since, "lap": self.lap, "status": "racing"}
        if self.chart:
            said["built"] = dict(zip(CHART, self.chart, strict=True))
        if self.check:
            said["check"] = f"D1 {self.check}"  # of the card in the check area only the factor counts
        for name in ("wear", "permanent", "strategy", "fuel", "stops"):
            if value := getattr(self, name):
                said[name] = dict(value) if name == "wear" else value
        return said | self.more


DECKS: Final = 9999
"""Number of the program's decks to draw from by touch."""
LineUp = Literal["die", "last", "hand"]
"""Sources of a league grid: the black die in the race itself, the last race, or the list as it stands."""


class Changes(TypedDict, total=False):
    """The fields of a draft that can be changed."""

    rulebook: str
    track: str
    laps: int
    entrants: tuple[RaceEntrant, ...]
    options: dict[str, Json]
    standing: dict[int, StartPosition | CardStanding] | None
    turn: int
    race: dict[str, Json]
    deck: int
    line_up: LineUp
    absent: tuple[int, ...]
    home: tuple[int, ...]
    same: bool
    program_rolls: bool
    street: dict[int, str]


class Draft(ViewModel, frozen=True, kw_only=True):
    """The choices so far.

    `laps` is 0 for the rulebook's usual number; `options` are the figures and switches that differ from the rulebook's.
    `entrants` stand in grid order. `standing` is the position of each car by number, None for a race from the grid; the
    cars then play in the order listed, or in the race of cards as they stand when its `turn` begins. `race` holds
    further values of a position, such as the sky. `deck` is the number of a deck dealt by the program, 0 for cards on
    the table. In a season `line_up` says whether the entrants are in the order of the last race or of the grid;
    `absent` missed that race, and `home` are at their home track, by number. `same` gives every car the usual points
    where drivers would build theirs by the rulebook itself. `program_rolls` has the program roll for its drivers.
    `street` are the street drivers' cards chosen in advance, by car number.
    """

    rulebook: str = "competition"
    track: str = ""
    laps: int = 0
    entrants: tuple[RaceEntrant, ...] = ()
    options: dict[str, Json] = msgspec.field(default_factory=dict)
    standing: dict[int, StartPosition | CardStanding] | None = None
    turn: int = 1
    race: dict[str, Json] = msgspec.field(default_factory=dict)
    deck: int = 0
    line_up: LineUp = "die"
    absent: tuple[int, ...] = ()
    home: tuple[int, ...] = ()
    same: bool = False
    program_rolls: bool = False
    street: dict[int, str] = msgspec.field(default_factory=dict)

    def but(self, **changes: Unpack[Changes]) -> Draft:
        """Return a copy with some fields changed."""
        return msgspec.structs.replace(self, **changes)

    # -- circuit and laps

    @property
    def cards(self) -> bool:
        """True for the race of cards, on a circuit of sections, with bots."""
        return issubclass(RULEBOOKS[self.rulebook], Ninety)

    @property
    def dealt(self) -> bool:
        """True if the rulebook has cards that the program can deal."""
        return "deck" in RULEBOOKS[self.rulebook].race_type.__struct_fields__

    @property
    def by_spaces(self) -> bool:
        """True if the rulebook needs a circuit with known spaces."""
        kind = RULEBOOKS[self.rulebook]
        return issubclass(kind, FormulaDe) and kind.by_spaces

    @property
    def season(self) -> bool:
        """True for a race of a season, whose grid follows from the race before."""
        return issubclass(RULEBOOKS[self.rulebook], League)

    @property
    def choice_of_car(self) -> CarChoice:
        """The way drivers get their cars under the present options."""
        return choice_of_car(self.rulebook, self.options)

    @property
    def can_build(self) -> bool:
        """True if drivers may build their cars, under these options or with one more."""
        return self.choice_of_car == "build" or bool(switch_of_own_cars(self.rulebook))

    @property
    def builds(self) -> bool:
        """True if each driver builds a car."""
        return self.choice_of_car == "build" and (bool(switch_of_own_cars(self.rulebook)) or not self.same)

    def building(self, each: bool) -> Draft:
        """Return the draft where each driver builds a car, or all have the usual one.

        An option of the box decides that if there is one.
        """
        switch = switch_of_own_cars(self.rulebook)
        figure = next((one for one in RULEBOOKS[self.rulebook].listed() if one.name == switch), None)
        return self.but(same=not each) if figure is None else self.set_figure(figure, each)

    @property
    def rolls(self) -> bool:
        """True if the race rolls for its grid, which timed laps replace."""
        on = variants_on(self.rulebook, self.options)
        return RULEBOOKS[self.rulebook].rolls_for_grid and not any(one.name == "trial" for one in on)

    def going_by(self, rulebook: str) -> Draft:
        """Return the draft under another rulebook, with its default figures.

        A circuit that it does not allow is dropped.
        """
        other = self.but(rulebook=rulebook, options={}, laps=0)
        other = other if other.dealt else other.but(deck=0)
        try:
            if (board := other.board) is not None:
                check_circuit(RULEBOOKS[rulebook], board)
        except CompanionError:
            return other.but(track="", standing=None)
        return other if other.cards == self.cards else other.but(standing=None)

    def going_by_house(self, rules: HouseRules) -> Draft:
        """Return the draft under house rules."""
        return self.going_by(rules.rulebook).but(options=dict(rules.options))

    @property
    def board(self) -> Track | SectionTrack | None:
        """The selected circuit, None before; raises BadTrack if it is missing or broken."""
        return circuits.board(self.track) if self.track else None

    @property
    def usual_laps(self) -> int:
        """The rulebook's number of laps on this circuit."""
        board = self.board
        on = variants_on(self.rulebook, self.options)
        return laps_on(self.rulebook, board, on) if board is not None else RULEBOOKS[self.rulebook].laps

    @property
    def distances(self) -> tuple[int, int]:
        """The minimum and maximum laps, or turns in the race of cards."""
        return RULEBOOKS[self.rulebook].race_ranges["laps"]

    def differing(self) -> int:
        """Return the number of deviations from the rulebook.

        Circuit, distance, drivers and cars do not count.
        """
        return len(self.options) + (self.standing is not None) + (self.line_up != "die") + bool(self.home)

    def with_laps(self, laps: int) -> Draft:
        """Set the distance, within the limits; it is kept for another circuit."""
        least, most = self.distances
        return self.but(laps=min(max(laps, least), most))

    # -- entrants

    def entering(self, entrant: RaceEntrant) -> Draft:
        """Add a car, last on the grid, with a free number and plate."""
        if len(self.entrants) >= MOST:
            return self
        return self.but(entrants=(*self.entrants, self._unlike(entrant, self.entrants)))

    def editing(self, place: int, entrant: RaceEntrant) -> Draft:
        """Replace the entrant at a grid place."""
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
        street = {number if one == before.number else one: card for one, card in self.street.items()}
        return self.but(entrants=tuple(entrants), standing=standing, home=home, absent=absent, street=street)

    def leaving(self, place: int) -> Draft:
        """Remove the entrant at a grid place."""
        entrants = list(self.entrants)
        gone = entrants.pop(place)
        standing = self.standing
        if standing is not None:
            standing = {number: where for number, where in standing.items() if number != gone.number}
        home, absent = (tuple(one for one in marked if one != gone.number) for marked in (self.home, self.absent))
        street = {one: card for one, card in self.street.items() if one != gone.number}
        return self.but(entrants=tuple(entrants), standing=standing, home=home, absent=absent, street=street)

    def move(self, place: int, to: int) -> Draft:
        """Move a car to another grid place."""
        entrants = list(self.entrants)
        to = min(max(to, 0), len(entrants) - 1)
        entrants.insert(to, entrants.pop(place))
        return self.but(entrants=tuple(entrants))

    def lined_up(self, numbers: Sequence[int]) -> Draft:
        """Order the grid by these car numbers."""
        by_number = {entrant.number: entrant for entrant in self.entrants}
        return self.but(entrants=tuple(by_number[number] for number in numbers))

    @staticmethod
    def _unlike(entrant: RaceEntrant, others: Sequence[RaceEntrant]) -> RaceEntrant:
        numbers, colours = {other.number for other in others}, {other.colour for other in others}
        number, colour = entrant.number, entrant.colour
        if number in numbers:
            number = next(free for free in range(NUMBERS[0], NUMBERS[1] + 1) if free not in numbers)
        if colour in colours:
            colour = next((free for free in range(COLOURS) if free not in colours), colour)
        return msgspec.structs.replace(entrant, number=number, colour=colour)

    # -- cards of street drivers

    @property
    def on_street(self) -> bool:
        """True if the street drivers' cards are in use."""
        return any(one.name == "street" for one in variants_on(self.rulebook, self.options))

    def with_card(self, number: int, card: str) -> Draft:
        """Give a car a street driver's card, taking it from any other.

        "" leaves the choice to the start of the race.
        """
        others = {one: theirs for one, theirs in self.street.items() if one != number and theirs != card}
        return self.but(street=others | ({number: card} if card else {}))

    # -- figures and switches

    def set_figure(self, figure: Figure, value: Json) -> Draft:
        """Set a figure; the rulebook's own value removes the change."""
        options = {name: one for name, one in self.options.items() if name != figure.name}
        if value != figure.setup_value:
            options[figure.name] = value
        return self.but(options=options)

    # -- bots and the deck of the race of cards

    @property
    def bots(self) -> int:
        """The number of bots of each speed class."""
        said: dict[str, Json] = {name: self.options[name] for name in BOT_COUNTS if name in self.options}
        return Bots.bots_wanted(read_figures(said, SectionFigures), len(self.entrants))

    def with_bots(self, count: int) -> Draft:
        """Set the number of bots of each class, independent of the number of drivers."""
        options: dict[str, Json] = {name: value for name, value in self.options.items() if name not in BOT_COUNTS}
        usual = self.but(options=options)
        return usual if usual.bots == count else usual.but(options={**options, **dict.fromkeys(BOT_COUNTS, count)})

    # -- a position

    @property
    def nowhere(self) -> StartPosition | CardStanding:
        """The position of a car that has not been placed."""
        return CardStanding() if self.cards else StartPosition()

    def is_placed(self, number: int) -> bool:
        """Return True if a car has a place."""
        return self.standing_of(number).at is not None and not self.standing_of(number).out

    def is_settled(self, number: int) -> bool:
        """Return True if a car has a place or is out."""
        return self.is_placed(number) or self.standing_of(number).out

    def standing_of(self, number: int) -> StartPosition | CardStanding:
        """Return the position of a car, placed or not."""
        return (self.standing or {}).get(number, self.nowhere)

    def standing_at(self, number: int, standing: StartPosition | CardStanding) -> Draft:
        """Set the position of a car."""
        return self.but(standing={**(self.standing or {}), number: standing})

    def placing(self, number: int, place: str) -> Draft:
        """Put a car at a place; in a section it joins the end of the line."""
        where = msgspec.structs.replace(self.standing_of(number), at=place)
        if isinstance(where, CardStanding):
            stand = (self.standing or {}).values()
            since = 1 + max(one.since if isinstance(one, CardStanding) else 0 for one in stand)
            where = msgspec.structs.replace(where, since=since)
        return self.standing_at(number, where)

    def in_line(self, number: int, among: Sequence[RaceEntrant]) -> tuple[int, int]:
        """Return a car's place in the line of its section, and the line's length.

        (0, 0) for a car that is not in a section.
        """
        where = self.standing_of(number)
        if not isinstance(where, CardStanding) or not where.at:
            return 0, 0
        there = [self.standing_of(one.number) for one in among]
        line = [one.since for one in there if isinstance(one, CardStanding) and one.at == where.at]
        return 1 + sum(since < where.since for since in line), len(line)


def plate(entrant: RaceEntrant) -> Plate:
    """Return a driver's number plate."""
    return Plate(number=entrant.number, place=entrant.colour)


# -- what the rules core reads of a race that is being made, and what it says to it


def setup_of(draft: Draft, lang: str = "en") -> dict[str, Json]:
    """Return the setup for the rules core."""
    said: dict[str, Json] = {"rulebook": draft.rulebook, "track": draft.track, "lang": lang}
    if draft.track:
        said["laps"] = draft.laps or draft.usual_laps
    if draft.deck:
        said["deck"] = draft.deck
    if draft.options:
        said["options"] = dict(draft.options)
    if draft.street and draft.on_street:
        said["street"] = {str(number): card for number, card in draft.street.items()}
    bots = bots_of(draft) if draft.standing is not None else {}
    drivers = _driving(draft.but(entrants=in_teams(draft, lang)), bots)
    said["cars"] = [_car(draft, entrant) for entrant in drivers]
    said["plates"] = [entrant.colour for entrant in drivers]
    if programs := {str(one.number): fitting(draft, one.program) for one in drivers if one.program}:
        said |= {"programs": programs, "program_rolls": draft.program_rolls}
    if hints := [one.number for one in drivers if one.hints and not one.program]:
        said["hints"] = hints
    if draft.standing is not None:
        said |= draft.race
        said["to_play"] = [one.number for one in drivers if draft.is_placed(one.number)]
        if draft.cards:
            _line_up(draft, said["cars"], bots)
            said["round"] = draft.turn
    elif draft.season and draft.line_up != "die":
        numbers = [one.number for one in draft.entrants]
        last = [number for number in numbers if number not in draft.absent]
        said |= {"last": last} if draft.line_up == "last" else {"grid": numbers}
    return said


def in_teams(draft: Draft, lang: str) -> tuple[RaceEntrant, ...]:
    """Return the entrants as they start.

    In a race for teams, the cars of a team share a colour; a pair without a name is called by it.
    """
    if not draft.options.get("teams"):
        return draft.entrants
    colours: dict[str, int] = {}
    entrants = []
    for one, team in zip(draft.entrants, paired([one.team for one in draft.entrants]), strict=True):
        seated = team in colours
        if not seated:
            wanted = [(one.colour + at) % len(PAINTS) for at in range(len(PAINTS))]
            colours[team] = next((colour for colour in wanted if colour not in colours.values()), wanted[0])
        name = one.team or Words(lang).word("paint", PAINTS[colours[team]].name)
        colour = colours[team] + seated * len(PAINTS)
        entrants.append(msgspec.structs.replace(one, team=name, colour=colour))
    return tuple(entrants)


LEVELS: Final = ("club", "champion", "learner")
"""Drivers of the program where a table of turns is available; the first is the default."""
PLAIN: Final = ("sensible",)
"""Driver of the program elsewhere: with cards, and on corner sheets."""


def offered(draft: Draft) -> tuple[str, ...]:
    """Return the program's drivers for a race, the default first."""
    return PLAIN if draft.cards else offered_on(draft.board)


def offered_on(board: Track | SectionTrack | None) -> tuple[str, ...]:
    """Return the program's drivers on a circuit, the default first."""
    return LEVELS if board is None or board.known == "space" else PLAIN


def fitting(draft: Draft, program: str) -> str:
    """Return the driver chosen if the race has it, otherwise the default.

    "" remains a person.
    """
    there = offered(draft)
    return program if not program or program in there else there[0]


PROGRAM_NAMES: Final = ("Bruno", "Clara", "Dario", "Emma", "Felix", "Greta", "Hugo", "Ines", "Jonas", "Kira")
"""Default names of the program's drivers."""


def with_program(draft: Draft) -> Draft:
    """Add a driver of the program, with a name not yet taken."""
    taken = {one.name for one in draft.entrants}
    name = next((one for one in PROGRAM_NAMES if one not in taken), "")
    return draft.entering(RaceEntrant(number=len(draft.entrants) + 1, name=name, program=offered(draft)[0]))


def _line_up(draft: Draft, cars: list[dict[str, Json]], bots: Mapping[int, PublicSectionCar]) -> None:
    """Set which cars are bots, and each car's place, which decides its default fuel."""
    first = sorted((car["car"] for car in cars), key=lambda number: _behind(draft.standing_of(number)))
    for car in cars:
        car["place"] = first.index(car["car"]) + 1
        if car["car"] in bots:
            car["bot"] = bots[car["car"]].bot


def _behind(where: StartPosition | CardStanding) -> tuple[int, ...]:
    assert isinstance(where, CardStanding)
    return (-where.lap, -where.section, where.since)


def _car(draft: Draft, entrant: RaceEntrant) -> dict[str, Json]:
    said: dict[str, Json] = {"car": entrant.number}
    if entrant.name:
        said["driver"] = entrant.name
    if entrant.team:
        said["team"] = entrant.team
    if draft.season and entrant.number in draft.home:
        said["home"] = True
    if draft.is_settled(entrant.number):
        said |= draft.standing_of(entrant.number).values()
    elif draft.choice_of_car == "build" and not draft.builds and draft.standing is None:
        said["wear"] = usual_car(draft)
    return said


def usual_car(draft: Draft) -> Pools:
    """Return the points of a default car; empty without a circuit, or if cars have none.

    Raises BadSetup for figures that allow no car.
    """
    board = draft.board
    if board is None or draft.cards:
        return {}
    alone = {"rulebook": draft.rulebook, "track": draft.track, "options": draft.options, "cars": [{"car": 1}]}
    book = begin(alone, board)
    assert isinstance(book, FormulaDe)
    return dict(book.preparing.usual_build())


def bots_of(draft: Draft) -> dict[int, PublicSectionCar]:
    """Return the bots of the race, numbered and named by the rules."""
    if not (draft.cards and draft.track and draft.entrants) or (board := draft.board) is None:
        return {}
    try:
        race = public(begin(setup_of(draft.but(standing=None)), board))
    except CompanionError:
        return {}
    return {car.number: car for car in race.cars if isinstance(car, PublicSectionCar) and car.bot}


def field_of(draft: Draft) -> tuple[RaceEntrant, ...]:
    """Return all cars to place: the entrants, and the bots with the remaining plates."""
    return _driving(draft, bots_of(draft))


def _driving(draft: Draft, bots: Mapping[int, PublicSectionCar]) -> tuple[RaceEntrant, ...]:
    colours = {one.colour for one in draft.entrants}
    free = [colour for colour in range(COLOURS) if colour not in colours] * 2
    more = [RaceEntrant(number=car.number, name=car.driver, colour=free[at]) for at, car in enumerate(bots.values())]
    return (*draft.entrants, *more)


def from_position(draft: Draft) -> Draft:
    """Start from a position, with no car placed yet."""
    return draft.but(standing={one.number: draft.nowhere for one in field_of(draft)}, turn=1, race={})


def refusal(draft: Draft, words: Words) -> str:
    """Return why the race cannot begin, in one sentence; "" if it can."""
    if not draft.track:
        return words.screen("new_race.no_circuit")
    if not draft.entrants:
        return words.screen("new_race.no_drivers")
    try:
        board = draft.board
        assert board is not None
    except CompanionError as wrong:
        return words.error(wrong)
    try:
        begin(setup_of(draft, words.lang), board)
    except CompanionError as wrong:
        own = BoardWords(words.lang, draft.rulebook, board)
        return own.error(titled(wrong, own))
    if draft.standing is not None and (missing := [one for one in field_of(draft) if not draft.is_settled(one.number)]):
        first = missing[0]
        return words.screen("new_race.not_placed", {first.number: first.name}, car=first.number, more=len(missing) - 1)
    return ""


# -- what a race is as long as nothing is chosen

FIRST: Final = "beginner"
"""Rulebook of a table that has not raced yet."""


def usual_rules(folder: Path, saved: Sequence[HouseRules]) -> str | HouseRules:
    """Return the rulebook or house rules of the last race; the beginner's rules by default."""
    setup = last_setup(folder)
    rulebook, options = str(setup.get("rulebook")), setup.get("options", {})
    house = next((rules for rules in saved if (rules.rulebook, rules.options) == (rulebook, options)), None)
    return house or (rulebook if rulebook in RULEBOOKS else FIRST)


CIRCUIT: Final = "monaco"
SECTIONS: Final = "saltmarsh"
"""Default circuits: CIRCUIT suits every rulebook of dice, SECTIONS the race of cards."""


def first(rules: str | HouseRules = "competition") -> Draft:
    """Return the default draft: a circuit of the rulebook, and the same car for all."""
    draft = Draft(same=True)
    return with_circuit(draft.going_by(rules) if isinstance(rules, str) else draft.going_by_house(rules))


def with_circuit(draft: Draft) -> Draft:
    """Select the default circuit if none is selected."""
    return draft if draft.track else draft.but(track=SECTIONS if draft.cards else CIRCUIT)
