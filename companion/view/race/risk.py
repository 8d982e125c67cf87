"""Consequences of an answer in figures and words, from its record.

For keys, rows, cards and spaces.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

import msgspec

from companion.rules.conversation.asking import Json, Option
from companion.rules.conversation.consequence import HARM, Consequence, Outcome, Part, Test
from companion.rules.conversation.kinds import Kind, Pools
from companion.rules.death.cards import CARDS
from companion.view import price
from companion.view.consequences import GRAVE, SPENT, TOLD
from companion.view.shown import Price
from companion.view.sight import Sight
from companion.wording.filling import face

OUT_COST: Final = 20
"""Cost of a car that may go out among expected losses, in points: about all that it has."""
SPIN_COST: Final = 6
"""Cost of a spin, in points: the gears and the turn that it loses."""


def record(sight: Sight, option: Option) -> Consequence | None:
    """Return the full record of an answer; None without lookahead."""
    return sight.ahead.record(option.answer) if sight.ahead is not None else None


def outlook(sight: Sight, option: Option) -> Consequence | None:
    """Return the record of an answer with each die on its own; None without lookahead."""
    return sight.ahead.outlook(option.answer) if sight.ahead is not None else None


def tests(record: Consequence | None) -> list[Test]:
    """Return the tests after an answer that may harm somebody.

    A cost that every face takes from the roller is paid in any case, and is not a test.
    """
    return [test for test in record.tests if test.harms and not _sure(test)] if record is not None else []


def _sure(test: Test) -> bool:
    """Return True if every face of a test costs its roller the same and nothing else happens."""
    first = test.parts[0].wear
    return list(first) == [test.car] and test.chance == 1 and all(
        part.wear == first and not part.out and not part.spun for part in test.parts
    )  # fmt: skip


def clean(option: Option, record: Consequence | None) -> bool:
    """Return True if an answer is free: nothing is paid, rolled or suffered."""
    return not price.costs(option) and not paid(record) and not tests(record) and not befalls(record)


def paid(record: Consequence | None) -> bool:
    """Return True if something is paid whatever is rolled: points or KERS."""
    return record is not None and (any(points < 0 for points in record.wear.values()) or bool(kers(record)))


def befalls(record: Consequence | None) -> list[Kind]:
    """Return what surely happens to the car besides wear and tests: out, spin, lost gears."""
    if record is None:
        return []
    tested = {kind for test in tests(record) for part in test.parts for kind in part.kinds}
    own = [due.ruling.kind for due in record.rulings if record.certain(due) and due.ruling.car == record.car]
    return [kind for kind in dict.fromkeys(own) if kind in HARM.union(GRAVE) and kind not in tested]


def accepted(sight: Sight, option: Option) -> bool:
    """Return True if an answer must be accepted on its card: it costs, retires or spins."""
    return price.costs(option) or any(kind in GRAVE for kind in befalls(record(sight, option)))


def as_option(record: Consequence | None, answer: Json) -> Option:
    """Return an answer that is not listed as if it were: with what it surely costs its car."""
    if record is None:
        return Option(answer)
    lost = {pool: count for pool, count in record.wear.items() if count < 0 and pool not in SPENT}
    own = {
        due.ruling.kind: due.ruling.facts
        for due in record.rulings
        if due.ruling.car == record.car and record.certain(due)
    }
    out = {"out": own["out"]["cause"]} if "out" in own else {}
    return Option(answer, lost, {**out, **({"spin": True} if "spin" in own else {})})


def kers(record: Consequence | None) -> int:
    """Return the KERS points that an answer surely spends, as a negative number."""
    if record is None:
        return 0
    own = (due.ruling for due in record.rulings if record.certain(due) and due.ruling.kind == "kers")
    return sum(min(0, ruling.facts["points"]) for ruling in own)


def expected(option: Option, record: Consequence | None) -> Fraction:
    """Return the expected loss of all cars in points; for an outlook, die by die."""
    if record is None or not record.outcomes:
        found = record.tests if record is not None else []
        parts = (part for test in found for part in test.parts if part.wear or part.out or part.spun)
        return sum((part.chance * _loss(part) for part in parts), Fraction(price.points(option.wear)))
    return sum((one.chance * _loss(one) for one in record.outcomes), Fraction(0))


def _loss(one: Outcome | Part) -> int:
    """Return the loss of an outcome in points."""
    return sum(map(price.points, one.wear.values())) + OUT_COST * len(one.out) + SPIN_COST * len(one.spun)


def kinds(record: Consequence | None) -> list[str]:
    """Return the kinds of tests to which an answer may lead."""
    return list(dict.fromkeys(test.kind for test in tests(record)))


NAMED: Final = frozenset({
    "box", "setup", "tyres", "card", "chart", "zone", "front", "extra", "strip", "slot", "strategy", "drawn", "qualify",
    "keep", "discard", "show", "practice", "substitute", "declare", "contest", "wings",
})  # fmt: skip
"""Questions whose answers name a thing or an act, which says more than that it costs nothing."""


LANDS: Final = frozenset({"landing", "saw"})
"""Questions that settle where a car stops: what it meets there is not known before."""


def answer_costs(sight: Sight, option: Option) -> tuple[Price, ...]:
    """Return the costs of an answer and its tests, or that it is free."""
    if sight.prices == "never" or sight.asked is None:
        return ()
    if price.tone_of(option) == "bad":
        return price.of_option(sight, option)
    found = record(sight, option)
    sure = {pool: points for pool, points in found.wear.items() if points < 0} if found is not None else {}
    wear = {**sure, **{pool: points for pool, points in option.wear.items() if points < 0}}
    spent = _spent(sight) if sight.asked.ask == "use" and option.answer is True else ()
    worse = befallen(sight, found)
    brought = (
        *price.wear(wear),
        *kers_spent(sight, found),
        *spent,
        *worse,
        *hits(sight, found),
        *tested(sight, found),
    )[: price.MOST]
    if brought or sight.asked.ask in NAMED:
        return brought
    if found is not None and (rolled := [test for test in found.tests if test.ask != "roll"]):
        return (Price(text=sight.say("risk.rolls", count=len(rolled)), icon="die", tone="info"),)
    lands = sight.asked.ask == "slipstream" and found is not None and any(end.ask in LANDS for end in found.ends)
    return (price.unworn(sight) if lands else price.free(sight),)


def _spent(sight: Sight) -> tuple[Price, ...]:
    """Return what using a card costs: a token, or its use until the line."""
    card = CARDS.get(str(sight.fields.get("card")))
    if card is None or not (card.stock or card.lap):
        return ()
    return (Price(text=sight.say("risk.token" if card.stock else "risk.lap"), icon="bolt", tone="warn"),)


# -- in words


def worn(sight: Sight, points: Pools) -> tuple[Price, ...]:
    """Return the change of each pool, with its name."""
    return tuple(_points(sight, one) for one in price.wear(points))


def _points(sight: Sight, one: Price) -> Price:
    return msgspec.structs.replace(one, text=f"{sight.pool(one.icon)} {one.text}", short=one.text)


def befallen(sight: Sight, record: Consequence | None) -> tuple[Price, ...]:
    """Return what surely happens to the car in words, worst first."""
    found = []
    for kind in sorted(befalls(record), key=lambda kind: kind not in GRAVE):
        tone, icon = TOLD[kind]
        said = sight.say(f"price.{kind}") if kind in GRAVE else sight.say(f"risk.kind.{kind}")
        found.append(Price(text=said, icon=icon, tone=tone))
    return tuple(found)


def kers_spent(sight: Sight, record: Consequence | None) -> tuple[Price, ...]:
    """Return the KERS points paid."""
    points = kers(record)
    if not points:
        return ()
    figure = price.signed(points)
    return (Price(text=sight.say("risk.kers", points=figure), short=figure, icon="bolt", tone="warn"),)


def hits(sight: Sight, record: Consequence | None) -> tuple[Price, ...]:
    """Return what other cars lose whatever is rolled, car by car."""
    if record is None:
        return ()
    found: list[Price] = []
    for ruling in (due.ruling for due in record.rulings if record.certain(due)):
        if ruling.car in (None, record.car):
            continue
        for lost in worn(sight, {pool: points for pool, points in ruling.wear.items() if points < 0}):
            text, short = (sight.say("risk.other", lost=said, cars=[ruling.car]) for said in (lost.text, lost.short))
            found.append(msgspec.structs.replace(lost, text=text, short=short))
    return tuple(found)


def tested(sight: Sight, record: Consequence | None) -> tuple[Price, ...]:
    """Return each kind of test: who rolls, what is lost, and on which faces.

    Cars with the same test share a line; they are named if others differ.
    """
    said: dict[tuple[str, Price], list[Test]] = {}
    for test in tests(record):
        said.setdefault((test.kind, _loses(sight, test)), []).append(test)
    shown = []
    for (kind, lost), several in said.items():
        cars = list(dict.fromkeys(test.car for test in several))
        hit = {car for test in several for car in _hit(test)}
        own = record is not None and cars == [record.car] and len(said) == 1 and hit <= set(cars)
        alike = sum(of_kind == kind for of_kind, _ in said) == 1
        who = "own" if own else "each" if len(cars) > 1 and alike else "other"
        if len(cars) == 1 and hit and not hit & set(cars):  # who rolls hits another
            cars = list(hit)
        text, short = (said and sight.say(f"risk.{who}", lost=said, cars=cars) for said in (lost.text, lost.short))
        shown.append(Price(text=text, short=short, icon=lost.icon, tone=lost.tone))
    return tuple(shown)


def _hit(test: Test) -> set[int]:
    """Return the cars affected by the faces of a test."""
    return {car for part in test.parts for car in (*part.wear, *part.out, *part.spun)}


def _loses(sight: Sight, test: Test) -> Price:
    """Return what a test costs and on which faces.

    Hundreds of landings have the same tests: each is worded once for a picture.
    """
    for one, lost in sight.losses:
        if one.car == test.car and one.parts == test.parts:
            return lost
    lost = _word_loss(sight, test)
    sight.losses.append((test, lost))
    return lost


def _word_loss(sight: Sight, test: Test) -> Price:
    """Word what a test costs and on which faces; equal losses are merged."""
    parts, hit = [part for part in test.parts if part.harms], _hit(test)
    victim = min(hit) if len(hit) == 1 else test.car

    def line(short: bool) -> str:
        said = [(what(sight, part, victim, short=short), part) for part in parts]
        several = {lost: faces(sight, [part for one, part in said if one == lost], test) for lost, _ in said}
        return sight.say("risk.and").join(sight.say("risk.on", lost=lost, faces=on) for lost, on in several.items())

    bad = any(part.out or part.spun for part in parts)
    pools = [pool for part in parts for points in part.wear.values() for pool in points]
    return Price(
        text=line(False), short=line(True) if pools else "", icon=pools[0] if pools else "die",
        tone="bad" if bad else "warn",
    )  # fmt: skip


def what(sight: Sight, part: Part, car: int | None, *, short: bool = False) -> str:
    """Return what some faces cost: out, a spin, points, or another loss.

    `short` gives the points without the pool's name.
    """
    if part.out:
        return sight.say("price.out") if car in part.out else sight.say("risk.out", cars=list(part.out))
    if part.spun:
        return sight.say("price.spin")
    lost = [
        price.signed_change(pool, count) if short else f"{sight.pool(pool)} {price.signed_change(pool, count)}"
        for points in part.wear.values()
        for pool, count in points.items()
        if count < 0
    ]
    if lost:
        return ", ".join(dict.fromkeys(lost))
    return next(
        (said for kind in part.kinds if (said := sight.maybe(f"risk.kind.{kind}"))), sight.say("risk.kind.else")
    )


def faces(sight: Sight, parts: Sequence[Part], test: Test) -> str:
    """Return faces in words: "1 in 20", "1–4", or several bands."""
    last = max(part.last for part in test.parts)
    if len(parts) == 1 and parts[0].first == parts[0].last == 1:
        return sight.say("risk.one", last=last)
    return ", ".join(face([part.first, part.last]) for part in parts)


def touched(found: Iterable[Test], car: int | None) -> list[int]:
    """Return the cars that a car may collide with."""
    others = [one for test in found if test.kind == "collision" for one in (test.car, test.other)]
    return list(dict.fromkeys(one for one in others if one is not None and one != car))
