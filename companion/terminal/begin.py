"""The setup of a race at the terminal: rulebook, circuit, laps and drivers.

The rulebook asks the rest itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING, Final, TypeVar

from companion import circuit_index, circuits, house_rules
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadSetup, BadTrack, CompanionError, LogError, NotSaved
from companion.rules.conversation.setup import MOST, read_options
from companion.rules.death.death import Death
from companion.rules.formula_d import PAIR, STREET, FormulaD, paired
from companion.rules.league import League
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.ninety.figures import BOT_COUNTS, MOST_BOTS
from companion.rules.ninety.ninety import Ninety
from companion.rules.rulebooks import RULEBOOKS, begin, check_circuit, laps_on, named, variants_on, variants_shown
from companion.sheets.reading import races, reading
from companion.strict_json import NotJson, read
from companion.terminal.answers import cars_named, is_number, plain, same_driver
from companion.terminal.prompts import Command, check_name, command_in, goes_on_in_memory
from companion.terminal.screen import RacePrinter
from companion.view.citing import figure_name, titled
from companion.view.setup.draft import FIRST, usual_rules
from companion.view.setup.new_race import rulebook_name

if TYPE_CHECKING:
    from companion.rules.dice.variants import Variant
    from companion.rules.rulebooks import Kind

T = TypeVar("T")

PAGE: Final = 18
"""Rows of circuits per page: a terminal of 24 lines needs room for the question as well."""


class SetupAborted(Exception):
    """Raised when the people leave before the race begins.

    `status` is the exit status: 1 if the race could not be stored.
    """

    def __init__(self, status: int = 0) -> None:
        super().__init__(status)
        self.status = status


def open_race(folder: Path) -> tuple[str, str, int] | None:
    """Return the id, name and round of the latest race; None if it is over or missing."""
    try:
        with reading(folder) as db:
            for race in races(db, most=1):
                if not race.over:
                    return race.log_id, race.name, race.round
    except LogError as wrong:
        if wrong.code != "no_races":
            raise
    return None


def resume(screen: RacePrinter, folder: Path, race: str) -> RaceDesk:
    """Resume a race.

    If the disk is full, ask whether to continue in memory. Raises LogError.
    """
    try:
        return _save(screen, lambda memory: RaceDesk.resume(folder, race, memory=memory))
    except LogError as wrong:
        if wrong.kind == "held.race":
            raise LogError("held.resume", **wrong.facts) from None
        raise


def goes_on(screen: RacePrinter, race: str, round_: int) -> bool:
    """Ask whether to resume an open race; False for a new one. Raises SetupAborted."""
    words = screen.words

    def take(said: str) -> bool:
        if not said or plain(said) in words.say("yes_words").split():
            return True
        if plain(said) in words.say("no_words").split():
            return False
        raise BadSetup("yes_or_no")

    while True:
        try:
            return SetupPrompts(screen).ask(words.say("resume_race", race=race, round=round_), take)
        except PreviousQuestion:
            screen.complaint(words.say("not_yet"))


def new_race(
    screen: RacePrinter,
    folder: Path,
    track: str | None,
    laps: int | None,
    cars: str | None,
    setup: Path | None,
    rulebook: str | None = None,
    deck: int | None = None,
    bots: int | None = None,
    house: str | None = None,
    street: str | None = None,
    changes: Sequence[str] = (),
) -> RaceDesk:
    """Begin a race from the command line's options, asking for what is missing.

    Raises BadSetup, BadTrack or SetupAborted.
    """
    said = _read(setup) if setup is not None else {}
    if house is not None:
        said = house_rules.find(folder, house).into(said | ({"rulebook": rulebook} if rulebook else {}))
    given = NewRace(
        screen, said, folder, track=track, laps=laps, cars=cars, rulebook=rulebook, deck=deck, bots=bots, street=street
    )
    given.changes = changes
    last = usual_rules(folder, given.saved)
    given.usual = last if isinstance(last, str) else last.name
    given.fill(anew=setup is None)
    return _save(screen, lambda memory: begin_race(said, given.name, folder, memory=memory))


class PreviousQuestion(Exception):
    """Raised to return to the previous question."""


class SetupPrompts:
    """Prompts before a race, with the same commands as during it."""

    def __init__(self, screen: RacePrinter) -> None:
        self.screen, self.words = screen, screen.words
        self.rulebook = "competition"
        """Rulebook whose articles `rules` prints."""

    def ask(self, wanted: str, take: Callable[[str], T], about: str = "") -> T:
        """Prompt until `take` accepts the input; help adds `about`.

        A line with a comma lists names, and holds no command. Raises SetupAborted, and PreviousQuestion for undo.
        """
        while True:
            said = self.screen.ask(f"{wanted} > ")
            if said is None:
                raise SetupAborted
            command = command_in(said, self.words) if "," not in said else None
            try:
                if command is None:
                    return take(said)
                self._obey(command, wanted, about)
            except CompanionError as wrong:
                self.screen.complaint(self.words.error(wrong))

    def _obey(self, command: Command, wanted: str, about: str) -> None:
        if command.name == "quit":
            raise SetupAborted
        if command.name == "undo":
            raise PreviousQuestion
        if command.name == "help":
            self.screen.wrapped(self.words.say("wanted_here", wanted=wanted), "bold", first="  ")
            for said in filter(None, (about, self.words.say("help_before"))):
                self.screen.wrapped(said, first="  ")
        elif command.name == "rules":
            self.screen.articles(command.rest, self.rulebook)
        else:
            raise BadSetup("not_yet")


class NewRace(SetupPrompts):
    """Setup of a new race from the command line's options.

    It asks for what is missing one step at a time; undo goes back any number of steps.
    """

    kind: Kind
    name: str
    circuit: Track | SectionTrack
    usual = FIRST
    """Rulebook, or house rules by name, for an empty line."""

    def __init__(
        self,
        screen: RacePrinter,
        said: dict[str, Json],
        folder: Path,
        *,
        track: str | None,
        laps: int | None,
        cars: str | None,
        rulebook: str | None,
        deck: int | None,
        bots: int | None,
        street: str | None,
    ) -> None:
        super().__init__(screen)
        self.saved = house_rules.saved(folder)
        self.said, self.track, self.laps, self.cars = said, track or said.get("track"), laps, cars
        self.given_rulebook, self.deck, self.bots = rulebook or said.get("rulebook"), deck, bots
        self.street = street
        self.asks_cars = cars is None and "cars" not in said
        self.changes: Sequence[str] = ()
        """Figures and switches that differ from the rulebook or the house rules."""
        self.asks_options = False

    def fill(self, *, anew: bool) -> None:
        """Ask for what is missing; undo returns to the previous question.

        A race with `anew` set, without a setup file, asks for its rulebook and the options of that rulebook, and
        without a circuit also for laps. Raises BadSetup, BadTrack or SetupAborted.
        """
        begun = anew and self.track is None
        if self.cars is not None:
            drivers(self.screen, self.cars, MOST)
        steps: list[Callable[[], bool]] = [lambda: self.choose_rulebook(anew), self.choose_circuit]
        steps += [self.choose_options, lambda: self.choose_laps(begun)]
        steps += [self.choose_cars, self.choose_teams, self.choose_street]
        steps += [self.choose_last, self.choose_grid, self.choose_home, self.choose_deck, self.choose_bots]
        asked: list[int] = []
        at = 0
        while at < len(steps):
            try:
                if steps[at]():
                    asked.append(at)
                at += 1
            except PreviousQuestion:
                if not asked:
                    self.screen.complaint(self.words.say("first_question"))
                at = asked.pop() if asked else at

    # -- the steps; whether they asked

    def choose_rulebook(self, anew: bool) -> bool:
        """Choose the rulebook, of those that have what the command line names; return True if it was asked.

        Raises BadSetup if none fits, BadTrack for a circuit that cannot be read.
        """
        asks = anew and self.given_rulebook is None
        self.asks_options = anew and self.track is None and not self.changes and "options" not in self.said
        if asks:
            refused = {name: self._refusal(named(name)) for name in RULEBOOKS}
            books = [name for name, refusal in refused.items() if refusal is None]
            if not books and (refusal := next(iter(refused.values()))) is not None:
                raise refusal
            saved = [one for one in self.saved if one.rulebook in books]
            names = [*books, *(one.name for one in saved)]
            for place, name in enumerate(books, 1):
                self.screen.line(f"{place:>3} {name:<12} {rulebook_name(name, self.words)}")
                if about := self.words.maybe(f"new_race.about.{name}"):
                    self.screen.wrapped(about, "dim", first=" " * 4)
            for place, one in enumerate(saved, len(books) + 1):
                self.screen.line(f"{place:>3} {one.name} ({rulebook_name(one.rulebook, self.words)})")
            usual = self.usual if self.usual in names else names[0]

            def take(said: str) -> str:
                if is_number(said) and 1 <= int(said) <= len(names):
                    return names[int(said) - 1]
                called: dict[str, str] = {plain(one.name): one.name for one in saved}
                called |= {plain(rulebook_name(name, self.words)): name for name in RULEBOOKS}
                called |= {name: name for name in RULEBOOKS}
                if said and plain(said) not in called:
                    raise BadSetup("no_such_rulebook", said=said[:40])
                chosen = called[plain(said)] if said else usual
                if (refusal := refused.get(chosen)) is not None:
                    raise refusal
                return chosen

            example = next((name for name in names if name != usual), "")
            chosen = self.ask(self.words.say("choose_rulebook", usual=usual, example=example), take)
            by_name = {one.name: one for one in saved}
            house = by_name.get(chosen) if chosen not in RULEBOOKS else None
            self.said["rulebook"] = house.rulebook if house is not None else chosen
            for of_another in ("options", "last", "grid", "deck", "street"):
                self.said.pop(of_another, None)
            self.asks_options = house is None and not self.changes
            if house is not None:
                self.said["options"] = house.options
        elif self.given_rulebook is not None:
            self.said["rulebook"] = self.given_rulebook
        self.kind = named(self.said.get("rulebook", "competition"))
        if (refusal := self._refusal(self.kind)) is not None:
            raise refusal
        if self.changes and isinstance(options := self.said.get("options", {}), dict):
            self.said["options"] = {**options, **house_rules.typed_options(self.changes, self.kind.figure_table())}
        read_options(self.said, self.kind.figure_table())
        self.rulebook = self.words.rulebook = self.kind.name
        return asks

    def _refusal(self, kind: Kind) -> BadSetup | None:
        """Return why a rulebook does not have what the command line names; None if it has.

        Raises BadTrack for a circuit that cannot be read.
        """
        try:
            read_options({"options": house_rules.typed_options(self.changes, kind.figure_table())}, kind.figure_table())
            if self.deck and not issubclass(kind, (Death, Ninety)):
                raise BadSetup("deal_rulebook")
            if self.bots is not None and not issubclass(kind, Ninety):
                raise BadSetup("bots_rulebook")
            if self.street is not None and not issubclass(kind, FormulaD):
                raise BadSetup("street_rulebook")
            if self.track:
                check_circuit(kind, circuits.board(str(self.track)))
        except BadSetup as refusal:
            return refusal
        return None

    def choose_circuit(self) -> bool:
        """Choose a circuit that the rulebook can use; return True if it was asked."""
        self.name = str(self.track or self._ask_circuit())
        self.circuit = circuits.board(self.name)
        check_circuit(self.kind, self.circuit)
        self.said["track"] = circuits.known_as(circuits.find(self.name))
        return not self.track

    def _ask_circuit(self) -> str:
        """Ask for a circuit by number, name or part of a name.

        Custom boards are read when chosen; boards with known errors, or unfit for the rulebook, are not listed.
        """
        listed = circuit_index.driven_by(self.kind)
        circuit_index.check(lambda: None)
        shown = [f"{place:>3} {one.key}" for place, one in enumerate(listed, 1)]
        if left_out := len(shown) - _columns(self.screen, shown):
            self.screen.line(f"  {self.words.say('more_circuits', count=left_out)}")

        def take(said: str) -> str:
            if is_number(said) and 1 <= int(said) <= len(listed):
                said = listed[int(said) - 1].key
            try:
                found = circuits.known_as(circuits.find(said))
            except BadTrack:
                found = search(said)
            if (refused := circuit_index.read(found).refusal) is not None:
                raise refused
            check_circuit(self.kind, circuits.board(found))
            return found

        def search(said: str) -> str:
            """Return the only circuit with these letters in its name.

            If several match, lists them. Raises BadTrack unless exactly one does.
            """
            part = circuits.plain(said)
            places = [at for at, one in enumerate(listed) if part and part in circuits.plain(f"{one.key} {one.name}")]
            if not places:
                raise BadTrack("no_such_circuit", said=said[:40])
            if len(places) > 1:
                _columns(self.screen, [shown[at] for at in places])
                raise BadTrack("several_circuits", said=said[:40], count=len(places))
            return listed[places[0]].key

        return self.ask(self.words.say("choose_circuit", example=listed[0].key), take)

    def choose_options(self) -> bool:
        """Choose the options of the box and the variants that are on; return True if it was asked.

        They are asked whenever the rulebook or the circuit was. House rules and --set have chosen them already.
        """
        offered = variants_shown(self.kind.name) if self.asks_options else []
        if not offered:
            return False
        words = self.words
        names = [figure_name(one.switch, words) for one in offered]
        _columns(self.screen, [f"{place:>3} {name}" for place, name in enumerate(names, 1)])

        def take(said: str) -> list[Variant]:
            parts = [part.strip() for part in said.split(",")]
            if all(map(is_number, said.replace(",", " ").split())):
                parts = said.replace(",", " ").split()
            on = [] if plain(said) in words.say("no_words").split() else [named_one(part) for part in parts if part]
            needed = {name for one in on for name in one.needs}
            chosen = [one for one in offered if one in on or one.name in needed]
            switches = [one.switch for one in chosen] + ["street"] * (self.street is not None)
            try:
                read_options({"options": dict.fromkeys(switches, True)}, self.kind.figure_table())
            except BadSetup as wrong:
                raise titled(wrong, words) from wrong
            return chosen

        def fitting(said: str) -> list[Variant]:
            """Take the options, if a race by them can have the laps of the command line."""
            chosen = take(said)
            self.said["options"] = dict.fromkeys((one.switch for one in chosen), True)
            if self.laps is not None and (refusal := self._laps_refused(self.laps)) is not None:
                raise titled(refusal, words)
            return chosen

        def named_one(said: str) -> Variant:
            if is_number(said) and 1 <= int(said) <= len(offered):
                return offered[int(said) - 1]
            wanted = plain(said)
            for fits in (str.__eq__, str.startswith, lambda name, part: f" {part}" in name):
                found = [one for one in offered if wanted and any(fits(name, wanted) for name in called[one.switch])]
                if len(found) == 1:
                    return found[0]
            raise BadSetup("no_such_option", said=said[:40], example=", ".join(names[:2]))

        called = {one.switch: (plain(name), plain(one.switch)) for name, one in zip(names, offered, strict=True)}
        wanted = words.say("choose_options", example=", ".join(map(str, range(1, len(offered) + 1)[:2])))
        chosen = self.ask(wanted, fitting, words.say("options_help", example=names[0]))
        if chosen:
            on = [figure_name(one.switch, words) for one in chosen]
            self.screen.wrapped(words.say("options_on", on=on), "dim", first="  ")
        return True

    def choose_laps(self, begun: bool) -> bool:
        """Choose the number of laps, if no circuit was given; return True if it was asked.

        Raises BadSetup if the rulebook has no race of that length.
        """
        asks = self.laps is None and begun
        on = variants_on(self.kind.name, self.said.get("options", {}))
        usual, (low, high) = laps_on(self.kind.name, self.circuit, on), self.kind.race_ranges["laps"]
        number = _number(usual, low, high, self.words.say("laps_wanted", low=low, high=high))

        def take(said: str) -> int:
            laps = number(said)
            if (refusal := self._laps_refused(laps)) is not None:
                raise titled(refusal, self.words)
            return laps

        if asks:
            self.said["laps"] = self.ask(self.words.say("choose_laps", laps=usual), take)
        elif self.laps is not None:
            self.said["laps"] = number(str(self.laps))
        return asks

    def _laps_refused(self, laps: int) -> BadSetup | None:
        """Return why a race by these rules cannot have so many laps; None if it can."""
        alone = {"rulebook": self.kind.name, "cars": [{"car": 1}], "options": self.said.get("options", {})}
        try:
            begin(alone, self.circuit)
        except BadSetup:
            return None  # whatever is wrong, the laps are not
        try:
            begin({**alone, "laps": laps}, self.circuit)
        except BadSetup as refusal:
            return refusal
        return None

    def choose_cars(self) -> bool:
        """Choose the drivers, or the number of cars; return True if it was asked."""
        most = _most(self.circuit)
        if self.cars is not None:
            self.said["cars"] = drivers(self.screen, self.cars, most)
        elif self.asks_cars:
            wanted = self.words.say("choose_cars")
            self.said["cars"] = self.ask(wanted, lambda said: drivers(self.screen, said, most))
        names = self.names if self.asks_cars or self.cars is not None else {}
        for name in {plain(one): one for one in names.values()}.values():
            if told := same_driver(self.words, name, names):
                self.screen.wrapped(told, "dim", first="  ")
        return self.asks_cars

    def choose_teams(self) -> bool:
        """Choose the teams of a team race; return True if it was asked.

        Cars not named pair up in the listed order.
        """
        options = self.said.get("options", {})
        races_teams = any(one.name == "teams" for one in variants_on(self.kind.name, options))
        asks = self.asks_cars and races_teams
        if asks:
            self.screen.line(" · ".join(self.words.number(number, self.names) for number in self.names))
        sure = not asks
        while not sure:
            teams = self.ask(self.words.say("choose_teams", example=self._pairs()), self._read_teams)
            for car in self.said["cars"]:
                at = next((at for at, team in enumerate(teams) if car["car"] in team), None)
                car.pop("team", None)
                if at is not None:
                    car["team"] = ascii_uppercase[at]
            sure = not teams or sum(map(len, teams)) == len(self.names) or self._is_right()
        if races_teams and self.cars is not None:
            self.screen.wrapped(self._teams(), "dim", first="  ")
        return asks

    def _is_right(self) -> bool:
        """Show the teams with the cars that nobody has named, and ask whether they are right."""
        words = self.words
        return self.ask(words.say("teams_sure", teams=self._teams()), lambda said: plain(said)) in (
            "", *words.say("yes_words").split(),
        )  # fmt: skip

    def _teams(self) -> str:
        """Return the teams with their cars, as the race will pair them."""
        cars, teams = self.said["cars"], dict[str, list[int]]()
        for car, team in zip(cars, paired([car.get("team", "") for car in cars]), strict=True):
            teams.setdefault(team, []).append(car["car"])
        return " · ".join(
            f"{self.words.say('team')} {team}{self.words.say('colon')}"
            + ", ".join(self.words.number(car, self.names) for car in cars)
            for team, cars in sorted(teams.items())
        )

    def _pairs(self) -> str:
        """Return the cars in pairs, as typed."""
        numbers = [*self.names]
        return ", ".join(" ".join(map(str, numbers[at : at + PAIR])) for at in range(0, len(numbers), PAIR))

    def _read_teams(self, said: str) -> list[list[int]]:
        teams = [cars_named(team, self.names, self.words) for team in said.split(",") if team.strip()]
        named = [number for team in teams for number in team]
        if any(len(team) > PAIR for team in teams):
            raise BadSetup("teams_wanted", example=self._pairs())
        if unknown := [number for number in named if number not in self.names]:
            raise BadSetup("typed.no_car", number=unknown[0], cars=[*self.names])
        if twice := [number for number in named if named.count(number) > 1]:
            raise BadSetup("teams_twice", car=twice[0])
        return teams

    def choose_street(self) -> bool:
        """Assign the street drivers given on the command line; never asks.

        Cars without one are asked when the race begins. Raises BadSetup for more names than cars.
        """
        if self.street is None:
            return False
        cards = [card.strip() for card in self.street.split(",")]
        if len(cards) > len(self.said["cars"]):
            raise BadSetup("street_wanted", count=len(self.said["cars"]))
        if left := len(self.said["cars"]) - sum(map(bool, cards)):
            self.screen.wrapped(self.words.say("street_left", count=left), "dim", first="  ")
        numbers = [str(car["car"]) for car in self.said["cars"]]
        self.said["street"] = {
            number: _street_driver(card) for number, card in zip(numbers, cards, strict=False) if card
        }
        self.said["options"] = {**self.said.get("options", {}), "street": True}
        return False

    def choose_last(self) -> bool:
        """Choose the order of a league's last race; return True if it was asked.

        The winner is first; reversed, it is the grid, of which a car alone is not asked.
        """
        asks = self.asks_cars and issubclass(self.kind, League) and len(self.names) > 1
        if asks:
            self.screen.line(" · ".join(self.words.number(number, self.names) for number in self.names))
            self._settle(
                "last", self._ask_numbers(self.words.say("choose_last", example=_listed([*self.names][:-4:-1])))
            )
        elif self.asks_cars:
            self._settle("last", [])
        return asks

    def choose_grid(self) -> bool:
        """Choose the grid of a league without a last race; return True if it was asked."""
        asks = self.asks_cars and issubclass(self.kind, League) and len(self.names) > 1 and "last" not in self.said
        wanted = self.words.say("choose_grid", example=_listed([*self.names][::-1])) if asks else ""
        grid = self._ask_numbers(wanted, whole=True) if asks else []
        self._settle("grid", grid)
        return asks

    def choose_home(self) -> bool:
        """Choose the drivers on their home track; return True if it was asked."""
        asks = self.asks_cars and issubclass(self.kind, League)
        if asks:
            home = self._ask_numbers(self.words.say("choose_home", example=[*self.names][-1]))
            for car in self.said["cars"]:
                car["home"] = car["car"] in home
        return asks

    def choose_deck(self) -> bool:
        """Choose the number of the program's deck; return True if it was asked.

        Without one, the cards are on the table.
        """
        asks = self.asks_cars and self.deck is None and issubclass(self.kind, (Death, Ninety))
        deck = self.deck
        if asks:
            take = _number(0, 1, 10**9, self.words.say("deck_wanted"))
            deck = self.ask(self.words.say("choose_deck"), take)
        if deck:
            self.said["deck"] = deck
        elif asks:
            self.said.pop("deck", None)
        return asks

    def choose_bots(self) -> bool:
        """Choose the number of bots of each speed; return True if it was asked.

        An empty line keeps the rulebook's number.
        """
        asks = self.asks_cars and self.bots is None and issubclass(self.kind, Ninety)
        bots = self.bots
        if asks:
            take = _number(None, 0, MOST_BOTS, self.words.say("bots_wanted", most=MOST_BOTS))
            bots = self.ask(self.words.say("choose_bots"), take)
        if bots is not None and isinstance(options := self.said.get("options", {}), dict):
            self.said["options"] = {**options, **dict.fromkeys(BOT_COUNTS, bots)}
        return asks

    # -- numbers of cars

    @property
    def names(self) -> dict[int, str]:
        """Drivers by car number."""
        return {car["car"]: str(car["driver"]) for car in self.said["cars"]}

    def _ask_numbers(self, wanted: str, *, whole: bool = False) -> list[int]:
        names = self.names

        def take(said: str) -> list[int]:
            numbers = cars_named(said, names, self.words)
            listed = len(set(numbers)) == len(numbers) and set(numbers) <= set(names)
            if not listed or (whole and numbers and len(numbers) < len(names)):
                example = _listed([*names][::-1] if whole else [*names][:-3:-1])
                raise BadSetup("typed.numbers_wanted", all=whole, count=len(names), example=example)
            return numbers

        return self.ask(wanted, take)

    def _settle(self, name: str, numbers: list[int]) -> None:
        """Set the last race or the grid; without numbers, remove an earlier one that was asked for."""
        if numbers:
            self.said[name] = numbers
        elif self.asks_cars:
            self.said.pop(name, None)


def _street_driver(said: str) -> str:
    """Return the street driver whose name contains the text, if only one does; else the text."""
    found = [name for name in STREET if plain(said) in plain(name)]
    return found[0] if len(found) == 1 else said


def _most(circuit: Track | SectionTrack) -> int:
    """Return the most cars allowed, limited by the slots of the circuit's grid."""
    return min(MOST, len(circuit.grid) or MOST) if isinstance(circuit, Track) else MOST


