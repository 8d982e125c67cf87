"""The tests of a turn: those taken with what they brought, the open one, and those still to come if all goes well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from companion.rules.asking import Asked, Ruling
from companion.screens.view import price
from companion.screens.view.shown import Key, Price
from companion.screens.view.shown_phases import QueueRow
from companion.screens.view.sight import Sight
from companion.screens.view.worded import near
from companion.sheets.acts import Item

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
"""What stands for a test, by what it is for."""


def tests(sight: Sight, keys: Sequence[Key]) -> tuple[QueueRow, ...]:
    """The list of tests, in the order in which they are taken; empty while no test is asked. `keys` are those of the
    open question. A roll that the rules say nothing more of is no test: there the face itself matters."""
    asked = sight.asked
    if asked is None or asked.ask != "test" or not asked.fields:
        return ()
    rows = [_done(sight, item) for item in _taken(sight)]
    if sight.ahead is None:
        return (*rows, _open(sight, asked, (), keys))
    for at, seen in enumerate(sight.ahead.coming()):
        if seen.asked is not None:
            rows.append(_open(sight, seen.asked, seen.rulings, () if at else keys, now=not at))
    return tuple(rows)


def _taken(sight: Sight) -> list[Item]:
    """The tests taken just before the open one, in this turn."""
    begun = sight.desk.conversation.last_mark[0]
    taken: list[Item] = []
    for item in reversed(sight.desk.history.items[begun:]):
        if item.event.key is None or item.event.key[0] != "test":
            break
        taken.append(item)
    return taken[::-1]


def _done(sight: Sight, item: Item) -> QueueRow:
    key: Any = item.event.key
    _, car, _, what = key
    own = [ruling for ruling in item.rulings if ruling.car == car]
    brought = price.of_rulings(sight, item.rulings, car)
    safe = Price(text=sight.say("price.safe"), icon="check", tone="ok")
    return QueueRow(
        **_whose(sight, car, what, own),
        state="done",
        die=str(item.event.answer),
        outcome=brought[0] if brought else safe,
    )


def _open(sight: Sight, asked: Asked, rulings: Sequence[Ruling], keys: Sequence[Key], *, now: bool = True) -> QueueRow:
    state: Literal["now", "to_come"] = "now" if now else "to_come"
    whose = _whose(sight, asked.car, asked.what, rulings)
    if note := sight.maybe(f"test_note.{asked.what}", **(asked.fields or {})):
        whose["note"] = note
    return QueueRow(**whose, state=state, keys=bands(keys) if now else ())


def bands(keys: Sequence[Key]) -> tuple[Key, ...]:
    """The faces of a die that bring the same, as one key each: "1–4". It answers with the last of its faces."""
    found: list[Key] = []
    for key in keys:
        last = found[-1] if found else None
        if last is not None and last.prices == key.prices:
            label = f"{last.label.partition('–')[0]}–{key.label}"
            found[-1] = Key(answer=key.answer, label=label, prices=key.prices)
        else:
            found.append(key)
    return tuple(found)


def _whose(sight: Sight, car: int | None, what: str, rulings: Sequence[Ruling]) -> dict[str, Any]:
    """Whose test it is, which one, and against whom or where."""
    number = car if car is not None else (sight.playing or 0)
    facts = next((ruling.facts for ruling in rulings if "other" in ruling.facts or "at" in ruling.facts), {})
    key = "shot" if what == "attack" else "with"
    note = sight.say(f"test_note.{key}", other=facts["other"]) if "other" in facts else ""
    if not note and "at" in facts:
        note = near(sight.words, sight.rulebook.track, str(facts["at"]))
    return {
        "plate": sight.plate(number),
        "code": sight.codes.get(number, str(number)),
        "icon": ICONS.get(what, "die"),
        "title": sight.maybe(f"test.{what}") or what.replace("_", " ").capitalize(),
        "note": note,
    }
