"""The attack phase: weapons, their targets, and the outcome of the selected shot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Final

import msgspec

from companion.rules.conversation.asking import Json, Option
from companion.rules.conversation.faces import BLACK_DIE
from companion.rules.death.cards import CARDS
from companion.rules.public import PublicCar, PublicDiceCar, covered
from companion.view import price
from companion.view.race import risk
from companion.view.race.dashboard import columns
from companion.view.race.extras import called
from companion.view.shown import AnswerKey, CardLine, Loss, Price, Prompt
from companion.view.shown_board import SpaceMark
from companion.view.shown_race import ActionOutcome, AttackChoice, Weapon
from companion.view.sight import Sight
from companion.view.worded import near
from companion.wording import capital

TOLD: Final = ("range", "bravado", "jammer", "hits_to", "damage", "tokens", "sight", "left")
"""Facts of a shot shown beside the board, in order; those that a rulebook does not have are left out."""
ROLLED: Final = ("bravado", "jammer", "hits_to")
"""Facts among them that are rolled, in the order of the dice."""
MAX_WORDED_TARGETS: Final = 3
"""Maximum number of targets whose keys have room for words."""
COUNTED: Final = 20
"""Maximum distance shown on the spaces in a weapon's range."""
CARD_ACTIONS: Final = ("fire", "reload")
"""Actions of an answer that name a card."""

ARMS: Final = {
    "jet": "flame", "missile": "missile", "laser": "laser", "gun": "gun", "grenade": "bomb", "mine": "mine",
    "flamer": "flame", "blobber": "gun", "mag-gun": "gun", "haywire-charge": "bomb", "chain-blades": "saw",
    "wrecker-ball": "saw",
}  # fmt: skip
"""Pictogram of a weapon by its class, or by its key if it has none."""


def attack(sight: Sight, asks: Prompt) -> AttackChoice | None:
    """Return the weapons and targets to choose from; None for another question."""
    asked = sight.asked
    if asked is None or asks.layout != "attack":
        return None
    options = asked.options or []
    at = asks.chosen
    option = options[at] if at >= 0 else None
    card = card_of(option)
    target = option.answer.get("at") if option is not None and isinstance(option.answer, dict) else None
    own = [place for place, one in enumerate(options) if card and card_of(one) == card and _aimed(one)]
    skip = next((key for key in asks.keys if key.answer is None), None)
    return AttackChoice(
        weapons=tuple(_weapon(sight, one, options, card, target) for one in sight.fields["weapons"]),
        attackers=tuple(sight.plate(number) for number in sight.fields["attackers"]),
        keys=tuple(_key(sight, asks.keys[place], options[place], len(own) <= MAX_WORDED_TARGETS) for place in own),
        chosen=own.index(at) if at in own else -1,
        act=_act(sight, option) if card and option is not None else None,
        skip=_skip(sight, skip, option) if skip is not None else None,
        aim=_aim(sight, option) if card and option is not None else None,
    )


def card_of(option: Option | None) -> str:
    """Return the weapon of an action; "" for none."""
    answer = option.answer if option is not None else None
    return next((str(answer[name]) for name in CARD_ACTIONS if name in answer), "") if isinstance(answer, dict) else ""


def _aimed(option: Option) -> bool:
    return "at" in option.answer or "space" in option.answer


def marks(sight: Sight, asks: Prompt) -> tuple[SpaceMark, ...]:
    """Return the marks of an attack: targets in reach, or the target of an open shot."""
    asked = sight.asked
    if asked is None:
        return ()
    if asks.layout != "attack":
        nearer = [_space(sight, number) for number in sight.fields.get("between", [])]
        return tuple(SpaceMark(space=at, state="cost") for at in nearer if at)
    options: Sequence[Option] = asked.options or []
    option = options[asks.chosen] if asks.chosen >= 0 else None
    found = _ranges(sight, card_of(option))
    for place, one in enumerate(options):
        if card_of(one) != card_of(option) or not isinstance(one.answer, dict):
            continue
        cars = one.facts.get("cars", [one.answer.get("at")])
        for at in (str(one.answer.get("space", "")), *(_space(sight, number) for number in cars)):
            if at:
                found[at] = SpaceMark(space=at, state="chosen" if place == asks.chosen else "choice")
    return tuple(found.values())


def _ranges(sight: Sight, card: str) -> dict[str, SpaceMark]:
    """Return the distance of each space within a weapon's range, up to COUNTED."""
    car = sight.cars.get(sight.playing or 0)
    if not card or car is None:
        return {}
    taken = {other.at for other in sight.cars.values() if other.standing}
    found = {at: far for at, far in covered(sight.book, car.number, card).items() if far <= COUNTED}
    return {at: SpaceMark(space=at, state="range", text=str(far)) for at, far in found.items() if at not in taken}


