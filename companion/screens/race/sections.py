"""A race on a board of sections, as it lies on the screen: the board, beside it a contest, a card or the chart of the
car to play, and beneath it the question with cards to pick, or the counters of whoever is asked in a contest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from companion.screens.race.contest import ContestPanel
from companion.screens.widgets import band
from companion.screens.widgets.counters import Counters
from companion.screens.widgets.key import Face
from companion.screens.widgets.pick import Pick
from companion.screens.widgets.theme import theme
from companion.screens.widgets.top_bar import HIGH as BAR
from companion.view.shown import Prompt
from companion.view.shown_board import SectionTile
from companion.view.shown_race import RaceShown

if TYPE_CHECKING:
    from companion.screens.race.race import RaceScreen

CLOSE: Final = 60.0
SIDE: Final = 252.0
"""What stands beside the board is always so wide, so that no tile ever moves."""


class SectionLayout:
    """Lays out the screen of a race; what only such a race has it keeps here."""

    def __init__(self, screen: RaceScreen) -> None:
        self.screen, meant = screen, screen.meant
        self.pick = Pick(meant.picked, meant.given, meant.said.why)
        self.contest = ContestPanel(meant.tapped, meant.said.why, meant.contest_article, self._close)
        self.counters = Counters()
        self._closed = ""
        """The question at which the panel of the contest that is over was closed."""

    def lay(self, shown: RaceShown) -> None:
        """Places everything beneath the bar."""
        screen, prompt, word = self.screen, self.screen.prompt(shown), self.screen.word
        high = band.BAND if word is not None else band.height(prompt)
        alone = screen.cover == "overview"
        middle, left = screen.h - BAR - high, screen.w - (0.0 if alone else SIDE)
        asks = self.asks(shown) and not alone
        screen.lay_board(shown, 0, BAR, left, middle - (CLOSE if alone else 0))
        if alone:
            screen.shut.show(Face(label=theme.say("close"), look="option"))
            screen.lay(screen.shut, screen.w - 120, BAR + middle - CLOSE, 112, CLOSE - 8)
        else:
            self._beside(shown, prompt, left, screen.h - BAR if asks else middle)
        wide = left if asks else screen.w
        if word is not None:
            screen.ask.show(word)
            screen.lay(screen.ask, 0, screen.h - high, wide, high)
        elif asks or prompt.layout == "pick":
            self._beneath(shown, prompt, wide, high)
        else:
            screen.band.show(prompt)
            screen.lay(screen.band, 0, screen.h - high, wide, high)

    def asks(self, shown: RaceShown) -> bool:
        """Whether the question is one of a contest, with its few answers beneath those who contend."""
        return shown.contest is not None and not shown.contest.lines and shown.prompt.layout == "keys"

    def there(self, shown: RaceShown, space: str) -> SectionTile | None:
        """The section of a name in which somebody stands."""
        return next((tile for tile in shown.board.sections if tile.space == space and tile.cars), None)

    def _beside(self, shown: RaceShown, prompt: Prompt, left: float, high: float) -> None:
        """A contest that goes on or is just over, a card, or else the dashboard."""
        screen, contest = self.screen, shown.contest
        card = screen.shown_card or screen.shown_given
        if contest is not None and (not contest.lines or self._closed != prompt.key):
            asks = self.asks(shown)
            self.contest.show((contest, prompt.keys if asks else (), prompt.chosen if asks else -1))
            screen.lay(self.contest, left, BAR, SIDE, high)
        elif card is not None:
            view = screen.disputed if screen.word is not None else screen.given_card if card.seq else screen.card
            view.show(screen.marked(card))
            screen.lay(view, left, BAR, SIDE, high)
        elif shown.dashboard is not None:
            screen.dashboard.show(shown.dashboard)
            screen.lay(screen.dashboard, left, BAR, SIDE, high)

    def _beneath(self, shown: RaceShown, prompt: Prompt, wide: float, high: float) -> None:
        """A band with something else in the place of its keys."""
        screen = self.screen
        screen.pools_band.show(msgspec.structs.replace(prompt, keys=(), parts=(), layout="none"))
        screen.lay(screen.pools_band, 0, screen.h - high, wide, high)
        begin = band.LEFT + band.UNDO + 14
        place = begin, screen.h - high + band.KEYS_TOP, wide - begin - band.RIGHT, band.KEYS_HIGH
        if prompt.layout == "pick":
            self.pick.show(prompt)
            screen.lay(self.pick, *place)
        elif shown.dashboard is not None and shown.dashboard.counters:
            self.counters.show(shown.dashboard.counters)
            screen.lay(self.counters, *place)

    def _close(self) -> None:
        if self.screen.now is not None:
            self._closed = self.screen.now.prompt.key
            self.screen.look_again()
