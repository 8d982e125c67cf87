"""The answers to a question as keys, and the one that is selected."""

from __future__ import annotations

from typing import Final

import msgspec

from companion.rules.conversation.asking import Asked, Json, Option
from companion.rules.conversation.kinds import Ask, Compound, Surface
from companion.rules.death.cards import CARDS
from companion.rules.public import PublicDiceCar, barred
from companion.view import price
from companion.view.consequences import SPENT
from companion.view.race import hand, risk, seen
from companion.view.shown import AnswerKey, Layout, Price
from companion.view.sight import NOTHING, Sight
from companion.wording import capital
from companion.wording.filling import MissingWords

GEARS: Final = 6
READ: Final = ("card", "refit", "extra", "strip")
"""Questions whose answers are cards, explained by their own text."""


def keys_of(sight: Sight, asked: Asked, layout: Layout) -> tuple[AnswerKey, ...]:
    """Return every answer as a key."""
    if asked.faces is not None:
        return _faces(sight, asked)
    options = asked.options or []
    if asked.ask == "gear":
        return _gears(sight, asked, options)
    if layout == "seen":
        return seen.keys(sight, asked)
    if asked.ask == "box":
        return _boxes(sight, asked)
    return tuple(_of(sight, asked, option, many=len(options) > hand.WORDED) for option in options)


def _of(sight: Sight, asked: Asked, option: Option, *, many: bool) -> AnswerKey:
    """Return one answer as a key: a combination, a card, or a label."""
    if hand.layout_of([option]) == "pick":
        return hand.picked(sight, asked, option)
    if hand.is_card(option.answer):
        return _card(sight, option, many=many)
    return _key(sight, asked.ask, option, label_of(sight, asked.ask, option))


def _card(sight: Sight, option: Option, *, many: bool) -> AnswerKey:
    """Return a card of the hand; one that does not pass also shows the cost."""
    key = hand.face(sight, option.answer, option, many=many)
    if option.facts.get("passes", True):
        return key
    lost = [one for one in risk.answer_costs(sight, option) if one.icon not in SPENT]
    signs = [one for one in key.prices if one.icon not in {more.icon for more in lost}]
    return msgspec.structs.replace(key, prices=(*signs, *lost), accept=risk.accepted(sight, option))


def _key(sight: Sight, ask: Ask, option: Option, label: str) -> AnswerKey:
    return AnswerKey(
        answer=option.answer,
        label=label,
        note=key_note(sight, ask, option),
        prices=risk.answer_costs(sight, option),
        accept=risk.accepted(sight, option),
    )


def key_note(sight: Sight, ask: Ask, option: Option) -> str:
    """Return the second line of a key: a note, or the effect of a card."""
    if ask in READ and "built" not in option.facts:
        return of_card(sight, str(option.answer))
    if "kind" in option.facts:
        return sight.effect(str(option.facts["kind"]), str(option.answer))
    facts = {**sight.fields, **option.facts, "answer": option.answer}
    if isinstance(built := option.facts.get("built"), dict):
        facts["counts"] = " ".join(str(points) for points in built.values())
    if ask == "use":
        facts = sight.figures | facts
    if ask == "tyres":
        facts |= tyre_facts(sight, option.answer)
    if ask == "stop" and sight.ahead is not None:  # the die that follows says with which faces the car is away
        then = sight.ahead.foresee([option.answer])[0].asked
        facts = {**((then.fields or {}) if then is not None and then.ask == "test" else {}), **facts}
    return sight.maybe(f"key_note.{ask}", **facts)


def of_card(sight: Sight, key: str) -> str:
    """Return a card in a few words: range, faces that hit and damage, or its effect."""
    card = CARDS.get(key)
    if card is None:
        return ""
    if card.range:
        return sight.say("attack.brief", range=card.range, facing=card.facing, to=card.accuracy, damage=card.damage)
    return sight.maybe(f"effect.{key}", **sight.figures)


def tyre_facts(sight: Sight, compound: Compound) -> dict[str, Json]:
    """Return the cost per overshot space with new tyres, dry and, with weather, wet."""
    tyres = getattr(sight.book, "tyres", None)
    if tyres is None:
        return {}
    return {name: tyres.factors_of(compound, wet=name == "wet")[0] for name in surfaces(sight)}


def surfaces(sight: Sight) -> tuple[Surface, ...]:
    """Return the surfaces that a race may have: both only with weather."""
    return ("dry", "wet") if "surface" in sight.book.race_values else ("dry",)


