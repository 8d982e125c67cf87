"""The ruling card: the consequences of an answer with the sum and the article."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from companion.rules.conversation.asking import Ruling
from companion.rules.conversation.kinds import Pool, Pools, is_payable
from companion.view import price
from companion.view.consequences import GRAVE, TAKEN, costs_something, pool_changes, summed
from companion.view.shown import AnswerKey, Card, CardLine, Die, Loss, Term, Tone
from companion.view.sight import Sight
from companion.wording.filling import MissingWords, face

ICONS: Final[Mapping[str, str]] = {"out": "cross", "spin": "triangle", "overshoot": "flag"}
ROLLS: Final = ("collision", "handling", "wall", "engine")
"""Rulings of tests that are rolled."""
FIGURES: Final = 3
"""Maximum number of figures in a sum."""


def before(sight: Sight, key: AnswerKey) -> Card | None:
    """Return the card of a selected answer with a cost, before it is accepted; otherwise None."""
    if not key.accept or sight.ahead is None or sight.asked is None:
        return None
    brought = sight.ahead.to_the_end(key.answer)
    rulings = costly_rulings(brought, sight.asked.car)
    met = rolled(sight, brought) if key.accept and sight.asked.fields is not None else ()
    if not rulings:
        return _met(sight, key, brought, met) if met else None
    card = _card(sight, rulings, given=False)
    card = msgspec.structs.replace(card, lines=(*card.lines, *met))
    grave = next((kind for kind in GRAVE if any(ruling.kind == kind for ruling in rulings)), "")
    lost = {pool: count for pool, count in summed(rulings).items() if count < 0}
    act = sight.maybe(f"act.{sight.asked.ask}", label=key.label, answer=key.answer)
    said = " · ".join(filter(None, (act, sight.cost(lost) if len(lost) == 1 else "")))
    return msgspec.structs.replace(
        card,
        accept=sight.say(f"accept.{grave or 'else'}"),
        act=said,
        prices=price.wear(lost) if len(lost) > 1 else (),
    )


def _met(sight: Sight, key: AnswerKey, brought: Sequence[Ruling], met: tuple[CardLine, ...]) -> Card:
    """Return the card of an answer that costs nothing but leads to rolls."""
    article = next(ruling.article for ruling in brought if ruling.kind in ROLLS)
    return Card(
        title=sight.say("card.rolls"),
        article=article,
        cited=sight.cited(article),
        icon="die",
        tone="warn",
        lines=met,
        accept=sight.say("accept.else"),
        act=key.label,
    )


def rolled(sight: Sight, brought: Sequence[Ruling]) -> tuple[CardLine, ...]:
    """Return a line for each roll that an answer leads to: who rolls and what fails."""
    lines = []
    for ruling in brought:
        if ruling.kind in ROLLS and "to" in ruling.facts:
            said = sight.words.screen(f"line.rolls.{ruling.kind}", sight.codes, car=ruling.car, **ruling.facts)
            lines.append(CardLine(text=said, icon="die", tone="warn"))
    return tuple(lines)


def after(sight: Sight) -> Card | None:
    """Return the card of the last entry's costs, if nobody accepted them beforehand."""
    if sight.accepted:
        return None
    cars = list(dict.fromkeys(ruling.car for ruling in sight.told if costs_something(ruling)))
    if not cars:
        return None
    grave = (ruling.car for kind in GRAVE for ruling in sight.told if ruling.kind == kind)
    car = next(grave, cars[0])
    card = _card(sight, costly_rulings(sight.told, car), given=True)
    asked = sight.asked.car if sight.asked is not None else None
    plate = sight.plate(car) if car is not None and car != asked else None
    return msgspec.structs.replace(card, plate=plate, seq=sight.entry)


def costly_rulings(rulings: Sequence[Ruling], car: int | None) -> list[Ruling]:
    """Return the rulings that cost a car something."""
    return [ruling for ruling in rulings if ruling.car == car and costs_something(ruling)]


def has_card(ruling: Ruling) -> bool:
    """Return True if a past ruling has a card: it costs something, or changes the weather."""
    return costs_something(ruling) or ruling.kind == "weather"


