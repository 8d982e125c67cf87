"""A check for authors of a rulebook: an answer costs what it was offered for, and every cost is ruled.

`check` plays random races. Wherever a rulebook of dice asks a car something, it tries every answer on a copy of the
race, follows it until somebody has a choice again, and compares what the car has lost, whether it spins and whether it
is out with what the option showed. In the race of cards it does so where cards are played and paid for. It also finds
points that change without a ruling, and positions that a setup could not have. It does the same in made-up turns, for
random races seldom come to a slipstream or to the pits: `made_up` has them. `settlements` settles made-up moves:
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
from contextlib import contextmanager, suppress
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from msgspec.structs import replace

from companion.rules.circuit.leg import Over
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Asked, Json, JsonValue, Option, Ruling
from companion.rules.conversation.consequence import OFFERS
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadSetup, CompanionError
from companion.rules.conversation.kinds import Pools
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.variants import Variant, compose
from companion.rules.dice.wear import Charges
from companion.rules.made_up import MATTERS, CheckDriver, Directed, make_turn
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.rulebooks import RULEBOOKS, begin, named, variants_on

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
INTO_CORNER: Final = "slipstream into a corner"
"""Mark of a slipstream from a straight into a corner, among the kinds of rulings that were met."""
PLAYED: Final = ("play", "pay")
"""Questions of the race of cards that show a price. A card that is laid down for a tyre counts as one."""


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
    turns: int = 5 * len(MATTERS),
    moves: int = 2000,
    aside: bool = True,
) -> list[str]:
    """Return all that is wrong with a rulebook, a sentence each, from random races, made-up turns and made-up moves.

    `rulebook` is one, or the name of one. `races` are driven on the `tracks` in turn, each by one of the `drivers`,
    which are handed in because the rules know none; the same `seed` plays the same races. `setup` is what every race
    has besides, such as options. With `articles` every article that is cited must be one of them. On circuits known to
    the space, so many made-up `turns` and `moves` are played besides. A race takes up to a second of processor time,
    and a tenth of it without `aside`, where no answer is tried on a copy.

    An error that a rule raises is one of the sentences. Where nothing else is wrong and turns were played, they name
    what a variant, or a rulebook of one's own, changes and the check never met, such as a slipstream. Raises
    CompanionError for an unknown rulebook and for a setup from which no race can begin, ValueError without circuits or
    drivers.
    """
    rulebook = named(rulebook) if isinstance(rulebook, str) else rulebook
    _check_arguments(tracks, drivers)
    setup, found, met = setup or {}, list[str](), set[str]()
    boards = [track for track in tracks if isinstance(track, Track) and track.known == "space"]
    with _register(rulebook):
        on = variants_on(rulebook.name, _options(setup))
        for variant in on:
            if compose(rulebook.chapters(), [variant]) == rulebook.chapters():
                found.append(f"{rulebook.name}: {variant.name} changes no chapter of this rulebook.")
        for number in range(seed, seed + races):
            track, make = tracks[number % len(tracks)], drivers[number % len(drivers)]
            race = _Race(_random_setup(rulebook, track, number, setup), track, make(track, number), met, articles)
            found += [f"{rulebook.name}, {track.key}, race {number}: {fault}" for fault in race.play(aside=aside)]
        if issubclass(rulebook, FormulaDe) and boards:
            for number in range(turns):
                row = number // len(MATTERS)  # each matter on every circuit, and by every driver
                track, make = boards[row % len(boards)], drivers[row % len(drivers)]
                chance = Random(f"{rulebook.name} turn {seed} {number}")
                found += _made_up(rulebook, track, make, number, chance, setup, met, articles, aside=aside)
            found += settlements(rulebook, boards[0], moves, seed, setup=setup)
        if turns and not found:  # a race ends with a fault
            where = f"{_count(races, 'race')} and {_count(turns if boards else 0, 'made-up turn')}"
            found = [f"{rulebook.name}: {matter} was never met in {where}." for matter in _unmet(rulebook, on, met)]
    return found


def _count(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _check_arguments(tracks: Sequence[Track | SectionTrack], drivers: Sequence[MakeDriver]) -> None:
    """Raise ValueError unless there is something to drive on, and somebody who drives."""
    if not tracks or not drivers:
        raise ValueError(f"check needs a circuit and a driver at least; got {len(tracks)} and {len(drivers)}.")
    for track in tracks:
        if not isinstance(track, Track | SectionTrack):
            raise ValueError(f"check needs circuits as load_circuit returns them; got {track!r}.")
    for make in drivers:
        if not callable(make):
            raise ValueError(f"check needs classes of drivers, such as RandomDriver; got {make!r}.")


def _options(setup: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return the options of a setup; none where they are no table, which every race refuses."""
    options = setup.get("options", {})
    return options if isinstance(options, dict) else {}


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


