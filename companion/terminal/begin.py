"""Beginning a race at the terminal: which rulebook and circuit, how many laps, who drives; the rest the rulebook asks
itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from companion import circuit_index, circuits, house_rules
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadSetup, BadTrack, CompanionError, LogError, NotSaved
from companion.rules.conversation.setup import MOST, read_options
from companion.rules.death.death import Death
from companion.rules.formula_d import PAIR, STREET, FormulaD
from companion.rules.league import League
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.ninety.figures import BOT_COUNTS, MOST_BOTS
from companion.rules.ninety.ninety import Ninety
from companion.rules.rulebooks import RULEBOOKS, check_circuit, laps_on, named, variants_on
from companion.sheets.reading import races, reading
from companion.strict_json import NotJson, read
from companion.terminal.answers import is_number, plain
from companion.terminal.prompts import Command, check_name, command_in, goes_on_in_memory
from companion.terminal.screen import Screen
from companion.view.setup.draft import FIRST, usual_rules
from companion.view.setup.new_race import rulebook_name

if TYPE_CHECKING:
    from companion.rules.rulebooks import Kind

T = TypeVar("T")

PAGE: Final = 18
"""How many rows of circuits are printed at once: a terminal of 24 lines has room for the question as well."""


class Left(Exception):
    """The people left before the race began; `status` is 1 if it could not be kept."""

    def __init__(self, status: int = 0) -> None:
        super().__init__(status)
        self.status = status


def open_race(folder: Path) -> tuple[str, str, int] | None:
    """The race last written, if it is not over: its id, name and round."""
    try:
        with reading(folder) as db:
            for race in races(db, most=1):
                if not race.over:
                    return race.log_id, race.name, race.round
    except LogError as wrong:
        if wrong.kind != "no_races":
            raise
    return None


def resume(screen: Screen, folder: Path, race: str) -> RaceDesk:
    """Goes on with a race; on a full card asks whether to go on in memory. Raises LogError."""
    return _written(screen, lambda memory: RaceDesk.resume(folder, race, memory=memory))


def goes_on(screen: Screen, race: str, round_: int) -> bool:
    """Ask whether to go on with an open race; False for a new one. Raises Left."""
    words = screen.words

    def take(said: str) -> bool:
        if not said or plain(said) in words.say("yes_words").split():
            return True
        if plain(said) in words.say("no_words").split():
            return False
        raise BadSetup(words.say("yes_or_no"))

    while True:
        try:
            return Asking(screen).ask(words.say("resume_race", race=race, round=round_), take)
        except Undone:
            screen.complaint(words.say("not_yet"))


def new_race(
    screen: Screen,
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
    """A new race of what was said at the command line; what is missing is asked. Raises BadSetup, BadTrack, Left."""
    said = _read(setup) if setup is not None else {}
    if house is not None:
        said = house_rules.find(folder, house).into(said | ({"rulebook": rulebook} if rulebook else {}))
    given = NewRace(
        screen, said, folder, track=track, laps=laps, cars=cars, rulebook=rulebook, deck=deck, bots=bots, street=street
    )
    given.changes = dict(house_rules.option(change) for change in changes)
    last = usual_rules(folder, given.saved)
    given.usual = last if isinstance(last, str) else last.name
    given.fill(anew=setup is None)
    return _written(screen, lambda memory: begin_race(said, given.name, folder, memory=memory))


class Undone(Exception):
    """The question before is to be asked again."""


class Asking:
    """Questions before a race, which take the same words as those in it."""

    def __init__(self, screen: Screen) -> None:
        self.screen, self.words = screen, screen.words
        self.rulebook = "competition"
        """Whose articles can be read."""

    def ask(self, wanted: str, take: Callable[[str], T]) -> T:
        """Ask until what is typed can be taken. Raises Left, and Undone for undo."""
        while True:
            said = self.screen.ask(f"{wanted} > ")
            command = Command("quit", "") if said is None else command_in(said, self.words, free="," in said)
            try:
                if command is None:
                    return take(said or "")
                self._obey(command, wanted)
            except CompanionError as wrong:
                self.screen.complaint(self.words.error(wrong))

    def _obey(self, command: Command, wanted: str) -> None:
        if command.name == "quit":
            raise Left
        if command.name == "undo":
            raise Undone
        if command.name == "help":
            self.screen.wrapped(self.words.say("wanted_here", wanted=wanted), "bold", first="  ")
            self.screen.wrapped(self.words.say("help_before"), first="  ")
        elif command.name == "rules":
            self.screen.articles(command.rest, self.rulebook)
        else:
            raise BadSetup(self.words.say("not_yet"))


class NewRace(Asking):
    """What was said of a new race at the command line, and what else it needs: asked a step at a time, as far back as
    anybody likes."""

    kind: Kind
    name: str
    circuit: Track | SectionTrack
    usual = FIRST
    """The rulebook, or the house rules by their name, of whoever only presses Enter."""

    def __init__(
        self,
        screen: Screen,
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
        self.changes: dict[str, Json] = {}
        """Figures and switches that are other than the rulebook's or the house rules'."""

    def fill(self, *, anew: bool) -> None:
        """Ask for what is missing: undo goes back to the question before. Of a race that is not begun `anew`, from
        nothing but words, rulebook and laps are not asked. Raises BadSetup, BadTrack, Left."""
        begun = anew and self.track is None
        steps: list[Callable[[], bool]] = [lambda: self.choose_rulebook(begun), self.choose_circuit]
        steps += [lambda: self.choose_laps(begun), self.choose_cars, self.choose_teams, self.choose_street]
        steps += [self.choose_last, self.choose_grid, self.choose_home, self.choose_deck, self.choose_bots]
        asked: list[int] = []
        at = 0
        while at < len(steps):
            try:
                if steps[at]():
                    asked.append(at)
                at += 1
            except Undone:
                if not asked:
                    self.screen.complaint(self.words.say("first_question"))
                at = asked.pop() if asked else at

    # -- the steps; whether they asked

    def choose_rulebook(self, begun: bool) -> bool:
        """Which rulebook; raises BadSetup where it has no use for what was said of cards."""
        asks = begun and self.given_rulebook is None
        if asks:
            names: list[str] = [*RULEBOOKS, *(one.name for one in self.saved)]
            for place, name in enumerate(RULEBOOKS, 1):
                self.screen.line(f"{place:>3} {name:<12} {rulebook_name(name, self.words)}")
                if about := self.words.maybe(f"new_race.about.{name}"):
                    self.screen.wrapped(about, "dim", first=" " * 4)
            for place, one in enumerate(self.saved, len(RULEBOOKS) + 1):
                self.screen.line(f"{place:>3} {one.name} ({rulebook_name(one.rulebook, self.words)})")
            usual = self.usual

            def take(said: str) -> str:
                if is_number(said) and 1 <= int(said) <= len(names):
                    return names[int(said) - 1]
                called: dict[str, str] = {plain(one.name): one.name for one in self.saved}
                called |= {plain(rulebook_name(name, self.words)): name for name in RULEBOOKS}
                called |= {name: name for name in RULEBOOKS}
                if said and plain(said) not in called:
                    raise BadSetup(self.words.say("no_such_rulebook", said=said[:40]))
                return called[plain(said)] if said else usual

            chosen = self.ask(self.words.say("choose_rulebook", usual=usual), take)
            by_name = {one.name: one for one in self.saved}
            house = by_name.get(chosen) if chosen not in RULEBOOKS else None
            self.said["rulebook"] = house.rulebook if house is not None else chosen
            self.said.pop("options", None)
            if house is not None:
                self.said["options"] = house.options
        elif self.given_rulebook is not None:
            self.said["rulebook"] = self.given_rulebook
        self.kind = named(self.said.get("rulebook", "competition"))
        if self.changes:
            if isinstance(options := self.said.get("options", {}), dict):
                self.said["options"] = {**options, **self.changes}
            read_options(self.said, self.kind.figure_table())
        self.rulebook = self.words.rulebook = self.kind.name
        if self.deck and not issubclass(self.kind, (Death, Ninety)):
            raise BadSetup("Only the race of cards and the death race have cards that are dealt: --deck.")
        if self.bots is not None and not issubclass(self.kind, Ninety):
            raise BadSetup("Only the race of cards has bots: --bots.")
        if self.street is not None and not issubclass(self.kind, FormulaD):
            raise BadSetup("Only Formula D has street drivers: --street.")
        return asks

    def choose_circuit(self) -> bool:
        """Which circuit, on which that rulebook can be driven."""
        self.name = str(self.track or self._ask_circuit())
        self.circuit = circuits.board(self.name)
        check_circuit(self.kind, self.circuit)
        self.said["track"] = circuits.known_as(circuits.find(self.name))
        return not self.track

    def _ask_circuit(self) -> str:
        """The number of a circuit, its name or a part of it. A board of the table's own is read when it is chosen; one
        that is known to be wrong, or on which the rulebook is not driven, is not listed."""
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
            """The only circuit with these letters in it; of several a list, and nothing is chosen yet."""
            part = circuits.plain(said)
            places = [at for at, one in enumerate(listed) if part and part in circuits.plain(f"{one.key} {one.name}")]
            if not places:
                raise BadTrack(self.words.say("no_such_circuit", said=said[:40]))
            if len(places) > 1:
                _columns(self.screen, [shown[at] for at in places])
                raise BadTrack(self.words.say("several_circuits", said=said[:40], count=len(places)))
            return listed[places[0]].key

        return self.ask(self.words.say("choose_circuit", example=listed[0].key), take)

    def choose_laps(self, begun: bool) -> bool:
        """How many laps, where the circuit was not named at once; raises BadSetup for what was said of them if the
        rulebook has no such race."""
        asks = self.laps is None and begun
        on = variants_on(self.kind.name, self.said.get("options", {}))
        usual, (low, high) = laps_on(self.kind.name, self.circuit, on), self.kind.race_ranges["laps"]
        take = _number(usual, low, high, self.words.say("laps_wanted", low=low, high=high))
        if asks:
            self.said["laps"] = self.ask(self.words.say("choose_laps", laps=usual), take)
        elif self.laps is not None:
            self.said["laps"] = take(str(self.laps))
        return asks

    def choose_cars(self) -> bool:
        """Who drives, or how many cars there are."""
        most = _most(self.circuit)
        if self.cars is not None:
            self.said["cars"] = drivers(self.screen, self.cars, most)
        elif self.asks_cars:
            wanted = self.words.say("choose_cars")
            self.said["cars"] = self.ask(wanted, lambda said: drivers(self.screen, said, most))
        return self.asks_cars

    def choose_teams(self) -> bool:
        """Who drives with whom, in a race for teams; who is not named pairs up as listed."""
        options = self.said.get("options", {})
        asks = self.asks_cars and any(one.name == "teams" for one in variants_on(self.kind.name, options))
        if asks:
            self.screen.line(" · ".join(self.words.number(number, self.names) for number in self.names))
            teams = self.ask(self.words.say("choose_teams", example=self._pairs()), self._read_teams)
            for car in self.said["cars"]:
                car.pop("team", None)
                if (at := next((at for at, team in enumerate(teams) if car["car"] in team), None)) is not None:
                    car["team"] = f"{self.words.say('team')} {at + 1}"
        return asks

    def _pairs(self) -> str:
        """The cars two by two, as they are typed."""
        numbers = [*self.names]
        return ", ".join(" ".join(map(str, numbers[at : at + PAIR])) for at in range(0, len(numbers), PAIR))

    def _read_teams(self, said: str) -> list[list[int]]:
        teams = [
            [int(one) if is_number(one) else 0 for one in team.split()] for team in said.split(",") if team.strip()
        ]
        named = [number for team in teams for number in team]
        if len(set(named)) < len(named) or not set(named) <= set(self.names) or any(len(team) > 2 for team in teams):
            raise BadSetup(self.words.say("teams_wanted", example=self._pairs()))
        return teams

    def choose_street(self) -> bool:
        """Give the cars the street drivers named at the command line; whose is left out is asked when the race begins.
        Raises BadSetup for more names than cars."""
        if self.street is None:
            return False
        cards = [card.strip() for card in self.street.split(",")]
        if len(cards) > len(self.said["cars"]):
            raise BadSetup(self.words.say("street_wanted", count=len(self.said["cars"])))
        numbers = [str(car["car"]) for car in self.said["cars"]]
        self.said["street"] = {
            number: _street_driver(card) for number, card in zip(numbers, cards, strict=False) if card
        }
        self.said["options"] = {**self.said.get("options", {}), "street": True}
        return False

    def choose_last(self) -> bool:
        """The last race of a league, by which the grid is turned round."""
        asks = self.asks_cars and issubclass(self.kind, League)
        if asks:
            self.screen.line(" · ".join(self.words.number(number, self.names) for number in self.names))
            self._settle(
                "last", self._ask_numbers(self.words.say("choose_last", example=_listed([*self.names][:-4:-1])))
            )
        return asks

    def choose_grid(self) -> bool:
        """The grid of a league without a last race, if it is settled."""
        asks = self.asks_cars and issubclass(self.kind, League) and "last" not in self.said
        wanted = self.words.say("choose_grid", example=_listed([*self.names][::-1])) if asks else ""
        grid = self._ask_numbers(wanted, whole=True) if asks else []
        self._settle("grid", grid)
        return asks

    def choose_home(self) -> bool:
        """Whose home track it is."""
        asks = self.asks_cars and issubclass(self.kind, League)
        if asks:
            home = self._ask_numbers(self.words.say("choose_home", example=[*self.names][-1]))
            for car in self.said["cars"]:
                car["home"] = car["car"] in home
        return asks

    def choose_deck(self) -> bool:
        """The number of a deck of the program, none for cards on the table."""
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
        """How many bots of each speed, or as many as the rules have."""
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
        """The cars by number, with their drivers."""
        return {car["car"]: str(car["driver"]) for car in self.said["cars"]}

    def _ask_numbers(self, wanted: str, *, whole: bool = False) -> list[int]:
        names = self.names

        def take(said: str) -> list[int]:
            numbers = [int(part) if is_number(part) else 0 for part in said.replace(",", " ").split()]
            listed = len(set(numbers)) == len(numbers) and set(numbers) <= set(names)
            if not listed or (whole and numbers and len(numbers) < len(names)):
                example = _listed([*names][::-1] if whole else [*names][:-3:-1])
                raise BadSetup(self.words.say("numbers_wanted", all=whole, count=len(names), example=example))
            return numbers

        return self.ask(wanted, take)

    def _settle(self, name: str, numbers: list[int]) -> None:
        """Set the last race or the grid, where there is one; else what was said of it before is gone."""
        if numbers:
            self.said[name] = numbers
        elif self.asks_cars:
            self.said.pop(name, None)


def _street_driver(said: str) -> str:
    """The street driver of whose name a part is said, if there is one only; else what was said."""
    found = [name for name in STREET if plain(said) in plain(name)]
    return found[0] if len(found) == 1 else said


def _most(circuit: Track | SectionTrack) -> int:
    """The most cars there may be: the slots of the grid, where the circuit has one."""
    return min(MOST, len(circuit.grid) or MOST) if isinstance(circuit, Track) else MOST


def drivers(screen: Screen, said: str, most: int) -> list[dict[str, Json]]:
    """The cars of "Ada, Bob, Cleo" or of a number; raises BadSetup for none or too many."""
    if is_number(said.strip()):
        names = [""] * int(said) if int(said) <= most else []
    else:
        names = [name.strip() for name in said.split(",") if name.strip()]
    if not 1 <= len(names) <= most:
        raise BadSetup(screen.words.say("cars_wanted", most=most))
    for name in names:
        check_name(name, screen.words)
    return [{"car": number, "driver": name[:40]} for number, name in enumerate(names, 1)]


def _read(path: Path) -> dict[str, Json]:
    try:
        lines = path.read_bytes().split(b"\n")
        said = read(b" ".join(lines))
    except OSError as wrong:
        raise BadSetup(f"{path} cannot be read: {wrong.strerror}.") from None
    except NotJson as wrong:
        if not isinstance(at := wrong.facts.get("at"), int):
            raise
        line = b"\n".join(lines).decode("utf-8", "replace")[: at - 1].count("\n") + 1
        raise BadSetup(f"Line {line} of {path} is not JSON; a setup is one JSON object.") from None
    if not isinstance(said, dict):
        raise BadSetup(f"{path} holds no setup; a setup is one JSON object.")
    said = said.get("setup", said.get("state", said))
    if not isinstance(said, dict):
        raise BadSetup(f"{path} holds no setup; a setup is one JSON object.")
    return said


def _written(screen: Screen, make: Callable[[bool], T]) -> T:
    try:
        return make(False)
    except NotSaved as wrong:
        screen.complaint(screen.words.error(wrong))
        if goes_on_in_memory(screen):
            return make(True)
        raise Left(1) from None


def _columns(screen: Screen, shown: list[str]) -> int:
    """Print a page of texts in columns, and return how many there was room for."""
    wide = max(map(len, shown)) + 2
    count = max(1, screen.width // wide)
    rows = min(-(-len(shown) // count), PAGE)
    page = shown[: rows * count]
    rows = -(-len(page) // count)
    for row in range(rows):
        screen.line("".join(f"{text:<{wide}}" for text in page[row::rows]).rstrip())
    return len(page)


def _listed(numbers: list[int]) -> str:
    """Return numbers as people type several of them."""
    return ", ".join(map(str, numbers))


def _number(usual: T, least: int, most: int, wanted: str) -> Callable[[str], int | T]:
    """Reads a number in its range; nothing is the usual."""

    def take(said: str) -> int | T:
        if not said:
            return usual
        if not is_number(said) or not least <= int(said) <= most:
            raise BadSetup(wanted)
        return int(said)

    return take