def _card(sight: Sight, rulings: list[Ruling], *, given: bool) -> Card:
    grave = next((ruling for kind in GRAVE for ruling in rulings if ruling.kind == kind), None)
    chief = chief_of(rulings, grave)
    tone: Tone = "bad" if grave is not None else "warn"
    titled = chief if grave is None or (grave.kind == "spin" and chief.kind == "overshoot") else grave
    return Card(
        title=title(sight, titled),
        article=(grave or chief).article,
        cited=sight.cited((grave or chief).article),
        icon=ICONS.get(titled.kind, "flag"),
        tone=tone,
        die=_die(sight, chief) if given else None,
        sums=sums(sight, rulings, chief),
        losses=losses(sight, rulings),
        lines=lines(sight, rulings, grave, given=given),
        brief=_grave(sight, grave) if grave is not None else "",
    )


def _die(sight: Sight, ruling: Ruling) -> Die | None:
    """Return the die that decided a ruling, or None."""
    facts = ruling.facts
    if "face" not in facts or "to" not in facts:
        return None
    return Die(face=face(facts["face"]), rolled=sight.say("die.rolled", **facts), loses=sight.say("die.loses", **facts))


def chief_of(rulings: Sequence[Ruling], grave: Ruling | None) -> Ruling:
    """Return the ruling whose sum comes first.

    That is the cause of a retirement, otherwise the first in the order of SUMS.
    """
    cause = grave.facts.get("cause") if grave is not None else None
    kinds = [cause, *SUMS]
    return min(rulings, key=lambda one: kinds.index(one.kind) if one.kind in kinds else _after(one, len(kinds)))


def _after(ruling: Ruling, last: int) -> int:
    return last + (ruling.kind in GRAVE)


def title(sight: Sight, ruling: Ruling) -> str:
    """Return a short title of what happened."""
    facts = {**ruling.facts, "car": ruling.car}
    return sight.maybe(f"card.{ruling.kind}", **facts) or sight.say("card.else")


# -- the sum


def sums(sight: Sight, rulings: Sequence[Ruling], chief: Ruling) -> tuple[tuple[Term, ...], ...]:
    """Return the sums of some rulings, the chief one's first.

    Each ruling with figures has its own; those of one kind with points alone share one. Every cost names its reason.
    """
    same: dict[int | str, list[Ruling]] = {}
    for ruling in (chief, *(one for one in rulings if one is not chief)):
        same.setdefault(id(ruling) if ruling.kind in SUMS else title(sight, ruling), []).append(ruling)
    found = []
    for those in same.values():
        one = those[0] if len(those) == 1 else msgspec.structs.replace(those[0], wear=summed(those))
        if terms := sum_terms(sight, one, rulings):
            why = () if those[0] is chief or one.kind in SUMS else (Term(value=title(sight, one)), Term(value="="))
            found.append((*why, *terms))
    return tuple(found)


def sum_terms(sight: Sight, ruling: Ruling, rulings: Sequence[Ruling]) -> tuple[Term, ...]:
    """Return the sum of a ruling as terms.

    Spaces times factor, gears or spaces by the table, otherwise the points alone. If the car had fewer points than
    asked, all it had.
    """
    loss = _figures(sight, ruling, rulings)
    make = SUMS.get(ruling.kind)
    terms = make(sight, ruling) if make is not None else ()
    return (*terms, Term(value="="), *loss) if terms and loss else (*terms, *loss)


def _figures(sight: Sight, ruling: Ruling, rulings: Sequence[Ruling]) -> tuple[Term, ...]:
    unpayable = not is_payable(ruling.facts.get("factor", 0))
    wear: Pools = {"tyres": -ruling.facts["loss"]} if "loss" in ruling.facts and not unpayable else ruling.wear
    if ruling.kind == "blocked" and "brakes" in ruling.facts and any(one.kind == "out" for one in rulings):
        wear = {"brakes": -ruling.facts["brakes"], "tyres": -ruling.facts["tyres"]}  # owed, not only what was there
    spins = any(one.kind == "spin" and one.car == ruling.car for one in rulings)
    over = pool_changes(rulings, ruling.car) if (spins or unpayable) and ruling.kind == "overshoot" else {}
    shown = []
    for pool, count in wear.items():
        was, will = over.get(pool, (0, 1))
        every, said = will <= 0, _pool(sight, pool, count)
        if count:
            shown.append(
                Term(
                    value=price.signed_change(pool, max(count, -was) if every else count),
                    word=sight.say("sum.every", pool=said) if every else said,
                    tone="warn" if count < 0 else "ok",
                )
            )
    return tuple(shown[:FIGURES])