def _random_setup(rulebook: Kind, track: Track | SectionTrack, seed: int, setup: Mapping[str, Json]) -> dict[str, Json]:
    """Return the setup of a random race."""
    chance = Random(f"{rulebook.name} {track.key} {seed}")
    cars = [{"car": number} for number in range(1, chance.randint(3, 6))]
    laps = 1 if issubclass(rulebook, FormulaDe) else 6
    on = variants_on(rulebook.name, _options(setup))
    distance = {} if any(variant.laps for variant in on) else {"laps": laps}
    return {"cars": cars, **distance, **setup, "rulebook": rulebook.name, "track": track.key}


def _made_up(
    rulebook: type[Dice],
    track: Track,
    make: MakeDriver,
    number: int,
    chance: Random,
    setup: Mapping[str, Json],
    met: set[str],
    articles: Container[str] | None,
    *,
    aside: bool,
) -> Iterator[str]:
    """Play a made-up round, and yield what is wrong in it; nothing where the rulebook has no such position."""
    matter = MATTERS[number % len(MATTERS)]
    made = make_turn(matter, track, chance)
    if made is None:
        return
    for plain in (False, True):
        whole = {**setup, **made.position(plain=plain), "rulebook": rulebook.name, "track": track.key}
        race = _Race(whole, track, Directed(make(track, number), made.wishes), met, articles, left=made.left)
        with suppress(BadSetup):
            for fault in race.play(aside=aside, rounds=1):
                yield f"{rulebook.name}, {track.key}, made-up turn {number} ({matter}): {fault}"
            return


SIGNS: Final[Mapping[str, Mapping[tuple[str, ...], str]]] = {
    "slipstream": {("slipstream",): "a slipstream", (INTO_CORNER,): "a slipstream into a corner"},
    "gears": {("gear_down",): "a change down by more than one gear"},
    "pits": {("box",): "a stop in the box"},
    "corners": {("overshoot",): "an overshoot"},
    "blocking": {("blocked",): "a blocked car"},
    "moving": {("move",): "a move", ("brake",): "a brake"},
    "collisions": {("collision",): "a collision test"},
    "tests": {("handling", "engine"): "a handling or engine test"},
    "weather": {("weather_due",): "a change of the weather"},
    "tyres": {("slide", "soft"): "a slide or a space of soft tyres"},
    "kers": {("kers",): "KERS"},
}
"""Rulings that a race brings by a chapter, each with its words in a sentence; of several kinds one is enough."""


def _unmet(rulebook: Kind, on: Sequence[Variant], met: set[str]) -> Iterator[str]:
    """Yield what was never met of the chapters that change what another rulebook has.

    Those are chapters of variants, and of a rulebook that is a kind of another one.
    """
    if not issubclass(rulebook, FormulaDe):
        return
    base = RULEBOOKS.line(rulebook.name)[-1]
    before, after = base.chapters(), compose(rulebook.chapters(), on)
    for name, signs in SIGNS.items():
        if name in before and after[name] is not before[name]:
            yield from (words for kinds, words in signs.items() if met.isdisjoint(kinds))


def _sentence(failure: Exception) -> str:
    """Return an error as the end of a sentence."""
    return str(failure) if isinstance(failure, CompanionError) else f"{type(failure).__name__}: {failure}."