def _faces(sight: Sight, asked: Asked) -> tuple[AnswerKey, ...]:
    faces = asked.faces or []
    if sight.ahead is None or sight.prices != "always":
        return tuple(AnswerKey(answer=face, label=str(face)) for face in faces)
    seen = sight.ahead.foresee(faces)
    return tuple(
        AnswerKey(answer=face, label=str(face), prices=price.of_foreseen(sight, one))
        for face, one in zip(faces, seen, strict=True)
    )


def _gears(sight: Sight, asked: Asked, options: list[Option]) -> tuple[AnswerKey, ...]:
    """Return all gears in order, barred ones included, each with the range of its die."""
    offered = {option.answer: option for option in options}
    notes: dict[Json, str] = {}
    if sight.ahead is not None:
        for seen in sight.ahead.foresee(list(offered)):
            then = seen.asked
            if then is None or then.car != asked.car:
                continue
            faces = then.faces or [one.answer for one in then.options or [] if then.ask == "allowance" and one.answer]
            if faces:
                notes[seen.answer] = f"{min(faces)}–{max(faces)}"
    keys = []
    for gear in sorted({*offered, *range(1, GEARS + 1)}):
        option = offered.get(gear)
        if option is None:
            keys.append(_barred(sight, asked, gear))
            continue
        keys.append(
            AnswerKey(
                answer=gear,
                label=str(gear),
                note=notes.get(gear, ""),
                prices=price.of_gear(sight, option) if sight.prices != "never" else (),
                accept=price.costs(option),
            )
        )
    return tuple(keys)


def _boxes(sight: Sight, asked: Asked) -> tuple[AnswerKey, ...]:
    """Return every box in order; one that is not offered shows the car that owns it."""
    offered = {option.answer: option for option in asked.options or []}
    owners = {car.box: car.number for car in sight.cars.values() if isinstance(car, PublicDiceCar) and car.box}
    keys = []
    for box in range(1, sight.road.box_count + 1):
        if box in offered:
            keys.append(_key(sight, asked.ask, offered[box], label_of(sight, asked.ask, offered[box])))
            continue
        owner = owners.get(box)
        keys.append(
            AnswerKey(
                answer=box,
                label=label_of(sight, asked.ask, Option(box)),
                why=sight.say("why_barred.box", other=owner),
                plate=sight.plate(owner) if owner is not None else None,
                article=asked.article,
                cited=sight.cited(asked.article),
            )
        )
    return tuple(keys)


def _barred(sight: Sight, asked: Asked, gear: int) -> AnswerKey:
    """Return the key of a barred gear, with the reason and the article.

    Out of the box only the offered gears exist, whatever was in before.
    """
    found = barred(sight.book, asked.car or 0, gear) if not asked.what else None
    if found is None:
        gears = [option.answer for option in asked.options or []]
        facts: dict[str, Json] = {"low": min(gears), "high": max(gears)}
        kind, article, icon = "only", asked.article, "cross"
    else:
        kind, article, icon = found.why, found.article, found.pool or "cross"
        facts = {**found._asdict(), "pool": sight.pool(found.pool) if found.pool else ""}
    refused = Price(icon=icon, text=sight.say(f"barred.{kind}", **facts), tone="bad")
    why = sight.say(f"why_barred.{kind}", **facts)
    return AnswerKey(
        answer=gear, label=str(gear), why=why, article=article, cited=sight.cited(article), prices=(refused,)
    )


def label_of(sight: Sight, ask: Ask, option: Option) -> str:
    """Return an answer in one or two words."""
    answer = option.answer
    parts = answer if isinstance(answer, dict) else {}
    what = sight.asked.what if sight.asked is not None else ""
    said = sight.maybe(f"key.{ask}", **{**parts, **option.facts, "answer": answer, "what": what})
    if not said:
        try:
            said = sight.words.offered(ask, option, sight.names)
        except (MissingWords, TypeError, AttributeError, ValueError):
            said = str(answer)
    return capital(said)


def selected_answer(sight: Sight) -> Json:
    """Return the selected answer, otherwise one removed by a correction, otherwise NOTHING."""
    if sight.selected is not NOTHING:
        return sight.selected
    return NOTHING if sight.desk.suggested is None else sight.desk.suggested


def selected_index(sight: Sight, keys: tuple[AnswerKey, ...], layout: Layout) -> int:
    """Return the index of the selected key, -1 for none.

    In an attack the default is the first key.
    """
    meant = selected_answer(sight)
    for at, key in enumerate(keys):
        if not key.why and key.answer == meant and type(key.answer) is type(meant):
            return at
    return 0 if layout == "attack" else -1