def shot(sight: Sight, asks: Prompt) -> tuple[str, ...]:
    """Return the start and end space of an aimed shot, or ()."""
    asked = sight.asked
    if asked is None:
        return ()
    option = (asked.options or [])[asks.chosen] if asks.layout == "attack" and asks.chosen >= 0 else None
    answer = option.answer if option is not None else None
    target = answer.get("at") if isinstance(answer, dict) else sight.fields.get("target")
    bare = str(sight.fields.get("space", "")) if asked.ask == "sight" else ""
    ends = _space(sight, asked.car), bare or _space(sight, target)
    return ends if all(ends) and asked.car != target else ()


def sight_target(sight: Sight) -> ActionOutcome | None:
    """Return the target of a shot while the table judges line of sight; None otherwise."""
    asked, facts = sight.asked, sight.fields
    other = sight.cars.get(facts.get("target", 0)) if asked is not None and asked.ask == "sight" else None
    if other is None:
        return None
    reach = sight.say("attack.reach", range=facts["reach"], facing=facts["facing"])
    lines = [
        CardLine(text="", icon=called(sight, str(facts["card"]))),
        CardLine(text=reach, icon=sight.say("attack.word.reach")),
        CardLine(text=str(facts["range"]), icon=sight.say("attack.word.range")),
    ]
    if facts["between"]:
        near = ", ".join(str(number) for number in facts["between"])
        lines.append(CardLine(text=near, icon=sight.say("attack.word.nearer")))
    return ActionOutcome(
        plate=sight.plate(other.number),
        name=other.driver or sight.codes[other.number],
        where=_where(sight, facts),
        lines=tuple(lines),
        columns=columns(sight, other, {}),
        defences=_defences(sight, other),
    )


def _space(sight: Sight, number: Json) -> str:
    car = sight.cars.get(number) if isinstance(number, int) else None
    return (car.at or "") if car is not None and car.standing else ""


def _weapon(
    sight: Sight, facts: Mapping[str, Json], options: Sequence[Option], chosen: str, target: int | None
) -> Weapon:
    """Return a weapon with its tokens.

    Its `answer` is the shot at the present target, otherwise its first action.
    """
    card, tokens = str(facts["card"]), int(facts["tokens"])
    own = [option for option in options if card_of(option) == card]
    first = next((option for option in own if target is not None and option.answer.get("at") == target), None)
    first = first or next(iter(own), None)
    note = sight.say("attack.tokens", tokens=tokens) if tokens else sight.say("attack.loaded")
    if not tokens and first is None:
        note = sight.say("attack.nobody")
    return Weapon(
        name=called(sight, card),
        card=card,
        reach=reach(sight, card),
        note=note,
        text=does(sight, card),
        icon=ARMS[CARDS[card].family or card],
        tokens=tokens,
        most=max(tokens, int(facts.get("reload", 0))),
        chosen=card == chosen,
        can=first is not None,
        answer=first.answer if first is not None else None,
    )


def reach(sight: Sight, key: str) -> str:
    """Return a weapon's range, facing and damage; "" if it does not fire."""
    card = CARDS[key]
    said = sight.say("attack.reach", range=card.range, facing=card.facing) if card.range else ""
    return sight.say("attack.short", where=said, points=price.signed(-card.damage)) if said and card.damage else said


def does(sight: Sight, key: str) -> str:
    """Return a weapon in one line: range, effect and reload cost."""
    said = ", ".join(filter(None, (reach(sight, key), sight.maybe(f"attack.does.{key}", **sight.figures))))
    return f"{capital(said)}. {sight.say('attack.then', tokens=CARDS[key].reload)}"


def _key(sight: Sight, key: AnswerKey, option: Option, few: bool) -> AnswerKey:
    """Return the key for a shot: target and position, in words if there are few."""
    answer, facts = option.answer, option.facts
    shares = _shares(facts)
    shot = (Price(text=_chance(sight, shares), icon="target"),) if shares else ()
    plate = None
    if "at" in answer:
        plate = sight.plate(answer["at"])
        side = "+" if facts.get("side") == "front" else "−"
        note = _where(sight, facts) if few else f"{side}{facts.get('range', 0)}"
        if few and (lost := hit(sight, option)):
            note = sight.say("attack.short", where=note, points=price.signed(-lost))
        at, label = _space(sight, answer["at"]), str(answer["at"])
    else:
        at, label = str(answer["space"]), "+"
        note = near(sight.words, sight.track, at)
    return msgspec.structs.replace(key, label=label, plate=plate, note=note, prices=shot, space=at)


def _where(sight: Sight, facts: Mapping[str, Json]) -> str:
    return sight.say("attack.where", side=facts.get("side", ""), range=facts.get("range", 0))


