"""The one page that a race begins on: rulebook, circuit and drivers; everything else has a default, and its place in
the steps behind it."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from companion.house_rules import HouseRules
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.kinds import Pools
from companion.rules.rulebooks import RULEBOOKS
from companion.sheets.entrants import Entrant
from companion.view.setup.draft import Draft, refusal, usual_car
from companion.view.setup.new_race import house_of, rulebook_name, rulebooks
from companion.view.shown import Key, Price, Shown
from companion.wording import Words

FEWEST: Final = 2
"""A race that is begun on the one page has so many drivers; a lap alone is begun step by step."""
Way = Literal["each", "same", "table", "deck"]
"""How cars come to their points or cards: built by each driver, the same for all, dealt at the table, or by the
program."""
BOOKS: Final = {
    "beginner": "car", "formula-d": "die", "competition": "flag", "cup": "trophy", "league": "table",
    "death": "target", "ninety": "cards",
}  # fmt: skip
"""The pictogram of each rulebook; one of the table's own has a book."""
HOUSE: Final = 4
"""House rules that have a key each; of more the first three do."""
SIX: Final = 6
"""Drivers that have a key each; of more the first five do."""


class FirstShown(Shown, frozen=True, kw_only=True):
    """The one page. `house` are the keys of the house rules that are kept, `by_house` names those gone by.
    `more` are drivers without a key of their own; `ways` are how cars come to what they have, each by its name; `why`
    says why no race can begin yet, `missing` the same in a few words."""

    books: tuple[Key, ...]
    icons: tuple[str, ...]
    house: tuple[Key, ...]
    by_house: str
    circuit: str
    corners: str
    laps: tuple[Key, ...]
    distance: str
    drivers: tuple[Entrant, ...]
    more: int
    rest: str
    ways: tuple[tuple[Way, Key, bool], ...]
    begin: str
    why: str = ""
    missing: str = ""


def first_page(draft: Draft, words: Words, slots: int = SIX, house: Sequence[HouseRules] = ()) -> FirstShown:
    """The one page as it stands, with so many keys for drivers, and the house rules that are kept."""
    board, say, count = draft.board, words.screen, len(draft.entrants)
    many = count > slots
    now = house_of(draft, house)
    laps = draft.laps or draft.usual_laps
    corners = len(board.corners) if board is not None else 0
    why = say("new_race.fewest", missing=FEWEST - count) if count < FEWEST else refusal(draft, words)
    return FirstShown(
        books=tuple(
            msgspec.structs.replace(key, label=_said("book", key, words) or key.label, note=_said("short", key, words))
            for key in rulebooks(draft, words)
        ),
        icons=tuple(BOOKS.get(name, "book") for name in RULEBOOKS),
        house=_house_keys(house, now, words),
        by_house=now.name if now is not None else "",
        circuit=board.name if board is not None else "",
        corners=say("new_race.corners", count=corners),
        laps=tuple(Key(answer=one, label=str(one)) for one in _distances(draft, laps)),
        distance=say("new_race.turns" if draft.cards else "new_race.laps"),
        drivers=draft.entrants[: slots - 1] if many else draft.entrants,
        more=count - slots + 1 if many else 0,
        rest=say("new_race.rest_note", count=draft.differing()),
        ways=tuple(_ways(draft, words)),
        begin=say("new_race.field", cars=count, laps=laps, turns=draft.cards),
        why=why,
        missing=(say("new_race.fewest_short", missing=FEWEST - count) if count < FEWEST else say("new_race.tap_why"))
        if why
        else "",
    )


def _said(table: str, book: Key, words: Words) -> str:
    """What a rulebook is in three words, or its name where the usual one is too long for a key; else nothing."""
    return words.maybe(f"new_race.{table}.{book.answer}")


def _house_keys(house: Sequence[HouseRules], now: HouseRules | None, words: Words) -> tuple[Key, ...]:
    """The house rules that have a key, those that the race goes by among them, and a key to the others."""
    listed = [*house] if len(house) <= HOUSE else [*house][: HOUSE - 1]
    if now is not None and now not in listed:
        listed[-1] = now
    keys = [Key(answer=one.name, label=one.name, note=rulebook_name(one.rulebook, words)) for one in listed]
    if others := len(house) - len(listed):
        keys.append(Key(label=f"+{others}", note=words.screen("new_race.house_rules")))
    return tuple(keys)


def _distances(draft: Draft, now: int) -> list[int]:
    """Three distances to choose from: what is chosen is among them."""
    usual = draft.usual_laps
    low, high = draft.distances
    offered = [usual // 2, usual, usual * 3 // 2] if draft.cards else [1, 2, 3]
    offered = [min(max(one, low), high) for one in offered]
    if now not in offered:
        nearest = min(offered, key=lambda one: abs(one - now))
        offered[offered.index(nearest)] = now
    return sorted(set(offered))


def _ways(draft: Draft, words: Words) -> list[tuple[Way, Key, bool]]:
    """How cars come to what they have, and which of these is chosen; what the book settles has its reason."""
    say = words.screen
    if draft.dealt:
        kind = "" if draft.cards else "armed_"
        table = Key(label=say("new_race.table"), note=say(f"new_race.{kind}table_short"))
        dealt = Key(label=say("new_race.deck"), note=say("new_race.deck_short", deck=draft.deck))
        return [("table", table, not draft.deck), ("deck", dealt, bool(draft.deck))]
    car: Pools = {}
    with contextlib.suppress(CompanionError):  # figures that go with no car: the page says so below
        car = usual_car(draft)
    count = sum(car.values())
    points = Price(text=say("new_race.points_each", count=count))
    same = Key(answer="same", label=say("new_race.same"), note="·".join(map(str, car.values())), prices=(points,))
    if draft.choice_of_car == "card":
        why = say("new_race.car_by_card")
        card = Key(answer="each", label=say("new_race.each_card"), note=say("new_race.each_card_note"))
        return [("each", card, True), ("same", Key(answer="same", label=same.label, note=why, why=why), False)]
    built = draft.choice_of_car == "build"
    why = "" if built else say("new_race.one_car")
    each = Key(
        answer="each", label=say("new_race.each"), note=why or say("new_race.points_a_car", count=count), why=why
    )
    return [("each", each, built and not draft.same), ("same", same, not built or draft.same)]
