"""The card of a selected answer that leads to rolls.

It tells who rolls, which faces lose and what they cost, and the likely outcomes.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from companion.rules.conversation.asking import Option
from companion.rules.conversation.consequence import Consequence, Outcome, Part, Test
from companion.rules.conversation.kinds import Pools
from companion.view import price
from companion.view.race import risk
from companion.view.race.landings import row_of, uncapital
from companion.view.shown import AnswerKey, Loss, Prompt, Tone
from companion.view.shown_race import RiskCard, RollAhead, Share
from companion.view.sight import NOTHING, Sight
from companion.wording.filling import face, hundred

QUICK_OUTCOMES: Final = 8
"""Number of chance outcomes that a picture in a hurry waits for; three dice have as many."""
OUTCOMES_TOLD: Final = 3
"""Number of outcomes that are told; the rest count as one more."""
SHORT: Final = 0.05
"""Average below which two decimals are shown, in points."""


def rolls(sight: Sight, prompt: Prompt) -> RiskCard | None:
    """Return the card, if the selected answer leads to tests; otherwise None."""
    if not prompt.pages or prompt.chosen < 0 or sight.selected is NOTHING:
        return None
    key = prompt.keys[prompt.chosen]
    row, option = row_of(prompt.pages, key), sight.option(key.answer)
    if row is None or option is None or not row.risky or sight.ahead is None:
        return None
    whole = sight.ahead.explore(option.answer, QUICK_OUTCOMES) if sight.hurried else sight.ahead.record(option.answer)
    record = sight.ahead.outlook(option.answer) if whole is None or not risk.tests(whole) else whole
    tests, kinds = risk.tests(record), risk.kinds(record)
    article = tests[0].article or _article(sight, option, kinds[0])
    only = named(sight, kinds[0]) if len(kinds) == 1 else ""
    alike = (one for page in prompt.pages for one in page.rows if one.outcome == row.outcome and not one.risky)
    lost = any(part.out and record.car in part.out for test in tests for part in test.parts)
    return RiskCard(
        title=sight.say("rolls.title", outcome=row.outcome, count=len(tests), kind=only),
        why=why(sight, tests, record.car, key),
        article=article,
        cited=sight.cited(article),
        tone="bad" if lost else "warn",
        rows=tuple(_row(sight, option, record, (place, test), not only) for place, test in enumerate(tests, 1)),
        rule=_rule(sight, whole) if whole is not None else "",
        shares=shares(sight, whole) if whole is not None else (),
        weighing=sight.say("rolls.weighing") if whole is None else "",
        average=_average(sight, whole) if whole is not None else "",
        back=prompt.pages[0].label,
        other=next(alike, None),
    )


def _article(sight: Sight, option: Option, kind: str) -> str:
    """Return the article of a test after a stop, before its record is complete."""
    assert sight.ahead is not None
    assert sight.asked is not None
    brought = sight.ahead.to_the_end(option.answer)
    return next((one.article for one in brought if one.kind == kind), sight.asked.article)


def waits(card: RiskCard | None) -> bool:
    """Return True if the outcomes are still being computed."""
    return card is not None and bool(card.weighing)


def why(sight: Sight, tests: Sequence[Test], car: int | None, key: AnswerKey) -> str:
    """Return why dice are rolled, one sentence per kind of test; a space is named by its letter."""
    said, label = [], key.label if key.space else ""
    for kind in dict.fromkeys(test.kind for test in tests):
        cars = risk.touched([test for test in tests if test.kind == kind], car)
        said.append(sight.maybe(f"rolls.why.{kind}", cars=cars, label=label))
    return " ".join(filter(None, said))


def named(sight: Sight, kind: str) -> str:
    """Return the name of a kind of test, for use within a line."""
    return uncapital(sight.maybe(f"test.{kind}"))


def _row(sight: Sight, option: Option, record: Consequence, placed: tuple[int, Test], many: bool) -> RollAhead:
    place, test = placed
    harmful = [part for part in test.parts if part.harms]
    harm = max(harmful, key=lambda part: (len(part.out), len(part.spun), sum(map(price.points, part.wear.values()))))
    held = [part for part in test.parts if not part.harms]
    said = sight.say("rolls.loses", faces=risk.faces(sight, harmful, test), lost=_worst(sight, test, harm))
    safe = ", ".join(face([part.first, part.last]) for part in held)
    name = sight.names.get(test.car or 0) or str(test.car)
    pools = harm.wear.get(test.car or 0, {})
    paid = option.wear if test.car == record.car else {}
    return RollAhead(
        plate=sight.plate(test.car) if test.car is not None else None,
        title=sight.say("rolls.rolls", place=place, name=name, kind=named(sight, test.kind) if many else ""),
        loss=_loss(sight, test.car, pools, paid),
        loses=said,
        tone="bad" if harm.out or harm.spun else "warn",
        safe=sight.say("rolls.safe", faces=safe) if safe else "",
    )


def _worst(sight: Sight, test: Test, harm: Part) -> str:
    """Return what the losing faces cost the roller, and whether that retires the car."""
    taken = harm.wear.get(test.car or 0, {})
    own = [f"{sight.pool(pool)} {price.signed(count)}" for pool, count in taken.items() if count < 0]
    if test.car in harm.out:
        own.append(sight.say("price.out"))
    return ", ".join(own) or risk.what(sight, harm, test.car)


def _loss(sight: Sight, number: int | None, pools: Pools, paid: Pools) -> Loss | None:
    """Return the pool that a test takes from, before and after, less what is surely paid."""
    car = sight.cars.get(number or 0)
    pool = next((pool for pool, count in pools.items() if count < 0), None)
    if car is None or pool is None:
        return None
    before = car.wear.get(pool, 0) + paid.get(pool, 0)
    built = max(car.built.get(pool, 0), before)
    return Loss(pool=pool, name=sight.pool(pool), built=built, before=before, after=max(0, before + pools[pool]))


def _rule(sight: Sight, record: Consequence) -> str:
    """Return the rule that links the rolls, such as the survivor of a retirement."""
    for one in record.outcomes:
        if len(one.out) == 1 and record.car not in one.out and one.wear.get(record.car or 0, {}) != record.wear:
            return sight.say("rolls.rule.out", out=next(iter(one.out)), car=record.car)
    return sight.say("rolls.rule.some") if any(test.chance < 1 for test in risk.tests(record)) else ""


# -- what all of it may come to


def shares(sight: Sight, record: Consequence) -> tuple[Share, ...]:
    """Return the likeliest outcomes in per cent, summing to 100; equal wordings are merged."""
    chances: dict[tuple[str, Tone], Fraction] = {}
    for one in record.outcomes:
        said = _comes_to(sight, record, one)
        chances[said] = chances.get(said, Fraction(0)) + one.chance
    likely = sorted(chances.items(), key=lambda told: -told[1])
    if len(likely) > OUTCOMES_TOLD:
        rest = sum((chance for _, chance in likely[OUTCOMES_TOLD:]), Fraction(0))
        likely = [*likely[:OUTCOMES_TOLD], ((sight.say("rolls.other"), "plain"), rest)]
    percents = hundred([chance for _, chance in likely])
    return tuple(
        Share(percent=percent, part=float(chance), text=text, tone=tone)
        for ((text, tone), chance), percent in zip(likely, percents, strict=True)
        if tone != "plain" or percent
    )


def _comes_to(sight: Sight, record: Consequence, one: Outcome) -> tuple[str, Tone]:
    """Return who loses what beyond the certain cost, and its tone."""
    said: list[str] = []
    for car in dict.fromkeys([*one.out, *one.spun, *one.wear]):
        certain = record.wear if car == record.car else {}
        lost = {pool: points - certain.get(pool, 0) for pool, points in one.wear.get(car, {}).items()}
        name = sight.names.get(car) or str(car)
        if car in one.out:
            said.append(f"{name} {sight.say('price.out')}")
        elif car in one.spun:
            said.append(f"{name} {sight.say('price.spin')}")
        elif any(points < 0 for points in lost.values()):
            said.append(f"{name} {', '.join(f'{sight.pool(p)} {price.signed(n)}' for p, n in lost.items() if n < 0)}")
    tone: Tone = "bad" if one.out or one.spun else "warn" if said else "ok"
    return ", ".join(said) or sight.say("rolls.nobody"), tone


def _average(sight: Sight, record: Consequence) -> str:
    """Return the mover's average loss beyond the certain cost; "" if none."""
    for pool, mean in record.expected.get(record.car or 0, {}).items():
        more = float(mean) - record.wear.get(pool, 0)
        if more < 0:
            points = sight.words.decimal(-more, 1 if -more >= SHORT else 2)
            return sight.say("rolls.average", pool=sight.pool(pool), points=points)
    return ""