def _act(sight: Sight, option: Option) -> AnswerKey:
    """Return the key that performs the selected action."""
    answer, facts = option.answer, option.facts
    if "reload" in answer:
        return AnswerKey(
            answer=answer, label=sight.say("attack.reload"), note=sight.say("attack.loads", left=facts["tokens"] - 1)
        )
    if "hits_to" not in facts:
        return AnswerKey(answer=answer, label=sight.say("attack.drop"))
    target = str(answer["at"]) if "at" in answer else ""
    chance, lost = _chance(sight, _shares(facts)), hit(sight, option)
    note = sight.say("attack.at", target=target, chance=chance)
    if lost or _armour(option):
        points = price.signed(-lost) if lost else sight.say("attack.no_loss")
        note = sight.say("attack.brings", target=target, chance=chance, points=points)
    return AnswerKey(answer=answer, label=sight.say("attack.fire"), note=note)


def _skip(sight: Sight, skip: AnswerKey, option: Option | None) -> AnswerKey:
    """Return the key that passes, or holds fire if a shot is aimed."""
    held = option is not None and "hits_to" in option.facts
    label = sight.say("attack.hold" if held else "attack.pass")
    return msgspec.structs.replace(skip, label=label, prices=(price.free(sight),))


def _armour(option: Option) -> int:
    """Return how much of a hit the target's armour absorbs."""
    return CARDS[card_of(option)].damage - int(option.facts["damage"]) if "damage" in option.facts else 0


def _aim(sight: Sight, option: Option) -> ActionOutcome:
    """Return the outcome of the selected action, and its target."""
    facts = option.facts
    other = sight.cars.get(option.answer.get("at", 0))
    held = {"tokens": "held"} if "reload" in option.answer else {}
    lines = [
        CardLine(text=_fact_text(sight, option, name), icon=sight.say(f"attack.word.{held.get(name, name)}"))
        for name in TOLD
        if name in facts and facts[name] is not False
    ]
    name, shares = called(sight, card_of(option)), _shares(facts)
    lost = hit(sight, option)
    return ActionOutcome(
        plate=sight.plate(other.number) if other is not None else None,
        name=(other.driver or sight.codes[other.number]) if other is not None else name,
        where=_where(sight, facts) if other is not None else "",
        lines=tuple(lines),
        big=_chance(sight, shares) if shares else "",
        chance=sight.say(
            "attack.chance", to=facts["hits_to"], sum=" × ".join(_chance(sight, [one]) for one in shares[1:] and shares)
        )
        if shares
        else "",
        columns=columns(sight, other, {}) if other is not None else (),
        defences=_defences(sight, other),
        loss=_loss(sight, other, lost) if other is not None and lost else None,
        missed=sight.say("attack.missed") if lost else "",
    )


def hit(sight: Sight, option: Option) -> int:
    """Return the points a hit takes from the target; 0 if the action is not a shot."""
    record, target = risk.record(sight, option), option.answer.get("at")
    if record is None or "hits_to" not in option.facts:
        return 0
    return max((price.points(one.wear.get(target, {})) for one in record.outcomes), default=0)


def _loss(sight: Sight, other: PublicCar, lost: int) -> Loss | None:
    """Return the target's pool before and after a hit."""
    pool = next((pool for pool, count in other.wear.items() if count), None)
    if pool is None:
        return None
    before, built = other.wear[pool], other.built.get(pool, 0)
    return Loss(pool=pool, name=sight.pool(pool), built=max(built, before), before=before, after=before - lost)


def _fact_text(sight: Sight, option: Option, name: str) -> str:
    """Return a fact of a shot in words.

    Damage is given less armour, a roll by its passing faces and probability.
    """
    value = option.facts[name]
    if name == "damage":
        return sight.say("attack.told.damage", value=value, hit=value + _armour(option), armour=_armour(option))
    if name not in ROLLED or type(value) is not int:
        return sight.say(f"attack.told.{name}", value=value)
    return sight.say("attack.share", to=value, chance=_chance(sight, [_share(value)]))


def _share(to: int) -> Fraction:
    """Return the probability that the black die shows at most `to`."""
    return Fraction(sum(face <= to for face in BLACK_DIE), len(BLACK_DIE))


def _shares(facts: Mapping[str, Json]) -> list[Fraction]:
    """Return the probability of each roll that a shot must pass.

    The target's bravado and jammer come first, then accuracy; empty if the action is not a shot.
    """
    if not isinstance(facts.get("hits_to"), int):
        return []
    return [_share(facts[name]) for name in ROLLED if type(facts.get(name)) is int]


def _chance(sight: Sight, shares: Sequence[Fraction]) -> str:
    """Return the probability that all rolls pass, in per cent."""
    return sight.words.chance(prod(shares))


def _defences(sight: Sight, other: PublicCar | None) -> str:
    """Return the target's defences."""
    arms = other.arms if isinstance(other, PublicDiceCar) else None
    cards = (arms.defence, arms.utility) if arms is not None else ()
    return " · ".join(called(sight, card) for card in cards if card)
