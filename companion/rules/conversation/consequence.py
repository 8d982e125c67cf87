"""What an answer may bring, before anybody gives it: the rules themselves, tried on a spare copy of the race.

An answer is given there, and whatever chance then decides is decided in every way, each with its probability, until
somebody at the table has a choice again or the step is over. What was ruled on all these ways is the record of the
answer: it cannot disagree with what follows, because what follows is ruled by the same rules. An offer that may be
declined is declined, so that what comes after it is told too.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from heapq import heappop, heappush
from itertools import takewhile
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from companion.rules.conversation.asking import Json, JsonValue, Odds, Option, Question, Ruling
from companion.rules.conversation.conversation import Conversation, Rulebook
from companion.rules.conversation.forms import written
from companion.rules.conversation.kinds import Ask, Cause, Kind, Pool, Pools, kind_of_test

OFFERS: Final[Mapping[Ask, JsonValue]] = {
    "slipstream": None, "kers": None, "clutch": None, "use": False, "sight": True, "late": False, "extreme": False,
    "line": None,
}  # fmt: skip
"""What may be offered on the way, and how it is left: what would come then is told. A target is taken to be in sight,
for only whoever looks at the board can say that it is not."""

MOST: Final = 100
"""The most ways that are followed to their ends, the likeliest first; six tests in a row have 64."""

CHANCE: Final = frozenset({"face", "card"})
"""The facts of a ruling that chance makes: what was rolled or turned over, and not what came of it."""


_encode: Final = msgspec.json.Encoder(order="deterministic").encode


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """Some faces of a die, or factors of a card, that bring the same: how likely they are where it is rolled, what they
    cost whom at once, whom they put out, whom they spin, and the kinds of what is ruled."""

    first: int
    last: int
    chance: Fraction
    wear: dict[int, Pools] = {}
    out: dict[int, Cause] = {}
    spun: list[int] = []
    kinds: list[Kind] = []

    @property
    def harms(self) -> bool:
        """Whether anybody is the worse for it."""
        lost = any(points < 0 for pools in self.wear.values() for points in pools.values())
        return lost or bool(self.out or self.spun) or not HARM.isdisjoint(self.kinds)


HARM: Final[frozenset[Kind]] = frozenset({"stall", "off", "gears_lost", "blobbed", "maximum"})
"""What costs somebody something that is no point of wear."""

AT_ONCE: Final[frozenset[Kind]] = HARM | {"damage", "danger", "engine", "hit", "out", "shielded", "spin"}
"""What a test brings by itself, beside the ruling on it; what comes then is the rest of the turn."""


class Test(msgspec.Struct, frozen=True, omit_defaults=True):
    """A die, or a card turned over, to which an answer may lead. `kind` is that of the ruling in which it ends
    (collision, handling, wall, engine, ...; "roll" is the die of a gear), `car` who rolls, `other` with whom, `at` the
    space; `chance` how likely it is rolled at all. `unless` are the offers that are declined first."""

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
    def loses(self) -> Fraction:
        """How likely somebody is the worse for it where it is rolled."""
        return sum((part.chance for part in self.parts if part.harms), Fraction(0))


class Due(msgspec.Struct, frozen=True, omit_defaults=True):
    """A ruling that may follow, without what was rolled, and how likely it follows. `unless` are the offers that are
    declined first."""

    ruling: Ruling
    chance: Fraction
    unless: list[str] = []


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """What all of it may come to: points by car and pool, who is out and why, who spins; and how likely."""

    chance: Fraction
    wear: dict[int, Pools] = {}
    out: dict[int, Cause] = {}
    spun: list[int] = []


class End(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where the table has a choice again: the question, how likely it is asked, and its first, cheapest option, if that
    was looked for."""

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
    likelihood; `unhurt` is how likely the car itself loses no more than `wear`, `calm` how likely nobody does.
    `expected` are the points by car and pool on average. `beyond` is how likely a way is that was not followed to its
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
        """Whether a ruling follows whatever is rolled."""
        return due.chance == 1


class _Sum:
    """What rulings come to: points, who is out, who spins."""

    def __init__(self) -> None:
        self.wear: dict[int, Pools] = {}
        self.out: dict[int, Cause] = {}
        self.spun: list[int] = []

    def add(self, ruling: Ruling) -> None:
        """Adds a ruling."""
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
        """The same for what comes to the same."""
        wear = [(car, sorted(pools.items())) for car, pools in sorted(self.wear.items())]
        return _encode((wear, sorted(self.out.items()), sorted(self.spun)))

    def harm(self, car: int | None) -> tuple[int, ...]:
        """How bad it is, for a car first and then for the others."""
        own = [sum(-points for points in self.wear.get(car or 0, {}).values())]
        others = sum(-points for number, pools in self.wear.items() if number != car for points in pools.values())
        return car in self.out, car in self.spun, *own, len(self.out), len(self.spun), others

    def same_for(self, car: int | None, other: _Sum) -> bool:
        """Whether it is as good for a car as another sum."""
        return self.harm(car)[:3] == other.harm(car)[:3]


