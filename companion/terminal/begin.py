"""Beginning a race at the terminal: which circuit, how many laps, who drives; the rest the rulebook asks itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from companion import circuits
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadSetup, BadTrack, CompanionError, LogError, NotSaved
from companion.rules.conversation.setup import MOST
from companion.rules.death.death import Death
from companion.rules.league.league import League
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.ninety.figures import BOT_COUNTS, MOST_BOTS
from companion.rules.ninety.ninety import Ninety
from companion.rules.rulebooks import check_circuit, laps_on, named
from companion.sheets.reading import races, reading
from companion.strict_json import NotJson, read
from companion.terminal.answers import is_number, plain
from companion.terminal.screen import Screen

if TYPE_CHECKING:
    from companion.rules.rulebooks import Kind

T = TypeVar("T")


class Left(Exception):
    """The people left before the race began; `status` is 1 if it could not be kept."""

    def __init__(self, status: int = 0) -> None:
        super().__init__(status)
        self.status = status


def open_race(folder: Path) -> tuple[str, str, int] | None:
    """The race last written, if it is not over: its id, name and round."""
    try:
        with reading(folder) as db:
            for race in races(db)[:1]:
                if not race.over:
                    return race.log_id, race.name, race.round
    except LogError as wrong:
        if wrong.kind != "no_races":
            raise
    return None


def resume(screen: Screen, folder: Path, race: str) -> RaceDesk:
    """Goes on with a race; on a full card asks whether to go on in memory. Raises LogError."""
    return _written(screen, lambda memory: RaceDesk.resume(folder, race, memory=memory))


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
) -> RaceDesk:
    """A new race of what was said at the command line; what is missing is asked. Raises BadSetup, BadTrack, Left."""
    said = _read(setup) if setup is not None else {}
    if rulebook is not None:
        said["rulebook"] = rulebook
    kind = named(said.get("rulebook", "competition"))
    if deck and not issubclass(kind, (Death, Ninety)):
        raise BadSetup("Only the race of cards and the death race have cards that are dealt: --deck.")
    if bots is not None and not issubclass(kind, Ninety):
        raise BadSetup("Only the race of cards has bots: --bots.")
    screen.words.rulebook = kind.name
    name = track or said.get("track") or _circuit(screen, kind)
    circuit = circuits.board(str(name))
    said["track"] = circuits.known_as(circuits.find(str(name)))
    if laps is not None:
        said["laps"] = laps
    elif "laps" not in said and track is None and setup is None:
        said["laps"] = _laps(screen, laps_on(kind.name, circuit), kind.race_ranges["laps"])
    if "cars" not in said or cars is not None:
        most = _most(circuit)
        said["cars"] = drivers(screen, cars, most) if cars is not None else _cars(screen, most)
        if cars is None and issubclass(kind, League):
            said |= _season(screen, said["cars"])
        if cars is None and issubclass(kind, (Death, Ninety)):
            deck = _deck(screen) if deck is None else deck
        if cars is None and issubclass(kind, Ninety):
            bots = _bots(screen) if bots is None else bots
    if deck:
        said["deck"] = deck
    if bots is not None and isinstance(options := said.get("options", {}), dict):
        said["options"] = {**options, **dict.fromkeys(BOT_COUNTS, bots)}
    return _written(screen, lambda memory: begin_race(said, str(name), folder, memory=memory))


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
        said = plain(screen.ask(f"  {screen.words.say('stop_or_memory')} > ") or "")
        if said and said in screen.words.say("memory_words").split():
            return make(True)
        raise Left(1) from None


def _asked(screen: Screen, prompt: str, take: Callable[[str], T]) -> T:
    """Asks until what is typed can be taken."""
    while True:
        said = screen.ask(f"{prompt} > ")
        if said is None:
            raise Left
        try:
            return take(said)
        except CompanionError as wrong:
            screen.complaint(screen.words.error(wrong))


def _circuit(screen: Screen, kind: Kind) -> str:
    sections = issubclass(kind, Ninety)
    keys, driven = (circuits.section_keys(), SectionTrack) if sections else (circuits.keys(), Track)
    own = map(circuits.known_as, circuits.own())
    keys += [key for key in own if isinstance(circuits.at_hand(key), driven)]
    shown = [f"{place:>3} {key}" for place, key in enumerate(keys, 1)]
    wide = max(map(len, shown)) + 2
    count = max(1, screen.width // wide)
    rows = -(-len(shown) // count)
    for row in range(rows):
        screen.line("".join(f"{text:<{wide}}" for text in shown[row::rows]).rstrip())

    def take(said: str) -> str:
        if is_number(said) and 1 <= int(said) <= len(keys):
            said = keys[int(said) - 1]
        try:
            found = circuits.known_as(circuits.find(said))
        except BadTrack:
            raise BadTrack(screen.words.say("no_such_circuit", said=said[:40])) from None
        check_circuit(kind, circuits.board(found))
        return found

    return _asked(screen, screen.words.say("choose_circuit"), take)


def _number(usual: T, least: int, most: int, wanted: str) -> Callable[[str], int | T]:
    """Reads a number in its range; nothing is the usual."""

    def take(said: str) -> int | T:
        if not said:
            return usual
        if not is_number(said) or not least <= int(said) <= most:
            raise BadSetup(wanted)
        return int(said)

    return take


def _laps(screen: Screen, usual: int, allowed: tuple[int, int]) -> int:
    low, high = allowed
    take = _number(usual, low, high, screen.words.say("laps_wanted", low=low, high=high))
    return _asked(screen, screen.words.say("choose_laps", laps=usual), take)


def _deck(screen: Screen) -> int:
    """The number of a deck of the program, 0 for cards on the table."""
    return _asked(screen, screen.words.say("choose_deck"), _number(0, 1, 10**9, screen.words.say("deck_wanted")))


def _bots(screen: Screen) -> int | None:
    """How many bots of each speed, None for as many as the rules have."""
    take = _number(None, 0, MOST_BOTS, screen.words.say("bots_wanted", most=MOST_BOTS))
    return _asked(screen, screen.words.say("choose_bots"), take)


def _season(screen: Screen, cars: list[dict[str, Json]]) -> dict[str, Json]:
    """What a race of the league has from its season: the last race, by which the grid is turned round, else the grid if
    it is settled, and whose home track it is."""
    names = {car["car"]: str(car["driver"]) for car in cars}
    screen.line(" · ".join(screen.words.number(number, names) for number in names))

    def asked(prompt: str, *, whole: bool = False) -> list[Json]:
        def take(said: str) -> list[Json]:
            numbers = [int(part) if is_number(part) else 0 for part in said.replace(",", " ").split()]
            listed = len(set(numbers)) == len(numbers) and set(numbers) <= set(names)
            if not listed or (whole and numbers and len(numbers) < len(names)):
                raise BadSetup(screen.words.say("numbers_wanted", all=whole, count=len(names)))
            return [*numbers]

        return _asked(screen, prompt, take)

    last = asked(screen.words.say("choose_last"))
    settled = {"last": last} if last else {"grid": asked(screen.words.say("choose_grid"), whole=True)}
    home = asked(screen.words.say("choose_home"))
    for car in cars:
        car["home"] = car["car"] in home
    return settled


def _cars(screen: Screen, most: int) -> list[dict[str, Json]]:
    return _asked(screen, screen.words.say("choose_cars"), lambda said: drivers(screen, said, most))
