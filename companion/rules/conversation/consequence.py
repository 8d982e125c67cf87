"""Predict what an answer may bring, by trying the rules themselves on a scratch copy of the race.

The answer is given there, and each decision of chance that follows is taken in every way, with its probability, until
somebody at the table has a choice again or the step is over. The rulings on all these ways are the record of the
answer: it cannot disagree with what follows, because the same rules make both. An offer that may be declined is
declined, so that the record also tells what comes after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from companion.rules.conversation.asking import Json, JsonValue, Odds, Option, Question, Ruling
from companion.rules.conversation.conversation import Conversation, Game
from companion.rules.conversation.forms import canonical_json
from companion.rules.conversation.kinds import Ask, Cause, Kind, Pool, Pools, kind_of_test

OFFERS: Final[Mapping[Ask, JsonValue]] = {
    "slipstream": None, "kers": None, "clutch": None, "use": False, "sight": True, "late": False, "extreme": False,
    "line": None, "allowance": None,
}  # fmt: skip
"""Offers that may come up on the way, each with the answer assumed: consequences are told as if it were given. A target
is taken to be in sight, for only people who look at the board can say that it is not."""

MOST: Final = 100
"""Maximum number of ways followed to their ends, the likeliest first; six tests in a row have 64."""

CHANCE: Final = frozenset({"face", "card"})
"""Facts of a ruling that chance makes: the face rolled or the card turned over, not their effects."""


_encode: Final = msgspec.json.Encoder(order="deterministic").encode


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """Some faces of a die, or factors of a card, that bring the same.

    It has how likely they are where it is rolled, the points that they cost each car at once, the cars that they put
    out and those that they spin, and the kinds of the rulings.
    """

    first: int
    last: int
    chance: Fraction
    wear: dict[int, Pools] = {}
    out: dict[int, Cause] = {}
    spun: list[int] = []
    kinds: list[Kind] = []

    @property
    def harms(self) -> bool:
        """True if any car loses points, spins or is out."""
        lost = any(points < 0 for pools in self.wear.values() for points in pools.values())
        return lost or bool(self.out or self.spun) or not HARM.isdisjoint(self.kinds)


HARM: Final[frozenset[Kind]] = frozenset({"stall", "off", "gears_lost", "blobbed", "maximum"})
"""Rulings that harm somebody without costing a point of wear."""

AT_ONCE: Final[frozenset[Kind]] = HARM | {"damage", "danger", "engine", "hit", "out", "shielded", "spin"}
"""Rulings that follow from a test itself, besides the ruling on it; later ones belong to the rest of the turn."""


class Test(msgspec.Struct, frozen=True, omit_defaults=True):
    """A die, or a card turned over, to which an answer may lead.

    `kind` is that of the ruling in which it ends (collision, handling, wall, engine, ...; "roll" is the die of a gear),
    `car` who rolls, `other` with whom, `at` the space; `chance` how likely it is rolled at all. `unless` are the offers
    that are declined first.
    """

    __test__ = False

    kind: str
    ask: Ask
    article: str
    chance: Fraction
    parts: list[Part]
    car: int | None = None
    other: int | None = None
    at: str = ""
    unless: list[str] = []

    @property
    def harms(self) -> bool:
        """True if a roll of it may harm somebody."""
        return any(part.harms for part in self.parts)

    @property
    def loses(self) -> Fraction:
        """The probability that a roll of it harms somebody."""
        return sum((part.chance for part in self.parts if part.harms), Fraction(0))


class Due(msgspec.Struct, frozen=True, omit_defaults=True):
    """A ruling that may follow, without the face that was rolled, and how likely it follows.

    `unless` are the offers that are declined first.
    """

    ruling: Ruling
    chance: Fraction
    unless: list[str] = []


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """One total of the rulings, with its probability: points by car and pool, cars out and why, cars that spin."""

    chance: Fraction
    wear: dict[int, Pools] = {}
    out: dict[int, Cause] = {}
    spun: list[int] = []


class End(msgspec.Struct, frozen=True, omit_defaults=True):
    """The next choice of the table: the question, and how likely it is asked.

    `first` is its cheapest option, if that was looked for.
    """

    ask: Ask
    chance: Fraction
    car: int | None = None
    what: str = ""
    first: Option | None = None


class Consequence(msgspec.Struct, frozen=True, omit_defaults=True):
    """The record of an answer: everything that it may bring until the table has a choice again.

    `wear` is what it costs its car, and what it gives, even if all goes well; `stop` the corner's stop that it makes,
    as [number, stops made, of so many], `overshot` and `missing` the spaces driven beyond corners and the most stops
    that are missing. `offers` are what it opens (a slipstream, KERS, a card). `outcomes` come in the order of their
    likelihood; `unhurt` is the chance that the car itself loses no more than `wear`, `calm` that nobody does.
    `expected` are the points by car and pool on average. `beyond` is the chance of a way that was not followed to its
    end; where it is more than 0, likelihoods and averages are those of the rest.
    """

    answer: Json
    car: int | None = None
    wear: Pools = {}
    stop: list[int] = []
    overshot: int = 0
    missing: int = 0
    offers: list[str] = []
    tests: list[Test] = []
    outcomes: list[Outcome] = []
    unhurt: Fraction = Fraction(1)
    calm: Fraction = Fraction(1)
    expected: dict[int, dict[Pool, Fraction]] = {}
    rulings: list[Due] = []
    ends: list[End] = []
    beyond: Fraction = Fraction(0)

    def certain(self, due: Due) -> bool:
        """Return True if a ruling follows whatever is rolled."""
        return due.chance == 1


class _Sum:
    """The total of some rulings: points, cars out, cars that spin."""

    def __init__(self) -> None:
        self.wear: dict[int, Pools] = {}
        self.out: dict[int, Cause] = {}
        self.spun: list[int] = []

    def add(self, ruling: Ruling) -> None:
        """Add a ruling."""
        car = ruling.car
        if car is None:
            return
        for pool, points in ruling.wear.items():
            pools = self.wear.setdefault(car, {})
            pools[pool] = pools.get(pool, 0) + points
        if ruling.kind == "out":
            self.out[car] = ruling.facts.get("cause", "")
        elif ruling.kind == "spin":
            self.spun.append(car)

    def key(self) -> bytes:
        """Return a key that is equal for what comes to the same."""
        wear = [(car, sorted(pools.items())) for car, pools in sorted(self.wear.items())]
        return _encode((wear, sorted(self.out.items()), sorted(self.spun)))

    def harm(self, car: int | None) -> tuple[int, ...]:
        """Return how bad it is, for a car first and then for the others; compares as a tuple."""
        own = [sum(-points for points in self.wear.get(car or 0, {}).values())]
        others = sum(-points for number, pools in self.wear.items() if number != car for points in pools.values())
        return car in self.out, car in self.spun, *own, len(self.out), len(self.spun), others

    def same_for(self, car: int | None, other: _Sum) -> bool:
        """Return True if it is as good for a car as another sum."""
        return self.harm(car)[:3] == other.harm(car)[:3]


class _Name(NamedTuple):
    """The identity of a test across several ways; `time` counts those that are alike on one way."""

    kind: str
    ask: Ask
    car: int | None
    article: str
    other: int | None
    at: str
    bands: tuple[tuple[int, int], ...]
    unless: tuple[str, ...]
    time: int


Code = tuple[bytes, tuple[str, ...], int]
"""Identity of a ruling across several ways: its content, the offers before it, and its number among those alike on its
way."""


class _Way:
    """One way that chance may take: what was ruled on it and after which offers, and which tests it has met."""

    def __init__(self, before: _Way | None = None) -> None:
        self.rulings: dict[Code, Ruling] = dict(before.rulings) if before else {}
        self.tests: list[_Name] = list(before.tests) if before else []
        self.offers: tuple[str, ...] = before.offers if before else ()
        self.answers: list[JsonValue] = list(before.answers) if before else []

    def ruled(self, ruling: Ruling) -> None:
        """Something was ruled on it."""
        code = _encode(ruling), self.offers
        time = 1
        while (key := (*code, time)) in self.rulings:
            time += 1
        self.rulings[key] = ruling


class _Turn:
    """Some faces that have still to be tried: the way before them, and how likely they are, on it and of all."""

    def __init__(self, chance: Fraction, number: int, before: _Way, odds: Odds, share: Fraction, name: _Name) -> None:
        self.chance, self.number, self.before, self.odds = chance, number, before, odds
        self.share, self.name = share, name

    def __lt__(self, other: _Turn) -> bool:
        return (-self.chance, self.number) < (-other.chance, other.number)


class _Record:
    """A record in the making: `ways` have come to their ends, what is `open` has not."""

    def __init__(self, car: int | None, *, look: bool) -> None:
        self.car, self.look, self.ways = car, look, 0
        self.open: list[_Turn] = []
        self.rulings: dict[Code, tuple[Ruling, Fraction]] = {}
        self.tests: dict[_Name, Fraction] = {}
        self.parts: dict[_Name, dict[tuple[int, int, bytes], tuple[Part, Fraction]]] = {}
        self.sums: dict[bytes, tuple[_Sum, Fraction]] = {}
        self.ends: dict[tuple[Ask, int | None, str], tuple[Fraction, Option | None]] = {}
        self.offers: dict[str, None] = {}
        self.best: tuple[tuple[int, ...], _Way] | None = None

    def ended(self, way: _Way, chance: Fraction) -> None:
        """Note that a way has come to its end."""
        self.ways += 1
        total = _Sum()
        for key, ruling in way.rulings.items():
            total.add(ruling)
            self.rulings[key] = ruling, chance + (self.rulings[key][1] if key in self.rulings else 0)
        comes_to = total.key()
        self.sums[comes_to] = total, chance + (self.sums[comes_to][1] if comes_to in self.sums else 0)
        harm = total.harm(self.car)
        if self.best is None or harm < self.best[0]:
            self.best = harm, way

    def asks(self, question: Question[Any], chance: Fraction) -> None:
        """Note that a way ends where the table has a choice."""
        key = question.ask, question.car, question.what
        before, first = self.ends.get(key, (Fraction(0), None))
        if self.look and first is None:
            first = next(iter(question.options()), None)
        self.ends[key] = before + chance, first

    def met(self, turn: _Turn, ruled: list[Ruling]) -> None:
        """Note what some faces of a test have brought."""
        total, own, odds = _Sum(), _at_once(turn.name.kind, ruled), turn.odds
        for ruling in own:
            total.add(ruling)
        key = odds.first, odds.last, total.key()
        parts = self.parts.setdefault(turn.name, {})
        before, weight = parts.get(key, (None, Fraction(0)))
        kinds = list(dict.fromkeys([*(before.kinds if before else ()), *(ruling.kind for ruling in own)]))
        part = Part(odds.first, odds.last, turn.share, total.wear, total.out, total.spun, kinds)
        parts[key] = part, weight + turn.chance

    def whole(self, answer: JsonValue) -> Consequence:
        """Return the record."""
        best, good = _Sum(), list(self.best[1].rulings.values()) if self.best is not None else []
        for ruling in good:
            best.add(ruling)
        expected: dict[int, dict[Pool, Fraction]] = {}
        for total, chance in self.sums.values():
            for car, pools in total.wear.items():
                for pool, points in pools.items():
                    mean = expected.setdefault(car, {})
                    mean[pool] = mean.get(pool, Fraction(0)) + chance * points
        sums = sorted(self.sums.values(), key=lambda one: (-one[1], one[0].harm(self.car)))
        ends = [End(key[0], chance, key[1], key[2], first) for key, (chance, first) in self.ends.items()]
        stop, over = _last(good, "stop", self.car), _last(good, "overshoot", self.car)
        return Consequence(
            answer=answer,
            car=self.car,
            wear=best.wear.get(self.car, {}) if self.car is not None else {},
            stop=[stop["corner"], stop["stops"], stop["of"]] if "corner" in stop else [],
            overshot=over.get("spaces", 0),
            missing=over.get("missing", 0),
            offers=list(self.offers),
            tests=[self._test(name, chance) for name, chance in self.tests.items()],
            outcomes=[Outcome(chance, total.wear, total.out, total.spun) for total, chance in sums],
            unhurt=sum((chance for total, chance in sums if total.same_for(self.car, best)), Fraction(0)),
            calm=sum((chance for total, chance in sums if total.key() == best.key()), Fraction(0)),
            expected=expected,
            rulings=[Due(ruling, chance, list(key[1])) for key, (ruling, chance) in self.rulings.items()],
            ends=sorted(ends, key=lambda end: (end.ask, end.car or 0, len(end.what), end.what)),
            beyond=sum((turn.chance for turn in self.open), Fraction(0)),
        )

    def _test(self, name: _Name, chance: Fraction) -> Test:
        found = self.parts[name]
        faces: dict[int, Fraction] = {}
        for (first, *_), (_, weight) in found.items():
            faces[first] = faces.get(first, Fraction(0)) + weight
        parts = [
            msgspec.structs.replace(part, chance=part.chance * weight / faces[part.first])
            for part, weight in found.values()
        ]
        parts.sort(key=lambda part: part.first)
        return Test(
            name.kind, name.ask, name.article, chance, parts, name.car, name.other, name.at, list(name.unless)
        )  # fmt: skip


class ScratchGame(Game, Protocol):
    """A rulebook on which things are tried."""

    def hide_unknown(self, hidden: bool) -> None: ...


class Lookahead:
    """The records of the open question of a conversation, each made when somebody looks and kept then.

    `scratch` is a copy of the race, on which everything is tried; the race itself is not touched.
    """

    def __init__(self, talk: Conversation, scratch: ScratchGame) -> None:
        self.n, self._scratch = talk.n, scratch
        self._trial = talk.fork(scratch, talk.n)
        self._made: dict[tuple[bytes, bool], Consequence] = {}
        self._begun: tuple[bytes, _Record] | None = None
        """Answer whose record is being made a little at a time, and that record so far."""

    def of(self, answer: JsonValue, *, look: bool = False) -> Consequence:
        """Return the record of an answer to the open question.

        With `look` it also has the cheapest option of each question in which it ends. Raises BadAnswer for an answer
        that is not allowed.
        """
        key = canonical_json(answer), look
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = self._explored(answer, look=look)
        return found

    def explore(self, answer: JsonValue, ways: int) -> Consequence | None:
        """Go on with the record of an answer for that many ways; return it once it is whole, and None until then.

        What was begun for another answer is dropped.
        """
        key = canonical_json(answer)
        if (found := self._made.get((key, False))) is not None:
            return found
        if self._begun is None or self._begun[0] != key:
            self._begun = key, self._begin(answer, look=False)
            ways -= 1
        record = self._begun[1]
        self._go_on(record, record.ways + ways)
        if record.open and record.ways < MOST:
            return None
        self._begun = None
        found = self._made[key, False] = record.whole(answer)
        return found

    def best(self, answer: JsonValue) -> Consequence:
        """Return what an answer brings on the way on which all goes well, with what it opens and where it ends."""
        return self._begin(answer, look=False).whole(answer)

    def answers(self) -> list[JsonValue]:
        """Return every answer that the open question lists.

        These are its options, or for a die each face, or each part whose faces bring the same.
        """
        self._return([])
        question = self._trial.question
        if question is None:
            return []
        odds = question.odds()
        return [one.answer for one in odds] if odds else [option.answer for option in question.options()]

    def all(self, *, look: bool = False) -> list[Consequence]:
        """Return the record of every answer that the open question lists."""
        return [self.of(answer, look=look) for answer in self.answers()]

    # -- how it is done

    def _explored(self, answer: JsonValue, *, look: bool) -> Consequence:
        record = self._begin(answer, look=look)
        self._go_on(record, MOST)
        return record.whole(answer)

    def _begin(self, answer: JsonValue, *, look: bool) -> _Record:
        """Follow the way on which all goes well; what may go wrong on it is open then."""
        self._return([])
        question = self._trial.question
        record, way = _Record(question.car if question is not None else None, look=look), _Way()
        self._go(way, answer)
        self._follow(way, Fraction(1), record)
        return record

    def _go_on(self, record: _Record, ways: int) -> None:
        """Explore the likeliest ways first until the limit is reached, so that what is left is the least likely."""
        while record.open and record.ways < min(ways, MOST):
            turn = heappop(record.open)
            self._return(turn.before.answers)
            way = self._roll(turn, record)
            self._follow(way, turn.chance, record)

    def _return(self, answers: list[JsonValue]) -> None:
        """Back to the open question, and from there by these answers."""
        self._scratch.hide_unknown(False)
        self._trial.rewind(self.n)
        self._scratch.hide_unknown(True)
        for answer in answers:
            self._trial.answer(answer)

    def _go(self, way: _Way, answer: JsonValue) -> list[Ruling]:
        ruled = self._trial.answer(answer)
        way.answers.append(answer)
        for ruling in ruled:
            way.ruled(_without_chance(ruling))
        return ruled

    def _follow(self, way: _Way, chance: Fraction, record: _Record) -> None:
        """On from where the trial stands, to every end."""
        while True:
            question = self._trial.question
            if question is None or self._trial.last_checkpoint[0] > self.n:
                record.ended(way, chance)
                return
            if odds := question.odds():
                way, chance = self._branch(question, odds, way, chance, record)
                continue
            if question.ask not in OFFERS:
                record.asks(question, chance)
                record.ended(way, chance)
                return
            name = question.what.rstrip("0123456789_") if question.ask == "use" else question.ask
            way.offers = (*way.offers, name)
            if question.ask != "sight":
                record.offers[name] = None
            self._go(way, OFFERS[question.ask])

    def _branch(
        self, question: Question[Any], odds: list[Odds], way: _Way, chance: Fraction, record: _Record
    ) -> tuple[_Way, Fraction]:
        """On by the last faces, which are those on which all goes well; the others wait for their turn."""
        whole = sum(one.weight for one in odds)
        on = _Way(way)
        ruled = self._go(on, odds[-1].answer)
        name = _named(question, odds, ruled, way)
        record.tests[name] = record.tests.get(name, Fraction(0)) + chance
        for one in odds:
            share = Fraction(one.weight, whole)
            turn = _Turn(chance * share, len(record.open) + record.ways * 1000, way, one, share, name)
            if one is odds[-1]:
                record.met(turn, ruled)
                on.tests.append(name)
            else:
                heappush(record.open, turn)
        return on, chance * share

    def _roll(self, turn: _Turn, record: _Record) -> _Way:
        way = _Way(turn.before)
        record.met(turn, self._go(way, turn.odds.answer))
        way.tests.append(turn.name)
        return way


def _named(question: Question[Any], odds: list[Odds], ruled: list[Ruling], way: _Way) -> _Name:
    """Return a test by what tells it from others; whom it is with, and where, the ruling knows."""
    kind = kind_of_test(question.ask, question.what) or question.ask
    other, at = None, ""
    for ruling in ruled:
        if ruling.car == question.car and kind in (ruling.kind, ruling.facts.get("why")):
            other = ruling.facts.get("other")
            at = "" if other is not None else ruling.facts.get("at") or ""
            break
    bands = tuple((one.first, one.last) for one in odds)
    name = _Name(kind, question.ask, question.car, question.article, other, at, bands, way.offers, 0)
    return name._replace(time=sum(one._replace(time=0) == name for one in way.tests))


def _at_once(kind: str, ruled: list[Ruling]) -> list[Ruling]:
    """Return what a test has brought by itself: the ruling on it, and what comes of that."""
    own = [one.kind == kind or one.facts.get("why") == kind or not CHANCE.isdisjoint(one.facts) for one in ruled]
    if True not in own:
        return []
    found, goes_on = [], True
    for place in range(own.index(True), len(ruled)):
        one = ruled[place]
        hits = one.facts.get("why") == kind  # a car that a mine destroys is first put on its space
        goes_on = hits or (goes_on and (own[place] or one.kind in AT_ONCE))
        if goes_on:
            found.append(one)
    return found


def _without_chance(ruling: Ruling) -> Ruling:
    """Return a ruling without what was rolled, and without what is left, which other tests on the way change."""
    facts = ruling.facts
    if not CHANCE.isdisjoint(facts):
        facts = {name: fact for name, fact in facts.items() if name not in CHANCE}
    elif not ruling.left:
        return ruling
    return msgspec.structs.replace(ruling, facts=facts, left={})


def _last(rulings: list[Ruling], kind: Kind, car: int | None) -> dict[str, Json]:
    """Return the facts of the last ruling of a kind for a car."""
    return next((one.facts for one in reversed(rulings) if one.kind == kind and one.car == car), {})
