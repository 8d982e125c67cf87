"""The tests of a turn: those taken with what they brought, the open one, and those still to come if all goes well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.rules.conversation import Asked
from companion.screens.view import price
from companion.screens.view.shown import Price, QueueRow
from companion.screens.view.sight import Sight
from companion.sheets.history import Item

ICONS: Final[Mapping[str, str]] = {
    "collision": "body",
    "wall": "body",
    "engine": "engine",
    "handling": "handling",
    "weather": "changeable",
    "quick_stop": "pit",
    "restart": "play",
}
"""What stands for a test, by what it is for."""


def tests(sight: Sight) -> tuple[QueueRow, ...]:
    """The list of tests, in the order in which they are taken; empty while no test is asked."""
    asked = sight.asked
    if asked is None or asked.ask != "test":
        return ()
    coming = sight.ahead.coming() if sight.ahead is not None else [asked]
    rows = [_done(sight, item) for item in _taken(sight)]
    rows += [_open(sight, one, now=at == 0) for at, one in enumerate(coming)]
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
    other = next((ruling.facts["other"] for ruling in own if "other" in ruling.facts), None)
    brought = price.of_rulings(sight, item.rulings, car)
    safe = Price(text=sight.say("price.safe"), icon="check", tone="ok")
    note = sight.say("test_note.with", other=other) if other is not None else ""
    return _row(sight, car, what, note, "done", str(item.event.answer), brought[0] if brought else safe)


def _open(sight: Sight, asked: Asked, *, now: bool) -> QueueRow:
    note = sight.maybe("unit.test", **(asked.fields or {}))
    return _row(sight, asked.car, asked.what, note, "now" if now else "to_come", "", Price())


def _row(sight: Sight, car: int | None, what: str, note: str, state: Any, die: str, outcome: Price) -> QueueRow:
    number = car if car is not None else (sight.playing or 0)
    return QueueRow(
        plate=sight.plate(number),
        code=sight.codes.get(number, str(number)),
        icon=ICONS.get(what, "die"),
        title=sight.maybe(f"test.{what}") or what.replace("_", " ").capitalize(),
        note=note,
        die=die,
        outcome=outcome,
        state=state,
    )