class _Race:
    """One race or made-up round, and what is wrong with it; kinds of rulings that it brings are added to `met`."""

    def __init__(
        self,
        setup: Mapping[str, Json],
        track: Track | SectionTrack,
        driver: CheckDriver,
        met: set[str],
        articles: Container[str] | None,
        left: int = 0,
    ) -> None:
        self.setup, self.track, self.driver, self.met, self.articles = setup, track, driver, met, articles
        self.left = left
        self.ruled: list[list[Ruling]] = []

    def begin(self) -> Conversation:
        """Return the race before its first question; of car 1 at most so many points are `left` in each pool."""
        book: Book = begin(self.setup, cast("Track", self.track))  # or of sections, by its rulebook
        if self.left:
            first = book.race.cars[0]
            first.wear = {pool: min(points, self.left) for pool, points in first.wear.items()}
        return Conversation(book)

    @property
    def book(self) -> Book:
        return self.talk.rulebook  # type: ignore[return-value]

    def play(self, *, aside: bool = True, rounds: int = 0) -> Iterator[str]:
        """Play it to the end, or for some rounds, and try every answer on a copy.

        An error that a rule raises is a fault. Raises BadSetup where no race can begin.
        """
        try:
            self.talk = self.begin()
        except BadSetup:
            raise
        except Exception as failure:  # whatever a rule may raise
            yield f"it cannot begin: {_sentence(failure)}"
            return
        try:
            yield from self.drive(aside=aside, rounds=rounds)
        except Exception as failure:  # whatever a rule may raise
            yield f"answer {self.talk.n}: {_sentence(failure)}"

    def drive(self, *, aside: bool, rounds: int) -> Iterator[str]:
        """Answer every question of it."""
        talk = self.talk
        scratch, last = self.book.clone(), self.book.round + rounds if rounds else None
        while (asked := talk.asked) is not None and (last is None or self.book.round < last):
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
                answer = self.driver.answer(asked, self.book.race)
            except Exception as failure:  # of a driver who meets what no rulebook has
                yield f"answer {talk.n}, {asked.ask}: the driver has no answer: {_sentence(failure)}"
                return
            try:
                self.ruled.append(talk.answer(answer))
            except CompanionError as wrong:
                yield f"answer {talk.n}, {asked.ask}: {wrong}"
                return
            self.met.update(ruling.kind for ruling in self.ruled[-1])
            if fault := unruled(had, self.book, self.ruled[-1]) or self.misfit():
                yield f"answer {talk.n - 1}, {asked.ask}: {fault}"
                return
            for ruling in self.ruled[-1]:
                if self.articles is not None and ruling.article not in self.articles:
                    yield f"answer {talk.n - 1}: {ruling.kind} cites {ruling.article}, which is no article."
        yield from self.check_replay()

    def misfit(self) -> str:
        """Return why the position could not be given as one, once a turn is over; empty if it could."""
        if self.talk.last_checkpoint[0] != self.talk.n or not isinstance(self.book, FormulaDe):
            return ""
        fault = next(self.book.faults(), None)
        return "" if fault is None else f"leads to a position that is refused: {fault}"

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
            except Exception as wrong:  # whatever a rule may raise
                yield f"answer {asked.n}, {asked.ask} {option.answer}: offered and refused: {_sentence(wrong)}"
            else:
                self.meet(asked, option, rulings)
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

    def meet(self, asked: Asked, option: Option, rulings: Sequence[Ruling]) -> None:
        """Note what an answer brings that a chapter is about."""
        self.met.update(ruling.kind for ruling in rulings)
        if asked.ask == "slipstream" and isinstance(option.answer, dict) and isinstance(self.track, Track):
            begun = next(car.at for car in self.book.race.cars if car.number == asked.car)
            begin, end = (self.track.ids.get(str(place)) for place in (begun, option.answer.get("space")))
            if begin is not None and end is not None and self.track.corner[begin] < 0 <= self.track.corner[end]:
                self.met.add(INTO_CORNER)

    def check_replay(self) -> Iterator[str]:
        """Check that the same answers bring the same rulings and the same end."""
        talk = self.begin()
        for event, ruled in zip(self.talk.events, self.ruled, strict=True):
            try:
                again = talk.apply(event)
            except CompanionError as wrong:
                yield f"answer {talk.n}: given again it is refused: {wrong}"
                return
            if again != ruled:
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
        try:
            book = begin({**begun, "cars": cars, "to_play": [1, 2]}, track)
        except Exception as failure:  # whatever a rule may raise
            return [f"{rulebook.name}, {track.key}: no made-up move can begin: {_sentence(failure)}"]
    saved = book.save()
    for number in range(moves):
        book.load(saved)
        book.ruled.clear()
        try:
            fault = _settled(book, chance)
        except Exception as failure:  # whatever a rule may raise
            fault = _sentence(failure)
        if fault:
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
