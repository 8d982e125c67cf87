"""The tables of a hall by what race control said to them: who got which race, and whose result is official."""

from __future__ import annotations

from companion.rules.conversation.asking import Json
from companion.tournament.control import Control, Result, Started
from companion.tournament.record import Signed
from companion.view.commissioner.listings import Listing, heads
from companion.wording import Words


def given_tables(control: Control, words: Words) -> Listing | None:
    """A row for each race that a table was given; None as long as none was."""
    starts = sorted(control.starts().values(), key=lambda said: said.seq)
    if not starts:
        return None
    columns = ("table", "race", "driver", "state")
    return Listing(
        kind="tables",
        name=control.name,
        title=words.word("listing", "title_tables"),
        under="",
        columns=columns,
        heads=heads(columns, words),
        rows=tuple(_row(control, said, said.act, words) for said in starts if isinstance(said.act, Started)),
    )


def _row(control: Control, said: Signed, start: Started, words: Words) -> tuple[str, ...]:
    cars: Json = start.setup.get("cars", ())
    drivers = ", ".join(str(car.get("driver", "") or car.get("car", "")) for car in cars)
    official = any(
        isinstance(after.act, Result)
        and after.act.table == start.table
        and after.seq > said.seq
        and len(control.signatures(after.act)) > 1
        for after in control.signed
    )
    return start.table, start.name or start.race, drivers, words.word("listing", "official") if official else ""
