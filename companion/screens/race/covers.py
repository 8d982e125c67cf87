"""What lies over the race: the menu, the full order, the cars of a section, a line that is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kivy.uix.widget import Widget

from companion.screens.widgets.top_bar import HIGH as BAR
from companion.view.shown_race import RaceShown

if TYPE_CHECKING:
    from companion.screens.race.race import RaceScreen


def lay(screen: RaceScreen, shown: RaceShown) -> None:
    """Lays the cover over all; nothing beneath it is touched."""
    cover: Widget | None = None
    if screen.cover == "menu":
        screen.menu.show(screen.meant.offer(shown))
        cover = _over(screen, screen.menu, 0, 0, screen.w, screen.h)
    elif screen.cover == "order":
        screen.full_order.show((screen.say("race.order"), shown.order))
        cover = _over(screen, screen.full_order, 0, BAR, screen.w, screen.h - BAR)
    elif tile := screen.sections.there(shown, screen.cover):
        there = {car.plate for car in tile.cars}
        title = f"{tile.number} {tile.name}".strip()
        screen.full_order.show((title, tuple(row for row in shown.order if row.plate in there)))
        cover = _over(screen, screen.full_order, 0, BAR, screen.w, screen.h - BAR)
    elif screen.cover == "words":
        screen.words.show(screen.meant.said.wording())
        cover = _over(screen, screen.words, 0, 0, screen.w, screen.h)
    for child in screen.here:
        child.disabled = cover is not None and child is not cover


def _over(screen: RaceScreen, child: Any, x: float, y: float, w: float, h: float) -> Widget:
    """Places something on top of everything else."""
    if child.parent is screen and screen.children[0] is not child:
        screen.remove_widget(child)
    screen.lay(child, x, y, w, h)
    laid: Widget = child
    return laid
