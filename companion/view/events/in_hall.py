"""The tables of a hall: the race each was assigned, and whether it is official."""

from __future__ import annotations

from companion.rules.conversation.asking import Json
from companion.tournament.control import Control, LogConfirmed, Started
from companion.tournament.record import Signed
from companion.view.listing import Listing, make_listing
from companion.wording import Words


def given_tables(control: Control, words: Words) -> Listing | None:
    """Return a row per race assigned to a table; None if none was."""
    starts = sorted(control.starts().values(), key=lambda said: said.seq)
    if not starts:
        return None
    rows = [_row(control, said, said.act, words) for said in starts if isinstance(said.act, Started)]
    return make_listing("tables", words, ("table", "race", "driver", "state"), rows, name=control.name)


def _row(control: Control, said: Signed, start: Started, words: Words) -> tuple[str, ...]:
    cars: Json = start.setup.get("cars", ())
    drivers = ", ".join(str(car.get("driver", "") or car.get("car", "")) for car in cars)
    official = any(
        isinstance(after.act, LogConfirmed)
        and after.act.table == start.table
        and after.seq > said.seq
        and len(control.signatures(after.act)) > 1
        for after in control.signed
    )
    return start.table, start.name or start.race, drivers, words.word("listing", "official") if official else ""