class _Name(NamedTuple):
    """What makes a test the same test on several ways; `time` counts those that are alike on one way."""

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
"""What makes a ruling the same on several ways: what it says, after which offers, and which of those alike on its way
it is."""


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
        """A way has come to its end."""
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
        """A way ends where the table has a choice."""
        key = question.ask, question.car, question.what
        before, first = self.ends.get(key, (Fraction(0), None))
        if self.look and first is None:
            first = next(iter(question.options()), None)
        self.ends[key] = before + chance, first

    def met(self, turn: _Turn, ruled: list[Ruling]) -> None:
        """Some faces of a test have brought this."""
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
        """The record."""
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


class Tried(Rulebook, Protocol):
    """A rulebook on which things are tried."""

    def conceal(self, hidden: bool) -> None: ...


class Lookahead:
    """The records of the open question of a conversation, each made when somebody looks and kept then.

    `spare` is another rulebook of the same race, on which everything is tried; nothing of the race itself is touched.
    """

    def __init__(self, talk: Conversation, spare: Tried) -> None:
        self.n, self._spare = talk.n, spare
        self._trial = talk.fork(spare, talk.n)
        self._made: dict[tuple[bytes, bool], Consequence] = {}

    def of(self, answer: JsonValue, *, look: bool = False) -> Consequence:
        """The record of an answer to the open question; with `look` also the cheapest option of the questions in which
        it ends, for what may be searched for it. Raises BadAnswer for an answer that is not allowed."""
        key = written(answer), look
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = self._explored(answer, look=look)
        return found

    def knows(self, answer: JsonValue) -> bool:
        """Whether the record of an answer has been made."""
        return (written(answer), False) in self._made

    def answers(self) -> list[JsonValue]:
        """Every answer that the open question lists: its options, or of a die each face, or part that brings the
        same."""
        self._return([])
        question = self._trial.question
        if question is None:
            return []
        odds = question.odds()
        return [one.answer for one in odds] if odds else [option.answer for option in question.options()]

    def all(self, *, look: bool = False) -> list[Consequence]:
        """The record of every answer that the open question lists."""
        return [self.of(answer, look=look) for answer in self.answers()]

    # -- how it is done

    def _explored(self, answer: JsonValue, *, look: bool) -> Consequence:
        """The likeliest ways first, so that what is left where there are too many is the least likely."""
        self._return([])
        question = self._trial.question
        record, way = _Record(question.car if question is not None else None, look=look), _Way()
        self._go(way, answer)
        self._follow(way, Fraction(1), record)
        while record.open and record.ways < MOST:
            turn = heappop(record.open)
            self._return(turn.before.answers)
            way = self._roll(turn, record)
            self._follow(way, turn.chance, record)
        return record.whole(answer)

    def _return(self, answers: list[JsonValue]) -> None:
        """Back to the open question, and from there by these answers."""
        self._spare.conceal(False)
        self._trial.back(self.n)
        self._spare.conceal(True)
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
            if question is None or self._trial.last_mark[0] > self.n:
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
    """A test by what tells it from others; whom it is with, and where, the ruling knows."""
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
    """What a test has brought by itself: the ruling on it, and what comes of that."""
    own = [one.kind == kind or one.facts.get("why") == kind or not CHANCE.isdisjoint(one.facts) for one in ruled]
    if True not in own:
        return []
    first = own.index(True)
    rest = takewhile(lambda place: own[place] or ruled[place].kind in AT_ONCE, range(first, len(ruled)))
    return [ruled[place] for place in rest]


def _without_chance(ruling: Ruling) -> Ruling:
    """A ruling without what was rolled, and without what is left, which other tests on the way change."""
    facts = ruling.facts
    if not CHANCE.isdisjoint(facts):
        facts = {name: fact for name, fact in facts.items() if name not in CHANCE}
    elif not ruling.left:
        return ruling
    return msgspec.structs.replace(ruling, facts=facts, left={})


def _last(rulings: list[Ruling], kind: Kind, car: int | None) -> dict[str, Json]:
    """The facts of the last ruling of a kind for a car."""
    return next((one.facts for one in reversed(rulings) if one.kind == kind and one.car == car), {})
