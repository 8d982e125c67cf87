"""What it costs in the cup to be blocked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Proc
from companion.rules.conversation.overriding import override
from companion.rules.cup.figures import CupFigures
from companion.rules.cup.state import CupCar, CupRace
from companion.rules.dice.blocking import Blocking

if TYPE_CHECKING:
    from companion.rules.cup.cup import Cup


class CupBlocking(Blocking[CupCar, CupRace, CupFigures]):
    """The table, and what lies beyond it."""

    book: Cup

    def blocking_row(self, spaces: int) -> tuple[int, int] | None:
        """Brakes and tyres lost by so many spaces not driven; beyond the table none, and the car is out, unless the
        tyres go on paying, one more a space [blocked.table, ruling 8]."""
        table = self.figures.blocking
        if spaces <= len(table):
            return table[spaces - 1]
        if not self.figures.long_blocks_cost_tyres:
            return None
        brakes, tyres = table[-1] if table else (0, 0)
        return brakes, tyres + spaces - len(table)

    @override
    def blocked(self, car: CupCar) -> Proc[None]:
        """Spaces not driven cost brakes and tyres besides all else; the brakes that are missing count as paid, the
        tyres that are missing spin the car where it stands; seven spaces or more and it is out [blocked.table,
        blocked.no-brakes, overshoot.blocked, rulings 8, 9]."""
        spaces = self.move.blocked
        if not spaces:
            return
        row = self.blocking_row(spaces)
        if row is None:
            self.rule("blocked", "ruling 8", car, spaces=spaces)
            self.book.wear.eliminate(car, "blocked", "ruling 8", removed=True)
            return
        brakes, tyres = min(row[0], self.book.wear.left(car, "brakes")), row[1]
        short = tyres > self.book.wear.left(car, "tyres")
        self.lose(
            car,
            "blocked",
            "blocked.table",
            {"brakes": brakes, "tyres": tyres},
            spaces=spaces,
            brakes=row[0],
            tyres=tyres,
        )
        if short:
            self.book.wear.spin(car, "ruling 9")
        return
        yield
