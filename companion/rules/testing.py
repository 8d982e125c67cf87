"""A check for authors of a rulebook: an answer costs what it was offered for, and every cost is ruled.

`check` plays random races. Wherever a rulebook of dice asks a car something, it tries every answer on a copy of the
race, follows it until somebody has a choice again, and compares what the car has lost, whether it spins and whether it
is out with what the option showed. In the race of cards it does so where cards are played and paid for. It also finds
points that change without a ruling. `settlements` does the same for made-up moves, which random races seldom come to:
overshooting, blocking and braking together, with few points left. Both return what they found as sentences; a sound
rulebook has none.

>>> from companion import circuits
>>> from companion.drivers.chance import RandomDriver
>>> from companion.rules.dice.competition import Competition
>>> monza = circuits.load("monza")
>>> check(Competition, [monza], [RandomDriver], races=1)
[]
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, cast

from msgspec.structs import replace

from companion.rules.circuit.leg import Over
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Asked, Json, JsonValue, Option, Ruling
from companion.rules.conversation.consequence import OFFERS
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.kinds import Pools
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.variants import compose
from companion.rules.dice.wear import Charges
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.rulebooks import RULEBOOKS, begin, variants_on

if TYPE_CHECKING:
    from companion.rules.dice.state import Car
    from companion.rules.rulebooks import Book, Dice, Kind

LONGEST: Final = 4000
"""Number of answers after which a race cannot be going on any more."""
FEW: Final = 4
"""Maximum points of a pool in a made-up move: where they end is where rules meet."""


AMID: Final = ("use", "sight")
"""Offers amid a move, whose price was shown before."""
LEFT: Final = ("kers",)
"""Offers amid a move that show a price of their own, but if they are left that of the move, which was shown before."""
FORCED: Final = ("place", "front", "pay")
"""Questions that only settle how a move goes on, or how it is paid for."""
PLAYED: Final = ("play", "pay")
"""Questions of the race of cards that show a price. A card that is laid down for a tyre counts as one."""


class CheckDriver(Protocol):
    """Answers any question of a race with something legal; `companion.drivers` has some."""

    def answer(self, asked: Asked, race: Json) -> Json: ...


MakeDriver = Callable[..., CheckDriver]
"""Factory of a driver for a circuit, from a seed."""


def check(
    rulebook: Kind | str,
    tracks: Sequence[Track | SectionTrack],
    drivers: Sequence[MakeDriver],
    races: int = 100,
    seed: int = 0,
    *,
    setup: Mapping[str, Json] | None = None,
    articles: Container[str] | None = None,
    moves: int = 2000,
    aside: bool = True,
) -> list[str]:
    """Return all that is wrong with a rulebook, a sentence each, from random races and made-up moves.

    `rulebook` is one, or the name of one. `races` are driven on the `tracks` in turn, each by one of the `drivers`,
    which are handed in because the rules know none; the same `seed` plays the same races. `setup` is what every race
    has besides, such as options. With `articles` every article that is cited must be one of them. A race takes up to a
    second of processor time, and a tenth of it without `aside`, where no answer is tried on a copy.
    """
    rulebook = RULEBOOKS[rulebook] if isinstance(rulebook, str) else rulebook
    found: list[str] = []
    boards = [track for track in tracks if isinstance(track, Track) and track.known == "space"]
    with _register(rulebook):
        for variant in variants_on(rulebook.name, (setup or {}).get("options", {})):
            if compose(rulebook.chapters(), [variant]) == rulebook.chapters():
                found.append(f"{rulebook.name}: {variant.name} changes no chapter of this rulebook.")
        for number in range(seed, seed + races):
            track, make = tracks[number % len(tracks)], drivers[number % len(drivers)]
            race = _Race(rulebook, track, make(track, number), number, setup or {}, articles)
            found += [f"{rulebook.name}, {track.key}, race {number}: {fault}" for fault in race.play(aside=aside)]
        if issubclass(rulebook, FormulaDe) and boards:
            found += settlements(rulebook, boards[0], moves, seed, setup=setup)
    return found


@contextmanager
def _register(rulebook: Kind) -> Iterator[None]:
    """Have a rulebook found by its name meanwhile."""
    if RULEBOOKS.get(rulebook.name) is rulebook:
        yield
        return
    RULEBOOKS.add(rulebook)
    try:
        yield
    finally:
        RULEBOOKS.drop(rulebook.name)


class _Race:
    """One random race, and what is wrong with it."""

    def __init__(
        self,
        rulebook: Kind,
        track: Track | SectionTrack,
        driver: CheckDriver,
        seed: int,
        setup: Mapping[str, Json],
        articles: Container[str] | None,
    ) -> None:
        self.track, self.driver, self.articles = track, driver, articles
        chance = Random(f"{rulebook.name} {track.key} {seed}")
        cars = [{"car": number} for number in range(1, chance.randint(3, 6))]
        laps = 1 if issubclass(rulebook, FormulaDe) else 6
        on = variants_on(rulebook.name, setup.get("options", {}))
        distance = {} if any(variant.laps for variant in on) else {"laps": laps}
        self.setup = {"cars": cars, **distance, **setup, "rulebook": rulebook.name, "track": track.key}
        self.talk = self.begin()
        self.ruled: list[list[Ruling]] = []

    def begin(self) -> Conversation:
        return Conversation(begin(self.setup, cast("Track", self.track)))  # or of sections, by its rulebook

    @property
    def book(self) -> Book:
        return self.talk.rulebook  # type: ignore[return-value]

    def play(self, *, aside: bool = True) -> Iterator[str]:
        """Play it to the end, and try every answer on a copy."""
        talk = self.talk
        scratch = self.book.clone()
        while (asked := talk.asked) is not None:
            if talk.n > LONGEST:
                yield "it does not end."
                return
            if (
                aside
                and (isinstance(self.book, FormulaDe) or asked.ask in PLAYED)
                and asked.car is not None
                and asked.faces is None
                and asked.options
            ):
                yield from self.compare(talk.fork(scratch, talk.n), asked)
            had = points_of(self.book)
            try:
                self.ruled.append(talk.answer(self.driver.answer(asked, self.book.race)))
            except CompanionError as wrong:
                yield f"answer {talk.n}, {asked.ask}: {wrong}"
                return
            if fault := unruled(had, self.book, self.ruled[-1]):
                yield f"answer {talk.n - 1}, {asked.ask}: {fault}"
                return
            for ruling in self.ruled[-1]:
                if self.articles is not None and ruling.article not in self.articles:
                    yield f"answer {talk.n - 1}: {ruling.kind} cites {ruling.article}, which is no article."
        yield from self.check_replay()

    def compare(self, fork: Conversation, asked: Asked) -> Iterator[str]:
        """Every answer on a copy of the race: what it costs is what it was offered for, and undoing it is exact."""
        assert asked.car is not None
        before, points = fork.digest, points_of(cast("Book", fork.rulebook))
        had = points[asked.car]
        due = NOTHING  # of a move whose price was shown with the landing, and which goes on however this is answered
        if asked.ask in (*AMID, *LEFT):
            due = CarOutcome.of(follow(fork, fork.answer(OFFERS[asked.ask])), asked.car)
            fork.rewind(asked.n)
        for option in asked.options or ():
            try:
                rulings = follow(fork, fork.answer(option.answer))
            except CompanionError as wrong:
                yield f"answer {asked.n}, {asked.ask} {option.answer}: offered and refused: {wrong}"
            else:
                if asked.ask in PLAYED:
                    shown, ruled = CarOutcome.of_play(option), CarOutcome.paid(rulings, asked.car, option)
                else:
                    owed = NOTHING if asked.ask in LEFT and option.answer is not None else due
                    shown, ruled = CarOutcome.from_option(option, had, owed), CarOutcome.of(rulings, asked.car)
                if fault := mismatch(shown, ruled) or unruled(points, cast("Book", fork.rulebook), rulings):
                    yield f"answer {asked.n}, {asked.ask} {option.answer}: {fault}"
            fork.rewind(asked.n)
            if fork.digest != before:
                yield f"answer {asked.n}, {asked.ask} {option.answer}: taken back, the race is another."
                return

    def check_replay(self) -> Iterator[str]:
        """Check that the same answers bring the same rulings and the same end."""
        talk = self.begin()
        for event, ruled in zip(self.talk.events, self.ruled, strict=True):
            if talk.apply(event) != ruled:
                yield f"answer {talk.n - 1}: given again it is ruled otherwise."
                return
        if talk.digest != self.talk.digest:
            yield "the same answers lead to another end."


class CarOutcome(NamedTuple):
    """The outcome for one car: the points it loses by pool, how often it spins, and why it is out, if it is."""

    lost: Pools
    spins: int = 0
    out: str = ""

    @classmethod
    def of(cls, rulings: Sequence[Ruling], car: int | None) -> CarOutcome:
        """Return what was ruled."""
        own = [ruling for ruling in rulings if ruling.car == car and ruling.kind != "override"]
        lost: Pools = {}
        for ruling in own:
            for pool, points in ruling.wear.items():
                if points < 0:
                    lost[pool] = lost.get(pool, 0) - points
        out = next((str(ruling.facts.get("cause")) for ruling in own if ruling.kind == "out"), "")
        return cls(lost, sum(ruling.kind == "spin" for ruling in own), out)

    @classmethod
    def from_option(cls, option: Option, had: Pools, due: CarOutcome) -> CarOutcome:
        """Return what an option shows, with what is `due` besides; nobody loses more than he `had`."""
        lost: Pools = {}
        for pool, points in had.items():
            count = min(points, due.lost.get(pool, 0) - min(0, option.wear.get(pool, 0)))
            if count:
                lost[pool] = count
        out = str(option.facts.get("out", due.out))
        return cls(lost, int(bool(due.spins or option.facts.get("spin"))), out)

    @classmethod
    def of_play(cls, option: Option) -> CarOutcome:
        """Return what an option of the race of cards shows: what is to be paid, unless the driver cannot."""
        out = str(option.facts.get("out", ""))
        return cls({pool: -points for pool, points in option.wear.items() if points and out != "unpaid"}, out=out)

    @classmethod
    def paid(cls, rulings: Sequence[Ruling], car: int | None, option: Option) -> CarOutcome:
        """Return what was ruled on that option; what puts a car out later in its turn is no part of it."""
        own = [ruling for ruling in rulings if ruling.car == car]
        lost: Pools = {}
        for pool, points in (paid for ruling in own if ruling.kind == "paid" for paid in ruling.wear.items()):
            named = pool if pool in option.wear else "tyres"
            lost[named] = lost.get(named, 0) - points
        causes = [str(ruling.facts["cause"]) for ruling in own if ruling.kind == "out"]
        out = next((cause for cause in causes if cause in ("unpaid", option.facts.get("out"))), "")
        return cls(lost, out=out)


NOTHING: Final = CarOutcome({})


def follow(talk: Conversation, rulings: Sequence[Ruling]) -> list[Ruling]:
    """Go on until somebody has a choice or the die of a gear is due; return all that is ruled.

    Tests show their last face, which costs nothing, offers are declined, and where a car must go on somehow it does so
    the first way.
    """
    ruled = list(rulings)
    while (question := talk.question) is not None:
        answer: JsonValue
        if question.ask in OFFERS:
            answer = OFFERS[question.ask]
        elif question.ask == "test" and question.faces is not None:
            answer = question.faces[-1]
        elif question.ask in FORCED:
            answer = question.options()[0].answer
        else:
            break
        ruled += talk.answer(answer)
    return ruled


def mismatch(shown: CarOutcome, ruled: CarOutcome) -> str:
    """Return how a ruling differs from what was shown, as a sentence without its beginning; empty if it does not."""
    if ruled.lost != shown.lost:
        return f"offered for {shown.lost or 'nothing'}, costs {ruled.lost or 'nothing'}."
    if ruled.out != shown.out:
        return f"offered as {shown.out or 'staying in'}, ruled {ruled.out or 'not out'}."
    if ruled.spins != shown.spins:
        return f"spins {ruled.spins} times, and says {shown.spins}."
    return ""


def points_of(book: Book) -> dict[int, Pools]:
    """Return the points that every car has left, by its number."""
    return {car.number: dict(car.wear) for car in book.race.cars}


def unruled(had: Mapping[int, Pools], book: Book, rulings: Sequence[Ruling]) -> str:
    """Return which points have changed without a ruling, as a sentence without its beginning; empty if none have.

    `had` are the points that every car had before the rulings.
    """
    for number, after in points_of(book).items():
        if not had[number]:  # a car that is built now
            continue
        due = dict(had[number])
        for ruling in rulings:
            if ruling.car == number:
                for pool, points in ruling.wear.items():
                    due[pool] = due.get(pool, 0) + points
        if changed := {pool: after[pool] - due.get(pool, 0) for pool in after if after[pool] != due.get(pool, 0)}:
            told = ", ".join(f"{pool} {points:+}" for pool, points in changed.items())
            return f"changes the points of car {number} without a ruling: {told}."
    return ""


def settlements(
    rulebook: type[Dice],
    track: Track,
    moves: int = 2000,
    seed: int = 0,
    *,
    setup: Mapping[str, Json] | None = None,
) -> list[str]:
    """Return a sentence for each of `moves` made-up moves that is settled otherwise than it was priced.

    The moves have few points left, corners overshot, spaces blocked and braked.
    """
    found: list[str] = []
    chance = Random(f"{rulebook.name} {seed}")
    spaces = [space.name for space in track.spaces if space.section >= 0 and space.id not in track.blocked]
    begun = {**(setup or {}), "rulebook": rulebook.name, "track": track.key, "laps": 2}
    cars = [{"car": 1, "at": spaces[0], "gear": 2, "lap": 1}, {"car": 2, "at": spaces[-1], "gear": 2, "lap": 1}]
    with _register(rulebook):
        book = begin({**begun, "cars": cars, "to_play": [1, 2]}, track)
    saved = book.save()
    for number in range(moves):
        book.load(saved)
        book.ruled.clear()
        if fault := _settled(book, chance):
            found.append(f"{rulebook.name}, {track.key}, move {number}: {fault}")
    return found


def _settled(book: Dice, chance: Random) -> str:
    """Settle one made-up move on a scratch race."""
    race, car = book.race, book.race.cars[0]
    car.wear = {pool: chance.randint(0, FEW) for pool in car.wear}
    left = book.wear.points_left(car, "brakes")
    charges = Charges(
        brakes=chance.choice((0, 0, 1, 2)) if left else 0,
        overs=tuple(
            Over(corner, chance.randint(1, 3), chance.choice((1, 1, 1, 2)))
            for corner in range(chance.choice((0, 1, 1, 2)))
        ),
        blocked=chance.choice((0, 0, 1, 2, 4, 8)),
    )
    charges = replace(charges, brakes=min(charges.brakes, left))
    cost = book.landings.landing_cost(car, book.wear.purse(car), charges)
    points = points_of(book)
    had = points[car.number]
    shown = CarOutcome.from_option(Option(None, book.wear.option_cost(cost), cost.option_facts()), had, NOTHING)
    race.move = move = book.turn.new_move(car)
    move.moved, move.braked, move.blocked = 1, charges.brakes, charges.blocked
    move.overs = list(charges.overs)
    book.moving.brake(car, charges.brakes)
    _run(book, car)
    fault = mismatch(shown, CarOutcome.of(book.ruled, car.number)) or unruled(points, book, book.ruled)
    return f"{charges} with {had}: {fault}" if fault else ""


def _run(book: Dice, car: Car) -> None:
    """Settle the move of a car; tests show their last face, of other answers the first is given."""
    step = book.turn.settle(car)
    try:
        question = next(step)
        while True:
            faces = question.faces
            answer = faces[-1] if faces is not None else question.options()[0].answer
            question = step.send(question.read(answer))
    except StopIteration:
        return
