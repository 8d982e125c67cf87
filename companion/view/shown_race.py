"""The whole of the race screen at one moment, as data."""

from __future__ import annotations

from companion.view.shown import Card, Dashboard, Prompt, Row, Shown, SkyTurn, Toast, TopBar
from companion.view.shown_board import BoardScene
from companion.view.shown_phases import Aim, Attack, Contest, PitColumn, PitLane, QueueRow


class RaceShown(Shown, frozen=True, kw_only=True):
    """All that the race screen shows at one moment."""

    top: TopBar
    order: tuple[Row, ...]
    prompt: Prompt
    board: BoardScene
    dashboard: Dashboard | None = None
    card: Card | None = None
    tests: tuple[QueueRow, ...] = ()
    skies: tuple[SkyTurn, ...] = ()
    attack: Attack | None = None
    aim: Aim | None = None
    pits: tuple[PitColumn, ...] = ()
    lane: PitLane | None = None
    contest: Contest | None = None
    toast: Toast | None = None
