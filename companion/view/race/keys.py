"""The answers to a question as keys: what each is called, what it brings, and which of them is selected."""

from __future__ import annotations

from typing import Final

import msgspec

from companion.rules.conversation.asking import Asked, Json, Option
from companion.rules.conversation.kinds import Ask, Compound
from companion.rules.death.cards import CARDS
from companion.rules.public import PublicDiceCar, barred
from companion.view import price
from companion.view.brought import SPENT
from companion.view.race import hand, risk, seen
from companion.view.shown import Key, Layout, Price
from companion.view.sight import NOTHING, Sight
from companion.wording import capital
from companion.wording.filling import MissingWords

GEARS: Final = 6
READ: Final = ("card", "refit", "extra", "strip")
"""Questions whose answers are cards, which say what they do."""


def keys_of(sight: Sight, asked: Asked, layout: Layout) -> tuple[Key, ...]:
    """Every answer as a key."""
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


def _of(sight: Sight, asked: Asked, option: Option, *, many: bool) -> Key:
    """One answer: cards that are put together, a card, or whatever it is called."""
    if hand.layout_of([option]) == "pick":
        return hand.picked(sight, asked, option)
    if hand.is_card(option.answer):
        return _card(sight, option, many=many)
    return _key(sight, asked.ask, option, label_of(sight, asked.ask, option))


def _card(sight: Sight, option: Option, *, many: bool) -> Key:
    """A card of the hand; one that does not pass says what that costs beside the card."""
    key = hand.face(sight, option.answer, option, many=many)
    if option.facts.get("passes", True):
        return key
    lost = [one for one in risk.told(sight, option) if one.icon not in SPENT]
    signs = [one for one in key.prices if one.icon not in {more.icon for more in lost}]
    return msgspec.structs.replace(key, prices=(*signs, *lost), accept=risk.accepted(sight, option))


def _key(sight: Sight, ask: Ask, option: Option, label: str) -> Key:
    return Key(
        answer=option.answer,
        label=label,
        note=key_note(sight, ask, option),
        prices=risk.told(sight, option),
        accept=risk.accepted(sight, option),
    )


def key_note(sight: Sight, ask: Ask, option: Option) -> str:
    """The second line of an answer: a word of the screens, or of a card what it does."""
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
    """A card in a few words: how far a weapon fires, on which faces it hits and what it takes; what another does."""
    card = CARDS.get(key)
    if card is None:
        return ""
    if card.range:
        return sight.say("attack.brief", range=card.range, facing=card.facing, to=card.accuracy, damage=card.damage)
    return sight.maybe(f"effect.{key}", **sight.figures)


def tyre_facts(sight: Sight, compound: Compound) -> dict[str, Json]:
    """What a space overshot costs with new tyres, on a dry track and, where there is weather, a wet one."""
    tyres = getattr(sight.book, "tyres", None)
    if tyres is None:
        return {}
    surfaces = ("dry", "wet") if "surface" in sight.book.race_values else ("dry",)
    return {name: tyres.factors_of(compound, wet=name == "wet")[0] for name in surfaces}


def _faces(sight: Sight, asked: Asked) -> tuple[Key, ...]:
    faces = asked.faces or []
    if sight.ahead is None or sight.prices != "always":
        return tuple(Key(answer=face, label=str(face)) for face in faces)
    seen = sight.ahead.foresee(faces)
    return tuple(
        Key(answer=face, label=str(face), prices=price.of_foreseen(sight, one))
        for face, one in zip(faces, seen, strict=True)
    )


def _gears(sight: Sight, asked: Asked, options: list[Option]) -> tuple[Key, ...]:
    """The gears in their places, those barred now too, each with the range of its die."""
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
            Key(
                answer=gear,
                label=str(gear),
                note=notes.get(gear, ""),
                prices=price.of_gear(sight, option) if sight.prices != "never" else (),
                accept=price.costs(option),
            )
        )
    return tuple(keys)


def _boxes(sight: Sight, asked: Asked) -> tuple[Key, ...]:
    """Every box in its place: one that is not offered with the car that has it."""
    offered = {option.answer: option for option in asked.options or []}
    owners = {car.box: car.number for car in sight.cars.values() if isinstance(car, PublicDiceCar) and car.box}
    keys = []
    for box in range(1, sight.road.box_count + 1):
        if box in offered:
            keys.append(_key(sight, asked.ask, offered[box], label_of(sight, asked.ask, offered[box])))
            continue
        owner = owners.get(box)
        keys.append(
            Key(
                answer=box,
                label=label_of(sight, asked.ask, Option(box)),
                why=sight.say("why_barred.box", other=owner),
                plate=sight.plate(owner) if owner is not None else None,
                article=asked.article,
                cited=sight.cited(asked.article),
            )
        )
    return tuple(keys)


def _barred(sight: Sight, asked: Asked, gear: int) -> Key:
    """A gear that may not be taken: what is missing on its key, and by which article. Out of the box the offered gears
    are all that there are, whatever was in before."""
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
    return Key(answer=gear, label=str(gear), why=why, article=article, cited=sight.cited(article), prices=(refused,))


def label_of(sight: Sight, ask: Ask, option: Option) -> str:
    """An answer in one or two words."""
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


def wanted(sight: Sight) -> Json:
    """The answer that somebody has selected, else one that a correction took away; else `NOTHING`."""
    if sight.selected is not NOTHING:
        return sight.selected
    return NOTHING if sight.desk.suggested is None else sight.desk.suggested


def chosen(sight: Sight, keys: tuple[Key, ...], layout: Layout) -> int:
    """The key that is selected beforehand: somebody's, else one that a correction took away, else of an attack the
    first."""
    meant = wanted(sight)
    for at, key in enumerate(keys):
        if not key.why and key.answer == meant and type(key.answer) is type(meant):
            return at
    return 0 if layout == "attack" else -1