def drivers(screen: RacePrinter, said: str, most: int) -> list[dict[str, Json]]:
    """Return the cars of a list of names such as "Ada, Bob, Cleo", or of a number.

    Raises BadSetup for no cars or more than `most`.
    """
    if is_number(said.strip()):
        names = [""] * int(said) if int(said) <= most else []
    else:
        names = [name.strip() for name in said.split(",") if name.strip()]
    if not 1 <= len(names) <= most:
        raise BadSetup("cars_wanted", most=most)
    for name in names:
        check_name(name, screen.words)
    return [{"car": number, "driver": name[:40]} for number, name in enumerate(names, 1)]


def _read(path: Path) -> dict[str, Json]:
    try:
        lines = path.read_bytes().split(b"\n")
        said = read(b" ".join(lines))
    except OSError as wrong:
        raise BadSetup("file_unread", path=path, why=wrong.strerror) from None
    except NotJson as wrong:
        if not isinstance(at := wrong.facts.get("at"), int):
            raise
        line = b"\n".join(lines).decode("utf-8", "replace")[: at - 1].count("\n") + 1
        raise BadSetup("setup_not_json", line=line, path=path) from None
    if not isinstance(said, dict):
        raise BadSetup("no_setup", path=path)
    said = said.get("setup", said.get("state", said))
    if not isinstance(said, dict):
        raise BadSetup("no_setup", path=path)
    return said


def _save(screen: RacePrinter, make: Callable[[bool], T]) -> T:
    try:
        return make(False)
    except NotSaved as wrong:
        screen.complaint(screen.words.error(wrong))
        if goes_on_in_memory(screen):
            return make(True)
        raise SetupAborted(1) from None


def _columns(screen: RacePrinter, shown: list[str]) -> int:
    """Print one page of texts in columns; return how many fitted."""
    wide = max(map(len, shown)) + 2
    count = max(1, screen.width // wide)
    rows = min(-(-len(shown) // count), PAGE)
    page = shown[: rows * count]
    rows = -(-len(page) // count)
    for row in range(rows):
        screen.line("".join(f"{text:<{wide}}" for text in page[row::rows]).rstrip())
    return len(page)


def _listed(numbers: list[int]) -> str:
    """Return numbers as a comma-separated list."""
    return ", ".join(map(str, numbers))


def _number(usual: T, least: int, most: int, wanted: str) -> Callable[[str], int | T]:
    """Return a parser of numbers from `least` to `most`; empty input gives `usual`."""

    def take(said: str) -> int | T:
        if not said:
            return usual
        if not is_number(said) or not least <= int(said) <= most:
            raise BadSetup(wanted)
        return int(said)

    return take
