"""The replay of a race turn by turn: board, order and rulings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from companion.desk import RaceDesk
from companion.sheets.acts import Item
from companion.sheets.entry import Entry
from companion.sheets.history import History
from companion.sheets.replay import reapply_answer
from companion.view.phones.phone import whole_board
from companion.view.race.order import order
from companion.view.race.race import top
from companion.view.shown import Plate, Row, TopBar, ViewModel
from companion.view.shown_board import BoardScene
from companion.view.sight import Sight
from companion.view.worded import BoardWords

UNTOLD: Final = frozenset({"reminder", "card", "result"})
"""Rulings that are no news in a replay: a drawn card is its owner's business, and the result has its own page."""


class ReplayTurn(ViewModel, frozen=True, kw_only=True):
    """The race after a car's turn: whose turn, the round, and its sentences."""

    round: int
    top: TopBar
    board: BoardScene
    order: tuple[Row, ...]
    plate: Plate | None = None
    told: tuple[str, ...] = ()


def replay(log: Iterable[Entry], lang: str) -> list[ReplayTurn]:
    """Return every turn of a race from its log, with all corrections applied.

    Raises LogError or CompanionError.
    """
    history = History.of(log)
    desk = RaceDesk.from_log(history, 0)
    words = BoardWords(lang, desk.rulebook.name, desk.rulebook.track)
    turns: list[ReplayTurn] = []
    items: list[Item] = []
    for item, after in zip(history.items, [*history.items[1:], None], strict=True):
        reapply_answer(desk.conversation, history, item)
        items.append(item)
        if after is None or _turn(after) not in (None, _turn(item)):
            turns.append(_replay_turn(Sight(desk, words), items))
            items = []
    return turns


def _turn(item: Item) -> tuple[int, int] | None:
    """Return the car and round of an answer; None if it belongs to the turn before."""
    key = item.event.key
    return (key[1], key[2]) if key is not None and key[1] is not None else None


def _replay_turn(sight: Sight, items: Sequence[Item]) -> ReplayTurn:
    number, round_ = next(filter(None, map(_turn, items)), (0, 0))
    if number in sight.cars:
        sight.playing = number  # whose turn it was, not whose it is
    bar = top(sight, disputes=False)
    return ReplayTurn(
        round=round_,
        top=msgspec.structs.replace(bar, round=str(round_)) if round_ else bar,
        board=whole_board(sight),
        order=order(sight),
        plate=sight.plate(number) if number in sight.cars else None,
        told=tuple(sight.ruled(one) for item in items for one in item.rulings if one.kind not in UNTOLD),
    )