def _pool(sight: Sight, pool: Pool, count: int) -> str:
    """Return the shortest name of a pool, to stand below its figure."""
    if said := sight.maybe(f"sum.{pool}", count=abs(count)):
        return said
    try:
        one = sight.words.word("pool_one", pool) if abs(count) == 1 else sight.pool(pool)
    except MissingWords:
        one = sight.pool(pool)
    return min(one, sight.pool(pool), key=len)


def _overshoot(sight: Sight, ruling: Ruling) -> tuple[Term, ...]:
    car, facts = sight.cars.get(ruling.car or 0), ruling.facts
    if "factor" not in facts or not is_payable(facts["factor"]):
        return _spaces(sight, ruling)  # a rulebook without tyres, or tyres on which no car can pay
    tyres = sight.words.word("tyres", car.tyres) if car is not None and car.tyres else sight.pool("tyres")
    others = [sight.maybe(f"sum.priced.{article}") for article in facts.get("priced_by", ())]
    return (
        _count(sight, facts["spaces"]),
        Term(value="×"),
        Term(value=str(facts["factor"]), word=", ".join(filter(None, (tyres, *others)))),
    )


def _count(sight: Sight, spaces: int) -> Term:
    return Term(value=str(spaces), word=sight.say("sum.spaces", count=spaces))


def _spaces(sight: Sight, ruling: Ruling) -> tuple[Term, ...]:
    return (_count(sight, ruling.facts["spaces"]),)


def _gears(sight: Sight, ruling: Ruling) -> tuple[Term, ...]:
    skipped = ruling.facts["skipped"]
    return (Term(value=str(skipped), word=sight.say("sum.gears", count=skipped)),)


def _braked(sight: Sight, ruling: Ruling) -> tuple[Term, ...]:
    spaces = ruling.facts["spaces"]
    return (Term(value=str(spaces), word=sight.say("sum.braked", count=spaces)),)


SUMS: Final[Mapping[str, Callable[[Sight, Ruling], tuple[Term, ...]]]] = {
    "overshoot": _overshoot,
    "blocked": _spaces,
    "gear_down": _gears,
    "brake": _braked,
}
"""Writers of a ruling's sum from its facts, by kind of ruling; with several rulings, the first in this order leads."""


# -- what is left


def losses(sight: Sight, rulings: Sequence[Ruling]) -> tuple[Loss, ...]:
    """Return each pool that changes, before and after."""
    car = sight.cars.get(rulings[0].car or 0)
    if car is None:
        return ()
    shown = []
    for pool, (was, will) in pool_changes(rulings, car.number).items():
        built = max(car.built.get(pool, 0), was, will)
        name = sight.maybe(f"loss.{pool}") or sight.pool(pool).capitalize()
        will, taken = max(will, 0), pool in TAKEN
        was, will = (built - was, built - will) if taken else (was, will)
        shown.append(Loss(pool=pool, name=name, built=built, before=was, after=will, taken=taken))
    return tuple(shown)


def lines(sight: Sight, rulings: Sequence[Ruling], grave: Ruling | None, *, given: bool) -> tuple[CardLine, ...]:
    """Return the lines of a card: the sentence of a past ruling, and its consequence."""
    shown = []
    if given:
        told = grave or chief_of(rulings, None)
        tone: Tone = "bad" if grave is not None else "plain"
        shown.append(CardLine(text=sight.ruled(told), tone=tone))
        if grave is None and any(one.kind == "danger" and one.car == told.car for one in sight.told):
            shown.append(CardLine(text=sight.say("line.marker"), tone="warn"))
    if grave is not None and not given:
        shown.append(CardLine(text=_grave(sight, grave), icon=ICONS[grave.kind], tone="bad"))
    if grave is not None:
        return tuple(shown)
    for loss in losses(sight, rulings):
        if loss.remaining < 2 and loss.after != loss.before:
            key = "line.last" if loss.remaining else "line.none"
            shown.append(CardLine(text=sight.say(key, pool=loss.name), icon=loss.pool, tone="warn"))
            break
    return tuple(shown)


def _grave(sight: Sight, ruling: Ruling) -> str:
    """Return that the car spins, or why it is out, in a few words."""
    cause = sight.words.word("cause", ruling.facts.get("cause", "")) if ruling.kind == "out" else ""
    return sight.say(f"line.{ruling.kind}", cause=cause)
