"""What stands beside a race: the tournament or season that it counts for, here, or race control of the hall that its
table is in; what is to be read there, and when two people had confirmed its result."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from companion.rules.conversation.errors import CompanionError
from companion.sheets.entry import Entry
from companion.sheets.records import kept_record, last_record
from companion.sheets.wall_clock import hour
from companion.tournament.control import Control
from companion.tournament.results import Filed
from companion.tournament.season import Season
from companion.tournament.tournament import Tournament
from companion.view.commissioner.in_hall import given_tables
from companion.view.commissioner.listings import Listing, Listings
from companion.wording import Words


class InHall(NamedTuple):
    """A hall that a table is in: the folder in which race control's own words lie, and the address of its page."""

    words: Path
    page: str


class Beside(NamedTuple):
    """Where to look: in which folder for which record and table or race of it, and in which hall."""

    folder: Path
    event: tuple[str, str] | None
    hall: InHall | None

    @property
    def there(self) -> bool:
        """Whether there is anything."""
        return self.event is not None or self.hall is not None

    def listing(self, kind: str, lang: str) -> Listing | None:
        """The tables or the standings: of the tournament, for a season its calendar; without one here the tables are
        those of the hall. None where there is nothing yet."""
        if (record := self._record()) is not None:
            calendar = kind == "tables" and isinstance(record, Season)
            try:
                return Listings(record, Words(lang)).made("calendar" if calendar else kind)
            except CompanionError:
                return None
        control = self._control()
        return given_tables(control, Words(lang)) if control is not None and kind == "tables" else None

    def official(self, log: Sequence[Entry]) -> str | None:
        """At what time of day two people had confirmed the result that the log of the race came to; "" while they have
        not, None where nobody confirms it."""
        if self.event is not None and (record := self._record()) is not None:
            filed: Filed | None = record.results.filed.get(self.event[1])
            return hour(filed.confirmed.at) if filed is not None and filed.confirmed is not None else ""
        if self.hall is None or not log:
            return None
        if (control := self._control()) is None or (last := control.result(log[0].log_id)) is None:
            return ""
        if last.hash != log[-1].hash.hex() or len(control.signatures(last)) < 2:
            return ""
        return next(hour(said.at) for said in reversed(control.signed) if said.act == last)

    def _record(self) -> Tournament | Season | None:
        if self.event is None:
            return None
        try:
            kept = kept_record(self.folder, self.event[0]).record
        except CompanionError:
            return None
        return kept if isinstance(kept, Tournament | Season) else None

    def _control(self) -> Control | None:
        if self.hall is None:
            return None
        try:
            return last_record(self.hall.words, Control)
        except CompanionError:
            return None
