"""The figures and switches of the race of sections."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from companion.rules.conversation.errors import BadSetup
from companion.rules.conversation.figures import FigureTable, Score, figure, table

Cards = Annotated[int, Meta(ge=0, le=184)]
Chart = tuple[
    Annotated[int, Meta(ge=0, le=40)], Annotated[int, Meta(ge=1, le=20)], Annotated[int, Meta(ge=1, le=20)]
]  # fmt: skip
MOST_BOTS: Final = 6
"""Maximum number of bots of a speed class."""
BOT_COUNTS: Final = ("bots_few", "bots_many")
"""The figures that say how many bots of a speed class there are, for few drivers and for many."""


class SectionFigures(FigureTable, frozen=True):
    """The figures of the race of sections; those that its source does not give are proposed."""

    charts: Annotated[tuple[Chart, ...], table("chart.car", proposed=True)] = (
        (12, 6, 4), (13, 5, 4), (11, 7, 4), (12, 5, 5), (13, 6, 3), (11, 6, 5),
    )  # fmt: skip
    deck_values: Annotated[tuple[Cards, Cards, Cards, Cards], table("cards.race", proposed=True)] = (52, 56, 48, 28)
    fuel_pole: Annotated[int, figure("fuel.deadlines", 1, 60)] = 8
    fuel_second: Annotated[int, figure("fuel.deadlines", 1, 60)] = 10
    fuel_last: Annotated[int, figure("fuel.deadlines", 1, 60)] = 14
    fuel_others: Annotated[int, figure("fuel.deadlines", 1, 60)] = 12
    bots_few: Annotated[int, figure("bots.number", 0, MOST_BOTS)] = 3
    bots_many: Annotated[int, figure("bots.number", 0, MOST_BOTS)] = 2
    slow_bot: Annotated[int, figure("bots.values", 1, 6)] = 2
    fast_bot: Annotated[int, figure("bots.values", 1, 6)] = 3
    fast_qualifying: Annotated[int, figure("ruling 46", 0, 4, proposed=True)] = 1
    banging_bonus: Annotated[int, figure("strategy.banging-wheels", 0, 9)] = 3
    saved_tyres: Annotated[int, figure("strategy.save-tyres", 0, 4)] = 1
    points: Annotated[tuple[Score, ...], table("end.points")] = (10, 6, 4, 3, 2, 1)
    balance_not_red: Annotated[bool, table("ruling 17", proposed=True)] = False
    chase: Annotated[bool, table("ruling 22", proposed=True, also=["strategy.chase"])] = False

    def check(self) -> None:
        if not any(self.deck_values):
            raise BadSetup("deck_empty", figure="deck_values")
        if not self.charts:
            raise BadSetup("no_charts", figure="charts")
