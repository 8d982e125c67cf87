"""The quick start page: rulebook, circuit and drivers.

Everything else has a default, and is reached through the steps.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from companion.house_rules import HouseRules
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.kinds import Pools
from companion.rules.rulebooks import RULEBOOKS
from companion.sheets.entrants import RaceEntrant
from companion.view.setup.draft import Draft, in_teams, refusal, usual_car
from companion.view.setup.new_race import house_of, rulebook_name, rulebooks
from companion.view.shown import AnswerKey, Price, ViewModel
from companion.wording import Words

FEWEST: Final = 2
"""Minimum number of drivers of a race begun on the one page; a lap alone is set up step by step."""
Way = Literal["each", "same", "table", "deck"]
"""Ways to give cars their points or cards: built by each driver, the same for all, dealt at the table, or by the
program."""
BOOKS: Final = {
    "beginner": "car", "formula-d": "die", "competition": "flag", "cup": "trophy", "league": "table",
    "death": "target", "ninety": "cards",
}  # fmt: skip
"""Pictogram of each rulebook; one of the table's own has a book."""
HOUSE: Final = 4
"""Number of house rules with a key each; if there are more, only the first three have one."""
SIX: Final = 6
"""Number of drivers with a key each; if there are more, only the first five have one."""


class FirstShown(ViewModel, frozen=True, kw_only=True):
    """The quick start page.

    `house` are the keys of the stored house rules, `by_house` the name of those in use. `more` is the number of drivers
    without a key; `ways` are how cars get their points or cards; `why` says why no race can begin yet, `missing` the
    same in short.
    """

    books: tuple[AnswerKey, ...]
    icons: tuple[str, ...]
    house: tuple[AnswerKey, ...]
    by_house: str
    circuit: str
    corners: str
    laps: tuple[AnswerKey, ...]
    distance: str
    drivers: tuple[RaceEntrant, ...]
    more: int
    rest: str
    ways: tuple[tuple[Way, AnswerKey, bool], ...]
    begin: str
    why: str = ""
    missing: str = ""


def first_page(draft: Draft, words: Words, slots: int = SIX, house: Sequence[HouseRules] = ()) -> FirstShown:
    """Return the quick start page with `slots` keys for drivers.

    `house` holds the stored house rules.
    """
    board, say, count = draft.board, words.screen, len(draft.entrants)
    many, entrants = count > slots, in_teams(draft, words.lang)
    now = house_of(draft, house)
    laps = draft.laps or draft.usual_laps
    corners = len(board.corners) if board is not None else 0
    why = say("new_race.fewest", missing=FEWEST - count) if count < FEWEST else refusal(draft, words)
    return FirstShown(
        books=tuple(
            msgspec.structs.replace(
                key, label=_summary("book", key, words) or key.label, note=_summary("short", key, words)
            )
            for key in rulebooks(draft, words)
        ),
        icons=tuple(BOOKS.get(name, "book") for name in RULEBOOKS),
        house=_house_keys(house, now, words),
        by_house=now.name if now is not None else "",
        circuit=board.name if board is not None else "",
        corners=say("new_race.corners", count=corners),
        laps=tuple(AnswerKey(answer=one, label=str(one)) for one in _distances(draft, laps)),
        distance=say("new_race.turns" if draft.cards else "new_race.laps"),
        drivers=entrants[: slots - 1] if many else entrants,
        more=count - slots + 1 if many else 0,
        rest=say("new_race.rest_note", count=draft.differing()),
        ways=tuple(_ways(draft, words)),
        begin=say("new_race.field", cars=count, laps=laps, turns=draft.cards),
        why=why,
        missing=(say("new_race.fewest_short", missing=FEWEST - count) if count < FEWEST else say("new_race.tap_why"))
        if why
        else "",
    )


def _summary(table: str, book: AnswerKey, words: Words) -> str:
    """Return a rulebook's short name or three-word summary; "" if it has none."""
    return words.maybe(f"new_race.{table}.{book.answer}")


def _house_keys(house: Sequence[HouseRules], now: HouseRules | None, words: Words) -> tuple[AnswerKey, ...]:
    """Return the keys of some house rules, including those in use, and one for the others."""
    listed = [*house] if len(house) <= HOUSE else [*house][: HOUSE - 1]
    if now is not None and now not in listed:
        listed[-1] = now
    keys = [AnswerKey(answer=one.name, label=one.name, note=rulebook_name(one.rulebook, words)) for one in listed]
    if others := len(house) - len(listed):
        keys.append(AnswerKey(label=f"+{others}", note=words.screen("new_race.house_rules")))
    return tuple(keys)


def _distances(draft: Draft, now: int) -> list[int]:
    """Return up to three distances to choose from, including the present one."""
    usual = draft.usual_laps
    low, high = draft.distances
    offered = [usual // 2, usual, usual * 3 // 2] if draft.cards else [1, 2, 3]
    offered = [min(max(one, low), high) for one in offered]
    if now not in offered:
        nearest = min(offered, key=lambda one: abs(one - now))
        offered[offered.index(nearest)] = now
    return sorted(set(offered))


def _ways(draft: Draft, words: Words) -> list[tuple[Way, AnswerKey, bool]]:
    """Return how cars may get their points or cards, with the one selected.

    A way that the rulebook fixes has its reason.
    """
    say = words.screen
    if draft.dealt:
        kind = "" if draft.cards else "armed_"
        table = AnswerKey(label=say("new_race.table"), note=say(f"new_race.{kind}table_short"))
        dealt = AnswerKey(label=say("new_race.deck"), note=say("new_race.deck_short", deck=draft.deck))
        return [("table", table, not draft.deck), ("deck", dealt, bool(draft.deck))]
    car: Pools = {}
    with contextlib.suppress(CompanionError):  # figures that go with no car: the page says so below
        car = usual_car(draft)
    count = sum(car.values())
    points = Price(text=say("new_race.points_each", count=count))
    spread = "·".join(map(str, car.values())) if len(car) > 1 else ""
    same = AnswerKey(answer="same", label=say("new_race.same"), note=spread, prices=(points,))
    if draft.choice_of_car == "card":
        why = say("new_race.car_by_card")
        card = AnswerKey(answer="each", label=say("new_race.each_card"), note=say("new_race.each_card_note"))
        return [("each", card, True), ("same", AnswerKey(answer="same", label=same.label, note=why, why=why), False)]
    why = "" if draft.can_build else say("new_race.one_car")
    each = AnswerKey(
        answer="each", label=say("new_race.each"), note=why or say("new_race.points_a_car", count=count), why=why
    )
    return [("each", each, draft.builds), ("same", same, not draft.builds)]
