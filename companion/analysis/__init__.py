"""A race read again from its log: who was lucky, and what each decision cost, in turns and in chances to win.

`reckoning` goes through the answers one by one with the champion's table beside it, so that the luck and the mistakes
of a driver add up to all that became of the race; where no table knows a race, `driving_out` tells the chances to win
round by round. `findings` is what came of it, as plain data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.analysis.findings import Analysis, SoFar
    from companion.drivers import Progress
    from companion.sheets.history import History


def analysed(history: History, progress: Progress = lambda share: None, so_far: SoFar | None = None) -> Analysis:
    """Return the analysis of a race, whole or so far; call `so_far` with it whenever another round begins.

    Raises LogError for a race that has not begun.
    """
    from companion.analysis.driving_out import DrivingOut
    from companion.analysis.reckoning import Reckoning
    from companion.drivers.odds import tabled
    from companion.rules.conversation.errors import LogError
    from companion.sheets.replay import rulebook_of

    beginning = history.beginning
    if beginning is None or not history.items or not history.stands[0]:
        raise LogError("no_analysis")
    way = Reckoning if tabled(rulebook_of(beginning.setup, beginning.track)) else DrivingOut
    return way(history).reckon(progress, so_far)
