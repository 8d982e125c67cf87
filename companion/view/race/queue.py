"""The tests of a turn: those taken, the open one, and those to come if all goes well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from msgspec.structs import replace

from companion.rules.conversation.asking import Asked, Json, Ruling
from companion.sheets.acts import Item
from companion.view import price
from companion.view.race.keys import selected_answer
from companion.view.shown import AnswerKey, Price
from companion.view.shown_race import QueueRow
from companion.view.sight import Sight
from companion.view.worded import near
from companion.wording.filling import face

ICONS: Final[Mapping[str, str]] = {
    "collision": "body",
    "wall": "body",
    "engine": "engine",
    "handling": "handling",
    "weather": "changeable",
    "quick_stop": "pit",
    "restart": "play",
    "attack": "target",
    "mine": "mine",
    "wreckage": "crash",
    "bravado": "shield",
    "jammer": "shield",
    "heal": "points",
}
"""Pictogram of a test, by what it is for."""


def tests(sight: Sight, keys: Sequence[AnswerKey]) -> tuple[QueueRow, ...]:
    """Return the tests in order; empty while no test is asked.

    `keys` are those of the open question. A roll without bands is not a test: there the face itself matters.
    """
    asked = sight.asked
    if asked is None or asked.ask != "test" or asked.bands is None:
        return ()
    rows = [_done(sight, item) for item in _recent_tests(sight)]
    if sight.ahead is None:
        return (*rows, _open(sight, asked, (), keys))
    for at, seen in enumerate(sight.ahead.coming()):
        if seen.asked is not None:
            rows.append(_open(sight, seen.asked, seen.rulings, () if at else keys, now=not at))
    return tuple(rows)


def _recent_tests(sight: Sight) -> list[Item]:
    """Return the tests of this turn taken just before the open one."""
    begun = sight.desk.conversation.last_checkpoint[0]
    taken: list[Item] = []
    for item in reversed(sight.desk.history.items[begun:]):
        if item.event.key is None or item.event.key[0] != "test":
            break
        taken.append(item)
    return taken[::-1]


def _done(sight: Sight, item: Item) -> QueueRow:
    assert item.event.key is not None
    _, car, _, what = item.event.key
    own = [ruling for ruling in item.rulings if ruling.car == car]
    brought = price.of_rulings(sight, item.rulings, car)
    safe = Price(text=sight.say("price.safe"), icon="check", tone="ok")
    outcome = brought[0] if brought else safe
    return replace(_whose(sight, car, what, own), state="done", die=face(item.event.answer), outcome=outcome)


def _open(
    sight: Sight, asked: Asked, rulings: Sequence[Ruling], keys: Sequence[AnswerKey], *, now: bool = True
) -> QueueRow:
    state: Literal["now", "to_come"] = "now" if now else "to_come"
    whose = _whose(sight, asked.car, asked.what, rulings)
    if note := sight.maybe(f"test_note.{asked.what}", **(asked.fields or {})):
        whose = replace(whose, note=note)
    if not now:
        return replace(whose, state=state)
    meant = selected_answer(sight)
    offered = tuple(_selected_key(key, meant) for key in bands(asked, keys))
    chosen = next((at for at, key in enumerate(offered) if key.answer == meant), -1)
    return replace(whose, state=state, keys=offered, chosen=chosen)


def _selected_key(key: AnswerKey, meant: Json) -> AnswerKey:
    """Return the key of a band, or of the one face in it that is selected."""
    first, last = key.answer
    return replace(key, answer=meant, label=str(meant)) if isinstance(meant, int) and first <= meant <= last else key


def bands(asked: Asked | None, keys: Sequence[AnswerKey]) -> tuple[AnswerKey, ...]:
    """Return a key per band of a test, "1–4", with its consequences; it answers with the band."""
    if asked is None:
        return ()
    prices = {str(key.answer): key.prices for key in keys}
    return tuple(
        AnswerKey(answer=band, label=face(band), prices=prices.get(str(band[0]), ())) for band in asked.bands or ()
    )


def _whose(sight: Sight, car: int | None, what: str, rulings: Sequence[Ruling]) -> QueueRow:
    """Return a row with the car, the test, and the opponent or place."""
    number = car if car is not None else (sight.playing or 0)
    facts = next((ruling.facts for ruling in rulings if "other" in ruling.facts or "at" in ruling.facts), {})
    key = "shot" if what == "attack" else "with"
    note = sight.say(f"test_note.{key}", other=facts["other"]) if "other" in facts else ""
    if not note and "at" in facts:
        note = near(sight.words, sight.track, str(facts["at"]))
    return QueueRow(
        plate=sight.plate(number),
        code=sight.codes.get(number, str(number)),
        icon=ICONS.get(what, "die"),
        title=sight.maybe(f"test.{what}") or what.replace("_", " ").capitalize(),
        note=note,
    )
